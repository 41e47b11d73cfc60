"""The verb `force_range`: least and greatest force of a joint over all force systems that balance the loads."""

import time

import numpy as np

from compas_nscd.errors import LoadError, ProtocolError
from nscd_engine.contacts.at_rest import detect, require_sound
from nscd_engine.contacts.reply import interfaces as statics_interfaces
from nscd_engine.gate.fields import array, part
from nscd_engine.gate.loads import read_cables
from nscd_engine.gate.settings import read_settings
from nscd_engine.gate.structure import read_model
from nscd_engine.laws.cables import without_hanging
from nscd_engine.limit.resistance import Resistance
from nscd_engine.loads.water import with_water
from nscd_engine.solvers.cone_program import require_sure
from nscd_engine.solvers.problem import static_problem


def run(request, monitor):
    """Answer the verb: arrays over the chosen joints, pairs of blocks `pairs` (K, 2), all if that is empty.

    The force is the resultant on block b along the joint's normal, or along `direction`; minus or plus infinity where
    nothing bounds it. Without equilibrium (`stands` false) there is no range.
    """
    monitor.report("reading")
    model, settings = read_model(request), read_settings(request)
    asked = request.get("force_range")
    if not isinstance(asked, dict):
        raise ProtocolError("The request has no 'force_range'.")
    cables = read_cables(part(request, "case"), model)
    detection = without_hanging(detect(model, settings, monitor), cables)
    require_sound(model, detection, settings)
    model, wet = with_water(model, part(request, "case"), detection.interfaces)
    joints = _joints(asked, model, detection.interfaces)
    direction = None if asked.get("direction") is None else array(asked, "direction", np.float64, (3,))
    start = time.perf_counter()
    dead = static_problem(model, detection.contacts).v_free
    resistance = Resistance(model, detection, cables, monitor, settings.threads)
    ranges, stands = np.full((len(joints), 2), np.nan), True
    for k, joint in enumerate(joints):
        phase = "joint {} of {}".format(k + 1, len(joints))
        monitor.report(phase, k / len(joints))
        for side, sign in ((0, 1.0), (1, -1.0)):

            def cost(found):
                return sign * _resultant(found, joint, direction)

            answer = require_sure(resistance.solve(dead, cost=cost, phase=phase))
            stands = answer.status != "infeasible"
            if not stands:
                break
            value = answer.value - resistance.offset(cost(resistance.cones.detection))
            ranges[k, side] = -sign * (value if answer.status == "solved" else np.inf)
        if not stands:
            break
    return {
        "stands": stands,
        "joints": joints,
        "ranges": ranges,
        "warnings": list(detection.warnings) + wet + resistance.warnings,
        "time": {"solve_s": time.perf_counter() - start},
        **statics_interfaces(detection.interfaces),
    }


def _joints(asked, model, interfaces):
    """Rows of the interfaces between the given pairs of blocks; all if none are given."""
    pairs = array(asked, "pairs", np.int32, (-1, 2))
    if not len(pairs):
        return np.arange(len(interfaces.area))
    found = []
    for a, b in np.sort(pairs, axis=1).tolist():
        rows = np.flatnonzero((np.sort(interfaces.body, axis=1) == [a, b]).all(axis=1))
        if not len(rows):
            names = [model.names[i] for i in (a, b) if 0 <= i < len(model.names)]
            raise LoadError("There is no joint between the blocks.", remedy="Name two that touch.", blocks=names)
        found += rows.tolist()
    return np.array(found)


def _resultant(detection, joint, direction):
    """Coefficients (C, 3), in the contact frames, of the resultant of a joint along its normal or a direction."""
    found = detection.interfaces
    rows = slice(found.contact_start[joint], found.contact_start[joint + 1])
    cost = np.zeros((len(detection.contacts.gap), 3))
    cost[rows] = detection.contacts.frame[rows] @ (found.normal[joint] if direction is None else direction)
    return cost
