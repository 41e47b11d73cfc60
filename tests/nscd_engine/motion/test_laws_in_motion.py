"""Motions of joints that carry more than friction, against closed forms."""

import numpy as np
import pytest

from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.loads.body_acceleration import BodyAcceleration
from compas_nscd.loads.case import LoadCase
from compas_nscd.loads.point_load import PointLoad
from compas_nscd.model.structure import Structure
from dynamic_helpers import G, follow, structure_of, tilted
from solids import box

SLAB, CUBE, ROOF = box((-1, -1, -1), (3, 3, 1)), box(), box((-1, -1, 1), (3, 3, 1))
PLATE = box((0, 0, 0), (1, 1, 0.02))
WEIGHT = 2000.0 * G


def moved(solids, law, case=None, duration=0.1, h=1e-3, **options):
    structure = structure_of(solids)
    structure.law = law
    return follow(structure, case, duration, h, quiet=False, **dict({"interval": h}, **options))


def pushed(force, point, history=None, **more):
    return LoadCase(loads=[PointLoad(1, point, force, history)], **more)


@pytest.mark.short
def test_a_block_hangs_or_falls():
    """Held for 1 % more than its weight; with 1 % less it falls freely, t^2 g/2, from the second step on. A rigid bond
    gives way by 1e-3 of what the weight would move the block in a step, g h^2 = 1e-5 m, and as it turns."""
    h, t = 1e-3, 0.1
    for share, fall in ((1.01, 0.0), (0.99, 0.5 * G * t * t)):
        law = ContactLaw(0.5, "brittle", cohesion=WEIGHT, tension=share * WEIGHT)
        down = -moved([ROOF, CUBE], law, duration=t, h=h).displacement(1)[-1, 2]
        assert down == pytest.approx(fall, abs=2.0 * G * h * t if fall else 1e-2 * G * h * h)


def test_a_bond_that_does_not_break_goes_on_pulling():
    """Mohr-Coulomb: with 1 % too little it falls with g / 100."""
    t = 0.1
    law = ContactLaw(0.5, "mohr_coulomb", cohesion=WEIGHT, tension=0.99 * WEIGHT)
    down = -moved([ROOF, CUBE], law, duration=t).displacement(1)[-1, 2]
    assert down == pytest.approx(0.005 * G * t * t, rel=0.02)


def test_no_healing():
    """A brittle joint holds 0.9 of its shear strength; after a push beyond it, the same 0.9 moves the block."""
    law = ContactLaw(0.3, "brittle", cohesion=2e4, tension=1e4)
    strength = 2e4 + 0.3 * WEIGHT
    for peak, slides in ((0.95, False), (1.05, True)):
        history = ([0.0, 0.02, 0.03, 0.04, 0.05], [0.9, 0.9, peak, peak, 0.0])
        pause = pushed((strength, 0, 0), (0.5, 0.5, 0.0), history)
        whole = moved([SLAB, CUBE], law, pause, 0.2)
        assert (np.abs(whole.displacement(1)[-1, 0]) > 1e-4) == slides
    # and once it lies still again, broken, 0.9 of the strength moves it: it has friction alone
    history = ([0.0, 0.01, 0.015, 0.02, 0.3, 0.31], [0.0, 1.05, 1.05, 0.0, 0.0, 0.9])
    again = moved([SLAB, CUBE], law, pushed((strength, 0, 0), (0.5, 0.5, 0.0), history), 0.4)
    x = again.displacement(1)[:, 0]
    still = x[(again.times > 0.25) & (again.times < 0.3)]
    assert np.ptp(still) < 1e-6 and x[-1] > still[-1] + 1e-2


def test_elastic_block_comes_to_rest_at_its_compression():
    """W / kn; h damps the swing by exp(-h w^2 t / 2), at 220 rad/s within a few hundredths of a second, and rocking, at
    100 rad/s, by exp(-8)."""
    law = ContactLaw(0.5, "elastic", normal_stiffness=1e8, tangential_stiffness=4e7)
    result = moved([SLAB, CUBE], law, pushed((0.1 * WEIGHT, 0, 0), (0.5, 0.5, 0.0)), 1.6, friction="associated")
    way = result.displacement(1)[-1]
    np.testing.assert_allclose(way[[0, 2]], [0.1 * WEIGHT / 4e7, -WEIGHT / 1e8], rtol=1e-2)


def test_elastic_block_swings():
    """z = -W/K (1 - cos w t), w^2 = K/m; implicit Euler damps by h w^2 / 2: at h w = 0.002 and w t = 2, by 0.2 %."""
    K, h = 1e6, 1e-4
    law = ContactLaw(0.5, "elastic", normal_stiffness=K, tangential_stiffness=K)
    result = moved([SLAB, CUBE], law, duration=0.1, h=h, interval=1e-3)
    w = np.sqrt(K / 2000.0)
    expected = -WEIGHT / K * (1.0 - np.cos(w * result.times))
    np.testing.assert_allclose(result.displacement(1)[:, 2], expected, atol=5e-3 * WEIGHT / K)


