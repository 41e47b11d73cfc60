"""Vibration modes and condensation."""

import numpy as np
import pytest
from scipy.sparse.linalg import spsolve

from compas_nscd.errors import InputError
from detection import run, turn
from elastic_blocks import BOX, CORNER, Y, wedge
from nscd_engine.core.elastic import Elastic
from nscd_engine.deformable.body import deformable_body
from nscd_engine.deformable.condense import condensed
from nscd_engine.deformable.modes import assembly_modes, block_modes
from nscd_engine.deformable.patches import element_contacts

YOUNG, DENSITY = 1e9, 2000.0
SPEED = (YOUNG / DENSITY) ** 0.5


def bar(length=2.0, width=0.05, kind="h8", refine=8, axis=None, mass="consistent", at=(0.0, 0.0, 0.0)):
    vertices = CORNER * [length, width, width] + at
    return deformable_body(0, vertices, BOX, DENSITY, Elastic(YOUNG, 0.0, kind, refine, mass), axis)


def axial(body, modes):
    """Frequencies of the modes along x [Hz]."""
    share = (modes.shape[0][:, :, 0] ** 2).sum(axis=1) / (modes.shape[0] ** 2).sum(axis=(1, 2))
    return modes.frequency[share > 0.99]


@pytest.mark.parametrize("kind, axis", [("h8", None), ("t3", Y)])
def test_axial_vibration_of_a_free_bar(kind, axis):
    """V73: f = c / 2L; consistent mass is above by (pi / n)^2 / 24, lumped below by it."""
    body = bar(length=0.5, width=0.25, kind=kind, refine=8, axis=axis)
    [first, *_] = axial(body, block_modes(body, 20))
    exact = SPEED / (2.0 * 0.5)
    assert exact < first < exact * (1.0 + 1.2 * (np.pi / 8.0) ** 2 / 24.0)
    lumped = bar(length=0.5, width=0.25, kind=kind, refine=8, axis=axis, mass="lumped")
    [first, *_] = axial(lumped, block_modes(lumped, 20))
    assert exact * (1.0 - 1.2 * (np.pi / 8.0) ** 2 / 24.0) < first < exact


def test_uniform_block_has_six_elastic_modes():
    """The axial ones are c / L sqrt(12) / (2 pi): one element with its exact second moment."""
    body = bar(kind="uniform", refine=1)
    modes = block_modes(body, 10)
    assert len(modes.frequency) == 6
    assert 12.0**0.5 / (2.0 * np.pi) * SPEED / 2.0 == pytest.approx(axial(body, modes)[0])


def test_modes_are_orthogonal_and_of_unit_mass():
    body = bar(length=0.5, width=0.2, refine=3)
    shape = block_modes(body, 5).shape[0].reshape(5, -1)
    assert shape @ body.mass @ shape.T == pytest.approx(np.eye(5), abs=1e-8)


@pytest.mark.parametrize("axis", [None, Y])
def test_assembly_of_tied_blocks_is_one_bar(axis):
    """Four blocks on a support, joints closed: a bar clamped at its foot, f = c / 4L."""
    solids = [(CORNER * [0.5, 0.5, 0.5] + [0.0, 0.0, 0.5 * k], BOX) for k in range(5)]
    model, found = run(solids)
    material = Elastic(YOUNG, 0.0, "h8" if axis is None else "t3", 1 if axis is None else 2)
    bodies = [None] + [deformable_body(k, solids[k][0], BOX, DENSITY, material, axis) for k in range(1, 5)]
    _, contacts = element_contacts(found.interfaces, found.contacts, bodies)
    modes = assembly_modes(model.bodies, bodies, contacts, axis, 8)
    moved = np.abs(np.array(modes.shape[1:])).max(axis=(0, 2))  # (K, 3)
    up = moved[:, 2] > 10.0 * moved[:, 0]
    exact = SPEED / (4.0 * 2.0)
    assert modes.frequency[up][0] == pytest.approx(exact, rel=0.01)
    assert not modes.shape[0].any()


