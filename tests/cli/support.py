"""Helpers of the command-line tests: the program, temporary folders, small rigs."""

import ast
import base64
import json
import math
import os
import pathlib
import shutil
import signal
import stat
import struct
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("SKINBAKE_SOURCE_DIR") or pathlib.Path(__file__).parents[2]).resolve()
PROGRAM = pathlib.Path(os.environ.get("SKINBAKE") or SOURCE / "build/release/cli/skinbake").resolve()
SHARED = pathlib.Path(os.environ.get("SKINBAKE_SHARED") or SOURCE.parent / "shared")
SHARED_MODELS = SHARED / "assets"
RIGS = SOURCE / "data" / "rigs"
ALL_RIGS = sorted(path for path in RIGS.iterdir() if path.suffix in (".gltf", ".glb"))
# Two methods for tests of the program around a method, which would be slow with all of them. Tests of every
# method use `method_ids`; tests/methods/contracts/method_contract_test.cpp checks the contracts of methods.
METHODS = ("lbs", "dqs")
NOBODY = 65534
# The most seconds of a run that must end at once. It needs milliseconds, and a sanitizer on a busy machine a few
# seconds; a run that does not end at once would need minutes.
AT_ONCE = 30
# A coverage build reports an error on standard error if it cannot write its counts. Tests that forbid writing
# discard the counts.
NO_COVERAGE = {"LLVM_PROFILE_FILE": "/dev/null"}


def require_shared(test, name):
    """The path of a shared file or folder. If it is absent, the test is skipped, and fails with CI=true."""
    path = SHARED / name
    if not path.exists():
        reason = f"{path} is absent; name the folder above {name} in SKINBAKE_SHARED"
        test.fail(reason) if os.environ.get("CI") == "true" else test.skipTest(reason)
    return path


def environment(changes=None):
    """The environment without the variables that change the behaviour of the program."""
    kept = {name: value for name, value in os.environ.items()
            if name not in ("SKINBAKE_TARGET", "NO_COLOR", "GLIBC_TUNABLES")}
    return {**kept, **(changes or {})}


class Done:
    """A finished run."""

    def __init__(self, completed):
        self.code = completed.returncode
        self.out = completed.stdout.decode(errors="backslashreplace")
        self.err = completed.stderr.decode(errors="backslashreplace")

    def __repr__(self):
        return f"exit {self.code}\nstdout: {self.out[:2000]}\nstderr: {self.err[:2000]}"

# The signals that end a run, with the exit code and the first word of the message.
SIGNALS = ((signal.SIGHUP, 129, "hung up"), (signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated"),
           (signal.SIGQUIT, 131, "ended by a signal"), (signal.SIGXCPU, 152, "out of processor time"),
           (signal.SIGALRM, 142, "ended by a signal"), (signal.SIGUSR1, 138, "ended by a signal"),
           (signal.SIGUSR2, 140, "ended by a signal"))


class CliTest(unittest.TestCase):
    """Each test runs the program in its own temporary folder."""

    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="skinbake-cli-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, *arguments, env=None, program=None, timeout=300, **options):
        options.setdefault("stdin", subprocess.DEVNULL)
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        completed = subprocess.run([str(program or PROGRAM), *map(str, arguments)], cwd=self.folder,
                                   env=environment(env), timeout=timeout, **options)
        completed.stdout = completed.stdout or b""
        completed.stderr = completed.stderr or b""
        return Done(completed)

    def succeed(self, *arguments, **options):
        done = self.run_program(*arguments, **options)
        self.assertEqual(done.code, 0, done)
        return done

    def fail_with(self, code, *arguments, naming=(), **options):
        """Expects one line on standard error with the given words, no text on standard output, and no new file."""
        before = self.files()
        done = self.run_program(*arguments, **options)
        self.assertEqual(done.code, code, done)
        self.assertEqual(done.out, "")
        self.assertRegex(done.err, r"\Askinbake: error: [^\n]+\n\Z")
        if code in (3, 4):  # the message has a cause and a remedy
            self.assertRegex(done.err, "[^;]; [^;]")
        for word in (naming,) if isinstance(naming, str) else naming:
            self.assertIn(word, done.err)
        self.assertEqual(self.files(), before)
        return done

    def method_ids(self):
        return [method["id"] for method in strict_json(self.succeed("list", "methods", "--json").out)["methods"]]

    def files(self):
        """Every file below the folder, {name: bytes}; for a link or a device its kind instead of the bytes."""
        found = {}
        for path in sorted(self.folder.rglob("*")):
            mode = path.lstat().st_mode
            name = str(path.relative_to(self.folder))
            if stat.S_ISREG(mode):
                found[name] = path.read_bytes()
            elif not stat.S_ISDIR(mode):
                found[name] = stat.S_IFMT(mode)
        return found

    def read(self, name):
        return (self.folder / name).read_bytes()

    def json(self, name):
        return strict_json(self.read(name).decode())

    def without_rights(self):
        """Options of run_program for a user without privileges, also if the test runs as root."""
        copy = self.folder / "program" / "skinbake"  # other users may not have access to the build folder
        copy.parent.mkdir(exist_ok=True)
        shutil.copy(PROGRAM, copy)
        copy.chmod(0o755)
        options = {"program": copy}
        if os.geteuid() == 0:
            options["env"] = NO_COVERAGE
            options["preexec_fn"] = lambda: os.setuid(NOBODY)
        return options


def no_constant(name):
    raise ValueError(f"{name} is not JSON")


def unique_keys(pairs):
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError("a key occurs twice")
    return dict(pairs)


def strict_json(text):
    return json.loads(text, parse_constant=no_constant, object_pairs_hook=unique_keys)


class Pc2:
    """A PC2 file, parsed by its specification (footools.com)."""

    def __init__(self, data):
        magic, version, self.points, self.start, self.rate, self.samples = struct.unpack_from("<12siiffi", data)
        if magic != b"POINTCACHE2\0" or version != 1:
            raise ValueError(f"not a PC2 file: {magic} {version}")
        if len(data) != 32 + 12 * self.points * self.samples:
            raise ValueError(f"{len(data)} bytes for {self.points} points, {self.samples} samples")
        self.rows = [data[32 + 12 * self.points * s:32 + 12 * self.points * (s + 1)]
                     for s in range(self.samples)]

    def positions(self, sample):
        numbers = struct.unpack(f"<{3 * self.points}f", self.rows[sample])
        return [numbers[i:i + 3] for i in range(0, len(numbers), 3)]


def npy(data):
    """(shape, numbers) of a NumPy array of float32, parsed by the specification of the format, version 1.0."""
    if data[:8] != b"\x93NUMPY\1\0":
        raise ValueError("not a NumPy array")
    length, = struct.unpack_from("<H", data, 8)
    header = ast.literal_eval(data[10:10 + length].decode())  # a dictionary
    if header["descr"] != "<f4" or header["fortran_order"] or (10 + length) % 64 or data[9 + length] != 10:
        raise ValueError(f"unexpected header {header}")
    shape = header["shape"]
    return shape, struct.unpack(f"<{math.prod(shape)}f", data[10 + length:])


# --- rigs -------------------------------------------------------------------------------------------

TETRAHEDRON = ([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)],
               [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)])
