// Checks the 3D view of a report's page in a browser; report_pages.py calls it.
//
//   node view_page.mjs MODULES FOLDER CHROMIUM
//
// FOLDER contains view.html (three methods), view_walker.html (three meshes), view_clips.html (two clips),
// view_rom.html (a clip whose poses have names), view_surfaces.html (a rig and its simplified copy) and
// hostile_view.html (names that contain markup).

import assert from "node:assert/strict";
import path from "node:path";
import { closePages, openPage } from "./chromium.mjs";

const [modules, folder, chromiumPath] = process.argv.slice(2);
const part = (page, name) => page.locator(`#view [data-part="${name}"]`);
const told = (page, name) => part(page, name).textContent();

// A screenshot of the view after the next frame is drawn.
async function picture(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return part(page, "tiles").screenshot();
}

async function scrub(page, frame) {
  await part(page, "frame").fill(String(frame));
  return picture(page);
}

// The number of reddish pixels of a picture, and of pixels that differ from the background.
async function pixels(page, png) {
  return page.evaluate(async (base64) => {
    const blob = new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], { type: "image/png" });
    const image = await createImageBitmap(blob);
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    let red = 0, drawn = 0;
    for (let i = 0; i < data.length; i += 4) {
      red += data[i] > data[i + 2] + 60 ? 1 : 0;
      drawn += data[i] + data[i + 1] + data[i + 2] < 690 ? 1 : 0;
    }
    return { red, drawn };
  }, png.toString("base64"));
}

