#!/usr/bin/env python3
"""`inspect --json` is valid by lib/inspect/inspect.schema.json, and a damaged document is not."""

import copy
import json

from support import ALL_RIGS, CliTest, SHARED_MODELS, SOURCE, main, require_shared, strict_json, write_rig

try:
    from jsonschema import Draft202012Validator
except ImportError:
    Draft202012Validator = None


class Schema(CliTest):
    def setUp(self):
        super().setUp()
        if Draft202012Validator is None:
            reason = "python3-jsonschema is missing"
            self.fail(reason) if os.environ.get("CI") == "true" else self.skipTest(reason)
        schema = json.loads((SOURCE / "lib/inspect/inspect.schema.json").read_text())
        Draft202012Validator.check_schema(schema)
        self.validator = Draft202012Validator(schema)

    def valid(self, rig):
        found = strict_json(self.succeed("inspect", rig, "--json").out)
        self.assertEqual([f"{e.json_path}: {e.message}" for e in self.validator.iter_errors(found)], [])
        return found

    def refused(self, rig, code, pointer=""):
        """Exit code 3, one line on standard error, and a document with the same error."""
        done = self.run_program("inspect", rig, "--json")
        self.assertEqual(done.code, 3, done)
        self.assertRegex(done.err, rf"\Askinbake: error: [^\n]+ \[{code}\][^\n]*\n\Z")
        found = strict_json(done.out)
        self.assertEqual([f"{e.json_path}: {e.message}" for e in self.validator.iter_errors(found)], [])
        self.assertEqual(list(found), ["schema", "schema_version", "tool", "refused"])
        why = found["refused"]
        self.assertEqual((why["code"], why["pointer"]), (code, pointer))
        said = why["message"] + (f"; {why['remedy']}" if why["remedy"] else "")
        self.assertIn(f": {said} [{code}]", done.err)
        return found

    def with_everything(self):
        rig = write_rig(self.folder / "r.gltf", ["a"])
        document = json.loads(rig.read_text())
        document["extensionsUsed"] = ["EXT_unheard_of", "VRMC_vrm"]
        document["extensions"] = {"VRMC_vrm": {"humanoid": {"humanBones": {"hips": {"node": 0}}}}}
        document["skins"] = [{"joints": [0]}]
        document["scenes"].append({"name": "empty"})
        rig.write_text(json.dumps(document))
        return self.valid(rig)

    def test_the_example_rigs_and_an_empty_file_are_valid(self):
        for rig in ALL_RIGS:
            self.valid(rig)
        (self.folder / "r.gltf").write_text('{"asset":{"version":"2.0"}}')
        self.valid("r.gltf")

    def test_the_keys_are_required_and_typed(self):
        found = self.with_everything()
        for key in found:
            spoilt = copy.deepcopy(found)
            del spoilt[key]
            self.assertFalse(self.validator.is_valid(spoilt), key)
        for array in ("inputs", "issue_counts", "issues", "scenes", "skins", "clips", "meshes"):
            self.assertGreater(len(found[array]), 0, array)
            for key in found[array][0]:
                for value in (object, [], -1):
                    spoilt = copy.deepcopy(found)
                    if value is object:
                        del spoilt[array][0][key]
                    elif value == [] and key == "primitives":
                        continue
                    else:
                        spoilt[array][0][key] = value
                    self.assertFalse(self.validator.is_valid(spoilt), (array, key, value))

    def test_the_keys_of_a_humanoid_are_required_and_typed(self):
        found = self.with_everything()
        self.assertEqual(found["humanoid"]["source"], "vrm1")
        bones = found["humanoid"]["bones"]
        for owner in (found["humanoid"], bones[0]):
            for key in list(owner):
                kept = owner.pop(key)
                self.assertFalse(self.validator.is_valid(found), key)
                owner[key] = object
                self.assertFalse(self.validator.is_valid(found), key)
                owner[key] = kept
        self.assertTrue(self.validator.is_valid(found))

    def test_a_refused_file_gives_a_valid_document(self):
        self.assertEqual(self.refused("gone.glb", "FILE_UNREADABLE")["refused"]["file"], "gone.glb")
        (self.folder / "r.gltf").write_text("no JSON")
        self.refused("r.gltf", "JSON_INVALID")
        rig = write_rig(self.folder / "r.gltf", ["a"])
        document = json.loads(rig.read_text())
        document["nodes"][0]["children"] = [0]
        rig.write_text(json.dumps(document))
        found = self.refused(rig, "NODE_CYCLE", "/nodes/0")
        self.assertEqual(found["refused"]["file"], "r.gltf")
        for key in found["refused"]:
            spoilt = copy.deepcopy(found)
            del spoilt["refused"][key]
            self.assertFalse(self.validator.is_valid(spoilt), key)
        self.assertFalse(self.validator.is_valid({key: found[key] for key in found if key != "refused"}))

    def test_the_error_of_a_missing_buffer_contains_no_absolute_path(self):
        rig = write_rig(self.folder / "r.gltf", ["a"], buffer="gone.bin")
        (self.folder / "gone.bin").unlink()
        done = self.run_program("inspect", rig, "--json")
        self.assertEqual(done.code, 3, done)
        errors = [(i["code"], i["pointer"]) for i in json.loads(done.out)["issues"] if i["severity"] == "error"]
        self.assertEqual(errors, [("BUFFER_MISSING", "/buffers/0")])
        self.assertNotIn(str(self.folder), done.out)

    def test_text_and_a_wrong_command_line_print_no_json(self):
        self.fail_with(3, "inspect", "gone.glb")
        self.fail_with(2, "inspect", write_rig(self.folder / "r.gltf", ["a"]), "--json", "--scene", "9")

    def test_a_key_of_a_later_version_is_ignored(self):
        self.assertTrue(self.validator.is_valid({**self.with_everything(), "later": 1}))

    def test_every_shared_asset_gives_a_valid_document(self):
        require_shared(self, "assets")
        for name in ("CesiumMan.glb", "debug_robot_vrm1.vrm", "test.vrma", "pbrTest/pbrTest.gltf",
                     "unassigned-skeleton.gltf", "invalid/vrm_human_bone.vrm"):
            self.valid(SHARED_MODELS / name)


if __name__ == "__main__":
    main()
