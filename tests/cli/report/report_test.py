#!/usr/bin/env python3
"""The report is valid by its schema, its keys are in order, and its numbers agree with each other."""

import json
import math
import os
import shutil
import subprocess

from report_schema import schema_errors
from support import ALL_RIGS, CliTest, METHODS, RIGS, SOURCE, TRIANGLE, Pc2, main, strict_json, write_rig

BASELINES = ("bind", "rest", "first-frame")
PRISM = RIGS / "two_joints.gltf"

# The keys in the order of report.schema.json. A section that was not requested is absent.
ORDER = {
    "": "schema schema_version tool command inputs settings clips outputs verdict issues meshes",
    "inputs": "role path bytes xxh128",
    "settings": "scene fps frames loop space normals baseline reference modifiers map joint_params metrics",
    "clips": "id index name duration_s fps end_lost_s first_frame frame_step frame_count",
    "outputs": "path format mesh clip method bytes xxh128",
    "verdict": "status checks",
    "meshes": "id node node_name mesh_name follows_joint vertex_count triangle_count bbox_diagonal_m primitives modifiers "
              "topology runs",
    "primitives": "first_vertex vertex_count",
    "meshes.modifiers": "modifier vertices_touched largest_weight_moved vertex joints_added",
    "topology": "welded_vertex_count cracked_positions closed boundary_edges boundary_components "
                "nonmanifold_edges flipped_edges flipped_triangles non_orientable_patches cap_area_fraction components",
    "runs": "clip method frame_count error volume",
    "error": "unit reference rms mean max max_at rms_relative max_relative erms kg_percent per_frame "
             "worst_vertices per_vertex",
    "error.per_frame": "rms mean max max_vertex p50 p95 p99",
    "worst_vertices": "vertex primitive rms max frame",
    "per_vertex": "encoding rms max max_frame",
    "volume": "unit baseline max_loss max_loss_at min_loss min_loss_at per_frame components joints",
    "volume.per_frame": "volume loss",
    "joints": "joint joint_index triangle_count baseline max_loss max_loss_at per_frame",
}


class ReportTest(CliTest):
    def report(self, rig, *options):
        return strict_json(self.succeed("bake", rig, "--json", "-q", *options).out)

    def every_report(self):
        """(what, report) of every rig, method and baseline; per-vertex numbers with the first baseline only."""
        for rig in ALL_RIGS:
            for method in METHODS:
                for baseline in BASELINES:
                    options = ["--method", method, "--baseline", baseline]
                    options += [] if baseline == BASELINES[0] else ["--per-vertex", "none"]
                    yield f"{rig.name} {method} {baseline}", self.report(rig, *options)


