"""Static verdicts on either side of known limits (docs/validation.md, V20 to V31).

The rigid problem is solved exactly, so the only error is that of the reference: four or five digits. Brackets are
0.1 % wide where the reference is exact or given to as much, 0.5 % elsewhere.
"""

import json

import numpy as np
import pytest

from compas_nscd.validation.references import (
    FERRIS_TIN_LOI,
    ITS_THICKNESS,
    LEAST_FRICTION,
    OPPENHEIM,
    THINNEST_ARCH,
    THINNEST_DOME,
    THINNEST_ELLIPSE,
    THINNEST_SLIDING_ARCH,
    THRUST,
    THRUST_CRA,
)
from masonry import (
    GRAVITY,
    box,
    circular_arch,
    elliptical_arch,
    ferris_tin_loi,
    fixed_end_arch,
    leaning_rods,
    leaning_rods_need,
    lunes,
    pushed,
    static,
    tilted,
    verdict,
    wall,
)


def assert_bracket(scene_at, limit, width, stands_above):
    """scene_at(parameter) stands on one side of the limit and falls on the other, `width` away from it."""
    above, below = verdict(scene_at(limit * (1.0 + width))), verdict(scene_at(limit * (1.0 - width)))
    assert (above, below) == (("stable", "collapse") if stands_above else ("collapse", "stable"))


@pytest.mark.short
@pytest.mark.parametrize("count", [7, 10, 15, 20])
def test_thinnest_semicircular_arch(count):
    """V20: smallest thickness over radius, no sliding; limits computed by linear programming."""
    assert_bracket(lambda t: circular_arch(count, t), THINNEST_ARCH[count], 1e-3, True)


@pytest.mark.parametrize("count", [27, 50, 100])
def test_thinnest_semicircular_arch_of_many_voussoirs(count):
    """V20, continued."""
    assert_bracket(lambda t: circular_arch(count, t), THINNEST_ARCH[count], 1e-3, True)


@pytest.mark.parametrize("friction, limit", THINNEST_SLIDING_ARCH.items())
def test_thinnest_arch_that_may_slide(friction, limit):
    """V21: the references are for the continuous arch, from which 100 voussoirs differ by 0.02 %."""
    assert_bracket(lambda t: circular_arch(100, t, friction=friction), limit, 2e-3, True)


@pytest.mark.parametrize("thickness", [ITS_THICKNESS, 0.25, 0.4])
def test_with_too_little_friction_no_arch_stands(thickness):
    """V21, the last point (mu = 0.309215, t/R = 0.200637): from there on the friction needed no longer depends on t.

    It is a corner of the limit curve. Brackets of t there are 1 % off the reference whatever the number of voussoirs
    (0.1986 with 50 to 800 of them, with forces in balance to 1e-10 as a proof); those of mu meet it.
    """
    assert_bracket(lambda mu: circular_arch(100, thickness, friction=mu), LEAST_FRICTION, 1e-3, True)


def test_corner_of_the_thinnest_arch_that_may_slide():
    """V21, the last point in its thickness, to 1.5 %."""
    stands, falls = (circular_arch(100, share * ITS_THICKNESS, friction=LEAST_FRICTION) for share in (1.005, 0.985))
    assert (verdict(stands), verdict(falls)) == ("stable", "collapse")


@pytest.mark.parametrize("thickness, least, most", THRUST)
def test_thrust_lies_between_its_extremes(thickness, least, most):
    """V22: H / W of a semicircular arch, of all force systems in equilibrium."""
    reply = static(circular_arch(40, thickness))
    right = reply["interface_body"] == 40  # the support on the right is block 40
    at = np.flatnonzero(right.any(axis=1))[0]
    part = slice(reply["contact_start"][at], reply["contact_start"][at + 1])
    thrust = abs(reply["contact_force"][part, 0].sum()) / reply["weight_total"]
    assert reply["verdict"] == "stable" and least < thrust < most


@pytest.mark.parametrize("rise, limit, friction", THINNEST_ELLIPSE)
def test_thinnest_elliptical_arch(rise, limit, friction):
    """V23: thickness over half span, joints normal to the centre line; 100 voussoirs for the continuous arch."""

    assert_bracket(lambda t: elliptical_arch(t, rise, friction), limit, 5e-3, True)


@pytest.mark.short
def test_arch_under_horizontal_acceleration():
    """V25: Oppenheim's arch, 0.3736 g with straight-edged voussoirs."""
    scene = circular_arch(7, 1.5, 10.0, np.radians(157.5))
    assert_bracket(lambda share: pushed(scene, share), OPPENHEIM, 1e-3, False)


def test_thinnest_dome():
    """V26: a hemispherical dome as Heyman cuts it: two opposite lunes, each standing by itself; t/R = 0.0428.

    The lunes are 4 degrees wide; a keystone of one degree lies between them, too little to matter.
    """

    assert_bracket(lunes, THINNEST_DOME, 5e-3, True)


