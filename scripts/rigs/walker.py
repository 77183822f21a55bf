"""A character of many joints that walks."""

import math

from rigs.formulas import X, Y, Z, clean, limb_weights, normalized, product, rotation, smooth_step
from rigs.gltf import BYTE, Asset
from rigs.surface import Surface

# name: (parent, position for the left side); faces +Z, so that left is +X
CENTER_JOINTS = {
    "hips": (None, (0, 0.95, 0)),
    "spine": ("hips", (0, 1.07, 0)),
    "chest": ("spine", (0, 1.22, 0)),
    "neck": ("chest", (0, 1.46, 0)),
    "head": ("neck", (0, 1.54, 0)),
}
SIDE_JOINTS = {
    "Shoulder": ("chest", (0.06, 1.40, 0)),
    "UpperArm": ("Shoulder", (0.18, 1.40, 0)),
    "LowerArm": ("UpperArm", (0.45, 1.40, 0)),
    "Hand": ("LowerArm", (0.70, 1.40, 0)),
    "UpperLeg": ("hips", (0.10, 0.90, 0)),
    "LowerLeg": ("UpperLeg", (0.10, 0.50, 0)),
    "Foot": ("LowerLeg", (0.10, 0.09, 0)),
    "Toes": ("Foot", (0.10, 0.03, 0.13)),
}


