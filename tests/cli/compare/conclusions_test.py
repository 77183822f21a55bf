#!/usr/bin/env python3
"""compare: what follows from the measurements: ranking, limits, causes of the worst errors, a recommendation."""

import math
import re
import xml.etree.ElementTree

from compare_case import ARM, TUBE, WALKER, CompareTest
from support import SHARED_MODELS, TRIANGLE, main, strict_json, write_rig


class Ranking(CompareTest):
    def test_the_best_is_first(self):
        rows = self.table(TUBE, "--method", "lbs", "--method", "dqs", "--baseline", "first-frame")
        self.assertEqual([row[0] for row in rows], ["method", "dqs", "lbs"])
        run = self.compared(TUBE, "--method", "lbs", "--baseline", "first-frame")["meshes"][0]["runs"][0]
        self.assertIn(f"{100 * run['volume']['max_loss']:.2f}", rows[2])

    def test_a_reference_outside_the_list_ranks_by_error(self):
        done = self.succeed("compare", ARM, "--method", "lbs", "--method", "dqs", "--method", "cor", "--reference", "sbs")
        self.assertIn("least rms error", done.out)
        rms = [float(line.split()[2]) for line in done.out.splitlines()[2:]]
        self.assertEqual(rms, sorted(rms))
        self.assertEqual(len(rms), 3)

    def test_equal_methods_are_ranked_by_cost(self):
        rows = self.table(WALKER, "--mesh", "Lantern", "--method", "cor", "--method", "dqs", "--method", "lbs")
        self.assertEqual([row[0] for row in rows[1:]], ["lbs", "dqs", "cor"])

    def test_a_mesh_that_every_method_changes_alike_does_not_affect_the_ranking(self):
        out = self.succeed("compare", WALKER, "--method", "lbs", "--method", "cor", "--method", "dqs").out
        last = out[out.index("all of 3 meshes"):].splitlines()[3:]
        self.assertEqual([line.split()[0] for line in last][-1], "lbs")

    def test_the_table_agrees_with_the_report(self):
        rows = self.table(ARM, "--method", "lbs", "--method", "dqs")
        run = next(r for r in self.compared(ARM, "--method", "lbs", "--method", "dqs")["meshes"][0]["runs"] if r["method"] == "dqs")
        cells = next(row for row in rows if row[0] == "dqs")
        error, volume = run["error"], run["volume"]
        worst = max(volume["joints"], key=lambda joint: joint["max_loss"])
        self.assertEqual(cells[2:], [f"{error['rms']:.3g}", f"{error['max']:.3g}", str(error["max_at"]["vertex"]),
                                     str(error["max_at"]["frame"]), f"{100 * volume['max_loss']:.2f}", "%",
                                     str(volume["max_loss_at"]["frame"]), f"{-100 * volume['min_loss']:.2f}", "%",
                                     worst["joint"], f"{100 * worst['max_loss']:.2f}", "%",
                                     str(worst["max_loss_at"]["frame"])])

    def test_a_mesh_without_a_volume_has_dashes_in_the_table(self):
        flat = write_rig(self.folder / "r.gltf", ["a"], shape=TRIANGLE)
        rows = self.table(flat, "--method", "lbs", "--method", "dqs")
        self.assertEqual(rows[1][6:], ["-"] * 5)

    def test_without_errors_and_volumes_no_measure_is_claimed(self):
        out = self.succeed("compare", TUBE, "--method", "dqs", "--method", "lbs", "--metrics", "edge_stretch").out
        self.assertRegex(out, r"^tube, twist, \d+ frames; cheapest first\n")
        self.assertEqual([line.split()[0] for line in out.splitlines()[2:4]], ["lbs", "dqs"])
        self.assertNotIn("best first", out)

    def test_many_meshes_and_clips_give_one_table(self):
        rig = write_rig(self.folder / "r.gltf", ["a", "b", "c"], clips=("x", "y", "z"))
        out = self.succeed("compare", rig, "--clip", "all", "--method", "lbs", "--method", "dqs").out
        self.assertEqual(len(out.splitlines()), 5)
        self.assertIn("every other column of the mesh and clip where it is worst", out.splitlines()[1])
        self.assertTrue(out.startswith("all of 3 meshes and 3 clips"))
        few = self.succeed("compare", rig, "--clip", "x", "--method", "lbs", "--method", "dqs").out
        self.assertEqual(few.count("best first"), 4)

    def test_overall_numbers_combine_those_of_the_runs(self):
        out = self.succeed("compare", WALKER, "--method", "lbs", "--method", "dqs").out
        meshes = self.compared(WALKER, "--method", "lbs", "--method", "dqs")["meshes"]
        runs = [(mesh["vertex_count"], mesh["runs"][1]["error"]) for mesh in meshes]
        rms = math.sqrt(sum(n * e["rms"] ** 2 for n, e in runs) / sum(n for n, _ in runs))
        cells = next(line for line in out.splitlines()[-2:] if line.startswith("dqs")).split()
        self.assertEqual(cells[2:4], [f"{rms:.3g}", f"{max(e['max'] for _, e in runs):.3g}"])


