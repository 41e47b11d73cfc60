"""Boxes that are not numbers: the broad phase skips them and finds all other pairs."""

import numpy as np
import pytest

from nscd_engine.kernels.contacts.broad_phase import morton_code, touching_pairs

pytestmark = pytest.mark.short


def row_of_boxes(count):
    lower = np.zeros((count, 3))
    lower[:, 0] = np.arange(count)
    return lower, lower + 1.0


@pytest.mark.parametrize("count", [1, 2, 3, 5, 17, 33])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_box_that_is_no_box_touches_none(count, bad):
    """With a number of boxes that is no power of two a NaN would lead to leaves that are not there."""
    lower, upper = row_of_boxes(count)
    sound = touching_pairs(lower, upper, np.zeros(count, bool))
    assert len(sound) == count - 1
    for k in range(count):
        low, high = lower.copy(), upper.copy()
        low[k, 1] = np.nan
        high[k, 2] = -np.inf if bad == np.inf else bad
        found = touching_pairs(low, high, np.zeros(count, bool))
        assert found.tolist() == [pair for pair in sound.tolist() if k not in pair]


def test_boxes_without_end_touch_all():
    lower, upper = row_of_boxes(5)
    lower[2], upper[2] = -np.inf, np.inf
    assert sum(2 in pair for pair in touching_pairs(lower, upper, np.zeros(5, bool)).tolist()) == 4


def test_codes_of_points_that_are_not_finite():
    points = np.array([[0.0, 1.0, 2.0], [np.nan, np.inf, -np.inf], [3.0, 3.0, 3.0]])
    with np.errstate(all="raise"):
        assert len(morton_code(points)) == 3
