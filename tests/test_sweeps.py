#!/usr/bin/env python3
"""test_sweeps.py - parameters that differ from member to member: grids, draws, tables; each held against single runs, to the bit.

SPINDRIFT=PROGRAM test_sweeps.py"""
import itertools
import json
import os
import pathlib
import signal
import subprocess
import time
import unittest

from case import PROGRAM, Case, place

# name in HDF5 and in the points' table, place in the JSON of a single run
STATISTICS = {"drift_slope": "energy.drift.slope", "slope_mean": "energy.slope.mean", "drift_reach": "energy.drift.reach",
              "energy_max_abs_error": "energy.max_abs_error", "oscillation_rms": "energy.oscillation.rms", "resolved": "resolved",
              "drift_witness": "energy.drift.witness", "oscillation_shared": "energy.oscillation.shared", "newton_mean": "newton.mean",
              "drift_halves": "energy.drift.halves", "drift_stderr": "energy.drift.stderr", "energy_initial_mean": "energy.initial_mean"}


class Sweeps(Case):
    def document(self, *argv, status=0):
        return json.loads(self.run_program("run", "--quiet", "--json", *argv, status=status).stdout)

    def single(self, plan, names, values, whole):
        """The plan of one point: components join those that the parameter has otherwise."""
        given, more = {}, []
        for name, value in zip(names, values):
            base, _, component = name.partition(".")
            if name == "step":
                more += ["--step", repr(value)]
            elif component:
                given.setdefault(base, list(whole[base]))[int(component) - 1] = value
            else:
                given[base] = [value]
        for base, numbers in given.items():
            more += ["--param", base + "=" + ",".join(map(repr, numbers))]
        return [*plan, *more]

    def compare(self, plan, *sweeps, members=1, whole={}, status=0):
        """Every point of the sweep with the run of its parameters alone."""
        argv = [word for sweep in sweeps for word in ("--sweep", sweep)]
        swept = self.document(*plan, *argv, "--members", str(members), "--final", "1000", status=status)
        for result in swept["results"]:
            sweep, points = result["sweep"], result["points"]
            grid = list(itertools.product(*(sweep["values"][name] for name in sweep["names"])))
            self.assertEqual(len(grid), sweep["points"])
            for k, values in enumerate(grid):
                alone = self.document(*self.single(plan, sweep["names"], values, whole), "--method", result["method"], "--members",
                                      str(members), "--final", "1000", status=None)["results"][0]
                with self.subTest(method=result["method"], values=values):
                    mine = result["final"][k * members:(k + 1) * members]
                    for state in mine + alone["final"]:
                        del state["body"]
                    self.assertEqual(mine, alone["final"])
                    self.assertEqual(points["verdict"][k], alone["verdict"])
                    self.assertEqual(points["failed"][k], alone["failed"])
                    for name, path in STATISTICS.items():
                        self.assertEqual(points[name][k], place(alone, path), name)
        return swept

    def kill_in_the_middle(self, plan):
        wanted = self.digest("run", *plan)
        for attempt in range(3):
            run = subprocess.Popen([PROGRAM, "run", "--quiet", *plan, "--checkpoint", "c", "--checkpoint-every", "0"], cwd=self.here,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(0.3 + 0.3 * attempt)
            run.send_signal(signal.SIGKILL if attempt else signal.SIGINT)
            run.wait()
        self.assertEqual(self.digest("run", *plan, "--checkpoint", "c"), wanted)

    def run_program(self, *argv, status=0, **more):
        if status is not None:
            return super().run_program(*argv, status=status, **more)
        done = subprocess.run([PROGRAM, *argv], cwd=self.here, capture_output=True, text=True, timeout=300, **more)
        self.assertIn(done.returncode, (0, 3), done.stderr)
        return done


class Points(Sweeps):
    def test_strength_and_inertia(self):
        plan = ["--problem", "stress", "--method", "eln,vlv", "--steps", "600", "--every", "3"]
        whole = {"J": [2.0, 2.0, 4.0]}
        self.compare(plan, "alpha=0.1:0.5:3", "J.3=2:4:3", whole=whole)

    def test_ensembles(self):
        plan = ["--problem", "stress", "--method", "prk", "--steps", "400"]
        swept = self.compare(plan, "alpha=0.1:0.5:3", members=5)
        states = swept["results"][0]["final"]
        self.assertNotEqual(states[0]["W"], states[1]["W"])

    def test_many_members_in_blocks(self):
        self.compare(["--problem", "free", "--method", "rattle", "--steps", "130", "--every", "1"], "J.2=2.1:2.5:2", members=300,
                     whole={"J": [1.0, 2.0, 3.0]})

    def test_starts(self):
        whole = {"attitude": [0.0, 0.7227, 0.0], "velocity": [0.0, 0.0, 0.625]}
        self.compare(["--problem", "stress", "--method", "vlv", "--steps", "300"], "attitude.2=0.5:0.9:3", "velocity.3=0.3:0.9:2",
                     members=2, whole=whole)

    def test_parameter_of_a_method(self):
        self.compare(["--problem", "stress", "--method", "rk45", "--steps", "150"], "rtol=1e-9:1e-3:4:log")
        self.compare(["--problem", "stress", "--method", "campello", "--param", "J=2,2,2", "--steps", "150"], "phi=0:1:3")

    def test_step(self):
        self.compare(["--problem", "stress", "--method", "eln", "--steps", "500", "--every", "2"], "step=0.05:0.25:4:log", members=3)
        self.compare(["--problem", "orbit-elliptic", "--method", "verlet,rk45", "--steps", "300"], "step=2:20:3")

    def test_orbits(self):
        whole = {"q0": [0.0, 1664.029, 0.0]}
        plan = ["--problem", "orbit-circular", "--method", "verlet,midpoint,rk45", "--steps", "300"]
        self.compare(plan, "mu=3000:3400:3", "q0.1=-10:10:2", whole=whole, members=2)
        self.compare([*plan, "--param", "pressure=1e-6,0,0", "--param", "mu1=10", "--param", "at1=5000,0,0", "--param", "turn1=0,0,1e-4"],
                     "drag=0:1e-5:3", "m=1:3:2")
        self.compare([*plan, "--impulse", "t=1000,dv=0.01,0,0,size=0.1"], "mu=3000:3400:3", members=2)

    def test_compositions(self):
        self.compare(["--problem", "pendulum", "--method", "vlv@4", "--steps", "200"], "mg=0.5:2:3")

    def test_bodies_that_fail(self):
        swept = self.compare(["--problem", "stress", "--method", "vlv-exp", "--steps", "200"], "velocity.3=0.5:60:6", members=2,
                             whole={"velocity": [0.0, 0.0, 0.625]}, status=3)
        self.assertTrue(0 < sum(swept["results"][0]["points"]["failed"]) < 12)

    def test_three_grids(self):
        swept = self.document("--problem", "stress", "--method", "eln", "--steps", "130", "--sweep", "alpha=0.1:0.3:2", "--sweep", "J.3=2:4:3",
                              "--sweep", "step=0.1:0.2:4")
        sweep = swept["results"][0]["sweep"]
        self.assertEqual((sweep["names"], sweep["shape"]), (["alpha", "J.3", "step"], [2, 3, 4]))
        alone = self.document("--problem", "stress", "--method", "eln", "--steps", "130", "--members", "1", "--param", "alpha=0.3", "--param",
                              "J=2,2,3", "--step", repr(sweep["values"]["step"][1]))
        self.assertEqual(swept["results"][0]["points"]["drift_slope"][(1 * 3 + 1) * 4 + 1], alone["results"][0]["energy"]["drift"]["slope"])


PLAN = ["--problem", "stress", "--method", "eln,rk45", "--steps", "300", "--sweep", "alpha=0.1:0.5:7", "--sweep", "rtol=1e-8:1e-4:3:log",
        "--members", "3"]


class Identity(Sweeps):
    def test_variants_and_threads(self):
        wanted = self.digest("run", *PLAN, "--isa", "scalar", "--threads", "1")
        for argv in (["--threads", "3"], ["--isa", "scalar", "--threads", "2"]):
            self.assertEqual(self.digest("run", *PLAN, *argv), wanted)

    def test_files(self):
        wanted = self.digest("run", *PLAN, "--output", "r.h5", "--final", "4")
        for verb in ("info", "verify"):
            self.run_program(verb, "r.h5")
        self.assertIn("same digest", self.run_program("rerun", "r.h5").stderr)
        self.assertEqual(self.digest("rerun", "r.h5"), wanted)

    def test_a_checkpoint_between_two_methods_and_at_the_end(self):
        wanted = self.digest("run", *PLAN)
        self.assertEqual(self.digest("run", *PLAN, "--checkpoint", "c"), wanted)
        self.assertEqual(self.digest("resume", "c"), wanted)
        self.refused("run", *PLAN[:-4], "--checkpoint", "c", status=2, has=["another plan"])

    def test_killed_in_the_middle(self):
        """Several batches of points: every sample of every point is kept while its batch is at work."""
        self.kill_in_the_middle(["--problem", "free", "--method", "eln", "--steps", "20000", "--every", "1", "--sweep", "J.3=2:3:2000", "--final", "1100"])


class Systems(Sweeps):
    """Each point of a sweep has systems of its own."""

    RING = ["--problem", "torus", "--method", "rattle,campello", "--param", "n=12", "--param", "J=2,2,2", "--steps", "140"]

    def test_points(self):
        """What all members of a point share is of the point; contacts and the step are in it, too."""
        self.compare(self.RING, "Km=1:10:2", "speed=0:5:2", members=2)
        self.compare(self.RING, "step=1e-4:1e-3:2:log", "Kp=1000:2000:2")
        self.compare(["--problem", "full-body", "--method", "vlv", "--steps", "130"], "share=0.2:0.6:2", "apart=3:5:2")

    def test_of_a_text(self):
        self.compare(["--problem", "file", "--method", "eln", "--steps", "130"], "Kp=1000:3000:2", "gravity.3=-9:0:2", members=3,
                     whole={"gravity": [0.0, 0.0, 0.0]})

    def test_places(self):
        """Threads, variants, what is in the lanes; files; interrupted within a point and between two."""
        plan = [*self.RING, "--members", "3", "--sweep", "Km=1:10:3", "--sweep", "speed=0:5:2"]
        wanted = self.digest("run", *plan, "--isa", "scalar", "--threads", "1", "--output", "r.h5", "--final", "18")
        for argv in (["--lanes", "bodies", "--threads", "3"], ["--lanes", "members"], ["--checkpoint", "c"]):
            self.assertEqual(self.digest("run", *plan, *argv), wanted)
        self.assertEqual(self.digest("resume", "c"), wanted)
        self.assertIn("same digest", self.run_program("rerun", "r.h5").stderr)
        whole = json.loads(self.run_program("rerun", "r.h5", "--json").stdout)["results"]
        alone = json.loads(self.run_program("rerun", "r.h5", "--member", "13", "--json").stdout)["results"]
        for mine, own in zip(whole, alone):
            self.assertEqual(mine["final"][13]["x"], own["final"][0]["x"])

    def test_killed_in_the_middle(self):
        self.kill_in_the_middle([*self.RING[:3], "rattle", *self.RING[4:-1], "8000", "--sweep", "speed=0:5:4", "--members", "5", "--spread", "Km=1"])

    def member(self, result, k):
        """Its state at the end, whatever its number is."""
        return {**result["final"][k], "body": 0}

    def test_spread(self):
        """Bonds, contacts, dashpots, masses, sizes, places, gravity; bodies of two species; a text; members that are bonded by draws of their own."""
        ring = ["--problem", "torus", "--method", "rattle,vlv@4", "--param", "n=12", "--members", "19", "--sigma-stiffness", "0.1", "--param", "damping=1"]
        spreads = {("Km=1", "Ka=9", "Kp=100", "damping=0.1", "m=0.05", "J.2=0.1", "Dt=0.1", "speed=0.3", "gravity.2=1"): ring,
                   ("share=0.02", "length.1=0.1", "m.2=0.03", "G=0.1", "spin.1=0.1"): ["--problem", "full-body", "--method", "vlv", "--members", "9"],
                   ("Kp=100", "wall1.4=0.01"): ["--problem", "file", "--method", "eln", "--members", "5"]}
        for given, plan in spreads.items():
            with self.subTest(given):
                plan = [*plan, "--steps", "60", "--final", "19", *(word for spread in given for word in ("--spread", spread))]
                whole = self.document(*plan, "--isa", "scalar", "--threads", "1", "--output", "r.h5")
                for argv in (["--lanes", "bodies", "--threads", "3"], ["--lanes", "members", "--threads", "2"], ["--lanes", "bodies", "--sort", "yes"],
                             ["--checkpoint", "c"]):
                    self.assertEqual(self.digest("run", *plan, *argv), whole["digest"])
                self.assertEqual(self.digest("resume", "c"), whole["digest"])
                for name in ("c", "c.previous"):
                    (self.here / name).unlink(missing_ok=True)
                for k in (0, 1, int(plan[plan.index("--members") + 1]) - 1):
                    alone = json.loads(self.run_program("rerun", "r.h5", "--member", str(k), "--json").stdout)["results"]
                    for mine, own in zip(whole["results"], alone):
                        self.assertEqual(self.member(mine, k), self.member(own, 0))
                self.assertNotEqual(whole["results"][0]["final"][1]["v"], whole["results"][0]["final"][0]["v"])

    def test_table(self):
        """Of a plan's members and of a sweep's: each is the run with its numbers."""
        (self.here / "t.csv").write_text("Km,J.1,speed\n2,,3\n3,1.5,\n,,2\n")
        plan = ["--problem", "torus", "--method", "rattle", "--param", "n=12", "--steps", "60"]
        alone = [self.document(*plan, "--first-member", str(k), "--members", "1", "--final", "1", *params)["results"][0]
                 for k, params in enumerate((["--param", "Km=2", "--param", "speed=3"], ["--param", "Km=3", "--param", "J=1.5,1,1"], ["--param", "speed=2"]))]
        for more in ([], ["--lanes", "bodies"], ["--sweep", "m=0.5:1:2"], ["--sweep", "m=0.5:1:2", "--lanes", "members"]):
            whole = self.document(*plan, "--starts", "t.csv", *more, "--final", "9")["results"][0]
            for k in range(3):
                self.assertEqual(self.member(whole, k + 3 * ("--sweep" in more)), self.member(alone[k], 0))

    def test_one_member_a_point(self):
        """Points side by side, of which some have a dashpot: another arithmetic."""
        plan = ["--problem", "torus", "--method", "vlv,campello", "--param", "n=12", "--param", "J=2,2,2", "--steps", "60", "--sweep", "damping=0:1:3",
                "--sweep", "step=1e-4:1e-3:5", "--sigma-stiffness", "0.1", "--isa"]
        wanted = self.digest("run", *plan, "scalar", "--lanes", "members")
        self.assertEqual(self.digest("run", *plan, "auto", "--lanes", "bodies", "--threads", "3"), wanted)
        self.compare(plan[:4] + plan[4:10], "damping=0:1:3", "step=1e-4:1e-3:5")

    def test_refusals(self):
        for sweep, words in {"n=10:20:3": ["point 0", "10 bodies", "12"], "step=1e-3:1:3": ["point 1", "stability"], "Km=-1:1:3": ["out of range"],
                             "m=1e-9:1:2": ["point 0", "stability"]}.items():
            with self.subTest(sweep):
                self.refused("run", "--quiet", *self.RING, "--sweep", sweep, status=2, has=["sweep", *words])
        (self.here / "t.csv").write_text("nx,ny\n3,2\n2,3\n")
        (self.here / "w.csv").write_text("wall\n1\n0\n")
        block = ["--problem", "block", "--param", "nx=3", "--param", "ny=2", "--param", "nz=1", "--members", "2", "--steps", "9", "--starts"]
        for argv, words in {(*self.RING, "--spread", "m=0.5"): ["spread m", "of member 18", "out of range"],
                            (*self.RING, "--spread", "n=1"): ["member 1 (n = ", "10 bodies", "12"],
                            (*self.RING, "--spread", "step=1"): ["step", "swept"],
                            (*self.RING, "--step", "0.0182", "--spread", "Ka=50"): ["member 2 (Ka = 256.9", "stability"],
                            (*block, "t.csv"): ["member 1 (nx = 2, ny = 3)", "bonded"], (*block, "w.csv"): ["member 1", "walls"]}.items():
            with self.subTest(argv):
                self.refused("run", "--quiet", "--members", "30", *argv, status=2, has=words)


@unittest.skipUnless("STANDIN" in os.environ, "no device is played")
class Devices(Sweeps):
    def test_the_same_digest(self):
        """With all bodies on the device, and batch by batch."""
        for plan in (PLAN, ["--problem", "orbit-elliptic", "--method", "verlet", "--steps", "130", "--sweep", "mu=3000:3400:5", "--sweep", "step=5:10:3"],
                     ["--method", "eln", "--steps", "20", "--members", "5000", "--spread", "alpha=0.01", "--final", "5000"],
                     ["--method", "campello", "--param", "J=2,2,2", "--steps", "20", "--sweep", "phi=0:1:3000", "--final", "3000"],
                     [*Systems.RING[:3], "vlv", *Systems.RING[4:-1], "40", "--members", "3", "--sweep", "Km=1:10:2", "--sweep", "speed=0:5:2", "--final", "9"],
                     [*Systems.RING[:3], "vlv", *Systems.RING[4:-1], "40", "--members", "5", "--spread", "Km=1", "--spread", "Dt=0.1", "--final", "9"]):
            wanted = self.digest("run", *plan, "--backend", "cpu")
            for memory in ([], ["--device-memory", "1"]):
                self.assertEqual(self.digest("run", *plan, "--backend", "cuda", *memory), wanted)


class Draws(Sweeps):
    def test_a_parameter_is_drawn_for_each_member(self):
        plan = ["--problem", "stress", "--method", "vlv", "--steps", "200", "--members", "8", "--final", "8"]
        drawn = self.document(*plan, "--spread", "alpha=0.01", "--sigma-attitude", "0", "--sigma-velocity", "0")
        states = drawn["results"][0]["final"]
        self.assertEqual(states[0]["Q"], self.document(*plan)["results"][0]["final"][0]["Q"])
        self.assertEqual(len({tuple(state["Q"]) for state in states}), 8)
        self.assertEqual(self.digest("run", *plan, "--spread", "alpha=0.01", "--isa", "scalar", "--threads", "1"),
                         self.digest("run", *plan, "--spread", "alpha=0.01"))
        self.assertNotEqual(self.digest("run", *plan, "--spread", "alpha=0.01"), self.digest("run", *plan, "--spread", "alpha=0.02"))

    def test_the_same_draws_at_every_point(self):
        plan = ["--problem", "stress", "--method", "vlv", "--steps", "200", "--members", "4", "--final", "12", "--spread", "alpha=0.01"]
        swept = self.document(*plan, "--sweep", "J.3=2:4:3")["results"][0]
        alone = self.document(*plan, "--param", "J=2,2,3")["results"][0]
        self.assertEqual([state["Q"] for state in swept["final"][4:8]], [state["Q"] for state in alone["final"]])

    def test_a_file_repeats_them(self):
        wanted = self.digest("run", "--problem", "stress", "--method", "vlv", "--steps", "200", "--members", "8", "--spread", "alpha=0.01",
                             "--output", "r.h5")
        self.assertEqual(self.digest("rerun", "r.h5"), wanted)


class Tables(Sweeps):
    PLAN = ["--problem", "orbit-circular", "--method", "verlet,rk45", "--steps", "200"]

    def test_parameters_of_members(self):
        (self.here / "t.csv").write_text("# masses\n m, q0.1 ,rtol\r\n1,2.5,1e-9\n\n3,,1e-6\n2,-4,\n")
        table = self.document(*self.PLAN, "--starts", "t.csv", "--final", "9", "--sigma-position", "0", "--sigma-momentum", "0")
        self.assertEqual(table["plan"]["members"], 3)
        for result in table["results"]:
            for k, (mass, x, rtol) in enumerate([(1, 2.5, "1e-9"), (3, 0, "1e-6"), (2, -4, "1e-12")]):
                more = ["--param", f"rtol={rtol}"] if result["method"] == "rk45" else []
                alone = self.document(*self.PLAN[:2], "--method", result["method"], *self.PLAN[4:], "--members", "1", "--final", "1", "--param", f"m={mass}",
                                      "--param", f"q0={x},1664.029,0", *more)["results"][0]["final"][0]
                self.assertEqual({**result["final"][k], "body": 0}, alone)

    def test_starts_of_members(self):
        (self.here / "t.csv").write_text("position.1,position.2,position.3,momentum.1,momentum.2,momentum.3,mu\n"
                                         "0,1700,1,1.3,0,0.1,3200\n,,,,,,3100\n")
        wanted = self.digest("run", *self.PLAN, "--starts", "t.csv", "--members", "4", "--final", "4", "--output", "r.h5", "--checkpoint", "c")
        (self.here / "t.csv").unlink()
        self.assertEqual(self.digest("rerun", "r.h5"), wanted)
        self.assertEqual(self.digest("resume", "c"), wanted)
        whole = json.loads(self.run_program("rerun", "r.h5", "--json").stdout)["results"][0]["final"]
        for member in range(3):
            alone = json.loads(self.run_program("rerun", "r.h5", "--member", str(member), "--json").stdout)["results"][0]["final"]
            self.assertEqual([alone[0]["q"], alone[0]["p"]], [whole[member]["q"], whole[member]["p"]])

    def test_a_table_and_a_sweep(self):
        (self.here / "t.csv").write_text("m\n1\n2\n")
        swept = self.document(*self.PLAN, "--starts", "t.csv", "--sweep", "mu=3000:3200:2", "--final", "9")["results"][0]
        alone = self.document(*self.PLAN, "--starts", "t.csv", "--param", "mu=3200", "--final", "9")["results"][0]
        self.assertEqual([state["q"] for state in swept["final"][2:]], [state["q"] for state in alone["final"]])

    def test_what_is_wrong_with_it(self):
        for text, words in {"": ["no header"], "m\n": ["no rows"], "m,mu\n1\n": ["t.csv:2", "1 numbers", "2 names"], "m\n1\nx\n": ["t.csv:3", "column m", "x"],
                            "m,\n1,2\n": ["t.csv:1", "name"], "mm\n1\n": ["mm"], "m\n-1\n": ["out of range", "member 0"], "m,m\n1,1\n": ["two columns m"],
                            "step\n1\n": ["step"], "m\nnan\n": ["t.csv:2", "finite"], "m\n1\n2\n3\n": []}.items():
            with self.subTest(text):
                (self.here / "t.csv").write_text(text)
                self.refused("run", "--quiet", *self.PLAN, "--starts", "t.csv", "--members", "2", status=2, has=words)
        self.refused("run", "--quiet", "--starts", "none.csv", status=2, has=["none.csv"])


class Members(Sweeps):
    def test_one_of_a_sweep_is_run_again(self):
        plan = ["--problem", "stress", "--method", "eln,rk45", "--steps", "200", "--sweep", "alpha=0.1:0.5:3", "--sweep", "rtol=1e-9:1e-5:3:log",
                "--members", "2", "--spread", "velocity.3=0.01"]
        whole = self.document(*plan, "--final", "18", "--output", "r.h5")["results"]
        for member in (0, 5, 17):
            alone = json.loads(self.run_program("rerun", "r.h5", "--member", str(member), "--json").stdout)["results"]
            for mine, own in zip(whole, alone):
                self.assertEqual(mine["final"][member]["Q"], own["final"][0]["Q"])
        self.refused("rerun", "r.h5", "--member", "18", status=2, has=["0 to 17"])

    def test_many_points(self):
        done = self.run_program("run", "--quiet", "--problem", "free", "--method", "eln", "--steps", "10", "--sweep", "J.1=2:3:100", "--sweep", "J.2=2:3:100",
                                "--sweep", "J.3=2:3:10", "--json")
        result = json.loads(done.stdout)["results"][0]
        self.assertEqual((result["sweep"]["points"], "points" in result), (100000, False))
        self.assertEqual(sum(result["verdicts"].values()), 100000)

    def test_maps(self):
        plan = ["--quiet", "--problem", "free", "--method", "eln,rk4", "--steps", "150"]
        self.refused("run", *plan, "--map", "m.svg", status=2, has=["sweep"])
        self.refused("run", *plan, "--sweep", "J.3=2:3:3", "--map", "m.pdf", status=2, has=["m.pdf"])
        if not any((pathlib.Path(d) / "gnuplot").exists() for d in os.environ["PATH"].split(":")):
            self.skipTest("no gnuplot")
        for sweeps in (["J.3=2:3:5"], ["J.3=2:3:5", "J.2=2:2.5:4"], ["J.3=2:3:2", "J.2=2:2.5:4", "step=0.01:0.1:3:log"]):
            self.run_program("run", *plan, *(word for sweep in sweeps for word in ("--sweep", sweep)), "--map", "m.svg", "--output", "r.h5")
            self.assertIn("J.3", (self.here / "m.svg").read_text())
        self.run_program("plot", "r.h5")
        self.assertIn("r-map.svg", self.files())
        self.run_program("rerun", "r.h5", "--quiet", "--map", "n.svg", "--map-of", "energy_max_abs_error")
        self.refused("rerun", "r.h5", "--quiet", "--map", "n.svg", "--map-of", "energy", status=2, has=["energy"])


class Refusals(Sweeps):
    def test_sweeps(self):
        for sweep, words in {"alpha": ["NAME=LOW:HIGH:COUNT"], "alpha=1:2": ["NAME=LOW:HIGH:COUNT"], "alpha=1:2:1": ["2 to"],
                             "alpha=1:2:x": ["points"], "alpha=2:1:3": ["lower end first"], "alpha=-1:1:3:log": ["more than 0"],
                             "alpha=0:1:3:lag": [":log"], "alpha=x:1:3": ["'x'"], "alpah=0:1:3": ["did you mean 'alpha'"],
                             "J=1:2:3": ["J.1 to J.3"], "J.4=1:2:3": ["J.1 to J.3"], "alpha.1=1:2:3": ["one number"],
                             "alpha=0:1e7:3": ["out of range"], "J.3=2:9:3": ["point 1", "inertia"], "rtol=1e-9:1e-3:3": ["rk45"],
                             "alpha=0:1:200000000": ["2 to"], "step=0.1:0.2:3": ["--steps"]}.items():
            with self.subTest(sweep):
                self.refused("run", "--quiet", "--method", "vlv", "--sweep", sweep, status=2, has=["sweep", *words] if "point 1" not in words else words)
        self.refused("run", "--sweep", "alpha=0:1:3", "--sweep", "alpha=0:1:3", status=2, has=["twice"])
        self.refused("run", "--sweep", "alpha=0:1:3", "--trajectories", "1", "--quiet", status=2, has=["trajectories"])
        self.refused("run", "--sweep", "alpha=0:1:3", "--until-decided", "--quiet", status=2, has=["until-decided"])
        self.refused("run", "--problem", "orbit-circular", "--sweep", "drag=0:1e-5:3", "--quiet", status=2, has=["drag", "point 1"])
        self.refused("run", "--problem", "orbit-circular", "--sweep", "step=1:2:3", "--steps", "10", "--impulse", "t=3,dv=1,0,0", "--quiet", status=2,
                     has=["impulse"])

    def test_spreads(self):
        for spread, words in {"alpha": ["NAME=SIGMA"], "alpha=-1": ["negative"], "alpha=x": ["'x'"], "alpah=1": ["did you mean"],
                              "step=1": ["swept"], "J.3=5": ["member"]}.items():
            with self.subTest(spread):
                self.refused("run", "--quiet", "--method", "vlv", "--spread", spread, status=2, has=words)


if __name__ == "__main__":
    unittest.main()
