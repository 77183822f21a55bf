#!/usr/bin/env python3
"""compare: every method gives the result of a bake with that method; lists of methods, caches, reports."""

import json
import os

from compare_case import ARM, PRISM, TUBE, WALKER, CompareTest
from report_schema import schema_errors
from support import ALL_RIGS, TRIANGLE, main, strict_json, write_rig


class OnePass(CompareTest):
    METHODS = ("lbs", "dqs:sign=first", "cor", "dm:base=dqs")

    def test_every_run_equals_a_bake_of_its_method(self):
        for rig in ALL_RIGS:
            for baseline in ("bind", "rest", "first-frame"):
                common = ("--baseline", baseline, "--frames", "0:20", "--per-vertex", "json")
                methods = (word for method in self.METHODS for word in ("--method", method))
                compared = self.compared(rig, *methods, *common)
                for place, method in enumerate(self.METHODS):
                    alone = strict_json(self.succeed("bake", rig, "--method", method, "--reference", "lbs", "--json",
                                                     "-q", *common).out)
                    for mesh, other in zip(compared["meshes"], alone["meshes"], strict=True):
                        self.assertEqual(mesh["runs"][place], other["runs"][0], f"{rig.name} {baseline} {method}")

    def test_caches_equal_those_of_bake(self):
        self.compared(WALKER, "--method", "dqs", "--method", "cor", "-o", "c.{mesh}.{method}.pc2")
        for method in ("dqs", "cor"):
            self.succeed("bake", WALKER, "--method", method, "-o", "b.{mesh}.{method}.pc2", "-q")
        names = [name for name in self.files() if name.startswith("c.") and name.endswith(".pc2")]
        self.assertEqual(len(names), 6)
        for name in names:
            self.assertEqual(self.read(name), self.read("b" + name[1:]))
            self.assertIn(self.json(name + ".json")["method"], ("dqs", "cor"))

    def test_outputs_in_the_report_name_mesh_and_method(self):
        report = self.compared(WALKER, "--method", "dqs", "--method", "lbs", "-o", "{mesh}.{method}.pc2")
        self.assertEqual([(o["mesh"], o["method"]) for o in report["outputs"]],
                         [(mesh["id"], method) for mesh in report["meshes"] for method in ("dqs", "lbs")])
        for output in report["outputs"]:
            self.assertEqual(output["path"], f"{output['mesh']}.{output['method']}.pc2")
            self.assertEqual(self.json(output["path"] + ".json")["xxh128"], output["xxh128"])

    PROFILES = ("--profile", "unity-1", "--profile", "unreal-4")

    def test_profiles_are_measured_against_the_unmodified_rig(self):
        report = self.compared(WALKER, "--method", "lbs", "--method", "sbs+", *self.PROFILES, "-o", "c.{mesh}.{method}.pc2")
        names = ["lbs", "lbs@unity-1", "lbs@unreal-4", "sbs+", "sbs+@unity-1", "sbs+@unreal-4"]
        self.assertEqual(report["settings"]["profiles"], ["unity-1", "unreal-4"])
        self.assertEqual(report["settings"]["modifiers"], [])
        for mesh in report["meshes"]:
            self.assertEqual([(r["method"], r.get("variant", {}).get("profile")) for r in mesh["runs"]],
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
        worst = max(r["error"]["max"] for m in report["meshes"] for r in m["runs"] if r.get("variant", {}).get("profile") == "unity-1")
        self.assertGreater(worst, 1e-3)

    def test_a_profile_combines_with_every_reference_and_option(self):
        options = ("--method", "dqs", "--method", "ddm", *self.PROFILES, "--frames", "0:8")
        exact = self.compared(ARM, *options, "--reference", "exact", "--baseline", "first-frame",
                              "--metrics", "all", "--verify", "-o", "{method}.npy")
        for run in exact["meshes"][0]["runs"]:
            self.assertLess(run["error"]["max"], 1e-5, run["method"])
        self.assertEqual(len(exact["verification"]), 6)
        texts = {self.succeed("compare", ARM, *options, "--json", "-q", "--threads", n).out for n in (1, 2, 5)}
        self.assertEqual(len(texts), 1)

    def test_limits_ranking_and_causes_name_the_profile(self):
        done = self.run_program("compare", ARM, "--method", "lbs", *self.PROFILES, "--warn", "error.max=1e-3",
                                "--explain", "1", "--recommend", "--fail", "error.max=1e-3", "--report", "r.json")
        self.assertEqual(done.code, 0, done)  # the limits are those of the recommendation
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
        report = self.compared(ARM, "--method", "lbs", "--method", "dqs")
        self.assertEqual(self.files(), {})
        self.assertNotIn("outputs", report)

    def test_the_same_bytes_at_every_number_of_threads(self):
        texts = {self.succeed("compare", ARM, "--method", "all", "--json", "-q", "--threads", n, "--per-vertex", "json").out
                 for n in (1, 2, 5)}
        self.assertEqual(len(texts), 1)

    def test_runs_are_by_clip_and_then_by_method(self):
        rig = write_rig(self.folder / "r.gltf", ["a"], clips=("x", "y"))
        report = self.compared(rig, "--clip", "all", "--method", "dqs", "--method", "lbs")
        self.assertEqual([(r["clip"], r["method"]) for r in report["meshes"][0]["runs"]],
                         [("x", "dqs"), ("x", "lbs"), ("y", "dqs"), ("y", "lbs")])


class Methods(CompareTest):
    def test_an_element_with_a_value_belongs_to_the_method_before_it(self):
        self.assertEqual(self.methods_of("--method", "dqs:sign=first,scale=vertex", "--method", "cor"),
                         ["dqs:sign=first,scale=vertex", "cor"])
        self.assertEqual(self.methods_of("--method", "dm:base=dqs", "--method", "dqs:sign=first"), ["dm:base=dqs", "dqs:sign=first"])
        self.assertEqual(self.methods_of("--method", "dqs:sign=max-weight", "--method", "cor"), ["dqs", "cor"])

    def test_all_selects_every_method(self):
        listed = [m["id"] for m in strict_json(self.succeed("list", "methods", "--json").out)["methods"]]
        self.assertEqual(self.methods_of("--method", "all"), listed)
        self.assertEqual(self.methods_of("--method", "dqs:sign=first", "--method", "all"), ["dqs:sign=first", *listed])
        self.assertEqual(self.methods_of("--method", "cor", "--method", "all"), ["cor", *[m for m in listed if m != "cor"]])

    def test_the_default_is_two_methods(self):
        self.assertEqual(self.methods_of(), ["lbs", "dqs"])

    def test_wrong_methods_are_named(self):
        for methods, words in (("dqs nonsense", "nonsense"), (" ", "no method ''"), ("dqs dqs", "twice"),
                               ("dqs dqs:sign=max-weight", "twice"), ("all all", "twice"),
                               ("sign=first dqs", "sign=first"), ("dqs:sign=sideways lbs", "sideways")):
            named = [word for method in methods.split(" ") for word in ("--method", method)]
            self.fail_with(2, "compare", PRISM, *named, naming=words)

    def test_several_methods_need_a_placeholder_in_an_output(self):
        self.fail_with(2, "compare", PRISM, "--method", "lbs", "--method", "dqs", "-o", "x.pc2", naming="{method}")
        self.succeed("compare", PRISM, "--method", "dqs", "-o", "x.pc2")


class Schema(CompareTest):
    def test_every_report_is_valid(self):
        errors = schema_errors()
        if errors is None:
            reason = "python3-jsonschema is missing (scripts/setup installs it)"
            self.fail(reason) if os.environ.get("CI") == "true" else self.skipTest(reason)
        flat = write_rig(self.folder / "r.gltf", ["a", None], shape=TRIANGLE, clips=())
        for rig in (ARM, TUBE, WALKER, flat):
            for options in ((), ("--explain", "3", "--fail", "error.max=9"), ("-o", "{mesh}.{method}.pc2"),
                            ("--recommend", "--fail", "volume.max_loss=99%", "--fail", "error.max=9")):
                self.assertEqual(errors(self.compared(rig, *options)), [], (rig, options))


class Streams(CompareTest):
    def test_json_is_the_only_text_on_standard_output(self):
        done = self.succeed("compare", PRISM, "--method", "lbs", "--method", "dqs", "--json")
        self.assertEqual(strict_json(done.out)["command"], "compare")
        self.assertIn("best first", done.err)
        self.assertEqual(self.succeed("compare", PRISM, "--method", "lbs", "--method", "dqs", "--json", "-q").err, "")

    def test_the_report_goes_to_a_file_and_the_table_to_standard_output(self):
        done = self.succeed("compare", PRISM, "--report", "r.json")
        self.assertIn("best first", done.out)
        self.assertEqual(self.json("r.json")["command"], "compare")
        self.assertNotIn("per_vertex", self.json("r.json")["meshes"][0]["runs"][0]["error"])

    def test_unused_joint_parameters_are_reported(self):
        (self.folder / "p.json").write_text(json.dumps({"joint_1": {"r0": 0.1}}))
        report = self.compared(PRISM, "--method", "lbs", "--method", "dqs", "--joint-params", "p.json")
        self.assertEqual([i["code"] for i in report["issues"]], ["JOINT_PARAMETERS_UNUSED"])
        report = self.compared(PRISM, "--method", "lbs", "--method", "sbs-core", "--joint-params", "p.json")
        self.assertEqual(report["issues"], [])


if __name__ == "__main__":
    main()
