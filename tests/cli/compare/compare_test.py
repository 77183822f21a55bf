#!/usr/bin/env python3
"""compare: every method gives the result of a bake with that method; ranking, limits, references, caches."""

import json
import math
import os
import re
import xml.etree.ElementTree

from report_schema import schema_errors
from support import ALL_RIGS, RIGS, SHARED_MODELS, TRIANGLE, CliTest, Pc2, main, strict_json, write_rig

ARM = RIGS / "bent_arm.gltf"
TUBE = RIGS / "twisted_tube.gltf"
PRISM = RIGS / "two_joints.gltf"
WALKER = RIGS / "walker.glb"


class CompareTest(CliTest):
    def compared(self, rig, *options, code=0):
        done = self.run_program("compare", rig, "--json", "-q", *options)
        self.assertEqual(done.code, code, done)
        return strict_json(done.out)

    def methods_of(self, *options, rig=PRISM):
        return [run["method"] for run in self.compared(rig, *options)["meshes"][0]["runs"]]

    def table(self, *options, code=0):
        """Rows of the only table, [[cell, …], …], without its title."""
        done = self.run_program("compare", *options)
        self.assertEqual(done.code, code, done)
        return [line.split() for line in done.out.splitlines()[1:]]


class OnePass(CompareTest):
    METHODS = ("lbs", "dqs:sign=first", "cor", "dm:base=dqs")

    def test_every_run_equals_a_bake_of_its_method(self):
        for rig in ALL_RIGS:
            for baseline in ("bind", "rest", "first-frame"):
                common = ("--baseline", baseline, "--frames", "0:20", "--per-vertex", "json")
                compared = self.compared(rig, "--methods", ",".join(self.METHODS), *common)
                for place, method in enumerate(self.METHODS):
                    alone = strict_json(self.succeed("bake", rig, "--method", method, "--reference", "lbs", "--json",
                                                     "-q", *common).out)
                    for mesh, other in zip(compared["meshes"], alone["meshes"], strict=True):
                        self.assertEqual(mesh["runs"][place], other["runs"][0], f"{rig.name} {baseline} {method}")

    def test_caches_equal_those_of_bake(self):
        self.compared(WALKER, "--methods", "dqs,cor", "-o", "c.{mesh}.{method}.pc2")
        for method in ("dqs", "cor"):
            self.succeed("bake", WALKER, "--method", method, "-o", "b.{mesh}.{method}.pc2", "-q")
        names = [name for name in self.files() if name.startswith("c.") and name.endswith(".pc2")]
        self.assertEqual(len(names), 6)
        for name in names:
            self.assertEqual(self.read(name), self.read("b" + name[1:]))
            self.assertIn(self.json(name + ".json")["method"], ("dqs", "cor"))

    def test_outputs_in_the_report_name_mesh_and_method(self):
        report = self.compared(WALKER, "--methods", "dqs,lbs", "-o", "{mesh}.{method}.pc2")
        self.assertEqual([(o["mesh"], o["method"]) for o in report["outputs"]],
                         [(mesh["id"], method) for mesh in report["meshes"] for method in ("dqs", "lbs")])
        for output in report["outputs"]:
            self.assertEqual(output["path"], f"{output['mesh']}.{output['method']}.pc2")
            self.assertEqual(self.json(output["path"] + ".json")["xxh128"], output["xxh128"])

    PROFILES = ("--profile", "unity-1", "--profile", "unreal-4")

    def test_profiles_are_measured_against_the_unmodified_rig(self):
        report = self.compared(WALKER, "--methods", "lbs,sbs+", *self.PROFILES, "-o", "c.{mesh}.{method}.pc2")
        names = ["lbs", "lbs@unity-1", "lbs@unreal-4", "sbs+", "sbs+@unity-1", "sbs+@unreal-4"]
        self.assertEqual(report["settings"]["profiles"], ["unity-1", "unreal-4"])
        self.assertEqual(report["settings"]["modifiers"], [])
        for mesh in report["meshes"]:
            self.assertEqual([(r["method"], r.get("profile")) for r in mesh["runs"]],
                             [(n, n.partition("@")[2] or None) for n in names])
            self.assertEqual([m["modifier"] for m in mesh["modifiers"]], ["profile=unity-1", "profile=unreal-4"])
        self.assertEqual([o["method"] for o in report["outputs"]], names * len(report["meshes"]))
        # The frames are those of a bake with that profile; the errors refer to the unmodified rig.
        for name in names:
            method, _, profile = name.partition("@")
            options = ("--profile", profile) if profile else ()
            self.succeed("bake", WALKER, "--method", method, *options, "-o", f"b.{{mesh}}.{name}.pc2", "-q")
            for mesh in report["meshes"]:
                self.assertEqual(self.read(f"b.{mesh['id']}.{name}.pc2"), self.read(f"c.{mesh['id']}.{name}.pc2"))
                of_cache = self.json(f"c.{mesh['id']}.{name}.pc2.json")
                self.assertEqual(of_cache, {**self.json(f"b.{mesh['id']}.{name}.pc2.json"), "file": of_cache["file"]})
                run = next(r for r in mesh["runs"] if r["method"] == name)
                found = strict_json(self.run_program(
                    "diff", f"b.{mesh['id']}.lbs.pc2", f"c.{mesh['id']}.{name}.pc2", "--json", "-q").out)
                self.assertEqual(found["meshes"][0]["runs"][0]["error"]["max"], run["error"]["max"])
        worst = max(r["error"]["max"] for m in report["meshes"] for r in m["runs"] if r.get("profile") == "unity-1")
        self.assertGreater(worst, 1e-3)

    def test_a_profile_combines_with_every_reference_and_option(self):
        options = ("--methods", "dqs,ddm", *self.PROFILES, "--frames", "0:8")
        exact = self.compared(ARM, *options, "--reference", "exact", "--baseline", "first-frame",
                              "--metrics", "all", "--verify", "-o", "{method}.npy")
        for run in exact["meshes"][0]["runs"]:
            self.assertLess(run["error"]["max"], 1e-5, run["method"])
        self.assertEqual(len(exact["verification"]), 6)
        texts = {self.succeed("compare", ARM, *options, "--json", "-q", "--threads", n).out for n in (1, 2, 5)}
        self.assertEqual(len(texts), 1)

    def test_limits_ranking_and_causes_name_the_profile(self):
        done = self.run_program("compare", ARM, "--methods", "lbs", *self.PROFILES, "--fail-max", "1e-3",
                                "--explain", "1", "--recommend", "--max-error", "1e-3", "--report", "r.json")
        self.assertEqual(done.code, 1, done)
        self.assertIn("lbs@unity-1", done.err)
        report = self.json("r.json")
        self.assertEqual(report["verdict"]["checks"][0]["method"], "lbs@unity-1")
        explained = {e["method"]: e for e in report["explain"]}
        self.assertEqual(len(explained["lbs@unity-1"]["influences"]), 1)
        self.assertEqual({c["method"] for c in report["recommendation"]["candidates"]},
                         {"lbs", "lbs@unity-1", "lbs@unreal-4"})
        self.assertEqual(report["recommendation"]["method"], "lbs")

    def test_a_profile_twice_is_a_usage_error(self):
        done = self.run_program("compare", ARM, "--profile", "unity-1", "--profile", "unity-1")
        self.assertEqual(done.code, 2, done)
        self.assertIn("unity-1 is given twice", done.err)

    def test_without_an_output_nothing_is_written(self):
        report = self.compared(ARM, "--methods", "lbs,dqs")
        self.assertEqual(self.files(), {})
        self.assertNotIn("outputs", report)

    def test_the_same_bytes_at_every_number_of_threads(self):
        texts = {self.succeed("compare", ARM, "--methods", "all", "--json", "-q", "--threads", n, "--per-vertex", "json").out
                 for n in (1, 2, 5)}
        self.assertEqual(len(texts), 1)

    def test_runs_are_by_clip_and_then_by_method(self):
        rig = write_rig(self.folder / "r.gltf", ["a"], clips=("x", "y"))
        report = self.compared(rig, "--clip", "all", "--methods", "dqs,lbs")
        self.assertEqual([(r["clip"], r["method"]) for r in report["meshes"][0]["runs"]],
                         [("x", "dqs"), ("x", "lbs"), ("y", "dqs"), ("y", "lbs")])


