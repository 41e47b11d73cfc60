"""Arches, vaults and walls: sound geometry, and volumes that add up to those of the body they are cut from."""

import math

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from compas_nscd import templates
from template_checks import opening_area, require_sound, volume

lengths = st.floats(0.3, 12.0)
FEW = settings(max_examples=25, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))


def ring_area(inner, outer, angle, blocks):
    """Of a ring sector cut into straight-edged pieces: each is a trapezoid of this angle over the number of pieces."""
    return blocks * math.sin(angle / blocks) * (outer**2 - inner**2) / 2


@pytest.mark.short
@FEW
@given(st.floats(1.0, 9.0), st.floats(0.1, 1.0), st.floats(0.02, 0.9), st.integers(3, 60), lengths)
def test_circular_arch(span, flat, slender, blocks, depth):
    rise = span / 2 * flat
    radius = (span**2 / 4 + rise**2) / (2 * rise)
    thickness = slender * 2 * radius
    structure = templates.arch(span, thickness, depth, blocks, rise)
    require_sound(structure)
    half = math.atan2(span / 2, radius - rise)
    expected = depth * ring_area(radius - thickness / 2, radius + thickness / 2, 2 * half, blocks)
    assert volume(structure) == pytest.approx(expected, rel=1e-9)
    assert len(structure) == blocks + 2


def centre_line(shape, span, rise):
    """Length of a smooth centre line, from quadrature or closed form."""
    half = span / 2
    if shape == "elliptical":
        t = np.linspace(0.0, math.pi, 200001)
        return float(np.hypot(np.diff(half * np.cos(t)), np.diff(rise * np.sin(t))).sum())
    if shape == "catenary":
        low, high = 1e-6, 100.0
        for _ in range(200):  # c from rise = c (cosh(half / c) - 1), which falls with c
            c = math.sqrt(low * high)
            low, high = (c, high) if half / c > 700 or c * (math.cosh(half / c) - 1) > rise else (low, c)
        return 2 * c * math.sinh(half / c)
    flank = (rise - half * (2 - math.sqrt(3))) / (math.sqrt(3) - 1)  # of 60 degrees, tangent to a crown of 60 degrees
    crown = 2 * half - flank
    return math.pi / 3 * (2 * flank + crown)


@FEW
@given(
    st.sampled_from(["elliptical", "catenary", "basket"]),
    st.floats(2.0, 20.0),
    st.floats(0.3, 0.48),
    st.floats(0.05, 0.5),
    st.sampled_from([399, 400]),
)
def test_smooth_arch_is_its_centre_line_times_its_thickness(shape, span, flat, slender, blocks):
    """Exact for offset curves; chords of 400 blocks lose (curvature * length)^2 / 6, here at most 2e-4."""
    rise = flat * span
    structure = templates.arch(span, slender * 0.15 * span, 1.0, blocks, rise, shape=shape)
    require_sound(structure)
    assert volume(structure) == pytest.approx(centre_line(shape, span, rise) * slender * 0.15 * span, rel=5e-4)


@FEW
@given(st.floats(1.0, 20.0), st.floats(0.55, 2.0), st.floats(0.02, 0.05), st.sampled_from([40, 41]))
def test_pointed_arch_is_two_discs_less_two_discs(span, steep, slender, blocks):
    rise, thickness = steep * span, slender * span
    structure = templates.arch(span, thickness, 1.0, blocks, rise, shape="pointed")
    require_sound(structure)
    radius = (span**2 / 4 + rise**2) / span
    offset = radius - span / 2

    def beyond(r):  # the part right of x = 0 and above z = 0 of a disc about (-offset, 0)
        return (r**2 * math.acos(offset / r) - offset * math.sqrt(r**2 - offset**2)) / 2

    expected = 2 * (beyond(radius + thickness / 2) - beyond(radius - thickness / 2))
    # Chords of an angle of at most pi/2 / 20 lose a share of angle^2 / 6 = 1e-3.
    assert volume(structure) == pytest.approx(expected, rel=2e-3)


