"""Statics of joints that carry more than friction, against closed forms. Reference: strength and springs by hand."""

import numpy as np
import pytest

from masonry import GRAVITY, box, circular_arch, static
from nscd_engine.core.structs import Contacts, Interfaces
from nscd_engine.laws.fibres import CELLS, fibres, tributary_areas

WEIGHT = 2400.0 * GRAVITY  # of a cube of 1 m
FLOOR = box((-1, -1, -1), (2, 2, 0), True)
CUBE = box((0, 0, 0), (1, 1, 1))
ROOF = box((-1, -1, 1), (2, 2, 2), True)
C = 2e4  # [Pa]
OUTLINES = [
    [(0, 0), (2, 0), (0, 1)],
    [(0, 0), (3, 0), (2, 1), (0, 1)],
    [(0, 0), (2, 0), (3, 1), (1, 3), (0, 1)],
]


def scene(law, force=(0.0, 0.0, 0.0), point=(0.5, 0.5, 0.0), blocks=(FLOOR, CUBE), **more):
    load = {"block": 1, "point": list(point), "force": list(force)}
    return dict({"blocks": list(blocks), "law": law, "loads": [load]}, **more)


def test_tributary_areas_have_the_area_and_the_centre_of_the_joint():
    """Their sum is the area and their centre the centroid: exact for any convex joint, here of 3, 4 and 5 corners."""
    point = np.array([(x, y, 0.0) for outline in OUTLINES for x, y in outline])
    start = np.cumsum([0] + [len(outline) for outline in OUTLINES]).astype(np.int32)
    area, centre = zip(*(_polygon(np.array(outline, float)) for outline in OUTLINES))
    normal, none = np.tile([0.0, 0.0, 1.0], (3, 1)), np.zeros((3, 3))
    joints = Interfaces(None, normal, np.array(area), none, None, None, None, start)
    found = tributary_areas(joints, Contacts(None, point, None, None, None, None))
    assert (found > 0.0).all()
    for k in range(3):
        mine = slice(start[k], start[k + 1])
        assert found[mine].sum() == pytest.approx(area[k], rel=1e-14)
        np.testing.assert_allclose(found[mine] @ point[mine, :2] / area[k], centre[k], rtol=1e-13)


def _polygon(p):
    q = np.roll(p, -1, axis=0)
    cross = p[:, 0] * q[:, 1] - q[:, 0] * p[:, 1]
    return 0.5 * cross.sum(), ((p + q) * cross[:, None]).sum(axis=0) / (3.0 * cross.sum())


@pytest.mark.short
@pytest.mark.parametrize("kind", ["mohr_coulomb", "brittle"])
@pytest.mark.parametrize("friction, tension", [(0.5, None), (0.5, 1e4), (0.5, 0.0), (0.0, 0.0)])
def test_shear_capacity(kind, friction, tension):
    """A cube of weight W on 1 m2 slides at c A + mu W, whatever its tensile strength."""
    law = {"kind": kind, "friction": friction, "cohesion": C}
    if tension is not None:
        law["tension"] = tension
    capacity = C + friction * WEIGHT
    for share, expected in ((0.999, "stable"), (1.001, "collapse")):
        reply = static(scene(law, (share * capacity, 0.0, 0.0)))
        assert (reply["verdict"], reply["status"]) == (expected, "converged")
        assert (reply["contact_broken"] == (kind == "brittle" and expected == "collapse")).all()


@pytest.mark.parametrize(
    "law",
    [
        {"kind": "mohr_coulomb", "friction": 0.5, "cohesion": 0.5},  # the apex c / mu is the tensile strength
        {"kind": "mohr_coulomb", "friction": 0.5, "cohesion": 3.0, "tension": 1.0},
        {"kind": "brittle", "friction": 0.5, "cohesion": 3.0, "tension": 1.0},
    ],
)
def test_hanging_block(law):
    """A cube hangs on a joint of 1 m2 if the tensile strength is its weight or more."""
    for share, expected in ((1.001, "stable"), (0.999, "collapse")):
        scaled = {k: share * WEIGHT * v if k in ("cohesion", "tension") else v for k, v in law.items()}
        reply = static(scene(scaled, blocks=(ROOF, CUBE)))
        assert reply["verdict"] == expected
        if expected == "stable":
            np.testing.assert_allclose(reply["support_reaction"], [0.0, 0.0, WEIGHT], atol=1e-6 * WEIGHT)


