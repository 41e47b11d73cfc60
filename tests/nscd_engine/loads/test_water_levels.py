"""Water that stands higher on one side: hydrostatic pressure, tipping and sliding of dams against closed forms."""

import json

import numpy as np
import pytest
from test_water import RHO, SLAB, load, static

from compas_nscd.cli.options.water import parse_water
from compas_nscd.errors import FileError, LoadError
from compas_nscd.loads.case import LoadCase
from compas_nscd.loads.water import Water
from compas_nscd.model.structure import Structure
from dynamic_helpers import G, balance, follow, structure_of
from motion_helpers import model_of
from nscd_engine.contacts.at_rest import detect
from nscd_engine.core.monitor import Monitor
from nscd_engine.core.settings import Settings
from nscd_engine.gate.water import read_water
from nscd_engine.kernels.geometry.rotations import rotation_matrices
from nscd_engine.loads.water import Water as Bath
from solids import box

X = (1.0, 0.0, 0.0)
STONE = 2400.0


def sides(solids, level, behind, towards=X, supports=(0,), drag=0.0):
    """Model and its water."""
    model = model_of(solids, supports)
    given = {"level": level, "behind": behind, "towards": np.array(towards), "flow": np.zeros(3), "density": RHO}
    water = read_water({"water": dict(given, drag=drag)}, model)
    return model, Bath(model, water, detect(model, Settings(), Monitor()).interfaces)


def about(model, found, point):
    """Resultant and its moment about a point, of all blocks (6,)."""
    arm = model.bodies.centroid - point
    return np.hstack([found[:, :3].sum(axis=0), (found[:, 3:] + np.cross(arm, found[:, :3])).sum(axis=0)])


def dam(width, height, mu=0.6, courses=1, length=1.0):
    """Courses of one block each on a slab, from x = 0 to the width."""
    high = height / courses
    solids = [box((0.0, 0.0, k * high), (width, length, high)) for k in range(courses)]
    return [SLAB] + solids, structure_of([SLAB] + solids, mu=mu, density=STONE)


# -- the load ----------------------------------------------------------------------------------------------------------


@pytest.mark.short
@pytest.mark.parametrize("level, behind", [(2.0, -1.0), (1.3, 0.0), (1.3, 0.4), (3.0, 0.5), (0.0, -2.0), (0.4, 1.3)])
def test_pressure_on_a_vertical_wall_of_courses(level, behind):
    """rho g H^2/2 at H/3 on each side, less what stands above the wall of 2 m; lift of what is below the lower."""
    model, water = sides(dam(1.0, 2.0, courses=4, length=1.5)[0], level, behind)
    found = about(model, load(model, water), [0.0, 0.0, 0.0])

    def push(surface):
        wet = min(max(surface, 0.0), 2.0)
        force = RHO * G * 1.5 * (surface * wet - wet**2 / 2.0)
        return force, RHO * G * 1.5 * (surface * wet**2 / 2.0 - wet**3 / 3.0)

    (front, tip), (back, hold) = push(level), push(behind)
    lift = RHO * G * 1.5 * min(max(behind, 0.0), 2.0)
    expected = [front - back, 0.0, lift, 0.75 * lift, tip - hold - 0.5 * lift, -0.75 * (front - back)]
    np.testing.assert_allclose(found, expected, atol=1e-11 * RHO * G)


def test_an_inclined_front_is_pressed_square_to_it():
    """A triangular dam, its front rising from x = 0 to 1 over 2 m: rho g H^2/2 along x, and the water above it down."""
    corners = np.array([[0, 0, 0], [1, 0, 0], [1, 0, 2], [0, 1, 0], [1, 1, 0], [1, 1, 2]], float)
    solid = corners, [[0, 1, 2], [3, 5, 4], [0, 3, 4, 1], [1, 4, 5, 2], [0, 2, 5, 3]]
    model, water = sides([SLAB, solid], 2.0, -1.0)
    found = about(model, load(model, water), [0.0, 0.5, 0.0])
    np.testing.assert_allclose(found[:3], RHO * G * np.array([2.0, 0.0, -1.0]), rtol=1e-12)
    # The water above the front is a wedge of 1 m3, its centroid a third of the way from the foot.
    np.testing.assert_allclose(found[3:], RHO * G * np.array([0.0, 2.0 * 2.0 / 3.0 + 1.0 / 3.0, 0.0]), atol=1e-9)


