// Shows the values of a chart under the pointer, or at a line that the arrow keys move. The page is
// complete without this script.
"use strict";
for (const chart of document.querySelectorAll("svg.chart")) {
  const [t0, t1, left, right] = chart.dataset.x.split(" ").map(Number);
  const [v0, v1, bottom, top] = chart.dataset.y.split(" ").map(Number);
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

  const nearest = (points, x) => points.reduce((a, b) => (Math.abs(b[0] - x) < Math.abs(a[0] - x) ? b : a));
  const shown = (value) => {
    const unit = chart.dataset.unit;
    const digits = (number) => String(Number(number.toPrecision(3)));
    return unit === "1" ? digits(value * 100) + " %" : digits(value) + (unit ? " " + unit : "");
  };
  const show = (index) => {
    current = Math.max(0, Math.min(columns.length - 1, index));
    const x = columns[current];
    const time = t0 + ((x - left) / (right - left)) * (t1 - t0);
    line.setAttribute("d", `M${x} ${top}V${bottom}`);
    text.textContent = `${time.toFixed(2)} s, frame ${Math.round(time * chart.dataset.fps)}: ` +
      curves.map((curve) => {
        const y = nearest(curve.points, x)[1];
        return `${curve.name} ${shown(v0 + ((y - bottom) / (top - bottom)) * (v1 - v0))}`;
      }).join(", ");
  };
  chart.addEventListener("pointermove", (event) => {
    const box = chart.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * chart.viewBox.baseVal.width;
    show(columns.indexOf(columns.reduce((a, b) => (Math.abs(b - x) < Math.abs(a - x) ? b : a))));
  });
  chart.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -columns.length, End: columns.length }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    show(current < 0 ? (step > 0 ? 0 : columns.length - 1) : current + step);
  });
}
