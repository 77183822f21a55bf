#!/usr/bin/env python3
"""The end of a clip: its last frame, a warning if the end is not a frame, and the rates of --fps."""

import base64
import json
import math
import struct

from support import CliTest, Pc2, main, require_shared, strict_json



def float32(number):
    return struct.unpack("<f", struct.pack("<f", number))[0]


def next_float32(number, step):
    (bits,) = struct.unpack("<I", struct.pack("<f", number))
    return struct.unpack("<f", struct.pack("<I", bits + step))[0]


def write_flag(path, *clips, interpolation="LINEAR", names=("Flag",)):
    """A triangle of each name. A clip is (times, heights): the height of the triangles at each key, metres."""
    buffers, views, accessors = [], [], []

    def accessor(kind, rows, bounds=False):
        data = b"".join(struct.pack(f"<{len(row)}f", *row) for row in rows)
        views.append({"buffer": len(buffers), "byteLength": len(data)})
        buffers.append({"byteLength": len(data), "uri": "data:;base64," + base64.b64encode(data).decode()})
        made = {"bufferView": len(views) - 1, "componentType": 5126, "type": kind, "count": len(rows)}
        if bounds:
            made.update(min=list(map(min, zip(*rows))), max=list(map(max, zip(*rows))))
        accessors.append(made)
        return len(accessors) - 1

    mesh = accessor("VEC3", [(0, 0, 0), (1, 0, 0), (0, 1, 0)], True)
    animations = []
    for number, (times, heights) in enumerate(clips):
        sampler = {"input": accessor("SCALAR", [(float32(t),) for t in times], True),
                   "output": accessor("VEC3", [(0, h, 0) for h in heights]), "interpolation": interpolation}
        channels = [{"sampler": 0, "target": {"node": node, "path": "translation"}} for node in range(len(names))]
        animations.append({"name": f"clip{number}", "samplers": [sampler], "channels": channels})
    document = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": list(range(len(names)))}],
                "nodes": [{"name": name, "mesh": 0} for name in names], "buffers": buffers, "bufferViews": views,
                "accessors": accessors, "meshes": [{"primitives": [{"attributes": {"POSITION": mesh}}]}]}
    if animations:
        document["animations"] = animations
    path.write_text(json.dumps(document))


class Frames(CliTest):
    def write(self, *clips, name="rig.gltf", **options):
        write_flag(self.folder / name, *clips, **options)

    def frames(self, *options, rig="rig.gltf"):
        report = strict_json(self.succeed("bake", rig, "--json", "--per-vertex", "none", *options).out)
        return [(clip["frame_count"], clip["end_lost_s"]) for clip in report["clips"]]

    def test_the_last_frame_is_not_lost_however_late_it_is(self):
        for fps in (24, 25, 30, 60, 120, 240):
            for last in (1, 1999, 33005, 36005, 72006):
                self.write(([0, last / fps], [0, 1]))
                self.assertEqual(self.frames("--fps", fps), [(last + 1, 0)], (fps, last))

    def test_an_end_that_is_a_frame_but_for_rounding_is_that_frame(self):
        for late in (-1, 0, 1):
            self.write(([0, next_float32(100.3, late)], [0, 1]))
            self.assertEqual(self.frames(), [(3010, 0)])
        for part in (-1e-4, 1e-4):  # of a frame
            self.write(([0, (30 + part) / 30], [0, 1]))
            self.assertEqual(self.frames(), [(31, 0)])

    def test_long_clips_of_the_shared_cases_keep_their_last_frame(self):
        cases = require_shared(self, "cases/11-step-late")
        for name, fps, count in (("lost_60", 60, 36006), ("lost_30", 30, 33006), ("lost_120", 120, 72007),
                                 ("length_24_30001", 24, 30002), ("length_30_36001", 30, 36002),
                                 ("length_60_36001", 60, 36002), ("length_120_36001", 120, 36002)):
            self.assertEqual(self.frames("--fps", fps, rig=cases / f"{name}.glb"), [(count, 0)], name)
        for fps in (24, 25, 30, 60):
            self.succeed("bake", cases / f"step_{fps}fps.glb", "--fps", fps, "-q", "-o", "a.pc2")
            cache = Pc2(self.read("a.pc2"))
            heights = [cache.positions(k)[0][1] for k in range(cache.samples)]
            self.assertEqual(heights, list(range(120 * fps + 1)), fps)


