#!/usr/bin/env python3
"""skinbake diff --match: the clips of both sides, and caches."""

import html
import struct

from changed_gltf import ChangedGltf
from match_case import ARM, AUTO, SURFACE, MatchTest
from support import RIGS, main

TUBE = RIGS / "twisted_tube.gltf"

class Clips(MatchTest):
    def test_a_clip_without_a_partner_is_reported(self):
        two = self.arm.split()
        two.json["animations"].append({**two.json["animations"][0], "name": "second"})
        self.save(two)
        report = self.report(*AUTO)
        issue, = report["issues"]
        self.assertEqual((issue["code"], issue["file"]), ("CLIP_UNPAIRED", "b.gltf"))
        self.assertIn("'second'", issue["message"])
        self.diff(*AUTO, "--strict", code=1)

    def test_clips_pair_by_name_and_then_by_order(self):
        a, b = self.arm.copy(), self.arm.copy()
        clip = a.json["animations"][0]
        a.json["animations"] = [{**clip, "name": name} for name in ("one", "two", "three")]
        b.json["animations"] = [{**clip, "name": name} for name in ("three", "uno", "dos")]
        self.save(a, "a.gltf")
        self.save(b)
        report = self.report(*AUTO, a="a.gltf")
        pairs = [(run["clip"], run["surface"]["other_clip"]) for run in report["meshes"][0]["runs"]]
        self.assertEqual(pairs, [("one", "uno"), ("two", "dos"), ("three", "three")])

    def test_a_clip_that_b_lost_fails_unless_allowed(self):
        two = self.arm.copy()
        two.json["animations"].append({**two.json["animations"][0], "name": "second"})
        self.save(two, "a.gltf")
        self.save(self.arm.split())
        pages = ("--report", "r.json", "--report", "r.xml", "--report", "r.md", "--report", "r.html")
        for threshold in ((), ("--fail", "error.max=1"), ("--overlap",)):
            done = self.diff(*AUTO, *pages, *threshold, a="a.gltf", code=1)
            self.assertIn("clip 'second' has no partner in b.gltf", done.err)
            self.assertIn("compared: 1 clip, 31 frames; 1 clip of A has no partner\n", done.out)
            report = self.json("r.json")
            self.assertEqual(report["verdict"]["status"], "fail")
            self.assertEqual([(check["key"], check["clip"]) for check in report["verdict"]["checks"]
                              if not check["passed"]], [("clips.missing", "second")])
            self.assertEqual(self.read("r.xml").count(b"<failure"), 1)
            self.assertIn(b"clip 'second' has a partner", self.read("r.xml").replace(b"&apos;", b"'").replace(b"&#39;", b"'"))
            self.assertIn("❌ `clip 'second' has a partner`", self.read("r.md").decode())
            page = self.read("r.html").decode()
            self.assertIn("clip 'second' has a partner", html.unescape(page))
            self.assertNotIn("exceeded once", page)
        self.diff(*AUTO, *pages, "--allow", "CLIP_UNPAIRED", a="a.gltf")
        self.assertNotIn(b"<failure", self.read("r.xml"))
        self.diff(*AUTO, "--clip", "bend", a="a.gltf")

    def test_a_file_that_lost_all_clips_is_not_comparable(self):
        bare = self.arm.split()
        del bare.json["animations"]
        self.save(bare)
        for options in ((), ("--overlap",), ("--allow", "CLIP_UNPAIRED"), ("--fail", "error.max=9")):
            self.fail_with(5, "diff", ARM, "b.gltf", *AUTO, *options, naming=("b.gltf has no clips", "'bend'"))

    def test_the_rest_pose_pairs_with_the_rest_pose(self):
        bare = self.arm.split()
        del bare.json["animations"]
        self.save(bare)
        report = self.report(*AUTO, a="b.gltf", b=ARM)
        self.assertEqual([(run["clip"], run["surface"]["other_clip"], run["frame_count"])
                          for run in report["meshes"][0]["runs"]], [(None, "", 1)])
        self.assertEqual([issue["code"] for issue in report["issues"]], ["CLIP_UNPAIRED"])

    def test_clips_and_meshes_of_other_names_pair_by_option(self):
        b = self.arm.split()
        clip = b.json["animations"][0]
        b.json["animations"] = [{**clip, "name": name} for name in ("walk", "run", "bend")]
        b.json["nodes"].append({"name": "box", "mesh": 0, "translation": [9, 0, 0]})
        b.json["scenes"][0]["nodes"].append(len(b.json["nodes"]) - 1)
        self.save(b)
        a = self.arm.copy()
        a.json["animations"] = [{**clip, "name": name} for name in ("one", "two")]
        a.json["nodes"][2]["name"] = "body"
        self.save(a, "a.gltf")
        report = self.report(*SURFACE, "--clip", "two", "--clip-b", "walk", "--clip", "one", "--clip-b", "bend",
                             "--mesh", "body", "--mesh-b", "prism", a="a.gltf")
        self.assertEqual([(run["clip"], run["surface"]["other_clip"]) for run in report["meshes"][0]["runs"]],
                         [("two", "walk"), ("one", "bend")])
        self.assertEqual([mesh["id"] for mesh in report["meshes"]], ["a: body", "b: prism"])
        self.assertEqual([issue for issue in report["issues"] if issue["severity"] != "info"], [])
        for options in (("--clip-b", "walk"), ("--clip", "one", "--clip", "two", "--clip-b", "walk"),
                        ("--clip", "one", "--clip-b", "w*"), ("--clip", "one", "--clip", "#0", "--clip-b", "walk",
                                                             "--clip-b", "run")):
            self.fail_with(2, "diff", "a.gltf", "b.gltf", *SURFACE, *options, "--mesh-b", "prism", naming="--clip-b")
        self.succeed("bake", "a.gltf", "--clip", "one", "-o", "a.pc2", "-q")
        self.fail_with(2, "diff", "a.pc2", "b.gltf", *SURFACE, "--rig-a", "a.gltf", "--mesh-b", "prism",
                       "--clip", "one", "--clip-b", "walk", naming=("--clip-b", "a.pc2 is a cache"))

    def test_clips_of_other_names_are_named(self):
        renamed = self.arm.split()
        renamed.json["animations"][0]["name"] = "bow"
        self.save(renamed)
        issue, = self.report(*AUTO)["issues"]
        self.assertEqual((issue["code"], issue["file"]), ("CLIP_OF_OTHER_NAME", "b.gltf"))
        self.assertIn("'bow' is compared with clip 'bend'", issue["message"])
        self.diff(*AUTO, "--strict", code=1)

    def save_without_last_keys(self, count):
        """The tube, whose clip has a key in each of 31 frames."""
        short = ChangedGltf(TUBE)
        sampler = short.json["animations"][0]["samplers"][0]
        for accessor in (sampler["input"], sampler["output"]):
            short.replace(accessor, short.rows(accessor)[:-count])
            for bound in ("min", "max"):
                short.json["accessors"][accessor].pop(bound, None)
        self.save(short)

    def test_lengths_are_compared_in_seconds(self):
        few_frames = (("--fps", "1"), ("--frames", "0::20"))
        self.save_without_last_keys(15)
        for match in ("auto", "order", "surface"):
            for options in few_frames:
                done = self.diff("--match", match, "--sampling", "20%", "--fail", "error.max=9", *options, a=TUBE, code=1)
                self.assertIn("clip 'twist' has another length in b.gltf", done.err)
                self.assertIn("lasts 0.5 s, clip 'twist' of", done.err)
        # What was asked for is in both.
        for options in (("--frames", "0:10"), ("--frames", "0:15:5"), ("--frames", "3")):
            self.diff("--match", "auto", "--fail", "error.max=9", "--strict", *options, a=TUBE)
        self.save_without_last_keys(1)
        for options in few_frames:
            self.diff("--match", "auto", "--fail", "error.max=9", "--strict", *options, a=TUBE)

    def test_frames_that_are_not_compared_are_counted_wherever_frames_are(self):
        self.save_without_last_keys(2)
        pages = [word for form in ("html", "md", "xml") for word in ("--report", f"a.{form}")]
        for a, b, compared in ((TUBE, "b.gltf", "29 of the 31 frames of A"), ("b.gltf", TUBE, "29 frames of the 31 of B")):
            done = self.diff("--match", "auto", "--overlap", "--report", "r.json", *pages, a=a, b=b)
            self.assertIn(f"compared: 1 clip, {compared}\n", done.out)
            run, = self.json("r.json")["meshes"][0]["runs"]
            self.assertEqual(run["surface"]["frames_left_out"], 2)
            for form in ("html", "md", "xml"):
                self.succeed("report", "r.json", "-o", f"b.{form}")
                self.assertEqual(self.read(f"a.{form}"), self.read(f"b.{form}"))
        surface = self.report("--match", "auto", a=TUBE, b=TUBE)["meshes"][0]["runs"][0]["surface"]
        self.assertNotIn("frames_left_out", surface)

    def test_lengths_may_differ_by_a_frame_and_more_is_reported_unless_meant(self):
        def compared(*options, **expected):
            report = self.report("--match", "auto", "--fail", "error.max=1e-5", "--strict", *options, a=TUBE, **expected)
            return [issue["code"] for issue in report["issues"]], report["clips"][0]["frame_count"]

        self.save_without_last_keys(1)
        self.assertEqual(compared(), ([], 30))
        self.save_without_last_keys(2)
        self.assertEqual(compared(code=1), (["CLIP_LENGTHS_DIFFER"], 29))
        self.assertEqual(compared("--overlap"), ([], 29))
        pages = ("--match", "auto", "--report", "r.json", "--report", "r.xml")
        done = self.diff(*pages, a=TUBE, code=1)
        self.assertIn("clip 'twist' has another length in b.gltf, which leaves 2 frames not compared", done.err)
        self.assertEqual([(check["key"], check["value"]) for check in self.json("r.json")["verdict"]["checks"]],
                         [("clips.frames_left_out", 2)])
        self.assertEqual(self.read("r.xml").count(b"<failure"), 1)
        self.diff("--match", "auto", "--report", "r.html", a=TUBE, code=1)
        self.assertIn("clip 'twist' has its partner's length", html.unescape(self.read("r.html").decode()))
        for options in (("--overlap",), ("--allow", "CLIP_LENGTHS_DIFFER")):
            self.diff(*pages, *options, a=TUBE)
            self.assertNotIn(b"<failure", self.read("r.xml"))

    def test_limits_count_clips_and_not_directions(self):
        a, b = self.arm.copy(), self.stiff()
        for rig in (a, b):
            clip = rig.json["animations"][0]
            rig.json["animations"] = [{**clip, "name": name} for name in ("one", "two", "three")]
        self.save(a, "a.gltf")
        self.save(b)
        pages = ("--report", "r.json", "--report", "r.md", "--report", "r.html", "--fail")
        done = self.diff(*SURFACE, *pages, "error.max=1e-3", a="a.gltf", code=1)
        self.assertIn("error.max at most 0.001 m exceeded in 3 clips; worst: ", done.err)
        check, = self.json("r.json")["verdict"]["checks"]
        self.assertEqual((check["failures"], check["failed_clips"]), (6, 3))
        self.assertIn("`exceeded in 3 clips`\n", self.read("r.md").decode())
        self.assertIn("exceeded in 3 clips", self.read("r.html").decode())
        done = self.diff(*SURFACE, *pages, "error.max=1e-3", "--clip", "two", a="a.gltf", code=1)
        self.assertIn("error.max at most 0.001 m exceeded: ", done.err)
        self.assertNotIn("exceeded in", self.read("r.html").decode())
        self.diff(*SURFACE, *pages, "error.max=10", a="a.gltf")
        self.assertEqual(self.json("r.json")["verdict"]["checks"][0]["failed_clips"], 0)

    def test_frames_that_a_clip_does_not_have_name_the_clip_its_file_and_the_remedy(self):
        two = self.arm.split()
        two.json["animations"].append({**two.json["animations"][0], "name": "second"})
        self.save(two)
        for sides in ((ARM, "b.gltf"), ("b.gltf", ARM)):
            self.fail_with(2, "diff", *sides, *AUTO, "--frames", "20:40",
                           naming=(str(sides[0]), "clip 'bend' has frames 0:30", "--frames"))


