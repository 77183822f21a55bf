#!/usr/bin/env python3
"""`--clip FILE#ID` and `retarget --map`: clips from another file, matched by node name."""

import base64
import json
import math
import shutil
import struct

from support import CliTest, RIGS, Pc2, main, moving_rig, require_shared, write_rig

ARM = RIGS / "bent_arm.gltf"


class ClipFile(CliTest):
    def setUp(self):
        super().setUp()
        write_rig(self.folder / "rig.gltf", ["Root", "Tip"], clips=())
        write_rig(self.folder / "moves.gltf", ["Tip", "Root", "Tail"], clips=("walk", "run"))

    def animation_only(self, name, names):
        """A file of nodes and clips, without meshes."""
        path = write_rig(self.folder / name, names, clips=("walk",))
        document = json.loads(path.read_text())
        for node in document["nodes"]:
            del node["mesh"]
        del document["meshes"]
        path.write_text(json.dumps(document))
        return path

    def bake(self, *arguments, naming=()):
        done = self.succeed("bake", "rig.gltf", "--mesh", "Tip", "-o", "x.pc2", "--report", "x.json", *arguments)
        for word in (naming,) if isinstance(naming, str) else naming:
            self.assertIn(word, done.err)
        return self.json("x.json")

    def test_the_bytes_are_those_of_the_rigs_own_clip(self):
        self.succeed("bake", "moves.gltf", "--clip", "run", "--mesh", "Tip", "-o", "own.pc2")
        for clip in ("moves.gltf#run", "moves.gltf##1"):
            report = self.bake("--clip", clip)
            self.assertEqual(self.read("x.pc2"), self.read("own.pc2"))
            self.assertEqual([c["id"] for c in report["clips"]], ["run"])
        walker = RIGS / "walker.glb"
        shutil.copy(walker, self.folder / "copy.glb")
        self.succeed("bake", walker, "-o", "a.{mesh}.pc2")
        self.succeed("bake", walker, "-o", "b.{mesh}.pc2", "--clip", "copy.glb")
        for mesh in ("Body", "Lantern", "Mouth"):
            self.assertEqual(self.read(f"a.{mesh}.pc2"), self.read(f"b.{mesh}.pc2"))

    def test_the_report_and_the_depfile_name_the_clips_file(self):
        report = self.bake("--clip", "moves.gltf#walk", "--depfile", "x.d")
        self.assertEqual([(i["role"], i["path"]) for i in report["inputs"]], [("rig", "rig.gltf"), ("clip", "moves.gltf")])
        self.assertEqual(report["clips"][0]["file"], "moves.gltf")
        self.assertIn(": rig.gltf moves.gltf\n", self.read("x.d").decode())

    def test_a_map_pairs_nodes_of_other_names(self):
        (self.folder / "names.json").write_text('{"Tip": "Tail"}')
        done = self.succeed("retarget", "moves.gltf#walk", "rig.gltf", "--map", "names.json", "-o", "x.glb", "--depfile", "x.d")
        self.assertNotIn("'Tail'", done.err)
        self.assertIn(": rig.gltf moves.gltf names.json\n", self.read("x.d").decode())

    def test_unmatched_nodes_are_listed(self):
        report = self.bake("--clip", "moves.gltf#walk", naming=("'Tail' (translation)", "CLIP_NODE_UNMATCHED"))
        issue = next(i for i in report["issues"] if i["code"] == "CLIP_NODE_UNMATCHED")
        self.assertEqual((issue["file"], issue["pointer"]), ("moves.gltf", "/nodes/2"))

    def test_a_file_without_meshes_matches_names_in_another_case(self):
        self.animation_only("only.gltf", ["ROOT", "tip"])
        report = self.bake("--clip", "only.gltf", naming="CLIP_NODE_CASE")
        self.assertEqual(sum(i["code"] == "CLIP_NODE_CASE" for i in report["issues"]), 2)
        frames = Pc2(self.read("x.pc2"))
        first, last = frames.positions(0), frames.positions(frames.samples - 1)
        self.assertEqual([b - a for a, b in zip(first[0], last[0])], [1, 2, 3])
        done = self.run_program("bake", "rig.gltf", "--json", "--clip", "only.gltf", "--strict")
        self.assertEqual(done.code, 1)
        self.assertIn("CLIP_NODE_CASE", done.err)

    def test_all_selects_every_clip_of_the_file(self):
        done = self.succeed("bake", "rig.gltf", "--mesh", "Tip", "-o", "{clip}.pc2", "--clip", "moves.gltf#all")
        self.assertIn("walk.pc2", self.files())
        self.assertIn("run.pc2", self.files())

    def test_clips_of_several_files_are_selected_together(self):
        write_rig(self.folder / "rig.gltf", ["Root", "Tip"], clips=("rest", "walk"))
        write_rig(self.folder / "more.gltf", ["Tip"], clips=("jump", "all"))
        many = ("--clip", "moves.gltf#run", "--clip", "rest", "--clip", "more.gltf##1", "--clip", "moves.gltf##1")
        self.succeed("bake", "rig.gltf", "--mesh", "Tip", "-q", "-o", "{clip}.pc2", "--report", "x.json", *many)
        report = self.json("x.json")
        self.assertEqual([c["id"] for c in report["clips"]], ["run", "rest", "all"])
        self.assertEqual([i["path"] for i in report["inputs"]], ["rig.gltf", "moves.gltf", "more.gltf"])
        self.succeed("bake", "moves.gltf", "--clip", "run", "--mesh", "Tip", "-o", "own.pc2")
        self.assertEqual(self.read("run.pc2"), self.read("own.pc2"))
        self.fail_with(2, "bake", "rig.gltf", "--json", "--clip", "walk", "--clip", "moves.gltf#walk",
                       naming=("moves.gltf: clip 'walk' is also a clip of rig.gltf", "CLIP_TWICE"))

    def test_a_clip_of_the_rig_named_like_a_file_wins(self):
        write_rig(self.folder / "own.gltf", ["a"], clips=("moves.gltf", "x"))
        self.succeed("bake", "own.gltf", "--clip", "moves.gltf", "-o", "x.pc2")

    def test_a_wrong_choice_is_refused(self):
        wrong = lambda *arguments, naming: self.fail_with(2, "bake", "rig.gltf", "--json", *arguments, naming=naming)
        wrong("--clip", "moves.gltf", naming=("moves.gltf", "'walk'", "'run'", "CLIP_AMBIGUOUS"))
        wrong("--clip", "moves.gltf#jump", naming=("moves.gltf", "'jump'", "'walk'"))
        wrong("--clip", "rig.gltf", naming=("rig.gltf", "does not have a clip"))
        self.fail_with(3, "bake", "rig.gltf", "--json", "--clip", "nowhere.glb", naming=("nowhere.glb", "exist"))

    def test_a_clip_that_moves_no_mesh_is_refused(self):
        self.animation_only("other.gltf", ["Hips", "Spine"])
        self.fail_with(3, "bake", "rig.gltf", "--clip", "other.gltf", "-o", "{mesh}.pc2",
                       naming=("other.gltf /animations/0: none of the 2 channels of clip 'walk'", "'rig.gltf'", "--map",
                               "'Hips', 'Spine'", "'Root', 'Tip'", "CLIP_MOVES_NOTHING"))
        self.fail_with(3, "diff", "moves.gltf", "rig.gltf", "--mesh", "Tip", "--clip", "other.gltf")
        (self.folder / "names.json").write_text('{"Tip": "Hips"}')
        self.succeed("retarget", "other.gltf", "rig.gltf", "--map", "names.json", "-o", "x.glb")
        # A camera moves, but no mesh.
        rig = self.json("rig.gltf")
        rig["nodes"].append({"name": "Hips"})
        (self.folder / "rig.gltf").write_text(json.dumps(rig))
        self.fail_with(3, "bake", "rig.gltf", "--clip", "other.gltf", "-o", "{mesh}.pc2", naming="CLIP_MOVES_NOTHING")

    def test_a_clip_of_a_skinned_meshs_own_node_moves_it_in_mesh_space_alone(self):
        mesh = json.loads(ARM.read_text())["nodes"][3]["name"]
        self.animation_only("slide.gltf", [mesh])
        for command in (("bake", ARM, "--clip", "slide.gltf", "-o", "x.pc2"), ("compare", ARM, "--clip", "slide.gltf"),
                        ("retarget", "slide.gltf", ARM, "-o", "x.glb")):
            self.fail_with(3, *command, naming=(f"the clip's nodes ('{mesh}') with the nodes that move the rig's meshes "
                                                "('shoulder', 'elbow', 'wrist')", "CLIP_MOVES_NOTHING"))
        self.succeed("bake", ARM, "--clip", "slide.gltf", "--space", "mesh", "-o", "x.pc2")
        frames = Pc2(self.read("x.pc2"))
        for a, b in zip(frames.positions(0), frames.positions(frames.samples - 1)):
            self.assertLess(math.dist(a, [x + d for x, d in zip(b, (1, 2, 3))]), 1e-5)

    def test_targets_of_other_names_are_named_if_nothing_moves(self):
        for name, target in (("face.gltf", "Smile"), ("case.gltf", "smile")):
            path = write_rig(self.folder / name, ["face"], clips=("talk",))
            document = json.loads(path.read_text())
            document["meshes"][0]["primitives"][0]["targets"] = [{"POSITION": 0}]
            document["meshes"][0]["extras"] = {"targetNames": [target]}
            document["animations"][0]["samplers"] = [{"input": 2, "output": 2}]
            document["animations"][0]["channels"] = [{"sampler": 0, "target": {"node": 0, "path": "weights"}}]
            path.write_text(json.dumps(document))
        done = self.fail_with(3, "bake", "face.gltf", "--clip", "case.gltf", "-o", "x.pc2",
                              naming=("none of the 1 channels of clip 'talk'", "'face' are 'smile', and the rig's are 'Smile'",
                                      "name the targets alike", "CLIP_MOVES_NOTHING"))
        self.assertNotIn("by a map", done.err)

    def test_each_clip_of_a_file_must_move_a_mesh_unless_it_is_omitted(self):
        clips = self.json("moves.gltf")
        clips["animations"][0]["channels"] = clips["animations"][0]["channels"][2:]  # of 'Tail'
        (self.folder / "moves.gltf").write_text(json.dumps(clips))
        arguments = ("bake", "rig.gltf", "--mesh", "Tip", "-o", "{clip}.pc2", "--clip", "moves.gltf#all")
        still = clips["animations"][0]["name"]
        self.fail_with(3, *arguments, naming=(f"of clip '{still}'", f"omit it by '!{still}'", "CLIP_MOVES_NOTHING"))
        self.succeed(*arguments, "--clip", f"!{still}")
        self.assertNotIn(f"{still}.pc2", self.files())

    def test_an_error_in_the_map_names_the_map(self):
        for text, place in (("", ""), ("[", ""), ("[1]", ""), ('{"a": 1}', " /a"), ("[" * 100000, "")):
            (self.folder / "names.json").write_text(text)
            done = self.fail_with(3, "retarget", "moves.gltf#run", "rig.gltf", "-o", "x.glb", "--map", "names.json",
                                  naming=(f"names.json{place}: the map of names", "MAP_INVALID"))
            self.assertNotIn("glTF", done.err)
        self.fail_with(3, "retarget", "moves.gltf#run", "rig.gltf", "-o", "x.glb", "--map", "gone.json",
                       naming=("gone.json", "does not exist"))


