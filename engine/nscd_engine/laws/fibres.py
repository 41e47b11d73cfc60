"""Contact points of a joint with a law, and their areas: corners, section points, or fibres under a cap.

Forces at the corners represent any pressure of a rigid joint with friction alone. Springs and bonds act over the area:
such a joint has the points of `laws.sections`. A stress block needs points inside: the outline is divided into cells,
finer towards its edges, with a fibre at the centroid of each. The forces of fibres are those of a uniform stress in
every cell, so fibres never carry more than the joint does. In a rectangle of depth d the cells end at d/2 (j/k)^2 from
either edge, and the eccentricity is at most d / (4 k^2) less than it could be:

    fc b (d - 2 e) >= N >= fc b (d - 2 e) - fc b d / (2 k^2)
"""

from __future__ import annotations

from typing import Iterable

import numpy as np

from nscd_engine.core import law_table
from nscd_engine.core.model import Model
from nscd_engine.core.structs import POINT_BITS, Contacts, Interfaces
from nscd_engine.geometry.polygons import inside, plane_axes, polygon_centre, quadrilaterals, twice_area
from nscd_engine.laws.joint_planes import joint_planes
from nscd_engine.laws.sections import sections

#: Cells from an edge of a joint to its middle [-]: the k above. More: finer, with contacts that grow by its square.
CELLS = 5
#: The same in a motion [-], and of joints in models with many of them.
MOVING_CELLS, FEWER_CELLS = 5, 3
#: Joints with a cap from which a motion has fewer cells [-].
MANY_CAPS = 50
#: How often the triangles of a joint are halved where a bond cracks [-]: a crack stops between two points until the
#: next is at its strength, which takes 10 % more load in a rectangle without halving. More: points grow by 4 a time.
CRACKED = 2
#: The same in a motion, whose points are the same throughout [-].
MOVING = 1
#: Corners from which the triangles of a joint are halved once less [-]: many corners are fine enough already.
MANY_CORNERS = 7


def law_points(
    model: Model,
    detection,
    columns: tuple = law_table.BONDS,
    caps: str = "fibres",
    halvings: int = 0,
    cracked: Iterable[int] = (),
    cells: int = CELLS,
) -> tuple:
    """The detection with the contacts that its laws need, and the area of each of them [m2] (C,).

    Parameters
    ----------
    model : Model
    detection : Detection
        With contacts at the corners.
    columns : tuple, optional
        Of the law table: a joint with a number in one of them has section points.
    caps : {"fibres", "corners"}, optional
        What joints with a cap of compression have.
    halvings : int, optional
        Of the triangles of section points.
    cracked : iterable of int, optional
        Interfaces whose bonds crack: they have more points.
    cells : int, optional
        Of joints with a cap, from an edge to the middle.
    """
    found, contacts = detection.interfaces, detection.contacts
    area = tributary_areas(found, contacts)
    law, points = model.law[detection.law], {}
    plane = (found.area > 0.0) & (np.diff(found.contact_start) > 2)
    cap = plane & ~np.isnan(law[:, law_table.COMPRESSION])
    section = plane & ~cap & ~np.isnan(law[:, columns]).all(axis=1)
    cap &= caps == "fibres"
    halved = np.full(len(plane), halvings)
    halved[list(cracked)] = CRACKED
    for i, joint in zip(np.flatnonzero(cap).tolist(), joint_planes(model, detection, np.flatnonzero(cap))):
        points[i] = fibres(joint.corners, joint.polygon, found.normal[i], cells)
    rows = np.flatnonzero(section)
    planes = joint_planes(model, detection, rows)
    outlines = [joint.outline for joint in planes]
    fine = [int(halved[i]) - (len(outline) >= MANY_CORNERS) for i, outline in zip(rows, outlines)]
    for i, joint, (flat, size) in zip(rows.tolist(), planes, sections(outlines, fine)):
        points[i] = joint.placed(flat), size
    return with_points(detection, area, points) if points else (detection, area)


def moving_cells(model: Model, detection) -> int:
    """Cells of a joint with a cap in a motion, from an edge to the middle."""
    capped = ~np.isnan(model.law[detection.law, law_table.COMPRESSION])
    return MOVING_CELLS if capped.sum() < MANY_CAPS else FEWER_CELLS


