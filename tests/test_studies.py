#!/usr/bin/env python3
"""Studies of several runs: what their documents say, and what a study may say."""
import json
import unittest

from case import Case


class Study(Case):
    def study(self, text):
        (self.here / "s.toml").write_text(text)

    def document(self, *argv):
        return json.loads(self.run_program("run", *argv, "--json", "--quiet").stdout)


class Document(Study):
    def test_each_result_knows_its_run_and_its_parameters(self):
        self.study('problem = ["stress", "free"]\nmethod = ["rk45", "vlv"]\nstep = [0.125, 0.25]\nsteps = 8\nbodies = 2\n'
                   '[param]\nrtol = 1e-9\n[param.stress]\nalpha = 0.25\n')
        found = self.document("s.toml")
        self.assertEqual(found["plans"], found["plan"])
        self.assertEqual([r["run"] for r in found["results"]], [0, 0, 1, 1, 2, 2, 3, 3])
        for result in found["results"]:
            plan = found["plans"][result["run"]]
            own = {"rtol": 1e-9, "atol": 1e-12} if result["method"] == "rk45" else {}
            self.assertEqual(result["param"], {**plan["param"], **own})
            self.assertEqual((result["problem"], result["step"]), (plan["problem"], plan["step"]))
        self.assertEqual([r["param"].get("alpha") for r in found["results"]], [0.25] * 4 + [None] * 4)

    def test_plans_are_a_list_of_one_run_too(self):
        found = self.document("--steps", "8", "--bodies", "2", "--method", "vlv")
        self.assertEqual(found["plans"], [found["plan"]])
        self.assertEqual([r["run"] for r in found["results"]], [0])


if __name__ == "__main__":
    unittest.main()
