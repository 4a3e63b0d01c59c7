#!/usr/bin/env python3
"""orbits.py - the same orbits by programs that nobody here wrote: heyoka (Taylor series) and hapsira (its own J2, scipy's DOP853).

    tests/peers/orbits.py PROGRAM [FOLDER]

Each peer is installed by pip into an environment of its own under FOLDER (by default one that is removed again), computes in a process
of its own, and says where the spacecraft is.  A table has the distances, relative to the radius; above 1e-9 the script fails.  It is
for people: it needs the network, and is no part of the test suite."""
import json
import math
import os
import subprocess
import sys
import tempfile

MU, RADIUS, J2 = 398600.4418, 6378.137, 1.08263e-3
A, E, I, NODE, PERI, M = 7000.0, 0.01, 98.0, 10.0, 30.0, 20.0
PERIOD = 2 * math.pi * math.sqrt(A**3 / MU)
MASS, THRUST, EXHAUST, FROM, FOR = 100.0, 1e-2, 3.0, 3000.0, 600.0  # kg, kN, km/s: some 60 m/s
LIMIT = 1e-9
PEERS = {"heyoka": ["heyoka"], "hapsira": ["hapsira", "astropy<6.1"]}

# Both are given q, v and the ends of pieces, and say the state at each end; a piece has J2 or not, burns or does not.
HEYOKA = """
import heyoka as hy, json, sys
case = json.load(sys.stdin)
x, y, z, vx, vy, vz = hy.make_vars("x", "y", "z", "vx", "vy", "vz")
r2 = x*x + y*y + z*z
potential = -case["mu"]/hy.sqrt(r2)*(1. - case["j2"]*case["radius"]**2/r2*(1.5*z*z/r2 - 0.5))
speed = hy.sqrt(vx*vx + vy*vy + vz*vz)
out, state, time = [], case["q"] + case["v"], 0.0
apoapsis = []
for piece in case["pieces"]:
    mass = case["mass"] - piece["flow"]*(hy.time - piece["since"]) - piece["gone"]
    push = piece["thrust"]/mass/speed
    system = [(x, vx), (y, vy), (z, vz)] + [(v, -hy.diff(potential, q) + (push*v if piece["thrust"] else 0.)) for q, v in ((x, vx), (y, vy), (z, vz))]
    seen = lambda ta, t, sign: apoapsis.append(t)
    events = [hy.nt_event(x*vx + y*vy + z*vz, callback=seen, direction=hy.event_direction.negative)]
    ta = hy.taylor_adaptive(system, state, time=time, tol=1e-16, nt_events=events)
    ta.propagate_until(piece["until"])
    state, time = list(ta.state), piece["until"]
    out.append(state)
print(json.dumps({"version": hy.__version__, "states": out, "apoapsis": apoapsis}))
"""
HAPSIRA = """
import json, sys
import numpy as np
import hapsira
from hapsira.core.perturbations import J2_perturbation
from hapsira.core.propagation import cowell, func_twobody
case = json.load(sys.stdin)
out, q, v, time = [], np.array(case["q"]), np.array(case["v"]), 0.0
for piece in case["pieces"]:
    begin = time
    def f(t, u, k):
        rate = func_twobody(t, u, k)
        rate[3:] += J2_perturbation(t, u, k, case["j2"], case["radius"])
        if piece["thrust"]:
            mass = case["mass"] - piece["gone"] - piece["flow"]*(begin + t - piece["since"])
            rate[3:] += piece["thrust"]/mass*u[3:]/np.linalg.norm(u[3:])
        return rate
    q, v = (a[-1] for a in cowell(case["mu"], q, v, [piece["until"] - time], rtol=1e-13, f=f))
    time = piece["until"]
    out.append([*q, *v])
print(json.dumps({"version": hapsira.__version__, "states": out}))
"""


def python_with(folder, name):
    """An environment with the peer alone, made where there is none."""
    place = os.path.join(folder, name)
    python = os.path.join(place, "bin", "python")
    if not os.path.exists(python):
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PEERS[name]], check=True)
    return python


def ask(folder, name, case):
    script = {"heyoka": HEYOKA, "hapsira": HAPSIRA}[name]
    done = subprocess.run([python_with(folder, name), "-c", script], input=json.dumps(case), stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def ours(program, j2, burn, method, step, until):
    """Final state, and the times of apoapsides."""
    steps = round(until / step)
    argv = [program, "run", "--quiet", "--progress", "never", "--json", "--backend", "cpu", "--problem", "orbit-circular", "--members", "1", "--final", "1",
            "--param", f"mu={MU!r}", "--param", f"m={MASS!r}", "--elements", f"a={A!r},e={E!r},i={I!r},node={NODE!r},peri={PERI!r},M={M!r}",
            "--param", f"j2={j2!r}", "--param", f"radius={RADIUS!r}", "--method", method, "--step", repr(until / steps), "--steps", str(steps),
            "--at-event", "apoapsis:mark,times=12"]
    if burn:
        argv += ["--burn", f"from={FROM!r},for={FOR!r},thrust={THRUST!r},exhaust={EXHAUST!r}"]
    document = json.loads(subprocess.run(argv, stdout=subprocess.PIPE, check=True).stdout)
    end = document["results"][0]["final"][0]
    return end["q"], [p / MASS for p in end["p"]], [e["time"] for e in end["events"]], document["plan"]["param"]


def pieces(burn, until):
    coast = {"thrust": 0.0, "flow": 0.0, "since": 0.0, "gone": 0.0}
    if not burn:
        return [dict(coast, until=until)]
    flow = THRUST / EXHAUST
    return [dict(coast, until=FROM), {"until": FROM + FOR, "thrust": THRUST, "flow": flow, "since": FROM, "gone": 0.0}, dict(coast, until=until)]


def main(program, folder):
    until, worst = 10 * PERIOD, 0.0
    print("| | method, step | heyoka | its apoapsides | hapsira |\n|---|---|---|---|---|")
    versions = {}
    for title, j2, burn in (("two bodies", 0.0, 0), ("J2", J2, 0), ("J2 and a burn", J2, 1)):
        for method, step in (("rk8", 20.0), ("dop853", 60.0), ("bm6", 10.0), ("wh@8", 20.0)):
            if burn and method in ("bm6", "wh@8"):
                continue  # of order 2 where a force depends on the velocity, which docs/limits.md says
            q, v, times, param = ours(program, j2, burn, method, step, until)
            start = {"mu": MU, "j2": j2, "radius": RADIUS, "mass": MASS, "q": param["q0"], "v": [p / MASS for p in param["p0"]], "pieces": pieces(burn, until)}
            cells = []
            for name in PEERS:
                theirs = ask(folder, name, start)
                versions[name] = theirs["version"]
                apart = math.dist(q, theirs["states"][-1][:3]) / math.dist(q, [0, 0, 0])
                worst = max(worst, apart)
                cells.append("%.1e" % apart)
                if name == "heyoka":
                    late = max(abs(a - b) for a, b in zip(times, theirs["apoapsis"]))
                    assert len(times) == len(theirs["apoapsis"]) > 8, (times, theirs["apoapsis"])
                    cells.append("%.1e s" % late)
            print("| %s | %s, %g s | %s |" % (title, method, step, " | ".join(cells)), flush=True)
    print("\n" + ", ".join("%s %s" % item for item in versions.items()))
    if not worst < LIMIT:
        sys.exit("they are apart by %.1e of the radius, and should be by less than %g" % (worst, LIMIT))


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as own:
        main(os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else own)
