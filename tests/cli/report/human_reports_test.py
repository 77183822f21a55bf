#!/usr/bin/env python3
"""Reports of human bodies: names of poses."""

import html
import json
import re

from support import CliTest, RIGS, main

WALKER = RIGS / "walker.glb"
BODY = (WALKER, "--mesh", "Body", "-q")
NAMES = ["at rest", "<b>up</b> | `x`", "bent \u001b[31m"]
POSES = [{"name": NAMES[0]},
         {"name": NAMES[1], "bones": {"leftUpperArm": {"degrees": [0, 0, 60]}, "head": {"degrees": [0, 50, 0]}}},
         {"name": NAMES[2], "bones": {"leftUpperLeg": {"degrees": [-70, 0, 0]}, "leftLowerLeg": {"degrees": [90, 0, 0]}}}]


def places(value):
    """Every object of a report that names a frame."""
    if isinstance(value, dict):
        if "frame" in value:
            yield value
        value = list(value.values())
    if isinstance(value, list):
        for element in value:
            yield from places(element)


class HumanReports(CliTest):
    def setUp(self):
        super().setUp()
        (self.folder / "poses.json").write_text(json.dumps(POSES))


class NamesOfPoses(HumanReports):
    def test_every_frame_of_a_report_has_the_name_of_its_pose(self):
        self.succeed("compare", *BODY, "--clip", "poses:poses.json", "--method", "lbs", "--method", "dqs", "--method", "cor", "--report", "run.json",
                     "--metrics", "error,volume,edge_stretch,triangle_distortion,bulge,candy_wrapper,inversions",
                     "--explain", "3", "--recommend", "--fail", "volume.max_loss=50%", "--warn", "error.max=0.001",
                     "--report", "page.html", "--report", "page.md", "--report", "page.xml")
        report = self.json("run.json")
        found = list(places(report))
        self.assertGreater(len(found), 60)
        for place in found:
            self.assertEqual(place["pose"], NAMES[place["frame"]], place)
        for section in ("verdict", "explain", "recommendation", "meshes"):
            self.assertTrue(list(places(report[section])), section)

    def test_pages_name_poses_and_escape_them(self):
        run = ("compare", *BODY, "--clip", "poses:poses.json", "--report", "run.json", "--warn", "error.max=0.001")
        self.succeed(*run, "--report", "page.html", "--report", "page.md", "--report", "page.xml")
        self.succeed("report", "run.json", "-o", "again.html", "-o", "again.md", "-o", "again.xml")
        for extension in ("html", "md", "xml"):
            self.assertEqual(self.read("again." + extension), self.read("page." + extension))
        worst = self.json("run.json")["meshes"][0]["runs"][1]["error"]["max_at"]
        name = NAMES[worst["frame"]].replace("\u001b", "\ufffd")
        where = f", frame {worst['frame']}, vertex {worst['vertex']}"
        for extension in ("html", "xml"):
            page = self.read("page." + extension).decode().replace("\u00a0", " ")
            self.assertIn(html.escape(name) + where, re.sub("</?bdi>", "", page))
            self.assertNotIn("<b>", page)
            self.assertNotIn("\u001b", page)
        page = self.read("page.md").decode()
        self.assertIn(f"`{name}{where}`", page)
        self.assertNotIn("\u001b", page)

    def test_the_terminal_names_the_worst_poses(self):
        done = self.succeed("compare", WALKER, "--mesh", "Body", "--clip", "poses:poses.json", "--report", "run.json",
                            "--warn", "error.max=0.001", "--explain", "1")
        worst = self.json("run.json")["meshes"][0]["runs"][1]["error"]["max_at"]
        name = NAMES[worst["frame"]].replace("\u001b", "\ufffd")
        self.assertIn(f"worst: {name}, frame {worst['frame']}\n", done.out)
        self.assertIn(f"), {name}, frame {worst['frame']}: ", done.out)
        self.assertIn(f"dqs against lbs, {name}, frame {worst['frame']}, vertex", done.err)
        self.assertNotIn("\u001b", done.out + done.err)
        done = self.succeed("bake", WALKER, "--mesh", "Body", "--clip", "poses:poses.json", "--method", "dqs",
                            "--json", "--metrics", "error,volume,bulge")
        self.assertIn(f"Body poses:poses.json: worst error: {name}, frame {worst['frame']}; worst volume loss: ",
                      done.err)
        self.assertRegex(done.err, "bulge: max [^;]*, (at rest|<b>up|bent )[^;]*, frame [0-9]+, vertex")

    def test_the_range_of_motion_names_muscles_and_angles(self):
        def pose(frame):
            self.succeed("bake", *BODY, "--clip", "rom:spine", "--method", "dqs", "--fps", "4", "--metrics", "error",
                         "--frames", f"{frame}:{frame}", "--report", "run.json")
            return self.json("run.json")["meshes"][0]["runs"][0]["error"]["max_at"]["pose"]
        # One second to the end of a range, one second back; then the other end.
        end, half, other = (re.fullmatch(r"([a-z -]+) at ([+-]\d+)°", pose(frame)) for frame in (4, 2, 12))
        self.assertEqual((end[1], end[1]), (half[1], other[1]))
        self.assertEqual(int(end[2]), 2 * int(half[2]))
        self.assertLess(int(end[2]) * int(other[2]), 0)
        self.assertEqual(pose(8), "T-pose")

    def test_clips_without_names_leave_reports_unchanged(self):
        done = self.succeed("compare", WALKER, "--mesh", "Body", "--clip", "walk", "--report", "run.json")
        self.assertNotIn("worst: ", done.out)
        report = self.json("run.json")
        self.assertNotIn('"pose"', self.read("run.json").decode())
        self.assertNotIn("file", report["clips"][0])


if __name__ == "__main__":
    main()
