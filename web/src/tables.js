// Columns of the tables: joints of a static result, blocks of a motion.
import { beside, length, pressure, share, significant } from "./format.js";
import { stateOf } from "./selection.js";

const words = (label, text, width) => ({ label, value: text, text, width, text_like: true });
const number = (label, unit, value, text) => ({ label, unit, value, text: (i) => text(value(i)) });

export function jointColumns({ arrays: a, names }) {
  const name = (i, k) => names[a.joint_block[2 * i + k]];
  const kilo = (newtons) => significant(newtons / 1e3);
  const columns = [
    words("Block a", (i) => name(i, 0), "1.2fr"),
    words("Block b", (i) => name(i, 1), "1.2fr"),
    number("Compression", "kN", (i) => a.joint_normal_force[i], kilo),
    number("Shear", "kN", (i) => beside(a.joint_shear_force[i], a.joint_normal_force[i]), kilo),
    number("Friction used", "", (i) => a.joint_friction_use[i], share),
    number("Eccentricity", "", (i) => a.joint_section_use[i], share),
    number("Edge pressure", "", (i) => a.joint_peak_pressure[i], pressure),
    number("Area", "m²", (i) => a.joint_area[i], significant),
    words("State", (i) => stateOf(a, i)),
  ];
  if (a.mechanism) columns.push(number("Opening", "of fastest", (i) => a.joint_opening[i], share));
  return columns;
}

export function blockColumns({ arrays: a, names }) {
  return [
    words("Block", (i) => names[i], "1.5fr"),
    number("Mass", "kg", (i) => a.mass[i], significant),
    number("Greatest displacement", "", (i) => a.greatest_displacement[i], length),
    number("At the end", "", (i) => a.final_displacement[i], length),
  ];
}
