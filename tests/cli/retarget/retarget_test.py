#!/usr/bin/env python3
"""`skinbake retarget`: a rig with the clip of another character, as a skinned GLB."""

import json
import math
import os
import shutil

from glb_files import PNG, glb, packed
from support import CliTest, RIGS, Pc2, main

WALKER = RIGS / "walker.glb"
ARM = RIGS / "bent_arm.gltf"
MESHES = ("Body", "Lantern", "Mouth")


def other_character():
    """The walker with other names, longer limbs and lowered arms, without a clip: (JSON, binary chunk)."""
    gltf, data = glb(WALKER.read_bytes())
    del gltf["animations"]
    for node in gltf["nodes"]:
        node["name"] = "Hero_" + node["name"]
        if "mesh" not in node and "translation" in node:
            node["translation"] = [1.5 * x for x in node["translation"]]
    for name, side in (("leftUpperArm", 1), ("rightUpperArm", -1)):
        gltf["nodes"][node_of(gltf, name)]["rotation"] = [0, 0, -side * math.sin(0.3), math.cos(0.3)]
    return gltf, data


def node_of(gltf, name):
    return [node["name"].removeprefix("Hero_") for node in gltf["nodes"]].index(name)


class Retarget(CliTest):
    def setUp(self):
        super().setUp()
        (self.folder / "hero.glb").write_bytes(packed(*other_character()))

    def baked(self, rig, clip, *options, meshes=MESHES):
        """The positions of every mesh by frame."""
        name = "{mesh}.pc2"
        self.succeed("bake", rig, "--clip", clip, "-o", name, *options)
        caches = [Pc2(path.read_bytes()) for path in sorted(self.folder.glob("*.pc2"))]
        self.assertEqual(len(caches), len(meshes))
        for path in self.folder.glob("*.pc2*"):
            path.unlink()
        return [[cache.positions(sample) for sample in range(cache.samples)] for cache in caches]

    def assert_equal_motion(self, expected, actual):
        """Compares two results of `baked`, relative to the height of the character."""
        self.assertEqual([len(mesh) for mesh in expected], [len(mesh) for mesh in actual])
        far = max(math.dist(p, q) for a, b in zip(expected, actual) for f, g in zip(a, b) for p, q in zip(f, g))
        self.assertLess(far, 1e-6 * 2.5)

    def written(self, name="out.glb"):
        return glb(self.read(name))

    def test_the_written_file_plays_as_the_bake(self):
        done = self.succeed("retarget", WALKER, "hero.glb", "-o", "out.glb")
        self.assertIn("animation 'walk': 31 frames at 30 fps", done.out)
        expected = self.baked("hero.glb", WALKER)
        self.assert_equal_motion(expected, self.baked("out.glb", "walk"))
        (self.folder / "rest.json").write_text('[{"name": "rest"}]')
        still = self.baked("hero.glb", "poses:rest.json")
        moved = max(math.dist(p, q) for p, q in zip(expected[0][10], still[0][0]))
        self.assertGreater(moved, 0.1)

    def test_everything_else_of_the_rig_stays(self):
        gltf, data = other_character()
        gltf["extras"] = {"made": ["by", "hand"]}
        gltf["extensionsUsed"] = ["ACME_unknown"]
        gltf["nodes"][3]["extensions"] = {"ACME_unknown": {"number": 1e-7}}
        (self.folder / "hero.glb").write_bytes(packed(gltf, data))
        self.succeed("retarget", WALKER, "hero.glb", "-o", "out.glb")
        written, bytes_written = self.written()
        self.assertEqual(bytes_written[:len(data)], data)
        for name, value in gltf.items():
            kept = written[name][:len(value)] if name in ("accessors", "bufferViews") else written[name]
            if name != "buffers":
                self.assertEqual(kept, value, name)
        self.assertEqual(len(written["buffers"]), 1)

    def test_clips_of_the_rig_stay_and_equal_names_get_a_number(self):
        done = self.succeed("retarget", WALKER, WALKER, "-o", "out.glb", "--mode", "humanoid")
        self.assertIn("animation 'walk_2'", done.out)
        own, written = glb(WALKER.read_bytes())[0], self.written()[0]
        self.assertEqual([clip["name"] for clip in written["animations"]], ["walk", "walk_2"])
        self.assertEqual(written["animations"][0], own["animations"][0])
        self.assert_equal_motion(self.baked(WALKER, "walk"), self.baked("out.glb", "walk"))

    def test_clips_of_one_name_get_numbers_that_no_clip_has(self):
        gltf, data = glb(WALKER.read_bytes())
        gltf["animations"] = [{**gltf["animations"][0], "name": name} for name in ("walk", "walk", "walk_2", "walk")]
        (self.folder / "moves.glb").write_bytes(packed(gltf, data))
        self.succeed("retarget", "moves.glb#all", WALKER, "-o", "out.glb", "--mode", "humanoid")
        self.assertEqual([clip["name"] for clip in self.written()[0]["animations"]],
                         ["walk", "walk_2", "walk_3", "walk_2_2", "walk_4"])

    def test_several_clips_are_written_into_one_file(self):
        gltf, data = glb(WALKER.read_bytes())
        gltf["animations"].append({**gltf["animations"][0], "name": "stroll"})
        (self.folder / "moves.glb").write_bytes(packed(gltf, data))
        for clips, expected in (("all", ["walk", "stroll"]), ("stroll", ["stroll"]), ("st*", ["stroll"])):
            self.succeed("retarget", f"moves.glb#{clips}", "hero.glb", "-o", "out.glb")
            self.assertEqual([clip["name"] for clip in self.written()[0]["animations"]], expected)

    def test_a_clip_without_a_name_gets_that_of_its_file(self):
        gltf, data = glb(WALKER.read_bytes())
        del gltf["animations"][0]["name"]
        (self.folder / "my.walk.glb").write_bytes(packed(gltf, data))
        self.succeed("retarget", "my.walk.glb", "hero.glb", "-o", "out.glb")
        self.assertEqual(self.written()[0]["animations"][0]["name"], "my.walk")

    def test_a_file_name_that_is_not_utf8_names_a_clip(self):
        gltf, data = glb(WALKER.read_bytes())
        del gltf["animations"][0]["name"]
        (self.folder / os.fsdecode(b"w\xff.glb")).write_bytes(packed(gltf, data))
        self.succeed("retarget", os.fsdecode(b"w\xff.glb"), "hero.glb", "-o", "out.glb")
        self.assertEqual(self.written()[0]["animations"][0]["name"], "w\ufffd")
        (self.folder / os.fsdecode(b"p\xff.json")).write_text('[{"name": "rest"}]')
        self.succeed("retarget", os.fsdecode(b"poses:p\xff.json"), "hero.glb", "-o", "poses.glb")
        self.assertEqual(self.written("poses.glb")[0]["animations"][0]["name"], "poses:p\ufffd.json")

    def test_clips_without_an_animation_are_written(self):
        self.succeed("retarget", "rom:legs", "hero.glb", "--fps", "4", "-o", "rom.glb")
        self.assert_equal_motion(self.baked("hero.glb", "rom:legs", "--fps", "4"),
                                 self.baked("rom.glb", "rom:legs", "--fps", "4"))
        (self.folder / "poses.json").write_text(json.dumps(
            [{"name": "a"}, {"name": "b", "bones": {"leftUpperArm": {"degrees": [0, 0, 60]}}}]))
        self.succeed("retarget", "poses:poses.json", "hero.glb", "-o", "poses.glb", "--depfile", "x.d")
        self.assert_equal_motion(self.baked("hero.glb", "poses:poses.json"), self.baked("poses.glb", "#0"))
        self.assertEqual(self.read("x.d"), b"poses.glb : hero.glb poses.json\nhero.glb:\nposes.json:\n")

    def test_options_change_the_motion(self):
        for options in (("--mirror",), ("--root-motion", "none"), ("--t-pose", "rest")):
            self.succeed("retarget", WALKER, "hero.glb", "-o", "out.glb", *options)
            moved, usual = self.baked("out.glb", "walk"), self.baked("hero.glb", WALKER)
            self.assertGreater(max(math.dist(p, q) for p, q in zip(moved[0][10], usual[0][10])), 0.01, options)
        self.succeed("retarget", WALKER, "hero.glb", "-o", "out.glb", "--fps", "13")
        self.assert_equal_motion(self.baked("hero.glb", WALKER, "--fps", "13"), self.baked("out.glb", "walk", "--fps", "13"))

    def test_a_clip_of_the_rig_has_the_bones_and_the_t_pose_of_the_rig(self):
        bones = json.loads(self.succeed("inspect", WALKER, "--json").out)["humanoid"]["bones"]
        (self.folder / "bones.json").write_text(json.dumps({b["bone"]: f"#{b['node']}" for b in bones}))
        self.succeed("retarget", WALKER, WALKER, "--mirror", "--humanoid", "bones.json", "--t-pose", "rest", "-o", "a.glb")
        self.succeed("retarget", WALKER, WALKER, "--mirror", "--humanoid", "bones.json", "--t-pose", "rest", "-o", "b.glb",
                     "--clip-humanoid", "bones.json", "--clip-t-pose", "rest")
        self.assertEqual(self.read("a.glb"), self.read("b.glb"))

    def test_a_bone_with_a_matrix_moves(self):
        gltf, data = other_character()
        bone = gltf["nodes"][node_of(gltf, "leftLowerArm")]
        self.succeed("retarget", WALKER, "hero.glb", "-o", "parts.glb")
        x, y, z = bone.pop("translation")
        bone["matrix"] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1]
        (self.folder / "hero.glb").write_bytes(packed(gltf, data))
        self.succeed("retarget", WALKER, "hero.glb", "-o", "out.glb")
        self.assertNotIn("matrix", self.written()[0]["nodes"][node_of(gltf, "leftLowerArm")])
        parts = self.baked("parts.glb", "walk")
        self.assert_equal_motion(parts, self.baked("out.glb", "walk"))
        self.assert_equal_motion(parts, self.baked("hero.glb", WALKER))
        bone["matrix"][4] = 0.5
        (self.folder / "hero.glb").write_bytes(packed(gltf, data))
        self.fail_with(3, "retarget", WALKER, "hero.glb", "-o", "sheared.glb", "-q",
                       naming=("MATRIX_SHEARED", "leftLowerArm", "hero.glb"))
        self.fail_with(3, "bake", "hero.glb", "--clip", WALKER, "-o", "{mesh}.pc2", "-q",
                       naming=("MATRIX_SHEARED", "leftLowerArm", "hero.glb"))
        self.succeed("bake", "hero.glb", "--clip", "rom:legs", "-o", "{mesh}.pc2", "-q")  # which does not turn it

    def test_a_clip_of_another_file_is_written_into_a_rig_without_meshes(self):
        gltf, data = glb(WALKER.read_bytes())
        for node in gltf["nodes"]:
            node.pop("mesh", None)
            node.pop("skin", None)
        del gltf["meshes"], gltf["skins"], gltf["animations"]
        (self.folder / "hero.glb").write_bytes(packed(gltf, data))
        self.succeed("retarget", WALKER, "hero.glb", "-o", "out.glb")
        self.assertTrue(self.written()[0]["animations"][0]["channels"])

    def test_buffers_and_images_of_other_files_become_parts_of_it(self):
        shutil.copy(ARM.with_suffix(".bin"), self.folder)
        gltf = json.loads(ARM.read_text())
        gltf["images"] = [{"uri": "skin.png"}, {"uri": "../outside.png"}, {"uri": "gone.png"}]
        gltf["textures"] = [{"source": 0}, {"source": 1}, {"source": 2}]
        (self.folder / "arm.gltf").write_text(json.dumps(gltf))
        (self.folder / "skin.png").write_bytes(PNG)
        done = self.succeed("retarget", ARM, "arm.gltf", "-o", "out.glb")
        self.assertRegex(done.err, r"images/1: .*; the written file has its URI unchanged \[IMAGE_OUTSIDE\] \(option --allow")
        self.assertRegex(done.err, r"images/2: .*'gone.png', which does not exist; .* \[IMAGE_NOT_EMBEDDED\]\n")
        written, data = self.written()
        self.assertEqual([set(buffer) for buffer in written["buffers"]], [{"byteLength"}])
        view = written["bufferViews"][written["images"][0]["bufferView"]]
        self.assertEqual(data[view["byteOffset"]:view["byteOffset"] + view["byteLength"]], PNG)
        self.assertEqual(written["images"][0]["mimeType"], "image/png")
        self.assertEqual(written["images"][1], {"uri": "../outside.png"})
        self.assertEqual(self.run_program("retarget", ARM, "arm.gltf", "-o", "out.glb", "--strict").code, 1)
        (self.folder / "alone").mkdir()
        (self.folder / "out.glb").rename(self.folder / "alone" / "out.glb")
        bent = self.baked(ARM, "bend_and_twist", meshes=("arm",))
        self.assert_equal_motion(bent, self.baked("alone/out.glb", "bend_and_twist_2", meshes=("arm",)))

    def test_the_bytes_do_not_depend_on_the_number_of_threads(self):
        for threads in (1, 7):
            self.succeed("retarget", WALKER, "hero.glb", "-o", f"{threads}.glb", "--threads", threads)
        self.assertEqual(self.read("1.glb"), self.read("7.glb"))

    def test_an_older_output_is_replaced(self):
        (self.folder / "out.glb").write_text("older")
        done = self.succeed("retarget", WALKER, "hero.glb", "-o", "out.glb", "-q")
        self.assertEqual((done.out, done.err), ("", ""))
        self.written()

    def test_only_a_vrm_becomes_a_vrm(self):
        self.fail_with(2, "retarget", WALKER, "hero.glb", "-o", "out.VRM", naming=("'out.VRM'", "'out.glb'"))

    def test_what_does_not_fit_is_refused(self):
        retarget = ("retarget", WALKER, "hero.glb")
        for code, arguments, words in (
                (2, (*retarget, "-o", "out.gltf"), "--output"),
                (2, (*retarget,), "--output"),
                (2, (*retarget, "-o", "hero.glb"), "OUTPUT_IS_INPUT"),
                (2, (*retarget, "-o", "out.glb", "--depfile", "hero.glb"), "OUTPUT_IS_INPUT"),
                (2, (*retarget, "-o", "out.glb", "--fps", "0"), "--fps"),
                (2, (*retarget, "-o", "out.glb", "--max-frames", "30"), "TOO_MANY_FRAMES"),
                (2, (*retarget, "-o", "out.glb", "--mirror", "--mode", "names"), "--mirror"),
                (2, (*retarget, "-o", "out.glb", "--ranges", "x.json"), "--ranges"),
                (2, ("retarget", f"{WALKER}#run", "hero.glb", "-o", "out.glb"), "no clip 'run'"),
                (2, ("retarget", "walk", "hero.glb", "-o", "out.glb"), "'walk' is neither a"),
                (2, ("retarget", WALKER, "-o", "out.glb"), "RIG"),
                (2, ("retarget", "rom:tail", "hero.glb", "-o", "out.glb"), "rom:tail"),
                (3, ("retarget", "gone.glb", "hero.glb", "-o", "out.glb"), "gone.glb"),
                (3, ("retarget", WALKER, "gone.glb", "-o", "out.glb"), "gone.glb"),
                (3, ("retarget", ARM, "hero.glb", "-o", "out.glb"), "CLIP_MOVES_NOTHING"),
                (3, ("retarget", "rom", ARM, "-o", "out.glb"), "HUMANOID_REQUIRED")):
            with self.subTest(arguments):
                self.fail_with(code, *arguments, "-q", naming=words)

    def test_a_motion_without_numbers_is_refused(self):
        gltf, data = other_character()
        gltf["nodes"][0]["translation"] = [0, 3e38, 0]
        for node in gltf["nodes"]:
            node["translation"] = [1e30 * x for x in node.get("translation", [0, 0, 0])]
        (self.folder / "huge.glb").write_bytes(packed(gltf, data))
        self.fail_with(3, "retarget", WALKER, "huge.glb", "-o", "out.glb")

    def test_the_help_has_examples(self):
        done = self.succeed("retarget", "--help")
        self.assertIn("skinbake retarget run.glb hero.glb -o hero_run.glb", done.out)


if __name__ == "__main__":
    main()
