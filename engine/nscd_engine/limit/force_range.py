"""The verb `force_range`: least and greatest force of a joint over all force systems that balance the loads."""

from __future__ import annotations

import time

import numpy as np

from compas_nscd.errors import LoadError
from nscd_engine.contacts.reply import interfaces
from nscd_engine.core.monitor import Monitor
from nscd_engine.gate.limit import read_force_range_question
from nscd_engine.gate.scene import read_scene
from nscd_engine.limit.resistance import Resistance
from nscd_engine.solvers.cone_program import require_sure
from nscd_engine.solvers.problem import static_problem
from nscd_engine.statics.prepare import prepare_rigid


def run(request: dict, monitor: Monitor) -> dict:
    """Answer the verb: arrays over the chosen joints, pairs of blocks `pairs` (K, 2), all if that is empty.

    The force is the resultant on block b along the joint's normal, or along `direction`; minus or plus infinity where
    nothing bounds it. Without equilibrium (`stands` false) there is no range.
    """
    monitor.report("reading")
    scene, question = read_scene(request), read_force_range_question(request)
    model, detection, warnings, _ = prepare_rigid(scene, monitor)
    joints = _joints(question.pairs, model, detection.interfaces)
    start = time.perf_counter()
    dead = static_problem(model, detection.contacts).v_free
    resistance = Resistance(model, detection, scene.cables, monitor, scene.settings.threads)
    ranges, stands = np.full((len(joints), 2), np.nan), True
    for k, joint in enumerate(joints):
        phase = "joint {} of {}".format(k + 1, len(joints))
        monitor.report(phase, k / len(joints))
        stands = _fill_range(ranges[k], resistance, dead, joint, question.direction, phase)
        if not stands:
            break
    return {
        "stands": stands,
        "joints": joints,
        "ranges": ranges,
        "warnings": warnings + resistance.warnings + _unbounded(ranges, joints, model, detection.interfaces),
        "time": {"solve_s": time.perf_counter() - start},
        **interfaces(detection.interfaces),
    }


def _joints(pairs, model, found):
    """Rows of the interfaces between the given pairs of blocks; all if none are given."""
    if not len(pairs):
        return np.arange(len(found.area))
    joints = []
    for a, b in np.sort(pairs, axis=1).tolist():
        rows = np.flatnonzero((np.sort(found.body, axis=1) == [a, b]).all(axis=1))
        if not len(rows):
            names = [model.names[i] for i in (a, b) if 0 <= i < len(model.names)]
            raise LoadError("There is no joint between the blocks.", remedy="Name two that touch.", blocks=names)
        joints += rows.tolist()
    return np.array(joints)


def _fill_range(force, resistance, dead, joint, direction, phase):
    """Write the least and the greatest force [N] (2,) of a joint; False if nothing balances the loads."""
    for side, sign in ((0, 1.0), (1, -1.0)):

        def cost(detection, sign=sign):
            return sign * _resultant(detection, joint, direction)

        answer = require_sure(resistance.solve(dead, cost=cost, phase=phase))
        if answer.status == "infeasible":
            return False
        value = answer.value - resistance.offset(cost(resistance.cones.detection))
        force[side] = -sign * (value if answer.status == "solved" else np.inf)
    return True


def _unbounded(ranges, joints, model, found):
    """The warning of joints whose force (K, 2) nothing bounds: blocks between supports can be pressed at will."""
    rows = np.flatnonzero(np.isinf(ranges).any(axis=1))
    if not len(rows):
        return []
    blocks = sorted({model.names[b] for b in found.body[joints[rows]].ravel().tolist()})
    text = (
        "Nothing bounds the force of {} of {} joints: blocks are wedged between supports, and any thrust that the "
        "supports can take is in balance. Only what produces the thrust could tell more."
    ).format(len(rows), len(joints))
    return [{"code": "unbounded", "message": text, "blocks": blocks}]


def _resultant(detection, joint, direction):
    """Coefficients (C, 3), in the contact frames, of the resultant of a joint along its normal or a direction."""
    found = detection.interfaces
    rows = slice(found.contact_start[joint], found.contact_start[joint + 1])
    cost = np.zeros((len(detection.contacts.gap), 3))
    cost[rows] = detection.contacts.frame[rows] @ (found.normal[joint] if direction is None else direction)
    return cost
