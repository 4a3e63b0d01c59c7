#!/usr/bin/env python3
"""test_members.py - what is kept of members together and one by one: mean and covariance of the state, the table of members.

SPINDRIFT=PROGRAM test_members.py"""
import json
import math
import os
import unittest

from case import Case, place

ORBIT = ["--problem", "orbit-elliptic", "--method", "verlet,rk45", "--steps", "100", "--step", "30", "--every", "50", "--members", "40"]
# column of the table, place in the JSON of the member's run alone
COLUMNS = {"energy_initial": "energy.initial_mean", "energy_max_abs_error": "energy.max_abs_error", "energy_rms_error": "energy.rms_error",
           "oscillation_rms": "energy.oscillation.rms", "drift_slope": "energy.drift.slope", "slope": "energy.slope.mean",
           "slope_first_half": "energy.slope.first_half", "slope_second_half": "energy.slope.second_half",
           "momentum_max_error": "invariants.momentum_max_error", "newton_mean": "newton.mean", "newton_max": "newton.max"}


class Members(Case):
    def document(self, *argv, verb="run", status=0):
        return json.loads(self.run_program(verb, "--quiet", "--json", *argv, status=status).stdout)


class Moments(Members):
    def numbers(self, result, *names):
        """[sample][member] rows of numbers."""
        return list(zip(*([sum((t[name][k] for name in names), []) for k in range(len(t["time"]))] for t in result["trajectories"])))

    def test_against_all_states(self):
        """Of as many members as there are trajectories, summed without rounding."""
        for result in self.document(*ORBIT, "--moments", "--series", "--trajectories", "40")["results"]:
            series, rows = result["series"], self.numbers(result, "q", "p")
            self.assertEqual((len(series["state_mean"]), len(series["state_covariance"])), (3, 3))
            for k, states in enumerate(rows):
                n, columns = len(states), list(zip(*states))
                mean = [math.fsum(c) / n for c in columns]
                for i in range(6):
                    self.assertAlmostEqual(series["state_mean"][k][i], mean[i], delta=1e-15 * max(map(abs, columns[i])))
                    for j in range(6):
                        found = series["state_covariance"][k][i][j]
                        wanted = math.fsum((x - mean[i]) * (y - mean[j]) for x, y in zip(columns[i], columns[j])) / (n - 1)
                        scale = math.sqrt(series["state_covariance"][k][i][i] * series["state_covariance"][k][j][j])
                        self.assertAlmostEqual(found, wanted, delta=1e-13 * scale)
            moments = result["moments"]
            self.assertEqual(moments["mean_of"][0], "position.1")
            self.assertEqual((moments["time"], moments["members"]), (3000, 40))
            self.assertEqual((moments["state_mean"], moments["state_covariance"]), (series["state_mean"][-1], series["state_covariance"][-1]))

    def test_at_times(self):
        """Of rigid bodies: a part of the first step is a step of that length, in every method; the path stays as it is."""
        plan = ["--problem", "stress", "--method", "all,vlv@4", "--param", "J=2,2,2", "--members", "20"]
        whole = self.document(*plan, "--step", "0.07", "--steps", "1", "--moments")["results"]
        plain = self.document(*plan, "--step", "0.1", "--steps", "30", "--table")["results"]
        looked = self.document(*plan, "--step", "0.1", "--steps", "30", "--table", "--at", "0.07,2.95")["results"]
        for a, b, c in zip(whole, plain, looked):
            at = c["moments"]["at"]
            self.assertEqual([m["time"] for m in at], [0.07, 2.95])
            self.assertEqual(at[0]["state_mean"], a["moments"]["state_mean"], a["method"])
            self.assertEqual(at[0]["state_covariance"], a["moments"]["state_covariance"], a["method"])
            self.assertEqual(b["table"], c["table"])

    def test_attitudes(self):
        """The mean is a rotation, of which the deviations grow from what the starts have."""
        result = self.document("--problem", "free", "--method", "vlv", "--steps", "40", "--members", "2000", "--sigma-attitude", "0.02",
                               "--sigma-velocity", "0.01", "--moments", "--series")["results"][0]
        for state in result["series"]["state_mean"]:
            self.assertAlmostEqual(sum(x * x for x in state[:4]), 1, delta=1e-15)
            self.assertGreaterEqual(state[0], 0)
        first = [math.sqrt(result["series"]["state_covariance"][0][i][i]) for i in range(6)]
        for found, wanted in zip(first, [0.02] * 3 + [0.01] * 3):
            self.assertAlmostEqual(found, wanted, delta=0.1 * wanted)
        self.assertEqual(len(result["moments"]["covariance_of"]), 6)

    def test_lost_members_are_left_out(self):
        plan = ["--method", "mcg", "--steps", "200", "--members", "60", "--sigma-velocity", "25", "--moments", "--series", "--trajectories", "60"]
        result = self.document(*plan, status=3)["results"][0]
        self.assertTrue(0 < result["failed"] < 60)
        self.assertEqual(result["moments"]["members"], 60 - result["failed"])
        lost = {t["body"] for t in result["trajectories"]} - {f["body"] for f in self.document(
            *plan[:-2], "--final", "60", status=3)["results"][0]["final"] if f["status"] == "ok"}
        velocities = [t["W"][-1] for t in result["trajectories"] if t["body"] not in lost]
        for i in range(3):
            mean = math.fsum(w[i] for w in velocities) / len(velocities)
            self.assertAlmostEqual(result["moments"]["state_mean"][4 + i], mean, delta=1e-13)

    def test_one_member(self):
        moments = self.document("--method", "vlv", "--steps", "20", "--members", "1", "--moments", "--final", "1")["results"][0]
        self.assertEqual(moments["moments"]["state_mean"][4:], moments["final"][0]["W"])
        self.assertEqual(moments["moments"]["state_covariance"], [[None] * 6] * 6)

    def test_the_same_everywhere(self):
        plan = [*ORBIT, "--members", "700", "--moments", "--every", "7"]
        wanted = self.digest("run", *plan, "--isa", "scalar", "--threads", "1", "--output", "r.h5", "--checkpoint", "c")
        self.assertEqual(self.digest("run", *plan, "--threads", "3"), wanted)
        self.assertIn("same digest", self.run_program("rerun", "r.h5").stderr)
        self.assertEqual(self.digest("resume", "c"), wanted)
        self.assertIn("good", self.run_program("info", "r.h5").stdout)
        self.assertNotEqual(self.digest("run", *plan[:-3], *plan[-2:]), wanted)  # they are in it

    def test_in_a_study(self):
        (self.here / "s.toml").write_text("method = 'vlv'\nsteps = 20\nmembers = 5\nmoments = true\ntable = true\n")
        result = self.document("s.toml")["results"][0]
        self.assertEqual((result["moments"]["members"], len(result["table"]["status"])), (5, 5))

    def test_refused(self):
        self.refused("run", "--moments", "--method", "eln", "--sweep", "alpha=0.1:0.3:2", "--steps", "20", status=2, has=["moments", "sweep"])
        self.refused("run", "--moments", "--problem", "rod", "--steps", "20", status=2, has=["moments", "rod", "no mean"])


