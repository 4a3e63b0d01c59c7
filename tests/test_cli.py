#!/usr/bin/env python3
"""The command line as its users rely on it: verbs, options, JSON, messages, exit statuses.

    SPINDRIFT=build/spindrift python3 tests/test_cli.py        or        python3 tests/test_cli.py build/spindrift [unittest options]

Standard library only.  Everything runs in an empty directory of its own, which has to be empty again afterwards.
Numbers are checked against formulas evaluated here, never against what the program printed last time.

"""

import json
import math
import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest

VERBS = ["run", "methods", "problems", "order", "bench", "devices"]
SEED1 = ["eln", "tln", "prk", "mcg", "new3", "liemid-ea", "vlv"]
SPHERICAL = ["rrp", "rrp-newmark", "rrp-euler", "campello"]
ORDERS = {
    "eln": 2, "eln-exp": 2, "tln": 2, "tln-exp": 2, "liemid-ea": 2, "liemid-e1": 1, "liemid-e2": 1, "liemid-i": 2,
    "trapm": 2, "prk": 2, "mcg": 2, "new3": 2, "vlv": 2, "akw": 2, "sw-c1": 2, "sw-1": 2, "sw-e": 2, "rattle": 2,
    "rrp": 2, "rrp-newmark": 2, "rrp-euler": 1, "campello": 1, "split": 2, "free-exact": 2, "rk2": 2, "rk4": 4, "rk45": 5,
}  # lewis-simo may be missing
PROBLEMS = {
    "stress": ["J", "attitude", "velocity", "alpha"],
    "free": ["J", "attitude", "velocity"],
    "top-slow": ["J", "attitude", "velocity", "mgl"],
    "top-fast": ["J", "attitude", "velocity", "mgl"],
    "pendulum": ["J", "attitude", "velocity", "mg", "rho"],
    "coulomb-wall": ["J", "attitude", "velocity"],
}
ALIKE = ["--sigma-attitude", "0", "--sigma-velocity", "0"]  # all bodies start as body 0 does
VERDICTS = {"drifts +", "drifts -", "bounded", "undecided"}

LIMIT = 30  # seconds that any single call may take
PROMPT = int(os.environ.get("SPINDRIFT_PATIENCE", "5"))  # seconds that an interrupted program may go on

PROGRAM = os.environ.get("SPINDRIFT", "")
USABLE = []  # variants this processor can run, asked once


# ---- running the program ----


class Outcome:
    def __init__(self, argv, status, out, err):
        self.argv, self.status, self.out, self.err = argv, status, out, err

    def __str__(self):
        return "spindrift %s\n  status %s\n  stdout %r\n  stderr %r" % (
            " ".join(self.argv), self.status, self.out[:400], self.err[:400])


def strict_json(text):
    """One document; no NaN, no duplicate key, nothing after it."""

    def refuse(word):
        raise ValueError("%s is not JSON" % word)

    def no_twins(pairs):
        keys = [key for key, _ in pairs]
        if len(set(keys)) != len(keys):
            raise ValueError("duplicate key among %s" % keys)
        return dict(pairs)

    return json.loads(text, parse_constant=refuse, object_pairs_hook=no_twins)


def science(document):
    """The document without what may differ between machines and calls."""
    timing = ("seconds", "ns_per_body_step")
    results = [{key: value for key, value in result.items() if key not in timing} for result in document["results"]]
    return dict({key: value for key, value in document.items() if key != "backend"}, results=results)


class Case(unittest.TestCase):
    maxDiff = 2000

    def setUp(self):
        self.directory = tempfile.TemporaryDirectory(prefix="spindrift-cli-")
        self.addCleanup(self.directory.cleanup)
        self.environment = dict(os.environ, HOME=self.directory.name, TMPDIR=self.directory.name, LC_ALL="C", TERM="xterm")

    def tearDown(self):
        self.assertEqual(os.listdir(self.directory.name), [], "files were left behind")

    def call(self, *argv, **more):
        options = dict(stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.directory.name,
                       env=self.environment, timeout=LIMIT)
        options.update(more)
        done = subprocess.run([PROGRAM, *argv], **options)
        return Outcome(argv, done.returncode, (done.stdout or b"").decode(), (done.stderr or b"").decode())

    def good(self, *argv, status=0):
        outcome = self.call(*argv)
        self.assertEqual(outcome.status, status, str(outcome))
        return outcome

    def document(self, *argv, status=0):
        """A quiet call whose stdout is one JSON document and whose stderr is empty."""
        outcome = self.good(*argv, "--json", status=status)
        try:
            document = strict_json(outcome.out)
        except ValueError as error:
            self.fail("not one JSON document: %s\n%s" % (error, outcome))
        self.assertEqual(outcome.err, "", str(outcome))
        return document

    def run_json(self, *argv, status=0):
        return self.document("run", "--quiet", "--progress", "never", *argv, status=status)

    def digest(self, *argv, status=0):
        return self.run_json(*argv, status=status)["digest"]

    def one_line(self, outcome, status):
        self.assertEqual(outcome.status, status, str(outcome))
        self.assertEqual(outcome.out, "", str(outcome))
        self.assertRegex(outcome.err, r"\A[^\n\r]*\S[^\n\r]*\n\Z", "stderr should be exactly one line: %s" % outcome)

    def refused(self, argv, *patterns):
        """Bad input: one line that matches every pattern, nothing on stdout, exit status 2."""
        with self.subTest(" ".join(argv)):
            outcome = self.call(*argv)
            self.one_line(outcome, 2)
            for pattern in patterns:
                self.assertRegex(outcome.err, pattern, str(outcome))

    def number(self, value, name):
        self.assertIn(type(value), (int, float), "%s should be a number: %r" % (name, value))
        self.assertTrue(math.isfinite(value), name)

    def usable(self):
        if not USABLE:
            devices = strict_json(self.good("devices", "--json").out)
            found = []

            def walk(node):
                if isinstance(node, dict):
                    if "isa" in node and node.get("usable"):
                        found.append(node["isa"])
                    node = list(node.values())
                if isinstance(node, list):
                    for child in node:
                        walk(child)

            walk(devices)
            self.assertIn("scalar", found)
            USABLE.extend(found)
        return USABLE

    def check_result(self, result):
        """Exactly the documented keys, of the documented types."""
        keys = "method problem step time members bodies failed energy invariants newton verdict seconds ns_per_body_step".split()
        self.assertEqual(set(result) - {"final"}, set(keys))
        for name in ("method", "problem", "verdict"):
            self.assertIsInstance(result[name], str)
        self.assertEqual(result["members"], result["bodies"])
        for name in ("members", "bodies", "failed"):
            self.assertIs(type(result[name]), int)
        for name in ("step", "time", "seconds", "ns_per_body_step"):
            self.number(result[name], name)
        self.assertGreaterEqual(result["seconds"], 0)
        self.assertGreaterEqual(result["ns_per_body_step"], 0)
        self.assertIn(result["verdict"], VERDICTS)
        self.assertEqual(set(result["energy"]), {"initial_mean", "slope", "max_abs_error", "rms_error"})
        self.assertEqual(set(result["energy"]["slope"]), {"mean", "stderr", "ci95", "first_half", "second_half", "trend",
                                                          "trend_ci95", "bound"})
        self.assertEqual(set(result["invariants"]), {"orthogonality_max", "momentum_max_error"})
        self.assertEqual(set(result["newton"]), {"mean", "max"})
        self.assertIsInstance(result["energy"]["slope"]["ci95"], list)
        self.assertEqual(len(result["energy"]["slope"]["ci95"]), 2)

    def check_numbers(self, result):
        """Of a method none of whose bodies failed, with at least four samples and two bodies: nothing is undefined."""
        energy, slope = result["energy"], result["energy"]["slope"]
        for part, names in ((energy, ("initial_mean", "max_abs_error", "rms_error")),
                            (slope, ("mean", "stderr", "first_half", "second_half")),
                            (result["invariants"], ("orthogonality_max", "momentum_max_error")),
                            (result["newton"], ("mean", "max"))):
            for name in names:
                self.number(part[name], name)
        low, high = slope["ci95"]
        self.number(low, "ci95")
        self.number(high, "ci95")
        self.assertTrue(low <= slope["mean"] <= high)
        self.assertGreaterEqual(slope["stderr"], 0)
        self.assertTrue(0 <= energy["rms_error"] <= energy["max_abs_error"])
        self.assertTrue(0 <= result["newton"]["mean"] <= result["newton"]["max"])

    def check_states(self, result, count):
        self.assertEqual([state["body"] for state in result["final"]], list(range(count)))
        for state in result["final"]:
            self.assertEqual(set(state), {"body", "status", "Q", "W", "energy_error"})
            self.assertIs(type(state["body"]), int)
            self.assertIsInstance(state["status"], str)
            self.assertEqual((len(state["Q"]), len(state["W"])), (9, 3))
            for value in state["Q"] + state["W"] + [state["energy_error"]]:
                self.number(value, "final")


