// The model's base colours and textures, which data.cpp writes if they are worth showing.

import {
  BufferAttribute, BufferGeometry, ClampToEdgeWrapping, Color, DoubleSide, MeshBasicMaterial, MeshLambertMaterial,
  MirroredRepeatWrapping, NearestFilter, RepeatWrapping, SRGBColorSpace, Texture,
} from "three";
import { bytes, floats } from "./viewer_frames.js";

const wrappings = { 10497: RepeatWrapping, 33071: ClampToEdgeWrapping, 33648: MirroredRepeatWrapping };

function materialOf({ colour, alpha_mode, alpha_cutoff, is_unlit }, vertexColors) {
  const options = {
    color: new Color(...colour.slice(0, 3)), opacity: colour[3], vertexColors, side: DoubleSide,
    polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,  // edges are drawn over it
    alphaTest: alpha_mode === "MASK" ? alpha_cutoff : 0, transparent: alpha_mode === "BLEND", depthWrite: alpha_mode !== "BLEND",
  };
  return is_unlit ? new MeshBasicMaterial(options) : new MeshLambertMaterial({ ...options, flatShading: true });
}

export class Appearance {
  failures = 0;  // images that the browser cannot decode
  loading = null;

  // `data`: null if there is nothing to show.
  constructor(data) {
    this.data = data;
    // The materials of meshes without and with colours of vertices.
    this.materials = [false, true].map((coloured) => data?.materials.map((each) => materialOf(each, coloured)) ?? []);
    this.meshes = data?.meshes.map(({ parts, coordinates, colours }) => ({
      parts, coordinates: floats(coordinates), colours: new Uint8Array(bytes(colours)),
    })) ?? [];
  }

  get exists() { return this.data !== null; }

  // Decodes the images when the materials are first shown. They are decoded from the page's own bytes: nothing is fetched.
  load() {
    this.loading ??= Promise.all(this.data.images.map((image, i) => this.decode(image, i)));
    return this.loading;
  }

  async decode({ type, bytes: base64 }, number) {
    try {
      const picture = await createImageBitmap(new Blob([bytes(base64)], { type }), { premultiplyAlpha: "none", colorSpaceConversion: "none" });
      this.data.materials.forEach((each, i) => { if (each.image === number) this.dress(i, each, picture); });
    } catch {
      this.failures += 1;
    }
  }

  dress(i, { wrap, is_nearest }, picture) {
    const map = new Texture(picture);
    Object.assign(map, { flipY: false, colorSpace: SRGBColorSpace, wrapS: wrappings[wrap[0]], wrapT: wrappings[wrap[1]], needsUpdate: true });
    if (is_nearest) map.magFilter = NearestFilter;
    for (const materials of this.materials) Object.assign(materials[i], { map, needsUpdate: true });
  }

  // The surface of mesh number `m` with the positions of `geometry`, in the model's materials.
  surface(m, geometry) {
    const { parts, coordinates, colours } = this.meshes[m], surface = new BufferGeometry();
    surface.setAttribute("position", geometry.attributes.position);
    surface.setIndex(geometry.index);
    if (coordinates.length > 0) surface.setAttribute("uv", new BufferAttribute(coordinates, 2));
    if (colours.length > 0) surface.setAttribute("color", new BufferAttribute(colours, 4, true));
    for (const [first, count, material] of parts) surface.addGroup(3 * first, 3 * count, material);
    return { geometry: surface, material: this.materials[colours.length > 0 ? 1 : 0] };
  }
}
