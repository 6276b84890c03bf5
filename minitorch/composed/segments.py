"""Reductions of segments: adjacent pieces of a tensor along one dimension."""

import math

from minitorch.autograd.by_sample import without_batching_rule
from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.autograd.functions.creation import arange
from minitorch.autograd.functions.gathered import Result, one_node
from minitorch.autograd.grad_mode import is_grad_enabled
from minitorch.autograd.python_dispatch import told
from minitorch.core.dtype import _dtypes
from minitorch.core.tensor_impl import maybe_wrap_dim
from minitorch.tensors.gradient_checks import derived_once

__all__ = ["segment_reduce"]

_REDUCTIONS = {
    "sum": ("sum", 0), "mean": ("sum", 0), "prod": ("prod", 1),
    "max": ("amax", -math.inf), "amax": ("amax", -math.inf),
    "min": ("amin", math.inf), "amin": ("amin", math.inf),
}  # fmt: skip


@without_batching_rule("aten::segment_reduce", composed=False)
def segment_reduce(
    data, reduce, *, lengths=None, indices=None, offsets=None, axis=0, unsafe=False, initial=None
):
    """Reduce consecutive segments of a dimension.

    Parameters
    ----------
    data : Tensor
        Any shape, and a floating-point dtype.
    reduce : {"sum", "mean", "max", "min", "prod"}
    lengths : Tensor, optional
        The lengths of the segments, integers.
    indices : Tensor, optional
        Is not supported, as in PyTorch.
    offsets : Tensor, optional
        Where the segments begin, and the end of the last one; either this or `lengths`.
    axis : int, default 0
        The dimension.
    unsafe : bool, default False
        Do not check that the lengths fit.
    initial : number, optional
        The result of an empty segment.

    Returns
    -------
    Tensor
        The shape of `data`, with the number of segments along `axis`.

    Raises
    ------
    RuntimeError
        If neither or both of `lengths` and `offsets` are given, or they do not fit.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.segment_reduce(torch.tensor([1.0, 2.0, 3.0]), "sum", lengths=torch.tensor([2, 1]))
    tensor([3., 3.])
    """
    if indices is not None:
        raise RuntimeError("segment_reduce(): indices based reduction is not supported yet.")
    if lengths is None and offsets is None:
        raise RuntimeError("segment_reduce(): Either lengths or offsets must be defined.")
    given = lengths if offsets is None else offsets
    axis = maybe_wrap_dim(axis, data.dim())
    if axis != given.dim() - 1:
        name = "lengths" if offsets is None else "offsets"
        raise RuntimeError(
            f"segment_reduce(): Expected axis to be the last dimension of {name} but got {axis}."
        )
    if data.dim() < given.dim():
        raise RuntimeError(
            "Expected data.dim() >= lengths_value.dim() to be true, but got false.  (Could this error "
            "message be improved?  If so, please report an enhancement request to PyTorch.)"
        )
    if reduce not in _REDUCTIONS:
        raise RuntimeError(
            f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}"
        )
    if not (is_grad_enabled() and data.requires_grad):
        options = {"lengths": lengths, "offsets": offsets, "axis": axis, "unsafe": unsafe}
        seen = told("segment_reduce", (data, reduce), {**options, "initial": initial})
        if seen is not None:
            return seen
    if given.dtype not in (_dtypes()["int64"], _dtypes()["int32"]):
        kind = given.dtype._class_name
        raise NotImplementedError(
            f"\"_segment_reduce_lengths_cpu_kernel1\" not implemented for '{kind}'"
        )
    size = data.size(axis)
    if offsets is None:
        if not unsafe:
            _check_lengths(lengths, size)
        ends = lengths.long().cumsum(-1)
        starts = ends - lengths
    else:
        starts, ends = offsets[..., :-1].long(), offsets[..., 1:].long()
        lengths = ends - starts
    if not lengths.is_meta and lengths.numel() and lengths.min() < 0:
        raise RuntimeError(
            "Expected segment_length >= 0 to be true, but got false.  (Could this error message be "
            "improved?  If so, please report an enhancement request to PyTorch.)"
        )
    return one_node(
        "SegmentReduceBackward0",
        _reduced,
        (data,),
        (reduce, axis, starts, ends, lengths, initial),
        axis=axis,
        data=data,
        initial=initial,
        lengths=None if offsets is not None else lengths,
        offsets=offsets,
        reduce=reduce,
        result=Result(),
    )


def _check_lengths(lengths, size):
    if lengths.is_meta:
        return
    if lengths.numel() and lengths.min() < 0:
        raise RuntimeError("lengths contains negative value!")
    if (lengths.sum(-1) != size).any():
        raise RuntimeError(
            "segment_reduce(): Expected all rows of lengths along axis to sum to "
            "data.size(lengths.dim()-1) when !unsafe."
        )


def _reduced(data, reduce, axis, starts, ends, lengths, initial):
    data = derived_once(data, "segment_reduce", "_segment_reduce_backward")
    size, segments = data.size(axis), lengths.size(-1)
    if not data.is_floating_point():
        kind = data.dtype._class_name
        raise NotImplementedError(f"\"_segment_reduce_cpu\" not implemented for '{kind}'")
    operation, neutral = _REDUCTIONS[reduce]
    rest = data.shape[axis + 1 :]
    shape = (*data.shape[:axis], segments, *rest)
    extreme = operation in ("amax", "amin")
    start = neutral if initial is None or extreme else initial
    # one more segment, for elements that belong to none
    result = data.new_full((*data.shape[:axis], segments + 1, *rest), start)
    places = arange(0, size, device=data.device)
    inside = (places.unsqueeze(-1) >= starts.unsqueeze(-2)) & (
        places.unsqueeze(-1) < ends.unsqueeze(-2)
    )
    index = _rows.where(
        inside.any(-1), inside.to(_dtypes()["uint8"]).argmax(-1) if segments else 0, segments
    )
    index = index.reshape(*index.shape, *([1] * len(rest))).expand(data.shape)
    result = result.scatter_reduce(axis, index, data, operation)
    result = result.narrow(axis, 0, segments)
    if extreme and initial is not None:  # `initial` gets no share of the gradient of equal elements
        result = result.masked_fill(
            result < initial if operation == "amax" else result > initial, initial
        )
    if reduce == "mean":
        counts = lengths.reshape(*lengths.shape, *([1] * len(rest))).expand(shape)
        if initial is not None:
            counts = counts.clamp_min(1)
        result = result / counts
    return result.contiguous()
