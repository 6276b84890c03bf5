"""Write the views of a tensor: transpose, select, slice and diagonal, by arithmetic on strides.

The elements of a tensor are in one long row of memory, its storage. Three things say where:

    size              how many elements each dimension has
    stride            how many elements (not bytes) the next index of each dimension is further on
    storage_offset    where in memory the first element is

The element with indices i, j, ... is at `storage_offset + i * stride[0] + j * stride[1] + ...`. So
another way to look at the same elements needs no copy: other numbers will do. That is a view, and
who writes to it writes to the tensor.

    x = torch.arange(12).reshape(3, 4)      # size (3, 4), stride (4, 1), offset 0
    x.t()                                   # size (4, 3), stride (1, 4), offset 0
    x[1]                                    # size (4,),   stride (1,),   offset 4

The one operator of the library that you need, and the only one you may use, is

    x.as_strided(size, stride, storage_offset)

While your code is tested, the library calls it for `transpose`, `x.mT`, `x[1]`, `x[:, 1:3]`,
`narrow`, `diagonal` and for whatever is built on them.
"""


def contiguous_strides(size):
    """Return the strides of a new tensor of this size, as a tuple of as many elements.

    The last dimension has stride 1, and each other one steps over all that is behind it. A size of
    0 counts as 1 here.
    """
    # <answer contiguous_strides>
    # hint: How many elements are skipped if the index of the first dimension grows by one?
    # hint: The stride of a dimension is the product of all sizes to its right, and a size of 0
    #   counts as 1.
    # hint: Walk from the last dimension to the first with `step = 1`: note the step, then multiply it
    #   by `max(n, 1)`. Turn the list round at the end.
    strides, step = [], 1
    for n in reversed(size):
        strides.append(step)
        step *= max(n, 1)
    return tuple(reversed(strides))
    # <wrong first_dimension_fastest>
    #| strides, step = [], 1
    #| for n in size:
    #|     strides.append(step)
    #|     step *= max(n, 1)
    #| return tuple(strides)
    # </answer>


def byte_address(x, index):
    """Return how many bytes behind the start of its storage an element is.

    Parameters
    ----------
    x : Tensor
        `x.element_size()` is how many bytes an element has.
    index : tuple of int
        One index for each dimension, not negative.
    """
    # <answer byte_address>
    # hint: Strides and the offset count elements, and memory counts bytes.
    # hint: First find the position among the elements: the offset, and for each dimension index
    #   times stride. Then multiply by the size of an element.
    # hint: `(x.storage_offset() + sum(i * s for i, s in zip(index, x.stride()))) * ...`
    position = x.storage_offset() + sum(i * s for i, s in zip(index, x.stride(), strict=True))
    return position * x.element_size()
    # <wrong elements_for_bytes>
    #| return x.storage_offset() + sum(i * s for i, s in zip(index, x.stride(), strict=True))
    # <wrong offset_in_bytes>
    #| return x.storage_offset() + x.element_size() * sum(
    #|     i * s for i, s in zip(index, x.stride(), strict=True)
    #| )
    # </answer>


def transpose(x, dim0, dim1):
    """Return a view of `x` with two dimensions exchanged.

    Dimensions may be negative, which counts from the end: -1 is the last one.
    """
    # <answer transpose>
    # hint: Where in memory is element (i, j) of the result?
    # hint: The sizes of both dimensions change places, and so do the strides. The first element
    #   stays where it is.
    # hint: Make lists of `x.size()` and `x.stride()`, exchange two entries in both, and call
    #   `as_strided` with `x.storage_offset()`.
    size, stride = list(x.size()), list(x.stride())
    size[dim0], size[dim1] = size[dim1], size[dim0]
    stride[dim0], stride[dim1] = stride[dim1], stride[dim0]
    return x.as_strided(size, stride, x.storage_offset())
    # <wrong only_sizes>
    #| size = list(x.size())
    #| size[dim0], size[dim1] = size[dim1], size[dim0]
    #| return x.as_strided(size, contiguous_strides(size), x.storage_offset())
    # <wrong transpose_from_start>
    #| size, stride = list(x.size()), list(x.stride())
    #| size[dim0], size[dim1] = size[dim1], size[dim0]
    #| stride[dim0], stride[dim1] = stride[dim1], stride[dim0]
    #| return x.as_strided(size, stride, 0)
    # <wrong last_two>
    #| size, stride = list(x.size()), list(x.stride())
    #| size[-2], size[-1] = size[-1], size[-2]
    #| stride[-2], stride[-1] = stride[-1], stride[-2]
    #| return x.as_strided(size, stride, x.storage_offset())
    # </answer>


