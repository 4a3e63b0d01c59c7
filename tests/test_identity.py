#!/usr/bin/env python3
"""One digest, whatever the variant, the threads, the company of a body and the way it is shown."""
import unittest

from command_line import PROBLEMS, SMALL, Case, science, strict_json


class Identity(Case):
    PLAN = ("--method", "eln,vlv,rattle,liemid-ea,rk45", "--steps", "12")

    def variants(self):
        for isa in self.usable():
            for threads in (1, 2, 3):
                yield ["--isa", isa, "--threads", str(threads)]

    def test_same_digest_on_every_variant_thread_count_and_size(self):
        for bodies in list(range(1, 21)) + [100]:
            with self.subTest(bodies=bodies):
                plan = [*self.PLAN, "--bodies", str(bodies)]
                digests = {self.digest(*plan, *variant) for variant in self.variants()}
                digests.add(self.digest(*plan))
                self.assertEqual(len(digests), 1, digests)

    def test_same_numbers_for_every_method_and_problem(self):
        for problem in PROBLEMS:
            with self.subTest(problem):
                plan = ["--problem", problem, "--bodies", "19", "--steps", "10", "--method", "all", "--final", "19"]
                documents = [science(self.run_json(*plan, *variant)) for variant in self.variants()]
                for document in documents[1:]:
                    self.assertEqual(document, documents[0])

    def test_same_digest_of_those_that_are_lost(self):
        """Where energies cease to be numbers, of some members by the end and of others not."""
        plan = ["--method", "rk2", "--bodies", "64", "--step", "0.25", "--steps", "2000", "--every", "50"]
        self.assertEqual(len({self.digest(*plan, *variant, status=3) for variant in self.variants()}), 1)

    def test_a_body_does_not_depend_on_its_company(self):
        state = lambda bodies: [r["final"][0] for r in self.run_json(*self.PLAN, "--bodies", bodies, "--final", "1")["results"]]
        alone = state("1")
        for bodies in ("2", "9", "17", "100"):
            self.assertEqual(state(bodies), alone)

    def test_digest_ignores_how_it_is_shown(self):
        base = self.digest(*SMALL)
        for more in (("--final", "1"), ("--final", "3"), ("--final", "100"), ("--progress", "always"), ("--progress", "auto"),
                     ("--quiet",), ("--backend", "cpu"), ("--backend", "auto")):
            with self.subTest(more):
                outcome = self.good("run", "--json", *SMALL, *more)
                self.assertEqual(strict_json(outcome.out)["digest"], base)
                self.assertIn(base, self.good("run", *SMALL, *more).out)  # without --json

    def test_digest_tells_plans_apart(self):
        base = {"--bodies": "5", "--steps": "8", "--method": "vlv", "--step": "0.125", "--every": "2", "--problem": "stress"}
        plans = [{}, {"--method": "rattle"}, {"--method": "vlv@4"}, {"--method": "vlv,eln"}, {"--step": "0.0625"}, {"--steps": "10"},
                 {"--bodies": "6"}, {"--every": "4"}, {"--problem": "free"}, {"--param": "alpha=0.25"},
                 {"--param": "alpha=0.30000000000000004"}, {"--param": "velocity=0,0,0.6250001"}, {"--param": "J=2,2,3.5"}]
        seen = {}
        for change in plans:
            words = [word for pair in dict(base, **change).items() for word in pair]
            seen.setdefault(self.digest(*words), []).append(change)
        self.assertEqual([changes for changes in seen.values() if len(changes) > 1], [])

    def test_a_variant_this_processor_lacks_is_refused(self):
        for isa in {"scalar", "avx2", "avx512"} - set(self.usable()):
            self.refused(["run", "--steps", "2", "--bodies", "1", "--isa", isa], isa)


if __name__ == "__main__":
    unittest.main()
