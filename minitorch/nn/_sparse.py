"""Embeddings."""

from minitorch._sparse.gradients import sparse_embedding
from minitorch.autograd.by_sample import without_batching_rule
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.grad_mode import no_grad
from minitorch.tensors.gradient_checks import reject_tangents


def embedding(
    input,
    weight,
    padding_idx=None,
    max_norm=None,
    norm_type=2.0,
    scale_grad_by_freq=False,
    sparse=False,
):
    """Look up rows of a table by index.

    Parameters
    ----------
    input : Tensor
        Indices of dtype int64 or int32, of any shape.
    weight : Tensor
        The table, of the shape ``(rows, n)``.
    padding_idx : int, optional
        A row that gets no gradient.
    max_norm : float, optional
        Rows with a larger norm are scaled down to it, in place, when they are looked up.
    norm_type : float, default 2.0
        The p of that norm.
    scale_grad_by_freq : bool, default False
        Divide a row's gradient by the number of times it occurs in `input`.
    sparse : bool, default False
        Make the gradient of `weight` a sparse tensor.

    Returns
    -------
    Tensor
        The shape ``(*input.shape, n)`` and the dtype of `weight`.

    Raises
    ------
    IndexError
        If an index is not a row.
    RuntimeError
        If the indices have another dtype.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.embedding(torch.tensor([2, 0]), torch.tensor([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]))
    tensor([[4., 5.],
            [0., 1.]])
    """
    if padding_idx is None:
        padding_idx = -1
    else:
        rows = weight.size(0)
        if not -rows <= padding_idx < rows:
            raise AssertionError("Padding_idx must be within num_embeddings")
        if padding_idx < 0:
            padding_idx += rows
    if max_norm is not None:
        _renormalize(weight.detach(), input, max_norm, norm_type)
    if sparse is True:
        return sparse_embedding(weight, input, padding_idx, scale_grad_by_freq)
    return _ops.embedding(weight, input, padding_idx, scale_grad_by_freq, sparse)


@without_batching_rule("aten::embedding_renorm_", composed=False)
def _renormalize(weight, indices, max_norm, norm_type):
    """Scale the selected rows whose norm exceeds `max_norm` down to it, in place."""
    if str(indices.dtype) not in ("torch.int64", "torch.int32"):
        raise RuntimeError(
            "Expected tensor for argument #2 'indices' to have one of the following scalar types: Long, "
            f"Int; but got {indices.type()} instead (while checking arguments for embedding_renorm_)"
        )
    reject_tangents([weight], "embedding_renorm_", "inplace")
    with no_grad():
        used, rows = indices.reshape(-1).long(), weight.size(0)
        beyond = used[used >= rows]
        if beyond.numel():
            raise IndexError(
                f"select(): index {int(beyond.min())} out of range for tensor of size "
                f"{list(weight.size())} at dimension 0"
            )
        chosen = weight.index_select(0, used)
        length = _ops.linalg_vector_norm(chosen, norm_type, (1,), True)
        factor = _ops.where(length > max_norm, max_norm / (length + 1e-7), length * 0 + 1)
        weight.index_copy_(0, used, chosen * factor)
    return weight
