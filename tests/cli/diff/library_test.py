#!/usr/bin/env python3
"""skinbake diff: compares libraries: folders, manifests, and rigs with several meshes and clips."""

import json
import shutil
import struct
import xml.etree.ElementTree

from diff_case import DiffCase
from support import RIGS, main

WALKER = RIGS / "walker.glb"
ARM = RIGS / "bent_arm.gltf"


def moved(path, frame, vertex, by):
    """Adds to the x of one vertex of a PC2 file."""
    data = bytearray(path.read_bytes())
    vertices = struct.unpack_from("<i", data, 16)[0]
    at = 32 + (frame * vertices + vertex) * 12
    x, = struct.unpack_from("<f", data, at)
    struct.pack_into("<f", data, at, x + by)
    path.write_bytes(data)


class Folders(DiffCase):
    def setUp(self):
        super().setUp()
        for side in ("a", "b"):
            (self.folder / side / "w").mkdir(parents=True)
            self.succeed("bake", WALKER, "-q", "-o", f"{side}/w/{{mesh}}.pc2")
            self.succeed("bake", ARM, "-q", "-o", f"{side}/arm.pc2")

    def test_equal_folders_exit_0(self):
        self.assertEqual(self.diff().out, "4 pairs of a mesh and a clip: 0 differ, 4 identical\n")

    def test_the_largest_error_comes_first_and_top_limits_the_rows(self):
        moved(self.folder / "b/w/Body.pc2", 3, 2, 0.01)
        moved(self.folder / "b/arm.pc2", 5, 7, 1.5)
        lines = self.diff(code=1).out.splitlines()
        self.assertEqual(lines[0].split()[:2], ["mesh", "clip"])
        self.assertRegex(lines[1], r"^arm +bend_and_twist +1\.5 m .* 5 +7 +1 of \d+$")
        self.assertRegex(lines[2], r"^w/Body +walk +0\.01 m .* 3 +2 +1 of \d+$")
        self.assertEqual(lines[3], "4 pairs of a mesh and a clip: 2 differ, 2 identical")
        out = self.diff("--top", "1", code=1).out
        self.assertNotIn("w/Body", out)
        self.assertIn("… and 1 more that differ less; --top shows more rows\n", out)

    def test_a_limit_fails_the_pair_that_exceeds_it(self):
        moved(self.folder / "b/w/Body.pc2", 3, 2, 0.01)
        self.assertIn("error.max at most 0.02 m kept: 0.01", self.diff("--fail", "error.max=0.02").out)
        done = self.diff("--fail", "error.max=0.001", code=1)
        self.assertRegex(done.out, r"(?m)^fail +w/Body ")
        self.assertIn("mesh 'w/Body', clip 'walk', lbs, frame 3, vertex 2", done.err)

    def test_the_time_of_a_failure_is_that_of_its_clip(self):
        for side in "ab":
            self.succeed("bake", ARM, "-q", "--fps", "30", "-o", f"{side}/again.pc2")
            self.succeed("bake", ARM, "-q", "--fps", "24", "-o", f"{side}/arm.pc2")
        moved(self.folder / "b/arm.pc2", 12, 7, 0.25)
        self.diff("--fail", "error.max=0.001", "--report", "r.json", code=1)
        check, = json.loads((self.folder / "r.json").read_text())["verdict"]["checks"]
        self.assertEqual(check["at"], {"frame": 12, "time_s": 0.5, "vertex": 7})

    def test_a_pair_has_one_name_on_the_terminal_in_json_and_in_junit(self):
        moved(self.folder / "b/w/Body.pc2", 3, 2, 0.01)
        done = self.diff("--fail", "error.max=0.001", "--report", "r.json", "--report", "r.xml", code=1)
        report = json.loads((self.folder / "r.json").read_text())
        check, = report["verdict"]["checks"]
        self.assertEqual((check["mesh"], check["clip"], check["at"]["frame"], check["at"]["vertex"]),
                         ("w/Body", "walk", 3, 2))
        self.assertIn("w/Body", [mesh["id"] for mesh in report["meshes"]])
        cases = list(xml.etree.ElementTree.parse(self.folder / "r.xml").iter("testcase"))
        self.assertEqual(len(cases), 4)
        failed, = [case for case in cases if case.find("failure") is not None]
        self.assertEqual(failed.get("name"), "w/Body, walk, lbs: error.max at most 0.001 m")
        self.assertIn("frame 3, vertex 2", failed.find("failure").text)
        self.assertIn("w/Body", done.out)

    def test_the_report_follows_the_schema_and_gives_the_same_pages(self):
        moved(self.folder / "b/w/Body.pc2", 3, 2, 0.01)
        (self.folder / "b/arm.pc2").unlink()
        (self.folder / "a/w/Mouth.pc2").write_bytes(b"no cache")
        report = self.report(code=3)
        self.assertEqual(report["library"]["only_a"], [{"kind": "file", "file": "arm.pc2", "name": None}])
        self.assertEqual([(pair["name"], pair["code"]) for pair in report["library"]["failed"]],
                         [("w/Mouth", "CACHE_INVALID")])
        pages = ("r.html", "r.md", "r.xml")
        self.diff("--report", "r.json", "--report", pages[0], "--report", pages[1], "--report", pages[2], code=3)
        own = [(self.folder / page).read_bytes() for page in pages]
        self.succeed("report", "r.json", *(word for page in pages for word in ("-o", page)))
        self.assertEqual([(self.folder / page).read_bytes() for page in pages], own)

    def test_what_only_one_side_has_is_listed_and_fails_if_asked(self):
        (self.folder / "b/w/Mouth.pc2").unlink()
        shutil.copy(self.folder / "b/arm.pc2", self.folder / "b/leg.pc2")
        done = self.diff()
        self.assertIn("only in A: file 'w/Mouth.pc2'\nonly in B: file 'leg.pc2'\n", done.out)
        done = self.diff("--fail-missing", "--report", "r.xml", code=1)
        self.assertIn("--fail-missing: 2 elements are only on one side", done.err)
        self.assertIn('name="nothing is missing"', (self.folder / "r.xml").read_text())

    def test_one_order_of_rows_which_the_arrow_names(self):
        moved(self.folder / "b/w/Mouth.pc2", 3, 2, 0.1)  # small, so that this is much of its diagonal
        moved(self.folder / "b/arm.pc2", 5, 7, 0.2)
        lines = self.diff(code=1).out.splitlines()
        self.assertRegex(lines[0], "diagonal ↓  ")
        self.assertEqual([line.split()[0] for line in lines[1:3]], ["w/Mouth", "arm"])
        done = self.diff("--fail", "error.max=0.01", "--report", "r.md", code=1)
        self.assertRegex(done.out.splitlines()[0], "max ↓  ")
        self.assertEqual([line.split()[1] for line in done.out.splitlines()[1:3]], ["arm", "w/Mouth"])
        self.assertIn("mesh 'arm'", done.err)
        self.assertLess(self.markdown().index("| `arm` |"), self.markdown().index("| `w/Mouth` |"))
        relative = self.diff("--fail", "error.max=0.001%", code=1)
        self.assertEqual(relative.out.splitlines()[1].split()[1], "w/Mouth")
        self.assertIn("mesh 'w/Mouth'", relative.err)

    def markdown(self):
        return (self.folder / "r.md").read_text()

    def test_pairs_without_a_difference_follow_those_with_one_in_markdown(self):
        moved(self.folder / "b/arm.pc2", 5, 7, 0.2)
        self.diff("--report", "r.md", code=1)
        self.assertEqual(self.markdown().count("- ✅ `no difference`"), 3)
        self.assertLess(self.markdown().index("| `arm` |"), self.markdown().index("| `w/Body` |"))

    def test_a_renamed_file_is_one_line(self):
        (self.folder / "b/w/Mouth.pc2").rename(self.folder / "b/w/Jaw.pc2")
        self.assertIn("renamed: file 'w/Mouth.pc2' is 'w/Jaw.pc2' in B\n3 pairs", self.diff().out)
        moved(self.folder / "b/w/Jaw.pc2", 3, 2, 0.01)
        self.assertIn("only in A: file 'w/Mouth.pc2'\nonly in B: file 'w/Jaw.pc2'\n", self.diff().out)

    def test_a_pair_that_cannot_be_compared_does_not_lose_the_others(self):
        self.succeed("bake", ARM, "-q", "--frames", "0:5", "-o", "b/arm.pc2")
        moved(self.folder / "b/w/Body.pc2", 3, 2, 0.01)
        done = self.diff(code=5)
        self.assertIn("w/Body", done.out)
        self.assertIn("1 not comparable", done.out)
        self.assertRegex(done.err, r"arm: not comparable: a/arm.pc2 has 61 frames, b/arm.pc2 has 6.*--overlap")
        self.assertIn("3 pairs of a mesh and a clip: 1 differ", done.out)

    def test_overlap_compares_the_frames_that_both_have(self):
        self.succeed("bake", ARM, "-q", "--frames", "0:5", "-o", "b/arm.pc2")
        self.assertIn("4 pairs of a mesh and a clip: 0 differ, 4 identical", self.diff("--overlap").out)

    def test_folders_without_a_pair_exit_5(self):
        (self.folder / "c").mkdir()
        self.assertIn("NOTHING_PAIRS", self.diff(b="c", code=5).err)
        shutil.move(self.folder / "b/arm.pc2", self.folder / "c/leg.pc2")
        self.assertIn("the file 'arm.pc2' is renamed 'leg.pc2' in B", self.diff(b="c", code=5).err)
        moved(self.folder / "c/leg.pc2", 3, 2, 0.01)
        self.assertIn("only B has file 'leg.pc2'", self.diff(b="c", code=5).err)

    def test_caches_of_two_formats_pair(self):
        self.succeed("convert", "b/arm.pc2", "b/arm.mdd")
        (self.folder / "b/arm.pc2").unlink()
        self.assertIn("0 differ", self.diff().out)

    def test_a_map_pairs_files_of_other_names(self):
        (self.folder / "b/arm.pc2").rename(self.folder / "b/limb.pc2")
        (self.folder / "map.json").write_text('{"arm": "limb"}')
        self.assertIn("renamed: file 'arm.pc2' is 'limb.pc2' in B", self.diff().out)
        self.assertEqual(self.diff("--map", "map.json").out, "4 pairs of a mesh and a clip: 0 differ, 4 identical\n")

    def test_outputs_that_would_replace_a_file_of_a_library_are_refused(self):
        for output in ("a/arm.pc2", "b/arm.pc2.json"):
            before = (self.folder / output).read_bytes()
            self.assertIn("OUTPUT_IS_INPUT", self.diff("--report", f"json:{output}", code=2).err)
            self.assertEqual((self.folder / output).read_bytes(), before)

    def test_options_of_two_files_are_refused(self):
        for option in (("--explain", "2"), ("--match", "surface"), ("--rig", ARM),
                       ("--error-matrix", "m.npy"), ("--per-vertex", "npy", "--report", "r.json")):
            self.assertIn(option[0], self.diff(*option, code=2).err)
        self.assertIn("LIBRARY_UNSUPPORTED", self.diff(b="b/arm.pc2", code=3).err)

    def test_several_meshes_in_a_glb_are_pairs_of_their_own(self):
        for side, method in (("a", "lbs"), ("b", "dqs")):
            (self.folder / side / "all").mkdir()
            self.succeed("bake", WALKER, "-q", "-o", f"{side}/all/walker.glb", "--method", method)
        report = self.report(code=1)
        ids = [mesh["id"] for mesh in report["meshes"]]
        for mesh in ("Body", "Lantern", "Mouth"):
            self.assertIn(f"all/walker/{mesh}", ids)

    def test_manifests_name_the_caches_of_their_tasks(self):
        for side in ("a", "b"):
            jobs = {"schema": "skinbake.batch", "schema_version": "1.0",
                    "jobs": [{"name": "walker", "rig": str(WALKER), "clip": ["*"], "output": ["w/{mesh}.pc2"]},
                             {"name": "arm", "rig": str(ARM), "output": ["arm.pc2"]}]}
            (self.folder / side / "jobs.json").write_text(json.dumps(jobs))
        moved(self.folder / "b/arm.pc2", 5, 7, 1.5)
        shutil.copy(self.folder / "a/arm.pc2", self.folder / "a/not_a_task.pc2")
        out = self.diff(a="a/jobs.json", b="b/jobs.json", code=1).out
        self.assertIn("4 pairs of a mesh and a clip: 1 differ, 3 identical", out)
        self.assertNotIn("not_a_task", out)