def test_arch_of_compas_cra():
    """V27: 20 blocks, end blocks fixed: stands, with 0.8427 <= H <= 0.9849 for a specific weight of 1."""
    scene = fixed_end_arch()
    reply = static(scene)
    at = np.flatnonzero((reply["interface_body"] == [0, 1]).all(axis=1))[0]
    part = slice(reply["contact_start"][at], reply["contact_start"][at + 1])
    assert reply["verdict"] == "stable"
    assert THRUST_CRA[0] < abs(reply["contact_force"][part, 0].sum()) < THRUST_CRA[1]
    scene["blocks"][0]["support"] = scene["blocks"][-1]["support"] = False
    assert static(scene, unsupported=True)["verdict"] == "collapse"


@pytest.mark.parametrize("which", FERRIS_TIN_LOI)
def test_walls_of_ferris_and_tin_loi(which):
    """V28, associated friction; computed by linear programming."""
    scene = ferris_tin_loi(which)
    assert_bracket(lambda share: pushed(scene, share), FERRIS_TIN_LOI[which][0], 1e-3, False)


def test_tilting_table():
    """V29: tilting by an angle is pushing by its tangent."""
    scene = ferris_tin_loi(1)
    assert_bracket(lambda tangent: tilted(scene, np.arctan(tangent)), FERRIS_TIN_LOI[1][0], 1e-3, False)


def test_two_leaning_rods():
    """V30: the thrust that keeps two rods leaning on each other is least with the feet pressed at their inner edges

    and the heads at the top of their joint: H (z_head) = W (x_foot - x_centroid); it must not exceed mu W. For thin
    rods at 30 degrees from the vertical this is tan(30) / 2.
    """
    least = leaning_rods_need()
    assert abs(least - 0.5 * np.tan(np.radians(30.0))) < 0.04
    assert_bracket(leaning_rods, least, 1e-3, True)


@pytest.mark.short
def test_buttress_overturns():
    """V31: a block b x h pushed at the top by H overturns at W b / (2 h)."""
    b, h, d = 0.6, 2.0, 0.5
    weight = b * h * d * 2400.0 * GRAVITY
    blocks = [box((-1.0, -1.0, -0.5), (2.0, 2.0, 0.0), True), box((0.0, 0.0, 0.0), (b, d, h))]

    def push(force):
        load = {"block": 1, "point": [0.0, 0.5 * d, h], "force": [force, 0.0, 0.0]}
        return {"blocks": blocks, "mu": 0.8, "loads": [load]}

    assert_bracket(push, weight * b / (2.0 * h), 1e-3, False)


def test_top_course_of_a_buttress_slides():
    """V31: in courses the top one slides at mu W_course, before anything overturns."""
    b, h, d, count, friction = 1.0, 0.2, 0.5, 10, 0.5
    blocks = [box((-1.0, -1.0, -0.5), (2.0, 2.0, 0.0), True)]
    blocks += [box((0.0, 0.0, k * h), (b, d, (k + 1) * h)) for k in range(count)]
    course = b * h * d * 2400.0 * GRAVITY

    def push(force):  # at the foot of the top course, so that it slides without tipping
        load = {"block": count, "point": [0.0, 0.5 * d, (count - 1) * h], "force": [force, 0.0, 0.0]}
        return {"blocks": blocks, "mu": friction, "loads": [load]}

    assert_bracket(push, friction * course, 1e-3, False)
    fallen = static(push(1.01 * friction * course))
    moving = np.linalg.norm(fallen["velocity"][:, :3], axis=1) > 1e-6
    assert moving.tolist() == [False] * count + [True]


@pytest.mark.short
def test_block_on_an_incline_slides_at_the_angle_of_friction():
    """V1: the limit, tan(angle) = mu; and the velocity after one step, associated: along the joint's cone."""
    slab = {"blocks": [box((-2, -2, -1), (2, 2, 0), True), box((-0.5, -0.5, 0.0), (0.5, 0.5, 1.0))], "mu": 0.36397}
    assert_bracket(lambda tangent: tilted(slab, np.arctan(tangent)), 0.36397, 1e-3, False)


@pytest.mark.short
def test_coulomb_friction_slides_without_lifting():
    """V1: at mu 0.3 on 20 degrees a = g (sin 20 - 0.3 cos 20) = 0.5897 m/s2, along the incline, no uplift."""
    slab = {"blocks": [box((-2, -2, -1), (2, 2, 0), True), box((-0.5, -0.5, 0.0), (0.5, 0.5, 0.2))], "mu": 0.3}
    reply = static(tilted(slab, np.radians(20.0)), friction="coulomb")
    acceleration = reply["velocity"][1, :3] * GRAVITY
    assert reply["verdict"] == "collapse"
    assert acceleration[0] == pytest.approx(0.5897, abs=1e-4)
    assert np.abs(acceleration[1:]).max() < 1e-8 and np.abs(reply["velocity"][1, 3:]).max() < 1e-8


