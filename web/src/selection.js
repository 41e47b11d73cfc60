// What is chosen, and its numbers: a block with the forces on it, or a joint.
import { row3 } from "./data.js";
import { beside, element, force, length, pressure, share, significant } from "./format.js";

const STATUS = ["open", "stick", "slide"];
export const stateOf = (a, i) => (a.joint_hinge[i] ? "hinge" : STATUS[a.joint_status[i]]);

export class Selection {
  constructor(data, app) {
    Object.assign(this, { data, app, host: document.getElementById("selection") });
    this.joints = jointsOfBlocks(data.arrays);
    this.clear();
  }

  clear() {
    const what = this.data.analysis === "static" ? "block or a joint to read its forces" : "block to read its movement";
    this.host.replaceChildren(element("h2", {}, "Selection"), element("p", { class: "hint" }, `Click a ${what}.`));
  }

  show(title, subtitle, pairs, list = null) {
    const close = element("button", { type: "button", class: "close", "aria-label": "Deselect", on: { click: () => this.app.choose(null) } }, "×");
    const terms = pairs.map(([term, value]) => element("div", {}, element("dt", {}, term), element("dd", {}, value)));
    this.host.replaceChildren(
      element("h2", {}, subtitle, close), element("h3", {}, title), element("dl", {}, ...terms), ...(list ? [list] : []));
  }

  block(b) {
    const { arrays: a, names } = this.data;
    const g = Math.hypot(...this.data.gravity);
    const pairs = [["Weight", force(a.mass[b] * g)], ["Centroid", point(a.centroid, b, this.data.origin)]];
    if (this.data.analysis === "static") this.staticBlock(b, pairs);
    else this.movingBlock(b, pairs);
    this.show(names[b], a.support[b] ? "Support" : "Block", pairs, this.neighbours(b));
  }

  staticBlock(b, pairs) {
    const a = this.data.arrays;
    if (Number.isFinite(a.stress[3 * b])) {
      pairs.push(["Greatest mean compression", pressure(Math.max(-a.stress[3 * b], 0))]);
      if (a.stress[3 * b + 2] > -1e-3 * a.stress[3 * b]) pairs.push(["Greatest mean tension", pressure(a.stress[3 * b + 2])]);
    }
    if (a.support[b]) pairs.push(["Reaction on the structure", components(this.pressed(b).map((f) => -f))]);
    if (a.mechanism) pairs.push(["Speed as it falls", `${share(Math.hypot(...speed(a.mechanism, b)))} of the fastest point`]);
  }

  movingBlock(b, pairs) {
    const a = this.data.arrays;
    pairs.push(["Greatest displacement", length(a.greatest_displacement[b])]);
    pairs.push(["Displacement at the end", length(a.final_displacement[b])]);
  }

  // Sum of the forces that the joints put on a block [N].
  pressed(b) {
    const a = this.data.arrays;
    const total = [0, 0, 0];
    for (const i of this.joints[b]) {
      const sign = a.joint_block[2 * i + 1] === b ? 1 : -1;
      row3(a.joint_force, i).forEach((f, k) => { total[k] += sign * f; });
    }
    return total;
  }

  neighbours(b) {
    if (!this.joints[b]?.length) return null;
    const { arrays: a, names } = this.data;
    const items = this.joints[b].map((i) => {
      const other = a.joint_block[2 * i] === b ? a.joint_block[2 * i + 1] : a.joint_block[2 * i];
      const size = Math.hypot(...row3(a.joint_force, i));
      return element("li", {}, element(
        "button", { type: "button", on: { click: () => this.app.choose({ joint: i }) } },
        element("span", {}, names[other]), element("span", { class: "number" }, force(size))));
    });
    return element("div", { class: "list" }, element("h4", {}, "Force from each neighbour"), element("ul", {}, ...items));
  }

  joint(i) {
    const { arrays: a, names } = this.data;
    const [p, q] = [a.joint_block[2 * i], a.joint_block[2 * i + 1]];
    const pairs = [
      ["State", stateOf(a, i)],
      ["Compression", force(a.joint_normal_force[i])],
      ["Shear", force(beside(a.joint_shear_force[i], a.joint_normal_force[i]))],
      ["Friction used", `${share(a.joint_friction_use[i])} of μ = ${significant(a.joint_friction[i], 2)}`],
      ["Eccentricity", `${share(a.joint_section_use[i])} (100 % at the edge)`],
      ["Compressed", `${share(a.joint_compressed[i])} of the area`],
      ["Peak edge pressure", pressure(a.joint_peak_pressure[i])],
      ["Area", `${significant(a.joint_area[i])} m²`],
      [`Force on ${names[q]}`, components(row3(a.joint_force, i))],
    ];
    if (Math.abs(a.joint_gap[i]) > 1e-6) pairs.push(["Gap", length(a.joint_gap[i])]);
    if (a.mechanism) pairs.push(["Opening, slip", `${share(a.joint_opening[i])}, ${share(a.joint_slip[i])} of the fastest point`]);
    this.show(`${names[p]} – ${names[q]}`, "Joint", pairs);
  }
}

const speed = (mechanism, b) => [0, 1, 2].map((k) => mechanism[6 * b + k]);
// Components [kN]; rounding errors of the others are shown as 0.
function components(vector) {
  const most = Math.max(...vector.map(Math.abs));
  return `${vector.map((f) => significant(beside(f, most) / 1e3)).join(", ")} kN`;
}

const point = (array, i, origin) => `${row3(array, i).map((x, k) => (x + origin[k]).toFixed(3).replace("-", "−")).join(", ")} m`;

function jointsOfBlocks(a) {
  const of = Array.from(a.support, () => []);
  for (let i = 0; i < (a.joint_status?.length ?? 0); i++) {
    of[a.joint_block[2 * i]].push(i);
    of[a.joint_block[2 * i + 1]].push(i);
  }
  return of;
}
