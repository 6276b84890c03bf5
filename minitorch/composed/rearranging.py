"""Joining, repeating and rotating, and elementwise functions composed of others."""

from minitorch._tensor import Tensor
from minitorch.autograd.by_sample import LISTS, without_batching_rule
from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.autograd.functions.creation import ones_like
from minitorch.autograd.functions.from_data import tensor
from minitorch.autograd.functions.gathered import Result, one_node
from minitorch.autograd.functions.python_signatures import parsed_as
from minitorch.autograd.graph_api.composite_node import as_one_operator
from minitorch.autograd.levels import wrapped_of
from minitorch.autograd.python_dispatch import one_operator, written_in_cpp
from minitorch.composed.matrix_functions import linalg_multi_dot
from minitorch.composed.splitting import atleast_1d, atleast_2d, atleast_3d
from minitorch.core.dtype import _dtypes
from minitorch.core.once import warn_once
from minitorch.core.tensor_impl import maybe_wrap_dim
from minitorch.core.types import preserve_format
from minitorch.tensors.gradient_checks import at_each_level, reject_tangents

__all__ = [
    "_chunk_cat",
    "_index_put_impl_",
    "_unsafe_masked_index",
    "_unsafe_masked_index_put_accumulate",
    "chain_matmul",
    "column_stack",
    "cross",
    "dstack",
    "fliplr",
    "flipud",
    "float_power",
    "hstack",
    "isneginf",
    "isposinf",
    "isreal",
    "polar",
    "repeat_interleave",
    "rot90",
    "tile",
    "vstack",
]

_INDEX_DTYPES = tuple(_dtypes()[name] for name in ("int32", "int64"))

# --------------------------------------------------------------------------------------------------
# Joining
# --------------------------------------------------------------------------------------------------


def _joined(name, tensors, dim, prepare):
    tensors = list(tensors)
    if not tensors:
        raise RuntimeError(f"{name} expects a non-empty TensorList")
    tensors = [prepare(t) for t in tensors]
    return _rows.cat(tensors, dim)


def hstack(tensors):
    """Join tensors horizontally: along the second dimension, or the first one of vectors.

    Parameters
    ----------
    tensors : sequence of Tensor
        Equal sizes, except along the dimension that they are joined along.

    Returns
    -------
    Tensor
        The joined tensors; the dtype follows from type promotion.

    Raises
    ------
    RuntimeError
        If the other sizes differ.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.hstack((torch.tensor([1, 2]), torch.tensor([3])))
    tensor([1, 2, 3])
    """
    dim = 0 if tensors and tensors[0].dim() <= 1 else 1
    return _joined("hstack", tensors, dim, atleast_1d)


def vstack(tensors):
    """Join tensors vertically, along the first dimension; vectors become rows.

    Parameters
    ----------
    tensors : sequence of Tensor
        Equal sizes, except along the dimension that they are joined along.

    Returns
    -------
    Tensor
        At least two dimensions; the dtype follows from type promotion.

    Raises
    ------
    RuntimeError
        If the other sizes differ.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.vstack((torch.tensor([1, 2]), torch.tensor([3, 4])))
    tensor([[1, 2],
            [3, 4]])
    """
    return _joined("vstack", tensors, 0, atleast_2d)


def dstack(tensors):
    """Join tensors in depth, along the third dimension.

    Parameters
    ----------
    tensors : sequence of Tensor
        Equal sizes, except along the dimension that they are joined along.

    Returns
    -------
    Tensor
        At least three dimensions; the dtype follows from type promotion.

    Raises
    ------
    RuntimeError
        If the other sizes differ.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.dstack((torch.tensor([1, 2]), torch.tensor([3, 4])))
    tensor([[[1, 3],
             [2, 4]]])
    """
    return _joined("dstack", tensors, 2, atleast_3d)


def column_stack(tensors):
    """Join tensors along the second dimension; vectors become columns.

    Parameters
    ----------
    tensors : sequence of Tensor
        Equal sizes, except along the dimension that they are joined along.

    Returns
    -------
    Tensor
        At least two dimensions; the dtype follows from type promotion.

    Raises
    ------
    RuntimeError
        If the other sizes differ.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.column_stack((torch.tensor([1, 2]), torch.tensor([3, 4])))
    tensor([[1, 3],
            [2, 4]])
    """

    def column(t):
        return t.reshape(t.numel(), 1) if t.dim() <= 1 else t

    return _joined("column_stack", tensors, 1, column)


