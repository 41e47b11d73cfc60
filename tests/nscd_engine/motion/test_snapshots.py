"""Every owner of state gives it in a snapshot, and goes on from one as if it had never stopped."""

import numpy as np
import pytest

from motion_helpers import model_of
from nscd_engine.core.settings import Settings
from nscd_engine.core.state import State, rest_state
from nscd_engine.motion.collapse_and_rest import REST_S, Movements, Rest
from nscd_engine.motion.energy import Energies
from nscd_engine.motion.moreau_jean import Scheme
from nscd_engine.motion.simulation import Simulation
from nscd_engine.motion.summary import Summary
from solids import box

pytestmark = pytest.mark.short

SLAB = box((-3.0, -3.0, -1.0), (6.0, 6.0, 1.0))


def tower():
    return model_of([SLAB] + [box((-0.5 + 0.1 * k, -0.5, 1.0 * k)) for k in range(3)], friction=0.3)


def pushed(model):
    state = rest_state(model)
    state.velocity[1:, 0] = 1.0
    return state


def same(a, b):
    """Whether nested tuples, lists and dicts of arrays and numbers have the same bits."""
    if isinstance(a, np.ndarray):
        return a.tobytes() == b.tobytes()
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b


def test_a_simulation_goes_on_from_its_snapshot_with_the_same_bits():
    model = tower()
    first = Simulation(model, Scheme(5e-3), Settings(), state=pushed(model))
    for _ in range(20):
        first.advance()
    second = Simulation(model, Scheme(5e-3), Settings())
    saved = first.snapshot()
    further = [first.advance()[:4] for _ in range(20)]
    second.restore(saved)  # which later steps have not changed
    assert second.state.time == pytest.approx(0.1)
    for k in range(20):
        assert same(second.advance()[:4], further[k]), k
    assert same(second.snapshot(), first.snapshot()) and same(second.inertia, first.inertia)


def test_a_snapshot_before_the_first_step_is_the_beginning():
    model = tower()
    first = Simulation(model, Scheme(5e-3), Settings(), state=pushed(model))
    second = Simulation(model, Scheme(5e-3), Settings())
    second.restore(first.snapshot())
    assert second.last is None and same(first.advance()[:4], second.advance()[:4])


def test_energies_and_displacements_go_on_from_a_summary():
    model = tower()
    simulation, whole = Simulation(model, Scheme(5e-3), Settings(), state=pushed(model)), Summary(model)
    rest = None
    for k in range(60):
        if k == 30:
            rest = Summary(model)
            rest.restore(whole.snapshot())
        start = simulation.state
        done = simulation.advance()
        for summary in [whole] if rest is None else [whole, rest]:
            summary.add(done, start, model, 5e-3, np.zeros(3))
    assert same(rest.snapshot(), whole.snapshot()) and whole.movements.most > 0.05
    assert whole.steps == 60 and rest.steps == 30  # counts are those of the run


def test_a_restored_owner_keeps_its_own_arrays():
    model = tower()
    for owner in (Energies(model), Movements(model)):
        saved = owner.snapshot()
        other = type(owner)(model)
        other.restore(saved)
        assert same(other.snapshot(), saved)
        for key, value in other.snapshot().items():
            assert not isinstance(value, np.ndarray) or not np.shares_memory(value, saved[key])


def test_the_time_at_rest_goes_on():
    model = tower()
    still = rest_state(model)

    def state(t):
        return State(t, still.position, still.orientation, still.velocity)

    first, second = Rest(model), Rest(model)
    assert not first.add(state(0.0)) and not first.add(state(0.6 * REST_S))
    second.restore(first.snapshot())
    assert second.add(state(1.01 * REST_S)) and not Rest(model).add(state(1.01 * REST_S))
