#!/usr/bin/env python3
"""test_resume.py - going on from a checkpoint, repeating a result, showing either, as a user meets them.

SPINDRIFT=PROGRAM test_resume.py"""
import json
import os
import shutil
import subprocess
import unittest

from case import PROGRAM, Case

PLAN = ["--method", "vlv,eln", "--bodies", "20", "--steps", "400", "--every", "20"]
STUDY = 'bodies = 16\nsteps = 200\nmethod = ["vlv", "eln"]\nstep = [0.125, 0.25, 0.0625]\n'


class Study(Case):
    def setUp(self):
        super().setUp()
        (self.here / "s.toml").write_text(STUDY)
        self.wanted = self.digest("run", "s.toml", "--checkpoint", "ck")
        self.names = self.files()

    def test_any_of_its_files_resumes_the_whole(self):
        for name in ("ck", "ck.1", "ck.2", "ck.3"):
            with self.subTest(name):
                done = self.run_program("resume", name, "--json")
                self.assertEqual(json.loads(done.stdout)["digest"], self.wanted)
                self.assertEqual(done.stderr.count("all was done"), 3)
                self.assertEqual(self.files(), self.names)

    def test_what_is_not_there_is_done(self):
        for name in ("ck.3", "ck.3.previous", "ck.1", "ck.1.previous"):
            (self.here / name).unlink()
        done = self.run_program("resume", "ck.2", "--json")
        self.assertEqual(json.loads(done.stdout)["digest"], self.wanted)
        self.assertEqual(done.stderr.count("all was done in ck.2"), 1)
        self.assertEqual(self.files(), self.names)

    def test_a_file_that_was_renamed(self):
        shutil.copy(self.here / "ck.2", self.here / "other")
        shutil.copy(self.here / "ck.2", self.here / "ck.7")
        names = self.files()
        for name in ("other", "ck.7"):
            self.refused("resume", name, status=2, has=[name, "run 2 of the 3", "renamed"])
        self.assertEqual(self.files(), names)

    def test_two_files_that_were_exchanged(self):
        shutil.copy(self.here / "ck.1", self.here / "kept")
        shutil.copy(self.here / "ck.2", self.here / "ck.1")
        self.refused("resume", "ck", status=2, has=["ck.1", "run 2 of the 3"])

    def test_info_tells_the_place(self):
        self.assertIn("run 2 of the 3 of a study", self.run_program("info", "ck.2").stdout)

    def test_a_single_run_is_no_part_of_a_study(self):
        self.run_program("run", *PLAN, "--checkpoint", "single.1")
        names = self.files()
        self.refused("resume", "single", status=2, has=["no such checkpoint", "single.1"])
        self.assertEqual(self.files(), names)
        self.run_program("resume", "single.1")
        self.assertEqual(self.files(), names)