class Pages(DiffCase):
    """Pages of a report with 1 140 pairs."""

    COUNT = 1140

    def setUp(self):
        super().setUp()
        for side, method in (("a", "lbs"), ("b", "dqs")):
            (self.folder / side).mkdir()
            self.succeed("bake", ARM, "-q", "--frames", "0:3", "--method", method, "-o", f"{side}/arm.pc2")
        report = self.report("--fail", "error.max=1", code=0)
        mesh = report["meshes"][0]
        report["meshes"] = []
        for i in range(self.COUNT):
            copy = json.loads(json.dumps(mesh))
            copy["id"] = f"characters/character_number_{i:04}/arm"
            if i == 777:
                copy["runs"][0]["error"]["max"] = 2.5
            report["meshes"].append(copy)
        report["verdict"]["status"] = "fail"
        report["verdict"]["checks"][0].update(mesh="characters/character_number_0777/arm", value=2.5, passed=False,
                                              failures=1)
        (self.folder / "r.json").write_text(json.dumps(report))

    def test_markdown_fits_into_a_comment_with_the_failure_first(self):
        self.succeed("report", "r.json", "-o", "r.md")
        text = (self.folder / "r.md").read_text()
        self.assertLessEqual(len(text), 60_000)
        self.assertIn("❌ fail", text.splitlines()[0])
        first_row = next(line for line in text.splitlines() if line.startswith("| `characters/"))
        self.assertIn("character_number_0777", first_row)
        self.assertRegex(text, r"\d+ more are only in the JSON report")

    def test_markdown_of_many_reports_fits_with_the_failures_first(self):
        passing = json.loads((self.folder / "r.json").read_text())
        passing["meshes"] = passing["meshes"][:1]
        passing["verdict"]["status"] = "pass"
        passing["verdict"]["checks"][0].update(mesh=passing["meshes"][0]["id"], value=0.1, passed=True, failures=0)
        names = [f"p{i:03}.json" for i in range(400)]
        for name in names:
            (self.folder / name).write_text(json.dumps(passing))
        self.succeed("report", *names, "r.json", "-o", "r.md")
        text = (self.folder / "r.md").read_text()
        self.assertLessEqual(len(text), 60_000)
        self.assertIn("`r.json`: ❌", text.splitlines()[0])
        self.assertRegex(text, r"\d+ more reports, of which 0 fail, are left out")

    def test_junit_has_a_case_for_each_pair_and_limit(self):
        self.succeed("report", "r.json", "-o", "r.xml")
        suites = xml.etree.ElementTree.parse(self.folder / "r.xml").getroot()
        self.assertEqual((suites.get("tests"), suites.get("failures")), (str(self.COUNT), "1"))
        failed, = [case for case in suites.iter("testcase") if case.find("failure") is not None]
        self.assertTrue(failed.get("name").startswith("characters/character_number_0777/arm, bend_and_twist, dqs: "))

    def test_a_report_without_a_limit_has_a_case_for_each_mesh_and_clip(self):
        self.succeed("bake", WALKER, "-q", "--report", "w.json")
        self.succeed("report", "w.json", "-o", "w.xml")
        suites = xml.etree.ElementTree.parse(self.folder / "w.xml").getroot()
        self.assertEqual(suites.get("tests"), "3")


