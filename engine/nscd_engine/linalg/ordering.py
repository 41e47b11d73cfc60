"""Orders of elimination that keep the Cholesky factor of a body graph sparse: minimum degree and nested dissection."""

from __future__ import annotations

import numpy as np

from nscd_engine.kernels.linalg.dissection import distances, nested_dissection
from nscd_engine.kernels.linalg.elimination_tree import graph

#: Option of SuperLU: pivots on the diagonal.
SYMMETRIC = {"SymmetricMode": True}
#: Bodies from which distances are counted [-]: the corners of a pier, twice those of a wall. More: cuts in more
#: directions are tried, and the search takes longer.
LANDMARKS = 8
#: Most bodies that are ordered here [-]. More: it takes longer than SuperLU. Fewer: a command on an arch loads SuperLU,
#: which takes a fifth of its time.
FEW = 64


def minimum_degree(count: int, pairs: np.ndarray) -> np.ndarray:
    """Bodies (N,) in minimum degree order."""
    return _of_few(count, pairs) if count <= FEW else _of_many(count, pairs)


def _of_few(count, pairs):
    """One after another, always one with the fewest neighbours, which then become neighbours of each other.

    All with the fewest that are not beside each other come at once (Liu 1985): both ends of a chain, so that its factor
    is made of two independent halves.
    """
    neighbours = {body: set() for body in range(count)}
    for a, b in pairs.tolist():
        neighbours[a].add(b)
        neighbours[b].add(a)
    order = []
    while neighbours:
        fewest, changed = min(map(len, neighbours.values())), set()
        for body in [body for body, beside in neighbours.items() if len(beside) == fewest]:
            if body not in changed:
                beside = neighbours.pop(body)
                for other in beside:
                    neighbours[other] |= beside
                    neighbours[other] -= {body, other}
                changed |= beside
                order.append(body)
    return np.array(order, np.int64)


def _of_many(count, pairs):
    """By SuperLU; the values of the matrix only ensure that a factor exists."""
    from scipy.sparse import csc_matrix  # loaded here: see `FEW`
    from scipy.sparse.linalg import spilu

    start, neighbour = graph(pairs, np.arange(count))
    start, body = start + np.arange(count + 1), np.arange(count)
    column, value = np.empty(start[-1], np.int32), np.ones(start[-1])
    column[start[:-1]], value[start[:-1]] = body, count + 1.0
    beside = np.ones(start[-1], bool)
    beside[start[:-1]] = False
    column[beside] = neighbour
    matrix = csc_matrix((value, column, start.astype(np.int32)), shape=(count, count))
    # Only the order is used, so the factor is incomplete and without fill: perm_c[body] is the place of the body.
    return np.argsort(spilu(matrix, drop_tol=1e30, fill_factor=1, permc_spec="MMD_AT_PLUS_A", options=SYMMETRIC).perm_c)


def dissected(pairs: np.ndarray, otherwise: np.ndarray) -> np.ndarray:
    """Bodies (N,) in an order by nested dissection; `otherwise` (N,) orders the parts that are not divided any more."""
    start, neighbour = graph(pairs, np.arange(len(otherwise)))
    return nested_dissection(start, neighbour, _coordinates(start, neighbour), places(otherwise))


def places(order: np.ndarray) -> np.ndarray:
    """Place (N,) of every body in an order."""
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return place


def _coordinates(start, neighbour):
    """Differences (K, N) of the distances to two of a few bodies that are far from each other.

    Bodies of equal difference lie on a line across the way between the two, as straight as the graph allows.
    """
    body = int(np.argmax(distances(start, neighbour, 0)))
    far = [distances(start, neighbour, body)]
    while len(far) < LANDMARKS:
        far.append(distances(start, neighbour, int(np.argmax(np.min(far, axis=0)))))
    return np.array([far[i] - far[j] for i in range(LANDMARKS) for j in range(i)])
