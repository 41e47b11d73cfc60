"""Known limits (docs/validation.md, V20 to V31), found by `limit` itself.

The cone program is solved to 1e-5 or better, so the tolerance is the precision of the reference: 0.2 % unless said.
"""

import numpy as np
import pytest

from analysed import analyse
from compas_nscd import LoadCase
from compas_nscd.client.limit_parameter import limit_parameter
from compas_nscd.validation.references import (
    FERRIS_TIN_LOI,
    OPPENHEIM,
    SPREAD,
    THINNEST_ARCH,
    THINNEST_DOME,
    THINNEST_ELLIPSE,
    THINNEST_SLIDING_ARCH,
    THRUST,
    THRUST_CRA,
)
from limits import ask, in_engine, ranges, structure_of
from masonry import (
    GRAVITY,
    circular_arch,
    elliptical_arch,
    ferris_tin_loi,
    fixed_end_arch,
    leaning_rods,
    leaning_rods_need,
    lunes,
    wall,
)

CLOSE = 2e-3


@pytest.mark.short
@pytest.mark.parametrize("count", [7, 20])
def test_thinnest_semicircular_arch(count):
    """V20: smallest thickness over radius, no sliding."""
    found = limit_parameter(in_engine, lambda t: structure_of(circular_arch(count, t)), 0.08, 0.12, 1e-4)
    assert found.value == pytest.approx(THINNEST_ARCH[count], rel=CLOSE)
    assert found.falls < found.stands and found.stands - found.falls <= 1e-4 * found.stands


@pytest.mark.slow
@pytest.mark.parametrize("friction", [0.38, 0.32])
def test_thinnest_arch_that_may_slide(friction):
    """V21: references are for the continuous arch, from which 100 voussoirs differ by 0.02 %."""
    limit = THINNEST_SLIDING_ARCH[friction]
    build = lambda t: structure_of(circular_arch(100, t, friction=friction))  # noqa: E731
    assert limit_parameter(in_engine, build, 0.95 * limit, 1.05 * limit, 1e-3).value == pytest.approx(limit, rel=CLOSE)


@pytest.mark.parametrize("friction", [0.38, 0.35, 0.32])
def test_least_friction_of_an_arch(friction):
    """V21 the other way round: the friction that an arch of given thickness needs."""
    found = ask(structure_of(circular_arch(100, THINNEST_SLIDING_ARCH[friction])), "friction")
    assert found.multiplier_associated == pytest.approx(friction, rel=CLOSE)
    assert found.slides


@pytest.mark.short
@pytest.mark.parametrize("thickness, least, most", THRUST)
def test_range_of_the_thrust(thickness, least, most):
    """V22: H / W at the crown of a semicircular arch, over all force systems in equilibrium."""
    structure = structure_of(circular_arch(40, thickness))
    weight = analyse(structure).summary["weight_total"]
    found = ranges(structure, interfaces=[(19, 20)])
    assert found.stands and len(found) == 1
    assert found[0].least / weight == pytest.approx(least, rel=CLOSE)
    assert found[0].greatest / weight == pytest.approx(most, rel=CLOSE)


@pytest.mark.parametrize("rise, limit, friction", THINNEST_ELLIPSE)
def test_thinnest_elliptical_arch(rise, limit, friction):
    """V23: thickness over half span, joints normal to the centre line; the references have three to four digits."""
    build = lambda t: structure_of(elliptical_arch(t, rise, friction))  # noqa: E731
    assert limit_parameter(in_engine, build, 0.95 * limit, 1.05 * limit, 1e-3).value == pytest.approx(limit, rel=CLOSE)


@pytest.mark.parametrize("thickness, percent", SPREAD)
def test_supports_spread_until_collapse(thickness, percent):
    """V24: 20 voussoirs, no slip, in % of the span 2 R; the first reference has three digits."""
    found = ask(structure_of(circular_arch(20, thickness)), "spread:x")
    assert 50.0 * found.multiplier_associated == pytest.approx(percent, rel=3e-3)
    assert len(found.hinges) in (4, 5) and not found.slides  # five where it falls symmetrically
    spread = found.displacement[20, 0] - found.displacement[21, 0]
    assert spread == pytest.approx(found.multiplier_associated, rel=1e-9)  # supports go exactly where they were told
    assert found.summary["unbalanced_max"] < 1e-4


