"""Joints as plane sections: eccentricity of the centre of pressure, and no-tension pressure distributions.

All joints are treated at once: their outlines are concatenated, joint i from `start[i]` to `start[i + 1]`. Coordinates
in the plane of a joint are relative to its centroid and divided by the square root of its area, so that its area is 1.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from compas_nscd.geometry.vectors import tangents

#: Distance of the centre of pressure from the edge below which the pressure is infinite [half width]. Larger: high
#: pressures (6,000 times the mean at 1e-4) become infinite. Smaller: the compressed strip is lost in rounding error.
ON_EDGE = 1e-4
#: Tolerance of the equilibrium of pressure and force [force]. Larger: inaccurate pressures. Smaller: rounding error
#: prevents convergence.
BALANCE = 1e-8
#: Tolerance of the compressed share of a joint in the kern [-]. Larger: joints outside the kern count as inside.
#: Smaller: rounding error on its boundary excludes joints.
WHOLE = 1e-6
#: Newton steps. Far from the solution a step reduces the width of the compressed strip to 2/3: `ON_EDGE` takes 23 steps
#: and a few to converge. Smaller: no convergence near the edge.
MAX_ITERATIONS = 60


class Sections(NamedTuple):
    """Joints in their planes, counter-clockwise."""

    corner: np.ndarray  # [-] (P, 2)
    start: np.ndarray  # (I + 1,)
    centre: np.ndarray  # [-] (I, 2): centre of pressure; nan without compression
    length: np.ndarray  # [m] (I,): square root of the area


class Pressure(NamedTuple):
    """Linear pressure distribution without tension."""

    peak: np.ndarray  # [-] (I,): greatest pressure over the mean pressure; 1 uniform, 2 at the kern, inf on the edge
    compressed: np.ndarray  # [-] (I,): share of the area that is compressed; 1 inside the kern, 0 on the edge


def sections(
    outline: np.ndarray,
    start: np.ndarray,
    normal: np.ndarray,
    centroid: np.ndarray,
    area: np.ndarray,
    centre: np.ndarray,
) -> Sections:
    """Transform joints into their planes.

    Parameters
    ----------
    outline : (P, 3) array
        [m]
    start : (I + 1,) array of int
    normal, centroid : (I, 3) array
        [-], [m]
    area : (I,) array
        [m2]
    centre : (I, 3) array
        Centres of pressure [m].
    """
    first, second = tangents(normal)
    of = np.repeat(np.arange(len(normal)), np.diff(start))
    length = np.where(area > 0.0, np.sqrt(area), np.nan)  # a line or a point has no section
    arm = (outline - centroid[of]) / length[of, None]
    corner = np.stack([np.einsum("ij,ij->i", arm, first[of]), np.einsum("ij,ij->i", arm, second[of])], axis=1)
    arm = (centre - centroid) / length[:, None]
    inside = np.stack([np.einsum("ij,ij->i", arm, first), np.einsum("ij,ij->i", arm, second)], axis=1)
    clockwise = _sum(_cross(corner, corner[_following(start)]), start) < 0.0
    inside[clockwise, 1] *= -1.0
    corner[clockwise[of], 1] *= -1.0
    return Sections(corner, np.asarray(start, np.int64), inside, length)


def eccentricity(section: Sections) -> tuple[np.ndarray, np.ndarray]:
    """Relative eccentricity of the centre of pressure, and its distance from the edge.

    Returns
    -------
    (I,) array
        0 at the centroid, 1 on the edge, along the ray from the centroid; the kern of a rectangle ends at 1/3 along its
        axes. A concave joint is replaced by its convex hull, inside which forces at its corners can balance any
        compression. [-]
    (I,) array
        Distance to the nearest edge [m], negative outside.
    """
    corner, start = _hulls(section.corner, section.start)
    of = np.repeat(np.arange(len(start) - 1), np.diff(start))
    along = corner[_following(start)] - corner
    out = np.stack([along[:, 1], -along[:, 0]], axis=1)
    side = np.einsum("ij,ij->i", out, corner)  # distance of the centroid to the edge, times its length
    here = np.einsum("ij,ij->i", out, section.centre[of])
    size = np.hypot(out[:, 0], out[:, 1])
    proper = side > 1e-12 * size
    ratio = np.where(proper, here / np.where(proper, side, 1.0), 0.0)
    distance = np.where(size > 0.0, (side - here) / np.where(size > 0.0, size, 1.0), np.inf)
    if not len(of):
        return np.zeros(0), np.zeros(0)
    return np.maximum.reduceat(ratio, start[:-1]), np.minimum.reduceat(distance, start[:-1]) * section.length


def pressure(section: Sections) -> Pressure:
    """Pressure p = max(0, t0 + t1 x + t2 y) whose resultant is the normal force at the centre of pressure.

    t minimises the convex function 1/2 |p|^2 - t . (1, x_c, y_c); a Newton step solves the linear problem on the part
    that is currently compressed.
    """
    count = len(section.centre)
    peak, compressed = np.full(count, np.nan), np.full(count, np.nan)
    known = np.isfinite(section.centre).all(axis=1)
    far = known & ~(eccentricity(section)[0] < 1.0 - ON_EDGE)
    peak[far], compressed[far] = np.inf, 0.0
    todo = np.flatnonzero(known & ~far)
    if not len(todo):
        return Pressure(peak, compressed)
    part = _Part(section, todo)
    part.start_elastic()
    for _ in range(MAX_ITERATIONS):
        done = part.unbalanced() < BALANCE
        if done.any():
            rows = todo[done]
            peak[rows], compressed[rows] = part.greatest()[done], part.hessian[done, 0, 0]
            todo = todo[~done]
            if not len(todo):
                break
            part = part.kept(section, todo, ~done)
        part.step()
    if len(todo):  # not converged: the last iterate
        peak[todo], compressed[todo] = part.greatest(), part.hessian[:, 0, 0]
    return Pressure(peak, np.minimum(compressed, 1.0))


def friction_use(shear: Any, compression: Any, mu: Any, cohesion: Any = 0.0) -> np.ndarray:
    """Utilisation of friction and cohesion [N], |T| / (mu N + c A): 0 without shear, inf without resistance."""
    limit = np.asarray(mu * compression + cohesion, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((shear == 0.0) & (limit == 0.0), 0.0, shear / limit)


class _Part:
    """The joints that have not converged, with their iterates."""

    theta: np.ndarray  # (n, 3): t0, t1, t2
    hessian: np.ndarray  # (n, 3, 3)
    value: np.ndarray  # (n,): of the convex function

    def __init__(self, section: Sections, rows: np.ndarray) -> None:
        self.corner, self.start = _rows(section.corner, section.start, rows)
        self.of = np.repeat(np.arange(len(rows)), np.diff(self.start))
        self.next = _following(self.start)
        self.target = np.column_stack([np.ones(len(rows)), section.centre[rows]])

    def kept(self, section: Sections, rows: np.ndarray, mask: np.ndarray) -> _Part:
        part = _Part(section, rows)
        part.theta, part.hessian, part.value = self.theta[mask], self.hessian[mask], self.value[mask]
        return part

    def start_elastic(self) -> None:
        """Start from the linear distribution with tension."""
        whole = np.zeros_like(self.target)
        whole[:, 0] = 1.0
        full = self._moments(whole)
        self.theta = _solve(full, self.target)
        self.hessian, self.value = self._evaluate(self.theta)

    def unbalanced(self) -> np.ndarray:
        """Residual of equilibrium [force]. (n,)"""
        return np.abs(np.einsum("ijk,ik->ij", self.hessian, self.theta) - self.target).max(axis=1)

    def greatest(self) -> np.ndarray:
        """Greatest pressure over the mean pressure. (n,)"""
        return np.maximum.reduceat(self._level(self.theta), self.start[:-1])

    def step(self) -> None:
        """One Newton step with a backtracking line search."""
        aim = _solve(self.hessian, self.target)
        share = np.ones(len(aim))
        for _ in range(10):
            theta = self.theta + share[:, None] * (aim - self.theta)
            hessian, value = self._evaluate(theta)
            worse = value > self.value + 1e-10 * np.abs(self.value)
            if not worse.any():
                break
            share[worse] *= 0.5
        self.theta, self.hessian, self.value = theta, hessian, value

    def _evaluate(self, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        hessian = self._moments(theta)
        half = 0.5 * np.einsum("ij,ijk,ik->i", theta, hessian, theta)
        return hessian, half - np.einsum("ij,ij->i", theta, self.target)

    def _level(self, theta: np.ndarray) -> np.ndarray:
        return theta[self.of, 0] + np.einsum("ij,ij->i", theta[self.of, 1:], self.corner)

    def _moments(self, theta: np.ndarray) -> np.ndarray:
        """Integral of (1, x, y) (x) (1, x, y) over the part of each joint where the pressure is positive. (n, 3, 3)

        By Green's theorem about a point o of the neutral line, so that the cut along this line does not contribute.
        """
        level = self._level(theta)
        after = level[self.next]
        cut = np.minimum.reduceat(level, self.start[:-1]) < 0.0
        slope2 = np.maximum(np.einsum("ij,ij->i", theta[:, 1:], theta[:, 1:]), 1e-300)
        o = np.where(cut[:, None], -theta[:, :1] * theta[:, 1:] / slope2[:, None], 0.0)
        a, b = self.corner - o[self.of], self.corner[self.next] - o[self.of]
        drop = level - after
        zero = np.clip(level / np.where(drop == 0.0, 1.0, drop), 0.0, 1.0)
        enters, leaves = (level < 0.0) & (after > 0.0), (level > 0.0) & (after < 0.0)
        q = a + np.where(enters, zero, 0.0)[:, None] * (b - a)
        r = a + np.where(leaves, zero, 1.0)[:, None] * (b - a)
        twice = np.where(~cut[self.of] | (level > 0.0) | (after > 0.0), _cross(q, r), 0.0)
        s = q + r
        area = 0.5 * _sum(twice, self.start)
        x, y = (_sum(twice * s[:, k], self.start) / 6.0 for k in (0, 1))
        xx, xy, yy = (
            _sum(twice * (q[:, i] * q[:, j] + r[:, i] * r[:, j] + s[:, i] * s[:, j]), self.start) / 24.0
            for i, j in ((0, 0), (0, 1), (1, 1))
        )
        return _shifted(area, x, y, xx, xy, yy, o)


def _shifted(
    area: np.ndarray, x: np.ndarray, y: np.ndarray, xx: np.ndarray, xy: np.ndarray, yy: np.ndarray, o: np.ndarray
) -> np.ndarray:
    """Moments about the origin from moments about the points o. (n, 3, 3)"""
    h = np.empty((len(area), 3, 3))
    p, q = o.T
    h[:, 0, 0] = area
    h[:, 0, 1] = h[:, 1, 0] = x + area * p
    h[:, 0, 2] = h[:, 2, 0] = y + area * q
    h[:, 1, 1] = xx + 2.0 * p * x + area * p * p
    h[:, 1, 2] = h[:, 2, 1] = xy + p * y + q * x + area * p * q
    h[:, 2, 2] = yy + 2.0 * q * y + area * q * q
    return h


def _solve(matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
    return np.linalg.solve(matrix, right[:, :, None])[:, :, 0]


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]


def _sum(values: np.ndarray, start: np.ndarray) -> np.ndarray:
    return np.add.reduceat(values, start[:-1]) if len(values) else np.zeros(len(start) - 1)


def _following(start: np.ndarray) -> np.ndarray:
    """Next corner of the same outline. (P,)"""
    follower = np.arange(1, start[-1] + 1)
    follower[start[1:] - 1] = start[:-1]
    return follower


def _rows(corner: np.ndarray, start: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Some of the outlines, concatenated."""
    count = np.diff(start)[rows]
    begin = np.concatenate([[0], np.cumsum(count)])
    index = np.arange(begin[-1]) + np.repeat(start[rows] - begin[:-1], count)
    return corner[index], begin


