#!/usr/bin/env python3
"""skinbake diff: compares caches, rigs and reports."""

import json
import math
import re
import struct

from diff_case import DiffCase
from support import RIGS, TRIANGLE, main, strict_json, write_rig

TUBE = RIGS / "twisted_tube.gltf"


def pc2(frames, start=0.0, rate=1.0):
    """The bytes of a cache: frames of points."""
    head = struct.pack("<12siiffi", b"POINTCACHE2\0", 1, len(frames[0]), start, rate, len(frames))
    return head + b"".join(struct.pack("<3f", *point) for frame in frames for point in frame)


def grid(vertices=10, frames=20):
    return [[(v, f / 4, v * f / 8) for v in range(vertices)] for f in range(frames)]


class DiffTest(DiffCase):
    A, B = "a.pc2", "b.pc2"

    def write(self, name, frames, **header):
        (self.folder / name).write_bytes(pc2(frames, **header))
        return name

    def two(self, *moves):
        """Writes a.pc2, and b.pc2 with displacements (frame, vertex, by) along x."""
        frames = grid()
        self.write("a.pc2", frames)
        for frame, vertex, by in moves:
            x, y, z = frames[frame][vertex]
            frames[frame][vertex] = (x + by, y, z)
        self.write("b.pc2", frames)


