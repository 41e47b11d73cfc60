"""Loads, cables and carried forces of a request."""

import numpy as np

from compas_nscd.errors import LoadError, SupportError
from nscd_engine.core.law_table import pair_key
from nscd_engine.core.loads import Cables
from nscd_engine.gate.fields import MAX_LOAD, array, require_bounded

#: Distance over the size of the structure within which a contact is the one of the stage before [-].
SAME_PLACE = 1e-9


def load_wrenches(case, bodies, names):
    """Point loads gathered at the centroids of the blocks [N, N m] (B, 6)."""
    block = array(case, "load_block", np.int32, (-1,), LoadError)
    point = array(case, "load_point", np.float64, (len(block), 3), LoadError)
    force = array(case, "load_force", np.float64, (len(block), 3), LoadError)
    if ((block < 0) | (block >= len(names))).any():
        raise LoadError("A load acts on a block that is not there.", remedy="Name a block of the structure.")
    load = np.zeros((len(names), 6))
    wrench = np.hstack([force, np.cross(point - bodies.centroid[block], force)]).reshape(-1, 6)
    np.add.at(load, block, wrench)
    require_bounded(load, MAX_LOAD, "a load", "N or N m")
    return load


def read_cables(case, model):
    """The checked cables of a case; None if it has none."""
    given = case.get("cables")
    if given is None:
        return None
    if not isinstance(given, dict):
        raise LoadError("'cables' should be a dict.")
    body = array(given, "block", np.int32, (-1, 2), LoadError)
    count = len(body)
    point = array(given, "point", np.float64, (count, 2, 3), LoadError)
    modulus, prestress, strength = (
        array(given, key, np.float64, (count,), LoadError) for key in ("stiffness", "prestress", "strength")
    )
    if (body < -1).any() or (body >= len(model.names)).any() or (body.max(axis=1, initial=-1) < 0).any():
        raise LoadError("A cable ends on a block that is not there, or on the ground twice.")
    body = _grounded(body, point, model)
    length = np.linalg.norm(point[:, 1] - point[:, 0], axis=1)
    if (body[:, 0] == body[:, 1]).any() or not (length > 0.0).all():
        raise LoadError("A cable has no length, or both of its ends on one block.")
    if (modulus < 0.0).any() or (prestress < 0.0).any() or (strength < 0.0).any():
        raise LoadError("The numbers of a cable should be zero or more.")
    if ((prestress > 0.0) & (modulus == 0.0)).any():
        raise LoadError("A cable that does not stretch has no prestress.")
    modulus, strength = (np.where(each > 0.0, each, np.inf) for each in (modulus, strength))
    length = length / (1.0 + prestress / modulus)
    arm = point - model.bodies.centroid[body]
    return Cables(body, arm, length, modulus / length, prestress, strength)


def _grounded(body, point, model):
    """Ends on the ground are on the nearest support."""
    support = np.flatnonzero(model.bodies.free < 0)
    if (body < 0).any() and not len(support):
        raise SupportError("A cable ends on the ground, but there is no support.")
    for k, side in np.argwhere(body < 0):
        way = model.bodies.centroid[support] - point[k, side]
        body[k, side] = support[np.argmin(np.linalg.norm(way, axis=1))]
    return body


def read_carried(carried, model, contacts):
    """Forces [N] (C, 3) in the frames of contacts that were there in the stage before, 0 for new ones; lost bonds."""
    body = array(carried, "block", np.int32, (-1, 2))
    point, force = (array(carried, key, np.float64, (len(body), 3)) for key in ("point", "force"))
    broken = array(carried, "broken", np.uint8, (len(body),))
    had, lost = np.zeros((len(contacts.gap), 3)), np.zeros(len(contacts.gap), bool)
    rows = {}
    for row, key in enumerate(pair_key(body, len(model.names)).tolist()):
        rows.setdefault(key, []).append(row)
    near = SAME_PLACE * (np.abs(contacts.point).max(initial=0.0) + float(model.bodies.size.max()))
    for c, key in enumerate(pair_key(contacts.body, len(model.names)).tolist()):
        mine = np.array(rows.get(key, []), int)
        away = np.linalg.norm(point[mine] - contacts.point[c], axis=1)
        if len(mine) and away.min() <= near:
            k = mine[np.argmin(away)]
            sign = 1.0 if body[k, 0] == contacts.body[c, 0] else -1.0
            had[c], lost[c] = sign * contacts.frame[c] @ force[k], broken[k] != 0
    return had, lost
