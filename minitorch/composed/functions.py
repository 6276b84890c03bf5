"""Functions composed of other operators, through which they are differentiated.

PyTorch's counterparts are in ``torch/functional.py`` and the ``CompositeImplicitAutograd``
operators.
"""

import functools
import itertools
import math

from minitorch._tensor import Tensor
from minitorch.autograd.by_sample import DYNAMIC, LISTS, without_batching_rule
from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.autograd.functions.creation import arange, each_sample, full, zeros, zeros_like
from minitorch.autograd.functions.namespace import _equal, result_type
from minitorch.autograd.functions.outputs import compute_out
from minitorch.autograd.functions.python_signatures import parsed_as
from minitorch.autograd.grad_mode import no_grad
from minitorch.autograd.python_dispatch import one_operator
from minitorch.autograd.vmap_steps import are_batched
from minitorch.composed.distances import cdist
from minitorch.composed.einsum import einsum
from minitorch.composed.matrix_norms import norm
from minitorch.core.dtype import _dtypes
from minitorch.core.once import warn_once
from minitorch.core.tensor_impl import maybe_wrap_dim
from minitorch.core.types import Size
from minitorch.ops.common.checks import broadcast_sizes
from minitorch.parsing.parser import bind
from minitorch.tensors.meta_rules import no_meta_kernel
from minitorch.tensors.type_info import get_default_dtype
from minitorch.tensors.vmap_values import is_sample

__all__ = [
    "allclose",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "block_diag",
    "broadcast_shapes",
    "broadcast_tensors",
    "cartesian_prod",
    "cdist",
    "combinations",
    "diag",
    "diag_embed",
    "diagflat",
    "diff",
    "dsplit",
    "einsum",
    "equal",
    "hsplit",
    "inner",
    "isclose",
    "kron",
    "meshgrid",
    "nonzero",
    "norm",
    "split",
    "tensor_split",
    "tensordot",
    "trace",
    "vander",
    "vsplit",
    "where",
]

# --------------------------------------------------------------------------------------------------
# Broadcasting
# --------------------------------------------------------------------------------------------------


def broadcast_shapes(*shapes):
    """Return the shape that shapes broadcast to.

    Parameters
    ----------
    *shapes : tuple of int, or int
        The shapes to broadcast; an int is a shape of one dimension.

    Returns
    -------
    torch.Size
        The common shape.

    Raises
    ------
    RuntimeError
        If the shapes do not broadcast.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.broadcast_shapes((3, 1), (2,))
    torch.Size([3, 2])
    """
    for shape in shapes:
        if not isinstance(shape, (int, tuple, list)):
            raise RuntimeError(
                "Input shapes should be of type ints, a tuple of ints, or a list of ints, got "
                f"{shape}"
            )
    # a `Size` keeps its type, because the error message prints it
    shapes = [
        (shape,) if isinstance(shape, int) else shape if isinstance(shape, tuple) else tuple(shape)
        for shape in shapes
    ]
    result = [1] * max(map(len, shapes), default=0)
    for position, shape in enumerate(shapes):
        for d in range(-1, -1 - len(shape), -1):
            if shape[d] == 1 or shape[d] == result[d]:
                continue
            if result[d] != 1:
                raise RuntimeError(
                    f"Attempting to broadcast a dimension of length {shape[d]} at {d}! Mismatching "
                    f"argument at index {position} had {shape}; but expected shape should be "
                    f"broadcastable to {result}"
                )
            if shape[d] < 0:
                raise ValueError("Attempting to broadcast a dimension with negative length!")
            result[d] = shape[d]
    return Size(result)


# Note [Functions in C]
# Where PyTorch has a Python function that unpacks the arguments and a C function that computes, so
# does minitorch: the counterpart of the C function has an argument parser (`parsed_as`) and is in
# `minitorch/_VF.py`.


@parsed_as("broadcast_tensors")
def _broadcast_tensors(tensors):
    shape = functools.reduce(broadcast_sizes, [tuple(t.shape) for t in tensors], ())
    return tuple(t if t.shape == shape else t.expand(shape) for t in tensors)


