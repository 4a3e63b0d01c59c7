"""test_first.py FIRST PROGRAM - the program that runs before all methods are built does what the whole one does: the
default study, with members enough for every way in which lanes are taken, to the last bit."""
import json
import subprocess
import sys


def results(program):
    argv = [program, "run", "--members", "70", "--steps", "64", "--json", "--quiet"]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, (argv, done.returncode, done.stderr)
    document = json.loads(done.stdout)
    return [result["method"] for result in document["results"]], document["digest"]


first, whole = map(results, sys.argv[1:])
assert len(first[0]) > 1 and first == whole, "\n%s\n%s" % (first, whole)
