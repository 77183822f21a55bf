#!/usr/bin/env python3
"""Cache formats other than PC2: several outputs of one bake, --verify, --up, --scale, convert."""

import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import time

from support import CliTest, PROGRAM, Pc2, RIGS, environment, main, npy, write_rig

ARM = RIGS / "bent_arm.gltf"
WALKER = RIGS / "walker.glb"


def mdd(data):
    """(seconds, rows) of an MDD file, parsed by its specification."""
    frames, points = struct.unpack_from(">ii", data)
    if len(data) != 8 + 4 * frames + 12 * frames * points:
        raise ValueError(f"{len(data)} bytes for {frames} frames of {points} points")
    numbers = struct.unpack(f">{frames + 3 * frames * points}f", data[8:])
    return numbers[:frames], numbers[frames:]


def pc2(data):
    cache = Pc2(data)
    return tuple(n for s in range(cache.samples) for p in cache.positions(s) for n in p)


class Outputs(CliTest):
    def test_one_evaluation_writes_several_outputs(self):
        done = self.succeed("bake", ARM, "-o", "a.pc2", "-o", "a.mdd", "--output", "a.npy", "--report", "r.json")
        rows = pc2(self.read("a.pc2"))
        seconds, of_mdd = mdd(self.read("a.mdd"))
        shape, of_npy = npy(self.read("a.npy"))
        self.assertEqual(of_mdd, rows)
        self.assertEqual(of_npy, rows)
        self.assertEqual(shape[0], len(seconds))
        for i, second in enumerate(seconds):
            self.assertEqual(second, struct.unpack("f", struct.pack("f", i / 30))[0])
        report = self.json("r.json")
        self.assertEqual([(o["path"], o["format"]) for o in report["outputs"]],
                         [("a.pc2", "pc2"), ("a.mdd", "mdd"), ("a.npy", "npy")])
        self.assertNotIn("verification", report)
        for output in report["outputs"]:
            sidecar = self.json(output["path"] + ".json")
            self.assertEqual(sidecar["xxh128"], output["xxh128"])
            self.assertEqual(sidecar["format"], output["format"])
            size = (self.folder / output["path"]).stat().st_size
            self.assertEqual(output["bytes"], size)
            each = size / (shape[0] * shape[1])
            self.assertIn(f"{output['path']}: {size} bytes, {each:.4g} per vertex and frame\n", done.out)

    def test_verification_is_in_metres_in_all_units(self):
        differences = []
        for command in (("bake", ARM, "-o", "a.npy", "-o", "a.pc2", "--scale", "100"), ("convert", "a.pc2", "b.npy")):
            out = self.succeed(*command, "--precision", "half", "--verify").out
            found = re.search(r"npy: read back, largest difference (\S+) m .*, bound (\S+) m", out)
            differences.append([float(number) for number in found.groups()])
        self.assertEqual(*differences)

    def test_half_precision_halves_the_formats_that_support_it(self):
        done = self.succeed("bake", ARM, "-o", "a.npy", "-o", "a.pc2", "--precision", "half", "--verify",
                            "--report", "r.json")
        rows, data = pc2(self.read("a.pc2")), self.read("a.npy")
        length, = struct.unpack_from("<H", data, 8)
        self.assertIn(b"'descr': '<f2'", data[:length])
        self.assertEqual(data[10 + length:], struct.pack(f"<{len(rows)}e", *rows))
        record = self.json("r.json")["verification"][0]
        self.assertTrue(0 < record["max_m"] <= record["bound_m"])
        self.succeed("diff", "a.pc2", "a.npy", "--fail", f"error.max={record['max_m']!r}")
        self.succeed("convert", "a.pc2", "b.npy", "--precision", "half", "--verify")
        self.assertEqual(self.read("b.npy"), data)
        self.succeed("convert", "a.npy", "b.pc2")
        self.assertEqual(pc2(self.read("b.pc2")), struct.unpack(f"<{len(rows)}e", data[10 + length:]))
        self.succeed("bake", ARM, "-o", "c.npy", "--format", "npy:precision=half")
        self.assertEqual(self.read("c.npy"), data)
        self.fail_with(2, "bake", ARM, "-o", "d.pc2", "--precision", "half", naming=(".npy",))
        self.fail_with(2, "convert", "a.npy", "d.pc2", "--precision", "half", naming=(".npy",))
        for command in (("bake", ARM, "-o", "d.npy"), ("bake", ARM, "-o", "d.npy", "-o", "d.pc2", "--report", "d.json")):
            self.fail_with(2, *command, "--precision", "half", "--scale", "1e6",
                           naming=("HALF_OVERFLOW", "65504", "options --precision, --scale"))
        self.succeed("bake", ARM, "-o", "large.pc2", "--scale", "1e6")
        self.fail_with(2, "convert", "large.pc2", "d.npy", "--precision", "half", naming="HALF_OVERFLOW")

    def test_each_of_several_outputs_equals_the_output_of_a_run_with_it_alone(self):
        self.succeed("bake", WALKER, "-o", "{mesh}.mdd", "-o", "{mesh}.npy")
        both = self.files()
        for name in both:
            (self.folder / name).unlink()
        self.succeed("bake", WALKER, "-o", "{mesh}.mdd")
        self.succeed("bake", WALKER, "-o", "{mesh}.npy")
        self.assertEqual(self.files(), both)
        self.assertEqual(len(both), 12)

    def test_two_outputs_of_one_path_are_refused(self):
        for second in ("a.pc2", "./a.pc2", str(self.folder / "a.pc2")):
            self.fail_with(2, "bake", ARM, "-o", "a.pc2", "-o", second, naming="a.pc2")
        self.fail_with(2, "bake", WALKER, "-o", "{mesh}.pc2", "-o", "all.npy", naming=("all.npy", "{mesh}"))
        self.fail_with(2, "bake", ARM, "-o", "a.pc2", "-o", "a.xyz", naming=(".pc2, .mdd, .npy",))
        self.fail_with(2, "bake", ARM, "-o", "a.npy", "-o", "a.mdd", "--fps", "1e8", "--frames", "199999980:199999989",
                       "--max-frames", "2147483647",
                       naming=("MDD", "float"))

    def test_either_all_outputs_are_written_or_none(self):
        """The second output cannot be written; then the first one is not written either."""
        (self.folder / "file").touch()
        self.fail_with(4, "bake", ARM, "-o", "a.pc2", "-o", "file/a.npy", naming="file/a.npy")
        rig = write_rig(self.folder / "r.gltf", ["a"])
        rig.write_text(rig.read_text().replace('"name": "a"', '"name": "a", "scale": [1e38, 1e38, 1e38]'))
        self.fail_with(3, "bake", rig, "-o", "b.mdd", "-o", "b.npy", "--scale", "1000", naming="too large")

    def test_the_depfile_names_every_output(self):
        self.succeed("bake", ARM, "-o", "a.pc2", "-o", "a.npy", "--depfile", "d")
        self.assertTrue(self.read("d").startswith(b"a.pc2 a.npy :"))