# --------------------------------------------------------------------------------------------------
# Repeating and rotating
# --------------------------------------------------------------------------------------------------


@parsed_as("_chunk_cat")
@without_batching_rule("aten::_chunk_cat", LISTS, composed=False)
def _chunk_cat(tensors, dim, num_chunks):
    """Split tensors into chunks along `dim`, flatten them and concatenate chunks of equal number.

    If the size of `dim` is not divisible by `num_chunks`, the last chunk is padded with zeros.
    """
    reject_tangents(tensors, "aten::_chunk_cat", "not_implemented")
    if not tensors:
        raise RuntimeError("_chunk_cat expects a non-empty input tensor list")
    if num_chunks < 1:
        raise RuntimeError("_chunk_cat expects positive num_chunks")
    first = tensors[0]
    for t in tensors:
        if t.numel() == 0:
            raise RuntimeError("_chunk_cat expects non-empty tensor")
        if t.dtype != first.dtype:
            raise RuntimeError("_chunk_cat expects all input tensors with the same dtype")
    if any(t.dim() != first.dim() for t in tensors):
        if dim < 0:
            raise RuntimeError(
                "_chunk_cat expects non-negative dim when input tensors have different ndims"
            )
        if any(t.dim() <= dim for t in tensors):
            raise RuntimeError("_chunk_cat expects dim < ndim for all input tensors")
    else:
        dim = maybe_wrap_dim(dim, first.dim())
    if any(t.shape[:dim] != first.shape[:dim] for t in tensors):
        raise RuntimeError(
            "_chunk_cat expects same sizes of 0,...,dim-1 dimensions for all tensors"
        )
    return _rows.cat([_chunked(t, dim, num_chunks) for t in tensors], dim + 1)


def _chunked(t, dim, num_chunks):
    """Reshape the dimensions from `dim` on to the chunk number and the position in the chunk."""
    before, size, after = t.shape[:dim], t.shape[dim], t.shape[dim + 1 :]
    missing = -size % num_chunks
    if missing:
        t = _rows.cat([t, t.new_zeros((*before, missing, *after))], dim)
    return t.reshape(*before, num_chunks, -1)


def tile(input, *dims):
    """Repeat a tensor along its dimensions.

    Parameters
    ----------
    input : Tensor
        Any shape and dtype.
    *dims : int
        How often to repeat each dimension; the shorter of `dims` and the shape is extended by ones on the
        left.

    Returns
    -------
    Tensor
        A copy.

    Raises
    ------
    RuntimeError
        If a number is negative.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.tile(torch.tensor([1, 2]), (2, 2))
    tensor([[1, 2, 1, 2],
            [1, 2, 1, 2]])
    """
    if len(dims) == 1 and isinstance(dims[0], (tuple, list)):
        dims = tuple(dims[0])
    missing = input.dim() - len(dims)
    return input.repeat((1,) * max(missing, 0) + tuple(dims))


def repeat_interleave(input, repeats=None, dim=None, *, output_size=None):
    """Repeat each element of a tensor.

    Parameters
    ----------
    input : Tensor
        Any shape and dtype.
    repeats : int or Tensor
        How often to repeat every element, or each of them: an integer tensor of the size of `dim`.
    dim : int, optional
        The dimension; by default the input is flattened first.
    output_size : int, optional
        The size of the result along `dim`, if it is known.

    Returns
    -------
    Tensor
        The shape of `input`, with another size along `dim`. If `input` is the only argument, the indices 0,
        1, ... are
        repeated as often as it says.

    Raises
    ------
    RuntimeError
        If a number is negative, or the sizes differ.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.repeat_interleave(torch.tensor([5, 6, 7]), 2)
    tensor([5, 5, 6, 6, 7, 7])
    >>> torch.repeat_interleave(torch.tensor([5, 6, 7]), torch.tensor([0, 1, 2]))
    tensor([6, 7, 7])
    """
    if repeats is None:
        return _rows._repeat_positions(input, output_size=output_size)
    if dim is None:
        input, dim = input.flatten(), 0
    if not isinstance(repeats, Tensor):
        if repeats < 0:
            raise RuntimeError("Repeats must be non-negative")
        dim = maybe_wrap_dim(dim, input.dim())
        shape = list(input.shape)
        if output_size is not None and output_size != shape[dim] * repeats:
            raise RuntimeError(
                f"repeat_interleave: Invalid output_size, expected {shape[dim] * repeats} but got "
                f"{output_size}"
            )
        expanded = input.unsqueeze(dim + 1)
        wide = [*shape[: dim + 1], repeats, *shape[dim + 1 :]]
        return expanded.expand(wide).clone(memory_format=_contiguous()).flatten(dim, dim + 1)
    if repeats.dim() == 0 or (repeats.dim() == 1 and repeats.size(0) == 1):
        repeats = repeats.reshape(1).expand(input.size(dim))
    elif repeats.dim() != 1:
        raise RuntimeError("repeats must be 0-dim or 1-dim tensor")
    elif repeats.size(0) != input.size(dim):
        raise RuntimeError(
            "repeats must have the same size as input along dim, but got repeats.size(0) = "
            f"{repeats.size(0)} and input.size({dim}) = {input.size(dim)}"
        )
    positions = _rows._repeat_positions(repeats.contiguous(), output_size=output_size)
    return input.index_select(dim, positions.to(input.device))


