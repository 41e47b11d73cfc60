"""Point loads, cables and carried forces of a request."""

from __future__ import annotations

from typing import Optional

import numpy as np

from compas_nscd.errors import LoadError, SupportError
from nscd_engine.core.loads import Cables, CarriedForces, PointLoads, wrenches
from nscd_engine.core.model import Model
from nscd_engine.core.structs import Bodies
from nscd_engine.gate.fields import MAX_COORDINATE, MAX_LOAD, array, require_bounded


def read_point_loads(case: dict, bodies: Bodies) -> tuple[PointLoads, np.ndarray]:
    """The checked point loads of a case, and their wrenches at the centroids [N, N m] (B, 6)."""
    block = array(case, "load_block", np.int32, (-1,), LoadError)
    point = array(case, "load_point", np.float64, (len(block), 3), LoadError)
    force = array(case, "load_force", np.float64, (len(block), 3), LoadError)
    if ((block < 0) | (block >= len(bodies.mass))).any():
        raise LoadError("A load acts on a block that is not there.", remedy="Name a block of the structure.")
    # Each load is bounded, not only their sum: a limit analysis scales some of them and turns them.
    require_bounded(force, MAX_LOAD, "a load", "N")
    require_bounded(point, MAX_COORDINATE, "the point of a load", "m")
    loads = PointLoads(block, point, force)
    wrench = wrenches(loads, bodies)
    require_bounded(wrench, MAX_LOAD, "a load", "N or N m")
    return loads, wrench


def read_cables(case: dict, model: Model) -> Optional[Cables]:
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
    """Ends on the ground become ends on the nearest support."""
    support = np.flatnonzero(model.bodies.free < 0)
    if (body < 0).any() and not len(support):
        raise SupportError("A cable ends on the ground, but there is no support.")
    for k, side in np.argwhere(body < 0):
        distance = np.linalg.norm(model.bodies.centroid[support] - point[k, side], axis=1)
        body[k, side] = support[np.argmin(distance)]
    return body


def read_carried(case: dict, model: Model) -> Optional[CarriedForces]:
    """The checked forces that a construction stage takes over from the one before; None in a first stage."""
    given = case.get("carried")
    if given is None:
        return None
    if not isinstance(given, dict):
        raise LoadError("'carried' should be a dict.")
    body = array(given, "block", np.int32, (-1, 2))
    if ((body < 0) | (body >= len(model.names))).any():
        raise LoadError("A carried force acts on a block that is not there.", remedy="Give the stage before this one.")
    point, force = (array(given, key, np.float64, (len(body), 3), LoadError) for key in ("point", "force"))
    require_bounded(force, MAX_LOAD, "a carried force", "N")
    return CarriedForces(body, point, force, array(given, "broken", np.uint8, (len(body),)) != 0)
