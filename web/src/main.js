// The page of a result: puts the parts together.
import * as THREE from "three";
import { Blocks } from "./blocks.js";
import { CHOSEN, FORCE, MOVED, STONE } from "./colours.js";
import { readData, row3 } from "./data.js";
import { Deformed, scaleLegend } from "./deformed.js";
import { element } from "./format.js";
import { addCharts } from "./panels.js";
import { MANY, dynamicLayers, staticLayers } from "./layers.js";
import { arrows, segments } from "./marks.js";
import { Motion } from "./motion.js";
import { pick } from "./pick.js";
import { Selection } from "./selection.js";
import { Table } from "./table.js";
import { blockColumns, jointColumns } from "./tables.js";
import { paintTint, tints } from "./tints.js";
import { View } from "./view.js";

// A click moves the mouse by less than this [px]; more is an orbit.
const STILL = 4;
// Width of a letter and height of a line of a label [px].
const LETTER = 7, LINE = 19;

class App {
  constructor(data) {
    this.data = data;
    this.a = data.arrays;
    this.static = data.analysis === "static";
    this.chosen = null;
    this.still = (b, r, to) => { r.set([1, 0, 0, 0, 1, 0, 0, 0, 1]); to.set(row3(this.a.centroid, b)); };
    this.pose = this.still;
    this.blocks = new Blocks(data);
    this.view = new View(data, () => this.placeLabels());
    this.view.solid.add(this.blocks.group);
    this.mark = new THREE.Group(); // what marks the chosen joint; goes with its block a
    this.mark.matrixAutoUpdate = false;
    this.view.drawn.add(this.mark);
    this.layers = this.makeLayers();
    this.selection = new Selection(data, this);
    this.motion = new Motion(data, (pose, amount) => this.moved(pose, amount));
    this.deformed = new Deformed(data, () => this.view.draw());
    if (this.deformed.exists) {
      this.view.solid.add(this.deformed.group);
      this.deformed.addSlider(this.static ? "Displacements, magnified" : "Deformation, magnified");
    }
    this.addPanel();
    this.charts = addCharts(data, this);
    this.addTable();
    this.listen();
  }

  makeLayers() {
    const blocks = { name: "blocks", label: "Blocks", on: true, object: this.blocks.mesh, colour: STONE };
    const others = this.static ? staticLayers(this.data) : dynamicLayers(this.data);
    for (const layer of others) this.view.drawn.add(layer.object);
    const layers = [blocks, ...others];
    if (this.a.mechanism || !this.static) {
      const note = this.static ? "outlines show where the blocks were" : "";
      layers.push({ name: "displaced", label: "Displaced", on: true, colour: MOVED, note });
    }
    for (const layer of layers) if (layer.object) layer.object.visible = layer.on;
    return layers;
  }

  layer(name) {
    return this.layers.find((layer) => layer.name === name);
  }

  // -- side panel --------------------------------------------------------------------------------------------------

  addPanel() {
    const host = document.getElementById("layers");
    for (const layer of this.layers) {
      const box = element("input", { type: "checkbox", id: `layer-${layer.name}`, on: { change: () => this.toggle(layer, box.checked) } });
      box.checked = layer.on;
      host.append(element("label", { class: "layer" }, box, element("i", { style: `background:${layer.colour}` }),
        element("span", {}, layer.label, ...(layer.note ? [element("small", {}, layer.note)] : []))));
    }
    this.tints = [...tints(this.data), ...this.deformedTints()];
    const select = element("select", { id: "tint", on: { change: () => this.tint(select.value) } },
      ...this.tints.map((tint) => element("option", { value: tint.name }, tint.label)));
    this.tintSelect = select;
    host.append(element("label", { class: "tint" }, "Colour of the blocks ", select), element("div", { id: "legend" }));
    if (this.deformed.exists && this.static) this.tint(this.tints.find((tint) => tint.scale).name);
    else if (this.a.mechanism) this.tint("movement");
    else if (this.static && this.a.support.length > MANY) this.tint("stress");
  }

