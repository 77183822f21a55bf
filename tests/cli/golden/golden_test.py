#!/usr/bin/env python3
"""skinbake golden: signs caches and checks them by their signatures."""

import base64
import json
import random
import shutil
import struct

from support import RIGS, CliTest, main

WALKER = RIGS / "walker.glb"
ARM = RIGS / "bent_arm.gltf"


def move(path, frame, vertex, by):
    """Adds to the x of one vertex of a PC2 file."""
    data = bytearray(path.read_bytes())
    vertices, = struct.unpack_from("<i", data, 16)
    at = 32 + (frame * vertices + vertex) * 12
    x, = struct.unpack_from("<f", data, at)
    struct.pack_into("<f", data, at, x + by)
    path.write_bytes(data)


def older(golden):
    """A golden as version 1.0 had it, without a hash of its text, so that tests can change its members."""
    return {**{key: value for key, value in golden.items() if key != "xxh128"}, "schema_version": "1.0"}


class GoldenCase(CliTest):
    def setUp(self):
        super().setUp()
        self.succeed("bake", ARM, "-q", "-o", "arm.pc2")

    def golden(self, code, *arguments):
        done = self.run_program("golden", *arguments)
        self.assertEqual(done.code, code, done)
        return done

    def signed(self, *options):
        self.golden(0, "arm.pc2", "-o", "g", *options)
        return older(json.loads((self.folder / "g/arm.pc2.golden").read_text()))


class Signing(GoldenCase):
    def test_a_golden_is_small_and_has_a_hash_for_each_block(self):
        golden = self.signed()
        self.assertEqual((golden["vertex_count"], golden["frame_count"], len(golden["blocks"])), (1178, 61, 4))
        self.assertEqual(len(golden["vertices"]), 11)  # one of a hundred
        self.assertLess((self.folder / "g/arm.pc2.golden").stat().st_size,
                        0.01 * (self.folder / "arm.pc2").stat().st_size)

    def test_every_joint_has_vertices_of_the_sample(self):
        golden = self.signed("--rig", ARM)
        self.assertEqual(set(golden["joints"]), {"shoulder", "elbow", "wrist"})
        self.assertNotIn("joints", self.signed())

    def test_the_number_of_vertices_may_be_chosen(self):
        self.assertEqual(len(self.signed("--vertices", "40")["vertices"]), 40)
        self.assertEqual(self.signed("--vertices", "65536")["vertices"], list(range(1178)))

    def test_a_quantum_makes_goldens_smaller(self):
        exact = len(self.signed()["positions"])
        self.assertLess(len(self.signed("--quantum", "1e-4")["positions"]), exact)
        self.golden(0, "arm.pc2", "--check", "g")
        self.assertIn("QUANTUM_INVALID", self.golden(2, "arm.pc2", "-o", "g", "--quantum", "1e-9").err)

    def test_the_same_cache_gives_the_same_bytes(self):
        self.signed("--rig", ARM)
        first = (self.folder / "g/arm.pc2.golden").read_bytes()
        self.signed("--rig", ARM, "--threads", "3")
        self.assertEqual((self.folder / "g/arm.pc2.golden").read_bytes(), first)

    def test_a_position_that_is_not_a_number_is_refused(self):
        move(self.folder / "arm.pc2", 5, 600, float("nan"))
        for sampled in ("65536", "1"):
            self.assertIn("NON_FINITE_POSITION", self.golden(3, "arm.pc2", "-o", "g", "--vertices", sampled).err)
            self.assertFalse((self.folder / "g").exists())

    def test_a_folder_keeps_its_folders(self):
        (self.folder / "lib/a").mkdir(parents=True)
        shutil.move(self.folder / "arm.pc2", self.folder / "lib/a/arm.pc2")
        self.golden(0, "lib", "-o", "g")
        self.assertTrue((self.folder / "g/a/arm.pc2.golden").is_file())

    def test_sources_without_a_cache_are_refused(self):
        (self.folder / "empty").mkdir()
        done = self.golden(3, "empty", "-o", "g")
        self.assertIn("the sources have no cache", done.err)
        self.assertNotIn("--scene", done.err)  # it is no option of golden

    def test_two_caches_of_one_name_are_refused(self):
        (self.folder / "x").mkdir()
        shutil.copy(self.folder / "arm.pc2", self.folder / "x/arm.pc2")
        self.assertIn("OUTPUT_TWICE", self.golden(2, "arm.pc2", "x/arm.pc2", "-o", "g").err)

    def test_options_that_do_not_apply_are_refused(self):
        for options in (("--fail", "error.max=1", "-o", "g"), ("--json", "-o", "g"), (), ("--check", "g", "--quantum", "1"),
                        ("--check", "g", "-o", "g"), ("-o", "g", "--vertices", "0")):
            self.golden(2, "arm.pc2", *options)


