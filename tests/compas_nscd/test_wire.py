"""Messages: what goes in comes out, and bytes that are no message raise ProtocolError and nothing else."""

import json

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from compas_nscd import wire
from compas_nscd.errors import ProtocolError
from strategies import SHAPES, SPECS, TREES, damaged_bytes


def same(a, b):
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, dict):
        return isinstance(b, dict) and list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b


def reads_or_refuses(message):
    """Unpack; anything but a tree or a ProtocolError fails the test. Returns whether it was read."""
    try:
        wire.unpack(message)
    except ProtocolError as error:
        assert error.message
        return False
    return True


def header(content):
    text = content if isinstance(content, bytes) else json.dumps(content).encode()
    return wire.PREFIX.pack(wire.MAGIC, wire.VERSION, 0, len(text)) + text


@pytest.mark.short
@given(TREES)
@settings(max_examples=200, deadline=None)
def test_round_trip(tree):
    assert same(tree, wire.unpack(wire.pack(tree)))


@pytest.mark.short
@given(TREES, st.data())
@settings(max_examples=100, deadline=None)
def test_no_part_of_a_message_is_a_message(tree, data):
    message = wire.pack(tree)
    assert not reads_or_refuses(message[: data.draw(st.integers(0, len(message) - 1))])
    assert not reads_or_refuses(message + data.draw(st.binary(min_size=1, max_size=20)))


@pytest.mark.short
@given(st.binary(max_size=200))
@settings(max_examples=200, deadline=None)
def test_garbage(noise):
    assert not reads_or_refuses(noise)
    reads_or_refuses(header(noise))


@given(TREES, st.data())
@settings(max_examples=200, deadline=None)
def test_damaged_messages(tree, data):
    """A changed byte may leave a message that can be read; it never brings anything but a ProtocolError."""
    reads_or_refuses(data.draw(damaged_bytes(wire.pack(tree))))


@given(st.lists(st.tuples(st.sampled_from(wire._DTYPES), SHAPES) | SPECS, max_size=4), SPECS, st.binary(max_size=64))
@example([("<f8", [0, 2**70])], None, b"")
@example([("<f8", [0] + [2**30] * 7)], None, b"")
@example([("<f8", [2**62, 4])], None, b"")
@example([("<f8", [0]), ("<f8", [0])], {"$": 1}, b"\0" * 7)
@settings(max_examples=150, deadline=None)
def test_headers_that_lie(specs, body, tail):
    reads_or_refuses(header({"arrays": specs, "body": body}) + tail)


@pytest.mark.parametrize("depth", [300, 450, 600, 900, 5000, 200000])
def test_deep_nesting(depth):
    reads_or_refuses(header(b'{"arrays":[],"body":' + b"[" * depth + b"]" * depth + b"}"))
    reads_or_refuses(header(b'{"arrays":[],"body":' + b'{"a":' * depth + b"1" + b"}" * depth + b"}"))
    tree = []
    for _ in range(depth):
        tree = [tree]
    try:
        wire.pack(tree)
    except ProtocolError:
        pass


@pytest.mark.short
def test_limits(monkeypatch):
    message = wire.pack({"a": np.zeros(100)})
    monkeypatch.setattr(wire, "MAX_MESSAGE", 500)
    for attempt in (lambda: wire.unpack(message), lambda: wire.pack({"a": np.zeros(100)})):
        with pytest.raises(ProtocolError, match="over the limit"):
            attempt()
    monkeypatch.undo()
    many = [np.zeros(0)] * (wire.MAX_ARRAYS + 1)
    with pytest.raises(ProtocolError, match="arrays"):
        wire.pack({"a": many})
    assert not reads_or_refuses(header({"arrays": [["<f8", [0]]] * (wire.MAX_ARRAYS + 1), "body": None}))


@pytest.mark.short
def test_another_version_is_told_from_garbage():
    message = bytearray(wire.pack({}))
    message[4] = wire.VERSION + 1
    with pytest.raises(ProtocolError, match="version 2") as caught:
        wire.unpack(bytes(message))
    assert "same release" in caught.value.remedy


@pytest.mark.parametrize(
    "body",
    [
        {"$": 1},
        {1: 2},
        {"a": float("nan")},
        {"a": np.float64("inf")},
        {"a": {1, 2}},
        {"a": object()},
        {"a": b"bytes"},
        {"a": np.array(["text"])},
        {"a": np.array([None])},
        {"a": np.zeros(2, complex)},
        {"a": np.zeros(2, np.float16)},
    ],
)
def test_what_cannot_be_sent(body):
    with pytest.raises(ProtocolError):
        wire.pack(body)


@pytest.mark.parametrize("text", [b"NaN", b"Infinity", b"-Infinity"])
def test_numbers_outside_arrays_are_finite(text):
    assert not reads_or_refuses(header(b'{"arrays":[],"body":' + text + b"}"))


@pytest.mark.short
def test_arrays_of_any_layout_arrive_in_order():
    a = np.arange(24.0).reshape(2, 3, 4)
    sent = {"t": a.transpose(2, 0, 1), "step": a[:, ::2], "big": a.astype(">f8"), "scalar": np.array(7)}
    sent["zero"] = np.float64(3.5)
    back = wire.unpack(wire.pack(sent))
    for key in ("t", "step", "big", "scalar"):
        assert np.array_equal(back[key], sent[key]) and back[key].shape == sent[key].shape
        assert back[key].dtype.str[0] in "<|" and not back[key].flags.writeable
    assert back["zero"] == 3.5


@pytest.mark.parametrize("digits", ["9" * 4300, "-" + "9" * 4300])
def test_an_integer_of_very_many_digits_is_neither_written_nor_read(monkeypatch, digits):
    """The limit is the same on a Python that has none of its own, as that of Rhino 8."""
    monkeypatch.setattr(wire, "PARSE_INT", wire.integer)
    assert wire.unpack(wire.pack({"a": int(digits)})) == {"a": int(digits)}
    for longer in (b"9" * 4301, b"-" + b"9" * 10**6):
        assert not reads_or_refuses(header(b'{"arrays":[],"body":' + longer + b"}"))
    with pytest.raises(ProtocolError, match="cannot be written"):
        wire.pack({"a": -(10**4300)})
