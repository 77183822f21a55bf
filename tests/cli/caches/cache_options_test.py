#!/usr/bin/env python3
"""Options of cache formats: refusals, --precision, sidecars, the summary, and auxiliary files."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

from support import AT_ONCE, CliTest, PROGRAM, RIGS, environment, main

ARM = RIGS / "bent_arm.gltf"


class Refused(CliTest):
    def refuse(self, *arguments, naming):
        done = self.fail_with(2, *arguments, naming=naming)
        self.assertNotIn("::", done.err)

    def test_options_of_a_format_without_an_output_are_refused(self):
        self.refuse("bake", ARM, "-o", "a.pc2", "--format", "glb:quantize=1",
                    naming=("--format", "'glb:quantize=1'", ".glb", "no output", "-o"))
        self.refuse("bake", ARM, "-o", "a.glb", "--format", "glb:normals=1", "--format", "vat:normals=1",
                    naming=("'vat:normals=1'", ".exr or .png"))
        for command in ("bake", "compare"):  # no cache is written
            self.refuse(command, ARM, "--report", "r.json", "--format", "usda:normals=1", naming=(".usda", "no output"))
        self.succeed("bake", ARM, "-o", "a.glb", "-o", "a.png", "--format", "vat:normals=1", "-q")

    def test_half_precision_without_a_suitable_output_is_refused(self):
        self.fail_with(2, "bake", ARM, "-o", "a.npy", "--format", "npy:precision=single", "--precision", "half",
                       naming="--precision: half contradicts --format npy:precision=single; omit one")
        self.succeed("bake", ARM, "-o", "a.npy", "-o", "a.exr", "--format", "npy:precision=single", "--precision", "half")
        self.assertEqual([self.json(name + ".json")["options"]["precision"] for name in ("a.npy", "a.exr")],
                         ["single", "half"])

    def test_options_that_contradict_each_other_are_refused(self):
        for texts in (("glb:bits=12", "glb:bits=14"), ("glb:bits=12,bits=14",), ("glb:bits=12,quantize=1", "glb:bits=14")):
            formats = [word for text in texts for word in ("--format", text)]
            self.refuse("bake", ARM, "-o", "a.glb", "--format", "glb:quantize=1", *formats,
                        naming=("glb:bits=12", "glb:bits=14", "contradict"))
        self.succeed("bake", ARM, "-o", "a.glb", "-q", "--format", "glb:quantize=1,bits=12")
        self.succeed("bake", ARM, "-o", "b.glb", "-q", "--format", "glb:bits=12,quantize=1,bits=12", "--format",
                     "glb:bits=12")
        self.assertEqual(self.read("a.glb"), self.read("b.glb"))

    def test_the_message_contains_a_valid_option(self):
        for text, *words in (("glb:quantize", "'quantize' does not have a value", "glb:quantize=0|1"),
                             ("glb:interpolation,quantize=1", "glb:interpolation=linear|step"),
                             ("glb:", "glb:NAME=VALUE", "quantize=0|1"), ("glb", "glb:NAME=VALUE", "quantize=0|1"),
                             ("glb:quantize=1,", "glb:NAME=VALUE"), ("glb:sharp=1", "no option 'sharp'", "quantize=0|1"),
                             ("pc2:", "does not have options"), ("pc2", "does not have options"), ("abc:x=1", "no format 'abc'", "vat"),
                             ("pc2:normals=1", "does not have options", "glb, usda, vat")):
            self.refuse("bake", ARM, "-o", "a.glb", "--format", text,
                        naming=(f"'{text}'", *words, "FORMAT_OPTION_UNKNOWN"))

    def test_the_message_about_a_value_names_the_allowed_values(self):
        multiple = "a multiple of 16 from 16 to 2048"
        for name, value, allowed in (("targets", "15", multiple), ("targets", "24", multiple), ("targets", "032", multiple),
                                     ("targets", "2064", multiple), ("bits", "17", "a whole number from 8 to 16"),
                                     ("meshopt", "2", "0 or 1"), ("interpolation", "cubic", "linear or step")):
            self.refuse("bake", ARM, "-o", "a.glb", "--format", f"glb:split=1,{name}={value}",
                        naming=f"'{name}' must be {allowed}, not '{value}' [FORMAT_OPTION_UNKNOWN]")
        self.succeed("bake", ARM, "-o", "a.glb", "--format", "glb:split=1,targets=32")
        self.assertIn("targets=16|32|…|2048", self.succeed("list", "formats").out)


class Precision(CliTest):
    def test_half_precision_applies_to_the_outputs_that_support_it(self):
        self.succeed("bake", ARM, "-o", "a.png", "-o", "b.exr", "-o", "b.npy", "-q", "--fps", "5")
        self.succeed("bake", ARM, "-o", "a.exr", "-q", "--fps", "5", "--format", "vat:precision=half")
        self.succeed("bake", ARM, "-o", "a.npy", "-q", "--fps", "5", "--format", "npy:precision=half")
        expected = self.files()
        for outputs in (("a.exr", "a.png"), ("a.png", "a.npy"), ("a.npy", "a.pc2", "a.exr", "a.png")):
            words = [word for output in outputs for word in ("-o", output)]
            self.succeed("bake", ARM, *words, "-q", "--fps", "5", "--precision", "half")
            for output in outputs:
                if output != "a.pc2":
                    self.assertEqual(self.read(output), expected[output], outputs)
        self.assertLess(len(self.read("a.exr")), len(self.read("b.exr")))

    def test_half_precision_that_is_too_coarse_for_the_mesh_is_a_warning(self):
        rig = json.loads(ARM.read_text())
        for buffer in rig["buffers"]:
            (self.folder / buffer["uri"]).write_bytes((ARM.parent / buffer["uri"]).read_bytes())
        rig["nodes"].append({"children": rig["scenes"][0]["nodes"], "translation": [1000, 0, 0]})
        rig["scenes"][0]["nodes"] = [len(rig["nodes"]) - 1]
        (self.folder / "far.gltf").write_text(json.dumps(rig))
        half = ("--fps", "5", "--precision", "half")
        for words in ((ARM, "-o", "a.npy", "--scale", "1e-7"), ("far.gltf", "-o", "a.npy")):
            for more in ((), ("--report", "r.json")):
                done = self.succeed("bake", *words, *half, *more)
                self.assertRegex(done.err, r"a\.npy: half precision moves positions by up to .* \[HALF_COARSE\]")
            issue, = [i for i in self.json("r.json")["issues"] if i["code"] == "HALF_COARSE"]
            self.assertEqual(issue["severity"], "warning")
            self.assertEqual(self.run_program("bake", *words, *half, "--strict").code, 1)
        for words in ((ARM, "-o", "a.npy"), (ARM, "-o", "a.exr"), (ARM, "-o", "a.npy", "--scale", "100")):
            self.assertEqual(self.succeed("bake", *words, *half).err, "")
        self.assertEqual(self.succeed("bake", "far.gltf", "-o", "b.npy").err, "")

    def test_half_precision_needs_an_output_that_supports_it(self):
        for outputs in (("a.png",), ("a.png", "a.pc2"), ("a.glb",)):
            words = [word for output in outputs for word in ("-o", output)]
            self.fail_with(2, "bake", ARM, *words, "--precision", "half", naming="no output supports half precision; formats with half precision: .npy, .exr")
        self.fail_with(2, "bake", ARM, "-o", "a.exr", "-o", "a.png", "--format", "vat:precision=half",
                       naming=("16-bit", "precision=half"))


class Sidecars(CliTest):
    def test_a_sidecar_names_the_format_options_of_the_command_line(self):
        self.succeed("bake", ARM, "-o", "a.glb", "-o", "a.npy", "-o", "a.exr", "-o", "a.pc2", "-q", "--precision", "half",
                     "--format", "glb:quantize=1,bits=14,meshopt=1", "--format", "vat:layout=openvat")
        for name, options in (("a.glb", {"bits": "14", "meshopt": "1", "quantize": "1"}),
                              ("a.npy", {"precision": "half"}),
                              ("a.exr", {"layout": "openvat", "precision": "half"})):
            self.assertEqual(self.json(name + ".json")["options"], options)
        self.assertNotIn("options", self.json("a.pc2.json"))

    def test_a_sidecar_without_format_options_does_not_change(self):
        self.succeed("bake", ARM, "-o", "a.npy", "-q", "--precision", "half")
        self.succeed("bake", ARM, "-o", "b.npy", "-q")
        with_some, without = self.json("a.npy.json"), self.json("b.npy.json")
        self.assertEqual([key for key in with_some if key != "options"], list(without))

    def test_a_sidecar_with_options_is_read(self):
        self.succeed("bake", ARM, "-o", "a.npy", "-q", "--precision", "half", "--up", "z")
        done = self.succeed("convert", "a.npy", "b.pc2")
        self.assertEqual(done.err, "")
        sidecar = self.json("b.pc2.json")
        self.assertEqual((sidecar["clip"], sidecar["axis"]), ("bend_and_twist", "z-up, right-handed"))
        self.assertNotIn("options", sidecar)
        self.succeed("convert", "b.pc2", "c.npy", "--precision", "half")
        self.assertEqual(self.json("c.npy.json")["options"], {"precision": "half"})
        self.assertEqual(self.read("c.npy"), self.read("a.npy"))


class AuxiliaryFiles(CliTest):
    def test_the_summary_counts_auxiliary_files(self):
        done = self.succeed("bake", ARM, "-o", "a.exr", "-o", "a.pc2", "--format", "vat:normals=1", "--report", "r.json")
        size = {name: len(data) for name, data in self.files().items()}
        all_bytes = sum(size[name] for name in ("a.exr", "a.exr.glb", "a.exr.normals.exr"))
        places = (size["a.pc2"] - 32) / 12
        self.assertIn(f"\na.exr with its auxiliary files: {all_bytes} bytes, {all_bytes / places:.4g} per vertex and frame\n",
                      done.out)
        self.assertIn(f"\na.pc2: {size['a.pc2']} bytes, 12 per vertex and frame\n", done.out)
        self.assertEqual({o["path"]: o["bytes"] for o in self.json("r.json")["outputs"]},
                         {name: size[name] for name in ("a.exr", "a.pc2")})

    def test_older_auxiliary_files_are_reported_and_stay(self):
        options = ("bake", ARM, "-o", "v.exr", "--fps", "5")
        self.assertEqual(self.succeed(*options).err, "")
        self.assertEqual(self.succeed(*options, "--format", "vat:normals=1").err, "")
        before = self.read("v.exr.normals.exr")
        self.assertEqual(self.succeed(*options, "--format", "vat:normals=1").err, "")
        done = self.succeed(*options)
        self.assertRegex(done.err, r"\Askinbake: warning: v\.exr\.normals\.exr: is from an earlier bake[^\n]* v\.exr[^\n]* \[COMPANION_OLDER\]\n\Z")
        self.assertEqual(self.read("v.exr.normals.exr"), before)
        strict = self.run_program(*options, "--strict", "-q")
        self.assertEqual(strict.code, 1, strict)
        self.assertIn("--strict: there are warnings: COMPANION_OLDER", strict.err)
        self.assertEqual(self.succeed(*options, "-q").err, "")
        # All clips of a texture share its auxiliary files. The report does not list these warnings: all are printed.
        rig = json.loads(ARM.read_text())
        rig["animations"] = [{**rig["animations"][0], "name": name} for name in ("a", "b")]
        (self.folder / "rig.gltf").write_text(json.dumps(rig))
        shutil.copy(ARM.with_suffix(".bin"), self.folder)
        clips = ("bake", "rig.gltf", "--clip", "all", "--fps", "5")
        many = ("-o", "1.exr", "-o", "2.exr", "-o", "3.exr", "-o", "4.exr")
        self.succeed(*clips, *many, "--format", "vat:normals=1", "--strict")
        err = self.succeed(*clips, *many).err
        for number in "1234":
            self.assertEqual(err.count(f"warning: {number}.exr.normals.exr: is from an earlier bake"), 1, err)
        self.assertEqual(len(err.splitlines()), 4, err)
        # The low bytes of textures that are no longer split.
        self.succeed("bake", ARM, "-o", "s.png", "--fps", "5", "--format", "vat:normals=1,split=8", "--strict")
        split = ("s.png.low.png", "s.png.normals.png", "s.png.normals.png.low.png")
        for extra, older in (("normals=1,split=8", ()), ("split=8", split[1:]), ("normals=1", split[::2]), ("", split)):
            done = self.succeed("bake", ARM, "-o", "s.png", "--fps", "5", *(("--format", f"vat:{extra}") if extra else ()))
            self.assertEqual([line.split(": ")[2] for line in done.err.splitlines()], list(older))
        # A file that this run writes under the same name is not older.
        self.assertEqual(self.succeed(*options, "-o", "./v.exr.normals.exr", "--strict").err, "")


class Interrupted(CliTest):
    def test_a_signal_stops_the_compression_of_a_texture(self):
        process = subprocess.Popen([str(PROGRAM), "bake", str(ARM), "-o", "a.png", "--fps", "2500", "-q", "--format",
                                    "vat:compress=1"], cwd=self.folder, env=environment(), stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        self.wait_until_compressing(process)
        asked = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, err)
        self.assertLess(time.monotonic() - asked, AT_ONCE)
        self.assertEqual(self.files(), {})

    def wait_until_compressing(self, process):
        """Waits until the program has written a part of the texture."""
        descriptors = pathlib.Path(f"/proc/{process.pid}/fd")
        while process.poll() is None:
            try:
                if any(os.readlink(link).startswith(str(self.folder)) and link.stat().st_size >= 1 << 20
                       for link in descriptors.iterdir()):
                    return
            except OSError:  # a file was closed, or the process ended
                continue
            time.sleep(0.002)
        self.fail("it ended too early")


if __name__ == "__main__":
    main()
