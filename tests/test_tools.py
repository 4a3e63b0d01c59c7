#!/usr/bin/env python3
"""tools/run and tools/build: they build in the clone, and run where their caller is.  The clone here is a stand-in whose programs
tell how they were called."""
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
        for name in ("run", "build"):
            shutil.copy(SOURCE / "tools" / name, self.clone / "tools" / name)
        self.script("tools/setup", "pwd >built")
        self.script("bin/cmake", 'touch build/build.ninja; printf "%s\\n" "$@" >configured')
        self.script("bin/ninja", 'pwd >>built; echo "[1/2] Building C object x.o"; exit ${BROKEN:-0}')
        self.script("bin/nvidia-smi", "echo ${DEVICES:-no devices}")
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
        self.assertIn("x.o", done.stderr)
        self.assertFalse((self.clone / "build.log").exists())

    def configured(self, *argv, **environment):
        """The options of cmake that say what is built; None where it was not called."""
        path = self.clone / "configured"
        path.unlink(missing_ok=True)
        done = self.call(self.clone / "tools" / argv[0], *argv[1:], **environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("building [1/2]", done.stderr)
        return [o for o in path.read_text().split("\n") if "SPINDRIFT" in o and "TESTS" not in o] if path.exists() else None

    def test_run_builds_what_this_machine_runs(self):
        self.assertEqual(self.configured("run"), ["-DSPINDRIFT_VARIANTS=native", "-DSPINDRIFT_CUDA=OFF"])
        self.assertIsNone(self.configured("run"))  # what is built stays as it is

    def newcomer(self, **environment):
        """No program is there; ninja makes what it is told to."""
        (self.clone / "build" / "spindrift").unlink()
        self.script("bin/cmake", 'echo "build ${OFFERS:-spindrift-first}: x" >build/build.ninja')
        self.script("bin/ninja", 'shift 2; echo "[1/2] $1"; echo "$1" >>made; program=build/${1%-bin}\n'
                                 'printf "#!/bin/sh\\necho $1 \\"\\$@\\"; exit ${STATUS:-0}\\n" >$program; chmod +x $program')
        done = self.call(self.clone / "tools" / "run", **environment)
        return done, (self.clone / "made").read_text().split()

    def test_the_first_verdict_does_not_wait_for_the_other_methods(self):
        done, made = self.newcomer()
        self.assertEqual((done.returncode, done.stdout, made), (0, "spindrift-first run\n", ["spindrift-first", "spindrift-bin"]), done.stderr)
        done = self.call(self.clone / "tools" / "run")  # and then there is the program
        self.assertEqual(done.stdout, "spindrift-bin run\n")

    def test_where_the_first_run_fails_it_ends(self):
        done, made = self.newcomer(STATUS="3")
        self.assertEqual((done.returncode, made), (3, ["spindrift-first"]))

    def test_where_there_is_no_first_program_all_is_built(self):
        done, made = self.newcomer(OFFERS="else")
        self.assertEqual((done.returncode, done.stdout), (0, "spindrift-bin run\n"), done.stderr)

    def test_run_builds_for_a_device(self):
        self.assertEqual(self.configured("run", DEVICES="GPU 0: one"), ["-DSPINDRIFT_VARIANTS=native", "-DSPINDRIFT_CUDA=AUTO"])

    def test_build_makes_everything(self):
        self.configured("run")
        self.assertEqual(self.configured("build", "-DSPINDRIFT_CUDA=ON"), ["SPINDRIFT_VARIANTS", "SPINDRIFT_CUDA", "-DSPINDRIFT_CUDA=ON"])
        self.assertIsNone(self.configured("run"))


if __name__ == "__main__":
    unittest.main()