  // What the colours of the deformed shape can show.
  deformedTints() {
    return this.deformed.exists ? this.deformed.scales.map((scale) => ({ name: scale.name, label: scale.label, scale })) : [];
  }

  toggle(layer, on) {
    layer.on = on;
    if (layer.object) layer.object.visible = on;
    if (layer.name === "displaced") this.motion.show();
    if (layer.name === "blocks") this.showSolids();
    this.view.draw();
  }

  // The deformed shape stands for the blocks while its colours are shown.
  showSolids() {
    const deformed = Boolean(this.shownTint?.scale), on = this.layer("blocks").on;
    if (this.deformed.exists) this.deformed.group.visible = deformed && on;
    this.blocks.mesh.visible = on && !deformed;
    this.blocks.edges.visible = !deformed;
    if (!this.deformed.exists) return;
    this.blocks.ghost.visible = deformed;
    this.deformed.bar.hidden = !deformed;
    this.motion.hideMagnifier(deformed); // the deformed shape of a motion is where its blocks are
  }

  tint(name) {
    const tint = this.tints.find((one) => one.name === name) ?? this.tints[0];
    this.tintSelect.value = tint.name;
    this.shownTint = tint;
    if (tint.scale && !this.static) this.motion.end(); // nodes and stresses are known then
    paintTint(this.blocks, this.a, tint);
    if (tint.scale) this.deformed.paint(tint.scale);
    this.showSolids();
    const legend = document.getElementById("legend");
    legend.replaceChildren(...(tint.scale ? scaleLegend(tint.scale) : []));
    if (tint.values) {
      legend.append(element("span", {}, tint.label),
        element("div", {}, element("small", {}, "0"), element("i", { style: `background:linear-gradient(90deg,${STONE},${tint.high})` }),
          element("small", {}, tint.text)));
    }
    this.view.draw();
  }

  addTable() {
    const host = document.getElementById("table"), drawer = document.getElementById("drawer");
    const [columns, count, words, choose] = this.static
      ? [jointColumns(this.data), this.a.joint_status.length, "joints", (i) => this.choose({ joint: i })]
      : [blockColumns(this.data), this.a.support.length, "blocks", (i) => this.choose({ block: i })];
    this.table = new Table(host, columns, count, choose);
    this.table.sort(2, true);
    drawer.textContent = `Table of ${count} ${words}`;
    drawer.disabled = count === 0;
    drawer.addEventListener("click", () => this.openTable(host.hidden));
  }

  openTable(open) {
    document.getElementById("table").hidden = !open;
    document.getElementById("drawer").setAttribute("aria-expanded", String(open));
    this.table.fill();
  }

  // -- selection ---------------------------------------------------------------------------------------------------

  // what: {block}, {joint} or null.
  choose(what) {
    this.chosen = what;
    this.blocks.choose(what?.block ?? -1);
    if (this.deformed.exists) this.deformed.choose(what?.block ?? -1);
    this.table.choose((this.static ? what?.joint : what?.block) ?? -1);
    this.mark.clear();
    if (what?.joint !== undefined) { this.markJoint(what.joint); this.selection.joint(what.joint); }
    else if (what?.block !== undefined) this.selection.block(what.block);
    else this.selection.clear();
    this.view.draw();
  }

