"""peers_motions.py - the motions that bench/peers compares programs on, written once for all of them but ours, and where
they end, to more digits than any of the programs has.

A field takes the numbers of a state, one argument each, and returns their rates.  The numbers are arrays of 80-bit reals
here, heyoka's expressions or numba's doubles there, and each has its own way to write 1/sqrt(x) and 1/sqrt(x)^3."""
import math

import numpy as np

ALPHA, ATTRACTOR, MGL, MU = 0.3, 2.5, 20.0, 3200.9998


def fields(inverse_root, inverse_cube):
    """stress, free, top-slow on (quaternion, body angular velocity), the orbit on (position, momentum)."""
    aw, ax, az = math.cos(ATTRACTOR / 2), -math.sin(ATTRACTOR / 2) * math.sqrt(0.5), -math.sin(ATTRACTOR / 2) * math.sqrt(0.5)

    def stress(qw, qx, qy, qz, x, y, z):
        rw, rx, ry, rz = aw * qw - ax * qx - az * qz, aw * qx + ax * qw - az * qy, aw * qy - ax * qz + az * qx, aw * qz + ax * qy + az * qw
        push = (8.0 * inverse_root(8.0 * (qx * qx + qy * qy + qz * qz)) - 8.0) * qw
        pull = (4.0 * ALPHA) * inverse_cube(8.0 * (rx * rx + ry * ry + rz * rz)) * rw
        return (-0.5 * (qx * x + qy * y + qz * z), 0.5 * (qw * x + qy * z - qz * y), 0.5 * (qw * y + qz * x - qx * z),
                0.5 * (qw * z + qx * y - qy * x), -(y * z) + 0.5 * (push * qx - pull * rx), z * x + 0.5 * (push * qy - pull * ry),
                0.25 * (push * qz - pull * rz))

    def free(qw, qx, qy, qz, x, y, z):  # J = (1, 2, 3)
        return (-0.5 * (qx * x + qy * y + qz * z), 0.5 * (qw * x + qy * z - qz * y), 0.5 * (qw * y + qz * x - qx * z),
                0.5 * (qw * z + qx * y - qy * x), -(y * z), z * x, (x * y) * (-1.0 / 3.0))

    def top(qw, qx, qy, qz, x, y, z):  # J = (5, 5, 1); the vertical in the body is (2 (qx qz - qw qy), 2 (qy qz + qw qx), ...)
        return (-0.5 * (qx * x + qy * y + qz * z), 0.5 * (qw * x + qy * z - qz * y), 0.5 * (qw * y + qz * x - qx * z),
                0.5 * (qw * z + qx * y - qy * x), 0.8 * (y * z) + (0.4 * MGL) * (qy * qz + qw * qx),
                -0.8 * (z * x) - (0.4 * MGL) * (qx * qz - qw * qy), 0.0 * z)

    def orbit(x, y, z, u, v, w):
        pull = -MU * inverse_cube(x * x + y * y + z * z)
        return (u, v, w, pull * x, pull * y, pull * z)

    return {"stress": stress, "free": free, "top-slow": top, "orbit-elliptic": orbit}


def stress_energy(y):
    """E of states, a row for each number, J = (2, 2, 4)."""
    w, v = np.asarray(y[0]), np.asarray(y[1:4])
    half = ATTRACTOR / 2
    dot = math.cos(half) * w + math.sin(half) * math.sqrt(0.5) * (v[0] + v[2])
    near = np.sqrt(8 * (v * v).sum(0))
    return y[4] ** 2 + y[5] ** 2 + 2 * y[6] ** 2 + (near - 1) ** 2 - ALPHA / np.sqrt(8 * (1 - dot * dot))


# A day in a low orbit: J2, air that turns with the Earth, two burns along the velocity that take mass; km, s, kg.
EARTH = {"mu": 398600.4418, "radius": 6378.137, "j2": 1.08263e-3, "m": 100.0, "drag2": 2e-10, "scale-height": 60.0, "reference-height": 500.0,
         "spin": 7.2921159e-5}
