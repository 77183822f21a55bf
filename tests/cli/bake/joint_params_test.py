#!/usr/bin/env python3
"""--joint-params: its effect, its entry in the report, and every kind of error."""

import json
import math

from support import RIGS, CliTest, Pc2, main, strict_json

CORE = RIGS / "core_line.gltf"
GOOD = {"child": {"r0": 0.5, "r1": 0.25}}


class JointParams(CliTest):
    def write(self, content, name="joints.json"):
        text = content if isinstance(content, (str, bytes)) else json.dumps(content)
        (self.folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return name

    def core(self, *options):
        """The corners on the core in the last frame of the bend, relative to the joint."""
        self.succeed("bake", CORE, "-q", "-o", "x.pc2", *options)
        positions = list(Pc2(self.read("x.pc2")).positions(30))[::3]
        return [(x, y - 1) for x, y, _ in positions]

    def test_a_joint_without_a_name_is_identified_by_its_number(self):
        rig = json.loads(CORE.read_text())
        child = next(i for i, node in enumerate(rig["nodes"]) if node.get("name") == "child")
        del rig["nodes"][child]["name"]
        (self.folder / "nameless.gltf").write_text(json.dumps(rig))
        for buffer in rig["buffers"]:
            if not buffer["uri"].startswith("data:"):
                (self.folder / buffer["uri"]).write_bytes((RIGS / buffer["uri"]).read_bytes())
        baked = {}
        for name, of_rig, joint in (("a", CORE, "child"), ("b", "nameless.gltf", f"#{child}")):
            parameters = self.write({joint: GOOD["child"]}, name + ".json")
            self.succeed("bake", of_rig, "-q", "-o", name + ".pc2", "--method", "sbs-conic", "--joint-params", parameters)
            baked[name] = self.read(name + ".pc2")
        self.assertEqual(baked["a"], baked["b"])

    def test_joints_of_one_name_are_identified_by_their_numbers(self):
        rig = json.loads(CORE.read_text())
        rig["nodes"][0]["name"] = "child"  # the name of its child, node 1
        (self.folder / "two.gltf").write_text(json.dumps(rig))
        options = ("-q", "-o", "x.pc2", "--method", "sbs-conic", "--joint-params", "joints.json")
        self.write(GOOD)
        self.succeed("bake", CORE, *options)
        expected = self.read("x.pc2")
        self.fail_with(3, "bake", "two.gltf", *options, naming=("joints.json", "'child'", "#0 and #1"))
        self.write({"#1": GOOD["child"]})
        for path in (CORE, "two.gltf"):
            self.succeed("bake", path, *options)
            self.assertEqual(self.read("x.pc2"), expected)
        self.write({"#0": GOOD["child"]})
        self.fail_with(3, "bake", "two.gltf", *options, naming=("'#0'", "below another joint"))
        self.write({"#1": GOOD["child"], **GOOD})
        self.fail_with(3, "bake", CORE, *options, naming=("'child'", "given twice"))

    def bulge(self, method, *options):
        return max(math.hypot(max(x, 0), max(y, 0))
                   for x, y in self.core("--method", method, *options))

    def test_the_bounds_are_read_from_the_file(self):
        self.write(GOOD)
        self.assertAlmostEqual(self.bulge("sbs-core:faithful=1", "--joint-params", "joints.json"), 0.0705, 3)
        self.assertAlmostEqual(self.bulge("sbs+:faithful=1", "--joint-params", "joints.json"), 0.0021, 3)
        for method in ("sbs++", "sbs-ellipse", "sbs-conic"):
            bulge = self.bulge(f"{method}:faithful=1", "--joint-params", "joints.json")
            self.assertLess(bulge, 1e-6, method)

    def test_a_missing_bound_is_computed_from_the_weights(self):
        found = self.core("--method", "sbs-conic")
        self.assertEqual(self.core("--method", "sbs-conic", "--joint-params", self.write({})), found)
        self.assertEqual(self.core("--method", "sbs-conic", "--joint-params", self.write({"child": {}})), found)
        one = self.core("--method", "sbs-conic", "--joint-params", self.write({"child": {"r0": 0.9}}))
        both = self.core("--method", "sbs-conic", "--joint-params", self.write({"child": {"r0": 0.9, "r1": 0.9}}))
        self.assertNotEqual(one, found)
        self.assertNotEqual(one, both)

    def test_s_applies_to_its_joint(self):
        self.write({"child": {"s": 1}})
        self.assertEqual(self.core("--method", "sbs+", "--joint-params", "joints.json"),
                         self.core("--method", "sbs+:s=1"))
        self.assertNotEqual(self.core("--method", "sbs+"), self.core("--method", "sbs+:s=1"))

    def test_the_report_and_the_depfile_name_the_file(self):
        self.write(GOOD)
        done = self.succeed("bake", CORE, "-q", "--json", "--method", "sbs-conic", "--joint-params", "joints.json",
                            "--depfile", "x.d")
        report = strict_json(done.out)
        self.assertEqual(report["settings"]["joint_params"], GOOD)
        self.assertEqual(list(report["settings"]).index("joint_params"),
                         list(report["settings"]).index("modifiers") + 1)
        record = report["inputs"][-1]
        self.assertEqual((record["role"], record["path"]), ("parameters", "joints.json"))
        self.assertEqual(record["bytes"], len(self.read("joints.json")))
        self.assertIn("joints.json", self.read("x.d").decode())
        without = strict_json(self.succeed("bake", CORE, "-q", "--json", "--method", "sbs-conic").out)
        self.assertNotIn("joint_params", without["settings"])
        self.assertNotEqual(without["meshes"][0]["runs"][0]["error"], report["meshes"][0]["runs"][0]["error"])

    def test_a_baseline_is_posed_with_the_joint_parameters(self):
        self.write({"child": {"r0": 0.9, "r1": 0.9}})
        for baseline in ("rest", "first-frame"):
            self.succeed("bake", CORE, "-q", "--json", "--method", "sbs-ellipse:faithful=1", "--joint-params",
                         "joints.json", "--baseline", baseline)

    def test_a_method_without_joint_parameters_is_an_issue(self):
        self.write(GOOD)
        done = self.succeed("bake", CORE, "-o", "x.pc2", "--method", "dqs", "--joint-params", "joints.json")
        self.assertIn("joints.json", done.err)
        self.assertIn("'dqs'", done.err)
        done = self.succeed("bake", CORE, "--json", "--method", "dqs", "--reference", "sbs-conic",
                            "--joint-params", "joints.json")
        self.assertEqual([i["code"] for i in strict_json(done.out)["issues"] if "JOINT_PARAM" in i["code"]], [])

    def test_a_smoothing_method_passes_them_to_its_base(self):
        self.write(GOOD)
        done = self.succeed("bake", CORE, "-o", "x.pc2", "--method", "dm:base=sbs-ellipse", "--strict",
                            "--joint-params", "joints.json")
        self.assertNotIn("JOINT_PARAMETERS_UNUSED", done.err)
        with_them = self.read("x.pc2")
        self.succeed("bake", CORE, "-o", "x.pc2", "--method", "dm:base=sbs-ellipse")
        self.assertNotEqual(self.read("x.pc2"), with_them)

    def test_an_output_must_not_replace_the_file(self):
        self.write(GOOD)
        self.fail_with(2, "bake", CORE, "--method", "sbs-conic", "--joint-params", "joints.json",
                       "--report", "joints.json", naming="joints.json")

    def refused(self, content, *naming, code=3):
        self.write(content)
        self.fail_with(code, "bake", CORE, "-o", "x.pc2", "--method", "sbs-conic", "--joint-params",
                       "joints.json", naming=("joints.json", *naming))

    def test_an_error_names_the_file_and_the_joint(self):
        self.fail_with(3, "bake", CORE, "-o", "x.pc2", "--method", "sbs-conic", "--joint-params", "none.json",
                       naming=("none.json", "does not exist"))
        self.fail_with(2, "bake", CORE, "-o", "x.pc2", "--joint-params", "", naming="--joint-params")
        self.refused("", "JSON")
        self.refused("{\"child\": ", "JSON")
        self.refused("[" * 100000 + "]" * 100000, "256")
        self.refused([], "object", "r0")
        self.refused({"child": 0.5}, "'child'", "r0")
        self.refused({"child": {"r2": 0.5}}, "'child'", "'r2'", "r0, r1 and s")
        for key, values in (("r0", ("0.5", None, 0, -1, True, [], 1e30, 1e300)), ("r1", (0, -0.1, 20.1)),
                            ("s", (-0.1, 1.1, "x"))):
            for value in values:
                self.refused({"child": {key: value}}, "'child'", f"'{key}'", "number")
        self.refused({"child": {"r0": 21}}, "ten times the size of the rig, which is 2;")
        self.refused('{"child": {"r0": 1e999}}', "joints.json")
        self.refused('{"child": {"r0": NaN}}', "JSON")

    def test_the_smallest_and_largest_bounds_keep_the_precision(self):
        for bounds in ({"r0": 5e-324, "r1": 5e-324}, {"r0": 19.9, "r1": 19.9}, {"r0": 5e-324, "r1": 19.9}):
            self.write({"child": bounds})
            for method in ("sbs-core", "sbs+", "sbs++", "sbs-ellipse", "sbs-conic"):
                done = self.succeed("bake", CORE, "-q", "--json", "--method", method, "--reference", "exact",
                                    "--joint-params", "joints.json")
                self.assertLess(strict_json(done.out)["meshes"][0]["runs"][0]["error"]["max"], 2e-5, (method, bounds))

    def test_an_unknown_joint_is_named_with_the_joints_of_the_rig(self):
        self.refused({"elbow": {}}, "'elbow'", "core_line.gltf", "'child'")
        self.refused({"parent": {"r0": 1}}, "'parent'", "'child'")  # it does not have a parent
        self.refused({"a\nb/~c": {}}, "core_line.gltf")


if __name__ == "__main__":
    main()