class Layout(ReportTest):
    def test_every_report_is_valid_by_the_schema(self):
        errors = schema_errors()
        if errors is None:
            reason = "python3-jsonschema is missing (scripts/setup installs it)"
            self.fail(reason) if os.environ.get("CI") == "true" else self.skipTest(reason)
        for what, report in self.every_report():
            self.assertEqual(errors(report), [], what)
        thresholds = ("--fail", "error.max=1", "--warn", "error.rms=1%", "--fail", "volume.max_loss=90%", "-o", "x.pc2")
        self.assertEqual(errors(self.report(PRISM, *thresholds)), [])
        flat = write_rig(self.folder / "r.gltf", ["a", None], shape=TRIANGLE, clips=(), buffer="r.bin")
        self.assertEqual(errors(self.report(flat)), [])
        self.assertEqual(errors(self.report(flat, "--metrics", "volume")), [])
        self.assertEqual(errors(self.report(PRISM, "--metrics", "error", "--frames", "3:9:2", "--loop")), [])

    def check_order(self, value, path):
        if isinstance(value, list):
            for element in value[:3]:
                self.check_order(element, path)
        if not isinstance(value, dict):
            return
        for name in (".".join(path[-2:]), ".".join(path[-1:])):
            if name in ORDER:
                order = ORDER[name].split()
                self.assertLessEqual(set(value), set(order), f"{'.'.join(path)}: unknown keys")
                self.assertEqual(list(value), [key for key in order if key in value], ".".join(path))
                break
        for key, inner in value.items():
            self.check_order(inner, (*path, key))

    def test_keys_are_in_the_order_of_the_schema(self):
        for rig in ALL_RIGS:
            text = self.succeed("bake", rig, "--json", "-q", "-o", "{mesh}.pc2", "--method", "dqs",
                                "--profile", "unreal-4").out
            self.check_order(json.loads(text), ("",))

    def test_only_requested_sections_are_present(self):
        run = self.report(PRISM)["meshes"][0]["runs"][0]
        self.assertEqual(list(run), ORDER["runs"].split())
        self.assertEqual(list(run["error"]), ORDER["error"].split())
        self.assertNotIn("per_vertex", self.report(PRISM, "--per-vertex", "none")["meshes"][0]["runs"][0]["error"])
        self.assertNotIn("volume", self.report(PRISM, "--metrics", "error")["meshes"][0]["runs"][0])
        self.assertNotIn("error", self.report(PRISM, "--metrics", "volume")["meshes"][0]["runs"][0])

    def test_the_text_has_no_tabs_trailing_spaces_or_negative_zeros(self):
        text = self.succeed("bake", RIGS / "walker.glb", "--json", "-q").out
        self.assertTrue(text.endswith("}\n") and not text.endswith("\n\n"))
        self.assertNotIn("\r", text)
        self.assertNotIn("\t", text)
        self.assertNotRegex(text, r"[ \n]-0[,\]\n]")
        self.assertNotRegex(text, r" \n")
        for line in text.splitlines():
            self.assertEqual((len(line) - len(line.lstrip(" "))) % 2, 0)

    def test_numbers_round_trip(self):
        text = self.succeed("bake", PRISM, "--json", "-q", "--method", "dqs").out
        written = []
        json.loads(text, parse_float=lambda number: written.append(number) or float(number))
        for number in written:
            digits = lambda s: len(s.split("e")[0].replace("-", "").replace(".", "").strip("0"))
            self.assertLessEqual(digits(number), max(digits(repr(float(number))), 9), number)

    def test_a_report_contains_no_absolute_path_and_no_machine_data(self):
        rig = RIGS / "bent_arm.gltf"
        self.succeed("bake", rig.resolve(), "-q", "-o", self.folder / "x.pc2", "--report", self.folder / "r.json",
                     "--threads", "2")
        for name in ("r.json", "x.pc2.json"):
            text = self.read(name).decode()
            for word in (str(RIGS), str(SOURCE), str(self.folder), os.uname().nodename, "AVX", "thread"):
                self.assertFalse(word in text, f"{word} in {name}")
        report = self.json("r.json")
        self.assertEqual([i["path"] for i in report["inputs"]], ["bent_arm.gltf", "bent_arm.bin"])
        self.assertEqual([o["path"] for o in report["outputs"]], ["x.pc2"])

    def test_relative_paths_are_those_of_the_command_line(self):
        (self.folder / "in").mkdir()
        (self.folder / "out").mkdir()
        for suffix in (".gltf", ".bin"):
            shutil.copy((RIGS / "bent_arm").with_suffix(suffix), self.folder / "in")
        report = self.report("in/bent_arm.gltf", "-o", "out/../out/x.pc2")
        self.assertEqual(report["inputs"][0]["path"], "in/bent_arm.gltf")
        self.assertEqual(report["outputs"][0]["path"], "out/../out/x.pc2")


