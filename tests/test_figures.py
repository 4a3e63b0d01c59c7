#!/usr/bin/env python3
"""The verb figure: every figure is drawn, every claim of the papers confirmed or its refutation argued."""
import os
import shutil
import unittest

from command_line import Case, strict_json
from pictures import is_png, needs_gnuplot, texts_of

# What the papers say and what was found otherwise: figure, the claim's beginning.
REFUTED = {
    ("stress-slopes", "the drift is quadratic in the step"),  # of tln, which turns chaotic
    ("stress-accuracy", "PRK, MCG and LIEMID[EA] are more accurate"),
    ("stress-accuracy", "TLN has the accuracy of ELN"),
    ("stress-cost", "TLN takes about six times the time"),
    ("newmark-top", "they are symplectic"),
    ("orbit-circular", "it is the method that dissipates energy"),
    ("orbit-circular", "the symplectic integrator has a smaller offset"),
    ("orbit-elliptic", "it is the method that dissipates energy"),
    ("orbit-elliptic-energy", "the energy of RK2 decays"),
    ("torus-long", "at h = 1e-2 the energy is nearly conserved"),  # beyond the limit of stability
    ("torus-convergence", "linear convergence of trajectories"),  # of the map of first order, and in chaos
}
TIMED = "stress-cost"  # of a machine that is busy elsewhere nothing is claimed


class Figures(Case):
    def tearDown(self):
        for name in os.listdir(self.directory.name):
            shutil.rmtree(os.path.join(self.directory.name, name))
        super().tearDown()

    def path(self, *names):
        return os.path.join(self.directory.name, *names)

    @needs_gnuplot
    def test_all(self):
        outcome = self.call("figure", "all", "--quick", "--json", "--output", "all", timeout=300)
        self.assertEqual((outcome.status, outcome.err), (0, ""), str(outcome))
        made = strict_json(outcome.out)
        names = sorted(os.listdir(self.path("all")))
        pictures = [name for name in names if name.endswith(".svg")]
        self.assertGreaterEqual(len(pictures), 27)
        self.assertEqual(names, sorted(pictures + [name[:-4] + ".gnuplot" for name in pictures]))
        for name in pictures:
            texts = [text for text in texts_of(self.path("all", name)) if text]
            self.assertGreater(len(texts), 5, name)  # titles, labels, ticks
            self.assertLess(os.path.getsize(self.path("all", name)), 2000000, name)
        self.assertEqual(sorted(name for figure in made for name in figure["pictures"]), ["all/" + name for name in pictures])
        refuted = set()
        for figure in made:
            for claim in figure["claims"]:
                self.assertTrue(claim["found"])
                if not claim["agrees"] and figure["figure"] != TIMED:
                    self.assertTrue(claim.get("because"), claim)
                    refuted |= {key for key in REFUTED if key[0] == figure["figure"] and claim["claim"].startswith(key[1])} or {claim["claim"]}
        self.assertEqual(refuted, {key for key in REFUTED if key[0] != TIMED})

    @needs_gnuplot
    def test_one_as_png(self):
        text = self.good("figure", "stress-cost", "--quick", "--png", "--output", "one").out
        self.assertTrue(is_png(self.path("one", "stress-cost.png")))
        self.assertRegex(text, r"(?m)^  (confirmed|refuted  )  LIEMID\[EA\] takes about twice")
        self.assertRegex(text, r"1 pictures, 2 claims")

    def test_list_and_bad_input(self):
        text = self.good("figure").out
        self.assertRegex(text, r"(?m)^stress-drift +.*Ortolan")
        self.refused(["figure", "stress-drfit"], "'stress-drfit'", "'stress-drift'")
        self.refused(["figure", "all", "--method", "vlv"], "--method")

    def test_no_gnuplot(self):
        outcome = self.call("figure", "stress-cost", env=dict(self.environment, PATH="/nonexistent"))
        self.one_line(outcome, 1)
        self.assertIn("gnuplot-nox", outcome.err)


if __name__ == "__main__":
    unittest.main()
