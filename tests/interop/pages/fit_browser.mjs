// Draws three GLBs with three.js in Chromium at an instant of their first clip, side by side from the same camera.
//
//   node fit_browser.mjs ORACLE CHROMIUM FOLDER TIME PICTURE.png GLB GLB GLB
//
// The GLBs are names in FOLDER. Prints the number of pixels in which each of the first two differs from the third, as JSON.

import fs from "node:fs";
import { closeThree, openThree } from "../three_browser.mjs";

const [oracle, chromiumPath, folder, time, picture, ...names] = process.argv.slice(2);

// Runs in the page.
async function draw({ names, time }) {
  const THREE = await import("three");
  const { GLTFLoader } = await import("three/addons/loaders/GLTFLoader.js");
  const { MeshoptDecoder } = await import("meshoptimizer");
  const size = 400;
  const renderer = new THREE.WebGLRenderer({ preserveDrawingBuffer: true });
  renderer.setSize(size * names.length, size);
  renderer.setScissorTest(true);
  document.body.append(renderer.domElement);
  const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
  const images = [];
  let camera = null;
  for (const [i, name] of names.entries()) {
    const { scene, animations } = await loader.loadAsync(`/files/${name}`);
    scene.traverse((o) => {
      if (!o.isMesh) return;
      o.material = new THREE.MeshNormalMaterial({ flatShading: true });
      o.frustumCulled = false;
    });
    const mixer = new THREE.AnimationMixer(scene);
    mixer.clipAction(animations[0]).play();
    mixer.setTime(time);
    scene.updateMatrixWorld(true);
    if (camera === null) {
      const box = new THREE.Box3();
      scene.traverse((o) => { if (o.isMesh) { o.computeBoundingBox?.(); box.expandByObject(o, true); } });
      const centre = box.getCenter(new THREE.Vector3()), reach = box.getSize(new THREE.Vector3()).length() / 2;
      camera = new THREE.OrthographicCamera(-reach, reach, reach, -reach, 0.01 * reach, 10 * reach);
      camera.position.copy(centre).add(new THREE.Vector3(2, 1, 3).multiplyScalar(reach));
      camera.lookAt(centre);
    }
    renderer.setViewport(size * i, 0, size, size);
    renderer.setScissor(size * i, 0, size, size);
    renderer.setClearColor(0xffffff);
    renderer.render(scene, camera);
    const pixels = new Uint8Array(4 * size * size);
    renderer.getContext().readPixels(size * i, 0, size, size, renderer.getContext().RGBA, renderer.getContext().UNSIGNED_BYTE, pixels);
    images.push(pixels);
  }
  const differing = (a, b) => {
    let count = 0;
    for (let p = 0; p < a.length; p += 4) {
      count += [0, 1, 2].some((c) => Math.abs(a[p + c] - b[p + c]) > 12) ? 1 : 0;
    }
    return count;
  };
  const target = images.at(-1);
  let drawn = 0;
  for (let p = 0; p < target.length; p += 4) drawn += target[p] + target[p + 1] + target[p + 2] < 765 ? 1 : 0;
  return { drawn, differing: images.slice(0, -1).map((image) => differing(image, target)) };
}

const { page, complaints, close } = await openThree(oracle, chromiumPath, folder);
await page.setViewportSize({ width: 1200, height: 400 });
const found = await page.evaluate(draw, { names, time: Number(time) });
fs.writeFileSync(picture, await page.screenshot());
await close();
await closeThree();
if (complaints.some((text) => !text.includes("ReadPixels"))) throw new Error(complaints.join("; "));
console.log(JSON.stringify(found));