class OtherRest(CliTest):
    """Clips of files in another unit, with other proportions, or without names."""

    def baked(self, rig, *clip):
        self.succeed("bake", rig, *clip, "-q", "-o", "x.pc2")
        cache = Pc2(self.read("x.pc2"))
        return [cache.positions(sample) for sample in range(cache.samples)]

    def farthest(self, a, b):
        self.assertEqual(len(a), len(b))
        return max(math.dist(p, q) for f, g in zip(a, b) for p, q in zip(f, g))

    def arm(self, name, unit=1, lengths=(0.3, 0.26), armature=1, keyed=True, nameless=False):
        """bent_arm in a unit of which a metre has so many. With keys of every joint's translation, of which the
        first joint's moves by 0.2 m."""
        gltf = json.loads(ARM.read_text())
        gltf["buffers"][0]["uri"] = base64_uri(ARM.with_suffix(".bin").read_bytes())
        places = [(0, 0, 0), (lengths[0] * unit, 0, 0), (lengths[1] * unit, 0, 0)]
        for node, place in enumerate(places):
            gltf["nodes"][node]["translation"] = place
        gltf["nodes"].append({"name": "Armature", "children": [0], "scale": [armature] * 3})
        gltf["scenes"][0]["nodes"] = [4, 3]
        keys = struct.pack("<2f", 0, 2)
        for node, (x, y, z) in enumerate(places):
            keys += struct.pack("<6f", x, y, z, x, y + (0.2 * unit if node == 0 else 0), z)
        at, view, animation = len(gltf["accessors"]), len(gltf["bufferViews"]), gltf["animations"][0]
        gltf["buffers"].append({"byteLength": len(keys), "uri": base64_uri(keys)})
        for offset, size, kind in ((0, 8, "SCALAR"), (8, 24, "VEC3"), (32, 24, "VEC3"), (56, 24, "VEC3")):
            gltf["accessors"].append({"bufferView": len(gltf["bufferViews"]), "componentType": 5126, "count": 2, "type": kind})
            gltf["bufferViews"].append({"buffer": 1, "byteOffset": offset, "byteLength": size})
        for node in range(3 if keyed else 0):
            animation["channels"].append({"sampler": len(animation["samplers"]), "target": {"node": node, "path": "translation"}})
            animation["samplers"].append({"input": at, "output": at + 1 + node})
        for node in gltf["nodes"] if nameless else ():
            del node["name"]
        (self.folder / name).write_text(json.dumps(gltf))

    def test_a_clip_in_another_unit_moves_the_rig_as_its_own(self):
        self.arm("m.gltf")
        own = self.baked("m.gltf")
        for name, parts, factor in (("cm.gltf", {"unit": 100, "armature": 0.01}, "0.01"), ("raw.gltf", {"unit": 100}, "0.01"),
                                    ("inch.gltf", {"unit": 1 / 0.0254, "armature": 0.0254}, "0.0254")):
            self.arm(name, **parts)
            self.assertLess(self.farthest(own, self.baked("m.gltf", "--clip", name)), 1e-6, name)
            done = self.succeed("bake", "m.gltf", "--clip", name, "-v", "--json")
            self.assertIn(f"info: {name} /animations/0: clip 'bend_and_twist' is in another unit than the rig: its "
                          f"translations are multiplied by {factor} [CLIP_UNIT]", done.err)
            self.succeed("retarget", name, "m.gltf", "-o", "out.glb", "--fps", "60")
            self.assertLess(self.farthest(self.baked("m.gltf", "--fps", "60"), self.baked("out.glb", "--clip", "#1", "--fps", "60")), 1e-6)
            self.succeed("diff", "m.gltf", "m.gltf", "--clip", "m.gltf", "--clip-b", name, "--fail", "error.max=1e-6")

    def test_a_scale_above_a_node_at_the_origin_holds_the_unit(self):
        for name, scale in (("m.gltf", 1), ("cm.gltf", 0.01), ("inch.gltf", 0.0254), ("km.gltf", 1000)):
            document, data = moving_rig(["Ball"], clips=("hop",))
            document["nodes"].append({"name": "World", "children": [0], "scale": [scale] * 3})
            document["scenes"][0]["nodes"] = [1]
            # The ball goes by (1, 2, 3) m, and is as large in every file.
            corners = struct.pack("<12f", *(x / scale for x in struct.unpack_from("<12f", data)))
            keys = struct.pack("<6f", 0, 0, 0, 1 / scale, 2 / scale, 3 / scale)
            document["accessors"][0]["max"] = [1 / scale] * 3
            document["buffers"][0]["uri"] = base64_uri(corners + data[48:-24] + keys)
            (self.folder / name).write_text(json.dumps(document))
        own = self.baked("m.gltf")
        self.assertLess(math.dist(own[-1][0], (1, 2, 3)), 1e-6)
        for rig, clip in (("m.gltf", "cm.gltf"), ("cm.gltf", "m.gltf"), ("inch.gltf", "km.gltf")):
            self.assertLess(self.farthest(own, self.baked(rig, "--clip", clip)), 1e-6, (rig, clip))

    def test_other_proportions_keep_the_lengths_of_the_rig(self):
        self.arm("m.gltf")
        self.arm("long.gltf", lengths=(0.6, 0.2))
        done = self.succeed("bake", "m.gltf", "--clip", "long.gltf", "-o", "x.pc2")
        self.assertIn("'elbow' by 0.0 degrees and 0.3 m, 'wrist' by 0.0 degrees and 0.06 m [REST_POSES_DIFFER]", done.err)
        moved, own = self.baked("m.gltf", "--clip", "long.gltf"), self.baked("m.gltf")
        # The ratio of the sizes, 0.56 / 0.8, shortens the way of 0.2 m along y; the pose is the same.
        for frame, (a, b) in enumerate(zip(moved, own)):
            off = 0.2 * min(frame / 60, 1) * (1 - 0.56 / 0.8)
            self.assertLess(max(math.dist(p, (x, y - off, z)) for p, (x, y, z) in zip(a, b)), 1e-6)

    def test_files_without_names_pair_by_the_order_of_their_nodes(self):
        self.arm("own.gltf", nameless=True)
        shutil.copy(self.folder / "own.gltf", self.folder / "copy.gltf")
        self.assertEqual(self.baked("own.gltf"), self.baked("own.gltf", "--clip", "copy.gltf"))
        self.arm("named.gltf")
        self.fail_with(3, "bake", "named.gltf", "--clip", "own.gltf", "-o", "x.glb",
                       naming=("the clip's nodes ('#0', '#1', '#2')", "CLIP_MOVES_NOTHING"))

    def test_a_clip_of_another_skeleton_names_maps_of_names_and_of_bodies(self):
        self.arm("m.gltf")
        done = self.fail_with(3, "bake", "m.gltf", "--clip", RIGS / "walker.glb", "-o", "x.pc2")
        self.assertNotIn("human bod", done.err)
        for name, bone in (("a.gltf", "a"), ("b.gltf", "b")):
            write_rig(self.folder / name, [f"{bone}{n}" for n in range(15)])
        self.fail_with(3, "bake", "a.gltf", "--clip", "b.gltf", "-o", "{mesh}.pc2",
                       naming=("by a map, name the bones of both human bodies,", "--map, --humanoid, --clip-humanoid"))

    def test_the_shared_cases_are_right(self):
        units = require_shared(self, "cases/23-clip-units")
        for rig in ("m.glb", "cm.glb", "inch.glb"):
            own = self.baked(units / rig)
            self.assertAlmostEqual(max(p[1] for p in own[0]) - min(p[1] for p in own[0]), 2, places=5)
            for clip in ("m.glb", "cm.glb", "inch.glb"):
                self.assertLess(self.farthest(own, self.baked(units / rig, "--clip", units / clip)), 2e-6, (rig, clip))
            done = self.succeed("bake", units / rig, "--clip", units / "longer.glb", "-o", "x.pc2")
            self.assertIn("'Tail1' by 0.0 degrees and 0.35 m, 'Tail2' by 0.0 degrees and 0.35 m [REST_POSES_DIFFER]", done.err)
            self.assertLess(self.farthest(own, self.baked(units / rig, "--clip", units / "longer.glb")), 2e-6)
        names = require_shared(self, "cases/08-retarget-names")
        for kind in ("unique", "dup", "dup2", "none", "empty"):
            rig, clip = names / f"{kind}_rig.glb", names / f"{kind}_clip.glb"
            self.assertEqual(self.baked(rig), self.baked(rig, "--clip", clip), kind)
            self.assertEqual(self.succeed("bake", rig, "--clip", clip, "-o", "x.pc2").err, "", kind)


def base64_uri(data):
    return "data:application/octet-stream;base64," + base64.b64encode(data).decode()


if __name__ == "__main__":
    main()