  // Outline of a joint and the forces at its points.
  markJoint(i) {
    const a = this.a, points = [], items = [];
    const [start, end] = [a.polygon_start[i], a.polygon_start[i + 1]];
    for (let k = start; k < end; k++) points.push(...row3(a.polygon, k), ...row3(a.polygon, k + 1 < end ? k + 1 : start));
    const outline = segments(points, CHOSEN, 5);
    outline.renderOrder = 1; // over the outline of a crack
    outline.material.depthTest = false;
    this.mark.add(outline);
    const rows = Array.from({ length: a.contact_start[i + 1] - a.contact_start[i] }, (_, k) => a.contact_start[i] + k);
    const size = rows.map((c) => Math.hypot(...row3(a.contact_force, c)));
    const most = Math.max(...size, 0);
    rows.forEach((c, k) => {
      if (!(size[k] > 0.01 * most)) return;
      const to = new THREE.Vector3().fromArray(a.contact_point, 3 * c);
      const along = new THREE.Vector3().fromArray(a.contact_force, 3 * c).multiplyScalar((0.7 * this.data.block_size) / most);
      items.push({ from: to.clone().sub(along), to, radius: 0.014 * this.data.block_size });
    });
    if (items.length) this.mark.add(arrows(items, FORCE));
    this.placeMark();
  }

  listen() {
    let down = null;
    const canvas = this.view.canvas;
    canvas.addEventListener("pointerdown", (event) => { down = [event.clientX, event.clientY]; });
    canvas.addEventListener("pointerup", (event) => {
      if (!down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > STILL || event.button !== 0) return;
      const joints = this.static && ["thrust", "forces", "network", "reactions", "hinges", "cracks"].some((name) => this.layer(name)?.on);
      this.choose(pick(this.view, this.blocks, this.data, event.clientX, event.clientY, joints));
    });
    window.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.choose(null);
      if (event.key === " " && this.motion.exists && event.target === document.body) { event.preventDefault(); this.motion.toggle(); }
    });
  }

  // -- motion ------------------------------------------------------------------------------------------------------

  moved(pose, amount) {
    const on = this.layer("displaced")?.on ?? false;
    this.pose = on ? pose : this.still;
    this.blocks.move(this.pose);
    this.placeMark();
    this.blocks.ghost.visible = on && this.static && amount > 0;
    if (!this.static && this.shownTint?.scale && amount < this.motion.high) this.tint(this.tints[0].name);
    for (const layer of this.layers) layer.follow?.(this.pose, amount);
    if (!this.static) this.charts?.at(amount);
    this.view.draw();
  }

  placeMark() {
    if (this.chosen?.joint === undefined) return;
    const b = this.a.joint_block[2 * this.chosen.joint];
    const r = new Float64Array(9), to = new Float64Array(3);
    this.pose(b, r, to);
    const back = row3(this.a.centroid, b).map((x) => -x);
    this.mark.matrix.set(r[0], r[1], r[2], to[0], r[3], r[4], r[5], to[1], r[6], r[7], r[8], to[2], 0, 0, 0, 1)
      .multiply(new THREE.Matrix4().makeTranslation(...back));
  }

  placeLabels() {
    const host = document.getElementById("labels");
    const box = this.view.stage.getBoundingClientRect();
    const nodes = [], placed = [];
    for (const layer of this.layers ?? []) {
      if (!layer.on) continue;
      for (const { at, text } of layer.labels ?? []) {
        const p = this.view.project(at);
        const [x, y] = free(p.x - box.left, p.y - box.top, LETTER * text.length, placed);
        nodes.push(element("span", { style: `left:${x}px;top:${y}px;color:${layer.colour}` }, text));
      }
    }
    host.replaceChildren(...nodes);
  }
}

// The place nearest below a point [px] where a label covers no other.
function free(x, y, width, placed) {
  const taken = (other) => Math.abs(other.x - x) < (other.width + width) / 2 && Math.abs(other.y - y) < LINE;
  for (let other = placed.find(taken); other; other = placed.find(taken)) y = other.y + LINE;
  placed.push({ x, y, width });
  return [x, y];
}

async function start() {
  try {
    const app = new App(await readData());
    window.nscd = app;
    app.view.paint();
    document.documentElement.dataset.ready = String(Math.round(performance.now()));
  } catch (error) {
    const words = /WebGL/i.test(error.message) ? "The 3D view needs WebGL, which this browser does not offer." : error.message;
    document.getElementById("message").textContent = words;
    document.documentElement.dataset.failed = error.message;
    console.error(error);
  }
}

start();
