"""Torsion of dry joints: no more than friction under uniform pressure on the compressed part of a joint gives.

Forces at the corners of a joint represent any pressure, so also one at the corners alone, which resists 1.85 times the
torsion of uniform pressure on a square. That pressure is admissible, but nothing assures it. Here the compressed part
of a joint is the greatest one that is symmetric about the centre of pressure, with uniform pressure (Orduna and
Lourenco 2005, Portioli et al. 2014: docs/methods.md, section 9.1).

The torsion and shear that this part resists are the least, over all centres of rotation x0, of

    theta (M + T . (velocity at the centre of pressure)) = mu N mean |x - x0|

A joint beyond it has its friction multiplied by a factor: what this part resists over what the corners resist, both in
the proportion of torsion to shear that the joint has. The structure is solved again with it, a few times.
"""

from __future__ import annotations

import numpy as np

from nscd_engine.core.law_table import FRICTION
from nscd_engine.core.model import Model
from nscd_engine.laws.joint_planes import joint_planes
from nscd_engine.laws.point_laws import beyond_friction
from nscd_engine.laws.sections import sections

#: Torsion over mu N and the size of the joint up to which it does not count [-]. Smaller: every joint is looked at.
#: Larger: slight torsion of joints that slide is not seen.
FAINT = 2e-3
#: Friction at the corners over mu N up to which a joint is not looked at [-]: uniform pressure resists half of what the
#: corners do, and more. Smaller: more joints are looked at, in some tenths of a millisecond each.
USED = 0.45
#: Normal force over the greatest one up to which a joint does not count [-]: it holds nothing.
UNLOADED = 1e-3
#: What a joint may carry beyond its resistance [-]. Smaller: more solutions. Larger: unsafe by it.
BEYOND = 5e-3
#: Distance by which the centre of pressure is moved inwards, over the size of the joint [-]: a part without area has no
#: points.
INWARD = 1e-4
#: Halvings of the triangles over which friction is summed [-]: 1 sums |x| to 0.5 %, 2 to 0.1 % in four times the time.
HALVINGS = 1
#: Greatest distance of the centre of rotation over the size [-]; beyond, the joint slides as good as straight.
FAR = 100.0
#: Points of joints whose centres of rotation are looked for together [-], each with 90 distances. Larger: these do not
#: fit in the cache. Smaller: more calls.
TOGETHER = 1000
#: Share of the new factor in the one used, from the fourth solution on [-]. Larger: factors may alternate.
RELAXED = 0.5


