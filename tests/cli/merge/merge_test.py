#!/usr/bin/env python3
"""Puts the caches of ranges of frames together, to the bytes of one run."""

import json
import random
import shutil

from support import AT_ONCE, CliTest, RIGS, main, write_rig

ARM = RIGS / "bent_arm.gltf"  # 61 frames
RANGES = ("0:6", "7:7", "8:40", "41:")


class Caches(CliTest):
    def parts(self, extension, *options, ranges=RANGES, rig=ARM):
        names = []
        for i, frames in enumerate(ranges):
            names.append(f"part{i}.{extension}")
            self.succeed("bake", rig, "-q", "--frames", frames, "-o", names[-1], *options)
        return names

    def expect_whole(self, extension, *options, ranges=RANGES, frames=(), rig=ARM):
        """`frames`: --frames of the one run and of the merge; by default, all of the clip."""
        parts = self.parts(extension, *options, ranges=ranges, rig=rig)
        name = f"whole.{extension}"
        self.succeed("bake", rig, "-q", *frames, "-o", name, *options)
        expected = self.read(name), self.read(f"{name}.json")
        for order in (parts, parts[::-1]):
            (self.folder / name).unlink()
            self.succeed("merge", *order, "-o", name, *frames)
            self.assertEqual((self.read(name), self.read(f"{name}.json")), expected, f"{extension} {options}")

    def test_the_whole_has_the_bytes_of_one_run(self):
        for extension in ("pc2", "mdd", "npy"):
            self.expect_whole(extension, "--method", "dqs")
        self.expect_whole("npy", "--precision", "half")
        self.expect_whole("npy", "--precision", "single")
        self.expect_whole("pc2", "--up", "z", "--scale", "100", "--space", "mesh", "--weights", "u8")
        self.expect_whole("mdd", "--fps", "24", "--method", "ddm")

    def test_steps_and_parts_of_a_clip_are_put_together(self):
        self.expect_whole("pc2", ranges=("5:13:4", "17:29:4"), frames=("--frames", "5:30:4"))
        self.expect_whole("pc2", ranges=("2:14:4", "18::4"), frames=("--frames", "2:60:4"))
        self.expect_whole("npy", "--loop", ranges=("10:19", "20:29"), frames=("--frames", "10:29"))

    def test_equal_parts_of_a_farm_are_put_together(self):
        self.expect_whole("pc2", "--clamp-frames", ranges=[f"{a}:{a + 15}" for a in range(0, 61, 16)])

    def test_the_frames_of_the_whole_are_printed(self):
        self.parts("pc2", ranges=("5:13:4", "17:29:4"))
        done = self.succeed("merge", "part0.pc2", "part1.pc2", "-o", "whole.pc2", "--frames", "5:29:4")
        self.assertRegex(done.out, r"\Awhole\.pc2: frames 5 to 29 in steps of 4\nwhole\.pc2: \d+ bytes, ")
        done = self.succeed("merge", "part0.pc2", "-o", "whole.pc2", "--frames", "5:13:4")
        self.assertTrue(done.out.startswith("whole.pc2: frames 5 to 13 in steps of 4\n"), done)
        self.assertEqual(self.succeed("merge", "part0.pc2", "-o", "whole.pc2", "-q", "--frames", "5:13:4").out, "")

    def test_one_part_is_the_whole(self):
        self.expect_whole("pc2", ranges=("0:",))

    def test_a_million_frames_are_not_held_in_memory(self):
        self.parts("pc2", ranges=("0:30", "31:60"))
        self.succeed("merge", "part0.pc2", "part1.pc2", "-o", "whole.pc2", "--max-memory", "17M")
        self.fail_with(3, "merge", "part0.pc2", "part1.pc2", "-o", "w.pc2", "--max-memory", "1K", naming="MEMORY_LIMIT")


