"""How a motion with deformable blocks begins: in the balance at rest, if they stand, so that they do not ring."""

from __future__ import annotations

from typing import Any, Dict, Optional

import numpy as np

from compas_nscd.errors import SettingsError
from nscd_engine.contacts.at_rest import Detection
from nscd_engine.core.model import Model
from nscd_engine.core.monitor import Monitor
from nscd_engine.core.settings import Settings
from nscd_engine.core.state import State, rest_state
from nscd_engine.kernels.geometry.rotations import rotated
from nscd_engine.laws.joint_state import Joints
from nscd_engine.motion.deformable.state import Deformation
from nscd_engine.motion.moreau_jean import Scheme
from nscd_engine.motion.restitution import bounces
from nscd_engine.statics.deformable import AtRest, deform, deformables, is_deformable
from nscd_engine.statics.solve import best_solve
from nscd_engine.statics.verdict import judge

#: Steps of a scheme whose restitution alone is looked at [s].
_ANY_STEP = 1.0


def deformation_of(
    model: Model, settings: Settings, options: Dict[str, Any], joints: Optional[Joints]
) -> Optional[Deformation]:
    """Deformation of the blocks of a model, all without any; None if all are rigid.

    Parameters
    ----------
    model : Model
    settings : Settings
    options : dict
        Of the motion, as `gate.motion.read_options` gives them.
    joints : Joints, optional
        Those whose laws are more than friction.

    Raises
    ------
    SettingsError
        If the motion has what deformable blocks cannot take part in.
    """
    if not is_deformable(model):
        return None
    names = [name for name, elastic in zip(model.names, model.elastic or ()) if elastic is not None]
    if joints is not None:
        what, remedy = "laws beyond friction, or cables", "Leave these out, or take the blocks as rigid."
    elif bounces(model, Scheme(_ANY_STEP, restitution=options["restitution"])):
        what, remedy = "restitution", "Set it to 0: deformable blocks rebound by their elasticity."
    elif settings.solver != "newton":
        what, remedy = "the solver '{}'".format(settings.solver), "Take the solver 'newton'."
    else:
        return Deformation(deformables(model))
    text = "A motion of deformable blocks ('{}') does not go with {}.".format(names[0], what)
    raise SettingsError(text, remedy=remedy, blocks=names)


def balanced_start(
    model: Model, detection: Detection, deformation: Deformation, settings: Settings, monitor: Monitor
) -> Optional[State]:
    """The state in which the blocks are in balance at rest, and `deformation` with it; None if they do not stand.

    Parameters
    ----------
    model : Model
        With the loads of the first step.
    detection : Detection
        At rest.
    deformation : Deformation
        Takes the displacements of the balance.
    settings : Settings
    monitor : Monitor
    """
    found = best_solve(model, detection.contacts, settings, monitor)
    if judge(model, found.problem, found.report, settings)[0] != "stable":
        return None
    _, deformed = deform(AtRest(model, detection, found), settings, monitor)
    if deformed is None or deformed.status == "stalled":
        return None
    parts = deformation.split(np.concatenate(deformed.displacement))
    deformation.displacement = parts.rate
    state, free = rest_state(model), model.bodies.free >= 0
    moved = deformed.of_blocks[free]
    moved[deformation.bodies.free] = np.hstack([parts.linear, parts.spin])
    state.position[free] += moved[:, :3]
    state.orientation[free] = rotated(state.orientation[free], np.ascontiguousarray(moved[:, 3:]), 1.0)
    return state
