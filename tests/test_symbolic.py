"""Potentials in SymPy: what is derived of them against differences and against the built-in problem, in the hands of methods.

CC is the compiler, SOURCE the source tree.  It needs sympy; valgrind counts instructions where it is."""
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
import unittest.mock

import sympy

SOURCE = pathlib.Path(os.environ["SOURCE"])
CC = os.environ.get("CC", "cc")
sys.path.insert(0, str(SOURCE / "python"))
import spindrift as sd  # noqa: E402
from spindrift.emitting import cosc_of_square, sinc_of_square  # noqa: E402

SCALAR, VECTOR = "-DSD_LANES=1", "-DSD_LANES=8"


def squared_distance(A, B):
    return 2 * (sympy.eye(3) - A.T * B).trace()


def stress(name="stress-own"):
    """The built-in problem, as its paper has it."""
    return sd.Problem(
        name, lambda Q, c: (sympy.sqrt(squared_distance(Q, sympy.eye(3))) - 1)**2 - c.alpha / sympy.sqrt(squared_distance(Q, sd.rotation(c.attractor))),
        parameters={"alpha": 0.3, "attractor": (1.7677669529663689, 0, 1.7677669529663689)}, J=(2, 2, 4), attitude=(0, 0.7227, 0),
        velocity=(0, 0, 0.625), step=0.125, time=1e4)


class Case(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.here = pathlib.Path(place.name)

    def compiled(self, problem, method="vlv", width=SCALAR):
        """own_steps.c with the header as it would lie in kernels/so3/problems."""
        name = problem if isinstance(problem, str) else problem.name
        folder = self.here / "so3" / "problems"
        folder.mkdir(parents=True, exist_ok=True)
        for link in ("body.h", "attitude.h"):
            if not (self.here / "so3" / link).exists():
                (self.here / "so3" / link).write_text(f'#include "{SOURCE}/kernels/so3/{link}"\n')
        header = SOURCE / f"kernels/so3/problems/{name}.h"
        if not isinstance(problem, str):
            header = folder / f"{name}.h"
            header.write_text(problem.header)
        program = self.here / f"{name}-{method}"
        subprocess.run([CC, "-O2", "-std=gnu17", "-ffp-contract=off", "-fno-math-errno", "-march=x86-64-v3", "-Wall", "-Wextra", "-Werror", "-Wno-psabi",
                        width, f"-I{SOURCE}/kernels/so3", "-DSD_FAMILY=so3", f"-DSD_METHOD={method.replace('-', '_')}",
                        f'-DSD_METHOD_HEADER="methods/{method}.h"', f"-DOWN={name.replace('-', '_')}", f'-DOWN_HEADER="{header}"',
                        str(SOURCE / "tests/own_steps.c"), "-o", str(program)], check=True)
        return program

    def numbers(self, program, steps=0):
        out = subprocess.run([program, str(steps)], capture_output=True, text=True, check=True).stdout
        return [(line.split()[0], [float.fromhex(word) for word in line.split()[1:]]) for line in out.splitlines()]


class Stress(Case):
    def farthest(self, method, steps, width=SCALAR):
        problem = stress()
        own, built_in = (self.numbers(self.compiled(p, method, width), steps) for p in (problem, "stress"))
        self.assertEqual([name for name, _ in own], [name for name, _ in built_in])
        found = {}
        for (name, ours), (_, theirs) in zip(own, built_in):
            found[name] = max([found.get(name, 0)] + [abs(a - b) / max(1, abs(b)) for a, b in zip(ours, theirs)])
        return found

    def test_the_built_in_to_rounding(self):
        """Quaternions and matrices, one lane and several, explicit and implicit methods."""
        for method, width in (("eln", SCALAR), ("tln", VECTOR), ("rk4", SCALAR)):
            with self.subTest(method):
                found = self.farthest(method, 400, width)
                for name in ("U", "torque", "K"):
                    self.assertLess(found[name], 4e-15, name)
                self.assertEqual(found["momentum"], 0)
                self.assertLess(max(found["end"], found["W"]), 1e-12)

    @unittest.skipUnless(shutil.which("valgrind"), "there is no valgrind")
    def test_speed(self):
        """At least 70 % of the built-in's: by instructions per step, which no other load of the machine changes."""
        def per_step(program):
            counts = []
            for steps in (0, 200):
                said = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={os.devnull}", program, str(steps)],
                                      capture_output=True, text=True, check=True).stderr
                counts.append(int(said.rsplit("Collected :", 1)[1].split()[0]))
            return (counts[1] - counts[0]) / 200
        for method in ("eln", "tln"):
            own, built_in = (per_step(self.compiled(p, method, VECTOR)) for p in (stress(), "stress"))
            self.assertGreater(built_in / own, 0.7, f"{method}: {own:.0f} instructions, built in {built_in:.0f}")


