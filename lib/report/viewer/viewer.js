// The 3D viewer: all methods side by side under one camera and one clock. Colours show the stretch of
// edges, which needs no reference, or the distance of each vertex from the reference.
//
// scripts/setup bundles this file with three.js. data.cpp writes the data that it reads; view.html has
// the elements that it fills; places.cpp writes the buttons of the worst places.
import { DirectionalLight, PerspectiveCamera, Raycaster, Vector2, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { colourings, scaleEnd, shown } from "./viewer_colours.js";
import { openClip, openMesh, someVertices } from "./viewer_frames.js";
import { Keys } from "./viewer_keys.js";
import { Flight, placeOf } from "./viewer_places.js";
import { sightOf } from "./viewer_sight.js";
import { Tile, View } from "./viewer_tile.js";

const part = (name) => document.querySelector(`#view [data-part="${name}"]`);
const places = [...document.querySelectorAll("button.place")];
const brief = (name) => (name.length > 400 ? `${name.slice(0, 400)}…` : name);  // as displayed
const fieldOfView = 30;  // degrees, of the height of a tile
const halfHeight = Math.tan((fieldOfView * Math.PI) / 360);  // at a distance of 1
const firstSight = new Vector3(0.55, 0.35, 1).normalize();  // from the model to the camera
const inkOf = () => getComputedStyle(document.body).color;

class Viewer {
  tiles = [];
  frame = 0;
  playing = null;  // id of the requested animation frame; null: paused
  start = null;  // frame and time at which playing began; null: set by the next animation frame
  pending = false;
  enlarged = null;  // the tile that is shown alone; null: all
  camera = new PerspectiveCamera(fieldOfView, 1, 0.01, 1000);
  light = new DirectionalLight("#ffffff", 1.7);
  ray = new Raycaster();
  keys = new Keys();
  ranges = { "%": "usual" };  // the scale that is chosen for values of a unit

  constructor(data, renderer) {
    Object.assign(this, { data, renderer, meshes: data.meshes.map(openMesh) });
    this.controls = new OrbitControls(this.camera, part("tiles"));
    this.controls.addEventListener("change", () => this.request());
    this.flight = new Flight(this.camera, this.controls, () => this.request());
    new ResizeObserver(() => this.request()).observe(part("tiles"));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.choose(this.clipIndex));
    data.clips.forEach((each, i) => part("clip").append(new Option(brief(each.id ?? "rest pose"), i)));
    part("clip").parentElement.hidden = data.clips.length < 2;
    this.offerMeshes();
    this.listen();
    this.choose(0);
  }

  listen() {
    part("clip").addEventListener("change", () => this.choose(Number(part("clip").value)));
    part("colour").addEventListener("change", () => this.recolour());
    part("range").addEventListener("change", () => {
      this.ranges[this.colouring.unit] = part("range").value;
      this.recolour();
    });
    part("limit").addEventListener("input", () => this.recolour());
    part("overlay").addEventListener("change", () => {
      this.overlay();
      this.show(this.frame);
    });
    part("edges").addEventListener("change", () => this.showParts());
    part("skeleton").addEventListener("change", () => this.showParts());
    part("frame").addEventListener("input", () => this.seek(Number(part("frame").value)));
    part("play").addEventListener("click", () => this.play());
    part("tiles").addEventListener("pointermove", (event) => this.showVertex(event));
    places.forEach((place) => place.addEventListener("click", () => this.goTo(place.dataset, place)));
    document.addEventListener("keydown", (event) => this.press(event));
    // A curve, or a cell of a heat map, was clicked.
    document.addEventListener("skinbake-seek", ({ detail }) => this.seekTo(detail.clip, detail.frame));
    document.addEventListener("skinbake-place", ({ detail }) => this.goTo(detail));
  }

  get colouring() { return colourings[part("colour").value]; }

  // A checkbox for each mesh, if there are several.
  offerMeshes() {
    part("meshes-label").hidden = this.meshes.length < 2;
    for (const mesh of this.meshes) {
      const label = document.createElement("label"), box = document.createElement("input"), name = document.createElement("bdi");
      Object.assign(box, { type: "checkbox", checked: true });
      box.addEventListener("change", () => {
        mesh.isShown = box.checked;
        this.show(this.frame);
      });
      name.textContent = brief(mesh.id);
      label.append(box, " ", name);
      part("meshes").append(label);
    }
  }

  choose(index) {
    for (const tile of this.tiles) tile.dispose();
    this.clipIndex = index;
    this.clip = openClip(this.data.clips[index]);
    const { runs, skeleton, frame_count, note } = this.clip;
    this.ink = inkOf();
    this.tiles = [...new Set(runs.map(({ method }) => method))].map((method) => new Tile(method,
      runs.filter((run) => run.method === method).map((run) => new View(run, this.meshes[run.mesh], this.ink)), skeleton, this.ink, this.data.reference));
    for (const tile of this.tiles) {
      part("tiles").append(tile.element);
      tile.enlarge.hidden = this.tiles.length < 2;
      tile.enlarge.addEventListener("click", () => this.enlarge(this.enlarged === tile ? null : tile));
    }
    this.offerOverlays();
    part("clip").value = index;
    part("frame").max = frame_count - 1;
    part("note").textContent = note;
    part("skeleton").disabled = skeleton.joints.length === 0;
    this.offerColours();
    this.placeCamera();
    this.enlarge(null);
    this.showParts();
    this.frame = Math.min(this.frame, frame_count - 1);
    this.start = null;
    this.recolour();
  }

  seek(frame) {
    this.start = null;
    this.show(frame);
  }

  // Shows the kept frame nearest to a frame number of a clip.
  seekTo(clip, number) {
    const index = this.data.clips.findIndex(({ id }) => (id ?? "") === clip);
    if (index < 0) return false;
    if (this.playing !== null) this.play();
    if (index !== this.clipIndex) this.choose(index);
    this.seek(Math.round((number - this.clip.first_frame) / this.clip.frame_step));
    return true;
  }

  // Stops the clock at a place's frame and flies to it, in all tiles. `card`: the one that names the place, if any.
  goTo({ clip = "", frame, ...where }, card = null) {
    if (!this.seekTo(clip, Number(frame))) return;
    for (const each of places) each.toggleAttribute("data-current", each === card);
    const place = placeOf(where, this.clip, this.tiles, this.frame);
    for (const tile of this.tiles) tile.mark = place?.at ?? null;
    part("tiles").scrollIntoView({ block: "nearest" });
    if (!place) return;
    const box = this.boxOf([this.frame]), distance = (0.45 * box.radius) / halfHeight;
    this.flight.to(place.at, sightOf(place, this.tiles, box, distance), distance);
  }

  // Offers each method of the clip, and keeps the chosen one if the clip has it.
  offerOverlays() {
    const select = part("overlay"), chosen = select.value;
    part("overlay-label").hidden = this.tiles.length < 2;
    select.replaceChildren(select.options[0], ...this.tiles.map(({ method }) => new Option(method)));
    select.value = this.tiles.some(({ method }) => method === chosen) ? chosen : "";
    this.overlay();
  }

  // Draws the surface of the chosen method into the tiles of the others.
  overlay() {
    const { value } = part("overlay"), over = this.tiles.find(({ method }) => method === value) ?? null;
    for (const tile of this.tiles) tile.overlay(over);
  }

  // Enables the colourings that have data.
  offerColours() {
    const hasErrors = this.clip.runs.some(({ errors }) => errors.length > 0);
    const hasBind = this.meshes.some(({ bind }) => bind !== "");
    const has = { stretch: hasBind, frame: hasErrors, worst: hasErrors, none: true };
    for (const option of part("colour").options) option.disabled = !has[option.value];
    if (!has[part("colour").value]) part("colour").value = Object.keys(has).find((value) => has[value]);
  }

  // The box of every method and mesh in some frames.
  boxOf(frames) {
    const low = new Vector3(Infinity, Infinity, Infinity), high = low.clone().negate();
    for (const { boxes } of this.clip.runs) {
      for (const frame of frames) {
        low.min(new Vector3().fromArray(boxes, 6 * frame));
        high.max(new Vector3().fromArray(boxes, 6 * frame + 3));
      }
    }
    // The corners of a box are usually empty.
    return { middle: low.clone().add(high).multiplyScalar(0.5), radius: Math.max(0.45 * low.distanceTo(high), 1e-6) };
  }

  placeCamera() {
    const { middle, radius } = this.boxOf([...Array(this.clip.frame_count).keys()]);
    const { width, height } = this.tiles[0].canvas.getBoundingClientRect();
    this.controls.target.copy(middle);
    this.camera.position.copy(middle).add(firstSight);
    this.camera.lookAt(middle);
    // The distance at which every vertex is inside the picture.
    const turn = this.camera.quaternion.clone().invert(), halfWidth = halfHeight * (width / height || 1);
    let distance = radius;
    for (const vertex of someVertices(this.clip.runs)) {
      const { x, y, z } = vertex.sub(middle).applyQuaternion(turn);
      distance = Math.max(distance, z + Math.max(Math.abs(x) / halfWidth, Math.abs(y) / halfHeight));
    }
    this.camera.position.copy(middle).addScaledVector(firstSight, 1.08 * distance);
    Object.assign(this.camera, { near: radius / 100, far: radius * 100 });
    this.controls.update();
  }

  enlarge(tile) {
    this.enlarged = tile;
    part("tiles").classList.toggle("one", tile !== null);
    for (const each of this.tiles) {
      each.element.hidden = tile !== null && each !== tile;
      each.enlarge.textContent = each === tile ? "Show all" : "Enlarge";
    }
    this.request();
  }

  showParts() {
    for (const tile of this.tiles) tile.showParts(part("edges").checked, part("skeleton").checked);
    this.request();
  }

  recolour() {
    const { colouring } = this, range = this.ranges[colouring.unit] ?? "common";
    const perUnit = colouring.unit === "%" ? 100 : 1000;
    part("range").querySelector("[value=usual]").hidden = part("range").querySelector("[value=usual]").disabled = colouring.unit !== "%";
    part("range").value = range;
    const hasScale = colouring.unit !== "";
    part("range-label").hidden = part("legend").hidden = !hasScale;
    part("limit-label").hidden = range !== "hand" || !hasScale;
    part("limit-unit").textContent = colouring.unit === "%" ? "%" : "mm";
    const hand = Number(part("limit").value) / perUnit;
    const views = this.tiles.flatMap((tile) => tile.views);
    for (const tile of this.tiles) tile.high = scaleEnd(colouring, range, hand, tile.views, views);
    const [{ high }] = this.tiles, isOwn = range === "own", own = `each method’s largest ${colouring.unit === "%" ? "stretch" : "error"}`;
    part("low").textContent = !colouring.bothWays ? shown(0, colouring.unit) : isOwn ? `− ${own}` : shown(-high, colouring.unit);
    part("high").textContent = isOwn ? own : shown(high, colouring.unit);
    const context = part("ramp").getContext("2d");
    colouring.colours.forEach((colour, i) => {
      context.fillStyle = `#${colour.getHexString()}`;
      context.fillRect(i, 0, 1, 1);
    });
    this.show(this.frame);
  }

  show(frame) {
    const { clip } = this, before = this.frame;
    this.frame = Math.max(0, Math.min(clip.frame_count - 1, frame));
    for (const tile of this.tiles) {
      if (this.frame !== before) tile.mark = null;
      tile.show(this.frame, this.colouring, tile.high);
    }
    part("frame").value = this.frame;
    const number = clip.first_frame + this.frame * clip.frame_step;
    part("said").textContent = `frame ${number}, ${(number / clip.fps).toFixed(2)} s`;
    part("pose").textContent = clip.poses.findLast(([first]) => first <= this.frame)?.[1] ?? "";
    document.dispatchEvent(new CustomEvent("skinbake-frame", { detail: { clip: clip.id ?? "", frame: number } }));
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

  // Draws each tile with the one renderer and copies the picture to the tile's canvas.
  draw() {
    this.pending = false;
    const ratio = this.renderer.getPixelRatio();
    this.light.position.copy(this.camera.position).sub(this.controls.target);
    for (const tile of this.tiles) {
      const box = tile.canvas.getBoundingClientRect();
      if (box.width === 0) continue;
      this.renderer.setSize(box.width, box.height, false);
      this.aim(box);
      tile.scene.add(this.light);
      this.renderer.render(tile.scene, this.camera);
      tile.copy(this.renderer.domElement, this.camera, ratio, this.ink);
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

  press(event) {
    if (!part("keys").checked || this.keys.isTaken(event)) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const place = places[Number(event.key) - 1];
    if (event.key === " ") this.play();
    else if (step) this.seek((this.frame + step + this.clip.frame_count) % this.clip.frame_count);
    else if (/^[1-9]$/.test(event.key) && place) this.goTo(place.dataset, place);
    else return;
    this.keys.release(event);
    event.preventDefault();
  }

  // Shows the vertex under the pointer and its value.
  showVertex({ clientX, clientY, buttons }) {
    if (buttons !== 0) return;
    part("vertex").textContent = "";
    for (const { canvas, method, views } of this.tiles) {
      const box = canvas.getBoundingClientRect();
      const x = (clientX - box.left) / box.width, y = (clientY - box.top) / box.height;
      if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1)) continue;
      this.aim(box);
      this.ray.setFromCamera(new Vector2(2 * x - 1, 1 - 2 * y), this.camera);
      const [hit] = this.ray.intersectObjects(views.map(({ object }) => object).filter(({ visible }) => visible), false);
      if (!hit) return;
      const view = views.find(({ object }) => object === hit.object), vertex = view.nearest(hit);
      part("vertex").textContent = `${method}, ${brief(view.mesh.id)}: vertex ${vertex}` +
        (this.colouring.unit ? `, ${shown(view.values[vertex], this.colouring.unit)}` : "");
    }
  }
}

function open(isOpen) {
  document.querySelector("#view").hidden = !isOpen;
  document.querySelector("#view-missing").hidden = isOpen;
}
try {
  const renderer = new WebGLRenderer({ antialias: true, alpha: true });
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  open(true);
  new Viewer(JSON.parse(document.querySelector("#view-data").textContent), renderer);
} catch (error) {
  open(false);
  console.warn(error);
}
