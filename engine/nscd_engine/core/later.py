"""Kernels that other processes are compiling, and that an analysis can do without until they are ready.

Such a kernel calls others in one sequence, to save the time of Python around them. Its Python code does the same with
the same bits, slower: only what has a file of its own is compiled. So a first analysis need not wait for it.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any, Callable, Dict, Set

#: Names "module.function" of the kernels that are not ready. Whoever compiles them adds and removes names.
awaited: Set[str] = set()

_uncompiled: Dict[Any, Callable[..., Any]] = {}


def ready(kernel: Any) -> Callable[..., Any]:
    """The kernel, or its Python code while it is compiled elsewhere."""
    if not awaited:
        return kernel
    function = kernel.py_func
    name = "{}.{}".format(function.__module__.split(".")[-1], function.__qualname__)
    return uncompiled(function) if name in awaited else kernel


def uncompiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """The Python function, with functions that only kernels call as Python too."""
    if function not in _uncompiled:
        code, known = function.__code__, function.__globals__
        parts = {name: known[name] for name in code.co_names if hasattr(known.get(name), "py_func")}
        plain = {name: uncompiled(part.py_func) for name, part in parts.items() if not has_entry(part)}
        _uncompiled[function] = FunctionType(code, dict(known, **plain), function.__name__)
    return _uncompiled[function]


def has_entry(kernel: Any) -> bool:
    """Whether Python can call a compiled function; functions that only kernels call have none (`kernels.jit`)."""
    return not kernel.targetoptions.get("no_cpython_wrapper", False)
