#!/usr/bin/env python3
"""Shape metrics: selected by --metrics, in the report according to its schema."""

import base64
import json
import math
import os
import struct

from report_schema import schema_errors
from support import ALL_RIGS, TRIANGLE, CliTest, RIGS, SOURCE, main, moving_rig, strict_json

SCHEMA = json.loads((SOURCE / "lib/report/report.schema.json").read_text())["$defs"]
USUAL = ["error", "volume"]
TUBE = RIGS / "twisted_tube.gltf"


def skinned_split_tetrahedron(weights, component="f"):
    """glTF JSON: a tetrahedron on four joints, whose vertices 0 and 4 are copies of one corner.

    weights: [vertex][4]. component: the struct code of the weights. The first joint listed by vertex v is v % 4 if
    the vertex is a copy, whose weights are then listed in another order.
    """
    points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0)]
    document, data = moving_rig(["body"], (points, [(0, 2, 1), (4, 1, 3), (1, 2, 3), (0, 3, 2)]))
    joints_at = len(data)
    data += bytes(range(4)) * 4 + bytes(reversed(range(4)))
    weights_at = len(data)
    data += b"".join(struct.pack(f"<4{component}", *row) for row in weights)
    document["bufferViews"] += [{"buffer": 0, "byteOffset": joints_at, "byteLength": 20},
                                {"buffer": 0, "byteOffset": weights_at, "byteLength": len(data) - weights_at}]
    code = {"f": 5126, "B": 5121, "H": 5123}[component]
    document["accessors"] += [{"bufferView": 4, "componentType": 5121, "count": 5, "type": "VEC4"},
                              {"bufferView": 5, "componentType": code, "count": 5, "type": "VEC4",
                               **({} if component == "f" else {"normalized": True})}]
    document["meshes"][0]["primitives"][0]["attributes"].update(JOINTS_0=4, WEIGHTS_0=5)
    document["nodes"] += [{"name": f"joint{j}"} for j in range(4)]
    document["nodes"][0]["skin"] = 0
    document["skins"] = [{"joints": [1, 2, 3, 4]}]
    document["scenes"][0]["nodes"] += [1, 2, 3, 4]
    document["animations"][0]["channels"][0]["target"]["node"] = 1
    document["buffers"] = [{"byteLength": len(data), "uri": "data:application/octet-stream;base64,"
                            + base64.b64encode(data).decode()}]
    return document


