"""What a new process loads before its first analysis."""

import subprocess
import sys

#: Runs the analysis that a new engine begins with, and names modules of numba that only compiling needs.
CODE = """
import sys
from nscd_engine.core.monitor import Monitor
from nscd_engine.service import verbs, warm_scenes
verbs.run(verbs.ANALYSES["static"], warm_scenes.stack(0.0, solver="newton"), Monitor())
print([name for name in ("numba.cpython.setobj", "numba.typed.dictimpl") if name in sys.modules])
"""


def test_kernels_are_loaded_without_what_only_compiling_needs():
    """Twice, if kernels had to be compiled at first."""
    assert "[]\n" in (_printed(), _printed())


def _printed():
    return subprocess.run([sys.executable, "-c", CODE], capture_output=True, check=True, text=True).stdout
