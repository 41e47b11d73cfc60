"""Limits of joints that carry more than friction, of crushed joints and of cables, against closed forms.

The cone program is solved to 1e-6 or better, cells of crushed joints to 2e-5; tolerances are that or a little more.
"""

import math

import numpy as np
import pytest
from scipy.optimize import brentq, linprog

from analysed import analyse, box, moved
from compas_nscd import Cable, ContactLaw, LimitResult, LoadCase, Structure
from compas_nscd.errors import MaterialError, NotAvailableError
from compas_nscd.validation.references import THINNEST_ARCH
from limits import ask, ranges, structure_of
from masonry import circular_arch, prism

DENSITY = 2000.0
WEIGHT = DENSITY * 9.81  # of a cube of 1 m
C, CAP = 2e4, 1e5  # [Pa]
CLOSE = 1e-5


def cube(law, force, point, roof=False):
    """A cube of 1 m on the ground, or under a ceiling, and a load on it."""
    lower, upper = ((-2, -2, 1), (3, 3, 2)) if roof else ((-2, -2, -1), (3, 3, 0))
    blocks = [box(lower, upper, density=DENSITY, name="ground", support=True)]
    blocks.append(box((0, 0, 0), (1, 1, 1), density=DENSITY, name="cube"))
    case = LoadCase()
    case.add_point_load("cube", point, force)
    return Structure(blocks, law), "loads", case


def codes(result):
    return [warning["code"] for warning in result.warnings]


@pytest.mark.short
@pytest.mark.parametrize("kind", ["mohr_coulomb", "brittle"])
@pytest.mark.parametrize("friction, tension", [(0.5, None), (0.5, 1e4), (0.5, 0.0), (0.0, 0.0)])
def test_shear_capacity(kind, friction, tension):
    """It slides at c A + mu W, whatever its tensile strength; without dilatancy as well."""
    law = ContactLaw(friction, kind, cohesion=C, tension=tension)
    found = ask(*cube(law, (1.0, 0.0, 0.0), (0.5, 0.5, 0.0)))
    assert found.multiplier_associated == pytest.approx(C + friction * WEIGHT, rel=CLOSE)
    assert found.multiplier_coulomb == pytest.approx(C + friction * WEIGHT, rel=1e-4)
    assert found.slides == [["ground", "cube"]] and not found.hinges
    assert codes(found) == (["brittle_limit"] if kind == "brittle" else [])
    assert found.joints.shear_force[0] == pytest.approx(C + friction * WEIGHT, rel=CLOSE)


@pytest.mark.parametrize("tension, strength", [(None, 2.0 * C / 0.5), (3e4, 3e4)])
def test_hanging_block(tension, strength):
    law = ContactLaw(0.5, "mohr_coulomb", cohesion=2.0 * C, tension=tension)
    found = ask(*cube(law, (0.0, 0.0, -1.0), (0.5, 0.5, 0.0), roof=True))
    assert found.multiplier_associated == pytest.approx(strength - WEIGHT, rel=CLOSE)
    assert found.support_reaction[2] == pytest.approx(strength, rel=CLOSE)


def test_laws_that_change_no_limit_and_those_that_have_none():
    push = (1.0, 0.0, 0.0), (0.5, 0.5, 0.1)
    elastic = ContactLaw(0.5, "elastic", normal_stiffness=1e9, tangential_stiffness=1e8)
    assert ask(*cube(elastic, *push)).multiplier_associated == pytest.approx(0.5 * WEIGHT, rel=CLOSE)
    sticking = ask(*cube(ContactLaw(kind="sticking"), *push))  # it tips at W / 2 over the height
    assert sticking.multiplier_associated == pytest.approx(0.5 * WEIGHT / 0.1, rel=CLOSE) and sticking.hinges
    viscous = ask(*cube(ContactLaw(0.5, "viscous", viscosity=1e5), *push))  # it creeps under any shear
    assert abs(viscous.multiplier_associated) < 1e-6 * WEIGHT
    tied = ask(*cube(ContactLaw(kind="tie"), *push))
    assert tied.status == "unbounded" and codes(tied) == ["ties"]


