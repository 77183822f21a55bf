// A page in Chromium that has three.js and the files of a folder, without a network.

import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";

const HOST = "http://skinbake.test";
const TYPES = { ".js": "text/javascript", ".mjs": "text/javascript", ".png": "image/png" };
const PAGE = `<!doctype html><link rel="icon" href="data:,"><style>body { margin: 0 }</style><script type="importmap">{"imports": {
  "three": "${HOST}/modules/three/build/three.module.js",
  "three/addons/": "${HOST}/modules/three/examples/jsm/",
  "meshoptimizer": "${HOST}/modules/meshoptimizer/meshopt_decoder.mjs"}}</script>`;

let browser = null;

// `oracle`: the folder of the npm packages. The page reads FOLDER/name as /files/name. Software renders WebGL, so
// that pictures are equal on every machine.
export async function openThree(oracle, chromiumPath, folder) {
  const { chromium } = createRequire(path.join(oracle, "pages", "index.js"))("playwright-core");
  browser ??= await chromium.launch({
    executablePath: chromiumPath, args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });
  const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
  const complaints = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(`${error}`));
  await page.route("**/*", (route) => {
    const name = decodeURIComponent(new URL(route.request().url()).pathname);
    if (name === "/") return route.fulfill({ body: PAGE, contentType: "text/html" });
    const file = name.startsWith("/modules/") ? path.join(oracle, "node_modules", name.slice(9))
      : path.join(folder, name.slice(7));
    if (!fs.existsSync(file)) return route.fulfill({ status: 404, body: "" });
    const contentType = TYPES[path.extname(file)] ?? "application/octet-stream";
    return route.fulfill({ body: fs.readFileSync(file), contentType });
  });
  await page.goto(`${HOST}/`);
  return { page, complaints, close: () => page.close() };
}

export async function closeThree() {
  await browser?.close();
}
