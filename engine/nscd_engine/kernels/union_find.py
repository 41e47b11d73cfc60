"""Disjoint sets that are joined step by step (union-find): a member points towards the one that stands for its set."""

from nscd_engine.kernels.jit import inner


@inner
def root_of(parent, k):
    """The member that stands for the set of member k; the way there is halved for the next time."""
    while parent[k] != k:
        parent[k] = parent[parent[k]]
        k = parent[k]
    return k
