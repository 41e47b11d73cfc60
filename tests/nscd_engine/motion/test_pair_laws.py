"""Friction while sliding, and restitution, of single joints."""

import json

import numpy as np
import pytest

from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.errors import MaterialError
from compas_nscd.loads.body_acceleration import BodyAcceleration
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.structure import Structure
from dynamic_helpers import G, follow, structure_of
from solids import box

SLAB = box((-3.0, -3.0, -1.0), (6.0, 6.0, 1.0))


def test_restitution_of_one_pair():
    """Two blocks fall 0.2 m onto one slab: the pair with e = 0.5 bounces to a quarter of it, the other stays down. The
    impact is seen within a step: the block leaves up to e v h earlier or later, with e g h more or less."""
    h, fall = 1e-3, 0.2
    two = structure_of([SLAB, box((-2.0, -0.5, fall)), box((1.0, -0.5, fall))], mu=0.5)
    two.pair_laws[0, 1] = ContactLaw(0.5, restitution=0.5)
    z = follow(two, LoadCase(), 0.45, h, interval=h, quiet=False).position[:, 1:, 2] - 0.5
    landed = int(np.argmax(z[:, 1] < 0.01))  # within three steps of the impact
    speed = np.sqrt(2.0 * G * fall)
    highest = z[landed + 5 :].max(axis=0)
    assert highest[0] == pytest.approx(0.25 * fall, abs=0.75 * speed * h)
    assert highest[1] == pytest.approx(0.0, abs=1e-7)


@pytest.mark.short
def test_kinetic_friction_of_one_pair():
    """Two blocks pushed with 0.5 g beyond sticking: a = (0.5 - mu_k) g, mu_k 0.2 and 0.4; x = a t (t + h)/2 in the
    scheme. Until a block is seen to slide, within two steps and a bit, it has the friction of what sticks."""
    h, t = 1e-3, 0.4
    two = structure_of([SLAB, box((-2.0, -2.0, 0.0), (1, 1, 0.3)), box((-2.0, 1.0, 0.0), (1, 1, 0.3))], mu=0.4)
    two.pair_laws[0, 1] = ContactLaw(0.4, kinetic=0.2)
    pushed = LoadCase(accelerations=[BodyAcceleration("x", [0.0, 1.0], [0.5 * G, 0.5 * G])])
    result = follow(two, pushed, t, h, quiet=False)
    way = [result.displacement(k)[-1, 0] for k in (1, 2)]
    expected = np.array([0.3, 0.1]) * 0.5 * G * t * (t + h)
    assert way[0] == pytest.approx(expected[0], abs=2.2 * 0.2 * G * h * t)
    assert way[1] == pytest.approx(expected[1], rel=1e-3)


def test_what_the_law_does_not_say_is_that_of_the_motion():
    dropped = structure_of([SLAB, box((-0.5, -0.5, 0.2))], mu=0.5)
    plain = follow(dropped, LoadCase(), 0.3, 2e-3, restitution=0.5)
    dropped.law = ContactLaw(0.5, restitution=0.5)
    np.testing.assert_array_equal(plain.position, follow(dropped, LoadCase(), 0.3, 2e-3).position)


def test_the_law_survives_files(tmp_path):
    structure = structure_of([SLAB, box()], mu=0.5)
    structure.pair_laws[0, 1] = ContactLaw(0.5, kinetic=0.4, restitution=0.2)
    assert Structure.__from_data__(structure.__data__) == structure
    path = tmp_path / "scene.json"
    path.write_text(json.dumps(structure.to_scene()))
    assert Structure.from_file(path).pair_laws == structure.pair_laws


@pytest.mark.parametrize("wrong", [{"kinetic": 0.7}, {"restitution": 1.5}, {"restitution": "much"}])
def test_a_law_out_of_range_is_refused(wrong):
    with pytest.raises(MaterialError, match="cannot be"):
        ContactLaw(0.6, **wrong)
