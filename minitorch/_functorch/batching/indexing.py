"""Operators with index tensors, which may differ between samples."""

from minitorch._functorch.batching._common import (
    check_written,
    expanded,
    for_each_sample,
    in_front,
    is_batched,
    rule,
    wrapped,
    written,
)
from minitorch._functorch.batching.dimensions import along, check_range
from minitorch._functorch.batching.pointwise import aligned
from minitorch.autograd.functions import creation as _creation
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.levels import is_older, wrapped_of
from minitorch.autograd.operators import _operator
from minitorch.composed.broadcasting import broadcast_shapes
from minitorch.core.dtype import _dtypes

_bool = _dtypes()["bool"]


def _places(level, ndim):
    """Return the numbers of the samples, with `ndim` dimensions of size 1 appended."""
    return _creation.arange(level.batch_size).reshape(level.batch_size, *(1,) * ndim)


def _is_mask(index):
    return str(index.dtype) in ("torch.bool", "torch.uint8")


def _reject_masks(indices, level=None):
    """Raise an error if a mask has a batch at `level`, or at any level if it is None."""
    for index in indices:
        if index is None or not _is_mask(index):
            continue
        if is_batched(index, level) if level is not None else any(_batches_of(index)):
            raise RuntimeError(
                "vmap: We do not support batching operators that can support dynamic shape. Attempting to "
                "batch over indexing with a boolean mask."
            )


def _indices(indices, value, shift):
    """Return pairs (dimension, index), with boolean masks converted to integers.

    `shift` is the number of dimensions of `value` that samples do not have.
    """
    _reject_masks(indices)
    found = []
    dim = 0
    for index in indices:
        if index is None:
            dim += 1
        elif _is_mask(index):
            _check_mask(index, value.shape, dim + shift)
            for column in index.nonzero().unbind(1):
                found.append((dim, column))
                dim += 1
        else:
            found.append((dim, index))
            dim += 1
    return found


def _check_mask(mask, sizes, first):
    for d, n in enumerate(mask.shape):
        if first + d < len(sizes) and n != sizes[first + d]:
            raise IndexError(
                f"The shape of the mask {list(mask.shape)} at index {d} does not match the shape of the indexed "
                f"tensor {list(sizes)} at index {first + d}"
            )


class _Indexed:
    """A tensor, its indices, and the position of the indexed dimensions in the result.

    The indexed dimensions are moved to the front, unless the operator can index them where they are.
    """

    def __init__(self, value, shape, indices, level, batched):
        shift = 1 if batched else 0
        found = _indices(indices, value, shift)
        self.dims = dims = [dim for dim, _ in found]
        self.rest = [n for d, n in enumerate(shape) if d not in dims]
        ndim = max(index.dim() for _, index in found)
        own = any(is_batched(index, level) for _, index in found)
        self.indices = [
            aligned(in_front(index, level), ndim) if is_batched(index, level) else index
            for _, index in found
        ]
        self.shape = broadcast_shapes(*[index.shape for _, index in found])
        # if the indexed dimensions are adjacent, the result has them in the same place
        adjacent = dims == list(range(dims[0], dims[0] + len(dims)))
        self.position = dims[0] if adjacent else 0
        self.in_place = batched and adjacent and not own
        if self.in_place:
            self.value = value
            self.indices = [None] * (1 + dims[0]) + self.indices
            return
        self.value = value.movedim(
            tuple(d + shift for d in dims), tuple(range(shift, shift + len(dims)))
        )
        if batched:
            self.indices = [_places(level, ndim) if own else None, *self.indices]

    def restored(self, value):
        """Move the dimensions of a tensor like `value` back to their places."""
        if self.in_place:
            return value
        return value.movedim(
            tuple(range(1, 1 + len(self.dims))), tuple(d + 1 for d in self.dims)
        ).contiguous()

    def back(self, result):
        """Move the dimensions of the indices in (batch, indices ..., rest ...) to their place."""
        if self.in_place:
            return result
        k = len(self.shape)
        return result.movedim(
            tuple(range(1, 1 + k)), tuple(range(1 + self.position, 1 + self.position + k))
        )

    def forth(self, values, level):
        """Return values that broadcast to the result of the operator on `value` and `indices`."""
        k = len(self.shape)
        shape = (*self.rest[: self.position], *self.shape, *self.rest[self.position :])
        values = aligned(expanded(values, level), len(shape))
        wanted = (level.batch_size, *shape)
        outer = wrapped_of(self.value) or wrapped_of(values)
        if self.in_place and outer is not None and outer.dim >= 0:
            return values  # the shapes in the error are those of the outermost batch
        if len(values.shape) != len(wanted) or any(
            n not in (1, m) for n, m in zip(values.shape, wanted, strict=True)
        ):
            raise RuntimeError(
                f"shape mismatch: value tensor of shape {list(values.shape)} cannot be broadcast to indexing result "
                f"of shape {list(wanted)}"
            )
        if self.in_place:
            return values.expand(wanted)
        return values.expand(wanted).movedim(
            tuple(range(1 + self.position, 1 + self.position + k)), tuple(range(1, 1 + k))
        )


