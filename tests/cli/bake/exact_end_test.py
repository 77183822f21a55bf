#!/usr/bin/env python3
"""`--end exact`: caches get the end of a clip that is not a frame, and every reader takes it for what it is."""

import json
import re
import struct

from clip_end_test import float32, write_flag
from glb_files import frames_of, glb
from support import CliTest, RIGS, main, npy, strict_json

ARM = RIGS / "bent_arm.gltf"  # two seconds


def mdd(data):
    """[(time, positions)] of an MDD file, parsed by its layout in Blender's exporter."""
    frames, points = struct.unpack_from(">2i", data)
    times = struct.unpack_from(f">{frames}f", data, 8)
    rows = struct.iter_unpack(f">{3 * points}f", data[8 + 4 * frames:])
    return [(t, [row[i:i + 3] for i in range(0, len(row), 3)]) for t, row in zip(times, rows, strict=True)]


def glb_samples(data, clip=0):
    """[(time, positions)] of a clip of a baked GLB of one mesh; its frames are counted from those of earlier clips."""
    document, binary = glb(data)
    counts, times = [], []
    for animation in document["animations"]:
        accessor = document["accessors"][animation["samplers"][0]["input"]]
        view = document["bufferViews"][accessor["bufferView"]]
        counts.append(accessor["count"])
        times.append(struct.unpack_from(f"<{accessor['count']}f", binary, view["byteOffset"]))
    first = sum(counts[:clip])
    rows = frames_of(document, binary, "POSITION")[first:first + counts[clip]]
    return list(zip(times[clip], rows, strict=True))


def usda_samples(data, fps):
    """[(time, positions)] of the points of USD text of one mesh."""
    text = re.search(r"points\.timeSamples = \{\n(.*?)^ +\}\n", data.decode(), flags=re.M | re.S).group(1)
    return [(float(code) / fps, [tuple(map(float, p.split(", "))) for p in re.findall(r"\(([^()]*)\)", points)])
            for code, points in re.findall(r"^ +(\S+): (.*),$", text, flags=re.M)]


class ExactEndCase(CliTest):
    def write(self, *clips, name="rig.gltf", **options):
        write_flag(self.folder / name, *clips, **options)

    def write_half(self):
        """A clip of 5.5 frames at 10 fps, whose triangle rises by a metre in each frame."""
        self.write(([0, 0.55], [0, 5.5]))

    def bake(self, *outputs, options=()):
        named = [word for output in outputs for word in ("-o", output)]
        return self.succeed("bake", "rig.gltf", "--fps", "10", "--end", "exact", *named, *options)


