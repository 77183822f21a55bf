// Opens pages in Chromium without a network and collects their errors and messages.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import path from "node:path";
import url from "node:url";

let browser = null;

// `modules`: the folder of playwright-core. Software renders WebGL, so that pictures are equal on every machine.
export async function openPage(modules, chromiumPath, file, options = {}) {
  const { chromium } = createRequire(path.join(modules, "index.js"))("playwright-core");
  browser ??= await chromium.launch({
    executablePath: chromiumPath, args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });
  const context = await browser.newContext({ offline: true, viewport: { width: 1280, height: 1600 }, ...options });
  const page = await context.newPage();
  const complaints = [], requests = [];
  page.on("console", (message) => {
    // The graphics driver reports that a screenshot reads pixels, which is slow.
    if (!message.text().includes("GPU stall due to ReadPixels")) complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`error: ${error}`));
  page.on("dialog", (dialog) => { complaints.push("a dialog"); dialog.dismiss(); });
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(url.pathToFileURL(file).href);
  assert.deepEqual(requests, [url.pathToFileURL(file).href], "the page asks for something else");
  return { page, complaints, requests, close: () => context.close() };
}

// What axe-core finds against the Web Content Accessibility Guidelines 2.2, levels A and AA, or against the named rules
// alone. The page must be opened with bypassCSP, because its policy refuses axe's script.
export async function accessibilityProblems(modules, page, rules = null) {
  await page.addScriptTag({ path: path.join(modules, "node_modules", "axe-core", "axe.min.js") });
  const levels = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
  const { violations } = await page.evaluate((runOnly) => globalThis.axe.run(document, { runOnly }), rules ?? levels);
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`);
}

export async function closePages() {
  await browser?.close();
}
