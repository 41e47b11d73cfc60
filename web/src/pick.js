// What lies under a click: a joint if one of its marks is near, else the block in front.
import * as THREE from "three";

// A joint is hit within this distance on the screen [px], and within this share of a block's size.
const NEAR = 9, PART = 0.22;

export function pick(view, blocks, data, x, y, withJoints) {
  const hit = view.ray(x, y).intersectObject(blocks.mesh, false)[0];
  const depth = hit ? view.project(hit.point).depth : 1;
  const joint = withJoints ? nearestJoint(view, data, x, y, depth) : -1;
  if (joint >= 0) return { joint };
  return hit && blocks.mesh.visible ? { block: blocks.triangleBlock[hit.faceIndex] } : null;
}

function nearestJoint(view, data, x, y, depth) {
  const a = data.arrays;
  const behind = (2 * view.depth) / (view.camera.far - view.camera.near); // in normalised depth, linear here
  let best = Math.min(NEAR, PART * data.block_size * view.scale), found = -1;
  const at = new THREE.Vector3();
  for (let i = 0; i < (a.joint_status?.length ?? 0); i++) {
    at.fromArray(Number.isFinite(a.joint_centre[3 * i]) ? a.joint_centre : a.joint_centroid, 3 * i);
    const p = view.project(at);
    const distance = Math.hypot(p.x - x, p.y - y);
    if (distance < best && p.depth < depth + behind) { best = distance; found = i; }
  }
  return found;
}
