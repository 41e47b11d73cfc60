"""Random assemblies against an independent cone program: verdict and multiplier, with and without self-stress."""

import numpy as np
import pytest

from analysed import analyse
from compas_nscd.validation.assemblies import random_assembly
from limits import ask

pytest.importorskip("clarabel")

from cone_program import Problem


@pytest.mark.parametrize("clamped", [False, True])
def test_verdicts_are_those_of_a_cone_program(clamped):
    """Some forces in friction cones balance the loads, or none do. Loads act in the plane: no joint twists."""
    told = []
    for seed in range(30):
        structure, case = random_assembly(seed, clamped, in_plane=True)
        expected = Problem(structure, case).stands()
        if expected is not None:  # too near the limit for either
            told.append(expected)
            assert (analyse(structure, case).verdict == "stable") == expected, seed
    assert 5 <= sum(told) <= len(told) - 3  # both verdicts occur


@pytest.mark.parametrize("clamped", [False, True])
def test_multipliers_are_those_of_a_cone_program(clamped):
    compared = 0
    for seed in range(100, 112):
        structure, case = random_assembly(seed, clamped, in_plane=True)
        case.gravity = (0.0, 0.0, -9.81)
        case.loads = []
        expected = Problem(structure, case).most_acceleration((1.0, 0.0, 0.0))
        found = ask(structure, "acceleration:x", case, coulomb=False).multiplier_associated
        if expected is not None and np.isfinite(expected):
            assert found == pytest.approx(expected, rel=1e-4), seed
            compared += 1
        elif expected is not None:
            assert found == np.inf, seed
    assert compared >= 6