@rule("index")
def _index(operator, arguments, level):
    self, indices = arguments
    _reject_masks(indices, level)
    if len(indices) > self.dim():
        return for_each_sample(operator, arguments, level)
    batched = is_batched(self, level)
    value = in_front(self, level) if batched else self
    if batched and not any(i is not None and is_batched(i, level) for i in indices):
        found = _indices(indices, value, 1)
        first, last = found[0][0], found[-1][0]
        if last - first == len(found) - 1:
            # the result has the indexed dimensions in the same place, after the batch
            every = [None] * (1 + first) + [index for _, index in found]
            return wrapped(operator(value, every), level)
    indexed = _Indexed(value, self.shape, indices, level, batched)
    return wrapped(indexed.back(operator(indexed.value, indexed.indices)), level)


@rule("index_put", "index_put_copy")
def _index_put(operator, arguments, level):
    self, indices, values, accumulate = arguments
    if operator.form == "_" or operator.name == "index_put":
        _check_written(operator, self, level)
    if not any(i is not None for i in indices):
        return for_each_sample(operator, arguments, level)
    _reject_masks(indices, level)
    if len(indices) > self.dim():
        raise IndexError(
            f"too many indices for tensor of dimension {self.dim() + 1} (got {len(indices) + 1})"
        )
    value = expanded(self, level)
    further_out = operator.name == "index_put_copy" and _has_other_batches(
        (values, *indices), value, level
    )
    if operator.name == "index_put_copy" and not further_out:
        value = value.clone()
    indexed = _Indexed(value, self.shape, indices, level, True)
    given = indexed.value, indexed.indices, indexed.forth(values, level), accumulate
    if further_out:
        return wrapped(indexed.restored(operator(*given)), level)
    _operator("index_put", "_")(*given)
    return wrapped(value, level) if operator.name == "index_put_copy" else self


def _has_other_batches(tensors, value, level):
    """Return whether other tensors have batches of levels further out that `value` lacks.

    A write to `value` is impossible in that case.
    """
    own = {level, *_batches_of(value)}
    return any(found not in own for t in tensors if t is not None for found in _batches_of(t))


def _batches_of(t):
    """Yield the levels at which a tensor has a batch."""
    while (special := wrapped_of(t)) is not None:
        if special.dim >= 0:
            yield special.level
        t = special.value


def _check_written(operator, self, level):
    if not is_batched(self, level):
        check_written(_operator("index_put", "_"), [self], level)


def _zeros(grad, sizes, level):
    """Return the zeros that gradients are added to."""
    return wrapped(expanded(grad, level).new_zeros((level.batch_size, *sizes)), level)


@rule("index_backward")
def _index_backward(operator, arguments, level):
    grad, sizes, indices = arguments
    zeros = _zeros(grad, sizes, level)
    return _operator("index_put_copy")(zeros, indices, grad, True)


def _as_wide(index, self, dim):
    """Return positions as a tensor for `gather` and `scatter`, which raise PyTorch's errors."""
    if index.dim() >= self.dim():
        return index
    return along(index, self.shape, dim) if index.dim() else index.expand(self.shape)


@rule("index_select")
def _index_select(operator, arguments, level):
    self, dim, index = arguments
    check_range(dim, self.dim())
    result = _operator("gather")(self, dim, _as_wide(index, self, dim), False)
    return result if self.dim() else result.squeeze(-1)


@rule("index_select_backward")
def _index_select_backward(operator, arguments, level):
    grad, sizes, dim, index = arguments
    if len(sizes) == 0 or index.dim() > 1:
        return for_each_sample(operator, arguments, level)
    zeros = _zeros(grad, sizes, level)
    indices = [None] * (dim % len(sizes)) + [index.reshape(-1)]
    return _operator("index_put_copy")(zeros, indices, grad, True)


@rule("index_copy")
def _index_copy(operator, arguments, level):
    self, dim, index, source = arguments
    check_range(dim, self.dim())
    return _operator("scatter_src")(self, dim, _as_wide(index, self, dim), source)


def _with_rows(t):
    """Return a batch whose samples have at least one dimension."""
    return t if t.dim() > 1 else t.unsqueeze(-1)


@rule("index_add")
def _index_add(operator, arguments, level):
    check_written(operator, arguments, level)
    self, dim, index, source, alpha = arguments
    check_range(dim, self.dim())
    if is_batched(index, level):
        return for_each_sample(operator, arguments, level)
    value, source = (_with_rows(expanded(t, level)) for t in (self, source))
    result = operator(value, dim % max(self.dim(), 1) + 1, index, source, alpha)
    if operator.form == "_":
        return written(operator, arguments)
    return wrapped(result if self.dim() else result.squeeze(-1), level)


