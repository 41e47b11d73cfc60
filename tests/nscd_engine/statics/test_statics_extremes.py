"""Static analysis at the ends of what people draw: sizes, masses, friction, places, and verdicts close to the limit."""

import json
from itertools import combinations

import numpy as np
import pytest

from compas_nscd.validation.references import THINNEST_ARCH
from masonry import GRAVITY, box, circular_arch, ferris_tin_loi, pushed, static, tilted

TABLE = box((-3.0, -3.0, -1.0), (3.0, 3.0, 0.0), True)


def tower(densities):
    blocks = [box((0.0, 0.0, k), (1.0, 1.0, k + 1.0), density=density) for k, density in enumerate(densities)]
    return {"blocks": [TABLE] + blocks, "mu": 0.6}


def resultants(reply):
    return np.add.reduceat(reply["contact_force"], reply["contact_start"][:-1], axis=0)


@pytest.mark.short
@pytest.mark.parametrize("densities", [[1.0, 1e6, 1.0, 1e6, 1.0], [1e6, 1.0, 1e6, 1.0]])
def test_tower_of_blocks_a_million_times_as_heavy(densities):
    """Every joint carries what is above it, the light blocks are in balance by their own weight."""
    reply = static(tower(densities))
    above = GRAVITY * np.cumsum(densities[::-1])[::-1]
    assert reply["verdict"] == "stable" and reply["status"] == "converged" and reply["unbalanced_max"] < 1e-6
    assert np.allclose(resultants(reply)[:, 2], above, rtol=1e-7)


@pytest.mark.parametrize("friction", ["associated", "coulomb"])
@pytest.mark.parametrize("excess", [-1e-4, -1e-5, 1e-5, 1e-4])
def test_incline_a_hair_from_the_angle_of_friction(excess, friction):
    """It slides with g (sin - mu cos) along the slope; associated friction also lifts it, and takes 1 / (1 + mu^2)."""
    mu, angle = 0.5, np.arctan(0.5 + excess)
    blocks = [box((-2.0, -2.0, -1.0), (2.0, 2.0, 0.0), True), box((-0.5, -0.5, 0.0), (0.5, 0.5, 0.2))]
    reply = static(tilted({"blocks": blocks, "mu": mu}, angle), friction=friction)
    slide = max(0.0, np.sin(angle) - mu * np.cos(angle)) / (1.0 + mu**2 if friction == "associated" else 1.0)
    assert reply["verdict"] == ("collapse" if excess > 0.0 else "stable") and reply["status"] == "converged"
    assert reply["velocity"][1, 0] == pytest.approx(slide, abs=1e-8)


@pytest.mark.parametrize("mu", [0.0, 5.0])
@pytest.mark.parametrize("friction", ["associated", "coulomb"])
def test_walls_without_friction_and_with_more_than_enough(mu, friction):
    """Pushed by 0.1 g: without friction every block moves along its joints as if free; with mu = 5 all stands.

    Velocities are over those of free fall, here along (0.1, 0, -1).
    """
    reply = static(pushed(dict(ferris_tin_loi(1), mu=mu), 0.1), friction=friction)
    assert reply["status"] == "converged" and reply["verdict"] == ("stable" if mu else "collapse")
    assert np.abs(reply["velocity"][1:, 0] - (0.0 if mu else 0.1 / np.sqrt(1.01))).max() < 1e-8


def test_a_grain_on_a_rock():
    """Blocks of 1 mm on one of 10 m: both are weighed, both stand, each in balance by its own weight."""
    blocks = [box((-20.0, -20.0, -10.0), (20.0, 20.0, 0.0), True), box((0.0, 0.0, 0.0), (10.0, 10.0, 10.0))]
    blocks += [box((5.0, 5.0, z), (5.001, 5.001, z + 0.001)) for z in (10.0, 10.001)]
    reply = static({"blocks": blocks, "mu": 0.6})
    weight = 2400.0 * GRAVITY * 1e-9
    assert reply["verdict"] == "stable" and reply["unbalanced_max"] < 1e-6
    assert np.allclose(resultants(reply)[-2:, 2], [2.0 * weight, weight], rtol=1e-6)


@pytest.mark.parametrize("share, expected", [(0.9995, "collapse"), (1.0005, "stable")])
def test_thinnest_arch_a_hundred_kilometres_away(share, expected):
    """V20, 0.05 % from the limit; there a coordinate has eleven digits after the point of a metre."""
    scene = circular_arch(20, THINNEST_ARCH[20] * share)
    for block in scene["blocks"]:
        block["vertices"] = [[x + 1e5, y - 1e5, z + 1e3] for x, y, z in block["vertices"]]
    assert static(scene)["verdict"] == expected


def test_all_solvers_find_the_same_mechanism():
    """With associated friction the velocity after the step is unique: a thin arch, and a tower that is pushed over."""
    for scene in (circular_arch(7, 0.08), pushed(tower([2400.0] * 3), 0.4)):
        replies = [static(scene, solver=solver, max_iterations=None) for solver in ("newton", "nlgs", "spg")]
        assert all(reply["verdict"] == "collapse" for reply in replies)
        for one, other in combinations(replies, 2):
            assert np.abs(one["velocity"] - other["velocity"]).max() < 1e-6


@pytest.mark.shared
@pytest.mark.parametrize("name", ["dome-1000", "wall-40x50"])
def test_large_structures_have_the_same_bits_for_any_number_of_threads(scenes_dir, name):
    scene = json.loads((scenes_dir / (name + ".json")).read_text(encoding="utf-8"))
    one, two, four = (static(scene, threads=threads) for threads in (1, 2, 4))
    assert one["verdict"] == "stable"
    for other in (two, four):
        assert np.array_equal(one["contact_force"], other["contact_force"])
        assert np.array_equal(one["velocity"], other["velocity"])
