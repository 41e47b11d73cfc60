"""Deformable blocks in motion (docs/deformable.md): V72, V74 and V75 of docs/validation.md, rest, budgets, restarts."""

import numpy as np
import pytest

from compas_nscd import Elastic
from compas_nscd.errors import InputError, SettingsError
from compas_nscd.loads.case import LoadCase
from compas_nscd.loads.ground_motion import GroundMotion
from compas_nscd.model.settings import Settings as ClientSettings
from compas_nscd.model.structure import Structure
from compas_nscd.templates import arch
from dynamic_helpers import G, follow, structure_of, tilted
from elastic_bar import DENSITY, LENGTH, SPEED, WIDTH, C, forces_on_the_wall
from energy_budget import budget
from motion_helpers import model_of
from nscd_engine.core import elastic as core_elastic
from nscd_engine.core.settings import Settings
from nscd_engine.core.state import rest_state
from nscd_engine.motion.deformable.state import Deformation
from nscd_engine.motion.moreau_jean import Scheme
from nscd_engine.motion.simulation import Simulation
from nscd_engine.statics.deformable import deformables
from solids import box

SLAB = box((-5.0, -5.0, -1.0), (10.0, 10.0, 1.0))
CUBE = box((-0.5, -0.5, 0.0))
STONE = Elastic(1e9, 0.2, "h8")


def elastic_cube(at=(-0.5, -0.5, 0.0), size=(1.0, 1.0, 1.0), elastic=STONE, **options):
    """A deformable cuboid above a slab."""
    structure = structure_of([SLAB, box(at, size)], **options)
    structure.deform(elastic, blocks=[1])
    return structure


@pytest.mark.parametrize("elements", ["uniform", "t4", "h8"])
def test_a_block_falls_lands_and_rests(elements):
    """From 5 cm in 0.101 s. At rest the face below carries the weight, and the block does not drift."""
    h = 1e-3
    result = follow(
        elastic_cube((-0.5, -0.5, 0.05), elastic=Elastic(1e9, 0.2, elements)),
        LoadCase(),
        0.3,
        h,
        interval=h,
        forces=True,
    )
    landed = result.contact_start[1:] > result.contact_start[:-1]
    assert result.times[np.argmax(landed)] == pytest.approx(np.sqrt(0.1 / G), abs=1.5 * h)
    force = result.contact_forces(result.times[-1])[2]
    assert force[:, 2].sum() == pytest.approx(2000.0 * G, rel=1e-4)
    assert np.abs(result.velocity[-1]).max() < 1e-6
    assert budget(result).max() < 1e-8
    mean = result.elastic.stress[:, 2, 2].mean()
    assert mean == pytest.approx(-0.5 * 2000.0 * G, rel=1e-3)  # half the weight over the area


@pytest.mark.parametrize("size", [1.4, 0.14, 14.0])
@pytest.mark.parametrize("mu", [0.2, 0.8])
def test_v75_a_block_on_a_slope_slides_or_sticks_whatever_its_size(mu, size):
    t, h = 0.1 * np.sqrt(size), 2e-3 * np.sqrt(size)
    slab = box((-5 * size, -5 * size, -size), (10 * size, 10 * size, size))
    structure = structure_of([slab, box((0.0, 0.0, 0.0), (size, size, 0.5 * size))], mu=mu)
    structure.deform(Elastic(1e10, 0.2, "h8"), blocks=[1])
    result = follow(structure, LoadCase(gravity=tilted(30.0)), t, h, quiet=False)
    slope = max(G * (np.sin(np.radians(30.0)) - mu * np.cos(np.radians(30.0))), 0.0)
    speed = np.linalg.norm(result.velocity[-1, 1, :2])
    assert speed == pytest.approx(slope * result.times[-1], rel=2e-3, abs=1e-5 * G * t)


# -- V72: rotation is no strain ----------------------------------------------------------------------------------------


def thrown(spin, elastic=STONE, **options):
    """A slab of a block that flies with a spin [rad/s], without gravity, for a turn."""
    case = LoadCase(gravity=(0.0, 0.0, 0.0))
    case.set_velocity(1, (0.0, 0.0, 0.3), spin)
    structure = elastic_cube((-0.5, -0.3, 1.0), (1.0, 0.6, 0.3), elastic)
    return follow(structure, case, 0.628, 2e-3, quiet=False, **options)


@pytest.mark.parametrize("elements", ["uniform", "t4", "h8"])
@pytest.mark.parametrize("theta", [0.5, 1.0])
def test_v72_a_block_that_spins_has_no_strain_and_keeps_its_momentum(elements, theta):
    result = thrown((0.0, 0.0, 10.0), Elastic(6e10, 0.2, elements), theta=theta)
    assert np.abs(result.elastic.displacement).max() < 1e-12
    assert np.abs(result.elastic.stress).max() < 1.0  # 4 MPa if positions were carried along tangents
    assert np.abs(result.velocity[:, 1] - result.velocity[0, 1]).max() < 1e-9
    angle = 2.0 * np.arctan2(result.orientation[-1, 1, 3], result.orientation[-1, 1, 0])
    assert np.cos(angle) == pytest.approx(np.cos(10.0 * result.times[-1]), abs=1e-9)