def test_what_a_neighbour_covers_is_not_pressed():
    """A buttress of half the height in front takes the push on its own front; that on the wall is the rest of it."""
    solids = [SLAB, box((0.0, 0.0, 0.0), (1.0, 1.0, 2.0)), box((-1.0, 0.0, 0.0), (1.0, 1.0, 1.0))]
    model, water = sides(solids, 2.0, -1.0)
    found = load(model, water)
    np.testing.assert_allclose(found[:, 0], RHO * G * np.array([0.0, 0.5, 1.5]), atol=1e-9)


def test_the_load_turns_with_the_scene():
    """Dam and direction turned by 30 degrees about z, load turned back."""
    solids, angle = dam(1.0, 2.0, courses=3)[0], np.radians(30.0)
    turn = np.array([[np.cos(angle), -np.sin(angle), 0.0], [np.sin(angle), np.cos(angle), 0.0], [0.0, 0.0, 1.0]])
    model, water = sides(solids, 1.7, 0.6)
    turned = [(vertices @ turn.T, faces) for vertices, faces in solids]
    other, bath = sides(turned, 1.7, 0.6, 3.0 * turn[:, 0])
    expected = load(model, water).reshape(-1, 2, 3) @ turn.T
    np.testing.assert_allclose(load(other, bath).reshape(-1, 2, 3), expected, atol=1e-9)


def test_a_tilted_wall_is_pressed_where_it_is():
    """Leaning away by 20 degrees about its lower front edge: rho g H^2/2 along x, and the water above it."""
    model, water = sides([SLAB, box((0.0, 0.0, 0.0), (0.5, 1.0, 2.0))], 1.0, -5.0)
    angle = np.radians(20.0)
    q = np.array([[1.0, 0.0, 0.0, 0.0], [np.cos(angle / 2), 0.0, np.sin(angle / 2), 0.0]])
    position = model.bodies.centroid.copy()
    rotation = rotation_matrices(q)
    position[1] = rotation[1] @ (position[1] - [0.0, 0.0, 0.0])
    found = water.load(position, rotation, np.zeros((2, 6)), np.array([0.0, 0.0, -G]), 0.0)[1]
    np.testing.assert_allclose(found[:3], RHO * G * np.array([0.5, 0.0, -0.5 * np.tan(angle)]), rtol=1e-12)
    moment = found[3:] + np.cross(position[1], found[:3])
    along = 1.0 / 3.0 / np.cos(angle)  # of the centre of pressure, along the front
    assert moment[1] == pytest.approx(RHO * G * 0.5 / np.cos(angle) * along, rel=1e-12)


def test_what_moves_away_from_the_water_is_not_slowed_by_it():
    """Dry behind: along `towards` a wall meets no water; against it, drag/2 rho v^2 on the wetted front."""
    model, water = sides([SLAB, box((0.0, 0.0, 0.0), (0.5, 1.0, 2.0))], 1.0, -5.0, drag=2.0)
    still, velocity = load(model, water), np.zeros((2, 6))
    for v, slowed in ((3.0, 0.0), (-3.0, RHO * 9.0)):
        velocity[1, 0] = v
        np.testing.assert_allclose(load(model, water, velocity=velocity)[1, 0] - still[1, 0], slowed, atol=1e-9)


def test_equal_levels_are_still_water_bit_by_bit():
    solids = dam(1.0, 2.0, courses=3)[0]
    model, water = sides(solids, 1.3, 1.3, drag=2.0)
    water.flow = np.array([1.0, 0.5, 0.0])
    given = {"level": 1.3, "flow": water.flow, "density": RHO, "drag": 2.0}
    plain = Bath(model, read_water({"water": given}, model), _interfaces(model))
    np.testing.assert_array_equal(load(model, water), load(model, plain))


def _interfaces(model):
    return detect(model, Settings(), Monitor()).interfaces