class Axes(CliTest):
    def test_z_up_and_centimetres_transform_every_position(self):
        self.succeed("bake", ARM, "-o", "y.pc2")
        rows = pc2(self.read("y.pc2"))
        turned = [n for x, y, z in zip(rows[::3], rows[1::3], rows[2::3]) for n in (x, -z, y)]
        self.succeed("bake", ARM, "-o", "z.pc2", "-o", "z.mdd", "--up", "z")
        self.assertEqual(list(pc2(self.read("z.pc2"))), turned)
        self.assertEqual(list(mdd(self.read("z.mdd"))[1]), turned)
        sidecar = self.json("z.mdd.json")
        self.assertEqual((sidecar["axis"], sidecar["unit"], sidecar["units_per_metre"]),
                         ("z-up, right-handed", "m", 1))
        self.succeed("bake", ARM, "-o", "c.mdd", "--scale", "100", "--verify")
        scaled = [struct.unpack("f", struct.pack("f", 100 * n))[0] for n in rows]
        self.assertEqual(list(mdd(self.read("c.mdd"))[1]), scaled)
        self.assertEqual(self.json("c.mdd.json")["unit"], "cm")

    def test_an_invalid_scale_is_refused(self):
        for scale in ("0", "-1", "nan", "inf", "1e-320", "x", ""):
            self.fail_with(2, "bake", ARM, "-o", "a.pc2", "--scale", scale)
        for scale in ("1e-31", "1e-300", "1e31"):
            self.fail_with(2, "bake", ARM, "-o", "a.pc2", "--scale", scale, naming="must be a number from 1e-30 to 1e30")
        self.fail_with(2, "bake", ARM, "-o", "a.pc2", "--up", "x", naming="y|z")