class Torsion:
    """Factors on the friction of dry joints.

    Parameters
    ----------
    model : Model
    detection : Detection
        With contacts at the corners.
    """

    def __init__(self, model: Model, detection):
        self.model, self.detection = model, detection
        found, plain = detection.interfaces, ~beyond_friction(model)[detection.law]
        self.factor = np.ones(len(found.area))  # [-] (I,)
        self.friction = model.law[detection.law, FRICTION]  # [-] (I,)
        count = np.diff(found.contact_start)
        self.rows = np.flatnonzero(plain & (found.area > 0.0) & (count > 2) & (self.friction > 0.0))
        self.contacts = np.repeat(np.arange(len(count)), count)  # (C,): interface of each
        self.size = np.sqrt(found.area)
        self.rounds = 0
        if model.planar is not None:
            self.rows = self.rows[:0]

    def reduced(self):
        """The detection with the friction of its joints times their factors."""
        contacts = self.detection.contacts
        mu = contacts.friction * self.factor[self.contacts]
        return self.detection._replace(contacts=contacts._replace(friction=mu))

    def update(self, interfaces, force: np.ndarray, scale: float = 1.0) -> list:
        """Joints beyond their resistance, whose factors are changed.

        Parameters
        ----------
        interfaces : Interfaces
            With the contacts that the forces belong to.
        force : array (C, 3)
            In the frames of the contacts [N].
        scale : float, optional
            On all coefficients of friction [-].
        """
        beyond = []
        self.rounds += 1
        joints = self._twisted(interfaces, force, scale)
        own = [force[slice(*interfaces.contact_start[joint : joint + 2])] for joint in joints]
        for joint, section, corners in zip(joints, *self._resistances(joints, own)):
            if scale * self.friction[joint] * section >= 1.0 / (1.0 + BEYOND):
                continue
            share = RELAXED if self.rounds > 3 else 1.0
            self.factor[joint] += share * (min(section / corners, 1.0) - self.factor[joint])
            beyond.append(joint)
        return beyond

    def _twisted(self, interfaces, force, scale):
        """Joints (n,) whose torsion counts. Dry joints have their corners in any detection, in the same order."""
        if not len(self.rows):
            return []
        counted = np.zeros(len(self.factor), bool)
        counted[self.rows] = True
        rows = np.flatnonzero(counted[self.contacts])
        f = force.take(np.flatnonzero(np.repeat(counted, np.diff(interfaces.contact_start))), axis=0)
        normal, slip = (self._totals(rows, values) for values in (f[:, 0], np.hypot(f[:, 1], f[:, 2])))
        limit = scale * self.friction * normal
        counted = (slip > USED * limit) & (normal > UNLOADED * normal.max(initial=0.0))
        some = np.flatnonzero(counted[self.contacts[rows]])  # few, whose moments are asked for
        moment = self._moments(rows[some], f[some], normal)
        return np.flatnonzero(counted & (np.abs(moment) > FAINT * limit * self.size)).tolist()

    def _totals(self, rows, values):
        """Sums by joint (I,) of values (n,) of contacts (n,)."""
        return np.bincount(self.contacts[rows], values, len(self.factor))

    def _moments(self, rows, force, normal):
        """Torsion of joints (I,) [N m] about their centres of pressure, by forces (n, 3) [N] of contacts (n,)."""
        contacts = self.detection.contacts
        away = contacts.point[rows] - self.detection.interfaces.centroid[self.contacts[rows]]
        x = np.einsum("ckx,cx->ck", contacts.frame[rows], away)
        size = np.where(normal > 0.0, normal, np.inf)
        centre = [self._totals(rows, force[:, 0] * x[:, k]) / size for k in (1, 2)]
        moment = self._totals(rows, x[:, 1] * force[:, 2] - x[:, 2] * force[:, 1])
        return moment - (centre[0] * self._totals(rows, force[:, 2]) - centre[1] * self._totals(rows, force[:, 1]))

    def _resistances(self, joints, forces):
        """Factors (n,) on shear and torsion of joints, over friction, at which their parts and their corners yield."""
        planes = joint_planes(self.model, self.detection, joints)
        points = [plane.flat(plane.corners) for plane in planes]
        normals, shears = [force[:, 0] for force in forces], [force[:, 1:].sum(axis=0) for force in forces]
        centres = [normal @ point / normal.sum() for point, normal in zip(points, normals)]
        away = [point - centre for point, centre in zip(points, centres)]
        torques = [float((x[:, 0] * f[:, 2] - x[:, 1] * f[:, 1]).sum()) for x, f in zip(away, forces)]
        inner = [centre + INWARD * (plane.hull.mean(axis=0) - centre) for plane, centre in zip(planes, centres)]
        parts = sections([symmetric_part(*of) for of in zip([p.hull for p in planes], inner)], [HALVINGS] * len(joints))
        pressed = [area * (normal.sum() / area.sum()) for (_, area), normal in zip(parts, normals)]
        compressed = [part - centre for (part, _), centre in zip(parts, inner)]
        return _yields(compressed, pressed, shears, torques), _yields(away, normals, shears, torques)


