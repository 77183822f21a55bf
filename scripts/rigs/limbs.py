"""Rigs of one limb: a prism, two tubes, the line through two joints, and an arm."""

import math

from rigs.formulas import X, Y, Z, limb_weights, linear_ramp, rotation, smooth_step
from rigs.gltf import SHORT, Asset
from rigs.surface import Surface


def two_joints():
    """A square prism whose result can be checked by hand: joint 1, at half height, turns by 90 degrees about Z.

    At the end, a top vertex (x, 2, z) is at (-1, 1 + x, z). A middle vertex (x, 1, z), whose weights are 0.5 and
    0.5, is at ((x + 0) / 2, 1 + x / 2, z).
    """
    asset = Asset()
    surface = Surface()
    corners = [(0.25, 0.25), (0.25, -0.25), (-0.25, -0.25), (-0.25, 0.25)]  # seen from +Y: ccw
    shares = [[(0, 1.0)], [(0, 0.5), (1, 0.5)], [(1, 1.0)]]
    for ring in range(3):
        for x, z in corners:
            surface.vertex((x, ring, z), (x, 0, z), shares[ring])
    for ring in range(2):
        for j in range(4):
            a, b = 4 * ring + j, 4 * ring + (j + 1) % 4
            surface.triangles += [(a, b, b + 4), (a, b + 4, a + 4)]
    surface.triangles += [(0, 2, 1), (0, 3, 2), (8, 9, 10), (8, 10, 11)]

    root = asset.node("joint_0")
    tip = asset.node("joint_1", root, (0, 1, 0))
    mesh = asset.mesh("prism", [asset.primitive(surface)])
    asset.node("prism", mesh=mesh, skin=asset.skin([root, tip]))
    clip = asset.clip("bend")
    asset.channel(clip, tip, "rotation", asset.times([0, 1]), [rotation(Z, 0), rotation(Z, 90)])
    return asset.files("two_joints.gltf")


TUBE_LENGTH, TUBE_RADIUS, TUBE_AROUND, TUBE_SPANS = 2.0, 0.25, 32, 40


def tube(name, clip_name, axis, degrees):
    """A capped cylinder along +Y from the origin. Joint 0 is at its start, joint 1 at half its length;
    w_1 = y / length, w_0 = 1 - w_1. Joint 1 turns from 0 to `degrees` about `axis` in 1 s at constant speed.

    There is a key every 1/30 s. Slerp between keys with the same axis is exact.
    """
    asset = Asset()
    surface = Surface()
    surface.add_tube((0, 0, 0), Y, Z, TUBE_LENGTH, TUBE_RADIUS, TUBE_AROUND, TUBE_SPANS,
                     limb_weights([0, 1], [linear_ramp(0, TUBE_LENGTH)]))
    root = asset.node("joint_0")
    tip = asset.node("joint_1", root, (0, TUBE_LENGTH / 2, 0))
    mesh = asset.mesh("tube", [asset.primitive(surface)])
    asset.node("tube", mesh=mesh, skin=asset.skin([root, tip]))
    clip = asset.clip(clip_name)
    asset.channel(clip, tip, "rotation", asset.times([i / 30 for i in range(31)]),
                  [rotation(axis, degrees * i / 30) for i in range(31)])
    return asset.files(name)


def core_line():
    """Two joint segments along +Y, and 79 triangles. Each triangle has a corner on the line through the joints, the
    core. The authors of sbs-ellipse bend this model to show the effect of a method on the core
    (lib/methods/core_line/core_line.h).

    The segments have length 1, and the child joint is at y = 1. Its weight is a smooth step from y = 0.5 to 1.25. It
    turns to the left, about Z, by 90 degrees in 1 s.
    """
    count, length, width = 79, 2.0, 0.03
    asset = Asset()
    surface = Surface()
    weights = limb_weights([0, 1], [smooth_step(0.875, 0.375)])
    half = 0.4 * length / count
    for i in range(count):
        y = length * (i + 0.5) / count
        a, b, c = (surface.vertex(p, Z, weights(p[1]))
                   for p in ((0, y, 0), (width, y - half, 0), (width, y + half, 0)))
        surface.triangles.append((a, b, c))
    parent = asset.node("parent")
    child = asset.node("child", parent, (0, 1, 0))
    mesh = asset.mesh("core", [asset.primitive(surface)])
    asset.node("core", mesh=mesh, skin=asset.skin([parent, child]))
    clip = asset.clip("bend")
    asset.channel(clip, child, "rotation", asset.times([0, 1]), [rotation(Z, 0), rotation(Z, 90)])
    return asset.files("core_line.gltf")


def bent_arm():
    """An arm along +X: shoulder at 0, elbow at 0.30, wrist at 0.56, fingertips at 0.74.

    Smooth steps of half width 0.07 at the elbow and 0.05 at the wrist. In 2 s the elbow bends to 130
    degrees and back (a cubic spline through five keys), the wrist twists by 90 degrees to either
    side (linear), and the shoulder has three angles one after another (steps).
    """
    asset = Asset()
    surface = Surface()
    origin = (-0.06, 0, 0)
    elbow, wrist = 0.30, 0.56
    weights = limb_weights([0, 1, 2], [smooth_step(elbow + 0.06, 0.07), smooth_step(wrist + 0.06, 0.05)])
    surface.add_capsule(origin, X, Y, 0.80, (0.06, 0.03), 24, 40, weights, end_rings=5, flatness=0.9)
    shoulder = asset.node("shoulder")
    forearm = asset.node("elbow", shoulder, (elbow, 0, 0))
    hand = asset.node("wrist", forearm, (wrist, 0, 0))
    mesh = asset.mesh("arm", [asset.primitive(surface, weights=SHORT, interleaved=True)])
    asset.node("arm", mesh=mesh, skin=asset.skin([shoulder, forearm, hand]))

    clip = asset.clip("bend_and_twist")
    seconds = [0, 0.5, 1, 1.5, 2]
    degrees = [0, 80, 130, 60, 0]
    rows = []
    for i, angle in enumerate(degrees):
        # The slope of the angle through the neighbouring keys; level at both ends.
        slope = 0.0
        if 0 < i < len(degrees) - 1:
            slope = (degrees[i + 1] - degrees[i - 1]) / (seconds[i + 1] - seconds[i - 1])
        half, rate = math.radians(angle) / 2, math.radians(slope) / 2
        tangent = [0, 0, rate * math.cos(half), -rate * math.sin(half)]
        rows += [tangent, rotation(Z, angle), tangent]
    asset.channel(clip, forearm, "rotation", asset.times(seconds), rows, "CUBICSPLINE")
    twists = [90 * math.sin(2 * math.pi * i / 40) for i in range(41)]
    asset.channel(clip, hand, "rotation", asset.times([i / 20 for i in range(41)]),
                  [rotation(X, angle) for angle in twists])
    asset.channel(clip, shoulder, "rotation", asset.times([0, 0.75, 1.5]),
                  [rotation(Y, angle) for angle in (0, 20, -10)], "STEP")
    return asset.files("bent_arm.gltf+.bin")