# ---- formulas, written down independently of the program ----


def product(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def trace_of_product(a, b):
    """tr(aᵀ b)"""
    return sum(x * y for row_a, row_b in zip(a, b) for x, y in zip(row_a, row_b))


def rotation(vector):
    angle = math.sqrt(sum(x * x for x in vector))
    if angle == 0:
        return [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    x, y, z = (c / angle for c in vector)
    c, s = math.cos(angle), math.sin(angle)
    return [[c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
            [y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s],
            [z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)]]


def rows(nine):
    return [nine[0:3], nine[3:6], nine[6:9]]


def kinetic(inertia, velocity):
    return 0.5 * sum(j * w * w for j, w in zip(inertia, velocity))


def stress_energy(q, w, inertia=(2, 2, 4), alpha=0.3):
    side = 2.5 / math.sqrt(2)
    distance = lambda a, b: math.sqrt(2 * (3 - trace_of_product(a, b)))
    return kinetic(inertia, w) + (distance(q, rotation((0, 0, 0))) - 1) ** 2 - alpha / distance(q, rotation((side, 0, side)))


STRESS_START = stress_energy(rotation((0, 0.7227, 0)), (0, 0, 0.625))


def slope_of(times, values):
    middle = sum(times) / len(times)
    return sum((t - middle) * v for t, v in zip(times, values)) / sum((t - middle) ** 2 for t in times)


# ---- help, version, listings ----


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
                if method["id"] not in ("rk2", "rk4"):  # older than any DOI
                    self.assertRegex(method["doi"], r"\A10\.\d{4,}/\S+\Z")
        traits = {method["id"]: method["traits"] for method in listed if method["family"] == "so3"}
        self.assertIn("symmetric", traits["vlv"])
        self.assertIn("symplectic", traits["vlv"])
        self.assertNotIn("symplectic", traits["eln"])
        self.assertNotIn("symmetric", traits["rk4"])

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


# ---- the JSON of run ----

SMALL = ("--bodies", "3", "--step", "0.125", "--steps", "40", "--method", "eln,vlv,rk4")


class RunDocument(Case):
    def test_structure_and_types(self):
        document = self.run_json(*SMALL, "--final", "2")
        self.assertEqual(set(document), {"spindrift", "digest", "plan", "backend", "results"})
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
                outcome = self.good("run", *SMALL, "--json", *more)
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
        symmetric = [method["id"] for method in self.document("methods")
                     if "symmetric" in method["traits"] and method["family"] == "so3"]
        wanted = [name + "@4" for name in symmetric]
        self.assertGreater(len(wanted), 10)
        self.assertEqual(self.methods_of("--problem", "pendulum", "--method", ",".join(wanted)), wanted)


# ---- the numbers ----


class Samples(Case):
    STEPS, STEP = 10, 0.125

    def errors(self, method):
        """E-E0 after 0, 1, ... steps, from the final states of as many runs."""
        values = [0.0]
        for steps in range(1, self.STEPS + 1):
            argv = ["--bodies", "1", "--step", str(self.STEP), "--steps", str(steps), "--method", method, "--final", "1"]
            values.append(self.run_json(*argv)["results"][0]["final"][0]["energy_error"])
        return values

    def test_statistics_follow_from_the_samples(self):
        for method in ("eln", "rk4"):
            errors = self.errors(method)
            for every in (1, 2, 3, 4, 5, 10):
                with self.subTest(method=method, every=every):
                    argv = [*ALIKE, "--bodies", "2", "--step", str(self.STEP), "--steps", str(self.STEPS), "--every", str(every)]
                    energy = self.run_json(*argv, "--method", method)["results"][0]["energy"]
                    steps = sorted(set(range(0, self.STEPS + 1, every)) | {self.STEPS})
                    times, values = [self.STEP * n for n in steps], [errors[n] for n in steps]
                    scale = max(map(abs, errors))
                    close = lambda a, b: self.assertAlmostEqual(a, b, delta=1e-12 * scale)
                    close(energy["slope"]["mean"], slope_of(times, values))
                    close(energy["max_abs_error"], max(map(abs, values)))
                    close(energy["rms_error"], math.sqrt(sum(v * v for v in values) / len(values)))
                    if len(steps) >= 4:  # a sample in the middle may count for either half, or both
                        cuts = {len(steps) // 2, (len(steps) + 1) // 2}
                        near = lambda x, options: any(abs(x - y) <= 1e-12 * scale for y in options)
                        self.assertTrue(near(energy["slope"]["first_half"], [slope_of(times[:c], values[:c]) for c in cuts]))
                        self.assertTrue(near(energy["slope"]["second_half"],
                                             [slope_of(times[c:], values[c:]) for c in {c - 1 for c in cuts} | cuts]))

    def test_two_samples(self):
        for method in SEED1:
            with self.subTest(method):
                argv = [*ALIKE, "--bodies", "3", "--steps", "64", "--every", "64", "--method", method, "--final", "1"]
                result = self.run_json(*argv)["results"][0]
                self.assertAlmostEqual(result["energy"]["slope"]["mean"], result["final"][0]["energy_error"] / result["time"],
                                       delta=1e-15)

    def test_default_is_about_a_thousand_samples(self):
        for steps in (10, 1000, 20000, 33333):
            with self.subTest(steps):
                every = self.run_json("--bodies", "1", "--steps", str(steps), "--method", "eln")["plan"]["every"]
                if steps <= 1000:
                    self.assertEqual(every, 1)
                else:
                    self.assertTrue(500 <= steps / every <= 2000)

    def test_energies_against_the_formulas(self):
        document = self.run_json(*ALIKE, "--bodies", "2", "--steps", "80", "--method", "eln,vlv,rk4,tln,split", "--final", "2")
        for result in document["results"]:
            self.assertAlmostEqual(result["energy"]["initial_mean"], STRESS_START, delta=1e-14)
            for state in result["final"][:1]:
                energy = stress_energy(rows(state["Q"]), state["W"])
                self.assertAlmostEqual(energy - STRESS_START, state["energy_error"], delta=1e-12)
                self.assertGreater(abs(state["energy_error"]), 1e-9)  # not a vacuous comparison
        start = lambda *argv: self.run_json("--bodies", "1", "--steps", "1", "--method", "vlv",
                                            *argv)["results"][0]["energy"]["initial_mean"]
        self.assertAlmostEqual(start("--problem", "free"), kinetic((1, 2, 3), (0.4, 1, 0.6)), delta=1e-14)
        for name, speed in (("top-slow", 5), ("top-fast", 50)):
            self.assertAlmostEqual(start("--problem", name), 0.5 * speed ** 2 + 20 * math.cos(0.3), delta=1e-11)
        self.assertAlmostEqual(start("--problem", "pendulum"), 0.04 - math.cos(3 * math.pi / 4), delta=1e-14)
        self.assertAlmostEqual(start("--param", "alpha=0.7"),
                               stress_energy(rotation((0, 0.7227, 0)), (0, 0, 0.625), alpha=0.7), delta=1e-14)

    def test_attitude_is_printed_row_by_row_from_body_to_space(self):
        argv = ["--problem", "free", "--param", "J=2,2,2", "--param", "attitude=0.3,0,0", "--param", "velocity=0,0,0.5"]
        state = self.run_json(*argv, "--bodies", "1", "--step", "0.125", "--time", "2", "--method", "mcg",
                              "--final", "1")["results"][0]["final"][0]
        expected = product(rotation((0.3, 0, 0)), rotation((0, 0, 1.0)))
        for found, right in zip(rows(state["Q"]), expected):
            for a, b in zip(found, right):
                self.assertAlmostEqual(a, b, delta=1e-13)
        self.assertEqual(state["W"][2], 0.5)

    def test_published_slopes(self):
        """Single trajectory on stress, T = 10000, every step sampled."""
        slopes = {"eln": (-1.055e-6, 5e-10), "tln": (-1.590e-6, 5e-10), "prk": (-1.697e-6, 5e-10), "mcg": (5.69e-7, 5e-10),
                  "new3": (5.69e-7, 5e-10), "liemid-ea": (1.42e-7, 5e-10), "liemid-i": (-7.37e-7, 5e-10), "rk4": (-2.26e-7, 5e-10),
                  "vlv": (0, 1e-9), "rattle": (0, 1e-9), "split": (0, 1e-9)}
        argv = ["--bodies", "1", "--every", "1", "--step", "0.125", "--time", "10000", "--method", ",".join(slopes)]
        for result in self.run_json(*argv)["results"]:
            with self.subTest(result["method"]):
                value, tolerance = slopes[result["method"]]
                self.assertAlmostEqual(result["energy"]["slope"]["mean"], value, delta=tolerance)
                if result["method"] != "rk4":
                    self.assertLess(result["invariants"]["orthogonality_max"], 1e-12)

    def test_bodies_all_alike_give_the_same_verdict_however_many(self):
        found = {}
        for bodies in range(2, 21):
            argv = [*ALIKE, "--bodies", str(bodies), "--every", "1", "--time", "10000", "--method", "vlv", "--final", str(bodies)]
            result = self.run_json(*argv)["results"][0]
            self.assertTrue(all(dict(state, body=0) == result["final"][0] for state in result["final"]))
            found.setdefault(result["verdict"], []).append(bodies)
        self.assertEqual(len(found), 1, found)


class Ensembles(Case):
    PLAN = ("--method", "eln", "--step", "0.125", "--steps", "24", "--every", "3")

    def states(self, *argv, bodies=6):
        return self.run_json(*self.PLAN, "--bodies", str(bodies), "--final", str(bodies), *argv)["results"][0]["final"]

    def test_body_0_is_not_perturbed_and_the_others_are(self):
        alone = self.states(bodies=1)[0]
        base = self.states()
        alike = self.states(*ALIKE)
        self.assertEqual(base[0], alone)
        self.assertTrue(all(dict(state, body=0) == alone for state in alike))
        self.assertEqual(len({tuple(state["Q"] + state["W"]) for state in base}), len(base))
        self.assertEqual(self.states("--sigma-attitude", "0.01", "--sigma-velocity=0.01"), base)  # the defaults
        self.assertEqual(self.states("--seed", "1"), base)
        other = self.states("--seed", "2")
        self.assertEqual(other[0], alone)
        self.assertTrue(all(a["W"] != b["W"] for a, b in zip(base[1:], other[1:])))
        self.assertEqual(self.states(bodies=3), base[:3])  # a body does not depend on how many there are
        digests = {self.digest(*self.PLAN, "--bodies", "6", *more) for more in
                   ((), ("--seed", "2"), ("--sigma-attitude", "0.02"), ("--sigma-velocity", "0.02"), ALIKE)}
        self.assertEqual(len(digests), 5)

    def test_statistics_over_the_bodies(self):
        """From the states at the samples, with the energy computed here."""
        for bodies, student in ((3, 4.302652729911), (5, 2.776445105198), (20, 2.093024054408)):
            with self.subTest(bodies):
                result = self.run_json(*self.PLAN, "--bodies", str(bodies), "--trajectories", str(bodies))["results"][0]
                energy, slope = result["energy"], result["energy"]["slope"]
                starts, slopes, errors = [], [], []
                for body, path in enumerate(result["trajectories"]):
                    self.assertEqual(path["body"], body)
                    self.assertEqual(path["time"], [0.375 * n for n in range(9)])
                    energies = [stress_energy(rows(q), w) for q, w in zip(path["Q"], path["W"])]
                    starts.append(energies[0])
                    own = [e - energies[0] for e in energies]
                    for found, right in zip(path["energy_error"], own):
                        self.assertAlmostEqual(found, right, delta=1e-13)
                    slopes.append(slope_of(path["time"], own))
                    errors += own
                mean = sum(slopes) / bodies
                spread = math.sqrt(sum((x - mean) ** 2 for x in slopes) / (bodies - 1) / bodies)
                close = lambda a, b: self.assertAlmostEqual(a, b, delta=1e-13)
                close(energy["initial_mean"], sum(starts) / bodies)
                close(slope["mean"], mean)
                close(slope["stderr"], spread)
                self.assertGreater(spread, 1e-8)
                close(slope["ci95"][0], mean - student * spread)
                close(slope["ci95"][1], mean + student * spread)
                close(energy["max_abs_error"], max(map(abs, errors)))
                close(energy["rms_error"], math.sqrt(sum(e * e for e in errors) / len(errors)))

    def test_spread_is_checked(self):
        for name in ("attitude", "velocity"):
            for value, patterns in (("-1", ("-1", "0 to")), ("nan", ("nan", "number")), ("inf", ("inf", "number")),
                                    ("text", ("text", "number")), ("1e9", ("1e", "0 to"))):
                self.refused(["run", *self.PLAN, "--sigma-" + name, value], "sigma-" + name, *patterns)


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


class Identity(Case):
    PLAN = ("--method", "eln,vlv,rattle,liemid-ea,rk45", "--steps", "12")

    def variants(self):
        for isa in self.usable():
            for threads in (1, 2, 3):
                yield ["--isa", isa, "--threads", str(threads)]

    def test_same_digest_on_every_variant_thread_count_and_size(self):
        for bodies in list(range(1, 21)) + [100]:
            with self.subTest(bodies=bodies):
                plan = [*self.PLAN, "--bodies", str(bodies)]
                digests = {self.digest(*plan, *variant) for variant in self.variants()}
                digests.add(self.digest(*plan))
                self.assertEqual(len(digests), 1, digests)

    def test_same_numbers_for_every_method_and_problem(self):
        for problem in PROBLEMS:
            with self.subTest(problem):
                plan = ["--problem", problem, "--bodies", "19", "--steps", "10", "--method", "all", "--final", "19"]
                documents = [science(self.run_json(*plan, *variant)) for variant in self.variants()]
                for document in documents[1:]:
                    self.assertEqual(document, documents[0])

    def test_a_body_does_not_depend_on_its_company(self):
        state = lambda bodies: [r["final"][0] for r in self.run_json(*self.PLAN, "--bodies", bodies, "--final", "1")["results"]]
        alone = state("1")
        for bodies in ("2", "9", "17", "100"):
            self.assertEqual(state(bodies), alone)

    def test_digest_ignores_how_it_is_shown(self):
        base = self.digest(*SMALL)
        for more in (("--final", "1"), ("--final", "3"), ("--final", "100"), ("--progress", "always"), ("--progress", "auto"),
                     ("--quiet",), ("--backend", "cpu"), ("--backend", "auto")):
            with self.subTest(more):
                outcome = self.good("run", "--json", *SMALL, *more)
                self.assertEqual(strict_json(outcome.out)["digest"], base)
                self.assertIn(base, self.good("run", *SMALL, *more).out)  # without --json

    def test_digest_tells_plans_apart(self):
        base = {"--bodies": "5", "--steps": "8", "--method": "vlv", "--step": "0.125", "--every": "2", "--problem": "stress"}
        plans = [{}, {"--method": "rattle"}, {"--method": "vlv@4"}, {"--method": "vlv,eln"}, {"--step": "0.0625"}, {"--steps": "10"},
                 {"--bodies": "6"}, {"--every": "4"}, {"--problem": "free"}, {"--param": "alpha=0.25"},
                 {"--param": "alpha=0.30000000000000004"}, {"--param": "velocity=0,0,0.6250001"}, {"--param": "J=2,2,3.5"}]
        seen = {}
        for change in plans:
            words = [word for pair in dict(base, **change).items() for word in pair]
            seen.setdefault(self.digest(*words), []).append(change)
        self.assertEqual([changes for changes in seen.values() if len(changes) > 1], [])

    def test_a_variant_this_processor_lacks_is_refused(self):
        for isa in {"scalar", "avx2", "avx512"} - set(self.usable()):
            self.refused(["run", "--steps", "2", "--bodies", "1", "--isa", isa], isa)


# ---- order and bench ----


class Order(Case):
    def test_measured_orders(self):
        steps = [0.25, 0.125, 0.0625, 0.03125]
        listed = self.document("order", "--method", "vlv,vlv@4,liemid-e1", "--time", "5", "--step", ",".join(map(str, steps)))
        self.assertEqual([entry["method"] for entry in listed], ["vlv", "vlv@4", "liemid-e1"])
        for entry, declared in zip(listed, (2, 4, 1)):
            with self.subTest(entry["method"]):
                self.assertEqual(entry["declared_order"], declared)
                self.assertEqual([row["step"] for row in entry["errors"]], steps)
                for row in entry["errors"]:
                    for name in ("Q", "W", "E"):
                        self.number(row[name], name)
                        self.assertGreaterEqual(row[name], 0)
                logs = [math.log2(step) for step in steps]
                measured = slope_of(logs, [math.log2(math.hypot(row["Q"], row["W"])) for row in entry["errors"]])
                self.assertAlmostEqual(measured, declared, delta=0.2)
                self.assertAlmostEqual(entry["fitted_order"], declared, delta=0.2)

    def test_default_steps_give_the_declared_order(self):
        for entry, declared in zip(self.document("order", "--method", "vlv,vlv@4"), (2, 4)):
            self.assertGreaterEqual(len(entry["errors"]), 3)
            self.assertAlmostEqual(entry["fitted_order"], declared, delta=0.1)

    def test_text(self):
        text = self.good("order", "--method", "vlv", "--time", "5", "--step", "0.25,0.125,0.0625")
        self.assertEqual(text.err, "")
        self.assertRegex(text.out, r"(?m)^vlv\b")
        self.assertRegex(text.out, r"order\s+(1\.9|2\.0)\d*")

    def test_errors_do_not_depend_on_the_variant(self):
        argv = ["order", "--method", "vlv,rk4", "--time", "1", "--step", "0.25,0.125"]
        seen = {json.dumps(self.document(*argv, "--isa", isa)) for isa in self.usable()}
        self.assertEqual(len(seen), 1)

    def test_an_order_needs_two_steps(self):
        self.refused(["order", "--method", "vlv", "--step", "0.25"], r"step", r"two|2|several|list")
        self.refused(["order", "--method", "vlv", "--step", "0.25,0.25"], r"step", r"0\.25")

    def test_bad_input(self):
        self.refused(["order", "--method", "vlw"], "'vlw'", "'vlv'")
        self.refused(["order", "--problem", "stres"], "'stres'", "'stress'")
        self.refused(["order", "--step", "0.25,0"], r"step", r"\b0\b", "positive")
        self.refused(["order", "--step", "0.25,x"], r"step", r"'x'", "number")
        self.refused(["order", "--step", "0.25,,0.125"], r"step", "number|missing|empty")
        self.refused(["order", "--step", ""], r"step", "number|missing|empty")
        self.refused(["order", "--time", "1", "--step", "0.25,0.3"], r"\b1\b", r"0\.3", "whole")
        self.refused(["order", "--method", "rrp"], "rrp", "spherical|equal")
        self.refused(["order", "--metod", "vlv"], "--metod", "--method")


class Bench(Case):
    def test_rows(self):
        argv = ["--method", "vlv,eln", "--bodies", "16", "--steps", "20"]
        document = self.document("bench", *argv, "--isa", "all")
        self.assertIsInstance(document["machine"], str)
        self.assertTrue(document["machine"].strip())
        found = {(row["problem"], row["method"], row["isa"]) for row in document["results"]}
        self.assertEqual(found, {("stress", method, isa) for method in ("vlv", "eln") for isa in self.usable()})
        for row in document["results"]:
            self.number(row["ns_per_body_step"], "ns_per_body_step")
            self.assertGreater(row["ns_per_body_step"], 0)
            self.assertIs(type(row["threads"]), int)
        text = self.good("bench", *argv)
        self.assertEqual(text.err, "")
        self.assertIn(document["machine"], text.out)
        self.assertEqual(len(re.findall(r"(?m)\b(?:vlv|eln)\b.*\d", text.out)), 2)

    def test_methods_times_problems(self):
        document = self.document("bench", "--method", "vlv,eln", "--problem", "stress,free", "--bodies", "16", "--steps", "20")
        self.assertEqual({(row["problem"], row["method"]) for row in document["results"]},
                         {(problem, method) for problem in ("stress", "free") for method in ("vlv", "eln")})

    def test_bad_input(self):
        self.refused(["bench", "--method", "vlw"], "'vlw'", "'vlv'")
        self.refused(["bench", "--problem", "stres"], "'stres'", "'stress'")
        self.refused(["bench", "--bodies", "0"], r"\b0\b", "1 to")
        self.refused(["bench", "--steps", "0"], r"\b0\b", "1 to")
        built = [v["isa"] for v in self.document("devices")["cpu"]["variants"]]
        self.refused(["bench", "--isa", "sse"], "'sse'", r"\ball\b", *built)


# ---- orbits ----


class Orbits(Case):
    FEW = ["--problem", "orbit-elliptic", "--bodies", "3", "--steps", "20"]

    def test_default_methods_and_energies(self):
        for problem, energy in (("orbit-circular", -0.96182215336), ("orbit-elliptic", -0.72136636959)):
            document = self.run_json("--problem", problem, "--bodies", "1", "--steps", "4", "--final", "1")
            self.assertEqual([r["method"] for r in document["results"]], ["midpoint", "verlet", "rk2", "rk4", "rk45"])
            self.assertIn("sigma_position", document["plan"])
            for result in document["results"]:
                self.assertAlmostEqual(result["energy"]["initial_mean"], energy, delta=5e-12)
                final = result["final"][0]
                self.assertEqual((len(final["q"]), len(final["p"])), (3, 3))
                self.assertNotIn("Q", final)
                self.assertLess(final["position_error"], 1e-3)
                self.assertIn("position_error_max", result["invariants"])

    def test_all_and_compositions(self):
        document = self.run_json(*self.FEW, "--method", "all,verlet@4,midpoint@6,verlet@8")
        self.assertEqual(len(document["results"]), 8)

    def test_same_bits(self):
        plan = [*self.FEW, "--impulse", "t=77.7,dv=0.01,0,0,size=0.1,angle=0.1", "--param", "drag=1e-6", "--param", "mu1=3",
                "--param", "at1=3000,0,0", "--param", "turn1=0,0,1e-4"]
        digests = {self.digest(*plan, "--isa", isa, "--threads", threads) for isa in self.usable() for threads in "12"}
        self.assertEqual(len(digests), 1)

    def test_impulse_changes_the_level(self):
        plan = [*self.FEW, "--method", "verlet@8", "--final", "1"]
        quiet = self.run_json(*plan)["results"][0]["final"][0]
        pushed = self.run_json(*plan, "--impulse", "t=55,dv=0.1,0,0")["results"][0]["final"][0]
        self.assertEqual(quiet["work"], 0)
        self.assertGreater(pushed["work"], 0.1)
        self.assertAlmostEqual(pushed["energy"], quiet["energy"] + pushed["work"], delta=1e-12)
        self.assertLess(abs(pushed["energy_error"]), 1e-12)
        self.assertLess(pushed["position_error"], 1e-9)

    def test_impulses_of_a_study_and_of_the_command_line(self):
        def written(text):
            path = os.path.join(self.folder.name, "study.toml")
            with open(path, "w") as file:
                file.write(text)
            return path

        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        head = 'problem = "orbit-elliptic"\nmethod = "verlet"\nbodies = 2\nsteps = 20\n'
        one = self.digest(written(head + 'impulse = ["t=50,dv=0.1,0,0", "t=20,dv=0,0.1,0"]\n'))
        same = self.digest(*self.FEW, "--bodies", "2", "--method", "verlet", "--impulse", "t=20,dv=0,0.1,0", "--impulse",
                           "t=50,dv=0.1,0,0")
        self.assertEqual(one, same)
        path = written(head + 'impulse = "t=50,dv=0.1,0,0"\n')
        self.assertEqual(len(self.run_json(path, "--impulse", "t=60,dv=1,0,0")["plan"]["impulses"]), 1)

    def test_order(self):
        study = self.document("order", "--problem", "orbit-elliptic", "--method", "verlet,rk4", "--param", "drag=1e-6")
        self.assertEqual([round(row["fitted_order"]) for row in study], [2, 4])

    def test_bad_input(self):
        self.refused(["run", "--method", "verlet"], "verlet is for orbits", "eln")
        self.refused(["run", "--problem", "orbit-circular", "--method", "eln"], "eln is for rigid bodies", "verlet")
        self.refused(["run", *self.FEW, "--method", "verlt"], "'verlt'", "'verlet'")
        self.refused(["run", *self.FEW, "--sigma-attitude", "1"], "sigma-attitude is for rigid bodies", "sigma-position")
        self.refused(["run", "--sigma-position", "1"], "sigma-position is for orbits", "sigma-attitude")
        self.refused(["run", *self.FEW, "--param", "q0=0,0,0"], "param q0: 0,0,0 is the centre")
        self.refused(["run", *self.FEW, "--param", "m=0"], "param m", "out of range")
        self.refused(["run", "--impulse", "t=1,dv=1,0,0"], "stress has rigid bodies, which take none")
        for text in ("", "t=1", "dv=1,0,0", "t=0,dv=1,0,0", "t=-3,dv=1,0,0", "t=5,dv=1,0", "t=5,dv=1,0,0,0", "t=5,dv=0,0,0", "5",
                     "t=x,dv=1,0,0", "t=5,dv=1,0,0,speed=3", "t=5,dv=1,0,0,size=-1", "t=1e9,dv=1,0,0", "t=,dv=1,0,0",
                     "t=nan,dv=1,0,0", "dv=1,t=5,0,0"):
            self.refused(["run", *self.FEW, "--impulse", text], "impulse")
        many = [part for k in range(17) for part in ("--impulse", "t=%d,dv=1,0,0" % (k + 1))]
        self.refused(["run", *self.FEW, *many], "more than 16")


# ---- bodies that fail ----


class FailingBodies(Case):
    RK2 = ("--bodies", "5", "--step", "0.25", "--time", "2500")
    RRP = ("--problem", "free", "--param", "J=2,2,2", "--param", "velocity=9,0,0", "--bodies", "5", "--steps", "80", *ALIKE)

    def check(self, plan, bad):
        together = self.run_json(*plan, "--method", bad + ",vlv", "--final", "2", status=3)
        first, second = together["results"]
        self.check_result(first)
        self.check_states(first, 2)
        self.assertEqual((first["method"], first["failed"]), (bad, 5))
        self.assertTrue(all(state["status"] != "ok" for state in first["final"]))
        self.assertIsNone(first["energy"]["slope"]["mean"])  # never averaged in
        self.assertNotIn(first["verdict"], ("bounded", "drifts +", "drifts -"))
        # the others: untouched, to the bit
        self.check_result(second)
        self.check_numbers(second)
        self.check_states(second, 2)
        self.assertEqual(second["failed"], 0)
        alone = self.run_json(*plan, "--method", "vlv", "--final", "2")
        self.assertEqual(science(together)["results"][1], science(alone)["results"][0])
        # and the same everywhere
        for isa in self.usable():
            self.assertEqual(self.digest(*plan, "--method", bad + ",vlv", "--isa", isa, "--threads", "3", status=3),
                             together["digest"])
        return first

    def test_rk2_blows_up(self):
        self.check(self.RK2, "rk2")

    def test_rrp_outside_its_domain(self):
        first = self.check(self.RRP, "rrp")
        for state in first["final"]:  # frozen where it was: h|W| >= 1 from the start
            self.assertEqual((state["W"], state["Q"]), ([9, 0, 0], [1, 0, 0, 0, 1, 0, 0, 0, 1]))

    def test_rrp_just_inside_its_domain(self):
        plan = [*ALIKE, "--problem", "free", "--param", "J=2,2,2", "--bodies", "2", "--steps", "8", "--method", "rrp"]
        self.assertEqual(self.run_json(*plan, "--param", "velocity=7.99,0,0")["results"][0]["failed"], 0)
        self.assertEqual(self.run_json(*plan, "--param", "velocity=8,0,0", status=3)["results"][0]["failed"], 2)

    def test_some_fail_and_the_others_do_not_notice(self):
        plan = ["--problem", "pendulum", "--param", "velocity=7.9,0,0", "--sigma-velocity", "0.1", "--step", "0.125", "--steps", "16",
                "--every", "16", "--method", "rrp"]
        result = self.run_json(*plan, "--bodies", "40", "--final", "40", status=3)["results"][0]
        well = [state for state in result["final"] if state["status"] == "ok"]
        self.assertTrue(5 <= len(well) <= 35, len(well))
        self.assertEqual(result["failed"], 40 - len(well))
        slopes = [state["energy_error"] / result["time"] for state in well]  # only theirs are averaged
        self.assertAlmostEqual(result["energy"]["slope"]["mean"], sum(slopes) / len(slopes), delta=1e-14)
        self.assertAlmostEqual(result["energy"]["max_abs_error"], max(abs(state["energy_error"]) for state in well), delta=1e-14)
        first = result["final"].index(well[0])
        for bodies in {first + 1, 5, 17, 33}:  # in other company
            argv = [*plan, "--bodies", str(bodies), "--final", str(bodies)]
            states = strict_json(self.call("run", *argv, "--json").out)["results"][0]["final"]
            self.assertEqual(states, result["final"][:bodies])
        for isa in self.usable():
            argv = [*plan, "--bodies", "40", "--final", "40", "--isa", isa, "--threads", "3"]
            self.assertEqual(self.run_json(*argv, status=3)["results"][0]["final"], result["final"])

    def test_text_counts_them(self):
        outcome = self.good("run", *self.RRP, "--method", "rrp,vlv", "--progress", "never", status=3)
        self.assertRegex(outcome.out, r"(?m)^rrp\b.*\b5 failed\b")
        self.assertNotRegex(outcome.out, r"(?m)^vlv\b.*\bfailed\b")
        self.assertNotIn("nan", outcome.out.lower())

    def test_nothing_measured_is_null_and_not_zero(self):
        result = self.run_json(*self.RK2, "--method", "rk2", status=3)["results"][0]
        for part, name in (("energy", "max_abs_error"), ("energy", "rms_error"), ("invariants", "orthogonality_max"),
                           ("invariants", "momentum_max_error"), ("newton", "mean"), ("newton", "max")):
            with self.subTest(name):
                self.assertIsNone(result[part][name])

    def test_order_says_which_method_failed(self):
        outcome = self.call("order", *self.RRP[:6], "--method", "rrp")
        self.assertIn(outcome.status, (1, 3), str(outcome))
        self.assertRegex(outcome.err, r"\A[^\n]*rrp[^\n]*\n\Z")


# ---- bad input ----


class BadInput(Case):
    FEW = ["--bodies", "1", "--steps", "2", "--method", "vlv"]

    def test_unknown_names_get_the_nearest(self):
        for wrong, right in (("rum", "run"), ("methdos", "methods"), ("problm", "problems"), ("ordr", "order"), ("bnech", "bench"),
                             ("device", "devices")):
            self.refused([wrong], "'%s'" % wrong, r"'%s'|\b%s\b" % (right, right))
        for wrong, right in (("--metod", "--method"), ("--bodis", "--bodies"), ("--jsn", "--json"), ("--setps", "--steps"),
                             ("--evry=3", "--every"), ("--thread", "--threads")):
            self.refused(["run", wrong], re.escape(wrong.split("=")[0]), r"%s\b" % right)
        for wrong, right in (("vlw", "vlv"), ("rattel", "rattle"), ("liemid-a", "liemid-ea"), ("rk-4", "rk4"), ("ratle@4", "rattle"),
                             ("eln,vlw", "vlv"), ("VLV", "vlv"), ("RATTLE", "rattle")):
            self.refused(["run", "--method", wrong], "'%s'" % wrong.split(",")[-1], "'%s'" % right)
        for wrong, right in (("stres", "stress"), ("top-slw", "top-slow"), ("pendulm", "pendulum"), ("Free", "free")):
            self.refused(["run", "--problem", wrong], "'%s'" % wrong, "'%s'" % right)

    def test_unknown_things_without_a_near_one(self):
        self.refused(["frobnicate"], "'frobnicate'", "--help|run")
        self.refused(["--frobnicate"], "--frobnicate", "--help")
        self.refused(["run", "--method", "zzzzzz"], "'zzzzzz'", "methods")
        self.refused(["run", "--problem", "zzzzzz"], "'zzzzzz'", "problems")
        self.refused(["run", "-x"], "'-x'")
        self.refused(["run", "no-such-study.toml"], "no-such-study.toml")
        for verb in ("methods", "problems", "devices", "order", "bench"):
            self.refused([verb, "--frobnicate"], "--frobnicate")
            self.refused([verb, "frobnicate"], "frobnicate")

    def test_step(self):
        few = ["run", "--bodies", "1", "--method", "vlv", "--time", "1"]
        for value in ("0", "-0.125", "-0", "0.0"):
            self.refused(few + ["--step", value], r"\bstep\b", re.escape(value.rstrip(".0") or "0"), "positive|greater than 0")
        for value in ("nan", "NaN", "inf", "-inf", "infinity", "1e400"):
            self.refused(few + ["--step", value], r"\bstep\b", re.escape(value), "finite|number")
        for value in ("text", "0.125x", "0,125", "1/8", "--json"):
            self.refused(few + ["--step", value], r"\bstep\b", re.escape(value), "number")
        self.refused(few + ["--step="], r"\bstep\b", "number|value|missing")

    def test_time(self):
        few = ["run", "--bodies", "1", "--method", "vlv", "--step", "0.125"]
        for value in ("0", "-1"):
            self.refused(few + ["--time", value], r"\btime\b", value, "positive|greater than 0")
        for value in ("nan", "inf", "text"):
            self.refused(few + ["--time", value], r"\btime\b", value, "number")
        self.refused(few + ["--time", "1e300"], r"\btime\b", r"1e\+?300", "at most")
        self.refused(few[:-1] + ["0.3", "--time", "1"], r"\b1\b", r"0\.3", "whole", r"0\.9|1\.2")
        self.refused(few + ["--time", "1.0001"], r"1\.0001", r"0\.125", "whole", r"\b1\b")
        self.refused(few + ["--time", "0.0625"], r"0\.0625", r"0\.125", "whole", r"--time 0\.125")

    def test_steps(self):
        few = ["run", "--bodies", "1", "--method", "vlv"]
        for value in ("0", "-1", "99999999999999999999"):
            self.refused(few + ["--steps", value], r"\bsteps\b", value, r"\b1 to \d+|at least 1")
        for value in ("1.5", "text", "nan", "8x"):
            self.refused(few + ["--steps", value], r"\bsteps\b", re.escape(value), "number")

    def test_time_and_steps_that_contradict_each_other(self):
        self.refused(["run", "--bodies", "1", "--method", "vlv", "--step", "0.125", "--time", "10", "--steps", "10"],
                     r"\btime\b", r"\bsteps\b")

    def test_bodies(self):
        few = ["run", "--method", "vlv", "--steps", "2"]
        for value in ("0", "1e12", "1000000000000", "-3", "99999999999999999999999"):
            self.refused(few + ["--bodies", value], r"\bbodies\b", re.escape(value), r"\b1 to \d+")
        for value in ("1.5", "text", "nan", "inf", "0x", "3 4"):
            self.refused(few + ["--bodies", value], r"\bbodies\b", re.escape(value), "number")
        self.refused(few + ["--bodies="], r"\bbodies\b", "number|value|missing")

    def test_inertia_of_no_body(self):
        for value in ("1,1,3", "3,1,1", "1,3,1", "4,2,1", "1,1,2.001"):
            self.refused(["run", *self.FEW, "--param", "J=" + value], r"\bJ\b", re.escape(value), "sum of the other two|triangle")
        for value in ("-1,2,2", "0,1,1", "nan,1,1"):
            self.refused(["run", *self.FEW, "--param", "J=" + value], r"\bJ\b", re.escape(value.split(",")[0]))
        self.run_json(*self.FEW, "--param", "J=1,1,2")  # a flat body is one

    def test_parameters(self):
        few = ["run", *self.FEW, "--param"]
        self.refused(few + ["alpa=3"], "alpa", "'alpha'")
        self.refused(few + ["velocty=1,1,1"], "velocty", "'velocity'")
        self.refused(few + ["frobnicate=1"], "frobnicate")
        self.refused(few + ["mgl=1"], "mgl", "stress")  # another problem's
        for value in ("1e9", "-1e9"):
            self.refused(few + ["alpha=" + value], "alpha", r"-?1e\+?0?9", "out of range", r"-1e\+?0?6 to 1e\+?0?6")
        self.refused(few + ["alpha=1000000.5"], "alpha", r"1000000\.5", "out of range")
        self.refused(few + ["velocity=0,1e7,0"], "velocity", r"1e\+?0?7", "out of range")
        self.refused(few + ["J=2,2"], r"\bJ\b", r"\b2\b", r"expected (3|three)")
        self.refused(few + ["J=2"], r"\bJ\b", r"\b1\b", r"expected (3|three)")
        self.refused(few + ["alpha=1,2"], r"alpha", r"\b2\b", r"expected (1|one)\b")
        self.refused(few + ["J=2,2,4,5"], r"\bJ\b", r"\b4\b", r"expected (3|three)")
        self.refused(few + ["alpha=1,2,3,4"], r"alpha", r"\b4\b", r"expected (1|one)\b")
        for value in ("text", "nan", "inf", "0.3x"):
            self.refused(few + ["alpha=" + value], "alpha", re.escape(value), "number")
        for value in ("alpha=", "J="):
            self.refused(few + [value], value[:-1], "missing|value")
        self.refused(few + ["J=2,,4"], r"\bJ\b", "number|missing|value")
        for value in ("alpha", "=3", "=", ""):
            self.refused(few + [value], "'%s'" % value, "NAME=VALUE")

    def test_parameters_of_methods(self):
        argv = ["run", "--problem", "pendulum", "--bodies", "1", "--steps", "2", "--method", "campello", "--param"]
        self.assertEqual(self.call(*argv, "phi=0.25").status, 0)
        for value in ("2", "-1"):
            self.refused(argv + ["phi=" + value], "phi", value, "out of range", "0 to 1")
        self.refused(argv + ["phy=0.5"], "phy", "'phi'")
        self.refused(["run", *self.FEW, "--param", "phi=0.5"], r"\bphi\b", r"\bcampello\b", r"\A(?!.*did you mean 'phi')")

    def test_spherical_methods(self):
        for method in SPHERICAL + ["rrp@4"]:
            self.refused(["run", "--bodies", "1", "--steps", "2", "--method", method], r"\b%s\b" % re.escape(method),
                         "equal|spherical", r"J=")
        self.refused(["run", "--bodies", "1", "--steps", "2", "--method", "eln,rrp"], r"\brrp\b", "equal|spherical")
        self.run_json("--bodies", "1", "--steps", "2", "--param", "J=2,2,2", "--method", ",".join(SPHERICAL))

    def test_methods(self):
        few = ["run", "--bodies", "1", "--steps", "2", "--method"]
        for method in ("rk4@4", "rk2@4", "rk45@4", "liemid-e1@4", "sw-e@6"):
            self.refused(few + [method], "'%s'" % method, "symmetric")
        for method in ("vlv@3", "vlv@", "vlv@4x", "vlv@4@4", "vlv@10", "vlv@-4", "vlv@4.0", "vlv@+4", "vlv@04", "vlv@ 4"):
            self.refused(few + [method], "'%s'" % re.escape(method), "4, 6 or 8")
        self.refused(few + ["@4"], "'@4'")
        self.refused(few + [""], "method", "missing|empty|value")
        for method in ("eln,,vlv", "eln,", ",eln", ","):
            self.refused(few + [method], "method", "missing|empty|value|no method|''")

    def test_missing_values(self):
        for option in "problem param method members bodies seed step time steps every backend threads isa final progress".split():
            self.refused(["run", "--" + option], r"--%s\b" % option, "value")
        for option in ("json", "quiet"):
            self.refused(["run", "--%s=yes" % option], r"--%s\b" % option, "no value")

    def test_machine_options(self):
        few = ["run", *self.FEW]
        built = [v["isa"] for v in self.document("devices")["cpu"]["variants"]]
        self.refused(few + ["--isa", "sse"], "'sse'", "auto", *built)
        self.refused(few + ["--isa="], "isa", "missing|value|auto")
        self.refused(few + ["--backend", "gpu"], "'gpu'", "auto", "cpu", "cuda")
        if not self.document("devices")["cuda"]:
            self.refused(few + ["--backend", "cuda"], "backend cuda", "no CUDA")
        for value in ("31", "33", "0", "2048"):
            self.refused(few + ["--block", value], "block", value)
        self.refused(few + ["--device-memory", "0"], "device-memory", "positive")
        self.refused(few + ["--fallback", "gpu"], "fallback", "'gpu'", "cpu", "none")
        self.refused(few + ["--backend="], "backend", "missing|value|auto")
        for value in ("0", "-1", "100000000", "99999999999999999999"):
            self.refused(few + ["--threads", value], "threads", value, r"\b1 to \d+")
        for value in ("1.5", "text"):
            self.refused(few + ["--threads", value], "threads", re.escape(value), "number")
        self.refused(few + ["--progress", "sometimes"], "'sometimes'", "auto", "always", "never")

    def test_samples_final_and_seed(self):
        few = ["run", "--bodies", "1", "--steps", "10", "--method", "vlv"]
        for value in ("0", "-1"):
            self.refused(few + ["--every", value], "every", value, r"\b1 to \d+|at least 1")
        self.refused(few + ["--every", "11"], "every", r"\b11\b", r"\b10\b")
        for value in ("2.5", "text"):
            self.refused(few + ["--every", value], "every", re.escape(value), "number")
            self.refused(few + ["--final", value], "final", re.escape(value), "number")
            self.refused(few + ["--seed", value], "seed", re.escape(value), "number|64 bits")
        self.refused(few + ["--final", "-1"], "final", "-1", r"\b0 to \d+")
        for value in ("-1", "18446744073709551616"):
            self.refused(few + ["--seed", value], "seed", value, "64 bits|0 to")

    def test_stdout_stays_empty_with_json_too(self):
        self.refused(["run", "--json", "--final", "1", "--step", "0"], "step")
        self.refused(["run", "--json", "--method", "eln,vlw"], "vlw")
        self.refused(["order", "--json", "--method", "vlw"], "vlw")

    def test_a_line_is_a_line_whatever_was_typed(self):
        self.refused(["run", "--method", "x" * 5000], "xxxx")
        self.refused(["run", "--method", "vl\nv"], "vl")
        self.refused(["run", "--bodies", "1\n2"], "bodies")
        self.refused(["fo\no"], "fo")


# ---- stdout and stderr that do not work, progress ----


class Streams(Case):
    CALLS = [["run", "--bodies", "1", "--steps", "8"], ["run", "--bodies", "1", "--steps", "8", "--json", "--final", "1"],
             ["methods"], ["methods", "--json"], ["problems"], ["devices"], ["order", "--method", "vlv", "--time", "1"],
             ["bench", "--method", "vlv", "--bodies", "1", "--steps", "10"], ["--help"], ["run", "--help"], ["--version"]]

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_full(self):
        for argv in self.CALLS:
            with self.subTest(" ".join(argv)), open("/dev/full", "wb") as full:
                self.one_line(self.call(*argv, stdout=full), 1)

    def test_closed(self):
        for argv in self.CALLS:
            with self.subTest(" ".join(argv)):
                done = subprocess.run(["/bin/sh", "-c", 'exec "$0" "$@" >&-', PROGRAM, *argv], stdin=subprocess.DEVNULL,
                                      stderr=subprocess.PIPE, cwd=self.directory.name, env=self.environment, timeout=LIMIT)
                self.one_line(Outcome(argv, done.returncode, "", done.stderr.decode()), 1)

    def test_nobody_reads(self):
        for argv in self.CALLS:
            with self.subTest(" ".join(argv)):
                reader, writer = os.pipe()
                os.close(reader)
                try:
                    outcome = self.call(*argv, stdout=writer)
                finally:
                    os.close(writer)
                self.assertIn(outcome.status, (1, -signal.SIGPIPE), str(outcome))

    def test_a_good_run_is_silent(self):
        for more in (("--quiet", "--progress", "never"), ("--quiet",), ("--progress", "never"), ()):
            with self.subTest(more):
                self.assertEqual(self.good("run", *SMALL, *more).err, "")
        self.assertEqual(self.good("run", "--bodies", "2", "--steps", "2", "--method", "all", "--quiet", "--progress", "never").err, "")

    LONG = ("run", "--bodies", "2048", "--steps", "4000", "--method", "vlv", "--threads", "1")

    def test_progress_always(self):
        outcome = self.good(*self.LONG, "--json", "--progress", "always")
        strict_json(outcome.out)
        self.assertRegex(outcome.err, r"\d")
        self.assertRegex(outcome.err, r"\bleft\b")
        for what, pattern in (("done/total", r"\d\s*/\s*\d"), ("body-steps per second", r"/ ?s\b|per second"),
                              ("worst energy error", r"\d[eE][-+]?\d+"), ("failed bodies", r"fail")):
            with self.subTest(what):
                self.assertRegex(outcome.err, pattern)

    def test_progress_auto_needs_a_terminal(self):
        for when, expected in (("auto", True), ("never", False)):
            with self.subTest(when):
                master, slave = pty.openpty()
                child = subprocess.Popen([PROGRAM, *self.LONG, "--progress", when], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                         stderr=slave, cwd=self.directory.name, env=self.environment)
                os.close(slave)
                seen = b""
                while True:
                    ready, _, _ = select.select([master], [], [], LIMIT)
                    try:
                        block = os.read(master, 65536) if ready else b""
                    except OSError:  # the other side is closed
                        block = b""
                    if not block:
                        break
                    seen += block
                child.communicate(timeout=LIMIT)
                os.close(master)
                self.assertEqual(child.returncode, 0)
                self.assertEqual(b"vlv" in seen or b"left" in seen, expected, seen)


class Interrupt(Case):
    def interrupted(self, which, argv):
        child = subprocess.Popen([PROGRAM, *argv], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 cwd=self.directory.name, env=self.environment)
        try:
            time.sleep(1)
            self.assertIsNone(child.poll(), "ended before the signal: %s" % (argv,))
            child.send_signal(which)
            try:
                out, err = child.communicate(timeout=PROMPT)
            except subprocess.TimeoutExpired:
                self.fail("still running %d s after signal %d: %s" % (PROMPT, which, " ".join(argv)))
        finally:
            if child.poll() is None:
                child.kill()
                child.communicate()
        return Outcome(argv, child.returncode, out.decode(), err.decode())

    LONG = ["run", "--method", "vlv,eln", "--bodies", "4096", "--step", "0.125", "--steps", "100000000"]

    def test_status(self):
        for which, more in ((signal.SIGINT, ["--json"]), (signal.SIGTERM, [])):
            with self.subTest(which):
                outcome = self.interrupted(which, self.LONG + more)
                self.assertEqual(outcome.status, 130, str(outcome))
                self.assertRegex(outcome.err, r"\A[^\n]*interrupted[^\n]*\n\Z")

    def test_what_was_computed_so_far_is_printed_and_marked(self):
        outcome = self.interrupted(signal.SIGINT, self.LONG + ["--json", "--threads", "1"])
        self.assertEqual(outcome.status, 130, str(outcome))
        try:
            document = strict_json(outcome.out)
        except ValueError as error:
            self.fail("not one JSON document: %s\n%s" % (error, outcome))
        self.assertIn("results", document)
        self.assertIn("complete", outcome.out)  # "incomplete", or "complete": false

    def test_prompt_whatever_a_step_costs(self):
        for argv in (["--method", "liemid-ea@8", "--bodies", "300000", "--steps", "1000000", "--isa", "scalar", "--threads", "1"],
                     ["--method", "rk45", "--step", "1000", "--steps", "100000", "--bodies", "1000", "--threads", "1"]):
            with self.subTest(" ".join(argv)):
                outcome = self.interrupted(signal.SIGINT, ["run", *argv])
                self.assertEqual(outcome.status, 130, str(outcome))

    def test_order_and_bench(self):
        for which, argv in ((signal.SIGINT, ["order", "--method", "vlv", "--time", "10000000"]),
                            (signal.SIGTERM, ["bench", "--method", "vlv", "--steps", "1000000000"])):
            with self.subTest(argv[0]):
                outcome = self.interrupted(which, argv)
                self.assertEqual(outcome.status, 130, str(outcome))


def main():
    global PROGRAM
    if len(sys.argv) > 1 and os.path.exists(sys.argv[1]):
        PROGRAM = sys.argv.pop(1)
    if not PROGRAM:
        sys.exit("usage: SPINDRIFT=PROGRAM test_cli.py [unittest options]   or   test_cli.py PROGRAM [unittest options]")
    PROGRAM = os.path.abspath(PROGRAM)
    if not os.access(PROGRAM, os.X_OK):
        sys.exit("test_cli.py: %s is no program" % PROGRAM)
    unittest.main()


if __name__ == "__main__":
    main()