class Checking(GoldenCase):
    def setUp(self):
        super().setUp()
        self.vertices = self.signed("--rig", ARM)["vertices"]
        self.cache = self.folder / "arm.pc2"

    def test_identical_caches_pass_with_and_without_a_sidecar(self):
        for _ in range(2):
            done = self.golden(0, "arm.pc2", "--check", "g", "--report", "g.xml")
            self.assertIn('name="arm.pc2: error.max at most 0 m"', self.read("g.xml").decode())
            self.assertIn("<system-out>0 m: ", self.read("g.xml").decode())
            self.assertEqual(done.out, "1 cache: 1 identical, 0 failed\n")
            (self.folder / "arm.pc2.json").unlink(missing_ok=True)

    def test_the_sidecar_is_enough_for_a_missing_cache(self):
        self.cache.unlink()
        result, = json.loads(self.golden(0, "arm.pc2", "--check", "g", "--json").out)["results"]
        self.assertEqual((result["status"], result["by_sidecar"]), ("identical", True))
        (self.folder / "arm.pc2.json").unlink()
        self.assertIn("arm.pc2: is missing", self.golden(1, "arm.pc2", "--check", "g").out)

    def test_a_sidecar_is_not_believed_beside_another_cache(self):
        move(self.cache, 20, self.vertices[5], 0.25)
        self.assertIn("arm.pc2: differs", self.golden(1, "arm.pc2", "--check", "g").out)
        self.cache.write_bytes(self.cache.read_bytes() + b"\0")
        self.assertTrue(self.golden(3, "arm.pc2", "--check", "g").out.startswith("arm.pc2: size: "))

    def test_goldens_are_not_written_below_a_file(self):
        done = self.golden(2, "arm.pc2", "-o", "arm.pc2")
        self.assertIn("--output: 'arm.pc2' is a file", done.err)

    def test_a_moved_vertex_of_the_sample_is_named(self):
        (self.folder / "arm.pc2.json").unlink()
        move(self.cache, 20, self.vertices[5], 0.25)
        done = self.golden(1, "arm.pc2", "--check", "g")
        self.assertRegex(done.out, rf"arm.pc2: differs: the sample of 11 vertices differs by 0\.25 m at most, frame 20, "
                                   rf"vertex {self.vertices[5]}, joint '\w+'; 1 of 4 blocks of 16 frames differ, "
                                   r"the first is block 1\n")
        self.golden(1, "arm.pc2", "--check", "g", "--fail", "error.max=0.2")
        done = self.golden(0, "arm.pc2", "--check", "g", "--fail", "error.max=0.3")
        self.assertIn("within 0.3 m on the sample", done.out)

    def test_a_moved_vertex_outside_the_sample_is_found_by_the_hashes(self):
        (self.folder / "arm.pc2.json").unlink()
        vertex = next(v for v in range(1178) if v not in self.vertices)
        move(self.cache, 60, vertex, 0.25)
        self.assertIn("the sample of 11 vertices is equal; 1 of 4 blocks", self.golden(1, "arm.pc2", "--check", "g").out)

    def test_a_change_outside_the_sample_fails_with_any_limit(self):
        (self.folder / "arm.pc2.json").unlink()
        outside = next(v for v in range(1178) if v not in self.vertices)
        move(self.cache, 60, outside, 0.25)
        options = ("arm.pc2", "--check", "g", "--fail", "error.max=1")
        line = ("arm.pc2: is not known to be within 1 m: 1 of 4 blocks of 16 frames differ, and in 1 of them the change "
                "is outside the sample, which is equal; diff the caches, or sign more vertices (--vertices)\n")
        self.assertIn(line, self.golden(1, *options).out)
        self.assertIn("1 cache fails; " + line, self.golden(1, *options, "-q").err)
        result, = json.loads(self.golden(1, *options, "--json").out)["results"]
        self.assertEqual((result["status"], result["passed"], result["blocks_outside_sample"]), ("unseen", False, 1))
        move(self.cache, 20, self.vertices[5], 0.25)  # which the sample sees, in another block
        self.assertIn("2 of 4 blocks of 16 frames differ, and in 1 of them", self.golden(1, *options).out)
        self.assertEqual(self.run_program("diff", "g/arm.pc2.golden", "arm.pc2", "--fail", "error.max=1").code, 1)

    def test_a_change_outside_the_sample_fails_with_a_quantum_too(self):
        golden = self.signed("--quantum", "1e-3")
        self.assertEqual(len(golden["sample_blocks"]), 4)
        (self.folder / "arm.pc2.json").unlink()
        outside = next(v for v in range(1178) if v not in golden["vertices"])
        move(self.cache, 60, outside, 0.25)
        options = ("arm.pc2", "--check", "g", "--fail", "error.max=0.01")
        self.assertIn("in 1 of them the change is outside the sample", self.golden(1, *options).out)
        move(self.cache, 20, golden["vertices"][5], 1e-5)  # which the sample sees, in another block
        self.assertIn("2 of 4 blocks of 16 frames differ, and in 1 of them", self.golden(1, *options).out)

    def test_a_golden_with_a_quantum_and_without_hashes_of_its_sample_knows_identical_blocks_alone(self):
        golden = self.signed("--quantum", "1e-3")
        del golden["sample_blocks"]
        (self.folder / "g/arm.pc2.golden").write_text(json.dumps(golden))
        self.golden(0, "arm.pc2", "--check", "g", "--fail", "error.max=0.01")
        (self.folder / "arm.pc2.json").unlink()
        self.golden(0, "arm.pc2", "--check", "g", "--fail", "error.max=0.01")
        move(self.cache, 20, golden["vertices"][5], 1e-5)
        self.assertIn("outside the sample", self.golden(1, "arm.pc2", "--check", "g", "--fail", "error.max=0.01").out)

    def test_a_sample_within_the_limit_passes_with_a_warning(self):
        (self.folder / "arm.pc2.json").unlink()
        move(self.cache, 20, self.vertices[5], 0.25)
        for options in ((), ("--json",)):
            done = self.golden(0, "arm.pc2", "--check", "g", "--fail", "error.max=0.3", *options)
            self.assertIn("warning: 1 cache is not identical: 1 of 4 blocks of 16 frames differ, within 0.3 m on the "
                          "sample", done.err)

    def test_a_position_that_is_not_a_number_fails_wherever_it_is(self):
        self.golden(0, "arm.pc2", "-o", "q", "--quantum", "1e-3")
        (self.folder / "arm.pc2.json").unlink()
        move(self.cache, 20, self.vertices[5], 1e-5)
        outside = next(v for v in range(1178) if v not in self.vertices)
        move(self.cache, 21, outside, float("nan"))
        place = f"a position is not a number, frame 21, vertex {outside}"
        for goldens in ("g", "q"):
            self.assertIn(place, self.golden(1, "arm.pc2", "--check", goldens, "--fail", "error.max=1e-3").out)
            result = json.loads(self.golden(1, "arm.pc2", "--check", goldens, "--fail", "error.max=1e-3", "--json").out)
            sample = result["results"][0]["sample"]
            self.assertEqual((sample["max"], sample["frame"], sample["vertex"]), (None, 21, outside))
        self.assertEqual(self.run_program("diff", "g/arm.pc2.golden", "arm.pc2", "--fail", "error.max=1e-3").code, 1)

    def test_a_quantum_hides_small_movements_and_passes_with_a_warning(self):
        self.golden(0, "arm.pc2", "-o", "q", "--quantum", "1e-3", "--rig", ARM)  # of the sample self.vertices
        (self.folder / "arm.pc2.json").unlink()
        move(self.cache, 20, self.vertices[5], 1e-5)
        self.assertIn("1 cache is not identical", self.golden(0, "arm.pc2", "--check", "q", "--fail", "error.max=1e-3").err)

    def test_a_sample_of_all_vertices_judges_every_change(self):
        self.golden(0, "arm.pc2", "-o", "all", "--vertices", "65536")
        (self.folder / "arm.pc2.json").unlink()
        move(self.cache, 60, 0, 0.25)
        self.golden(0, "arm.pc2", "--check", "all", "--fail", "error.max=0.3")
        self.assertIn("vertex 0", self.golden(1, "arm.pc2", "--check", "all", "--fail", "error.max=0.2").out)

    def test_a_cache_of_another_format_is_identical_by_its_positions(self):
        self.succeed("convert", "arm.pc2", "arm.npy")
        self.assertEqual(self.succeed("diff", "g/arm.pc2.golden", "arm.npy").out, "identical\n")

    def test_other_counts_are_not_comparable(self):
        self.succeed("bake", ARM, "-q", "--frames", "0:9", "-o", "arm.pc2")
        self.assertIn("NOT_COMPARABLE", self.golden(5, "arm.pc2", "--check", "g").out)

    def test_caches_without_a_golden_and_goldens_without_a_cache_fail(self):
        self.succeed("bake", WALKER, "-q", "--mesh", "Body", "-o", "body.pc2")
        out = self.golden(1, "body.pc2", "--check", "g").out
        self.assertIn("body.pc2: has no golden\n", out)
        self.assertIn("arm.pc2: is missing\n", out)

    def test_the_worst_comes_first(self):
        for name in ("near", "far", "lost", "other"):
            shutil.copy(self.cache, self.folder / f"{name}.pc2")
        self.golden(0, "near.pc2", "far.pc2", "lost.pc2", "other.pc2", "-o", "w", "--rig", ARM)
        for name, by in (("near", 0.25), ("far", 0.5)):
            move(self.folder / f"{name}.pc2", 20, self.vertices[5], by)
        outside = next(v for v in range(1178) if v not in self.vertices)
        shutil.copy(self.cache, self.folder / "new.pc2")
        move(self.folder / "new.pc2", 1, 1, 0.25)  # else it is the lost one, renamed
        shutil.copy(self.folder / "w/far.pc2.golden", self.folder / "w/same.pc2.golden")
        shutil.copy(self.cache, self.folder / "same.pc2")
        move(self.folder / "same.pc2", 20, outside, 0.25)  # which the sample does not see
        self.succeed("bake", ARM, "-q", "--frames", "0:9", "-o", "other.pc2")
        out = self.golden(5, "new.pc2", "near.pc2", "far.pc2", "other.pc2", "same.pc2", "--check", "w").out
        self.assertEqual([line.split(".")[0] for line in out.splitlines()[:6]],
                         ["other", "far", "near", "same", "lost", "new"])

    def reorder(self, order):
        """Gives the vertices of the cache another order."""
        data = self.cache.read_bytes()
        frames = (len(data) - 32) // (1178 * 12)
        rows = [[data[32 + (f * 1178 + v) * 12:][:12] for v in order] for f in range(frames)]
        self.cache.write_bytes(data[:32] + b"".join(b"".join(row) for row in rows))
        (self.folder / "arm.pc2.json").unlink(missing_ok=True)

    def test_another_order_of_the_vertices_is_named(self):
        order = list(range(1178))
        random.Random(3).shuffle(order)
        self.reorder(order)
        line = ("arm.pc2: differs: the order of the vertices differs: the sample of 11 vertices is there in every frame, "
                "but at other indices; 4 of 4 blocks")
        self.assertIn(line, self.golden(1, "arm.pc2", "--check", "g", "--fail", "error.max=1e-5").out)
        result, = json.loads(self.golden(1, "arm.pc2", "--check", "g", "--json").out)["results"]
        self.assertTrue(result["order_differs"])
        self.assertNotIn("joint", result["sample"])

    def test_another_order_is_named_with_a_quantum_and_not_if_a_vertex_has_moved_too(self):
        self.golden(0, "arm.pc2", "-o", "q", "--quantum", "1e-4")
        order = list(range(1178))
        random.Random(3).shuffle(order)
        self.reorder(order)
        self.assertIn("the order of the vertices differs", self.golden(1, "arm.pc2", "--check", "q").out)
        move(self.cache, 40, order.index(self.vertices[5]), 0.25)
        self.assertNotIn("order of the vertices", self.golden(1, "arm.pc2", "--check", "g").out)

    def test_a_renamed_cache_is_one_line(self):
        (self.folder / "lib").mkdir()
        for name in ("arm", "leg"):
            shutil.copy(self.cache, self.folder / f"lib/{name}.pc2")
        move(self.folder / "lib/leg.pc2", 3, 3, 0.25)
        self.golden(0, "lib", "-o", "r")
        (self.folder / "lib/leg.pc2").rename(self.folder / "lib/limb.pc2")
        self.assertEqual(self.golden(1, "lib", "--check", "r").out,
                         "limb.pc2: is renamed from leg.pc2, which is missing; sign it again\n"
                         "2 caches: 1 identical, 1 failed\n")
        results = json.loads(self.golden(1, "lib", "--check", "r", "--json").out)["results"]
        self.assertEqual([(r["name"], r["status"], r.get("renamed_from")) for r in results],
                         [("arm.pc2", "identical", None), ("limb.pc2", "renamed", "leg.pc2")])
        move(self.folder / "lib/limb.pc2", 3, 3, 0.25)  # other positions are no other name
        out = self.golden(1, "lib", "--check", "r").out
        self.assertIn("leg.pc2: is missing\nlimb.pc2: has no golden\n", out)

    def test_diff_takes_a_golden(self):
        self.assertEqual(self.succeed("diff", "g/arm.pc2.golden", "arm.pc2").out, "identical\n")
        self.succeed("bake", ARM, "-q", "--method", "dqs", "-o", "b.pc2")
        done = self.run_program("diff", "g/arm.pc2.golden", "b.pc2")
        self.assertEqual(done.code, 1, done)
        self.assertIn("differs: the sample of 11 vertices differs by", done.out)
        self.assertEqual(self.run_program("diff", "g/arm.pc2.golden", "b.pc2", "--fail", "error.max=1").code, 0)
        self.fail_with(2, "diff", "g/arm.pc2.golden", "b.pc2", "--fail", "error.rms=1", naming="--fail error.max")
        self.fail_with(3, "diff", "g/arm.pc2.golden", "none.pc2", naming="none.pc2")

    def test_a_limit_refuses_frames_that_do_not_correspond(self):
        self.succeed("bake", ARM, "-q", "-o", "arm.pc2", "--frames", "0:59")
        self.golden(0, "arm.pc2", "-o", "g")
        for options, naming in ((("--frames", "0:59", "--fps", "60"), "has 60 frames per second"),
                                (("--frames", "1:60"), "numbered from 1 by 1, the golden's from 0 by 1")):
            self.succeed("bake", ARM, "-q", "-o", "arm.pc2", "-o", "bare.mdd", *options)
            (self.folder / "bare.mdd.json").unlink()  # the file tells its times
            for name in ("arm.pc2", "bare.mdd"):
                diff = ("diff", "g/arm.pc2.golden", name)
                self.fail_with(5, *diff, "--fail", "error.max=100", naming=(naming, "NOT_COMPARABLE"))
                self.assertEqual(self.run_program(*diff).code, 1)
            self.assertIn(naming, self.golden(5, "arm.pc2", "--check", "g", "--fail", "error.max=100").out)

    def test_a_limit_refuses_another_space(self):
        self.succeed("bake", ARM, "-q", "-o", "arm.pc2", "--space", "mesh")
        check = ("arm.pc2", "--check", "g", "--fail", "error.max=100")
        self.assertIn("has 30 frames per second in mesh space", self.golden(5, *check).out)
        self.fail_with(5, "diff", "g/arm.pc2.golden", "arm.pc2", "--fail", "error.max=100", naming=("mesh space", "NOT_COMPARABLE"))
        golden = older(json.loads((self.folder / "g/arm.pc2.golden").read_text()))
        self.assertEqual(golden.pop("space"), "scene")
        (self.folder / "g/arm.pc2.golden").write_text(json.dumps(golden))
        self.golden(0, *check)  # an older golden does not state it

    def write_rig(self, name, clips):
        rig = json.loads(ARM.read_text())
        (self.folder / "bent_arm.bin").write_bytes((RIGS / "bent_arm.bin").read_bytes())
        rig["animations"] = [dict(rig["animations"][0], name=clip) for clip in clips]
        (self.folder / name).write_text(json.dumps(rig))

    def test_a_clip_of_another_name_is_a_warning(self):
        self.write_rig("wave.gltf", ["wave"])
        self.succeed("bake", "wave.gltf", "-q", "-o", "arm.pc2")
        for options in ((), ("--fail", "error.max=1")):
            err = self.golden(0, "arm.pc2", "--check", "g", *options).err
            self.assertEqual(err.count("CLIP_OF_OTHER_NAME"), 1, err)
            self.assertIn("has clip 'wave', and the golden has clip 'bend_and_twist'", err)

    def test_a_limit_refuses_clips_in_another_order(self):
        self.write_rig("a.gltf", ["run", "walk"])
        self.write_rig("b.gltf", ["walk", "run"])
        bake = ("bake", "-q", "--clip", "all", "-o", "arm.glb", "--frames", "0:9")
        self.succeed(*bake, "a.gltf")
        self.golden(0, "arm.glb", "-o", "s")
        check = ("arm.glb", "--check", "s", "--fail", "error.max=100")
        self.assertEqual(self.golden(0, *check).err, "")
        self.succeed(*bake, "b.gltf")
        for _ in range(2):  # a baked GLB names its clips, too
            self.assertIn("has clip 'walk', clip 'run', and the golden has clip 'run', clip 'walk'", self.golden(5, *check).out)
            (self.folder / "arm.glb.json").unlink(missing_ok=True)
        golden = older(json.loads((self.folder / "s/arm.glb.golden").read_text()))
        del golden["clips"], golden["space"]
        (self.folder / "s/arm.glb.golden").write_text(json.dumps(golden))
        self.assertEqual(self.golden(0, *check).err, "")

    def test_a_manifest_is_baked_first(self):
        (self.folder / "jobs.json").write_text(json.dumps({
            "schema": "skinbake.batch", "schema_version": "1.0",
            "jobs": [{"name": "walker", "rig": str(WALKER), "clip": ["*"], "output": ["out/{mesh}.{clip}.pc2"]}]}))
        (self.folder / "out").mkdir()
        self.golden(0, "jobs.json", "-o", "h")
        golden = json.loads((self.folder / "h/out/Body.walk.pc2.golden").read_text())
        self.assertGreater(len(set(golden["joints"])), 3)
        for path in (self.folder / "out").iterdir():
            path.unlink()
        self.assertEqual(self.golden(0, "jobs.json", "--check", "h").out, "3 caches: 3 identical, 0 failed\n")

    def test_a_manifest_with_a_failed_task_has_no_goldens(self):
        def write(**settings):
            job = {"name": "arm", "rig": str(ARM), "output": ["arm.pc2"], **settings}
            (self.folder / "jobs.json").write_text(
                json.dumps({"schema": "skinbake.batch", "schema_version": "1.0", "jobs": [job]}))
        write()
        self.golden(0, "jobs.json", "-o", "old")
        write(**{"method": "dqs", "fail": ["error.max=0.001"]})  # arm.pc2 stays as it was
        done = self.golden(1, "jobs.json", "-o", "new")
        self.assertIn("no golden is written", done.err)
        self.assertFalse((self.folder / "new").exists())
        self.golden(1, "jobs.json", "--check", "old")


