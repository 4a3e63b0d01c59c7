#!/usr/bin/env python3
"""Problems and methods from files of the user's own: the same bits as if built in, compiled once, refused where they are wrong.

SPINDRIFT=PROGRAM SOURCE=FOLDER test_own.py.  STANDIN=1 says that the program's CUDA devices are played by tests/ptx, which
translates what NVRTC makes as it does nvcc's: `test_own.py Devices` is for that program."""
import json
import os
import pathlib
import platform
import re
import shutil
import stat
import tempfile
import unittest

from case import PROGRAM, Case

KERNELS = pathlib.Path(os.environ["SOURCE"]) / "kernels"
SMALL = ("--members", "21", "--steps", "200", "--final", "21", "--quiet")
SHARED = tempfile.TemporaryDirectory()  # what was compiled once serves all that follow
unittest.addModuleCleanup(SHARED.cleanup)


def line_of(kind, family, name):
    text = (KERNELS / family / f"{kind}s.def").read_text()
    return re.search(rf'^{kind.upper()}\({family}, {name}, .*$', text, re.M).group(0)


def copied(kind, name, new, families=("so3",)):
    """The file of one that is built in, under another name, with its lines in a comment."""
    text = (KERNELS / "so3" / f"{kind}s" / f"{name}.h").read_text()
    text = re.sub(rf"\b{name}_", f"{new}_", text).replace(f"TWO_HALVES({name})", f"TWO_HALVES({new})")
    lines = "".join(f' * {line_of(kind, f, name)}\n'.replace(f'{name}, "{name}"', f'{new}, "{new}"') for f in families)
    return f"/* {new}\n{lines} */\n{text}"


def documented(file, name):
    """A file that a page of the documentation shows."""
    return re.search(rf"(?ms)^```c \S*{name}\n(.*?)^```", (KERNELS.parent / file).read_text()).group(1)


PROBLEM = copied("problem", "stress", "mine")
METHOD = copied("method", "rattle", "kick", ("so3", "assembly"))


def science(document):
    keys = ("energy", "invariants", "newton", "final", "verdict", "failed")
    return [{k: r.get(k) for k in keys} for r in document["results"]]


class Own(Case):
    def setUp(self):
        super().setUp()
        self.counted = self.here / "compiled"
        wrapper = self.here / "compiler"
        found = os.environ.get("CC") or shutil.which("clang") or shutil.which("cc")
        wrapper.write_text(f'#!/bin/sh\necho x >>"{self.counted}"\nexec "{found}" "$@"\n')
        wrapper.chmod(0o755)
        self.environment = dict(os.environ, XDG_CACHE_HOME=SHARED.name, CUDA_VISIBLE_DEVICES="", STANDIN_DEVICES="0")  # no device
        self.environment.pop("CC", None)
        self.write("mine.h", PROBLEM)
        self.write("kick.h", METHOD)

    def counting(self):
        """A cache of its own, and a compiler that leaves a mark each time."""
        return dict(self.environment, XDG_CACHE_HOME=str(self.here / "cache"), SPINDRIFT_CC=str(self.here / "compiler"))

    def write(self, name, text):
        (self.here / name).write_text(text)
        return name

    def write_point_masses(self):
        family = KERNELS / "orbit"
        self.write("leap.h", '// METHOD(orbit, leap, "leap", 2, SYMMETRIC | SYMPLECTIC | ANGULAR, "leapfrog", "")\n' +
                   (family / "methods/verlet.h").read_text().replace("verlet_", "leap_"))
        self.write("low.h", '// PROBLEM(orbit, low, "low", 10, 86400, "a low orbit", "")\n' +
                   (family / "problems/orbit-circular.h").read_text().replace("orbit_circular", "low"))

    def run_program(self, *argv, **more):
        return super().run_program(*argv, env=more.pop("env", self.environment), **more)

    def json(self, *argv, **more):
        return json.loads(self.run_program("run", *argv, "--json", **more).stdout)

    def usable(self):
        found = json.loads(self.run_program("devices", "--json").stdout)
        return re.findall(r'"isa": "(\w+)"[^{}]*"usable": true', json.dumps(found))


