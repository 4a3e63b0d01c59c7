#!/usr/bin/env python3
"""Help, version and what there is: methods, problems, devices."""
import re
import unittest

from command_line import PROBLEMS, Case

VERBS = ["run", "methods", "problems", "order", "bench", "devices"]
ORDERS = {
    "eln": 2, "eln-exp": 2, "tln": 2, "tln-exp": 2, "liemid-ea": 2, "liemid-e1": 1, "liemid-e2": 1, "liemid-i": 2,
    "trapm": 2, "prk": 2, "mcg": 2, "new3": 2, "vlv": 2, "akw": 2, "sw-c1": 2, "sw-1": 2, "sw-e": 2, "rattle": 2,
    "rrp": 2, "rrp-newmark": 2, "rrp-euler": 1, "campello": 1, "split": 2, "free-exact": 2, "rk2": 2, "rk4": 4, "rk45": 5,
    "bm4": 4, "bm6": 6, "bce8": 8, "proc6": 6, "rk8": 8, "dop853": 8, "rk10": 10,
}  # lewis-simo may be missing


class Help(Case):
    def test_help_of_every_verb_with_an_example_that_runs(self):
        for verb in VERBS:
            with self.subTest(verb):
                text = self.good(verb, "--help")
                self.assertEqual(text.err, "")
                self.assertIn("spindrift " + verb, text.out)
                self.assertRegex(text.out, r"(?i)example")
                example = re.search(r"(?im)^.*example:?\s+(?:\$ )?spindrift (%s\b.*)$" % verb, text.out)
                self.assertIsNotNone(example, text.out)
                words = example.group(1).split()
                if "--members" in words:  # the same command, smaller
                    words[words.index("--members") + 1] = "2"
                self.good(*words)

    def test_general_help_lists_every_verb(self):
        text = self.good("--help")
        self.assertEqual(text.err, "")
        self.assertRegex(text.out, r"(?i)example")
        for verb in VERBS:
            self.assertRegex(text.out, r"(?m)^\s*%s\b" % verb)

    def test_help_of_run_shows_every_option(self):
        text = self.good("run", "--help").out
        for option in ("problem param method members bodies seed step time steps every backend threads isa final json "
                       "progress quiet").split():
            self.assertRegex(text, r"--%s\b" % option)

    def test_help_of_run_names_every_variant(self):
        text = self.good("run", "--help").out
        for value in self.usable():
            self.assertRegex(text, r"(?m)^\s*--isa.*\b%s\b" % value)

    def test_short_forms(self):
        self.assertEqual(self.good("-V").out, self.good("--version").out)
        self.assertEqual(self.good("-h").out, self.good("--help").out)
        for verb in VERBS:
            self.assertEqual(self.good(verb, "-h").out, self.good(verb, "--help").out)
            self.assertEqual(self.good("help", verb).out, self.good(verb, "--help").out)

    def test_help_has_the_verbs_own(self):
        """The word without a dash, the verb's options, and no others."""
        for verb, word, option, others in (("info", "FILE", "verbose", "method"), ("verify", "FILE", "quiet", "json"),
                                           ("resume", "FILE", "checkpoint-every", "problem"), ("rerun", "FILE.h5", "member", "seed"),
                                           ("run", r"\[STUDY.toml\]", "dry-run", "rounds"), ("methods", r"\[ID\|FILE.h\]", "json", "quiet")):
            with self.subTest(verb):
                text = self.good(verb, "--help").out
                self.assertRegex(text, r"(?m)^  %s +\S" % word)
                self.assertRegex(text, r"(?m)^  --%s\b" % option)
                self.assertNotRegex(text, r"(?m)^  --%s\b" % others)
                self.refused([verb, "--" + others], "--%s is not for %s; it is for" % (others, verb))
        self.assertNotIn("Memory", self.good("info", "--help").out)

    def test_version(self):
        text = self.good("--version")
        self.assertRegex(text.out, r"\Aspindrift \d+\.\d+\.\d+\S*\n\Z")
        self.assertEqual(text.err, "")
        self.assertEqual(self.run_json("--bodies", "1", "--steps", "2", "--method", "vlv")["spindrift"], text.out.split()[1])