def test_tensile_strength_resists_tipping():
    """Pulled aside at height z, a cube tips about its edge at F z = W / 2 + ft / 2: corners hold ft/4 each, two at a
    distance of 1 m from the edge."""
    law = {"kind": "mohr_coulomb", "friction": 0.8, "cohesion": 1e5, "tension": C}
    z = 3.0
    limit = (0.5 * WEIGHT + 0.5 * C) / z
    for share, expected in ((0.999, "stable"), (1.001, "collapse")):
        assert static(scene(law, (share * limit, 0.0, 0.0), (0.5, 0.5, z)))["verdict"] == expected


@pytest.mark.parametrize("kind", ["brittle", "mortar"])
def test_v58_a_brittle_crack_runs_through(kind):
    """The same joint, brittle: it begins to crack where the edge is at ft, N / A - M / W = -ft, and then tips at
    M = W / 2 already. Corners are among the points, and stress is linear: the first crack is exact, but for shear,
    which is T / (c A) = 1 % of the strength. It runs on from point to point, the next at 1/24 of the depth: 3 %."""
    law = {"kind": kind, "friction": 0.8, "cohesion": 1e6, "tension": 10.0 * C}
    if kind == "mortar":
        law.update(normal_stiffness=1e9, tangential_stiffness=4e8)
    z, first = 3.0, (10.0 * C + WEIGHT) / 6.0
    assert first > 0.5 * WEIGHT
    for share, expected, cracks in ((0.985, "stable", False), (1.001, None, True), (1.03, "collapse", True)):
        reply = static(scene(law, (share * first / z, 0.0, 0.0), (0.5, 0.5, z)))
        assert reply["verdict"] == (expected or reply["verdict"])
        assert reply["contact_broken"].any() == cracks


@pytest.mark.parametrize("stiffness", [1e6, 1e9, 1e12])
def test_patch_of_springs(stiffness):
    """n cubes on springs: joint k is compressed by the weight above it over kn A, and sheared by F over kt A."""
    law = {"kind": "elastic", "friction": 0.8, "normal_stiffness": stiffness, "tangential_stiffness": 0.4 * stiffness}
    cubes = [box((0, 0, k), (1, 1, k + 1)) for k in range(4)]
    force = 0.1 * WEIGHT
    reply = static(scene(law, (force, 0.0, 0.0), (0.5, 0.5, 0.0), [FLOOR] + cubes))
    assert reply["verdict"] == "stable"
    down = np.cumsum([4, 3, 2, 1]) * WEIGHT / stiffness
    np.testing.assert_allclose(reply["displacement"][1:, 2], -down, rtol=1e-6)
    np.testing.assert_allclose(reply["displacement"][1, 0], force / (0.4 * stiffness), rtol=1e-6)
    assert reply["unbalanced_max"] < 1e-8


def test_elastic_joint_turns():
    """A moment M turns a joint of 1 m2 by M / (kn b d^3 / 12)."""
    kn, share, z = 1e9, 0.1, 1.0
    law = {"kind": "elastic", "friction": 0.8, "normal_stiffness": kn, "tangential_stiffness": kn}
    reply = static(scene(law, (share * WEIGHT, 0.0, 0.0), (0.5, 0.5, z)))
    np.testing.assert_allclose(reply["displacement"][1, 4], 12.0 * share * WEIGHT * z / kn, rtol=1e-6)