class SharedNames(Own):
    def test_two_methods_with_a_parameter_of_one_name(self):
        """Each with a default of its own: the file's plan says whose is which."""
        original = (KERNELS / "so3/methods/campello.h").read_text()
        for name, value in (("early", 0.25), ("late", 0.75)):
            self.write(f"{name}.h", f'// METHOD(so3, {name}, "{name}", 1, GEOMETRIC | SPHERICAL, "another weight", "")\n'
                       f'// METHOD_PARAMETER("{name}", "phi", {value}, 0, 1, "weight")\n' + original.replace("campello", name))
        plan = ("--param", "J=2,2,2", "--members", "3", "--steps", "40", "--isa", "scalar", "--quiet")
        mine = self.json("--method", "early.h,late.h,campello", *plan, "--output", "r.h5")
        self.assertEqual([r["param"]["phi"] for r in mine["results"]], [0.25, 0.75, 0.5])
        for result in mine["results"]:
            alone = self.json("--method", "campello", "--param", f"phi={result['param']['phi']}", *plan)["results"][0]
            self.assertEqual(result["energy"], alone["energy"])
        self.assertIn("same digest", self.run_program("rerun", "r.h5", "--isa", "scalar").stderr)
        single = self.json("--method", "early.h,late.h", "--param", "late.phi=0.5", *plan)
        self.assertEqual([r["param"]["phi"] for r in single["results"]], [0.25, 0.5])
        both = self.json("--method", "early.h,late.h", "--param", "phi=0.5", *plan)
        self.assertEqual([r["param"]["phi"] for r in both["results"]], [0.5, 0.5])
        self.refused("run", "--method", "early.h", "--param", "campello.phi=0.5", *plan, status=2, has=["param campello.phi", "not in this run"])


class TheSameBits(Own):
    def test_as_if_built_in_on_every_variant_and_thread_count(self):
        digests = set()
        for isa in self.usable():
            for threads in ("1", "2"):
                plan = ("--method", "eln", *SMALL, "--isa", isa, "--threads", threads)
                mine, theirs = self.json("--problem", "mine.h", *plan), self.json("--problem", "stress", *plan)
                self.assertEqual(science(mine), science(theirs))
                digests.add(mine["digest"])
        self.assertEqual(len(digests), 1)
        self.assertEqual(mine["plan"]["problem"], "mine")
        self.assertEqual([s["problem"] for s in mine["plan"]["sources"]], ["mine"])

    def test_methods_by_themselves_composed_and_of_systems(self):
        for problem, more in (("stress", ("kick.h,kick.h@4", "rattle,rattle@4")), ("top-fast", ("kick.h", "rattle")), ("torus", ("kick.h", "rattle"))):
            plan = ("--problem", problem, "--members", "3", "--steps", "20", "--final", "3", "--isa", "scalar", "--quiet")
            mine, theirs = (self.json(*plan, "--method", m) for m in more)
            self.assertEqual(science(mine), science(theirs))
            self.assertEqual(mine["plan"]["sources"][0]["method"], "kick")

    def test_point_masses(self):
        self.write_point_masses()
        plan = ("--members", "3", "--steps", "50", "--final", "3", "--isa", "scalar", "--quiet")
        mine = self.json("--problem", "low.h", "--method", "leap.h,leap.h@4", *plan)
        theirs = self.json("--problem", "orbit-circular", "--method", "verlet,verlet@4", *plan)
        self.assertEqual(science(mine), science(theirs))

    def test_the_text_is_part_of_the_digest(self):
        self.write("other.h", PROBLEM + "\n")
        plan = ("--method", "eln", *SMALL, "--isa", "scalar")
        first, second = (self.json("--problem", name, *plan) for name in ("mine.h", "other.h"))
        self.assertEqual(science(first), science(second))
        self.assertNotEqual(first["digest"], second["digest"])

    def test_resumed(self):
        plan = ("--problem", "mine.h", "--method", "eln", "--members", "64", "--steps", "60000", "--isa", "scalar", "--quiet")
        wanted = self.json(*plan)["digest"]
        self.run_program("run", *plan, "--checkpoint", "ck", "--max-time", "0.0001s", status=130)
        (self.here / "mine.h").unlink()
        done = self.run_program("resume", "ck", "--isa", "scalar", "--quiet", "--json")
        self.assertEqual(json.loads(done.stdout)["digest"], wanted)

    def test_resumed_by_another_variant(self):
        """With lane groups of other widths, down to one that is not full."""
        plan = ("--problem", "mine.h", "--method", "eln,kick.h", "--members", "109", "--steps", "20000", "--quiet")
        usable = self.usable()
        wanted = self.json(*plan, "--isa", usable[0])["digest"]
        for first, then in ((usable[0], usable[-1]), (usable[-1], usable[0])):
            self.run_program("run", *plan, "--isa", first, "--checkpoint", "ck", "--max-time", "0.0001s", status=130)
            done = self.run_program("resume", "ck", "--isa", then, "--quiet", "--json")
            self.assertEqual(json.loads(done.stdout)["digest"], wanted, f"{first}, then {then}")
            (self.here / "ck").unlink(missing_ok=True)

    def test_of_either_compiler(self):
        plan = ("--problem", "mine.h", "--method", "eln,kick.h,kick.h@4", *SMALL)
        compilers = [c for c in map(shutil.which, ("gcc", "clang")) if c]
        digests = {self.json(*plan, env=dict(self.environment, SPINDRIFT_CC=c))["digest"] for c in compilers}
        self.assertEqual(len(digests), 1)

    def test_swept(self):
        plan = ("--sweep", "alpha=0.5:1.5:4", "--sweep", "step=0.0625:0.125:2", "--members", "20", "--steps", "100", "--quiet")
        wanted = self.json("--problem", "stress", "--method", "rattle", *plan)
        found = {}
        for isa in self.usable():
            mine = self.json("--problem", "mine.h", "--method", "kick.h", *plan, "--isa", isa)
            self.assertEqual(science(mine), science(wanted))
            self.assertEqual(mine["results"][0]["points"], wanted["results"][0]["points"])
            found[isa] = mine["digest"]
        self.assertEqual(len(set(found.values())), 1, found)


