#!/usr/bin/env python3
"""`--view` and `report --rig`: the animated mesh on the page, with the baked frames."""

import base64
import hashlib
import json
import re
import shutil

from support import CliTest, Pc2, RIGS, main
from view_pages import numbers, shown_frames, view_data

ARM = RIGS / "bent_arm.gltf"


class ViewTest(CliTest):
    def page(self, name="page.html"):
        return self.read(name).decode()

    def data(self, name="page.html"):
        return view_data(self.page(name))

    def need_viewer(self):
        done = self.run_program("bake", RIGS / "two_joints.gltf", "-q", "--html", "probe.html", "--view")
        if done.code == 2 and "VIEWER_MISSING" in done.err:
            self.skipTest("a build without the 3D viewer")
        self.assertEqual(done.code, 0, done)


class WithoutViewerTest(CliTest):
    def test_a_build_without_the_viewer_names_the_remedy(self):
        done = self.run_program("bake", ARM, "-q", "--report", "run.json", "--html", "page.html", "--view")
        if done.code == 0:
            self.skipTest("a build with the 3D viewer")
        self.fail_with(2, "bake", ARM, "--html", "page.html", "--view",
                       naming=("VIEWER_MISSING", "--view", "npm", "scripts/setup"))
        self.succeed("bake", ARM, "-q", "--report", "run.json", "--html", "page.html")
        self.fail_with(2, "report", "run.json", "--rig", ARM, "-o", "other.html", naming=("VIEWER_MISSING", "--rig"))
        self.succeed("report", "run.json", "-o", "other.html")
        self.assertEqual(self.read("other.html"), self.read("page.html"))


