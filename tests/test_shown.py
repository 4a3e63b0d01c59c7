#!/usr/bin/env python3
"""What is shown of a run beside its table and its JSON: comma-separated values, what it would do, whether anything drifts."""
import csv
import io
import json
import re
import unittest

from case import Case

DRIFT = ("--method", "vlv,eln", "--members", "64", "--time", "1000", "--quiet")


class Csv(Case):
    def rows(self, *argv, **more):
        return list(csv.DictReader(io.StringIO(self.run_program("run", *argv, "--csv", "--quiet", **more).stdout)))

    def test_the_numbers_are_those_of_the_document(self):
        (self.here / "s.toml").write_text('problem = ["stress", "orbit-circular"]\nsteps = 200\nbodies = 3\nseed = [1, 2]\n'
                                          '[param.stress]\nalpha = 0.25\n')
        rows = self.rows("s.toml")
        document = json.loads(self.run_program("run", "s.toml", "--json", "--quiet").stdout)
        self.assertEqual(len(rows), len(document["results"]))
        for row, result in zip(rows, document["results"]):
            plan = document["plans"][result["run"]]
            self.assertEqual((int(row["run"]), row["problem"], row["method"], row["verdict"], row["because"]),
                             (result["run"], result["problem"], result["method"], result["verdict"], result["because"]))
            self.assertEqual((float(row["step"]), float(row["time"]), int(row["members"]), int(row["seed"]), int(row["failed"])),
                             (result["step"], result["time"], result["members"], plan["seed"], result["failed"]))
            self.assertEqual(float(row["slope_mean"]), result["energy"]["slope"]["mean"])
            self.assertEqual(float(row["energy_max_abs_error"]), result["energy"]["max_abs_error"])
            own = "orthogonality_max" if result["problem"] == "stress" else "position_error_max"
            self.assertEqual(float(row[own]), result["invariants"][own])
            other = "position_error_max" if result["problem"] == "stress" else "orthogonality_max"
            self.assertEqual(row[other], "")
            for name, value in plan["param"].items():
                values = value if isinstance(value, list) else [value]
                self.assertEqual([float(v) for v in row["param." + name].split()], values)
        self.assertEqual(rows[0]["param.alpha"], "0.25")
        self.assertEqual(rows[-1]["param.alpha"], "")

    def test_not_both(self):
        self.refused("run", "--csv", "--json", status=2, has=["--json or --csv"])


class Drift(Case):
    def test_exit_status(self):
        self.assertIn("drifts -", self.run_program("run", *DRIFT).stdout)
        done = self.run_program("run", *DRIFT, "--fail-on-drift", status=4)
        self.assertEqual(done.stdout.count("digest"), 1)
        self.run_program("run", *DRIFT, "--method", "vlv", "--fail-on-drift")
        self.run_program("run", *DRIFT, "--method", "eln,rk2", "--step", "0.25", "--fail-on-drift", status=4)  # rather than 3
        self.run_program("run", *DRIFT, "--method", "vlv,rk2", "--step", "0.25", "--fail-on-drift", status=3)

    def test_the_methods_are_named(self):
        loud = [word for word in DRIFT if word != "--quiet"]
        self.assertIn("the energy drifts under eln\n", self.run_program("run", *loud, "--fail-on-drift", "--json", status=4).stderr)
        self.assertEqual(self.run_program("run", *DRIFT, "--fail-on-drift", status=4).stderr, "")

    def test_of_a_file(self):
        self.run_program("run", *DRIFT, "--output", "o.h5")
        self.run_program("rerun", "o.h5", "--fail-on-drift", status=4)


class DryRun(Case):
    def test_nothing_is_done_and_all_is_told(self):
        done = self.run_program("run", "--method", "vlv,eln", "--members", "1e6", "--seed", "18446744073709551615", "--output", "o.h5",
                                "--checkpoint", "c", "--dry-run")
        self.assertEqual(self.files(), [])
        for line in ("problem +stress", "method +vlv,eln", "members +1000000", "steps +80000", "time +10000", "seed +18446744073709551615",
                     "param +alpha=0.3", "param +attitude=0,0.7227,0", "output +o.h5", "checkpoint +c"):
            self.assertRegex(done.stdout, "(?m)^  %s$" % line)
        self.assertRegex(done.stdout, r"(?m)^memory: about \d+\.\d MiB$")
        self.assertRegex(done.stdout, r"(?m)^time: \d.*, by a short measurement$")

    def test_the_estimate(self):
        plan = ("--method", "vlv", "--members", "2000", "--steps", "40000", "--threads", "1", "--quiet")
        told, = json.loads(self.run_program("run", *plan, "--dry-run", "--json").stdout)
        taken = json.loads(self.run_program("run", *plan, "--json").stdout)["results"][0]["seconds"]
        self.assertGreater(told["estimated_seconds"], taken / 5)  # other processes may be at work as well
        self.assertLess(told["estimated_seconds"], taken * 5)
        self.assertGreater(told["memory_bytes"], 2000 * 100)
        self.assertLess(told["memory_bytes"], 2000 * 400 + 2 ** 25)

    def test_a_study(self):
        (self.here / "s.toml").write_text('method = "vlv"\nsteps = 100\nbodies = 2\nseed = [1, 2, 3]\n')
        out = self.run_program("run", "s.toml", "--dry-run").stdout
        self.assertEqual(re.findall(r"(?m)^run (\d) of 3$", out), ["1", "2", "3"])
        self.assertIn("all 3 runs: ", out)

    def test_what_a_run_would_refuse(self):
        (self.here / "o.h5").write_text("mine")
        self.refused("run", "--dry-run", "--output", "o.h5", status=2, has=["o.h5"])
        self.refused("run", "--dry-run", "--time", "1", "--step", "0.3", status=2, has=["0.3"])


if __name__ == "__main__":
    unittest.main()
