"""Deformable blocks in motion (docs/deformable.md): V72, V74 and V75 of docs/validation.md, rest, budgets, restarts."""

import numpy as np
import pytest

from compas_nscd import Elastic
from compas_nscd.loads.case import LoadCase
from dynamic_helpers import G, follow, structure_of, tilted
from solids import box

SLAB = box((-5.0, -5.0, -1.0), (10.0, 10.0, 1.0))
CUBE = box((-0.5, -0.5, 0.0))
STONE = Elastic(1e9, 0.2, "h8")


def elastic_cube(at=(-0.5, -0.5, 0.0), size=(1.0, 1.0, 1.0), elastic=STONE, **options):
    """A deformable cuboid above a slab."""
    structure = structure_of([SLAB, box(at, size)], **options)
    structure.deform(elastic, blocks=[1])
    return structure


def budget(result):
    """Energy that is neither stored nor accounted for, over the greatest energy [-], at every frame."""
    energy = result.energy
    losses = energy["friction_loss"] + energy["impact_loss"] + energy["scheme_loss"] - energy["work"]
    total = energy["kinetic"] + energy["potential"] + energy["elastic"] + losses
    return np.abs(total - total[0]) / max(np.abs(each).max() for each in energy.values())


@pytest.mark.parametrize("elements", ["uniform", "t4", "h8"])
def test_a_block_falls_lands_and_rests(elements):
    """From 5 cm in 0.101 s. At rest the face below carries the weight, and the block does not drift."""
    h = 1e-3
    result = follow(
        elastic_cube((-0.5, -0.5, 0.05), elastic=Elastic(1e9, 0.2, elements)),
        LoadCase(),
        0.6,
        h,
        interval=h,
        forces=True,
    )
    landed = result.contact_start[1:] > result.contact_start[:-1]
    assert result.times[np.argmax(landed)] == pytest.approx(np.sqrt(0.1 / G), abs=1.5 * h)
    force = result.contact_forces(result.times[-1])[2]
    assert force[:, 2].sum() == pytest.approx(2000.0 * G, rel=1e-4)
    assert np.abs(result.velocity[-1]).max() < 1e-6
    assert budget(result).max() < 1e-8
    mean = result.elastic.stress[:, 2, 2].mean()
    assert mean == pytest.approx(-0.5 * 2000.0 * G, rel=1e-3)  # half the weight over the area


@pytest.mark.parametrize("size", [1.4, 0.14, 14.0])
@pytest.mark.parametrize("mu", [0.2, 0.8])
def test_v75_a_block_on_a_slope_slides_or_sticks_whatever_its_size(mu, size):
    t, h = 0.1 * np.sqrt(size), 2e-3 * np.sqrt(size)
    slab = box((-5 * size, -5 * size, -size), (10 * size, 10 * size, size))
    structure = structure_of([slab, box((0.0, 0.0, 0.0), (size, size, 0.5 * size))], mu=mu)
    structure.deform(Elastic(1e10, 0.2, "h8"), blocks=[1])
    result = follow(structure, LoadCase(gravity=tilted(30.0)), t, h, quiet=False)
    slope = max(G * (np.sin(np.radians(30.0)) - mu * np.cos(np.radians(30.0))), 0.0)
    speed = np.linalg.norm(result.velocity[-1, 1, :2])
    assert speed == pytest.approx(slope * result.times[-1], rel=2e-3, abs=1e-5 * G * t)
