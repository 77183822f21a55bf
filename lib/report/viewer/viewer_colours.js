// Colours of vertices: a value per vertex, and the scale that shows it.

import { Color } from "three";
import { decode, edgeLengths, nextCorner } from "./viewer_frames.js";

// Ratios below this are rounding of float32.
const isRounding = (ratio) => Math.abs(ratio) < 1e-6;

// A metre or a millimetre, whichever has fewer zeros; "%" of a ratio.
export const shown = (value, unit) => {
  const digits = (number) => String(Number(number.toPrecision(3)));
  if (unit === "%") return digits(isRounding(value) ? 0 : value * 100) + " %";
  return Math.abs(value) < 1 && value !== 0 ? digits(value * 1000) + " mm" : digits(value) + " m";
};

const ramp = (...stops) => {
  const colours = stops.map((stop) => new Color(stop));
  return Array.from({ length: 256 }, (_, i) => {
    const at = (i / 255) * (stops.length - 1), k = Math.min(Math.floor(at), stops.length - 2);
    return colours[k].clone().lerp(colours[k + 1], at - k);
  });
};

// Every 16th colour of viridis (Stéfan van der Walt, Nathaniel Smith, 2015; matplotlib, CC0), whose
// lightness rises evenly, for every kind of colour vision.
const viridis = ramp(
  "#440154", "#48186a", "#472d7b", "#424086", "#3b528b", "#33638d", "#2c728e", "#26828e", "#21918c",
  "#1fa088", "#28ae80", "#3fbc73", "#5ec962", "#84d44b", "#addc30", "#d8e219", "#fde725");
// RdBu reversed (Cynthia Brewer, ColorBrewer 2.0): red and blue are distinct for every kind of colour vision.
const blueToRed = ramp(
  "#053061", "#2166ac", "#4393c3", "#92c5de", "#d1e5f0", "#f7f7f7", "#fddbc7", "#f4a582", "#d6604d",
  "#b2182b", "#67001f");
const plain = ramp("#b0becc", "#b0becc");
const usualStretch = 0.5;  // which gets the full colour unless another scale is chosen

function fillStretch({ mesh, values, positions }) {
  const { triangles, bindLengths } = mesh, now = edgeLengths(triangles, positions);
  const count = new Float32Array(values.length);
  values.fill(0);
  for (let i = 0; i < triangles.length; ++i) {
    if (!(bindLengths[i] > 0)) continue;
    const ratio = now[i] / bindLengths[i] - 1;
    for (const v of [triangles[i], triangles[nextCorner(i)]]) {
      values[v] += ratio;
      count[v] += 1;
    }
  }
  for (let v = 0; v < values.length; ++v) values[v] /= Math.max(1, count[v]);
}

// The largest stretch of each vertex in any frame, in either direction. It is computed when a scale first needs it.
function worstStretch({ run, mesh }) {
  if (run.worstStretch) return run.worstStretch;
  const values = new Float32Array(mesh.vertex_count), positions = new Float32Array(3 * mesh.vertex_count), worst = new Float32Array(values.length);
  for (let frame = 0; 6 * frame < run.boxes.length; ++frame) {
    decode(run.boxes, run.positions, frame, positions);
    fillStretch({ mesh, values, positions });
    for (let v = 0; v < values.length; ++v) worst[v] = Math.max(worst[v], Math.abs(values[v]));
  }
  return (run.worstStretch = worst);
}

// fill(view, frame) sets view.values [vertex]. The scale goes from 0, or from -high if it has two
// directions, to `high`. caption(least, greatest, reference) names the quantity. worst(view) are the vertices' largest
// values of the clip, for the largest of them and for percentiles.
export const colourings = {
  stretch: {
    colours: blueToRed, bothWays: true, unit: "%",
    worst: worstStretch,
    fill: fillStretch, caption: (low, high) => `edges ${shown(low, "%")} to ${high > 0 && !isRounding(high) ? "+" : ""}${shown(high, "%")}`,
  },
  frame: {
    colours: viridis, bothWays: false, unit: "m",
    worst: ({ run }) => run.worst,
    fill: ({ run, values }, frame) => {
      if (run.errors.length === 0) return values.fill(0);
      const step = run.largest[frame] / 255, first = frame * values.length;
      for (let v = 0; v < values.length; ++v) values[v] = run.errors[first + v] * step;
    },
    caption: (low, high, reference) => `at most ${shown(high, "m")} from ${reference} in this frame`,
  },
  worst: {
    colours: viridis, bothWays: false, unit: "m",
    worst: ({ run }) => run.worst,
    fill: ({ run, values }) => (run.errors.length === 0 ? values.fill(0) : values.set(run.worst)),
    caption: (low, high, reference) => `at most ${shown(high, "m")} from ${reference} in the clip`,
  },
  none: { colours: plain, bothWays: false, unit: "", worst: () => [], fill: ({ values }) => values.fill(0), caption: () => "" },
};

// The value that gets the last colour, for one method's views among those of all methods.
export function scaleEnd(colouring, range, hand, own, all) {
  if (range === "hand" && hand > 0) return hand;
  if (range === "usual") return usualStretch;
  const largest = (views) => views.reduce((most, view) => colouring.worst(view).reduce((a, b) => Math.max(a, b), most), 0);
  if (range === "own") return largest(own) || 1;
  const sorted = range === "percentile" ? all.flatMap((view) => [...colouring.worst(view)]).sort((a, b) => a - b) : [];
  return sorted[Math.ceil(0.99 * sorted.length) - 1] || largest(all) || 1;
}
