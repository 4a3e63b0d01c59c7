#!/usr/bin/env python3
"""tools/run: it builds in the clone, and runs where its caller is.  The clone here is a stand-in whose program tells how it was called."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1))


class Run(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.clone, self.elsewhere = (pathlib.Path(directory.name).resolve() / name for name in ("the clone", "elsewhere"))
        for folder in (self.clone / "tools", self.clone / "build", self.clone / "bin", self.elsewhere):
            folder.mkdir(parents=True)
        shutil.copy(SOURCE / "tools" / "run", self.clone / "tools" / "run")
        self.script("tools/setup", "pwd >built")
        self.script("bin/cmake", "touch build/build.ninja")
        self.script("bin/ninja", "pwd >>built; exit ${BROKEN:-0}")
        self.script("build/spindrift", 'pwd; printf "%s\\n" "$@"')

    def script(self, name, text):
        (self.clone / name).write_text("#!/bin/sh\n%s\n" % text)
        (self.clone / name).chmod(0o755)

    def call(self, program, *argv, **environment):
        path = "%s:%s" % (self.clone / "bin", os.environ["PATH"])
        return subprocess.run([program, *argv], cwd=self.elsewhere, env=dict(os.environ, PATH=path, **environment),
                              capture_output=True, text=True, timeout=60)

    def test_paths_are_the_callers(self):
        for program in (self.clone / "tools" / "run", "../the clone/tools/run"):
            done = self.call(program, "study one.toml", "--output", "rel.h5")
            self.assertEqual(done.stdout.splitlines(), [str(self.elsewhere), "run", "study one.toml", "--output", "rel.h5"], done.stderr)
        self.assertEqual(set((self.clone / "built").read_text().split("\n")), {str(self.clone), ""})
        self.assertEqual(os.listdir(self.elsewhere), [])

    def test_a_build_that_fails_runs_nothing(self):
        done = self.call(self.clone / "tools" / "run", BROKEN="1")
        self.assertEqual((done.returncode, done.stdout), (1, ""))


if __name__ == "__main__":
    unittest.main()
