"""Results against answers worked out by hand: a cube on a support, and rigid motions of it."""

import compas
import numpy as np
import pytest

from compas_nscd import Block, ContactLaw, LoadCase, StaticResult, Structure
from compas_nscd.errors import ProtocolError
from compas_nscd.geometry.vectors import rotations
from solids import box, random_rotation

WEIGHT = 2000.0 * 9.81  # [N] of the unit cube


def cube_on_support():
    """A support below, and a unit cube of 2000 kg/m3 on it with its base at z = 0."""
    base = Block(*box((-1, -1, -1), (3, 3, 1)), density=2000.0, name="base", support=True)
    return Structure([base, Block(*box(), density=2000.0, name="cube")], ContactLaw(0.6), name="cube")


def reply(structure, share=(0.25, 0.25, 0.25, 0.25), shear=0.0, verdict="stable", velocity=None, status=None):
    """What an engine would answer: the weight shared by the corners of the base, times `shear` also along x."""
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    share = np.array(share)
    force = WEIGHT * np.stack([shear * share, 0 * share, share], axis=1)
    return {
        "verdict": verdict,
        "solver": "newton",
        "blocks": 2,
        "free_blocks": 1,
        "interfaces": 1,
        "contacts": 4,
        "iterations": 3,
        "residual": 1e-13,
        "unbalanced_max": 1e-12,
        "penetration_max": 0.0,
        "support_reaction": [0.0, 0.0, WEIGHT],
        "weight_total": WEIGHT,
        "time": {"detect_s": 0.001, "solve_s": 0.002, "total_s": 0.004},
        "eps": np.array([1e-5, 1e-8]),
        "speed": np.array([1e-5, 1e-8]),
        "centroid": np.array([[0.5, 0.5, -0.5], [0.5, 0.5, 0.5]]),
        "mass": np.array([18000.0, 2000.0]),
        "velocity": np.zeros((2, 6)) if velocity is None else np.array(velocity, float),
        "interface_body": np.array([[0, 1]], np.int32),
        "interface_normal": np.array([[0.0, 0.0, 1.0]]),
        "interface_area": np.array([1.0]),
        "interface_centroid": np.array([[0.5, 0.5, 0.0]]),
        "interface_gap": np.array([0.0]),
        "polygon": corners,
        "polygon_start": np.array([0, 4], np.int32),
        "contact_start": np.array([0, 4], np.int32),
        "contact_point": corners,
        "contact_force": force,
        "contact_status": np.array(status or [1, 1, 1, 1], np.uint8),
        "warnings": [{"code": "gaps", "message": "A gap.", "blocks": ["cube"]}],
    }


def result(**changes):
    structure = cube_on_support()
    return StaticResult.from_reply(reply(structure, **changes), structure, LoadCase())


@pytest.mark.short
def test_forces_of_a_resting_cube():
    """The base pushes the cube up with its weight, in the middle of the joint: up is from a to b, so compression."""
    r = result()
    joint = r.interfaces[0]
    assert joint.indices == (0, 1) and joint.blocks == ("base", "cube")
    assert joint.resultant == pytest.approx([0, 0, WEIGHT]) and joint.normal_force == pytest.approx(WEIGHT)
    assert joint.shear_force == pytest.approx(0.0) and joint.moment == pytest.approx([0, 0, 0], abs=1e-9)
    assert joint.centre_of_pressure == pytest.approx([0.5, 0.5, 0])
    assert joint.area == 1.0 and joint.gap == 0.0 and joint.status == "stick"
    assert joint.polygon.area == pytest.approx(1.0)
    assert r.support_reaction == pytest.approx([0, 0, WEIGHT])
    assert list(r.support_reactions) == ["base"]
    assert r.support_reactions["base"] == pytest.approx([0, 0, WEIGHT])
    assert r.mechanism is None and r.verdict == "stable"