class Formats(ExactEndCase):
    def check(self, samples, times, rise, within=1e-6):
        """`rise`: metres per second of the triangle."""
        self.assertEqual(len(samples), len(times), samples)
        for (time, points), expected in zip(samples, times):
            self.assertAlmostEqual(time, expected, delta=1e-7)
            for point, corner in zip(points, ((0, 0), (1, 0), (0, 1)), strict=True):
                self.assertAlmostEqual(point[0], corner[0], delta=within)
                self.assertAlmostEqual(point[1], corner[1] + rise * expected, delta=within * max(1, rise * expected))

    def test_the_last_sample_is_the_end_of_the_clip(self):
        for end, fps, whole in ((14.5 / 30, 30, 15), (0.61, 24, 15), (0.01, 30, 1), (1.9, 1, 2), (100.01, 24, 2401),
                                (1, 30000 / 1001, 30)):
            self.write(([0, end], [0, 3 * end]))
            done = self.succeed("bake", "rig.gltf", "--fps", repr(fps), "--end", "exact", "--verify", "--frames",
                                f"{max(0, whole - 4)}:", "-o", "a.glb", "-o", "a.usda", "-o", "a.mdd", "--strict")
            self.assertRegex(done.out, rf"\b{min(whole, 4)} \+ end\b")
            times = [k / fps for k in range(max(0, whole - 4), whole)] + [float32(end)]
            self.assertLess(times[-1] - times[-2], 1 / fps)
            self.check(mdd(self.read("a.mdd")), list(map(float32, times)), 3)
            self.check(glb_samples(self.read("a.glb")), list(map(float32, times)), 3, within=1e-5)
            self.check(usda_samples(self.read("a.usda"), fps), times, 3)
            text = self.read("a.usda").decode()
            self.assertEqual(float(re.search("endTimeCode = (.*)", text).group(1)), times[-1] * fps)
            self.assertEqual(len(re.findall(r"^ +\S+: \[\(.*\), \(.*\)\],$", text, flags=re.M)), 2 * len(times))
            for name in ("a.glb", "a.usda", "a.mdd"):
                sidecar = self.json(name + ".json")
                self.assertEqual((sidecar["frame_count"], sidecar["end_s"]), (len(times), float32(end)))
                self.assertEqual(sidecar.get("clip_frame_count", whole), whole)
                self.assertEqual("clip_frame_count" in sidecar, whole > 4)

    def test_an_end_that_is_a_frame_changes_no_byte(self):
        for end in (0.5, 0.50005, 0.49995, 0):
            self.write(([0, end], [0, 1]) if end else ([0], [1]))
            self.bake("a.glb", "a.usda", "a.mdd", options=("--strict",))
            exact = self.files()
            self.assertNotIn("end_s", self.json("a.mdd.json"))
            self.succeed("bake", "rig.gltf", "--fps", "10", "-o", "a.glb", "-o", "a.usda", "-o", "a.mdd")
            self.assertEqual(self.files(), exact, end)
        write_flag(self.folder / "rig.gltf")  # the rest pose
        self.bake("a.mdd")
        self.assertEqual(len(mdd(self.read("a.mdd"))), 1)

    def test_the_warning_of_a_lost_end_names_the_option_where_all_formats_have_it(self):
        self.write_half()
        for outputs, names in ((("a.mdd", "a.glb"), True), (("a.mdd", "a.pc2"), False), ((), False)):
            words = [word for output in outputs for word in ("-o", output)]
            done = self.succeed("bake", "rig.gltf", "--fps", "10", "--report", "r.json", *words)
            self.assertIn("CLIP_END_BETWEEN_FRAMES", done.err)
            self.assertEqual("--end exact writes the end" in done.err, names, done)

    def test_a_last_step_key_is_held_from_the_end_on(self):
        self.write(([0, 0.5, 0.55], [0, 0, 49]), interpolation="STEP")
        self.bake("a.mdd")
        heights = [points[0][1] for _, points in mdd(self.read("a.mdd"))]
        self.assertEqual(heights, [0] * 6 + [49])

    def test_each_clip_of_a_file_has_its_own_end(self):
        self.write(([0, 0.25], [0, 1]), ([0, 0.3], [0, 2]), ([0, 0.01], [0, 4]))
        self.bake("all.glb", "{clip}.mdd", options=("--clip", "all", "--verify"))
        ends = {0: (4, float32(0.25)), 1: (4, None), 2: (2, float32(0.01))}
        clips = self.json("all.glb.json")["clips"]
        for number, (count, end) in ends.items():
            self.assertEqual((clips[number]["frame_count"], clips[number].get("end_s")), (count, end))
            samples = glb_samples(self.read("all.glb"), number)
            self.assertEqual([time for time, _ in samples], [time for time, _ in mdd(self.read(f"clip{number}.mdd"))])
            self.assertAlmostEqual(samples[-1][1][0][1], (1, 2, 4)[number], places=5)
        self.succeed("convert", "all.glb", "all.npy")  # one clip after another: the sidecar has the ends
        self.assertEqual(self.json("all.npy.json")["clips"], clips)
        self.succeed("diff", "all.glb", "all.npy", "--strict", "--fail", "error.max=1e-5")
        self.succeed("golden", "all.glb", "-o", "goldens")
        self.succeed("golden", "all.glb", "--check", "goldens")

    def test_bytes_do_not_depend_on_threads(self):
        def baked(threads):
            self.succeed("bake", ARM, "--fps", "7.3", "--end", "exact", "--method", "dqs", "--threads", threads,
                         "-o", "a.glb", "-o", "a.usda", "-o", "a.mdd", "--format", "glb:normals=1", "--format",
                         "usda:normals=1", "--verify", "--report", "r.json")
            return self.files()
        self.assertEqual(baked(1), baked(4))

    def test_frames_reach_the_end_from_any_first_frame_and_by_any_step(self):
        self.write_half()
        for frames, numbers in (("3:", (3, 4)), ("0:5", (0, 1, 2, 3, 4)), ("1::2", (1, 3)), ("5", ()), ("0:5:5", (0,))):
            self.bake("a.mdd", options=("--frames", frames))
            expected = [float32(k / 10) for k in (*numbers, 5)] + [float32(0.55)]
            self.assertEqual([time for time, _ in mdd(self.read("a.mdd"))], expected, frames)

    def test_reports_have_whole_frames(self):
        self.write_half()
        arguments = ("compare", "rig.gltf", "--fps", "10", "--method", "lbs", "--method", "dqs", "-o", "{method}.mdd",
                     "--report", "r.json", "--error-matrix", "{method}.npy", "--metrics", "all")
        self.succeed(*arguments)
        whole = self.json("r.json")
        done = self.succeed(*arguments, "--end", "exact")
        self.assertNotIn("CLIP_END_BETWEEN_FRAMES", done.err)
        exact = self.json("r.json")
        self.assertEqual(exact["meshes"], whole["meshes"])
        self.assertEqual(exact["clips"], whole["clips"])
        self.assertEqual(exact["clips"][0]["end_lost_s"], float32(0.55) - 0.5)
        self.assertEqual(npy(self.read("dqs.npy"))[0], (6, 3))
        self.assertEqual(len(mdd(self.read("dqs.mdd"))), 7)

    def test_a_manifest_has_the_key(self):
        self.write_half()
        jobs = [{"rig": "rig.gltf", "output": "a.mdd", "fps": 10, "end": "exact"},
                {"rig": "rig.gltf", "output": "b.mdd", "fps": 10, "end": "frame"}]
        manifest = {"schema": "skinbake.batch", "schema_version": "1.0", "jobs": jobs}
        (self.folder / "jobs.json").write_text(json.dumps(manifest))
        self.succeed("batch", "jobs.json")
        self.assertEqual([len(mdd(self.read(name))) for name in ("a.mdd", "b.mdd")], [7, 6])


