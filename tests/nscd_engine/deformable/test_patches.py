"""Contact points between element faces."""

import numpy as np
import pytest
from scipy.optimize import nnls

from compas_nscd.errors import InputError
from detection import run, turn
from elastic_blocks import BOX, CORNER, Y
from nscd_engine.core.elastic import Elastic
from nscd_engine.deformable.body import deformable_body, locate
from nscd_engine.deformable.patches import contact_points, element_contacts


def stacked(below, above, shift=(0.0, 0.0), rotation=np.eye(3), axis=None, gap=0.0, contacts="corners"):
    """Points between a box of 1 x 0.6 m and one of 0.8 x 0.6 m on it, with elastic (kind, refine) or None."""
    vertices = [CORNER * [1.0, 0.6, 0.4] - [0.5, 0.3, 0.4], CORNER * [0.8, 0.6, 0.5] - [0.4, 0.3, -gap]]
    vertices[1] = vertices[1] + [*shift, 0.0]
    vertices = [each @ rotation.T for each in vertices]
    model, found = run([(each, BOX) for each in vertices])
    bodies = [
        None if each is None else deformable_body(k, vertices[k], BOX, 2000.0, elastic(each, contacts), axis)
        for k, each in enumerate((below, above))
    ]
    return found, bodies


def elastic(kind, contacts):
    return Elastic(1e9, 0.2, *kind, contacts=contacts)


@pytest.mark.parametrize("pair", [(None, None), (("h8", 1), ("uniform", 1)), (("h8", 1), None)])
def test_one_element_face_on_either_side_changes_nothing(pair):
    found, bodies = stacked(*pair)
    points = contact_points(found.interfaces, found.contacts, bodies)
    assert (points.point == found.contacts.point).all() and (points.gap == found.contacts.gap).all()
    assert points.start.tolist() == [0, 4]


def test_grids_that_are_not_aligned():
    """3 x 3 faces below in x of 1 m, 2 x 2 above in 0.8 m: crossings of lines, each once."""
    found, bodies = stacked(("h8", 3), ("h8", 2))
    points = contact_points(found.interfaces, found.contacts, bodies)
    x = [-0.4, -1.0 / 6.0, 0.0, 1.0 / 6.0, 0.4]
    y = [-0.3, -0.1, 0.0, 0.1, 0.3]
    exact = np.array([(a, b, 0.0) for a in x for b in y])
    assert len(points.point) == 25
    distance = np.linalg.norm(points.point[:, None] - exact, axis=2).min(axis=0)
    assert distance.max() < 1e-12
    assert (points.point[:4] == found.contacts.point).all()


@pytest.mark.parametrize(("pair", "counts"), [
    ((("h8", 1), ("h8", 2)), (9, 13)),
    ((("h8", 1), ("h8", 1)), (4, 5)),
    ((None, ("h8", 1)), (4, 5)),
    ((None, ("uniform", 1)), (4, 4)),
])  # fmt: skip
def test_middles_of_the_faces_may_be_added(pair, counts):
    for contacts, count in zip(("corners", "middles"), counts):
        found, bodies = stacked(*pair, contacts=contacts)
        assert len(contact_points(found.interfaces, found.contacts, bodies).point) == count


def test_only_the_block_that_asks_for_middles_adds_them():
    found, bodies = stacked(("h8", 2), ("h8", 2), contacts="middles")
    bodies[0] = bodies[0]._replace(elastic=bodies[0].elastic._replace(contacts="corners"))
    point = contact_points(found.interfaces, found.contacts, bodies).point
    assert np.linalg.norm(point - [0.2, 0.15, 0.0], axis=1).min() < 1e-12  # of the block above
    assert np.linalg.norm(point - [0.25, 0.15, 0.0], axis=1).min() > 1e-3  # of the one below


@pytest.mark.parametrize("pair", [
    (("h8", 3), ("h8", 2)),
    (("t4", 1), ("t4", 2)),
    (("t4", 3), None),
    (("t4", 2), ("uniform", 1)),
    (("h8", 2), ("uniform", 1)),
])  # fmt: skip
@pytest.mark.parametrize("degrees", [0.0, 37.0])
def test_a_constant_pressure_passes_between_unlike_meshes(pair, degrees):
    """V70: forces that press exist at the points whose nodal forces are those of a constant pressure, on both sides."""
    found, bodies = stacked(*pair, shift=(0.13, 0.0), rotation=turn(0, degrees))
    points = contact_points(found.interfaces, found.contacts, bodies)
    rows, exact = [], []
    for body in filter(None, bodies):
        node, weight = locate(body, points.point)
        matrix = np.zeros((len(body.mesh.node), len(points.point)))
        np.add.at(matrix, (node, np.arange(len(node))[:, None]), weight)
        rows.append(matrix)
        exact.append(pressure(body, found.interfaces))
    force, residual = nnls(np.concatenate(rows), np.concatenate(exact))
    assert residual < 1e-12 * np.linalg.norm(np.concatenate(exact))


