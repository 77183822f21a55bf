// Draws the curves of a page with uPlot: the values under the pointer or at a line that the arrow keys move, a part of
// the clip by dragging, curves that the legend hides, and a logarithmic scale. All charts of a clip follow the frame of
// the 3D viewer and of the worst places. Each chart is in the page as SVG too, which is printed, and which stays where
// scripts do not run.
/*! uPlot, Copyright (c) Leon Sorokin, MIT License, github.com/leeoniya/uPlot */
import uPlot from "uplot";
import style from "uplot/dist/uPlot.min.css";

const height = 220;
// A logarithmic scale is offered for values of which the largest is so many times the smallest.
const leastLogarithmicRange = 20;

// The numbers of an attribute; "-" is no number.
const numbers = (text) => text.split(" ").map((word) => (word === "-" ? null : Number(word)));

function curveOf(path) {
  const fps = Number(path.dataset.fps);
  const times = numbers(path.dataset.frames).map((frame) => frame / fps);
  return { name: path.dataset.name, path, fps, times, values: numbers(path.dataset.values), isHidden: false };
}

// The arrays that uPlot draws: the times of all curves, and the values of each at them.
function aligned(curves) {
  const [{ times }] = curves;
  const isEqual = (other) => other.length === times.length && other.every((time, i) => time === times[i]);
  if (curves.every((curve) => isEqual(curve.times))) return [times, ...curves.map((curve) => curve.values)];
  return uPlot.join(curves.map((curve) => [curve.times, curve.values]));
}

function created(name, properties) {
  return Object.assign(document.createElement(name), properties);
}

class Chart {
  constructor(svg) {
    this.svg = svg;
    this.clip = svg.dataset.clip;
    this.curves = [...svg.querySelectorAll("path.curve")].map(curveOf);
    this.data = aligned(this.curves);
    this.times = this.data[0];
    this.index = -1;  // of the line; -1: there is none yet
    this.isLogarithmic = false;
    this.addElements();
    this.addKeys();
    new ResizeObserver(() => this.fit()).observe(this.root);
  }

  addElements() {
    this.root = created("div", { className: "plot", tabIndex: 0, role: "img", ariaLabel: this.svg.ariaLabel });
    this.told = created("output", {});
    this.tools = created("p", { className: "plot-tools" });
    this.whole = created("button", { type: "button", textContent: "Whole clip", hidden: true });
    this.whole.addEventListener("click", () => this.showWhole());
    this.tools.append(this.whole);
    const all = this.curves.flatMap((curve) => curve.values.filter((value) => value !== null));
    if (Math.min(...all) > 0 && Math.max(...all) > leastLogarithmicRange * Math.min(...all)) {
      const log = created("button", { type: "button", textContent: "Logarithmic", ariaPressed: "false" });
      log.addEventListener("click", () => {
        this.isLogarithmic = !this.isLogarithmic;
        log.ariaPressed = String(this.isLogarithmic);
        this.draw();
      });
      this.tools.append(log);
    }
    this.svg.after(this.root, this.told, this.tools);
    this.svg.closest("figure").classList.add("drawn");
    this.svg.closest("figure").querySelectorAll(".legend li").forEach((item, i) => this.makeSwitch(item, i));
  }

  // An entry of the legend hides its curve and shows it again.
  makeSwitch(item, i) {
    const button = created("button", { type: "button", ariaPressed: "true" });
    button.append(...item.childNodes);
    item.append(button);
    button.addEventListener("click", () => {
      const curve = this.curves[i];
      curve.isHidden = !curve.isHidden;
      button.ariaPressed = String(!curve.isHidden);
      this.plot?.setSeries(i + 1, { show: !curve.isHidden });
      this.tell();
    });
  }

  addKeys() {
    this.root.addEventListener("keydown", (event) => {
      const last = this.times.length - 1;
      const to = { ArrowLeft: this.index < 0 ? last : this.index - 1, ArrowRight: this.index + 1, Home: 0, End: last }[event.key];
      if (to !== undefined) {
        this.move(to);
        this.seek();
      } else if (event.key === "+") {
        this.zoom(0.5);
      } else if (event.key === "-") {
        this.zoom(2);
      } else {
        return;
      }
      event.preventDefault();
    });
  }

  // Draws the chart when it gets a width, and again when the width changes.
  fit() {
    const width = this.root.clientWidth;
    if (width === 0) return;
    if (this.plot) {
      this.plot.setSize({ width, height });
      this.place();
    } else {
      this.draw();
    }
  }

  draw() {
    if (this.root.clientWidth === 0) return;
    const part = this.plot && !this.isWhole(this.plot) ? { ...this.plot.scales.x } : null;
    this.plot?.destroy();
    this.plot = new uPlot(this.options(), this.data, this.root);
    if (part) this.plot.setScale("x", { min: part.min, max: part.max });
    const { over } = this.plot;
    let from = 0;
    over.addEventListener("pointerdown", (event) => (from = event.clientX));
    over.addEventListener("click", (event) => Math.abs(event.clientX - from) < 4 && this.index >= 0 && this.seek());
    over.addEventListener("mouseleave", () => this.place());
    this.place();
  }

