"""Packings of discs and spheres, and the plates of granular tests."""

import numpy as np
import pytest

from compas_nscd.errors import InputError
from compas_nscd.templates import biaxial, packing, triaxial
from compas_nscd.templates.packing import guides
from compas_nscd.templates.parts.jammed import near


def elements(structure):
    """Centres (n, 3) and radii (n,) of the round blocks."""
    found = [block for block in structure.blocks if block.is_round]
    return np.array([block.vertices[0] for block in found]), np.array([block.radius for block in found])


def gaps(structure):
    """Least distance of two surfaces, and of a surface from the box of the elements, over the radius."""
    centre, radius = elements(structure)
    pairs = near(centre, radius, radius.max())
    apart = np.linalg.norm(centre[pairs[:, 1]] - centre[pairs[:, 0]], axis=1) - radius[pairs].sum(axis=1)
    return apart / radius.mean()


def test_a_random_packing_is_tight_and_repeatable():
    first, second, other = (packing(40, pattern="random", seed=seed) for seed in (3, 3, 4))
    assert first == second and first != other
    apart = gaps(first)
    assert apart.min() > -0.02 and (apart < 2e-3).sum() > len(elements(first)[0])
    assert elements(first)[1].mean() == pytest.approx(0.05)


@pytest.mark.parametrize("pattern, filled", [("square", np.pi / 4.0), ("hexagonal", np.pi / np.sqrt(12.0))])
def test_regular_packings_touch(pattern, filled):
    structure = packing(400, pattern=pattern)
    centre, radius = elements(structure)
    assert gaps(structure).min() == pytest.approx(0.0, abs=1e-9)
    width, _, height = np.ptp(centre, axis=0) + 2.0 * radius[0]
    assert (np.pi * radius**2).sum() / (width * height) == pytest.approx(filled, rel=0.06)


def test_plates_carry_pressure_and_move():
    sample = biaxial(30, pressure=2e4, strain=1e-3)
    centre, radius = elements(sample)
    height = np.ptp(centre[:, 2]) + 2.0 * radius[0]
    assert {load.block: load.force[0] for load in sample.case.loads} == pytest.approx(
        {"left": 2e4 * height, "right": -2e4 * height}
    )
    assert sample.case.support_motions[0].displacement[2] == pytest.approx(-1e-3 * height)
    assert guides(sample, 1e6) == {name: [0.0] + [1e10] * 5 for name in ("left", "right")}


def test_spheres_have_six_plates():
    sample = triaxial(27)
    assert sample.names[:6] == ["bottom", "top", "left", "right", "front", "back"] and sample.planar is None
    assert len(sample) == 33 and guides(sample, 1.0)["front"][1] == 0.0


def test_spheres_are_not_hexagonal():
    with pytest.raises(InputError, match="pattern"):
        triaxial(pattern="hexagonal")


def test_round_blocks_are_not_in_the_same_place():
    """A structure of points had no size, and a grid of a metre took its blocks for copies of each other."""
    assert [finding.code for finding in packing(30).report.findings] == []
