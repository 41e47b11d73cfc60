"""Motion of blocks through the whole step: detection, solver, positions."""

import json

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from detection import moved, turn
from motion_helpers import model_of, run, upright
from nscd_engine.core.settings import Settings
from nscd_engine.core.state import rest_state
from nscd_engine.gate.structure import read_model
from nscd_engine.kernels.geometry.rotations import rotation_matrices
from nscd_engine.motion.moreau_jean import Scheme
from scene_requests import request_from_scene
from solids import box

G = 9.81
SLAB = box((-5.0, -5.0, -1.0), (10.0, 10.0, 1.0))


def lowest(model, state, block):
    """Height of the lowest vertex of a block."""
    poly = model.polyhedra
    local = poly.vertices[poly.vertex_start[block] : poly.vertex_start[block + 1]] - model.bodies.centroid[block]
    return (local @ rotation_matrices(state.orientation)[block].T + state.position[block])[:, 2].min()


def drift(model, state):
    """Greatest motion of a block over the size of the structure; turning counts with the size of the block."""
    start = rest_state(model)
    size = np.linalg.norm(np.ptp(model.polyhedra.vertices, axis=0))
    way = np.linalg.norm(state.position - start.position, axis=1)
    way += 2.0 * np.linalg.norm(state.orientation[:, 1:], axis=1) * model.bodies.size
    return way.max() / size


@pytest.mark.short
@pytest.mark.parametrize("theta", [0.5, 0.75, 1.0])
def test_free_fall_errs_by_exactly_the_scheme(theta):
    """z = z0 - g t^2/2; the theta scheme is off by (theta - 1/2) g h t."""
    model = model_of([SLAB, box((0.0, 0.0, 10.0))])
    h, t = 0.01, 0.5
    state = run(model, t, Scheme(h, theta), Settings()).state
    fall = rest_state(model).position[1, 2] - state.position[1, 2]
    np.testing.assert_allclose(fall, 0.5 * G * t * t + (theta - 0.5) * G * h * t, rtol=1e-12)


@pytest.mark.parametrize("theta", [1.0, 0.5])
@pytest.mark.parametrize(
    "size, spin, h",
    [
        ((0.2, 0.5, 1.0), (0.3, 4.0, 0.2), 5e-3),
        ((0.1, 0.06, 0.25), (1.0, 30.0, 1.0), 5e-3),
        ((0.3, 0.3, 1.2), (0.5, 10.0, 2.0), 2e-2),
        ((0.1, 0.1, 2.0), (20.0, 0.1, 0.1), 1e-3),
    ],
)
def test_a_tumbling_body_keeps_momentum_and_energy(size, spin, h, theta):
    """V12: momentum to rounding for any step, though it travels; energy to (0.1 rad)^5 for every 0.1 rad."""
    model = model_of([SLAB, box((0.0, 0.0, 50.0), size)])._replace(gravity=np.zeros(3))
    state = rest_state(model)
    state.velocity[1] = (1.0, 2.0, 3.0) + spin
    inertia = model.bodies.inertia[1]
    momentum = inertia @ spin
    end = run(model, 2.0, Scheme(h, theta), Settings(), state=state).state
    R = Rotation.from_quat(end.orientation[1, [1, 2, 3, 0]]).as_matrix()
    omega = end.velocity[1, 3:]
    np.testing.assert_allclose(R @ inertia @ R.T @ omega, momentum, atol=1e-11 * np.linalg.norm(momentum))
    np.testing.assert_allclose(end.position[1] - rest_state(model).position[1], [2.0, 4.0, 6.0], rtol=1e-12)
    assert omega @ momentum == pytest.approx(momentum @ spin, rel=1e-5)


@pytest.mark.short
def test_settlement_of_a_support_is_exactly_the_request():
    """V14: the support goes down by 40 mm in 0.4 s; the block on it follows."""
    model = model_of([box(), box((0.2, 0.0, 1.0))])
    down = np.zeros((2, 3))
    down[0, 2] = -0.04

    def supports(t):
        return down * min(t / 0.4, 1.0)

    start = rest_state(model).position
    state = run(model, 0.8, Scheme(0.005), Settings(), supports=supports).state
    np.testing.assert_allclose(state.position[0] - start[0], [0.0, 0.0, -0.04], atol=1e-12)
    np.testing.assert_allclose(state.position[1] - start[1], [0.0, 0.0, -0.04], atol=1e-6)


@pytest.mark.parametrize("speed, h", [(0.0, 0.01), (40.0, 0.01), (40.0, 0.05)])
def test_a_block_dropped_from_far_above_lands(speed, h):
    """V15: at 40 m/s and h = 0.05 s it would pass its own height twice in a step; it stops on the slab."""
    model = model_of([SLAB, box((0.0, 0.0, 10.0))])
    state = rest_state(model)
    state.velocity[1, 2] = -speed
    result = run(model, 2.0, Scheme(h), Settings(), state=state)
    # The solver of a step stops at 1e-4 of the impulse: it may leave that share of the speed for one step.
    left = 1e-4 * np.sqrt(speed**2 + 2.0 * G * 10.0) * h
    np.testing.assert_allclose(result.state.position[1], [0.5, 0.5, 0.5], atol=left)
    assert result.penetration_max < left


