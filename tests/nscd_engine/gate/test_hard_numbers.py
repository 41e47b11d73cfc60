"""Numbers that a user can type, and values of the wrong kind: typed errors, never a fault of the program."""

import copy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compas_nscd import wire
from compas_nscd.client.dynamic_request import dynamic_request
from compas_nscd.errors import InputError, LoadError, MaterialError, NscdError, ProtocolError, SettingsError
from compas_nscd.loads.case import LoadCase
from detection import request_of
from dynamic_helpers import structure_of
from nscd_engine.core.monitor import Monitor
from nscd_engine.fc3d import run as fc3d_run
from nscd_engine.gate.fc3d import read_problem
from nscd_engine.gate.fields import is_number
from nscd_engine.gate.limit import read_limit_question
from nscd_engine.gate.motion import read_options, step_count
from nscd_engine.gate.scene import read_scene
from nscd_engine.gate.settings import read_settings
from nscd_engine.gate.structure import read_model
from nscd_engine.motion import run as motion_run
from nscd_engine.statics import run as statics_run
from solids import box
from strategies import damaged_trees

SLAB = box((-3.0, -3.0, -1.0), (6.0, 6.0, 1.0))


@pytest.fixture
def request_of_a_motion():
    """The body of a request `dynamic` of one block on a slab."""
    structure = structure_of([SLAB, box((-0.5, -0.5, 0.0))])
    return dynamic_request(structure, LoadCase(), 0.02, 5e-3)


@pytest.mark.short
def test_a_whole_number_beyond_all_floats_is_no_number():
    assert is_number(10**308) and not is_number(10**400) and not is_number(-(10**400))
    with pytest.raises(SettingsError):
        read_settings({"settings": {"tolerance": 10**400}})


@pytest.mark.parametrize("value", [np.array([1, 2]), ["newton"], {"a": 1}, 3])
def test_choices_are_words(value, request_of_a_motion):
    with pytest.raises(SettingsError):
        read_settings({"settings": {"solver": value}})
    with pytest.raises(SettingsError, match="level"):
        read_options(dict(request_of_a_motion["motion"], level=value))
    with pytest.raises(ProtocolError, match="kind"):
        read_limit_question({"limit": {"kind": value}}, None, None)
    with pytest.raises(InputError, match="Solver"):
        fc3d_run.run({"problems": [], "solver": value}, Monitor())
    law = {"kind": "mortar", "friction": 0.6, "cohesion": 1e5, "softening": value}
    with pytest.raises(MaterialError):
        read_model(dict(request_of([SLAB, box()]), structure=dict(request_of([SLAB, box()])["structure"], law=law)))


def test_a_motion_without_an_interval_has_the_usual_one(request_of_a_motion, tmp_path, monkeypatch):
    monkeypatch.setenv("NSCD_HOME", str(tmp_path))
    del request_of_a_motion["motion"]["interval"]
    assert motion_run.run(request_of_a_motion, Monitor())["times"][-1] == pytest.approx(0.02)


@pytest.mark.parametrize("key", ["duration", "time_step", "interval"])
@pytest.mark.parametrize("value", [1e-300, 5e-324, 0, -1, 10**400, "1", None, [1.0], True])
def test_times_of_a_motion(request_of_a_motion, key, value):
    if key == "interval" and value is None:
        return
    with pytest.raises(SettingsError, match=key):
        read_options(dict(request_of_a_motion["motion"], **{key: value}))


def test_steps_beyond_all_numbers_are_counted():
    with pytest.raises(LoadError, match="takes 1e.24 steps"):
        step_count(1e12, 1e-12, 10)


@pytest.mark.parametrize("density", [1e-300, 5e-324, 1e-7])
def test_a_density_of_nothing_is_refused(density):
    request = request_of([SLAB, box()])
    request["structure"]["density"][1] = density
    with pytest.raises(MaterialError, match="below") as caught:
        read_model(request)
    assert caught.value.blocks == ["1"]


def test_a_block_of_no_size_is_refused():
    request = request_of([SLAB, (box()[0] * 1e-60, box()[1])])
    with pytest.raises(InputError, match="smaller than") as caught:
        read_model(request)
    assert caught.value.blocks == ["1"]


@pytest.mark.parametrize("block", [2, -1, 2**31 - 1])
def test_carried_forces_act_on_blocks_that_are_there(block):
    request = request_of([SLAB, box()])
    carried = {"block": np.array([[0, block]], np.int32), "point": np.zeros((1, 3)), "force": np.zeros((1, 3))}
    request["case"]["carried"] = dict(carried, broken=np.zeros(1, np.uint8))
    with pytest.raises(LoadError, match="carried force"):
        read_scene(request)


# -- fc3d --------------------------------------------------------------------------------------------------------------


def problem(starts, dtype=np.uint32):
    """One contact with a diagonal W whose rows begin where `starts` says."""
    w = {"data": np.ones(3), "indices": np.arange(3, dtype=np.int32), "start": np.array(starts, dtype)}
    return {"name": "x", "friction": np.array([0.5]), "W": w, "q": np.array([-1.0, 0.0, 0.0])}


def test_unsigned_starts_that_fall_are_refused():
    """Their differences wrap to large positive numbers."""
    assert read_problem(problem([0, 1, 2, 3]))[0] == "x"
    for dtype in (np.uint8, np.uint32, np.uint64, np.int32):
        with pytest.raises(InputError, match="by rows"):
            read_problem(problem([0, 2, 1, 3], dtype))


def test_matrices_are_bounded_and_never_dense(monkeypatch):
    """H of one entry a row: its columns come into memory a hundred at a time."""
    count = 400
    rows = {"data": np.ones(3 * count), "indices": np.arange(3 * count, dtype=np.int32)}
    rows["start"] = np.arange(3 * count + 1, dtype=np.int32)
    given = {"name": "x", "friction": np.full(count, 0.5), "M": rows, "H": rows}
    given.update(f=np.zeros(3 * count), w=np.ones(3 * count))
    monkeypatch.setattr("nscd_engine.gate.fc3d.COLUMNS_AT_ONCE", 3 * count * 100)
    monkeypatch.setattr("scipy.sparse.csr_matrix.toarray", None)
    assert len(read_problem(given)[1].q) == count
    monkeypatch.setattr("nscd_engine.gate.fc3d.MAX_ENTRIES", 1000)
    with pytest.raises(InputError, match="more than 1000 entries"):
        read_problem(given)


# -- any damage --------------------------------------------------------------------------------------------------------


@pytest.mark.fuzz
@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_damaged_request_is_refused_or_computed(data):
    """Through the wire and the gate: a typed error or a model."""
    tree = data.draw(damaged_trees(REQUEST))
    try:
        request = wire.unpack(wire.pack(tree))
        read_scene(request)
        read_options(request.get("motion"))
    except NscdError as error:
        assert error.message


def _request():
    structure = structure_of([SLAB, box((-0.5, -0.5, 0.0)), box((-0.4, -0.5, 1.0))])
    case = LoadCase()
    case.add_point_load(1, (0.0, 0.0, 0.5), (10.0, 0.0, 0.0))
    return dynamic_request(structure, case, 0.02, 5e-3)


REQUEST = _request()


@pytest.mark.fuzz
@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(st.data())
def test_a_damaged_request_is_analysed_or_refused(data):
    """The whole way: whatever passes the gate is computed, or ends with a typed error."""
    tree = data.draw(damaged_trees(REQUEST))
    for run in (statics_run.run, motion_run.run):
        try:
            run(wire.unpack(wire.pack(copy.deepcopy(tree))), Monitor())
        except NscdError as error:
            assert error.message
