// Reads a USD text file with TinyUSDZ and prints its content as JSON: the layer with its time samples, as TinyUSDZ
// writes it, and the meshes of the scene to be rendered.
//
//   node usd_text.mjs MODULES FILE

import fs from "node:fs";
import path from "node:path";
import url from "node:url";

const [modules, file] = process.argv.slice(2);
const folder = path.join(modules, "node_modules", "tinyusdz");
const stdout = process.stdout;

// TinyUSDZ is built for browsers and does not run if the global `process` exists.
globalThis.window = globalThis;
Object.defineProperty(globalThis, "process", { value: undefined });
const { default: load } = await import(url.pathToFileURL(path.join(folder, "tinyusdz.js")));
const tiny = await load({ wasmBinary: fs.readFileSync(path.join(folder, "tinyusdz.wasm")) });

const bytes = fs.readFileSync(file);
const result = {};
const layer = new tiny.TinyUSDZLoaderNative();
if (!layer.loadAsLayerFromBinary(bytes, file)) throw new Error(layer.error());
result.layer = layer.layerToString();
const stage = new tiny.TinyUSDZLoaderNative();
if (!stage.loadFromBinary(bytes, file)) throw new Error(stage.error());
result.meshes = [];
for (let i = 0; i < stage.numMeshes(); ++i) {
  const { primName, points, faceVertexIndices, faceVertexCounts, texcoords } = stage.getMesh(i);
  const numbers = (array) => Array.from(array ?? []);
  result.meshes.push({
    name: primName,
    points: numbers(points),
    indices: numbers(faceVertexIndices),
    counts: numbers(faceVertexCounts),
    texcoords: numbers(texcoords),
  });
}
stdout.write(JSON.stringify(result));
