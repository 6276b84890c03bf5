"""Write `AccumulateGrad`, the node at the end of the graph that adds a gradient to ``leaf.grad``.

It looks like one line, ``leaf.grad += gradient``. But there are five cases:

    .grad     recorded   what to do
    None      no         keep the gradient itself, if it is free and has the leaf's layout
    None      no         otherwise, keep a copy with the leaf's layout
    None      yes        keep a recorded copy with the leaf's layout
    exists    no         add to it in place: an optimizer may refer to this tensor
    exists    yes        replace it by the recorded sum of the two

*Recorded* means that grad mode is on (`torch.is_grad_enabled()`), as in a pass with
``create_graph=True``. A gradient is *free* if nothing else refers to it. Only the engine knows that,
so it passes `free`. The *layout* matters because an optimizer goes through a leaf and its gradient
together, which is fast if both lie in memory in the same order. (A leaf with gaps or overlaps gets a
contiguous gradient.)

You write three parts:

1. `has_layout_of` compares the layout of a gradient with that of a leaf;
2. `copy_with_layout_of` makes the copy;
3. `accumulate_grad` decides between the cases.

The engine below is given. `Variable._execution_engine = Engine()` makes all of minitorch run on it.
"""

import minitorch as torch
from minitorch.autograd.engine_steps import call_tensor_pre_hooks, unpack_arguments

# ---- yours to write


def has_layout_of(gradient, leaf):
    """Return True if a gradient may become the ``.grad`` of a leaf without a copy.

    If `is_dense(leaf)`, which is given below, its strides must be those of the leaf. In a dimension
    of size 1 they may differ, since no element uses that stride. But 0 is not allowed there: it comes
    from `expand`, so the gradient is a view of another tensor. If the leaf is not dense, all that
    matters is whether the gradient is contiguous.
    """
    # <answer has_layout_of>
    # hint: `gradient.stride()` is a tuple with one number for each dimension. For a leaf with gaps,
    #   use `gradient.is_contiguous()`.
    # hint: Compare dimension by dimension. In a dimension of size 1, only look whether the stride is 0.
    if not is_dense(leaf):
        return gradient.is_contiguous()
    return all(
        stride != 0 if size == 1 else stride == wanted
        for size, stride, wanted in zip(leaf.shape, gradient.stride(), leaf.stride(), strict=True)
    )
    # <wrong compares_shapes>
    #| return gradient.shape == leaf.shape
    # <wrong wants_contiguous>
    #| return gradient.is_contiguous()
    # <wrong all_strides_compared>
    #| if not is_dense(leaf):
    #|     return gradient.is_contiguous()
    #| return gradient.stride() == leaf.stride()
    # </answer>


def copy_with_layout_of(gradient, leaf):
    """Return a copy of a gradient: with its dtype, and the strides of a leaf if that is dense.

    Otherwise the copy is contiguous. In grad mode it is recorded, so that gradients can flow back to
    `gradient`.
    """
    # <answer copy_with_layout_of>
    # hint: `torch.empty_strided(shape, strides, dtype=...)` makes a tensor with a layout.
    # hint: `copy_` fills a tensor from another one, and is recorded in grad mode.
    # hint: For a leaf that is not dense, take `torch.empty(leaf.shape, dtype=...)`.
    if is_dense(leaf):
        copy = torch.empty_strided(leaf.shape, leaf.stride(), dtype=gradient.dtype)
    else:
        copy = torch.empty(leaf.shape, dtype=gradient.dtype)
    return copy.copy_(gradient)
    # <wrong copy_has_layout_of_gradient>
    #| return gradient.clone()
    # <wrong contiguous_may_not_copy>
    #| if is_dense(leaf):
    #|     copy = torch.empty_strided(leaf.shape, leaf.stride(), dtype=gradient.dtype)
    #|     return copy.copy_(gradient)
    #| return gradient.contiguous()
    # <wrong copy_is_not_recorded>
    #|- return copy.copy_(gradient)
    #|+ return copy.copy_(gradient.detach())
    # </answer>


