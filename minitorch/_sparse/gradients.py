"""Operators with sparse gradients: embedding, embedding_bag and gather."""

from minitorch._sparse.functions import SparseCooTensor, named
from minitorch.autograd.function import Function
from minitorch.autograd.functions import creation as _creation
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.grad_mode import is_grad_enabled


def _rows_gradient(grad, indices, rows, padding_idx, scale_grad_by_freq):
    """Return the gradient of a table with `rows` rows: sparse, with one row for each index."""
    if scale_grad_by_freq:
        raise RuntimeError(
            "embedding_backward: scale_grad_by_freq not supported with sparse gradients"
        )
    width = grad.shape[-1]
    if padding_idx != -1:
        used = indices.reshape(-1) != padding_idx
        indices, grad = indices.reshape(-1)[used], grad.reshape(-1, width)[used]
    if grad.numel() == 0:
        indices = indices.new_empty((0,))
        grad = grad.new_empty((0, width))
    return SparseCooTensor.apply(
        indices.reshape(1, -1).long(), grad.reshape(-1, width), (rows, width), None
    )


@named("EmbeddingBackward0")
class _Embedding(Function):
    @staticmethod
    def forward(weight, indices, padding_idx, scale_grad_by_freq):
        return _ops.embedding(weight, indices, padding_idx, scale_grad_by_freq, True)

    @staticmethod
    def setup_context(ctx, inputs, output):
        weight, indices, ctx._saved_padding_idx, ctx._saved_scale_grad_by_freq = inputs
        ctx.save_for_backward(indices)
        ctx._saved_sparse, ctx._saved_weight_sym_argsize_0 = True, weight.shape[0]

    @staticmethod
    def backward(ctx, grad):
        (indices,) = ctx.saved_tensors
        weight = _rows_gradient(
            grad,
            indices,
            ctx._saved_weight_sym_argsize_0,
            ctx._saved_padding_idx,
            ctx._saved_scale_grad_by_freq,
        )
        return weight, None, None, None


def sparse_embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False):
    """Compute ``embedding(sparse=True)``: `weight` has a sparse gradient, one row per index."""
    if not (is_grad_enabled() and weight.requires_grad):
        return _ops.embedding(weight, indices, padding_idx, scale_grad_by_freq, True)
    return _Embedding.apply(weight, indices, padding_idx, scale_grad_by_freq)


@named("EmbeddingBagBackward0")
class _EmbeddingBag(Function):
    @staticmethod
    def forward(weight, indices, offsets, scale, mode, factors, include_last, padding_idx):
        return tuple(
            _ops._embedding_bag(
                weight, indices, offsets, scale, mode, True, factors, include_last, padding_idx
            )
        )

    @staticmethod
    def setup_context(ctx, inputs, output):
        weight, indices, _, scale, mode, factors, _, padding_idx = inputs
        ctx.mark_non_differentiable(*output[1:])
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(weight, indices, factors, output[1], output[2])
        ctx.options = scale, mode, padding_idx

    @staticmethod
    def backward(ctx, grad, *rest):
        weight, indices, factors, bag_of, sizes = ctx.saved_tensors
        scale, mode, padding_idx = ctx.options
        first = second = None
        if grad is None:
            return (None,) * 8
        rows = grad.index_select(0, bag_of)
        if ctx.needs_input_grad[0]:
            chosen = rows
            if mode == 1:
                chosen = rows / sizes.to(rows.dtype).index_select(0, bag_of).unsqueeze(1)
            if factors is not None:
                chosen = chosen * factors.unsqueeze(1)
            first = _rows_gradient(chosen, indices, weight.shape[0], padding_idx, scale)
        if factors is not None and ctx.needs_input_grad[5]:
            second = (rows * weight.index_select(0, indices)).sum(1)
            if padding_idx != -1:
                second = second.masked_fill(indices == padding_idx, 0)
        return first, None, None, None, None, second, None, None


def sparse_embedding_bag(weight, indices, offsets, scale, mode, factors, include_last, padding_idx):
    """Compute ``_embedding_bag(sparse=True)``; `weight` has a sparse gradient."""
    wants = weight.requires_grad or (factors is not None and factors.requires_grad)
    if not (is_grad_enabled() and wants):
        return _ops._embedding_bag(
            weight, indices, offsets, scale, mode, True, factors, include_last, padding_idx
        )
    return _EmbeddingBag.apply(
        weight, indices, offsets, scale, mode, factors, include_last, padding_idx
    )


@named("GatherBackward0")
class _Gather(Function):
    @staticmethod
    def forward(t, dim, index):
        return _ops.gather(t, dim, index)

    @staticmethod
    def setup_context(ctx, inputs, output):
        t, ctx.dim, index = inputs
        ctx.size = tuple(t.shape)
        ctx.save_for_backward(index)

    @staticmethod
    def backward(ctx, grad):
        (index,) = ctx.saved_tensors
        if not ctx.size:
            empty = index.new_empty((0, grad.numel()))
            return SparseCooTensor.apply(empty, grad.reshape(-1), ctx.size, None), None, None
        if grad.dim() == 0:
            places = [index.reshape(-1)]
        else:
            places = []
            for d, size in enumerate(grad.shape):
                if d == ctx.dim % grad.dim():
                    places.append(index.reshape(-1))
                else:
                    shape = [1] * grad.dim()
                    shape[d] = size
                    row = _creation.arange(size).reshape(shape)
                    places.append(row.expand(grad.shape).reshape(-1))
        indices = _ops.stack(places)
        return SparseCooTensor.apply(indices, grad.reshape(-1), ctx.size, None), None, None


def sparse_gather(t, dim, index):
    """Compute ``gather(sparse_grad=True)``: `t` has a sparse gradient, one element per index."""
    if not (is_grad_enabled() and t.requires_grad):
        return _ops.gather(t, dim, index)
    return _Gather.apply(t, dim, index)
