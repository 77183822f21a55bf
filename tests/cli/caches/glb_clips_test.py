#!/usr/bin/env python3
"""Baked GLBs of several clips, and of several meshes by time: --clip all, --format glb:split=1."""

import json
import os
import pathlib
import re
import struct
import subprocess

from glb_files import PNG, frames_of, glb, two_meshes
from support import PROGRAM, CliTest, Pc2, environment, main


def two_clips():
    """`up` rises in the clip `rise`, `still` in the clip `follow`."""
    gltf = two_meshes()
    clip, = gltf["animations"]
    channel, = clip["channels"]
    other = {**clip, "name": "follow", "channels": [{**channel, "target": {**channel["target"], "node": 1}}]}
    return {**gltf, "animations": [clip, other]}


def numbers(gltf, data, accessor):
    """The floats of an accessor, dense or sparse without a bufferView."""
    accessor = gltf["accessors"][accessor]
    count = accessor["count"] * {"SCALAR": 1, "VEC3": 3}[accessor["type"]]

    def at(place):
        return gltf["bufferViews"][place["bufferView"]]["byteOffset"] + place.get("byteOffset", 0)

    if "sparse" not in accessor:
        return list(struct.unpack_from(f"<{count}f", data, at(accessor)))
    sparse, values = accessor["sparse"], [0.0] * count
    indices = struct.unpack_from(f"<{sparse['count']}I", data, at(sparse["indices"]))
    for index, value in zip(indices, struct.unpack_from(f"<{sparse['count']}f", data, at(sparse["values"]))):
        values[index] = value
    return values


class Player:
    """Plays a GLB by the specification at the keys of its animations, with scale channels as visibility."""

    def __init__(self, content):
        self.gltf, self.data = glb(content)
        self.frames = [frames_of(self.gltf, self.data, "POSITION", m) if mesh["primitives"][0].get("targets")
                       else None for m, mesh in enumerate(self.gltf["meshes"])]

    def shown(self, animation, key_time, nodes):
        """The positions of the node of `nodes` that is visible at a time of the animation."""
        animation = self.gltf["animations"][animation]
        visible = {n: self.gltf["nodes"][n].get("scale", [1, 1, 1])[0] for n in nodes}
        weights = {}
        for channel in animation["channels"]:
            node, path = channel["target"]["node"], channel["target"]["path"]
            sampler = animation["samplers"][channel["sampler"]]
            times = numbers(self.gltf, self.data, sampler["input"])
            values = numbers(self.gltf, self.data, sampler["output"])
            key = max([k for k, time in enumerate(times) if time <= key_time], default=0)
            size = len(values) // len(times)
            row = values[key * size:(key + 1) * size]
            if path == "scale" and node in visible:
                visible[node] = row[0]
            elif path == "weights":
                weights[node] = row
        node, = [n for n in nodes if visible[n] != 0]
        row = weights.get(node, [])
        if sum(row) not in (0, 1) or any(w not in (0, 1) for w in row):
            raise ValueError("not exactly one target")
        return self.frames[node][row.index(1) + 1 if 1 in row else 0]


MESHES, CLIPS = ["up", "still"], ["rise", "follow"]


