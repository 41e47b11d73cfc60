"""Request of a limit analysis: what is varied until collapse, described by a short text."""

import hashlib
import math
from typing import Any, Dict, Optional, Tuple, Union

import numpy as np

from compas_nscd.client.requests import Request, case_of, scene
from compas_nscd.errors import LoadError, SettingsError
from compas_nscd.geometry.vectors import AXES
from compas_nscd.loads.case import LoadCase, supports_named
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure
from compas_nscd.results.limit import LimitResult

#: Forms of the text `vary`.
FORMS = "loads, loads:0,2, acceleration:x, tilt:-y, polar:24, friction, spread:x, settlement:NAME, supports"
#: Directions of a polar diagram without a number [-]. Fewer: corners of the diagram are cut. More: slower.
DIRECTIONS = 24
#: Most directions of a polar diagram [-]. One each tenth of a degree; each takes a solution.
MOST_DIRECTIONS = 3600


class LimitRequest(Request):
    """Request of a limit analysis.

    Parameters
    ----------
    structure : Structure
    case : LoadCase, optional
        Default: that of the structure, else gravity alone.
    vary : str
        ``loads``: the point loads of the case, ``loads:0,2``: some of them; ``acceleration:D``: acceleration of the
        ground [g]; ``tilt:D``: tilt of the ground [tangent of the angle]; ``polar:24``: accelerations in that number of
        horizontal directions; ``friction``: friction coefficient of all joints; ``spread:D``: distance by which
        supports part [m]; ``settlement:NAME``: displacement of a support along gravity [m]; ``supports``: multiple of
        the support motions of the case. D is an axis (x, -y), an angle from x to y in degrees (30), or a vector
        (1,1,0).
    settings : Settings, optional
    coulomb : bool or int, optional
        Also estimate the multiplier without dilatancy; a number is the most rounds of the estimate (default 40).

    Raises
    ------
    SettingsError, LoadError
        If `vary` has none of these forms, or names a load or support that does not exist.
    """

    def __init__(
        self,
        structure: Structure,
        case: Optional[LoadCase] = None,
        vary: str = "loads",
        settings: Optional[Settings] = None,
        coulomb: Union[bool, int] = True,
    ):
        self.structure, self.case, self.vary = structure, case_of(structure, case), vary
        super().__init__("limit", limit_request(structure, self.case, vary, settings, coulomb))

    @property
    def digest(self) -> bytes:
        """SHA-256 of the request and of `vary`: two texts may mean the same, but the result quotes its own."""
        return hashlib.sha256(self.packed + self.vary.encode("utf-8")).digest()

    def result(self, reply: Dict[str, Any]) -> LimitResult:
        """LimitResult of the reply."""
        return LimitResult.from_reply(reply, self.structure, self.case, self.vary)


def limit_request(
    structure: Structure,
    case: LoadCase,
    vary: str,
    settings: Optional[Settings] = None,
    coulomb: Union[bool, int] = True,
) -> Dict[str, Any]:
    """Body of the request `limit`; the arguments are those of `LimitRequest`, but the case is required."""
    if not isinstance(coulomb, int) or coulomb < 0:
        raise SettingsError("coulomb is {!r:.40}; it can be True, False, or a number of rounds.".format(coulomb))
    return dict(scene(structure, case, settings), limit=dict(_question(structure, case, vary), coulomb=coulomb))


def _question(structure: Structure, case: LoadCase, vary: str) -> Dict[str, Any]:
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


def _unknown(vary: Any) -> SettingsError:
    return SettingsError("It is not known how to vary {!r:.60}.".format(vary), remedy="Give one of: {}.".format(FORMS))


def direction(text: str, vary: str) -> Tuple[float, ...]:
    """Unit vector of an axis, an angle in degrees or three numbers; `vary` is quoted if it is none of them."""
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


def _chosen(case: LoadCase, detail: str) -> np.ndarray:
    """1 for the point loads that are multiplied, 0 for the others. (L,)"""
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


def _around(case: LoadCase, detail: str, vary: str) -> np.ndarray:
    """Horizontal directions at equal angles, from the one nearest to x towards the one nearest to y. (D, 3)"""
    if not detail.isdigit() or not 1 <= int(detail) <= MOST_DIRECTIONS:
        raise _unknown(vary)
    up = -np.array(case.gravity, float)
    up = up / np.linalg.norm(up) if up.any() else np.array([0.0, 0.0, 1.0])
    first = np.array([1.0, 0.0, 0.0]) if abs(up[0]) < 0.9 else np.array([0.0, 0.0, -1.0])
    first -= (first @ up) * up
    first /= np.linalg.norm(first)
    angle = np.linspace(0.0, 2.0 * np.pi, int(detail), endpoint=False)[:, None]
    return np.cos(angle) * first + np.sin(angle) * np.cross(up, first)


def _given_motions(structure: Structure, case: LoadCase) -> np.ndarray:
    """Support motions of the case: displacement [m] and rotation [rad] of every block. (B, 6)"""
    if not case.support_motions:
        raise LoadError("The load case moves no support.", remedy="Add a SupportMotion, or vary spread:x.")
    motion = np.zeros((len(structure.blocks), 6))
    for each, block in zip(case.support_motions, supports_named(structure, [m.block for m in case.support_motions])):
        motion[block] += each.displacement + each.rotation
    return motion


def _apart(structure: Structure, along: np.ndarray) -> np.ndarray:
    """Motion by which the supports on both sides of their middle part by 1 m. (B, 6)"""
    place = np.array([structure.blocks[i].vertices.mean(axis=0) @ along for i in structure.supports])
    if not len(place) or not np.ptp(place) > 0.0:
        raise LoadError("There are no two supports to part in this direction.", remedy="Choose another direction.")
    motion = np.zeros((len(structure.blocks), 6))
    side = np.sign(place - 0.5 * (place.min() + place.max()))
    motion[structure.supports, :3] = 0.5 * side[:, None] * along
    return motion


def _sinking(structure: Structure, case: LoadCase, name: str) -> np.ndarray:
    """Motion of one support by 1 m along gravity. (B, 6)"""
    block: Union[int, str] = int(name) if name.isdigit() and name not in structure.names else name
    motion = np.zeros((len(structure.blocks), 6))
    down = np.array(case.gravity, float)
    if not down.any():
        raise LoadError("Without gravity nothing sinks.", remedy="Give the load case a gravity.")
    motion[supports_named(structure, [block])[0], :3] = down / np.linalg.norm(down)
    return motion
