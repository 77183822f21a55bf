#!/usr/bin/env python3
"""Crafted files whose elements could be compared each with each: runs take a time that grows with the file."""

import json
import resource

from support import AT_ONCE, CliTest, RIGS, main

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
        self.succeed("compare", TUBE, "--methods", "lbs,dqs", "--fail-max", "1", "--report", "few.json")
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
        self.assert_fast("compare", self.write(rig), "--methods", "lbs,dqs", "--fps", "1", "--html", "a.html", "--view")

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


if __name__ == "__main__":
    main()
