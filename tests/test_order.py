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

    def test_steps_scale_with_the_problem(self):
        """Each problem by its own step; errors that are too large to have an order are left out of the fit, and it says so."""
        for problem, own in (("top-slow", 0.1), ("top-fast", 0.01), ("free", 0.125), ("pendulum", 0.125), ("coulomb-wall", 0.05)):
            with self.subTest(problem):
                entry, = self.document("order", "--problem", problem, "--method", "vlv")
                self.assertEqual((entry["problem"], entry["reference"]), (problem, "rk8"))
                steps = [row["step"] for row in entry["errors"]]
                self.assertEqual(steps[0], 2 * own)
                self.assertEqual(entry["reference_step"], steps[-1] / 4)
                self.assertAlmostEqual(entry["time"], 40 * own)
                self.assertAlmostEqual(entry["fitted_order"], 2, delta=0.1)
                self.assertTrue(entry["orders_agree"])
                first, last = map(steps.index, entry["fitted_steps"])
                self.assertGreaterEqual(last - first, 2)
                orders = [row["order"] for row in entry["errors"][first + 1:last + 1]]
                self.assertLess(max(orders) - min(orders), 0.2)

    def test_the_range_of_the_fit(self):
        entry, = self.document("order", "--problem", "top-slow", "--method", "vlv")
        self.assertLess(entry["errors"][1]["order"], 1)  # so the two largest steps are no part of it
        self.assertLess(entry["fitted_steps"][0], 0.1)
        text = self.good("order", "--problem", "top-slow", "--method", "vlv").out
        self.assertRegex(text, r"\Atop-slow: one body, time 4, .*reference: rk8 with step 0.0015625\n")
        self.assertRegex(text, r"fitted order 1\.9\d+ over steps 0\.05 to 0\.00625, declared: 2\n")

    def test_no_order_is_said_to_be_none(self):
        entry, = self.document("order", "--problem", "top-slow", "--method", "vlv", "--time", "4", "--step", "0.4,0.2,0.1")
        self.assertIsNone(entry["fitted_order"])
        self.assertNotIn("fitted_steps", entry)
        text = self.good("order", "--problem", "top-slow", "--method", "vlv", "--time", "4", "--step", "0.4,0.2,0.1").out
        self.assertIn("no order: successive orders do not agree", text)
        self.assertIn("no order: the errors are rounding", self.good("order", "--problem", "orbit-elliptic", "--method", "rk45").out)
        two = self.good("order", "--method", "vlv", "--time", "5", "--step", "0.125,0.25").out
        self.assertRegex(two, r"fitted order 1\.97\d over steps 0\.25 to 0\.125 alone: a third would tell")

    def test_a_step_that_is_too_large_is_left_out(self):
        entry, = self.document("order", "--problem", "top-fast", "--method", "mcg", "--time", "8",
                               "--step", "0.5,0.001,0.0005,0.00025")
        self.assertIn("failed", entry["errors"][0])
        self.assertAlmostEqual(entry["fitted_order"], 2, delta=0.1)

    def test_options_that_do_nothing_are_not_taken(self):
        text = self.good("order", "--help").out
        for option in ("members", "first-member", "steps", "every", "resolve", "seed", "sigma-attitude", "threads"):
            self.assertNotIn("--%s " % option, text)
            self.refused(["order", "--%s" % option, "1"], "--%s is not for order" % option, r"for.*\brun\b")

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