def wide(bytes_of_code):
    """The methods on bodies that have lane groups of four registers, and for which variant."""
    return set(re.findall(rb"sd_so3_([a-z0-9_]+)_wide_([a-z0-9]+)_(?:stress|mine)_advance", bytes_of_code))


class Wide(Own):
    """Enough members for the widest lane groups, some that do not fill one, and one that fills no register."""
    PLAN = ("--members", "109", "--steps", "100", "--final", "109", "--quiet", "--threads", "1")

    def compiled_by(self, compiler):
        """What a method's code has, too, with a cache of its own."""
        cache = self.here / f"cache-{pathlib.Path(compiler).name}"
        environment = dict(self.environment, SPINDRIFT_CC=compiler, XDG_CACHE_HOME=str(cache))
        return environment, lambda: set().union(*(wide(p.read_bytes()) for p in cache.rglob("*.so")))

    def test_of_either_compiler_the_methods_that_have_them_built_in(self):
        built_in = wide(pathlib.Path(PROGRAM).read_bytes())
        expected = {"clang": {(b"eln", b"avx512")},
                    "gcc": {(method, isa) for method in (b"eln", b"tln", b"rk4") for isa in (b"avx2", b"avx512")} | {(b"rk8", b"avx512")}}
        usable, makers = self.usable(), [c for c in expected if shutil.which(c)]
        wanted = {m: self.json("--problem", "stress", "--method", m, *self.PLAN) for m in ("eln", "tln", "rk4", "rk8", "trapm")}
        digests, seen = {m: set() for m in wanted}, []
        for maker in makers:
            environment, found = self.compiled_by(shutil.which(maker))
            for isa in usable:
                for method, theirs in wanted.items():
                    mine = self.json("--problem", "mine.h", "--method", method, *self.PLAN, "--isa", isa, env=environment)
                    self.assertEqual(science(mine), science(theirs))
                    digests[method].add(mine["digest"])
            self.assertEqual(found(), {(m, isa) for m, isa in expected[maker] if isa.decode() in usable}, maker)
            seen.append(found())
        self.assertEqual([len(d) for d in digests.values()], [1] * len(digests))
        if built_in and len(makers) == len(expected):  # as one of the two built the program
            self.assertIn({(m, isa) for m, isa in built_in if m.decode() in wanted and isa.decode() in usable}, seen)

    def test_without_them_where_the_compiler_has_none(self):
        """As gcc without C++, which the wide ones of its are."""
        only_c = self.here / "only-c"
        only_c.write_text(f'#!/bin/sh\ncase "$*" in *wide_unit.c*) exit 1;; esac\nexec "{shutil.which("gcc") or shutil.which("clang")}" "$@"\n')
        only_c.chmod(0o755)
        environment, found = self.compiled_by(str(only_c))
        mine = self.json("--problem", "mine.h", "--method", "eln", *self.PLAN, env=environment)
        self.assertEqual(science(mine), science(self.json("--problem", "stress", "--method", "eln", *self.PLAN)))
        self.assertEqual(found(), set())


