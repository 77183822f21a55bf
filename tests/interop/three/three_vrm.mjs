// Plays VRM animations on VRM models with three-vrm and writes the positions of all vertices in double precision.
//
//   node three_vrm.mjs ORACLE JOBS.json
//
// JOBS: [{"model": GLB, "clip": GLB, "times_s": […], "faces": true, "out": FILE}]. The first animation of the clip
// plays, with its expressions and its look-at if `faces` is true. OUT: float64 [frame][vertex][axis] in scene space; the
// vertices of all primitives of all mesh nodes, by node, primitive and vertex. OUT.json: {"meshes": [{"node", "vertices"}], "complaints": [text of a warning of three.js or three-vrm]}.
//
// Spring bones and node constraints are off. Where the packages differ from the specifications, and where they round
// to float32, the specification counts:
//  - keys and times stay in double precision, and rotations between keys follow the great circle;
//  - skin weights are divided by their sum over all sets;
//  - the bone type of look-at has rangeMapVerticalDown and rangeMapVerticalUp exchanged (VRMC_vrm 1.0, lookAt.md:
//    a positive pitch looks down).

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [oracle, jobsFile] = process.argv.slice(2);
const complaints = new Set();
for (const kind of ["warn", "error", "log", "info"]) {
  console[kind] = (...words) => complaints.add(words.map(String).join(" "));
}
globalThis.self ??= globalThis; // GLTFLoader looks at self.URL

const module = (file) => import(pathToFileURL(path.resolve(oracle, "node_modules", file)));
const THREE = await module("three/build/three.module.js");
const { GLTFLoader } = await module("three/examples/jsm/loaders/GLTFLoader.js");
const VRM = await module("@pixiv/three-vrm/lib/three-vrm.module.js");
const VRMA = await module("@pixiv/three-vrm-animation/lib/three-vrm-animation.module.js");

THREE.SkinnedMesh.prototype.normalizeSkinWeights = function () {};

function unit(q) {
  const length = Math.hypot(...q);
  return q.map((x) => x / length);
}

class GreatCircle extends THREE.Interpolant {
  copySampleValue_(k) {
    const q = unit(Array.from(this.sampleValues.subarray(4 * k, 4 * k + 4)));
    q.forEach((x, i) => { this.resultBuffer[i] = x; });
    return this.resultBuffer;
  }

  interpolate_(k, t0, t, t1) {
    const v = this.sampleValues, a = unit(Array.from(v.subarray(4 * k - 4, 4 * k)));
    let b = unit(Array.from(v.subarray(4 * k, 4 * k + 4)));
    if (a.reduce((sum, x, i) => sum + x * b[i], 0) < 0) b = b.map((x) => -x);
    const apart = Math.hypot(...a.map((x, i) => x - b[i])), together = Math.hypot(...a.map((x, i) => x + b[i]));
    const angle = 2 * Math.atan2(apart, together), sine = Math.sin(angle), s = (t - t0) / (t1 - t0);
    const share = (part) => (sine > 1e-12 ? Math.sin(part * angle) / sine : part);
    unit(a.map((x, i) => share(1 - s) * x + share(s) * b[i])).forEach((x, i) => { this.resultBuffer[i] = x; });
    return this.resultBuffer;
  }
}
THREE.KeyframeTrack.prototype.TimeBufferType = Float64Array;
THREE.KeyframeTrack.prototype.ValueBufferType = Float64Array;
THREE.QuaternionKeyframeTrack.prototype.InterpolantFactoryMethodLinear = function (result) {
  return new GreatCircle(this.times, this.values, this.getValueSize(), result);
};

const apply = VRM.VRMLookAtBoneApplier.prototype.applyYawPitch;
VRM.VRMLookAtBoneApplier.prototype.applyYawPitch = function (yaw, pitch) {
  const { rangeMapVerticalDown: down, rangeMapVerticalUp: up } = this;
  Object.assign(this, { rangeMapVerticalDown: up, rangeMapVerticalUp: down });
  apply.call(this, yaw, pitch);
  Object.assign(this, { rangeMapVerticalDown: down, rangeMapVerticalUp: up });
};

// The GLB without what only a browser can read, and with a licence that three-vrm accepts.
function simplified(file) {
  const data = fs.readFileSync(file), length = data.readUInt32LE(12);
  const json = JSON.parse(data.toString("utf8", 20, 20 + length)), rest = data.subarray(20 + length);
  for (const key of ["images", "textures", "samplers", "materials"]) delete json[key];
  for (const mesh of json.meshes ?? []) for (const primitive of mesh.primitives) delete primitive.material;
  const vrm1 = json.extensions?.VRMC_vrm, vrm0 = json.extensions?.VRM;
  if (vrm1) vrm1.meta = { ...vrm1.meta, licenseUrl: "https://vrm.dev/licenses/1.0/" };
  if (vrm0) delete vrm0.materialProperties;
  let text = Buffer.from(JSON.stringify(json));
  text = Buffer.concat([text, Buffer.alloc(-text.length & 3, 0x20)]);
  const head = Buffer.alloc(20);
  head.write("glTF", "latin1");
  [2, 20 + text.length + rest.length, text.length, 0x4e4f534a].forEach((x, i) => head.writeUInt32LE(x, 4 + 4 * i));
  const all = Buffer.concat([head, text, rest]);
  return { json, glb: all.buffer.slice(all.byteOffset, all.byteOffset + all.length) };
}

async function load(file, ...plugins) {
  const { json, glb } = simplified(file);
  const loader = new GLTFLoader();
  for (const plugin of plugins) loader.register(plugin);
  return { json, gltf: await loader.parseAsync(glb, "") };
}