class Caches(DiffTest):
    def test_identical_caches_exit_0_with_any_limit(self):
        self.two()
        self.assertEqual(self.diff().out, "identical: 20 frames of 10 vertices\n")
        for option in ("--fail", "--warn"):
            for key in ("error.max", "error.rms", "error.mean"):
                self.assertIn(f"{key} at most 0 m kept: 0 m", self.diff(option, f"{key}=0").out)
        self.assertIn("error.max at most 0 m but for 0 % of the vertices kept: 0 m, 0 % of the vertices over it",
                      self.diff("--fail", "error.max=0,share=0%").out)

    def test_any_difference_exits_1_without_a_limit(self):
        self.two((13, 7, 0.25))
        out = self.diff(code=1).out
        self.assertIn("1 of 10 vertices differ, in 1 of 20 frames\n", out)
        self.assertIn("frame 13, vertex 7\n  a (7, 3.25, 11.375)\n  b (7.25, 3.25, 11.375)\n", out)

    def test_zeros_of_both_signs_are_equal(self):
        self.write("a.pc2", [[(0.0, 1, 2)]])
        self.write("b.pc2", [[(-0.0, 1, 2)]])
        self.assertIn("equal", self.diff().out)

    def test_the_numbers_follow_their_definitions(self):
        self.two((13, 7, 0.25), (13, 2, -3), (4, 1, 1))
        report = self.report(code=1)
        run, = report["meshes"][0]["runs"]
        error = run["error"]
        self.assertEqual(error["max"], 3)
        self.assertEqual(error["max_at"], {"frame": 13, "time_s": 13 / 30, "vertex": 2})
        self.assertAlmostEqual(error["rms"], math.sqrt((0.0625 + 9 + 1) / 200), 14)
        self.assertAlmostEqual(error["mean"], (0.25 + 3 + 1) / 200, 14)
        diagonal = report["meshes"][0]["bbox_diagonal_m"]
        self.assertEqual(diagonal, 9)  # of the first frame: x from 0 to 9
        self.assertEqual(error["max_relative"], 3 / 9)
        self.assertEqual(error["per_frame"]["p99"][13], 3)
        self.assertEqual(error["per_frame"]["p50"][13], 0)
        self.assertEqual(run["difference"], {
            "identical": False, "vertices": 3, "frames": 2,
            "at_max": {"a": [2, 3.25, 3.25], "b": [-1, 3.25, 3.25]}, "over": []})
        self.assertEqual([i["role"] for i in report["inputs"]], ["a", "b"])
        self.assertEqual(report["settings"]["baseline"], "first-frame")
        self.assertEqual(report["settings"]["reference"], "a.pc2")

    def test_vertices_over_the_limits_are_counted(self):
        self.two((13, 7, 0.25), (13, 2, -3), (4, 1, 1))
        report = self.report("--fail", "error.max=0.25", "--warn", "error.max=1", code=1)
        over = report["meshes"][0]["runs"][0]["difference"]["over"]
        self.assertEqual([(o["limit_m"], o["vertices"], o["frames"], o["most"]) for o in over],
                         [(0.25, 2, 2, 1), (1, 1, 1, 1)])
        self.assertEqual(over[1]["most_at"], {"frame": 13, "time_s": 13 / 30})

    def test_frame_numbers_and_rates_are_read_from_the_file(self):
        frames = grid()
        self.write("a.pc2", frames, start=10, rate=2)
        frames[3][5] = (0, 0, 0)
        self.write("b.pc2", frames, start=10, rate=2)
        report = self.report(code=1)
        self.assertEqual(report["meshes"][0]["runs"][0]["error"]["max_at"]["frame"], 16)
        self.assertEqual(report["clips"][0]["first_frame"], 10)
        self.assertEqual(report["clips"][0]["frame_step"], 2)
        self.assertEqual(report["issues"], [])
        self.write("b.pc2", frames, start=11, rate=2)
        issue, = self.report(code=1)["issues"]
        self.assertEqual(issue["code"], "FRAME_NUMBERS_DIFFER")

    def test_frame_numbers_of_formats_without_them_are_those_of_the_sidecar(self):
        for name, frames in (("a.npy", "0:9"), ("b.npy", "10:19")):
            self.succeed("bake", TUBE, "-o", name, "--frames", frames, "-q")
        self.assertIn("frames are numbered from 10 by 1, a.npy's from 0 by 1",
                      self.run_program("diff", "a.npy", "b.npy").err)
        self.assertNotIn("FRAME_NUMBERS", self.run_program("diff", "a.npy", "a.npy").err)
        self.succeed("bake", TUBE, "-o", "c.npy", "--method", "dqs", "--frames", "10:19", "-q")
        told, report = (self.run_program("diff", "b.npy", "c.npy", *options)
                        for options in ((), ("--report", "r.json")))
        self.assertEqual(told.out, report.out)
        self.assertRegex(told.out, r"frame 1\d")
        (self.folder / "none.npy").write_bytes(self.read("b.npy"))  # no number is known of it
        self.assertNotIn("FRAME_NUMBERS", self.run_program("diff", "b.npy", "none.npy").err)

    def test_a_stale_sidecar_does_not_number_the_frames(self):
        self.succeed("bake", TUBE, "-o", "a.pc2", "--frames", "0:9", "-q")
        self.succeed("bake", TUBE, "-o", "b.pc2", "--frames", "10:19", "-q")
        (self.folder / "a.pc2.json").write_bytes(self.read("b.pc2.json"))
        self.assertIn("FRAME_NUMBERS_DIFFER", self.run_program("diff", "a.pc2", "b.pc2").err)

    def test_different_rates_and_spaces_are_reported(self):
        def said(options_of_b, side="b.pc2", *options):
            self.succeed("bake", TUBE, "-o", "b.pc2", "--frames", "0:9", *options_of_b, "-q")
            return self.run_program("diff", "a.pc2", side, *options).err

        self.succeed("bake", TUBE, "-o", "a.pc2", "--frames", "0:9", "-q")
        self.assertEqual(said(()), "")
        self.assertRegex(said(("--fps", "24")), r"b\.pc2: has 24 frames per second in scene space, and a\.pc2 has 30 frames per "
                                                r"second in scene space; bake .* \[FRAMES_UNLIKE\]")
        self.assertRegex(said(("--space", "mesh")), r"b\.pc2: has 30 frames per second in mesh space, and a\.pc2 has 30")
        self.assertIn("FRAMES_UNLIKE", said((), TUBE, "--fps", "24", "--frames", "0:9"))
        (self.folder / "a.pc2").write_bytes(self.read("a.pc2")[:-1] + b"\x01")  # its sidecar is stale
        self.assertNotIn("FRAMES_UNLIKE", said(("--fps", "24")))

    def test_a_gate_refuses_frames_that_do_not_correspond(self):
        self.succeed("bake", TUBE, "-o", "a.npy", "--frames", "0:9", "-q")
        (self.folder / "a").mkdir()
        (self.folder / "b").mkdir()
        self.succeed("bake", TUBE, "-o", "a/c.npy", "--frames", "0:9", "-q")
        for options, code in ((("--frames", "0:9", "--fps", "24"), "FRAMES_UNLIKE"),
                              (("--frames", "0:9", "--space", "mesh"), "FRAMES_UNLIKE"),
                              (("--frames", "10:19"), "FRAME_NUMBERS_DIFFER")):
            self.succeed("bake", TUBE, "-o", "b.npy", *options, "-q")
            self.succeed("bake", TUBE, "-o", "b/c.npy", *options, "-q")
            diff = ("diff", "a.npy", "b.npy")
            for limit in (("--fail", "error.max=100"), ("--fail", "error.max=100,share=50%"), ("--fail", "error.max=100")):
                self.fail_with(5, *diff, *limit, naming=("NOT_COMPARABLE", "b.npy", f"--allow {code}"))
            self.assertEqual(self.run_program(*diff, "--warn", "error.max=100").code, 0)
            self.succeed(*diff, "--fail", "error.max=100", "--allow", code)
            done = self.run_program("diff", "a", "b", "--fail", "error.max=100")
            self.assertEqual(done.code, 5, done)
            self.assertIn(f"--allow {code}", done.err)
            self.succeed("diff", "a", "b", "--fail", "error.max=100", "--allow", code)
        self.fail_with(5, "diff", "a.npy", TUBE, "--fps", "24", "--frames", "0:9", "--fail", "error.max=100", naming="NOT_COMPARABLE")
        self.succeed("diff", "a.npy", TUBE, "--frames", "0:9", "--fail", "error.max=100")

    def test_a_gate_takes_the_rate_of_a_file_without_a_sidecar(self):
        def bare(name, *options):
            self.succeed("bake", TUBE, "-o", name, *options, "-q")
            (self.folder / (name + ".json")).unlink()

        self.succeed("bake", TUBE, "-o", "a.pc2", "--frames", "0:9", "-q")
        for name in ("b.mdd", "b.glb"):
            bare(name, "--frames", "0:9", "--fps", "60")
            limit = ("--fail", "error.max=100")
            self.fail_with(5, "diff", "a.pc2", name, *limit, naming=("60 frames per second", "--allow FRAMES_UNLIKE"))
            self.assertIn("[FRAMES_UNLIKE]", self.run_program("diff", "a.pc2", name).err)
            self.fail_with(5, "diff", name, TUBE, "--frames", "0:9", *limit, naming="FRAMES_UNLIKE")
            self.succeed("diff", name, TUBE, "--frames", "0:9", "--fps", "60", *limit)
            bake = ("bake", TUBE, "--frames", "0:9", "-m", "dqs", "--reference", name, *limit)
            self.fail_with(5, *bake, naming=("0:9:1 at 60 fps", "--fps"))
            self.succeed(*bake, "--fps", "60")
        bare("late.mdd", "--frames", "10:19")
        self.fail_with(5, "diff", "a.pc2", "late.mdd", *limit, naming="--allow FRAME_NUMBERS_DIFFER")
        self.fail_with(5, "bake", TUBE, "--frames", "0:9", "-m", "dqs", "--reference", "late.mdd", *limit, naming="10:19:1")

    def test_a_gate_refuses_clips_in_another_order_and_warns_of_another_name(self):
        rig = json.loads(TUBE.read_text())
        for buffer in rig["buffers"]:
            if not buffer["uri"].startswith("data:"):
                (self.folder / buffer["uri"]).write_bytes((RIGS / buffer["uri"]).read_bytes())
        rig["animations"] = [dict(rig["animations"][0], name=name) for name in ("run", "walk")]
        (self.folder / "rig.gltf").write_text(json.dumps(rig))
        rig["animations"].reverse()
        (self.folder / "other.gltf").write_text(json.dumps(rig))
        for name, source in (("a.glb", "rig.gltf"), ("b.glb", "other.gltf")):
            self.succeed("bake", source, "--clip", "all", "-o", name, "--frames", "0:9", "-q")
        limit = ("--fail", "error.max=1000")
        for _ in range(2):  # a baked GLB names its clips, too
            self.fail_with(5, "diff", "a.glb", "b.glb", *limit, naming=("clip 'walk', clip 'run'", "NOT_COMPARABLE"))
            self.assertIn("[FRAMES_UNLIKE]", self.run_program("diff", "a.glb", "b.glb").err)
            (self.folder / "b.glb.json").unlink(missing_ok=True)
        self.assertEqual(self.succeed("diff", "a.glb", "a.glb", *limit).err, "")
        self.succeed("bake", "rig.gltf", "--clip", "run", "--frames", "0:9", "-o", "run.pc2", "-q")
        of_walk = ("rig.gltf", "--clip", "walk", "--frames", "0:9", *limit)
        for command in (("diff", "run.pc2", *of_walk), ("bake", *of_walk, "-m", "dqs", "--reference", "run.pc2")):
            err = self.succeed(*command).err
            self.assertEqual(err.count("CLIP_OF_OTHER_NAME"), 1, err)
            self.assertIn("clip 'run'", err)
            self.assertIn("clip 'walk'", err)
            self.assertNotIn("CLIP_OF", self.succeed(*(part.replace("walk", "run") for part in command)).err)

    def test_rounded_times_of_a_file_are_equal_to_those_of_a_sidecar(self):
        for options in (("--fps", "23.976", "--frames", "0:9"), ("--frames", "0:20:2"), ("--frames", "7:19:3")):
            for name in ("a.pc2", "b.mdd"):
                self.succeed("bake", TUBE, "-o", name, *options, "-q")
            for state in ("with", "without"):
                self.assertEqual(self.succeed("diff", "a.pc2", "b.mdd", "--fail", "error.max=1").err, "", (options, state))
                self.succeed("bake", TUBE, *options, "-m", "dqs", "--reference", "b.mdd", "--fail", "error.max=1")
                (self.folder / "b.mdd.json").unlink(missing_ok=True)

    def test_a_mesh_of_one_point_has_no_relative_error(self):
        self.write("a.pc2", [[(1, 2, 3)]] * 3)
        self.write("b.pc2", [[(1, 2, 3)]] * 3)
        self.report("--fail", "error.max=0%", "--fail", "error.rms=0%")
        self.write("b.pc2", [[(1, 2, 3)], [(1, 2, 3.5)], [(1, 2, 3)]])
        self.report("--fail", "error.max=50%", code=1)

    def test_a_sidecar_supplements_the_cache(self):
        for name in ("a", "b"):
            self.succeed("bake", TUBE, "-o", f"{name}.pc2", "--fps", "24", "--method",
                         "dqs" if name == "b" else "lbs")
        report = self.report(code=1)
        mesh, = report["meshes"]
        self.assertEqual(mesh["id"], "tube")
        self.assertIsNone(mesh["node"])
        self.assertEqual(mesh["runs"][0]["clip"], "twist")
        self.assertEqual(mesh["runs"][0]["method"], "dqs")
        self.assertEqual(report["settings"]["fps"], 24)
        (self.folder / "a.pc2.json").unlink()
        (self.folder / "b.pc2.json").write_text("stale")
        mesh, = self.report(code=1)["meshes"]
        self.assertEqual(mesh["id"], "a")
        self.assertIsNone(mesh["runs"][0]["clip"])
        self.assertIsNone(mesh["runs"][0]["method"])

    def test_other_axes_and_units_are_converted(self):
        """Limits are in metres for caches in any unit."""
        self.succeed("bake", TUBE, "-o", "y.pc2", "-q")
        self.succeed("bake", TUBE, "-o", "z.pc2", "--up", "z", "-q")
        self.succeed("bake", TUBE, "-o", "cm.mdd", "--up", "z", "--scale", "100", "-q")
        self.succeed("bake", TUBE, "-o", "dqs.npy", "--up", "z", "--scale", "100", "--method", "dqs", "-q")
        self.succeed("bake", TUBE, "-o", "golden.pc2", "--method", "dqs", "-q")
        self.assertIn("vertices", self.diff(a="y.pc2", b="z.pc2").out)  # the conversion is exact
        for other in ("y.pc2", TUBE):
            report = self.report("--fail", "error.max=1e-6", a="cm.mdd", b=other)
            self.assertLess(report["meshes"][0]["runs"][0]["error"]["max"], 1e-6)
        expected = self.report(a="y.pc2", b="golden.pc2", code=1)["meshes"][0]
        mesh = self.report(a="cm.mdd", b="dqs.npy", code=1)["meshes"][0]
        self.assertAlmostEqual(mesh["bbox_diagonal_m"], expected["bbox_diagonal_m"], 6)
        for key in ("rms", "max", "max_relative"):
            self.assertAlmostEqual(mesh["runs"][0]["error"][key], expected["runs"][0]["error"][key], 6)
        # The axes of a cache without a sidecar are unknown.
        (self.folder / "cm.mdd.json").unlink()
        self.diff("--fail", "error.max=1", a="cm.mdd", b="y.pc2", code=1)

    def test_a_position_that_is_not_a_number_always_fails(self):
        frames = grid()
        frames[13][7] = (math.nan, 0, 0)
        self.write("a.pc2", frames)
        self.write("b.pc2", frames)  # the same bytes
        self.assertIn("frame 13, vertex 7", self.diff(code=1).out)
        for limit in ("error.max=1e9", "error.rms=1e9", "error.rms=100%", "error.max=1e9,share=100%",
                      "error.max=100%,share=100%"):
            options = ("--fail", limit)
            self.assertIn("not a number", self.diff(*options, code=1).err)
            report = self.report(*options, code=1)
            self.assertEqual(report["verdict"]["status"], "fail")
            self.diff(*options, "-q", "--report", "r.json", code=1)
            self.succeed("report", "r.json", "-o", "r.md")
            self.assertIn("not a number", (self.folder / "r.md").read_text())
            self.assertNotIn("e+308", (self.folder / "r.md").read_text())
            if limit.startswith("error.max"):  # a mean has no place, and a share has many vertices
                place = report["verdict"]["checks"][0]["at"]
                self.assertEqual((place["frame"], place.get("vertex")), (13, None if "share" in limit else 7))
        report = self.report("--fail", "error.max=1e9", code=1)
        self.assertIsNone(report["verdict"]["checks"][0]["value"])
        self.assertIsNone(report["meshes"][0]["runs"][0]["error"]["max"])
        self.assertEqual(report["meshes"][0]["runs"][0]["error"]["max_at"]["vertex"], 7)

    def test_an_infinite_position_exceeds_every_limit(self):
        self.two((13, 7, math.inf))
        self.diff("--fail", "error.max=1e300", code=1)
        self.diff("--fail", "error.max=1e300,share=100%", code=1)
        frames = grid()
        frames[13][7] = (math.inf, 0, 0)  # inf - inf is NaN, of either sign
        self.write("a.pc2", frames)
        self.write("b.pc2", frames)
        self.assertNotIn("-nan", self.diff(code=1).out)

    def test_different_counts_are_not_comparable(self):
        self.write("a.pc2", grid(10, 20))
        self.write("b.pc2", grid(11, 20))
        self.fail_with(5, "diff", "a.pc2", "b.pc2", naming=("a.pc2 has 10 vertices", "b.pc2 has 11"))
        self.write("b.pc2", grid(10, 21))
        self.fail_with(5, "diff", "a.pc2", "b.pc2", "--report", "r.json",
                       naming=("a.pc2 has 20 frames", "b.pc2 has 21"))

    def test_an_unreadable_input_exits_3(self):
        self.two()
        self.fail_with(3, "diff", "a.pc2", "none.pc2", naming=("none.pc2", "does not exist"))
        self.fail_with(3, "diff", "a.pc2", "b.xyz", naming=("b.xyz", ".pc2"))
        (self.folder / "b.pc2").write_bytes(self.read("a.pc2")[:-1])
        self.fail_with(3, "diff", "a.pc2", "b.pc2", naming=("b.pc2", "size", "export"))

    def test_a_report_does_not_replace_an_input(self):
        self.two()
        self.fail_with(2, "diff", "a.pc2", "b.pc2", "--report", "b.pc2", naming="b.pc2")

    def test_a_report_is_the_same_for_any_number_of_threads(self):
        frames = [[(v * 1.1, f / 3, v * f / 7) for v in range(700)] for f in range(50)]
        self.write("a.pc2", frames)
        self.write("b.pc2", [[(x + y / 1e3, y, z) for x, y, z in frame] for frame in frames])
        expected = self.diff("--json", "--threads", "1", code=1).out
        for threads in (2, 5):
            self.assertEqual(self.diff("--json", "--threads", threads, code=1).out, expected)


