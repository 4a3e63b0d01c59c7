"""command_line.py - what the tests of the command line share: the program called as its users call it.

SPINDRIFT names the program.  Standard library only.  Everything runs in an empty directory of its own, which has to be
empty again afterwards.  Numbers are checked against formulas.py, never against what the program printed last time."""
import json
import math
import os
import subprocess
import tempfile
import unittest

PROGRAM = os.path.abspath(os.environ["SPINDRIFT"])
LIMIT = 300  # seconds that a command may take; a sanitizer on a busy machine needs some of them
PROBLEMS = {
    "stress": ["J", "attitude", "velocity", "alpha"],
    "free": ["J", "attitude", "velocity"],
    "top-slow": ["J", "attitude", "velocity", "mgl"],
    "top-fast": ["J", "attitude", "velocity", "mgl"],
    "pendulum": ["J", "attitude", "velocity", "mg", "rho"],
    "coulomb-wall": ["J", "attitude", "velocity"],
}
SEED1 = ["eln", "tln", "prk", "mcg", "new3", "liemid-ea", "vlv"]
SPHERICAL = ["rrp", "rrp-newmark", "rrp-euler", "campello"]
ALIKE = ["--sigma-attitude", "0", "--sigma-velocity", "0"]  # all bodies start as body 0 does
SMALL = ("--bodies", "3", "--step", "0.125", "--steps", "40", "--method", "eln,vlv,rk4")
VERDICTS = {"drifts +", "drifts -", "bounded", "undecided"}
USABLE = []  # variants this processor can run, asked once


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
    timing = ("seconds", "ns_per_body_step", "neighbours")
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
        keys = "run method problem param step time members bodies failed energy invariants newton verdict because resolved seconds ns_per_body_step".split()
        self.assertEqual(set(result) - {"final"}, set(keys))
        for name in ("method", "problem", "verdict", "because"):
            self.assertIsInstance(result[name], str)
        self.assertIs(type(result["run"]), int)
        self.assertIsInstance(result["param"], dict)
        self.assertEqual(result["members"], result["bodies"])
        for name in ("members", "bodies", "failed"):
            self.assertIs(type(result[name]), int)
        for name in ("step", "time", "seconds", "ns_per_body_step"):
            self.number(result[name], name)
        self.assertGreaterEqual(result["seconds"], 0)
        self.assertGreaterEqual(result["ns_per_body_step"], 0)
        self.assertIn(result["verdict"], VERDICTS)
        self.assertTrue(result["because"])
        self.assertEqual(set(result["energy"]), {"initial_mean", "slope", "drift", "oscillation", "wander", "max_abs_error", "rms_error",
                                                 "scale", "rounding"})
        self.assertEqual(set(result["energy"]["slope"]), {"mean", "stderr", "ci95", "first_half", "second_half"})
        self.assertEqual(set(result["energy"]["drift"]), set("""slope stderr reach change_over_rms reach_over_rms halves quarters witness
                                                                witness_quarters rising falling limit needs""".split()))
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
