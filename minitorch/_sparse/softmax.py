"""softmax and log_softmax of sparse tensors; unspecified elements do not take part.

Method: elements that differ only in the dimension `dim` form a group. A group's number follows from
its position in the other sparse dimensions. The maximum and the sum of each group are accumulated
at its number and gathered back to the elements.
"""

from minitorch._sparse import coo
from minitorch._sparse.coo import like, parts
from minitorch._sparse.functions import SparseCooTensor, named, pick, values_of
from minitorch.autograd.function import Function
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.core.tensor_impl import maybe_wrap_dim


def _groups(indices, sizes, dim):
    """Return the group number of each element and the number of groups."""
    kept = [d for d in range(len(sizes)) if d != dim]
    position = coo.flat(indices[kept], [sizes[d] for d in kept])
    used, group = position.unique(return_inverse=True)
    return group, used.shape[0]


def _group_sum(values, group, count):
    return coo.sum_at(group, values, count).index_select(0, group)


def _group_max(values, group, count):
    where = group.reshape(-1, *(1,) * (values.dim() - 1)).expand(values.shape)
    largest = values.new_zeros((count, *values.shape[1:]))
    largest = largest.scatter_reduce(0, where, values, "amax", include_self=False)
    return largest.index_select(0, group)


def _softmax(t, dim, logarithm):
    """Return the values of the result."""
    s, count = parts(t), parts(t).indices.shape[0]
    if dim >= count:
        return (_ops.log_softmax if logarithm else _ops.softmax)(s.values, dim - count + 1)
    group, groups = _groups(s.indices, coo.sparse_sizes(t), dim)
    if not groups:
        return s.values.clone()
    shifted = s.values - _group_max(s.values, group, groups)
    total = _group_sum(shifted.exp(), group, groups)
    return shifted - total.log() if logarithm else shifted.exp() / total


def _sums(t, dim):
    """Return a function that maps values to the sum over each element's group."""
    count = parts(t).indices.shape[0]
    if dim >= count:
        return lambda values: values.sum(dim - count + 1, keepdim=True)
    group, groups = _groups(parts(t).indices, coo.sparse_sizes(t), dim)
    return lambda values: _group_sum(values, group, groups) if groups else values


def _forward(t, dim, logarithm):
    t = coo.coalesced(t)
    return like(t, _softmax(t, dim, logarithm))


def _keep(ctx, inputs, output):
    """Save the result and its groups."""
    ctx.group_sum = _sums(output, inputs[1])
    ctx.indices, ctx.size = parts(output).indices, tuple(output.shape)
    ctx.save_for_backward(output)


@named("SparseSoftmaxBackward0")
class SparseSoftmax(Function):
    """Exponentials of the elements, divided by their sum over the group."""

    setup_context = staticmethod(_keep)

    @staticmethod
    def forward(t, dim):
        """Return the softmax as a sparse tensor with the same indices."""
        return _forward(t, dim, False)

    @staticmethod
    def backward(ctx, grad):
        """Return ``y * (g - sum(y * g))`` at the indices, with the sum over the group."""
        picked, y = pick(grad, ctx.indices), values_of(*ctx.saved_tensors)
        values = y * (picked - ctx.group_sum(y * picked))
        return SparseCooTensor.apply(ctx.indices, values, ctx.size, True), None


@named("SparseLogSoftmaxBackward0")
class SparseLogSoftmax(Function):
    """Logarithms of the softmax."""

    setup_context = staticmethod(_keep)

    @staticmethod
    def forward(t, dim):
        """Return the log_softmax as a sparse tensor with the same indices."""
        return _forward(t, dim, True)

    @staticmethod
    def backward(ctx, grad):
        """Return ``g - exp(y) * sum(g)`` at the indices, with the sum over the group."""
        picked, y = pick(grad, ctx.indices), values_of(*ctx.saved_tensors)
        values = picked - y.exp() * ctx.group_sum(picked)
        return SparseCooTensor.apply(ctx.indices, values, ctx.size, True), None


def sparse_softmax(input, dim, dtype, logarithm):
    """Return the softmax, or log_softmax if `logarithm`, of a sparse tensor cast to `dtype`."""
    name = "log_softmax" if logarithm else "softmax"
    if not coo.is_sparse(input):
        raise NotImplementedError(
            f"Could not run 'aten::_sparse_{name}' with arguments from the 'CPU' backend."
        )
    if dtype is not None:
        input = input.to(dtype)
    dim = maybe_wrap_dim(dim, input.dim())
    if not input.is_floating_point():
        raise NotImplementedError(f"\"{name}\" not implemented for '{input.dtype._class_name}'")
    return (SparseLogSoftmax if logarithm else SparseSoftmax).apply(input, dim)
