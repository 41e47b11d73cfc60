"""Groups of blocks that rest: they sleep without a trace, and wake when something touches them."""

import numpy as np

from compas_nscd.loads.case import LoadCase
from dynamic_helpers import follow, structure_of
from nscd_engine.motion import simulation
from solids import box

H = 5e-3


def stacks(count, height=4, gap=1.0):
    """Stacks of cubes of 1 m in a row along x on one slab; blocks of stack k are 1 + k * height onwards."""
    slab = box((-1.0, -1.0, -1.0), (2.0 * count + 20.0, 3.0, 1.0))
    return [slab] + [box(((1.0 + gap) * k, 0.0, float(z))) for k in range(count) for z in range(height)]


def push(block, force=30000.0, until=0.1):
    """A force [N] along x on the centroid of a block, for a while [s]."""
    case = LoadCase()
    point = ((1.0 + 1.0) * ((block - 1) // 4) + 0.5, 0.5, (block - 1) % 4 + 0.5)
    case.add_point_load(
        block, point, (force, 0.0, 0.0), history=([0.0, until, until + 1e-6, 10.0], [1.0, 1.0, 0.0, 0.0])
    )
    return case


def both(monkeypatch, structure, case, duration, **options):
    """The same motion with and without sleep."""
    found = []
    for sleeping in (True, False):
        monkeypatch.setattr(simulation, "SLEEPING", sleeping)
        found.append(follow(structure, case, duration, H, interval=H, quiet=False, forces=True, **options))
    return found


def assert_same_bits(one, other):
    for key in ("times", "position", "orientation", "velocity", "energies", "contact_body", "contact_force"):
        assert getattr(one, key).tobytes() == getattr(other, key).tobytes(), key


def test_sleep_leaves_no_trace_when_one_stack_is_pushed(monkeypatch):
    """Three stacks, of which the second is pushed apart: every frame has the same bits without sleep."""
    one, other = both(monkeypatch, structure_of(stacks(3)), push(8), 0.4)
    assert np.abs(one.position[-1, 8] - one.position[0, 8]).max() > 0.01
    assert_same_bits(one, other)
    np.testing.assert_array_equal(
        one.position[-1, [1, 2, 3, 4, 9, 10, 11, 12]], one.position[0, [1, 2, 3, 4, 9, 10, 11, 12]]
    )