class RigFolders(DiffCase):
    """Folders of rigs with different clips: the walker plays 'walk', the arm 'bend_and_twist'."""

    def setUp(self):
        super().setUp()
        for side in (self.folder / "a", self.folder / "b"):
            side.mkdir()
            for file in (WALKER, ARM, ARM.with_suffix(".bin")):
                shutil.copy(file, side)

    def test_a_value_that_only_some_rigs_have_selects_what_it_can(self):
        self.assertIn("4 pairs", self.diff("--clip", "walk", "--clip", "bend_and_twist").out)
        self.assertIn("3 pairs", self.diff("--clip", "walk", "--clip", "w*").out)
        self.assertIn("2 pairs", self.diff("--clip", "all", "--mesh", "Body", "--mesh", "arm").out)
        self.assertIn("2 pairs", self.diff("--clip", "walk", "--clip", "bend*", "--mesh", "Body", "--mesh", "arm").out)

    def test_a_value_that_no_rig_has_is_refused(self):
        self.assertRegex(self.diff("--clip", "walk", "--clip", "bend_and_twits", "--json", code=2).err,
                         r"^skinbake: error: a and b: no clip 'bend_and_twits'; there are: 'bend_and_twist', 'walk'; "
                         r"did you mean 'bend_and_twist'\? \[CLIP_UNKNOWN\] \(option --clip, or FILE#ID\)\n$")
        self.assertIn("no clip 'run*'", self.diff("--clip", "run*", code=2).err)
        self.assertIn("no clip 'run'", self.diff("--clip", "walk", "--clip-b", "run", code=2).err)
        self.assertIn("a and b: no mesh node 'Bdoy'", self.diff("--clip", "all", "--mesh", "Body", "--mesh", "Bdoy", code=2).err)
        self.assertIn("no clip 'run'", self.diff("--clip", "walk", "--clip", "run", a="a/walker.glb", b="b/walker.glb", code=2).err)

    def test_a_value_may_be_that_of_a_rig_that_cannot_be_read(self):
        (self.folder / "b/bent_arm.gltf").write_text("no glTF")
        self.assertIn("3 pairs", self.diff("--clip", "walk", "--clip", "bend_and_twist", code=3).out)