class Refused(CliTest):
    def setUp(self):
        super().setUp()
        self.bake("a.pc2", "0:9")
        self.bake("b.pc2", "10:19")

    def bake(self, name, frames, *options, rig=ARM):
        self.succeed("bake", rig, "-q", "--frames", frames, "-o", name, *options)

    def refuse(self, *parts, naming, code=3):
        self.fail_with(code, "merge", *parts, "-o", "whole.pc2", naming=naming)

    def test_frames_that_are_missing_or_twice_there_are_named(self):
        self.bake("c.pc2", "25:29")
        self.refuse("a.pc2", "c.pc2", "b.pc2", naming=("frames 20 to 24: missing between b.pc2", "c.pc2: "))
        self.bake("d.pc2", "8:12")
        self.refuse("a.pc2", "d.pc2", naming=("d.pc2: frames 8 to 9: also in a.pc2",))
        self.refuse("a.pc2", "a.pc2", naming="frames 0 to 9: also in")

    def test_a_missing_first_or_last_part_is_named(self):
        self.bake("c.pc2", "20:")
        self.refuse("a.pc2", "b.pc2", naming=("b.pc2: frames 20 to 60: missing after this part", "--frames"))
        self.refuse("b.pc2", "c.pc2", naming=("b.pc2: frames 0 to 9: missing before this part",))
        self.refuse("b.pc2", naming="frames 0 to 9: missing before")
        self.succeed("merge", "a.pc2", "b.pc2", "c.pc2", "-o", "whole.pc2")
        self.assertNotIn("clip_frame_count", self.json("whole.pc2.json"))
        self.succeed("merge", "b.pc2", "c.pc2", "-o", "some.pc2", "--frames", "10:60")
        self.assertEqual(self.json("some.pc2.json")["clip_frame_count"], 61)
        self.refuse("some.pc2", naming="frames 0 to 9: missing before")  # it stays a part
        self.succeed("convert", "some.pc2", "some.mdd")
        self.fail_with(3, "merge", "some.mdd", "-o", "whole.mdd", naming="frames 0 to 9: missing before")

    def test_parts_that_do_not_state_the_length_of_their_clip_need_frames(self):
        for name in ("a.pc2", "b.pc2"):  # as older versions wrote them
            sidecar = self.json(f"{name}.json")
            self.assertEqual(sidecar.pop("clip_frame_count"), 61)
            (self.folder / f"{name}.json").write_text(json.dumps(sidecar))
        self.refuse("a.pc2", "b.pc2", naming=("a.pc2: ", "do not state the length of the clip", "--frames", "PARTS_INCOMPLETE"))
        self.refuse("b.pc2", naming="do not state the length of the clip")
        self.succeed("merge", "a.pc2", "b.pc2", "-o", "some.pc2", "--frames", "0:19")
        self.succeed("merge", "a.pc2", "-o", "one.pc2")

    def test_a_missing_part_of_a_loop_or_of_steps_is_named(self):
        self.bake("c.pc2", "0:39", "--loop")
        self.refuse("c.pc2", naming="frames 40 to 59: missing after")
        self.bake("c.pc2", "5:50:5")
        self.refuse("c.pc2", naming="frame 0: missing before")
        self.bake("c.pc2", "3:58:5")
        self.succeed("merge", "c.pc2", "-o", "whole.pc2")

    def test_the_frames_that_were_asked_for_must_be_those_of_the_parts(self):
        for frames, naming in (("0:29", "b.pc2: frames 20 to 29: missing after"),
                               ("0:9", "frames 0 to 19 are those of the parts, but the whole is to have frames 0 to 9"),
                               ("0:18:2", "frames in steps of 1, but the whole has steps of 2")):
            self.fail_with(3, "merge", "a.pc2", "b.pc2", "-o", "whole.pc2", "--frames", frames, naming=naming)
        self.fail_with(2, "merge", "a.pc2", "-o", "whole.pc2", "--frames", "10:", naming="write A:B or A:B:STEP, such as 0:47 [")
        for frames in ("10:", "9:0", "x", "0:9:0"):
            self.fail_with(2, "merge", "a.pc2", "b.pc2", "-o", "whole.pc2", "--frames", frames, naming="--frames")

    def test_parts_of_different_runs_are_refused(self):
        shutil.copy(RIGS / "bent_arm.bin", self.folder)
        (self.folder / "bent_arm.gltf").write_bytes(ARM.read_bytes() + b"\n")
        for options, rig, naming in (
                (("--method", "dqs"), ARM, ("c.pc2: method 'dqs', but 'lbs' in a.pc2",)),
                (("--fps", "24"), ARM, ("frame rate '24', but '30'",)),
                (("--space", "mesh"), ARM, ("space 'mesh'",)),
                (("--scale", "100"), ARM, ("axes",)),
                (("--scale", "1.0000001"), ARM, ("axes '+Y up, 1.0000001 units per metre', but '+Y up, 1 units",)),
                (("--influences", "1"), ARM, ("modifiers 'influences",)),
                ((), "bent_arm.gltf", ("inputs 'rig",)),
                ((), RIGS / "twisted_tube.gltf", ("mesh",))):
            self.bake("c.pc2", "10:19", *options, rig=rig)
            self.refuse("a.pc2", "c.pc2", naming=naming)
        self.bake("c.pc2", "10:19:3")
        self.refuse("a.pc2", "c.pc2", naming="frame step '3', but '1'")
        self.bake("c.mdd", "10:19")
        self.refuse("a.pc2", "c.mdd", naming="format 'mdd', but 'pc2'")

    def test_a_part_without_its_own_sidecar_is_refused(self):
        (self.folder / "b.pc2.json").rename(self.folder / "kept.json")
        self.refuse("a.pc2", "b.pc2", naming=("b.pc2: does not have a sidecar", "b.pc2.json"))
        shutil.copy(self.folder / "a.pc2.json", self.folder / "b.pc2.json")
        self.refuse("a.pc2", "b.pc2", naming="b.pc2: does not have the hash that its sidecar")
        (self.folder / "b.pc2.json").write_text("{")
        self.refuse("a.pc2", "b.pc2", naming=("b.pc2: cannot be trusted", "b.pc2.json is damaged"))
        shutil.copy(self.folder / "kept.json", self.folder / "b.pc2.json")
        data = bytearray(self.read("b.pc2"))
        data[100] ^= 1
        (self.folder / "b.pc2").write_bytes(data)
        self.refuse("a.pc2", "b.pc2", naming=("b.pc2: does not have the hash", "the cache is damaged"))
        (self.folder / "b.pc2").write_bytes(data[:-1])
        self.refuse("a.pc2", "b.pc2", naming=("b.pc2", "CACHE_INVALID"))

    def test_other_formats_are_refused(self):
        self.bake("c.glb", "20:29")
        self.refuse("a.pc2", "b.pc2", "c.glb", naming=("c.glb", "PC2, MDD or NPY"))
        self.fail_with(2, "merge", "a.pc2", "b.pc2", "-o", "whole.mdd", "--frames", "0:19", naming=("convert", "pc2"))
        self.fail_with(2, "merge", "a.pc2", "b.pc2", "-o", "whole.txt", naming="FORMAT_UNKNOWN")

    def test_a_cache_of_several_clips_is_refused(self):
        write_rig(self.folder / "rig.gltf", ["body"], clips=("run", "walk"))
        self.succeed("bake", "rig.gltf", "--clip", "all", "-o", "clips.glb")
        self.succeed("convert", "clips.glb", "clips.pc2")
        self.assertEqual(len(self.json("clips.pc2.json")["clips"]), 2)
        self.refuse("clips.pc2", naming=("clips.pc2: a cache of 2 clips", "bake each clip", "PART_INVALID"))

    def test_no_input_is_replaced(self):
        for output in ("a.pc2", "./b.pc2"):
            self.fail_with(2, "merge", "a.pc2", "b.pc2", "-o", output, naming="OUTPUT_IS_INPUT")
        shutil.copy(self.folder / "a.pc2", self.folder / "w.pc2.json")  # its sidecar would replace a part
        shutil.copy(self.folder / "a.pc2.json", self.folder / "w.pc2.json.json")
        self.fail_with(2, "merge", "a.pc2", "b.pc2", "w.pc2.json", "-o", "w.pc2", naming="OUTPUT_IS_INPUT")

    def test_what_is_missing_or_cannot_be_written_is_named(self):
        self.refuse("a.pc2", "none.pc2", naming="none.pc2: does not exist")
        self.fail_with(4, "merge", "a.pc2", "b.pc2", "-o", "none/whole.pc2", "--frames", "0:19", naming="none")
        done = self.run_program("merge", "a.pc2", "b.pc2", "-o", "/dev/full")
        self.assertEqual(done.code, 2, done)

    def test_an_older_output_stays_if_a_part_is_refused(self):
        (self.folder / "whole.pc2").write_bytes(b"older")
        self.refuse("a.pc2", "a.pc2", naming="also in")
        self.assertEqual(self.read("whole.pc2"), b"older")

    def test_damaged_sidecars_never_crash_it(self):
        good = json.loads(self.read("b.pc2.json"))
        chance = random.Random(1)
        values = (None, -1, 0, 2 ** 62, 1e300, "x", [], {}, True, [{}], {"precision": "half"}, float(2 ** 53))
        for _ in range(120):
            changed = json.loads(json.dumps(good))
            for _ in range(chance.randint(1, 2)):
                changed[chance.choice([*good, "options"])] = chance.choice(values)
            (self.folder / "b.pc2.json").write_text(json.dumps(changed))
            before = self.files()
            done = self.run_program("merge", "a.pc2", "b.pc2", "-o", "whole.pc2", "-q", "--frames", "0:19", timeout=AT_ONCE)
            self.assertIn(done.code, (0, 3), f"{done} {changed}")
            if done.code == 3:
                self.assertEqual(self.files(), before)
            else:  # what was changed has no effect, such as the program's version
                self.assertEqual(len(self.read("whole.pc2")), 2 * len(self.read("a.pc2")) - 32)
                (self.folder / "whole.pc2").unlink()
                (self.folder / "whole.pc2.json").unlink()


if __name__ == "__main__":
    main()