class Compiled(Own):
    def test_once(self):
        plan = ("run", "--problem", "mine.h", "--method", "eln,kick.h", "--members", "4", "--steps", "4", "--isa", "scalar", "--quiet")
        self.run_program(*plan, env=self.counting())
        first = self.counted.read_text()
        self.assertEqual(first.count("x"), 4)  # what the host must know, who made the compiler, and two methods
        self.run_program(*plan, env=self.counting())
        self.assertEqual(self.counted.read_text(), first)
        cache = self.here / "cache" / "spindrift"
        self.assertEqual(stat.S_IMODE(cache.stat().st_mode), 0o700)
        self.assertFalse(list(cache.glob("work-*")))
        self.refused_caches(plan, cache)

    def refused_caches(self, plan, cache):
        code = next(cache.glob("*.so"))
        for path, mode in ((cache, 0o777), (cache, 0o770), (code, 0o722), (self.here / "cache", 0o777)):
            kept = stat.S_IMODE(path.stat().st_mode)
            path.chmod(mode)
            self.refused(*plan, status=2, has=[path.name, "others", "nobody else"], env=self.counting())
            path.chmod(kept)
        for path in (cache, code, self.here / "cache") if os.geteuid() == 0 else ():  # others cannot give a file away
            os.chown(path, 65534, -1)
            self.refused(*plan, status=2, has=[path.name, "somebody else's", "nobody else"], env=self.counting())
            os.chown(path, 0, -1)
        for file in cache.glob("*.so"):
            file.rename(file.with_suffix(".away"))
            file.symlink_to(file.with_suffix(".away"))
        self.refused(*plan, status=2, has=["no plain file"], env=self.counting())

    def test_errors_are_in_the_users_file(self):
        lines = PROBLEM.split("\n")
        at = next(i for i, line in enumerate(lines) if "mine_torque(" in line)
        self.write("bad.h", "\n".join(lines[:at + 1] + ["  real oops = Q.nothing;"] + lines[at + 1:]))
        plan = ("--method", "eln", "--members", "4", "--steps", "4", "--isa", "scalar")
        self.refused("run", "--problem", "bad.h", *plan, status=2, has=[f"bad.h:{at + 2}:", "nothing", "compiler-said.txt"])
        self.write("bad.h", PROBLEM.replace("mine_torque(", "mine_torq("))
        self.refused("run", "--problem", "bad.h", *plan, status=2, has=["bad.h:2:", "mine_torque"])
        self.write("bad.h", METHOD.replace("kick_turn(", "kick_trun("))
        self.refused("run", "--method", "bad.h", *plan[2:], status=2, has=["bad.h:", "kick_turn"])

    def test_no_compiler(self):
        nothing = dict(self.environment, PATH="/nowhere", XDG_CACHE_HOME=str(self.here / "cache"))
        self.refused("run", "--problem", "mine.h", status=1, has=["no C compiler", "SPINDRIFT_CC"], env=nothing)
        self.refused("run", "--problem", "mine.h", status=2, has=["SPINDRIFT_CC", "absent"], env=dict(nothing, SPINDRIFT_CC="absent"))

    def test_what_a_file_must_say(self):
        for old, new, has in ((' * PROBLEM(', ' * PROBLM(', ["no line of it", "PROBLEM("]),
                              ('"mine"', '"stress"', ["built in", "another id"]), ('"mine"', '"Mine"', ["own.h:2", "lower-case"]),
                              ('(so3, mine', '(so4, mine', ["own.h:2", "no family 'so4'"]),
                              ('0.125,', '-1,', ["own.h:2", "positive"]), ('0.125,', 'abc,', ["own.h:2", "number"]),
                              ('(so3, mine', '(assembly, mine', ["own.h:2", "assembly"]),
                              ('{"alpha", 1', '{"rtol", 1', ["rtol", "rk45"]), ('{"J", 3', '{"K", 3', ["parameter 1", "J"])):
            self.write("own.h", PROBLEM.replace(old, new, 1))
            self.refused("run", "--problem", "own.h", status=2, has=has)
        for old, new, has in (("SYMMETRIC |", "SYMETRIC |", ["own.h:2", "trait"]), ('"kick", 2', '"kick", 2.5', ["own.h:2", "order"]),
                              ('(so3, kick', '(orbit, kick', ["no line for the family so3", "orbit"])):
            self.write("own.h", METHOD.replace(old, new, 1))
            self.refused("run", "--method", "own.h", status=2, has=has)
        self.refused("run", "--method", "absent.h", status=2, has=["absent.h", "cannot be read"])
        self.refused("run", "--problem", "mine.h", "--method", "eln", "--backend", "cuda", status=2, has=["backend cuda: "])