class Files(ReportTest):
    def xxh128(self, path):
        """The hash that xxhsum prints; None without xxhsum."""
        if shutil.which("xxhsum") is None:
            return None
        done = subprocess.run(["xxhsum", "-H128", str(path)], capture_output=True, text=True, timeout=60)
        return done.stdout.split()[0]

    def test_inputs_list_every_file_that_was_read(self):
        report = self.report(RIGS / "bent_arm.gltf")
        self.assertEqual([(i["role"], i["path"]) for i in report["inputs"]],
                         [("rig", "bent_arm.gltf"), ("buffer", "bent_arm.bin")])
        for entry in report["inputs"]:
            path = RIGS / entry["path"]
            self.assertEqual(entry["bytes"], path.stat().st_size)
            self.assertIn(self.xxh128(path), (None, entry["xxh128"]))

    def test_outputs_and_sidecars_describe_the_files(self):
        for rig in ALL_RIGS:
            report = self.report(rig, "-o", "{mesh}.pc2", "--method", "dqs", "--frames", "2:20:3")
            self.assertEqual(len(report["outputs"]), len(report["meshes"]))
            for output, mesh in zip(report["outputs"], report["meshes"]):
                path = self.folder / output["path"]
                sidecar = self.json(output["path"] + ".json")
                clip = report["clips"][0]
                self.assertEqual(output["bytes"], path.stat().st_size)
                self.assertIn(self.xxh128(path), (None, output["xxh128"]))
                self.assertEqual((sidecar["schema"], sidecar["schema_version"]), ("skinbake.cache", "1.0"))
                for key in ("bytes", "xxh128", "format", "clip", "method"):
                    self.assertEqual(sidecar[key], output[key])
                for key in ("inputs", "tool"):
                    self.assertEqual(sidecar[key], report[key])
                for key in ("fps", "first_frame", "frame_step", "frame_count"):
                    self.assertEqual(sidecar[key], clip[key])
                for key in ("id", "node", "node_name", "mesh_name", "vertex_count", "primitives"):
                    self.assertEqual(sidecar["mesh"][key], mesh[key])
                self.assertEqual((sidecar["file"], sidecar["space"], sidecar["unit"]), (path.name, "scene", "m"))
                self.assertEqual(Pc2(path.read_bytes()).points, mesh["vertex_count"])
                self.assertEqual(output["mesh"], mesh["id"])


