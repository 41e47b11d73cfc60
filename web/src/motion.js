// The bar that moves the blocks: play, a slider, and in a motion the magnification.
import { element, length, plain } from "./format.js";
import { alongMechanism, atTime } from "./poses.js";

const STEPS = 1000;
// Time that a mechanism takes to go, and again to come back [s]. A motion is shown in its own time.
const PLAY = 3;
// Farthest way of the fastest point in a mechanism [diagonal of the structure]: it is a beginning, not the whole fall.
const REACH = 0.1;
const MAGNIFY = [1, 2, 5, 10, 20, 50, 100, 200];

export class Motion {
  // `moved(pose, amount)`: pose is null when the blocks are where they were given.
  constructor(data, moved) {
    Object.assign(this, { data, moved, a: data.arrays, playing: false, times: 1 });
    this.dynamic = data.analysis === "dynamic";
    this.exists = this.dynamic || Boolean(this.a.mechanism);
    if (!this.exists) return;
    const diagonal = Math.hypot(...data.extent);
    this.low = this.dynamic ? this.a.times[0] : 0;
    this.high = this.dynamic ? this.a.times[this.a.times.length - 1] : REACH * diagonal;
    this.build();
    this.set(this.dynamic ? this.low : 0.5 * REACH * diagonal);
  }

  build() {
    this.button = element("button", { type: "button", id: "play", on: { click: () => this.toggle() } });
    this.slider = element("input", { type: "range", id: "amount", min: 0, max: STEPS, step: 1,
      "aria-label": this.dynamic ? "Time" : "Magnification of the mechanism",
      on: { input: () => { this.stop(); this.set(this.low + (this.slider.value / STEPS) * (this.high - this.low)); } } });
    this.readout = element("output", { id: "readout", for: "amount" });
    const label = element("label", { for: "amount" }, this.dynamic ? "Time" : "Mechanism, magnified");
    document.getElementById("motion").append(this.button, label, this.slider, this.readout);
    if (this.dynamic) document.getElementById("motion").append(this.magnifier());
    this.stop();
  }

  magnifier() {
    const options = MAGNIFY.map((n) => element("option", { value: n }, `× ${n}`));
    const select = element("select", { id: "magnify", on: { change: () => { this.times = Number(select.value); this.set(this.amount); } } }, ...options);
    this.magnified = element("label", { class: "magnify" }, "Displacements ", select);
    return this.magnified;
  }

  hideMagnifier(hidden) {
    if (this.magnified) this.magnified.hidden = hidden;
  }

  set(amount) {
    this.amount = Math.min(Math.max(amount, this.low), this.high);
    this.slider.value = this.high > this.low ? (STEPS * (this.amount - this.low)) / (this.high - this.low) : 0;
    this.readout.textContent = this.dynamic
      ? `${this.amount.toFixed(2)} s of ${plain(this.high)} s` : `fastest point moved ${length(this.amount)}`;
    this.show();
  }

  // Draw the blocks where they belong now.
  show() {
    const pose = this.dynamic ? atTime(this.a, this.amount, this.times) : alongMechanism(this.a, this.amount);
    this.moved(pose, this.amount);
  }

  toggle() {
    if (this.playing) this.stop();
    else this.play();
  }

  play() {
    this.playing = true;
    this.button.textContent = "Pause";
    const length_s = this.dynamic ? Math.max(this.high - this.low, 1e-3) : PLAY;
    let part = this.amount >= this.high - 1e-9 ? 0 : (this.amount - this.low) / (this.high - this.low);
    let last = performance.now();
    const step = (now) => {
      if (!this.playing) return;
      part += (now - last) / 1e3 / length_s;
      last = now;
      if (part >= 1 && this.dynamic) { this.set(this.high); this.stop(); return; }
      // A mechanism goes and comes back, so that the eye can follow it.
      const there = this.dynamic ? part : 1 - Math.abs(1 - (part % 2));
      this.set(this.low + there * (this.high - this.low));
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  end() {
    this.stop();
    this.set(this.high);
  }

  stop() {
    this.playing = false;
    this.button.textContent = "Play";
  }
}