def _contiguous():
    from minitorch.core.types import contiguous_format

    return contiguous_format


def fliplr(input):
    """Reverse the order of the second dimension.

    Parameters
    ----------
    input : Tensor
        At least two dimensions.

    Returns
    -------
    Tensor
        A copy of the same shape.

    Raises
    ------
    RuntimeError
        If the input has fewer than two dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.fliplr(torch.tensor([[1, 2], [3, 4]]))
    tensor([[2, 1],
            [4, 3]])
    """
    if input.dim() < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return input.flip(1)


def flipud(input):
    """Reverse the order of the first dimension.

    Parameters
    ----------
    input : Tensor
        At least one dimension.

    Returns
    -------
    Tensor
        A copy of the same shape.

    Raises
    ------
    RuntimeError
        If the input has no dimension.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.flipud(torch.tensor([[1, 2], [3, 4]]))
    tensor([[3, 4],
            [1, 2]])
    """
    if input.dim() < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return input.flip(0)


def rot90(input, k=1, dims=(0, 1)):
    """Rotate a tensor by multiples of 90 degrees in the plane of two dimensions.

    Parameters
    ----------
    input : Tensor
        At least two dimensions.
    k : int, default 1
        How many quarter turns, from the first of `dims` towards the second; negative ones turn back.
    dims : tuple of int, default (0, 1)
        The plane.

    Returns
    -------
    Tensor
        A copy; odd turns exchange the two sizes.

    Raises
    ------
    RuntimeError
        If there are not two different dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.rot90(torch.tensor([[1, 2], [3, 4]]))
    tensor([[2, 4],
            [1, 3]])
    """
    _check_plane(input, dims)
    return as_one_operator(
        "rot90",
        (input, k, list(dims)),
        lambda: one_node("Rot90Backward0", _turned, (input,), (k % 4, dims), dims=tuple(dims), k=k),
        lambda grad, input, k, dims: rot90(grad, -k, dims),
    )


def _check_plane(input, dims):
    """Raise PyTorch's error for a plane that `rot90` cannot turn; inside `vmap`, it is a plane of the batch."""
    n = input.dim()
    for t in at_each_level(input):
        if (special := wrapped_of(t)) is not None and special.dim >= 0:
            dims = [maybe_wrap_dim(d, n) + 1 for d in dims]
            n += 1
    if len(dims) != 2:
        raise RuntimeError(f"expected total rotation dims == 2, but got dims = {len(dims)}")
    if n < 2:
        raise RuntimeError(f"expected total dims >= 2, but got total dims = {n}")
    for d in dims:
        maybe_wrap_dim(d, n)
    if dims[0] % n == dims[1] % n:
        raise RuntimeError(
            f"expected rotation dims to be different, but got dim0 = {dims[0]} and dim1 = {dims[1]}"
        )


def _turned(input, k, dims):
    if k == 2:
        return input.flip(list(dims))
    if k == 0:
        return input.clone(memory_format=_contiguous())
    first, last = dims if k == 1 else dims[::-1]
    # The result must have the layout of a transposed flip. So must the gradient, which undoes the
    # steps in reverse order. If a flip keeps the strides, transposing first satisfies both; a flip of
    # an expanded tensor does not, but flipping it twice gives it strides that flips keep.
    if not input.requires_grad:
        return input.flip(last).transpose(*dims)
    if 0 in input.stride():
        input = input.flip(last).flip(last)
    return input.transpose(*dims).flip(first)