@rule("index_fill", "index_fill_tensor")
def _index_fill(operator, arguments, level):
    check_written(operator, arguments, level)
    self, dim, index, value = arguments
    check_range(dim, self.dim())
    if any(is_batched(t, level) for t in (index, value)):
        return for_each_sample(operator, arguments, level)
    rows = _with_rows(in_front(self, level))
    result = operator(rows, dim % max(self.dim(), 1) + 1, index, value)
    if operator.form == "_":
        return written(operator, arguments)
    return wrapped(result if self.dim() else result.squeeze(-1), level)


@rule("as_strided_scatter")
def _as_strided_scatter(operator, arguments, level):
    raise RuntimeError(
        "Error: aten::as_strided_scatter requires special handling, and does not yet have a batching rule. "
        "Feel free to file a github issue!"
    )


@rule("take")
def _take(operator, arguments, level):
    self, index = arguments
    if self.numel() == 0:
        return for_each_sample(operator, arguments, level)
    if not is_batched(self, level):
        return wrapped(operator(self, in_front(index, level)), level)
    flat = in_front(self, level).reshape(level.batch_size, -1)
    return _operator("index")(wrapped(flat, level), [index])


@rule("take_backward")
def _take_backward(operator, arguments, level):
    grad, sizes, index = arguments
    count = 1
    for n in sizes:
        count *= n
    zeros = _zeros(grad, (count,), level)
    return _operator("index_put_copy")(zeros, [index], grad, True).reshape(sizes)


@rule("embedding")
def _embedding(operator, arguments, level):
    weight, indices, padding_idx, *rest = arguments
    if not is_batched(weight, level):
        return wrapped(operator(weight, in_front(indices, level), padding_idx, *rest), level)
    if not is_batched(indices, level) and not is_older(level):
        check_range(1, weight.dim())
    if any(rest) or weight.dim() != 2:
        return for_each_sample(operator, arguments, level)
    table = in_front(weight, level)
    if not is_batched(indices, level):
        # the rows of all samples side by side, as PyTorch lays out the result
        rows = operator(table.movedim(0, 1).flatten(1), indices, padding_idx, *rest)
        result = rows.unflatten(-1, (level.batch_size, weight.shape[1]))
        return wrapped(result, level, indices.dim())
    if padding_idx >= 0:
        return for_each_sample(operator, arguments, level)
    own = in_front(indices, level) + _places(level, indices.dim()) * weight.shape[0]
    return wrapped(operator(table.flatten(0, 1), own, padding_idx, *rest), level)


@rule("embedding_dense_backward")
def _embedding_backward(operator, arguments, level):
    grad, indices, count, padding_idx, scale = arguments
    own = expanded(indices, level)
    grad = expanded(grad, level)
    if padding_idx >= 0:
        grad = grad.masked_fill((own == padding_idx).unsqueeze(-1), 0)
    places = _places(level, indices.dim()) * count
    result = operator(grad, own + places, count * level.batch_size, -1, scale)
    return wrapped(result.reshape(level.batch_size, count, result.shape[-1]), level)


# ---- results whose shape differs between samples

_DYNAMIC = {
    "nonzero": "nonzero",
    "argwhere": "nonzero",
    "_unique2": "_unique2",
    "unique_dim": "unique_dim",
    "_unique_consecutive": "unique_consecutive",
    "unique_consecutive": "unique_consecutive",
}


@rule(*_DYNAMIC)
def _dynamic(operator, arguments, level):
    if is_older(level):
        return for_each_sample(operator, arguments, level)
    raise RuntimeError(
        "vmap: We do not support batching operators that can output dynamic shape. Attempted to vmap over "
        f"aten::{_DYNAMIC[operator.name]}. Please file an issue at https://github.com/pytorch/pytorch/issues if "
        "you need this feature."
    )


@rule("masked_select_backward")
def _masked_select_backward(operator, arguments, level):
    grad, self, mask = arguments
    if is_batched(mask, level):
        return for_each_sample(operator, arguments, level)
    size = (level.batch_size, *broadcast_shapes(self.shape, mask.shape))
    whole = aligned(expanded(self, level), len(size) - 1).expand(size)
    values = expanded(grad, level), whole, mask
    if any(wrapped_of(t) is not None and wrapped_of(t).dim >= 0 for t in values):
        return wrapped(operator(*values), level)
    return wrapped(_operator("masked_scatter")(_ops.zeros_like(whole), mask, values[0]), level)


@rule("masked_select")
def _masked_select(operator, arguments, level):
    self, mask = arguments
    if is_batched(mask, level):
        raise RuntimeError(
            "vmap: Attempted to vmap over `mask` in torch.masked_select(self, mask) We cannot support this because "
            "for each batch this would return a differently shaped Tensor. Please file an issue at "
            "https://github.com/pytorch/pytorch/issues if you need this feature."
        )
    return for_each_sample(operator, arguments, level)