@pytest.mark.short
def test_arch_under_horizontal_acceleration():
    """V25: Oppenheim's arch, 0.3736 g, with four hinges."""
    found = ask(structure_of(circular_arch(7, 1.5, 10.0, np.radians(157.5))), "acceleration:x")
    assert found.multiplier_associated == pytest.approx(OPPENHEIM, rel=CLOSE)
    assert found.multiplier_coulomb == found.multiplier_associated  # nothing slides
    assert len(found.hinges) == 4 and not found.slides
    assert found.stands and found.multiplier_lowest is None


def test_thinnest_dome():
    """V26: two opposite lunes of a hemispherical dome; t/R = 0.0428, three digits."""
    build = lambda t: structure_of(lunes(t))  # noqa: E731
    assert limit_parameter(in_engine, build, 0.04, 0.046, 1e-3).value == pytest.approx(THINNEST_DOME, rel=CLOSE)


def test_range_of_the_arch_of_compas_cra():
    """V27: H between 0.8427 and 0.9849 for a specific weight of 1, end blocks fixed."""
    found = ranges(structure_of(fixed_end_arch()), interfaces=[(0, 1)], direction=(1.0, 0.0, 0.0))[0]
    assert sorted(abs(h) for h in found[1:]) == pytest.approx(list(THRUST_CRA), rel=CLOSE)


@pytest.mark.parametrize("which", FERRIS_TIN_LOI)
def test_walls_of_ferris_and_tin_loi(which):
    """V28; the second number is the least multiplier of a collapse without dilatancy, by mathematical programming."""
    found = ask(structure_of(ferris_tin_loi(which)), "acceleration:x")
    associated, coulomb = FERRIS_TIN_LOI[which]
    assert found.multiplier_associated == pytest.approx(associated, rel=1e-4)
    assert found.multiplier_coulomb == pytest.approx(coulomb, rel=CLOSE)
    assert found.slides and not found.warnings


@pytest.mark.short
@pytest.mark.parametrize("load", [False, True])
def test_tilting_is_pushing(load):
    """V29: the tangent of a tilt is the acceleration over g, with a load that has weight as well."""
    structure, case = structure_of(ferris_tin_loi(1)), LoadCase()
    if load:  # a weight on the table turns with gravity: as much push as it weighs times the tangent
        case.add_point_load(30, (0.5, 0.1, 1.05), (0.0, 0.0, -3000.0))
    tilted = ask(structure, "tilt:x", case, coulomb=False)
    pushed = tilted.multiplier_associated
    if load:
        case.add_point_load(30, (0.5, 0.1, 1.05), (3000.0 * pushed, 0.0, 0.0))
    other = ask(structure, "acceleration:x", case, coulomb=False)
    assert other.multiplier_associated == pytest.approx(pushed, rel=1e-5)
    assert tilted.angle == pytest.approx(np.degrees(np.arctan(pushed)), rel=1e-12)


def test_two_leaning_rods_need_friction():
    """V30: about tan(beta) / 2; the number for rods of some width."""
    found = ask(structure_of(leaning_rods()), "friction")
    assert found.multiplier_associated == pytest.approx(leaning_rods_need(), rel=CLOSE)


@pytest.mark.short
def test_buttress_overturns():
    """V31: pushed at the top it overturns at W b / (2 h)."""
    width, height = 0.8, 2.0
    structure = structure_of(wall([[1]], length=width, height=height, depth=1.0, friction=2.0))
    weight = 2400.0 * width * height * GRAVITY
    case = LoadCase()
    case.add_point_load(1, (0.0, 0.5, height), (1000.0, 0.0, 0.0))
    found = ask(structure, "loads", case)
    assert 1000.0 * found.multiplier_associated == pytest.approx(weight * width / (2.0 * height), rel=1e-6)
    assert len(found.hinges) == 1 and not found.slides


def test_top_course_of_a_buttress_slides():
    """V31: in courses the top one slides at mu times its weight; the estimate without dilatancy says the same."""
    structure = structure_of(wall([[1]] * 5, length=1.0, height=0.2, depth=1.0, friction=0.5))
    case = LoadCase()
    case.add_point_load(5, (0.0, 0.5, 0.81), (1000.0, 0.0, 0.0))
    found = ask(structure, "loads:0", case)
    limit = 0.5 * 2400.0 * 0.2 * GRAVITY / 1000.0
    assert found.multiplier_associated == pytest.approx(limit, rel=1e-5)
    assert found.multiplier_coulomb == pytest.approx(limit, rel=1e-4)
    assert found.slides == [[structure.names[4], structure.names[5]]]
