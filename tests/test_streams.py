#!/usr/bin/env python3
"""Standard output and error that do not work; progress."""
import os
import pty
import select
import signal
import subprocess
import unittest

from command_line import LIMIT, PROGRAM, SMALL, Case, Outcome, strict_json


class Streams(Case):
    CALLS = [["run", "--bodies", "1", "--steps", "8", "--quiet"], ["run", "--bodies", "1", "--steps", "8", "--json", "--final", "1", "--quiet"],
             ["methods"], ["methods", "--json"], ["problems"], ["devices"], ["order", "--method", "vlv", "--time", "1"],
             ["bench", "--method", "vlv", "--bodies", "1", "--steps", "10"], ["--help"], ["run", "--help"], ["--version"]]

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_full(self):
        for argv in self.CALLS:
            with self.subTest(" ".join(argv)), open("/dev/full", "wb") as full:
                self.one_line(self.call(*argv, stdout=full), 1)

    def test_closed(self):
        for argv in self.CALLS:
            with self.subTest(" ".join(argv)):
                done = subprocess.run(["/bin/sh", "-c", 'exec "$0" "$@" >&-', PROGRAM, *argv], stdin=subprocess.DEVNULL,
                                      stderr=subprocess.PIPE, cwd=self.directory.name, env=self.environment, timeout=LIMIT)
                self.one_line(Outcome(argv, done.returncode, "", done.stderr.decode()), 1)

    def test_nobody_reads(self):
        for argv in self.CALLS:
            with self.subTest(" ".join(argv)):
                reader, writer = os.pipe()
                os.close(reader)
                try:
                    outcome = self.call(*argv, stdout=writer)
                finally:
                    os.close(writer)
                self.assertIn(outcome.status, (1, -signal.SIGPIPE), str(outcome))

    def test_a_good_run_is_silent(self):
        for more in (("--quiet", "--progress", "never"), ("--quiet",), ("--progress", "never", "--backend", "cpu"), ("--backend", "cpu")):
            with self.subTest(more):
                self.assertEqual(self.good("run", *SMALL, *more).err, "")
        self.assertEqual(self.good("run", "--bodies", "2", "--steps", "2", "--method", "all", "--quiet", "--progress", "never").err, "")

    def test_what_auto_chose_is_said_once(self):
        """On stderr, whatever is on stdout, and of a study of several runs once."""
        path = os.path.join(self.directory.name, "s.toml")
        with open(path, "w") as file:
            file.write('bodies = 2\nsteps = 8\nmethod = "vlv"\nstep = [0.125, 0.25, 0.5]\n')
        for argv in (("run", *SMALL), ("run", *SMALL, "--json"), ("run", "s.toml"), ("run", "s.toml", "--csv")):
            with self.subTest(argv):
                said = self.good(*argv)
                self.assertRegex(said.err, r"\Aspindrift: backend auto: cpu, [^\n]*\n\Z")
                self.assertNotIn("auto:", said.out)
                self.assertEqual(self.good(*argv, "--quiet").err, "")
        os.remove(path)

    LONG = ("run", "--bodies", "2048", "--steps", "4000", "--method", "vlv", "--threads", "1")

    def test_progress_always(self):
        outcome = self.good(*self.LONG, "--json", "--progress", "always")
        strict_json(outcome.out)
        self.assertRegex(outcome.err, r"\d")
        self.assertRegex(outcome.err, r"\bleft\b")
        for what, pattern in (("done/total", r"\d\s*/\s*\d"), ("body-steps per second", r"/ ?s\b|per second"),
                              ("worst energy error", r"\d[eE][-+]?\d+"), ("failed bodies", r"fail")):
            with self.subTest(what):
                self.assertRegex(outcome.err, pattern)

    def test_progress_auto_needs_a_terminal(self):
        for when, expected in (("auto", True), ("never", False)):
            with self.subTest(when):
                master, slave = pty.openpty()
                child = subprocess.Popen([PROGRAM, *self.LONG, "--progress", when], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                         stderr=slave, cwd=self.directory.name, env=self.environment)
                os.close(slave)
                seen = b""
                while True:
                    ready, _, _ = select.select([master], [], [], LIMIT)
                    try:
                        block = os.read(master, 65536) if ready else b""
                    except OSError:  # the other side is closed
                        block = b""
                    if not block:
                        break
                    seen += block
                child.communicate(timeout=LIMIT)
                os.close(master)
                self.assertEqual(child.returncode, 0)
                self.assertEqual(b"vlv" in seen or b"left" in seen, expected, seen)


if __name__ == "__main__":
    unittest.main()
