#!/usr/bin/env python3
"""The verdict, calculated again from stored trajectories by the rule of host/verdict.h, without the program's own code: every
number that it rests on, the verdict and the reason.  SPINDRIFT names the program."""
import math
import unittest

from command_line import Case

T95 = {1: 12.7062047361747, 2: 4.302652729749464, 4: 2.776445105197794, 15: 2.131449545559776}
T999 = {15: 4.072765195903792}


def slope(times, values, begin, length):
    points = [(t, v, (t - begin) / length) for t, v in zip(times, values) if t is not None]
    points = [(t, v, (x * (1 - x)) ** 2) for t, v, x in points if 0 < x < 1]
    mean = math.fsum(w * t for t, _, w in points) / math.fsum(w for _, _, w in points)
    return math.fsum(w * (t - mean) * v for t, v, w in points) / math.fsum(w * (t - mean) ** 2 for t, _, w in points)


def windows(times, values, length, part):
    return [slope(times, values, j * length / 32, length / part) for j in range(32 - 32 // part + 1)]


def line(times, values):
    mean_t, mean = math.fsum(times) / len(times), math.fsum(values) / len(values)
    rise = math.fsum((t - mean_t) * (v - mean) for t, v in zip(times, values)) / math.fsum((t - mean_t) ** 2 for t in times)
    return rise, math.fsum((v - mean - rise * (t - mean_t)) ** 2 for t, v in zip(times, values)) / len(times)


def judge(result, stages, resolve):
    """What the numbers are, and what follows from them."""
    series, bodies = result["series"], [b["energy_error"] for b in result["trajectories"]]
    times, length, n = series["time"], result["time"], len(bodies)
    half = len(times) // 2
    slopes = [slope(times, e, 0, length) for e in bodies]
    b = math.fsum(slopes) / n
    a, sign = abs(b), -1 if b < 0 else 1
    error = math.sqrt(math.fsum((s - b) ** 2 for s in slopes) / (n - 1) / n) if n > 1 else 0
    variance = math.fsum(line(times, e)[1] for e in bodies) / n
    rms = math.sqrt(variance)
    h, q = windows(times, series["mean"], length, 2), windows(times, series["mean"], length, 4)
    r2, r4 = max(abs(v - b) for v in h), max(abs(v - b) for v in q)
    reach = max(min(r4 / 4, r2), T95[n - 1] * error if n > 1 else 0)
    halves = [(e[:half], e[half:]) for e in bodies]
    changes = [(math.fsum(y) / len(y) - math.fsum(x) / len(x)) ** 2 for x, y in halves]
    walks = [(line(times[:half], x)[0] ** 2 + line(times[half:], y)[0] ** 2) / 2 for x, y in halves]
    scale = result["energy"]["scale"]
    numbers = {"slope": b, "reach": reach, "change_over_rms": b * length / rms, "reach_over_rms": reach * length / rms, "halves": r2,
               "quarters": r4, "rising": sum(s > 0 for s in slopes) / n, "falling": sum(s < 0 for s in slopes) / n,
               "rms": rms, "shared": line(times, series["mean"])[1] / variance, "wander": math.sqrt(math.fsum(changes) / n),
               "walks": math.sqrt(math.fsum(walks) / n), "rounding": 2.0**-53 * scale * (stages / 8 + 4 * math.sqrt(stages))}
    if any(t is not None for t in series["witness_time"]):
        numbers["witness"] = slope(series["witness_time"], series["witness"], 0, length)
        numbers["witness_quarters"] = max(abs(v - numbers["witness"]) for v in windows(series["witness_time"], series["witness"], length, 4))

    if max(abs(e) for body in bodies for e in body) <= numbers["rounding"]:
        return numbers, "bounded"
    lead = sum(1 if s * sign > 0 else -1 for s in slopes)
    crowd = n >= 12 and lead > 3.3 * math.sqrt(n)
    one_mind = lead == n if n < 6 else a > T95[n - 1] * error or crowd
    h, q = [sign * v for v in h], [sign * v for v in q]
    top = max(h) < 4 * a and max(q) < 8 * a and a * length > 0.01 * rms and a * length > numbers["rounding"]
    loose = top and min(h) > -a / 4 and min(q) > -a
    steady = top and min(h) > 0 and min(q) > a / 3 and one_mind
    regular = loose and r2 < r4 / 10 and one_mind
    many = n >= 8 and loose and numbers["shared"] < 0.7 and (a > T999[n - 1] * error or crowd)
    if steady or regular or many:
        seen = "witness" not in numbers or abs(numbers["witness"] - b) < a / 2 and a > numbers["witness_quarters"] / 4
        return numbers, ("drifts +" if sign > 0 else "drifts -") if seen else "undecided"
    low, high = min(series["lowest"][half:]), max(series["highest"][half:])
    back = low - (high - low) <= 0 <= high + (high - low)
    part = slice(len(times) // 8, len(times) - len(times) // 8)
    bottom, top = min(series["lowest"][part]), max(series["highest"][part])
    back = back and min(series["lowest"]) >= bottom - (top - bottom) and max(series["highest"]) <= top + (top - bottom)
    wander = numbers["wander"] ** 2 >= 0.35 * (numbers["walks"] * length / 2) ** 2 and numbers["wander"] ** 2 >= 0.01 * variance
    return numbers, "bounded" if (a + reach) * length < resolve * rms and back and not wander else "undecided"


class Rule(Case):
    PLANS = (("--method", "eln,vlv,rk4,tln,split", "--members", "16", "--time", "500"),
             ("--method", "eln,vlv,mcg", "--members", "2", "--time", "250", "--every", "1"),
             ("--method", "eln,vlv,new3,rattle@4", "--members", "1", "--time", "300"),
             ("--method", "eln,vlv,prk", "--members", "3", "--time", "61", "--resolve", "0.5"),
             ("--problem", "free", "--method", "rattle,vlv,rk4,akw", "--members", "5", "--step", "0.1", "--time", "203.3", "--every", "7"),
             ("--problem", "orbit-elliptic", "--method", "rk2,rk4,verlet,midpoint", "--members", "16", "--step", "60", "--time", "86400"))

    def check(self, found, expected, name, of=0.0):
        self.assertLessEqual(abs(found - expected), 1e-9 * max(abs(expected), abs(of)), f"{name}: {found}, not {expected}")

    def test_numbers_and_words(self):
        verdicts = set()
        for plan in self.PLANS:
            members = plan[plan.index("--members") + 1]
            resolve = float(plan[plan.index("--resolve") + 1]) if "--resolve" in plan else 0.1
            document = self.run_json(*plan, "--series", "--trajectories", members)
            for result in document["results"]:
                with self.subTest(plan=" ".join(plan), method=result["method"]):
                    stages = document["plan"]["steps"] * (5 if "@4" in result["method"] else 1)
                    numbers, verdict = judge(result, stages, resolve)
                    drift, energy = result["energy"]["drift"], result["energy"]
                    size = numbers["rms"] / result["time"]
                    for name in ("slope", "reach", "halves", "quarters", "rising", "falling", "witness", "witness_quarters"):
                        if name in numbers:
                            self.check(drift[name], numbers[name], name, size)
                    for name in ("change_over_rms", "reach_over_rms"):
                        self.check(drift[name], numbers[name], name, 1)
                    self.check(energy["oscillation"]["rms"], numbers["rms"], "rms", energy["rms_error"])
                    self.check(energy["oscillation"]["shared"], numbers["shared"], "shared", 1)
                    self.check(energy["wander"]["rms"], numbers["wander"], "wander", numbers["rms"])
                    self.check(energy["wander"]["slopes"], numbers["walks"], "walks", size)
                    self.check(energy["rounding"], numbers["rounding"], "rounding")
                    self.check(result["resolved"], numbers["reach"] * result["time"], "resolved", numbers["rms"])
                    self.assertEqual(result["verdict"], verdict, result["because"])
                    if "is excluded" in result["because"]:
                        left = abs(numbers["change_over_rms"]) + numbers["reach_over_rms"]
                        self.check(drift["limit"], min(2 * left, resolve), "limit", 1)
                    else:
                        self.assertIsNone(drift["limit"])
                    verdicts.add(verdict)
        self.assertEqual(verdicts, {"drifts +", "drifts -", "bounded", "undecided"})

    def test_witnesses_saw_what_was_there(self):
        """At the steps between the samples, the mean is that of a run that samples all of them, to the bit."""
        plan = ("--method", "eln", "--members", "300", "--step", "0.125", "--steps", "1000", "--series")
        seen = self.run_json(*plan, "--every", "9")["results"][0]["series"]
        every = self.run_json(*plan, "--every", "1")["results"][0]["series"]
        self.assertEqual(len(seen["time"]), 113)
        self.assertIsNone(seen["witness"][0])
        offsets = set()
        for k in range(1, 112):
            step = round(seen["witness_time"][k] / 0.125)
            self.assertEqual(seen["witness"][k], every["mean"][step])
            offsets.add(step - 9 * (k - 1))
        self.assertEqual(offsets, set(range(1, 10)))
        self.assertEqual(set(every["witness"]), {None})  # there is nothing between the samples


if __name__ == "__main__":
    unittest.main()
