#!/usr/bin/env python3
"""The manual page and the completion of shells: all that help lists is in them, and they do in a shell what they are for."""
import re
import shutil
import subprocess
import unittest

from case import Case


class Manual(Case):
    def verbs(self):
        return re.findall(r"(?m)^  (\w+) ", self.run_program("--help").stdout)

    def options(self, verb):
        return re.findall(r"(?m)^  --([a-z0-9-]+)", self.run_program(verb, "--help").stdout)

    def test_the_page_has_every_verb_option_problem_and_method(self):
        page = self.run_program("manual").stdout.replace("\\-", "-")
        for verb in self.verbs():
            self.assertIn(f".TP\n\\fB{verb}\\fR", page)
            for option in self.options(verb):
                entry = re.search(rf"(?m)^\\fB--{option}\b.*\n.*\n\.br\n\\fIfor\\fR(.*)$", page)
                self.assertIsNotNone(entry, option)
                self.assertIn(verb, re.split(", ", entry[1].strip()), f"{option}: {entry[0]}")
        for listing in ("methods", "problems"):
            for name in re.findall(r'"id": "([^"]+)"', self.run_program(listing, "--json").stdout):
                self.assertIn(f"\\fB{name}\\fR", page)

    @unittest.skipUnless(shutil.which("mandoc"), "there is no mandoc")
    def test_the_page_is_one(self):
        (self.here / "spindrift.1").write_text(self.run_program("manual").stdout)
        said = subprocess.run(["mandoc", "-Tlint", "-Wwarning", "spindrift.1"], cwd=self.here, capture_output=True, text=True)
        wrong = [line for line in said.stdout.splitlines() if "STYLE" not in line and "missing date" not in line]
        self.assertEqual(wrong, [])

    def complete(self, *words):
        line = " ".join(f"'{word}'" for word in words)
        script = f"source {self.here}/completion; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _spindrift; echo \"${{COMPREPLY[@]}}\""
        done = subprocess.run(["bash", "-ec", script], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    def test_bash(self):
        (self.here / "completion").write_text(self.run_program("completion", "bash").stdout)
        self.assertEqual(set(self.verbs()) - set(self.complete("spindrift", "")), set())
        self.assertEqual(self.complete("spindrift", "resu"), ["resume"])
        for verb in self.verbs():
            self.assertEqual(set(self.complete("spindrift", verb, "--")), {"--" + o for o in self.options(verb)} | {"--help"})
        self.assertEqual(self.complete("spindrift", "run", "--problem", "top-"), ["top-slow", "top-fast"])
        self.assertIn("vlv", self.complete("spindrift", "run", "--method", "v"))
        self.assertEqual(self.complete("spindrift", "run", "--fallback", ""), ["none", "cpu"])
        self.assertEqual(self.complete("spindrift", "run", "--output", "x"), [])

    @unittest.skipUnless(shutil.which("fish"), "there is no fish")
    def test_fish(self):
        (self.here / "completion").write_text(self.run_program("completion", "fish").stdout)
        done = subprocess.run(["fish", "-c", f"source {self.here}/completion; complete -C 'spindrift run --st'"], capture_output=True, text=True)
        self.assertEqual([line.split("\t")[0] for line in done.stdout.splitlines()], ["--starts", "--step", "--steps"], done.stderr)

    @unittest.skipUnless(shutil.which("zsh"), "there is no zsh")
    def test_zsh(self):
        (self.here / "_spindrift").write_text(self.run_program("completion", "zsh").stdout)
        done = subprocess.run(["zsh", "-n", "_spindrift"], cwd=self.here, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_another_shell(self):
        self.refused("completion", "tcsh", status=2, has=["bash, zsh or fish"])
        self.refused("completion", status=2, has=["bash, zsh or fish"])


if __name__ == "__main__":
    unittest.main()
