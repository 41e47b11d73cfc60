// The layers of a result. Each is {name, label, on, object, note}; `note` says what its scale means, `follow(pose, time)`
// moves it with the blocks.
import * as THREE from "three";
import { CRACK, COMPRESSION, FIRST, FORCE, LOAD, NETWORK, REACTION, SLIDE, TENSION, THRUST } from "./colours.js";
import { row3 } from "./data.js";
import { force, pressure } from "./format.js";
import { frameAt, movedPoints } from "./poses.js";
import { cablesLayer } from "./cables.js";
import { arrows, bars, dots, segments } from "./marks.js";

// Longest arrow, radius of the widest bar and of the shaft of an arrow, longest arm of a stress cross [block size].
const ARROW = 0.9, BAR = 0.05, SHAFT = 0.022, CROSS = 0.3;
// Longest arrow of a force in a motion [block size].
const LONGEST = 2;
// Forces and stresses smaller than this are not drawn [greatest].
const VISIBLE = 1e-2;
// A joint that opens or slides by less than this has not moved [way of the fastest vertex].
const MOVED = 1e-3;
// Most labels of reactions, and most dots that are shown unasked: more would hide the drawing.
const MOST_LABELS = 8, MOST_DOTS = 60;
// Thrust lines tell it all if they pass through this share of the loaded joints; else the network of forces does.
const TOLD = 0.6;
// Of more blocks than this, colours tell more than lines.
export const MANY = 600;

const vector = (array, i) => new THREE.Vector3().fromArray(array, 3 * i);

export function staticLayers(data) {
  const falls = data.verdict === "collapse";
  const { arrays: a, block_size: size } = data;
  const lines = a.thrust.length / 3 >= TOLD * a.joint_centre.filter(Number.isFinite).length / 3 && a.thrust.length > 0;
  const scale = { ...forceScale(a, ARROW * size), gravity: new THREE.Vector3(...data.gravity) };
  return [
    thrustLayer(a, !falls && lines),
    networkLayer(a, size, !falls && !lines && a.support.length <= MANY),
    forcesLayer(a, size, scale),
    reactionsLayer(a, size, scale, !falls),
    stressLayer(a, size),
    hingeLayer(a, !falls),
    crackLayer(a, falls),
    cablesLayer(data),
    firstLayer(data),
  ].filter((layer) => layer !== null);
}

export function dynamicLayers(data) {
  return [loadsLayer(data), movingForces(data), cablesLayer(data), firstLayer(data)].filter((layer) => layer !== null);
}

// Names of the blocks that move first, which go with them.
function firstLayer({ arrays: a, first_to_move: first = [], names }) {
  if (!first.length) return null;
  const labels = first.map((b) => ({ at: vector(a.centroid, b), text: `${names[b]} moves first` }));
  const r = new Float64Array(9), to = new Float64Array(3);
  const follow = (pose) => first.forEach((b, k) => { pose(b, r, to); labels[k].at.fromArray(to); });
  return { name: "first", label: "First to move", on: true, object: new THREE.Group(), colour: FIRST, labels, follow };
}

function loadsLayer({ arrays: a, block_size: size }) {
  if (!a.load_block.length) return null;
  let most = 0;
  a.load_block.forEach((_, i) => { most = Math.max(most, Math.hypot(...row3(a.load_force, i))); });
  const object = arrows(loadItems(a, size, (ARROW * size) / most), LOAD);
  return { name: "loads", label: "Loads", on: true, object, colour: LOAD };
}

// Forces between blocks at the moment that is shown, at their true places, if they were recorded.
function movingForces({ arrays: a, block_size: size, gravity }) {
  if (!a.force?.length) return null;
  const down = new THREE.Vector3(...gravity);
  const greatest = typical(a);
  const object = new THREE.Group();
  let shown = -1;
  const follow = (_, time) => {
    const { frame, next, part } = frameAt(a.times, time);
    const now = part >= 1 ? next : frame;
    if (now === shown) return;
    shown = now;
    object.traverse((one) => { one.material?.dispose(); one.dispose?.(); });
    object.clear();
    const items = [];
    for (let i = a.force_start[now]; i < a.force_start[now + 1]; i++) {
      const along = vector(a.force, i).multiplyScalar((ARROW * size) / greatest);
      if (!(along.length() > VISIBLE * ARROW * size)) continue;
      if (along.dot(down) < 0) along.negate();
      along.clampLength(0, LONGEST * size); // impacts are many times as great
      const to = vector(a.force_point, i);
      items.push({ from: to.clone().sub(along), to, radius: SHAFT * size });
    }
    if (items.length) object.add(arrows(items, FORCE));
  };
  const note = `an arrow as long as a block: ${force(greatest / ARROW)}; longer ones cut`;
  return { name: "forces", label: "Forces between blocks", on: true, object, colour: FORCE, note, follow };
}

