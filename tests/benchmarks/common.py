"""Shared parts of the benchmark scripts."""
import json
import struct


def write_glb(path, document, blob):
    """Writes a GLB file from its JSON document and its binary chunk."""
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    with open(path, "wb") as file:
        file.write(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(blob)))
        file.write(struct.pack("<I4s", len(text), b"JSON") + text)
        file.write(struct.pack("<I4s", len(blob), b"BIN\0") + blob)


def print_row(what, figures, ratio, goal):
    """One row of a table: the measurement, its figures, their ratio and the goal."""
    print(f"{what:<46} {figures:>24}  {ratio:6.2f}  ({goal})", flush=True)


def print_times(what, seconds, reference, goal):
    """A row for a time and the time of its reference."""
    print_row(what, f"{seconds * 1e3:.0f} ms / {reference * 1e3:.0f} ms", seconds / reference, goal)
