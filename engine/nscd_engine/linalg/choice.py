"""Whether a matrix of a body graph is factorised or solved by conjugate gradients: an estimate of time and memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nscd_engine.core.memory import physical_memory
from nscd_engine.kernels.linalg.cholesky import Symbolic

if TYPE_CHECKING:
    from nscd_engine.linalg.symbolic import Elimination

#: Products of the matrix with a vector that one solution takes, about [-], as measured on massive piers. Larger: the
#: factor is taken where conjugate gradients would be faster.
PRODUCTS = 300.0
#: Time of a multiplication in such a product over that of one in a factorisation [-]: numbers come from memory, not
#: from the cache.
SLOWER = 10.0
#: Greatest share of the memory of the machine that a factor may take [-]. Larger: the machine swaps.
SHARE = 0.3
#: Numbers of the workspace of a factorisation over those of the factor [-], at most, about.
WORKSPACE = 1.0


def iterating_pays(structure: Elimination, pairs: int) -> bool:
    """Whether conjugate gradients take less time than the factor, or the factor does not fit in memory."""
    bodies = len(structure.order)
    product = 36.0 * (bodies + 2.0 * pairs)
    return structure.work > SLOWER * PRODUCTS * product or not fits(structure)


def fits(structure: Elimination) -> bool:
    """Whether the factor fits in the memory of the machine."""
    blocks = float(np.diff(structure.column_start).sum()) + len(structure.order)
    return 8.0 * 36.0 * blocks * (1.0 + WORKSPACE) <= SHARE * physical_memory()


def is_iterated(sym: Symbolic) -> bool:
    """Whether a structure is that of conjugate gradients: it has no supernodes."""
    return len(sym.first) == 1 and len(sym.order) > 0
