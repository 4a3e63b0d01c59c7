"""The Python package, as its users meet it: the same digests as the command line's, arrays without copies, errors, Ctrl-C.

SPINDRIFT names the program, SPINDRIFT_LIBRARY the shared library, SOURCE the source tree.  It needs numpy."""
import gc
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings
from unittest import mock

import numpy as np

SOURCE = pathlib.Path(os.environ["SOURCE"])
PROGRAM = os.environ["SPINDRIFT"]
sys.path.insert(0, str(SOURCE / "python"))
import spindrift as sd  # noqa: E402

SMALL = {"members": 24, "steps": 60, "seed": 7, "threads": 2}


def command_line(*argv, status=0):
    done = subprocess.run([PROGRAM, "run", *argv], capture_output=True, text=True, timeout=300)
    assert done.returncode == status, f"{argv}: {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


def document(*argv):
    return json.loads(command_line(*argv, "--json").stdout)


def small(*argv):
    return ["--members", "24", "--steps", "60", "--seed", "7", *argv]


class Sweeps(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def test_points(self):
        """By the command line's digest, and each statistic by its list."""
        run = sd.run(method=["eln", "rk45"], steps=150, members=3, sweep={"alpha": (0.1, 0.4, 4), "rtol": (1e-8, 1e-5, 2, "log")})
        theirs = document("--method", "eln,rk45", "--steps", "150", "--members", "3", "--sweep", "alpha=0.1:0.4:4", "--sweep",
                          "rtol=1e-8:1e-5:2:log")
        self.assertEqual(run.digest, theirs["digest"])
        self.assertTrue(run.swept)
        for m, result in zip(run, theirs["results"]):
            points = m.points
            self.assertEqual(points.shape, (4, 2))
            self.assertEqual(points.verdict.ravel().tolist(), result["points"]["verdict"])
            for name, values in points.axes.items():
                self.assertEqual(values.tolist(), result["sweep"]["values"][name])
            for name in points:
                if name == "reason":
                    continue  # there in words
                found = [None if x != x else x for x in points[name].ravel().tolist()]
                self.assertEqual(found, result["points"][name], name)
        self.assertEqual(run.plan["sweep"], ["alpha=0.10000000000000001:0.40000000000000002:4", "rtol=1e-08:1.0000000000000001e-05:2:log"])
        with self.assertRaisesRegex(ValueError, "no sweep"):
            sd.run(method="eln", **SMALL)["eln"].points

    def test_spread_and_starts(self):
        table = pathlib.Path(self.directory.name) / "t.csv"
        table.write_text("alpha,velocity.3\n0.2,0.6\n0.3,0.7\n")
        for keywords, argv in (({"spread": {"alpha": 0.01, "velocity.3": 0.05}}, ["--spread", "alpha=0.01", "--spread", "velocity.3=0.05"]),
                               ({"starts": table, "members": 2}, ["--starts", str(table), "--members", "2"])):
            ours = sd.run(method="vlv", **{**SMALL, **keywords})
            self.assertEqual(ours.digest, document("--method", "vlv", *small(*argv))["digest"])

    def test_table(self):
        path = os.path.join(self.directory.name, "t.h5")
        run = sd.run(method="vlv", **SMALL, table=True, output=path, first_member=5)
        table = run["vlv"].table
        theirs = document("--method", "vlv", "--table", *small("--first-member", "5"))["results"][0]["table"]
        self.assertEqual(table.member.tolist(), theirs["member"])
        self.assertEqual(table.status.tolist(), theirs["status"])
        for name in table:
            self.assertEqual(table[name].tolist(), theirs[name])
        self.assertEqual(table.energy_error.tolist(), run["vlv"].final.energy_error.tolist())
        worst = table.farthest("drift_slope")
        self.assertEqual(worst, theirs["farthest"]["drift_slope"]["member"])
        alone = sd.rerun(path, member=worst)["vlv"]
        self.assertEqual(alone.energy.drift.slope, table.drift_slope[worst - 5])
        self.assertEqual(alone.trajectories.energy_error[-1, 0], table.energy_error[worst - 5])
        self.assertEqual(sd.rerun(path).digest, run.digest)
        self.assertEqual(sd.open(path)["vlv"].table.slope.tolist(), table.slope.tolist())
        with self.assertRaisesRegex(ValueError, "table=True"):
            sd.run(method="vlv", **SMALL)["vlv"].table
        with self.assertRaisesRegex(sd.Error, "member"):
            sd.rerun(path, member=99)

    def test_events(self):
        run = sd.run(problem="orbit-elliptic", method="wh,rk4", members=7, step=50, steps=300, at_event=["apoapsis:mark,times=2", "node"])
        path, log = os.path.join(self.directory.name, "events.h5"), run["wh"].events
        self.assertEqual((log.count.shape, log.time.shape, log.state.shape), ((7, 2), (7, 3), (7, 3, 6)))
        self.assertEqual(log.count.tolist(), [[np.isfinite(t[:2]).sum(), np.isfinite(t[2])] for t in log.time])
        run.save(path)
        [np.testing.assert_array_equal(sd.open(path)["wh"].events[name], log[name]) for name in log]
        self.assertGreater(log.count.sum(), 7)

    def test_table_of_a_sweep(self):
        run = sd.run(method="eln", steps=100, members=2, sweep={"alpha": (0.1, 0.4, 3)}, table=True)
        self.assertEqual(run["eln"].table.slope.shape, (3, 2))
        self.assertEqual(run["eln"].table.member.tolist(), [[0, 1], [2, 3], [4, 5]])

    def test_moments(self):
        run = sd.run("orbit-elliptic", "verlet", members=50, steps=40, every=20, trajectories=50, moments=True)
        series, all_of = run["verlet"].series, run["verlet"].trajectories
        states = np.concatenate([all_of.q, all_of.p], axis=2)
        self.assertEqual(series.mean_of, ("position.1", "position.2", "position.3", "momentum.1", "momentum.2", "momentum.3"))
        np.testing.assert_allclose(series.state_mean, states.mean(axis=1), rtol=1e-13, atol=1e-13)
        for k in range(3):
            wanted = np.cov(states[k].T)
            scale = np.sqrt(np.outer(np.diag(wanted), np.diag(wanted)))
            self.assertLess(np.abs((series.state_covariance[k] - wanted) / scale).max(), 1e-12)
        self.assertEqual(run.digest, document("--problem", "orbit-elliptic", "--method", "verlet", "--members", "50", "--steps", "40", "--every",
                                              "20", "--trajectories", "50", "--moments")["digest"])
        attitude = sd.run(method="vlv", **SMALL, moments=True)["vlv"].series
        self.assertEqual((attitude.state_mean.shape[1], attitude.state_covariance.shape[1:]), (7, (6, 6)))
        self.assertEqual(len(attitude.covariance_of), 6)


class Same(unittest.TestCase):
    """Python against the command line."""

    def check(self, argv, **given):
        run = sd.run(**{**SMALL, **given})
        wanted = document(*small(*argv))
        self.assertEqual(run.digest, wanted["digest"])
        self.assertEqual(list(run.methods), [r["method"] for r in wanted["results"]])
        return run, wanted

    def test_digests(self):
        self.check(["--method", "eln,vlv@4", "--param", "alpha=0.30000000000000004", "--param", "J=2,3,4"], method=["eln", "vlv@4"],
                   param={"alpha": 0.1 + 0.2, "J": (2, 3, 4)})
        self.check(["--problem", "top-slow", "--method", "rk4", "--sigma-attitude", "0.001", "--step", "0.1"], problem="top-slow", method="rk4",
                   sigma_attitude=1e-3, step=np.float64(0.1))
        self.check(["--problem", "orbit-elliptic", "--method", "verlet", "--impulse", "t=0.5,dv=0,0.01,0,size=0.1", "--step", "0.05"],
                   problem="orbit-elliptic", method="verlet", impulse={"t": 0.5, "dv": (0, 0.01, 0), "size": 0.1}, step=0.05)
        self.check(["--problem", "full-body", "--method", "rattle"], problem="full-body", method="rattle")

    def test_numbers(self):
        run, wanted = self.check(["--method", "eln,tln", "--final", "5"], method="eln,tln")
        for m, r in zip(run, wanted["results"]):
            self.assertEqual(m.verdict, r["verdict"])
            self.assertEqual(m.because, r["because"])
            self.assertEqual(m.slope.mean, r["energy"]["slope"]["mean"])
            self.assertEqual(list(m.slope.ci95), r["energy"]["slope"]["ci95"])
            self.assertEqual(m.energy.max_abs_error, r["energy"]["max_abs_error"])
            self.assertEqual(m.newton.mean, r["newton"]["mean"])
            self.assertEqual(m.failed, 0)
            self.assertEqual(m.final.Q.shape, (24, 3, 3))
            for k, f in enumerate(r["final"]):
                self.assertEqual(m.final.Q[k].ravel().tolist(), f["Q"])
                self.assertEqual(m.final.W[k].tolist(), f["W"])
                self.assertEqual(m.final.energy_error[k], f["energy_error"])
                self.assertEqual(m.final.status[k], f["status"])
        self.assertEqual(run.to_dict()["digest"], wanted["digest"])

    def test_series(self):
        run = sd.run(method="eln", trajectories=3, every=7, **SMALL)
        wanted = document(*small("--method", "eln", "--every", "7", "--series"))["results"][0]["series"]
        series = run["eln"].series
        self.assertEqual(series.time.tolist(), wanted["time"])
        self.assertEqual(series.mean.tolist(), wanted["mean"])
        self.assertEqual(series.quantile[:, 0].tolist(), wanted["q05"])
        self.assertEqual(series.levels, (0.05, 0.25, 0.5, 0.75, 0.95))
        self.assertEqual(series.members.tolist(), [24] * len(series.time))
        paths = run["eln"].trajectories
        self.assertEqual(paths.Q.shape, (len(series.time), 3, 3, 3))
        self.assertEqual(paths.time.tolist(), wanted["time"])
        self.assertEqual(paths.W[-1].tolist(), run["eln"].final.W[:3].tolist())

    def test_the_plan_repeats_the_run(self):
        run = sd.run(method=["eln", "vlv"], param={"alpha": 0.25}, sigma_velocity=0.02, **SMALL)
        plan = {key.replace("-", "_"): value for key, value in run.plan.items()}
        self.assertEqual(sd.run(**plan).digest, run.digest)

    def test_a_system_from_a_file(self):
        """Its text is in the plan, in pieces."""
        text = "species bead mass 1 J 0.1 0.1 0.1 diameter 1\n" + "".join(f"body bead {k} 0 0\n" for k in range(60)) + \
               "".join(f"bond {k} {k + 1}\n" for k in range(59))
        with tempfile.TemporaryDirectory() as place:
            file = pathlib.Path(place, "chain.txt")
            file.write_text(text)
            run = sd.run(problem=file, method="rattle", members=2, steps=20)
            self.assertEqual(run.digest, document("--problem", str(file), "--method", "rattle", "--members", "2", "--steps", "20")["digest"])
        plan = {key.replace("-", "_"): value for key, value in run.plan.items()}
        self.assertGreater(len(plan["system"]), 1)
        self.assertEqual(sd.run(**plan).digest, run.digest)

    def test_starts(self):
        rows = np.zeros((5, 7))
        rows[:, 0] = 1
        rows[:, 4:] = np.arange(15).reshape(5, 3) / 10
        run = sd.run(problem="free", method="rattle", step=1e-6, steps=1, starts=rows)
        self.assertEqual(run[0].members, 5)
        self.assertTrue(np.allclose(run[0].final.W, rows[:, 4:], rtol=0, atol=1e-4))
        self.assertRaises(ValueError, sd.run, starts=np.zeros(7))
        with self.assertRaises(sd.Error):
            sd.run(starts=np.zeros((3, 4)), **SMALL)


class Arrays(unittest.TestCase):
    def test_views(self):
        run = sd.run(method="eln", **SMALL)
        Q, again = run["eln"].final.Q, run["eln"].final.Q
        self.assertFalse(Q.flags.writeable)
        self.assertFalse(Q.flags.owndata)
        self.assertEqual(Q.__array_interface__["data"][0], again.__array_interface__["data"][0])
        self.assertEqual(Q.strides, (8 * 13, 24, 8))
        with self.assertRaises(ValueError):
            Q[0, 0, 0] = 1
        handle = run._handle
        count = sys.getrefcount(handle)
        del again
        self.assertEqual(sys.getrefcount(handle), count - 1)  # an array is one reference to the result, and no more

    def test_arrays_outlive_the_run(self):
        kept = [sd.run(method="eln", **SMALL)["eln"].final.Q for _ in range(3)]
        copies = [Q.copy() for Q in kept]
        gc.collect()
        for _ in range(20):  # what was freed would be used again
            sd.run(method="rk4", param={"alpha": 0.9}, **SMALL)
        for Q, copy in zip(kept, copies):
            self.assertTrue((Q == copy).all())
            self.assertTrue(np.allclose(np.einsum("nij,nkj->nik", Q, Q), np.eye(3)))

    def test_some_or_none(self):
        self.assertEqual(sd.run(method="eln", final=4, **SMALL)["eln"].final.Q.shape, (4, 3, 3))
        none = sd.run(method="eln", final=0, **SMALL)["eln"]
        self.assertEqual(len(none.final), 0)
        self.assertEqual(len(none.trajectories), 0)
        with self.assertRaisesRegex(AttributeError, "there is no array 'Q'"):
            none.final.Q

    def test_many(self):
        """A million members' states are what the library has, not a copy: there at once, and on one memory with those of another look."""
        m = sd.run(method="eln", members=10**6, steps=2, every=2)["eln"]
        begun = time.process_time()
        Q, W, codes = m.final.Q, m.final.W, m.final.codes
        self.assertLess(time.process_time() - begun, 0.01)  # a copy of Q alone has 72 MB
        self.assertEqual((Q.shape, W.shape, codes.shape), ((10**6, 3, 3), (10**6, 3), (10**6,)))
        for name, array in (("Q", Q), ("W", W)):
            self.assertTrue(np.shares_memory(array, m.final[name]), name)
            self.assertFalse(array.flags.owndata or array.flags.writeable, name)
        self.assertFalse(codes.any())

    def test_other_families(self):
        orbit = sd.run(problem="orbit-elliptic", method="verlet", **SMALL)[0]
        self.assertEqual(orbit.final.q.shape, (24, 3))
        system = sd.run(problem="full-body", method="rattle", members=3, steps=10)[0]
        self.assertEqual(system.final.x.shape, (3, 2, 3))
        self.assertEqual(system.final.Q.shape, (3, 2, 9))
        ledger = [name for name in system.series if name not in sd.run(method="eln", **SMALL)[0].series]
        self.assertTrue(ledger)
        for name in ledger:
            self.assertEqual(system.series[name].shape, system.series.time.shape)


class Files(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.here = pathlib.Path(place.name)

    def test_save_and_open(self):
        run = sd.run(method=["eln", "vlv"], trajectories=2, **SMALL)
        run.save(self.here / "run.h5")
        again = sd.open(self.here / "run.h5")
        self.assertEqual(again.digest, run.digest)
        self.assertEqual(again.plan, run.plan)
        for one, other in zip(run, again):
            self.assertEqual(one.statistics.keys(), other.statistics.keys())
            np.testing.assert_equal(one.statistics, other.statistics)
            for arrays in ("series", "final", "trajectories"):
                for name in getattr(one, arrays):
                    self.assertEqual(getattr(one, arrays)[name].tobytes(), getattr(other, arrays)[name].tobytes(), name)

    def test_output_and_checkpoint(self):
        run = sd.run(method="eln", output=self.here / "run.h5", checkpoint=self.here / "run.checkpoint", **SMALL)
        self.assertEqual(sd.open(self.here / "run.h5").digest, run.digest)
        (self.here / "text.h5").write_text("mine")
        with self.assertRaises(sd.Error):
            sd.run(method="eln", output=self.here / "text.h5", **SMALL)
        self.assertEqual((self.here / "text.h5").read_text(), "mine")

    def test_several_runs(self):
        (self.here / "study.toml").write_text('method = "eln"\nmembers = 4\nsteps = 8\nseed = [1, 2]\n')
        command_line(str(self.here / "study.toml"), "--output", str(self.here / "two.h5"), "--quiet")
        self.assertEqual(len(sd.open_all(self.here / "two.h5")), 2)
        with self.assertRaisesRegex(ValueError, "2 runs"):
            sd.open(self.here / "two.h5")

    def test_cannot_be_opened(self):
        with self.assertRaises(sd.Error) as failed:
            sd.open(self.here / "none.h5")
        self.assertEqual(failed.exception.status, sd.Status.IO)
        self.assertIn("none.h5", str(failed.exception))


class Errors(unittest.TestCase):
    def test_messages_are_those_of_the_command_line(self):
        for argv, given in ((["--method", "elm"], {"method": "elm"}), (["--step", "-1"], {"step": -1}),
                            (["--members", "0"], {"members": 0}), (["--time", "1", "--step", "0.3"], {"time": 1, "step": 0.3}),
                            (["--param", "beta=1"], {"param": {"beta": 1}})):
            with self.assertRaises(sd.Error) as failed:
                sd.run(**given)
            self.assertEqual(failed.exception.status, sd.Status.BAD_INPUT)
            said = command_line(*argv, status=2).stderr.strip()
            self.assertIn(failed.exception.message, said)

    def test_keywords(self):
        with self.assertRaisesRegex(TypeError, "'membrs'; did you mean 'members'"):
            sd.run(membrs=3)
        with self.assertRaisesRegex(TypeError, "several runs"):
            sd.run(step=[0.1, 0.2])
        with self.assertRaisesRegex(TypeError, "neither a number nor a text"):
            sd.run(step=object())
        with self.assertRaisesRegex(TypeError, "neither a number nor a text"):
            sd.run(members=True)

    def test_members_that_fail(self):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            run = sd.run(problem="coulomb-wall", method="liemid-i", members=64, step=4, steps=200, sigma_velocity=5)
        failed = run[0].failed
        self.assertGreater(failed, 0, "the plan has no member that fails")
        self.assertEqual([w.category for w in said], [sd.Notice])
        self.assertIn(f"{failed} of 64", str(said[0].message))
        self.assertEqual((run[0].final.status != "ok").sum(), failed)
        self.assertEqual((run[0].final.codes != 0).sum(), failed)

    def test_limit_by_the_clock(self):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            run = sd.run(method="eln", members=512, steps=10**9, max_time="0.2s")
        self.assertFalse(run.complete)
        self.assertEqual(run.methods, ())
        self.assertEqual([w.category for w in said], [sd.Notice])

    def test_not_pickled(self):
        import pickle
        with self.assertRaisesRegex(TypeError, "save"):
            pickle.dumps(sd.run(method="eln", **SMALL))


class Going(unittest.TestCase):
    """While a run goes on."""

    CHILD = """
import sys
sys.path.insert(0, {path!r})
import spindrift as sd
def show(p):
    if p.method == "rk45":
        print("second", flush=True)
try:
    sd.run(method="eln,rk45", members=2048, step=0.125, steps=20000, every=1000, progress=show)
except sd.Interrupted as stopped:
    assert isinstance(stopped, KeyboardInterrupt)
    run = stopped.run
    print(run.methods, run.complete, run["eln"].members, run["eln"].final.Q.shape, flush=True)
"""

    def test_interrupt(self):
        """In the second method, which the child says by a line, and which is slow."""
        script = self.CHILD.format(path=str(SOURCE / "python"))
        child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            self.assertEqual(child.stdout.readline(), "second\n", "the run was over before it could be interrupted")
            child.send_signal(signal.SIGINT)
            out, err = child.communicate(timeout=120)
        finally:
            child.kill()
            child.communicate()
        self.assertEqual((out.replace("second\n", ""), err, child.returncode), ("('eln',) False 2048 (2048, 3, 3)\n", "", 0))

    def test_progress(self):
        seen = []
        run = sd.run(method="eln,vlv", members=512, step=0.125, steps=20000, progress=seen.append)
        self.assertTrue(run.complete)
        for p in seen:
            self.assertIn(p.method, ("eln", "vlv"))
            self.assertTrue(0 <= p.done <= 1)

    def test_progress_that_fails_ends_the_run(self):
        def stop(_):
            raise ZeroDivisionError
        with self.assertRaises(ZeroDivisionError) as failed:
            sd.run(method="eln", members=2048, steps=10**9, progress=stop)
        self.assertEqual((failed.exception.__cause__.status, failed.exception.__cause__.message), (sd.Status.INTERRUPTED, "interrupted"))

    def test_what_the_library_says_is_kept_with_what_was_done(self):
        """A checkpoint that cannot be saved as the run is interrupted, then a result that cannot be."""
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place, "gone")
            folder.mkdir()

            def interrupt(p):
                if p.method == "rk45":
                    shutil.rmtree(folder, ignore_errors=True)
                    raise KeyboardInterrupt
            with self.assertRaisesRegex(sd.Interrupted, "this state could not be saved: .*gone") as stopped:
                sd.run(method="eln,rk45", members=2048, step=0.125, steps=20000, every=1000, checkpoint=folder / "c", progress=interrupt)
            self.assertEqual(stopped.exception.run.methods, ("eln",))
            with mock.patch.object(sd.Run, "save", side_effect=sd.Error(sd.Status.IO, "the disk is full")):
                with self.assertRaisesRegex(sd.Error, "^the disk is full$") as failed:
                    sd.run(method="eln", output=pathlib.Path(place, "run.h5"), **SMALL)
                self.assertEqual(failed.exception.run.methods, ("eln",))
                with self.assertRaisesRegex(sd.Interrupted, "^interrupted; the disk is full$"):
                    sd.run(method="eln", members=2048, steps=10**9, output=pathlib.Path(place, "run.h5"),
                           progress=lambda _: (_ for _ in ()).throw(KeyboardInterrupt))

    def test_bar(self):
        script = f"""
import sys
sys.path.insert(0, {str(SOURCE / 'python')!r})
import spindrift as sd
sd.run(method="eln", members=2048, step=0.125, steps=200000, every=10000, progress={{}})
"""
        for progress, drawn in (("True", True), ("None", False), ("False", False)):
            done = subprocess.run([sys.executable, "-c", script.format(progress)], capture_output=True, text=True, check=True)
            self.assertEqual("eln [" in done.stderr, drawn, done.stderr)
            self.assertEqual(done.stdout, "")

    def test_bar_in_a_notebook(self):
        """One display is updated with the line, and empty at the end.  IPython is a stand-in that says it has a kernel."""
        updates, begun = [], []
        handle = mock.Mock(update=lambda data, raw: updates.append((data["text/plain"], raw)))
        display = mock.Mock(display=lambda data, **how: begun.append((data, how)) or handle)
        shell = mock.Mock(get_ipython=lambda: mock.Mock(spec=["kernel"]), display=display)
        with mock.patch.dict(sys.modules, {"IPython": shell, "IPython.display": display}):
            sd.run(method="eln", members=2048, step=0.125, steps=200000, every=10000)
            sd.run(method="eln", progress=False, **SMALL)
        self.assertEqual(begun, [({"text/plain": ""}, {"raw": True, "display_id": True})])
        self.assertRegex(updates[0][0], r"^eln \[#*\.*\] \d+ %  .* body-steps/s  \d+:\d\d left")
        self.assertEqual((updates[-1], {raw for _, raw in updates}), (("", True), {True}))

    def test_two_at_once(self):
        plans = [{"method": "eln,vlv"}, {"problem": "orbit-elliptic", "method": "verlet,rk4"}, {"method": "tln", "param": {"alpha": 0.2}}]
        wanted = [sd.run(**p, **SMALL).digest for p in plans]
        found = [[] for _ in plans]

        def work(i):
            for _ in range(5):
                found[i].append(sd.run(**plans[i], **SMALL).digest)
        threads = [threading.Thread(target=work, args=(i,)) for i in range(len(plans))]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(found, [[digest] * 5 for digest in wanted])

    def test_others_may_work_meanwhile(self):
        """The interpreter's lock is free: a thread goes on while another waits for a run without an end."""
        failures, begun, counted = [], threading.Event(), 0

        def work():
            try:
                sd.run(method="eln", members=2048, steps=10**9, progress=lambda p: begun.set() or (_ for _ in ()).throw(Done) if counted > 1000
                       else begun.set())
            except Done:
                pass
            except BaseException as error:  # noqa: B902
                failures.append(error)

        class Done(Exception):
            pass
        thread = threading.Thread(target=work)
        thread.start()
        begun.wait()
        for _ in range(10**5):
            counted += 1
        thread.join()
        self.assertEqual(failures, [])

    def test_leaks(self):
        """A thousand runs, with all that is made of them."""
        def size():
            return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        def one():
            run = sd.run(method="eln", members=64, steps=4, threads=1, trajectories=8, moments=True, table=True)
            m = run["eln"]
            return m.table.slope[0], m.table.status[0], m.series.state_covariance[-1, 0, 0], m.final.Q[0, 0, 0], m.series.mean[-1], m.trajectories.W.sum(), run.plan, run.digest, m.statistics, repr(run)
        for _ in range(100):
            one()
        before = size()
        for _ in range(1000):
            one()
        gc.collect()
        grown = size() - before
        self.assertLess(grown, 4e6, f"a thousand runs leave {grown} bytes")  # their states alone have 1e7


class Documented(unittest.TestCase):
    """The lines of Python in README and docs/python.md, each page's blocks one after the other."""

    def test_blocks(self):
        path = os.path.dirname(os.path.abspath(PROGRAM)) + os.pathsep + os.environ["PATH"]
        for page in ("README.md", "docs/python.md", "docs/members.md"):
            blocks = re.findall(r"^```python\n(.*?)^```", (SOURCE / page).read_text(), re.S | re.M)
            self.assertTrue(blocks, page)
            with tempfile.TemporaryDirectory() as place:
                lines = "import sys, warnings\nsys.path.insert(0, %r)\n" % str(SOURCE / "python")
                done = subprocess.run([sys.executable, "-W", "error", "-c", lines + "\n".join(blocks)], cwd=place, capture_output=True, text=True,
                                      env={**os.environ, "PATH": path})
                self.assertEqual(done.returncode, 0, f"{page}: {done.stderr}")
                self.assertIn({"README.md": "drifts -", "docs/python.md": "eln", "docs/members.md": "velocity.3"}[page], done.stdout)


class Shown(unittest.TestCase):
    def test_table(self):
        run = sd.run(method="eln,vlv", **SMALL)
        printed = command_line(*small("--method", "eln,vlv")).stdout.splitlines()
        ours = repr(run).splitlines()
        self.assertEqual([line.split()[:3] for line in ours], [line.split()[:3] for line in printed])
        page = run._repr_html_()
        for text in ("<table", run.digest, "eln", "vlv", run["eln"].because.replace("<", "&lt;")):
            self.assertIn(text, page)

    def test_listings(self):
        listed = json.loads(subprocess.run([PROGRAM, "methods", "--json"], capture_output=True, text=True, check=True).stdout)
        listed = listed["methods"] if isinstance(listed, dict) else listed
        self.assertEqual([m["id"] for m in listed], sd.methods().names())
        self.assertEqual([m["order"] for m in listed], [m.order for m in sd.methods()])
        self.assertIn("symplectic", sd.methods()["vlv"].traits)
        stress = sd.problems()["stress"]
        self.assertEqual((stress.step, stress.time), (0.125, 10000))
        self.assertEqual([p.name for p in stress.parameters], ["J", "attitude", "velocity", "alpha", "attractor"])
        self.assertEqual(stress.parameters[3].value, (0.3,))
        for listing in (sd.methods(), sd.problems(), sd.options()):
            self.assertIn("<table", listing._repr_html_())
            self.assertEqual(len(repr(listing).splitlines()), len(listing) + 1)

    def test_nothing_is_there_by_another_name(self):
        m = sd.run(method="eln", **SMALL)["eln"]
        for name, thing in (("none", m), ("none", m.series), ("none", m.energy)):
            with self.assertRaisesRegex(AttributeError, "none"):
                getattr(thing, name)
        with self.assertRaisesRegex(KeyError, "vlv"):
            sd.run(method="eln", **SMALL)["vlv"]
        self.assertIn("energy", dir(m))
        self.assertIn("mean", dir(m.series))


if __name__ == "__main__":
    unittest.main()
