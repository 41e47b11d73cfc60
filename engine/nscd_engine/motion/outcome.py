"""How a motion ended: it stands, has been displaced, still moves, or has fallen (docs/dynamics.md).

A block has fallen if it is down, or falls freely, at the end: what rocks and comes back has not.
"""

from __future__ import annotations

from typing import Any, Dict, Optional

import numpy as np

from nscd_engine.core.components import components
from nscd_engine.core.model import Model
from nscd_engine.core.state import State, StepMemory
from nscd_engine.core.structs import Contacts
from nscd_engine.motion.collapse_and_rest import Movements, Rest

#: Loss of height over its size from which a block that nothing carries falls [-]. Larger: a short fall counts as
#: standing. Smaller: a block that hops on its place falls.
FALLING = 1e-3
#: Square of its speed over that of a fall from this height [-]. Larger: what began to fall with a push upwards is not
#: seen. Smaller: a block that hops on its place falls.
FALL_SPEED = 0.5
#: Impulse of a contact over the weight of the lighter of its blocks in the step, below which it carries nothing [-].
#: Larger: a block that hangs by little counts as falling. Smaller: the tolerance of the solver carries blocks.
CARRIES = 1e-6


def outcome(
    movements: Movements, rest: Rest, state: State, last: Optional[StepMemory], falling: np.ndarray
) -> Dict[str, Any]:
    """Verdict, outcome and their times, as the reply has them.

    Parameters
    ----------
    movements : Movements
    rest : Rest
    state : State
        At the end.
    last : StepMemory, optional
        Of the last step.
    falling : array (B,) bool
        Blocks that fall freely.
    """
    tracked = movements.tracked
    down_at = np.where(falling, np.minimum(tracked.down_at, state.time), tracked.down_at)
    fallen, displaced = np.isfinite(down_at), np.isfinite(tracked.displaced_at)
    moving = last is not None and max(rest.speed(last.relative), rest.speed(last.earlier_for(last.duration))) > 1.0
    if fallen.any():
        word = "fallen"
    elif moving:
        word = "moving"
    else:
        word = "displaced" if displaced.any() else "stands"
    return {
        "verdict": "collapse" if fallen.any() else "stable",
        "outcome": word,
        "collapse_time": _earliest(np.minimum(tracked.moved_at, down_at)[fallen]),
        "fallen_time": _earliest(down_at),
        "displaced_time": _earliest(tracked.displaced_at),
        "rest_time": None if moving else rest.since,
        "fallen": movements.names_by(down_at),
    }


def _earliest(times):
    """Least of the times [s]; None if none is finite."""
    earliest = times.min(initial=np.inf)
    return float(earliest) if np.isfinite(earliest) else None


def falls_freely(
    model: Model, state: State, ground: np.ndarray, contacts: Contacts, impulses: np.ndarray, step: float
) -> np.ndarray:
    """Blocks (B,) bool that nothing carries and that go down as fast as if they had fallen from where they were.

    Parameters
    ----------
    model : Model
    state : State
    ground : array (3,)
        Its displacement [m].
    contacts : Contacts
        Of the last step.
    impulses : array (C, 3)
        Of the last step [N s].
    step : float
        Its length [s].
    """
    bodies, weight = model.bodies, float(np.linalg.norm(model.gravity))
    if weight == 0.0:
        return np.zeros(len(bodies.mass), bool)
    down = model.gravity / weight
    drop = (state.position - bodies.centroid - ground) @ down
    speed = np.maximum(state.velocity[:, :3] @ down, 0.0)
    sinking = (drop > FALLING * bodies.size) & (speed**2 > FALL_SPEED * 2.0 * weight * drop)
    if not sinking.any():  # most frames of most motions: what carries blocks need not be found
        return sinking
    return sinking & ~_carried(model, contacts, impulses, weight * step)


def _carried(model, contacts, impulses, fall):
    """Blocks (B,) bool that contacts link to a support; `fall` [m/s] is the speed that gravity gives in the step."""
    bodies, (a, b) = model.bodies, contacts.body.T
    least = CARRIES * fall * np.minimum(bodies.mass[a], bodies.mass[b])
    links = np.abs(impulses).max(axis=1) > least
    part = components(a[links], b[links], len(bodies.mass))
    return np.isin(part, part[bodies.free < 0])