def test_reaction_has_the_same_sign_when_the_support_is_block_b():
    """The same cube numbered first: the normal points down, the force on b = support is down, the reaction still up."""
    structure = cube_on_support()
    structure = Structure(structure.blocks[::-1], structure.law)
    data = reply(structure)
    data.update(
        interface_normal=-data["interface_normal"],
        contact_force=-data["contact_force"],
        centroid=data["centroid"][::-1],
        mass=data["mass"][::-1],
    )
    r = StaticResult(data, structure)
    assert r.interfaces[0].blocks == ("cube", "base") and r.interfaces[0].normal_force == pytest.approx(WEIGHT)
    assert r.support_reactions["base"] == pytest.approx([0, 0, WEIGHT])


@pytest.mark.short
def test_eccentric_force():
    """Two thirds of the weight on the edge x = 1: centre of pressure at x = 2/3. M about the centroid = r x F."""
    joint = result(share=(1 / 6, 1 / 3, 1 / 3, 1 / 6), shear=0.3).interfaces[0]
    assert joint.centre_of_pressure == pytest.approx([2 / 3, 0.5, 0])
    assert joint.moment == pytest.approx([0, -WEIGHT / 6, 0], abs=1e-9)  # (1/6, 0, 0) x (0.3, 0, 1) W = (0, -1/6, 0) W
    assert joint.shear_force == pytest.approx(0.3 * WEIGHT)
    # about the centre of pressure the in-plane moment vanishes: that is what it is
    about = np.cross(joint.points - joint.centre_of_pressure, joint.forces).sum(axis=0)
    assert about[:2] == pytest.approx([0, 0], abs=1e-9)


def test_no_force_no_centre_of_pressure():
    joint = result(share=(0, 0, 0, 0), status=[0, 0, 0, 0]).interfaces[0]
    assert joint.centre_of_pressure is None and joint.status == "open"


@pytest.mark.parametrize("status, expected", [("0002", "slide"), ("1222", "stick"), ("2222", "slide")])
def test_status_of_an_interface(status, expected):
    assert result(status=[int(s) for s in status]).interfaces[0].status == expected


# -- mechanisms --------------------------------------------------------------------------------------------------------


def falling(velocity):
    return result(verdict="collapse", velocity=[[0] * 6, velocity])


@pytest.mark.short
def test_fastest_vertex_moves_at_one():
    """Turning about y at 0.2 rad/s about the centroid: corners are sqrt(1/2) from the axis."""
    r = falling([0, 0, 0, 0, 0.2, 0])
    assert r.mechanism[1] == pytest.approx([0, 0, 0, 0, 2**0.5, 0]) and not r.mechanism[0].any()
    assert falling([0, 0, -3, 0, 0, 0]).mechanism[1] == pytest.approx([0, 0, -1, 0, 0, 0])
    assert r.first_to_move(5) == ["cube"] and result().first_to_move(5) == []


@pytest.mark.short
def test_displaced_blocks_stay_rigid_and_turn_about_the_centroid():
    """A quarter turn about y: the cube comes to lie on itself, x -> z' as the right hand says (x goes to -z)."""
    r = falling([0, 0, 0, 0, 0.2, 0])
    base, moved = r.displaced_vertices(np.pi / 2 / 2**0.5)
    vertices = r.structure.blocks[1].vertices
    assert np.array_equal(base, r.structure.blocks[0].vertices)
    arm = vertices - 0.5
    assert moved == pytest.approx(0.5 + np.stack([arm[:, 2], arm[:, 1], -arm[:, 0]], axis=1))
    meshes = r.displaced(0.7)
    assert [mesh.number_of_vertices() for mesh in meshes] == [8, 8]
    assert meshes[1].volume() == pytest.approx(1.0, rel=1e-12)  # linearised rotation would grow it


def test_small_displacement_follows_the_velocity():
    """x(s) = x + s (v + w x r) + O(s^2)."""
    r = falling([0.3, -0.2, 0.1, 0.4, 0.5, -0.6])
    scale = 1e-6
    moved = r.displaced_vertices(scale)[1]
    v, w = r.mechanism[1, :3], r.mechanism[1, 3:]
    vertices = r.structure.blocks[1].vertices
    expected = v + np.cross(w, vertices - r.centroid[1])
    assert (moved - vertices) / scale == pytest.approx(expected, abs=5 * scale)
    assert np.linalg.norm(expected, axis=1).max() == pytest.approx(1.0)


def test_a_standing_structure_is_not_displaced():
    r = result()
    assert np.array_equal(r.displaced_vertices(1.0)[1], r.structure.blocks[1].vertices)


