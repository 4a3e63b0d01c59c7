"""test_input.py - what is typed and what a study says, until it is a plan: numbers, letters, what replaces what.

SPINDRIFT_COMMA names the program in a process that has set the locale of its environment."""
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from case import PROGRAM, Case

COMMA = os.environ["SPINDRIFT_COMMA"]
FEW = ("run", "--method", "eln", "--bodies", "3", "--steps", "8")
ORBIT = ("run", "--problem", "orbit-elliptic", "--method", "verlet", "--bodies", "2", "--step", "10", "--steps", "20")


class Input(Case):
    def study(self, text, name="study.toml"):
        (self.here / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return name

    def plan(self, *argv):
        return self.document(*argv)["plan"]

    def document(self, *argv):
        return json.loads(self.run_program(*argv, "--json").stdout)


class Numbers(Input):
    def test_a_seed_is_decimal_or_hexadecimal(self):
        for text, seed in (("010", 10), ("0x10", 16), ("0XFF", 255), ("00", 0), ("08", 8), ("1e3", 1000),
                           ("18446744073709551615", 2 ** 64 - 1), ("0xffffffffffffffff", 2 ** 64 - 1)):
            with self.subTest(text):
                self.assertEqual(self.plan(*FEW, "--seed", text)["seed"], seed)
        self.study('method = "eln"\nbodies = 3\nsteps = 8\nseed = "010"\n')
        self.assertEqual(self.plan("run", "study.toml")["seed"], 10)
        for text in ("-1", "1.5", "0x", "0b1", "0o7", "seven", "", "18446744073709551616", "1e20"):
            with self.subTest(text):
                self.refused(*FEW, "--seed", text, status=2, has=["seed", text])

    def test_whole_numbers_to_the_last_digit(self):
        for first in (2 ** 53 + 1, 2 ** 63 + 1, 2 ** 64 - 4):
            with self.subTest(first):
                document = self.document(*FEW, "--first-body", str(first), "--final", "3", "--trajectories", "2")
                self.assertEqual(document["plan"]["first_body"], first)
                result = document["results"][0]
                self.assertEqual([f["body"] for f in result["final"]], [first, first + 1, first + 2])
                self.assertEqual([t["body"] for t in result["trajectories"]], [first, first + 1])
        self.refused(*FEW, "--first-body", str(2 ** 64 - 3), status=2, has=["first-body", "3 bodies", str(2 ** 64 - 4)])
        for text in (str(2 ** 64), "1e20", "-1"):
            self.refused(*FEW, "--first-body", text, status=2, has=["first-body", text, "out of range"])
        self.refused(*FEW, "--bodies", "1000000000.5", status=2, has=["bodies", "whole"])

    def test_two_names_of_one_option(self):
        digest = self.digest(*FEW)
        rest = ("run", "--method", "eln", "--steps", "8")
        self.assertEqual(self.digest(*rest, "--members", "3"), digest)
        self.assertEqual(self.digest(*FEW, "--members", "3"), digest)
        self.refused(*FEW, "--members", "4", status=2, has=["members: 4", "bodies", "is 3", "give one of the two"])
        self.refused(*FEW, "--first-body", "1", "--first-member", "2", status=2, has=["first-member: 2", "first-body"])
        self.study('method = "eln"\nmembers = 5\nsteps = 8\n')
        self.assertEqual(self.digest("run", "study.toml", "--bodies", "3"), digest)  # the command line wins, by either name
        self.study('method = "eln"\nmembers = 5\nsteps = 8\nbodies = 4\n')
        self.refused("run", "study.toml", status=2, has=["study.toml:4: bodies: 4", "members", "is 5"])

    def test_bodies_far_out_are_neighbours(self):
        first = 2 ** 53
        two = self.document(*FEW, "--first-body", str(first), "--final", "2")["results"][0]["final"]
        one = self.document(*FEW, "--first-body", str(first + 1), "--final", "1")["results"][0]["final"]
        self.assertEqual(two[1], one[0])
        self.assertNotEqual(two[0]["Q"], two[1]["Q"])

    def test_far_bodies_of_a_study_and_of_a_file(self):
        digest = self.digest(*FEW, "--first-body", str(2 ** 63 + 1), "--output", "run.h5")
        self.study('method = "eln"\nbodies = 3\nsteps = 8\nfirst-body = "%d"\n' % (2 ** 63 + 1))
        self.assertEqual(self.digest("run", "study.toml"), digest)
        self.assertEqual(self.digest("rerun", "run.h5"), digest)
        one = self.document("rerun", "run.h5", "--body", str(2 ** 63 + 3))["results"][0]["final"]
        self.assertEqual(one[0]["body"], 2 ** 63 + 3)

    def test_there_is_one_zero(self):
        for zero, minus in ((("--sigma-attitude", "0"), ("--sigma-attitude", "-0.0")),
                            (("--param", "velocity=1,0,0"), ("--param", "velocity=1,-0,-0.0"))):
            self.assertEqual(self.digest(*FEW, *zero), self.digest(*FEW, *minus))
        self.study('method = "eln"\nbodies = 3\nsteps = 8\nsigma-attitude = -0.0\n')
        self.assertEqual(self.digest(*FEW, "--sigma-attitude", "0"), self.digest("run", "study.toml"))

    def test_too_small_is_not_zero(self):
        self.refused(*FEW, "--sigma-attitude", "1e-400", status=2, has=["sigma-attitude", "1e-400", "too small"])

    def test_keys_of_an_impulse(self):
        for key, text in (("t", "t=1,t=2,dv=1,0,0"), ("dv", "t=1,dv=1,0,0,dv=1,0,0"), ("size", "size=0.1,t=1,dv=1,0,0,size=0.1")):
            with self.subTest(text):
                self.refused(*ORBIT, "--impulse", text, status=2, has=["impulse", text, "%s twice" % key])
        self.plan(*ORBIT, "--impulse", "angle=0.1,dv=1,0,0,size=0.1,t=1")


class Letters(Input):
    HEAD = 'method = "eln"\nbodies = 2\nsteps = 8\n'

    def test_names_of_files(self):
        for name in ("résultat.h5", "δοκιμή.h5", "波🌊.h5"):
            for quote in ("'", '"'):
                with self.subTest(name=name, quote=quote):
                    self.study(self.HEAD + "# naïve\noutput = %s%s%s\n" % (quote, name, quote))
                    self.run_program("run", "study.toml", "--quiet")
                    self.assertEqual(self.files(), sorted(["study.toml", name]))
                    self.run_program("verify", name)
                    (self.here / name).unlink()

    def test_a_checkpoint_by_that_name(self):
        self.study(self.HEAD + "checkpoint = 'é.ckpt'\n")
        self.run_program("run", "study.toml", "--quiet")
        self.assertTrue((self.here / "é.ckpt").exists())

    def test_bytes_that_are_not_utf8(self):
        self.study(self.HEAD.encode() + b"output = 'caf\xe9.h5'\n")
        self.refused("run", "study.toml", status=2, has=["study.toml:4:", "0xE9", "UTF-8"])
        self.assertEqual(self.files(), ["study.toml"])

    def test_a_key_is_shown_as_it_is(self):
        self.study('"bodiés" = 3\n')
        self.refused("run", "study.toml", status=2, has=["study.toml:1:", "bodiés", "'bodies'"])


class Sources(Input):
    """The command line wins over the study: one of time and steps over either, its impulses over all."""

    def test_length(self):
        for given in ("time = 3", "steps = 24"):
            self.study('method = "eln"\nbodies = 2\nstep = 0.125\n%s\n' % given)
            with self.subTest(given):
                self.assertEqual(self.plan("run", "study.toml")["steps"], 24)
                self.assertEqual(self.plan("run", "study.toml", "--steps", "8")["steps"], 8)
                self.assertEqual(self.plan("run", "study.toml", "--time", "2")["steps"], 16)
                self.assertEqual(self.plan("run", "study.toml", "--time", "2", "--steps", "16")["steps"], 16)
                self.refused("run", "study.toml", "--time", "2", "--steps", "8", status=2,
                             has=["time 2", "8 steps", "contradict each other; give one"])
        self.study('method = "eln"\nbodies = 2\nstep = 0.125\ntime = 3\n')
        self.assertEqual(self.plan("run", "study.toml", "--step", "0.25")["steps"], 12)
        self.study('method = "eln"\ntime = 3\nsteps = 24\n')
        self.refused("run", "study.toml", "--steps", "8", status=2, has=["study.toml:3:", "keep one"])

    def test_a_mistake_that_is_replaced_is_still_one(self):
        self.study('method = "eln"\nbodies = 2\ntime = -3\n')
        self.refused("run", "study.toml", "--steps", "8", status=2, has=["study.toml:3:", "time", "-3", "positive"])

    def test_impulses(self):
        self.study('problem = "orbit-elliptic"\nmethod = "verlet"\nbodies = 2\nstep = 10\nsteps = 20\n'
                   'impulse = ["t=50,dv=0.1,0,0", "t=20,dv=0,0.1,0"]\n')
        times = lambda *argv: [i["t"] for i in self.plan("run", "study.toml", *argv)["impulses"]]
        self.assertEqual(times(), [20, 50])
        self.assertEqual(times("--seed", "2"), [20, 50])
        self.assertEqual(times("--impulse", "t=60,dv=1,0,0"), [60])
        self.assertEqual(times("--impulse", "t=60,dv=1,0,0", "--impulse", "t=40,dv=1,0,0"), [40, 60])


class Locale(Input):
    """Every verb says the same in a process that writes 0,5 for 0.5."""

    @classmethod
    def setUpClass(cls):
        locales = tempfile.TemporaryDirectory()
        cls.addClassCleanup(locales.cleanup)
        cls.environment = dict(os.environ, LC_ALL="de_DE.UTF-8", LANGUAGE="", LOCPATH=locales.name)
        if not shutil.which("localedef"):
            raise unittest.SkipTest("no localedef to make a locale with")
        subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", locales.name + "/de_DE.UTF-8"], capture_output=True)
        probe = subprocess.run(["locale", "decimal_point"], env=cls.environment, capture_output=True, text=True)
        if probe.stdout.strip() != ",":
            raise unittest.SkipTest("localedef made no locale with a comma")

    def both(self, *argv, status=0):
        done = [subprocess.run([program, *argv], cwd=self.here, env=environment, capture_output=True, text=True, timeout=300)
                for program, environment in ((PROGRAM, dict(os.environ, LC_ALL="C")), (COMMA, self.environment))]
        for one in done:
            self.assertEqual(one.returncode, status, one.stderr)
        return [self.without_times(one.stdout + one.stderr) for one in done]

    @staticmethod
    def without_times(text):
        text = re.sub(r'("(?:seconds|ns_per_body_step)": )[^,\n]*', r"\1-", text)
        text = re.sub(r"(?m)(^\S+ +(?:bounded|drifts .|undecided) .*?) +[\d.]+$", r"\1", text)  # the table's last column
        return re.sub(r"(?m)^(stress +eln +\w+).*", r"\1", text)  # what bench measures

    def test_the_same_words(self):
        (self.here / "study.toml").write_text('method = "eln"\nbodies = 3\nstep = [0.125, 0.25]\ntime = 2.5\n[param]\nalpha = 0.25\n')
        few = ("--method", "eln,rk4", "--bodies", "3", "--step", "0.125", "--time", "12.5", "--sigma-attitude", "0.25",
               "--param", "alpha=0.5", "--final", "1", "--series")
        for argv in (("run", *few), ("run", *few, "--json"), ("run", "study.toml"), ("run", "study.toml", "--json"),
                     ("run", *few, "--output", "run.h5", "--checkpoint", "run.ckpt", "--quiet"), ("info", "run.h5"), ("rerun", "run.h5"),
                     ("order", "--method", "vlv", "--time", "1", "--step", "0.25,0.125"),
                     ("order", "--method", "vlv", "--time", "1", "--step", "0.25,0.125", "--json"),
                     ("methods",), ("methods", "--json"), ("problems",), ("problems", "--json"), ("devices",)):
            with self.subTest(argv):
                plain, comma = self.both(*argv)
                self.assertEqual(plain, comma)

    def test_the_same_refusals(self):
        for argv in ((*FEW, "--step", "0,5"), (*FEW, "--param", "alpha=1000000.5"), (*FEW, "--param", "J=1.5,1,3.5"),
                     ("run", "--time", "1", "--step", "0.3"), ("run", "--step", "0.125", "--time", "10", "--steps", "7")):
            with self.subTest(argv):
                plain, comma = self.both(*argv, status=2)
                self.assertEqual(plain, comma)

    def test_what_bench_measures_has_a_point(self):
        done = subprocess.run([COMMA, "bench", "--method", "eln", "--bodies", "16", "--steps", "20"], cwd=self.here,
                              env=self.environment, capture_output=True, text=True, timeout=300)
        row = [line for line in done.stdout.splitlines() if line.startswith("stress ")][0]
        self.assertNotIn(",", row)

    def test_progress_has_a_point(self):
        done = subprocess.run([COMMA, *FEW, "--progress", "always"], cwd=self.here, env=self.environment, capture_output=True,
                              text=True, timeout=300)
        self.assertRegex(done.stderr, r"\d\.\d M/s")


if __name__ == "__main__":
    unittest.main()
