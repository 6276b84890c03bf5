"""Write broadcasting, and its reverse, which every backward pass needs.

Two shapes are aligned at their last dimension. In each dimension the sizes have to be equal, or one
of them is 1, or it is missing on the left:

       (3, 1, 5)
          (4, 1)
    -> (3, 4, 5)

The smaller operand is not copied: its elements are read again and again. You write three functions.

1. `broadcast_shapes` finds the common shape.
2. `expanded_strides` finds the strides with which an operand of the smaller shape is read in the
   larger shape. A stride is how many elements further in memory the next index is. A dimension that
   is repeated has stride 0.
3. `sum_to` is the reverse. Where an element was read many times, the gradients of all these
   readings add up.

While your code is tested, `+`, `-`, `*`, `/`, `torch.maximum` and `expand` of the library use your
first two functions, and its engine calls your `sum_to` in every backward pass.
"""


def broadcast_shapes(*shapes):
    """Return the common shape of any number of shapes, as a tuple.

    Raises
    ------
    ValueError
        If two sizes in a dimension differ and neither is 1. The message names the dimension, counted
        from the right: "sizes 3 and 4 differ in dimension -1", with the larger size last.
    """
    # <answer broadcast_shapes>
    # hint: Begin with the longest shape. Which of its dimensions does the last one of another shape
    #   belong to? What is the common size of 1 and 0?
    # hint: Count the dimensions from the right: -1, -2, ... A size that is missing counts as 1. A
    #   size other than 1 decides, also if it is 0.
    # hint: Keep a list of ones, as long as the longest shape. For each shape and each k from 1 to
    #   its length: if shape[-k] is not 1, then common[-k] becomes shape[-k], unless it already is
    #   another size that is not 1.
    common = [1] * max((len(shape) for shape in shapes), default=0)
    for shape in shapes:
        for k in range(-1, -len(shape) - 1, -1):
            if shape[k] == 1:
                continue
            if common[k] not in (1, shape[k]):
                low, high = sorted((common[k], shape[k]))
                raise ValueError(f"sizes {low} and {high} differ in dimension {k}")
            common[k] = shape[k]
    return tuple(common)
    # <wrong aligned_on_the_left>
    #| common = [1] * max((len(shape) for shape in shapes), default=0)
    #| for shape in shapes:
    #|     for k, size in enumerate(shape):
    #|         if size == 1:
    #|             continue
    #|         if common[k] not in (1, size):
    #|             low, high = sorted((common[k], size))
    #|             raise ValueError(f"sizes {low} and {high} differ in dimension {k - len(common)}")
    #|         common[k] = size
    #| return tuple(common)
    # <wrong larger_size_wins>
    #| common = [1] * max((len(shape) for shape in shapes), default=0)
    #| for shape in shapes:
    #|     for k in range(-1, -len(shape) - 1, -1):
    #|         low, high = sorted((common[k], shape[k]))
    #|         if low != high and low > 1:
    #|             raise ValueError(f"sizes {low} and {high} differ in dimension {k}")
    #|         common[k] = high
    #| return tuple(common)
    # <wrong only_the_first_two>
    #|- for shape in shapes:
    #|+ for shape in shapes[:2]:
    # <wrong zero_always_wins>
    #| common = [1] * max((len(shape) for shape in shapes), default=0)
    #| for shape in shapes:
    #|     for k in range(-1, -len(shape) - 1, -1):
    #|         if shape[k] == 1 or common[k] == 0:
    #|             continue
    #|         if common[k] not in (1, shape[k]) and shape[k] != 0:
    #|             low, high = sorted((common[k], shape[k]))
    #|             raise ValueError(f"sizes {low} and {high} differ in dimension {k}")
    #|         common[k] = shape[k]
    #| return tuple(common)
    # <wrong sizes_in_the_order_seen>
    #|-             low, high = sorted((common[k], shape[k]))
    #|+             low, high = common[k], shape[k]
    # <wrong no_error>
    #| common = [1] * max((len(shape) for shape in shapes), default=0)
    #| for shape in shapes:
    #|     for k in range(-1, -len(shape) - 1, -1):
    #|         if shape[k] != 1:
    #|             common[k] = shape[k]
    #| return tuple(common)
    # </answer>


