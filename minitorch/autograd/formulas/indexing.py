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
