#!/usr/bin/env python3
"""--max-memory bounds the peak memory of a run, or the run is refused and names the figure that it needs.

`memory_test.py --table [SCALE] [SHAPE …]` prints the peaks of large rigs instead: shape, figure, peak, ratio.
SCALE (1) multiplies the counts.
"""

import array
import base64
import itertools
import json
import math
import multiprocessing
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

import support
from glb_files import glb, packed
from support import CliTest, PROGRAM, RIGS, environment, main

MIB = 1 << 20
# The peak may exceed the figure by a quarter (cli/README.md states the same number).
FACTOR = 1.25
# The part of a figure that is for the program itself: its code, its libraries, the stacks of its threads.
PROGRAM_BYTES = 16 * MIB


class Glb:
    """A GLB under construction: JSON, and a binary chunk on disk."""

    TYPES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
    COMPONENTS = {"f": (5126, 4), "I": (5125, 4), "H": (5123, 2)}

    def __init__(self):
        self.json = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [], "meshes": [],
                     "skins": [], "animations": [], "accessors": [], "bufferViews": []}
        self.parts, self.size = [], 0

    def accessor(self, values, kind, bounds=None):
        component, size = self.COMPONENTS[values.typecode]
        data = values.tobytes() + b"\0" * (-len(values) * size % 4)
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": self.size, "byteLength": len(data)})
        self.parts.append(data)
        self.size += len(data)
        self.json["accessors"].append({"bufferView": len(self.json["bufferViews"]) - 1, "componentType": component,
                                       "count": len(values) // self.TYPES[kind], "type": kind})
        if bounds:
            self.json["accessors"][-1].update({"min": bounds[0], "max": bounds[1]})
        return len(self.json["accessors"]) - 1

    def write(self, path):
        self.json["buffers"] = [{"byteLength": self.size}]
        text = json.dumps({key: value for key, value in self.json.items() if value != []}).encode()
        text += b" " * (-len(text) % 4)
        with open(path, "wb") as file:
            file.write(struct.pack("<4sIIII", b"glTF", 2, 12 + 8 + len(text) + 8 + self.size, len(text), 0x4E4F534A))
            file.write(text)
            file.write(struct.pack("<II", self.size, 0x004E4942))
            for part in self.parts:
                file.write(part)


def weight(v, i, influences):
    """Weights that sum to 1 and differ from vertex to vertex: two joints exchange what the others have equally."""
    moved = v % 997 / 1000 if influences > 1 else 0
    return (1 + (moved if i == 0 else -moved if i == 1 else 0)) / influences


def grid(glb, side, joints, influences, targets, normals, mesh, lift=0):
    """A square surface of side² vertices, every vertex of which has `influences` joints. Every other vertex is lifted."""
    count = side * side
    attributes = {"POSITION": glb.accessor(array.array("f", (
        x for v in range(count) for x in ((v % side) / side, (v // side) / side, ((v * 7919) % 101) / 4000 + mesh + v % 2 * lift))),
        "VEC3", ([0, 0, mesh], [1, 1, mesh + 0.03 + lift]))}
    if normals:
        attributes["NORMAL"] = glb.accessor(array.array("f", [0, 0, 1] * count), "VEC3")
    for first in range(0, influences, 4):
        names, weights = array.array("H"), array.array("f")
        for v in range(count):
            for i in range(first, first + 4):
                names.append(0 if i >= influences else (v + i) % joints)
                weights.append(0 if i >= influences else weight(v, i, influences))
        attributes[f"JOINTS_{first // 4}"] = glb.accessor(names, "VEC4")
        attributes[f"WEIGHTS_{first // 4}"] = glb.accessor(weights, "VEC4")
    corners = array.array("I", (x for y in range(side - 1) for c in range(side - 1) for v in [y * side + c]
                                for x in (v, v + 1, v + side, v + 1, v + side + 1, v + side)))
    primitive = {"attributes": attributes, "indices": glb.accessor(corners, "SCALAR")}
    if targets:
        primitive["targets"] = [{"POSITION": glb.accessor(array.array("f", [0.001 * t] * (3 * count)), "VEC3")}
                                for t in range(targets)]
    glb.json["meshes"].append({"primitives": [primitive]})


def write_rig(path, side, joints=2, influences=2, clips=1, frames=16, meshes=1, targets=0, normals=False, keys=2,
              lift=0, named=True, copies=1):
    """A rig of `meshes` grids with a skin and `copies` nodes each, and clips of `frames` frames at 30 Hz. Joints without names are at one place."""
    glb = Glb()
    nodes = glb.json["nodes"]
    nodes.append({"name": "root", "children": list(range(1, joints + meshes * copies))})
    nodes.extend({"name": f"joint {j}", "translation": [j / joints, 0, 0]} if named else {} for j in range(1, joints))
    for mesh in range(meshes):
        grid(glb, side, joints, min(influences, joints), targets, normals, mesh, lift)
        glb.json["skins"].append({"joints": list(range(joints))})
        nodes.extend({"name": f"mesh {copies * mesh + copy}", "mesh": mesh, "skin": mesh} for copy in range(copies))
    times = glb.accessor(array.array("f", ((frames - 1) / 30 * k / (keys - 1) for k in range(keys))), "SCALAR",
                         ([0], [(frames - 1) / 30]))
    for clip in range(clips):
        channels, samplers = [], []
        for j in range(joints):
            turn = array.array("f", (x for k in range(keys) for x in (0, 0, 0.1 * (k % 2), (1 - (0.1 * (k % 2)) ** 2) ** 0.5)))
            samplers.append({"input": times, "output": glb.accessor(turn, "VEC4")})
            channels.append({"sampler": len(samplers) - 1, "target": {"node": j, "path": "rotation"}})
        if targets:
            weights = array.array("f", (k % 2 for k in range(keys) for _ in range(targets)))
            samplers.append({"input": times, "output": glb.accessor(weights, "SCALAR")})
            channels.append({"sampler": len(samplers) - 1, "target": {"node": joints, "path": "weights"}})
        glb.json["animations"].append({"name": f"clip {clip}", "channels": channels, "samplers": samplers})
    glb.write(path)


def write_chain(path, depth, side, frames):
    """A closed box that the last joint of a chain moves half, and therefore every joint of the chain but the first."""
    glb = Glb()
    glb.json["nodes"] = [{"name": f"joint {j}", "children": [j + 1]} for j in range(depth - 1)]
    glb.json["nodes"] += [{"name": "end"}, {"name": "box", "mesh": 0, "skin": 0}]
    glb.json["scenes"] = [{"nodes": [0, depth]}]
    glb.json["skins"] = [{"joints": list(range(depth))}]
    points, corners = array.array("f"), array.array("I")
    for axis in range(3):
        for end in (0, 1):
            first = len(points) // 3
            for v in range(side * side):
                point = [0, 0, 0]
                point[axis], point[axis - 1], point[axis - 2] = end, v % side / (side - 1), v // side / (side - 1)
                points.extend(point)
            for v in (y * side + x for y in range(side - 1) for x in range(side - 1)):
                square = [first + n for n in (v, v + 1, v + side, v + 1, v + side + 1, v + side)]
                corners.extend(square if end else reversed(square))
    count = len(points) // 3
    attributes = {"POSITION": glb.accessor(points, "VEC3", ([0, 0, 0], [1, 1, 1])),
                  "JOINTS_0": glb.accessor(array.array("H", [0, depth - 1, 0, 0] * count), "VEC4"),
                  "WEIGHTS_0": glb.accessor(array.array("f", [0.5, 0.5, 0, 0] * count), "VEC4")}
    glb.json["meshes"] = [{"primitives": [{"attributes": attributes, "indices": glb.accessor(corners, "SCALAR")}]}]
    times = glb.accessor(array.array("f", [0, (frames - 1) / 30]), "SCALAR", ([0], [(frames - 1) / 30]))
    turn = glb.accessor(array.array("f", [0, 0, 0, 1, 0, 0, 0.6, 0.8]), "VEC4")
    glb.json["animations"] = [{"samplers": [{"input": times, "output": turn}],
                               "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}]}]
    glb.write(path)


def write_surface(path, points, corners, weights, joints, chained, frames=4):
    """A surface. `weights`: of each vertex, pairs of a joint and its weight. The joints are on the x axis from 0 to 1."""
    glb = Glb()
    apart = 1 / joints
    parents = {j: j - 1 if chained else 0 for j in range(1, joints)}
    for j in range(joints):
        children = [child for child in ((j + 1,) if chained else range(1, joints) if j == 0 else ()) if child < joints]
        glb.json["nodes"].append({"name": f"joint {j}", "translation": [(j - parents.get(j, 0)) * apart, 0, 0],
                                  **({"children": children} if children else {})})
    glb.json["nodes"].append({"name": "mesh", "mesh": 0, "skin": 0})
    glb.json["scenes"] = [{"nodes": [0, joints]}]
    binds = glb.accessor(array.array("f", (x for j in range(joints) for x in (
        1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -j * apart, 0, 0, 1))), "MAT4")
    glb.json["skins"] = [{"joints": list(range(joints)), "inverseBindMatrices": binds}]
    attributes = {"POSITION": glb.accessor(array.array("f", points), "VEC3", ([-1, -1, -1], [2, 2, 2]))}
    for first in range(0, max(map(len, weights)), 4):
        padded = [(row[first:first + 4] + [(0, 0)] * 4)[:4] for row in weights]
        attributes[f"JOINTS_{first // 4}"] = glb.accessor(array.array("H", (j for row in padded for j, _ in row)), "VEC4")
        attributes[f"WEIGHTS_{first // 4}"] = glb.accessor(array.array("f", (w for row in padded for _, w in row)), "VEC4")
    glb.json["meshes"] = [{"primitives": [{"attributes": attributes,
                                           "indices": glb.accessor(array.array("I", corners), "SCALAR")}]}]
    times = glb.accessor(array.array("f", [0, (frames - 1) / 30]), "SCALAR", ([0], [(frames - 1) / 30]))
    turn = glb.accessor(array.array("f", [0, 0, 0, 1, 0, 0, 0.6, 0.8]), "VEC4")
    glb.json["animations"] = [{"samplers": [{"input": times, "output": turn}],
                               "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}]}]
    glb.write(path)


class Shape:
    """A rig and the command that bakes it. Counts are given at scale 1 as (count, least count of any scale)."""

    def __init__(self, command, **counts):
        self.command, self.counts = command.split(), counts

    def write(self, path, scale):
        """Writes the rig in a process of its own: a child's peak memory begins with that of its parent."""
        child = multiprocessing.get_context("spawn").Process(target=Shape._write, args=(self.counts, path, scale))
        child.start()
        child.join()
        if child.exitcode != 0:
            raise RuntimeError(f"{path} could not be written")

    @staticmethod
    def _write(counts, path, scale):
        scaled = dict(counts)
        side, growing = scaled.pop("side"), scaled.pop("growing", None)
        if growing is None:
            side = max(8, int(side * scale ** 0.5))
        else:
            scaled[growing] = max(4, int(scaled[growing] * scale))
        write_rig(path, side, **scaled)


BAKE = "bake rig.glb"
REPORT = " --report r.json"
SHAPES = {
    "vertices": Shape(BAKE + " -o a.pc2", side=1000, influences=4),
    "vertices, verify": Shape(BAKE + " -o a.pc2 --verify --threads 16", side=1000, influences=4, frames=128),
    "vertices, report": Shape(BAKE + " -o a.pc2 -m dqs" + REPORT, side=1000, influences=4),
    "vertices, dm": Shape(BAKE + " -o a.pc2 -m dm" + REPORT, side=1000, influences=4),
    "vertices, ddm": Shape(BAKE + " -o a.pc2 -m ddm" + REPORT, side=1000, influences=4),
    "joints": Shape(BAKE + " -o a.pc2 -m dqs" + REPORT, side=100, joints=5000, growing="joints", influences=4, frames=64),
    "clips": Shape(BAKE + " --clip all -o {clip}.usda --format usda:normals=1" + REPORT, side=40, joints=20, influences=4,
                   clips=500, growing="clips", normals=True),
    "meshes": Shape(BAKE + " -o {mesh}.pc2 -m dqs" + REPORT, side=70, joints=40, influences=4, meshes=300, growing="meshes"),
    "influences, cor": Shape(BAKE + " -o a.pc2 -m cor:epsilon=1", side=45, joints=300, influences=300, growing="influences"),
    "frames": Shape(BAKE + " -o a.pc2 -m dqs" + REPORT, side=12, joints=10, frames=100000, growing="frames"),
    "frames, every metric": Shape(BAKE + " --metrics all" + REPORT, side=12, joints=10, frames=100000,
                                  growing="frames"),
    "frames, glb": Shape(BAKE + " -o a.glb --format glb:split=1", side=12, joints=10, frames=40000, growing="frames"),
    "frames, glb verified": Shape(BAKE + " -o a.glb --format glb:split=1,normals=1 --verify", side=12, joints=10,
                                  frames=40000, growing="frames", normals=True),
    "view": Shape(BAKE + " -m dqs" + REPORT + " --report p.html --view", side=400, influences=4, frames=300),
    "view, frames": Shape(BAKE + " -m dqs --report p.html --view", side=12, joints=10, frames=100000, growing="frames"),
    "pages": Shape(BAKE + " --metrics all" + REPORT + " --report p.html --report p.md --report p.xml", side=12, joints=10,
                   frames=40000, growing="frames"),
    "textures": Shape(BAKE + " -o a.exr", side=300, influences=4, frames=64),
    "textures, png": Shape(BAKE + " -o a.png", side=300, influences=4, frames=64),
    "textures, every option": Shape(BAKE + " -o a.png --format vat:normals=1,split=8,compress=1", side=1000, frames=4,
                                    normals=True),
    "meshes, textures": Shape(BAKE + " -o {mesh}.exr", side=200, copies=200, growing="copies", frames=2),
    "meshes, glb": Shape(BAKE + " -o a.glb --format glb:normals=1", side=200, copies=200, growing="copies", frames=2,
                         normals=True),
    "meshes, quantized glb": Shape(BAKE + " -o a.glb --format glb:quantize=1", side=200, copies=200, growing="copies",
                                   frames=2),
    "keys": Shape(BAKE + " -o a.pc2", side=12, joints=40, frames=10000, keys=10000, growing="keys"),
    "targets": Shape(BAKE + " -o a.pc2" + REPORT, side=150, targets=300, growing="targets"),
}


# Comparisons of rig.glb with other.glb, whose vertices are lifted by a little.
DIFF = "diff rig.glb other.glb --threads 8 --match "
PAIRS = {
    "diff by index": Shape(DIFF + "index" + REPORT, side=1000, influences=4, frames=100),
    "diff by order": Shape(DIFF + "order" + REPORT, side=1000, influences=4, frames=100),
    "diff by surface": Shape(DIFF + "surface --hausdorff" + REPORT, side=500, influences=4, frames=20),
    "diff, view": Shape(DIFF + "order --report p.html --view", side=1000, influences=4, frames=100),
    "diff, joints without names": Shape(DIFF + "surface", side=8, joints=4000, growing="joints", named=False),
}


# Runs a command and prints its exit code and its peak in KiB. The peak of a program begins with that of the process
# that starts it, so a small process starts it: the tests themselves grow.
LAUNCHER = """
import os, sys
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=[
    (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
_, status, usage = os.wait4(child, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)
"""


def measure(folder, arguments, limit):
    """Runs the program. Returns its exit code, what it wrote to standard error, and its peak memory in bytes."""
    with open(folder / "errors.txt", "wb") as errors:
        launched = subprocess.run([sys.executable, "-I", "-S", "-c", LAUNCHER, str(PROGRAM), *arguments,
                                   "--max-memory", str(limit)], cwd=folder, env=environment(),
                                  stdout=subprocess.PIPE, stderr=errors, check=True)
    code, peak = map(int, launched.stdout.split())
    return code, (folder / "errors.txt").read_text(), peak * 1024


def named_figure(errors):
    """The limit in bytes that a refusal recommends."""
    found = re.search(r"raise the limit to (\d+) (MiB|GiB|bytes)", errors)
    return int(found[1]) * {"MiB": MIB, "GiB": 1 << 30, "bytes": 1}[found[2]] if found else None


def least_figure(folder, arguments):
    """The limit at which the refusals end, and the run at that limit."""
    limit = MIB
    for _ in range(12):  # every file of a comparison may name a figure of its own
        code, errors, peak = measure(folder, arguments, limit)
        if code != 3 or "MEMORY_LIMIT" not in errors or named_figure(errors) is None:
            break
        limit = max(limit + 1, named_figure(errors))
    return limit, code, errors, peak


def row(name, limit, code, errors, peak):
    refusal = named_figure(errors) if code == 3 else None
    ratio = peak / limit
    result = f"refused: needs {refusal / MIB:.0f}" if refusal else f"{ratio:5.2f}" if code in (0, 1) else f"exit {code} {errors[:150]}"
    print(f"{name:20} {limit / MIB:9.0f} {peak / MIB:9.0f}  {result}", flush=True)


def table(scale, names):
    print(f"{'shape':20} {'figure':>9} {'peak':>9}  (MiB) ratio")
    for name in names or SHAPES:
        with tempfile.TemporaryDirectory(prefix="skinbake-memory-") as text:
            folder = pathlib.Path(text)
            SHAPES[name].write(folder / "rig.glb", scale)
            arguments = SHAPES[name].command
            first = least_figure(folder, arguments)
            row(name, *first)
            for limit in (max(MIB, first[0] // 2), 2 * first[0], 4 << 30):
                row(name, limit, *measure(folder, arguments, limit))


def skip_with_a_sanitizer(test):
    if any(word in PROGRAM.read_bytes() for word in (b"__asan_init", b"__tsan_init")):
        test.skipTest("a sanitizer's own memory counts too")


class Memory(CliTest):
    # At these scales the rigs need a multiple of the program's own memory.
    SCALES = {"clips": 0.2, "meshes": 0.1, "influences, cor": 0.1, "frames": 0.2, "frames, every metric": 0.2,
              "diff, joints without names": 1, "frames, glb": 0.5, "frames, glb verified": 1, "textures, every option": 0.3, "meshes, textures": 0.5, "meshes, glb": 1,
              "meshes, quantized glb": 1,
              "targets": 0.2, "view": 0.05, "view, frames": 0.05, "pages": 0.5, "joints": 0.2, "vertices, dm": 0.03, "vertices, ddm": 0.02}

    def setUp(self):
        super().setUp()
        skip_with_a_sanitizer(self)

    def require_bounded(self, name):
        SHAPES[name].write(self.folder / "rig.glb", self.SCALES.get(name, 0.05))
        self.require_bounded_command(SHAPES[name].command)

    def require_bounded_pair(self, name):
        shape, scale = PAIRS[name], self.SCALES.get(name, 0.05)
        shape.write(self.folder / "rig.glb", scale)
        Shape("", **{**shape.counts, "lift": 1e-6}).write(self.folder / "other.glb", scale)
        self.require_bounded_command(shape.command)

    def require_bounded_command(self, arguments):
        limit, code, errors, peak = least_figure(self.folder, arguments)
        self.assertIn(code, (0, 1), errors)
        self.assertLess(peak, FACTOR * limit, f"at the least figure, {limit}")
        code, errors, _ = measure(self.folder, arguments, limit // 2)
        self.assertEqual(code, 3)
        self.assertGreater(named_figure(errors), limit // 2)
        _, _, peak = measure(self.folder, arguments, 2 * limit)
        self.assertLess(peak, FACTOR * 2 * limit, f"at twice the least figure, {limit}")

    def test_the_limit_bounds_programs_of_long_chains(self):
        joints, vertices = 1000, 5000
        write_surface(self.folder / "rig.glb", (x for v in range(vertices) for x in (v / vertices, v % 7 / 7, v % 3 / 3)),
                      [0, 1, 2], [[(v, 1.0)] if v < joints else [(0, 0.5), (joints - 1, 0.5)] for v in range(vertices)],
                      joints, chained=True)
        self.require_bounded_command(["bake", "rig.glb", "-m", "jst", "-o", "a.pc2"])

    def test_the_limit_bounds_the_corners_of_a_fan_whose_triangles_share_only_the_centre_s_place(self):
        count, points = 1000, []
        for t in range(count):
            ends = (2 * math.pi * t / count, 2 * math.pi * ((t + 1) % count) / count)
            points += [0, 0, 0] + [x for a in ends for x in (math.cos(a), math.sin(a), 0)]
        write_surface(self.folder / "rig.glb", points, range(3 * count), [[(0, 0.5), (1, 0.5)]] * (3 * count), 2, True)
        self.require_bounded_command(["bake", "rig.glb", "-m", "dm", "-o", "a.pc2"])

    def test_the_limit_bounds_the_weights_of_triangles_that_share_vertices(self):
        joints, vertices, triangles = 200, 12, 20_000
        corners = list(itertools.permutations(range(vertices), 3))
        weights = [[(j, 1 / joints) for j in range(joints)]] * vertices
        write_surface(self.folder / "rig.glb", (x for v in range(vertices) for x in (math.cos(v), math.sin(v), v / 12)),
                      [v for t in range(triangles) for v in corners[7 * t % len(corners)]], weights, joints, chained=False)
        self.require_bounded_command(["bake", "rig.glb", "--metrics", "inversions", "--report", "r.json"])

    def test_cross_sections_that_do_not_fit_into_the_limit_are_refused(self):
        joints, sides = 60, 2000
        turns = [2 * math.pi * s / sides for s in range(sides)]
        points = [x for end in (-0.1, 1.1) for a in turns for x in (end, 0.1 * math.cos(a), 0.1 * math.sin(a))]
        corners = []
        for s in range(sides):
            n = (s + 1) % sides
            corners += [s, sides + s, n, n, sides + s, sides + n]
        write_surface(self.folder / "rig.glb", points, corners, [[(0, 1.0)]] * sides + [[(joints - 1, 1.0)]] * sides,
                      joints, chained=True)
        command = ["bake", "rig.glb", "--metrics", "candy_wrapper", "--report", "r.json"]
        figure = 24 * MIB + PROGRAM_BYTES
        code, errors, peak = measure(self.folder, command, figure)
        self.assertEqual(code, 3)
        self.assertLess(peak, FACTOR * figure)
        self.assertIn("metric 'candy_wrapper': the cross-sections of mesh 'mesh' need ", errors)
        limit, code, errors, peak = least_figure(self.folder, command)
        self.assertEqual(code, 0, errors)
        self.assertLess(peak, FACTOR * limit)

    def test_the_limit_bounds_the_states_of_metrics(self):
        metrics = "edge_stretch,triangle_distortion,dihedral,normal_deviation,inversions,candy_wrapper,bulge"
        for name, counts in (("vertices", {"side": 200, "joints": 20}), ("joints", {"side": 30, "joints": 3000})):
            with self.subTest(name):
                write_rig(self.folder / "rig.glb", influences=4, frames=32, normals=True, **counts)
                self.require_bounded_command(["bake", "rig.glb", "--threads", "2", "--metrics", metrics, "--report", "r.json"])

    def test_the_limit_bounds_the_results_of_a_library(self):
        for side, method in (("a", "lbs"), ("b", "dqs")):
            self.succeed("bake", RIGS / "bent_arm.gltf", "-q", "-m", method, "--frames", "0:10", "-o", f"{side}.pc2")
            (self.folder / side).mkdir()
            for number in range(400):
                for end in (".pc2", ".pc2.json"):
                    os.link(self.folder / f"{side}{end}", self.folder / side / f"{number:03}{end}")
        diff = ["diff", "a", "b", "-q"]
        for outputs in ([], ["--report", "d.json"], ["--report", "d.json", "--report", "d.html", "--report", "d.xml"]):
            with self.subTest(outputs):
                self.require_bounded_command([*diff, *outputs])

    def test_the_limit_bounds_the_metrics_of_many_meshes(self):
        """The freed memory of a mesh must not stay with the process while it bakes the next ones."""
        write_rig(self.folder / "rig.glb", 100, copies=60, normals=True, frames=5)
        metrics = "volume,bulge,normal_deviation,candy_wrapper,dihedral,inversions,error"
        limit = 200 * MIB
        code, errors, peak = measure(self.folder, ["bake", "rig.glb", "--metrics", metrics, "--report", "r.json"], limit)
        self.assertEqual(code, 0, errors)
        self.assertLess(peak, FACTOR * limit)

    def test_a_refusal_names_the_mesh_the_largest_part_and_the_remedy(self):
        SHAPES["vertices, dm"].write(self.folder / "rig.glb", 0.01)
        self.fail_with(3, *SHAPES["vertices, dm"].command, "--max-memory", "24M", naming=(
            "rig.glb /nodes/2: mesh 'mesh 0' of 10000 vertices needs ", "more than the limit of 24 MiB; the largest part, ",
            "is the preparation of the method; raise the limit to ", "or bake fewer meshes, clips or methods at a time",
            "[MEMORY_LIMIT] (option --max-memory)"))

    def test_the_limit_bounds_the_fit_of_a_rig_with_many_targets(self):
        """The targets share an accessor: their weights are what needs memory."""
        write_rig(self.folder / "rig.glb", 8, frames=600, targets=1)
        gltf, data = glb(self.read("rig.glb"))
        primitive = gltf["meshes"][0]["primitives"][0]
        primitive["targets"] *= 4000
        for animation in gltf["animations"]:
            animation["channels"] = [c for c in animation["channels"] if c["target"]["path"] != "weights"]
        (self.folder / "rig.glb").write_bytes(packed(gltf, data))
        fit = ["fit", "rig.glb", "-m", "dqs", "--correctives", "1", "-o", "fit.glb"]
        self.require_bounded_command(fit)
        self.require_bounded_command([*fit, "--helpers", "1"])

    def test_the_limit_bounds_the_fit_of_many_meshes(self):
        """The correctives of all meshes are kept until the file is written."""
        write_rig(self.folder / "rig.glb", 22, frames=24, meshes=60)
        fit = ["fit", "rig.glb", "-m", "dqs", "--correctives", "20", "-o", "fit.glb"]
        self.require_bounded_command(fit)
        self.require_bounded_command([*fit, "--verify"])
        self.fail_with(3, *fit, "--max-memory", "28M", naming=("the fit of 60 meshes needs ", "MEMORY_LIMIT"))

    def test_the_limit_bounds_the_verification_of_a_converted_cache(self):
        SHAPES["vertices, verify"].write(self.folder / "rig.glb", 0.16)
        self.succeed("bake", "rig.glb", "-o", "a.pc2")
        self.require_bounded_command(["convert", "a.pc2", "b.npy", "--verify", "--threads", "16"])

    def test_the_limit_bounds_regions_of_joints_that_are_a_long_chain(self):
        write_chain(self.folder / "rig.glb", depth=1000, side=30, frames=2)
        self.require_bounded_command(["bake", "rig.glb", "--report", "r.json", "--threads", "2"])

    def test_the_limit_bounds_the_losses_of_many_joints(self):
        write_chain(self.folder / "rig.glb", depth=200, side=4, frames=10000)
        self.require_bounded_command(["bake", "rig.glb", "--report", "r.json", "--threads", "1"])

    def test_the_limit_bounds_the_volumes_of_many_joints(self):
        write_chain(self.folder / "rig.glb", depth=3000, side=4, frames=64)
        self.require_bounded_command(["bake", "rig.glb", "--metrics", "volume", "--report", "r.json", "--threads", "16"])

    def test_the_limit_bounds_the_search_for_a_frame_rate(self):
        write_rig(self.folder / "rig.glb", side=150, influences=4, frames=40)
        self.require_bounded_command(["bake", "rig.glb", "--fps", "auto:0.01", "-o", "a.pc2", "--threads", "8"])

    def test_the_limit_bounds_the_tasks_of_a_batch(self):
        """Rigs of other files are loaded after one another; the largest task needs the whole figure."""
        counts = {"a": {"side": 60, "influences": 64, "joints": 64}, "b": {"side": 150, "influences": 4, "joints": 8},
                  "c": {"side": 60, "targets": 60}}
        for name, count in counts.items():
            Shape("", **count).write(self.folder / f"{name}.glb", 1)
        jobs = [{"name": name + method, "rig": f"{name}.glb", "output": f"{name}-{method}.pc2", "method": method}
                for method in ("lbs", "dqs") for name in counts]
        (self.folder / "jobs.json").write_text(json.dumps({"schema": "skinbake.batch", "schema_version": "1.0", "jobs": jobs}))
        alone = [["bake", job["rig"], "-o", "x.pc2", "-m", job["method"]] for job in jobs]
        figure = max(least_figure(self.folder, command)[0] for command in alone) + 4 * MIB
        for at_a_time in ("1", "2"):
            for limit in (figure, 2 * figure):
                with self.subTest(at_a_time, limit=limit):
                    for state in self.folder.glob("*.state.jsonl"):
                        state.unlink()
                    code, errors, peak = measure(self.folder, ["batch", "jobs.json", "-j", at_a_time], limit)
                    self.assertEqual(code, 0, errors)
                    self.assertLess(peak, FACTOR * limit)

    def test_an_output_does_not_depend_on_the_limit(self):
        SHAPES["vertices, dm"].write(self.folder / "rig.glb", 0.02)
        arguments = SHAPES["vertices, dm"].command
        limit = least_figure(self.folder, arguments)[0]
        least = self.read("a.pc2"), self.read("r.json")
        self.assertEqual(measure(self.folder, arguments, 100 * limit)[0], 0)
        self.assertEqual((self.read("a.pc2"), self.read("r.json")), least)


class SmallFiles(CliTest):
    """Files that ask for a multiple of their bytes: the peak is within the limit, or the run names the figure."""

    FLOATS = {"bufferView": 0, "componentType": 5126, "count": 1, "type": "SCALAR"}

    def setUp(self):
        super().setUp()
        skip_with_a_sanitizer(self)

    def write(self, name, value):
        (self.folder / name).write_text(json.dumps(value, separators=(",", ":")))

    @staticmethod
    def triangle():
        data = base64.b64encode(struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)).decode()
        return {"asset": {"version": "2.0"},
                "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64," + data}],
                "bufferViews": [{"buffer": 0, "byteLength": 36}],
                "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
                "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}]}

    @classmethod
    def clip(cls, nodes, path, node=None, interpolation="STEP"):
        """A clip of a key for each node; all channels share a sampler."""
        return {"asset": {"version": "2.0"},
                "buffers": [{"byteLength": 16, "uri": "data:application/octet-stream;base64," + "A" * 21 + "g=="}],
                "bufferViews": [{"buffer": 0, "byteLength": 16}],
                "accessors": [cls.FLOATS, {"componentType": 5126, "count": 1, "type": "VEC3"}],
                "nodes": [node or {"name": f"n{i}"} for i in range(nodes)],
                "animations": [{
                    "samplers": [{"input": 0, "output": 1, "interpolation": interpolation}],
                    "channels": [{"sampler": 0, "target": {"node": i, "path": path}} for i in range(nodes)]}]}

    def write_repeated(self, name, head, unit, count, tail, mode="w"):
        """Writes in parts: the peak of a run begins with that of this process."""
        with open(self.folder / name, mode) as file:
            file.write(head)
            for done in range(0, count, 10_000):
                file.write(unit * min(10_000, count - done))
            file.write(tail)

    def write_glb(self, name, text, data, count=0):
        """A GLB. `count`: the empty objects of a list that the text has begun."""
        end = "]}" if count else ""
        end += " " * (-(len(text) + 3 * count + len(end)) % 4)
        size = len(text) + 3 * count + len(end)
        data += bytes(-len(data) % 4)
        head = struct.pack("<4sIIII", b"glTF", 2, 28 + size + len(data), size, 0x4E4F534A) + text.encode()
        self.write_repeated(name, head, b",{}", count, end.encode() + struct.pack("<II", len(data), 0x004E4942) + data,
                            "wb")

    def require_bounded(self, *arguments, limit=8 * MIB):
        """`limit`: what the figure leaves beside the program."""
        figure = limit + PROGRAM_BYTES
        code, errors, peak = measure(self.folder, arguments, figure)
        self.assertLess(peak, FACTOR * figure, errors)
        return code, errors

    def refuse(self, *arguments, **limit):
        """Returns what the refusal says."""
        code, errors = self.require_bounded(*arguments, **limit)
        self.assertEqual(code, 3)
        self.assertIn("[MEMORY_LIMIT] (option --max-memory)", errors)
        self.assertIsNotNone(named_figure(errors), errors)
        return errors

    def test_each_node_of_a_mesh_has_the_weights_of_its_empty_morph_targets(self):
        targets, nodes = 5000, 2000
        self.write("r.gltf", {
            **self.triangle(), "nodes": [{"mesh": 0}] * nodes,
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "targets": [{}] * targets}]}]})
        self.assertIn("mesh 0", self.refuse("inspect", "r.gltf", limit=16 * MIB))

    def test_the_clips_of_a_face_of_many_binds_share_the_face(self):
        binds, clips = 40_000, 500
        bones = ["hips", "spine", "chest", "neck", "head"] + [
            side + bone for side in ("left", "right")
            for bone in ("UpperLeg", "LowerLeg", "Foot", "UpperArm", "LowerArm", "Hand")]
        gltf, data = glb((RIGS / "walker.glb").read_bytes())
        node_of = {node["name"]: n for n, node in enumerate(gltf["nodes"])}
        mouth = gltf["nodes"][node_of["Mouth"]]["mesh"]
        gltf["extensionsUsed"] = ["VRM"]
        gltf["extensions"] = {"VRM": {
            "humanoid": {"humanBones": [{"bone": bone, "node": node_of[bone]} for bone in bones]},
            "blendShapeMaster": {"blendShapeGroups": [
                {"presetName": "joy", "binds": [{"mesh": mouth, "index": b % 2, "weight": 1} for b in range(binds)]}]}}}
        (self.folder / "r.vrm").write_bytes(packed(gltf, data))
        clip = self.clip(len(gltf["nodes"]), "translation")
        clip["nodes"] = [{key: value for key, value in node.items() if key not in ("mesh", "skin", "weights")}
                         for node in gltf["nodes"]] + [{"name": "happy"}]
        happy = len(clip["nodes"]) - 1
        channel = {"sampler": 0, "target": {"node": happy, "path": "translation"}}
        clip["animations"] = [{**clip["animations"][0], "name": f"a{c}", "channels": [channel]} for c in range(clips)]
        clip["extensionsUsed"] = ["VRMC_vrm_animation"]
        clip["extensions"] = {"VRMC_vrm_animation": {
            "specVersion": "1.0", "humanoid": {"humanBones": {bone: {"node": node_of[bone]} for bone in bones}},
            "expressions": {"preset": {"happy": {"node": happy}}}}}
        self.write("c.vrma", clip)
        code, errors = self.require_bounded("bake", "r.vrm", "--mesh", "Mouth", "--clip", "c.vrma#all", "--frames", "0",
                                            "-q", "-o", "a_{clip}.pc2", limit=128 * MIB)
        self.assertEqual(code, 0, errors)

    def test_channels_of_one_accessor_share_a_single_cubic_key(self):
        weights, nodes = 100_000, 100
        self.write("r.gltf", {**self.triangle(), "nodes": [{"mesh": 0}]})
        self.write("c.gltf", {
            **self.clip(nodes, "weights", interpolation="CUBICSPLINE"),
            "accessors": [self.FLOATS, {"componentType": 5126, "count": 3 * weights, "type": "SCALAR"}]})
        self.require_bounded("bake", "r.gltf", "--clip", "c.gltf", "-o", "a.pc2", limit=16 * MIB)

    def test_channels_of_many_nodes_alternate_between_two_samplers_of_many_keys(self):
        keys, nodes = 20_000, 500
        times = [struct.pack(f"<{keys}f", *(i + late for i in range(keys))) for late in (0, 0.5)]
        data = times[0] + times[1] + bytes(16 * keys)
        view = [{"buffer": 0, "byteOffset": start * keys, "byteLength": size * keys}
                for start, size in ((0, 4), (4, 4), (8, 16))]
        accessor = [{**self.FLOATS, "bufferView": v, "count": keys} for v in (0, 1)]
        accessor.append({"bufferView": 2, "componentType": 5126, "count": keys, "type": "VEC4"})
        (self.folder / "c.bin").write_bytes(data)
        # A chain: each node moves the mesh.
        chain = [{"name": f"n{i}", "children": [i + 1]} for i in range(nodes - 1)] + [{"name": "mesh", "mesh": 0}]
        chain[0]["scale"] = [1, 1, 2]
        self.write("r.gltf", {**self.triangle(), "nodes": chain})
        self.write("c.gltf", {
            "asset": {"version": "2.0"}, "buffers": [{"byteLength": len(data), "uri": "c.bin"}],
            "bufferViews": view, "accessors": accessor, "nodes": [{"name": f"n{i}"} for i in range(nodes - 1)],
            "animations": [{"samplers": [{"input": 0, "output": 2}, {"input": 1, "output": 2}],
                            "channels": [{"sampler": i % 2, "target": {"node": i, "path": "rotation"}}
                                         for i in range(nodes - 1)]}]})
        code, errors = self.require_bounded("bake", "r.gltf", "--clip", "c.gltf", "--method", "dqs", "--frames", "0",
                                            "-o", "a.pc2", limit=16 * MIB)
        self.assertEqual(code, 0, errors)

    def test_a_map_pairs_a_name_with_one_of_many_nodes(self):
        count = 600
        self.write("r.gltf", {**self.triangle(), "nodes": [{"mesh": 0}] + [{}] * count})
        self.write("c.gltf", self.clip(count, "translation", {"name": "a"}))
        self.write("map.json", {f"#{i}": "a" for i in range(count)})
        code, errors = self.require_bounded("retarget", "c.gltf", "r.gltf", "--map", "map.json", "--mode", "names",
                                            "-o", "a.glb", limit=16 * MIB)
        self.assertEqual(code, 0, errors)
        self.assertIn("further node 'a'", errors)

    def test_brackets_are_refused_without_memory(self):
        self.write_repeated("r.json", "", "[" * 1000, 30_000, "")
        code, errors = self.require_bounded("report", "r.json", "-o", "p.html", limit=32 * MIB)
        self.assertEqual(code, 3)
        self.assertIn("is not JSON", errors)

    def test_reports_share_the_limit(self):
        support.write_rig(self.folder / "r.gltf", ["body"])
        self.succeed("bake", "r.gltf", "-m", "dqs", "--report", "r.json")
        report = json.loads(self.read("r.json"))
        report["allowed"] = ["x"] * 40_000
        names = [f"{n}.json" for n in range(30)]
        for name in names:
            self.write(name, report)
        command = ["report", *names, "-o", "p.html"]
        for limit in (6 * MIB, 12 * MIB):  # the first report does not fit, and a later one
            code, errors = self.require_bounded(*command, limit=limit)
            self.assertEqual(code, 3)
            self.assertIn("and the other reports need ", errors)
            self.require_figure(command, errors)

    def require_figure(self, command, errors):
        """The figure of a refusal suffices."""
        figure = named_figure(errors)
        code, errors, peak = measure(self.folder, command, figure)
        self.assertEqual(code, 0, errors)
        self.assertLess(peak, FACTOR * figure)

    def test_retargeted_clips_share_skeletons(self):
        gltf, data = glb((RIGS / "walker.glb").read_bytes())
        gltf["nodes"] += [{}] * 4000
        gltf["animations"] = [{**gltf["animations"][0], "name": f"clip {i}"} for i in range(600)]
        (self.folder / "clips.glb").write_bytes(packed(gltf, data))
        code, errors = self.require_bounded("retarget", "clips.glb#all", str(RIGS / "walker.glb"), "--mode", "humanoid",
                                            "--fps", "1", "-o", "a.glb", limit=144 * MIB)
        self.assertEqual(code, 0, errors)

    def test_the_json_of_a_rig_is_written_within_the_limit(self):
        count = 12
        nodes = [{"name": f"n{i}", "children": [i + 1]} for i in range(count - 1)] + [{"name": "mesh", "mesh": 0}]
        data = struct.pack("<2f6f", 0, 1, 1, 1, 1, 2, 2, 2)
        rig = {**self.triangle(), "nodes": nodes, "scenes": [{"nodes": [0]}]}
        self.write("clip.gltf", {
            "asset": {"version": "2.0"}, "nodes": nodes[:-1] + [{"name": "mesh"}],
            "buffers": [{"byteLength": len(data),
                         "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}],
            "bufferViews": [{"buffer": 0, "byteLength": 8}, {"buffer": 0, "byteOffset": 8, "byteLength": 24}],
            "accessors": [{**self.FLOATS, "bufferView": 0, "count": 2},
                          {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3"}],
            "animations": [{
                "samplers": [{"input": 0, "output": 1}],
                "channels": [{"sampler": 0, "target": {"node": i, "path": path}}
                             for i in range(count) for path in ("translation", "scale")]}]})
        self.write("rig.gltf", {**rig, "extras": ["abcdefghijklmnopqrstu"] * 600_000})
        arguments = ("retarget", "clip.gltf", "rig.gltf", "--fps", "345000", "--max-frames", "1000000", "-o", "o.glb")
        self.refuse(*arguments, limit=176 * MIB)
        code, errors = self.require_bounded(*arguments, limit=360 * MIB)
        self.assertEqual(code, 0, errors)

    def require_few_refusals(self, *command, most=2):
        """Each refusal names a limit, and few precede one that suffices."""
        limit = PROGRAM_BYTES + 1
        for _ in range(most + 1):
            code, errors, peak = measure(self.folder, command, limit)
            self.assertLess(peak, FACTOR * limit, errors)
            if code == 0:
                return
            self.assertEqual(code, 3, errors)
            limit = named_figure(errors)
        self.fail(f"more than {most} refusals, the last: {errors}")

    def test_the_files_that_a_rig_names_are_in_the_figure(self):
        write_rig(self.folder / "rig.glb", side=300)
        gltf, data = glb(self.read("rig.glb"))
        gltf["buffers"][0]["uri"] = "rig.bin"
        gltf["images"] = [{"uri": "a.png"}, {"bufferView": 0, "mimeType": "image/png"}]
        gltf["textures"] = [{"source": 0}, {"source": 1}]
        gltf["materials"] = [{"emissiveTexture": {"index": 0}, "normalTexture": {"index": 1}}]
        gltf["meshes"][0]["primitives"][0]["material"] = 0
        (self.folder / "rig.bin").write_bytes(data)
        (self.folder / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(20 * MIB))
        self.write("rig.gltf", gltf)
        self.require_few_refusals("bake", "rig.gltf", "-o", "a.glb")
        self.require_few_refusals("retarget", "rig.gltf", "rig.gltf", "-o", "b.glb")

    def test_few_refusals_precede_the_figure_of_a_rig_whose_json_is_large(self):
        write_rig(self.folder / "rig.glb", side=20)
        gltf, data = glb(self.read("rig.glb"))
        gltf["nodes"] += [{"name": f"node {n}"} for n in range(60_000)]
        (self.folder / "rig.glb").write_bytes(packed(gltf, data))
        self.require_few_refusals("bake", "rig.glb", "-o", "a.pc2", most=3)

    def test_the_errors_per_vertex_of_all_reports_are_in_the_figure(self):
        write_rig(self.folder / "rig.glb", side=200)
        for name in ("a", "b", "c"):
            self.succeed("bake", "rig.glb", "-m", "dqs", "--report", f"{name}.json", "--per-vertex", "npy")
        self.require_few_refusals("report", "a.json", "b.json", "c.json", "-o", "p.html")
        self.require_few_refusals("diff", "a.json", "b.json")

    def test_the_figure_suffices_for_the_largest_mesh(self):
        """The first mesh has 9 of its 22500 vertices, but needs more than the limit as well."""
        write_rig(self.folder / "rig.glb", side=150, meshes=2, normals=True)
        gltf, data = glb(self.read("rig.glb"))
        primitive = gltf["meshes"][0]["primitives"][0]
        del primitive["indices"]
        for accessor in primitive["attributes"].values():
            gltf["accessors"][accessor]["count"] = 9
        gltf["accessors"][primitive["attributes"]["POSITION"]].update({"min": [0, 0, 0], "max": [0.06, 0, 0.03]})
        (self.folder / "rig.glb").write_bytes(packed(gltf, data))
        command = "bake rig.glb -m ddm --report x.html --view".split()
        code, errors, _ = measure(self.folder, command, 64 * MIB)
        self.assertEqual(code, 3, errors)
        self.assertIn("mesh 'mesh 1' of 22500 vertices needs ", errors)
        code, errors, _ = measure(self.folder, command, named_figure(errors))
        self.assertEqual(code, 0, errors)

    def test_a_refusal_before_outputs_are_open_counts_their_blocks(self):
        write_rig(self.folder / "rig.glb", side=200, normals=True)
        for options in (["-o", "a.usda", "--format", "usda:normals=1"],
                        ["-m", "dqs", "--report", "r.json", "--report", "p.html", "--view"]):
            with self.subTest(options):
                self.require_few_refusals("bake", "rig.glb", *options)

    def test_every_command_accepts_the_figure_that_it_names(self):
        """The first refusals are those of the files, and the last one that of the run."""
        write_rig(self.folder / "a.glb", side=150, normals=True)
        write_rig(self.folder / "b.glb", side=150, normals=True)
        self.succeed("bake", "a.glb", "-o", "a.npy", "-m", "dqs", "--report", "r.json", "--per-vertex", "json")
        self.write("jobs.json", {"schema": "skinbake.batch", "schema_version": "1.0",
                                 "jobs": [{"name": "a", "rig": "a.glb", "output": "job.pc2"}]})
        for command in ("bake a.glb -o x.pc2", "bake a.glb -o x.glb --format glb:normals=1 --verify",
                        "bake a.glb -m dqs --report x.json --report x.html --view",
                        "compare a.glb --method lbs --method dqs --metrics edge_stretch,bulge --report x.json",
                        "diff a.glb b.glb --report x.json", "fit a.glb -m dqs --correctives 1 -o x.glb",
                        "retarget a.glb b.glb -o x.glb", "convert a.npy x.pc2 --verify", "report r.json -o x.html",
                        "diff r.json r.json", "inspect a.glb", "batch jobs.json"):
            with self.subTest(command):
                self.require_few_refusals(*command.split(), most=3)

    def test_files_of_poses_share_the_limit(self):
        clips = []
        for i in range(12):
            self.write(f"{i}.json", [{}] * 6000)
            clips += ["--clip", f"poses:{i}.json"]
        command = ["bake", str(RIGS / "walker.glb"), *clips, "--frames", "0:0", "-o", "{clip}-{mesh}.pc2"]
        self.require_figure(command, self.refuse(*command, limit=16 * MIB))

    def test_names_have_few_words(self):
        for name, count in (("a1" * 2_000_000, 1), ("a1" * 100, 8_000)):
            with self.subTest(count):
                self.write("r.gltf", {**self.triangle(), "nodes": [{"mesh": 0}] + [{"name": name}] * count})
                self.require_bounded("inspect", "r.gltf", limit=32 * MIB)

    def test_files_of_the_user_are_read_within_the_limit(self):
        support.write_rig(self.folder / "r.gltf", ["body"])
        support.write_rig(self.folder / "c.gltf", ["body"])
        with open(self.folder / "big.json", "w") as file:
            file.writelines(f'{"," if i else "{"}"k{i}":"v"' for i in range(400_000))
            file.write("}")
        for arguments in (("retarget", "c.gltf", "r.gltf", "--map", "big.json", "-o", "a.glb"),
                          ("inspect", "r.gltf", "--humanoid", "big.json"),
                          ("bake", "r.gltf", "--joint-params", "big.json", "-o", "a.pc2"),
                          ("retarget", "rom", "r.gltf", "--ranges", "big.json", "-o", "a.glb")):
            with self.subTest(" ".join(arguments)):
                self.assertIn("big.json: ", self.refuse(*arguments))

    def test_the_json_of_a_glb_cache_is_read_within_the_limit(self):
        self.write_glb("big.glb", '{"asset":{"version":"2.0","generator":"skinbake 0.1"},"pad":[{}', bytes(4),
                       count=2_000_000)
        self.assertIn("is its JSON", self.refuse("convert", "big.glb", "a.pc2"))

    def test_the_streams_of_a_glb_cache_are_decoded_within_the_limit(self):
        blocks = 1 << 14  # of 256 elements, which a stream of zeros encodes in 32 bytes
        count, stream = 256 * blocks, b"\xa0" + bytes(32 * blocks + 32)
        compressed = {"buffer": 0, "byteOffset": 0, "byteLength": len(stream), "byteStride": 8, "count": count,
                      "mode": "ATTRIBUTES"}
        frames = {"fps": 30, "first_frame": 0, "frame_step": 1, "frame_count": 1}
        self.write_glb("a.glb", json.dumps({
            "asset": {"version": "2.0", "generator": "skinbake 0.1", "extras": {"skinbake": frames}},
            "extensionsRequired": ["KHR_mesh_quantization", "EXT_meshopt_compression"],
            "scene": 0, "scenes": [{"nodes": [0]}],
            "nodes": [{"mesh": 0, "translation": [0, 0, 0], "scale": [1, 1, 1]}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
            "accessors": [{"componentType": 5122, "type": "VEC3", "normalized": True, "count": count, "bufferView": 0}],
            "bufferViews": [{"buffer": 0, "byteLength": 8 * count, "byteStride": 8,
                             "extensions": {"EXT_meshopt_compression": compressed}}]}), stream)
        self.assertIn("the first frame of each mesh", self.refuse("convert", "a.glb", "a.pc2"))
        limit, code, errors, peak = least_figure(self.folder, ["convert", "a.glb", "a.pc2"])
        self.assertEqual(code, 0, errors)
        self.assertLess(peak, FACTOR * limit)

    def write_clips(self, primitives, clips, keys=2):
        """Triangles of one node, which clips move. They share the vertices and the keys."""
        data = struct.pack("<9f2f6f", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1)
        views = [{"buffer": 0, "byteOffset": offset, "byteLength": size} for offset, size in ((0, 36), (36, 8), (44, 24))]
        triangle = {"attributes": {"POSITION": 0}}
        (self.folder / "rig.glb").write_bytes(packed({
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [triangle] * primitives}],
            "animations": [{"name": f"c{c}", "samplers": [{"input": 1, "output": 2}],
                            "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}
                           for c in range(clips)],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0],
                           "max": [1, 1, 0]},
                          {"bufferView": 1, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
                          {"bufferView": 2, "componentType": 5126, "count": 2, "type": "VEC3"}],
            "bufferViews": views, "buffers": [{"byteLength": len(data)}]}, data))

    def test_the_targets_of_many_primitives_are_counted(self):
        self.write_clips(primitives=20, clips=1)
        for options in ([], ["--verify"]):
            with self.subTest(options):
                command = ["bake", "rig.glb", "--fps", "1000", "-o", "a.glb", *options]
                self.assertIn("open caches", self.refuse(*command))
                limit, code, errors, peak = least_figure(self.folder, command)
                self.assertEqual(code, 0, errors)
                self.assertLess(peak, FACTOR * limit)

    def test_parts_that_each_of_many_clips_hides_are_refused_before_they_need_memory(self):
        self.write_clips(primitives=1, clips=4300)
        command = ["bake", "rig.glb", "--clip", "all", "--frames", "0:0", "--format", "glb:split=1,targets=16"]
        code, errors = self.require_bounded(*command, "-o", "a.glb", limit=64 * MIB)
        self.assertEqual(code, 2)
        self.assertIn("a.glb: 4300 clips and 253 parts of each mesh need 1092200 scales", errors)
        self.assertIn("use a larger targets=N, fewer frames, or put {clip} or {mesh} into the path", errors)

    def test_the_sidecar_of_a_cache_is_read_within_the_limit(self):
        support.write_rig(self.folder / "r.gltf", ["body"])
        self.succeed("bake", "r.gltf", "-o", "a.pc2")
        sidecar = self.read("a.pc2.json").decode().rstrip().removesuffix("}")
        self.write_repeated("a.pc2.json", sidecar + ',"pad":[{}', ",{}", 600_000, "]}")
        self.assertIn("a.pc2.json: the sidecar needs ", self.refuse("convert", "a.pc2", "b.pc2"))

    def test_a_manifest_is_refused_by_its_size(self):
        with open(self.folder / "jobs.json", "wb") as file:
            file.truncate(3 << 30)
        code, errors = self.require_bounded("batch", "jobs.json", limit=4 * MIB)
        self.assertEqual(code, 3)
        self.assertIn("is larger than 1 GiB; split the manifest", errors)
        with open(self.folder / "jobs.json", "wb") as file:
            file.truncate(50 * MIB)
        self.assertIn("its text needs 116 MiB of memory", self.refuse("batch", "jobs.json", limit=32 * MIB))

    def test_a_manifest_from_standard_input_is_refused_with_a_figure(self):
        write_rig(self.folder / "rig.glb", side=8)
        jobs = [{"name": "a", "rig": "rig.glb", "output": "a.pc2"}]
        text = json.dumps({"schema": "skinbake.batch", "schema_version": "1.0", "jobs": jobs}) + " " * (5 * MIB)
        (self.folder / "jobs.json").write_text(text)
        for limit in (PROGRAM_BYTES, 20 * MIB):
            with open(self.folder / "jobs.json") as standard_input:
                refused = subprocess.run([PROGRAM, "batch", "-", "--dry-run", "--max-memory", str(limit)], cwd=self.folder,
                                         env=environment(), stdin=standard_input, capture_output=True, text=True)
            self.assertEqual(refused.returncode, 3)
            figure = named_figure(refused.stderr)
            self.assertEqual(figure, 27 * MIB, refused.stderr)

    def test_a_figure_that_does_not_exceed_the_program_is_refused_by_every_command(self):
        write_rig(self.folder / "rig.glb", side=8)
        self.succeed("bake", "rig.glb", "-o", "a.npy", "--report", "r.json")
        self.succeed("bake", "rig.glb", "-o", "b.pc2")
        self.write("jobs.json", {"schema": "skinbake.batch", "schema_version": "1.0",
                                 "jobs": [{"name": "a", "rig": "rig.glb", "output": "a.pc2"}]})
        for command in (("bake", "rig.glb", "-o", "x.pc2"), ("compare", "rig.glb"), ("inspect", "rig.glb"),
                        ("diff", "a.npy", "b.pc2"), ("diff", "rig.glb", "rig.glb"), ("diff", "r.json", "r.json"),
                        ("report", "r.json", "-o", "p.html"),
                        ("convert", "a.npy", "x.pc2"), ("convert", "b.pc2", "x.npy"),
                        ("fit", "rig.glb", "-m", "dqs", "--correctives", "1", "-o", "x.glb"),
                        ("retarget", "rig.glb", "rig.glb", "-o", "x.glb"), ("batch", "jobs.json"),
                        ("batch", "jobs.json", "--dry-run"), ("golden", "jobs.json", "--check", "g")):
            for figure in (1, MIB, PROGRAM_BYTES):
                with self.subTest(" ".join(command), figure=figure):
                    code, errors, peak = measure(self.folder, command, figure)
                    self.assertEqual(code, 3, errors)
                    self.assertIn("which does not exceed the 16 MiB of the program itself", errors)
                    self.assertGreater(named_figure(errors), PROGRAM_BYTES)
                    self.assertLess(peak, PROGRAM_BYTES)

    def test_the_jobs_of_a_manifest_are_read_within_the_limit(self):
        for job in ("{}", '{"rig":"a"}', '{"strict":null}'):
            with self.subTest(job):
                self.write_repeated("jobs.json", f'{{"schema":"skinbake.batch","schema_version":"1.0","jobs":[{job}',
                                    f",{job}", 500_000, "]}")
                self.assertIn("MEMORY_LIMIT", self.refuse("batch", "jobs.json", "--dry-run", limit=24 * MIB))


for shape in SHAPES:
    setattr(Memory, "test_the_limit_bounds_" + re.sub(r"\W+", "_", shape),
            lambda self, shape=shape: self.require_bounded(shape))
for pair in PAIRS:
    setattr(Memory, "test_the_limit_bounds_" + re.sub(r"\W+", "_", pair),
            lambda self, pair=pair: self.require_bounded_pair(pair))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--table"]:
        table(float((sys.argv[2:3] or ["1"])[0]), sys.argv[3:])
    else:
        main()
