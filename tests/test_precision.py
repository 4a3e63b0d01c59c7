#!/usr/bin/env python3
"""The verb precision: errors against cost."""
import math
import os
import unittest

from command_line import Case
from pictures import is_png, needs_gnuplot, texts_of

SMALL = ("precision", "--method", "vlv,vlv@4,rk4", "--members", "16", "--rounds", "2", "--step", "0.25,0.125,0.0625")


class Precision(Case):
    def path(self, name):
        path = os.path.join(self.directory.name, name)
        self.addCleanup(lambda: os.path.exists(path) and os.remove(path))
        return path

    def test_errors_fall_with_the_order_and_cost_rises(self):
        document = self.document(*SMALL)
        self.assertEqual((document["problem"], document["time"], document["members"]), ("stress", 5, 16))
        self.assertLess(math.hypot(document["reference"]["Q"], document["reference"]["W"]), 1e-11)
        for method, order in (("vlv", 2), ("vlv@4", 4), ("rk4", 4)):
            rows = [row for row in document["results"] if row["method"] == method]
            self.assertEqual([row["step"] for row in rows], [0.25, 0.125, 0.0625])
            error = [math.hypot(row["Q"], row["W"]) for row in rows]
            self.assertAlmostEqual(math.log2(error[1] / error[2]), order, delta=0.3)
            self.assertTrue(all(row["seconds_per_trajectory"] > 0 and row["failed"] == 0 for row in rows))

    def test_orbits(self):
        document = self.document("precision", "--problem", "orbit-elliptic", "--method", "verlet,rk4", "--step", "240,120",
                                 "--members", "8", "--rounds", "1")
        self.assertEqual(set(document["results"][0]), {"method", "step", "q", "p", "seconds_per_trajectory", "failed"})

    def test_text(self):
        text = self.good(*SMALL)
        self.assertEqual(text.err, "")
        self.assertRegex(text.out, r"(?m)^vlv@4 +0\.25 ")
        self.assertRegex(text.out, r"least time for an error of\n +1e-05 +\S+")

    @needs_gnuplot
    def test_pictures(self):
        svg, png = self.path("work.svg"), self.path("work.png")
        self.good(*SMALL, "--plot", svg)
        texts = texts_of(svg)
        for wanted in ("vlv", "vlv@4", "rk4", "time of one trajectory, one thread [µs]"):
            self.assertIn(wanted, texts)
        self.good(*SMALL, "--plot", png)
        self.assertTrue(is_png(png))
        os.remove(svg), os.remove(png)

    def test_bad_input(self):
        self.refused(["precision", "--method", "vlw"], "'vlw'", "'vlv'")
        self.refused(["precision", "--plot", "work.gif"], "work.gif", r"\.svg", r"\.png")
        self.refused(["precision", "--step", "0.25,x"], "step", "'x'", "number")
        self.refused(["precision", "--steps", "10"], "--time")

    def test_no_gnuplot(self):
        empty = dict(self.environment, PATH="/nonexistent")
        outcome = self.call(*SMALL, "--plot", "work.svg", env=empty)
        self.one_line(outcome, 1)
        self.assertRegex(outcome.err, "gnuplot.*gnuplot-nox")


if __name__ == "__main__":
    unittest.main()
