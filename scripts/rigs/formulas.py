"""Vectors, rotations, and the weights of limbs. The head of make_rigs.py explains the weights."""

import math

X, Y, Z = [1, 0, 0], [0, 1, 0], [0, 0, 1]


def clean(x):
    """Rounds to nine decimals, which is finer than float32 for these sizes. The rounding removes the last bits, in
    which C libraries differ; the addition replaces -0 by 0."""
    return round(x, 9) + 0.0


def normalized(v):
    length = math.sqrt(sum(x * x for x in v))
    return [x / length for x in v]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def rotation(axis, degrees):
    """Unit quaternion, glTF order x y z w."""
    half = math.radians(degrees) / 2
    return [math.sin(half) * x for x in normalized(axis)] + [math.cos(half)]


def product(a, b):
    """The quaternion of rotation b followed by rotation a."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return [aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz]


def smooth_step(center, half_width):
    def step(s):
        x = min(1.0, max(0.0, (s - center + half_width) / (2 * half_width)))
        return x * x * (3 - 2 * x)
    return step


def linear_ramp(start, end):
    return lambda s: min(1.0, max(0.0, (s - start) / (end - start)))


def limb_weights(joints, steps):
    """A function s -> [(joint, weight), …] without zeros; steps[k] is the step from joints[k] to joints[k + 1]."""
    def weights(s):
        h = [1.0] + [step(s) for step in steps] + [0.0]
        return [(joint, h[k] - h[k + 1]) for k, joint in enumerate(joints) if h[k] > h[k + 1]]
    return weights


def whole_units(weights, one):
    """Weights as integers whose sum is `one`: rounded down, with the rest added to the largest remainders."""
    exact = [w * one for _, w in weights]
    units = [math.floor(clean(x)) for x in exact]
    by_remainder = sorted(range(len(exact)), key=lambda i: (units[i] - clean(exact[i]), i))
    for i in by_remainder[:one - sum(units)]:
        units[i] += 1
    return units
