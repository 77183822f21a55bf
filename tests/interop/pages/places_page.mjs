// Checks the worst places of the 3D view in a browser, and the keys; report_pages.py calls it.
//
//   node places_page.mjs MODULES FOLDER CHROMIUM
//
// FOLDER contains view.html (three methods) and view_man.html (a man whose head is wider than his shoulders).

import assert from "node:assert/strict";
import path from "node:path";
import { closePages, openPage } from "../chromium.mjs";

const [modules, folder, chromiumPath] = process.argv.slice(2);
const open = (name) => openPage(modules, chromiumPath, path.join(folder, name), { reducedMotion: "reduce" });
const part = (page, name) => page.locator(`#view [data-part="${name}"]`);
const told = (page, name) => part(page, name).textContent();
// Whether the view says that it shows a frame.
const isAt = async (page, frame) => (await told(page, "said")).startsWith(`frame ${frame}, `);

// A screenshot of the view after the next frame is drawn.
async function picture(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return part(page, "tiles").screenshot();
}

// A place has one view, in which it is not hidden.
{
  const { page, complaints, close } = await open("view_man.html");
  await page.locator("h1").click();
  // How far the vertex in the middle of the first tile, where the place is, is from the place, in parts of the diagonal of the box.
  const apart = async (number) => {
    const tile = await page.locator("#view figure canvas").first().boundingBox();
    await page.mouse.move(tile.x + tile.width / 2 + 1, tile.y + tile.height / 2);
    await page.mouse.move(tile.x + tile.width / 2, tile.y + tile.height / 2);
    const vertex = Number((await told(page, "vertex")).match(/: vertex (\d+)/)?.[1] ?? NaN);
    return page.evaluate(({ number, vertex }) => {
      const data = JSON.parse(document.querySelector("#view-data").textContent), [clip] = data.clips, [run] = clip.runs;
      const decoded = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)).buffer;
      const { frame, joint, element = "" } = document.querySelectorAll("button.place")[number - 1].dataset;
      const boxes = new Float32Array(decoded(run.boxes)), shorts = new Uint16Array(decoded(run.positions)), box = boxes.subarray(6 * frame, 6 * frame + 6);
      const at = (v) => [0, 1, 2].map((axis) => box[axis] + (shorts[3 * (data.meshes[0].vertex_count * frame + v) + axis] * (box[3 + axis] - box[axis])) / 65535);
      const index = clip.skeleton.joints.indexOf(joint), all = new Float32Array(decoded(clip.skeleton.positions));
      const triangles = new Uint32Array(decoded(data.meshes[0].triangles)), [n] = element.match(/\d+/) ?? [];
      const place = element.startsWith("vertex") ? at(Number(n)) : element.startsWith("triangle") ? at(triangles[3 * n])
        : [0, 1, 2].map((axis) => all[3 * (frame * clip.skeleton.joints.length + index) + axis]);
      return Math.hypot(...at(vertex).map((value, axis) => value - place[axis])) / Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
    }, { number, vertex });
  };
  const views = new Map(), distances = [];
  for (const key of ["1", "2", "3", "4", "2", "1", "4", "3"]) {
    await page.keyboard.press(key);
    const view = await picture(page);
    assert.ok(view.equals(views.get(key) ?? view), `place ${key} has two views`);
    views.set(key, view);
    distances.push(await apart(Number(key)));
    assert.ok(distances.at(-1) < 0.09, `place ${key} is ${distances.at(-1)} of the body behind a surface`);
  }
  console.log(`places: at most ${Math.max(...distances).toFixed(3)} of the body behind a surface`);
  assert.deepEqual(complaints, []);
  await close();
}
// After a click, the keys are the view's. What was reached by keyboard keeps Space.
{
  const { page, complaints, close } = await open("view.html");
  const place = page.locator("button.place").first(), frame = await place.getAttribute("data-frame");
  await place.click();
  await page.keyboard.press(" ");
  assert.equal(await told(page, "play"), "Stop", "Space belongs to the card that was clicked");
  await page.keyboard.press(" ");
  await part(page, "edges").click();
  await page.keyboard.press(" ");
  assert.deepEqual([await told(page, "play"), await part(page, "edges").isChecked()], ["Stop", true]);
  await page.keyboard.press(" ");
  for (const key of [" ", "Enter"]) {
    await part(page, "frame").fill("0");
    await place.focus();
    await page.keyboard.press(key);
    assert.deepEqual([await isAt(page, frame), await told(page, "play")], [true, "Play"], `the key ${JSON.stringify(key)} does not press the card`);
  }
  await part(page, "edges").focus();
  await page.keyboard.press(" ");
  assert.deepEqual([await told(page, "play"), await part(page, "edges").isChecked()], ["Play", false]);
  // No option of the list begins with 1.
  await part(page, "frame").fill("0");
  await part(page, "colour").focus();
  await page.keyboard.press("1");
  assert.ok(await isAt(page, frame));
  assert.deepEqual(complaints, []);
  await close();
}
// A heat map: the joint, the frame and the value of a cell; a click, or Enter, goes there.
{
  const { page, complaints, close } = await open("view.html");
  const place = page.locator("button.place").first(), map = page.locator("svg.heat").first(), text = map.locator("xpath=following-sibling::output");
  const { frame, joint } = await place.evaluate(({ dataset }) => ({ ...dataset }));
  await map.scrollIntoViewIfNeeded();
  const cell = await map.evaluate((svg, { frame, joint }) => {
    const [left, width, height] = svg.dataset.grid.split(" ").map(Number), [first, step, count] = svg.dataset.frames.split(" ").map(Number);
    const row = [...svg.querySelectorAll("g")].findIndex(({ dataset }) => dataset.joint === joint), scale = svg.getBoundingClientRect().width / 432;
    return { x: scale * (left + (width * ((frame - first) / step + 0.5)) / count), y: scale * height * (row + 0.5) };
  }, { frame, joint });
  await map.hover({ position: cell });
  const said = await text.textContent(), amount = await place.locator(".amount").textContent();
  assert.ok(said.startsWith(`${joint}, frame ${frame}: `) && said.endsWith(" %"), said);
  assert.ok(Math.abs(parseFloat(said.split(": ")[1]) - parseFloat(amount)) < 0.1, `${said} ${amount}`);
  await map.click({ position: cell });
  assert.ok(await isAt(page, frame));
  const flown = await picture(page);
  await place.click();
  assert.deepEqual(await picture(page), flown, "the cell and the card are of one place");
  await map.focus();
  await page.keyboard.press("ArrowLeft");
  assert.ok((await text.textContent()).startsWith(`${joint}, frame ${frame - 1}: `));
  assert.ok(await isAt(page, frame));
  await page.keyboard.press("Enter");
  assert.ok(await isAt(page, frame - 1));
  assert.deepEqual(complaints, []);
  console.log(`heat map: ${said}`);
  await close();
}
await closePages();
