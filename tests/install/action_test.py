#!/usr/bin/env python3
"""The shell steps of .github/action.yml, run as a runner of GitHub runs them.

The test evaluates the expressions that the action uses, and gives each step the files of its outputs and of the
summary. Packages are not installed in the system: `apt-get` is a script that records its words. With
SKINBAKE_PACKAGE, a Debian package, it unpacks that, and the steps run the program of the package.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

try:
    import yaml
except ImportError:
    if os.environ.get("CI") == "true":
        raise
    print("skipped: the Python module yaml is not installed")
    sys.exit(77)

SOURCE = pathlib.Path(__file__).resolve().parents[2]
ACTION = SOURCE / ".github/action.yml"
PROGRAM = pathlib.Path(os.environ.get("SKINBAKE") or SOURCE / "build/release/cli/skinbake").resolve()
PACKAGE = os.environ.get("SKINBAKE_PACKAGE", "")
ARM = SOURCE / "data/rigs/bent_arm.gltf"
EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")


class Runner(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="skinbake-action-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name in ("temp", "work", "bin", "installed"):
            (self.folder / name).mkdir()
        self.script("sudo", 'exec "$@"')
        self.script("apt-get", f'echo "apt-get $*" >>"{self.folder}/calls"\n'
                    + (f'case ${{!#}} in *.deb) dpkg-deb -x "${{!#}}" "{self.folder}/installed" ;; esac' if PACKAGE else ""))
        if not PACKAGE:
            (self.folder / "bin/skinbake").symlink_to(PROGRAM)
        (self.folder / "work/any.deb").write_text("")
        self.action = yaml.safe_load(ACTION.read_text())

    def script(self, name, text):
        path = self.folder / "bin" / name
        path.write_text(f"#!/usr/bin/env bash\nset -e\n{text}\n")
        path.chmod(0o755)

    def evaluate(self, text, values):
        return EXPRESSION.sub(lambda found: values[found.group(1)], str(text))

    def is_run(self, step, has_failed, values):
        """Whether the runner runs a step: one without condition if none has failed."""
        if "if" not in step:
            return not has_failed
        self.assertEqual(step["if"], "always() && steps.run.outputs.exit-code != ''")
        return values.get("steps.run.outputs.exit-code", "") != ""

    def run_action(self, upload_fails=False, summary_so_far="", **inputs):
        """Runs the steps. Returns (exit code of the last step that failed, outputs, summary, log, uploaded)."""
        values = {"github.action_path": str(ACTION.parent), "runner.temp": str(self.folder / "temp")}
        for name, described in self.action["inputs"].items():
            self.assertTrue(name in inputs or "default" in described, name)
            values[f"inputs.{name}"] = inputs.get(name, described.get("default", ""))
        summary, log, uploaded, code = self.folder / "summary", "", None, 0
        summary.write_text(summary_so_far)
        for step in self.action["runs"]["steps"]:
            if not self.is_run(step, code != 0, values):
                continue
            if "uses" in step:
                self.assertRegex(step["uses"], r"^actions/upload-artifact@v\d+$")
                uploaded = {key: self.evaluate(value, values) for key, value in step["with"].items()}
                code = -1 if upload_fails else code
                continue
            self.assertEqual(step["shell"], "bash")
            self.assertNotIn("${{", step["run"])  # an input must not become a part of the script
            output = self.folder / "output"
            output.write_text("")
            script = self.folder / "temp/step.sh"
            script.write_text(step["run"])
            env = {"PATH": f"{self.folder}/bin:{self.folder}/installed/usr/bin:{os.environ['PATH']}", "HOME": str(self.folder),
                   "GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(summary), "RUNNER_TEMP": str(self.folder / "temp"), "SKINBAKE_SKIP_SETUP": "1",
                   **{name: self.evaluate(value, values) for name, value in step.get("env", {}).items()}}
            done = subprocess.run(["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)], env=env,
                                  cwd=self.folder / "work", capture_output=True, text=True)
            log += done.stdout + done.stderr
            for row in output.read_text().splitlines():
                name, _, value = row.partition("=")
                values[f"steps.{step['id']}.outputs.{name}"] = value
            code = done.returncode or code
        outputs = {name: self.evaluate(described["value"], {**{match: "" for match in EXPRESSION.findall(described["value"])}, **values})
                   for name, described in self.action["outputs"].items()}
        return code, outputs, summary.read_text(), log, uploaded

    def test_compare_appends_the_table_and_keeps_the_page(self):
        code, outputs, summary, log, uploaded = self.run_action(
            command="compare", arguments=f"'{ARM}'\n--method lbs --method dqs\n--frames 0:10", package=PACKAGE or "any.deb")
        self.assertEqual((code, outputs["exit-code"]), (0, "0"), log)
        self.assertIn("dqs", summary)
        self.assertIn("|", summary)
        self.assertIn("instruction sets: ", log)  # --version --verbose
        self.assertEqual(uploaded["path"], outputs["html"])
        self.assertEqual(uploaded["name"], "skinbake")
        self.assertIn("<!doctype html>", pathlib.Path(uploaded["path"]).read_text()[:100].lower())

    def test_diff_fails_the_job_and_keeps_its_results(self):
        subprocess.run([str(PROGRAM), "bake", str(ARM), "-q", "--method", "dqs", "-o", str(self.folder / "work/golden arm.pc2")], check=True)
        code, outputs, summary, log, uploaded = self.run_action(
            command="diff", arguments=f"'golden arm.pc2' '{ARM}' --fail error.max=1e-4", package=PACKAGE or "any.deb")
        self.assertEqual((code, outputs["exit-code"]), (1, "1"), log)
        self.assertIn("❌ fail", summary)
        self.assertTrue(pathlib.Path(uploaded["path"]).is_file())
        code, *_ = self.run_action(command="diff", arguments=f"'golden arm.pc2' '{ARM}' --method dqs --fail error.max=1e-4",
                                   package=PACKAGE or "any.deb")
        self.assertEqual(code, 0)

    def test_the_exit_code_survives_an_upload_that_fails(self):
        compare = {"command": "compare", "package": PACKAGE or "any.deb", "upload_fails": True}
        code, outputs, *_ = self.run_action(arguments=f"'{ARM}' --method lbs --method dqs --frames 0:10 --fail error.max=1e-9", **compare)
        self.assertEqual((code, outputs["exit-code"]), (1, "1"))
        code, outputs, *_ = self.run_action(arguments=f"'{ARM}' --method lbs --method dqs --frames 0:10", **compare)
        self.assertEqual((code, outputs["exit-code"]), (-1, "0"))  # the job fails by the upload

    def test_a_summary_beyond_the_limit_of_github_is_left_out(self):
        for size, is_kept in ((1000, True), (2**20 - 100, False)):
            code, _, summary, log, _ = self.run_action(
                command="compare", arguments=f"'{ARM}' --method lbs --method dqs --frames 0:10", package=PACKAGE or "any.deb",
                summary_so_far="x" * size)
            self.assertEqual((code, "dqs" in summary, "::warning::" in log), (0, is_kept, not is_kept))
            self.assertLessEqual(len(summary.encode()), 2**20)

    def test_a_wrong_command_line_fails_the_job_and_says_so(self):
        code, outputs, summary, log, _ = self.run_action(command="compare", arguments="none.glb", package=PACKAGE or "any.deb")
        self.assertEqual((code, outputs["exit-code"]), (3, "3"))
        self.assertIn("exit code 3", summary)
        self.assertIn("none.glb", log)
        code, _, _, log, _ = self.run_action(command="bake; touch hacked", arguments="a", package=PACKAGE or "any.deb")
        self.assertEqual(code, 2)
        self.assertIn("::error::command must be diff or compare", log)

    def test_characters_of_inputs_are_no_script(self):
        for text in ("$(touch hacked)", "`touch hacked`", "'; touch hacked; '", "\"; touch hacked; \"", "${HOME}"):
            code, *_ = self.run_action(command="compare", arguments=text, package=PACKAGE or "any.deb")
            self.assertNotEqual(code, 0)
        self.assertFalse(list(self.folder.rglob("hacked")))

    @unittest.skipIf(PACKAGE, "the package is given")
    def test_without_a_package_the_action_builds_one(self):
        calls = self.folder / "calls"
        build = self.folder / "temp/skinbake-build"
        self.script("cmake", f'echo "cmake $*" >>"{calls}"; mkdir -p "{build}"')
        self.script("cpack", f'echo "cpack $* in $PWD" >>"{calls}"; touch skinbake_0_amd64.deb')
        self.script("dpkg-query", "true")
        code, *_, log, _ = self.run_action(command="compare", arguments=f"'{ARM}' --method lbs --method dqs --frames 0:2")
        self.assertEqual(code, 0, log)
        text = calls.read_text()
        self.assertIn(f"cpack -G DEB in {build}\n", text)
        self.assertIn(f"apt-get install --yes --no-install-recommends {build}/skinbake_0_amd64.deb\n", text)


if __name__ == "__main__":
    unittest.main()
