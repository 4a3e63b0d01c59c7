#!/usr/bin/env python3
"""test_memory.py - memory that is not to be had: allocation after allocation of the program fails, and each time it ends as
a program should, with one line, status 1, no half file, and the old files as they were; or does all the same what it was told.

SPINDRIFT=PROGRAM FAIL_MALLOC=LIBRARY test_memory.py; with SPINDRIFT_EVERY_ALLOCATION set every single one, also inside HDF5,
which takes long."""
import os
import re
import resource
import shutil
import signal
import subprocess
import unittest

from case import PROGRAM, Case

PRELOADED = os.environ["FAIL_MALLOC"]
EVERY = "SPINDRIFT_EVERY_ALLOCATION" in os.environ
PLAN = ["--method", "vlv,eln", "--bodies", "6", "--steps", "40", "--every", "10", "--threads", "1", "--isa", "scalar", "--quiet"]
STUDY = 'bodies = 3\nsteps = 20\nevery = 10\nmethod = ["vlv", "eln"]\nstep = [0.125, 0.25]\nparam = {alpha = 0.3}\n'


class Memory(Case):
    def setUp(self):
        super().setUp()
        self.before = {}

    def prepare(self, *commands):
        """The files that the runs under test find: those that these commands leave."""
        for command in commands:
            self.run_program(*command)
        self.before = {p.name: p.read_bytes() for p in self.here.iterdir()}

    def lay_out(self):
        for path in self.here.iterdir():
            if path.name not in self.before:
                path.unlink()
        for name, content in self.before.items():
            path = self.here / name
            if not path.exists() or path.read_bytes() != content:
                path.write_bytes(content)

    def start(self, argv, who, at=0, on=False):
        """Returns how it ended, how many allocations there were, and whose failed."""
        self.lay_out()
        count = self.here.with_suffix(".count")
        count.unlink(missing_ok=True)
        environment = dict(os.environ, LD_PRELOAD=PRELOADED, FAIL_WHO=who, FAIL_COUNT=str(count), MALLOC_PERTURB_="165")
        if at:
            environment["FAIL_AT"] = str(at)
        if on:
            environment["FAIL_ON"] = "1"
        done = subprocess.run([PROGRAM, *argv], cwd=self.here, env=environment, capture_output=True, text=True, timeout=120)
        told = count.read_text().split() if count.exists() else [] # a crash may come before it, or in the middle of it
        calls, where = told if len(told) == 2 else ("0", "it did not end by itself")
        count.unlink(missing_ok=True)
        return done, int(calls), where

    def check(self, done, wanted, where):
        lines = done.stderr.splitlines()
        report = f"{where}: status {done.returncode}\n{done.stderr}"
        self.assertIn(done.returncode, (0, 1), report)
        self.assertFalse([name for name in self.files() if name.endswith(".partial")], report)
        lost = [line for line in lines if "checkpoint" in line and "not up to date" in line]  # of a checkpoint: the run goes on
        lines = [line for line in lines if line not in lost and "the run goes on" not in line]
        if done.returncode and (lines or not lost):
            self.assertEqual(len(lines), 1, report)
            self.assertRegex(lines[0], "^spindrift: .*(memory|HDF5)", report)
            self.assertEqual((self.here / "o.h5").read_bytes(), self.before["o.h5"], report)
        else:
            self.assertEqual(bool(done.returncode), bool(lost), report)
            self.assertEqual(science(done.stdout), science(wanted.stdout), report)
        for name in self.files():
            if name not in self.before or (self.here / name).read_bytes() != self.before[name]:
                self.run_program("verify", name)

    def sweep(self, argv, who="ours", stride=1, on=False):
        """`stride`: from one that fails to the next."""
        wanted, calls, _ = self.start(argv, who)
        self.assertEqual(wanted.returncode, 0, wanted.stderr)
        self.check(wanted, wanted, "nothing failed")
        failures = 0
        for at in range(1, calls + 1, stride):
            with self.subTest(argv=" ".join(argv), at=at, on=on):
                done, _, where = self.start(argv, who, at, on)
                self.check(done, wanted, where)
                failures += done.returncode != 0
        self.assertGreater(failures, calls // stride // 5)


def science(text):
    """What must not change from run to run: the table without its times, or all of another text but for when a file was saved."""
    return re.findall("[0-9a-f]{32}", text) or re.sub(r"(?m)^saved \d.* UTC$", "saved", text)


class Ours(Memory):
    """Every third allocation of the program itself fails once, or every one, and one in thirty with all that follow."""

    def both(self, *argv):
        self.sweep(argv, stride=1 if EVERY else 3)
        self.sweep(argv, stride=1 if EVERY else 30, on=True)

    def test_run(self):
        self.prepare(["run", *PLAN, "--seed", "2", "--output", "o.h5"])
        self.both("run", *PLAN, "--final", "2", "--trajectories", "1", "--output", "o.h5", "--checkpoint", "c")

    def test_study(self):
        (self.here / "s.toml").write_text(STUDY)
        self.prepare(["run", "s.toml", "--seed", "2", "--output", "o.h5"])
        self.both("run", "s.toml", "--threads", "1", "--quiet", "--json", "--output", "o.h5", "--checkpoint", "c")

    def test_resume(self):
        self.prepare(["run", *PLAN, "--output", "o.h5", "--checkpoint", "c"])
        shutil.copy(self.here / "c.previous", self.here / "c") # the second method is still to be done
        self.prepare()
        self.both("resume", "c", "--quiet", "--threads", "1", "--output", "o.h5")

    def test_readers(self):
        self.prepare(["run", *PLAN, "--output", "o.h5", "--checkpoint", "c"])
        self.both("rerun", "o.h5", "--quiet", "--threads", "1")
        for verb in ("info", "verify"):
            for name in ("o.h5", "c"):
                self.both(verb, name)


class Theirs(Memory):
    """Allocations inside HDF5, which only writing a result asks for.  HDF5 1.10 crashes after some that fail, or ends the
    program: then there is still no new result, and the next run is as if nothing had been."""

    def check(self, done, wanted, where):
        if done.returncode in (0, 1):
            done.stderr = "".join(line for line in done.stderr.splitlines(True) if line.startswith("spindrift: "))
            super().check(done, wanted, where) # HDF5 has more to say when it cannot begin or end well
        else:
            self.assertIn(done.returncode, (-signal.SIGSEGV, -signal.SIGABRT, 255), where)
            self.assertEqual((self.here / "o.h5").read_bytes(), self.before["o.h5"], where)

    def test_run(self):
        self.prepare(["run", *PLAN, "--seed", "2", "--output", "o.h5"])
        self.sweep(["run", *PLAN, "--output", "o.h5"], who="theirs", stride=1 if EVERY else 97)
        (self.here / "o.h5.partial").write_bytes(b"of a program that crashed")
        (self.here / "o.h5.partial").chmod(0o1600)
        self.run_program("run", *PLAN, "--output", "o.h5")
        self.assertEqual(self.files(), ["o.h5", "o.h5.previous"])


class Limits(Memory):
    """With a limit on its memory, as large as it may be, a run ends well or says that it does not."""
    STEP = 256 << 10

    def limited(self, argv, size):
        return subprocess.run([PROGRAM, *argv], cwd=self.here, capture_output=True, text=True, timeout=120,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size)))

    def least(self):
        """What loading the program takes."""
        for size in range(8 << 20, 1 << 30, 2 * self.STEP):
            done = self.limited(["--version"], size)
            if not done.returncode and not done.stderr:
                return size
        self.skipTest("the program cannot be run under a limit of its memory")

    def test_every_limit(self):
        argv = ["run", *PLAN, "--method", "all", "--steps", "400", "--every", "1", "--final", "6", "--output", "o.h5", "--checkpoint", "c"]
        self.prepare(["run", *PLAN, "--seed", "2", "--output", "o.h5"])
        wanted = self.run_program(*argv)
        size, ended = self.least() + 2 * self.STEP, []
        while 0 not in ended:
            self.lay_out()
            done = self.limited(argv, size)
            self.check(done, wanted, f"{size} bytes")
            ended.append(done.returncode)
            size += 8 * self.STEP
        self.assertGreater(len(ended), 10)


if __name__ == "__main__":
    unittest.main()