def test_first_strength_of_damage():
    law = ContactLaw(0.5, "damage", cohesion=C, tension=C, normal_fracture=50.0, tangential_fracture=50.0)
    found = ask(*cube(law, (1.0, 0.0, 0.0), (0.5, 0.5, 0.0)), coulomb=False)
    assert found.multiplier_associated == pytest.approx(C + 0.5 * WEIGHT, rel=CLOSE)
    assert codes(found) == ["brittle_limit"]


@pytest.mark.parametrize("cap", [None, CAP, 4e4])
def test_pushed_block_with_tension_and_cap(cap):
    """It tips with the part x of the joint at the cap f and the rest at the tension t: f x - t (1 - x) = W, and the
    moment is x (1 - x) (f + t) / 2. Without a cap about the edge, (W + t) / 2."""
    tension, height = 1e4, 4.0
    law = ContactLaw(0.8, "mohr_coulomb", cohesion=1e5, tension=tension, compression=cap)
    found = ask(*cube(law, (1.0, 0.0, 0.0), (0.5, 0.5, height)), coulomb=False)
    x = (WEIGHT + tension) / ((cap or 1e30) + tension)
    moment = 0.5 * x * (1.0 - x) * ((cap or 1e30) + tension)
    assert height * found.multiplier_associated == pytest.approx(moment, rel=3e-5)
    assert found.hinges == [["ground", "cube"]]


@pytest.mark.short
@pytest.mark.parametrize("eccentricity", [0.0, 0.1, 0.25, 0.4, 0.49])
def test_eccentric_load_on_a_capped_joint(eccentricity):
    """The rectangular block of pressure: N = f b (d - 2 e), N = W + P, N e = P times the place of the load."""
    found = ask(*cube(ContactLaw(0.8, compression=CAP), (0.0, 0.0, -1.0), (0.5 + eccentricity, 0.5, 1.0)))
    limit = brentq(lambda p: WEIGHT + p - CAP * (1.0 - 2.0 * p * eccentricity / (WEIGHT + p)), 0.0, CAP)
    assert found.multiplier_associated == pytest.approx(limit, rel=3e-5)
    assert codes(found) == ["crushed"]
    assert (found.joints.normal_force <= CAP * (1.0 + 1e-6)).all()


def test_load_towards_the_corner_of_a_capped_joint():
    """The neutral line cuts a triangle of legs a off the far corner: N = f (1 - a^2 / 2), centre by the triangle's."""
    e = 0.2
    found = ask(*cube(ContactLaw(0.8, compression=CAP), (0.0, 0.0, -1.0), (0.5 + e, 0.5 + e, 1.0)))

    def miss(a):
        pressed = 1.0 - 0.5 * a**2
        centre = (0.5 - 0.5 * a**2 * a / 3.0) / pressed
        return CAP * pressed * (centre - 0.5) - (CAP * pressed - WEIGHT) * e

    a = brentq(miss, 0.1, 1.0)
    assert found.multiplier_associated == pytest.approx(CAP * (1.0 - 0.5 * a**2) - WEIGHT, rel=3e-5)


def capped_arch(thickness, cap, count=20):
    structure = structure_of(circular_arch(count, thickness))
    return Structure(structure.blocks, ContactLaw(1.0, compression=cap))


