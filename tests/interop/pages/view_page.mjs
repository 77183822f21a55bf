// Checks the 3D view of a report's page in a browser; report_pages.py calls it.
//
//   node view_page.mjs MODULES FOLDER CHROMIUM
//
// FOLDER contains view.html (three methods), view_walker.html (three meshes), view_clips.html (two clips),
// view_rom.html (a clip whose poses have names), view_surfaces.html (a rig and its simplified copy),
// view_tube.html (two methods of a tube) and hostile_view.html (names that contain markup).

import assert from "node:assert/strict";
import path from "node:path";
import { accessibilityProblems, closePages, openPage } from "../chromium.mjs";

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

// The number of reddish pixels of a picture, of those with a bright colour of viridis, and of those that differ from
// the background of a tile.
async function pixels(page, png) {
  return page.evaluate(async (base64) => {
    const blob = new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], { type: "image/png" });
    const image = await createImageBitmap(blob);
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    let red = 0, bright = 0, drawn = 0;
    for (let i = 0; i < data.length; i += 4) {
      red += data[i] > data[i + 2] + 40 ? 1 : 0;
      bright += data[i + 1] > data[i] + 40 || data[i + 1] > data[i + 2] + 60 ? 1 : 0;
      const isStage = Math.abs(data[i] - 220) < 3 && Math.abs(data[i + 1] - 226) < 3 && Math.abs(data[i + 2] - 232) < 3;
      drawn += isStage ? 0 : 1;
    }
    return { red, bright, drawn };
  }, png.toString("base64"));
}

