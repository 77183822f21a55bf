"""The animated meshes of HTML pages, parsed as lib/report/viewer/data.h describes them."""

import base64
import json
import re
import struct


def view_data(page):
    return json.loads(re.search(r'<script type="application/json" id="view-data">(.*?)</script>', page, re.S)[1])


def numbers(kind, text):
    data = base64.b64decode(text)
    return struct.unpack(f"<{len(data) // struct.calcsize(kind)}{kind}", data)


def shown_frames(run, vertex_count):
    """[frame][vertex] (position, rounding error of its coordinates)"""
    boxes, levels = numbers("f", run["boxes"]), numbers("H", run["positions"])
    frames = []
    for frame in range(len(boxes) // 6):
        low, high = boxes[6 * frame:6 * frame + 3], boxes[6 * frame + 3:6 * frame + 6]
        size = [b - a for a, b in zip(low, high)]
        at = 3 * frame * vertex_count
        vertices = [levels[i:i + 3] for i in range(at, at + 3 * vertex_count, 3)]
        frames.append([(tuple(a + n / 65535 * s for a, s, n in zip(low, size, level)), [s / 131069 for s in size])
                       for level in vertices])
    return frames