class FromFiles(Own):
    def setUp(self):
        super().setUp()
        self.plan = ("--problem", "mine.h", "--method", "eln", *SMALL, "--isa", "scalar")
        self.run_program("run", *self.plan, "--output", "run.h5", "--checkpoint", "ck")
        (self.here / "mine.h").unlink()

    def test_rerun_finds_the_text_in_the_result(self):
        done = self.run_program("rerun", "run.h5", "--isa", "scalar")
        self.assertIn("the same digest", done.stderr)
        for name in ("run.h5", "ck"):
            self.assertEqual(self.run_program("info", "--source", name).stdout, PROBLEM)
        self.run_program("verify", "run.h5")

    def test_a_strangers_is_not_run_unless_trusted(self):
        stranger = self.counting()
        for verb, name in (("rerun", "run.h5"), ("resume", "ck")):
            self.refused(verb, name, "--quiet", status=2, has=["problem mine", "info --source", "--trust yes"], env=stranger)
        for argv in (("info", "run.h5"), ("info", "ck", "--verbose"), ("verify", "ck"), ("report", "run.h5")):
            self.run_program(*argv, env=stranger)
        self.assertIn("alpha", (self.here / "run.html").read_text())
        self.assertFalse(self.counted.exists())
        self.assertFalse(list((self.here / "cache").rglob("*.so")))
        self.run_program("rerun", "run.h5", "--isa", "scalar", "--trust", "yes", env=stranger)
        self.assertTrue(self.counted.exists())
        self.run_program("rerun", "run.h5", "--isa", "scalar", env=stranger)  # it is known now


