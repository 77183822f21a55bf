#!/usr/bin/env python3
"""Vertex animation textures, read as a shader reads them: texel, box, frame 0; refusals.

The readers of PNG, EXR and GLB below support only the files that the program writes. They do not use libpng or
OpenEXR.
"""

import json
import math
import resource
import struct
import zlib

from glb_files import PNG, frames_of, glb, two_meshes
from support import CliTest, NO_COVERAGE, Pc2, RIGS, main

ARM = RIGS / "bent_arm.gltf"
WALKER = RIGS / "walker.glb"


def png_rows(data, wanted, texel_bytes):
    """(width, height, rows) of an image without filters. wanted: bits, colour type, and three zeros."""
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("not a PNG")
    at, chunks, packed = 8, [], b""
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        content = data[at + 8:at + 8 + size]
        if zlib.crc32(kind + content) != struct.unpack_from(">I", data, at + 8 + size)[0]:
            raise ValueError(f"wrong checksum of {kind}")
        chunks.append(kind)
        packed += content if kind == b"IDAT" else b""
        at += 12 + size
    if set(chunks) != {b"IHDR", b"IDAT", b"IEND"}:
        raise ValueError(f"chunks {chunks}")
    width, height, *kind = struct.unpack_from(">II5B", data, 16)
    rows = zlib.decompress(packed)
    if kind != wanted or len(rows) != height * (1 + texel_bytes * width):
        raise ValueError(f"bits and colour type are not {wanted[:2]}")
    return width, height, rows


def png(data):
    """(width, height, texel(x, y)) of a 16-bit RGBA image without filters."""
    width, height, rows = png_rows(data, [16, 6, 0, 0, 0], 8)

    def texel(x, y):
        row = y * (1 + 8 * width)
        *colour, alpha = struct.unpack_from(">4H", rows, row + 1 + 8 * x)
        if rows[row] != 0 or alpha != 65535:
            raise ValueError("a filter, or no alpha")
        return [c / 65535 for c in colour]

    return width, height, texel


def split_png(high, low):
    """The same for two 8-bit RGB images: the high and the low bytes of 16-bit integers."""
    (width, height, highs), (*size, lows) = (png_rows(data, [8, 2, 0, 0, 0], 3) for data in (high, low))
    if size != [width, height]:
        raise ValueError("the sizes differ")

    def texel(x, y):
        row = y * (1 + 3 * width)
        if highs[row] != 0 or lows[row] != 0:
            raise ValueError("a filter")
        at = row + 1 + 3 * x
        return [(h * 256 + l) / 65535 for h, l in zip(highs[at:at + 3], lows[at:at + 3])]

    return width, height, texel