class Methods(CompareTest):
    def test_an_element_with_a_value_belongs_to_the_method_before_it(self):
        self.assertEqual(self.methods_of("--methods", "dqs:sign=first,scale=vertex,cor"),
                         ["dqs:sign=first,scale=vertex", "cor"])
        self.assertEqual(self.methods_of("--methods", "dm:base=dqs,dqs:sign=first"), ["dm:base=dqs", "dqs:sign=first"])
        self.assertEqual(self.methods_of("--methods", "dqs:sign=max-weight,cor"), ["dqs", "cor"])

    def test_all_selects_every_method(self):
        listed = [m["id"] for m in strict_json(self.succeed("list", "methods", "--json").out)["methods"]]
        self.assertEqual(self.methods_of("--methods", "all"), listed)
        self.assertEqual(self.methods_of("--methods", "dqs:sign=first,all"), ["dqs:sign=first", *listed])
        self.assertEqual(self.methods_of("--methods", "cor,all"), ["cor", *[m for m in listed if m != "cor"]])

    def test_the_default_is_two_methods(self):
        self.assertEqual(self.methods_of(), ["lbs", "dqs"])

    def test_wrong_methods_are_named(self):
        for methods, words in (("dqs,nonsense", "nonsense"), ("dqs,,lbs", "no method ''"), ("", "no method ''"),
                               ("dqs,dqs", "twice"), ("dqs,dqs:sign=max-weight", "twice"), ("all,all", "twice"),
                               ("sign=first,dqs", "sign=first"), ("dqs:sign=sideways,lbs", "sideways")):
            self.fail_with(2, "compare", PRISM, "--methods", methods, naming=words)

    def test_several_methods_need_a_placeholder_in_an_output(self):
        self.fail_with(2, "compare", PRISM, "--methods", "lbs,dqs", "-o", "x.pc2", naming="{method}")
        self.succeed("compare", PRISM, "--methods", "dqs", "-o", "x.pc2")


