"""Entries of compiled functions that nobody calls are left out, since each takes time to compile.

numba gives every function an entry for calls from C. Kernels are called from Python and from each other, and numba's
own functions inside them from kernels. Without these entries a first analysis compiles about a twelfth faster.
Some of numba's own functions have an entry from Python too, which nobody calls either.
"""

from __future__ import annotations

from typing import Any

from numba.core.cpu import CPUTargetOptions
from numba.core.dispatcher import _FunctionCompiler

#: Modules of functions that numba puts into kernels.
INSIDE = ("numba.np.", "numba.cpython.")


def leave_out() -> None:
    """Compile without entries for C from now on."""
    options: Any = CPUTargetOptions
    if getattr(options.finalize, "without_entries", False):
        return
    finalize = options.finalize

    def finalize_without_entries(self, flags, given):
        finalize(self, flags, given)
        flags.no_cfunc_wrapper = True

    finalize_without_entries.without_entries = True  # type: ignore[attr-defined]
    options.finalize = finalize_without_entries
    _leave_out_entries_from_python()


def _leave_out_entries_from_python():
    compiler: Any = _FunctionCompiler
    customize = compiler._customize_flags

    def customize_flags(self, flags):
        flags = customize(self, flags)
        if self.py_func.__module__.startswith(INSIDE):
            flags.no_cpython_wrapper = True
        return flags

    compiler._customize_flags = customize_flags