def select(x, dim, index):
    """Return the view of `x` at one index of a dimension; the result is without that dimension.

    Both `dim` and `index` may be negative, which counts from the end.

    Raises
    ------
    IndexError
        If the index is outside of the dimension: "index 7 is outside of dimension 1 with size 4",
        with the index as given and the dimension counted from 0.
    """
    # <answer select>
    # hint: The rows of a matrix have the strides of the matrix. What differs between two rows?
    # hint: Size and stride of the dimension vanish, and the first element moves by index times
    #   stride, beginning from where the first element of `x` is. -1 is the same as size - 1.
    # hint: After the check, `offset = x.storage_offset() + index * x.stride()[dim]`; then delete entry
    #   `dim` of both lists.
    size, stride = list(x.size()), list(x.stride())
    dim %= len(size)
    if not -size[dim] <= index < size[dim]:
        raise IndexError(f"index {index} is outside of dimension {dim} with size {size[dim]}")
    offset = x.storage_offset() + index % size[dim] * stride[dim]
    del size[dim], stride[dim]
    return x.as_strided(size, stride, offset)
    # <wrong offset_lost>
    #|- offset = x.storage_offset() + index % size[dim] * stride[dim]
    #|+ offset = index % size[dim] * stride[dim]
    # <wrong keeps_dimension>
    #|- del size[dim], stride[dim]
    #|+ size[dim] = 1
    # <wrong copy_for_view>
    #|- return x.as_strided(size, stride, offset)
    #|+ return x.as_strided(size, stride, offset).clone()
    # <wrong negative_index>
    #|- offset = x.storage_offset() + index % size[dim] * stride[dim]
    #|+ offset = x.storage_offset() + abs(index) * stride[dim]
    # </answer>


