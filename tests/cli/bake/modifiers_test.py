#!/usr/bin/env python3
"""Rig modifiers: influence limits, stored weights, engine profiles, twist joints; alone and combined."""

import base64
import json
import math
import struct

from report_schema import schema_errors
from support import METHODS, RIGS, CliTest, Pc2, main, strict_json

ARM = RIGS / "bent_arm.gltf"
WALKER = RIGS / "walker.glb"
STATIONS = 4  # segments of --twist elbow:n=3
SIDES = 8
RADIUS = 0.25


def wound_arm(degrees, seconds=1):
    """glTF JSON: a tube from y = 0 to 1 on joint "elbow", with a ring at every quarter, and joint
    "wrist" at its end, which turns steadily about y with a key at every 90 degrees or less."""
    rings = [[(RADIUS * math.cos(2 * math.pi * k / SIDES), r / STATIONS, RADIUS * math.sin(2 * math.pi * k / SIDES))
              for k in range(SIDES)] for r in range(STATIONS + 1)]
    points = [p for ring in rings for p in ring]
    triangles = []
    for r in range(STATIONS):
        for k in range(SIDES):
            a, b = r * SIDES + k, r * SIDES + (k + 1) % SIDES
            triangles += [(a, a + SIDES, b + SIDES), (a, b + SIDES, b)]
    for k in range(1, SIDES - 1):
        last = STATIONS * SIDES
        triangles += [(0, k, k + 1), (last, last + k + 1, last + k)]
    keys = 1 + math.ceil(abs(degrees) / 90)
    times = [seconds * k / keys for k in range(keys + 1)]
    halves = [math.radians(degrees) * k / keys / 2 for k in range(keys + 1)]
    blobs = [
        (struct.pack(f"<{3 * len(points)}f", *[x for p in points for x in p]), 5126, "VEC3", len(points)),
        (struct.pack(f"<{3 * len(triangles)}H", *[i for t in triangles for i in t]), 5123, "SCALAR", 3 * len(triangles)),
        (b"\0\0\0\0" * len(points), 5121, "VEC4", len(points)),
        (struct.pack("<4f", 1, 0, 0, 0) * len(points), 5126, "VEC4", len(points)),
        (struct.pack("<32f", 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1,
                     1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1), 5126, "MAT4", 2),
        (struct.pack(f"<{len(times)}f", *times), 5126, "SCALAR", len(times)),
        (b"".join(struct.pack("<4f", 0, math.sin(h), 0, math.cos(h)) for h in halves), 5126, "VEC4", len(times))]
    data, views, accessors = b"", [], []
    for blob, component, kind, count in blobs:
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(blob)})
        accessors.append({"bufferView": len(accessors), "componentType": component, "type": kind, "count": count})
        data += blob + b"\0" * (-len(blob) % 4)
    accessors[0].update(min=[-RADIUS, 0, -RADIUS], max=[RADIUS, 1, RADIUS])
    accessors[5].update(min=[0], max=[times[-1]])
    return {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 2]}],
        "nodes": [{"name": "elbow", "children": [1]}, {"name": "wrist", "translation": [0, 1, 0]},
                  {"name": "arm", "mesh": 0, "skin": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 2, "WEIGHTS_0": 3}, "indices": 1}]}],
        "skins": [{"joints": [0, 1], "inverseBindMatrices": 4}],
        "animations": [{"name": "wind", "samplers": [{"input": 5, "output": 6}],
                        "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}]}],
        "accessors": accessors, "bufferViews": views,
        "buffers": [{"byteLength": len(data),
                     "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}]}


class ModifierTest(CliTest):
    def write_arm(self, degrees):
        path = self.folder / "arm.gltf"
        path.write_text(json.dumps(wound_arm(degrees)))
        return path

    def baked(self, rig, *options):
        self.succeed("bake", rig, "-q", "-o", "x.pc2", *options)
        return Pc2(self.read("x.pc2"))

    def report(self, rig, *options):
        return strict_json(self.succeed("bake", rig, "--json", "-q", *options).out)


class Twist(ModifierTest):
    def test_a_forearm_follows_any_number_of_turns(self):
        for degrees in (180, 270, 540, -540):
            rig = self.write_arm(degrees)
            cache = self.baked(rig, "--twist", "elbow")
            self.assertEqual(cache.samples, 31)
            for frame in (0, 7, 15, 30):
                positions = cache.positions(frame)
                for r in range(STATIONS + 1):
                    turn = math.radians(degrees) * r / STATIONS * frame / 30
                    for k in range(SIDES):
                        x, y, z = positions[r * SIDES + k]
                        a = 2 * math.pi * k / SIDES - turn  # about +y: z turns towards x
                        self.assertAlmostEqual(x, RADIUS * math.cos(a), delta=1e-6)
                        self.assertAlmostEqual(z, RADIUS * math.sin(a), delta=1e-6)
                        self.assertAlmostEqual(y, r / STATIONS, delta=1e-6)

    def test_without_twist_joints_the_forearm_stays(self):
        cache = self.baked(self.write_arm(540))
        self.assertEqual(cache.rows[0], cache.rows[30])

    def test_frames_do_not_depend_on_their_range_or_on_threads(self):
        rig = self.write_arm(540)
        whole = self.baked(rig, "--twist", "elbow", "--threads", "1")
        self.assertEqual(self.baked(rig, "--twist", "elbow", "--threads", "3").rows, whole.rows)
        for first, last, step in ((29, 30, 1), (3, 30, 9), (17, 17, 1)):
            some = self.baked(rig, "--twist", "elbow", "--frames", f"{first}:{last}:{step}")
            self.assertEqual(some.rows, whole.rows[first:last + 1:step])
        self.assertEqual(self.baked(rig, "--twist", "elbow", "--fps", "2").rows, whole.rows[::15])

    def test_twist_joints_work_with_matrices_and_dual_quaternions(self):
        rig = self.write_arm(540)
        for method in METHODS:
            with self.subTest(method):
                cache = self.baked(rig, "--twist", "elbow:n=3,from=child", "--method", method)
                rest, last = cache.positions(0), cache.positions(30)
                for r in (0, STATIONS):  # the ends move rigidly: at rest, and by one turn and a half
                    for k in range(SIDES):
                        there = last[r * SIDES + k]
                        here = rest[r * SIDES + k] if r == 0 else rest[r * SIDES + (k + SIDES // 2) % SIDES]
                        if r == 0 or method in ("lbs", "dqs"):
                            self.assertLess(math.dist(here, there), 1e-5)

    def test_auto_lists_the_limbs(self):
        done = self.succeed("bake", WALKER, "-o", "{mesh}.pc2", "--twist", "auto:n=1")
        found = [line.split(":")[1].strip() for line in done.out.splitlines() if "twist=" in line]
        self.assertEqual(len(found), 8, done.out)
        for side in ("left", "right"):
            for part in ("UpperArm", "LowerArm", "UpperLeg", "LowerLeg"):
                self.assertTrue(any(name.lower().endswith((side + part).lower()) for name in found), (side, part, found))
        body = next(m for m in self.report(WALKER, "--twist", "auto:n=1")["meshes"] if m["id"] == "Body")
        ends = [record["modifier"].rsplit(",", 1)[1] for record in body["modifiers"]]
        self.assertEqual(ends, ["from=self", "from=child"] * 4)

    def test_auto_without_limbs_lists_the_joints(self):
        self.fail_with(2, "bake", ARM, "-o", "x.pc2", "--twist", "auto", naming=("'elbow'", "'wrist'"))


class Weights(ModifierTest):
    def test_modifiers_apply_in_the_order_of_the_command_line(self):
        one = self.report(ARM, "--influences", "1", "--weights", "u8")
        other = self.report(ARM, "--weights", "u8", "--influences", "1")
        self.assertEqual(one["settings"]["modifiers"], ["influences=1", "weights=u8"])
        self.assertEqual(other["settings"]["modifiers"], ["weights=u8", "influences=1"])
        first, second = (r["meshes"][0]["modifiers"] for r in (one, other))
        self.assertEqual([m["modifier"] for m in first], ["influences=1", "weights=u8"])
        self.assertEqual(first[1]["vertices_touched"], 0)  # a single weight is 255 of 255
        self.assertGreater(second[0]["vertices_touched"], 0)
        self.assertLess(second[0]["largest_weight_moved"], 2 / 255)

    def test_an_option_may_be_repeated_among_others(self):
        modifiers = self.report(ARM, "--influences", "2", "--weights", "u16", "--influences", "1", "--profile",
                                "unity-4")["settings"]["modifiers"]
        self.assertEqual(modifiers, ["influences=2", "weights=u16", "influences=1", "profile=unity-4"])

    def test_a_profile_equals_its_limit_and_its_quantisation(self):
        for profile, options in (("unity-1", ("--influences", "1")), ("unity-4", ("--influences", "4")),
                                 ("unreal-4", ("--influences", "4", "--weights", "u8"))):
            self.assertEqual(self.baked(ARM, "--profile", profile).rows, self.baked(ARM, *options).rows)

    def test_sixteen_bit_weights_of_the_file_do_not_change(self):
        record = self.report(ARM, "--weights", "u16")["meshes"][0]["modifiers"][0]
        self.assertEqual((record["vertices_touched"], record["vertex"]), (0, None))

    def test_u8_weights_change_little_and_something(self):
        full, coarse = self.baked(ARM), self.baked(ARM, "--weights", "u8")
        frame = full.samples // 2
        worst = max(math.dist(a, b) for a, b in zip(full.positions(frame), coarse.positions(frame)))
        self.assertGreater(worst, 1e-5)
        self.assertLess(worst, 0.01)


class Said(ModifierTest):
    def test_a_clip_that_is_too_long_to_learn_from_is_named_with_the_remedy(self):
        gltf = json.loads(ARM.read_text())
        for buffer in gltf["buffers"]:
            (self.folder / buffer["uri"]).write_bytes((ARM.parent / buffer["uri"]).read_bytes())
        bend = gltf["animations"][0]
        data = base64.b64encode(struct.pack("<5f", 0, 1e9, 0, 0, 0) + struct.pack("<3f", 0, 0, 0)).decode()
        gltf["buffers"].append({"byteLength": 32, "uri": "data:application/octet-stream;base64," + data})
        views, accessors = gltf["bufferViews"], gltf["accessors"]
        views += [{"buffer": len(gltf["buffers"]) - 1, "byteOffset": at, "byteLength": size} for at, size in ((0, 8), (8, 24))]
        accessors += [{"bufferView": len(views) - 2, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1e9]},
                      {"bufferView": len(views) - 1, "componentType": 5126, "count": 2, "type": "VEC3"}]
        gltf["animations"].append({
            "name": "long", "samplers": [{"input": len(accessors) - 2, "output": len(accessors) - 1}],
            "channels": [{"sampler": 0, "target": {"node": gltf["skins"][0]["joints"][0], "path": "translation"}}]})
        (self.folder / "long.gltf").write_text(json.dumps(gltf))
        bake = ("bake", "long.gltf", "--clip", bend["name"], "-o", "x.pc2", "--influences")
        self.fail_with(2, *bake, "2:fit", naming=("long.gltf: clip 'long' lasts ", "--influences 2:fit=CLIP"))
        self.succeed(*bake, "2:fit=" + bend["name"])

    def test_the_report_is_valid_and_the_sidecar_has_the_modifiers(self):
        options = ("--twist", "elbow:n=2", "--profile", "unreal-8")
        report = self.report(ARM, *options, "-o", "x.pc2")
        errors = schema_errors()
        if errors is not None:
            self.assertEqual(errors(report), [])
            spoilt = json.loads(json.dumps(report))
            spoilt["meshes"][0]["modifiers"][0]["largest_weight_moved"] = 2
            self.assertNotEqual(errors(spoilt), [])
        texts = ["twist=elbow:n=2,from=child", "profile=unreal-8"]
        self.assertEqual(report["settings"]["modifiers"], texts)
        self.assertEqual(self.json("x.pc2.json")["modifiers"], texts)
        records = report["meshes"][0]["modifiers"]
        self.assertEqual(records[0]["joints_added"], ["elbow.twist1", "elbow.twist2", "elbow.twist3"])
        self.assertEqual(list(report["meshes"][0])[7:10], ["primitives", "modifiers", "topology"])

    def test_the_summary_has_a_line_for_each_modifier(self):
        done = self.succeed("bake", ARM, "-o", "x.pc2", "--influences", "1", "--twist", "elbow")
        self.assertRegex(done.out, r"\narm: influences=1: \d+ of 1178 vertices touched, largest weight moved 0\.\d+ "
                                   r"\(vertex \d+\)\narm: twist=elbow:n=3,from=child: .*, 4 joints added\n")

    def test_without_modifiers_the_summary_has_no_line(self):
        report = self.report(ARM, "-o", "x.pc2")
        self.assertEqual(report["settings"]["modifiers"], [])
        self.assertNotIn("modifiers", report["meshes"][0])
        self.assertEqual(self.json("x.pc2.json")["modifiers"], [])

    def test_only_meshes_with_the_joint_have_the_twist(self):
        meshes = self.report(WALKER, "--twist", "auto")["meshes"]
        self.assertEqual([m["id"] for m in meshes if "modifiers" in m], ["Body"])

    def test_wrong_values_are_usage_errors_that_name_the_choices(self):
        for options, words in (
                (("--influences", "0"), ("1 to",)), (("--weights", "f32"), ("u8, u16",)),
                (("--profile", "unity"), ("unity-1", "unreal-8")), (("--twist", "elbow:n=0"), ("1 to 64",)),
                (("--twist", "elbow:bend=1"), ("n, from",)), (("--twist", "knee"), ("'shoulder'", "'elbow'")),
                (("--twist", "wrist"), ("from=self",)), (("--twist", "shoulder:from=self"), ("from=child",)),
                (("--twist", "elbow", "--twist", "elbow"), ("already",)), (("--twist", ""), ("JOINT",))):
            with self.subTest(options):
                self.fail_with(2, "bake", ARM, "-o", "x.pc2", *options, naming=words)

    def test_auto_given_twice_is_refused(self):
        self.fail_with(2, "bake", WALKER, "--json", "--twist", "auto", "--twist", "auto",
                       naming=("TWIST_IMPOSSIBLE", "already shared", "use auto once"))

    def test_a_clip_too_long_to_follow_is_an_input_error(self):
        document = wound_arm(90)
        keys = 4400  # ten seconds apart: more than four million moments
        blob = struct.pack(f"<{keys}f", *[10.0 * k for k in range(keys)]) + struct.pack("<4f", 0, 0, 0, 1) * keys
        document["buffers"].append({"byteLength": len(blob), "uri": "data:application/octet-stream;base64,"
                                    + base64.b64encode(blob).decode()})
        document["bufferViews"][5] = {"buffer": 1, "byteOffset": 0, "byteLength": 4 * keys}
        document["bufferViews"][6] = {"buffer": 1, "byteOffset": 4 * keys, "byteLength": 16 * keys}
        document["accessors"][5].update(count=keys, max=[10.0 * (keys - 1)])
        document["accessors"][6].update(count=keys)
        (self.folder / "long.gltf").write_text(json.dumps(document))
        self.fail_with(3, "bake", "long.gltf", "-o", "x.pc2", "--frames", "0:3", "--twist", "elbow",
                       naming=("long.gltf", "'wind'", "--twist"))


class Sections(ModifierTest):
    def test_inspect_counts_draw_sections(self):
        mesh = strict_json(self.succeed("inspect", WALKER, "--json").out)["meshes"][0]
        self.assertEqual(mesh["sections"], {"max_75_joints": 2, "max_256_joints": 2})  # two primitives
        self.assertIn("sections/75", self.succeed("inspect", WALKER).out)


if __name__ == "__main__":
    main()
