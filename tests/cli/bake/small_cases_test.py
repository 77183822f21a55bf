#!/usr/bin/env python3
"""What tools read in different ways: matrices of cameras, empty scenes, signs and zeros of quaternions, late and single
keys."""

import base64
import json
import math
import struct

from support import CliTest, Pc2, main, moving_rig, require_shared

PERSPECTIVE = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0]  # the last row is 0 0 -1 0
FLAT = [0] * 15 + [1]
TURN = 1 / math.sqrt(2)


class SmallCases(CliTest):
    def rig(self, path=None, times=(0, 1), values=None, change=lambda document: None):
        """A rigid tetrahedron, whose one channel has these keys. `values`: translations or rotations; none: it rises."""
        document, data = moving_rig(["Hero"])
        values = values or [(0, t - times[0], 0) for t in times]
        rows = [x for row in values for x in row]
        for accessor, floats in ((2, times), (3, rows)):
            view = document["bufferViews"][accessor]
            view.update(byteOffset=len(data), byteLength=4 * len(floats))
            data += struct.pack(f"<{len(floats)}f", *floats)
            document["accessors"][accessor]["count"] = len(times)
        document["accessors"][2].update(min=[min(times)], max=[max(times)])
        document["accessors"][3]["type"] = f"VEC{len(values[0])}"
        document["animations"][0]["channels"][0]["target"]["path"] = path or "translation"
        document["buffers"] = [{"byteLength": len(data), "uri": "data:;base64," + base64.b64encode(data).decode()}]
        change(document)
        (self.folder / "r.gltf").write_text(json.dumps(document))

    def frames(self, *arguments, rig="r.gltf"):
        """The positions in each frame, and what the bake says."""
        done = self.succeed("bake", rig, "-o", "o.pc2", "-q" if not arguments else "--threads=1", *arguments)
        cache = Pc2(self.read("o.pc2"))
        return [cache.positions(k) for k in range(cache.samples)], done.err

    def test_a_matrix_that_moves_no_mesh_does_not_stop_a_bake(self):
        self.rig()
        alone, _ = self.frames()
        for matrix, above in ((PERSPECTIVE, "the scene"), (FLAT, "Hero"), ([0] * 16, "the scene"), (PERSPECTIVE, "Hero")):
            def add_camera(document):
                document["nodes"].append({"name": "Cam", "camera": 0, "matrix": matrix})
                document["cameras"] = [{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}]
                if above == "Hero":
                    document["nodes"][0]["children"] = [1]
                else:
                    document["scenes"][0]["nodes"].append(1)
            self.rig(change=add_camera)
            self.assertEqual(self.frames()[0], alone, (matrix, above))
        self.rig(change=lambda document: document["nodes"].append({"matrix": PERSPECTIVE, "children": [0]}) or
                 document["scenes"][0].update(nodes=[1]))
        self.fail_with(3, "bake", "r.gltf", "-o", "o.glb", naming="[MATRIX_NOT_AFFINE]")

    def test_an_empty_scene_names_the_scene_that_has_a_mesh(self):
        for scenes, default in (([{}, {"nodes": [0]}], None), ([{}, {"nodes": [0]}], 0),
                                ([{}, {"nodes": []}, {"name": "real", "nodes": [0]}], 1)):
            def change(document):
                document["scenes"] = scenes
                del document["scene"]
                document.update({} if default is None else {"scene": default})
            self.rig(change=change)
            real = str(len(scenes) - 1)
            self.fail_with(3, "bake", "r.gltf", "-o", "o.pc2", naming=(f"--scene {real}", "[NOTHING_TO_BAKE]"))
            self.assertEqual(len(self.frames("--scene", real)[0]), 31)

    def test_a_quaternion_and_its_negative_are_one_rotation(self):
        turned = (0, 0, TURN, TURN)
        for rotation in ((0, 0, 0, 1), turned, (0.5, 0.5, 0.5, 0.5)):
            negative = tuple(-x for x in rotation)
            self.rig("rotation", (0, 0.5, 1), (rotation, negative, rotation))
            frames, _ = self.frames()
            self.assertEqual(len(frames), 31)
            for frame in frames:
                for point, first in zip(frame, frames[0]):
                    self.assertLess(math.dist(point, first), 1e-6)

    def test_half_a_turn_keeps_every_length(self):
        for half in ((0, 0, 1, 0), (1, 0, 0, 0), (0, -1, 0, 0)):
            self.rig("rotation", (0, 1), ((0, 0, 0, 1), half))
            frames, _ = self.frames()
            for frame in frames:
                for point, first in zip(frame, frames[0]):
                    self.assertAlmostEqual(math.hypot(*point), math.hypot(*first), places=6)
            side = max(range(4), key=lambda v: math.dist(frames[0][v], frames[30][v]))
            self.assertAlmostEqual(math.dist(frames[15][side], frames[0][side]),
                                   math.dist(frames[30][side], frames[0][side]) * TURN, places=5)

    def test_a_rotation_of_length_zero_is_a_warning(self):
        for values in (((0, 0, 0, 1), (0, 0, 0, 0)), ((0, 0, 0, 0), (0, 0, 0, 1)), ((0, 0, 0, 0), (0, 0, 0, 0))):
            self.rig("rotation", (0, 1), values)
            frames, said = self.frames("--fps", "2")
            self.assertIn("[QUATERNION_ZERO]", said)
            self.assertEqual(frames, [frames[0]] * 3)

    def test_frames_before_the_first_key_show_it(self):
        for late in (0.5, 10, 20):
            self.rig(times=(late, late + 1))
            frames, _ = self.frames("--fps", "10")
            self.assertEqual(len(frames), 10 * late + 11)
            self.assertEqual(frames[:int(10 * late) + 1], [frames[0]] * (int(10 * late) + 1))
            self.assertAlmostEqual(frames[-1][0][1], 1, places=5)

    def test_a_clip_of_one_key_has_the_frames_up_to_it(self):
        for at, count in ((0, 1), (0.5, 16), (2, 61)):
            self.rig(times=(at,), values=[(0, 7, 0)])
            frames, _ = self.frames()
            self.assertEqual([frame[0] for frame in frames], [(0, 7, 0)] * count)

    def test_a_clip_that_is_too_long_is_refused_and_stops_no_other(self):
        for length in (1e5, 1e6, 1e9):
            def add_clip(document):
                document["animations"].append({"name": "still", "samplers": [{"input": 4, "output": 5}], "channels": [
                    {"sampler": 0, "target": {"node": 0, "path": "translation"}}]})
                document["accessors"] += [{"componentType": 5126, "count": 1, "type": "SCALAR"},
                                          {"componentType": 5126, "count": 1, "type": "VEC3"}]
            self.rig(times=(0, length), change=add_clip)
            self.fail_with(2, "bake", "r.gltf", "--clip", "move", "-o", "o.glb",
                           naming=("clip 'move'", "frames at 30 fps", "[TOO_MANY_FRAMES]"))
        self.assertEqual(len(self.frames("--clip", "still")[0]), 1)

    def test_the_shared_cases(self):
        cases = require_shared(self, "cases/18-misc")
        counts = {"camera_matrix": ([], 2), "default_empty": (["--scene", "1"], 2), "half_turn": ([], 2),
                  "late": ([], 3602), "no_default_first_empty": (["--scene", "1"], 2), "sign_flip": ([], 2),
                  "zero_quaternion": ([], 2), "long": (["--clip", "walk"], 2), "tpose_and_walk": (["--clip", "walk"], 2)}
        self.assertEqual(set(counts), {path.stem for path in cases.glob("*.glb")})
        for name, (arguments, count) in counts.items():
            frames, said = self.frames("--fps", "1", *arguments, rig=cases / f"{name}.glb")
            self.assertEqual(len(frames), count, name)
            self.assertEqual("QUATERNION_ZERO" in said, name == "zero_quaternion", said)
        for name in ("default_empty", "no_default_first_empty"):
            self.fail_with(3, "bake", cases / f"{name}.glb", "-o", "p.pc2", naming="--scene 1")
        self.fail_with(2, "bake", cases / "long.glb", "--clip", "long", "-o", "p.pc2", naming="[TOO_MANY_FRAMES]")
        self.assertEqual([len(self.frames("--clip", clip, rig=cases / "tpose_and_walk.glb")[0])
                          for clip in ("tpose", "walk", "late_pose")], [1, 31, 16])
        frames, _ = self.frames(rig=cases / "sign_flip.glb")
        self.assertEqual(frames, [frames[0]] * 31)


if __name__ == "__main__":
    main()
