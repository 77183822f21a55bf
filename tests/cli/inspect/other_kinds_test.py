#!/usr/bin/env python3
"""Files of other kinds than glTF are named by their first bytes; `inspect` shows the content of caches."""

import io
import json
import struct
import zipfile

from glb_files import packed
from support import CliTest, SOURCE, main, moving_rig, strict_json, write_rig

try:
    from jsonschema import Draft202012Validator
except ImportError:
    Draft202012Validator = None


def archive(name):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as written:
        written.writestr(name, "#usda 1.0\n")
    return file.getvalue()


def pc2(frames, points=1):
    numbers = [x for frame in frames for x in frame]
    return struct.pack(f"<12siiffi{len(numbers)}f", b"POINTCACHE2\0", 1, points, 0, 1, len(frames), *numbers)


def mdd(times, frames, points=1):
    numbers = [x for frame in frames for x in frame]
    return struct.pack(f">ii{len(times)}f{len(numbers)}f", len(times), points, *times, *numbers)


def npy(frames, points=1):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({len(frames)}, {points}, 3), }}".encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + b"".join(
        struct.pack(f"<{len(frame)}f", *frame) for frame in frames)


FRAMES = [(1, 2, 3), (-1, 5, 3), (0, 2, 4)]
STL = b"binary".ljust(80) + struct.pack("<I12fH", 1, *range(12), 0)

# The bytes, and words of the message.
KINDS = {
    "binary FBX": (b"Kaydara FBX Binary  \0\x1a\0" + struct.pack("<I", 7500), ("binary FBX", "export glTF 2.0")),
    "FBX of text": (b"; FBX 7.3.0 project file\n; ----\n", ("FBX file of text", "Blender")),
    "OBJ": (b"# made by hand\n\nmtllib a.mtl\no cube\nv 0 0 0\n", ("OBJ file", "joints and clips")),
    "OBJ of Windows": (b"# a\r\n# b\r\nv 0 0 0\r\nv 1 0 0\r\n", ("OBJ file",)),
    "USDA": (b'#usda 1.0\n(\n    defaultPrim = "a"\n)\n', ("USD file of text", "export glTF 2.0")),
    "USDC": (b"PXR-USDC\0\x08\0" + bytes(80), ("binary USD",)),
    "USDZ": (archive("scene.usdc"), ("USDZ", "export glTF 2.0")),
    "ZIP": (archive("hero/hero.gltf"), ("ZIP archive", "unpack")),
    "empty ZIP": (b"PK\5\6" + bytes(18), ("ZIP archive",)),
    "gzip": (b"\x1f\x8b\x08\0" + bytes(20), ("gzip", "unpack")),
    "Alembic": (b"Ogawa\xff\0\1" + bytes(24), ("Alembic",)),
    "Alembic in HDF5": (b"\x89HDF\r\n\x1a\n" + bytes(40), ("HDF5", "Alembic")),
    "Blender": (b"BLENDER-v304REND" + bytes(30), ("Blender", "export glTF 2.0")),
    "COLLADA": (b'<?xml version="1.0"?>\n<COLLADA xmlns="http://www.collada.org">', ("COLLADA", "export glTF 2.0")),
    "COLLADA after a byte order mark": (b'\xef\xbb\xbf<?xml version="1.0"?>\n<COLLADA>', ("COLLADA",)),
    "XML": (b'<?xml version="1.0"?>\n<X3D>', ("XML",)),
    "PLY": (b"ply\nformat ascii 1.0\n", ("PLY file", "joints and clips")),
    "binary STL": (STL, ("STL file",)),
    "binary STL that begins as text": (b"solid" + STL[5:], ("STL file",)),
    "STL of text": (b"solid cube\n facet normal 0 0 1\n", ("STL file",)),
    "BVH": (b"HIERARCHY\nROOT Hips\n{\n", ("BVH", "Blender")),
    "PNG": (b"\x89PNG\r\n\x1a\n" + bytes(20), ("PNG image", "glTF file that uses")),
    "JPEG": (b"\xff\xd8\xff\xe0" + bytes(20), ("JPEG image",)),
    "OpenEXR": (b"\x76\x2f\x31\x01" + bytes(20), ("OpenEXR image",)),
    "Zstandard": (b"\x28\xb5\x2f\xfd" + bytes(20), ("Blender 3.0 and later", "open a .blend file in Blender")),
    "UTF-16": ('{"asset": {}}'.encode("utf-16"), ("text in UTF-16", "UTF-8")),
    "UTF-16 without a mark": ('{"asset": {}}'.encode("utf-16-be"), ("text in UTF-16",)),
    "JSON of three.js": (b'{"metadata": {"type": "Object"}, "geometries": [], "object": {}}',
                         ("JSON, but not glTF", "'asset'", "export glTF 2.0")),
    "package.json": (b'{"name": "hero", "version": "2.0"}', ("JSON, but not glTF",)),
    "HTML": (b"<!DOCTYPE html>\n<title>404</title>", ("HTML page", "download")),
}
CACHES = {"pc2": pc2(FRAMES), "mdd": mdd((0, 0.1, 0.2), FRAMES), "npy": npy(FRAMES),
          "mdd of Blender": mdd((0, 0.1), FRAMES)}


