#!/usr/bin/env python3
"""Baked GLBs: all meshes of a clip in one file, copied materials, encodings, refusals."""

import json
import math
import struct

from glb_files import PNG, frames_of, glb, turning_plate, two_meshes
from support import CliTest, Pc2, RIGS, main

ARM = RIGS / "bent_arm.gltf"


class Glb(CliTest):
    def write_rig(self, gltf=None):
        (self.folder / "rig.gltf").write_text(json.dumps(gltf or two_meshes()))
        (self.folder / "paint.png").write_bytes(PNG)

    def test_all_meshes_of_a_clip_are_in_one_file(self):
        self.write_rig()
        done = self.succeed("bake", "rig.gltf", "-o", "all.glb", "--report", "r.json")
        gltf, _ = glb(self.read("all.glb"))
        size, positions = len(self.read("all.glb")), sum(
            gltf["accessors"][primitive["attributes"]["POSITION"]]["count"]
            for mesh in gltf["meshes"] for primitive in mesh["primitives"]) * self.json("all.glb.json")["frame_count"]
        self.assertEqual(done.out.count("all.glb: "), 1)
        self.assertIn(f"all.glb: {size} bytes, {size / positions:.4g} per vertex and frame\n", done.out)
        self.assertEqual(gltf["nodes"], [{"name": "up", "mesh": 0}, {"name": "still", "mesh": 1}])
        self.assertEqual([mesh["name"] for mesh in gltf["meshes"]], ["corner", "corner"])
        self.assertEqual(gltf["animations"][0]["name"], "rise")
        self.assertNotIn("skins", gltf)
        sidecar = self.json("all.glb.json")
        self.assertEqual([mesh["id"] for mesh in sidecar["meshes"]], ["up", "still"])
        outputs = self.json("r.json")["outputs"]
        self.assertEqual([(o["path"], o["mesh"], o["bytes"]) for o in outputs],
                         [("all.glb", mesh, len(self.read("all.glb"))) for mesh in ("up", "still")])
        self.assertEqual({o["xxh128"] for o in outputs}, {sidecar["xxh128"]})

    def test_a_placeholder_makes_a_file_for_each_mesh(self):
        self.write_rig()
        self.succeed("bake", "rig.gltf", "-o", "{mesh}.glb")
        for name in ("up", "still"):
            gltf, _ = glb(self.read(name + ".glb"))
            self.assertEqual(gltf["nodes"], [{"name": name, "mesh": 0}])
            self.assertEqual(self.json(name + ".glb.json")["mesh"]["id"], name)

    def test_materials_images_coordinates_and_indices_are_copied(self):
        self.write_rig()
        self.succeed("bake", "rig.gltf", "-o", "all.glb")
        gltf, data = glb(self.read("all.glb"))
        self.assertEqual(gltf["asset"]["copyright"], "Nobody")
        self.assertEqual(gltf["materials"], two_meshes()["materials"])
        self.assertEqual(gltf["textures"], [{"source": 0}])
        image = gltf["images"][0]
        self.assertEqual(image["mimeType"], "image/png")

        def bytes_of(view):
            view = gltf["bufferViews"][view]
            return data[view["byteOffset"]:view["byteOffset"] + view["byteLength"]]

        self.assertEqual(bytes_of(image["bufferView"]), PNG)
        for mesh in gltf["meshes"]:
            primitive = mesh["primitives"][0]
            accessor = gltf["accessors"][primitive["attributes"]["TEXCOORD_0"]]
            self.assertEqual(struct.unpack("<6f", bytes_of(accessor["bufferView"])), (0, 0, 1, 0, 0, 1))
            accessor = gltf["accessors"][primitive["indices"]]
            self.assertEqual(struct.unpack("<3H", bytes_of(accessor["bufferView"])), (2, 1, 0))
            self.assertEqual(primitive["material"], 0)
        self.assertIn("paint.png", [i["path"] for i in self.json("all.glb.json")["inputs"]])

    def test_triangles_of_a_mirrored_node_turn_and_thickness_is_scaled(self):
        rig = two_meshes()
        rig["nodes"][1]["scale"] = [-0.1, 0.1, 0.1]
        volume = {"thicknessFactor": 5, "attenuationDistance": 2}
        rig["materials"][0]["extensions"] = {"KHR_materials_volume": volume}
        rig["extensionsUsed"] = ["KHR_materials_volume"]
        self.write_rig(rig)

        def baked(*options):
            """The indices, and the volume, of each node's triangle; the scales of the nodes."""
            self.succeed("bake", "rig.gltf", "-o", "a.glb", *options)
            gltf, data = glb(self.read("a.glb"))
            primitives = [mesh["primitives"][0] for mesh in gltf["meshes"]]
            views = [gltf["bufferViews"][gltf["accessors"][p["indices"]]["bufferView"]] for p in primitives]
            return ([struct.unpack_from("<3H", data, view["byteOffset"]) for view in views],
                    [gltf["materials"][p["material"]]["extensions"]["KHR_materials_volume"] for p in primitives],
                    [node.get("scale", [1])[0] for node in gltf["nodes"]])

        indices, volumes, _ = baked()
        self.assertEqual(indices, [(2, 1, 0), (2, 0, 1)])
        self.assertEqual(volumes, [volume, {"thicknessFactor": 0.5, "attenuationDistance": 2}])
        indices, volumes, _ = baked("--space", "mesh")
        self.assertEqual((indices, volumes), ([(2, 1, 0), (2, 1, 0)], [volume, volume]))
        _, volumes, scales = baked("--format", "glb:quantize=1")
        for of_node, scale, wanted in zip(volumes, scales, (5, 0.5)):
            self.assertAlmostEqual(of_node["thicknessFactor"] * scale, wanted, places=6)

    def test_an_image_is_an_input_only_if_it_is_read(self):
        self.write_rig()
        self.succeed("bake", "rig.gltf", "-o", "all.glb", "-o", "{mesh}.pc2", "--depfile", "all.d")
        self.assertIn("paint.png", self.read("all.d").decode())
        self.succeed("bake", "rig.gltf", "-o", "{mesh}.pc2", "--depfile", "pc2.d")
        self.assertNotIn("paint.png", self.read("pc2.d").decode())

    def test_a_missing_image_is_a_warning(self):
        self.write_rig()
        (self.folder / "paint.png").unlink()
        done = self.succeed("bake", "rig.gltf", "-o", "all.glb")
        self.assertIn("IMAGE_LEFT_OUT", done.err)
        self.assertNotIn("--allow-outside", done.err)
        gltf, _ = glb(self.read("all.glb"))
        self.assertNotIn("images", gltf)
        self.assertNotIn("textures", gltf)
        self.assertEqual(gltf["materials"], [{"name": "paint", "pbrMetallicRoughness": {}}])

    def test_an_image_outside_the_folder_is_a_warning_with_the_option_that_reads_it(self):
        (self.folder / "in").mkdir()
        self.write_rig()
        (self.folder / "rig.gltf").rename(self.folder / "in/rig.gltf")
        (self.folder / "in/rig.gltf").write_text((self.folder / "in/rig.gltf").read_text().replace("paint.png", "../paint.png"))
        done = self.succeed("bake", "in/rig.gltf", "-o", "all.glb")
        self.assertIn("names '../paint.png', which is outside the glTF's folder; left out [IMAGE_OUTSIDE] "
                      "(option --allow-outside)", done.err)
        self.assertNotIn("IMAGE_OUTSIDE", self.succeed("bake", "in/rig.gltf", "-o", "all.glb", "--allow-outside").err)
        self.assertEqual(len(glb(self.read("all.glb"))[0]["images"]), 1)

    def test_a_mesh_without_motion_has_one_target_accessor(self):
        self.write_rig()
        self.succeed("bake", "rig.gltf", "-o", "all.glb")
        gltf, _ = glb(self.read("all.glb"))
        targets = gltf["meshes"][1]["primitives"][0]["targets"]
        self.assertEqual(len(targets), 3)
        self.assertEqual(len({target["POSITION"] for target in targets}), 1)

    def test_base_and_targets_equal_the_frames_of_other_formats(self):
        self.succeed("bake", ARM, "-o", "a.glb", "-o", "a.pc2")
        gltf, data = glb(self.read("a.glb"))
        cache = Pc2(self.read("a.pc2"))
        primitive = gltf["meshes"][0]["primitives"][0]
        self.assertEqual(len(primitive["targets"]), cache.samples - 1)

        def floats(accessor):
            accessor = gltf["accessors"][accessor]
            view = gltf["bufferViews"][accessor["bufferView"]]
            at = view["byteOffset"] + accessor["byteOffset"]
            return struct.unpack_from(f"<{3 * accessor['count']}f", data, at)

        base = [n for p in cache.positions(0) for n in p]
        self.assertEqual(floats(primitive["attributes"]["POSITION"]), tuple(base))
        last = [n for p in cache.positions(cache.samples - 1) for n in p]
        for way, x, x0 in zip(floats(primitive["targets"][-1]["POSITION"]), last, base):
            self.assertEqual(way, struct.unpack("f", struct.pack("f", x - x0))[0])

    def test_several_methods_need_a_placeholder(self):
        self.write_rig()
        self.fail_with(2, "compare", "rig.gltf", "--method", "lbs", "--method", "dqs", "-o", "all.glb", naming="{method}")

    def test_format_options_are_applied(self):
        self.succeed("bake", ARM, "-o", "a.glb", "--format", "glb:interpolation=step")
        gltf, _ = glb(self.read("a.glb"))
        self.assertEqual(gltf["animations"][0]["samplers"][0]["interpolation"], "STEP")
        for text in ("glb", "glb:", "glb:interpolation", "glb:interpolation=cubic", "glb:x=1",
                     "glb:meshopt=1", "glb:bits=12", "glb:quantize=1,bits=3", "glb:quantize=yes",
                     "abc:x=1", "pc2:x=1", "", ":"):
            self.fail_with(2, "bake", ARM, "-o", "b.glb", "--format", text,
                           naming="FORMAT_OPTION_UNKNOWN")

    def test_quantisation_and_compression_stay_within_the_bound(self):
        self.succeed("bake", ARM, "-o", "plain.glb", "-o", "a.pc2")
        sizes = [len(glb(self.read("plain.glb"))[1])]
        for options in ("quantize=1", "quantize=1,meshopt=1", "quantize=1,bits=10,meshopt=1"):
            done = self.succeed("bake", ARM, "-o", "a.glb", "--format", "glb:" + options, "--verify",
                                "--report", "r.json")
            self.assertIn("read back", done.err + done.out)
            record = self.json("r.json")["verification"][0]
            self.assertTrue(0 < record["max_m"] <= record["bound_m"])
            gltf, data = glb(self.read("a.glb"))
            self.assertEqual("EXT_meshopt_compression" in gltf["extensionsRequired"],
                             "meshopt" in options)
            sizes.append(len(data))
            # Read as a cache and as a rig.
            self.succeed("diff", "a.pc2", "a.glb", "--fail", f"error.max={record['bound_m'] * 1.001!r}")
            self.succeed("bake", "a.glb", "-o", "again.pc2")
            self.succeed("diff", "a.pc2", "again.pc2", "--fail", f"error.max={record['bound_m'] + 1e-6!r}")
        self.assertEqual(sizes, sorted(sizes, reverse=True))
        self.succeed("bake", ARM, "-o", "b.glb", "--format", "glb:" + options, "--threads", "1")
        self.assertEqual(self.read("a.glb"), self.read("b.glb"))

    def normals(self, path):
        """The tangents of every frame; None if the first primitive does not have tangents."""
        gltf, data = glb(self.read(path))
        has_some = "NORMAL" in gltf["meshes"][0]["primitives"][0]["attributes"]
        return frames_of(gltf, data, "NORMAL") if has_some else None

    def codes(self, report):
        return {issue["code"] for issue in self.json(report)["issues"]}

    def test_normals_are_stored_if_requested(self):
        self.succeed("bake", ARM, "-o", "a.glb", "--report", "r.json")
        self.assertIsNone(self.normals("a.glb"))
        self.assertIn("NORMALS_LEFT_OUT", self.codes("r.json"))
        for kind in ("skinned", "geometric"):
            self.succeed("bake", ARM, "-o", kind + ".glb", "--format", "glb:normals=1", "--normals", kind,
                         "--report", "r.json", "--verify")
            self.assertNotIn("NORMALS_LEFT_OUT", self.codes("r.json"))
            for frame in self.normals(kind + ".glb"):
                for n in frame:
                    self.assertAlmostEqual(sum(x * x for x in n), 1, delta=2e-6)
        self.succeed("diff", "a.glb", "geometric.glb")
        self.fail_with(2, "bake", ARM, "-o", "b.glb", "--normals", "flat")

    def test_quantised_normals_equal_the_float_normals(self):
        self.succeed("bake", ARM, "-o", "a.glb", "--format", "glb:normals=1", "--fps", "5")
        expected = self.normals("a.glb")
        done = self.succeed("bake", ARM, "-o", "b.glb", "--format", "glb:quantize=1,normals=1", "--fps", "5",
                            "--verify", "--report", "r.json")
        self.assertIn("; of unit normals ", done.out)
        check, = self.json("r.json")["verification"]
        worst = max((math.dist(a, b), frame, vertex) for frame, rows in enumerate(zip(expected, self.normals("b.glb")))
                    for vertex, (a, b) in enumerate(zip(*rows)))
        self.assertLessEqual(worst[0], 2.7e-5)
        self.assertAlmostEqual(check["normals"]["max"], worst[0], delta=3e-7)
        self.assertLess(check["normals"]["max"], check["normals"]["bound"])
        self.assertEqual(set(check["normals"]["at"]), {"frame", "time_s", "vertex"})
        self.succeed("bake", ARM, "-o", "c.glb", "--format", "glb:quantize=1,normals=1,meshopt=1", "--fps", "5",
                     "--verify", "--report", "s.json")
        self.assertEqual(self.json("s.json")["verification"][0]["normals"], check["normals"])
        self.assertLess(len(self.read("c.glb")), len(self.read("b.glb")))
        self.succeed("diff", "b.glb", "c.glb")

    def test_normals_without_an_output_that_stores_them_are_refused(self):
        for kind in ("skinned", "geometric"):
            self.fail_with(2, "bake", ARM, "-o", "a.pc2", "-o", "a.glb", "--normals", kind,
                           naming=("--normals", "normals=1", "glb, usda, vat"))
        for ID in ("pc2", "mdd", "npy"):
            self.fail_with(2, "bake", ARM, "-o", "a." + ID, "--format", ID + ":normals=1",
                           naming=("FORMAT_OPTION_UNKNOWN", ID + ":normals=1", "glb, usda, vat"))
        self.succeed("bake", ARM, "-o", "a.pc2", "-o", "a.glb", "--format", "glb:normals=1", "--normals", "geometric")

    def test_tangents_are_stored_if_requested(self):
        self.write_rig(turning_plate())
        self.succeed("bake", "rig.gltf", "-o", "a.glb", "--report", "r.json", "--format", "glb:normals=1")
        left_out, = [issue for issue in self.json("r.json")["issues"] if issue["code"] == "NORMALS_LEFT_OUT"]
        self.assertIn("tangents=1", left_out["message"])
        self.assertNotIn(b"TANGENT", self.read("a.glb"))
        done = self.succeed("bake", "rig.gltf", "-o", "b.glb", "--fps", "10", "--report", "r.json", "--verify",
                            "--format", "glb:tangents=1")
        self.assertNotIn("NORMALS_LEFT_OUT", self.codes("r.json"))
        self.assertIn("; of unit tangents ", done.out)
        check, = self.json("r.json")["verification"]
        self.assertLess(check["tangents"]["max"], check["tangents"]["bound"])
        self.assertEqual(set(check["tangents"]["at"]), {"frame", "time_s", "vertex"})
        gltf, data = glb(self.read("b.glb"))
        self.check_plate(gltf, data, 1e-6)
        for kind in ("skinned", "geometric"):
            self.succeed("bake", "rig.gltf", "-o", "c.glb", "--fps", "10", "--report", "r.json", "--verify",
                         "--normals", kind, "--format", "glb:quantize=1,tangents=1")
            check, = self.json("r.json")["verification"]
            self.assertLess(check["tangents"]["max"], check["tangents"]["bound"])
            gltf, data = glb(self.read("c.glb"))
            self.check_plate(gltf, data, 3e-5)
        self.succeed("bake", "rig.gltf", "-o", "d.glb", "--fps", "10", "--verify",
                     "--format", "glb:quantize=1,tangents=1,meshopt=1")
        self.succeed("diff", "c.glb", "d.glb")
        self.succeed("bake", "rig.gltf", "-o", "e.glb", "-o", "e.usda", "--report", "r.json",
                     "--format", "glb:tangents=1")  # USD does not store tangents
        self.assertIn("NORMALS_LEFT_OUT", self.codes("r.json"))

    def check_plate(self, gltf, data, delta):
        """Checks a plate that turns by a quarter about z in frames 0, 1, 2: its tangent turns, its normal does not."""
        normals, tangents = frames_of(gltf, data, "NORMAL"), frames_of(gltf, data, "TANGENT")
        base = gltf["accessors"][gltf["meshes"][0]["primitives"][0]["attributes"]["TANGENT"]]
        self.assertEqual(base["type"], "VEC4")
        self.assertEqual(len(tangents), 3)
        for frame, (n, t) in enumerate(zip(normals, tangents)):
            angle = frame * math.pi / 4
            for found, expected in [(x, (0, 0, 1)) for x in n] + [(x, (math.cos(angle), math.sin(angle), 0)) for x in t]:
                self.assertLess(math.dist(found, expected), delta)

    def test_tangents_need_normals_and_a_method_that_supports_them(self):
        self.write_rig(turning_plate())
        self.fail_with(2, "bake", "rig.gltf", "-o", "a.glb", "--format", "glb:tangents=1,normals=0",
                       naming=("FORMAT_OPTION_UNKNOWN", "tangents=1 needs normals=1"))
        self.fail_with(2, "bake", "rig.gltf", "-o", "a.usda", "--format", "usda:tangents=1", naming="glb")
        self.succeed("bake", "rig.gltf", "-m", "dm", "-o", "a.glb", "--report", "r.json", "--format", "glb:tangents=1")
        self.assertIn("TANGENTS_UNAVAILABLE", self.codes("r.json"))
        self.assertNotIn(b"TANGENT", self.read("a.glb"))
        # A mesh without tangents is reported if they were requested.
        done = self.succeed("bake", ARM, "-o", "b.glb", "--report", "r.json", "--verify", "--format", "glb:tangents=1")
        self.assertIn("the mesh does not have tangents", done.err)
        self.succeed("bake", ARM, "-o", "c.glb", "--format", "glb:normals=1")
        self.assertEqual(self.read("b.glb"), self.read("c.glb"))
        self.assertIn("TANGENTS_UNAVAILABLE", self.codes("r.json"))
        self.assertNotIn("NORMALS_LEFT_OUT", self.codes("r.json"))

    def test_a_method_without_normals_gets_those_of_the_triangles(self):
        self.succeed("bake", RIGS / "walker.glb", "-m", "dm", "-o", "a.glb", "--format",
                     "glb:normals=1", "--report", "r.json")
        self.succeed("bake", RIGS / "walker.glb", "-m", "dm", "-o", "b.glb", "--format",
                     "glb:normals=1", "--normals", "geometric", "--report", "s.json")
        self.assertIn("NORMALS_RECOMPUTED", self.codes("r.json"))
        self.assertNotIn("NORMALS_RECOMPUTED", self.codes("s.json"))
        self.assertEqual(self.read("a.glb"), self.read("b.glb"))

    def test_more_targets_than_viewers_show_are_reported(self):
        """three.js, <model-viewer> and Babylon.js show 2048 targets: as many layers as a texture array has."""
        self.write_rig()
        for frames, warns in ((2049, False), (2050, True)):
            done = self.run_program("bake", "rig.gltf", "--mesh", "up", "-o", "a.glb", "--fps", "20500",
                                    "--frames", f"0:{frames - 1}", "--report", "r.json", "--metrics", "error",
                                    "--strict")
            self.assertEqual(done.code, 1 if warns else 0, done)
            issues = [issue for issue in self.json("r.json")["issues"] if issue["code"] == "GLB_MANY_TARGETS"]
            self.assertEqual(len(issues), 1 if warns else 0)
            self.assertEqual("GLB_MANY_TARGETS" in done.err, warns, done)
            for issue in issues:
                self.assertEqual((issue["severity"], issue["file"], issue["pointer"]), ("warning", "a.glb", "/meshes/0"))
                for word in ("mesh 'up' has 2049 morph targets", "three.js", "Babylon.js", "<model-viewer>"):
                    self.assertIn(word, issue["message"])

    def test_unsupported_requests_are_refused(self):
        self.fail_with(2, "bake", ARM, "-o", "b.glb", "--up", "z", naming=("CACHE_UNSUITABLE", "(options --format, --up, --scale)"))
        self.fail_with(2, "bake", ARM, "-o", "b.glb", "--scale", "100", naming=("CACHE_UNSUITABLE", "(options --format, --up, --scale)"))
        self.succeed("bake", ARM, "-o", "a.pc2")
        self.fail_with(2, "convert", "a.pc2", "b.glb", naming=("CACHE_UNSUITABLE", "(options --format, --up, --scale)"))

    def test_a_baked_glb_is_read_back(self):
        self.succeed("bake", ARM, "-o", "a.glb", "-o", "a.pc2", "--verify", "--report", "r.json")
        for record in self.json("r.json")["verification"]:
            self.assertLessEqual(record["max_m"], record["bound_m"])
        self.succeed("diff", "a.pc2", "a.glb", "--fail", "error.max=1e-6")
        # It is not evaluated as a rig, whose frames would depend on --fps.
        self.succeed("bake", ARM, "--fps", "12", "-o", "c.glb", "-o", "c.pc2")
        self.succeed("diff", "c.pc2", "c.glb", "--fail", "error.max=1e-6")
        self.succeed("convert", "a.glb", "b.pc2")
        original, copy = Pc2(self.read("a.pc2")), Pc2(self.read("b.pc2"))
        self.assertEqual(original.positions(0), copy.positions(0))
        self.assertEqual(original.samples, copy.samples)

    def test_each_of_several_meshes_is_read_back(self):
        self.write_rig()
        done = self.succeed("bake", "rig.gltf", "-o", "all.glb", "-o", "{mesh}.pc2", "--verify", "--report", "r.json")
        records = [r for r in self.json("r.json")["verification"] if r["path"] == "all.glb"]
        self.assertEqual([r["mesh"] for r in records], ["up", "still"])
        self.assertIn("all.glb: mesh 'still' read back", done.out)
        for mesh, node in (("up", "#0"), ("still", "#1")):
            for word in (mesh, node):
                self.succeed("diff", f"{mesh}.pc2", "all.glb", "--mesh", word, "--fail", "error.max=1e-6")
            self.succeed("convert", "all.glb", "b.pc2", "--mesh", mesh)
            original, copy = Pc2(self.read(f"{mesh}.pc2")), Pc2(self.read("b.pc2"))
            self.assertEqual(original.samples, copy.samples)
            for sample in range(copy.samples):
                for p, q in zip(original.positions(sample), copy.positions(sample)):
                    for a, b in zip(p, q):
                        self.assertAlmostEqual(a, b, delta=1e-6)
            self.assertEqual(self.json("b.pc2.json")["mesh"], self.json(f"{mesh}.pc2.json")["mesh"])
            self.assertEqual(self.json("b.pc2.json")["clip"], "rise")
            # The rig has a mesh that the cache does not have.
            self.succeed("diff", "rig.gltf", "all.glb", "--mesh", mesh, "--fail", "error.max=1e-6")
            self.succeed("bake", "rig.gltf", "--mesh", mesh, "--reference", "all.glb", "--fail", "error.max=1e-6")
        done = self.run_program("diff", "up.pc2", "all.glb", "--mesh", "still", "--fail", "error.max=1e-6")
        self.assertEqual(done.code, 1, done)
        self.fail_with(5, "diff", "up.pc2", "all.glb")
        self.fail_with(2, "diff", "up.pc2", "all.glb", "--mesh", "other", naming=("MESH_UNKNOWN", "'up', 'still'"))
        self.fail_with(2, "convert", "all.glb", "c.pc2", "--mesh", "#2", naming="MESH_UNKNOWN")
        # All meshes, one after another.
        self.succeed("convert", "all.glb", "both.pc2")
        self.assertEqual(Pc2(self.read("both.pc2")).points, 6)

    def test_another_glb_is_not_a_cache(self):
        self.fail_with(3, "convert", RIGS / "walker.glb", "b.pc2", naming="CACHE_UNSUPPORTED")

    def test_the_bytes_do_not_depend_on_threads(self):
        self.succeed("bake", ARM, "-o", "a.glb", "--threads", "1")
        self.succeed("bake", ARM, "-o", "b.glb", "--threads", "4")
        self.assertEqual(self.read("a.glb"), self.read("b.glb"))


if __name__ == "__main__":
    main()
