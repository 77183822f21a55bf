"""Surfaces of limbs: tubes, capsules and boxes."""

import math

from rigs.formulas import clean, cross, normalized


class Surface:
    """Vertices, triangles, and each vertex's distance s along its limb's axis."""

    def __init__(self):
        self.positions, self.normals, self.influences, self.triangles = [], [], [], []

    def vertex(self, position, normal, influences=()):
        self.positions.append([clean(x) for x in position])
        self.normals.append([clean(x) for x in normalized(normal)])
        self.influences.append(list(influences))
        return len(self.positions) - 1

    def add_rings(self, origin, axis, side, rings, around, weights, flatness=1.0):
        """Adds a surface through the rings (s, radius, (radial, axial part of the normal)) along `axis`.

        A ring of radius 0 is a single vertex. `side` is the direction of the first vertex of a ring; `flatness`
        scales the rings perpendicular to it.
        """
        along = normalized(axis)
        u = normalized(side)
        v = cross(along, u)  # u, v, along: right-handed
        loops = []
        for s, radius, (radial, axial) in rings:
            loop = []
            for j in range(around if radius > 0 else 1):
                angle = 2 * math.pi * j / around
                c, d = math.cos(angle), math.sin(angle)
                position = [origin[k] + s * along[k] + radius * (c * u[k] + flatness * d * v[k])
                            for k in range(3)]
                normal = [radial * (c * u[k] + d / flatness * v[k]) + axial * along[k]
                          for k in range(3)]
                loop.append(self.vertex(position, normal, weights(s)))
            loops.append(loop)
        for near, far in zip(loops, loops[1:]):
            for j in range(around):
                a, b = near[j % len(near)], near[(j + 1) % len(near)]
                c, d = far[(j + 1) % len(far)], far[j % len(far)]
                if a != b and len({a, b, c}) == 3:
                    self.triangles.append((a, b, c))
                if c != d:
                    self.triangles.append((a, c, d))

    def add_tube(self, origin, axis, side, length, radius, around, spans, weights):
        """A cylinder with flat ends. The vertices of its rims are doubled: their normals differ."""
        self.add_rings(origin, axis, side, [(0, 0, (0, -1)), (0, radius, (0, -1))], around, weights)
        self.add_rings(origin, axis, side,
                       [(length * i / spans, radius, (1, 0)) for i in range(spans + 1)], around,
                       weights)
        self.add_rings(origin, axis, side, [(length, radius, (0, 1)), (length, 0, (0, 1))], around,
                       weights)

    def add_capsule(self, origin, axis, side, length, radii, around, spans, weights,
                    end_rings=4, flatness=1.0):
        """A limb that tapers from radii[0] to radii[1] and has a hemisphere at each end; `length` includes both."""
        first, last = radii
        rings = [(0, 0, (0, -1))]
        for k in range(1, end_rings):
            angle = math.pi / 2 * k / end_rings
            rings.append((first * (1 - math.cos(angle)), first * math.sin(angle),
                          (math.sin(angle), -math.cos(angle))))
        straight = length - first - last
        slope = (last - first) / straight
        for i in range(spans + 1):
            rings.append((first + straight * i / spans, first + (last - first) * i / spans,
                          (1, -slope)))
        for k in range(end_rings - 1, 0, -1):
            angle = math.pi / 2 * k / end_rings
            rings.append((length - last * (1 - math.cos(angle)), last * math.sin(angle),
                          (math.sin(angle), math.cos(angle))))
        rings.append((length, 0, (0, 1)))
        self.add_rings(origin, axis, side, rings, around, weights, flatness)

    def add_box(self, center, half):
        """A box of six faces with four vertices each, which have the normal of the face."""
        for axis in range(3):
            for sign in (-1, 1):
                normal = [sign if k == axis else 0 for k in range(3)]
                b, c = (axis + 1) % 3, (axis + 2) % 3
                corners = []
                for p, q in ((-1, -1), (1, -1), (1, 1), (-1, 1))[::sign]:
                    offset = [0, 0, 0]
                    offset[axis], offset[b], offset[c] = sign * half[axis], p * half[b], q * half[c]
                    corners.append(self.vertex([center[k] + offset[k] for k in range(3)], normal))
                self.triangles += [tuple(corners[:3]), (corners[0], corners[2], corners[3])]
