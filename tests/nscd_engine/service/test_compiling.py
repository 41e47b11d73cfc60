"""Kernels that are compiled in less time do what they did."""

import operator
import os
import subprocess
import sys

import numpy as np
import pytest
from numba import njit, types
from numba.core import ir
from numba.core.registry import cpu_target

from nscd_engine.kernels.jit import inner

#: A kernel with a part, which is kept.
MODULE = """
from numba import njit
from nscd_engine.kernels.jit import inner

@inner
def twice(x):
    return 2.0 * x

@njit(cache=True)
def one_more(x):
    return twice(x) + 1.0

print(one_more(3.0), sum(one_more.stats.cache_hits.values()))
"""


@inner
def total(values):
    found = 0.0
    for k in range(values.shape[0]):
        found += values[k]
    return found


@njit
def mean(values):
    return total(values) / values.shape[0]


def test_a_part_of_kernels_has_no_code_of_its_own():
    assert mean(np.array([1.0, 2.0, 6.0])) == 3.0
    (part,), (kernel,) = total.overloads.values(), mean.overloads.values()
    assert part.library.is_part and not kernel.library.is_part
    assert kernel.library._get_compiled_object()
    with pytest.raises(RuntimeError):
        part.library._get_compiled_object()


def test_a_kernel_from_a_file_has_its_code(tmp_path):
    """Its library is not the one that was compiled."""
    (tmp_path / "kept.py").write_text(MODULE)
    paths = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    environment = dict(os.environ, PYTHONPATH=paths, NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    call = [sys.executable, "-c", "import kept"]
    told = [subprocess.run(call, env=environment, capture_output=True, check=True, text=True).stdout for _ in range(2)]
    assert told == ["7.0 0\n", "7.0 1\n"]


def test_types_of_operators_are_those_of_their_arguments():
    """Also when asked again, and of constants, which are types of their own."""
    context = cpu_target.typing_context
    add = context.resolve_value_type(operator.add)
    for _ in range(2):
        assert add.get_call_type(context, (types.int64, types.float64), {}).return_type == types.float64
        assert add.get_call_type(context, (types.int64, types.literal(1)), {}).return_type == types.int64
        with pytest.raises(Exception, match="No implementation"):
            add.get_call_type(context, (types.int64, types.none), {})


def test_sizes_of_types_are_in_bytes():
    context = cpu_target.target_context
    for _ in range(2):
        sizes = [context.get_abi_sizeof(context.get_data_type(kind)) for kind in (types.int32, types.complex128)]
        assert sizes == [4, 16]


def test_all_variables_of_an_instruction_are_found():
    place = ir.Loc("file", 1)
    scope = ir.Scope(None, place)
    a, b, c, d = (ir.Var(scope, name, place) for name in "abcd")
    call = ir.Expr.call(a, (b,), (("key", c),), place)
    assert [each.name for each in call.list_vars()] == ["a", "b", "c"]
    assert sorted(each.name for each in ir.Assign(call, d, place).list_vars()) == ["a", "b", "c", "d"]
    assert ir.Jump(3, place).list_vars() == []