def turned(Q, y):
    """Q exp(y)"""
    s = sum(v * v for v in y)
    t = math.sqrt(s)
    a, b = (math.sin(t) / t, (1 - math.cos(t)) / s) if t else (1, 0.5)
    hat = [[0, -y[2], y[1]], [y[2], 0, -y[0]], [-y[1], y[0], 0]]
    square = [[sum(hat[i][k] * hat[k][j] for k in range(3)) for j in range(3)] for i in range(3)]
    R = [[(i == j) + a * hat[i][j] + b * square[i][j] for j in range(3)] for i in range(3)]
    return [[sum(Q[i][k] * R[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


class Derived(Case):
    """Against SymPy's own evaluation of the potential, and differences of that."""

    POTENTIALS = {
        "well": (lambda Q, c: c.k * (1 - Q[2, 2])**2, {"k": 1.5}),
        "tilted": (lambda Q, c: c.m * (sympy.Matrix(c.at).T * Q * sympy.Matrix([0.2, -0.4, 1]))[0], {"m": 2.0, "at": (0.3, 0.1, -1)}),
        "quartic": (lambda Q: Q[0, 0]**4 - Q[0, 1] * Q[1, 2]**3 + 3 * Q[2, 0] * Q[2, 1] - Q[1, 1] / (2 + Q[0, 2]), {}),
        "functions": (lambda Q, c: sympy.sin(c.a * Q[0, 0]) * sympy.exp(Q[1, 1]) + sympy.log(3 + Q[2, 2]) + sympy.atan(Q[0, 1])
                      + sympy.cos(c.b * Q[0, 0] + Q[1, 0]) + sympy.tanh(Q[1, 2]) + sympy.atan2(Q[2, 0], 2 + Q[2, 1]), {"a": 1.3, "b": -0.7}),
        "roots": (lambda Q, c: (2 + Q[0, 0])**sympy.Rational(3, 2) - 1 / sympy.sqrt(2 + Q[0, 0]) + (3 + Q[1, 1])**c.p + sympy.acos(Q[2, 2] / 2)
                  + sympy.sqrt(2 - Q[0, 0] * Q[1, 0]), {"p": 0.3}),
        "two-wells": (lambda Q, c: sympy.exp(-squared_distance(Q, sd.rotation(c.here))) + sympy.sqrt(squared_distance(Q, sympy.eye(3)) + c.soft),
                      {"here": (0.4, -0.2, 0.7), "soft": 0.5}),
        "constants": (lambda Q, c: sympy.sqrt(c.a**2 + 1) * Q[0, 0] + sympy.sin(c.a) * c.b * Q[0, 0]**2 - c.a * c.b, {"a": 0.4, "b": 3.0}),
    }

    def check(self, name, potential, parameters, method):
        problem = sd.Problem(name, potential, parameters, J=(2, 3, 4), momentum=lambda Q, P: (Q * P)[2])
        values = {s: v for key, group in problem._symbols.items() for s, v in zip(group, problem.own[key])}
        for f, plain in ((sinc_of_square, lambda s: sympy.sin(sympy.sqrt(s)) / sympy.sqrt(s)), (cosc_of_square, lambda s: (1 - sympy.cos(sympy.sqrt(s))) / s)):
            values = dict(values)
            problem.potential = problem.potential.replace(f, plain)
        evaluate = sympy.lambdify([problem.Q], problem.potential.subs(values), "math")

        def U(Q):
            return float(evaluate(sympy.Matrix(Q)))

        def torque(Q, d=1e-3):
            unit = [[d * (k == i) for i in range(3)] for k in range(3)]
            at = [[U(turned(Q, [f * x for x in e])) for f in (-2, -1, 1, 2)] for e in unit]
            return [-(a[0] - 8 * a[1] + 8 * a[2] - a[3]) / (12 * d) for a in at]

        def derivative(Q, d=1e-3):
            columns = []
            for k in range(3):
                at = [torque(turned(Q, [f * d * (k == i) for i in range(3)])) for f in (-1, 1)]
                columns.append([(b - a) / (2 * d) for a, b in zip(*at)])
            return [columns[l][k] for k in range(3) for l in range(3)]

        groups = self.numbers(self.compiled(problem, method))
        for i in range(0, 5 * 8, 5):  # the first attitudes
            numbers = dict(groups[i:i + 5])
            q = numbers["Q"]
            Q = [q[0:3], q[3:6], q[6:9]]
            self.assertAlmostEqual(numbers["U"][0], U(Q), delta=1e-13 * (1 + abs(U(Q))))
            for found, wanted in zip(numbers["torque"], torque(Q)):
                self.assertAlmostEqual(found, wanted, delta=1e-9 * (1 + abs(wanted)))
            for found, wanted in zip(numbers["K"], derivative(Q)):
                self.assertAlmostEqual(found, wanted, delta=1e-4 * (1 + abs(wanted)))

    def test_potentials(self):
        for i, (name, (potential, parameters)) in enumerate(self.POTENTIALS.items()):
            with self.subTest(name):
                self.check(name, potential, parameters, ("vlv", "rk4")[i % 2])

    def test_distances_to_rotations_are_seen(self):
        header = stress().header
        self.assertIn("attitude_relation_to_identity(Q)", header)
        self.assertIn("exp_quaternion", header)
        self.assertNotIn("attitude_matrix", header)

    def test_common_subexpressions(self):
        """Each root once in a function; fma where products are added."""
        torque = stress().header.split("FN vec3 stress_own_torque(")[1].split("\n}\n")[0]
        self.assertEqual(torque.count("real_rsqrt"), 2)
        self.assertEqual(torque.count("real_fnma"), 3)
        self.assertNotIn("real_sqrt", torque)

    def test_constants_are_computed_once(self):
        problem = sd.Problem("mine", lambda Q, c: sympy.sin(c.a) * sympy.exp(c.b) * Q[0, 0], {"a": 1, "b": 2})
        load, rest = problem.header.split("FN real mine_potential")
        self.assertIn("real_exp", load)
        self.assertNotIn("real_exp", rest)
        self.assertNotIn("sincos", rest)


class Refused(unittest.TestCase):
    def refused(self, text, potential, parameters=None, **more):
        with self.assertRaisesRegex(ValueError, text):
            sd.Problem("mine", potential, parameters, **more)

    def test_functions(self):
        self.refused("no 'gamma'", lambda Q: sympy.gamma(Q[0, 0]))
        self.refused("no 'Abs'", lambda Q: abs(Q[0, 0]))
        self.refused("no 'Max'", lambda Q: sympy.Max(Q[0, 0], Q[1, 1]))
        self.refused("no 'f'", lambda Q: sympy.Function("f")(Q[0, 0]))
        self.refused("no 'ImaginaryUnit'", lambda Q: sympy.I * Q[0, 0])
        self.refused("not a finite real", lambda Q: Q[0, 0] + sympy.oo)

    def test_names(self):
        self.refused("'x' is neither", lambda Q: sympy.Symbol("x") * Q[0, 0])
        self.refused("'J' is taken", lambda Q, c: Q[0, 0], {"J": 1})
        self.refused("three numbers", lambda Q, c: Q[0, 0], J=(1, 2))
        self.refused("one to three", lambda Q, c: Q[0, 0], {"a": (1, 2, 3, 4)})
        with self.assertRaisesRegex(AttributeError, "no parameter 'l', but k"):
            sd.Problem("mine", lambda Q, c: c.l, {"k": 1})
        with self.assertRaisesRegex(ValueError, "small letters"):
            sd.Problem("Mine", lambda Q: Q[0, 0])

    def test_room(self):
        parameters = {f"a{i}": 1.0 for i in range(13)}
        self.refused("13 constants .* room for 12", lambda Q, c: sum(getattr(c, f"a{i}") * Q[0, 0]**(i + 1) for i in range(13)), parameters)

    def test_without_sympy(self):
        script = f"import sys; sys.path.insert(0, {str(SOURCE / 'python')!r}); sys.modules['sympy'] = None; import spindrift; spindrift.Problem"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
        self.assertIn("sd.Problem needs SymPy", done.stderr)


class Run(unittest.TestCase):
    """Compiled by the library."""

    def test_the_built_in_to_rounding(self):
        given = {"method": ["eln", "rattle"], "members": 16, "steps": 400}
        own, built_in = sd.run(problem=stress(), **given), sd.run(problem="stress", **given)
        self.assertEqual(own.methods, built_in.methods)
        for ours, theirs in zip(own, built_in):
            self.assertLess(abs(ours.final.Q - theirs.final.Q).max(), 1e-12)
            self.assertLess(abs(ours.final.W - theirs.final.W).max(), 1e-12)

    def test_parameters(self):
        problem = sd.Problem("mine", lambda Q, c: c.k * (1 - Q[2, 2])**2, {"k": 1.5}, momentum=lambda Q, P: (Q * P)[2])
        slow, fast = (sd.run(problem=problem, method="vlv", members=8, steps=100, param={"k": k})["vlv"] for k in (0.5, 2))
        self.assertNotEqual(slow.digest, fast.digest)
        self.assertLess(slow.invariants.momentum_max_error, 1e-13)  # about the vertical


class AtOnce(unittest.TestCase):
    def test_threads_that_compile_their_files(self):
        """Into one cache, the same file or another: the bits of what is built in, and one digest of each file."""
        plan = {"method": "eln,rk4", "members": 24, "steps": 60, "threads": 2}
        stress = (SOURCE / "kernels/so3/problems/stress.h").read_text()
        line = re.search(r"(?m)^PROBLEM\(so3, stress, .*$", (SOURCE / "kernels/so3/problems.def").read_text()).group(0)
        with tempfile.TemporaryDirectory() as place, unittest.mock.patch.dict(os.environ, XDG_CACHE_HOME=place):
            for name in ("first", "second"):
                text = re.sub(r"\bstress_", f"{name}_", stress)
                pathlib.Path(place, f"{name}.h").write_text(f"/* {line.replace('stress', name)} */\n{text}")
            files = [f"{place}/{name}.h" for name in ("first", "second", "second")]
            found, ready = [[] for _ in files], threading.Barrier(len(files))

            def work(i):
                ready.wait()
                for _ in range(3):
                    run = sd.run(problem=files[i], **plan)
                    found[i].append((run.digest, [r.final.Q.tobytes() for r in run]))
            threads = [threading.Thread(target=work, args=(i,)) for i in range(len(files))]
            for t in threads:
                t.start()
            for t in threads:
                t.join()
            wanted = [sd.run(problem=f, **plan).digest for f in files]
        built_in = [r.final.Q.tobytes() for r in sd.run(problem="stress", **plan)]
        self.assertEqual(found, [[(digest, built_in)] * 3 for digest in wanted])


class File(unittest.TestCase):
    def test_path(self):
        with tempfile.TemporaryDirectory() as place:
            before = os.environ.get("XDG_CACHE_HOME")
            cache = pathlib.Path(place, "not", "yet")
            os.environ["XDG_CACHE_HOME"] = str(cache)
            try:
                one, other = stress(), stress()
                self.assertEqual(os.fspath(one), os.fspath(other))
                self.assertEqual(one.path.read_text(), one.header)
                self.assertEqual(one.path.name, "stress-own.h")
                made = [cache.parent, *(f for f in cache.parent.rglob("*") if f.is_dir())]
                self.assertEqual([(f.name, oct(f.stat().st_mode & 0o777)) for f in made if f.stat().st_mode & 0o077], [])
                self.assertTrue({cache, one.path.parent} <= set(made))
                self.assertIn('PROBLEM(so3, stress_own, "stress-own", 0.125, 10000.0, "stress-own", "")', one.header)
            finally:
                os.environ.pop("XDG_CACHE_HOME") if before is None else os.environ.update(XDG_CACHE_HOME=before)


if __name__ == "__main__":
    unittest.main()