class Thresholds(DiffTest):
    def test_a_value_is_compared_with_the_limit(self):
        self.two((13, 7, 0.25))
        rms = 0.25 / math.sqrt(200)
        for key, value, unit in (("error.max", 0.25, ""), ("error.rms", rms, "m"), ("error.max", 25 / 9, "%"),
                                 ("error.rms", rms / 9 * 100, "%")):
            above, below = (f"{key}={value * factor!r}{unit}" for factor in (1.0001, 0.9999))
            self.diff("--fail", above)
            self.assertIn("exceeded", self.diff("--fail", below, code=1).err)
            self.assertIn("warning", self.diff("--warn", below).err)
            self.diff("--warn", below, "--strict", code=1)
        self.diff("--fail", "error.max=0.25")  # a value equal to the limit keeps it

    def test_the_frame_and_the_vertex_are_named(self):
        self.two((13, 7, 0.25))
        self.assertIn("frame 13, vertex 7", self.diff("--fail", "error.max=0.1", code=1).err)

    def test_a_share_allows_some_vertices_over_the_limit(self):
        self.two((13, 7, 0.25), (13, 2, 0.5), (4, 1, 1))
        limit = ("--fail", "error.max=0.1")
        self.diff(*limit, code=1)
        self.diff("--fail", "error.max=0.1,share=20%")  # two of ten
        self.diff("--fail", "error.max=0.1,share=20%", "--fail", "error.max=1")
        self.assertIn("error.max at most 0.9 m exceeded",
                      self.diff("--fail", "error.max=0.1,share=20%", "--fail", "error.max=0.9", code=1).err)
        done = self.diff("--fail", "error.max=0.1,share=19.9%", code=1)
        self.assertIn("error.max at most 0.1 m but for 19.9 % of the vertices exceeded: 1 m, 20 % of the vertices over it", done.err)
        self.assertIn("frame 13", done.err)
        check, = self.report("--fail", "error.max=0.1,share=10%", code=1)["verdict"]["checks"]
        self.assertEqual((check["key"], check["limit"], check["value"], check["share"]),
                         ("error.max", 0.1, 1, {"limit": 0.1, "value": 0.2}))
        self.diff("--fail", "error.max=1%,share=20%")
        self.diff("--fail", "error.max=1%,share=10%", code=1)
        self.assertIn("warning", self.diff("--warn", "error.max=0.1,share=10%").err)

    def test_a_share_applies_to_bake_too(self):
        for share, code in (("", 1), (",share=100%", 0), (",share=1%", 1)):
            done = self.run_program("bake", TUBE, "--method", "dqs", "-q", "--fail", f"error.max=0.01{share}")
            self.assertEqual(done.code, code, done)

    def test_an_invalid_limit_exits_2(self):
        self.two()
        for options in (("--fail", "error.max=1,share=101%"), ("--fail", "error.max=1,share=x%"),
                        ("--fail", "error.max=nan"), ("--fail", "volume.max_loss=5%")):
            self.fail_with(2, "diff", "a.pc2", "b.pc2", *options)

    def test_an_option_without_an_effect_exits_2(self):
        self.two()
        for option, value in (("--clip", "run"), ("--method", "dqs"), ("--fps", "24"),
                              ("--frames", "0:1"), ("--loop", None), ("--space", "mesh")):
            self.fail_with(2, "diff", "a.pc2", "b.pc2", option, *([] if value is None else [value]), naming=option)