class Verdicts(CompareTest):
    def test_the_method_that_exceeds_a_limit_is_named(self):
        done = self.run_program("compare", TUBE, "--method", "dqs", "--method", "lbs", "--method", "cor", "--fail", "volume.max_loss=5%", "--json")
        self.assertEqual(done.code, 1, done)
        check, = strict_json(done.out)["verdict"]["checks"]
        self.assertEqual((check["method"], check["failures"], check["passed"]), ("lbs", 1, False))
        self.assertEqual([(of["method"], of["passed"]) for of in check["methods"]],
                         [("lbs", False), ("cor", True), ("dqs", True)])
        self.assertIn("lbs", [line for line in done.err.splitlines() if "exceeded" in line][0])

    def test_every_method_that_exceeds_a_limit_is_named_the_worst_first(self):
        done = self.run_program("compare", ARM, "--method", "dqs", "--method", "lbs", "--method", "cor", "--fail", "volume.max_loss=0.1%", "--warn", "error.max=9",
                                "--report", "m.json", "--report", "m.xml", "--report", "m.md", "--report", "m.html")
        self.assertEqual(done.code, 1, done)
        report = self.json("m.json")
        check = next(check for check in report["verdict"]["checks"] if check["severity"] == "fail")
        runs = sorted(report["meshes"][0]["runs"], key=lambda run: -run["volume"]["max_loss"])
        self.assertEqual([(of["method"], of["value"], of["passed"], of["failures"]) for of in check["methods"]],
                         [(run["method"], run["volume"]["max_loss"], False, 1) for run in runs])
        self.assertEqual((check["method"], check["value"], check["failures"]), ("lbs", runs[0]["volume"]["max_loss"], 3))
        line, = (line for line in done.err.splitlines() if "exceeded" in line)
        self.assertRegex(line, r"exceeded 3 times, by lbs \(\S+ %\), cor \(\S+ %\), dqs \(\S+ %\); worst: \S+ % in mesh 'arm'")
        suite = xml.etree.ElementTree.parse(self.folder / "m.xml").getroot()[0]
        self.assertEqual((suite.get("tests"), suite.get("failures")), ("6", "3"))
        for case in suite.iter("testcase"):
            run, limit = case.get("name").split(": ")
            method = run.split(", ")[-1]
            self.assertIn(method, ("lbs", "dqs", "cor"))
            self.assertEqual(case.find("failure") is not None, limit == "volume.max_loss at most 0.1 %")
        self.assertRegex(self.read("m.md").decode(), "`exceeded 3 times, by lbs, cor, dqs`\n")
        rows = re.findall(r'<tr><td><span class="verdict (\w+)">', self.read("m.html").decode())
        self.assertEqual(rows, ["fail", "pass", "fail", "fail", "fail"])  # the limits, the runs

    def test_a_volume_that_was_not_measured_is_not_a_number(self):
        flat = write_rig(self.folder / "r.gltf", ["a"], shape=TRIANGLE)
        done = self.run_program("compare", flat, "--method", "lbs", "--method", "dqs", "--fail", "volume.max_loss=5%", "--warn", "volume.max_loss=1%", "--report", "m.xml", "--report", "m.md", "--report", "m.html")
        self.assertEqual(done.code, 1, done)
        why = "no part of a selected mesh is closed or nearly so"
        self.assertIn(f"error: volume.max_loss at most 5 %: not measured: {why}\n", done.err)
        texts = [case.find("system-out").text for case in xml.etree.ElementTree.parse(self.folder / "m.xml").iter("testcase")]
        self.assertEqual(texts, ["not measured", "warning: limit exceeded: not measured"])
        self.assertIn("`volume.max_loss at most 5 %`: `not measured`\n", self.read("m.md").decode())
        for name in ("m.md", "m.html", "m.xml"):
            self.assertNotIn("not a number", self.read(name).decode())

    def test_a_method_within_the_limit_passes(self):
        report = self.compared(TUBE, "--method", "dqs", "--method", "cor", "--fail", "volume.max_loss=5%")
        self.assertEqual(report["verdict"]["status"], "pass")

    def test_a_warning_does_not_fail(self):
        report = self.compared(TUBE, "--method", "lbs", "--method", "dqs", "--warn", "volume.max_loss=5%")
        self.assertEqual(report["verdict"]["status"], "warn")


