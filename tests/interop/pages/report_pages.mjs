// Checks the pages of reports in a browser; report_pages.py calls it.
//
//   node report_pages.mjs MODULES FOLDER CHROMIUM
//
// FOLDER contains methods.{html,md,xml,json} and hostile.html. The script writes light.png and dark.png into it.

import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { closePages, openPage } from "../chromium.mjs";

const [modules, folder, chromiumPath] = process.argv.slice(2);
const require = createRequire(path.join(modules, "index.js"));
const JunitParser = require("junitxml-to-javascript");
const markdown = require("markdown-it")({ html: true, linkify: true });
const file = (name) => path.join(folder, name);
const report = JSON.parse(fs.readFileSync(file("methods.json"), "utf8"));
const methods = report.meshes[0].runs.map((run) => run.method);

// ---- JUnit

const junit = await new JunitParser().parseXMLFile(file("methods.xml"));
const cases = junit.testsuites.flatMap((suite) => suite.testCases);
assert.deepEqual(
  cases.map((each) => each.result),
  report.verdict.checks.flatMap((check) => methods.map((method) => {
    const { passed } = check.methods.find((each) => each.method === method);
    return passed || check.severity === "warn" ? "succeeded" : "failed";
  })));
assert.ok(cases.some((each) => each.result === "failed") && cases.some((each) => each.result === "succeeded"));
console.log(`JUnit: ${cases.length} cases, ${cases.map((each) => each.result).join(", ")}`);

// ---- Markdown

const rendered = markdown.render(fs.readFileSync(file("methods.md"), "utf8"));
const rows = rendered.match(/<tr>/g).length;
assert.ok(rows > 3 * methods.length);
for (const method of methods) assert.ok(rendered.includes(`<td><code>${method}</code></td>`), method);
assert.ok(rendered.includes("<details>") && rendered.includes("</details>"));
assert.ok(!rendered.includes("<a "), "a name became a link");
console.log(`Markdown: tables of ${rows} rows`);

// ---- HTML

const open = (name, options) => openPage(modules, chromiumPath, file(name), options);

// The curves that are not folded away: method, size on the screen, colour.
const shown = ".pair[open] > .charts ";
const curvesOf = (page) => page.$$eval(shown + "svg.chart path.curve", (paths) => paths.map((each) => {
  const box = each.getBoundingClientRect();
  return { name: each.dataset.name, width: box.width, height: box.height, stroke: getComputedStyle(each).stroke };
}));

// The colours of a chart that uPlot has drawn, as text.
const coloursOf = (chart) => chart.locator(".plot canvas").first().evaluate((canvas) => {
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
  const colours = new Set();
  for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255) colours.add(`rgb(${data[i]}, ${data[i + 1]}, ${data[i + 2]})`);
  return [...colours];
});

