#!/usr/bin/env python3
"""Compares caches with an independent evaluation in double: reads the glTF, samples and blends the clip.

Linear blend skinning, straight from the glTF specification: x' = sum_j w_j G_j B_j x, with G_j the
joint's global transform and B_j its inverse bind matrix.
"""

import base64
import json
import math
import struct

from support import CliTest, RIGS, Pc2, main

FORMATS = {5121: ("B", 1 / 255), 5123: ("H", 1 / 65535), 5125: ("I", 1), 5126: ("f", 1)}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Gltf:
    def __init__(self, path):
        data = path.read_bytes()
        binary = None
        if data[:4] == b"glTF":
            length = struct.unpack_from("<I", data, 12)[0]
            binary = data[20 + length + 8:]
            data = data[20:20 + length]
        self.json = json.loads(data)
        uri = self.json["buffers"][0].get("uri")
        if uri is None:
            self.buffer = binary
        elif uri.startswith("data:"):
            self.buffer = base64.b64decode(uri.split(",", 1)[1])
        else:
            self.buffer = (path.parent / uri).read_bytes()

    def rows(self, index):
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        letter, scale = FORMATS[accessor["componentType"]]
        layout = struct.Struct(f"<{WIDTHS[accessor['type']]}{letter}")
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        stride = view.get("byteStride", layout.size)
        scale = scale if accessor.get("normalized") else 1
        return [tuple(x * scale for x in layout.unpack_from(self.buffer, start + i * stride))
                for i in range(accessor["count"])]


def multiply(a, b):
    return [[sum(a[r][k] * b[k][c] for k in range(4)) for c in range(4)] for r in range(4)]