class Ends(CliTest):
    def bake(self, *options, code=0):
        done = self.run_program("bake", "rig.gltf", "-o", "{clip}.{mesh}.pc2", *options)
        self.assertEqual(done.code, code, done)
        return done

    def warnings(self, *options, **more):
        return [line for line in self.bake(*options, **more).err.splitlines() if "CLIP_END_BETWEEN_FRAMES" in line]

    def test_an_end_half_a_frame_late_is_a_warning_with_seconds_metres_and_rate(self):
        write_flag(self.folder / "rig.gltf", ([0, 0.55], [0, 5.5]))
        (line,) = self.warnings("--fps", 10)
        self.assertIn("clip 'clip0' ends at 0.55 s, 0.05 s after its last frame, 5 at 10 fps; until then joint 'Flag' "
                      "of mesh 'Flag' moves its vertices by up to 0.5 m; at 60 fps there is a frame", line)
        self.assertEqual(self.warnings("--fps", 60), [])
        self.assertEqual(self.bake("--fps", 10, "--strict", code=1).code, 1)
        self.bake("--fps", 10, "--strict", "--allow", "CLIP_END_BETWEEN_FRAMES")

    def test_a_last_step_key_is_as_far_as_it_jumps(self):
        write_flag(self.folder / "rig.gltf", ([0, 0.5, 0.55], [0, 0, 49]), interpolation="STEP")
        self.assertIn("by up to 49 m", self.warnings("--fps", 10)[0])

    def test_an_end_in_the_pose_of_the_last_frame_loses_only_time(self):
        write_flag(self.folder / "rig.gltf", ([0, 0.5, 0.55], [0, 2, 2]))
        self.assertIn("5 at 10 fps, in the pose of that frame; at 60 fps", self.warnings("--fps", 10)[0])

    def test_the_rate_is_the_nearest_with_a_frame_at_the_end(self):
        for end, fps, text in ((0.5, 25, "at 24 fps there"), (1001 / 1000, 30, "at 30000/1001 fps there"),
                               (0.01, 110, "at 100 fps there"), (math.pi / 3, 30, "no usual rate up to 240 fps")):
            write_flag(self.folder / "rig.gltf", ([0, end], [0, 1]))
            (line,) = self.warnings("--fps", fps)
            self.assertIn(text, line)

    def test_one_warning_names_all_meshes_and_one_each_clip(self):
        write_flag(self.folder / "rig.gltf", ([0, 0.55], [0, 1]), ([0, 0.5], [0, 1]), ([0, 0.25], [0, 1]),
                   names=("A", "B", "C"))
        done = self.bake("--clip", "all", "--fps", 10, "--report", "r.json")
        issues = [issue for issue in self.json("r.json")["issues"] if issue["code"] == "CLIP_END_BETWEEN_FRAMES"]
        self.assertEqual([issue["message"][:12] for issue in issues], ["clip 'clip0'", "clip 'clip2'"])
        self.assertEqual([clip["end_lost_s"] for clip in self.json("r.json")["clips"]],
                         [float32(0.55) - 0.5, 0, float32(0.25) - 0.2])
        self.assertIn("CLIP_END_BETWEEN_FRAMES", done.err)

    def test_frames_that_leave_out_the_end_do_not_warn(self):
        write_flag(self.folder / "rig.gltf", ([0, 0.55], [0, 1]))
        for options in (("--frames", "0:4"), ("--frames", "0::2"), ("--loop",), ("--fps", "1")):
            self.assertEqual(self.warnings(*(options if "--fps" in options else (*options, "--fps", 10))), [], options)
        self.assertEqual(len(self.warnings("--fps", 10, "--frames", "1::2")), 1)

    def test_a_clip_of_one_key_warns_only_if_it_has_a_duration(self):
        write_flag(self.folder / "rig.gltf", ([0], [1]))
        self.assertEqual(self.warnings("--fps", 10), [])
        write_flag(self.folder / "rig.gltf", ([0.55], [1]))  # constant until its only key
        self.assertIn("in the pose of that frame", self.warnings("--fps", 10)[0])


