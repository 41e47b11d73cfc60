"""Checks of polyhedra: known volumes, and one defect at a time among good blocks."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compas_nscd.geometry import repair
from compas_nscd.geometry.checks import PLANARITY, check
from compas_nscd.geometry.polyhedra import flatten, measure
from solids import box, prism, random_rotation, wall

L_SHAPE = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]


def run(*solids, **options):
    """Check solids given as (vertices, faces)."""
    poly = flatten([np.array(v, float).reshape(-1, 3) for v, _ in solids], [f for _, f in solids])
    return check(poly, [str(i) for i in range(len(solids))], **options)


def codes(report):
    return {f.code: f.blocks for f in report.findings}


def volumes(report):
    return measure(report.polyhedra).volume


# -- measures --------------------------------------------------------------------------------------------------------


@pytest.mark.short
def test_volume_area_and_size_of_boxes():
    report = run(box(size=(1, 2, 3)), box(lower=(5, 5, 5), size=(0.1, 0.2, 0.3)))
    m = measure(report.polyhedra)
    assert m.volume == pytest.approx([6.0, 0.006], rel=1e-12)
    assert m.surface == pytest.approx([22.0, 0.22], rel=1e-12)
    assert m.size == pytest.approx([14**0.5, 0.1 * 14**0.5], rel=1e-12)
    assert report.findings == [] and report.ok


@given(st.integers(0, 10**6), st.floats(0.01, 20.0))
@settings(max_examples=30, deadline=None)
def test_volume_of_a_prism_is_that_of_its_polygon_wherever_it_stands(seed, radius):
    """n-gon inscribed in a circle: area n/2 r^2 sin(2 pi/n). Rotating and moving costs 1e-16 * distance/size."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 12))
    angle = 2 * np.pi * np.arange(n) / n
    vertices, faces = prism(list(zip(radius * np.cos(angle), radius * np.sin(angle))), height=2.0)
    vertices = vertices @ random_rotation(seed).T + rng.uniform(-100, 100, 3)
    report = run((vertices, faces))
    assert volumes(report)[0] == pytest.approx(n * radius**2 * np.sin(2 * np.pi / n), rel=1e-9)
    assert report.findings == []  # neither warped nor concave nor anything else


# -- every defect is found in the right block, among good ones ---------------------------------------------------------


def defective(kind):
    vertices, faces = box()
    if kind == "open":
        return vertices, faces[:-1]
    if kind == "edge of three":
        return np.vstack([vertices, [0.5, 2.0, 0.5]]), faces + [[0, 1, 8]]
    if kind == "nan":
        vertices[3, 1] = np.nan
    elif kind == "inf":
        vertices[3, 1] = np.inf
    elif kind == "too far":
        vertices[3, 1] = 1e200
    elif kind == "index":
        faces[2] = [0, 1, 5, 8]
    elif kind == "negative index":
        faces[2] = [0, 1, 5, -1]
    elif kind == "huge index":
        faces[2] = [0, 1, 5, 10**30]
    elif kind == "no faces":
        faces = []
    elif kind == "no vertices":
        vertices, faces = np.zeros((0, 3)), []
    elif kind == "flat":
        vertices = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 1e-9]])
        faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
    elif kind == "thinner than the weld":
        vertices[:, 2] *= 1e-8
    elif kind == "a point":
        vertices[:] = 1.0
    elif kind == "folded":
        vertices[[4, 6], 2] += 0.8
    elif kind == "sliver":
        # the top is one quadrilateral, its neighbour has a vertex in the middle of the common edge, and a triangle
        # without area fills the crack
        vertices = np.vstack([vertices, [0.5, 0.0, 1.0]])
        faces[2] = [0, 1, 5, 8, 4]
        faces.append([4, 8, 5])
    elif kind == "same vertex twice":
        faces[1] = [4, 5, 6, 5, 6, 7]
    return vertices, faces


