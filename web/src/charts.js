// Small charts as SVG: a histogram, and lines over time with a cursor.
import { element, plain, roundBelow } from "./format.js";

const WIDTH = 320, HEIGHT = 132, LEFT = 38, RIGHT = 8, TOP = 8, BOTTOM = 24;

const canvas = (...children) => element("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart" }, ...children);
const text = (x, y, words, anchor = "middle") => element("text", { x, y, "text-anchor": anchor }, words);
const line = (x1, y1, x2, y2, kind) => element("line", { x1, y1, x2, y2, class: kind });

// How many values fall into each tenth of 0..1; what lies above 1 counts as 1. `choose(low, high)` on a click.
export function histogram(values, colour, choose) {
  const bins = new Array(10).fill(0);
  for (const v of values) bins[Math.min(9, Math.max(0, Math.floor(10 * v)))]++;
  const most = Math.max(...bins, 1);
  const x = (part) => LEFT + part * (WIDTH - LEFT - RIGHT);
  const y = (count) => HEIGHT - BOTTOM - (count / most) * (HEIGHT - TOP - BOTTOM);
  const parts = bins.map((count, k) => element(
    "rect", {
      x: x(k / 10) + 1, y: y(count), width: x(0.1) - x(0) - 2, height: y(0) - y(count), fill: colour,
      opacity: 0.45 + 0.055 * k, on: { click: () => choose?.(k / 10, (k + 1) / 10) },
    },
    element("title", {}, `${count} joints between ${10 * k} and ${10 * (k + 1)} %`)));
  const ticks = [[0, "start"], [0.5, "middle"], [1, "end"]].map(([part, anchor]) => text(x(part), HEIGHT - 8, `${100 * part} %`, anchor));
  return canvas(line(LEFT, y(0), WIDTH - RIGHT, y(0), "axis"), text(LEFT - 5, TOP + 8, String(most), "end"),
    text(LEFT - 5, y(0), "0", "end"), ...parts, ...ticks);
}

// Lines over time; series {label, colour, values}; times and values of equal length. `seek(time)` on a click.
export function timeline(times, series, seek) {
  const end = Math.max(times[times.length - 1], times[0] + 1e-9);
  const start = times[0] < 0.02 * end ? 0 : times[0]; // a history begins with the end of the first step
  let low = Infinity, high = -Infinity;
  for (const { values } of series) for (const v of values) { low = Math.min(low, v); high = Math.max(high, v); }
  if (!(high > low)) { low -= 1; high += 1; }
  const x = (t) => LEFT + ((t - start) / (end - start)) * (WIDTH - LEFT - RIGHT);
  const y = (v) => HEIGHT - BOTTOM - ((v - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const paths = series.map(({ colour, values }) => element("path", {
    d: Array.from(values, (v, i) => `${i ? "L" : "M"}${x(times[i]).toFixed(1)} ${y(v).toFixed(1)}`).join(""),
    stroke: colour, class: "line",
  }));
  const cursor = line(x(start), TOP, x(start), HEIGHT - BOTTOM, "cursor");
  const step = roundBelow((high - low) / 2);
  const marks = [];
  for (let v = Math.ceil(low / step) * step; v <= high; v += step) {
    marks.push(line(LEFT, y(v), WIDTH - RIGHT, y(v), "grid"), text(LEFT - 5, y(v) + 4, plain(v), "end"));
  }
  const svg = canvas(...marks, ...paths, cursor, text(LEFT, HEIGHT - 8, `${plain(start)} s`, "start"),
    text(WIDTH - RIGHT, HEIGHT - 8, `${plain(end)} s`, "end"));
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const part = (((event.clientX - box.left) / box.width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT);
    seek?.(start + Math.min(Math.max(part, 0), 1) * (end - start));
  });
  const at = (time) => ["x1", "x2"].forEach((key) => cursor.setAttribute(key, x(Math.min(Math.max(time, start), end))));
  return { svg, at };
}

export function key(series) {
  return element("p", { class: "key" }, ...series.map(({ label, colour }) => element(
    "span", {}, element("i", { style: `background:${colour}` }), label)));
}