TRIANGLE = ([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])


def moving_rig(names, shape=TETRAHEDRON, clips=("move",), buffer=None):
    """glTF JSON: rigid meshes, one per name, that move by (1, 2, 3) in one second.

    names: node names, None for none. clips: animation names, None for none.
    buffer: the URI of an external buffer; the caller then writes rig["bytes"] there.
    """
    points, triangles = shape
    data = b"".join(struct.pack("<3f", *p) for p in points)
    indices_at = len(data)
    data += b"".join(struct.pack("<3H", *t) for t in triangles)
    data += b"\0" * (-len(data) % 4)
    times_at = len(data)
    data += struct.pack("<2f", 0, 1)
    moves_at = len(data)
    data += struct.pack("<6f", 0, 0, 0, 1, 2, 3)

    def view(offset, length):
        return {"buffer": 0, "byteOffset": offset, "byteLength": length}

    def bounds(rows):
        return {"min": [min(c) for c in zip(*rows)], "max": [max(c) for c in zip(*rows)]}

    count = len(names)
    nodes = [{"mesh": 0, **({} if name is None else {"name": name})} for name in names]
    document = {
        "asset": {"version": "2.0"},
        "scene": 0, "scenes": [{"nodes": list(range(count))}], "nodes": nodes,
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "animations": [{**({} if clip is None else {"name": clip}),
                        "samplers": [{"input": 2, "output": 3}],
                        "channels": [{"sampler": 0, "target": {"node": n, "path": "translation"}}
                                     for n in range(count)]} for clip in clips],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": len(points), "type": "VEC3", **bounds(points)},
            {"bufferView": 1, "componentType": 5123, "count": 3 * len(triangles), "type": "SCALAR"},
            {"bufferView": 2, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
            {"bufferView": 3, "componentType": 5126, "count": 2, "type": "VEC3"}],
        "bufferViews": [view(0, indices_at), view(indices_at, 6 * len(triangles)), view(times_at, 8),
                        view(moves_at, 24)],
        "buffers": [{"byteLength": len(data),
                     "uri": buffer or "data:application/octet-stream;base64," + base64.b64encode(data).decode()}]}
    if not clips:
        del document["animations"]
    return document, data


def write_rig(path, names, **options):
    document, data = moving_rig(names, **options)
    path.write_text(json.dumps(document))
    if options.get("buffer"):
        (path.parent / options["buffer"]).write_bytes(data)
    return path


def main():
    unittest.main(verbosity=1)
