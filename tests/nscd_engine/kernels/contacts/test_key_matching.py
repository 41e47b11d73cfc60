"""Contacts found again by their keys."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nscd_engine.kernels.contacts.key_matching import match

KEYS = st.lists(st.integers(0, 2**62), max_size=60)


@pytest.mark.short
@settings(max_examples=60, deadline=None)
@given(KEYS, KEYS, st.integers(0, 10**6))
def test_impulses_go_with_their_keys(old, others, seed):
    """Against a dictionary; of equal keys the first counts, unless they follow each other as before."""
    rng = np.random.default_rng(seed)
    old = np.unique(np.array(old, np.int64))
    rng.shuffle(old)
    new = np.concatenate([old[rng.random(len(old)) < 0.7], np.array(others, np.int64)])
    impulses = rng.normal(size=(len(old), 3))
    known = dict(zip(old.tolist(), impulses))
    expected = np.array([2.0 * known.get(key, np.zeros(3)) for key in new.tolist()]).reshape(-1, 3)
    assert np.array_equal(match(old, new, impulses, 2.0), expected)


@pytest.mark.short
def test_equal_keys_keep_their_order():
    impulses = np.arange(9.0).reshape(3, 3)
    keys = np.array([5, 5, 7])
    found = match(keys, keys, impulses, 1.0)
    assert np.array_equal(found[[0, 2]], impulses[[0, 2]])
