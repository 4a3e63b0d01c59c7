#!/usr/bin/env python3
"""test_output.py - what a run writes, and what it leaves alone: readers that go, files of others, names given twice, older
results, permissions, links, checkpoints that cannot be saved, two runs at one file.

SPINDRIFT=PROGRAM test_output.py"""
import fcntl
import json
import os
import signal
import stat
import subprocess
import sys
import termios
import time
import unittest

from case import PROGRAM, Case

SMALL = ["--method", "vlv,eln", "--bodies", "20", "--steps", "400", "--every", "4", "--quiet"]
ENDLESS = ["--method", "vlv", "--bodies", "64", "--steps", "4000000000", "--every", "4000000"]
NOTES = b"my own notes, which are nobody's business\n"


class Output(Case):
    def put(self, name, content=NOTES):
        (self.here / name).write_bytes(content)

    def get(self, name):
        return (self.here / name).read_bytes()

    def begin(self, *argv):
        """A run that is at work: its first line of progress has been seen."""
        child = subprocess.Popen([PROGRAM, "run", *argv, "--progress", "always"], cwd=self.here, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE)
        self.addCleanup(self.end, child)
        self.wait_for(b"body-steps", child)
        return child

    def wait_for(self, words, child):
        seen = b""
        while words not in seen:
            more = os.read(child.stderr.fileno(), 4096)
            self.assertTrue(more, seen)
            seen += more

    def end(self, child):
        if child.poll() is None:
            child.kill()
        child.communicate()

    def interrupt(self, child):
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 130, err)
        return out.decode(), err.decode()

    def interrupted(self, *argv):
        return self.interrupt(self.begin(*argv))

    def methods_in(self, name):
        """The methods that a result file says are done."""
        lines = self.run_program("info", name).stdout.splitlines()
        return [line.split()[0] for line in lines if "slope of E" in line]


class ClosedPipe(Output):
    def to_nobody(self, *argv):
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run([PROGRAM, *argv], cwd=self.here, stdout=writing, stderr=subprocess.PIPE, text=True, timeout=300)
        os.close(writing)
        return done

    def test_the_file_is_whole(self):
        for more in ([], ["--json", "--series"]):
            done = self.to_nobody("run", *SMALL, "--output", "o.h5", *more)
            self.assertEqual(done.returncode, 1, done)
            self.assertEqual(done.stderr, "spindrift: cannot write to standard output\n")
            self.run_program("verify", "o.h5")
            self.assertEqual(self.methods_in("o.h5"), ["vlv", "eln"])

    def test_every_verb(self):
        self.run_program("run", *SMALL, "--output", "o.h5", "--checkpoint", "c")
        for argv in (["methods"], ["problems", "--json"], ["devices"], ["info", "o.h5"], ["info", "c"], ["verify", "o.h5"],
                     ["rerun", "o.h5", "--quiet"], ["resume", "c", "--quiet"], ["--help"], ["run", "--help"], ["--version"],
                     ["order", "--method", "vlv", "--time", "1"], ["bench", "--method", "vlv", "--bodies", "8", "--steps", "9"]):
            with self.subTest(argv):
                done = self.to_nobody(*argv)
                self.assertEqual(done.returncode, 1, done)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)


