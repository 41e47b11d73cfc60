"""Contacts at rest on blocks whose interfaces are known, and on the benchmark scenes."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import ConvexHull, HalfspaceIntersection

from compas_nscd.errors import IsolatedBlockError, OverlapError, SupportError
from detection import between, moved, request_of, ring, run, triangulated, turn
from nscd_engine.contacts.at_rest import OVERLAP, detect
from nscd_engine.contacts.soundness import require_sound
from nscd_engine.gate.settings import read_settings
from nscd_engine.gate.structure import read_model
from plain_python import plain_python
from scene_requests import request_from_scene
from solids import box, prism, random_rotation

ROUNDING = 1e-12
L_OUTLINE = [(0, 0), (3, 0), (3, 1), (1, 1), (1, 2), (0, 2)]


def check_contacts(detection):
    """What must hold for any contacts: frames, orientation of the polygons, points within them, unique keys."""
    interfaces, contacts = detection.interfaces, detection.contacts
    gram = np.einsum("cij,ckj->cik", contacts.frame, contacts.frame)
    assert np.allclose(gram, np.eye(3), atol=1e-12)
    assert np.linalg.det(contacts.frame) == pytest.approx(np.ones(len(gram)))
    assert len(np.unique(contacts.key)) == len(contacts.key)
    assert (interfaces.body[:, 0] < interfaces.body[:, 1]).all()
    owner = np.repeat(np.arange(len(interfaces.area)), np.diff(interfaces.contact_start))
    assert np.array_equal(contacts.body, interfaces.body[owner])
    assert contacts.frame[:, 0] == pytest.approx(interfaces.normal[owner])
    start = interfaces.polygon_start
    following = np.arange(1, start[-1] + 1)
    following[start[1:] - 1] = start[:-1]
    local = interfaces.polygon - np.repeat(interfaces.polygon[start[:-1]], np.diff(start), axis=0)
    vector = 0.5 * np.add.reduceat(np.cross(local, local[following]), start[:-1], axis=0)
    assert np.einsum("ij,ij->i", vector, interfaces.normal) == pytest.approx(interfaces.area, rel=1e-9, abs=1e-15)


@pytest.mark.short
def test_cube_on_a_slab():
    model, found = run([box((-1, -1, -1), (3, 3, 1)), box()])
    check_contacts(found)
    assert found.interfaces.area == pytest.approx([1.0])
    assert found.interfaces.normal[0] == pytest.approx([0, 0, 1])
    assert found.interfaces.centroid[0] == pytest.approx([0.5, 0.5, 0.0])
    assert found.interfaces.gap == pytest.approx([0.0], abs=ROUNDING)
    corners = {(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 1.0, 0.0)}
    assert set(map(tuple, found.contacts.point.round(12).tolist())) == corners
    require_sound(model, found, read_settings({}))


def test_the_normal_points_from_the_first_block_to_the_second():
    _, found = run([box(), box((-1, -1, -1), (3, 3, 1))])
    assert found.interfaces.body.tolist() == [[0, 1]]
    assert found.interfaces.normal[0] == pytest.approx([0, 0, -1])


@pytest.mark.short
def test_triangulated_faces_give_the_same_contacts():
    """Two cubes half over each other, and an L: faces in triangles or not."""
    solids = [prism(L_OUTLINE, 1.0), box((1, 1, 0)), box((1.5, 2, 0))]
    plain = run(solids)[1]
    cut = run([triangulated(solid) if k else prism(L_OUTLINE, 1.0) for k, solid in enumerate(solids)])[1]
    check_contacts(cut)
    assert cut.interfaces.area == pytest.approx(plain.interfaces.area)
    assert np.array_equal(cut.interfaces.contact_start, plain.interfaces.contact_start)
    assert np.array_equal(cut.interfaces.polygon_start, plain.interfaces.polygon_start)


def test_cube_in_the_notch_of_an_l():
    _, found = run([prism(L_OUTLINE, 1.0), box((1, 1, 0))])
    check_contacts(found)
    assert sorted(found.interfaces.area) == pytest.approx([1.0, 1.0])
    normals = sorted(map(tuple, found.interfaces.normal.round(9).tolist()))
    assert normals == [(0.0, 1.0, 0.0), (1.0, 0.0, 0.0)]
    assert found.overlaps == []


def test_lid_on_an_l_has_the_area_of_the_l():
    """A slab on the concave face: one interface, outline with six corners, contact points those of its hull."""
    _, found = run([prism(L_OUTLINE, 1.0), box((-1, -1, 1), (5, 5, 1))])
    check_contacts(found)
    assert found.interfaces.area == pytest.approx([4.0])
    assert np.diff(found.interfaces.polygon_start).tolist() == [6]
    hull = {(0.0, 0.0), (3.0, 0.0), (3.0, 1.0), (1.0, 2.0), (0.0, 2.0)}
    assert set(map(tuple, found.contacts.point[:, :2].round(9).tolist())) == hull


def test_dovetail():
    """The tail has three interfaces with its socket: two leaning sides and the end."""
    tail = [(1.0, 1.0), (2.0, 1.0), (2.3, 2.0), (0.7, 2.0)]
    socket = [(0, 0), (3, 0), (3, 2), (2.3, 2), (2, 1), (1, 1), (0.7, 2), (0, 2)]
    turned = [(x, 2.0 - (y - 1.0)) for x, y in tail][::-1]
    _, loose = run([prism(socket, 1.0), prism(tail, 1.0)])
    check_contacts(loose)
    assert sorted(loose.interfaces.area) == pytest.approx(sorted([1.0, np.hypot(0.3, 1.0), np.hypot(0.3, 1.0)]))
    assert loose.overlaps == []
    # The tail the wrong way round does not fit into a socket that narrows.
    _, tight = run([prism(socket, 1.0), prism(turned, 1.0)])
    assert len(tight.overlaps) == 1


def test_block_in_a_hole():
    solids = [box((-3, -3, -1), (6, 6, 1)), ring(), box((-0.5, -0.5, 0.0)), box((-3, -3, 1), (6, 6, 1))]
    _, found = run(solids)
    check_contacts(found)
    assert found.overlaps == []
    sides = between(found, 1, 2)
    assert found.interfaces.area[sides] == pytest.approx([1.0] * 4)
    # The lid rests on the ring, whose top has a hole: no area is lost.
    assert found.interfaces.area[between(found, 1, 3)].sum() == pytest.approx(8.0)
    assert found.interfaces.area[between(found, 2, 3)] == pytest.approx([1.0])


def test_plug_that_does_not_fit_into_its_hole():
    _, found = run([ring(), box((-0.55, -0.5, 0.0), (1.1, 1.0, 1.0))])
    assert [(a, b) for a, b, _ in found.overlaps] == [(0, 1)]
    assert found.overlaps[0][2] == pytest.approx(0.05, rel=0.5)


def test_bridge_on_two_feet_has_two_interfaces():
    feet = [(0, 0), (1, 0), (1, 1), (2, 1), (2, 0), (3, 0), (3, 2), (0, 2)]
    bridge = moved(prism(feet, 1.0), turn(0, 90), (0, 1, 0))
    _, found = run([box((-1, -1, -1), (5, 3, 1)), bridge])
    check_contacts(found)
    assert found.interfaces.area == pytest.approx([1.0, 1.0])
    assert len(found.contacts.gap) == 8


def test_t_joint():
    """The end of one block against the middle of another: the area is that of the end."""
    _, found = run([box((0, 0, 0), (4, 1, 1)), box((1.5, 1, 0.25), (0.5, 2, 0.5))])
    assert found.interfaces.area == pytest.approx([0.25])
    assert found.interfaces.centroid[0] == pytest.approx([1.75, 1.0, 0.5])


def test_corners_on_a_line_are_not_contact_points():
    outline = [(0, 0), (0.3, 0), (0.7, 0), (1, 0), (1, 0.5), (1, 1), (0.5, 1), (0, 1)]
    _, found = run([box((-1, -1, -1), (3, 3, 1)), prism(outline)])
    assert len(found.contacts.gap) == 4


def test_round_drum_keeps_all_its_corners():
    """An n-gon keeps its n extreme points: none can go without moving a centre of pressure."""
    outline = [(np.cos(a), np.sin(a)) for a in np.linspace(0, 2 * np.pi, 64, endpoint=False)]
    _, found = run([moved(prism(outline), shift=(0, 0, -1)), prism(outline)])
    assert len(found.contacts.gap) == 64


@pytest.mark.short
def test_edge_of_a_tilted_block_on_a_plane():
    """At 45 degrees: a line of two points, the normal is that of the plane."""
    diamond = moved(box((-0.5, 0, -0.5)), turn(1, 45), (0, 0, np.sqrt(0.5)))
    model, found = run([box((-2, -2, -1), (4, 5, 1)), diamond])
    check_contacts(found)
    assert found.interfaces.area.tolist() == [0.0]
    assert found.interfaces.normal[0] == pytest.approx([0, 0, 1])
    assert sorted(map(tuple, found.contacts.point.round(9).tolist())) == [(0.0, 0.0, 0.0), (0.0, 1.0, 0.0)]
    require_sound(model, found, read_settings({}))


@pytest.mark.parametrize("degrees", [6.0, 20.0, 44.0])
def test_edge_that_hangs_over_the_plane(degrees):
    tilted = moved(box((0, -1, 0), (1, 3, 1)), turn(1, -degrees))
    _, found = run([box((-2, 0, -1), (4, 1, 1)), tilted])
    points = found.contacts.point
    assert found.interfaces.area.tolist() == [0.0]
    assert sorted(points[:, 1].tolist()) == pytest.approx([0.0, 1.0])
    assert np.abs(points[:, [0, 2]]).max() < ROUNDING


def test_cube_on_its_corner():
    axis = np.array([1, 1, 1]) / np.sqrt(3.0)
    u = np.array([1, -1, 0]) / np.sqrt(2.0)
    rotation = np.array([u, np.cross(axis, u), axis])
    _, found = run([box((-2, -2, -1), (4, 4, 1)), moved(box(), rotation)])
    check_contacts(found)
    assert len(found.contacts.gap) == 1
    assert found.contacts.point[0] == pytest.approx([0, 0, 0], abs=ROUNDING)
    assert found.interfaces.normal[0] == pytest.approx([0, 0, 1])


def test_two_edges_that_cross():
    """Two bars on edge, one above and across the other: one point, the normal is the cross product of the edges."""
    bar = moved(box((-0.5, -3, -0.5), (1, 6, 1)), turn(1, 45))
    above = moved(bar, turn(2, 90), (0.3, 0.4, 2.0 * np.sqrt(0.5)))
    _, found = run([bar, above])
    check_contacts(found)
    assert len(found.contacts.gap) == 1
    assert found.contacts.point[0] == pytest.approx([0.0, 0.4, np.sqrt(0.5)], abs=ROUNDING)
    assert found.interfaces.normal[0] == pytest.approx([0, 0, 1])


def test_two_leaning_rods():
    """Two rods that meet in their upper edges push each other sideways; each stands on an edge."""
    rod = moved(box((0, 0, 0), (0.1, 0.3, 2.0)), turn(1, 20))
    right = rod[0][:, 0].max()
    other = (rod[0] * [-1, 1, 1] + [2.0 * right, 0, 0], [face[::-1] for face in rod[1]])
    low = rod[0][:, 2].min()
    _, found = run([box((-1, -1, low - 1), (5, 3, 1)), rod, other])
    check_contacts(found)
    assert found.interfaces.body.tolist() == [[0, 1], [0, 2], [1, 2]]
    assert found.interfaces.normal[2] == pytest.approx([1, 0, 0], abs=1e-9)
    assert len(found.contacts.gap) == 6


def test_four_blocks_around_an_edge_meet_in_pairs():
    """Corner to corner there is no normal; the joints of the other two blocks carry."""
    model, found = run([box((x, 0, z)) for x in (0, 1) for z in (0, 1)])
    assert found.interfaces.body.tolist() == [[0, 1], [0, 2], [1, 3], [2, 3]]
    assert sorted(map(tuple, found.corners)) == [(0, 3), (1, 2)]
    assert found.isolated == []


@pytest.mark.parametrize("shift, points", [((1, 0, 1), 2), ((1, 1, 1), 1), ((1, 0.5, 1), 2)])
def test_two_cubes_corner_to_corner(shift, points):
    """With nobody between them, they touch along the edge, or the vertex, with the mean of the normals around it."""
    _, found = run([box(), box(shift)])
    check_contacts(found)
    direction = np.sign(np.floor(np.array(shift)))
    assert found.interfaces.normal[0] == pytest.approx(direction / np.linalg.norm(direction))
    assert len(found.contacts.gap) == points
    assert found.isolated == []


@pytest.mark.parametrize("width", [0.01, 1e-4])
def test_narrow_bearing_that_is_all_there_is(width):
    _, found = run([box(), box((1.0 - width, 0, 1))])
    assert found.interfaces.area == pytest.approx([width])
    assert [used for *_, used in found.slivers] == ([True] if width < 1e-3 else [])


def test_sliver_beside_proper_joints_is_listed_and_does_not_carry():
    """Four blocks in two courses, drawn a tenth of a millimetre out of line."""
    _, found = run([box(), box((1, 0, 0)), box((1e-4, 0, 1)), box((1.0001, 0, 1))])
    assert [(a, b, used) for a, b, _, used in found.slivers] == [(1, 2, False)]
    assert found.slivers[0][2] == pytest.approx(1e-4, rel=1e-6)
    assert len(found.interfaces.area) == 4


@pytest.mark.parametrize("gap, touches", [(1e-3, True), (-1e-3, True), (2e-3, False)])
def test_gaps_within_the_tolerance(gap, touches):
    """Tolerance 1e-3 of the diagonal, 1.7 mm for a cube of 1 m."""
    model, found = run([box(), box((0, 0, 1.0 + gap))])
    assert len(found.interfaces.area) == int(touches)
    if touches:
        assert found.interfaces.gap == pytest.approx([gap], abs=ROUNDING)
        assert found.contacts.gap == pytest.approx([gap] * 4, abs=ROUNDING)
        assert found.contacts.point[:, 2] == pytest.approx([1.0 + 0.5 * gap] * 4)
    else:
        with pytest.raises(IsolatedBlockError) as caught:
            require_sound(model, found, read_settings({}))
        assert caught.value.blocks == ["1"]


def test_the_far_side_of_a_thin_plate_does_not_touch():
    """Plates 0.5 mm thick and 1 m wide: a gap of their thickness is within 1e-3 of the diagonal, and is no contact."""
    _, found = run([box((0, 0, 5e-4 * k), (1, 1, 5e-4)) for k in range(3)])
    assert found.interfaces.body.tolist() == [[0, 1], [1, 2]]


def test_warped_faces_that_mate():
    """A warped joint: the points are on the surface, the gap is zero."""
    lower, upper = box(), box((0, 0, 1))
    lift = np.array([0.02, -0.02, 0.02, -0.02])
    lower[0][4:, 2] += lift
    upper[0][:4, 2] += lift
    _, found = run([lower, upper])
    assert found.interfaces.area == pytest.approx([1.0])
    assert np.abs(found.contacts.gap).max() < ROUNDING
    assert found.contacts.point[:, 2] - 1.0 == pytest.approx(
        [0.02 if (x + y) % 2 == 0 else -0.02 for x, y in found.contacts.point[:, :2].round()]
    )


def test_inclined_faces_touch_where_they_are_near():
    """Faces at 0.5 degrees: only the strip within the tolerance t counts, of width t / tan 0.5."""
    tilted = moved(box(), turn(1, -0.5))
    _, found = run([box((-1, -1, -1), (3, 3, 1)), tilted])
    tolerance = 1e-3 * np.sqrt(3.0)
    assert found.interfaces.area == pytest.approx([tolerance / np.tan(np.radians(0.5))], rel=2e-3)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9))
def test_area_of_random_faces(seed):
    """Two random convex prisms one on the other: the area is that of the intersection of half planes."""
    rng = np.random.default_rng(seed)
    outlines = []
    for _ in range(2):
        points = rng.normal(size=(8, 2))
        outlines.append(points[ConvexHull(points).vertices])
    hulls = [ConvexHull(outline) for outline in outlines]
    _, found = run([moved(prism(outlines[0]), shift=(0, 0, -1)), prism(outlines[1])])
    area = found.interfaces.area.sum()
    middle = 0.5 * (outlines[0].mean(axis=0) + outlines[1].mean(axis=0))
    planes = np.vstack([hull.equations for hull in hulls])
    if (planes[:, :2] @ middle + planes[:, 2] >= -1e-6).any():
        return
    common = ConvexHull(HalfspaceIntersection(planes, middle).intersections)
    assert area == pytest.approx(common.volume, rel=1e-9)
    check_contacts(found)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9))
def test_depth_of_random_boxes(seed):
    """Depth against an independent one: how far the origin is inside the hull of the Minkowski difference."""
    rng = np.random.default_rng(seed)
    one = moved(box((-0.5, -0.5, -0.5)), random_rotation(seed))
    size = rng.uniform(0.3, 1.5, 3)
    two = moved(box(-0.5 * size, size), random_rotation(seed + 1), rng.normal(scale=0.7, size=3))
    difference = (one[0][:, None, :] - two[0][None, :, :]).reshape(-1, 3)
    depth = -ConvexHull(difference).equations[:, 3].max()
    _, found = run([one, two])
    margin = OVERLAP * 1e-3 * min(np.sqrt(3.0), np.linalg.norm(size))
    if depth > margin * (1.0 + 1e-6):
        assert found.overlaps[0][2] == pytest.approx(depth, rel=1e-6)
    elif depth < margin * (1.0 - 1e-6):
        assert found.overlaps == []


def test_concave_blocks_that_cross_or_coincide():
    block = prism(L_OUTLINE, 1.0)
    _, same = run([block, block])
    assert len(same.overlaps) == 1
    _, through = run([block, box((0.2, -1, 0.3), (0.4, 4, 0.4))])
    # An edge runs 0.2 below the surface, and 0.6 is what it takes to move the bar out: the sampled depth is between.
    assert 0.2 <= through.overlaps[0][2] <= 0.6
    _, beside = run([block, box((1, 1, 0))])
    assert beside.overlaps == []


def test_refusals_name_blocks_and_remedies():
    chosen = read_settings({})
    model, found = run([box(), box((0, 0, 0.8)), box((0, 0, 1.8))])
    with pytest.raises(OverlapError) as caught:
        require_sound(model, found, chosen)
    assert caught.value.blocks == ["0", "1"] and caught.value.detail["depth"] == pytest.approx(0.2)
    assert "--gap 200mm" in caught.value.remedy
    for supports in ((), (0, 1)):
        model, found = run([box(), box((0, 0, 1))], supports)
        with pytest.raises(SupportError):
            require_sound(model, found, chosen)
    model, found = run([box(), box((0, 0, 1))], ())
    require_sound(model, found, chosen._replace(unsupported=True))


def test_blocks_on_no_support_are_told():
    _, found = run([box(), box((0, 0, 1)), box((5, 0, 5)), box((5, 0, 6))])
    assert [(w["code"], w["blocks"]) for w in found.warnings] == [("floating", ["2", "3"])]
    assert found.isolated == []


def test_supports_do_not_meet_each_other():
    _, found = run([box(), box((1, 0, 0)), box((0, 0, 1), (2, 1, 1))], (0, 1))
    assert found.interfaces.body.tolist() == [[0, 2], [1, 2]]


def test_friction_of_pairs_reaches_the_contacts():
    request = request_of([box(), box((0, 0, 1)), box((0, 0, 2))])
    request["structure"]["pair_laws"] = [{"blocks": [1, 2], "law": {"kind": "coulomb", "friction": 0.2}}]
    found = detect(read_model(request), read_settings(request))
    assert found.contacts.friction.tolist() == [0.6] * 4 + [0.2] * 4


# Contacts and total area [m2] of the scenes. The contacts agree with those of another code, LMGC90, where it finds the
# same joints: it counts those between two supports as well (8 joints, 32 points, of the cylinder; 24 and 40 joints of
# the domes), finds 8 points less on the spandrel and 4 more on the cross vault, and of the warped joints only some.
# docs/contact_geometry.md explains the last three scenes.
SCENES = {
    "stack-10": (40, 2.5),
    "stack-50": (200, 12.5),
    "arch-semi-20": (84, 15.75),
    "arch-semi-60": (244, 45.75),
    "arch-thin-20": (84, 10.5),
    "arch-limit-27": (112, 16.8),
    "wall-10x10": (1140, 18.4375),
    "wall-20x25": (5860, 93.125),
    "wall-40x50": (23720, 373.75),
    "dem-wall": (240, 14.625),
    "barrel-vault": (2240, 84.9965),
    "cylinder": (3712 - 32, 123.488),
    "dome-300": (2400 - 96, 221.865),
    "dome-1000": (8160 - 160, 425.431),
    "spandrel": (4364 + 8, 249.312),
    "dem-crossvault": (1982 - 4, 142.018),
    "dem-dome": (960, 70.5513),
    "dem-pavillionvault": (4809, 99.9447),
}


@pytest.mark.parametrize("name", sorted(SCENES))
def test_scenes(scenes_dir, name):
    scene = json.loads((scenes_dir / (name + ".json")).read_text(encoding="utf-8"))
    request = request_from_scene(scene)
    model, chosen = read_model(request), read_settings(request)
    found = detect(model, chosen)
    count, area = SCENES[name]
    assert len(found.contacts.gap) == count
    assert found.interfaces.area.sum() == pytest.approx(area, rel=1e-5)
    assert found.warnings == []
    require_sound(model, found, chosen)
    check_contacts(found)


def test_plain_python_finds_the_same():
    """The kernels without their compiler, on blocks that use all of them."""
    program = (
        "from test_at_rest import small_structure; from detection import run; import json;"
        "found = run(small_structure())[1];"
        "print(json.dumps([found.contacts.point.tolist(), found.overlaps, found.corners, found.slivers]))"
    )
    found = run(small_structure())[1]
    points, overlaps, corners, slivers = json.loads(plain_python(program, __file__))
    assert np.array(points) == pytest.approx(found.contacts.point, abs=1e-12)
    assert np.array(overlaps) == pytest.approx(np.array(found.overlaps))
    assert corners == found.corners
    assert len(slivers) == len(found.slivers)


def small_structure():
    diamond = moved(box((-0.2, 0, -0.2), (0.4, 1, 0.4)), turn(1, 45), (2.0, 0.0, 2.0 + 0.2 * np.sqrt(2.0)))
    blocks = [prism(L_OUTLINE, 1.0), triangulated(box((1, 1, 0), (2, 1, 1))), box((0, 2, 0), (1.00005, 1, 1))]
    return blocks + [moved(diamond, turn(0, -90), (0, -1, 3)), box((1, 2, 0)), box((0.5, 0.5, 0.9)), ring()]
