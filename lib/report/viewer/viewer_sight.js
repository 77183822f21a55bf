// The direction from which a place is seen. It depends on the pose alone, so that a place always has one view.

import { Vector3 } from "three";

const steepest = 0.9;  // y of a direction: from straight above, the camera has no upright
const fallback = new Vector3(0.55, 0.35, 1).normalize();
const besides = Math.cos(Math.PI / 9);  // directions nearer than 20° are beside each other

// Directions spread evenly over the sphere without its poles (a Fibonacci lattice).
const directions = Array.from({ length: 120 }, (_, i) => {
  const y = steepest * (1 - (2 * i + 1) / 120), ring = Math.sqrt(1 - y * y), angle = i * Math.PI * (3 - Math.sqrt(5));
  return new Vector3(ring * Math.cos(angle), y, ring * Math.sin(angle));
});

// The direction, or the nearest one that is not too steep.
function upright(direction) {
  if (direction.length() < 1e-6) return fallback.clone();
  const { x, y, z } = direction.clone().normalize();
  if (Math.abs(y) <= steepest) return new Vector3(x, y, z);
  const aside = new Vector3(x, 0, z);
  if (aside.length() < 1e-6) aside.set(fallback.x, 0, fallback.z);
  return aside.setLength(Math.sqrt(1 - steepest * steepest)).setY(Math.sign(y) * steepest);
}

const edge = (from, to) => [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

// The distance from the origin at which a ray meets a triangle; 0: it does not (Möller, Trumbore 1997).
function distanceTo([a, b, c], direction) {
  const ab = edge(a, b), ac = edge(a, c), p = cross(direction, ac), determinant = dot(ab, p);
  if (determinant === 0) return 0;
  const u = -dot(a, p) / determinant, q = cross([-a[0], -a[1], -a[2]], ab), v = dot(direction, q) / determinant;
  return u < 0 || v < 0 || u + v > 1 ? 0 : dot(ac, q) / determinant;
}

// How deep a position is behind the surfaces of a tile, for each direction towards the camera.
function depthsOf(views, at, far, rays) {
  const depths = new Float64Array(rays.length);
  for (const { mesh, positions } of views.filter(({ mesh }) => mesh.isShown)) {
    const corner = (i) => [0, 1, 2].map((axis) => positions[3 * mesh.triangles[i] + axis] - at[axis]);
    for (let i = 0; i + 2 < mesh.triangles.length; i += 3) {
      const triangle = [corner(i), corner(i + 1), corner(i + 2)], [a, b, c] = triangle;
      // A ray that meets the triangle is in the cone around its first corner that holds the triangle.
      const reach = Math.max(dot(edge(a, b), edge(a, b)), dot(edge(a, c), edge(a, c))), least = dot(a, a) - reach;
      const bound = least > 0 ? Math.sqrt(least) : -Infinity;
      for (let r = 0; r < rays.length; ++r) {
        if (dot(rays[r], a) < bound) continue;
        const distance = distanceTo(triangle, rays[r]);
        if (distance > depths[r] && distance < far) depths[r] = distance;
      }
    }
  }
  return depths;
}

// The sum of the normals of the triangles around some vertices.
function normalOf({ mesh, positions }, vertices) {
  const sum = new Vector3(), wanted = new Set(vertices), { triangles } = mesh;
  const at = (i) => [...positions.subarray(3 * triangles[i], 3 * triangles[i] + 3)];
  for (let i = 0; i + 2 < triangles.length; i += 3) {
    if (![i, i + 1, i + 2].some((k) => wanted.has(triangles[k]))) continue;
    sum.add(new Vector3(...cross(edge(at(i), at(i + 1)), edge(at(i), at(i + 2)))));
  }
  return sum;
}

// The direction from a place to the camera, at a distance, from which most of the tiles show the place. The normal of a
// vertex, or the way out of the body at a joint, is preferred. `place`: { at, view, vertices }, as placeOf() gives it.
export function sightOf({ at, view, vertices }, tiles, { middle, radius }, distance) {
  const preferred = upright(view ? normalOf(view, vertices) : at.clone().sub(middle).multiplyScalar(1.5 / radius).add(fallback));
  const all = [preferred, ...directions], rays = all.map((each) => each.toArray());
  const hidden = new Float64Array(all.length);
  for (const tile of tiles) {
    const depths = depthsOf(tile.views, at.toArray(), distance, rays), isOwn = view && tile.views.includes(view);
    // A vertex is seen or not; a joint is inside the body, and is seen best where least is in front of it.
    depths.forEach((depth, r) => { hidden[r] += Math.min(1, depth / radius) / tiles.length + (isOwn && depth > 1e-3 * radius ? 0.5 : 0); });
  }
  const costs = all.map((direction, r) => {
    const beside = all.flatMap((other, s) => (s !== r && other.dot(direction) > besides ? [hidden[s]] : []));
    const around = beside.reduce((sum, each) => sum + each, 0) / Math.max(1, beside.length);  // a gap is a poor window
    return hidden[r] + 0.3 * around + 0.08 * (1 - direction.dot(preferred)) + 0.08 * direction.y ** 2;  // from aside
  });
  return all[costs.indexOf(Math.min(...costs))];
}
