"""Masked reductions and normalizations.

Most of them fill the masked-out elements with the identity of the reduction, such as 0 for a sum or
minus infinity for a maximum, and call the ordinary function. So they return the identity if no
element remains. `mean`, `var` and `std` also count the remaining elements.

In all functions, `mask` is a bool tensor that can be broadcast to the input and is true for the
elements to include. `dim` is one dimension, several, or None for all. `dtype` is the dtype of the
result.
"""

import builtins
import math

from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.autograd.functions.creation import ones
from minitorch.autograd.functions.from_data import tensor as _tensor
from minitorch.core.dtype import _dtypes
from minitorch.core.tensor_impl import maybe_wrap_dim

_DTYPES = _dtypes()
_INT64 = _DTYPES["int64"]


# --------------------------------------------------------------------------------------------------
# Arguments
# --------------------------------------------------------------------------------------------------


def _dims(dim, ndim):
    """Return the dimensions as a sorted tuple."""
    if dim == () and ndim == 0:
        return ()
    if dim is None:
        return tuple(range(ndim))
    found = []
    for d in dim if isinstance(dim, (tuple, list)) else (dim,):
        d = maybe_wrap_dim(d, ndim)
        if d in found:
            raise RuntimeError(f"dim={d} appears multiple times in the list of dims")
        found.append(d)
    return tuple(sorted(found))


def _mask_of(input, mask):
    """Return the mask as a dense bool tensor, broadcast to the input's shape."""
    if mask.is_sparse:
        mask = mask.to_dense()
    if mask.shape != input.shape:
        if mask.dim() > input.dim():
            raise IndexError(
                "_input_mask expected broadcastable mask (got mask dimensionality higher than of the "
                "input)"
            )
        mask = mask.clone().expand(input.shape)  # PyTorch expands a copy
    return mask if mask.dtype == _DTYPES["bool"] else mask != 0


def _input_mask(input, *args, mask=None, **kwargs):
    """Return the mask of a reduction, broadcast to `input`."""
    if mask is None:
        raise ValueError("_input_mask requires explicit mask")
    return _mask_of(input, mask)


def _output_mask(op, input, *args, **kwargs):
    """Return a mask of the results of a function that depend on at least one unmasked element."""
    name = getattr(op, "__name__", None)
    if name in _NORMALIZATIONS:
        return _input_mask(input, *args, **kwargs)
    if name not in _REDUCTIONS:
        raise ValueError(f"_output_mask expected masked operation (got {op!r})")
    if name == "norm":
        args = args[1:]
    dim = args[0] if args else kwargs.get("dim")
    mask = _input_mask(input, *args, **kwargs)
    dims = _dims(dim, input.dim())
    return _rows.any(mask, dims, builtins.bool(kwargs.get("keepdim", False)))


_NORMALIZATIONS = ("softmax", "log_softmax", "softmin", "normalize", "cumsum", "cumprod")
_REDUCTIONS = (
    "sum", "prod", "amax", "amin", "argmax", "argmin", "mean", "median", "norm", "var", "std", "logsumexp",
)  # fmt: skip


def _filled(input, mask, value):
    """Replace elements of the input by `value` where the mask is false."""
    if mask is None:
        return input
    mask = _mask_of(input, mask)
    return _rows.where(mask, input, _tensor(value, dtype=input.dtype, device=input.device))


def _is_inexact(dtype):
    return dtype.is_floating_point or dtype.is_complex


def _without_extreme(name, input, mask):
    """Fill masked-out elements with the identity of a minimum or maximum."""
    if mask is None:
        return input
    dtype, smallest = input.dtype, name in ("amin", "argmin")
    if dtype.is_floating_point or (dtype.is_complex and name == "logsumexp"):
        return _filled(input, mask, math.inf if smallest else -math.inf)
    if dtype == _DTYPES["bool"]:
        raise NotImplementedError(f"identity of {name} on {dtype} input")
    from minitorch.tensors.type_info import iinfo

    return _filled(input, mask, iinfo(dtype).max if smallest else iinfo(dtype).min)


