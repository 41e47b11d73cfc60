"""Groups of blocks that rest: they sleep without a trace, and wake when something touches them."""

import numpy as np
import pytest

from compas_nscd.loads.case import LoadCase
from compas_nscd.loads.ground_motion import GroundMotion
from compas_nscd.loads.support_motion import SupportMotion
from compas_nscd.model.settings import Settings
from compas_nscd.templates import wall
from dynamic_helpers import follow, structure_of
from nscd_engine.contacts import in_motion
from nscd_engine.core.threads import CORES
from nscd_engine.motion import loop, simulation
from nscd_engine.solvers import step_solver
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


def test_a_group_wakes_when_a_block_hits_it(monkeypatch):
    """A cube dropped on the second stack, while the first sleeps on."""
    solids = stacks(2) + [box((2.2, 0.0, 4.05))]
    one, other = both(monkeypatch, structure_of(solids), LoadCase(), 0.3)
    assert one.position[-1, 9, 2] == pytest.approx(4.5, abs=1e-3)
    assert_same_bits(one, other)


def test_a_group_wakes_when_its_support_moves(monkeypatch):
    """Stacks on two slabs, of which one settles after a while."""
    solids = [box((-1.0, -1.0, -1.0), (3.0, 3.0, 1.0)), box((9.0, -1.0, -1.0), (3.0, 3.0, 1.0))]
    solids += [box((x, 0.0, float(z))) for x in (0.0, 10.0) for z in range(3)]
    case = LoadCase(support_motions=[SupportMotion(1, (0.0, 0.0, -0.01), 0.2)])
    one, other = both(monkeypatch, structure_of(solids, supports=(0, 1)), case, 0.5)
    np.testing.assert_allclose(one.position[-1, 5:, 2] - one.position[0, 5:, 2], -0.01, atol=1e-6)
    assert_same_bits(one, other)


def test_what_sleeps_is_neither_detected_nor_solved(monkeypatch):
    """Once all stacks sleep a step calls neither narrow phase nor solver; a stack that is pushed is solved alone."""
    bodies, detected = [], []
    solve, detect = step_solver.solve, in_motion.update_pairs
    noted = {"newton": lambda problem, *rest: (bodies.append(len(problem.mass)), solve(problem, *rest))[1]}
    monkeypatch.setattr(simulation, "SOLVERS", dict(simulation.SOLVERS, **noted))
    monkeypatch.setattr(in_motion, "update_pairs", lambda *given: (detected.append(1), detect(*given))[1])
    follow(structure_of(stacks(40)), push(8), 0.2, H, quiet=False)
    assert bodies[0] == 160 and set(bodies[3:]) == {4}
    bodies.clear(), detected.clear()
    follow(structure_of(stacks(40)), push(8, force=0.0), 0.2, H, quiet=False)
    assert len(bodies) <= 2 and len(detected) <= 4


def test_a_motion_that_goes_on_has_the_same_bits():
    """A checkpoint does not say who sleeps."""
    structure = structure_of(stacks(3))
    whole = follow(structure, push(8), 0.3, H, interval=H, quiet=False)
    begun = follow(structure, push(8), 0.15, H, interval=H, quiet=False)
    ended = follow(structure, push(8), 0.15, H, interval=H, quiet=False, restart=begun)
    assert ended.position[-1].tobytes() == whole.position[-1].tobytes()
    assert ended.velocity[-1].tobytes() == whole.velocity[-1].tobytes()


def test_a_narrow_phase_on_several_threads_has_the_same_bits(monkeypatch):
    """A wall shaken apart, in single steps: many pairs are detected again in each."""
    monkeypatch.setattr(loop, "suits", lambda *_: False)
    monkeypatch.setattr(in_motion, "WORTH_THREADS", 2)
    case = LoadCase(ground=[GroundMotion.sine("x", 9.81, 2.0)])
    found, joined = [], []
    join = in_motion._joined
    monkeypatch.setattr(in_motion, "_joined", lambda *given: (joined.append(1), join(*given))[1])
    for threads in (1, 2):
        found.append(follow(wall(5, 5), case, 0.2, H, interval=H, forces=True, settings=Settings(threads=threads)))
    assert len(joined) > 5 or CORES == 1
    assert_same_bits(*found)