class StaleSidecars(DiffTest):
    def setUp(self):
        super().setUp()
        self.succeed("bake", TUBE, "-o", "a.pc2", "-q")
        self.succeed("bake", TUBE, "-o", "b.pc2", "-q", "--up", "z", "--scale", "100")

    def test_a_stale_sidecar_is_a_warning(self):
        stale = (self.read("a.pc2.json"), self.read("b.pc2.json") + b"#")
        for text in stale:
            (self.folder / "b.pc2.json").write_bytes(text)
            done = self.diff(code=1)
            self.assertEqual(done.err.count("SIDECAR_IGNORED"), 1)
            self.assertIn("the cache counts as one in metres with Y up", done.err)
            self.assertIn("b.pc2.json", done.err)
            self.assertIn("SIDECAR_IGNORED", [issue["code"] for issue in self.report(code=1)["issues"]])
            for command in ("bake", "compare"):
                done = self.run_program(command, TUBE, "--reference", "b.pc2", "--json", "-q", "--strict")
                self.assertEqual(done.code, 1)
                self.assertIn("SIDECAR_IGNORED", [issue["code"] for issue in strict_json(done.out)["issues"]])

    def test_a_valid_sidecar_is_not_a_warning(self):
        done = self.run_program("diff", "a.pc2", "b.pc2", "--fail", "error.max=1e-3")
        self.assertEqual((done.code, done.err), (0, ""))