class Verify(CliTest):
    def test_verify_needs_a_cache(self):
        self.fail_with(2, "bake", ARM, "--verify", "--report", "r.json", naming=("--verify", "-o"))
        self.fail_with(2, "compare", ARM, "--verify", naming=("--verify", "-o"))

    def test_verify_reads_every_cache_back(self):
        done = self.succeed("bake", WALKER, "-o", "{mesh}.pc2", "-o", "{mesh}.mdd", "-o", "{mesh}.npy", "--verify",
                            "--report", "r.json")
        self.assertEqual(done.out.count("read back, largest difference 0 m, bound 0 m\n"), 9)
        entries = self.json("r.json")["verification"]
        self.assertEqual(len(entries), 9)
        for entry in entries:
            self.assertEqual((entry["max_m"], entry["bound_m"], entry["passed"], entry["at"]), (0, 0, True, None))
        self.assertEqual({e["path"] for e in entries},
                         {f"{m}.{f}" for m in ("Body", "Lantern", "Mouth") for f in ("pc2", "mdd", "npy")})

    def test_verifying_changes_no_byte_of_the_cache(self):
        self.succeed("bake", ARM, "-o", "a.npy", "--method", "dqs")
        plain = self.files()
        self.succeed("bake", ARM, "-o", "a.npy", "--method", "dqs", "--verify", "--threads", "1")
        self.assertEqual(self.files(), plain)

    def test_rounding_by_a_scale_is_reported_and_within_the_bound(self):
        self.succeed("bake", ARM, "-o", "a.pc2", "--scale", "39.37", "--verify", "--report", "r.json")
        entry, = self.json("r.json")["verification"]
        self.assertTrue(0 < entry["max_m"] <= entry["bound_m"] < 1e-6)
        self.assertIsInstance(entry["at"]["vertex"], int)

    def test_a_changed_file_is_detected_and_nothing_is_written(self):
        """Changes the unfinished file during the run, before the program reads it back."""
        process = subprocess.Popen(
            [str(PROGRAM), "bake", str(ARM), "-o", "a.pc2", "--fps", "20000", "--threads", "1", "--verify", "-q"],
            cwd=self.folder, env=environment(), stderr=subprocess.PIPE)
        descriptors = pathlib.Path(f"/proc/{process.pid}/fd")
        folder, damaged = str(self.folder), False
        while process.poll() is None:
            try:
                caches = [d for d in descriptors.iterdir()
                          if os.readlink(d).startswith(folder) and d.stat().st_size > 1 << 20]
                for descriptor in caches:
                    with open(descriptor, "r+b") as file:
                        file.seek(32 + 4)
                        file.write(struct.pack("<f", 12345))
                        damaged = True
            except OSError:  # the process ended
                pass
            time.sleep(0.001)
        error = process.stderr.read().decode()
        process.stderr.close()
        self.assertTrue(damaged)
        self.assertEqual(process.returncode, 4, error)
        self.assertRegex(error, r"a\.pc2: frame 0, vertex 0 was read back 1234\d m from its evaluated position")
        self.assertEqual(self.files(), {})


