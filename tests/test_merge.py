#!/usr/bin/env python3
"""merge: results of jobs that each had a part of an ensemble, or of a sweep, are together the result of one job, to the bit."""
import json
import os
import shutil
import signal
import subprocess
import time
import unittest

from case import Case
from command_line import science

PROGRAM = os.path.abspath(os.environ["SPINDRIFT"])
SAME = os.environ["SAME_RESULTS"]
CASES = {  # what differs between families and kinds of runs, small
    "rigid": ("--problem", "stress", "--method", "vlv,eln", "--steps", "300", "--every", "7", "--final", "258"),
    "failing": ("--method", "rk2", "--step", "0.25", "--steps", "2000", "--every", "100"),
    "orbit": ("--problem", "orbit-elliptic", "--steps", "200", "--method", "verlet"),
    "systems": ("--problem", "rod", "--param", "n=4", "--method", "vlv", "--steps", "20", "--final", "2"),
    "spread": ("--problem", "stress", "--method", "vlv", "--steps", "9", "--spread", "alpha=0.01", "--trajectories", "257", "--table"),
    "moments": ("--problem", "stress", "--method", "vlv,rk4", "--steps", "60", "--every", "13", "--moments", "--table"),
    "events": ("--problem", "orbit-elliptic", "--method", "verlet", "--step", "50", "--steps", "200", "--every", "20", "--moments",
               "--at-event", "apoapsis:rtn=0.1,-0.2,0.1,times=2,size=0.3,angle=0.2", "--at-event", "height=1664:end,after=3000",
               "--at-event", "nearest=1000,1000,0", "--sigma-position", "20", "--sigma-momentum", "0.1"),
    "covariance": ("--problem", "orbit-elliptic", "--method", "verlet", "--steps", "60", "--every", "13", "--moments", "--final", "3", "--spreading",
                   "rtn,400,0,0,0,-0.3,0,0,300,0,0.1,0,0,0,0,200,0,0,0,0,0.1,0,1e-3,0,0,-0.3,0,0,0,1e-3,0,0,0,0,0,0,1e-3"),
}
SWEEPS = {
    "one member each": ("--method", "vlv,eln", "--sweep", "alpha=0.1:0.4:7", "--sweep", "J.2=2:3:3", "--steps", "60", "--every", "4"),
    "several": ("--method", "vlv", "--sweep", "step=0.05:0.25:21:log", "--members", "3", "--steps", "50", "--table", "--final", "8"),
    "events": ("--problem", "orbit-elliptic", "--method", "verlet", "--sweep", "q0.1=6800:9000:21", "--members", "2", "--step", "50",
               "--steps", "200", "--at-event", "apoapsis:mark,times=2", "--first-member", "7"),
    "systems": ("--problem", "torus", "--method", "rrp", "--param", "n=8", "--sweep", "Km=1:10:21", "--members", "2", "--steps", "20"),
}