def expanded_strides(shape, strides, target):
    """Return the strides with which a tensor is read as one of a larger shape, as a tuple.

    Parameters
    ----------
    shape, strides : tuple of int
        The tensor's own.
    target : tuple of int
        The larger shape; `shape` broadcasts to it.
    """
    # <answer expanded_strides>
    # hint: How far apart in memory are two elements that are really one and the same?
    # hint: A dimension of `target` that `shape` does not have gets stride 0, and so does one that
    #   `shape` has with size 1. The others keep their stride, whatever it is.
    # hint: `lead = len(target) - len(shape)` zeros come first; then for each size and stride:
    #   0 if the size is 1, else the stride.
    lead = len(target) - len(shape)
    return (0,) * lead + tuple(
        0 if size == 1 else stride for size, stride in zip(shape, strides, strict=True)
    )
    # <wrong strides_of_contiguous>
    #| lead, result, step = len(target) - len(shape), [], 1
    #| for size in reversed(shape):
    #|     result.insert(0, 0 if size == 1 else step)
    #|     step *= size
    #| return (0,) * lead + tuple(result)
    # <wrong ones_keep_stride>
    #| return (0,) * (len(target) - len(shape)) + tuple(strides)
    # </answer>


def sum_to(gradient, shape):
    """Sum a gradient to the shape of the input it belongs to.

    Parameters
    ----------
    gradient : Tensor
    shape : tuple of int
        A shape that broadcasts to the gradient's own.

    Returns
    -------
    Tensor
        Of this shape. If the gradient already has it, it is returned as it is. The sum of a gradient
        with history has one too, since `create_graph=True` differentiates it again.

    Notes
    -----
    `tensor.sum(dims, keepdim=True)` sums over a list of dimensions and leaves them with size 1.
    With an empty list it sums over all dimensions. `tensor.sum_to_size` is switched off.
    """
    # <answer sum_to>
    # hint: Which dimensions of the gradient are repetitions of one and the same input?
    # hint: There are two kinds: leading ones, which `shape` does not have at all, and those that
    #   have size 1 in `shape` and another size in the gradient. The first kind vanishes in the
    #   result, and the second stays with size 1.
    # hint: List both kinds. If the list is not empty, sum over it. Then `reshape(shape)` puts the
    #   ones back where they belong.
    lead = gradient.dim() - len(shape)
    dims = list(range(lead))
    for k, size in enumerate(shape):
        if size == 1 and gradient.shape[lead + k] != 1:
            dims.append(lead + k)
    return gradient.sum(dims).reshape(shape) if dims else gradient
    # <wrong keeps_leading_ones>
    #|- return gradient.sum(dims).reshape(shape) if dims else gradient
    #|+ return gradient.sum(dims, keepdim=True) if dims else gradient
    # <wrong drops_inner_ones>
    #|- return gradient.sum(dims).reshape(shape) if dims else gradient
    #|+ return gradient.sum(dims) if dims else gradient
    # <wrong forgets_leading>
    #| dims = [k for k, size in enumerate(shape) if size == 1 and gradient.shape[k] != 1]
    #| return gradient.sum(dims, keepdim=True) if dims else gradient
    # <wrong one_inner_dimension>
    #|-         dims.append(lead + k)
    #|+         dims.append(lead + k)
    #|+         break
    # <wrong sums_ones_too>
    #|-     if size == 1 and gradient.shape[lead + k] != 1:
    #|+     if size == 1:
    # <wrong wrong_axis>
    #| lead = gradient.dim() - len(shape)
    #| dims = list(range(lead))
    #| for k, size in enumerate(shape):
    #|     if size == 1:
    #|         dims.append(k)
    #| return gradient.sum(dims, keepdim=True).reshape(shape) if dims else gradient
    # <wrong mean_for_sum>
    #|- return gradient.sum(dims).reshape(shape) if dims else gradient
    #|+ return gradient.mean(dims, keepdim=True).reshape(shape) if dims else gradient
    # <wrong detached>
    #|- return gradient.sum(dims).reshape(shape) if dims else gradient
    #|+ return gradient.detach().sum(dims).reshape(shape) if dims else gradient
    # <wrong sizes_of_zero_stay>
    #|-     if size == 1 and gradient.shape[lead + k] != 1:
    #|+     if size == 1 and gradient.shape[lead + k] > 1:
    # <wrong first_for_sum>
    #|- return gradient.sum(dims).reshape(shape) if dims else gradient
    #|+ for dim in dims:
    #|+     gradient = gradient.narrow(dim, 0, 1)
    #|+ return gradient.reshape(shape)
    # <wrong empty_sums_everything>
    #|- return gradient.sum(dims).reshape(shape) if dims else gradient
    #|+ return gradient.sum(dims, keepdim=True).expand(shape) if not dims else (
    #|+     gradient.sum(dims, keepdim=True).reshape(shape))
    # </answer>


