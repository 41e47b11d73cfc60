"""Decorators of functions that only kernels call.

Such a function has no entry from Python: for structs of many arrays the entry takes longer to compile than the
function. It has no cache of its own either: the cached kernel contains it.
"""

from numba import njit

inner = njit(nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)
#: As `inner`, and always inlined: where the caller's constants matter, or the time to pass structs of many arrays.
merged = njit(nogil=True, error_model="numpy", forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
