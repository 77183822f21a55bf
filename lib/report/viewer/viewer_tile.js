// A tile: one method's meshes, drawn into a canvas of the page, which also prints.

import {
  BufferAttribute, BufferGeometry, Color, DoubleSide, HemisphereLight, LineBasicMaterial, LineSegments, Mesh,
  MeshBasicMaterial, MeshLambertMaterial, Points, PointsMaterial, Scene, Vector3,
} from "three";
import { decode } from "./viewer_frames.js";

const overlaid = new Color("#d6007a");  // no colour of a scale
const onTop = { depthTest: false, depthWrite: false, transparent: true };

// One mesh by one method, in the current frame.
export class View {
  constructor(run, mesh, ink) {
    Object.assign(this, { run, mesh });
    this.positions = new Float32Array(3 * mesh.vertex_count);
    this.values = new Float32Array(mesh.vertex_count);
    this.geometry = new BufferGeometry();
    this.geometry.setAttribute("position", new BufferAttribute(this.positions, 3));
    this.geometry.setAttribute("color", new BufferAttribute(new Float32Array(this.positions.length), 3));
    this.geometry.setIndex(new BufferAttribute(mesh.triangles, 1));
    const hasFaces = mesh.triangles.length > 0;
    this.object = hasFaces
      ? new Mesh(this.geometry, new MeshLambertMaterial({
        vertexColors: true, flatShading: true, side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
      }))
      : new Points(this.geometry, new PointsMaterial({ vertexColors: true, size: 3, sizeAttenuation: false }));
    this.object.frustumCulled = false;
    if (!hasFaces) return;
    this.edges = new Mesh(this.geometry, new MeshBasicMaterial({ wireframe: true, color: ink, transparent: true, opacity: 0.35 }));
    this.edges.frustumCulled = this.edges.visible = false;
    this.object.add(this.edges);
  }

  // Its surface for the tile of another method: seen where it is outside of that method's surface. It
  // follows this mesh, whose geometry it shares.
  overlay() {
    const options = { color: overlaid, transparent: true, opacity: 0.6 };
    const object = this.edges
      ? new Mesh(this.geometry, new MeshLambertMaterial({
        ...options, flatShading: true, side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 3, polygonOffsetUnits: 3,
      }))
      : new Points(this.geometry, new PointsMaterial({ ...options, size: 3, sizeAttenuation: false }));
    object.frustumCulled = false;
    return object;
  }

  show(frame, colouring, high) {
    const { position, color } = this.geometry.attributes;
    const low = colouring.bothWays ? -high : 0, scale = 255 / (high - low);
    decode(this.run.boxes, this.run.positions, frame, this.positions);
    colouring.fill(this, frame);
    for (let v = 0; v < this.values.length; ++v) {
      const level = Math.max(0, Math.min(255, Math.round((this.values[v] - low) * scale)));
      const { r, g, b } = colouring.colours[level];
      color.array[3 * v] = r;
      color.array[3 * v + 1] = g;
      color.array[3 * v + 2] = b;
    }
    position.needsUpdate = color.needsUpdate = true;
    this.geometry.boundingSphere = null;
  }

  // The vertex nearest to the hit point of a triangle; of a point cloud, the hit point.
  nearest(hit) {
    if (!hit.face) return hit.index;
    const distance = (v) => this.at(v).distanceTo(hit.point);
    return [hit.face.a, hit.face.b, hit.face.c].reduce((v, w) => (distance(w) < distance(v) ? w : v));
  }

  at(vertex) { return new Vector3().fromArray(this.positions, 3 * vertex); }

  dispose() {
    this.geometry.dispose();
    this.object.material.dispose();
    this.edges?.material.dispose();
  }
}

