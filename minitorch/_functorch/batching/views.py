"""Operators with a shape among their arguments, to which the batch size is prepended."""

import math

from minitorch._functorch.batching._common import in_front, rule, wrapped
from minitorch._functorch.batching.dimensions import check_range
from minitorch._functorch.batching.pointwise import aligned
from minitorch.autograd.functions import creation as _creation
from minitorch.autograd.levels import is_older, set_batch_dim
from minitorch.autograd.operators import _operator
from minitorch.autograd.vmap_steps import unwrapped


def _complete(size, numel):
    """Return the shape with its -1 replaced, as the batch size would change its meaning."""
    known = math.prod(n for n in size if n != -1)
    if list(size).count(-1) != 1 or known == 0 or numel % known:
        return tuple(size)  # invalid: the operator raises the error
    return tuple(n if n != -1 else numel // known for n in size)


@rule("view", "_unsafe_view", "view_copy", "reshape_alias")
def _view(operator, arguments, level):
    self, size, *rest = arguments
    value = in_front(self, level)
    if rest:
        rest = [(value.stride(0), *rest[0])]
    size = (level.batch_size, *_complete(size, self.numel()))
    if operator.name == "_unsafe_view":  # need not share memory: this may copy
        rows = value.reshape(size)
        return wrapped(operator(rows, size) if rows._is_view() else rows, level)
    return wrapped(operator(value, size, *rest), level)


@rule("expand", "expand_copy")
def _expand(operator, arguments, level):
    self, size, implicit = arguments
    if len(size) < self.dim():
        raise RuntimeError(
            f"expand: the number of sizes provided ({len(size)}) must be greater or equal to the number of "
            f"dimensions in the tensor ({self.dim()})"
        )
    value = aligned(in_front(self, level), len(size))
    return wrapped(operator(value, (level.batch_size, *size), implicit), level)


@rule("t", "t_copy")
def _t(operator, arguments, level):
    (self,) = arguments
    if self.dim() > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {self.dim()}D")
    if operator.form:
        return self.transpose_(0, 1) if self.dim() == 2 else self
    value = in_front(self, level)
    if self.dim() == 2:
        value = value.transpose(-2, -1)
    elif self.dim() == 1 or operator.name == "t_copy":
        value = _operator("alias")(value)
    return wrapped(value, level)


@rule("squeeze", "squeeze_dim", "squeeze_dims")
def _squeeze(operator, arguments, level):
    """Squeeze the dimensions of the samples and leave the batch between the others."""
    self, *dims = arguments
    value, batch = unwrapped(self, level)
    chosen = _chosen(dims, self.dim())
    ones = [d for d in chosen if d < self.dim() and self.shape[d] == 1]
    named = chosen if dims and self.dim() else ones
    physical = tuple(d + (d >= batch) for d in named)
    place = batch - sum(d < batch for d in set(ones))
    if operator.form:
        value.squeeze_(*[] if not dims and level.batch_size != 1 else [physical])
        set_batch_dim(self, place)
        return self
    if dims:
        return wrapped(value.squeeze(physical), level, place)
    shape = [n for d, n in enumerate(value.shape) if d not in physical]
    return wrapped(value.view(shape), level, place)


def _chosen(dims, ndim):
    """Return the dimensions that `squeeze` may remove: all, or those that its argument names."""
    if not dims:
        return range(ndim)
    check_range(dims[0], ndim)
    return [d % max(ndim, 1) for d in (dims[0] if isinstance(dims[0], tuple) else dims)]


def _check_inside_sample(value, size, stride, offset, older):
    """Raise an error if a view of a sample reaches outside of the first sample's memory."""
    first = value.storage_offset()
    start = first if offset is None else offset
    end = start + _extent(size, stride)
    last = first + _extent(value.shape[1:], value.stride()[1:])
    if 0 not in size and (start < first or end > last):
        if older:  # its message lacks some spaces
            shown = ",".join(str(list(numbers)).replace(" ", "") for numbers in (size, stride))
            raise RuntimeError(
                f"result = tensor.as_strided({shown},{start})can access memory outside of `tensor`. `result` can "
                f"access somememory in range [{start}, {end}], but `tensor` can only access some memory in range "
                f"[{first}, {last}]. This is not supported inside of vmap, please try torewrite the `as_strided` "
                "call as a sequence of PyTorch view operations"
            )
        raise RuntimeError(
            f"result = tensor.as_strided({list(size)}, {list(stride)}, {start}) can access memory outside of "
            f"`tensor`. `result` can access some memory in range [{start}, {end}], but `tensor` can only access "
            f"some memory in range [{first}, {last}]. This is not supported inside of vmap, please try to rewrite "
            "the `as_strided` call as a sequence of PyTorch view operations"
        )


def _extent(size, stride):
    """Return the number of memory elements from a view's first to its last one, both included."""
    return 1 + sum((n - 1) * step for n, step in zip(size, stride, strict=True))


@rule("as_strided", "as_strided_copy")
def _as_strided(operator, arguments, level):
    self, size, stride, offset = arguments
    value = in_front(self, level)
    if len(size) != len(stride):
        raise RuntimeError(
            "Tensor.as_strided(size, stride, ...): size and stride must have the same length! Got size "
            f"{list(size)} and stride {list(stride)}"
        )
    if operator.name == "as_strided":
        older = is_older(level)
        if older and value.dim() > 1 and value.stride(0) < max(value.stride()[1:]):
            raise RuntimeError(
                "vmap: Calling Tensor.as_strided is not supported unless the batch dims being vmapped over are at the "
                "front of the tensor (in memory layout). When they are not at the front of the tensor this operation "
                "can be error prone so we actively discourage it; please file us a bug report and/or try to express "
                "the as_strided operation in terms of PyTorch view operations"
            )
        _check_inside_sample(value, size, stride, offset, older)
    return wrapped(
        operator(value, (level.batch_size, *size), (value.stride(0), *stride), offset), level
    )


@rule("strided_copy")
def _strided_copy(operator, arguments, level):
    self, strides = arguments
    extent = _extent(self.shape, strides) if self.numel() else 0
    return wrapped(operator(in_front(self, level), (extent, *strides)), level)


@rule("conj", "view_as_real")
def _as_it_stands(operator, arguments, level):
    value, dim = unwrapped(arguments[0], level)
    result = operator(value)
    # the conjugate of a real tensor is the tensor itself
    return arguments[0] if result is value else wrapped(result, level, dim)


@rule("_neg_view")
@rule("view_as_complex", "view_dtype", "view_as_real_copy", "view_as_complex_copy")
def _same(operator, arguments, level):
    self, *rest = arguments
    if operator.name.startswith("view_as_complex") and self.dim() == 0:
        raise RuntimeError("Input tensor must have one or more dimensions")
    if operator.name == "view_dtype" and self.dim() == 0:
        operator(_creation.zeros((), dtype=self.dtype), *rest)  # raises for other element sizes
    return wrapped(operator(in_front(self, level), *rest), level)


@rule("repeat")
def _repeat(operator, arguments, level):
    self, repeats = arguments
    value = aligned(in_front(self, level), len(repeats))
    return wrapped(operator(value, (1, *repeats)), level)


@rule("unsqueeze_to", "unsqueeze_to_dim", "unsqueeze_to_dims")
def _unsqueeze_to(operator, arguments, level):
    self, *dims, sizes = arguments
    value = in_front(self, level)
    return wrapped(_given_back(value, dims, sizes, level), level)


def _given_back(value, dims, sizes, level):
    """Restore the dimensions of size 1 that `squeeze` has removed."""
    chosen = _chosen(dims, len(sizes))
    shape = iter(value.shape[1:])
    full = [1 if n == 1 and d in chosen else next(shape) for d, n in enumerate(sizes)]
    return value.reshape(level.batch_size, *full)


@rule("permute", "permute_copy")
def _permute(operator, arguments, level):
    self, dims = arguments
    check_range(dims, self.dim())
    ndim = max(self.dim(), 1)
    return wrapped(operator(in_front(self, level), (0, *(d % ndim + 1 for d in dims))), level)