@pytest.mark.short
@pytest.mark.parametrize(
    "kind, code, listed",
    [
        ("open", "open", "open"),
        ("edge of three", "open", "open"),
        ("nan", "not-finite", "degenerate"),
        ("inf", "not-finite", "degenerate"),
        ("too far", "not-finite", "degenerate"),
        ("index", "index", "degenerate"),
        ("negative index", "index", "degenerate"),
        ("huge index", "index", "degenerate"),
        ("no faces", "empty", "degenerate"),
        ("no vertices", "empty", "degenerate"),
        ("flat", "flat", "degenerate"),
        ("thinner than the weld", "degenerate", "degenerate"),
        ("a point", "degenerate", "degenerate"),
        ("folded", "folded", "warped"),
        ("sliver", "degenerate", "degenerate"),
        ("same vertex twice", "degenerate", "degenerate"),
    ],
)
@pytest.mark.parametrize("place", [0, 1, 3])
def test_a_defect_is_an_error_of_its_block_alone(kind, code, listed, place):
    solids = [box((3.0 * i, 0, 0)) for i in range(3)]
    solids.insert(place, defective(kind))
    report = run(*solids)
    assert [f.code for f in report.of("error") if f.code == code] == [code]
    assert report.bad_blocks() == [place]
    assert report.lists()[listed] == [str(place)]
    assert not report.ok


def test_every_defect_is_reported_at_once():
    kinds = ["open", "nan", "index", "no faces", "flat", "a point", "folded", "sliver"]
    report = run(*[defective(kind) for kind in kinds], box())
    assert report.bad_blocks() == list(range(len(kinds)))
    assert len(report.lines()) >= len(kinds)


# -- repairs -----------------------------------------------------------------------------------------------------------


@pytest.mark.short
def test_inverted_block_is_turned():
    vertices, faces = box()
    report = run(box((3, 0, 0)), (vertices, [face[::-1] for face in faces]))
    assert codes(report) == {"inverted": (1,)}
    assert report.ok and volumes(report) == pytest.approx([1.0, 1.0])


@given(st.lists(st.booleans(), min_size=6, max_size=6))
def test_faces_turned_at_random_are_turned_back(turned):
    """Any of the 64 choices gives the same cube; only the one without turned faces has nothing to report."""
    vertices, faces = box()
    report = run((vertices, [face[::-1] if flip else face for face, flip in zip(faces, turned)]), box((3, 0, 0)))
    assert volumes(report) == pytest.approx([1.0, 1.0])
    assert ("inverted" in codes(report)) == any(turned)
    edge = repair.edges(report.polyhedra)
    assert (edge.faces == 2).all() and (edge.turns == 0).all()


def test_edges_of_the_same_faces_are_remembered_wherever_the_vertices_are():
    poly = run(box(), box((3, 0, 0))).polyhedra
    edge = repair.edges(poly)
    assert repair.edges(poly._replace(vertices=2.0 * poly.vertices)) is edge
    turned = poly._replace(face_vertices=poly.face_vertices[::-1].copy())
    assert repair.edges(turned) is not edge
    turned.face_vertices[:4] = turned.face_vertices[:4][::-1]  # in place: what was remembered no longer holds
    assert (repair.edges(turned).turns != 0).any()


def test_one_sided_surface_is_refused():
    """The projective plane with 6 vertices: every edge has two faces, yet no side is outside."""
    faces = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5], [0, 5, 1]]
    faces += [[1, 2, 4], [2, 3, 5], [3, 4, 1], [4, 5, 2], [5, 1, 3]]
    vertices = np.random.default_rng(1).normal(size=(6, 3))
    report = run((vertices, faces), box())
    assert report.lists()["open"] == ["0"]
    assert "one-sided" in " ".join(report.lines())


def unwelded(vertices, faces, shift=0.0, seed=0):
    """Every face with vertices of its own, as STL and many CAD meshes have them, each off by a little."""
    corners = np.array([vertices[i] for face in faces for i in face])
    corners = corners + shift * np.random.default_rng(seed).uniform(-1, 1, corners.shape)
    start = np.cumsum([0] + [len(face) for face in faces])
    return corners, [list(range(start[i], start[i + 1])) for i in range(len(faces))]


@pytest.mark.short
def test_duplicate_vertices_are_welded():
    report = run(box((3, 0, 0)), unwelded(*box()), unwelded(*box((0, 5, 0)), shift=1e-9))
    assert codes(report) == {"welded": (1, 2)}
    assert np.diff(report.polyhedra.vertex_start).tolist() == [8, 8, 8]
    assert volumes(report) == pytest.approx([1.0] * 3, rel=1e-8)


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_welding_follows_the_size_of_the_block(scale):
    """Far below the tolerance vertices are joined, far above they are not, whatever the unit."""
    diagonal = 3**0.5 * scale
    vertices, faces = box(size=(scale,) * 3)
    near = run(unwelded(vertices, faces, 0.1 * repair.WELD * diagonal / 3**0.5))
    far = run(unwelded(vertices, faces, 100 * repair.WELD * diagonal))
    assert near.ok and "welded" in codes(near)
    assert "open" in codes(far)


