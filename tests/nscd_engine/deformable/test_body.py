"""Bodies: meshes of blocks, shared matrices, nodes that move a point, refusals."""

import sys

import numpy as np
import pytest

from compas_nscd.errors import GeometryError, NotAvailableError
from elastic_blocks import BOX, Y, box, polyhedra, prism, wedge
from nscd_engine.core.elastic import Elastic
from nscd_engine.deformable import meshing
from nscd_engine.deformable.body import deformable_bodies, deformable_body, locate, locate_all
from nscd_engine.deformable.meshing import mesh

ALL = [("uniform", 1, None), ("t4", 1, None), ("t4", 3, None), ("h8", 1, None), ("h8", 4, None)]
ALL += [("uniform", 1, Y), ("t3", 1, Y), ("t3", 2, Y), ("t3", 3, Y), ("h8", 2, Y)]


def elastic(kind, refine=1, **options):
    return Elastic(1e9, 0.2, kind, refine, **options)


@pytest.mark.parametrize("kind, refine, axis, cells, nodes", [
    ("uniform", 1, None, 1, 4),
    ("uniform", 1, Y, 1, 3),
    ("t3", 1, Y, 4, 5),
    ("t3", 2, Y, 8, 9),
    ("t3", 4, Y, 32, 25),
    ("t4", 1, None, 24, 15),
    ("t4", 3, None, 24 * 27, 175),
    ("h8", 1, None, 1, 8),
    ("h8", 3, None, 27, 64),
])  # fmt: skip
def test_numbers_of_elements(kind, refine, axis, cells, nodes):
    made = mesh(wedge(), BOX, elastic(kind, refine), axis)
    assert (len(made.cell), len(made.node)) == (cells, nodes)
    assert made.cell_volume.sum() == pytest.approx(0.6 * 0.3 * 0.25 * 0.9)
    assert (made.cell_volume > 0.0).all()


@pytest.mark.parametrize("kind, refine", [("t4", 1), ("t4", 2), ("h8", 1), ("h8", 2)])
def test_boundary_faces_close_the_block(kind, refine):
    """Outward area vectors sum to zero, and the flux of x through them is three volumes."""
    made = mesh(wedge(), BOX, elastic(kind, refine))
    flux, total = 0.0, np.zeros(3)
    for face in made.face:
        corner = made.node[face[face >= 0]]
        area = 0.5 * np.cross(corner, np.roll(corner, -1, axis=0)).sum(axis=0)
        total += area
        flux += area @ corner.mean(axis=0)
    assert total == pytest.approx(np.zeros(3), abs=1e-14)
    assert flux == pytest.approx(3.0 * made.cell_volume.sum())


def test_quality():
    assert mesh(box(), BOX, elastic("h8", 2)).quality == pytest.approx(1.0)
    assert 0.9 < mesh(wedge(), BOX, elastic("h8")).quality.min() < 1.0
    thin = mesh(box((1.0, 1.0, 0.01)), BOX, elastic("t4"))
    assert 0.0 < thin.quality.min() < 0.1
    vertices, faces = prism(6)
    assert mesh(vertices, faces, elastic("t3"), Y).quality == pytest.approx(1.0)  # six equilateral triangles


@pytest.mark.parametrize("kind, refine, axis", ALL)
@pytest.mark.parametrize("vertices", [box(), wedge()], ids=["box", "wedge"])
def test_weights_move_a_point_with_the_body(kind, refine, axis, vertices):
    """Points inside, on the surface, and beyond it by a gap: weights times nodes are the point."""
    body = deformable_body(0, vertices, BOX, 2000.0, elastic(kind, refine), axis)
    share = np.random.default_rng(1).dirichlet(np.ones(8), 40)
    point = np.concatenate([share @ vertices, vertices, vertices[:4] - [0.0, 0.0, 1e-4]])
    node, weight = locate(body, point)
    across = np.eye(3) if axis is None else np.eye(3) - np.outer(axis, axis)
    assert weight.sum(axis=1) == pytest.approx(np.ones(len(point)), abs=1e-15)
    found = np.einsum("ka,kai->ki", weight, body.mesh.node[node])
    assert np.abs((found - point) @ across).max() < 1e-14 * 10.0


@pytest.mark.parametrize("kind, refine, axis, most", [("t4", 2, None, 3), ("h8", 3, None, 4), ("t3", 3, Y, 2)])
def test_a_point_of_a_face_is_moved_by_nodes_of_this_face(kind, refine, axis, most):
    vertices = wedge()
    body = deformable_body(0, vertices, BOX, 2000.0, elastic(kind, refine), axis)
    share = np.random.default_rng(1).dirichlet(np.ones(4), 40)
    node, weight = locate(body, share @ vertices[:4])
    assert node.shape[1] <= most and (weight >= 0.0).all()
    assert body.mesh.node[node[weight > 0.0], 2] == pytest.approx(5.0)


def test_a_vertex_is_a_node():
    body = deformable_body(0, wedge(), BOX, 2000.0, elastic("h8", 2))
    node, weight = locate(body, wedge())
    assert node.shape == (8, 1) and weight == pytest.approx(1.0)


def test_points_of_many_bodies_at_once():
    solids = [box(), wedge() + 1.0, box() + 2.0, wedge() + 3.0]
    kinds = [elastic("h8", 2), elastic("t4"), elastic("uniform"), elastic("h8")]
    bodies = [deformable_body(k, v, BOX, 2000.0, e) for k, (v, e) in enumerate(zip(solids, kinds))]
    owner = np.random.default_rng(0).integers(0, 4, 60)
    point = np.array([solids[k].mean(axis=0) for k in owner]) + np.random.default_rng(1).uniform(-0.1, 0.1, (60, 3))
    node, weight = locate_all(bodies, owner, point)
    for k, body in enumerate(bodies):
        alone, share = locate(body, point[owner == k])
        assert (node[owner == k, : alone.shape[1]] == alone).all()
        assert weight[owner == k, : share.shape[1]] == pytest.approx(share, abs=1e-15)


