#!/usr/bin/env python3
"""--max-memory bounds what the process holds: a run that needs more ends with exit code 3 and leaves nothing."""

import array
import json
import os
import pathlib
import struct
import subprocess
import sys

import support
from support import CliTest, PROGRAM, RIGS, environment, main

sys.path.insert(0, str(support.SOURCE / "tests/attacks"))
from hostile_files import changed_rig, damaged, good_files  # noqa: E402

MIB = 1 << 20
LIMITS = (48 * MIB, 256 * MIB)
# The program, its libraries, the stacks of threads, and freed memory that the process keeps.
BESIDE = 64 * MIB
TOKEN = 40 * MIB


class Glb:
    """A GLB under construction: JSON, and a binary chunk."""

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


# Runs a command and prints its exit code and its peak in KiB. The peak of a program begins with that of the process
# that starts it, so a small process starts it: the tests themselves grow.
LAUNCHER = """
import os, sys
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=[
    (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
_, status, usage = os.wait4(child, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)
"""


class MemoryTest(CliTest):
    def measure(self, *arguments):
        """The exit code of a run, what it wrote to standard error, and its peak memory in bytes."""
        with open(self.folder / "errors.txt", "wb") as errors:
            launched = subprocess.run([sys.executable, "-I", "-S", "-c", LAUNCHER, str(PROGRAM), *map(str, arguments)],
                                      cwd=self.folder, env=environment(), stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=errors, check=True)
        code, peak = map(int, launched.stdout.split())
        return code, (self.folder / "errors.txt").read_text(errors="replace"), peak * 1024

    def require_bounded(self, limit, *command):
        """Returns the exit code. A run without enough memory says so in one line, and leaves no file."""
        before = self.files()
        code, errors, peak = self.measure(*command, "--max-memory", limit)
        self.assertLessEqual(peak, limit + BESIDE, f"exit {code}: {errors}")
        if "MEMORY_LIMIT" in errors:
            self.assertEqual(code, 3, errors)
            self.assertRegex(errors, r"\Askinbake: error: [^\n]*out of memory[^\n]*; raise the limit of \d+ (MiB|byte)"
                                     r" \[MEMORY_LIMIT\] \(option --max-memory\)\n\Z")
            self.assertEqual({**self.files(), "errors.txt": b""}, {**before, "errors.txt": b""})
        return code, errors


