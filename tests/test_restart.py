#!/usr/bin/env python3
"""test_restart.py - the files of a run as a user meets them: kill -9 at random moments, damage, full disks, rerun.

SPINDRIFT=PROGRAM test_restart.py"""
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import time
import unittest

from case import PROGRAM, Case

PLAN = ["--method", "vlv,eln", "--bodies", "100", "--steps", "20000", "--every", "40", "--quiet"]


class Kill(Case):
    KILLS = 200

    def test_kill_9_at_random_moments(self):
        plan = ["--method", "vlv,rk4,eln", "--bodies", "128", "--steps", "2500000", "--every", "5000", "--quiet"]
        wanted = self.digest("run", *plan)
        chance = random.Random(1)
        kills, done = 0, None
        while kills < self.KILLS and not done:
            child = subprocess.Popen([PROGRAM, "run", *plan, "--json", "--checkpoint", "c", "--checkpoint-every", "0",
                                      "--output", "o.h5", "--isa", chance.choice(["scalar", "auto"])],
                                     cwd=self.here, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            try:
                done = child.communicate(timeout=chance.uniform(0.005, 0.08))[0]
            except subprocess.TimeoutExpired:
                child.send_signal(signal.SIGKILL)
                child.communicate()
                kills += 1
            if (self.here / "c").exists() and kills % 5 == 0:
                self.run_program("verify", "c")
            if (self.here / "o.h5").exists():
                self.run_program("verify", "o.h5")
        if not done:
            done = self.run_program("resume", "c", "--json", "--output", "o.h5").stdout
        self.assertEqual(json.loads(done)["digest"], wanted)
        self.assertGreaterEqual(kills, 100)
        self.run_program("verify", "o.h5")


class Signals(Case):
    LONG = ["--method", "vlv", "--bodies", "1024", "--steps", "400000", "--every", "4000", "--quiet"]

    def interrupted(self, which, times):
        child = subprocess.Popen([PROGRAM, "run", *self.LONG, "--checkpoint", "c", "--json"], cwd=self.here,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(0.5)
        for _ in range(times):
            child.send_signal(which)
            time.sleep(0.01)
        out, err = child.communicate(timeout=30)
        self.assertEqual(child.returncode, 130, err)
        return out

    def test_a_checkpoint_is_left(self):
        for which in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(which):
                out = self.interrupted(which, 1)
                self.assertIn("complete", out)
                self.run_program("verify", "c")
                self.assertIn("steps of the next", self.run_program("info", "c").stdout)
                self.assertIn("went on from c", self.run_program("resume", "c", "--threads", "2").stderr)
                for name in self.files():
                    os.unlink(self.here / name)

    def test_twice_is_at_once(self):
        self.interrupted(signal.SIGINT, 3)
        for name in self.files():
            if not name.endswith((".partial", ".lock")):
                self.run_program("verify", name)


class Damage(Case):
    def test_the_previous_checkpoint_is_used(self):
        wanted = self.digest("run", *PLAN)
        self.run_program("run", *PLAN, "--checkpoint", "c")
        self.assertEqual(self.files(), ["c", "c.previous"])
        good = (self.here / "c").read_bytes()
        for damage in (good[:-1], good[:100], b"", bytes([good[0] ^ 1]) + good[1:], good[:5000] + b"!" + good[5001:]):
            (self.here / "c").write_bytes(damage)
            shutil.copy(self.here / "c.previous", self.here / "kept")
            done = self.run_program("resume", "c", "--json")
            self.assertIn("c.previous", done.stderr)
            self.assertEqual(json.loads(done.stdout)["digest"], wanted)
            self.refused("verify", "kept2", status=1, has=["kept2"])
            shutil.copy(self.here / "kept", self.here / "c.previous")

    def test_both_damaged(self):
        self.run_program("run", *PLAN, "--checkpoint", "c")
        for name in ("c", "c.previous"):
            (self.here / name).write_bytes(b"nothing of ours")
        self.refused("resume", "c", status=2, has=["c"])
        self.refused("run", *PLAN, "--checkpoint", "c", status=2, has=["c"])

    def test_result(self):
        self.run_program("run", *PLAN, "--output", "o.h5", "--final", "3")
        good = (self.here / "o.h5").read_bytes()
        for at in (0, 100, 511, 600, 5000, len(good) - 1):
            (self.here / "o.h5").write_bytes(good[:at] + bytes([good[at] ^ 4]) + good[at + 1:])
            for verb in ("verify", "rerun", "info"):
                self.refused(verb, "o.h5", status=2, has=["o.h5"])


class Faults(Case):
    def test_missing_directory(self):
        for option in ("--output", "--checkpoint"):
            self.refused("run", *PLAN, option, "none/x", status=2, has=["none/x"])

    def not_saved(self, *argv, says, **more):
        """The checkpoint fails, the results do not."""
        done = self.run_program("run", *PLAN, "--json", *argv, status=1, **more)
        self.assertEqual(json.loads(done.stdout)["digest"], self.wanted)
        self.assertIn(says, done.stderr)
        self.assertIn("the results are complete, but the checkpoint is not up to date", done.stderr.splitlines()[-1])
        self.assertLessEqual(done.stderr.count("\n"), 2, done.stderr)

    def test_a_limit_on_the_size(self):
        self.wanted = self.digest("run", *PLAN, "--output", "o.h5")
        before = (self.here / "o.h5").read_bytes()
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
        self.refused("run", *PLAN, "--output", "o.h5", status=1, has=["o.h5", "too large"], preexec_fn=limit)
        self.not_saved("--checkpoint", "c", says="too large", preexec_fn=limit)
        self.assertEqual(self.files(), ["o.h5"])
        self.assertEqual((self.here / "o.h5").read_bytes(), before)

    def test_a_full_disk(self):
        disk = self.here / "disk"
        disk.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32k", "none", disk], capture_output=True).returncode:
            self.skipTest("mounting a small file system is not allowed here")
        try:
            self.wanted = self.digest("run", *PLAN)
            self.refused("run", *PLAN, "--output", "disk/x", status=1, has=["disk/x", "No space left"])
            self.not_saved("--checkpoint", "disk/x", "--output", "o.h5", says="No space left")
            self.run_program("verify", "o.h5")
            self.assertEqual(list(disk.iterdir()), [])
        finally:
            subprocess.run(["umount", disk], check=True)


class Rerun(Case):
    def test_the_same_digest(self):
        self.run_program("run", *PLAN, "--output", "o.h5", "--param", "alpha=0.31", "--seed", "9")
        self.assertIn("same digest", self.run_program("rerun", "o.h5", "--isa", "scalar", "--threads", "1").stderr)

    def test_one_body_bit_for_bit(self):
        everything = ["--bodies", "60", "--steps", "300", "--every", "10", "--method", "vlv,rk45", "--quiet"]
        whole = json.loads(self.run_program("run", *everything, "--trajectories", "60", "--json", "--output", "o.h5").stdout)
        for body in (0, 1, 17, 59):
            one = json.loads(self.run_program("rerun", "o.h5", "--body", str(body), "--trajectory", "--json").stdout)
            for a, b in zip(whole["results"], one["results"]):
                theirs = [t for t in a["trajectories"] if t["body"] == body][0]
                self.assertEqual(theirs, b["trajectories"][0])
        self.refused("rerun", "o.h5", "--body", "60", status=2, has=["60"])

    def test_a_study(self):
        (self.here / "s.toml").write_text('bodies = 32\nsteps = 400\nmethod = ["vlv", "eln"]\nstep = [0.125, 0.25]\n')
        wanted = self.digest("run", "s.toml")
        self.assertEqual(self.digest("run", "s.toml", "--checkpoint", "c", "--output", "o.h5"), wanted)
        self.assertIn("c.2", self.files())
        self.assertEqual(self.digest("resume", "c"), wanted)
        self.assertEqual(self.digest("rerun", "o.h5"), wanted)


if __name__ == "__main__":
    unittest.main()
