"""Dead and live loads of a limit analysis: the multiplier scales the live ones."""

from __future__ import annotations

from typing import NamedTuple

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


def scaled_point_loads(model: Model, contacts: Contacts, chosen: np.ndarray) -> Wrenches:
    """Live: the chosen point loads, (L,) bool. Dead: gravity and all other loads."""
    if not chosen.any():
        raise LoadError("There is no point load to multiply.", remedy="Add one, or vary something else.")
    live = wrenches(PointLoads(*(field[chosen] for field in model.point_loads)), model.bodies)
    if not live[model.bodies.free >= 0].any():
        raise LoadError("The chosen loads act on supports alone.", remedy="Load a block that is free.")
    dead = _free_velocity(model, contacts, model.gravity, model.load - live)
    return Wrenches(dead, _free_velocity(model, contacts, np.zeros(3), live))


def scaled_acceleration(model: Model, contacts: Contacts, direction: np.ndarray) -> Wrenches:
    """Live: an acceleration of one g along a unit vector (3,). Dead: gravity and all loads."""
    weight = _gravity(model, "acceleration")
    dead = _free_velocity(model, contacts, model.gravity, model.load)
    return Wrenches(dead, _free_velocity(model, contacts, weight * direction, np.zeros_like(model.load)))


def scaled_tilt(model: Model, contacts: Contacts, direction: np.ndarray) -> Wrenches:
    """Live: a tilt of the table by 45 degrees towards a horizontal unit vector (3,). Dead: gravity and all loads."""
    weight = _gravity(model, "tilt")
    dead = _free_velocity(model, contacts, model.gravity, model.load)
    return Wrenches(dead, _free_velocity(model, contacts, weight * direction, _turned_loads(model, direction)))


def _free_velocity(model, contacts, gravity, load):
    """Free velocities (N, 6) under gravity [m/s2] (3,) and loads [N, N m] (B, 6)."""
    return static_problem(model._replace(gravity=gravity, load=load), contacts).v_free


def _gravity(model, kind):
    """Size of gravity [m/s2]."""
    weight = np.linalg.norm(model.gravity)
    if not weight > 0.0:
        raise LoadError(
            "Without gravity an {} has no measure.".format(kind), remedy="Give the load case a gravity, or vary loads."
        )
    return weight


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
