#!/usr/bin/env python3
"""test_ledger.py - what is kept of systems at the samples, against the same computed here from all their states: largest overlap and strain, momentum,
impulses and work, how stiff scattered bonds are.

SPINDRIFT=PROGRAM test_ledger.py, by a Python that has numpy"""
import itertools
import json
import math
import unittest

import numpy as np

from case import Case
from formulas import philox


def param(**values):
    return [word for name, value in values.items() for word in ("--param", f"{name}={value}")]


class Ledger(Case):
    def run_of(self, *plan):
        """Of member 1, which is perturbed: result, ledger over time, places and velocities [sample][body][3]."""
        done = self.run_program("run", *plan, "--method", "rattle", "--members", "1", "--first-member", "1", "--every", "1", "--trajectories", "1",
                                "--series", "--json", "--quiet", "--threads", "1")
        result = json.loads(done.stdout)["results"][0]
        trajectory = result["trajectories"][0]
        series = {name: np.array(row) for name, row in result["series"].items() if name != "because"}
        return result, series, np.array(trajectory["x"]), np.array(trajectory["v"])

    def near(self, found, expected, tolerance):
        self.assertLessEqual(np.max(np.abs(found - expected)), tolerance * np.max(np.abs(expected)))


class Largest(Ledger):
    def overlaps(self, x, diameter, walls):
        """Of all pairs, and with walls (normal, place), which count in radii."""
        pairs = [1 - np.linalg.norm(x[:, a] - x[:, b], axis=1) / diameter for a, b in itertools.combinations(range(x.shape[1]), 2)]
        outside = [1 - (x[:, b] @ np.array(n) - w) / (diameter / 2) for n, w in walls for b in range(x.shape[1])]
        return np.maximum(np.array(pairs + outside).max(axis=0), 0)

    def test_block_at_a_wall(self):
        n = (3, 3, 2)
        _, series, x, _ = self.run_of("--problem", "block", *param(nx=n[0], ny=n[1], nz=n[2], speed=4, D=0.9), "--steps", "600")
        place = {at: at[0] + n[0] * (at[1] + n[1] * at[2]) for at in itertools.product(*map(range, n))}
        bonds = [(place[a], place[b]) for a, b in itertools.combinations(place, 2) if sum(abs(i - j) for i, j in zip(a, b)) == 1]
        self.assertEqual(len(bonds), 33)
        strain = np.max([np.abs(np.linalg.norm(x[:, a] - x[:, b], axis=1) / 0.9 - 1) for a, b in bonds], axis=0)
        self.near(series["strain"], strain, 1e-13)
        self.near(series["overlap"], self.overlaps(x, 0.9, [((1, 0, 0), 0)]), 1e-13)
        self.assertGreater(strain.max(), 0.1)

    def test_gas_in_a_box(self):
        """Now two bodies are deepest in one another, now one in a wall."""
        _, series, x, _ = self.run_of("--problem", "gas", *param(n=20, filling=0.4, speed=3, Kp=500), "--steps", "600")
        side = 3 * (math.pi / 6 / 0.4) ** (1 / 3)
        walls = [(sign * np.eye(3)[k], min(sign * side, 0)) for k in range(3) for sign in (1, -1)]
        of_all, of_pairs = self.overlaps(x, 1, walls), self.overlaps(x, 1, [])
        self.near(series["overlap"], of_all, 1e-12)
        share = np.mean(of_all > of_pairs)
        self.assertTrue(0.1 < share < 0.9, share)
        self.assertEqual(np.max(series["strain"]), 0)


class Stiffness(Ledger):
    def factor(self, sigma, member, bodies, a, b, seed=1):
        w = philox(seed, member, 6 * bodies + a * bodies + b)
        u, v = (((w[i] << 32 | w[i + 1]) >> 12) + 0.5 for i in (0, 2))
        normal = math.sqrt(-2 * math.log(u / 2**52)) * math.cos(2 * math.pi * v / 2**52)
        variance = math.log(1 + sigma * sigma)
        return math.exp(math.sqrt(variance) * normal - 0.5 * variance)

    def test_every_bond_has_its_own(self):
        """By the energies at the start, of places that are scattered."""
        bodies, sigma = 9, 0.3
        plan = ["--problem", "rod", *param(n=bodies, Km=0, Ks=70, Ka=150), "--sigma-centre", "0.02", "--sigma-stiffness", str(sigma),
                "--sigma-tilt", "0.05", "--steps", "1", "--series", "--trajectories", "1", "--final", "1", "--json", "--quiet", "--method", "vlv"]
        for member in (0, 1, 2, 77):
            done = self.run_program("run", *plan, "--members", "1", "--first-member", str(member))
            result = json.loads(done.stdout)["results"][0]
            x = np.array(result["trajectories"][0]["x"][0])
            factors = [self.factor(sigma, member, bodies, b, b + 1) if member else 1 for b in range(bodies - 1)]
            stretched = [np.linalg.norm(x[b] - x[b + 1]) - 1 for b in range(bodies - 1)]
            axial = sum(f * 150 / 2 * s * s for f, s in zip(factors, stretched))
            self.assertAlmostEqual(result["energy"]["kinds"]["axial"][0], axial, delta=1e-12 * abs(axial) + 1e-25)
            if member:
                self.assertGreater(abs(axial / sum(150 / 2 * s * s for s in stretched) - 1), 0.01)

    def test_all_three_stiffnesses(self):
        """Of one bond: bending, tension, shear by the same factor."""
        ratios = {}
        for sigma in ("0", "0.4"):
            done = self.run_program("run", "--problem", "rod", *param(n=2), "--sigma-centre", "0.02", "--sigma-tilt", "0.1", "--sigma-stiffness", sigma,
                                    "--members", "1", "--first-member", "5", "--steps", "1", "--json", "--quiet", "--method", "vlv")
            kinds = json.loads(done.stdout)["results"][0]["energy"]["kinds"]
            ratios[sigma] = np.array([kinds[name][0] for name in ("bending", "axial", "shear")])
        self.assertTrue(np.all(ratios["0"] > 0))
        self.near(ratios["0.4"] / ratios["0"], np.full(3, self.factor(0.4, 5, 2, 0, 1)), 1e-12)


