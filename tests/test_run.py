#!/usr/bin/env python3
"""The JSON document of a run, and which runs a study or a list of methods asks for."""
import os
import unittest

from command_line import SEED1, SMALL, SPHERICAL, Case, science, strict_json


class RunDocument(Case):
    def test_structure_and_types(self):
        document = self.run_json(*SMALL, "--final", "2")
        self.assertEqual(set(document), {"spindrift", "digest", "plan", "plans", "backend", "results"})
        self.assertRegex(document["spindrift"], r"\A\d+\.\d+\.\d+\S*\Z")
        self.assertRegex(document["digest"], r"\A[0-9a-f]{16,}\Z")
        self.assertIsInstance(document["plan"], dict)
        self.assertEqual(set(document["backend"]), {"name", "isa", "devices", "threads"})
        self.assertEqual(document["backend"]["name"], "cpu")
        self.assertIn(document["backend"]["isa"], self.usable())
        self.assertIs(type(document["backend"]["threads"]), int)
        self.assertGreaterEqual(document["backend"]["threads"], 1)
        self.assertEqual([result["method"] for result in document["results"]], ["eln", "vlv", "rk4"])
        for result in document["results"]:
            with self.subTest(result["method"]):
                self.check_result(result)
                self.check_numbers(result)
                self.check_states(result, 2)
                self.assertTrue(all(state["status"] == "ok" for state in result["final"]))
                self.assertEqual((result["problem"], result["step"], result["time"], result["bodies"], result["failed"]),
                                 ("stress", 0.125, 5, 3, 0))

    def test_plan_is_resolved(self):
        plan = self.run_json(*SMALL, "--seed", "7", "--param", "alpha=0.1")["plan"]
        self.assertEqual((plan["problem"], plan["bodies"], plan["step"], plan["steps"], plan["time"]), ("stress", 3, 0.125, 40, 5))
        self.assertEqual(plan["param"]["alpha"], 0.1)
        self.assertEqual(plan["param"]["J"], [2, 2, 4])  # the default is in the plan too
        self.assertEqual(plan["every"], 1)
        self.assertEqual(plan["seed"], 7)
        self.assertEqual(self.run_json(*SMALL)["plan"]["seed"], 1)

    def test_a_seed_has_64_bits(self):
        for seed in (0, 2 ** 63 - 1, 2 ** 63, 2 ** 64 - 1):
            with self.subTest(seed):
                self.assertEqual(self.run_json(*SMALL, "--seed", str(seed))["plan"]["seed"], seed)

    def test_final_states(self):
        for asked, bodies in ((0, 3), (1, 3), (3, 3), (7, 3), (1, 1), (1000, 20)):
            with self.subTest(asked=asked, bodies=bodies):
                argv = ["--bodies", str(bodies), "--steps", "8", "--method", "vlv", "--final", str(asked)]
                result = self.run_json(*argv)["results"][0]
                if asked:
                    self.check_states(result, min(asked, bodies))
                else:
                    self.assertEqual(result.get("final", []), [])
        self.assertNotIn("final", self.run_json(*SMALL)["results"][0])

    def test_two_ways_to_give_an_option(self):
        options = {"problem": "pendulum", "param": "mg=1.5", "method": "rattle,eln", "bodies": "5", "seed": "7", "step": "0.0625",
                   "time": "1", "every": "4", "backend": "cpu", "threads": "2", "isa": "scalar", "final": "2", "progress": "never"}
        apart = [word for name, value in options.items() for word in ("--" + name, value)]
        joined = ["--%s=%s" % pair for pair in options.items()]
        first, second = self.document("run", *apart), self.document("run", *joined)
        self.assertEqual(science(first), science(second))
        self.assertEqual(first["backend"], {"name": "cpu", "isa": "scalar", "devices": "scalar, 2 threads", "threads": 2})
        self.assertEqual(second["backend"], first["backend"])
        self.assertEqual(first["plan"]["param"]["mg"], 1.5)
        self.assertEqual((first["plan"]["seed"], first["plan"]["every"], first["plan"]["time"]), (7, 4, 1))

    def test_time_and_steps_are_two_names_of_one_length(self):
        one = self.run_json("--bodies", "2", "--method", "vlv", "--step", "0.1", "--time", "0.7")  # whole up to rounding only
        two = self.run_json("--bodies", "2", "--method", "vlv", "--step", "0.1", "--steps", "7")
        self.assertEqual(one["plan"]["steps"], 7)
        self.assertEqual(one["results"][0]["energy"], two["results"][0]["energy"])

    def test_numbers_in_full_precision(self):
        third, seventh = repr(1 / 3), repr(0.7 + 2.0 ** -53)
        plan = self.run_json("--bodies", "1", "--steps", "4", "--method", "vlv", "--step", third,
                             "--param", "velocity=0.1,%s,%s" % (third, seventh), "--param", "alpha=1e-300")["plan"]
        self.assertEqual(plan["step"], float(third))
        self.assertEqual(plan["param"]["velocity"], [0.1, float(third), float(seventh)])
        self.assertEqual(plan["param"]["alpha"], 1e-300)
        # a double needs up to 17 digits: among many computed ones some do, under every name
        seen = {}

        def collect(name, node):
            if isinstance(node, dict):
                for key, child in node.items():
                    collect(key, child)
            elif isinstance(node, list):
                for child in node:
                    collect(name, child)
            elif isinstance(node, float):
                seen.setdefault(name, []).append(node)

        for problem in ("stress", "pendulum"):
            argv = ["--problem", problem, "--bodies", "2", "--steps", "50", "--method", "all", "--final", "1"]
            collect("", self.run_json(*argv)["results"])
        for alpha in range(1, 13):
            collect("", self.run_json("--bodies", "1", "--steps", "1", "--method", "eln", "--param", "alpha=0.%d" % alpha)["results"])
        for name in ("initial_mean", "mean", "ci95", "first_half", "second_half", "max_abs_error", "rms_error",
                     "orthogonality_max", "Q", "W", "energy_error"):
            with self.subTest(name):
                self.assertTrue(any(float("%.16g" % value) != value for value in seen[name]), seen[name][:10])

    def test_stdout_is_the_document_alone(self):
        for more in ((), ("--quiet",), ("--progress", "always"), ("--progress", "auto")):
            with self.subTest(more):
                outcome = self.good("run", *SMALL, "--json", "--backend", "cpu", *more)
                strict_json(outcome.out)
                self.assertTrue(outcome.out.endswith("}\n"))
                if "always" not in more:  # stderr is no terminal
                    self.assertEqual(outcome.err, "")

    def test_text_has_every_method_and_the_digest(self):
        text = self.good("run", *SMALL, "--quiet", "--progress", "never")
        self.assertEqual(text.err, "")
        for method in ("eln", "vlv", "rk4"):
            self.assertRegex(text.out, r"(?m)^\s*%s\s" % method)
        self.assertIn(self.digest(*SMALL), text.out)
        self.assertNotIn("nan", text.out)

    def test_undefined_statistics_are_null(self):
        slope = self.run_json("--bodies", "1", "--steps", "40", "--method", "vlv")["results"][0]["energy"]["slope"]
        self.number(slope["mean"], "mean")
        self.assertIsNone(slope["stderr"])  # one body has no spread
        self.assertEqual(slope["ci95"], [None, None])

    def test_half_of_too_few_samples_has_no_slope(self):
        for every in ("4", "8"):  # three samples, two samples
            with self.subTest(every):
                argv = ["--bodies", "3", "--steps", "8", "--every", every, "--method", "eln"]
                slope = self.run_json(*argv)["results"][0]["energy"]["slope"]
                self.number(slope["mean"], "mean")
                self.assertNotEqual(slope["first_half"], 0)
                self.assertNotEqual(slope["second_half"], 0)


