"""Loads of motions with deformable blocks: water, settlements, ground motion with bonds, histories, restarts."""

import numpy as np
import pytest

from compas_nscd import Elastic
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.loads.body_acceleration import BodyAcceleration
from compas_nscd.loads.cable import Cable
from compas_nscd.loads.case import LoadCase
from compas_nscd.loads.ground_motion import GroundMotion
from compas_nscd.loads.support_motion import SupportMotion
from compas_nscd.loads.water import Water
from dynamic_helpers import G, follow, structure_of
from energy_budget import budget
from solids import box

SLAB, CUBE = box((-1, -1, -1), (3, 3, 1)), box()
WEIGHT = 2000.0 * G
STONE, STIFF = Elastic(1e10, 0.2, "h8"), Elastic(1e12, 0.2, "h8")


def both(structure, case, duration, h=1e-3, **options):
    """Motions with the free blocks stiff, and rigid."""
    results = []
    for elastic in (STIFF, None):
        structure.deform(elastic)
        results.append(follow(structure, case, duration, h, quiet=False, **options))
    return results


def test_water_lifts_a_block_that_lies_in_it():
    """The slab carries the weight less the lift, and the block is less compressed."""
    structure = structure_of([SLAB, CUBE])
    structure.deform(STONE)
    result = follow(structure, LoadCase(water=Water(5.0)), 0.02, 1e-3, quiet=False, forces=True)
    assert result.contact_forces(result.times[-1])[2][:, 2].sum() == pytest.approx(1000.0 * G, rel=1e-4)
    assert result.elastic.stress[0, 2, 2] == pytest.approx(-0.5 * 1000.0 * G, rel=1e-3)
    assert np.abs(result.velocity).max() < 1e-8  # it begins in its balance under water


def test_a_current_pushes_a_stiff_block_as_a_rigid_one():
    stiff, rigid = both(structure_of([SLAB, CUBE], mu=0.2), LoadCase(water=Water(5.0, flow=(4.0, 0, 0))), 0.1)
    assert rigid.displacement(1)[-1, 0] > 5e-3
    np.testing.assert_allclose(stiff.displacement(1), rigid.displacement(1), atol=1e-4)


def test_a_lintel_follows_a_support_that_settles():
    """As a rigid one, to its elastic deflection; the supports do the work."""
    solids = [box((0, 0, 0)), box((3, 0, 0)), box((0, 0, 1), (4, 1, 0.5))]
    case = LoadCase(support_motions=[SupportMotion(1, (0.0, 0.0, -0.05), 0.2)])
    stiff, rigid = both(structure_of(solids, supports=(0, 1)), case, 0.3, 2e-3)
    assert rigid.displacement(2)[-1, 2] == pytest.approx(-0.02, abs=0.01)
    np.testing.assert_allclose(stiff.displacement(2), rigid.displacement(2), atol=2e-4)
    assert budget(stiff).max() < 1e-5


def test_an_acceleration_slides_a_stiff_block_as_a_rigid_one():
    case = LoadCase(accelerations=[BodyAcceleration((1.0, 0.0, 0.0), [0.0, 0.05, 0.1], [0.0, 0.9 * G, 0.9 * G])])
    stiff, rigid = both(structure_of([SLAB, CUBE]), case, 0.1)
    assert rigid.displacement(1)[-1, 0] > 5e-3
    np.testing.assert_allclose(stiff.displacement(1), rigid.displacement(1), atol=1e-4)


def bonded_column(duration, **options):
    """Three bonded blocks with a cable to the ground, shaken so that bonds break."""
    structure = structure_of([SLAB] + [box((0, 0, float(k))) for k in range(3)])
    structure.law = ContactLaw(0.5, "brittle", cohesion=3e5, tension=1.8e5)
    structure.deform(STONE, blocks=[1, 3])
    ground = GroundMotion("sine", (1.0, 0.0, 0.0), acceleration=6.0, frequency=3.0, duration=0.3)
    cables = [Cable((0, 3), [(-0.9, 0.5, -0.5), (0.0, 0.5, 2.5)], stiffness=1e7, prestress=1e3)]
    return follow(structure, LoadCase(ground=ground, cables=cables), duration, 1e-3, quiet=False, **options)


def test_bonds_break_on_shaking_ground_and_the_motion_goes_on_from_a_checkpoint():
    """Mixed rigid and deformable blocks with bonds and a cable; the same bits after a restart."""
    whole, first = bonded_column(0.12), bonded_column(0.06)
    second = bonded_column(0.06, restart=first)
    assert 0.0 < whole.bond_left.mean() < 1.0
    assert budget(whole).max() < 1e-4
    for key in ("position", "velocity", "cable_forces"):
        assert getattr(second, key)[-1].tobytes() == getattr(whole, key)[-1].tobytes(), key
    assert second.elastic.displacement.tobytes() == whole.elastic.displacement.tobytes()