class References(CompareTest):
    def error(self, report, method):
        run, = (run for run in report["meshes"][0]["runs"] if run["method"] == method)
        return run["error"]

    def test_the_default_reference_is_the_first_method(self):
        report = self.compared(ARM, "--methods", "cor,lbs,dqs")
        self.assertEqual(report["settings"]["reference"], "cor")
        self.assertEqual(self.error(report, "cor")["max"], 0)
        self.assertGreater(self.error(report, "lbs")["max"], 1e-3)

    def test_the_reference_may_be_another_method(self):
        report = self.compared(ARM, "--methods", "lbs,dqs", "--reference", "cor")
        self.assertEqual(self.error(report, "dqs")["reference"], "cor")
        both = self.compared(ARM, "--methods", "lbs,dqs,cor", "--reference", "cor")
        self.assertEqual(self.error(report, "dqs"), self.error(both, "dqs"))

    def test_exact_measures_each_method_against_itself_in_double(self):
        report = self.compared(ARM, "--methods", "lbs,dqs,cor", "--reference", "exact")
        for method in ("lbs", "dqs", "cor"):
            self.assertLess(self.error(report, method)["max"], 2e-6)
            self.assertGreater(self.error(report, method)["max"], 0)


class CacheReferences(CompareTest):
    def golden(self, rig=ARM, *options):
        self.succeed("bake", rig, "-q", "-o", "golden.{mesh}.pc2", *options)

    def test_a_reference_cache_of_the_same_method_has_no_error(self):
        self.golden(ARM, "--method", "dqs")
        report = self.compared(ARM, "--methods", "dqs,lbs", "--reference", "golden.arm.pc2")
        dqs, lbs = (run["error"] for run in report["meshes"][0]["runs"])
        self.assertEqual((dqs["max"], dqs["reference"]), (0, "golden.arm.pc2"))
        self.assertEqual(report["settings"]["reference"], "golden.arm.pc2")
        by_method = self.compared(ARM, "--methods", "lbs", "--reference", "dqs")["meshes"][0]["runs"][0]["error"]
        self.assertEqual({**lbs, "reference": "dqs"}, by_method)

    def test_a_reference_cache_is_an_input_of_the_report(self):
        self.golden()
        report = self.compared(ARM, "--methods", "lbs", "--reference", self.folder / "golden.arm.pc2")
        given = report["inputs"][-1]
        self.assertEqual((given["role"], given["path"]), ("reference", "golden.arm.pc2"))
        self.assertEqual(given["xxh128"], self.json("golden.arm.pc2.json")["xxh128"])
        self.assertEqual(given["bytes"], len(self.read("golden.arm.pc2")))
        self.succeed("compare", ARM, "--reference", "golden.arm.pc2", "--depfile", "d")
        self.assertIn("golden.arm.pc2", self.read("d").decode())
        self.fail_with(2, "bake", ARM, "--reference", "golden.arm.pc2", "-o", "golden.arm.pc2", "--json",
                       naming="golden.arm.pc2")

    def test_methods_are_ranked_by_their_error(self):
        self.golden(ARM, "--method", "sbs")
        out = self.succeed("compare", ARM, "--methods", "lbs,sbs,cor", "--reference", "golden.arm.pc2").out
        self.assertIn("errors against golden.arm.pc2, best first: least rms error", out)
        self.assertEqual(out.splitlines()[2].split()[0], "sbs")

    def test_a_reference_may_have_a_cache_for_each_mesh(self):
        self.golden(WALKER)
        report = self.compared(WALKER, "--methods", "lbs", "--reference", "golden.{mesh}.pc2")
        for mesh in report["meshes"]:
            self.assertEqual(mesh["runs"][0]["error"]["max"], 0)
            self.assertEqual(mesh["runs"][0]["error"]["reference"], f"golden.{mesh['id']}.pc2")
        self.fail_with(2, "compare", WALKER, "--reference", "golden.Body.pc2", naming=("{mesh}", "--mesh"))
        report = self.compared(WALKER, "--methods", "lbs", "--mesh", "Body", "--reference", "golden.Body.pc2")
        self.assertEqual(report["meshes"][0]["runs"][0]["error"]["max"], 0)

    def test_a_reference_may_have_one_cache_of_all_meshes(self):
        self.succeed("bake", WALKER, "-q", "-o", "all.glb", "-o", "{mesh}.glb")
        report = self.compared(WALKER, "--methods", "lbs", "--reference", "all.glb", "--fail-max", "1e-6")
        self.assertGreater(len(report["meshes"]), 1)
        self.assertEqual([i["path"] for i in report["inputs"] if i["role"] == "reference"], ["all.glb"])
        self.fail_with(2, "compare", WALKER, "--reference", "Body.glb", naming=("one mesh", "{mesh}", "--mesh"))

    def test_a_reference_may_have_a_cache_for_each_clip(self):
        rig = write_rig(self.folder / "r.gltf", ["a"], clips=("x", "y"))
        self.fail_with(2, "compare", rig, "--clip", "all", "--reference", "g.pc2", naming=("{clip}", "--clip"))
        self.succeed("bake", rig, "-q", "--clip", "all", "-o", "g.{clip}.pc2")
        self.compared(rig, "--clip", "all", "--reference", "g.{clip}.pc2", "--fail-max", "1e-6")

    def test_other_counts_are_not_comparable(self):
        self.golden(ARM, "--frames", "0:20")
        self.fail_with(5, "compare", ARM, "--reference", "golden.arm.pc2", naming=("golden.arm.pc2", " 21 frames", " 61"))
        self.succeed("compare", ARM, "--reference", "golden.arm.pc2", "--frames", "0:20")
        self.golden(PRISM)
        self.fail_with(5, "compare", ARM, "--reference", "golden.prism.pc2", naming=" 12 vertices")

    def test_other_frames_are_not_comparable_if_the_sidecar_says_so(self):
        self.golden(ARM, "--frames", "0:20")
        self.fail_with(5, "compare", ARM, "--reference", "golden.arm.pc2", "--frames", "10:30",
                       naming=("0:20:1", "10:30:1", "--frames"))
        self.fail_with(5, "compare", ARM, "--reference", "golden.arm.pc2", "--frames", "0:20", "--space", "mesh",
                       naming="--space scene")
        (self.folder / "golden.arm.pc2.json").unlink()
        self.compared(ARM, "--reference", "golden.arm.pc2", "--frames", "10:30")

    def test_axes_and_units_of_a_reference_are_converted(self):
        self.golden(ARM, "--method", "dqs")
        plain = self.compared(ARM, "--methods", "dqs,lbs", "--reference", "golden.arm.pc2")
        self.golden(ARM, "--method", "dqs", "--up", "z", "--scale", "100")
        turned = self.compared(ARM, "--methods", "dqs,lbs", "--reference", "golden.arm.pc2")
        for before, after in zip(*(report["meshes"][0]["runs"] for report in (plain, turned)), strict=True):
            self.assertAlmostEqual(after["error"]["max"], before["error"]["max"], delta=2e-7)
        self.golden(ARM, "--method", "dqs", "--up", "z")  # without rounding
        again = self.compared(ARM, "--methods", "dqs,lbs", "--reference", "golden.arm.pc2")
        self.assertEqual([run["error"] for run in again["meshes"][0]["runs"]],
                         [run["error"] for run in plain["meshes"][0]["runs"]])
        (self.folder / "golden.arm.pc2.json").unlink()  # without it the axes are unknown
        unknown = self.compared(ARM, "--methods", "dqs", "--reference", "golden.arm.pc2")
        self.assertGreater(unknown["meshes"][0]["runs"][0]["error"]["max"], 0.1)

    def test_positions_that_are_not_finite_are_named(self):
        self.golden()
        data = bytearray(self.read("golden.arm.pc2"))
        vertices = Pc2(bytes(data)).points
        at = 32 + 12 * (3 * vertices + 5) + 4
        data[at:at + 4] = b"\0\0\xc0\x7f"
        (self.folder / "golden.arm.pc2").write_bytes(data)
        (self.folder / "golden.arm.pc2.json").unlink()
        self.fail_with(3, "compare", ARM, "--reference", "golden.arm.pc2", naming=("golden.arm.pc2", "frame 3, vertex 5"))

    def test_a_file_that_is_not_a_cache_is_refused(self):
        self.fail_with(3, "compare", ARM, "--reference", "nothing.pc2", naming="nothing.pc2")
        (self.folder / "bad.PC2").write_bytes(b"POINT")
        self.fail_with(3, "compare", ARM, "--reference", "bad.PC2", naming="bad.PC2")
        self.fail_with(2, "compare", ARM, "--reference", "nothing.abc", naming=("nothing.abc", "exact"))
        self.fail_with(2, "compare", ARM, "--reference", "{what}.pc2", naming="{what}")
        self.fail_with(2, "compare", ARM, "--reference", "{method}.pc2", naming="{method}")


