"""Slender blocks of uniform strain are told: their bending is missed."""

from types import SimpleNamespace

import numpy as np
import pytest

from compas_nscd import Elastic
from nscd_engine.statics.uniform_bending import slenderness, unbent


def model(*sides, elements="uniform", planar=None):
    """Cuboids of 1 kg with these sides [m]."""
    inertia = [np.diag([np.dot(s, s) - s[k] ** 2 for k in range(3)]) / 12.0 for s in np.array(sides, float)]
    return SimpleNamespace(
        elastic=(None, *[Elastic(1e9, elements=elements)] * (len(sides) - 1)),
        names=["block {}".format(i) for i in range(len(sides))],
        bodies=SimpleNamespace(inertia=np.array(inertia)),
        planar=planar,
    )


def test_a_lintel_is_told_a_cube_is_not():
    told = unbent(model((9, 1, 1), (1, 1, 1), (9, 1, 1), (3, 1, 1)))  # the first is rigid
    assert [each["code"] for each in told] == ["uniform_bending"] and told[0]["blocks"] == ["block 2"]
    assert unbent(model((9, 1, 1), (9, 1, 1), elements="h8")) == []
    assert unbent(SimpleNamespace(elastic=None)) == []


@pytest.mark.parametrize("planar, expected", [(None, 10.0), ((0.0, 1.0, 0.0), 2.0)])
def test_the_depth_of_a_planar_model_does_not_count(planar, expected):
    assert slenderness(model((1, 1, 1), (2, 10, 1), planar=planar), 1) == pytest.approx(expected)