def by_thrust_lines(thickness, cap, count=20):
    """Greatest horizontal acceleration of the same arch, from the resultants of its joints alone: M and N of every
    joint within |M| <= N (t - N / f) / 2, by tangents. Depth 1 m, no sliding. None if it falls by itself."""
    turn = np.linspace(0.0, np.pi, count + 1)
    ray = np.column_stack([np.cos(turn), np.sin(turn)])
    inner, outer = (1.0 - 0.5 * thickness) * ray, (1.0 + 0.5 * thickness) * ray
    weight, middle = [], []
    for k in range(count):
        p = np.array([inner[k], outer[k], outer[k + 1], inner[k + 1]])
        q = np.roll(p, -1, axis=0)
        twice = p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]
        weight.append(2400.0 * 9.81 * 0.5 * abs(twice.sum()))
        middle.append(((p + q) * twice[:, None]).sum(axis=0) / (3.0 * twice.sum()))
    # Unknowns: force (x, z) and moment about the centre of joint 0 on block 0, and the multiplier.
    force, rows, right = np.zeros((2, 5)), [], []
    force[0, 0] = force[1, 1] = 1.0
    moment = np.zeros(5)  # about the origin; the last column is constant
    moment[2] = 1.0
    moment += ray[0, 0] * force[1] - ray[0, 1] * force[0]
    scale = sum(weight)
    for k in range(count + 1):
        n = np.array([-ray[k, 1], ray[k, 0]])  # along the arch: the force on what follows
        normal = n @ force
        about = moment - (ray[k, 0] * force[1] - ray[k, 1] * force[0])
        for at in scale * np.concatenate([[0.0], np.geomspace(1e-3, 3.0, 150)]):
            slope = 0.5 * thickness - at / cap
            for sign in (1.0, -1.0):  # |M| <= at (t - at / f) / 2 + slope (N - at)
                row = sign * about - slope * normal
                rows.append(row[:4])
                right.append(0.5 * at * at / cap - row[4])
        rows.append(-normal[:4])
        right.append(normal[4])
        if k < count:
            load = np.zeros((2, 5))
            load[0, 3], load[1, 4] = weight[k], -weight[k]
            force = force + load
            moment = moment + middle[k][0] * load[1] - middle[k][1] * load[0]
    unit = np.array([scale, scale, scale, 1.0])
    found = linprog([0.0, 0.0, 0.0, -1.0], np.array(rows) * unit / scale, np.array(right) / scale, bounds=(None, None))
    return found.x[3] if found.status == 0 else None


@pytest.mark.parametrize("cap", [3e6, 5e5, 2e5])
def test_arch_with_a_cap(cap):
    """A semicircular arch of t/R = 0.15; hinges move inwards by N / 2 f. Tangents of the reference are 1e-4 apart."""
    found = ask(capped_arch(0.15, cap), "acceleration:x", coulomb=False)
    assert found.multiplier_associated == pytest.approx(by_thrust_lines(0.15, cap), rel=5e-4)
    assert len(found.hinges) == 4 and codes(found) in ([], ["crushed"]) and found.summary["unbalanced_max"] < 1e-5


def test_an_arch_with_a_cap_must_be_thicker():
    """Where the reference says that it just stands, it does, and half a percent thinner it falls."""
    cap = 5e5
    thinnest = brentq(lambda t: by_thrust_lines(t, cap) or -1.0, 0.1075, 0.13, xtol=1e-5)
    assert thinnest > 1.02 * THINNEST_ARCH[20]  # that without a cap
    assert ask(capped_arch(1.005 * thinnest, cap), "acceleration:x", coulomb=False).stands
    assert not ask(capped_arch(0.995 * thinnest, cap), "acceleration:x", coulomb=False).stands


# -- cables ------------------------------------------------------------------------------------------------------------

SPAN, BASE, TOP, UNDER, TIE_AT = 4.0, 0.5, 3.0, 2.5, 0.5


def tied_halves(strength, friction=0.6):
    """Two halves that lean against each other over smooth ground, held by a tie; loads of 1 N at the crown."""
    left = [(-SPAN, 0.0), (-SPAN + BASE, 0.0), (0.0, UNDER), (0.0, TOP)]
    right = [(SPAN - BASE, 0.0), (SPAN, 0.0), (0.0, TOP), (0.0, UNDER)]
    ground = [(-9.0, -1.0), (9.0, -1.0), (9.0, 0.0), (-9.0, 0.0)]
    blocks = [prism(left, 1.0), prism(right, 1.0), prism(ground, 2.0, True)]
    structure = structure_of({"blocks": blocks, "mu": friction})
    smooth = {(0, 2): ContactLaw(0.0), (1, 2): ContactLaw(0.0)}
    structure = Structure(structure.blocks, structure.law, pair_laws=smooth)
    place = SPAN - BASE - 0.1
    case = LoadCase(cables=[Cable((0, 1), ((-place, 0.0, TIE_AT), (place, 0.0, TIE_AT)), strength=strength)])
    for block in (0, 1):
        case.add_point_load(block, (0.0, 0.0, TOP), (0.0, 0.0, -1.0))
    p, q = np.array(left), np.roll(left, -1, axis=0)
    twice = p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]
    weight = 2400.0 * 9.81 * 0.5 * twice.sum()
    return structure, case, weight, -((p + q) * twice[:, None]).sum(axis=0)[0] / (3.0 * twice.sum())


