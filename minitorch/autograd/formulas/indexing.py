"""Derivatives of gather, index_select, masked_select and embedding."""


def gather_gradient(grad: Tensor, sizes: "int[]", dim: int, index: Tensor) -> Tensor:
    """Each element back to where it came from, and added up there."""
    if not RECORDED:
        return gather_backward(grad, sizes, dim, index)
    return scatter_add(zeros(sizes, grad.scalar_type()), dim, index, grad)


def index_select_gradient(grad: Tensor, sizes: "int[]", dim: int, index: Tensor) -> Tensor:
    """The same of whole slices."""
    if not RECORDED:
        return index_select_backward(grad, sizes, dim, index)
    return index_add(zeros(sizes, grad.scalar_type()), dim, index, grad, 1)


def masked_select_gradient(grad: Tensor, self: Tensor, mask: Tensor) -> Tensor:
    """Where the mask is set, in order."""
    if not RECORDED:
        return masked_select_backward(grad, self, mask)
    return masked_scatter(masked_select_backward(zeros_like(grad), self, mask), mask, grad)


def embedding_double_backward(
    grad: Tensor, indices: Tensor, padding_idx: int, scale_grad_by_freq: bool
) -> Tensor:
    """The rows that were looked up; the padding row has no gradient."""
    if scale_grad_by_freq:
        raise RuntimeError("embedding: scale_grad_by_freq does not support double backward")
    rows = embedding(grad, indices)
    if padding_idx < 0:
        return rows
    return masked_fill(rows, unsqueeze(indices == padding_idx, -1), 0)


def take_along_composed(self: Tensor, indices: Tensor, dim: "int?") -> Tensor:
    """`gather` of tensors broadcast against each other, with indices of any size wrapped around."""
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
    return gather(expand(self, shape), dim, expand(remainder(indices, size), index_shape))
