#!/usr/bin/env python3
"""Ranks: whatever the number of processes, their threads and their speeds, the bits are those of one; and so after any of them died."""
import concurrent.futures
import json
import os
import random
import signal
import subprocess
import time
import unittest

from case import Case
from command_line import science

PROGRAM = os.path.abspath(os.environ["SPINDRIFT"])
MPIRUN = os.environ["SPINDRIFT_MPIRUN"]
# As root, and with more ranks than there are processors: OpenMPI wants to be asked twice, MPICH does not mind.
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
                   OMPI_MCA_hwloc_base_binding_policy="none", OMPI_MCA_btl_vader_single_copy_mechanism="none",
                   # A rank that is killed while it holds the lock of PMIx's shared memory leaves mpirun waiting for that lock, all ranks gone.
                   PMIX_MCA_gds="hash")

# All families in one study: the launch of the processes takes longer than the runs.
STUDY = """
problem = ["stress", "orbit-elliptic", "rod"]
members = 300
steps = 30
every = 7
"""
OTHERS = { # and what else there is
    "failing": ("--method", "rk2,vlv", "--members", "700", "--step", "0.25", "--steps", "1200", "--every", "50"),
    "few": ("--method", "vlv", "--members", "3", "--steps", "50"),
    "sweep": ("--method", "vlv", "--sweep", "alpha=0.1:0.4:7", "--sweep", "J.2=2:3:3", "--members", "3", "--steps", "60", "--every", "4"),
    "systems": ("--problem", "torus", "--param", "n=12", "--method", "vlv", "--sweep", "Km=1:10:3", "--members", "5", "--spread", "m=0.05", "--sigma-stiffness", "0.1",
                "--final", "15", "--steps", "40", "--every", "4"),
    "states": ("--method", "vlv", "--spread", "alpha=0.01", "--members", "520", "--trajectories", "300", "--final", "300", "--steps", "9"),
    "times": ("--problem", "orbit-elliptic", "--method", "verlet", "--members", "600", "--steps", "50", "--at", "33.3,200", "--at-event",
              "height=1664:mark,times=3"),
    "orbits": ("--problem", "orbit-elliptic", "--method", "verlet,dop853", "--members", "520", "--step", "50", "--steps", "140", "--every", "35", "--spreading",
               "rtn,400,0,0,0,-0.3,0,0,300,0,0.1,0,0,0,0,200,0,0,0,0,0.1,0,1e-3,0,0,-0.3,0,0,0,1e-3,0,0,0,0,0,0,1e-3", "--param", "drag2=1e-8",
               "--param", "scale-height=1000", "--param", "radius=1000", "--param", "spin=1e-4", "--param", "pressure=1e-8,0,0", "--param",
               "shadow=1000,100", "--param", "j2=1e-3", "--burn", "from=130,for=333,thrust=1e-4,exhaust=3,size=0.05", "--impulse",
               "t=520,rtn=0.001,0.002,0.003,size=0.1", "--at-event", "apoapsis:rtn=0.1,-0.2,0.1,times=2,size=0.3,angle=0.2", "--at-event",
               "height=1770:end", "--at-event", "nearest=1000,1000,0", "--final", "300"),
}


def descendants(of):
    """Processes below one, by what /proc says of their parents."""
    parents = {}
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/stat") as file:
                parents[int(name)] = int(file.read().rsplit(")", 1)[1].split()[1])
        except (OSError, ValueError, IndexError):
            pass

    def is_below(process):
        while process in parents:
            process = parents[process]
            if process == of:
                return True
        return False

    return [p for p in parents if is_below(p)]


def ranks_of(job):
    found = []
    for process in descendants(job.pid):
        try:
            if os.path.samefile(f"/proc/{process}/exe", PROGRAM):
                found.append(process)
        except OSError:
            pass
    return found