class PageTest(ViewTest):
    def setUp(self):
        super().setUp()
        self.need_viewer()

    def test_view_and_report_rig_give_the_same_page_for_any_threads_and_target(self):
        methods = ("compare", ARM, "-q", "--methods", "lbs,dqs:sign=temporal,cor",
                   "--profile", "unity-1", "--profile", "unity-2", "--report", "run.json")
        self.succeed(*methods, "--html", "page.html", "--view", "--threads", "1")
        for env in ({}, {"SKINBAKE_TARGET": "SCALAR"}):
            self.succeed(*methods, "--html", "again.html", "--view", "--threads", "3", env=env)
            self.assertEqual(self.read("again.html"), self.read("page.html"))
            self.succeed("report", "run.json", "--rig", ARM, "-o", "shown.html", env=env)
            self.assertEqual(self.read("shown.html"), self.read("page.html"))

    def test_positions_equal_the_cache_and_errors_equal_the_report(self):
        self.succeed("bake", ARM, "-q", "--method", "dqs", "--frames", "3:40:2", "-o", "arm.pc2",
                     "--report", "run.json", "--html", "page.html", "--view")
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
        self.succeed("compare", RIGS / "walker.glb", "-q", "--methods", "lbs,dqs", "--html", "page.html", "--view",
                     "--fps", "10")
        data = self.data()
        self.assertEqual([mesh["id"] for mesh in data["meshes"]], ["Body", "Lantern", "Mouth"])
        runs = [(run["mesh"], run["method"]) for run in data["clips"][0]["runs"]]
        self.assertEqual(runs, [(mesh, method) for mesh in range(3) for method in ("lbs", "dqs")])

    def test_the_content_security_policy_allows_only_the_two_scripts(self):
        self.succeed("bake", RIGS / "two_joints.gltf", "-q", "--html", "page.html", "--view")
        page = self.page()
        scripts = re.findall(r"<script>(.*?)</script>", page, re.S)
        hashes = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
        self.assertEqual(len(scripts), 2)
        self.assertIn("; script-src " + " ".join(f"'sha256-{digest}'" for digest in hashes) + '"', page)
        self.assertEqual(page.count("<script"), 3)  # two scripts and the data
        self.assertNotRegex(page, r"<(script|link|img|iframe)[^>]* (src|href)=")

    def test_report_rig_repeats_modifiers_and_methods(self):
        joints = self.folder / "joints.json"
        joints.write_text(json.dumps({"elbow": {"r0": 0.2, "r1": 0.1}}))
        for options in (("--influences", "1", "--method", "dqs", "--space", "mesh"),
                        ("--twist", "elbow:n=2,from=child", "--weights", "u8", "--reference", "exact"),
                        ("--method", "sbs-core", "--joint-params", joints.name, "--reference", "dqs")):
            self.succeed("bake", ARM, "-q", *options, "--fps", "12", "--report", "run.json", "--html", "page.html",
                         "--view")
            self.succeed("report", "run.json", "--rig", ARM, "-o", "shown.html")
            self.assertEqual(self.read("shown.html"), self.read("page.html"), options)

    def test_clips_of_another_file_must_be_given(self):
        shutil.copy(RIGS / "bent_tube.glb", self.folder / "moves.glb")
        (self.folder / "map.json").write_text("{}")
        self.succeed("bake", RIGS / "twisted_tube.gltf", "-q", "--clip", "moves.glb#bend", "--map", "map.json",
                     "--report", "run.json", "--html", "page.html", "--view")
        self.fail_with(2, "report", "run.json", "--rig", RIGS / "twisted_tube.gltf", "-o", "shown.html",
                       naming=("VIEW_WITHOUT_RIG", "moves.glb", "--clip"))
        self.succeed("report", "run.json", "--rig", RIGS / "twisted_tube.gltf", "--clip", "moves.glb#bend",
                     "--map", "map.json", "-o", "shown.html")
        self.assertEqual(self.read("shown.html"), self.read("page.html"))
        self.fail_with(2, "report", "run.json", "--rig", RIGS / "twisted_tube.gltf", "--clip", "bend",
                       "--map", "map.json", "-o", "other.html", naming="MAP_WITHOUT_CLIP_FILE")
        self.succeed("bake", RIGS / "twisted_tube.gltf", "-q", "--report", "own.json")
        self.fail_with(2, "report", "own.json", "--rig", RIGS / "twisted_tube.gltf", "--clip", "bend",
                       "-o", "other.html", naming="CLIP_UNKNOWN")

    def test_the_rig_is_identified_by_its_bytes(self):
        self.succeed("bake", RIGS / "two_joints.gltf", "-q", "--report", "run.json")
        shutil.copy(RIGS / "two_joints.gltf", self.folder / "renamed.gltf")
        self.succeed("report", "run.json", "--rig", "renamed.gltf", "-o", "page.html")
        changed = (RIGS / "two_joints.gltf").read_text() + "\n"
        (self.folder / "two_joints.gltf").write_text(changed)
        known = self.json("run.json")["inputs"][0]["xxh128"]
        self.fail_with(5, "report", "run.json", "--rig", "two_joints.gltf", "-o", "other.html",
                       naming=("RIG_DIFFERS", "two_joints.gltf", known, "create the report again"))

    def test_errors_against_a_cache_are_not_shown_by_report_rig(self):
        self.succeed("bake", ARM, "-q", "-o", "golden.pc2")
        self.succeed("bake", ARM, "-q", "--method", "dqs", "--reference", "golden.pc2", "--report", "run.json",
                     "--html", "page.html", "--view")
        self.succeed("report", "run.json", "--rig", ARM, "-o", "shown.html")
        baked, shown = (self.data(name)["clips"][0] for name in ("page.html", "shown.html"))
        self.assertIn("errors are against golden.pc2", baked["note"])
        self.assertIn("no reference", shown["note"])
        self.assertEqual(shown["runs"][0]["errors"], "")
        self.assertEqual(shown["runs"][0]["positions"], baked["runs"][0]["positions"])

    def test_invalid_view_requests_are_refused(self):
        self.succeed("bake", ARM, "-q", "-o", "a.pc2", "--report", "run.json")
        self.succeed("diff", "a.pc2", "a.pc2", "-q", "--report", "diff.json")
        rig = ("--rig", ARM, "-o", "out.html")
        self.fail_with(2, "report", "diff.json", *rig, naming="VIEW_WITHOUT_RIG")
        self.fail_with(2, "report", "run.json", "run.json", *rig, naming="--rig")
        self.fail_with(2, "report", "run.json", "--rig", ARM, "-o", "out.md", naming=("--rig", ".html"))
        self.fail_with(2, "report", "run.json", "--clip", "a.glb", "-o", "out.html", naming=("--clip", "--rig"))
        self.fail_with(2, "report", "run.json", "--map", "a.json", "-o", "out.html", naming=("--map", "--rig"))
        self.fail_with(2, "bake", ARM, "-o", "b.pc2", "--view", naming=("--view", "--html"))
        self.fail_with(3, "report", "run.json", "--rig", "missing.glb", "-o", "out.html", naming="missing.glb")
        self.fail_with(2, "report", "run.json", "--rig", ARM, "-o", ARM, "--format", "html", naming="OUTPUT_IS_INPUT")

    def test_a_manipulated_report_does_not_request_missing_data(self):
        self.succeed("bake", ARM, "-q", "--report", "run.json", "--per-vertex", "none", "--metrics", "error")
        report = self.json("run.json")

        def refused(code, naming):
            (self.folder / "bad.json").write_text(json.dumps(changed))
            self.fail_with(code, "report", "bad.json", "--rig", ARM, "-o", "out.html", naming=naming)

        changed = json.loads(json.dumps(report))
        changed["clips"][0]["first_frame"] = 1000
        refused(2, "FRAMES_OUTSIDE")
        changed["clips"][0].update(first_frame=0, fps=1e9)
        changed["clips"][0]["frame_step"] = 10**9
        refused(2, "FRAMES_OUTSIDE")
        for path, value, code, naming in (
                (("clips", 0, "id"), "jump", 2, "jump"),
                (("meshes", 0, "id"), "leg", 2, "MESH_UNKNOWN"),
                (("meshes", 0, "runs", 0, "method"), "magic", 2, "METHOD_UNKNOWN"),
                (("meshes", 0, "runs", 0, "method"), "lbs@unity-1", 2, "METHOD_UNKNOWN"),
                (("meshes", 0, "runs", 0, "profile"), "unity-1", 3, "/meshes/0/runs/0/method"),
                (("settings", "reference"), "magic", 2, "METHOD_UNKNOWN"),
                (("settings", "space"), "outer", 3, "/settings/space"),
                (("settings", "modifiers"), ["influences=0"], 2, "influences"),
                (("settings", "modifiers"), ["influences"], 2, "influences"),
                (("settings", "joint_params"), {"elbow": {"r0": "wide"}}, 3, "/settings/joint_params/elbow/r0")):
            changed = json.loads(json.dumps(report))
            place = changed
            for key in path[:-1]:
                place = place[key]
            place[path[-1]] = value
            if path[0] == "clips":
                changed["meshes"][0]["runs"][0]["clip"] = value
            refused(code, naming)


if __name__ == "__main__":
    main()
