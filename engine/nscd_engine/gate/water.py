"""Water of a request."""

from __future__ import annotations

from typing import Optional

import numpy as np

from compas_nscd.errors import LoadError, NotAvailableError
from nscd_engine.core.loads import WaterProperties, constant
from nscd_engine.core.model import Model
from nscd_engine.gate.fields import MAX_COORDINATE, MAX_DENSITY, MAX_VELOCITY, array, is_number, require_bounded
from nscd_engine.gate.motion import read_history


def read_water(case: dict, model: Model) -> Optional[WaterProperties]:
    """The checked water of a case; None if it has none."""
    given = case.get("water")
    if given is None:
        return None
    if not isinstance(given, dict):
        raise LoadError("The water should be a dict.")
    if model.radius.any():
        raise NotAvailableError("Spheres and discs cannot be in water.", remedy="Leave out `water`.")
    for key, least in (("level", -np.inf), ("density", 0.0), ("drag", 0.0)):
        if not is_number(given.get(key)) or given[key] < least:
            raise LoadError("The {} of the water cannot be {!r:.40}.".format(key, given.get(key)))
    flow = array(given, "flow", np.float64, (3,), LoadError)
    require_bounded(flow, MAX_VELOCITY, "the flow of the water", "m/s")
    require_bounded(given["density"], MAX_DENSITY, "the density of the water", "kg/m3")
    varies = given.get("times") is not None
    level = read_history(given, "times", "levels") if varies else constant(given["level"])
    require_bounded(level.values, MAX_COORDINATE, "the level of the water", "m")
    return WaterProperties(level, flow, float(given["density"]), float(given["drag"]), *_read_sides(given))


def _read_sides(given):
    """Level behind the structure [m] and the unit vector towards it, or None and None."""
    behind = given.get("behind")
    if behind is None:
        return None, None
    if not is_number(behind) or abs(behind) > MAX_COORDINATE:
        raise LoadError("The level behind cannot be {!r:.40}.".format(behind))
    towards = array(given, "towards", np.float64, (3,), LoadError)
    length = np.linalg.norm(towards)
    if not length > 0.0 or towards[2] != 0.0:
        raise LoadError("The water cannot push towards {}.".format(towards), remedy="Give a horizontal direction.")
    return float(behind), towards / length
