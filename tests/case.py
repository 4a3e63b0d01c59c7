"""case.py - what the tests of the command line share: the program, in an empty directory of its own.

SPINDRIFT names the program.  Standard library only."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["SPINDRIFT"]


def place(document, path):
    """What stands at a path of keys, with points in between."""
    for key in path.split("."):
        document = document[key]
    return document


class Case(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.here = pathlib.Path(self.directory.name)

    def run_program(self, *argv, status=0, **more):
        done = subprocess.run([PROGRAM, *argv], cwd=self.here, capture_output=True, text=True, timeout=300, **more)
        self.assertEqual(done.returncode, status, f"{argv}\n{done.stdout}\n{done.stderr}")
        return done

    def digest(self, *argv, **more):
        return json.loads(self.run_program(*argv, "--json", **more).stdout)["digest"]

    def files(self):
        return sorted(p.name for p in self.here.iterdir())

    def refused(self, *argv, status, has, **more):
        done = self.run_program(*argv, status=status, **more)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for word in has:
            self.assertIn(word, done.stderr)
        return done
