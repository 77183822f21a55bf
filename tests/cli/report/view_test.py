#!/usr/bin/env python3
"""`--view`: the animated mesh on the page, with the baked frames."""

import base64
import hashlib
import re

from support import CliTest, Pc2, RIGS, main
from view_pages import numbers, shown_frames, view_data

ARM = RIGS / "bent_arm.gltf"


class ViewTest(CliTest):
    def page(self, name="page.html"):
        return self.read(name).decode()

    def data(self, name="page.html"):
        return view_data(self.page(name))

    def need_viewer(self):
        done = self.run_program("bake", RIGS / "two_joints.gltf", "-q", "--report", "probe.html", "--view")
        if done.code == 2 and "VIEWER_MISSING" in done.err:
            self.skipTest("a build without the 3D viewer")
        self.assertEqual(done.code, 0, done)


class WithoutViewerTest(CliTest):
    def test_a_build_without_the_viewer_names_the_remedy(self):
        done = self.run_program("bake", ARM, "-q", "--report", "run.json", "--report", "page.html", "--view")
        if done.code == 0:
            self.skipTest("a build with the 3D viewer")
        self.fail_with(2, "bake", ARM, "--report", "page.html", "--view",
                       naming=("VIEWER_MISSING", "--view", "npm", "scripts/setup"))
        self.succeed("bake", ARM, "-q", "--report", "run.json", "--report", "page.html")
        self.succeed("report", "run.json", "-o", "other.html")
        self.assertEqual(self.read("other.html"), self.read("page.html"))


class PageTest(ViewTest):
    def setUp(self):
        super().setUp()
        self.need_viewer()

    def test_the_page_is_the_same_for_any_threads_and_target(self):
        methods = ("compare", ARM, "-q", "--method", "lbs", "--method", "dqs:sign=temporal", "--method", "cor",
                   "--profile", "unity-1", "--profile", "unity-2")
        self.succeed(*methods, "--report", "page.html", "--view", "--threads", "1")
        for env in ({}, {"SKINBAKE_TARGET": "SCALAR"}):
            self.succeed(*methods, "--report", "again.html", "--view", "--threads", "3", env=env)
            self.assertEqual(self.read("again.html"), self.read("page.html"))

    def test_positions_equal_the_cache_and_errors_equal_the_report(self):
        self.succeed("bake", ARM, "-q", "--method", "dqs", "--frames", "3:40:2", "-o", "arm.pc2",
                     "--report", "run.json", "--report", "page.html", "--view")
        cache, error = Pc2(self.read("arm.pc2")), self.json("run.json")["meshes"][0]["runs"][0]["error"]
        data = self.data()
        (clip,), (mesh,) = data["clips"], data["meshes"]
        (run,) = clip["runs"]
        self.assertEqual((clip["id"], clip["first_frame"], clip["frame_step"], clip["frame_count"], clip["fps"]),
                         ("bend_and_twist", 3, 2, 19, 30))
        self.assertEqual((run["method"], run["mesh"], mesh["id"], mesh["vertex_count"]),
                         ("dqs", 0, "arm", cache.points))
        self.assertIn("errors are against lbs", clip["note"])
        frames = shown_frames(run, cache.points)
        self.assertEqual(len(frames), 19)
        for frame in (0, 7, 18):
            for (shown, rounding), position in zip(frames[frame], cache.positions(frame), strict=True):
                for axis in range(3):
                    self.assertAlmostEqual(shown[axis], position[axis], delta=rounding[axis])
        largest, worst = numbers("f", run["largest"]), numbers("f", run["worst"])
        for shown, measured in ((largest, error["per_frame"]["max"]), (worst, error["per_vertex"]["max"])):
            self.assertEqual(len(shown), len(measured))
            self.assertLess(max(abs(a - b) for a, b in zip(shown, measured)), 1e-8)
        self.assertGreater(max(worst), 0.02)

    def test_every_mesh_and_clip_is_on_the_page(self):
        self.succeed("compare", RIGS / "walker.glb", "-q", "--method", "lbs", "--method", "dqs", "--report", "page.html", "--view",
                     "--fps", "10")
        data = self.data()
        self.assertEqual([mesh["id"] for mesh in data["meshes"]], ["Body", "Lantern", "Mouth"])
        runs = [(run["mesh"], run["method"]) for run in data["clips"][0]["runs"]]
        self.assertEqual(runs, [(mesh, method) for mesh in range(3) for method in ("lbs", "dqs")])

    def test_the_content_security_policy_allows_only_the_two_scripts(self):
        self.succeed("bake", RIGS / "two_joints.gltf", "-q", "--report", "page.html", "--view")
        page = self.page()
        scripts = re.findall(r"<script>(.*?)</script>", page, re.S)
        hashes = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
        self.assertEqual(len(scripts), 2)
        self.assertIn("; script-src " + " ".join(f"'sha256-{digest}'" for digest in hashes) + '"', page)
        self.assertEqual(page.count("<script"), 3)  # two scripts and the data
        self.assertNotRegex(page, r"<(script|link|img|iframe)[^>]* (src|href)=")

    def test_a_view_needs_a_page(self):
        self.fail_with(2, "bake", ARM, "-o", "b.pc2", "--view", naming=("--view", "web page"))


if __name__ == "__main__":
    main()