def pressure(body, interfaces):
    """Nodal forces of a unit pressure: middles of edges integrate bilinear functions over triangles exactly."""
    [start, end] = interfaces.polygon_start
    corner = interfaces.polygon[start:end]
    total = np.zeros(len(body.mesh.node))
    if body.mesh.kind == "uniform":
        node, weight = locate(body, interfaces.centroid)
        np.add.at(total, node[0], weight[0] * interfaces.area[0])
        return total
    for triangle, area in clipped(body, corner, interfaces.normal[0]):
        middles = 0.5 * (triangle + np.roll(triangle, -1, axis=0))
        node, weight = locate(body, middles)
        np.add.at(total, node, weight * area / 3.0)
    return total


def clipped(body, outline, normal):
    """Triangles and areas of the element faces in the plane of an outline, cut to it: half-planes one by one."""
    height = (body.mesh.node - outline[0]) @ normal
    for face in body.mesh.face:
        face = face[face >= 0]
        if np.abs(height[face]).max() > 1e-9:
            continue
        polygon = body.mesh.node[face]
        for a, b in zip(outline, np.roll(outline, -1, axis=0)):
            inward = np.cross(normal, b - a)
            polygon = half(polygon, (polygon - a) @ inward)
        for k in range(1, len(polygon) - 1):
            triangle = polygon[[0, k, k + 1]]
            yield triangle, 0.5 * np.linalg.norm(np.cross(triangle[1] - triangle[0], triangle[2] - triangle[0]))


def half(polygon, height):
    """Part of a convex polygon where the height is not negative."""
    kept = []
    for p, q, u, v in zip(polygon, np.roll(polygon, -1, axis=0), height, np.roll(height, -1)):
        if u >= 0.0:
            kept.append(p)
        if (u >= 0.0) != (v >= 0.0):
            kept.append(p + u / (u - v) * (q - p))
    return np.array(kept).reshape(-1, 3)


def test_points_of_t3_come_in_pairs_before_and_behind_the_plane():
    found, bodies = stacked(("t3", 2), ("t3", 3), axis=Y)
    points = contact_points(found.interfaces, found.contacts, bodies).point
    expected = sorted([-0.4, 0.0, 0.4, -0.4 + 0.8 / 3.0, 0.4 - 0.8 / 3.0])
    for y in (-0.3, 0.3):
        x = np.sort(points[np.abs(points[:, 1] - y) < 1e-12, 0])
        assert x == pytest.approx(np.array(expected), abs=1e-12)
    assert len(points) == 10


def test_points_of_an_arch_of_t3():
    """Joints in all directions: rounding on the outline adds no point and loses none."""
    angle = np.pi * np.arange(21) / 20.0
    ring = np.stack([np.cos(angle), np.zeros(21), np.sin(angle)], axis=1)
    corner = np.stack([2.0 * ring, 2.3 * ring, 2.3 * ring + 0.5 * Y, 2.0 * ring + 0.5 * Y], axis=1)
    solids = [(np.concatenate([corner[k], corner[k + 1]]), BOX) for k in range(20)]
    _, found = run(solids, supports=(0, 19))
    bodies = [deformable_body(k, v, f, 2000.0, Elastic(1e9, 0.2, "t3", 2), Y) for k, (v, f) in enumerate(solids)]
    points = contact_points(found.interfaces, found.contacts, bodies)
    assert (np.diff(points.start) == 6).all()


def test_contacts_between_elements_are_contacts_of_their_interface():
    found, bodies = stacked(("h8", 3), ("h8", 2))
    interfaces, contacts = element_contacts(found.interfaces, found.contacts, bodies)
    assert interfaces.contact_start.tolist() == [0, 25]
    assert (contacts.key - found.contacts.key[0]).tolist() == list(range(25))
    assert (contacts.body == found.contacts.body[0]).all() and (contacts.frame == found.contacts.frame[0]).all()
    assert (contacts.friction == 0.6).all()


def test_too_many_contact_points_are_refused(monkeypatch):
    monkeypatch.setattr("nscd_engine.deformable.patches.POINT_BITS", 4)
    found, bodies = stacked(("h8", 3), ("h8", 2))
    with pytest.raises(InputError, match="contact points.*less"):
        element_contacts(found.interfaces, found.contacts, bodies)


def test_gaps_are_interpolated():
    found, bodies = stacked(("h8", 2), ("h8", 2), gap=1e-4)
    points = contact_points(found.interfaces, found.contacts, bodies)
    assert len(points.point) > 4
    assert points.gap == pytest.approx(1e-4, abs=1e-12)
    assert points.point[:, 2] == pytest.approx(5e-5, abs=1e-12)
