// The 3D viewer: all methods side by side under one camera, frame by frame. Colours show the distance
// of each vertex from the reference, or the stretch of its edges.
//
// scripts/setup bundles this file with three.js. data.cpp writes the data that it reads and the
// elements that it fills.
import {
  BufferAttribute, BufferGeometry, DirectionalLight, DoubleSide, HemisphereLight, Mesh,
  MeshLambertMaterial, PerspectiveCamera, Points, PointsMaterial, Raycaster, Scene, Vector2, Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { colourings, decode, openMesh, openRun, shown } from "./viewer_frames.js";

const part = (name) => document.querySelector(`#view [data-part="${name}"]`);

// One mesh by one method, in the current frame.
class View {
  constructor(run, mesh) {
    Object.assign(this, { run, mesh });
    this.positions = new Float32Array(3 * mesh.vertex_count);
    this.values = new Float32Array(mesh.vertex_count);
    this.geometry = new BufferGeometry();
    this.geometry.setAttribute("position", new BufferAttribute(this.positions, 3));
    this.geometry.setAttribute("color", new BufferAttribute(new Float32Array(this.positions.length), 3));
    this.geometry.setIndex(new BufferAttribute(mesh.triangles, 1));
    this.object = mesh.triangles.length > 0
      ? new Mesh(this.geometry, new MeshLambertMaterial({ vertexColors: true, flatShading: true, side: DoubleSide }))
      : new Points(this.geometry, new PointsMaterial({ vertexColors: true, size: 3, sizeAttenuation: false }));
    this.object.frustumCulled = false;
  }

  show(frame, colouring, high) {
    const { position, color } = this.geometry.attributes;
    const scale = 255 / (high - colouring.low || 1);
    decode(this.run.boxes, this.run.positions, frame, this.positions);
    colouring.fill(this, frame);
    this.values.forEach((value, v) => {
      const level = Math.round((value - colouring.low) * scale);
      color.array.set(colouring.colours[Math.max(0, Math.min(255, level))], 3 * v);
    });
    position.needsUpdate = color.needsUpdate = true;
    this.geometry.boundingSphere = null;
  }

  // The vertex nearest to the hit point of a triangle; of a point cloud, the hit point.
  nearest(hit) {
    if (!hit.face) return hit.index;
    const distance = (v) => new Vector3().fromArray(this.positions, 3 * v).distanceTo(hit.point);
    return [hit.face.a, hit.face.b, hit.face.c].reduce((v, w) => (distance(w) < distance(v) ? w : v));
  }

  dispose() {
    this.geometry.dispose();
    this.object.material.dispose();
  }
}

// One method: a scene, and the element of the page where it is drawn.
class Tile {
  constructor(method, views) {
    Object.assign(this, { method, views, scene: new Scene() });
    this.scene.add(new HemisphereLight("#ffffff", "#8a949e", 1.5), ...views.map(({ object }) => object));
    this.element = document.createElement("figure");
    this.caption = document.createElement("figcaption");
    this.element.append(this.caption);
    part("tiles").append(this.element);
  }

  show(frame, colouring, high) {
    for (const view of this.views) view.show(frame, colouring, high);
    const errors = this.views.filter(({ run }) => run.largest.length > 0).map(({ run }) => run.largest[frame]);
    this.caption.textContent = this.method + (errors.length > 0 ? `: ${shown(Math.max(...errors), "m")}` : "");
  }

  dispose() {
    for (const view of this.views) view.dispose();
    this.element.remove();
  }
}

class Viewer {
  tiles = [];
  frame = 0;
  playing = null;  // id of the requested animation frame; null: paused
  start = null;  // frame and time at which playing began; null: set by the next animation frame
  pending = false;
  camera = new PerspectiveCamera(30, 1, 0.01, 1000);
  light = new DirectionalLight("#ffffff", 1.9);
  ray = new Raycaster();

  constructor(data, renderer) {
    Object.assign(this, { data, renderer, meshes: data.meshes.map(openMesh) });
    this.controls = new OrbitControls(this.camera, part("tiles"));
    this.controls.addEventListener("change", () => this.request());
    new ResizeObserver(() => this.request()).observe(part("tiles"));
    addEventListener("scroll", () => this.request(), { passive: true });
    data.clips.forEach((each, i) => part("clip").append(new Option(each.id ?? "rest pose", i)));
    part("clip").parentElement.hidden = data.clips.length < 2;
    part("clip").addEventListener("change", () => this.choose(Number(part("clip").value)));
    part("colour").addEventListener("change", () => this.recolour());
    part("frame").addEventListener("input", () => this.seek(Number(part("frame").value)));
    part("play").addEventListener("click", () => this.play());
    part("tiles").addEventListener("pointermove", (event) => this.showVertex(event));
    this.choose(0);
  }

  get colouring() { return colourings[part("colour").value]; }

  choose(index) {
    for (const tile of this.tiles) tile.dispose();
    const { runs, ...clip } = this.data.clips[index];
    this.clip = { ...clip, runs: runs.map(openRun) };
    this.clip.largest = this.clip.runs.reduce((all, { worst }) => worst.reduce((a, b) => Math.max(a, b), all), 0);
    this.tiles = [...new Set(runs.map(({ method }) => method))].map((method) => new Tile(method,
      this.clip.runs.filter((run) => run.method === method).map((run) => new View(run, this.meshes[run.mesh]))));
    part("frame").max = clip.frame_count - 1;
    part("note").textContent = clip.note;
    this.offerColours();
    this.placeCamera();
    this.frame = 0;
    this.start = null;
    this.recolour();
  }

  seek(frame) {
    this.start = null;
    this.show(frame);
  }

  // Enables the colourings that have data.
  offerColours() {
    const hasErrors = this.clip.runs.some(({ errors }) => errors.length > 0);
    const hasBind = this.meshes.some(({ bind }) => bind !== "");
    const has = { frame: hasErrors, worst: hasErrors, stretch: hasBind, none: true };
    for (const option of part("colour").options) option.disabled = !has[option.value];
    if (!has[part("colour").value]) part("colour").value = Object.keys(has).find((value) => has[value]);
  }

  // Shows the boxes of every method, mesh and frame of the clip.
  placeCamera() {
    const low = new Vector3(Infinity, Infinity, Infinity), high = low.clone().negate();
    for (const { boxes } of this.clip.runs) {
      for (let i = 0; i < boxes.length; i += 6) {
        low.min(new Vector3().fromArray(boxes, i));
        high.max(new Vector3().fromArray(boxes, i + 3));
      }
    }
    const radius = Math.max(0.45 * low.distanceTo(high), 1e-6);  // the corners of a box are usually empty
    this.controls.target.copy(low).add(high).multiplyScalar(0.5);
    const offset = new Vector3(0.55, 0.35, 1).setLength(radius / Math.sin(Math.PI / 12));
    this.camera.position.copy(this.controls.target).add(offset);
    Object.assign(this.camera, { near: radius / 100, far: radius * 100 });
    this.controls.update();
  }

  recolour() {
    const { colouring } = this;
    part("legend").hidden = colouring.unit === "";
    part("ramp").style.background = `linear-gradient(to right, ${colouring.stops.join(", ")})`;
    part("low").textContent = shown(colouring.low, colouring.unit);
    part("high").textContent = shown(colouring.high(this.clip), colouring.unit);
    this.show(this.frame);
  }

  show(frame) {
    const { clip, colouring } = this;
    this.frame = Math.max(0, Math.min(clip.frame_count - 1, frame));
    for (const tile of this.tiles) tile.show(this.frame, colouring, colouring.high(clip));
    part("frame").value = this.frame;
    const number = clip.first_frame + this.frame * clip.frame_step;
    part("said").textContent = `frame ${number}, ${(number / clip.fps).toFixed(2)} s`;
    part("pose").textContent = clip.poses.findLast(([first]) => first <= this.frame)?.[1] ?? "";
    this.request();
  }

  request() {
    if (!this.pending) requestAnimationFrame(() => this.draw());
    this.pending = true;
  }

  aim(box) {
    this.camera.aspect = box.width / box.height;
    this.camera.updateProjectionMatrix();
  }

  // Draws all tiles into the one canvas below them.
  draw() {
    this.pending = false;
    const area = part("tiles").getBoundingClientRect();
    this.renderer.setSize(area.width, area.height, false);
    this.renderer.setScissorTest(true);
    this.light.position.copy(this.camera.position).sub(this.controls.target);
    for (const { element, scene } of this.tiles) {
      const box = element.getBoundingClientRect();
      if (box.bottom < 0 || box.top > innerHeight) continue;
      const place = [box.left - area.left, area.bottom - box.bottom, box.width, box.height];
      this.renderer.setViewport(...place);
      this.renderer.setScissor(...place);
      this.aim(box);
      scene.add(this.light);
      this.renderer.render(scene, this.camera);
    }
  }

  play() {
    const stops = this.playing !== null;
    part("play").textContent = stops ? "Play" : "Stop";
    if (stops) cancelAnimationFrame(this.playing);
    this.start = null;
    const tick = (now) => {
      this.start ??= { frame: this.frame, now };
      const { clip, start } = this;  // the user may have chosen another clip meanwhile
      const elapsed = Math.floor(((now - start.now) / 1000) * (clip.fps / clip.frame_step));
      const frame = (start.frame + elapsed) % clip.frame_count;
      if (frame !== this.frame) this.show(frame);
      this.playing = requestAnimationFrame(tick);
    };
    this.playing = stops ? null : requestAnimationFrame(tick);
  }

  // Shows the vertex under the pointer and its value.
  showVertex({ clientX, clientY, buttons }) {
    if (buttons !== 0) return;
    part("vertex").textContent = "";
    for (const { element, method, views } of this.tiles) {
      const box = element.getBoundingClientRect();
      const x = (clientX - box.left) / box.width, y = (clientY - box.top) / box.height;
      if (x < 0 || x > 1 || y < 0 || y > 1) continue;
      this.aim(box);
      this.ray.setFromCamera(new Vector2(2 * x - 1, 1 - 2 * y), this.camera);
      const [hit] = this.ray.intersectObjects(views.map(({ object }) => object));
      if (!hit) return;
      const view = views.find(({ object }) => object === hit.object), vertex = view.nearest(hit);
      part("vertex").textContent = `${method}, ${view.mesh.id}: vertex ${vertex}` +
        (this.colouring.unit ? `, ${shown(view.values[vertex], this.colouring.unit)}` : "");
    }
  }
}

function open(isOpen) {
  document.querySelector("#view").hidden = !isOpen;
  document.querySelector("#view-missing").hidden = isOpen;
}
try {
  const renderer = new WebGLRenderer({ canvas: part("canvas"), antialias: true, alpha: true });
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  open(true);
  new Viewer(JSON.parse(document.querySelector("#view-data").textContent), renderer);
} catch (error) {
  open(false);
  console.warn(error);
}