@given(st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_welding_finds_all_pairs_that_brute_force_finds(seed):
    rng = np.random.default_rng(seed)
    centres = rng.uniform(-1, 1, (30, 3))
    points = centres[rng.integers(0, 30, 80)] + 1e-9 * rng.uniform(-1, 1, (80, 3))
    faces = [[i, (i + 1) % 80, (i + 2) % 80] for i in range(80)]
    poly, welded = repair.weld(flatten([points], [faces]))
    near = np.linalg.norm(points[:, None] - points[None], axis=2) < 1e-7
    assert welded[0]
    assert poly.face_vertices[::3].tolist() == near.argmax(axis=1).tolist()  # lowest index of each cluster


def test_collapsed_faces_are_left_out():
    """A prism of which one side collapses to an edge when welded: the face goes, and its neighbours meet."""
    vertices, faces = prism([(0, 0), (1, 0), (1, 1e-9), (0, 1)])
    report = run((vertices, faces))
    assert report.ok and {"welded", "dropped"} <= set(codes(report))
    assert np.diff(report.polyhedra.block_face_start).tolist() == [5]
    assert volumes(report) == pytest.approx([0.5], rel=1e-8)


def test_needless_face_without_area_is_left_out():
    vertices, faces = box()
    report = run((vertices, faces + [[0, 1, 0]]), (vertices + 3, faces + [[0, 1]]))
    assert report.ok and set(codes(report)) == {"dropped"}
    assert volumes(report) == pytest.approx([1.0, 1.0])


def test_unused_vertices_are_left_out():
    vertices, faces = box()
    report = run((np.vstack([[50.0, 0, 0], vertices]), [[i + 1 for i in face] for face in faces]))
    assert codes(report) == {"unused": (0,)}
    assert len(report.polyhedra.vertices) == 8 and report.size == pytest.approx([3**0.5])


@pytest.mark.parametrize("faces", [[[0, 0, 1, 1, 2, 2]], [[3, 3, 3]], [[]]])
def test_repeated_corners_do_no_harm(faces):
    vertices, own = box()
    if len(faces[0]) == 6:
        own[0] = [0, 0, 3, 3, 2, 1, 1]
        report = run((vertices, own))
        assert report.ok and report.findings == []
    else:
        report = run((vertices, own + faces))
        assert report.ok and "dropped" in codes(report)
    assert volumes(report) == pytest.approx([1.0])


# -- shape -------------------------------------------------------------------------------------------------------------


@pytest.mark.short
def test_concave_blocks_are_listed():
    report = run(box(), prism(L_SHAPE), box((3, 0, 0)))
    assert report.lists()["concave"] == ["1"]
    assert report.ok and not report.of("warning")
    assert volumes(report) == pytest.approx([1.0, 3.0, 1.0])


def test_concave_despite_a_face_that_surrounds_its_reflex_edge():
    """In a deep U the mean of the face lies beyond the edge; the local test does not mind."""
    u_shape = [(0, 0), (3, 0), (3, 5), (2.9, 5), (2.9, 0.1), (0.1, 0.1), (0.1, 5), (0, 5)]
    assert run(prism(u_shape)).lists()["concave"] == ["0"]


@given(st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_concave_exactly_when_a_vertex_lies_beyond_a_face(seed):
    """A bipyramid over a triangle with its apices anywhere: compare with the definition, every vertex and plane."""
    rng = np.random.default_rng(seed)
    ring = np.array([[1, 0, 0], [-0.5, 0.8, 0], [-0.5, -0.8, 0]])
    vertices = np.vstack([ring, [*rng.uniform(-1.5, 1.5, 2), 1.0], [0, 0, -0.3]])
    faces = [[0, 1, 3], [1, 2, 3], [2, 0, 3], [1, 0, 4], [2, 1, 4], [0, 2, 4]]
    above = 0.0
    for face in faces:
        a, b, c = vertices[face]
        normal = np.cross(b - a, c - a)
        above = max(above, ((vertices - a) @ normal / np.linalg.norm(normal)).max())
    if 1e-12 < above < 1e-3:
        return  # too near to call
    assert bool(run((vertices, faces)).lists()["concave"]) == (above > 1e-12)


def test_flat_faces_in_triangles_are_not_concave():
    vertices, faces = box()
    vertices = vertices @ random_rotation(3).T
    triangles = [part for a, b, c, d in faces for part in ([a, b, c], [a, c, d])]
    assert run((vertices, triangles)).findings == []


def test_block_of_two_pieces_is_told():
    vertices, faces = box()
    two = (np.vstack([vertices, vertices + 3]), faces + [[i + 8 for i in face] for face in faces])
    report = run(two)
    assert set(codes(report)) == {"pieces", "concave"} and volumes(report) == pytest.approx([2.0])


def test_warp_is_measured_and_limited():
    """Lifting one corner of a square by d puts the corners d/4 off the mean plane, to first order."""
    vertices, faces = box()
    vertices[6, 2] += 0.04
    slight = run((vertices, faces), box((3, 0, 0)))
    assert slight.ok and codes(slight)["warped"] == (0,)
    warp = measure(slight.polyhedra).warp.max()
    assert warp == pytest.approx(0.01, rel=2e-3)  # second order: (d/2)^2 = 4e-4 of it
    strict = run((vertices, faces), box((3, 0, 0)), planarity=0.5 * warp / slight.size[0])
    assert strict.bad_blocks() == [0] and strict.lists()["warped"] == ["0"]


@pytest.mark.short
def test_sizes_that_betray_the_unit():
    big = run(*[(1000 * v, f) for v, f in zip(*wall(3))])
    small = run(*[(5e-4 * v, f) for v, f in zip(*wall(3))])
    far = run(box(), box((2500.0, 0, 0)))
    for report, number in ((big, "1.73e+03 m"), (small, "0.000866 m"), (far, "2501 m")):
        assert report.ok and [f.code for f in report.of("warning")] == ["size"]
        assert number in report.lines()[0] and "factor" in report.lines()[0]


NUMBERS = st.sampled_from([0.0, 1.0, 1.0 + 1e-9, -1.0, 0.5, 1e-8, 1e9, 1e13, np.nan, np.inf])
SOLIDS = st.tuples(
    st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), max_size=9),
    st.lists(st.lists(st.integers(-1, 9), max_size=6), max_size=9),
)
CHANGES = st.lists(
    st.one_of(
        st.tuples(st.just("move"), st.integers(0, 7), st.tuples(NUMBERS, NUMBERS, NUMBERS)),
        st.tuples(st.just("face"), st.integers(0, 5), st.lists(st.integers(0, 7), max_size=5)),
        st.tuples(st.just("drop"), st.integers(0, 5), st.none()),
        st.tuples(st.just("turn"), st.integers(0, 5), st.none()),
    ),
    max_size=3,
)


