#!/usr/bin/env python3
"""Attacks on the program: hostile files, and signals at random moments.

    attacks.py [KIND…] [--count N] [--first N] [--short]

KIND       truncations   prefixes of small files, each once if the count is their number
           mutations     glTF files whose JSON is changed
           caches        damaged caches, sidecars and reports
           reports       rigs with numbers of any magnitude: a report that is written agrees with its schema and is
                         read back, and no threshold passes without a value
           kills         SIGKILL or SIGTERM at a random moment of a bake
           default: every kind
--count N  number of attacks of each kind (default: the full count)
--first N  number of the first attack: with --count 1 it repeats an attack
--short    a few seconds of each kind, as the test `attacks` runs them

No attack may end with a signal of its own, a sanitizer's message or exit code 70, change an existing output or leave
a part of one. The program is SKINBAKE (default: build/release/cli/skinbake).
"""

import argparse
import concurrent.futures
import functools
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from support import PROGRAM, RIGS, environment  # noqa: E402
from hostile_files import changed_rig, damaged, good_files, rig_of_any_numbers  # noqa: E402
from report_schema import schema_errors  # noqa: E402

FULL = {"truncations": 73000, "mutations": 48000, "caches": 12600, "reports": 12000, "kills": 600}
SHORT = {"truncations": 150, "mutations": 120, "caches": 120, "reports": 100, "kills": 20}
PRIME = 48271
OLDER = b"older and good"
OUTPUTS = ("out.pc2", "out.pc2.json", "out.json", "out.npy", "out.npy.json", "out.html")
# Done, done with a finding, usage, input, not comparable. A readable output can always be written here.
ALLOWED = (0, 1, 2, 3, 5)
LIMITS = ("--fail", "error.max=1e9", "--fail", "error.max=1e9%", "--fail", "error.rms=1e9", "--fail", "volume.max_loss=1e9%")
MEASURED = (
    ("compare", "{}", "--method", "lbs", "--method", "dqs", "--metrics", "all", *LIMITS, "--report", "out.json", "-q"),
    ("compare", "{}", "--method", "cor", "--method", "ddm", "--baseline", "first-frame", *LIMITS, "--report", "out.json", "-q"),
    ("bake", "{}", "--method", "dqs", "--metrics", "all", *LIMITS, "--report", "out.json", "-o", "out.pc2", "-q"),
    ("diff", "rig.gltf", "{}", "--clip", "all", "--fail", "error.max=1e9%", "--report", "out.json", "-q"))


def run(folder, *arguments, check=False):
    return subprocess.run([str(PROGRAM), *arguments], cwd=folder, env=environment({"LLVM_PROFILE_FILE": "/dev/null"}),
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=300, check=check)


class Workers(threading.local):
    """A folder for each thread, with the good files and older outputs."""

    def __init__(self, top):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=top))
        self.commands = good_files(self.folder, lambda *words: run(self.folder, *words, check=True))
        (self.folder / "side.pc2").write_bytes((self.folder / "a.pc2").read_bytes())
        self.good = {name: (self.folder / name).read_bytes() for name in self.commands}
        for name in OUTPUTS:
            (self.folder / name).write_bytes(OLDER)
        self.names = {path.name for path in self.folder.iterdir()}


