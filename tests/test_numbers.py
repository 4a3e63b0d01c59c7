#!/usr/bin/env python3
"""Samples, statistics and energies of a run, against formulas evaluated here."""
import math
import unittest

from command_line import ALIKE, SEED1, Case
from formulas import STRESS_START, distance_of_quaternions, distance_of_rotations, kinetic, product, rotation, rows, slope_of, stress_energy


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
                distance = distance_of_quaternions if result["method"] == "rk4" else distance_of_rotations  # it lets q's length drift
                energy = stress_energy(rows(state["Q"]), state["W"], distance=distance)
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
                  "new3": (5.69e-7, 5e-10), "liemid-ea": (1.42e-7, 5e-10), "liemid-i": (-7.37e-7, 5e-10), "rk4": (-2.65e-7, 5e-10),
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


if __name__ == "__main__":
    unittest.main()
