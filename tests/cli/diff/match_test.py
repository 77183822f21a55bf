#!/usr/bin/env python3
"""skinbake diff --match: compares rigs and caches whose vertices do not pair by index."""

import base64
import json
import math
import struct

from changed_gltf import ChangedGltf
from match_case import ARM, AUTO, SURFACE, MatchTest
from support import RIGS, main, strict_json


def box(path, at=lambda x, y, z: (x, y, z), reverse=False, scale=(1, 1, 1), stray=()):
    """Writes a thin box on a node of its own."""
    points = [at(x, y, z) for x in (0, 1) for y in (0, 2) for z in (0, 0.01)] + list(stray)
    quads = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    triangles = [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]
    indices = b"".join(struct.pack("<3H", *(t[::-1] if reverse else t)) for t in triangles)
    positions = b"".join(struct.pack("<3f", *p) for p in points)
    path.write_text(json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "box", "mesh": 0, "scale": scale}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": len(points),
                       "min": [min(p[i] for p in points) for i in range(3)], "max": [max(p[i] for p in points) for i in range(3)]},
                      {"bufferView": 1, "componentType": 5123, "type": "SCALAR", "count": 36}],
        "bufferViews": [{"buffer": 0, "byteLength": len(positions)},
                        {"buffer": 0, "byteOffset": len(positions), "byteLength": len(indices)}],
        "buffers": [{"byteLength": len(positions + indices),
                     "uri": "data:application/octet-stream;base64," + base64.b64encode(positions + indices).decode()}]}))


class Boxes(MatchTest):
    def test_a_mirrored_node_is_the_mesh_whose_triangles_an_optimiser_has_reversed(self):
        mirrored, baked, inside_out = (self.folder / name for name in ("mirrored.gltf", "baked.gltf", "inside_out.gltf"))
        box(mirrored, scale=(-1, 1, 1))
        box(baked, lambda x, y, z: (-x, y, z), reverse=True)
        box(inside_out, lambda x, y, z: (-x, y, z))
        for match in ((), SURFACE, AUTO):
            done = self.diff(*match, a=mirrored, b=baked)
            self.assertNotIn("TRIANGLES_DIFFER", done.err)
        for match in (SURFACE, AUTO):
            self.assertIn("facing the same way", self.diff(*match, a=mirrored, b=inside_out, code=1).err)
        self.assertIn("TRIANGLES_DIFFER", self.diff("--match", "index", a=mirrored, b=inside_out).err)

    def test_a_vertex_without_triangles_does_not_make_relative_errors_smaller(self):
        box(self.folder / "a.gltf", stray=[(1000, 0, 0)])
        box(self.folder / "b.gltf", lambda x, y, z: (x, y, z + 0.01))
        self.diff(*SURFACE, "--fail", "error.max=0.3%", "--report", "r.json", a="a.gltf", code=1)
        mesh = self.json("r.json")["meshes"][0]
        self.assertAlmostEqual(mesh["bbox_diagonal_m"], math.dist((0, 0, 0), (1, 2, 0.01)), delta=1e-6)