def walker(detail=1):
    """A character of 21 joints that walks on the spot, one cycle in 1 s. `detail` multiplies the rings and the
    segments of its body.

    `Body` is skinned: torso, legs and feet in one primitive, head and arms in the other, each limb a
    separate closed surface. `Lantern` is rigidly attached to the right hand. `Mouth` is attached to the head and has
    two sparse morph targets, which open it and make it smile.
    """
    asset = Asset()
    nodes = {}
    for name, (parent, position) in CENTER_JOINTS.items():
        nodes[name] = asset.node(name, nodes.get(parent), position)
    for side, sign in (("left", 1), ("right", -1)):
        for name, (parent, (x, y, z)) in SIDE_JOINTS.items():
            above = nodes[parent if parent in nodes else side + parent]
            nodes[side + name] = asset.node(side + name, above, (sign * x, y, z))
    joints = list(nodes.values())
    place = {name: asset.joint_origins[node] for name, node in nodes.items()}

    def limb(surface, names, half_widths, start, axis, side, length, radii, around, spans, **more):
        """A capsule with the joints `names`, with a smooth step at each joint except the first."""
        direction = normalized(axis)
        steps = []
        for name, half_width in zip(names[1:], half_widths):
            s = sum((place[name][k] - start[k]) * direction[k] for k in range(3))
            steps.append(smooth_step(s, half_width))
        order = [joints.index(nodes[name]) for name in names]
        surface.add_capsule(start, axis, side, length, radii, round(detail * around), round(detail * spans),
                            limb_weights(order, steps), **more)

    clothes, skin = Surface(), Surface()
    limb(clothes, ["hips", "spine", "chest"], [0.06, 0.07], (0, 0.82, 0), Y, X, 0.64, (0.15, 0.15),
         24, 16, flatness=0.7)
    limb(skin, ["neck", "head"], [0.03], (0, 1.44, 0.01), Y, X, 0.34, (0.06, 0.11), 20, 10)
    down = (0, -1, 0)
    for side, sign in (("left", 1), ("right", -1)):
        hip, foot = place[side + "UpperLeg"], place[side + "Foot"]
        limb(clothes, [side + "UpperLeg", side + "LowerLeg"], [0.07],
             (hip[0], hip[1] + 0.05, 0), down, X, 0.85, (0.085, 0.05), 18, 22)
        limb(clothes, [side + "Foot", side + "Toes"], [0.03],
             (foot[0], 0.045, -0.07), Z, X, 0.28, (0.045, 0.04), 14, 8)
        limb(skin, [side + name for name in ("Shoulder", "UpperArm", "LowerArm", "Hand")],
             [0.06, 0.06, 0.04], (sign * 0.08, 1.40, 0), (sign, 0, 0), Y, 0.79, (0.055, 0.035), 16, 28)

    body = asset.mesh("Body", [asset.primitive(clothes, weights=BYTE),
                               asset.primitive(skin, weights=BYTE)])
    asset.node("Body", mesh=body, skin=asset.skin(joints))

    lantern = Surface()
    lantern.add_box((0, -0.14, 0), (0.05, 0.08, 0.05))
    hand = place["rightHand"]
    asset.node("Lantern", nodes["rightHand"], (hand[0] - 0.10, hand[1] - 0.06, hand[2]),
               mesh=asset.mesh("Lantern", [asset.primitive(lantern, skinned=False)]))

    mouth = Surface()
    mouth.add_capsule((-0.045, 0, 0), X, Y, 0.09, (0.012, 0.012), 10, 12, lambda s: (), end_rings=3)
    opened, smiling = [], []
    for x, y, _ in mouth.positions:
        fall = max(0.0, 1 - (x / 0.04) ** 2)
        opened.append([0, clean(-0.02 * fall if y < -1e-6 else 0), 0])
        bend = max(0.0, abs(x) - 0.015)
        smiling.append([0, clean(0.5 * bend), clean(-0.2 * bend)])
    face = asset.primitive(mouth, skinned=False)
    face["targets"] = [{"POSITION": asset.sparse_deltas(opened)},
                       {"POSITION": asset.sparse_deltas(smiling)}]
    head = place["head"]
    mouth_node = asset.node(
        "Mouth", nodes["head"], (head[0], head[1] + 0.06, head[2] + 0.105),
        mesh=asset.mesh("Mouth", [face], weights=[0, 0], extras={"targetNames": ["open", "smile"]}))

    clip = asset.clip("walk")
    count = 25
    phases = [2 * math.pi * i / (count - 1) for i in range(count)]
    times = asset.times([i / (count - 1) for i in range(count)])

    def turn(name, rule):
        asset.channel(clip, nodes[name], "rotation", times, [rule(p) for p in phases])

    x, y, z = place["hips"]
    asset.channel(clip, nodes["hips"], "translation", times,
                  [(x + 0.02 * math.sin(p), y - 0.02 * math.cos(2 * p), z) for p in phases])
    turn("hips", lambda p: product(rotation(Y, 6 * math.sin(p)), rotation(Z, 3 * math.sin(p))))
    turn("spine", lambda p: product(rotation(Y, -6 * math.sin(p)), rotation(X, 4)))
    turn("chest", lambda p: rotation(Y, -5 * math.sin(p)))
    turn("neck", lambda p: rotation(X, 2 * math.cos(2 * p)))
    turn("head", lambda p: rotation(Y, 5 * math.sin(p)))
    for side, sign in (("left", 1), ("right", -1)):
        # Both sides make the same motion, half a cycle apart: sin and cos change sign. About X, a positive
        # angle swings a hanging limb backwards.
        def leg(p, sign=sign):
            return -26 * sign * math.sin(p)

        def knee(p, sign=sign):
            return 32 * (1 - sign * math.cos(p - 0.6))

        turn(side + "UpperLeg", lambda p, leg=leg: rotation(X, leg(p) - 6))
        turn(side + "LowerLeg", lambda p, knee=knee: rotation(X, knee(p)))
        turn(side + "Foot", lambda p, leg=leg, knee=knee: rotation(X, -0.6 * (leg(p) + knee(p))))
        turn(side + "Toes", lambda p, sign=sign: rotation(X, -14 * (1 + sign * math.sin(p + 2.5))))
        turn(side + "Shoulder", lambda p, sign=sign: rotation(Z, -8 * sign))
        turn(side + "UpperArm", lambda p, sign=sign: product(
            rotation(X, 24 * sign * math.sin(p)), rotation(Z, -65 * sign)))
        # The forearm's hinge; the arm lies along X at rest, so that it bends forwards about Y.
        turn(side + "LowerArm", lambda p, sign=sign: rotation(
            Y, -sign * (30 - 18 * sign * math.sin(p))))
        turn(side + "Hand", lambda p, sign=sign: rotation(X, 20 * math.sin(p)))
    asset.channel(clip, mouth_node, "weights", times,
                  [(w,) for p in phases for w in ((1 - math.cos(2 * p)) / 2, (1 + math.sin(p)) / 2)])
    return asset.files("walker.glb")
