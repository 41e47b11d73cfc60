"""What is sent for a limit analysis: what is varied, in words."""

import math

import numpy as np

from compas_nscd.client.requests import scene
from compas_nscd.errors import LoadError, SettingsError
from compas_nscd.geometry.vectors import AXES
from compas_nscd.loads.case import supports_named

FORMS = "loads, loads:0,2, acceleration:x, tilt:-y, polar:24, friction, spread:x, settlement:NAME, supports"
#: Directions of a polar diagram if nobody says [-].
DIRECTIONS = 24


def limit_request(structure, case, vary, settings=None, coulomb=True):
    """Body of the request `limit`.

    Parameters
    ----------
    structure : Structure
    case : LoadCase
    vary : str
        ``loads``, or ``loads:0,2`` for those of the case's point loads alone; ``acceleration:D`` of the ground, in g;
        ``tilt:D`` of the ground, the tangent of its angle; ``polar:24``, accelerations in so many horizontal
        directions; ``friction`` of all joints; ``spread:D``, supports apart [m]; ``settlement:NAME``, a support along
        gravity [m]; ``supports``, a multiple of the case's motions of supports. D is an axis (x, -y), an angle from x
        to y in degrees (30), or a vector (1,1,0).
    settings : Settings, optional
    coulomb : bool or int, optional
        Estimate the multiplier without dilatancy, too; in so many rounds at most (40 unless given).

    Raises
    ------
    SettingsError, LoadError
        If `vary` cannot be understood, or names what is not there.
    """
    if not isinstance(coulomb, int) or coulomb < 0:
        raise SettingsError("coulomb is {!r:.40}; it can be True, False, or a number of rounds.".format(coulomb))
    return dict(scene(structure, case, settings), limit=dict(_question(structure, case, vary), coulomb=coulomb))


def _question(structure, case, vary):
    if not isinstance(vary, str):
        raise _unknown(vary)
    kind, _, detail = vary.partition(":")
    if kind == "loads":
        return {"kind": kind, "loads": _chosen(case, detail)}
    if kind in ("acceleration", "tilt") and detail:
        return {"kind": kind, "directions": np.array([direction(detail, vary)])}
    if kind == "polar":
        return {"kind": kind, "directions": _around(case, detail or str(DIRECTIONS), vary)}
    if kind == "friction" and not detail:
        return {"kind": kind}
    if kind == "supports" and not detail:
        return {"kind": "supports", "motion": _given_motions(structure, case)}
    if kind == "spread" and detail:
        return {"kind": "supports", "motion": _apart(structure, np.array(direction(detail, vary)))}
    if kind == "settlement" and detail:
        return {"kind": "supports", "motion": _sinking(structure, case, detail)}
    raise _unknown(vary)


def _unknown(vary):
    return SettingsError("It is not known how to vary {!r:.60}.".format(vary), remedy="Give one of: {}.".format(FORMS))


def direction(text, vary):
    """Unit vector of an axis, an angle in degrees or three numbers."""
    sign, name = (-1.0, text[1:]) if text[:1] == "-" else (1.0, text[1:] if text[:1] == "+" else text)
    if name in AXES:
        return tuple(sign * c for c in AXES[name])
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        raise _unknown(vary)
    if len(numbers) == 1 and math.isfinite(numbers[0]):
        angle = math.radians(numbers[0])
        return (math.cos(angle), math.sin(angle), 0.0)
    length = math.sqrt(sum(c * c for c in numbers)) if len(numbers) == 3 else 0.0
    if not (math.isfinite(length) and length > 0.0):
        raise _unknown(vary)
    return tuple(c / length for c in numbers)


def _chosen(case, detail):
    """Which point loads are multiplied. (L,)"""
    count = len(case.loads)
    if not count:
        raise LoadError("The load case has no point load to multiply.", remedy="Add one, or vary something else.")
    if not detail:
        return np.ones(count, np.uint8)
    chosen = np.zeros(count, np.uint8)
    for part in detail.split(","):
        if not part.strip().isdigit() or int(part) >= count:
            remedy = "They are 0 to {}.".format(count - 1)
            raise LoadError("There is no point load {!r:.20}.".format(part), remedy=remedy)
        chosen[int(part)] = 1
    return chosen


def _around(case, detail, vary):
    """Horizontal directions at equal angles, from the one nearest to x towards that nearest to y. (D, 3)"""
    if not detail.isdigit() or not 1 <= int(detail) <= 3600:
        raise _unknown(vary)
    up = -np.array(case.gravity, float)
    up = up / np.linalg.norm(up) if up.any() else np.array([0.0, 0.0, 1.0])
    first = np.array([1.0, 0.0, 0.0]) if abs(up[0]) < 0.9 else np.array([0.0, 0.0, -1.0])
    first -= (first @ up) * up
    first /= np.linalg.norm(first)
    angle = np.linspace(0.0, 2.0 * np.pi, int(detail), endpoint=False)[:, None]
    return np.cos(angle) * first + np.sin(angle) * np.cross(up, first)


def _given_motions(structure, case):
    if not case.support_motions:
        raise LoadError("The load case moves no support.", remedy="Add a SupportMotion, or vary spread:x.")
    motion = np.zeros((len(structure.blocks), 6))
    for each, block in zip(case.support_motions, supports_named(structure, [m.block for m in case.support_motions])):
        motion[block] += each.displacement + each.rotation
    return motion


def _apart(structure, along):
    """Supports before and behind the middle of the supports part by 1 m."""
    place = np.array([structure.blocks[i].vertices.mean(axis=0) @ along for i in structure.supports])
    if not len(place) or not np.ptp(place) > 0.0:
        raise LoadError("There are no two supports to part in this direction.", remedy="Choose another direction.")
    motion = np.zeros((len(structure.blocks), 6))
    side = np.sign(place - 0.5 * (place.min() + place.max()))
    motion[structure.supports, :3] = 0.5 * side[:, None] * along
    return motion


def _sinking(structure, case, name):
    block = int(name) if name.isdigit() and name not in structure.names else name
    motion = np.zeros((len(structure.blocks), 6))
    down = np.array(case.gravity, float)
    if not down.any():
        raise LoadError("Without gravity nothing sinks.", remedy="Give the load case a gravity.")
    motion[supports_named(structure, [block])[0], :3] = down / np.linalg.norm(down)
    return motion