def _wide(input, dtype):
    """Return the dtype of a sum: int64 for bools and integers unless `dtype` is given."""
    if dtype is not None:
        return dtype
    return input.dtype if _is_inexact(input.dtype) else _INT64


# --------------------------------------------------------------------------------------------------
# Reductions
# --------------------------------------------------------------------------------------------------


def sum(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Return the sum, or 0 where no element remains.

    Parameters
    ----------
    input : Tensor
        Any shape and dtype.
    dim : int or tuple of int, optional
        The dimensions to reduce; all by default.
    keepdim : bool, default False
        Keep the reduced dimensions with size 1.
    dtype : dtype, optional
        The dtype of the result.
    mask : Tensor, optional
        A bool tensor that broadcasts to `input`, true for the elements to include; by default all.

    Returns
    -------
    Tensor
        The shape of `input` without the reduced dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor([[1, 2], [3, 4]])
    >>> torch.masked.sum(x, 1, mask=torch.tensor([[True, True], [True, False]]))
    tensor([3, 3])
    """
    dtype = _wide(input, dtype)
    dims = _dims(dim, input.dim())
    return _rows.sum(_filled(input, mask, 0), dims, builtins.bool(keepdim), dtype=dtype)


def prod(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Return the product, or 1 where no element remains.

    Parameters
    ----------
    input : Tensor
        Any shape and dtype.
    dim : int or tuple of int, optional
        The dimensions to reduce; all by default.
    keepdim : bool, default False
        Keep the reduced dimensions with size 1.
    dtype : dtype, optional
        The dtype of the result.
    mask : Tensor, optional
        A bool tensor that broadcasts to `input`, true for the elements to include; by default all.

    Returns
    -------
    Tensor
        The shape of `input` without the reduced dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> mask = torch.tensor([[True, True], [True, False]])
    >>> torch.masked.prod(x, 1, mask=mask)
    tensor([2., 3.])
    """
    dtype = _wide(input, dtype)
    result = _filled(input, mask, 1)
    for d in reversed(_dims(dim, input.dim())):
        result = result.prod(d, builtins.bool(keepdim))
    return result.to(dtype)


def cumsum(input, dim, *, dtype=None, mask=None):
    """Return the cumulative sum along a dimension.

    Parameters
    ----------
    input : Tensor
        Any shape and dtype.
    dim : int
        The dimension.
    dtype : dtype, optional
        The dtype of the result.
    mask : Tensor, optional
        A bool tensor that broadcasts to `input`, true for the elements to include; by default all.

    Returns
    -------
    Tensor
        The shape of `input`.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> mask = torch.tensor([[True, True], [True, False]])
    >>> torch.masked.cumsum(x, 1, mask=mask)
    tensor([[1., 3.],
            [3., 3.]])
    """
    dim = _dims(dim, input.dim())[0]
    return _rows.cumsum(_filled(input, mask, 0), dim, dtype=dtype or input.dtype)


def cumprod(input, dim, *, dtype=None, mask=None):
    """Return the cumulative product along a dimension.

    Parameters
    ----------
    input : Tensor
        Any shape and dtype.
    dim : int
        The dimension.
    dtype : dtype, optional
        The dtype of the result.
    mask : Tensor, optional
        A bool tensor that broadcasts to `input`, true for the elements to include; by default all.

    Returns
    -------
    Tensor
        The shape of `input`.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> mask = torch.tensor([[True, True], [True, False]])
    >>> torch.masked.cumprod(x, 1, mask=mask)
    tensor([[1., 2.],
            [3., 3.]])
    """
    dim = _dims(dim, input.dim())[0]
    return _rows.cumprod(_filled(input, mask, 1), dim, dtype=dtype or input.dtype)


def amax(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Return the maximum, or the smallest value of the dtype where no element remains.

    Parameters
    ----------
    input : Tensor
        Any shape and dtype.
    dim : int or tuple of int, optional
        The dimensions to reduce; all by default.
    keepdim : bool, default False
        Keep the reduced dimensions with size 1.
    dtype : dtype, optional
        The dtype of the result.
    mask : Tensor, optional
        A bool tensor that broadcasts to `input`, true for the elements to include; by default all.

    Returns
    -------
    Tensor
        The shape of `input` without the reduced dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> mask = torch.tensor([[True, True], [True, False]])
    >>> torch.masked.amax(x, 1, mask=mask)
    tensor([2., 3.])
    """
    x = _without_extreme("amax", input, mask)
    return _rows.amax(x, _dims(dim, input.dim()), builtins.bool(keepdim)).to(dtype or input.dtype)


def amin(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Return the minimum, or the largest value of the dtype where no element remains.

    Parameters
    ----------
    input : Tensor
        Any shape and dtype.
    dim : int or tuple of int, optional
        The dimensions to reduce; all by default.
    keepdim : bool, default False
        Keep the reduced dimensions with size 1.
    dtype : dtype, optional
        The dtype of the result.
    mask : Tensor, optional
        A bool tensor that broadcasts to `input`, true for the elements to include; by default all.

    Returns
    -------
    Tensor
        The shape of `input` without the reduced dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> mask = torch.tensor([[True, True], [True, False]])
    >>> torch.masked.amin(x, 1, mask=mask)
    tensor([1., 3.])
    """
    x = _without_extreme("amin", input, mask)
    return _rows.amin(x, _dims(dim, input.dim()), builtins.bool(keepdim)).to(dtype or input.dtype)


def argmax(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Return the index of the maximum.

    Parameters
    ----------
    input : Tensor
        Any shape and real dtype.
    dim : int, optional
        The dimension; by default the input is flattened.
    keepdim : bool, default False
        Keep the reduced dimensions with size 1.
    dtype : dtype, optional
        The dtype of the result.
    mask : Tensor, optional
        A bool tensor that broadcasts to `input`, true for the elements to include; by default all.

    Returns
    -------
    Tensor
        The indices, in the dtype of `input` unless `dtype` is given.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> mask = torch.tensor([[True, True], [True, False]])
    >>> torch.masked.argmax(x, 1, mask=mask)
    tensor([1., 0.])
    """
    x = _without_extreme("argmax", input, mask)
    return _rows.argmax(x, dim, builtins.bool(keepdim)).to(input.dtype if dtype is None else dtype)


def argmin(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Return the index of the minimum.

    Parameters
    ----------
    input : Tensor
        Any shape and real dtype.
    dim : int, optional
        The dimension; by default the input is flattened.
    keepdim : bool, default False
        Keep the reduced dimensions with size 1.
    dtype : dtype, optional
        The dtype of the result.
    mask : Tensor, optional
        A bool tensor that broadcasts to `input`, true for the elements to include; by default all.

    Returns
    -------
    Tensor
        The indices, in the dtype of `input` unless `dtype` is given.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> mask = torch.tensor([[True, True], [True, False]])
    >>> torch.masked.argmin(x, 1, mask=mask)
    tensor([0., 0.])
    """
    x = _without_extreme("argmin", input, mask)
    return _rows.argmin(x, dim, builtins.bool(keepdim)).to(input.dtype if dtype is None else dtype)


def logsumexp(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Return the logarithm of the sum of exponentials.

    Parameters
    ----------
    input : Tensor
        Any shape and floating-point dtype.
    dim : int or tuple of int, optional
        The dimensions to reduce; all by default.
    keepdim : bool, default False
        Keep the reduced dimensions with size 1.
    dtype : dtype, optional
        The dtype of the result.
    mask : Tensor, optional
        A bool tensor that broadcasts to `input`, true for the elements to include; by default all.

    Returns
    -------
    Tensor
        The shape of `input` without the reduced dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> mask = torch.tensor([[True, True], [True, False]])
    >>> torch.masked.logsumexp(x, 1, mask=mask)
    tensor([2.3133, 3.0000])
    """
    x = _without_extreme("logsumexp", input, mask)
    result = _rows.logsumexp(x, _dims(dim, input.dim()), builtins.bool(keepdim))
    return result.to(input.dtype if dtype is None else dtype)


def logaddexp(input, other, *, dtype=None, input_mask=None, other_mask=None):
    """Return the logarithm of the sum of two exponentials, with masked-out ones as 0.

    Parameters
    ----------
    input, other : Tensor
        Floating-point tensors whose shapes broadcast.
    dtype : dtype, optional
        The dtype of the result.
    input_mask, other_mask : Tensor, optional
        Bool tensors that broadcast to `input` and `other`, true for the elements to include; by
        default all.

    Returns
    -------
    Tensor
        The broadcast shape.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor([1.0, 2.0])
    >>> torch.masked.logaddexp(x, x, other_mask=torch.tensor([True, False]))
    tensor([1.6931, 2.0000])
    """
    if input.is_complex() and (input_mask is not None or other_mask is not None):
        raise TypeError(
            "torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo' "
        )
    x = _filled(input, input_mask, -math.inf)
    y = _filled(other, other_mask, -math.inf)
    return _rows.logaddexp(x, y).to(input.dtype if dtype is None else dtype)


def norm(input, ord=2.0, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Return the vector norm.

    Parameters
    ----------
    input : Tensor
        Any shape and floating-point or complex dtype.
    ord : float, default 2.0
        The order of the norm.
    dim : int or tuple of int, optional
        The dimensions to reduce; all by default.
    keepdim : bool, default False
        Keep the reduced dimensions with size 1.
    dtype : dtype, optional
        The dtype of the result.
    mask : Tensor, optional
        A bool tensor that broadcasts to `input`, true for the elements to include; by default all.

    Returns
    -------
    Tensor
        The shape of `input` without the reduced dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> mask = torch.tensor([[True, True], [True, False]])
    >>> torch.masked.norm(x, 2, 1, mask=mask)
    tensor([2.2361, 3.0000])
    """
    dtype = input.dtype if dtype is None else dtype
    x = _filled(input, mask, math.inf if ord == -math.inf else 0)
    dims = _dims(dim, input.dim())
    return _rows.linalg_vector_norm(x, ord, dims, builtins.bool(keepdim), dtype=dtype)


def _counted(input, dim, keepdim, mask):
    """Return the number of remaining elements and the broadcast mask."""
    if mask is None:
        whole = ones(input.shape, dtype=_INT64, device=input.device)
        return sum(whole, dim, keepdim=keepdim), None
    mask = _mask_of(input, mask)
    return mask.sum(dim=dim, keepdim=builtins.bool(keepdim)), mask


def mean(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Return the mean of the remaining elements, or nan if there are none.

    Parameters
    ----------
    input : Tensor
        Any shape and floating-point or complex dtype.
    dim : int or tuple of int, optional
        The dimensions to reduce; all by default.
    keepdim : bool, default False
        Keep the reduced dimensions with size 1.
    dtype : dtype, optional
        The dtype of the result.
    mask : Tensor, optional
        A bool tensor that broadcasts to `input`, true for the elements to include; by default all.

    Returns
    -------
    Tensor
        The shape of `input` without the reduced dimensions.

    Raises
    ------
    ValueError
        If the dtype of the result is not floating-point or complex.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> mask = torch.tensor([[True, True], [True, False]])
    >>> torch.masked.mean(x, 1, mask=mask)
    tensor([1.5000, 3.0000])
    """
    result_dtype = input.dtype if dtype is None else dtype
    if not _is_inexact(result_dtype):
        source = "Input" if dtype is None else "Optional"
        raise ValueError(
            "mean(): Could not infer output dtype. "
            f"{source} dtype must be either a floating point or complex dtype. Got: {result_dtype}"
        )
    count, mask = _counted(input, dim, keepdim, mask)
    return sum(input, dim, keepdim=keepdim, dtype=result_dtype, mask=mask) / count


def median(input, dim=-1, *, keepdim=False, dtype=None, mask=None):
    """Return the lower median of the remaining elements.

    Parameters
    ----------
    input : Tensor
        Any shape and real dtype.
    dim : int, default -1
        The dimension to reduce.
    keepdim : bool, default False
        Keep the reduced dimensions with size 1.
    dtype : dtype, optional
        The dtype of the result.
    mask : Tensor, optional
        A bool tensor that broadcasts to `input`, true for the elements to include; by default all.

    Returns
    -------
    Tensor
        The shape of `input` without the reduced dimensions.

    Raises
    ------
    ValueError
        If the input is not floating-point and no element of a row remains.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> mask = torch.tensor([[True, True], [True, False]])
    >>> torch.masked.median(x, 1, mask=mask)
    tensor([1., 3.])
    """
    dtype = input.dtype if dtype is None else dtype
    dim = _dims(dim, input.dim())[0]
    inexact = _is_inexact(input.dtype)
    x = input if inexact else input.to(_DTYPES["float32"])
    result = _rows.nanmedian(_filled(x, mask, math.nan), dim, builtins.bool(keepdim)).values
    if inexact:
        return result
    if result.isnan().any():
        raise ValueError(
            "masked median expects no fully masked out rows if dtype is not floating point"
        )
    return result.to(dtype)


def _variance(input, dim, unbiased, correction, keepdim, dtype, mask):
    if unbiased is not None and correction is not None:
        raise AssertionError("Only one of unbiased and correction may be given")
    correction = (1 if unbiased in (None, True) else 0) if correction is None else correction
    dtype = input.dtype if dtype is None else dtype
    if not _is_inexact(dtype):
        dtype = _DTYPES["float32"]
    count, mask = _counted(input, dim, True, mask)
    x = input - sum(input, dim, keepdim=True, dtype=dtype, mask=mask) / count
    squares = sum(x * x.conj(), dim, keepdim=keepdim, dtype=dtype, mask=mask)
    if not keepdim:
        count = count.reshape(squares.shape)
    if correction:
        count = count.to(dtype.to_real()) - builtins.float(correction)
        count = _rows.maximum(count, count.new_zeros(()))
    return (squares / count).to(dtype)


def var(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None):
    """Return the variance of the remaining elements.

    Parameters
    ----------
    input : Tensor
        Any shape and dtype.
    dim : int or tuple of int, optional
        The dimensions to reduce; all by default.
    unbiased : bool, optional
        True, the default, stands for a `correction` of 1, False for 0.
    correction : int or float, optional
        What is subtracted from the number of elements.
    keepdim : bool, default False
        Keep the reduced dimensions with size 1.
    dtype : dtype, optional
        The dtype of the result.
    mask : Tensor, optional
        A bool tensor that broadcasts to `input`, true for the elements to include; by default all.

    Returns
    -------
    Tensor
        The shape of `input` without the reduced dimensions; float32 for integers.

    Raises
    ------
    AssertionError
        If both `unbiased` and `correction` are given.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> mask = torch.tensor([[True, True], [True, False]])
    >>> torch.masked.var(x, 1, unbiased=False, mask=mask)
    tensor([0.2500, 0.0000])
    """
    return _variance(input, dim, unbiased, correction, keepdim, dtype, mask)


def std(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None):
    """Return the standard deviation of the remaining elements.

    Parameters
    ----------
    input : Tensor
        Any shape and dtype.
    dim : int or tuple of int, optional
        The dimensions to reduce; all by default.
    unbiased : bool, optional
        True, the default, stands for a `correction` of 1, False for 0.
    correction : int or float, optional
        What is subtracted from the number of elements.
    keepdim : bool, default False
        Keep the reduced dimensions with size 1.
    dtype : dtype, optional
        The dtype of the result.
    mask : Tensor, optional
        A bool tensor that broadcasts to `input`, true for the elements to include; by default all.

    Returns
    -------
    Tensor
        The shape of `input` without the reduced dimensions; float32 for integers.

    Raises
    ------
    AssertionError
        If both `unbiased` and `correction` are given.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> mask = torch.tensor([[True, True], [True, False]])
    >>> torch.masked.std(x, 1, unbiased=False, mask=mask)
    tensor([0.5000, 0.0000])
    """
    return _variance(input, dim, unbiased, correction, keepdim, dtype, mask).sqrt()


# --------------------------------------------------------------------------------------------------
# Normalisations
# --------------------------------------------------------------------------------------------------


def softmax(input, dim, *, dtype=None, mask=None):
    """Return the softmax, with 0 for masked-out elements.

    Parameters
    ----------
    input : Tensor
        Any shape and floating-point dtype.
    dim : int
        The dimension.
    dtype : dtype, optional
        The dtype of the result.
    mask : Tensor, optional
        A bool tensor that broadcasts to `input`, true for the elements to include; by default all.

    Returns
    -------
    Tensor
        The shape of `input`.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> mask = torch.tensor([[True, True], [True, False]])
    >>> torch.masked.softmax(x, 1, mask=mask)
    tensor([[0.2689, 0.7311],
            [1.0000, 0.0000]])
    """
    dim = _dims(dim, input.dim())[0]
    x = _without_extreme("amax", input, mask)
    return _rows.softmax(x, dim, dtype=dtype)


def log_softmax(input, dim, *, dtype=None, mask=None):
    """Return the logarithm of `softmax`.

    Parameters
    ----------
    input : Tensor
        Any shape and floating-point dtype.
    dim : int
        The dimension.
    dtype : dtype, optional
        The dtype of the result.
    mask : Tensor, optional
        A bool tensor that broadcasts to `input`, true for the elements to include; by default all.

    Returns
    -------
    Tensor
        The shape of `input`.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> mask = torch.tensor([[True, True], [True, False]])
    >>> torch.masked.log_softmax(x, 1, mask=mask)
    tensor([[-1.3133, -0.3133],
            [ 0.0000,    -inf]])
    """
    dim = _dims(dim, input.dim())[0]
    x = _without_extreme("amax", input, mask)
    return _rows.log_softmax(x, dim, dtype=dtype)


def softmin(input, dim, *, dtype=None, mask=None):
    """Return the softmax of the negated input.

    Parameters
    ----------
    input : Tensor
        Any shape and floating-point dtype.
    dim : int
        The dimension.
    dtype : dtype, optional
        The dtype of the result.
    mask : Tensor, optional
        A bool tensor that broadcasts to `input`, true for the elements to include; by default all.

    Returns
    -------
    Tensor
        The shape of `input`.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> mask = torch.tensor([[True, True], [True, False]])
    >>> torch.masked.softmin(x, 1, mask=mask)
    tensor([[0.7311, 0.2689],
            [1.0000, 0.0000]])
    """
    dim = _dims(dim, input.dim())[0]
    x = _without_extreme("amin", input, mask)
    return _rows.softmax(-x, dim, dtype=dtype)


def normalize(input, ord, dim, *, eps=1e-12, dtype=None, mask=None):
    """Divide the remaining elements by their norm, or by `eps` if it is larger.

    Parameters
    ----------
    input : Tensor
        Any shape and floating-point or complex dtype.
    ord : float
        The order of the norm.
    dim : int
        The dimension.
    eps : float, default 1e-12
        The smallest divisor.
    dtype : dtype, optional
        The dtype of the result.
    mask : Tensor, optional
        A bool tensor that broadcasts to `input`, true for the elements to include; by default all.

    Returns
    -------
    Tensor
        The shape of `input`.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> mask = torch.tensor([[True, True], [True, False]])
    >>> torch.masked.normalize(x, 1, 1, mask=mask)
    tensor([[0.3333, 0.6667],
            [1.0000, 0.0000]])
    """
    dtype = input.dtype if dtype is None else dtype
    length = norm(input, ord, dim, keepdim=True, dtype=dtype, mask=mask)
    return _filled(input, mask, 0) / _rows.maximum(length, length.new_full((), eps))
