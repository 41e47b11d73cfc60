"""Contacts in motion: the same at rest as those of the rest detection, kept while nothing moves, found when it does."""

import json

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from detection import moved, run, turn
from motion_helpers import model_of
from nscd_engine.contacts.at_rest import detect
from nscd_engine.contacts.in_motion import Detector
from nscd_engine.core.settings import Settings
from nscd_engine.core.state import rest_state
from nscd_engine.gate.structure import read_model
from nscd_engine.kernels.geometry.rotations import rotated
from scene_requests import request_from_scene
from solids import box, prism, random_rotation

SLAB = box((-5.0, -5.0, -1.0), (10.0, 10.0, 1.0))


def shifted(state, block, shift, omega=(0.0, 0.0, 0.0)):
    """The state with one block moved by a shift and a turn about its centroid."""
    position = state.position.copy()
    position[block] += shift
    spin = np.zeros((len(position), 3))
    spin[block] = omega
    return state._replace(position=position, orientation=rotated(state.orientation, spin, 1.0))


def rows(contacts):
    """Body pairs and points, rounded and sorted: what contacts are, whatever their order."""
    points = np.round(contacts.point, 6) + 0.0
    return sorted(tuple(sorted(body)) + tuple(point) for body, point in zip(contacts.body.tolist(), points))


@pytest.mark.short
def test_at_rest_the_contacts_are_those_of_the_interfaces():
    """A running bond of three courses, turned any way and far from the origin."""
    solids = [box((-1, 0, -1), (8, 1, 1))]
    solids += [box((2.0 * i + (k % 2), 0.0, float(k)), (2.0, 1.0, 1.0)) for k in range(3) for i in range(3)]
    R = random_rotation(5)
    solids = [moved(solid, R, (30.0, -20.0, 10.0)) for solid in solids]
    model, detection = run(solids)
    contacts = Detector(model).update(rest_state(model), 1e-3)
    assert len(contacts.gap) == len(detection.contacts.gap) > 40
    assert rows(contacts) == rows(detection.contacts)
    np.testing.assert_allclose(contacts.gap, 0.0, atol=1e-12)


@pytest.mark.shared
@pytest.mark.parametrize("name", ["arch-semi-60", "wall-20x25", "dome-300", "cylinder", "barrel-vault"])
def test_scenes_have_the_contacts_of_the_rest_detection(scenes_dir, name):
    model = read_model(request_from_scene(json.loads((scenes_dir / (name + ".json")).read_text(encoding="utf-8"))))
    contacts = Detector(model).update(rest_state(model), 1e-3)
    touching = contacts.gap < 1e-6
    assert np.count_nonzero(touching) == len(detect(model, Settings()).contacts.gap)


def test_contacts_that_move_with_their_blocks_are_those_found_anew():
    """A small slide and tilt, below the motion that triggers detection: gaps and normals agree to the square of it."""
    model = model_of([SLAB, box((0.2, 0.3, 0.0))])
    state = rest_state(model)
    detector = Detector(model)
    first = detector.update(state, 1e-3)
    small = shifted(state, 1, (2e-4, -1e-4, 3e-4), (2e-4, 1e-4, 3e-4))
    kept, fresh = detector.update(small, 1e-3), Detector(model).update(small, 1e-3)
    assert kept.key is first.key  # nothing was detected again
    order, other = np.argsort(kept.key), np.argsort(fresh.key)
    np.testing.assert_array_equal(kept.key[order], fresh.key[other])
    np.testing.assert_allclose(kept.gap[order], fresh.gap[other], atol=1e-7)
    np.testing.assert_allclose(kept.point[order], fresh.point[other], atol=1e-6)
    np.testing.assert_allclose(kept.frame[order, 0], fresh.frame[other, 0], atol=1e-12)


def test_a_block_that_leaves_at_once_takes_its_contacts_along():
    """Further than its box in one step, while nothing else moves: no rows are left without a pair."""
    model = model_of([SLAB, box((-2.0, 0.0, 0.0)), box((2.0, 0.0, 0.0))])
    state, detector = rest_state(model), Detector(model)
    assert len(detector.update(state, 1e-3).gap) == 8
    left = detector.update(shifted(state, 2, (0.0, 0.0, 1e3)), 1e-3)
    np.testing.assert_array_equal(left.body, np.tile([0, 1], (4, 1)))
    np.testing.assert_array_equal(left.gap, 0.0)