class Table(Members):
    def check(self, plan, members, status=0):
        """Every member's row beside its run alone."""
        for result in self.document(*plan, "--table", "--output", "t.h5", "--final", str(members), status=status)["results"]:
            table = result["table"]
            self.assertEqual(table["member"], list(range(members)))
            for k in range(0, members, 7):
                self.assertEqual(table["status"][k], result["final"][k]["status"])
                if table["status"][k] != "ok":
                    self.assertEqual([table[name][k] for name in ("slope", "energy_error", "newton_mean")], [None] * 3)
                    continue
                self.assertEqual(table["energy_error"][k], result["final"][k]["energy_error"])
                self.assertEqual(max(-table["energy_lowest"][k], table["energy_highest"][k]), table["energy_max_abs_error"][k])
                done = self.document("t.h5", "--member", str(k), verb="rerun")
                alone = next(r for r in done["results"] if r["method"] == result["method"])
                for column, path in COLUMNS.items():
                    self.assertEqual(table[column][k], place(alone, path), (column, k))
            for column, row in table["farthest"].items():
                self.assertEqual(table[column][row["member"]], row["value"])
                self.assertEqual(abs(row["value"]), max(abs(x) for x in table[column] if x is not None))

    def test_every_row_is_a_member(self):
        self.check(["--method", "vlv,rk4", "--steps", "150", "--members", "30"], 30)
        self.check([*ORBIT, "--every", "5"], 40)

    def test_members_that_were_lost(self):
        self.check(["--method", "mcg", "--steps", "200", "--members", "60", "--sigma-velocity", "25"], 60, status=3)

    def test_of_a_sweep(self):
        self.check(["--method", "eln", "--steps", "130", "--members", "3", "--sweep", "alpha=0.1:0.4:3", "--sweep", "step=0.1:0.2:2"], 18)

    def test_the_digest_does_not_know_it(self):
        plan = ["--method", "eln", "--steps", "50", "--members", "20"]
        self.assertEqual(self.digest("run", *plan, "--table"), self.digest("run", *plan))

    def test_files(self):
        plan = ["--method", "eln,vlv", "--steps", "50", "--members", "20", "--table"]
        wanted = self.document(*plan, "--checkpoint", "c")["results"]
        for result, again in zip(wanted, self.document("c", verb="resume")["results"]):
            self.assertEqual(result["table"], again["table"])
        self.run_program("run", *plan, "--output", "r.h5")
        self.assertIn("steepest: member", self.run_program("rerun", "r.h5").stdout)
        self.run_program("verify", "r.h5")


@unittest.skipUnless("STANDIN" in os.environ, "no device is played")
class Devices(Members):
    def test_the_same_table(self):
        """All of it on the device, and batch by batch; with members that are lost, and of a sweep."""
        lost = ["--method", "mcg", "--steps", "200", "--members", "300", "--sigma-velocity", "25"]
        swept = ["--method", "eln,rk45", "--steps", "60", "--members", "100", "--sweep", "alpha=0.1:0.4:3"]
        for plan, status in ((lost, 3), (swept, 0), ([*ORBIT, "--members", "300"], 0)):
            wanted = self.document(*plan, "--table", "--backend", "cpu", status=status)["results"]
            for memory in ([], ["--device-memory", "0.1"]):
                found = self.document(*plan, "--table", "--backend", "cuda", *memory, status=status)["results"]
                self.assertEqual([r["table"] for r in found], [r["table"] for r in wanted])


if __name__ == "__main__":
    unittest.main()
