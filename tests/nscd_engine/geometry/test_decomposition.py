"""Convex parts: they fill the block exactly and are convex."""

import json
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compas_nscd.errors import GeometryError
from detection import moved, turn
from motion_helpers import polyhedra
from nscd_engine.geometry import convex_cells
from nscd_engine.geometry.convex_cells import split_block, surface_triangles, volume
from nscd_engine.geometry.decomposition import convex_parts, reflex_blocks
from nscd_engine.geometry.mass_properties import mass_properties
from nscd_engine.geometry.polyhedra import block_sizes, spans
from solids import box, prism

L = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
SOCKET = [(0, 0), (3, 0), (3, 2), (2, 2), (2.3, 1), (0.7, 1), (1, 2), (0, 2)]
U = [(0, 0), (3, 0), (3, 2), (2, 2), (2, 1), (1, 1), (1, 2), (0, 2)]
CROSS = [(1, 0), (2, 0), (2, 1), (3, 1), (3, 2), (2, 2), (2, 3), (1, 3), (1, 2), (0, 2), (0, 1), (1, 1)]


def sizes(poly):
    return block_sizes(poly, mass_properties(poly)[1])


def test_both_sizes_of_a_block_agree():
    """The one from the centroid and the one from the mean vertex: equal for a box, within a few per cent for others."""
    keystone = [(-0.4, 0.0), (0.4, 0.0), (0.5, 1.0), (-0.5, 1.0)]
    poly = polyhedra([prism([(0, 0), (2, 0), (2, 1), (0, 1)]), prism(keystone)])
    assert spans(poly, 0.0)[0] == pytest.approx(sizes(poly)[0], rel=1e-12)
    assert spans(poly, 0.0)[1] == pytest.approx(sizes(poly)[1], rel=0.05)


def parts_of(solids, planarity=1e-3):
    poly = polyhedra(solids)
    count = len(solids)
    names = ["b{}".format(i) for i in range(count)]
    return convex_parts(poly, mass_properties(poly)[1], np.zeros(count), names, planarity)


def volume_of(parts):
    """Of all parts together."""
    total = 0.0
    for p in range(len(parts.block)):
        v = parts.vertices[parts.vertex_start[p] : parts.vertex_start[p + 1]]
        faces = range(parts.part_face_start[p], parts.part_face_start[p + 1])
        corners = [parts.face_vertices[parts.face_start[f] : parts.face_start[f + 1]] for f in faces]
        total += volume(surface_triangles(v, corners))
    return total


def assert_convex(vertices, faces, tolerance):
    for face in faces:
        p = np.asarray(vertices)[face]
        arm = p - p.mean(axis=0)
        n = np.cross(arm, np.roll(arm, -1, axis=0)).sum(axis=0)
        assert ((vertices - p.mean(axis=0)) @ (n / np.linalg.norm(n))).max() <= tolerance


@pytest.mark.short
@pytest.mark.parametrize("outline, parts", [(L, 2), (SOCKET, 3), (U, 3), (CROSS, 3)])
@pytest.mark.parametrize("far", [0.0, 1e4])
def test_prisms_are_cut_into_few_parts_that_fill_them(outline, parts, far):
    """By hand: one cut per reflex edge, fewer where a plane runs through two of them."""
    x, z = np.array(outline, float).T
    area = 0.5 * np.sum(x * np.roll(z, -1) - np.roll(x, -1) * z)
    solid = moved(prism(outline, 0.7), turn(0, 20.0) @ turn(2, 33.0), (far, -far, far))
    solids, inner = split_block(*solid, "b")
    assert len(solids) == parts
    assert len(inner) == sum(len(faces) for _, faces in solids)
    total = sum(volume(surface_triangles(*part)) for part in solids)
    np.testing.assert_allclose(total, 0.7 * area, rtol=1e-12 + 1e-15 * far)
    for part in solids:
        assert_convex(*part, 1e-9 * (1.0 + 1e-3 * far))


