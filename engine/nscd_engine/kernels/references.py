"""Kernels that only borrow arrays do not count references to them.

numba counts a reference to every array for every name that it has, also for each array in a struct, and takes most of
these counts out again: they are a fifth of the code that it makes. A kernel that gets all its arrays from its caller,
makes none and returns none needs none of them, since the caller keeps what it passes. Compiled code is otherwise the
same.
"""

from __future__ import annotations

from typing import Any

from numba.core import ir, typed_passes, types

from nscd_engine.kernels.loading import is_known_numba

#: Expressions that give an array only out of one that somebody else keeps.
TAKEN_OUT = ("build_tuple", "cast", "exhaust_iter", "getiter", "iternext", "pair_first", "pair_second", "phi")
#: Statements that do nothing with arrays.
HARMLESS = (ir.Branch, ir.Del, ir.Jump, ir.Return, ir.StaticRaise)
#: Indices by which an array is looked at, not copied.
PLACES = (types.Integer, types.SliceType, types.EllipsisType)
#: Methods that look at an array in another way.
VIEWS = ("array.reshape",)


def leave_out() -> None:
    """Compile without counts from now on, where nothing is to be counted."""
    lowering: Any = typed_passes.BaseNativeLowering
    if not is_known_numba() or hasattr(lowering, "counts_references"):
        return
    lower = lowering.run_pass

    def run_pass(self, state):
        counting = state.targetctx
        if counting.enable_nrt and only_borrows(state):
            state.targetctx = counting.subtarget(enable_nrt=False)
            vars(state.targetctx).pop("nrt", None)
        try:
            return lower(self, state)
        finally:
            state.targetctx = counting

    lowering.counts_references = False
    lowering.run_pass = run_pass


def only_borrows(state: Any) -> bool:
    """Whether a function whose types are known neither makes nor returns arrays or anything else that is counted."""
    looked_at = _Look(state)
    if state.func_ir.is_generator or looked_at.is_counted(state.return_type):
        return False
    return all(looked_at.borrows(line) for block in state.func_ir.blocks.values() for line in block.body)


class _Look:
    """What the lines of a function do with arrays."""

    def __init__(self, state: Any) -> None:
        self._types = state.typemap
        self._models = state.targetctx.data_model_manager

    def borrows(self, line: Any) -> bool:
        """Whether a line makes nothing that is counted."""
        if isinstance(line, ir.Assign):
            return not isinstance(line.value, ir.Expr) or self._gives_borrowed(
                line.value, self._types[line.target.name]
            )
        if isinstance(line, (ir.SetItem, ir.StaticSetItem)):
            return not self._has_counted(line.value) and self._is_place(line)
        return isinstance(line, HARMLESS)

    def is_counted(self, kind: Any) -> bool:
        """Whether values of a type have arrays or others that are counted."""
        return self._models[kind].contains_nrt_meminfo()

    def _gives_borrowed(self, value, kind):
        if value.op == "call":
            return self._is_harmless_call(value, kind)
        if value.op in TAKEN_OUT:
            return True
        if not self.is_counted(kind):
            return value.op in ("getattr", "getitem", "static_getitem") or not self._any_counted(value.list_vars())
        if value.op == "getattr":
            return value.attr == "T" or self._is(value.value, types.BaseTuple) or _is_method(kind)
        if value.op in ("getitem", "static_getitem", "typed_getitem"):
            return self._is(value.value, types.BaseTuple) or self._is_place(value)
        return False

    def _is_harmless_call(self, call, kind):
        called = self._types[call.func.name]
        if isinstance(called, types.NamedTupleClass) or (_is_method(called) and called.typing_key in VIEWS):
            return True
        if self.is_counted(kind):
            return False
        given = [each for each in call.list_vars() if each is not call.func]
        return isinstance(called, types.Dispatcher) or _is_known(called) or not self._any_counted(given)

    def _is_place(self, line):
        """Whether an entry or a view of an array is meant, not a copy of some entries."""
        index = line.index if isinstance(line.index, ir.Var) else line.index_var
        if index is None:
            return True
        kind = self._types[index.name]
        return all(isinstance(each, PLACES) for each in (kind if isinstance(kind, types.BaseTuple) else (kind,)))

    def _is(self, variable, kinds):
        return isinstance(self._types[variable.name], kinds)

    def _has_counted(self, variable):
        return isinstance(variable, ir.Var) and self.is_counted(self._types[variable.name])

    def _any_counted(self, variables):
        return any(self._has_counted(each) for each in variables)


def _is_known(called):
    """Whether a function that is none of the kernels only looks at arrays: one for which kernels write instructions."""
    function = getattr(called, "typing_key", None)
    return function is len or getattr(function, "__module__", "").startswith(__name__.rpartition(".")[0])


def _is_method(kind):
    return isinstance(kind, types.BoundFunction)
