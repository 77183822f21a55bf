#!/usr/bin/env python3
"""Clips that move a human body: of another character, mirrored, in place, and made without an animation."""

import json
import math
import struct

from glb_files import glb, packed
from support import CliTest, RIGS, Pc2, main

WALKER = RIGS / "walker.glb"


class Humanoid(CliTest):
    def baked(self, name, *arguments):
        """The positions of a mesh by frame and vertex."""
        self.succeed("bake", WALKER, "--mesh", "Body", "-o", name, *arguments)
        cache = Pc2(self.read(name))
        return [cache.positions(sample) for sample in range(cache.samples)]

    def moved(self, name, clip, *options, rig=WALKER, bake=()):
        """The positions of a mesh of the rig that `retarget` writes with the clip."""
        self.succeed("retarget", clip, rig, "-o", "moved.glb", *options, *bake)
        last = len(glb(self.read("moved.glb"))[0]["animations"]) - 1
        self.succeed("bake", "moved.glb", "--mesh", "Body", "--clip", f"#{last}", "-o", name, *bake)
        cache = Pc2(self.read(name))
        return [cache.positions(sample) for sample in range(cache.samples)]

    def farthest(self, a, b):
        self.assertEqual(len(a), len(b))
        return max(math.dist(p, q) for f, g in zip(a, b) for p, q in zip(f, g))

    def test_a_rig_plays_its_own_clip_as_a_human_body(self):
        by_names = self.baked("names.pc2", "--clip", f"{WALKER}#walk")
        by_bones = self.moved("bones.pc2", f"{WALKER}#walk", "--mode", "humanoid")
        self.assertLess(self.farthest(by_names, by_bones), 1e-5)

    def other_rest(self, degrees):
        """The walker whose left upper arm rests in another rotation, by so many degrees."""
        gltf, data = glb(WALKER.read_bytes())
        node, = [node for node in gltf["nodes"] if node["name"] == "leftUpperArm"]
        half = math.radians(degrees) / 2
        node["rotation"] = [math.sin(half), 0, 0, math.cos(half)]
        (self.folder / "rig.glb").write_bytes(packed(gltf, data))

    def move_other(self, *options):
        """The other rig with the walker's clip, and the messages."""
        done = self.succeed("retarget", f"{WALKER}#walk", "rig.glb", "-o", "x.glb", *options)
        return self.read("x.glb"), done.err

    def test_rests_within_a_tenth_of_a_degree_match_by_names_and_others_as_human_bodies(self):
        for degrees, mode in ((0.0999, "names"), (0.1001, "humanoid")):
            self.other_rest(degrees)
            written, messages = self.move_other()
            self.assertEqual(written, self.move_other("--mode", mode)[0])
            self.assertNotEqual(written, self.move_other("--mode", {"names": "humanoid", "humanoid": "names"}[mode])[0])
            self.assertNotIn("REST_POSES_DIFFER", messages)

    def test_off_copies_keys_that_names_takes_relative_to_the_rest_poses(self):
        self.other_rest(20)
        names, warned = self.move_other("--mode", "names")
        off, silent = self.move_other("--mode", "off")
        self.assertNotEqual(names, off)
        self.assertIn("REST_POSES_DIFFER", warned)
        self.assertIn("'leftUpperArm' by 20.0 degrees and 0 m", warned)
        self.assertNotIn("REST_POSES_DIFFER", silent)

    def test_a_mirrored_clip_mirrored_again_is_the_clip(self):
        own = self.baked("own.pc2", "--clip", "walk")
        mirrored = self.moved("mirrored.pc2", f"{WALKER}#walk", "--mirror")
        self.assertGreater(self.farthest(own, mirrored), 0.01)
        (self.folder / "moved.glb").rename(self.folder / "once.glb")
        again = self.moved("again.pc2", "once.glb#walk_2", "--mirror")
        self.assertLess(self.farthest(own, again), 1e-5)

    def hung_elsewhere(self, parents):
        """The walker with names of 3ds Max Biped and other parents of some bones, which rest where they did."""
        gltf, data = glb(WALKER.read_bytes())
        nodes = gltf["nodes"]
        index = {node["name"]: i for i, node in enumerate(nodes)}
        above = {child: i for i, node in enumerate(nodes) for child in node.get("children", [])}

        def place(node):  # every rest rotation is the identity
            own = nodes[node]["translation"]
            return [a + b for a, b in zip(own, place(above[node]))] if node in above else own

        places = {bone: place(i) for bone, i in index.items() if "mesh" not in nodes[i]}
        for bone, parent in parents.items():
            nodes[above[index[bone]]]["children"].remove(index[bone])
            nodes[index[parent]].setdefault("children", []).append(index[bone])
            nodes[index[bone]]["translation"] = [a - b for a, b in zip(places[bone], places[parent])]
        words = {"hips": "Pelvis", "chest": "Spine1", "Shoulder": "Clavicle", "LowerArm": "Forearm", "UpperLeg": "Thigh",
                 "LowerLeg": "Calf", "Toes": "Toe0"}
        for bone, i in index.items():
            if "mesh" in nodes[i]:
                continue
            for side, letter in (("left", "L "), ("right", "R ")):
                if bone.startswith(side):
                    bone = letter + words.get(bone[len(side):], bone[len(side):])
            nodes[i]["name"] = "Hero " + words.get(bone, bone)
        (self.folder / "hung.glb").write_bytes(packed(gltf, data))
        return self.folder / "hung.glb"

    def test_bones_of_biped_that_hang_elsewhere_move_as_in_the_human_skeleton(self):
        bend = [{"name": "bend", "bones": {"spine": {"degrees": [40, 0, 10]}, "neck": {"degrees": [0, 30, 5]}}}]
        (self.folder / "bend.json").write_text(json.dumps(bend))
        thighs = {side + "UpperLeg": "spine" for side in ("left", "right")}
        clavicles = {side + "Shoulder": "neck" for side in ("left", "right")}
        for clip, bake in ((f"{WALKER}#walk", ()), ("poses:bend.json", ()), ("rom:spine", ("--fps", "2"))):
            mode = ("--mode", "humanoid") if clip.endswith("walk") else ()
            usual = self.moved("usual.pc2", clip, *mode, bake=bake)
            for parents in (thighs, clavicles, {**thighs, **clavicles}):
                with self.subTest(clip=clip, parents=parents):
                    hung = self.moved("hung.pc2", clip, *mode, bake=bake, rig=self.hung_elsewhere(parents))
                    self.assertLess(self.farthest(usual, hung), 1e-5)

    def test_root_motion_none_keeps_the_hips(self):
        moved = self.baked("moved.pc2", "--clip", "walk")
        still = self.moved("still.pc2", f"{WALKER}#walk", "--root-motion", "none")
        self.assertGreater(self.farthest(moved, still), 0.001)

    def test_a_mirrored_node_above_the_body_is_reported(self):
        gltf, data = glb(WALKER.read_bytes())
        nodes, scene = gltf["nodes"], gltf["scenes"][0]
        hips = next(i for i, node in enumerate(nodes) if node["name"] == "hips")
        scene["nodes"] = [len(nodes) if node == hips else node for node in scene["nodes"]]
        nodes.append({"name": "armature", "children": [hips], "scale": [2, 2, 2]})
        for scale, finds in (([2, 2, 2], self.assertNotIn), ([-1, 1, 1], self.assertIn)):
            nodes[-1]["scale"] = scale
            (self.folder / "rig.glb").write_bytes(packed(gltf, data))
            for clip in ("rom:spine", f"{WALKER}#walk", "rig.glb#walk"):
                done = self.succeed("retarget", clip, "rig.glb", "-o", "x.glb",
                                    *(() if clip.startswith("rom") else ("--root-motion", "in-place")))
                finds("HUMANOID_SCALE", done.err)

    def test_the_range_of_motion_needs_no_animation(self):
        self.succeed("bake", WALKER, "--mesh", "Body", "--clip", "rom:spine", "--fps", "4", "--report", "rom.json",
                     "--metrics", "volume")
        run = self.json("rom.json")["meshes"][0]["runs"][0]
        self.assertEqual(run["clip"], "rom:spine")
        self.assertGreater(run["frame_count"], 20)

    def test_poses_play_one_frame_each(self):
        poses = [{"name": "rest"}, {"name": "wave", "bones": {"leftUpperArm": {"degrees": [0, 0, 60]}}}]
        (self.folder / "poses.json").write_text(json.dumps(poses))
        frames = self.baked("poses.pc2", "--clip", f"poses:{self.folder}/poses.json")
        self.assertEqual(len(frames), 2)
        self.assertGreater(max(math.dist(p, q) for p, q in zip(*frames)), 0.05)
        self.succeed("bake", WALKER, "--mesh", "Body", "-o", "x.pc2", "--clip", f"poses:{self.folder}/poses.json",
                     "--depfile", "x.d")
        self.assertIn("poses.json", self.read("x.d").decode())

    def test_hips_rise_evenly_from_where_they_rest(self):
        (self.folder / "rise.json").write_text('[{"name": "a", "hold_s": 1}, {"name": "b", "hips": [0, 2, 0]}]')
        heights = [frame[0][1] for frame in self.baked("rise.pc2", "--clip", "poses:rise.json", "--fps", "10")]
        rises = [b - a for a, b in zip(heights, heights[1:])]
        self.assertGreater(min(rises), 0.05)
        self.assertLess(max(rises) - min(rises), 1e-5)

    def test_ranges_limit_the_range_of_motion(self):
        (self.folder / "ranges.json").write_text('{"leftArmDownUp": [0, 0], "rightArmDownUp": [0, 0]}')
        usual = self.baked("a.pc2", "--clip", "rom:arms", "--fps", "2")
        fewer = self.moved("b.pc2", "rom:arms", "--ranges", "ranges.json", bake=("--fps", "2"))
        self.assertLess(len(fewer), len(usual))

    def test_a_pose_of_a_clip_can_be_the_t_pose(self):
        rest = self.moved("a.pc2", "rom:legs", "--t-pose", "rest", bake=("--fps", "2"))
        posed = self.moved("b.pc2", "rom:legs", "--t-pose", "clip:walk@0.25", bake=("--fps", "2"))
        self.assertGreater(self.farthest(rest, posed), 0.001)

    def test_a_body_stands_as_in_a_t_pose_that_turns_a_node_above_it(self):
        gltf, data = glb(WALKER.read_bytes())
        turn = struct.pack("<5f", 0, 0, 0.5, 0, 0.75 ** 0.5)  # a time, and 60 degrees about y
        gltf["bufferViews"].append({"buffer": 0, "byteOffset": len(data), "byteLength": len(turn)})
        gltf["buffers"][0]["byteLength"] = len(data) + len(turn)
        view = len(gltf["bufferViews"]) - 1
        gltf["accessors"] += [{"bufferView": view, "componentType": 5126, "count": 1, "type": "SCALAR", "min": [0], "max": [0]},
                              {"bufferView": view, "byteOffset": 4, "componentType": 5126, "count": 1, "type": "VEC4"}]
        count = len(gltf["accessors"])
        above = len(gltf["nodes"])
        gltf["nodes"].append({"name": "above", "children": [0]})
        gltf["scenes"][0]["nodes"] = [above, *(node for node in gltf["scenes"][0]["nodes"] if node != 0)]
        gltf["animations"].append({"name": "turned", "samplers": [{"input": count - 2, "output": count - 1}],
                                   "channels": [{"sampler": 0, "target": {"node": above, "path": "rotation"}}]})
        (self.folder / "rig.glb").write_bytes(packed(gltf, data + turn))

        self.succeed("bake", "rig.glb", "--mesh", "Body", "-o", "there.pc2", "--frames", "0:0", "--clip", "turned")
        there = [Pc2(self.read("there.pc2")).positions(0)]
        (self.folder / "spine.json").write_text('[{"name": "a", "bones": {"spine": {"degrees": [0, 0, 0]}}}]')
        for clip in (("rig.glb#turned", "--mode", "humanoid"), ("rom:arms",), ("rom",), ("poses:spine.json",)):
            posed = self.moved("posed.pc2", *clip, "--t-pose", "clip:turned@0", rig="rig.glb")
            self.assertLess(self.farthest(there, posed[:1]), 1e-5)

    def test_inspect_takes_the_t_pose_from_a_clip_of_the_rig_for_any_clip(self):
        choice = ("--t-pose", "clip:walk@0.25")
        self.assertIn("every muscle stays within its range",
                      self.succeed("inspect", WALKER, "--clip", "rom:arms", *choice, "--limits").out)
        self.succeed("inspect", WALKER, "--clip", "rom:arms", *choice, "--at", "0.5", "--pose-json")
        self.fail_with(2, "inspect", WALKER, "--clip", "rom:arms", "--t-pose", "clip:gone", "--limits",
                       naming="there are: 'walk'")

    def test_a_pose_of_a_clip_plays_as_a_file(self):
        clip = self.baked("clip.pc2", "--clip", "walk")
        for frame in (0, 7, 20):
            pose = self.succeed("inspect", WALKER, "--clip", "walk", "--at", str(frame / 30), "--pose-json").out
            (self.folder / "pose.json").write_text(pose)
            posed = self.baked("posed.pc2", "--clip", "poses:pose.json")
            self.assertLess(self.farthest(clip[frame:frame + 1], posed), 1e-6)

    def test_a_pose_of_a_clip_with_a_long_name_plays_as_a_file(self):
        gltf, data = glb(WALKER.read_bytes())
        gltf["animations"][0]["name"] = 300 * "w"
        (self.folder / "rig.glb").write_bytes(packed(gltf, data))
        pose = self.succeed("inspect", "rig.glb", "--clip", "#0", "--at", "0.5", "--pose-json").out
        self.assertEqual(json.loads(pose)[0]["name"], 256 * "w")
        (self.folder / "pose.json").write_text(pose)
        self.baked("pose.pc2", "--clip", "poses:pose.json")

    def test_a_pose_of_hips_that_are_not_above_the_ground_plays_as_a_file(self):
        for height in (-1, -0.95):  # the second puts the hips on the ground
            gltf, data = glb(WALKER.read_bytes())
            number = {node["name"]: index for index, node in enumerate(gltf["nodes"])}
            bones = json.loads(self.succeed("inspect", WALKER, "--json").out)["humanoid"]["bones"]
            gltf["extensionsUsed"] = ["VRMC_vrm"]
            gltf["extensions"] = {"VRMC_vrm": {"specVersion": "1.0", "humanoid": {"humanBones": {
                bone["bone"]: {"node": number[bone["bone"]]} for bone in bones}}}}
            hips = number["hips"]
            gltf["nodes"].append({"name": "root", "translation": [0, height, 0], "children": [hips]})
            roots = gltf["scenes"][0]["nodes"]
            roots[roots.index(hips)] = len(gltf["nodes"]) - 1
            (self.folder / "low.vrm").write_bytes(packed(gltf, data))
            self.succeed("bake", "low.vrm", "--clip", "walk", "--mesh", "Body", "-o", "clip.pc2")
            pose = self.succeed("inspect", "low.vrm", "--clip", "walk", "--at", str(7 / 30), "--pose-json").out
            (self.folder / "pose.json").write_text(pose)
            self.succeed("bake", "low.vrm", "--clip", "poses:pose.json", "--mesh", "Body", "-o", "pose.pc2")
            clip, posed = (Pc2(self.read(name)) for name in ("clip.pc2", "pose.pc2"))
            self.assertLess(self.farthest([clip.positions(7)], [posed.positions(0)]), 1e-6)

    def test_the_muscles_beyond_their_ranges_are_listed(self):
        self.assertIn("every muscle stays within its range",
                      self.succeed("inspect", WALKER, "--clip", "rom:arms", "--limits").out)
        poses = [{"name": "far", "bones": {"leftLowerLeg": {"degrees": [-30, 0, 0]}}}]
        (self.folder / "far.json").write_text(json.dumps(poses))
        arguments = ("inspect", WALKER, "--clip", "poses:far.json", "--limits")
        self.assertIn("leftLowerLeg", self.succeed(*arguments).out)
        found, = json.loads(self.succeed(*arguments, "--json").out)["muscles"]
        self.assertAlmostEqual(found["worst_excess_deg"], 30, delta=0.5)
        self.assertEqual(found["runs"], [{"first": 0, "last": 0}])

    def test_a_map_by_hand_that_is_wrong_is_reported(self):
        bones = {bone["bone"]: bone["bone"]
                 for bone in json.loads(self.succeed("inspect", WALKER, "--json").out)["humanoid"]["bones"]}
        bones["leftUpperArm"], bones["rightUpperArm"] = bones["rightUpperArm"], bones["leftUpperArm"]
        (self.folder / "map.json").write_text(json.dumps(bones))
        for options in (("--mirror", "--humanoid", "map.json"), ("--mode", "humanoid", "--clip-humanoid", "map.json")):
            done = self.succeed("retarget", f"{WALKER}#walk", WALKER, "-o", "x.glb", *options)
            self.assertIn("HUMANOID_BONE_MISPLACED", done.err)

    def with_still_clips(self):
        """Writes the walker with two more clips, which do not move its bones."""
        gltf, data = glb(WALKER.read_bytes())
        walk, = gltf["animations"]
        mouth = [channel for channel in walk["channels"] if channel["target"]["path"] == "weights"]
        gltf["animations"] += [{"name": "empty", "channels": [], "samplers": []},
                               {"name": "talk", "channels": mouth, "samplers": walk["samplers"]}]
        (self.folder / "rig.glb").write_bytes(packed(gltf, data))

    def test_a_clip_that_moves_no_bone_does_not_play_as_a_human_body(self):
        self.with_still_clips()
        for clip in ("empty", "talk"):
            self.fail_with(3, "retarget", f"rig.glb#{clip}", "rig.glb", "-o", "x.glb", "--mirror",
                           naming=(f"clip '{clip}'", "CLIP_MOVES_NOTHING"))
        self.fail_with(3, "retarget", "rig.glb#all", "rig.glb", "-o", "x.glb", "--mirror", naming="clip 'empty'")

    def test_a_rig_without_a_mesh_plays_its_clip_mirrored(self):
        gltf, data = glb(WALKER.read_bytes())
        for node in gltf["nodes"]:
            node.pop("mesh", None)
            node.pop("skin", None)
        del gltf["meshes"], gltf["skins"]
        walk, = gltf["animations"]
        walk["channels"] = [channel for channel in walk["channels"] if channel["target"]["path"] != "weights"]
        (self.folder / "rig.glb").write_bytes(packed(gltf, data))
        self.succeed("retarget", "rig.glb#walk", "rig.glb", "-o", "x.glb", "--mirror")

    def test_the_t_pose_of_a_clip_must_pose_the_body(self):
        self.with_still_clips()
        for clip in ("empty", "talk"):
            before = self.files()
            done = self.run_program("retarget", "rig.glb#walk", "rig.glb", "--mirror", "-o", "x.glb", "--t-pose",
                                    f"clip:{clip}")
            self.assertEqual(done.code, 2, done)
            self.assertIn(f"clip '{clip}' does not have keys of rotations", done.err)
            self.assertIn("(options --t-pose, --clip-t-pose)", done.err)
            self.assertEqual(self.files(), before)

    def test_options_that_would_not_have_an_effect_are_refused(self):
        output = (WALKER, "-o", "x.glb")
        for option in (("--map", "a.json"), ("--clip-humanoid", "a.json"), ("--clip-t-pose", "rest"), ("--mirror",),
                       ("--mode", "names"), ("--root-motion", "none")):
            self.fail_with(2, "retarget", "rom", *output, *option, naming=option[0])
        self.fail_with(2, "retarget", f"{WALKER}#walk", *output, "--ranges", "a.json", naming="--ranges")
        for option in (("--mirror",), ("--root-motion", "none")):
            self.fail_with(2, "retarget", f"{WALKER}#walk", *output, "--mode", "names", *option, naming=option[0])
        self.fail_with(2, "retarget", "rom:", *output, naming="does not name a part")
        self.fail_with(2, "retarget", "poses:", *output, naming="does not name a file")
        self.fail_with(3, "bake", WALKER, "-o", "{mesh}.pc2", "--clip", "rom:hands",
                       naming=("'rom:hands' does not move the body", "CLIP_MOVES_NOTHING"))
        legs = ("UpperLegFrontBack", "UpperLegInOut", "UpperLegTwist", "LowerLegStretch", "LowerLegTwist", "FootDownUp",
                "FootTwist", "ToesDownUp")
        (self.folder / "still.json").write_text(json.dumps({side + muscle: [0, 0] for muscle in legs
                                                            for side in ("left", "right")}))
        self.fail_with(3, "retarget", "rom:legs", *output, "--ranges", "still.json", naming="CLIP_MOVES_NOTHING")

    def test_inspect_refuses_instants_outside_the_clip(self):
        for instant in ("-0.1", "1.1", "nan", "inf"):
            self.fail_with(2, "inspect", WALKER, "--clip", "walk", "--at", instant, "--pose-json", naming="--at")

    def test_inspect_refuses_options_that_do_not_fit(self):
        for arguments in (("--pose-json", "--clip", "walk"), ("--at", "1"), ("--limits",), ("--clip", "walk"),
                          ("--limits", "--pose-json", "--at", "1", "--clip", "walk")):
            self.fail_with(2, "inspect", WALKER, *arguments)

    def test_what_does_not_fit_is_refused(self):
        two_joints = RIGS / "two_joints.gltf"
        self.fail_with(3, "bake", two_joints, "-o", "x.pc2", "--clip", "rom", naming="HUMANOID_REQUIRED")
        self.fail_with(2, "bake", WALKER, "-o", "{mesh}.pc2", "--clip", "rom:tail", naming="'rom:hands'")
        (self.folder / "ranges.json").write_text('{"leftArmDownUp": ["a", 0]}')
        (self.folder / "map.json").write_text('{"hips": "gone"}')
        walk = ("retarget", f"{WALKER}#walk", WALKER, "-o", "x.glb", "--mirror")
        for code, arguments, naming in ((2, (*walk, "--t-pose", "clip:gone"), "no clip 'gone' for the T-pose"),
                                        (2, (*walk, "--t-pose", "clip:walk@99"), "not within clip 'walk'"),
                                        (2, (*walk, "--t-pose", "pose"), "--t-pose"),
                                        (3, (*walk, "--humanoid", "map.json"), "HUMANOID_FILE_INVALID"),
                                        (3, ("retarget", "rom", WALKER, "-o", "x.glb", "--ranges", "ranges.json"),
                                         "MUSCLE_RANGES_INVALID")):
            self.fail_with(code, *arguments, naming=naming)
        self.assertEqual(list(self.folder.glob("*.pc2")) + list(self.folder.glob("*.glb")), [])


if __name__ == "__main__":
    main()
