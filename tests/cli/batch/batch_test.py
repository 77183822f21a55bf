#!/usr/bin/env python3
"""Tests of `skinbake batch`: the tasks of a manifest, their results, and what is up to date."""

import json
import os
import pathlib
import shutil
import subprocess

from support import CliTest, PROGRAM, RIGS, TETRAHEDRON, environment, main, strict_json, write_rig


class BatchTest(CliTest):
    def setUp(self):
        super().setUp()
        (self.folder / "models").mkdir()
        (self.folder / "out").mkdir()
        for name in ("bent_arm", "twisted_tube"):
            for path in RIGS.glob(f"{name}.*"):
                shutil.copy(path, self.folder / "models")

    def manifest(self, *jobs, name="jobs.json", **defaults):
        text = json.dumps({"schema": "skinbake.batch", "schema_version": "1.0", "defaults": defaults,
                           "jobs": list(jobs)})
        (self.folder / name).write_text(text)
        return name

    def both(self, **settings):
        """A manifest with a task for each of the two rigs."""
        job = {"name": "arms", "rig": "models/*.gltf", "clip": "all", "output": "out/{rig}.{mesh}.{clip}.pc2",
               "report": "out/{rig}.{clip}.json"}
        return self.manifest({**job, **settings})

    def statuses(self, name="jobs.json", *options):
        plan = strict_json(self.succeed("batch", name, "--dry-run", "--json", *options).out)
        return {task["rig"]: task["status"] for task in plan["tasks"]}

    def status(self, *options):
        """The status of the only task, or a list of those of all."""
        plan = strict_json(self.succeed("batch", "jobs.json", "--dry-run", "--json", *options).out)
        statuses = [task["status"] for task in plan["tasks"]]
        return statuses[0] if len(statuses) == 1 else statuses

    def commands(self, *options):
        """The words of each task's command line."""
        plan = strict_json(self.succeed("batch", "jobs.json", "--dry-run", "--json", *options).out)
        return [task["command"] for task in plan["tasks"]]

    def outputs(self):
        return {name: data for name, data in self.files().items() if name.startswith("out/")}


