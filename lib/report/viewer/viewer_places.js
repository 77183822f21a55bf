// The worst places of the page: where they are in space, and the flight of the camera to them.

import { Vector3 } from "three";

const flightMs = 400;
const numbersOf = (element) => (element ?? "").match(/\d+/g)?.map(Number) ?? [];

// A place in a frame: the position of a joint, of a vertex, or of the middle of a triangle's or an edge's vertices. `view`
// is the mesh that has the vertices, and null for a joint. Null: the page does not have the place.
export function placeOf({ joint, element, mesh, method }, clip, tiles, frame) {
  const number = clip.skeleton.joints.indexOf(joint);
  const isVertex = /^(vertex|edge|triangle) /.test(element ?? "");
  if (isVertex) {
    const views = (tiles.find((tile) => tile.method === method) ?? tiles[0]).views;
    const view = views.find((each) => each.mesh.id === mesh) ?? views[0];
    let vertices = numbersOf(element);
    if (element.startsWith("triangle")) vertices = [...view.mesh.triangles.subarray(3 * vertices[0], 3 * vertices[0] + 3)];
    if (vertices.length === 0 || vertices.some((v) => v >= view.mesh.vertex_count)) return null;
    const sum = vertices.reduce((all, v) => all.add(view.at(v)), new Vector3());
    return { at: sum.divideScalar(vertices.length), view, vertices };
  }
  if (number < 0) return null;
  const at = new Vector3().fromArray(clip.skeleton.positions, 3 * (frame * clip.skeleton.joints.length + number));
  return Number.isFinite(at.x + at.y + at.z) ? { at, view: null, vertices: [] } : null;
}

// Moves the camera.
export class Flight {
  constructor(camera, controls, changed) {
    Object.assign(this, { camera, controls, changed, pending: null });
    controls.addEventListener("start", () => cancelAnimationFrame(this.pending));  // a person takes the camera
  }

  // To `distance` from a position, in a direction from it.
  to(target, direction, distance) {
    const { camera, controls } = this;
    const from = { target: controls.target.clone(), position: camera.position.clone() };
    const end = { target, position: target.clone().addScaledVector(direction, distance) };
    const start = performance.now();
    const duration = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : flightMs;
    const step = (now) => {
      const part = duration > 0 ? Math.min(1, Math.max(0, (now - start) / duration)) : 1, eased = part * part * (3 - 2 * part);
      for (const [moved, a, b] of [[controls.target, from.target, end.target], [camera.position, from.position, end.position]]) {
        if (part < 1) moved.lerpVectors(a, b, eased);
        else moved.copy(b);  // exactly, wherever the flight began
      }
      controls.update();
      this.changed();
      this.pending = part < 1 ? requestAnimationFrame(step) : null;
    };
    cancelAnimationFrame(this.pending);
    step(start);
  }
}
