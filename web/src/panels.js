// The charts of the side panel.
import { CRACK, FORCE, LOAD, MOVED, THRUST } from "./colours.js";
import { histogram, key, timeline } from "./charts.js";
import { element } from "./format.js";
import { jointUse } from "./tints.js";

const LINES = [FORCE, THRUST, MOVED, "#4f7942", LOAD, CRACK];
const GROUND = "#8d8a83";
const WORDS = { kinetic: "kinetic", friction_loss: "friction", impact_loss: "impact", work: "work", scheme_loss: "time step", elastic: "elastic" };

export function addCharts(data, app) {
  const host = document.getElementById("charts");
  if (data.analysis === "static") {
    addHistogram(data.arrays, host, app);
    return { at() {} };
  }
  const drawn = [...probes(data, host, app), ...cableForces(data, host, app), ...energies(data, host, app)];
  return { at: (time) => drawn.forEach((chart) => chart.at(time)) };
}

function addHistogram(a, host, app) {
  const use = Array.from(a.joint_status, (_, i) => jointUse(a, i)).filter((value) => !Number.isNaN(value));
  host.append(element("h2", {}, "Utilisation of the joints"));
  if (!use.length) {
    host.append(element("p", { class: "hint" }, "No joint carries a force."));
    return;
  }
  const full = use.filter((value) => value >= 0.98).length;
  host.append(histogram(use, FORCE, () => app.openTable(true)),
    element("p", { class: "hint" }, `Number of joints by friction used or eccentricity, whichever is larger; ${full} at the limit.`));
}

// Displacement of the probes and the ground, along the axis of the greatest movement.
function probes({ arrays: a, names }, host, app) {
  const count = a.probe_block.length, steps = a.probe_times.length;
  if (!count || steps < 2) return [];
  const axis = [0, 1, 2].map((k) => [k, reach(a.probe_ground, k), reach(a.probe_displacement, k)])
    .sort((p, q) => q[1] - p[1] || q[2] - p[2])[0][0];
  const column = (array, stride, offset) => Float64Array.from({ length: steps }, (_, i) => 1e3 * array[stride * i + offset]);
  const series = [{ label: "ground", colour: GROUND, values: column(a.probe_ground, 3, axis) }];
  a.probe_block.forEach((b, n) => series.push({
    label: names[b], colour: LINES[n % LINES.length], values: column(a.probe_displacement, 3 * count, 3 * n + axis) }));
  const chart = timeline(a.probe_times, series, (time) => app.motion.set(time));
  host.append(element("h2", {}, `Probes along ${"xyz"[axis]}`, element("small", {}, "mm")), chart.svg, key(series));
  return [chart];
}

// Forces of the cables that pull most.
function cableForces({ arrays: a, cables }, host, app) {
  const steps = a.energy_times.length, count = cables.length;
  if (!a.cable_history || steps < 2) return [];
  const column = (k) => Float64Array.from({ length: steps }, (_, i) => a.cable_history[count * i + k] / 1e3);
  const found = cables.map((label, k) => ({ label, values: column(k) }));
  found.forEach((one) => { one.most = one.values.reduce((most, f) => Math.max(most, f), 0); });
  const series = found.sort((p, q) => q.most - p.most).slice(0, LINES.length)
    .map((one, n) => ({ ...one, colour: LINES[n] }));
  const chart = timeline(a.energy_times, series, (time) => app.motion.set(time));
  const title = count > series.length ? `Cables, the ${series.length} strongest` : "Cables";
  host.append(element("h2", {}, title, element("small", {}, "kN")), chart.svg, key(series));
  return [chart];
}

function energies({ arrays: a, energies: names }, host, app) {
  if (a.energy_times.length < 2) return [];
  const columns = names.length;
  const series = names.map((name, k) => ({ name, k })).filter(({ name }) => WORDS[name]).map(({ name, k }, n) => ({
    label: WORDS[name], colour: LINES[n],
    values: Float64Array.from({ length: a.energy_times.length }, (_, i) => a.energy[columns * i + k] / 1e3) }));
  const chart = timeline(a.energy_times, series, (time) => app.motion.set(time));
  host.append(element("h2", {}, "Energies", element("small", {}, "kJ")), chart.svg, key(series));
  return [chart];
}

// Range of component k of vectors.
function reach(array, k) {
  let low = Infinity, high = -Infinity;
  for (let i = k; i < array.length; i += 3) { low = Math.min(low, array[i]); high = Math.max(high, array[i]); }
  return high - low;
}
