// The stage: parallel projection, orbit and zoom, views, scale bar, frames drawn only when something changed.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { PAPER } from "./colours.js";
import { element, length, roundBelow } from "./format.js";

const VIEWS = { Axonometry: [-32, 24], Front: [0, 0], Side: [90, 0], Top: [0, 89.9] };

export class View {
  constructor(data, onDraw) {
    this.stage = document.getElementById("stage");
    this.canvas = document.getElementById("view");
    this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setClearColor(PAPER);
    this.renderer.autoClear = false;
    this.extent = new THREE.Vector3(...data.extent);
    this.size = Math.max(this.extent.length(), 1e-9);
    // What lies less than this behind a surface is drawn on top of it: forces run inside the blocks [m].
    this.depth = 1.5 * data.block_size;
    this.solid = new THREE.Scene();
    this.drawn = new THREE.Scene();
    this.camera = new THREE.OrthographicCamera(-1, 1, 1, -1, 0, 1);
    this.camera.up.set(0, 0, 1);
    this.nearer = new THREE.OrthographicCamera();
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => this.draw());
    this.onDraw = onDraw;
    this.light();
    this.buttons();
    new ResizeObserver(() => this.resize()).observe(this.stage);
    this.resize();
    this.look(...standardView(this.extent, data.verdict));
  }

  light() {
    const sky = new THREE.HemisphereLight("#ffffff", "#d8d0c0", 2.5);
    sky.position.set(0, 0, 1);
    this.sun = new THREE.DirectionalLight("#fffaf0", 1.15);
    this.solid.add(sky, this.sun, this.sun.target);
    const even = new THREE.HemisphereLight("#ffffff", "#cccccc", 3);
    even.position.set(0, 0, 1);
    this.drawn.add(even);
  }

  buttons() {
    const nav = document.getElementById("views");
    for (const [name, angles] of Object.entries(VIEWS)) {
      nav.append(element("button", { type: "button", on: { click: () => this.look(...angles) } }, name));
    }
  }

  // Look from a direction [degrees]: azimuth from -y towards +x, elevation above the horizon; all of it in the frame.
  look(azimuth, elevation) {
    const [a, e] = [azimuth, elevation].map((angle) => (angle * Math.PI) / 180);
    const towards = new THREE.Vector3(Math.sin(a) * Math.cos(e), -Math.cos(a) * Math.cos(e), Math.sin(e));
    this.controls.target.set(0, 0, 0);
    this.camera.position.copy(towards.multiplyScalar(3 * this.size));
    this.camera.near = -3 * this.size;
    this.camera.far = 9 * this.size;
    this.camera.lookAt(0, 0, 0);
    this.camera.updateMatrixWorld();
    this.fit();
    this.controls.update();
    this.draw();
  }

  // Zoom so that the box of the structure fills the stage with a margin.
  fit() {
    const inverse = this.camera.matrixWorldInverse;
    let width = 0, height = 0;
    for (let k = 0; k < 8; k++) {
      const p = this.extent.clone().multiplyScalar(0.5);
      if (k & 1) p.x = -p.x;
      if (k & 2) p.y = -p.y;
      if (k & 4) p.z = -p.z;
      p.applyMatrix4(inverse);
      width = Math.max(width, 2 * Math.abs(p.x));
      height = Math.max(height, 2 * Math.abs(p.y));
    }
    const stage = (this.camera.right - this.camera.left) / (this.camera.top - this.camera.bottom);
    const tall = 1.24 * Math.max(height, width / stage, 1e-9);
    this.camera.zoom = (this.camera.top - this.camera.bottom) / tall;
    this.camera.updateProjectionMatrix();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.stage;
    if (!width || !height) return;
    this.renderer.setSize(width, height, false);
    const half = 0.5;
    Object.assign(this.camera, { left: (-half * width) / height, right: (half * width) / height, top: half, bottom: -half });
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  // Ask for a frame; many requests make one.
  draw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.paint(); });
  }

  paint() {
    const towards = this.camera.position.clone().sub(this.controls.target).normalize();
    const right = new THREE.Vector3(0, 0, 1).cross(towards).normalize();
    this.sun.position.copy(towards).addScaledVector(right, -0.9).add(new THREE.Vector3(0, 0, 0.9));
    this.renderer.clear();
    this.renderer.render(this.solid, this.camera);
    // In parallel projection a camera that is moved ahead sees the same picture, only nearer.
    this.nearer.copy(this.camera);
    this.nearer.position.addScaledVector(towards, -this.depth);
    this.renderer.render(this.drawn, this.nearer);
    this.scaleBar();
    this.onDraw?.();
  }

  // Pixels per metre.
  get scale() {
    return (this.stage.clientHeight * this.camera.zoom) / (this.camera.top - this.camera.bottom);
  }

  scaleBar() {
    const metres = roundBelow(150 / this.scale);
    const bar = document.getElementById("scale");
    bar.firstElementChild.style.width = `${metres * this.scale}px`;
    bar.lastElementChild.textContent = length(metres).replace(".00 m", " m");
  }

  // Place in the window of a point of the scene [px].
  project(point) {
    const p = point.clone().project(this.camera);
    const box = this.canvas.getBoundingClientRect();
    return { x: box.left + ((p.x + 1) / 2) * box.width, y: box.top + ((1 - p.y) / 2) * box.height, depth: p.z };
  }

  ray(x, y) {
    const box = this.canvas.getBoundingClientRect();
    const caster = new THREE.Raycaster();
    caster.setFromCamera(
      new THREE.Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2), this.camera);
    return caster;
  }
}

// An arch or a wall in elevation, where a thrust line in the middle of its depth is read against its edges, and turned
// a little if it falls; a dome or a vault from a corner.
function standardView(extent, verdict) {
  const turned = verdict === "stable" ? [0, 0] : [-14, 9];
  if (extent.y < 0.35 * extent.x) return turned;
  if (extent.x < 0.35 * extent.y) return [turned[0] + 90, turned[1]];
  return VIEWS.Axonometry;
}
