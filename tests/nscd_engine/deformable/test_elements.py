"""Elements: constant strain, rigid motion, bending, and matrices of scikit-fem."""

import numpy as np
import pytest
from scipy.sparse.linalg import spsolve

from elastic_blocks import BOX, CORNER, Y, box, prism, skew, wedge
from nscd_engine.core.elastic import Elastic
from nscd_engine.deformable.assembly import assembled
from nscd_engine.deformable.body import deformable_body
from nscd_engine.deformable.elements import (
    constant_strain,
    h8_mass,
    h8_stiffness,
    hexahedral,
    lame,
    simplex_mass,
    stiffness,
)
from nscd_engine.deformable.stress import mean_stress, principal, stresses, tensors

YOUNG, POISSON, DENSITY = 1e9, 0.25, 2000.0
SPACE = [("uniform", 1), ("t4", 1), ("t4", 2), ("h8", 1), ("h8", 3)]
PLANE = [("uniform", 1), ("t3", 1), ("t3", 2), ("t3", 3), ("t4", 2), ("h8", 2)]
SLOPE = np.random.default_rng(7).normal(size=(3, 3))


def body_of(vertices, kind, refine=1, axis=None, faces=BOX, **options):
    elastic = Elastic(YOUNG, POISSON, kind, refine, **options)
    return deformable_body(0, vertices, faces, DENSITY, elastic, axis, "stone")


def strained(body, across=np.eye(3)):
    """Displacement of the nodes in a field of constant gradient, without the axis of a planar model."""
    return (body.mesh.node - body.centroid) @ (across @ SLOPE.T @ across)


def isotropic(strain):
    """Stress of a strain by Hooke's law with E and nu, as textbooks have it."""
    trace = np.trace(strain) * np.eye(3)
    return YOUNG / (1.0 + POISSON) * (strain + POISSON / (1.0 - 2.0 * POISSON) * trace)


@pytest.mark.parametrize("vertices", [box(), skew(), wedge()], ids=["box", "skew", "wedge"])
@pytest.mark.parametrize("kind, refine", SPACE)
def test_constant_strain_has_constant_stress(kind, refine, vertices):
    body = body_of(vertices, kind, refine)
    stress = tensors(stresses(body, strained(body)))
    assert np.abs(stress - isotropic(0.5 * (SLOPE + SLOPE.T))).max() < 1e-12 * YOUNG


@pytest.mark.parametrize("vertices", [box(), skew()], ids=["box", "skew"])
@pytest.mark.parametrize("kind, refine", SPACE[1:])
def test_inner_nodes_are_in_balance_under_constant_strain(kind, refine, vertices):
    """The patch test: H8 passes it on parallelepipeds because its modes use the Jacobian of the centroid."""
    body = body_of(vertices, kind, refine)
    force = (body.stiffness @ strained(body).ravel()).reshape(-1, 3)
    inner = np.setdiff1d(np.arange(len(force)), body.mesh.face)
    assert np.abs(force[inner]).max(initial=0.0) < 1e-12 * np.abs(force).max()
    moment = force.T @ (body.mesh.node - body.centroid) / body.mesh.cell_volume.sum()
    assert np.abs(moment - isotropic(0.5 * (SLOPE + SLOPE.T))).max() < 1e-12 * YOUNG


@pytest.mark.parametrize("plane", ["stress", "strain"])
@pytest.mark.parametrize("kind, refine", PLANE)
def test_plane_stress_and_strain(kind, refine, plane):
    """t4 and h8 in planar models are in plane strain: nothing moves along the axis."""
    body = body_of(wedge(), kind, refine, Y, plane=plane)
    across = np.eye(3) - np.outer(Y, Y)
    stress = tensors(stresses(body, strained(body, across)))
    strain = across @ (0.5 * (SLOPE + SLOPE.T)) @ across
    if plane == "stress" and kind in ("t3", "uniform"):
        strain = strain - POISSON / (1.0 - POISSON) * np.trace(strain) * np.outer(Y, Y)
        assert np.abs(stress[:, 1, 1]).max() < 1e-12 * YOUNG
    assert np.abs(stress - isotropic(strain)).max() < 1e-12 * YOUNG


@pytest.mark.parametrize("kind, refine", PLANE)
def test_numbers_along_the_axis_have_mass_only(kind, refine):
    body = body_of(wedge(), kind, refine, Y)
    along = np.tile(Y, len(body.mesh.node))
    assert not (body.stiffness @ along).any()
    assert along @ body.mass @ along == pytest.approx(body.node_mass.sum())


@pytest.mark.parametrize("kind, refine", SPACE)
def test_only_rigid_motions_have_no_energy(kind, refine):
    body = body_of(wedge(), kind, refine)
    value = np.linalg.eigvalsh(body.stiffness.toarray())
    assert (np.abs(value) < 1e-10 * value[-1]).sum() == 6
    assert value[0] > -1e-10 * value[-1]