class Ranking(CompareTest):
    def test_the_best_is_first(self):
        rows = self.table(TUBE, "--methods", "lbs,dqs", "--baseline", "first-frame")
        self.assertEqual([row[0] for row in rows], ["method", "dqs", "lbs"])
        run = self.compared(TUBE, "--methods", "lbs", "--baseline", "first-frame")["meshes"][0]["runs"][0]
        self.assertIn(f"{100 * run['volume']['max_loss']:.2f}", rows[2])

    def test_a_reference_outside_the_list_ranks_by_error(self):
        done = self.succeed("compare", ARM, "--methods", "lbs,dqs,cor", "--reference", "sbs")
        self.assertIn("least rms error", done.out)
        rms = [float(line.split()[2]) for line in done.out.splitlines()[2:]]
        self.assertEqual(rms, sorted(rms))
        self.assertEqual(len(rms), 3)

    def test_equal_methods_are_ranked_by_cost(self):
        rows = self.table(WALKER, "--mesh", "Lantern", "--methods", "cor,dqs,lbs")
        self.assertEqual([row[0] for row in rows[1:]], ["lbs", "dqs", "cor"])

    def test_a_mesh_that_every_method_changes_alike_does_not_affect_the_ranking(self):
        out = self.succeed("compare", WALKER, "--methods", "lbs,cor,dqs").out
        last = out[out.index("all of 3 meshes"):].splitlines()[3:]
        self.assertEqual([line.split()[0] for line in last][-1], "lbs")

    def test_the_table_agrees_with_the_report(self):
        rows = self.table(ARM, "--methods", "lbs,dqs")
        run = next(r for r in self.compared(ARM, "--methods", "lbs,dqs")["meshes"][0]["runs"] if r["method"] == "dqs")
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
        rows = self.table(flat, "--methods", "lbs,dqs")
        self.assertEqual(rows[1][6:], ["-"] * 5)

    def test_without_errors_and_volumes_no_measure_is_claimed(self):
        out = self.succeed("compare", TUBE, "--methods", "dqs,lbs", "--metrics", "edge_stretch").out
        self.assertRegex(out, r"^tube, twist, \d+ frames; cheapest first\n")
        self.assertEqual([line.split()[0] for line in out.splitlines()[2:4]], ["lbs", "dqs"])
        self.assertNotIn("best first", out)

    def test_many_meshes_and_clips_give_one_table(self):
        rig = write_rig(self.folder / "r.gltf", ["a", "b", "c"], clips=("x", "y", "z"))
        out = self.succeed("compare", rig, "--clip", "all", "--methods", "lbs,dqs").out
        self.assertEqual(len(out.splitlines()), 5)
        self.assertIn("every other column of the mesh and clip where it is worst", out.splitlines()[1])
        self.assertTrue(out.startswith("all of 3 meshes and 3 clips"))
        few = self.succeed("compare", rig, "--clip", "x", "--methods", "lbs,dqs").out
        self.assertEqual(few.count("best first"), 4)

    def test_overall_numbers_combine_those_of_the_runs(self):
        out = self.succeed("compare", WALKER, "--methods", "lbs,dqs").out
        meshes = self.compared(WALKER, "--methods", "lbs,dqs")["meshes"]
        runs = [(mesh["vertex_count"], mesh["runs"][1]["error"]) for mesh in meshes]
        rms = math.sqrt(sum(n * e["rms"] ** 2 for n, e in runs) / sum(n for n, _ in runs))
        cells = next(line for line in out.splitlines()[-2:] if line.startswith("dqs")).split()
        self.assertEqual(cells[2:4], [f"{rms:.3g}", f"{max(e['max'] for _, e in runs):.3g}"])