class Metrics(CliTest):
    def metrics(self):
        """The first headline of each metric, such as max of edge_stretch."""
        listed = strict_json(self.succeed("list", "metrics", "--json").out)["metrics"]
        return {metric["id"]: metric["keys"][0]["key"].split(".", 1)[1] for metric in listed}

    def bake(self, rig, *options):
        return self.succeed("bake", rig, "--json", "-q", "--per-vertex", "none", *options).out

    def run_of(self, rig, *options):
        return strict_json(self.bake(rig, *options))["meshes"][0]["runs"][0]

    def test_every_report_with_all_metrics_is_valid(self):
        errors = schema_errors()
        if errors is None:
            reason = "python3-jsonschema is missing (scripts/setup installs it)"
            self.fail(reason) if os.environ.get("CI") == "true" else self.skipTest(reason)
        for rig in ALL_RIGS:
            for options in ((), ("--method", "dqs", "--baseline", "first-frame"), ("--space", "mesh", "--frames", "1:1")):
                report = strict_json(self.bake(rig, "--metrics", "all", *options))
                self.assertEqual(errors(report), [], f"{rig.name} {options}")

    def test_sections_and_their_keys_are_in_the_order_of_list_and_schema(self):
        metrics = self.metrics()
        for rig in ALL_RIGS:
            for run in (run for mesh in strict_json(self.bake(rig, "--metrics", "all"))["meshes"] for run in mesh["runs"]):
                self.assertEqual(list(run), ["clip", "method", "frame_count", *metrics])
                for metric in metrics:
                    if metric not in USUAL:
                        self.assertEqual(list(run[metric]), SCHEMA[metric]["required"], metric)
                        keys = [key for key in SCHEMA[metric]["properties"] if key in SCHEMA[metric]["required"]]
                        self.assertEqual(keys, SCHEMA[metric]["required"], metric)

    def test_per_frame_arrays_have_a_number_for_each_frame(self):
        run = self.run_of(TUBE, "--metrics", "all", "--frames", "2:21:3")
        for metric in self.metrics():
            for key, values in run[metric].get("per_frame", {}).items():
                self.assertEqual(len(values), run["frame_count"], f"{metric}.{key}")

    def test_settings_name_only_metrics_other_than_the_default(self):
        usual = self.bake(TUBE)
        self.assertEqual(self.bake(TUBE, "--metrics", "volume,error"), usual)
        self.assertNotIn("metrics", strict_json(usual)["settings"])
        some = strict_json(self.bake(TUBE, "--metrics", "dihedral,edge_stretch"))
        self.assertEqual(some["settings"]["metrics"], ["edge_stretch", "dihedral"])
        self.assertEqual(list(some["meshes"][0]["runs"][0])[3:], ["edge_stretch", "dihedral"])
        everything = strict_json(self.bake(TUBE, "--metrics", "all"))
        self.assertEqual(everything["settings"]["metrics"], list(self.metrics()))

    def test_the_same_bytes_at_any_number_of_threads(self):
        rig = RIGS / "walker.glb"
        one = self.bake(rig, "--metrics", "all", "--threads", "1")
        self.assertEqual(self.bake(rig, "--metrics", "all", "--threads", "3"), one)

    def test_a_part_of_the_frames_has_their_part_of_the_numbers(self):
        whole = self.run_of(TUBE, "--metrics", "all")
        part = self.run_of(TUBE, "--metrics", "all", "--frames", "5:20")
        for metric in self.metrics():
            for key, values in part[metric].get("per_frame", {}).items():
                self.assertEqual(values, whole[metric]["per_frame"][key][5:21], f"{metric}.{key}")

    def test_a_shape_at_rest_has_no_distortion(self):
        for rig in ALL_RIGS:
            run = self.run_of(rig, "--metrics", "all", "--frames", "0:0", "--baseline", "first-frame")
            self.assertAlmostEqual(run["edge_stretch"]["worst"], 1, 4)
            self.assertAlmostEqual(run["triangle_distortion"]["worst"], 4, 4)
            if rig.name != "walker.glb":  # its parts touch: rounding decides which triangles intersect
                self.assertEqual(run["self_intersection"]["worst"], 0, rig.name)

    def test_the_first_frame_is_that_of_the_clip_whatever_frames_are_selected(self):
        options = (TUBE, "--metrics", "all", "--baseline", "first-frame", "--method", "dqs")
        whole, part = self.run_of(*options), self.run_of(*options, "--frames", "5:20")
        self.assertEqual(part["volume"]["baseline"], whole["volume"]["baseline"])
        for metric in self.metrics():
            for key, values in part[metric].get("per_frame", {}).items():
                self.assertEqual(values, whole[metric]["per_frame"][key][5:21], f"{metric}.{key}")

    def test_the_first_frame_does_not_differ_from_itself(self):
        for rig in ALL_RIGS:
            for space in ("scene", "mesh"):
                report = strict_json(self.succeed(
                    "compare", rig, "--method", "lbs", "--method", "dqs", "--method", "dm", "--baseline", "first-frame", "--frames", "0:0", "--json",
                    "--metrics", "volume,edge_stretch,triangle_distortion,dihedral,candy_wrapper,bulge,self_intersection",
                    "--space", space, "-q", "--per-vertex", "none").out)
                for run in (run for mesh in report["meshes"] for run in mesh["runs"]):
                    where = f"{rig.name} {space} {run['method']}"
                    self.assertEqual(run["edge_stretch"]["worst"], 1, where)
                    self.assertAlmostEqual(run["triangle_distortion"]["worst"], 4, 12, where)
                    self.assertAlmostEqual(run["volume"]["max_loss"] or 0, 0, 14, where)
                    for metric, number in (("dihedral", "max"), ("bulge", "max_m"), ("bulge", "max_collapse_m"),
                                           ("candy_wrapper", "worst"), ("self_intersection", "worst")):
                        self.assertIn(run[metric][number], (0, None), f"{where} {metric}")

    def test_the_summary_has_a_line_for_each_metric(self):
        done = self.succeed("bake", TUBE, "--report", "r.json", "--metrics", "all")
        run = strict_json((self.folder / "r.json").read_text())["meshes"][0]["runs"][0]
        for metric, key in self.metrics().items():
            lines = [line for line in done.out.splitlines() if f" {metric}: " in line]
            self.assertEqual(len(lines), 0 if metric in USUAL else 1, metric)
            if lines:
                self.assertIn(f"{key} {float(f'{run[metric][key]:.4g}'):g}", lines[0])
                self.assertIn(f"frame {run[metric][key + '_at']['frame']}", lines[0])

    def test_the_summary_names_the_bone_that_collapses(self):
        arm = RIGS / "bent_arm.gltf"
        done = self.succeed("bake", arm, "--report", "r.json", "--metrics", "candy_wrapper")
        run = strict_json((self.folder / "r.json").read_text())["meshes"][0]["runs"][0]["candy_wrapper"]
        bone, = (bone for bone in run["bones"] if bone["index"] == run["worst"])
        self.assertIn(f", joint '{bone['joint']}'\n", done.out)

    def test_the_summary_has_the_units(self):
        done = self.succeed("bake", TUBE, "--report", "r.json", "--metrics", "all")
        for metric, unit in (("dihedral", " rad"), ("in_between", " m"), ("edge_stretch", " times the length"),
                             ("inversions", " triangles"), ("normal_deviation", " rad"),
                             ("candy_wrapper", " of the cross-section lost")):
            self.assertRegex(done.out, rf"(?m) {metric}: (max|worst) [-+.e\d]+{unit}(,|;|$)")
        candy = strict_json((self.folder / "r.json").read_text())["meshes"][0]["runs"][0]["candy_wrapper"]
        bone, = (bone for bone in candy["bones"] if bone["index"] == candy["worst"])
        self.assertEqual(candy["worst_at"], {**bone["at"], "joint": bone["joint"]})

    def test_the_summary_has_both_collapse_and_bulge(self):
        done = self.succeed("bake", TUBE, "--metrics", "bulge")  # linear blending does not bulge otherwise
        self.assertRegex(done.out, r"bulge: max [^,]+, frame \d+, vertex \d+; max_collapse (0\.9|1)[^,]*, frame 30, vertex")

    def test_metrics_are_measured_without_a_report(self):
        for options in (("-o", "x.pc2"), ()):
            done = self.succeed("bake", TUBE, "--metrics", "edge_stretch", *options)
            self.assertRegex(done.out, r"(?m)^tube twist lbs: edge_stretch: worst [^,]+, frame \d+, edge")
            done = self.succeed("bake", TUBE, "--method", "dqs", "--reference", "lbs", *options)
            self.assertNotEqual(done.out.splitlines()[1].split()[4], "-")

    def topology_of(self, weights, component="f"):
        rig = self.folder / "split.gltf"
        rig.write_text(json.dumps(skinned_split_tetrahedron(weights, component)))
        return strict_json(self.bake(rig))["meshes"][0]["topology"]

    def test_copies_are_one_point_whatever_the_sums_of_other_weights(self):
        copy = [0.1, 0.2, 0.7, 0]  # as floats they sum to 1 - 7e-9
        topology = self.topology_of([copy, [0.2, 0, 0, 0], copy, copy, copy[::-1]])
        self.assertEqual((topology["cracked_positions"], topology["closed"]), (0, True))

    def test_copies_are_one_point_whatever_the_sum_of_their_weights(self):
        topology = self.topology_of([[0.9999988, 0, 0, 0], *[[1, 0, 0, 0]] * 3, [0, 0, 0, 1.0000017]])
        self.assertEqual((topology["cracked_positions"], topology["closed"]), (0, True))

    def test_without_triangles_there_is_no_surface_to_measure(self):
        document, _ = moving_rig(["a"], shape=TRIANGLE)
        document["meshes"][0]["primitives"][0]["mode"] = 0
        points = self.folder / "points.gltf"
        points.write_text(json.dumps(document))
        run = self.run_of(points, "--metrics", "all")
        self.assertNotIn("edge_stretch", run)
        self.assertNotIn("volume", run)
        self.assertTrue(math.isfinite(run["error"]["rms"]))

    def test_a_method_without_normals_is_an_issue(self):
        report = strict_json(self.bake(TUBE, "--metrics", "normal_deviation", "--method", "dm", "--frames", "0:3"))
        run = report["meshes"][0]["runs"][0]["normal_deviation"]
        self.assertEqual((run["max"], run["max_at"]), (None, None))
        self.assertEqual(run["per_frame"]["max_vertex"], [None] * 4)
        self.assertLess(run["bind"]["max"], 1e-6)
        self.assertIn("NO_NORMALS", [issue["code"] for issue in report["issues"]])
        errors = schema_errors()
        self.assertEqual(errors(report) if errors else [], [])

    def test_an_unknown_metric_is_a_wrong_command_line(self):
        done = self.run_program("bake", TUBE, "--json", "--metrics", "beauty")
        self.assertEqual(done.code, 2, done)
        for word in ("beauty", "error", "edge_stretch", "all"):
            self.assertIn(word, done.err)


class Baseline(CliTest):
    def test_the_baseline_changes_metrics_of_shape_alone(self):
        named = ("volume", "edge_stretch", "triangle_distortion", "dihedral", "candy_wrapper", "bulge",
                 "self_intersection")
        run = {}
        for baseline in ("bind", "rest", "first-frame"):
            self.succeed("bake", RIGS / "walker.glb", "--fps", "10", "--frames", "3:9", "--metrics", "all", "--method", "dqs",
                         "--baseline", baseline, "--report", "r.json")
            run[baseline] = self.json("r.json")["meshes"][0]["runs"][0]
        for metric in run["bind"].keys() - {"clip", "method", "frame_count"}:
            for baseline in ("rest", "first-frame"):
                self.assertEqual(run["bind"][metric] != run[baseline][metric], metric in named, (metric, baseline))


if __name__ == "__main__":
    main()