class CacheFolders(DiffCase):
    """Folders of caches, whose sidecars name their clips and meshes."""

    def setUp(self):
        super().setUp()
        for side in ("a", "b"):
            self.succeed("bake", WALKER, "-o", f"{side}/{{mesh}}.pc2", "-o", f"{side}/all.glb", "-q")
            self.succeed("bake", ARM, "-o", f"{side}/arm.pc2", "-q")

    def test_clips_and_meshes_select_caches_by_their_sidecars(self):
        for options, pairs in (((), 7), (("--clip", "all"), 7), (("--clip", "w*"), 6), (("--clip", "!walk"), 1),
                               (("--mesh", "Body"), 2), (("--mesh", "!Body", "--mesh", "!arm"), 4),
                               (("--clip", "walk", "--mesh", "arm", "--mesh", "Mouth"), 2)):
            self.assertRegex(self.diff(*options).out, f"^{pairs} pairs? of a mesh", options)

    def test_a_name_that_no_sidecar_has_is_refused(self):
        self.assertIn("a and b: no clip 'wlak'; there are: 'bend_and_twist', 'walk'; did you mean 'walk'?",
                      self.diff("--clip", "wlak", code=2).err)
        self.assertIn("a and b: no mesh node 'Bdoy'", self.diff("--mesh", "Bdoy", code=2).err)
        self.assertIn("--mesh '!Bdoy' matches nothing", self.diff("--mesh", "!Bdoy").err)

    def test_a_cache_without_a_sidecar_cannot_be_selected(self):
        for side in ("a", "b"):
            (self.folder / side / "arm.pc2.json").unlink()
        self.assertIn("7 pairs", self.diff().out)
        self.assertIn("arm.pc2: no sidecar names its clip and mesh", self.diff("--clip", "walk", code=5).err)
        (self.folder / "spare").mkdir()
        self.succeed("bake", ARM, "-o", "spare/arm.pc2", "-q")
        shutil.copy(self.folder / "spare/arm.pc2.json", self.folder / "b")
        self.assertIn("6 pairs", self.diff("--clip", "walk").out)


if __name__ == "__main__":
    main()
