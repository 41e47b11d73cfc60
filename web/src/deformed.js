// The deformed shape: all blocks by the faces of their elements, coloured by stress or displacement, displacements magnified.
import * as THREE from "three";
import { CHOSEN, COMPRESSION, EDGE, EQUIVALENT, STONE, SUPPORT, TENSION, ramp } from "./colours.js";
import { element, plain, unitOf } from "./format.js";

// Greatest factor of the slider [factor at the beginning]; steps of the slider.
const MOST = 3, STEPS = 300;

export class Deformed {
  // `moved()` is called when another factor was chosen.
  constructor(data, moved) {
    const a = data.arrays;
    this.exists = Boolean(a.skin_vertex);
    if (!this.exists) return;
    Object.assign(this, { a, scales: data.deformed.scales, factor: data.deformed.magnify, moved, chosen: -1 });
    this.first = this.factor;
    const { corners, cornerFace, edges } = facets(a);
    Object.assign(this, { corners, cornerFace });
    this.position = new THREE.BufferAttribute(new Float32Array(3 * corners.length), 3).setUsage(THREE.DynamicDrawUsage);
    this.colour = new THREE.BufferAttribute(new Float32Array(3 * corners.length), 3);
    this.group = new THREE.Group().add(this.makeMesh(), this.makeEdges(edges));
    this.group.visible = false;
    this.place();
  }

  makeMesh() {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", this.position);
    geometry.setAttribute("color", this.colour);
    // As of the blocks: the faces step back so that the lines on them win.
    const mesh = new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({
      vertexColors: true, flatShading: true, side: THREE.DoubleSide,
      polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }));
    mesh.frustumCulled = false;
    return mesh;
  }

  makeEdges(edges) {
    this.nodes = new THREE.BufferAttribute(new Float32Array(this.a.skin_vertex.length), 3).setUsage(THREE.DynamicDrawUsage);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", this.nodes);
    geometry.setIndex(new THREE.BufferAttribute(edges, 1));
    const lines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: EDGE, transparent: true, opacity: 0.45 }));
    lines.frustumCulled = false;
    return lines;
  }

  // Move the vertices by the magnified displacements.
  place() {
    const { skin_vertex: rest, skin_displacement: shift } = this.a;
    const at = this.nodes.array, out = this.position.array;
    for (let k = 0; k < rest.length; k++) at[k] = rest[k] + this.factor * shift[k];
    this.corners.forEach((v, i) => out.set(at.subarray(3 * v, 3 * v + 3), 3 * i));
    this.nodes.needsUpdate = this.position.needsUpdate = true;
  }

  // Colour all faces by a scale: {name, label, low, high, signed, quantity}.
  paint(scale = this.scale) {
    this.scale = scale;
    const column = this.scales.indexOf(scale), columns = this.scales.length;
    const held = new THREE.Color(SUPPORT), stone = new THREE.Color(STONE), chosen = new THREE.Color(CHOSEN);
    const faces = this.a.skin_block, shades = new Array(faces.length);
    for (let f = 0; f < faces.length; f++) {
      const value = this.a.skin_value[columns * f + column];
      shades[f] = faces[f] === this.chosen ? chosen : Number.isFinite(value) ? scaleColour(scale, value)
        : this.a.support[faces[f]] ? held : stone;
    }
    this.cornerFace.forEach((f, i) => shades[f].toArray(this.colour.array, 3 * i));
    this.colour.needsUpdate = true;
  }

  choose(block) {
    this.chosen = block;
    if (this.scale) this.paint();
  }

  // Factor on the displacements, in the bar below the view.
  addSlider(label) {
    const high = MOST * this.first;
    const slider = element("input", { type: "range", id: "deformation", min: 0, max: STEPS, step: 1,
      "aria-label": "Magnification of the displacements", on: { input: () => set((slider.value / STEPS) * high) } });
    const readout = element("output", { id: "deformation-factor", for: "deformation" });
    const set = (factor) => {
      this.factor = factor;
      readout.textContent = `× ${plain(factor)}`;
      this.place();
      this.moved();
    };
    slider.value = STEPS / MOST;
    this.bar = element("span", { class: "bar" }, element("label", { for: "deformation" }, label), slider, readout);
    this.bar.hidden = true; // until the shape is shown
    document.getElementById("motion").append(this.bar);
    set(this.first);
  }
}

// Tension red, compression blue, what has no sign of one colour; both signs share one scale of magnitudes.
export function scaleColour({ low, high, signed }, value) {
  return ramp(Math.abs(value) / (Math.max(-low, high) || 1), !signed ? EQUIVALENT : value > 0 ? TENSION : COMPRESSION);
}

// The scale of the legend, from the least to the greatest value, in one unit.
export function scaleLegend({ label, quantity, ...scale }) {
  const colour = (value) => scaleColour(scale, value).getStyle(), unit = unitOf(quantity, Math.max(-scale.low, scale.high));
  const zero = scale.high > scale.low ? (100 * -scale.low) / (scale.high - scale.low) : 0;
  const bar = `linear-gradient(90deg,${colour(scale.low)},${STONE} ${zero}%,${colour(scale.high)})`;
  const number = (value) => element("small", {}, plain(value / unit.size));
  return [element("span", {}, `${label} [${unit.name}]`),
    element("div", {}, number(scale.low), element("i", { style: `background:${bar}` }), number(scale.high)),
    ...(scale.signed ? [element("small", {}, "tension positive, red; compression negative, blue")] : [])];
}

// Corners of the triangles of all faces, the face of each, and the edges of the faces.
function facets(a) {
  const corners = [], cornerFace = [], edges = [];
  for (let f = 0; f < a.skin_block.length; f++) {
    const face = a.skin_face.subarray(a.skin_face_start[f], a.skin_face_start[f + 1]);
    for (let k = 1; k + 1 < face.length; k++) {
      corners.push(face[0], face[k], face[k + 1]);
      cornerFace.push(f, f, f);
    }
    for (let k = 0; k < face.length; k++) edges.push(face[k], face[(k + 1) % face.length]);
  }
  return { corners: new Uint32Array(corners), cornerFace: new Uint32Array(cornerFace), edges: new Uint32Array(edges) };
}
