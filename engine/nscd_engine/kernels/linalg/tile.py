"""Products of dense matrices six rows at a time: what a factorisation spends its time on.

    C[6, columns] = A[6, n] T[n, columns],   or C -= A T

Rows of C and T are contiguous, so the row of a tile is one or two vector registers, and the twelve sums of a tile stay
in registers however long n is. Compilers do not find this by themselves: here the vectors are spelt out.
All arrays are flat, of one type, float64 or float32; C and T are given by the place where they begin and the distance
between rows, A by that between columns as well. C may lie in T: a tile is read before it is written.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from nscd_engine.kernels.jit import inner

#: Rows of a tile: those of a body.
ROWS = 6
#: Bytes of a vector; a machine with narrower registers takes two for one.
VECTOR = 32
#: Columns of the narrowest tile.
NARROWEST = 2


def lanes(array):
    """Numbers in a vector."""
    return VECTOR // array.itemsize


@overload(lanes)
def _choose_lanes(array):
    count = VECTOR // (array.dtype.bitwidth // 8)
    return lambda array: count


def _tile(vectors, subtract):
    """Product C -= A T, or C = A T, for the columns that so many vectors hold (the narrowest type at least)."""

    def multiply(C, c, row_c, A, a, row_a, column_a, T, t, row_t, n):
        columns = _columns(vectors, C.itemsize)
        sums = [[0.0] * columns for _ in range(ROWS)]
        for i in range(ROWS):
            for k in range(n):
                for j in range(columns):
                    sums[i][j] += A[a + i * row_a + k * column_a] * T[t + k * row_t + j]
        for i in range(ROWS):
            for j in range(columns):
                C[c + i * row_c + j] = C[c + i * row_c + j] - sums[i][j] if subtract else sums[i][j]

    compiled = _in_vectors(vectors, subtract)

    @overload(multiply)
    def choose(C, c, row_c, A, a, row_a, column_a, T, t, row_t, n):
        def call(C, c, row_c, A, a, row_a, column_a, T, t, row_t, n):
            compiled(C, c, row_c, A, a, row_a, column_a, T, t, row_t, n)

        return call

    return multiply


def _in_vectors(vectors, subtract):
    """The same, spelt out for the compiler."""

    @intrinsic
    def multiply(typing, C, c, row_c, A, a, row_a, column_a, T, t, row_t, n):
        vector, parts, size = _vector(vectors, C)

        def generate(context, builder, signature, args):
            def place(array, at, *steps):
                return _place(context, builder, signature.args[array], args[array], at, *steps)

            def at_vectors(pointer):
                return _at_vectors(builder, pointer, vector, parts)

            index = [context.get_constant(types.intp, k) for k in range(ROWS)]
            zero = ir.Constant(vector, [0.0] * vector.count)
            sums = [[cgutils.alloca_once_value(builder, zero) for _ in range(parts)] for _ in range(ROWS)]
            with cgutils.for_range(builder, args[10]) as loop:
                across = [builder.load(at, align=size) for at in at_vectors(place(7, args[8], (loop.index, args[9])))]
                for i in range(ROWS):
                    factor = builder.load(place(3, args[4], (index[i], args[5]), (loop.index, args[6])))
                    factor = _spread(builder, factor, vector)
                    for part in range(parts):
                        product = builder.fmul(factor, across[part], flags=("contract",))
                        total = builder.fadd(builder.load(sums[i][part]), product, flags=("contract",))
                        builder.store(total, sums[i][part])
            for i in range(ROWS):
                for total, here in zip(sums[i], at_vectors(place(0, args[1], (index[i], args[2])))):
                    value = builder.load(total)
                    if subtract:
                        value = builder.fsub(builder.load(here, align=size), value)
                    builder.store(value, here, align=size)
            return context.get_dummy_value()

        return types.void(C, *_PLACE, A, *_PLACE, types.intp, T, *_PLACE, types.intp), generate

    return multiply


def _sum_tile(vectors):
    """C += T for as many columns."""

    def add(C, c, row_c, T, t, row_t):
        for i in range(ROWS):
            for j in range(_columns(vectors, C.itemsize)):
                C[c + i * row_c + j] += T[t + i * row_t + j]

    @intrinsic
    def compiled(typing, C, c, row_c, T, t, row_t):
        vector, parts, size = _vector(vectors, C)

        def generate(context, builder, signature, args):
            for i in range(ROWS):
                row = context.get_constant(types.intp, i)
                here = _place(context, builder, signature.args[0], args[0], args[1], (row, args[2]))
                there = _place(context, builder, signature.args[3], args[3], args[4], (row, args[5]))
                for to, source in zip(*[_at_vectors(builder, at, vector, parts) for at in (here, there)]):
                    total = builder.fadd(builder.load(to, align=size), builder.load(source, align=size))
                    builder.store(total, to, align=size)
            return context.get_dummy_value()

        return types.void(C, *_PLACE, T, *_PLACE), generate

    @overload(add)
    def choose(C, c, row_c, T, t, row_t):
        def call(C, c, row_c, T, t, row_t):
            compiled(C, c, row_c, T, t, row_t)

        return call

    return add


_PLACE = (types.intp, types.intp)


def _columns(vectors, size):
    """Columns of a tile of numbers of `size` bytes."""
    return max(int(vectors * VECTOR) // size, NARROWEST)


def _vector(vectors, array):
    """Type of the vectors of a tile, how many make a row, and bytes of a number."""
    size = array.dtype.bitwidth // 8
    columns = _columns(vectors, size)
    vector = ir.VectorType(ir.DoubleType() if size == 8 else ir.FloatType(), min(columns, VECTOR // size))
    return vector, columns // vector.count, size


def _place(context, builder, kind, array, at, *steps):
    """Address of element `at` of an array, and further by steps of so many times a distance."""
    for times, distance in steps:
        at = builder.add(at, builder.mul(times, distance))
    return builder.gep(context.make_array(kind)(context, builder, array).data, [at])


def _at_vectors(builder, pointer, vector, parts):
    """Addresses of the vectors of a row that begins at `pointer`."""
    ahead = [builder.gep(pointer, [ir.Constant(ir.IntType(64), part * vector.count)]) for part in range(parts)]
    return [builder.bitcast(here, vector.as_pointer()) for here in ahead]


def _spread(builder, value, vector):
    """A vector that holds `value` everywhere."""
    unset = ir.Constant(vector, ir.Undefined)
    single = builder.insert_element(unset, value, ir.Constant(ir.IntType(32), 0))
    lanes = ir.VectorType(ir.IntType(32), vector.count)
    return builder.shuffle_vector(single, unset, ir.Constant(lanes, [0] * vector.count))


def _product(subtract):
    two, one, half = _tile(2, subtract), _tile(1, subtract), _tile(0.5, subtract)
    quarter = _tile(0.25, subtract)  # for float64 as wide as the half, and not needed

    @inner
    def product(C, c, row_c, A, a, row_a, column_a, T, t, row_t, n, columns):
        j, width = 0, lanes(C)
        while j + 2 * width <= columns:
            two(C, c + j, row_c, A, a, row_a, column_a, T, t + j, row_t, n)
            j += 2 * width
        if j + width <= columns:
            one(C, c + j, row_c, A, a, row_a, column_a, T, t + j, row_t, n)
            j += width
        if j + width // 2 <= columns:
            half(C, c + j, row_c, A, a, row_a, column_a, T, t + j, row_t, n)
            j += width // 2
        if width > 4 and j < columns:
            quarter(C, c + j, row_c, A, a, row_a, column_a, T, t + j, row_t, n)

    return product


add_two, add_one, add_half, add_quarter = [_sum_tile(vectors) for vectors in (2, 1, 0.5, 0.25)]


@inner
def add_rows(C, c, row_c, T, t, row_t, columns):
    """C[6, columns] += T; an even number of columns."""
    j, width = 0, lanes(C)
    while j + 2 * width <= columns:
        add_two(C, c + j, row_c, T, t + j, row_t)
        j += 2 * width
    if j + width <= columns:
        add_one(C, c + j, row_c, T, t + j, row_t)
        j += width
    if j + width // 2 <= columns:
        add_half(C, c + j, row_c, T, t + j, row_t)
        j += width // 2
    if width > 4 and j < columns:
        add_quarter(C, c + j, row_c, T, t + j, row_t)


#: C[6, columns] = A[6, n] T[n, columns], and C -= A T; an even number of columns.
set_product, subtract_product = _product(False), _product(True)
