#!/usr/bin/env python3
"""Limits fail closed: no limit is kept by a number that is not finite, and every report can be read back."""

import base64
import importlib.util
import json
import math
import os
import random
import struct

from glb_files import parts
from support import SOURCE, CliTest, main

FLT_MAX = 3.4028234663852886e38
TETRAHEDRON = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
# One limit of every kind, wide enough for any finite error.
WIDE = ("--fail", "error.max=1e300", "--fail", "error.rms=1e300", "--fail", "error.max=1e300%", "--fail", "error.rms=1e300%",
        "--fail", "volume.max_loss=1e300%", "--warn", "error.max=1e300", "--warn", "volume.max_loss=1e300%")
PART = ("--fail", "error.max=1e300%,share=50%", "--warn", "error.max=1e300,share=50%")
HARD = ("--fail", "error.max=1e300")


def numbers(value):
    """Every number below a JSON value."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [number for item in value for number in numbers(item)]
    return [value] if isinstance(value, (int, float)) and not isinstance(value, bool) else []


def arm(points=TETRAHEDRON, inverse_bind=1.0, weight=None, scale=1.0):
    """A glTF rig: two joints move the points, and the second is turned by the clip and scaled. `weight`: the default
    weight of a morph target that moves point i by i. `inverse_bind`: an element of the second joint's matrix."""
    data, accessors, views = b"", [], []

    def add(kind, component, rows, **more):
        nonlocal data
        raw = b"".join(struct.pack("<%d%s" % (len(row), {5126: "f", 5121: "B", 5123: "H"}[component]), *row) for row in rows)
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(raw)})
        data += raw + b"\0" * (-len(raw) % 4)
        accessors.append({"bufferView": len(views) - 1, "componentType": component, "type": kind, **more,
                          "count": len(rows)})
        return len(accessors) - 1

    bounds = {"min": [min(c) for c in zip(*points)], "max": [max(c) for c in zip(*points)]}
    identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    primitive = {
        "attributes": {"POSITION": add("VEC3", 5126, points, **bounds),
                       "JOINTS_0": add("VEC4", 5121, [(0, 1, 0, 0)] * len(points)),
                       "WEIGHTS_0": add("VEC4", 5126, [(0.5, 0.5, 0, 0)] * len(points))},
        "indices": add("SCALAR", 5123, [(i,) for i in (0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2)])}
    mesh = {"primitives": [primitive]}
    if weight is not None:
        target = add("VEC3", 5126, [(i, i, i) for i in range(len(points))], min=[0] * 3, max=[len(points) - 1] * 3)
        primitive["targets"], mesh["weights"] = [{"POSITION": target}], [weight]
    binds = add("MAT4", 5126, [identity, [inverse_bind] + identity[1:]])
    times = add("SCALAR", 5126, [(0,), (1,)], min=[0], max=[1])
    turns = add("VEC4", 5126, [(0, 0, 0, 1), (0, 0, math.sqrt(0.5), math.sqrt(0.5))])
    return json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"mesh": 0, "skin": 0, "name": "body"}, {"name": "a", "children": [2]},
                  {"name": "b", "translation": [0, 0.5, 0], "scale": [scale] * 3}],
        "meshes": [mesh], "skins": [{"joints": [1, 2], "inverseBindMatrices": binds}],
        "animations": [{"name": "move", "samplers": [{"input": times, "output": turns}],
                        "channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}}]}],
        "accessors": accessors, "bufferViews": views,
        "buffers": [{"byteLength": len(data),
                     "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}]})


class GatesTest(CliTest):
    def setUp(self):
        super().setUp()
        self.validator = None
        if importlib.util.find_spec("jsonschema"):
            from jsonschema import Draft202012Validator
            schema = json.loads((SOURCE / "lib/report/report.schema.json").read_text())
            self.validator = Draft202012Validator(schema)
        else:
            self.assertNotEqual(os.environ.get("CI"), "true", "python3-jsonschema is missing")

    def verify(self, check, limit):
        """A limit is kept only by a finite number that is not above it."""
        value, share = check["value"], check.get("share")
        kept = value is not None and math.isfinite(value)
        if share:
            kept = kept and share["value"] is not None and share["value"] <= share["limit"]
        elif kept:
            kept = value <= limit
        if not kept:
            self.assertFalse(check["passed"], check)
        for method in check.get("methods", []):
            if not share:
                self.verify(method, limit)
            self.assertTrue(method["passed"] or not check["passed"], check)

    def measure(self, rig, *limits):
        """Compares two methods. Returns the report, or None if the rig is refused."""
        (self.folder / "rig.gltf").write_text(rig)
        (self.folder / "r.json").unlink(missing_ok=True)
        done = self.run_program("compare", "rig.gltf", "--method", "lbs", "--method", "dqs", "--fps", "2", "--report", "r.json", *limits)
        self.assertIn(done.code, (0, 1, 3), done)
        if done.code == 3:
            self.assertRegex(done.err, "[^;]; [^;]")
            self.assertFalse((self.folder / "r.json").exists())
            return None
        report = self.json("r.json")  # without NaN and Infinity
        self.assertTrue(all(math.isfinite(number) for number in numbers(report)))
        if self.validator:
            self.assertEqual([f"{error.json_path}: {error.message}" for error in self.validator.iter_errors(report)], [])
        self.succeed("report", "r.json", "--against", "r.json", "-o", "changes.md")
        self.succeed("report", "r.json", "-o", "page.md")
        checks = report["verdict"]["checks"]
        self.assertNotEqual(checks, [])
        for check in checks:
            self.verify(check, check["limit"])
        failed = any(not check["passed"] and check["severity"] == "fail" for check in checks)
        self.assertEqual(done.code, 1 if failed else 0, done)
        return report

    def failed(self, report):
        return {check["key"] for check in report["verdict"]["checks"] if not check["passed"]}

    def test_parts_whose_volumes_cancel_keep_no_limit_of_the_loss(self):
        """The first mesh is a tetrahedron and its copy that is wound inwards; it shrinks. The second is whole."""
        corners = [corner for shift in (0, 2.7) for corner in ((shift + x, y, z) for x, y, z in TETRAHEDRON)]
        outwards = (0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2)
        inwards = [4 + outwards[i // 3 * 3 + (0, 2, 1)[i % 3]] for i in range(12)]
        data = struct.pack("<24f", *sum(corners, ())) + struct.pack("<24H", *outwards, *inwards)
        data += struct.pack("<8f", 0, 1, 1, 1, 1, 0.5, 0.5, 0.5)
        rig = {
            "asset": {"version": "2.0"}, "scenes": [{"nodes": [0, 1]}],
            "nodes": [{"name": "cancel", "mesh": 0}, {"name": "fine", "mesh": 1}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]},
                       {"primitives": [{"attributes": {"POSITION": 0}, "indices": 2}]}],
            "animations": [{"samplers": [{"input": 3, "output": 4}],
                            "channels": [{"sampler": 0, "target": {"node": 0, "path": "scale"}}]}],
            **parts(data, [(0, 96), (96, 48), (96, 24), (144, 8), (152, 24)],
                    [(5126, 8, "VEC3"), (5123, 24, "SCALAR"), (5123, 12, "SCALAR"), (5126, 2, "SCALAR"), (5126, 2, "VEC3")])}
        rig["accessors"][0].update(min=[0, 0, 0], max=[3.7, 1, 1])
        rig["accessors"][3].update(min=[0], max=[1])
        (self.folder / "rig.gltf").write_text(json.dumps(rig))
        limit = ("--fail", "volume.max_loss=0.1")
        self.succeed("bake", "rig.gltf", "--mesh", "fine", "--report", "r.json", *limit)
        for meshes in ((), ("--mesh", "cancel")):
            done = self.run_program("bake", "rig.gltf", "-q", *meshes, "--report", "r.json", *limit)
            self.assertEqual(done.code, 1, done)
            self.assertIn("volume.max_loss at most 10 % exceeded", done.err)
            check, = json.loads((self.folder / "r.json").read_text())["verdict"]["checks"]
            self.assertEqual((check["mesh"], check["value"], check["passed"]), ("cancel", None, False))

    def test_finite_errors_keep_wide_limits(self):
        for limits in (WIDE, PART, HARD):
            self.assertEqual(self.failed(self.measure(arm(), *limits)), set())

    def test_extreme_rigs_are_refused_or_measured(self):
        huge = [tuple(c * FLT_MAX for c in p) for p in TETRAHEDRON]
        rigs = {"a morph weight of 1e308": arm(weight=1e308), "an inverse bind of 3e38": arm(inverse_bind=FLT_MAX),
                "positions of 3e38": arm(huge), "positions of 3e38, scaled": arm(huge, scale=1e30),
                "one position": arm([(1, 2, 3)] * 4), "no volume": arm([(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)])}
        for name, rig in rigs.items():
            for limits in (WIDE, PART, HARD):
                with self.subTest(f"{name}, {limits[0]}"):
                    self.measure(rig, *limits)

    def test_default_morph_weights_cannot_make_every_relative_error_small(self):
        for weight in (1e5, 1e30, -1e30):
            (self.folder / "rig.gltf").write_text(arm(weight=weight))
            done = self.run_program("compare", "rig.gltf", "-q", "--method", "lbs", "--method", "dqs", "--fail", "error.max=1%")
            self.assertEqual(done.code, 3, done)
            self.assertIn("MORPH_WEIGHTS_HUGE", done.err)

    def test_a_mesh_without_size_or_volume_keeps_no_relative_limit(self):
        failed = self.failed(self.measure(arm([(1, 2, 3)] * 4), *WIDE))
        self.assertLessEqual({"error.max", "error.rms"}, failed)
        flat = self.measure(arm([(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]), *WIDE)
        self.assertIn("volume.max_loss", self.failed(flat))
        self.assertIn("LIMIT_NOT_APPLICABLE", [issue["code"] for issue in flat["issues"]])
        loss, = (check for check in flat["verdict"]["checks"] if check["key"] == "volume.max_loss" and check["severity"] == "fail")
        self.assertEqual((loss["value"], loss["mesh"]), (None, None))

    def test_a_limit_that_is_not_finite_in_metres_fails(self):
        large = [tuple(1e6 * c for c in p) for p in TETRAHEDRON]
        limits = ("--fail", "error.max=1e307%,share=100%")  # 1e305 of 1.7e6 m is more than 1.8e308
        (over, *_) = self.measure(arm(large), *limits)["verdict"]["checks"]
        self.assertEqual((over["share"]["value"], over["passed"]), (None, False))

    def test_random_rigs(self):
        chance = random.Random(20)
        measured = 0
        for number in range(30):
            size = 10.0 ** chance.choice((-44, -30, -10, 0, 10, 30, 37, 38))
            points = [tuple(c * size * chance.choice((0, 1, 1)) for c in p) for p in TETRAHEDRON]
            rig = arm(points, inverse_bind=chance.choice((0, 1, 1, -1, 1e-38, 1e20, FLT_MAX)),
                      weight=chance.choice((None, 0, 1, -1e30, 1e300, 1e308)),
                      scale=chance.choice((0, 1, 1, -1, 1e-30, 1e30, 1e300)))
            with self.subTest(number):
                measured += self.measure(rig, *chance.choice((WIDE, PART, HARD))) is not None
        self.assertGreater(measured, 5)


if __name__ == "__main__":
    main()