def accumulate_grad(leaf, gradient, free):
    """Add a gradient to ``leaf.grad``.

    Parameters
    ----------
    leaf : Tensor
        If it no longer requires grad, do nothing.
    gradient : Tensor or None
        None adds nothing: ``leaf.grad`` stays as it is.
    free : bool
        True if nothing else refers to `gradient`, so that it may become ``leaf.grad``.
    """
    # <answer accumulate_grad>
    # hint: Follow the table: check first if there is a `.grad`, then if the pass is recorded.
    # hint: `leaf.grad.add_(gradient)` adds in place. In grad mode, assign a sum instead.
    # hint: A gradient that is not free, or has another layout, is copied; in grad mode always.
    if gradient is None or not leaf.requires_grad:
        return
    recorded = torch.is_grad_enabled()
    if leaf.grad is not None:
        if recorded:
            leaf.grad = leaf.grad + gradient
        else:
            leaf.grad.add_(gradient)
    elif free and not recorded and has_layout_of(gradient, leaf):
        leaf.grad = gradient
    else:
        leaf.grad = copy_with_layout_of(gradient, leaf)
    # <wrong steals_a_shared_gradient>
    #| if gradient is None or not leaf.requires_grad:
    #|     return
    #| if leaf.grad is not None:
    #|     if torch.is_grad_enabled():
    #|         leaf.grad = leaf.grad + gradient
    #|     else:
    #|         leaf.grad.add_(gradient)
    #| elif not torch.is_grad_enabled() and has_layout_of(gradient, leaf):
    #|     leaf.grad = gradient
    #| else:
    #|     leaf.grad = copy_with_layout_of(gradient, leaf)
    # <wrong always_copies>
    #| if gradient is None or not leaf.requires_grad:
    #|     return
    #| if leaf.grad is not None:
    #|     if torch.is_grad_enabled():
    #|         leaf.grad = leaf.grad + gradient
    #|     else:
    #|         leaf.grad.add_(gradient)
    #| else:
    #|     leaf.grad = copy_with_layout_of(gradient, leaf)
    # <wrong new_tensor_for_each_sum>
    #| if gradient is None or not leaf.requires_grad:
    #|     return
    #| if leaf.grad is not None:
    #|     leaf.grad = leaf.grad + gradient
    #| elif free and not torch.is_grad_enabled() and has_layout_of(gradient, leaf):
    #|     leaf.grad = gradient
    #| else:
    #|     leaf.grad = copy_with_layout_of(gradient, leaf)
    # <wrong in_place_while_recording>
    #| if gradient is None or not leaf.requires_grad:
    #|     return
    #| if leaf.grad is not None:
    #|     leaf.grad.add_(gradient)
    #| elif free and not torch.is_grad_enabled() and has_layout_of(gradient, leaf):
    #|     leaf.grad = gradient
    #| else:
    #|     leaf.grad = copy_with_layout_of(gradient, leaf)
    # <wrong taken_while_recording>
    #|- elif free and not recorded and has_layout_of(gradient, leaf):
    #|+ elif free and has_layout_of(gradient, leaf):
    # <wrong overwrites>
    #| if gradient is None or not leaf.requires_grad:
    #|     return
    #| if free and not torch.is_grad_enabled() and has_layout_of(gradient, leaf):
    #|     leaf.grad = gradient
    #| else:
    #|     leaf.grad = copy_with_layout_of(gradient, leaf)
    # <wrong none_becomes_zeros>
    #|- if gradient is None or not leaf.requires_grad:
    #|-     return
    #|+ if not leaf.requires_grad:
    #|+     return
    #|+ if gradient is None:
    #|+     gradient, free = torch.zeros_like(leaf), True
    # <wrong requires_grad_forgotten>
    #|- if gradient is None or not leaf.requires_grad:
    #|+ if gradient is None:
    # </answer>


# ---- given


