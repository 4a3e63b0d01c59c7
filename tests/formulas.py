"""formulas.py - rotations, energies and slopes, written down independently of the program."""
import math


def product(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def trace_of_product(a, b):
    """tr(aᵀ b)"""
    return sum(x * y for row_a, row_b in zip(a, b) for x, y in zip(row_a, row_b))


def rotation(vector):
    angle = math.sqrt(sum(x * x for x in vector))
    if angle == 0:
        return [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    x, y, z = (c / angle for c in vector)
    c, s = math.cos(angle), math.sin(angle)
    return [[c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
            [y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s],
            [z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)]]


def rows(nine):
    return [nine[0:3], nine[3:6], nine[6:9]]


def kinetic(inertia, velocity):
    return 0.5 * sum(j * w * w for j, w in zip(inertia, velocity))


def distance_of_rotations(a, b):
    return math.sqrt(2 * (3 - trace_of_product(a, b)))


def quaternion(q):
    """(w, v), of unit length or not, of which the matrix is I + 2 w hat(v) + 2 hat(v)²."""
    axial = (q[2][1] - q[1][2], q[0][2] - q[2][0], q[1][0] - q[0][1])  # 4 w v
    size, norm = math.sqrt(3 - q[0][0] - q[1][1] - q[2][2]) / 2, math.sqrt(sum(x * x for x in axial))
    return (norm / (4 * size), *(x * size / norm for x in axial)) if norm else (1, 0, 0, 0)


def distance_of_quaternions(a, b):
    """sqrt(8) |Im(conj(b) a)|, which is that of the rotations where both are of unit length."""
    (w, *v), (s, *u) = quaternion(a), quaternion(b)
    return math.sqrt(8 * sum((s * v[i] - w * u[i] - u[i - 2] * v[i - 1] + u[i - 1] * v[i - 2]) ** 2 for i in range(3)))


def stress_energy(q, w, inertia=(2, 2, 4), alpha=0.3, distance=distance_of_rotations):
    side = 2.5 / math.sqrt(2)
    return kinetic(inertia, w) + (distance(q, rotation((0, 0, 0))) - 1) ** 2 - alpha / distance(q, rotation((side, 0, side)))


STRESS_START = stress_energy(rotation((0, 0.7227, 0)), (0, 0, 0.625))


def slope_of(times, values):
    middle = sum(times) / len(times)
    return sum((t - middle) * v for t, v in zip(times, values)) / sum((t - middle) ** 2 for t in times)


def philox(seed, member, draw):
    """Four words of 32 bits: Philox4x32-10."""
    counter = [draw & 0xFFFFFFFF, draw >> 32, member & 0xFFFFFFFF, member >> 32]
    key = [seed & 0xFFFFFFFF, seed >> 32]
    for _ in range(10):
        a, b = 0xD2511F53 * counter[0], 0xCD9E8D57 * counter[2]
        counter = [(b >> 32) ^ counter[1] ^ key[0], b & 0xFFFFFFFF, (a >> 32) ^ counter[3] ^ key[1], a & 0xFFFFFFFF]
        key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return counter