def unzipped(data, wanted):
    """A chunk of OpenEXR: byte differences, even bytes before odd bytes; or stored without compression."""
    if len(data) == wanted:
        return data
    halves = bytearray(zlib.decompress(data))
    for i in range(1, len(halves)):
        halves[i] = (halves[i] + halves[i - 1] - 128) & 0xFF
    chunk = bytearray(wanted)
    chunk[::2], chunk[1::2] = halves[:(wanted + 1) // 2], halves[(wanted + 1) // 2:]
    return bytes(chunk)


def exr(data):
    """The same for an OpenEXR image of scan lines with R, G and B."""
    if data[:8] != b"\x76\x2f\x31\x01\2\0\0\0":
        raise ValueError("not an OpenEXR image of scan lines")
    attributes, at = {}, 8
    while data[at] != 0:
        name, kind, rest = data[at:at + 600].split(b"\0", 2)
        at += len(name) + len(kind) + 2
        size, = struct.unpack_from("<i", data, at)
        attributes[name.decode()] = data[at + 4:at + 4 + size]
        at += 4 + size
    width, height = (n + 1 for n in struct.unpack("<8x2i", attributes["dataWindow"]))
    number = "<e" if attributes["channels"][2] == 1 else "<f"
    size = 3 * struct.calcsize(number) * width
    per_chunk = {b"\0": 1, b"\3": 16}[attributes["compression"]]  # none, ZIP
    rows = b""
    for place in struct.unpack_from(f"<{-(-height // per_chunk)}Q", data, at + 1):
        line, stored = struct.unpack_from("<2i", data, place)
        wanted = size * min(per_chunk, height - line)
        if line * size != len(rows):
            raise ValueError("lines are not in their order")
        rows += unzipped(data[place + 8:place + 8 + stored], wanted)

    def texel(x, y):
        b, g, r = (struct.unpack_from(number, rows, y * size + size // 3 * c + size // (3 * width) * x)[0]
                   for c in range(3))
        return [r, g, b]

    return width, height, texel


def attribute(gltf, data, name, width):
    """An attribute of all primitives, one after another."""
    found = []
    for primitive in gltf["meshes"][0]["primitives"]:
        accessor = gltf["accessors"][primitive["attributes"][name]]
        view = gltf["bufferViews"][accessor["bufferView"]]
        numbers = struct.unpack_from(f"<{width * accessor['count']}f", data, view["byteOffset"])
        found += [numbers[i:i + width] for i in range(0, len(numbers), width)]
    return found


class Vat(CliTest):
    def texture(self, name, said):
        """(width, height, texel(x, y)); said: the sidecar's object that may name the low bytes."""
        if "low" in said:
            return split_png(self.read(name), self.read(said["low"]["file"]))
        return (png if name.endswith("png") else exr)(self.read(name))

    def played(self, name):
        """The frames as a shader computes them: the nearest texel, one frame after another."""
        gltf, data = glb(self.read(name + ".glb"))
        rest, lookup = attribute(gltf, data, "POSITION", 3), attribute(gltf, data, "TEXCOORD_1", 2)
        sidecar = self.json(name + ".json")
        vat = sidecar["vat"]
        width, height, texel = self.texture(name, vat)
        self.assertEqual((vat["width"], vat["height"]), (width, height))
        step = vat["rows_per_frame"]
        for frame in range(sidecar["frame_count"]):
            positions = []
            for place, (u, v) in zip(rest, lookup):
                colour = texel(int(u * width), int(v * height) + frame * step)
                positions.append([p + low + c * (high - low)
                                  for p, c, low, high in zip(place, colour, vat["min"], vat["max"])])
            yield positions

    def largest_error(self, name, cache):
        """(largest error of all frames, diagonal of the box of displacements)"""
        worst, count = 0, 0
        for sample, positions in enumerate(self.played(name)):
            expected = cache.positions(sample)
            self.assertEqual(len(positions), len(expected))
            worst = max(worst, max(map(math.dist, positions, expected)))
            count += 1
        self.assertEqual(count, cache.samples)
        vat = self.json(name + ".json")["vat"]
        return worst, math.dist(vat["min"], vat["max"])

    def test_a_shader_reads_every_vertex_in_every_frame(self):
        self.succeed("bake", ARM, "-o", "a.pc2", "--fps", "5", "-q")
        cache = Pc2(self.read("a.pc2"))
        for layout in ("unreal", "openvat"):
            for name, options, part in (("a.png", "", 1 / 131070), ("a.png", ",split=8", 1 / 131070),
                                        ("a.exr", "", 2**-25), ("a.exr", ",precision=half", 2**-12)):
                self.succeed("bake", ARM, "-o", name, "--fps", "5", "-q", "--verify", "--report", "r.json", "--format",
                             f"vat:layout={layout}{options}")
                error, diagonal = self.largest_error(name, cache)
                record, = self.json("r.json")["verification"]
                self.assertAlmostEqual(record["max_m"], error, delta=1e-7)
                self.assertLessEqual(record["bound_m"], part * diagonal + 6.2e-7)
                self.assertLessEqual(error, part * diagonal + 6.2e-7)  # the arm is shorter than 1
                self.assertGreater(error, part * diagonal / 100)

    def test_a_texture_holds_all_clips(self):
        gltf = two_meshes()
        clip, = gltf["animations"]
        channel, = clip["channels"]
        still = {**clip, "name": "still", "channels": [{**channel, "target": {**channel["target"], "node": 1}}]}
        (self.folder / "rig.gltf").write_text(json.dumps({**gltf, "animations": [still, clip]}))
        (self.folder / "paint.png").write_bytes(PNG)
        self.succeed("bake", "rig.gltf", "--clip", "all", "--mesh", "up", "-o", "{clip}.pc2", "--fps", "250")
        for layout in ("unreal", "openvat"):
            for name in ("a.exr", "a.png"):
                self.succeed("bake", "rig.gltf", "--clip", "all", "--mesh", "up", "-o", name, "--fps", "250", "--verify",
                             "--format", f"vat:layout={layout},normals=1", "--normals", "geometric")
                frames = list(self.played(name))
                clips = self.json(name + ".json")["clips"]
                self.assertEqual([(c["clip"], c["offset"], c["frame_count"]) for c in clips],
                                 [("still", 0, 26), ("rise", 26, 26)])
                for clip in clips:
                    cache = Pc2(self.read(clip["clip"] + ".pc2"))
                    for frame in range(clip["frame_count"]):
                        for p, q in zip(frames[clip["offset"] + frame], cache.positions(frame)):
                            self.assertLess(math.dist(p, q), 1 / 131070 + 1e-6)
        self.fail_with(2, "bake", "rig.gltf", "--clip", "all", "-o", "a.exr", naming=("OUTPUT_AMBIGUOUS", "{mesh}"))

    def normals(self, name):
        """The frames of the normals, read in the same way as positions."""
        gltf, data = glb(self.read(name + ".glb"))
        lookup = attribute(gltf, data, "TEXCOORD_1", 2)
        sidecar = self.json(name + ".json")
        vat = sidecar["vat"]
        said = vat["normals"]
        self.assertEqual(said["bytes"], len(self.read(said["file"])))
        width, height, texel = self.texture(said["file"], said)
        self.assertEqual((vat["width"], vat["height"]), (width, height))
        step = vat["rows_per_frame"]
        return [[[2 * c - 1 for c in texel(int(u * width), int(v * height) + frame * step)] for u, v in lookup]
                for frame in range(sidecar["frame_count"])]

    def test_a_shader_reads_every_normal_in_every_frame(self):
        for kind in ("skinned", "geometric"):
            self.succeed("bake", ARM, "-o", "a.glb", "--fps", "5", "-q", "--format", "glb:normals=1", "--normals", kind)
            expected = frames_of(*glb(self.read("a.glb")), "NORMAL")
            for layout in ("unreal", "openvat"):
                for name, options, bound in (("a.png", "", 2.7e-5), ("a.png", ",split=8", 2.7e-5),
                                             ("a.exr", "", 3.2e-7), ("a.exr", ",precision=half", 8.5e-4)):
                    self.succeed("bake", ARM, "-o", name, "--fps", "5", "-q", "--normals", kind, "--verify",
                                 "--report", "r.json", "--format", f"vat:normals=1,layout={layout}{options}")
                    record, = self.json("r.json")["verification"]
                    self.assertTrue(bound / 100 < record["normals"]["max"] <= bound)
                    found = self.normals(name)
                    self.assertEqual(len(found), len(expected))
                    worst = max(math.dist(n, m) for rows in zip(found, expected, strict=True)
                                for n, m in zip(*rows, strict=True))
                    self.assertLessEqual(worst, bound + 2.1e-7)  # the error bound of the GLB
                    self.assertGreater(worst, bound / 100)
                    rest = attribute(*glb(self.read(name + ".glb")), "NORMAL", 3)
                    self.assertLess(max(map(math.dist, rest, expected[0])), 1e-7)

    def test_requested_normals_are_a_second_texture(self):
        self.succeed("bake", ARM, "-o", "a.png", "--fps", "5", "-q")
        self.assertEqual(set(self.files()), {"a.png", "a.png.glb", "a.png.json"})
        self.assertNotIn("normals", self.json("a.png.json")["vat"])
        plain = self.read("a.png")
        self.succeed("bake", ARM, "-o", "a.png", "--fps", "5", "-q", "--format", "vat:normals=1")
        self.assertEqual(set(self.files()), {"a.png", "a.png.glb", "a.png.json", "a.png.normals.png"})
        self.assertEqual(self.read("a.png"), plain)
        self.fail_with(2, "bake", ARM, "-o", "a.png", "--format", "vat:normals=1", "-o", "a.png.normals.png",
                       naming="a.png.normals.png")
        (self.folder / "rig.gltf").write_text(json.dumps(two_meshes()))
        self.succeed("bake", "rig.gltf", "--mesh", "up", "-o", "b.exr", "--format", "vat:normals=1", "--report", "r.json")
        self.assertIn("NORMALS_UNAVAILABLE", {issue["code"] for issue in self.json("r.json")["issues"]})
        self.assertNotIn("b.exr.normals.exr", self.files())

    def test_an_exr_cannot_be_split(self):
        self.fail_with(2, "bake", ARM, "-o", "a.png", "-o", "a.exr", "--format", "vat:split=8",
                       naming="leave out split=8, or write the .png in a run without 'a.exr' [FORMAT_OPTION_UNKNOWN]")

    def test_a_split_texture_is_the_16_bit_texture_in_two_files(self):
        for layout in ("unreal", "openvat"):
            for compress in "01":
                options = f"vat:normals=1,layout={layout},compress={compress}"
                self.succeed("bake", ARM, "-o", "s.png", "--fps", "5", "-q", "--format", options)
                whole = {name: self.read(name) for name in ("s.png", "s.png.normals.png")}
                mesh = self.read("s.png.glb")
                self.succeed("bake", ARM, "-o", "s.png", "--fps", "5", "-q", "--verify", "--threads", "3", "--report",
                             "r.json", "--format", options + ",split=8")
                vat = self.json("s.png.json")["vat"]
                self.assertEqual(self.read("s.png.glb"), mesh)
                for (name, before), said in zip(whole.items(), (vat, vat["normals"])):
                    self.assertEqual(said["low"]["file"], name + ".low.png")
                    low = self.read(said["low"]["file"])
                    self.assertEqual(said["low"]["bytes"], len(low))
                    self.assertNotEqual(low, self.read(name))
                    (width, height, old), (*size, new) = png(before), self.texture(name, said)
                    self.assertEqual(size, [width, height])
                    for y in range(height):
                        for x in range(width):
                            self.assertEqual(new(x, y), old(x, y))
        self.succeed("bake", ARM, "-o", "t.png", "--fps", "5", "-q", "--format", "vat:split=8")
        self.assertEqual({n for n in self.files() if n.startswith("t.")},
                         {"t.png", "t.png.glb", "t.png.json", "t.png.low.png"})
        self.fail_with(2, "bake", ARM, "-o", "a.png", "--format", "vat:split=8", "-o", "a.png.low.png",
                       naming="a.png.low.png")

    def test_the_box_contains_all_displacements_from_frame_0(self):
        self.succeed("bake", ARM, "-o", "a.exr", "-o", "a.pc2", "--fps", "20", "--format", "vat:layout=openvat")
        cache = Pc2(self.read("a.pc2"))
        self.assertGreater(cache.samples, 2 * 16)  # blocks of frames
        self.assertLess(self.largest_error("a.exr", cache)[0], 1e-6)
        single = lambda x: struct.unpack("f", struct.pack("f", x))[0]
        ways = [[single(x - y) for x, y in zip(p, q)] for s in range(cache.samples)
                for p, q in zip(cache.positions(s), cache.positions(0))]
        sidecar = self.json("a.exr.json")
        vat, remap = sidecar["vat"], sidecar["os-remap"]
        for key, choose in (("min", min), ("max", max)):
            self.assertEqual([single(x) for x in vat[key]], [choose(axis) for axis in zip(*ways)])
            self.assertEqual(remap[key.capitalize()], vat[key])
        self.assertEqual(remap["Frames"], cache.samples)
        self.assertEqual((vat["layout"], vat["width"], vat["height"], vat["rows_per_frame"]), ("openvat", 256, 256, 1))

    def test_the_mesh_keeps_its_materials(self):
        (self.folder / "rig.gltf").write_text(json.dumps(two_meshes()))
        (self.folder / "paint.png").write_bytes(PNG)
        self.succeed("bake", "rig.gltf", "-o", "{mesh}.png", "--report", "r.json")
        gltf, data = glb(self.read("up.png.glb"))
        self.assertEqual(attribute(gltf, data, "TEXCOORD_0", 2), [(0, 0), (1, 0), (0, 1)])
        self.assertEqual(attribute(gltf, data, "TEXCOORD_1", 2),
                         [struct.unpack("2f", struct.pack("2f", (i + 0.5) / 3, 0.125)) for i in range(3)])
        self.assertEqual(gltf["materials"], two_meshes()["materials"])
        self.assertNotIn("animations", gltf)
        self.assertEqual(set(self.files()), {"rig.gltf", "paint.png", "r.json"} | {
            f"{mesh}.png{end}" for mesh in ("up", "still") for end in ("", ".glb", ".json")})
        self.assertEqual({o["format"] for o in self.json("r.json")["outputs"]}, {"vat"})

    def test_the_lookup_does_not_replace_texture_coordinates(self):
        gltf = two_meshes()
        gltf["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_1"] = 1
        transform = {"KHR_texture_transform": {"texCoord": 1, "scale": [2, 2]}}
        gltf["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = {
            "index": 0, "texCoord": 0, "extensions": transform}
        gltf["materials"][0]["emissiveTexture"] = {"index": 0, "texCoord": 1}
        gltf["extensionsUsed"] = ["KHR_texture_transform"]
        (self.folder / "rig.gltf").write_text(json.dumps(gltf))
        (self.folder / "paint.png").write_bytes(PNG)
        self.succeed("bake", "rig.gltf", "-o", "{mesh}.png", "-o", "plain.glb")
        moved, data = glb(self.read("up.png.glb"))
        self.assertEqual(attribute(moved, data, "TEXCOORD_2", 2), [(0, 0), (1, 0), (0, 1)])
        base, emissive = (moved["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"],
                          moved["materials"][0]["emissiveTexture"])
        self.assertEqual((base["texCoord"], emissive["texCoord"]), (0, 2))
        self.assertEqual(base["extensions"]["KHR_texture_transform"], {"texCoord": 2, "scale": [2, 2]})
        plain, data = glb(self.read("plain.glb"))
        self.assertEqual(plain["materials"], gltf["materials"])

    def test_a_vertex_that_does_not_move_has_displacement_0(self):
        (self.folder / "rig.gltf").write_text(json.dumps(two_meshes()))
        self.succeed("bake", "rig.gltf", "--mesh", "still", "-o", "a.png")
        self.assertEqual(self.json("a.png.json")["vat"]["max"], [0, 0, 0])
        width, height, texel = png(self.read("a.png"))
        self.assertEqual({tuple(texel(x, y)) for x in range(width) for y in range(height)}, {(0, 0, 0)})
        self.succeed("bake", "rig.gltf", "--mesh", "up", "-o", "a.png")  # along y only
        self.assertEqual(png(self.read("a.png"))[2](0, 3), [0, 1, 0])

    def test_unsupported_requests_are_refused(self):
        self.fail_with(2, "bake", WALKER, "-o", "a.exr", naming=("a.exr", "{mesh}"))
        self.fail_with(2, "bake", ARM, "-o", "a.exr", "--up", "z", naming=("a.exr", "y up", "CACHE_UNSUITABLE"))
        self.fail_with(2, "bake", ARM, "-o", "a.png", "--format", "vat:precision=half", naming="16-bit")
        self.fail_with(2, "bake", ARM, "-o", "a.exr", "--format", "vat:split=8",
                       naming=("FORMAT_OPTION_UNKNOWN", "EXR", "16-bit integers", "split=8"))
        self.fail_with(2, "bake", ARM, "-o", "a.png", "--format", "vat:split=4", naming="must be 0 or 8, not '4'")
        self.fail_with(2, "bake", ARM, "-o", "a.png", "--format", "vat:layout=unity", naming="must be unreal or openvat, not 'unity'")
        self.fail_with(2, "bake", ARM, "-o", "a.png", "-o", "{mesh}.glb", "-o", "a.png.glb", naming="a.png.glb")
        self.fail_with(2, "bake", ARM, "-o", "a.exr", "--fps", "5000", naming=("8192", "CACHE_TOO_LARGE"))
        self.fail_with(2, "bake", ARM, "-o", "a.exr", "--fps", "5000", "--format", "vat:layout=openvat",
                       naming=("8192", "CACHE_TOO_LARGE"))
        self.succeed("bake", ARM, "-o", "a.pc2", "-q")
        self.fail_with(2, "convert", "a.pc2", "b.exr", naming=("b.exr", "triangles"))
        (self.folder / "file").touch()
        self.fail_with(4, "bake", ARM, "-o", "file/a.exr", naming="file/a.exr")

    def test_a_full_disk_leaves_no_file(self):
        limited = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (40000, 40000)),
                   "env": NO_COVERAGE}
        for name in ("a.png", "a.exr"):
            for options in ("layout=unreal", "layout=openvat", "compress=1", "split=8"):
                if name == "a.exr" and options == "split=8":
                    continue
                self.fail_with(4, "bake", ARM, "-o", name, "--format", f"vat:{options}", **limited,
                               naming=(name, "OUTPUT_NOT_WRITTEN"))
                self.assertEqual(self.files(), {})

    def test_compression_makes_the_file_smaller_and_keeps_the_texels(self):
        self.succeed("bake", ARM, "-o", "a.png", "-o", "a.exr", "-q", "--fps", "5")
        plain = {name: self.read(name) for name in ("a.png", "a.exr")}
        self.succeed("bake", ARM, "-o", "a.png", "-o", "a.exr", "-q", "--fps", "5", "--format", "vat:compress=1", "--verify")
        for name, before in plain.items():
            self.assertLess(len(self.read(name)), len(before) * 0.9)
            (width, height, old), (*size, new) = ((png if name.endswith("png") else exr)(data)
                                                  for data in (before, self.read(name)))
            self.assertEqual(size, [width, height])
            for y in range(height):
                for x in range(0, width, 7):
                    self.assertEqual(new(x, y), old(x, y))

    def test_the_bytes_do_not_depend_on_threads_or_instruction_sets(self):
        options = (WALKER, "--format", "vat:normals=1", "-q")
        self.succeed("bake", "-o", "{mesh}.a.exr", "-o", "{mesh}.a.png", "--threads", "1", *options)
        self.succeed("bake", "-o", "{mesh}.h.exr", "-q", "--format", "vat:precision=half", WALKER)
        self.succeed("bake", "-o", "{mesh}.s.png", "-q", "--format", "vat:split=8", "--threads", "1", WALKER)
        before = {name: data for name, data in self.files().items() if not name.endswith(".json")}
        self.assertEqual(len(before), 3 * (2 * 3 + 2 + 3))
        targets = [target["id"] for target in json.loads(self.succeed("list", "targets", "--json").out)["targets"]]
        for threads, target in [("4", ""), *(("2", target) for target in targets)]:
            env = {"SKINBAKE_TARGET": target}
            self.succeed("bake", "-o", "{mesh}.a.exr", "-o", "{mesh}.a.png", "--threads", threads, *options, env=env)
            self.succeed("bake", "-o", "{mesh}.h.exr", "-q", "--format", "vat:precision=half", WALKER, env=env)
            self.succeed("bake", "-o", "{mesh}.s.png", "-q", "--format", "vat:split=8", WALKER, env=env)
            files = self.files()
            for name, data in before.items():
                self.assertTrue(files[name] == data, f"{name}, {threads} threads, {target}")


if __name__ == "__main__":
    main()
