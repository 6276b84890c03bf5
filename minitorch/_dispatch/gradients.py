"""Decompositions of gradient rows for which PyTorch has no operator, or a different one."""

import math

from minitorch._dispatch.decompositions import _options, _rule
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.creation import arange as _arange
from minitorch.autograd.functions.creation import ones as _ones
from minitorch.autograd.functions.creation import zeros_like as _zeros_like
from minitorch.autograd.functions.from_data import tensor as _tensor
from minitorch.autograd.operators import _operator
from minitorch.autograd.python_dispatch import has_own_dispatch, written_in_cpp
from minitorch.core.dtype import _dtypes
from minitorch.core.types import strided as _strided

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
    """Return `grad` for classes with ``__torch_dispatch__``; PyTorch has no such operator."""
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
    """Compute the gradient in a buffer that covers the storage of input and output.

    Gradients of output elements with the same address are summed. Input elements with the same
    address share their gradient equally.
    """
    if 0 in (*sizes, *input_sizes):
        return None
    kept = []
    for dim in reversed(range(len(sizes))):
        if sizes[dim] == 1:
            grad_output = grad_output.squeeze(dim)
        elif strides[dim] == 0:
            grad_output = grad_output.sum(dim)
        else:
            kept.insert(0, dim)
    sizes, strides = [sizes[dim] for dim in kept], [strides[dim] for dim in kept]
    whole = [dim for dim, n in enumerate(input_sizes) if n != 1]
    of_input = [input_sizes[dim] for dim in whole], [input_strides[dim] for dim in whole]
    offset = input_offset if storage_offset is None else storage_offset
    first = min(input_offset, offset)
    extent = max(_end(*of_input, input_offset), _end(sizes, strides, offset)) - first
    with written_in_cpp():
        memory = grad_output.new_zeros((extent,))
    shared, repeated = _overlaps(*of_input), _overlaps(sizes, strides)
    if shared or repeated:
        places = _arange(0, extent, dtype=_dtypes()["int64"], layout=_strided)
    if repeated:
        at = places.as_strided(sizes, strides, offset - first)
        flat = grad_output.reshape(-1)
        memory.index_add_(0, at.reshape(-1), flat)
    else:
        memory.as_strided(sizes, strides, offset - first).copy_(grad_output)
    if shared:
        at = places.as_strided(*of_input, input_offset - first).reshape(-1)
        one = _ones((1,), **_options(grad_output)).expand_as(at)
        memory.div_(_zeros_like(memory).index_add_(0, at, one))
    return memory.as_strided(input_sizes, input_strides, input_offset - first)


@_rule("as_strided_gather")
def _as_strided_gather(
    grad_input, input_sizes, input_strides, input_offset, sizes, strides, storage_offset
):
    """Copy the gradient into a buffer that covers both storages, and view it with `as_strided`."""
    if 0 in (*sizes, *input_sizes):
        return None
    offset = input_offset if storage_offset is None else storage_offset
    first = min(input_offset, offset)
    ends = _end(input_sizes, input_strides, input_offset), _end(sizes, strides, offset)
    with written_in_cpp():
        memory = grad_input.new_zeros((max(ends) - first,))
    memory.as_strided(input_sizes, input_strides, input_offset - first).copy_(grad_input)
    return memory.as_strided(sizes, strides, offset - first)


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


@_rule("circular_pad")
def _circular_pad(self, padding):
    """Copy the input to the middle, then each end to the opposite side, last dimension first."""
    pairs = [padding[k : k + 2] for k in range(0, len(padding), 2)]
    first = self.dim() - len(pairs)
    sizes = list(self.shape)
    for dim, (before, after) in zip(reversed(range(first, self.dim())), pairs, strict=True):
        sizes[dim] += before + after
    out = self.new_empty(sizes, **_options(self))
    source, target = self, out
    for dim, (before, after) in zip(reversed(range(first, self.dim())), pairs, strict=True):
        target = _cut(target, dim, max(before, 0), sizes[dim] - max(after, 0))
        source = _cut(source, dim, max(-before, 0), self.shape[dim] - max(-after, 0))
    target.copy_(source)
    for dim, (before, after) in zip(reversed(range(first, self.dim())), pairs, strict=True):
        size = sizes[dim]
        if before > 0:
            _fill(out, dim, (0, before), (size - before - max(after, 0), size - max(after, 0)))
        if after > 0:
            _fill(out, dim, (size - after, size), (max(before, 0), max(before, 0) + after))
    return out


def _cut(t, dim, start, end):
    return _operator("slice")(t, dim, start, end, 1)


def _fill(t, dim, to, source):
    target = _cut(t, dim, *to)
    target.copy_(_cut(t, dim, *source))


@_rule("circular_pad_backward")
def _circular_pad_backward(grad_output, input_sizes, padding):
    for k in range(len(padding) // 2):
        dim, left, right = grad_output.dim() - 1 - k, padding[2 * k], padding[2 * k + 1]
        size = list(grad_output.shape)
        size[dim] = input_sizes[dim]
        index = _tensor([k % size[dim] for k in range(-left, size[dim] + right)])
        zeros = grad_output.new_zeros(size)
        grad_output = _ops.index_add(zeros, dim, index, grad_output)
    return grad_output