# --------------------------------------------------------------------------------------------------
# Elementwise functions
# --------------------------------------------------------------------------------------------------


def _floating(input):
    if input.is_floating_point() or input.is_complex():
        return input
    return input.to(tensor(0.0).dtype)


def float_power(input, exponent):
    """Raise to a power in double precision.

    Parameters
    ----------
    input : Tensor or number
    exponent : Tensor or number
        Shapes that broadcast.

    Returns
    -------
    Tensor
        float64, or complex128 if an argument is complex.

    Raises
    ------
    RuntimeError
        If the shapes do not broadcast.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.float_power(torch.tensor([2, 3]), -1)
    tensor([0.5000, 0.3333], dtype=torch.float64)
    """
    is_complex = any(
        x.is_complex() if isinstance(x, Tensor) else isinstance(x, complex)
        for x in (input, exponent)
    )
    wide = _dtypes()["complex128" if is_complex else "float64"]
    number = complex if is_complex else float
    exponent, input = (
        x.to(wide) if isinstance(x, Tensor) else number(x) for x in (exponent, input)
    )
    return _rows.pow(input, exponent)


def isreal(input):
    """Test which elements have no imaginary part.

    Parameters
    ----------
    input : Tensor
        Any shape and dtype.

    Returns
    -------
    Tensor
        bool, of the same shape.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.isreal(torch.tensor([1 + 0j, 1j]))
    tensor([ True, False])
    """
    if not input.is_complex():
        with written_in_cpp():
            return ones_like(input, dtype=_dtypes()["bool"], memory_format=preserve_format)
    return input.imag == 0


@one_operator
def isposinf(input):
    """Test which elements are positive infinity.

    Parameters
    ----------
    input : Tensor
        Any shape, and a real dtype.

    Returns
    -------
    Tensor
        bool, of the same shape.

    Raises
    ------
    RuntimeError
        If the input is complex.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.isposinf(torch.tensor([1.0, float("inf"), -float("inf")]))
    tensor([False,  True, False])
    """
    return _infinite("isposinf", input) & (input > 0)


@one_operator
def isneginf(input):
    """Test which elements are negative infinity.

    Parameters
    ----------
    input : Tensor
        Any shape, and a real dtype.

    Returns
    -------
    Tensor
        bool, of the same shape.

    Raises
    ------
    RuntimeError
        If the input is complex.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.isneginf(torch.tensor([1.0, float("inf"), -float("inf")]))
    tensor([False, False,  True])
    """
    return _infinite("isneginf", input) & (input < 0)


def _infinite(name, input):
    if input.is_complex():
        raise RuntimeError(f"{name} does not support complex inputs.")
    return input.isinf() if input.is_floating_point() else input != input


def _clamped(name, input, indices):
    for k, index in enumerate(indices):
        if index is None:
            raise TypeError(f"expected Tensor as element {k} in argument 2, but got NoneType")
        if index.dtype not in _INDEX_DTYPES:
            raise RuntimeError(f"{name} found unexpected index type {index.dtype._class_name}")
    return [index.clamp(-size, size - 1) for index, size in zip(indices, input.shape, strict=False)]


@parsed_as("_index_put_impl_")
def _index_put_impl_(input, indices, values, accumulate=False, unsafe=False):
    """Call `index_put_`, which checks the indices even if `unsafe` is true."""
    return input.index_put_(indices, values, accumulate)


@parsed_as("_unsafe_masked_index")
def _unsafe_masked_index(input, mask, indices, fill):
    """Return ``input[indices]`` where `mask` is true, else `fill`; clamp indices to the range."""
    places = tuple(_clamped("_unsafe_masked_index", input, indices))
    return one_node(
        "UnsafeMaskedIndexBackward0",
        lambda x: x[places].masked_fill(mask.bool().logical_not(), fill),
        (input,),
        indices=list(indices),
        mask=mask,
        self_sym_sizes=tuple(input.shape),
    )


@parsed_as("_unsafe_masked_index_put_accumulate")
def _unsafe_masked_index_put_accumulate(input, mask, indices, values):
    """Return `input` with `values` added at the clamped indices where `mask` is true."""
    places = _clamped("_unsafe_masked_index_put_accumulate", input, indices)
    return one_node(
        "UnsafeMaskedIndexPutAccumulateBackward0",
        lambda x, v: x.index_put(places, v.masked_fill(mask.bool().logical_not(), 0), True),
        (input, values),
        indices=list(indices),
        mask=mask,
    )