def is_dense(tensor):
    """Return True if the elements of a tensor lie in memory without gaps or overlaps."""
    expected = 1
    for stride, size in sorted(zip(tensor.stride(), tensor.shape, strict=True)):
        if size != 1:
            if stride != expected:
                return False
            expected *= size
    return True


def sum_to(gradient, shape):
    """Sum a gradient over the dimensions along which an input of this shape was broadcast."""
    while gradient.ndim > len(shape):
        gradient = gradient.sum(0)
    for d, size in enumerate(shape):
        if size == 1 and gradient.shape[d] != 1:
            gradient = gradient.sum(d, keepdim=True)
    return gradient


def newest_first(roots):
    """Return all nodes below the roots; each comes after every node with an edge to it."""
    found, stack = {}, list(roots)
    while stack:
        node = stack.pop()
        if node is not None and node not in found:
            found[node] = node._sequence_nr() if node.next_functions else -1
            stack += [function for function, _ in node.next_functions]
    return sorted(found, key=found.get, reverse=True)


class Engine:
    """An engine for `backward()` and `grad()`.

    It never frees the graph, and has neither ``backward(inputs=...)`` nor the hooks of nodes.
    """

    def run_backward(
        self,
        tensors,
        grad_tensors,
        keep_graph,
        create_graph,
        inputs=(),
        allow_unreachable=False,
        accumulate_grad=False,
    ):
        with torch.set_grad_enabled(create_graph):
            roots, ends = unpack_arguments(tensors, grad_tensors, inputs, accumulate_grad)
            captured, arrived, made = [None] * len(ends), {}, set()
            for node, output_nr, gradient in roots:
                self.add(node, output_nr, gradient, arrived, made)
            for node in newest_first([root[0] for root in roots]):
                gradients = [arrived.pop((node, k), None) for k in range(len(node._input_metadata))]
                free = (node, 0) in made
                gradients = call_tensor_pre_hooks(node, gradients)
                for index, (target, output_nr, _) in enumerate(ends):
                    if target is node:
                        captured[index] = gradients[output_nr]
                if node.next_functions:
                    results = node(*gradients)
                    results = results if isinstance(results, tuple) else (results,)
                    for (function, nr), gradient in zip(node.next_functions, results, strict=True):
                        if function is not None:
                            if gradient is not None:
                                gradient = sum_to(gradient, function._input_metadata[nr].shape)
                            self.add(function, nr, gradient, arrived, made)
                elif not ends:
                    leaf = node.variable
                    accumulate_grad_of(leaf, gradients.pop(), free)
        return () if accumulate_grad else tuple(captured)

    def add(self, node, output_nr, gradient, arrived, made):
        old = arrived.get((node, output_nr))
        if old is not None and gradient is not None:
            gradient = old + gradient
            made.add((node, output_nr))
        arrived[node, output_nr] = old if gradient is None else gradient


def accumulate_grad_of(leaf, gradient, free):
    """Call `accumulate_grad`; a gradient that a hook has seen is not free."""
    accumulate_grad(leaf, gradient, free and not leaf._backward_hooks)


# <tests>
from exercises.engines import install_engine, leaves, retire_engine, retire_sinks
from exercises.scenario import scenario

ABOUT = {
    "number": 9,
    "title": "AccumulateGrad and layouts",
    "part": "The engine",
    "goal": "Put gradients into .grad: the first one without a copy, if possible, and later ones in place.",
    "reading": ["learn/backward/10_sink", "learn/side_paths/create_graph"],
    "difficulty": 2,
    "importance": 4,
    "hours": 2,
}


def install(piece):
    return install_engine(piece)


def retire():
    """Remove the compiled engine and the library's `AccumulateGrad`."""
    retire_sinks()
    retire_engine()


def matrix(torch, draw, rows, columns, order="rows"):
    """Return a matrix whose elements lie in memory by rows, by columns or with gaps."""
    if order == "columns":
        return torch.tensor(draw.floats(columns, rows), dtype=torch.float64).t()
    if order == "gaps":
        return torch.tensor(draw.floats(rows, 2 * columns), dtype=torch.float64)[:, ::2]
    return torch.tensor(draw.floats(rows, columns), dtype=torch.float64)


