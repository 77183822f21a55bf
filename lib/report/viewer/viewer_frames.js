// The frames of the viewer, decoded from the data that data.cpp writes.

import { Vector3 } from "three";

export function bytes(base64) {
  const text = atob(base64);
  const all = new Uint8Array(text.length);
  for (let i = 0; i < all.length; ++i) all[i] = text.charCodeAt(i);
  return all.buffer;
}
export const floats = (base64) => new Float32Array(bytes(base64));
const shorts = (base64) => new Uint16Array(bytes(base64));

// Decodes the positions of one frame: 65535ths of its box.
export function decode(boxes, positions, frame, out) {
  const box = boxes.subarray(6 * frame, 6 * frame + 6);
  const first = frame * out.length;
  for (let i = 0; i < out.length; ++i) {
    const axis = i % 3;
    out[i] = box[axis] + (positions[first + i] * (box[3 + axis] - box[axis])) / 65535;
  }
}

// About 50 000 positions of vertices, evenly taken from all frames of all runs. The vector is one, with other values.
export function* someVertices(runs) {
  const step = Math.max(1, Math.ceil(runs.reduce((sum, { positions }) => sum + positions.length / 3, 0) / 50_000)), vertex = new Vector3();
  for (const { boxes, positions } of runs) {
    const perFrame = (6 * positions.length) / boxes.length;
    for (let i = 0; i < positions.length; i += 3 * step) {
      const box = boxes.subarray(6 * Math.floor(i / perFrame), 6 * Math.floor(i / perFrame) + 6);
      const at = (axis) => box[axis] + (positions[i + axis] * (box[3 + axis] - box[axis])) / 65535;
      yield vertex.set(at(0), at(1), at(2));
    }
  }
}

// The length of each triangle's edges, each from a corner to the next one.
export const nextCorner = (i) => (i % 3 === 2 ? i - 2 : i + 1);
export function edgeLengths(triangles, positions) {
  const all = new Float32Array(triangles.length);
  for (let i = 0; i < all.length; ++i) {
    const v = 3 * triangles[i], w = 3 * triangles[nextCorner(i)];
    all[i] = Math.hypot(positions[v] - positions[w], positions[v + 1] - positions[w + 1], positions[v + 2] - positions[w + 2]);
  }
  return all;
}

export function openMesh(mesh) {
  const triangles = new Uint32Array(bytes(mesh.triangles));
  const bind = new Float32Array(3 * mesh.vertex_count);
  decode(floats(mesh.bind_box), shorts(mesh.bind), 0, bind);
  return { ...mesh, triangles, bindLengths: edgeLengths(triangles, bind), isShown: true };
}

export function openRun(run) {
  return {
    ...run, boxes: floats(run.boxes), positions: shorts(run.positions),
    largest: floats(run.largest), errors: new Uint8Array(bytes(run.errors)), worst: floats(run.worst),
  };
}

// The clip with its runs; `largest` is the greatest error in it.
export function openClip({ runs, skeleton, ...clip }) {
  const opened = runs.map(openRun);
  return {
    ...clip, runs: opened,
    skeleton: { ...skeleton, positions: floats(skeleton.positions) },
    largest: opened.reduce((all, { worst }) => worst.reduce((a, b) => Math.max(a, b), all), 0),
  };
}
