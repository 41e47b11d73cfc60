"""Overlaps of a drawing: the drawn state is the reference of a motion, and pushes no block apart."""

import pytest

from analysed import box
from compas_nscd import ContactLaw, Structure, wire
from compas_nscd.client.dynamic_request import DynamicRequest
from nscd_engine.core.monitor import Monitor
from nscd_engine.motion.run import run


def column(overlap):
    """Four cubes of 1 m, each drawn into the one below by an overlap [m]."""
    blocks = [box((-1, -1, -1), (2, 2, 0), density=2000.0, support=True)]
    for k in range(4):
        z = k * (1.0 - overlap) - overlap
        blocks.append(box((0, 0, z), (1, 1, z + 1.0), density=2000.0))
    return Structure(blocks, ContactLaw(0.6))


@pytest.mark.parametrize("overlap", [0.0, 0.03, 0.09])
def test_blocks_drawn_into_each_other_stay_where_they_are(overlap):
    structure = column(overlap)
    request = DynamicRequest(structure, None, duration=0.1, time_step=1e-3)
    reply = run(wire.unpack(wire.pack(request.body)), Monitor())
    assert reply["max_displacement"] < 1e-6
    assert ("overlap" in [w["code"] for w in reply["warnings"]]) == (overlap > 0.0)
