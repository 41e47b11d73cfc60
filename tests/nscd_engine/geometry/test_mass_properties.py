"""Mass properties against closed forms, and far from the origin."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detection import ring, triangulated
from nscd_engine.core.structs import Polyhedra
from nscd_engine.geometry.mass_properties import mass_properties
from nscd_engine.service.warm_scenes import flat
from solids import box, prism, random_rotation

#: Sums of a few dozen products of numbers near one: rounding of some tens of units in the last place.
ROUNDING = 1e-13


def properties(*solids):
    arrays = flat([{"vertices": v, "faces": f} for v, f in solids])
    return mass_properties(Polyhedra(**arrays))


def box_inertia(volume, a, b, c):
    return volume / 12.0 * np.diag([b * b + c * c, a * a + c * c, a * a + b * b])


def parts(*boxes):
    """Volume, centroid and inertia of a union of boxes (lower, size) by Steiner's theorem."""
    volume = np.array([np.prod(size) for _, size in boxes])
    middle = np.array([np.add(lower, np.multiply(0.5, size)) for lower, size in boxes])
    centroid = volume @ middle / volume.sum()
    inertia = np.zeros((3, 3))
    for v, m, (_, size) in zip(volume, middle - centroid, boxes):
        inertia += box_inertia(v, *size) + v * (m @ m * np.eye(3) - np.outer(m, m))
    return volume.sum(), centroid, inertia


@pytest.mark.short
def test_box():
    volume, centroid, inertia = properties(box((1.0, 2.0, 3.0), (0.5, 0.25, 2.0)))
    assert volume[0] == pytest.approx(0.25, rel=ROUNDING)
    assert centroid[0] == pytest.approx([1.25, 2.125, 4.0], rel=ROUNDING)
    assert inertia[0] == pytest.approx(box_inertia(0.25, 0.5, 0.25, 2.0), abs=ROUNDING)


def test_tetrahedron():
    """Right-angled corner of legs a, b, c: V = abc/6; about the centroid I_xx = V (b2 + c2) 3/80, I_xy = V ab/80."""
    a, b, c = 2.0, 3.0, 5.0
    vertices = np.array([[0, 0, 0], [a, 0, 0], [0, b, 0], [0, 0, c]], float)
    volume, centroid, inertia = properties((vertices, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]))
    v = a * b * c / 6.0
    exact = (
        v
        / 80.0
        * np.array(
            [
                [3 * (b * b + c * c), a * b, a * c],
                [a * b, 3 * (a * a + c * c), b * c],
                [a * c, b * c, 3 * (a * a + b * b)],
            ]
        )
    )
    assert volume[0] == pytest.approx(v, rel=ROUNDING)
    assert centroid[0] == pytest.approx([a / 4, b / 4, c / 4], rel=ROUNDING)
    assert inertia[0] == pytest.approx(exact, rel=10 * ROUNDING)


def test_hexagonal_prism():
    """Regular hexagon of side s: A = 3 sqrt(3)/2 s2, polar moment of the area 5 sqrt(3)/8 s4."""
    s, h = 0.7, 1.9
    outline = [(s * np.cos(k * np.pi / 3), s * np.sin(k * np.pi / 3)) for k in range(6)]
    volume, centroid, inertia = properties(prism(outline, h))
    area = 1.5 * np.sqrt(3.0) * s * s
    polar = 5.0 * np.sqrt(3.0) / 8.0 * s**4 * h
    assert volume[0] == pytest.approx(area * h, rel=ROUNDING)
    assert centroid[0] == pytest.approx([0.0, 0.0, 0.5 * h], abs=ROUNDING)
    exact = np.diag([0.5 * polar + area * h**3 / 12, 0.5 * polar + area * h**3 / 12, polar])
    assert inertia[0] == pytest.approx(exact, abs=10 * ROUNDING)


def test_wedge():
    """Right triangle a x b swept by h: V = abh/2, centroid at the thirds."""
    volume, centroid, _ = properties(prism([(0, 0), (3, 0), (0, 2)], 4.0))
    assert volume[0] == pytest.approx(12.0, rel=ROUNDING)
    assert centroid[0] == pytest.approx([1.0, 2.0 / 3.0, 2.0], rel=ROUNDING)


@pytest.mark.short
def test_concave_blocks_are_sums_of_boxes():
    angle = prism([(0, 0), (3, 0), (3, 1), (1, 1), (1, 2), (0, 2)], 2.0)
    volume, centroid, inertia = properties(angle, ring())
    exact = parts(((0, 0, 0), (3, 1, 2)), ((0, 1, 0), (1, 1, 2)))
    assert volume[0] == pytest.approx(exact[0], rel=ROUNDING)
    assert centroid[0] == pytest.approx(exact[1], rel=ROUNDING)
    assert inertia[0] == pytest.approx(exact[2], abs=100 * ROUNDING)
    assert volume[1] == pytest.approx(8.0, rel=ROUNDING)
    assert inertia[1] == pytest.approx(box_inertia(9.0, 3, 3, 1) - box_inertia(1.0, 1, 1, 1), abs=100 * ROUNDING)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 1e4, 1e6]))
def test_rotation_and_distance_change_nothing(seed, distance):
    """V, and I turned with the block; the digits lost are those of the coordinates themselves."""
    vertices, faces = prism([(0, 0), (3, 0), (3, 1), (1, 1), (1, 2), (0, 2)], 2.0)
    rotation = random_rotation(seed)
    shift = distance * random_rotation(seed + 1)[0]
    volume, centroid, inertia = properties((vertices, faces), (vertices @ rotation.T + shift, faces))
    rounding = 1e-12 + 20 * np.finfo(float).eps * distance
    assert volume[1] == pytest.approx(volume[0], rel=rounding)
    assert centroid[1] - shift == pytest.approx(rotation @ centroid[0], abs=rounding)
    assert inertia[1] == pytest.approx(rotation @ inertia[0] @ rotation.T, abs=30 * rounding)


def test_two_sides_of_a_warped_joint_share_no_volume():
    """A box cut by a warped quadrilateral: the parts add up to the box exactly."""
    bottom, top = box(size=(1.0, 1.0, 1.0)), box((0, 0, 1.0), (1.0, 1.0, 1.0))
    lift = np.array([0.1, -0.07, 0.05, 0.2])
    bottom[0][4:, 2] += lift
    top[0][:4, 2] += lift
    volume, _, _ = properties(bottom, top)
    assert volume.sum() == pytest.approx(2.0, rel=ROUNDING)
    assert volume[0] == pytest.approx(1.0 + lift.mean(), rel=ROUNDING)


def test_triangles_or_quadrilaterals():
    solid = prism([(0, 0), (2, 0), (2, 1), (0, 1)], 3.0)
    for one, other in zip(properties(solid), properties(triangulated(solid))):
        assert one == pytest.approx(other, abs=100 * ROUNDING)