def test_v57_a_block_rocks_on_an_elastic_joint():
    """About its base, which cannot slide: K = kn b d^3 / 12 - m g / 2, J = m (1/6 + 1/4). The step is 1/600 of the
    period, crossings are seen to a step, and shear gives way a little: 1 %."""
    kn, h = 1e8, 1e-4
    law = ContactLaw(5.0, "elastic", normal_stiffness=kn, tangential_stiffness=1e12)
    case = LoadCase()
    case.set_velocity(1, (0.005, 0.0, 0.0), (0.0, 0.01, 0.0))
    result = moved([SLAB, CUBE], law, case, 0.1, h, theta=0.5)
    spin = result.velocity[:, 1, 4]
    crossings = result.times[1:][np.sign(spin[1:]) != np.sign(spin[:-1])]
    period = 2.0 * np.pi * np.sqrt(2000.0 * (1.0 / 6.0 + 0.25) / (kn / 12.0 - 0.5 * WEIGHT))
    assert 2.0 * np.diff(crossings).mean() == pytest.approx(period, rel=1e-2)


def test_viscous_joint_has_a_terminal_speed():
    """F = eta A v."""
    law = ContactLaw(0.9, "viscous", viscosity=1e5)
    result = moved([SLAB, CUBE], law, pushed((0.1 * WEIGHT, 0, 0), (0.5, 0.5, 0.0)), 0.3)
    assert result.velocity[-1, 1, 0] == pytest.approx(0.1 * WEIGHT / 1e5, rel=1e-3)


@pytest.mark.parametrize("h", [1e-3, 5e-3])
@pytest.mark.parametrize("viscosity", [5e4, 5e6, 5e8])
def test_v60_a_viscous_joint_creeps_on(viscosity, h):
    """On a slope of 20 degrees at the steady speed m g sin / (eta A), with friction to spare; it neither freezes
    after a way of some centimetres nor counts as at rest. eta A h / m is at least 0.025: steady long before the end."""
    law = ContactLaw(0.8, "viscous", viscosity=viscosity)
    structure = structure_of([SLAB, CUBE])
    structure.law = law
    result = follow(structure, LoadCase(gravity=tilted(20.0)), 1.0, h)
    speed = WEIGHT * np.sin(np.radians(20.0)) / viscosity
    assert result.outcome == "moving" and result.summary["simulated_s"] == pytest.approx(1.0)
    assert -result.velocity[-1, 1, 0] == pytest.approx(speed, rel=1e-4)
    assert -result.displacement(1)[-1, 0] == pytest.approx(speed * (1.0 - min(2000.0 / viscosity, 0.04)), rel=1e-2)


def test_a_viscous_layer_is_as_large_as_the_blocks_still_overlap():
    """A cube driven half off a slab of its own width: the resistance is that of half the area."""
    law = ContactLaw(0.9, "viscous", viscosity=1e5)
    slab = box((0, 0, -1), (1.5, 1, 1))
    result = moved([slab, box((0.9, 0, 0))], law, pushed((0.1 * WEIGHT, 0, 0), (1.4, 0.5, 0.0)), 0.2)
    assert result.velocity[-1, 1, 0] == pytest.approx(0.1 * WEIGHT / (0.6 * 1e5), rel=0.05)


@pytest.mark.parametrize("theta", [0.5, 0.75, 1.0])
def test_v59_shear_stiffness_does_not_depend_on_theta(theta):
    """F / (kt A) for 300 N on a joint of 2 x 2 m. The force grows in 0.5 s, some three periods; the mean of the swing
    that is left lies at the static displacement, but for the part of a period that it is taken over."""
    law = ContactLaw(0.6, "elastic", normal_stiffness=2e8, tangential_stiffness=2e6)
    case = pushed((300.0, 0, 0), (1.0, 1.0, 0.0), ([0.0, 0.5], [0.0, 1.0]))
    result = moved([box((-1, -1, -1), (4, 4, 1)), box((0, 0, 0), (2, 2, 1))], law, case, 1.0, theta=theta)
    x, t = result.displacement(1)[:, 0] / (300.0 / (2e6 * 4.0)), result.times
    assert x[t > 0.5].mean() == pytest.approx(1.0, abs=0.03)


