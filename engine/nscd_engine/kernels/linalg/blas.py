"""Products of large dense matrices by the BLAS that scipy brings, called from kernels.

Its product of two matrices is the fastest that the machine has, but needs a few microseconds to begin: tile.py is
faster for small ones. It runs on one thread, because the engine says so before numpy is loaded: the bits of a sum do
not depend on how many threads there are.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

_BYTE, _PLACE = ir.IntType(8), ir.IntType(64)
_POINTER = _BYTE.as_pointer()


def subtract_gram(C, c, row_c, R, left, right, row_r, n, rows, columns):
    """C[i, j] -= sum of R[q, i] R[q, j] over q < n, for i < rows, j < columns; flat arrays of one type.

    C begins at offset c. R[0, i] begins at offset `left` for the rows of the product and at `right` for its columns.
    The rows of C and R are row_c and row_r apart.
    """
    for i in range(rows):
        for j in range(columns):
            total = 0.0
            for q in range(n):
                total += R[left + q * row_r + i] * R[right + q * row_r + j]
            C[c + i * row_c + j] -= total


@intrinsic
def _by_gemm(typing, C, c, row_c, R, left, right, row_r, n, rows, columns):
    """The same by `gemm`. It takes columns for rows: our C is its C transposed, our R its R transposed."""

    def generate(context, builder, signature, args):
        number = context.get_value_type(signature.args[0].dtype)

        def address(array, at):
            data = context.make_array(signature.args[array])(context, builder, args[array]).data
            return builder.bitcast(builder.gep(data, [at]), _POINTER)

        def constant(value):
            return builder.bitcast(cgutils.alloca_once_value(builder, ir.Constant(number, value)), _POINTER)

        _, c, row_c, _, left, right, row_r, n, rows, columns = args
        kind = "d" if signature.args[0].dtype == types.float64 else "s"
        letters = [ir.Constant(_BYTE, ord(letter)) for letter in (kind, "n", "t")]
        sizes = [_BYTE] * 3 + [_PLACE] * 3 + [_POINTER] * 2 + [_PLACE, _POINTER, _PLACE, _POINTER, _POINTER, _PLACE]
        gemm = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(ir.IntType(32), sizes), "numba_xxgemm"
        )  # numba's own way to BLAS: found by its name, so that the kernel can be kept on disk
        factors = [constant(-1.0), address(3, right), row_r, address(3, left), row_r]
        builder.call(gemm, letters + [columns, rows, n] + factors + [constant(1.0), address(0, c), row_c])
        return context.get_dummy_value()

    return types.void(C, types.intp, types.intp, R, *[types.intp] * 6), generate


@overload(subtract_gram)
def _choose(C, c, row_c, R, left, right, row_r, n, rows, columns):
    def call(C, c, row_c, R, left, right, row_r, n, rows, columns):
        _by_gemm(C, c, row_c, R, left, right, row_r, n, rows, columns)

    return call
