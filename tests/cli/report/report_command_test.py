#!/usr/bin/env python3
"""The pages of `skinbake report` load nothing, draw every value, and are those that other commands write."""

import base64
import hashlib
import re

from pages_case import Page, PagesCase
from support import RIGS, SOURCE, main


class Drawings(PagesCase):
    def test_a_page_contains_its_charts_and_has_no_external_resources(self):
        self.bake("lbs.json", "bent_arm.gltf", "--reference", "dqs")
        self.bake("cor.json", "bent_arm.gltf", "--method", "cor", "--reference", "dqs")
        text = self.pages("lbs.json", "cor.json")[0]
        page = Page(text)
        charts = [value for tag, name, value in page.attributes if (tag, name) == ("svg", "class")]
        self.assertEqual((charts.count("chart"), charts.count("heat")), (8, 2))
        curves = [value for tag, name, value in page.attributes if (tag, name) == ("path", "data-name")]
        self.assertEqual(curves, ["A: lbs", "B: cor"] * 8)
        for tag, name, value in page.attributes:
            self.assertNotIn(name, ("src", "href", "style"), tag)
            self.assertFalse(name.startswith("on"), (tag, name))
        without_names = text.replace("http://www.w3.org/2000/svg", "")  # a namespace, not an address
        self.assertNotRegex(without_names, r"https?:|@import|url\(")

    def test_the_content_security_policy_allows_only_the_page_s_script(self):
        self.bake()
        text = self.pages("a.json")[0]
        scripts = re.findall(r"<script>(.*?)</script>", text, re.S)
        self.assertEqual(len(scripts), 1)
        # The script of the charts follows, if the build has it.
        own = (SOURCE / "lib/report/pages/page.js").read_text()
        self.assertTrue(scripts[0].startswith(own))
        self.assertIn(len(scripts[0]) - len(own) > 10_000, (scripts[0] != own,))
        digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
        self.assertIn(f"script-src 'sha256-{digest}'", text)

    def test_curves_pass_through_the_values(self):
        report = self.bake("a.json", "twisted_tube.gltf")
        loss = report["meshes"][0]["runs"][0]["volume"]["per_frame"]["loss"]
        text = self.pages("a.json")[0]
        page, curves = Page(text), re.findall(r'data-values="[^"]*" d="([^"]*)"', text)
        values = dict()
        for tag, name, value in page.attributes:
            values.setdefault((tag, name), []).append(value)
        told, path = next((told.split(), path) for told, path in zip(values["path", "data-values"], curves)
                          if float(told.split()[-1]) == float(f"{loss[-1]:.6g}"))
        self.assertEqual(values["path", "data-frames"][0].split(), [str(frame) for frame in range(len(loss))])
        drawn = [float(y) for y in re.findall(r"[ML][-.\d]+ ([-.\d]+)", path)]
        bottom, top, high = max(drawn), min(drawn), max(loss)
        for expected, value, y in zip(loss, told, drawn, strict=True):
            self.assertAlmostEqual(float(value), expected, delta=1e-6 * high)
            # Coordinates have one decimal.
            self.assertAlmostEqual((y - bottom) / (top - bottom) * high, expected, delta=0.001 * high)

    def test_long_clips_keep_their_peaks(self):
        report = self.bake("a.json", "two_joints.gltf", "--per-vertex", "none")
        frames = 100_003
        run = report["meshes"][0]["runs"][0]
        report["clips"][0]["frame_count"] = run["frame_count"] = frames
        for series in run["error"]["per_frame"].values():
            series[:] = [0] * frames
        for section in (run["volume"], *run["volume"]["joints"]):
            for name in section["per_frame"]:
                section["per_frame"][name] = [0] * frames
        run["error"]["per_frame"]["max"][77_777] = 0.5
        run["error"]["per_frame"]["max"][77_778] = None
        self.write("a.json", report)
        text = self.pages("a.json")[0]
        self.assertLess(len(text), 200_000)
        path = re.search(r'error: max</figcaption>.*? d="(M[^"]*)"><title>', text, re.S)[1]
        points = re.findall(r"[ML]([-.\d]+) ([-.\d]+)", path)
        self.assertIn("10", [y for _, y in points])  # the top of the drawing
        self.assertLessEqual(len(points), 600)


