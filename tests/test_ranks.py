#!/usr/bin/env python3
"""Ranks: whatever the number of processes, their threads and their speeds, the bits are those of one; and so after any of them died.

SPINDRIFT=PROGRAM SPINDRIFT_MPIRUN=MPIRUN [SPINDRIFT_ALONE=PROGRAM, built without MPI] test_ranks.py.  STANDIN_DEVICES says how many CUDA
devices are played by tests/ptx."""
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
STUDIES = {
    "all": """
problem = ["stress", "orbit-elliptic", "rod"]
members = 300
steps = 30
every = 7
""",
    "moments": """
problem = ["stress", "orbit-elliptic"]
members = 600
moments = true
steps = 30
every = 7
""",
    "sweep": """
problem = ["stress", "orbit-elliptic", "torus"]
members = 5
sweep = "step=0.01:0.02:7"
steps = 30
every = 7
[param.torus]
n = 6
"""}
OTHERS = { # and what else there is
    "failing": ("--method", "rk2,vlv", "--members", "700", "--step", "0.25", "--steps", "2000", "--every", "50"),
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


def name_of(process):
    """As mpirun calls it when it has died, in a pattern; MPICH's may name any of those that it then ends."""
    with open(f"/proc/{process}/environ") as file:
        environment = dict(word.partition("=")[::2] for word in file.read().split("\0"))
    return rf"rank {environment['OMPI_COMM_WORLD_RANK']}\b" if "PMI_RANK" not in environment else r"PID \d+ RUNNING"


def saved_at(file):
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


def together(work, *cases):
    """Two at a time: mpirun spends most of its time waiting for its processes to come and go."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(work, *case) for case in cases]:
            done.result()


class Launched(Case):
    def launch(self, ranks, *argv, **more):
        return subprocess.Popen([MPIRUN, "-n", str(ranks), PROGRAM, *argv], cwd=self.here, env=ENVIRONMENT, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, **more)

    def run_ranks(self, ranks, *argv, status=0):
        job = self.launch(ranks, *argv)
        out, err = job.communicate(timeout=300)
        self.assertEqual(job.returncode, status, f"{ranks} ranks: {argv}\n{out[-2000:]}\n{err}")
        return out, err

    def run_unlike(self, plan, *ranks, **environment):
        """The plan by ranks of which each is what stands before the program, and has options of its own."""
        command = []
        for before, more in ranks:
            command += [":", "-n", "1", *before, PROGRAM, *plan, *more]
        return subprocess.run([MPIRUN, *command[1:]], cwd=self.here, env=dict(ENVIRONMENT, **environment), capture_output=True, text=True, timeout=300)

    def write_studies(self):
        for name, text in STUDIES.items():
            (self.here / f"{name}.toml").write_text(text)

    def ranked(self, ranks, *argv, status=0):
        return json.loads(self.run_ranks(ranks, *argv, "--quiet", "--json", status=status)[0])

    def alone(self, *argv, status=0):
        return json.loads(self.run_program(*argv, "--quiet", "--json", status=status).stdout)


class Ranks(Launched):
    def test_same_bits(self):
        """Statistics, verdicts, digests of every family; moments, sweeps."""
        self.write_studies()
        one = {study: self.alone("run", f"{study}.toml") for study in STUDIES}

        def compare(ranks, threads, study):
            found = self.ranked(ranks, "run", f"{study}.toml", "--threads", str(threads))
            what = f"{study}: {ranks} ranks, {threads} threads"
            self.assertEqual(found["digest"], one[study]["digest"], what)
            self.assertTrue(science(found) == science(one[study]), what)
            self.assertEqual(found["backend"].get("ranks", 1), ranks)
            self.assertEqual(found["backend"]["threads"], threads)

        together(compare, *((ranks, threads, study) for ranks in (1, 2, 3, 4) for threads in (1, 2) for study in STUDIES))

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
        done = self.run_unlike(plan, ((), ("--isa", "scalar")), ((), ()))
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

    def wait_for(self, job, what):
        limit = time.monotonic() + 300
        while not what() and job.poll() is None and time.monotonic() < limit:
            time.sleep(0.01)

    def kill_one(self, job, dice, working):
        """Of those that are there; while they work, what mpirun then says names it."""
        try:
            victim = dice.choice(ranks_of(job))
            name = name_of(victim)
            os.kill(victim, signal.SIGKILL)
        except (IndexError, KeyError, OSError): # it is about to leave
            return 0
        said = "".join(job.communicate(timeout=300))
        if "digest" in said: # it was: all was done
            return 0
        self.assertNotEqual(job.returncode, 0, said)
        if working:
            self.assertRegex(said, name)
        return 1

    def kill_ten_times(self, checkpoint, plan):
        """Any rank, at any moment, and every other time once it has saved; another number of them goes on."""
        dice = random.Random(checkpoint)
        killed = 0
        file = self.here / checkpoint
        for turn in range(30):
            ranks = 2 + turn % 3
            before = saved_at(file)
            job = self.launch(ranks, "run", *plan, "--checkpoint", checkpoint, "--checkpoint-every", "0", "--threads", "1", "--quiet")
            self.wait_for(job, lambda: len(ranks_of(job)) == ranks)
            working = killed % 2
            if working:
                self.wait_for(job, lambda: saved_at(file) > before)
            time.sleep(dice.uniform(0, 0.3) if working else dice.uniform(0.1, 0.4))
            killed += self.kill_one(job, dice, working)
            job.communicate(timeout=300)
            if killed == 10:
                break
            if job.returncode == 0: # it came to its end before: once more
                for name in self.files():
                    if name.startswith(checkpoint):
                        os.remove(self.here / name)
        self.assertEqual(killed, 10)
        self.run_program("verify", checkpoint)
        self.kills += killed

    def test_killed_twenty_times(self):
        """Two runs side by side; each is gone on with, and ends with the digest of one that nobody has killed."""
        plan = ("--method", "vlv,rk4", "--members", "512", "--steps", "40000", "--every", "200")
        one = self.alone("run", *plan)["digest"]
        self.kills = 0

        def run(checkpoint):
            self.kill_ten_times(checkpoint, plan)
            out, err = self.run_ranks(3, "run", *plan, "--checkpoint", checkpoint, "--json")
            self.assertRegex(err, f"(went on from|all was done in) {checkpoint}:")
            self.assertEqual(json.loads(out)["digest"], one)

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
        done = self.run_unlike(["run", "--members", "600"], ((), ()), ((), ("--method", "nonsense")))
        self.assertEqual(done.stderr.count("spindrift:"), 1, done.stderr)
        self.assertIn("spindrift: rank 1: unknown method 'nonsense'", done.stderr)
        self.assertNotEqual(done.returncode, 0)
        err = self.run_ranks(3, "run", "--problem", "rod", "--members", "2", "--steps", "10", status=2)[1]
        self.assertIn("a system is not spread over ranks", err)
        self.assertEqual(self.run_ranks(3, "methods", "--json")[0], self.run_program("methods", "--json").stdout)

    def test_threads(self):
        """As many as there are processors, divided by the ranks that share them; but a task of Slurm's has its own."""
        plan = ("run", "--method", "vlv", "--members", "3", "--steps", "10", "--quiet", "--json")
        cpu = json.loads(self.run_program("devices", "--json").stdout)["cpu"]
        usable = cpu["threads"]
        if "SLURM" in cpu["threads_because"]:
            self.skipTest("it is a task of Slurm's")
        for ranks in (1, 2, 3):
            self.assertEqual(self.ranked(ranks, *plan[:-2])["backend"]["threads"], max(usable // ranks, 1))
        for more, expected in (({"SLURM_CPUS_PER_TASK": "1"}, 1), ({"SLURM_CPUS_PER_TASK": "1000"}, max(usable // 2, 1))):
            done = self.run_unlike(plan, ((), ()), ((), ()), **more)
            self.assertEqual(json.loads(done.stdout)["backend"]["threads"], expected)
        if "control group" not in cpu["threads_because"]: # whose time a bound one shares, too
            bound = ("taskset", "-c", str(min(os.sched_getaffinity(0))))
            found = json.loads(self.run_unlike(plan, ((), ()), (bound, ())).stdout)
            self.assertEqual(found["backend"]["threads"], usable if usable > 1 else 1)

    def test_strangers(self):
        """Processes that were started together and do not reach one another would all do the same and write the same files."""
        srun, other = dict(os.environ, SLURM_STEP_NUM_TASKS="4"), dict(os.environ, PMI_SIZE="3", PMI_RANK="1")
        for program in filter(None, (PROGRAM, os.environ.get("SPINDRIFT_ALONE"))):
            advice = "--mpi=pmix" if program == PROGRAM else "without MPI"
            for environment, count, sign in ((srun, 4, "SLURM_STEP_NUM_TASKS"), (other, 3, "PMI_SIZE")):
                done = subprocess.run([program, "run", "--members", "3", "--output", "r.h5"], cwd=self.here, env=environment, capture_output=True, text=True)
                self.assertEqual(done.returncode, 2)
                self.assertEqual(done.stdout, "")
                self.assertRegex(done.stderr, rf"\Aspindrift: {count} processes that do not reach one another .*{advice}.*unset {sign}.*\n\Z")
            one = dict(srun, PMI_SIZE="1") # of a launcher within
            for environment, verb in ((srun, ("devices",)), (one, ("run", "--members", "3", "--steps", "9", "--quiet"))):
                subprocess.run([program, *verb], cwd=self.here, env=environment, check=True, stdout=subprocess.DEVNULL)
        self.assertEqual(self.files(), [])

    def test_until_decided(self):
        plan = ("run", "--method", "vlv,eln", "--members", "32", "--time", "50", "--until-decided")
        self.assertTrue(science(self.ranked(2, *plan)) == science(self.alone(*plan)))


@unittest.skipUnless("STANDIN_DEVICES" in os.environ, "no device is played")
class Devices(Launched):
    PLANS = (("run", "--method", "vlv", "--members", "600", "--steps", "20", "--every", "5", "--moments", "--final", "600"),
             ("run", "--problem", "orbit-elliptic", "--method", "verlet", "--members", "600", "--steps", "20", "--every", "5"),
             ("run", "--problem", "torus", "--param", "n=6", "--method", "vlv", "--members", "5", "--steps", "20", "--every", "5"),
             ("run", "--method", "vlv", "--sweep", "alpha=0.1:0.4:7", "--members", "3", "--steps", "20", "--every", "5"))

    def test_same_bits(self):
        """Of devices, and of a processor beside one."""
        def compare(plan):
            one = self.alone(*plan, "--backend", "cpu")
            way = {name: self.alone(*plan, "--backend", name)["backend"]["devices"].partition("; ")[2] for name in ("cpu", "cuda")}
            plan = (*plan, "--quiet", "--json")
            for ranks in (("cuda", "cuda"), ("cuda", "cuda", "cuda"), ("cpu", "cuda")):
                done = self.run_unlike(plan, *(((), ("--backend", backend)) for backend in ranks))
                self.assertEqual(done.returncode, 0, done.stderr)
                found = json.loads(done.stdout)
                self.assertEqual(found["digest"], one["digest"], f"{plan}: {ranks}")
                self.assertTrue(science(found) == science(one), f"{plan}: {ranks}")
                self.assertEqual((found["backend"]["name"], found["backend"]["ranks"]), (ranks[0], len(ranks)))
                self.assertEqual(found["backend"]["devices"].partition("; ")[2], way[ranks[0]])

        together(compare, *((plan,) for plan in self.PLANS))

    def test_each_has_its_own(self):
        """The device of its number on the machine, from the first again where there are more ranks than devices."""
        plan = ("run", "--method", "vlv", "--members", "1024", "--steps", "10", "--backend", "cuda", "--quiet")
        for broken in range(3):
            ranks = [((), ())] * 3
            ranks[broken] = (("env", "STANDIN_FAIL=cudaLaunchKernel:1"), ())
            err = self.run_unlike(plan, *ranks).stderr
            name = f"rank {broken}: " if broken else ""
            self.assertIn(f"spindrift: {name}device {broken % 2}: cudaLaunchKernel", err)
        chosen = self.run_unlike(plan, ((), ()), (("env", "STANDIN_FAIL=cudaLaunchKernel:1"), ("--devices", "0"))).stderr
        self.assertIn("spindrift: rank 1: device 0: cudaLaunchKernel", chosen)


if __name__ == "__main__":
    unittest.main()