class Rigs(DiffTest):
    def bake(self, name, *options):
        self.succeed("bake", TUBE, "-o", name, "-q", *options)
        return name

    def test_a_rig_is_evaluated_on_either_side(self):
        cache = self.bake("dqs.pc2", "--method", "dqs", "--frames", "2:20:3")
        options = ("--method", "dqs", "--frames", "2:20:3")
        for a, b in ((cache, TUBE), (TUBE, cache), (TUBE, TUBE)):
            self.assertIn("identical: 7 frames", self.diff(*options, a=a, b=b).out)
        done = self.diff("--method", "lbs", "--frames", "2:20:3", a=cache, b=TUBE, code=1)
        self.assertIn("vertices differ", done.out)
        self.fail_with(5, "diff", cache, TUBE, naming=("has 7 frames", "has 31"))
        self.assertEqual(sorted(self.files()), ["dqs.pc2", "dqs.pc2.json"])

    def test_the_worst_vertices_are_explained_by_the_rig(self):
        cache = self.bake("dqs.pc2", "--method", "dqs")
        compared = strict_json(self.succeed("compare", TUBE, "--method", "dqs", "--method", "lbs", "--explain", "2", "--json").out)
        for a, b in ((cache, TUBE), (TUBE, cache)):
            explained = self.report("--method", "lbs", "--explain", "2", a=a, b=b, code=1)["explain"]
            for one, wanted in zip(explained, compared["explain"], strict=True):
                self.assertEqual({**one, "reference": ""}, {**wanted, "reference": ""})
            done = self.run_program("diff", a, b, "--method", "lbs", "--explain", "2")
            self.assertIn(f"vertex {explained[0]['vertex']} (primitive 0", done.out)
        self.assertNotIn("explain", self.report("--method", "dqs", "--explain", "2", a=cache, b=TUBE))
        self.fail_with(2, "diff", cache, cache, "--explain", "2", naming=("--explain", "--clip"))

    def test_the_report_has_the_rigs_names_inputs_and_bind_pose(self):
        cache = self.bake("dqs.pc2", "--method", "dqs")
        baked = strict_json(self.succeed("bake", TUBE, "--json", "-q", "--method", "lbs", "--reference", "dqs").out)
        report = self.report("--method", "lbs", a=cache, b=TUBE, code=1)
        self.assertEqual([i["role"] for i in report["inputs"]], ["a", "b"])
        mesh, expected = report["meshes"][0], baked["meshes"][0]
        for key in ("id", "node", "node_name", "vertex_count", "triangle_count", "bbox_diagonal_m", "primitives"):
            self.assertEqual(mesh[key], expected[key])
        self.assertEqual(report["settings"]["baseline"], "bind")
        self.assertEqual(report["clips"], baked["clips"])
        error, wanted = mesh["runs"][0]["error"], expected["runs"][0]["error"]
        self.assertEqual({**error, "reference": ""}, {**wanted, "reference": ""})

    def test_a_rig_may_be_given_for_two_caches(self):
        self.bake("a.pc2")
        self.bake("b.pc2", "--method", "dqs")
        report = self.report("--rig", TUBE, code=1)
        self.assertEqual([i["role"] for i in report["inputs"]], ["a", "b", "rig"])
        self.assertEqual(report["settings"]["baseline"], "bind")
        self.assertEqual(report["meshes"][0]["node_name"], "tube")
        self.fail_with(5, "diff", "a.pc2", "b.pc2", "--rig", RIGS / "two_joints.gltf", naming="vertices")

    def test_a_diff_selects_one_mesh_and_one_clip(self):
        self.fail_with(2, "diff", RIGS / "walker.glb", RIGS / "walker.glb", "--clip", "none")
        self.fail_with(2, "diff", TUBE, TUBE, "--mesh", "none", naming="none")
        self.bake("a.npy")
        self.bake("a.glb")
        self.fail_with(2, "diff", "a.npy", "a.npy", "--mesh", "tube", naming="one mesh each")
        self.fail_with(2, "diff", "a.glb", "a.glb", "--mesh", "none", naming=("none", "'tube'"))
        self.diff("--mesh", "tube", a="a.glb", b="a.glb")

    def test_the_mesh_among_several_of_a_cache_is_named(self):
        walker = RIGS / "walker.glb"
        for name, method in (("a.glb", "lbs"), ("b.glb", "dqs")):
            self.succeed("bake", walker, "-o", name, "--method", method, "--frames", "0:4", "-q")
        done = self.diff("--fail", "error.max=1", "--strict", a="a.glb", b="b.glb")
        self.assertNotIn("sidecar", done.err)
        place = re.search(r"vertex (\d+) \((\d+) of '(\w+)'\)", done.out)
        alone = self.diff("--fail", "error.max=1", "--mesh", place[3], a="a.glb", b="b.glb")
        self.assertIn(f"vertex {place[2]}\n", alone.out)
        self.assertEqual(self.report("--fail", "error.max=1", a="a.glb", b="b.glb")["meshes"][0]["runs"][0]["method"], "dqs")
        self.fail_with(2, "diff", TUBE, TUBE, "--method", "none", naming="none")

    def test_a_full_temporary_folder_exits_4(self):
        done = self.run_program("diff", TUBE, TUBE, env={"TMPDIR": str(self.folder / "none")})
        self.assertEqual(done.code, 4, done)
        self.assertIn("set TMPDIR to an existing folder", done.err)


class Reports(DiffTest):
    def test_reports_are_compared_by_another_command(self):
        self.two()
        self.succeed("bake", TUBE, "--report", "a.json", "-q")
        for sides in (("a.json", "a.json"), ("a.json", "b.pc2"), ("b.pc2", "a.json")):
            self.fail_with(3, "diff", *sides, naming=("a.json", "skinbake report NEW --against OLD"))


if __name__ == "__main__":
    main()
