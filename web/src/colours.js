// Ink on paper: light stone, darker supports, one strong colour for each kind of thing.
import { Color } from "three";

export const PAPER = "#faf8f3";
export const STONE = "#e4dbc8";
export const SUPPORT = "#a9a49a";
export const EDGE = "#4a4640";
export const FORCE = "#b8431f";
export const REACTION = "#7a2812";
export const LOAD = "#5a3c8c";
export const CABLE = "#2e7d46";
export const SLACK = "#8d8a83";
export const THRUST = "#0b5d8c";
export const NETWORK = "#3f86ad";
export const COMPRESSION = "#2e5aa0";
export const TENSION = "#c81e28";
export const EQUIVALENT = "#7a286e";
export const CRACK = "#c81e28";
export const SLIDE = "#a0148c";
export const MOVED = "#d9a441";
export const FIRST = "#8a5a08";
export const CHOSEN = "#0f9d8a";

// From light stone to a strong colour, by a share from 0 to 1.
const low = new Color(STONE);
export function ramp(share, high) {
  return new Color().lerpColors(low, new Color(high), Math.min(Math.max(share, 0), 1));
}
