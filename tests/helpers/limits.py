"""Limit analyses in this process, but through the bytes of the wire."""

from analysed import analyse
from compas_nscd import LimitResult, wire
from compas_nscd.client.force_range_request import force_range_request
from compas_nscd.client.limit_request import limit_request
from compas_nscd.client.requests import case_of
from compas_nscd.results.force_range import force_ranges
from compas_nscd.validation.scenes import structure_of
from nscd_engine.core.monitor import Monitor
from nscd_engine.limit import force_range
from nscd_engine.limit.run import run

__all__ = ["ask", "in_engine", "ranges", "structure_of"]


class in_engine:
    """What limit_parameter needs of an Engine."""

    static = staticmethod(analyse)


def ask(structure, vary, case=None, settings=None, coulomb=True, monitor=None):
    """LimitResult."""
    case = case_of(structure, case)
    request = wire.unpack(wire.pack(limit_request(structure, case, vary, settings, coulomb)))
    reply = wire.unpack(wire.pack(run(request, monitor or Monitor())))
    return LimitResult.from_reply(reply, structure, case, vary)


def ranges(structure, case=None, interfaces=None, direction=None):
    """ForceRanges."""
    request = force_range_request(structure, case_of(structure, case), interfaces, direction)
    reply = wire.unpack(wire.pack(force_range.run(wire.unpack(wire.pack(request)), Monitor())))
    return force_ranges(reply, structure)