@pytest.mark.parametrize("angle", [0.0, 10.0])
def test_dilatancy(angle):
    """A joint with Coulomb friction that slides by x climbs by x tan(psi), a step late: v h tan(psi) too little."""
    law = ContactLaw(0.6, dilatancy=angle)
    result = moved([SLAB, PLATE], law, pushed((0.8 * 0.02 * WEIGHT, 0, 0), (0.5, 0.5, 0.0)), 0.15, friction="coulomb")
    x, _, z = result.displacement(1)[-1]
    assert 5e-3 < x < 0.02 * np.sqrt(2.0)
    late = 2.0 * result.velocity[-1, 1, 0] * 1e-3
    assert z == pytest.approx(x * np.tan(np.radians(angle)), abs=late * np.tan(np.radians(angle)) + 1e-6)


@pytest.mark.parametrize("gravity", [(0.0, 0.0, 0.0), (0.0, 0.0, -G)])
def test_v63_ties_hold_blocks_without_weight_and_in_free_fall(gravity):
    """One of two tied blocks begins with 3 m/s and a spin: momentum is kept, and the two move as one body."""
    case = LoadCase(gravity=gravity)
    case.set_velocity(2, (3.0, 0.0, 0.0), (0.0, 2.0, 0.0))
    ground, low, high = box((0, 0, -50)), CUBE, box((0, 0, 1))
    result = moved([ground, low, high], ContactLaw(kind="tie"), case, 0.3)
    turned = result.orientation[-1, 1] @ result.orientation[-1, 2]
    assert abs(turned) == pytest.approx(1.0, abs=1e-6)
    apart = np.linalg.norm(result.position[-1, 2] - result.position[-1, 1]) - 1.0
    assert abs(apart) < 1e-3
    centre = 0.5 * (result.position[-1, 1] + result.position[-1, 2])
    fall = 0.5 * gravity[2] * 0.3 * 0.301
    np.testing.assert_allclose(centre, [0.5 + 1.5 * 0.3, 0.5, 1.0 + fall], atol=1e-6)


def test_tie_holds():
    result = moved([SLAB, CUBE], ContactLaw(kind="tie"), pushed((-3 * WEIGHT, 0, 0), (0.5, 0.5, 9.0)))
    assert np.abs(result.displacement(1)[-1]).max() < 1e-9


@pytest.mark.parametrize("softening", ["linear", "exponential"])
@pytest.mark.parametrize("stiffness", [None, 1e9])
def test_energy_released_by_opening(softening, stiffness):
    """Pulled off, the joint takes its fracture energy times the area, and no more. The bond is one step old: 2 %."""
    law = ContactLaw(0.5, "damage", cohesion=1e5, tension=1e5, normal_fracture=100.0, tangential_fracture=200.0,
                     softening=softening, normal_stiffness=stiffness, tangential_stiffness=stiffness)  # fmt: skip
    pull = pushed((0, 0, 1.2e5), (0.5, 0.5, 1.0), gravity=(0, 0, 0))
    energy = moved([SLAB, CUBE], law, pull, 0.03, 1e-4).energy
    assert energy["friction_loss"][-1] + energy["impact_loss"][-1] == pytest.approx(100.0, rel=0.02)


@pytest.mark.parametrize("tension", [1e5, 2e4])
def test_energy_released_by_sliding(tension):
    """Without friction the joint takes its fracture energy of sliding; of a thin plate, which does not tip."""
    law = ContactLaw(0.0, "damage", cohesion=1e5, tension=tension, normal_fracture=100.0, tangential_fracture=200.0)
    push = pushed((1.05e5, 0, 0), (0.5, 0.5, 0.0))
    energy = moved([SLAB, PLATE], law, push, 0.012, 2e-5, friction="coulomb", interval=1e-3).energy
    assert energy["friction_loss"][-1] + energy["impact_loss"][-1] == pytest.approx(200.0, rel=0.02)


def test_a_motion_goes_on_where_it_stopped():
    """Bonds, slips and forces of springs are in the checkpoint: two halves give the bits of the whole."""
    law = ContactLaw(0.3, "mortar", cohesion=2e4, tension=1e4, normal_stiffness=1e8, tangential_stiffness=1e8)
    push = pushed((2e4 + 0.25 * WEIGHT, 0, 0), (0.5, 0.5, 0.0), ([0.0, 0.1], [0.0, 1.2]))
    whole = moved([SLAB, CUBE], law, push, 0.1)
    half = moved([SLAB, CUBE], law, push, 0.05)
    rest = moved([SLAB, CUBE], law, push, 0.05, restart=half)
    assert whole.displacement(1)[-1, 0] > 1e-4
    np.testing.assert_array_equal(whole.position[-1], rest.position[-1])


