// Plays an animation of a GLB with three.js in Chromium and writes the positions that the graphics card computes from
// the morph targets. Meshes whose node has a scale of 0 are not drawn.
//
//   node three_positions.mjs ORACLE CHROMIUM FILE.glb ANIMATION SAMPLES_PER_SECOND SAMPLES OUT.f32 [PICTURE.png]
//
// OUT: float32 [sample][vertex][axis]. PICTURE shows the last sample.

import fs from "node:fs";
import path from "node:path";
import { openThree } from "../three_browser.mjs";

const [oracle, chromiumPath, file, animation, rate, samples, out, picture] = process.argv.slice(2);

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
  for (let sample = 0; sample < samples; ++sample) {
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
  // The picture: the last sample as a viewer shows it.
  const box = new THREE.Box3(), point = new THREE.Vector3();
  for (let i = 0; i < all.length; i += 3) box.expandByPoint(point.fromArray(all, i));
  const centre = box.getCenter(new THREE.Vector3()), size = box.getSize(point).length();
  const eye = new THREE.PerspectiveCamera(40, 4 / 3, size / 100, size * 10);
  eye.position.copy(centre).add(new THREE.Vector3(0.6, 0.3, 0.8).multiplyScalar(size * 1.3));
  eye.lookAt(centre);
  scene.add(new THREE.HemisphereLight(0xffffff, 0x444444, 3));
  renderer.setSize(800, 600);
  renderer.setClearColor(0xffffff);
  renderer.setRenderTarget(null);
  document.body.append(renderer.domElement);
  renderer.render(scene, eye);
  const gl = renderer.getContext();
  return { all, visible, layers: gl.getParameter(gl.MAX_ARRAY_TEXTURE_LAYERS),
    uniforms: gl.getParameter(gl.MAX_VERTEX_UNIFORM_VECTORS) };
}

const { page, complaints, close } = await openThree(oracle, chromiumPath, path.dirname(path.resolve(file)));
const { all, visible, layers, uniforms } = await page.evaluate(play, {
  name: path.basename(file), animation: Number(animation), rate: Number(rate), samples: Number(samples),
});
if (picture) await page.screenshot({ path: picture });
await close();
fs.writeFileSync(out, new Uint8Array(Float32Array.from(all).buffer));
console.log(JSON.stringify({ visible: visible.map((v) => v.join("+")).filter((v, i, a) => v !== a[i - 1]), layers, uniforms,
  complaints: complaints.filter((text) => !text.includes("ReadPixels")) }));
