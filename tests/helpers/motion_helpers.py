"""Models of moving blocks and spheres, and their motion step by step, for tests."""

from typing import NamedTuple

import numpy as np

from detection import moved, request_of, turn
from nscd_engine.core.state import State
from nscd_engine.core.structs import Polyhedra
from nscd_engine.gate.structure import read_model
from nscd_engine.geometry.polyhedra import joined, starts
from nscd_engine.motion.simulation import Simulation
from solids import prism


def upright(outline, depth):
    """A polygon in the x-z plane, counter-clockwise seen from -y, drawn out from y = -depth to y = 0."""
    return moved(prism(outline, depth), turn(0, 90.0))


def polyhedra(solids):
    """Solids as one struct."""
    empty = Polyhedra(np.zeros((0, 3)), starts([]), np.zeros(0, np.int32), starts([]), starts([]))
    return joined(empty, solids)


def model_of(solids, supports=(0,), friction=0.6):
    """A model of solids under gravity, through the gate."""
    return _read(request_of(solids, supports), friction)


def with_spheres(solids, centres, radius, supports=(0,), disc_depth=None, planar=None, friction=0.6):
    """A model of solids and spheres behind them, through the gate; discs of this depth if it is given."""
    centres = np.asarray(centres, float).reshape(-1, 3)
    request = request_of(list(solids) + [(centre[None], []) for centre in centres], supports)
    is_round = np.arange(len(solids) + len(centres)) >= len(solids)
    request["structure"]["radius"] = np.where(is_round, radius, 0.0)
    if disc_depth is not None:
        request["structure"]["disc_depth"] = np.where(is_round, disc_depth, 0.0)
    if planar is not None:
        request["structure"]["planar"] = np.array(planar, float)
    return _read(request, friction)


def _read(request, friction):
    request["structure"]["law"] = {"kind": "coulomb", "friction": friction}
    return read_model(request)


class Run(NamedTuple):
    """How a motion went."""

    state: State  # at the end
    penetration_max: float  # [m]
    unconverged: int  # steps in which the solver did not reach its tolerance


def run(model, duration, scheme, settings, supports=None, state=None, watch=None):
    """Step for `duration` [s]; parameters as of Simulation. `watch` is called with every Step. A Run."""
    simulation, deepest, unconverged = Simulation(model, scheme, settings, supports, state), 0.0, 0
    for _ in range(int(round(duration / scheme.time_step))):
        done = simulation.advance()
        deepest = max(deepest, float(-done.contacts.gap.min(initial=0.0)))
        unconverged += done.report.status != "converged"
        if watch is not None:
            watch(done)
    return Run(simulation.state, deepest, unconverged)
