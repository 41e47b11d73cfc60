"""What a user can type by mistake: typed errors, whatever the argument."""

import warnings

import numpy as np
import pytest

from compas_nscd import Block, ContactLaw, GroundMotion, LoadCase, Settings
from compas_nscd.blocks.block import Block as BlockClass
from compas_nscd.client.dynamic_request import OPTIONS, dynamic_request
from compas_nscd.errors import NscdError
from compas_nscd.templates import stack
from solids import box

HARD = [10**400, -(10**400), 1e-300, float("nan"), float("inf"), None, "x", "1e400", [], {}, np.zeros(2), np.array([1])]
HARD += [True, 1j, b"x", object()]
VERTICES, FACES = box()
STACK = stack(blocks=2)


def block_at(value):
    vertices = VERTICES.tolist()
    vertices[0][2] = value
    return BlockClass(vertices, FACES, 2000.0)


def load(point, force):
    case = LoadCase()
    case.add_point_load(0, (0.0, 0.0, point), (force, 0.0, 0.0))


def motion(duration=1.0, time_step=1e-3, **options):
    dynamic_request(STACK, LoadCase(), duration, time_step, **options)


CALLS = {
    "density": lambda value: Block(VERTICES, FACES, value),
    "coordinate": block_at,
    "friction": lambda value: ContactLaw(friction=value),
    "kind": lambda value: ContactLaw(0.5, value),
    "cohesion": lambda value: ContactLaw(0.5, "brittle", cohesion=value),
    "gravity": lambda value: LoadCase(gravity=(0.0, 0.0, value)),
    "vector": lambda value: LoadCase(gravity=value),
    "point": lambda value: load(value, 1.0),
    "force": lambda value: load(0.0, value),
    "acceleration": lambda value: GroundMotion.sine("x", value, 1.0),
    "frequency": lambda value: GroundMotion.sine("x", 1.0, value),
    "axis": lambda value: GroundMotion.sine(value, 1.0, 1.0),
    "duration": lambda value: motion(duration=value),
    "time_step": lambda value: motion(time_step=value),
    "probes": lambda value: motion(probes=value),
    "probe": lambda value: motion(probes=[value]),
}
CALLS.update(("motion " + key, lambda value, key=key: motion(**{key: value})) for key in OPTIONS)
CALLS.update(("settings " + key, lambda value, key=key: Settings(**{key: value})) for key in Settings._FIELDS)


@pytest.mark.short
@pytest.mark.parametrize("name", sorted(CALLS))
def test_hard_arguments_are_taken_or_refused_with_a_sentence(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for value in HARD:
            try:
                CALLS[name](value)
            except NscdError as error:
                assert error.message