def test_a_supporting_body_carries_its_contacts_exactly():
    """Both blocks turned and moved as one: the contacts are those at rest, carried along."""
    model = model_of([SLAB, box((0.2, 0.3, 0.0))], supports=())
    state = rest_state(model)
    detector = Detector(model)
    first = detector.update(state, 1e-3)
    R, shift = turn(2, 25.0) @ turn(0, 40.0), np.array([3.0, -2.0, 7.0])
    quaternion = Rotation.from_matrix(R).as_quat()[[3, 0, 1, 2]]
    carried = state._replace(position=state.position @ R.T + shift, orientation=np.tile(quaternion, (2, 1)))
    second = detector.update(carried, 1e-3)
    np.testing.assert_allclose(second.point, first.point @ R.T + shift, atol=1e-12)
    np.testing.assert_allclose(second.frame, first.frame @ R.T, atol=1e-12)
    np.testing.assert_allclose(second.gap, 0.0, atol=1e-12)
    np.testing.assert_array_equal(second.key, first.key)


def test_a_block_that_arrives_from_afar_is_found():
    """In steps of its own size or less it cannot pass through a slab thicker than a step."""
    model = model_of([SLAB, box((0.0, 0.0, 20.0))])
    state = rest_state(model)
    state.velocity[1, 2] = -100.0
    detector = Detector(model)
    for _k in range(60):
        contacts = detector.update(state, 5e-3)
        height = state.position[1, 2] - 0.5
        if height < 0.5:
            assert len(contacts.gap) == 4
            np.testing.assert_allclose(contacts.gap, height, atol=1e-12)
            return
        state = shifted(state, 1, (0.0, 0.0, -0.5))
    pytest.fail("the block never arrived")


@pytest.mark.parametrize("beside, down, caught", [(4e-3, 2.0, True), (4e-3, 0.5, False), (14e-3, 2.0, False)])
def test_edges_that_will_overlap_make_contact_before(beside, down, caught):
    """A cube beside a slab and 5 mm above it moves inwards and down by 10 mm in the step: its edge would get in.

    It does not if it moves down by 2.5 mm, or begins farther away.
    """
    model = model_of([SLAB, box((5.0 + beside, 0.0, 5e-3))])
    state = rest_state(model)
    state.velocity[1, :3] = -2.0, 0.0, -down
    contacts = Detector(model).update(state, 5e-3)
    assert (len(contacts.gap) > 0) == caught
    np.testing.assert_allclose(contacts.gap, np.hypot(beside, 5e-3), rtol=1e-9)
    assert len(Detector(model).update(rest_state(model), 5e-3).gap) == 0


@pytest.mark.parametrize("shift", [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.997, 0.1, 0.0)])
def test_order_of_blocks_does_not_matter(shift):
    upper = moved(box(shift), shift=(0.3, 0.0, 1.0))
    solids = [SLAB, box(), upper, box((-1.0, 0.0, 0.0))]
    swap = [2, 0, 3, 1]
    a, b = model_of(solids, (0,)), model_of([solids[i] for i in swap], (1,))
    one, two = (Detector(m).update(rest_state(m), 1e-3) for m in (a, b))
    names = np.array(swap)
    assert rows(one) == rows(two._replace(body=names[two.body].astype(np.int32)))


def test_supports_do_not_touch_each_other_and_parts_not_their_own_block():
    notch = prism([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], 1.0)
    model = model_of([SLAB, moved(notch, shift=(0, 0, 0)), box((-2.0, 0.0, 0.0))], supports=(0, 2))
    contacts = Detector(model).update(rest_state(model), 1e-3)
    assert {tuple(sorted(pair)) for pair in contacts.body.tolist()} == {(0, 1)}


def test_overlap_of_the_model_is_left_alone():
    """A block drawn 0.2 mm into the slab has gaps of zero; pressed 1 mm deeper it has gaps of that."""
    model = model_of([SLAB, box((0.0, 0.0, -2e-4))])
    state = rest_state(model)
    detector = Detector(model)
    np.testing.assert_array_equal(detector.update(state, 1e-3).gap, 0.0)
    np.testing.assert_allclose(detector.update(shifted(state, 1, (0, 0, -1e-3)), 1e-3).gap, -1e-3, atol=1e-12)
    np.testing.assert_allclose(detector.update(shifted(state, 1, (0, 0, 1e-3)), 1e-3).gap, 8e-4, atol=1e-12)