@pytest.mark.short
def test_thrust_up_to_the_strength_of_a_tie():
    """Moments about the top of the crown, reaction at the inner edge: (W + P) (L - b) - W d = S (top - tie)."""
    strength = 2e5
    structure, case, weight, away = tied_halves(strength)
    found = ask(structure, "loads", case)
    limit = (strength * (TOP - TIE_AT) + weight * away) / (SPAN - BASE) - weight
    assert found.multiplier_associated == pytest.approx(limit, rel=CLOSE)
    assert found.cable_force == pytest.approx([strength], rel=CLOSE)
    assert found.multiplier_coulomb == pytest.approx(limit, rel=1e-4)
    without = ask(structure, "loads", LoadCase(loads=case.loads))
    assert not without.stands
    assert ask(*(structure, "loads", tied_halves(None)[1])).status == "unbounded"


def test_range_of_the_thrust_of_a_tied_structure():
    """Least with the reaction inside and the thrust at the top of the crown; greatest the strength of the tie."""
    structure, case, weight, away = tied_halves(2e5)
    crown = ranges(structure, LoadCase(cables=case.cables), interfaces=[(0, 1)])[0]
    least = weight * (SPAN - BASE - away) / (TOP - TIE_AT)
    most = weight * (SPAN - away) / (UNDER - TIE_AT)
    assert most < 2e5
    assert (crown.least, crown.greatest) == pytest.approx((least, most), rel=CLOSE)
    weak = ranges(structure, LoadCase(cables=tied_halves(0.5 * (least + most))[1].cables), interfaces=[(0, 1)])[0]
    assert (weak.least, weak.greatest) == pytest.approx((least, 0.5 * (least + most)), rel=CLOSE)


def test_block_that_hangs_on_a_cable():
    ceiling = box((-1, -1, 3), (2, 2, 4), density=DENSITY, name="ceiling", support=True)
    block = box((0, 0, 0), (1, 1, 1), density=DENSITY, name="block")
    ends = (0.5, 0.5, 3.0), (0.5, 0.5, 1.0)
    case = LoadCase(cables=[Cable(("ceiling", "block"), ends, stiffness=1e9, prestress=5e3, strength=1e5)])
    case.add_point_load("block", (0.5, 0.5, 0.0), (0.0, 0.0, -1.0))
    found = ask(Structure([ceiling, block], ContactLaw(0.6)), "loads", case)
    assert found.multiplier_associated == pytest.approx(1e5 - WEIGHT, rel=CLOSE)


# -- structures --------------------------------------------------------------------------------------------------------


def bonded_wall(law, scale=1.0):
    """Courses of two and three blocks on the ground, 1.5 x 0.3 x 1.2 m."""
    blocks = [box((-1, -1, -0.3), (2.5, 1.3, 0.0), density=DENSITY, name="ground", support=True)]
    for row in range(4):
        cuts = [0.0, 0.75, 1.5] if row % 2 else [0.0, 0.5, 1.0, 1.5]
        for k, (a, b) in enumerate(zip(cuts, cuts[1:])):
            place = (a, 0.0, 0.3 * row), (b, 0.3, 0.3 * (row + 1))
            blocks.append(box(*place, density=DENSITY, name="w{}{}".format(row, k)))
    return Structure([block.scaled(scale) for block in blocks], law)


def test_polar_diagram_of_a_bonded_wall():
    """A block that cannot slide tips about an edge at b / h (1 + t A / W), over the cosine of the direction."""
    (ground, block), tension = cube(ContactLaw(0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 0.0))[0].blocks, 1e4
    block = box((0, 0, 0), (0.4, 1.0, 2.0), density=DENSITY, name="wall")
    law = ContactLaw(2.0, "mohr_coulomb", cohesion=1e6, tension=tension)
    found = ask(Structure([ground, block], law), "polar:16")
    strong = (1.0 + tension * 0.4 / (0.8 * WEIGHT)) / 2.0
    for (x, y, _), most in found.polar:
        tips = [strong * width / abs(part) for width, part in ((0.4, x), (1.0, y)) if abs(part) > 1e-9]
        assert most == pytest.approx(min(tips), rel=CLOSE)


