"""What is varied -> the loads that stay (dead) and those that the multiplier scales (live)."""

from typing import NamedTuple

import numpy as np

from compas_nscd.errors import LoadError, ProtocolError
from nscd_engine.gate.loads import load_wrenches
from nscd_engine.solvers.problem import static_problem

#: Part of a load along the axis of a tilt, over the load, that is rounding [-].
ALONG_AXIS = 1e-9


class Wrenches(NamedTuple):
    """As velocities of one step from rest: v = M^-1 f; N bodies."""

    dead: np.ndarray  # (N, 6)
    live: np.ndarray  # (N, 6)


def split(request, model, contacts, kind, direction=None, chosen=None):
    """Dead and live loads of a model, as free velocities.

    Parameters
    ----------
    request : dict
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
        live = _chosen_loads(request, model, chosen)
        return Wrenches(velocities(model.gravity, model.load - live), velocities(still, live))
    weight = np.linalg.norm(model.gravity)
    if not weight > 0.0:
        raise LoadError(
            "Without gravity an {} has no measure.".format(kind), remedy="Give the load case a gravity, or vary loads."
        )
    dead = velocities(model.gravity, model.load)
    if kind == "acceleration":
        return Wrenches(dead, velocities(weight * direction, none))
    return Wrenches(dead, velocities(weight * direction, _turned_loads(request, model, direction)))


def _chosen_loads(request, model, chosen):
    case = request["case"]
    if len(chosen) != len(case["load_block"]):
        raise ProtocolError("'loads' should have one entry per point load.")
    if not chosen.any():
        raise LoadError("There is no point load to multiply.", remedy="Add one, or vary something else.")
    part = {key: np.asarray(case[key])[chosen] for key in ("load_block", "load_point", "load_force")}
    live = load_wrenches(part, model.bodies, model.names)
    if not live[model.bodies.free >= 0].any():
        raise LoadError("The chosen loads act on supports alone.", remedy="Load a block that is free.")
    return live


def _turned_loads(request, model, direction):
    """The point loads turned by a right angle about the axis of a tilt towards `direction` [N, N m] (B, 6).

    On a table tilted by an angle, all forces turn with gravity: f cos + (k x f) sin. Over the cosine, which no cone
    notices, that is f + tan (k x f); only loads along the axis k would not fit.
    """
    axis = np.cross(model.gravity / np.linalg.norm(model.gravity), direction)
    case = request["case"]
    force = np.asarray(case["load_force"], float).reshape(-1, 3)
    if (np.abs(force @ axis) > ALONG_AXIS * np.linalg.norm(force, axis=1).max(initial=0.0)).any():
        raise LoadError(
            "A load has a part along the axis about which the table tilts.",
            remedy="Tilt along the loads, or vary an acceleration.",
        )
    return load_wrenches(dict(case, load_force=np.cross(axis, force)), model.bodies, model.names)
