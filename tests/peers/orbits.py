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
CASES = {
    "two bodies": {}, "J2": {"j2": J2}, "J2 and a burn": {"j2": J2},
    "J2, air that turns": {"j2": J2, "drag2": 2e-8, "scale-height": 60, "reference-height": 500, "spin": 7.2921159e-5},
    "J2, light and shadow": {"j2": J2, "pressure": "-1e-8,2e-9,3e-9", "shadow": "6378.137,200"},
    "J2, a further body": {"j2": J2, "mu1": 4902.8, "at1": "300000,200000,50000", "velocity1": "-0.6,0.9,0.2", "indirect": 1}}
METHODS = (("rk8", 20.0), ("dop853", 60.0), ("bm6", 10.0), ("wh@8", 20.0))
PEERS = {"heyoka": ["heyoka"], "hapsira": ["hapsira", "astropy<6.1"]}

# Both are given q, v, our parameters by their names, and the ends of pieces, and say the state at each end; a piece burns or does not.
# The light goes on and off in three analytic parts, full, edge and dark, with an event of heyoka's between two of them.
HEYOKA = """
import heyoka as hy, json, math, sys
case = json.load(sys.stdin)
p = case["param"]
q, v = hy.make_vars("x", "y", "z"), hy.make_vars("vx", "vy", "vz")
dot = lambda a, b: sum((i*j for i, j in zip(a[1:], b[1:])), a[0]*b[0])
minus = lambda a, b: [i - j for i, j in zip(a, b)]
r2, z = dot(q, q), q[2]
potential = -p["mu"]/hy.sqrt(r2)*(1. - p["j2"]*p["radius"]**2/r2*(1.5*z*z/r2 - 0.5))
force = [0.]*3
more, also, changes = [], [], []
if p["drag2"]:
    w = [v[0] + p["spin"]*q[1], v[1] - p["spin"]*q[0], v[2]]
    air = p["drag2"]*hy.exp((p["radius"] + p["reference-height"] - hy.sqrt(r2))/p["scale-height"])*hy.sqrt(dot(w, w))
    force = [f - air*c for f, c in zip(force, w)]
size = math.hypot(*p["pressure"])
if size:
    away, (radius, width) = [c/size for c in p["pressure"]], p["shadow"]
    behind = dot(q, away)
    aside2 = r2 - behind*behind
    s = (hy.sqrt(aside2) - radius)/width + 0.5
    light = hy.par[0] + hy.par[1]*s*s*s*(10. - 15.*s + 6.*s*s)
    force = [f + light*c for f, c in zip(force, p["pressure"])]
    def at_edge(inner):
        def change(ta, sign):
            if sum(a*b for a, b in zip(ta.state, away)) > 0:
                ta.pars[:] = ([0., 1.] if sign > 0 else [0., 0.]) if inner else ([1., 0.] if sign > 0 else [0., 1.])
                case["changes"] = case.get("changes", 0) + 1
            return True
        return change
    changes = [hy.t_event(aside2 - (radius + part*width/2)**2, callback=at_edge(part < 0)) for part in (1, -1)]
pulls = [-hy.diff(potential, i) for i in q]
if p["mu1"]:
    body, speed = hy.make_vars("bx", "by", "bz"), hy.make_vars("bu", "bv", "bw")
    apart = minus(body, q)
    centre = dot(body, body)
    pulls = [f + p["mu1"]*(a/(dot(apart, apart)*hy.sqrt(dot(apart, apart))) - p["indirect"]*b/(centre*hy.sqrt(centre))) for f, a, b in zip(pulls, apart, body)]
    more = list(zip(body, speed)) + [(u, -(p["mu"] + p["indirect"]*p["mu1"])*b/(centre*hy.sqrt(centre))) for u, b in zip(speed, body)]
    also = p["at1"] + p["velocity1"]
out, state, time = [], case["q"] + case["v"] + also, 0.0
apoapsis = []
for piece in case["pieces"]:
    mass = p["m"] - piece["flow"]*(hy.time - piece["since"]) - piece["gone"]
    push = piece["thrust"]/hy.sqrt(dot(v, v))
    system = list(zip(q, v)) + [(c, a + (f + (push*c if piece["thrust"] else 0.))/mass) for c, a, f in zip(v, pulls, force)] + more
    seen = lambda ta, t, sign: apoapsis.append(t)
    events = [hy.nt_event(dot(q, v), callback=seen, direction=hy.event_direction.negative)]
    ta = hy.taylor_adaptive(system, state, time=time, tol=1e-16, nt_events=events, t_events=changes, **({"pars": [1., 0.]} if size else {}))
    ta.propagate_until(piece["until"])
    state, time = list(ta.state), piece["until"]
    out.append(state)
assert not size or case["changes"] > 20, "it starts in the light, and goes through the shadow"
print(json.dumps({"version": hy.__version__, "states": out, "apoapsis": apoapsis}))
"""
HAPSIRA = """
import json, sys
import numpy as np
import hapsira
from hapsira.core.perturbations import J2_perturbation
from hapsira.core.propagation import cowell, func_twobody
case = json.load(sys.stdin)
p = case["param"]
out, q, v, time = [], np.array(case["q"]), np.array(case["v"]), 0.0
for piece in case["pieces"]:
    begin = time
    def f(t, u, k):
        rate = func_twobody(t, u, k)
        rate[3:] += J2_perturbation(t, u, k, p["j2"], p["radius"])
        if piece["thrust"]:
            mass = p["m"] - piece["gone"] - piece["flow"]*(begin + t - piece["since"])
            rate[3:] += piece["thrust"]/mass*u[3:]/np.linalg.norm(u[3:])
        return rate
    q, v = (a[-1] for a in cowell(p["mu"], q, v, [piece["until"] - time], rtol=1e-13, f=f))
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


def ours(program, forces, burn, method, step, until):
    """Final state, and the times of apoapsides."""
    steps = round(until / step)
    argv = [program, "run", "--quiet", "--progress", "never", "--json", "--backend", "cpu", "--problem", "orbit-circular", "--members", "1", "--final", "1",
            "--param", f"mu={MU!r}", "--param", f"m={MASS!r}", "--elements", f"a={A!r},e={E!r},i={I!r},node={NODE!r},peri={PERI!r},M={M!r}",
            *(text for name, value in forces.items() for text in ("--param", f"{name}={value}")), "--param", f"radius={RADIUS!r}", "--method", method, "--step", repr(until / steps), "--steps", str(steps),
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
    for title, forces in CASES.items():
        burn = "a burn" in title
        for method, step in METHODS:
            if method in ("bm6", "wh@8") and (burn or "drag2" in forces or "pressure" in forces):
                continue  # of order 2 where a force depends on the velocity, which docs/limits.md says, or is pushed
            q, v, times, param = ours(program, forces, burn, method, step, until)
            start = {"param": param, "q": param["q0"], "v": [p / MASS for p in param["p0"]], "pieces": pieces(burn, until)}
            cells = []
            for name in PEERS:
                if name == "hapsira" and set(forces) - {"j2"}:
                    cells.append("")
                    continue
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
