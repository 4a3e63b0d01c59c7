#!/usr/bin/env python3
"""corpus_result.py PROGRAM SEAL_RESULT - makes tests/corpus/result anew, when the format or what a record says changes.

Files of real runs with the arrays alone in place of HDF5, which nobody reads here; the same with one thing changed; and the
short ones that are there already, with a seal of today."""
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM, SEAL = sys.argv[1:]
CORPUS = pathlib.Path(__file__).parent / "corpus" / "result"
SEAL_SIZE = 512
WIDTHS = {"attitude": 9, "velocity": 3, "position": 3, "momentum": 3, "quantile": 5}  # others are single numbers
PLANS = {
    "one": ["--method", "vlv", "--step", "0.125"],
    "two": ["--method", "vlv"],
    "orbit": ["--problem", "orbit-elliptic", "--method", "midpoint@4,rk45", "--impulse", "t=15,dv=0.01,0,0"],
}
MEMBERS, SAMPLES, RECORDED = 2, 3, 1


def size_of(path):
    """Of an array in bytes."""
    kind, name, *_ = path.split("/")
    if path == "final/status":
        return MEMBERS
    rows = {"energy_error": SAMPLES, "final": MEMBERS, "trajectories": SAMPLES * RECORDED}[kind]
    return 8 * rows * WIDTHS.get(name, 1)


def seal(path, record_size):
    subprocess.run([SEAL, path, str(record_size)], check=True)


def write(name, record, arrays=b""):
    path = CORPUS / name
    path.write_bytes(bytes(SEAL_SIZE) + record + arrays)
    seal(path, len(record))


def compact(whole):
    """The record, with the arrays right behind it."""
    size = int(re.search(rb" record (\d+)", whole[:SEAL_SIZE]).group(1))
    record, arrays = whole[SEAL_SIZE:SEAL_SIZE + size], b""

    def move(found):
        nonlocal arrays
        place, path = int(found.group(1), 16), found.group(2).decode()
        arrays += whole[place:place + size_of(path)]
        return b"%016x %s\n" % (SEAL_SIZE + size + len(arrays) - size_of(path), found.group(2))

    return re.sub(rb"^([0-9a-f]{16}) ((?:energy_error|final|trajectories)/\S+)\n", move, record, flags=re.M), arrays


def run(folder, name):
    study = pathlib.Path(folder) / "two.toml"
    study.write_text("step = [0.125, 0.25]\n")
    argv = [PROGRAM, "run", *([study] if name == "two" else []), *PLANS[name], "--members", str(MEMBERS), "--steps", "2", "--every", "1",
            "--final", str(MEMBERS), "--trajectories", str(RECORDED), "--threads", "1", "--isa", "scalar", "--quiet", "--output", f"{folder}/{name}.h5"]
    subprocess.run(argv, check=True, stdout=subprocess.DEVNULL)
    return compact(pathlib.Path(folder, f"{name}.h5").read_bytes())


def changed(record, pattern, by):
    new, count = re.subn(pattern, by, record, count=1, flags=re.M)
    assert count == 1, pattern
    return new


with tempfile.TemporaryDirectory() as folder:
    for name in PLANS:
        write(name, *run(folder, name))
    record, arrays = run(folder, "one")

write("absurd-failed", changed(record, rb"^([0-9a-f]{32}) 0{16} 0{16} ", rb"\1 %016x %016x " % (3, 9)), arrays)
write("absurd-place", changed(record, rb"^[0-9a-f]{16} energy_error/time", b"f" * 16 + b" energy_error/time"), arrays)
beyond = SEAL_SIZE + len(record) + len(arrays) - 8
write("place-beyond", changed(record, rb"^[0-9a-f]{16} energy_error/time", b"%016x energy_error/time" % beyond), arrays)
many = changed(changed(record, rb"^members 2$", b"members 1000000000"), rb"^final 2$", b"final 1000000000")
settings = int(re.search(rb" settings (\d+) ", record).group(1))
write("absurd-final", changed(many, rb" settings \d+ ", b" settings %d " % (settings + len(many) - len(record))), arrays)
status = int(re.search(rb"^([0-9a-f]{16}) final/status$", record, re.M).group(1), 16) - SEAL_SIZE - len(record)
write("wrong-status", record, arrays[:status] + b"\xff" + arrays[status + 1:])
(CORPUS / "cut").write_bytes((CORPUS / "one").read_bytes()[:900])
for name in "absurd-count absurd-record absurd-starts interrupted none output points starts wrong-starts".split():
    head = (CORPUS / name).read_bytes()[:SEAL_SIZE]
    seal(CORPUS / name, int(re.search(rb" record (\d+)", head).group(1)))