def transform(t, q, s):
    x, y, z, w = q
    r = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
         [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
         [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
    return [[r[i][0] * s[0], r[i][1] * s[1], r[i][2] * s[2], t[i]] for i in range(3)] + [[0, 0, 0, 1]]


def slerp(a, b, u):
    cosine = sum(x * y for x, y in zip(a, b))
    if cosine < 0:
        b, cosine = tuple(-x for x in b), -cosine
    angle = math.acos(min(cosine, 1))
    if angle < 1e-9:
        return a
    return tuple((math.sin((1 - u) * angle) * x + math.sin(u * angle) * y) / math.sin(angle) for x, y in zip(a, b))


def sample(times, values, t, is_rotation):
    """Samples a LINEAR channel; clamps outside its keys."""
    if t <= times[0] or t >= times[-1]:
        return values[0] if t <= times[0] else values[-1]
    k = max(i for i, key in enumerate(times) if key <= t)
    u = (t - times[k]) / (times[k + 1] - times[k])
    if is_rotation:
        return slerp(values[k], values[k + 1], u)
    return tuple(x + u * (y - x) for x, y in zip(values[k], values[k + 1]))


def skinned(gltf, t):
    """Positions of the file's skinned mesh at time t: [vertex][axis]."""
    nodes = [{"translation": (0, 0, 0), "rotation": (0, 0, 0, 1), "scale": (1, 1, 1), **node}
             for node in gltf.json["nodes"]]
    for channel in gltf.json["animations"][0]["channels"]:
        sampler = gltf.json["animations"][0]["samplers"][channel["sampler"]]
        assert sampler.get("interpolation", "LINEAR") == "LINEAR"
        path = channel["target"]["path"]
        times = [row[0] for row in gltf.rows(sampler["input"])]
        nodes[channel["target"]["node"]][path] = sample(times, gltf.rows(sampler["output"]), t, path == "rotation")
    parents = {child: n for n, node in enumerate(nodes) for child in node.get("children", ())}

    def world(n):
        local = transform(nodes[n]["translation"], nodes[n]["rotation"], nodes[n]["scale"])
        return multiply(world(parents[n]), local) if n in parents else local

    skin = gltf.json["skins"][0]
    matrices = []
    for j, inverse in zip(skin["joints"], gltf.rows(skin["inverseBindMatrices"])):
        bind = [[inverse[4 * c + r] for c in range(4)] for r in range(4)]
        matrices.append(multiply(world(j), bind))
    points = []
    for primitive in gltf.json["meshes"][0]["primitives"]:
        attributes = primitive["attributes"]
        for x, joints, weights in zip(*(gltf.rows(attributes[a]) for a in ("POSITION", "JOINTS_0", "WEIGHTS_0"))):
            total = sum(weights)
            point = [0.0, 0.0, 0.0]
            for j, w in zip(joints, weights):
                for i in range(3):
                    row = matrices[j][i]
                    point[i] += w / total * (row[0] * x[0] + row[1] * x[1] + row[2] * x[2] + row[3])
            points.append(point)
    return points


class Evaluation(CliTest):
    def cache(self, rig, *options):
        self.succeed("bake", rig, "-q", "-o", "x.pc2", *options)
        return Pc2(self.read("x.pc2"))

    def assert_close(self, actual, expected, bound):
        self.assertEqual(len(actual), len(expected))
        worst = max(abs(a - e) for x, y in zip(actual, expected) for a, e in zip(x, y))
        self.assertLess(worst, bound)

    def test_the_header_of_a_cache(self):
        self.cache(RIGS / "two_joints.gltf")
        data = self.read("x.pc2")
        self.assertEqual(data[:32], b"POINTCACHE2\0" + struct.pack("<iiffi", 1, 12, 0, 1, 31))
        self.assertEqual(len(data), 32 + 12 * 12 * 31)

    def test_the_first_frame_of_the_prism_equals_the_file(self):
        rig = RIGS / "two_joints.gltf"
        gltf = Gltf(rig)
        positions = gltf.rows(gltf.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"])
        self.assert_close(self.cache(rig).positions(0), positions, 1e-7)

    def test_the_last_frame_of_the_prism_equals_values_computed_by_hand(self):
        """Joint 1 at half the height h turns 90 degrees about Z: (x, y) -> (h - y, h + x) from there on."""
        rig = RIGS / "two_joints.gltf"
        gltf = Gltf(rig)
        attributes = gltf.json["meshes"][0]["primitives"][0]["attributes"]
        heights = [n["translation"][1] for n in gltf.json["nodes"] if n.get("translation", [0, 0, 0])[1]]
        self.assertEqual(len(heights), 1)
        h = heights[0]
        expected = []
        for (x, y, z), joints, weights in zip(*(gltf.rows(attributes[a]) for a in ("POSITION", "JOINTS_0", "WEIGHTS_0"))):
            w = sum(weight for j, weight in zip(joints, weights) if j == 1) / sum(weights)
            expected.append(((1 - w) * x + w * (h - y), (1 - w) * y + w * (h + x), z))
        self.assert_close(self.cache(rig).positions(30), expected, 1e-6)

    def test_linear_blending_equals_the_formula_in_every_frame(self):
        for name, fps, frames in (("two_joints.gltf", 30, range(31)), ("bent_tube.glb", 24, range(0, 25, 6)),
                                  ("twisted_tube.gltf", 23, (0, 11, 22, 23))):
            gltf = Gltf(RIGS / name)
            cache = self.cache(RIGS / name, "--fps", fps)
            for frame in frames:
                self.assert_close(cache.positions(frame), skinned(gltf, frame / fps), 1e-6)

    def test_a_part_of_the_frames_has_the_same_times(self):
        gltf = Gltf(RIGS / "two_joints.gltf")
        cache = self.cache(RIGS / "two_joints.gltf", "--fps", "12.5", "--frames", "2:11:3")
        self.assertEqual((cache.start, cache.rate, cache.samples), (2, 3, 4))
        for k in range(4):
            self.assert_close(cache.positions(k), skinned(gltf, (2 + 3 * k) / 12.5), 1e-6)

    def test_dual_quaternions_keep_the_radius_of_a_twist(self):
        cache = self.cache(RIGS / "twisted_tube.gltf", "--method", "dqs")
        for frame in (0, 7, 15, 29):
            for rest, now in zip(cache.positions(0), cache.positions(frame)):
                self.assertAlmostEqual(math.hypot(now[0], now[2]), math.hypot(rest[0], rest[2]), delta=1e-6)
                self.assertAlmostEqual(now[1], rest[1], delta=1e-6)


if __name__ == "__main__":
    main()