function doubles(attribute) {
  const values = new Float64Array(attribute.count * attribute.itemSize), axes = ["getX", "getY", "getZ", "getW"];
  for (let i = 0; i < attribute.count; ++i) {
    for (let c = 0; c < attribute.itemSize; ++c) values[attribute.itemSize * i + c] = attribute[axes[c]](i);
  }
  return values;
}

function weightsPerVertex(attributes) {
  const sets = [];
  for (let s = 0; ; ++s) {
    const joints = attributes[s === 0 ? "skinIndex" : `joints_${s}`];
    const weights = attributes[s === 0 ? "skinWeight" : `weights_${s}`];
    if (!joints || !weights) return sets;
    sets.push({ joints: doubles(joints), weights: doubles(weights) });
  }
}

// The primitives of all mesh nodes of the scene, with their geometry in double precision.
async function partsOf(model) {
  const { json, gltf } = model, parts = [];
  for (let node = 0; node < json.nodes.length; ++node) {
    if (json.nodes[node].mesh === undefined) continue;
    const root = await gltf.parser.getDependency("node", node);
    let inScene = root;
    while (inScene && inScene !== gltf.scene) inScene = inScene.parent;
    if (!inScene) continue;
    // A mesh of one primitive is the node itself; others are its first children.
    const count = json.meshes[json.nodes[node].mesh].primitives.length;
    const objects = root.isMesh ? [root] : root.children.filter((child) => child.isMesh).slice(0, count);
    if (objects.length !== count) throw new Error(`node ${node}: ${objects.length} primitives of ${count}`);
    for (const object of objects) {
      const { attributes, morphAttributes } = object.geometry;
      parts.push({ node, object, positions: doubles(attributes.position),
        targets: (morphAttributes.position ?? []).map(doubles),
        sets: object.isSkinnedMesh ? weightsPerVertex(attributes) : [] });
    }
  }
  return parts;
}

function blended(sets, vertex, palette, into) {
  let sum = 0;
  for (const { weights } of sets) for (let k = 0; k < 4; ++k) sum += weights[4 * vertex + k];
  into.fill(0);
  for (const { joints, weights } of sets) {
    for (let k = 0; k < 4; ++k) {
      const share = sum === 0 ? 0 : weights[4 * vertex + k] / sum;
      if (share === 0) continue;
      const matrix = palette[joints[4 * vertex + k]].elements;
      for (let e = 0; e < 16; ++e) into[e] += share * matrix[e];
    }
  }
  return sum === 0 ? palette[sets[0].joints[4 * vertex]].elements : into;
}

function positionsOf({ object, positions, targets, sets }) {
  const result = Float64Array.from(positions), m = new Float64Array(16);
  targets.forEach((target, t) => {
    const weight = object.morphTargetInfluences[t];
    if (weight !== 0) target.forEach((delta, i) => { result[i] += weight * delta; });
  });
  const palette = object.skeleton?.bones.map(
    (bone, j) => new THREE.Matrix4().multiplyMatrices(bone.matrixWorld, object.skeleton.boneInverses[j]));
  for (let v = 0; v < result.length / 3; ++v) {
    const a = sets.length > 0 ? blended(sets, v, palette, m) : object.matrixWorld.elements;
    const [x, y, z] = result.subarray(3 * v, 3 * v + 3);
    for (let c = 0; c < 3; ++c) result[3 * v + c] = a[c] * x + a[4 + c] * y + a[8 + c] * z + a[12 + c];
  }
  return result;
}

async function play({ model: modelFile, clip: clipFile, times_s: times, faces, out }) {
  complaints.clear();
  const model = await load(modelFile, (parser) => new VRM.VRMLoaderPlugin(parser, { autoUpdateHumanBones: true }));
  const { vrm } = model.gltf.userData;
  if (!vrm) throw new Error(`three-vrm does not read a VRM from ${modelFile}`);
  vrm.springBoneManager = vrm.nodeConstraintManager = undefined;
  const { gltf } = await load(clipFile, (parser) => new VRMA.VRMAnimationLoaderPlugin(parser));
  const [animation] = gltf.userData.vrmAnimations;
  if (!faces) {
    animation.expressionTracks = { preset: new Map(), custom: new Map() };
    animation.lookAtTrack = null;
  }
  if (vrm.lookAt) {
    const proxy = new VRMA.VRMLookAtQuaternionProxy(vrm.lookAt);
    proxy.name = "look_at_proxy";
    vrm.scene.add(proxy);
  }
  const mixer = new THREE.AnimationMixer(vrm.scene);
  const action = mixer.clipAction(VRMA.createVRMAnimationClip(animation, vrm));
  const parts = await partsOf(model);
  const file = fs.openSync(out, "w");
  for (const time of times) {
    // The time of a stopped action does not wrap at its end.
    action.reset().play();
    action.time = time;
    mixer.update(0);
    vrm.update(0);
    model.gltf.scene.updateMatrixWorld(true);
    for (const part of parts) fs.writeSync(file, new Uint8Array(positionsOf(part).buffer));
  }
  fs.closeSync(file);
  const meshes = new Map();
  for (const { node, positions } of parts) meshes.set(node, (meshes.get(node) ?? 0) + positions.length / 3);
  fs.writeFileSync(`${out}.json`, JSON.stringify({ complaints: [...complaints],
    meshes: [...meshes].map(([node, vertices]) => ({ node, vertices })) }));
}

for (const job of JSON.parse(fs.readFileSync(jobsFile))) await play(job);
