"""The verb `dynamic`: simulate a motion, record it, and say whether the structure stands."""

from __future__ import annotations

from typing import Any, Dict

from nscd_engine.contacts.at_rest import detect
from nscd_engine.contacts.soundness import require_sound
from nscd_engine.core.monitor import Monitor
from nscd_engine.core.state import rest_state
from nscd_engine.gate.motion import read_driving, read_options, read_probes, step_count
from nscd_engine.gate.scene import read_scene
from nscd_engine.gate.structure import read_case
from nscd_engine.kernels.geometry.rotations import rotation_matrices
from nscd_engine.laws.joint_state import Joints, remembers
from nscd_engine.loads.prescribed import Drive
from nscd_engine.loads.water import Water
from nscd_engine.motion.deformable.start import balanced_start, deformation_of
from nscd_engine.motion.loop import Loop
from nscd_engine.motion.records.frames import Frames
from nscd_engine.motion.reply import gather, head_of
from nscd_engine.statics.deformable import with_elements
from nscd_engine.statics.elastic_reply import elastic_reply

#: Most steps of a run [-]: more than a day of work for a small model. More: a mistyped step runs for days. Fewer: long
#: records of small models are refused.
MOST_STEPS = 5000000


def run(request: Dict[str, Any], monitor: Monitor) -> Dict[str, Any]:
    """The verb `dynamic`."""
    monitor.report("reading")
    scene = read_scene(request)
    model, settings, cables = scene.model, scene.settings, scene.cables
    options = read_options(request.get("motion"))
    step_count(options["duration"], options["time_step"], MOST_STEPS)
    found = _rest_check(model, settings, monitor)
    driving = read_driving(model, read_case(request))
    water = None if scene.water is None else Water(model, scene.water, found.interfaces)
    lasts = cables is not None or remembers(model).any()
    joints = Joints(model, with_elements(model, found), cables) if lasts else None
    model = model if joints is None else model._replace(joint_law=joints.law_rows)
    probes = read_probes(options, len(model.names))
    head = head_of(model, settings, options["time_step"], probes, None if cables is None else cables.body)
    head["warnings"] = list(found.warnings) + ([] if water is None else water.warnings)
    drive = Drive(model, driving, water)
    deformation = deformation_of(model, settings)
    if deformation is None or options["restart"] is not None or drive.velocity.any():
        start = None
    else:  # nothing moves as it begins
        first = scene._replace(model=drive.model_in_step(rest_state(model), options["time_step"]))
        start = balanced_start(first, found, deformation, joints, monitor)
    loop = Loop(model, settings, options, drive, joints, deformation, start)
    frames = Frames(options, loop.begin, head, len(found.contacts.gap), 0 if cables is None else len(cables.length))
    return _followed(loop, frames, monitor)


def _followed(loop, frames, monitor):
    """Run the loop; the reply. The record is removed if the client gets it."""
    complete = False
    try:
        ended = loop.run(frames, monitor)
        summary = loop.summary.data(ended, loop.simulation, loop.rest)
        if loop.simulation.joints is not None:
            summary.update(loop.simulation.joints.reply())
        summary.update(_elastic(loop.simulation))
        reply = gather(frames.head, frames.recorded(), summary, loop.checkpoint())
        # The jobs of a client that has disconnected are cancelled, and it gets no reply: the record must stay.
        complete = ended != "cancelled"
        return reply
    finally:
        frames.close(keep=not complete)


def _elastic(simulation):
    """Numbers and arrays of deformable blocks at the end."""
    deformation = simulation.deformation
    if deformation is None:
        return {"elastic": None}
    bodies = deformation.bodies
    rotation = rotation_matrices(simulation.state.orientation)[bodies.blocks]
    return elastic_reply(simulation.model, bodies.deformable, deformation.by_body(deformation.displacement), rotation)


def _rest_check(model, settings, monitor):
    """The Detection of contacts at rest; refuses a structure that cannot start to move."""
    found = detect(model, settings, monitor)
    require_sound(model, found._replace(isolated=[]), settings)
    return found