class Caches(MatchTest):
    def test_caches_are_compared_with_their_rigs(self):
        self.save(self.stiff())
        self.succeed("bake", ARM, "-o", "a.pc2", "-q")
        self.succeed("bake", "b.gltf", "-o", "b.pc2", "-q")
        of_rigs = self.report(*SURFACE, code=1)
        rigs = ("--rig-a", ARM, "--rig-b", "b.gltf")
        of_caches = self.report(*SURFACE, *rigs, a="a.pc2", b="b.pc2", code=1)
        self.assertEqual([mesh["runs"][0]["surface"]["joints"] for mesh in of_rigs["meshes"]],
                         [mesh["runs"][0]["surface"]["joints"] for mesh in of_caches["meshes"]])
        self.diff(*SURFACE, "--rig-a", ARM, a="a.pc2", b=ARM)

    def test_frame_rates_and_spaces_of_caches_are_compared(self):
        self.save(self.arm.split())
        self.succeed("bake", ARM, "-o", "a.pc2", "--fps", "15", "-q")
        rig = ("--rig-a", ARM)
        self.fail_with(5, "diff", "a.pc2", "b.gltf", *SURFACE, *rig, naming=("15 fps", "30 fps"))
        self.diff(*SURFACE, *rig, "--fps", "15", a="a.pc2")
        (self.folder / "a.pc2.json").unlink()  # without it, the rate is unknown
        self.diff(*SURFACE, *rig, "--fps", "15", a="a.pc2")
        self.succeed("bake", ARM, "-o", "a.pc2", "--space", "mesh", "-q")
        self.fail_with(5, "diff", "a.pc2", "b.gltf", *SURFACE, *rig, naming="mesh space")

    def test_rounded_times_of_a_cache_are_equal_to_exact_ones(self):
        self.save(self.arm.split())
        rig = ("--rig-a", ARM)
        for frames in (("--fps", "23.976"), ("--fps", "23.976", "--frames", "7:19:3"), ("--frames", "0:20:2")):
            self.succeed("bake", ARM, "-o", "a.mdd", *frames, "-q")
            self.diff(*SURFACE, *rig, *frames, a="a.mdd")
            (self.folder / "a.mdd.json").unlink()  # the times of the file are rounded
            self.diff(*SURFACE, *rig, *frames, a="a.mdd")
        for frames in (("--fps", "12"), ("--frames", "1:21:2")):
            self.fail_with(5, "diff", "a.mdd", "b.gltf", *SURFACE, *rig, *frames, naming="not comparable")

    def test_a_rig_that_is_not_that_of_the_cache_is_reported(self):
        self.save(self.stiff())
        self.succeed("bake", self.arm.save(self.folder / "a.gltf"), "-o", "a.pc2", "-q")
        rig = ("--rig-a", "a.gltf")
        self.assertEqual(self.report(*SURFACE, *rig, a="a.pc2", code=1)["issues"], [])
        self.moved(self.arm, lambda x, y, z: (x, y, -z)).save(self.folder / "a.gltf")
        issues = self.report(*SURFACE, *rig, a="a.pc2", code=1)["issues"]
        self.assertIn(("CACHE_OF_OTHER_RIG", "a.pc2"), [(issue["code"], issue["file"]) for issue in issues])
        data = bytearray(self.read("a.pc2"))
        data[-1] ^= 1
        (self.folder / "a.pc2").write_bytes(data)
        self.assertIn("SIDECAR_IGNORED", [issue["code"] for issue in
                                          self.report(*SURFACE, *rig, a="a.pc2", code=1)["issues"]])

    def test_one_clip_of_a_rig_is_in_a_cache(self):
        two = self.arm.split()
        two.json["animations"].insert(0, {**two.json["animations"][0], "name": "first"})
        self.save(two)
        self.succeed("bake", ARM, "-o", "a.pc2", "-q")
        rig = ("--rig-a", ARM)
        for sides in ({"a": "a.pc2", "b": "b.gltf"}, {"a": "b.gltf", "b": "a.pc2"}):
            role = "a" if sides["a"] == "a.pc2" else "b"
            report = self.report(*SURFACE, f"--rig-{role}", ARM, **sides)
            self.assertEqual([run["clip"] for run in report["meshes"][0]["runs"]], ["bend"])
            self.assertEqual(report["issues"], [])
        (self.folder / "a.pc2.json").unlink()
        self.fail_with(2, "diff", "a.pc2", "b.gltf", *SURFACE, *rig, naming=("--clip", "2 clips"))
        self.diff(*SURFACE, *rig, "--clip", "bend", a="a.pc2")

    def test_a_cache_in_another_order_is_not_compared_by_index_in_silence(self):
        self.save(self.arm.permuted())
        self.succeed("bake", ARM, "-o", "a.pc2", "-q")
        self.succeed("bake", "b.gltf", "-o", "b.pc2", "-q")
        for a, b, options in (("a.pc2", "b.gltf", ("--rig-a",)), (ARM, "b.pc2", ("--rig-b",)),
                              ("a.pc2", "b.pc2", ("--rig-a", "--rig-b"))):
            done = self.diff(a=a, b=b, code=1)
            for text in ("another order", "--match order", "VERTEX_ORDER_DIFFERS", *options):
                self.assertIn(text, done.err)
            self.assertEqual([issue["code"] for issue in self.report(a=a, b=b, code=1)["issues"]],
                             ["VERTEX_ORDER_DIFFERS"])
            self.assertNotIn("another order", self.diff("--match", "index", a=a, b=b, code=1).err)
        self.save(self.stiff_by_index())
        self.assertNotIn("another order", self.diff(a="a.pc2", code=1).err)

    def stiff_by_index(self):
        """A copy whose vertices keep their order, and move otherwise."""
        return self.moved(self.arm, lambda x, y, z: (x * 1.5, y, z + 0.3))

    def test_a_cache_of_several_clips_is_refused(self):
        two = self.arm.copy()
        two.json["animations"].append({**two.json["animations"][0], "name": "second"})
        self.save(two)
        self.succeed("bake", "b.gltf", "--clip", "all", "-o", "all.glb", "-q")
        self.fail_with(5, "diff", "b.gltf", "all.glb", *SURFACE, "--rig-b", "b.gltf", "--clip", "second",
                       naming=("all.glb contains 2 clips ('bend', 'second')", "--clip"))

    def test_a_cache_needs_its_rig(self):
        self.succeed("bake", ARM, "-o", "a.pc2", "-q")
        self.fail_with(2, "diff", "a.pc2", ARM, "--match", "auto", naming="--rig-a")
        self.fail_with(2, "diff", ARM, ARM, "--match", "auto", "--rig-a", ARM, naming="--rig-a")
        self.save(self.arm.split())
        self.fail_with(5, "diff", "a.pc2", ARM, *AUTO, "--rig-a", "b.gltf", naming=("12", "60"))

    def test_a_position_that_is_not_a_number_exceeds_every_limit(self):
        self.succeed("bake", ARM, "-o", "a.pc2", "-q")
        data = bytearray(self.read("a.pc2"))
        data[-12:-8] = struct.pack("<f", float("nan"))
        (self.folder / "b.pc2").write_bytes(data)
        rigs = ("--rig-a", ARM, "--rig-b", ARM)
        self.diff(*SURFACE, *rigs, "--fail", "error.max=10", a="a.pc2", b="b.pc2", code=1)
        self.fail_with(3, "diff", "a.pc2", "b.pc2", *SURFACE, *rigs, "--hausdorff",
                       naming="NON_FINITE_POSITION")


if __name__ == "__main__":
    main()
