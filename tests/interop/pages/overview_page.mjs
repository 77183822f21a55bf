// Checks the overview of a library in a browser; report_pages.py calls it.
//
//   node overview_page.mjs MODULES FOLDER CHROMIUM
//
// FOLDER contains library.html, of methods.json and walker.json against old.json, and hostile_library.html;
// wide.html has 24 clips, and calm, which fails, has less distortion than folded and torn; inside.html and hostile_inside.html contain the pages of the characters.

import assert from "node:assert/strict";
import path from "node:path";
import { accessibilityProblems, closePages, openPage } from "../chromium.mjs";

const [modules, folder, chromiumPath] = process.argv.slice(2);
const open = (name, options) => openPage(modules, chromiumPath, path.join(folder, name), options);
const part = (page, name) => page.locator(`#overview [data-part="${name}"]`);
const names = (page) => page.locator("#matrix tbody th a").allTextContents();
const heads = (page) => page.locator("#matrix thead th").allTextContents();
const column = (page, index) => page.locator(`#matrix tbody tr td:nth-child(${index})`).allTextContents();

{
  const { page, complaints, close } = await open("library.html");
  assert.deepEqual((await names(page)).sort(), ["bent_arm", "walker"]);

  // At first, bent_arm, which fails, is before all others; then sorting by the worst value, both ways, and by name.
  assert.equal((await names(page))[0], "bent_arm");
  await page.locator("#matrix thead button").nth(1).click();
  const descending = (await column(page, 2)).map(Number);
  assert.deepEqual(descending, descending.toSorted((a, b) => b - a));
  await page.locator("#matrix thead button").nth(1).click();
  assert.deepEqual((await column(page, 2)).map(Number), descending.toReversed());
  await page.locator("#matrix thead button").first().click();
  assert.deepEqual(await names(page), ["bent_arm", "walker"]);

  // Columns: clips, or methods. The colour follows the value, and its ink is legible.
  await part(page, "columns").selectOption("method");
  assert.deepEqual(await heads(page), ["character", "worst", "lbs", "dqs", "cor"]);
  const [lbs, dqs] = await Promise.all([3, 4].map((index) => column(page, index)));
  assert.ok(Number(lbs[0]) > 5 * Number(dqs[0]), `${lbs} ${dqs}`);
  const colours = await page.locator("#matrix tbody tr").first().locator("td").evaluateAll((all) => all.map((each) => each.style.backgroundColor));
  assert.equal(new Set(colours.slice(1, 3)).size, 2);
  assert.match(await page.locator("#matrix tbody td").nth(1).getAttribute("title"), /^wrist of arm, frame 15, bend_and_twist, lbs$/);

  // Filtering.
  await part(page, "find").fill("WALK");
  assert.deepEqual(await names(page), ["walker"]);
  assert.equal(await part(page, "said").textContent(), "1 of 2 characters");
  await part(page, "find").fill("");

  // Changes: the older report has lost a quarter less.
  await part(page, "metric").selectOption({ label: "volume: max loss" });
  await part(page, "change").check();
  assert.deepEqual((await column(page, 3))[0], "25");
  assert.match(await page.locator("#matrix .table").getAttribute("aria-label"), /^Change of volume: max loss, %: the worst of all meshes/);
  await part(page, "change").uncheck();

  // A click on a cell opens the clip and the frame of its value on the page of the character.
  await part(page, "columns").selectOption("clip");
  const cell = page.locator("#matrix tbody tr", { hasText: "walker" }).locator("td a").nth(1);
  const [, frame] = (await cell.locator("..").getAttribute("title")).match(/, frame (\d+), walk, /);
  await cell.click();
  await page.waitForURL(/library\.walker\.html#clip=walk&frame=\d+$/);
  const pairs = page.locator('details.pair[data-clip="walk"]');
  assert.ok(await pairs.count() > 1);
  assert.deepEqual(await pairs.evaluateAll((all) => [...new Set(all.map((each) => each.open))]), [true]);
  assert.match(await pairs.locator(".plot + output").first().textContent(), new RegExp(`, frame ${frame}: `));
  const top = await pairs.first().evaluate((each) => each.getBoundingClientRect().top / innerHeight);
  assert.ok(top > -0.1 && top < 1, `the clip is at ${top} heights of the window`);
  await page.goBack();

  // A click on a name opens the page of the character.
  await page.locator("#matrix a", { hasText: "bent_arm" }).click();
  await page.waitForURL(/library\.methods\.html$/);
  assert.equal(await page.locator("h1 bdi").textContent(), "bent_arm");
  // The page leads back.
  await page.locator("nav a").click();
  await page.waitForURL(/library\.html$/);
  assert.deepEqual(complaints, []);
  await close();
}
{
  const { page, close } = await open("library.html", { javaScriptEnabled: false });
  assert.equal(await page.locator("#matrix tbody tr").count(), 2);
  assert.ok(await page.locator("#overview").isHidden());
  await close();
}
{
  const { page, complaints, close } = await open("hostile_library.html");
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.equal(await page.locator("img").count(), 0);
  assert.equal(await page.locator("#matrix tbody tr").count(), 1);
  // The name of its clip has more than 80 characters, which the matrix shows; a click finds the clip.
  await page.locator("#matrix tbody td a").first().click();
  await page.waitForURL(/hostile_library\.hostile\.html#clip=/);
  const clip = await page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get("clip"));
  assert.ok(clip.length > 80, clip);
  assert.equal(await page.locator("details.pair").first().getAttribute("data-clip"), clip);
  assert.match(await page.locator(".plot + output").first().textContent(), /, frame \d+: /);
  assert.deepEqual(complaints, []);
  await close();
}
// Values of very different sizes, and more clips than a sheet is wide.
{
  const { page, complaints, close } = await open("wide.html", { viewport: { width: 2560, height: 900 } });
  // What fails is first, and is found by its verdict.
  assert.equal((await names(page))[0], "calm");
  await part(page, "find").fill("fail");
  assert.deepEqual(await names(page), ["calm"]);
  await part(page, "find").fill("");
  await part(page, "metric").selectOption({ label: "triangle distortion: worst" });
  assert.deepEqual(await names(page), ["calm", "torn", "folded"]);
  assert.deepEqual(await column(page, 2), ["4.47", "1\u202f×\u202f10¹²", "32\u202f200"]);
  // Each has a colour of its own: equal factors are equal steps.
  const colours = await page.locator("#matrix tbody tr td:nth-child(2)").evaluateAll((all) => all.map((each) => each.style.backgroundColor.match(/\d+/g).map(Number)));
  const apart = (a, b) => Math.hypot(...a.map((channel, i) => channel - b[i]));
  for (const [a, b] of [[0, 1], [0, 2], [1, 2]]) assert.ok(apart(colours[a], colours[b]) > 80, JSON.stringify(colours));
  assert.match(await part(page, "high").textContent(), /, logarithmic$/);
  assert.equal(await part(page, "low").textContent(), "4.47");
  await part(page, "metric").selectOption({ label: "volume: max loss" });
  assert.doesNotMatch(await part(page, "high").textContent(), /logarithmic/);
  // The matrix uses the width of the window.
  assert.ok(await page.locator("#matrix .table").evaluate((each) => each.scrollWidth <= each.clientWidth + 1 && each.clientWidth > 2200), "the matrix is cut");
  // Printed: all clips, within the sheet.
  await page.setViewportSize({ width: 1032, height: 720 });
  await page.emulateMedia({ media: "print" });
  await page.locator(".paper table").nth(2).waitFor();
  const printed = await page.locator(".paper table").evaluateAll((all) => all.map((each) => ({
    heads: [...each.querySelectorAll("thead th")].map(({ textContent }) => textContent), right: each.getBoundingClientRect().right,
    cut: [...each.querySelectorAll("th, td")].filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).length,
  })));
  const clips = printed.flatMap(({ heads }) => heads.filter((head) => head.startsWith("clip ")));
  assert.equal(new Set(clips).size, 24, clips.join());
  for (const { right, cut } of printed) assert.ok(right <= 1032 && cut === 0, JSON.stringify(printed));
  assert.ok(await page.locator("#matrix").isHidden());
  await page.emulateMedia({ media: "screen" });
  assert.ok(await page.locator("#matrix").isVisible());
  await page.locator(".paper table").first().waitFor({ state: "detached" });
  assert.deepEqual(complaints, []);
  await close();
}
// Pages inside the overview: a click shows one at its clip and frame, and the browser's button goes back.
{
  const { page, complaints, close } = await open("inside.html");
  await page.locator("#matrix tbody tr", { hasText: "walker" }).locator("td a").nth(1).click();
  const inside = page.frameLocator("#inside iframe");
  await inside.locator("h1 bdi", { hasText: "walker" }).waitFor();
  assert.match(await inside.locator('details.pair[data-clip="walk"] .plot + output').first().textContent(), /, frame \d+: /);
  await page.locator("main").waitFor({ state: "hidden" });
  await page.goBack();
  await page.locator("main").waitFor();
  assert.equal(await page.locator("iframe").count(), 0);
  await page.locator("#matrix a", { hasText: "bent_arm" }).click();
  await inside.locator("h1 bdi", { hasText: "bent_arm" }).waitFor();
  await page.locator("#inside a").click();
  await page.locator("main").waitFor();
  await page.goto(`${page.url().split("#")[0]}#page=77`);
  await page.locator("main").waitFor();
  assert.deepEqual(complaints, []);
  await close();
}
{
  const { page, complaints, close } = await open("hostile_inside.html");
  await page.locator("#matrix tbody th a").click();
  await page.frameLocator("#inside iframe").locator("h1").waitFor();
  for (const frame of page.frames()) assert.equal(await frame.evaluate(() => window.broken), undefined);
  assert.deepEqual(complaints, []);
  await close();
}
for (const width of [400, 1280]) {
  const { page, close } = await open("library.html", { colorScheme: "light", bypassCSP: true, viewport: { width, height: 900 } });
  assert.deepEqual(await accessibilityProblems(modules, page), [], `light, ${width}`);
  await page.emulateMedia({ colorScheme: "dark" });
  assert.deepEqual(await accessibilityProblems(modules, page, ["color-contrast"]), [], `dark, ${width}`);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `wider than ${width} pixels`);
  await close();
}
console.log("overview: sorts, filters, shows changes and opens a character; axe finds no problem in 2 themes");
await closePages();
