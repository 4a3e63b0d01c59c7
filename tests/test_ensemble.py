#!/usr/bin/env python3
"""Statistics, time series and perturbed starts of a small ensemble, calculated again from its stored trajectories.

Standard library only: sums by math.fsum, so this side is exact to the last bits.  SPINDRIFT names the program."""
import json
import math
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from formulas import philox

PROGRAM = os.environ.get("SPINDRIFT", "build/spindrift")
BODIES, STEPS, EVERY, STEP, SEED = 32, 1003, 4, 0.125, 12345678901234567
TIMES = [n * STEP for n in range(0, STEPS + 1) if n % EVERY == 0 or n == STEPS]


LISTS = (pathlib.Path(__file__).parent.parent / "include" / "spindrift_statistics.def").read_text()


def lines(kind):
    """The arguments of every line of that kind, as far as they are names, numbers and texts."""
    return [[a or b for a, b in re.findall(r'"([^"]*)"|([\w.]+)', line)] for line in re.findall(rf"^{kind}\((.*)\)$", LISTS, re.M)]


def places(value, at=""):
    """Where the numbers of a document are, as the list of statistics has it."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, v in inner for place in places(v, f"{at}.{key}" if at else str(key))] or [at]


def once(pairs):
    assert len(dict(pairs)) == len(pairs), f"a key twice: {[key for key, _ in pairs]}"
    return dict(pairs)


def run(*options):
    command = [PROGRAM, "run", "--json", "--progress", "never", "--bodies", str(BODIES), "--steps", str(STEPS), "--every",
               str(EVERY), "--step", str(STEP), "--seed", str(SEED), *options]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout, object_pairs_hook=once)


def slope(times, values):
    mean = math.fsum(times) / len(times)
    return math.fsum((t - mean) * v for t, v in zip(times, values)) / math.fsum((t - mean) ** 2 for t in times)


def quantile(values, p):
    ordered, place = sorted(values), (len(values) - 1) * p
    low = int(place)
    return ordered[low] + (place - low) * (ordered[min(low + 1, len(ordered) - 1)] - ordered[low])


def normals(seed, body):
    found = []
    for draw in range(3):
        w = philox(seed, body, draw)
        u, v = (((w[i] << 32 | w[i + 1]) >> 12) + 0.5 for i in (0, 2))
        radius = math.sqrt(-2 * math.log(u / 2**52))
        found += [radius * math.cos(2 * math.pi * v / 2**52), radius * math.sin(2 * math.pi * v / 2**52)]
    return found


def rotation(x):
    """exp(x), row by row."""
    t = math.sqrt(sum(c * c for c in x))
    a, b = (math.sin(t) / t, (1 - math.cos(t)) / t**2) if t else (1, 0.5)
    hat = [[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]]
    square = multiply(hat, hat)
    return [[(i == j) + a * hat[i][j] + b * square[i][j] for j in range(3)] for i in range(3)]


def multiply(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


class Ensemble(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.document = run("--method", "eln", "--trajectories", str(BODIES), "--series")
        cls.result = cls.document["results"][0]
        cls.errors = [b["energy_error"] for b in cls.result["trajectories"]]

    def close(self, found, expected, scale=None):
        self.assertLessEqual(abs(found - expected), 1e-12 * max(abs(expected), scale or 0), (found, expected))

    def test_times(self):
        for body in self.result["trajectories"]:
            self.assertEqual(body["time"], TIMES)
        self.assertEqual(self.result["series"]["time"], TIMES)

    def test_slopes(self):
        found = self.result["energy"]["slope"]
        slopes = [slope(TIMES, e) for e in self.errors]
        mean = math.fsum(slopes) / BODIES
        half = len(TIMES) // 2
        stderr = math.sqrt(math.fsum((s - mean) ** 2 for s in slopes) / (BODIES - 1) / BODIES)
        size = max(map(abs, slopes))
        self.close(found["mean"], mean, size)
        self.close(found["stderr"], stderr)
        student = 2.039513446396408  # 97.5 % point for 31 degrees of freedom
        for bound, sign in zip(found["ci95"], (-1, 1)):
            self.assertLessEqual(abs(bound - (mean + sign * student * stderr)), 1e-6 * stderr)
        first = [slope(TIMES[:half], e[:half]) for e in self.errors]
        second = [slope(TIMES[half:], e[half:]) for e in self.errors]
        self.close(found["first_half"], math.fsum(first) / BODIES, max(map(abs, first)))
        self.close(found["second_half"], math.fsum(second) / BODIES, max(map(abs, second)))

    def test_errors(self):
        energy = self.result["energy"]
        self.assertEqual(energy["max_abs_error"], max(abs(e) for body in self.errors for e in body))
        squares = math.fsum(e * e for body in self.errors for e in body) / (BODIES * len(TIMES))
        self.close(energy["rms_error"], math.sqrt(squares))

    def test_series(self):
        series = self.result["series"]
        for k in range(len(TIMES)):
            row = [e[k] for e in self.errors]
            mean = math.fsum(row) / BODIES
            size = max(map(abs, row))
            self.close(series["mean"][k], mean, size)
            self.close(series["deviation"][k], math.sqrt(math.fsum((e - mean) ** 2 for e in row) / (BODIES - 1)), size)
            self.assertEqual((series["lowest"][k], series["highest"][k]), (min(row), max(row)))
            for name, p in (("q05", 0.05), ("q25", 0.25), ("q50", 0.5), ("q75", 0.75), ("q95", 0.95)):
                self.close(series[name][k], quantile(row, p), size)

    def test_every_statistic_has_its_place(self):
        """One line in the list: then it is in the JSON and in the file, once, and nothing else is."""
        listed = [line[1] + ("orthogonality_max" if line[1].endswith(".") else "") for line in lines("STATISTIC")]
        self.assertGreater(len(listed), 15)
        found = places({key: self.result[key] for key in ("energy", "invariants", "newton", "resolved")})
        self.assertEqual(sorted(found), sorted(listed))
        columns = [line[0] for kind in ("SAMPLE_REAL", "SAMPLE_WHOLE") for line in lines(kind)]
        columns += [line[1] for line in lines("QUANTILE")]
        self.assertGreater(len(columns), 10)
        self.assertEqual(sorted(self.result["series"]), sorted(columns))
        self.assertEqual(self.result["series"]["members"], [BODIES] * len(TIMES))
        with tempfile.TemporaryDirectory() as folder:
            run("--method", "eln", "--output", f"{folder}/x.h5")
            stored = pathlib.Path(folder, "x.h5").read_bytes()
        named = [line[0] for line in lines("STATISTIC") if line[0] != "defect_max"] + ["orthogonality_max"]
        named += [line[1] for kind in ("SAMPLE_REAL", "SAMPLE_WHOLE", "SAMPLE_QUANTILES") for line in lines(kind)]
        for name in named:  # HDF5 has the length of a name in front of it
            self.assertTrue(bytes([len(name)]) + name.encode() in stored, name)

    def test_starts(self):
        nominal = rotation([0, 0.7227, 0])
        for body in self.result["trajectories"]:
            xi = normals(SEED, body["body"]) if body["body"] else [0] * 6
            Q = multiply(nominal, rotation([0.01 * x for x in xi[:3]]))
            for found, expected in zip(body["Q"][0], sum(Q, [])):
                self.assertLessEqual(abs(found - expected), 2e-15)
            for found, expected in zip(body["W"][0], [0.01 * xi[3], 0.01 * xi[4], 0.625 + 0.01 * xi[5]]):
                self.assertLessEqual(abs(found - expected), 2e-16)

    def test_recording_changes_nothing(self):
        self.assertEqual(self.document["digest"], run("--method", "eln")["digest"])

    def test_spread(self):
        alike = run("--method", "eln", "--sigma-attitude", "0", "--sigma-velocity", "0", "--final", str(BODIES))["results"][0]
        self.assertEqual(len({json.dumps([f["Q"], f["W"]]) for f in alike["final"]}), 1)
        alone = run("--method", "eln", "--bodies", "1", "--sigma-attitude", "0", "--sigma-velocity", "0")["results"][0]
        self.assertEqual(alike["verdict"], alone["verdict"])  # as many as they are, they say what one says
        other = run("--method", "eln", "--seed", "2", "--final", "2")["results"][0]["final"]
        self.assertNotEqual(other[1]["W"], self.result["trajectories"][1]["W"][-1])
        self.assertEqual(other[0]["W"], self.result["trajectories"][0]["W"][-1])  # body 0 is not perturbed

    def test_digest_of_threads_and_variants(self):
        for options in (["--threads", "1"], ["--threads", "2"], ["--threads", "5"], ["--isa", "scalar"]):
            self.assertEqual(run("--method", "eln", *options)["digest"], self.document["digest"])


unittest.main()
