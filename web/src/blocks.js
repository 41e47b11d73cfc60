// All blocks as one mesh and one set of lines that share their vertices; moving them rewrites the vertices.
import * as THREE from "three";
import { EDGE, STONE, SUPPORT, CHOSEN } from "./colours.js";

// Edges between faces whose normals differ by less than this are not drawn [cosine]: seams of triangulated faces.
const SMOOTH = Math.cos((5 * Math.PI) / 180);

export class Blocks {
  constructor(data) {
    const a = data.arrays;
    this.count = a.support.length;
    this.a = a;
    this.vertexBlock = new Int32Array(a.vertices.length / 3);
    for (let b = 0; b < this.count; b++) this.vertexBlock.fill(b, a.vertex_start[b], a.vertex_start[b + 1]);
    this.position = new THREE.BufferAttribute(new Float32Array(a.vertices), 3).setUsage(THREE.DynamicDrawUsage);
    this.colour = new THREE.BufferAttribute(new Float32Array(a.vertices.length), 3);
    this.base = Array.from(a.support, (held) => new THREE.Color(held ? SUPPORT : STONE));
    const { triangles, triangleBlock, edges } = facesOf(a);
    this.triangleBlock = triangleBlock;
    this.mesh = this.makeMesh(triangles);
    this.edges = this.makeEdges(edges, this.position, 0.55);
    this.ghost = this.makeEdges(edges, new THREE.BufferAttribute(new Float32Array(a.vertices), 3), 0.16);
    this.ghost.visible = false;
    this.group = new THREE.Group().add(this.mesh, this.edges, this.ghost);
    this.chosen = -1;
    this.paint();
  }

  makeMesh(triangles) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", this.position);
    geometry.setAttribute("color", this.colour);
    geometry.setIndex(new THREE.BufferAttribute(triangles, 1));
    // Lines lie exactly on the faces: the faces step back a little so that the lines win.
    const material = new THREE.MeshLambertMaterial({
      vertexColors: true, flatShading: true, side: THREE.DoubleSide,
      polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
    });
    const mesh = new THREE.Mesh(geometry, material);
    mesh.frustumCulled = false;
    return mesh;
  }

  makeEdges(edges, position, opacity) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", position);
    geometry.setIndex(new THREE.BufferAttribute(edges, 1));
    const lines = new THREE.LineSegments(
      geometry, new THREE.LineBasicMaterial({ color: EDGE, transparent: true, opacity }));
    lines.frustumCulled = false;
    return lines;
  }

  // Give every block its colour; `colours` is one THREE.Color per block, the plain ones if missing.
  paint(colours = null) {
    if (colours) this.colours = colours;
    const shown = this.colours ?? this.base;
    const chosen = new THREE.Color(CHOSEN);
    for (let v = 0; v < this.vertexBlock.length; v++) {
      const b = this.vertexBlock[v];
      (b === this.chosen ? chosen : shown[b]).toArray(this.colour.array, 3 * v);
    }
    this.colour.needsUpdate = true;
  }

  choose(block) {
    this.chosen = block;
    this.paint();
  }

  // Move every block by its pose: a function that fills a rotation matrix (9, by rows) and a place for its centroid.
  move(pose) {
    const { vertices, vertex_start: start, centroid } = this.a;
    const out = this.position.array;
    const r = new Float64Array(9);
    const to = new Float64Array(3);
    for (let b = 0; b < this.count; b++) {
      pose(b, r, to);
      const cx = centroid[3 * b], cy = centroid[3 * b + 1], cz = centroid[3 * b + 2];
      for (let v = start[b]; v < start[b + 1]; v++) {
        const x = vertices[3 * v] - cx, y = vertices[3 * v + 1] - cy, z = vertices[3 * v + 2] - cz;
        out[3 * v] = r[0] * x + r[1] * y + r[2] * z + to[0];
        out[3 * v + 1] = r[3] * x + r[4] * y + r[5] * z + to[1];
        out[3 * v + 2] = r[6] * x + r[7] * y + r[8] * z + to[2];
      }
    }
    this.position.needsUpdate = true;
    this.mesh.geometry.boundingSphere = null;
  }

  centre(block) {
    const { vertex_start: start } = this.a;
    const middle = new THREE.Vector3();
    for (let v = start[block]; v < start[block + 1]; v++) middle.add(new THREE.Vector3().fromBufferAttribute(this.position, v));
    return middle.divideScalar(start[block + 1] - start[block]);
  }
}

// Triangles of all faces, the block of each, and the edges that are worth a line.
function facesOf(a) {
  const triangles = [], triangleBlock = [], edges = [];
  const corner = (i) => new THREE.Vector3().fromArray(a.vertices, 3 * i);
  for (let b = 0; b < a.support.length; b++) {
    const seams = new Map();
    for (let f = a.block_face_start[b]; f < a.block_face_start[b + 1]; f++) {
      const face = a.face_vertices.subarray(a.face_start[f], a.face_start[f + 1]);
      const normal = newell(face, corner);
      for (const [i, j, k] of triangulate(face, corner, normal)) {
        triangles.push(i, j, k);
        triangleBlock.push(b);
      }
      for (let k = 0; k < face.length; k++) {
        const i = face[k], j = face[(k + 1) % face.length];
        const key = i < j ? `${i} ${j}` : `${j} ${i}`;
        const other = seams.get(key);
        if (!other) seams.set(key, { i, j, normal });
        else if (normal.dot(other.normal) > SMOOTH) other.smooth = true;
      }
    }
    for (const seam of seams.values()) if (!seam.smooth) edges.push(seam.i, seam.j);
  }
  return {
    triangles: new Uint32Array(triangles),
    triangleBlock: new Int32Array(triangleBlock),
    edges: new Uint32Array(edges),
  };
}

// Unit normal, also of a face that is not quite flat.
function newell(face, corner) {
  const normal = new THREE.Vector3();
  const first = corner(face[0]);
  for (let k = 1; k + 1 < face.length; k++) {
    normal.add(corner(face[k]).sub(first).cross(corner(face[k + 1]).sub(first)));
  }
  return normal.normalize();
}

function triangulate(face, corner, normal) {
  if (face.length === 3) return [[face[0], face[1], face[2]]];
  const helper = Math.abs(normal.x) < 0.6 ? new THREE.Vector3(1, 0, 0) : new THREE.Vector3(0, 1, 0);
  const u = helper.cross(normal).normalize();
  const v = normal.clone().cross(u);
  const flat = Array.from(face, (i) => { const p = corner(i); return new THREE.Vector2(p.dot(u), p.dot(v)); });
  return THREE.ShapeUtils.triangulateShape(flat, []).map((triple) => triple.map((k) => face[k]));
}