def test_mean_stress_is_the_moment_tensor_of_the_forces():
    """Also in distorted H8, under any displacement: the incompatible modes have no mean strain."""
    body = body_of(wedge(), "h8", 2)
    u = np.random.default_rng(3).normal(size=body.mesh.node.shape)
    force = (body.stiffness @ u.ravel()).reshape(-1, 3)
    moment = force.T @ (body.mesh.node - body.centroid) / body.mesh.cell_volume.sum()
    mean = mean_stress(body, stresses(body, u))
    assert np.abs(mean - moment).max() < 1e-12 * np.abs(moment).max()


def test_principal_stresses():
    value, direction = principal(np.array([[1.0, -2.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 3.0, 0.0, 0.0]]))
    assert value == pytest.approx(np.array([[1.0, 0.0, -2.0], [3.0, 0.0, -3.0]]))
    assert np.abs(direction[0, 0]) == pytest.approx([1.0, 0.0, 0.0])
    assert np.abs(direction[1, 0]) == pytest.approx([0.5**0.5, 0.5**0.5, 0.0])


@pytest.mark.parametrize("mass", ["lumped", "consistent"])
@pytest.mark.parametrize("kind, refine", SPACE)
def test_mass_and_centre_are_those_of_the_block(kind, refine, mass):
    vertices = wedge()
    body = body_of(vertices, kind, refine, mass=mass)
    volume = 0.6 * 0.3 * 0.25 * 0.9
    assert body.node_mass.sum() == pytest.approx(DENSITY * volume, rel=1e-14)
    x = np.tile([1.0, 0.0, 0.0], len(body.node_mass))
    assert x @ body.mass @ x == pytest.approx(DENSITY * volume, rel=1e-13)
    assert body.node_mass @ body.mesh.node / body.node_mass.sum() == pytest.approx(body.centroid, rel=1e-13)


@pytest.mark.parametrize("kind, refine, mass", [("uniform", 1, "lumped"), ("h8", 2, "consistent")])
def test_rotational_inertia_is_that_of_the_block(kind, refine, mass):
    """A uniform block has it exactly with its virtual nodes, an H8 mesh with its consistent mass."""
    body = body_of(box(), kind, refine, mass=mass)
    turning = np.cross([0.0, 1.0, 0.0], body.mesh.node - body.centroid).ravel()
    exact = body.node_mass.sum() * (0.6**2 + 0.25**2) / 12.0
    assert turning @ body.mass @ turning == pytest.approx(exact, rel=1e-13)


def share_of_deflection(along, through, poisson, matrix):
    """Deflection of a cantilever of H8, 10 x 1 x 1 m, over that of Timoshenko's beam; `matrix` makes its elements.

    The clamped end may contract across the beam, as that of the beam does.
    """
    length, young, force = 10.0, 1e9, 1e3
    step = np.stack(np.meshgrid(range(along + 1), range(2), range(through + 1), indexing="ij"), axis=-1).reshape(-1, 3)
    node = step * [length / along, 1.0, 1.0 / through]
    first = np.flatnonzero((step < [along, 1, through]).all(axis=1))
    cell = first[:, None] + CORNER.astype(int) @ [2 * (through + 1), through + 1, 1]
    [full] = assembled(matrix(node[cell], lame(Elastic(young, poisson, "h8"), None))[None], cell, len(node), 3)
    end = np.flatnonzero(step[:, 0] == along)
    weight = np.where(step[end, 2] % through == 0, 1.0, 2.0)
    load = np.zeros(full.shape[0])
    load[3 * end + 2] = force * weight / weight.sum()
    held = np.flatnonzero(step[:, 0] == 0)
    fixed = np.concatenate([3 * held, 3 * held[step[held, 1] == 0] + 1, 3 * held[2 * step[held, 2] == through] + 2])
    if through % 2:
        fixed = np.append(fixed, 3 * held + 2)
    free = np.setdiff1d(np.arange(full.shape[0]), fixed)
    u = np.zeros(full.shape[0])
    u[free] = spsolve(full[free][:, free].tocsc(), load[free])
    kappa = 10.0 * (1.0 + poisson) / (12.0 + 11.0 * poisson)
    exact = force * (length**3 / (3.0 * young / 12.0) + length * 2.0 * (1.0 + poisson) / (kappa * young))
    return (weight @ u[3 * end + 2]) / weight.sum() / exact


def plain(corner, constants):
    return stiffness(hexahedral(corner)[0], constants)


