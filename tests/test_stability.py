#!/usr/bin/env python3
"""test_stability.py - the largest stable step that is estimated before a run of a system: against formulas, against
eigenvalues of matrices assembled here, and against what runs do below and above it.

SPINDRIFT names the program, SPINDRIFT_LIBRARY the shared library, SOURCE the source tree.  It needs numpy."""
import json
import math
import os
import pathlib
import subprocess
import sys
import unittest

import numpy as np

from case import PROGRAM, Case

sys.path.insert(0, str(pathlib.Path(os.environ["SOURCE"]) / "python"))
import spindrift as sd  # noqa: E402

ONE = ["--members", "1", "--method", "rattle"]
# Every problem as it is by default, and commands of the documentation: their settings that matter here.
USUAL = [["--problem", name] for name in ("torus", "rod", "plate", "block", "gas", "full-body", "file")] + [
    ["--problem", "torus", "--param", "speed=0.3", "--members", "16", "--steps", "200000"],
    ["--problem", "torus", "--sigma-stiffness", "0.1", "--members", "64"],
    ["--problem", "block", "--param", "nx=10", "--param", "ny=10", "--param", "nz=10"],
    ["--problem", "block", "--param", "other=1"],
    ["--problem", "gas", "--param", "n=200", "--param", "filling=0.4"],
    ["--problem", "full-body", "--members", "64", "--steps", "2560000"]]


def param(**values):
    return [word for name, value in values.items() for word in ("--param", f"{name}={value}")]


def chain(n):
    """The largest eigenvalue of n unit masses in a row, with unit springs between them."""
    return 4 * math.sin(math.pi * (n - 1) / (2 * n)) ** 2


def largest(masses, springs):
    """Of springs (a, b, stiffness, from b to a), by their matrix."""
    matrix = np.zeros((3 * len(masses),) * 2)
    for a, b, stiffness, r in springs:
        n = np.array(r) / np.linalg.norm(r)
        block = stiffness * np.outer(n, n)
        for i, j, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
            matrix[3 * i:3 * i + 3, 3 * j:3 * j + 3] += sign * block
    root = np.repeat(np.sqrt(masses), 3)
    return np.linalg.eigvalsh(matrix / np.outer(root, root))[-1]


class Stability(Case):
    def is_refused(self, plan, step):
        done = subprocess.run([PROGRAM, "run", *plan, "--step", repr(step), "--steps", "1000000", "--dry-run"], cwd=self.here, capture_output=True, text=True)
        self.assertEqual(done.returncode, 2 if "stability limit" in done.stderr else 0, done.stderr)
        return done.returncode == 2

    def check(self, limit, *plan, tolerance=1e-6):
        """The estimate is this one."""
        self.assertFalse(self.is_refused(plan, limit * (1 - tolerance)), limit)
        self.assertTrue(self.is_refused(plan, limit * (1 + tolerance)), limit)

    def limit(self, *plan):
        """As it is said: with two digits."""
        said = self.refused("run", *plan, "--step", "1e6", "--steps", "1000000", "--dry-run", status=2, has=["stability limit"]).stderr
        return float(said.split("about ")[1].split(";")[0])

    def result(self, *plan, status=0):
        done = self.run_program("run", *plan, "--json", "--quiet", "--threads", "1", status=status)
        return json.loads(done.stdout)["results"][0]

    def blows_up(self, *plan):
        """Members are lost, or what was next to nothing is not."""
        done = subprocess.run([PROGRAM, "run", *plan, "--unstable", "yes", "--json", "--quiet"], cwd=self.here, capture_output=True, text=True)
        self.assertIn(done.returncode, (0, 3), done.stderr)
        result = json.loads(done.stdout)["results"][0]
        return result["failed"] > 0 or result["energy"]["max_abs_error"] > 1