class RoundedKeys(CliTest):
    """STEP keys whose times an exporter rounded, so that some are later than their frames."""

    def heights(self, *options, rig="rig.gltf"):
        self.succeed("bake", rig, "-q", "-o", "a.pc2", *options)
        cache = Pc2(self.read("a.pc2"))
        return [cache.positions(k)[0][1] for k in range(cache.samples)]

    def test_each_frame_shows_its_key(self):
        for fps, digits in ((24, 4), (24, 5), (30, 5), (60, 5)):
            times = [round(k / fps, digits) for k in range(40)]
            self.assertTrue(any(float32(t) > k / fps + 1e-6 for k, t in enumerate(times)))
            write_flag(self.folder / "rig.gltf", (times, list(range(40))), interpolation="STEP")
            for rate in (fps, "clip"):
                self.assertEqual(self.heights("--fps", rate), list(range(40)), (fps, digits))

    def test_a_jump_at_the_end_is_in_the_last_frame(self):
        # Keys that are on no rate: the end is a frame, within a thousandth of one.
        for interpolation, keys in (("STEP", ([0, .4321, 1.00003], [0, 0, 49])),
                                    ("LINEAR", ([0, .4321, 1, 1.00002], [0, 0, 0, 49])),
                                    ("STEP", ([0, .71, 1.00002], [0, 3, 7]))):
            write_flag(self.folder / "rig.gltf", keys, interpolation=interpolation)
            write_flag(self.folder / "b.gltf", (keys[0], [*keys[1][:-1], 8]), interpolation=interpolation)
            heights = self.heights("--strict")
            self.assertEqual((len(heights), heights[-1], heights[-2]), (31, keys[1][-1], keys[1][1]))
            self.assertEqual(self.heights("--strict", "--frames", "0:29"), heights[:30])
            self.assertEqual(self.run_program("diff", "rig.gltf", "b.gltf").code, 1)
            self.assertEqual(self.run_program("diff", "a.pc2", "rig.gltf", "--frames", "0:29").code, 0)
            done = self.run_program("bake", "rig.gltf", "--loop", "-o", "loop.pc2")
            self.assertRegex(done.err, r"frame 30 does not repeat frame 0; .* by up to \d+ m.*\[LOOP_OPEN\]")

    def test_a_loop_that_jumps_at_an_end_between_frames_is_open(self):
        for end, jump in ((1.02, 49), (1.016, 5), (.55, 7)):
            write_flag(self.folder / "rig.gltf", ([0, .4, end], [0, 0, jump]), interpolation="STEP")
            done = self.run_program("bake", "rig.gltf", "--loop", "-o", "loop.pc2")
            self.assertRegex(done.err, rf"the end at {end} s does not repeat frame 0; .* by up to {jump} m.*\[LOOP_OPEN\]")