class Tasks(BatchTest):
    def assert_tasks_equal_their_commands(self, count):
        """Does the tasks of the manifest together and one by one; returns their outputs."""
        self.succeed("batch", "jobs.json", "-j", 2)
        together = self.outputs()
        shutil.rmtree(self.folder / "out")
        (self.folder / "out").mkdir()
        commands = self.commands()
        self.assertEqual(len(commands), count)
        for words in commands:
            self.succeed(*words)
        self.assertEqual(self.outputs(), together)
        return together

    def test_outputs_equal_those_of_single_bakes(self):
        self.both(method="dqs")
        self.assertEqual(len(self.assert_tasks_equal_their_commands(2)), 6)  # cache, sidecar and report of two rigs

    def test_a_task_of_one_clip_has_the_other_clips_of_the_rig(self):
        models = self.folder / "models"
        arm = json.loads((models / "bent_arm.gltf").read_text())
        arm["animations"].append({**arm["animations"][0], "name": "other", "channels": arm["animations"][0]["channels"][:1]})
        (models / "two.gltf").write_text(json.dumps(arm))
        fit = {"rig": "models/two.gltf", "clip": "all", "per-vertex": "none"}
        self.manifest({**fit, "name": "a", "influences": "1:fit", "output": "out/a.{clip}.pc2", "report": "out/a.{clip}.json"},
                      {**fit, "name": "b", "influences": "1:fit=other,bend_and_twist", "report": "out/b.{clip}.json"})
        self.assert_tasks_equal_their_commands(4)

    def test_a_clip_whose_name_means_others_too_is_named_by_its_number(self):
        write_rig(self.folder / "models/a.gltf", ["body"], clips=("walk", "all", "w*", "run"))
        both = {"rig": "models/a.gltf", "clip": "*"}
        self.manifest({**both, "name": "a", "output": "out/a.{clip}.pc2", "report": "out/a.{clip}.json"},
                      {**both, "name": "b", "output": "out/b.{clip}.npy", "report": "out/b.json"},
                      {"rig": "models/a.gltf", "name": "c", "clip": ["#1", "#2", "run"], "space": "mesh", "output": "out/c.{clip}.pc2"})
        self.assert_tasks_equal_their_commands(8)
        self.assertEqual(self.json("out/a.all.json")["meshes"][0]["runs"][0]["clip"], "all")

    def test_a_rig_of_any_name_is_a_file(self):
        for name in ("@t.gltf", "-t.gltf", "~t.gltf", "$t {a,b}.gltf"):
            shutil.copy(RIGS / "two_joints.gltf", self.folder / name)
            self.manifest({"rig": name, "output": "out/a.pc2"})
            self.assert_tasks_equal_their_commands(1)

    def test_the_command_that_repeats_a_failed_task_is_one_line_for_a_shell(self):
        (self.folder / "-").mkdir()
        (self.folder / "-/it's $(x).gltf").write_text("{")
        self.manifest({"rig": "it's $(x).gltf", "output": "o\x1b.pc2"}, name="-/jobs.json")
        done = self.run_program("batch", "--", "-/jobs.json")
        self.assertIn("  cd ./- && skinbake bake 'it'\\''s $(x).gltf' '--output=o\ufffd.pc2'\n", done.out)

    def test_a_manifest_is_read_within_the_limit_of_memory(self):
        with open(self.folder / "large.json", "wb") as large:
            large.truncate((1 << 30) + 1)
        self.fail_with(3, "batch", "large.json", "--dry-run", naming=["is larger than 1 GiB; split the manifest", "MANIFEST_INVALID"])
        # In a list, each value of three characters needs a string.
        self.manifest({"rig": ["abc"] * 400_000, "output": "out/a.pc2"})
        self.fail_with(3, "batch", "jobs.json", "--dry-run", "--max-memory", "10M", naming="MEMORY_LIMIT")

    def test_a_dry_run_writes_nothing(self):
        before = {**self.files(), self.both(): None}.keys()
        self.statuses()
        self.assertEqual(self.files().keys(), before)

    def test_a_manifest_of_another_folder_has_paths_relative_to_itself(self):
        self.both()
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        done = subprocess.run([PROGRAM, "batch", "../jobs.json", "--report", "s.json"], cwd=elsewhere,
                              capture_output=True, env=environment())
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(len(self.outputs()), 6)
        self.assertTrue((elsewhere / "s.json").is_file())
        self.assertTrue((self.folder / "jobs.state.jsonl").is_file())

    def test_a_manifest_from_standard_input_has_no_state(self):
        text = (self.folder / self.both()).read_bytes()
        done = subprocess.run([PROGRAM, "batch", "-"], cwd=self.folder, input=text, capture_output=True,
                              env=environment())
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(len(self.outputs()), 6)
        self.assertEqual([name for name in self.files() if "state" in name], [])

    def test_schema_is_json_and_names_the_options_of_bake(self):
        schema = strict_json(self.succeed("batch", "--schema").out)
        keys = schema["properties"]["jobs"]["items"]["properties"]
        for key in ("rig", "clip", "method", "output", "report", "fail", "twist", "a", "b"):
            self.assertIn(key, keys)
        self.assertNotIn("threads", keys)

    def test_progress_is_a_line_of_json_for_each_task(self):
        done = self.succeed("batch", self.both(), "--progress", "json", "-q")
        lines = [strict_json(line) for line in done.err.splitlines() if line.startswith("{")]
        self.assertEqual(sorted(line["done"] for line in lines), [1, 2])
        self.assertEqual({line["exit_code"] for line in lines}, {0})

    def test_compare_and_diff_are_commands_of_manifests(self):
        self.succeed("batch", self.both())
        name = self.manifest(
            {"name": "c", "command": "compare", "rig": "models/bent_arm.gltf", "method": ["lbs", "dqs"],
             "report": "compared.json"},
            {"name": "d", "command": "diff", "rig": "models/*.gltf", "a": "out/{rig}.json", "b": "out/{rig}.json"},
            name="more.json")
        for path in (self.folder / "out").glob("*.json"):
            if not path.name.endswith(".pc2.json"):
                path.rename(path.with_name(path.name.split(".")[0] + ".json"))
        done = self.run_program("batch", name)
        self.assertTrue((self.folder / "compared.json").is_file(), done)