class OthersFiles(Output):
    """Nothing of these is replaced, and that is said before the run, which would not end."""

    def test_not_a_result(self):
        self.run_program("run", *SMALL, "--output", "good.h5")
        for name in ("o.h5", "o.h5.previous", "o.h5.incomplete", "o.h5.incomplete.previous", "o.h5.partial", "o.h5.lock"):
            with self.subTest(name):
                self.put(name)
                self.refused("run", *ENDLESS, "--output", "o.h5", status=2, has=[name + ":", "name another file"])
                self.assertEqual(self.get(name), NOTES)
                os.unlink(self.here / name)
        self.assertEqual(self.files(), ["good.h5"])

    def test_not_a_checkpoint(self):
        for name in ("c", "c.previous", "c.partial", "c.lock"):
            with self.subTest(name):
                self.put(name)
                self.refused("run", *ENDLESS, "--checkpoint", "c", status=2, has=[name + ":"])
                self.assertEqual(self.get(name), NOTES)
                os.unlink(self.here / name)
        self.assertEqual(self.files(), [])

    def test_a_checkpoint_is_no_output_and_a_result_no_checkpoint(self):
        self.run_program("run", *SMALL, "--output", "o.h5", "--checkpoint", "c")
        before = self.get("c"), self.get("o.h5")
        self.refused("run", *SMALL, "--output", "c", status=2, has=["c: is there and is not a result file"])
        self.refused("run", *SMALL, "--checkpoint", "o.h5", status=2, has=["o.h5: not a checkpoint"])
        self.assertEqual((self.get("c"), self.get("o.h5")), before)

    def test_not_a_file(self):
        (self.here / "directory").mkdir()
        os.mkfifo(self.here / "pipe")
        os.symlink("circle", self.here / "circle")
        for option in ("--output", "--checkpoint"):
            for name, says in (("directory", "it is a directory"), ("pipe", "not a regular file"), ("/dev/null", "not a regular"),
                               ("none/x", "No such file"), ("circle", "in a circle"), ("x" * 256, "too long")):
                with self.subTest(option + " " + name):
                    self.refused("run", *ENDLESS, option, name, status=2, has=[says])
        self.assertEqual(self.files(), ["circle", "directory", "pipe"])
        self.assertFalse(os.path.exists("/dev/null.lock"))

    def test_not_allowed(self):
        (self.here / "sealed").mkdir()
        nobody = {"user": 65534, "group": 65534} if os.geteuid() == 0 else {}
        os.chmod(self.here, 0o755)
        os.chmod(self.here / "sealed", 0o555)
        for option in ("--output", "--checkpoint"):
            self.refused("run", *ENDLESS, option, "sealed/x", status=2, has=["sealed/x:", "Permission denied"], **nobody)
        os.chmod(self.here / "sealed", 0o755)

    def test_a_damaged_result(self):
        self.run_program("run", *SMALL, "--output", "o.h5")
        damaged = bytearray(self.get("o.h5"))
        damaged[5000] ^= 1
        self.put("o.h5", damaged)
        self.refused("run", *ENDLESS, "--output", "o.h5", status=2, has=["o.h5: damaged", "name another file"])
        self.assertEqual(self.get("o.h5"), damaged)

    def test_a_second_checkpoint_of_a_study(self):
        self.put("s.toml", b'bodies = 64\nsteps = 4000000000\nmethod = "vlv"\nstep = [0.125, 0.25]\n')
        self.put("c.2.previous")
        self.refused("run", "s.toml", "--checkpoint", "c", status=2, has=["c.2.previous:"])
        self.assertEqual(self.files(), ["c.2.previous", "s.toml"])


class OlderResults(Output):
    def test_stay_as_previous(self):
        self.run_program("run", *SMALL, "--output", "o.h5")
        first = self.get("o.h5")
        self.run_program("run", *SMALL, "--output", "o.h5", "--seed", "2")
        self.assertEqual(self.files(), ["o.h5", "o.h5.previous"])
        self.assertEqual(self.get("o.h5.previous"), first)
        self.assertNotEqual(self.get("o.h5"), first)

    def test_incomplete_does_not_replace_complete(self):
        self.run_program("run", *SMALL, "--output", "o.h5")
        first = self.get("o.h5")
        err = self.interrupted(*ENDLESS, "--output", "o.h5")[1]
        self.assertIn("o.h5.incomplete", err)
        self.assertEqual(self.get("o.h5"), first)
        self.assertEqual(self.files(), ["o.h5", "o.h5.incomplete"])
        self.assertIn("incomplete", self.run_program("info", "o.h5.incomplete").stdout)
        second = self.get("o.h5.incomplete")
        self.interrupted(*ENDLESS, "--output", "o.h5")
        self.assertEqual(self.get("o.h5"), first)
        self.assertEqual(self.get("o.h5.incomplete.previous"), second)

    def test_incomplete_where_there_is_none(self):
        err = self.interrupted(*ENDLESS, "--output", "o.h5")[1]
        self.assertNotIn("o.h5.incomplete", err)
        self.assertEqual(self.files(), ["o.h5"])
        self.interrupted(*ENDLESS, "--output", "o.h5")
        self.assertEqual(self.files(), ["o.h5", "o.h5.previous"])
        self.run_program("run", *SMALL, "--output", "o.h5")
        self.assertEqual(self.methods_in("o.h5"), ["vlv", "eln"])

    def test_incomplete_does_not_push_out_a_complete_previous(self):
        self.run_program("run", *SMALL, "--output", "o.h5")
        complete = self.get("o.h5")
        os.rename(self.here / "o.h5", self.here / "o.h5.previous")
        for _ in range(2):
            self.interrupted(*ENDLESS, "--output", "o.h5")
            self.assertEqual(self.get("o.h5.previous"), complete)

    def test_the_file_that_is_read(self):
        self.run_program("run", *SMALL, "--output", "o.h5")
        first = self.get("o.h5")
        os.rename(self.here / "o.h5", self.here / "o.h5.previous")
        self.refused("rerun", "o.h5.previous", "--output", "o.h5", status=2, has=["output: would write o.h5.previous, which is read"])
        self.assertEqual(self.get("o.h5.previous"), first)
        self.run_program("rerun", "o.h5.previous", "--output", "o.h5.previous")
        self.assertEqual(self.get("o.h5.previous.previous"), first)