class Matches(MatchTest):
    def test_a_copy_in_another_order_is_not_compared_by_index_in_silence(self):
        self.save(self.arm.permuted())
        done = self.fail_with(5, "diff", ARM, "b.gltf", naming=("another order", "--match order"))
        self.assertNotIn("--match surface", done.err)
        self.diff("--match", "index", code=1)

    def test_a_copy_in_another_order_that_is_quantised_is_not_called_the_same_vertices(self):
        self.save(self.moved(self.arm.permuted(), lambda x, y, z: (x + 1e-3 * y, y, z)))
        done = self.fail_with(5, "diff", ARM, "b.gltf", naming=("another order", "--match surface"))
        self.assertNotIn("--match order", done.err)

    def test_rounding_is_not_a_difference_and_more_is(self):
        for moved_by, code in ((2e-7, 0), (1e-4, 1)):
            self.save(self.moved(self.arm.permuted(), lambda x, y, z: (x + moved_by, y, z)))
            for match in (SURFACE, AUTO):
                self.diff(*match, "--report", "r.json", "--report", "r.xml", code=code)
                self.assertEqual(self.read("r.xml").count(b"<failure"), code * (2 if match == SURFACE or code else 1),
                                 match)
                run = self.json("r.json")["meshes"][0]["runs"][0]
                self.assertGreater(run["error"]["max"], 0)
                self.assertEqual(run["difference"]["vertices"] > 0, code == 1)

    def test_both_directions_call_a_joint_by_its_name_in_a(self):
        nameless = self.stiff()
        for node in nameless.json["nodes"]:
            node.pop("name", None)
        self.save(nameless)
        done = self.diff(*SURFACE, "--report", "r.json", code=1)
        self.assertNotIn("#", done.out)
        for mesh in self.json("r.json")["meshes"]:
            surface = mesh["runs"][0]["surface"]
            names = [joint["joint"] for joint in surface["joints"]] + [surface["at_rest_joint"],
                                                                       surface["max_at"]["joint"]]
            self.assertLessEqual(set(names), {"joint_0", "joint_1"})
        done = self.diff(*SURFACE, a="b.gltf", b=ARM, code=1)
        self.assertNotIn("joint_", done.out)

    def test_a_copy_in_another_order_is_equal_by_order_and_by_surface(self):
        self.save(self.arm.permuted())
        for match in (("--match", "order"), SURFACE, AUTO):
            out = self.diff(*match).out
            self.assertIn("in motion 0 % of the diagonal", out)
        self.assertTrue(out.startswith("match: order: the vertices are the same in another order\n"), out)

    def test_a_split_copy_is_equal_by_surface_alone(self):
        self.save(self.arm.split())
        self.fail_with(5, "diff", ARM, "b.gltf", naming=("12", "60", "compares the surfaces"))
        self.fail_with(5, "diff", ARM, "b.gltf", "--match", "order", naming="compare the surfaces")
        for a, b in ((ARM, "b.gltf"), ("b.gltf", ARM)):
            out = self.diff(*AUTO, a=a, b=b).out
            self.assertTrue(out.startswith("match: surface: there are "), out)
            self.assertIn("at rest 0 %, in motion 0 % of the diagonal\n", out)

    def test_the_same_file_matches_by_index(self):
        out = self.diff(*AUTO, b=ARM).out
        self.assertTrue(out.startswith("match: index: "), out)

    def test_other_triangles_between_the_same_vertices_are_seen(self):
        triangles = self.arm.triangles()
        vertices = list(range(len(self.arm.rows(self.arm.primitive["attributes"]["POSITION"]))))
        rotated = [[t[1], t[2], t[0]] for t in reversed(triangles)]
        self.save(self.arm.with_vertices(vertices, rotated))
        report = self.report(*AUTO)
        self.assertEqual((report["settings"]["match"]["used"], report["issues"]), ("index", []))
        for changed in (triangles[:-2], [t[::-1] for t in triangles]):
            self.save(self.arm.with_vertices(vertices, changed))
            done = self.run_program("diff", ARM, "b.gltf", *AUTO)
            self.assertTrue(done.out.startswith("match: surface: the vertices pair, but the triangles differ\n"), done)
            lacks_area = len(changed) < len(triangles)
            for match in ("index", "order"):
                done = self.diff("--match", match, code=1 if lacks_area else 0)
                self.assertIn("TRIANGLES_DIFFER", done.err)
                self.assertEqual("other file's area" in done.err, lacks_area)
                self.assertNotIn("identical: ", done.out)
                self.diff("--match", match, "--strict", code=1)
            self.assertIn("identical positions: 31 frames of 12 vertices; the triangles differ\n",
                          self.diff("--match", "index", "--allow", "TRIANGLES_DIFFER").out)
            self.assertIn("between the same vertices", self.run_program("diff", ARM, "b.gltf", *SURFACE).err)

    def test_triangles_that_are_there_twice_are_seen(self):
        triangles = self.arm.triangles()
        vertices = list(range(len(self.arm.rows(self.arm.primitive["attributes"]["POSITION"]))))
        self.save(self.arm.with_vertices(vertices, triangles + triangles))
        done = self.diff(*AUTO, code=1)
        self.assertTrue(done.out.startswith("match: surface: the vertices pair, but the triangles differ\n"), done)
        for match in ("index", "order", "surface"):
            done = self.diff("--match", match, code=1)
            self.assertIn(f"has {len(triangles)} triangles more between the same vertices", done.err)
            self.assertIn("two_joints.gltf has 50 % of the other file's area", done.err)
            self.diff("--match", match, "--allow", "TRIANGLES_DIFFER")

    def test_a_dense_mesh_without_half_its_triangles_is_seen_although_its_vertices_are_all_there(self):
        tube = ChangedGltf(RIGS / "twisted_tube.gltf").permuted()  # its vertices do not pair by index
        vertices = list(range(len(tube.rows(tube.primitive["attributes"]["POSITION"]))))
        self.save(tube.with_vertices(vertices, sorted(tube.triangles())[::2]))
        coarse = ("--match", "surface", "--sampling", "50%", "--fail", "error.max=30%")
        whole, half = RIGS / "twisted_tube.gltf", "b.gltf"
        for a, b in ((whole, half), (half, whole)):
            done = self.diff(*coarse, "--strict", a=a, b=b, code=1)
            self.assertIn("TRIANGLES_DIFFER", done.err)
            self.assertRegex(done.err, r"b\.gltf: has (4|5)[0-9.]* % of the area of .*twisted_tube\.gltf")
            self.assertRegex(done.out, r"triangles of [0-9.]+ m²")
        surface = self.report(*coarse, a=whole, b=half, code=1)["meshes"][0]["runs"][0]["surface"]
        self.assertAlmostEqual(surface["other_area_m2"] / surface["area_m2"], 0.5, delta=0.1)
        self.save(tube)
        self.assertNotIn("TRIANGLES_DIFFER", self.diff(*coarse, "--strict", a=whole).err)

    def test_no_limit_of_distances_is_kept_if_half_of_the_surface_is_missing(self):
        tube = ChangedGltf(RIGS / "twisted_tube.gltf").permuted()
        vertices = list(range(len(tube.rows(tube.primitive["attributes"]["POSITION"]))))
        self.save(tube.with_vertices(vertices, sorted(tube.triangles())[::2]))
        coarse = ("--match", "surface", "--sampling", "50%", "--fail", "error.max=30%")
        whole = RIGS / "twisted_tube.gltf"
        pages = ("--report", "r.xml", "--report", "r.md", "--report", "r.html")
        report = self.report(*coarse, *pages, a=whole, code=1)
        self.assertEqual(report["verdict"]["status"], "fail")
        kept, missing = report["verdict"]["checks"]
        self.assertTrue(kept["passed"])
        self.assertEqual((missing["key"], missing["mesh"], missing["limit"]), ("surface.area", "b.gltf", 0.95))
        self.assertLess(missing["value"], 0.6)
        self.assertEqual(self.read("r.xml").count(b"<failure"), 1)
        self.assertIn("area at least 95 % of the other file", self.read("r.md").decode())
        self.assertIn("area at least 95 % of the other file", self.read("r.html").decode())
        done = self.diff(*coarse, a="b.gltf", b=whole, code=1)
        self.assertRegex(done.err, "b.gltf has [45][0-9.]+ % of the other file's area, less than 95 %; .* --allow TRIANGLES_DIFFER")
        self.diff(*coarse, "--allow", "TRIANGLES_DIFFER", a=whole)

    def test_a_surface_that_faces_away_fails_whatever_the_limit(self):
        tube = ChangedGltf(RIGS / "twisted_tube.gltf").permuted()
        vertices = list(range(len(tube.rows(tube.primitive["attributes"]["POSITION"]))))
        self.save(tube.with_vertices(vertices, [t[::-1] for t in tube.triangles()]))
        whole = RIGS / "twisted_tube.gltf"
        done = self.diff(*SURFACE, "--fail", "error.max=30%", a=whole, code=1)
        self.assertIn("b.gltf has 0 % of the other file's area, facing the same way, less than 90 %", done.err)
        self.diff(*SURFACE, "--allow", "TRIANGLES_DIFFER", a=whole)

    def test_two_vertices_in_another_order_are_not_compared_by_index_in_silence(self):
        tube = ChangedGltf(RIGS / "twisted_tube.gltf")
        vertices = list(range(len(tube.rows(tube.primitive["attributes"]["POSITION"]))))
        vertices[3], vertices[4] = 4, 3
        self.save(tube.with_vertices(vertices, [[vertices[v] for v in t] for t in tube.triangles()]))
        self.fail_with(5, "diff", RIGS / "twisted_tube.gltf", "b.gltf", naming=("another order", "--match order"))
        self.assertIn("in motion 0 % of the diagonal", self.diff("--match", "order", a=RIGS / "twisted_tube.gltf").out)

    def test_a_broken_bind_matrix_of_the_heaviest_joint_does_not_move_all_of_a_file(self):
        broken = self.arm.copy()
        number = broken.json["skins"][0]["inverseBindMatrices"]
        matrices = [list(struct.unpack("<16f", row)) for row in broken.rows(number)]
        matrices[0][12] += 0.2
        broken.replace(number, [struct.pack("<16f", *matrix) for matrix in matrices])
        self.save(broken)
        by_index = self.report("--match", "index", code=1)["meshes"][0]["runs"][0]["error"]["max"]
        done = self.diff(*AUTO, code=1)
        self.assertIn("placed at bind by joint 'joint_1': by the heaviest, 'joint_0', the files would be ", done.out)
        self.assertIn("at rest 0 %", done.out)
        for match in (AUTO, SURFACE):
            run = self.report(*match, code=1)["meshes"][0]["runs"][0]
            self.assertAlmostEqual(run["error"]["max"], by_index, delta=0.2 * by_index)
            placed = run["surface"]["placed_by"]
            self.assertEqual((placed["joint"], placed["instead_of"]), ("joint_1", "joint_0"))
            self.assertAlmostEqual(placed["apart"], 0.2, delta=1e-6)

    def test_a_surface_that_faces_away_is_seen(self):
        self.save(self.arm.with_vertices(list(range(12)), [t[::-1] for t in self.arm.triangles()]).split())
        done = self.run_program("diff", ARM, "b.gltf", *SURFACE, "--fail", "error.max=1")
        self.assertIn("TRIANGLES_DIFFER", done.err)
        self.assertIn("compared points only near a surface of two_joints.gltf that faces away", done.err)
        self.assertEqual(self.run_program("diff", ARM, "b.gltf", *SURFACE, "--fail", "error.max=1", "--strict").code, 1)

    def test_a_copy_without_triangles_is_not_comparable(self):
        self.arm.primitive["mode"] = 0
        self.save(self.arm)
        self.fail_with(5, "diff", ARM, "b.gltf", *AUTO, naming="b.gltf has no triangles")

    def test_lost_weights_show_in_motion_and_not_at_rest(self):
        self.save(self.stiff())
        report = self.report(*SURFACE, "--fail", "error.max=1%", code=1)
        self.assertEqual(report["settings"]["match"], {"asked": "surface", "used": "surface", "sampling": 0.05})
        self.assertEqual([mesh["id"] for mesh in report["meshes"]], ["a: prism", "b: prism"])
        worst = []
        for mesh, direction in zip(report["meshes"], ("a to b", "b to a")):
            run, = mesh["runs"]
            surface = run["surface"]
            self.assertEqual(surface["direction"], direction)
            self.assertLess(surface["at_rest"], 1e-12)
            self.assertEqual(surface["max"], run["error"]["max"])
            inside = surface["max_at"]["vertex"] >= surface["vertices"]
            self.assertEqual(surface["max_at"].get("inside_face"), True if inside else None)
            self.assertEqual(mesh["vertex_count"], surface["points"])
            self.assertEqual(sum(joint["points"] for joint in surface["joints"]), surface["points"])
            self.assertEqual(max(joint["max"] for joint in surface["joints"]), surface["max"])
            worst.append(surface["max"])
        check, = report["verdict"]["checks"]
        self.assertEqual(check["value"] * report["meshes"][0]["bbox_diagonal_m"], max(worst))
        self.assertFalse(check["passed"])

    def test_both_directions_are_relative_to_the_diagonal_of_a(self):
        self.save(self.moved(self.arm, lambda x, y, z: (1.2 * x, 1.2 * y, 1.2 * z)))
        report = self.report(*SURFACE, code=1)
        diagonal = report["meshes"][0]["bbox_diagonal_m"]
        for mesh in report["meshes"]:
            surface = mesh["runs"][0]["surface"]
            self.assertGreater(surface["at_rest"], 0)
            self.assertEqual(surface["at_rest_relative"], surface["at_rest"] / diagonal)
            self.assertAlmostEqual(surface["max_relative"], surface["max"] / diagonal, 12)

    def test_the_worst_place_at_rest_says_whether_it_is_inside_a_face(self):
        last = self.arm.triangles()[:-1]  # points inside the lost triangle are the farthest from the rest
        vertices = list(range(len(self.arm.rows(self.arm.primitive["attributes"]["POSITION"]))))
        self.save(self.arm.with_vertices(vertices, last))
        to_b, to_a = (mesh["runs"][0]["surface"] for mesh in self.report(*SURFACE, code=1)["meshes"])
        self.assertGreaterEqual(to_b["at_rest_vertex"], to_b["vertices"])
        self.assertIs(to_b["at_rest_inside_face"], True)
        self.assertLess(to_a["at_rest_vertex"], to_a["vertices"])
        self.assertNotIn("at_rest_inside_face", to_a)

    def test_meshes_of_a_scene_are_one_surface_unless_chosen(self):
        walker = RIGS / "walker.glb"
        report = self.report(*AUTO, a=walker, b=walker)
        self.assertEqual([mesh["id"] for mesh in report["meshes"]], ["walker"])
        report = self.report(*SURFACE, "--mesh", "Body", a=walker, b=walker)
        self.assertEqual([mesh["id"] for mesh in report["meshes"]], ["a: Body", "b: Body"])


