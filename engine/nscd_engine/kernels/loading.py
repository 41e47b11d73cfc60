"""Compiled kernels are loaded without what only compiling needs.

Every new process loads some dozens of them. A kernel that is loaded needs numba's memory management and its own machine
code. What others need to compile it into themselves is read when one of them is compiled.
"""

from __future__ import annotations

import functools
import sys
from typing import Any

import numba
from numba.core import codegen, environment
from numba.core.caching import FunctionCache
from numba.core.runtime import rtsys

#: First version of numba that is known to work like this inside, and the first that is not: others do as they do.
KNOWN = (0, 60), (0, 69)


def is_known_numba() -> bool:
    """Whether this version of numba works inside as it is known to."""
    return KNOWN[0] <= tuple(int(part) for part in numba.__version__.split(".")[:2]) < KNOWN[1]


def shorten() -> None:
    """Load compiled kernels this way from now on."""
    _leave_out_what_numba_can_compile()
    if is_known_numba() and not hasattr(codegen.JITCodeLibrary, "unread"):
        _leave_out_intermediate_code()
        _leave_out_modules_of_parts()


def _leave_out_what_numba_can_compile():
    """Before numba loads a kernel, it loads all that it can compile: a tenth of a second and more."""

    def load_overload(self, sig, target_context):
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)

    FunctionCache.load_overload = load_overload


def _leave_out_intermediate_code():
    """With its machine code numba reads a kernel's intermediate code, and lists all names in it."""
    library: Any = codegen.JITCodeLibrary
    whole, module_for_linking, pointer = (
        library._unserialize,
        library._get_module_for_linking,
        library.get_pointer_to_function,
    )

    def unserialize(cls, generator, state):
        name, kind, data = state
        if kind != "object":
            return whole(generator, state)
        loaded = generator.create_library(name)
        machine_code, loaded.unread = data
        loaded.enable_object_caching()
        loaded._set_compiled_object(machine_code)
        loaded._finalize_final_module()
        return loaded

    def read_module_for_linking(self):
        if self.unread:
            self._shared_module = codegen.ll.parse_bitcode(self.unread)
            self._codegen._engine._load_defined_symbols(self._shared_module)
            self.unread = b""
        return module_for_linking(self)

    def get_pointer_to_function(self, name):
        # Asked for its entry from Python, which a kernel in a file always has.
        return self._codegen._engine.get_function_address(name) if self.unread else pointer(self, name)

    library.unread = b""
    library._unserialize = classmethod(unserialize)
    library._get_module_for_linking = read_module_for_linking
    library.get_pointer_to_function = get_pointer_to_function


def _leave_out_modules_of_parts():
    """With a kernel numba imports the modules of all functions that it contains, which compiled code never looks at."""
    whole = environment._rebuild_env

    @functools.wraps(whole)  # files of kernels name it
    def rebuild(modname, consts, env_name):
        if modname in sys.modules or not modname.startswith("numba."):
            return whole(modname, consts, env_name)
        known = environment.lookup_environment(env_name)
        if known is None:
            known = environment.Environment({"__name__": modname})
            known.consts[:] = consts
            known.env_name = env_name
            environment.Environment._memo[env_name] = known
        return known

    environment._rebuild_env = rebuild
