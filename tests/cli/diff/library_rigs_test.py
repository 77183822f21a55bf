#!/usr/bin/env python3
"""skinbake diff: compares the meshes and clips of rigs in libraries, and names the causes."""

import json
import shutil
import struct
import xml.etree.ElementTree

from diff_case import DiffCase
from support import RIGS, main, write_rig

WALKER = RIGS / "walker.glb"
ARM = RIGS / "bent_arm.gltf"


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

    def test_two_rigs_are_compared_with_all_meshes_and_clips_unless_some_are_chosen(self):
        every = self.diff("--clip", "all", "--mesh", "all").out
        self.assertEqual(self.diff().out, every)
        self.assertEqual(self.diff("--clip", "walk").out, every)
        write_rig(self.folder / "a.gltf", ["Body"], clips=("walk", "run"))
        write_rig(self.folder / "b.gltf", ["Body"], clips=("run", "wave"))
        sides = {"a": "a.gltf", "b": "b.gltf"}
        out = self.diff(**sides).out
        self.assertIn("1 pair of a mesh and a clip: 0 differ, 1 identical", out)
        self.assertIn("renamed: clip 'walk' is 'wave' in B", out)
        self.assertIn("1 element is only on one side", self.diff("--fail-missing", code=1, **sides).err)
        # A single clip on each side pairs whatever its name is.
        write_rig(self.folder / "a.gltf", ["Body"], clips=("walk",))
        write_rig(self.folder / "b.gltf", ["Body"], clips=("stroll",))
        self.assertNotIn("pair", self.diff(**sides).out)
        # One mesh and one clip are chosen by an option that is for one pair.
        done = self.diff("--explain", "1", code=2)
        self.assertIn("MESH_AMBIGUOUS", done.err)

    def test_a_missing_file_is_reported_before_an_ambiguous_one(self):
        for missing in ("gone.glb", "gone.gltf", "gone.pc2"):
            for sides in ((missing, "a.glb"), ("a.glb", missing)):
                self.fail_with(3, "diff", *sides, naming=(missing, "the file does not exist", "FILE_UNREADABLE"))
        self.fail_with(3, "diff", "a.glb", "b.glb", "--mesh", "Body", "--rig", "gone.glb", naming="gone.glb")

    def test_a_broken_clip_fails_only_a_comparison_that_includes_it(self):
        rig = json.loads(write_rig(self.folder / "a.gltf", ["Body"], clips=("walk", "bad")).read_text())
        rig["animations"][1]["samplers"][0]["interpolation"] = "BEZIER"
        (self.folder / "b.gltf").write_text(json.dumps(rig))
        done = self.diff("--clip", "walk", a="a.gltf", b="b.gltf")
        self.assertIn("PART_NOT_READ", done.err)
        for choice in ((), ("--clip", "all"), ("--clip", "bad"), ("--match", "surface")):
            done = self.run_program("diff", "a.gltf", "b.gltf", *choice)
            self.assertEqual(done.code, 3, done)
            self.assertIn("BEZIER", done.err)

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
        report = self.report("--clip", "all", "--report", "r.md")
        self.assertEqual(report["library"]["renamed"], [{"kind": "mesh", "file": None, "a": "Mouth", "b": "Jaw"}])
        self.assertIn("\n| `mesh` | `Mouth` | `Jaw` |\n", (self.folder / "r.md").read_text())
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
        for clip in ("stroll", "#0", "b.glb", "b.glb#stroll"):
            self.assertIn("3 pairs", self.diff("--clip", "walk", "--clip-b", clip).out, clip)
        self.assertIn("3 pairs", self.diff("--clip", "a.glb", "--clip-b", "b.glb").out)

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

    def test_joints_of_one_name_are_told_apart(self):
        """Two rigs whose joints all have one name, and equal ones have no cause."""
        def rename(gltf, _):
            for node in gltf["nodes"]:
                node["name"] = "bone"
        self.changed_arm(rename)
        same, data = (self.folder / self.B).read_bytes(), self.files()
        (self.folder / "same.gltf").write_bytes(same)
        self.A = "same.gltf"
        self.assertIn("the data of both rigs are equal", self.explained(code=0)[1])

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
        for limit in ((), ("--fail", "error.max=1e-6")):
            self.diff(*limit, "--report", "r.json", "--report", pages[0], "--report", pages[1], "--report", pages[2], code=1)
            texts = [(self.folder / page).read_text() for page in pages]
            self.assertIn("WEIGHTS_0 differs at 40 vertices", texts[0])
            cases = xml.etree.ElementTree.fromstring(texts[1]).iter("testcase")
            failures = {case.get("name"): case.find("failure").text for case in cases if case.find("failure") is not None}
            arm = next(text for name, text in failures.items() if "arm/arm" in name)
            self.assertIn(": mesh 'arm': WEIGHTS_0 differs at 40 vertices", arm)
            body = next(text for name, text in failures.items() if "walker/Body" in name)
            self.assertIn("clip 'walk': the channel 'chest' rotation differs from 0 s on", body)
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


if __name__ == "__main__":
    main()
