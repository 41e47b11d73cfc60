"""Products of dense matrices six rows at a time: what a factorisation spends its time on.

    C[6, columns] = A[6, n] T[n, columns],   or C -= A T

Rows of C and T are contiguous, so the row of a tile is one or two vector registers, and the twelve sums of a tile stay
in registers however long n is. Compilers do not find this by themselves: here the vectors are spelt out.
All arrays are flat; C and T are given by the place where they begin and the distance between rows, A by that between
columns as well. C may lie in T: a tile is read before it is written.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from .inner import inner

#: Rows of a tile: those of a body.
ROWS = 6
#: Numbers in a vector [-]; a machine with narrower registers takes two for one.
LANES = 4


def _tile(columns, subtract):
    """The product for so many columns: C -= A T, or C = A T."""

    def multiply(C, c, row_c, A, a, row_a, column_a, T, t, row_t, n):
        sums = [[0.0] * columns for _ in range(ROWS)]
        for i in range(ROWS):
            for k in range(n):
                for j in range(columns):
                    sums[i][j] += A[a + i * row_a + k * column_a] * T[t + k * row_t + j]
        for i in range(ROWS):
            for j in range(columns):
                C[c + i * row_c + j] = C[c + i * row_c + j] - sums[i][j] if subtract else sums[i][j]

    compiled = _in_vectors(columns, subtract)

    @overload(multiply)
    def choose(C, c, row_c, A, a, row_a, column_a, T, t, row_t, n):
        def call(C, c, row_c, A, a, row_a, column_a, T, t, row_t, n):
            compiled(C, c, row_c, A, a, row_a, column_a, T, t, row_t, n)

        return call

    return multiply


def _in_vectors(columns, subtract):
    """The same, spelt out for the compiler."""
    vector = ir.VectorType(ir.DoubleType(), min(columns, LANES))
    parts = range(columns // vector.count)

    @intrinsic
    def multiply(typing, C, c, row_c, A, a, row_a, column_a, T, t, row_t, n):
        def generate(context, builder, signature, args):
            def place(array, at, *steps):
                """Address of element `at` of an array, and further by steps of so many times a distance."""
                for times, distance in steps:
                    at = builder.add(at, builder.mul(times, distance))
                return builder.gep(context.make_array(signature.args[array])(context, builder, args[array]).data, [at])

            def vectors(pointer):
                ahead = [builder.gep(pointer, [index[part * vector.count]]) for part in parts]
                return [builder.bitcast(here, vector.as_pointer()) for here in ahead]

            index = [context.get_constant(types.intp, k) for k in range(max(ROWS, columns))]
            zero = ir.Constant(vector, [0.0] * vector.count)
            sums = [[cgutils.alloca_once_value(builder, zero) for _ in parts] for _ in range(ROWS)]
            with cgutils.for_range(builder, args[10]) as loop:
                across = [builder.load(here, align=8) for here in vectors(place(7, args[8], (loop.index, args[9])))]
                for i in range(ROWS):
                    factor = builder.load(place(3, args[4], (index[i], args[5]), (loop.index, args[6])))
                    factor = _spread(builder, factor, vector)
                    for part in parts:
                        product = builder.fmul(factor, across[part], flags=("contract",))
                        total = builder.fadd(builder.load(sums[i][part]), product, flags=("contract",))
                        builder.store(total, sums[i][part])
            for i in range(ROWS):
                for total, here in zip(sums[i], vectors(place(0, args[1], (index[i], args[2])))):
                    value = builder.load(total)
                    if subtract:
                        value = builder.fsub(builder.load(here, align=8), value)
                    builder.store(value, here, align=8)
            return context.get_dummy_value()

        return types.void(C, *_PLACE, A, *_PLACE, types.intp, T, *_PLACE, types.intp), generate

    return multiply


_PLACE = (types.intp, types.intp)


def _spread(builder, value, vector):
    """A vector that holds `value` everywhere."""
    unset = ir.Constant(vector, ir.Undefined)
    single = builder.insert_element(unset, value, ir.Constant(ir.IntType(32), 0))
    lanes = ir.VectorType(ir.IntType(32), vector.count)
    return builder.shuffle_vector(single, unset, ir.Constant(lanes, [0] * vector.count))


def _product(subtract):
    eight, four, two = _tile(8, subtract), _tile(4, subtract), _tile(2, subtract)

    @inner
    def product(C, c, row_c, A, a, row_a, column_a, T, t, row_t, n, columns):
        j = 0
        while j + 8 <= columns:
            eight(C, c + j, row_c, A, a, row_a, column_a, T, t + j, row_t, n)
            j += 8
        if j + 4 <= columns:
            four(C, c + j, row_c, A, a, row_a, column_a, T, t + j, row_t, n)
            j += 4
        if j < columns:
            two(C, c + j, row_c, A, a, row_a, column_a, T, t + j, row_t, n)

    return product


#: C[6, columns] = A[6, n] T[n, columns], and C -= A T; an even number of columns.
set_product, subtract_product = _product(False), _product(True)