class Verdicts(CompareTest):
    def test_the_method_that_exceeds_a_limit_is_named(self):
        done = self.run_program("compare", TUBE, "--methods", "dqs,lbs,cor", "--fail-volume-loss", "5%", "--json")
        self.assertEqual(done.code, 1, done)
        check, = strict_json(done.out)["verdict"]["checks"]
        self.assertEqual((check["method"], check["failures"], check["passed"]), ("lbs", 1, False))
        self.assertEqual([(of["method"], of["passed"]) for of in check["methods"]],
                         [("lbs", False), ("cor", True), ("dqs", True)])
        self.assertIn("lbs", [line for line in done.err.splitlines() if "exceeded" in line][0])

    def test_every_method_that_exceeds_a_limit_is_named_the_worst_first(self):
        done = self.run_program("compare", ARM, "--methods", "dqs,lbs,cor", "--fail-volume-loss", "0.1%", "--warn-max", "9",
                                "--report", "m.json", "--junit", "m.xml", "--markdown", "m.md", "--html", "m.html")
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
            self.assertEqual(case.find("failure") is not None, limit == "--fail-volume-loss 0.1 %")
            self.assertIn(f", {method}", case.find("system-out").text)
        self.assertRegex(self.read("m.md").decode(), r"; exceeded 3 times, by `lbs` \(\S+ %\), `cor` \(\S+ %\), `dqs` \(\S+ %\)\n")
        rows = re.findall(r'<tr><td><span class="verdict (\w+)">', self.read("m.html").decode())
        self.assertEqual(rows, ["fail", "pass", "fail", "fail", "fail"])  # the limits, the runs

    def test_a_volume_that_was_not_measured_is_not_a_number(self):
        flat = write_rig(self.folder / "r.gltf", ["a"], shape=TRIANGLE)
        done = self.run_program("compare", flat, "--methods", "lbs,dqs", "--fail-volume-loss", "5%", "--warn-volume-loss",
                                "1%", "--junit", "m.xml", "--markdown", "m.md", "--html", "m.html")
        self.assertEqual(done.code, 1, done)
        why = "no part of a selected mesh is closed or nearly so"
        self.assertIn(f"error: --fail-volume-loss 5 %: not measured: {why}\n", done.err)
        texts = [case.find("system-out").text for case in xml.etree.ElementTree.parse(self.folder / "m.xml").iter("testcase")]
        self.assertEqual(texts, [f"volume.max_loss not measured, limit 5 %: {why}",
                                 f"warning: volume.max_loss not measured, limit 1 %: {why}"])
        self.assertIn(f"`--fail-volume-loss 5 %`: not measured: {why}\n", self.read("m.md").decode())
        for name in ("m.md", "m.html", "m.xml"):
            self.assertNotIn("not a number", self.read(name).decode())

    def test_a_method_within_the_limit_passes(self):
        report = self.compared(TUBE, "--methods", "dqs,cor", "--fail-volume-loss", "5%")
        self.assertEqual(report["verdict"]["status"], "pass")

    def test_a_warning_does_not_fail(self):
        report = self.compared(TUBE, "--methods", "lbs,dqs", "--warn-volume-loss", "5%")
        self.assertEqual(report["verdict"]["status"], "warn")


