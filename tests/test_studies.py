#!/usr/bin/env python3
"""Studies of several runs: what their documents say, and what a study may say."""
import json
import unittest

from case import Case


class Study(Case):
    def study(self, text):
        (self.here / "s.toml").write_text(text)

    def document(self, *argv):
        return json.loads(self.run_program("run", *argv, "--json", "--quiet").stdout)


class Document(Study):
    def test_each_result_knows_its_run_and_its_parameters(self):
        self.study('problem = ["stress", "free"]\nmethod = ["rk45", "vlv"]\nstep = [0.125, 0.25]\nsteps = 8\nbodies = 2\n'
                   '[param]\nrtol = 1e-9\n[param.stress]\nalpha = 0.25\n')
        found = self.document("s.toml")
        self.assertEqual(found["plans"], found["plan"])
        self.assertEqual([r["run"] for r in found["results"]], [0, 0, 1, 1, 2, 2, 3, 3])
        for result in found["results"]:
            plan = found["plans"][result["run"]]
            own = {"rtol": 1e-9, "atol": 1e-12} if result["method"] == "rk45" else {}
            self.assertEqual(result["param"], {**plan["param"], **own})
            self.assertEqual((result["problem"], result["step"]), (plan["problem"], plan["step"]))
        self.assertEqual([r["param"].get("alpha") for r in found["results"]], [0.25] * 4 + [None] * 4)

    def test_plans_are_a_list_of_one_run_too(self):
        found = self.document("--steps", "8", "--bodies", "2", "--method", "vlv")
        self.assertEqual(found["plans"], [found["plan"]])
        self.assertEqual([r["run"] for r in found["results"]], [0])


class Lists(Study):
    def test_seeds_and_sizes(self):
        """A run for each combination: problems outside, then sizes, steps, seeds."""
        self.study('method = "vlv"\nsteps = 8\nseed = [1, "0xffffffffffffffff"]\nstep = [0.25, 0.125]\nbodies = [2, 3]\n')
        plans = self.document("s.toml")["plans"]
        self.assertEqual([(p["members"], p["step"], p["seed"]) for p in plans],
                         [(n, h, s) for n in (2, 3) for h in (0.25, 0.125) for s in (1, 2 ** 64 - 1)])
        one = self.document("--method", "vlv", "--steps", "8", "--seed", "1", "--step", "0.125", "--bodies", "3")
        results = self.document("s.toml")["results"]
        self.assertEqual(results[6]["energy"], one["results"][0]["energy"])

    def test_the_command_line_makes_runs_one(self):
        self.study('method = "vlv"\nsteps = 8\nseed = [1, 2, 3]\nbodies = [2, 3]\n')
        plans = self.document("s.toml", "--seed", "7")["plans"]
        self.assertEqual([(p["members"], p["seed"]) for p in plans], [(2, 7), (3, 7)])

    def test_the_same_as_one_by_one(self):
        self.study('method = "vlv"\nsteps = 8\nbodies = 2\nseed = [4, 5]\n')
        both = self.document("s.toml")["results"]
        for seed, result in zip((4, 5), both):
            alone = self.document("--method", "vlv", "--steps", "8", "--bodies", "2", "--seed", str(seed))["results"][0]
            self.assertEqual(alone["energy"], result["energy"])


class Words(Study):
    def test_the_title_is_printed(self):
        self.study('title = "Seeds \\u001b[31m and drift"\nmethod = "vlv"\nsteps = 8\nbodies = 2\nseed = [1, 2]\n')
        out = self.run_program("run", "s.toml", "--quiet").stdout
        self.assertTrue(out.startswith("Seeds \\x1b[31m and drift\n\nstress: 2 bodies"), out)
        self.assertEqual(out.count("and drift"), 1)

    def test_the_title_is_in_the_document_and_in_no_digest(self):
        rest = 'method = "vlv"\nsteps = 8\nbodies = 2\n'
        self.study(rest)
        plain = self.document("s.toml")
        self.study('title = "Seeds \\u001b \\"and\\" drift"\n' + rest)
        titled = self.document("s.toml")
        self.assertNotIn("title", plain)
        self.assertEqual(titled["title"], 'Seeds \x1b "and" drift')
        self.assertEqual(titled["digest"], plain["digest"])
        self.assertEqual(self.document("s.toml", "--steps", "9")["title"], titled["title"])

    def test_series(self):
        for wanted in (True, False):
            self.study('method = "vlv"\nsteps = 8\nbodies = 2\nseries = %s\n' % str(wanted).lower())
            self.assertEqual("series" in self.document("s.toml")["results"][0], wanted)
        self.assertIn("series", self.document("s.toml", "--series")["results"][0])


