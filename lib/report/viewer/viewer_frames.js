// The frames of viewer.js, decoded from the data that data.cpp writes, and the colours of vertices.

import { Color } from "three";

export const shown = (value, unit) => {
  const digits = (number) => String(Number(number.toPrecision(3)));
  return unit === "%" ? digits(value * 100) + " %" : digits(value) + " m";
};

function bytes(base64) {
  const text = atob(base64);
  const all = new Uint8Array(text.length);
  for (let i = 0; i < all.length; ++i) all[i] = text.charCodeAt(i);
  return all.buffer;
}
const floats = (base64) => new Float32Array(bytes(base64));
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

// The length of each triangle's edges, each from a corner to the next one.
const next = (i) => (i % 3 === 2 ? i - 2 : i + 1);
function lengths(triangles, positions) {
  const all = new Float32Array(triangles.length);
  for (let i = 0; i < all.length; ++i) {
    const v = 3 * triangles[i], w = 3 * triangles[next(i)];
    all[i] = Math.hypot(positions[v] - positions[w], positions[v + 1] - positions[w + 1], positions[v + 2] - positions[w + 2]);
  }
  return all;
}

export function openMesh(mesh) {
  const triangles = new Uint32Array(bytes(mesh.triangles));
  const bind = new Float32Array(3 * mesh.vertex_count);
  decode(floats(mesh.bind_box), shorts(mesh.bind), 0, bind);
  return { ...mesh, triangles, bindLengths: lengths(triangles, bind) };
}

export function openRun(run) {
  return {
    ...run, boxes: floats(run.boxes), positions: shorts(run.positions),
    largest: floats(run.largest), errors: new Uint8Array(bytes(run.errors)), worst: floats(run.worst),
  };
}

// ---- Colours: a value per vertex, and the scale that shows it

const ramp = (...stops) => {
  const colours = stops.map((stop) => new Color(stop));
  return Array.from({ length: 256 }, (_, i) => {
    const at = (i / 255) * (stops.length - 1), k = Math.min(Math.floor(at), stops.length - 2);
    return colours[k].clone().lerp(colours[k + 1], at - k).toArray();
  });
};
const plain = "#b0becc";
const upwards = [plain, "#f4be5a", "#c42830"], bothWays = ["#1f6fc8", plain, "#c42830"];
const mostStretch = 0.5;

// fill(view, frame) sets view.values [vertex]; the colour scale goes from `low` to high(clip).
export const colourings = {
  frame: {
    stops: upwards, low: 0, unit: "m", high: (clip) => clip.largest,
    fill: ({ run, values }, frame) => {
      if (run.errors.length === 0) return values.fill(0);
      const step = run.largest[frame] / 255, first = frame * values.length;
      for (let v = 0; v < values.length; ++v) values[v] = run.errors[first + v] * step;
    },
  },
  worst: {
    stops: upwards, low: 0, unit: "m", high: (clip) => clip.largest,
    fill: ({ run, values }) => (run.errors.length === 0 ? values.fill(0) : values.set(run.worst)),
  },
  stretch: {
    stops: bothWays, low: -mostStretch, unit: "%", high: () => mostStretch,
    fill: ({ mesh, values, positions }) => {
      const { triangles, bindLengths } = mesh, now = lengths(triangles, positions);
      const count = new Float32Array(values.length);
      values.fill(0);
      for (let i = 0; i < triangles.length; ++i) {
        if (!(bindLengths[i] > 0)) continue;
        const ratio = now[i] / bindLengths[i] - 1;
        for (const v of [triangles[i], triangles[next(i)]]) {
          values[v] += ratio;
          count[v] += 1;
        }
      }
      for (let v = 0; v < values.length; ++v) values[v] /= Math.max(1, count[v]);
    },
  },
  none: { stops: [plain, plain], low: 0, unit: "", high: () => 1, fill: ({ values }) => values.fill(0) },
};
for (const colouring of Object.values(colourings)) colouring.colours = ramp(...colouring.stops);
