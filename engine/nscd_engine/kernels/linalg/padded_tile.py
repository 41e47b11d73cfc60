"""Products of a solve with the tiles of one body: the blocks of 6 x 6 in its pivot rows.

A vector has eight float32 numbers a body, the last two 0. Eight numbers are read of each row of a tile: the last two do
not count but must be finite. So a row is one register, no loop has a remainder, and any body in a vector is read and
written in place. Tiles are contiguous in memory: with rows as long as all tiles together the products take 1.5 times as
long. The vectors are written out as LLVM instructions and the functions take (array, offset), both as in tile.py.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from nscd_engine.kernels.linalg.tile import _spread

#: Rows and columns of a tile [-].
ROWS = 6
#: Numbers of a tile [-].
TILE = ROWS * ROWS
#: Numbers of a body in a vector [-]: those of a register.
WIDTH = 8

_VECTOR = ir.VectorType(ir.FloatType(), WIDTH)
_ZERO = ir.Constant(_VECTOR, [0.0] * WIDTH)
_COUNTS = ir.Constant(ir.VectorType(ir.IntType(1), WIDTH), [True] * ROWS + [False] * (WIDTH - ROWS))
#: Lanes of two vectors that are added, half of each vector at a time. After three rounds each lane is a total.
_HALVES = (
    ([0, 8, 1, 9, 4, 12, 5, 13], [2, 10, 3, 11, 6, 14, 7, 15]),
    ([0, 1, 8, 9, 4, 5, 12, 13], [2, 3, 10, 11, 6, 7, 14, 15]),
    ([0, 1, 2, 3, 8, 9, 10, 11], [4, 5, 6, 7, 12, 13, 14, 15]),
)


def _bodies(own, after, rows, r_0, r_1):
    return [*range(own, after), *rows[r_0:r_1]]


def add_spread(values, at, y, body, x, own, after, rows, r_0, r_1):
    """x[j] += tile_j^T y[body] for the bodies j = own ... after - 1, rows[r_0] ... rows[r_1 - 1], in this order."""
    for j in _bodies(own, after, rows, r_0, r_1):
        for i in range(ROWS):
            for k in range(ROWS):
                x[WIDTH * j + k] += values[at + ROWS * i + k] * y[WIDTH * body + i]
        at += TILE


def _collected(values, at, x, own, after, rows, r_0, r_1):
    totals = [0.0] * ROWS
    for j in _bodies(own, after, rows, r_0, r_1):
        for i in range(ROWS):
            for k in range(ROWS):
                totals[i] += values[at + ROWS * i + k] * x[WIDTH * j + k]
        at += TILE
    return totals


def add_collected(values, at, x, own, after, rows, r_0, r_1, body):
    """x[body] += sum of tile_j x[j] over the same bodies j."""
    for i, total in enumerate(_collected(values, at, x, own, after, rows, r_0, r_1)):
        x[WIDTH * body + i] += total


def set_collected(values, at, x, own, after, rows, r_0, r_1, body):
    """x[body] = sum of tile_j x[j] over the same bodies j."""
    for i, total in enumerate(_collected(values, at, x, own, after, rows, r_0, r_1)):
        x[WIDTH * body + i] = total


class _Code:
    """Writes the instructions of one call; common to the intrinsics below."""

    def __init__(self, context, builder, signature, args):
        self.context, self.builder, self.signature, self.args = context, builder, signature, args

    def number(self, k):
        return self.context.get_constant(types.intp, k)

    def place(self, array, at):
        """Address of element `at` of an argument."""
        data = self.context.make_array(self.signature.args[array])(self.context, self.builder, self.args[array]).data
        return self.builder.gep(data, [at])

    def of_body(self, array, body):
        return self.place(array, self.builder.mul(body, self.number(WIDTH)))

    def load(self, pointer):
        return self.builder.load(self.builder.bitcast(pointer, _VECTOR.as_pointer()), align=4)

    def store(self, value, pointer):
        self.builder.store(value, self.builder.bitcast(pointer, _VECTOR.as_pointer()), align=4)

    def add(self, a, b):
        return self.builder.fadd(a, b, flags=("contract",))

    def multiply(self, a, b):
        return self.builder.fmul(a, b, flags=("contract",))

    def each(self, own, after, rows, r_0, r_1, do):
        """Call do(rows of a tile, its body) for all tiles; `rows` is the position of that argument."""
        builder = self.builder

        def tile(k):
            first = builder.add(self.args[1], builder.mul(k, self.number(TILE)))
            return [self.load(self.place(0, builder.add(first, self.number(ROWS * i)))) for i in range(ROWS)]

        width = builder.sub(after, own)
        with cgutils.for_range(builder, width) as loop:
            do(tile(loop.index), builder.add(own, loop.index))
        with cgutils.for_range(builder, builder.sub(r_1, r_0)) as loop:
            row = builder.load(self.place(rows, builder.add(r_0, loop.index)))
            body = self.context.cast(builder, row, self.signature.args[rows].dtype, types.intp)
            do(tile(builder.add(width, loop.index)), body)

    def totals(self, sums):
        """One vector of the totals of eight vectors."""
        lanes = ir.VectorType(ir.IntType(32), WIDTH)
        for halves in _HALVES:
            pairs = zip(sums[::2], sums[1::2])
            one, other = (ir.Constant(lanes, half) for half in halves)
            mixed = self.builder.shuffle_vector
            sums = [self.add(mixed(a, b, one), mixed(a, b, other)) for a, b in pairs]
        return sums[0]


@intrinsic
def _add_spread(typing, values, at, y, body, x, own, after, rows, r_0, r_1):
    def generate(context, builder, signature, args):
        code = _Code(context, builder, signature, args)
        first = builder.mul(args[3], code.number(WIDTH))
        factors = [builder.load(code.place(2, builder.add(first, code.number(i)))) for i in range(ROWS)]
        factors = [builder.select(_COUNTS, _spread(builder, factor, _VECTOR), _ZERO) for factor in factors]

        def do(tile, j):
            here = code.of_body(4, j)
            a, b, c, d, e, f = [code.multiply(factor, row) for factor, row in zip(factors, tile)]
            total = code.add(code.add(code.add(a, b), c), code.add(code.add(d, e), f))
            code.store(code.add(code.load(here), total), here)

        code.each(args[5], args[6], 7, args[8], args[9], do)
        return context.get_dummy_value()

    return types.void(values, types.intp, y, types.intp, x, *_RANGE, rows, *_RANGE), generate


def _collect(adds):
    @intrinsic
    def collect(typing, values, at, x, own, after, rows, r_0, r_1, body):
        def generate(context, builder, signature, args):
            code = _Code(context, builder, signature, args)
            sums = [cgutils.alloca_once_value(builder, _ZERO) for _ in range(ROWS)]

            def do(tile, j):
                across = code.load(code.of_body(2, j))
                for total, row in zip(sums, tile):
                    builder.store(code.add(builder.load(total), code.multiply(across, row)), total)

            code.each(args[3], args[4], 5, args[6], args[7], do)
            here = code.of_body(2, args[8])
            total = code.totals([builder.load(total) for total in sums] + [_ZERO] * (WIDTH - ROWS))
            code.store(code.add(code.load(here), total) if adds else total, here)
            return context.get_dummy_value()

        return types.void(values, types.intp, x, *_RANGE, rows, *_RANGE, types.intp), generate

    return collect


_RANGE = (types.intp, types.intp)
_add_collected, _set_collected = _collect(True), _collect(False)


@overload(add_spread, jit_options={"forceinline": True})
def _choose_add_spread(values, at, y, body, x, own, after, rows, r_0, r_1):
    def call(values, at, y, body, x, own, after, rows, r_0, r_1):
        _add_spread(values, at, y, body, x, own, after, rows, r_0, r_1)

    return call


@overload(add_collected, jit_options={"forceinline": True})
def _choose_add_collected(values, at, x, own, after, rows, r_0, r_1, body):
    def call(values, at, x, own, after, rows, r_0, r_1, body):
        _add_collected(values, at, x, own, after, rows, r_0, r_1, body)

    return call


@overload(set_collected, jit_options={"forceinline": True})
def _choose_set_collected(values, at, x, own, after, rows, r_0, r_1, body):
    def call(values, at, x, own, after, rows, r_0, r_1, body):
        _set_collected(values, at, x, own, after, rows, r_0, r_1, body)

    return call