def slice(x, dim=0, start=None, end=None, step=1):
    """Return the view of every `step`-th index from `start` up to but not with `end`.

    As in Python, None is the first or the last end, a negative number counts from the end, and what
    is outside of the dimension is moved to its edge. `step` is at least 1.
    """
    # <answer slice>
    # hint: x[2:9:3] looks at indices 2, 5 and 8. Which of size, stride and offset changes, and how?
    # hint: The first element moves by start times stride. The stride is multiplied by the step. The
    #   size is (end - start) / step, rounded up, and 0 if end is before start.
    # hint: Bring both bounds into the range 0 to n first: add n if negative, then
    #   `min(max(bound, 0), n)`. The size is `max(0, (end - start + step - 1) // step)`.
    size, stride = list(x.size()), list(x.stride())
    n = size[dim]
    start = 0 if start is None else start
    end = n if end is None else end
    start, end = (min(max(b + n if b < 0 else b, 0), n) for b in (start, end))
    offset = x.storage_offset() + start * stride[dim]
    size[dim] = max(0, (end - start + step - 1) // step)
    stride[dim] *= step
    return x.as_strided(size, stride, offset)
    # <wrong slice_from_start>
    #|- offset = x.storage_offset() + start * stride[dim]
    #|- size[dim] = max(0, (end - start + step - 1) // step)
    #|+ size[dim] = max(0, (end - start + step - 1) // step)
    #|+ offset = start * stride[dim]
    # <wrong step_ignored>
    #|- stride[dim] *= step
    # <wrong rounded_down>
    #|- size[dim] = max(0, (end - start + step - 1) // step)
    #|+ size[dim] = max(0, (end - start) // step)
    # <wrong zero_taken_for_none>
    #|- end = n if end is None else end
    #|+ end = end or n
    # <wrong bounds_not_moved>
    #|- end = n if end is None else end
    #|- start, end = (min(max(b + n if b < 0 else b, 0), n) for b in (start, end))
    #|+ end = n if end is None else min(end, n)
    #|+ start, end = (b + n if b < 0 else b for b in (start, end))
    # </answer>


def diagonal(x, offset=0, dim1=0, dim2=1):
    """Return the view of the elements where index `dim2` is index `dim1` plus `offset`.

    Both dimensions vanish, and the diagonal is the last dimension of the result. It has no elements
    if it begins outside of `x`; then its offset in memory is that of `x`. Dimensions may be
    negative.
    """
    # <answer diagonal>
    # hint: The next element on the diagonal is one step further in both dimensions at once.
    # hint: The stride is the sum of both strides. With a positive `offset` the diagonal begins
    #   further along `dim2`, and with a negative one further along `dim1`. How many elements fit?
    # hint: `rows, columns = max(-offset, 0), max(offset, 0)` is where it begins. Its size is the
    #   smaller of `size[dim1] - rows` and `size[dim2] - columns`, and not below 0. With no elements,
    #   the first element stays where that of `x` is.
    size, stride = list(x.size()), list(x.stride())
    rows, columns = max(-offset, 0), max(offset, 0)
    length = max(0, min(size[dim1] - rows, size[dim2] - columns))
    first = x.storage_offset()
    if length:
        first += rows * stride[dim1] + columns * stride[dim2]
    gone = {dim1 % len(size), dim2 % len(size)}
    step = stride[dim1] + stride[dim2]
    size = [n for d, n in enumerate(size) if d not in gone]
    stride = [s for d, s in enumerate(stride) if d not in gone]
    return x.as_strided([*size, length], [*stride, step], first)
    # <wrong always_main_diagonal>
    #| size, stride = list(x.size()), list(x.stride())
    #| length = min(size[dim1], size[dim2])
    #| gone = {dim1 % len(size), dim2 % len(size)}
    #| step = stride[dim1] + stride[dim2]
    #| size = [n for d, n in enumerate(size) if d not in gone]
    #| stride = [s for d, s in enumerate(stride) if d not in gone]
    #| return x.as_strided([*size, length], [*stride, step], x.storage_offset())
    # </answer>


# <tests>
from contextlib import contextmanager

from exercises import plugs
from exercises.scenario import error_of, scenario

ABOUT = {
    "number": 1,
    "title": "Strides",
    "part": "Tensors",
    "goal": "Make views of a tensor by arithmetic on its size, its strides and its offset.",
    "reading": ["learn/tensor", "learn/side_paths/inplace"],
    "difficulty": 2,
    "importance": 4,
    "hours": 2,
}


def retire():
    """Take away what leads around the mode in which only `as_strided` works."""
    plugs.forbid_escapes()


loading = plugs.loading


@contextmanager
def install(piece):
    global address, strides  # where no answer can replace them

    def plug(name):
        return plugs.guarded(getattr(piece, name), {"as_strided", "clone"})

    # `clone` is let through, since a copy where there should be a view has to be seen as such
    pieces = {name: plug(name) for name in ("transpose", "select", "slice", "diagonal")}
    transpose = pieces["transpose"]

    def t(x):
        return transpose(x, 0, 1) if x.dim() == 2 else NotImplemented

    address = plugs.guarded(piece.byte_address)
    strides = plugs.guarded(piece.contiguous_strides)

    def view(x, size):
        if -1 in size or not x.is_contiguous():
            return NotImplemented
        return x.as_strided(size, strides(tuple(size)), x.storage_offset())

    with plugs.Replaced({**pieces, "t": t, "view": view}):
        yield


def drawn(torch, draw, *shape):
    return torch.tensor(draw.floats(*shape), dtype=torch.float64)


def sizes(draw, count):
    return draw.shuffled([2, 3, 4, 5, 6])[:count]


def looks(x):
    """Return all that says where the elements of a view are, and the elements."""
    return [list(x.size()), list(x.stride()), x.storage_offset(), x]


@scenario(points=5, idea="The stride of a dimension is the product of the sizes to its right.")
def strides_of_a_new_tensor(torch, piece, draw):
    a, b, c = sizes(draw, 3)
    for size in ((a,), (a, b), (c, 1, a, b), (a, 0, b)):
        yield f"{size}", [a, list(strides(size))]
    yield "()", [a, list(strides(()))]


@scenario(
    points=6, idea="A view of other sizes has the strides of a new tensor, and its own start."
)
def reshaping(torch, piece, draw):
    a, b, c = sizes(draw, 3)
    x = drawn(torch, draw, 2, a * b, c)
    yield "x.view", looks(x.view(2, b, a * c))
    yield "part", looks(x.view(2 * a, b * c).view(2, a, b, c))
    yield "empty", looks(torch.zeros(a, 0, b).view(c, a, 0, b))


@scenario(points=10, idea="Strides and offset count elements, and memory counts bytes.")
def addresses(torch, piece, draw):
    a, b, c = sizes(draw, 3)
    base = torch.tensor(draw.integers(-99, 99, a, b + 2, c), dtype=torch.int64)
    for dtype in (torch.float64, torch.float32, torch.int16, torch.int8):
        x = base.to(dtype).as_strided((b, c, a), (c, 1, (b + 2) * c), draw.integer(1, 2) * c)
        index = tuple(draw.integer(0, n - 1) for n in x.shape)
        yield f"{dtype} at {index}", address(x, index)
    yield "a number", address(base.as_strided((), (), a), ())


@scenario(points=5, idea="Sizes and strides change places, and the first element stays.")
def a_transposed_matrix(torch, piece, draw):
    a, b = sizes(draw, 2)
    x = drawn(torch, draw, a, b)
    yield "x.t()", looks(x.t())
    yield "x.transpose(0, 1)", looks(x.transpose(0, 1))
    yield "twice", looks(x.t().t())


@scenario(points=6, idea="Any two dimensions may be exchanged, counted from either end.")
def any_two_dimensions(torch, piece, draw):
    a, b, c = sizes(draw, 3)
    x = drawn(torch, draw, a, b, c)
    yield "0 and 2", looks(x.transpose(0, 2))
    yield "-3 and 1", looks(x.transpose(-3, 1))
    yield "mT", looks(x.mT)
    yield "1 and 1", looks(x.transpose(1, 1))


@scenario(points=5, idea="Selecting moves the first element, and the dimension vanishes.")
def a_row_and_a_column(torch, piece, draw):
    a, b = sizes(draw, 2)
    x = drawn(torch, draw, a, b)
    i, j = draw.integer(1, a - 1), draw.integer(1, b - 1)
    yield f"x[{i}]", looks(x[i])
    yield f"x[:, {j}]", looks(x[:, j])


@scenario(points=6, idea="A negative index counts from the end: -1 is size - 1.")
def from_the_end(torch, piece, draw):
    a, b, c = sizes(draw, 3)
    x = drawn(torch, draw, a, b, c)
    yield "x[-1]", looks(x[-1])
    yield "x.select(-2, ..)", looks(x.select(-2, -draw.integer(2, b)))
    yield "x[..., 0]", looks(x[..., -c])


@scenario(points=6, idea="A slice begins at start; its stride is multiplied by the step.")
def slices(torch, piece, draw):
    a, b = draw.integer(7, 9), draw.integer(10, 12)
    x = drawn(torch, draw, a, b)
    yield "x[1:4]", looks(x[draw.integer(1, 2) : 4])
    yield "x[:, ::2]", looks(x[:, ::2])
    yield "x[:, 1:8:3]", looks(x[:, draw.integer(1, 2) : 8 : 3])
    yield "x.narrow", looks(x.narrow(1, 3, draw.integer(2, 5)))


@scenario(points=10, idea="Bounds may be negative or outside, as in Python.")
def bounds_of_slices(torch, piece, draw):
    a, b = draw.integer(4, 6), draw.integer(5, 7)
    x = drawn(torch, draw, a, b)
    yield "x[-3:-1]", looks(x[-3:-1])
    yield "x[:, -99:3]", looks(x[:, -99 : draw.integer(2, 3)])
    yield "x[:, 2:99:2]", looks(x[:, 2:99:2])
    yield "x[3:1]", list(x[3 : draw.integer(1, 3)].shape) + [b]
    yield "x[:-99]", list(x[: -99 - a].shape)
    yield "x[:0]", list(x[:0].shape) + [b]
    yield "defaults", looks(piece.slice(x))
    yield "last dimension", looks(piece.slice(x, -1, 1))


@scenario(points=6, idea="The first element of a view may be anywhere in memory.")
def a_view_of_a_view(torch, piece, draw):
    a, b, c = sizes(draw, 3)
    x = drawn(torch, draw, a + 1, b + 1, c + 1)
    part = x[draw.integer(1, a)]
    yield "select", looks(part[draw.integer(1, b)])
    yield "slice", looks(part[1:])
    yield "transpose", looks(part.t())


@scenario(points=10, idea="A step along the diagonal is a step in both dimensions.")
def diagonals(torch, piece, draw):
    a, b, c = sizes(draw, 3)
    x = drawn(torch, draw, a, b)
    for k in (0, 1, -1, b - 1, 1 - a):
        yield f"offset {k}", looks(x.diagonal(k))
    yield "none", list(x.diagonal(b + 1).shape) + [a, x.diagonal(-a - 2).storage_offset()]
    y = drawn(torch, draw, a, b, c)[1:]
    yield "of three dimensions", looks(y.diagonal(draw.choice([-1, 1]), -1, 0))
    yield "of the last two", looks(y.diagonal(0, -2, 2))


@scenario(
    points=5,
    idea="A view has no memory of its own: who writes to it writes to the tensor.",
    page="learn/side_paths/inplace",
)
def writing_to_a_view(torch, piece, draw):
    a, b = sizes(draw, 2)
    x = drawn(torch, draw, a, b)
    x[draw.integer(0, a - 1)].mul_(draw.integer(2, 9))
    yield "after writing to a row", x
    x.t()[draw.integer(0, b - 1)].fill_(draw.integer(2, 9))
    x[:, 1:].add_(draw.integer(2, 9))
    yield "after more", x


# </tests>


# <hidden>
@scenario(points=10, idea="An index outside of the dimension has to raise IndexError.", hidden=True)
def outside(torch, piece, draw):
    a, b = sizes(draw, 2)
    x = drawn(torch, draw, a, b)
    yield "large", error_of(piece.select, x, 0, a)
    yield "small", error_of(piece.select, x, -1, -b - draw.integer(1, 3))
    yield "just outside", error_of(piece.select, x, 0, -a - 1)
    yield "empty", error_of(piece.select, torch.zeros(a, 0), 1, 0)
    yield "edge", looks(piece.select(x, 1, -b))


@scenario(points=5, idea="Views of views, with any start and stride.", hidden=True)
def views_of_views(torch, piece, draw):
    x = drawn(torch, draw, 7, 8, 9)
    view = x[1:, ::2].transpose(0, 2)[draw.integer(2, 4) :: 2]
    yield "view", looks(view)
    yield "select", looks(view[-1, 1:])
    yield "diagonal", looks(view.diagonal(1, 1, 2)[1])
    yield "slice", looks(view[:, 1:, 1:-1:3].mT)


@scenario(points=5, idea="The derivative of a view reads the same strides.", hidden=True)
def gradients_of_views(torch, piece, draw):
    a, b = sizes(draw, 2)
    x = drawn(torch, draw, a, b).requires_grad_()
    w = drawn(torch, draw, b, a)
    ((x.t() * w)[1:].sum() + (x[:, -1] * x[:, 0]).sum()).backward()
    yield "x.grad", x.grad


MISTAKES = {
    "first_dimension_fastest": "You give the first dimension stride 1. It is the last one whose"
    " elements are next to each other.",
    "elements_for_bytes": "You return a number of elements. Multiply by the size of one in bytes.",
    "offset_in_bytes": "The offset counts elements too, so it has to be multiplied as well.",
    "only_sizes": "Your transpose exchanges sizes and makes new strides, so the elements are read in"
    " their old order. Exchange the strides as well.",
    "transpose_from_start": "Your transpose begins at the start of memory. Pass on the offset of"
    " `x`.",
    "last_two": "Your transpose always exchanges the last two dimensions.",
    "offset_lost": "Your select begins at the start of memory. Add to the offset that `x` has.",
    "keeps_dimension": "The selected dimension is still there, with size 1. It has to vanish.",
    "copy_for_view": "Your select returns a copy, so writing to it does not write to the tensor.",
    "negative_index": "An index of -1 is size - 1, and not 1.",
    "slice_from_start": "Your slice begins at the start of memory. Add to the offset that `x` has.",
    "step_ignored": "Your slice has the right size, but with a step the stride has to be multiplied"
    " by it.",
    "rounded_down": "The size of a slice is rounded up: x[0:3:2] has two elements.",
    "zero_taken_for_none": "`end or n` takes an end of 0 for a missing one. Compare with None.",
    "bounds_not_moved": "A bound outside of the dimension has to be moved to its edge, and a slice that"
    " ends before it begins has the size 0.",
    "always_main_diagonal": "Your diagonal ignores `offset`.",
}

EQUIVALENT = {
    "position = x.storage_offset() + sum(i * s for i, s in zip(index, x.stride(), strict=True))  ->  "
    "position = x.storage_offset() + sum(i * s for i, s in zip(index, x.stride(), strict=False))": "there"
    " is one index for each dimension",
}
# </hidden>
