"""The length of steps, without a motion."""

from types import SimpleNamespace

import numpy as np
import pytest

from nscd_engine.motion.step_control import DEEP, DEEP_PARTS, DIFFICULT, DIFFICULT_PARTS, EASY, LOSS, StepControl

pytestmark = pytest.mark.short

H = 4e-3
SIZE = np.array([1.0, 2.0])


def step(factorizations=0, overlap=0.0):
    """A step with one contact."""
    contacts = SimpleNamespace(gap=np.array([-overlap]), body=np.array([[0, 1]]))
    return SimpleNamespace(contacts=contacts, report=SimpleNamespace(factorizations=factorizations))


def lengths(control, steps):
    """Lengths of steps of these kinds, over the step asked for."""
    found = []
    for done in steps:
        found.append(control.length(1.0) / H)
        control.adapt(done, SIZE, 0.0)
    return found


def test_a_fixed_step_stays_as_long_as_it_is():
    assert lengths(StepControl(H, False), [step(DIFFICULT + 1, 1.0)] * 3) == [1.0, 1.0, 1.0]


def test_the_last_step_ends_the_motion_and_rounding_makes_no_step():
    control = StepControl(H, False)
    assert control.length(0.3 * H) == 0.3 * H
    assert control.length(H * (1.0 - 1e-12)) == H and control.length(H * (1.0 + 1e-12)) == H


def test_difficult_steps_are_halved_down_to_a_quarter_and_deep_overlaps_further():
    assert lengths(StepControl(H, True), [step(DIFFICULT + 1)] * 4) == [1.0, 0.5, 0.25, 1.0 / DIFFICULT_PARTS]
    deep = lengths(StepControl(H, True), [step(overlap=2.0 * DEEP)] * 9)
    assert deep == [0.5**k for k in range(7)] + [1.0 / DEEP_PARTS] * 2


def test_steps_between_easy_and_difficult_keep_their_length():
    control = StepControl(H, True)
    assert lengths(control, [step(overlap=2.0 * DEEP)] + [step(EASY)] * 4 + [step(DIFFICULT)] * 2)[1:] == [0.5] * 6


@pytest.mark.parametrize("seed", range(5))
def test_multiples_of_the_step_asked_for_are_always_reached(seed):
    """A longer step begins at a multiple of itself."""
    rng, control, t = np.random.default_rng(seed), StepControl(H, True), 0
    for _ in range(2000):
        parts = round(control.length(1.0) / H * DEEP_PARTS)
        assert t % parts == 0
        t += parts
        done = step(int(rng.integers(0, 40)), float(rng.choice([0.0, 0.0, 2.0 * DEEP])))
        control.adapt(done, SIZE, float(rng.choice([0.0, 2.0 * LOSS])))


def test_a_snapshot_goes_on_with_the_same_lengths():
    steps = [step(overlap=2.0 * DEEP)] * 3 + [step()] * 20
    whole = lengths(StepControl(H, True), steps)
    first, second = StepControl(H, True), StepControl(H, True)
    begin = lengths(first, steps[:5])
    second.restore(first.snapshot())
    assert begin + lengths(second, steps[5:]) == whole


@pytest.mark.parametrize("time_step, adaptive", [(2.0 * H, True), (H, False)])
def test_a_snapshot_of_another_step_is_not_taken_over(time_step, adaptive):
    first, second = StepControl(H, True), StepControl(time_step, adaptive)
    lengths(first, [step(overlap=2.0 * DEEP)] * 3)
    second.restore(first.snapshot())
    assert second.length(1.0) == time_step


def test_steps_that_lose_energy_are_halved_and_grow_back_when_little_is_lost():
    control, found = StepControl(H, True), []
    for loss in [2.0 * LOSS] * 3 + [0.9 * LOSS] * 2 + [0.0] * 12:
        found.append(control.length(1.0) / H)
        control.adapt(step(), SIZE, loss)
    assert found[:6] == [1.0, 0.5, 0.25, 0.125, 0.125, 0.125] and found[-1] == 1.0
