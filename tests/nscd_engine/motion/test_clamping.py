"""Motions with Coulomb friction start from friction that exists: nothing is clamped by itself (V50 to V53).

Implicit Euler moves a body that starts to accelerate by a h t / 2 too far, 0.7 % here, and one that is braked as much
too little; tolerances are 1 %.
"""

import pytest

from analysed import box as block_between
from compas_nscd import ContactLaw, LoadCase, PointLoad, Structure, SupportMotion
from compas_nscd.templates import flat_arch
from dynamic_helpers import G, follow

STEP = 2e-3  # [s]


def box(lower, upper, **options):
    return block_between(lower, upper, density=2400.0, **options)


def walls(gap=0.0):
    """Two fixed walls, 1 m apart."""
    return [
        box((-2.0, 0.0, -3.0), (-1.0 - gap, 1.0, 1.0), name="left", support=True),
        box((gap, 0.0, -3.0), (1.0, 1.0, 1.0), name="right", support=True),
    ]


def cube():
    return box((-1.0, 0.0, 0.0), (0.0, 1.0, 1.0), name="cube")


def farthest(result):
    return result.summary["max_displacement"]


@pytest.mark.short
@pytest.mark.parametrize("mu", [0.05, 0.6])
@pytest.mark.parametrize("speed", [0.0, 1.0])
def test_a_cube_between_two_walls_falls(mu, speed):
    case = LoadCase()
    case.set_velocity("cube", (0.0, 0.0, -speed))
    fallen = follow(Structure([*walls(), cube()], ContactLaw(mu)), case, 0.3, STEP)
    assert farthest(fallen) == pytest.approx(0.3 * speed + G * 0.3**2 / 2, rel=1e-2)


def test_many_cubes_between_two_walls_fall():
    """Enough contacts that ADMM takes the steps."""
    long = [
        box((-2.0, 0.0, -3.0), (-1.0, 20.0, 1.0), name="left", support=True),
        box((0.0, 0.0, -3.0), (1.0, 20.0, 1.0), name="right", support=True),
    ]
    cubes = [box((-1.0, 1.3 * k, 0.0), (0.0, 1.3 * k + 1.0, 1.0), name="c{}".format(k)) for k in range(15)]
    fallen = follow(Structure([*long, *cubes], ContactLaw(0.4)), None, 0.3, STEP)
    assert farthest(fallen) == pytest.approx(G * 0.3**2 / 2, rel=1e-2)


def test_a_cube_falls_when_its_pedestal_sinks_faster_than_it():
    """The walls touch it all the time, and nothing presses them on it."""
    pedestal = box((-1.0, 0.0, -1.0), (0.0, 1.0, 0.0), name="pedestal", support=True)
    structure = Structure([*walls(), cube(), pedestal], ContactLaw(0.4))
    case = LoadCase(support_motions=[SupportMotion("pedestal", (0.0, 0.0, -1.0), 0.3, start=0.1)])
    assert farthest(follow(structure, case, 0.8, STEP)) == pytest.approx(1.0, rel=1e-2)


@pytest.mark.parametrize("gap", [0.0, 1e-8, 1e-6])
def test_a_block_between_rails_slides_as_without_them(gap):
    rails = [
        box((-1.0, 0.5 + gap, 0.0), (5.0, 1.5, 1.0), name="left rail", support=True),
        box((-1.0, -1.5, 0.0), (5.0, -0.5 - gap, 1.0), name="right rail", support=True),
    ]
    ground = box((-1.0, -2.0, -1.0), (5.0, 2.0, 0.0), name="ground", support=True)
    block = box((0.0, -0.5, 0.0), (1.0, 0.5, 0.5), name="block")
    case = LoadCase()
    case.set_velocity("block", (3.0, 0.0, 0.0))
    stopped = follow(Structure([ground, *rails, block], ContactLaw(0.4)), case, 1.0, STEP)
    assert farthest(stopped) == pytest.approx(9.0 / (2 * 0.4 * G), rel=1e-2)


@pytest.mark.parametrize("force, free", [(4150.0, False), (4280.0, True)])
def test_a_keystone_comes_free_as_in_statics(force, free):
    structure = flat_arch()
    centre = structure.blocks[structure.names.index("v4")].vertices.mean(axis=0)
    pulled = follow(structure, LoadCase(loads=[PointLoad("v4", centre, (0.0, 0.0, force))]), 0.2, STEP)
    assert farthest(pulled) > 1e-2 if free else farthest(pulled) < 1e-9


@pytest.mark.parametrize("share", [0.98, 1.5])
def test_a_brick_is_pulled_out_against_the_friction_of_its_bed(share):
    mu, length = 0.6, 0.4
    ground = box((-1.0, -1.0, -0.5), (4.0, 3.0, 0.0), name="ground", support=True)
    bricks = [box((k * length, 0.0, 0.0), ((k + 1) * length, 0.2, 0.2), name="b{}".format(k)) for k in range(5)]
    structure = Structure([ground, *bricks], ContactLaw(mu))
    weight = 2400.0 * G * length * 0.04
    pull = PointLoad("b2", (2.5 * length, 0.1, 0.0), (0.0, share * mu * weight, 0.0))
    pulled = follow(structure, LoadCase(loads=[pull]), 0.4, STEP)
    assert farthest(pulled) == pytest.approx(max(share - 1.0, 0.0) * mu * G * 0.4**2 / 2, rel=1e-2, abs=1e-9)
