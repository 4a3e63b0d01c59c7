#!/usr/bin/env python3
"""Orbits as a navigator has them: zonal harmonics, air, shadow, further bodies, burns, elements, covariances."""
import math
import os
import tempfile
import unittest

from command_line import Case

MU, RADIUS, J2 = 398600.4418, 6378.137, 1.08263e-3


def add(a, b, s=1.0):
    return [x + s * y for x, y in zip(a, b)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def norm(a):
    return math.sqrt(dot(a, a))


def elements_of(q, v):
    """a, e, i, node, peri, in radians; and the direction of the pericentre."""
    h, r = cross(q, v), norm(q)
    ecc = add([x / MU for x in cross(v, h)], q, -1 / r)
    node = math.atan2(h[0], -h[1])
    along = [math.cos(node), math.sin(node), 0]
    peri = math.atan2(dot(cross(along, ecc), h) / norm(h), dot(along, ecc))
    return 1 / (2 / r - dot(v, v) / MU), norm(ecc), math.acos(h[2] / norm(h)), node, peri


def turn(later, earlier):
    return (later - earlier + math.pi) % (2 * math.pi) - math.pi


class Navigation(Case):
    EARTH = ["--problem", "orbit-circular", "--param", "mu=%r" % MU, "--members", "1"]
    FLAT = ["--param", "j2=%r" % J2, "--param", "radius=%r" % RADIUS]
    AIR = ["--param", "drag2=1e-10", "--param", "scale-height=60", "--param", "reference-height=600", "--param", "spin=7.29e-5"]
    ALL = [*FLAT, "--param", "j3=-2.5e-6", "--param", "j4=-1.6e-6", "--param", "j5=-2e-7", "--param", "j6=5e-7", "--param",
           "pole=0.1,0.2,1", *AIR, "--param", "pressure=1e-9,2e-9,0", "--param", "shadow=6378,60", "--param", "thrust=1e-9",
           "--param", "mu1=4903", "--param", "at1=384400,0,0", "--param", "velocity1=0,1,0.1", "--param", "indirect=1",
           "--burn", "from=130,for=333,thrust=1e-5,isp=300,along=0.1,1,0.2,size=0.05,angle=0.05",
           "--burn", "from=600,for=50,thrust=1e-5,exhaust=3", "--impulse", "t=700,rtn=0,0.001,0.002,size=0.1,angle=0.1"]

    def final(self, *settings, member=0):
        end = self.run_json(*self.EARTH, *settings, "--final", str(member + 1))["results"][0]["final"][member]
        return end["q"], end["p"], end

    def start(self, a, e, i, node=0, peri=0, M=0):
        return ["--elements", "a=%r,e=%r,i=%r,node=%r,peri=%r,M=%r" % (a, e, i, node, peri, M)]

    def test_encke(self):
        """Steps of a fifth of a revolution end where those of rk8 do that are forty times as short: with all harmonics, air and
        burns, and with every force there is, whose edges and small bodies want shorter ones."""
        orbit = self.start(6978.0, 0.01, 98.0, 10, 30)
        burns = ["--burn", "from=6000,for=300,thrust=1e-5,exhaust=2.2", "--burn", "from=15000,for=300,thrust=1e-5,exhaust=2.2,along=0.1,1,0.2"]
        harmonics = self.ALL[:self.ALL.index("pole=0.1,0.2,1") + 1]
        for forces, step, most in (([*harmonics, *self.AIR, *burns], 1200, 5e-5), (self.ALL, 300, 3e-4)):
            coarse = self.final(*orbit, *forces, "--method", "encke", "--step", repr(step), "--time", "24000")
            fine = self.final(*orbit, *forces, "--method", "rk8", "--step", "30", "--time", "24000")
            self.assertLess(norm(add(coarse[0], fine[0], -1)), most)
            self.assertLess(norm(add(coarse[1], fine[1], -1)), most / 500)
            self.assertLess(abs(coarse[2]["energy_error"]), 1e-8)

    def test_linear_covariance(self):
        """A small spread ends with the covariance that the derivatives of the end by the start say, a large one does not.

        The derivatives are those of a Runge-Kutta method that is written here."""
        q0, v0, span, steps = [7000.0, 0.0, 0.0], [0.0, -1.05, 7.4726], 11600.0, 580

        def rates(y):
            square = y[0] * y[0] + y[1] * y[1] + y[2] * y[2]
            pull, oblate, tilt = -MU / (square * math.sqrt(square)), 1.5 * J2 * RADIUS * RADIUS / square, 5 * y[2] * y[2] / square
            across = pull * (1 + oblate * (1 - tilt))
            return [y[3], y[4], y[5], across * y[0], across * y[1], pull * (1 + oblate * (3 - tilt)) * y[2]]

        def end(y):
            h = span / steps
            for _ in range(steps):
                k1 = rates(y)
                k2 = rates(add(y, k1, h / 2))
                k3 = rates(add(y, k2, h / 2))
                k4 = rates(add(y, k3, h))
                y = [x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(y, k1, k2, k3, k4)]
            return y

        columns, apart = [], [1e-2] * 3 + [1e-5] * 3
        for k in range(6):
            there, back = ([*q0, *v0] for _ in range(2))
            there[k] += apart[k]
            back[k] -= apart[k]
            columns.append([(a - b) / (2 * apart[k]) for a, b in zip(end(there), end(back))])
        outward = [x / norm(end([*q0, *v0])[:3]) for x in end([*q0, *v0])[:3]]

        def deviations(position, velocity):
            """Of the six numbers and outward: of 4096 members, and as the derivatives have them."""
            at = self.run_json(*self.EARTH[:4], *self.FLAT, "--param", "q0=%r,%r,%r" % tuple(q0), "--param", "p0=%r,%r,%r" % tuple(v0), "--method", "rk8",
                               "--members", "4096", "--sigma-position", repr(position), "--sigma-momentum", repr(velocity), "--step", "100",
                               "--time", repr(span), "--moments")["results"][0]["moments"]["state_covariance"]
            start = [position**2] * 3 + [velocity**2] * 3
            linear = [[sum(s * c[i] * c[k] for s, c in zip(start, columns)) for k in range(6)] for i in range(6)]
            of = lambda C: [C[i][i] for i in range(6)] + [sum(outward[i] * outward[k] * C[i][k] for i in range(3) for k in range(3))]
            return [math.sqrt(a / b) for a, b in zip(of(at), of(linear))]

        for ratio in deviations(0.01, 1e-5):
            self.assertAlmostEqual(ratio, 1, delta=0.04)  # sampling gives 0.011
        self.assertGreater(deviations(10, 1e-2)[6], 2)

    # ---- forces ----

    def test_secular_rates(self):
        """Node and pericentre under J2, to first order, over 100 orbits; the energy stays, for symplectic methods."""
        a, e, i = 8000.0, 0.1, 50.0
        period = 2 * math.pi * math.sqrt(a**3 / MU)
        n, p, c = 2 * math.pi / period, a * (1 - e * e), math.cos(math.radians(i))
        node = -1.5 * n * J2 * (RADIUS / p)**2 * c
        peri = 0.75 * n * J2 * (RADIUS / p)**2 * (5 * c * c - 1)
        whole = ["--step", repr(period / 200), "--every", "20", "--steps", "20000"]
        orbit = [*self.start(a, e, i, 20, 40), *self.FLAT, *whole]
        document = self.run_json(*self.EARTH, *orbit, "--method", "verlet,bm6,wh", "--trajectories", "1", "--final", "1")
        for result in document["results"]:
            self.assertEqual(result["verdict"], "bounded", result["method"])
            self.assertLess(result["energy"]["max_abs_error"], {"verlet": 2e-2, "bm6": 1e-8, "wh": 2e-3}[result["method"]])
        # the same phase of the orbit, apart from which the elements oscillate: means over the first and the last orbit
        def mean(first):
            sums = [0, 0]
            for k in range(40):
                q, p, _ = self.final(*self.start(a, e, i, 20, 40), *self.FLAT, "--method", "wh@4", "--step", repr(period / 40),
                                     "--steps", str(first + k + 1))
                found = elements_of(q, p)
                sums = [sums[0] + turn(found[3], math.radians(20)) / 40, sums[1] + turn(found[4], math.radians(40)) / 40]
            return sums
        early, late = mean(0), mean(40 * 99)
        self.assertAlmostEqual((late[0] - early[0]) / (node * 99 * period), 1, delta=0.01)
        self.assertAlmostEqual((late[1] - early[1]) / (peri * 99 * period), 1, delta=0.01)

    def test_decay(self):
        """Drag on a circle, in air at rest: a' = -2 C sqrt(mu a) exp(-(a - base)/H)."""
        a, c, height = 6978.137, 1e-9, 50.0
        settings = [*self.start(a, 0, 30), "--param", "radius=%r" % RADIUS, "--param", "drag2=%r" % c, "--param",
                    "scale-height=%r" % height, "--param", "reference-height=600", "--method", "bm6", "--step", "30", "--steps",
                    "2880"]
        q, p, end = self.final(*settings)
        expected = a
        for _ in range(28800):
            slope = -2 * c * math.sqrt(MU * expected) * math.exp(-(expected - a) / height)
            middle = expected + 1.5 * slope
            expected += 3 * -2 * c * math.sqrt(MU * middle) * math.exp(-(middle - a) / height)
        fall = a - elements_of(q, p)[0]
        self.assertGreater(fall, 5)
        self.assertAlmostEqual(fall / (a - expected), 1, delta=0.01)
        self.assertLess(abs(end["energy_error"]), 1e-6)
        self.assertLess(end["work"], -0.01)
        # air that turns along drags less
        q, p, _ = self.final(*settings, "--param", "spin=7.29e-5")
        self.assertLess(a - elements_of(q, p)[0], 0.95 * fall)

    def test_shadow(self):
        """The part of a circle that is dark: t/pi with cos t = sqrt(1 - (R/a)^2)/cos b, where the light is b off the plane.  It is
        seen in the angular momentum, which a period of light all around would leave as it is: 2 sin(t) f a sin(b)/n is left."""
        a, force, b = 7500.0, 1e-9, math.radians(20)
        n = math.sqrt(MU / a**3)
        def turned(*more):
            q, p, _ = self.final("--param", "q0=%r,0,0" % a, "--param", "p0=0,%r,0" % math.sqrt(MU / a), "--param",
                                 "pressure=%r,0,%r" % (force * math.cos(b), force * math.sin(b)), *more, "--method", "rk8", "--step",
                                 repr(2 * math.pi / n / 2000), "--steps", "2000")
            return cross(q, p)[1] * n / (2 * force * a * math.sin(b))
        self.assertAlmostEqual(turned(), 0, delta=1e-4)
        dark = math.acos(math.sqrt(1 - (RADIUS / a)**2) / math.cos(b))
        self.assertAlmostEqual(math.asin(turned("--param", "shadow=%r,1" % RADIUS)) / math.pi, dark / math.pi, delta=5e-4)
        # the edge is as wide as it should be, and even: it moves no light from one side to the other
        self.assertAlmostEqual(turned("--param", "shadow=%r,200" % RADIUS), math.sin(dark), delta=2e-3)

    def test_bodies_that_accelerate_the_centre(self):
        """A further body so far away, and so heavy, that it is the frame that falls: with the centre, nothing is left."""
        far = ["--param", "q0=7000,0,0", "--param", "p0=0,7.5,0", "--param", "mu1=1e9", "--param", "at1=1e9,0,0", "--method",
               "rk8", "--step", "10", "--steps", "100"]
        alone, _, _ = self.final(*far[:4], *far[8:])
        still, _, _ = self.final(*far)
        falling, _, end = self.final(*far, "--param", "indirect=1")
        self.assertGreater(norm(add(still, alone, -1)), 1e-4)
        self.assertLess(norm(add(falling, alone, -1)), 1e-7)
        self.assertLess(abs(end["energy_error"]), 1e-11)

    def test_bodies_on_kepler_orbits(self):
        """On a circle that is one, too: what turns is where what is attracted is."""
        speed = math.sqrt(MU / 384400)
        plan = ["--param", "q0=7000,0,0", "--param", "p0=0,7.5,0", "--param", "mu1=1e5", "--param", "at1=384400,0,0", "--method",
                "rk8", "--step", "100", "--steps", "2000"]
        turning, _, _ = self.final(*plan, "--param", "turn1=0,0,%r" % (speed / 384400))
        guided, _, end = self.final(*plan, "--param", "velocity1=0,%r,0" % speed)
        self.assertLess(norm(add(turning, guided, -1)), 1e-6)
        self.assertLess(abs(end["energy_error"]), 1e-10)

    # ---- burns ----

    def test_rocket(self):
        """Far from anything: v = exhaust log(m/m1), whatever the steps; and the same by isp."""
        settings = ["--param", "mu=1e-9", "--param", "q0=1e6,0,0", "--param", "p0=0,20,0", "--param", "m=20", "--step", "37",
                    "--steps", "10", "--method"]
        expected = 1 + 3 * math.log(20 / (20 - 100.5 * 0.1))
        for method in ("rk8", "verlet@8", "midpoint@6", "dop853", "wh@6"):
            _, p, end = self.final(*settings, method, "--burn", "from=50,for=100.5,thrust=0.3,exhaust=3")
            self.assertAlmostEqual(p[1] / 20, expected, delta=1e-6, msg=method)
            self.assertLess(abs(end["energy_error"]), 1e-3 if method == "wh@6" else 1e-5, method)  # of 86
            self.assertAlmostEqual(end["mass"], 20 - 100.5 * 0.1, delta=1e-14, msg=method)
        half = self.final(*settings, "rk8", "--steps", "3", "--burn", "from=50,for=61,thrust=0.3,exhaust=3")[2]  # as it ends
        self.assertAlmostEqual(half["mass"], 20 - 61 * 0.1, delta=1e-14)
        self.assertEqual(self.final(*settings, "rk8")[2]["mass"], 20)
        again = self.final(*settings, "rk8", "--burn", "from=50,for=100.5,thrust=0.3,isp=%r" % (3 / 9.80665e-3))
        self.assertAlmostEqual(again[1][1] / 20, expected, delta=1e-8)
        parts = self.final(*settings, "rk8", "--burn", "from=50,for=50.25,thrust=0.3,exhaust=3,times=2,every=60")
        self.assertAlmostEqual(parts[1][1] / 20, expected, delta=1e-8)

    def test_gauss(self):
        """Impulses along R, T, N change the elements as Gauss' equations say, up to the square of their size."""
        a, e, i, M = 8000.0, 0.1, 50.0, 30.0
        settings = [*self.start(a, e, i, 20, 40, M), "--step", "10", "--steps", "10", "--method", "wh"]
        before = elements_of(*self.final(*settings[:4], *settings[4:], "--steps", "5")[:2])
        q, v, _ = self.final(*settings, "--steps", "5")
        h, r, p = norm(cross(q, v)), norm(q), a * (1 - e * e)
        nu = math.atan2(dot(q, v) * h / MU / r, p / r - 1)
        u = nu + before[4]
        def gauss(R, T, N):
            return (2 * a * a / h * (e * math.sin(nu) * R + p / r * T),
                    (p * math.sin(nu) * R + ((p + r) * math.cos(nu) + r * e) * T) / h,
                    r * math.cos(u) * N / h, r * math.sin(u) * N / (h * math.sin(before[2])),
                    (-p * math.cos(nu) * R + (p + r) * math.sin(nu) * T) / (h * e)
                    - r * math.sin(u) * math.cos(before[2]) * N / (h * math.sin(before[2])))
        scale = (a, 1, 1, 1, 1)
        for direction in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
            errors = []
            for size in (1e-3, 2e-3):
                change = [size * x for x in direction]
                after = elements_of(*self.final(*settings, "--impulse", "t=50,rtn=%r,%r,%r" % tuple(change))[:2])
                expected = gauss(*change)
                errors.append(max(abs(turn(after[k], before[k]) - expected[k]) if k > 2 else abs(after[k] - before[k] - expected[k]) / scale[k]
                                  for k in range(5)))
                self.assertGreater(max(abs(x) / s for x, s in zip(expected, scale)), 1e-5)
            self.assertLess(errors[0], 1e-5)
            self.assertTrue(errors[1] < 1e-9 or 3 < errors[1] / errors[0] < 5, (direction, errors))

    def test_same_bits(self):
        """Everything at once, on every variant, by any number of threads; and rerun from a plan's text."""
        plan = [*self.EARTH[:-2], "--members", "11", "--param", "q0=7000,0,0", "--param", "p0=0,5,5.6", *self.ALL, "--method",
                "all,verlet@4", "--step", "10", "--steps", "90", "--sigma-position", "0.1", "--sigma-momentum", "1e-4"]
        digests = {self.digest(*plan, "--isa", isa, "--threads", threads) for isa in self.usable() for threads in "12"}
        self.assertEqual(len(digests), 1)
        document = self.run_json(*plan)
        self.assertEqual([b["frame"] for b in document["plan"]["burns"]], ["rtn", "tangential"])
        for result in document["results"]:
            self.assertEqual(result["failed"], 0, result["method"])
        path = os.path.join(self.directory.name, "result.h5")
        self.good("run", "--quiet", *plan, "--output", path)
        self.assertIn(document["digest"], self.good("rerun", path).out)
        os.remove(path)
        quick = {r["method"]: r["energy"]["max_abs_error"] for r in document["results"]}
        self.assertLess(quick["rk8"], 1e-12)
        self.assertLess(quick["verlet@4"], 1e-6)

    # ---- starts ----

    def test_elements(self):
        for a, e in ((8000.0, 0.1), (-20000.0, 1.5)):
            q, p, _ = self.final(*self.start(a, e, 50.0, 20.0, 40.0, 30.0), "--step", "1e-3", "--steps", "1", "--method", "wh")
            found = elements_of(q, p)
            for value, expected in zip(found, (a, e, *map(math.radians, (50, 20, 40)))):
                self.assertAlmostEqual(value / expected, 1, delta=1e-9)

    def test_velocity(self):
        """The momentum is m v, whatever the mass; it is what files have."""
        plan = ["--param", "m=20", "--param", "q0=7000,0,0", "--step", "10", "--steps", "30", "--method", "rk8"]
        self.assertEqual(self.final(*plan, "--velocity", "1,7,0.5"), self.final(*plan, "--param", "p0=20,140,10"))

    def test_units(self):
        """The same orbit with the same burn in any of them."""
        ends = []
        for units, length, time in (("km,s,kg", 1, 1), ("m,s,kg", 1e3, 1), ("au,day,kg", 1 / 149597870.7, 1 / 86400),
                                    ("km,s", 1, 1), ("m,s", 1e3, 1), ("au,day", 1 / 149597870.7, 1 / 86400)):
            force = 1e-4 * length / time**2
            q, p, _ = self.final("--units", units, "--param", "mu=%r" % (MU * length**3 / time**2), "--elements", "a=%r,e=0.1,i=50,M=30" % (8000 * length),
                                 "--burn", "from=%r,for=%r,thrust=%r,isp=%r" % (100 * time, 400 * time, force, 300 * time), "--step",
                                 repr(60 * time), "--steps", "30", "--method", "rk8")
            ends.append([x / length for x in q] + [x * time / length for x in p])
        self.assertEqual(ends[:3], ends[3:])  # of a mass in kg, said or not
        for end in ends[1:3]:
            for x, y in zip(end, ends[0]):
                self.assertAlmostEqual(x, y, delta=1e-10 * 8000)
        self.assertNotAlmostEqual(ends[0][0], self.final(*self.start(8000, 0.1, 50, M=30), "--step", "60", "--steps", "30", "--method", "rk8")[0][0], delta=1e-3)

    def test_covariance(self):
        """A spread by a matrix: what the ensemble has at the start, along R, T, N; and a matrix that is none."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "matrix")
        def write(head, rows):
            with open(path, "w") as file:
                file.write(head + "\n".join(" ".join(map(repr, row)) for row in rows) + "\n")
            return path
        deviations = [0.3, 1.0, 0.2, 1e-3, 2e-4, 1e-4]
        matrix = [[deviations[i] * deviations[j] * (1 if i == j else -0.8 if {i, j} == {1, 3} else 0) for j in range(6)]
                  for i in range(6)]
        plan = [*self.EARTH[:-2], *self.start(8000.0, 0.1, 50.0, 20, 40, 30), "--members", "2001", "--step", "1e-6", "--steps", "1",
                "--method", "rk4", "--final", "2001"]
        states = self.run_json(*plan, "--covariance", write("rtn\n", matrix))["results"][0]["final"]
        q0, v0 = states[0]["q"], states[0]["p"]
        R = [x / norm(q0) for x in q0]
        N = [x / norm(cross(q0, v0)) for x in cross(q0, v0)]
        axes = [R, cross(N, R), N]
        offsets = [[dot(axis, add(s["q"], q0, -1)) for axis in axes] + [dot(axis, add(s["p"], v0, -1)) for axis in axes]
                   for s in states[1:]]
        for i in range(6):
            for j in range(6):
                found = sum(o[i] * o[j] for o in offsets) / len(offsets)
                self.assertAlmostEqual(found / (deviations[i] * deviations[j]), matrix[i][j] / (deviations[i] * deviations[j]), delta=0.09)
        digests = {self.digest(*plan[:-2], "--covariance", path, "--isa", isa) for isa in self.usable()}
        self.assertEqual(len(digests), 1)
        run = ["run", *plan, "--covariance"]
        lopsided = [row[:] for row in matrix]
        lopsided[0][1] = 0.1
        negative = [row[:] for row in matrix]
        negative[1][3] = negative[3][1] = 1.1e-3
        self.refused([*run, write("", lopsided)], "covariance", "not symmetric")
        self.refused([*run, write("", negative)], "covariance", "not positive")
        self.refused([*run, write("", matrix[:5])], "covariance", "too few numbers")
        self.refused([*run, write("", matrix + matrix)], "covariance", "too many numbers")
        self.refused([*run, os.path.join(folder.name, "none")], "cannot be read")
        self.refused([*run, write("rtn\n", matrix), "--sigma-position", "1"], "sigma-position does, too")
        self.refused(["run", "--method", "vlv", "--covariance", path], "rigid bodies, which take none")

    def test_covariance_in_time(self):
        """A small spread after a third of an orbit: that of the linear state transition, whose columns are differences of runs."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "matrix")
        deviations = [0.1, 0.1, 0.1, 1e-5, 1e-5, 1e-5]
        with open(path, "w") as file:
            for i in range(6):
                file.write(",".join("%r" % (deviations[i]**2 if i == j else 0) for j in range(6)) + "\n")
        start = [7000.0, 0.0, 0.0, 0.0, 5.0, 5.6]
        length = [*self.FLAT, "--step", "100", "--steps", "20", "--method", "rk8"]
        def at(numbers):
            return ["--param", "q0=%r,%r,%r" % tuple(numbers[:3]), "--param", "p0=%r,%r,%r" % tuple(numbers[3:])]
        columns = []
        for k in range(6):
            ends = []
            for sign in (1, -1):
                moved = start[:]
                moved[k] += sign * deviations[k]
                q, p, _ = self.final(*at(moved), *length)
                ends.append(q + p)
            columns.append([(x - y) / 2 for x, y in zip(*ends)])
        expected = [[sum(c[i] * c[j] for c in columns) for j in range(6)] for i in range(6)]
        states = self.run_json(*self.EARTH[:-2], *at(start), *length, "--members", "3001", "--final", "3001", "--covariance", path)
        states = [s["q"] + s["p"] for s in states["results"][0]["final"]]
        for i in range(6):
            for j in range(6):
                found = sum((s[i] - states[0][i]) * (s[j] - states[0][j]) for s in states[1:]) / 3000
                self.assertAlmostEqual(found, expected[i][j], delta=0.08 * math.sqrt(expected[i][i] * expected[j][j]))

    def at(self, *settings):
        """Moments at given times, by method."""
        return {r["method"]: r["moments"] for r in self.run_json(*self.EARTH[:-2], *settings)["results"]}

    def test_moments_at_times(self):
        """At the times themselves, also between samples and within steps; rerun asks for the same."""
        plan = [*self.start(8000.0, 0.1, 50.0), "--members", "9", "--final", "9", "--step", "60", "--steps", "100", "--every", "10",
                "--method", "wh"]
        found = self.at(*plan, "--at", "900,0,3333.3,6000")["wh"]
        self.assertEqual([(m["asked"], m["time"], m["members"]) for m in found["at"]],
                         [(t, t, 9) for t in (900, 0, 3333.3, 6000)])
        self.assertEqual(found["at"][3]["state_covariance"], found["state_covariance"])
        for k, steps in ((0, "15"), (2, "1")):
            end = self.at(*plan, "--steps", steps, "--every", "1", "--step", "60" if k == 0 else "3333.3", "--moments")["wh"]
            for x, y in zip(found["at"][k]["state_mean"], end["state_mean"]):  # wh is exact, so any step does
                self.assertEqual(x, y) if k == 0 else self.assertAlmostEqual(x, y, delta=1e-8)
        run = ["run", *self.EARTH[:-2], *plan, "--at"]
        for times, words in (("-1", "not within the run"), ("6001", "not within the run"), ("x", "not a finite number"), ("", "should be times")):
            self.refused([*run, times], "at: ", words)
        # what is the end of a step but for rounding is that, and within the run where the run ends there
        found = self.at(*plan, "--step", "0.3", "--steps", "3", "--every", "3", "--at", "0.9,0.6")["wh"]
        self.assertEqual(found["at"][0]["time"], 3 * 0.3)
        self.assertEqual(found["at"][0]["state_mean"], found["state_mean"])

    def test_part_of_a_step(self):
        """The state within a step is that of a step which ends there, to the bit, with what comes in between; the path goes on as ever."""
        plan = ["--elements", "a=8000,e=0.1,i=50,M=30", *self.FLAT, *self.AIR, "--members", "9", "--sigma-position", "10", "--method",
                "all,verlet@4,wh@6", "--impulse", "t=200.3,rtn=0.01,0.02,0.03,size=0.1,angle=0.1", "--burn",
                "from=250,for=50,thrust=1e-4,exhaust=3,size=0.1", "--final", "9"]
        long = [*plan, "--step", "600", "--steps", "3", "--impulse", "t=444,dv=1,1,1"]  # which comes after that time
        whole = self.at(*plan, "--step", "333.3", "--steps", "1", "--moments")
        found = self.at(*long, "--at", "333.3,444")
        bare = self.at(*plan, "--step", "600", "--steps", "3", "--at", "444")
        self.assertEqual(set(whole), set(found))
        for method, moments in found.items():
            self.assertEqual(moments["at"][0]["state_mean"], whole[method]["state_mean"], method)
            self.assertEqual(moments["at"][0]["state_covariance"], whole[method]["state_covariance"], method)
            for x, y in zip(moments["at"][1]["state_mean"][3:], bare[method]["at"][0]["state_mean"][3:]):
                self.assertAlmostEqual(x, y + 1, delta=1e-12)  # what happens then has happened
        plain = self.run_json(*self.EARTH[:-2], *long)["results"]
        for a, b in zip(plain, self.run_json(*self.EARTH[:-2], *long, "--at", "0,333.3,444,700,1800")["results"]):
            self.assertEqual((a["final"], a["energy"], a["newton"]), (b["final"], b["energy"], b["newton"]))

    def test_times_among_events(self):
        """Impulses and ends at events count within the step, and happen once; a member that has ended is not counted."""
        start = ["--elements", "a=8000,e=0.1,i=50,M=30", "--members", "21", "--sigma-position", "30", "--param", "radius=%r" % RADIUS,
                 "--at-event", "apoapsis:rtn=0,-0.3,0,size=0.1"]
        plan = [*start, "--at-event", "height=1000:end,after=3000", "--method", "rk8,dop853,wh", "--step", "100", "--steps", "50", "--final", "21"]
        plain = self.run_json(*self.EARTH[:-2], *plan)["results"]
        ends = [m["events"][-1]["time"] for m in plain[0]["final"] if m["status"] == "ended"]
        self.assertTrue(5 < len(ends))
        middle = sorted(ends)[len(ends) // 2] + 1e-6
        times = [2970.5, 3000, middle, 5000]
        looked = self.run_json(*self.EARTH[:-2], *plan, "--at", ",".join(map(repr, times)))["results"]
        for a, b in zip(plain, looked):
            self.assertEqual((a["final"], a["events"]), (b["final"], b["events"]))
            for m in b["moments"]["at"]:
                alive = sum(not any(e["at"] == "height=1000" and e["time"] <= m["time"] for e in x["events"]) for x in b["final"])
                self.assertEqual(m["members"], alive)
        fine = self.run_json(*self.EARTH[:-2], *start, "--step", "2970.5", "--steps", "1", "--method", "wh", "--moments")
        passed = sum(any(e["time"] < 2970.5 for e in m["events"]) for m in plain[2]["final"])
        self.assertTrue(0 < passed < 21)
        for x, y in zip(looked[-1]["moments"]["at"][0]["state_mean"], fine["results"][0]["moments"]["state_mean"]):
            self.assertAlmostEqual(x, y, delta=1e-6)

    def test_elements_over_time(self):
        """From a trajectory: a and e oscillate under J2, the node turns, the mean anomaly goes on; a hyperbola has them, too."""
        folder = self.directory.name
        for a, e, flat in ((8000.0, 0.1, 1), (-20000.0, 1.5, 0)):
            self.good("run", "--quiet", *self.EARTH, *self.start(a, e, 50.0, 20.0, 40.0, 30.0), *(self.FLAT if flat else []), "--method", "rk8",
                      "--step", "20", "--steps", "100", "--every", "10", "--trajectories", "1", "--output", os.path.join(folder, "run.h5"))
            self.good("export", os.path.join(folder, "run.h5"), "--format", "elements")
            with open(os.path.join(folder, "run.csv")) as file:
                rows = [line.split(",") for line in file.read().splitlines()]
            self.assertEqual(rows[0], ["time", "a", "e", "i", "node", "peri", "M"])
            rows = [[float(x) for x in row] for row in rows[1:]]
            self.assertEqual(len(rows), 11)
            for x, y in zip(rows[0], (0, a, e, 50, 20, 40, 30)):
                self.assertAlmostEqual(x, y, delta=1e-9 * abs(a))
            n = math.degrees(math.sqrt(MU / abs(a)**3))
            for row in rows[1:]:
                self.assertAlmostEqual(row[6], 30 + n * row[0], delta=0.5 if flat else 1e-8)
                self.assertAlmostEqual(row[1], a, delta=20 if flat else 1e-6)
            self.assertNotAlmostEqual(rows[-1][4], 20, delta=1e-3) if flat else self.assertAlmostEqual(rows[-1][4], 20, delta=1e-9)
            os.remove(os.path.join(folder, "run.h5"))
            os.remove(os.path.join(folder, "run.csv"))

    def test_bad_input(self):
        run = ["run", *self.EARTH, "--steps", "20", "--step", "10"]
        for settings, words in ((["--param", "j2=1e-3"], "no radius that zonal"),
                                (["--param", "j2=1e-3", "--param", "radius=1", "--param", "pole=0,0,0"], "no direction"),
                                (["--param", "drag2=1"], "no height"),
                                (["--param", "shadow=100,0"], "no shadow"),
                                (["--param", "shadow=100,101"], "no shadow"),
                                (["--param", "indirect=0.5"], "neither 0 nor 1"),
                                (["--param", "velocity1=1,0,0", "--param", "turn1=0,0,1"], "turns on a circle, too"),
                                (["--param", "mu1=1", "--param", "velocity1=1,0,0"], "is the centre"),
                                (["--elements", "a=1,e=2"], "expected a > 0"), (["--elements", "a=8000,e=-1"], "e is negative"),
                                (["--elements", "e=0.1"], "needs a"), (["--elements", "a=8000,b=1"], "none of a, e, i"),
                                (["--elements", "a=8000,a=8000"], "twice"), (["--elements", "a=x"], "not a finite number"),
                                (["--burn", "from=150,for=100,thrust=1"], "the run until 200"),
                                (["--burn", "from=0,for=60,thrust=1", "--burn", "from=50,for=50,thrust=1"], "before the last has ended"),
                                (["--burn", "from=0,for=60,thrust=1,exhaust=1"], "a mass of 60, and there is 1"),
                                (["--burn", "from=0,for=60"], "a thrust"), (["--burn", "from=-1,for=60,thrust=1"], "a start"),
                                (["--burn", "from=0,for=60,thrust=1,along=0,0,0"], "no direction"),
                                (["--burn", "from=0,for=60,thrust=1,along=sideways"], "not a finite number"),
                                (["--burn", "from=0,for=60,thrust=1,isp=1,exhaust=1"], "one of exhaust and isp"),
                                (["--burn", "from=0,for=60,thrust=1,size=-1"], "not negative"),
                                (["--burn", "1,2,3"], "should read"), (["--burn", ""], "missing"),
                                (["--burn", "from=0,for=1,thrust=1,times=17,every=2"], "more than 16"),
                                (["--impulse", "t=5,dv=1,0,0,rtn=1,0,0"], "both dv and rtn"),
                                (["--impulse", "t=5,dv=1,0,0,times=2"], "every should be"),
                                (["--impulse", "t=5,dv=1,0,0,times=1.5,every=1"], "no whole number"),
                                (["--impulse", "t=5,dv=1,0,0,times=5,every=100"], "the run is over")):
            self.refused([*run, *settings], words)
        start = ["run", *self.EARTH[:4], "--steps", "20", "--step", "10", "--elements", "a=8000"]
        self.refused([*start, "--param", "q0=1,0,0"], "elements", "by param q0, too")
        self.refused([*start, "--param", "p0=1,0,0"], "elements", "by param p0, too")
        self.refused([*start, "--velocity", "1,0,0"], "elements", "by velocity, too")
        self.refused([*run, "--velocity", "1,0,0", "--param", "p0=1,0,0"], "velocity", "by param p0, too")
        self.refused([*run, "--velocity", "1,0"], "should read X,Y,Z")
        self.refused(["run", "--method", "vlv", "--velocity", "1,0,0"], "rigid bodies, which have none")
        for missing, given in (("param mu", []), ("the start", ["--param", "mu=4e14"]), ("step", ["--param", "mu=4e14", "--elements", "a=8e6"]),
                               ("time", ["--param", "mu=4e14", "--elements", "a=8e6", "--step", "10"])):
            for units in ("m,s,kg", "m,s"):
                self.refused(["run", "--problem", "orbit-circular", "--units", units, *given], "units", missing + " is by default in km, s, kg")
        self.good("run", "--problem", "orbit-circular", "--units", "km,s", "--method", "wh", "--steps", "4")
        self.refused([*run, "--units", "feet"], "units")
        self.refused(["run", "--method", "vlv", "--elements", "a=1"], "rigid bodies, which have none")
        self.refused(["run", "--method", "vlv", "--burn", "from=0,for=1,thrust=1"], "rigid bodies, which have none")


if __name__ == "__main__":
    unittest.main()
