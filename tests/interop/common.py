"""Paths, programs and exit statuses that the interoperability checks share."""

import argparse
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import threading

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
SHARED = pathlib.Path(os.environ.get("SKINBAKE_SHARED") or PROJECT.parent / "shared")
ORACLE = pathlib.Path(os.environ.get("SKINBAKE_ORACLE") or PROJECT / "build" / "oracle")
PROGRAM = pathlib.Path(os.environ.get("SKINBAKE") or PROJECT / "build/release/cli/skinbake")
RIGS = PROJECT / "data" / "rigs"

SKIPPED = 77  # ctest's SKIP_RETURN_CODE


def skip(reason):
    """Ends the check as skipped, or as failed if CI=true, because CI installs every program."""
    if os.environ.get("CI") == "true":
        print(f"failed: {reason}")
        sys.exit(1)
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def patterns(documentation):
    """The words of the command line, for `is_chosen`. --help prints the documentation of the script."""
    parser = argparse.ArgumentParser(description=documentation, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("patterns", nargs="*")
    return parser.parse_args().patterns


def is_chosen(name, patterns):
    return not patterns or any(pattern in name for pattern in patterns)


def numpy():
    """Imports a module of Debian's packages, which another Python on PATH does not find."""
    try:
        import numpy as module
        return module
    except ImportError:
        debian = "/usr/bin/python3"
        if os.access(debian, os.X_OK) and not os.path.samefile(sys.executable, debian):
            os.execv(debian, [debian, *sys.argv])
        skip("no numpy; scripts/setup --ci installs it (python3-numpy)")


def need_program():
    if not os.access(PROGRAM, os.X_OK):
        skip(f"no program at {PROGRAM}; build it (scripts/test) or name it in SKINBAKE")


def need_shared():
    if not (SHARED / "assets").is_dir():
        skip(f"no folder {SHARED / 'assets'}; put the shared folder beside the checkout or name it "
             "in SKINBAKE_SHARED")


def need_oracle(script):
    """The path of a script among the installed independent programs."""
    if shutil.which("node") is None:
        skip("no node; scripts/setup --ci installs it")
    if not (ORACLE / "node_modules").is_dir() or not (ORACLE / script).is_file():
        skip(f"no installed {ORACLE / script}; scripts/setup --ci installs it")
    return ORACLE / script


def need_blender():
    """The path of the Blender program."""
    blender = os.environ.get("BLENDER", "blender")
    program = shutil.which(blender)
    if program is None:
        skip(f"no {blender}; scripts/setup --ci installs it, or name it in BLENDER")
    return program


def need_chromium(playwright=False):
    """The path of the Chromium program; with `playwright`, the library that drives it is needed too."""
    chromium = shutil.which("chromium")
    if chromium is None:
        skip("no chromium; scripts/setup --ci installs it")
    if playwright and not (ORACLE / "pages" / "node_modules" / "playwright-core").is_dir():
        skip("no playwright-core; scripts/setup --ci installs it")
    return chromium


def run_blender(program, script, *arguments):
    """Runs a script in Blender. Blender's Python looks for modules beside the first python3 of PATH, which must be
    Debian's, because that one has NumPy."""
    path = f"{pathlib.Path(program).parent}{os.pathsep}{os.environ['PATH']}"
    return run([program, "-b", "--factory-startup", "--python-exit-code", "3", "--python", script, "--", *arguments],
               env={**os.environ, "PATH": path})


def run(arguments, **options):
    """Runs a program without standard input and returns its output; prints the output if the program fails."""
    return subprocess.run([str(a) for a in arguments], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


def skinbake(command, *options):
    """Runs a command of the program and returns its output. Raises ValueError if the program fails."""
    done = run([PROGRAM, command, *options])
    if done.returncode != 0:
        raise ValueError(f"skinbake {command}: exit {done.returncode}: {done.stdout.strip()}")
    return done.stdout


class Evaluator:
    """A process of the independent program three_lbs.mjs, which serves many runs."""

    HOST = pathlib.Path(__file__).resolve().parent / "three" / "oracle_host.mjs"

    def __init__(self):
        self.messages = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(["node", self.HOST, ORACLE / "three_lbs.mjs"], cwd=ORACLE, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.messages)

    def run(self, arguments):
        """Returns the program's message if it fails, and then is of no further use; else None."""
        try:
            print(json.dumps([str(a) for a in arguments]), file=self.process.stdin, flush=True)
            if self.process.stdout.readline() == "done\n":
                return None
        except BrokenPipeError:
            pass  # the process has ended, and its message says why
        status = self.process.wait()
        self.messages.seek(0)
        return f"three_lbs.mjs: exit {status}: {self.messages.read().strip()}"


_evaluators = threading.local()


def evaluate(*arguments, engine="spec"):
    """Runs three_lbs.mjs. Raises ValueError with its message if it fails. Each engine has its own process, because
    `spec` replaces functions of three.js."""
    ours = _evaluators.__dict__
    evaluator = ours.pop(engine, None) or Evaluator()
    error = evaluator.run([*arguments, "--engine", engine, "--quiet"])
    if error:
        raise ValueError(error)
    ours[engine] = evaluator


def validated(*paths):
    """The Khronos validator's report of each file: {"messages": […]}, or {"rejected": text}."""
    done = run(["node", ORACLE / "validate.mjs", "--json", *paths], cwd=ORACLE)
    return [json.loads(line) for line in done.stdout.splitlines()]


def pc2_positions(path, numpy):
    """[frame][point][axis] of a PC2 file."""
    points, _, _, frames = struct.unpack("<iffi", pathlib.Path(path).read_bytes()[16:32])
    return numpy.fromfile(path, "<f4", offset=32).reshape(frames, points, 3).astype(float)


def bake(rig, folder, *options, formats=("pc2",)):
    """Bakes every mesh of `rig` to folder/ID.pc2 (and other formats); returns an error text or None."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    outputs = [word for name in formats for word in ("-o", folder / f"{{mesh}}.{name}")]
    done = run([PROGRAM, "bake", rig, *options, "-q", *outputs])
    if done.returncode != 0:
        return f"skinbake bake: exit {done.returncode}: {done.stdout.strip()}"
    return None
