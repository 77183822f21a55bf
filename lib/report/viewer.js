// The mesh in space: every method beside the others under one camera, frame by frame, coloured by
// how far each vertex is from the reference or by how its edges are stretched.
//
// scripts/setup bundles this with three.js; view_data.cpp writes what it reads.
import {
  BufferAttribute, BufferGeometry, Color, DirectionalLight, DoubleSide, HemisphereLight, Mesh,
  MeshLambertMaterial, PerspectiveCamera, Points, PointsMaterial, Raycaster, Scene, Vector2, Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

const part = (name) => document.querySelector(`#view [data-part="${name}"]`);
const shown = (value, unit) => {
  const digits = (number) => String(Number(number.toPrecision(3)));
  return unit === "%" ? digits(value * 100) + " %" : digits(value) + " m";
};

// ---- What the page holds

function bytes(base64) {
  const text = atob(base64);
  const all = new Uint8Array(text.length);
  for (let i = 0; i < all.length; ++i) all[i] = text.charCodeAt(i);
  return all.buffer;
}
const floats = (base64) => new Float32Array(bytes(base64));
const shorts = (base64) => new Uint16Array(bytes(base64));

// Positions of one frame: 65535ths of its own box.
function decode(boxes, positions, frame, out) {
  const box = boxes.subarray(6 * frame, 6 * frame + 6);
  const first = frame * out.length;
  for (let i = 0; i < out.length; ++i) {
    const axis = i % 3;
    out[i] = box[axis] + (positions[first + i] * (box[3 + axis] - box[axis])) / 65535;
  }
}

function lengths(triangles, positions) {
  return Float32Array.from(triangles, (v, i) => {
    const w = triangles[i % 3 === 2 ? i - 2 : i + 1];
    return Math.hypot(...[0, 1, 2].map((axis) => positions[3 * v + axis] - positions[3 * w + axis]));
  });
}

function openMesh(mesh) {
  const triangles = new Uint32Array(bytes(mesh.triangles));
  const bind = new Float32Array(3 * mesh.vertex_count);
  decode(floats(mesh.bind_box), shorts(mesh.bind), 0, bind);
  return { ...mesh, triangles, bindLengths: lengths(triangles, bind) };
}

function openRun(run) {
  return {
    ...run, boxes: floats(run.boxes), positions: shorts(run.positions),
    largest: floats(run.largest), errors: new Uint8Array(bytes(run.errors)), worst: floats(run.worst),
  };
}

// ---- Colours: what each vertex has, and the scale that shows it

const ramp = (...stops) => {
  const colours = stops.map((stop) => new Color(stop));
  return Array.from({ length: 256 }, (_, i) => {
    const at = (i / 255) * (stops.length - 1), k = Math.min(Math.floor(at), stops.length - 2);
    return colours[k].clone().lerp(colours[k + 1], at - k).toArray();
  });
};
const plain = "#b0becc";
const upwards = [plain, "#f4be5a", "#c42830"], bothWays = ["#1f6fc8", plain, "#c42830"];
const mostStretch = 0.5;

// fill(view, frame) gives view.values, [vertex]; the scale goes from `low` to high(clip).
const colourings = {
  frame: {
    stops: upwards, low: 0, unit: "m", high: (clip) => clip.largest,
    fill: ({ run, values }, frame) => {
      const step = run.largest[frame] / 255, first = frame * values.length;
      for (let v = 0; v < values.length; ++v) values[v] = run.errors[first + v] * step;
    },
  },
  worst: {
    stops: upwards, low: 0, unit: "m", high: (clip) => clip.largest,
    fill: ({ run, values }) => values.set(run.worst),
  },
  stretch: {
    stops: bothWays, low: -mostStretch, unit: "%", high: () => mostStretch,
    fill: ({ mesh, values, positions }) => {
      const { triangles, bindLengths } = mesh, now = lengths(triangles, positions);
      const count = new Float32Array(values.length);
      values.fill(0);
      for (let i = 0; i < triangles.length; ++i) {
        if (!(bindLengths[i] > 0)) continue;
        const ratio = now[i] / bindLengths[i] - 1;
        for (const v of [triangles[i], triangles[i % 3 === 2 ? i - 2 : i + 1]]) {
          values[v] += ratio;
          count[v] += 1;
        }
      }
      for (let v = 0; v < values.length; ++v) values[v] /= Math.max(1, count[v]);
    },
  },
  none: { stops: [plain, plain], low: 0, unit: "", high: () => 1, fill: ({ values }) => values.fill(0) },
};
for (const colouring of Object.values(colourings)) colouring.colours = ramp(...colouring.stops);

// ---- The picture

function viewer(data, renderer) {
  const meshes = data.meshes.map(openMesh);
  const camera = new PerspectiveCamera(30, 1, 0.01, 1000);
  const controls = new OrbitControls(camera, part("tiles"));
  const light = new DirectionalLight("#ffffff", 1.9);
  let clip, tiles = [], frame = 0, playing = null, pending = false;

  // Tiles are scenes that share a canvas: each is drawn where its element is.
  function draw() {
    pending = false;
    const area = part("tiles").getBoundingClientRect();
    renderer.setSize(area.width, area.height, false);
    renderer.setScissorTest(true);
    light.position.copy(camera.position);
    for (const { element, scene } of tiles) {
      const box = element.getBoundingClientRect();
      if (box.bottom < 0 || box.top > innerHeight) continue;
      const place = [box.left - area.left, area.bottom - box.bottom, box.width, box.height];
      renderer.setViewport(...place);
      renderer.setScissor(...place);
      camera.aspect = box.width / box.height;
      camera.updateProjectionMatrix();
      scene.add(light);
      renderer.render(scene, camera);
    }
  }
  function request() {
    if (pending) return;
    pending = true;
    requestAnimationFrame(draw);
  }

  function newView(run) {
    const mesh = meshes[run.mesh];
    const positions = new Float32Array(3 * mesh.vertex_count);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(positions, 3));
    geometry.setAttribute("color", new BufferAttribute(new Float32Array(positions.length), 3));
    geometry.setIndex(new BufferAttribute(mesh.triangles, 1));
    const object = mesh.triangles.length > 0
      ? new Mesh(geometry, new MeshLambertMaterial({ vertexColors: true, flatShading: true, side: DoubleSide }))
      : new Points(geometry, new PointsMaterial({ vertexColors: true, size: 3, sizeAttenuation: false }));
    object.frustumCulled = false;
    return { run, mesh, positions, geometry, object, values: new Float32Array(mesh.vertex_count) };
  }

  function newTile(method, runs) {
    const scene = new Scene();
    scene.add(new HemisphereLight("#ffffff", "#8a949e", 1.5));
    const views = runs.filter((run) => run.method === method).map(newView);
    for (const { object } of views) scene.add(object);
    const element = document.createElement("figure"), caption = document.createElement("figcaption");
    element.append(caption);
    part("tiles").append(element);
    return { method, scene, views, element, caption };
  }

  function show(index) {
    frame = Math.max(0, Math.min(clip.frame_count - 1, index));
    const colouring = colourings[part("colour").value];
    const scale = 255 / (colouring.high(clip) - colouring.low || 1);
    for (const { method, views, caption } of tiles) {
      for (const view of views) {
        decode(view.run.boxes, view.run.positions, frame, view.positions);
        colouring.fill(view, frame);
        const { position, color } = view.geometry.attributes;
        view.values.forEach((value, v) => {
          const level = Math.round((value - colouring.low) * scale);
          color.array.set(colouring.colours[Math.max(0, Math.min(255, level))], 3 * v);
        });
        position.needsUpdate = color.needsUpdate = true;
        view.geometry.boundingSphere = null;
      }
      const errors = views.map(({ run }) => run.largest[frame]).filter((error) => error !== undefined);
      caption.textContent = method + (errors.length ? `: ${shown(Math.max(...errors), "m")}` : "");
    }
    part("frame").value = frame;
    const number = clip.first_frame + frame * clip.frame_step;
    part("said").textContent = `frame ${number}, ${(number / clip.fps).toFixed(2)} s`;
    request();
  }

  function showLegend() {
    const colouring = colourings[part("colour").value];
    part("legend").hidden = colouring.unit === "";
    part("ramp").style.background = `linear-gradient(to right, ${colouring.stops.join(", ")})`;
    part("low").textContent = shown(colouring.low, colouring.unit);
    part("high").textContent = shown(colouring.high(clip), colouring.unit);
  }

  // The whole clip fits: of every method and frame.
  function frameCamera() {
    const low = new Vector3(Infinity, Infinity, Infinity), high = low.clone().negate();
    for (const { boxes } of clip.runs) {
      for (let i = 0; i < boxes.length; i += 6) {
        low.min(new Vector3().fromArray(boxes, i));
        high.max(new Vector3().fromArray(boxes, i + 3));
      }
    }
    const radius = Math.max(0.45 * low.distanceTo(high), 1e-6);  // its corners are empty, as a rule
    controls.target.copy(low).add(high).multiplyScalar(0.5);
    const away = new Vector3(0.55, 0.35, 1).normalize();
    camera.position.copy(controls.target).addScaledVector(away, radius / Math.sin(Math.PI / 12));
    Object.assign(camera, { near: radius / 100, far: radius * 100 });
    controls.update();
  }

  function choose(index) {
    for (const { views, element } of tiles) {
      for (const { geometry, object } of views) { geometry.dispose(); object.material.dispose(); }
      element.remove();
    }
    const { runs, ...rest } = data.clips[index];
    clip = { ...rest, runs: runs.map(openRun) };
    clip.largest = Math.max(0, ...clip.runs.map(({ worst }) => worst.reduce((a, b) => Math.max(a, b), 0)));
    tiles = [...new Set(runs.map((run) => run.method))].map((method) => newTile(method, clip.runs));
    const hasErrors = clip.runs.some(({ errors }) => errors.length > 0);
    for (const option of part("colour").options) {
      option.disabled = !hasErrors && (option.value === "frame" || option.value === "worst");
    }
    if (part("colour").selectedOptions[0]?.disabled !== false) part("colour").value = hasErrors ? "frame" : "stretch";
    part("frame").max = clip.frame_count - 1;
    part("note").textContent = clip.note;
    frameCamera();
    showLegend();
    show(0);
  }

  function play() {
    if (playing !== null) cancelAnimationFrame(playing);
    const stop = playing !== null;
    playing = null;
    part("play").textContent = stop ? "Play" : "Stop";
    if (stop) return;
    const from = frame;
    let start = null;
    const next = (now) => {
      start ??= now;
      const elapsed = Math.floor(((now - start) / 1000) * (clip.fps / clip.frame_step));
      if ((from + elapsed) % clip.frame_count !== frame) show((from + elapsed) % clip.frame_count);
      playing = requestAnimationFrame(next);
    };
    playing = requestAnimationFrame(next);
  }

  // The vertex under the pointer, and its value.
  const ray = new Raycaster();
  function tell({ clientX, clientY, buttons }) {
    const tile = tiles.find(({ element }) => {
      const box = element.getBoundingClientRect();
      return clientX >= box.left && clientX < box.right && clientY >= box.top && clientY < box.bottom;
    });
    if (buttons !== 0 || !tile) return;
    const box = tile.element.getBoundingClientRect();
    camera.aspect = box.width / box.height;
    camera.updateProjectionMatrix();
    ray.setFromCamera(new Vector2(
      ((clientX - box.left) / box.width) * 2 - 1, 1 - ((clientY - box.top) / box.height) * 2), camera);
    const [hit] = ray.intersectObjects(tile.views.map(({ object }) => object));
    part("vertex").textContent = "";
    if (!hit) return;
    const view = tile.views.find(({ object }) => object === hit.object);
    const at = (v) => new Vector3().fromArray(view.positions, 3 * v).distanceTo(hit.point);
    const nearest = hit.face ? [hit.face.a, hit.face.b, hit.face.c].reduce((a, b) => (at(b) < at(a) ? b : a)) : hit.index;
    const { unit } = colourings[part("colour").value];
    part("vertex").textContent = `${tile.method}, ${view.mesh.id}: vertex ${nearest}` +
      (unit ? `, ${shown(view.values[nearest], unit)}` : "");
  }

  data.clips.forEach((each, i) => part("clip").append(new Option(each.id ?? "rest pose", i)));
  part("clip").parentElement.hidden = data.clips.length < 2;
  part("clip").addEventListener("change", () => choose(Number(part("clip").value)));
  part("colour").addEventListener("change", () => { showLegend(); show(frame); });
  part("frame").addEventListener("input", () => show(Number(part("frame").value)));
  part("play").addEventListener("click", play);
  part("tiles").addEventListener("pointermove", tell);
  controls.addEventListener("change", request);
  new ResizeObserver(request).observe(part("tiles"));
  addEventListener("scroll", request, { passive: true });
  choose(0);
}

try {
  const renderer = new WebGLRenderer({ canvas: part("canvas"), antialias: true, alpha: true });
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  document.querySelector("#view").hidden = false;
  document.querySelector("#view-missing").hidden = true;
  viewer(JSON.parse(document.querySelector("#view-data").textContent), renderer);
} catch (error) {
  document.querySelector("#view").hidden = true;
  document.querySelector("#view-missing").hidden = false;
  console.warn(error);
}