@pytest.mark.parametrize("kind, axis", [("uniform", None), ("uniform", Y), ("t3", Y), ("t4", None), ("h8", None)])
def test_many_blocks_are_as_each_alone(kind, axis):
    vertices = [box(), box() + [7.0, 0.0, 0.1], wedge(), wedge() + [0.1, 0.2, 0.3], box() * 2.0]
    poly = polyhedra([(each, BOX) for each in vertices])
    density = np.array([2000.0, 2000.0, 2000.0, 1500.0, 2000.0])
    materials = [elastic(kind, 2)] * 4 + [None]
    bodies = deformable_bodies(poly, density, materials, axis, list("abcde"))
    assert bodies[4] is None
    assert bodies[0].stiffness is bodies[1].stiffness and bodies[2].mass is not bodies[3].mass
    for k, body in enumerate(bodies[:4]):
        alone = deformable_body(k, vertices[k], BOX, density[k], materials[k], axis)
        assert body.block == k
        assert body.mesh.node == pytest.approx(alone.mesh.node, abs=1e-12)
        assert body.centroid == pytest.approx(alone.centroid, abs=1e-12)
        assert np.abs((body.stiffness - alone.stiffness).toarray()).max() < 1e-11 * abs(alone.stiffness).max()
        assert np.abs((body.mass - alone.mass).toarray()).max() < 1e-11 * abs(alone.mass).max()


def test_t3_outside_planar_models_is_refused():
    with pytest.raises(GeometryError, match="'stone'.*'t4' or 'h8'"):
        mesh(box(), BOX, elastic("t3"), None, "stone")


def test_h8_of_a_pyramid_is_refused():
    vertices = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.5, 1.0]])
    faces = ((0, 3, 2, 1), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4))
    with pytest.raises(GeometryError, match="'stone'.*'t4'"):
        mesh(vertices, faces, elastic("h8"), None, "stone")
    assert mesh(vertices, faces, elastic("t4"), None, "stone").cell_volume.sum() == pytest.approx(1.0 / 3.0)


#: An L, counter-clockwise about y, as x and z.
ELL = np.array([[0.0, 0.0], [0.0, 1.0], [0.3, 1.0], [0.3, 0.3], [1.0, 0.3], [1.0, 0.0]])


def ell():
    """Vertices and faces of a prism along y over an L of 0.51 m2, 0.4 m deep."""
    x, z = ELL.T
    front = np.stack([x, np.full(6, 0.4), z], axis=1)
    faces = [tuple(range(6)), tuple(range(11, 5, -1))]
    faces += [((k + 1) % 6, k, 6 + k, 6 + (k + 1) % 6) for k in range(6)]
    return np.concatenate([front, front - 0.4 * Y]), tuple(faces)


@pytest.mark.parametrize("refine", [1, 3])
def test_t3_of_a_concave_outline(refine):
    made = mesh(*ell(), elastic("t3", refine), Y)
    assert len(made.cell) == 4 * refine**2
    assert (made.cell_volume > 0.0).all() and made.cell_volume.sum() == pytest.approx(0.51 * 0.4)


def test_t4_of_a_concave_block_needs_a_mesher(monkeypatch):
    monkeypatch.setitem(sys.modules, "pytetwild", None)
    with pytest.raises(NotAvailableError, match="'stone'.*mesher.*tetrahedra"):
        mesh(*ell(), elastic("t4"), None, "stone")


@pytest.mark.slow
def test_t4_of_concave_blocks_by_the_mesher(tmp_path, monkeypatch):
    """Mass is exact, the surface is kept to 1e-3; two copies share matrices, other shapes have their own mesh."""
    pytest.importorskip("pytetwild", reason="pytetwild is not installed: pip install .[tetrahedra]")
    monkeypatch.chdir(tmp_path)  # the mesher writes a file where it runs: the engine has a folder of its own
    vertices, faces = ell()
    poly = polyhedra([(vertices, faces), (vertices + 2.0, faces), (vertices * 1.5, faces)])
    bodies = deformable_bodies(poly, np.full(3, 2000.0), [elastic("t4")] * 3, None, list("abc"))
    assert bodies[0].stiffness is bodies[1].stiffness
    for body, volume in zip(bodies, (0.204, 0.204, 0.204 * 1.5**3)):
        assert body.node_mass.sum() == pytest.approx(2000.0 * volume)
        assert body.mesh.cell_volume.sum() == pytest.approx(volume, rel=1e-3)
        value = np.linalg.eigvalsh(body.stiffness.toarray())
        assert (np.abs(value) < 1e-9 * value[-1]).sum() == 6


def test_flat_elements_of_the_mesher_are_refused(monkeypatch):
    flat = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 1e-12]]), np.array([[0, 1, 2, 3]])
    monkeypatch.setattr(meshing, "tetrahedra_of", lambda *_: flat)
    with pytest.raises(GeometryError, match="'stone'.*negative volume"):
        meshing._by_mesher(box(), BOX, 1, "stone")


def test_inverted_elements_are_refused():
    vertices = box()
    vertices[6] = vertices[0] + [0.05, 0.05, 0.05]
    with pytest.raises(GeometryError, match="'stone'.*negative volume"):
        mesh(vertices, BOX, elastic("h8"), None, "stone")