// Median over the frames of the greatest force in each: an impact would make all others vanish.
function typical(a) {
  const most = [];
  for (let s = 0; s + 1 < a.force_start.length; s++) {
    let top = 0;
    for (let i = a.force_start[s]; i < a.force_start[s + 1]; i++) top = Math.max(top, Math.hypot(...row3(a.force, i)));
    if (top > 0) most.push(top);
  }
  return most.sort((p, q) => p - q)[Math.floor(most.length / 2)];
}

// Arrows of point loads, which a motion has too.
function loadItems(a, size, scale) {
  return Array.from(a.load_block, (_, i) => {
    const to = vector(a.load_point, i);
    return { from: to.clone().addScaledVector(vector(a.load_force, i), -scale), to, radius: SHAFT * size };
  });
}

// Metres per newton of the arrows.
function forceScale(a, longest) {
  let greatest = 0;
  for (let i = 0; i < a.joint_status.length; i++) greatest = Math.max(greatest, Math.hypot(...row3(a.joint_force, i)));
  return { greatest, metres: greatest > 0 ? longest / greatest : 0 };
}

function thrustLayer(a, on) {
  const points = [], nodes = [];
  for (let k = 0; k + 1 < a.thrust_start.length; k++) {
    for (let i = a.thrust_start[k]; i < a.thrust_start[k + 1]; i++) {
      nodes.push(...row3(a.thrust, i));
      if (i > a.thrust_start[k]) points.push(...row3(a.thrust, i - 1), ...row3(a.thrust, i));
    }
  }
  if (!points.length) return null;
  const object = new THREE.Group().add(segments(points, THRUST, 3.5), dots(nodes, THRUST, 7));
  return { name: "thrust", label: "Thrust line", on, object, colour: THRUST, note: "through the centres of pressure" };
}

function networkLayer(a, size, on) {
  // Bars end in the joints of supports: where in a support a force goes, nobody knows.
  const rows = Array.from(a.network_force.keys()).filter((e) => !a.support[a.network_edge[2 * e]] && !a.support[a.network_edge[2 * e + 1]]);
  const greatest = rows.reduce((most, e) => Math.max(most, a.network_force[e]), 0);
  const items = [];
  for (const e of rows) {
    const part = a.network_force[e] / greatest;
    if (!(part > VISIBLE)) continue;
    const [from, to] = [0, 1].map((k) => vector(a.network_node, a.network_edge[2 * e + k]));
    items.push({ from, to, radius: BAR * size * Math.max(part, 0.08) });
  }
  if (!items.length) return null;
  const note = `widest ${force(greatest)}`;
  return { name: "network", label: "Force flow", on, object: bars(items, NETWORK), colour: NETWORK, note };
}

// Of the two forces in a joint, the one that weighs on a block; at a support, the one that holds its neighbour. The tip is
// the centre of pressure.
function jointArrow(a, i, size, scale) {
  const [p, q] = [a.joint_block[2 * i], a.joint_block[2 * i + 1]];
  const to = vector(a.joint_centre, i), reaction = a.support[p] || a.support[q];
  const along = vector(a.joint_force, i);
  if (reaction ? a.support[q] : along.dot(scale.gravity) < 0) along.negate();
  return { from: to.clone().addScaledVector(along, -scale.metres), to, radius: SHAFT * size, reaction, joint: i };
}

function jointArrows(a, size, scale) {
  const items = [];
  for (let i = 0; i < a.joint_status.length; i++) {
    const part = Math.hypot(...row3(a.joint_force, i)) / scale.greatest;
    if (part > VISIBLE && Number.isFinite(a.joint_centre[3 * i])) items.push(jointArrow(a, i, size, scale));
  }
  return items;
}

