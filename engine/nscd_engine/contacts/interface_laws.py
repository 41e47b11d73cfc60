"""Law of every interface: that of the pair of blocks, unless the interface has one of its own.

Interfaces are detected, not given: a law names its interface by the two blocks and a point on it or near it.
"""

from __future__ import annotations

import numpy as np

from compas_nscd.errors import MaterialError
from nscd_engine.core.law_table import law_rows
from nscd_engine.core.model import Model
from nscd_engine.core.structs import Interfaces
from nscd_engine.geometry.polygons import inside, plane_axes

#: Greatest distance of the point from its interface, over the size of the smaller block [-]. Larger: a point of a face
#: without contact is assigned to another interface. Smaller: points beside an interface are refused.
NEAR = 0.05
#: Difference of two distances, over the same size, below which they are equal [-]: points on a common edge. Larger:
#: points close to an edge are refused. Smaller: rounding selects the interface.
SAME = 1e-6


def interface_rows(model: Model, interfaces: Interfaces) -> np.ndarray:
    """Rows of `Model.law` (I,) int64.

    Raises
    ------
    MaterialError
        If a law names no interface, or several, or an interface that already has one.
    """
    rows = law_rows(model, interfaces.body)
    first = model.first_interface_law
    for k, (pair, point) in enumerate(zip(model.interface_pair.tolist(), model.interface_point)):
        i = _named(model, interfaces, pair, point)
        if rows[i] >= first:
            _refuse("An interface of the blocks has two contact laws.", "Keep one.", model, pair)
        rows[i] = first + k
    return rows


def _named(model, interfaces, pair, point):
    """The interface of two blocks that a point is on."""
    mine = np.flatnonzero((interfaces.body == sorted(pair)).all(axis=1))
    if not len(mine):
        _refuse("A contact law is for an interface of two blocks that do not touch.", "Name two that do.", model, pair)
    away = np.array([_distance(interfaces, i, point) for i in mine])
    size = float(model.bodies.size[pair].min())
    nearest = np.argsort(away)
    if away[nearest[0]] > NEAR * size:
        text = "No interface of the blocks is near the point {} of a contact law: the nearest is {:.3g} m away."
        remedy = "Give a point on the interface; the middle of the nearest is {}."
        middle = interfaces.centroid[mine[nearest[0]]]
        _refuse(text.format(_text(point), away[nearest[0]]), remedy.format(_text(middle)), model, pair)
    if len(mine) > 1 and away[nearest[1]] - away[nearest[0]] <= SAME * size:
        text = "The point {} of a contact law is on several interfaces of the blocks.".format(_text(point))
        _refuse(text, "Give a point within one of them.", model, pair)
    return mine[nearest[0]]


def _text(point):
    return "({:.4g}, {:.4g}, {:.4g})".format(*point)


def _refuse(message, remedy, model, pair):
    raise MaterialError(message, remedy=remedy, blocks=[model.names[i] for i in pair])


def _distance(interfaces, i, point):
    """Distance of a point from an interface [m]."""
    outline = interfaces.polygon[interfaces.polygon_start[i] : interfaces.polygon_start[i + 1]]
    if not len(outline):
        return float(np.linalg.norm(point - interfaces.centroid[i]))
    axes = plane_axes(interfaces.normal[i])
    flat = (outline - point) @ axes.T
    height = float((interfaces.centroid[i] - point) @ interfaces.normal[i])
    if inside(np.zeros((1, 2)), flat)[0]:
        return abs(height)
    along = np.roll(flat, -1, axis=0) - flat
    length = (along**2).sum(axis=1)
    share = np.clip(-(flat * along).sum(axis=1) / np.where(length > 0.0, length, 1.0), 0.0, 1.0)
    return float(np.hypot(np.linalg.norm(flat + share[:, None] * along, axis=1).min(), height))
