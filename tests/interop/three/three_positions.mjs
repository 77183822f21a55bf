// Plays an animation of a GLB with three.js in Chromium and writes the positions that the graphics card computes from
// the morph targets. Meshes whose node has a scale of 0 are not drawn.
//
//   node three_positions.mjs ORACLE CHROMIUM JOBS.json
//
// JOBS: a list of {file, animation, rate, samples: [number…], out}; rate: samples per second. OUT: float32
// [sample][vertex][axis]. Prints what each job found, as one list.

import fs from "node:fs";
import path from "node:path";
import { closeThree, openThree } from "../three_browser.mjs";

const [oracle, chromiumPath, jobs] = process.argv.slice(2);

// Runs in the page. Each vertex is drawn as one pixel whose colour is its position.
async function play({ name, animation, rate, samples }) {
  const THREE = await import("three");
  const { GLTFLoader } = await import("three/addons/loaders/GLTFLoader.js");
  const { MeshoptDecoder } = await import("meshoptimizer");
  const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
  const { scene, animations } = await loader.loadAsync(`/files/${name}`);
  const material = new THREE.PointsMaterial({ blending: THREE.NoBlending, depthTest: false });
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = "varying vec3 place;\n" + shader.vertexShader
      .replace("#include <fog_vertex>", `place = (modelMatrix * vec4(transformed, 1.0)).xyz;
        gl_Position = vec4((float(gl_VertexID) + 0.5) / float(VERTICES) * 2.0 - 1.0, 0.0, 0.0, 1.0);
        gl_PointSize = 1.0;`);
    shader.fragmentShader = "varying vec3 place; void main() { gl_FragColor = vec4(place, 1.0); }";
  };
  const meshes = [];
  scene.traverse((object) => { if (object.isMesh) meshes.push(object); });
  const renderer = new THREE.WebGLRenderer();
  const camera = new THREE.Camera();
  const drawn = meshes.map((mesh) => {
    const geometry = mesh.geometry.clone().setIndex(null);
    const own = material.clone();
    own.onBeforeCompile = material.onBeforeCompile;
    own.defines = { VERTICES: geometry.attributes.position.count };
    const points = new THREE.Points(geometry, own);
    points.morphTargetInfluences = mesh.morphTargetInfluences;
    points.frustumCulled = points.matrixAutoUpdate = points.matrixWorldAutoUpdate = false;
    return points;
  });
  const mixer = new THREE.AnimationMixer(scene);
  const action = mixer.clipAction(animations[animation]);
  const all = [], visible = [];
  for (const sample of samples) {
    action.reset().play();
    action.clampWhenFinished = true;
    action.setLoop(THREE.LoopOnce);
    action.time = sample / rate;
    mixer.update(0);
    scene.updateMatrixWorld(true);
    visible.push([]);
    meshes.forEach((mesh, i) => {
      if (mesh.matrixWorld.determinant() === 0) return;
      visible.at(-1).push(i);
      drawn[i].matrixWorld.copy(mesh.matrixWorld);
      const count = mesh.geometry.attributes.position.count;
      const target = new THREE.WebGLRenderTarget(count, 1, { type: THREE.FloatType, depthBuffer: false });
      renderer.setRenderTarget(target);
      renderer.render(drawn[i], camera);
      const pixels = new Float32Array(4 * count);
      renderer.readRenderTargetPixels(target, 0, 0, count, 1, pixels);
      target.dispose();
      for (let v = 0; v < count; ++v) all.push(pixels[4 * v], pixels[4 * v + 1], pixels[4 * v + 2]);
    });
  }
  return { all, visible };
}

const found = [];
for (const { file, animation, rate, samples, out } of JSON.parse(fs.readFileSync(jobs, "utf8"))) {
  const { page, complaints, close } = await openThree(oracle, chromiumPath, path.dirname(path.resolve(file)));
  const { all, visible } = await page.evaluate(play, { name: path.basename(file), animation, rate, samples });
  await close();
  fs.writeFileSync(out, new Uint8Array(Float32Array.from(all).buffer));
  found.push({ visible: visible.map((v) => v.join("+")).filter((v, i, a) => v !== a[i - 1]),
    complaints: complaints.filter((text) => !text.includes("ReadPixels")) });
}
await closeThree();
console.log(JSON.stringify(found));