def test_cuts_are_told_from_surface():
    """An L in two parts: the face of the leg on the foot is a cut; the foot's top is partly surface."""
    solids, inner = split_block(*prism(L, 1.0), "b")
    assert sum(inner) == 1
    faces = [(part, face) for part in solids for face in part[1]]
    (cut,) = [np.asarray(part[0])[face] for (part, face), is_inner in zip(faces, inner) if is_inner]
    spread = np.ptp(cut, axis=0)
    np.testing.assert_allclose(np.sort(spread), [0.0, 1.0, 1.0], atol=1e-12)


def test_frame_with_a_hole_is_filled():
    """A square ring: outer side 3, hole side 1, of four mitred pieces joined into one closed mesh."""
    outer = [(0, 0), (3, 0), (3, 3), (0, 3)]
    hole = [(1, 1), (2, 1), (2, 2), (1, 2)]
    points = [(x, y, z) for z in (0.0, 1.0) for ring in (outer, hole) for x, y in ring]
    faces = []
    for i in range(4):
        j = (i + 1) % 4
        faces += [[i, 4 + i, 4 + j, j], [8 + i, 8 + j, 12 + j, 12 + i]]
        faces += [[i, j, 8 + j, 8 + i], [4 + i, 12 + i, 12 + j, 4 + j]]
    solids, _ = split_block(np.array(points), faces, "b")
    assert len(solids) == 4
    np.testing.assert_allclose(sum(volume(surface_triangles(*part)) for part in solids), 8.0, rtol=1e-12)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.floats(0.4, 2.0), min_size=5, max_size=9), st.integers(0, 10**6))
def test_any_star_shaped_prism_is_filled_by_convex_parts(radii, seed):
    angle = np.linspace(0.0, 2.0 * np.pi, len(radii), endpoint=False)
    outline = np.column_stack([np.cos(angle), np.sin(angle)]) * np.array(radii)[:, None]
    x, z = outline.T
    area = 0.5 * np.sum(x * np.roll(z, -1) - np.roll(x, -1) * z)
    R = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0]
    R *= np.linalg.det(R)
    solids, _ = split_block(*moved(prism(outline, 0.5), R), "b")
    np.testing.assert_allclose(sum(volume(surface_triangles(*part)) for part in solids), 0.5 * area, rtol=1e-7)
    for part in solids:
        assert_convex(*part, 1e-8)


@pytest.mark.short
def test_triangulated_box_has_six_faces_again():
    vertices, faces = box(size=(1, 2, 3))
    triangles = [t for f in faces for t in ([f[0], f[1], f[2]], [f[0], f[2], f[3]])]
    parts = parts_of([(vertices, triangles)])
    assert len(parts.planes) == 6 and len(parts.edges) == 12 and len(parts.vertices) == 8
    np.testing.assert_allclose(np.sort(np.abs(parts.planes[:, 3])), [0.5, 0.5, 1.0, 1.0, 1.5, 1.5])


def test_faceted_curve_stays_a_curve():
    """Neighbouring facets of a 64-gon are flat within the tolerance, the whole is not: a face joins few of them."""
    angle = np.linspace(0.0, 2.0 * np.pi, 64, endpoint=False)
    parts = parts_of([prism(np.column_stack([np.cos(angle), np.sin(angle)]), 1.0)])
    assert len(parts.block) == 1
    assert len(parts.planes) >= 2 + 64 // 3
    radius = np.linalg.norm(parts.vertices[:, :2], axis=1)
    np.testing.assert_allclose(radius, 1.0, atol=1e-12)


def test_warped_faces_within_the_tolerance_leave_a_block_whole():
    vertices, faces = box()
    vertices[6, 2] += 1e-3
    vertices[4, 2] += 1e-3
    poly = polyhedra([(vertices, faces)])
    size = sizes(poly)
    assert not reflex_blocks(poly, size, 1e-3)[0]
    assert len(parts_of([(vertices, faces)]).planes) == 6


