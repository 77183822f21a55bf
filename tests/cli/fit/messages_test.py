#!/usr/bin/env python3
"""What `skinbake fit` tells: names, advice that exists, and why a result is not as it was asked for."""

import json
import re
import struct

from glb_files import glb, packed
from support import CliTest, RIGS, main

ARM = RIGS / "bent_arm.gltf"
TUBE = RIGS / "twisted_tube.gltf"
WALKER = RIGS / "walker.glb"


class Messages(CliTest):
    def avatar(self):
        """walker.glb with the extension of VRM files."""
        gltf, data = glb(WALKER.read_bytes())
        hips = next(n for n, node in enumerate(gltf["nodes"]) if "mesh" not in node)
        gltf["extensionsUsed"] = gltf.get("extensionsUsed", []) + ["VRMC_vrm"]
        gltf["extensions"] = {"VRMC_vrm": {"specVersion": "1.0", "humanoid": {"humanBones": {"hips": {"node": hips}}}}}
        (self.folder / "walker.vrm").write_bytes(packed(gltf, data))
        return "walker.vrm"

    def test_names_of_a_second_fit_differ_from_those_of_the_first(self):
        self.succeed("fit", ARM, "--correctives", "2", "-o", "once.glb")
        self.succeed("fit", "once.glb", "--correctives", "2", "-o", "twice.glb", "--report", "twice.json")
        self.succeed("fit", "twice.glb", "--correctives", "1", "-o", "thrice.glb")
        names = [f"skinbake.{name}" for name in ("dqs.0", "dqs.1", "dqs_2.0", "dqs_2.1", "dqs_3.0")]
        self.assertEqual(self.json("twice.json")["meshes"][0]["target_names"], names[2:4])
        self.assertEqual(glb(self.read("thrice.glb"))[0]["meshes"][0]["extras"]["targetNames"], names)

    def test_helpers_of_a_second_fit_have_names_of_their_own(self):
        self.succeed("fit", ARM, "--helpers", "1", "--correctives", "0", "-o", "once.glb")
        self.succeed("fit", "once.glb", "--helpers", "1", "--correctives", "0", "-o", "twice.glb")
        names = [node["name"] for node in glb(self.read("twice.glb"))[0]["nodes"] if "name" in node]
        self.assertEqual([name for name in names if "helper" in name],
                         ["skinbake.dqs.helper.0", "skinbake.dqs_2.helper.0"])

    def test_advice_about_a_target_names_options_that_fit_has(self):
        options = set(re.findall(r"--[a-z-]+", self.succeed("fit", "--help").out))
        self.assertNotIn("--frames", options)
        self.succeed("bake", ARM, "--frames", "0:5", "-o", "few.pc2")
        self.succeed("bake", ARM, "--fps", "24", "-o", "slow.pc2")
        self.succeed("bake", ARM, "--space", "mesh", "-o", "mesh.pc2")
        for cache, word in (("few.pc2", "give the rate of the cache by --fps"),
                            ("slow.pc2", "give the rate of the cache by --fps"),
                            ("mesh.pc2", "bake it with --space scene")):
            with self.subTest(cache=cache):
                done = self.fail_with(5, "fit", ARM, "--target", cache, "--correctives", "4", "-o", "fit.glb",
                                      naming=("the target", word))
                self.assertNotIn("--frames", done.err)

    def test_helpers_are_not_advised_where_no_joint_can_have_one(self):
        rig = json.loads(TUBE.read_text())
        for scale, advice in (([2, 2, 2], "add --helpers 4"), ([2, 1, 1], "helper joints cannot follow joints")):
            with self.subTest(scale=scale):
                nodes = [*rig["nodes"], {"scale": scale, "children": rig["scenes"][0]["nodes"]}]
                scaled = {**rig, "nodes": nodes, "scenes": [{"nodes": [len(nodes) - 1]}]}
                (self.folder / "scaled.gltf").write_text(json.dumps(scaled))
                done = self.run_program("fit", "scaled.gltf", "--max-error", "2%", "-o", "fit.glb")
                self.assertEqual(done.code, 1)
                self.assertIn(advice, done.err)
                self.assertRegex(done.out, r"would add \d+ correctives \(")
                options = ("--helpers", "4", "--best-effort", "--max-error", "2%", "-o", "fit.glb")
                if "add" in advice:
                    self.succeed("fit", "scaled.gltf", *options)
                else:
                    self.fail_with(3, "fit", "scaled.gltf", *options,
                                   naming=("scaled.gltf /nodes/", "HELPERS_IMPOSSIBLE"))

    def test_a_mesh_at_one_point_has_no_error_relative_to_its_diagonal(self):
        rig = json.loads(TUBE.read_text())
        positions = rig["accessors"][rig["meshes"][0]["primitives"][0]["attributes"]["POSITION"]]
        del positions["bufferView"]
        positions.update(min=[0, 0, 0], max=[0, 0, 0])
        (self.folder / "point.gltf").write_text(json.dumps(rig))
        done = self.succeed("fit", "point.gltf", "--correctives", "1", "-o", "fit.glb", "--report", "fit.json",
                            "--report", "fit.html", "--report", "fit.xml", "--report", "fit.md")
        self.assertNotRegex(done.out + self.read("fit.md").decode() + self.read("fit.xml").decode(), r"\b(nan|inf)\b")
        self.assertIsNone(self.json("fit.json")["meshes"][0]["clips"][0]["after"]["max_relative"])
        self.fail_with(2, "fit", "point.gltf", "--max-error", "1%", "-o", "x.glb",
                       naming=("--max-error", "at one point"))

    def test_correctives_never_leave_a_larger_error_than_none(self):
        rig = json.loads(TUBE.read_text())
        for thin in (0.2, 0.001):
            nodes = [*rig["nodes"], {"scale": [1, 1, thin], "children": rig["scenes"][0]["nodes"]}]
            scaled = {**rig, "nodes": nodes, "scenes": [{"nodes": [len(nodes) - 1]}]}
            (self.folder / "scaled.gltf").write_text(json.dumps(scaled))
            for count in (1, 4):
                with self.subTest(thin=thin, count=count):
                    self.succeed("fit", "scaled.gltf", "--correctives", count, "-o", "fit.glb", "--report", "fit.json")
                    (clip,) = self.json("fit.json")["meshes"][0]["clips"]
                    self.assertLessEqual(clip["after"]["max"], clip["before"]["max"] * (1 + 1e-6))

    def test_a_count_and_a_limit_of_correctives_exclude_each_other(self):
        self.fail_with(2, "fit", ARM, "--correctives", "4", "--max-correctives", "2", "-o", "fit.glb",
                       naming=("--correctives", "--max-correctives"))

    def test_verify_tells_the_error_that_it_has_measured(self):
        fit = ("fit", ARM, "--correctives", "3", "-o", "fit.glb", "--report", "fit.json")
        self.assertNotIn("read back", self.succeed(*fit).out)
        self.assertNotIn("read_back", self.json("fit.json")["output"])
        done = self.succeed(*fit, "--verify")
        read, (clip,) = self.json("fit.json")["output"]["read_back"], self.json("fit.json")["meshes"][0]["clips"]
        self.assertAlmostEqual(read["max"], clip["after"]["max"], delta=1e-6)
        self.assertEqual((read["mesh"], read["clip"]), ("arm", "bend_and_twist"))
        self.assertIn(f"\nfit.glb: read back, largest error {read['max']:.3g} m (mesh 'arm', clip 'bend_and_twist', "
                      f"frame {read['frame']}, vertex {read['vertex']})\n", done.out)

    def test_only_an_avatar_becomes_a_vrm_file(self):
        for command in (("fit", ARM, "--correctives", "1"), ("retarget", "rom:arms", WALKER)):
            with self.subTest(command=command[0]):
                self.fail_with(2, *command, "-o", "out.vrm", naming=("'out.vrm' would not be a VRM file", "'out.glb'"))
        rig = self.avatar()
        self.succeed("fit", rig, "--correctives", "1", "-o", "out.vrm")
        self.assertIn("VRMC_vrm", glb(self.read("out.vrm"))[0]["extensions"])

    def arm_with_a_broken_clip(self):
        """bent_arm with a second clip, which scales two joints so that float32 overflows after its first key."""
        gltf = json.loads(ARM.read_text())
        data = (RIGS / "bent_arm.bin").read_bytes()
        data += b"\0" * (-len(data) % 4)
        times, scales = struct.pack("<2f", 0, 0.5), struct.pack("<6f", 1, 1, 1, 3e38, 3e38, 3e38)
        (self.folder / "broken.bin").write_bytes(data + times + scales)
        gltf["buffers"][0].update(uri="broken.bin", byteLength=len(data) + 32)
        gltf["bufferViews"] += [{"buffer": 0, "byteOffset": len(data), "byteLength": 8},
                                {"buffer": 0, "byteOffset": len(data) + 8, "byteLength": 24}]
        views, accessors = len(gltf["bufferViews"]), len(gltf["accessors"])
        gltf["accessors"] += [{"bufferView": views - 2, "componentType": 5126, "count": 2, "type": "SCALAR",
                               "min": [0], "max": [0.5]},
                              {"bufferView": views - 1, "componentType": 5126, "count": 2, "type": "VEC3"}]
        channels = [{"sampler": 0, "target": {"node": node, "path": "scale"}} for node in gltf["skins"][0]["joints"][:2]]
        gltf["animations"].append({"name": "broken", "samplers": [{"input": accessors, "output": accessors + 1}],
                                   "channels": channels})
        (self.folder / "broken.gltf").write_text(json.dumps(gltf))
        return "broken.gltf"

    def test_a_clip_with_positions_that_are_not_finite_is_named_with_a_remedy(self):
        rig = self.arm_with_a_broken_clip()
        self.succeed("fit", rig, "--clip", "bend_and_twist", "--correctives", "1", "-o", "fit.glb")
        for options, remedy in (
                (("--clip", "all", "--correctives", "1"), "or omit the clip from --clip"),
                (("--clip", "bend_and_twist", "--helpers", "1", "--correctives", "0"),
                 "or remove the clip from the file: the fit does not contain it, but moves it too"),
                (("--clip", "bend_and_twist", "--influences", "1:fit", "--correctives", "0"),
                 "or remove the clip from the file")):
            with self.subTest(options=options):
                self.fail_with(3, "fit", rig, *options, "-o", "fit.glb",
                               naming=("broken.gltf /nodes/", "clip 'broken', mesh 'arm', frame ", remedy,
                                       "[NON_FINITE_POSITION]"))

    def test_fewer_correctives_than_asked_for_have_a_reason(self):
        for options, reason, words in (
                (("--correctives", "80"), "frames", "61 correctives instead of 80: one for each of the 61 frames"),
                (("--correctives", "4", "--method", "lbs"), "nothing_left",
                 "0 correctives instead of 4: no other moves a vertex")):
            with self.subTest(reason=reason):
                done = self.succeed("fit", ARM, *options, "-o", "fit.glb", "--report", "fit.json")
                self.assertIn(f"\narm: {words}", done.out)
                self.assertEqual(self.json("fit.json")["meshes"][0]["fewer_correctives"],
                                 {"asked": int(options[1]), "reason": reason})
        self.succeed("fit", ARM, "--correctives", "4", "-o", "fit.glb", "--report", "fit.json")
        self.assertNotIn("fewer_correctives", self.json("fit.json")["meshes"][0])

    def test_a_clip_that_ends_between_frames_is_one_warning(self):
        done = self.succeed("fit", ARM, "--method", "dqs", "--max-error", "10cm", "--fps", "7.3", "-o", "fit.glb",
                            "--report", "r.json")
        self.assertRegex(done.err, r"/animations/0: clip 'bend_and_twist' ends at 2 s, 0\.0822 s after its last frame, 14 "
                                   r"at 7\.3 fps; until then .* \[CLIP_END_BETWEEN_FRAMES\]")
        codes = [issue["code"] for issue in self.json("r.json")["issues"]]
        self.assertEqual(codes.count("CLIP_END_BETWEEN_FRAMES"), 1)
        done = self.succeed("fit", ARM, "--method", "dqs", "--max-error", "10cm", "--fps", "8", "-o", "fit.glb")
        self.assertNotIn("CLIP_END_BETWEEN_FRAMES", done.err)


if __name__ == "__main__":
    main()
