#!/usr/bin/env python3
"""Bodies that fail are counted and told apart, and the others do not notice."""
import unittest

from command_line import ALIKE, Case, science, strict_json


class FailingBodies(Case):
    RK2 = ("--bodies", "5", "--step", "0.25", "--time", "2500")
    RRP = ("--problem", "free", "--param", "J=2,2,2", "--param", "velocity=9,0,0", "--bodies", "5", "--steps", "80", *ALIKE)

    def check(self, plan, bad):
        together = self.run_json(*plan, "--method", bad + ",vlv", "--final", "2", status=3)
        first, second = together["results"]
        self.check_result(first)
        self.check_states(first, 2)
        self.assertEqual((first["method"], first["failed"]), (bad, 5))
        self.assertTrue(all(state["status"] != "ok" for state in first["final"]))
        self.assertIsNone(first["energy"]["slope"]["mean"])  # never averaged in
        self.assertNotIn(first["verdict"], ("bounded", "drifts +", "drifts -"))
        # the others: untouched, to the bit
        self.check_result(second)
        self.check_numbers(second)
        self.check_states(second, 2)
        self.assertEqual(second["failed"], 0)
        alone = self.run_json(*plan, "--method", "vlv", "--final", "2")
        self.assertEqual(science(together)["results"][1], science(alone)["results"][0])
        # and the same everywhere
        for isa in self.usable():
            self.assertEqual(self.digest(*plan, "--method", bad + ",vlv", "--isa", isa, "--threads", "3", status=3),
                             together["digest"])
        return first

    def test_rk2_blows_up(self):
        self.check(self.RK2, "rk2")

    def test_rrp_outside_its_domain(self):
        first = self.check(self.RRP, "rrp")
        for state in first["final"]:  # frozen where it was: h|W| >= 1 from the start
            self.assertEqual((state["W"], state["Q"]), ([9, 0, 0], [1, 0, 0, 0, 1, 0, 0, 0, 1]))

    def test_rrp_just_inside_its_domain(self):
        plan = [*ALIKE, "--problem", "free", "--param", "J=2,2,2", "--bodies", "2", "--steps", "8", "--method", "rrp"]
        self.assertEqual(self.run_json(*plan, "--param", "velocity=7.99,0,0")["results"][0]["failed"], 0)
        self.assertEqual(self.run_json(*plan, "--param", "velocity=8,0,0", status=3)["results"][0]["failed"], 2)

    def test_some_fail_and_the_others_do_not_notice(self):
        plan = ["--problem", "pendulum", "--param", "velocity=7.9,0,0", "--sigma-velocity", "0.1", "--step", "0.125", "--steps", "16",
                "--every", "16", "--method", "rrp"]
        result = self.run_json(*plan, "--bodies", "40", "--final", "40", status=3)["results"][0]
        well = [state for state in result["final"] if state["status"] == "ok"]
        self.assertTrue(5 <= len(well) <= 35, len(well))
        self.assertEqual(result["failed"], 40 - len(well))
        slopes = [state["energy_error"] / result["time"] for state in well]  # only theirs are averaged
        self.assertAlmostEqual(result["energy"]["slope"]["mean"], sum(slopes) / len(slopes), delta=1e-14)
        self.assertAlmostEqual(result["energy"]["max_abs_error"], max(abs(state["energy_error"]) for state in well), delta=1e-14)
        first = result["final"].index(well[0])
        for bodies in {first + 1, 5, 17, 33}:  # in other company
            argv = [*plan, "--bodies", str(bodies), "--final", str(bodies)]
            states = strict_json(self.call("run", *argv, "--json").out)["results"][0]["final"]
            self.assertEqual(states, result["final"][:bodies])
        for isa in self.usable():
            argv = [*plan, "--bodies", "40", "--final", "40", "--isa", isa, "--threads", "3"]
            self.assertEqual(self.run_json(*argv, status=3)["results"][0]["final"], result["final"])

    def test_text_counts_them(self):
        outcome = self.good("run", *self.RRP, "--method", "rrp,vlv", "--progress", "never", status=3)
        self.assertRegex(outcome.out, r"(?m)^rrp\b.*\b5 failed\b")
        self.assertNotRegex(outcome.out, r"(?m)^vlv\b.*\bfailed\b")
        self.assertNotIn("nan", outcome.out.lower())

    def test_nothing_measured_is_null_and_not_zero(self):
        result = self.run_json(*self.RK2, "--method", "rk2", status=3)["results"][0]
        for part, name in (("energy", "max_abs_error"), ("energy", "rms_error"), ("invariants", "orthogonality_max"),
                           ("invariants", "momentum_max_error"), ("newton", "mean"), ("newton", "max")):
            with self.subTest(name):
                self.assertIsNone(result[part][name])

    def test_order_says_which_method_failed(self):
        outcome = self.call("order", *self.RRP[:6], "--method", "rrp", "--step", "0.25,0.125,0.0625,0.03125")
        self.assertIn(outcome.status, (1, 3), str(outcome))
        self.assertRegex(outcome.err, r"\A[^\n]*rrp[^\n]*\n\Z")


if __name__ == "__main__":
    unittest.main()