@pytest.mark.parametrize("scene", [circular_arch(20, 0.15), ferris_tin_loi(3)])
def test_both_friction_laws_agree_on_what_stands(scene):
    """With v+ = 0 the term mu |u_t| vanishes: the same forces."""
    one, other = static(scene), static(scene, friction="coulomb")
    assert one["verdict"] == other["verdict"] == "stable"
    force = one["contact_force"]
    assert np.abs(force - other["contact_force"]).max() < 1e-6 * np.abs(force).max()


@pytest.mark.short
def test_support_reaction_and_balance():
    """The supports carry weight and loads, exactly; the normal points from a to b and joints are in compression."""
    scene = circular_arch(20, 0.2)
    scene["loads"] = [{"block": 8, "point": [0.0, 0.0, 1.0], "force": [3.0, -2.0, -50.0]}]
    reply = static(scene)
    expected = [-3.0, 2.0, 50.0 + reply["weight_total"]]
    assert np.allclose(reply["support_reaction"], expected, rtol=1e-8, atol=1e-6)
    assert reply["unbalanced_max"] < 1e-6 and reply["residual"] < 1e-9
    normal = np.repeat(reply["interface_normal"], np.diff(reply["contact_start"]), axis=0)
    along = (reply["contact_force"] * normal).sum(axis=1)
    assert along.min() >= -1e-9 * along.max()


def test_symmetric_arch_has_symmetric_forces():
    """Mirrored blocks, mirrored forces, to 1e-6 of the greatest."""
    count = 20
    scene = circular_arch(count, 0.15)
    reply = static(scene)
    resultants = {}
    for k, (a, b) in enumerate(reply["interface_body"]):
        part = slice(reply["contact_start"][k], reply["contact_start"][k + 1])
        resultants[frozenset((int(a), int(b)))] = reply["contact_force"][part].sum(axis=0)
    mirror = {k: count - 1 - k for k in range(count)}
    mirror.update({count: count + 1, count + 1: count})
    greatest = max(np.abs(f).max() for f in resultants.values())
    for pair, force in resultants.items():
        a, b = sorted(pair)
        other = resultants[frozenset((mirror[a], mirror[b]))]
        assert np.abs(np.abs(force) - np.abs(other)).max() < 1e-6 * greatest


def test_forces_change_little_when_a_block_moves_little():
    """A shift of 1e-6 m of one block changes no interface force by more than 1e-3 of the greatest."""
    courses = [[0.5, 1, 1, 0.5], [1, 1, 1]] * 3
    scene, moved = wall(courses), wall(courses)
    moved["blocks"][6]["vertices"] = [[x, y + 1e-6, z] for x, y, z in moved["blocks"][6]["vertices"]]
    one, other = static(scene), static(moved)
    force = [np.add.reduceat(r["contact_force"], r["contact_start"][:-1], axis=0) for r in (one, other)]
    assert np.array_equal(one["interface_body"], other["interface_body"])
    assert np.abs(force[0] - force[1]).max() < 1e-3 * np.abs(force[0]).max()


def test_answer_turns_with_the_structure():
    """Turned about z and scaled by 7, the same verdict and the forces turned and scaled by 7^3 (they are weights)."""
    scene, turned = circular_arch(12, 0.15), circular_arch(12, 0.15)
    c, s = np.cos(0.7), np.sin(0.7)
    for block in turned["blocks"]:
        block["vertices"] = [[7 * (c * x - s * y) + 3, 7 * (s * x + c * y), 7 * z - 5] for x, y, z in block["vertices"]]
    one, other = static(scene), static(turned)
    totals = [np.add.reduceat(r["contact_force"], r["contact_start"][:-1], axis=0) for r in (one, other)]
    expected = 343.0 * totals[0] @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    assert np.abs(totals[1] - expected).max() < 1e-6 * np.abs(expected).max()


def test_speed_shrinks_with_eps_only_if_it_stands():
    stands, falls = static(circular_arch(20, 0.12)), static(circular_arch(20, 0.10))
    assert stands["speed"][1] < 2e-3 * stands["speed"][0]
    assert falls["speed"][1] > 0.5 * falls["speed"][0]


@pytest.mark.slow  # the command line does the same in test_cli
@pytest.mark.shared
def test_verdicts_of_the_benchmark_scenes(scenes_dir):
    """Every scene with a known verdict gets it, with the accuracy that the project promises."""
    for path in sorted(scenes_dir.glob("*.json")):
        scene = json.loads(path.read_text(encoding="utf-8"))
        if len(scene["blocks"]) > 600:
            continue
        reply = static(scene)
        assert scene["expected"] in (None, reply["verdict"]), path.name
        assert reply["residual"] <= 1e-9, path.name
        if reply["verdict"] == "stable":
            assert reply["unbalanced_max"] <= 1e-6, path.name


@pytest.mark.slow
@pytest.mark.shared
@pytest.mark.parametrize("name", ["dome-1000", "wall-40x50"])
def test_verdicts_of_the_large_benchmark_scenes(scenes_dir, name):
    scene = json.loads((scenes_dir / (name + ".json")).read_text(encoding="utf-8"))
    reply = static(scene)
    assert reply["verdict"] == scene["expected"] and reply["residual"] <= 1e-9 and reply["unbalanced_max"] <= 1e-6
