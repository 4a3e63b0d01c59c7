#!/usr/bin/env python3
"""What happens to orbits on their way: periapsis, node, height, nearest approach; impulses there, marks, ends."""
import math
import os
import unittest

from command_line import Case, strict_json
from test_navigation import MU, RADIUS, add, cross, dot, elements_of, norm


class Events(Case):
    EARTH = ["--problem", "orbit-circular", "--param", "mu=%r" % MU, "--param", "radius=%r" % RADIUS]
    AXIS, E, MEAN = 8000.0, 0.1, 30.0
    ORBIT = ["--elements", "a=8000,e=0.1,i=50,node=20,peri=40,M=30"]
    PERIOD = 2 * math.pi * math.sqrt(AXIS**3 / MU)
    WIDE = ["--sigma-position", "100", "--sigma-momentum", "0.05"]

    def results(self, *settings, status=0):
        return self.run_json(*self.EARTH, *settings, status=status)["results"]

    def log(self, *settings):
        """Of the first member, by event."""
        found = {}
        for entry in self.results("--members", "1", "--final", "1", *settings)[0]["final"][0]["events"]:
            found.setdefault(entry["at"], []).append(entry)
        return found

    # ---- when ----

    def test_times(self):
        """On a two-body orbit all is known, to the last bits of the method: `wh` is exact, and `rk8` as good at these steps."""
        for method in ("wh", "encke", "rk8", "dop853"):
            for step in ("60", "500"):
                if method == "rk8" and step == "500":
                    continue
                log = self.log(*self.ORBIT, "--method", method, "--step", step, "--time", "19800" if step == "60" else "20000", "--at-event", "apoapsis:mark,times=2",
                               "--at-event", "periapsis:mark,times=3", "--at-event", "node:mark,times=2", "--at-event",
                               "descending", "--at-event", "height=1000:mark,times=4")
                with self.subTest(method=method, step=step):
                    for k, entry in enumerate(log["apoapsis"]):
                        self.assertAlmostEqual(entry["time"], self.PERIOD * (150 / 360 + k), delta=5e-8)
                        self.assertAlmostEqual(entry["distance"], self.AXIS * (1 + self.E), delta=1e-8)
                    self.assertEqual([len(log[k]) for k in sorted(log)], [2, 1, 4, 2, 2])  # of periapsis only two come
                    for k, entry in enumerate(log["periapsis"]):
                        self.assertAlmostEqual(entry["time"], self.PERIOD * (330 / 360 + k), delta=5e-8)
                        self.assertAlmostEqual(entry["distance"], self.AXIS * (1 - self.E), delta=1e-8)
                    for name, nu, k in (("node", -40, 1), ("descending", 140, 0)):
                        nu = math.radians(nu)
                        ecc = 2 * math.atan(math.sqrt((1 - self.E) / (1 + self.E)) * math.tan(nu / 2))
                        when = self.PERIOD * ((ecc - self.E * math.sin(ecc)) / (2 * math.pi) - self.MEAN / 360 + k)
                        self.assertAlmostEqual(log[name][0]["time"], when, delta=2e-8)
                        self.assertLess(abs(log[name][0]["state"][2]), 1e-10)
                    for entry in log["height=1000"]:
                        self.assertLess(abs(entry["distance"] / (RADIUS + 1000) - 1), 4e-16)

    def test_last_bits(self):
        """The value changes its sign between the part of the step that was found and the one before it, whatever the method."""
        for method in ("verlet", "midpoint", "verlet@4", "bm6", "rk4", "rk2", "rk45", "dop853"):
            long = method in ("rk45", "dop853")  # which go on in substeps that a part of a step chooses anew
            log = self.log(*self.ORBIT, "--method", method, "--step", "3000" if long else "300", "--steps", "6" if long else "60", "--at-event", "apoapsis:mark,times=2",
                           "--at-event", "height=1000:mark,times=4")
            for entry in log["apoapsis"]:
                q, p = entry["state"][:3], entry["state"][3:]
                cosine = dot(q, p) / norm(q) / norm(p)
                self.assertLess(abs(cosine), 1e-14, method)
            for entry in log["height=1000"]:
                self.assertLess(abs(entry["distance"] / (RADIUS + 1000) - 1), 1e-15, method)

    def test_start_on_an_event(self):
        """What a start stands on does not happen there, and what has happened does not happen once more."""
        log = self.log("--elements", "a=8000,e=0.1,i=50,node=20,peri=40,M=0", "--method", "wh", "--step", "60", "--steps", "300",
                       "--at-event", "periapsis:mark,times=8")
        self.assertEqual(len(log["periapsis"]), 2)
        self.assertAlmostEqual(log["periapsis"][0]["time"], self.PERIOD, delta=1e-7)
        # nor where a step ends on it: quarters of the period
        log = self.log("--elements", "a=8000,e=0.1,i=50,M=0", "--method", "wh", "--step", repr(self.PERIOD / 40), "--steps", "200",
                       "--at-event", "apoapsis:rtn=0,1e-9,0,times=20")
        self.assertEqual(len(log["apoapsis"]), 5)

    def test_marks_change_nothing(self):
        """The same bits with marks and without, in every method; steps end where they always end."""
        plan = [*self.ORBIT, "--members", "21", "--method", "all,verlet@4,wh@4", "--step", "50", "--steps", "200", "--final", "21", *self.WIDE]
        plain, marked = self.results(*plan), self.results(*plan, "--at-event", "apoapsis", "--at-event", "node:mark,times=2")
        for a, b in zip(plain, marked):
            self.assertEqual(b["events"][0]["members"], 21, b["method"])
            for one, other in zip(a["final"], b["final"]):
                self.assertEqual((one["q"], one["p"]), (other["q"], other["p"]), a["method"])
            self.assertEqual(a["energy"], b["energy"])

    def test_after_and_order(self):
        """Several in one step happen in their order; `after` leaves out what comes before."""
        log = self.log(*self.ORBIT, "--method", "wh", "--step", "3000", "--steps", "5", "--at-event", "node", "--at-event", "periapsis",
                       "--at-event", "apoapsis:mark,after=6000")
        self.assertAlmostEqual(log["periapsis"][0]["time"], self.PERIOD * 330 / 360, delta=1e-7)
        self.assertLess(log["node"][0]["time"], log["periapsis"][0]["time"])
        self.assertGreater(log["node"][0]["time"], 3000)
        self.assertAlmostEqual(log["apoapsis"][0]["time"], self.PERIOD * 510 / 360, delta=1e-7)

    # ---- what ----

    def test_circle(self):
        """An impulse at the apoapsis makes a circle of the orbit; at the periapsis before it, Hohmann's transfer."""
        far = self.AXIS * (1 + self.E)
        change = math.sqrt(MU / far) - math.sqrt(MU * (2 / far - 1 / self.AXIS))
        for method in ("wh", "encke", "rk8", "bm6", "dop853"):
            result = self.results(*self.ORBIT, "--members", "1", "--final", "1", "--method", method, "--step", "60", "--steps", "300",
                                  "--at-event", "apoapsis:rtn=0,%r,0" % change)[0]
            q, p = result["final"][0]["q"], result["final"][0]["p"]
            found = elements_of(q, p)
            self.assertAlmostEqual(found[0], far, delta=1e-5 if method == "bm6" else 1e-8)
            self.assertLess(found[1], 1e-9)
            self.assertLess(abs(result["final"][0]["energy_error"]), 1e-9)  # the work of the impulse is known
            self.assertGreater(result["final"][0]["work"], 1)
            self.assertLess(result["invariants"]["momentum_max_error"], 1e-8)
            self.assertIsNone(result["invariants"]["position_error_max"])

    def test_equals_an_impulse_at_that_time(self):
        """The same as one that is given the time, up to what the last bit of the time is worth."""
        plan = ["--members", "1", "--final", "1", *self.ORBIT, "--method", "rk8", "--step", "60", "--steps", "100"]
        event = self.results(*plan, "--at-event", "apoapsis:rtn=0.01,0.02,0.03")[0]["final"][0]
        timed = self.results(*plan, "--impulse", "t=%r,rtn=0.01,0.02,0.03" % event["events"][0]["time"])[0]["final"][0]
        self.assertLess(norm(add(event["q"], timed["q"], -1)), 1e-9)

    def test_errors_of_impulses(self):
        """Each member's own, each time's own; member 0 has none."""
        result = self.results(*self.ORBIT, "--members", "400", "--final", "400", "--method", "wh", "--step", "60", "--steps", "300",
                              "--at-event", "apoapsis:dv=0,0,0.1,size=0.2,times=2", "--sigma-position", "0", "--sigma-momentum", "0")[0]
        self.assertEqual(len({m["events"][0]["time"] for m in result["final"]}), 1)  # all alike until then
        changes = []
        for m in result["final"]:
            q, p = m["events"][1]["state"][:3], m["events"][1]["state"][3:]
            changes.append(cross(q, p))
        self.assertGreater(len({c[0] for c in changes}), 300)
        work = [m["work"] for m in result["final"]]
        self.assertGreater(len(set(work)), 300)

    def test_ends(self):
        """Lifetime in air: every member ends where it should, has a status for it, and is no failure; those that stay are counted."""
        plan = ["--elements", "a=6560,e=0.001,i=50,M=10", "--members", "40", "--method", "bm6", "--step", "30", "--steps", "700",
                "--param", "drag2=2e-8", "--param", "scale-height=40", "--param", "reference-height=180", "--at-event", "height=120:end",
                "--sigma-momentum", "0.01", "--sigma-position", "1", "--final", "40"]
        result = self.results(*plan)[0]
        event = result["events"][0]
        self.assertEqual(result["failed"], 0)
        self.assertGreater(event["members"], 10)
        self.assertEqual(event["members"] + event["never"], 40)
        times = []
        for m in result["final"]:
            self.assertEqual(m["status"], "ended" if m["events"] else "ok")
            if m["events"]:
                times.append(m["events"][0]["time"])
                self.assertEqual(m["events"][0]["state"], m["q"] + m["p"])  # it stays where it ended
                self.assertAlmostEqual(norm(m["q"]), RADIUS + 120, delta=1e-9)
            else:
                self.assertGreater(norm(m["q"]), RADIUS + 120)
        times.sort()
        self.assertEqual(event["happened"][0]["members"], len(times))
        seen, over_all = event["happened"][0]["time"], event["happened"][0]["time_over_all"]
        self.assertEqual((seen["lowest"], seen["highest"]), (times[0], times[-1]))
        self.quantiles(seen, times)
        self.quantiles(over_all, times + [math.inf] * event["never"])  # who stayed lives longer than all others
        self.assertEqual(over_all["members"], 40)
        self.assertGreater(over_all["q50"], 1.1 * seen["q50"])
        self.assertIsNone(over_all["q95"])
        run = lambda *more: " ".join(self.good("run", "--quiet", *self.EARTH, *plan, *more).out.split())
        self.assertRegex(run(), r"height=120: ended %d of 40, first at t=.*, median over all %.6g, never %d" % (event["members"], over_all["q50"], event["never"]))
        self.assertRegex(run("--steps", "400"), r"first at t=.*, median over all: not reached, never \d")

    def quantiles(self, found, values):
        """Of sorted values, linear between two of them; none where one of these is infinite."""
        for name, level in (("q05", 0.05), ("q25", 0.25), ("q50", 0.5), ("q75", 0.75), ("q95", 0.95)):
            place = level * (len(values) - 1)
            part = place - int(place)
            below, above = values[int(place)], values[int(place) + (part > 0)]
            if math.isinf(above):
                self.assertIsNone(found[name])
            else:
                self.assertAlmostEqual(found[name], below + part * (above - below), delta=1e-9 * values[0])

    def test_lost_members(self):
        """Who is lost before it comes is neither among those who have it nor among those who stay: it is counted by itself."""
        result = self.results("--param", "q0=7000,0,0", "--param", "p0=0,7,0", "--members", "60", "--method", "midpoint", "--step", "400", "--steps",
                              "40", "--sigma-momentum", "2", "--sigma-position", "1", "--final", "60", "--at-event", "height=1500:mark,times=2",
                              "--at-event", "nearest=-7000,0,0", status=3)[0]
        lost = [m["status"] not in ("ok", "ended") for m in result["final"]]
        self.assertEqual(sum(lost), result["failed"])
        for event in result["events"]:
            logs = [[e["time"] for e in m["events"] if e["at"] == event["at"]] for m in result["final"]]
            self.assertEqual(event["lost"], sum(gone and not log for gone, log in zip(lost, logs)))
            self.assertTrue(0 < event["lost"] < event["never"])
            for n, entry in enumerate(event["happened"]):
                counted = [log[n] if len(log) > n else math.inf for gone, log in zip(lost, logs) if len(log) > n or not gone]
                self.assertEqual(entry["time_over_all"]["members"], len(counted))
                self.quantiles(entry["time_over_all"], sorted(counted))
        self.assertEqual(result["events"][1]["closest"]["members"], 60 - sum(lost))

    def test_never(self):
        """Unbound members are told from those whose event is still to come."""
        speed = math.sqrt(2 * MU / 7000)
        result = self.results("--param", "q0=7000,0,0", "--param", "p0=0,%r,0.1" % (speed - 0.01), "--members", "60", "--method", "wh",
                              "--step", "600", "--steps", "30", "--sigma-momentum", "0.1", "--sigma-position", "1", "--final", "60",
                              "--at-event", "apoapsis", "--at-event", "height=1e7")[0]
        apoapsis, height = result["events"]
        free = sum(dot(m["p"], m["p"]) / 2 >= MU / norm(m["q"]) for m in result["final"])
        self.assertTrue(10 < free < 50)
        self.assertEqual((apoapsis["unbound"], height["unbound"]), (free, 0))
        self.assertEqual((apoapsis["never"], height["never"]), (60, 60))
        self.assertIsNone(height["happened"][0]["time"]["mean"])

    def test_nearest(self):
        """The miss distance to a body on an orbit of its own, and to a place, against what a fine trajectory comes to."""
        plan = [*self.ORBIT, "--param", "at1=0,8100,300", "--param", "velocity1=-6.9,0.2,1", "--members", "3", "--method", "rk8"]
        result = self.results(*plan, "--step", "60", "--steps", "100", "--at-event", "nearest=1:mark,times=3", "--at-event",
                              "nearest=1000,-7000,2000", "--final", "3", "--sigma-position", "10")[0]
        chaser = self.results(*plan, "--step", "5", "--steps", "1200", "--every", "1", "--trajectories", "3", "--sigma-position", "10")[0]
        body = self.results("--param", "q0=0,8100,300", "--param", "p0=-6.9,0.2,1", "--members", "1", "--method", "rk8", "--step", "5",
                            "--steps", "1200", "--every", "1", "--trajectories", "1")[0]["trajectories"][0]
        for b in range(3):
            track = chaser["trajectories"][b]
            for at, place in (("nearest=1", body["q"]), ("nearest=1000,-7000,2000", [[1000, -7000, 2000]] * 1201)):
                apart = [norm(add(x, y, -1)) for x, y in zip(track["q"], place)]
                minima = [k for k in range(1, 1200) if apart[k - 1] > apart[k] <= apart[k + 1]]
                found = [e for e in result["final"][b]["events"] if e["at"] == at]
                self.assertEqual(len(found), len(minima[:3]))
                for entry, k in zip(found, minima):
                    self.assertAlmostEqual(entry["time"], track["time"][k], delta=5)
                    self.assertLessEqual(entry["distance"], apart[k] + 1e-9)
                    self.assertAlmostEqual(entry["distance"], apart[k], delta=0.05 * apart[k] + 5)

    def test_closest_approach(self):
        """The least distance of every member: of its approaches, of those its log has no room for as far as ends of steps tell,
        and of the ends of the run."""
        step, name = 60.0, "nearest=1"
        run = ["--method", "wh", "--step", repr(step), "--steps", "300"]
        plan = [*self.ORBIT, *run, "--param", "at1=0,8100,300", "--param", "velocity1=-6.9,0.2,1", "--members", "8", *self.WIDE]
        tracks = self.results(*plan, "--every", "1", "--trajectories", "8")[0]["trajectories"]
        target = self.results(*run, "--param", "q0=0,8100,300", "--param", "p0=-6.9,0.2,1", "--members", "1", "--every", "1", "--trajectories", "1")
        apart = [[norm(add(q, x, -1)) for q, x in zip(track["q"], target[0]["trajectories"][0]["q"])] for track in tracks]
        for times, after in ((9, 0), (1, 0), (9, 9000), (9, 17950)):
            result = self.results(*plan, "--final", "8", "--at-event", "%s:mark,times=%d,after=%d" % (name, times, after))[0]
            closest = result["events"][0]["closest"]
            least = []
            for member, distances in zip(result["final"], apart):
                known = [e["distance"] for e in member["events"]] + distances[math.ceil(after / step):]
                least.append(member["closest"][0])
                self.assertAlmostEqual(least[-1], min(known), delta=1e-8)
            self.assertEqual((closest["members"], closest["full"]), (8, sum(len(m["events"]) == times for m in result["final"])))
            self.assertEqual((closest["lowest"], closest["highest"]), (min(least), max(least)))
            self.quantiles(closest, sorted(least))
            if times == 1:  # a later one was nearer
                self.assertTrue(any(low < m["events"][0]["distance"] - 1 for low, m in zip(least, result["final"])))
        ended = self.results(*plan, "--final", "8", "--at-event", name + ":end")[0]
        self.assertEqual(ended["events"][0]["closest"]["full"], 0)  # nothing comes after it
        for m, distances in zip(ended["final"], apart):
            when = m["events"][0]["time"]
            self.assertAlmostEqual(m["closest"][0], min([m["events"][0]["distance"]] + distances[:math.ceil(when / step)]), delta=1e-8)
        text = " ".join(self.good("run", "--quiet", *self.EARTH, *plan, "--at-event", name).out.split())
        self.assertRegex(text, r"closest approach \S+ to \S+, median \S+ \(8 logs full\)")

    def test_closest_without_an_approach(self):
        """At the start, at the end, at the end of a member, and where an impulse at an event turns it away."""
        plan = [*self.ORBIT, "--members", "1", "--final", "1", "--method", "wh", "--step", "60", "--steps", "12"]  # on its way outward
        end = self.results(*plan)[0]["final"][0]["q"]
        start = self.results(*plan, "--step", "1e-9", "--steps", "1")[0]["final"][0]["q"]
        height = norm(self.results(*plan, "--steps", "6")[0]["final"][0]["q"]) - RADIUS + 1
        there = ["--at-event", "height=%r:end" % height]
        ended = self.results(*plan, *there)[0]["final"][0]["q"]
        for q, part, more in ((start, 0.8, []), (end, 1.2, []), (ended, 1.2, there), (ended, 1.2, ["--at-event", "height=%r:rtn=-5,0,0" % height])):
            found = self.results(*plan, *more, "--at-event", "nearest=%r,%r,%r" % tuple(part * x for x in q))[0]
            self.assertAlmostEqual(found["final"][0]["closest"][-1], 0.2 * norm(q), delta=1e-7)
            self.assertEqual(found["events"][-1]["never"], 1)
            self.assertEqual(found["events"][-1]["closest"]["full"], 0)

    def test_nothing_after_the_end(self):
        """Not even an impulse or a burn in the same step."""
        plan = [*self.ORBIT, "--members", "1", "--final", "1", "--method", "rk8", "--step", "600", "--steps", "20", "--at-event", "apoapsis:end"]
        when = self.results(*plan)[0]["final"][0]["events"][0]["time"]
        for more in (["--impulse", "t=%r,dv=1,0,0" % (when + 1)], ["--burn", "from=%r,for=10,thrust=1e-3" % (when + 1)]):
            end = self.results(*plan, *more)[0]["final"][0]
            self.assertEqual(end["events"][0]["state"], end["q"] + end["p"])
            self.assertEqual(end["status"], "ended")
            self.assertIsNone(end["mass"])

    # ---- the same everywhere ----

    SHARED = [*ORBIT, "--members", "37", *WIDE, "--at-event", "apoapsis:rtn=0,-0.2,0,times=2,size=0.3,angle=0.1", "--at-event",
              "height=300:end", "--at-event", "node:mark,times=3", "--at-event", "nearest=9000,0,0:dv=0,0.1,0,after=1000",
              "--impulse", "t=4000.3,dv=0.01,0,0", "--burn", "from=5000,for=300,thrust=1e-4,exhaust=3"]

    def test_same_bits(self):
        plan = [*self.EARTH, *self.SHARED, "--method", "all,verlet@4,midpoint@6", "--step", "60", "--steps", "200", "--param", "j2=1e-3"]
        digests = {self.digest(*plan, "--isa", isa, "--threads", threads) for isa in self.usable() for threads in "12"}
        self.assertEqual(len(digests), 1)
        for result in self.run_json(*plan)["results"]:
            self.assertTrue(all(0 < e["members"] for e in result["events"]), result["method"])
            self.assertTrue(0 < result["events"][1]["members"] < 37, result["method"])  # some end, some do not

    def test_alone(self):
        """A member by itself has the log that it has among others."""
        plan = [*self.EARTH, *self.SHARED, "--method", "bm6", "--step", "60", "--steps", "200", "--final", "37"]
        among = self.run_json(*plan)["results"][0]["final"]
        for k in (3, 17, 36):
            alone = self.run_json(*plan, "--members", "1", "--first-member", str(k))["results"][0]["final"][0]
            self.assertEqual(alone, among[k])

    def test_file(self):
        """Kept in the file, and read from it; run again from it; a sweep has the logs of all points."""
        path = os.path.join(self.directory.name, "result.h5")
        plan = [*self.EARTH, *self.SHARED, "--method", "wh,rk4", "--step", "60", "--steps", "200", "--final", "5", "--output", path]
        document = self.run_json(*plan)
        self.assertIn(document["digest"], self.good("rerun", path).out)
        os.remove(path)
        swept = self.run_json(*self.EARTH, *self.SHARED, "--members", "5", "--sweep", "j2=1e-3:2e-3:3", "--method", "wh", "--step", "60",
                              "--steps", "200", "--output", path)
        event = swept["results"][0]["events"][0]
        self.assertEqual(event["members"] + event["never"], 15)
        self.assertIn(swept["digest"], self.good("rerun", path).out)
        os.remove(path)

    def test_checkpoint(self):
        """What is done comes from the checkpoint, logs and all; of a sweep, too."""
        path = os.path.join(self.directory.name, "saved")
        plan = [*self.EARTH, *self.SHARED, "--step", "60", "--steps", "200", "--method", "wh,verlet", "--checkpoint", path]
        for more in ([], ["--members", "5", "--sweep", "j2=1e-3:2e-3:3"]):
            first, second = self.run_json(*plan, *more), self.good("run", "--progress", "never", *plan, *more, "--json")
            self.assertIn("all was done", second.err)
            for a, b in zip(first["results"], strict_json(second.out)["results"]):
                self.assertEqual((a["events"], a["failed"]), (b["events"], b["failed"]))
            for name in os.listdir(self.directory.name):
                os.remove(os.path.join(self.directory.name, name))

    def test_bad_input(self):
        run = ["run", *self.EARTH, *self.ORBIT, "--steps", "20", "--step", "10", "--at-event"]
        for event, words in (("perigee", "none of periapsis, apoapsis, node"), ("height", "expected 1"), ("node=1", "expected 0"),
                             ("height=x", "not a finite number"), ("height=1,2", "expected 1"), ("nearest=1,2", "expected 3"),
                             ("nearest=5", "further bodies 1 to 4"), ("nearest=1", "no place"), ("height=-7000", "not above the centre"),
                             ("node:dv=0,0,0", "no change"), ("node:dv=1,0", "should read"), ("node:rtn=1,0,0,dv=1,0,0", "one of mark, end"),
                             ("node:end,dv=1,0,0", "one of mark, end"), ("node:stop", "should read"), ("node:", "missing"),
                             ("node:mark,size=1", "no change"), ("node:dv=1,0,0,size=-1", "not negative"), ("node:mark,times=0", "times is no"),
                             ("node:mark,times=65", "times is no"), ("node:mark,after=-1", "before the start"),
                             ("node:mark,after=200", "the run ends at 200")):
            self.refused([*run, event], "at-event", words)
        self.refused([*run, "node:mark,times=40", "--at-event", "apoapsis:mark,times=40"], "80 times together; at most 64")
        self.refused([*run[:-1], *["--at-event", "node"] * 9], "more than 8")
        self.refused([*run, "node", "--param", "pole=0,0,0"], "pole is no direction")
        self.refused(["run", "--method", "vlv", "--at-event", "node"], "rigid bodies, which have none")
        hyperbola = ["run", *self.EARTH, "--elements", "a=-20000,e=1.5,M=10", "--steps", "20", "--step", "10", "--members", "1", "--at-event"]
        self.refused([*hyperbola, "apoapsis"], "not on an ellipse, and no other orbit has one")
        self.refused([*hyperbola, "periapsis"], "only one behind it")
        self.good(*hyperbola, "apoapsis", "--impulse", "t=5,rtn=0,-5,0")  # which makes it one
        self.good(*hyperbola[:7], "--elements", "a=-20000,e=1.5,M=-10", *hyperbola[9:], "periapsis")
        alike = ["--members", "9", "--sigma-position", "0", "--sigma-momentum", "0"]
        self.refused([*hyperbola, "apoapsis", *alike], "not on an ellipse")

    def test_drawn_onto_ellipses(self):
        """A start on a hyperbola may be waited for at an apoapsis where members are drawn onto ellipses, however they are drawn."""
        plan = [*self.EARTH, "--elements", "a=-5e5,e=1.014,M=0", "--members", "40", "--method", "wh", "--step", "7000", "--steps", "1000", "--final", "40",
                "--at-event", "apoapsis"]
        matrix = os.path.join(self.directory.name, "matrix")
        with open(matrix, "w") as file:
            file.write("\n".join(",".join("1e-2" if i == j and i > 2 else "0" for j in range(6)) for i in range(6)))
        for drawn in (["--sigma-momentum", "0.1", "--sigma-position", "0"], ["--covariance", matrix, "--sigma-momentum", "0", "--sigma-position", "0"]):
            result = self.run_json(*plan, *drawn)["results"][0]
            bound = sum(dot(m["p"], m["p"]) / 2 < MU / norm(m["q"]) for m in result["final"])
            self.assertTrue(5 < bound < 35, bound)
            self.assertEqual(result["events"][0]["unbound"], 40 - bound)
            self.assertGreater(result["events"][0]["members"], 5)
            self.good("run", *plan, *drawn, "--members", "1", "--first-member", "3")
            self.refused(["run", *plan, *drawn, "--members", "1"], "not on an ellipse")
        os.remove(matrix)


if __name__ == "__main__":
    unittest.main()