# <tests>
import warnings
from contextlib import contextmanager

import minitorch
from exercises import plugs
from exercises.scenario import error_of, scenario
from minitorch.autograd.functions.plugs import plug_sum_to

ABOUT = {
    "number": 2,
    "title": "Broadcasting and its reverse",
    "part": "Tensors",
    "goal": "Find common shapes, read small operands as large ones, and sum gradients back.",
    "reading": ["learn/tensor", "learn/backward/07_evaluate", "learn/zero/accumulation"],
    "difficulty": 2,
    "importance": 4,
    "hours": 3,
}

SUMMING = {
    *("sum", "view", "reshape", "_unsafe_view", "squeeze", "clone", "slice", "expand", "mean"),
    *("as_strided", "add", "select", "unbind", "detach", "mul", "div", "ones", "unsqueeze"),
    *("permute", "transpose", "alias", "zeros", "_reshape_alias", "copy_", "empty", "new_zeros"),
}


inside = []  # not empty while the student's `sum_to` runs
engine = minitorch.autograd.Variable._execution_engine


class Guard:
    """The engine, which is not at hand while the student's code runs."""

    queue_callback = staticmethod(engine.queue_callback)
    is_checkpoint_valid = staticmethod(engine.is_checkpoint_valid)

    def run_backward(self, *arguments, **keywords):
        """Run a backward pass, if a test asks for it."""
        if inside:
            raise plugs.Retired("a backward pass may not be used to write this piece")
        return engine.run_backward(*arguments, **keywords)


def retire():
    """Take the library's functions of this kind away."""
    minitorch.autograd.Variable._execution_engine = Guard()
    plugs.forbid_escapes()
    plugs.forbid_node_calls()
    plugs.forbid_functions(
        *("broadcast_shapes", "broadcast_tensors", "sum_to_size", "expand_as", "broadcast_to"),
        *("_sum_to_size", "_unbroadcast", "einsum", "grad", "vjp", "jvp"),
    )
    plugs.forbid_attributes(minitorch.Tensor, "sum_to_size", "expand_as", "broadcast_to")


loading = plugs.loading


@contextmanager
def install(piece):
    global plugged_strides, plugged_sum_to  # where no answer can replace them

    def shape_of(*shapes):
        return plugs.guarded(piece.broadcast_shapes)(*[tuple(s) for s in shapes])

    def expand(x, target, implicit=False):
        lead = len(target) - x.dim()
        target = tuple(x.shape[k - lead] if n == -1 else n for k, n in enumerate(target))
        strides = plugs.guarded(piece.expanded_strides)(tuple(x.shape), x.stride(), target)
        return x.as_strided(target, strides, x.storage_offset())

    def binary(function):
        def call(a, b, **keywords):
            if not (isinstance(a, minitorch.Tensor) and isinstance(b, minitorch.Tensor)):
                return NotImplemented
            if inside or a.shape == b.shape:
                return NotImplemented
            shape = shape_of(a.shape, b.shape)
            return function(expand(a, shape), expand(b, shape), **keywords)

        return call

    def sum_to(gradient, shape):
        inside.append(True)
        try:
            return plugs.guarded(piece.sum_to, SUMMING)(gradient, tuple(shape))
        finally:
            inside.pop()

    vars(minitorch)["broadcast_shapes"] = shape_of
    names = ("add", "sub", "mul", "div", "maximum")
    pieces = {name: binary(getattr(minitorch, name)) for name in names}
    plug_sum_to(sum_to)
    plugged_strides, plugged_sum_to = plugs.guarded(piece.expanded_strides), sum_to
    try:
        with plugs.Replaced({**pieces, "expand": expand}):
            yield
    finally:
        plug_sum_to(None)


def drawn(torch, draw, *shape, grad=True):
    return (
        torch.tensor(draw.floats(*shape), dtype=torch.float64, requires_grad=grad)
        if all(shape)
        else torch.zeros(shape, dtype=torch.float64, requires_grad=grad)
    )


def sizes(draw, count):
    """Draw different sizes, none of them 1."""
    return draw.shuffled([2, 3, 4, 5, 6])[:count]