class Checked(Own):
    def checked(self, text, *has, status=1):
        self.write("own.h", text)
        done = self.run_program("check", "own.h", status=status)
        for word in has:
            self.assertIn(word, done.stdout)
        return done.stdout

    def test_a_problem_that_is_right(self):
        said = self.checked(PROBLEM, "torque_derivative  right", "momentum ", "energy ", "the same bits: ", " scalar", "all is as it should be", status=0)
        self.assertNotIn("WRONG", said)

    def test_the_potential_alone(self):
        """Every operation of the jets, and the same motion as of formulas by hand."""
        well = documented("CONTRIBUTING.md", "/well.h")
        line = '/* PROBLEM(so3, well, "well", 0.1, 100, "by hand", "") */\n'
        parameters = well[well.index("static"):well.index("FN vec3 well_axis")]
        jets = '#include "../potential_alone.h"\n' + parameters + """
FN jet well_formula(jet_attitude Q, const constants *c) {
  return jet_scale(c->own[0], jet_square(jet_sub(jet_of(real_splat(1)), Q.at[2][2])));
}
POTENTIAL_ALONE(well)
NO_MOMENTUM(well)
"""
        self.write("hand.h", line + well)
        self.write("jets.h", line + jets)
        plan = ("--method", "vlv", "--members", "8", "--steps", "50", "--final", "8", "--isa", "scalar", "--quiet")
        ends = [[s["Q"] + s["W"] for s in self.json("--problem", name, *plan)["results"][0]["final"]] for name in ("hand.h", "jets.h")]
        far = max(abs(x - y) for a, b in zip(*ends) for x, y in zip(a, b))
        self.assertLess(far, 1e-12)
        many = jets.replace("return jet_scale(c->own[0], ", """jet a = jet_add(Q.at[0][1], jet_of(real_splat(2))), b = jet_multiply(Q.at[1][0], Q.at[2][1]);
  return jet_add(jet_divide(jet_sin(b), jet_sqrt(a)), jet_sub(jet_log(a), jet_multiply(jet_cos(Q.at[0][2]), jet_exp(""").replace("Q.at[2][2])));", "Q.at[2][2]))))));")
        many = many.replace("NO_MOMENTUM(well)", "FN vec3 well_momentum(attitude Q, vec3 P, const constants *c) {\n  (void)Q, (void)c;\n  return P;\n}")
        self.checked(line + many, "torque_derivative  right", "momentum           WRONG")  # which ends it: no more to compile
        self.checked(line + many.replace("jet_log(a)", "jet_chain(a, real_log(a.value), real_splat(1) / a.value, real_splat(0))"),
                     "torque_derivative  WRONG")

    def test_a_torque_of_the_wrong_sign(self):
        text = re.sub(r"return (vec3_axmy\(pull .*\));", r"return vec3_negate(\1);", PROBLEM)
        self.assertNotEqual(text, PROBLEM)
        self.checked(text, "torque ", "WRONG at 64 of 64", "rotation vector (", "its sign is wrong", "-DU(Q)")

    def changed(self, old, new):
        self.assertIn(old, PROBLEM)
        return PROBLEM.replace(old, new)

    def test_other_errors(self):
        self.checked(self.changed("0.375 * pull", "0.25 * pull"), "torque_derivative  WRONG", "entry ")
        self.checked(self.changed("return mat3_outer_add(vec3_scale(stiffness2, attractor.axis), attractor.axis, turning);",
                                  "return mat3_transpose(mat3_outer_add(vec3_scale(stiffness2, attractor.axis), attractor.axis, turning));"),
                     "rows should be its columns")
        body = re.search(r"mine_momentum\(.*?\{.*?\n(.*?)\n\}", PROBLEM, re.S).group(1)
        self.checked(PROBLEM.replace(body, "  (void)c, (void)Q;\n  return P;"), "momentum           WRONG", "component ")
        self.checked(self.changed("(-SQRT8 / 32)", "(-1.00001 * SQRT8 / 32)"), "torque_derivative  WRONG")

    def test_a_method_and_what_it_declares(self):
        text = METHOD.replace("2, SYMMETRIC |", "3, TOP_ENERGY |", 1)
        said = self.checked(text, "not declared, and the defect", "add it to the line", "take it out of the line", "2.00 measured, 3 declared")
        self.assertEqual(said.count("WRONG"), 3, said)

    def test_a_method_for_point_masses(self):
        self.write_point_masses()
        leap = (self.here / "leap.h").read_text()
        said = self.checked(leap, "symmetric          declared", "symplectic         declared", "angular-momentum   declared", "the same bits:", status=0)
        self.assertNotIn("WRONG", said)
        said = self.checked(leap.replace("SYMMETRIC | SYMPLECTIC", "SYMPLECTIC"), "symmetric          WRONG: not declared", "add it to the line")
        self.assertEqual(said.count("WRONG"), 1, said)
        heun = (KERNELS / "orbit/methods/rk2.h").read_text().replace("rk2_", "heun_")
        line = '// METHOD(orbit, heun, "heun", 2, %s, "Heun", "")\n'
        self.assertNotIn("WRONG", self.checked(line % "0" + heun, "symplectic         not declared", status=0))
        said = self.checked(line % "SYMMETRIC | SYMPLECTIC | ANGULAR" + heun, "take it out of the line")
        self.assertEqual(said.count("WRONG: declared"), 3, said)

    def test_a_method_for_systems_alone(self):
        self.checked(copied("method", "rattle", "kick", ("assembly",)), "traits             not measured", "the same bits:", status=0)

    def test_listed(self):
        for verb, name, own in (("problems", "mine.h", "mine"), ("methods", "kick.h", "kick")):
            self.assertIn(f"{own}: ", self.run_program(verb, name).stdout)
            self.assertEqual({e["id"] for e in json.loads(self.run_program(verb, name, "--json").stdout)}, {own})
        self.refused("methods", "mine.h", status=2, has=["METHOD("])


