#!/usr/bin/env python3
"""test_bench.py - bench: engines side by side on the same bodies, in a table and as JSON.

SPINDRIFT=PROGRAM test_bench.py.  STANDIN=1 says that the program's CUDA devices are emulated by tests/ptx; KERNEL and CXX
are then nvcc's object of the method eln and the compiler that builds a broken one from it.  Standard library only."""
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

from case import Case

STANDIN = "STANDIN" in os.environ
PTX = pathlib.Path(__file__).resolve().parent / "ptx"
FEW = ("--bodies", "40", "--steps", "20", "--rounds", "2")


class Bench(Case):
    def bench(self, *argv, status=0, **more):
        return json.loads(self.run_program("bench", *FEW, *argv, "--json", status=status, **more).stdout)

    def rows(self, *argv, status=0, **more):
        """The lines of the table, each as a list of words; '(emulated)' belongs to the engine."""
        text = self.run_program("bench", *FEW, *argv, status=status, **more).stdout
        return [re.split(r"\s{2,}|(?<=[\w-]) (?=c(?:pu|uda) )|(?<=\)) +", line.strip())
                for line in text.split("\n\n", 1)[1].splitlines()[1:]]

    def variants(self):
        found = json.loads(self.run_program("devices", "--json").stdout)["cpu"]["variants"]
        return [v["isa"] for v in found if v["usable"]]

    def has_devices(self):
        return bool(json.loads(self.run_program("devices", "--json").stdout)["cuda"])

    def check(self, row, first):
        self.assertTrue(0 < row["ns_lowest"] <= row["ns_highest"])
        self.assertAlmostEqual(2 * row["ns_per_body_step"] / (row["ns_lowest"] + row["ns_highest"]), 1)  # of two rounds
        self.assertAlmostEqual(row["body_steps_per_second"] * row["ns_per_body_step"], 1e9, delta=1)
        self.assertRegex(row["digest"], "^[0-9a-f]{32}$")
        self.assertEqual((row["digest"], row["same_digest"]), (first["digest"], True))
        if row["emulated"] or not first["emulated"]:
            self.assertAlmostEqual(row["speedup"] * row["ns_per_body_step"] / first["ns_per_body_step"], 1)
        else:
            self.assertIsNone(row["speedup"])


