// Moves the lines of the charts to the frame of a worst place, and to the clip and the frame of the page's address. The
// page is complete without this script.
"use strict";
const tell = (event, detail) => document.dispatchEvent(new CustomEvent(event, { detail }));
function moveCursors(clip, frame) {
  tell("skinbake-cursor", { clip, frame });
}
for (const place of document.querySelectorAll("button.place")) {
  place.addEventListener("click", () => moveCursors(place.dataset.clip ?? "", Number(place.dataset.frame)));
}

// A heat map tells the joint, the frame and the value of the cell under the pointer, or of the one that the arrow keys
// choose. A click on a cell, or Enter, goes to the joint in that frame.
for (const map of document.querySelectorAll("svg.heat")) {
  const [left, width, height] = map.dataset.grid.split(" ").map(Number);
  const [first, step, count] = map.dataset.frames.split(" ").map(Number), full = Number(map.dataset.full), { unit } = map.dataset;
  const rows = [...map.querySelectorAll("g")].map(({ dataset: { joint, values } }) => ({ joint, parts: values.split(" ").map(Number) }));
  const columns = Math.max(1, ...rows.map(({ parts }) => parts.length)), { clip } = map.closest(".pair").dataset;
  const frameOf = (column) => first + step * Math.floor((column * count) / columns);
  const ring = document.createElementNS("http://www.w3.org/2000/svg", "rect"), text = document.createElement("output");
  ring.setAttribute("class", "ring");
  map.append(ring);
  map.after(text);
  let cell = null;  // [row, column]

  const show = (row, column) => {
    cell = [Math.max(0, Math.min(rows.length - 1, row)), Math.max(0, Math.min(columns - 1, column))];
    const [r, c] = cell, { joint, parts } = rows[r], value = ((parts[c] ?? 0) / 1000) * full * (unit === "1" ? 100 : 1);
    const from = frameOf(c), to = Math.max(from, frameOf(c + 1) - step);
    const box = { x: left + (width * c) / columns, y: height * r, width: width / columns, height: height - 1 };
    for (const [name, value] of Object.entries(box)) ring.setAttribute(name, value);
    text.textContent = `${joint}, ${from === to ? "frame" : "frames"} ${from}${from === to ? "" : ` to ${to}`}: ` +
      `${Number(value.toPrecision(3))} ${unit === "1" ? "%" : unit}`;
  };
  const go = () => {
    const [row, column] = cell, frame = frameOf(column);
    moveCursors(clip, frame);
    tell("skinbake-place", { clip, frame, joint: rows[row].joint });
  };
  const showAt = ({ clientX, clientY }) => {
    const box = map.getBoundingClientRect(), scale = map.viewBox.baseVal.width / box.width;
    show(Math.floor(((clientY - box.top) * scale) / height), Math.floor(((((clientX - box.left) * scale) - left) / width) * columns));
  };
  map.addEventListener("pointermove", showAt);
  map.addEventListener("click", (event) => {
    showAt(event);
    go();
  });
  map.addEventListener("keydown", (event) => {
    const [row, column] = cell ?? [0, -1];
    const move = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!move && !(event.key === "Enter" && cell)) return;
    event.preventDefault();
    if (move) show(row + move[0], column + move[1]);
    else go();
  });
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
    tell("skinbake-seek", { clip, frame });
  }
  (document.querySelector("#view:not([hidden])") ?? pairs[0]).scrollIntoView();
}
addEventListener("hashchange", goToAddress);
document.addEventListener("DOMContentLoaded", goToAddress);  // the viewer listens by then