# -- dams --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("courses", [1, 3])
@pytest.mark.parametrize("behind", [-1.0, 0.8])
@pytest.mark.parametrize("factor, stands", [(0.99, True), (1.01, False)])
def test_a_dam_tips(courses, behind, factor, stands):
    """At rho (H^3 - h^3)/6 = b/2 (rho_s b Z - rho b h), Z its height; joints above the foot tip later."""
    height, width, low = 3.0, 1.1, max(behind, 0.0)
    level = (3.0 * width / RHO * (STONE * width * height - RHO * width * low) + low**3) ** (1.0 / 3.0)
    assert level < height
    structure = dam(width, height, mu=5.0, courses=courses)[1]
    result = static(structure, LoadCase(water=Water(factor * level, behind=behind, towards="x")))
    assert result.verdict == ("stable" if stands else "collapse")


@pytest.mark.short
@pytest.mark.parametrize("behind", [-1.0, 0.8])
@pytest.mark.parametrize("factor, stands", [(0.99, True), (1.01, False)])
def test_a_dam_slides(behind, factor, stands):
    """At rho (H^2 - h^2)/2 = mu (rho_s b Z - rho b h)."""
    height, width, mu, low = 2.5, 2.0, 0.25, max(behind, 0.0)
    level = np.sqrt(2.0 * mu / RHO * (STONE * width * height - RHO * width * low) + low**2)
    assert level < height
    structure = dam(width, height, mu=mu)[1]
    result = static(structure, LoadCase(water=Water(factor * level, behind=behind, towards=(2.0, 0.0))))
    assert result.verdict == ("stable" if stands else "collapse")


def test_supports_carry_the_push():
    structure = dam(1.5, 2.0, courses=4)[1]
    result = static(structure, LoadCase(water=Water(1.8, behind=0.5, towards="x")))
    assert result.verdict == "stable"
    push, lift = RHO * G * (1.8**2 - 0.5**2) / 2.0, RHO * G * 1.5 * 0.5
    carried = result.summary["support_reaction"]
    np.testing.assert_allclose(carried, [-push, 0.0, STONE * G * 3.0 - lift], atol=1e-8 * STONE * G)


def test_rising_water_pushes_a_block_when_friction_is_used_up():
    """The level rises by 0.5 m/s; sliding begins at rho H^2/2 = mu rho_s b Z. Its energy is accounted for."""
    width, height, mu = 1.0, 2.0, 0.25
    level = np.sqrt(2.0 * mu * STONE * width * height / RHO)
    structure = dam(width, height, mu=mu)[1]
    case = LoadCase(water=Water(0.0, behind=-1.0, towards="x", levels=([0.0, 4.0], [0.0, 2.0])))
    result = follow(structure, case, level / 0.5 + 0.3, 5e-3, interval=5e-3)
    way = result.displacement(1)[:, 0]
    assert np.abs(way[result.times < level / 0.5 - 0.01]).max() < 1e-6 and way[-1] > 1e-3
    # From there a = rho g (H^2 - H_0^2)/(2 m), H growing by 0.5 m/s: to first order the way is rho g H_0 0.5 t^3/(6 m).
    t = result.times[-1] - level / 0.5
    first = RHO * G * level * 0.5 * t**3 / (6.0 * STONE * width * height)
    assert first < way[-1] < 1.15 * first
    assert np.abs(balance(result)).max() < 1e-4  # a point load of the same history leaves as much
    assert LoadCase.__from_data__(case.__data__) == case


def test_a_dam_that_holds_in_statics_holds_in_motion():
    structure = dam(1.4, 2.0, courses=4)[1]
    result = follow(structure, LoadCase(water=Water(2.0, behind=0.3, towards="x")), 0.5, 5e-3)
    assert result.verdict == "stable" and np.abs(result.displacement(4)).max() < 1e-6