class Names(Output):
    def refuse(self, output, checkpoint, *first):
        with self.subTest(output + " " + checkpoint):
            before = self.files()
            self.refused("run", *(first or ENDLESS), "--output", output, "--checkpoint", checkpoint, status=2, has=["both write"])
            self.assertEqual(self.files(), before)

    def test_one_name_for_two_files(self):
        self.refuse("x", "x")
        for suffix in (".partial", ".previous", ".previous.partial", ".incomplete", ".lock"):
            self.refuse("x", "x" + suffix)
        for suffix in (".partial", ".previous", ".previous.partial", ".lock"):
            self.refuse("x" + suffix, "x")
        self.refuse("x.incomplete.previous", "x.incomplete")

    def test_other_spellings(self):
        (self.here / "d").mkdir()
        os.symlink("d", self.here / "e")
        os.symlink("d/x", self.here / "link")
        self.refuse("x", "./x")
        self.refuse("d/x", "e/x.previous")
        self.refuse("link", "d/x")
        self.refuse(str(self.here / "d/x.previous"), "link")
        self.refuse("d/x", "d/../e//x")

    def test_a_study(self):
        self.put("s.toml", b'bodies = 64\nsteps = 4000000000\nmethod = "vlv"\nstep = [0.125, 0.25]\n')
        self.refuse("x", "x", "s.toml")
        self.refuse("x.1", "x", "s.toml")
        self.refuse("x.2.previous", "x", "s.toml")

    def test_neighbours(self):
        self.run_program("run", *SMALL, "--output", "x.h5", "--checkpoint", "x")
        self.run_program("run", *SMALL, "--output", "y", "--checkpoint", "y.2")
        (self.here / "d").mkdir()
        self.run_program("run", *SMALL, "--output", "z", "--checkpoint", "d/z")


class Temporaries(Output):
    def mode(self, name):
        return stat.S_IMODE((self.here / name).stat().st_mode)

    def test_of_a_killed_program(self):
        for sticky, content in ((1, b"half of a file"), (0, b"")):
            self.put("c.partial", content)
            if sticky:
                os.chmod(self.here / "c.partial", 0o1644)
            self.run_program("run", *SMALL, "--checkpoint", "c", "--output", "o.h5")
            self.assertEqual(self.mode("c"), 0o666 & ~self.umask())
            for name in self.files():
                self.assertIn(name, ("c", "c.previous", "o.h5"))
                os.unlink(self.here / name)

    def umask(self):
        mask = os.umask(0o22)
        os.umask(mask)
        return mask

    def test_of_somebody_else(self):
        self.put("treasure")
        ways = {"link": os.link, "symlink": lambda a, b: os.symlink("treasure", b)}
        for option, name in (("--output", "o.h5"), ("--checkpoint", "c")):
            for way, make in ways.items():
                with self.subTest(option + " " + way):
                    make(self.here / "treasure", self.here / (name + ".partial"))
                    self.refused("run", *ENDLESS, option, name, status=2, has=[name + ".partial: is in the way"])
                    self.assertEqual(self.get("treasure"), NOTES)
                    self.assertEqual(self.files(), sorted([name + ".partial", "treasure"]))
                    os.unlink(self.here / (name + ".partial"))

    def test_permissions_are_kept(self):
        self.run_program("run", *SMALL, "--checkpoint", "c")
        for mode in (0o600, 0o640, 0o666):
            for name in ("o.h5", "c"): # an empty c has a c.previous to go on from
                self.put(name, b"")
                os.chmod(self.here / name, mode)
            self.run_program("run", *SMALL, "--output", "o.h5", "--checkpoint", "c")
            for name in ("o.h5", "c"):
                self.assertEqual(oct(self.mode(name)), oct(mode), name)
                self.run_program("verify", name)
            os.unlink(self.here / "o.h5")

    @unittest.skipUnless(os.geteuid() == 0, "needs root")
    def test_owners_are_kept(self):
        self.put("o.h5", b"")
        os.chown(self.here / "o.h5", 65534, 65533)
        os.chmod(self.here / "o.h5", 0o640)
        self.run_program("run", *SMALL, "--output", "o.h5")
        about = (self.here / "o.h5").stat()
        self.assertEqual((about.st_uid, about.st_gid, self.mode("o.h5")), (65534, 65533, 0o640))
        self.run_program("verify", "o.h5")

    def test_a_link_to_a_file_that_is_to_be(self):
        (self.here / "d").mkdir()
        os.symlink("d/second", self.here / "first")
        os.symlink("third", self.here / "d/second")
        for option, name in (("--output", "first"), ("--checkpoint", "first")):
            self.run_program("run", *SMALL, option, name)
            self.assertTrue((self.here / "first").is_symlink() and (self.here / "d/second").is_symlink())
            self.assertTrue((self.here / "d/third").is_file())
            self.run_program("verify", "first")
            for left in (self.here / "d").glob("third*"):
                left.unlink()


