// The worst places of the page: where they are in space, and the flight of the camera to them.

import { Vector3 } from "three";

const flightMs = 400;
const numbersOf = (element) => (element ?? "").match(/\d+/g)?.map(Number) ?? [];

// The position of a place in a frame: a joint's, a vertex's, or the middle of a triangle's or an edge's
// vertices. Null: the page does not have it.
export function positionOf({ joint, element, mesh, method }, clip, tiles, frame) {
  const number = clip.skeleton.joints.indexOf(joint);
  const isVertex = /^(vertex|edge|triangle) /.test(element ?? "");
  if (isVertex) {
    const views = (tiles.find((tile) => tile.method === method) ?? tiles[0]).views;
    const view = views.find((each) => each.mesh.id === mesh) ?? views[0];
    let vertices = numbersOf(element);
    if (element.startsWith("triangle")) vertices = [...view.mesh.triangles.subarray(3 * vertices[0], 3 * vertices[0] + 3)];
    if (vertices.length === 0 || vertices.some((v) => v >= view.mesh.vertex_count)) return null;
    const sum = vertices.reduce((all, v) => all.add(view.at(v)), new Vector3());
    return sum.divideScalar(vertices.length);
  }
  if (number < 0) return null;
  const at = new Vector3().fromArray(clip.skeleton.positions, 3 * (frame * clip.skeleton.joints.length + number));
  return Number.isFinite(at.x + at.y + at.z) ? at : null;
}

// Moves the camera so that it looks at a position from outside of the body.
export class Flight {
  constructor(camera, controls, changed) {
    Object.assign(this, { camera, controls, changed, pending: null });
    controls.addEventListener("start", () => cancelAnimationFrame(this.pending));  // a person takes the camera
  }

  // `middle`, `radius`: of the body in this frame.
  to(position, middle, radius) {
    const { camera, controls } = this;
    const from = { target: controls.target.clone(), position: camera.position.clone() };
    const current = from.position.clone().sub(from.target).normalize();
    const outwards = position.clone().sub(middle).divideScalar(radius);
    const direction = current.add(outwards.multiplyScalar(1.5)).normalize();
    const end = { target: position, position: position.clone().addScaledVector(direction, radius / Math.tan(camera.fov * Math.PI / 360) * 0.45) };
    const start = performance.now();
    const duration = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : flightMs;
    const step = (now) => {
      const part = duration > 0 ? Math.min(1, Math.max(0, (now - start) / duration)) : 1, eased = part * part * (3 - 2 * part);
      controls.target.lerpVectors(from.target, end.target, eased);
      camera.position.lerpVectors(from.position, end.position, eased);
      controls.update();
      this.changed();
      this.pending = part < 1 ? requestAnimationFrame(step) : null;
    };
    cancelAnimationFrame(this.pending);
    step(start);
  }
}
