"""Loads and motions: validated when they are made, carried as COMPAS data."""

import uuid

import compas
import numpy as np
import pytest

from compas_nscd import GroundMotion, LoadCase, PointLoad, SupportMotion
from compas_nscd.errors import LoadError
from compas_nscd.loads.body_acceleration import BodyAcceleration, sampled
from compas_nscd.loads.water import Water

NAN = float("nan")


def full_case():
    case = LoadCase(gravity=(0, 0.5, -9.81), name="everything")
    case.add_point_load(3, (1, 2, 3), (0, 0, -100))
    case.add_point_load("key", np.array([1.0, 2, 3]), [0, 0, 1])
    case.support_motions.append(SupportMotion(0, (0, 0, -0.04), duration=2.0, start=0.5))
    case.ground.append(GroundMotion.sine("x", 1.962, 1.0, duration=6.0))
    case.ground.append(GroundMotion.half_sine((0, 3, 4), 2.0, 0.3))
    case.ground.append(GroundMotion.rectangular("z", 2.0, 0.3, start=1.0))
    case.ground.append(GroundMotion.table("y", [0, 0.1, 0.3], [0, 1, -1]))
    return case


@pytest.mark.short
def test_json_round_trip():
    case = full_case()
    again = compas.json_loads(compas.json_dumps(case))
    assert again == case and again.name == "everything" and case.copy() == case
    for part in case.loads + case.support_motions + case.ground:
        assert compas.json_loads(compas.json_dumps(part)) == part
    assert case != LoadCase() and case.loads[0] != case.loads[1]


def test_direction_becomes_a_unit_vector():
    assert GroundMotion.half_sine((0, 3, 4), 2.0, 0.3).direction == pytest.approx((0, 0.6, 0.8))
    assert GroundMotion.sine("y", 1.0, 1.0).direction == (0, 1, 0)


def test_blocks_by_index_name_or_guid():
    guid = uuid.uuid4()
    assert PointLoad(np.int32(4), (0, 0, 0), (0, 0, 0)).block == 4
    assert PointLoad(guid, (0, 0, 0), (0, 0, 0)).block == str(guid)
    for wrong in (None, 1.5, True, [1]):
        with pytest.raises(LoadError, match="index"):
            PointLoad(wrong, (0, 0, 0), (0, 0, 0))


@pytest.mark.short
@pytest.mark.parametrize("bad", [(0, 0), (0, 0, 0, 0), (0, 0, NAN), (0, 0, float("inf")), "abc", None, 5, (0, 0, "x")])
def test_vectors_are_three_finite_numbers(bad):
    for make in (
        lambda: LoadCase(gravity=bad),
        lambda: PointLoad(7, bad, (0, 0, 0)),
        lambda: PointLoad(7, (0, 0, 0), bad),
        lambda: LoadCase().add_point_load(7, (0, 0, 0), bad),
        lambda: SupportMotion(7, bad, 1.0),
        lambda: GroundMotion.sine(bad, 1.0, 1.0),
    ):
        with pytest.raises(LoadError):
            make()
    with pytest.raises(LoadError, match="block 7"):
        PointLoad(7, (0, 0, 0), bad)


@pytest.mark.parametrize(
    "make, word",
    [
        (lambda: GroundMotion("wobble", "x"), "wobble"),
        (lambda: GroundMotion("sine", "x", acceleration=1.0), "frequency"),
        (lambda: GroundMotion("half-sine", "x", acceleration=1.0), "duration"),
        (lambda: GroundMotion("half-sine", "x", 1.0, frequency=2.0, duration=1.0), "has no frequency"),
        (lambda: GroundMotion("table", "x", times=[0, 1]), "values"),
        (lambda: GroundMotion.sine("q", 1.0, 1.0), "direction 'q'.*x, y, z"),
        (lambda: GroundMotion.table("x", [-1, 1], [0, 0]), "begin at -1 s"),
        (lambda: GroundMotion.sine("x", 1.0, 1.0, supports=[]), "no support"),
        (lambda: GroundMotion.sine("x", 1.0, 1.0).knots(1e9), "2e.11 rows"),
        (lambda: GroundMotion.sine("x", 1.0, 1e9).knots(1.0), "1e.09 Hz"),
        (lambda: sampled(np.cos, 1e9), "1e.12 rows"),
        (lambda: Water(NAN), "finite number, not nan"),
        (lambda: LoadCase(water=2.5), "Water"),
        (lambda: LoadCase(ground=["sine"]), "`ground` must be a list of GroundMotion"),
        (lambda: LoadCase(support_motions=3), "SupportMotion"),
        (lambda: GroundMotion.sine((0, 0, 0), 1.0, 1.0), "direction"),
        (lambda: GroundMotion.sine("x", NAN, 1.0), "acceleration"),
        (lambda: GroundMotion.sine("x", 1.0, 0.0), "frequency"),
        (lambda: GroundMotion.sine("x", 1.0, 1.0, start=-1.0), "start"),
        (lambda: GroundMotion.rectangular("x", 1.0, -2.0), "duration"),
        (lambda: GroundMotion.table("x", [0, 1, 1], [0, 0, 0]), "ascend"),
        (lambda: GroundMotion.table("x", [0, 1], [0, 0, 0]), "as many"),
        (lambda: GroundMotion.table("x", [0], [0]), "at least two"),
        (lambda: GroundMotion.table("x", [0, 1], [0, NAN]), "finite"),
        (lambda: GroundMotion.table("x", [0, "a"], [0, 1]), "numbers"),
        (lambda: SupportMotion(3, (0, 0, 1), 0.0), "support 3"),
        (lambda: SupportMotion(3, (0, 0, 1), None), "duration"),
    ],
)
def test_motions_that_are_refused(make, word):
    with pytest.raises(LoadError, match=word):
        make()


def test_body_accelerations_stay_at_their_last_value_whatever_else_varies():
    """As histories of loads do; 2 m/s2 from 1 s on, beside another that lasts until 4 s."""
    first = BodyAcceleration("x", [0.0, 1.0], [0.0, 2.0])
    other = BodyAcceleration("y", [0.0, 4.0], [0.0, 4.0])
    times, values = LoadCase(accelerations=[first, other], gravity_ramp=0.5)._acceleration_table()
    np.testing.assert_allclose(times, [0.0, 0.5, 1.0, 4.0])
    np.testing.assert_allclose(values, [[0, 0, 0], [1, 0.5, -9.81], [2, 1, -9.81], [2, 4, -9.81]], atol=1e-12)


def test_one_load_may_stand_for_a_list():
    motion = GroundMotion.sine("x", 1.0, 1.0, supports="left")
    assert LoadCase(ground=motion).ground == [motion] and motion.supports == ["left"]