class FailingCheckpoint(Output):
    """The directory of the checkpoint goes away while the run is at work."""

    ROOM = 220  # of one line of progress, not of two

    def moved_away(self, steps):
        """The run shows its progress in a pipe that is nearly full, and so cannot get far before the directory is gone."""
        (self.here / "d").mkdir()
        reading, writing = os.pipe()
        size = fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
        full = os.write(writing, b" " * (size - self.ROOM))
        child = subprocess.Popen([PROGRAM, "run", "--backend", "cpu", "--method", "vlv,eln", "--bodies", "64", "--steps", str(steps), "--every",
                                  "10000", "--checkpoint", "d/c", "--checkpoint-every", "0", "--output", "o.h5", "--json",
                                  "--progress", "always"], cwd=self.here, stdout=subprocess.PIPE, stderr=writing)
        os.close(writing)
        child.stderr = open(reading, "rb", buffering=0)
        self.addCleanup(self.end, child)
        waiting = bytearray(4)
        while int.from_bytes(waiting, sys.byteorder) <= full:
            self.assertIsNone(child.poll())
            time.sleep(0.01)
            fcntl.ioctl(reading, termios.FIONREAD, waiting)
        os.rename(self.here / "d", self.here / "elsewhere")
        return child

    def test_the_results_are_not_lost(self):
        child = self.moved_away(2000000)
        out, err = child.communicate(timeout=300)
        self.assertEqual(child.returncode, 1, err)
        self.assertEqual([r["method"] for r in json.loads(out)["results"]], ["vlv", "eln"])
        self.assertEqual(self.methods_in("o.h5"), ["vlv", "eln"])
        lines = [line for line in err.decode().replace("\r", "\n").split("\n") if "spindrift: " in line]
        self.assertEqual(len(lines), 2, err)
        self.assertIn("the run goes on and tries again", lines[0])
        self.assertIn("the results are complete, but the checkpoint is not up to date", lines[1])

    def test_saved_again(self):
        child = self.moved_away(4000000000)
        self.wait_for(b"tries again", child)
        os.rename(self.here / "elsewhere", self.here / "d")
        self.wait_for(b"is saved again", child)
        self.interrupt(child)
        self.run_program("verify", "d/c")

    def test_interrupted(self):
        child = self.moved_away(4000000000)
        self.wait_for(b"tries again", child)
        err = self.interrupt(child)[1]
        self.assertIn("this state could not be saved", err)
        self.assertRegex(err, "nothing of the run is saved|last saved: vlv, step [0-9]+ of 4000000000")


class TwoAtOnce(Output):
    def test_one_checkpoint(self):
        child = self.begin(*ENDLESS, "--checkpoint", "c", "--checkpoint-every", "0")
        for argv in (["run", *ENDLESS, "--checkpoint", "c"], ["run", *ENDLESS, "--checkpoint", "./c"]):
            self.refused(*argv, status=2, has=[f"c: in use by process {child.pid}"])
        while not (self.here / "c").exists():
            self.wait_for(b"body-steps", child)
        self.refused("resume", "c", status=2, has=[f"c: in use by process {child.pid}"])
        self.run_program("info", "c")
        self.interrupt(child)
        self.assertNotIn("c.lock", self.files())

    def test_a_killed_one_is_in_nobodys_way(self):
        child = self.begin(*ENDLESS, "--checkpoint", "c", "--output", "o.h5")
        child.kill()
        child.communicate()
        self.assertIn("c.lock", self.files())
        self.assertIn("o.h5.lock", self.files())
        self.interrupted(*ENDLESS, "--checkpoint", "c", "--output", "o.h5")
        self.assertEqual([n for n in self.files() if n.endswith(".lock")], [])

    def test_one_output(self):
        child = self.begin(*ENDLESS, "--output", "o.h5")
        self.refused("run", *ENDLESS, "--output", "o.h5", status=2, has=[f"o.h5: in use by process {child.pid}"])
        self.interrupt(child)
        self.assertEqual(self.files(), ["o.h5"])

    def test_one_of_a_study(self):
        self.put("s.toml", b'bodies = 64\nsteps = 4000000000\nmethod = "vlv"\nstep = [0.125, 0.25]\n')
        child = self.begin(*ENDLESS, "--checkpoint", "c.2")
        self.refused("run", "s.toml", "--checkpoint", "c", status=2, has=[f"c.2: in use by process {child.pid}"])
        self.interrupt(child)


if __name__ == "__main__":
    unittest.main()