class Settings(BatchTest):
    """--set and --dry-run."""

    def words(self, *options):
        words, = self.commands("--only", "a", *options)
        return " ".join(words)

    def test_set_gives_texts_lists_and_flags_and_removes_keys(self):
        self.manifest({"name": "a", "rig": "models/bent_arm.gltf", "output": "out/a.pc2", "fps": 24, "loop": True}, metrics=["error"])
        self.assertIn("--fps=24", self.words())
        self.assertIn("--fps=12", self.words("--set", "fps=12"))
        self.assertNotIn("--fps", self.words("--set", "fps=null"))
        self.assertIn("--loop", self.words("--set", "loop=true"))
        self.assertNotIn("--loop", self.words("--set", "loop=false"))
        self.assertIn("--loop", self.words("--set", "loop=false", "--set", "loop"))
        self.assertIn("--metrics=error,volume", self.words("--set", 'metrics=["error", "volume"]'))
        self.assertIn("--metrics=error,volume", self.words("--set", "metrics=error", "--set", "metrics=volume"))
        self.assertNotIn("--metrics", self.words("--set", "metrics=null"))
        self.assertIn("--output=a.pc2 --output=b.npy", self.words("--set", 'output=["a.pc2", "b.npy"]'))
        self.assertIn("models/bent_arm.gltf", self.words("--set", "rig=[a-c]*/../models/bent_arm.gltf", "--set", "rig=null", "--set",
                                                         "rig=models/[ab]*.gltf"))
        for wrong, message in (("fps=[1, 2]", "takes one value"), ("fps=", "needs a value"), ("fps", "needs a value"), ("loop=3", "true or false"),
                               ("metrics=[]", "empty list"), ("metrics=[true]", "texts and numbers"), ("metod=dqs", "did you mean 'method'")):
            self.fail_with(2, "batch", "jobs.json", "--set", wrong, naming=("--set", message))

    def test_set_refuses_two_values_of_a_key_that_takes_one(self):
        self.both()
        for second in ("24", "30"):
            self.fail_with(2, "batch", "jobs.json", "--set", "fps=24", "--set", f"fps={second}",
                           naming=("--set", "'fps'", f"as '24' and '{second}'", "leave one out"))
        self.succeed("batch", "jobs.json", "--dry-run", "--set", "fps=24", "--set", "fps=null", "--set", "fps=30")

    def test_what_the_command_of_a_job_cannot_take_is_refused_before_anything_is_done(self):
        fit = {"name": "f", "command": "fit", "rig": "models/bent_arm.gltf", "method": "dqs"}
        bake = {"name": "b", "rig": "models/bent_arm.gltf", "output": "out/b.pc2"}
        two = ["out/a.glb", "out/b.glb"]
        self.manifest(fit, bake, output=two)
        self.fail_with(3, "batch", "jobs.json", naming=("jobs.json /defaults/output", "job 'f' is fit", "one value", "its own 'output'"))
        self.manifest({**fit, "output": "out/f.glb"}, bake, output=two)
        self.succeed("batch", "jobs.json", "--dry-run")
        self.fail_with(2, "batch", "jobs.json", "--set", f"output={json.dumps(two)}",
                       naming=("job 'f' is fit", "one value", "leave the job out"))
        self.fail_with(2, "batch", "jobs.json", "--set", f"output={two[0]}", "--set", f"output={two[1]}", naming="job 'f' is fit")
        self.succeed("batch", "jobs.json", "--dry-run", "--only", "b", "--set", f"output={json.dumps(two)}")
        # An option that another job's command takes is left out; one of no job has no effect, and is refused.
        self.manifest({**fit, "output": "out/f.glb"}, bake, loop=True)
        self.succeed("batch", "jobs.json", "--dry-run", "--set", "timing=out/t.json", "--only", "b")
        self.fail_with(2, "batch", "jobs.json", "--only", "f", "--set", "timing=out/t.json",
                       naming=("'timing'", "no job's command (fit)", "leave it out"))
        self.manifest(bake, match="order")
        self.fail_with(3, "batch", "jobs.json", naming=("jobs.json /defaults/match", "no job's command (bake)", "leave it out"))
        self.assertEqual(self.outputs(), {})

    def test_a_dry_run_sees_clips_and_placeholders_that_do_not_exist(self):
        for output in ("out/{rig}.{mesh}.{clip}.pc2", "out/{rig}.glb"):  # a task for each clip, one for all clips
            self.both(clip=["bend_and_twst"], output=output, report="out/{rig}.json")
            self.assertEqual(self.statuses()["models/bent_arm.gltf"], "will fail: no clip 'bend_and_twst'; did you mean 'bend_and_twist'?")
            self.both(clip=["bend_and_twist"], output=output, report="out/{rig}.json")  # of one of the two rigs
            statuses = self.statuses()
            self.assertEqual(statuses["models/bent_arm.gltf"], "new")
            self.assertIn("will fail: no clip 'bend_and_twist'", statuses["models/twisted_tube.gltf"])
        self.assertEqual(self.run_program("batch", "jobs.json").code, 2)
        self.assertTrue((self.folder / "out/bent_arm.glb").exists())
        for key, value, known in (("output", "out/{mehs}.pc2", "{mesh}"), ("report", "out/{mesh}.json", "{rig} and {clip}")):
            self.both(**{key: value})
            self.fail_with(3, "batch", "jobs.json", "--dry-run", naming=("job 'arms'", f"'{key}' has {{me", known))
        self.both(clip=["#0"], output="out/{rig}.{1}.pc2")
        self.assertEqual(self.statuses(), {"models/bent_arm.gltf": "the settings or the program have changed",
                                           "models/twisted_tube.gltf": "new"})
        self.both(clip=["#9"])
        self.assertIn("will fail: no clip '#9'", self.statuses()["models/bent_arm.gltf"])

    def test_a_manifest_without_jobs_is_refused_unless_it_is_only_listed(self):
        self.manifest()
        self.assertEqual(self.succeed("batch", "jobs.json", "--dry-run").out, "no tasks\n")
        before = self.files()
        self.fail_with(3, "batch", "jobs.json", naming=("jobs.json /jobs", "no task", "MANIFEST_INVALID"))
        self.assertEqual(self.files(), before)

    def test_quiet_prints_no_table(self):
        self.both()
        self.assertEqual(self.succeed("batch", "jobs.json", "-q", "--dry-run").out, "")
        self.assertIn("arms", self.succeed("batch", "jobs.json", "-q", "--dry-run", "--json").out)

    def test_an_unknown_default_is_named(self):
        self.manifest(metod="dqs")
        self.fail_with(3, "batch", "jobs.json", naming=("'metod' is not an option of any command", "method"))


