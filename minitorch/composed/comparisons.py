"""Functions that compare tensors or select by a condition."""

from minitorch._tensor import Tensor
from minitorch.autograd.by_sample import DYNAMIC, LISTS, without_batching_rule
from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.autograd.functions.creation import each_sample
from minitorch.autograd.functions.namespace import _equal, result_type
from minitorch.autograd.functions.outputs import compute_out
from minitorch.autograd.grad_mode import no_grad
from minitorch.autograd.python_dispatch import one_operator
from minitorch.autograd.vmap_steps import are_batched
from minitorch.core.dtype import _dtypes
from minitorch.parsing.parser import bind
from minitorch.tensors.meta_rules import no_meta_kernel
from minitorch.tensors.type_info import get_default_dtype
from minitorch.tensors.vmap_values import is_sample

__all__ = [
    "allclose",
    "equal",
    "isclose",
    "nonzero",
    "where",
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


_WHERE = [
    "where(Tensor condition)",
    "where(Tensor condition, Tensor input, Tensor other, *, Tensor out=None)",
    "where(Tensor condition, Scalar self, Tensor other)",
    "where(Tensor condition, Tensor input, Scalar other)",
    "where(Tensor condition, Scalar self, Scalar other)",
]


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