class Processor(Bench):
    def test_variants_of_every_method_on_every_problem(self):
        document = self.bench("--backend", "cpu", "--isa", "all", "--method", "vlv,eln", "--problem", "free,stress", "--threads", "1")
        self.assertEqual((document["bodies"], document["threads"], document["rounds"]), (40, 1, 2))
        self.assertIs(document["same_digests"], True)
        rows, isas = document["results"], self.variants()
        self.assertEqual([(r["problem"], r["method"], r["isa"]) for r in rows],
                         [(p, m, i) for p in ("free", "stress") for m in ("vlv", "eln") for i in isas])
        for at, row in enumerate(rows):
            self.check(row, rows[at - at % len(isas)])
            self.assertEqual(row["backend"], {"name": "cpu", "isa": row["isa"], "threads": 1})
            self.assertEqual((row["emulated"], row["failed"], row["steps"]), (False, 0, 20))
        self.assertEqual(len({r["digest"] for r in rows}), 4)

    def test_the_digest_is_that_of_a_run(self):
        row, = self.bench("--backend", "cpu", "--method", "eln", "--every", "5")["results"]
        self.assertEqual(row["digest"], self.digest("run", "--method", "eln", "--bodies", "40", "--steps", "20", "--every", "5", "--quiet"))

    def test_share_of_the_limit(self):
        """Known where the operations have been counted, for as many iterations, and the units have been measured."""
        rows = self.bench("--backend", "cpu", "--isa", "all", "--method", "eln,vlv,mcg,vlv@4", "--threads", "1")["results"]
        for row in rows:
            if row["method"] in ("mcg", "vlv@4") or row["isa"] == "portable":
                self.assertIsNone(row["share_of_limit"])
            else:
                found = row["operations_per_body_step"] * row["body_steps_per_second"] / row["peak_operations_per_second"]
                self.assertGreater(found, 0)
                self.assertAlmostEqual((row["share_of_limit"] or 1) / min(found, 1), 1)  # none beyond 1: on a busy machine
        for other in (("--problem", "free", "--method", "eln"), ("--method", "eln", "--step", "2")):
            row, = self.bench("--backend", "cpu", *other)["results"]
            self.assertIsNone(row["share_of_limit"])
            self.assertIsNone(row["operations_per_body_step"])

    def test_the_first_engine_is_the_one_named_first(self):
        order = list(reversed(self.variants()))
        rows = self.bench("--backend", "cpu,cpu", "--isa", ",".join(order + order), "--method", "eln")["results"]
        self.assertEqual([r["isa"] for r in rows], order)
        self.assertEqual(rows[0]["speedup"], 1)

    def test_table(self):
        for row, isa in zip(self.rows("--backend", "cpu", "--isa", "all", "--method", "eln"), self.variants(), strict=True):
            self.assertEqual(row[:4], ["stress", "eln", "cpu " + isa, "20"])
            for number in row[4:6]:
                self.assertGreater(float(number), 0)
            self.assertRegex(row[8], "^-$" if isa == "portable" else "^(-|[0-9]+%)$")
            self.assertRegex(row[-1], "^[0-9a-f]{8}$")

    def test_head(self):
        text = self.run_program("bench", *FEW, "--backend", "cpu", "--method", "eln").stdout.split("\n\n")[0]
        self.assertIn("40 bodies", text)
        self.assertIn("median of 2 rounds", text)
        self.assertNotIn("transfers", text)

    def test_parameters_of_one_of_the_methods(self):
        self.bench("--backend", "cpu", "--method", "rk45,eln", "--param", "rtol=1e-6")
        self.refused("bench", "--method", "eln,vlv", "--param", "rtol=1e-6", status=2, has=["rtol", "rk45"])

    def test_lengths_of_each_problem(self):
        rows = self.bench("--backend", "cpu", "--problem", "stress,top-slow", "--method", "eln", "--time", "10", "--steps", "80",
                          "--step", "0.125")["results"]
        self.assertEqual([r["steps"] for r in rows], [80, 80])
        text = self.run_program("bench", "--backend", "cpu", "--problem", "top-slow,stress", "--method", "eln", "--time", "10",
                                "--rounds", "1", "--json").stdout
        problems = {p["id"]: p for p in json.loads(self.run_program("problems", "--json").stdout)}
        for row in json.loads(text)["results"]:
            self.assertEqual(row["steps"], round(10 / problems[row["problem"]]["step"]))

    def test_bodies_that_fail(self):
        lost = ("--backend", "cpu", "--problem", "top-slow", "--method", "rk4,eln", "--step", "8")
        document = self.bench(*lost, status=3)
        self.assertEqual(document["results"][0]["failed"], 40)
        self.assertEqual(len(document["results"]), 2)

    def test_refusals(self):
        self.refused("bench", "--backend", "cpuu", status=2, has=["'cpuu'", "'cpu'", "auto"])
        self.refused("bench", "--backend", "cpu,coda", status=2, has=["'coda'", "'cuda'"])
        self.refused("bench", "--backend", "", status=2, has=["''"])
        for rounds in ("0", "100", "2.5", "x", "-1"):
            self.refused("bench", "--rounds", rounds, status=2, has=["rounds", rounds])


@unittest.skipIf(STANDIN, "there are devices")
class NoDevice(Bench):
    def test_cuda_where_there_is_none(self):
        if self.has_devices():
            self.skipTest("there are devices")
        for argv in (("--backend", "cuda"), ("--backend", "cpu,cuda"), ("--devices", "0")):
            self.refused("bench", *argv, status=2, has=["backend cuda", "CUDA"])
        for argv in ((), ("--backend", "auto")):
            self.assertEqual([r["backend"]["name"] for r in self.bench(*argv, "--method", "eln")["results"]], ["cpu"])


