#!/usr/bin/env python3
"""merge: results of jobs that each had a part of an ensemble are together the result of one job, to the bit."""
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
CASES = {  # what differs between families and kinds of runs, small
    "rigid": ("--problem", "stress", "--method", "vlv,eln", "--steps", "300", "--every", "7", "--final", "258"),
    "failing": ("--method", "rk2", "--step", "0.25", "--steps", "2000", "--every", "100"),
    "orbit": ("--problem", "orbit-elliptic", "--steps", "200", "--method", "verlet"),
    "systems": ("--problem", "rod", "--param", "n=4", "--method", "vlv", "--steps", "20", "--final", "2"),
    "spread": ("--problem", "stress", "--method", "vlv", "--steps", "9", "--spread", "alpha=0.01", "--trajectories", "257"),
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
                self.assertEqual(os.path.getsize(self.here / "all.h5"), os.path.getsize(self.here / "one.h5"))

    def test_of_other_machines(self):
        """Each job has the variant and the threads that it has."""
        plan = CASES["rigid"]
        self.part("a.h5", plan, 0, 256, more=("--mergeable", "--isa", "scalar", "--threads", "1"))
        self.part("b.h5", plan, 256, 100, more=("--mergeable", "--threads", "3"))
        self.assertEqual(self.digest("merge", "a.h5", "b.h5"), self.digest("run", *plan, "--members", "356"))

    def test_a_part_that_was_interrupted(self):
        """What is kept for merging is in the checkpoint, too."""
        plan = ("--method", "vlv,rk4", "--steps", "60000", "--every", "600")
        command = [PROGRAM, "run", *plan, "--members", "256", "--mergeable", "--checkpoint", "c", "--checkpoint-every", "0", "--quiet"]
        for _ in range(3):
            job = subprocess.Popen(command, cwd=self.here, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(0.4)
            job.send_signal(signal.SIGTERM)
            job.wait()
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
        shutil.copy(self.here / b, self.here / "damaged.h5")
        with open(self.here / "damaged.h5", "r+b") as file:
            file.seek(5000)
            file.write(b"x")
        self.refused("merge", a, "damaged.h5", status=2, has=["damaged.h5"])
        self.refused("run", "--sweep", "alpha=0:1:3", "--mergeable", status=2, has=["mergeable"])

    def test_an_unfinished_part(self):
        self.part("a.h5", ("--method", "vlv", "--steps", "1e9", "--max-time", "1s"), 0, 256, status=130)
        self.refused("merge", "a.h5", status=2, has=["a.h5 is not complete"])


if __name__ == "__main__":
    unittest.main()