class Rates(CliTest):
    def rate(self, *clips, options=(), rig="rig.gltf"):
        write_flag(self.folder / rig, *clips)
        report = strict_json(self.succeed("bake", rig, "--clip", "all", "--json", "--fps", "clip", *options).out)
        self.assertEqual({clip["fps"] for clip in report["clips"]}, {report["settings"]["fps"]})
        self.assertEqual([clip["end_lost_s"] for clip in report["clips"]], [0] * len(clips))
        return report["settings"]["fps"]

    def test_clip_is_the_lowest_usual_rate_with_a_frame_at_every_key(self):
        for rate, keys in ((12, [0]), (12, [0, 1, 2]), (15, [0, 1, 15]), (24, [0, 1, 24]), (25, [0, 1, 2]), (30, [0, 1, 4]),
                           (48, [0, 1, 2]), (50, [0, 1, 7]), (60, [0, 1, 9]), (90, [0, 1, 90]), (100, [3, 9]),
                           (120, [0, 7]), (240, [0, 1]), (24000 / 1001, [0, 1, 2]), (30000 / 1001, [0, 1, 300]),
                           (60000 / 1001, [0, 1])):
            times = [k / rate for k in keys]
            self.assertEqual(self.rate((times, times)), rate, (rate, keys))

    def test_several_clips_have_the_rate_of_all_their_keys(self):
        self.assertEqual(self.rate(([0, 1 / 24], [0, 1]), ([0, 1 / 30], [0, 1])), 120)

    def test_a_key_off_every_rate_is_named_in_an_error(self):
        write_flag(self.folder / "rig.gltf", ([0, 0.5, 0.50321, 1], [0, 0, 1, 0]))
        for command in (("bake", "rig.gltf", "-o", "a.pc2"), ("compare", "rig.gltf", "--json"), ("inspect", "rig.gltf"),
                        ("diff", "rig.gltf", "rig.gltf"), ("diff", "rig.gltf", "rig.gltf", "--match", "surface"),
                        ("retarget", "rig.gltf", "rig.gltf", "-o", "a.glb")):
            self.fail_with(3, *command, "--fps", "clip",
                           naming=("rig.gltf", "CLIP_RATE_UNKNOWN", "key 2 of the translation of node 'Flag' of clip "
                                   "'clip0' at 0.50321 s is 0.", "of a frame off"))
        done = self.run_program("diff", "rig.gltf", "rig.gltf", "--clip", "all", "--fps", "clip")
        self.assertEqual(done.code, 3, done)
        self.assertIn("CLIP_RATE_UNKNOWN", done.err)

    def test_fractions_are_the_nearest_double(self):
        write_flag(self.folder / "rig.gltf", ([0, 10.01], [0, 1]))
        self.succeed("bake", "rig.gltf", "--fps", "30000/1001", "-o", "a.pc2", "-q")
        self.assertEqual((self.json("a.pc2.json")["fps"], self.json("a.pc2.json")["frame_count"]), (30000 / 1001, 301))
        first = self.read("a.pc2")
        self.succeed("bake", "rig.gltf", "--fps", "clip", "-o", "a.pc2", "-q")
        self.assertEqual(self.json("a.pc2.json")["fps"], 24000 / 1001)  # 240 frames
        self.succeed("bake", "rig.gltf", "--fps", repr(30000 / 1001), "-o", "a.pc2", "-q")
        self.assertEqual(self.read("a.pc2"), first)
        self.succeed("convert", "a.pc2", "b.npy", "--fps", "24000/1001", "-q")
        self.assertEqual(self.json("b.npy.json")["fps"], 24000 / 1001)

    def test_a_manifest_takes_the_same_rates(self):
        write_flag(self.folder / "rig.gltf", ([0, 1 / 25, 2 / 25], [0, 1, 2]))
        for fps, rate in (("clip", 25), ("24000/1001", 24000 / 1001), (25, 25)):
            job = {"rig": "rig.gltf", "clip": "all", "output": "a.pc2", "fps": fps}
            manifest = {"schema": "skinbake.batch", "schema_version": "1.0", "jobs": [job]}
            (self.folder / "jobs.json").write_text(json.dumps(manifest))
            self.succeed("batch", "jobs.json")
            self.assertEqual(self.json("a.pc2.json")["fps"], rate)

    def test_values_that_are_no_rates_are_refused(self):
        write_flag(self.folder / "rig.gltf", ([0, 1], [0, 1]))
        for wrong in ("", "x", "clips", "auto", "auto:0.1", "1/", "/2", "24/1/1", "0", "-1", "nan", "inf", "0/1", "1/0", "1e16"):
            for command in (("bake", "rig.gltf", "-o", "a.pc2"), ("inspect", "rig.gltf"), ("convert", "a.pc2", "b.npy")):
                self.fail_with(2, *command, "--fps", wrong, naming="--fps")
        self.fail_with(2, "convert", "a.pc2", "b.npy", "--fps", "clip", naming=("--fps", "a number or N/D"))