def _hulls(corner: np.ndarray, start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The outlines with concave ones replaced by their convex hulls."""
    following = _following(start)
    along = corner[following] - corner
    turn = _cross(along, along[following])
    size = np.hypot(along[:, 0], along[:, 1])
    reflex = turn < -1e-9 * size * size[following]
    concave = np.unique(np.repeat(np.arange(len(start) - 1), np.diff(start))[reflex])
    if not len(concave):
        return corner, start
    outlines = np.split(corner, start[1:-1])
    for i in concave:
        outlines[i] = _hull(outlines[i])
    return np.concatenate(outlines), np.concatenate([[0], np.cumsum([len(o) for o in outlines])])


def _hull(points: np.ndarray) -> np.ndarray:
    """Convex hull in the plane, counter-clockwise, by Andrew's monotone chain."""
    order = points[np.lexsort((points[:, 1], points[:, 0]))].tolist()

    def chain(run: list[list[float]]) -> list[list[float]]:
        out: list[list[float]] = []
        for p in run:
            while len(out) > 1 and (
                (out[-1][0] - out[-2][0]) * (p[1] - out[-2][1]) <= (out[-1][1] - out[-2][1]) * (p[0] - out[-2][0])
            ):
                out.pop()
            out.append(p)
        return out[:-1]

    return np.array(chain(order) + chain(order[::-1]))
