"""The numerics of compas_nscd: contact detection and solvers, run in a process of its own."""

import os

# Threads are ours to manage, and sums must not depend on how many a library takes: this holds only if it is set before
# numpy is loaded. The place of the compiled kernels must be known before numba is.
for _name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[_name] = "1"

from nscd_engine import kernel_cache  # noqa: E402

kernel_cache.prepare()