class Refusals(ExactEndCase):
    def test_formats_of_one_rate_name_the_others(self):
        for end in (0.55, 0.5):  # the command line decides, not the clip
            self.write(([0, end], [0, 1]))
            for name in ("a.pc2", "a.npy", "a.exr", "a.png"):
                for command in ("bake", "compare"):
                    self.fail_with(2, command, "rig.gltf", "--end", "exact", "-o", "{method}.glb", "-o",
                                   "{method}." + name, naming=("--end", "'{method}." + name + "'", "mdd, glb, usda"))

    def test_without_a_cache_there_is_nothing_to_hold_the_end(self):
        self.write_half()
        for command in (("bake", "--json"), ("compare", "--report", "r.json"), ("bake", "--error-matrix", "e.npy")):
            self.fail_with(2, command[0], "rig.gltf", "--end", "exact", *command[1:],
                           naming=("--end", "add -o", "mdd, glb, usda"))

    def test_frames_that_leave_out_the_end_contradict_it(self):
        self.write_half()
        for options, words in ((("--loop",), ("--loop", "omit one")),
                               (("--frames", "0:4"), ("rig.gltf", "clip 'clip0' end at 4", "after frame 5")),
                               (("--frames", "0::2"), ("end at 4", "after frame 5")),
                               (("--frames", "2"), ("end at 2", "after frame 5"))):
            self.fail_with(2, "bake", "rig.gltf", "--fps", "10", "--end", "exact", "-o", "a.mdd", *options,
                           naming=("--end", *words))

    def test_other_words_and_commands_do_not_have_it(self):
        self.write_half()
        for word in ("", "exactly", "frames", "1"):
            self.fail_with(2, "bake", "rig.gltf", "-o", "a.mdd", "--end", word, naming="--end")
        self.assertEqual(self.run_program("inspect", "rig.gltf", "--end", "exact").code, 2)


class Readers(ExactEndCase):
    def setUp(self):
        super().setUp()
        self.write_half()
        self.bake("a.mdd", "a.glb")

    def without_sidecar(self, name):
        (self.folder / (name + ".json")).unlink()

    def test_convert_keeps_the_end_where_the_format_has_times(self):
        self.succeed("convert", "a.mdd", "b.mdd", "--verify")
        self.succeed("convert", "a.glb", "c.mdd")
        self.assertEqual(self.read("b.mdd"), self.read("a.mdd"))
        self.assertEqual([time for time, _ in mdd(self.read("c.mdd"))], [time for time, _ in mdd(self.read("a.mdd"))])
        for name in ("b.mdd", "c.mdd"):
            self.assertEqual(self.json(name + ".json")["end_s"], float32(0.55))
        self.succeed("convert", "a.mdd", "slow.mdd", "--fps", "5")
        self.assertAlmostEqual(mdd(self.read("slow.mdd"))[-1][0], 1.1, places=6)
        self.without_sidecar("a.mdd")
        self.succeed("convert", "a.mdd", "d.mdd")
        self.assertEqual(self.read("d.mdd"), self.read("a.mdd"))
        self.assertEqual(self.json("d.mdd.json")["end_s"], float32(0.55))

    def test_convert_refuses_a_format_of_one_rate(self):
        for name in ("b.pc2", "b.npy"):
            self.fail_with(2, "convert", "a.mdd", name, naming=(name, "0.55 s", "10 fps", "[CACHE_UNSUITABLE]"))
        self.without_sidecar("a.mdd")
        done = self.fail_with(2, "convert", "a.mdd", "b.pc2", naming="with a time for each frame: mdd")
        self.assertNotIn("glb", done.err)

    def test_inspect_names_the_end(self):
        for name in ("a.mdd", "a.glb"):
            self.assertIn("7, numbered from 0 to 5, and the end at 0.55 s", self.succeed("inspect", name).out)
            cache = strict_json(self.succeed("inspect", name, "--json").out)["cache"]
            self.assertEqual((cache["frame_count"], cache["fps"], cache["end_s"]), (7, 10, float32(0.55)))
        self.without_sidecar("a.mdd")
        self.assertIn("and the end at 0.55 s", self.succeed("inspect", "a.mdd").out)

    def test_diff_compares_the_end_with_the_end(self):
        for words in (("a.glb", "a.mdd"), ("rig.gltf", "a.mdd", "--fps", "10"), ("a.mdd", "rig.gltf", "--fps", "10")):
            done = self.succeed("diff", *words, "--strict", "--fail", "error.max=1e-5")
            self.assertIn("6 frames and the end", done.out)
        self.write(([0, 0.54, 0.55], [0, 5.4, 54]))
        done = self.run_program("diff", "rig.gltf", "a.mdd", "--fps", "10", "--json")
        error = strict_json(done.out)["meshes"][0]["runs"][0]["error"]
        self.assertEqual((done.code, error["max_at"]["time_s"]), (1, float32(0.55)))
        self.assertAlmostEqual(error["max"], 48.5, places=5)
        self.without_sidecar("a.mdd")
        self.assertIn("the end at 0.55 s", self.run_program("diff", "rig.gltf", "a.mdd", "--fps", "10").out)

    def test_an_end_is_not_a_whole_frame_of_the_other_side(self):
        self.write(([0, 0.6], [0, 6]))
        self.succeed("bake", "rig.gltf", "--fps", "10", "-o", "whole.pc2", "-o", "whole.mdd", "-q")
        for name in ("whole.pc2", "whole.mdd"):
            done = self.run_program("diff", name, "a.mdd")
            self.assertEqual(done.code, 1)
            self.assertRegex(done.err, r"a\.mdd: has 10 frames per second and the end at 0\.55 s.*\[FRAMES_UNLIKE\]")
            self.fail_with(5, "diff", "a.mdd", name, "--fail", "error.max=1", naming="FRAMES_UNLIKE")

    def test_a_reference_is_compared_in_its_whole_frames(self):
        options = ("bake", "rig.gltf", "--fps", "10", "--method", "dqs", "--json")
        for name in ("a.mdd", "a.glb"):
            report = strict_json(self.succeed(*options, "--reference", name).out)
            self.assertLess(report["meshes"][0]["runs"][0]["error"]["max"], 1e-5)
            self.assertEqual(report["meshes"][0]["runs"][0]["frame_count"], 6)
        self.succeed("bake", "rig.gltf", "--fps", "10", "-o", "whole.pc2", "-q")
        self.succeed(*options, "--reference", "whole.pc2", "--end", "exact", "-o", "b.mdd")
        self.fail_with(5, *options, "--frames", "0:4", "--reference", "a.mdd", naming="6 frames and the end")

    def test_a_target_of_a_fit_is_fitted_in_its_whole_frames(self):
        self.succeed("bake", ARM, "--method", "dqs", "--fps", "7.3", "--end", "exact", "-o", "target.mdd", "-q")
        self.succeed("fit", ARM, "--target", "target.mdd", "--max-error", "10cm", "--fps", "7.3", "-o", "fit.glb", "-q")

    def test_a_golden_of_a_cache_keeps_its_end(self):
        self.succeed("golden", "a.mdd", "-o", "goldens")
        golden = self.json("goldens/a.mdd.golden")
        self.assertEqual((golden["frame_count"], golden["end_s"]), (7, float32(0.55)))
        self.succeed("golden", "a.mdd", "--check", "goldens")
        for wrong in (0.5, 0.61, -1, "0.55"):
            text = {**{key: value for key, value in golden.items() if key != "xxh128"}, "schema_version": "1.0"}
            (self.folder / "goldens" / "a.mdd.golden").write_text(json.dumps({**text, "end_s": wrong}))
            done = self.run_program("golden", "a.mdd", "--check", "goldens")
            self.assertEqual(done.code, 3, done)
            self.assertIn("/end_s", done.out + done.err)

    def test_a_glb_with_a_wrong_end_is_refused(self):
        data = self.read("a.glb")
        stated = repr(float32(0.55)).encode()
        for wrong in (0.5, 0.61, -1, 1e300, 0.56):
            text = repr(wrong).encode().ljust(len(stated))
            (self.folder / "a.glb").write_bytes(data.replace(b'"end_s":' + stated, b'"end_s":' + text))
            self.assertNotEqual(self.read("a.glb"), data)
            self.fail_with(3, "convert", "a.glb", "b.mdd", naming="a.glb")


if __name__ == "__main__":
    main()