def together(work, *cases):
    """Two at a time: mpirun spends most of its time waiting for its processes to come and go."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(work, *case) for case in cases]:
            done.result()


class Ranks(Case):
    def launch(self, ranks, *argv, **more):
        return subprocess.Popen([MPIRUN, "-n", str(ranks), PROGRAM, *argv], cwd=self.here, env=ENVIRONMENT, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, **more)

    def run_ranks(self, ranks, *argv, status=0):
        job = self.launch(ranks, *argv)
        out, err = job.communicate(timeout=300)
        self.assertEqual(job.returncode, status, f"{ranks} ranks: {argv}\n{out[-2000:]}\n{err}")
        return out, err

    def ranked(self, ranks, *argv, status=0):
        return json.loads(self.run_ranks(ranks, *argv, "--quiet", "--json", status=status)[0])

    def alone(self, *argv, status=0):
        return json.loads(self.run_program(*argv, "--quiet", "--json", status=status).stdout)

    def test_same_bits(self):
        """Statistics, verdicts, digests of every family."""
        (self.here / "all.toml").write_text(STUDY)
        one = self.alone("run", "all.toml")

        def compare(ranks, threads):
            found = self.ranked(ranks, "run", "all.toml", "--threads", threads)
            self.assertEqual(found["digest"], one["digest"], f"{ranks} ranks, {threads} threads")
            self.assertTrue(science(found) == science(one), f"{ranks} ranks, {threads} threads")
            self.assertEqual(found["backend"].get("ranks", 1), ranks)

        together(compare, *((ranks, threads) for ranks in (1, 2, 3, 4) for threads in ("1", "2")))

    def test_same_bits_of_others(self):
        """The same of members that fail, of fewer members than ranks, of sweeps, of states and trajectories."""
        def compare(name, plan):
            status = 3 if name == "failing" else 0
            one = self.alone("run", *plan, status=status)
            for ranks, threads in ((2, "2"), (4, "1")):
                found = self.ranked(ranks, "run", *plan, "--threads", threads, status=status)
                self.assertTrue(science(found) == science(one), f"{name}: {ranks} ranks, {threads} threads")

        together(compare, *OTHERS.items())

    def test_files(self):
        """One result file, with the digest and of the length of one process's, and nothing beside it."""
        plan = ("run", "--method", "vlv", "--members", "600", "--steps", "50", "--quiet", "--final", "10")
        self.run_ranks(3, *plan, "--output", "ranks.h5")
        self.run_program(*plan, "--output", "one.h5")
        self.assertEqual(self.files(), ["one.h5", "ranks.h5"])
        self.run_program("verify", "ranks.h5")
        self.run_program("rerun", "ranks.h5", "--quiet")
        self.run_ranks(2, "rerun", "one.h5", "--quiet")
        arrays = [line for line in self.run_program("info", "one.h5").stdout.split("\n") if "digest" in line]
        self.assertEqual(arrays, [line for line in self.run_program("info", "ranks.h5").stdout.split("\n") if "digest" in line])

    def test_uneven_ranks(self):
        """Ranks of different speed have members handed out to them anew; the bits stay."""
        plan = ["run", "--method", "vlv,rk4", "--members", "1500", "--steps", "3000", "--every", "100", "--quiet", "--json"]
        command = [MPIRUN, "-n", "1", PROGRAM, *plan, "--isa", "scalar", ":", "-n", "1", PROGRAM, *plan]
        done = subprocess.run(command, cwd=self.here, env=ENVIRONMENT, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual(found["digest"], self.alone(*plan[:-2])["digest"])
        self.assertGreater(found["backend"]["handed_out"], 2) # once for each method, and then

    def sent(self, samples, between):
        plan = ("run", "--method", "vlv", "--members", "256", "--steps", str(samples * between), "--every", str(between))
        backend = self.ranked(2, *plan, "--threads", "1")["backend"]
        return backend["bytes_sent"] if backend["handed_out"] == 1 else None # else members were moved, too

    def test_bytes_are_those_of_the_samples(self):
        """Twenty times the steps between as many samples send no more but for the heads of a few answers."""
        few, many, double = (next(s for s in (self.sent(*case) for _ in range(9)) if s) for case in ((40, 5), (40, 100), (80, 5)))
        heads = 5000 # a chunk has some 150 bytes of them
        self.assertLess(abs(many - few), heads)
        self.assertGreater(double - few, 40 * 1024 * 4) # the slices of every sample, at least
        self.assertGreater(40 * 1024 * 4, 10 * heads)

    def kill_ten_times(self, checkpoint, plan):
        """Any rank, at any moment; another number of them goes on."""
        dice = random.Random(checkpoint)
        killed = 0
        for turn in range(30):
            ranks = 2 + turn % 3
            job = self.launch(ranks, "run", *plan, "--checkpoint", checkpoint, "--checkpoint-every", "0", "--threads", "1", "--quiet")
            limit = time.monotonic() + 300
            while len(ranks_of(job)) < ranks and job.poll() is None and time.monotonic() < limit:
                time.sleep(0.01)
            time.sleep(dice.uniform(0.1, 0.4))
            victims = ranks_of(job)
            if job.poll() is None and victims:
                os.kill(dice.choice(victims), signal.SIGKILL)
                err = job.communicate(timeout=300)[1]
                self.assertNotEqual(job.returncode, 0, err)
                killed += 1
            job.communicate(timeout=300)
            if killed == 10:
                break
            if job.returncode == 0: # it came to its end before: once more
                for name in self.files():
                    if name.startswith(checkpoint):
                        os.remove(self.here / name)
        self.assertEqual(killed, 10)
        if os.path.exists(self.here / checkpoint):
            self.run_program("verify", checkpoint)
        self.kills += killed

    def test_killed_twenty_times(self):
        """Two runs side by side; each ends with the digest of one that nobody has killed."""
        plan = ("--method", "vlv,rk4", "--members", "512", "--steps", "40000", "--every", "200")
        one = self.alone("run", *plan)["digest"]
        self.kills = 0

        def run(checkpoint):
            self.kill_ten_times(checkpoint, plan)
            self.assertEqual(self.ranked(3, "run", *plan, "--checkpoint", checkpoint)["digest"], one)

        together(run, ("a",), ("b",))
        self.assertEqual(self.kills, 20)

    def test_terminated(self):
        """SIGTERM to all ranks, as a scheduler sends it: saved, and gone on with by the same command and other ranks."""
        plan = ("run", "--method", "rk45", "--members", "512", "--steps", "12000", "--every", "1000", "--checkpoint", "c") # which is slow
        job = self.launch(3, *plan, "--checkpoint-every", "1000", "--threads", "1", "--progress", "always")
        job.stderr.read(20) # of the first line of progress
        for process in ranks_of(job):
            os.kill(process, signal.SIGTERM)
        err = job.communicate(timeout=300)[1]
        self.assertEqual(job.returncode, 130, err)
        self.assertIn("saved in c", err)
        done = self.run_ranks(2, *plan, "--json")
        self.assertIn("went on from c", done[1])
        self.assertEqual(json.loads(done[0])["digest"], self.alone(*plan[:-2])["digest"])

    def test_errors(self):
        """One line, with the rank if it is another than the first; mpirun may add what it likes."""
        err = self.run_ranks(3, "run", "--method", "nonsense", status=2)[1]
        self.assertEqual(err.count("spindrift:"), 1, err)
        command = [MPIRUN, "-n", "1", PROGRAM, "run", "--members", "600", ":", "-n", "1", PROGRAM, "run", "--method", "nonsense"]
        done = subprocess.run(command, cwd=self.here, env=ENVIRONMENT, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.stderr.count("spindrift:"), 1, done.stderr)
        self.assertIn("spindrift: rank 1: unknown method 'nonsense'", done.stderr)
        self.assertNotEqual(done.returncode, 0)
        err = self.run_ranks(3, "run", "--problem", "rod", "--members", "2", "--steps", "10", status=2)[1]
        self.assertIn("a system is not spread over ranks", err)
        self.assertEqual(self.run_ranks(3, "methods", "--json")[0], self.run_program("methods", "--json").stdout)

    def test_until_decided(self):
        plan = ("run", "--method", "vlv,eln", "--members", "32", "--time", "50", "--until-decided")
        self.assertTrue(science(self.ranked(2, *plan)) == science(self.alone(*plan)))


if __name__ == "__main__":
    unittest.main()