def attack(workers, name, data, command, judge=lambda folder: "", names_failures=False):
    """Runs a command with a hostile file. Returns the exit code and a fault; an empty one: the program held.

    `judge` returns the fault of the outputs of a run that wrote them. A command that names failures writes its report
    also where it cannot read a file or compare a pair: exit code 2 means that the pair needs another rate of frames.
    """
    folder = workers.folder
    (folder / name).write_bytes(data)
    try:
        done = run(folder, *(word.format(name) for word in command))
    except subprocess.TimeoutExpired:
        return None, "no end after 300 s"
    finally:
        (folder / name).unlink()
    fault = ""
    errors = done.stderr.decode(errors="replace")
    if done.returncode not in ALLOWED or "Sanitizer" in errors or "runtime error" in errors:
        fault = f"exit {done.returncode}: {errors[-2000:]}"
    if done.returncode in (2, 3, 5) and not errors.startswith("skinbake: error: "):
        fault = fault or f"no message: {errors[-500:]}"
    writes = (0, 1, 2, 3, 5) if names_failures else (0, 1)
    changed = [output for output in OUTPUTS if (folder / output).read_bytes() != OLDER]
    if changed and done.returncode not in writes:
        fault = fault or f"exit {done.returncode} changed {changed}"
    elif changed or done.returncode in (0, 1):
        fault = fault or judge(folder)
    for output in OUTPUTS:
        (folder / output).write_bytes(OLDER)
    left = {path.name for path in folder.iterdir()} ^ (workers.names - {name})
    for other in left:
        (folder / other).unlink(missing_ok=True)
    return done.returncode, fault or (f"left {left}" if left else "")


def hostile_name(name):
    """The name of the hostile copy: a sidecar belongs to its cache, every other file has the same extension."""
    return "side.pc2.json" if name == "a.pc2.json" else "hostile" + name[name.index("."):]


def truncation(workers, number):
    lengths = [(name, len(data)) for name, data in workers.good.items()]
    total = sum(length for _, length in lengths)
    place = number * PRIME % total  # the first `total` numbers are every prefix once, in mixed order
    for name, length in lengths:
        if place < length:
            return attack(workers, hostile_name(name), workers.good[name][:place], workers.commands[name])
        place -= length
    raise AssertionError


def mutation(workers, number):
    name, data = changed_rig(number)
    return attack(workers, name, data, workers.commands["rig.gltf"])


def damage(workers, number):
    names = [name for name in workers.commands if not name.startswith(("rig", "core"))]
    name = names[number % len(names)]
    return attack(workers, hostile_name(name), damaged(workers.good[name], number), workers.commands[name])


def report_fault(schema, folder):
    """Why the report out.json cannot be relied on, or nothing."""
    def no_constant(name):
        raise ValueError(f"{name} is not JSON")

    try:
        written = json.loads((folder / "out.json").read_bytes(), parse_constant=no_constant)
    except ValueError as error:
        return f"the report is not JSON: {error}"
    wrong = schema(written)
    if wrong:
        return f"the report does not agree with its schema: {wrong[:3]}"
    blind = [check["key"] for check in written["verdict"]["checks"] if check["passed"] and check["value"] is None]
    if blind:
        return f"thresholds passed without a value: {blind}"
    again = run(folder, "report", "out.json", "-o", "out.html")
    return f"the report is not read back: {again.stderr.decode(errors='replace')}" if again.returncode else ""


class Measured:
    """Reports of rigs with numbers of any magnitude."""

    def __init__(self):
        schema = schema_errors()
        if schema is None:
            raise SystemExit("attacks.py: the kind reports needs python3-jsonschema; scripts/setup installs it")
        self.judge = functools.partial(report_fault, schema)

    def attack(self, workers, number):
        name, data = rig_of_any_numbers(number)
        command = MEASURED[number % len(MEASURED)]
        return attack(workers, name, data, command, self.judge, names_failures=command[0] == "diff")


