"""How a motion with deformable blocks begins: in the balance at rest, if they stand, so that they do not ring."""

from __future__ import annotations

from typing import Optional

import numpy as np

from compas_nscd.errors import SettingsError
from nscd_engine.contacts.at_rest import Detection
from nscd_engine.core.model import Model
from nscd_engine.core.monitor import Monitor
from nscd_engine.core.settings import Settings
from nscd_engine.core.state import State, rest_state
from nscd_engine.gate.scene import Scene
from nscd_engine.kernels.geometry.rotations import rotated
from nscd_engine.laws.joint_state import Joints
from nscd_engine.motion.deformable.attached import Attached
from nscd_engine.motion.deformable.state import Deformation
from nscd_engine.motion.deformable.touching import Faces
from nscd_engine.statics.deformable import AtRest, deform, deformables, is_deformable, with_elements
from nscd_engine.statics.law_rounds import solve_with_laws
from nscd_engine.statics.solve import best_solve
from nscd_engine.statics.torsion import has_laws
from nscd_engine.statics.verdict import judge


def deformation_of(model: Model, settings: Settings) -> Optional[Deformation]:
    """Deformation of the blocks of a model, all without any; None if all are rigid.

    Parameters
    ----------
    model : Model
    settings : Settings

    Raises
    ------
    SettingsError
        If the solver is one that deformable blocks cannot take part in.
    """
    if not is_deformable(model):
        return None
    if settings.solver == "newton":
        return Deformation(deformables(model))
    names = [name for name, elastic in zip(model.names, model.elastic or ()) if elastic is not None]
    text = "A motion of deformable blocks ('{}') does not go with the solver '{}'.".format(names[0], settings.solver)
    raise SettingsError(text, remedy="Take the solver 'newton'.", blocks=names)


def balanced_start(
    scene: Scene, detection: Detection, deformation: Deformation, joints: Optional[Joints], monitor: Monitor
) -> Optional[State]:
    """The state in which the blocks are in balance at rest, and `deformation` with it; None if they do not stand.

    Parameters
    ----------
    scene : Scene
        Its model has the loads of the first step.
    detection : Detection
        At rest.
    deformation : Deformation
        Takes the displacements of the balance.
    joints : Joints, optional
        Those whose laws are more than friction; their springs take the forces of the balance.
    monitor : Monitor
    """
    model, settings = scene.model, scene.settings
    rest = _at_rest(scene, detection, monitor)
    if judge(model, rest.solution.problem, rest.solution.report, settings)[0] != "stable":
        return None
    _, deformed = deform(rest, settings, monitor, scene.cables)
    if deformed is None or deformed.status == "stalled":
        return None
    parts = deformation.split(np.concatenate(deformed.displacement))
    deformation.displacement = parts.rate
    state, free = rest_state(model), model.bodies.free >= 0
    moved = deformed.of_blocks[free]
    moved[deformation.bodies.free] = np.hstack([parts.linear, parts.spin])
    state.position[free] += moved[:, :3]
    state.orientation[free] = rotated(state.orientation[free], np.ascontiguousarray(moved[:, 3:]), 1.0)
    if joints is not None:
        joints.begin_at(state, Attached(joints, Faces(model, deformation)).arms(deformation.displacement))
    return state


def _at_rest(scene: Scene, detection: Detection, monitor: Monitor) -> AtRest:
    """The balance of rigid blocks, with the laws of their joints."""
    model = scene.model
    if not has_laws(scene):
        return AtRest(model, detection, best_solve(model, detection.contacts, scene.settings, monitor))
    placed, found = solve_with_laws(scene, model, with_elements(model, detection), monitor)
    return AtRest(model, placed, found)