class Explain(CompareTest):
    def test_the_twisted_tube_is_explained(self):
        report = self.compared(TUBE, "--method", "dqs", "--method", "lbs", "--explain", "3")
        self.assertEqual([e["method"] for e in report["explain"]], ["lbs"] * 3, "dqs is its own reference")
        worst = report["explain"][0]
        error = report["meshes"][0]["runs"][1]["error"]
        self.assertEqual((worst["vertex"], worst["frame"], worst["error_m"]),
                         (error["max_at"]["vertex"], error["max_at"]["frame"], error["max"]))
        self.assertAlmostEqual(worst["widest"]["angle_rad"], math.pi * worst["frame"] / 30, delta=1e-6)
        self.assertAlmostEqual(sum(i["weight"] for i in worst["influences"]), 1)
        self.assertEqual((worst["influences"][0]["angle_rad"], worst["influences"][0]["flipped"]), (0, False))
        self.assertRegex(worst["cause"], r"180 degrees apart, have 50 % and 50 % of the vertex: linear blending collapses it")

    def test_the_worst_vertices_are_explained_in_descending_order(self):
        report = self.compared(ARM, "--method", "lbs", "--method", "dqs", "--method", "cor", "--explain", "12", "--per-vertex", "json")
        for run in report["meshes"][0]["runs"][1:]:
            largest = sorted((e for e in run["error"]["per_vertex"]["max"]), reverse=True)[:12]
            mine = [e for e in report["explain"] if e["method"] == run["method"]]
            self.assertEqual([round(e["error_m"], 7) for e in mine], [round(e, 7) for e in largest])
            for e in mine:
                self.assertEqual(e["frame"], run["error"]["per_vertex"]["max_frame"][e["vertex"]])

    def test_an_explanation_also_has_the_vertex_index_in_its_primitive(self):
        report = self.compared(WALKER, "--method", "lbs", "--method", "dqs", "--mesh", "Body", "--explain", "50")
        first = [p["first_vertex"] for p in report["meshes"][0]["primitives"]]
        self.assertEqual({e["primitive"] for e in report["explain"]} - set(range(len(first))), set())
        for e in report["explain"]:
            self.assertEqual(first[e["primitive"]] + e["primitive_vertex"], e["vertex"])

    def test_split_vertices_are_explained_once_with_their_copies(self):
        rig = SHARED_MODELS / "CesiumMan.glb"
        if not rig.exists():
            self.skipTest(f"no {rig}")
        report = self.compared(rig, "--method", "lbs", "--method", "dqs", "--frames", "0:10", "--explain", "40", "--per-vertex", "json")
        errors = report["meshes"][0]["runs"][1]["error"]["per_vertex"]["max"]
        seen = set()
        for e in report["explain"]:
            copies = e.get("copies", [])
            self.assertEqual(sorted(set(copies) - {e["vertex"]}), copies)
            self.assertEqual({errors[v] for v in copies} | {errors[e["vertex"]]}, {errors[e["vertex"]]})
            self.assertEqual(seen & {e["vertex"], *copies}, set())
            seen |= {e["vertex"], *copies}
        self.assertEqual(len(report["explain"]), 40)
        self.assertGreater(len(seen), 40)
        out = self.succeed("compare", rig, "--method", "lbs", "--method", "dqs", "--frames", "0:10", "--explain", "40").out
        self.assertIn("; split, also ", out)

    def test_explanations_are_printed(self):
        out = self.succeed("compare", TUBE, "--method", "dqs", "--method", "lbs", "--explain", "1").out
        self.assertIn("linear blending collapses it", out)
        self.assertRegex(out, r"0\.5\d*  joint_\d  0\.0°")

    def test_explain_measures_the_error(self):
        report = self.compared(TUBE, "--method", "dqs", "--method", "lbs", "--explain", "1", "--metrics", "volume")
        self.assertEqual([e["method"] for e in report["explain"]], ["lbs"])

    def test_a_method_without_errors_has_no_explanations(self):
        self.assertNotIn("explain", self.compared(ARM, "--method", "lbs", "--explain", "5"))

    def test_an_invalid_number_of_explanations_is_refused(self):
        for number in ("0", "-1", "x", "1001"):
            self.fail_with(2, "compare", ARM, "--explain", number, naming="--explain")


