"""Question of a quasi-static analysis: method, stiffness of the contacts, and how the load grows."""

from __future__ import annotations

import math
from typing import Any, Callable, Dict, NamedTuple, Optional, Tuple

import numpy as np

from compas_nscd.errors import LoadError, MaterialError, ProtocolError, SettingsError
from nscd_engine.core.model import Model
from nscd_engine.gate.fields import (
    MAX_COORDINATE,
    array,
    choice,
    flag,
    integer,
    is_number,
    number,
    part,
    refuse,
    require_bounded,
)

METHODS = ("serrano", "kishino", "bagi_bojtar")
#: Parts of the load that a stage applies.
LOADS = ("gravity", "loads", "supports")
#: Greatest stiffness [N/m, N/m3, N m].
MAX_STIFFNESS = 1e18
#: Most increments of all stages together [-]. More: the record of the increments does not fit in a message.
MOST_STEPS = 100_000
#: Stiffness and strength in the order of the components: normal, shear, twisting, bending.
STIFFNESS = ("normal", "tangential", "twist", "bend")
STRENGTH = ("tension", "shear", "twisting", "bending")

_CHECKS: Dict[str, Callable] = {
    "method": choice(*METHODS),
    # Larger: forces are wrong in their first digit.
    "tolerance": number(0.0, 0.1),
    "max_iterations": integer(1, 10**9),
    # Larger: the regularisation carries loads.
    "rho": number(0.0, 1e-2),
    "order": choice("greedy", "random"),
    "halvings": integer(0, 40),
    "second_order": flag,
}


class Stage(NamedTuple):
    """A part of the load that grows from nothing in equal increments."""

    parts: Tuple[bool, ...]  # which of LOADS
    steps: int


class QuasistaticQuestion(NamedTuple):
    """How a structure on springs is loaded. B blocks."""

    method: str  # one of METHODS
    tolerance: float  # [-] equilibrium error over the mean contact force
    max_iterations: int  # of one increment
    rho: float  # [-] regularisation over the mean stiffness
    order: str  # of Kishino's relaxations: greedy, random
    halvings: int  # how often an increment that does not converge is halved
    second_order: bool  # whether positions and directions follow the displacements
    stiffness: np.ndarray  # [N/m or N/m3, N m] (4,): STIFFNESS; nan: that of the area of the joint, 0 at points
    strength: Optional[np.ndarray]  # [N, N m or Pa] (4,): STRENGTH of bonds, inf unbounded; None: no bonds
    springs: np.ndarray  # [N/m, N m] (B, 6): springs to the ground; a support that has them is elastic
    motion: np.ndarray  # [m, rad] (B, 6): displacement of the supports
    stages: Tuple[Stage, ...]


def read_quasistatic_question(request: dict, model: Model) -> QuasistaticQuestion:
    """The checked part `quasistatic` of a request."""
    given = part(request, "quasistatic")
    options = {key: check(key, given.get(key)) for key, check in _CHECKS.items()}
    return QuasistaticQuestion(
        stiffness=_stiffness(part(given, "stiffness")),
        strength=_strength(given.get("bond")),
        springs=_springs(given, model),
        motion=_motion(given, model),
        stages=_stages(given.get("stages")),
        **options,
    )


def _stiffness(given):
    """Stiffness (4,); twist and bend may be left out."""
    values = [given.get(key) for key in STIFFNESS]
    for key, value in zip(STIFFNESS, values):
        least = "above zero" if key == "normal" else "of zero or more"
        if value is None and key in ("twist", "bend"):
            continue
        if not is_number(value) or value < 0.0 or value > MAX_STIFFNESS or (key == "normal" and value == 0.0):
            raise MaterialError(
                "The {} stiffness of the contacts is {!r:.40}.".format(key, value),
                remedy="Give a number {}, in N/m at discs and spheres, N/m3 in joints.".format(least),
            )
    return np.array([math.nan if value is None else value for value in values], float)


def _strength(given):
    """Strength of bonds (4,), inf where none is given; None without bonds."""
    if given is None:
        return None
    if not isinstance(given, dict):
        raise ProtocolError("'bond' should be a dict.")
    values = [given.get(key) for key in STRENGTH]
    for key, value in zip(STRENGTH, values):
        if value is not None and not (is_number(value) and value >= 0.0):
            raise MaterialError(
                "The {} strength of the bonds is {!r:.40}.".format(key, value), remedy="Give a number of zero or more."
            )
    return np.array([math.inf if value is None else value for value in values], float)


def _springs(given, model):
    """Stiffness of the springs to the ground (B, 6)."""
    springs = array(given, "springs", np.float64, (len(model.names), 6), MaterialError)
    bad = ((springs < 0.0) | (springs > MAX_STIFFNESS)).any(axis=1)
    text, remedy = "A spring to the ground has a stiffness that is not plausible.", "Give zero or more, in N/m and N m."
    refuse(bad, model.names, text, remedy, MaterialError)
    return springs


def _motion(given, model):
    motion = array(given, "motion", np.float64, (len(model.names), 6), LoadError)
    require_bounded(motion, MAX_COORDINATE, "the displacement of a support", "m or rad")
    free = (model.bodies.free >= 0) & motion.any(axis=1)
    refuse(free, model.names, "Only supports can be moved by themselves.", "Make the block a support.", LoadError)
    return motion


def _stages(given: Any) -> Tuple[Stage, ...]:
    """Stages of a list of {"gravity", "loads", "supports", "steps"}."""
    if not isinstance(given, list) or not given or not all(isinstance(each, dict) for each in given):
        raise ProtocolError("'stages' should be a list of dicts, one at least.")
    stages = tuple(
        Stage(tuple(flag(key, each.get(key)) for key in LOADS), integer(1, MOST_STEPS)("steps", each.get("steps")))
        for each in given
    )
    if sum(stage.steps for stage in stages) > MOST_STEPS:
        raise SettingsError("There are more than {} increments.".format(MOST_STEPS), remedy="Take fewer steps.")
    if any(sum(stage.parts[k] for stage in stages) > 1 for k in range(len(LOADS))):
        raise SettingsError("A part of the load is in two stages.", remedy="Name it in one of them.")
    return stages
