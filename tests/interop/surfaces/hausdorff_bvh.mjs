// Prints the largest distance of points of one triangle mesh from another by three-mesh-bvh, in both directions, for
// meshes in OFF files:
//
//   node hausdorff_bvh.mjs MODULES SPACING A.off B.off
//
// MODULES: the folder of three and three-mesh-bvh. No edge between neighbouring points is longer than SPACING, so the
// Hausdorff distance is between the printed number and that number + SPACING / sqrt(3).

import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const [modules, spacing, ...files] = process.argv.slice(2);
const require = createRequire(path.join(modules, "index.js"));
const { BufferAttribute, BufferGeometry, Vector3 } = require("three");
const { MeshBVH } = require("three-mesh-bvh");

function read(file) {
  const [, counts, ...lines] = fs.readFileSync(file, "utf8").trim().split("\n");
  const [points, faces] = counts.split(" ").map(Number);
  const rows = lines.map((line) => line.split(" ").map(Number));
  return {
    points: rows.slice(0, points),
    triangles: rows.slice(points, points + faces).map(([, a, b, c]) => [a, b, c]),
  };
}

function bvhOf({ points, triangles }) {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(points.flat()), 3));
  geometry.setIndex(new BufferAttribute(new Uint32Array(triangles.flat()), 1));
  return new MeshBVH(geometry);
}

function farthest({ points, triangles }, bvh) {
  let largest = 0;
  const point = new Vector3(), target = {};
  for (const corners of triangles) {
    const [a, b, c] = corners.map((corner) => new Vector3(...points[corner]));
    const parts = Math.max(1, Math.ceil(Math.max(a.distanceTo(b), b.distanceTo(c), c.distanceTo(a)) / spacing));
    for (let i = 0; i <= parts; ++i) {
      for (let j = 0; i + j <= parts; ++j) {
        point.set(0, 0, 0).addScaledVector(a, i / parts).addScaledVector(b, j / parts)
          .addScaledVector(c, (parts - i - j) / parts);
        largest = Math.max(largest, bvh.closestPointToPoint(point, target).distance);
      }
    }
  }
  return largest;
}

const [a, b] = files.map(read);
console.log(Math.max(farthest(a, bvhOf(b)), farthest(b, bvhOf(a))));