class Convert(CliTest):
    def bake(self, *options):
        self.succeed("bake", ARM, "-o", "a.pc2", "-o", "a.mdd", "-o", "a.npy", "--frames", "3:40:2", "--fps", "24", *options)

    def test_every_format_converts_to_every_other(self):
        self.bake()
        for source in ("pc2", "mdd", "npy"):
            for target in ("pc2", "mdd", "npy"):
                done = self.succeed("convert", f"a.{source}", f"b.{target}", "--verify")
                self.assertEqual(self.read(f"b.{target}"), self.read(f"a.{target}"), (source, target))
                self.assertIn("largest difference 0 m", done.out)
                self.assertRegex(done.out, r"\Ab\.\w+: \d+ bytes, 12\S* per vertex and frame\n")
                self.assertEqual(done.err, "")

    def test_the_sidecar_is_derived_from_the_input(self):
        self.bake("--up", "z", "--scale", "100", "--influences", "2")
        self.succeed("convert", "a.mdd", "b.npy", "-q")
        before, after = self.json("a.mdd.json"), self.json("b.npy.json")
        self.assertEqual(list(after), list(before))
        changed = {key for key in before if before[key] != after[key]}
        self.assertEqual(changed, {"format", "file", "bytes", "xxh128", "inputs"})
        self.assertEqual(after["inputs"][1:], before["inputs"])
        self.assertEqual(after["inputs"][0], {"role": "cache", "path": "a.mdd", "bytes": before["bytes"],
                                              "xxh128": before["xxh128"]})
        self.assertEqual((after["format"], after["file"]), ("npy", "b.npy"))
        self.succeed("convert", "b.npy", "c.mdd", "-q")
        self.assertEqual(self.read("c.mdd"), self.read("a.mdd"))

    def test_mesh_names_the_mesh_of_the_sidecar(self):
        self.bake()
        mesh = self.json("a.pc2.json")["mesh"]
        for word in (mesh["id"], f"#{mesh['node']}"):
            self.succeed("convert", "a.pc2", "b.npy", "--mesh", word)
        for word in ("Nope", "#99"):
            self.fail_with(2, "convert", "a.pc2", "c.npy", "--mesh", word,
                           naming=("MESH_UNKNOWN", f"'{word}'", f"'{mesh['id']}'"))
        write_rig(self.folder / "rig.gltf", ["up", "down"])
        self.succeed("bake", "rig.gltf", "-o", "all.glb")
        self.succeed("convert", "all.glb", "all.pc2")
        self.fail_with(2, "convert", "all.pc2", "c.npy", "--mesh", "up", naming=("MESH_UNKNOWN", "several meshes"))
        (self.folder / "a.pc2.json").unlink()
        self.succeed("convert", "a.pc2", "c.npy", "--mesh", "Nope")

    def test_a_chain_from_a_cache_without_a_sidecar_keeps_rate_frames_and_inputs(self):
        self.bake()
        (self.folder / "a.pc2.json").unlink()
        for source, target, rate in (("a.pc2", "b.npy", ("--fps", "24")), ("b.npy", "c.pc2", ()), ("c.pc2", "d.mdd", ()),
                                     ("d.mdd", "e.npy", ())):
            self.assertEqual(self.succeed("convert", source, target, "-q", *rate).err, "")
            sidecar = self.json(target + ".json")
            self.assertEqual([sidecar[key] for key in ("fps", "first_frame", "frame_step", "space")], [24, 3, 2, None])
        self.assertEqual([i["path"] for i in sidecar["inputs"]], ["d.mdd", "c.pc2", "b.npy", "a.pc2"])
        self.assertEqual(self.read("e.npy"), self.read("b.npy"))
        self.assertNotIn("SIDECAR_IGNORED", self.succeed("convert", "e.npy", "f.npy").err)
        self.assertNotIn("SIDECAR_IGNORED", self.succeed("diff", "e.npy", "b.npy").err)
        (self.folder / "e.npy").write_bytes(self.read("e.npy")[:-1] + b"\1")
        convert = ("convert", "e.npy", "g.npy")
        self.assertIn("SIDECAR_IGNORED", self.succeed(*convert).err)
        self.assertEqual(self.run_program(*convert, "--strict").code, 1)
        self.assertEqual(self.succeed(*convert, "--strict", "--allow", "SIDECAR_IGNORED").err, "")

    def test_the_bytes_do_not_depend_on_the_spelling_of_paths(self):
        (self.folder / "in" / "deep").mkdir(parents=True)
        for name in ("bent_arm.gltf", "bent_arm.bin"):
            shutil.copy(RIGS / name, self.folder / "in")
        files = []
        for here, rig in ((".", "in/bent_arm.gltf"), ("in", "bent_arm.gltf"), ("in/deep", "../bent_arm.gltf"),
                          ("in", self.folder / "in" / "bent_arm.gltf")):
            out = self.folder / "out"
            out.mkdir()
            subprocess.run([str(PROGRAM), "bake", str(rig), "-q", "-o", str(out / "a.glb"), "-o", str(out / "a.pc2")],
                           cwd=self.folder / here, check=True, env=environment(), timeout=60)
            self.succeed("convert", "out/a.pc2", "out/a.npy", "-q")
            files.append({path.name: path.read_bytes() for path in out.iterdir()})
            shutil.rmtree(out)
        self.assertEqual(len(files[0]), 6)
        for other in files[1:]:
            self.assertEqual(other, files[0])

    def test_without_a_sidecar_the_output_has_only_the_data_of_the_cache(self):
        self.bake()
        (self.folder / "a.pc2.json").unlink()
        self.succeed("convert", "a.pc2", "b.npy", "-q")
        sidecar = self.json("b.npy.json")
        for key in ("clip", "fps", "space", "axis", "unit", "units_per_metre", "method"):
            self.assertIsNone(sidecar[key], key)
        self.assertEqual((sidecar["first_frame"], sidecar["frame_step"]), (3, 2))
        self.assertEqual(sidecar["mesh"]["vertex_count"], Pc2(self.read("a.pc2")).points)
        self.assertIsNone(sidecar["mesh"]["id"])
        self.fail_with(2, "convert", "a.pc2", "b.mdd", naming="--fps")
        self.succeed("convert", "a.pc2", "b.mdd", "--fps", "24", "-q")
        self.assertEqual(self.read("b.mdd"), self.read("a.mdd"))
        (self.folder / "a.mdd.json").unlink()
        self.succeed("convert", "a.mdd", "c.mdd", "-q")  # MDD stores times
        self.assertEqual(mdd(self.read("c.mdd"))[1], mdd(self.read("a.mdd"))[1])

    def test_a_sidecar_with_a_scale_at_which_positions_vanish_is_ignored(self):
        self.bake()
        sidecar = self.json("a.pc2.json")
        for scale in (1e308, 1e31, 1e-31, 0, -1):
            (self.folder / "a.pc2.json").write_text(json.dumps({**sidecar, "units_per_metre": scale}))
            self.assertIn("a.pc2.json", self.succeed("convert", "a.pc2", "b.npy").err)
            self.assertIsNone(self.json("b.npy.json")["units_per_metre"])

    def test_a_stale_sidecar_is_ignored(self):
        self.bake()
        data = bytearray(self.read("a.npy"))
        data[-1] ^= 1
        (self.folder / "a.npy").write_bytes(data)
        done = self.succeed("convert", "a.npy", "b.npy")
        self.assertRegex(done.err, r"\Askinbake: warning: a\.npy\.json[^\n]*\n\Z")
        self.assertIsNone(self.json("b.npy.json")["clip"])

    def test_an_invalid_cache_is_refused_and_nothing_is_written(self):
        self.bake()
        self.fail_with(3, "convert", "none.pc2", "b.npy", naming="none.pc2")
        self.fail_with(3, "convert", str(ARM), "b.npy", naming="bake it into a cache first")
        self.fail_with(2, "convert", "a.pc2", "b.xyz", naming=".pc2, .mdd, .npy")
        self.fail_with(2, "convert", "a.pc2", "a.pc2", naming="a.pc2")
        for fps in ("-1", "0", "nan", "inf", "1e400", ""):
            done = self.fail_with(2, "convert", "a.pc2", "b.npy", "--fps", fps, naming="--fps")
            self.assertLess(len(done.err), 200)
        (self.folder / "file").touch()
        self.fail_with(4, "convert", "a.pc2", "file/b.npy", naming="file/b.npy")
        for name in ("a.pc2", "a.mdd", "a.npy"):
            whole = self.read(name)
            for damaged in (whole[:-1], whole + b"x", whole[:20], b"", b"\xff" * 64,
                            whole[:-4] + struct.pack(">f" if name == "a.mdd" else "<f", float("nan"))):
                (self.folder / name).write_bytes(damaged)
                self.fail_with(3, "convert", name, "b.npy", "-q", naming=name)
            (self.folder / name).write_bytes(whole)
            self.succeed("convert", name, "b.npy", "-q")
            for written in ("b.npy", "b.npy.json"):
                (self.folder / written).unlink()

    def test_memory_does_not_grow_with_the_length_of_a_cache(self):
        self.succeed("bake", ARM, "-o", "a.npy", "--fps", "20000", "-q")
        self.assertGreater((self.folder / "a.npy").stat().st_size, 50 << 20)
        script = ("import resource, subprocess, sys\n"
                  "code = subprocess.run(sys.argv[1:]).returncode\n"
                  "print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
        done = subprocess.run(["/usr/bin/python3", "-c", script, str(PROGRAM), "convert", "a.npy", "b.pc2", "--verify", "-q"],
                              cwd=self.folder, env=environment(), stdout=subprocess.PIPE)
        code, kilobytes = map(int, done.stdout.split())
        self.assertEqual(code, 0)
        sanitizer = 6 if "san" in str(PROGRAM.parent.parent.name) else 1
        self.assertLess(kilobytes, (40 << 10) * sanitizer)


if __name__ == "__main__":
    main()