@FEW
@given(
    st.sampled_from(["circular", "pointed", "elliptical", "basket", "catenary"]),
    st.sampled_from(["radial", "vertical"]),
    st.integers(2, 31),
    st.floats(0.05, 0.6),
)
def test_arches_of_all_shapes_are_sound_and_symmetric(shape, joints, blocks, thickness):
    structure = templates.arch(8.0, thickness, 1.0, blocks, shape=shape, joints=joints)
    require_sound(structure)
    voussoirs = structure.blocks[:blocks]
    for one, other in zip(voussoirs, reversed(voussoirs)):
        mirrored = other.vertices * [-1.0, 1.0, 1.0]
        assert np.allclose(_sorted(one.vertices), _sorted(mirrored), atol=1e-9)


def _sorted(points):
    points = np.round(points, 9)
    return points[np.lexsort(points.T)]


@FEW
@given(st.floats(2.0, 12.0), st.floats(0.1, 0.5), st.floats(1.0, 9.0), st.integers(3, 25), st.integers(1, 9))
def test_barrel_vault(span, thickness, length, courses, blocks):
    structure = templates.barrel_vault(span, thickness, length, courses, blocks)
    require_sound(structure)
    section = ring_area((span - thickness) / 2, (span + thickness) / 2, math.pi, courses)
    assert volume(structure) == pytest.approx(section * length, rel=1e-9)


@FEW
@given(st.floats(2.0, 9.0), st.floats(0.1, 0.6), st.integers(1, 12), st.floats(0.3, 2.0), st.floats(0.05, 1.0))
def test_groin_vault(span, thickness, pairs, length, edge):
    """Arms of length end - h over every piece of the section, h being its distance from the crown; and the key."""
    courses = 2 * pairs + 1
    structure = templates.groin_vault(span, thickness, courses, length, edge)
    require_sound(structure)
    inner, outer = span / 2, span / 2 + thickness
    end, step = outer + edge, math.pi / courses
    area = math.sin(step) * (outer**2 - inner**2) / 2
    moment = math.sin(step) * (outer**3 - inner**3) / 6
    web = sum(end * area - moment * (math.cos(i * step) + math.cos((i + 1) * step)) for i in range(pairs))
    half = step / 2
    crown = end * area - math.tan(half) * moment * 2 * math.cos(half)
    low, high = (2 * r * math.sin(half) for r in (inner, outer))
    key = (outer - inner) * math.cos(half) / 3 * (low**2 + low * high + high**2)
    assert volume(structure) == pytest.approx(8 * web + 4 * crown + key, rel=1e-9)


@pytest.mark.short
@FEW
@given(st.integers(1, 12), st.integers(1, 9), st.floats(0.1, 5.0), lengths, lengths)
def test_wall(columns, courses, length, height, depth):
    structure = templates.wall(columns, courses, length, height, depth)
    require_sound(structure)
    assert volume(structure) == pytest.approx(columns * courses * length * height * depth, rel=1e-9)


@FEW
@given(st.data())
def test_wall_with_an_opening(data):
    columns, courses = data.draw(st.integers(4, 12)), data.draw(st.integers(3, 9))
    left = data.draw(st.integers(2, 2 * columns - 4)) / 2
    wide = data.draw(st.integers(1, int(2 * (columns - left)) - 2)) / 2
    low = data.draw(st.integers(0, courses - 1))
    high = data.draw(st.integers(1, courses - low))
    structure = templates.wall(columns, courses, openings=[(left, low, wide, high)])
    require_sound(structure)
    expected = (columns * courses - wide * high) * 0.5 * 0.25 * 0.25
    assert volume(structure) == pytest.approx(expected, rel=1e-9)
    lintels = [b for b in structure.blocks if (b._name or "").startswith("lintel")]
    assert len(lintels) == (low + high < courses)
    for lintel in lintels:
        assert np.ptp(lintel.vertices[:, 0]) == pytest.approx((wide + 1) * 0.5)


def test_published_bonds_can_be_given_as_patterns():
    """Third wall of Ferris & Tin-Loi: 11 courses of 4 blocks with one block left out of five of them."""
    full, half = "1 1 1 1", "0.5 1 1 1 0.5"
    even, odd = "1 0.5 -1 0.5 1", "0.5 1 -1 1 0.5"
    courses = [full, half, full, odd, even, odd, even, odd, full, half, full]
    structure = templates.pattern_wall(" / ".join(courses), repeat=1)
    require_sound(structure)
    assert volume(structure) == pytest.approx((11 * 4 - 5) * 0.4 * 0.175 * 0.2)
    assert len(structure) - 1 == 4 * 4 + 2 * 5 + 3 * 4 + 2 * 4
    as_lists = [[float(block) for block in course.split()] for course in courses]
    assert templates.pattern_wall(as_lists, repeat=1) == structure