def leaf_like(torch, draw, rows, columns, order="rows"):
    return matrix(torch, draw, rows, columns, order).detach().requires_grad_()


def address(tensor):
    return (tensor.untyped_storage().data_ptr(), tensor.storage_offset())


def is_one_of(tensor, **tensors):
    """Return the name of the tensor with the same elements in memory, or "a copy"."""
    for name, other in tensors.items():
        if address(tensor) == address(other):
            return name.replace("_", " ")
    return "a copy"


def after(torch, piece, leaf, *gradients, free=False):
    """Accumulate without recording, and return ``.grad``, its strides, and whether it is a copy."""
    with torch.no_grad():
        for gradient in gradients:
            piece.accumulate_grad(leaf, gradient, free)
    grad = leaf.grad
    if grad is None:
        return None
    taken = any(g is not None and address(g) == address(grad) for g in gradients)
    return {
        "it is": "the gradient" if taken else "a copy",
        "strides": list(grad.stride()),
        "grad": grad,
    }


@scenario(points=4, idea="The gradients of several calls are added up.")
def backward_adds_to_grad(torch, piece, draw):
    x, w = leaves(draw, 2, 3)
    for _ in range(3):
        (x * w * draw.integer(2, 9) + x).sum().backward()
        yield "gradients", [x.grad, w.grad]


@scenario(points=4, idea="Other code may use a gradient that is not free, so copy it.")
def the_gradient_of_the_user_is_not_taken(torch, piece, draw):
    (x,) = leaves(draw, 1, 3)
    given = torch.tensor(draw.floats(3), dtype=torch.float64)
    x.backward(given)
    yield "x.grad is", is_one_of(x.grad, the_given_gradient=given)
    (x * draw.integer(2, 9)).backward(given)
    yield "x.grad", x.grad
    yield "the gradient that was given", given


@scenario(points=5, idea="Two leaves may get the same gradient. Neither may keep it itself.")
def two_leaves_do_not_share_a_gradient(torch, piece, draw):
    x, w = leaves(draw, 2, 3)
    (x + w).backward(torch.tensor(draw.floats(3), dtype=torch.float64))
    yield "w.grad is", is_one_of(w.grad, the_gradient_of_x=x.grad)
    (x * draw.integer(2, 9)).backward(torch.tensor(draw.floats(3), dtype=torch.float64))
    yield "gradients", [x.grad, w.grad]


@scenario(points=3, idea="Compare the strides of the gradient with those of the leaf.")
def layouts_are_compared(torch, piece, draw):
    orders = ["rows", "columns", "gaps"]
    same = []
    for of_leaf, of_gradient in draw.shuffled([(one, other) for one in orders for other in orders]):
        leaf = leaf_like(torch, draw, 2, 3, of_leaf)
        if piece.has_layout_of(matrix(torch, draw, 2, 3, of_gradient), leaf):
            same.append([of_leaf, of_gradient])
    yield "leaves and gradients with one layout", same


@scenario(points=7, idea="A free gradient with the layout of the leaf becomes .grad itself.")
def a_free_gradient_is_taken(torch, piece, draw):
    for order in draw.shuffled(["rows", "columns"]):
        leaf = leaf_like(torch, draw, 2, 3, order)
        gradient = matrix(torch, draw, 2, 3, order)
        yield order, after(torch, piece, leaf, gradient, free=True)
    yield "one more", after(torch, piece, leaf, matrix(torch, draw, 2, 3, order), free=True)


@scenario(points=4, idea="A gradient that is not free is copied, even if its layout is right.")
def a_shared_gradient_is_copied(torch, piece, draw):
    for order in draw.shuffled(["rows", "columns", "gaps"]):
        leaf = leaf_like(torch, draw, 2, 3, order)
        gradient = matrix(torch, draw, 2, 3, "rows" if order == "gaps" else order)
        yield order, after(torch, piece, leaf, gradient)
        leaf.grad.mul_(2)
        yield "the gradient stays", gradient


