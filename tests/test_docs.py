#!/usr/bin/env python3
"""The documentation: links lead somewhere, commands do what they say, pages of methods are those of the sources.

SOURCE is the source tree.  The commands are those in blocks of ```sh, run page by page, with small ensembles."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

from command_line import PROGRAM

SOURCE = pathlib.Path(os.environ["SOURCE"])
PAGES = [SOURCE / "README.md", SOURCE / "CONTRIBUTING.md", *sorted((SOURCE / "docs").rglob("*.md"))]
SMALLER = ("run", "bench", "precision")


def commands_of(path):
    """What stands after two blanks or more is a remark."""
    for block in re.findall(r"(?ms)^```sh\n(.*?)^```", path.read_text()):
        for line in block.splitlines():
            if line.startswith("spindrift "):
                yield shlex.split(re.split(r"\s{2,}", line)[0])[1:]


class Docs(unittest.TestCase):
    def test_links(self):
        for page in PAGES:
            for target in re.findall(r"\]\(([^)#\s]+)", page.read_text()):
                if not target.startswith("http"):
                    self.assertTrue((page.parent / target).exists(), "%s: %s" % (page, target))

    def test_commands(self):
        count = 0
        for page in PAGES:
            if page.name == "CONTRIBUTING.md":
                continue  # test_contributing runs these
            with tempfile.TemporaryDirectory(prefix="spindrift-docs-") as place:
                for name, text in re.findall(r"(?ms)^```c ([\w.-]+)\n(.*?)^```", page.read_text()):
                    (pathlib.Path(place) / name).write_text(text)
                for argv in commands_of(page):
                    smaller = ["--members", "8"] if argv[0] in SMALLER else []
                    if (argv[0] in ("plot", "figure", "precision") or "--map" in argv) and not shutil.which("gnuplot"):
                        continue
                    done = subprocess.run([PROGRAM, *argv, *smaller], cwd=place, capture_output=True, text=True, timeout=120,
                                          stdin=subprocess.DEVNULL, env=dict(os.environ, XDG_CACHE_HOME=place))
                    self.assertIn(done.returncode, (0, 3), "%s: %s\n%s" % (page, " ".join(argv), done.stderr))
                    count += 1
        self.assertGreater(count, 20)

    def test_pages_of_methods(self):
        done = subprocess.run([sys.executable, SOURCE / "tools/method_pages", PROGRAM, "--check"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_pictures_are_small(self):
        for path in (SOURCE / "docs/pictures").iterdir():
            self.assertLess(path.stat().st_size, 150000, path)


if __name__ == "__main__":
    unittest.main()