class Listings(Case):
    def test_methods(self):
        listed = self.document("methods")
        self.assertIsInstance(listed, list)
        text = self.good("methods").out
        ids = [(method["family"], method["id"]) for method in listed]
        self.assertEqual(len(set(ids)), len(ids))
        for method in listed:
            with self.subTest(method["id"]):
                self.assertRegex(text, r"(?m)^\s*%s\s" % re.escape(method["id"]))
                self.assertIs(type(method["order"]), int)
                self.assertEqual(method["order"], ORDERS.get(method["id"], method["order"]))
                self.assertIsInstance(method["traits"], list)
                self.assertTrue(all(isinstance(trait, str) and trait for trait in method["traits"]))
                self.assertIsInstance(method["doi"], str)
                if method["family"] in ("so3", "orbit") and method["id"] not in ("rk2", "rk4"):  # older than any DOI
                    self.assertRegex(method["doi"], r"\A10\.\d{4,}/\S+\Z")
        traits = {method["id"]: method["traits"] for method in listed if method["family"] == "so3"}
        self.assertIn("symmetric", traits["vlv"])
        self.assertIn("symplectic", traits["vlv"])
        self.assertNotIn("symplectic", traits["eln"])
        self.assertNotIn("symmetric", traits["rk4"])

    def test_the_list_of_methods_fits_a_page(self):
        text = self.good("methods").out
        self.assertLessEqual(max(map(len, text.split("\n"))), 100)
        self.assertLess(text.index("s  symmetric: "), text.index("\nvlv "))  # what the letters mean comes first

    def test_the_story_of_one(self):
        story = self.good("methods", "vlv").out
        for part in (r"\Avlv: variational Lie-Verlet\n", "order +2\n", "doi +10.1007/", "symplectic: the step preserves", "vlv@4, vlv@6"):
            self.assertRegex(story, part)
        self.assertNotIn("eln", story)
        self.assertEqual(self.good("methods", "vlv@4").out, story)
        self.assertEqual(self.good("methods", "rk4").out.count("classical Runge-Kutta"), 2)  # one of each family
        self.assertRegex(self.good("methods", "campello").out, r"--param phi=0\.5, 0 to 1: weight")
        story = self.good("problems", "stress").out
        for part in (r"\Astress: static potential", r"step +0\.125", r"time +10000", "--sigma-attitude 0.01", r"alpha +0\.3 ", "methods +eln,tln"):
            self.assertRegex(story, part)
        self.assertNotIn("top-slow", story)
        self.assertRegex(self.good("problems", "orbit-elliptic").out, r"units +km, s, kg\n(.|\n)*mu +3200\.9998 ")
        for verb, name in (("methods", "vlv"), ("problems", "stress")):
            entries = self.document(verb, name)  # one of each family that has it
            self.assertEqual(entries, [e for e in self.document(verb) if e["id"] == name])
            self.assertEqual(entries[0]["family"], "so3")

    def test_methods_are_complete(self):
        ids = {method["id"] for method in self.document("methods")}
        self.assertEqual(set(ORDERS) - ids, set())

    def test_problems(self):
        listed = self.document("problems")
        self.assertIsInstance(listed, list)
        text = self.good("problems").out
        by_id = {problem["id"]: problem for problem in listed}
        self.assertEqual(set(PROBLEMS) - set(by_id), set())
        for name, problem in by_id.items():
            with self.subTest(name):
                self.assertIn(name, text)
                parameters = {parameter["name"]: parameter for parameter in problem["parameters"]}
                self.assertEqual(set(PROBLEMS.get(name, [])) - set(parameters), set())
                for parameter in parameters.values():
                    self.assertIn(parameter["name"], text)
                    self.assertTrue(parameter["default"])
                    for value in parameter["default"]:
                        self.number(value, parameter["name"])
                        self.assertTrue(parameter["low"] <= value <= parameter["high"], parameter)
        default = lambda problem, name: next(p["default"] for p in by_id[problem]["parameters"] if p["name"] == name)
        self.assertEqual(default("stress", "J"), [2, 2, 4])
        self.assertEqual(default("stress", "alpha"), [0.3])
        self.assertEqual(default("stress", "attitude"), [0, 0.7227, 0])
        self.assertEqual(default("stress", "velocity"), [0, 0, 0.625])
        self.assertEqual(default("free", "J"), [1, 2, 3])
        self.assertEqual(default("free", "velocity"), [0.4, 1, 0.6])
        self.assertEqual(default("top-slow", "J"), [5, 5, 1])
        self.assertEqual(default("top-fast", "velocity"), [0, 0, 50])
        self.assertEqual(default("pendulum", "J"), [1, 1, 1])

    def test_every_problem_runs_with_its_defaults(self):
        for name in PROBLEMS:
            with self.subTest(name):
                result = self.run_json("--problem", name, "--bodies", "2", "--steps", "4", "--method", "vlv")["results"][0]
                self.assertEqual((result["problem"], result["failed"]), (name, 0))

    def test_devices(self):
        devices = self.document("devices")
        text = self.good("devices").out
        self.assertIn(devices["auto"], ["cuda"] if devices["cuda"] else self.usable())
        self.assertRegex(text, r"(?m)^auto\b.*\b%s\b" % devices["auto"])
        for variant in devices["cpu"]["variants"]:
            self.assertIn(variant["isa"], text)
        used = self.run_json("--bodies", "1", "--steps", "2", "--method", "vlv")["backend"]
        self.assertEqual(used["isa"], devices["auto"])

    def test_selftest(self):
        engines = self.document("selftest")
        self.assertEqual(len({e["digest"] for e in engines}), 1)
        self.assertTrue(all(e["same"] == e["pairs"] > 100 for e in engines))
        self.assertEqual(self.good("selftest").out.count(engines[0]["digest"]), len(engines))

    def test_usable_is_true_or_false(self):
        for variant in self.document("devices")["cpu"]["variants"]:
            self.assertIs(type(variant["usable"]), bool, variant)


if __name__ == "__main__":
    unittest.main()
