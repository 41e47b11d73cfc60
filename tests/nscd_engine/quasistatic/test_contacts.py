"""Forces of single contacts: joints that open about edges, friction, bonds, contacts that form."""

import numpy as np
import pytest

from compas_nscd import Block, ContactBond, ContactLaw, ContactStiffness, Structure
from springs import STIFFNESS, WEIGHTLESS, analysed, pushed, spheres, tower

WEIGHT = 2000.0 * 9.81


def test_joint_has_the_stiffness_of_its_area():
    """Weight on k A; a couple on k I of a square."""
    result = analysed(tower(1))
    assert result.displacement[1, 2] == pytest.approx(-WEIGHT / 1e9, rel=1e-6)
    case = pushed("b1", (0.1, 0.0, 2.0), (0.0, 0.0, -1e4))
    turned = analysed(tower(1), case)
    assert turned.displacement[1, 4] == pytest.approx(1e3 / (1e9 / 12.0), rel=1e-6)
    assert turned.contact_vector[0, 0] == pytest.approx(-WEIGHT - 1e4, rel=1e-8)


@pytest.mark.parametrize("share, verdict", [(0.99, "balance"), (1.01, "mechanism")])
def test_a_cube_tips_where_the_centre_of_pressure_leaves_the_joint(share, verdict):
    case = pushed("b1", (0.0, 0.0, 2.0), (share * 0.5 * WEIGHT, 0.0, 0.0))
    result = analysed(tower(1, friction=2.0), case)
    assert result.verdict == verdict
    if verdict == "mechanism":
        assert abs(result.mechanism[1, 4]) > 0.5  # it turns about y


@pytest.mark.parametrize("share, verdict", [(0.99, "balance"), (1.01, "mechanism")])
def test_a_cube_slides_at_its_friction(share, verdict):
    case = pushed("b1", (0.0, 0.0, 1.0), (share * 0.3 * WEIGHT, 0.0, 0.0))
    assert analysed(tower(1, friction=0.3), case).verdict == verdict


@pytest.mark.parametrize("share, verdict", [(0.99, "balance"), (1.01, "mechanism")])
def test_friction_resists_twisting(share, verdict):
    """A couple of forces in the joint against mu N times 2/3 of the radius of the circle with the same A and J."""
    arm = 2.0 / 3.0 * np.sqrt(2.0 / 6.0)
    force = share * 0.3 * WEIGHT * arm
    case = pushed("b1", (0.5, 0.0, 1.0), (0.0, 0.5 * force / 0.5, 0.0))
    case.add_point_load("b1", (-0.5, 0.0, 1.0), (0.0, -0.5 * force / 0.5, 0.0))
    assert analysed(tower(1, friction=0.3), case).verdict == verdict


def test_an_open_contact_of_discs_closes():
    """A gap of 1 mm; the rest of the load goes through the contact that forms."""
    blocks = [Block.sphere((0.0, 0.0, 0.0), 0.5, 1.0, support=True), Block.sphere((1.0, 0.0, 0.0), 0.5, 1.0)]
    blocks.append(Block.sphere((2.002, 0.0, 0.0), 0.5, 1.0, support=True))
    row = Structure(blocks, ContactLaw(0.5), "row")
    stiffness = ContactStiffness(1e5, 1e5)
    case = pushed(1, (1.0, 0.0, 0.0), (1000.0, 0.0, 0.0), WEIGHTLESS)
    bond = ContactBond()
    result = analysed(row, case, stiffness=stiffness, bond=bond)
    moved = result.displacement[1, 0]
    assert len(result.interface_body) == 2
    assert 1e5 * moved + 1e5 * (moved - 0.002) == pytest.approx(1000.0, rel=1e-6)


def test_a_column_of_discs_is_singular_and_in_balance():
    blocks = [Block.disc((0.0, 0.0, float(k)), 0.5, 1.0, 1000.0, support=k == 0) for k in range(5)]
    column = Structure(blocks, ContactLaw(0.5), "column", planar="y")
    for method in ("serrano", "bagi_bojtar", "kishino"):
        result = analysed(column, method=method, tolerance=1e-6)
        assert result.verdict == "balance", method


@pytest.mark.parametrize(
    "strength, direction",
    [({"tension": 99.0}, (1, 0, 0)), ({"shear": 99.0}, (0, 0, 1)), ({"bending": 349.0}, (0, 0, 1))],
)
def test_bonds_break(strength, direction):
    """Load 100 N; the bending moment of the first contact is 100 N times 3.5 m."""
    case = pushed(4, (4.0, 0.0, 0.0), 100.0 * np.array(direction), WEIGHTLESS)
    stiffness = ContactStiffness(1e6, 1e6, 1e6, 1e6)
    held = analysed(spheres(4), case, stiffness=stiffness, bond=ContactBond())
    broken = analysed(spheres(4), case, stiffness=stiffness, bond=ContactBond(**strength), halvings=2)
    assert held.verdict == "balance" and broken.verdict == "mechanism"
    stronger = {key: 2.02 / 1.99 * value for key, value in strength.items()}
    assert analysed(spheres(4), case, stiffness=stiffness, bond=ContactBond(**stronger)).verdict == "balance"


def test_twisting_breaks_a_bond():
    case = pushed(2, (2.0, 0.5, 0.0), (0.0, 0.0, 50.0), WEIGHTLESS)
    case.add_point_load(2, (2.0, -0.5, 0.0), (0.0, 0.0, -50.0))
    stiffness = ContactStiffness(1e6, 1e6, 1e6, 1e6)
    for strength, verdict in ((51.0, "balance"), (49.0, "mechanism")):
        found = analysed(spheres(2), case, stiffness=stiffness, bond=ContactBond(twisting=strength), halvings=2)
        assert found.verdict == verdict


def test_a_broken_bond_keeps_friction():
    """A cube on a weak bond leaves the kern: the bond breaks, and weight and friction hold the cube."""
    case = pushed("b1", (0.0, 0.0, 2.0), (0.3 * WEIGHT, 0.0, 0.0))
    result = analysed(tower(1, friction=0.6), case, bond=ContactBond(bending=1.0, tension=1.0))
    assert result.verdict == "balance" and result.summary["broken_bonds"] == 1
    assert result.contact_vector[0, 0] == pytest.approx(-WEIGHT, rel=1e-6)


def test_laws_with_cohesion_are_bonds():
    case = pushed("b1", (0.0, 0.0, 2.0), (0.0, 0.0, 2.0 * WEIGHT))
    dry = tower(1)
    assert analysed(dry, case, halvings=1).verdict == "mechanism"
    dry.law = ContactLaw(0.6, "mohr_coulomb", cohesion=1e6, tension=1e6)
    assert analysed(dry, case, stiffness=STIFFNESS).verdict == "balance"
