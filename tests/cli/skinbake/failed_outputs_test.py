#!/usr/bin/env python3
"""Outputs that cannot be written, and signals: older outputs stay, and nothing incomplete is left."""

import contextlib
import json
import os
import pathlib
import resource
import select
import signal
import struct
import subprocess
import time

from support import AT_ONCE, CliTest, NO_COVERAGE, PROGRAM, RIGS, SIGNALS, environment, main, write_rig

PRISM = RIGS / "two_joints.gltf"
# Takes seconds on one thread and little memory.
LONG = (RIGS / "bent_arm.gltf", "--fps", "200000", "--threads", "1", "--method", "dqs")


class BadOutput(CliTest):
    def test_a_file_in_place_of_the_output_folder_exits_4(self):
        (self.folder / "no").write_text("a file")
        for option, form in (("--report", "json:"), ("-o", "")):
            self.fail_with(4, "bake", PRISM, "--fail", "error.max=1", option, form + "no/x.pc2", naming="no/x.pc2")

    def test_a_folder_in_place_of_the_output_exits_4(self):
        (self.folder / "x.pc2").mkdir()
        for option, form in (("--report", "json:"), ("--timing", ""), ("-o", "")):
            self.fail_with(4, "bake", PRISM, "--fail", "error.max=1", option, form + "x.pc2", naming=("x.pc2", "directory"))

    def test_a_pipe_without_a_reader_in_place_of_the_output_exits_4(self):
        os.mkfifo(self.folder / "x.pc2")
        self.fail_with(4, "bake", PRISM, "-o", "x.pc2", naming="x.pc2")

    def test_a_folder_in_place_of_the_sidecar_exits_4(self):
        (self.folder / "x.pc2.json").mkdir()
        self.fail_with(4, "bake", PRISM, "-o", "x.pc2", naming="x.pc2.json")

    def test_a_folder_without_write_permission_exits_4(self):
        options = self.without_rights()
        closed = self.folder / "closed"
        closed.mkdir()
        (closed / "x.pc2").write_bytes(b"good")
        closed.chmod(0o555)
        self.folder.chmod(0o755)
        rig = self.folder / PRISM.name
        rig.write_bytes(PRISM.read_bytes())
        rig.chmod(0o644)
        for option, form in (("-o", ""), ("--report", "json:"), ("--depfile", ""), ("--timing", "")):
            self.fail_with(4, "bake", rig, "--fail", "error.max=1", option, form + "closed/x.pc2",
                           naming=("closed/x.pc2", "Permission denied"), **options)
        self.assertEqual(self.read("closed/x.pc2"), b"good")
        closed.chmod(0o755)

    def test_a_full_device_exits_4(self):
        (self.folder / "full.pc2").symlink_to("/dev/full")
        for option, path in (("-o", "full.pc2"), ("--report", "json:/dev/full"), ("--timing", "/dev/full"),
                             ("--depfile", "full.pc2")):
            self.fail_with(4, "bake", PRISM, "--fail", "error.max=1", option, path,
                           naming=(path.removeprefix("json:"), "No space left"))

    def test_a_full_device_prevents_all_outputs(self):
        self.fail_with(4, "bake", PRISM, "-o", "x.pc2", "--report", "json:/dev/full", naming="/dev/full")
        self.fail_with(4, "bake", PRISM, "--report", "x.json", "--timing", "/dev/full", naming="/dev/full")

    PRINTING = (("--help",), ("--version",), ("bake", "--help"), ("inspect", PRISM), ("list", "methods"),
                ("list", "methods", "--json"), ("bake", PRISM, "-o", "x.pc2"), ("bake", PRISM, "-o", "x.pc2", "--json", "-q"),
                ("bake", PRISM, "-o", "x.pc2", "--strict"),
                ("report", "good.json", "-o", "markdown:-", "-o", "x.md"),
                ("compare", PRISM, "-o", "x.{method}.pc2", "--method", "lbs", "--method", "dqs"), ("convert", "good.pc2", "x.mdd"),
                ("diff", "good.pc2", "good.pc2", "--report", "x.json"), ("diff", "good.pc2", "good.pc2", "--json", "-q"))

    def written_by(self, arguments, code, err, stdout):
        """The new files x.* of a run whose standard output is `stdout`."""
        done = self.run_program(*arguments, stdout=stdout)
        self.assertEqual(done.code, code, (arguments, done))
        self.assertRegex(done.err, err, arguments)
        new = {name: data for name, data in self.files().items() if name.startswith("x")}
        for name in new:
            (self.folder / name).unlink()
        return new

    def test_a_full_standard_output_is_an_error_after_all_outputs(self):
        self.succeed("bake", PRISM, "-o", "good.pc2", "--report", "good.json")
        for arguments in self.PRINTING:
            with open("/dev/full", "wb") as full:
                written = self.written_by(arguments, 4, r"\Askinbake: error: standard output: [^\n]*No space left[^\n]*; redirect "
                                          r"[^\n]* \[OUTPUT_NOT_WRITTEN\]\n\Z", full)
            self.assertEqual(written, self.written_by(arguments, 0, r"\A\Z", subprocess.DEVNULL), arguments)

    def test_a_closed_pipe_is_no_error(self):
        self.succeed("bake", PRISM, "-o", "good.pc2", "--report", "good.json")
        for arguments in self.PRINTING:
            reading, writing = os.pipe()
            os.close(reading)
            with os.fdopen(writing, "wb", closefd=True) as pipe:
                written = self.written_by(arguments, 0, r"\A\Z", pipe)
            self.assertEqual(written, self.written_by(arguments, 0, r"\A\Z", subprocess.DEVNULL), arguments)

    def test_a_failed_run_keeps_its_exit_code_if_standard_output_is_closed(self):
        self.succeed("bake", PRISM, "-o", "good.pc2")
        reading, writing = os.pipe()
        os.close(reading)
        with os.fdopen(writing, "wb", closefd=True) as pipe:
            self.written_by(("diff", "good.pc2", PRISM, "-m", "dqs"), 1, r"\A\Z", pipe)
            self.written_by(("bake", "missing.glb", "-o", "x.pc2"), 3, r"\Askinbake: error: missing.glb", pipe)

    def test_a_limit_on_file_sizes_keeps_the_older_output(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (40000, 40000))

        limited = {"preexec_fn": limit, "env": NO_COVERAGE}
        rig = RIGS / "bent_arm.gltf"
        for name in ("x.pc2", "x.pc2.json"):
            (self.folder / name).write_bytes(b"older and good")
        self.fail_with(4, "bake", rig, "-o", "x.pc2", **limited, naming=("x.pc2", "too large", "ulimit"))
        self.fail_with(4, "bake", rig, "--report", "json:x.pc2", **limited, naming=("x.pc2", "ulimit"))
        self.fail_with(4, "bake", rig, "-o", "x.pc2", "--threads", "7", "--fps", "960", **limited)
        self.fail_with(4, "bake", rig, "-o", "x.usda", "--format", "usda:normals=1", **limited,
                       naming=("temporary file", "ulimit", "TMPDIR"))

    def test_an_older_output_survives_a_failed_run(self):
        for name in ("x.pc2", "x.pc2.json", "x.json", "x.d"):
            (self.folder / name).write_bytes(b"older and good")
        outputs = ("-o", "x.pc2", "--report", "x.json", "--depfile", "x.d")
        (self.folder / "bad.glb").write_bytes((RIGS / "bent_tube.glb").read_bytes()[:-100])
        self.fail_with(3, "bake", "bad.glb", *outputs)
        self.fail_with(2, "bake", PRISM, *outputs, "--frames", "0:99")
        self.fail_with(4, "bake", PRISM, *outputs, "--timing", "x.d/t.json")
        self.fail_with(4, "bake", PRISM, *outputs, "--timing", "/dev/full")

    def test_a_position_that_is_not_finite_writes_nothing(self):
        document = json.loads(write_rig(self.folder / "r.gltf", ["a"]).read_text())
        document["nodes"][0]["scale"] = [1e38, 1e38, 1e38]
        document["nodes"].append({"children": [0], "scale": [1e38, 1e38, 1e38]})
        document["scenes"][0]["nodes"] = [1]
        (self.folder / "r.gltf").write_text(json.dumps(document))
        self.fail_with(3, "bake", "r.gltf", "-o", "x.pc2", "--report", "x.json", naming="r.gltf")

    def test_messages_do_not_enter_the_cache_if_standard_streams_are_closed(self):
        self.succeed("bake", PRISM, "-q", "-o", "good.pc2")
        for redirection in (">&-", "2>&-", "<&-", "<&- >&- 2>&-"):
            command = f'exec "$0" bake "$1" -o x.pc2 --reference dqs --fail error.max=0 --keep --progress always {redirection}'
            subprocess.run(["sh", "-c", command, str(PROGRAM), str(PRISM)], cwd=self.folder,
                           env=environment(), stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
            self.assertEqual(self.read("x.pc2"), self.read("good.pc2"), redirection)
            (self.folder / "x.pc2").unlink()

    def test_progress_does_not_enter_the_cache_if_standard_error_is_closed(self):
        command = ('exec "$0" bake "$1" --fps 1000000 --max-frames 2000000 --threads 1 --progress always '
                   '--fail error.max=9 -o x.pc2 2>&-')
        done = subprocess.run(["sh", "-c", command, str(PROGRAM), str(PRISM)], cwd=self.folder, env=environment(),
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=300)
        self.assertEqual(done.returncode, 0)
        with open(self.folder / "x.pc2", "rb") as cache:
            self.assertEqual(cache.read(32), b"POINTCACHE2\0" + struct.pack("<iiffi", 1, 12, 0, 1, 1000001))


class Interrupted(CliTest):
    def start(self, *arguments, run=LONG, stderr=subprocess.PIPE):
        process = subprocess.Popen([str(PROGRAM), "bake", *map(str, run), *arguments], cwd=self.folder,
                                   env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stderr)
        self.addCleanup(process.kill)
        return process

    def wait_until_it_writes(self, process):
        """Waits until an open file of the process, named or not, contains a first block."""
        folder = pathlib.Path(f"/proc/{process.pid}/fd")
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and process.poll() is None:
            for link in folder.iterdir():
                try:
                    if str(self.folder) in os.readlink(link) and link.stat().st_size > 100000:
                        return
                except OSError:
                    pass
            time.sleep(0.005)
        self.fail(f"nothing was being written; exit {process.poll()}")

    def test_a_signal_leaves_no_file(self):
        for number, code, word in SIGNALS:
            process = self.start("-o", "x.pc2", "--report", "x.json", "--depfile", "x.d")
            self.wait_until_it_writes(process)
            asked = time.monotonic()
            process.send_signal(number)
            out, err = process.communicate(timeout=60)
            self.assertLess(time.monotonic() - asked, AT_ONCE)
            self.assertEqual(process.returncode, code)
            self.assertEqual(out, b"")
            self.assertRegex(err.decode(), rf"\Askinbake: error: {word}[^\n]*\n\Z")
            self.assertEqual(self.files(), {})

    def test_a_signal_keeps_the_older_output(self):
        (self.folder / "x.pc2").write_bytes(b"older and good")
        process = self.start("-o", "x.pc2")
        self.wait_until_it_writes(process)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(self.files(), {"x.pc2": b"older and good"})

    def test_a_signal_ends_a_run_without_outputs(self):
        process = self.start("--json", "--per-vertex", "none")
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (130, b""))

    def test_a_signal_ends_a_run_whose_report_nobody_reads(self):
        for outputs, remains in (([], "nothing was written"), (["-o", "x.pc2"], "the outputs are complete")):
            for number, code, word in SIGNALS[:3]:
                process = self.start("--json", "--metrics", "all", *outputs, run=(RIGS / "bent_arm.gltf", "--fps", "400"))
                select.select([process.stdout], [], [], 60)  # the report is longer than a pipe
                asked = time.monotonic()
                process.send_signal(number)
                process.wait(timeout=60)
                self.assertLess(time.monotonic() - asked, AT_ONCE)
                _, err = process.communicate()
                self.assertEqual(process.returncode, code)
                self.assertEqual(err.decode(), f"skinbake: error: {word}; {remains}\n")
                self.assertEqual(list(self.files()), ["x.pc2", "x.pc2.json"] if outputs else [])

    def test_a_signal_ends_a_run_whose_messages_nobody_reads(self):
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(writer, bytes(4096))
        os.set_blocking(writer, True)
        process = self.start("-o", "x.pc2", stderr=writer)
        self.wait_until_it_writes(process)
        asked = time.monotonic()
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)
        self.assertLess(time.monotonic() - asked, AT_ONCE)
        self.assertEqual((process.returncode, self.files()), (143, {}))
        for end in (reader, writer):
            os.close(end)

    def test_a_killed_run_leaves_nothing(self):
        for _ in range(3):
            process = self.start("-o", "x.pc2", "--report", "x.json")
            self.wait_until_it_writes(process)
            process.kill()
            process.communicate(timeout=60)
            self.assertEqual(process.returncode, -signal.SIGKILL)
            self.assertEqual(self.files(), {})

    def test_a_run_killed_at_any_time_leaves_only_complete_files(self):
        whole = 32 + 12 * 12 * 20001
        for delay in [0.002 * i for i in range(25)]:
            process = subprocess.Popen([str(PROGRAM), "bake", str(PRISM), "--fps", "20000", "-q", "-o", "x.pc2"],
                                       cwd=self.folder, env=environment(), stdin=subprocess.DEVNULL)
            time.sleep(delay)
            process.kill()
            process.wait(timeout=60)
            found = self.files()
            if "x.pc2" in found:
                self.assertEqual(len(found["x.pc2"]), whole)
            if "x.pc2.json" in found:
                self.assertIn("x.pc2", found)
                self.assertEqual(json.loads(found["x.pc2.json"])["bytes"], whole)
            for name in found:
                (self.folder / name).unlink()


if __name__ == "__main__":
    main()
