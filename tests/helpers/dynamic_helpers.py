"""Motions of a few blocks through the client's request and the verb of the engine, without a process."""

import numpy as np

from compas_nscd import wire
from compas_nscd.blocks.block import Block
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.client.dynamic_request import dynamic_request
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.structure import Structure
from compas_nscd.results.dynamic import DynamicResult
from nscd_engine.core.monitor import Monitor
from nscd_engine.motion.run import run

G = 9.81


def structure_of(solids, supports=(0,), mu=0.6, density=2000.0, name="test"):
    """Structure of (vertices, faces)."""
    blocks = [Block(v, f, density, support=k in supports) for k, (v, f) in enumerate(solids)]
    return Structure(blocks, ContactLaw(friction=mu), name=name)


def follow(structure, case=None, duration=1.0, h=1e-3, monitor=None, **options):
    """DynamicResult, by way of two messages as over the wire."""
    case = LoadCase() if case is None else case
    request = wire.unpack(wire.pack(dynamic_request(structure, case, duration, h, **options)))
    reply = wire.unpack(wire.pack(run(request, monitor or Monitor())))
    return DynamicResult.from_reply(reply, structure, case)


def balance(result):
    """What the energy budget lacks over its largest part (S,)."""
    e = result.energy
    lack = e["kinetic"] + e["potential"] + e["friction_loss"] + e["impact_loss"] + e["scheme_loss"] - e["work"]
    return (lack - lack[0]) / max(np.abs(result.energies).max(), 1e-12)


def tilted(degrees):
    """Gravity as on a slope that rises towards +x: it pulls towards -x."""
    a = np.radians(degrees)
    return (-G * np.sin(a), 0.0, -G * np.cos(a))
