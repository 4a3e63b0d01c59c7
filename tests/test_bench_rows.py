#!/usr/bin/env python3
"""The verb bench: its rows and its errors."""
import re
import unittest

from command_line import Case


class Bench(Case):
    def test_rows(self):
        argv = ["--method", "vlv,eln", "--bodies", "16", "--steps", "20"]
        document = self.document("bench", *argv, "--isa", "all")
        self.assertIsInstance(document["machine"], str)
        self.assertTrue(document["machine"].strip())
        found = {(row["problem"], row["method"], row["isa"]) for row in document["results"]}
        self.assertEqual(found, {("stress", method, isa) for method in ("vlv", "eln") for isa in self.usable()})
        for row in document["results"]:
            self.number(row["ns_per_body_step"], "ns_per_body_step")
            self.assertGreater(row["ns_per_body_step"], 0)
            self.assertIs(type(row["threads"]), int)
        text = self.good("bench", *argv)
        self.assertEqual(text.err, "")
        self.assertIn(document["machine"], text.out)
        self.assertEqual(len(re.findall(r"(?m)\b(?:vlv|eln)\b.*\d", text.out)), 2)

    def test_methods_times_problems(self):
        document = self.document("bench", "--method", "vlv,eln", "--problem", "stress,free", "--bodies", "16", "--steps", "20")
        self.assertEqual({(row["problem"], row["method"]) for row in document["results"]},
                         {(problem, method) for problem in ("stress", "free") for method in ("vlv", "eln")})

    def test_bad_input(self):
        self.refused(["bench", "--method", "vlw"], "'vlw'", "'vlv'")
        self.refused(["bench", "--problem", "stres"], "'stres'", "'stress'")
        self.refused(["bench", "--bodies", "0"], r"\b0\b", "1 to")
        self.refused(["bench", "--steps", "0"], r"\b0\b", "1 to")
        built = [v["isa"] for v in self.document("devices")["cpu"]["variants"]]
        self.refused(["bench", "--isa", "sse"], "'sse'", r"\ball\b", *built)


if __name__ == "__main__":
    unittest.main()
