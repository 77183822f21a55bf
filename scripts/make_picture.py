#!/usr/bin/env python3
"""Draws the README's picture: the twisted tube by linear blending and by dual quaternions, coloured by
the distance between the two. Positions come from skinbake's own caches.

    scripts/make_picture.py SKINBAKE OUT.png

The script needs the standard library only: it has a small rasteriser with a depth buffer, and zlib for the PNG.
"""
import base64
import json
import math
import os
import struct
import subprocess
import sys
import tempfile
import zlib
from array import array

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RIG = os.path.join(ROOT, "data", "rigs", "twisted_tube.gltf")
FRAME = 26  # of 30: a twist of 156 degrees
WIDTH, HEIGHT, SAMPLES = 820, 250, 2  # pixels; samples per pixel and axis
SCALE = 340  # pixels per metre
BACKGROUND = (255, 255, 255)
LIGHT = (0.35, 0.55, 0.76)


def bake(skinbake, method, folder):
    """The frame's positions, [vertex][axis]."""
    path = os.path.join(folder, method + ".pc2")
    subprocess.run([skinbake, "bake", RIG, "-q", "--method", method, "--frames", str(FRAME),
                    "-o", path], check=True)
    with open(path, "rb") as file:
        numbers = array("f", file.read()[32:])
    return [tuple(numbers[i:i + 3]) for i in range(0, len(numbers), 3)]


def triangles():
    with open(RIG, encoding="utf-8") as file:
        rig = json.load(file)
    blob = base64.b64decode(rig["buffers"][0]["uri"].split(",", 1)[1])
    accessor = rig["accessors"][rig["meshes"][0]["primitives"][0]["indices"]]
    view = rig["bufferViews"][accessor["bufferView"]]
    at = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    indices = struct.unpack_from(f"<{accessor['count']}H", blob, at)
    return [indices[i:i + 3] for i in range(0, len(indices), 3)]


def colour(part):
    """The colour of an error of 0 … 1, from grey through amber to red."""
    stops = [(0.0, (176, 190, 204)), (0.5, (244, 190, 90)), (1.0, (196, 40, 48))]
    for (a, low), (b, high) in zip(stops, stops[1:]):
        if part <= b:
            t = (part - a) / (b - a)
            return tuple(x + t * (y - x) for x, y in zip(low, high))
    return stops[-1][1]


def normal(a, b, c):
    u, v = [b[i] - a[i] for i in range(3)], [c[i] - a[i] for i in range(3)]
    n = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    length = math.sqrt(sum(x * x for x in n)) or 1.0
    return [x / length for x in n]


def view_of(p):
    """The view of the tube, which lies along x, tilted towards the viewer: x points right, y up, z to the viewer."""
    x, y, z = p[1], -p[0], p[2]
    tilt = 0.45
    return (x, y * math.cos(tilt) + z * math.sin(tilt), z * math.cos(tilt) - y * math.sin(tilt))


class Picture:
    def __init__(self):
        self.width, self.height = WIDTH * SAMPLES, HEIGHT * SAMPLES
        self.colours = [BACKGROUND] * (self.width * self.height)
        self.depths = [-1e9] * (self.width * self.height)

    def triangle(self, corners, shades):
        """Draws a triangle. corners: x and y in samples, and depth; shades: a colour for each corner."""
        (x0, y0, z0), (x1, y1, z1), (x2, y2, z2) = corners
        area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
        if abs(area) < 1e-9:
            return
        for y in range(max(0, math.ceil(min(y0, y1, y2))),
                       min(self.height - 1, math.floor(max(y0, y1, y2))) + 1):
            for x in range(max(0, math.ceil(min(x0, x1, x2))),
                           min(self.width - 1, math.floor(max(x0, x1, x2))) + 1):
                b = ((x - x0) * (y2 - y0) - (x2 - x0) * (y - y0)) / area
                c = ((x1 - x0) * (y - y0) - (x - x0) * (y1 - y0)) / area
                a = 1 - b - c
                if a < -1e-9 or b < -1e-9 or c < -1e-9:
                    continue
                depth, at = a * z0 + b * z1 + c * z2, y * self.width + x
                if depth > self.depths[at]:
                    self.depths[at] = depth
                    self.colours[at] = tuple(a * p + b * q + c * r for p, q, r in zip(*shades))

    def mesh(self, points, faces, errors, left):
        """Draws the tube from `left` pixels on; errors: 0 … 1 for each vertex."""
        seen = [view_of(p) for p in points]
        largest = max(errors) or 1.0
        for face in faces:
            n = normal(*(seen[v] for v in face))
            if n[2] <= 0:
                continue
            light = 0.35 + 0.65 * max(0.0, sum(a * b for a, b in zip(n, LIGHT)))
            corners = [((left + seen[v][0] * SCALE * 0.56) * SAMPLES,
                        (HEIGHT / 2 - seen[v][1] * SCALE * 0.9) * SAMPLES, seen[v][2]) for v in face]
            self.triangle(corners, [tuple(light * x for x in colour(errors[v] / largest))
                                    for v in face])

    def png(self):
        rows = bytearray()
        for y in range(HEIGHT):
            rows.append(0)
            for x in range(WIDTH):
                samples = [self.colours[(y * SAMPLES + j) * self.width + x * SAMPLES + i]
                           for j in range(SAMPLES) for i in range(SAMPLES)]
                rows.extend(min(255, round(sum(s[k] for s in samples) / len(samples)))
                            for k in range(3))

        def chunk(kind, data):
            return (struct.pack(">I", len(data)) + kind + data +
                    struct.pack(">I", zlib.crc32(kind + data)))

        return (b"\x89PNG\r\n\x1a\n" +
                chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)) +
                chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + chunk(b"IEND", b""))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        linear, dual = (bake(sys.argv[1], method, folder) for method in ("lbs", "dqs"))
    errors = [math.dist(a, b) for a, b in zip(linear, dual)]
    picture, faces = Picture(), triangles()
    picture.mesh(linear, faces, errors, 14)
    picture.mesh(dual, faces, [0.0] * len(errors), 425)
    with open(sys.argv[2], "wb") as file:
        file.write(picture.png())


main()