def with_points(detection, area: np.ndarray, points: dict) -> tuple:
    """The detection with other contacts on some interfaces, and the area of each of its contacts [m2] (C,).

    Parameters
    ----------
    detection : Detection
    area : array (C,)
        Of its contacts [m2].
    points : dict
        Of an interface: points [m] (F, 3) and their shares of its area (F,).
    """
    found, contacts = detection.interfaces, detection.contacts
    pieces, sizes = [], np.diff(found.contact_start)
    for i in range(len(sizes)):
        rows = np.arange(found.contact_start[i], found.contact_start[i + 1])
        if i not in points:
            pieces.append((rows, contacts.point[rows], area[rows]))
            continue
        point, parts = points[i]
        sizes[i] = len(point)
        pieces.append((np.full(len(point), rows[0]), point, parts * (found.area[i] / parts.sum())))
    of, point, area = map(np.concatenate, zip(*pieces))
    start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    number = np.arange(len(of)) - np.repeat(start[:-1], sizes)
    key = (contacts.key[of] >> POINT_BITS << POINT_BITS) | number
    fields = (contacts.body[of], point, contacts.frame[of], contacts.gap[of], contacts.friction[of], key)
    return detection._replace(interfaces=found._replace(contact_start=start), contacts=Contacts(*fields)), area


def fibres(corners: np.ndarray, outline: np.ndarray, normal: np.ndarray, cells: int) -> tuple:
    """Centroids [m] (F, 3) and areas [m2] (F,) of the cells of a joint.

    Each corner has a quadrilateral, between itself, the middles of its edges and the centre of the joint, which is
    divided into cells.

    Parameters
    ----------
    corners : array (n, 3)
        Of the convex hull [m].
    outline : array (P, 3)
        [m]; it may have notches.
    normal : array (3,)
    cells : int
        From an edge to the middle.
    """
    base, origin = plane_axes(normal), corners.mean(axis=0)
    p = (corners - origin) @ base.T
    p = p[np.argsort(np.arctan2(p[:, 1], p[:, 0]))]  # planar models have them in pairs
    cells = max(1, min(cells, int(np.sqrt((1 << POINT_BITS) // len(p)))))
    edge = (np.arange(cells + 1) / cells) ** 2
    a, b = edge[:, None, None, None], edge[None, :, None, None]
    q, centre = 0.5 * (p + np.roll(p, -1, axis=0)), polygon_centre(p)
    grid = (1 - a) * (1 - b) * p + a * (1 - b) * q + (1 - a) * b * np.roll(q, 1, axis=0) + a * b * centre
    corner = np.stack([grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]], axis=-2).reshape(-1, 4, 2)
    area, middle = quadrilaterals(corner)
    there = inside(middle, (outline - origin) @ base.T)
    if there.any():
        area, middle = area[there], middle[there]
    return origin + middle @ base, area


def tributary_areas(interfaces: Interfaces, contacts: Contacts) -> np.ndarray:
    """Area of the interface that each contact represents [m2] (C,).

    The sum over an interface is its area, their centroid its centroid: a contact has half of the two triangles beside
    it, between its edges and the centroid of the convex hull.
    """
    start, count = interfaces.contact_start, np.diff(interfaces.contact_start)
    of = np.repeat(np.arange(len(count)), count)
    equal = (interfaces.area / np.maximum(count, 1))[of]
    if not len(of):
        return equal
    following = np.arange(1, len(of) + 1)
    following[start[1:][count > 0] - 1] = start[:-1][count > 0]
    p, n = contacts.point, interfaces.normal[of]
    first = p[start[:-1][of]]
    fan = twice_area(p - first, p[following] - first, n)
    total = np.bincount(of, fan, len(count))
    flat = ~(total > 0.0)
    weight = fan / np.where(flat, 1.0, total)[of]
    third = (first + p + p[following]) / 3.0
    centre = np.stack([np.bincount(of, weight * x, len(count)) for x in third.T], axis=1)[of]
    triangle = twice_area(p - centre, p[following] - centre, n)
    both = triangle.copy()
    both[following] += triangle
    both *= (interfaces.area / np.where(flat, 1.0, 2.0 * total))[of]
    bad = flat | (np.minimum.reduceat(both, start[:-1]) <= 0.0)
    return np.where(bad[of], equal, both)