def broadcast_tensors(*tensors):
    """Expand tensors to their common shape.

    Parameters
    ----------
    *tensors : Tensor
        Shapes that broadcast.

    Returns
    -------
    tuple of Tensor
        Views; several elements may share memory.

    Raises
    ------
    RuntimeError
        If the shapes do not broadcast.

    Examples
    --------
    >>> import minitorch as torch
    >>> a, b = torch.broadcast_tensors(torch.zeros(3, 1), torch.zeros(2))
    >>> a.shape, b.shape
    (torch.Size([3, 2]), torch.Size([3, 2]))
    """
    return _broadcast_tensors(tensors)


def meshgrid(*tensors, indexing=None):
    """Return the coordinates of the points of a grid.

    Parameters
    ----------
    *tensors : Tensor
        The coordinates along each axis, vectors or numbers.
    indexing : {"ij", "xy"}, optional
        "ij", the default (with a warning), gives a shape in the order of the tensors; "xy" exchanges the
        first two.

    Returns
    -------
    tuple of Tensor
        Views, all of the shape of the grid.

    Raises
    ------
    RuntimeError
        If a tensor has more than one dimension, or dtypes differ.

    Examples
    --------
    >>> import minitorch as torch
    >>> x, y = torch.meshgrid(torch.tensor([1, 2]), torch.tensor([3, 4]), indexing="ij")
    >>> x
    tensor([[1, 1],
            [2, 2]])
    >>> y
    tensor([[3, 4],
            [3, 4]])
    """
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tensors[0]
    if indexing is None:
        return _meshgrid(tensors)
    return _meshgrid(tensors, indexing=indexing)


@parsed_as("meshgrid")
def _meshgrid(tensors, *, indexing=None):
    if indexing is None:
        warn_once(
            "torch.meshgrid: in an upcoming release, it will be required to pass the indexing "
            "argument.",
            stacklevel=3,
        )
        indexing = "ij"
    tensors = list(tensors)
    if not tensors:
        raise RuntimeError("meshgrid expects a non-empty TensorList")
    for t in tensors:
        if t.dim() > 1:
            raise RuntimeError(
                f"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {t}"
            )
        if t.dtype != tensors[0].dtype:
            raise RuntimeError("meshgrid expects all tensors to have the same dtype")
    if indexing not in ("ij", "xy"):
        raise RuntimeError(
            f'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}'
        )
    swap = indexing == "xy" and len(tensors) >= 2
    if swap:
        tensors[0], tensors[1] = tensors[1], tensors[0]
    shape = [t.numel() for t in tensors]
    grids = []
    for d, t in enumerate(tensors):
        grids.append(t.view([-1 if k == d else 1 for k in range(len(shape))]).expand(shape))
    if swap:
        grids[0], grids[1] = grids[1], grids[0]
    return tuple(grids)


def cartesian_prod(*tensors):
    """Return all combinations of one element of each tensor.

    Parameters
    ----------
    *tensors : Tensor
        Vectors.

    Returns
    -------
    Tensor
        A row for each combination; the input itself if it is the only one.

    Raises
    ------
    RuntimeError
        If a tensor is no vector.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.cartesian_prod(torch.tensor([1, 2]), torch.tensor([3, 4]))
    tensor([[1, 3],
            [1, 4],
            [2, 3],
            [2, 4]])
    """
    return _cartesian_prod(tensors)


@parsed_as("cartesian_prod")
def _cartesian_prod(tensors):
    for t in tensors:
        if t.dim() != 1:
            raise RuntimeError(f"Expect a 1D vector, but got shape {list(t.shape)}")
    if len(tensors) == 1:
        return tensors[0]
    grids = meshgrid(*tensors, indexing="ij")
    return _rows.stack([grid.flatten() for grid in grids], 1)


def combinations(input, r=2, with_replacement=False):
    """Return all combinations of elements of a vector.

    Parameters
    ----------
    input : Tensor
        A vector.
    r : int, default 2
        How many elements to combine.
    with_replacement : bool, default False
        Let an element occur several times.

    Returns
    -------
    Tensor
        A row of r elements for each combination.

    Raises
    ------
    RuntimeError
        If the input is no vector, or `r` is negative.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.combinations(torch.tensor([1, 2, 3]))
    tensor([[1, 2],
            [1, 3],
            [2, 3]])
    """
    if input.dim() != 1:
        raise RuntimeError(f"Expect a 1D vector, but got shape {list(input.shape)}")
    if r < 0:
        raise RuntimeError(f"Expect a non-negative number, but got {r}")
    if r == 0:
        return input.new_empty(0)
    grids = meshgrid([input] * r, indexing="ij")
    dtypes, options = _dtypes(), {"layout": input.layout, "device": input.device}
    numbers = arange(input.numel(), dtype=dtypes["int64"], **options)
    positions = meshgrid([numbers] * r, indexing="ij")
    chosen = full([input.numel()] * r, True, dtype=dtypes["bool"], **options)
    for a, b in itertools.pairwise(positions):
        chosen.mul_(a <= b if with_replacement else a < b)
    return _rows.stack([grid.masked_select(chosen) for grid in grids], 1)