@pytest.mark.parametrize("degrees", [3.0, 10.0, 44.0])
def test_a_tilted_block_lands_on_its_face(degrees):
    """V15: released on its edge it turns about it and comes to rest flat, nowhere below the slab."""
    tilted = moved(box((-0.5, -0.5, -0.5)), turn(1, degrees))
    tilted = moved(tilted, shift=(0.0, 0.0, -tilted[0][:, 2].min()))
    model = model_of([SLAB, tilted])
    depth = []
    result = run(model, 3.0, Scheme(0.005), Settings(), watch=lambda done: depth.append(lowest(model, done.state, 1)))
    # Rotation within a step bends the path of a corner by (omega h)^2 r / 2, about 1e-4 m here.
    assert min(depth) > -5e-4
    np.testing.assert_allclose(result.state.position[1, 2], 0.5, atol=2e-4)
    assert np.abs(result.state.velocity[1]).max() < 1e-2


def test_a_toppled_block_lies_down():
    """V15: a slender block pushed beyond its tipping angle falls over and lies on the slab, half its width high."""
    column = moved(box((-0.25, -0.5, -1.0), (0.5, 1.0, 2.0)), turn(1, 20.0))
    column = moved(column, shift=(0.0, 0.0, -column[0][:, 2].min()))
    model = model_of([SLAB, column])
    depth = []
    result = run(model, 4.0, Scheme(0.005), Settings(), watch=lambda done: depth.append(lowest(model, done.state, 1)))
    assert min(depth) > -2e-3
    np.testing.assert_allclose(result.state.position[1, 2], 0.25, atol=1e-3)


def test_block_in_a_notch_stands():
    """An L-shaped block with a cube in its notch."""
    notch = upright([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], 1.0)
    model = model_of([SLAB, notch, box((1.0, -1.0, 1.0))])
    result = run(model, 1.0, Scheme(0.005), Settings())
    assert drift(model, result.state) < 1e-6


@pytest.mark.parametrize("gravity, holds", [((0.0, 0.0, -G), True), ((0.0, 0.0, G), True), ((0.0, -G, 0.0), False)])
def test_dovetail_holds(gravity, holds):
    """Without friction the tail can leave its socket lengthwise, neither down nor up: it is wider inside."""
    socket = upright([(0, 0), (3, 0), (3, 2), (2, 2), (2.3, 1), (0.7, 1), (1, 2), (0, 2)], 1.0)
    tail = upright([(0.7, 1), (2.3, 1), (2, 2), (1, 2)], 1.0)
    model = model_of([socket, tail], friction=0.0)._replace(gravity=np.array(gravity))
    result = run(model, 0.5, Scheme(0.005), Settings())
    if holds:
        assert drift(model, result.state) < 1e-6
    else:
        np.testing.assert_allclose(result.state.position[1, 1] + 0.5, -0.5 * G * 0.5**2, rtol=0.02)


@pytest.mark.parametrize("factor, stands", [(1.1, True), (0.9, False)])
def test_two_leaning_rods(factor, stands):
    """V30: at beta from the vertical they need a friction of tan(beta)/2 at the base.

    The rods are cut level at the foot and upright at the top, where they meet. Their width, 2 % of the base, moves the
    limit by about as much; the factors are 10 % on either side.
    """
    beta = np.radians(30.0)
    slope = 1.0 / np.tan(beta)
    left = upright([(-1.02, 0.0), (-1.0, 0.0), (0.0, slope), (0.0, 1.02 * slope)], 1.0)
    right = (left[0] * [-1.0, 1.0, 1.0], [face[::-1] for face in left[1]])
    model = model_of([SLAB, left, right], friction=factor * 0.5 * np.tan(beta))
    result = run(model, 1.0, Scheme(0.005), Settings())
    fallen = (rest_state(model).position - result.state.position)[1:, 2].max()
    # Short of 10 % of the friction the feet start with about 0.03 g.
    assert fallen < 1e-4 if stands else fallen > 0.02


@pytest.mark.slow
@pytest.mark.shared
@pytest.mark.parametrize("name", ["stack-50", "arch-semi-60"])
def test_structures_at_rest_do_not_drift(scenes_dir, name):
    """Ten seconds; less than 1e-6 of the size."""
    model = read_model(request_from_scene(json.loads((scenes_dir / (name + ".json")).read_text(encoding="utf-8"))))
    result = run(model, 10.0, Scheme(0.01), Settings())
    assert drift(model, result.state) < 1e-6


def test_resting_stack_does_not_drift():
    """The short sister of the above: ten cubes, 2 s."""
    model = model_of([box((0.0, 0.0, float(k))) for k in range(11)])
    result = run(model, 2.0, Scheme(0.01), Settings())
    assert drift(model, result.state) < 1e-6
    assert result.unconverged == 0
