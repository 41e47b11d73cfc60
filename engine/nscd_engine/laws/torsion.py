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
from nscd_engine.laws.crushing import split
from nscd_engine.laws.joint_planes import joint_planes
from nscd_engine.laws.point_laws import beyond_friction
from nscd_engine.laws.sections import section_points

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
        for joint in self._twisted(interfaces, force, scale):
            rows = slice(interfaces.contact_start[joint], interfaces.contact_start[joint + 1])
            section, corners = self._resistances(joint, force[rows])
            friction = scale * self.friction[joint]
            if friction * section >= 1.0 / (1.0 + BEYOND):
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

    def _resistances(self, joint, force):
        """Factors on shear and torsion of a joint, over friction, at which its part and its corners yield."""
        (plane,) = joint_planes(self.model, self.detection, [joint])
        point, normal = plane.flat(plane.corners), force[:, 0]
        centre = normal @ point / normal.sum()
        hull = plane.hull
        inner = centre + INWARD * (hull.mean(axis=0) - centre)
        shear = force[:, 1:].sum(axis=0)
        away = point - centre
        torque = float((away[:, 0] * force[:, 2] - away[:, 1] * force[:, 1]).sum())
        part, area = section_points(symmetric_part(hull, inner), HALVINGS)
        weight = area * (normal.sum() / area.sum())
        return yields_at(part - inner, weight, shear, torque), yields_at(away, normal, shear, torque)


def symmetric_part(outline: np.ndarray, centre: np.ndarray) -> np.ndarray:
    """The greatest part of a convex outline (n, 2), counter-clockwise, that is symmetric about a point (2,) in it."""
    part = outline
    for a, b in zip(outline, np.roll(outline, -1, axis=0)):
        inward = np.array([a[1] - b[1], b[0] - a[0]])
        # The mirrored edge: 2 c - x is on the inner side of a b.
        line = np.append(inward @ (2.0 * centre - a), -inward)
        kept = split(part, line)[0]
        part = part if kept is None else kept
    return part


def yields_at(point: np.ndarray, weight: np.ndarray, shear: np.ndarray, torque: float) -> float:
    """Factor on shear (2,) and torque about the origin at which points (n, 2) with friction up to weights (n,) slide.

    The least over centres of rotation: on a grid, then on a finer one about the best.
    """
    size = np.abs(point).max()
    pull = float(np.hypot(*shear))
    along = shear / pull if pull > 0.0 else np.array([1.0, 0.0])
    # Of a rotation about s * across the shear works with s.
    across = np.array([along[1], -along[0]]) * (1.0 if torque >= 0.0 else -1.0)
    best = weight.sum() / pull if pull > 0.0 else np.inf
    s = np.concatenate([np.linspace(-1.0, 1.0, 9), np.geomspace(1.3, FAR, 9)]) * size
    q, width = np.linspace(-1.0, 1.0, 5) * size, 0.3 * size
    for _ in range(4):
        centre = s[:, None, None] * across + q[None, :, None] * along  # (S, Q, 2)
        power = abs(torque) + s * pull
        loss = np.linalg.norm(point - centre[:, :, None], axis=3) @ weight
        ratio = np.where(power[:, None] > 0.0, loss / np.where(power > 0.0, power, 1.0)[:, None], np.inf)
        i, j = np.unravel_index(np.argmin(ratio), ratio.shape)
        best = min(best, float(ratio[i, j]))
        reach = max(width, 0.3 * abs(s[i]) if abs(s[i]) > size else 0.0)
        s, q = s[i] + np.linspace(-1.0, 1.0, 5) * reach, q[j] + np.linspace(-1.0, 1.0, 5) * width
        width *= 0.3
    return best