def test_rigid_block_on_an_elastic_one():
    """Mass on a spring: omega^2 = E A / (L (M + m / 3)), with a rigid block of great mass."""
    solids = [(CORNER * 0.5 + [0.0, 0.0, 0.5 * k], BOX) for k in range(3)]
    model, found = run(solids)
    heavy = model.bodies._replace(mass=model.bodies.mass * 50.0, inertia=model.bodies.inertia * 50.0)
    elastic = deformable_body(1, solids[1][0], BOX, DENSITY, Elastic(YOUNG, 0.0, "h8", 2))
    _, contacts = element_contacts(found.interfaces, found.contacts, [None, elastic, None])
    modes = assembly_modes(heavy, [None, elastic, None], contacts, None, 6)
    stiff, mass = YOUNG * 0.5, DENSITY * 0.125
    exact = (stiff / (50.0 * mass + mass / 3.0)) ** 0.5 / (2.0 * np.pi)
    assert np.abs(modes.frequency / exact - 1.0).min() < 1e-3


def test_nothing_vibrates_if_all_are_rigid():
    model, found = run([(CORNER + [0.0, 0.0, k], BOX) for k in range(2)])
    with pytest.raises(InputError, match="elastic"):
        assembly_modes(model.bodies, [None, None], found.contacts)


@pytest.mark.parametrize("kind, axis", [("h8", None), ("t4", None), ("t3", Y)])
def test_condensation_gives_the_displacement_of_the_whole(kind, axis):
    body = deformable_body(0, wedge(), BOX, DENSITY, Elastic(YOUNG, 0.2, kind, 3), axis)
    matrix = (body.mass + 1e-4 * body.stiffness).tocsr()
    force = np.random.default_rng(2).normal(size=body.mesh.node.shape)
    kept = np.flatnonzero(body.mesh.node[:, 2] < 5.0 + 1e-9)
    small = condensed(matrix, kept)
    assert small.matrix.shape == (3 * len(kept), 3 * len(kept))
    at = np.linalg.solve(small.matrix, small.force(force).ravel()).reshape(-1, 3)
    exact = spsolve(matrix.tocsc(), force.ravel()).reshape(-1, 3)
    assert np.abs(small.displacement(at, force) - exact).max() < 1e-10 * np.abs(exact).max()
    assert np.linalg.eigvalsh(small.matrix)[0] > 0.0


KINDS = [("uniform", None), ("t4", None), ("h8", None), ("uniform", Y), ("t3", Y)]


def frequencies(vertices, kind, axis, faces=BOX, refine=2, mass="lumped"):
    material = Elastic(YOUNG, 0.3, kind, refine, mass)
    return block_modes(deformable_body(0, vertices, faces, DENSITY, material, axis), 4).frequency


@pytest.mark.parametrize("kind, axis", KINDS)
def test_frequencies_do_not_depend_on_axes_units_and_numbering(kind, axis):
    """Turned, mirrored, with vertices permuted; in millimetres they are 1000 times as high."""
    vertices = wedge()
    exact = frequencies(vertices, kind, axis)
    turned = turn(1, 37.0) if axis is not None else turn(2, 20.0) @ turn(0, 37.0)
    assert frequencies(vertices @ turned.T, kind, axis) == pytest.approx(exact, rel=1e-9)
    mirrored = tuple(face[::-1] for face in BOX)
    assert frequencies(vertices * [-1.0, 1.0, 1.0], kind, axis, mirrored) == pytest.approx(exact, rel=1e-9)
    order = np.random.default_rng(5).permutation(8)
    renamed = tuple(tuple(np.argsort(order)[list(face)].tolist()) for face in reversed(BOX))
    assert frequencies(vertices[order], kind, axis, renamed) == pytest.approx(exact, rel=1e-9)
    assert frequencies(vertices / 1000.0, kind, axis) == pytest.approx(1000.0 * exact, rel=1e-9)


@pytest.mark.parametrize("kind, axis, steps, least", [
    ("h8", None, (2, 4, 8), 1.7),
    ("t3", Y, (4, 8, 16), 1.7),
    pytest.param("t4", None, (2, 4, 8), 1.2, marks=pytest.mark.slow),
])  # fmt: skip
def test_frequencies_converge_with_the_square_of_the_size(kind, axis, steps, least):
    """Halving elements takes off nearly three quarters of the error; tetrahedra get there with smaller elements.

    A lumped mass would hide part of the error on coarse meshes.
    """
    found = [frequencies(wedge(), kind, axis, refine=n, mass="consistent")[0] for n in steps]
    order = np.log2((found[0] - found[1]) / (found[1] - found[2]))
    assert least < order < 2.3
