#!/usr/bin/env python3
"""`skinbake fit`: a rig whose linear blending reproduces another method."""

import json
import math
import os
import struct
from xml.etree import ElementTree

from glb_files import glb
from report_schema import schema_errors
from support import CliTest, RIGS, Pc2, main
from view_pages import numbers, shown_frames, view_data

ARM = RIGS / "bent_arm.gltf"
WALKER = RIGS / "walker.glb"
DIAGONAL = 0.8  # of bent_arm, metres


class Fit(CliTest):
    def baked(self, rig, *options):
        self.succeed("bake", rig, "-o", "baked.pc2", *options)
        cache = Pc2(self.read("baked.pc2"))
        for path in self.folder.glob("baked.pc2*"):
            path.unlink()
        return [cache.positions(sample) for sample in range(cache.samples)]

    def largest_distance(self, a, b):
        return max(math.dist(p, q) for f, g in zip(a, b, strict=True) for p, q in zip(f, g, strict=True))

    def test_linear_blending_of_the_written_file_is_the_method_within_the_bound(self):
        done = self.succeed("fit", ARM, "--method", "dqs", "--max-error", "0.0005", "-o", "fit.glb")
        self.assertRegex(done.out, r"^mesh +clip +frames +correctives")
        self.assertRegex(done.out, r"fit\.glb: \d+ bytes, \d+ of them added; a float32 cache has \d+\n$")
        target = self.baked(ARM, "--method", "dqs")
        before = self.largest_distance(target, self.baked(ARM))
        after = self.largest_distance(target, self.baked("fit.glb"))
        self.assertGreater(before, 0.02)
        self.assertLessEqual(after, 0.0005 * (1 + 1e-6))

    def test_the_printed_error_is_that_of_the_written_file(self):
        done = self.succeed("fit", ARM, "--correctives", "3", "-o", "fit.glb")
        printed = float(done.out.splitlines()[1].split()[7])
        measured = self.largest_distance(self.baked(ARM, "--method", "dqs"), self.baked("fit.glb"))
        self.assertAlmostEqual(printed, measured, delta=0.005 * measured + 1e-6 * DIAGONAL)

    def test_more_correctives_are_chosen_for_a_smaller_bound(self):
        counts = []
        for bound in ("1%", "0.1%", "0.01%"):
            done = self.succeed("fit", ARM, "--max-error", bound, "-o", "fit.glb")
            counts.append(int(done.out.splitlines()[1].split()[3]))
        self.assertEqual(counts, sorted(set(counts)))

    def test_the_rest_of_the_file_stays(self):
        self.succeed("fit", WALKER, "--method", "dqs", "--correctives", "2", "-o", "fit.glb")
        before, _ = glb(WALKER.read_bytes())
        after, _ = glb(self.read("fit.glb"))
        for skin in before["skins"] + after["skins"]:
            skin.pop("inverseBindMatrices")  # accessors are renumbered where others are erased
        for part in ("scenes", "skins", "materials", "images", "textures"):
            self.assertEqual(before.get(part), after.get(part), part)
        for old, new in zip(before["nodes"], after["nodes"], strict=True):
            for key in ("name", "translation", "rotation", "scale", "children", "skin"):
                self.assertEqual(old.get(key), new.get(key))
        for old, new in zip(before["animations"], after["animations"], strict=True):
            moved = [c["target"] for c in new["channels"] if c["target"]["path"] != "weights"]
            self.assertEqual([c["target"] for c in old["channels"]][:len(moved)], moved)

    def test_a_bound_that_is_not_met_writes_nothing_without_best_effort(self):
        done = self.run_program("fit", ARM, "--max-error", "1e-5", "--max-correctives", "2", "-o", "fit.glb")
        self.assertEqual(done.code, 1, done)
        self.assertIn("exceeds the bound of 1e-05 m with 2 correctives; no model is written: raise the bound or "
                      "--max-correctives, or add --best-effort [FIT_BOUND_EXCEEDED]", done.err)
        self.assertEqual(self.files(), {})
        done = self.run_program("fit", ARM, "--max-error", "1e-5", "--max-correctives", "2", "--best-effort",
                                "-o", "fit.glb")
        self.assertEqual(done.code, 1, done)
        self.assertIn("the best effort is written", done.err)
        self.assertEqual(list(self.files()), ["fit.glb"])

    def test_linear_blending_as_the_target_adds_nothing(self):
        done = self.succeed("fit", ARM, "--method", "lbs", "--max-error", "1e-6", "-o", "fit.glb")
        self.assertEqual(done.out.splitlines()[1].split()[3], "0")
        self.assertIn(", 0 of them added;", done.out)
        self.assertNotIn("targets", str(glb(self.read("fit.glb"))[0]["meshes"]))

    def test_a_cache_is_the_target(self):
        self.succeed("bake", ARM, "--method", "dqs", "-o", "target.pc2")
        self.succeed("fit", ARM, "--target", "target.pc2", "--correctives", "4", "-o", "cache.glb")
        names = glb(self.read("cache.glb"))[0]["meshes"][0]["extras"]["targetNames"]
        self.assertEqual(names, [f"skinbake.cache.{k}" for k in range(4)])
        self.succeed("fit", ARM, "--method", "dqs", "--correctives", "4", "-o", "method.glb")
        self.assertEqual(self.baked("cache.glb"), self.baked("method.glb"))

    def test_a_cache_of_other_counts_is_not_comparable(self):
        self.succeed("bake", ARM, "--method", "dqs", "--frames", "0:5", "-o", "few.pc2")
        self.fail_with(5, "fit", ARM, "--target", "few.pc2", "--correctives", "4", "-o", "fit.glb",
                       naming=("few.pc2", "6 frames", "61"))
        self.succeed("bake", RIGS / "two_joints.gltf", "--method", "dqs", "-o", "other.pc2")
        self.fail_with(5, "fit", ARM, "--target", "other.pc2", "--correctives", "4", "-o", "fit.glb",
                       naming="other.pc2")

    def test_a_cache_of_another_clip_is_not_comparable(self):
        self.succeed("bake", ARM, "--method", "dqs", "-o", "target.pc2")
        rig = json.loads(ARM.read_text())
        rig["animations"][0]["name"] = "wave"
        (self.folder / "renamed.gltf").write_text(json.dumps(rig))
        (self.folder / "bent_arm.bin").write_bytes((RIGS / "bent_arm.bin").read_bytes())
        fit = ("fit", "renamed.gltf", "--target", "target.pc2", "--correctives", "1", "-o", "fit.glb")
        self.fail_with(5, *fit, naming=("target.pc2", "a cache of clip 'bend_and_twist'", "clip 'wave'", "--clip"))
        (self.folder / "target.pc2.json").unlink()
        self.succeed(*fit)

    def test_a_cache_is_the_target_of_one_clip_and_mesh(self):
        rig = json.loads(ARM.read_text())
        (self.folder / "bent_arm.bin").write_bytes((RIGS / "bent_arm.bin").read_bytes())
        mesh, = [node for node in rig["nodes"] if "mesh" in node]
        rig["scenes"][0]["nodes"].append(len(rig["nodes"]))
        rig["nodes"].append({**mesh, "name": "m:n"})
        mesh["name"] = "m/n"
        rig["animations"] = [{**rig["animations"][0], "name": name} for name in ("x/y", "x:y")]
        (self.folder / "twins.gltf").write_text(json.dumps(rig))
        fit = ("fit", "twins.gltf", "--correctives", "1", "-o", "fit.glb")
        self.fail_with(2, *fit, "--clip", "all", "--mesh", "m/n", "--target", "t.{clip}.pc2",
                       naming=("--target", "'x/y'", "'x:y'", "'x_y'", "{clip}", "one cache for each clip"))
        self.fail_with(2, *fit, "--clip", "x/y", "--target", "t.{mesh}.pc2",
                       naming=("--target", "'m/n'", "'m:n'", "'m_n'", "{mesh}", "--mesh"))

    def test_what_is_doubtful_of_a_target_is_a_warning(self):
        self.succeed("bake", ARM, "--method", "dqs", "-o", "target.pc2", "-o", "target.glb")
        rig = json.loads(ARM.read_text())
        rig["animations"][0]["name"] = "wave"
        (self.folder / "renamed.gltf").write_text(json.dumps(rig))
        (self.folder / "bent_arm.bin").write_bytes((RIGS / "bent_arm.bin").read_bytes())
        (self.folder / "target.pc2.json").write_text("{")
        (self.folder / "target.glb.json").unlink()
        for target, code, words in (("target.pc2", "SIDECAR_IGNORED", ("target.pc2.json", "is ignored")),
                                    ("target.glb", "CLIP_OF_OTHER_NAME", ("clip 'bend_and_twist'", "clip 'wave'"))):
            fit = ("fit", "renamed.gltf", "--target", self.folder / target, "--correctives", "1", "-o", "fit.glb",
                   "--report", "fit.json")
            done = self.succeed(*fit)
            self.assertEqual(done.err.count("\n"), 1)
            for word in (code, str(self.folder / target), *words):
                self.assertIn(word, done.err)
            self.assertEqual([issue["code"] for issue in self.json("fit.json")["issues"]], [code])
            self.assertEqual(self.run_program(*fit, "--strict").code, 1)

    def test_a_file_that_tells_other_times_is_not_comparable(self):
        self.succeed("bake", ARM, "--method", "dqs", "-o", "target.mdd")
        (self.folder / "target.mdd.json").unlink()
        cache = self.read("target.mdd")
        count, = struct.unpack(">i", cache[:4])
        fit = ("fit", ARM, "--correctives", "1", "-o", "fit.glb", "--target")
        for fps, first, code in ((30, 0, 0), (60, 0, 5), (30, 1, 5)):
            times = struct.pack(f">{count}f", *((first + k) / fps for k in range(count)))
            (self.folder / "target.mdd").write_bytes(cache[:8] + times + cache[8 + len(times):])
            done = self.run_program(*fit, "target.mdd")
            self.assertEqual(done.code, code, done)
            self.assertEqual(f"has frames {first}:{first + count - 1}:1 at {fps} fps, the run has 0:" in done.err, code == 5)
        self.succeed("convert", "target.mdd", "target.npy")  # as the message says, of a program that begins at frame 1
        self.succeed(*fit, "target.npy")

    def test_bytes_do_not_depend_on_threads_and_instruction_sets(self):
        results = set()
        targets = json.loads(self.succeed("list", "targets", "--json").out)["targets"]
        runs = [(("--threads", threads), {}) for threads in ("1", "2", "7")]
        runs += [((), {"SKINBAKE_TARGET": target["id"]}) for target in targets if target.get("available", True)]
        for options, env in runs:
            self.succeed("fit", ARM, "--correctives", "6", "-o", "fit.glb", *options, env=env)
            results.add(self.read("fit.glb"))
        self.assertEqual(len(results), 1)

    def test_reports_follow_the_schema(self):
        errors = schema_errors("lib/report/fit.schema.json")
        if errors is None:
            self.fail("python3-jsonschema is missing") if os.environ.get("CI") == "true" else self.skipTest(
                "python3-jsonschema is missing")
        self.succeed("bake", ARM, "--method", "dqs", "-o", "target.pc2")
        for arguments, code in (((ARM, "--max-error", "0.001", "--verify"), 0),
                                ((ARM, "--target", "target.pc2", "--correctives", "2"), 0),
                                ((RIGS / "twisted_tube.gltf", "--max-error", "1%"), 1),
                                ((RIGS / "twisted_tube.gltf", "--max-error", "1%", "--best-effort"), 1)):
            with self.subTest(arguments=arguments[1:]):
                done = self.run_program("fit", *arguments, "-o", "fit.glb", "--report", "fit.json")
                self.assertEqual(done.code, code, done)
                self.assertEqual(errors(self.json("fit.json")), [])
                again = self.run_program("fit", *arguments, "-o", "fit.glb", "--json")
                self.assertEqual(again.out.encode(), self.read("fit.json"))

    def test_the_report_has_the_numbers_of_the_file(self):
        self.succeed("fit", ARM, "--max-error", "0.1%", "-o", "fit.glb", "--report", "fit.json", "--verify")
        report = self.json("fit.json")
        self.assertEqual(report["verdict"]["status"], "pass")
        self.assertEqual(report["output"]["bytes"], len(self.read("fit.glb")))
        self.assertTrue(report["output"]["verified"])
        mesh = report["meshes"][0]
        self.assertEqual(mesh["target_names"], [f"skinbake.dqs.{k}" for k in range(mesh["correctives"])])
        measured = self.largest_distance(self.baked(ARM, "--method", "dqs"), self.baked("fit.glb"))
        self.assertAlmostEqual(mesh["clips"][0]["after"]["max"], measured, delta=1e-6 * DIAGONAL)
        self.assertLess(mesh["clips"][0]["after"]["max"], mesh["limit"])

    def test_joints_between_which_the_surface_collapses_are_named(self):
        done = self.run_program("fit", RIGS / "twisted_tube.gltf", "--max-error", "1%", "-o", "fit.glb")
        self.assertEqual(done.code, 1, done)
        self.assertIn("joints 'joint_0' and 'joint_1' are 180 degrees apart in frame 30", done.err)
        self.assertIn("raise the bound or add --helpers 4, or add --best-effort", done.err)
        self.succeed("fit", RIGS / "twisted_tube.gltf", "--max-error", "1%", "--helpers", "4", "-o", "fit.glb")

    def test_a_collapse_has_a_code_and_is_reported_without_a_bound_too(self):
        tube = ("fit", RIGS / "twisted_tube.gltf", "-o", "fit.glb", "--report", "fit.json", "--correctives", "4")
        done = self.succeed(*tube)
        self.assertIn("[FIT_COLLAPSE]", done.err)
        self.assertEqual([issue["code"] for issue in self.json("fit.json")["issues"]], ["FIT_COLLAPSE"])
        self.assertEqual(self.run_program(*tube, "--strict").code, 1)
        self.succeed(*tube, "--strict", "--allow", "FIT_COLLAPSE")

    def test_an_exceeded_bound_is_an_issue_of_the_report(self):
        self.run_program("fit", ARM, "--max-error", "1e-5", "--max-correctives", "2", "-o", "fit.glb", "--report",
                         "fit.json")
        self.assertEqual([issue["code"] for issue in self.json("fit.json")["issues"]], ["FIT_BOUND_EXCEEDED"])

    def test_a_bound_that_holds_in_the_frames_alone_is_a_warning(self):
        fit = ("fit", ARM, "--fps", "5", "--max-error", "0.0002", "-o", "fit.glb", "--report", "fit.json")
        done = self.succeed(*fit)
        self.assertGreater(self.json("fit.json")["meshes"][0]["clips"][0]["between_after"]["max"], 0.0002)
        self.assertIn("[FIT_BETWEEN_FRAMES] (option --fps)", done.err)
        self.assertEqual(self.run_program(*fit, "--strict").code, 1)

    def test_the_best_effort_leaves_out_correctives_that_do_not_help(self):
        tube = ("fit", RIGS / "twisted_tube.gltf", "-o", "fit.glb", "--report", "fit.json", "--best-effort",
                "--max-error", "1%")
        self.assertEqual(self.run_program(*tube).code, 1)
        mesh = self.json("fit.json")["meshes"][0]
        self.assertLess(mesh["correctives"], 20)  # of 30 that the frames allow
        self.succeed("fit", RIGS / "twisted_tube.gltf", "--correctives", "30", "-o", "all.glb", "--report", "all.json")
        (one,), (other,) = mesh["clips"], self.json("all.json")["meshes"][0]["clips"]
        diagonal = mesh["bbox_diagonal_m"]
        for number in ("rms", "max"):
            self.assertAlmostEqual(one["after"][number], other["after"][number], delta=2e-6 * diagonal)

    def test_threads_beyond_the_processors_are_not_mentioned(self):
        self.assertEqual(self.succeed("fit", ARM, "--correctives", "1", "-q", "--threads", "97", "-o", "a.glb").err, "")

    def test_an_output_beside_its_target_is_not_an_input(self):
        self.succeed("bake", ARM, "--method", "dqs", "-o", "target.npy")
        for _ in range(2):
            self.succeed("fit", ARM, "--target", "target.npy", "--correctives", "1", "-o", "target.npy.glb")

    def test_normals_of_correctives_are_optional(self):
        sizes = []
        for options in ((), ("--normals",)):
            self.succeed("fit", ARM, "--correctives", "2", "-o", "fit.glb", *options)
            gltf, _ = glb(self.read("fit.glb"))
            targets = gltf["meshes"][0]["primitives"][0]["targets"]
            attributes = ["NORMAL", "POSITION"] if options else ["POSITION"]
            self.assertEqual([sorted(target) for target in targets], [attributes] * 2)
            sizes.append(len(self.read("fit.glb")))
        self.assertGreater(sizes[1], sizes[0])

    def test_pages_show_before_after_and_target(self):
        self.succeed("fit", ARM, "--max-error", "0.05%", "-o", "fit.glb", "--report", "fit.html",
                     "--report", "fit.md", "--report", "fit.xml")
        text = self.read("fit.md").decode()
        self.assertTrue(text.startswith("### skinbake fit `bent_arm.gltf`: ✅ pass\n"), text[:100])
        self.assertRegex(text, r"`error\.max at most 0\.05 % of the diagonal`: .*, lbs \+ 4 correctives, frame \d+, vertex \d+`\n")
        for run in ("`lbs` | 27.3 mm", "`lbs + 4 correctives` | 0.", "`dqs` | reference"):
            self.assertIn(f"| `arm` | `bend_and_twist` | {run}", text)
        self.assertIn(b"<!doctype html>", self.read("fit.html")[:40].lower())
        self.assertIn(b'failures="0"', self.read("fit.xml"))

    def test_a_page_of_a_failed_fit_says_so(self):
        done = self.run_program("fit", ARM, "--max-error", "1e-5", "--max-correctives", "1", "-o", "fit.glb",
                                "--report", "fit.md", "--report", "fit.xml")
        self.assertEqual(done.code, 1, done)
        self.assertEqual(sorted(self.files()), ["fit.md", "fit.xml"])
        self.assertIn(b'failures="1"', self.read("fit.xml"))

    def test_each_of_two_bounds_is_a_case_with_its_own_limit(self):
        done = self.run_program("fit", ARM, "--max-error", "0.5", "--max-error", "0.0001%", "--correctives", "1",
                                "--best-effort", "-o", "fit.glb", "--report", "fit.xml")
        self.assertEqual(done.code, 1, done)
        cases = {case.get("name").split(": ")[-1]: case.find("failure") is None
                 for case in ElementTree.fromstring(self.read("fit.xml")).iter("testcase")
                 if " at most " in case.get("name")}
        self.assertEqual(cases, {"error.max at most 0.5 m": True, "error.max at most 0.0001 % of the diagonal": False})

    def test_a_view_shows_the_meshes_before_after_and_of_the_target(self):
        done = self.run_program("fit", ARM, "--correctives", "4", "-o", "fit.glb", "--report", "fit.html", "--view",
                                "--report", "fit.json")
        if done.code == 2 and "VIEWER_MISSING" in done.err:
            self.skipTest("a build without the 3D viewer")
        self.assertEqual(done.code, 0, done)
        data, (result,) = view_data(self.read("fit.html").decode()), self.json("fit.json")["meshes"][0]["clips"]
        (clip,) = data["clips"]
        self.assertIn("errors are against dqs", clip["note"])
        baked = {"lbs": self.baked(ARM), "lbs + 4 correctives": self.baked("fit.glb"),
                 "dqs": self.baked(ARM, "--method", "dqs")}
        errors = {"lbs": result["before"]["max"], "lbs + 4 correctives": result["after"]["max"], "dqs": 0}
        self.assertEqual([run["method"] for run in clip["runs"]], list(baked))
        for run in clip["runs"]:
            with self.subTest(run=run["method"]):
                frames = shown_frames(run, data["meshes"][0]["vertex_count"])
                for shown, positions in zip(frames, baked[run["method"]], strict=True):
                    for (at, rounding), position in zip(shown, positions, strict=True):
                        for axis in range(3):
                            self.assertAlmostEqual(at[axis], position[axis], delta=rounding[axis] + 1e-7)
                self.assertAlmostEqual(max(numbers("f", run["largest"])), errors[run["method"]], delta=1e-8)

    def test_a_view_needs_a_page(self):
        self.fail_with(2, "fit", ARM, "--max-error", "1", "-o", "fit.glb", "--view", naming="web page")

    def test_usage_errors(self):
        for arguments, word in (
                ((ARM, "-o", "fit.glb"), "--max-error"),
                ((ARM, "--max-error", "0", "-o", "fit.glb"), "must be above 0"),
                ((ARM, "--max-error", "-1", "-o", "fit.glb"), "--max-error"),
                ((ARM, "--max-error", "nan", "-o", "fit.glb"), "--max-error"),
                ((ARM, "--max-error", "0%", "-o", "fit.glb"), "must be above 0"),
                ((ARM, "--correctives", "-1", "-o", "fit.glb"), "--correctives"),
                ((ARM, "--max-error", "1", "-o", "fit.pc2"), ".glb"),
                ((ARM, "--max-error", "1", "--clip", "run", "-o", "fit.glb"), "run"),
                ((ARM, "--max-error", "1", "--clip", "rom:arms", "-o", "fit.glb"), "retarget RIG --clip rom:arms -o"),
                ((ARM, "--max-error", "1", "--clip", "a.glb#run", "-o", "fit.glb"), "retarget a.glb#run RIG -o"),
                ((ARM, "--max-error", "1", "--method", "slow", "-o", "fit.glb"), "slow"),
                ((ARM, "--max-error", "1", "--target", "a.pc2", "--target", "b.pc2", "-o", "fit.glb"),
                 "2 caches for 1 clips"),
                ((ARM, "--max-error", "1", "--method", "dqs", "--target", "a.pc2", "-o", "fit.glb"), "--target")):
            with self.subTest(arguments=arguments[1:]):
                done = self.run_program("fit", *arguments)
                self.assertEqual(done.code, 2, done)
                self.assertIn(word, done.err)
                self.assertEqual(self.files(), {})

    def test_quantised_files_keep_the_bound_and_are_smaller(self):
        sizes = []
        for form in ("quantize=0", "quantize=1", "quantize=1,meshopt=1", "quantize=1,bits=12,meshopt=1"):
            self.succeed("fit", ARM, "--max-error", "0.0005", "-o", "fit.glb", "--format", f"glb:{form}", "--verify")
            sizes.append(len(self.read("fit.glb")))
            error = self.largest_distance(self.baked(ARM, "--method", "dqs"), self.baked("fit.glb"))
            self.assertLessEqual(error, 0.0005 * (1 + 1e-6))
            gltf, _ = glb(self.read("fit.glb"))
            target = gltf["accessors"][gltf["meshes"][0]["primitives"][0]["targets"][0]["POSITION"]]
            self.assertEqual(target["componentType"], 5126 if form == "quantize=0" else 5122)
            self.assertEqual(gltf.get("extensionsRequired", []),
                             ["KHR_mesh_quantization"] * ("quantize=1" in form) if "meshopt" not in form else
                             ["EXT_meshopt_compression", "KHR_mesh_quantization"])
        self.assertEqual(sizes, sorted(sizes, reverse=True))

    def test_the_report_names_every_option_of_the_fit(self):
        self.succeed("fit", ARM, "--correctives", "2", "--helpers", "1", "--influences", "3:fit", "-o", "fit.glb",
                     "--format", "glb:quantize=1,bits=14", "--report", "fit.json")
        settings = self.json("fit.json")["settings"]
        self.assertEqual((settings["helpers"], settings["influences"]), (1, 3))
        self.assertEqual(settings["format"], {"quantize": True, "bits": 14, "meshopt": False})

    def test_formats_that_do_not_apply(self):
        for form, word in (("pc2:a=1", "pc2"), ("glb:step=1", "step"), ("glb:meshopt=1", "quantize=1"),
                           ("glb:quantize=1,bits=7", "bits"), ("glb:quantize=1,split=1", "split"),
                           ("glb:interpolation=step", "interpolation"), ("glb", "glb:NAME=VALUE")):
            with self.subTest(form=form):
                done = self.run_program("fit", ARM, "--max-error", "1", "-o", "fit.glb", "--format", form)
                self.assertEqual(done.code, 2, done)
                self.assertIn(word, done.err)
                self.assertEqual(self.files(), {})

    def test_inputs_without_a_skin_or_a_clip(self):
        self.fail_with(3, "fit", "missing.glb", "--max-error", "1", "-o", "fit.glb", naming="missing.glb")
        self.fail_with(3, "fit", ARM, "--target", "missing.pc2", "--max-error", "1", "-o", "fit.glb",
                       naming="missing.pc2")
        self.fail_with(3, "fit", WALKER, "--mesh", "Lantern", "--max-error", "1", "-o", "fit.glb",
                       naming=("Lantern", "does not have a skin"))

    def test_an_output_never_replaces_an_input(self):
        (self.folder / "walker.glb").write_bytes(WALKER.read_bytes())
        self.fail_with(2, "fit", "walker.glb", "--max-error", "1", "-o", "walker.glb", naming="walker.glb")

    def test_a_dependency_file_names_the_caches(self):
        self.succeed("bake", ARM, "--method", "dqs", "-o", "target.pc2")
        self.succeed("fit", ARM, "--target", "target.pc2", "--correctives", "1", "-o", "fit.glb", "--depfile", "fit.d")
        rule = self.read("fit.d").decode()
        self.assertTrue(rule.replace(" ", "").startswith("fit.glb:"))
        self.assertIn("target.pc2", rule)
        self.assertIn("bent_arm.bin", rule)


if __name__ == "__main__":
    main()
