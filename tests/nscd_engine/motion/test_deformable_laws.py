"""Deformable blocks in motion with restitution, bonds, other laws and cables, against rigid blocks and closed forms."""

import numpy as np
import pytest

from compas_nscd import Elastic
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.loads.cable import Cable
from compas_nscd.loads.case import LoadCase
from compas_nscd.loads.point_load import PointLoad
from dynamic_helpers import G, follow, structure_of, tilted
from energy_budget import budget
from solids import box

SLAB, CUBE, ROOF = box((-1, -1, -1), (3, 3, 1)), box(), box((-1, -1, 1), (3, 3, 1))
WEIGHT = 2000.0 * G
STONE = Elastic(1e10, 0.2, "h8")


def moved(solids, law, elastic=STONE, case=None, duration=0.1, h=1e-3, **options):
    """Motion of block 1, rigid if `elastic` is None."""
    structure = structure_of(solids)
    structure.law = law
    structure.deform(elastic, blocks=[1])
    return follow(structure, case, duration, h, quiet=False, **dict({"interval": h}, **options))


# -- restitution -------------------------------------------------------------------------------------------------------


def thrown(elastic, restitution, duration=0.2, gravity=(0.0, 0.0, -G), **options):
    """A cube that hits a slab with 2 m/s."""
    case = LoadCase(gravity=gravity)
    case.set_velocity(1, (0.0, 0.0, -2.0))
    return moved([SLAB, box((0, 0, 0.1))], ContactLaw(0.5), elastic, case, duration, restitution=restitution, **options)


@pytest.mark.parametrize("restitution", [pytest.param(0.3, marks=pytest.mark.slow), 0.8])
def test_a_stiff_block_bounces_as_a_rigid_one(restitution):
    stiff, rigid = (thrown(each, restitution, 0.1) for each in (Elastic(1e14, 0.2, "h8"), None))
    assert rigid.velocity[-1, 1, 2] > 0.1
    np.testing.assert_allclose(stiff.velocity[:, 1, 2], rigid.velocity[:, 1, 2], atol=2e-3)


@pytest.mark.parametrize("theta", [0.5, 1.0])
def test_v64_a_bouncing_elastic_block_gains_no_energy(theta):
    """Its faces rebound by Newton's law, the block by its elasticity: neither creates energy. Without gravity, which
    the step of an impact takes with the velocity at its end."""
    result = thrown(Elastic(1e8, 0.2, "h8"), 1.0, gravity=(0.0, 0.0, 0.0), theta=theta)
    held = result.energy["kinetic"] + result.energy["elastic"]
    assert np.diff(held).max() < 1e-9 * held[0]
    assert budget(result).max() < 1e-8
    assert result.velocity[-1, 1, 2] > 0.1 and result.energy["elastic"].max() > 0.1 * held[0]


# -- bonds -------------------------------------------------------------------------------------------------------------

#: Without Poisson's effect: a block that is pulled would contract, and shear the bond that holds its face.
STRAIGHT = Elastic(1e10, 0.0, "h8")


def test_a_bonded_block_hangs_or_falls():
    """It begins in its elastic balance: a load that is there from the start does not overshoot, and 1 % decides."""
    for share, falls in ((1.01, False), (0.99, True)):
        law = ContactLaw(0.5, "brittle", cohesion=WEIGHT, tension=share * WEIGHT)
        down = -moved([ROOF, CUBE], law, STRAIGHT).displacement(1)[-1, 2]
        assert down == pytest.approx(0.5 * G * 0.1**2 if falls else 0.0, abs=2e-3 if falls else 3e-6)


def break_time(elastic):
    """Time [s] at which a pull that grows tears a block off, and the motion."""
    law = ContactLaw(0.5, "brittle", cohesion=10 * WEIGHT, tension=3 * WEIGHT)
    history = ([0.0, 0.2], [0.0, 4.0])
    case = LoadCase(loads=[PointLoad(1, (0.5, 0.5, 0.5), (0.0, 0.0, -WEIGHT), history)])
    result = moved([ROOF, CUBE], law, elastic, case, 0.15)
    return result.times[np.argmax(result.velocity[:, 1, 2] < -0.5 * G * 1e-3 * 2)], result


def test_a_bond_breaks_when_that_of_a_rigid_block_does():
    (rigid, _), (elastic, result) = break_time(None), break_time(STRAIGHT)
    assert 0.05 < rigid < 0.14
    assert elastic == pytest.approx(rigid, abs=1.5e-3)
    assert budget(result).max() < 1e-6
    assert result.energy["elastic"].max() > 0.0


@pytest.mark.slow
def test_a_bond_of_refined_blocks_holds_at_the_nodes_of_their_faces():
    law = ContactLaw(0.5, "brittle", cohesion=10 * WEIGHT, tension=4 * WEIGHT)
    result = moved([ROOF, CUBE], law, Elastic(1e9, 0.2, "h8", 2), duration=0.02, forces=True)
    assert np.abs(result.velocity).max() < 1e-5
    force = result.contact_forces(result.times[-1])[2]
    assert len(force) >= 9
    assert np.abs(force[:, 2].sum()) == pytest.approx(WEIGHT, rel=1e-3)
    assert result.elastic.stress[:, 2, 2].mean() == pytest.approx(0.5 * WEIGHT, rel=1e-2)  # it is pulled


