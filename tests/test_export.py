#!/usr/bin/env python3
"""Export to extended XYZ and to VTK: the files say what the results say, and nothing else's is replaced."""
import json
import math
import unittest
import xml.etree.ElementTree as ElementTree

from case import Case

SYSTEM = """species bead mass 1 J 0.1 0.1 0.1 diameter 1
species rugged mass 2 J 0.1 0.2 0.25 diameter 0.5
body bead 0.6 0 0  -1 0 0
body bead 1.6 0 0  -1 0 0
body rugged 3 0 0  -1 0 0  1 0 0 0  3 2 1
bond 0 1
wall 1 0 0 0
"""


def read_xyz(path):
    """Frames: time, bodies; a body is a dictionary of its columns."""
    lines, frames = path.read_text().split("\n")[:-1], []
    while lines:
        count, head = int(lines[0]), dict(word.split("=") for word in lines[1].split())
        names = head["Properties"].split(":")
        columns = [(names[i], names[i + 1], int(names[i + 2])) for i in range(0, len(names), 3)]
        bodies = []
        for line in lines[2:2 + count]:
            words, body = line.split(), {}
            for name, kind, width in columns:
                taken, words = words[:width], words[width:]
                body[name] = taken[0] if kind == "S" else [float(w) for w in taken]
            assert not words
            bodies.append(body)
        frames.append((float(head["Time"]), bodies))
        lines = lines[2 + count:]
    return frames


def read_vtp(path):
    """Time, and arrays by their names: lists of numbers, a list for each body or bond."""
    root = ElementTree.parse(path).getroot()
    assert root.get("type") == "PolyData"
    piece, arrays = root.find("PolyData/Piece"), {}
    for group in ("PointData", "Points", "Verts", "Lines"):
        for array in piece.find(group):
            numbers = [float(w) for w in (array.text or "").split()]
            width = int(array.get("NumberOfComponents"))
            prefix = group + "/" if group in ("Verts", "Lines") else ""
            arrays[prefix + array.get("Name")] = [numbers[i:i + width] for i in range(0, len(numbers), width)]
    assert len(arrays["Points"]) == int(piece.get("NumberOfPoints")) == int(piece.get("NumberOfVerts"))
    assert len(arrays["Lines/offsets"]) == int(piece.get("NumberOfLines"))
    return float(root.find("PolyData/FieldData/DataArray").text), arrays


