#!/usr/bin/env python3
"""The same input gives the same bytes in every run, for every thread count and instruction set."""

from support import ALL_RIGS, CliTest, METHODS, RIGS, Pc2, main, strict_json

# Simulates a processor for which the C library selects other variants of sin, cos and similar functions.
OTHER_LIBRARY = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX512F,-AVX"}
REFERENCES = ("exact", "lbs")


class SameBytes(CliTest):
    def outputs(self, rig, method, *options, env=None):
        """Every output of a run, under names that do not depend on the run."""
        for path in self.folder.iterdir():
            path.unlink()
        self.succeed("bake", rig, "--method", method, "-q", "-o", "{mesh}.pc2", *options, env=env)
        return self.files()

    def assert_same(self, expected, actual, what):
        self.assertEqual(list(actual), list(expected), what)
        for name, data in expected.items():
            self.assertTrue(actual[name] == data, f"{what}: {name} differs")

    def for_every_bake(self):
        for rig in ALL_RIGS:
            for method in METHODS:
                for reference in REFERENCES:
                    options = ("--report", "r.json", "--reference", reference)
                    expected = self.outputs(rig, method, *options, "--threads", "1")
                    yield (rig, method, *options), expected, f"{rig.name} {method} against {reference}"

    def test_the_bytes_do_not_depend_on_the_run_or_the_number_of_threads(self):
        for bake, expected, what in self.for_every_bake():
            for threads in (1, 2, 7):
                self.assert_same(expected, self.outputs(*bake, "--threads", threads), f"{what}, {threads} threads")

    def test_the_bytes_do_not_depend_on_the_instruction_set(self):
        listed = strict_json(self.succeed("list", "targets", "--json").out)["targets"]
        targets = [target["id"] for target in listed]
        self.assertEqual(len(set(targets)), len(targets))
        self.assertGreaterEqual(len(targets), 1)
        for bake, expected, what in self.for_every_bake():
            for target in targets:
                self.assert_same(expected, self.outputs(*bake, env={"SKINBAKE_TARGET": target}), f"{what}, {target}")

    def test_the_bytes_do_not_depend_on_the_c_library_variant(self):
        for bake, expected, what in self.for_every_bake():
            self.assert_same(expected, self.outputs(*bake, env=OTHER_LIBRARY), what)

    def test_every_method_gives_the_same_bytes_for_another_number_of_threads(self):
        for method in self.method_ids():
            bake = (RIGS / "two_joints.gltf", method, "--report", "r.json")
            self.assert_same(self.outputs(*bake, "--threads", 1), self.outputs(*bake, "--threads", 3), method)

    def test_an_empty_target_selects_the_default(self):
        rig = RIGS / "bent_tube.glb"
        self.assert_same(self.outputs(rig, "dqs"), self.outputs(rig, "dqs", env={"SKINBAKE_TARGET": ""}), "empty")

    def test_a_report_does_not_change_the_cache(self):
        for rig in ALL_RIGS:
            for method in METHODS:
                plain = self.outputs(rig, method)
                for options in (("--report", "r.json"), ("--report", "r.json", "--reference", "lbs"),
                                ("--report", "r.json", "--metrics", "volume"), ("--fail", "error.max=9"),
                                ("--report", "r.json", "--baseline", "rest"), ("--threads", "3", "-v")):
                    files = self.outputs(rig, method, *options)
                    files.pop("r.json", None)
                    self.assert_same(plain, files, f"{rig.name} {method} {options}")

    def test_the_folder_does_not_change_the_report(self):
        rig = RIGS / "bent_arm.gltf"
        self.succeed("bake", rig, "--report", "r.json")
        (self.folder / "elsewhere").mkdir()
        self.succeed("bake", rig, "--report", "elsewhere/r.json")
        self.assertEqual(self.read("r.json"), self.read("elsewhere/r.json"))

    def test_the_locale_does_not_change_the_bytes(self):
        rig = RIGS / "two_joints.gltf"
        for language in ("C", "de_DE.UTF-8", "tr_TR.UTF-8"):
            self.assertEqual(self.succeed("bake", rig, "--json", env={"LC_ALL": language}).out,
                             self.succeed("bake", rig, "--json").out)


class SameFrames(CliTest):
    """The bytes of a frame do not depend on its position in a block of frames."""

    def rows(self, rig, method, *options):
        for path in self.folder.iterdir():
            path.unlink()
        self.succeed("bake", rig, "--method", method, "-q", "-o", "{mesh}.pc2", *options)
        return {path.name: Pc2(path.read_bytes()).rows for path in sorted(self.folder.glob("*.pc2"))}

    def test_a_part_of_the_clip_is_a_slice_of_the_whole(self):
        for name, fps in (("bent_arm.gltf", 30), ("walker.glb", 60), ("bent_tube.glb", 60), ("two_joints.gltf", 60),
                          ("twisted_tube.gltf", 60)):
            for method in METHODS:
                rate = ("--fps", fps)
                whole = self.rows(RIGS / name, method, *rate)
                for frames, taken in (("3:40", slice(3, 41)), ("0:0", slice(0, 1)), ("17", slice(17, 18)),
                                      ("16:31", slice(16, 32)), ("1:60:7", slice(1, 61, 7)), ("60:60", slice(60, 61))):
                    part = self.rows(RIGS / name, method, *rate, "--frames", frames, "--threads", "2")
                    self.assertEqual(list(part), list(whole))
                    for mesh, rows in whole.items():
                        self.assertTrue(part[mesh] == rows[taken], f"{name} {method} --frames {frames} {mesh}")

    def test_a_clip_without_its_last_frame_is_a_slice_of_the_whole(self):
        whole = self.rows(RIGS / "bent_arm.gltf", "dqs")
        self.assertTrue(self.rows(RIGS / "bent_arm.gltf", "dqs", "--loop")["arm.pc2"] == whole["arm.pc2"][:-1])

    def test_the_bytes_of_a_mesh_do_not_depend_on_the_other_meshes(self):
        for method in METHODS:
            whole = self.rows(RIGS / "walker.glb", method)
            for mesh in ("Body", "Lantern", "Mouth"):
                rows = self.rows(RIGS / "walker.glb", method, "--mesh", mesh)[f"{mesh}.pc2"]
                self.assertTrue(rows == whole[f"{mesh}.pc2"], f"{mesh} {method}")

    def test_the_report_of_a_part_is_a_slice_of_the_report_of_the_whole(self):
        def frames(*options):
            report = strict_json(self.succeed("bake", RIGS / "bent_arm.gltf", "--method", "dqs", "--json", *options).out)
            run = report["meshes"][0]["runs"][0]
            return {**run["error"]["per_frame"], "volume": run["volume"]["per_frame"]["volume"]}

        whole, part = frames(), frames("--frames", "3:40:3")
        for name, values in whole.items():
            self.assertEqual(part[name], values[3:41:3], name)


if __name__ == "__main__":
    main()
