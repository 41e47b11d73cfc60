"""The column of V69 (eight blocks under a base pulse), for tests."""

import numpy as np

from compas_nscd.blocks.block import Block
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.loads.case import LoadCase
from compas_nscd.loads.ground_motion import GroundMotion
from compas_nscd.model.structure import Structure
from motion_helpers import upright

G = 9.81
#: Heights of the joints [m]: seven blocks of 0.82 m, one of 0.21 m.
JOINTS = np.append(0.82 * np.arange(8), 5.95)


def pulsed_column():
    """Eight trapezoids on a fixed base: 1.11 m wide at the foot, 0.9 m at 5.95 m; planar."""
    half = 0.5 * np.interp(JOINTS, [0.0, 5.95], [1.11, 0.9])
    solids = [upright([(-2.0, -0.5), (2.0, -0.5), (2.0, 0.0), (-2.0, 0.0)], 1.0)]
    for (low, high), (a, b) in zip(zip(JOINTS, JOINTS[1:]), zip(half, half[1:])):
        solids.append(upright([(-a, low), (a, low), (b, high), (-b, high)], 1.0))
    blocks = [Block(v, f, 2620.0, support=k == 0) for k, (v, f) in enumerate(solids)]
    return Structure(blocks, ContactLaw(friction=0.7), name="column", planar="y")


def pulse(amplitude, duration):
    """Ground acceleration of `amplitude` [g] for a duration [s], then minus half of it for twice the duration."""
    first = GroundMotion.rectangular("x", amplitude * G, duration)
    return LoadCase(ground=[first, GroundMotion.rectangular("x", -0.5 * amplitude * G, 2.0 * duration, start=duration)])