class Folders(GoldenCase):
    """What a folder has is what its caches, its sidecars and its goldens say."""

    def setUp(self):
        super().setUp()
        self.lib = self.folder / "lib"
        self.lib.mkdir()
        self.succeed("bake", ARM, "-q", "-o", "lib/g.pc2", "-o", "lib/g.glb", "-o", "lib/g.npy")
        shutil.copy(WALKER, self.lib / "rig.glb")  # no cache
        self.golden(0, "lib", "-o", "g")

    def test_a_damaged_glb_with_a_sidecar_is_a_cache(self):
        for damage in (b"", b"junk" * 900):
            (self.lib / "g.glb").write_bytes(damage)
            done = self.golden(3, "lib", "-o", "new")
            self.assertIn("lib/g.glb: the GLB header", done.err)
            self.assertFalse((self.folder / "new").exists())
        for other in ("g.pc2", "g.npy"):
            (self.lib / other).unlink()
        self.assertIn("CACHE_INVALID", self.golden(3, "lib", "-o", "new").err)

    def test_a_glb_that_is_not_signed_is_named(self):
        out = self.golden(0, "lib", "-o", "new").out
        self.assertTrue(out.endswith("\nleft out as rigs or clips: 'rig.glb'\n"), out)
        (self.lib / "g.glb").write_bytes(b"junk" * 900)
        (self.lib / "g.glb.json").unlink()
        out = self.golden(0, "lib", "-o", "other").out
        self.assertTrue(out.endswith("\nleft out as rigs or clips: 'g.glb', 'rig.glb'\n"), out)

    def test_textures_and_usd_are_left_out_by_name(self):
        self.succeed("bake", ARM, "-q", "--frames", "0:3", "--format", "vat:normals=1", "-o", "lib/t.exr", "-o", "lib/t.png")
        self.succeed("bake", ARM, "-q", "--frames", "0:3", "--format", "vat:split=8", "-o", "lib/split.png",
                     "-o", "lib/t.usda")
        shutil.copy(self.lib / "t.png", self.lib / "photo.png")  # no cache: it does not have a sidecar
        left_out = ("left out because their formats are written and not read (sign a PC2, MDD, NPY or GLB of the same "
                    "frames): 'split.png', 't.exr', 't.png', 't.usda'\n")
        signed = self.golden(0, "lib", "-o", "new").out
        self.assertIn("3 goldens: ", signed)  # g.*, not the static meshes t.png.glb …
        self.assertTrue(signed.endswith(left_out), signed)
        checked = self.golden(0, "lib", "--check", "new")
        self.assertTrue(checked.out.startswith("3 caches: 3 identical, 0 failed\n"), checked.out)
        self.assertTrue(checked.out.endswith(left_out), checked.out)
        self.assertEqual(len(json.loads(self.golden(0, "lib", "--check", "new", "--json").out)["results"]), 3)
        for name in ("g.pc2", "g.glb", "g.npy", "rig.glb"):
            (self.lib / name).unlink()
        self.assertIn("'split.png', 't.exr'", self.golden(3, "lib", "-o", "other").err)  # all that the folder has
        self.fail_with(3, "golden", "lib/t.png", "-o", "other", naming=("lib/t.png", "format vat", "CACHE_UNSUPPORTED"))

    def test_textures_of_a_manifest_are_left_out_by_name(self):
        (self.folder / "jobs.json").write_text(json.dumps({
            "schema": "skinbake.batch", "schema_version": "1.0",
            "jobs": [{"name": "arm", "rig": str(ARM), "frames": "0:3", "output": ["a.png", "a.pc2"]}]}))
        out = self.golden(0, "jobs.json", "-o", "new").out
        self.assertTrue(out.startswith("1 golden: ") and out.endswith("frames): 'a.png'\n"), out)

    def test_a_file_with_a_golden_is_read_whatever_it_looks_like(self):
        (self.lib / "g.glb").write_bytes(b"junk" * 900)
        for _ in range(2):
            out = self.golden(3, "lib", "--check", "g").out
            self.assertIn("g.glb: the GLB header", out)
            self.assertTrue(out.endswith("3 caches: 2 identical, 1 failed\n"), out)
            for name in ("g.glb.json", "g.npy.json"):
                (self.lib / name).unlink(missing_ok=True)
        (self.lib / "g.glb").unlink()
        self.assertIn("g.glb: is missing\n", self.golden(1, "lib", "--check", "g").out)

    def test_the_sidecars_of_a_folder_are_enough_for_missing_caches(self):
        for name in ("g.pc2", "g.glb", "g.npy"):
            (self.lib / name).unlink()
        self.assertEqual(self.golden(0, "lib", "--check", "g").out, "3 caches: 3 identical, 0 failed\n")
        results = json.loads(self.golden(0, "lib", "--check", "g", "--json").out)["results"]
        self.assertEqual([(r["name"], r["by_sidecar"]) for r in results],
                         [("g.glb", True), ("g.npy", True), ("g.pc2", True)])
        self.assertIn("PATTERN_UNMATCHED", self.golden(3, "lib", "-o", "new").err)  # a sidecar has no positions
        (self.lib / "g.npy.json").write_text((self.lib / "g.glb.json").read_text())  # of another file
        self.assertEqual(self.golden(1, "lib", "--check", "g").out, "g.npy: is missing\n3 caches: 2 identical, 1 failed\n")

    def test_all_caches_are_missing_from_an_empty_folder(self):
        (self.folder / "empty").mkdir()
        done = self.golden(1, "empty", "--check", "g")
        self.assertIn("g.pc2: is missing\n", done.out)
        self.assertIn("3 caches: 0 identical, 3 failed\n", done.out)
        self.assertIn("PATTERN_UNMATCHED", self.golden(3, "empty", "--check", "empty").err)

    def test_a_renamed_cache_may_have_left_its_sidecar(self):
        (self.lib / "g.pc2").rename(self.lib / "limb.pc2")
        self.assertIn("limb.pc2: is renamed from g.pc2", self.golden(1, "lib", "--check", "g").out)