def symmetric_part(outline: np.ndarray, centre: np.ndarray) -> np.ndarray:
    """The greatest part of a convex outline (n, 2), counter-clockwise, that is symmetric about a point (2,) in it."""
    corners, (x, y) = outline.tolist(), (2.0 * centre).tolist()
    part = corners
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1]):
        inward = ay - by, bx - ax
        # The mirrored edge: 2 c - x is on the inner side of a b.
        part = _beyond_line(part, inward[0] * (x - ax) + inward[1] * (y - ay), inward)
    return np.array(part)


def _beyond_line(polygon, level, normal):
    """Part of a convex polygon [(x, y)] where normal . x is at most `level`; the polygon if there is none."""
    height = [level - normal[0] * x - normal[1] * y for x, y in polygon]
    if min(height) >= 0.0 or max(height) <= 0.0:
        return polygon
    kept = []
    for (x, y), h, (u, v), g in zip(polygon, height, polygon[1:] + polygon[:1], height[1:] + height[:1]):
        if h >= 0.0:
            kept.append((x, y))
        if (h >= 0.0) != (g >= 0.0):
            share = h / (h - g)
            kept.append((x + share * (u - x), y + share * (v - y)))
    return kept


def _yields(points, weights, shears, torques):
    """`yields_at` of joints (n,); those with as many points are computed together."""
    size = np.array([len(weight) for weight in weights], int)
    found = np.empty(len(size))
    for n in np.unique(size).tolist():
        alike = np.flatnonzero(size == n)
        for rows in np.array_split(alike, -(-len(alike) * n // TOGETHER)):
            found[rows] = yields_at(
                *(np.array([values[k] for k in rows]) for values in (points, weights, shears, torques))
            )
    return found.tolist()


def yields_at(point: np.ndarray, weight: np.ndarray, shear: np.ndarray, torque: np.ndarray) -> np.ndarray:
    """Factors (J,) on shears (J, 2) and torques (J,) at which joints slide.

    A joint has points (n, 2) with friction up to weights (n,), and its torque is about the origin. The least over
    centres of rotation: on a grid, then on a finer one about the best.
    """
    count = np.arange(len(point))
    size = np.abs(point).max(axis=(1, 2))[:, None]
    pull = np.hypot(shear[:, 0], shear[:, 1])[:, None]
    along = np.where(pull > 0.0, shear, [1.0, 0.0]) / np.where(pull > 0.0, pull, 1.0)
    # Of a rotation about s * across the shear works with s.
    across = np.column_stack([along[:, 1], -along[:, 0]]) * np.where(torque >= 0.0, 1.0, -1.0)[:, None]
    best = weight.sum(axis=1) / np.where(pull > 0.0, pull, np.nan)[:, 0]
    s = np.concatenate([np.linspace(-1.0, 1.0, 9), np.geomspace(1.3, FAR, 9)]) * size
    q, width = np.linspace(-1.0, 1.0, 5) * size, 0.3 * size
    for _ in range(4):
        x, y = (
            point[:, None, None, :, k]
            - (s[:, :, None] * across[:, k, None, None] + q[:, None] * along[:, k, None, None])[..., None]
            for k in (0, 1)
        )  # (J, S, Q, n): from the centre of rotation to the points
        loss = (np.sqrt(x * x + y * y) @ weight[:, None, :, None])[..., 0]
        power = (np.abs(torque)[:, None] + s * pull)[:, :, None]
        ratio = np.where(power > 0.0, loss / np.where(power > 0.0, power, 1.0), np.inf)
        least = ratio.reshape(len(point), -1).argmin(axis=1)
        i, j = np.divmod(least, q.shape[1])
        best = np.fmin(best, ratio[count, i, j])
        s, q = s[count, i][:, None], q[count, j][:, None]
        reach = np.where(np.abs(s) > size, np.maximum(width, 0.3 * np.abs(s)), width)
        s, q = s + np.linspace(-1.0, 1.0, 5) * reach, q + np.linspace(-1.0, 1.0, 5) * width
        width = 0.3 * width
    return best
