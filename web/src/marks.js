// Things to draw with: arrows, bars, lines of constant width on paper, round dots.
import * as THREE from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";

const UP = new THREE.Vector3(0, 1, 0);

// Head of an arrow [its radius over that of the shaft, its length over its radius].
const HEAD = [2.8, 2.6];

// Unit geometry from the origin along +y.
const unit = (geometry) => geometry.translate(0, 0.5, 0);
const shaft = unit(new THREE.CylinderGeometry(1, 1, 1, 8, 1, true));
const cone = unit(new THREE.ConeGeometry(1, 1, 12));

function instances(geometry, items, colour) {
  const mesh = new THREE.InstancedMesh(geometry, new THREE.MeshLambertMaterial({ color: colour }), items.length);
  const matrix = new THREE.Matrix4(), turn = new THREE.Quaternion(), along = new THREE.Vector3();
  items.forEach(({ from, to, radius }, i) => {
    along.subVectors(to, from);
    const size = along.length();
    turn.setFromUnitVectors(UP, along.divideScalar(size || 1));
    mesh.setMatrixAt(i, matrix.compose(from, turn, new THREE.Vector3(radius, size, radius)));
  });
  mesh.frustumCulled = false;
  return mesh;
}

// Arrows with their tips at `to`; items {from, to, radius}, all in metres.
export function arrows(items, colour) {
  const shafts = [], heads = [];
  for (const { from, to, radius } of items) {
    const size = from.distanceTo(to);
    const head = Math.min(HEAD[0] * HEAD[1] * radius, 0.6 * size);
    const neck = to.clone().lerp(from, size > 0 ? head / size : 0);
    shafts.push({ from, to: neck, radius: Math.min(radius, head / HEAD[1] / 1.6) });
    heads.push({ from: neck, to, radius: head / HEAD[1] });
  }
  return new THREE.Group().add(instances(shaft, shafts, colour), instances(cone, heads, colour));
}

// Round bars; items {from, to, radius}.
export const bars = (items, colour) => instances(shaft, items, colour);

// Straight segments [x, y, z, x, y, z, ...] of a width in pixels.
export function segments(points, colour, width) {
  const geometry = new LineSegmentsGeometry();
  geometry.setPositions(points);
  const lines = new LineSegments2(geometry, new LineMaterial({ color: colour, linewidth: width }));
  lines.frustumCulled = false;
  return lines;
}

// Round dots [x, y, z, ...] with a diameter in pixels.
export function dots(points, colour, diameter) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  const ratio = Math.min(window.devicePixelRatio, 2);
  const material = new THREE.PointsMaterial({
    color: colour, size: diameter * ratio, sizeAttenuation: false, map: disc(), transparent: true, depthWrite: false,
  });
  const cloud = new THREE.Points(geometry, material);
  cloud.frustumCulled = false;
  return cloud;
}

let made = null;
function disc() {
  if (made) return made;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const ink = canvas.getContext("2d");
  ink.fillStyle = "#ffffff";
  ink.beginPath();
  ink.arc(32, 32, 30, 0, 2 * Math.PI);
  ink.fill();
  made = new THREE.CanvasTexture(canvas);
  return made;
}
