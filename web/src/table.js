// A table to sort, of any length: only the rows in sight are in the document.
import { element } from "./format.js";

const ROW = 24; // height of a row [px], as in the style sheet
const SPARE = 6; // rows beyond the edges of what is seen

export class Table {
  // columns: {label, unit, value(i) for sorting, text(i)}; pick(i) is called for a clicked row.
  constructor(host, columns, count, pick) {
    Object.assign(this, { columns, count, pick });
    this.order = Int32Array.from({ length: count }, (_, i) => i);
    this.grid = columns.map((column) => column.width ?? "1fr").join(" ");
    this.heads = columns.map((column, k) => element(
      "button", { type: "button", on: { click: () => this.sort(k) }, class: column.text_like ? "" : "number" },
      column.label, element("small", {}, column.unit ?? "")));
    this.head = element("div", { class: "head", style: `grid-template-columns:${this.grid}` }, ...this.heads);
    this.body = element("div", { class: "rows", style: `height:${count * ROW}px` });
    this.scroller = element("div", { class: "scroller", on: { scroll: () => this.fill() } }, this.head, this.body);
    host.append(this.scroller);
    this.chosen = -1;
    new ResizeObserver(() => this.fill()).observe(this.scroller);
  }

  // By column k; the second time the other way round. Empty values come last either way.
  sort(k, down = this.by === k ? !this.down : !this.columns[k].text_like) {
    Object.assign(this, { by: k, down });
    const value = Array.from({ length: this.count }, (_, i) => this.columns[k].value(i));
    const sign = down ? -1 : 1;
    const empty = (v) => typeof v === "number" && Number.isNaN(v);
    const compare = (a, b) => (typeof a === "string" ? a.localeCompare(b, undefined, { numeric: true }) : a - b) || 0;
    this.order.sort((i, j) => {
      const [a, b] = [value[i], value[j]];
      if (empty(a) || empty(b)) return empty(a) - empty(b) || i - j;
      return a === b ? i - j : sign * compare(a, b);
    });
    this.heads.forEach((head, n) => head.setAttribute("aria-sort", n !== k ? "none" : down ? "descending" : "ascending"));
    this.fill();
  }

  choose(i) {
    this.chosen = i;
    if (i >= 0 && this.scroller.clientHeight) {
      const y = this.order.indexOf(i) * ROW;
      const { scrollTop, clientHeight } = this.scroller;
      if (y < scrollTop || y > scrollTop + clientHeight - 3 * ROW) this.scroller.scrollTop = y - clientHeight / 3;
    }
    this.fill();
  }

  fill() {
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / ROW) - SPARE);
    const last = Math.min(this.count, Math.ceil((this.scroller.scrollTop + this.scroller.clientHeight) / ROW) + SPARE);
    const rows = [];
    for (let n = first; n < last; n++) rows.push(this.row(n, this.order[n]));
    this.body.replaceChildren(...rows);
  }

  row(n, i) {
    const cells = this.columns.map((column) => element(
      "span", { class: column.text_like ? "" : "number" }, column.text(i)));
    return element("div", {
      class: i === this.chosen ? "row chosen" : "row", "data-row": i, on: { click: () => this.pick(i) },
      style: `top:${n * ROW}px;grid-template-columns:${this.grid}`,
    }, ...cells);
  }
}