@FEW
@given(st.floats(0.5, 5.0), st.floats(0.1, 1.0), st.integers(1, 20), st.floats(0.3, 3.0))
def test_flat_arch(span, height, blocks, centre):
    structure = templates.flat_arch(span, height, 0.4, blocks, centre)
    require_sound(structure)
    expected = 0.4 * height * span * (1 + height / (2 * centre))  # a trapezoid
    assert volume(structure) == pytest.approx(expected, rel=1e-9)


@FEW
@given(st.floats(0.5, 5.0), st.integers(1, 12), st.integers(0, 4), st.integers(1, 3), st.floats(0.3, 0.9))
def test_corbelled_arch(span, courses, jamb, cover, length):
    structure = templates.corbelled_arch(span, courses, length=length, jamb=jamb, cover=cover)
    require_sound(structure)
    steps = sum(span * (1 - i / (courses + 1)) for i in range(1, courses + 1))
    total = (span + 4.0) * (jamb + courses + cover) - jamb * span - steps
    assert volume(structure) == pytest.approx(0.3 * total, rel=1e-9)


@FEW
@given(st.sampled_from([None, 1.0, 2.0, 3.0]), st.integers(3, 20), st.floats(0.9, 3.0), st.floats(0.0, 2.0))
def test_buttressed_arch(rise, blocks, pier, batter):
    structure = templates.buttressed_arch(6.0, 0.8, 1.0, blocks, pier, pier + batter, 4.0, 5, rise)
    require_sound(structure)
    radius = 3.0 if rise is None else (9.0 + rise**2) / (2 * rise)
    half = math.atan2(3.0, radius - (rise or 3.0))
    skew = 0.8 * math.cos(half), 0.8 * math.sin(half)  # of the springing joint, up and across
    head = pier * skew[0] - skew[0] * skew[1] / 2  # of the pier beside the joint
    expected = ring_area(radius - 0.4, radius + 0.4, 2 * half, blocks) + 2 * (4.0 * (pier + batter / 2) + head)
    assert volume(structure) == pytest.approx(expected, rel=1e-9)


@FEW
@given(
    st.sampled_from(["semicircular", "pointed", "elliptical", "basket"]),
    st.integers(3, 40),
    st.floats(0.15, 0.6),
    st.one_of(st.just(0.0), st.floats(0.2, 3.0)),
    st.floats(0.2, 0.6),
)
def test_spandrel_wall_is_a_rectangle_less_its_opening(shape, voussoirs, ring, springing, course):
    structure = templates.spandrel_wall(
        16.0, 14.0, 0.8, 7.0, ring, voussoirs, springing, course, course * 2, shape=shape
    )
    require_sound(structure)
    opening = opening_area([b for b in structure.blocks if b._name.startswith("v")])
    assert volume(structure) == pytest.approx(0.8 * (16.0 * 14.0 - 7.0 * springing - opening), rel=1e-9)
    if shape == "semicircular":
        assert opening == pytest.approx(voussoirs * math.sin(math.pi / voussoirs) * 3.5**2 / 2, rel=1e-9)


@FEW
@given(st.integers(1, 4), st.floats(2.0, 8.0), st.integers(3, 25), st.floats(0.9, 2.0), st.floats(1.5, 5.0))
def test_bridge(arches, span, voussoirs, pier, depth):
    structure = templates.bridge(arches, span, 0.4, voussoirs, pier, depth=depth)
    require_sound(structure)
    width = arches * span + (arches - 1) * pier + 2 * 2.4
    height = 2.0 + (span / 2 + 0.4) * (math.cos(math.pi / voussoirs / 2) if voussoirs % 2 else 1.0) + 0.4
    opening = 2.0 * span + voussoirs * math.sin(math.pi / voussoirs) * span**2 / 8
    assert volume(structure) == pytest.approx(depth * (width * height - arches * opening), rel=1e-9)
