"""Rows of gradients that PyTorch has no operator for, or one of another shape: what they are made of."""

import math

from minitorch._dispatch.decompositions import _rule
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.from_data import tensor as _tensor
from minitorch.autograd.operators import _operator
from minitorch.autograd.python_dispatch import has_own_dispatch

_LAST = 2**63 - 1


@_rule("slice_backward")
def _slice_backward(grad_output, input_sizes, dim, start, end, step):
    if start is not None and end is not None:
        return None
    start, end = start or 0, _LAST if end is None else end
    return _operator("slice_backward")(grad_output, input_sizes, dim, start, end, step)


@_rule("log_sigmoid_backward")
def _log_sigmoid_backward(grad_output, self):
    return grad_output * (-self).sigmoid()


@_rule("_delayed_error")
def _delayed_error(grad, self, message, missing):
    """PyTorch has no such operator: for a class to compute, the gradient is what it is."""
    classes = any(t is not None and has_own_dispatch(t) for t in (grad, self))
    return grad if classes else None


@_rule("unsqueeze_to")
def _unsqueeze_to(grad_output, sizes):
    return _unsqueeze_to_dims(grad_output, range(len(sizes)), sizes)


@_rule("unsqueeze_to_dims")
def _unsqueeze_to_dims(grad_output, dim, sizes):
    for d in sorted(d % len(sizes) for d in dim if sizes):
        if sizes[d] == 1:
            grad_output = grad_output.unsqueeze(d)
    return grad_output


@_rule("take_backward")
def _take_backward(grad_output, self_sizes, index):
    return grad_output.new_zeros(self_sizes).put(index, grad_output, True)


@_rule("as_strided_backward")
def _as_strided_backward(
    grad_output, input_sizes, input_strides, input_offset, sizes, strides, storage_offset
):
    """By way of the memory that both look at, where no two elements of either are one."""
    if _overlaps(sizes, strides) or _overlaps(input_sizes, input_strides):
        return None
    offset = input_offset if storage_offset is None else storage_offset
    first = min(input_offset, offset)
    extent = max(_end(input_sizes, input_strides, input_offset), _end(sizes, strides, offset))
    memory = grad_output.new_zeros((extent - first,))
    memory.as_strided(sizes, strides, offset - first).copy_(grad_output)
    return memory.as_strided(input_sizes, input_strides, input_offset - first)


def _end(sizes, strides, offset):
    if math.prod(sizes) == 0:
        return offset
    return offset + 1 + sum((n - 1) * s for n, s in zip(sizes, strides, strict=True))


def _overlaps(sizes, strides):
    reach = 0
    for stride, size in sorted(zip(strides, sizes, strict=True)):
        if size == 1:
            continue
        if stride <= reach:
            return True
        reach += (size - 1) * stride
    return False


@_rule("binary_cross_entropy_with_logits_backward")
def _bce_with_logits_backward(grad_output, self, target, weight, pos_weight, reduction):
    if pos_weight is None:
        grad = self.sigmoid() - target
    else:
        positive = pos_weight * target
        grad = (positive + 1 - target) * self.sigmoid() - positive
    grad = grad * grad_output
    if weight is not None:
        grad = grad * weight
    return grad / self.numel() if reduction == 1 else grad


def _padded_from(name, size, left, right):
    """The position in a dimension that each position of the padded one has its value of."""
    positions = range(-left, size + right)
    if name == "circular":
        return [k % size for k in positions]
    if name == "replication":
        return [min(max(k, 0), size - 1) for k in positions]
    period = max(2 * (size - 1), 1)
    return [min(k % period, period - k % period) if size > 1 else 0 for k in positions]


def _pad_rules(name):
    def forward(self, padding):
        for dim, left, right in _padded_dims(self.dim(), padding):
            index = _padded_from(name, self.shape[dim], left, right)
            self = self.index_select(dim, _tensor(index))
        return self

    def backward(grad_output, input_sizes, padding):
        for dim, left, right in _padded_dims(grad_output.dim(), padding):
            index = _padded_from(name, input_sizes[dim], left, right)
            size = list(grad_output.shape)
            size[dim] = input_sizes[dim]
            grad_output = _ops.index_add(
                grad_output.new_zeros(size), dim, _tensor(index), grad_output
            )
        return grad_output

    _rule(f"{name}_pad")(forward)
    _rule(f"{name}_pad_backward")(backward)


def _padded_dims(ndim, padding):
    for k in range(len(padding) // 2):
        yield ndim - 1 - k, padding[2 * k], padding[2 * k + 1]


for _name in ("circular", "replication", "reflection"):
    _pad_rules(_name)