class Merge(Case):
    def document(self, *argv, status=0):
        return json.loads(self.run_program(*argv, "--quiet", "--json", status=status).stdout)

    def part(self, name, plan, first, members, status=0, more=("--mergeable",)):
        self.run_program("run", *plan, "--first-member", str(first), "--members", str(members), "--quiet", "--output", name, *more,
                         status=status)
        return name

    def parts(self, plan, sizes, status=0):
        borders = [sum(sizes[:i]) for i in range(len(sizes))]
        return [self.part(f"part-{b}.h5", plan, b, n, status) for b, n in zip(borders, sizes)]

    def points(self, plan, sizes):
        borders = [sum(sizes[:i]) for i in range(len(sizes))]
        for first, count in zip(borders, sizes):
            self.run_program("run", *plan, "--first-point", str(first), "--points", str(count), "--mergeable", "--quiet", "--output",
                             f"points-{first}.h5")
        return [f"points-{first}.h5" for first in borders]

    def assert_same_files(self, one, other):
        done = subprocess.run([SAME, self.here / one, self.here / other], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def interrupt(self, *command):
        for _ in range(3):
            job = subprocess.Popen([PROGRAM, *command, "--checkpoint", "c", "--checkpoint-every", "0", "--quiet"], cwd=self.here,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(0.4)
            job.send_signal(signal.SIGTERM)
            job.wait()

    def test_is_the_one_run(self):
        """Statistics, series, states, verdicts, digest; in whatever order the files come; and so is the file of it."""
        for name, plan in CASES.items():
            with self.subTest(name):
                status = 3 if name == "failing" else 0
                plan = (*plan, "--seed", "5")
                parts = self.parts(plan, (256, 512, 44), status)
                one = self.document("run", *plan, "--members", "812", "--output", "one.h5", status=status)
                merged = self.document("merge", parts[2], parts[0], parts[1], "--output", "all.h5", status=status)
                self.assertTrue(science(one) == science(merged)) # too long to be shown
                self.run_program("rerun", "all.h5", "--quiet", status=status)
                self.assert_same_files("one.h5", "all.h5")

    def test_sweeps(self):
        """The same of jobs that each had some points of a sweep; any number of them."""
        for name, plan in SWEEPS.items():
            with self.subTest(name):
                one = self.document("run", *plan, "--output", "one.h5")
                parts = self.points(plan, (4, 1, 9, 7))
                merged = self.document("merge", *(parts[i] for i in (2, 0, 3, 1)), "--output", "all.h5")
                self.assertTrue(science(one) == science(merged))
                self.assert_same_files("one.h5", "all.h5")
                self.run_program("rerun", parts[2], "--quiet")
                self.assertNotEqual(0, subprocess.run([SAME, self.here / "one.h5", self.here / parts[0]], stdout=subprocess.DEVNULL).returncode)

    def test_points_of_a_sweep(self):
        """A job's points and members are those of the whole sweep, by the numbers that they have there."""
        plan = SWEEPS["several"]
        whole = self.document("run", *plan)["results"][0]
        part = self.document("run", *plan, "--first-point", "5", "--points", "4", "--output", "part.h5")["results"][0]
        self.assertEqual(part["points"]["drift_slope"], whole["points"]["drift_slope"][5:9])
        self.assertEqual((part["sweep"]["first_point"], part["sweep"]["points"], part["sweep"]["shape"]), (5, 4, [21]))
        for number in (0, 11):
            self.assertEqual({key: column[number] for key, column in part["table"].items() if isinstance(column, list)},
                             {key: column[15 + number] for key, column in whole["table"].items() if isinstance(column, list)})
        self.assertEqual([final["body"] for final in part["final"]], list(range(15, 23)))
        one = self.document("rerun", "part.h5", "--member", "16")
        self.assertEqual(one["results"][0]["final"][0]["Q"], part["final"][1]["Q"])
        self.run_program("report", "part.h5", "--output", "part.html")
        if shutil.which("gnuplot"):
            self.run_program("run", *plan, "--first-point", "5", "--points", "1", "--quiet", "--map", "one.svg")

    def test_sweep_that_was_interrupted(self):
        """What merging needs of points is in the checkpoint, too."""
        plan = ("--method", "vlv,rk4", "--sweep", "alpha=0.1:0.4:40", "--members", "8", "--steps", "40000", "--every", "400")
        self.interrupt("run", *plan, "--points", "13", "--mergeable")
        self.run_program("resume", "c", "--output", "a.h5", "--quiet")
        self.run_program("run", *plan, "--first-point", "13", "--mergeable", "--output", "b.h5", "--quiet")
        self.assertEqual(self.digest("merge", "b.h5", "a.h5"), self.digest("run", *plan))

    def test_tables_of_starts(self):
        """Rows of each job's members, or of the members of every point."""
        rows = [f"{0.2 + 0.001 * i},{2 + 0.01 * (i % 7)}" for i in range(300)]
        def table(name, first, last):
            (self.here / name).write_text("\n".join(["alpha,J.1", *rows[first:last]]) + "\n")
        table("all.csv", 0, 300), table("a.csv", 0, 256), table("b.csv", 256, 300), table("few.csv", 0, 4), table("other.csv", 1, 5)
        plan = ("--method", "vlv", "--steps", "40", "--quiet")
        for name, first in (("a", 0), ("b", 256)):
            self.run_program("run", *plan, "--starts", f"{name}.csv", "--first-member", str(first), "--mergeable", "--output", f"{name}.h5")
        self.assertEqual(self.digest("merge", "a.h5", "b.h5"), self.digest("run", *plan, "--starts", "all.csv"))
        sweep = (*plan, "--sweep", "attractor.1=1:2:5")
        self.run_program("run", *sweep, "--starts", "few.csv", "--points", "2", "--mergeable", "--output", "c.h5")
        for name, starts in (("d", "few"), ("e", "other")):
            self.run_program("run", *sweep, "--starts", f"{starts}.csv", "--first-point", "2", "--mergeable", "--output", f"{name}.h5")
        self.assertEqual(self.digest("merge", "d.h5", "c.h5"), self.digest("run", *sweep, "--starts", "few.csv"))
        self.refused("merge", "c.h5", "e.h5", status=2, has=["e.h5 has other starts than c.h5"])

    def test_of_other_machines(self):
        """Each job has the variant and the threads that it has."""
        plan = CASES["rigid"]
        self.part("a.h5", plan, 0, 256, more=("--mergeable", "--isa", "scalar", "--threads", "1"))
        self.part("b.h5", plan, 256, 100, more=("--mergeable", "--threads", "3"))
        self.assertEqual(self.digest("merge", "a.h5", "b.h5"), self.digest("run", *plan, "--members", "356"))

    def test_a_part_that_was_interrupted(self):
        """What is kept for merging is in the checkpoint, too."""
        plan = ("--method", "vlv,rk4", "--steps", "60000", "--every", "600")
        self.interrupt("run", *plan, "--members", "256", "--mergeable")
        self.run_program("resume", "c", "--output", "a.h5", "--quiet")
        self.part("b.h5", plan, 256, 8)
        self.assertEqual(self.digest("merge", "a.h5", "b.h5"), self.digest("run", *plan, "--members", "264"))

    def test_refusals(self):
        plan = CASES["rigid"]
        a, b, c = self.parts(plan, (256, 256, 10))
        self.refused("merge", status=2, has=["names are missing"])
        self.refused("merge", a, c, status=2, has=["members 256 to 511 are in no file", a, c])
        self.refused("merge", a, b, b, c, status=2, has=["member 256 is in two files"])
        self.refused("merge", a, self.part("odd.h5", plan, 256, 100), self.part("rest.h5", plan, 356, 8), status=2,
                     has=["odd.h5 ends after 356 members", "multiple of 256"])
        self.refused("merge", a, self.part("plain.h5", plan, 256, 10, more=()), status=2, has=["plain.h5", "--mergeable"])
        other = self.part("other.h5", plan, 256, 10, more=("--mergeable", "--seed", "9"))
        self.refused("merge", a, other, status=2, has=["other.h5 is of another plan", "'seed 9'", "'seed 1'"])
        self.refused("merge", a, "missing.h5", status=1, has=["missing.h5"])
        self.refused("run", *plan, "--mergeable", "--at", "1", status=2, has=["mergeable", "--at"])
        shutil.copy(self.here / b, self.here / "damaged.h5")
        with open(self.here / "damaged.h5", "r+b") as file:
            file.seek(5000)
            file.write(b"x")
        self.refused("merge", a, "damaged.h5", status=2, has=["damaged.h5"])

    def test_refusals_of_sweeps(self):
        plan = SWEEPS["one member each"]
        a, b, c = self.points(plan, (4, 9, 8))
        self.refused("merge", a, c, status=2, has=["points 4 to 12 are in no file", a, c])
        self.refused("merge", a, b, status=2, has=["points 13 to 20 are in no file", b])
        self.refused("merge", c, b, status=2, has=["points 0 to 3 are in no file", b])
        self.refused("merge", a, b, b, c, status=2, has=["point 4 is in two files", b])
        other = ("run", *plan, "--first-point", "13", "--quiet", "--output", "other.h5")
        self.run_program(*other)
        self.refused("merge", a, b, "other.h5", status=2, has=["other.h5", "--mergeable"])
        self.run_program(*other, "--members", "2", "--mergeable")
        self.refused("merge", a, b, "other.h5", status=2, has=["other.h5 is of another plan", "'members 2'", "'members 1'"])
        self.refused("run", *plan, "--first-point", "21", status=2, has=["first-point: 21", "0 to 20"])
        self.refused("run", *plan, "--first-point", "20", "--points", "2", status=2, has=["points: 2 from point 20 on"])
        self.refused("run", "--points", "2", status=2, has=["points: there is no sweep"])
        self.refused("run", "--first-point", "2", status=2, has=["first-point: there is no sweep"])

    def test_an_unfinished_part(self):
        self.part("a.h5", ("--method", "vlv", "--steps", "1e9", "--max-time", "1s"), 0, 256, status=130)
        self.refused("merge", "a.h5", status=2, has=["a.h5 is not complete"])


if __name__ == "__main__":
    unittest.main()
