"""The stiffness matrix is minus the derivative of the equilibrium errors."""

import numpy as np
import pytest

from compas_nscd import ContactBond, ContactStiffness
from compas_nscd.templates import arch
from nscd_engine.quasistatic.stiffness import Stiffness
from springs import WEIGHTLESS, pushed, spheres, system_of, tower

LINEAR = ContactStiffness(2e6, 8e5, 3e4, 5e4)


def differences(system, unit):
    """Minus the derivative of the errors by the displacements, by central differences. (6 N, 6 N)"""
    count = 6 * len(system.moving)
    columns = []
    for k in range(count):
        sides = []
        for sign in (1.0, -1.0):
            direction = np.zeros(count)
            direction[k] = sign * unit
            system.advance(direction.reshape(-1, 6))
            system.evaluate()
            sides.append(system.residual().ravel().copy())
            system.advance(direction.reshape(-1, 6), -1.0)
        columns.append((sides[1] - sides[0]) / (2.0 * unit))
    system.evaluate()
    return np.array(columns).T


def matrix(system):
    """K, column by column. (6 N, 6 N)"""
    stiffness = Stiffness(system, 1e-9)
    stiffness.factorise()
    unit = np.eye(6 * len(system.moving))
    return np.array([stiffness.times(row.reshape(-1, 6)).ravel() for row in unit]).T


@pytest.mark.parametrize("structure", [spheres(3), arch(blocks=4)])
def test_v80_linear_contacts(structure):
    system = system_of(structure, stiffness=LINEAR, bond=ContactBond()).system
    system.evaluate()
    K = matrix(system)
    assert np.abs(K - differences(system, 1e-6)).max() < 1e-7 * np.abs(K).max()
    assert np.abs(K - K.T).max() < 1e-12 * np.abs(K).max()


def test_dry_joints_that_open_and_slide():
    """With friction's coupling, away from the corners of the law."""
    structure = tower(2, friction=0.2)
    system = system_of(structure, pushed("b2", (0.0, 0.0, 3.0), (2e4, 3e3, 0.0))).system
    rng = np.random.default_rng(3)
    system.step[system.moving] = 1e-5 * rng.standard_normal((2, 6)) - np.array([0, 0, 4e-5, 0, 0, 0]) * [[1], [2]]
    system.evaluate()
    assert set(system.state.status) == {2}
    K = matrix(system)
    assert np.abs(K - differences(system, 1e-10)).max() < 1e-6 * np.abs(K).max()
    assert np.abs(K - K.T).max() > 1e-3 * np.abs(K).max()


def test_the_factor_is_that_of_the_matrix():
    system = system_of(arch(blocks=8), stiffness=LINEAR, bond=ContactBond()).system
    system.evaluate()
    stiffness = Stiffness(system, 1e-6)
    stiffness.factorise()
    b = np.random.default_rng(1).standard_normal((len(system.moving), 6))
    x = stiffness.solve(b)
    assert np.abs(stiffness.times(x, regularised=True) - b).max() < 1e-8 * np.abs(b).max()


def test_a_rigid_motion_deforms_nothing():
    found = system_of(spheres(4), pushed(4, (4.0, 0.0, 0.0), (1.0, 0.0, 0.0), WEIGHTLESS), LINEAR, bond=ContactBond())
    system = found.system
    turn, shift = np.array([0.1, -0.2, 0.3]), np.array([1.0, 2.0, 3.0])
    system.step[:, :3] = shift + np.cross(turn, found.model.bodies.centroid)
    system.step[:, 3:] = turn
    system.evaluate()
    assert np.abs(system.state.deformation).max() < 1e-14


@pytest.mark.parametrize("planar", [None, "y"])
def test_directions_have_the_coupling_of_friction(planar):
    """Contacts slide: the direction solves the equations of the matrix that is not symmetric."""
    system = system_of(tower(3, friction=0.2, planar=planar), pushed("b3", (0.0, 0.0, 3.5), (2e4, 0.0, 0.0))).system
    system.step[system.moving, 0], system.step[system.moving, 2] = [1e-4, 2e-4, 3e-4], [-1e-4, -2e-4, -3e-4]
    system.evaluate()
    assert set(system.state.status) == {2}
    stiffness = Stiffness(system, 1e-3)
    b = system.residual()
    x = stiffness.direction(b)
    assert np.abs(stiffness.times(x, regularised=True) - b).max() < 1e-8 * np.abs(b).max()
    stiffness.factorise()
    assert np.abs(stiffness.solve(b) - x).max() > 1e-3 * np.abs(x).max()
