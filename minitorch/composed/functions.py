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
    """Return the shape that tensors of these shapes broadcast to.

    Raises
    ------
    RuntimeError
        If the shapes cannot be broadcast together.
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
    """Return the tensors expanded to the shape that all of them broadcast to."""
    return _broadcast_tensors(tensors)


def meshgrid(*tensors, indexing=None):
    """Return views expanded to a common grid, one for each tensor of at most one dimension.

    Parameters
    ----------
    *tensors : Tensor
    indexing : str
        ``"ij"``: the first tensor varies along the first dimension; ``"xy"``: along the second.
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
    """Return all tuples of elements, one from each tensor, as rows."""
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
    """Return all combinations of `r` elements of a vector, as rows."""
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
    """Return views of a given size, or of given sizes, along a dimension."""
    return tensor.split(split_size_or_sections, dim)


@parsed_as("split")
def _split(input, split_size, dim=0):
    return input.split(split_size, dim)


def tensor_split(input, indices_or_sections, dim=0):
    """Split into a number of parts of nearly equal size, or at the given indices."""
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
    """Split a tensor along its columns, a vector along its only dimension; see `tensor_split`."""
    return _named_split("hsplit", input, indices_or_sections, 1, 0 if input.dim() == 1 else 1)


def vsplit(input, indices_or_sections):
    """Split a tensor along its rows; see `tensor_split`."""
    return _named_split("vsplit", input, indices_or_sections, 2, 0)


def dsplit(input, indices_or_sections):
    """Split a tensor along its third dimension; see `tensor_split`."""
    return _named_split("dsplit", input, indices_or_sections, 3, 2)


def _each(function, tensors):
    return function(tensors) if isinstance(tensors, Tensor) else tuple(map(function, tensors))


@parsed_as("atleast_1d")
def _atleast_1d(tensors):
    return _each(lambda t: t.reshape(1) if t.dim() == 0 else t, tensors)


def atleast_1d(*tensors):
    """Return views with at least one dimension."""
    return _atleast_1d(tensors[0] if len(tensors) == 1 else tensors)


@parsed_as("atleast_2d")
def _atleast_2d(tensors):
    return _each(
        lambda t: t.reshape(1, 1) if t.dim() == 0 else t.unsqueeze(0) if t.dim() == 1 else t,
        tensors,
    )


def atleast_2d(*tensors):
    """Return views with at least two dimensions; a vector becomes a row."""
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
    """Return views with at least three dimensions; a vector becomes 1 x n x 1."""
    return _atleast_3d(tensors[0] if len(tensors) == 1 else tensors)


def block_diag(*tensors):
    """Arrange matrices along the diagonal of a larger matrix."""
    return _block_diag(tensors)


@parsed_as("block_diag")
def _block_diag(tensors):
    if not tensors:
        return zeros(1, 0)
    return _rows._block_diag(tensors)


def diag(input, diagonal=0):
    """Return the diagonal of a matrix, or the matrix with a given diagonal."""
    if input.dim() == 1:
        return diag_embed(input, diagonal)
    if input.dim() == 2:
        return _rows.diagonal_copy(input, diagonal, 0, 1)
    raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {input.dim()}D")


def diagflat(input, offset=0):
    """Return the matrix with the flattened elements on a diagonal."""
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
    """Return the matrix whose columns are powers of a vector."""
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
    """Compute the differences of adjacent elements along a dimension, `n` times."""
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
    """where(condition, input, other): select elements of `input` or `other` by `condition`.

    With only a condition, return the positions where it is true, as a tuple of index tensors.
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
    """Return the positions of the nonzero elements.

    Parameters
    ----------
    input : Tensor
    as_tuple : bool
        False: return one row per element; True: return one index tensor per dimension.
    """
    if as_tuple:
        if out is not None:
            raise RuntimeError("nonzero does not support the out kwarg when as_tuple is True")
        return _nonzero_numpy(input)
    if out is not None:
        return compute_out("nonzero", _rows.nonzero, (input,), {}, out)
    return _rows.nonzero(input)


def isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Return whether ``|input - other| <= atol + rtol * |other|``, elementwise."""
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
    """Return whether all elements are close; see `isclose`."""
    if is_sample(input) or is_sample(other):
        raise RuntimeError(
            "vmap over torch.allclose isn't supported yet. Please file an issue at "
            "https://github.com/pytorch/pytorch/issues if you need this feature."
        )
    with no_grad():
        return bool(isclose(input, other, rtol, atol, equal_nan).all())


@one_operator
def equal(input, other):
    """Return whether two tensors have the same shape and the same elements."""
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
    """Contract several dimensions of two tensors by summing products of elements.

    Parameters
    ----------
    a, b : Tensor
    dims : int, or two sequences of int
        The number of last dimensions of `a` and first dimensions of `b`, or the dimensions of
        each.
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
        if a.size(da) == 1:
            b = b.sum(db, keepdim=True, dtype=b.dtype)
        elif b.size(db) == 1:
            a = a.sum(da, keepdim=True, dtype=a.dtype)
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
    """Return the inner product over the last dimensions; for vectors, their dot product."""
    if input.dim() == 0 or other.dim() == 0:
        return input * other
    if input.size(-1) != other.size(-1):
        raise RuntimeError(
            "inner() the last dimension must match on both input tensors but got shapes "
            f"{list(input.shape)} and {list(other.shape)}"
        )
    return tensordot(input, other, ([-1], [-1]))


def kron(input, other):
    """Return the Kronecker product."""
    n = max(input.dim(), other.dim())
    a = (1,) * (n - input.dim()) + tuple(input.shape)
    b = (1,) * (n - other.dim()) + tuple(other.shape)
    left = _rows._unsafe_view(input, [x for size in a for x in (size, 1)])
    right = _rows._unsafe_view(other, [x for size in b for x in (1, size)])
    return _rows._unsafe_view(left * right, [x * y for x, y in zip(a, b, strict=True)])
