"""Derivatives of operators that view, join, split and repeat."""


def filled(grads: "Tensor?[]", sizes: "int[]", dim: int, dtype: int) -> "Tensor[]":
    """Replace missing gradients by zeros."""
    shape = (
        sizes[:dim] + sizes[dim + 1 :]
        if dim >= 0
        else sizes[: len(sizes) + dim] + sizes[len(sizes) + dim + 1 :]
    )
    return [expand(zeros((), dtype), shape) if g is None else g for g in grads]


def unbind_backward(grads: "Tensor[]", dim: int) -> Tensor:
    """Stack the gradients of the parts."""
    return stack(grads, dim)


def stack_backward(grad: Tensor, dim: int) -> "Tensor[]":
    """Return the gradient's slice for each tensor."""
    if unseen(grad):
        return unbind(grad, dim)
    return [select(grad, dim, k) for k in range(grad.size(dim))]


def squeezed_back(grad: Tensor, sizes: "int[]") -> Tensor:
    """Restore the dimensions of size one that squeeze has removed."""
    if unseen(grad):
        return unsqueeze_to(grad, sizes)
    for d in range(len(sizes)):
        if sizes[d] == 1:
            grad = unsqueeze(grad, d)
    return grad


def squeezed_dim_back(grad: Tensor, dim: int, sizes: "int[]") -> Tensor:
    """Restore the dimension that squeeze has removed, if it had size one."""
    if unseen(grad):
        return unsqueeze_to_dim(grad, dim, sizes)
    if len(sizes) > 0 and sizes[dim] == 1:
        return unsqueeze(grad, dim)
    return grad


def squeezed_dims_back(grad: Tensor, dim: "int[]", sizes: "int[]") -> Tensor:
    """Restore those of the given dimensions that squeeze has removed."""
    if unseen(grad):
        return unsqueeze_to_dims(grad, dim, sizes)
    if len(sizes) == 0:
        return grad
    for d in sorted([k % len(sizes) for k in dim]):
        if sizes[d] == 1:
            grad = unsqueeze(grad, d)
    return grad


def split_backward(
    grads: "Tensor?[]", split_size: int, dim: int, sizes: "int[]", dtype: int
) -> Tensor:
    """Concatenate the gradients of the parts."""
    total = sizes[dim]
    parts = max(1, -(-total // split_size)) if split_size else 1
    split_sizes = tuple(
        [min(split_size, total - k * split_size) if split_size else 0 for k in range(parts)]
    )
    return split_with_sizes_backward(grads, split_sizes, dim, sizes, dtype)


def split_with_sizes_backward(
    grads: "Tensor?[]", split_sizes: "int[]", dim: int, sizes: "int[]", dtype: int
) -> Tensor:
    """Concatenate the gradients of the parts, with zeros for missing ones."""
    d = dim if dim >= 0 else dim + len(sizes)
    whole = []
    for k in range(len(split_sizes)):
        shape = sizes[:d] + (split_sizes[k],) + sizes[d + 1 :]
        whole.append(zeros(shape, dtype) if grads[k] is None else grads[k])
    return cat(whole, d)


def repeat_backward(grad: Tensor, repeats: "int[]", sizes: "int[]") -> Tensor:
    """Sum over the copies."""
    lead = len(repeats) - len(sizes)
    if 0 in repeats:
        return zeros(sizes, grad.scalar_type())
    for _ in range(lead):
        grad = sum_dim(grad, (0,), False)
    shape = ()
    reduced = ()
    for k in range(len(sizes)):
        if repeats[lead + k] != 1:
            reduced = reduced + (len(shape),)
            shape = shape + (repeats[lead + k],)
        shape = shape + (sizes[k],)
    if len(reduced) == 0:
        return grad
    return sum_dim(reshape(grad, shape), reduced, False)


def negated(shifts: "int[]") -> "int[]":
    """Negate the shifts, to roll back."""
    return tuple([-s for s in shifts])


def as_strided_gradient(
    grad: Tensor,
    sizes: "int[]",
    strides: "int[]",
    offset: int,
    size: "int[]",
    stride: "int[]",
    storage_offset: "int?",
) -> Tensor:
    """Return the gradient; an empty tensor gives zeros without a history."""
    if 0 in size or 0 in sizes:
        return zeros(sizes, grad.scalar_type())
    return as_strided_backward(grad, sizes, strides, offset, size, stride, storage_offset)


def cat_backward(grad: Tensor, sizes: any, dim: int) -> "Tensor[]":
    """Return the gradient's part for each tensor.

    An empty tensor of one dimension was skipped; it gets zeros without a history.
    """
    parts = []
    start = 0
    for shape in sizes:
        if shape == (0,):
            parts.append(zeros(shape, grad.scalar_type()))
            continue
        length = shape[dim]
        d = dim if dim >= 0 else dim + len(shape)
        parts.append(slice(grad, d, start, start + length, 1))
        start = start + length
    return parts


def block_diag_backward(grad: Tensor, sizes: any) -> "Tensor[]":
    """Return the gradient's block for each tensor."""
    parts = []
    row = 0
    column = 0
    for shape in sizes:
        height = shape[0] if len(shape) == 2 else 1
        width = shape[-1] if len(shape) else 1
        block = slice(slice(grad, 0, row, row + height, 1), 1, column, column + width, 1)
        if len(shape) == 1 and shape[0] == 0:
            parts.append(zeros(shape, grad.scalar_type()))
            row = row + height
            continue
        # the engine sums a row to the tensor's shape
        if len(shape) < 2:
            block = squeeze_dim(block, -1)
        parts.append(block if len(shape) > 0 else squeeze_dim(block, -1))
        row = row + height
        column = column + width
    return parts


def sum_to_shape(self: Tensor, size: "int[]") -> Tensor:
    """Sum over the dimensions that broadcasting from `size` to self's shape would expand."""
    sizes = self.sizes()
    lead = len(sizes) - len(size)
    fits = lead >= 0
    for k in range(len(size)):
        if fits and size[k] != 1 and size[k] != sizes[k + lead]:
            fits = False
    if not fits:
        raise RuntimeError(
            "size {" + str(list(size)) + "} is not expandable to size {" + str(list(sizes)) + "}."
        )
    if len(size) == 0:
        return sum(self)
    dims = [k for k in range(len(sizes)) if k < lead or (size[k - lead] == 1 and sizes[k] != 1)]
    result = sum_dim(self, tuple(dims), True) if len(dims) else self
    return view(result, size) if lead > 0 else result


def narrow_from(self: Tensor, dim: int, start: Tensor, length: int) -> Tensor:
    """Narrow from a start that is given as a tensor."""
    if start.dim() != 0 or start.scalar_type() == Bool or start.is_inexact():
        raise RuntimeError("start must be an 0-dim integral Tensor.")
    return narrow(self, dim, told_number(start), length)
