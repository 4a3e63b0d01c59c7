#!/usr/bin/env python3
"""Systems from a file: what it says, that it is part of the plan, and what is refused."""
import json
import pathlib
import signal
import subprocess
import time
import unittest

from case import PROGRAM, Case

CHAIN = """# three beads in a row, and a heavy one behind
species bead mass 1 J 0.1 0.1 0.1 diameter 1
species ball mass 8 J 2 2 2 diameter 2
body bead 0.5 0 0  -1 0 0
body bead 1.5 0 0  -1 0 0
body bead 2.5 0 0  -1 0 0
body ball 4.2 0.1 0  -1 0 0  1 0 0 0  0 0 1
bond 0 1
bond 1 2  5 100 50
wall 1 0 0  0
Kp 1000
"""
DUMBBELLS = """species long mass 1 J 0.01 0.13 0.135 point 0.35 0 0 0.5 point -0.35 0 0 0.5
species short mass 0.5 J 0.004 0.052 0.054 point 0.3 0 0 0.25 point -0.3 0 0 0.25
G 1
"""


def kinds(result):
    """Energies by kind."""
    return result["energy"].get("kinds") or result["kinds"]


class Systems(Case):
    def write(self, text, name="own.txt"):
        (self.here / name).write_bytes(text.encode() if isinstance(text, str) else text)
        return name

    def run_json(self, *argv, status=0):
        return json.loads(self.run_program("run", *argv, "--json", status=status).stdout)

    def states(self, *argv):
        """The final states of all methods, and their energies."""
        document = self.run_json(*argv, "--members", "3", "--final", "3")
        return [(r["method"], r["final"], r["energy"]) for r in document["results"]]

    def test_a_problem_that_is_built_in_written_as_a_file(self):
        plan = ["--method", "vlv,rrp,sw-e", "--steps", "300", "--every", "10"]
        start = self.run_json("--problem", "torus", "--members", "1", "--steps", "1", "--trajectories", "1", "--method",
                              "vlv", "--param", "n=24")["results"][0]["trajectories"][0]["x"][0]
        distance = sum((a - b) ** 2 for a, b in zip(start[0], start[1])) ** 0.5
        self.assertAlmostEqual(2 * start[0][0], distance)
        lines = [f"species bead mass 1 J 1 1 1 diameter {2 * start[0][0]!r}", "wall1 1 0 0 0", "Kp 2100"]
        lines += [f"body bead {x!r} {y!r} {z!r} -1 0 0" for x, y, z in start]
        lines += [f"bond {(b + 1) % 24} {b}" for b in range(24)]
        name = self.write("\r\n".join(lines), "ring.bodies")  # lines may end so, and the last one not at all
        self.assertEqual(self.states("--problem", "torus", "--param", "n=24", *plan), self.states("--problem", name, *plan))

    def test_files_that_should_be_hdf5(self):
        """What test_hdf5_input holds against texts, as one meets it here: one line, and it is about the file."""
        self.refused("run", "--problem", "missing.h5", status=2, has=["missing.h5: cannot be read: No such file"])
        self.refused("run", "--problem", self.write(CHAIN, "own.h5"), status=2, has=["own.h5: it is no HDF5 file"])
        self.run_program("run", "--method", "vlv", "--members", "2", "--steps", "10", "--quiet", "--output", "result.h5")
        whole = (self.here / "result.h5").read_bytes()
        self.write(whole, "result.bodies")
        for option, name, says in (("--problem", "result.bodies", "'column' is unknown; expected the groups bodies and bonds"),
                                   ("--starts", "result.h5", "h5md: it is no dataset")):
            self.refused("run", option, name, status=2, has=[f"{name}: {says}"])
            self.write(whole[:len(whole) * 2 // 3], name)
            self.refused("run", option, name, status=2, has=[f"{name}: HDF5"])

    def test_turned_as_a_whole(self):
        """A rotation of everything changes no energy: bonds are at rest in the frames of their bodies."""
        half = 0.5 ** 0.5
        upright = CHAIN.replace("body ball", "# body ball")
        lying = "\n".join(["species bead mass 1 J 0.1 0.1 0.1 diameter 1"] +
                          [f"body bead 0 {x} 0  0 -1 0  {half!r} 0 0 {half!r}" for x in (0.5, 1.5, 2.5)] +
                          ["bond 0 1", "bond 1 2 5 100 50", "wall 0 2 0 0", "Kp 1000", ""])
        one, other = (self.run_json("--problem", self.write(text), "--members", "1", "--steps", "500", "--method", "rattle",
                                    "--final", "1")["results"][0] for text in (upright, lying))
        self.assertGreater(one["energy"]["max_abs_error"], 0)
        for kind in ("translation", "rotation", "bending", "axial", "shear", "contact", "wall"):
            for a, b in zip(kinds(one)[kind], kinds(other)[kind]):
                self.assertAlmostEqual(a, b, delta=1e-9)
        for a, b in zip(one["final"][0]["x"], other["final"][0]["x"]):
            self.assertAlmostEqual(a[0], b[1], delta=1e-9)

    def test_attraction_as_the_problem_has_it(self):
        """Two dumbbells, from the first states of `full-body`."""
        first = self.run_json("--problem", "full-body", "--members", "1", "--steps", "1", "--trajectories", "1", "--method",
                              "vlv", "--lanes", "members")["results"][0]["trajectories"][0]
        text = DUMBBELLS
        for b, species in enumerate(("long", "short")):
            numbers = [*first["x"][0][b], *first["v"][0][b], *first["orientation"][0][b], *first["W"][0][b]]
            text += f"body {species} " + " ".join(map(repr, numbers)) + "\n"
        plan = ["--method", "vlv,split", "--step", "0.01", "--steps", "200", "--lanes", "members"]
        built_in = self.run_json("--problem", "full-body", *plan, "--members", "1", "--final", "1")
        own = self.run_json("--problem", self.write(text), *plan, "--members", "1", "--final", "1")
        for a, b in zip(built_in["results"], own["results"]):
            self.assertAlmostEqual(a["energy"]["initial_mean"], b["energy"]["initial_mean"], delta=1e-14)
            for x, y in zip(sum(a["final"][0]["x"], []), sum(b["final"][0]["x"], [])):
                self.assertAlmostEqual(x, y, delta=1e-12)

    def test_a_species_without_points_is_one(self):
        text = "species star mass 2 J 1 1 1\nG 3\nbody star 0 0 0\nbody star 4 0 0\n"
        energy = self.run_json("--problem", self.write(text), "--members", "1", "--steps", "1", "--lanes", "members")["results"][0]["energy"]
        self.assertAlmostEqual(energy["initial_mean"], -3 * 2 * 2 / 4)

    def test_same_bits_everywhere(self):
        name = self.write(CHAIN)
        plan = ["run", "--problem", name, "--members", "20", "--steps", "60", "--method", "all"]
        digests = {self.digest(*plan, "--threads", threads, "--isa", isa, "--lanes", lanes)
                   for threads in "12" for isa in ("auto", "scalar") for lanes in ("members", "bodies")}
        self.assertEqual(len(digests), 1)

    def test_the_text_is_part_of_the_plan(self):
        plan = ["--members", "2", "--steps", "20", "--method", "vlv"]
        one = self.run_json("--problem", self.write(CHAIN), *plan)
        self.assertEqual(one["plan"]["problem"], "file")
        self.assertEqual(one["plan"]["param"]["Kp"], 1000)
        self.assertEqual(one["plan"]["param"]["wall1"], [1, 0, 0, 0])
        self.assertEqual(one["plan"]["system"], "c19876be07c860f2293fa0e29dae8808")
        table = self.run_program("run", "--problem", "own.txt", *plan).stdout
        self.assertIn(one["plan"]["system"], table)
        self.assertIn("2 systems of 4 bodies", table)
        other = self.run_json("--problem", self.write(CHAIN + "# a remark\n"), *plan)
        self.assertNotEqual(one["plan"]["system"], other["plan"]["system"])
        self.assertNotEqual(one["digest"], other["digest"])
        self.assertEqual(one["results"][0]["energy"], other["results"][0]["energy"])

    def test_neighbours_in_the_document(self):
        plan = ["--problem", self.write(CHAIN), "--members", "2", "--steps", "20", "--method", "vlv"]
        found = self.run_json(*plan, "--backend", "cpu", "--lanes", "bodies", "--skin", "0.3")["results"][0]["neighbours"]
        self.assertEqual(set(found), {"rebuilds", "share"})
        self.assertTrue(found["rebuilds"] >= 1 and 0 < found["share"] < 1, found)
        narrow = self.run_json(*plan, "--backend", "cpu", "--lanes", "bodies", "--skin", "1e-9")["results"][0]["neighbours"]
        self.assertEqual(narrow["rebuilds"], 21)  # at the start, and in every step
        self.assertNotIn("neighbours", self.run_json(*plan, "--backend", "cpu", "--lanes", "members")["results"][0])

    def test_progress_tells_of_neighbours(self):
        plan = ["run", "--problem", self.write(CHAIN), "--members", "2", "--steps", "20", "--method", "vlv", "--backend", "cpu", "--skin", "1e-9",
                "--progress", "always", "--quiet", "--lanes"]
        self.assertNotIn("[", self.run_program(*plan, "bodies").stderr)
        plan.remove("--quiet")
        last = {lanes: self.run_program(*plan, lanes).stderr.splitlines()[-1] for lanes in ("bodies", "members")}
        self.assertRegex(last["bodies"], r"^\[#+\] vlv .*, 0 failed, neighbours 21 times, \d+\.\d %$")
        self.assertRegex(last["members"], r"^\[#+\] vlv .*, 0 failed$")  # docs/systems.md says why

    def test_what_is_in_the_lanes_is_said(self):
        plan = ["run", "--problem", self.write(CHAIN), "--steps", "20", "--method", "vlv", "--backend", "cpu", "--isa", "scalar", "--threads", "1", "--lanes"]
        digests = set()
        for lanes, words in (("members", "a lane for each system"), ("bodies", "a lane for each body"), ("auto", "a lane for each system")):
            document = json.loads(self.run_program(*plan, lanes, "--json").stdout)
            self.assertEqual(document["backend"]["devices"], f"scalar, 1 thread; {words}")
            footer = f"digest {document['digest']} (cpu, scalar, 1 thread; {words})"
            self.assertIn(footer, " ".join(self.run_program(*plan, lanes).stdout.split()))
            self.assertIn(f"\nruns on: scalar, 1 thread; {words}\n", self.run_program(*plan, lanes, "--dry-run").stdout)
            told, = json.loads(self.run_program(*plan, lanes, "--dry-run", "--json").stdout)
            self.assertEqual(told["runs_on"], document["backend"]["devices"])
            digests.add(document["digest"])
        self.assertEqual(len(digests), 1)
        plan[2] = "stress"
        self.assertEqual(json.loads(self.run_program(*plan, "bodies", "--json").stdout)["backend"]["devices"], "scalar, 1 thread")

    def test_members_are_called_systems(self):
        plan = ["run", "--problem", "torus", "--step", "0.01", "--unstable", "yes", "--members", "2", "--steps", "200", "--method", "vlv", "--backend",
                "cpu", "--output", "lost.h5"]
        lost = self.run_program(*plan, status=3)
        self.assertIn("undecided: 2 of 2 members failed", lost.stdout)
        self.assertIn("2 of 2 systems failed, the first at", lost.stderr)
        self.assertIn("torus, 2 systems, 200 steps", self.run_program("info", "lost.h5").stdout)

    def test_parameters_of_the_command_line_win(self):
        name = self.write(CHAIN)
        plan = ["--members", "1", "--steps", "5", "--method", "vlv"]
        param = self.run_json("--problem", name, *plan, "--param", "Kp=7", "--param", "wall2=0,1,0,-9")["plan"]["param"]
        self.assertEqual((param["Kp"], param["wall1"], param["wall2"]), (7, [1, 0, 0, 0], [0, 1, 0, -9]))
        soft, hard = (kinds(self.run_json("--problem", name, "--method", "vlv", "--members", "1", "--steps", "200", "--param",
                                          f"Ka={Ka}")["results"][0])["axial"][1] for Ka in (1, 1000))
        self.assertNotEqual(soft, hard)

    def test_rerun_and_resume_without_the_file(self):
        text = CHAIN.encode() + "# Müller's \\ chain\tof \x01 bytes".encode()
        name = self.write(text)
        plan = ["run", "--problem", name, "--members", "40", "--time", "20", "--every", "1000", "--method", "vlv,rattle,eln"]
        whole = self.digest(*plan, "--output", "whole.h5")
        child = subprocess.Popen([PROGRAM, *plan, "--checkpoint", "run.ckpt", "--checkpoint-every", "0", "--quiet"], cwd=self.here,
                                 stdout=subprocess.DEVNULL)
        while not (self.here / "run.ckpt").exists() and child.poll() is None:
            time.sleep(0.01)
        child.send_signal(signal.SIGINT)
        interrupted = child.wait() == 130
        pathlib.Path(self.here / name).unlink()
        self.assertIn("the same digest", self.run_program("rerun", "whole.h5").stderr)
        self.assertEqual(self.digest("rerun", "whole.h5", "--output", "again.h5"), whole)
        self.assertEqual(self.digest("rerun", "again.h5"), whole)
        self.assertTrue(interrupted)
        self.assertIn("more lines", self.run_program("info", "run.ckpt", "--verbose").stdout)
        self.assertIn("system ", self.run_program("info", "whole.h5").stdout)
        self.assertEqual(self.digest("resume", "run.ckpt"), whole)
        self.run_program("verify", "whole.h5")

    def test_another_text_is_another_plan(self):
        plan = ["run", "--members", "2", "--steps", "20", "--method", "vlv", "--checkpoint", "run.ckpt", "--problem", "own.txt"]
        self.write(CHAIN)
        self.run_program(*plan)
        self.write(CHAIN.replace("bead 2.5", "bead 2.6"))
        self.refused(*plan, status=2, has=["another plan", "bead 2.5", "bead 2.6"])

    def test_studies(self):
        self.write(CHAIN, "one.txt")
        self.write(CHAIN.replace("Kp 1000", "Kp 500"), "two.txt")
        self.write('problem = ["one.txt", "two.txt", "one.txt"]\nmethod = "vlv"\nmembers = 2\nsteps = 20\n', "study.toml")
        document = self.run_json("study.toml")
        self.assertEqual([p["param"]["Kp"] for p in document["plan"]], [1000, 500])
        self.assertEqual(self.run_json("study.toml", "--problem", "torus")["plan"]["problem"], "torus")
        text = CHAIN.replace("\n", "\\n")
        own = self.run_json("--problem", "file", "--system", text, "--method", "vlv", "--members", "2", "--steps", "20")
        self.assertEqual(own["plan"]["system"], document["plan"][0]["system"])

    def test_bodies_that_are_not_spheres(self):
        text = CHAIN.replace("J 2 2 2", "J 2 2 3")
        plan = ["run", "--problem", self.write(text), "--members", "2", "--steps", "10"]
        self.refused(*plan, "--method", "rrp", status=2, has=["rrp", "spherical"])
        self.assertIn("rrp", self.run_program(*plan, "--method", "all").stderr)
        self.run_program(*plan, "--method", "vlv")

    def refused_line(self, line, *has, replace=None):
        """After two good species and four bodies, in line 8 unless it replaces another."""
        text = "\n".join(CHAIN.split("\n")[:7]) + f"\n{line}\n" if replace is None else CHAIN.replace(replace, line)
        with self.subTest(line):
            return self.refused("run", "--problem", self.write(text), "--steps", "1", status=2, has=["own.txt", *has])

    def test_bad_input(self):
        for line, *has in (("bond 0 4", ":8:", "bond 0", "no body 4"), ("bond -1 2", ":8:", "bond 0", "'-1'"),
                           ("bond 2 2", ":8:", "bond 0", "body 2 is bonded to itself"),
                           ("bond 0 1 -1 0 0", ":8:", "bond 0", "-1 is out of range"), ("bond 0", ":8:", "bond 0", "1 number"),
                           ("bond 0 1 2", ":8:", "bond 0"), ("bond 0 1 1 1 nan", ":8:", "bond 0", "'nan'", "finite"),
                           ("bond 0 1.5", ":8:", "'1.5'"), ("bond 0 1\nbond 1 0", ":9:", "bodies 0 and 1 are bonded twice"),
                           ("body bead 9 9", ":8:", "body 4", "2 numbers"), ("body bead 9 9 9 1", ":8:", "body 4", "4 numbers"),
                           ("body bead 9 9 inf", ":8:", "body 4", "'inf'", "finite"), ("body bead 9 9 1e-999", ":8:", "too small"),
                           ("body bead 9 9 9x", ":8:", "body 4", "'9x' is not a number"), ("body", ":8:", "body 4", "species"),
                           ("body rod 9 9 9", ":8:", "body 4", "no species 'rod'"),
                           ("body bead 9 9 9 0 0 0 0 0 0 0", ":8:", "body 4", "no rotation"),
                           ("body bead 1.9 0 0", ":8:", "bodies 1 and 4", "inside one another"),
                           ("body ball 1.7 0.6 0", ":8:", "bodies 1 and 4", "inside one another"),
                           ("species bead mass 1 J 1 1 1", ":8:", "species bead", "of this name"), ("species", ":8:", "name"),
                           ("species x J 1 1 1", ":8:", "species x", "mass is missing"),
                           ("species x mass 1 J 1 1", ":8:", "species x", "2 numbers after 'J'"),
                           ("species x mass 1", ":8:", "J is missing"), ("species x mass 0 J 1 1 1", ":8:", "out of range"),
                           ("species x mass 1 J 1 1 3", ":8:", "species x", "no body's"),
                           ("species x mass 1 mass 1 J 1 1 1", ":8:", "twice"),
                           ("species x mass 1 J 1 1 1 radius 3", ":8:", "'radius'"),
                           ("species x mass 1 J 1 1 1 diameter -1", ":8:", "diameter"),
                           ("species x mass 1 J 1 1 1 point 0 0 0 2", ":8:", "points have a mass of 2"),
                           ("Kp -3", ":8:", "Kp", "-3 is out of range"), ("Kp", ":8:", "Kp", "0 numbers"),
                           ("Kp 1\nKp 2", ":9:", "Kp", "second time"), ("gravity 0 0", ":8:", "gravity"),
                           ("wall 1 0 0", ":8:", "wall1", "3 numbers"), ("\n".join(["wall 1 0 0 -9"] * 7), ":14:", "too many"),
                           ("bodi bead 1 2 3", ":8:", "'bodi'", "'body'"), ("Kp 1e400", ":8:", "finite"),
                           ("x" * 100, ":8:", "too long")):
            self.refused_line(line, *has)
        self.refused_line("body bead 1.5 0 0", "bodies 0 and 1", replace="body bead 0.5 0 0  -1 0 0")
        points = "species p mass 1 J 1 1 1\nbody p 1 0 0\nbody p 1 0 0\nbond 0 1\n"
        self.refused("run", "--problem", self.write(points), status=2, has=["own.txt:4", "bond 0", "no distance"])
        self.refused("run", "--problem", self.write("# nothing\n"), status=2, has=["own.txt", "no body"])
        self.refused("run", "--problem", self.write(""), status=2, has=["own.txt", "no body"])
        self.refused("run", "--problem", "none.txt", status=2, has=["none.txt", "cannot be read"])
        self.refused("run", "--problem", "file", "--system", "a\\q", status=2, has=["backslash"])
        self.refused("run", "--problem", "torus", "--system", "Kp 1", status=2, has=["torus", "not described"])

    def test_built_in_systems_that_overlap(self):
        self.refused("run", "--problem", "torus", "--param", "D=1", status=2, has=["bodies", "inside one another"])


if __name__ == "__main__":
    unittest.main()