def turned(q, v):
    """R(q) v for q = w, x, y, z."""
    w, u = q[0], q[1:]
    cross = lambda a, b: [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    once = cross(u, v)
    return [x + 2 * (w * y + z) for x, y, z in zip(v, once, cross(u, once))]


class Export(Case):
    def make(self, *argv, name="run.h5", system=SYSTEM):
        if system:
            (self.here / "own.txt").write_text(system)
        plan = ["--problem", "own.txt"] if system else []
        return json.loads(self.run_program("run", *plan, "--output", name, *argv, "--json").stdout)

    def close(self, one, other, delta=1e-12):
        self.assertEqual(len(one), len(other))
        for a, b in zip(one, other):
            self.assertAlmostEqual(a, b, delta=delta)

    TRAJECTORY = ["--members", "3", "--steps", "300", "--every", "100", "--method", "vlv,split", "--trajectories", "2"]

    def test_trajectory_as_xyz(self):
        document = self.make(*self.TRAJECTORY)
        done = self.run_program("export", "run.h5", "--format", "xyz", "--method", "split", "--member", "1")
        self.assertIn("run.xyz: 3 bodies at 4 times", done.stderr)
        self.assertEqual(self.files(), ["own.txt", "run.h5", "run.xyz"])
        stored = document["results"][1]["trajectories"][1]
        frames = read_xyz(self.here / "run.xyz")
        self.assertEqual([time for time, _ in frames], stored["time"])
        for k, (_, bodies) in enumerate(frames):
            self.assertEqual([b["species"] for b in bodies], ["bead", "bead", "rugged"])
            self.assertEqual([b["radius"] for b in bodies], [[0.5], [0.5], [0.25]])
            self.assertEqual([b["mass"] for b in bodies], [[1], [1], [2]])
            for b, body in enumerate(bodies):
                self.assertEqual(body["pos"], stored["x"][k][b])
                self.assertEqual(body["velo"], stored["v"][k][b])
                x, y, z, w = body["orientation"]  # the real part last, as OVITO has it
                self.assertEqual([w, x, y, z], stored["orientation"][k][b])
                rows = stored["Q"][k][b]
                space = [sum(rows[3 * i + j] * stored["W"][k][b][j] for j in range(3)) for i in range(3)]
                self.close(body["angular_velocity"], space)

    def test_trajectory_as_vtk(self):
        document = self.make(*self.TRAJECTORY)
        self.run_program("export", "run.h5", "--format", "vtk", "--output", "seen", "--quiet")
        self.assertEqual(self.files(), ["own.txt", "run.h5", *(f"seen-{k:06}.vtp" for k in range(4)), "seen.pvd"])
        stored = document["results"][0]["trajectories"][0]
        series = ElementTree.parse(self.here / "seen.pvd").getroot().findall("Collection/DataSet")
        self.assertEqual([float(s.get("timestep")) for s in series], stored["time"])
        for k, entry in enumerate(series):
            time, arrays = read_vtp(self.here / entry.get("file"))
            self.assertEqual(time, stored["time"][k])
            self.assertEqual(arrays["Points"], stored["x"][k])
            self.assertEqual(arrays["velocity"], stored["v"][k])
            self.assertEqual(arrays["orientation"], stored["orientation"][k])
            self.assertEqual(arrays["diameter"], [[1], [1], [0.5]])
            self.assertEqual(arrays["mass"], [[1], [1], [2]])
            self.assertEqual(arrays["species"], [[0], [0], [1]])
            self.assertEqual(arrays["Lines/connectivity"], [[0], [1]])
            self.assertEqual(arrays["Verts/connectivity"], [[0], [1], [2]])
            for q, W, w in zip(arrays["orientation"], stored["W"][k], arrays["angular_velocity"]):
                self.close(turned(q, W), w)

    def test_final_states(self):
        document = self.make("--members", "2", "--steps", "50", "--method", "vlv", "--final", "2")
        done = self.run_program("export", "run.h5", "--format", "xyz", "--member", "1")
        self.assertIn("final states", done.stderr)
        (time, bodies), = read_xyz(self.here / "run.xyz")
        self.assertAlmostEqual(time, 0.05)
        self.assertEqual([b["pos"] for b in bodies], document["results"][0]["final"][1]["x"])

    def test_members_are_those_of_the_ensemble(self):
        self.make(*self.TRAJECTORY)
        self.run_program("export", "run.h5", "--format", "xyz", "--member", "1", "--output", "one.xyz")
        self.run_program("rerun", "run.h5", "--member", "1", "--trajectory", "--output", "alone.h5")
        self.refused("export", "alone.h5", "--format", "xyz", "--member", "0", status=2, has=["members 1 to 1", "not of 0"])
        self.run_program("export", "alone.h5", "--format", "xyz", "--member", "1")
        self.assertEqual((self.here / "one.xyz").read_text(), (self.here / "alone.xyz").read_text())

    def test_runs_of_a_study(self):
        (self.here / "study.toml").write_text('problem = "own.txt"\nstep = [1e-3, 5e-4]\nsteps = 10\nmethod = "vlv"\n'
                                              'members = 1\nfinal = 1\n')
        self.make("study.toml", "--members", "1")
        self.run_program("export", "run.h5", "--format", "xyz", "--run", "1")
        self.assertAlmostEqual(read_xyz(self.here / "run.xyz")[0][0], 0.005)
        self.refused("export", "run.h5", "--format", "xyz", "--run", "2", status=2, has=["run", "'2'", "are 2"])

    def test_systems_that_are_built_in(self):
        self.make("--problem", "torus", "--param", "n=12", "--members", "1", "--steps", "5", "--final", "1", "--method", "vlv",
                  system=None)
        self.run_program("export", "run.h5", "--format", "vtk")
        _, arrays = read_vtp(self.here / "run-000000.vtp")
        bonds = [int(b) for b, in arrays["Lines/connectivity"]]
        self.assertEqual(sorted(zip(bonds[::2], bonds[1::2])), sorted([(b, b + 1) for b in range(11)] + [(0, 11)]))
        self.run_program("export", "run.h5", "--format", "xyz")
        self.assertEqual({b["species"] for b in read_xyz(self.here / "run.xyz")[0][1]}, {"body"})

    def test_single_rigid_bodies_turn_at_the_origin(self):
        document = self.make("--problem", "stress", "--members", "2", "--steps", "400", "--every", "40", "--trajectories", "2",
                             "--method", "vlv", system=None)
        self.run_program("export", "run.h5", "--format", "xyz", "--member", "1")
        stored = document["results"][0]["trajectories"][1]
        for (_, bodies), Q, W in zip(read_xyz(self.here / "run.xyz"), stored["Q"], stored["W"]):
            self.assertEqual(set(bodies[0]), {"species", "pos", "orientation", "angular_velocity"})
            self.assertEqual(bodies[0]["pos"], [0, 0, 0])
            x, y, z, w = bodies[0]["orientation"]
            for j in range(3):
                axis = [float(i == j) for i in range(3)]
                self.close(turned([w, x, y, z], axis), [Q[3 * i + j] for i in range(3)])
            self.close(bodies[0]["angular_velocity"], turned([w, x, y, z], W))

    def test_orbits_have_places(self):
        document = self.make("--problem", "orbit-elliptic", "--members", "1", "--steps", "40", "--every", "10", "--trajectories",
                             "1", "--method", "verlet", system=None)
        self.run_program("export", "run.h5", "--format", "xyz")
        stored = document["results"][0]["trajectories"][0]["q"]
        frames = read_xyz(self.here / "run.xyz")
        self.assertEqual([bodies[0] for _, bodies in frames], [{"species": "body", "pos": q} for q in stored])
        self.run_program("export", "run.h5", "--format", "vtk")
        self.assertEqual(read_vtp(self.here / "run-000004.vtp")[1]["Points"], [stored[4]])

    def test_refusals(self):
        self.make(*self.TRAJECTORY)
        for argv, *has in ((["run.h5"], "--format xyz"), (["run.h5", "--format", "pdb"], "'pdb'", "xyz, vtk or elements"), ([], "missing"),
                           (["run.h5", "--format", "xyz", "--method", "eln"], "'eln'", "vlv, split"),
                           (["run.h5", "--format", "xyz", "--member", "2"], "members 0 to 1"),
                           (["run.h5", "--format", "xyz", "--member", "x"], "'x'"),
                           (["run.h5", "--format", "xyz", "--run", "-1"], "'-1'"),
                           (["run.h5", "--format", "xyz", "--steps", "3"], "steps")):
            with self.subTest(argv):
                self.refused("export", *argv, status=2, has=has)
        self.make("--members", "2", "--steps", "3", "--method", "vlv", name="bare.h5")
        self.refused("export", "bare.h5", "--format", "xyz", status=2, has=["no states", "--trajectories"])
        self.refused("export", "none.h5", "--format", "xyz", status=1, has=["none.h5"])
        damaged = bytearray((self.here / "run.h5").read_bytes())
        damaged[-9] ^= 1
        (self.here / "damaged.h5").write_bytes(damaged)
        self.run_program("export", "damaged.h5", "--format", "xyz", status=2)
        self.assertNotIn("damaged.xyz", self.files())

    def test_what_is_not_ours_is_not_replaced(self):
        self.make(*self.TRAJECTORY)
        (self.here / "run.xyz").write_text("2\nwater\nO 0 0 0\nH 0 0 1\n")
        self.refused("export", "run.h5", "--format", "xyz", status=2, has=["run.xyz", "not replaced"])
        self.assertIn("water", (self.here / "run.xyz").read_text())
        (self.here / "run-000002.vtp").write_text("mine")
        self.refused("export", "run.h5", "--format", "vtk", status=2, has=["run-000002.vtp"])
        self.assertEqual((self.here / "run-000002.vtp").read_text(), "mine")
        for name in ("run.xyz", "run-000002.vtp"):
            (self.here / name).unlink()
        for form in ("xyz", "vtk", "xyz", "vtk"):
            self.run_program("export", "run.h5", "--format", form)
        self.assertFalse(any(math.isnan(x) for _, bodies in read_xyz(self.here / "run.xyz") for b in bodies for x in b["pos"]))


if __name__ == "__main__":
    unittest.main()