{
  const { page, complaints, close } = await openPage(modules, chromiumPath, path.join(folder, "view.html"));
  await page.locator("#view").scrollIntoViewIfNeeded();
  assert.ok(await part(page, "canvas").isVisible());
  assert.ok(await page.locator("#view-missing").isHidden());
  assert.equal(await page.locator("#view figure").count(), 3);
  const area = await part(page, "tiles").boundingBox();

  // Scrubbing: different frames give different pictures; the same frame gives the same picture.
  const first = await scrub(page, 0), middle = await scrub(page, 30);
  assert.equal(await told(page, "said"), "frame 30, 1.00 s");
  assert.notDeepEqual(first, middle);
  assert.deepEqual(await scrub(page, 0), first);
  const captions = await page.locator("#view figcaption").allTextContents();
  assert.deepEqual(captions.map((text) => text.split(":")[0]), ["lbs", "dqs", "cor"]);
  await scrub(page, 30);
  assert.deepEqual(await page.locator("#view figcaption").allTextContents(), ["lbs: 0 m", "dqs: 0.0273 m", "cor: 0.0272 m"]);

  // Colours: vertices with errors are red.
  const coloured = await pixels(page, middle);
  assert.ok(coloured.drawn > 5000 && coloured.red > 300, JSON.stringify(coloured));
  await part(page, "colour").selectOption("none");
  const plain = await pixels(page, await picture(page));
  // Without colouring, the same pixels are drawn, but not in red.
  assert.ok(plain.red < 30 && Math.abs(plain.drawn - coloured.drawn) < 0.2 * coloured.drawn, JSON.stringify(plain));
  for (const colour of ["worst", "stretch"]) {
    await part(page, "colour").selectOption(colour);
    const { red } = await pixels(page, await picture(page));
    assert.ok(red > 300, `${colour}: ${red}`);
  }
  assert.equal(await told(page, "low"), "-50 %");

  // Turning: dragging changes the picture, and the page shows the vertex under the pointer.
  const turned = async () => {
    await page.mouse.move(area.x + area.width / 2, area.y + area.height / 2);
    await page.mouse.down();
    await page.mouse.move(area.x + area.width / 2 + 120, area.y + area.height / 2 + 40, { steps: 4 });
    await page.mouse.up();
    return picture(page);
  };
  const before = await picture(page);
  assert.notDeepEqual(await turned(), before);
  let vertex = "";
  for (let x = 0.02; x < 0.32 && vertex === ""; x += 0.02) {
    for (let y = 0.1; y < 0.95 && vertex === ""; y += 0.05) {
      await page.mouse.move(area.x + area.width * x, area.y + area.height * y);
      vertex = await told(page, "vertex");
    }
  }
  assert.match(vertex, /^lbs, arm: vertex \d+, -?[\d.e-]+ %$/);

  // Playing: the shown frame advances.
  const still = await told(page, "said");
  await part(page, "play").click();
  for (const until = Date.now() + 20_000; await told(page, "said") === still;) assert.ok(Date.now() < until);
  await part(page, "play").click();
  assert.deepEqual(complaints, []);
  console.log(`in space: 3 methods; frame 30 has ${coloured.red} red pixels of ${coloured.drawn}; "${vertex}"`);
  await close();
}
{
  const { page, complaints, close } = await openPage(modules, chromiumPath, path.join(folder, "view_walker.html"));
  await page.locator("#view").scrollIntoViewIfNeeded();
  assert.equal(await page.locator("#view figure").count(), 2);
  assert.match(await told(page, "note"), /^31 frames; /);
  assert.notDeepEqual(await scrub(page, 0), await scrub(page, 12));
  assert.deepEqual(complaints, []);
  await close();
}
{
  const { page, complaints, close } = await openPage(modules, chromiumPath, path.join(folder, "view_clips.html"));
  const last = () => part(page, "frame").getAttribute("max").then(Number);
  const short = await last();
  await part(page, "play").click();

  // Selecting another clip during playback: the clip plays from its first to its last frame.
  await part(page, "clip").selectOption("1");
  assert.equal(await last(), 2 * short);
  assert.match(await told(page, "note"), new RegExp(`^${2 * short + 1} frames; `));
  for (const until = Date.now() + 20_000; Number(await part(page, "frame").inputValue()) <= short;) {
    assert.ok(Date.now() < until);
  }
  await part(page, "play").click();
  assert.deepEqual(complaints, []);
  await close();
}
{
  const { page, complaints, close } = await openPage(modules, chromiumPath, path.join(folder, "view_rom.html"));
  assert.equal(await told(page, "pose"), "T-pose");
  await scrub(page, 3);
  assert.equal(await told(page, "pose"), "spine front-back at +30°");
  await scrub(page, 16);
  assert.equal(await told(page, "pose"), "T-pose");
  assert.deepEqual(complaints, []);
  await close();
}
{
  const { page, complaints, close } = await openPage(modules, chromiumPath, path.join(folder, "view_surfaces.html"));
  await page.locator("#view").scrollIntoViewIfNeeded();
  const captions = () => page.locator("#view figcaption").allTextContents();
  const errors = async () => (await captions()).map((text) => parseFloat(text.split(": ")[1]));
  await scrub(page, 0);
  assert.deepEqual((await captions()).map((text) => text.split(":")[0]),
    ["A", "A, by distance from B", "B, by distance from A"]);
  const atRest = await errors();
  const twisted = await scrub(page, 30), inMotion = await errors();
  // B's vertices are on A's surface: its faces show the distance.
  for (const tile of [1, 2]) assert.ok(inMotion[tile] > 2 * atRest[tile] && inMotion[tile] > 0.001, `${atRest} ${inMotion}`);
  assert.match(await told(page, "note"), /errors are against the other file, and a vertex has the largest distance/);
  const coloured = await pixels(page, twisted);
  assert.ok(coloured.drawn > 5000 && coloured.red > 300, JSON.stringify(coloured));
  await part(page, "colour").selectOption("none");
  assert.ok((await pixels(page, await picture(page))).red < 30);
  // Both directions, at points of which many are not vertices.
  const text = await page.locator("body").textContent();
  assert.match(text, /points are paired by surface/);
  assert.equal(text.match(/Largest error of a point/g).length, 2);
  assert.match(text, /joint_\d, frame \d+, point \d+/);
  assert.deepEqual(complaints, []);
  console.log(`surfaces: ${(await captions()).join(", ")}; ${coloured.red} red pixels of ${coloured.drawn}`);
  await close();
}
{
  const { page, complaints, close } = await openPage(modules, chromiumPath, path.join(folder, "hostile_view.html"));
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.ok(await part(page, "canvas").isVisible());
  assert.deepEqual(complaints, []);
  await close();
}
{
  const { page, close } = await openPage(modules, chromiumPath, path.join(folder, "view.html"), { javaScriptEnabled: false });
  assert.ok(await page.locator("#view").isHidden());
  assert.ok(await page.locator("#view-missing").isVisible());
  await close();
}
await closePages();