# --------------------------------------------------------------------------------------------------
# Splitting and diagonals
# --------------------------------------------------------------------------------------------------


def split(tensor, split_size_or_sections, dim=0):
    """Split a tensor along a dimension.

    Parameters
    ----------
    tensor : Tensor
        At least one dimension.
    split_size_or_sections : int or list of int
        The size of each part (the last one may be smaller), or the sizes of all parts.
    dim : int, default 0

    Returns
    -------
    tuple of Tensor
        Views.

    Raises
    ------
    RuntimeError
        If the sizes do not add up to the size of `dim`, or one is negative.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.split(torch.arange(5), 2)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """
    return tensor.split(split_size_or_sections, dim)


@parsed_as("split")
def _split(input, split_size, dim=0):
    return input.split(split_size, dim)


def tensor_split(input, indices_or_sections, dim=0):
    """Split a tensor into parts of nearly equal sizes, or at given indices.

    Parameters
    ----------
    input : Tensor
        At least one dimension.
    indices_or_sections : int, tuple of int or Tensor
        The number of parts, or where they begin.
    dim : int, default 0

    Returns
    -------
    tuple of Tensor
        Views.

    Raises
    ------
    RuntimeError
        If the number of parts is not positive, or the input has no dimension.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.tensor_split(torch.arange(5), 2)
    (tensor([0, 1, 2]), tensor([3, 4]))
    >>> torch.tensor_split(torch.arange(5), (1, 3))
    (tensor([0]), tensor([1, 2]), tensor([3, 4]))
    """
    if isinstance(indices_or_sections, Tensor):
        if not indices_or_sections.is_cpu:
            raise RuntimeError(
                "tensor_split expected tensor_indices_or_sections to be on cpu, but it's on "
                f"{indices_or_sections.device}"
            )
        if indices_or_sections.dtype != _dtypes()["int64"]:
            raise RuntimeError(
                "tensor_split expected tensor_indices_or_sections to have dtype of long, but got "
                f"{indices_or_sections.dtype._class_name}"
            )
        if indices_or_sections.dim() > 1:
            raise RuntimeError(
                "tensor_split expected tensor_indices_or_sections to be a zero-dimensional or "
                "one-dimensional tensor, but got a tensor with "
                f"{indices_or_sections.dim()} dims"
            )
        if indices_or_sections.dim() == 0:
            indices_or_sections = indices_or_sections.item()
        else:
            indices_or_sections = indices_or_sections.tolist()
    if input.dim() == 0:
        raise RuntimeError(
            "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims"
        )
    length = input.size(dim)
    if isinstance(indices_or_sections, int):
        sections = indices_or_sections
        if sections <= 0:
            raise RuntimeError(f"number of sections must be larger than 0, got {sections}")
        smallest, longer = divmod(length, sections)
        parts = [None] * sections  # allocated first, to raise at once if there is not enough memory
        for k in range(sections):
            start = k * smallest + min(k, longer)
            parts[k] = _rows.slice(input, dim, start, start + smallest + (k < longer), 1)
        return tuple(parts)
    bounds = [0, *indices_or_sections, length]
    bounds = [slice(*pair).indices(length)[:2] for pair in itertools.pairwise(bounds)]
    return tuple(_rows.slice(input, dim, start, max(start, end), 1) for start, end in bounds)


def _named_split(name, input, indices_or_sections, least, dim):
    if input.dim() < least:
        raise RuntimeError(
            f"torch.{name} requires a tensor with at least {least} dimension, but got a tensor with {input.dim()} dimensions!"
        )
    if isinstance(indices_or_sections, int):
        n = indices_or_sections
        if n == 0 or input.size(dim) % n:
            raise RuntimeError(
                f"torch.{name} attempted to split along dimension {dim}, but the size of the "
                f"dimension {input.size(dim)} is not divisible by the split_size {n}!"
            )
    return tensor_split(input, indices_or_sections, dim)


