#!/usr/bin/env python3
"""Writes the rigs of data/rigs from formulas: the same bytes on every run.

    make_rigs.py [--output DIR]   writes them (default: data/rigs of this project)
    make_rigs.py --check DIR      compares what it would write with DIR; exit 1 if anything differs

| file              | container              | interpolation             | weights    |
| two_joints.gltf   | data URI               | LINEAR                    | float      |
| twisted_tube.gltf | data URI               | LINEAR                    | float      |
| bent_tube.glb     | GLB                    | LINEAR                    | float      |
| core_line.gltf    | data URI               | LINEAR                    | float      |
| bent_arm.gltf     | bent_arm.bin, interleaved | CUBICSPLINE, LINEAR, STEP | normalised u16 |
| walker.glb        | GLB, two primitives, a rigid prop, sparse morph targets | LINEAR | normalised u8 |

Positions are in metres, +Y up. Triangles are counter-clockwise from outside. Every surface except core_line.gltf is
closed. The joints' rest transforms do not have rotation or scale, and the rest pose is the bind pose.

Weights. The joints of a limb are at s_0 < s_1 < … along its axis. From joint k-1 to joint k, a step
h_k(s) rises from 0 to 1 (h_0 = 1, and h after the last joint is 0):

    w_k(s) = h_k(s) - h_(k+1)(s)            the sum over k is 1 for any steps

with h_k either a linear ramp (the tubes: h_1 = s / length) or, around joint k with half width b_k,

    h_k(s) = 3 x^2 - 2 x^3,   x = clamp((s - s_k + b_k) / (2 b_k), 0, 1)

where h_k(s) <= h_(k-1)(s) for every s.
"""

import argparse
import base64
import json
import math
import pathlib
import struct
import sys

BYTE, SHORT, FLOAT = 5121, 5123, 5126  # unsigned
VERTICES, INDICES = 34962, 34963
COMPONENT = {BYTE: "B", SHORT: "H", FLOAT: "f"}
WIDTH = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}


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


X, Y, Z = [1, 0, 0], [0, 1, 0], [0, 0, 1]


# ---------------------------------------------------------------- weights

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


# ---------------------------------------------------------------- surfaces

class Surface:
    """Vertices, triangles, and each vertex's distance s along its limb's axis."""

    def __init__(self):
        self.positions, self.normals, self.influences, self.triangles = [], [], [], []

    def vertex(self, position, normal, influences=()):
        self.positions.append([clean(x) for x in position])
        self.normals.append([clean(x) for x in normalized(normal)])
        self.influences.append(list(influences))
        return len(self.positions) - 1

    def add_rings(self, origin, axis, side, rings, around, weights, flatness=1.0):
        """Adds a surface through the rings (s, radius, (radial, axial part of the normal)) along `axis`.

        A ring of radius 0 is a single vertex. `side` is the direction of the first vertex of a ring; `flatness`
        scales the rings perpendicular to it.
        """
        along = normalized(axis)
        u = normalized(side)
        v = cross(along, u)  # u, v, along: right-handed
        loops = []
        for s, radius, (radial, axial) in rings:
            loop = []
            for j in range(around if radius > 0 else 1):
                angle = 2 * math.pi * j / around
                c, d = math.cos(angle), math.sin(angle)
                position = [origin[k] + s * along[k] + radius * (c * u[k] + flatness * d * v[k])
                            for k in range(3)]
                normal = [radial * (c * u[k] + d / flatness * v[k]) + axial * along[k]
                          for k in range(3)]
                loop.append(self.vertex(position, normal, weights(s)))
            loops.append(loop)
        for near, far in zip(loops, loops[1:]):
            for j in range(around):
                a, b = near[j % len(near)], near[(j + 1) % len(near)]
                c, d = far[(j + 1) % len(far)], far[j % len(far)]
                if a != b and len({a, b, c}) == 3:
                    self.triangles.append((a, b, c))
                if c != d:
                    self.triangles.append((a, c, d))

    def add_tube(self, origin, axis, side, length, radius, around, spans, weights):
        """A cylinder with flat ends. The vertices of its rims are doubled: their normals differ."""
        self.add_rings(origin, axis, side, [(0, 0, (0, -1)), (0, radius, (0, -1))], around, weights)
        self.add_rings(origin, axis, side,
                       [(length * i / spans, radius, (1, 0)) for i in range(spans + 1)], around,
                       weights)
        self.add_rings(origin, axis, side, [(length, radius, (0, 1)), (length, 0, (0, 1))], around,
                       weights)

    def add_capsule(self, origin, axis, side, length, radii, around, spans, weights,
                    end_rings=4, flatness=1.0):
        """A limb that tapers from radii[0] to radii[1] and has a hemisphere at each end; `length` includes both."""
        first, last = radii
        rings = [(0, 0, (0, -1))]
        for k in range(1, end_rings):
            angle = math.pi / 2 * k / end_rings
            rings.append((first * (1 - math.cos(angle)), first * math.sin(angle),
                          (math.sin(angle), -math.cos(angle))))
        straight = length - first - last
        slope = (last - first) / straight
        for i in range(spans + 1):
            rings.append((first + straight * i / spans, first + (last - first) * i / spans,
                          (1, -slope)))
        for k in range(end_rings - 1, 0, -1):
            angle = math.pi / 2 * k / end_rings
            rings.append((length - last * (1 - math.cos(angle)), last * math.sin(angle),
                          (math.sin(angle), math.cos(angle))))
        rings.append((length, 0, (0, 1)))
        self.add_rings(origin, axis, side, rings, around, weights, flatness)

    def add_box(self, center, half):
        """A box of six faces with four vertices each, which have the normal of the face."""
        for axis in range(3):
            for sign in (-1, 1):
                normal = [sign if k == axis else 0 for k in range(3)]
                b, c = (axis + 1) % 3, (axis + 2) % 3
                corners = []
                for p, q in ((-1, -1), (1, -1), (1, 1), (-1, 1))[::sign]:
                    offset = [0, 0, 0]
                    offset[axis], offset[b], offset[c] = sign * half[axis], p * half[b], q * half[c]
                    corners.append(self.vertex([center[k] + offset[k] for k in range(3)], normal))
                self.triangles += [tuple(corners[:3]), (corners[0], corners[2], corners[3])]