  options() {
    const colour = (name) => getComputedStyle(this.root).getPropertyValue(name);
    const axis = { stroke: colour("--quiet"), font: "12px system-ui, sans-serif", grid: { stroke: colour("--line"), width: 1 },
      ticks: { show: false } };
    const seconds = (plot, times) => times.map((time) => `${this.digits(time)} s`);
    const values = (plot, numbers) => numbers.map((number) => (number === null ? "" : this.shown(number)));
    return {
      width: this.root.clientWidth, height, legend: { show: false },
      cursor: { y: false, drag: { x: true, y: false, dist: 4 } },
      scales: { x: { time: false }, y: this.isLogarithmic ? { distr: 3 } : { range: (plot, low, high) => this.rangeOf(low, high) } },
      axes: [{ ...axis, values: seconds, size: 26 }, { ...axis, values, size: 76 }],
      series: [{}, ...this.curves.map((curve) => this.seriesOf(curve))],
      hooks: {
        setCursor: [(plot) => plot.cursor.idx != null && this.tell(plot.cursor.idx)],
        setScale: [(plot, key) => key === "x" && (this.whole.hidden = this.isWhole(plot))],
      },
    };
  }

  seriesOf(curve) {
    const { stroke, strokeDasharray } = getComputedStyle(curve.path);
    const dash = strokeDasharray === "none" ? undefined : strokeDasharray.split(/[ ,]+/).map(parseFloat);
    return { label: curve.name, stroke, dash, width: 2, show: !curve.isHidden, points: { show: curve.times.length === 1 } };
  }

  // As the axis of the SVG does, the range contains zero.
  rangeOf(low, high) {
    const from = Math.min(0, low ?? 0), to = Math.max(0, high ?? 0);
    return from < to ? [from, to] : [0, 1];
  }

  isWhole(plot) {
    return plot.scales.x.min <= this.times[0] && plot.scales.x.max >= this.times[this.times.length - 1];
  }

  showWhole() {
    this.plot.setScale("x", { min: this.times[0], max: this.times[this.times.length - 1] });
    this.place();
    this.root.focus();  // the button disappears
  }

  // Shows `factor` times as much time around the line.
  zoom(factor) {
    const { min, max } = this.plot.scales.x, first = this.times[0], last = this.times[this.times.length - 1];
    const middle = this.times[Math.max(this.index, 0)], half = ((max - min) * factor) / 2;
    const from = Math.max(first, middle - half), to = Math.min(last, middle + half);
    if (to > from) this.plot.setScale("x", { min: from, max: to });
    this.place();
  }

  digits(number) {
    return String(Number(number.toPrecision(3)));
  }
  shown(value) {
    const { unit } = this.svg.dataset;
    return unit === "1" ? `${this.digits(value * 100)} %` : `${this.digits(value)}${unit ? ` ${unit}` : ""}`;
  }

  frame() {
    return Math.round(this.times[this.index] * Number(this.svg.dataset.fps));
  }

  // Says the values at a time, by default that of the line, which moves there.
  tell(index = this.index) {
    if (index < 0) return;
    this.index = index;
    const told = this.curves.map((curve, i) => {
      const value = curve.isHidden ? undefined : this.data[i + 1][index];
      return value == null ? null : `${curve.name} ${this.shown(value)}`;
    }).filter((text) => text !== null);
    this.told.textContent = `${this.times[index].toFixed(2)} s, frame ${this.frame()}: ${told.join(", ")}`;
  }

  // Draws the line.
  place() {
    if (this.index < 0 || !this.plot) return;
    const left = this.plot.valToPos(this.times[this.index], "x");
    const isInside = left >= 0 && left <= this.plot.over.clientWidth;
    this.plot.setCursor({ left: isInside ? left : -10, top: isInside ? 1 : -10 }, false);
  }

  move(index) {
    this.tell(Math.max(0, Math.min(this.times.length - 1, index)));
    this.place();
  }
  moveTo(frame) {
    const time = frame / Number(this.svg.dataset.fps);
    this.move(this.times.reduce((best, at, i) => (Math.abs(at - time) < Math.abs(this.times[best] - time) ? i : best), 0));
  }

  // The viewer, where the page has one, shows the frame of the line.
  seek() {
    document.dispatchEvent(new CustomEvent("skinbake-seek", { detail: { clip: this.clip, frame: this.frame() } }));
  }
}

document.head.append(created("style", { textContent: style }));
const charts = [...document.querySelectorAll("svg.chart")].map((svg) => new Chart(svg));
for (const event of ["skinbake-frame", "skinbake-cursor"]) {
  document.addEventListener(event, ({ detail }) => {
    for (const chart of charts) if (chart.clip === detail.clip) chart.moveTo(detail.frame);
  });
}
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => charts.forEach((chart) => chart.draw()));