// The chart of the volume: exact values, a part of the clip by dragging, and curves that the legend hides.
async function useChart(page, run) {
  const chart = page.locator("figure", { hasText: "volume: loss" }).first();
  const said = () => chart.locator("output").textContent();
  const values = run.volume.per_frame.loss;
  await chart.locator(".plot").focus();
  for (const key of ["Home", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
  assert.ok((await said()).includes(`frame 2: ${run.method} ${Number((100 * values[2]).toPrecision(3))} %`), await said());
  const stroke = await chart.locator("svg.chart path.curve").first().evaluate((curve) => getComputedStyle(curve).stroke);
  assert.ok((await coloursOf(chart)).includes(stroke));
  const entry = chart.locator(".legend button").first();
  await entry.click();
  assert.equal(await entry.getAttribute("aria-pressed"), "false");
  assert.ok(!(await said()).includes(`${run.method} `), await said());
  assert.ok(!(await coloursOf(chart)).includes(stroke));
  await entry.click();
  const box = await chart.locator(".plot .u-over").boundingBox(), whole = chart.locator("text=Whole clip");
  assert.ok(await whole.isHidden());
  await page.mouse.move(box.x + 0.5 * box.width, box.y + 50);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.75 * box.width, box.y + 50, { steps: 4 });
  await page.mouse.up();
  await page.mouse.move(box.x + 1, box.y + 50);
  const first = Number((await said()).match(/frame (\d+): /)[1]);
  assert.ok(Math.abs(first - values.length / 2) < 2, `frame ${first} of ${values.length} is at the left`);
  await whole.click();
  assert.ok(await whole.isHidden());
}

const pictures = [];
for (const colorScheme of ["light", "dark"]) {
  const { page, complaints, close } = await open("methods.html", { colorScheme });
  await page.locator(".plot canvas").first().waitFor();
  const curves = await curvesOf(page);
  // The reference has a loss of volume, but no curve of errors.
  const [reference, ...measured] = methods;
  assert.deepEqual(curves.map((each) => each.name), [...measured, reference, ...measured]);
  // uPlot has replaced the drawings.
  for (const each of curves) assert.ok(each.width === 0 && each.stroke !== "none", JSON.stringify(each));
  assert.equal(await page.locator(shown + ".plot canvas").count(), await page.locator(shown + "svg.chart").count());
  assert.equal(new Set(curves.map((each) => each.stroke)).size, methods.length);
  assert.equal(await page.locator("svg.heat").count(), methods.length);
  assert.ok(await page.locator("svg.heat rect.loss").count() > 10);

  await useChart(page, report.meshes[0].runs[0]);
  await page.keyboard.press("Home");
  for (let i = 0; i < 4; ++i) await page.keyboard.press("ArrowRight");
  const told = await page.locator("figure", { hasText: "volume: loss" }).first().locator("output").textContent();
  assert.match(told, /frame 4: /);
  for (const method of methods) assert.ok(told.includes(`${method} `), told);
  // The first place names the joint that collapses, its frame, and the method that keeps it.
  const [worst] = report.meshes[0].runs.flatMap((run) => run.volume.joints.map((joint) => ({ method: run.method, ...joint })))
    .sort((a, b) => b.max_loss - a.max_loss);
  const place = page.locator("button.place").first();
  assert.ok((await place.textContent()).includes(`volume: joints max loss at ${worst.joint} ${worst.method}, frame ${worst.max_loss_at.frame} `));
  assert.equal(await place.locator(".rival").count(), methods.length);
  await place.click();
  assert.ok((await page.locator("output").first().textContent()).includes(`frame ${worst.max_loss_at.frame}: `));
  assert.equal(await page.locator("td").evaluateAll((all) => all.filter((each) => each.closest(".headline") &&
    each.getBoundingClientRect().height > 40).length), 0, "a cell of the headlines is wrapped");
  const picture = await page.screenshot({ path: file(`${colorScheme}.png`) });
  pictures.push(picture);
  assert.ok(picture.length > 20_000);
  assert.deepEqual(complaints, []);
  console.log(`HTML, ${colorScheme}: ${curves.length} curves; "${told}"`);
  await close();
}
assert.notDeepEqual(pictures[0], pictures[1]);

{
  const { page, close } = await open("methods.html", { javaScriptEnabled: false });
  for (const curve of await curvesOf(page)) assert.ok(curve.width > 100, "the curve is not shown without scripts");
  assert.equal((await curvesOf(page)).length, 2 * methods.length - 1);
  await close();
}
{
  const { page, complaints, close } = await open("hostile.html", {});
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.equal(await page.locator("img").count(), 0);
  assert.ok((await page.locator("body").textContent()).includes("<script>window.broken"));
  assert.deepEqual(complaints, []);
  // Even if a script of the report were inserted, the Content Security Policy would refuse it.
  const refused = [];
  page.on("console", (message) => refused.push(message.text()));
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.broken = 1";
    document.body.append(script);
  });
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.match(refused.join(), /Content Security Policy/);
  await close();
}
console.log("HTML: works without script and without network; hostile names are text");
await closePages();
