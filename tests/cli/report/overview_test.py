#!/usr/bin/env python3
"""`report --overview`: a matrix of characters and clips, with a page for each report beside it."""

import json
import re

from support import CliTest, RIGS, main

HOSTILE = '</script><script>alert(1)</script>\x1b[31m'


class OverviewTest(CliTest):
    def compare(self, name, rig="bent_arm.gltf", *options):
        self.succeed("compare", RIGS / rig, "-q", "--method", "lbs", "--method", "dqs", *options, "--report", name)
        return self.json(name)

    def data(self, name="library.html"):
        text = re.search(r'<script type="application/json" id="overview-data">(.*?)</script>', self.read(name).decode(), re.S)[1]
        return json.loads(text)

    def test_a_cell_has_the_worst_value_of_a_character_with_its_place(self):
        arm, _ = self.compare("arm.json"), self.compare("tube.json", "twisted_tube.gltf")
        self.succeed("report", "arm.json", "tube.json", "--overview", "-o", "library.html")
        data = self.data()
        self.assertEqual([character[:2] for character in data["characters"]], [["bent_arm", "none"], ["twisted_tube", "none"]])
        self.assertEqual(data["methods"], ["lbs", "dqs"])
        cells = {tuple(cell[:3]): cell for cell in data["cells"]}
        self.assertEqual(len(cells), 4)
        titles = [title for title, *_ in data["metrics"]]
        for method, run in enumerate(arm["meshes"][0]["runs"]):
            _, _, _, values, frames, places = cells[0, 0, method]
            worst = max(run["volume"]["joints"], key=lambda joint: joint["max_loss"])
            at = titles.index("volume: joints max loss")
            self.assertAlmostEqual(values[at], 100 * worst["max_loss"], delta=0.005 * values[at])
            self.assertEqual((frames[at], places[at]), (worst["max_loss_at"]["frame"], f"{worst['joint']} of arm"))
            if method == 0:
                continue  # the reference has no error
            at = titles.index("error: max")
            self.assertAlmostEqual(values[at], 1000 * run["error"]["max"], delta=0.005 * values[at])
            self.assertEqual(frames[at], run["error"]["max_at"]["frame"])

    def test_reports_of_one_rig_are_one_character(self):
        """A batch writes a report for each clip, or method."""
        for method in ("lbs", "dqs"):
            self.succeed("bake", RIGS / "bent_arm.gltf", "-q", "--method", method, "--report", f"{method}.json")
        self.succeed("report", "lbs.json", "dqs.json", "--overview", "-o", "library.html")
        data = self.data()
        self.assertEqual(data["characters"], [["bent_arm", "none"]])
        self.assertEqual(data["reports"], [[0, "library.lbs.html", ""], [0, "library.dqs.html", ""]])
        self.assertEqual([cell[:3] for cell in data["cells"]], [[0, 0, 0], [1, 0, 1]])  # report, clip, method
        page = self.read("library.html").decode()
        self.assertIn("<h1>1 character in 2 reports</h1>", page)
        worst = max(data["cells"], key=lambda cell: cell[3][0])[0]  # the list of the worst names its report
        self.assertIn(f'<a href="{data["reports"][worst][1]}">', page[page.index("The worst character"):page.index("All characters")])
        # Another file of the same name, and another report of the same cell, have rows of their own.
        other = self.json("dqs.json")
        other["inputs"][0]["xxh128"] = 32 * "0"
        (self.folder / "other.json").write_text(json.dumps(other))
        (self.folder / "again.json").write_bytes(self.read("lbs.json"))
        self.succeed("report", "lbs.json", "dqs.json", "other.json", "again.json", "--overview", "-o", "library.html")
        self.assertEqual([character for character, *_ in self.data()["reports"]], [0, 0, 1, 2])

    def test_each_report_has_its_page_beside_the_overview(self):
        self.compare("arm.json")
        (self.folder / "other folder").mkdir()
        (self.folder / "other folder/arm.json").write_bytes(self.read("arm.json"))
        self.succeed("report", "arm.json", "other folder/arm.json", "--overview", "-o", "library.html")
        self.assertEqual([address for _, address, _ in self.data()["reports"]], ["library.arm.html", "library.arm-2.html"])
        self.succeed("report", "arm.json", "-o", "arm.html")
        back = '<nav><a href="library.html">← all characters</a></nav>\n'
        self.assertEqual(self.read("library.arm.html").decode().replace(back, "", 1), self.read("arm.html").decode())
        self.assertIn(back, self.read("library.arm-2.html").decode())
        self.assertNotIn(back, self.read("arm.html").decode())
        self.assertTrue(self.read("library.arm-2.html"))
        printed = self.succeed("report", "arm.json", "--overview", "-o", "html:-").out
        self.assertIn('<span class="verdict none">', printed)
        self.assertNotIn("library.", printed)

    def test_a_sidecar_among_the_reports_has_no_page(self):
        self.compare("arm.json"), self.compare("tube.json", "twisted_tube.gltf")
        self.succeed("bake", RIGS / "bent_arm.gltf", "-q", "-o", "cache.pc2")
        done = self.run_program("report", "arm.json", "cache.pc2.json", "tube.json", "--overview", "-o", "library.html")
        self.assertEqual(done.code, 0, done)
        self.assertEqual(self.data()["reports"], [[0, "library.arm.html", ""], [1, "library.tube.html", ""]])
        self.assertIn("twisted_tube", self.read("library.tube.html").decode())
        self.assertFalse((self.folder / "library.cache.pc2.html").exists())

    def test_a_page_in_3d_beside_a_report_is_linked(self):
        self.compare("arm.json", "bent_arm.gltf", "--report", "arm.html", "--view")
        self.compare("tube.json", "twisted_tube.gltf", "--report", "tube.html")
        self.succeed("report", "arm.json", "tube.json", "--overview", "-o", "library.html")
        self.assertEqual([view for *_, view in self.data()["reports"]], ["arm.html", ""])
        self.assertIn('<a href="arm.html"><bdi>3D</bdi></a>', self.read("library.html").decode())

    def test_an_overview_may_contain_the_pages_of_its_reports(self):
        self.compare("arm.json")
        self.compare("tube.json", "twisted_tube.gltf")
        self.succeed("report", "arm.json", "tube.json", "--overview", "--self-contained", "-o", "library.html")
        self.assertEqual([path for path in self.files() if path.endswith(".html")], ["library.html"])
        self.assertEqual([address for _, address, _ in self.data()["reports"]], ["#page=0", "#page=1"])
        text = self.read("library.html").decode()
        for number, name in enumerate(("arm", "tube")):
            self.succeed("report", f"{name}.json", "-o", f"{name}.html")
            inside = re.search(rf'<script type="application/json" id="page-{number}">(.*?)</script>', text, re.S)[1]
            self.assertEqual(json.loads(inside).encode(), self.read(f"{name}.html"))
        printed = self.succeed("report", "arm.json", "tube.json", "--overview", "--self-contained", "-o", "html:-").out
        self.assertEqual(printed, text)
        self.fail_with(2, "report", "arm.json", "--self-contained", "-o", "a.html", naming=("--self-contained", "--overview"))

    def test_pages_of_more_than_64_mib_are_not_put_into_the_overview(self):
        report = self.compare("arm.json")
        issue = {"code": "CLIP_UNUSED", "severity": "warning", "file": "arm.gltf", "pointer": "", "message": "x" * 1000, "count": 1}
        report["issues"] = [{**issue, "pointer": f"/animations/{i}"} for i in range(14000)]
        names = [f"r{i}.json" for i in range(9)]
        for name in names:
            (self.folder / name).write_text(json.dumps(report))
        self.fail_with(2, "report", *names, "--self-contained", "-o", "library.html",
                       naming=("--self-contained", "more than 64 MiB", "beside the overview"))
        self.assertNotIn("library.html", self.files())

    def test_more_than_eight_reports_are_an_overview(self):
        self.compare("arm.json")
        for number in range(9):
            (self.folder / f"r{number}.json").write_bytes(self.read("arm.json"))
        names = [f"r{number}.json" for number in range(9)]
        self.succeed("report", *names[:8], "-o", "eight.html")
        self.succeed("report", *names, "-o", "nine.html")
        self.assertNotIn("overview-data", self.read("eight.html").decode())
        self.assertEqual(len(self.data("nine.html")["characters"]), 9)
        self.assertFalse((self.folder / "eight.r0.html").exists())
        self.assertTrue((self.folder / "nine.r8.html").exists())

    def test_changes_are_against_the_older_report_of_the_same_rig(self):
        old = self.compare("old.json")
        new = json.loads(json.dumps(old))
        new["meshes"][0]["runs"][0]["volume"]["max_loss"] += 0.25
        (self.folder / "new.json").write_text(json.dumps(new))
        self.compare("tube.json", "twisted_tube.gltf")
        self.succeed("report", "new.json", "tube.json", "--against", "old.json", "--overview", "-o", "library.html")
        data = self.data()
        at = [title for title, *_ in data["metrics"]].index("volume: max loss")
        changed, same, *others = data["cells"]
        self.assertAlmostEqual(changed[6][at], 25, delta=1e-9)
        self.assertEqual(set(same[6]) - {None}, {0})
        self.assertEqual([len(cell) for cell in others], [6, 6])

    def test_a_change_is_the_difference_of_exact_values(self):
        """Values are shown with three digits: 123.4 and 123.6 mm look equal to those of 123 and 124 mm."""
        new = self.compare("new.json")
        old = json.loads(json.dumps(new))
        for report, error in ((new, 0.123_436), (old, 0.123_628)):
            for run in report["meshes"][0]["runs"]:
                run["error"]["max"] = error
        for name, report in (("new.json", new), ("old.json", old)):
            (self.folder / name).write_text(json.dumps(report))
        self.succeed("report", "new.json", "--against", "old.json", "--overview", "-o", "library.html")
        data = self.data()
        at = [title for title, *_ in data["metrics"]].index("error: max")
        _, cell = data["cells"]  # the other is the reference
        self.assertEqual((cell[3][at], cell[6][at]), (123, -0.192))

    def test_a_value_beyond_the_unit_of_the_page_is_a_number(self):
        report = self.compare("arm.json")
        report["meshes"][0]["runs"][1]["error"]["max"] = 1.7e308  # metres, and the page shows millimetres
        (self.folder / "arm.json").write_text(json.dumps(report))
        self.succeed("report", "arm.json", "--overview", "-o", "library.html")
        text = re.search(r'id="overview-data">(.*?)</script>', self.read("library.html").decode(), re.S)[1]
        self.assertNotIn("inf", re.sub(r'"[^"]*"', "", text))

    def test_hostile_names_are_escaped(self):
        report = self.compare("arm.json")
        report["meshes"][0]["id"] = report["inputs"][0]["path"] = HOSTILE + "x" * 1_000_000
        report["clips"][0]["id"] = report["clips"][0]["name"] = HOSTILE
        for run in report["meshes"][0]["runs"]:
            run["clip"] = HOSTILE
            for joint in run["volume"]["joints"]:
                joint["joint"] = HOSTILE
        (self.folder / "bad.json").write_text(json.dumps(report))
        self.succeed("report", "bad.json", "--overview", "-o", "library.html")
        page = self.read("library.html").decode()
        self.assertEqual(page.count("<script"), 2)  # the data and the script
        self.assertNotIn("\x1b", page)
        self.assertLess(len(page), 100_000)
        self.assertTrue(self.data()["clips"][0].startswith("</script><script>alert(1)</script>"))

    def test_a_long_name_of_a_clip_is_shortened_but_not_in_its_address(self):
        report, name = self.compare("arm.json"), "walk " * 30 + "end"
        report["clips"][0]["id"] = report["clips"][0]["name"] = name
        for run in report["meshes"][0]["runs"]:
            run["clip"] = name
        (self.folder / "long.json").write_text(json.dumps(report))
        self.succeed("report", "arm.json", "long.json", "--overview", "-o", "library.html")
        data = self.data()
        self.assertEqual(data["clips"], ["bend_and_twist", name[:80] + "…"])
        self.assertEqual(data["addresses"], {"1": name})
        self.assertIn(f'data-clip="{name}"', self.read("library.long.html").decode())

    def test_invalid_requests_are_refused(self):
        self.compare("arm.json")
        self.fail_with(2, "report", "arm.json", "--overview", "-o", "out.md", naming=("--overview", ".html"))
        self.fail_with(3, "report", "arm.json", "--against", "missing.json", "-o", "out.html", naming="missing.json")


if __name__ == "__main__":
    main()
