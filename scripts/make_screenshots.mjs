// Takes the screenshots in data/ of a report's page; make_screenshots.py calls it.
//
//   node make_screenshots.mjs MODULES CHROMIUM PAGE FOLDER

import assert from "node:assert/strict";
import path from "node:path";
import { closePages, openPage } from "../tests/interop/chromium.mjs";

const [modules, chromiumPath, file, folder] = process.argv.slice(2);
const { page, complaints } = await openPage(modules, chromiumPath, file, {
  colorScheme: "light", viewport: { width: 1280, height: 900 },
});
await page.locator("details[open] > .charts").first().screenshot({ path: path.join(folder, "report_curves.png") });
await page.locator('#view [data-part="frame"]').fill("28");
await page.locator('#view [data-part="frame"]').blur();
await page.locator("#view").scrollIntoViewIfNeeded();
// Moves the elbow to the centre and zooms in.
const tile = await page.locator("#view figure").first().boundingBox();
const [x, y] = [tile.x + tile.width / 2, tile.y + tile.height / 2];
await page.mouse.move(x, y);
await page.mouse.down({ button: "right" });
await page.mouse.move(x + 0.16 * tile.width, y + 0.02 * tile.height, { steps: 4 });
await page.mouse.up({ button: "right" });
for (let i = 0; i < 11; ++i) await page.mouse.wheel(0, -100);
await page.mouse.move(0, 0);
await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
await page.locator("#view").screenshot({ path: path.join(folder, "report_view.png") });
assert.deepEqual(complaints, []);
await closePages();
