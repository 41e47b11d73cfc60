"""Kernels are compiled in less time: numba does not do again what it has done, nor what nobody uses.

None of this changes the code of a kernel. A first analysis needs about an eighth less processor time for its kernels.
"""

from __future__ import annotations

from typing import Any, Dict

from numba.core import codegen, cpu, ir
from numba.core.base import BaseContext
from numba.core.types.functions import BaseFunction

from nscd_engine.kernels.loading import is_known_numba

#: What a value in numba's intermediate representation is, for the variables in it.
NOTHING, VARIABLE, INSTRUCTION, SEQUENCE, TABLE = range(5)


def shorten() -> None:
    """Compile this way from now on."""
    if is_known_numba() and not hasattr(codegen.JITCodeLibrary, "is_part"):
        _leave_out_code_of_parts()
        _remember_types()
        _remember_sizes()
        _list_variables_at_once()


def _leave_out_code_of_parts():
    """A function that has no entry from Python is only a part of kernels, which contain its code once more.

    numba translates each for the processor. Here only the kernels are. A part is optimised as ever: motions are a third
    slower with kernels that were made of parts as they are written.
    """
    library: Any = codegen.JITCodeLibrary
    context: Any = cpu.CPUContext
    whole, finish = context.get_executable, library._finalize_final_module

    def get_executable(self, part, fndesc, env):
        loaded = part._finalized  # from a file, where only kernels are
        part.is_part = not loaded and not _defines(part, fndesc.llvm_cpython_wrapper_name)
        if not part.is_part:
            return whole(self, part, fndesc, env)
        name = fndesc.qualname.split(".")[-1]
        return cpu._dynfunc.make_function(fndesc.lookup_module(), name, "part of kernels", 0, env, (part,))

    def finish_kernel(self):
        if not self.is_part:
            return finish(self)
        self._finalize_dynamic_globals()
        self._finalized = True

    library.is_part = False
    context.get_executable, library._finalize_final_module = get_executable, finish_kernel


def _defines(library, name):
    """Whether a function is in the code of a library."""
    try:
        library._final_module.get_function(name)
    except NameError:
        return False
    return True


def _remember_types():
    """The types of sums, products, entries of arrays: numba asks all its rules for every one, thousands of times."""
    function: Any = BaseFunction
    ask = function.get_call_type

    def get_call_type(self, context, args, kws):
        if kws or getattr(self.typing_key, "__module__", None) != "_operator":
            return ask(self, context, args, kws)
        known = self.__dict__.setdefault("known_calls", {})
        if (context, args) not in known:
            known[context, args] = ask(self, context, args, kws)
        return known[context, args]

    function.get_call_type = get_call_type


def _remember_sizes():
    """Bytes of types: numba writes and reads a module for each question."""
    context: Any = BaseContext
    ask = context.get_abi_sizeof
    known: Dict[Any, int] = {}

    def get_abi_sizeof(self, kind):
        key = self.target_data, str(kind)
        if key not in known:
            known[key] = ask(self, kind)
        return known[key]

    context.get_abi_sizeof = get_abi_sizeof


def _list_variables_at_once():
    """Variables of an instruction, without the question what each value is: it depends on its type alone."""
    kinds: Dict[type, int] = {}

    def variables(self, value):
        kind = kinds.get(type(value))
        if kind is None:
            kind = kinds[type(value)] = _kind(type(value))
        if kind == VARIABLE:
            return [value]
        if kind == INSTRUCTION:
            return value.list_vars()
        if kind == NOTHING:
            return []
        return [found for each in (value if kind == SEQUENCE else value.values()) for found in variables(self, each)]

    ir.Inst._rec_list_vars = variables


def _kind(own):
    bases = ((ir.Var, VARIABLE), (ir.Inst, INSTRUCTION), ((list, tuple), SEQUENCE), (dict, TABLE))
    return next((kind for base, kind in bases if issubclass(own, base)), NOTHING)
