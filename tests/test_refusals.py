#!/usr/bin/env python3
"""Bad input: one line that says what was wrong and what would be right, exit status 2."""
import re
import unittest

from command_line import SPHERICAL, Case


class BadInput(Case):
    FEW = ["--bodies", "1", "--steps", "2", "--method", "vlv"]

    def test_unknown_names_get_the_nearest(self):
        for wrong, right in (("rum", "run"), ("methdos", "methods"), ("problm", "problems"), ("ordr", "order"), ("bnech", "bench"),
                             ("device", "devices")):
            self.refused([wrong], "'%s'" % wrong, r"'%s'|\b%s\b" % (right, right))
        for wrong, right in (("--metod", "--method"), ("--bodis", "--bodies"), ("--jsn", "--json"), ("--setps", "--steps"),
                             ("--evry=3", "--every"), ("--thread", "--threads")):
            self.refused(["run", wrong], re.escape(wrong.split("=")[0]), r"%s\b" % right)
        for wrong, right in (("vlw", "vlv"), ("rattel", "rattle"), ("liemid-a", "liemid-ea"), ("rk-4", "rk4"), ("ratle@4", "rattle"),
                             ("eln,vlw", "vlv"), ("VLV", "vlv"), ("RATTLE", "rattle")):
            self.refused(["run", "--method", wrong], "'%s'" % wrong.split(",")[-1], "'%s'" % right)
        for wrong, right in (("stres", "stress"), ("top-slw", "top-slow"), ("pendulm", "pendulum"), ("Free", "free")):
            self.refused(["run", "--problem", wrong], "'%s'" % wrong, "'%s'" % right)

    def test_suggestions_come_from_what_was_meant(self):
        both = "did you mean 'orbit-circular' or 'orbit-elliptic'\\?"
        for argv in (["run", "--problem", "orbit"], ["problems", "orbit"], ["problems", "Orbit", "--json"], ["order", "--problem", "orbit"]):
            self.refused(argv, both)
        self.refused(["run", "--problem", "slow"], "did you mean 'top-slow'")
        self.refused(["run", "--method", "exp"], "did you mean 'eln-exp' or 'tln-exp'")
        self.refused(["methods", "liemid"], "did you mean 'liemid-ea' or 'liemid-e1' or 'liemid-e2'")
        self.refused(["version"], "did you mean '--version'")
        self.refused(["-help"], "did you mean '--help'")
        self.refused(["studies/drift.toml"], "did you mean 'spindrift run studies/drift.toml'")
        self.refused(["run", "--attitude", "1"], "did you mean '--sigma-attitude'")

    def test_unknown_things_without_a_near_one(self):
        self.refused(["frobnicate"], "'frobnicate'", "--help|run")
        self.refused(["--frobnicate"], "--frobnicate", "--help")
        self.refused(["run", "--method", "zzzzzz"], "'zzzzzz'", "methods")
        self.refused(["run", "--problem", "zzzzzz"], "'zzzzzz'", "problems")
        self.refused(["run", "-x"], "'-x'")
        self.refused(["run", "no-such-study.toml"], "no-such-study.toml")
        for verb in ("methods", "problems", "devices", "order", "bench"):
            self.refused([verb, "--frobnicate"], "--frobnicate")
            self.refused([verb, "frobnicate"], "frobnicate")

    def test_step(self):
        few = ["run", "--bodies", "1", "--method", "vlv", "--time", "1"]
        for value in ("0", "-0.125", "-0", "0.0"):
            self.refused(few + ["--step", value], r"\bstep\b", re.escape(value.rstrip(".0") or "0"), "positive|greater than 0")
        for value in ("nan", "NaN", "inf", "-inf", "infinity", "1e400"):
            self.refused(few + ["--step", value], r"\bstep\b", re.escape(value), "finite|number")
        for value in ("text", "0.125x", "0,125", "1/8", "--json"):
            self.refused(few + ["--step", value], r"\bstep\b", re.escape(value), "number")
        self.refused(few + ["--step="], r"\bstep\b", "number|value|missing")

    def test_time(self):
        few = ["run", "--bodies", "1", "--method", "vlv", "--step", "0.125"]
        for value in ("0", "-1"):
            self.refused(few + ["--time", value], r"\btime\b", value, "positive|greater than 0")
        for value in ("nan", "inf", "text"):
            self.refused(few + ["--time", value], r"\btime\b", value, "number")
        self.refused(few + ["--time", "1e300"], r"\btime\b", r"1e\+?300", "at most")
        self.refused(few[:-1] + ["0.3", "--time", "1"], r"\b1\b", r"0\.3", "whole", r"0\.9|1\.2")
        self.refused(few + ["--time", "1.0001"], r"1\.0001", r"0\.125", "whole", r"\b1\b")
        self.refused(few + ["--time", "0.0625"], r"0\.0625", r"0\.125", "whole", r"--time 0\.125")

    def test_steps(self):
        few = ["run", "--bodies", "1", "--method", "vlv"]
        for value in ("0", "-1", "99999999999999999999"):
            self.refused(few + ["--steps", value], r"\bsteps\b", value, r"\b1 to \d+|at least 1")
        for value in ("1.5", "text", "nan", "8x"):
            self.refused(few + ["--steps", value], r"\bsteps\b", re.escape(value), "number")

    def test_time_and_steps_that_contradict_each_other(self):
        self.refused(["run", "--bodies", "1", "--method", "vlv", "--step", "0.125", "--time", "10", "--steps", "10"],
                     r"\btime\b", r"\bsteps\b")

    def test_bodies(self):
        few = ["run", "--method", "vlv", "--steps", "2"]
        for value in ("0", "1e12", "1000000000000", "-3", "99999999999999999999999"):
            self.refused(few + ["--bodies", value], r"\bbodies\b", re.escape(value), r"\b1 to \d+")
        for value in ("1.5", "text", "nan", "inf", "0x", "3 4"):
            self.refused(few + ["--bodies", value], r"\bbodies\b", re.escape(value), "number")
        self.refused(few + ["--bodies="], r"\bbodies\b", "number|value|missing")

    def test_inertia_of_no_body(self):
        for value in ("1,1,3", "3,1,1", "1,3,1", "4,2,1", "1,1,2.001"):
            self.refused(["run", *self.FEW, "--param", "J=" + value], r"\bJ\b", re.escape(value), "sum of the other two|triangle")
        for value in ("-1,2,2", "0,1,1", "nan,1,1"):
            self.refused(["run", *self.FEW, "--param", "J=" + value], r"\bJ\b", re.escape(value.split(",")[0]))
        self.run_json(*self.FEW, "--param", "J=1,1,2")  # a flat body is one

    def test_parameters(self):
        few = ["run", *self.FEW, "--param"]
        self.refused(few + ["alpa=3"], "alpa", "'alpha'")
        self.refused(few + ["velocty=1,1,1"], "velocty", "'velocity'")
        self.refused(few + ["frobnicate=1"], "frobnicate")
        self.refused(few + ["mgl=1"], "mgl", "stress")  # another problem's
        for value in ("1e9", "-1e9"):
            self.refused(few + ["alpha=" + value], "alpha", r"-?1e\+?0?9", "out of range", r"-1e\+?0?6 to 1e\+?0?6")
        self.refused(few + ["alpha=1000000.5"], "alpha", r"1000000\.5", "out of range")
        self.refused(few + ["velocity=0,1e7,0"], "velocity", r"1e\+?0?7", "out of range")
        self.refused(few + ["J=2,2"], r"\bJ\b", r"\b2\b", r"expected (3|three)")
        self.refused(few + ["J=2"], r"\bJ\b", r"\b1\b", r"expected (3|three)")
        self.refused(few + ["alpha=1,2"], r"alpha", r"\b2\b", r"expected (1|one)\b")
        self.refused(few + ["J=2,2,4,5"], r"\bJ\b", r"\b4\b", r"expected (3|three)")
        self.refused(few + ["alpha=1,2,3,4"], r"alpha", r"\b4\b", r"expected (1|one)\b")
        for value in ("text", "nan", "inf", "0.3x"):
            self.refused(few + ["alpha=" + value], "alpha", re.escape(value), "number")
        for value in ("alpha=", "J="):
            self.refused(few + [value], value[:-1], "missing|value")
        self.refused(few + ["J=2,,4"], r"\bJ\b", "number|missing|value")
        for value in ("alpha", "=3", "=", ""):
            self.refused(few + [value], "'%s'" % value, "NAME=VALUE")

    def test_parameters_of_methods(self):
        argv = ["run", "--problem", "pendulum", "--bodies", "1", "--steps", "2", "--method", "campello", "--param"]
        self.assertEqual(self.call(*argv, "phi=0.25").status, 0)
        for value in ("2", "-1"):
            self.refused(argv + ["phi=" + value], "phi", value, "out of range", "0 to 1")
        self.refused(argv + ["phy=0.5"], "phy", "'phi'")
        self.refused(["run", *self.FEW, "--param", "phi=0.5"], r"\bphi\b", r"\bcampello\b", r"\A(?!.*did you mean 'phi')")

    def test_spherical_methods(self):
        for method in SPHERICAL + ["rrp@4"]:
            self.refused(["run", "--bodies", "1", "--steps", "2", "--method", method], r"\b%s\b" % re.escape(method),
                         "equal|spherical", r"J=")
        self.refused(["run", "--bodies", "1", "--steps", "2", "--method", "eln,rrp"], r"\brrp\b", "equal|spherical")
        self.run_json("--bodies", "1", "--steps", "2", "--param", "J=2,2,2", "--method", ",".join(SPHERICAL))

    def test_methods(self):
        few = ["run", "--bodies", "1", "--steps", "2", "--method"]
        for method in ("rk4@4", "rk2@4", "rk45@4", "liemid-e1@4", "sw-e@6"):
            self.refused(few + [method], "'%s'" % method, "symmetric")
        for method in ("vlv@3", "vlv@", "vlv@4x", "vlv@4@4", "vlv@10", "vlv@-4", "vlv@4.0", "vlv@+4", "vlv@04", "vlv@ 4"):
            self.refused(few + [method], "'%s'" % re.escape(method), "4, 6 or 8")
        self.refused(few + ["@4"], "'@4'")
        self.refused(few + [""], "method", "missing|empty|value")
        for method in ("eln,,vlv", "eln,", ",eln", ","):
            self.refused(few + [method], "method", "missing|empty|value|no method|''")

    def test_missing_values(self):
        for option in "problem param method bodies seed step time steps every backend threads isa final progress".split():
            self.refused(["run", "--" + option], r"--%s\b" % option, "value")
        for option in ("json", "quiet"):
            self.refused(["run", "--%s=yes" % option], r"--%s\b" % option, "no value")

    def test_machine_options(self):
        few = ["run", *self.FEW]
        built = [v["isa"] for v in self.document("devices")["cpu"]["variants"]]
        self.refused(few + ["--isa", "sse"], "'sse'", "auto", *built)
        self.refused(few + ["--isa="], "isa", "missing|value|auto")
        self.refused(few + ["--backend", "gpu"], "'gpu'", "auto", "cpu", "cuda")
        if not self.document("devices")["cuda"]:
            self.refused(few + ["--backend", "cuda"], "backend cuda", "no CUDA")
        for value in ("31", "33", "0", "2048"):
            self.refused(few + ["--block", value], "block", value)
        self.refused(few + ["--device-memory", "0"], "device-memory", "positive")
        self.refused(few + ["--fallback", "gpu"], "fallback", "'gpu'", "cpu", "none")
        self.refused(few + ["--backend="], "backend", "missing|value|auto")
        for value in ("0", "-1", "100000000", "99999999999999999999"):
            self.refused(few + ["--threads", value], "threads", value, r"\b1 to \d+")
        for value in ("1.5", "text"):
            self.refused(few + ["--threads", value], "threads", re.escape(value), "number")
        self.refused(few + ["--progress", "sometimes"], "'sometimes'", "auto", "always", "never")

    def test_samples_final_and_seed(self):
        few = ["run", "--bodies", "1", "--steps", "10", "--method", "vlv"]
        for value in ("0", "-1"):
            self.refused(few + ["--every", value], "every", value, r"\b1 to \d+|at least 1")
        self.refused(few + ["--every", "11"], "every", r"\b11\b", r"\b10\b")
        for value in ("2.5", "text"):
            self.refused(few + ["--every", value], "every", re.escape(value), "number")
            self.refused(few + ["--final", value], "final", re.escape(value), "number")
            self.refused(few + ["--seed", value], "seed", re.escape(value), "number|64 bits")
        self.refused(few + ["--final", "-1"], "final", "-1", r"\b0 to \d+")
        for value in ("-1", "18446744073709551616"):
            self.refused(few + ["--seed", value], "seed", value, "64 bits|0 to")

    def test_stdout_stays_empty_with_json_too(self):
        self.refused(["run", "--json", "--final", "1", "--step", "0"], "step")
        self.refused(["run", "--json", "--method", "eln,vlw"], "vlw")
        self.refused(["order", "--json", "--method", "vlw"], "vlw")

    def test_a_line_is_a_line_whatever_was_typed(self):
        self.refused(["run", "--method", "x" * 5000], "xxxx")
        self.refused(["run", "--method", "vl\nv"], "vl")
        self.refused(["run", "--bodies", "1\n2"], "bodies")
        self.refused(["fo\no"], "fo")


if __name__ == "__main__":
    unittest.main()
