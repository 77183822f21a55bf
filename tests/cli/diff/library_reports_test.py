#!/usr/bin/env python3
"""skinbake diff: compares two reports."""

import json
import shutil

from diff_case import DiffCase
from support import RIGS, main

WALKER = RIGS / "walker.glb"


class Reports(DiffCase):
    """Two reports as a table of measurements."""

    A, B = "a.json", "b.json"

    def setUp(self):
        super().setUp()
        for name, method in (("a", "lbs"), ("b", "lbs")):
            self.succeed("bake", WALKER, "-q", "--reference", "exact", "--method", method, "--report", f"{name}.json")

    def change(self, change):
        report = json.loads((self.folder / "b.json").read_text())
        change(report)
        (self.folder / "b.json").write_text(json.dumps(report))

    @staticmethod
    def run_of(report, mesh):
        return next(m for m in report["meshes"] if m["id"] == mesh)["runs"][0]

    def test_the_order_of_meshes_is_no_difference(self):
        self.change(lambda report: report["meshes"].reverse())
        self.assertIn("0 of ", self.diff().out)

    def test_a_row_for_each_measurement_that_moved_the_worse_first(self):
        def change(report):
            self.run_of(report, "Mouth")["error"]["max"] *= 0.5
            self.run_of(report, "Body")["error"]["rms"] *= 1.25
            self.run_of(report, "Lantern")["error"]["max"] = 0.5
            report["meshes"].reverse()
        self.change(change)
        lines = self.diff(code=1).out.splitlines()
        self.assertEqual(lines[0].split(), ["mesh", "clip", "method", "measurement", "a", "b", "change"])
        self.assertRegex(lines[1], r"^Lantern +walk +lbs +error\.max .* \+0\.5 +worse$")
        self.assertRegex(lines[2], r"^Body +walk +lbs +error\.rms .* worse$")
        self.assertRegex(lines[3], r"^Mouth +walk +lbs +error\.max .* -\S+ +better$")
        report = self.report(code=1)
        self.assertEqual([(m["mesh"], m["metric"]) for m in report["changes"]["measurements"]],
                         [("Lantern", "error.max"), ("Body", "error.rms"), ("Mouth", "error.max")])
        self.diff("--report", "d.json", "--report", "d.md", code=1)
        self.succeed("report", "d.json", "-o", "again.md")
        self.assertEqual((self.folder / "again.md").read_bytes(), (self.folder / "d.md").read_bytes())
        self.assertIn("| `Lantern` | `walk` | `lbs` | `error.max` |", (self.folder / "d.md").read_text())

    def test_tolerances_of_single_metrics(self):
        def change(report):
            self.run_of(report, "Body")["error"]["rms"] *= 1.25
            volume = self.run_of(report, "Body")["volume"]
            volume["max_loss"] += 0.001
        self.change(change)
        self.assertIn("2 of ", self.diff(code=1).out)
        self.assertNotIn("volume", self.diff("--tolerance", "volume.max_loss=0.2pp", code=1).out)
        self.diff("--tolerance", "volume.max_loss=0.2pp,error.rms=30%")
        self.diff("--tolerance", "volume.max_loss=0.05pp,error.rms=30%", code=1)
        self.diff("--tolerance", "30%,volume.max_loss=0.2pp")
        for wrong in ("rms=1%", "error.rms=x", "error.rms=-1", "1pp%", ""):
            self.assertIn("--tolerance", self.diff("--tolerance", wrong, code=2).err)

    def test_a_tolerance_of_an_unknown_measurement_is_refused(self):
        self.assertIn("no measurement 'volume.max_los'; did you mean 'volume.max_loss'?",
                      self.diff("--tolerance", "volume.max_los=0.2pp", code=2).err)
        self.assertIn("no measurement 'bogus.metric'", self.diff("--tolerance", "bogus.metric=1", code=2).err)
        self.diff("--tolerance", "triangle_distortion.worst=1")  # which other reports have

    def test_values_per_frame_crowd_out_nothing(self):
        def change(report):
            run = self.run_of(report, "Body")
            for values in run["volume"]["per_frame"].values():
                values[:] = [value + 1 for value in values]
            report["meshes"].pop()
        self.change(change)
        done = self.diff("--report", "d.json", "--report", "d.md", "--report", "d.html", code=1)
        self.assertNotIn("per_frame", done.out)
        self.assertIn("/meshes/", done.out)
        changes = json.loads((self.folder / "d.json").read_text())["changes"]["values"]
        self.assertNotIn("/per_frame/", changes[0]["pointer"])
        self.assertIn("/per_frame/", changes[-1]["pointer"])
        for page in ("d.md", "d.html"):
            self.assertNotIn("per_frame/", (self.folder / page).read_text())

    def test_folders_of_reports_name_the_commands_that_compare_them(self):
        for side in ("x", "y"):
            (self.folder / side).mkdir()
            shutil.copy(self.folder / self.A, self.folder / side / "r.json")
        error = self.diff(a="x", b="y", code=5).err
        self.assertIn("report y/*.json --against x/*.json", error)
        self.succeed("report", "y/r.json", "--against", "x/r.json", "-o", "c.html")

    def test_a_mesh_of_one_report_alone_is_a_change(self):
        self.change(lambda report: report["meshes"].pop())
        self.assertIn("nothing", self.diff(code=1).out)


if __name__ == "__main__":
    main()