class Kinds(CliTest):
    def test_each_kind_is_named_whatever_the_extension(self):
        rig = write_rig(self.folder / "r.gltf", ["a"])
        for kind, (data, words) in KINDS.items():
            for name in ("x.glb", "x.gltf", "x.bin"):
                (self.folder / name).write_bytes(data)
                with self.subTest(kind, name=name):
                    self.fail_with(3, "inspect", name, naming=(name, "[FILE_KIND_UNSUPPORTED]", *words))
            self.fail_with(3, "bake", "x.glb", "-o", "o.pc2", naming=words)
            self.fail_with(3, "bake", rig, "--clip", "x.glb#a", "-o", "o.pc2", naming=("x.glb", *words))

    def test_each_file_argument_names_a_file_of_another_kind(self):
        rig = write_rig(self.folder / "r.gltf", ["a"])
        self.succeed("bake", rig, "-o", "r.pc2")
        for name, kind in (("x.fbx", "binary FBX"), ("x.usd", "USDC"), ("x.bvh", "BVH")):
            data, words = KINDS[kind]
            (self.folder / name).write_bytes(data)
            words = (name, "[FILE_KIND_UNSUPPORTED]", *words)
            for arguments in (("bake", rig, "--clip", name, "-o", "o.pc2"), ("bake", rig, "--clip", f"{name}#Walk", "--json"),
                              ("retarget", name, rig, "-o", "o.glb"), ("retarget", rig, name, "-o", "o.glb"),
                              ("diff", name, "r.pc2"), ("convert", name, "o.npy"),
                              ("bake", rig, "--reference", name, "-o", "o.pc2")):
                with self.subTest(arguments):
                    self.fail_with(3, *arguments, naming=words)
        self.fail_with(2, "bake", rig, "--clip", "none.fbx", "-o", "o.pc2", naming=("no clip 'none.fbx'", "'move'"))

    def test_a_cache_of_another_extension_is_told_its_own(self):
        for kind in ("pc2", "mdd", "npy"):
            (self.folder / "x.cache").write_bytes(CACHES[kind])
            self.fail_with(3, "convert", "x.cache", "o.npy", naming=(f"rename it to 'x.cache.{kind}'", "CACHE_UNSUPPORTED"))

    def test_a_rig_given_as_a_cache_is_to_be_baked(self):
        document, data = moving_rig(["a"], buffer="r.bin")
        (self.folder / "r.bin").write_bytes(data)
        (self.folder / "r.gltf").write_text(json.dumps(document))
        (self.folder / "r.glb").write_bytes(packed(document, data))
        for arguments in (("convert", "r.glb", "o.npy"), ("golden", "r.glb", "-o", "goldens"), ("convert", "r.gltf", "o.npy")):
            with self.subTest(arguments):
                self.fail_with(3, *arguments, naming=("not baked", "bake it into a cache first", "[CACHE_UNSUPPORTED]"))

    def test_glTF_that_resembles_another_kind_is_read(self):
        document = json.loads(write_rig(self.folder / "r.gltf", ["a"]).read_text())
        document["asset"]["generator"] = "solid facet <COLLADA v 0 0 0"
        document["schema"] = "skinbake.report"
        for text in (json.dumps(document), "\n\n  " + json.dumps(document, indent=1)):
            (self.folder / "r.obj").write_text(text)
            self.succeed("inspect", "r.obj")

    def test_text_of_no_known_kind_is_not_given_a_name(self):
        for data in (b"v", b"verb 1", b"# only a comment", b"p\n", b"PK", b"Oga", b"{", b"\x1f"):
            (self.folder / "x.glb").write_bytes(data)
            done = self.fail_with(3, "inspect", "x.glb")
            self.assertNotIn("FILE_KIND_UNSUPPORTED", done.err, data)

    def test_a_cache_given_as_a_rig_names_the_commands_for_caches(self):
        for kind, data in CACHES.items():
            (self.folder / "x.glb").write_bytes(data)
            for arguments in (("bake", "x.glb", "-o", "o.pc2"), ("compare", "x.glb", "--json"),
                              ("inspect", "x.glb", "--clip", "a", "--limits")):
                with self.subTest(kind, arguments=arguments):
                    self.fail_with(3, *arguments, naming=("[FILE_IS_CACHE]", "convert and diff", kind[:3].upper()
                                                          if kind[0] != "n" else "NumPy"))

    def test_JSON_of_skinbake_is_named(self):
        rig = write_rig(self.folder / "r.gltf", ["a"])
        self.succeed("bake", rig, "-o", "r.pc2", "--report", "report.json")
        self.succeed("golden", "r.pc2", "-o", ".")
        (self.folder / "jobs.json").write_text('{"schema": "skinbake.batch", "schema_version": "1.0", "jobs": []}')
        for name, schema, kind in (("report.json", "skinbake.report", "a report"), ("r.pc2.golden", "skinbake.golden", "a golden"),
                                   ("r.pc2.json", "skinbake.cache", "the sidecar of a cache"),
                                   ("jobs.json", "skinbake.batch", "a manifest of a batch")):
            words = (f"is {kind} ('{schema}'), neither glTF nor a cache", "[FILE_IS_REPORT]")
            for arguments in (("inspect", name), ("bake", name, "-o", "o.pc2"), ("convert", name, "o.pc2"),
                              ("bake", rig, "--clip", name, "-o", "o.pc2")):
                with self.subTest(arguments):
                    self.fail_with(3, *arguments, naming=words)
        self.fail_with(3, "diff", "r.pc2.json", "r.pc2", naming="the sidecar of a cache")
        self.fail_with(3, "diff", "r.pc2", "report.json", naming=("a report", "skinbake report NEW --against OLD"))