def gear(teeth):
    angle = np.linspace(0.0, 2.0 * np.pi, 2 * teeth, endpoint=False)
    radius = np.where(np.arange(2 * teeth) % 2, 0.7, 1.0)
    return prism(np.column_stack([np.cos(angle), np.sin(angle)]) * radius[:, None], 1.0)


def test_a_gear_of_more_than_a_hundred_parts_is_exact():
    """A body and a part for each of 110 teeth; the outline is 220 triangles of sides 1 and 0.7 about the centre."""
    solids, _ = split_block(*gear(110), "gear")
    assert len(solids) == 111
    total = sum(volume(surface_triangles(*part)) for part in solids)
    np.testing.assert_allclose(total, 110 * 0.7 * np.sin(np.pi / 110), rtol=1e-12)


def test_too_many_parts_is_an_error_that_names_the_block_and_the_remedy(monkeypatch):
    monkeypatch.setattr(convex_cells, "MAX_PARTS", 5)
    monkeypatch.setitem(sys.modules, "coacd", None)
    with pytest.raises(GeometryError) as caught:
        parts_of([gear(10)])
    assert caught.value.blocks == ["b0"]
    assert "curved" in caught.value.remedy


def test_too_many_parts_are_left_to_a_library_where_it_is_installed(monkeypatch):
    """Hulls of parts that keep 2 % of concavity: within 5 % of the volume, and as far as the teeth reach."""
    pytest.importorskip("coacd")
    monkeypatch.setattr(convex_cells, "MAX_PARTS", 5)
    parts = parts_of([gear(6)])
    assert 2 <= len(parts.block) <= 20 and (parts.block == 0).all()
    assert volume_of(parts) == pytest.approx(6 * 0.7 * np.sin(np.pi / 6), rel=0.05)
    assert np.linalg.norm(parts.vertices[:, :2], axis=1).max() == pytest.approx(1.0, abs=1e-3)


def folded_prism(corner):
    """A hexagonal prism over (x, y, z) corners."""
    n = len(corner)
    vertices = np.vstack([corner - [0, 0, 1], corner])
    sides = [[i, (i + 1) % n, n + (i + 1) % n, n + i] for i in range(n)]
    return vertices, [list(range(n))[::-1], list(range(n, 2 * n))] + sides


def test_faces_that_are_folded_are_unfolded():
    """A bent hexagon, its halves plane and turned by 0.2 each: two or three parts that fill the folded block."""
    corner = np.array([(2, 0, -0.4), (2, 1, -0.4), (0, 0.6, 0), (-2, 1, -0.4), (-2, 0, -0.4), (0, -0.4, 0)])
    parts = parts_of([folded_prism(corner)])
    assert 2 <= len(parts.block) <= 3
    x, y = corner[:, :2].T
    area = 0.5 * np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)
    assert volume_of(parts) == pytest.approx(area, rel=1e-9)


@pytest.mark.shared
@pytest.mark.parametrize(
    "name, concave, parts, rounding",
    [
        ("wall-10x10", 0, 106, 1e-12),
        ("dem-crossvault", 40, 260, 1e-4),
        ("dem-pavillionvault", 53, 473, 1e-4),
        ("dem-dome", 90, 270, 0.03),
    ],
)
def test_scenes(scenes_dir, name, concave, parts, rounding):
    """Volumes of all parts are those of the blocks, up to the warp of their faces.

    The hexagons of the dome are folded; the mass is that of their fans, which dip by half the fold in the middle.
    """
    scene = json.loads((scenes_dir / (name + ".json")).read_text(encoding="utf-8"))
    solids = [(np.array(b["vertices"], float), b["faces"]) for b in scene["blocks"]]
    poly = polyhedra(solids)
    assert reflex_blocks(poly, sizes(poly), 1e-3).sum() == concave
    found = parts_of(solids)
    assert len(found.block) == parts
    np.testing.assert_allclose(volume_of(found), mass_properties(poly)[0].sum(), rtol=rounding)