class Explain(CompareTest):
    def test_the_twisted_tube_is_explained(self):
        report = self.compared(TUBE, "--methods", "dqs,lbs", "--explain", "3")
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
        report = self.compared(ARM, "--methods", "lbs,dqs,cor", "--explain", "12", "--per-vertex", "json")
        for run in report["meshes"][0]["runs"][1:]:
            largest = sorted((e for e in run["error"]["per_vertex"]["max"]), reverse=True)[:12]
            mine = [e for e in report["explain"] if e["method"] == run["method"]]
            self.assertEqual([round(e["error_m"], 7) for e in mine], [round(e, 7) for e in largest])
            for e in mine:
                self.assertEqual(e["frame"], run["error"]["per_vertex"]["max_frame"][e["vertex"]])

    def test_an_explanation_also_has_the_vertex_index_in_its_primitive(self):
        report = self.compared(WALKER, "--methods", "lbs,dqs", "--mesh", "Body", "--explain", "50")
        first = [p["first_vertex"] for p in report["meshes"][0]["primitives"]]
        self.assertEqual({e["primitive"] for e in report["explain"]} - set(range(len(first))), set())
        for e in report["explain"]:
            self.assertEqual(first[e["primitive"]] + e["primitive_vertex"], e["vertex"])

    def test_split_vertices_are_explained_once_with_their_copies(self):
        rig = SHARED_MODELS / "CesiumMan.glb"
        if not rig.exists():
            self.skipTest(f"no {rig}")
        report = self.compared(rig, "--methods", "lbs,dqs", "--frames", "0:10", "--explain", "40", "--per-vertex", "json")
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
        out = self.succeed("compare", rig, "--methods", "lbs,dqs", "--frames", "0:10", "--explain", "40").out
        self.assertIn("; split, also ", out)

    def test_explanations_are_printed(self):
        out = self.succeed("compare", TUBE, "--methods", "dqs,lbs", "--explain", "1").out
        self.assertIn("linear blending collapses it", out)
        self.assertRegex(out, r"0\.5\d*  joint_\d  0\.0°")

    def test_explain_measures_the_error(self):
        report = self.compared(TUBE, "--methods", "dqs,lbs", "--explain", "1", "--metrics", "volume")
        self.assertEqual([e["method"] for e in report["explain"]], ["lbs"])

    def test_a_method_without_errors_has_no_explanations(self):
        self.assertNotIn("explain", self.compared(ARM, "--methods", "lbs", "--explain", "5"))

    def test_an_invalid_number_of_explanations_is_refused(self):
        for number in ("0", "-1", "x", "1001"):
            self.fail_with(2, "compare", ARM, "--explain", number, naming="--explain")