class Outputs(MatchTest):
    def test_the_hausdorff_distance_has_two_bounds_per_frame(self):
        self.save(self.stiff())
        report = self.report(*SURFACE, "--hausdorff", code=1)
        run = report["meshes"][0]["runs"][0]
        hausdorff = run["hausdorff"]
        self.assertNotIn("hausdorff", report["meshes"][1]["runs"][0])
        self.assertLess(hausdorff["at_rest"], 1e-12)
        series = hausdorff["per_frame"]
        self.assertEqual(len(series["lower"]), run["frame_count"])
        for lower, upper in zip(series["lower"], series["upper"]):
            self.assertLessEqual(lower, upper)
            self.assertLessEqual(upper, lower + hausdorff["tolerance"] * 1.0001)
        self.assertLessEqual(hausdorff["max_lower"], run["surface"]["max"])  # pairs cannot be nearer

    def test_the_bytes_do_not_depend_on_threads_or_instruction_sets(self):
        self.save(self.stiff())
        fine = ("--match", "surface", "--sampling", "0.02")  # more points than a thread takes at a time
        texts = set()
        for threads in ("1", "2", "7"):
            texts.add(self.diff(*fine, "--hausdorff", "--json", "-q", "--per-vertex", "json",
                                "--threads", threads, code=1).out)
        targets = strict_json(self.succeed("list", "targets", "--json").out)
        for target in targets["targets"]:
            if target.get("available", True):
                done = self.run_program("diff", ARM, "b.gltf", *fine, "--hausdorff", "--json", "-q",
                                        "--per-vertex", "json", env={"SKINBAKE_TARGET": target["id"]})
                texts.add(done.out)
        self.assertEqual(len(texts), 1)

    def test_pages_equal_those_that_report_makes(self):
        self.save(self.stiff())
        pages = [word for form in ("html", "md", "xml") for word in ("--report", f"a.{form}")]
        self.diff(*AUTO, "--hausdorff", "--report", "r.json", *pages, code=1)
        for form in ("html", "md", "xml"):
            self.succeed("report", "r.json", "-o", f"b.{form}")
            self.assertEqual(self.read(f"a.{form}"), self.read(f"b.{form}"))
        self.assertIn(b"there are 12 and 60 vertices", self.read("a.html"))


