"""The verb `dynamic`: follow a motion, record it, and say whether the structure stands."""

import numpy as np

from nscd_engine.contacts.at_rest import detect, require_sound
from nscd_engine.core import law_table
from nscd_engine.gate.fields import part
from nscd_engine.gate.loads import read_cables
from nscd_engine.gate.motion import read_options, step_count
from nscd_engine.gate.settings import read_settings
from nscd_engine.gate.structure import read_model
from nscd_engine.laws.joint_state import Joints, remembers
from nscd_engine.loads.prescribed import Drive
from nscd_engine.motion.loop import Follower

#: Most steps of a run [-]: a day and more of work for a small model.
MOST_STEPS = 5000000


def run(request, monitor):
    """The verb `dynamic`."""
    monitor.report("reading")
    model = read_model(request)
    settings = read_settings(request)
    motion = read_options(request.get("motion"))
    step_count(motion["duration"], motion["time_step"], MOST_STEPS)
    found = _rest_check(model, settings, monitor)
    drive = Drive(model, part(request, "case"), found.interfaces)
    cables = read_cables(part(request, "case"), model)
    plain = cables is None and not remembers(model).any()
    joints = None if plain else Joints(model, found, cables)
    model = model if plain else model._replace(joint_law=joints.law_rows)
    warnings = list(found.warnings) + _caps(model, found) + (drive.water.warnings if drive.water else [])
    follower = Follower(model, settings, motion, drive, warnings, joints, len(found.contacts.gap))
    told = False
    try:
        ended = follower.follow(monitor)
        reply = follower.reply(ended)
        # A client that has gone cancels its jobs, and nobody gets the reply: the record is all that is left.
        told = ended != "cancelled"
        return reply
    finally:
        follower.recorder.close(keep=not told)


def _rest_check(model, settings, monitor):
    """What touches at rest, a Detection; refuses what no motion can start from."""
    found = detect(model, settings, monitor)
    require_sound(model, found._replace(isolated=[]), settings)
    return found


def _caps(model, found):
    """A warning, in a list, if joints have a cap on compression."""
    capped = ~np.isnan(model.law[found.law, law_table.COMPRESSION])
    if not capped.any():
        return []
    blocks = [model.names[i] for i in np.unique(found.interfaces.body[capped])]
    text = "The compressive strength of joints is held at rest alone: in a motion they carry any compression."
    return [{"code": "cap_not_held", "message": text, "blocks": blocks}]