# -- what is given -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level, levels, warned", [
    (-0.5, None, True), (0.5, None, False), (-0.5, ([0, 1], [0, 1]), False)
])  # fmt: skip
def test_water_below_everything_comes_with_a_warning(level, levels, warned):
    structure, case = dam(1.0, 1.0)[1], LoadCase(water=Water(level, levels=levels))
    found = follow(structure, case, 0.02, 5e-3).warnings
    assert any(warning["code"] == "water_reaches_nothing" for warning in found) == warned
    found = [warning["message"] for warning in static(structure, case).warnings]
    assert any("reaches nothing" in text for text in found) == (level < 0.0)


def test_sides_in_scene_files_of_any_unit(tmp_path):
    structure = dam(1.0, 2.0)[1]
    structure.case = LoadCase(
        water=Water(1.5, (0.0, 0.3, 0.0), behind=0.5, towards=(0.6, 0.8), levels=([0.0, 1.0], [1.5, 1.0]))
    )
    structure.to_scene(tmp_path / "dam.json")
    scene = json.loads((tmp_path / "dam.json").read_text(encoding="utf-8"))
    assert Structure.from_file(tmp_path / "dam.json").case.water == structure.case.water
    for block in scene["blocks"]:
        block["vertices"] = (1e3 * np.array(block["vertices"])).tolist()
    scene["units"] = "mm"
    scene["water"].update(level=1500.0, behind=500.0, levels=[[0.0, 1.0], [1500.0, 1000.0]])
    (tmp_path / "mm.json").write_text(json.dumps(scene))
    found, own = Structure.from_file(tmp_path / "mm.json").case.water, structure.case.water
    assert (found.flow, found.towards) == (own.flow, own.towards)
    np.testing.assert_allclose([found.level, found.behind] + found.levels[1], [1.5, 0.5, 1.5, 1.0], rtol=1e-12)
    for wrong in ({"depth": 1.0}, {}, {"level": 1.0, "from": "x"}):
        (tmp_path / "mm.json").write_text(json.dumps(dict(scene, water=wrong)))
        with pytest.raises(FileError, match="the water"):
            Structure.from_file(tmp_path / "mm.json")


def test_sides_on_the_command_line():
    assert parse_water("level=2.5,behind=1,towards=y") == Water(2.5, behind=1.0, towards=(0.0, 1.0, 0.0))
    assert parse_water("level=2.5,behind=-1,towards=-3:0").towards == (-1.0, 0.0, 0.0)


@pytest.mark.parametrize("wrong, text", [
    ({"behind": 2.0, "towards": "x"}, "above.*Exchange"), ({"behind": 0.0}, "not `towards`.*both"),
    ({"towards": "x"}, "not `behind`.*both"), ({"behind": 0.0, "towards": "z"}, "not horizontal.*x, y"),
    ({"behind": 0.0, "towards": (0.0, 0.0)}, "no length"), ({"behind": 0.0, "towards": (1.0, 0.0, 0.1)}, "horizontal"),
    ({"behind": float("nan"), "towards": "x"}, "level behind"), ({"behind": 0.0, "towards": {}}, "three numbers"),
])  # fmt: skip
def test_wrong_sides_are_refused(wrong, text):
    with pytest.raises(LoadError, match=text):
        Water(1.0, **wrong)


@pytest.mark.parametrize("wrong", [{"behind": "low"}, {"towards": np.zeros(3)}, {"towards": np.array([1.0, 0.0, 1.0])}])
def test_wrong_sides_are_refused_by_the_gate(wrong):
    model = model_of([SLAB, box()])
    given = {"level": 1.0, "behind": 0.0, "towards": np.array(X), "flow": np.zeros(3), "density": RHO, "drag": 2.0}
    with pytest.raises(LoadError, match="behind|towards"):
        read_water({"water": dict(given, **wrong)}, model)


@pytest.mark.parametrize("wrong", [{"level": 1e300}, {"density": 1e300}, {"flow": np.array([1e300, 0.0, 0.0])}])
def test_water_beyond_reason_is_refused_by_the_gate(wrong):
    model = model_of([SLAB, box()])
    given = {"level": 1.0, "flow": np.zeros(3), "density": RHO, "drag": 2.0}
    with pytest.raises(LoadError, match="{} of the water is beyond".format(next(iter(wrong)))):
        read_water({"water": dict(given, **wrong)}, model)
