#!/usr/bin/env python3
"""`report AFTER --against BEFORE`: the numbers that changed, and tolerances."""

import json

from support import CliTest, RIGS, main

WALKER = RIGS / "walker.glb"


class Against(CliTest):
    def setUp(self):
        super().setUp()
        self.succeed("bake", WALKER, "-q", "--reference", "exact", "--report", "a.json")
        self.changed = self.json("a.json")

    def change(self, change):
        change(self.changed)
        (self.folder / "b.json").write_text(json.dumps(self.changed))

    @staticmethod
    def run_of(report, mesh):
        return next(m for m in report["meshes"] if m["id"] == mesh)["runs"][0]

    def against(self, code, *options):
        done = self.run_program("report", "b.json", "--against", "a.json", *options)
        self.assertEqual(done.code, code, done)
        return done

    def test_the_order_of_meshes_and_the_name_of_the_rig_are_no_difference(self):
        def change(report):
            report["meshes"].reverse()
            report["inputs"][0]["path"] = "walker_v2.glb"
        self.change(change)
        self.assertRegex(self.against(0, "--tolerance", "0").out, r"^0 of \d+ numbers changed")

    def test_a_row_for_each_number_that_changed_the_worse_first(self):
        def change(report):
            self.run_of(report, "Mouth")["error"]["max"] *= 0.5
            self.run_of(report, "Body")["error"]["rms"] *= 1.25
            self.run_of(report, "Lantern")["error"]["max"] = 0.5
            report["meshes"].reverse()
        self.change(change)
        lines = self.against(0, "-o", "d.md", "-o", "d.html").out.splitlines()
        self.assertEqual(lines[0].split(), ["mesh", "clip", "method", "key", "before", "after", "change"])
        self.assertRegex(lines[1], r"^Lantern +walk +lbs +error\.max .* \+0\.5 m +worse$")
        self.assertRegex(lines[2], r"^Body +walk +lbs +error\.rms .* worse$")
        self.assertRegex(lines[3], r"^Mouth +walk +lbs +error\.max .* -\S+ m +better$")
        self.assertRegex(lines[4], r"^3 of \d+ numbers changed$")
        self.assertIn("| worse | `Lantern` | `walk` | `lbs` | `error.max` |",
                      self.read("d.md").decode().replace("`worse`", "worse"))
        self.assertIn("<bdi>worse</bdi>", self.read("d.html").decode())
        self.assertEqual(len(self.against(0, "--top", "1").out.splitlines()), 4)

    def test_tolerances_are_of_all_keys_or_of_single_ones(self):
        def change(report):
            self.run_of(report, "Body")["error"]["rms"] *= 1.25
            self.run_of(report, "Body")["volume"]["max_loss"] += 0.001
        self.change(change)
        self.against(0)
        self.against(1, "--tolerance", "0")
        self.against(0, "--tolerance", "volume.max_loss=0.2pp,error.rms=30%")
        self.against(1, "--tolerance", "volume.max_loss=0.05pp,error.rms=30%")
        self.against(0, "--tolerance", "30%,volume.max_loss=0.2pp")
        self.against(0, "--tolerance", "error.rms=100m,error.rms_relative=1,volume.max_loss=0.2pp")
        self.against(1, "--tolerance", "error.rms=0.001um,volume.max_loss=0.2pp")
        for wrong in ("error.rms=x", "error.rms=-1", "1pp%", "volume.max_los=1", "volume.max_loss=1mm", "1mm", "error.rms=1km"):
            self.assertIn("--tolerance", self.against(2, "--tolerance", wrong).err)
        self.assertIn("did you mean 'volume.max_loss'?", self.against(2, "--tolerance", "volume.max_los=0.2pp").err)
        self.fail_with(2, "report", "a.json", "-o", "x.html", "--tolerance", "1", naming=("--tolerance", "--against"))

    def test_numbers_without_a_tolerance_may_change(self):
        def change(report):
            self.run_of(report, "Body")["error"]["rms"] *= 1.25
        self.change(change)
        self.against(0, "--tolerance", "error.max=1mm")
        self.assertRegex(self.against(1, "--tolerance", "error.rms=1%").out, r"worse +beyond the tolerance\n")

    def test_pages_fail_beyond_a_tolerance(self):
        def change(report):
            self.run_of(report, "Body")["error"]["rms"] *= 1.25
        self.change(change)
        for tolerance, code in (("error.rms=1%", 1), ("error.rms=30%", 0)):
            self.against(code, "--tolerance", tolerance, "-o", "d.xml", "-o", "d.md")
            self.assertIn(f'tests="1" failures="{code}"', self.read("d.xml").decode())
            self.assertIn(f"changes within {tolerance}", self.read("d.xml").decode())
            self.assertIn("fail" if code else "pass", self.read("d.md").decode().splitlines()[0])

    def test_what_one_side_lacks_is_listed_and_beyond_any_tolerance(self):
        self.change(lambda report: report["meshes"].pop())
        self.assertIn("only in the older reports: mesh '", self.against(1, "--tolerance", "1000").out)

    def test_unlike_references_rates_and_methods_exit_5(self):
        for what, change in (("reference", lambda report: [mesh["runs"][0]["error"].update(reference="dqs") for mesh in report["meshes"]]),
                             ("rate", lambda report: report["clips"][0].update(fps=24)),
                             ("method", lambda report: [mesh["runs"][0].update(method="dqs") for mesh in report["meshes"]]),
                             ("common", lambda report: [mesh.update(id=mesh["id"] + "2") for mesh in report["meshes"]])):
            with self.subTest(what):
                self.changed = self.json("a.json")
                self.change(change)
                self.assertIn(what, self.against(5).err)


if __name__ == "__main__":
    main()
