#!/usr/bin/env python3
"""Signals: a run ends soon, and what it has is printed and marked."""
import os
import signal
import subprocess
import time
import unittest

from command_line import PROGRAM, Case, Outcome, strict_json

PROMPT = int(os.environ.get("SPINDRIFT_PATIENCE", "5"))  # seconds that an interrupted program may go on


class Interrupt(Case):
    def interrupted(self, which, argv):
        child = subprocess.Popen([PROGRAM, *argv], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 cwd=self.directory.name, env=self.environment)
        try:
            time.sleep(1)
            self.assertIsNone(child.poll(), "ended before the signal: %s" % (argv,))
            child.send_signal(which)
            try:
                out, err = child.communicate(timeout=PROMPT)
            except subprocess.TimeoutExpired:
                self.fail("still running %d s after signal %d: %s" % (PROMPT, which, " ".join(argv)))
        finally:
            if child.poll() is None:
                child.kill()
                child.communicate()
        return Outcome(argv, child.returncode, out.decode(), err.decode())

    LONG = ["run", "--backend", "cpu", "--method", "vlv,eln", "--bodies", "4096", "--step", "0.125", "--steps", "100000000"]

    def test_status(self):
        for which, more in ((signal.SIGINT, ["--json"]), (signal.SIGTERM, [])):
            with self.subTest(which):
                outcome = self.interrupted(which, self.LONG + more)
                self.assertEqual(outcome.status, 130, str(outcome))
                self.assertRegex(outcome.err, r"\A[^\n]*interrupted[^\n]*\n\Z")

    def test_what_was_computed_so_far_is_printed_and_marked(self):
        outcome = self.interrupted(signal.SIGINT, self.LONG + ["--json", "--threads", "1"])
        self.assertEqual(outcome.status, 130, str(outcome))
        try:
            document = strict_json(outcome.out)
        except ValueError as error:
            self.fail("not one JSON document: %s\n%s" % (error, outcome))
        self.assertIn("results", document)
        self.assertIn("complete", outcome.out)  # "incomplete", or "complete": false

    def test_prompt_whatever_a_step_costs(self):
        for argv in (["--method", "liemid-ea@8", "--bodies", "300000", "--steps", "1000000", "--isa", "scalar", "--threads", "1"],
                     ["--method", "rk45", "--step", "1000", "--steps", "100000", "--bodies", "1000", "--threads", "1"]):
            with self.subTest(" ".join(argv)):
                outcome = self.interrupted(signal.SIGINT, ["run", *argv])
                self.assertEqual(outcome.status, 130, str(outcome))

    def test_order_and_bench(self):
        for which, argv in ((signal.SIGINT, ["order", "--method", "vlv", "--time", "10000000"]),
                            (signal.SIGTERM, ["bench", "--method", "vlv", "--steps", "1000000000"])):
            with self.subTest(argv[0]):
                outcome = self.interrupted(which, argv)
                self.assertEqual(outcome.status, 130, str(outcome))


if __name__ == "__main__":
    unittest.main()