def hsplit(input, indices_or_sections):
    """Split a tensor along the second dimension, or the first one of vectors.

    Parameters
    ----------
    input : Tensor
        At least one dimension.
    indices_or_sections : int or tuple of int
        The number of equal parts, or where they begin.

    Returns
    -------
    tuple of Tensor
        Views.

    Raises
    ------
    RuntimeError
        If the size is not divisible, or the input has too few dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.hsplit(torch.arange(4), 2)
    (tensor([0, 1]), tensor([2, 3]))
    """
    return _named_split("hsplit", input, indices_or_sections, 1, 0 if input.dim() == 1 else 1)


def vsplit(input, indices_or_sections):
    """Split a tensor along the first dimension.

    Parameters
    ----------
    input : Tensor
        At least two dimensions.
    indices_or_sections : int or tuple of int
        The number of equal parts, or where they begin.

    Returns
    -------
    tuple of Tensor
        Views.

    Raises
    ------
    RuntimeError
        If the size is not divisible, or the input has too few dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.vsplit(torch.arange(4).view(2, 2), 2)
    (tensor([[0, 1]]), tensor([[2, 3]]))
    """
    return _named_split("vsplit", input, indices_or_sections, 2, 0)


def dsplit(input, indices_or_sections):
    """Split a tensor along the third dimension.

    Parameters
    ----------
    input : Tensor
        At least three dimensions.
    indices_or_sections : int or tuple of int
        The number of equal parts, or where they begin.

    Returns
    -------
    tuple of Tensor
        Views.

    Raises
    ------
    RuntimeError
        If the size is not divisible, or the input has too few dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.dsplit(torch.arange(4).view(1, 1, 4), 2)
    (tensor([[[0, 1]]]), tensor([[[2, 3]]]))
    """
    return _named_split("dsplit", input, indices_or_sections, 3, 2)


def _each(function, tensors):
    return function(tensors) if isinstance(tensors, Tensor) else tuple(map(function, tensors))


@parsed_as("atleast_1d")
def _atleast_1d(tensors):
    return _each(lambda t: t.reshape(1) if t.dim() == 0 else t, tensors)


def atleast_1d(*tensors):
    """Return views of tensors with at least 1 dimension.

    Parameters
    ----------
    *tensors : Tensor, or one sequence of Tensor
        Any shape and dtype.

    Returns
    -------
    Tensor, or tuple of Tensor
        One for each input.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.atleast_1d(torch.tensor(5.0))
    tensor([5.])
    """
    return _atleast_1d(tensors[0] if len(tensors) == 1 else tensors)


@parsed_as("atleast_2d")
def _atleast_2d(tensors):
    return _each(
        lambda t: t.reshape(1, 1) if t.dim() == 0 else t.unsqueeze(0) if t.dim() == 1 else t,
        tensors,
    )


def atleast_2d(*tensors):
    """Return views of tensors with at least 2 dimensions.

    Parameters
    ----------
    *tensors : Tensor, or one sequence of Tensor
        Any shape and dtype.

    Returns
    -------
    Tensor, or tuple of Tensor
        One for each input.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.atleast_2d(torch.tensor(5.0))
    tensor([[5.]])
    """
    return _atleast_2d(tensors[0] if len(tensors) == 1 else tensors)


@parsed_as("atleast_3d")
def _atleast_3d(tensors):
    def one(t):
        if t.dim() == 0:
            return t.reshape(1, 1, 1)
        if t.dim() == 1:
            return t.unsqueeze(0).unsqueeze(-1)
        return t.unsqueeze(-1) if t.dim() == 2 else t

    return _each(one, tensors)


def atleast_3d(*tensors):
    """Return views of tensors with at least 3 dimensions.

    Parameters
    ----------
    *tensors : Tensor, or one sequence of Tensor
        Any shape and dtype.

    Returns
    -------
    Tensor, or tuple of Tensor
        One for each input.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.atleast_3d(torch.tensor(5.0))
    tensor([[[5.]]])
    """
    return _atleast_3d(tensors[0] if len(tensors) == 1 else tensors)