class Kills:
    """A bake with several outputs, which a signal ends."""

    OUTPUTS = ("x.pc2", "x.pc2.json", "x.glb", "x.glb.json", "x.npy", "x.npy.json", "x.json", "x.html")
    TEMPORARY = re.compile(rf"({'|'.join(map(re.escape, OUTPUTS))})\.tmp-skinbake-[0-9a-f]{{16}}-[0-9a-f]{{16}}")
    COMMAND = ("bake", str(RIGS / "bent_tube.glb"), "-m", "dqs", "--fps", "120", "-q", "--threads", "2", "-o", "x.pc2",
               "-o", "x.glb", "-o", "x.npy", "--report", "x.json", "--report", "x.html")

    def __init__(self, folder):
        self.folder = folder
        seconds = []
        for _ in range(5):  # the first run is slower than the others
            begin = time.monotonic()
            run(folder, *self.COMMAND, check=True)
            seconds.append(time.monotonic() - begin)
        self.seconds = min(seconds)
        self.whole = {name: (folder / name).read_bytes() for name in self.OUTPUTS}

    def attack(self, number):
        chance = random.Random(number)
        kind = chance.choice((signal.SIGKILL, signal.SIGTERM))
        for name in self.OUTPUTS:
            (self.folder / name).write_bytes(OLDER)
        process = subprocess.Popen([str(PROGRAM), *self.COMMAND], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   env=environment({"LLVM_PROFILE_FILE": "/dev/null"}), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        time.sleep(chance.random() * self.seconds)
        process.send_signal(kind)
        _, errors = process.communicate(timeout=300)
        code = process.returncode
        files = {path.name: path.read_bytes() for path in self.folder.iterdir()}
        states = {name: "older" if files.pop(name, b"") == OLDER else "whole" for name in self.OUTPUTS}
        partial = [name for name, state in states.items()
                   if state == "whole" and (self.folder / name).read_bytes() != self.whole[name]]
        for name in files:
            (self.folder / name).unlink()
        if kind == signal.SIGKILL:  # between the first name of a temporary file and its last one, it stays
            files = {name: data for name, data in files.items() if not self.TEMPORARY.fullmatch(name)}
        fault = ""
        if code not in (0, -kind, 143) or b"Sanitizer" in errors:
            fault = f"exit {code}: {errors.decode(errors='replace')[-2000:]}"
        elif partial:
            fault = f"partial: {partial}"
        elif files:
            fault = f"left {sorted(files)}"
        elif kind == signal.SIGTERM and len(set(states.values())) > 1:
            fault = f"some outputs are new and some are older: {states}"  # SIGKILL may end between two renames
        elif code == 143 and (b"complete" in errors) != ("whole" in states.values()):
            fault = f"the message does not fit the outputs, {states}: {errors.decode(errors='replace')[-2000:]}"
        return code, fault


def report(kind, results, seconds):
    """Prints the exit codes and the faults. Returns the number of faults."""
    codes = {}
    faults = []
    for number, (code, fault) in results:
        codes[code] = codes.get(code, 0) + 1
        if fault:
            faults.append((number, fault))
    if kind == "reports" and len(results) > 20 and codes.get(0, 0) + codes.get(1, 0) < len(results) / 3:
        faults.append((results[0][0], "fewer than a third of the attacks wrote a report"))
    text = ", ".join(f"exit {code}: {count}" for code, count in sorted(codes.items(), key=str))
    print(f"{kind}: {sum(codes.values())} attacks in {seconds:.0f} s, {len(faults)} faults; {text}", flush=True)
    for number, fault in faults[:20]:
        print(f"  {kind} --first {number} --count 1: {fault}")
    return len(faults)


def main():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=True)
    parser.add_argument("kinds", nargs="*", choices=[[], *FULL], default=[])
    parser.add_argument("--count", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--short", action="store_true")
    given = parser.parse_args()
    faults = 0
    for kind in given.kinds or FULL:
        count = given.count or (SHORT if given.short else FULL)[kind]
        numbers = range(given.first, given.first + count)
        begin = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="skinbake-attacks-") as top:
            if kind == "kills":
                kills = Kills(pathlib.Path(tempfile.mkdtemp(dir=top)))
                results = [(number, kills.attack(number)) for number in numbers]
            else:
                make = Measured().attack if kind == "reports" else {
                    "truncations": truncation, "mutations": mutation, "caches": damage}[kind]
                workers = Workers(top)
                with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
                    results = list(zip(numbers, pool.map(lambda n, m=make: m(workers, n), numbers)))
        faults += report(kind, results, time.monotonic() - begin)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
