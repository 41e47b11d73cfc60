"""Decorator of functions that only kernels call.

They need no way in from Python, which for structs of many arrays takes longer to compile than the function, and no
cache of their own: the cached kernel contains them.
"""

from numba import njit

inner = njit(nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)