def spoilt(changes):
    """A box with vertices moved and faces changed."""
    vertices, faces = box()
    for what, i, value in changes:
        if what == "move":
            vertices[i] = value
        else:
            faces[i] = {"face": value, "drop": [], "turn": faces[i][::-1]}[what]
    return vertices, faces


@given(st.lists(st.one_of(SOLIDS, st.builds(spoilt, CHANGES)), min_size=1, max_size=4))
@settings(max_examples=300, deadline=None)
@pytest.mark.filterwarnings("error")
def test_whatever_is_accepted_is_closed_and_outward_and_needs_no_second_repair(solids):
    report = run(*solids)
    assert report.lines() or report.ok
    if not report.ok:
        return
    poly = report.polyhedra
    edge = repair.edges(poly)
    assert (edge.faces == 2).all() and (edge.turns == 0).all()
    assert (measure(poly).volume > 0.0).all() and (measure(poly).area > 0.0).all()
    again = check(poly, report.names)
    assert again.ok and {f.code for f in again.findings} <= {"warped", "concave", "size", "pieces"}
    assert np.array_equal(again.polyhedra.vertices, poly.vertices)


def test_no_blocks_at_all():
    report = check(flatten([], []), [])
    assert report.findings == [] and report.polyhedra is None


@pytest.mark.shared
def test_benchmark_scenes_are_accepted(scenes_dir):
    import json

    for path in sorted(scenes_dir.glob("*.json")):
        blocks = json.loads(path.read_text(encoding="utf-8"))["blocks"]
        report = run(*[(block["vertices"], block["faces"]) for block in blocks])
        assert report.ok, path.name
        assert {f.code for f in report.of("warning")} <= {"warped"}, path.name
        worst = (measure(report.polyhedra).warp / report.size[report.polyhedra.face_block]).max()
        assert worst < PLANARITY
        if path.stem == "dem-dome":
            assert worst == pytest.approx(0.05, rel=0.05)