class Caches(CliTest):
    def section(self, name):
        found = strict_json(self.succeed("inspect", name, "--json").out)
        if Draft202012Validator is not None:
            schema = json.loads((SOURCE / "lib/inspect/inspect.schema.json").read_text())
            self.assertEqual([e.message for e in Draft202012Validator(schema).iter_errors(found)], [])
        return found["cache"]

    def test_each_format_is_recognised_by_its_bytes(self):
        for kind, data in CACHES.items():
            for name in ("x.pc2", "x.npy", "x.bin"):
                (self.folder / name).write_bytes(data)
                with self.subTest(kind, name=name):
                    found = self.section(name)
                    self.assertEqual((found["format"], found["vertex_count"]), (kind[:3], 1))

    def test_frames_bounds_and_rate_are_those_of_the_file(self):
        (self.folder / "x.pc2").write_bytes(CACHES["pc2"])
        found = self.section("x.pc2")
        self.assertEqual((found["frame_count"], found["fps"], found["axes"]), (3, None, None))
        self.assertEqual(found["bounds"], {"min": [-1, 2, 3], "max": [1, 5, 4]})
        text = self.succeed("inspect", "x.pc2").out
        for words in ("x.pc2\n", "Point Cache 2, 68 bytes", "3, numbered from 0 to 2", "rate      not known",
                      "vertices  1\n", "(-1, 2, 3) to (1, 5, 4); no sidecar states"):
            self.assertIn(words, text)
        (self.folder / "x.mdd").write_bytes(CACHES["mdd"])
        self.assertEqual(self.section("x.mdd")["fps"], 10)
        self.assertIn("10 fps, by the file", self.succeed("inspect", "x.mdd").out)

    def test_a_sidecar_adds_rate_axes_and_origin_while_it_belongs_to_the_cache(self):
        rig = write_rig(self.folder / "r.gltf", ["a"])
        self.succeed("bake", rig, "--fps", "24", "--up", "z", "--scale", "100", "-o", "r.pc2")
        found = self.section("r.pc2")
        self.assertEqual((found["fps"], found["frame_count"], found["meshes"], found["clips"], found["method"]),
                         (24, 25, ["a"], ["move"], "lbs"))
        self.assertEqual(found["axes"], {"up": "z", "units_per_metre": 100})
        self.assertEqual(found["bounds"], {"min": [0, -400, 0], "max": [200, 0, 300]})
        text = self.succeed("inspect", "r.pc2").out
        self.assertIn("in units of 0.01 m, Z up", text)
        self.assertIn("24 fps, by the sidecar", text)
        self.assertIn("mesh 'a', clip 'move', method lbs", text)
        data = bytearray(self.read("r.pc2"))
        data[-1] ^= 1
        (self.folder / "r.pc2").write_bytes(data)
        self.assertIsNone(self.section("r.pc2")["fps"])

    def test_positions_that_are_no_numbers_are_counted_and_not_in_the_bounds(self):
        nan, inf = float("nan"), float("inf")
        (self.folder / "x.npy").write_bytes(npy([(1, 2, 3), (nan, 9, 9), (9, inf, 9)] * 20))
        found = self.section("x.npy")
        self.assertEqual((found["not_finite_count"], found["bounds"]), (40, {"min": [1, 2, 3], "max": [1, 2, 3]}))
        self.assertIn("not finite: 40 of 60 positions", self.succeed("inspect", "x.npy").out)
        (self.folder / "x.npy").write_bytes(npy([(nan, nan, nan)]))
        self.assertIsNone(self.section("x.npy")["bounds"])
        self.assertIn("no position is a finite number", self.succeed("inspect", "x.npy").out)

    def test_a_baked_GLB_is_shown_as_a_model_and_as_a_cache(self):
        rig = write_rig(self.folder / "r.gltf", ["a", "b"])
        self.succeed("bake", rig, "-o", "r.glb", "--quiet")
        document = strict_json(self.succeed("inspect", "r.glb", "--json").out)
        self.assertEqual(document["totals"]["mesh_nodes"], 2)
        found = self.section("r.glb")
        self.assertEqual((found["format"], found["fps"], found["meshes"], found["vertex_count"]),
                         ("glb", 30, ["a", "b"], 8))
        self.assertEqual(found["bounds"], {"min": [0, 0, 0], "max": [2, 3, 4]})
        text = self.succeed("inspect", "r.glb").out
        self.assertIn("mesh nodes of", text)
        self.assertIn("mesh      'b', 4 vertices from 4\n", text)
        self.assertNotIn("cache", strict_json(self.succeed("inspect", rig, "--json").out))

    def test_a_damaged_cache_is_refused_with_its_fault(self):
        (self.folder / "x.pc2").write_bytes(CACHES["pc2"][:-1])
        self.fail_with(3, "inspect", "x.pc2", naming="[CACHE_INVALID]")
        done = self.run_program("inspect", "x.pc2", "--json")
        self.assertEqual((done.code, strict_json(done.out)["refused"]["code"]), (3, "CACHE_INVALID"))
        (self.folder / "x.mdd").write_bytes(CACHES["mdd"][:-1])
        self.fail_with(3, "inspect", "x.mdd", naming="[CACHE_INVALID]")


if __name__ == "__main__":
    main()
