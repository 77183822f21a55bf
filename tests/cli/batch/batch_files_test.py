#!/usr/bin/env python3
"""No output of a task, and no result of a batch, replaces a file that the batch reads or writes elsewhere."""

import json
import os
import shutil

from support import AT_ONCE, CliTest, RIGS, main


class BatchFiles(CliTest):
    def setUp(self):
        super().setUp()
        (self.folder / "models").mkdir()
        for name in ("arm", "other"):
            shutil.copy(RIGS / "two_joints.gltf", self.folder / "models" / f"{name}.gltf")
        (self.folder / "out").mkdir()
        (self.folder / "link").symlink_to("out")

    def manifest(self, first, second=None):
        jobs = [{"name": "a", "rig": "models/arm.gltf", **first}]
        if second is not None:
            jobs.append({"name": "b", "rig": "models/other.gltf", **second})
        (self.folder / "jobs.json").write_text(
            json.dumps({"schema": "skinbake.batch", "schema_version": "1.0", "jobs": jobs}))

    def test_a_task_does_not_replace_the_rig_of_another_task(self):
        for output in ("models/other.gltf", "link/../models/other.gltf", str(self.folder / "models/other.gltf")):
            self.manifest({"output": "out/a.pc2", "report": output}, {"output": "out/b.pc2"})
            self.fail_with(2, "batch", "jobs.json", naming=("job 'a'", output, "OUTPUT_IS_INPUT"))
            self.fail_with(2, "batch", "jobs.json", "--dry-run", naming="OUTPUT_IS_INPUT")

    def test_no_output_replaces_a_buffer_or_an_image_of_a_rig(self):
        shutil.copy(RIGS / "bent_arm.bin", self.folder / "models/bent_arm.bin")
        rig = json.loads((RIGS / "bent_arm.gltf").read_text())
        rig["images"] = [{"uri": "skin.png"}]
        (self.folder / "models/other.gltf").write_text(json.dumps(rig))
        (self.folder / "models/skin.png").write_bytes(b"an image that no bake reads")
        for path in ("models/bent_arm.bin", "models/skin.png"):
            before = self.read(path)
            self.manifest({"output": "out/a.pc2", "report": path}, {"output": "out/b.pc2"})
            for _ in range(2):  # from the rig, and from the state
                self.fail_with(2, "batch", "jobs.json", naming=("job 'a'", path, "OUTPUT_IS_INPUT"))
            self.manifest({"output": "out/a.pc2"}, {"output": "out/b.pc2"})
            self.fail_with(2, "batch", "jobs.json", "--report", f"json:{path}", naming=(path, "OUTPUT_IS_INPUT"))
            self.succeed("batch", "jobs.json")
            self.manifest({"output": "out/a.pc2", "report": path}, {"output": "out/b.pc2"})
            self.fail_with(2, "batch", "jobs.json", naming=("job 'a'", path, "OUTPUT_IS_INPUT"))
            self.assertEqual(self.read(path), before)

    def test_a_device_or_a_pipe_is_not_a_manifest(self):
        (self.folder / "zero.json").symlink_to("/dev/zero")
        os.mkfifo(self.folder / "pipe.json")
        for name in ("zero.json", "pipe.json"):
            self.fail_with(3, "batch", name, naming=(name, "is not a regular file"), timeout=AT_ONCE)
            for command in (("golden", name, "-o", "g"), ("diff", name, "x.pc2"), ("report", name, "-o", "p.html")):
                self.fail_with(3, *command, timeout=AT_ONCE)

    def test_a_task_does_not_replace_a_file_of_the_batch(self):
        for path, code in (("jobs.json", "OUTPUT_IS_INPUT"), ("jobs.state.jsonl", "OUTPUT_IS_INPUT"),
                           ("out/sum.json", "OUTPUT_TWICE"), ("out/sum.xml", "OUTPUT_TWICE")):
            self.manifest({"output": "out/a.pc2", "report": path})
            self.fail_with(2, "batch", "jobs.json", "--report", "out/sum.json", "--report", "link/sum.xml",
                           naming=(path, code))

    def test_results_do_not_replace_inputs_or_each_other(self):
        self.manifest({"output": "out/a.pc2"})
        self.succeed("batch", "jobs.json", "--state", "jobs.state.jsonl")
        for options in (("--report", "jobs.json"), ("--report", "junit:models/arm.gltf"), ("--report", "markdown:jobs.state.jsonl")):
            self.fail_with(2, "batch", "jobs.json", *options,
                           naming=(options[1].split(":")[-1], "OUTPUT_IS_INPUT"))
        self.fail_with(2, "batch", "jobs.json", "--report", "json:out/s", "--report", "markdown:link/s", naming="OUTPUT_TWICE")

    def test_results_do_not_replace_what_a_task_reads(self):
        self.succeed("bake", "models/arm.gltf", "-q", "-o", "golden.pc2")
        (self.folder / "names.json").write_text("{}")
        self.manifest({"output": "out/a.pc2", "joint-params": "names.json", "clip": "models/other.gltf##0"},
                      {"rig": None, "command": "diff", "a": "golden.pc2", "b": "golden.pc2"})
        text = (self.folder / "jobs.json").read_text().replace('"rig": null, ', "")
        (self.folder / "jobs.json").write_text(text)
        for path in ("golden.pc2", "golden.pc2.json", "names.json"):
            before = self.read(path)
            self.fail_with(2, "batch", "jobs.json", "--report", f"json:{path}", naming=(path, "input of a task", "OUTPUT_IS_INPUT"))
            self.assertEqual(self.read(path), before)

    def test_no_task_replaces_a_file_of_a_bind_cache_of_another(self):
        for report in ("binds/a.skbind", "link/../binds/a.skbind", "binds"):
            self.manifest({"output": "out/a.pc2", "method": "cor", "bind-cache": "binds"}, {"report": report})
            self.fail_with(2, "batch", "jobs.json", "--dry-run",
                           naming=("job 'b'", f"'{report}' of the bind cache 'binds' of job 'a'", "OUTPUT_IS_INPUT"))
        self.manifest({"output": "out/a.pc2", "method": "cor", "bind-cache": "binds"}, {"report": "binds/a.json"})
        self.succeed("batch", "jobs.json", "--dry-run")

    def test_no_result_replaces_an_input_whatever_its_name_is_like(self):
        shutil.copy(RIGS / "bent_arm.bin", self.folder / "models/bent_arm.bin")
        shutil.copy(RIGS / "bent_arm.gltf", self.folder / "models/level.gltf")
        self.succeed("bake", "models/arm.gltf", "-q", "-o", "golden.pc2")
        (self.folder / "library").mkdir()
        for end in ("", ".json"):
            shutil.copy(self.folder / f"golden.pc2{end}", self.folder / f"library/g.pc2{end}")
        shutil.copy(RIGS / "bent_arm.gltf", self.folder / "library/level.gltf")
        shutil.copy(RIGS / "bent_arm.bin", self.folder / "library/bent_arm.bin")
        (self.folder / "map").write_text("{}")
        of_jobs = {
            ("map",): {"output": "out/a.pc2", "joint-params": "map"},
            ("golden.pc2", "golden.pc2.json"): {"output": "out/a.pc2", "report": "out/a.json", "reference": "golden.pc2"},
            ("library/g.pc2", "library/g.pc2.json", "library/level.gltf", "library/bent_arm.bin"):
                {"rig": None, "command": "diff", "a": "library", "b": "library"},
            ("models/bent_arm.bin", "models/level.gltf"):
                {"rig": None, "command": "diff", "a": "models/level.gltf", "b": "models/level.gltf"}}
        for paths, job in of_jobs.items():
            (self.folder / "jobs.json").write_text(json.dumps(
                {"schema": "skinbake.batch", "schema_version": "1.0",
                 "jobs": [{key: value for key, value in {"rig": "models/other.gltf", **job}.items() if value}]}))
            for path in paths:
                self.fail_with(2, "batch", "jobs.json", "--report", f"json:{path}", naming=(path, "input of a task", "OUTPUT_IS_INPUT"))
        self.run_program("batch", "jobs.json")  # the last one is done, and is merged
        for path in paths:
            self.fail_with(2, "batch", "merge", "jobs.json", "jobs.state.jsonl", "--report", f"json:{path}",
                           naming=(path, "input of a task", "OUTPUT_IS_INPUT"))
        self.run_program("batch", "jobs.json", "--report", "library/summary.json")
        self.assertIn("library/summary.json", self.files())

    def test_a_gate_on_a_folder_does_not_pass_on_files_that_another_job_replaces(self):
        self.manifest({"output": "out/a.pc2"}, {"rig": None, "command": "diff", "a": "golden", "b": "out"})
        text = (self.folder / "jobs.json").read_text().replace('"rig": null, ', "")
        (self.folder / "jobs.json").write_text(text)
        self.fail_with(2, "batch", "jobs.json", naming=("job 'b' reads 'out'", "job 'a'", "OUTPUT_IS_INPUT"))

    def test_two_tasks_do_not_write_one_file_beside_an_output(self):
        for first, second in (({"output": "out/x.exr"}, {"output": "out/x.exr.glb"}),
                              ({"report": "out/r.json", "per-vertex": "npy", "method": "dqs"},
                               {"error-matrix": "out/r.{mesh}.{clip}.dqs.per_vertex.npy", "method": "lbs"})):
            self.manifest(first, {**second, "rig": "models/arm.gltf"})
            self.fail_with(2, "batch", "jobs.json", naming=("job 'a'", "job 'b'", "OUTPUT_TWICE"))
            self.manifest(first)
            self.succeed("batch", "jobs.json")

    def test_clips_of_other_names_do_not_write_one_file(self):
        for first, second in (("#0", "bend"), ("models/other.gltf#bend", "bend"),
                              ("models/other.gltf#bend", "models/arm.gltf##0")):
            clip = json.loads((self.folder / "models/arm.gltf").read_text())["animations"][0]["name"]
            first, second = first.replace("bend", clip), second.replace("bend", clip)
            self.manifest({"clip": first, "output": "out/{clip}.pc2", "method": "dqs"},
                          {"clip": second, "output": "out/{clip}.pc2", "rig": "models/arm.gltf"})
            self.fail_with(2, "batch", "jobs.json", naming=("job 'a'", "job 'b'", f"both write 'out/{clip}.pc2'"))

    def test_a_merge_does_not_replace_the_states(self):
        self.manifest({"output": "out/a.pc2"}, {"output": "out/b.pc2"})
        states = [f"jobs.state.{i}-of-2.jsonl" for i in (1, 2)]
        for i in (1, 2):
            self.succeed("batch", "jobs.json", "--shard", f"{i}/2")
        self.fail_with(2, "batch", "merge", "jobs.json", *states, "--report", f"json:{states[0]}", naming="OUTPUT_IS_INPUT")
        self.succeed("batch", "merge", "jobs.json", *states, "--report", "out/sum.json")

    def test_two_tasks_do_not_write_one_file_whichever_way_it_is_named(self):
        for other in ({"output": "link/a.pc2"}, {"output": str(self.folder / "out/a.pc2")},
                      {"output": "out/b.pc2", "report": "link/a.pc2.json"}):
            self.manifest({"output": "out/a.pc2"}, other)
            self.fail_with(2, "batch", "jobs.json", naming=("job 'a'", "job 'b'", "OUTPUT_TWICE"))


if __name__ == "__main__":
    main()
