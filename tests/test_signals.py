#!/usr/bin/env python3
"""test_signals.py - what the machine tells a run: signals to stop and to save, and how many processors it may use.

SPINDRIFT=PROGRAM test_signals.py"""
import json
import os
import shutil
import signal
import subprocess
import unittest

from case import PROGRAM, Case

SEVERAL_CHUNKS = ["--method", "vlv", "--bodies", "1024", "--steps", "20000", "--every", "200", "--isa", "scalar", "--threads", "3"]
ENDLESS = ["--method", "vlv", "--bodies", "64", "--steps", "1000000000", "--threads", "3"]


def dispositions(hangup):
    """In the child: as a terminal leaves them, whatever started this test."""
    def prepare():
        for which in (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1):
            signal.signal(which, signal.SIG_DFL)
        signal.signal(signal.SIGHUP, hangup)
    return prepare


class Signals(Case):
    def start(self, *argv, hangup=signal.SIG_DFL):
        """A run whose first progress has been seen: it is in the middle, and catches signals."""
        child = subprocess.Popen([PROGRAM, "run", *argv, "--json", "--progress", "always"], cwd=self.here, bufsize=0,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=dispositions(hangup))
        self.addCleanup(child.stdout.close)
        self.addCleanup(child.stderr.close)
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        self.seen = b""
        self.await_text(child, b"left")
        return child

    def await_text(self, child, text):
        while text not in self.seen:
            block = os.read(child.stderr.fileno(), 4096)
            self.assertTrue(block, f"ended without {text}: {self.seen[-400:]}")
            self.seen += block

    def end(self, child, status):
        out, err = child.communicate(timeout=300)
        self.seen += err
        self.assertEqual(child.returncode, status, self.seen[-400:])
        return json.loads(out)

    def test_every_signal_that_ends_leaves_a_checkpoint(self):
        for which in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
            with self.subTest(which):
                child = self.start(*ENDLESS, "--checkpoint", f"c{which}", "--checkpoint-every", "1e6")
                child.send_signal(which)
                self.assertEqual(self.end(child, 130)["results"], [])
                self.assertIn(b"interrupted", self.seen)
                self.run_program("verify", f"c{which}")
                self.assertIn("steps of the next", self.run_program("info", f"c{which}").stdout)

    def test_what_nohup_ignores_stays_ignored(self):
        child = self.start(*SEVERAL_CHUNKS, hangup=signal.SIG_IGN)
        child.send_signal(signal.SIGHUP)
        self.assertEqual(self.end(child, 0)["digest"], self.digest("run", *SEVERAL_CHUNKS))

    def test_usr1_saves_and_goes_on(self):
        wanted = self.digest("run", *SEVERAL_CHUNKS)
        child = self.start(*SEVERAL_CHUNKS, "--checkpoint", "c", "--checkpoint-every", "1e6")
        self.assertEqual(self.files(), ["c.lock"])  # nothing was saved of itself
        child.send_signal(signal.SIGUSR1)
        self.await_text(child, b"spindrift: saved c; going on\n")
        shutil.copy(self.here / "c", self.here / "midway")
        self.assertEqual(self.end(child, 0)["digest"], wanted)
        self.run_program("verify", "midway")
        resumed = self.run_program("resume", "midway", "--json")
        self.assertIn("went on from midway", resumed.stderr)
        self.assertEqual(json.loads(resumed.stdout)["digest"], wanted)

    def test_usr1_as_often_as_one_likes(self):
        child = self.start(*ENDLESS, "--checkpoint", "c", "--checkpoint-every", "1e6")
        for _ in range(3):
            self.seen = b""
            child.send_signal(signal.SIGUSR1)
            self.await_text(child, b"spindrift: saved c; going on\n")
            self.run_program("verify", "c")
        child.send_signal(signal.SIGTERM)
        self.end(child, 130)

    def test_usr1_without_a_checkpoint_says_so(self):
        child = self.start(*SEVERAL_CHUNKS)
        child.send_signal(signal.SIGUSR1)
        self.await_text(child, b"spindrift: nothing saved, there is no --checkpoint; going on\n")
        self.assertEqual(self.end(child, 0)["digest"], self.digest("run", *SEVERAL_CHUNKS))
        self.assertEqual(self.files(), [])


class Processors(Case):
    """The number of threads is that of the processors a process may use; the bits do not depend on it."""
    PLAN = ["run", "--method", "vlv,rk45", "--bodies", "50", "--steps", "20", "--backend", "cpu"]

    def setUp(self):
        super().setUp()
        self.processors = sorted(os.sched_getaffinity(0))
        if len(self.processors) < 2:
            self.skipTest("this needs two processors")
        self.environment = {key: value for key, value in os.environ.items() if not key.startswith("SLURM_")}

    def look(self, processors=None, per_task=None, more=()):
        """The threads of a run and what `devices` says of them."""
        environment = dict(self.environment, **({"SLURM_CPUS_PER_TASK": per_task} if per_task else {}))
        limit = (lambda: os.sched_setaffinity(0, processors)) if processors else None
        run = json.loads(self.run_program(*self.PLAN, *more, "--json", env=environment, preexec_fn=limit).stdout)
        devices = json.loads(self.run_program("devices", "--json", env=environment, preexec_fn=limit).stdout)["cpu"]
        text = self.run_program("devices", env=environment, preexec_fn=limit).stdout
        self.assertIn(devices["threads_because"], text)
        self.assertRegex(text, r"cpu: %d thread" % devices["threads"])
        self.digests.add(run["digest"])
        return run["backend"]["threads"], devices["threads"], devices["threads_because"]

    def test_what_limits_them(self):
        self.digests = set()
        usual = self.look()
        self.assertLessEqual(usual[0], len(self.processors))
        one = self.look(processors=self.processors[:1])
        self.assertEqual(one[:2], (1, 1))
        self.assertIn("may run on", one[2])
        task = self.look(per_task="1")
        self.assertEqual(task[:2], (1, 1))
        self.assertIn("SLURM_CPUS_PER_TASK", task[2])
        self.assertEqual(self.look(processors=self.processors[:1], per_task="2")[:2], (1, 1))
        for no_limit in ("100", "0", "-1", "two", "1x"):
            self.assertEqual(self.look(per_task=no_limit), usual)
        self.assertEqual(self.look(processors=self.processors[:1], per_task="1", more=["--threads", "3"])[0], 3)
        self.assertEqual(len(self.digests), 1)


if __name__ == "__main__":
    unittest.main()
