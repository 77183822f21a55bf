#!/usr/bin/env python3
"""compare --reference: errors against a method, against the exact result, and against caches."""

from compare_case import ARM, PRISM, WALKER, CompareTest
from support import Pc2, main, write_rig


class References(CompareTest):
    def error(self, report, method):
        run, = (run for run in report["meshes"][0]["runs"] if run["method"] == method)
        return run["error"]

    def test_the_default_reference_is_the_first_method(self):
        report = self.compared(ARM, "--method", "cor", "--method", "lbs", "--method", "dqs")
        self.assertEqual(report["settings"]["reference"], "cor")
        self.assertEqual(self.error(report, "cor")["max"], 0)
        self.assertGreater(self.error(report, "lbs")["max"], 1e-3)

    def test_the_reference_may_be_another_method(self):
        report = self.compared(ARM, "--method", "lbs", "--method", "dqs", "--reference", "cor")
        self.assertEqual(self.error(report, "dqs")["reference"], "cor")
        both = self.compared(ARM, "--method", "lbs", "--method", "dqs", "--method", "cor", "--reference", "cor")
        self.assertEqual(self.error(report, "dqs"), self.error(both, "dqs"))

    def test_exact_measures_each_method_against_itself_in_double(self):
        report = self.compared(ARM, "--method", "lbs", "--method", "dqs", "--method", "cor", "--reference", "exact")
        for method in ("lbs", "dqs", "cor"):
            self.assertLess(self.error(report, method)["max"], 2e-6)
            self.assertGreater(self.error(report, method)["max"], 0)


class CacheReferences(CompareTest):
    def golden(self, rig=ARM, *options):
        self.succeed("bake", rig, "-q", "-o", "golden.{mesh}.pc2", *options)

    def test_a_reference_cache_of_the_same_method_has_no_error(self):
        self.golden(ARM, "--method", "dqs")
        report = self.compared(ARM, "--method", "dqs", "--method", "lbs", "--reference", "golden.arm.pc2")
        dqs, lbs = (run["error"] for run in report["meshes"][0]["runs"])
        self.assertEqual((dqs["max"], dqs["reference"]), (0, "golden.arm.pc2"))
        self.assertEqual(report["settings"]["reference"], "golden.arm.pc2")
        by_method = self.compared(ARM, "--method", "lbs", "--reference", "dqs")["meshes"][0]["runs"][0]["error"]
        self.assertEqual({**lbs, "reference": "dqs"}, by_method)

    def test_a_reference_cache_is_an_input_of_the_report(self):
        self.golden()
        report = self.compared(ARM, "--method", "lbs", "--reference", self.folder / "golden.arm.pc2")
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
        out = self.succeed("compare", ARM, "--method", "lbs", "--method", "sbs", "--method", "cor", "--reference", "golden.arm.pc2").out
        self.assertIn("errors against golden.arm.pc2, best first: least rms error", out)
        self.assertEqual(out.splitlines()[2].split()[0], "sbs")

    def test_a_reference_may_have_a_cache_for_each_mesh(self):
        self.golden(WALKER)
        report = self.compared(WALKER, "--method", "lbs", "--reference", "golden.{mesh}.pc2")
        for mesh in report["meshes"]:
            self.assertEqual(mesh["runs"][0]["error"]["max"], 0)
            self.assertEqual(mesh["runs"][0]["error"]["reference"], f"golden.{mesh['id']}.pc2")
        self.fail_with(2, "compare", WALKER, "--reference", "golden.Body.pc2", naming=("{mesh}", "--mesh"))
        report = self.compared(WALKER, "--method", "lbs", "--mesh", "Body", "--reference", "golden.Body.pc2")
        self.assertEqual(report["meshes"][0]["runs"][0]["error"]["max"], 0)

    def test_a_reference_may_have_one_cache_of_all_meshes(self):
        self.succeed("bake", WALKER, "-q", "-o", "all.glb", "-o", "{mesh}.glb")
        report = self.compared(WALKER, "--method", "lbs", "--reference", "all.glb", "--fail", "error.max=1e-6")
        self.assertGreater(len(report["meshes"]), 1)
        self.assertEqual([i["path"] for i in report["inputs"] if i["role"] == "reference"], ["all.glb"])
        self.fail_with(2, "compare", WALKER, "--reference", "Body.glb", naming=("one mesh", "{mesh}", "--mesh"))

    def test_a_reference_may_have_a_cache_for_each_clip(self):
        rig = write_rig(self.folder / "r.gltf", ["a"], clips=("x", "y"))
        (self.folder / "g.pc2").write_bytes(b"")  # not read: the command line is wrong
        self.fail_with(2, "compare", rig, "--clip", "all", "--reference", "g.pc2", naming=("{clip}", "--clip"))
        self.succeed("bake", rig, "-q", "--clip", "all", "-o", "g.{clip}.pc2")
        self.compared(rig, "--clip", "all", "--reference", "g.{clip}.pc2", "--fail", "error.max=1e-6")

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
        plain = self.compared(ARM, "--method", "dqs", "--method", "lbs", "--reference", "golden.arm.pc2")
        self.golden(ARM, "--method", "dqs", "--up", "z", "--scale", "100")
        turned = self.compared(ARM, "--method", "dqs", "--method", "lbs", "--reference", "golden.arm.pc2")
        for before, after in zip(*(report["meshes"][0]["runs"] for report in (plain, turned)), strict=True):
            self.assertAlmostEqual(after["error"]["max"], before["error"]["max"], delta=2e-7)
        self.golden(ARM, "--method", "dqs", "--up", "z")  # without rounding
        again = self.compared(ARM, "--method", "dqs", "--method", "lbs", "--reference", "golden.arm.pc2")
        self.assertEqual([run["error"] for run in again["meshes"][0]["runs"]],
                         [run["error"] for run in plain["meshes"][0]["runs"]])
        (self.folder / "golden.arm.pc2.json").unlink()  # without it the axes are unknown
        unknown = self.compared(ARM, "--method", "dqs", "--reference", "golden.arm.pc2")
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


if __name__ == "__main__":
    main()