class Lines(Study):
    def at(self, line, text, *has, argv=()):
        with self.subTest(text):
            self.study(text)
            self.refused("run", "s.toml", *argv, status=2, has=["s.toml:%d: " % line, *has])

    def test_every_refused_value_has_its_line(self):
        head = 'bodies = 2\nmethod = "vlv"\n'
        self.at(3, head + "steps = -1\n", "steps: -1")
        self.at(3, head + 'time = 1\nstep = 0.3\n', "whole number of steps of 0.3")
        self.at(4, head + '\nstep = 0.3\n', "whole number of steps of 0.3")  # of the problem's own time
        self.at(1, 'method = ["eln", "vlw"]\nsteps = 8\n', "'vlw'")
        self.at(3, '\n\nproblem = "stres"\n', "'stres'")
        self.at(5, head + "steps = 8\n[param]\nalpha = 1e9\n", "alpha", "out of range")
        self.at(5, head + "steps = 8\n[param]\nJ = [1, 1, 9]\n", "sum of the other two")
        self.at(6, head + 'steps = 8\n[param]\nalpha = 0.5\nmgl = 3\n', "mgl")
        self.at(3, head + "every = 9\nsteps = 8\n", "every: 9")
        self.at(3, head + 'impulse = "t=1,dv=1,0,0"\n', "impulse")
        self.at(3, head + 'max-time = 5\n', "max-time")
        self.at(3, head + 'isa = "sse"\n', "sse")
        self.at(3, head + 'sigma-position = 5\n', "sigma-position")
        self.at(2, 'method = "vlv"\nstep = [0.125, 0.3]\n', "0.3")
        self.at(1, 'method = "rrp"\nsteps = 8\n', "rrp", "equal")

    def test_a_refused_file_has_the_line_that_names_it(self):
        head = 'bodies = 2\nmethod = "vlv"\nsteps = 8\n'
        (self.here / "folder").mkdir()
        (self.here / "mine.txt").write_text("mine")
        for argv in ((), ("--dry-run",)):
            self.at(4, head + 'output = "nowhere/run.h5"\n', "nowhere/run.h5", argv=argv)
            self.at(4, head + 'output = "folder"\n', "it is a directory", argv=argv)
            self.at(5, head + '\noutput = "mine.txt"\n', "not a result file", argv=argv)
            self.at(4, head + 'checkpoint = "nowhere/c"\n', "nowhere/c", argv=argv)
            self.at(5, head + '\ncheckpoint = "folder"\n', "it is a directory", argv=argv)
            self.at(5, head + '\noutput = "run"\ncheckpoint = "run"\n', "both write run", argv=argv)
            self.at(4, head + 'checkpoint = "run"\n', "both write run", argv=(*argv, "--output", "run"))
        self.study(head + 'output = "run.h5"\n')
        done = self.refused("run", "s.toml", "--output", "folder", status=2, has=["it is a directory"])
        self.assertNotIn("s.toml", done.stderr)

    def test_a_fault_of_the_command_line_is_not_the_files(self):
        self.study('bodies = 2\nmethod = "vlv"\n')
        done = self.refused("run", "s.toml", "--time", "1", "--step", "0.3", status=2, has=["0.3"])
        self.assertNotIn("s.toml", done.stderr)
        self.at(2, 'bodies = 2\ntime = 1\n', "0.3", argv=("--step", "0.3"))


if __name__ == "__main__":
    unittest.main()