function forcesLayer(a, size, scale) {
  const items = jointArrows(a, size, scale).filter((item) => !item.reaction);
  if (!items.length) return null;
  const note = `an arrow as long as a block: ${force((scale.greatest / ARROW))}`;
  return { name: "forces", label: "Forces in joints", on: false, object: arrows(items, FORCE), colour: FORCE, note };
}

function reactionsLayer(a, size, scale, on) {
  const items = jointArrows(a, size, scale).filter((item) => item.reaction);
  const loads = loadItems(a, size, scale.metres);
  if (!items.length && !loads.length) return null;
  const object = new THREE.Group().add(arrows(items, REACTION), arrows(loads, LOAD));
  const labels = items.length > MOST_LABELS ? [] : items.map((item) => (
    { at: item.from, text: force(Math.hypot(...row3(a.joint_force, item.joint))) }));
  const note = "";
  const label = loads.length ? "Reactions and loads" : "Reactions";
  return { name: "reactions", label, on, object, colour: REACTION, note, labels };
}

function stressLayer(a, size) {
  let greatest = 0;
  for (const value of a.stress) if (Math.abs(value) > greatest) greatest = Math.abs(value);
  if (!(greatest > 0)) return null;
  const points = { true: [], false: [] };
  for (let b = 0; b < a.support.length; b++) {
    for (let k = 0; k < 3; k++) {
      const value = a.stress[3 * b + k];
      if (!(Math.abs(value) > VISIBLE * greatest)) continue;
      const arm = new THREE.Vector3().fromArray(a.stress_direction, 9 * b + 3 * k);
      arm.multiplyScalar((CROSS * size * Math.abs(value)) / greatest);
      const centre = vector(a.centroid, b);
      points[value > 0].push(...centre.clone().sub(arm).toArray(), ...centre.add(arm).toArray());
    }
  }
  const object = new THREE.Group();
  if (points.false.length) object.add(segments(points.false, COMPRESSION, 2.5));
  if (points.true.length) object.add(segments(points.true, TENSION, 2.5));
  const note = `red: tension; longest ${pressure(greatest)}`;
  return { name: "stress", label: "Principal stresses", on: false, object, colour: COMPRESSION, note };
}

function hingeLayer(a, on) {
  const at = (mask) => Array.from(mask.keys()).filter((i) => mask[i]).flatMap((i) => row3(a.joint_centre, i));
  const hinges = at(a.joint_hinge), slides = at(a.joint_sliding);
  if (!hinges.length && !slides.length) return null;
  const object = new THREE.Group();
  if (hinges.length) object.add(dots(hinges, CRACK, 12));
  if (slides.length) object.add(dots(slides, SLIDE, 9));
  const [hinging, sliding] = [hinges.length / 3, slides.length / 3];
  const note = [hinging && `${hinging} at the edge (red)`, sliding && `${sliding} sliding (purple)`].filter(Boolean).join(", ");
  return { name: "hinges", label: "Joints at their limit", on: on && hinging + sliding <= MOST_DOTS, object, colour: CRACK, note };
}

// Outlines of the joints that open or slide; `follow(pose)` moves them with block a.
function crackLayer(a, on) {
  const rows = Array.from(a.joint_status.keys()).filter((i) => Math.max(a.joint_opening[i], a.joint_slip[i]) > MOVED);
  if (!rows.length) return null;
  const given = [], owner = [];
  for (const i of rows) {
    const [start, end] = [a.polygon_start[i], a.polygon_start[i + 1]];
    for (let k = start; k < end; k++) {
      given.push(...row3(a.polygon, k), ...row3(a.polygon, k + 1 < end ? k + 1 : start));
      owner.push(a.joint_block[2 * i], a.joint_block[2 * i]);
    }
  }
  const object = segments(given, CRACK, 3);
  const note = `${rows.length} joints open or slide`;
  const follow = (pose) => object.geometry.setPositions(movedPoints(given, owner, a.centroid, pose));
  return { name: "cracks", label: "Cracks", on, object, colour: CRACK, note, follow };
}
