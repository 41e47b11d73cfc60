"""Walls of many thousand blocks stand with the right reactions, in about the iterations of small ones."""

import numpy as np
import pytest

from compas_nscd import wire
from compas_nscd.client.requests import StaticRequest
from compas_nscd.templates.wall import wall
from nscd_engine.core.monitor import Monitor
from nscd_engine.statics.run import run


@pytest.mark.slow
@pytest.mark.parametrize("columns, courses", [(20, 640), (200, 200)])
def test_tall_and_large_walls(columns, courses):
    structure = wall(columns, courses)
    reply = run(wire.unpack(StaticRequest(structure).packed), Monitor())
    assert (reply["verdict"], reply["status"]) == ("stable", "converged")
    assert reply["iterations"] <= 12  # 8 for a wall of 40 x 50
    off = np.subtract(reply["support_reaction"][:3], [0.0, 0.0, reply["weight_total"]])
    assert np.abs(off).max() < 1e-6 * reply["weight_total"]