def recorded_backward(tensor, *gradients):
    """Run a backward pass whose gradients have a history."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about a cycle, which ends with the process
        tensor.backward(*gradients, create_graph=True)


@scenario(points=3, idea="Shapes are aligned at their last dimension.", page="learn/tensor")
def common_shapes(torch, piece, draw):
    a, b, c = sizes(draw, 3)
    yield "(a, b) and (b,)", torch.broadcast_shapes((a, b), (b,))
    yield "(b,) and (a, b)", torch.broadcast_shapes((b,), (a, b))
    yield "(a, 1, c) and (b, 1)", torch.broadcast_shapes((a, 1, c), (b, 1))
    yield "(c,) and ()", torch.broadcast_shapes((c,), ())


@scenario(points=5, idea="Any number of shapes have a common one, also a single shape or none.")
def any_number_of_shapes(torch, piece, draw):
    a, b, c = sizes(draw, 3)
    yield "three", torch.broadcast_shapes((a, 1), (1,), (c, 1, b))
    yield "one", torch.broadcast_shapes((a, 1))
    yield "none", [torch.broadcast_shapes(), a]
    many = [(1,) * k + (n,) + (1,) * (3 - k) for k, n in enumerate((a, b, c, 7))]
    yield "four", torch.broadcast_shapes(*draw.shuffled(many))


@scenario(points=6, idea="Sizes that differ, neither of them 1, have no common size.")
def shapes_that_do_not_fit(torch, piece, draw):
    a, b = sizes(draw, 2)
    yield "last", [error_of(torch.broadcast_shapes, (3, m), (n,)) for m, n in ((a, b), (b, a))]
    yield "first", error_of(torch.broadcast_shapes, (a, 1, 7), (b, 7, 1))
    zero, full = (0, 1), (a, b)
    yield "zero", error_of(torch.broadcast_shapes, zero, full)
    yield "zero in the other order", error_of(torch.broadcast_shapes, full, zero)
    yield "third", error_of(torch.broadcast_shapes, (a, b), (1, 1), (b, 1))


@scenario(points=5, idea="A dimension that is repeated is read with stride 0.", page="learn/tensor")
def strides_of_an_expanded_tensor(torch, piece, draw):
    a, b = sizes(draw, 2)
    x = drawn(torch, draw, a, 1, grad=False)
    yield "expanded", x.expand(b, a, 3)
    yield "added", x + drawn(torch, draw, b, 1, 2, grad=False)
    yield "strides", plugged_strides((a, 1), (1, 1), (b, a, 3))
    yield "strides of one element", plugged_strides((1,), (b,), (a,))


@scenario(points=5, idea="Dimensions that are not repeated keep their stride, whatever it is.")
def strides_of_a_transposed_tensor(torch, piece, draw):
    a, b = sizes(draw, 2)
    x = drawn(torch, draw, a, b, grad=False)
    yield "expanded", x.t().expand(2, b, a)
    yield "sliced", x[:, ::2] * drawn(torch, draw, 2, 1, 1, grad=False)
    yield "strides", plugged_strides((b, 1, a), (1, 3, b), (7, b, 2, a))


@scenario(
    points=6,
    idea="A dimension that the input does not have is summed and vanishes.",
    page="learn/backward/07_evaluate",
)
def a_bias(torch, piece, draw):
    a, b, c = sizes(draw, 3)
    x, bias = drawn(torch, draw, a, b, c), drawn(torch, draw, c)
    (x * bias).backward(drawn(torch, draw, a, b, c, grad=False))
    yield "bias.grad", bias.grad
    yield "x.grad", x.grad


@scenario(
    points=6,
    idea="A dimension of size 1 in the input is summed and stays with size 1.",
    page="learn/backward/07_evaluate",
)
def a_column_and_a_row(torch, piece, draw):
    a, b = sizes(draw, 2)
    column, row = drawn(torch, draw, a, 1), drawn(torch, draw, 1, b)
    (column * row).backward(drawn(torch, draw, a, b, grad=False))
    yield "column.grad", column.grad
    yield "row.grad", row.grad
    x = drawn(torch, draw, 1, b, 1)
    (x * drawn(torch, draw, a, b, 3, grad=False)).sum().backward()
    yield "two dimensions", x.grad


@scenario(
    points=6,
    idea="An input without dimensions gets the sum of the whole gradient.",
    page="learn/backward/07_evaluate",
)
def a_scalar(torch, piece, draw):
    a, b = sizes(draw, 2)
    x = drawn(torch, draw)
    (x - drawn(torch, draw, a, b)).backward(drawn(torch, draw, a, b, grad=False))
    yield "x.grad", x.grad


@scenario(
    points=4,
    idea="With create_graph=True, the sums are differentiated too.",
    page="learn/side_paths/create_graph",
)
def sums_that_are_differentiated(torch, piece, draw):
    a, b = sizes(draw, 2)
    y = drawn(torch, draw, a, b)
    for x in (drawn(torch, draw, 1, b), drawn(torch, draw, b)):
        recorded_backward(x * y, drawn(torch, draw, a, b, grad=False))
        first, x.grad, y.grad = x.grad, None, None
        (first * drawn(torch, draw, b, grad=False)).sum().backward()
        yield f"a sum with {x.dim()} dimensions", first
        yield "y.grad of the second pass", y.grad
        y.grad = None


@scenario(points=5, idea="A size of 0 is no repetition of 1: 1 and 0 make 0, and not 1.")
def sizes_of_zero(torch, piece, draw):
    a, b = sizes(draw, 2)
    yield "(a, 0) and (1,)", torch.broadcast_shapes((a, 0), (1,))
    yield "(0, b) and (1, b)", torch.broadcast_shapes((0, b), (1, b))
    x = drawn(torch, draw, 1, b)
    (x + drawn(torch, draw, 0, b)).sum().backward()
    yield "x.grad", x.grad


@scenario(points=10, idea="A gradient that already has the shape is returned as it is.")
def nothing_to_sum(torch, piece, draw):
    a, b = sizes(draw, 2)
    for shape in ((a, b), (1, a), (), (1,)):
        gradient = drawn(torch, draw, *shape, grad=False)
        result = plugged_sum_to(gradient, shape)
        same = result.data_ptr() == gradient.data_ptr()
        yield f"{len(shape)} dimensions, and whether it is the same memory", [result, same]
    yield (
        "but not from two rows to one",
        plugged_sum_to(drawn(torch, draw, 2, a, grad=False), (1, a)),
    )
    zero = drawn(torch, draw, 0, a, grad=False)
    yield "empty", plugged_sum_to(zero, (0, a))


# </tests>


# <hidden>
@scenario(points=9, idea="Both kinds of repetition may come together.", hidden=True)
def leading_and_inner_dimensions(torch, piece, draw):
    a, b, c, d = sizes(draw, 4)
    x = drawn(torch, draw, 1, b, 1, d)
    y = drawn(torch, draw, c, 1)
    g = drawn(torch, draw, 2, a, b, c, d, grad=False)
    (x / (y + 4) * drawn(torch, draw, 2, a, 1, 1, 1, grad=False)).backward(g)
    yield "x.grad", x.grad
    yield "y.grad", y.grad


@scenario(points=8, idea="Not every dimension of size 1 was repeated.", hidden=True)
def ones_that_stay(torch, piece, draw):
    a, b = sizes(draw, 2)
    x, y = drawn(torch, draw, 1, 1, b), drawn(torch, draw, 1)
    (x * y + drawn(torch, draw, a, 1, 1, 1)).backward(drawn(torch, draw, a, 1, 1, b, grad=False))
    yield "x.grad", x.grad
    yield "y.grad", y.grad
    z = drawn(torch, draw, 1, b, 1, 1)
    (z * drawn(torch, draw, a, b, 1, a, grad=False)).sum().backward()
    yield "z.grad", z.grad


@scenario(points=8, idea="All of it works in a small network too.", hidden=True)
def a_normalized_layer(torch, piece, draw):
    a, b = sizes(draw, 2)
    x, weight, bias = drawn(torch, draw, a, b), drawn(torch, draw, b), drawn(torch, draw, a, 1)
    centred = x - x.mean(1, keepdim=True)
    scaled = centred / (centred * centred).mean(1, keepdim=True).add(0.1).sqrt()
    out = torch.maximum(scaled * weight + bias, drawn(torch, draw, 1, b, grad=False))
    recorded_backward((out * out).sum())
    first = [x.grad, weight.grad, bias.grad]
    yield "gradients", first
    x.grad = weight.grad = bias.grad = None
    sum((grad * drawn(torch, draw, *grad.shape, grad=False)).sum() for grad in first).backward()
    yield "gradients of the gradients", [x.grad, weight.grad, bias.grad]


@scenario(points=8, idea="Shapes are aligned on the right, strides follow.", hidden=True)
def forward_values(torch, piece, draw):
    a, b, c = sizes(draw, 3)
    x = drawn(torch, draw, c, 1, a, grad=False).transpose(0, 2)
    y = drawn(torch, draw, b, 1, grad=False)
    z = drawn(torch, draw, a, b, 1, c, grad=False)[:, :, 0]
    yield "x + y", x + y
    yield "x * y - z", x * y - z
    yield "y / (z + 3)", y / (z + 3)


@scenario(points=6, idea="Zero and one among many shapes.", hidden=True)
def many_shapes(torch, piece, draw):
    full = [draw.choice([1, 0, 2, 3, 5]) for _ in range(5)]
    shapes = []
    for _ in range(6):
        shape = [n if draw.integer(0, 1) else 1 for n in full]
        shapes.append(tuple(shape[draw.integer(0, 4) :]))
    yield "common", [full, list(torch.broadcast_shapes(*shapes)), torch.broadcast_shapes()]
    a, b = sizes(draw, 2)
    x, y = drawn(torch, draw, 1, a), drawn(torch, draw, b, 1, 1)
    (x * y * drawn(torch, draw, 0, a)).sum().backward()
    yield "gradients of an empty product", [x.grad, y.grad]
    bad = draw.shuffled([(a, 1, 1), (1, 2), (b, 1, 2)])
    yield "error", error_of(torch.broadcast_shapes, *bad)
    yield "in the other order", error_of(torch.broadcast_shapes, *reversed(bad))
    yield "error at zero", error_of(torch.broadcast_shapes, (1, 0), (1,), (a,))
    yield "in the other order", error_of(torch.broadcast_shapes, (a,), (1,), (1, 0))


MISTAKES = {
    "aligned_on_the_left": "You align shapes at their first dimension. They are aligned at the last"
    " one.",
    "larger_size_wins": "1 and 0 make 0, and not 1: the size that is not 1 decides.",
    "only_the_first_two": "`broadcast_shapes` takes any number of shapes, and you look at two.",
    "zero_always_wins": "0 and 3 do not fit, since neither of them is 1. Your function takes 0 without"
    " an error.",
    "sizes_in_the_order_seen": "The message names the larger of the two sizes last, whichever shape"
    " comes first.",
    "no_error": "Two sizes that differ, neither of them 1, have to raise a ValueError.",
    "strides_of_contiguous": "You compute strides as if the tensor were contiguous. Keep the"
    " strides it has: it may be transposed or sliced.",
    "ones_keep_stride": "A dimension of size 1 that is repeated needs stride 0. With its old stride,"
    " memory behind the element is read.",
    "keeps_leading_ones": "Leading dimensions that the input does not have are still there with size"
    " 1. The result needs exactly the input's shape.",
    "drops_inner_ones": "A dimension that has size 1 in the input has to stay, with size 1.",
    "forgets_leading": "The gradient may have leading dimensions that the input does not have. They"
    " have to be summed too.",
    "one_inner_dimension": "Several dimensions of size 1 may have been repeated. You sum over the"
    " first of them only.",
    "sums_ones_too": "A dimension that has size 1 in the gradient too was not repeated. You sum over"
    " it, which copies a gradient that already has the shape.",
    "wrong_axis": "Dimension k of the input is dimension lead + k of the gradient, where lead is the"
    " number of leading dimensions.",
    "mean_for_sum": "Gradients of repeated elements add up. You take their mean.",
    "detached": "You detach the gradient, so that its sum has no history. With `create_graph=True` it"
    " is differentiated again.",
    "sizes_of_zero_stay": "A dimension of size 1 may also be repeated 0 times. The sum over such a"
    " dimension is 0.",
    "first_for_sum": "Gradients of repeated elements add up. You take the first one only.",
    "empty_sums_everything": "`sum` with an empty list of dimensions sums over all of them. If there"
    " is nothing to sum, return the gradient.",
}

EQUIVALENT = {
    "0 if size == 1 else stride for size, stride in zip(shape, strides, strict=True)  ->  "
    "0 if size == 1 else stride for size, stride in zip(shape, strides, strict=False)": "a tensor has"
    " as many strides as sizes",
    "common = [1] * max((len(shape) for shape in shapes), default=0)  ->  "
    "common = [1] * max((len(shape) for shape in shapes), default= -1)": "a list times -1 is empty",
}
# </hidden>