class Numbers(ReportTest):
    def test_the_numbers_agree_with_each_other(self):
        for what, report in self.every_report():
            clip = report["clips"][0]
            for mesh in report["meshes"]:
                self.assertEqual(sum(p["vertex_count"] for p in mesh["primitives"]), mesh["vertex_count"], what)
                self.assertGreater(mesh["bbox_diagonal_m"], 0)
                for run in mesh["runs"]:
                    with self.subTest(f"{what} {mesh['id']}"):
                        self.assertEqual(run["frame_count"], clip["frame_count"])
                        self.check_error(run["error"], mesh, clip)
                        self.check_volume(run["volume"], mesh, clip, report["settings"]["baseline"])

    def at(self, place, clip):
        """The array index of a frame; checks its time."""
        self.assertAlmostEqual(place["time_s"], place["frame"] / clip["fps"], delta=1e-12)
        return (place["frame"] - clip["first_frame"]) // clip["frame_step"]

    def check_error(self, error, mesh, clip):
        frames = error["per_frame"]
        for name, values in frames.items():
            self.assertEqual(len(values), clip["frame_count"], name)
        for f in range(clip["frame_count"]):
            rms, mean, worst = frames["rms"][f], frames["mean"][f], frames["max"][f]
            self.assertLessEqual(0, mean)
            self.assertLessEqual(mean, rms * (1 + 1e-12))
            self.assertLessEqual(rms, worst * (1 + 1e-12))
            self.assertLessEqual(frames["p50"][f], frames["p95"][f])
            self.assertLessEqual(frames["p95"][f], frames["p99"][f])
            # percentiles may be computed from values rounded to float32
            self.assertLessEqual(frames["p99"][f], worst * (1 + 1e-6))
            self.assertTrue(0 <= frames["max_vertex"][f] < mesh["vertex_count"])
        self.assertEqual(error["max"], max(frames["max"]))
        first = frames["max"].index(error["max"])
        self.assertEqual(self.at(error["max_at"], clip), first)
        self.assertEqual(error["max_at"]["vertex"], frames["max_vertex"][first])
        squares = [r * r for r in frames["rms"]]
        self.assertAlmostEqual(error["rms"], math.sqrt(sum(squares) / len(squares)), delta=1e-9 * error["max"])
        self.assertAlmostEqual(error["mean"], sum(frames["mean"]) / len(squares), delta=1e-9 * error["max"])
        for name in ("rms", "max"):
            self.assertAlmostEqual(error[f"{name}_relative"], error[name] / mesh["bbox_diagonal_m"],
                                   delta=1e-12 * (1 + error[name]))
        self.check_vertices(error, mesh, clip)

    def check_vertices(self, error, mesh, clip):
        worst = error["worst_vertices"]
        self.assertEqual(len(worst), min(10, mesh["vertex_count"]))
        self.assertEqual([w["max"] for w in worst], sorted((w["max"] for w in worst), reverse=True))
        self.assertEqual((worst[0]["max"], worst[0]["vertex"]), (error["max"], error["max_at"]["vertex"]))
        for w in worst:
            part = mesh["primitives"][w["primitive"]]
            self.assertTrue(part["first_vertex"] <= w["vertex"] < part["first_vertex"] + part["vertex_count"])
        if "per_vertex" not in error:
            return
        vertices = error["per_vertex"]
        for name in ("rms", "max", "max_frame"):
            self.assertEqual(len(vertices[name]), mesh["vertex_count"])
        self.assertAlmostEqual(max(vertices["max"]), error["max"], delta=1e-6 * error["max"])
        total = math.sqrt(sum(r * r for r in vertices["rms"]) / mesh["vertex_count"])
        self.assertAlmostEqual(total, error["rms"], delta=1e-6 * error["max"])
        for v in range(mesh["vertex_count"]):
            self.assertLessEqual(vertices["rms"][v], vertices["max"][v] * (1 + 1e-6))
            self.assertTrue(clip["first_frame"] <= vertices["max_frame"][v])
        for w in worst:
            self.assertAlmostEqual(vertices["max"][w["vertex"]], w["max"], delta=1e-6 * w["max"])
            self.assertEqual(vertices["max_frame"][w["vertex"]], w["frame"])

    def check_volume(self, volume, mesh, clip, baseline):
        frames = volume["per_frame"]
        self.assertEqual([len(v) for v in frames.values()], [clip["frame_count"]] * 2)
        solid = [c["solid"] for c in mesh["topology"]["components"]]
        if not any(solid):  # without a solid component there is no volume
            self.assertEqual({x for values in frames.values() for x in values}, {None})
            self.assertEqual((volume["baseline"], volume["max_loss"], volume["min_loss"]), (None, None, None))
            return
        for v, loss in zip(frames["volume"], frames["loss"]):
            self.assertAlmostEqual(loss, 1 - v / volume["baseline"], delta=1e-12)
        self.assertEqual(volume["max_loss"], max(frames["loss"]))
        self.assertEqual(volume["min_loss"], min(frames["loss"]))
        self.assertEqual(self.at(volume["max_loss_at"], clip), frames["loss"].index(volume["max_loss"]))
        self.assertEqual(self.at(volume["min_loss_at"], clip), frames["loss"].index(volume["min_loss"]))
        if baseline == "first-frame":
            self.assertAlmostEqual(frames["loss"][0], 0, delta=1e-6)
        parts = [c["baseline"] for c in volume["components"]]
        self.assertAlmostEqual(sum(parts), volume["baseline"], delta=1e-9 * volume["baseline"])
        for part in volume["components"]:
            self.assertTrue(mesh["topology"]["components"][part["component"]]["solid"])
            self.at(part["max_loss_at"], clip)
        for joint in volume["joints"]:
            losses = joint["per_frame"]["loss"]
            self.assertEqual(len(losses), clip["frame_count"])
            self.assertEqual(joint["max_loss"], max(losses))
            self.assertEqual(self.at(joint["max_loss_at"], clip), losses.index(joint["max_loss"]))
            self.assertLessEqual(joint["triangle_count"], mesh["triangle_count"])

    def test_frame_numbers_refer_to_the_clip(self):
        report = self.report(PRISM, "--method", "dqs", "--frames", "10:20:5")
        clip, error = report["clips"][0], report["meshes"][0]["runs"][0]["error"]
        self.assertEqual((clip["first_frame"], clip["frame_step"], clip["frame_count"]), (10, 5, 3))
        self.assertEqual(error["max_at"]["frame"], 20)
        self.assertAlmostEqual(error["max_at"]["time_s"], 20 / 30)
        self.assertEqual(error["worst_vertices"][0]["frame"], 20)
        self.assertEqual(max(error["per_vertex"]["max_frame"]), 20)
        self.assertEqual(report["meshes"][0]["runs"][0]["volume"]["max_loss_at"]["frame"], 20)

    def test_settings_repeat_the_options(self):
        report = self.report(PRISM, "--fps", "24", "--frames", "0:9", "--loop", "--space", "mesh", "--baseline", "rest",
                             "--reference", "dqs")
        self.assertLessEqual({"fps": 24, "frames": "0:9", "loop": True, "space": "mesh", "baseline": "rest",
                              "reference": "dqs"}.items(), {k: v for k, v in report["settings"].items()
                                                            if not isinstance(v, list)}.items())

    def test_the_default_reference_is_exact_for_lbs_and_lbs_for_others(self):
        for method, reference in (("lbs", "exact"), ("dqs", "lbs")):
            report = self.report(PRISM, "--method", method)
            self.assertEqual(report["settings"]["reference"], reference)
            self.assertEqual(report["meshes"][0]["runs"][0]["error"]["reference"], reference)

    def test_float_lanes_are_close_to_the_double_reference(self):
        for rig in ALL_RIGS:
            for method in METHODS:
                for mesh in self.report(rig, "--method", method, "--reference", "exact")["meshes"]:
                    error = mesh["runs"][0]["error"]
                    # of the greatest coordinate, about 2 m: a float32 has seven digits
                    self.assertLess(error["max"], 1e-6, f"{rig.name} {method} {mesh['id']}")

    def test_a_method_against_itself_has_no_error(self):
        for method in METHODS:
            run = self.report(RIGS / "bent_tube.glb", "--method", method, "--reference", method)["meshes"][0]["runs"][0]
            self.assertEqual((run["error"]["max"], run["error"]["rms"]), (0, 0))

    def test_the_volume_loss_of_the_twisted_tube_follows_its_formula(self):
        report = self.report(RIGS / "twisted_tube.gltf", "--baseline", "first-frame")
        loss = report["meshes"][0]["runs"][0]["volume"]["per_frame"]["loss"]
        for frame, value in enumerate(loss):
            angle = math.pi * frame / 30
            self.assertAlmostEqual(value, (1 - math.cos(angle)) / 3, delta=2e-3)


