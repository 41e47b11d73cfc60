// What the colours of the blocks can tell.
import { Color } from "three";
import { COMPRESSION, FORCE, MOVED, SUPPORT, ramp } from "./colours.js";
import { length, pressure, share } from "./format.js";

// Choices {name, label, value(b), high, text, most}: the colour goes from stone at 0 to `high` at `most`.
export function tints(data) {
  const a = data.arrays;
  const found = [{ name: "plain", label: "Stone" }];
  const add = (name, label, values, high, text, most = values.reduce((m, v) => (v > m ? v : m), 0)) => {
    if (most > 0) found.push({ name, label, values, high, text: text(most), most });
  };
  if (data.analysis === "static") {
    const count = a.support.length;
    add("stress", "Mean compression", Float64Array.from({ length: count }, (_, b) => -a.stress[3 * b] || 0), COMPRESSION, pressure);
    add("use", "Utilisation of joints", usage(a), FORCE, share, 1);
    if (a.mechanism) add("movement", "Movement", movement(a), MOVED, () => "fastest");
  } else {
    add("movement", "Greatest displacement", a.greatest_displacement, MOVED, length);
  }
  return found;
}

export function paintTint(blocks, a, tint) {
  if (!tint.values) return blocks.paint(blocks.base);
  const support = new Color(SUPPORT);
  return blocks.paint(Array.from(a.support, (held, b) => (held ? support : ramp(tint.values[b] / tint.most, tint.high))));
}

// The larger of friction used and eccentricity, of a joint; nan without a force.
export const jointUse = (a, i) => Math.max(a.joint_friction_use[i], a.joint_section_use[i]);

function usage(a) {
  const most = new Float64Array(a.support.length);
  for (let i = 0; i < a.joint_status.length; i++) {
    const use = Math.min(jointUse(a, i), 1) || 0;
    for (const b of [a.joint_block[2 * i], a.joint_block[2 * i + 1]]) most[b] = Math.max(most[b], use);
  }
  return most;
}

const movement = (a) => Float64Array.from(a.support, (_, b) => Math.hypot(...a.mechanism.subarray(6 * b, 6 * b + 3)));
