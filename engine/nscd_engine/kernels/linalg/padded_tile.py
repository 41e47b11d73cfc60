"""Products of a solve with the tiles of a strip: the blocks of 6 x 6 in the pivot rows of up to four bodies.

A vector has eight float32 numbers a body, the last two 0. Eight numbers are read of each row of a tile: the last two do
not count but must be finite. So a row is one register, no loop has a remainder, and any body in a vector is read and
written in place. The tiles of a strip are contiguous: first those of its triangle, by rows, then those to the right,
body by body, so that the numbers of a body to the right are read once for all rows of the strip. Strips of each width
have code of their own, without a loop over their rows: loops of few rounds take longer to leave than to run. The
vectors are written out as LLVM instructions and the functions take (array, offset), both as in tile.py.
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
#: Bodies of a strip, whose triangle of R is inverted [-]. Larger: rounding of the inverse grows, and sums do not fit in
#: the registers. Smaller: more strips.
BODIES = 4

_VECTOR = ir.VectorType(ir.FloatType(), WIDTH)
_LANES = ir.VectorType(ir.IntType(32), WIDTH)
_ZERO = ir.Constant(_VECTOR, [0.0] * WIDTH)
#: Lanes of two vectors that are added, half of each vector at a time. After three rounds each lane is a total.
_HALVES = (
    ([0, 8, 1, 9, 4, 12, 5, 13], [2, 10, 3, 11, 6, 14, 7, 15]),
    ([0, 1, 8, 9, 4, 5, 12, 13], [2, 3, 10, 11, 6, 7, 14, 15]),
    ([0, 1, 2, 3, 8, 9, 10, 11], [4, 5, 6, 7, 12, 13, 14, 15]),
)


def forward_strip(values, at, x, body, width, beside, begin, end):
    """Forward substitution for the bodies of a strip, in place, and what follows from it for those to the right.

    The strip is at offset `at` of the values, its first body at `body` of x; bodies to the right are at
    beside[begin:end].
    """
    own = [body + WIDTH * i for i in range(width)]
    tiles = list(_tiles_of(own, beside[begin:end]))
    triangle = width * (width + 1) // 2
    y = [list(x[of : of + ROWS]) for of in own]
    x[body : body + WIDTH * width] = 0.0
    for k, (q, to) in enumerate(tiles):
        if k == triangle:
            y = [list(x[of : of + ROWS]) for of in own]
        for i in range(ROWS):
            for j in range(ROWS):
                x[to + j] += values[at + TILE * k + ROWS * i + j] * y[q][i]


def backward_strip(values, at, x, body, width, beside, begin, end):
    """Backward substitution for the bodies of a strip, in place, from those to the right of it."""
    own = [body + WIDTH * i for i in range(width)]
    tiles = list(_tiles_of(own, beside[begin:end]))
    triangle = width * (width + 1) // 2
    y = [list(x[of : of + ROWS]) for of in own]
    for k, (q, of) in enumerate(tiles[triangle:], triangle):
        for i in range(ROWS):
            for j in range(ROWS):
                y[q][i] += values[at + TILE * k + ROWS * i + j] * x[of + j]
    x[body : body + WIDTH * width] = 0.0
    for k, (q, of) in enumerate(tiles[:triangle]):
        for i in range(ROWS):
            for j in range(ROWS):
                x[own[q] + i] += values[at + TILE * k + ROWS * i + j] * y[own.index(of)][j]


def _tiles_of(own, beside):
    """Row of every tile of a strip and the place of the body of its columns, in their order."""
    for q in range(len(own)):
        for to in own[q:]:
            yield q, to
    for to in beside:
        for q in range(len(own)):
            yield q, to


def put_tile(values, at, sign, numbers, first, stride):
    """Copy `sign` times a tile from offset `first`, rows `stride` apart, to offset `at` of values."""
    for i in range(ROWS):
        for j in range(ROWS):
            values[at + ROWS * i + j] = sign * numbers[first + stride * i + j]


class _Strip:
    """Writes the instructions for a strip of one width; common to both substitutions."""

    def __init__(self, context, builder, signature, args, width):
        self.context, self.builder, self.signature, self.args = context, builder, signature, args
        self.width, self.own = width, width * (width + 1) // 2

    def number(self, k):
        return self.context.get_constant(types.intp, k)

    def place(self, array, at, k=0):
        """Address of element `at` + k of an argument."""
        data = self.context.make_array(self.signature.args[array])(self.context, self.builder, self.args[array]).data
        return self.builder.gep(data, [self.builder.add(at, self.number(k))])

    def load(self, pointer):
        return self.builder.load(self.builder.bitcast(pointer, _VECTOR.as_pointer()), align=4)

    def store(self, value, pointer):
        self.builder.store(value, self.builder.bitcast(pointer, _VECTOR.as_pointer()), align=4)

    def body(self, q):
        """Address of body q of the strip."""
        return self.place(2, self.args[3], WIDTH * q)

    def bodies(self):
        return [self.load(self.body(q)) for q in range(self.width)]

    def tile(self, first, k):
        """Rows of the tile k after offset `first`."""
        return [self.load(self.place(0, first, TILE * k + ROWS * i)) for i in range(ROWS)]

    def triangle(self):
        """The tiles of the triangle, by rows: tile i of row q belongs to column q + i."""
        tiles = [self.tile(self.args[1], k) for k in range(self.own)]
        return [[tiles.pop(0) for _ in range(q, self.width)] for q in range(self.width)]

    def sum(self, terms):
        """Sum of products (a, b), as two chains that do not wait for each other."""
        halves = []
        for part in (terms[0::2], terms[1::2]):
            total = self.multiply(*part[0])
            for a, b in part[1:]:
                total = self.add(self.multiply(a, b), total)
            halves.append(total)
        return self.add(*halves)

    def add(self, a, b):
        return self.builder.fadd(a, b, flags=("contract",))

    def multiply(self, a, b):
        return self.builder.fmul(a, b, flags=("contract",))

    def factors(self, vector):
        """Every number of a body in all lanes that count."""
        lanes = [ir.Constant(_LANES, [i] * ROWS + [WIDTH] * (WIDTH - ROWS)) for i in range(ROWS)]
        return [self.builder.shuffle_vector(vector, _ZERO, lane) for lane in lanes]

    def each_beside(self, do):
        """Call do(address of a body to the right, rows of its tiles) for all of them."""
        builder, (begin, end) = self.builder, self.args[6:8]
        first = builder.add(self.args[1], self.number(TILE * self.own))
        with cgutils.for_range(builder, builder.sub(end, begin)) as loop:
            at = builder.load(self.place(5, builder.add(begin, loop.index)))
            start = builder.add(first, builder.mul(loop.index, self.number(TILE * self.width)))
            do(self.place(2, at), [self.tile(start, q) for q in range(self.width)])

    def totals(self, sums):
        """One vector of the totals of eight vectors."""
        for halves in _HALVES:
            pairs = zip(sums[::2], sums[1::2])
            one, other = (ir.Constant(_LANES, half) for half in halves)
            mixed = self.builder.shuffle_vector
            sums = [self.add(mixed(a, b, one), mixed(a, b, other)) for a, b in pairs]
        return sums[0]

    def forward(self):
        before, rows = [self.factors(body) for body in self.bodies()], self.triangle()
        after = []
        for i in range(self.width):
            total = self.sum([term for q in range(i + 1) for term in zip(before[q], rows[q][i - q])])
            self.store(total, self.body(i))
            after.append(self.factors(total))

        def spread(here, tiles):
            terms = [term for factors, tile in zip(after, tiles) for term in zip(factors, tile)]
            self.store(self.add(self.load(here), self.sum(terms)), here)

        self.each_beside(spread)

    def backward(self):
        builder = self.builder
        sums = [[cgutils.alloca_once_value(builder, _ZERO) for _ in range(ROWS)] for _ in range(self.width)]

        def collect(here, tiles):
            across = self.load(here)
            for body, tile in zip(sums, tiles):
                for total, row in zip(body, tile):
                    builder.store(self.add(builder.load(total), self.multiply(across, row)), total)

        self.each_beside(collect)
        padding, rows = [_ZERO] * (WIDTH - ROWS), self.triangle()
        y = [self.totals([builder.load(total) for total in body] + padding) for body in sums]
        y = [self.add(before, more) for before, more in zip(self.bodies(), y)]
        for q, row in enumerate(rows):
            products = [[self.multiply(y[q], part) for part in row[0]]]
            for i in range(1, len(row)):
                products.append(
                    [self.add(self.multiply(y[q + i], part), before) for part, before in zip(row[i], products[-1])]
                )
            self.store(self.totals(products[-1] + padding), self.body(q))


def _substitution(name):
    @intrinsic
    def strip(typing, values, at, x, body, width, beside, begin, end):
        def generate(context, builder, signature, args):
            after = builder.append_basic_block("after")
            choice = builder.switch(args[4], after)
            for width in range(1, BODIES + 1):
                block = builder.append_basic_block("strip")
                choice.add_case(context.get_constant(types.intp, width), block)
                builder.position_at_end(block)
                getattr(_Strip(context, builder, signature, args, width), name)()
                builder.branch(after)
            builder.position_at_end(after)
            return context.get_dummy_value()

        return types.void(values, types.intp, x, types.intp, types.intp, beside, types.intp, types.intp), generate

    return strip


@intrinsic
def _put_tile(typing, values, at, sign, numbers, first, stride):
    def generate(context, builder, signature, args):
        to = context.make_array(values)(context, builder, args[0]).data
        of = context.make_array(numbers)(context, builder, args[3]).data
        single, kind = ir.FloatType(), context.get_value_type(numbers.dtype)
        for i in range(ROWS):
            row = builder.add(args[4], builder.mul(args[5], context.get_constant(types.intp, i)))
            for j, lanes in ((0, 4), (4, 2)):  # the six numbers of a row and no others, which threads may write
                here = builder.gep(of, [builder.add(row, context.get_constant(types.intp, j))])
                there = builder.gep(to, [builder.add(args[1], context.get_constant(types.intp, ROWS * i + j))])
                part, wide = ir.VectorType(single, lanes), ir.VectorType(kind, lanes)
                part_of = builder.load(builder.bitcast(here, wide.as_pointer()), align=numbers.dtype.bitwidth // 8)
                part_of = builder.fmul(_spread(builder, args[2], wide), part_of)
                part_of = part_of if kind == single else builder.fptrunc(part_of, part)
                builder.store(part_of, builder.bitcast(there, part.as_pointer()), align=4)
        return context.get_dummy_value()

    return types.void(values, types.intp, numbers.dtype, numbers, types.intp, types.intp), generate


@overload(put_tile, jit_options={"forceinline": True})
def _choose_put_tile(values, at, sign, numbers, first, stride):
    def call(values, at, sign, numbers, first, stride):
        _put_tile(values, at, sign, numbers, first, stride)

    return call


_forward, _backward = _substitution("forward"), _substitution("backward")


@overload(forward_strip, jit_options={"forceinline": True})
def _choose_forward_strip(values, at, x, body, width, beside, begin, end):
    def call(values, at, x, body, width, beside, begin, end):
        _forward(values, at, x, body, width, beside, begin, end)

    return call


@overload(backward_strip, jit_options={"forceinline": True})
def _choose_backward_strip(values, at, x, body, width, beside, begin, end):
    def call(values, at, x, body, width, beside, begin, end):
        _backward(values, at, x, body, width, beside, begin, end)

    return call