THRUST, EXHAUST, BURNS = 1e-5, 2.2, ((6000.0, 300.0), (40000.0, 300.0))  # from, for


def navigation(root, exp):
    """Of (position, velocity), with the mass that is left and the thrust."""
    earth, mu, radius = EARTH, EARTH["mu"], EARTH["radius"]
    flat, base = 1.5 * earth["j2"] * radius * radius, radius + earth["reference-height"]

    def field(x, y, z, u, v, w, mass, thrust):
        square = x * x + y * y + z * z
        r = root(square)
        pull, oblate, tilt = -mu / (square * r), flat / square, 5.0 * z * z / square
        across, along = pull * (1.0 + oblate * (1.0 - tilt)), pull * (1.0 + oblate * (3.0 - tilt))
        a, b = u + earth["spin"] * y, v - earth["spin"] * x
        air = -earth["drag2"] * exp((base - r) / earth["scale-height"]) * root(a * a + b * b + w * w) / mass
        push = thrust / (mass * root(u * u + v * v + w * w)) if thrust else 0.0
        return (u, v, w, across * x + air * a + push * u, across * y + air * b + push * v, along * z + air * w + push * w)

    return field


def pieces(time):
    """Ends, whether it burns, and the mass at the beginning, up to the last end."""
    found, mass = [], EARTH["m"]
    for begin, length in BURNS:
        found += [(begin, 0, mass), (begin + length, 1, mass)]
        mass -= THRUST / EXHAUST * length
    return found + [(time, 0, mass)]


def end_of_navigation(starts, time, step):
    """As end_of, piece by piece, with the mass as a seventh number."""
    field = navigation(np.sqrt, np.exp)
    y, now = np.concatenate([np.array(starts, dtype=np.longdouble).T, np.full((1, len(starts)), EARTH["m"], dtype=np.longdouble)]), 0.0
    for until, burning, _ in pieces(time):
        thrust, flow = np.longdouble(THRUST) * burning, -np.longdouble(THRUST) / np.longdouble(EXHAUST) * burning
        rates = lambda *state: (*field(*state, thrust), flow + 0 * state[6])
        count = math.ceil((until - now) / step)
        for _ in range(count):
            y = y + change_of(rates, y, (np.longdouble(until) - now) / count)
        now = until
    return y[:6].T


LONG = fields(lambda x: 1 / np.sqrt(x), lambda x: 1 / (x * np.sqrt(x)))
COLUMNS = 8


def change_of(field, y, h):
    """In a step by Gragg's midpoint rule with 2, 4, ..., 16 substeps, extrapolated (Bulirsch and Stoer): of order 16.
    Sums are of changes, whose rounding is smaller than that of the states."""
    rates = lambda change: np.array(field(*(y + change)))
    first, table = rates(0), []
    for column in range(COLUMNS):
        count = 2 * (column + 1)
        part, before, now = h / count, 0, h / count * first
        for _ in range(count - 1):
            before, now = now, before + 2 * part * rates(now)
        row = [(before + now + part * rates(now)) / 2]
        for k in range(column):
            ratio = np.longdouble(count) / (2 * (column - k))
            row.append(row[k] + (row[k] - table[k]) / (ratio * ratio - 1))
        table = row
    return table[-1]


def end_of(problem, starts, time, steps):
    """Where the starts, a row each, end; 80-bit reals, whose rounding is 2^-64."""
    y = np.array(starts, dtype=np.longdouble).T.copy()
    h = np.longdouble(time) / steps
    for _ in range(steps):
        y = y + change_of(LONG[problem], y, h)
    return y.T


def matrix(q):
    """The rotation of quaternions, a row each, of any length."""
    q = q / np.sqrt((q * q).sum(1))[:, None]
    w, x, y, z = q.T
    return np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z), 1 - 2 * (x * x + z * z),
                     2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=1)
