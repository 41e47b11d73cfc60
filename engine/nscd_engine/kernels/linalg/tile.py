"""Products of dense matrices, six rows at a time. A factorisation spends most of its time here.

    C[6, columns] = A[6, n] T[n, columns],   or C -= A T

Rows of C and T are contiguous: the row of a tile is one or two vector registers, and the twelve sums of a tile stay in
registers for any n. Compilers do not find these vectors; they are written out here as LLVM instructions.

All arrays are flat and of one type, float64 or float32. C and T are given by the offset of their first number and the
distance between rows, A also by the distance between columns. C may be part of T: a tile is read before it is written.

These functions, and those of cholesky.py and padded_tile.py that call them or work like them, take (array, offset,
stride) as BLAS does and so have more than eight parameters. A struct or a slice for every tile would count references
to its array, which takes as long as the product of a small tile.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from nscd_engine.kernels.jit import inner

#: Rows of a tile [-]: the degrees of freedom of a body.
ROWS = 6
#: Size of a vector [bytes], that of AVX registers. A machine with narrower registers takes two for one.
VECTOR = 32
#: Columns of the narrowest tile [-]; numbers of columns are even.
NARROWEST = 2


def lanes(array):
    """Numbers in a vector."""
    return VECTOR // array.itemsize


@overload(lanes)
def _choose_lanes(array):
    count = VECTOR // (array.dtype.bitwidth // 8)
    return lambda array: count


def _tile(vectors, subtract):
    """Product C -= A T, or C = A T, for as many columns as `vectors` hold, at least NARROWEST."""

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
    """The same as LLVM instructions."""

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
    """C += T for as many columns as `vectors` hold."""

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
    """Type of the vectors of a tile, number of vectors in a row, and size of a number [bytes]."""
    size = array.dtype.bitwidth // 8
    columns = _columns(vectors, size)
    vector = ir.VectorType(ir.DoubleType() if size == 8 else ir.FloatType(), min(columns, VECTOR // size))
    return vector, columns // vector.count, size


def _place(context, builder, kind, array, at, *steps):
    """Address of element `at` of an array, plus steps (count, distance)."""
    for times, distance in steps:
        at = builder.add(at, builder.mul(times, distance))
    return builder.gep(context.make_array(kind)(context, builder, array).data, [at])


def _at_vectors(builder, pointer, vector, parts):
    """Addresses of the vectors of a row that begins at `pointer`."""
    ahead = [builder.gep(pointer, [ir.Constant(ir.IntType(64), part * vector.count)]) for part in range(parts)]
    return [builder.bitcast(here, vector.as_pointer()) for here in ahead]


def _spread(builder, value, vector):
    """A vector with `value` in every lane."""
    unset = ir.Constant(vector, ir.Undefined)
    single = builder.insert_element(unset, value, ir.Constant(ir.IntType(32), 0))
    lanes = ir.VectorType(ir.IntType(32), vector.count)
    return builder.shuffle_vector(single, unset, ir.Constant(lanes, [0] * vector.count))


def _product(subtract):
    """Product C -= A T, or C = A T, for an even number of columns, in tiles from the widest to the narrowest."""
    two, one, half = _tile(2, subtract), _tile(1, subtract), _tile(0.5, subtract)
    quarter = _tile(0.25, subtract)  # for float64 as wide as `half`, and not used

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