class Crashes(Own):
    def test_what_was_done_before_stays(self):
        text = METHOD.replace("kick", "late")
        head = re.search(r"FN void late_finish\(.*?\{\n", text, re.S).group(0)
        self.write("late.h", text.replace(head, head + "  if (mask_any(real_less(real_splat(0.5), s->W.x))) *(volatile int *)16 = 1;\n"))
        plan = ("--problem", "pendulum", "--members", "32", "--steps", "2000", "--isa", "scalar", "--quiet")
        alone = self.json(*plan, "--method", "eln")
        done = self.run_program("run", *plan, "--method", "eln,late.h,vlv", "--output", "o.h5", "--json", status=1)
        self.assertRegex(done.stderr, r"late\.h crashed: .*memory")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertEqual(science(json.loads(done.stdout)), science(alone))
        info = self.run_program("info", "o.h5").stdout
        self.assertIn("incomplete", info)
        self.assertRegex(info, r"late +not done")

    def test_in_a_system_at_a_step(self):
        """A lane for each body or each member: whoever crashes, other threads that wait for it go home, too."""
        text = METHOD.replace("kick", "late")
        head = re.search(r"FN void late_finish\(.*?\{\n", text, re.S).group(0)
        at_last = "  static int calls;\n  volatile int none = 0;\n  if (__atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) == 15000) %s;\n"
        plan = ("--problem", "torus", "--members", "64", "--steps", "400", "--every", "400", "--isa", "scalar", "--quiet")
        alone = self.json(*plan, "--method", "rattle")
        crashes = [("*(volatile int *)16 = 1", "memory"), ("none = 7 / none", "divided")]
        for crash, said in crashes if platform.machine() == "x86_64" else crashes[:1]:  # others divide by zero without a word
            self.write("late.h", text.replace(head, head + at_last % crash))
            for lanes in ("bodies", "members"):
                for threads in ("1", "2"):
                    with self.subTest(said, lanes=lanes, threads=threads):
                        done = self.run_program("run", *plan, "--method", "rattle,late.h,vlv", "--lanes", lanes, "--threads", threads, "--output", "o.h5",
                                                "--checkpoint", "ck", "--json", status=1)
                        self.assertRegex(done.stderr, rf"late\.h crashed: .*{said}")
                        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                        self.assertEqual(science(json.loads(done.stdout)), science(alone))
                        self.assertRegex(self.run_program("info", "o.h5").stdout, r"late +not done")
                        self.assertFalse([f for f in self.files() if "lock" in f])
                        for name in ("o.h5", "ck"):
                            (self.here / name).unlink(missing_ok=True)

    def test_nothing_was_done_before(self):
        self.write("crash.h", re.sub(r"(FN real mine_potential\(.*?\{\n)", r"\1  *(volatile int *)16 = 1;\n", PROBLEM, flags=re.S))
        self.refused("run", "--problem", "crash.h", "--method", "eln", *SMALL, "--isa", "scalar", status=1, has=["crash.h crashed"])
        done = self.run_program("check", "crash.h", status=1)
        self.assertIn("crash.h crashed", done.stderr)