{
  const { page, complaints, close } = await openPage(modules, chromiumPath, path.join(folder, "view.html"));
  await page.locator("#view").scrollIntoViewIfNeeded();
  assert.ok(await page.locator("#view figure canvas").first().isVisible());
  assert.ok(await page.locator("#view-missing").isHidden());
  assert.equal(await page.locator("#view figure").count(), 3);

  // Scrubbing: different frames give different pictures; the same frame gives the same picture.
  const first = await scrub(page, 0), middle = await scrub(page, 30);
  assert.equal(await told(page, "said"), "frame 30, 1.00 s");
  assert.notDeepEqual(first, middle);
  assert.deepEqual(await scrub(page, 0), first);

  // Captions name the quantity and its unit. The first colouring needs no reference.
  const captions = () => page.locator("#view figcaption").evaluateAll((all) => all.map((each) => [...each.children].slice(0, 2).map((part) => part.textContent)));
  await scrub(page, 30);
  for (const [, said] of await captions()) assert.match(said, /^edges -[\d.]+ % to \+[\d.]+ %$/);
  assert.deepEqual((await captions()).map(([method]) => method), ["lbs", "dqs", "cor"]);
  // The arm is at rest in frame 0: what remains is rounding.
  await scrub(page, 0);
  for (const [, said] of await captions()) assert.equal(said, "edges 0 % to 0 %");
  await scrub(page, 30);
  assert.equal(await told(page, "low"), "-50 %");
  const stretched = await pixels(page, await picture(page));
  assert.ok(stretched.drawn > 5000 && stretched.red > 300, JSON.stringify(stretched));
  await part(page, "colour").selectOption("frame");
  assert.deepEqual(await captions(), [
    ["lbs", "is the reference"], ["dqs", "at most 27.3 mm from lbs in this frame"], ["cor", "at most 27.2 mm from lbs in this frame"]]);

  // Colours: vertices with errors are bright; without colouring the same pixels are drawn, but are grey.
  const coloured = await pixels(page, await picture(page));
  assert.ok(coloured.bright > 300, JSON.stringify(coloured));
  await part(page, "colour").selectOption("none");
  const plain = await pixels(page, await picture(page));
  assert.ok(plain.red < 30 && plain.bright < 30, JSON.stringify(plain));
  await part(page, "colour").selectOption("worst");
  const worst = await pixels(page, await picture(page));
  assert.ok(worst.bright > 300, JSON.stringify(worst));

  // Scales: of all methods, of each method, by percentile, by hand.
  const common = await told(page, "high");
  assert.match(common, /^[\d.]+ mm$/);
  await part(page, "range").selectOption("percentile");
  assert.ok(parseFloat(await told(page, "high")) < parseFloat(common));
  await part(page, "range").selectOption("hand");
  await part(page, "limit").fill("1000");
  assert.equal(await told(page, "high"), "1 m");
  assert.ok((await pixels(page, await picture(page))).bright < 30);
  await part(page, "range").selectOption("common");

  // Edges and skeleton are drawn over the mesh.
  await part(page, "colour").selectOption("stretch");
  for (const name of ["edges", "skeleton"]) {
    const without = await picture(page);
    await part(page, name).check();
    assert.notDeepEqual(await picture(page), without, name);
    await part(page, name).uncheck();
    assert.deepEqual(await picture(page), without, name);
  }

  // The surface of a method is drawn where it is outside of the others, and their captions name it.
  const alone = await picture(page), own = (await captions())[1];
  await part(page, "overlay").selectOption("dqs");
  assert.notDeepEqual(await picture(page), alone);
  for (const [method, said] of await captions()) assert.equal(said.endsWith("; magenta: dqs is outside"), method !== "dqs", said);
  assert.deepEqual((await captions())[1], own);
  const overlaid = await picture(page);
  assert.notDeepEqual(await scrub(page, 10), overlaid);
  await scrub(page, 30);
  assert.deepEqual(await picture(page), overlaid);
  await part(page, "overlay").selectOption("");
  assert.deepEqual(await picture(page), alone);

  // The scale of stretches: 50 %, or up to those of the clip, which a scale of errors does not change.
  const ends = () => Promise.all(["low", "high"].map((name) => told(page, name)));
  assert.deepEqual(await ends(), ["-50 %", "50 %"]);
  await part(page, "range").selectOption("common");
  const [, widest] = await ends(), largest = Math.max(...(await captions()).flatMap(([, said]) => said.match(/[\d.]+/g).map(Number)));
  assert.ok(parseFloat(widest) >= largest, `${widest} ${largest}`);
  assert.notDeepEqual(await picture(page), alone);
  await part(page, "range").selectOption("percentile");
  assert.ok(parseFloat((await ends())[1]) < parseFloat(widest));
  await part(page, "colour").selectOption("frame");
  assert.equal(await part(page, "range").inputValue(), "common");
  await part(page, "colour").selectOption("stretch");
  assert.equal(await part(page, "range").inputValue(), "percentile");
  await part(page, "range").selectOption("usual");
  assert.deepEqual(await picture(page), alone);

  // A tile is enlarged, alone, and back.
  const enlarge = page.locator("#view figure button");
  await enlarge.nth(1).click();
  assert.deepEqual(await page.locator("#view figure").evaluateAll((all) => all.map((each) => each.offsetWidth > 0)), [false, true, false]);
  await enlarge.nth(1).click();
  assert.equal(await page.locator("#view figure:visible").count(), 3);

  // The address names a clip and a frame, by which an overview links to the page.
  const address = page.url();
  await page.goto(`${address}#clip=bend_and_twist&frame=17`);
  assert.equal(await told(page, "said"), "frame 17, 0.57 s");
  await page.goto(`${address}#clip=absent&frame=3`);
  await page.goto(`${address}#clip=bend_and_twist&frame=-1`);
  assert.equal(await told(page, "said"), "frame 17, 0.57 s");

  // The worst places: a click and a key stop the clock at the frame, fly there and move the cursors of the charts.
  const place = page.locator("button.place").first();
  const { frame, joint } = await place.evaluate(({ dataset }) => ({ ...dataset }));
  assert.equal(joint, "wrist");
  await part(page, "play").click();
  await scrub(page, 0);
  const far = await picture(page);
  await place.click();
  await page.waitForTimeout(800);
  assert.equal(await told(page, "play"), "Play");
  assert.match(await told(page, "said"), new RegExp(`^frame ${frame}, `));
  assert.ok((await page.locator("figure .plot + output").first().textContent()).includes(`frame ${frame}: `));
  const near = await picture(page);
  assert.notDeepEqual(near, far);
  const closer = await pixels(page, near);
  assert.ok(closer.drawn > 1.5 * stretched.drawn, `the camera is not nearer: ${closer.drawn}, ${stretched.drawn}`);
  await page.locator("h1").click();
  await page.keyboard.press("ArrowRight");
  assert.match(await told(page, "said"), new RegExp(`^frame ${Number(frame) + 1}, `));
  await page.keyboard.press("1");
  assert.match(await told(page, "said"), new RegExp(`^frame ${frame}, `));
  await page.keyboard.press(" ");
  assert.equal(await told(page, "play"), "Stop");
  await page.keyboard.press(" ");
  await part(page, "keys").uncheck();
  await page.locator("h1").click();
  await page.keyboard.press("2");
  await page.keyboard.press(" ");
  assert.equal(await told(page, "play"), "Play");
  console.log(`the worst place: ${(await place.textContent()).trim()}`);

  await part(page, "tiles").scrollIntoViewIfNeeded();
  const area = await part(page, "tiles").boundingBox();

  // Turning: dragging changes the picture, and the page shows the vertex under the pointer.
  const turned = async () => {
    await page.mouse.move(area.x + area.width / 2, area.y + area.height / 2);
    await page.mouse.down();
    await page.mouse.move(area.x + area.width / 2 + 120, area.y + area.height / 2 + 40, { steps: 4 });
    await page.mouse.up();
    return picture(page);
  };
  // On a busy machine, the first drag may come before the page has drawn where it was scrolled to.
  const before = await picture(page);
  for (const until = Date.now() + 20_000; before.equals(await turned());) assert.ok(Date.now() < until);
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
  console.log(`in space: 3 methods; frame 30 has ${coloured.bright} bright pixels of ${coloured.drawn}; "${vertex}"`);
  await close();
}
{
  const { page, complaints, close } = await openPage(modules, chromiumPath, path.join(folder, "view_walker.html"));
  await page.locator("#view").scrollIntoViewIfNeeded();
  assert.equal(await page.locator("#view figure").count(), 2);
  assert.match(await told(page, "note"), /^31 frames; /);
  assert.notDeepEqual(await scrub(page, 0), await scrub(page, 12));
  const whole = await picture(page);
  await page.locator("#view details.meshes summary").click();
  await page.getByRole("checkbox", { name: "Body" }).uncheck();
  assert.ok((await pixels(page, await picture(page))).drawn < (await pixels(page, whole)).drawn);
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
  const captions = () => page.locator("#view figcaption span").allTextContents();
  const errors = async () => (await captions()).flatMap((text) => text.match(/at most (.*) mm/)?.slice(1).map(Number) ?? []);
  await scrub(page, 0);
  assert.deepEqual(await page.locator("#view figcaption bdi").allTextContents(), ["A", "A, by distance from B", "B, by distance from A"]);
  await part(page, "colour").selectOption("frame");
  assert.equal((await captions())[0], "errors are not measured");
  const atRest = await errors();
  const twisted = await scrub(page, 30), inMotion = await errors();
  // B's vertices are on A's surface: its faces show the distance.
  for (const tile of [0, 1]) assert.ok(inMotion[tile] > 2 * atRest[tile] && inMotion[tile] > 1, `${atRest} ${inMotion}`);
  assert.match(await told(page, "note"), /errors are against the other surface \(the largest around each vertex\)/);
  const coloured = await pixels(page, twisted);
  assert.ok(coloured.drawn > 5000 && coloured.bright > 300, JSON.stringify(coloured));
  await part(page, "colour").selectOption("none");
  assert.ok((await pixels(page, await picture(page))).bright < 30);
  // Both directions, at points of which many are not vertices.
  const text = await page.locator("body").textContent();
  assert.match(text, /points are paired by surface/);
  assert.equal(new Set(text.match(/frame\s\d+, point\s\d+, joint\sjoint_\d/g)).size, 2);
  assert.deepEqual(complaints, []);
  console.log(`surfaces: ${inMotion.join(" and ")} mm; ${coloured.bright} bright pixels of ${coloured.drawn}`);
  await close();
}
// At first, the whole of a long model is in its tile.
{
  const { page, close } = await openPage(modules, chromiumPath, path.join(folder, "view_tube.html"));
  const { edge, middle } = await page.locator("#view figure canvas").first().evaluate(async (canvas) => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height), found = { edge: 0, middle: 0 };
    for (let y = 0; y < canvas.height; ++y) {
      for (let x = 0; x < canvas.width; ++x) {
        if (data[4 * (y * canvas.width + x) + 3] < 128) continue;
        found[x < 2 || y < 2 || x >= canvas.width - 2 || y >= canvas.height - 2 ? "edge" : "middle"] += 1;
      }
    }
    return found;
  });
  assert.equal(edge, 0, "the model is cut off");
  assert.ok(middle > 2000, `${middle} pixels`);
  await close();
}
{
  const { page, complaints, close } = await openPage(modules, chromiumPath, path.join(folder, "hostile_view.html"));
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.ok(await page.locator("#view figure canvas").first().isVisible());
  assert.deepEqual(complaints, []);
  await close();
}
// Printed: the tiles are pictures, and nothing is beyond the paper.
{
  const { page, close } = await openPage(modules, chromiumPath, path.join(folder, "view.html"), { viewport: { width: 718, height: 1040 }, colorScheme: "dark" });
  await picture(page);
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
  const printed = await pixels(page, await page.locator("#view figure canvas").first().screenshot());
  assert.ok(printed.drawn > 1000, JSON.stringify(printed));
  // The frame of the pictures and the scale of their colours are said; what one clicks is not printed.
  assert.equal(await told(page, "said"), "frame 0, 0.00 s");
  for (const name of ["said", "legend"]) assert.ok(await part(page, name).isVisible(), name);
  for (const name of ["play", "frame", "colour", "edges"]) assert.ok(await part(page, name).isHidden(), name);
  const isExact = await page.locator("#view figure, .swatch").evaluateAll((all) => all.every((each) => getComputedStyle(each).printColorAdjust === "exact"));
  assert.ok(isExact, "the browser may leave out colours that mean something");
  const cut = await page.$$eval(".table", (all) => all.filter((each) => each.scrollWidth > each.clientWidth + 1).length);
  assert.equal(cut, 0, "a table is wider than the paper");
  await close();
}
// Printed: closed drawings are left out, which the page says, and a number stays on the line of its word.
{
  const { page, close } = await openPage(modules, chromiumPath, path.join(folder, "view_walker.html"), { viewport: { width: 1032, height: 720 } });
  assert.ok(await page.locator(".paper").isHidden());
  await page.emulateMedia({ media: "print" });
  assert.ok(await page.locator(".paper").isVisible());
  const pairs = await page.locator(".pair").evaluateAll((all) => all.map((each) => ({ isOpen: each.open, isPrinted: each.offsetHeight > 0 })));
  assert.deepEqual(pairs, [true, false, false].map((is) => ({ isOpen: is, isPrinted: is })));
  const torn = await page.locator("td").evaluateAll((all) => all.filter((each) => /(frame|vertex) \d/.test(each.textContent)).length);
  assert.equal(torn, 0, "a number may begin a line");
  await close();
}
// Web Content Accessibility Guidelines AA, in both themes.
const pages = ["view.html", "view_walker.html", "view_tube.html", "view_surfaces.html", "hostile_view.html"];
for (const name of pages) {
  const { page, close } = await openPage(modules, chromiumPath, path.join(folder, name), { colorScheme: "light", bypassCSP: true });
  assert.deepEqual(await accessibilityProblems(modules, page), [], `${name}, light`);
  // The theme changes colours alone.
  await page.emulateMedia({ colorScheme: "dark" });
  assert.deepEqual(await accessibilityProblems(modules, page, ["color-contrast"]), [], `${name}, dark`);
  await close();
}
console.log(`axe: no problem on ${pages.length} pages in 2 themes`);
{
  const { page, close } = await openPage(modules, chromiumPath, path.join(folder, "view.html"), { javaScriptEnabled: false });
  assert.ok(await page.locator("#view").isHidden());
  assert.ok(await page.locator("#view-missing").isVisible());
  await close();
}
await closePages();