class Bonds(Stability):
    FREE = ["--problem", "rod", *ONE, *param(Kp=0, Km=0, Ka=300, m=1.5)]

    def test_chains(self):
        for n, tolerance in ((2, 1e-6), (3, 1e-6), (16, 1e-6), (40, 1e-6), (3000, 1e-4)):
            self.check(2 / math.sqrt(300 / 1.5 * chain(n)), *self.FREE, *param(n=n), tolerance=tolerance)

    def test_lattice(self):
        """Bonds along one axis do not know of those along another."""
        for n in ([3, 5, 4], [1, 2, 9]):
            plan = ["--problem", "block", *ONE, *param(Kp=0, Km=0, Ka=300, D=0.5, nx=n[0], ny=n[1], nz=n[2])]
            self.check(2 / math.sqrt(300 / 0.25 * chain(max(n))), *plan)

    def test_ring(self):
        for n in (7, 12):
            at = [3 / 2 * np.array([math.cos(2 * math.pi * k / n), math.sin(2 * math.pi * k / n), 0]) for k in range(n)]
            rows = [(k, (k + 1) % n, 200 / np.linalg.norm(at[k] - at[(k + 1) % n]) ** 2, at[k] - at[(k + 1) % n]) for k in range(n)]
            self.check(2 / math.sqrt(largest([2] * n, rows)), "--problem", "torus", *ONE, *param(Kp=0, Km=0, n=n, m=2))

    def network(self, random, bodies=14):
        """Bodies anywhere, a bond from each to the next and some more; the text, masses, springs."""
        masses, at = random.uniform(0.2, 3, bodies), random.uniform(0, 5, (bodies, 3))
        text = "".join(f"species s{b} mass {float(m)!r} J 1 1 1\n" for b, m in enumerate(masses)) + "Kp 0\n"
        text += "".join(f"body s{b} {' '.join(repr(float(c)) for c in x)}\n" for b, x in enumerate(at))
        springs = []
        for a, b in [(b, b + 1) for b in range(bodies - 1)] + [(b, b + 5) for b in range(0, bodies - 5, 2)]:
            stiffness = float(random.uniform(10, 1000))
            text += f"bond {a} {b} 0 {stiffness!r} 0\n"
            springs.append((a, b, stiffness / np.dot(at[a] - at[b], at[a] - at[b]), at[a] - at[b]))
        return text, masses, springs

    def test_any_network(self):
        random = np.random.default_rng(3)
        for _ in range(4):
            text, masses, springs = self.network(random)
            (self.here / "own.txt").write_text(text)
            self.check(2 / math.sqrt(largest(masses, springs)), "--problem", "own.txt", *ONE)

    def test_rotations(self):
        """A bound by rows: not above the limit of a chain's bending, 4 Km/J sin^2, nor far below."""
        plan = ["--problem", "rod", *ONE, *param(Kp=0, Ka=0, Km=50, J="0.1,0.1,0.1")]
        exact = 2 / math.sqrt(50 / 0.1 * chain(16))
        self.assertTrue(self.is_refused(plan, exact))
        self.assertFalse(self.is_refused(plan, 0.99 * exact))

    def test_below_and_above(self):
        """Twenty thousand steps just below it, and what becomes of the start just above: said with the time."""
        plan = ["--problem", "rod", "--method", "rattle", "--members", "2", "--sigma-spin", "0", *param(Kp=0, Km=0, Ks=0, Ka=200, speed=0)]
        exact = 2 / math.sqrt(200 * chain(16))
        below = self.result(*plan, "--step", repr(0.998 * exact), "--steps", "20000")
        self.assertEqual(below["failed"], 0)
        self.assertLess(below["ledger"]["strain"], 0.01)
        above = [*plan, "--step", repr(1.01 * exact), "--steps", "20000", "--final", "2"]
        self.refused("run", *above, status=2, has=["stability limit", "--unstable yes"])
        lost = self.result(*above, "--unstable", "yes", status=3)["final"][1]
        self.assertNotEqual(lost["status"], "ok")
        self.assertTrue(0 < lost["lost_at"] < 20000 * exact)

    def test_dashpots(self):
        """They see the velocity of half a step before: h^2 w^2 + 2 h g < 4."""
        for damping in (1, 300):
            w2, g = 200 * chain(16), damping * chain(16)
            exact = 4 / (g + math.sqrt(g * g + 4 * w2))
            plan = ["--problem", "rod", "--method", "rattle", "--members", "2", "--sigma-spin", "0", *param(Kp=0, Km=0, Ks=0, speed=0, damping=damping)]
            self.check(exact, *plan)
            self.assertLess(self.result(*plan, "--step", repr(0.998 * exact), "--steps", "20000")["energy"]["max_abs_error"], 1e-4)
            self.assertTrue(self.blows_up(*plan, "--step", repr(1.01 * exact), "--steps", "2000"))

    def test_torus(self):
        plan = ["run", "--problem", "torus", "--step", "1e-2", "--method", "rattle"]
        self.refused(*plan, status=2, has=["step 0.01 is beyond the stability limit", "about 0.0027"])
        done = self.run_program(*plan, "--unstable", "yes", "--steps", "100", "--members", "4", status=3)
        self.assertIn("4 of 4 systems failed, the first at t = 0.19", done.stderr)