@scenario(points=10, idea="A gradient with another layout is copied into the layout of the leaf.")
def the_copy_has_the_layout_of_the_leaf(torch, piece, draw):
    for of_leaf, of_gradient in [("rows", "columns"), ("columns", "rows")]:
        leaf = leaf_like(torch, draw, draw.integer(2, 4), 3, of_leaf)
        gradient = matrix(torch, draw, leaf.shape[0], 3, of_gradient)
        yield of_leaf, after(torch, piece, leaf, gradient, free=draw.choice([True, False]))


@scenario(points=4, idea="A leaf with gaps in memory gets a contiguous gradient.")
def a_leaf_with_gaps_gets_a_contiguous_gradient(torch, piece, draw):
    for order in ["rows", "columns", "gaps"]:
        leaf = leaf_like(torch, draw, 2, 3, "gaps")
        gradient = matrix(torch, draw, 2, 3, order)
        yield order, after(torch, piece, leaf, gradient, free=True)
    leaf = leaf_like(torch, draw, 2, 3, "gaps")
    yield "not free", after(torch, piece, leaf, matrix(torch, draw, 2, 3))


@scenario(
    points=10,
    idea="In a dimension of size 1 any stride will do, except 0, which shows a view of another tensor.",
)
def a_dimension_of_size_one_has_any_stride(torch, piece, draw):
    leaf = leaf_like(torch, draw, 1, 3, "columns")
    gradient = matrix(torch, draw, 1, 3)
    yield "strides", [list(leaf.stride()), list(gradient.stride())]
    yield "one row", after(torch, piece, leaf, gradient, free=True)
    leaf = leaf_like(torch, draw, 1, 3)
    gradient = torch.tensor(draw.floats(3), dtype=torch.float64).as_strided((1, 3), (0, 1))
    yield "a stride of 0", after(torch, piece, leaf, gradient, free=True)


@scenario(points=10, idea="An optimizer may refer to .grad, so add to this tensor in place.")
def the_second_gradient_is_added_in_place(torch, piece, draw):
    leaf = leaf_like(torch, draw, 2, 3)
    after(torch, piece, leaf, matrix(torch, draw, 2, 3))
    held = leaf.grad
    version = held._version
    gradient = matrix(torch, draw, 2, 3, "columns")
    result = after(torch, piece, leaf, gradient, free=True)
    yield "leaf.grad", result
    yield "what was held", held
    yield "leaf.grad is", is_one_of(leaf.grad, the_second_gradient=gradient, what_was_held=held)
    yield "additions in place", held._version - version


@scenario(
    points=10,
    idea="In a recorded pass, .grad becomes a new tensor: the old one may be part of a graph.",
    page="learn/side_paths/create_graph",
)
def a_recorded_sum_is_a_new_tensor(torch, piece, draw):
    (x,) = leaves(draw, 1, 3)
    (x * x * x).sum().backward(create_graph=True)
    held = x.grad
    version = held._version
    (x * x * draw.integer(2, 9)).sum().backward(create_graph=True)
    yield "x.grad", x.grad
    yield "what was there before", [held, held._version - version]
    yield "x.grad is", is_one_of(x.grad, what_was_there_before=held)
    yield "the second derivative", torch.autograd.grad(x.grad.sum(), x)
    leaf, gradient = leaf_like(torch, draw, 2, 3), matrix(torch, draw, 2, 3)
    with torch.enable_grad():
        piece.accumulate_grad(leaf, gradient, True)
    yield "a first gradient", [is_one_of(leaf.grad, the_gradient=gradient), leaf.grad]


@scenario(points=10, idea="None adds nothing: .grad stays None, or as it was.")
def none_adds_nothing(torch, piece, draw):
    leaf = leaf_like(torch, draw, 2, 3)
    yield "none", [draw.integer(1, 99), after(torch, piece, leaf, None, free=True)]
    gradient = matrix(torch, draw, 2, 3)
    yield "one", after(torch, piece, leaf, gradient, None)
    yield "its version", [gradient, leaf.grad._version]


