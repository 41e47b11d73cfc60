"""Checkpoints are files of strangers: a seal that fits does not let wrong arrays through to the kernels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compas_nscd import wire
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.errors import InputError
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.structure import Structure
from dynamic_helpers import follow, structure_of
from nscd_engine.motion.records import checkpoint
from solids import box
from strategies import damaged_trees

SLAB = box((-3.0, -3.0, -1.0), (6.0, 6.0, 1.0))


def bonded():
    pair = structure_of([SLAB, box((-0.5, -0.5, 0.0))])
    return Structure(pair.blocks, ContactLaw(0.6, "brittle", cohesion=1e5), name="pair")


@pytest.fixture(scope="module")
def motion():
    """A structure and a short motion of it."""
    structure = structure_of([SLAB, box((-0.5, -0.5, 0.0)), box((-0.4, -0.5, 1.0))])
    return structure, follow(structure, LoadCase(), 0.02, 5e-3, quiet=False)


def opened(result):
    """The tree of a checkpoint."""
    return wire.unpack(result.checkpoint.tobytes()[: -checkpoint.SEAL])


def resealed(tree):
    """A tree as a checkpoint whose seal fits."""
    message = wire.pack(tree)
    return np.frombuffer(message + checkpoint._seal(message), np.uint8)


def go_on(structure, result, tree):
    """Two steps from a checkpoint with this tree."""
    whole, result.checkpoint = result.checkpoint, resealed(tree)
    try:
        return follow(structure, LoadCase(), 0.01, 5e-3, restart=result, quiet=False)
    finally:
        result.checkpoint = whole


def change(tree, path, edit):
    """A copy of a tree in which `edit` has replaced the value at a path."""
    first, _, rest = path.partition(".")
    value = change(tree[first], rest, edit) if rest else edit(tree[first])
    return dict(tree, **{first: value})


def test_a_resealed_checkpoint_that_is_sound_goes_on(motion):
    structure, result = motion
    assert go_on(structure, result, opened(result)).times[-1] == pytest.approx(0.03)


#: Place in the checkpoint, and what a stranger writes there.
WRONG = [
    ("pairs.part", lambda a: a + 100),
    ("pairs.part", lambda a: a - 1),
    ("pairs.part", lambda a: a[:, ::-1].copy()),
    ("pairs.part", lambda a: np.zeros_like(a)),
    ("pairs.part", lambda a: a[:-1]),
    ("pairs.begin", lambda a: a + 10**9),
    ("pairs.begin", lambda a: a - 5),
    ("pairs.count", lambda a: a + 10**6),
    ("pairs.count", lambda a: np.full_like(a, 2**62)),
    ("pairs.count", lambda a: np.full_like(a, -1)),
    ("pairs.count", lambda a: np.full_like(a, a.sum())),
    ("pairs.kind", lambda a: a + 7),
    ("pairs.on_a", lambda a: a[:-1]),
    ("pairs.key", lambda a: a[:0]),
    ("pairs.shift", lambda a: a * np.nan),
    ("pairs", lambda a: None),
    ("room", lambda a: a[:-1]),
    ("room", lambda a: a[:0]),
    ("home.position", lambda a: a[:-1]),
    ("home.rotation", lambda a: a.reshape(-1)),
    ("home.velocity", lambda a: a * np.inf),
    ("home", lambda a: {}),
    ("friction", lambda a: a[:-1]),
    ("friction", lambda a: -1.0 - a),
    ("first", lambda a: 1),
    ("impulses", lambda a: a[:-1]),
    ("impulses", lambda a: a[:, :2].copy()),
    ("impulses", lambda a: a + np.nan),
    ("impulse_step", lambda a: 0.0),
    ("relative", lambda a: a[:-1]),
    ("earlier", lambda a: a.astype(np.float32)[:, :3]),
    ("state.position", lambda a: a[:-1]),
    ("state.position", lambda a: a + np.inf),
    ("state.position", lambda a: a + 1e31),
    ("state.orientation", lambda a: 2.0 * a),
    ("state.velocity", lambda a: "text"),
    ("pairs.count", lambda a: 0 * a),
    ("pairs.begin", lambda a: 0 * a),
    ("state.time", lambda a: "soon"),
    ("state.time", lambda a: 10**400),
    ("state.time", lambda a: 1e14),
    ("hard", lambda a: [1]),
    ("hard", lambda a: [10**30, 0]),
    ("bonded", lambda a: [[1, 2], "x"]),
    ("extra.moved_at", lambda a: a[:0]),
    ("extra.moved_at", lambda a: a * np.nan),
    ("extra.down_at", lambda a: a[:-1]),
    ("extra.energies", lambda a: a[:-1]),
    ("extra.quiet", lambda a: [None]),
    ("extra.quiet", lambda a: ["x", 0.0, 0.0]),
    ("extra.time_step", lambda a: -1.0),
    ("extra.phase", lambda a: None),
    ("extra", lambda a: []),
    ("version", lambda a: np.zeros(3)),
]


@pytest.mark.short
@pytest.mark.parametrize("path, edit", WRONG, ids=lambda value: value if isinstance(value, str) else "")
def test_wrong_arrays_are_refused_with_a_sentence(motion, path, edit):
    structure, result = motion
    with np.errstate(invalid="ignore"), pytest.raises(InputError, match="to go on with|goes on from") as caught:
        go_on(structure, result, change(opened(result), path, edit))
    assert caught.value.remedy


@pytest.mark.parametrize("key", ["active", "slip", "force", "opened"])
def test_joints_of_a_checkpoint_have_their_shapes(key):
    structure = bonded()
    result = follow(structure, LoadCase(), 0.02, 5e-3, quiet=False)
    tree = opened(result)
    assert go_on(structure, result, tree).times[-1] == pytest.approx(0.03)
    with pytest.raises(InputError):
        go_on(structure, result, change(tree, "joints." + key, lambda a: a[:-1]))


@pytest.mark.fuzz
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_damage_is_refused_or_harmless(motion, data):
    """Whatever number, array or entry is replaced: a typed error, or a motion whose numbers are finite."""
    structure, result = motion
    try:
        further = go_on(structure, result, data.draw(damaged_trees(opened(result))))
    except InputError:
        return
    assert np.isfinite(further.position).all()