def test_statics_agree_at_the_limit_of_a_bonded_wall():
    """Another method altogether stands just below and falls just above."""
    structure = bonded_wall(ContactLaw(0.5, "mohr_coulomb", cohesion=4e3, tension=2e3))
    found = ask(structure, "acceleration:x", coulomb=False)
    plain = ask(bonded_wall(ContactLaw(0.5)), "acceleration:x", coulomb=False)
    assert found.multiplier_associated > 1.1 * plain.multiplier_associated
    for share, verdict in ((0.998, "stable"), (1.002, "collapse")):
        along = share * found.multiplier_associated * 9.81
        assert analyse(structure, LoadCase((along, 0.0, -9.81))).verdict == verdict


@pytest.fixture(scope="module")
def wall():
    law = ContactLaw(0.5, "mohr_coulomb", cohesion=4e3, tension=2e3, compression=3e4)
    structure = bonded_wall(law)
    return structure, anchored(), ask(structure, "acceleration:x", anchored(), coulomb=False).multiplier_associated


def anchored(turn=np.eye(3), scale=1.0):
    """A cable from the top of the wall to the ground; gravity turns along."""
    points = scale * np.array([(0.1, 0.15, 1.2), (-0.9, 0.15, 0.0)]) @ turn.T
    return LoadCase(turn @ (0.0, 0.0, -9.81), cables=[Cable(("w30", "ground"), points, strength=2e3 * scale**3)])


def test_limit_of_all_does_not_depend_on_axes_or_units(wall):
    structure, _, limit = wall
    turn = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    way = "acceleration:{},{},{}".format(*turn[:, 0])
    assert ask(moved(structure, turn), way, anchored(turn), coulomb=False).multiplier_associated == pytest.approx(
        limit, rel=5e-5
    )
    k = 1e3  # lengths in mm of what were m: strengths grow with the weight over the area
    law = ContactLaw(0.5, "mohr_coulomb", cohesion=4e3 * k, tension=2e3 * k, compression=3e4 * k)
    found = ask(bonded_wall(law, k), "acceleration:x", anchored(scale=k), coulomb=False)
    assert found.multiplier_associated == pytest.approx(limit, rel=5e-5)


def test_limit_of_all_does_not_depend_on_the_order(wall):
    structure, case, limit = wall
    order = np.random.default_rng(5).permutation(len(structure.blocks))
    permuted = Structure([structure.blocks[i] for i in order], structure.law)
    assert ask(permuted, "acceleration:x", case, coulomb=False).multiplier_associated == pytest.approx(limit, rel=5e-5)


def test_what_each_strength_adds(wall):
    """A cable, and tension, add to the limit; a cap takes off it."""
    structure, case, limit = wall
    uncapped = Structure(structure.blocks, ContactLaw(0.5, "mohr_coulomb", cohesion=4e3, tension=2e3))
    alone = ask(uncapped, "acceleration:x", coulomb=False).multiplier_associated
    held = ask(uncapped, "acceleration:x", case, coulomb=False).multiplier_associated
    assert held > 1.01 * alone and limit < 0.999 * held


def test_least_friction_of_a_bonded_block_on_a_slope():
    """W sin <= c A + mu W cos; the tensile strength stays what it is."""
    structure, _, _ = cube(ContactLaw(0.9, "mohr_coulomb", cohesion=4e3, tension=1e3), (1.0, 0.0, 0.0), (0.5, 0.5, 0.5))
    angle = math.radians(35.0)
    case = LoadCase((9.81 * math.sin(angle), 0.0, -9.81 * math.cos(angle)))
    found = ask(structure, "friction", case)
    need = (WEIGHT * math.sin(angle) - 4e3) / (WEIGHT * math.cos(angle))
    assert found.multiplier_associated == pytest.approx(need, rel=2e-5) and found.stands