class GlbClips(CliTest):
    def setUp(self):
        super().setUp()
        (self.folder / "rig.gltf").write_text(json.dumps(two_clips()))
        (self.folder / "paint.png").write_bytes(PNG)

    def check_played(self, name, meshes, fps):
        """Every animation of a GLB shows the positions of the PC2s at every frame."""
        player = Player(self.read(name))
        gltf = player.gltf
        self.assertEqual([animation["name"] for animation in gltf["animations"]], CLIPS)
        parts = len(gltf["nodes"]) // len(meshes)
        for m, mesh in enumerate(meshes):
            for c, clip in enumerate(CLIPS):
                cache = Pc2(self.read(f"{mesh}.{clip}.pc2"))
                for frame in range(cache.samples):
                    time = struct.unpack("f", struct.pack("f", frame / fps))[0]
                    shown = player.shown(c, time, range(m * parts, (m + 1) * parts))
                    for p, q in zip(shown, cache.positions(frame)):
                        for a, b in zip(p, q):
                            self.assertAlmostEqual(a, b, delta=1e-6)
        return gltf

    def test_all_clips_are_animations_of_one_file(self):
        done = self.succeed("bake", "rig.gltf", "--clip", "all", "-o", "all.glb", "-o", "{mesh}.{clip}.pc2", "--verify",
                            "--report", "r.json")
        gltf = self.check_played("all.glb", MESHES, 30)
        self.assertEqual(len(gltf["meshes"]), 2)
        self.assertEqual(gltf["meshes"][0]["extras"]["targetNames"],
                         [f"rise frame {f}" for f in (1, 2, 3)] + [f"follow frame {f}" for f in (0, 1, 2, 3)])
        sidecar = self.json("all.glb.json")
        self.assertIsNone(sidecar["clip"])
        self.assertEqual(sidecar["frame_count"], 8)
        self.assertEqual(sidecar["clips"], [
            {"clip": clip, "offset": 4 * c, "first_frame": 0, "frame_step": 1, "frame_count": 4}
            for c, clip in enumerate(CLIPS)])
        self.assertEqual([mesh["id"] for mesh in sidecar["meshes"]], MESHES)
        self.assertIn("all.glb: mesh 'up' clip 'follow' read back", done.out)
        records = [r for r in self.json("r.json")["verification"] if r["path"] == "all.glb"]
        self.assertEqual([(r["mesh"], r["clip"]) for r in records], [(m, c) for m in MESHES for c in CLIPS])
        self.assertTrue(all(r["max_m"] <= r["bound_m"] for r in records))

    def test_one_file_per_clip_or_mesh_if_the_path_says_so(self):
        self.succeed("bake", "rig.gltf", "--clip", "all", "-o", "{clip}.glb", "-o", "{mesh}.glb", "-o", "{mesh}.{clip}.pc2")
        for name in ("rise.glb", "follow.glb"):
            gltf, _ = glb(self.read(name))
            self.assertEqual((len(gltf["meshes"]), len(gltf["animations"])), (2, 1))
        for mesh in MESHES:
            self.check_played(f"{mesh}.glb", [mesh], 30)
        self.fail_with(2, "bake", "rig.gltf", "--clip", "all", "-o", "all.usda", naming=("OUTPUT_AMBIGUOUS", "{clip}"))

    def test_a_file_of_one_clip_does_not_change(self):
        self.succeed("bake", "rig.gltf", "--clip", "rise", "-o", "a.glb")
        self.succeed("bake", "rig.gltf", "--clip", "rise", "-o", "b.glb", "--format", "glb:split=0")
        self.assertEqual(self.read("a.glb"), self.read("b.glb"))
        self.assertNotIn("clips", self.json("a.glb.json"))

    def test_the_bytes_do_not_depend_on_the_threads(self):
        for threads in ("1", "4"):
            for options in ("split=1,targets=16", "quantize=1,meshopt=1"):
                self.succeed("bake", "rig.gltf", "--clip", "all", "--fps", "900", "-o", f"{threads}.{options[0]}.glb",
                             "--format", "glb:" + options, "--threads", threads)
        for kind in "sq":
            self.assertEqual(self.read(f"1.{kind}.glb"), self.read(f"4.{kind}.glb"))

    def test_quantised_clips_share_a_grid(self):
        self.succeed("bake", "rig.gltf", "--clip", "all", "-o", "a.glb", "--format", "glb:quantize=1,normals=0",
                     "--report", "r.json", "--verify")
        gltf, _ = glb(self.read("a.glb"))
        self.assertEqual([len(gltf[what]) for what in ("nodes", "animations")], [2, 2])
        for record in self.json("r.json")["verification"]:
            self.assertLess(record["bound_m"], 2e-4)
            self.assertLessEqual(record["max_m"], record["bound_m"])

    def bytes_read(self, *arguments):
        """The bytes that a run reads from files."""
        program = subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=self.folder, env=environment(),
                                   stdout=subprocess.DEVNULL)
        os.waitid(os.P_PID, program.pid, os.WEXITED | os.WNOWAIT)
        counts = pathlib.Path(f"/proc/{program.pid}/io").read_text()
        self.assertEqual(program.wait(), 0)
        return int(re.search(r"^rchar: (\d+)", counts, re.M)[1])

    def test_verification_reads_the_file_once_for_all_meshes_and_clips(self):
        if not os.access("/proc/self/io", os.R_OK):
            self.skipTest("the system does not count the bytes that a process reads")
        gltf = two_clips()
        gltf["animations"] = [{**gltf["animations"][i % 2], "name": f"clip {i}"} for i in range(60)]
        (self.folder / "rig.gltf").write_text(json.dumps(gltf))
        (self.folder / "paint.png").write_bytes(PNG)
        bake = ("bake", "rig.gltf", "--clip", "all", "-o", "all.glb", "-q", "--threads", "1")
        alone, verified = self.bytes_read(*bake), self.bytes_read(*bake, "--verify")
        # The JSON, the frames and the hash are read.
        self.assertLess(verified - alone, 3 * len(self.read("all.glb")))

    def test_split_meshes_are_shown_one_at_a_time(self):
        fps = 400  # 41 frames a clip: three meshes of at most 17 frames
        self.succeed("bake", "rig.gltf", "--clip", "all", "--fps", fps, "-o", "a.glb", "-o", "{mesh}.{clip}.pc2",
                     "--format", "glb:split=1,targets=16", "--verify", "--strict", "--metrics", "error", "--report", "r.json")
        gltf = self.check_played("a.glb", MESHES, fps)
        self.assertEqual([len(mesh["primitives"][0]["targets"]) for mesh in gltf["meshes"]], 2 * [16, 16, 8, 16, 16, 8])
        self.assertEqual([node["name"] for node in gltf["nodes"][:3]], ["up", "up_2", "up_3"])
        self.assertEqual([node.get("scale") for node in gltf["nodes"]], 2 * ([None] + 5 * [[0, 0, 0]]))
        # Meshes of one node share their indices and texture coordinates.
        shared = [[mesh["primitives"][0][what] for what in ("indices",)] for mesh in gltf["meshes"][:6]]
        self.assertEqual(shared, 6 * shared[:1])
        for record in self.json("r.json")["verification"]:
            self.assertLessEqual(record["max_m"], record["bound_m"])
        # The same frames as without the option.
        self.succeed("bake", "rig.gltf", "--clip", "all", "--fps", fps, "-o", "b.glb")
        self.succeed("diff", "a.glb", "b.glb", "--mesh", "up", "--fail", "error.max=1e-6")
        self.succeed("convert", "a.glb", "c.pc2", "--mesh", "up")
        whole, rise = Pc2(self.read("c.pc2")), Pc2(self.read("up.rise.pc2"))
        self.assertEqual(whole.samples, 82)
        for frame in range(41):
            for p, q in zip(whole.positions(frame), rise.positions(frame)):
                for a, b in zip(p, q):
                    self.assertAlmostEqual(a, b, delta=1e-6)

    def test_a_converted_cache_states_the_clips_of_its_frames(self):
        self.succeed("bake", "rig.gltf", "--clip", "all", "--mesh", "up", "-o", "a.glb")
        clips = self.json("a.glb.json")["clips"]
        self.assertEqual([clip["clip"] for clip in clips], CLIPS)
        for source, target in (("a.glb", "b.pc2"), ("b.pc2", "c.npy")):
            self.succeed("convert", source, target)
            self.assertEqual(self.json(target + ".json").get("clips"), clips)
        # A gate refuses the converted cache as it refuses the GLB.
        for cache in ("a.glb", "b.pc2", "c.npy"):
            done = self.run_program("diff", cache, "rig.gltf", "--rig-a", "rig.gltf", "--mesh", "up", "--match", "surface",
                                    "--clip", "follow", "--overlap", "--fail", "error.max=1")
            self.assertEqual(done.code, 5, done)
            self.assertIn(f"not comparable: {cache} contains 2 clips ('rise', 'follow')", done.err)

    def test_a_split_file_of_few_frames_has_one_mesh(self):
        self.succeed("bake", "rig.gltf", "--clip", "all", "-o", "a.glb", "--format", "glb:split=1", "--verify")
        gltf, _ = glb(self.read("a.glb"))
        self.assertEqual(len(gltf["meshes"]), 2)
        self.assertEqual({channel["target"]["path"] for animation in gltf["animations"]
                          for channel in animation["channels"]}, {"weights"})

    def test_splitting_ends_the_warning(self):
        for options, warns in (("normals=0", True), ("split=1", False)):
            done = self.succeed("bake", "rig.gltf", "--clip", "all", "--mesh", "up", "-o", "a.glb", "--fps", "10300",
                                "--format", "glb:" + options)
            self.assertEqual("2061 morph targets" in done.err, warns, done)
            self.assertEqual("--format glb:split=1" in done.err, warns, done)

    def test_the_warning_names_each_mesh_of_each_file_and_a_remedy_that_works(self):
        bake = ("bake", "rig.gltf", "--clip", "rise", "--fps", "20500", "--frames", "0:2049", "-o", "a.glb", "-o", "b.glb",
                "--format", "glb:quantize=1")
        self.assertIn("; also at a.glb /meshes/1, b.glb /meshes/0 and 1 more places", self.succeed(*bake).err)
        lines = [line for line in self.succeed(*bake, "--verbose").err.splitlines() if "GLB_MANY_TARGETS" in line]
        self.assertEqual([line.split(": ")[2:4] for line in lines[:3]],
                         [[f"{name} /meshes/{m}", f"mesh '{mesh}' has 2049 morph targets; three.js, Babylon.js and <model-viewer> "
                           "show a mesh of more than 2048 targets standing still; bake fewer frames, or bake a vertex animation "
                           "texture [GLB_MANY_TARGETS] (options --format glb:split=1, --fps, --frames)"]
                          for name, m, mesh in (("a.glb", 0, "up"), ("a.glb", 1, "still"), ("b.glb", 0, "up"))])

    def test_options_that_contradict_splitting_are_refused(self):
        for options in ("split=1,quantize=1", "split=1,targets=20", "targets=32", "split=1,targets=8", "split=1,targets=4096"):
            self.fail_with(2, "bake", "rig.gltf", "--clip", "rise", "-o", "a.glb", "--format", "glb:" + options,
                           naming="FORMAT_OPTION_UNKNOWN")


if __name__ == "__main__":
    main()