@pytest.mark.short
@pytest.mark.parametrize("e, turn", [(0.05, 0.0048), (0.15, 0.0222), (0.2, 0.0889)])
@pytest.mark.parametrize("density", [1e-6, 1.0, 2400.0])
def test_v56_elastic_joint_under_an_eccentric_force(e, turn, density):
    """A joint of 0.5 x 0.5 m, kn 2e8, N 1e5: M / (kn I) inside the core, beyond it 2 N / (kn b c^2) with
    c = 3 (d/2 - e) closed. The line where it opens is found to 1e-3 of c; the reference has three digits: 0.3 %."""
    kn, force = 2e8, 1e5
    law = {"kind": "elastic", "friction": 0.8, "normal_stiffness": kn, "tangential_stiffness": kn}
    weight = 0.125 * density * GRAVITY
    at = [0.25 + e * force / (force - weight), 0.25, 0.5]
    cube = box((0, 0, 0), (0.5, 0.5, 0.5), density=density)
    reply = static(scene(law, (0.0, 0.0, weight - force), at, (FLOOR, cube)))
    assert reply["verdict"] == "stable"
    np.testing.assert_allclose(reply["displacement"][1, 4], turn, rtol=3e-3)


def test_v57_column_pushed_at_its_top():
    """Six blocks on elastic joints: the top moves by the sum of F a^2 / (kn I) + F / (kt A) over the joints."""
    kn, n, size, force = 1e9, 6, 0.5, 50.0
    law = {"kind": "elastic", "friction": 0.8, "normal_stiffness": kn, "tangential_stiffness": kn}
    blocks = [FLOOR] + [box((0, 0, k * size), (size, size, (k + 1) * size)) for k in range(n)]
    top = {"block": n, "point": [0.5 * size, 0.5 * size, n * size], "force": [force, 0.0, 0.0]}
    moved = static({"blocks": blocks, "law": law, "loads": [top]})["displacement"][n]
    arm = size * np.arange(1, n + 1)
    expected = (force * arm**2 / (kn * size**4 / 12.0)).sum() + n * force / (kn * size**2)
    assert moved[0] + 0.5 * size * moved[4] == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("bonded", [1.0, 0.98])
def test_v37_shear_of_a_mortar_joint(bonded):
    """0.14 x 0.1 m, c = ft = 0.27 MPa, mu 0.94, 0.0536 MPa: c A + mu N; 0.320384 MPa, 0.314984 if 0.98 of the length
    is bonded and carries all of the pressure."""
    law = {"kind": "brittle", "friction": 0.94, "cohesion": 0.27e6, "tension": 0.27e6}
    length = 0.14 * bonded
    brick = box((0, 0, 0), (length, 0.1, 0.05))
    weight = 0.05 * 0.1 * length * 2400.0 * GRAVITY
    capacity = {1.0: 0.320384e6, 0.98: 0.314984e6}[bonded] * 0.14 * 0.1
    for share, expected in ((0.999, "stable"), (1.001, "collapse")):
        force = (share * capacity, 0.0, weight - 0.0536e6 * 0.14 * 0.1)
        reply = static(scene(law, force, (0.5 * length, 0.05, 0.0), (FLOOR, brick)))
        assert reply["verdict"] == expected


def test_a_light_block_under_a_cap():
    """The verdict compares speeds with free fall: a block of density 1 under 1e5 N, with springs and a cap, rests."""
    law = {"kind": "elastic", "friction": 0.8, "normal_stiffness": 2e8, "tangential_stiffness": 2e8, "compression": 2e6}
    reply = static(scene(law, (0.0, 0.0, -1e5), (0.55, 0.5, 1.0), (FLOOR, box((0, 0, 0), (1, 1, 1), density=1.0))))
    assert reply["verdict"] == "stable" and np.abs(reply["velocity"]).max() < 1e-7


