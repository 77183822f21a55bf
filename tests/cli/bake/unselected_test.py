#!/usr/bin/env python3
"""Broken parts of a file: a clip, mesh, node or material that a run does not use is a warning, and an error if it is
selected."""

import base64
import json
import math
import struct

from support import RIGS, CliTest, main, moving_rig, require_shared

NAN = math.nan


class Rig:
    """Two rigid meshes, 'good' and 'bad', of one shape, and the clips 'walk' and 'bad', which share nothing."""

    def __init__(self):
        self.json, self.data = moving_rig(["good", "bad"], clips=("walk", "bad"))
        self.walk, self.clip = self.json["animations"]
        self.json["meshes"].append({"name": "bad mesh", "primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]})
        self.mesh = self.json["meshes"][1]
        self.primitive = self.mesh["primitives"][0]
        self.node = self.json["nodes"][1]
        self.node["mesh"] = 1

    def add(self, kind, format_, values):
        """A new accessor of the values."""
        data = struct.pack(f"<{len(values)}{format_}", *values)
        self.data += b"\0" * (-len(self.data) % 4)
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data)}
        self.json["bufferViews"].append(view)
        self.data += data
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[kind]
        self.json["accessors"].append({
            "bufferView": len(self.json["bufferViews"]) - 1, "type": kind, "count": len(values) // width,
            "componentType": {"f": 5126, "B": 5121, "H": 5123}[format_]})
        return len(self.json["accessors"]) - 1

    def sample(self, times=(0, 1), values=(0, 0, 0, 0, 1, 0), **members):
        """Gives the clip 'bad' keys of its own."""
        self.clip["samplers"] = [{"input": self.add("SCALAR", "f", times), "output": self.add("VEC3", "f", values),
                                  **members}]

    def bind(self, joint=0, matrix=(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)):
        """Binds 'bad' to a skin."""
        attributes = self.primitive["attributes"]
        attributes["JOINTS_0"] = self.add("VEC4", "B", (joint, 0, 0, 0) * 4)
        attributes["WEIGHTS_0"] = self.add("VEC4", "f", (1, 0, 0, 0) * 4)
        self.json["nodes"].append({"name": "joint"})
        self.json["scenes"][0]["nodes"].append(2)
        self.json["skins"] = [{"joints": [2], "inverseBindMatrices": self.add("MAT4", "f", matrix)}]
        self.node["skin"] = 0

    def extend(self, name, where, content):
        self.json.setdefault("extensionsUsed", []).append(name)
        where["extensions"] = {name: content}

    def write(self, path):
        uri = "data:application/octet-stream;base64," + base64.b64encode(self.data).decode()
        self.json["buffers"] = [{"byteLength": len(self.data), "uri": uri}]
        path.write_text(json.dumps(self.json))


def out_of_bounds(rig):
    rig.sample()
    rig.json["accessors"][rig.clip["samplers"][0]["output"]]["byteOffset"] = 8


def compressed(rig, mode="ATTRIBUTES"):
    """Positions as a damaged stream of meshopt."""
    rig.primitive["attributes"]["POSITION"] = rig.add("VEC3", "f", [0] * 12)
    rig.extend("EXT_meshopt_compression", rig.json["bufferViews"][-1],
               {"buffer": 0, "byteLength": 20, "byteStride": 12, "count": 4, "mode": mode})


def draco(rig):
    rig.primitive["attributes"]["POSITION"] = rig.add("VEC3", "f", [0] * 12)
    rig.extend("KHR_draco_mesh_compression", rig.primitive,
               {"bufferView": len(rig.json["bufferViews"]) - 1, "attributes": {"POSITION": 0}})


def sparse_morph(rig):
    """A morph target whose sparse element does not exist."""
    index = rig.add("SCALAR", "H", [9])
    values = rig.add("VEC3", "f", [0, 1, 0])
    views = [rig.json["accessors"][a]["bufferView"] for a in (index, values)]
    rig.json["accessors"].append({
        "type": "VEC3", "componentType": 5126, "count": 4,
        "sparse": {"count": 1, "indices": {"bufferView": views[0], "componentType": 5123}, "values": {"bufferView": views[1]}}})
    rig.primitive["targets"] = [{"POSITION": len(rig.json["accessors"]) - 1}]