class Outputs(PagesCase):
    def test_a_page_does_not_depend_on_the_run_or_the_folder(self):
        self.bake()
        first = self.pages("a.json")
        self.assertEqual(self.pages(self.folder / "a.json"), first)
        self.assertNotIn(str(self.folder), "".join(first))

    def test_bake_and_compare_write_the_pages_of_report(self):
        for command, rig, *options in (("bake", "twisted_tube.gltf", "--method", "dqs"),
                                       ("bake", "bent_tube.glb", "--per-vertex", "none"),
                                       ("compare", "bent_arm.gltf", "--method", "lbs", "--method", "dqs", "--per-vertex", "json")):
            with self.subTest(rig):
                done = self.run_program(command, RIGS / rig, "-q", *options, "--fail", "volume.max_loss=1%",
                                        "--report", "r.json", "--report", "r.html", "--report", "r.md",
                                        "--report", "r.xml", "--depfile", "r.d")
                self.assertIn(done.code, (0, 1), done)
                pages = self.pages("r.json")
                self.assertEqual(pages, tuple(self.read(f"r.{e}").decode() for e in ("html", "md", "xml")))
                Page(pages[0])
                self.assertIn("r.json r.html r.md r.xml :", self.read("r.d").decode())

    def test_a_page_alone_is_an_output(self):
        self.succeed("bake", RIGS / "two_joints.gltf", "-q", "--report", "r.html")
        self.assertIn("<title>two_joints, skinbake report<", self.read("r.html").decode())
        self.fail_with(2, "bake", RIGS / "two_joints.gltf", "--report", "html:-", naming="a web page needs a file")
        self.fail_with(2, "bake", RIGS / "two_joints.gltf", "--report", "x.html", "--report", "x.html", naming="OUTPUT_TWICE")
        self.bake()
        self.fail_with(2, "report", "a.json", "-o", "x.md", "-o", "./x.md", naming="name them differently [OUTPUT_TWICE]")
        self.fail_with(4, "bake", RIGS / "two_joints.gltf", "-o", "x.pc2", "--report", "a.json/x.md", naming="a.json/x.md")

    def test_either_all_pages_are_written_or_none(self):
        self.bake()
        self.write("out.html", "old")
        self.fail_with(4, "report", "a.json", "-o", "out.html", "-o", "a.json/out.xml", naming="a.json/out.xml")
        self.assertEqual(self.read("out.html"), b"old")

    def of_diff(self, code, *arguments):
        done = self.run_program("diff", *arguments, "--report", "d.html", "--report", "d.md", "--report", "d.xml")
        self.assertEqual(done.code, code, done)
        return tuple(self.read(f"d.{extension}").decode() for extension in ("html", "md", "xml"))

    def test_diff_writes_the_pages_of_report(self):
        arm = RIGS / "bent_arm.gltf"
        self.succeed("bake", arm, "-o", "a.pc2")
        for sides, code in ((("a.pc2", "a.pc2"), 0), (("a.pc2", arm, "--method", "dqs", "--explain", "2"), 1),
                            (("a.pc2", arm, "--method", "dqs", "--fail", "error.max=1"), 0),
                            (("a.pc2", arm, "--method", "dqs", "--fail", "error.max=1e-3", "--warn", "error.rms=0"), 1)):
            for per_vertex in ("json", "npy", "none"):
                pages = self.of_diff(code, *sides, "--report", "d.json", "--per-vertex", per_vertex)
                self.assertEqual(pages, self.pages("d.json"), (sides, per_vertex))

    def test_pages_of_diff_do_not_need_a_report(self):
        self.succeed("bake", RIGS / "two_joints.gltf", "-o", "a.pc2")
        self.succeed("bake", RIGS / "two_joints.gltf", "-o", "b.pc2", "--method", "dqs")
        page, _, junit = self.of_diff(1, "a.pc2", "b.pc2")
        self.assertIn("<title>b: fail, skinbake report<", page)
        self.assertIn('name="skinbake diff b.pc2"', junit)
        for wrong in (("--report", "a.pc2"), ("--report", "x"), ("--report", "x.md", "--report", "x.md"), ("--view",)):
            self.fail_with(2, "diff", "a.pc2", "b.pc2", *wrong)
        self.fail_with(4, "diff", "a.pc2", "b.pc2", "--report", "r.json", "--report", "a.pc2/x.md", naming="a.pc2/x.md")


if __name__ == "__main__":
    main()
