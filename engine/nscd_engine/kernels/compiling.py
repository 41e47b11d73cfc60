"""Kernels are compiled in less time: numba does not do again what it has done, nor what nobody uses.

None of this changes the code of a kernel. A first analysis needs about a sixth less processor time for its kernels.
"""

from __future__ import annotations

import functools
from typing import Any, Dict

from numba.core import codegen, cpu, ir, postproc, transforms
from numba.core.base import BaseContext
from numba.core.types.functions import BaseFunction
from numba.core.typing.context import BaseContext as TypingContext

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
        _follow_variables_once()
        _look_for_new_definitions_once()


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


def _follow_variables_once():
    """Where each variable is used last: numba finds it after each of its passes, and needs it after the last one.

    Generators need it before.
    """
    processor: Any = postproc.PostProcessor
    whole = processor.run

    def run(self, emit_dels=False, **given):
        function = self.func_ir
        if function.is_generator:
            return whole(self, emit_dels, **given)
        function.blocks = transforms.canonicalize_cfg(function.blocks)
        function.variable_lifetime = postproc.VariableLifetime(function.blocks)
        function.generator_info = None
        if emit_dels:
            self._insert_var_dels(**given)

    processor.run = run


def _look_for_new_definitions_once():
    """Functions that numba can compile: it goes through all places of definitions several times for every function."""

    def refresh(self, whole):
        if self.__dict__.get("seen_definitions") != _definitions(self):
            whole(self)
            self.seen_definitions = _definitions(self)
        elif hasattr(self, "typing_context"):
            self.typing_context.refresh()

    for kind in (BaseContext, TypingContext):
        context: Any = kind
        context.refresh = functools.partialmethod(refresh, whole=context.refresh)


def _definitions(context):
    """How many definitions each place has that a context of numba has looked at."""
    places = context._registries.items()
    return [len(getattr(place, kind)) for place, loader in places for kind in loader.registry_items]


def _kind(own):
    bases = ((ir.Var, VARIABLE), (ir.Inst, INSTRUCTION), ((list, tuple), SEQUENCE), (dict, TABLE))
    return next((kind for base, kind in bases if issubclass(own, base)), NOTHING)