def test_ranges_of_a_bonded_block_between_two():
    """Between floor and ceiling: the ceiling carries up to its tension; presses without end, or up to the cap."""
    floor = box((-1, -1, -1), (2, 2, 0), density=DENSITY, name="floor", support=True)
    roof = box((-1, -1, 1), (2, 2, 2), density=DENSITY, name="roof", support=True)
    block = box((0, 0, 0), (1, 1, 1), density=DENSITY, name="block")
    for cap, most in ((None, math.inf), (CAP, CAP)):
        law = ContactLaw(0.5, "brittle", cohesion=C, tension=1e4, compression=cap)
        found = ranges(Structure([floor, block, roof], law), interfaces=[("floor", "block")])
        assert found[0].least == pytest.approx(WEIGHT - 1e4, rel=CLOSE)
        assert found[0].greatest == pytest.approx(most, rel=CLOSE)
        expected = ["brittle_limit"] if cap else ["brittle_limit", "unbounded"]
        assert [warning["code"] for warning in found.warnings] == expected


def test_law_of_one_interface():
    """A cube on the floor, glued to a wall beside it, pulled along both: mu W + c A sqrt(1 + mu^2), where the glue also
    presses it down by mu of what it holds along."""
    floor = box((-1, -1, -1), (2, 2, 0), density=DENSITY, name="floor", support=True)
    wall = box((-1, -1, 0), (0, 2, 2), density=DENSITY, name="wall", support=True)
    block = box((0, 0, 0), (1, 1, 1), density=DENSITY, name="cube")
    glue = ContactLaw(0.0, "mohr_coulomb", cohesion=C)
    structure = Structure([floor, wall, block], ContactLaw(0.5), interface_laws=[((1, 2), (0.0, 0.5, 0.5), glue)])
    limit, case = 0.5 * WEIGHT + C * math.sqrt(1.25), LoadCase()
    place = 0.25 * WEIGHT / limit, 0.5, 0.5 * C / math.sqrt(1.25) / limit  # the resultant of friction and glue
    case.add_point_load("cube", place, (0.0, 1.0, 0.0))
    found = ask(structure, "loads", case, coulomb=False)
    assert found.multiplier_associated == pytest.approx(limit, rel=CLOSE) and found.interface_law is not None


def test_what_falls_and_what_has_no_limit_with_strength():
    weak = ContactLaw(0.5, "mohr_coulomb", cohesion=1e4, tension=1e4)
    hung, _, _ = cube(weak, (0.0, 0.0, -1.0), (0.5, 0.5, 0.0), roof=True)  # it weighs twice as much
    found = ask(hung, "acceleration:x")
    assert found.status == "falls" and found.verdict == "collapse" and not found.contact_force.any()
    pressed = ask(*cube(weak, (0.0, 0.0, -1.0), (0.5, 0.5, 1.0)))
    assert pressed.status == "unbounded" and pressed.stands and pressed.verdict == "stable"
    assert pressed.support_reaction[2] == pytest.approx(WEIGHT, rel=CLOSE)


def test_moving_supports_take_friction_alone():
    structure = bonded_wall(ContactLaw(0.5, "mohr_coulomb", cohesion=C))
    with pytest.raises(NotAvailableError, match="moving supports.*strength"):
        ask(structure, "settlement:ground")
    structure, case, _, _ = tied_halves(2e5)
    with pytest.raises(NotAvailableError, match="cables"):
        ask(structure, "settlement:2", case)
    elastic = ContactLaw(0.6, "elastic", normal_stiffness=1e9, tangential_stiffness=1e9)
    assert ask(bonded_wall(elastic), "settlement:ground").status == "unbounded"


@pytest.mark.parametrize("numbers", [{"tension": -1.0}, {"compression": -1.0}, {"compression": 0.0}, {"kinetic": 0.9}])
def test_nonsense_is_refused_by_name(numbers):
    with pytest.raises(MaterialError, match={"kinetic": "kinetic"}.get(*numbers, "strength")):
        ContactLaw(0.5, "mohr_coulomb", cohesion=C, **numbers)


@pytest.mark.parametrize("suffix", [".npz", ".json"])
def test_polar_results_with_directions_without_limit_are_kept(tmp_path, suffix):
    """Nan and inf, where a direction has no equilibrium or no limit, come back, and equal themselves."""
    found = ask(bonded_wall(ContactLaw(0.5)), "polar:4")
    found.direction_multipliers = np.array([0.1, np.nan, np.inf, 0.1])
    path = tmp_path / ("polar" + suffix)
    found.save(path)
    again = LimitResult.load(path)
    assert again == found and math.isnan(again.direction_multipliers[1])
    again.direction_multipliers = np.array([0.1, 0.2, np.inf, 0.1])
    assert again != found