// The skeleton's joints and the lines between them; its positions are those of one frame.
class Bones {
  constructor({ parents, positions }, ink) {
    Object.assign(this, { positions, count: parents.length });
    this.geometry = new BufferGeometry();
    this.geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * this.count), 3));
    this.geometry.setIndex(parents.flatMap((parent, joint) => (parent < 0 ? [] : [parent, joint])));
    this.lines = new LineSegments(this.geometry, new LineBasicMaterial({ color: ink, ...onTop }));
    this.dots = new Points(this.geometry, new PointsMaterial({ color: ink, size: 5, sizeAttenuation: false, ...onTop }));
    this.lines.frustumCulled = this.dots.frustumCulled = false;
    this.lines.renderOrder = this.dots.renderOrder = 1;
    this.lines.add(this.dots);
    this.lines.visible = false;
  }

  show(frame) {
    const { position } = this.geometry.attributes;
    position.array.set(this.positions.subarray(3 * this.count * frame, 3 * this.count * (frame + 1)));
    position.needsUpdate = true;
  }

  dispose() {
    this.geometry.dispose();
    this.lines.material.dispose();
    this.dots.material.dispose();
  }
}

export class Tile {
  constructor(method, views, skeleton, ink, reference) {
    Object.assign(this, { method, views, reference, scene: new Scene(), bones: new Bones(skeleton, ink), mark: null });
    Object.assign(this, { over: null, overlays: [] });  // the tile whose surface is drawn here too
    this.scene.add(new HemisphereLight("#ffffff", "#aab2ba", 1.9), this.bones.lines, ...views.map(({ object }) => object));
    this.element = document.createElement("figure");
    this.canvas = document.createElement("canvas");
    this.canvas.setAttribute("role", "img");
    this.caption = document.createElement("figcaption");
    const name = document.createElement("bdi");
    name.textContent = method.length > 400 ? `${method.slice(0, 400)}…` : method;
    this.said = document.createElement("span");
    this.enlarge = document.createElement("button");
    this.enlarge.type = "button";
    this.enlarge.textContent = "Enlarge";
    this.caption.append(name, this.said, this.enlarge);
    // The controls of the camera take every pointer that they see.
    this.caption.addEventListener("pointerdown", (event) => event.stopPropagation());
    this.element.append(this.canvas, this.caption);
  }

  show(frame, colouring, high) {
    let low = 0, most = 0;
    for (const view of this.views) {
      view.object.visible = view.mesh.isShown;
      view.show(frame, colouring, high);
      if (!view.mesh.isShown) continue;
      for (const value of view.values) {
        if (value < low) low = value;
        if (value > most) most = value;
      }
    }
    this.overlays.forEach((object, i) => { object.visible = this.over.views[i].mesh.isShown; });
    this.bones.show(frame);
    const said = [this.captionOf(colouring, low, most), this.over ? `magenta: ${this.over.method} is outside` : ""];
    this.said.textContent = said.filter((part) => part !== "").join("; ");
    this.canvas.setAttribute("aria-label", `${this.method}: ${this.said.textContent}`);
  }

  // Names the quantity, its least and its greatest value, and their unit.
  captionOf(colouring, low, most) {
    const isError = colouring.unit === "m";
    if (isError && this.method === this.reference) return "is the reference";
    if (isError && this.views.every(({ run }) => run.errors.length === 0)) return "errors are not measured";
    return colouring.caption(low, most, this.reference);
  }

  // Draws the surfaces of another tile where they are outside of this tile's; null: of none.
  overlay(tile) {
    for (const object of this.overlays) {
      object.removeFromParent();
      object.material.dispose();
    }
    this.over = tile === this ? null : tile;
    this.overlays = this.over?.views.map((view) => view.overlay()) ?? [];
    for (const object of this.overlays) this.scene.add(object);
  }

  showParts(edges, skeleton) {
    for (const view of this.views) if (view.edges) view.edges.visible = edges;
    this.bones.lines.visible = skeleton;
  }

  // Copies what the renderer has drawn, and rings the marked place.
  copy(source, camera, ratio, ink) {
    const { canvas } = this;
    if (canvas.width !== source.width || canvas.height !== source.height) Object.assign(canvas, { width: source.width, height: source.height });
    const context = canvas.getContext("2d");
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(source, 0, 0);
    if (!this.mark) return;
    const at = this.mark.clone().project(camera);
    context.lineWidth = 2 * ratio;
    context.strokeStyle = ink;
    context.beginPath();
    context.arc((0.5 + at.x / 2) * canvas.width, (0.5 - at.y / 2) * canvas.height, 16 * ratio, 0, 2 * Math.PI);
    context.stroke();
  }

  dispose() {
    this.overlay(null);
    for (const view of this.views) view.dispose();
    this.bones.dispose();
    this.element.remove();
  }
}
