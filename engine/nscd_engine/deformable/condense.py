"""Condensation: nodes that touch nothing are eliminated from the matrix of a body, and recovered afterwards.

A_cc' = A_cc - A_ci A_ii^-1 A_ic,   f_c' = f_c - A_ci A_ii^-1 f_i,   u_i = A_ii^-1 (f_i - A_ic u_c)
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy  # and its matrices where they are used: rigid blocks do without


class Condensed(NamedTuple):
    """Matrix of a body with n nodes on k of them; it is constant for a mesh and a step length."""

    kept: np.ndarray  # (k,): nodes, ascending
    inner: np.ndarray  # (n - k,): the others
    matrix: np.ndarray  # (3 k, 3 k)
    influence: np.ndarray  # (3 (n - k), 3 k): A_ii^-1 A_ic
    factor: Any  # SuperLU of A_ii

    def force(self, force: np.ndarray) -> np.ndarray:
        """Forces (k, 3) on the kept nodes that stand for forces (n, 3) on all."""
        return force[self.kept] - (force[self.inner].ravel() @ self.influence).reshape(-1, 3)

    def displacement(self, kept: np.ndarray, force: np.ndarray) -> np.ndarray:
        """Displacement (n, 3) of all nodes from that (k, 3) of the kept ones and the forces (n, 3) on all."""
        full = np.empty(force.shape)
        full[self.kept] = kept
        inner = self.factor.solve(force[self.inner].ravel()) - self.influence @ kept.ravel()
        full[self.inner] = inner.reshape(-1, 3)
        return full


def condensed(matrix: scipy.sparse.csr_matrix, kept: np.ndarray) -> Condensed:
    """Eliminate all nodes but some.

    Parameters
    ----------
    matrix : csr_matrix (3 n, 3 n)
        Symmetric, definite: M + h C + h^2 K.
    kept : array (k,)
        Nodes that may be touched or loaded later, in any order.
    """
    kept = np.unique(kept)
    inner = np.setdiff1d(np.arange(matrix.shape[0] // 3), kept)
    outer_rows, inner_rows = (numbers_of(each) for each in (kept, inner))
    rows = matrix[inner_rows].tocsc()
    factor = symmetric_factor(rows[:, inner_rows])
    coupling = rows[:, outer_rows].toarray()
    influence = factor.solve(coupling)
    reduced = matrix[outer_rows][:, outer_rows].toarray() - coupling.T @ influence
    return Condensed(kept, inner, 0.5 * (reduced + reduced.T), influence, factor)


def numbers_of(nodes: np.ndarray) -> np.ndarray:
    """Rows (3 k,) of the numbers of nodes (k,)."""
    return (3 * nodes[:, None] + np.arange(3)).ravel()


def symmetric_factor(matrix: scipy.sparse.csr_matrix) -> Any:
    """Factor of a symmetric definite matrix (m, m), with the order of its columns kept in its rows."""
    from scipy.sparse.linalg import splu  # loaded here: rigid blocks do without

    options = {"SymmetricMode": True}
    return splu(matrix.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options)
