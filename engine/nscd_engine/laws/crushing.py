"""Crushing of joints in limit analysis: a joint with a cap of compression is divided into cells of uniform pressure.

The pressure of a cell is at most the cap. Any such pressure is admissible for the joint, so a limit found with cells is
a lower bound. Cells are cut where the mechanism crushes a part of them, and the limit is found again: it grows towards
that of the continuous joint, for a rectangle N = f b (d - 2 e). The dissipation of the mechanism in continuous joints
bounds the growth that is left.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nscd_engine.core import law_table
from nscd_engine.core.model import Model
from nscd_engine.geometry.polygons import inside
from nscd_engine.laws.fibres import with_points
from nscd_engine.laws.joint_motion import opening, relative_motion

#: Distances of the first cuts from every edge, over the width of the joint there [-]. More: fewer rounds of cutting,
#: each with more contacts.
FIRST_CUTS = (0.02, 0.2)
#: Share of the area of a cell below which a piece is not cut off [-]. Smaller: cells of the size of rounding.
SLIVER = 1e-7
#: Bisections in the search for the part of a joint that carries its force [-]: 40 reach the precision of the area.
BISECTIONS = 40


class CrushingCell(NamedTuple):
    """A part of a joint, in the axes of the joint."""

    outline: np.ndarray  # [m] (n, 2), convex
    area: float  # [m2]
    middle: np.ndarray  # [m] (2,): centroid


class Cells:
    """The cells of the capped joints of a model.

    Parameters
    ----------
    model : Model
    detection : Detection
    area : array (C,)
        Of the contacts as they were detected [m2].
    """

    def __init__(self, model: Model, detection, area: np.ndarray):
        found = detection.interfaces
        self.model, self.given, self.given_area = model, detection, area
        capped = ~np.isnan(model.law[detection.law, law_table.COMPRESSION])
        self.joints = np.flatnonzero(capped & (np.diff(found.contact_start) > 2) & (found.area > 0.0))
        first = found.contact_start[self.joints]
        self.frame, self.centre = detection.contacts.frame[first], found.centroid[self.joints]
        self.outline: list = []
        self.cells: list = []
        for k, joint in enumerate(self.joints):
            corners = self._flat(k, joint, detection.contacts.point, found.contact_start)
            away = corners - corners.mean(axis=0)
            corners = corners[np.argsort(np.arctan2(away[:, 1], away[:, 0]))]  # planar models have them in pairs
            self.outline.append(corners)
            self.cells.append(_first_cells(corners, self._flat(k, joint, found.polygon, found.polygon_start)))

    def _flat(self, k, joint, points, start):
        """Points of a joint in its own axes (n, 2)."""
        return (points[start[joint] : start[joint + 1]] - self.centre[k]) @ self.frame[k, 1:].T

    def placed(self) -> tuple:
        """The detection with a contact for every cell, and the areas of all contacts (C,)."""
        points = {}
        for k, joint in enumerate(self.joints.tolist()):
            size, middle = _measures(self.cells[k])
            points[joint] = self.centre[k] + middle @ self.frame[k, 1:], size
        return with_points(self.given, self.given_area, points)

    def refine(self, cells: list) -> None:
        """Use other cells, as `cut` returns them."""
        self.cells = cells

    def cut(
        self, velocity: np.ndarray, friction: np.ndarray, pressure: np.ndarray, force: np.ndarray, least: float
    ) -> tuple[list, np.ndarray]:
        """Cells cut for a mechanism, and the power that it would dissipate more in continuous joints (J,).

        Parameters
        ----------
        velocity : array (N, 6)
            The mechanism.
        friction, pressure, force : arrays (J,)
            Of the capped joints: coefficient [-], cap [Pa], normal force [N], both counted from the tensile strength.
        least : float
            Additional power from which a joint is cut.
        """
        missing, cells = np.zeros(len(self.joints)), list(self.cells)
        for k, line in enumerate(self._crushing(velocity, friction)):
            height = self.outline[k] @ line[1:] + line[0]
            if not height.min() < 0.0 < height.max():
                continue
            halves = _cut_all(self.cells[k], line)
            missing[k] = pressure[k] * (_crushed(halves, line) - _crushed(self.cells[k], line))
            if missing[k] > least:
                cells[k] = _cut_all(halves, _line_for(self.outline[k], line, force[k] / pressure[k]))
        return cells, missing

    def _crushing(self, velocity, friction):
        """mu |u_t| - u_n over the joints, (J, 3): at the centre, and its slopes along the two axes."""
        body = self.given.interfaces.body[self.joints]
        moved, turned = relative_motion(self.model.bodies, body, self.centre, self.frame, velocity)
        sliding = np.zeros_like(moved)
        sliding[:, 0] = friction * np.hypot(moved[:, 1], moved[:, 2])
        return sliding - opening(moved, turned)


def measured(polygon: np.ndarray) -> CrushingCell:
    """The cell of a convex polygon (n, 2); without area if it has less than three corners."""
    p = polygon - polygon[0]
    twice = p[1:-1, 0] * p[2:, 1] - p[1:-1, 1] * p[2:, 0]
    total = float(twice.sum())
    middle = polygon[0] + twice @ (p[1:-1] + p[2:]) / (3.0 * total) if total > 0.0 else polygon[0]
    return CrushingCell(polygon, 0.5 * total, middle)


def _measures(cells):
    """Areas (n,) and centroids (n, 2)."""
    return np.array([cell.area for cell in cells]), np.array([cell.middle for cell in cells])


def split(polygon: np.ndarray, line: np.ndarray) -> tuple:
    """Parts of a convex polygon where line[0] + line[1:] . x is positive, and where it is negative, or None."""
    height = (polygon @ line[1:] + line[0]).tolist()
    if min(height) >= 0.0 or max(height) <= 0.0:
        return (polygon, None) if max(height) > 0.0 else (None, polygon)
    above: list = []
    below: list = []
    for i, h in enumerate(height):
        j = (i + 1) % len(height)
        (above if h >= 0.0 else below).append(polygon[i])
        if (h >= 0.0) != (height[j] >= 0.0):
            crossing = polygon[i] + h / (h - height[j]) * (polygon[j] - polygon[i])
            above.append(crossing)
            below.append(crossing)
    return np.array(above), np.array(below)


def _cut_all(cells, line):
    """Cells cut by a line; slivers are not cut off."""
    found = []
    for cell in cells:
        parts = split(cell.outline, line)
        if parts[0] is None or parts[1] is None:
            found.append(cell)
            continue
        parts = [measured(part) for part in parts]
        worth = min(part.area for part in parts) > SLIVER * cell.area
        found += parts if worth else [cell]
    return found


def _first_cells(corners, outline):
    """Cells of a joint: of the hull of its corners (n, 2), without the notches of its outline (P, 2)."""
    cells = [measured(corners)]
    for a, b in zip(outline, np.roll(outline, -1, axis=0)):
        inward = np.array([a[1] - b[1], b[0] - a[0]])
        depth = ((corners - a) @ inward).max()
        for share in (0.0,) + FIRST_CUTS:
            cells = _cut_all(cells, np.append(-a @ inward - share * depth, inward))
    there = inside(_measures(cells)[1], outline)
    return [cell for cell, kept in zip(cells, there) if kept] if there.any() else cells


def _crushed(cells, line):
    """Area times speed of crushing, which is that of the centroid over a whole cell."""
    size, middle = _measures(cells)
    return float(size @ np.maximum(line[0] + middle @ line[1:], 0.0))


def _line_for(outline, line, area):
    """The parallel line beyond which the outline has a given area."""
    height = outline @ line[1:]
    low, high = height.min(), height.max()
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        part = split(outline, np.append(-middle, line[1:]))[0]
        size = 0.0 if part is None else measured(part).area
        low, high = (middle, high) if size > area else (low, middle)
    return np.append(-0.5 * (low + high), line[1:])