class Thresholds(ReportTest):
    def verdict(self, code, *options, rig=PRISM):
        done = self.run_program("bake", rig, "--method", "dqs", "--json", *options)
        self.assertEqual(done.code, code, done)
        return strict_json(done.out)["verdict"], done.err

    def test_without_thresholds_the_verdict_is_none(self):
        self.assertEqual(self.verdict(0)[0], {"status": "none", "checks": []})

    def test_a_limit_is_kept_or_exceeded(self):
        worst = {"error.max": 0.07322331096150825, "error.rms": 0.019642546010498266,
                 "volume.max_loss": 0.14644656830708058}
        for name, value in worst.items():
            for severity, exceeded, code in (("fail", "fail", 1), ("warn", "warn", 0)):
                verdict, err = self.verdict(0, f"--{severity}", f"{name}={value * 1.01}")
                check = verdict["checks"][0]
                self.assertEqual((verdict["status"], check["passed"], check["failures"]), ("pass", True, 0))
                self.assertNotIn("exceeded", err)
                verdict, err = self.verdict(code, f"--{severity}", f"{name}={value * 0.99}")
                check = verdict["checks"][0]
                self.assertEqual((verdict["status"], check["passed"], check["failures"]), (exceeded, False, 1))
                self.assertIn(f"{name} at most ", err)
                self.assertEqual((check["key"], check["severity"], check["mesh"], check["clip"], check["method"]),
                                 (name, severity, "prism", "bend", "dqs"))
                self.assertAlmostEqual(check["value"], value, delta=1e-6)
                if "rms" not in name:
                    self.assertEqual(check["at"]["frame"], 30)

    def test_a_value_equal_to_its_limit_is_kept(self):
        value = self.verdict(0, "--fail", "error.max=1")[0]["checks"][0]["value"]
        self.assertEqual(self.verdict(0, "--fail", f"error.max={value!r}")[0]["status"], "pass")
        self.assertEqual(self.verdict(1, "--fail", f"error.max={math.nextafter(value, 0)!r}")[0]["status"], "fail")

    def test_a_limit_may_be_a_percentage(self):
        self.assertEqual(self.verdict(0, "--fail", "volume.max_loss=15%")[0]["checks"][0]["limit"], 0.15)
        self.assertEqual(self.verdict(1, "--fail", "volume.max_loss=14%")[0]["status"], "fail")
        self.assertEqual(self.verdict(0, "--fail", "error.max=3.5%")[0]["status"], "pass")

    def test_the_worst_value_decides(self):
        kept, warned, failed = ("--fail", "error.rms=1"), ("--warn", "error.max=0.01"), ("--fail", "volume.max_loss=1%")
        self.assertEqual(self.verdict(0, *kept, *warned)[0]["status"], "warn")
        verdict, _ = self.verdict(1, *kept, *warned, *failed)
        self.assertEqual(verdict["status"], "fail")
        self.assertEqual([c["passed"] for c in verdict["checks"]], [True, False, False])

    def test_a_metric_may_have_a_warning_and_a_limit(self):
        verdict, _ = self.verdict(0, "--warn", "error.max=0.01", "--fail", "error.max=0.1")
        self.assertEqual((verdict["status"], len(verdict["checks"])), ("warn", 2))

    def test_every_mesh_is_checked_and_the_worst_is_named(self):
        verdict, err = self.verdict(1, "--fail", "error.max=1e-12", rig=RIGS / "walker.glb")
        check = verdict["checks"][0]
        self.assertEqual(check["mesh"], "Body")
        self.assertIn("'Body'", err)
        self.assertGreaterEqual(check["failures"], 1)

    def test_a_threshold_measures_the_metric_that_it_needs(self):
        self.assertEqual(self.verdict(1, "--metrics", "error", "--fail", "volume.max_loss=1%")[0]["status"], "fail")
        self.assertEqual(self.verdict(1, "--metrics", "volume", "--fail", "error.max=1e-9")[0]["status"], "fail")
        done = self.run_program("bake", PRISM, "--method", "dqs", "-o", "x.pc2", "--fail", "error.max=1e-9")
        self.assertEqual(done.code, 1)

    def test_a_mesh_without_a_volume_is_an_issue(self):
        flat = write_rig(self.folder / "r.gltf", ["a"], shape=TRIANGLE)
        done = self.run_program("bake", flat, "--json", "--fail", "volume.max_loss=50%")
        self.assertEqual(done.code, 1, "no selected mesh applies: the check fails")
        report = strict_json(done.out)
        self.assertEqual((report["verdict"]["status"], report["verdict"]["checks"][0]["passed"]), ("fail", False))
        self.assertTrue(report["issues"], "says why there is no volume")
        self.assertIn("volume.max_loss at most 50 %: not measured", done.err)

    def test_one_mesh_with_a_volume_is_sufficient(self):
        document = json.loads(write_rig(self.folder / "r.gltf", ["solid", "flat"]).read_text())
        flat = json.loads(write_rig(self.folder / "f.gltf", ["x"], shape=TRIANGLE).read_text())
        views, accessors = len(document["bufferViews"]), len(document["accessors"])
        document["buffers"].append(flat["buffers"][0])
        document["bufferViews"] += [{**view, "buffer": 1} for view in flat["bufferViews"][:2]]
        document["accessors"] += [{**a, "bufferView": views + i} for i, a in enumerate(flat["accessors"][:2])]
        document["meshes"].append({"primitives": [{"attributes": {"POSITION": accessors}, "indices": accessors + 1}]})
        document["nodes"][1]["mesh"] = 1
        (self.folder / "r.gltf").write_text(json.dumps(document))
        done = self.succeed("bake", "r.gltf", "--json", "--fail", "volume.max_loss=50%")
        report = strict_json(done.out)
        self.assertEqual(report["verdict"]["status"], "pass")
        self.assertEqual(report["verdict"]["checks"][0]["mesh"], "solid")
        self.assertTrue(report["issues"])


if __name__ == "__main__":
    main()
