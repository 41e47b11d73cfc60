"""Dead and live loads of a limit analysis: the multiplier scales the live ones."""

from __future__ import annotations

from typing import NamedTuple, Optional

import numpy as np

from compas_nscd.errors import LoadError
from nscd_engine.core.loads import PointLoads, wrenches
from nscd_engine.core.model import Model
from nscd_engine.core.structs import Contacts
from nscd_engine.solvers.problem import static_problem

#: Component of a load along the axis of a tilt, over the load, up to which it is rounding [-]. Larger: loads that do
#: not turn with the table pass. Smaller: rounding of the direction is refused.
ALONG_AXIS = 1e-9


class Wrenches(NamedTuple):
    """Loads as velocities of one step from rest: v = M^-1 f; N bodies."""

    dead: np.ndarray  # [m/s, rad/s] (N, 6)
    live: np.ndarray  # [m/s, rad/s] (N, 6)


def split(
    model: Model,
    contacts: Contacts,
    kind: str,
    direction: Optional[np.ndarray] = None,
    chosen: Optional[np.ndarray] = None,
) -> Wrenches:
    """Dead and live loads of a model, as free velocities.

    Parameters
    ----------
    model : Model
    contacts : Contacts
    kind : {"loads", "acceleration", "tilt"}
    direction : array (3,), optional
        Of the acceleration, or towards which the table tilts; unit vector.
    chosen : array (L,) of bool, optional
        Point loads that are scaled.
    """
    still, none = np.zeros(3), np.zeros_like(model.load)

    def velocities(gravity, load):
        return static_problem(model._replace(gravity=gravity, load=load), contacts).v_free

    if kind == "loads":
        live = _chosen_loads(model, chosen)
        return Wrenches(velocities(model.gravity, model.load - live), velocities(still, live))
    weight = np.linalg.norm(model.gravity)
    if not weight > 0.0:
        raise LoadError(
            "Without gravity an {} has no measure.".format(kind), remedy="Give the load case a gravity, or vary loads."
        )
    dead = velocities(model.gravity, model.load)
    if kind == "acceleration":
        return Wrenches(dead, velocities(weight * direction, none))
    return Wrenches(dead, velocities(weight * direction, _turned_loads(model, direction)))


def _chosen_loads(model, chosen):
    """Wrenches of the chosen point loads [N, N m] (B, 6)."""
    if not chosen.any():
        raise LoadError("There is no point load to multiply.", remedy="Add one, or vary something else.")
    live = wrenches(PointLoads(*(field[chosen] for field in model.point_loads)), model.bodies)
    if not live[model.bodies.free >= 0].any():
        raise LoadError("The chosen loads act on supports alone.", remedy="Load a block that is free.")
    return live


def _turned_loads(model, direction):
    """The point loads turned by a right angle about the axis of a tilt towards `direction` [N, N m] (B, 6).

    On a table tilted by an angle, all forces turn with gravity: f cos + (k x f) sin. Divided by the cosine, which
    changes no verdict since cones have no scale, that is f + tan (k x f). Loads along the axis k would not turn.
    """
    axis = np.cross(model.gravity / np.linalg.norm(model.gravity), direction)
    force = model.point_loads.force
    if (np.abs(force @ axis) > ALONG_AXIS * np.linalg.norm(force, axis=1).max(initial=0.0)).any():
        raise LoadError(
            "A load has a part along the axis about which the table tilts.",
            remedy="Tilt along the loads, or vary an acceleration.",
        )
    return wrenches(model.point_loads._replace(force=np.cross(axis, force)), model.bodies)