class Studies(Case):
    def methods_of(self, *argv):
        return [result["method"] for result in self.run_json("--bodies", "2", "--steps", "2", *argv)["results"]]

    def test_default_study(self):
        document = self.run_json("--steps", "2")
        self.assertEqual(sorted(result["method"] for result in document["results"]), sorted(SEED1))
        for result in document["results"]:
            self.assertEqual((result["problem"], result["bodies"], result["step"]), ("stress", 1024, 0.125))
        stress = next(problem for problem in self.document("problems") if problem["id"] == "stress")
        self.assertEqual((stress["step"], stress["time"]), (0.125, 10000))

    def test_seed1(self):
        self.assertEqual(sorted(self.methods_of("--method", "seed1")), sorted(SEED1))
        self.assertEqual(sorted(self.methods_of("--method", "seed1,rk4")), sorted(SEED1 + ["rk4"]))

    def test_all(self):
        everything = [method["id"] for method in self.document("methods") if method["family"] == "so3"]
        self.assertEqual(sorted(self.methods_of("--method", "all", "--problem", "pendulum")), sorted(everything))
        rest = sorted(set(everything) - set(SPHERICAL))
        self.assertEqual(sorted(self.methods_of("--method", "all")), rest)
        note = self.good("run", "--bodies", "2", "--steps", "2", "--method", "all", "--json").err
        for method in SPHERICAL:  # what is left out is said
            self.assertIn(method, note)

    def test_lists_and_compositions(self):
        wanted = ["vlv@4", "eln", "vlv@8", "rattle@6", "vlv"]
        self.assertEqual(self.methods_of("--method", ",".join(wanted)), wanted)
        digests = {self.digest("--bodies", "1", "--steps", "4", "--method", "vlv" + order) for order in ("", "@4", "@6", "@8")}
        self.assertEqual(len(digests), 4)

    def test_every_symmetric_method_composes(self):
        symmetric = [method for method in self.document("methods")
                     if "symmetric" in method["traits"] and method["order"] == 2 and method["family"] == "so3"]
        wanted = [method["id"] + "@4" for method in symmetric]
        self.assertGreater(len(wanted), 10)
        self.assertEqual(self.methods_of("--problem", "pendulum", "--method", ",".join(wanted)), wanted)


