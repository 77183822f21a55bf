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


class GlbJson:
    """The JSON of a GLB file, which may be changed and written again."""

    def __init__(self, path):
        data = path.read_bytes()
        length, = struct.unpack_from("<I", data, 12)
        self.json = json.loads(data[20:20 + length])
        self.rest = data[20 + length:]

    def write(self, path):
        text = json.dumps(self.json).encode()
        text += b" " * (-len(text) % 4)
        path.write_bytes(struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(self.rest), len(text), 0x4E4F534A)
                         + text + self.rest)


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
        self.assertIn("--fail-max 0.02 m kept: 0.01", self.diff("--fail-max", "0.02").out)
        done = self.diff("--fail-max", "0.001", code=1)
        self.assertRegex(done.out, r"(?m)^fail +w/Body ")
        self.assertIn("mesh 'w/Body', clip 'walk', lbs, frame 3, vertex 2", done.err)

    def test_a_pair_has_one_name_on_the_terminal_in_json_and_in_junit(self):
        moved(self.folder / "b/w/Body.pc2", 3, 2, 0.01)
        done = self.diff("--fail-max", "0.001", "--report", "r.json", "--junit", "r.xml", code=1)
        report = json.loads((self.folder / "r.json").read_text())
        check, = report["verdict"]["checks"]
        self.assertEqual((check["mesh"], check["clip"], check["at"]["frame"], check["at"]["vertex"]),
                         ("w/Body", "walk", 3, 2))
        self.assertIn("w/Body", [mesh["id"] for mesh in report["meshes"]])
        cases = list(xml.etree.ElementTree.parse(self.folder / "r.xml").iter("testcase"))
        self.assertEqual(len(cases), 4)
        failed, = [case for case in cases if case.find("failure") is not None]
        self.assertEqual(failed.get("name"), "w/Body, walk, lbs: --fail-max 0.001 m")
        self.assertIn("mesh 'w/Body', clip 'walk', lbs, frame 3, vertex 2", failed.find("failure").text)
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
        self.diff("--report", "r.json", "--html", pages[0], "--markdown", pages[1], "--junit", pages[2], code=3)
        own = [(self.folder / page).read_bytes() for page in pages]
        self.succeed("report", "r.json", *(word for page in pages for word in ("-o", page)))
        self.assertEqual([(self.folder / page).read_bytes() for page in pages], own)

    def test_what_only_one_side_has_is_listed_and_fails_if_asked(self):
        (self.folder / "b/w/Mouth.pc2").unlink()
        shutil.copy(self.folder / "b/arm.pc2", self.folder / "b/leg.pc2")
        done = self.diff()
        self.assertIn("only in A: file 'w/Mouth.pc2'\nonly in B: file 'leg.pc2'\n", done.out)
        done = self.diff("--fail-missing", "--junit", "r.xml", code=1)
        self.assertIn("--fail-missing: 2 elements are only on one side", done.err)
        self.assertIn('name="--fail-missing"', (self.folder / "r.xml").read_text())

    def test_one_order_of_rows_which_the_arrow_names(self):
        moved(self.folder / "b/w/Mouth.pc2", 3, 2, 0.1)  # small, so that this is much of its diagonal
        moved(self.folder / "b/arm.pc2", 5, 7, 0.2)
        lines = self.diff(code=1).out.splitlines()
        self.assertRegex(lines[0], "diagonal ↓  ")
        self.assertEqual([line.split()[0] for line in lines[1:3]], ["w/Mouth", "arm"])
        done = self.diff("--fail-max", "0.01", "--markdown", "r.md", code=1)
        self.assertRegex(done.out.splitlines()[0], "max ↓  ")
        self.assertEqual([line.split()[1] for line in done.out.splitlines()[1:3]], ["arm", "w/Mouth"])
        self.assertIn("mesh 'arm'", done.err)
        self.assertLess(self.markdown().index("| `arm` |"), self.markdown().index("| `w/Mouth` |"))
        relative = self.diff("--fail-max-relative", "0.001%", code=1)
        self.assertEqual(relative.out.splitlines()[1].split()[1], "w/Mouth")
        self.assertIn("mesh 'w/Mouth'", relative.err)

    def markdown(self):
        return (self.folder / "r.md").read_text()

    def test_pairs_without_a_difference_are_one_line_in_markdown(self):
        moved(self.folder / "b/arm.pc2", 5, 7, 0.2)
        self.diff("--markdown", "r.md", code=1)
        self.assertIn("\n3 pairs without a difference\n", self.markdown())
        self.assertIn("| `arm` |", self.markdown())
        self.assertNotIn("| `w/Body` |", self.markdown())

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
            self.assertIn("OUTPUT_IS_INPUT", self.diff("--report", output, code=2).err)
            self.assertEqual((self.folder / output).read_bytes(), before)

    def test_options_of_two_files_are_refused(self):
        for option in (("--self-test",), ("--explain", "2"), ("--match", "surface"), ("--rig", ARM),
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
        report = self.report("--fail-max", "1", code=0)
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
        self.assertIn("❌ a limit is exceeded", text.splitlines()[0])
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
                         r"did you mean 'bend_and_twist'\? \[CLIP_UNKNOWN\] \(option --clip\)\n$")
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
            self.succeed("bake", WALKER, "-o", f"{side}/{{mesh}}.pc2", "-o", f"{side}/all.glb", "--parents", "-q")
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


