"""Domes, round buildings, buildings of several tiers, rock: sound geometry, and volumes that add up."""

import math

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from compas_nscd import templates
from template_checks import require_sound, volume

FEW = settings(max_examples=15, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))


def shell_volume(facets, inner, outer, centre, top, courses):
    """Of a faceted dome: facets * sin(turn) * first moment of its section about the axis.

    The section is cut into trapezoids between radii from a point at distance `centre` from the axis.
    """
    step = top / courses
    total = 0.0
    for i in range(courses):
        area = math.sin(step) * (outer**2 - inner**2) / 2
        moment = math.sin(step) * (outer**3 - inner**3) / 6 * (math.cos(i * step) + math.cos((i + 1) * step))
        total += moment + centre * area
    return facets * math.sin(2 * math.pi / facets) * total


def ring_volume(facets, inner, outer, height):
    return facets / 2 * math.sin(2 * math.pi / facets) * (outer**2 - inner**2) * height


def key_volume(facets, low, high, height):
    """Frustum between polygons of `facets` sides with corners at these distances from the axis."""
    return facets / 2 * math.sin(2 * math.pi / facets) * height / 3 * (low**2 + low * high + high**2)


@pytest.mark.short
@FEW
@given(
    st.floats(1.0, 20.0),
    st.floats(0.02, 0.3),
    st.integers(1, 15),
    st.integers(3, 40),
    st.floats(5.0, 80.0),
    st.sampled_from(["stack", "running"]),
    st.booleans(),
)
def test_hemispherical_dome(radius, slender, courses, sectors, oculus, bond, key):
    thickness = slender * radius
    structure = templates.dome(radius, thickness, courses, sectors, oculus, bond=bond, key=key)
    require_sound(structure)
    facets = sectors * (2 if bond == "running" else 1)
    inner, outer, top = radius - thickness / 2, radius + thickness / 2, math.radians(90 - oculus)
    expected = shell_volume(facets, inner, outer, 0.0, top, courses)
    if key:
        expected += key_volume(facets, inner * math.cos(top), outer * math.cos(top), thickness * math.sin(top))
    assert volume(structure) == pytest.approx(expected, rel=1e-9)
    assert len(structure) == sectors * (courses + 1) + key


def test_many_facets_make_a_sphere():
    """2/3 pi (outer^3 - inner^3) sin(top); chords lose (turn^2 + step^2) / 6, below 1e-3 here."""
    structure = templates.dome(5.0, 0.5, courses=40, sectors=160, oculus=10.0)
    expected = 2 / 3 * math.pi * (5.25**3 - 4.75**3) * math.sin(math.radians(80))
    assert volume(structure) == pytest.approx(expected, rel=1e-3)


@FEW
@given(st.floats(1.05, 2.0), st.integers(3, 20), st.sampled_from(["stack", "running"]))
def test_pointed_dome(pointed, sectors, bond):
    structure = templates.dome(4.0, 0.4, 8, sectors, 25.0, rise=4.0 * pointed, bond=bond)
    require_sound(structure)
    arc = 4.0 * (1 + pointed**2) / 2
    top = math.acos((4.0 * math.sin(math.radians(25.0)) + arc - 4.0) / arc)
    facets = sectors * (2 if bond == "running" else 1)
    expected = shell_volume(facets, arc - 0.2, arc + 0.2, 4.0 - arc, top, 8)
    assert volume(structure) == pytest.approx(expected, rel=1e-9)


@FEW
@given(st.floats(1.5, 8.0), st.floats(0.1, 0.9), st.integers(8, 40), st.integers(1, 8), st.integers(1, 4))
def test_cylinder(radius, slender, sectors, courses, rings):
    structure = templates.cylinder(radius, slender * radius, 0.3, courses, sectors, rings, opening=0.9 * radius)
    require_sound(structure)
    expected = courses * ring_volume(sectors, radius * (1 - slender), radius, 0.3)
    assert volume(structure) == pytest.approx(expected, rel=1e-9)
    second = [name for name in structure.names if name.startswith("c1s0")]
    assert len(second) == (0 if courses < 2 else rings + 1 if rings > 1 else 1)


