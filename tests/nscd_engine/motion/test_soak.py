"""Long runs, and steps of any length: what rests stays, and the verdict does not hang on the step."""

import numpy as np
import pytest

from compas_nscd.loads.case import LoadCase
from compas_nscd.loads.ground_motion import GroundMotion
from compas_nscd.templates import arch, dome, stack, wall
from dynamic_helpers import G, follow, structure_of
from solids import box

SLAB = box((-3.0, -3.0, -1.0), (6.0, 6.0, 1.0))


def drift(structure, duration, h):
    """Greatest displacement of a block over the size of the structure [-] in a run without early end."""
    result = follow(structure, LoadCase(), duration, h, quiet=False, interval=duration / 10.0)
    corners = np.concatenate([block.vertices for block in structure.blocks])
    assert result.verdict == "stable" and result.summary["simulated_s"] == pytest.approx(duration)
    return result.summary["max_displacement"] / np.linalg.norm(np.ptp(corners, axis=0))


def small_dome():
    return dome(courses=6, sectors=12)


def small_wall():
    return wall(columns=6, courses=6)


def test_a_resting_dome_does_not_drift_in_a_second():
    assert drift(small_dome(), 1.0, 5e-3) < 1e-6


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_resting_dome_does_not_drift_in_a_minute():
    assert drift(small_dome(), 60.0, 5e-3) < 1e-5


#: Each well away from its limit, on either side of it.
CASES = {
    "arch stands": (arch, LoadCase(ground=[GroundMotion.sine("x", 0.15 * G, 1.0, phase=90.0)]), "stable"),
    "arch falls": (arch, LoadCase(ground=[GroundMotion.rectangular("x", 0.8 * G, 1.0)]), "collapse"),
    "wall stands": (small_wall, LoadCase(ground=[GroundMotion.sine("x", 0.3 * G, 1.0)]), "stable"),
    "wall falls": (small_wall, LoadCase(ground=[GroundMotion.sine("y", 1.2 * G, 1.0)]), "collapse"),
    "stack stands": (stack, LoadCase(ground=[GroundMotion.rectangular("x", 0.15 * G, 0.4)]), "stable"),
    "stack falls": (stack, LoadCase(ground=[GroundMotion.rectangular("x", 0.6 * G, 0.6)]), "collapse"),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("h", [1e-3, 2e-3, 5e-3, 2e-2])
def test_the_verdict_does_not_hang_on_the_step(case, h):
    """From 1 to 5 ms it is the same, and blocks do not sink by a hundredth; at 20 ms, in which what falls goes by a
    quarter of a block, corners may get in by some hundredths before they are seen."""
    make, loads, verdict = CASES[case]
    structure = make()
    result = follow(structure, loads, 1.5, h)
    assert np.isfinite(result.position).all() and np.abs(result.velocity).max() < 50.0
    size = min(np.linalg.norm(np.ptp(block.vertices, axis=0)) for block in structure.blocks)
    assert result.summary["penetration_max"] < (1e-2 if h <= 5e-3 else 1e-1) * size
    if h <= 5e-3:
        assert result.verdict == verdict


def test_blocks_keep_out_of_each_other():
    """At 1 ms, shaken so that they slide: less than 1e-4 of a block."""
    tower = structure_of([SLAB] + [box((-0.5 + 0.02 * k, -0.5, 1.0 * k)) for k in range(4)], mu=0.5)
    case = LoadCase(ground=[GroundMotion.sine("x", 6.0, 2.0)])
    result = follow(tower, case, 0.5, 1e-3)
    assert result.summary["max_displacement"] > 1e-3
    assert result.summary["penetration_max"] < 1e-4 * np.sqrt(3.0)