class Rigs(DiffCase):
    def setUp(self):
        super().setUp()
        shutil.copy(WALKER, self.folder / "a.glb")
        shutil.copy(WALKER, self.folder / "b.glb")
        self.A, self.B = "a.glb", "b.glb"

    def change(self, change):
        glb = GlbJson(WALKER)
        change(glb.json)
        glb.write(self.folder / "b.glb")

    def test_all_meshes_and_clips_are_compared_in_one_run(self):
        self.assertEqual(self.diff("--clip", "all").out, "3 pairs of a mesh and a clip: 0 differ, 3 identical\n")

    def test_patterns_and_exclusions_select_meshes(self):
        self.assertIn("2 pairs", self.diff("--clip", "all", "--mesh", "!Mouth").out)
        self.assertIn("1 pair ", self.diff("--mesh", "*o*", "--mesh", "!Body", "--clip", "w*").out)
        self.assertIn("2 pairs", self.diff("--mesh", "Body", "--mesh", "Lantern").out)

    def test_a_renamed_mesh_is_one_line_and_pairs_by_its_new_name(self):
        def rename(gltf):
            next(node for node in gltf["nodes"] if node.get("name") == "Mouth")["name"] = "Jaw"
        self.change(rename)
        out = self.diff("--clip", "all").out
        self.assertIn("renamed: mesh 'Mouth' is 'Jaw' in B\n", out)
        self.assertNotIn("only in", out)
        self.assertIn("1 element is only on one side", self.diff("--clip", "all", "--fail-missing", code=1).err)
        report = self.report("--clip", "all", "--markdown", "r.md")
        self.assertEqual(report["library"]["renamed"], [{"kind": "mesh", "file": None, "a": "Mouth", "b": "Jaw"}])
        self.assertIn("- renamed: mesh `Mouth` is `Jaw` in B\n", (self.folder / "r.md").read_text())
        self.assertIn("1 pair of a mesh and a clip", self.diff("--mesh", "Mouth", "--mesh-b", "Jaw").out)
        (self.folder / "map.json").write_text('{"Mouth": "Jaw"}')
        self.assertIn("3 pairs", self.diff("--clip", "all", "--map", "map.json").out)

    def test_a_renamed_clip_pairs_by_its_new_name(self):
        def rename(gltf):
            gltf["animations"][0]["name"] = "stroll"
        self.change(rename)
        error = self.diff("--clip", "all", code=5).err
        self.assertIn("NOTHING_PAIRS", error)
        self.assertIn("the clip 'walk' is renamed 'stroll' in B, which --map pairs", error)
        self.assertIn("3 pairs", self.diff("--clip", "walk", "--clip-b", "stroll").out)
        self.assertIn("--clip-b", self.diff("--clip", "walk", "--clip", "x", "--clip-b", "stroll", code=2).err)

    def test_a_moved_node_is_a_row_with_its_mesh(self):
        def move(gltf):
            next(node for node in gltf["nodes"] if node.get("name") == "Lantern").setdefault(
                "translation", [0, 0, 0])[0] += 0.125
        self.change(move)
        out = self.diff("--clip", "all", code=1).out
        self.assertRegex(out, r"(?m)^Lantern +walk +0\.\d+ m ")

    def changed_arm(self, change):
        """Writes arm.gltf and changed.gltf, whose buffer and JSON `change` has edited."""
        gltf = json.loads(ARM.read_text())
        data = bytearray(ARM.with_suffix(".bin").read_bytes())
        gltf["buffers"][0]["uri"] = "arm.bin"
        (self.folder / "arm.bin").write_bytes(data)
        (self.folder / "arm.gltf").write_text(json.dumps(gltf))
        gltf["buffers"][0]["uri"] = "changed.bin"
        change(gltf, data)
        (self.folder / "changed.bin").write_bytes(data)
        (self.folder / "changed.gltf").write_text(json.dumps(gltf))
        self.A, self.B = "arm.gltf", "changed.gltf"

    @staticmethod
    def at(gltf, accessor):
        accessor = gltf["accessors"][accessor]
        view = gltf["bufferViews"][accessor["bufferView"]]
        return view.get("byteOffset", 0) + accessor.get("byteOffset", 0)

    def explained(self, code=1):
        """The causes that the library's table and --explain of one pair name: both are the same."""
        out = self.diff("--clip", "all", code=code).out
        return out, self.run_program("diff", self.A, self.B, "--explain", "1").out

    def test_changed_weights_are_the_cause(self):
        def change(gltf, data):
            number = gltf["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"]
            for v in range(500, 540):
                struct.pack_into("<4H", data, self.at(gltf, number) + 36 * v, 16384, 49151, 0, 0)
        self.changed_arm(change)
        for out in self.explained():
            self.assertRegex(out, r"WEIGHTS_0 differs at \d+ vertices around '\w+'")
            self.assertNotIn("channel", out)
            self.assertNotIn("POSITION differs", out)

    def test_a_changed_channel_is_the_cause_from_its_key_on(self):
        def change(gltf, data):
            animation = gltf["animations"][0]
            channel = next(c for c in animation["channels"] if c["target"]["path"] == "rotation")
            sampler = animation["samplers"][channel["sampler"]]
            keys = gltf["accessors"][sampler["input"]]["count"]
            struct.pack_into("<4f", data, self.at(gltf, sampler["output"]) + 16 * (keys - 1), 0, 0.6, 0, 0.8)
            self.joint = gltf["nodes"][channel["target"]["node"]]["name"]
        self.changed_arm(change)
        for out in self.explained():
            self.assertRegex(out, rf"the channel '{self.joint}' rotation differs from [\d.]+ s on")
            self.assertNotIn("WEIGHTS_0 differs", out)

    def test_a_changed_inverse_bind_is_the_cause(self):
        def change(gltf, data):
            at = self.at(gltf, gltf["skins"][0]["inverseBindMatrices"]) + 64 + 48
            x, = struct.unpack_from("<f", data, at)
            struct.pack_into("<f", data, at, x + 0.1)
            self.joint = gltf["nodes"][gltf["skins"][0]["joints"][1]]["name"]
        self.changed_arm(change)
        for out in self.explained():
            self.assertIn(f"the inverse bind of '{self.joint}' differs", out)

    def test_a_moved_vertex_is_geometry(self):
        def change(gltf, data):
            at = self.at(gltf, gltf["meshes"][0]["primitives"][0]["attributes"]["POSITION"]) + 36 * 7
            x, = struct.unpack_from("<f", data, at)
            struct.pack_into("<f", data, at, x - 1e-4)
        self.changed_arm(change)
        for out in self.explained():
            self.assertIn("POSITION differs at 1 vertex", out)

    def change_triangles(self, change):
        """Changes the indices of the arm, a list, before they are written again."""
        def edit(gltf, data):
            accessor = gltf["accessors"][gltf["meshes"][0]["primitives"][0]["indices"]]
            kind = {5123: "H", 5125: "I"}[accessor["componentType"]]
            at = self.at(gltf, gltf["meshes"][0]["primitives"][0]["indices"])
            indices = list(struct.unpack_from(f"<{accessor['count']}{kind}", data, at))
            change(indices)
            accessor["count"] = len(indices)
            struct.pack_into(f"<{len(indices)}{kind}", data, at, *indices)
        self.changed_arm(edit)

    def changed_library(self):
        """Two folders: weights of the arm and every channel of the walker's clip differ."""
        def change(gltf, data):
            number = gltf["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"]
            for v in range(500, 540):
                struct.pack_into("<4H", data, self.at(gltf, number) + 36 * v, 16384, 49151, 0, 0)
        self.changed_arm(change)
        for side, file in (("a", "arm.gltf"), ("b", "changed.gltf")):
            (self.folder / side).mkdir()
            gltf = json.loads((self.folder / file).read_text())
            shutil.copy(self.folder / file, self.folder / side / "arm.gltf")
            shutil.copy(self.folder / gltf["buffers"][0]["uri"], self.folder / side)
        shutil.copy(WALKER, self.folder / "a/walker.glb")
        glb = GlbJson(WALKER)
        for sampler in glb.json["animations"][0]["samplers"]:
            sampler["interpolation"] = "STEP"
        self.channels = len(glb.json["animations"][0]["channels"])
        glb.write(self.folder / "b/walker.glb")
        self.A, self.B = "a", "b"
        self.weights = "arm: mesh 'arm': WEIGHTS_0 differs at 40 vertices"
        self.clip = f"walker: clip 'walk': {self.channels} channels differ; the first: '"

    def test_a_clip_whose_channels_all_differ_is_one_line_and_top_shows_more(self):
        self.changed_library()
        out = self.diff(code=1).out
        self.assertIn(self.weights, out)
        self.assertIn(self.clip, out)
        worst = [line for line in out.splitlines() if line.startswith(("arm/", "walker/"))][0].split("/")[0]
        first = [line for line in out.splitlines() if line.startswith(("arm: ", "walker: "))][0].split(":")[0]
        self.assertEqual(first, worst)
        self.assertIn("… and 1 more whose data differ; --top shows more lines\n", self.diff("--top", "1", code=1).out)
        self.assertGreater(len(self.report(code=1)["rig_data"]), self.channels)

    def test_causes_are_beside_the_pair_in_every_output(self):
        self.changed_library()
        pages = ("r.md", "r.xml", "r.html")
        for limit in ((), ("--fail-max", "1e-6")):
            self.diff(*limit, "--report", "r.json", "--markdown", pages[0], "--junit", pages[1], "--html", pages[2], code=1)
            texts = [(self.folder / page).read_text() for page in pages]
            row = next(line for line in texts[0].splitlines() if line.startswith("| `arm/arm` |"))
            self.assertIn("WEIGHTS_0 differs at 40 vertices", row)
            self.assertNotIn("channels differ", row)
            cases = xml.etree.ElementTree.fromstring(texts[1]).iter("testcase")
            failures = {case.get("name"): case.find("failure").text for case in cases if case.find("failure") is not None}
            arm = next(text for name, text in failures.items() if "arm/arm" in name)
            self.assertIn("; mesh 'arm': WEIGHTS_0 differs at 40 vertices", arm)
            body = next(text for name, text in failures.items() if "walker/Body" in name)
            self.assertIn(f"; clip 'walk': {self.channels} channels differ", body)
            self.assertIn("cause</th>", texts[2])
            self.assertIn("WEIGHTS_0 differs at 40 vertices", texts[2])
            self.succeed("report", "r.json", *(word for page in pages for word in ("-o", page)))
            self.assertEqual([(self.folder / page).read_text() for page in pages], texts)

    def test_lost_triangles_are_a_warning_and_a_cause(self):
        def lose(indices):
            del indices[-6:]
        self.change_triangles(lose)
        done = self.diff("--clip", "all")
        self.assertIn("mesh 'arm' lacks 2 triangles of arm.gltf, and has 0 triangles more", done.err)
        self.assertIn("mesh 'arm': the triangles differ: 2 are only in A, 0 only in B\n", done.out)
        self.assertIn("0 differ, 1 identical in positions\n", done.out)
        self.assertIn("TRIANGLES_DIFFER", self.diff("--clip", "all", "--strict", code=1).err)
        self.diff("--clip", "all", "--strict", "--allow", "TRIANGLES_DIFFER")
        issue, = [issue for issue in self.report("--clip", "all")["issues"] if issue["code"] == "TRIANGLES_DIFFER"]
        self.assertEqual((issue["count"], issue["pointer"][:7]), (2, "/nodes/"))

    def test_a_mesh_that_lost_half_its_area_fails_in_a_library_too(self):
        def lose(indices):
            del indices[len(indices) // 6 * 3:]
        self.change_triangles(lose)
        self.assertIn("other file's area", self.diff("--clip", "all", code=1).err)

    def test_flipped_triangles_are_a_warning_once_for_each_mesh(self):
        def flip(indices):
            for t in range(0, len(indices), 3):
                indices[t], indices[t + 1] = indices[t + 1], indices[t]
        self.change_triangles(flip)
        for side, file in (("a", "arm.gltf"), ("b", "changed.gltf")):
            (self.folder / side).mkdir()
            gltf = json.loads((self.folder / file).read_text())
            gltf["animations"].append({**gltf["animations"][0], "name": "again"})
            (self.folder / side / "arm.gltf").write_text(json.dumps(gltf))
            shutil.copy(self.folder / gltf["buffers"][0]["uri"], self.folder / side)
        done = self.diff(a="a", b="b")
        self.assertIn("2 pairs of a mesh and a clip: 0 differ, 2 identical in positions\n", done.out)
        self.assertEqual(done.err.count("TRIANGLES_DIFFER"), 1, done.err)
        self.assertIn("mesh 'arm/arm' lacks", done.err)

    def test_equal_data_are_said_to_be_equal(self):
        self.changed_arm(lambda gltf, data: None)
        self.assertIn("the data of both rigs are equal", self.explained(code=0)[1])

    def test_the_report_names_the_data_that_differ(self):
        def change(gltf, data):
            number = gltf["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"]
            for v in range(500, 540):
                struct.pack_into("<4H", data, self.at(gltf, number) + 36 * v, 16384, 49151, 0, 0)
        self.changed_arm(change)
        for options in (("--clip", "all"), ("--explain", "1")):
            data, = self.report(*options, code=1)["rig_data"]
            self.assertEqual((data["file"], data["kind"], data["name"]), (None, "mesh", "arm"))
            self.assertRegex(data["difference"], r"^WEIGHTS_0 differs at 40 vertices around '\w+'")
        self.assertNotIn("rig_data", self.report(code=1))  # not asked for
        self.assertEqual(self.report("--explain", "1", b="arm.gltf")["rig_data"], [])

    def test_match_index_takes_any_order_and_other_matches_are_refused_plainly(self):
        self.assertIn("3 identical", self.diff("--clip", "all", "--match", "index").out)
        (self.folder / "a").mkdir()
        shutil.copy(WALKER, self.folder / "a")
        for match in ("surface", "order", "auto"):
            error = self.diff("--match", match, a="a", b="a", code=2).err
            self.assertIn("--match", error)
            self.assertIn("compare two of their rigs", error)

    def test_a_renamed_clip_is_one_line_and_a_changed_one_is_not_renamed(self):
        for side in ("a", "b"):
            (self.folder / side).mkdir()
            shutil.copy(WALKER, self.folder / side / "walker.glb")
            gltf = json.loads(ARM.read_text())
            gltf["animations"].append({**gltf["animations"][0], "name": "wave" if side == "a" else "greeting"})
            (self.folder / side / "arm.gltf").write_text(json.dumps(gltf))
            shutil.copy(ARM.with_suffix(".bin"), self.folder / side)
        self.A, self.B = "a", "b"
        self.assertIn("renamed in 'arm': clip 'wave' is 'greeting' in B\n4 pairs", self.diff().out)
        gltf["animations"][1]["channels"] = gltf["animations"][1]["channels"][1:]
        (self.folder / "b/arm.gltf").write_text(json.dumps(gltf))
        self.assertIn("only in A of 'arm': clip 'wave'\nonly in B of 'arm': clip 'greeting'\n", self.diff().out)

    def test_a_file_without_a_selected_clip_is_not_compared(self):
        for side, other in (("a", ARM), ("b", ARM)):
            (self.folder / side).mkdir()
            shutil.copy(other, self.folder / side / "arm.gltf")
            shutil.copy(ARM.with_suffix(".bin"), self.folder / side)
            shutil.copy(WALKER, self.folder / side / "walker.glb")
        # A walker with fewer vertices, whose clip no option selects.
        shutil.copy(RIGS / "twisted_tube.gltf", self.folder / "b/walker.gltf")
        for file in RIGS.glob("twisted_tube*.bin"):
            shutil.copy(file, self.folder / "b")
        (self.folder / "b/walker.glb").unlink()
        gltf = json.loads((self.folder / "b/walker.gltf").read_text())
        for node in gltf["nodes"]:
            if "mesh" in node:
                node["name"] = "Body"
        (self.folder / "b/walker.gltf").write_text(json.dumps(gltf))
        gltf["animations"][0]["name"] = "walk"
        (self.folder / "b/walker.gltf").write_text(json.dumps(gltf))
        self.A, self.B = "a", "b"
        self.assertIn("1 not comparable", self.diff(code=5).out)
        for clip in ("bend*", "!walk"):
            done = self.diff("--clip", clip)
            self.assertEqual(done.out, "1 pair of a mesh and a clip: 0 differ, 1 identical\n")
            self.assertNotIn("walker", done.err)

    def test_an_exclusion_that_no_file_matches_is_a_warning(self):
        for side in ("a", "b"):
            (self.folder / side).mkdir()
            shutil.copy(WALKER, self.folder / side / "walker.glb")
            shutil.copy(ARM, self.folder / side / "arm.gltf")
            shutil.copy(ARM.with_suffix(".bin"), self.folder / side)
        done = self.diff("--mesh", "!Mouth", "--mesh", "!Swrd", "--clip", "!walkk", a="a", b="b")
        self.assertIn("3 pairs", done.out)
        self.assertIn("--clip '!walkk', --mesh '!Swrd' match nothing, so that they omit nothing", done.err)
        self.assertNotIn("Mouth", done.err)  # the walker has it, the arm need not

    def test_what_one_side_has_is_grouped_by_character(self):
        for side in ("a", "b"):
            (self.folder / side).mkdir()
            shutil.copy(WALKER, self.folder / side / "walker.glb")
        glb = GlbJson(WALKER)
        body = next(node for node in glb.json["nodes"] if node.get("name") == "Body")
        for node in glb.json["nodes"]:
            if node.get("name") in ("Mouth", "Lantern"):
                node.update(name=node["name"] + "2", mesh=body["mesh"])  # other data: not renamed
        glb.json["animations"].append({**glb.json["animations"][0], "name": "stroll"})
        glb.write(self.folder / "b" / "walker.glb")
        out = self.diff(a="a", b="b").out
        self.assertRegex(out, "only in A of 'walker': meshes '(Mouth|Lantern)', '(Mouth|Lantern)'\n")
        self.assertRegex(out, "only in B of 'walker': meshes '(Mouth|Lantern)2', '(Mouth|Lantern)2'; clip 'stroll'\n")

    def test_a_renamed_rig_file_is_no_difference(self):
        (self.folder / "b.glb").rename(self.folder / "other.glb")
        a = self.report("--clip", "all", b="other.glb")
        self.assertEqual([mesh["id"] for mesh in a["meshes"]], ["Body", "Lantern", "Mouth"])

    def test_folders_of_rigs_pair_by_name(self):
        for side in ("a", "b"):
            (self.folder / side).mkdir()
            shutil.copy(WALKER, self.folder / side / "walker.glb")
            shutil.copy(ARM, self.folder / side / "arm.gltf")
            shutil.copy(ARM.with_suffix(".bin"), self.folder / side)
        self.assertIn("4 pairs of a mesh and a clip: 0 differ, 4 identical", self.diff(a="a", b="b").out)
        self.assertIn("3 pairs", self.diff("--clip", "w*", a="a", b="b").out)


class Reports(DiffCase):
    """Two reports as a table of measurements."""

    A, B = "a.json", "b.json"

    def setUp(self):
        super().setUp()
        for name, method in (("a", "lbs"), ("b", "lbs")):
            self.succeed("bake", WALKER, "-q", "--reference", "exact", "--method", method, "--report", f"{name}.json")

    def change(self, change):
        report = json.loads((self.folder / "b.json").read_text())
        change(report)
        (self.folder / "b.json").write_text(json.dumps(report))

    @staticmethod
    def run_of(report, mesh):
        return next(m for m in report["meshes"] if m["id"] == mesh)["runs"][0]

    def test_the_order_of_meshes_is_no_difference(self):
        self.change(lambda report: report["meshes"].reverse())
        self.assertIn("0 of ", self.diff().out)

    def test_a_row_for_each_measurement_that_moved_the_worse_first(self):
        def change(report):
            self.run_of(report, "Mouth")["error"]["max"] *= 0.5
            self.run_of(report, "Body")["error"]["rms"] *= 1.25
            self.run_of(report, "Lantern")["error"]["max"] = 0.5
            report["meshes"].reverse()
        self.change(change)
        lines = self.diff(code=1).out.splitlines()
        self.assertEqual(lines[0].split(), ["mesh", "clip", "method", "measurement", "a", "b", "change"])
        self.assertRegex(lines[1], r"^Lantern +walk +lbs +error\.max .* \+0\.5 +worse$")
        self.assertRegex(lines[2], r"^Body +walk +lbs +error\.rms .* worse$")
        self.assertRegex(lines[3], r"^Mouth +walk +lbs +error\.max .* -\S+ +better$")
        report = self.report(code=1)
        self.assertEqual([(m["mesh"], m["metric"]) for m in report["changes"]["measurements"]],
                         [("Lantern", "error.max"), ("Body", "error.rms"), ("Mouth", "error.max")])
        self.diff("--report", "d.json", "--markdown", "d.md", code=1)
        self.succeed("report", "d.json", "-o", "again.md")
        self.assertEqual((self.folder / "again.md").read_bytes(), (self.folder / "d.md").read_bytes())
        self.assertIn("| `Lantern` | `walk` | `lbs` | `error.max` |", (self.folder / "d.md").read_text())

    def test_tolerances_of_single_metrics(self):
        def change(report):
            self.run_of(report, "Body")["error"]["rms"] *= 1.25
            volume = self.run_of(report, "Body")["volume"]
            volume["max_loss"] += 0.001
        self.change(change)
        self.assertIn("2 of ", self.diff(code=1).out)
        self.assertNotIn("volume", self.diff("--tolerance", "volume.max_loss=0.2pp", code=1).out)
        self.diff("--tolerance", "volume.max_loss=0.2pp,error.rms=30%")
        self.diff("--tolerance", "volume.max_loss=0.05pp,error.rms=30%", code=1)
        self.diff("--tolerance", "30%,volume.max_loss=0.2pp")
        for wrong in ("rms=1%", "error.rms=x", "error.rms=-1", "1pp%", ""):
            self.assertIn("--tolerance", self.diff("--tolerance", wrong, code=2).err)

    def test_a_tolerance_of_an_unknown_measurement_is_refused(self):
        self.assertIn("no measurement 'volume.max_los'; did you mean 'volume.max_loss'?",
                      self.diff("--tolerance", "volume.max_los=0.2pp", code=2).err)
        self.assertIn("no measurement 'bogus.metric'", self.diff("--tolerance", "bogus.metric=1", code=2).err)
        self.diff("--tolerance", "triangle_distortion.worst=1")  # which other reports have

    def test_values_per_frame_crowd_out_nothing(self):
        def change(report):
            run = self.run_of(report, "Body")
            for values in run["volume"]["per_frame"].values():
                values[:] = [value + 1 for value in values]
            report["meshes"].pop()
        self.change(change)
        done = self.diff("--report", "d.json", "--markdown", "d.md", "--html", "d.html", code=1)
        self.assertNotIn("per_frame", done.out)
        self.assertIn("/meshes/", done.out)
        changes = json.loads((self.folder / "d.json").read_text())["changes"]["values"]
        self.assertNotIn("/per_frame/", changes[0]["pointer"])
        self.assertIn("/per_frame/", changes[-1]["pointer"])
        for page in ("d.md", "d.html"):
            self.assertNotIn("per_frame/", (self.folder / page).read_text())

    def test_folders_of_reports_name_the_commands_that_compare_them(self):
        for side in ("x", "y"):
            (self.folder / side).mkdir()
            shutil.copy(self.folder / self.A, self.folder / side / "r.json")
        error = self.diff(a="x", b="y", code=5).err
        self.assertIn("report y/*.json --against x/*.json", error)
        self.succeed("report", "y/r.json", "--against", "x/r.json", "-o", "c.html")

    def test_a_mesh_of_one_report_alone_is_a_change(self):
        self.change(lambda report: report["meshes"].pop())
        self.assertIn("nothing", self.diff(code=1).out)


if __name__ == "__main__":
    main()