@unittest.skipUnless("STANDIN" in os.environ, "no device is played")
class Devices(Own):
    def setUp(self):
        super().setUp()
        self.environment |= {"STANDIN_LIBRARIES": SHARED.name, "STANDIN_DEVICES": "1"}

    def compiled(self):
        return {p: p.stat().st_mtime_ns for p in pathlib.Path(SHARED.name).rglob("*.ptx")}

    def agree(self, *plan, places=((),), **more):
        """Wherever it is run: the digest, which is handed back with what the device gave."""
        wanted = self.json(*plan, "--backend", "cpu")["digest"]
        for place in places:
            found = self.json(*plan, "--backend", "cuda", *place, **more)
            self.assertEqual(found["digest"], wanted, place)
            self.assertEqual(found["backend"]["name"], "cuda")
        return found

    def test_a_problem(self):
        plan = ("--method", "eln", "--members", "700", "--steps", "40", "--final", "700", "--quiet")
        two = dict(self.environment, STANDIN_DEVICES="2", STANDIN_REVERSE="1")
        mine = self.agree("--problem", "mine.h", *plan, places=((), ("--block", "32"), ("--device-memory", "1")), env=two)
        self.assertEqual(science(mine), science(self.json("--problem", "stress", *plan, "--backend", "cuda")))
        before = self.compiled()
        self.assertEqual(self.json("--problem", "mine.h", *plan)["digest"], mine["digest"])  # auto is the device, and it is compiled
        self.assertEqual(self.compiled(), before)

    def test_a_method_composed_and_with_parameters_of_members(self):
        plan = ("--problem", "stress", "--method", "kick.h,kick.h@4", "--steps", "20", "--final", "12", "--quiet")
        self.agree(*plan, "--members", "12")
        self.agree(*plan, "--sweep", "alpha=0.5:1.5:4", "--members", "3")

    def test_a_potential_alone_interrupted_and_resumed_elsewhere(self):
        self.write("bowl.h", documented("docs/your-own.md", "bowl.h"))
        plan = ("--problem", "bowl.h", "--method", "vlv", "--members", "33", "--steps", "3000", "--quiet")
        wanted = self.agree(*plan)["digest"]
        for first, then in (("cuda", "cpu"), ("cpu", "cuda")):
            self.run_program("run", *plan, "--backend", first, "--checkpoint", "ck", "--max-time", "0.0001s", status=130)
            done = self.run_program("resume", "ck", "--backend", then, "--quiet", "--json")
            self.assertEqual(json.loads(done.stdout)["digest"], wanted)
            (self.here / "ck").unlink()

    def test_point_masses_on_the_newest_devices(self):
        """For which the compiler has another code generator."""
        self.write_point_masses()
        plan = ("--problem", "low.h", "--method", "leap.h", "--members", "9", "--steps", "50", "--impulse", "t=95,dv=1,0,0", "--final", "9", "--quiet")
        self.agree(*plan, env=dict(self.environment, STANDIN_CAPABILITY="120"))
        self.assertTrue(any(".target sm_120" in p.read_text() for p in self.compiled()))

    def test_errors_are_in_the_users_file(self):
        """A compound literal, which C has and C++ has not."""
        lines = METHOD.split("\n")
        at = next(i for i, line in enumerate(lines) if line.startswith("FN ") and line.endswith("{"))
        self.write("bad.h", "\n".join(lines[:at + 1] + ["  vec3 oops = (vec3){real_splat(0)};"] + lines[at + 1:]))
        plan = ("run", "--method", "bad.h", "--members", "4", "--steps", "4", "--quiet")
        for backend in ("cuda", "auto"):
            self.refused(*plan, "--backend", backend, status=2, has=[f"bad.h({at + 2}): error", "compiler-said.txt"])
        self.run_program(*plan, "--backend", "cpu")

    def test_what_is_missing(self):
        plan = ("run", "--problem", "mine.h", "--method", "eln", "--members", "4", "--steps", "4")
        lacking = dict(self.environment, SPINDRIFT_NVRTC="/absent.so")
        self.refused(*plan, "--quiet", "--backend", "cuda", status=1, has=["NVRTC", "/absent.so"], env=lacking)
        self.assertIn("auto: cpu; SPINDRIFT_NVRTC", self.run_program(*plan, env=lacking).stderr)
        none = dict(self.environment, STANDIN_DEVICES="0")
        self.refused(*plan, "--quiet", "--backend", "cuda", status=2, has=["no CUDA device"], env=none)
        for call in ("cudaLibraryLoadData:1", "cudaLibraryGetKernel:2"):
            failing = dict(self.environment, STANDIN_FAIL=call)
            self.refused(*plan, "--quiet", "--backend", "cuda", status=1, has=["mine.h", "cannot be loaded", "unknown error"], env=failing)
        lost = dict(self.environment, STANDIN_FAIL="cudaLaunchKernel:2")
        said = self.run_program(*plan, "--backend", "cuda", "--fallback", "cpu", env=lost)
        self.assertIn("the processor went on", said.stdout + said.stderr)
        torus = ("run", "--problem", "torus", "--method", "kick.h", "--members", "2", "--steps", "2", "--quiet")
        self.refused(*torus, "--backend", "cuda", status=2, has=["processor", "auto"])
        self.run_program(*torus)

    def test_the_cache_and_strangers(self):
        plan = ("run", "--problem", "mine.h", "--method", "eln", "--members", "4", "--steps", "4", "--backend", "cuda", "--quiet", "--output", "o.h5")
        self.run_program(*plan)
        for code in self.compiled():
            code.chmod(0o722)
        self.refused(*plan, status=2, has=[".ptx", "others", "nobody else"])
        for code in self.compiled():
            code.chmod(0o700)
        self.refused("rerun", "o.h5", "--backend", "cuda", status=2, has=["problem mine", "--trust yes"], env=self.counting())
        self.run_program("rerun", "o.h5", "--backend", "cuda")

    def test_checked(self):
        self.assertRegex(self.run_program("check", "mine.h").stdout, r"the same bits: .* cuda\n")


if __name__ == "__main__":
    unittest.main()
