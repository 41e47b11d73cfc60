"""Compiled kernels are loaded without what only compiling needs.

Before numba loads a kernel, it loads all that it can compile: a tenth of a second and more, in every new process. A
kernel that is loaded needs numba's memory management alone; one that has to be compiled loads the rest then.
"""

from __future__ import annotations

from numba.core.caching import FunctionCache
from numba.core.runtime import rtsys


def shorten() -> None:
    """Load compiled kernels this way from now on."""

    def load_overload(self, sig, target_context):
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)

    FunctionCache.load_overload = load_overload
