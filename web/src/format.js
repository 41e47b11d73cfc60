// Numbers for people: few digits, units that suit them.

export function significant(value, digits = 3) {
  if (value === null || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return "∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 1e6) return value.toExponential(digits - 1).replace("-", "−");
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
  return value.toFixed(decimals).replace("-", "−");
}

// The shortest way to write a number to three digits.
export const plain = (value) => String(Number(value.toPrecision(3))).replace("-", "−");

export const force = (newtons) => `${significant(newtons / 1e3)} kN`;
export const pressure = (pascals) =>
  !Number.isFinite(pascals) ? significant(pascals) :
  Math.abs(pascals) >= 1e5 ? `${significant(pascals / 1e6)} MPa` : `${significant(pascals / 1e3)} kPa`;
// Unit in which values up to `most` [Pa] or [m] are written: its name, and its size in SI.
export function unitOf(quantity, most) {
  if (quantity === "length") return most < 1 ? { name: "mm", size: 1e-3 } : { name: "m", size: 1 };
  return most >= 1e5 ? { name: "MPa", size: 1e6 } : { name: "kPa", size: 1e3 };
}
// A value, or 0 if it is rounding error beside another.
export const beside = (value, other) => (Math.abs(value) < 1e-6 * Math.abs(other) ? 0 : value);
export const length = (metres) =>
  metres === 0 ? "0" : Math.abs(metres) < 1 ? `${significant(metres * 1e3)} mm` : `${significant(metres)} m`;
export const share = (value) => (Number.isFinite(value) ? `${(100 * value).toFixed(0)} %` : significant(value));

// A round number not above the given one: 1, 2 or 5 times a power of ten.
export function roundBelow(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [5, 2, 1].find((digit) => digit * power <= value * (1 + 1e-9)) * power;
}

// An element with text and children. Text is only ever set as text, never as markup.
export function element(tag, attributes = {}, ...children) {
  const svg = ["svg", "g", "path", "line", "rect", "text", "circle", "title"].includes(tag);
  const node = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "on") Object.entries(value).forEach(([event, action]) => node.addEventListener(event, action));
    else if (value !== false) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}
