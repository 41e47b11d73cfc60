"""Steps of a motion taken many at a time (kernels/march), where nothing but contacts acts."""

import numpy as np

from nscd_engine.contacts.in_motion import MARGINS
from nscd_engine.core.state import State
from nscd_engine.core.structs import Contacts
from nscd_engine.kernels.motion import compiled_steps as kernel
from nscd_engine.linalg.symbolic import analyse
from nscd_engine.motion.collapse_and_rest import FALLEN, MOVED
from nscd_engine.motion.moreau_jean import bounces, gap_rules, slows

#: Free bodies up to which steps are taken so: with more a step is long, and its factor is worth several threads.
MOST_BODIES = 1000
NO_PAIRS = np.zeros((0, 2), np.int64)


def suits(model, scheme, settings, joints):
    """Whether steps of such a motion can be taken so."""
    plain = joints is None and model.planar is None and settings.solver == "newton"
    euler = scheme.theta == 1.0 and scheme.level == "position"
    small = (model.bodies.free >= 0).sum() <= MOST_BODIES
    return bool(plain and euler and small) and not bounces(model, scheme) and not slows(model, scheme)


def march(simulation, drive, times, watch):
    """Steps that end at `times` (n,) [s], as many as the splitting method can take: how many, and the last contacts.

    Parameters
    ----------
    simulation : Simulation
        Brought to the last of these times.
    drive : Drive
    times : array (n,)
    watch : kernels.march.Watch
        Brought up to date.
    """
    model, detector = simulation.model, simulation.detector
    bodies, h, coulomb = model.bodies, simulation.scheme.time_step, simulation.settings.friction == "coulomb"
    supports = np.flatnonzero(bodies.free < 0)
    # in the order of a single step, or the march is compiled for either
    place = np.ascontiguousarray(bodies.centroid[supports] + drive.displacements(times)[:, supports])
    ground, gaps = drive.grounds(times), gap_rules(model, simulation.scheme)
    kept, scale, done, why = _kept(simulation), h / simulation.impulse_step, 0, kernel.DONE
    workspace, count = simulation.workspace, len(kept.relative)
    room = workspace.admm_arrays(workspace.symbolic or analyse(count, NO_PAIRS))
    hard = workspace.method_hold_steps
    while done < len(times) and why not in (kernel.HARD, kernel.OTHER):
        course = kernel.Course(h, model.gravity, model.load, gaps, times[done:], supports, place[done:], ground[done:])
        shape = kernel.Shape(detector.parts, detector.scratch, detector.home, detector.room, detector.friction, MARGINS)
        rest = watch._replace(probed=watch.probed[done:])
        earlier = why
        steps, why, kept, poses, body = kernel.march(
            bodies, course, kept, shape, room, coulomb, scale, hard - done, simulation.alike, (MOVED, FALLEN), rest
        )
        done, scale = done + steps, scale if done + steps == 0 else 1.0
        detector.pairs = kept.pairs
        if why == kernel.ROOM:
            detector.draw_boxes(poses, h)
            kept = kept._replace(pairs=detector.pairs)
        elif why == kernel.GRAPH:
            if earlier == kernel.GRAPH and not steps:
                break  # found anew, the same pairs differ again
            room = workspace.admm_arrays(workspace.factor_structure(body, count))
    if done:
        _keep(simulation, kept, float(times[done - 1]))
        workspace.count_steps(done)
    return done, kept.contacts


def _kept(simulation):
    """What goes into the next step; of the contacts of the last one that is their keys."""
    state, no = simulation.state, np.zeros((0, 3))
    body, frame = np.zeros((0, 2), np.int32), np.zeros((0, 3, 3))
    contacts = Contacts(body, no, frame, no[:, 0], no[:, 0], simulation.key)
    return kernel.Kept(
        state.position, state.orientation, state.velocity, simulation.inertia, simulation.relative,
        simulation.before_that(), simulation.impulses, contacts, simulation.detector.pairs,
    )  # fmt: skip


def _keep(simulation, kept, time):
    simulation.state = State(time, kept.position, kept.orientation, kept.velocity)
    simulation.inertia, simulation.relative, simulation.earlier = kept.inertia, kept.relative, kept.earlier
    simulation.key, simulation.impulses = kept.contacts.key, kept.impulses
    simulation.impulse_step = simulation.scheme.time_step