# </tests>


# <hidden>
@scenario(points=7, idea="Check each case of the table.", hidden=True)
def drawn_cases(torch, piece, draw):
    for _ in range(12):
        orders = [draw.choice(["rows", "columns", "gaps"]) for _ in range(3)]
        shape = draw.choice([(2, 3), (1, 3), (3, 1), (1, 1)])
        leaf = leaf_like(torch, draw, *shape, orders[0])
        first, second = (matrix(torch, draw, *shape, order) for order in orders[1:])
        yield "one", after(torch, piece, leaf, first, free=draw.choice([True, True, False]))
        yield "two", after(torch, piece, leaf, second, free=draw.choice([True, False]))
        yield "given", second
    leaf = leaf_like(torch, draw, 2, 3, "gaps")
    yield "gaps", after(torch, piece, leaf, matrix(torch, draw, 2, 3))


@scenario(points=10, idea="A leaf that no longer requires grad gets nothing.", hidden=True)
def requires_grad_may_be_switched_off(torch, piece, draw):
    x, w, v = leaves(draw, 3, 3)
    (v * draw.integer(2, 9)).sum().backward()
    y = (x * w * v).sum()
    w.requires_grad_(False)
    v.requires_grad_(False)
    y.backward()
    yield "gradients", [x.grad, w.grad, v.grad]


@scenario(points=2, idea="In a recorded pass the copy is recorded too.", hidden=True)
def a_recorded_copy_has_the_layout_too(torch, piece, draw):
    for order in ["rows", "columns", "gaps"]:
        leaf = leaf_like(torch, draw, 2, 3, order)
        (leaf * leaf * leaf).sum().backward(create_graph=True)
        grad = leaf.grad
        yield order, [grad, list(grad.stride())]
        yield "second derivative", torch.autograd.grad((grad * grad).sum(), leaf)


EQUIVALENT = {
    "for size, stride, wanted in zip(leaf.shape, gradient.stride(), leaf.stride(), strict=True)  ->  "
    "for size, stride, wanted in zip(leaf.shape, gradient.stride(), leaf.stride(), strict=False)": "the "
    "three have one length",
}

MISTAKES = {
    "compares_shapes": "Your has_layout_of compares shapes, which are always the same. Compare the "
    "strides.",
    "wants_contiguous": "Your has_layout_of wants a contiguous gradient. A transposed leaf should "
    "have a transposed gradient.",
    "all_strides_compared": "Your has_layout_of compares the strides of dimensions of size 1 too, "
    "although these are never used.",
    "copy_has_layout_of_gradient": "Your copy has the layout of the gradient. It should have that of "
    "the leaf.",
    "copy_is_not_recorded": "With create_graph, your first gradient has no history, so it cannot be "
    "differentiated.",
    "steals_a_shared_gradient": "Your accumulate_grad keeps a gradient that is not free. Every later "
    "gradient is then added to a tensor that other code uses.",
    "always_copies": "Your accumulate_grad copies the first gradient even if it is free.",
    "new_tensor_for_each_sum": "Your accumulate_grad makes a new tensor for each sum. Code that "
    "refers to the old .grad, like an optimizer, does not get the sum.",
    "in_place_while_recording": "In a recorded pass, your accumulate_grad adds in place to a tensor "
    "that may be part of a graph.",
    "contiguous_may_not_copy": "`gradient.contiguous()` returns the gradient itself if it is contiguous "
    "already. Then .grad is a tensor that other code uses.",
    "taken_while_recording": "In a recorded pass, your accumulate_grad keeps a free gradient itself. "
    "It should keep a recorded copy.",
    "overwrites": "Your accumulate_grad replaces .grad by the next gradient instead of adding to it.",
    "none_becomes_zeros": "A gradient of None gives your leaf a .grad of zeros. An optimizer treats "
    "zeros and None differently.",
    "requires_grad_forgotten": "A leaf that no longer requires grad should get nothing.",
}
# </hidden>
