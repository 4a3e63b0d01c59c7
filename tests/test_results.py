#!/usr/bin/env python3
"""test_results.py - result files as a user, another program or an ill-wisher meets them: the memory that writing one uses,
files of other formats, and files that are sealed but lie.

SPINDRIFT=PROGRAM test_results.py"""
import os
import pathlib
import resource
import shutil
import subprocess
import unittest

from case import PROGRAM, Case

PLAN = ["--method", "vlv,eln", "--bodies", "5", "--steps", "60", "--every", "3", "--threads", "1", "--quiet"]
STATES = ["--final", "3", "--trajectories", "2"]
SEAL = 512
SANITIZED = any(name in open(PROGRAM, "rb").read() for name in (b"__asan_init", b"__tsan_init"))


class Memory(Case):
    """HDF5 is not ours to instrument; freed memory that is overwritten, and memcheck, see what it and we do to each other."""
    COMMANDS = (["run", *PLAN, *STATES, "--output", "o.h5", "--checkpoint", "c", "--isa", "scalar"],
                ["resume", "c", "--output", "p.h5", "--quiet", "--isa", "scalar"],
                ["rerun", "o.h5", "--output", "q.h5", "--quiet", "--isa", "scalar"],
                ["rerun", "o.h5", "--body", "3", "--trajectory", "--json", "--isa", "scalar"],
                ["info", "o.h5"], ["verify", "o.h5"], ["info", "c"], ["verify", "c"])

    def test_freed_memory_is_not_used(self):
        for command in self.COMMANDS:
            self.run_program(*command, env=dict(os.environ, MALLOC_PERTURB_="165"))
        self.assertEqual(self.digest("rerun", "o.h5"), self.digest("rerun", "q.h5"))

    def test_under_valgrind(self):
        valgrind = shutil.which("valgrind")
        if not valgrind:
            self.skipTest("valgrind is not installed")
        if SANITIZED:
            self.skipTest("a program with a sanitizer does not run under valgrind")
        for command in self.COMMANDS:
            done = subprocess.run([valgrind, "--quiet", "--error-exitcode=99", "--leak-check=full",
                                   "--show-leak-kinds=definite", "--errors-for-leak-kinds=definite", PROGRAM, *command],
                                  cwd=self.here, capture_output=True, text=True, timeout=600)
            self.assertEqual(done.returncode, 0, f"{command}\n{done.stderr}")


