#!/usr/bin/env python3
"""Ctrl-C ends large runs at once, in whatever stage they are, and leaves no file.

SKINBAKE_INTERRUPT_VERTICES is the size of the mesh (default: 40 000), SKINBAKE_INTERRUPT_DELAY the time in seconds
until the last signal (default: 2).
"""

import array
import itertools
import json
import math
import os
import random
import signal
import struct
import subprocess
import sys
import time

from support import AT_ONCE, PROGRAM, CliTest, environment, main

VERTICES = int(os.environ.get("SKINBAKE_INTERRUPT_VERTICES", "40000"))
JOINTS = 8
MOST_DELAY = float(os.environ.get("SKINBAKE_INTERRUPT_DELAY", "2"))  # seconds until the last signal


def scattered_sheet():
    """A GLB: a sheet whose vertices are moved by four of eight joints, in noise."""
    side = math.isqrt(VERTICES)
    rng = random.Random(2)
    positions, indices, joints, weights = array.array("f"), array.array("I"), array.array("B"), array.array("f")
    some = [sorted(rng.sample(range(JOINTS), 4)) for _ in range(97)]
    shares = [[w / sum(raw) for w in raw] for raw in ([rng.random() + 0.01 for _ in range(4)] for _ in range(9973))]
    for row, column in itertools.product(range(side), range(side)):
        v = row * side + column
        positions.extend((column / side, row / side, 0.1 * math.sin(0.01 * v)))
        joints.extend(some[v % 97])
        weights.extend(shares[v % 9973])
        if row and column:
            indices.extend((v - side - 1, v - side, v, v - side - 1, v, v - 1))
    count, blob, views = side * side, b"", []
    quarter = math.sqrt(0.5)
    for values in (positions, joints, weights, indices, array.array("f", (0, 1)),
                   array.array("f", (0, 0, 0, 1, quarter, 0, 0, quarter))):
        views.append({"buffer": 0, "byteOffset": len(blob), "byteLength": len(values.tobytes())})
        blob += values.tobytes()

    def accessor(view, component, length, kind, **bounds):
        return {"bufferView": view, "componentType": component, "count": length, "type": kind, **bounds}

    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, *range(1, JOINTS + 1)]}],
        "nodes": [{"mesh": 0, "skin": 0}] + [{} for _ in range(JOINTS)],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}, "indices": 3}]}],
        "skins": [{"joints": list(range(1, JOINTS + 1))}],
        "animations": [{"name": "turn", "samplers": [{"input": 4, "output": 5}], "channels": [
            {"sampler": 0, "target": {"node": j, "path": "rotation"}} for j in range(1, JOINTS, 2)]}],
        "accessors": [accessor(0, 5126, count, "VEC3", min=[0, 0, -0.1], max=[1, 1, 0.1]),
                      accessor(1, 5121, count, "VEC4"), accessor(2, 5126, count, "VEC4"),
                      accessor(3, 5125, len(indices), "SCALAR"), accessor(4, 5126, 2, "SCALAR", min=[0], max=[1]),
                      accessor(5, 5126, 2, "VEC4")],
        "bufferViews": views, "buffers": [{"byteLength": len(blob)}]}
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    return (struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(blob)) + struct.pack("<I4s", len(text), b"JSON") +
            text + struct.pack("<I4s", len(blob), b"BIN\0") + blob)


class Interrupted(CliTest):
    def setUp(self):
        super().setUp()
        (self.folder / "sheet.glb").write_bytes(scattered_sheet())
        self.before = set(self.files())

    def interrupt(self, delay, arguments):
        """Whether the run was still going after the delay. If so, it must end at once."""
        process = subprocess.Popen([str(PROGRAM), *arguments], cwd=self.folder, env=environment(),
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        try:
            process.communicate(timeout=delay)
            return False
        except subprocess.TimeoutExpired:
            pass
        asked = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.seconds.append(time.monotonic() - asked)
        if process.returncode in (0, 1) or b"the outputs are complete" in err:  # 1: a difference was found
            return False
        self.assertEqual(set(self.files()), self.before)
        if process.returncode == -signal.SIGINT:  # the program had not begun to run
            return True
        self.assertEqual((process.returncode, out), (130, b""), err)
        self.assertRegex(err.decode(), r"(?m)^skinbake: error: interrupted; nothing was written\n\Z")
        self.assertLess(self.seconds[-1], AT_ONCE, (delay, arguments))
        return True

    def interrupt_often(self, *arguments):
        self.seconds = []
        delay, ended = 0.05, 0
        while delay < MOST_DELAY and self.interrupt(random.uniform(delay, 1.5 * delay), arguments):
            delay *= 1.5
            ended += 1
        print(f"{VERTICES} vertices, {' '.join(arguments[:4])}: {len(self.seconds)} signals, the slowest took "
              f"{1e3 * max(self.seconds):.0f} ms", file=sys.stderr)
        self.assertGreater(ended, 0)  # a fast machine ends some runs before the second signal

    def test_a_bake_of_centres_of_rotation_with_every_metric_ends_at_once(self):
        self.interrupt_often("bake", "sheet.glb", "-m", "cor", "--metrics", "all", "--report", "x.json", "--report",
                             "x.html", "-o", "x.npy", "-o", "x.glb", "--fps", "10", "--sync")

    def test_a_comparison_ends_at_once(self):
        self.interrupt_often("compare", "sheet.glb", "--method", "lbs", "--method", "dqs", "--method", "dm", "--method", "ddm", "--report", "x.json", "--fps", "10")

    def test_a_difference_ends_at_once(self):
        self.succeed("bake", "sheet.glb", "-o", "a.npy", "--fps", "20")
        self.before = set(self.files())
        self.interrupt_often("diff", "a.npy", "sheet.glb", "--fps", "20", "--method",
                             "dm", "--report", "x.json", "--per-vertex", "npy")


if __name__ == "__main__":
    main()
