"""Strategies of hypothesis for messages, requests and files: one place for all tests that send what nobody expects."""

import copy

import numpy as np
from hypothesis import strategies as st

#: Types of arrays that a message may have.
DTYPES = ["?", "u1", "<i4", "<i8", "<f4", "<f8"]
#: Numbers at which programs stumble.
HARD_NUMBERS = [0, 1, -1, 2**31 - 1, 2**31, 2**63 - 1, 2**63, 10**400, 0.0, -0.0, 1e-300, 5e-324, 1e300, -1e300, 0.5]
#: Values of every kind that JSON and messages have.
HARD_VALUES = [None, True, False, "", "text", "\x1b[31m", "\ud800", [], {}, [[]], {"a": 1}, [None], *HARD_NUMBERS]


@st.composite
def arrays(draw, most=4):
    """Arrays of every type that a message may have, of any bits."""
    shape = draw(st.lists(st.integers(0, most), max_size=3))
    dtype = np.dtype(draw(st.sampled_from(DTYPES)))
    size = int(np.prod(shape)) * dtype.itemsize
    if dtype.kind == "b":
        return np.array(draw(st.lists(st.booleans(), min_size=size, max_size=size)), bool).reshape(shape)
    return np.frombuffer(draw(st.binary(min_size=size, max_size=size)), dtype).reshape(shape)


LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
    | arrays()
)


def lone_dollar(tree):
    """Whether a dict has the one key that stands for an array in a message."""
    if isinstance(tree, dict):
        return list(tree) == ["$"] or any(lone_dollar(v) for v in tree.values())
    return isinstance(tree, list) and any(lone_dollar(v) for v in tree)


#: Trees that a message can have.
TREES = st.recursive(
    LEAVES,
    lambda node: st.lists(node, max_size=4) | st.dictionaries(st.text(max_size=6), node, max_size=4),
    max_leaves=20,
).filter(lambda tree: not lone_dollar(tree))

#: Headers of messages that lie about their arrays.
SPECS = st.recursive(
    st.sampled_from(["<f8", "|u1", "<i4", "|O", ">f8", "$", None, 0.5, True]) | st.integers(-2, 2**70),
    lambda node: st.lists(node, max_size=9) | st.dictionaries(st.sampled_from(["$", "a"]), node, max_size=2),
    max_leaves=20,
)
SHAPES = st.lists(st.integers(-1, 3) | st.integers(2**28, 2**70), max_size=9)


def damaged_trees(tree):
    """Strategy: the tree of a message with one to three entries removed, replaced or damaged."""
    seeds = st.integers(0, 2**32 - 1)
    return seeds.map(lambda seed: damage_tree(tree, np.random.default_rng(seed)))


def damaged_bytes(content):
    """Strategy: bytes of a file, cut off or with bytes changed, added or left out."""
    return st.integers(0, 2**32 - 1).map(lambda seed: damage_bytes(content, np.random.default_rng(seed)))


# -- the same without hypothesis, for long runs ------------------------------------------------------------------------


def damage_tree(tree, rng):
    """A copy of a tree of dicts, lists, numbers and arrays with one to three entries changed at random."""
    tree = copy.deepcopy(tree)
    for _ in range(rng.integers(1, 4)):
        places = [(node, key) for node in _containers(tree) for key in _keys(node)]
        if not places:
            return tree
        node, key = places[rng.integers(len(places))]
        if rng.random() < 0.1 and isinstance(node, dict):
            del node[key]
        else:
            node[key] = _damaged_value(node[key], rng)
    return tree


def damage_bytes(content, rng):
    """Bytes cut off, or with some changed, added, left out or repeated."""
    content = bytearray(content)
    for _ in range(rng.integers(1, 4)):
        at, kind = int(rng.integers(0, max(len(content), 1))), rng.integers(0, 6)
        if kind == 0:
            content = content[: max(at, 1)]
        elif kind == 1:
            content[at : at + 1] = [b"nan ", b"1e999", b"-1", b"[[[[", b"\0\0\0\0", b"\xff\xfe"][rng.integers(6)]
        elif kind == 2:
            del content[at : at + int(rng.integers(1, 16))]
        elif kind == 3:
            content[at:at] = content[at : at + int(rng.integers(1, 64))]
        elif content:
            content[min(at, len(content) - 1)] = rng.integers(0, 256)
    return bytes(content)


def _containers(tree):
    if isinstance(tree, (dict, list)):
        yield tree
        for value in tree.values() if isinstance(tree, dict) else tree:
            yield from _containers(value)


def _keys(node):
    return list(node) if isinstance(node, dict) else range(len(node))


def _damaged_value(value, rng):
    if isinstance(value, np.ndarray) and rng.random() < 0.8:
        return _damaged_array(value, rng)
    return copy.deepcopy(HARD_VALUES[rng.integers(len(HARD_VALUES))])  # else a later change would make it a circle


def _damaged_array(array, rng):
    array, kind = array.copy(), rng.integers(0, 6)
    if kind == 0:
        return array[: rng.integers(0, len(array) + 1)] if array.ndim else array
    if kind == 1:
        with np.errstate(all="ignore"):
            return array.astype(["<f8", "<i8", "<i4", "|u1", "|b1", "<f4"][rng.integers(6)])
    if kind == 2:
        return array.reshape(-1)
    if kind == 3:
        return np.concatenate([array, array]) if array.ndim else array
    if array.size:
        flat = array.reshape(-1)
        value = _number_for(array.dtype, rng)
        flat[rng.integers(array.size)] = value
    return array


def _number_for(dtype, rng):
    if dtype.kind == "f":
        return [np.nan, np.inf, -np.inf, 1e300, -1e300, 5e-324, 0.0, rng.normal()][rng.integers(8)]
    if dtype.kind == "b":
        return bool(rng.integers(2))
    info = np.iinfo(dtype)
    return [info.min, info.max, 0, 1, max(-1, info.min), int(rng.integers(0, 100))][rng.integers(6)]
