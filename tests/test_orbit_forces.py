#!/usr/bin/env python3
"""What acts on orbits, held against formulas and an integrator that are written here: harmonics, air, further bodies, burns, errors."""
import math
import unittest

from command_line import Case
from test_navigation import MU, RADIUS, add, cross, dot, elements_of, norm


def runge_kutta(rates, y, begin, end, steps):
    h = (end - begin) / steps
    for k in range(steps):
        t = begin + k * h
        a = rates(t, y)
        b = rates(t + h / 2, add(y, a, h / 2))
        c = rates(t + h / 2, add(y, b, h / 2))
        d = rates(t + h, add(y, c, h))
        y = [x + h / 6 * (p + 2 * q + 2 * r + s) for x, p, q, r, s in zip(y, a, b, c, d)]
    return y


def pull(mu, at, q):
    apart = add(at, q, -1)
    return [mu * x / norm(apart)**3 for x in apart]


def unit(a):
    return [x / norm(a) for x in a]


class Forces(Case):
    START = [7000.0, 0.0, 0.0, 0.5, 5.0, 5.6]
    EARTH = ["--problem", "orbit-circular", "--param", "mu=%r" % MU, "--members", "1"]
    AT = ["--param", "q0=%r,%r,%r" % tuple(START[:3]), "--param", "p0=%r,%r,%r" % tuple(START[3:])]

    def end(self, *settings):
        """Of the only member, position and velocity, with the mass 1."""
        final = self.run_json(*self.EARTH, "--final", "1", *settings)["results"][0]["final"][0]
        return final["q"] + final["p"]

    def near(self, found, expected, place, speed):
        self.assertLess(norm(add(found[:3], expected[:3], -1)), place)
        self.assertLess(norm(add(found[3:], expected[3:], -1)), speed)

    # ---- gravity ----

    def test_harmonics(self):
        """Potential and acceleration of each against Legendre's polynomials, and the gradient as differences of the potential."""
        polynomials = {2: lambda u: (3 * u**2 - 1) / 2, 3: lambda u: (5 * u**3 - 3 * u) / 2, 4: lambda u: (35 * u**4 - 30 * u**2 + 3) / 8,
                       5: lambda u: (63 * u**5 - 70 * u**3 + 15 * u) / 8, 6: lambda u: (231 * u**6 - 315 * u**4 + 105 * u**2 - 5) / 16}
        pole, radius, size, h = unit([0.1, 0.2, 1.0]), 0.7, 0.3, 1e-4
        for q in ([0.3, -0.5, 0.9], [1.0, 0.4, -0.2]):
            plan = ["--problem", "orbit-circular", "--param", "mu=2", "--param", "m=3", "--param", "q0=%r,%r,%r" % tuple(q), "--param", "p0=0,0,0",
                    "--param", "radius=%r" % radius, "--param", "pole=0.1,0.2,1", "--members", "1", "--final", "1", "--method", "verlet", "--step", repr(h),
                    "--steps", "1"]
            bare = self.run_json(*plan)["results"][0]
            for n, P in polynomials.items():
                def potential(x):
                    return 3 * 2 * size * radius**n * P(dot(x, pole) / norm(x)) / norm(x)**(n + 1)
                result = self.run_json(*plan, "--param", "j%d=%r" % (n, size))["results"][0]
                energy = result["energy"]["initial_mean"] - bare["energy"]["initial_mean"]
                self.assertAlmostEqual(energy / potential(q), 1, delta=1e-12)
                force = [(a - b) / h for a, b in zip(result["final"][0]["p"], bare["final"][0]["p"])]
                for k in range(3):
                    step = [1e-5 * (i == k) for i in range(3)]
                    slope = (potential(add(q, step)) - potential(add(q, step, -1))) / 2e-5
                    self.assertAlmostEqual(force[k], -slope, delta=1e-6 * norm(force), msg="J%d" % n)

    def test_third_body_on_an_ellipse(self):
        """It moves as the integrator here moves it, about a centre that stays, or that falls towards it."""
        at, velocity, mu, span = [30000.0, 5000.0, 0.0], [-0.5, 2.8, 0.6], 5e4, 20000.0
        elements = elements_of(at, velocity)
        self.assertTrue(0.2 < elements[1] < 0.6)
        for indirect in (0, 1):
            def rates(_, y):
                q, x = y[:3], y[6:9]
                force = add(pull(MU, [0, 0, 0], q), pull(mu, x, q))
                if indirect:
                    force = add(force, pull(mu, x, [0, 0, 0]), -1)
                return [*y[3:6], *force, *y[9:], *pull(MU + indirect * mu, [0, 0, 0], x)]
            expected = runge_kutta(rates, [*self.START, *at, *velocity], 0, span, 8000)
            found = self.end(*self.AT, "--param", "mu1=%r" % mu, "--param", "at1=%r,%r,%r" % tuple(at), "--param", "velocity1=%r,%r,%r" % tuple(velocity),
                             "--param", "indirect=%d" % indirect, "--method", "rk8", "--step", "40", "--time", repr(span))
            alone = runge_kutta(lambda _, y: [*y[3:], *pull(MU, [0, 0, 0], y)], self.START, 0, span, 4000)
            self.assertGreater(norm(add(alone[:3], expected[:3], -1)), 500)
            self.near(found, expected, 3e-6, 3e-9)

    # ---- air ----

    def test_decay_in_turning_air(self):
        """On a circle in the plane across the pole the air comes or goes along: a' = -2 a C (v -+ spin a)^2/v exp(-(a - base)/H)."""
        a, c, height, spin = 6978.137, 1e-9, 50.0, 2e-4
        for incline, sense in ((0, -1), (180, 1)):
            found = self.end("--elements", "a=%r,e=0,i=%d" % (a, incline), "--param", "radius=%r" % RADIUS, "--param", "drag2=%r" % c, "--param",
                             "scale-height=%r" % height, "--param", "reference-height=600", "--param", "spin=%r" % spin, "--method", "rk8", "--step", "30",
                             "--steps", "2880")
            def slope(_, x):
                v = math.sqrt(MU / x[0])
                return [-2 * x[0] * c * (v + sense * spin * x[0])**2 / v * math.exp(-(x[0] - a) / height)]
            fall = a - runge_kutta(slope, [a], 0, 86400, 2000)[0]
            self.assertTrue(5 < fall < 15, fall)
            self.assertAlmostEqual((a - elements_of(found[:3], found[3:])[0]) / fall, 1, delta=0.004)

    def test_turning_air(self):
        """On an inclined ellipse, about a pole of its own, where the integrator here comes to."""
        pole, c, height, base, spin, span = unit([0.1, 0.2, 1.0]), 2e-9, 60.0, RADIUS + 500, 3e-4, 12000.0
        def rates(_, y):
            q, v = y[:3], y[3:]
            w = add(v, cross([spin * x for x in pole], q), -1)
            return [*v, *add(pull(MU, [0, 0, 0], q), w, -c * math.exp(-(norm(q) - base) / height) * norm(w))]
        expected = runge_kutta(rates, self.START, 0, span, 6000)
        found = self.end(*self.AT, "--param", "radius=%r" % RADIUS, "--param", "drag2=%r" % c, "--param", "scale-height=%r" % height, "--param",
                         "reference-height=500", "--param", "spin=%r" % spin, "--param", "pole=0.1,0.2,1", "--method", "rk8", "--step", "10", "--time", repr(span))
        self.near(found, expected, 1e-5, 1e-8)
        alone = runge_kutta(lambda _, y: [*y[3:], *pull(MU, [0, 0, 0], y)], self.START, 0, span, 3000)
        self.assertGreater(norm(add(alone[:3], expected[:3], -1)), 10)

    # ---- burns and impulses ----

    def test_burns_in_all_frames(self):
        """Along outward, forward and normal, along fixed axes, along the velocity, with the mass that they take: where the integrator here
        comes to."""
        thrust, exhaust, begin, length, span = 2e-4, 3.0, 500.0, 1500.0, 4000.0
        def frame(kind, q, v):
            if kind == "toward":
                return [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
            normal = unit(cross(q, v))
            return [unit(q), cross(normal, unit(q)), normal]
        coast = lambda _, y: [*y[3:], *pull(MU, [0, 0, 0], y[:3])]
        ends = []
        for kind, along in (("along", (1, 0, 0)), ("along", (0, 1, 0)), ("along", (0, 0, 1)), ("along", (0.3, -0.5, 2)), ("toward", (0.3, -0.5, 2)),
                            ("along", "tangential")):
            def rates(t, y):
                q, v = y[:3], y[3:]
                axes = [unit(v)] if along == "tangential" else frame(kind, q, v)
                parts = [1] if along == "tangential" else unit(along)
                push = thrust / (1 - thrust / exhaust * (t - begin))
                force = pull(MU, [0, 0, 0], q)
                for part, axis in zip(parts, axes):
                    force = add(force, axis, push * part)
                return [*v, *force]
            y = runge_kutta(coast, self.START, 0, begin, 400)
            y = runge_kutta(rates, y, begin, begin + length, 1200)
            expected = runge_kutta(coast, y, begin + length, span, 1600)
            text = along if along == "tangential" else ",".join(map(str, along))
            found = self.end(*self.AT, "--burn", "from=%r,for=%r,thrust=%r,exhaust=%r,%s=%s" % (begin, length, thrust, exhaust, kind, text), "--method",
                             "rk8", "--step", "20", "--time", repr(span))
            self.near(found, expected, 1e-5, 1e-8)
            ends.append(expected)
        for i, one in enumerate(ends):
            for other in ends[:i]:
                self.assertGreater(norm(add(one, other, -1)), 10)

    def test_repeated(self):
        """What is repeated is the same as each by itself, to the bit, with the errors that each has of its own."""
        plan = [*self.EARTH[:4], *self.AT, "--members", "19", "--method", "verlet,rk8", "--step", "60", "--steps", "50"]
        impulse, burn = "rtn=0.01,0.02,0.03,size=0.1,angle=0.05", "thrust=1e-5,exhaust=3,along=0,1,1,size=0.1,angle=0.05"
        single = [["--impulse", "t=%d,%s" % (500 + 700 * k, impulse)] for k in range(3)] + [["--burn", "from=%d,for=100,%s" % (300 + 400 * k, burn)] for k in range(3)]
        repeated = ["--impulse", "t=500,times=3,every=700," + impulse, "--burn", "from=300,for=100,times=3,every=400," + burn]
        digest = self.digest(*plan, *repeated)
        self.assertEqual(digest, self.digest(*plan, *[text for option in single for text in option]))
        self.assertNotEqual(digest, self.digest(*plan, *[text for option in single[:2] + single[3:] for text in option]))

    def errors(self, changes, exact, size, angle):
        """Sizes relative to the exact one, and the deviations along two axes across it, in radians, are normal, and each by itself."""
        along = unit(exact)
        first = unit(cross(along, [0.3, -0.4, 0.5]))
        axes, count = [first, cross(along, first)], len(changes)
        columns = [[norm(c) / norm(exact) - 1 for c in changes]]
        for axis in axes:
            columns.append([math.acos(min(1, dot(unit(c), along))) * dot(unit(add(unit(c), along, -dot(unit(c), along))), axis) for c in changes])
        for x, deviation in zip(columns, (size, angle, angle)):
            mean = sum(x) / count
            self.assertLess(abs(mean), 4 * deviation / math.sqrt(count))
            self.assertAlmostEqual(math.sqrt(sum((y - mean)**2 for y in x) / count) / deviation, 1, delta=4 / math.sqrt(2 * count))
            self.assertAlmostEqual(sum((y - mean)**4 for y in x) / count / deviation**4, 3, delta=4 * math.sqrt(96 / count))
        for i in range(3):
            for j in range(i):
                product = sum(x * y for x, y in zip(columns[i], columns[j])) / count
                self.assertLess(abs(product), 4 * (size, angle, angle)[i] * (size, angle, angle)[j] / math.sqrt(count))
        return columns[0]

    def test_errors_of_impulses_and_burns(self):
        """Far from anything, of 4000 members: sizes, angles, and what a burn takes of the mass as its size says."""
        plan = ["--problem", "orbit-circular", "--param", "mu=1e-9", "--param", "q0=1e6,0,0", "--param", "p0=0,20,0", "--param", "m=20", "--sigma-position", "0",
                "--sigma-momentum", "0", "--members", "4001", "--final", "4001", "--method", "rk4", "--step", "50", "--steps", "2"]
        members = self.run_json(*plan, "--impulse", "t=50,dv=0.1,0.2,-0.3,size=0.04,angle=0.02")["results"][0]["final"]
        velocities = [[x / 20 for x in add(m["p"], [0, 20, 0], -1)] for m in members]
        self.assertLess(norm(add(velocities[0], [0.1, 0.2, -0.3], -1)), 1e-12)  # the first has none
        self.errors(velocities[1:], [0.1, 0.2, -0.3], 0.04, 0.02)
        self.assertEqual(len({tuple(v) for v in velocities}), 4001)
        members = self.run_json(*plan, "--burn", "from=10,for=80,thrust=0.1,exhaust=3,toward=1,2,-3,size=0.04,angle=0.02")["results"][0]["final"]
        exact, gone = unit([1, 2, -3]), 0.1 / 3 * 80
        velocities = [[x / 20 for x in add(m["p"], [0, 20, 0], -1)] for m in members]
        linear = [[x / norm(v) * (20 - m["mass"]) / gone for x in v] for v, m in zip(velocities, members)]  # its size by what it took
        self.assertLess(norm(add(linear[0], exact, -1)), 1e-9)
        self.errors(linear[1:], exact, 0.04, 0.02)
        for v, m in zip(velocities, members):
            self.assertAlmostEqual(norm(v), 3 * math.log(20 / m["mass"]), delta=1e-6)


if __name__ == "__main__":
    unittest.main()
