"""Derivatives of gather, index_select, masked_fill, masked_select and embedding."""


def gather_gradient(grad: Tensor, sizes: "int[]", dim: int, index: Tensor) -> Tensor:
    """Add each gradient to the position that gather has read."""
    if unseen(grad, index):
        return gather_backward(grad, sizes, dim, index)
    return scatter_add(zeros_for(grad, sizes), dim, index, grad)


def index_select_gradient(grad: Tensor, sizes: "int[]", dim: int, index: Tensor) -> Tensor:
    """Add each slice of the gradient to the position that index_select has read."""
    if unseen(grad, index):
        return index_select_backward(grad, sizes, dim, index)
    flat = zeros_for(grad, sizes, True)
    if index.is_plain() and computed_by_python(grad):
        return index_add_(flat, dim, index, grad, 1)
    return index_add(flat, dim, index, grad, 1)


def masked_select_gradient(grad: Tensor, self: Tensor, mask: Tensor) -> Tensor:
    """Put the gradients, in order, at the positions where the mask is set."""
    if unseen(grad, self, mask) or is_sample(grad) or is_sample(self):
        return masked_select_backward(grad, self, mask)
    whole = expand(self, broadcast_sizes(self.sizes(), mask.sizes()))
    return masked_scatter(zeros_like(whole), mask, grad)


def take_gradient(grad: Tensor, self: Tensor, index: Tensor) -> Tensor:
    """Add each gradient to the position that take has read."""
    return put(zeros_like(self), index, grad, True)


def index_add_source(
    grad: Tensor, dim: int, index: Tensor, sizes: "int[]", alpha: Scalar
) -> Tensor:
    """Return the gradient of the source: the slices of grad at `index`, times alpha."""
    if len(sizes) == 0:
        return maybe_multiply(index_select(grad, dim, squeeze_dim(index, 0)), alpha)
    return maybe_multiply(index_select(grad, dim, index).expand(sizes), alpha)


def embedding_double_backward(
    grad: Tensor, indices: Tensor, padding_idx: int, scale_grad_by_freq: bool
) -> Tensor:
    """Return the rows of grad that were looked up; the row of padding_idx has no gradient."""
    if scale_grad_by_freq:
        raise RuntimeError("embedding: scale_grad_by_freq does not support double backward")
    rows = embedding(grad, indices)
    if padding_idx < 0:
        return rows
    return masked_fill(rows, unsqueeze(indices == padding_idx, -1), 0)


def take_along_composed(self: Tensor, indices: Tensor, dim: "int?") -> Tensor:
    """Broadcast the tensors against each other and gather, wrapping indices of any size."""
    if dim is None:
        return gather(view(self, (-1,)), 0, view(indices, (-1,)))
    have = self.sizes()
    want = indices.sizes()
    if len(have) != len(want):
        raise RuntimeError(
            "torch.take_along_dim(): input and indices should have the same number of dimensions, "
            "but got "
            + str(len(have))
            + " dimensions for input, and "
            + str(len(want))
            + " dimensions for indices"
        )
    if indices.scalar_type() != Int64:
        raise RuntimeError(
            "torch.take_along_dim(): dtype of indices should be Long but got "
            + class_name(indices.scalar_type())
        )
    size = self.size(dim)
    d = dim if dim >= 0 else dim + len(have)
    shape = ()
    index_shape = ()
    for k in range(len(have)):
        if k != d and have[k] != want[k] and have[k] != 1 and want[k] != 1:
            raise RuntimeError(
                "The size of tensor a ("
                + str(have[k])
                + ") must match the size of tensor b ("
                + str(want[k])
                + ") at non-singleton dimension "
                + str(k)
            )
        common = want[k] if have[k] == 1 else have[k]
        shape = shape + (size if k == d else common,)
        index_shape = index_shape + (want[k] if k == d else common,)
    places = expand(indices, index_shape)
    return gather(expand(self, shape), dim, remainder(places, size))


def embedding_bag_weight(
    grad: Tensor,
    indices: Tensor,
    rows: int,
    bag: Tensor,
    bag_size: Tensor,
    chosen: Tensor,
    scale_grad_by_freq: bool,
    mode: int,
    per_sample_weights: "Tensor?",
    padding_idx: int,
) -> Tensor:
    """Return the gradient of the weight, collecting for each row the gradients of its bags."""
    tell_of(grad, "aten::_embedding_bag_backward")
    message = "the derivative for '_embedding_bag_backward' is not implemented."
    grad = _delayed_error(grad, per_sample_weights, message, True)
    if mode == 2:
        present = unsqueeze(bag_size, 1) != 0
        flat = zeros((rows,) + grad.sizes()[1:], grad.scalar_type())
        return scatter_add(flat, 0, chosen, grad * present)
    if mode == 1:
        grad = grad / unsqueeze(clamp_min(bag_size, 1), 1)
    # indices behind the last bag belong to none; they get the row of zeros
    parts = index_select(cat([grad, zeros((1,) + grad.sizes()[1:], grad.scalar_type())], 0), 0, bag)
    if per_sample_weights is not None:
        parts = parts * unsqueeze(per_sample_weights, 1)
    return embedding_dense_backward(parts, indices, rows, padding_idx, scale_grad_by_freq)


def embedding_bag_factors(
    grad: Tensor, weight: Tensor, indices: Tensor, bag: Tensor, padding_idx: int
) -> Tensor:
    """Return the weights' gradient: inner products of rows and their bags' gradients."""
    message = "derivative for aten::_embedding_bag_per_sample_weights_backward is not implemented"
    grad = _delayed_error(grad, weight, message, False)
    parts = index_select(cat([grad, zeros((1,) + grad.sizes()[1:], grad.scalar_type())], 0), 0, bag)
    products = sum_dim(parts * index_select(weight, 0, indices), (1,), False)
    return masked_fill(products, indices == padding_idx, 0) if padding_idx >= 0 else products
