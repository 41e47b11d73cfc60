"""Numbers of a run: those of the result's summary, and drift and crack width computed from its arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Callable

import numpy as np

from compas_nscd.errors import InputError
from compas_nscd.geometry.vectors import cross, quaternion_matrices
from compas_nscd.results.base import Result
from compas_nscd.results.dynamic import DynamicResult
from compas_nscd.results.static import StaticResult

#: Verdicts that are collapse: of rest and motion, of a quasi-static analysis, of a limit that no load reaches.
COLLAPSE = ("collapse", "mechanism", "falls")


def collapsed(result: Any) -> bool:
    """Whether a run ended in collapse; of a motion, whether blocks have fallen at its end."""
    if isinstance(result, DynamicResult):
        return result.outcome == "fallen"
    return result.summary.get("status", result.summary.get("verdict")) in COLLAPSE


def kept(result: Result, names: Sequence[str]) -> dict[str, Any]:
    """Values of the columns of a table; a number that is infinite or not known is None.

    Raises
    ------
    InputError
        If the analysis has no such number.
    """
    return {name: _plain(_value(result, name)) for name in names}


def _value(result: Result, name: str) -> Any:
    if name in COMPUTED:
        return COMPUTED[name](result)
    value = result.summary.get(name, result)
    if value is result or isinstance(value, (dict, list, tuple)):
        numbers = [key for key, each in result.summary.items() if not isinstance(each, (dict, list, tuple))]
        remedy = "Columns: {}.".format(", ".join([*COMPUTED, *numbers]))
        raise InputError("This analysis has no number {!r:.40}.".format(name), remedy=remedy)
    return value


def drift(result: Result) -> float:
    """Greatest horizontal displacement of a block over the height of the structure [-]; relative to the ground."""
    return float(_drifts(result).max())


def residual_drift(result: Result) -> float:
    """The same at the end of the motion."""
    return float(_drifts(result)[-1])


def _drifts(result: Result) -> np.ndarray:
    """Greatest horizontal displacement over the height, at every frame. (S,)"""
    if not isinstance(result, DynamicResult):
        raise InputError("Only a motion has a drift.", remedy="Take another column, or the analysis dynamic.")
    gravity = np.array(result.case.gravity if result.case is not None else (0.0, 0.0, -9.81))
    up = -gravity / np.linalg.norm(gravity)
    moved = result.position - result.centroid - result.ground[:, None, :]
    across = moved - (moved @ up)[:, :, None] * up
    across[:, result.structure.supports] = 0.0  # supports that settle
    height = float(np.ptp(result.structure.surfaces.vertices @ up))
    return np.linalg.norm(across, axis=2).max(axis=1) / height


def crack_width(result: Result) -> float:
    """Greatest distance between two points that touched at the beginning [m].

    Of a motion at its frames, for the contacts that carried forces in the first of them; at rest of elastic joints.
    """
    if isinstance(result, DynamicResult):
        return _crack_of_motion(result)
    if isinstance(result, StaticResult) and result.displacement is not None:
        body = np.repeat(result.interface_body, np.diff(result.contact_start), axis=0)
        moved = [_carried(result, result.displacement, body[:, k]) for k in (0, 1)]
        return float(np.linalg.norm(moved[1] - moved[0], axis=1).max(initial=0.0))
    raise InputError("Joints of rigid blocks at rest have no crack width.", remedy="Use an elastic law, or a motion.")


def _carried(result: StaticResult, displacement: np.ndarray, body: np.ndarray) -> np.ndarray:
    """Displacement of the contact points with their blocks. (n, 3) [m]"""
    return displacement[body, :3] + cross(displacement[body, 3:], result.contact_point - result.centroid[body])


def _crack_of_motion(result: DynamicResult) -> float:
    frame = int(np.argmax(np.diff(result.contact_start) > 0)) if "contact_start" in result.arrays else -1
    if frame < 0:
        raise InputError("The forces were not recorded.", remedy="Ask for the option forces.")
    mine = slice(result.contact_start[frame], result.contact_start[frame + 1])
    body, point = result.contact_body[mine], result.contact_point[mine]
    turned = quaternion_matrices(result.orientation.reshape(-1, 4)).reshape(len(result.times), -1, 3, 3)
    place = []
    for k in body.T:
        arm = np.einsum("nji,nj->ni", turned[frame, k], point - result.position[frame, k])  # in axes of the block
        place.append(result.position[:, k] + np.einsum("snij,nj->sni", turned[:, k], arm))
    return float(np.linalg.norm(place[1] - place[0], axis=2).max(initial=0.0))


#: Columns that are computed from arrays of the result.
COMPUTED: dict[str, Callable[[Result], Any]] = {
    "drift": drift,
    "residual_drift": residual_drift,
    "crack_width": crack_width,
}


def _plain(value: Any) -> Any:
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and not math.isfinite(value) else value