@unittest.skipUnless(STANDIN, "needs a program whose devices are emulated")
class Devices(Bench):
    def with_devices(self, count, **more):
        return {"env": {**os.environ, "STANDIN_DEVICES": str(count), **more}}

    def names(self, document):
        return [(r["backend"]["name"], r["backend"].get("isa", r["backend"].get("device"))) for r in document["results"]]

    def test_a_device_against_the_processor(self):
        document = self.bench("--backend", "cpu,cuda", "--isa", "all", "--method", "eln,vlv", "--problem", "stress,free",
                              **self.with_devices(2))
        rows, engines = document["results"], [("cpu", isa) for isa in self.variants()] + [("cuda", 0), ("cuda", 1)]
        self.assertEqual(self.names(document), engines * 4)
        for at, row in enumerate(rows):
            self.check(row, rows[at - at % len(engines)])
            self.assertIs(row["emulated"], row["backend"]["name"] == "cuda")
            self.assertTrue(row["share_of_limit"] is None or not row["emulated"])
            self.assertEqual("transfers_included" in row, row["emulated"])
        self.assertRegex(rows[-1]["engine"], "^cuda 1: emulated")

    def test_which_engines(self):
        widest = self.variants()[-1]
        for argv, expected in (((), [("cpu", widest), ("cuda", 0), ("cuda", 1)]),
                               (("--backend", "cuda"), [("cuda", 0), ("cuda", 1)]),
                               (("--backend", "cuda,cpu", "--devices", "1"), [("cuda", 1), ("cpu", widest)]),
                               (("--backend", "cpu"), [("cpu", widest)])):
            document = self.bench(*argv, "--method", "eln", **self.with_devices(2))
            self.assertEqual(self.names(document), expected, argv)
            for row in document["results"]:
                self.check(row, document["results"][0])
        self.refused("bench", "--devices", "2", status=2, has=["'2'", "devices"], **self.with_devices(2))
        self.refused("bench", "--backend", "cuda", status=2, has=["no CUDA device"], **self.with_devices(0))
        self.assertEqual(self.names(self.bench("--method", "eln", **self.with_devices(0))), [("cpu", widest)])

    def test_table_marks_what_is_emulated(self):
        rows = self.rows("--backend", "cuda,cpu", "--method", "eln", **self.with_devices(1))
        self.assertEqual([row[2] for row in rows], ["cuda 0 (emulated)", "cpu " + self.variants()[-1]])
        self.assertEqual(rows[0][-1], rows[1][-1])
        self.assertIn("-", rows[1])  # no speed-up over what is emulated
        text = self.run_program("bench", *FEW, "--backend", "cuda", "--method", "eln").stdout
        self.assertIn("times of devices include all transfers", text)
        self.assertIn("cuda 0: emulated", text)

    def test_what_is_emulated_has_no_limit(self):
        row, = self.bench("--backend", "cuda", "--method", "eln", **self.with_devices(1, STANDIN_CAPABILITY="120"))["results"]
        self.assertEqual((row["share_of_limit"], row["peak_operations_per_second"]), (None, None))

    def test_a_device_that_fails_is_not_replaced(self):
        argv = ("bench", *FEW, "--backend", "cpu,cuda", "--method", "eln")
        self.refused(*argv, "--fallback", "cpu", status=2, has=["--fallback is not for bench"])
        self.refused(*argv, status=1, has=["device 0", "cudaLaunchKernel"], **self.with_devices(1, STANDIN_FAIL="cudaLaunchKernel:9"))

    def broken_kernel(self):
        """A library with eln's steps on stress, in which reciprocals and square roots are something else."""
        sys.dont_write_bytecode = True
        sys.path.insert(0, str(PTX))
        from ptxparse import only_kernels, read_ptx
        right = only_kernels(read_ptx(os.environ["KERNEL"]), lambda name: name == "sd_so3_eln_stress_advance")
        wrong, changes = re.subn(r"\b(rcp|sqrt)\.rn\.f64\b", "neg.f64", right)
        self.assertTrue(changes)
        ptx, source, library = (str(self.here / name) for name in ("wrong.ptx", "wrong.cpp", "wrong.so"))
        pathlib.Path(ptx).write_text(wrong)
        subprocess.run([sys.executable, PTX / "translate", "-o", source, ptx], check=True, capture_output=True)
        subprocess.run([os.environ["CXX"], "-std=gnu++17", "-O1", "-fPIC", "-shared", "-mfma", "-ffp-contract=off", "-w", "-I", PTX,
                        source, "-o", library], check=True)
        return library

    def test_digests_that_differ(self):
        broken = self.with_devices(1, STANDIN_REPLACE=self.broken_kernel())
        argv = ("--backend", "cpu,cuda", "--method", "eln,vlv")
        document = self.bench(*argv, status=1, **broken)
        self.assertIs(document["same_digests"], False)
        self.assertEqual([r["same_digest"] for r in document["results"]], [True, False, True, True])
        self.assertNotEqual(document["results"][0]["digest"], document["results"][1]["digest"])
        rows = self.rows(*argv, status=1, **broken)
        self.assertEqual([row[-1].endswith(" DIFFERS") for row in rows], [False, True, False, False])


if __name__ == "__main__":
    unittest.main()