FRACTURE = {"normal_fracture": 20.0, "tangential_fracture": 20.0}
LAWS = {
    "mohr_coulomb": ContactLaw(0.5, "mohr_coulomb", cohesion=WEIGHT, tension=0.9 * WEIGHT),
    "damage": ContactLaw(0.5, "damage", cohesion=WEIGHT, tension=0.95 * WEIGHT, **FRACTURE),
    "elastic": ContactLaw(0.5, "elastic", normal_stiffness=1e8, tangential_stiffness=4e7),
    "viscous": ContactLaw(0.6, "viscous", viscosity=1e5),
    "cap": ContactLaw(0.5, compression=0.8 * WEIGHT),
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(each, marks=pytest.mark.slow) if each not in ("elastic", "viscous") else each for each in LAWS],
)
def test_laws_move_a_stiff_block_as_a_rigid_one(name):
    """The same motion, to what a stiff block gives way by; bonds hang from a roof, others rest on a slope."""
    hangs = name in ("mohr_coulomb", "damage")
    solids = [ROOF, CUBE] if hangs else [SLAB, CUBE]
    case = LoadCase() if hangs else LoadCase(gravity=tilted(15.0))
    if name == "elastic":
        case.set_velocity(1, (0.01, 0.0, 0.0))  # both begin as drawn
    stiff, rigid = (moved(solids, LAWS[name], each, case) for each in (Elastic(1e12, 0.2, "h8"), None))
    way = np.abs(rigid.displacement(1)).max()
    assert way > 1e-4
    np.testing.assert_allclose(stiff.displacement(1), rigid.displacement(1), atol=0.02 * way)
    assert budget(stiff).max() < 1e-6


def test_springs_of_joints_begin_in_their_balance():
    """Normal and tangential ones: the block does not move from where it was found at rest."""
    law = ContactLaw(0.5, "elastic", normal_stiffness=1e9, tangential_stiffness=4e8)
    result = moved([SLAB, CUBE], law, Elastic(1e9, 0.2, "h8"), LoadCase(gravity=tilted(15.0)), 0.03)
    assert np.abs(result.velocity).max() < 1e-4 * G * 1e-3 * 100
    way = WEIGHT * np.sin(np.radians(15.0)) / 4e8
    assert result.displacement(1)[0, 0] < -0.9 * way


# -- cables ------------------------------------------------------------------------------------------------------------


def hung(elastic, strength=None, duration=0.15):
    """A cube on two cables below a roof, beyond its reach, that begins as drawn."""
    case = LoadCase(cables=[_cable(x, strength) for x in (0.0, 1.0)])
    case.set_velocity(1, (0.0, 0.0, -0.1))
    return moved([box((-1, -1, 3), (3, 3, 1)), CUBE], ContactLaw(0.5), elastic, case, duration)


def _cable(x, strength):
    return Cable((0, 1), [(x, 0.5, 3.0), (x, 0.5, 1.0)], stiffness=5e6, strength=strength)


@pytest.mark.parametrize("strength", [pytest.param(None, marks=pytest.mark.slow), 0.7 * WEIGHT])
def test_a_block_on_cables_swings_and_yields_as_a_rigid_one(strength):
    stiff, rigid = (hung(each, strength) for each in (Elastic(1e12, 0.2, "h8"), None))
    way = np.abs(rigid.displacement(1)).max()
    np.testing.assert_allclose(stiff.displacement(1), rigid.displacement(1), atol=5e-3 * way)
    np.testing.assert_allclose(stiff.cable_forces, rigid.cable_forces, atol=5e-3 * WEIGHT)
    assert budget(stiff).max() < 1e-6


def test_cables_stretch_a_soft_block_where_they_pull():
    """Two cables at opposite faces, without weight: E strain = F / A, of the block between them."""
    left, right = box((-3, 0, 0)), box((3, 0, 0))
    corners = [(y, z) for y in (0.0, 1.0) for z in (0.0, 1.0)]
    cables = [Cable((0, 1), [(-2.0, y, z), (0.0, y, z)], stiffness=1e8, prestress=1e5) for y, z in corners]
    cables += [Cable((2, 1), [(3.0, y, z), (1.0, y, z)], stiffness=1e8, prestress=1e5) for y, z in corners]
    structure = structure_of([left, CUBE, right], supports=(0, 2))
    structure.deform(Elastic(1e9, 0.0, "h8", damping=(0.0, 1e-3)), blocks=[1])
    result = follow(structure, LoadCase(gravity=(0, 0, 0), cables=cables), 0.05, 1e-3, quiet=False)
    force = result.cable_forces[-1]
    assert force == pytest.approx(force[0], rel=1e-6) and force[0] > 5e4
    assert result.elastic.stress[0, 0, 0] == pytest.approx(4 * force[0], rel=1e-3)
