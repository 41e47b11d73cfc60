"""Loads and accelerations that vary in time: a step gets their mean."""

import numpy as np
import pytest

from compas_nscd.loads.body_acceleration import BodyAcceleration
from compas_nscd.loads.case import LoadCase
from dynamic_helpers import follow, structure_of
from nscd_engine.core.loads import History, mean_over
from solids import box

SLAB = box((-3.0, -3.0, -1.0), (6.0, 6.0, 1.0))
#: A pulse of 1 ms with ramps of 0.1 ms: times [s] and values [-]. Its integral is 0.9 ms.
PULSE = [0.0122, 0.0123, 0.0131, 0.0132], [0.0, 1.0, 1.0, 0.0]
INTEGRAL = 0.9e-3


def test_the_mean_of_a_table_is_that_of_its_pieces():
    rng = np.random.default_rng(0)
    history = History(np.sort(rng.uniform(0.0, 1.0, 20)).tolist(), rng.normal(size=(20, 3)))
    for t, h in rng.uniform((-0.2, 0.01), (1.1, 0.9), (20, 2)):
        fine = np.linspace(t, t + h, 200001)
        values = np.stack([np.interp(fine, history.times, column) for column in history.values.T], axis=1)
        # The rule of trapezoids misses at most one cell at each of the knots.
        np.testing.assert_allclose(mean_over(history, t, h), np.trapezoid(values, fine, axis=0) / h, atol=1e-6)


@pytest.mark.parametrize("h", [5e-3, 1e-3, 1e-4])
@pytest.mark.parametrize("kind", ["load", "acceleration"])
def test_v61_a_pulse_shorter_than_the_step_keeps_its_impulse(kind, h):
    structure, case = structure_of([SLAB, box((-0.5, -0.5, 0.0))], mu=0.0), LoadCase()
    if kind == "load":
        case.add_point_load(1, (0.0, 0.0, 0.5), (2000.0 * 5.0, 0.0, 0.0), history=PULSE)  # 5 m/s2 of 2000 kg
    else:
        case.accelerations.append(BodyAcceleration("x", PULSE[0], [5.0 * value for value in PULSE[1]]))
    result = follow(structure, case, 0.02, h, quiet=False)
    # The tolerance of the contacts turns the block by rounding only: the impulse is exact.
    assert result.velocity[-1, 1, 0] == pytest.approx(5.0 * INTEGRAL, rel=1e-9)
