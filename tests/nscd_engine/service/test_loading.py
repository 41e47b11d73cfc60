"""What a new process loads before its first analysis."""

import subprocess
import sys

#: Runs the analysis that a new engine begins with, and names modules that compiling or other structures need.
CODE = """
import sys
from nscd_engine.core.monitor import Monitor
from nscd_engine.service import verbs, warm_scenes
verbs.run(verbs.ANALYSES["static"], warm_scenes.stack(0.0, solver="newton"), Monitor())
unneeded = "numba.cpython.setobj", "numba.typed.dictimpl", "numba.np.arrayobj", "scipy.sparse"
print([name for name in unneeded if name in sys.modules])
"""
#: Loads a kernel, and compiles a function that calls it.
CALLER = """
import numba, numpy
from nscd_engine.kernels.linalg.elimination_tree import elimination_tree as kernel
start, neighbour = numpy.array([0, 0, 1, 2]), numpy.array([0, 1])
kernel(start, neighbour)
library = next(iter(kernel.overloads.values())).library
unread = bool(library.unread)
parents = numba.njit(lambda start, neighbour: kernel(start, neighbour) + 10)(start, neighbour)
print(kernel.stats.cache_hits and unread and not library.unread, *parents)
"""


def test_kernels_are_loaded_without_what_only_compiling_needs():
    """Twice, if kernels had to be compiled at first."""
    assert "[]\n" in (_printed(CODE), _printed(CODE))


def test_a_kernel_that_was_loaded_is_compiled_into_others():
    """A chain of three: what only compiling needs is read then."""
    printed = _printed(CALLER), _printed(CALLER)
    assert "True 11 12 9\n" in printed


def _printed(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout
