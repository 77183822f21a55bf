#!/usr/bin/env python3
"""Crafted files whose elements could be compared each with each: runs take a time that grows with the file."""

import array
import json
import resource
import struct

from glb_files import packed
from support import AT_ONCE, CliTest, RIGS, TRIANGLE, main, write_rig

TUBE = RIGS / "twisted_tube.gltf"
COUNT = 20000


class Times(CliTest):
    def seconds(self, *arguments, code=0):
        """The processor time of a run."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = self.run_program(*arguments)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual(done.code, code, done)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def assert_fast(self, *arguments, code=0):
        self.assertLess(self.seconds(*arguments, code=code), AT_ONCE)

    def write(self, rig, name="crafted.gltf"):
        (self.folder / name).write_text(json.dumps(rig))
        return name

    def tube(self):
        """twisted_tube.gltf, and the number of its nodes."""
        rig = json.loads(TUBE.read_text())
        return rig, len(rig["nodes"])

    def add_chain(self, rig, names, joints=True):
        """Adds a chain of nodes below the last joint, and to the joints of the skin."""
        first = len(rig["nodes"])
        rig["nodes"] += [{"name": name, "children": [first + i + 1]} for i, name in enumerate(names)]
        del rig["nodes"][-1]["children"]
        rig["nodes"][rig["skins"][0]["joints"][-1]].setdefault("children", []).append(first)
        if joints:
            rig["skins"][0]["joints"] += range(first, len(rig["nodes"]))
            del rig["skins"][0]["inverseBindMatrices"]

    def test_a_chain_of_twist_joints_is_followed_once(self):
        rig, _ = self.tube()
        names = ("LeftArm", "LeftForeArm")
        for node, name in zip(rig["skins"][0]["joints"], names):
            rig["nodes"][node]["name"] = name
        self.add_chain(rig, [f"twist{i}" for i in range(2 * COUNT)])
        # The joints have one place, so that the limbs have no length.
        self.assert_fast("bake", self.write(rig), "--twist", "auto", "--fps", "1", "-o", "a.pc2", code=2)

    def test_parameters_of_joints_are_found_by_name_and_by_number(self):
        rig, first = self.tube()
        self.add_chain(rig, [f"j{i}" for i in range(2 * COUNT)])
        (self.folder / "params.json").write_text(json.dumps(
            {(f"j{i}" if i % 2 else f"#{first + i}"): {"s": 0.5} for i in range(2 * COUNT)}))
        self.assert_fast("bake", self.write(rig), "-m", "lbs", "--joint-params", "params.json", "--fps", "1",
                         "-o", "a.pc2")

    def test_lists_of_extensions_are_compared_once(self):
        rig, _ = self.tube()
        rig["extensionsUsed"] = [f"FB_material_{i}" for i in range(12 * COUNT)]
        rig["extensionsRequired"] = [f"VRM{i}" for i in range(12 * COUNT)]
        self.assert_fast("inspect", self.write(rig))

    def test_names_that_are_taken_are_counted_once(self):
        rig, _ = self.tube()
        rig["nodes"] += [{"name": f"skinbake.dqs_{i}."} for i in range(2, 2 * COUNT)] + [{"name": "skinbake.dqs."}]
        self.assert_fast("fit", self.write(rig), "--correctives", "1", "-o", "fit.glb", "--report", "fit.json")
        self.assertEqual(self.json("fit.json")["meshes"][0]["target_names"], [f"skinbake.dqs_{2 * COUNT}.0"])

    def test_junit_compares_the_checks_with_the_runs_that_they_name(self):
        self.succeed("compare", TUBE, "--method", "lbs", "--method", "dqs", "--fail", "error.max=1", "--report", "few.json")
        report = self.json("few.json")
        mesh, check = report["meshes"][0], report["verdict"]["checks"][0]
        report["clips"] = [{**report["clips"][0], "id": f"c{i}", "index": i, "frame_count": 1} for i in range(COUNT)]
        mesh["runs"] = [{"clip": f"c{i}", "method": "lbs", "frame_count": 1} for i in range(COUNT)]
        report["verdict"]["checks"] = [{**check, "clip": "none"}] * COUNT
        (self.folder / "many.json").write_text(json.dumps(report))
        self.assert_fast("report", "many.json", "-o", "many.xml")
        self.assertEqual(self.read("many.xml").count(b"<testcase"), COUNT)

    def test_the_parents_of_joints_in_a_view_are_found_once(self):
        rig, _ = self.tube()
        self.add_chain(rig, [f"n{i}" for i in range(2 * COUNT)], joints=False)
        last = len(rig["nodes"])
        rig["nodes"] += [{"name": f"j{i}"} for i in range(2 * COUNT)]
        rig["nodes"][last - 1]["children"] = list(range(last, last + 2 * COUNT))
        rig["skins"][0]["joints"] += range(last, last + 2 * COUNT)
        del rig["skins"][0]["inverseBindMatrices"]
        self.assert_fast("compare", self.write(rig), "--method", "lbs", "--method", "dqs", "--fps", "1", "--report", "a.html", "--view")

    def test_a_clip_file_without_a_body_is_searched_once(self):
        rig, first = self.tube()
        self.add_chain(rig, [""] * COUNT, joints=False)
        self.write(rig)
        rig["nodes"][first]["name"] = "not in the rig"
        animation = rig["animations"][0]
        channel = animation["channels"][0]
        animation["channels"].append({**channel, "target": {**channel["target"], "node": first}})
        rig["animations"] = [{**animation, "name": f"c{i}"} for i in range(3 * COUNT // 10)]
        self.write(rig, "clips.gltf")
        self.assert_fast("bake", "crafted.gltf", "-m", "lbs", "--clip", "clips.gltf#all", "--fps", "1", "-o", "a.glb")

    def vertices(self, bits):
        """A GLB of points whose coordinates are floats of the given bits."""
        data = array.array("I", bits).tobytes()
        floats = struct.unpack(f"<{len(bits)}f", data)
        accessor = {"bufferView": 0, "componentType": 5126, "count": len(bits) // 3, "type": "VEC3",
                    "min": [min(floats[i::3]) for i in range(3)], "max": [max(floats[i::3]) for i in range(3)]}
        gltf = {"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
                "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}], "accessors": [accessor],
                "bufferViews": [{"buffer": 0, "byteLength": len(data)}], "buffers": [{"byteLength": len(data)}]}
        (self.folder / "points.glb").write_bytes(packed(gltf, data))

    def test_the_nodes_at_rest_are_not_placed_again_for_each_mesh_of_a_difference(self):
        rig = json.loads(write_rig(self.folder / "rig.gltf", ["a"], shape=TRIANGLE).read_text())
        mesh = next(node for node in rig["nodes"] if "mesh" in node)["mesh"]
        times = []
        for count in (1000, 5000):
            many = {**rig, "nodes": rig["nodes"] + [{"name": f"mesh {i}", "mesh": mesh} for i in range(count)]}
            many["scenes"] = [{"nodes": rig["scenes"][0]["nodes"] + list(range(len(rig["nodes"]), len(many["nodes"])))}]
            name = self.write(many, f"{count}.gltf")
            times.append(self.seconds("diff", name, name, "--clip", "all", "--frames", "0:0", "-q"))
        self.assertLess(times[1], 10 * times[0] + 0.5)  # the square would be 25 times as much

    def test_positions_with_one_hash_are_welded_by_sorting(self):
        self.vertices(positions_of_one_hash(10 * COUNT))
        self.assert_fast("inspect", "points.glb")


FACTOR, MASK = 0x9E3779B97F4A7C15, (1 << 64) - 1


def rotated(number):
    """By 23 bits to the left."""
    return ((number << 23) | (number >> 41)) & MASK


def positions_of_one_hash(count):
    """Bits of x, y and z whose multiplicative hashes, with the factor of the golden ratio, are equal."""
    inverse, last, low_bits = pow(FACTOR, -1, 1 << 64), 0x12345678, 0x3f123456
    lows = {}
    for low in range(512):
        before = (((last << 9) | low) * inverse) & ((1 << 41) - 1)
        lows.setdefault(before >> 32, []).append(before & 0xffffffff)

    def is_usual(bits):
        return 60 < ((bits >> 23) & 255) < 140

    found, x = [], 0x3f000000
    while len(found) < 3 * count:
        x += 1
        state = rotated(x * FACTOR & MASK)
        for low in lows.get((state >> 32) & 511, ()):
            y = (state & 0xffffffff) ^ low
            z = (rotated(((state ^ y) * FACTOR) & MASK) & 0xffffffff) ^ low_bits
            if is_usual(y) and is_usual(z):
                found += [x, y, z]
    return found[:3 * count]


if __name__ == "__main__":
    main()
