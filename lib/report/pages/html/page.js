// Shows the values of a chart under the pointer, or at a line that the arrow keys move. All charts of a
// clip follow the frame of the 3D viewer and of the worst places. The page is complete without this script.
"use strict";
const cursors = [];  // { clip, frames(number) moves the line }
for (const chart of document.querySelectorAll("svg.chart")) {
  const [t0, t1, left, right] = chart.dataset.x.split(" ").map(Number);
  const [v0, v1, bottom, top] = chart.dataset.y.split(" ").map(Number);
  const fps = Number(chart.dataset.fps);
  const curves = [...chart.querySelectorAll("path.curve")].map((path) => ({
    name: path.dataset.name,
    points: [...path.getAttribute("d").matchAll(/[ML]([-.\d]+) ([-.\d]+)/g)].map((m) => [+m[1], +m[2]]),
  })).filter((curve) => curve.points.length > 0);
  if (curves.length === 0) continue;
  const columns = [...new Set(curves.flatMap((curve) => curve.points.map((p) => p[0])))].sort((a, b) => a - b);
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  line.setAttribute("class", "cursor");
  const text = document.createElement("output");
  chart.append(line);
  chart.after(text);
  let current = -1;

  const closest = (all, of, x) => all.reduce((a, b) => (Math.abs(of(b) - x) < Math.abs(of(a) - x) ? b : a));
  const shown = (value) => {
    const unit = chart.dataset.unit;
    const digits = (number) => String(Number(number.toPrecision(3)));
    return unit === "1" ? digits(value * 100) + " %" : digits(value) + (unit ? " " + unit : "");
  };
  const timeAt = (x) => t0 + ((x - left) / (right - left)) * (t1 - t0);
  const frameNow = () => Math.round(timeAt(columns[current]) * fps);
  const show = (index) => {
    current = Math.max(0, Math.min(columns.length - 1, index));
    const x = columns[current];
    line.setAttribute("d", `M${x} ${top}V${bottom}`);
    text.textContent = `${timeAt(x).toFixed(2)} s, frame ${frameNow()}: ` +
      curves.map((curve) => {
        const y = closest(curve.points, (point) => point[0], x)[1];
        return `${curve.name} ${shown(v0 + ((y - bottom) / (top - bottom)) * (v1 - v0))}`;
      }).join(", ");
  };
  const showAt = (x) => show(columns.indexOf(closest(columns, (column) => column, x)));
  // The viewer, where the page has one, shows the frame of the line.
  const seek = () => document.dispatchEvent(new CustomEvent("skinbake-seek", { detail: { clip: chart.dataset.clip, frame: frameNow() } }));
  cursors.push({ clip: chart.dataset.clip, to: (frame) => showAt(left + ((frame / fps - t0) / (t1 - t0)) * (right - left)) });
  chart.addEventListener("pointermove", (event) => {
    const box = chart.getBoundingClientRect();
    showAt(((event.clientX - box.left) / box.width) * chart.viewBox.baseVal.width);
  });
  chart.addEventListener("click", () => current >= 0 && seek());
  chart.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -columns.length, End: columns.length }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    show(current < 0 ? (step > 0 ? 0 : columns.length - 1) : current + step);
    seek();
  });
}

function moveCursors(clip, frame) {
  for (const cursor of cursors) if (cursor.clip === clip) cursor.to(frame);
}
document.addEventListener("skinbake-frame", ({ detail }) => moveCursors(detail.clip, detail.frame));
for (const place of document.querySelectorAll("button.place")) {
  place.addEventListener("click", () => moveCursors(place.dataset.clip ?? "", Number(place.dataset.frame)));
}

// The address "#clip=Walk&frame=31", to which an overview links: opens the curves of the clip and goes to the frame.
function goToAddress() {
  const wanted = new URLSearchParams(location.hash.slice(1)), frame = Number(wanted.get("frame") ?? 0);
  const pairs = [...document.querySelectorAll("details.pair")].filter(({ dataset }) => (dataset.clip || "rest pose") === wanted.get("clip"));
  if (pairs.length === 0) return;
  for (const pair of pairs) pair.open = true;
  const { clip } = pairs[0].dataset;
  if (Number.isInteger(frame) && frame >= 0) {
    moveCursors(clip, frame);
    document.dispatchEvent(new CustomEvent("skinbake-seek", { detail: { clip, frame } }));
  }
  (document.querySelector("#view:not([hidden])") ?? pairs[0]).scrollIntoView();
}
addEventListener("hashchange", goToAddress);
document.addEventListener("DOMContentLoaded", goToAddress);  // the viewer listens by then
