"""Decorator of functions that only kernels call.

They need no way in from Python, which for structs of many arrays takes longer to compile than the function, and no
cache of their own: the cached kernel contains them.
"""

from numba import njit

inner = njit(nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)
#: The same, and no call at all: where a caller's constants matter, or the time of passing structs of many arrays.
merged = njit(nogil=True, error_model="numpy", forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
