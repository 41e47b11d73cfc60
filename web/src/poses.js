// Where the blocks are: along the mechanism of a falling structure, or at a time of a recorded motion.
// A pose is a function (block, rotation, place): it fills a matrix (9, by rows) and the place of the centroid.

const QUATERNION = 32767;

// Rigid motion along the mechanism; the fastest vertex, going straight on, would have moved by `way` [m].
export function alongMechanism(a, way) {
  const { mechanism: m, centroid: c } = a;
  return (b, r, to) => {
    for (let k = 0; k < 3; k++) to[k] = c[3 * b + k] + way * m[6 * b + k];
    rotation(r, way * m[6 * b + 3], way * m[6 * b + 4], way * m[6 * b + 5]);
  };
}

// At a time [s], linear between frames; movements relative to the ground drawn `times` larger.
export function atTime(a, time, times = 1) {
  const { times: t, displacement: d, orientation: q, ground: g, centroid: c } = a;
  const { frame, next, part } = frameAt(t, time);
  const count = c.length / 3;
  const mix = (array, columns, b, k) => (1 - part) * array[columns * (frame * count + b) + k]
    + part * array[columns * (next * count + b) + k];
  return (b, r, to) => {
    for (let k = 0; k < 3; k++) {
      const ground = (1 - part) * g[3 * frame + k] + part * g[3 * next + k];
      to[k] = c[3 * b + k] + ground + times * (mix(d, 3, b, k) - ground);
    }
    const turn = between(q, 4 * (frame * count + b), 4 * (next * count + b), part);
    const sine = Math.hypot(turn[1], turn[2], turn[3]);
    const angle = 2 * Math.atan2(sine, turn[0]);
    const factor = sine > 1e-12 ? (times * angle) / sine : 0;
    rotation(r, factor * turn[1], factor * turn[2], factor * turn[3]);
  };
}

export function frameAt(times, time) {
  let frame = 0;
  while (frame < times.length - 2 && times[frame + 1] <= time) frame++;
  const next = Math.min(frame + 1, times.length - 1);
  const width = times[next] - times[frame];
  return { frame, next, part: width > 0 ? Math.min(Math.max((time - times[frame]) / width, 0), 1) : 0 };
}

// Points [x, y, z, ...] in a pose, each with the block that owns it; those of -1 stay.
export function movedPoints(points, owner, centroid, pose) {
  const out = new Float32Array(points), r = new Float64Array(9), to = new Float64Array(3);
  owner.forEach((b, i) => {
    if (b < 0) return;
    pose(b, r, to);
    const x = points[3 * i] - centroid[3 * b], y = points[3 * i + 1] - centroid[3 * b + 1];
    const z = points[3 * i + 2] - centroid[3 * b + 2];
    for (let k = 0; k < 3; k++) out[3 * i + k] = r[3 * k] * x + r[3 * k + 1] * y + r[3 * k + 2] * z + to[k];
  });
  return out;
}

// Unit quaternion w, x, y, z with w >= 0 between two stored ones.
function between(q, i, j, part) {
  let dot = 0;
  for (let k = 0; k < 4; k++) dot += q[i + k] * q[j + k];
  const sign = dot < 0 ? -1 : 1;
  const out = [0, 1, 2, 3].map((k) => ((1 - part) * q[i + k] + sign * part * q[j + k]) / QUATERNION);
  const size = Math.hypot(...out) * (out[0] < 0 ? -1 : 1);
  return out.map((value) => value / size);
}

// Matrix of a rotation vector [rad], by Rodrigues' formula.
function rotation(r, x, y, z) {
  const angle = Math.hypot(x, y, z);
  const s = angle > 1e-9 ? Math.sin(angle) / angle : 1;
  const half = angle > 1e-9 ? Math.sin(angle / 2) / (angle / 2) : 1;
  const c = 0.5 * half * half;
  const square = angle * angle;
  r[0] = 1 + c * (x * x - square); r[1] = c * x * y - s * z; r[2] = c * x * z + s * y;
  r[3] = c * x * y + s * z; r[4] = 1 + c * (y * y - square); r[5] = c * y * z - s * x;
  r[6] = c * x * z - s * y; r[7] = c * y * z + s * x; r[8] = 1 + c * (z * z - square);
}
