#!/usr/bin/env python3
"""What is shown on a terminal: no wider than it, nothing that it does not understand, and a time left that is this process's own."""
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import unittest

from case import PROGRAM, Case

STUDY = ("--method", "eln,vlv", "--members", "256", "--steps", "20000", "--threads", "1")
TABLE = ("--method", "vlv,eln,rk2", "--members", "64", "--step", "0.25", "--steps", "4000", "--progress", "never", "--quiet")


class Terminal(Case):
    def on_terminal(self, *argv, width=80, stream="stderr", status=(0, 3), **environment):
        """What a terminal of so many columns is sent."""
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
        streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, stream: slave}
        settings = dict({k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS")}, **{"TERM": "xterm", **environment})
        child = subprocess.Popen([PROGRAM, *argv], cwd=self.here, stdin=subprocess.DEVNULL, env=settings, **streams)
        os.close(slave)
        seen = b""
        while True:
            try:
                block = os.read(master, 65536)
            except OSError:  # the other side is closed
                block = b""
            if not block:
                break
            seen += block
        os.close(master)
        self.assertIn(child.wait(timeout=60), status, seen)
        return seen.decode()

    def shown(self, text):
        """Lines as they would be seen, one for each writing over."""
        return [line for line in re.split(r"[\r\n]+", re.sub(r"\033\[[0-9;]*[mK]", "", text)) if line]


class Progress(Terminal):
    def lines(self, width, **more):
        return [line for line in self.shown(self.on_terminal("run", *STUDY, width=width, **more)) if line.startswith("[")]

    def test_it_fits(self):
        for width in (200, 100, 80, 60, 40, 30):
            with self.subTest(width):
                lines = self.lines(width)
                self.assertTrue(lines)
                self.assertLess(max(map(len, lines)), width)
                if width in (200, 60):
                    self.assertEqual(any(" failed" in line for line in lines), width == 200)
        self.assertTrue(any(re.search(r"\] \S+ +\d+/\d+ M body-steps, [\d.]+ M/s, [\d.]+[dhms]\S* left", line) for line in self.lines(100)))

    def test_plain_terminals_get_plain_lines(self):
        for setting in ({"TERM": "dumb"}, {"NO_COLOR": "1"}):
            with self.subTest(**setting):
                seen = self.on_terminal("run", *STUDY, **setting).replace("\r\n", "\n")
                self.assertNotIn("\r", seen)
                self.assertNotIn("\033", seen)
                self.assertRegex(seen, r"(?m)^\[#{20}\] vlv.* left")

    def test_a_log_gets_lines(self):
        done = self.run_program("run", *STUDY, "--progress", "always", "--quiet")
        self.assertEqual(done.stderr, "")  # quiet is quiet
        done = self.run_program("run", *STUDY, "--progress", "always", "--backend", "cpu")
        self.assertNotIn("\r", done.stderr)
        self.assertRegex(done.stderr, r"\A(\[.*\n)+\Z")


class TimeLeft(Terminal):
    def test_only_what_this_process_did_counts(self):
        """The first process did nearly all, in its own time: what is left cannot look as fast as if it had been done here."""
        plan = ("--members", "4096", "--method", "tln", "--steps", "60000", "--threads", "1")
        self.run_program("run", *plan, "--checkpoint", "c", "--max-time", "3s", "--quiet", status=130)
        percent = int(re.search(r"(\d+) % done", self.run_program("info", "c").stdout).group(1))
        if not 10 < percent < 90:
            self.skipTest("this machine is too fast or too slow for it")
        lines = self.shown(self.on_terminal("resume", "c", "--threads", "1", width=150))
        told = [re.search(r"\D([\d.]+)s left", line) for line in lines if "left" in line]
        first = float(next(found for found in told if found).group(1))
        whole = 3 * 100 / percent
        self.assertGreater(first, 0.4 * (whole - 3))  # and not the moment that it took to read the checkpoint


class Table(Terminal):
    def table(self, width, **more):
        return self.on_terminal("run", *TABLE, width=width, stream="stdout", **more).replace("\r\n", "\n")

    def test_it_fits(self):
        whole = self.shown(self.table(200))
        for width in (200, 110, 100, 90, 72, 60, 50, 40):
            with self.subTest(width):
                lines = self.shown(self.table(width))
                self.assertLessEqual(max(map(len, lines)), width)
                rows = [line for line in lines if re.match(r"(vlv|eln|rk2) ", line)]
                self.assertGreaterEqual(len(rows), 3)
                head = next(line for line in lines if line.startswith("method"))
                self.assertEqual("newton" in head, width >= 100)
                self.assertEqual("dE/dt" in head, width >= 40)
                self.assertTrue(any("of 64 failed" in line for line in lines))
                self.assertTrue(head.split()[0:2] == whole[1].split()[0:2] == ["method", "verdict"])

    def test_colour(self):
        self.assertIn("\033[31m", self.table(100))
        for setting in ({"TERM": "dumb"}, {"NO_COLOR": "1"}):
            self.assertNotIn("\033", self.table(100, **setting))
        self.assertNotIn("\033", self.run_program("run", *TABLE, status=3).stdout)

    def test_listings_and_help(self):
        for argv in (("methods",), ("problems",), ("methods", "rk45"), ("problems", "orbit-elliptic"), ("run", "--help")):
            for width in (100, 70):
                with self.subTest(argv, width=width):
                    lines = self.shown(self.on_terminal(*argv, width=width, stream="stdout"))
                    lines = [line for line in lines if not line.startswith("example:")]  # which is to be copied in one piece
                    self.assertLessEqual(max(map(len, lines)), width)


class Bench(Terminal):
    def test_it_fits(self):
        for width in (130, 100, 80, 60):
            with self.subTest(width):
                argv = ("bench", "--method", "vlv", "--members", "8", "--steps", "10", "--rounds", "1", "--isa", "scalar")
                lines = self.shown(self.on_terminal(*argv, width=width, stream="stdout"))
                self.assertLessEqual(max(map(len, lines)), width)
                self.assertRegex(lines[-2], r"\Aproblem +method +engine .*ns/step")
                self.assertEqual("newton" in lines[-2], width == 130)
                self.assertTrue(any("nanoseconds for one" in line for line in lines))


class Units(Case):
    def test_units_are_named(self):
        table = self.run_program("run", *TABLE, status=3).stdout
        self.assertIn("units: the parameters' own; ", table)
        self.assertIn("ns/step: of one body", table)
        table = self.run_program("run", "--problem", "orbit-circular", "--method", "verlet", "--members", "2", "--steps", "9", "--quiet").stdout
        self.assertIn("units: the parameters' own (by default km, s, kg); ", table)
        self.assertIn("point masses in R^3; defaults in km, s, kg\n", self.run_program("problems").stdout)

    def test_a_momentum_that_a_force_acts_on_is_not_shown(self):
        few = ("run", "--problem", "orbit-circular", "--method", "verlet", "--members", "2", "--steps", "9", "--quiet")
        for more, kept in (((), True), (("--impulse", "t=20,dv=0.1,0,0"), True), (("--param", "drag=1e-6"), False),
                           (("--param", "pressure=0,1e-9,0"), False), (("--param", "thrust=1e-9"), False),
                           (("--param", "mu2=1", "--param", "at2=1e5,0,0"), False)):
            with self.subTest(more):
                lines = self.run_program(*few, *more).stdout.split("\n")
                head, row = (line for line in lines if re.match(r"method |verlet .* [-+]\d", line))
                end = head.index("momentum") + len("momentum")
                self.assertEqual(row[:end].split()[-1] != "-", kept, row)


if __name__ == "__main__":
    unittest.main()
