// Plays a baked GLB with three.js and writes its normals in the axes of the scene. The normals of the morph targets
// are summed by their weights, as in the shaders of three.js.
//
//   node three_normals.mjs MODULES FILE.glb SAMPLES_PER_SECOND SAMPLES OUT.f64
//
// OUT contains unit vectors, float64 [sample][vertex][axis]; the vertices are ordered by node, then by primitive.

import fs from "node:fs";
import path from "node:path";
import url from "node:url";

const [modules, file, rate, samples, out] = process.argv.slice(2);
const load = (name) => import(url.pathToFileURL(path.join(modules, "node_modules", name)));
globalThis.self ??= globalThis; // GLTFLoader uses self.URL
const THREE = await load("three/build/three.module.js");
const { GLTFLoader } = await load("three/examples/jsm/loaders/GLTFLoader.js");
const { MeshoptDecoder } = await load("meshoptimizer/meshopt_decoder.mjs");

// Removes materials and images: images need a browser and do not affect normals.
function withoutMaterials(glb) {
  const length = glb.readUInt32LE(12);
  const gltf = JSON.parse(glb.toString("utf8", 20, 20 + length));
  for (const what of ["images", "textures", "samplers", "materials"]) delete gltf[what];
  for (const mesh of gltf.meshes) for (const primitive of mesh.primitives) delete primitive.material;
  const text = Buffer.from(JSON.stringify(gltf).padEnd(length));
  return Buffer.concat([glb.subarray(0, 20), text, glb.subarray(20 + length)]);
}

const glb = withoutMaterials(fs.readFileSync(file));
const { scene, animations, parser } = await new GLTFLoader()
  .setMeshoptDecoder(MeshoptDecoder)
  .parseAsync(glb.buffer.slice(glb.byteOffset, glb.byteOffset + glb.length), "");
const parts = [];
scene.traverse((object) => {
  if (!object.isMesh) return;
  const of = parser.associations.get(object);
  parts.push({ object, node: of.nodes ?? parser.associations.get(object.parent).nodes, primitive: of.primitives ?? 0 });
});
parts.sort((a, b) => a.node - b.node || a.primitive - b.primitive);

function normals({ geometry, morphTargetInfluences, matrixWorld }, sums) {
  const { normal } = geometry.attributes;
  const playing = [...morphTargetInfluences.keys()].filter((k) => morphTargetInfluences[k] !== 0);
  if (!geometry.morphTargetsRelative) throw new Error("targets that are not relative");
  const turned = new THREE.Matrix3().getNormalMatrix(matrixWorld);
  const sum = new THREE.Vector3(), way = new THREE.Vector3();
  for (let v = 0; v < normal.count; ++v) {
    sum.fromBufferAttribute(normal, v);
    for (const k of playing) {
      way.fromBufferAttribute(geometry.morphAttributes.normal[k], v);
      sum.addScaledVector(way, morphTargetInfluences[k]);
    }
    sum.applyMatrix3(turned).normalize().toArray(sums, 3 * v);
  }
}

const mixer = new THREE.AnimationMixer(scene);
const action = mixer.clipAction(animations[0]);
const target = fs.openSync(out, "w");
for (let sample = 0; sample < samples; ++sample) {
  action.reset().play();
  action.time = sample / rate;
  mixer.update(0);
  scene.updateMatrixWorld(true);
  for (const { object } of parts) {
    const sums = new Float64Array(3 * object.geometry.attributes.normal.count);
    normals(object, sums);
    fs.writeSync(target, new Uint8Array(sums.buffer));
  }
}
