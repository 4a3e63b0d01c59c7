#!/usr/bin/env python3
"""--until-decided: what comes of it is the run of the last length, to the bit, whatever happened on the way."""
import json
import os
import signal
import subprocess
import time
import unittest

from case import Case
from command_line import science

PROGRAM = os.path.abspath(os.environ["SPINDRIFT"])

PLAN = ("--method", "vlv,eln", "--members", "16", "--time", "50")


class UntilDecided(Case):
    def run_json(self, *argv, status=0):
        return json.loads(self.run_program("run", "--quiet", *argv, "--json", status=status).stdout)

    def verdicts(self, document):
        return {r["method"]: r["verdict"] for r in document["results"]}

    def test_goes_on_and_gives_the_last_length(self):
        found = self.run_json(*PLAN, "--until-decided")
        self.assertEqual(self.verdicts(found), {"vlv": "bounded", "eln": "drifts -"})
        last = found["plan"]["time"]
        self.assertGreater(last, 50)
        self.assertEqual(science(found), science(self.run_json(*PLAN, "--time", str(last))))
        shorter = self.run_json(*PLAN, "--time", str(last / 2))
        self.assertIn("undecided", self.verdicts(shorter).values())

    def test_decided_at_once(self):
        plan = (*PLAN, "--time", "1600")
        self.assertEqual(science(self.run_json(*plan, "--until-decided")), science(self.run_json(*plan)))

    def test_limit(self):
        done = self.run_program("run", *PLAN, "--until-decided", "--max-time", "120", "--json")
        self.assertIn("undecided up to time 100, as far as --max-time goes", done.stderr)
        self.assertEqual(json.loads(done.stdout)["plan"]["time"], 100)

    def test_failed_members_are_not_waited_for(self):
        document = self.run_json("--method", "rk2", "--members", "5", "--step", "0.25", "--time", "2500", "--until-decided", status=3)
        self.assertEqual(document["plan"]["time"], 2500)
        self.assertEqual(document["results"][0]["because"], "5 of 5 members failed")

    def test_interrupted_without_a_checkpoint(self):
        """The last length that was complete is what there is then."""
        plan = ["--method", "vlv", "--members", "64", "--time", "50", "--resolve", "1e-9", "--until-decided", "--max-time", "1e8"]
        process = subprocess.Popen([PROGRAM, "run", *plan, "--json"], cwd=self.here, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        document = json.loads(out)
        self.assertEqual(len(document["results"]), 1)
        self.assertIn("and no longer: interrupted", err)
        self.assertEqual(document["digest"], self.run_json("--method", "vlv", "--members", "64", "--resolve", "1e-9",
                                                           "--time", repr(document["plan"]["time"]))["digest"])

    def test_resumed_longer_than_begun(self):
        """A plain run's checkpoint, gone on with until it is decided."""
        self.run_program("run", *PLAN, "--checkpoint", "a.ckpt", "--quiet")
        self.assertEqual(self.digest("resume", "a.ckpt", "--until-decided", "--quiet"), self.run_json(*PLAN, "--until-decided")["digest"])

    def test_in_a_study(self):
        (self.here / "s.toml").write_text('method = ["vlv", "eln"]\nmembers = 16\ntime = 50\nstep = [0.125, 0.25]\nuntil-decided = true\n')
        document = self.run_json("s.toml")
        self.assertNotIn("undecided", [r["verdict"] for r in document["results"]])
        short = self.run_json("s.toml", "--until-decided=no")
        self.assertEqual([r["time"] for r in short["results"]], [50] * 4)
        self.refused("run", "--max-time", "100", status=2, has=["max-time is how long until-decided may make the run"])
        (self.here / "s.toml").write_text("until-decided = 3\n")
        self.refused("run", "s.toml", status=2, has=["until-decided: expected a boolean"])

    def test_interrupted_in_any_length(self):
        """Killed again and again; and resumed from the checkpoint alone, or by the same command."""
        plan = ("--method", "vlv,eln,tln", "--members", "300", "--time", "50", "--resolve", "0.01", "--until-decided", "--progress", "never")
        expected = self.run_json(*plan)["digest"]
        for again in ("run", "resume"):
            with self.subTest(again):
                name, kills, digest = f"{again}.ckpt", 0, None
                command = ["run", *plan, "--checkpoint", name]
                pause = 0.1
                for _ in range(200):
                    process = subprocess.Popen([PROGRAM, *command, "--checkpoint-every", "0", "--json"], cwd=self.here,
                                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                    try:
                        out, _ = process.communicate(timeout=pause)
                        digest = out.split(b'"digest": "')[1][:32].decode()
                        break
                    except subprocess.TimeoutExpired:
                        process.kill()
                        process.communicate()
                        kills += 1
                        pause *= 1.2
                    if again == "resume" and (self.here / name).exists():
                        command = ["resume", name]
                self.assertEqual(digest, expected)
                self.assertGreater(kills, 2)
        told = self.run_program("info", "run.ckpt").stdout
        self.assertRegex(told, r"until every method has a verdict: doubled \d+ times so far")


if __name__ == "__main__":
    unittest.main()
