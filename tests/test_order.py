#!/usr/bin/env python3
"""The verb order: measured orders and its errors."""
import json
import math
import unittest

from command_line import Case
from formulas import slope_of


class Order(Case):
    def test_measured_orders(self):
        steps = [0.25, 0.125, 0.0625, 0.03125]
        listed = self.document("order", "--method", "vlv,vlv@4,liemid-e1", "--time", "5", "--step", ",".join(map(str, steps)))
        self.assertEqual([entry["method"] for entry in listed], ["vlv", "vlv@4", "liemid-e1"])
        for entry, declared in zip(listed, (2, 4, 1)):
            with self.subTest(entry["method"]):
                self.assertEqual(entry["declared_order"], declared)
                self.assertEqual([row["step"] for row in entry["errors"]], steps)
                for row in entry["errors"]:
                    for name in ("Q", "W", "E"):
                        self.number(row[name], name)
                        self.assertGreaterEqual(row[name], 0)
                logs = [math.log2(step) for step in steps]
                measured = slope_of(logs, [math.log2(math.hypot(row["Q"], row["W"])) for row in entry["errors"]])
                self.assertAlmostEqual(measured, declared, delta=0.2)
                self.assertAlmostEqual(entry["fitted_order"], declared, delta=0.2)

    def test_default_steps_give_the_declared_order(self):
        for entry, declared in zip(self.document("order", "--method", "vlv,vlv@4"), (2, 4)):
            self.assertGreaterEqual(len(entry["errors"]), 3)
            self.assertAlmostEqual(entry["fitted_order"], declared, delta=0.1)

    def test_text(self):
        text = self.good("order", "--method", "vlv", "--time", "5", "--step", "0.25,0.125,0.0625")
        self.assertEqual(text.err, "")
        self.assertRegex(text.out, r"(?m)^vlv\b")
        self.assertRegex(text.out, r"order\s+(1\.9|2\.0)\d*")

    def test_errors_do_not_depend_on_the_variant(self):
        argv = ["order", "--method", "vlv,rk4", "--time", "1", "--step", "0.25,0.125"]
        seen = {json.dumps(self.document(*argv, "--isa", isa)) for isa in self.usable()}
        self.assertEqual(len(seen), 1)

    def test_an_order_needs_two_steps(self):
        self.refused(["order", "--method", "vlv", "--step", "0.25"], r"step", r"two|2|several|list")
        self.refused(["order", "--method", "vlv", "--step", "0.25,0.25"], r"step", r"0\.25")

    def test_bad_input(self):
        self.refused(["order", "--method", "vlw"], "'vlw'", "'vlv'")
        self.refused(["order", "--problem", "stres"], "'stres'", "'stress'")
        self.refused(["order", "--step", "0.25,0"], r"step", r"\b0\b", "positive")
        self.refused(["order", "--step", "0.25,x"], r"step", r"'x'", "number")
        self.refused(["order", "--step", "0.25,,0.125"], r"step", "number|missing|empty")
        self.refused(["order", "--step", ""], r"step", "number|missing|empty")
        self.refused(["order", "--time", "1", "--step", "0.25,0.3"], r"\b1\b", r"0\.3", "whole")
        self.refused(["order", "--method", "rrp"], "rrp", "spherical|equal")
        self.refused(["order", "--metod", "vlv"], "--metod", "--method")


if __name__ == "__main__":
    unittest.main()
