#!/usr/bin/env python3
"""test_lost.py - bodies that are lost are called lost, whatever it is of them that is not finite; what is not known is '-'.

SPINDRIFT=PROGRAM test_lost.py"""
import json
import math
import unittest

from case import Case


class Lost(Case):
    def results(self, *argv, status):
        return json.loads(self.run_program("run", *argv, "--backend", "cpu", "--quiet", "--json", status=status).stdout)["results"]

    def check(self, result):
        """A lost body is flagged and keeps a finite state; one that is well has a finite energy."""
        for state in result["final"]:
            for name in ("Q", "W", "q", "p"):
                self.assertTrue(all(x is not None and math.isfinite(x) for x in state.get(name, [])), state)
            if state["status"] == "ok":
                self.assertTrue(math.isfinite(state["energy_error"]), state)
        self.assertEqual(result["failed"], sum(s["status"] != "ok" for s in result["final"]))

    def test_energy_beyond_all_bounds(self):
        result, = self.results("--method", "rk2", "--bodies", "2000", "--steps", "46", "--step", "0.7", "--every", "1",
                               "--final", "2000", status=3)
        self.check(result)
        self.assertTrue(700 < result["failed"] < 2000)
        self.assertTrue(math.isfinite(result["energy"]["slope"]["mean"]))

    def test_an_attitude_that_is_lost(self):
        for plan in (["--problem", "top-slow", "--method", "rk4", "--bodies", "32", "--steps", "3", "--step", "8"],
                     ["--problem", "free", "--method", "rk4", "--bodies", "32", "--param", "J=2,2,2", "--step", "10", "--steps", "200"],
                     ["--problem", "free", "--method", "rk2", "--bodies", "1", "--param", "velocity=1e2,2e2,3e2", "--steps", "40",
                      "--every", "1"]):
            with self.subTest(plan):
                result, = self.results(*plan, "--final", "32", status=3)
                self.check(result)
                self.assertEqual(result["failed"], result["bodies"])
                self.assertIsNone(result["energy"]["max_abs_error"])

    def test_whenever_one_looks(self):
        """The length of a quaternion that has grown beyond bounds may come back: it is lost in that step, sampled or not."""
        for inertia, step, steps, sigma in (("1,1.5,1.6", "3", "400", "1"), ("2,2,2", "1", "600", "2")):
            plan = ["--problem", "free", "--method", "rk4,rk2", "--param", f"J={inertia}", "--bodies", "600", "--step", step, "--steps", steps,
                    "--sigma-velocity", sigma, "--final", "600"]
            looked = [self.results(*plan, "--every", every, status=3) for every in ("1", "7", steps)]
            for results in zip(*looked):
                for result in results:
                    self.check(result)
                    self.assertGreater(result["failed"], 0)
                    self.assertTrue(all(state["Q"] == of_all["Q"] and state["status"] == of_all["status"]
                                        for state, of_all in zip(result["final"], results[0]["final"])), result["method"])

    def test_nobody_is_lost_by_being_looked_at(self):
        """proc6 comes back from its steps' coordinates by longer flights than theirs: that may fail, but loses nobody."""
        plan = ["--problem", "coulomb-wall", "--method", "proc6", "--step", "5", "--steps", "60", "--bodies", "256", "--final", "256"]
        ends = [self.results(*plan, "--every", every, "--isa", isa, status=0)[0]["final"] for every in ("1", "7", "60") for isa in ("auto", "scalar")]
        for end in ends[1:]:
            self.assertEqual(end, ends[0])

    def test_every_method_far_from_home(self):
        for problem, step in (("stress", "20"), ("pendulum", "1"), ("coulomb-wall", "2")):
            done = self.run_program("run", "--problem", problem, "--method", "all", "--bodies", "40", "--steps", "30", "--step", step,
                                    "--sigma-velocity", "1e6", "--final", "40", "--every", "7", "--backend", "cpu", "--quiet", "--json", status=3)
            for result in json.loads(done.stdout)["results"]:
                with self.subTest(result["method"], problem=problem):
                    self.check(result)

    def test_many_substeps_are_no_failure(self):
        one = ["--problem", "orbit-elliptic", "--method", "rk45", "--step", "400000", "--steps", "4", "--bodies", "1", "--final", "1"]
        result, = self.results(*one, status=0)
        self.assertEqual(result["final"][0]["status"], "ok")
        self.assertGreater(result["newton"]["max"], 4096)
        many = ["--problem", "stress", "--method", "rk45", "--bodies", "64", "--step", "63", "--steps", "20", "--every", "1", "--param",
                "rtol=1e-12", "--backend", "cpu", "--threads", "1"]
        self.assertEqual(len({self.digest("run", *many, "--isa", "scalar") for _ in range(3)}), 1)


class Samples(Case):
    def test_energy_is_taken_at_the_sample_s_own_time(self):
        """With an attractor that moves, the last sample and the final state are of one time, and so of one energy."""
        plan = ["--problem", "orbit-elliptic", "--method", "verlet,verlet@4,midpoint,rk4,rk45", "--bodies", "1", "--steps", "100", "--step",
                "60", "--every", "10", "--final", "1", "--series", "--param", "mu1=100", "--param", "at1=3000,0,0", "--param", "turn1=0,0,1e-3"]
        for result in json.loads(self.run_program("run", *plan, "--json", "--quiet").stdout)["results"]:
            self.assertEqual(result["series"]["mean"][-1], result["final"][0]["energy_error"], result["method"])


if __name__ == "__main__":
    unittest.main()
