// Takes the screenshots in data/ of a report's page; make_screenshots.py calls it.
//
//   node make_screenshots.mjs MODULES CHROMIUM PAGE FOLDER

import assert from "node:assert/strict";
import path from "node:path";
import { closePages, openPage } from "../tests/interop/chromium.mjs";

const [modules, chromiumPath, file, folder] = process.argv.slice(2);
const { page, complaints } = await openPage(modules, chromiumPath, file, {
  colorScheme: "light", reducedMotion: "reduce", viewport: { width: 1280, height: 1600 },
});
const drawn = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

await page.locator("details[open] > .charts").first().screenshot({ path: path.join(folder, "report_curves.png") });

// The first worst place was clicked: the camera is at the joint, in all tiles.
await page.locator("button.place").first().click();
await page.mouse.move(0, 0);
await page.evaluate(() => document.activeElement.blur());
await drawn();
const box = (locator) => locator.evaluate((each) => {
  const { left, top, right, bottom } = each.getBoundingClientRect();
  return { left: left + scrollX, top: top + scrollY, right: right + scrollX, bottom: bottom + scrollY };
});
const places = await box(page.locator("section", { has: page.locator(".places") })), view = await box(page.locator("#view"));
await page.screenshot({
  path: path.join(folder, "report_view.png"), fullPage: true,
  clip: { x: places.left, y: places.top, width: places.right - places.left, height: view.bottom - places.top },
});
assert.deepEqual(complaints, []);
await closePages();