def polar(abs, angle):
    """Return complex numbers of given lengths and angles.

    Parameters
    ----------
    abs : Tensor
        The lengths, float32 or float64.
    angle : Tensor
        The angles in radians, of the same dtype and a shape that broadcasts.

    Returns
    -------
    Tensor
        complex64 or complex128, of the broadcast shape: ``abs * cos(angle) + abs * sin(angle) * 1j``.

    Raises
    ------
    RuntimeError
        If the dtypes differ or are not floating-point.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.polar(torch.tensor([2.0]), torch.tensor([torch.pi / 2])).imag
    tensor([2.])
    """
    names = [t.dtype._class_name for t in (abs, angle)]
    if not {"Half", "Float", "Double"}.issuperset(names):
        raise RuntimeError(
            f"Expected both inputs to be Half, Float or Double tensors but got {names[0]} and {names[1]}"
        )
    if abs.dtype is not angle.dtype:
        raise RuntimeError(
            f"Expected object of scalar type {names[0]} but got scalar type {names[1]} for second "
            "argument"
        )
    if abs.dtype is _dtypes()["float16"]:
        raise NotImplementedError("\"polar_cpu\" not implemented for 'Half'")
    return one_node("PolarBackward0", _from_polar, (abs, angle), result=Result())


def _from_polar(abs, angle):
    return _rows.complex(abs * angle.cos(), abs * angle.sin())


# --------------------------------------------------------------------------------------------------
# Products
# --------------------------------------------------------------------------------------------------


def cross(input, other, dim=None, *, out=None):
    """Return the vector product of vectors of three elements.

    Parameters
    ----------
    input : Tensor
    other : Tensor
        Shapes that broadcast.
    dim : int, optional
        The dimension of size 3; by default the first such one, with a warning.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        The broadcast shape.

    Raises
    ------
    RuntimeError
        If the size of `dim` is not 3.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.cross(torch.tensor([1.0, 0.0, 0.0]), torch.tensor([0.0, 1.0, 0.0]), dim=0)
    tensor([0., 0., 1.])
    """
    if dim is None:
        warn_once(
            "Using torch.cross without specifying the dim arg is deprecated.\nPlease either pass the "
            "dim explicitly or simply use torch.linalg.cross.\nThe default value of dim will change "
            "to agree with that of linalg.cross in a future release."
        )
        if input.dim() != other.dim():
            raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
        dim = next((d for d in range(input.dim()) if input.size(d) == 3), None)
        if dim is None:
            raise RuntimeError("no dimension of size 3 in input")
    return _rows.linalg_cross(input, other, dim=dim, out=out)


def chain_matmul(*matrices, out=None):
    """Multiply a chain of matrices in the cheapest order, under a deprecated name.

    Use :func:`torch.linalg.multi_dot` instead.

    Parameters
    ----------
    *matrices : Tensor
        Two-dimensional tensors whose sizes fit.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        The product, a matrix.

    Raises
    ------
    RuntimeError
        If the sizes do not fit.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.chain_matmul(torch.ones(1, 2), torch.ones(2, 3), torch.ones(3, 1))
    tensor([[6.]])
    """
    return _chain_matmul(matrices) if out is None else _chain_matmul(matrices, out=out)


chain_matmul.handed_on = lambda *matrices, out=None: (matrices, {})  # for overrides


@parsed_as("chain_matmul")
@without_batching_rule("aten::chain_matmul", LISTS)
def _chain_matmul(matrices, *, out=None):
    warn_once(
        "torch.chain_matmul is deprecated and will be removed in a future PyTorch release. Use "
        "torch.linalg.multi_dot instead, which accepts a list of two or more tensors rather than "
        "multiple parameters.",
        stacklevel=3,
    )
    for matrix in matrices:
        if matrix.dim() != 2:
            raise RuntimeError(f"Tensor dimension is {matrix.dim()}, expected 2 instead.")
    if not matrices:
        raise RuntimeError("chain_matmul(): Expected one or more matrices")
    if len(matrices) == 1:
        return matrices[0].clone() if out is None else out.copy_(matrices[0])
    return linalg_multi_dot(matrices, out=out)