def block_diag(*tensors):
    """Build a matrix of blocks on its diagonal.

    Parameters
    ----------
    *tensors : Tensor
        Matrices, vectors (which become rows) or numbers.

    Returns
    -------
    Tensor
        A matrix with zeros outside of the blocks.

    Raises
    ------
    RuntimeError
        If a tensor has more than two dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.block_diag(torch.tensor([[1, 2]]), torch.tensor(3))
    tensor([[1, 2, 0],
            [0, 0, 3]])
    """
    return _block_diag(tensors)


@parsed_as("block_diag")
def _block_diag(tensors):
    if not tensors:
        return zeros(1, 0)
    return _rows._block_diag(tensors)


def diag(input, diagonal=0):
    """Build a diagonal matrix, or copy a diagonal.

    Parameters
    ----------
    input : Tensor
        A vector or a matrix.
    diagonal : int, default 0
        Which diagonal; positive ones are above the main one.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        A matrix for a vector, and a vector for a matrix.

    Raises
    ------
    RuntimeError
        If the input has another number of dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.diag(torch.tensor([1, 2]))
    tensor([[1, 0],
            [0, 2]])
    >>> torch.diag(torch.tensor([[1, 2], [3, 4]]))
    tensor([1, 4])
    """
    if input.dim() == 1:
        return diag_embed(input, diagonal)
    if input.dim() == 2:
        return _rows.diagonal_copy(input, diagonal, 0, 1)
    raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {input.dim()}D")


def diagflat(input, offset=0):
    """Build a matrix with the elements of a tensor on a diagonal.

    Parameters
    ----------
    input : Tensor
        Any shape; it is flattened.
    offset : int, default 0
        Which diagonal; positive ones are above the main one.

    Returns
    -------
    Tensor
        A square matrix.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.diagflat(torch.tensor([1, 2]), 1)
    tensor([[0, 1, 0],
            [0, 0, 2],
            [0, 0, 0]])
    """
    return diag(input.contiguous().view(-1), offset)


def diag_embed(input, offset=0, dim1=-2, dim2=-1):
    """Return matrices with the elements of the last dimension on a diagonal."""
    n = input.dim() + 1
    first, second = maybe_wrap_dim(dim1, n), maybe_wrap_dim(dim2, n)
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    size = input.size(-1) + abs(offset)
    shape = list(input.shape[:-1])
    for d in sorted((first, second)):
        shape.insert(d, size)
    return _rows.diag_embed(input, shape, offset, dim1, dim2)


def trace(input):
    """Return the sum of a matrix's diagonal."""
    return _rows.trace(input)


def vander(x, N=None, increasing=False):
    """Return a Vandermonde matrix, whose columns are powers of a vector.

    Parameters
    ----------
    x : Tensor
        A vector.
    N : int, optional
        The number of columns; by default the size of `x`.
    increasing : bool, default False
        Begin with the power 0 instead of ending with it.

    Returns
    -------
    Tensor
        The shape ``(len(x), N)``.

    Raises
    ------
    RuntimeError
        If `x` is no vector, or `N` is negative.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.vander(torch.tensor([1, 2, 3]))
    tensor([[1, 1, 1],
            [4, 2, 1],
            [9, 3, 1]])
    """
    if x.dim() != 1:
        raise RuntimeError("x must be a one-dimensional tensor.")
    n = x.size(0) if N is None else N
    if n < 0:
        raise RuntimeError("N must be non-negative.")
    powers = arange(n) if increasing else arange(n - 1, -1, -1)
    return x.unsqueeze(-1) ** powers


def _check_joined(input, given, dim):
    """Check the shape of a `prepend` or `append` argument of `diff`."""
    if given is None:
        return
    input.size(dim)
    if given.dim() != input.dim():
        raise RuntimeError("diff expects prepend or append to be the same dimension as input")
    for d in range(input.dim()):
        if d != dim % input.dim() and given.size(d) != input.size(d):
            raise RuntimeError(
                "diff expects the shape of tensor to prepend or append to match that of input except "
                f"along the differencing dimension; input.size({d}) = {input.size(d)}, but got "
                f"tensor.size({d}) = {given.size(d)}"
            )