class UpToDate(BatchTest):
    def test_a_second_run_does_nothing(self):
        self.succeed("batch", self.both())
        before = {path: path.stat() for path in (self.folder / "out").iterdir()}
        done = self.succeed("batch", "jobs.json")
        self.assertIn("2 of them up to date before", done.out)
        for path, stat in before.items():
            self.assertEqual((path.stat().st_ino, path.stat().st_mtime_ns), (stat.st_ino, stat.st_mtime_ns))

    def test_what_has_changed_is_done_again_and_nothing_else(self):
        self.succeed("batch", self.both())
        self.assertEqual(set(self.statuses().values()), {"up to date"})
        cache = next((self.folder / "out").glob("bent_arm*.pc2"))
        cache.write_bytes(cache.read_bytes()[:-1] + b"x")
        self.assertIn("missing or has changed", self.statuses()["models/bent_arm.gltf"])
        self.assertEqual(self.statuses()["models/twisted_tube.gltf"], "up to date")
        cache.unlink()
        self.assertIn("missing or has changed", self.statuses()["models/bent_arm.gltf"])
        self.succeed("batch", "jobs.json")
        self.assertEqual(set(self.statuses().values()), {"up to date"})
        rig = self.folder / "models/bent_arm.gltf"
        rig.write_text(rig.read_text() + "\n")
        self.assertIn("bent_arm.gltf has changed", self.statuses()["models/bent_arm.gltf"])
        self.assertEqual(self.statuses()["models/twisted_tube.gltf"], "up to date")
        self.assertIn("settings", self.statuses("jobs.json", "--set", "method=dqs")["models/twisted_tube.gltf"])

    def test_a_file_of_times_is_an_output(self):
        job = {"rig": "models/bent_arm.gltf", "output": "out/a.pc2"}
        self.manifest(job)
        self.succeed("batch", "jobs.json")
        self.manifest({**job, "timing": "out/t.json"})
        for _ in range(2):
            self.assertNotEqual(self.status(), "up to date")
            self.succeed("batch", "jobs.json")
            self.assertEqual(self.status(), "up to date")
            (self.folder / "out/t.json").unlink()

    def test_a_limit_of_frames_holds_for_a_task_that_is_done(self):
        job = {"rig": "models/bent_arm.gltf", "output": "out/a.pc2"}
        self.manifest(job)
        self.succeed("batch", "jobs.json")
        self.manifest({**job, "max-frames": 2})
        self.assertNotEqual(self.run_program("batch", "jobs.json").code, 0)

    def test_an_output_with_equal_bytes_is_not_touched(self):
        self.succeed("batch", self.both())
        before = {path: path.stat().st_mtime_ns for path in (self.folder / "out").iterdir()}
        (self.folder / "jobs.state.jsonl").unlink()
        done = self.succeed("batch", "jobs.json")
        self.assertNotIn("up to date", done.out)
        for path, time in before.items():
            self.assertEqual(path.stat().st_mtime_ns, time, path)

    def test_trusted_times_replace_reading(self):
        self.succeed("batch", self.both())
        cache = next((self.folder / "out").glob("bent_arm*.pc2"))
        stat = cache.stat()
        cache.write_bytes(cache.read_bytes()[:-1] + b"x")
        os.utime(cache, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        self.assertEqual(self.statuses("jobs.json", "--trust-mtime")["models/bent_arm.gltf"], "up to date")
        self.assertNotEqual(self.statuses()["models/bent_arm.gltf"], "up to date")


class Failures(BatchTest):
    def broken(self):
        (self.folder / "models/a_broken.gltf").write_text("{")
        return self.both()

    def test_a_task_that_fails_loses_its_own_outputs_only(self):
        done = self.run_program("batch", self.broken(), "--report", "s.json")
        self.assertEqual(done.code, 3)
        self.assertEqual(len(self.outputs()), 6)
        self.assertIn("models/a_broken.gltf", done.out)
        self.assertIn("skinbake bake models/a_broken.gltf", done.out)
        summary = self.json("s.json")
        self.assertEqual(summary["by_exit_code"], {"0": 2, "3": 1})
        self.assertEqual(summary["exit_code"], 3)
        # The failed task is done again, the others are not.
        self.assertEqual(sorted(self.statuses().values()), ["failed before with exit code 3", "up to date", "up to date"])

    def test_fail_fast_begins_no_further_task(self):
        done = self.run_program("batch", self.broken(), "--fail-fast", "-j", 1)
        self.assertEqual(done.code, 3)
        self.assertEqual(self.outputs(), {})
        self.assertIn("2  not done", done.out)

    def test_fail_fast_does_not_take_the_results_of_an_earlier_run_for_its_own(self):
        name = self.broken()
        self.assertEqual(self.run_program("batch", name).code, 3)
        done = self.run_program("batch", name, "--fail-fast", "-j", 1, "--report", "s.json")
        self.assertIn("2  not done", done.out)
        self.assertEqual(self.json("s.json")["missing"], 2)
        self.assertEqual(sorted(self.statuses().values()), ["failed before with exit code 3", "up to date", "up to date"])

    def test_an_exceeded_threshold_is_exit_code_1_and_outputs_that_are_kept_are_written(self):
        done = self.run_program("batch", self.both(method="dqs", keep=True, fail="error.max=1e-9"))
        self.assertEqual(done.code, 1)
        self.assertEqual(len(self.outputs()), 6)

    def test_wrong_settings_are_the_task_s_own_error(self):
        done = self.run_program("batch", self.both(method="dqz"))
        self.assertEqual(done.code, 2)
        self.assertIn("dqz", done.out)
        self.assertEqual(self.outputs(), {})

    def test_an_issue_of_several_tasks_is_told_once(self):
        name = self.manifest(*({"rig": "models/bent_arm.gltf", "clip": "all", "method": method, "metrics": "volume",
                                "report": f"out/{method}.{{clip}}.json"} for method in ("lbs", "dqs")))
        done = self.succeed("batch", name, "-v")
        codes = [line.split(": ")[2] for line in done.err.splitlines() if " place" in line]
        self.assertEqual(len(codes), len(set(codes)))

    def test_manifests_that_are_wrong_write_nothing(self):
        job = {"rig": "models/bent_arm.gltf", "output": "out/a.pc2"}
        for jobs, code, words in (
                ([{**job, "metod": "dqs"}], 3, ["/jobs/0/metod", "did you mean 'method'?"]),
                ([{**job, "rig": "none/*.gltf"}], 3, ["none/*.gltf", "relative to the folder of the manifest"]),
                ([{**job, "clip": "no*"}], 3, ["no*"]),
                ([job, {**job, "name": "b"}], 2, ["out/a.pc2", "both write"]),
                ([job, {**job, "output": "./out/../out/a.pc2"}], 2, ["both write"]),
                ([{"output": "out/a.pc2"}], 3, ["'rig' is missing"])):
            name = self.manifest(*jobs, name="wrong.json")
            done = self.run_program("batch", name)
            self.assertEqual(done.code, code, done)
            for word in words:
                self.assertIn(word, done.err)
            self.assertEqual(self.outputs(), {})

    def test_a_pipe_is_not_a_manifest(self):
        os.mkfifo(self.folder / "jobs.pipe")
        done = self.run_program("batch", "jobs.pipe", timeout=20)
        self.assertEqual(done.code, 3, done)
        self.assertIn("jobs.pipe: is not a regular file, nor '-' for standard input", done.err)

    def test_a_foreign_state_is_refused_and_stays(self):
        self.both()
        (self.folder / "s.jsonl").write_text("my notes\n")
        self.fail_with(3, "batch", "jobs.json", "--state", "s.jsonl", naming="not a state file")

    def test_states_of_every_wrong_kind_are_refused_at_once_and_stay(self):
        self.both()
        os.mkfifo(self.folder / "fifo")
        (self.folder / "folder").mkdir()
        states = {"text": b"my notes\n", "no_line": b"x" * 3_000_000, "nul": b"\0" * 5000, "json": b'{"task": 1}\n',
                  "report": b'{"schema": "skinbake.report", "schema_version": "2.0"}\n',
                  "newer": b'{"schema": "skinbake.batch.state", "schema_version": "9.0"}\n', "cut": b'{"schema": "other'}
        for name, data in states.items():
            (self.folder / name).write_bytes(data)
        for name in [*states, "fifo", "folder"]:
            for options in ((), ("--dry-run",)):
                done = self.run_program("batch", "jobs.json", "--state", name, *options, timeout=60)
                self.assertIn(done.code, (3, 4), (name, done))
                self.assertIn(name, done.err)
        for name, data in states.items():
            self.assertEqual(self.read(name), data)
        self.assertEqual(self.outputs(), {})

    def test_a_line_of_the_state_that_does_not_end_is_not_kept_in_memory(self):
        self.succeed("batch", self.both())
        os.truncate(self.folder / "jobs.state.jsonl", 400 << 20)  # zeros
        script = ("import resource, subprocess, sys\n"
                  "code = subprocess.run(sys.argv[1:]).returncode\n"
                  "print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
        done = subprocess.run(["/usr/bin/python3", "-c", script, str(PROGRAM), "batch", "jobs.json", "-q"],
                              cwd=self.folder, env=environment(), stdout=subprocess.PIPE)
        code, kilobytes = map(int, done.stdout.split())
        self.assertEqual(code, 0)
        self.assertLess(kilobytes, 300 << 10)

    def test_a_state_that_is_cut_or_damaged_anywhere_loses_the_damaged_tasks_only(self):
        self.succeed("batch", self.both())
        whole, expected = self.read("jobs.state.jsonl"), self.outputs()
        first_line = whole.index(b"\n") + 1
        for at in (*range(first_line, len(whole), 211), len(whole) - 1):
            for state in (whole[:at], whole[:at] + b"\xff\0" + whole[at + 2:], whole[:at] + b"\n" + whole[at:]):
                (self.folder / "s.jsonl").write_bytes(state)
                done = self.succeed("batch", "jobs.json", "--state", "s.jsonl", "-q")
                self.assertEqual(done.out, "")
                self.assertEqual(self.outputs(), expected)
                self.assertEqual(set(self.statuses("jobs.json", "--state", "s.jsonl").values()), {"up to date"})

    def test_an_edited_state_does_not_turn_a_failure_into_a_pass(self):
        self.manifest({"name": "arm", "rig": "models/bent_arm.gltf", "output": "out/a.pc2", "method": "dqs", "fail": "error.max=1e-6"})
        self.assertEqual(self.run_program("batch", "jobs.json").code, 1)
        state = self.folder / "jobs.state.jsonl"
        failed = state.read_text()
        edited = failed.replace('"exit_code": 1', '"exit_code": 0')
        self.assertNotEqual(edited, failed)
        state.write_text(edited)
        self.assertEqual(self.status(), "new")
        self.fail_with(3, "batch", "merge", "jobs.json", "jobs.state.jsonl", naming=("does not have the task", "STATE_INVALID"))
        done = self.run_program("batch", "jobs.json")
        self.assertEqual(done.code, 1, done)
        self.assertIn("1 line is damaged", done.err)

    def test_a_damaged_state_warns_once(self):
        self.succeed("batch", self.both())
        state = self.folder / "jobs.state.jsonl"
        lines = state.read_text().splitlines(keepends=True)
        for text in (lines[0][:20], "".join(lines[:-1]) + "damaged\n" + lines[-1]):
            state.write_text(text)
            done = self.succeed("batch", "jobs.json")
            self.assertIn("1 line is damaged", done.err)
            done = self.succeed("batch", "jobs.json")
            self.assertEqual(done.err, "")
            self.assertIn("2 of them up to date before", done.out)

    def test_a_manifest_that_is_refused_leaves_no_state(self):
        job = {"rig": "models/bent_arm.gltf", "output": "out/a.pc2"}
        self.manifest(job, {**job, "name": "b"})
        self.assertEqual(self.run_program("batch", "jobs.json").code, 2)
        self.assertFalse((self.folder / "jobs.state.jsonl").exists())

    def test_a_limit_that_is_exceeded_keeps_the_older_cache(self):
        (self.folder / "out/a.pc2").write_bytes(b"older")
        self.manifest({"rig": "models/bent_arm.gltf", "method": "dqs", "output": "out/a.pc2", "report": "out/a.json",
                       "fail": "error.max=0"})
        for _ in range(2):
            done = self.run_program("batch", "jobs.json")
            self.assertEqual(done.code, 1, done)
            self.assertEqual(self.read("out/a.pc2"), b"older")
            self.assertEqual(self.json("out/a.json")["verdict"]["status"], "fail")
            self.assertRegex(done.err, r"1 of 1 task failed; .* error.max")

    def test_allowing_a_warning_does_the_tasks_again(self):
        gltf = self.folder / "models/bent_arm.gltf"
        rig = json.loads(gltf.read_text())
        rig["extensionsUsed"] = ["X_unknown"]
        gltf.write_text(json.dumps(rig))
        job = {"rig": "models/*.gltf", "clip": "all"}
        self.manifest({**job, "name": "cache", "output": "out/{rig}.pc2"},
                      {**job, "name": "report", "report": "out/{rig}.json"},
                      {**job, "name": "strict", "output": "out/{rig}.npy", "strict": True})
        def summary(*options):
            self.run_program("batch", "jobs.json", "--report", "s.json", *options)
            return self.json("s.json")
        first = summary()
        code = first["issues"][0]["code"]
        self.assertEqual((first["by_exit_code"], first["allowed"]), ({"0": 5, "1": 1}, {}))
        allow = ("--allow", code)
        self.assertNotIn("up to date", self.status(*allow))
        second = summary(*allow)
        self.assertEqual((second["by_exit_code"], second["issues"], second["allowed"]), ({"0": 6}, [], {code: 3}))
        self.assertEqual(self.json("out/bent_arm.json")["allowed"], [code])
        self.assertEqual(summary(*allow), second)
        self.assertEqual(summary(), first)
        self.assertNotIn("allowed", self.json("out/bent_arm.json"))

    def test_a_comparison_is_done_again_if_a_warning_that_fails_it_is_no_longer_allowed(self):
        write_rig(self.folder / "models/two.gltf", ["body"], clips=("run", "walk"))
        write_rig(self.folder / "models/one.gltf", ["body"], clips=("run",))
        write_rig(self.folder / "models/holed.gltf", ["body"], shape=(TETRAHEDRON[0], TETRAHEDRON[1][:2]), clips=("run",))
        limit = {"command": "diff", "fail": "error.max=9", "sampling": "5%"}
        for code, job in (("CLIP_UNPAIRED", {"a": "models/two.gltf", "b": "models/one.gltf", "match": "auto"}),
                          ("TRIANGLES_DIFFER", {"a": "models/one.gltf", "b": "models/holed.gltf", "match": "surface"})):
            batch = ("batch", self.manifest({**job, **limit}))
            state = ("--state", code + ".jsonl")
            self.succeed(*batch, *state, "--allow", code)
            self.assertIn("1 of them up to date", self.succeed(*batch, *state, "--allow", code).out)
            self.assertIn("the settings or the program have changed", self.succeed(*batch, *state, "--dry-run").out)
            for options in (state, ("--state", f"new.{code}.jsonl")):
                done = self.run_program(*batch, *options)
                self.assertEqual(done.code, 1, done)
                self.assertIn(f"--allow {code}", done.err)
            self.succeed(*batch, *state, "--allow", code)

    def test_a_diff_of_surfaces_is_up_to_date_until_a_file_changes(self):
        self.succeed("bake", "models/bent_arm.gltf", "-o", "a.pc2")
        self.manifest({"command": "diff", "a": "a.pc2", "b": "models/bent_arm.gltf", "match": "surface",
                       "rig-a": "models/bent_arm.gltf", "report": "out/d.json", "fail": "error.max=1"})
        self.succeed("batch", "jobs.json")
        self.assertEqual(self.status(), "up to date")
        sidecar = self.folder / "a.pc2.json"
        text = sidecar.read_text()
        sidecar.unlink()
        self.assertIn("a.pc2.json has changed", self.status())
        self.succeed("batch", "jobs.json")
        self.assertEqual(self.status(), "up to date")
        sidecar.write_text(text)  # the task looked for it
        self.assertIn("a.pc2.json has changed", self.status())

    def test_a_file_that_is_replaced_while_it_is_used_has_changed(self):
        for name, method in (("a.pc2", "dqs"), ("other.pc2", "cor")):
            self.succeed("bake", "models/bent_arm.gltf", "--fps", 400, "--method", method, "-o", name)
            (self.folder / f"{name}.json").unlink()
        other = self.read("other.pc2")
        rig = {"rig": "models/bent_arm.gltf", "clip": "all", "fps": 400}
        for job in ({**rig, "command": "fit", "target": "a.pc2", "correctives": 4, "output": "out/f.glb"},
                    {"command": "diff", "a": "a.pc2", "b": "models/bent_arm.gltf", "clip": "all", "fps": 400, "fail": "error.max=1"}):
            with self.subTest(job=job):
                self.manifest({**job, "name": job["command"]})
                before = self.read("a.pc2")
                (self.folder / "new.pc2").write_bytes(other)
                with subprocess.Popen([PROGRAM, "batch", "jobs.json", "-j", "1"], cwd=self.folder, env=environment(),
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as batch:
                    opened = self.opens(batch, self.folder / "a.pc2")
                    os.replace(self.folder / "new.pc2", self.folder / "a.pc2")
                self.assertEqual((opened, batch.returncode), (True, 0))
                self.assertEqual(self.status(), "a.pc2 has changed")
                self.succeed("batch", "jobs.json")
                self.assertEqual(self.status(), "up to date")
                (self.folder / "a.pc2").write_bytes(before)

    @staticmethod
    def opens(process, path):
        """Waits until the process has opened the file to read it; false: it has ended before."""
        while process.poll() is None:
            for entry in pathlib.Path(f"/proc/{process.pid}/fd").iterdir():
                try:
                    if entry.readlink() == path:
                        return True
                except OSError:
                    pass  # closed meanwhile
        return False

    def test_a_folder_that_is_compared_is_an_input(self):
        for side in ("old", "new"):
            self.succeed("bake", "models/bent_arm.gltf", "-o", f"{side}/a.pc2")
        self.manifest({"command": "diff", "a": "old", "b": "new", "fail": "error.max=1", "fail-missing": True, "report": "new/d.json"})
        self.succeed("batch", "jobs.json")
        (self.folder / "new/notes.json").write_text("{}")  # is not compared
        self.assertEqual(self.status(), "up to date")
        shutil.copy(self.folder / "new/a.pc2", self.folder / "new/b.pc2")
        self.assertEqual(self.status(), "new has changed")
        self.assertEqual(self.run_program("batch", "jobs.json").code, 1)
        # A file without a partner may have been renamed.
        shutil.copy(self.folder / "new/b.pc2", self.folder / "old/c.pc2")
        self.succeed("batch", "jobs.json", "--set", "fail-missing=false")
        self.assertEqual(self.status("--set", "fail-missing=false"), "up to date")
        (self.folder / "old/c.pc2").write_bytes(self.read("old/a.pc2")[:-1] + b"x")
        self.assertEqual(self.status("--set", "fail-missing=false"), "old/c.pc2 has changed")

    def test_the_sidecar_of_a_target_or_a_reference_is_an_input_also_if_it_is_missing(self):
        self.succeed("bake", "models/bent_arm.gltf", "--method", "dqs", "-o", "a.pc2")
        sidecar = self.folder / "a.pc2.json"
        text = sidecar.read_text()
        rig = {"rig": "models/bent_arm.gltf", "clip": "all"}
        for job in ({"command": "fit", "target": "a.pc2", "correctives": 1, "output": "out/f.glb", "depfile": "out/f.d"},
                    {"reference": "a.pc2", "report": "out/r.json", "depfile": "out/r.d"}):
            with self.subTest(job=job):
                self.manifest({**rig, **job})
                sidecar.unlink()
                self.succeed("batch", "jobs.json")
                self.assertEqual(self.status(), "up to date")
                # Make and Ninja would always do a rule again that depends on a missing file.
                self.assertNotIn("a.pc2.json", self.read(job["depfile"]).decode())
                sidecar.write_text(text.replace('"fps": 30', '"fps": 24'))
                self.assertEqual(self.status(), "a.pc2.json has changed")
                self.assertEqual(self.run_program("batch", "jobs.json").code, 5)
                sidecar.write_text(text)
                self.succeed("batch", "jobs.json")
                self.assertIn("a.pc2.json", self.read(job["depfile"]).decode())
                sidecar.write_text(text + "\n")
                self.assertEqual(self.status(), "a.pc2.json has changed")

    def test_an_image_that_was_missing_is_an_input_of_what_contains_images(self):
        gltf = self.folder / "models/bent_arm.gltf"
        rig = json.loads(gltf.read_text())
        rig.update(images=[{"uri": "paint.png"}], textures=[{"source": 0}],
                   materials=[{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}])
        for primitive in rig["meshes"][0]["primitives"]:
            primitive["material"] = 0
        gltf.write_text(json.dumps(rig))
        job = {"rig": "models/bent_arm.gltf", "clip": "all"}
        self.manifest({**job, "name": "glb", "output": "out/b.glb"}, {**job, "name": "pc2", "output": "out/b.pc2"},
                      {**job, "name": "fit", "command": "fit", "method": "dqs", "correctives": 1, "output": "out/f.glb"})
        self.succeed("batch", "jobs.json")
        self.assertEqual(self.status(), ["up to date"] * 3)
        image = self.folder / "models/paint.png"
        for change in (b"a", b"b"):
            image.write_bytes(b"\x89PNG\r\n\x1a\n" + change)
            self.assertEqual(self.status(), ["models/paint.png has changed", "up to date", "models/paint.png has changed"])
            self.succeed("batch", "jobs.json")
            self.assertEqual(self.status(), ["up to date"] * 3)
            for output in ("out/b.glb", "out/f.glb"):
                self.assertIn(image.read_bytes(), self.read(output))

    def test_a_cycle_of_folders_ends(self):
        os.symlink("..", self.folder / "models/up")
        self.both(rig="**/*.gltf")
        self.assertEqual(len(self.statuses()), 2)


class ManyTasks(BatchTest):
    def test_a_manifest_of_200_000_jobs_is_planned(self):
        jobs = ",".join('{"rig":"models/bent_arm.gltf","output":"out/%d.pc2"}' % i for i in range(200_000))
        (self.folder / "many.json").write_text('{"schema":"skinbake.batch","schema_version":"1.0","jobs":[%s]}' % jobs)
        done = self.succeed("batch", "many.json", "--dry-run", "--only", "job-777*")
        self.assertIn("111 tasks, 0 up to date", done.out)


if __name__ == "__main__":
    main()