def test_cylinder_is_the_benchmark(scenes_dir):
    """The same 240 stones as in shared/scenes/cylinder.json, which has its base in the same place."""
    from compas_nscd.model.structure import Structure

    known, ours = Structure.from_file(scenes_dir / "cylinder.json"), templates.cylinder()
    assert len(known) == len(ours)
    for one, other in zip(known.blocks[8:], ours.blocks[8:]):
        assert np.allclose(np.sort(one.vertices, axis=0), np.sort(other.vertices, axis=0))


@FEW
@given(st.integers(3, 9), st.integers(2, 6), st.integers(1, 12), st.floats(0.2, 2.0))
def test_cupola(pillars, blocks, courses, oculus):
    structure = templates.cupola(4.0, 0.4, oculus, courses, pillars, blocks)
    require_sound(structure)
    facets = 2 * blocks * pillars
    expected = shell_volume(facets, 3.8, 4.2, 0.0, math.acos(oculus / 8.0), courses)
    expected += ring_volume(facets, 3.8, 4.2, 0.5) + ring_volume(facets, 3.8, 4.2, 2.0) * 2 * pillars / facets
    assert volume(structure) == pytest.approx(expected, rel=1e-9)


@FEW
@given(st.floats(2.0, 6.0), st.integers(1, 12), st.integers(3, 16), st.integers(1, 10))
def test_apse(radius, courses, sectors, dome_courses):
    structure = templates.apse(radius, 0.5, 5.0, courses, sectors, dome_courses, 0.6)
    require_sound(structure)
    facets, inner, outer, top = 4 * sectors, radius - 0.25, radius + 0.25, math.acos(0.6 / radius)
    expected = shell_volume(facets, inner, outer, 0.0, top, dome_courses) + ring_volume(facets, inner, outer, 5.0)
    expected += key_volume(facets, inner * math.cos(top), outer * math.cos(top), 0.5 * math.sin(top))
    assert volume(structure) == pytest.approx(expected / 2, rel=1e-9)


@FEW
@given(st.integers(1, 20), st.integers(3, 30), st.floats(0.3, 1.0))
def test_column(drums, sides, taper):
    structure = templates.column(6.0, 0.9, drums, sides, taper)
    require_sound(structure)
    expected = key_volume(sides, 0.45, 0.45 * taper, 6.0) + 0.3 * (1.2 * 0.9) ** 2
    assert volume(structure) == pytest.approx(expected, rel=1e-9)


@FEW
@given(st.integers(1, 50), st.floats(0.1, 2.0), st.floats(0.1, 2.0), st.floats(0.1, 1.0))
def test_stack(blocks, width, depth, height):
    structure = templates.stack(blocks, width, depth, height)
    require_sound(structure)
    assert volume(structure) == pytest.approx(blocks * width * depth * height, rel=1e-9)


def opening(span, jamb, voussoirs):
    """Area of a semicircular opening under a polygonal intrados, with its jambs."""
    return span * jamb + voussoirs * math.sin(math.pi / voussoirs) * span**2 / 8


def crown(span, ring, voussoirs):
    """Height of the extrados above the springing: a keystone ends in a chord."""
    return (span / 2 + ring) * (math.cos(math.pi / voussoirs / 2) if voussoirs % 2 else 1.0)


@FEW
@given(st.integers(2, 4), st.integers(2, 9), st.integers(3, 20), st.floats(0.6, 1.6))
def test_aqueduct(arches, upper_arches, voussoirs, upper_depth):
    structure = templates.aqueduct(
        arches, voussoirs=voussoirs, upper_arches=upper_arches, upper_pier=0.8, upper_depth=upper_depth
    )
    require_sound(structure)
    width = arches * 5.0 + (arches - 1) * 1.6 + 2 * 1.6
    upper_span = (width - 3.2 - (upper_arches - 1) * 0.8) / upper_arches
    lower = width * (4.0 + crown(5.0, 0.5, voussoirs) + 0.4) - arches * opening(5.0, 4.0, voussoirs)
    upper = width * (1.6 + crown(upper_span, 0.35, 11) + 0.4) - upper_arches * opening(upper_span, 1.6, 11)
    assert volume(structure) == pytest.approx(1.6 * lower + upper_depth * upper, rel=1e-9)