def test_elastic_joints_have_no_tension_and_slide():
    law = {"kind": "elastic", "friction": 0.8, "normal_stiffness": 1e9, "tangential_stiffness": 4e8}
    for share, z, expected in (
        (0.799, 0.0, "stable"), (0.801, 0.0, "collapse"),  # slides at mu W
        (0.166, 3.0, "stable"), (0.167, 3.0, "collapse"),  # tips at W / (2 z)
    ):  # fmt: skip
        assert static(scene(law, (share * WEIGHT, 0.0, 0.0), (0.5, 0.5, z)))["verdict"] == expected
    assert static(scene(law, blocks=(ROOF, CUBE)))["verdict"] == "collapse"


def test_mortar_is_elastic_until_it_breaks():
    """Under tension W a joint opens by W / kn; springs are at rest without a force. The disc of shear strength gives
    way by 1e-5 of that."""
    law = {"kind": "mortar", "friction": 0.8, "cohesion": 1e5, "tension": 3e4, "normal_stiffness": 1e9,
           "tangential_stiffness": 4e8}  # fmt: skip
    reply = static(scene(law, blocks=(ROOF, CUBE)))
    assert reply["verdict"] == "stable"
    np.testing.assert_allclose(reply["displacement"][1, 2], -WEIGHT / 1e9, rtol=1e-4)
    assert static(scene(dict(law, tension=2e4), blocks=(ROOF, CUBE)))["verdict"] == "collapse"


def test_tie_and_viscous():
    tie = {"kind": "tie", "friction": 1.0}
    assert static(scene(tie, (-3.0 * WEIGHT, 0.0, 0.0), (0.5, 0.5, 9.0)))["verdict"] == "stable"
    # A viscous joint carries shear only while it slides; without shear it stands.
    viscous = {"kind": "viscous", "friction": 0.8, "viscosity": 1e5}
    assert static(scene(viscous))["verdict"] == "stable"
    assert static(scene(viscous, (0.1 * WEIGHT, 0.0, 0.0)))["verdict"] == "collapse"


@pytest.mark.parametrize("solver", ["nlgs", "spg"])
def test_other_solvers(solver):
    """The laws are in the problem, not in a solver."""
    law = {"kind": "mohr_coulomb", "friction": 0.5, "cohesion": C, "tension": 1e4}
    for share, expected in ((0.9, "stable"), (1.1, "collapse")):
        reply = static(scene(law, (share * (C + 0.5 * WEIGHT), 0.0, 0.0)), solver=solver, tolerance=1e-8,
                       max_iterations=20000)  # fmt: skip
        assert reply["verdict"] == expected


def test_fibres_have_the_area_and_the_centre_of_the_joint():
    """Cells fill the outline: areas and first moments add up, of any convex joint; none lies in a notch."""
    up = np.array([0.0, 0.0, 1.0])
    for outline in OUTLINES:
        corners = np.array([(x, y, 0.5) for x, y in outline], float)
        point, area = fibres(corners, corners, up, CELLS)
        total, centre = _polygon(corners[:, :2])
        assert len(area) == len(outline) * CELLS**2 and (area > 0.0).all()
        assert area.sum() == pytest.approx(total, rel=1e-13)
        np.testing.assert_allclose(area @ point / total, [*centre, 0.5], rtol=1e-13)
    notched = np.array([(0, 0, 0), (2, 0, 0), (2, 1, 0), (1, 1, 0), (1, 2, 0), (0, 2, 0)], float)
    point, _ = fibres(notched[[0, 1, 2, 4, 5]], notched, up, CELLS)
    assert not ((point[:, 0] > 1.0) & (point[:, 1] > 1.0)).any()