class Recommend(CompareTest):
    ALL = ("--method", "all", "--recommend")

    def test_the_cheapest_method_within_the_limit_is_recommended(self):
        chosen = self.compared(TUBE, *self.ALL, "--fail", "volume.max_loss=5%")["recommendation"]
        self.assertEqual(chosen["method"], "dqs")
        costs = [c["cost"] for c in chosen["candidates"]]
        self.assertEqual(costs, sorted(costs))
        self.assertEqual(chosen["limits"], [{"key": "volume.max_loss", "limit": 0.05, "unit": "1"}])
        for candidate in chosen["candidates"]:
            self.assertEqual(candidate["within"], candidate["values"][0]["value"] <= 0.05)
        self.assertEqual(self.compared(TUBE, *self.ALL, "--fail", "volume.max_loss=70%")["recommendation"]["method"], "lbs")

    def test_the_table_marks_pareto_optimal_methods(self):
        candidates = self.compared(ARM, *self.ALL, "--fail", "volume.max_loss=2%")["recommendation"]["candidates"]
        points = {c["method"]: (c["cost"], c["values"][0]["value"]) for c in candidates}
        for c in candidates:
            (mine, loss), rounding = points[c["method"]], 1e-6
            dominated = any(cost <= mine and other <= loss + rounding and (cost < mine or other < loss - rounding)
                            for cost, other in points.values())
            self.assertEqual(c["pareto"], not dominated, c)
        self.assertTrue(candidates[0]["pareto"])

    def test_a_recommendation_may_have_several_limits(self):
        report = self.compared(TUBE, *self.ALL, "--reference", "dqs", "--fail", "volume.max_loss=5%", "--fail", "error.max=0.1", "--fail", "error.rms=0.01")
        self.assertEqual(report["recommendation"]["method"], "dqs")
        self.assertEqual(len(report["recommendation"]["candidates"][0]["values"]), 3)

    def test_no_method_within_the_limits_exits_1(self):
        report = self.compared(TUBE, "--method", "lbs", "--recommend", "--fail", "volume.max_loss=5%", code=1)
        self.assertIsNone(report["recommendation"]["method"])
        done = self.run_program("compare", TUBE, "--method", "lbs", "--recommend", "--fail", "volume.max_loss=5%")
        self.assertEqual(done.code, 1)
        self.assertIn("no method is within volume.max_loss at most 5 %; lbs comes nearest, with volume.max_loss ", done.out)
        nearest = report["recommendation"]["nearest"]
        self.assertEqual((nearest["method"], nearest["metric"]), ("lbs", "volume.max_loss"))
        self.assertGreater(nearest["worst"]["value"], 0.05)
        self.assertIn("--recommend", done.err)

    def test_a_value_that_was_not_measured_is_not_within_a_limit(self):
        flat = write_rig(self.folder / "r.gltf", ["a"], shape=TRIANGLE)
        report = self.compared(flat, "--recommend", "--fail", "volume.max_loss=5%", code=1)
        self.assertEqual(report["recommendation"]["candidates"][0]["values"], [{"value": None}])
        self.assertEqual(report["recommendation"]["unmeasured"], ["volume.max_loss"])

    def test_a_mesh_without_a_volume_does_not_fail_a_limit_of_the_volume(self):
        flat = write_rig(self.folder / "r.gltf", ["a"], shape=TRIANGLE)
        report = self.compared(flat, "--recommend", "--fail", "volume.max_loss=5%", "--fail", "error.max=10")
        self.assertEqual(report["recommendation"]["method"], "lbs")
        self.assertEqual(report["recommendation"]["unmeasured"], ["volume.max_loss"])

    def test_limits_measure_the_metrics_that_they_need(self):
        report = self.compared(TUBE, "--metrics", "error", "--recommend", "--fail", "volume.max_loss=5%")
        self.assertEqual(report["recommendation"]["method"], "dqs")

    def test_recommend_needs_limits_of_all_methods(self):
        self.fail_with(2, "compare", TUBE, "--recommend", naming="--fail volume.max_loss")
        self.fail_with(2, "compare", TUBE, "--recommend", "--fail", "error.max=1@dqs", naming=("--fail", "'dqs' alone"))
        self.fail_with(2, "compare", TUBE, "--recommend", "--fail", "error.max=1,share=5%", naming="a share")

    def test_the_limits_of_a_recommendation_do_not_judge_the_run(self):
        report = self.compared(TUBE, *self.ALL, "--fail", "volume.max_loss=5%", "--warn", "volume.max_loss=1%")
        self.assertEqual([check["severity"] for check in report["verdict"]["checks"]], ["warn"])


if __name__ == "__main__":
    main()
