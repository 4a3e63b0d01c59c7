#!/usr/bin/env python3
"""Derives the coefficients in kernels/elementary.h; with --check compares them with the header, digit by digit.

Each polynomial is the least-squares fit of the relative error on Chebyshev nodes, done in 60 digits, which comes
within a few per cent of the minimax one.  Coefficients are rounded to double one by one from the constant upwards
and the rest refitted after each, so that the small ones make up for the rounding of the large ones."""
import os
import re
import struct
import sys

from mpmath import mp, mpf

mp.dps = 60
HEADER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "kernels", "elementary.h")


def fit(function, weight, low, high, degree, given=()):
    """Double coefficients, constant first, that make (function - polynomial) * weight small over [low, high]."""
    count = 4 * (degree + 1)
    middle, radius = (mpf(low) + mpf(high)) / 2, (mpf(high) - mpf(low)) / 2
    nodes = [middle + radius * mp.cos(mp.pi * (2 * i + 1) / (2 * count)) for i in range(count)]
    known = [mpf(c) for c in given]
    while len(known) <= degree:
        rows, right = [], []
        for s in nodes:
            w = weight(s)
            rows.append([w * s**k for k in range(len(known), degree + 1)])
            right.append(w * (function(s) - sum(c * s**k for k, c in enumerate(known))))
        known.append(mpf(float(mp.lu_solve(mp.matrix(rows), mp.matrix(right))[0])))
    return [float(c) for c in known]


def alternating(s, first):
    """The sum of (-s)^k / (2 k + first)!"""
    return sum((-s)**k / mp.factorial(2 * k + first) for k in range(24))


def atan_tail(z):
    return (mp.atan(mp.sqrt(z)) / mp.sqrt(z) - 1) / z


def asin_tail(z):
    return (mp.asin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z


def guess(magic, x):
    bits = magic - (struct.unpack("<q", struct.pack("<d", x))[0] >> 1)
    return struct.unpack("<d", struct.pack("<q", bits))[0]


def rsqrt_step(magic):
    """A step c^2 + linear c + constant near 1/sqrt(c), c = x guess^2: its least and greatest relative error, a and b
    in (c + a)^2 + b.  For x just above a power of 4 it must end below the result: above, y y would be of the next
    binade and round twice as coarsely as the result does."""
    products = [x * guess(magic, x)**2 for x in (1 + 3 * i / 4096 for i in range(4096))]
    low, high, joint = min(products), max(products), mpf(products[0])
    linear = fit(lambda c: 1 / mp.sqrt(c) - c * c, mp.sqrt, low, high, 1)[1]
    constant = (1 - mpf("5e-7")) / mp.sqrt(joint) - joint**2 - linear * joint
    points = (low + (high - low) * i / 200 for i in range(201))
    errors = [c**0.5 * (c * c + linear * c + float(constant)) - 1 for c in points]
    return min(errors), max(errors), linear / 2, float(constant - mpf(linear / 2)**2)


def rsqrt_constants():
    """The magic, in steps of 2^40, whose step is most accurate; that step; and the last step, highest power first."""
    magic = min((m << 40 for m in range(0x5fe200, 0x5fe240)), key=lambda m: max(map(abs, rsqrt_step(m)[:2])))
    least, greatest, a, b = rsqrt_step(magic)
    last = fit(lambda e: (1 / mp.sqrt(1 + e) - 1) / e, lambda e: e, 2 * least, 2 * greatest, 2)
    return [hex(magic)] + [repr(c) for c in (a, b, last[2], last[1], last[0])]


def split(value, first=None):
    """value as three doubles; the first one may be given."""
    a = first or float(value)
    b = float(value - a)
    return a, b, float(value - a - b)


def constants():
    """What each function of the header holds, in the order in which it stands there."""
    half_pi, quarter_pi, ln2 = split(mp.pi / 2), split(mp.pi / 4), split(mp.ln2)
    log_ln2 = split(mp.ln2, float.fromhex("0x1.62e42feep-1"))  # 32 bits: its multiples up to 2^21 are exact
    cosc = fit(lambda s: alternating(s, 2), lambda s: 1 / alternating(s, 2), 0, 1, 6, [0.5])
    sinc3 = fit(lambda s: alternating(s, 3), lambda s: 1 / alternating(s, 3), 0, 1, 6, [1 / 6])
    exp = fit(lambda r: mp.hyp1f1(1, 3, r) / 2, lambda r: r * r / mp.exp(r), -0.3466, 0.3466, 9, [0.5])
    log = fit(lambda z: sum(2 * z**k / (2 * k + 3) for k in range(40)), lambda z: z / 2, 0, 0.02944, 6)
    atan = fit(atan_tail, lambda z: z, 0, 0.17158, 10)
    asin = fit(asin_tail, lambda z: z / (1 + z * asin_tail(z)), 0, 0.25, 11)
    return {
        "real_rsqrt": rsqrt_constants(),
        "versine_tail": [repr(c) for c in cosc[:0:-1]],
        "cosc_series": [repr(cosc[0])],
        "sine_tail": [repr(c) for c in sinc3[:0:-1]],
        "sinc3_series": [repr(sinc3[0])],
        "sine_versine": [repr(c) for c in split(mpf(1) / 6)[:2]],
        "reduce_quadrant": [repr(c) for c in (float(2 / mp.pi), -half_pi[0], -half_pi[1], -half_pi[2])],
        "exp_series": [repr(c) for c in exp[::-1]],
        "real_exp": [repr(c) for c in (float(1 / mp.ln2), -ln2[0], -ln2[1], -ln2[1])],
        "log_series": [repr(c) for c in log[::-1]],
        "real_log": [repr(c) for c in log_ln2[:2]],
        "atan_series": [repr(c) for c in atan[::-1]],
        "asin_series": [repr(c) for c in asin[::-1]],
        "arc_of_ratio": [repr(float(mp.sqrt(2) - 1)), repr(quarter_pi[0]), repr(quarter_pi[1])],
    }


def main():
    with open(HEADER, encoding="utf-8") as header:
        text = header.read()
    for name, expected in constants().items():
        if "--check" not in sys.argv[1:]:
            print(name, *expected)
            continue
        body = re.search(r"FN \w+ %s\([^)]*\) \{.*?\n\}" % name, text, re.S).group()
        found = iter(re.findall(r"0x[0-9a-f]+\b|-?\d+\.\d+(?:e[-+]?\d+)?", body))
        if not all(number in found for number in expected):  # each in turn, in order
            print("%s: expected %s" % (name, " ".join(expected)))
            sys.exit(1)


if __name__ == "__main__":
    main()