class TrueEnds(CliTest):
    def test_retarget_writes_a_key_at_the_exact_end(self):
        for end, count in ((0.6167, 20), (0.6, 19), (next_float32(0.6, -1), 19), (0.01, 2)):
            write_flag(self.folder / "rig.gltf", ([0, end], [0, 1]))
            done = self.succeed("retarget", "rig.gltf", "rig.gltf", "-o", "out.glb")
            self.assertEqual(" and the end at " in done.out, count in (20, 2), done)
            data = self.read("out.glb")
            document = strict_json(data[20:20 + struct.unpack_from("<I", data, 12)[0]].decode())
            (sampler,) = document["animations"][-1]["samplers"]
            times = document["accessors"][sampler["input"]]
            self.assertEqual(times["count"], count)
            self.assertEqual(times["max"], [float32(end)])

    def test_inspect_compares_the_true_ends_and_the_farthest_mesh(self):
        write_flag(self.folder / "rig.gltf", ([0, 0.6, 0.6167], [0, 0, 49]), interpolation="STEP")
        (clip,) = strict_json(self.succeed("inspect", "rig.gltf", "--json").out)["clips"]
        self.assertEqual(clip["loop_error_m"], 49)


class Diffs(CliTest):
    def write_pair(self, a, b, **options):
        write_flag(self.folder / "a.gltf", *a, **options)
        write_flag(self.folder / "b.gltf", *b, **options)

    def test_a_step_key_at_the_end_is_a_difference(self):
        self.write_pair([([0, 0.55], [0, 0])], [([0, 0.55], [0, 49])], interpolation="STEP")
        for options in ((), ("--clip", "all"), ("--match", "order"), ("--match", "surface")):
            done = self.run_program("diff", "a.gltf", "b.gltf", "--fps", "10", *options)
            self.assertEqual(done.code, 1, done)
            self.assertIn("49", done.out)
            self.assertIn("end", done.out)
        done = self.run_program("diff", "a.gltf", "b.gltf", "--fps", "10", "--json", "--fail", "error.max=1")
        self.assertEqual(done.code, 1)
        report = strict_json(done.out)
        at = report["verdict"]["checks"][0]["at"]
        self.assertEqual((at["frame"], at["time_s"]), (6, float32(0.55)))
        self.assertEqual(report["meshes"][0]["runs"][0]["error"]["max_at"]["time_s"], float32(0.55))
        self.assertEqual(report["clips"][0]["end_lost_s"], 0)

    def test_each_clip_is_at_its_own_end(self):
        self.write_pair([([0, 0.55], [0, 5.5])], [([0, 0.58], [0, 5.8])])
        done = self.run_program("diff", "a.gltf", "b.gltf", "--fps", "10")
        self.assertRegex(done.out, r"in \d of 7 frames(.|\n)*max +0\.3 +m.*, the end at 0\.55 s")
        self.write_pair([([0, 0.5], [0, 5])], [([0, 0.55], [0, 5.5])])
        self.assertIn("the end at 0.5 s", self.run_program("diff", "a.gltf", "b.gltf", "--fps", "10").out)

    def test_equal_clips_are_identical_with_their_end(self):
        self.write_pair([([0, 0.55], [0, 5])], [([0, 0.55], [0, 5])])
        done = self.succeed("diff", "a.gltf", "b.gltf", "--fps", "10", "--strict")
        self.assertEqual(done.out, "identical: 6 frames and the end of 3 vertices\n")

    def test_channels_that_no_frame_shows_are_a_warning(self):
        times = [0, 0.5, 0.55, 0.575, 0.6]
        self.write_pair([(times, [0, 0, 0, 0, 0])], [(times, [0, 0, 9, 0, 0])])
        for options in ((), ("--clip", "all")):
            done = self.succeed("diff", "a.gltf", "b.gltf", "--fps", "10", *options)
            self.assertRegex(done.err, r"warning: .*clip 'clip0': the frames are equal, but the channel 'Flag' translation "
                                       r"differs from 0\.5 s on.*\[CHANNELS_DIFFER\]")
            self.assertNotRegex(done.out, "identical(:|\n)")
            self.assertIn("positions", done.out)
            self.assertEqual(self.run_program("diff", "a.gltf", "b.gltf", "--fps", "10", "--strict", *options).code, 1)
        done = self.run_program("diff", "a.gltf", "b.gltf", "--fps", "20")
        self.assertEqual(done.code, 1)
        self.assertNotIn("CHANNELS_DIFFER", done.err)


if __name__ == "__main__":
    main()
