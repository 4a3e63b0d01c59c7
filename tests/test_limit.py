#!/usr/bin/env python3
"""Ended early, by the clock or by hand: what was saved is said, and what to type to go on, which then does."""
import re
import shlex
import signal
import subprocess
import time
import unittest

from case import PROGRAM, Case

PLAN = ("--members", "512", "--method", "eln,vlv", "--steps", "200000", "--threads", "1")


class Limit(Case):
    def typed(self, stderr):
        """The words of the line to type."""
        last = stderr.splitlines()[-1]
        self.assertIn("to go on, type: spindrift ", last)
        return shlex.split(last[last.index("type: spindrift ") + len("type: spindrift "):])

    def test_the_clock_ends_it_and_the_line_goes_on(self):
        wanted = self.digest("run", *PLAN, "--quiet")
        begun = time.monotonic()
        done = self.run_program("run", *PLAN, "--checkpoint", "a b.ckpt", "--output", "o.h5", "--max-time", "0.1s", "--backend", "cpu", status=130)
        self.assertLess(time.monotonic() - begun, 20)
        self.assertIn("what was done until then is in o.h5\n", done.stderr)
        self.assertRegex(done.stderr.splitlines(True)[-1], r"\A[^\n]*max-time 0.1s is over with \d+ % done; saved in 'a b.ckpt'; to go on, type: [^\n]*\n\Z")
        words = self.typed(done.stderr)
        self.assertEqual(words[:4], ["resume", "a b.ckpt", "--output", "o.h5"])
        self.assertEqual(words[words.index("--max-time") + 1], "0.1s")  # and the place where it is done, as given
        self.assertEqual(words[words.index("--threads") + 1], "1")
        words[words.index("--max-time") + 1] = "47h30m"
        self.assertIn(wanted, self.run_program(*words).stdout)
        self.run_program("verify", "o.h5")

    def test_without_a_checkpoint_it_says_that_nothing_is_saved(self):
        done = self.run_program("run", *PLAN, "--max-time", "0.1s", "--quiet", status=130)
        self.assertRegex(done.stderr, r"\A[^\n]*max-time 0.1s is over[^\n]*nothing is saved[^\n]*--checkpoint\n\Z")
        self.assertIn("incomplete", done.stdout)

    def test_of_a_study_it_is_for_all_runs(self):
        (self.here / "s.toml").write_text('method = "vlv"\nmembers = 512\nsteps = 60000\nthreads = 1\nseed = [1, 2, 3, 4, 5, 6]\n'
                                          'max-time = "0.2s"\ncheckpoint = "c"\n')
        begun = time.monotonic()
        done = self.run_program("run", "s.toml", "--quiet", status=130)
        self.assertLess(time.monotonic() - begun, 10)
        self.assertRegex(self.typed(done.stderr)[1], r"\Ac\.\d\Z")

    def test_hand(self):
        child = subprocess.Popen([PROGRAM, "run", *PLAN, "--steps", "1000000000", "--checkpoint", "c", "--progress", "always"], cwd=self.here,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        child.stderr.readline()  # it is at work
        child.send_signal(signal.SIGINT)
        _, err = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 130)
        self.assertRegex(err, r"interrupted with 0 % done; saved in c; to go on, type: spindrift resume c --threads 1\n\Z")
        self.typed(err)

    def test_it_is_no_part_of_the_plan(self):
        for limit in ("1d", "2h", "47h30m", "1.5h", "90m", "3600s", "1d2h3m4.5s"):
            self.assertEqual(self.digest("run", "--members", "2", "--steps", "8", "--max-time", limit, "--quiet"),
                             self.digest("run", "--members", "2", "--steps", "8", "--quiet"))

    def test_what_is_no_time(self):
        for wrong in ("2x", "h", "-2h", "2h3h", "3m2h", "0s", "1e999s", "2 h", "", "s", "nans", "two", "1h30"):
            with self.subTest(wrong):
                self.refused("run", "--max-time", wrong, status=2, has=["max-time", "47h30m"])
        self.refused("run", "--until-decided", "--max-time", "-3", status=2, has=["max-time: -3 is not positive"])
        self.refused("run", "--max-time", "100", status=2, has=["which is not asked for"])


class Info(Case):
    def test_of_a_checkpoint(self):
        self.run_program("run", *PLAN, "--checkpoint", "c", "--output", "o.h5", "--max-time", "0.1s", "--quiet", status=130)
        told = self.run_program("info", "c").stdout
        self.assertRegex(told, r"\Ac: checkpoint of stress, 512 bodies, step 0\.125, time 25000 \(200000 steps\), seed 1, methods eln,vlv\n")
        self.assertRegex(told, r"(?m)^\d+ % done: [01] of 2 methods done, \d+ steps of the next$")
        self.assertRegex(told, r"(?m)^saved %s-\d\d-\d\d \d\d:\d\d:\d\d UTC$" % time.strftime("%Y", time.gmtime()))
        self.assertIn("\nto go on, type: spindrift resume c --output o.h5\n", told)
        self.assertNotRegex(told, r"(?m)^block |^sigma")
        self.assertEqual(len(told.splitlines()), 5)
        whole = self.run_program("info", "c", "--verbose").stdout
        self.assertTrue(whole.startswith(told))
        self.assertRegex(whole, r"(?m)^block bodies +\d+ bytes$")
        self.assertRegex(whole, r"(?m)^sigma-attitude ")


if __name__ == "__main__":
    unittest.main()