@pytest.mark.short
@pytest.mark.parametrize("e", [0.0, 0.2, 0.4, 0.45])
def test_stress_block(e):
    """A rectangle crushes under N = fc b (d - 2 e); fibres carry that less at most fc b d / (2 k^2), never more."""
    limit, short = C * (1.0 - 2.0 * e), C / (2.0 * CELLS**2) if e else 0.0
    for force, expected in ((limit - short - 1e-3 * C, "stable"), (limit + 1e-3 * C, "collapse")):
        reply = static(_pressed(force, e))
        assert (reply["verdict"], reply["status"]) == (expected, "converged")
        if expected == "stable":
            _, area = fibres(np.array(SQUARE), np.array(SQUARE), np.array([0.0, 0.0, 1.0]), CELLS)
            normal = reply["contact_force"][:, 2]
            assert (np.sort(normal)[::-1] <= C * area.max() * (1.0 + 1e-9)).all()
            assert normal.sum() == pytest.approx(force, rel=1e-6)
            assert normal @ reply["contact_point"][:, 0] / normal.sum() == pytest.approx(0.5 + e, abs=1e-6)


SQUARE = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 1.0, 0.0)]


def _pressed(force, e, push=0.0, law=None, cap=C):
    """A cube of a tenth of the density whose base carries `force` at an eccentricity e, and a push at its base."""
    weight = 0.1 * WEIGHT
    law = dict(law or {"kind": "coulomb", "friction": 0.6}, compression=cap)
    down = {"block": 1, "point": [0.5 + e * force / (force - weight), 0.5, 1.0], "force": [0.0, 0.0, weight - force]}
    aside = {"block": 1, "point": [0.5, 0.5, 0.0], "force": [push, 0.0, 0.0]}
    return {"blocks": [FLOOR, box((0, 0, 0), (1, 1, 1), density=240.0)], "law": law, "loads": [down, aside]}


def test_caps_leave_the_rest_of_the_law_as_it_is():
    """Sliding at mu N, or at c A + mu N, however near to the cap."""
    for law, capacity in (
        (None, 0.6 * 0.9 * C),
        ({"kind": "mohr_coulomb", "friction": 0.6, "cohesion": 0.5 * C, "tension": 0.1 * C}, 0.5 * C + 0.6 * 0.9 * C),
    ):
        for share, expected in ((0.99, "stable"), (1.01, "collapse")):
            assert static(_pressed(0.9 * C, 0.0, share * capacity, law))["verdict"] == expected


def test_springs_crush():
    """Springs under a cap: N / kn while it holds, then collapse."""
    law = {"kind": "elastic", "friction": 0.6, "normal_stiffness": 1e8, "tangential_stiffness": 1e8}
    reply = static(_pressed(0.95 * C, 0.0, law=law))
    assert reply["verdict"] == "stable"
    np.testing.assert_allclose(reply["displacement"][1, 2], -0.95 * C / 1e8, rtol=1e-4)
    assert static(_pressed(1.05 * C, 0.0, law=law))["verdict"] == "collapse"


@pytest.mark.parametrize("solver", ["nlgs", "spg"])
def test_other_solvers_crush(solver):
    for force, expected in ((0.5 * C, "stable"), (0.7 * C, "collapse")):
        reply = static(_pressed(force, 0.2), solver=solver, tolerance=1e-9, max_iterations=20000)
        assert reply["verdict"] == expected


def test_arch_needs_more_thickness_if_it_crushes():
    """A joint that must carry N at fc leaves N / (fc b) of its depth to the stress block: half of it is lost to the
    thrust line. Heyman's semicircle of t / R = 0.1075 stands with 0.115 if stone does not crush; the thrust of
    2400 kg/m3 is about 0.6 R t b x 2400 g at the crown and 1.3 times that at the haunches, so that fc = 2 MPa costs
    1.3 x 0.6 x 2400 g R / fc = 0.9 % of the depth and cells 1 %; 0.2 MPa 9 % on either side of all hinges."""
    for fc, expected in ((None, "stable"), (2e6, "stable"), (2e5, "collapse")):
        arch = circular_arch(30, 0.115, depth=0.3)
        arch["law"] = {"kind": "coulomb", "friction": arch.pop("mu")}
        if fc is not None:
            arch["law"]["compression"] = fc
        assert static(arch)["verdict"] == expected