def test_v72_a_block_that_tumbles_has_no_strain():
    """About an axis that is none of its own: the angular velocity changes, and the energy is kept."""
    result = thrown((6.0, 5.0, 4.0), Elastic(6e10, 0.2, "h8"))
    assert np.abs(result.elastic.displacement).max() < 1e-12
    assert np.ptp(result.velocity[:, 1, 3]) > 1.0
    assert np.ptp(result.energy["kinetic"]) < 1e-3 * result.energy["kinetic"][0]


def test_a_block_that_vibrates_while_it_spins_keeps_its_momentum():
    """Deformation has no momentum of its own; with the midpoint rule the elastic energy stays, with damping it goes."""
    for damping, left in (((0.0, 0.0), 1.0), ((50.0, 0.0), np.exp(-10.0)), ((0.0, 1e-3), 0.0)):
        simulation = vibrating(damping)
        velocity, energy = simulation.state.velocity[1].copy(), simulation.deformation.energy()
        for _ in range(200):
            simulation.advance()
        assert np.abs(simulation.state.velocity[1] - velocity).max() < 1e-12
        assert simulation.deformation.energy() / energy == pytest.approx(left, abs=0.05 * left + 1e-3)


def vibrating(damping):
    """A Simulation of a block that spins without gravity, its corners displaced."""
    model = model_of([SLAB, box((-0.5, -0.5, 2.0))])._replace(gravity=np.zeros(3))
    model = model._replace(elastic=(None, core_elastic.Elastic(1e9, 0.2, "h8", damping=damping)))
    state, deformation = rest_state(model), Deformation(deformables(model))
    state.velocity[1] = 0.1, 0.2, 0.3, 0.0, 0.0, 2.0
    some = np.random.default_rng(1).standard_normal(deformation.arm.shape)
    deformation.displacement = deformation.split(1e-5 * some).rate
    return Simulation(model, Scheme(1e-3, theta=0.5), Settings(), state=state, deformation=deformation)


@pytest.mark.parametrize("elements", ["uniform", "t4", "h8"])
@pytest.mark.parametrize("mass", ["lumped", "consistent"])
def test_a_deformable_block_turns_with_the_inertia_of_its_block(elements, mass):
    """Masses at the corners of one H8 would make it three times as large."""
    model = model_of([SLAB, box((-0.5, -0.3, 1.0), (1.0, 0.6, 0.3))])
    model = model._replace(elastic=(None, core_elastic.Elastic(1e9, 0.2, elements, mass=mass)))
    deformation = Deformation(deformables(model))
    for axis in np.eye(3):
        spin = deformation.field(np.zeros((1, 3)), axis[None])
        inertia = np.vdot(spin, deformation.momentum(spin))
        assert inertia == pytest.approx(axis @ model.bodies.inertia[1] @ axis, rel=1e-12)


# -- V74: a bar hits a wall --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "elements, step, exact", [(10, 0.5, 0.05), pytest.param(50, 0.1, 0.01, marks=pytest.mark.slow)]
)
def test_v74_a_bar_hits_a_wall(elements, step, exact):
    """Contact lasts 2 L / c, while the wave goes to the free end and back, with a force of rho c v A."""
    times, force = forces_on_the_wall(elements, step)
    expected = DENSITY * C * SPEED * WIDTH**2
    on = force > 0.01 * expected
    assert on.sum() * times[0] == pytest.approx(2.0 * LENGTH / C, rel=exact)
    assert np.median(force[on]) == pytest.approx(expected, rel=exact)
    assert force[on].mean() == pytest.approx(expected, rel=5 * exact)


# -- whole motions -----------------------------------------------------------------------------------------------------


def tower(elastic=(1, 3), mu=0.6):
    """A tower of three blocks, the middle one rigid unless it is told to deform."""
    structure = structure_of([SLAB] + [box((-0.5, -0.5, float(k))) for k in range(3)], mu=mu)
    structure.deform(Elastic(1e10, 0.2, "h8"), blocks=list(elastic))
    return structure


def test_a_standing_tower_of_rigid_and_deformable_blocks_does_not_ring():
    """It begins in its balance at rest: 3, 2 and 1 weights on the joints from the first step on."""
    result = follow(tower(), LoadCase(), 0.05, 1e-3, interval=1e-3, forces=True, quiet=False)
    assert np.abs(result.velocity).max() < 1e-7  # some 3e-3 from the drawn shape
    assert result.elastic.displacement.shape == (16, 3)
    for at in result.times[1:]:
        body, _, force = result.contact_forces(at)
        carried = [np.abs(force[(body == pair).all(axis=1), 2].sum()) for pair in ((0, 1), (1, 2), (2, 3))]
        assert carried == pytest.approx([3 * 2000.0 * G, 2 * 2000.0 * G, 2000.0 * G], rel=1e-5)


def shaken(duration=0.3, **options):
    """The tower on ground that shakes so that its blocks slide."""
    case = LoadCase(ground=GroundMotion("sine", (1.0, 0.0, 0.0), acceleration=8.0, frequency=6.0, duration=0.3))
    return follow(tower(mu=0.3), case, duration, 1e-3, quiet=False, **options)