class Limit(MemoryTest):
    METRICS = "error,volume,bulge,normal_deviation,candy_wrapper,dihedral,inversions"

    def refuse(self, limit, *command, naming):
        code, errors = self.require_bounded(limit, *command)
        self.assertEqual(code, 3, errors)
        self.assertIn(naming, errors)

    def test_the_program_itself_is_small(self):
        code, errors, peak = self.measure("--version")
        self.assertEqual(code, 0, errors)
        self.assertLess(peak, 20 * MIB)

    def test_a_refusal_names_the_limit_and_what_was_done(self):
        write_rig(self.folder / "rig.glb", 400, influences=4)
        self.refuse(8 * MIB, "bake", "rig.glb", "-o", "a.pc2", naming="out of memory while reading rig.glb; raise the limit of 8 MiB [")
        self.refuse(56 * MIB, "bake", "rig.glb", "-m", "ddm", "-o", "a.pc2", naming="while working on mesh 0 clip 0")

    def test_a_limit_of_a_byte_applies_to_every_command(self):
        arm, walker = RIGS / "bent_arm.gltf", RIGS / "walker.glb"
        self.succeed("bake", arm, "-q", "-o", "a.pc2", "--report", "r.json")
        for command in (("inspect", arm), ("bake", arm, "-o", "b.pc2"), ("bake", arm, "--json", "--clip", walker),
                        ("compare", arm), ("convert", "a.pc2", "b.npy"), ("diff", "a.pc2", "a.pc2"),
                        ("report", "r.json", "-o", "b.html"), ("retarget", walker, walker, "-o", "b.glb")):
            self.refuse(1, *command, naming="raise the limit of 1 byte [")

    def test_a_buffer_above_the_limit_is_refused(self):
        arm = json.loads((RIGS / "bent_arm.gltf").read_text())
        arm["buffers"][0] = {"uri": "big.bin", "byteLength": 1 << 24}
        (self.folder / "r.gltf").write_text(json.dumps(arm))
        with open(self.folder / "big.bin", "wb") as file:
            file.truncate(1 << 24)
        self.refuse(12 * MIB, "inspect", "r.gltf", naming="raise the limit of 12 MiB [MEMORY_LIMIT] (option --max-memory)")

    def test_an_output_does_not_depend_on_the_limit(self):
        write_rig(self.folder / "rig.glb", 150, influences=4, frames=64)
        command = ("bake", "rig.glb", "-m", "dqs", "-o", "a.pc2", "--report", "r.json")
        self.assertEqual(self.require_bounded(96 * MIB, *command)[0], 0)
        least = self.read("a.pc2"), self.read("r.json")
        self.assertEqual(self.require_bounded(2048 * MIB, *command)[0], 0)
        self.assertEqual((self.read("a.pc2"), self.read("r.json")), least)

    def test_freed_memory_of_many_meshes_does_not_pile_up(self):
        write_rig(self.folder / "rig.glb", 100, copies=60, normals=True, frames=5)
        code, errors = self.require_bounded(150 * MIB, "bake", "rig.glb", "--metrics", self.METRICS, "--report", "r.json")
        self.assertEqual(code, 0, errors)

    def test_large_rigs_stay_within_the_limit(self):
        """Every consumer in turn: loading, binds with Eigen, metrics, writers with libpng and OpenEXR, pages, fits."""
        write_rig(self.folder / "rig.glb", 120, influences=4, frames=24, normals=True)
        write_rig(self.folder / "other.glb", 120, influences=4, frames=24, normals=True, lift=1e-6)
        write_rig(self.folder / "faces.glb", 40, targets=400, frames=24)
        write_rig(self.folder / "joints.glb", 30, joints=3000, influences=4, frames=24)
        write_rig(self.folder / "clips.glb", 20, joints=20, clips=300, frames=24)
        bake = ("bake", "rig.glb", "--threads", "2")
        commands = [(*bake, "-m", method, "-o", "a.pc2") for method in ("dm", "ddm", "cor:epsilon=1", "jst")]
        commands += [(*bake, "-o", name, *options) for name, *options in (
            ("a.png", "--verify"), ("a.png", "--format", "vat:normals=1,split=8,compress=1"), ("a.exr", "--verify"),
            ("a.glb", "--format", "glb:normals=1", "--verify"), ("a.glb", "--format", "glb:quantize=1"),
            ("a.usda", "--verify"))]
        commands += [
            (*bake, "--metrics", f"{self.METRICS},edge_stretch,triangle_distortion,in_between", "--report", "r.json"),
            ("diff", "rig.glb", "other.glb", "--match", "surface", "--report", "r.json"),
            ("fit", "rig.glb", "-m", "dqs", "--correctives", "2", "--helpers", "1", "-o", "fit.glb"),
            ("bake", "faces.glb", "-o", "a.pc2", "--report", "r.json"),
            ("bake", "joints.glb", "-m", "dqs", "--metrics", "bulge,inversions", "--report", "r.json"),
            ("bake", "clips.glb", "--clip", "all", "-o", "{clip}.usda", "--report", "r.json")]
        codes = {limit: set() for limit in (24 * MIB, *LIMITS)}
        for command in commands:
            for limit, seen in codes.items():
                with self.subTest(" ".join(command), limit=limit // MIB):
                    code, errors = self.require_bounded(limit, *command)
                    self.assertIn(code, (0, 1, 3), errors)
                    seen.add(code)
                for path in self.folder.iterdir():
                    if path.name not in ("rig.glb", "other.glb", "faces.glb", "joints.glb", "clips.glb"):
                        path.unlink()
        self.assertIn(3, codes[24 * MIB])
        self.assertNotIn(3, codes[LIMITS[1]])

    def test_a_task_of_a_batch_that_meets_the_limit_fails_alone(self):
        write_rig(self.folder / "small.glb", 40)
        write_rig(self.folder / "large.glb", 300)
        jobs = [{"name": f"{size} {method}", "rig": f"{size}.glb", "output": f"{size}-{method}.pc2", "method": method}
                for size in ("small", "large") for method in ("lbs", "dqs")]
        manifest = {"schema": "skinbake.batch", "schema_version": "1.0", "jobs": jobs}
        (self.folder / "jobs.json").write_text(json.dumps(manifest))
        for at_a_time in ("1", "2"):
            with self.subTest(at_a_time):
                code, errors, peak = self.measure("batch", "jobs.json", "-j", at_a_time, "--max-memory", 24 * MIB)
                self.assertEqual(code, 3, errors)
                self.assertLessEqual(peak, 24 * MIB + BESIDE)
                self.assertRegex(errors, "2 of 4 tasks failed.* large .*out of memory while working on .*MEMORY_LIMIT")
                self.assertTrue((self.folder / "small-dqs.pc2").exists())
                self.assertFalse((self.folder / "large-dqs.pc2").exists())
        self.assertEqual(self.measure("batch", "jobs.json", "--max-memory", 256 * MIB)[0], 0)


class Attacks(MemoryTest):
    def bounded_at_all_limits(self, *command):
        codes = []
        for limit in LIMITS:
            with self.subTest(" ".join(command), limit=limit // MIB):
                code, errors = self.require_bounded(limit, *command)
                self.assertIn(code, (0, 1, 2, 3, 5), errors)
                codes.append(code)
        return codes

    def test_damaged_files(self):
        commands = good_files(self.folder, self.succeed)
        (self.folder / "side.pc2").write_bytes(self.read("a.pc2"))
        names = [name for name in commands if not name.startswith(("rig", "core"))]
        for number in range(20):
            name, data = changed_rig(number)
            (self.folder / name).write_bytes(data)
            self.bounded_at_all_limits(*(word.format(name) for word in commands["rig.gltf"]))
            name = names[number % len(names)]
            hostile = "side.pc2.json" if name == "a.pc2.json" else "hostile" + name[name.index("."):]
            (self.folder / hostile).write_bytes(damaged(self.read(name), number))
            self.bounded_at_all_limits(*(word.format(hostile) for word in commands[name]))

    def with_token(self, name, text, token):
        """Writes the text with the token in the place of @, in parts."""
        before, after = text.split("@")
        with open(self.folder / name, "w") as file:
            file.write(before)
            for _ in range(TOKEN // MIB):
                file.write(token * (MIB // len(token)))
            file.write(after)

    def test_a_json_token_of_40_mb(self):
        self.succeed("bake", RIGS / "bent_arm.gltf", "-q", "--frames", "0:3", "--report", "good.json", "-o", "a.pc2")
        (self.folder / "rig.gltf").write_bytes((RIGS / "bent_arm.gltf").read_bytes())
        head = '{"schema":"skinbake.batch","schema_version":"1.0","jobs":[{"rig":"rig.gltf","output":"b.pc2",'
        files = {
            "long.gltf": ('{"asset":{"version":"2.0"},"extras":@}', ("inspect", "long.gltf")),
            "jobs.json": (head + '"clip":@}]}', ("batch", "jobs.json")),
            "map.json": ('{"a":@}', ("retarget", "rig.gltf##0", "rig.gltf", "--map", "map.json", "-o", "x.glb")),
            "report.json": (self.read("good.json").decode().replace("{", '{"x":@,', 1), ("report", "report.json", "-o", "x.html")),
            "a.pc2.json": (self.read("a.pc2.json").decode().replace("{", '{"x":@,', 1), ("convert", "a.pc2", "x.npy"))}
        for name, (text, command) in files.items():
            good = (self.folder / name).read_bytes() if name == "a.pc2.json" else None
            for form, token in (('"@"', "x"), ('"@"', "\\u0000"), ("1@", "0"), ("[{}@]", ",{}"), ("@", "[")):
                with self.subTest(name, token=token):
                    self.with_token(name, text.replace("@", form), token)
                    self.bounded_at_all_limits(*command)
            os.remove(self.folder / name)
            if good:
                (self.folder / name).write_bytes(good)

    def test_counts_without_bytes(self):
        """A small file that declares many vertices, keys and targets at zero, or many nodes of a mesh."""
        scalar = {"componentType": 5126, "type": "SCALAR"}
        rig = {"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}]}
        many = {"componentType": 5126, "count": 30_000_000, "type": "VEC3"}
        hostile = [
            {**rig, "accessors": [many], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}]},
            {**rig, "accessors": [{**many, "count": 300_000}],
             "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "targets": [{"POSITION": 0}] * 200}]}]},
            {**rig, "accessors": [{**many, "count": 300_000}], "nodes": [{"mesh": 0}] * 200,
             "scenes": [{"nodes": list(range(200))}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}]},
            {**rig, "accessors": [{**many, "count": 3}, {**scalar, "count": 30_000_000}],
             "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
             "animations": [{"samplers": [{"input": 1, "output": 1}],
                             "channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}]}]}]
        for number, document in enumerate(hostile):
            name = f"hostile{number}.gltf"
            (self.folder / name).write_text(json.dumps(document))
            codes = self.bounded_at_all_limits("bake", name, "-o", "x.pc2")
            self.assertEqual(codes[0], 3, name)


if __name__ == "__main__":
    main()