@FEW
@given(st.floats(8.0, 20.0), st.floats(1.0, 8.0), st.integers(5, 21), st.floats(0.25, 0.6), st.floats(0.8, 2.0))
def test_facade(width, gable, voussoirs, course, window):
    structure = templates.facade(
        width, 10.0, gable, 1.0, voussoirs=voussoirs, window=window, course=course, length=2 * course
    )
    require_sound(structure)
    expected = width * (10.0 + gable / 2) - opening(2.4, 2.8, voussoirs) - window * 2.0
    assert volume(structure) == pytest.approx(expected, rel=1e-9)


@FEW
@given(st.integers(1, 4), st.integers(5, 21), st.floats(0.25, 0.6), st.floats(0.4, 1.5))
def test_nave_wall(arches, voussoirs, course, window):
    structure = templates.nave_wall(arches, voussoirs=voussoirs, window=window, course=course, length=2 * course)
    require_sound(structure)
    width = arches * 3.2 + (arches - 1) * 1.0 + 2 * 1.2
    expected = width * 10.5 - arches * (opening(3.2, 3.6, voussoirs) + window * 1.6)
    assert volume(structure) == pytest.approx(0.8 * expected, rel=1e-9)


@pytest.mark.parametrize("storeys, course", [(1, 0.5), (1, 0.3), (2, 0.4)])
def test_arena_bay(storeys, course):
    structure = templates.arena_bay(storeys, course=course, length=2 * course)
    require_sound(structure)
    below = 3.0 + crown(3.0, 0.5, 15) + course  # to the springing of the vault
    beside = crown(2.8, 0.4, 17) + course
    walls = 2 * 1.8 * (6.6 * below - opening(3.0, 3.0, 15))
    gallery = 6.6 * ((2 * 1.8 + 2.8) * beside - opening(2.8, 0.0, 17))
    attic = 6.6 * 2.4 * (1.8 - 0.7)
    assert volume(structure) == pytest.approx(storeys * (walls + gallery) + attic, rel=1e-9)


def test_arena_bay_has_the_size_of_the_published_model():
    assert len(templates.arena_bay()) >= 2670


families = st.lists(st.tuples(st.floats(0.0, 90.0), st.floats(0.0, 360.0), st.floats(0.6, 2.0)), min_size=1, max_size=5)


@FEW
@given(families, st.floats(0.0, 10.0), st.floats(0.0, 0.9), st.integers(0, 1000))
def test_rock_mass_keeps_the_volume_of_the_box(given_families, scatter, spread, seed):
    structure = templates.rock_mass(3.0, 2.0, 2.5, given_families, scatter, spread, seed)
    require_sound(structure)
    assert volume(structure) == pytest.approx(15.0, rel=1e-9)
    least = (0.1 * min(spacing for _, _, spacing in given_families)) ** 3
    free = [block for block in structure.blocks if not block.support]
    assert len(free) == 1 or min(map(_volume, free)) >= least * (1 - 1e-9)


def _volume(block):
    return block.mesh.volume()


@FEW
@given(families, st.floats(30.0, 90.0), st.integers(0, 1000))
def test_rock_slope_keeps_the_volume_of_the_slope(given_families, face, seed):
    structure = templates.rock_slope(3.0, face, 2.0, 2.5, given_families, seed=seed)
    require_sound(structure)
    expected = 2.5 * 3.0 * (2.0 + 1.5 / math.tan(math.radians(face)))
    assert volume(structure) == pytest.approx(expected, rel=1e-9)


def test_fractures_of_three_straight_families_make_boxes():
    """Planes a metre apart at right angles, no scatter: all cells are boxes, and their number is a product."""
    structure = templates.rock_mass(
        5.0, 4.0, 3.0, [(0.0, 0.0, 1.0), (90.0, 0.0, 1.0), (90.0, 90.0, 1.0)], scatter=0.0, spread=0.0, walls=False
    )
    free = structure.blocks[1:]
    assert all(len(block.vertices) == 8 and len(block.faces) == 6 for block in free)
    counts = [len(np.unique(np.concatenate([b.vertices[:, k] for b in free]).round(9))) - 1 for k in range(3)]
    assert len(free) == counts[0] * counts[1] * counts[2]
    assert all(low <= count <= low + 1 for low, count in zip((5, 4, 3), counts))


def test_the_same_seed_gives_the_same_rock():
    assert templates.rock_slope(seed=7) == templates.rock_slope(seed=7)
    assert templates.rock_slope(seed=7) != templates.rock_slope(seed=8)
