"""Write a matrix product as a library does it: in tiles, from packed memory, and write a fused loop.

A matrix product of n x k and k x m numbers needs n * m * k products. The processor is not what makes
a simple loop slow: it waits for memory. A cache keeps the last few lines of memory that were used, 8
numbers in each. A loop that runs down a column of a large matrix uses one number of each line,
and finds none of the lines in the cache when it comes back.

A fast product reads each number of the matrices once. It copies ("packs") blocks of them into new
memory, in the order in which they are needed, and then computes a small tile of the result at a
time, in variables and not in memory:

    for each block of DEPTH columns of a, which are rows of b
        pack the block of a, TILE rows at a time
        for each TILE columns of b
            pack them
            for each TILE rows of a
                compute a tile of TILE x TILE sums          micro
                add it to c                                 add_tile

`Memory` below counts what you do. While your code is tested, it is replaced by one that has `allocate`,
`read` and `write` only. And `mm` of the library calls your `gemm`, with the memory, the offset and the
strides of its tensors.
"""

from dataclasses import dataclass

TILE = 4  # rows and columns of a tile
DEPTH = 16  # columns of `a` in a block, which are rows of `b`


class Memory:
    """Numbers at the addresses 0, 1, 2 and so on. All reading and writing is written down."""

    def __init__(self):
        self.numbers = []
        self.log = []  # an address for each read, and ~address for each write

    def allocate(self, count):
        """Return the address of the first of `count` new zeros, at the beginning of a line."""
        address = len(self.numbers)
        self.numbers += [0.0] * (-(-count // 8) * 8)
        return address

    def read(self, address):
        """Return the number at an address."""
        self.log.append(address)
        return self.numbers[address]

    def write(self, address, number):
        """Write a number to an address."""
        self.log.append(~address)
        self.numbers[address] = number


@dataclass
class Matrix:
    """A matrix, or a part of one, that is somewhere in memory.

    Attributes
    ----------
    memory : Memory
    address : int
        Where the element [0, 0] is.
    shape : tuple of int
        The numbers of rows and columns.
    strides : tuple of int
        How many addresses further the next row is, and the next column.
    """

    memory: Memory
    address: int
    shape: tuple
    strides: tuple

    def t(self):
        """Return the transposed matrix, which looks at the same memory."""
        return Matrix(self.memory, self.address, self.shape[::-1], self.strides[::-1])


def position(matrix, i, j):
    """Return the address of the element [i, j]."""
    # <answer position>
    # hint: How many addresses further is row i, and how many more is column j?
    # hint: `matrix.strides[0]` is the way to the next row. Do not forget where the matrix begins.
    # hint: `matrix.address + i * matrix.strides[0] + j * matrix.strides[1]`.
    return matrix.address + i * matrix.strides[0] + j * matrix.strides[1]
    # <wrong strides_exchanged>
    #| return matrix.address + i * matrix.strides[1] + j * matrix.strides[0]
    # <wrong offset_lost>
    #| return i * matrix.strides[0] + j * matrix.strides[1]
    # <wrong strides_ignored>
    #| return matrix.address + i * matrix.shape[1] + j
    # </answer>


def naive(a, b, c):
    """Write the product of `a` and `b` into `c`, with three loops.

    Each element of `c` is written once and never read. This is what `gemm` is compared with.
    """
    # <answer naive>
    # hint: An element of `c` is the sum of products along a row of `a` and a column of `b`.
    # hint: Add up in a variable. `a.memory.read(position(a, i, k))` is an element of `a`.
    # hint: For i and j: total = 0.0; for k: add the product; then
    #   `c.memory.write(position(c, i, j), total)`.
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a.memory.read(position(a, i, k)) * b.memory.read(position(b, k, j))
            c.memory.write(position(c, i, j), total)
    # <wrong sums_in_memory>
    #| for i in range(c.shape[0]):
    #|     for j in range(c.shape[1]):
    #|         c.memory.write(position(c, i, j), 0.0)
    #|         for k in range(a.shape[1]):
    #|             product = a.memory.read(position(a, i, k)) * b.memory.read(position(b, k, j))
    #|             total = c.memory.read(position(c, i, j)) + product
    #|             c.memory.write(position(c, i, j), total)
    # </answer>


def pack(matrix, first, begin, depth):
    """Copy TILE rows of a block into new memory, and return its address.

    The rows begin at `first`, and of each row `depth` elements are copied, from column `begin` on.
    They are written in the order in which `micro` reads them: first the elements of column `begin`
    from all TILE rows, then those of the next column. Where the matrix has no more rows,
    zeros are written.
    """
    # <answer pack>
    # hint: How many rows are left in the matrix below `first`? The copy always has TILE of them.
    # hint: Allocate `TILE * depth` numbers. Element k of row r goes to `k * TILE + r` in them.
    # hint: For k in range(depth), for r in range(TILE): read the element [first + r, begin + k] if
    #   first + r is less than `matrix.shape[0]`, else take 0.0, and write it.
    memory = matrix.memory
    address = memory.allocate(TILE * depth)
    for k in range(depth):
        for r in range(TILE):
            number = 0.0
            if first + r < matrix.shape[0]:
                number = memory.read(position(matrix, first + r, begin + k))
            memory.write(address + k * TILE + r, number)
    return address
    # <wrong row_after_row>
    #|-         memory.write(address + k * TILE + r, number)
    #|+         memory.write(address + r * depth + k, number)
    # <wrong beyond_the_edge>
    #|-         number = 0.0
    #|-         if first + r < matrix.shape[0]:
    #|-             number = memory.read(position(matrix, first + r, begin + k))
    #|+         number = memory.read(position(matrix, first + r, begin + k) % address)
    # <wrong always_from_column_0>
    #|-             number = memory.read(position(matrix, first + r, begin + k))
    #|+             number = memory.read(position(matrix, first + r, k))
    # </answer>


def micro(memory, left, right, depth):
    """Return a tile: TILE lists of TILE sums.

    `left` and `right` are addresses that `pack` has returned. Sum [r][s] is that of the products of
    element k of row r on the left and element k of row s on the right, for all `depth` k. Each of
    the packed numbers is read once.
    """
    # <answer micro>
    # hint: Each number on the left is needed for TILE products. Where can it be in the meantime?
    # hint: For each k, read TILE numbers on the left and TILE on the right into two lists.
    # hint: `left + k * TILE + r` is the address of element k of row r. Then add the product of each
    #   of the first list with each of the second to `tile[r][s]`.
    tile = [[0.0] * TILE for _ in range(TILE)]
    for k in range(depth):
        column = [memory.read(left + k * TILE + r) for r in range(TILE)]
        row = [memory.read(right + k * TILE + s) for s in range(TILE)]
        for r in range(TILE):
            for s in range(TILE):
                tile[r][s] += column[r] * row[s]
    return tile
    # <wrong read_for_each_product>
    #| tile = [[0.0] * TILE for _ in range(TILE)]
    #| for k in range(depth):
    #|     for r in range(TILE):
    #|         for s in range(TILE):
    #|             number = memory.read(left + k * TILE + r)
    #|             tile[r][s] += number * memory.read(right + k * TILE + s)
    #| return tile
    # <wrong one_row_for_all>
    #|- tile = [[0.0] * TILE for _ in range(TILE)]
    #|+ tile = [[0.0] * TILE] * TILE
    # </answer>


def add_tile(c, i, j, tile, alpha, beta):
    """Replace the elements of `c` from [i, j] on by alpha * tile + beta * c.

    Elements of the tile that are outside of `c` are dropped. If `beta` is 0, `c` is not read: it may
    be new memory with anything in it, NaN among it.
    """
    # <answer add_tile>
    # hint: 0 * NaN is NaN. How many rows and columns of the tile are inside?
    # hint: Rows from i to min(i + TILE, c.shape[0]); columns in the same way.
    # hint: number = alpha * tile[r][s]; if beta is not 0, add beta times the element that you read;
    #   write it at `position(c, i + r, j + s)`.
    for r in range(min(TILE, c.shape[0] - i)):
        for s in range(min(TILE, c.shape[1] - j)):
            number = alpha * tile[r][s]
            if beta != 0:
                number += beta * c.memory.read(position(c, i + r, j + s))
            c.memory.write(position(c, i + r, j + s), number)
    # <wrong zero_times_nan>
    #|-         if beta != 0:
    #|-             number += beta * c.memory.read(position(c, i + r, j + s))
    #|+         number += beta * c.memory.read(position(c, i + r, j + s))
    # <wrong no_edge>
    #|- for r in range(min(TILE, c.shape[0] - i)):
    #|-     for s in range(min(TILE, c.shape[1] - j)):
    #|+ for r in range(TILE):
    #|+     for s in range(TILE):
    # <wrong whole_tiles_only>
    #|- for r in range(min(TILE, c.shape[0] - i)):
    #|-     for s in range(min(TILE, c.shape[1] - j)):
    #|+ if i + TILE > c.shape[0] or j + TILE > c.shape[1]:
    #|+     return
    #|+ for r in range(TILE):
    #|+     for s in range(TILE):
    # <wrong alpha_for_both>
    #|-         number = alpha * tile[r][s]
    #|+         number = tile[r][s]
    #|-         c.memory.write(position(c, i + r, j + s), number)
    #|+         c.memory.write(position(c, i + r, j + s), alpha * number)
    # </answer>


def gemm(alpha, a, b, beta, c):
    """Replace `c` by alpha * (a @ b) + beta * c, in tiles.

    Each element of `a` and of `b` is packed once. An element of `c` is written once for each block.
    If `a` has no columns, the product is 0, and beta * c remains.
    """
    # <answer gemm>
    # hint: The picture at the top of the file has the loops. `pack` copies rows: of which matrix
    #   are columns of `b` the rows? And which `beta` belongs to the second block?
    # hint: `b.t()` has the columns of `b` as rows. Pack all rows of `a` in the block before the loop
    #   over the columns of `b`, and keep the addresses. After the first block, beta is 1.
    # hint: `for begin in range(0, max(a.shape[1], 1), DEPTH)`, with `depth = min(DEPTH, a.shape[1] -
    #   begin)`. So a product without columns has one block of depth 0, whose tiles are 0.
    for begin in range(0, max(a.shape[1], 1), DEPTH):
        depth = min(DEPTH, a.shape[1] - begin)
        lefts = [pack(a, i, begin, depth) for i in range(0, a.shape[0], TILE)]
        for j in range(0, b.shape[1], TILE):
            right = pack(b.t(), j, begin, depth)
            for k, left in enumerate(lefts):
                add_tile(c, k * TILE, j, micro(c.memory, left, right, depth), alpha, beta)
        beta = 1
    # <wrong b_as_it_is>
    #|-         right = pack(b.t(), j, begin, depth)
    #|+         right = pack(b, j, begin, depth)
    # <wrong the_simple_loop>
    #| naive(a, b, c)
    # <wrong beta_in_every_block>
    #|-     beta = 1
    # <wrong last_block_remains>
    #|-     beta = 1
    #|+     beta = 0
    # <wrong packed_again_and_again>
    #|-     lefts = [pack(a, i, begin, depth) for i in range(0, a.shape[0], TILE)]
    #|-     for j in range(0, b.shape[1], TILE):
    #|-         right = pack(b.t(), j, begin, depth)
    #|-         for k, left in enumerate(lefts):
    #|-             add_tile(c, k * TILE, j, micro(c.memory, left, right, depth), alpha, beta)
    #|+     for j in range(0, b.shape[1], TILE):
    #|+         right = pack(b.t(), j, begin, depth)
    #|+         for i in range(0, a.shape[0], TILE):
    #|+             left = pack(a, i, begin, depth)
    #|+             add_tile(c, i, j, micro(c.memory, left, right, depth), alpha, beta)
    # <wrong nothing_for_no_columns>
    #|- for begin in range(0, max(a.shape[1], 1), DEPTH):
    #|+ for begin in range(0, a.shape[1], DEPTH):
    # <wrong last_block_lost>
    #|- for begin in range(0, max(a.shape[1], 1), DEPTH):
    #|+ for begin in range(0, max(a.shape[1] - a.shape[1] % DEPTH, 1), DEPTH):
    # </answer>


def fused(scale, x, shift, out):
    """Write relu(scale * x + shift) into `out`, in one loop.

    Three operators would read and write every element three times. Here each element of `x` is read
    once, and each of `out` is written once. relu replaces negative numbers by 0, and keeps NaN.
    """
    # <answer fused>
    # hint: Keep what is computed of one element in a variable, up to its end.
    # hint: NaN is not less than 0. What does `max(0.0, number)` return for it?
    # hint: number = scale * element + shift; write `0.0 if number < 0 else number`.
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            number = scale * x.memory.read(position(x, i, j)) + shift
            out.memory.write(position(out, i, j), 0.0 if number < 0 else number)
    # <wrong two_passes>
    #| for i in range(x.shape[0]):
    #|     for j in range(x.shape[1]):
    #|         number = scale * x.memory.read(position(x, i, j)) + shift
    #|         out.memory.write(position(out, i, j), number)
    #| for i in range(x.shape[0]):
    #|     for j in range(x.shape[1]):
    #|         number = out.memory.read(position(out, i, j))
    #|         out.memory.write(position(out, i, j), 0.0 if number < 0 else number)
    # <wrong nan_lost>
    #|-         out.memory.write(position(out, i, j), 0.0 if number < 0 else number)
    #|+         out.memory.write(position(out, i, j), max(0.0, number))
    # </answer>


# <tests>
import math
from contextlib import contextmanager

import minitorch
from exercises import plugs
from exercises.scenario import scenario

ABOUT = {
    "number": 13,
    "title": "A matrix product and a fused loop",
    "part": "Speed",
    "goal": "Write the kernel of `mm` with packed tiles, so that it reads each number once.",
    "reading": ["learn/product", "learn/forward"],
    "difficulty": 4,
    "importance": 3,
    "hours": 6,
}
LINES = 32  # lines of 8 numbers that the cache holds
TILE, DEPTH = 4, 16  # as they are given


_inside = {}  # memory -> its numbers and its log


class CountedMemory:
    """Memory like `Memory`, whose numbers and log only the tests can reach."""

    __slots__ = ("allocate", "read", "write")


def new_memory():
    """Return memory in which nothing can be read or written that is not in the log."""
    numbers, log, memory = [], [], CountedMemory()

    def allocate(count):
        address = len(numbers)
        numbers.extend([0.0] * (-(-count // 8) * 8))
        return address

    def checked(address):
        if type(address) is not int or not 0 <= address < len(numbers):
            raise IndexError(f"there is no address {address}")
        return address

    def read(address):
        log.append(checked(address))
        return numbers[address]

    def write(address, number):
        log.append(~checked(address))
        numbers[address] = number

    memory.allocate, memory.read, memory.write = allocate, read, write
    _inside[memory] = numbers, log
    return memory


def numbers_of(memory):
    return _inside[memory][0]


def log_of(memory):
    return _inside[memory][1]


def retire():
    """Take away what leads around the mode in which no operator works."""
    plugs.forbid_escapes()


loading = plugs.loading


@contextmanager
def install(piece):
    gemm = plugs.guarded(piece.gemm)

    def matrix_of(memory, x):
        whole = x.as_strided((x.untyped_storage().nbytes() // 8,), (1,), 0).tolist()
        address = memory.allocate(len(whole))
        numbers_of(memory)[address : address + len(whole)] = whole
        return piece.Matrix(memory, address + x.storage_offset(), tuple(x.shape), x.stride())

    def mm(x, y):
        if x.dtype != minitorch.float64:
            return NotImplemented
        memory = new_memory()
        c = new(piece, memory, x.shape[0], y.shape[1], math.nan)
        gemm(1, matrix_of(memory, x), matrix_of(memory, y), 0, c)
        return minitorch.tensor(elements(c), dtype=minitorch.float64).reshape(c.shape)

    with plugs.Replaced({"mm": mm}):
        yield


def new(piece, memory, rows, columns, number=0.0):
    """Return a new matrix whose rows follow one another."""
    address = memory.allocate(rows * columns)
    numbers_of(memory)[address : address + rows * columns] = [number] * (rows * columns)
    return piece.Matrix(memory, address, (rows, columns), (columns, 1))


def drawn(piece, memory, draw, rows, columns, kind=None):
    """Return a matrix of drawn numbers; in which way it is in memory is drawn, too."""
    kind = kind or draw.choice(["row by row", "column by column", "every other column", "a part"])
    if kind == "column by column":
        return drawn(piece, memory, draw, columns, rows, "row by row").t()
    skipped = draw.integer(1, 3)
    whole = new(piece, memory, rows + skipped, 2 * columns + skipped)
    count = whole.shape[0] * whole.shape[1]
    numbers_of(memory)[whole.address : whole.address + count] = draw.floats(count)
    if kind == "row by row":
        return piece.Matrix(memory, whole.address, (rows, columns), (columns, 1))
    address = whole.address + skipped * (whole.shape[1] + 1)
    strides = (whole.shape[1], 2 if kind == "every other column" else 1)
    return piece.Matrix(memory, address, (rows, columns), strides)


def addresses(matrix):
    (rows, columns), (down, right) = matrix.shape, matrix.strides
    return [[matrix.address + i * down + j * right for j in range(columns)] for i in range(rows)]


def elements(matrix):
    return [[numbers_of(matrix.memory)[k] for k in row] for row in addresses(matrix)]


def run(function, *arguments, memory):
    """Call a function of the student's without the library, and return its result and the log."""
    log_of(memory).clear()
    result = plugs.guarded(function)(*arguments)
    return result, list(log_of(memory))


def reads(log, matrix):
    inside = {k for row in addresses(matrix) for k in row}
    return sum(k in inside for k in log)


def writes(log, matrix):
    return reads([~k for k in log], matrix)


def misses(log):
    """Return how many accesses do not find their line in the cache."""
    lines, count = {}, 0
    for k in log:
        line = max(k, ~k) // 8
        count += line not in lines
        lines.pop(line, None)
        lines[line] = True
        if len(lines) > LINES:
            del lines[next(iter(lines))]
    return count


def between(low, count, high):
    """Return `high` for every count that is as good, and another count as it is."""
    return high if low <= count <= high else count


@scenario(points=4, idea="An address is the first one, plus indices times strides.")
def an_element_of_a_view(torch, piece, draw):
    for _ in range(3):
        shape, strides = draw.integers(3, 9, 2), draw.integers(0, 30, 2)
        matrix = piece.Matrix(None, draw.integer(1, 99), tuple(shape), tuple(strides))
        i, j = draw.integer(1, shape[0]), draw.integer(1, shape[1])
        yield f"address of [{i}, {j}] in {matrix}", piece.position(matrix, i, j)


@scenario(points=4, idea="An element is the sum of products along a row and a column.")
def a_product_of_views(torch, piece, draw):
    memory = new_memory()
    n, k, m = (draw.integer(2, 5) for _ in range(3))
    for kind in ("column by column", "every other column", "a part"):
        a, b = drawn(piece, memory, draw, n, k, kind), drawn(piece, memory, draw, k, m)
        c = drawn(piece, memory, draw, n, m, kind)
        run(piece.naive, a, b, c, memory=memory)
        yield kind, elements(c)
    b = piece.Matrix(memory, a.address, (k, m), (1, 0))
    run(piece.naive, a, b, c, memory=memory)
    yield "a column that is repeated", elements(c)


@scenario(points=10, idea="A sum belongs in a variable until it is complete.")
def an_element_of_a_product_is_written_once(torch, piece, draw):
    memory = new_memory()
    n, k, m = (draw.integer(3, 6) for _ in range(3))
    a, b, c = (drawn(piece, memory, draw, *shape) for shape in ((n, k), (k, m), (n, m)))
    _, log = run(piece.naive, a, b, c, memory=memory)
    yield "elements", elements(c)
    yield "reads of c", reads(log, c)
    yield "writes of c", writes(log, c)
    yield "reads of a", between(n * k, reads(log, a), n * k * m)


@scenario(points=10, idea="The packed numbers are in the order in which they are needed.")
def rows_are_packed(torch, piece, draw):
    memory = new_memory()
    rows, tile = draw.integer(1, 3), TILE
    matrix = drawn(piece, memory, draw, 2 * tile + rows, 20)
    for first, begin in ((tile, draw.integer(1, 9)), (2 * tile, draw.integer(1, 9))):
        depth = draw.integer(3, 8)
        address, log = run(piece.pack, matrix, first, begin, depth, memory=memory)
        yield (
            f"{depth} columns of the rows from {first}",
            numbers_of(memory)[address : address + tile * depth],
        )
        yield "reads of the matrix", reads(log, matrix)
        yield "all reads", sum(k >= 0 for k in log)


@scenario(points=10, idea="A number that is needed for several products is read once.")
def a_tile(torch, piece, draw):
    memory, tile, depth = new_memory(), TILE, draw.integer(3, 9)
    left, right = (drawn(piece, memory, draw, depth, tile, "row by row") for _ in range(2))
    arguments = (memory, left.address, right.address, depth)
    sums, log = run(piece.micro, *arguments, memory=memory)
    yield "sums", sums
    yield "reads", len(log)


@scenario(points=8, idea="Look at the loops at the top of the file.")
def a_small_product(torch, piece, draw):
    memory = new_memory()
    n, k, m = draw.integer(5, 7), draw.integer(2, 9), draw.integer(5, 7)
    a, b, c = (drawn(piece, memory, draw, *shape) for shape in ((n, k), (k, m), (n, m)))
    alpha, beta = draw.integer(2, 5), draw.integer(2, 5)
    run(piece.gemm, alpha, a, b, beta, c, memory=memory)
    yield f"{alpha} * (a @ b) + {beta} * c", elements(c)
    c = new(piece, memory, n, m, math.nan)
    run(piece.gemm, alpha, a, b, 0, c, memory=memory)
    yield f"{alpha} * (a @ b) in new memory", elements(c)


@scenario(points=10, idea="Sizes need not be multiples of TILE and DEPTH.")
def a_product_with_several_blocks(torch, piece, draw):
    memory = new_memory()
    n, m = (draw.integer(5, 7) for _ in range(2))
    k = 2 * DEPTH + draw.integer(1, 5)
    a, b, c = (drawn(piece, memory, draw, *shape) for shape in ((n, k), (k, m), (n, m)))
    run(piece.gemm, draw.integer(2, 5), a, b, draw.integer(2, 5), c, memory=memory)
    yield "elements", elements(c)


@scenario(points=10, idea="One element after the other, each from its beginning to its end.")
def a_fused_loop(torch, piece, draw):
    memory = new_memory()
    x, out = (drawn(piece, memory, draw, 4, 5, kind) for kind in (None, "column by column"))
    numbers_of(memory)[addresses(x)[draw.integer(0, 3)][draw.integer(0, 4)]] = math.nan
    scale, shift = draw.integer(2, 5), draw.floats()
    _, log = run(piece.fused, scale, x, shift, out, memory=memory)
    yield "elements", elements(out)
    yield "reads of x", reads(log, x)
    yield "reads of out", reads(log, out)
    yield "writes of out", writes(log, out)


# </tests>


# <hidden>
@scenario(points=10, hidden=True, idea="Each number of a and b is packed once.")
def each_number_is_read_once(torch, piece, draw):
    memory = new_memory()
    n, m = (draw.integer(21, 23) for _ in range(2))
    k, tile = DEPTH + draw.integer(9, 15), TILE
    a, b = (drawn(piece, memory, draw, *shape, "row by row") for shape in ((n, k), (k, m)))
    c = drawn(piece, memory, draw, n, m, "row by row")
    _, log = run(piece.gemm, 1, a, b, 0, c, memory=memory)
    yield "elements", elements(c)
    yield "reads of a", reads(log, a)
    yield "reads of b", reads(log, b)
    # none, if tiles are kept over all blocks
    yield "reads of c", between(0, reads(log, c), n * m)
    yield "writes of c", between(n * m, writes(log, c), 2 * n * m)
    matrices = {place for matrix in (a, b, c) for row in addresses(matrix) for place in row}
    packed = [place for place in log if place >= 0 and place not in matrices]
    tiles = -(-n // tile) * -(-m // tile)
    yield "reads of packed numbers", between(tiles * k * tile, len(packed), 2 * tiles * k * tile)
    filled = {~place for place in log}.intersection(packed)
    yield "packed numbers", between((n + m) * k, len(filled), 2 * (n + m) * k)
    yield "numbers that were not in the cache", between(1, misses(log), n * m * k // 5)


@scenario(points=10, hidden=True, idea="New memory may have anything in it.")
def what_was_there_is_not_read(torch, piece, draw):
    memory = new_memory()
    n, m = (draw.integer(5, 7) for _ in range(2))
    k = DEPTH + draw.integer(1, 5)
    a, b = (drawn(piece, memory, draw, *shape) for shape in ((n, k), (k, m)))
    c = new(piece, memory, n, m, math.nan)
    _, log = run(piece.gemm, draw.integer(2, 5), a, b, 0, c, memory=memory)
    yield "elements", elements(c)
    yield "reads of c", between(0, reads(log, c), n * m)


@scenario(points=10, hidden=True, idea="A sum of nothing is 0.")
def a_product_without_columns(torch, piece, draw):
    memory = new_memory()
    n, m = (draw.integer(2, 7) for _ in range(2))
    a, b, c = (drawn(piece, memory, draw, *shape) for shape in ((n, 0), (0, m), (n, m)))
    run(piece.gemm, 2, a, b, draw.integer(2, 5), c, memory=memory)
    yield "elements", elements(c)
    run(piece.gemm, 2, a, b, 0, c, memory=memory)
    yield "elements for beta = 0", elements(c)
    empty = drawn(piece, memory, draw, 0, m)
    run(piece.gemm, 2, drawn(piece, memory, draw, 0, 3), b, 1, empty, memory=memory)
    yield "no rows", elements(empty)


@scenario(points=4, hidden=True, idea="The library calls your gemm with views of all kinds.")
def the_library_trains_with_it(torch, piece, draw):
    x = torch.tensor(draw.floats(6, 3), dtype=torch.float64)
    w, v = (
        torch.tensor(draw.floats(*shape), dtype=torch.float64, requires_grad=True)
        for shape in ((9, 3), (18, 2))
    )
    for _ in range(3):
        loss = (x.mm(w.t()).relu().mm(v[::2]) - x[:, 1:]).square().mean()
        loss.backward()
        yield "loss", loss
        with torch.no_grad():
            for parameter in (w, v):
                parameter -= 0.01 * parameter.grad
                parameter.grad = None


MISTAKES = {
    "strides_exchanged": "position uses the strides of rows and columns the wrong way round.",
    "offset_lost": "position forgets where the matrix begins: `matrix.address`.",
    "strides_ignored": "position works only for matrices whose rows follow one another. Use the "
    "strides.",
    "sums_in_memory": "naive adds up in `c`, which is read and written for every product.",
    "row_after_row": "pack writes row after row. micro needs the elements of a column together.",
    "beyond_the_edge": "pack reads beyond the last row of the matrix; zeros belong there.",
    "always_from_column_0": "pack copies from column 0 on, not from `begin`.",
    "read_for_each_product": "micro reads a number again for every product it is needed for.",
    "one_row_for_all": "The rows of the tile are one and the same list: `[row] * TILE` copies no list.",
    "zero_times_nan": "add_tile reads `c` although beta is 0, and 0 * NaN is NaN.",
    "whole_tiles_only": "Tiles that are only in part inside of `c` are left out.",
    "no_edge": "add_tile writes beyond the edge of `c`, where the tile is larger than what is left.",
    "b_as_it_is": "pack copies rows. What you pack of `b` has to be its columns: the rows of `b.t()`.",
    "the_simple_loop": "gemm only calls naive: there are no tiles, and alpha and beta are missing.",
    "alpha_for_both": "alpha is a factor of the product alone, not of what was in `c`.",
    "beta_in_every_block": "beta * c is for the first block. After it, `c` has sums of this product.",
    "last_block_remains": "Each block overwrites the sums of the one before it.",
    "packed_again_and_again": "The rows of `a` are packed again for every tile of columns of `b`.",
    "nothing_for_no_columns": "If `a` has no columns, no block is computed, and `c` keeps its numbers.",
    "last_block_lost": "The last block is left out if it has fewer than DEPTH columns.",
    "two_passes": "fused writes all numbers and reads them again for relu.",
    "nan_lost": "relu keeps NaN, but `max(0.0, number)` is 0 for it.",
}

EQUIVALENT = {
    "out.memory.write(position(out, i, j), 0.0 if number < 0 else number)  ->  "
    "out.memory.write(position(out, i, j), 0.0 if number <= 0 else number)": "only the sign of a "
    "zero differs",
    "for begin in range(0, max(a.shape[1], 1), DEPTH):  ->  "
    "for begin in range(0, max(a.shape[1], 2), DEPTH):": "one column is one block either way",
}
# </hidden>