class StudyFiles(Case):
    def study(self, text):
        path = os.path.join(self.directory.name, "study.toml")
        with open(path, "w") as file:
            file.write(text)
        self.addCleanup(lambda: os.path.exists(path) and os.remove(path))
        return path

    def tearDown(self):
        self.assertEqual(os.listdir(self.directory.name), ["study.toml"], "files were left behind")

    TEXT = ('problem = "free"\nmethod = ["eln", "vlv@4"]\nbodies = 4\nstep = 0.125\nsteps = 8\nseed = 7\nevery = 2\n'
            'sigma-attitude = 0.02\n\n[param]\nJ = [1, 2, 2.5]\n')

    def test_keys_are_options(self):
        self.study(self.TEXT)
        options = ["--problem", "free", "--method", "eln,vlv@4", "--bodies", "4", "--step", "0.125", "--steps", "8", "--seed", "7",
                   "--every", "2", "--sigma-attitude", "0.02", "--param", "J=1,2,2.5", "--final", "4"]
        from_file = self.run_json("study.toml", "--final", "4")
        self.assertEqual(science(from_file), science(self.run_json(*options)))

    def test_the_command_line_wins(self):
        self.study(self.TEXT)
        plan = self.run_json("study.toml", "--bodies", "3", "--seed=9", "--method", "rk4", "--param", "J=3,3,3")["plan"]
        self.assertEqual((plan["bodies"], plan["seed"], plan["param"]["J"], plan["step"]), (3, 9, [3, 3, 3], 0.125))

    def test_bad_studies(self):
        for text, *patterns in (
                ("bodys = 3", "bodys", "'bodies'"), ('bodies = "x"', "bodies", "number"), ("bodies = 0", "bodies", "1 to"),
                ("bodies = 1.5", "bodies", r"1\.5"), ("bodies =", r"study\.toml:1"), ("bodies = 3\nbodies = 4", "bodies", ":2"),
                ("step = -1", "step", "-1", "positive"), ("step = nan", "step", "nan", "finite|number"),
                ('problem = "stres"', "'stres'", "'stress'"), ('method = ["eln", "vlw"]', "'vlw'", "'vlv'"),
                ("[param]\nalpa = 1", "alpa", "'alpha'"), ("[param]\nJ = [1, 1, 3]", r"\bJ\b", "1, ?1, ?3"), ("\0\1\2", r"study\.toml")):
            self.study(text + "\n")
            with self.subTest(text=text):
                self.refused(["run", "study.toml", "--quiet"], r"study\.toml", *patterns)
        self.refused(["run", "none.toml"], r"none\.toml")
        self.refused(["run", "."], r"\.: ")


if __name__ == "__main__":
    unittest.main()
