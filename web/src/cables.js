// Cables and tie rods: lines between their ends, which go with the blocks, coloured and labelled with their forces.
import { Color, Vector3 } from "three";
import { CABLE, SLACK, TENSION } from "./colours.js";
import { force } from "./format.js";
import { segments } from "./marks.js";
import { frameAt, movedPoints } from "./poses.js";

// Width of the lines [px]. A cable is slack up to this force [greatest], and yields from this on [its strength].
const WIDTH = 4, NOTHING = 1e-6, YIELDS = 1 - 1e-6;
// Most labels: more would hide the drawing.
const MOST_LABELS = 12;

export function cablesLayer({ arrays: a, cables }) {
  if (!a.cable_block?.length) return null;
  const count = cables.length;
  const greatest = a.cable_force.reduce((most, f) => (f > most ? f : most), 0);
  const object = segments(Array.from(a.cable_point), "#ffffff", WIDTH);
  object.material.vertexColors = true;
  const labels = count > MOST_LABELS ? [] : cables.map(() => ({ at: new Vector3(), text: "" }));
  const place = (points, forces) => {
    object.geometry.setPositions(points);
    object.geometry.setColors(Array.from(forces).flatMap((f, k) => {
      const colour = new Color(stateColour(f, a.cable_strength[k], greatest)).toArray();
      return [...colour, ...colour];
    }));
    labels.forEach((label, k) => {
      const [from, to] = [0, 3].map((side) => new Vector3().fromArray(points, 6 * k + side));
      label.at.copy(from.add(to).multiplyScalar(0.5));
      label.text = forces[k] > NOTHING * greatest ? force(forces[k]) : "slack";
    });
  };
  const forcesAt = (time) => {
    if (!a.times) return a.cable_force;
    const { frame, next, part } = frameAt(a.times, time);
    const now = part >= 1 ? next : frame;
    return a.cable_force.subarray(count * now, count * (now + 1));
  };
  place(Array.from(a.cable_point), forcesAt(a.times?.[0]));
  const follow = (pose, time) => place(movedPoints(a.cable_point, a.cable_block, a.centroid, pose), forcesAt(time));
  const note = `greatest ${force(greatest)}; grey: slack, red: yields`;
  return { name: "cables", label: "Cables", on: true, object, colour: CABLE, note, labels, follow };
}

function stateColour(f, strength, greatest) {
  if (f >= YIELDS * strength) return TENSION;
  return f > NOTHING * greatest ? CABLE : SLACK;
}
