// The matrix of the overview page: characters down, clips or methods across, coloured by a measurement.
// The page has a table of the worst values without this script.
"use strict";
const data = JSON.parse(document.querySelector("#overview-data").textContent);
const part = (name) => document.querySelector(`#overview [data-part="${name}"]`);
const matrix = document.querySelector("#matrix");

// Every 16th colour of viridis (Stéfan van der Walt, Nathaniel Smith, 2015; matplotlib, CC0), from light to dark;
// RdBu reversed (Cynthia Brewer, ColorBrewer 2.0) for changes.
const viridis = ["#fde725", "#d8e219", "#addc30", "#84d44b", "#5ec962", "#3fbc73", "#28ae80", "#1fa088", "#21918c", "#26828e", "#2c728e", "#33638d", "#3b528b", "#424086", "#472d7b", "#48186a", "#440154"];
const blueToRed = ["#053061", "#2166ac", "#4393c3", "#92c5de", "#d1e5f0", "#f7f7f7", "#fddbc7", "#f4a582", "#d6604d", "#b2182b", "#67001f"];
const rounding = 1e-4;  // values below are float32 rounding: 1e-6 in %

const channels = (colour) => [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
function colourAt(ramp, share) {
  const at = Math.max(0, Math.min(1, share)) * (ramp.length - 1), k = Math.min(Math.floor(at), ramp.length - 2);
  const from = channels(ramp[k]), to = channels(ramp[k + 1]);
  return from.map((channel, i) => Math.round(channel + (to[i] - channel) * (at - k)));
}
// Black or white, whichever has the greater contrast (WCAG's relative luminance).
function inkOn(rgb) {
  const [r, g, b] = rgb.map((channel) => (channel / 255 <= 0.04045 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? "#000" : "#fff";
}
const thin = "\u202f";  // a narrow space that does not break
const superscript = (number) => [...String(number)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");
// Three digits, as people write numbers: 0.02, 10 900, 1.5 × 10¹².
function digits(value) {
  if (Math.abs(value) < rounding) return "0";
  const [, share, power] = value.toExponential(2).match(/^(-?[\d.]+)e\+?(-?\d+)$/);
  if (power >= 9) return `${Number(share)}${thin}×${thin}10${superscript(power)}`;
  const [whole, part = ""] = String(Number(value.toPrecision(3))).split(".");
  return (power < 4 ? whole : whole.replace(/\B(?=(\d{3})+$)/g, thin)) + (part && `.${part}`);
}

// Columns before the clips or methods by which rows are sorted.
const byVerdict = -3, byName = -2, byWorst = -1;
const asGiven = { column: byVerdict, descending: true };  // failing rows first, then by the worst of the row
let sorted = asGiven;

// The value of a cell by the chosen measurement: null where it is not measured.
const valueOf = ([, , , values, , , changes], metric, isChange) => (isChange ? changes?.[metric] ?? null : values[metric]);

// The address of a clip and a frame on the page of a character.
function addressOf(page, clip, frame) {
  const name = data.addresses[clip] ?? data.clips[clip];
  return `${page}${page.startsWith("#") ? "&" : "#"}clip=${encodeURIComponent(name)}&frame=${frame}`;
}

// rows[]: { character, cells: [column] → { value, cell } or undefined, worst }
function rowsOf(metric, byMethod, only, isChange) {
  const rows = data.characters.map((character, index) => ({ character, index, cells: [], worst: null }));
  const size = (value) => (isChange ? Math.abs(value) : value);
  for (const cell of data.cells) {
    const [report, clip, method] = cell, character = data.reports[report][0];
    if (only >= 0 && (byMethod ? clip : method) !== only) continue;
    const value = valueOf(cell, metric, isChange);
    if (value === null || value === undefined) continue;
    const row = rows[character], column = byMethod ? method : clip;
    if (row.cells[column] === undefined || size(value) > size(row.cells[column].value)) row.cells[column] = { value, cell };
    if (row.worst === null || size(value) > size(row.worst)) row.worst = value;
  }
  return rows;
}

const element = (name, text) => Object.assign(document.createElement(name), text === undefined ? {} : { textContent: text });

function headOf(columns) {
  const row = element("tr");
  const add = (name, column) => {
    const head = element("th"), button = element("button", name);
    head.scope = "col";
    button.type = "button";
    button.title = name;
    if (sorted.column === column) head.ariaSort = sorted.descending ? "descending" : "ascending";
    button.addEventListener("click", () => {
      sorted = { column, descending: sorted.column === column ? !sorted.descending : column !== byName };
      show();
    });
    head.append(button);
    row.append(head);
  };
  add("character", byName);
  add("worst", byWorst);
  columns.forEach(({ name, index }) => add(name, index));
  return row;
}

function cellOf(found, colour, metric) {
  const cell = element("td");
  cell.className = "number";
  if (!found) return cell;
  const rgb = colour(found.value), [report, clip, method, , frames, places] = found.cell;
  cell.style.backgroundColor = `rgb(${rgb})`;
  cell.style.color = inkOn(rgb);
  cell.title = `${places[metric]}, frame ${frames[metric]}, ${data.clips[clip]}, ${data.methods[method]}`;
  const address = data.reports[report][1], shown = element(address ? "a" : "span", digits(found.value));
  if (address) shown.href = addressOf(address, clip, frames[metric]);
  cell.append(shown);
  return cell;
}

// The name leads to the page of the report with the row's worst value.
function nameOf([name, verdict], index, found) {
  const report = found ? found.cell[0] : data.reports.findIndex(([character]) => character === index), address = data.reports[report][1];
  const head = element("th");
  head.scope = "row";
  const shown = element(address ? "a" : "span", name);
  if (address) shown.href = address;
  shown.dir = "auto";
  head.append(shown);
  const view = data.reports[report][2];
  if (view) head.append(" ", Object.assign(element("a", "3D"), { href: view }));
  if (verdict === "fail" || verdict === "warn") head.append(" ", Object.assign(element("span", verdict), { className: `verdict ${verdict}` }));
  return head;
}

function sortRows(rows) {
  const key = ({ cells, worst }) => (sorted.column < 0 ? worst : cells[sorted.column]?.value) ?? -Infinity;
  const severity = ({ character: [, verdict] }) => (sorted.column === byVerdict ? ["warn", "fail"].indexOf(verdict) : 0);
  if (sorted.column === byName) rows.sort((a, b) => a.character[0].localeCompare(b.character[0], "en") || a.index - b.index);
  else rows.sort((a, b) => severity(b) - severity(a) || key(b) - key(a) || a.index - b.index);
  if (sorted.column === byName ? sorted.descending : !sorted.descending) rows.reverse();
}

// The colours of values. Where the largest is more than 1000 times the least that one would see, equal steps of colour
// are equal factors: on an even scale, all others would have one colour.
function scaleOf(rows, isChange) {
  const visible = 0.1, widest = 1000;  // of any unit
  const values = rows.flatMap(({ cells }) => Object.values(cells)).map(({ value }) => Math.abs(value)).filter((value) => value > rounding);
  const most = values.reduce((a, b) => Math.max(a, b), 0) || 1, least = Math.max(visible, values.reduce((a, b) => Math.min(a, b), most));
  const isLogarithmic = most > widest * least;
  const share = (value) => (isLogarithmic ? Math.log(Math.max(1, Math.abs(value) / least)) / Math.log(most / least) : Math.abs(value) / most);
  return {
    low: isChange ? -most : isLogarithmic ? least : 0, high: most, isLogarithmic,
    ramp: isChange ? blueToRed : viridis,
    colour: (value) => (isChange ? colourAt(blueToRed, 0.5 + (Math.sign(value) * share(value)) / 2) : colourAt(viridis, share(value))),
  };
}

function drawRamp({ ramp, low, high, isLogarithmic }, unit) {
  const context = part("ramp").getContext("2d");
  for (let i = 0; i < 64; ++i) {
    context.fillStyle = `rgb(${colourAt(ramp, i / 63)})`;
    context.fillRect(i, 0, 1, 1);
  }
  const written = (value) => digits(value) + (unit && ` ${unit}`);
  part("low").textContent = written(low);
  part("high").textContent = written(high) + (isLogarithmic ? ", logarithmic" : "");
}

function offerOnly(byMethod) {
  const names = byMethod ? data.clips : data.methods;
  part("only").replaceChildren(new Option(byMethod ? "all clips" : "all methods", -1), ...names.map((name, i) => new Option(name, i)));
}

function tableOf(rows, columns, { colour }, metric, caption) {
  const table = element("table"), head = element("thead"), body = element("tbody");
  table.className = "matrix";
  table.style.setProperty("--columns", columns.length);
  table.append(element("caption", caption), head, body);
  head.append(headOf(columns));
  for (const { character, index, cells, worst } of rows) {
    const row = element("tr"), found = Object.values(cells).find(({ value }) => value === worst);
    row.append(nameOf(character, index, found), cellOf(found, colour, metric), ...columns.map((column) => cellOf(cells[column.index], colour, metric)));
    body.append(row);
  }
  return table;
}

let drawPaper = () => [];  // the same matrix as tables that are no wider than a sheet

function show() {
  const metric = Number(part("metric").value), byMethod = part("columns").value === "method";
  const isChange = part("change").checked, unit = data.metrics[metric][1];
  const all = rowsOf(metric, byMethod, Number(part("only").value), isChange);
  const wanted = part("find").value.toLowerCase();
  const rows = all.filter(({ character: [name, verdict] }) => name.toLowerCase().includes(wanted) || verdict === wanted);
  const used = new Set(rows.flatMap(({ cells }) => Object.keys(cells).map(Number)));
  const columns = (byMethod ? data.methods : data.clips).map((name, index) => ({ name, index })).filter(({ index }) => used.has(index));
  const scale = scaleOf(all, isChange);
  sortRows(rows);
  const first = sorted.column === byVerdict && rows.some(({ character: [, verdict] }) => verdict === "fail" || verdict === "warn");
  const caption = `${isChange ? "Change of " : ""}${data.metrics[metric][0]}${unit ? `, ${unit}` : ""}: the worst of all meshes` +
    (first ? "; characters that exceed a limit are first" : "");
  const table = tableOf(rows, columns, scale, metric, caption);
  const across = 8, sheets = Math.ceil(columns.length / across);
  drawPaper = () => Array.from({ length: sheets > 1 ? sheets : 0 }, (_, i) =>
    tableOf(rows, columns.slice(i * across, (i + 1) * across), scale, metric, `${caption} (part ${i + 1} of ${sheets})`));
  const frame = matrix.querySelector(".table") ?? matrix;
  frame.replaceChildren(table);
  frame.ariaLabel = caption;
  frame.classList.add("tall");
  drawRamp(scale, unit);
  part("said").textContent = `${rows.length} of ${data.characters.length} characters`;
}

// Shows a page that is inside this file, at the address "#page=2&clip=Walk&frame=31".
function openInside() {
  const inside = document.querySelector("#inside"), [, number, place = ""] = location.hash.match(/^#page=(\d+)(?:&(.*))?$/) ?? [];
  const source = number === undefined ? null : document.querySelector(`#page-${number}`);
  inside.querySelector("iframe")?.remove();
  inside.hidden = source === null;
  for (const own of document.querySelectorAll("body > header, body > main")) own.hidden = source !== null;
  if (source === null) return;
  const frame = element("iframe"), address = URL.createObjectURL(new Blob([JSON.parse(source.textContent)], { type: "text/html" }));
  frame.addEventListener("load", () => URL.revokeObjectURL(address));
  Object.assign(frame, { title: data.characters[data.reports[number][0]][0], src: `${address}#${place}` });
  inside.append(frame);
  inside.querySelector("a").focus();
}
if (document.querySelector("#inside")) {
  addEventListener("hashchange", openInside);
  openInside();
}

data.metrics.forEach(([title], index) => part("metric").append(new Option(title, index)));
if (part("metric").options.length > 0) {
  part("change-label").hidden = !data.cells.some((cell) => cell.length > 6);
  const mostColumns = 40;  // a wider matrix begins with the methods
  part("columns").value = data.clips.length > mostColumns ? "method" : "clip";
  offerOnly(part("columns").value === "method");
  part("columns").addEventListener("change", () => offerOnly(part("columns").value === "method"));
  for (const name of ["metric", "columns", "only", "change"]) part(name).addEventListener("change", show);
  part("columns").addEventListener("change", () => { sorted = asGiven; show(); });
  part("find").addEventListener("input", show);
  document.querySelector("#overview").hidden = false;
  show();
  // A matrix that is wider than a sheet is printed as several tables.
  const paper = element("div");
  paper.className = "paper";
  matrix.after(paper);
  const print = (isPrinted) => {
    paper.replaceChildren(...(isPrinted ? drawPaper() : []));
    matrix.classList.toggle("too-wide", paper.childElementCount > 0);
  };
  addEventListener("beforeprint", () => print(true));
  addEventListener("afterprint", () => print(false));
  matchMedia("print").addEventListener("change", ({ matches }) => print(matches));
}
