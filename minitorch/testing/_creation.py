"""`make_tensor`: random values of any dtype, equal to PyTorch's for the same seed."""

import math
import warnings
from collections.abc import Sequence

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.creation import empty_
from minitorch.autograd.functions.random import randint
from minitorch.core.dtype import dtype as _dtype
from minitorch.tensors.type_info import finfo, iinfo


def make_tensor(
    *shape,
    dtype,
    device,
    low=None,
    high=None,
    requires_grad=False,
    noncontiguous=False,
    exclude_zero=False,
    memory_format=None,
):
    """Return a tensor of values drawn uniformly from [low, high).

    Parameters
    ----------
    *shape : int or sequence of int
        The size of each dimension.
    dtype : dtype
    device : device or str
    low, high : number, optional
        The limits, clamped to the range of the dtype. By default -9 and 9, for integers -9 and 10,
        for bool 0 and 2.
    requires_grad : bool, default False
    noncontiguous : bool, default False
        Whether to return a noncontiguous tensor, if it has more than one element.
    exclude_zero : bool, default False
        Whether to replace zeros by the smallest positive number, or 1.
    memory_format : memory_format, optional

    Returns
    -------
    Tensor

    Raises
    ------
    ValueError
        For limits that are nan, in the wrong order or out of range; for `requires_grad` with an
        integer dtype; for `memory_format` together with `noncontiguous`.
    TypeError
        For an unsupported dtype.

    Examples
    --------
    >>> import minitorch as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.testing.make_tensor(3, dtype=torch.float32, device="cpu")
    tensor([-0.0674,  4.8280, -7.4074])
    """
    if len(shape) == 1 and isinstance(shape[0], Sequence):
        (shape,) = shape
    shape = tuple(shape)
    is_known = isinstance(dtype, _dtype)
    continuous = is_known and (dtype.is_floating_point or dtype.is_complex)
    if noncontiguous and memory_format is not None:
        raise ValueError(
            "The parameters `noncontiguous` and `memory_format` are mutually exclusive, but got "
            f"noncontiguous={noncontiguous!r} and memory_format={memory_format!r}"
        )
    if requires_grad and is_known and not continuous:
        raise ValueError(
            "`requires_grad=True` is not supported for boolean and integral dtypes, but got "
            f"dtype={dtype!r}"
        )
    if not is_known:
        raise TypeError(
            f"The requested dtype '{dtype}' is not supported by torch.testing.make_tensor(). To request "
            "support, file an issue at: https://github.com/pytorch/pytorch/issues"
        )
    noncontiguous = noncontiguous and math.prod(shape) > 1
    if noncontiguous:
        shape = (*shape[:-1], 2 * shape[-1])

    low, high = _interval(dtype, continuous, low, high)
    if continuous:
        result = empty_(shape, dtype=dtype, device=device)
        _fill(_ops.view_as_real(result) if dtype.is_complex else result, low, high)
    else:
        result = randint(low, high, shape, dtype=dtype, device=device)
    if noncontiguous:
        result = result[..., 1::2]
    elif memory_format is not None:
        result = result.clone(memory_format=memory_format)
    if exclude_zero:
        result[result == 0] = finfo(dtype).tiny if continuous else 1
    if continuous:
        result.requires_grad = requires_grad
    return result


def _fill(parts, low, high):
    # an interval wider than the largest number would overflow
    if high - low >= finfo(parts.dtype).max:
        parts.uniform_(low / 2, high / 2).mul_(2)
    else:
        parts.uniform_(low, high)


def _limits(dtype, continuous):
    """Return (smallest, end, default low, default high) of a dtype; the end is exclusive."""
    if continuous:
        return finfo(dtype).min, finfo(dtype).max, -9, 9
    if repr(dtype) == "torch.bool":
        return 0, 2, 0, 2
    info = iinfo(dtype)
    # an end of 2**63 would not fit into int64
    return info.min, info.max + (repr(dtype) != "torch.int64"), -9, 10


def _interval(dtype, continuous, low, high):
    smallest, end, default_low, default_high = _limits(dtype, continuous)
    low = default_low if low is None else low
    high = default_high if high is None else high
    if low != low or high != high:
        raise ValueError(f"`low` and `high` cannot be NaN, but got low={low!r} and high={high!r}")
    if low == high and continuous:
        warnings.warn(
            "Passing `low==high` to `torch.testing.make_tensor` for floating or complex types is "
            "deprecated since 2.1 and will be removed in 2.3. Use `torch.full(...)` instead.",
            FutureWarning,
            stacklevel=3,
        )
    elif low >= high:
        raise ValueError(f"`low` must be less than `high`, but got {low} >= {high}")
    elif high < smallest or low >= end:
        raise ValueError(
            f"The value interval specified by `low` and `high` is [{low}, {high}), but {dtype} only "
            f"supports [{smallest}, {end})"
        )
    low, high = (min(max(v, smallest), end) for v in (low, high))
    return (low, high) if continuous else (math.ceil(low), math.ceil(high))