class Record(Case):
    """What rerun and info read is text that anybody can read, and change; its seal can be made to fit."""

    def setUp(self):
        super().setUp()
        self.run_program("run", *PLAN, "--output", "o.h5")
        self.good = (self.here / "o.h5").read_bytes()
        self.size = int(self.good[:SEAL].split(b" record ")[1].split()[0])
        self.record = self.good[SEAL:SEAL + self.size]

    def forge(self, record, body=b""):
        """A file with this record and a seal that fits; its checksums are XXH3, which Python does not have."""
        (self.here / "x.h5").write_bytes(bytes(SEAL) + record + body)
        subprocess.run([os.environ["SEAL_RESULT"], "x.h5", str(len(record))], cwd=self.here, check=True)

    def test_it_is_text(self):
        for wanted in (b"record 1 complete 1\n", b"summary ", b"\nproblem stress\nmethod vlv,eln\nmembers 5\n", b"\nend\n"):
            self.assertIn(wanted, self.record)
        self.assertEqual(self.good[SEAL + self.size:].lstrip(b"\0")[:8], b"\x89HDF\r\n\x1a\n")

    def test_without_hdf5(self):
        """The record alone says all that rerun and info need: nothing of theirs asks HDF5."""
        self.forge(self.record)
        self.assertIn("same digest", self.run_program("rerun", "x.h5").stderr)
        self.assertIn("run 0: stress, 5 bodies", self.run_program("info", "x.h5").stdout)
        self.run_program("verify", "x.h5")

    def lies(self):
        digest = self.record.split(b"\nrun ")[-1].split()[0]
        run = b"run " + digest + b" methods "
        head = b"record 1 complete 1\nsummary 0\n"
        yield self.record + b"\n"
        yield self.record[:-4]
        yield b""
        yield b"record 18446744073709551616 complete 1\nsummary 0\nend\n"
        yield b"record 100000000 complete 1\nsummary 0\nend\n"
        yield b"record 2 complete 1\n" + self.record.split(b"\n", 1)[1]
        yield b"record 1 complete 1\nsummary 18446744073709551615\nend\n"
        yield b"record 1 complete 1\nsummary 99999999999999999999999999999\nend\n"
        yield head + run + b"1 settings 18446744073709551615 outcome 0 starts 0 of 7\nend\n"
        yield head + run + b"1 settings 0 outcome 18446744073709551615 starts 0 of 7\nend\n"
        yield head + run + b"1 settings 0 outcome 0 starts 100000000 of 7\nend\n"
        yield head + run + b"1 settings 0 outcome 0 starts 144680345676153346 of 7\nend\n"
        yield head + run + b"1 settings 0 outcome 0 starts -1 of 7\nend\n"
        yield head + run + b"999 settings 0 outcome 0 starts 0 of 7\nend\n"
        yield head + run + b"1 settings 0 outcome 0 starts 0 of 1000\nend\n"
        yield self.record.replace(b"written", b"\x1b[2Jtt", 1)
        yield self.record.replace(b"members 5", b"members\0 ", 1)

    def test_what_cannot_be_read_is_said(self):
        for lie in self.lies():
            with self.subTest(lie[:120]):
                self.forge(lie)
                for verb in ("info", "rerun", "verify"):
                    self.refused(verb, "x.h5", status=2, has=["x.h5", "its record"], preexec_fn=little_memory)

    def test_a_plan_that_is_none(self):
        digest = self.record.split(b"\nrun ")[-1].split()[0]
        for settings, says in ((b"output=x", "is no setting"), (b"output /tmp/x\n", "'output' is no setting that a file may make"),
                               (b"checkpoint x\n", "no setting that a file may make"), (b"threads 1000000\n", "no setting that a file may make"),
                               (b"members minus\n", "members"), (b"bodies minus\n", "bodies"), (b"problem none\n", "none")):
            with self.subTest(settings):
                settings = settings if settings.startswith(b"problem") else b"problem stress\n" + settings
                self.forge(b"record 1 complete 1\nsummary 0\nrun %s methods 1 settings %d outcome 0 starts 0 of 7\n%send\n"
                           % (digest, len(settings), settings))
                self.refused("rerun", "x.h5", status=2, has=[says])
        self.assertEqual(self.files(), ["o.h5", "x.h5"])

    def test_starts_that_are_none(self):
        for number in (b"7ff8000000000000", b"xff8000000000000", b"7FF0000000000000"):
            start = b"0000000000000001" + b" 3ff0000000000000" * 6 + b" " + number + b"\n"
            settings = b"problem stress\nmethod vlv\nbodies 3\nsteps 4\n"
            self.forge(b"record 1 complete 1\nsummary 0\nrun %s methods 1 settings %d outcome 0 starts 1 of 7\n%s%send\n"
                       % (b"0" * 32, len(settings), settings, start))
            self.refused("rerun", "x.h5", status=2, has=["start"])

    def test_many_runs(self):
        """A long list of runs takes time in proportion to its length, and no more memory than it should."""
        one = b"run %s methods 1 settings 0 outcome 0 starts 0 of 7\n" % (b"0" * 32)
        self.forge(b"record 50000 complete 1\nsummary 0\n" + one * 50000 + b"end\n")
        self.run_program("verify", "x.h5", preexec_fn=little_memory)
        self.assertIn("50000 runs", self.run_program("info", "x.h5", preexec_fn=little_memory).stdout)

    def test_a_hole_of_a_gigabyte(self):
        self.forge(self.record)
        os.truncate(self.here / "x.h5", 1 << 30)
        subprocess.run([os.environ["SEAL_RESULT"], "x.h5", str(len(self.record))], cwd=self.here, check=True)
        self.assertIn("run 0", self.run_program("info", "x.h5", preexec_fn=little_memory).stdout)


def little_memory():
    if not SANITIZED: # its shadow alone is larger
        resource.setrlimit(resource.RLIMIT_AS, (256 << 20, 256 << 20))


class Formats(Case):
    def test_an_older_and_a_newer_format(self):
        for version, says in ((1, "format 1, of an older spindrift"), (3, "format 3, of an older spindrift"),
                              (4, "format 4, of an older spindrift: it was written by spindrift 0.2.0"), (6, "format 6, of a newer spindrift")):
            (self.here / "x.h5").write_bytes(bytes(4096))
            subprocess.run([os.environ["SEAL_RESULT"], "x.h5", "0", str(version)], cwd=self.here, check=True)
            for verb in ("info", "rerun", "verify"):
                self.refused(verb, "x.h5", status=1, has=["x.h5", says])

    def test_files_of_the_version_before(self):
        """Written by 0.1.0, whose digests were over all members in one piece."""
        golden = pathlib.Path(__file__).parent / "golden"
        says = "written by spindrift 0.1.0 with another digest"
        for name, verbs, advice in (("older.h5", ("info", "rerun", "verify"), "HDF5 tools, rerun cannot compare"),
                                    ("older.checkpoint", ("info", "resume", "verify"), "that one can go on from it")):
            shutil.copy(golden / name, self.here)
            for verb in verbs:
                self.refused(verb, name, status=1, has=[name, "format 2", says, advice])
        plan = ("run", "--problem", "stress", "--method", "vlv", "--bodies", "2", "--steps", "4", "--every", "4", "--quiet")
        self.refused(*plan, "--output", "older.h5", status=2, has=["older.h5", says, "move it, or name another file"])
        self.refused(*plan, "--checkpoint", "older.checkpoint", status=1, has=["older.checkpoint", says])
        for name in ("older.h5", "older.checkpoint"):
            self.assertEqual((self.here / name).read_bytes(), (golden / name).read_bytes())


if __name__ == "__main__":
    unittest.main()