class Contacts(Stability):
    BALLS = ("species ball mass 1.5 J 1 1 1 diameter 0.8\nspecies bead mass 1.5 J 1 1 1 diameter 0.4\nKp 1e6\n"
             "body ball 0 0 0  {v} 0 0\nbody bead 2 0 0  -{v} 0 0\n")

    def test_two_balls(self):
        """Head-on, they put all that they have into one contact; that is as deep as the estimate has it."""
        mass, v, mean = 1.5, 3, 0.6
        (self.here / "own.txt").write_text(self.BALLS.format(v=v))
        deep = (2.5 * mass * v * v / 1e6) ** 0.4
        run = self.result("--problem", "own.txt", *ONE, "--step", "2e-5", "--time", "0.5", "--every", "1")
        self.assertAlmostEqual(run["ledger"]["overlap"], deep, delta=1e-3 * deep)
        stiffness = 1.5 * 1e6 / 0.4**2 * math.sqrt(deep)  # of the beads, which might meet
        self.check(2 / math.sqrt(4 * stiffness / mass), "--problem", "own.txt", *ONE)
        (self.here / "own.txt").write_text(self.BALLS.format(v=0).replace("-0", "0"))
        self.assertFalse(self.is_refused(["--problem", "own.txt", *ONE], 1.0))  # nothing moves

    def test_a_wall(self):
        """One body that falls onto it."""
        mass, diameter, height = 2, 0.5, 3
        text = f"species s mass {mass} J 1 1 1 diameter {diameter}\nKp 1e7\nwall 0 0 1 0\nbody s 0 0 {height}\n"
        (self.here / "own.txt").write_text(text + "gravity 0 0 -10\n")
        deep = (2.5 * 2 * mass * 10 * height / 1e7) ** 0.4  # two bodies' energy
        limit = 2 / math.sqrt(6 * 1e7 / diameter**2 * math.sqrt(deep) / mass)
        self.check(limit, "--problem", "own.txt", *ONE)
        (self.here / "own.txt").write_text(text + "gravity 3 0 -10\n")  # along the wall as long as the run lasts
        sideways = self.limit("--problem", "own.txt", *ONE)
        self.assertLess(sideways, limit)
        (self.here / "own.txt").write_text(text)
        self.assertFalse(self.is_refused(["--problem", "own.txt", *ONE], 1.0))
        (self.here / "own.txt").write_text(text.replace("wall 0 0 1 0", "wall 0.8 0 0.6 0\nwall -0.8 0 0.6 0") + "gravity 0 0 -10\n")
        self.assertGreater(self.limit("--problem", "own.txt", *ONE), limit / 2)  # a hopper holds it, however long the run

    def keeps(self, *plan, time, share=0.1):
        """At the largest step that is allowed, rounded down as it is said, the energy; at four times that, nothing is kept."""
        step = self.limit(*plan)
        steps = ["--steps", str(round(time / step))]
        self.assertFalse(self.is_refused(plan, step))
        good = self.result(*plan, "--step", repr(step), *steps)
        self.assertEqual(good["failed"], 0)
        self.assertLess(good["energy"]["max_abs_error"], share * sum(kind[0] for kind in good["energy"]["kinds"].values()))
        self.result(*plan, "--step", repr(4 * step), "--unstable", "yes", *steps, status=3)

    def test_stiff_gas(self):
        """None of its bodies touches another at the start."""
        self.keeps("--problem", "gas", *ONE, *param(Kp=1e8), time=2)
        self.assertTrue(self.is_refused(["--problem", "gas", *ONE, *param(Kp=1e8)], 1e-3))

    def test_gas_that_falls(self):
        self.keeps("--problem", "gas", *ONE, *param(Kp=1e8, speed=0, gravity="0,0,-10"), time=2)

    def test_rod_on_a_stiff_wall(self):
        self.keeps("--problem", "rod", *ONE, *param(Kp=1e9), time=1)
        self.keeps("--problem", "rod", *ONE, *param(Kp=1e9, speed=0, gravity="-10,0,0"), time=1)

    def test_what_overlaps_at_the_start(self):
        """It is let go."""
        near = ["--problem", "torus", *ONE, *param(speed=0)]
        self.assertFalse(self.is_refused([*near, *param(D=0.1)], 0.004))
        self.assertTrue(self.is_refused([*near, *param(D=0.2)], 0.004))
        species = "species ball mass 1 J 1 1 1 diameter 5\nspecies bead mass 1 J 1 1 1 diameter 1\nKp 1e6\n"
        stiffness = 1.5 * 1e6 * math.sqrt(0.3)  # as deep as they are, of two beads
        for pair, mean in (("ball", "bead"), 3), (("bead", "ball"), 3), (("bead", "bead"), 1):
            (self.here / "own.txt").write_text(species + "".join(f"body {name} {0.7 * mean * b} 0 0\n" for b, name in enumerate(pair)))
            self.check(2 / math.sqrt(4 * stiffness), "--problem", "own.txt", *ONE)

    def test_what_attracts(self):
        """Bodies at rest fall towards one another."""
        text = "species s mass 1 J 1 1 1 diameter 0.1\nKp 1e6\nbody s 0 0 0\nbody s 1 0 0\n"
        for strength, refused in ((0, False), (1, True)):
            (self.here / "own.txt").write_text(f"{text}G {strength}\n")
            self.assertEqual(self.is_refused(["--problem", "own.txt", *ONE], 1e-3), refused)

    def test_scatter(self):
        """Of members but the first: by it they move, or overlap."""
        gas = ["--problem", "gas", *param(Kp=1e8, speed=0), "--method", "rattle"]
        alone = ["--problem", "block", *param(Kp=1e8, speed=0, wall=0), "--method", "rattle", "--sigma-spin", "0"]
        placed = ["--sigma-speed", "0", "--sigma-centre", "0.3"]
        for plan in ([*gas, "--sigma-speed", "1"], [*gas, *placed], [*alone, *placed]):
            self.assertFalse(self.is_refused([*plan, "--members", "1"], 1e-3))
            self.assertTrue(self.is_refused([*plan, "--members", "2"], 1e-3))
            self.assertTrue(self.is_refused([*plan, "--members", "1", "--first-member", "3"], 1e-3))

    def test_given_starts(self):
        """Of two bonded spheres that rest, and do not touch: in a start of their own they move, are in one another, or their bond is stretched."""
        rest = np.zeros((2, 13))
        rest[1, 0], rest[:, 6] = 3, 1
        moving, near, stretched = rest.copy(), rest.copy(), rest.copy()
        moving[0, 3], near[1, 0], stretched[1, 0] = 1, 0.8, 5
        text = "species s mass 1 J 1 1 1 diameter 1\nKp 1e8\nbody s 0 0 0\nbody s 3 0 0\nbond 0 1 1 1 1\n"
        plan = {"problem": "file", "system": text, "method": "rattle", "step": 1e-2, "steps": 1, "members": 1}
        sd.run(starts=rest.reshape(1, -1), **plan)
        for start in moving, near, stretched:
            with self.assertRaisesRegex(sd.Error, "stability limit"):
                sd.run(starts=start.reshape(1, -1), **plan)
            sd.run(starts=start.reshape(1, -1), unstable=True, **plan)

    def test_nothing_but_the_motion_of_all(self):
        """Without a wall it brings no contact about; with one it does."""
        block = ["--problem", "block", *ONE, *param(speed=1000, Kp=1e6)]
        self.assertFalse(self.is_refused([*block, *param(wall=0)], 1e-2))
        self.assertTrue(self.is_refused([*block, *param(wall=1)], 1e-2))


class Usual(Stability):
    def test_what_is_usual_runs(self):
        for plan in USUAL:
            with self.subTest(plan):
                self.run_program("run", *plan, "--method", "rattle", "--dry-run")


if __name__ == "__main__":
    unittest.main()
