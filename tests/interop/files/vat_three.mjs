// Plays vertex animation textures in Chromium with three.js, by the shader lines of lib/caches/README.md, and writes
// the positions that the graphics card computes.
//
//   node vat_three.mjs ORACLE CHROMIUM JOBS.json
//
// JOBS: a list of {folder, texture, frames: [number…], out}. OUT: float32 [frame][vertex][axis]. Beside FOLDER/TEXTURE
// are its GLB and its sidecar.

import fs from "node:fs";
import { closeThree, openThree } from "../three_browser.mjs";

const [oracle, chromiumPath, jobs] = process.argv.slice(2);

// Runs in the page. Each vertex is drawn as one pixel whose colour is its position.
async function play({ texture, frames }) {
  const THREE = await import("three");
  const { GLTFLoader } = await import("three/addons/loaders/GLTFLoader.js");
  const { EXRLoader } = await import("three/addons/loaders/EXRLoader.js");
  const url = (name) => `/files/${name}`;
  const { vat } = await (await fetch(url(`${texture}.json`))).json();
  const { scene } = await new GLTFLoader().loadAsync(url(`${texture}.glb`));
  const isExr = texture.endsWith(".exr");
  const loader = isExr ? new EXRLoader().setDataType(THREE.FloatType) : new THREE.TextureLoader();
  const load = async (name) => Object.assign(await loader.loadAsync(url(name)), {
    minFilter: THREE.NearestFilter, magFilter: THREE.NearestFilter, generateMipmaps: false, colorSpace: THREE.NoColorSpace,
    premultiplyAlpha: false, needsUpdate: true,
  });
  const lowImage = vat.low ? await load(vat.low.file) : null;
  const uniforms = {
    positions: { value: await load(texture) }, lowBytes: { value: lowImage }, frame: { value: 0 }, count: { value: 0 }, first: { value: 0 },
    low: { value: new THREE.Vector3(...vat.min) }, high: { value: new THREE.Vector3(...vat.max) },
  };
  const lookup = `
    float v = uv1.y + frame * ${vat.rows_per_frame}.0 / ${vat.height}.0;
    v = 1.0 - v;  // both loaders of three.js put the last row at v = 0
    vec3 texel = texture2D(positions, vec2(uv1.x, v)).rgb;
    ${vat.low ? "texel = (texel * 255.0 * 256.0 + texture2D(lowBytes, vec2(uv1.x, v)).rgb * 255.0) / 65535.0;" : ""}
    where = position + low + texel * (high - low);`;
  const material = new THREE.ShaderMaterial({
    uniforms, depthTest: false, blending: THREE.NoBlending,
    vertexShader: `attribute vec2 uv1; varying vec3 where; uniform sampler2D positions, lowBytes; uniform float frame, count, first;
      uniform vec3 low, high;
      void main() {${lookup}
        gl_Position = vec4((first + float(gl_VertexID) + 0.5) / count * 2.0 - 1.0, 0.0, 0.0, 1.0);
        gl_PointSize = 1.0;
      }`,
    fragmentShader: "varying vec3 where; void main() { gl_FragColor = vec4(where, 1.0); }",
  });
  const points = [];
  scene.traverse((o) => { if (o.isMesh) points.push(new THREE.Points(o.geometry, material)); });
  if (points.length !== 1) throw new Error("the mesh has several primitives");
  const geometry = points[0].geometry.clone().setIndex(null);
  const count = geometry.attributes.position.count;
  uniforms.count.value = count;
  const drawn = new THREE.Points(geometry, material);
  drawn.frustumCulled = false;
  const renderer = new THREE.WebGLRenderer();
  const target = new THREE.WebGLRenderTarget(count, 1, { type: THREE.FloatType, depthBuffer: false });
  const camera = new THREE.Camera(), all = [];
  const pixels = new Float32Array(4 * count);
  for (const f of frames) {
    uniforms.frame.value = f;
    renderer.setRenderTarget(target);
    renderer.render(drawn, camera);
    renderer.readRenderTargetPixels(target, 0, 0, count, 1, pixels);
    for (let v = 0; v < count; ++v) all.push(pixels[4 * v], pixels[4 * v + 1], pixels[4 * v + 2]);
  }
  return all;
}

for (const { folder, texture, frames, out } of JSON.parse(fs.readFileSync(jobs, "utf8"))) {
  const { page, complaints, close } = await openThree(oracle, chromiumPath, folder);
  const positions = await page.evaluate(play, { texture, frames });
  await close();
  if (complaints.some((text) => !text.includes("ReadPixels"))) throw new Error(`${texture}: ${complaints.join("; ")}`);
  fs.writeFileSync(out, new Uint8Array(Float32Array.from(positions).buffer));
}
await closeThree();
