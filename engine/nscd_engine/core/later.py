"""Kernels that other processes are compiling, and that an analysis can do without until they are ready.

Such a kernel calls others in one sequence, to save the time of Python around them. Python code calls the same kernels
with the same bits, slower. So a first analysis need not wait for it.
"""

from __future__ import annotations

from typing import Any, Set

#: Names "module.function" of the kernels that are not ready. Whoever compiles them adds and removes names.
awaited: Set[str] = set()


def is_awaited(kernel: Any) -> bool:
    """Whether other processes are compiling a kernel."""
    if not awaited:
        return False
    function = kernel.py_func
    return "{}.{}".format(function.__module__.split(".")[-1], function.__qualname__) in awaited