class Balance(Ledger):
    MASS, DIAMETER, KP, DAMPING, GRAVITY, STEP = 1.3, 0.8, 900, 2.5, np.array([-6, 1.5, 0.7]), 1e-3
    PLAN = ["--problem", "rod", *param(n=7, m=MASS, D=DIAMETER, Kp=KP, damping=DAMPING, gravity="-6,1.5,0.7", speed=2), "--sigma-centre", "1e-3", "--step", str(STEP), "--steps",
            "900"]

    def test_momentum(self):
        """Its change is what gravity gives, mass times time, and what the wall gives: by the trapezoidal rule, as the steps have it."""
        _, series, x, v = self.run_of(*self.PLAN)
        gap = x[:, :, 0] / (self.DIAMETER / 2) - 1
        push = np.where(gap < 0, self.KP / (self.DIAMETER / 2) * np.maximum(-gap, 0) ** 1.5, 0).sum(axis=1)
        wall = np.concatenate([[0], np.cumsum(self.STEP * (push[1:] + push[:-1]) / 2)])
        time = self.STEP * np.arange(len(x))
        weight = 7 * self.MASS * np.outer(time, self.GRAVITY)
        for k, name in enumerate(("impulse_x", "impulse_y", "impulse_z")):
            expected = weight[:, k] + (wall if k == 0 else 0)
            self.near(series[name], expected, 1e-12)
            self.near(self.MASS * (v[:, :, k] - v[0, :, k]).sum(axis=1), expected, 1e-12)
        self.assertGreater(wall[-1], 10)  # there was one

    def test_work_of_dashpots(self):
        """They pull along the line of a pair, in bonds and contacts, against the velocity of half a step before; their work, and what energy is left."""
        result, series, x, v = self.run_of(*self.PLAN)
        middle = np.concatenate([v[:1], np.diff(x, axis=0) / self.STEP])  # before the sample
        pull = np.zeros_like(x)
        for a, b in itertools.combinations(range(7), 2):
            r = x[:, a] - x[:, b]
            touching = (np.linalg.norm(r, axis=1) < self.DIAMETER).astype(float) + (b == a + 1)
            along = np.einsum("ij,ij->i", middle[:, a] - middle[:, b], r) / np.einsum("ij,ij->i", r, r)
            pull[:, a] -= self.DAMPING * (touching * along)[:, None] * r
            pull[:, b] += self.DAMPING * (touching * along)[:, None] * r
        half = self.STEP / 4  # of a kick of half a step, at the mean of the velocities before and after it
        first = half * np.einsum("ijk,ijk->i", pull[:-1], v[:-1] + middle[1:])
        second = half * np.einsum("ijk,ijk->i", pull[1:], middle[1:] + v[1:])
        work = np.concatenate([[0], np.cumsum(first + second)])
        self.near(series["work"], work, 1e-12)
        self.assertLess(work[-1], -0.5)
        kinds = np.sum([series[name] for name in ("translation", "rotation", "bending", "axial", "shear", "contact", "wall", "gravity")], axis=0)
        balance = kinds - kinds[0] - work
        self.assertLess(np.max(np.abs(balance)), 0.01 * np.max(np.abs(work)))
        self.assertAlmostEqual(result["energy"]["max_abs_error"], np.max(np.abs(balance)), delta=1e-9)
        finer = [*self.PLAN[:-3], str(self.STEP / 4), "--steps", "3600"]
        result, *_ = self.run_of(*finer)
        self.assertLess(result["energy"]["max_abs_error"], np.max(np.abs(balance)) / 8)  # as the square of the step


if __name__ == "__main__":
    unittest.main()