@pytest.mark.parametrize("share, slides", [(0.5, False), pytest.param(1.3, True, marks=pytest.mark.slow)])
def test_a_wall_of_weak_mortar(scenes_dir, share, slides):
    """Pushed along its length with half its weight, the wall (5.5 x 2.5 x 0.5 m on a slab) needs friction alone, and
    all of its foot is compressed: what the solver leaves must not wear out the bonds. It slides when share W exceeds
    mu W + c A, at about 0.9; beyond, it loses the bonds of its foot, and of nothing else."""
    structure = Structure.from_file(scenes_dir / "wall-10x10.json")
    structure.law = ContactLaw(0.6, "damage", cohesion=2e4, tension=1e4, normal_fracture=2.0, tangential_fracture=10.0,
                               softening="exponential", normal_stiffness=5e9, tangential_stiffness=2e9)  # fmt: skip
    push = LoadCase(accelerations=[BodyAcceleration("x", [0.0, 0.3, 5.0], [0.0, share * G, share * G])])
    result = follow(structure, push, 0.4, 2e-3)
    foot = (result.bond_body == structure.supports[0]).any(axis=1)
    assert result.bond_left[~foot].mean() > 0.95
    assert result.bond_left[foot].mean() < 1e-3 if slides else result.bond_left[foot].mean() > 0.99
    assert (result.displacement(len(structure.blocks) - 1)[-1, 0] > 0.05) == slides


def test_a_bond_does_not_bounce_until_it_is_broken():
    """Thrown at its slab with 2 m/s and a restitution of 1/2: a strong bond has the cube back within some steps of
    h e v = 1 mm, a weak one breaks and the cube goes up with 1 m/s: t - g t^2 / 2, to the steps of 1 mm."""
    t, h = 0.05, 1e-3
    for strength, up in ((1e7, 0.0), (1e3, t - 0.5 * G * t * t)):
        law = ContactLaw(0.5, "brittle", cohesion=strength, tension=strength, restitution=0.5)
        thrown = LoadCase(velocities={1: ((0.0, 0.0, -2.0), (0.0, 0.0, 0.0))})
        result = moved([SLAB, CUBE], law, thrown, t, h)
        assert result.displacement(1)[-1, 2] == pytest.approx(up, abs=1e-3 if up else 1e-7)
        assert (result.bond_left == (0.0 if up else 1.0)).all()


def sunk(law, case, duration, h=1e-3, solids=(SLAB, CUBE)):
    """Displacement of a cube at the end [m] (3,)."""
    return moved(list(solids), law, case, duration, h).displacement(1)[-1]


def test_a_cube_sinks_into_a_joint_that_carries_half_of_its_weight():
    """t^2 g / 4, and no step beyond its tolerance."""
    result = moved([SLAB, CUBE], ContactLaw(0.5, compression=0.5 * WEIGHT), LoadCase(), 0.2)  # on 1 m2
    assert result.displacement(1)[-1, 2] == pytest.approx(-0.25 * G * 0.2**2, rel=1e-2)
    assert not result.warnings and not result.summary["unconverged"]


def test_a_joint_that_has_crushed_carries_again_and_does_not_spring_back():
    """Thrown down at 1 m/s on a joint of three times the weight: v^2 / 4 g deep, then at rest."""
    thrown = LoadCase(velocities={1: ((0.0, 0.0, -1.0), (0.0, 0.0, 0.0))})
    law = ContactLaw(0.5, compression=3.0 * WEIGHT)
    for duration in (0.1, 0.4):
        assert sunk(law, thrown, duration, 5e-4)[2] == pytest.approx(-1.0 / (4.0 * G), rel=2e-2)


@pytest.mark.parametrize("pull", [0.2, 0.4])
def test_friction_of_a_joint_that_crushes_is_that_of_its_strength(pull):
    """Half of the weight at mu 0.5 holds a quarter of it; what pulls more at the joint moves the cube.

    The point of the load sinks with the cube, which turns it by as little as the tolerance."""
    case = pushed((pull * WEIGHT, 0.0, 0.0), (0.5, 0.5, 0.0))
    slid = sunk(ContactLaw(0.5, compression=0.5 * WEIGHT), case, 0.1)[0]
    assert slid == pytest.approx(max(pull - 0.25, 0.0) * G * 0.1**2 / 2, rel=3e-2, abs=1e-4)


@pytest.mark.parametrize("share, falls", [(0.95, False), (1.05, True)])
def test_an_eccentric_force_is_carried_by_a_stress_block(share, falls):
    """N = fc b (d - 2 e), as at rest (V66). The weight is 1 % of it, and helps."""
    strength, eccentricity = 2e6, 0.2
    most = strength * (1.0 - 2.0 * eccentricity)
    case = pushed((0.0, 0.0, -share * most), (0.5 + eccentricity, 0.5, 1.0))
    moved_by = np.linalg.norm(sunk(ContactLaw(0.8, compression=strength), case, 0.2))
    assert moved_by > 1e-2 if falls else moved_by < 1e-4