def test_h8_does_not_lock_in_bending():
    """Also one element through the depth bends as a beam does; without incompatible modes the share is 0.67."""
    for through in (1, 4):
        assert share_of_deflection(10, through, 0.0, h8_stiffness) == pytest.approx(0.997, abs=0.002)
    assert share_of_deflection(10, 4, 0.0, plain) < 0.9


def test_timoshenko_deflection():
    """V73: 4 elements through the depth, within 2 %, whatever Poisson's ratio."""
    for poisson in (0.0, 0.25, 0.45):
        assert share_of_deflection(10, 4, poisson, h8_stiffness) == pytest.approx(1.0, abs=0.02)


def skfem_matrices(mesh_type, element, node, cell, order):
    skfem = pytest.importorskip("skfem", reason="scikit-fem is not installed: pip install .[dev]")
    from skfem.helpers import ddot, dot, sym_grad
    from skfem.helpers import trace as tr

    mesh = getattr(skfem, mesh_type)(node.T, cell.T)
    basis = skfem.Basis(mesh, skfem.ElementVector(getattr(skfem, element)()), intorder=order)
    bulk, shear = lame(Elastic(YOUNG, POISSON, "t4"), None)[:2]

    @skfem.BilinearForm
    def energy(u, v, w):
        return 2.0 * shear * ddot(sym_grad(u), sym_grad(v)) + bulk * tr(sym_grad(u)) * tr(sym_grad(v))

    @skfem.BilinearForm
    def inertia(u, v, w):
        return dot(u, v)

    return energy.assemble(basis).toarray(), inertia.assemble(basis).toarray()


def difference(ours, theirs):
    return np.abs(ours - theirs).max() / np.abs(theirs).max()


def test_t3_is_that_of_scikit_fem():
    """V71, plane strain: x and z of a triangle in the plane across y."""
    flat = np.array([[0.1, 0.2], [0.9, 0.1], [0.4, 0.8]])
    stiff, mass = skfem_matrices("MeshTri", "ElementTriP1", flat, np.array([[0, 1, 2]]), 2)
    node = np.stack([flat[:, 1], np.zeros(3), flat[:, 0]], axis=1)[None]  # (z, x): counter-clockwise about y
    elastic = Elastic(YOUNG, POISSON, "t3", plane="strain")
    integration = constant_strain(node, Y)
    ours = stiffness(integration, lame(elastic, Y))[0].reshape(3, 3, 3, 3)[:, [2, 0]][:, :, :, [2, 0]].reshape(6, 6)
    assert difference(ours, stiff) < 1e-12
    assert difference(np.kron(simplex_mass(integration.volume, 3)[0], np.eye(2)), mass) < 1e-12


def test_t4_is_that_of_scikit_fem():
    """V71."""
    node = np.array([[0.1, 0.2, 0.0], [0.9, 0.1, 0.1], [0.4, 0.8, 0.2], [0.3, 0.3, 1.0]])
    stiff, mass = skfem_matrices("MeshTet", "ElementTetP1", node, np.array([[0, 1, 2, 3]]), 2)
    integration = constant_strain(node[None], None)
    assert difference(stiffness(integration, lame(Elastic(YOUNG, POISSON, "t4"), None))[0], stiff) < 1e-12
    assert difference(np.kron(simplex_mass(integration.volume, 4)[0], np.eye(3)), mass) < 1e-12


@pytest.mark.parametrize("vertices", [box(), skew(), wedge()], ids=["box", "skew", "wedge"])
def test_plain_h8_is_that_of_scikit_fem(vertices):
    """V71, before incompatible modes, with the same Gauss points: of order 3 in K, 5 in M."""
    refdom = pytest.importorskip("skfem.refdom", reason="scikit-fem is not installed: pip install .[dev]")
    order = [np.flatnonzero((CORNER == corner).all(axis=1))[0] for corner in refdom.RefHex.p.T]
    stiff, _ = skfem_matrices("MeshHex", "ElementHex1", vertices[order], np.arange(8)[None], 3)
    _, mass = skfem_matrices("MeshHex", "ElementHex1", vertices[order], np.arange(8)[None], 5)
    rows = np.argsort(order)
    pick = (3 * rows[:, None] + np.arange(3)).ravel()
    plain = stiffness(hexahedral(vertices[None])[0], lame(Elastic(YOUNG, POISSON, "h8"), None))[0]
    assert difference(plain, stiff[np.ix_(pick, pick)]) < 1e-12
    assert difference(np.kron(h8_mass(vertices[None])[0], np.eye(3)), mass[np.ix_(pick, pick)]) < 1e-12


def test_prism_is_divided_into_hexahedra():
    vertices, faces = prism(6)
    body = body_of(vertices, "h8", 2, faces=faces)
    assert len(body.mesh.cell) == 12 * 8
    assert body.mesh.cell_volume.sum() == pytest.approx(1.5 * 3.0**0.5)