class Refusals(MatchTest):
    def test_options_of_other_matches_are_refused(self):
        for options, name in ((("--match", "auto", "--explain", "1"), "--explain"),
                              (("--match", "auto", "--rig", ARM), "--rig"),
                              (("--match", "auto", "--per-vertex", "npy", "--report", "r.json"), "--per-vertex"),
                              (("--sampling", "0.1"), "--sampling"),
                              (("--hausdorff",), "--hausdorff"),
                              (("--match", "auto", "--space", "mesh"), "--space"),
                              (("--match", "auto", "--top", "3"), "--top"),
                              (("--match", "auto", "--fail-missing"), "--fail-missing"),
                              (("--match", "auto", "--sampling", "0"), "--sampling"),
                              (("--match", "auto", "--sampling", "nan"), "--sampling"),
                              (("--match", "nearest"), "--match")):
            self.fail_with(2, "diff", ARM, ARM, *options, naming=name)

    def test_surfaces_far_apart_or_without_triangles_are_not_comparable(self):
        self.save(self.moved(self.arm.split(), lambda x, y, z: (x + 3, y, z)))
        self.fail_with(5, "diff", ARM, "b.gltf", *SURFACE, naming="of the diagonal apart")
        points = self.arm.split()
        points.primitive["mode"] = 0
        self.save(points)
        self.fail_with(5, "diff", ARM, "b.gltf", *SURFACE, naming="no triangles")

    def test_files_of_other_units_are_not_comparable(self):
        for scale, text in ((100, "b.gltf is 100 times as large as"), (0.01, "two_joints.gltf is 100 times as large as"),
                            (3.28, "b.gltf is 3.28 times as large as")):
            self.save(self.moved(self.arm.split(), lambda x, y, z: (x * scale, y * scale, z * scale)))
            self.fail_with(5, "diff", ARM, "b.gltf", *AUTO, "--max-memory", "64M", naming=(text, "units"))

    def test_a_file_that_lost_its_triangles_is_not_called_one_of_another_unit(self):
        vertices = list(range(len(self.arm.rows(self.arm.primitive["attributes"]["POSITION"]))))
        self.save(self.arm.with_vertices(vertices, self.arm.triangles()[:1]))
        for match in (AUTO, SURFACE):
            done = self.fail_with(5, "diff", ARM, "b.gltf", *match,
                                  naming=("b.gltf has 1 triangle, ", "of the area and", f"which has {len(self.arm.triangles())} triangles"))
            self.assertNotIn("unit", done.err)
            self.assertNotIn("--mesh", done.err)  # there is one

    def test_points_at_one_place_are_not_comparable(self):
        self.save(self.moved(self.arm, lambda x, y, z: (1, 2, 3)))
        for match in ("auto", "order", "surface"):
            self.fail_with(5, "diff", "b.gltf", "b.gltf", "--match", match, naming="at one point")
            self.fail_with(5, "diff", ARM, "b.gltf", "--match", match)

    def test_a_sampling_that_memory_cannot_hold_is_refused(self):
        self.save(self.arm.split())
        for sampling in ("1e-9", "1e-300"):
            self.fail_with(3, "diff", ARM, "b.gltf", "--match", "surface", "--sampling", sampling, naming="MEMORY_LIMIT")


if __name__ == "__main__":
    main()
