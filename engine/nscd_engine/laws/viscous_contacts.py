"""Viscosity of contacts in motion: that of the law times the area of the patch in which two blocks touch now.

A viscous layer has no memory: blocks that slide far keep it, on the area that they still share.
"""

from __future__ import annotations

import numpy as np

from nscd_engine.core import law_table
from nscd_engine.core.law_table import law_of_contacts, pair_key
from nscd_engine.core.model import Model
from nscd_engine.core.structs import Contacts


def point_viscosity(model: Model, contacts: Contacts) -> np.ndarray:
    """Viscosity of detected contacts [N s/m] (C,); inf where the law of the pair has none."""
    viscosity = law_of_contacts(model, contacts, law_table.VISCOSITY)
    rows = np.flatnonzero(~np.isnan(viscosity))
    found = np.full(len(viscosity), np.inf)
    key = pair_key(contacts.body[rows], len(model.names))
    for pair in np.unique(key):
        mine = rows[key == pair]
        area = patch_area(contacts.point[mine], contacts.frame[mine[0], 1:])
        found[mine] = np.where(area > 0.0, viscosity[mine] * area / len(mine), np.inf)
    return found


def shared_with(contacts: Contacts, like: np.ndarray, viscosity: np.ndarray, blocks: int) -> np.ndarray:
    """Viscosity [N s/m] (C + k,) of contacts that had it alone, shared with k more in the patches of `like` (k,)."""
    _, of = np.unique(pair_key(contacts.body, blocks), return_inverse=True)
    count = np.bincount(of)
    each = viscosity * (count / (count + np.bincount(of[like], minlength=len(count))))[of]
    return np.append(each, each[like])


def patch_area(points: np.ndarray, axes: np.ndarray) -> float:
    """Area [m2] of a convex patch with the corners (n, 3) [m], in the plane of two axes (2, 3)."""
    flat = (points - points.mean(axis=0)) @ axes.T
    x, y = flat[np.argsort(np.arctan2(flat[:, 1], flat[:, 0]))].T
    return 0.5 * abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1)))