def diff(input, n=1, dim=-1, prepend=None, append=None):
    """Return the differences of neighbouring elements.

    Parameters
    ----------
    input : Tensor
        At least one dimension.
    n : int, default 1
        How often to take differences.
    dim : int, default -1
    prepend, append : Tensor, optional
        What to add before and after `input`.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        The shape of `input`, with n elements less along `dim`.

    Raises
    ------
    RuntimeError
        If the input has no dimension, or `n` is negative.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.diff(torch.tensor([1, 3, 6]))
    tensor([2, 3])
    """
    if input.dim() == 0:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    if n < 0:
        raise RuntimeError(f"order must be non-negative but got {n}")
    for given in (prepend, append):
        _check_joined(input, given, dim)
    if n == 0:
        return zeros_like(input).copy_(input)
    parts = [t for t in (prepend, input, append) if t is not None]
    if len(parts) > 1:
        input = _rows.cat(parts, dim)
    for _ in range(min(n, input.size(dim))):
        length = input.size(dim)
        before = input.narrow(dim, 0, length - 1)
        after = input.narrow(dim, 1, length - 1)
        is_bool = repr(input.dtype) == "torch.bool"
        input = after.logical_xor(before) if is_bool else after - before
    return input


# --------------------------------------------------------------------------------------------------
# Comparison and selection
# --------------------------------------------------------------------------------------------------

_WHERE = [
    "where(Tensor condition)",
    "where(Tensor condition, Tensor input, Tensor other, *, Tensor out=None)",
    "where(Tensor condition, Scalar self, Tensor other)",
    "where(Tensor condition, Tensor input, Scalar other)",
    "where(Tensor condition, Scalar self, Scalar other)",
]


def where(*args, **kwargs):
    """Choose elements from two tensors by a condition, or find the true ones.

    Parameters
    ----------
    condition : Tensor
        bool; uint8 works too, with a warning.
    input : Tensor or number, optional
        What to return where it is true.
    other : Tensor or number, optional
        What to return where it is false.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor, or tuple of Tensor
        The broadcast shape, with the dtype of type promotion. With a condition alone, the result is
        ``nonzero(condition, as_tuple=True)``.

    Raises
    ------
    RuntimeError
        If the shapes do not broadcast, or the condition is not bool.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.where(torch.tensor([True, False]), torch.tensor([1, 2]), 0)
    tensor([1, 0])
    """
    if len(args) == 3 and not kwargs:
        return _where(*args)
    index, values = bind(_WHERE, args, kwargs, name="where")
    if index == 0:
        return _where_true(values[0])
    if index == 1:
        *values, out = values
        if out is not None:
            return compute_out("where", _rows.where, values, {}, out)
    return _where(*values)


def _where(condition, input, other):
    """Select from two operands; record the conversion of a tensor next to a complex number."""
    if isinstance(other, complex) and isinstance(input, Tensor):
        input = input.to(result_type(input, other))
    elif isinstance(input, complex) and isinstance(other, Tensor):
        other = other.to(result_type(input, other))
    return _rows.where(condition, input, other)


@without_batching_rule("aten::where", DYNAMIC)
def _where_true(condition):
    return nonzero(condition, as_tuple=True)


@without_batching_rule("aten::nonzero_numpy", LISTS)
def _nonzero_numpy(input):
    return _rows.nonzero(input.unsqueeze(0) if input.dim() == 0 else input).unbind(1)


def nonzero(input, *, out=None, as_tuple=False):
    """Return the indices of the elements that are not 0.

    Parameters
    ----------
    input : Tensor
        Any shape and dtype.
    out : Tensor, optional
        The tensor to write the result into.
    as_tuple : bool, default False
        Return a vector of indices for each dimension instead.

    Returns
    -------
    Tensor, or tuple of Tensor
        int64, of the shape ``(number, input.dim())``.

    Raises
    ------
    RuntimeError
        If `out` has another dtype.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nonzero(torch.tensor([0, 5, 6]))
    tensor([[1],
            [2]])
    >>> torch.nonzero(torch.tensor([0, 5, 6]), as_tuple=True)
    (tensor([1, 2]),)
    """
    if as_tuple:
        if out is not None:
            raise RuntimeError("nonzero does not support the out kwarg when as_tuple is True")
        return _nonzero_numpy(input)
    if out is not None:
        return compute_out("nonzero", _rows.nonzero, (input,), {}, out)
    return _rows.nonzero(input)


def isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Test which elements are close: |input - other| <= atol + rtol * |other|.

    Parameters
    ----------
    input, other : Tensor
        Equal dtypes, and shapes that broadcast.
    rtol : float, default 1e-05
        The relative tolerance.
    atol : float, default 1e-08
        The absolute tolerance.
    equal_nan : bool, default False
        Count nan as equal to nan.

    Returns
    -------
    Tensor
        bool, of the broadcast shape.

    Raises
    ------
    RuntimeError
        If the dtypes differ or a tolerance is negative.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.isclose(torch.tensor([1.0, 1.0]), torch.tensor([1.0 + 1e-6, 1.1]))
    tensor([ True, False])
    """
    if input.dtype != other.dtype:
        raise RuntimeError(f"{input.dtype._class_name} did not match {other.dtype._class_name}")
    for name, value in (("rtol", rtol), ("atol", atol)):
        if not value >= 0:
            raise RuntimeError(f"{name} must be greater than or equal to zero, but got {value:g}")
    close = input == other
    if equal_nan and (input.is_floating_point() or input.is_complex()):
        close.bitwise_or_(input.isnan() & other.isnan())
    if rtol == 0 and atol == 0:
        return close
    if not (other.is_floating_point() or other.is_complex()):
        other = other.to(get_default_dtype())
        if input.dtype == _dtypes()["bool"]:
            input = input.to(other.dtype)
    allowed = _rows._add_scalar(_rows._mul_scalar(other, rtol).abs(), atol)
    difference = (input - other).abs()
    return close.bitwise_or_(difference.isfinite().bitwise_and_(difference <= allowed))


_FALLBACK = ["_test_functorch_fallback(Tensor input, Tensor other)"]


def _test_functorch_fallback(*args, **kwargs):
    """Copy `input`; inside `vmap`, this test operator is called once for each sample."""
    _, (input, other) = bind(_FALLBACK, args, kwargs, name="_test_functorch_fallback")
    if are_batched(input, other):
        return each_sample(_test_functorch_fallback, (input, other))
    return input.clone()


@one_operator
def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Test whether all elements are close: |input - other| <= atol + rtol * |other|.

    Parameters
    ----------
    input, other : Tensor
        Equal dtypes, and shapes that broadcast.
    rtol : float, default 1e-05
        The relative tolerance.
    atol : float, default 1e-08
        The absolute tolerance.
    equal_nan : bool, default False
        Count nan as equal to nan.

    Returns
    -------
    bool

    Raises
    ------
    RuntimeError
        If the dtypes differ or a tolerance is negative.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.allclose(torch.tensor([1.0, 2.0]), torch.tensor([1.0 + 1e-6, 2.0]))
    True
    """
    if is_sample(input) or is_sample(other):
        raise RuntimeError(
            "vmap over torch.allclose isn't supported yet. Please file an issue at "
            "https://github.com/pytorch/pytorch/issues if you need this feature."
        )
    with no_grad():
        return bool(isclose(input, other, rtol, atol, equal_nan).all())


@one_operator
def equal(input, other):
    """Test whether two tensors have the same shape and elements.

    An element that is nan equals none.

    Parameters
    ----------
    input, other : Tensor
        Any shapes and dtypes.

    Returns
    -------
    bool

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.equal(torch.tensor([1, 2]), torch.tensor([1, 2]))
    True
    """
    if isinstance(input, Tensor) and isinstance(other, Tensor):
        if is_sample(input) or is_sample(other):
            raise RuntimeError(
                "Batching rule not implemented for aten::equal. We could not generate a fallback."
            )
        if input.is_meta or other.is_meta:
            raise NotImplementedError(no_meta_kernel("equal"))
        return _equal(input, other)
    name, argument = ("other", other) if isinstance(input, Tensor) else ("input", input)
    raise TypeError(
        f"equal(): argument '{name}' (position 1) must be Tensor, not {type(argument).__name__}"
    )


# --------------------------------------------------------------------------------------------------
# Products and norms
# --------------------------------------------------------------------------------------------------