class Recommend(CompareTest):
    ALL = ("--methods", "all", "--recommend")

    def test_the_cheapest_method_within_the_limit_is_recommended(self):
        chosen = self.compared(TUBE, *self.ALL, "--max-volume-loss", "5%")["recommendation"]
        self.assertEqual(chosen["method"], "dqs")
        costs = [c["cost"] for c in chosen["candidates"]]
        self.assertEqual(costs, sorted(costs))
        self.assertEqual(chosen["limits"], [{"option": "--max-volume-loss", "metric": "volume.max_loss", "limit": 0.05,
                                             "unit": "1"}])
        for candidate in chosen["candidates"]:
            self.assertEqual(candidate["within"], candidate["values"][0]["value"] <= 0.05)
        self.assertEqual(self.compared(TUBE, *self.ALL, "--max-volume-loss", "70%")["recommendation"]["method"], "lbs")

    def test_the_table_marks_pareto_optimal_methods(self):
        candidates = self.compared(ARM, *self.ALL, "--max-volume-loss", "2%")["recommendation"]["candidates"]
        points = {c["method"]: (c["cost"], c["values"][0]["value"]) for c in candidates}
        for c in candidates:
            (mine, loss), rounding = points[c["method"]], 1e-6
            dominated = any(cost <= mine and other <= loss + rounding and (cost < mine or other < loss - rounding)
                            for cost, other in points.values())
            self.assertEqual(c["pareto"], not dominated, c)
        self.assertTrue(candidates[0]["pareto"])

    def test_a_recommendation_may_have_several_limits(self):
        report = self.compared(TUBE, *self.ALL, "--reference", "dqs", "--max-volume-loss", "5%", "--max-error", "0.1", "--max-rms",
                               "0.01", "--max-error-relative", "1%")
        self.assertEqual(report["recommendation"]["method"], "dqs")
        self.assertEqual(len(report["recommendation"]["candidates"][0]["values"]), 4)

    def test_no_method_within_the_limits_exits_1(self):
        report = self.compared(TUBE, "--methods", "lbs", "--recommend", "--max-volume-loss", "5%", code=1)
        self.assertIsNone(report["recommendation"]["method"])
        done = self.run_program("compare", TUBE, "--methods", "lbs", "--recommend", "--max-volume-loss", "5%")
        self.assertEqual(done.code, 1)
        self.assertIn("no method is within --max-volume-loss 5 %; lbs comes nearest, with volume.max_loss ", done.out)
        nearest = report["recommendation"]["nearest"]
        self.assertEqual((nearest["method"], nearest["metric"]), ("lbs", "volume.max_loss"))
        self.assertGreater(nearest["worst"]["value"], 0.05)
        self.assertIn("--recommend", done.err)

    def test_a_value_that_was_not_measured_is_not_within_a_limit(self):
        flat = write_rig(self.folder / "r.gltf", ["a"], shape=TRIANGLE)
        report = self.compared(flat, "--recommend", "--max-volume-loss", "5%", code=1)
        self.assertEqual(report["recommendation"]["candidates"][0]["values"], [{"value": None}])
        self.assertEqual(report["recommendation"]["unmeasured"], ["volume.max_loss"])

    def test_a_mesh_without_a_volume_does_not_fail_a_limit_of_the_volume(self):
        flat = write_rig(self.folder / "r.gltf", ["a"], shape=TRIANGLE)
        report = self.compared(flat, "--recommend", "--max-volume-loss", "5%", "--max-error", "10")
        self.assertEqual(report["recommendation"]["method"], "lbs")
        self.assertEqual(report["recommendation"]["unmeasured"], ["volume.max_loss"])

    def test_joints_and_distortion_have_limits(self):
        report = self.compared(TUBE, *self.ALL, "--max-joint-volume-loss", "20%", "--max-distortion", "50")
        recommendation = report["recommendation"]
        self.assertEqual([limit["unit"] for limit in recommendation["limits"]], ["1", ""])
        method = next(c for c in recommendation["candidates"] if c["method"] == recommendation["method"])
        joint, triangle = method["values"]
        self.assertLessEqual(joint["value"], 0.2)
        self.assertLessEqual(triangle["value"], 50)
        run = next(r for r in report["meshes"][0]["runs"] if r["method"] == method["method"])
        self.assertEqual(triangle["value"], run["triangle_distortion"]["worst"])
        self.assertEqual(joint["value"], max(j["max_loss"] for j in run["volume"]["joints"]))
        self.assertIn("joint", joint)
        self.assertIn("triangle", triangle)
        self.fail_with(2, "compare", TUBE, "--recommend", "--max-distortion", "5%", naming="--max-distortion")

    def test_limits_measure_the_metrics_that_they_need(self):
        report = self.compared(TUBE, "--metrics", "error", "--recommend", "--max-volume-loss", "5%")
        self.assertEqual(report["recommendation"]["method"], "dqs")

    def test_limits_and_recommend_need_each_other(self):
        self.fail_with(2, "compare", TUBE, "--recommend", naming="--max-volume-loss")
        self.fail_with(2, "compare", TUBE, "--max-error", "1", naming="--recommend")
        self.fail_with(2, "compare", TUBE, "--recommend", "--max-error", "5%", naming="--max-error")