# ---------------------------------------------------------------- glTF

class Asset:
    """A glTF document with one buffer, to which accessors, nodes and meshes are added."""

    def __init__(self):
        self.document = {
            "asset": {"version": "2.0", "generator": "skinbake make_rigs.py"},
            "scene": 0, "scenes": [{"nodes": []}], "nodes": [], "meshes": [],
            "animations": [], "accessors": [], "bufferViews": []}
        self.binary = bytearray()
        self.joint_origins = {}  # node index -> position in the scene at rest

    def _append(self, key, value):
        self.document.setdefault(key, []).append(value)
        return len(self.document[key]) - 1

    def view(self, data, **properties):
        self.binary += bytes(-len(self.binary) % 4)
        view = {"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data), **properties}
        self.binary += data
        return self._append("bufferViews", view)

    def accessor(self, kind, component, rows, limits=False, target=None, normalized_=False):
        """Adds a packed accessor in a new buffer view."""
        flat = [x for row in rows for x in row]
        data = struct.pack(f"<{len(flat)}{COMPONENT[component]}", *flat)
        properties = {} if target is None else {"target": target}
        view = self.view(data, **properties)
        accessor = {"bufferView": view, "componentType": component, "count": len(rows), "type": kind}
        if normalized_:
            accessor["normalized"] = True
        if limits:
            accessor.update(self.limits(rows))
        return self._append("accessors", accessor)

    @staticmethod
    def limits(rows):
        # `min` and `max` must equal the stored float32 values exactly.
        stored = [struct.unpack("<f", struct.pack("<f", x))[0] for row in rows for x in row]
        width = len(rows[0])
        return {"min": [min(stored[k::width]) for k in range(width)],
                "max": [max(stored[k::width]) for k in range(width)]}

    def sparse_deltas(self, deltas):
        """Adds a sparse VEC3 accessor that stores only the vertices that move."""
        moved = [(i, d) for i, d in enumerate(deltas) if any(d)]
        indices = self.view(struct.pack(f"<{len(moved)}H", *(i for i, _ in moved)))
        values = self.view(struct.pack(f"<{3 * len(moved)}f", *(x for _, d in moved for x in d)))
        return self._append("accessors", {
            "componentType": FLOAT, "count": len(deltas), "type": "VEC3", **self.limits(deltas),
            "sparse": {"count": len(moved), "indices": {"bufferView": indices, "componentType": SHORT},
                       "values": {"bufferView": values}}})

    def node(self, name, parent=None, position=(0, 0, 0), **properties):
        """Adds a node at a position of the scene, without rotation."""
        origin = self.joint_origins.get(parent, (0, 0, 0))
        node = {"name": name, **properties}
        offset = [clean(a - b) for a, b in zip(position, origin)]
        if any(offset):
            node["translation"] = offset
        index = self._append("nodes", node)
        self.joint_origins[index] = position
        if parent is None:
            self.document["scenes"][0]["nodes"].append(index)
        else:
            self.document["nodes"][parent].setdefault("children", []).append(index)
        return index

    def skin(self, joints):
        matrices = []
        for joint in joints:
            x, y, z = self.joint_origins[joint]
            matrices.append([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, clean(-x), clean(-y), clean(-z), 1])
        return self._append("skins", {
            "joints": joints, "skeleton": joints[0],
            "inverseBindMatrices": self.accessor("MAT4", FLOAT, matrices)})

    def primitive(self, surface, weights=FLOAT, skinned=True, interleaved=False):
        """Adds a primitive. `weights`: the component type of the weights, float or a normalised integer."""
        columns = [("POSITION", "VEC3", FLOAT, surface.positions),
                   ("NORMAL", "VEC3", FLOAT, surface.normals)]
        if skinned:
            joints, shares = [], []
            for influences in surface.influences:
                used = [(j, w) for j, w in influences if w > 0]
                if weights == FLOAT:
                    values = [clean(w) for _, w in used]
                else:
                    values = whole_units(used, {BYTE: 255, SHORT: 65535}[weights])
                padding = 4 - len(used)
                # The validator requires joint 0 for a weight of 0.
                joints.append([j if v else 0 for (j, _), v in zip(used, values)] + [0] * padding)
                shares.append(values + [0] * padding)
            columns += [("JOINTS_0", "VEC4", BYTE, joints), ("WEIGHTS_0", "VEC4", weights, shares)]

        attributes = {}
        if interleaved:
            formats = [f"<{WIDTH[kind]}{COMPONENT[component]}" for _, kind, component, _ in columns]
            stride = sum(map(struct.calcsize, formats))
            data = b"".join(struct.pack(form, *column[3][i]) for i in range(len(surface.positions))
                            for form, column in zip(formats, columns))
            view = self.view(data, byteStride=stride, target=VERTICES)
            offset = 0
            for form, (name, kind, component, rows) in zip(formats, columns):
                accessor = {"bufferView": view, "byteOffset": offset, "componentType": component,
                            "count": len(rows), "type": kind}
                if name == "WEIGHTS_0" and component != FLOAT:
                    accessor["normalized"] = True
                if name == "POSITION":
                    accessor.update(self.limits(rows))
                attributes[name] = self._append("accessors", accessor)
                offset += struct.calcsize(form)
        else:
            for name, kind, component, rows in columns:
                attributes[name] = self.accessor(
                    kind, component, rows, limits=name == "POSITION", target=VERTICES,
                    normalized_=name == "WEIGHTS_0" and component != FLOAT)
        indices = self.accessor("SCALAR", SHORT, [(i,) for t in surface.triangles for i in t],
                                target=INDICES)
        return {"attributes": attributes, "indices": indices}

    def mesh(self, name, primitives, **properties):
        return self._append("meshes", {"name": name, "primitives": primitives, **properties})

    def clip(self, name):
        return self._append("animations", {"name": name, "channels": [], "samplers": []})

    def times(self, seconds):
        return self.accessor("SCALAR", FLOAT, [(clean(t),) for t in seconds], limits=True)

    def channel(self, clip, node, path, times, rows, interpolation="LINEAR"):
        kind = {"rotation": "VEC4", "translation": "VEC3", "weights": "SCALAR"}[path]
        values = self.accessor(kind, FLOAT, [[clean(x) for x in row] for row in rows])
        animation = self.document["animations"][clip]
        animation["samplers"].append(
            {"input": times, "interpolation": interpolation, "output": values})
        animation["channels"].append(
            {"sampler": len(animation["samplers"]) - 1, "target": {"node": node, "path": path}})

    def files(self, name):
        """{file name: bytes}. The extension of `name` and a `.bin` in it select the container."""
        self.binary += bytes(-len(self.binary) % 4)
        binary = bytes(self.binary)
        buffer = {"byteLength": len(binary)}
        document = {**self.document, "buffers": [buffer]}
        if name.endswith(".glb"):
            text = json.dumps(document, separators=(",", ":")).encode()
            text += b" " * (-len(text) % 4)
            total = 12 + 8 + len(text) + 8 + len(binary)
            return {name: struct.pack("<4sII", b"glTF", 2, total)
                    + struct.pack("<I4s", len(text), b"JSON") + text
                    + struct.pack("<I4s", len(binary), b"BIN\0") + binary}
        files = {}
        if name.endswith("+.bin"):
            name = name.removesuffix("+.bin")
            beside = name.removesuffix(".gltf") + ".bin"
            buffer["uri"] = beside
            files[beside] = binary
        else:
            buffer["uri"] = ("data:application/octet-stream;base64,"
                             + base64.b64encode(binary).decode())
        files[name] = (json.dumps(document, indent=1) + "\n").encode()
        return files


# ---------------------------------------------------------------- the rigs

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


def all_files():
    files = {}
    files.update(two_joints())
    files.update(tube("twisted_tube.gltf", "twist", Y, 180))
    files.update(tube("bent_tube.glb", "bend", Z, 120))
    files.update(core_line())
    files.update(bent_arm())
    files.update(walker())
    return files


def check(folder):
    expected = all_files()
    wrong = []
    for name, data in expected.items():
        path = folder / name
        if not path.is_file():
            wrong.append(f"{name}: missing")
        elif path.read_bytes() != data:
            wrong.append(f"{name}: differs")
    for path in sorted(folder.glob("*")):
        if path.suffix in (".gltf", ".glb", ".bin") and path.name not in expected:
            wrong.append(f"{path.name}: not written by make_rigs.py")
    for line in wrong:
        print(line)
    print(f"{len(expected)} files, {len(wrong)} wrong"
          + ("; scripts/make_rigs.py writes them anew" if wrong else ""))
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    project = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("--output", metavar="DIR", type=pathlib.Path, default=project / "data/rigs")
    parser.add_argument("--check", metavar="DIR", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.check:
        return check(arguments.check)
    arguments.output.mkdir(parents=True, exist_ok=True)
    for name, data in all_files().items():
        (arguments.output / name).write_bytes(data)
        print(f"{len(data):8} {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