class LongNames(Case):
    """Beyond any buffer, and within what the system takes."""

    def deep(self, length):
        place = "/".join(["d" * 150] * (length // 151))
        os.makedirs(self.here / place)
        return place + "/" + "x" * (length - len(place) - 1)

    def test_long_paths(self):
        wanted = self.digest("run", *PLAN)
        for length in (990, 1000, 1001, 1023, 1024, 1100, 2000):
            with self.subTest(length):
                name = self.deep(length)
                self.assertEqual(self.digest("run", *PLAN, "--checkpoint", name, "--output", name + ".h5"), wanted)
                done = self.run_program("resume", name, "--json", "--output", name + ".h5")
                self.assertIn("all was done", done.stderr)
                self.assertEqual(json.loads(done.stdout)["digest"], wanted)
                self.run_program("verify", name)
                self.assertIn("same digest", self.run_program("rerun", name + ".h5").stderr)
                self.assertEqual(sorted(p.name[-9:] for p in (self.here / name).parent.iterdir()),
                                 sorted(n[-9:] for n in (name, name + ".h5", name + ".previous", name + ".h5.previous")))
                shutil.rmtree(self.here / ("d" * 150))

    def test_long_names_of_a_study(self):
        (self.here / "s.toml").write_text(STUDY)
        wanted = self.digest("run", "s.toml")
        name = self.deep(1100)
        self.assertEqual(self.digest("run", "s.toml", "--checkpoint", name), wanted)
        for each in (name, name + ".1", name + ".2"):
            done = self.run_program("resume", each, "--json")
            self.assertEqual(done.stderr.count("all was done"), 3)
            self.assertEqual(json.loads(done.stdout)["digest"], wanted)
        self.assertEqual(len(list((self.here / name).parent.iterdir())), 6)

    def test_too_long_is_for_the_system_to_say(self):
        name = "y" * 5000
        for option in ("--checkpoint", "--output"):
            self.refused("run", *PLAN, option, name, status=2, has=["File name too long"])
        self.refused("resume", name, status=1, has=["File name too long"])
        self.assertEqual(self.files(), [])


class Output(Case):
    def test_a_resume_without_it_says_so(self):
        self.run_program("run", *PLAN, "--checkpoint", "ck", "--output", "o.h5")
        (self.here / "o.h5").unlink()
        for again in range(2):  # what a resume saves remembers it as well
            (self.here / "ck").write_bytes((self.here / "ck.previous").read_bytes())
            done = self.run_program("resume", "ck")
            last = done.stderr.splitlines()[-1]
            self.assertIn("no result file was written", last)
            self.assertIn("spindrift resume ck --output o.h5", last)
            self.assertNotIn("o.h5", self.files())
        self.assertIn("begun with --output o.h5", self.run_program("info", "ck").stdout)
        typed = last[last.index("resume"):].split()
        self.assertNotIn("no result file", self.run_program(*typed).stderr)
        self.run_program("verify", "o.h5")

    def test_nothing_is_said_without_need(self):
        self.run_program("run", *PLAN, "--checkpoint", "plain")
        self.run_program("run", *PLAN, "--checkpoint", "ck", "--output", "o.h5")
        for argv in (["plain"], ["ck", "--output", "p.h5"], ["ck", "--quiet"]):
            self.assertNotIn("no result file", self.run_program("resume", *argv).stderr)

    def test_strange_names(self):
        for name, shown in (("a b.h5", "'a b.h5'"), ("x';echo $(id)", r"'x'\'';echo $(id)'"), ("\033[2Jx", r"'\x1b[2Jx'")):
            self.run_program("run", *PLAN, "--checkpoint", "ck", "--output", name)
            done = self.run_program("resume", "ck")
            self.assertTrue(done.stderr.endswith(" --output " + shown + "\n"), done.stderr)
            for made in self.files():
                (self.here / made).unlink()

    def test_a_study(self):
        (self.here / "s.toml").write_text(STUDY)
        self.run_program("run", "s.toml", "--checkpoint", "ck", "--output", "o.h5")
        self.assertIn("spindrift resume ck.2 --output o.h5", self.run_program("resume", "ck.2").stderr)


class Rerun(Case):
    def test_other_samples_are_not_compared(self):
        self.run_program("run", *PLAN, "--output", "o.h5")
        done = self.run_program("rerun", "o.h5", "--every", "10")
        self.assertIn("nothing is compared", done.stderr)
        self.assertNotIn("same digest", done.stderr)
        done = self.run_program("rerun", "o.h5", "--every", "20")
        self.assertIn("same digest", done.stderr)
        self.assertNotIn("nothing is compared", done.stderr)

    def test_a_trajectory_is_of_a_body(self):
        self.run_program("run", *PLAN, "--output", "o.h5")
        done = self.refused("rerun", "o.h5", "--trajectory", status=2, has=["--member"])
        self.assertEqual(done.stdout, "")

    def test_bodies_by_their_number_in_the_ensemble(self):
        everything = [*PLAN, "--trajectories", "20", "--json"]
        whole = json.loads(self.run_program("run", *everything, "--first-body", "512", "--output", "o.h5").stdout)
        for body in (512, 513, 531):
            one = json.loads(self.run_program("rerun", "o.h5", "--body", str(body), "--trajectory", "--json").stdout)
            for a, b in zip(whole["results"], one["results"]):
                self.assertEqual([t for t in a["trajectories"] if t["body"] == body], b["trajectories"])
        for body in ("0", "1", "511", "532", "-1", "x", "18446744073709551615", "99999999999999999999"):
            self.refused("rerun", "o.h5", "--body", body, status=2, has=[body, "512 to 531"])


class Order(Case):
    FAILS = ["--problem", "stress", "--time", "100", "--step", "2,1"]

    def test_the_document_is_whole(self):
        done = self.run_program("order", *self.FAILS, "--method", "eln,rk2,eln-exp", "--json", status=1)
        entries = json.loads(done.stdout)
        self.assertEqual([e["method"] for e in entries], ["eln", "rk2", "eln-exp"])
        self.assertIn("rk2 at step 2", entries[1]["error"])
        self.assertNotIn("errors", entries[1])
        for good in (entries[0], entries[2]):
            self.assertNotIn("error", good)
            self.assertEqual(len(good["errors"]), 2)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn("rk2 at step 2", done.stderr)

    def test_the_table_goes_on(self):
        out = self.run_program("order", *self.FAILS, "--method", "rk2,eln", status=1).stdout
        self.assertIn("\nrk2\nno order: rk2 at step 2", out)
        self.assertIn("fitted order", out)

    def test_bad_usage_comes_before_the_document(self):
        done = self.refused("order", "--json", "--time", "5", "--step", "0.3,0.25", status=2, has=["0.3"])
        self.assertEqual(done.stdout, "")


class Shown(Case):
    def test_names_of_files(self):
        name, shown = "a\033]0;x\007.h5", r"a\x1b]0;x\x07.h5"
        self.run_program("run", *PLAN, "--output", name)
        for verb in ("info", "verify"):
            self.assertTrue(self.run_program(verb, name).stdout.startswith(shown + ":"))

    def test_names_that_are_not_utf_8(self):
        name = os.fsencode(str(self.here)) + b"/\xff\xfe.h5"
        self.run_program("run", *PLAN, "--output", os.fsdecode(name))
        done = subprocess.run([PROGRAM, "verify", name], capture_output=True, check=True)
        self.assertTrue(done.stdout.endswith(b"/\\xff\\xfe.h5: every byte is as it was written\n"), done.stdout)


if __name__ == "__main__":
    unittest.main()