def instanced(rig):
    rig.extend("EXT_mesh_gpu_instancing", rig.node, {"attributes": {}})


def projected(rig):
    """The node above 'bad' has the matrix of a camera."""
    rig.json["nodes"].append({"name": "camera", "children": [1],
                              "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0]})
    rig.json["scenes"][0]["nodes"] = [0, 2]


def attribute(name, kind, format_, values):
    return lambda rig: rig.primitive["attributes"].update({name: rig.add(kind, format_, values)})


CLIPS = {
    "times that are not finite": (lambda rig: rig.sample(times=(0, NAN)), "VALUE_NOT_FINITE"),
    "times that descend": (lambda rig: rig.sample(times=(1, .5)), "TIMES_INVALID"),
    "too many values": (lambda rig: rig.sample(values=[0] * 9), "ACCESSOR_COUNT"),
    "an accessor out of bounds": (out_of_bounds, "ACCESSOR_OUT_OF_RANGE"),
    "an unknown interpolation": (lambda rig: rig.sample(interpolation="BEZIER"), "SCHEMA_VIOLATION"),
    "a sampler that does not exist": (lambda rig: rig.clip["channels"][0].update(sampler=7), "REFERENCE_INVALID"),
    "an accessor that does not exist": (lambda rig: rig.clip["samplers"][0].update(output=70), "REFERENCE_INVALID"),
    "an accessor of an unknown type": (
        lambda rig: (rig.sample(), rig.json["accessors"][-1].update(type="VEC9")), "ACCESSOR_FORMAT"),
    "channels that are no list": (lambda rig: rig.clip.update(channels=1), "SCHEMA_VIOLATION"),
}

MESHES = {
    "a position that is not finite": (attribute("POSITION", "VEC3", "f", [NAN] * 12), "VALUE_NOT_FINITE"),
    "normals of another number": (attribute("NORMAL", "VEC3", "f", [0, 1, 0]), "ACCESSOR_COUNT"),
    "an index out of range": (lambda rig: rig.primitive.update(indices=rig.add("SCALAR", "H", [0, 1, 8])),
                              "INDEX_OUT_OF_RANGE"),
    "a joint out of range": (lambda rig: rig.bind(joint=5), "JOINT_OUT_OF_RANGE"),
    "an inverse bind matrix that is not finite": (lambda rig: rig.bind(matrix=[NAN] * 16), "MATRIX_NOT_AFFINE"),
    "joints that do not exist": (lambda rig: (rig.bind(), rig.json["skins"][0].update(joints=[44])),
                                 "REFERENCE_INVALID"),
    "a morph target out of range": (sparse_morph, "INDEX_OUT_OF_RANGE"),
    "a damaged stream of meshopt": (compressed, "MESHOPT_INVALID"),
    "an unknown mode of meshopt": (lambda rig: compressed(rig, "X"), "MESHOPT_INVALID"),
    "a damaged stream of Draco": (draco, "DRACO_INVALID"),
    "a view that is no object": (lambda rig: (attribute("POSITION", "VEC3", "f", [0] * 12)(rig),
                                              rig.json["bufferViews"].__setitem__(-1, 5)), "SCHEMA_VIOLATION"),
    "primitives that are missing": (lambda rig: rig.mesh.pop("primitives"), "SCHEMA_VIOLATION"),
    "instances": (instanced, "INSTANCING_UNSUPPORTED"),
    "the matrix of a camera above it": (projected, "MATRIX_NOT_AFFINE"),
    "a scale of two numbers": (lambda rig: rig.node.update(scale=[1, 1]), "SCHEMA_VIOLATION"),
    "a skin that does not exist": (lambda rig: rig.node.update(skin=3), "REFERENCE_INVALID"),
    "a mesh that does not exist": (lambda rig: rig.node.update(mesh=77), "REFERENCE_INVALID"),
    "a mesh that is no number": (lambda rig: rig.node.update(mesh="cube"), "SCHEMA_VIOLATION"),
    "a child that does not exist": (lambda rig: rig.node.update(children=[9]), "REFERENCE_INVALID"),
    "children that are no list": (lambda rig: rig.node.update(children=3), "SCHEMA_VIOLATION"),
}

# Scenes beside the first one.
SCENES = {
    "a node that does not exist": ({"name": "x", "nodes": [99]}, "REFERENCE_INVALID"),
    "nodes that are no list": ({"name": "x", "nodes": 1}, "SCHEMA_VIOLATION"),
    "no object": ("x", "SCHEMA_VIOLATION"),
}

APPEARANCES = {
    "a material that does not exist": (lambda rig: rig.primitive.update(material=3), "REFERENCE_INVALID"),
    "a texture that does not exist": (lambda rig: (
        rig.primitive.update(material=0),
        rig.json.update(materials=[{"pbrMetallicRoughness": {"baseColorTexture": {"index": 4}}}])), "REFERENCE_INVALID"),
    "an image that does not exist": (lambda rig: (
        rig.primitive.update(material=0), rig.json.update(textures=[{"source": 2}]),
        rig.json.update(materials=[{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}])), "REFERENCE_INVALID"),
    "texture coordinates of another number": (attribute("TEXCOORD_0", "VEC3", "f", [0, 0, 0]), "ACCESSOR_FORMAT"),
}


class BrokenParts(CliTest):
    def rig(self, break_part=lambda rig: None):
        rig = Rig()
        break_part(rig)
        rig.write(self.folder / "rig.gltf")

    def bake(self, *options):
        return self.succeed("bake", "rig.gltf", "--json", *options)

    def test_a_broken_clip_is_a_warning_unless_it_is_selected(self):
        self.rig()
        sound = json.loads(self.bake("--clip", "walk").out)
        for kind, (break_part, code) in CLIPS.items():
            with self.subTest(kind):
                self.rig(break_part)
                done = self.bake("--clip", "walk", "--strict")
                self.assertEqual(json.loads(done.out)["meshes"], sound["meshes"])
                self.assertRegex(done.err, r"warning: .*clip 'bad' was not read: .*\[" + code)
                for choice in ("bad", "all", "#1", "b*", "!walk"):
                    self.fail_with(3, "bake", "rig.gltf", "--clip", choice, "-o", "{mesh}.{clip}.pc2", naming=code)
                self.fail_with(2, "bake", "rig.gltf", "-o", "{mesh}.pc2", naming="CLIP_AMBIGUOUS")
                self.bake("--clip", "#0")
                self.bake("--clip", "!bad")

    def test_the_only_clip_is_selected(self):
        self.rig(lambda rig: (rig.sample(times=(-1, 1)), rig.json["animations"].pop(0)))
        self.fail_with(3, "bake", "rig.gltf", "-o", "{mesh}.pc2", naming="TIMES_INVALID")

    def test_a_broken_mesh_is_a_warning_unless_it_is_selected(self):
        self.rig()
        sound = json.loads(self.bake("--clip", "walk", "--mesh", "good").out)
        for kind, (break_part, code) in MESHES.items():
            with self.subTest(kind):
                self.rig(break_part)
                done = self.bake("--clip", "walk", "--mesh", "good", "--strict", "-v")
                self.assertEqual(json.loads(done.out)["meshes"], sound["meshes"])
                self.assertRegex(done.err, r"warning: .*node 'bad' was not read: .*\[" + code)
                self.bake("--clip", "walk", "--mesh", "!bad")
                for choice in ([], ["--mesh", "bad"], ["--mesh", "all"], ["--mesh", "#1"], ["--mesh", "*"]):
                    self.fail_with(3, "bake", "rig.gltf", "--clip", "walk", *choice, "-o", "{mesh}.pc2", naming=code)

    def rig_of_two_buffers(self, uri, is_used=True):
        """The clip 'bad' and the normals of the mesh 'bad' are in the buffer 1."""
        rig = Rig()
        first = len(rig.json["bufferViews"])
        if is_used:
            rig.sample()
            attribute("NORMAL", "VEC3", "f", [0, 0, 1] * 4)(rig)
        for view in rig.json["bufferViews"][first:]:
            view["buffer"] = 1
        rig.write(self.folder / "rig.gltf")
        rig.json["buffers"].append({"byteLength": len(rig.data), "uri": uri})
        (self.folder / "rig.gltf").write_text(json.dumps(rig.json))
        (self.folder / "whole.bin").write_bytes(rig.data)
        (self.folder / "short.bin").write_bytes(b"\0" * 8)
        (self.folder / "folder.bin").mkdir(exist_ok=True)

    def test_a_buffer_that_cannot_be_read_concerns_the_parts_that_use_it(self):
        self.rig_of_two_buffers("whole.bin")
        sound = json.loads(self.bake("--clip", "walk", "--mesh", "good").out)
        self.bake("--clip", "bad")
        for uri, code, words in (
                ("gone.bin", "BUFFER_MISSING", "buffer 1 names 'gone.bin', which does not exist"),
                ("folder.bin", "BUFFER_MISSING", "buffer 1 names 'folder.bin', which is not a regular file"),
                ("short.bin", "BUFFER_TOO_SHORT", "buffer 1 has 8 bytes in 'short.bin' but declares "),
                ("data:,short", "BUFFER_TOO_SHORT", "buffer 1 has 5 bytes but declares "),
                ("../whole.bin", "URI_REFUSED", "buffer 1 names '../whole.bin', which is outside"),
                ("data:;base64,A*==", "URI_INVALID", "buffer 1 ")):
            with self.subTest(uri):
                self.rig_of_two_buffers(uri)
                done = self.bake("--clip", "walk", "--mesh", "good", "--strict")
                self.assertEqual(json.loads(done.out)["meshes"], sound["meshes"])
                self.assertIn(f"rig.gltf /animations/1: clip 'bad' was not read: {words}", done.err)
                self.assertIn(f"[{code}] [PART_NOT_READ]; also at rig.gltf /nodes/1\n", done.err)
                for choice in (("bad", "good"), ("walk", "bad"), ("walk", "all")):
                    self.fail_with(3, "bake", "rig.gltf", "--clip", choice[0], "--mesh", choice[1], "-o", "{mesh}.pc2",
                                   naming=("rig.gltf /buffers/1: ", words, code))
                self.rig_of_two_buffers(uri, is_used=False)
                done = self.bake("--clip", "walk", "--strict")
                self.assertIn(f"buffer 1 was not read: {words}", done.err)

    def test_programs_that_write_the_file_again_need_all_buffers(self):
        self.rig_of_two_buffers("gone.bin", is_used=False)
        self.fail_with(3, "fit", "rig.gltf", "--clip", "walk", "--mesh", "good", "--method", "dqs", "--correctives", "1",
                       "-o", "a.glb", naming="BUFFER_MISSING")
        self.assertEqual(json.loads(self.run_program("inspect", "rig.gltf", "--json").out)["issues"][0]["code"],
                         "PART_NOT_READ")

    def test_a_broken_scene_is_a_warning_unless_it_is_chosen(self):
        for kind, (scene, code) in SCENES.items():
            with self.subTest(kind):
                self.rig(lambda rig: rig.json["scenes"].append(scene))
                done = self.bake("--clip", "walk", "--strict")
                self.assertRegex(done.err, r"warning: .*scene 1( 'x')? was not read: .*\[" + code)
                self.fail_with(3, "bake", "rig.gltf", "--scene", "1", "--clip", "walk", "-o", "{mesh}.pc2", naming=code)
        self.rig(lambda rig: (rig.json["scenes"].append({"nodes": 1}), rig.json.update(scene=1)))
        self.fail_with(3, "bake", "rig.gltf", "--clip", "walk", "-o", "{mesh}.pc2", naming="SCHEMA_VIOLATION")

    def test_warnings_of_other_meshes_in_the_selected_clip_do_not_count(self):
        """Channels of 'bad' in the clip 'walk', and a second scene."""
        def channel(target, **sampler):
            def add(rig):
                rig.walk["samplers"].append({"input": rig.add("SCALAR", "f", (0, 1)), **sampler})
                rig.walk["samplers"][-1].setdefault("output", rig.add("VEC4", "f", [0] * 8))
                rig.walk["channels"].append({"sampler": len(rig.walk["samplers"]) - 1, "target": target})
            return add

        def hidden(rig):
            rig.json["extensionsUsed"] = ["KHR_animation_pointer", "KHR_node_visibility"]
            pointer = {"KHR_animation_pointer": {"pointer": "/nodes/1/extensions/KHR_node_visibility/visible"}}
            channel({"path": "pointer", "extensions": pointer}, output=rig.add("SCALAR", "B", (0, 0)),
                    interpolation="STEP")(rig)
        for change, code in (
                (channel({"node": 1, "path": "rotation"}), "QUATERNION_ZERO"),
                (channel({"node": 1, "path": "weights"}), "CHANNEL_IGNORED"),
                (channel({"node": 1, "path": "sound"}), "CHANNEL_IGNORED"),
                (hidden, "VISIBILITY_NOT_BAKED"),
                (lambda rig: rig.json["meshes"].__setitem__(1, {"primitives": [{"attributes": {}}]}), "PRIMITIVE_EMPTY")):
            with self.subTest(code):
                self.rig(change)
                done = self.bake("--clip", "walk", "--mesh", "good", "--strict", "-v")
                self.assertNotIn(code, done.err)
                done = self.run_program("bake", "rig.gltf", "--clip", "walk", "--mesh", "all", "--json", "--strict")
                self.assertEqual(done.code, 1, done)
                self.assertIn(code, done.err)
        self.rig(lambda rig: (rig.json["nodes"][0].update(children=[1]), rig.json.update(
            scenes=[{"nodes": [0]}, {"nodes": [1]}])))
        self.assertNotIn("SCENE_NODE_HAS_PARENT", self.bake("--clip", "walk", "--strict").err)
        done = self.run_program("bake", "rig.gltf", "--scene", "1", "--clip", "walk", "--json", "--strict")
        self.assertIn("SCENE_NODE_HAS_PARENT", done.err)

    def test_an_animated_material_is_lost_in_a_baked_file_of_its_mesh(self):
        def animated(rig):
            rig.json["materials"] = [{}, {}]
            rig.primitive["material"] = 1
            rig.json["extensionsUsed"] = ["KHR_animation_pointer"]
            rig.walk["samplers"].append({"input": 2, "output": rig.add("SCALAR", "f", (1, 0))})
            pointer = {"KHR_animation_pointer": {"pointer": "/materials/1/alphaCutoff"}}
            rig.walk["channels"].append({"sampler": 1, "target": {"path": "pointer", "extensions": pointer}})
        self.rig(animated)
        self.bake("--clip", "walk", "--strict")  # a report does not have materials
        self.succeed("bake", "rig.gltf", "--clip", "walk", "-o", "{mesh}.pc2", "--strict")
        for choice, code in (("all", 1), ("bad", 1), ("good", 0)):
            done = self.run_program("bake", "rig.gltf", "--clip", "walk", "--mesh", choice, "-o", "a.glb", "--strict")
            self.assertEqual((done.code, "MATERIAL_NOT_ANIMATED" in done.err), (code, bool(code)), done)

    def test_a_broken_material_is_an_error_of_the_meshes_that_have_it(self):
        for kind, (break_part, code) in APPEARANCES.items():
            with self.subTest(kind):
                self.rig(break_part)
                done = self.succeed("bake", "rig.gltf", "--clip", "walk", "--mesh", "good", "-o", "a.glb", "--strict")
                self.assertRegex(done.err, r"warning: .*node 'bad' was not read: .*\[" + code)
                before = self.read("a.glb")
                self.run_program("bake", "rig.gltf", "--clip", "walk", "--mesh", "bad", "-o", "a.glb")
                self.assertEqual(self.read("a.glb"), before)
                self.fail_with(3, "bake", "rig.gltf", "--clip", "walk", "-o", "b.glb", naming=code)
                self.bake("--clip", "walk")  # a report does not need materials

    def test_an_image_that_is_missing_concerns_the_meshes_that_show_it(self):
        self.rig(lambda rig: (
            rig.primitive.update(material=0), rig.json.update(textures=[{"source": 0}], images=[{"uri": "gone.png"}]),
            rig.json.update(materials=[{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}])))
        options = ("bake", "rig.gltf", "--clip", "walk", "-o", "a.glb", "--strict")
        self.assertNotIn("gone.png", self.succeed(*options, "--mesh", "good", "-v").err)
        for choice in ("bad", "all"):
            done = self.run_program(*options, "--mesh", choice)
            self.assertEqual(done.code, 1, done)
            self.assertIn("gone.png", done.err)

    def test_a_node_of_another_scene_may_have_instances_and_any_matrix(self):
        self.rig(lambda rig: (instanced(rig), rig.node.update(matrix=[0] * 16),
                              rig.json.update(scenes=[{"nodes": [0]}, {"nodes": [1]}])))
        done = self.bake("--clip", "walk")
        self.assertIn("node 'bad' was not read", done.err)
        done = self.run_program("bake", "rig.gltf", "--scene", "1", "--clip", "walk", "--json")
        self.assertEqual(done.code, 3, done)

    def test_a_joint_below_the_matrix_of_a_camera_is_used(self):
        self.rig(lambda rig: (rig.bind(), rig.json["nodes"][0].update(matrix=[0] * 16, children=[2])))
        self.fail_with(3, "bake", "rig.gltf", "--clip", "walk", "--mesh", "bad", "-o", "a.pc2", naming="MATRIX_NOT_AFFINE")

    def test_issues_of_what_is_not_baked_do_not_count(self):
        def rename(rig):
            rig.bind()
            rig.primitive["attributes"]["WEIGHTS_0"] = rig.add("VEC4", "f", (.5, 0, 0, 0) * 4)
            rig.clip["channels"][0]["target"]["path"] = "sound"
        self.rig(rename)
        done = self.bake("--clip", "walk", "--mesh", "good", "--strict", "-v")
        self.assertNotRegex(done.err, "bad|WEIGHTS_RENORMALISED|CHANNEL_IGNORED")
        self.assertEqual([i for i in json.loads(done.out)["issues"] if i["severity"] != "info"], [])
        for choice, code in ((("walk", "bad"), "WEIGHTS_RENORMALISED"), (("bad", "good"), "CHANNEL_IGNORED")):
            done = self.run_program("bake", "rig.gltf", "--json", "--strict", "--clip", choice[0], "--mesh", choice[1])
            self.assertEqual(done.code, 1, done)
            self.assertIn(code, done.err)

    def test_many_places_of_another_mesh_do_not_hide_the_place_of_a_selected_one(self):
        def renamed(rig):
            mesh = rig.primitive
            rig.mesh["primitives"] = [{**mesh, "attributes": {**mesh["attributes"], f"_A{i}": 0}} for i in range(40)]
            rig.json["meshes"].append({"primitives": [{"attributes": {"POSITION": 0, "_B": 0}}]})
            rig.json["nodes"].append({"name": "last", "mesh": 2})
            rig.json["scenes"][0]["nodes"].append(2)
        self.rig(renamed)
        done = self.run_program("bake", "rig.gltf", "--clip", "walk", "--mesh", "last", "--json", "--strict")
        self.assertEqual(done.code, 1, done)
        self.assertIn("'_B'", done.err)
        self.bake("--clip", "walk", "--mesh", "good", "--strict")

    def test_inspect_describes_the_rest_of_a_broken_file(self):
        self.rig(lambda rig: (rig.sample(times=(2, 1)), rig.primitive["attributes"].update(
            NORMAL=rig.add("VEC3", "f", [0, 1, 0]))))
        done = self.run_program("inspect", "rig.gltf", "--json")
        self.assertEqual(done.code, 3, done)
        self.assertRegex(done.err, r"\Askinbake: error: [^\n]*ACCESSOR_COUNT[^\n]*\n\Z")
        found = json.loads(done.out)
        self.assertEqual([mesh["id"] for mesh in found["meshes"]], ["good"])
        self.assertEqual([clip["id"] for clip in found["clips"]], ["walk"])
        errors = [issue["code"] for issue in found["issues"] if issue["severity"] == "error"]
        self.assertEqual(sorted(errors), ["ACCESSOR_COUNT", "TIMES_INVALID"])
        self.assertIn("error TIMES_INVALID", self.run_program("inspect", "rig.gltf").out)

    def test_inspect_describes_the_rest_of_a_file_with_huge_numbers(self):
        for change in (lambda rig: rig.node.update(translation=[1e39, 0, 0]),
                       lambda rig: rig.node.update(scale=[1e30, 1e30, 1e30], translation=[0, 3e38, 1e300]),
                       lambda rig: (rig.json["nodes"].append({"children": [1], "translation": [-4e38, 0, 0]}),
                                    rig.json["scenes"][0].update(nodes=[0, 2]))):
            self.rig(change)
            done = self.run_program("inspect", "rig.gltf", "--json")
            self.assertEqual(done.code, 3, done)
            found = json.loads(done.out)
            self.assertEqual([mesh["id"] for mesh in found["meshes"]], ["good"])
            self.assertEqual([clip["id"] for clip in found["clips"]], ["walk", "bad"])
            self.assertEqual([i["pointer"] for i in found["issues"] if i["severity"] == "error"], ["/nodes/1"])

    def test_a_diff_compares_the_clips_and_meshes_that_can_be_read(self):
        self.rig(lambda rig: rig.clip["samplers"][0].update(output=70))
        (self.folder / "rig.gltf").rename(self.folder / "b.gltf")
        Rig().write(self.folder / "a.gltf")
        for sides in (("a.gltf", "b.gltf"), ("b.gltf", "a.gltf"), ("b.gltf", "b.gltf")):
            done = self.run_program("diff", *sides)
            self.assertEqual(done.code, 3, done)
            self.assertIn("2 identical, 2 not comparable", done.out)
            self.assertIn("REFERENCE_INVALID", done.err)
        self.rig(lambda rig: rig.json["animations"].pop())
        for sides in (("rig.gltf", "b.gltf"), ("b.gltf", "rig.gltf")):  # only one side has the broken clip
            done = self.run_program("diff", *sides)
            self.assertEqual(done.code, 3, done)
            self.assertIn("2 identical, 1 not comparable", done.out)
            self.assertIn("REFERENCE_INVALID", done.err)
            self.succeed("diff", *sides, "--clip", "walk")
        self.rig(lambda rig: rig.bind(joint=5))
        done = self.run_program("diff", "a.gltf", "rig.gltf", "--clip", "walk")
        self.assertEqual(done.code, 3, done)
        self.assertIn("1 identical, 1 not comparable", done.out)

    def test_other_commands_ask_for_less_than_the_whole_file_too(self):
        self.rig(lambda rig: (rig.sample(times=(2, 1)), instanced(rig)))
        chosen = ("--clip", "walk", "--mesh", "good")
        self.succeed("compare", "rig.gltf", *chosen, "--json")
        self.succeed("diff", "rig.gltf", "rig.gltf", *chosen)
        self.succeed("bake", "rig.gltf", *chosen, "-o", "a.pc2")
        self.succeed("diff", "a.pc2", "rig.gltf", *chosen)
        self.assertEqual(self.run_program("diff", "rig.gltf", "rig.gltf", "--clip", "all").code, 3)
        # A clip of another file.
        self.succeed("bake", RIGS / "two_joints.gltf", "--clip", RIGS / "two_joints.gltf", "-q", "-o", "b.pc2")
        whole = Rig()
        whole.write(self.folder / "whole.gltf")
        self.succeed("bake", "whole.gltf", "--clip", "rig.gltf#walk", "-o", "{mesh}.pc2")
        self.fail_with(3, "bake", "whole.gltf", "--clip", "rig.gltf#bad", "-o", "{mesh}.pc2", naming="TIMES_INVALID")
        self.succeed("retarget", "rig.gltf#walk", "whole.gltf", "-o", "moved.glb")
        self.fail_with(3, "retarget", "rig.gltf#bad", "whole.gltf", "-o", "moved2.glb", naming="TIMES_INVALID")
        self.assertIn("PART_NOT_READ", self.succeed("retarget", "whole.gltf#walk", "rig.gltf", "-o", "moved.glb").err)

    def test_fit_reads_the_meshes_and_clips_that_it_fits(self):
        rig = json.loads((RIGS / "two_joints.gltf").read_text())
        rig["nodes"].append({"name": "bad", "mesh": len(rig["meshes"]),
                             "extensions": {"EXT_mesh_gpu_instancing": {"attributes": {}}}})
        rig["meshes"].append({"primitives": [{"attributes": dict(rig["meshes"][0]["primitives"][0]["attributes"])}]})
        rig["scenes"][0]["nodes"].append(len(rig["nodes"]) - 1)
        clip = json.loads(json.dumps(rig["animations"][0]))
        clip.update(name="bad")
        clip["samplers"][0]["interpolation"] = "BEZIER"
        rig["animations"].append(clip)
        (self.folder / "rig.gltf").write_text(json.dumps(rig))
        fit = ("fit", "rig.gltf", "--method", "dqs", "--correctives", "1", "--best-effort", "-o", "fit.glb")
        name = rig["animations"][0]["name"]
        done = self.succeed(*fit, "--clip", name, "--mesh", "!bad")
        self.assertIn("PART_NOT_READ", done.err)
        self.fail_with(3, *fit[:-1], "b.glb", "--clip", "all", "--mesh", "!bad", naming="SCHEMA_VIOLATION")
        self.fail_with(3, *fit[:-1], "b.glb", "--clip", name, naming="INSTANCING_UNSUPPORTED")

    def test_a_batch_omits_broken_parts_by_patterns(self):
        self.rig(lambda rig: (rig.sample(times=(2, 1)), instanced(rig)))
        head = {"schema": "skinbake.batch", "schema_version": "1.0"}
        job = {"rig": "rig.gltf", "output": "{mesh}.{clip}.pc2", "mesh": "!bad", "clip": "!bad"}
        (self.folder / "jobs.json").write_text(json.dumps({**head, "jobs": [job]}))
        self.succeed("batch", "jobs.json")
        self.assertIn("good.walk.pc2", self.files())
        (self.folder / "jobs.json").write_text(json.dumps({**head, "jobs": [{**job, "clip": "all"}]}))
        self.assertEqual(self.run_program("batch", "jobs.json").code, 3)

    def test_all_is_a_word_for_meshes(self):
        self.rig()
        every = json.loads(self.bake("--clip", "walk").out)["meshes"]
        self.assertEqual(json.loads(self.bake("--clip", "walk", "--mesh", "all").out)["meshes"], every)
        self.succeed("bake", "rig.gltf", "--clip", "walk", "-o", "a.glb")
        self.succeed("diff", "a.glb", "a.glb", "--mesh", "all")
        self.succeed("convert", "a.glb", "a.pc2", "--mesh", "all")

    def test_a_hostile_number_of_broken_parts_ends_the_load(self):
        self.rig(lambda rig: rig.json.update(animations=[1] * 300_000))
        done = self.run_program("bake", "rig.gltf", "--json", timeout=60)
        self.assertEqual(done.code, 3, done)

    def test_the_shared_cases(self):
        cases = require_shared(self, "cases")
        for path in sorted((cases / "04-bad-clip-elsewhere").glob("*.glb")):
            with self.subTest(path.name):
                if path.stem != "nan_time":  # its JSON has a NaN
                    done = self.succeed("bake", path, "--clip", "walk", "--mesh", "Hero", "-o", "h.pc2", "--strict")
                    self.assertRegex(done.err, "warning: [^\n]*(bad|Prop|Tree)[^\n]*PART_NOT_READ")
        self.succeed("bake", cases / "b07-unselected/two.glb", "--mesh", "good", "-o", "g.pc2", "--strict")
        self.succeed("bake", cases / "18-misc/camera_matrix.glb", "-o", "c.pc2")


if __name__ == "__main__":
    main()
