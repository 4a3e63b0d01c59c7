#!/usr/bin/env python3
"""Orbits on the command line: their options, impulses and errors."""
import os
import tempfile
import unittest

from command_line import Case


class Orbits(Case):
    FEW = ["--problem", "orbit-elliptic", "--bodies", "3", "--steps", "20"]

    def test_default_methods_and_energies(self):
        for problem, energy in (("orbit-circular", -0.96182215336), ("orbit-elliptic", -0.72136636959)):
            document = self.run_json("--problem", problem, "--bodies", "1", "--steps", "4", "--final", "1")
            self.assertEqual([r["method"] for r in document["results"]], ["midpoint", "verlet", "rk2", "rk4", "rk45"])
            self.assertIn("sigma_position", document["plan"])
            for result in document["results"]:
                self.assertAlmostEqual(result["energy"]["initial_mean"], energy, delta=5e-12)
                final = result["final"][0]
                self.assertEqual((len(final["q"]), len(final["p"])), (3, 3))
                self.assertNotIn("Q", final)
                self.assertLess(final["position_error"], 1e-3)
                self.assertIn("position_error_max", result["invariants"])

    def test_all_and_compositions(self):
        document = self.run_json(*self.FEW, "--method", "all,verlet@4,midpoint@6,verlet@8")
        self.assertEqual(len(document["results"]), 16)

    def test_same_bits(self):
        plan = [*self.FEW, "--impulse", "t=77.7,dv=0.01,0,0,size=0.1,angle=0.1", "--param", "drag=1e-6", "--param", "mu1=3",
                "--param", "at1=3000,0,0", "--param", "turn1=0,0,1e-4"]
        digests = {self.digest(*plan, "--isa", isa, "--threads", threads) for isa in self.usable() for threads in "12"}
        self.assertEqual(len(digests), 1)

    def test_impulse_changes_the_level(self):
        plan = [*self.FEW, "--method", "verlet@8", "--final", "1"]
        quiet = self.run_json(*plan)["results"][0]["final"][0]
        pushed = self.run_json(*plan, "--impulse", "t=55,dv=0.1,0,0")["results"][0]["final"][0]
        self.assertEqual(quiet["work"], 0)
        self.assertGreater(pushed["work"], 0.1)
        self.assertAlmostEqual(pushed["energy"], quiet["energy"] + pushed["work"], delta=1e-12)
        self.assertLess(abs(pushed["energy_error"]), 1e-12)
        self.assertLess(pushed["position_error"], 1e-9)

    def test_impulses_of_a_study_and_of_the_command_line(self):
        def written(text):
            path = os.path.join(self.folder.name, "study.toml")
            with open(path, "w") as file:
                file.write(text)
            return path

        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        head = 'problem = "orbit-elliptic"\nmethod = "verlet"\nbodies = 2\nsteps = 20\n'
        one = self.digest(written(head + 'impulse = ["t=50,dv=0.1,0,0", "t=20,dv=0,0.1,0"]\n'))
        same = self.digest(*self.FEW, "--bodies", "2", "--method", "verlet", "--impulse", "t=20,dv=0,0.1,0", "--impulse",
                           "t=50,dv=0.1,0,0")
        self.assertEqual(one, same)
        path = written(head + 'impulse = "t=50,dv=0.1,0,0"\n')
        self.assertEqual(len(self.run_json(path, "--impulse", "t=60,dv=1,0,0")["plan"]["impulses"]), 1)

    def test_order(self):
        study = self.document("order", "--problem", "orbit-elliptic", "--method", "verlet,rk4", "--param", "drag=1e-6")
        self.assertEqual([round(row["fitted_order"]) for row in study], [2, 4])

    def test_bad_input(self):
        self.refused(["run", "--method", "verlet"], "verlet is for orbits", "eln")
        self.refused(["run", "--problem", "orbit-circular", "--method", "eln"], "eln is for rigid bodies", "verlet")
        self.refused(["run", *self.FEW, "--method", "verlt"], "'verlt'", "'verlet'")
        self.refused(["run", *self.FEW, "--sigma-attitude", "1"], "sigma-attitude is for rigid bodies", "sigma-position")
        self.refused(["run", "--sigma-position", "1"], "sigma-position is for orbits", "sigma-attitude")
        self.refused(["run", *self.FEW, "--param", "q0=0,0,0"], "param q0: 0,0,0 is the centre")
        self.refused(["run", *self.FEW, "--param", "m=0"], "param m", "out of range")
        self.refused(["run", "--impulse", "t=1,dv=1,0,0"], "stress has rigid bodies, which take none")
        for text in ("", "t=1", "dv=1,0,0", "t=0,dv=1,0,0", "t=-3,dv=1,0,0", "t=5,dv=1,0", "t=5,dv=1,0,0,0", "t=5,dv=0,0,0", "5",
                     "t=x,dv=1,0,0", "t=5,dv=1,0,0,speed=3", "t=5,dv=1,0,0,size=-1", "t=1e9,dv=1,0,0", "t=,dv=1,0,0",
                     "t=nan,dv=1,0,0", "dv=1,t=5,0,0"):
            self.refused(["run", *self.FEW, "--impulse", text], "impulse")
        many = [part for k in range(33) for part in ("--impulse", "t=%d,dv=1,0,0" % (k + 1))]
        self.refused(["run", *self.FEW, *many], "more than 32")


if __name__ == "__main__":
    unittest.main()