def test_on_shaking_ground_blocks_slide_and_the_budget_closes():
    result = shaken()
    assert np.abs(result.displacement(3)[:, 0]).max() > 1e-3
    assert result.energy["friction_loss"][-1] > 10.0
    assert budget(result).max() < 1e-5
    assert result.summary["unconverged"] == 0


def test_a_motion_goes_on_from_a_checkpoint_with_the_same_bits():
    whole, first = shaken(0.2), shaken(0.1)
    second = shaken(0.1, restart=first)
    for key in ("position", "velocity", "orientation"):
        assert getattr(second, key)[-1].tobytes() == getattr(whole, key)[-1].tobytes(), key
    assert second.elastic.displacement.tobytes() == whole.elastic.displacement.tobytes()


def test_a_checkpoint_of_rigid_blocks_is_refused():
    rigid = follow(structure_of([SLAB, CUBE]), LoadCase(), 0.01, 1e-3)
    with pytest.raises(InputError, match="another structure"):
        follow(elastic_cube(), LoadCase(), 0.01, 1e-3, restart=rigid)


def test_a_point_load_deforms_a_block_where_it_acts():
    """A cube without weight is pulled apart by two forces: E strain = F / A, and it stays where it is."""
    case = LoadCase(gravity=(0.0, 0.0, 0.0))
    for z, force in ((2.0, 1e5), (1.0, -1e5)):
        for x in (-0.5, 0.5):
            for y in (-0.5, 0.5):
                case.add_point_load(1, (x, y, z), (0.0, 0.0, 0.25 * force))
    structure = elastic_cube((-0.5, -0.5, 1.0), elastic=Elastic(1e9, 0.0, "h8", damping=(0.0, 1e-3)))
    result = follow(structure, case, 0.1, 1e-3, quiet=False)
    assert result.elastic.stress[0, 2, 2] == pytest.approx(1e5, rel=1e-6)
    assert np.abs(result.displacement(1)).max() < 1e-12


@pytest.mark.parametrize(
    "options, word",
    [({"settings": ClientSettings(solver="spg")}, "spg"), ({"settings": ClientSettings(solver="nlgs")}, "nlgs")],
)
def test_what_deformable_blocks_do_not_go_with_is_refused(options, word):
    with pytest.raises(SettingsError, match=word):
        follow(elastic_cube(), LoadCase(), 0.01, 1e-3, **options)


# -- contacts at nodes of element faces --------------------------------------------------------------------------------


@pytest.mark.parametrize("elements, refine", [("h8", 2), ("t4", 2)])
def test_refined_blocks_touch_at_the_nodes_of_their_faces(elements, refine):
    """Without these nodes the faces of two blocks would pass through each other between their corners."""
    structure = structure_of([SLAB, box((-0.5, -0.5, 0.0)), box((-0.5, -0.5, 1.0))])
    structure.deform(Elastic(1e10, 0.2, elements, refine))
    result = follow(structure, LoadCase(), 0.02, 1e-3, forces=True, quiet=False)
    body, point, force = result.contact_forces(result.times[-1])
    joint = (body == (1, 2)).all(axis=1)
    assert joint.sum() > 4
    assert force[joint, 2].sum() == pytest.approx(2000.0 * G, rel=1e-4)
    assert np.abs(result.velocity).max() < 1e-5
    inside = np.abs(point[joint, :2]).max(axis=1) < 0.4
    assert inside.any() and force[joint][inside, 2].min() > 0.0


def test_where_equal_meshes_have_slid_a_little_no_contact_is_there_twice():
    """How two contacts at one place share a force is not to be told, and rounds of friction do not settle."""
    structure = structure_of([SLAB, box((-0.5, -0.5, 0.0)), box((-0.499, -0.5, 1.0))])
    structure.deform(Elastic(1e10, 0.2, "h8", 2))
    result = follow(structure, LoadCase(), 2e-3, 1e-3, forces=True, quiet=False)
    body, point, _ = result.contact_forces(result.times[-1])
    mine = point[(body == (1, 2)).all(axis=1)]
    away = np.linalg.norm(mine[:, None] - mine[None], axis=2) + 9.0 * np.eye(len(mine))
    assert len(mine) > 4 and away.min() > 0.1


@pytest.mark.parametrize("young, most", [(6e10, 20), (6e11, 40)])
def test_an_arch_that_is_shaken_from_the_first_step_is_solved_in_few_iterations(young, most):
    """Hinges form and joints slide; the ground starts at full speed."""
    frame = arch(span=10.0, thickness=0.75, blocks=20)
    structure = Structure(frame.blocks, frame.law, planar="y")
    structure.deform(Elastic(young, 0.27, "t3", 2))
    case = LoadCase(ground=[GroundMotion.sine("x", 0.2 * G, 1.0)])
    result = follow(structure, case, 0.07, 1e-3, quiet=False)
    assert result.summary["unconverged"] == 0
    assert result.summary["iterations_mean"] < most