def tensordot(a, b, dims=2, out=None):
    """Sum products over several dimensions of two tensors.

    Parameters
    ----------
    a, b : Tensor
        Any shapes.
    dims : int, or pair of lists of int, default 2
        How many of the last dimensions of `a` and of the first of `b` to sum over, or which.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        The other dimensions of `a`, then those of `b`.

    Raises
    ------
    RuntimeError
        If the sizes differ, or `dims` is negative.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.tensordot(torch.ones(2, 3, 4), torch.ones(3, 4, 5)).shape
    torch.Size([2, 5])
    """
    if out is not None:
        return compute_out("tensordot", tensordot, (a, b, dims), {}, out)
    if isinstance(dims, Tensor):
        dims = dims.tolist() if dims.numel() > 1 else int(dims.item())
    if isinstance(dims, (tuple, list)):
        dims_a, dims_b = (list(d) if isinstance(d, (tuple, list)) else [d] for d in dims)
    else:
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        if dims > min(a.dim(), b.dim()):
            raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
        dims_a, dims_b = list(range(-dims, 0)), list(range(dims))
    return _tensordot(a, b, dims_a, dims_b)


@parsed_as("tensordot")
def _tensordot(a, b, dims_a, dims_b):
    if len(dims_a) != len(dims_b):
        raise RuntimeError("both dimension lists should have same length")
    if a.dtype != b.dtype:
        raise RuntimeError("both inputs should have same dtype")
    for da, db in zip(dims_a, dims_b, strict=True):
        if a.size(da) != b.size(db) and a.size(da) != 1 and b.size(db) != 1:
            raise RuntimeError(
                f"contracted dimensions need to match, but first has size {a.size(da)} in dim {da} "
                f"and second has size {b.size(db)} in dim {db}"
            )
        if b.size(db) == 1:
            a = a.sum(da, keepdim=True, dtype=a.dtype)
        elif a.size(da) == 1:
            b = b.sum(db, keepdim=True, dtype=b.dtype)
    free_a, free_b = _free(a, dims_a), _free(b, dims_b)
    shape = [a.size(d) for d in free_a] + [b.size(d) for d in free_b]
    if math.prod(shape) == 1:
        return _scalar_product(a.permute(free_a + dims_a), b.permute(dims_b + free_b)).view(shape)
    inner_size = _count(a, dims_a)
    left = a.permute(free_a + dims_a).reshape(_count(a, free_a), inner_size)
    right = b.permute(dims_b + free_b).reshape(inner_size, _count(b, free_b))
    return left.mm(right).reshape(shape)


def _free(t, summed):
    """Return the dimensions that are not summed over."""
    summed = [d % t.dim() for d in summed]
    for d in summed:
        if summed.count(d) > 1:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
    return [d for d in range(t.dim()) if d not in summed]


def _scalar_product(a, b):
    """Return the sum of all products of two tensors' elements."""
    if a.is_contiguous() and b.is_contiguous():
        return a.flatten().dot(b.flatten())
    return (a.squeeze() * b.squeeze()).sum(dtype=a.dtype)


def _count(t, dims):
    return math.prod(t.size(d) for d in dims)


def inner(input, other):
    """Return the inner products of vectors along the last dimensions.

    Parameters
    ----------
    input, other : Tensor
        Equal sizes of the last dimension.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        The other dimensions of `input`, then those of `other`.

    Raises
    ------
    RuntimeError
        If the sizes differ.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.inner(torch.tensor([1, 2]), torch.tensor([3, 4]))
    tensor(11)
    """
    if input.dim() == 0 or other.dim() == 0:
        return input * other
    if input.size(-1) != other.size(-1):
        raise RuntimeError(
            "inner() the last dimension must match on both input tensors but got shapes "
            f"{list(input.shape)} and {list(other.shape)}"
        )
    return tensordot(input, other, ([-1], [-1]))


def kron(input, other):
    """Return the Kronecker product of two tensors.

    Parameters
    ----------
    input, other : Tensor
        Any shapes; the shorter one is extended by ones on the left.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        The product of the sizes along each dimension.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.kron(torch.tensor([1, 2]), torch.tensor([1, 10]))
    tensor([ 1, 10,  2, 20])
    """
    n = max(input.dim(), other.dim())
    a = (1,) * (n - input.dim()) + tuple(input.shape)
    b = (1,) * (n - other.dim()) + tuple(other.shape)
    left = _rows._unsafe_view(input, [x for size in a for x in (size, 1)])
    right = _rows._unsafe_view(other, [x for size in b for x in (1, size)])
    return _rows._unsafe_view(left * right, [x * y for x, y in zip(a, b, strict=True)])