def test_rotations():
    """Orthogonal, the axis stays, and two turns about one axis add up; also where 1 - cos would lose its digits."""
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(50, 3)) * 10.0 ** rng.uniform(-10, 1, (50, 1))
    r = rotations(vectors)
    assert np.abs(r @ r.transpose(0, 2, 1) - np.eye(3)).max() < 1e-13
    assert np.abs(np.einsum("nij,nj->ni", r, vectors) - vectors).max() < 1e-12
    assert np.abs(r @ r - rotations(2 * vectors)).max() < 1e-13
    assert np.array_equal(rotations(np.zeros((1, 3)))[0], np.eye(3))
    q = random_rotation(2)
    assert q @ rotations([[0.3, 0.4, 0.5]])[0] @ q.T == pytest.approx(rotations([q @ [0.3, 0.4, 0.5]])[0])


# -- data --------------------------------------------------------------------------------------------------------------


@pytest.mark.short
@pytest.mark.parametrize("verdict", ["stable", "collapse"])
def test_json_round_trip(verdict):
    r = result(verdict=verdict, velocity=[[0] * 6, [0, 0, -1, 0, 0.1, 0]])
    again = compas.json_loads(compas.json_dumps(r))
    assert again == r and again.summary == r.summary and again.interfaces[0] == r.interfaces[0]
    assert again.contact_status.dtype == np.uint8 and again.interface_body.dtype == np.int32
    assert compas.json_loads(compas.json_dumps(r.interfaces[0])) == r.interfaces[0]
    assert r != result(share=(1, 0, 0, 0), verdict=verdict)


@pytest.mark.short
def test_summary_is_what_the_command_line_prints():
    summary = result().summary
    assert list(summary) == [
        "analysis", "scene", "verdict", "solver", "blocks", "free_blocks", "interfaces", "contacts", "iterations",
        "residual", "unbalanced_max", "penetration_max", "support_reaction", "weight_total", "assured", "elastic",
        "time",
    ]  # fmt: skip
    assert summary["analysis"] == "static" and summary["scene"] == "cube"
    assert summary["support_reaction"] == [0.0, 0.0, WEIGHT]


def test_warnings_of_geometry_and_engine_come_together():
    structure = cube_on_support()
    cube = structure.blocks[1]
    turned = Block(cube.vertices, [face[::-1] for face in cube.faces], 2000.0, name="cube")
    structure = Structure([structure.blocks[0], turned], structure.law)
    assert [w["code"] for w in StaticResult(reply(structure), structure).warnings] == ["inverted", "gaps"]


def test_interfaces_are_made_once_and_behave_like_a_list():
    r = result()
    assert len(r.interfaces) == 1 and r.interfaces[0] is r.interfaces[-1] and list(r.interfaces) == r.interfaces[:]
    with pytest.raises(IndexError):
        r.interfaces[1]


def test_structure_without_interfaces():
    structure = cube_on_support()
    data = reply(structure, verdict="collapse", velocity=[[0] * 6, [0, 0, -1, 0, 0, 0]])
    for key in list(data):
        if key.startswith(("interface_", "contact_", "polygon")):
            data[key] = np.zeros(1, np.int32) if key.endswith("_start") else data[key][:0]
    r = StaticResult(data, structure)
    assert len(r.interfaces) == 0 and r.support_reactions["base"] == pytest.approx([0, 0, 0])


@pytest.mark.parametrize(
    "change",
    [
        {"verdict": "perhaps"},
        {"contact_force": np.zeros((3, 3))},
        {"velocity": np.zeros((1, 6))},
        {"velocity": np.zeros(7)},
        {"interface_body": np.array([[0, 2]])},
        {"contact_start": np.array([0, 5])},
        {"mass": "heavy"},
    ],
)
def test_reply_that_does_not_fit(change):
    structure = cube_on_support()
    with pytest.raises(ProtocolError):
        StaticResult(dict(reply(structure), **change), structure)


def test_reply_that_lacks_something():
    structure = cube_on_support()
    data = reply(structure)
    del data["contact_force"]
    with pytest.raises(ProtocolError, match="contact_force"):
        StaticResult(data, structure)