class Lies(GoldenCase):
    """Each member of a golden that is not what it must be is refused."""

    def check(self, text):
        (self.folder / "lie.golden").write_bytes(text if isinstance(text, bytes) else text.encode())
        return self.run_program("diff", "lie.golden", "arm.pc2", "--fail", "error.max=9", "--max-memory", "64M")

    def test_every_lie_is_refused(self):
        golden = self.signed("--rig", ARM)
        (self.folder / "arm.pc2.json").unlink()
        stream = base64.b64decode(golden["positions"])
        lies = {
            "schema": "skinbake.report", "schema_version": "2.0", "cache": {}, "mesh": 3, "clip": [], "method": {},
            "vertex_count": 0, "fps": 0, "first_frame": 1 << 50, "frame_step": 0, "frame_count": 1 << 40,
            "frames_per_block": 8, "blocks": golden["blocks"][:-1], "vertices": [], "joints": ["elbow"], "unit": None,
            "quantum": -1, "positions": "no base64!"}
        for key, lie in lies.items():
            if key == "unit":
                continue  # it is for people
            with self.subTest(key=key):
                done = self.check(json.dumps({**golden, key: lie}))
                self.assertEqual(done.code, 3, done)
                self.assertIn("[GOLDEN_INVALID]", done.err)
            with self.subTest(missing=key):
                short = {k: v for k, v in golden.items() if k != key}
                self.assertEqual(self.check(json.dumps(short)).code, 0 if key == "joints" else 3)
        more = (("vertex_count", 1 << 63), ("vertex_count", 2.5), ("vertex_count", -1),
                ("frame_count", -61), ("fps", "30"), ("blocks", ["x" * 32] * 4), ("blocks", {}),
                ("blocks", golden["blocks"] * 2), ("vertices", [1178] * 11), ("vertices", golden["vertices"][::-1]),
                ("vertices", golden["vertices"] + [1177.5]), ("vertices", golden["vertices"][:-1]), ("vertices", [-1] * 11),
                ("vertices", list(range(1178))), ("cache", {"format": "pc2", "bytes": -1, "xxh128": "0" * 32}),
                ("cache", {"format": "pc2", "bytes": 1, "xxh128": "0" * 31}), ("quantum", 1e400),
                ("positions", base64.b64encode(stream[:-40]).decode()), ("positions", base64.b64encode(stream + b"0").decode()),
                ("positions", ""), ("positions", golden["positions"] * 2), ("space", "room"), ("space", 1), ("clips", 3),
                ("clips", [{}]), ("clips", [{"clip": "run", "first_frame": 0, "frame_step": 1, "frame_count": 60}]),
                ("clips", [[]]), ("clips", {"a": 1}), ("space", None))
        for key, lie in more:
            with self.subTest(key=key, lie=str(lie)[:40]):
                done = self.check(json.dumps({**golden, key: lie}))
                self.assertEqual(done.code, 3, done)
        for text in ("", "[]", "null", "{", "[" * 100_000, b"\xff\xfe", b"\0" * 1000):
            self.assertEqual(self.check(text).code, 3, text[:10])

    def test_another_number_of_frames_is_not_comparable(self):
        golden = self.signed("--rig", ARM)
        (self.folder / "arm.pc2.json").unlink()
        for frames in (60, 62):
            done = self.check(json.dumps({**golden, "frame_count": frames}))
            self.assertEqual(done.code, 5, done)
            self.assertIn(f"the golden has {frames} frames, arm.pc2 has 61", done.err)

    def test_counts_that_need_more_memory_than_allowed_are_refused(self):
        golden = self.signed()
        frames = 1 << 26
        golden.update(frame_count=frames, blocks=["0" * 32] * 16)
        self.assertEqual(self.check(json.dumps(golden)).code, 3)

    def test_every_changed_byte_of_a_golden_is_found(self):
        self.golden(0, "arm.pc2", "-o", "g", "--rig", ARM)
        path = self.folder / "g/arm.pc2.golden"
        text = path.read_bytes()
        name = text.index(b'"joints"') + 14
        places = [0, name, text.index(b'"unit"') + 9, text.index(b'"positions"') + 40, text.rindex(b'"xxh128"') + 15,
                  text.rindex(b'"xxh128"') + 3, text.index(b'"1.1"') + 3, len(text) - 1, text.index(b"\n")]
        for at in places:
            path.write_bytes(text[:at] + bytes([text[at] ^ 1]) + text[at + 1:])
            done = self.run_program("diff", "g/arm.pc2.golden", "arm.pc2")
            self.assertEqual(done.code, 3, (at, done))
            self.assertIn("GOLDEN_INVALID", done.err)
        path.write_bytes(text[:name] + b"x" + text[name + 1:])
        self.assertIn("its text was changed", self.run_program("diff", "g/arm.pc2.golden", "arm.pc2").err)
        path.write_bytes(text.replace(b"\n", b"\r\n"))
        self.assertIn("its text was changed", self.run_program("diff", "g/arm.pc2.golden", "arm.pc2").err)
        path.write_bytes(text)
        self.golden(0, "arm.pc2", "--check", "g")

    def test_damaged_goldens_never_crash(self):
        text = json.dumps(self.signed()).encode()
        (self.folder / "arm.pc2.json").unlink()
        chance = random.Random(7)
        codes = set()
        for _ in range(60):
            damaged = bytearray(text)
            for _ in range(chance.randint(1, 5)):
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            codes.add(self.check(bytes(damaged)).code)
        self.assertLessEqual(codes, {0, 1, 3, 5})


if __name__ == "__main__":
    main()
