"""Connected components, against those of scipy."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from nscd_engine.core.components import components


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 60), st.integers(0, 90), st.integers(0, 2**32 - 1))
def test_components_are_those_of_scipy(count, edges, seed):
    a, b = np.random.default_rng(seed).integers(0, count, (2, edges))
    expected = connected_components(coo_matrix((np.ones(edges), (a, b)), (count, count)), directed=False)[1]
    assert np.array_equal(components(a, b, count), expected)


def test_a_chain_in_any_order_is_one_component():
    nodes = np.random.default_rng(3).permutation(5000)
    assert not components(nodes[:-1], nodes[1:], 5000).any()


def test_no_nodes_have_no_component():
    none = np.zeros(0, np.int64)
    assert len(components(none, none, 0)) == 0