class Schema(CompareTest):
    def test_every_report_is_valid(self):
        errors = schema_errors()
        if errors is None:
            reason = "python3-jsonschema is missing (scripts/setup installs it)"
            self.fail(reason) if os.environ.get("CI") == "true" else self.skipTest(reason)
        flat = write_rig(self.folder / "r.gltf", ["a", None], shape=TRIANGLE, clips=())
        for rig in (ARM, TUBE, WALKER, flat):
            for options in ((), ("--explain", "3", "--fail-max", "9"), ("-o", "{mesh}.{method}.pc2"),
                            ("--recommend", "--max-volume-loss", "99%", "--max-error", "9")):
                self.assertEqual(errors(self.compared(rig, *options)), [], (rig, options))


class Streams(CompareTest):
    def test_json_is_the_only_text_on_standard_output(self):
        done = self.succeed("compare", PRISM, "--methods", "lbs,dqs", "--json")
        self.assertEqual(strict_json(done.out)["command"], "compare")
        self.assertIn("best first", done.err)
        self.assertEqual(self.succeed("compare", PRISM, "--methods", "lbs,dqs", "--json", "-q").err, "")

    def test_the_report_goes_to_a_file_and_the_table_to_standard_output(self):
        done = self.succeed("compare", PRISM, "--report", "r.json")
        self.assertIn("best first", done.out)
        self.assertEqual(self.json("r.json")["command"], "compare")
        self.assertNotIn("per_vertex", self.json("r.json")["meshes"][0]["runs"][0]["error"])

    def test_unused_joint_parameters_are_reported(self):
        (self.folder / "p.json").write_text(json.dumps({"joint_1": {"r0": 0.1}}))
        report = self.compared(PRISM, "--methods", "lbs,dqs", "--joint-params", "p.json")
        self.assertEqual([i["code"] for i in report["issues"]], ["JOINT_PARAMETERS_UNUSED"])
        report = self.compared(PRISM, "--methods", "lbs,sbs-core", "--joint-params", "p.json")
        self.assertEqual(report["issues"], [])


if __name__ == "__main__":
    main()
