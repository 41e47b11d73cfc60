"""The gate: what a wrong message is told, and that nothing else gets through."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compas_nscd import wire
from compas_nscd.errors import (
    GeometryError,
    InputError,
    LoadError,
    MaterialError,
    NscdError,
    ProtocolError,
    SettingsError,
)
from detection import request_of
from nscd_engine.core.law_table import friction_of
from nscd_engine.gate import structure
from nscd_engine.gate.scene import read_scene
from nscd_engine.gate.settings import read_settings
from nscd_engine.gate.structure import read_model
from solids import box
from strategies import damaged_trees


def request():
    return request_of([box(), box((0, 0, 1)), box((0, 0, 2))])


def with_load(block=2, point=(0.5, 0.5, 3.0), force=(10.0, 0.0, 0.0)):
    given = request()
    given["case"].update(
        load_block=np.array([block], np.int32), load_point=np.array([point]), load_force=np.array([force], float)
    )
    return given


@pytest.mark.short
def test_a_sound_request_that_travelled():
    model = read_model(wire.unpack(wire.pack(with_load())))
    assert model.names == ["0", "1", "2"]
    assert model.bodies.free.tolist() == [-1, 0, 1]
    assert model.bodies.mass == pytest.approx([2000.0] * 3)
    assert model.bodies.size == pytest.approx([np.sqrt(3.0)] * 3)
    assert model.load[2] == pytest.approx([10.0, 0.0, 0.0, 0.0, 5.0, 0.0])
    assert not model.load[:2].any()
    assert [field.tolist() for field in model.point_loads] == [[2], [[0.5, 0.5, 3.0]], [[10.0, 0.0, 0.0]]]


def test_faces_of_the_last_request_are_not_checked_again_and_others_are(monkeypatch):
    checked = []
    check = structure._check_faces
    monkeypatch.setattr(structure, "_check_faces", lambda *given: checked.append(check(*given)))
    given = request()
    read_model(given)
    given["structure"]["vertices"] = 2.0 * given["structure"]["vertices"]
    assert read_model(given).bodies.volume == pytest.approx([8.0] * 3) and len(checked) == 1
    turned = given["structure"]["face_vertices"].copy()
    turned[:4] = turned[:4][::-1]
    given["structure"]["face_vertices"] = turned
    for _ in range(2):  # a request that was refused is not remembered
        with pytest.raises(GeometryError, match="not closed"):
            read_model(given)


def test_pair_laws():
    given = request()
    given["structure"]["pair_laws"] = [{"blocks": [2, 1], "law": {"kind": "coulomb", "friction": 0.1}}]
    model = read_model(given)
    assert friction_of(model, [[1, 2], [0, 1], [2, 1]]) == pytest.approx([0.1, 0.6, 0.1])


def change(path, value):
    def apply(given):
        part = given
        for key in path[:-1]:
            part = part[key]
        part[path[-1]] = value(part[path[-1]]) if callable(value) else value

    return apply


def put(index, value):
    def edit(array):
        array = array.copy()
        array[index] = value
        return array

    return edit


S = "structure"
WRONG = [
    (S, None, ProtocolError),
    ("case", [], ProtocolError),
    ((S, "vertices"), put((0, 0), np.nan), GeometryError),
    ((S, "vertices"), put((0, 0), 1e300), GeometryError),
    ((S, "vertices"), lambda v: v[:, :2], ProtocolError),
    ((S, "vertices"), lambda v: v.astype(str), ProtocolError),
    ((S, "vertices"), lambda v: v[:, [1, 0, 2]], GeometryError),
    ((S, "vertices"), lambda v: v * [1, 1, 0], GeometryError),
    ((S, "vertex_start"), put(1, 100), ProtocolError),
    ((S, "vertex_start"), put(0, 1), ProtocolError),
    ((S, "vertex_start"), lambda v: v[:-1], ProtocolError),
    ((S, "face_vertices"), put(0, -1), GeometryError),
    ((S, "face_vertices"), put(0, 10**6), GeometryError),
    ((S, "face_vertices"), put(0, 8), GeometryError),
    ((S, "face_vertices"), put(0, 1), GeometryError),
    ((S, "face_vertices"), lambda v: v + 0.5, ProtocolError),
    ((S, "face_start"), put(3, 2), ProtocolError),
    ((S, "face_start"), put(1, 2), GeometryError),
    ((S, "face_start"), np.zeros(0, np.int32), ProtocolError),
    ((S, "block_face_start"), put(1, 3), GeometryError),
    ((S, "density"), put(1, 0.0), MaterialError),
    ((S, "density"), put(1, np.inf), MaterialError),
    ((S, "density"), lambda v: v[:2], ProtocolError),
    ((S, "support"), lambda v: v.astype(float) * 0.5, ProtocolError),
    ((S, "names"), ["a", "a", "b"], InputError),
    ((S, "names"), ["a", 1, "b"], ProtocolError),
    ((S, "names"), [], InputError),
    ((S, "law"), {"kind": "coulomb", "friction": -0.1}, MaterialError),
    ((S, "law"), {"kind": "coulomb", "friction": float("nan")}, MaterialError),
    ((S, "law"), {"kind": "coulomb", "friction": 0.5, "cohesion": 1.0}, MaterialError),
    ((S, "law"), {"kind": "magic"}, MaterialError),
    ((S, "law"), None, MaterialError),
    ((S, "pair_laws"), [{"blocks": [0, 3], "law": {"kind": "coulomb", "friction": 0.5}}], MaterialError),
    ((S, "pair_laws"), [{"blocks": [1, 1], "law": {"kind": "coulomb", "friction": 0.5}}], MaterialError),
    ((S, "pair_laws"), [{"blocks": [0, 1], "law": {"kind": "coulomb", "friction": 0.5}}] * 2, MaterialError),
    ((S, "pair_laws"), 7, ProtocolError),
    (("case", "gravity"), np.array([0.0, 0.0, np.inf]), LoadError),
    (("case", "gravity"), np.zeros(2), ProtocolError),
    (("case", "load_block"), np.array([3], np.int32), LoadError),
    (("case", "load_block"), np.array([-1], np.int32), LoadError),
    (("case", "load_force"), np.array([[np.nan, 0, 0]]), LoadError),
    (("case", "load_force"), np.array([[1e308, 1e308, 0]]), LoadError),
    (("case", "load_point"), np.zeros((2, 3)), ProtocolError),
    (("case", "load_point"), np.array([[1e10, 0.5, -1e6]]), LoadError),
    (("case", "carried"), {"block": np.zeros((1, 2), np.int32)}, ProtocolError),
    (("case", "carried"), [], LoadError),
    (("case", "cables"), [], LoadError),
    (("case", "water"), [], LoadError),
]


@pytest.mark.short
@pytest.mark.parametrize("path, value, error", WRONG, ids=lambda v: str(v)[:40])
def test_wrong_messages(path, value, error):
    given = with_load(point=(0.5, 0.5, -1e6))
    change((path,) if isinstance(path, str) else path, value)(given)
    with np.errstate(over="ignore", invalid="ignore"), pytest.raises(error):
        read_scene(given)


def test_loads_that_cancel_are_bounded_each():
    """A limit analysis scales one of them."""
    given = with_load()
    force = np.array([[1e20, 0.0, 0.0], [-1e20, 0.0, 0.0]])
    given["case"].update(load_block=np.full(2, 2, np.int32), load_point=np.zeros((2, 3)), load_force=force)
    with pytest.raises(LoadError):
        read_model(given)


@pytest.mark.parametrize("block", [0, 1, 2])
def test_errors_name_the_block(block):
    given = request()
    start = given["structure"]["block_face_start"]
    corner = given["structure"]["face_start"][start[block]]
    flipped = given["structure"]["face_vertices"].copy()
    flipped[corner : corner + 4] = flipped[corner : corner + 4][::-1]
    given["structure"]["face_vertices"] = flipped
    with pytest.raises(GeometryError) as caught:
        read_model(given)
    assert caught.value.blocks == [str(block)]
    assert caught.value.remedy


def test_inside_out_block_is_named():
    given = request()
    vertices = given["structure"]["vertices"].copy()
    vertices[8:16, 0] *= -1.0
    given["structure"]["vertices"] = vertices
    with pytest.raises(GeometryError) as caught:
        read_model(given)
    assert caught.value.blocks == ["1"] and "inside out" in caught.value.message


@pytest.mark.fuzz
@settings(max_examples=200, deadline=None)
@given(st.data())
def test_random_damage_is_refused_or_harmless(data):
    """Entries of the message are replaced by any others: a typed error or a model, never another exception."""
    given = data.draw(damaged_trees(with_load()))
    try:
        model = read_model(given)
    except NscdError:
        return
    assert np.isfinite(model.load).all() and (model.bodies.volume > 0.0).all()


@pytest.mark.short
def test_settings():
    assert read_settings({}).gap_tolerance == 1e-3
    assert read_settings({"settings": {"eps": [1e-4, 1e-6], "seed": None}}).eps == (1e-4, 1e-6)


@pytest.mark.parametrize(
    "key, value",
    [
        ("solver", "magic"),
        ("eps", [1e-6, 1e-4]),
        ("eps", []),
        ("tolerance", 0.0),
        ("tolerance", "1e-3"),
        ("max_iterations", 1.5),
        ("seed", -1),
        ("threads", True),
        ("gap_tolerance", float("nan")),
        ("angle_tolerance", -1.0),
        ("unsupported", 1),
        ("unknown", 1),
        ("solver", ["newton"]),
    ],
)
def test_wrong_settings(key, value):
    with pytest.raises(SettingsError):
        read_settings({"settings": {key: value}})
