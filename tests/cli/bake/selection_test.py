#!/usr/bin/env python3
"""Selection of meshes, clips and frames; output paths: placeholders, side files, unusual paths."""

import json
import math
import os
import shutil
import subprocess

from support import PROGRAM, RIGS, CliTest, Pc2, environment, main, write_rig

PRISM = RIGS / "two_joints.gltf"
ARM = RIGS / "bent_arm.gltf"
WALKER = RIGS / "walker.glb"


def caches(files):
    return sorted(name for name in files if name.endswith(".pc2"))


class Meshes(CliTest):
    def baked(self, *options, rig=WALKER, output="{mesh}.pc2"):
        for path in self.folder.glob("*.pc2*"):
            path.unlink()
        self.succeed("bake", rig, "-q", "-o", output, *options)
        return caches(self.files())

    def test_a_name_of_several_clips_is_ambiguous(self):
        for clips, ids in ((("run", "run"), "'#0', '#1'"), (("walk", "run", "idle", "run"), "'#1', '#3'"),
                           (("#2", "a", "#2"), "'#0', '#2'")):
            write_rig(self.folder / "rig.gltf", ["Body"], clips=clips)
            name = clips[-1]
            for command in (("bake", "rig.gltf", "--clip", name), ("bake", "rig.gltf", "--clip", f"rig.gltf#{name}")):
                if name == "#2":  # an index
                    continue
                self.fail_with(2, *command, "--json",
                               naming=(f"2 clips have the name '{name}'; choose one of {ids}", "CLIP_AMBIGUOUS"))
        self.fail_with(2, "bake", "rig.gltf", "--clip", "jump", "--json", naming="no clip 'jump'")

    def test_a_missing_reference_is_reported_before_an_ambiguous_clip(self):
        write_rig(self.folder / "rig.gltf", ["Body"], clips=("walk", "run"))
        for command in ("bake", "compare"):
            for path in ("gone.pc2", "gone/a.npy", "gone.glb"):
                self.fail_with(3, command, "rig.gltf", "--reference", path, "--json",
                               naming=(path, "does not exist", "FILE_UNREADABLE"))
            self.fail_with(2, command, "rig.gltf", "--reference", "{clip}.pc2", "--json", naming="CLIP_AMBIGUOUS")

    def test_a_word_for_several_clips_that_is_the_name_of_one_is_refused(self):
        write_rig(self.folder / "rig.gltf", ["Body"], clips=("run", "all", "r*"))
        for value, index in (("all", 1), ("r*", 2)):
            done = self.run_program("bake", "rig.gltf", "--clip", value, "-o", "{clip}.pc2")
            self.assertEqual(done.code, 2, done)
            self.assertIn(f"'{value}' is the name of a clip and means", done.err)
            self.assertIn(f"choose '#{index}'", done.err)
        self.succeed("bake", "rig.gltf", "--clip", "#1", "-o", "one.pc2")
        self.succeed("bake", "rig.gltf", "--clip", "*", "-o", "{clip}.pc2")
        self.succeed("bake", "rig.gltf", "--clip", "!run", "-o", "other.{clip}.pc2")
        self.assertEqual(len([name for name in self.files() if str(name).startswith("other.") and str(name).endswith(".pc2")]), 2)

    def test_a_mesh_node_with_three_scales_stretches_joints_in_mesh_space(self):
        """Where one joint moves a vertex, every method moves it as that joint does."""
        rig = json.loads((RIGS / "two_joints.gltf").read_text())
        node, = [node for node in rig["nodes"] if "mesh" in node]
        node["scale"] = [1, 3, 1]
        (self.folder / "rig.gltf").write_text(json.dumps(rig))
        frames = {}
        for method in ("lbs", "dqs", "cor", "jst", "sbs"):
            self.succeed("bake", "rig.gltf", "--space", "mesh", "--method", method, "-q", "-o", "x.pc2")
            cache = Pc2(self.read("x.pc2"))
            frames[method] = [cache.positions(sample) for sample in range(cache.samples)]
        ends = [v for v, p in enumerate(frames["lbs"][0]) if p[1] in (min(q[1] for q in frames["lbs"][0]),
                                                                    max(q[1] for q in frames["lbs"][0]))]
        self.assertGreater(len(ends), 4)
        for method, other in frames.items():
            error = max(math.dist(a[v], b[v]) for a, b in zip(frames["lbs"], other) for v in ends)
            self.assertLess(error, 1e-5, method)

    def test_loop_warns_if_the_omitted_frame_does_not_repeat_the_first(self):
        done = self.succeed("bake", RIGS / "bent_arm.gltf", "--loop", "-o", "a.pc2")
        self.assertRegex(done.err, r"'bend_and_twist': frame 60 does not repeat frame 0; joint 'wrist' of mesh 'arm' "
                                   r"moves its vertices by up to 0\.1\d+ m, 1\d\.\d % of the diagonal \[LOOP_OPEN\]")
        self.assertNotIn("LOOP_OPEN", self.succeed("bake", RIGS / "bent_arm.gltf", "-o", "a.pc2").err)
        self.assertNotIn("LOOP_OPEN", self.succeed("bake", RIGS / "walker.glb", "--loop", "--json").err)

    def test_every_mesh_is_baked_unless_some_are_selected(self):
        self.assertEqual(self.baked(), ["Body.pc2", "Lantern.pc2", "Mouth.pc2"])
        self.assertEqual(self.baked("--mesh", "Mouth"), ["Mouth.pc2"])
        self.assertEqual(self.baked("--mesh", "Mouth", "--mesh", "Body"), ["Body.pc2", "Mouth.pc2"])
        self.assertEqual(self.baked("--mesh", "Mouth", "--mesh", "Mouth"), ["Mouth.pc2"])

    def test_patterns_select_meshes_and_exclusions_omit_them(self):
        self.assertEqual(self.baked("--mesh", "*o*"), ["Body.pc2", "Mouth.pc2"])
        self.assertEqual(self.baked("--mesh", "!Mouth"), ["Body.pc2", "Lantern.pc2"])
        self.assertEqual(self.baked("--mesh", "!Sword"), ["Body.pc2", "Lantern.pc2", "Mouth.pc2"])
        self.assertEqual(self.baked("--mesh", "[BL]*", "--mesh", "!L*"), ["Body.pc2"])
        self.fail_with(2, "bake", WALKER, "-o", "{mesh}.pc2", "--mesh", "Z*", naming=("MESH_UNKNOWN", "'Z*'"))
        self.fail_with(2, "bake", WALKER, "-o", "{mesh}.pc2", "--mesh", "Body", "--mesh", "!B*", naming="MESH_UNKNOWN")

    def test_an_exclusion_that_matches_nothing_is_a_warning(self):
        warned = self.succeed("bake", WALKER, "--mesh", "!Sword", "--mesh", "!Mouth", "--mesh", "!S*", "--clip", "!x*",
                              "--report", "r.json").err
        self.assertIn("--clip '!x*', --mesh '!Sword', '!S*' match nothing, so that they omit nothing "
                      "[EXCLUSION_UNMATCHED]", warned)
        found = [issue for issue in json.loads((self.folder / "r.json").read_text())["issues"]
                 if issue["code"] == "EXCLUSION_UNMATCHED"]
        self.assertEqual([(issue["file"], issue["count"]) for issue in found], [("walker.glb", 3)])
        strict = ("bake", WALKER, "--json", "--strict", "--mesh")
        self.assertEqual(self.run_program(*strict, "!Sword").code, 1)
        self.assertEqual(self.run_program(*strict, "!Sword", "--allow", "EXCLUSION_UNMATCHED").code, 0)
        self.assertEqual(self.run_program(*strict, "!Mouth").code, 0)

    def test_a_name_that_looks_like_a_pattern_is_that_name(self):
        rig = write_rig(self.folder / "r.gltf", ["a*", "ab", "!ab"])
        self.assertEqual(self.baked("--mesh", "a*", rig=rig), ["a_.pc2"])
        self.assertEqual(self.baked("--mesh", "!ab", rig=rig), ["!ab.pc2"])

    def test_one_mesh_does_not_need_a_placeholder(self):
        self.assertEqual(self.baked("--mesh", "Lantern", output="x.pc2"), ["x.pc2"])

    def test_a_mesh_is_selected_by_its_node(self):
        listed = json.loads(self.succeed("bake", WALKER, "--json").out)["meshes"]
        for mesh in listed:
            self.assertEqual(self.baked("--mesh", f"#{mesh['node']}"), [f"{mesh['id']}.pc2"])

    def test_the_rig_may_follow_the_meshes(self):
        self.succeed("bake", "--mesh", "Body", WALKER, "-q", "-o", "x.pc2")
        self.succeed("bake", "--metrics", "error", WALKER, "-q", "--report", "x.json")

    def test_a_name_of_two_nodes_is_replaced_by_a_number(self):
        rig = write_rig(self.folder / "r.gltf", ["hat", "hat", None, "", "#0"])
        self.assertEqual(len(self.baked(rig=rig)), 5)
        meshes = json.loads(self.succeed("bake", rig, "--json").out)["meshes"]
        ids = [mesh["id"] for mesh in meshes]
        self.assertEqual(len(set(ids)), 5)
        self.assertEqual(ids[1:3], ["#1", "#2"])
        self.assertEqual([mesh["node_name"] for mesh in meshes][:3], ["hat", "hat", None])
        self.fail_with(2, "bake", rig, "--json", "--mesh", "hat", naming=("MESH_AMBIGUOUS", "'#1'"))
        for mesh in meshes:
            self.assertEqual(self.baked("--mesh", mesh["id"], rig=rig, output="x.pc2"), ["x.pc2"])
            sidecar = self.json("x.pc2.json")["mesh"]
            self.assertEqual((sidecar["id"], sidecar["node"]), (mesh["id"], mesh["node"]))

    def test_names_become_file_names(self):
        expected = {"a/b": "a_b", "c\\d:e*f?g\"h<i>j|k": "c_d_e_f_g_h_i_j_k", "..": "_", "tab\there": "tab_here",
                    "ü ñ 骨": "ü ñ 骨", "-dash": "-dash", "{clip}": "{clip}", "del\x7f": "del_", "...": "...",
                    "骨" * 100: "骨" * 66, "y" * 300: "y" * 200, "../../etc": ".._.._etc", "$x`y'": "$x`y'",
                    "new\nline": "new_line"}
        rig = write_rig(self.folder / "r.gltf", list(expected))
        self.assertEqual(self.baked(rig=rig, output="x{mesh}.pc2"), sorted(f"x{n}.pc2" for n in expected.values()))
        self.assertEqual([path.name for path in self.folder.parent.glob("etc*")], [])
        for node, (name, file_name) in enumerate(expected.items()):
            sidecar = self.json(f"x{file_name}.pc2.json")
            self.assertEqual((sidecar["mesh"]["node_name"], sidecar["mesh"]["node"]), (name, node))
            self.assertEqual(sidecar["file"], f"x{file_name}.pc2")

    def test_a_single_dot_becomes_an_underscore(self):
        self.assertEqual(self.baked(rig=write_rig(self.folder / "r.gltf", ["."])), ["_.pc2"])

    def test_a_mesh_in_its_own_space_does_not_move_with_its_node(self):
        self.baked("--mesh", "Lantern", "--space", "mesh", output="x.pc2")
        cache = Pc2(self.read("x.pc2"))
        for a, b in zip(cache.positions(0), cache.positions(20)):
            for i in range(3):
                self.assertAlmostEqual(a[i], b[i], delta=1e-6)
        self.assertEqual(self.json("x.pc2.json")["space"], "mesh")
        rig = write_rig(self.folder / "r.gltf", ["a"])
        self.baked("--space", "mesh", rig=rig, output="x.pc2")
        self.assertEqual(Pc2(self.read("x.pc2")).positions(30), [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
        self.baked("--space", "scene", rig=rig, output="x.pc2")
        self.assertEqual(Pc2(self.read("x.pc2")).positions(30), [(1, 2, 3), (2, 2, 3), (1, 3, 3), (1, 2, 4)])


class Clips(CliTest):
    def setUp(self):
        super().setUp()
        write_rig(self.folder / "r.gltf", ["a"], clips=("walk", "run", "run", None, "all", "#0"))

    def clips(self, *options):
        return [c["id"] for c in json.loads(self.succeed("bake", "r.gltf", "--json", *options).out)["clips"]]

    def test_a_clip_is_selected_by_name_or_number(self):
        self.assertEqual(self.clips("--clip", "walk"), ["walk"])
        self.assertEqual(self.clips("--clip", "#1"), ["#1"])
        self.assertEqual(self.clips("--clip", "#4"), ["all"])

    def test_a_clip_named_all_is_selected_by_its_number_alone(self):
        self.fail_with(2, "bake", "r.gltf", "--json", "--clip", "all", naming=("CLIP_AMBIGUOUS", "'#4'", "'*'"))
        self.assertEqual(len(self.clips("--clip", "*")), 6)

    def test_a_clip_named_like_an_index_is_selected_by_its_name(self):
        self.assertEqual(self.clips("--clip", "#0"), ["walk"])
        self.assertEqual(self.clips("--clip", "#5"), ["#5"])

    def test_a_name_of_two_clips_is_not_an_id(self):
        self.fail_with(2, "bake", "r.gltf", "--json", "--clip", "run", naming=("2 clips", "'#1', '#2'"))

    def test_the_option_may_be_repeated(self):
        self.assertEqual(self.clips("--clip", "#1", "--clip", "walk", "--clip", "#1"), ["#1", "walk"])
        self.assertEqual(self.clips("--clip", "walk", "--clip", "#1", "--clip", "#0"), ["walk", "#1"])
        self.fail_with(2, "bake", "r.gltf", "--json", "--clip", "walk", "--clip", "none", naming="'none'")
        self.succeed("bake", "r.gltf", "-q", "--clip", "walk", "--clip", "#1", "-o", "{clip}.pc2")
        self.assertTrue({"walk.pc2", "#1.pc2"} <= set(self.files()))

    def test_all_selects_every_clip(self):
        write_rig(self.folder / "r.gltf", ["a", "b"], clips=("walk", "run", None))
        self.assertEqual(self.clips("--clip", "all"), ["walk", "run", "#2"])
        self.succeed("bake", "r.gltf", "-q", "--clip", "all", "-o", "{mesh}.{clip}.{method}.pc2", "--method", "dqs")
        self.assertEqual(caches(self.files()), sorted(f"{m}.{c}.dqs.pc2" for m in "ab" for c in ("walk", "run", "#2")))
        runs = json.loads(self.succeed("bake", "r.gltf", "--json", "--clip", "all").out)["meshes"][1]["runs"]
        self.assertEqual([run["clip"] for run in runs], ["walk", "run", "#2"])

    def test_without_a_clip_the_bake_is_one_frame_of_the_rest_pose(self):
        write_rig(self.folder / "r.gltf", ["a"], clips=())
        done = self.succeed("bake", "r.gltf", "-o", "x.pc2")
        self.assertIn("(rest)", done.out)
        self.assertEqual(Pc2(self.read("x.pc2")).samples, 1)
        self.assertIsNone(self.json("x.pc2.json")["clip"])
        self.succeed("bake", "r.gltf", "-o", "y.pc2", "--clip", "all")
        self.assertEqual(self.read("y.pc2"), self.read("x.pc2"))
        self.fail_with(2, "bake", "r.gltf", "-o", "y.pc2", "--clip", "run", naming="none")
        self.fail_with(2, "bake", "r.gltf", "-o", "y.pc2", "--frames", "0:1", naming="0:0")


class Frames(CliTest):
    def cache(self, *options, rig=PRISM):
        self.succeed("bake", rig, "-q", "-o", "x.pc2", *options)
        return Pc2(self.read("x.pc2"))

    def test_the_header_has_the_frames(self):
        for options, (start, rate, samples) in (
                ((), (0, 1, 31)), (("--frames", "28:"), (28, 1, 3)), (("--frames", "30:"), (30, 1, 1)),
                (("--frames", "3::9"), (3, 9, 4)), (("--loop", "--frames", "28:"), (28, 1, 2)),
                (("--frames", "3:9"), (3, 1, 7)), (("--frames", "3:9:2"), (3, 2, 4)),
                (("--frames", "3:10:2"), (3, 2, 4)), (("--frames", "30"), (30, 1, 1)), (("--loop",), (0, 1, 30)),
                (("--fps", "60"), (0, 1, 61)), (("--fps", "24.5"), (0, 1, 25)), (("--fps", "0.5"), (0, 1, 1)),
                (("--fps", "1"), (0, 1, 2)), (("--loop", "--frames", "0:29:29"), (0, 29, 2)),
                (("--frames", "0:30:9223372036854775807"), (0, None, 1))):
            cache = self.cache(*options)
            self.assertEqual((cache.points, cache.start, cache.samples), (12, start, samples), options)
            if rate is not None:
                self.assertEqual(cache.rate, rate)
            sidecar = self.json("x.pc2.json")
            self.assertEqual((sidecar["first_frame"], sidecar["frame_count"]), (start, samples))

    def test_frames_beyond_the_clip_are_refused(self):
        for frames in ("24:39", "31:46"):
            self.fail_with(2, "bake", PRISM, "-o", "x.pc2", "--frames", frames,
                           naming=("two_joints.gltf", "clip 'bend' has frames 0:30", "FRAMES_OUTSIDE", "--frames"))

    def test_each_cache_has_the_number_of_points_of_its_mesh(self):
        self.succeed("bake", WALKER, "-q", "-o", "{mesh}.pc2")
        self.assertEqual([Pc2(self.read(f"{m}.pc2")).points for m in ("Body", "Lantern", "Mouth")], [3492, 24, 172])

    def test_any_number_of_threads_is_accepted(self):
        expected = self.cache(rig=ARM).rows
        for threads in ("0", "1", "64", "1024"):
            self.assertTrue(self.cache("--threads", threads, rig=ARM).rows == expected, threads)


class SideFiles(CliTest):
    def targets_and_prerequisites(self, name):
        """Of the first rule. A rule of each prerequisite alone follows."""
        text = self.read(name).decode()
        self.assertTrue(text.endswith("\n"))
        first, *others = text.splitlines()
        left, right = first.split(":", 1)
        split = lambda part: [p.replace("\0", " ") for p in part.replace("\\ ", "\0").split()]
        self.assertEqual([split(other) for other in others], [[f"{name}:"] for name in split(right)])
        return split(left), split(right)

    def make(self, depfile, target):
        """Whether the target is up to date: 0 or 1; and what Make cannot read."""
        (self.folder / "Makefile").write_text(f"%.pc2:\n\t@true\ninclude {depfile}\n")
        done = subprocess.run(["make", "-q", target], cwd=self.folder, env=environment(), capture_output=True, text=True,
                              timeout=60)
        return done.returncode, done.stderr

    def test_a_depfile_names_outputs_and_every_file_read(self):
        shutil.copy(ARM, self.folder)
        shutil.copy(ARM.with_suffix(".bin"), self.folder)
        self.succeed("bake", ARM.name, "-q", "-o", "out one.pc2", "--report", "r.json", "--depfile", "x.d")
        outputs, inputs = self.targets_and_prerequisites("x.d")
        self.assertEqual(outputs, ["out one.pc2", "r.json"])
        self.assertEqual(inputs, ["bent_arm.gltf", "bent_arm.bin"])

    def test_a_depfile_names_inputs_relative_to_the_working_folder(self):
        self.succeed("bake", ARM, "-q", "-o", "x.pc2", "--depfile", "x.d")
        _, inputs = self.targets_and_prerequisites("x.d")
        self.assertEqual(inputs, [str(ARM), str(ARM.with_suffix(".bin"))])

    def test_a_depfile_names_outputs_relative_to_the_working_folder(self):
        output = self.folder / "x.pc2"
        self.succeed("bake", PRISM, "-q", "-o", output, "--depfile", "x.d")
        self.assertEqual(self.targets_and_prerequisites("x.d")[0], [str(output)])

    def test_special_characters_are_escaped_in_a_depfile(self):
        name = "a:b*c?[d]"
        rig = write_rig(self.folder / (name + ".gltf"), ["a"], buffer="b.bin")
        self.succeed("bake", rig.name, "-q", "-o", name + ".pc2", "--depfile", "x.d")
        if shutil.which("make"):
            self.assertEqual(self.make("x.d", name + ".pc2"), (0, ""))
            (self.folder / "b.bin").unlink()
            self.assertEqual(self.make("x.d", name + ".pc2"), (1, ""))
            rig.unlink()  # Ninja does not read its name
            code, message = self.make("x.d", name + ".pc2")
            self.assertEqual(code, 2)
            self.assertIn("No rule to make target", message)
            self.assertIn(rig.name, message.replace("\\", ""))

    def test_names_that_make_cannot_escape_are_refused(self):
        for name in ("a=b", "a;b", "a|b", "a\nb"):
            self.fail_with(4, "bake", PRISM, "-o", name + ".pc2", "--depfile", "x.d", naming=("DEPFILE_NAME", "--depfile"))
            rig = write_rig(self.folder / (name + ".gltf"), ["a"])
            self.fail_with(4, "bake", rig.name, "-o", "x.pc2", "--depfile", "x.d", naming="DEPFILE_NAME")
        self.assertFalse([file for file in self.files() if not file.endswith(".gltf")])

    def test_make_understands_a_depfile_with_odd_names(self):
        rig = write_rig(self.folder / "a rig #1 $x.gltf", ["a"], buffer="b.bin")
        self.succeed("bake", rig.name, "-q", "-o", "o $ #.pc2", "--depfile", "x.d")
        text = self.read("x.d").decode()
        for part in (r"o\ $$\ \#.pc2", r"a\ rig\ \#1\ $$x.gltf"):
            self.assertIn(part, text)
        if shutil.which("make"):
            self.assertEqual(self.make("x.d", "o $ #.pc2"), (0, ""))
            rig.unlink()
            self.assertEqual(self.make("x.d", "o $ #.pc2"), (1, ""))

    def test_a_name_that_make_takes_for_a_setting_gets_no_rule(self):
        for rig, buffer, named in (("r.gltf", ".IGNORE", ["r.gltf:"]), ("r.gltf", "x(y)", ["r.gltf:"]), ("5%.gltf", "b.bin", ["b.bin:"])):
            write_rig(self.folder / rig, ["a"], buffer=buffer)
            self.succeed("bake", rig, "-q", "-o", "x.pc2", "--depfile", "x.d")
            rule, *others = self.read("x.d").decode().splitlines()
            self.assertEqual((rule, others), (f"x.pc2 : {rig} {buffer}", named))

    def test_a_depfile_without_outputs_names_itself_as_target(self):
        self.succeed("bake", PRISM, "-q", "--json", "--depfile", "x.d")
        self.assertEqual(self.targets_and_prerequisites("x.d"), (["x.d"], [str(PRISM)]))

    def test_timing_is_written_to_its_file(self):
        self.succeed("bake", WALKER, "-q", "--report", "r.json", "--timing", "t.json")
        timing = self.json("t.json")
        self.assertEqual(timing["schema"], "skinbake.timing")
        self.assertEqual(timing["frames"], 93)
        self.assertLessEqual(timing["load_s"] + timing["bake_s"], timing["total_s"] + 1e-5)
        self.assertNotIn("_s\": 0.", self.read("r.json").decode().split("\"clips\"")[0])


class OddPaths(CliTest):
    def test_paths_may_have_spaces_unicode_and_dashes(self):
        names = ["a b.pc2", "ä 骨.pc2", "./-x.pc2", "x'y\"z.pc2", "a&b;c.pc2", "...pc2", "x.json.pc2", "%s%n.pc2"]
        for name in names:
            self.succeed("bake", PRISM, "-q", "-o", name)
            self.assertEqual(Pc2(self.read(name)).samples, 31)
            self.assertEqual(self.json(name + ".json")["file"], os.path.basename(name))
        self.assertEqual(len(self.files()), 2 * len(names))
        self.succeed("bake", PRISM, "-q", "--output=-y.pc2")
        self.assertEqual(Pc2(self.read("-y.pc2")).samples, 31)

    def test_a_rig_may_have_an_unusual_name(self):
        for name in ("a b.gltf", "骨.gltf", "-x.gltf", "x.GLTF", "%20.gltf", "{mesh}.gltf", "no extension"):
            shutil.copy(PRISM, self.folder / name)
            self.succeed("bake", "-q", "-o", "x.pc2", "--", name)
            self.assertEqual(self.json("x.pc2.json")["inputs"][0]["path"], name)

    def test_a_rig_name_may_be_invalid_utf_8(self):
        name = b"\xff \xc3.gltf"
        shutil.copy(PRISM, os.fsencode(self.folder) + b"/" + name)
        done = subprocess.run([str(PROGRAM), "bake", name, "-q", "--json"], cwd=self.folder, env=environment(),
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(json.loads(done.stdout.decode("utf-8"))["schema"], "skinbake.report")

    def test_a_link_stays_and_its_target_is_replaced(self):
        (self.folder / "real").mkdir()
        (self.folder / "real" / "target.pc2").write_bytes(b"old")
        (self.folder / "x.pc2").symlink_to("real/target.pc2")
        self.succeed("bake", PRISM, "-q", "-o", "x.pc2")
        self.assertTrue((self.folder / "x.pc2").is_symlink())
        self.assertEqual(Pc2(self.read("real/target.pc2")).samples, 31)
        self.assertEqual(sorted(p.name for p in (self.folder / "real").iterdir()), ["target.pc2"])

    def test_a_link_to_a_missing_file_stays(self):
        (self.folder / "real").mkdir()
        (self.folder / "x.pc2").symlink_to("real/target.pc2")
        self.succeed("bake", PRISM, "-q", "-o", "x.pc2")
        self.assertTrue((self.folder / "x.pc2").is_symlink())
        self.assertEqual(Pc2(self.read("real/target.pc2")).samples, 31)

    def test_an_output_folder_may_be_a_link(self):
        (self.folder / "real").mkdir()
        (self.folder / "link").symlink_to("real")
        self.succeed("bake", PRISM, "-q", "-o", "link/x.pc2")
        self.assertEqual(sorted(p.name for p in (self.folder / "real").iterdir()), ["x.pc2", "x.pc2.json"])

    def test_a_hard_link_elsewhere_keeps_the_older_content(self):
        (self.folder / "a.pc2").write_bytes(b"old")
        os.link(self.folder / "a.pc2", self.folder / "b.pc2")
        self.succeed("bake", PRISM, "-q", "-o", "a.pc2")
        self.assertEqual(self.read("b.pc2"), b"old")

    def test_an_output_without_a_folder_goes_to_the_working_folder(self):
        self.succeed("bake", PRISM, "-q", "-o", "x.pc2", "--report", "r.json")
        self.assertEqual(sorted(self.files()), ["r.json", "x.pc2", "x.pc2.json"])

    def test_placeholders_may_be_anywhere_in_the_path(self):
        (self.folder / "prism").mkdir()
        self.succeed("bake", PRISM, "-q", "-o", "{mesh}/{clip}-{clip}.{method}.pc2")
        self.assertIn("prism/bend-bend.lbs.pc2", self.files())
        self.succeed("bake", PRISM, "-q", "-o", "{open.pc2")
        self.succeed("bake", PRISM, "-q", "-o", "close}.pc2")

    def test_several_outputs_may_go_to_dev_null(self):
        self.succeed("bake", PRISM, "-q", "--report", "json:/dev/null", "--timing", "/dev/null", "--depfile", "/dev/null")
        self.assertEqual(self.files(), {})

    def test_a_report_to_the_device_of_standard_output(self):
        done = self.succeed("bake", PRISM, "-q", "--report", "json:/dev/stdout")
        self.assertEqual(done.out, self.succeed("bake", PRISM, "--json").out)

    def test_many_meshes_have_their_caches_open_at_once(self):
        rig = write_rig(self.folder / "r.gltf", [f"m{i}" for i in range(600)])
        self.succeed("bake", rig, "-q", "-o", "{mesh}.pc2", "--frames", "0:1")
        self.assertEqual(len(caches(self.files())), 600)


if __name__ == "__main__":
    main()
