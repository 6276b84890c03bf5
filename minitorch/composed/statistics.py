"""Statistics, window functions and distinct values, composed of operators."""

import math
import warnings

from minitorch._tensor import Tensor
from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.autograd.functions.creation import arange, full_like, ones, scalar_tensor
from minitorch.autograd.functions.from_data import tensor
from minitorch.autograd.functions.namespace import result_type
from minitorch.autograd.functions.python_signatures import parsed_as
from minitorch.autograd.python_dispatch import asked, one_operator
from minitorch.autograd.special import special_of
from minitorch.composed.broadcasting import broadcast_tensors
from minitorch.composed.comparisons import equal
from minitorch.core.dtype import _dtypes, _get_default_dtype
from minitorch.core.tensor_impl import maybe_wrap_dim
from minitorch.core.types import strided as _strided
from minitorch.tensors.vmap_values import all_samples

__all__ = [
    "bartlett_window",
    "blackman_window",
    "corrcoef",
    "cov",
    "hamming_window",
    "hann_window",
    "kaiser_window",
    "isin",
    "nanmean",
    "nanquantile",
    "quantile",
    "std_mean",
    "unique",
    "unique_consecutive",
    "var_mean",
]


def std_mean(input, dim=None, unbiased=None, keepdim=False, *, correction=None):
    """Return the standard deviation and the mean, with the arguments of `std`."""
    return tuple(_rows.std_mean(input, **_moments_of(dim, unbiased, correction), keepdim=keepdim))


def var_mean(input, dim=None, unbiased=None, keepdim=False, *, correction=None):
    """Return the variance and the mean, with the arguments of `var`."""
    return tuple(_rows.var_mean(input, **_moments_of(dim, unbiased, correction), keepdim=keepdim))


def _moments_of(dim, unbiased, correction):
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if unbiased is not None:
        correction = int(unbiased)
    return {"dim": dim, "correction": correction}


def nanmean(input, dim=None, keepdim=False, *, dtype=None):
    """Return the mean of the elements that are not nan.

    Parameters
    ----------
    input : Tensor
        Any shape, and a floating-point or complex dtype.
    dim : int or tuple of int, optional
        The dimensions to reduce; by default all.
    keepdim : bool, default False
        Keep these dimensions, of size 1.
    dtype : dtype, optional
        Convert the input to this dtype first.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        The shape of `input` without `dim`; nan where all elements are.

    Raises
    ------
    RuntimeError
        If the dtype is an integer one.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nanmean(torch.tensor([1.0, 3.0, float("nan")]))
    tensor(2.)
    """
    if not (input.is_floating_point() or input.is_complex()):
        raise RuntimeError(
            "nanmean(): expected input to have floating point or complex dtype but got "
            f"{input.dtype._class_name}"
        )
    if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
        raise RuntimeError(
            "nanmean(): could not infer output dtype. Optional dtype must be either a floating point or "
            f"complex dtype. Got: {dtype._class_name}"
        )
    values = input.detach()
    count = (values != values).logical_not_().sum(dim, keepdim)  # isnan, also for integers
    return _rows.nansum(input, dim, keepdim, dtype=dtype) / count


def cov(input, *, correction=1, fweights=None, aweights=None):
    """Return the covariance matrix of variables.

    Parameters
    ----------
    input : Tensor
        A row for each variable and a column for each observation, or a vector.
    correction : int, default 1
        The divisor is the number of observations minus this number.
    fweights : Tensor, optional
        How often each observation was made: integers of the shape ``(observations,)``.
    aweights : Tensor, optional
        The weight of each observation, of the same shape.

    Returns
    -------
    Tensor
        The shape ``(n, n)``, or ``()`` for a vector.

    Raises
    ------
    RuntimeError
        If the input has more than two dimensions, or a weight is negative or of a wrong shape or dtype.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.cov(torch.tensor([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]))
    tensor([[ 1., -1.],
            [-1.,  1.]])
    """
    if input.dim() > 2:
        raise RuntimeError(
            "cov(): expected input to have two or fewer dimensions but got an input with "
            f"{input.dim()} dimensions"
        )
    if input.dtype == _dtypes()["bool"]:
        raise RuntimeError("cov(): bool dtype is not supported for input")
    x = input.view(1, -1) if input.dim() < 2 else input
    n = x.size(1)
    _check_weights("fweights", fweights, n, "integral")
    _check_weights("aweights", aweights, n, "floating point")
    weights = None
    for given in (fweights, aweights):
        if given is not None:
            weights = given if weights is None else weights * given
    if weights is None:
        total = _count(n, x)
        mean = x.sum(1) / total
        factor = _count(n - correction, x)
    else:
        total = weights.sum()
        if not _is_true(total != 0):
            raise RuntimeError("cov(): weights sum to zero, can't be normalized")
        mean = (x * weights).sum(1) / total
        factor = total
        if aweights is not None and correction:
            squares = (weights * aweights).sum()
            factor = total - _rows._mul_scalar(squares, correction) / total
        elif correction:
            factor = _rows._sub_scalar(total, correction)
    if _is_true(factor <= 0):
        factor.zero_()
        warnings.warn(
            "cov(): degrees of freedom is <= 0. Correction should be strictly less than the number of "
            "observations.",
            UserWarning,
            stacklevel=2,
        )
    centred = x - mean.unsqueeze(1)
    weighted = centred if weights is None else centred * weights
    other = centred.t()
    result = weighted.mm(other.conj() if centred.is_complex() else other) / factor
    return result.squeeze()


def _count(n, x):
    return scalar_tensor(n, dtype=_dtypes()["int64"], layout=_strided, device=x.device)


def _is_true(t):
    """Return whether a 0-d tensor is true, by calling `equal` as PyTorch does, which modes see."""
    return equal(t, t.new_ones((), dtype=t.dtype, layout=t.layout, device=t.device))


def _check_weights(name, weights, count, kind):
    if weights is None:
        return
    if weights.dim() > 1:
        raise RuntimeError(
            f"cov(): expected {name} to have one or fewer dimensions but got {name} with "
            f"{weights.dim()} dimensions"
        )
    floating = weights.is_floating_point()
    if (floating or weights.is_complex()) if kind == "integral" else not floating:
        raise RuntimeError(
            f"cov(): expected {name} to have {kind} dtype but got {name} with "
            f"{weights.dtype._class_name} dtype"
        )
    if weights.numel() != count:
        raise RuntimeError(
            f"cov(): expected {name} to have the same numel as there are observations in the input "
            f"but got {weights.numel()} != {count}"
        )
    if count and not _is_true(weights.min() >= 0):
        raise RuntimeError(f"cov(): {name} cannot be negative")


def corrcoef(input):
    """Return the matrix of the correlation coefficients of variables.

    Parameters
    ----------
    input : Tensor
        A row for each variable and a column for each observation, or a vector.

    Returns
    -------
    Tensor
        The shape ``(n, n)``, or ``()`` for a vector; the elements are between -1 and 1.

    Raises
    ------
    RuntimeError
        If the input has more than two dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.corrcoef(torch.tensor([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]))
    tensor([[ 1., -1.],
            [-1.,  1.]])
    """
    if input.dim() > 2:
        raise RuntimeError(
            "corrcoef(): expected input to have two or fewer dimensions but got an input with "
            f"{input.dim()} dimensions"
        )
    c = cov(input)
    if c.dim() == 0:
        return c / c
    deviation = c.diagonal().sqrt()
    if deviation.is_complex():
        deviation = deviation.real
    result = c / deviation.view(-1, 1) / deviation.view(1, -1)
    return result if result.is_complex() else result.clip(-1, 1)


_INTERPOLATIONS = ("linear", "lower", "higher", "midpoint", "nearest")


def quantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    """Return the quantiles of the elements along a dimension.

    Where an element is nan, the result is nan.

    Parameters
    ----------
    input : Tensor
        Any shape, float32 or float64.
    q : float or Tensor
        Numbers between 0 and 1, of the dtype of `input`.
    dim : int, optional
        The dimension to reduce; by default the input is flattened.
    keepdim : bool, default False
        Keep `dim`, of size 1.
    interpolation : {"linear", "lower", "higher", "midpoint", "nearest"}, default "linear"
        What to return between two elements.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        The shape of `q`, followed by that of `input` without `dim`.

    Raises
    ------
    RuntimeError
        If a number is outside of [0, 1], the dtypes differ or `input` is empty.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.quantile(torch.tensor([0.0, 1.0, 2.0, 3.0]), 0.5)
    tensor(1.5000)
    """
    return _quantile(input, q, dim, keepdim, interpolation, False)


def nanquantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    """Return the quantiles of the elements that are not nan.

    Parameters
    ----------
    input : Tensor
        Any shape, float32 or float64.
    q : float or Tensor
        Numbers between 0 and 1, of the dtype of `input`.
    dim : int, optional
        The dimension to reduce; by default the input is flattened.
    keepdim : bool, default False
        Keep `dim`, of size 1.
    interpolation : {"linear", "lower", "higher", "midpoint", "nearest"}, default "linear"
        What to return between two elements.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        The shape of `q`, followed by that of `input` without `dim`.

    Raises
    ------
    RuntimeError
        If a number is outside of [0, 1], the dtypes differ or `input` is empty.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nanquantile(torch.tensor([0.0, 2.0, float("nan")]), 0.5)
    tensor(1.)
    """
    return _quantile(input, q, dim, keepdim, interpolation, True)


def _quantile(input, q, dim, keepdim, interpolation, ignore_nan):
    # as in PyTorch, messages about nanquantile also say quantile
    number = not isinstance(q, Tensor)
    if number and not 0 <= q <= 1:
        raise RuntimeError(f"quantile() q must be in the range [0, 1] but got {q:g}")
    if interpolation not in _INTERPOLATIONS:
        raise RuntimeError(
            "quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but "
            f"got {interpolation}"
        )
    if input.numel() == 0:
        raise RuntimeError("quantile() input tensor must be non-empty")
    if not number and q.dim() > 1:
        raise RuntimeError("quantile() q must be a scalar or 1D tensor")
    if repr(input.dtype) not in ("torch.float32", "torch.float64"):
        raise RuntimeError("quantile() input tensor must be either float or double dtype")
    if number:
        q = scalar_tensor(q, dtype=input.dtype, layout=_strided, device=input.device)
    in_range = number or q.is_meta or asked(q)
    if q.dtype != input.dtype:
        raise RuntimeError("quantile() q tensor must be same dtype as the input tensor")
    if dim is not None:
        maybe_wrap_dim(dim, input.dim())
    if not in_range:
        every = all_samples(q)[0]
        if not _is_true((every >= 0).logical_and_(every <= 1).all()):
            raise RuntimeError("quantile() q values must be in the range [0, 1]")
    values = _sorted_last(input, dim, keepdim)
    ranks = _ranks(values, q, ignore_nan)
    if interpolation in ("lower", "higher", "nearest"):
        rounded = {"lower": ranks.floor_, "higher": ranks.ceil_, "nearest": ranks.round_}
        rounded[interpolation]()
    below = ranks.long()
    result = values.gather(-1, below)
    if interpolation in ("linear", "midpoint"):
        weight = full_like(ranks, 0.5) if interpolation == "midpoint" else ranks - below
        result.lerp_(values.gather(-1, ranks.ceil_().long()), weight)
    if q.dim() == 0:
        return result.squeeze_(-1)
    return result.unsqueeze_(0).transpose_(0, -1).squeeze_(-1)


def _sorted_last(input, dim, keepdim):
    """Sort the elements of each quantile along a new last dimension."""
    shape = [1] * input.dim() if keepdim else []
    if dim is None:
        values = input.flatten()
    else:
        dim = dim % max(input.dim(), 1)
        shape = list(input.shape)
        if shape:
            shape[dim : dim + 1] = [1] if keepdim else []
        is_last = dim == input.dim() - 1
        values = input if is_last else input.unsqueeze(-1).transpose(dim, -1)
    values = values.sort(-1)[0]
    return values.view(*shape, values.size(-1))


def _ranks(values, q, ignore_nan):
    """Return the fractional positions of the fractions `q` among the sorted values."""
    if ignore_nan:
        counts = values.isnan().logical_not_().sum(-1, keepdim=True)
        ranks = q * _rows._sub_scalar(counts, 1)
        return ranks.masked_fill_(ranks < 0, 0)
    last = values.size(-1) - 1
    ranks = _rows._mul_scalar(q, last)
    ranks, missing = broadcast_tensors(ranks, values.isnan().any(-1, keepdim=True))
    return ranks.masked_fill(missing, last)


@one_operator
def isin(elements, test_elements, *, assume_unique=False, invert=False):
    """Test which elements occur among others.

    Parameters
    ----------
    elements : Tensor or number
        Any shape.
    test_elements : Tensor or number
        What to look for.
    assume_unique : bool, default False
        Both contain no element twice, which may be faster.
    invert : bool, default False
        Test which do not occur.

    Returns
    -------
    Tensor
        bool, of the shape of `elements`.

    Raises
    ------
    TypeError
        If both are numbers.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.isin(torch.tensor([1, 2, 3]), torch.tensor([1, 3]))
    tensor([ True, False,  True])
    """
    if not isinstance(elements, Tensor):
        elements = tensor(elements)
    if not isinstance(test_elements, Tensor):
        test_elements = tensor(test_elements)
    for t in (elements, test_elements):
        if t.dtype._class_name in ("Bool", "ComplexFloat", "ComplexDouble"):
            raise RuntimeError(
                f"Unsupported input type encountered for isin(): {t.dtype._class_name}"
            )
    if elements.numel() == 0:
        return elements.new_empty(elements.shape, dtype=_dtypes()["bool"])
    common = result_type(elements, test_elements)
    # PyTorch also sorts `test_elements` from this number on; wrapped tensors are compared pairwise
    few = elements.is_meta or test_elements.numel() < int(10 * elements.numel() ** 0.145)
    if few and common._class_name in _WITHOUT_ISIN:
        raise NotImplementedError(
            f"\"isin_default_cpu\" not implemented for '{common._class_name}'"
        )
    elsewhere = any(special_of(t) is not None for t in (elements, test_elements))
    if few or elsewhere or common._class_name.startswith("UInt"):
        found = (elements.unsqueeze(-1) == test_elements.flatten()).any(-1)
    else:
        found = _looked_up(elements.detach().to(common), test_elements.detach().to(common))
    return found.logical_not() if invert else found


def _looked_up(elements, others):
    """Search each element in the sorted `others` and compare it with the element found there."""
    if others.is_floating_point():
        others = others[others == others]  # NaN equals no element, and breaks the binary search
    if others.numel() == 0:
        return elements.new_zeros(elements.shape, dtype=_dtypes()["bool"])
    others = _unique2(others, sorted=True, return_inverse=False, return_counts=False)[0]
    places = _rows.searchsorted(others, elements.contiguous()).clamp_(max=others.numel() - 1)
    return others[places] == elements


_WITHOUT_ISIN = {"UInt16", "UInt32", "UInt64", "ComplexHalf", "ComplexFloat", "ComplexDouble"} | {
    d._class_name for name, d in _dtypes().items() if name.startswith("float8")
}


# ---- distinct values


def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """Return the different elements of a tensor.

    Parameters
    ----------
    input : Tensor
        Any shape.
    sorted : bool, default True
        Has no effect: the result is always sorted.
    return_inverse : bool, default False
        Return the index in the result for each element as well.
    return_counts : bool, default False
        Return how often each occurs as well.
    dim : int, optional
        Compare the slices along this dimension; by default the input is flattened.

    Returns
    -------
    Tensor, or tuple of Tensor
        The elements or slices, then the indices (int64) and the counts (int64), if they are wanted.

    Raises
    ------
    IndexError
        If there is no dimension `dim`.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.unique(torch.tensor([3, 1, 3]), return_counts=True)
    (tensor([1, 3]), tensor([1, 2]))
    """
    if dim is None:
        result = _unique2(
            input, sorted=sorted, return_inverse=return_inverse, return_counts=return_counts
        )
    else:
        result = _unique_dim(
            input, dim, sorted=sorted, return_inverse=return_inverse, return_counts=return_counts
        )
    return _wanted(result, return_inverse, return_counts)


def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    """Drop elements that equal the one before.

    Parameters
    ----------
    input : Tensor
        Any shape.
    return_inverse : bool, default False
        Return the index in the result for each element as well.
    return_counts : bool, default False
        Return how often each occurs as well.
    dim : int, optional
        Compare the slices along this dimension; by default the input is flattened.

    Returns
    -------
    Tensor, or tuple of Tensor
        The elements or slices, then the indices (int64) and the counts (int64), if they are wanted.

    Raises
    ------
    IndexError
        If there is no dimension `dim`.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.unique_consecutive(torch.tensor([1, 1, 2, 1]))
    tensor([1, 2, 1])
    """
    result = _unique_consecutive(
        input, return_inverse=return_inverse, return_counts=return_counts, dim=dim
    )
    return _wanted(result, return_inverse, return_counts)


@parsed_as("_unique")
def _unique(input, sorted=True, return_inverse=False):
    return _unique2(input, sorted, return_inverse)[:2]


@parsed_as("_unique2")
def _unique2(input, sorted=True, return_inverse=False, return_counts=False):
    return _rows._unique2(input, sorted, return_inverse, return_counts)


@parsed_as("unique_dim")
def _unique_dim(input, dim, sorted=True, return_inverse=False, return_counts=False):
    return _rows.unique_dim(input, dim, sorted, return_inverse, return_counts)


@parsed_as("unique_consecutive")
def _unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    return _rows._unique_consecutive(input, return_inverse, return_counts, dim)


def _wanted(result, return_inverse, return_counts):
    values, inverse, counts = result
    wanted = (values, *([inverse] if return_inverse else []), *([counts] if return_counts else []))
    return wanted if len(wanted) > 1 else values


# ---- windows


def _window(name, window_length, periodic, dtype, layout, device, requires_grad, values):
    if layout is not None and repr(layout) != "torch.strided":
        chosen = "float" if dtype is None else dtype._c_name
        default = " (default)" if dtype is None and name == "hann_window" else ""
        raise RuntimeError(
            f"{name} is not implemented for sparse types, got: TensorOptions(dtype={chosen}{default}, "
            "device=cpu, layout=Sparse, requires_grad=false (default), pinned_memory=false, "
            "memory_format=(nullopt))"
        )
    if window_length < 0:
        raise RuntimeError(
            f"{name} requires non-negative window_length, got window_length={window_length}"
        )
    dtype = _get_default_dtype() if dtype is None else dtype
    if not (dtype.is_floating_point or dtype.is_complex):
        raise RuntimeError(
            f"{name} expects floating point dtypes, got: TensorOptions(dtype={dtype._c_name}, "
            "device=cpu, layout=Strided (default), requires_grad=false (default), pinned_memory=false, "
            "memory_format=(nullopt))"
        )
    if window_length < 2:
        return ones(window_length, dtype=dtype, device=device, requires_grad=requires_grad)
    n = window_length + 1 if periodic else window_length
    window = values(arange(n, dtype=dtype, device=device), n)[:window_length].clone()
    return window.requires_grad_(requires_grad)


def hann_window(window_length, periodic=True, *, dtype=None, layout=None, device=None,
                pin_memory=False, requires_grad=False):  # fmt: skip
    """Return Hann's window, a raised cosine.

    Parameters
    ----------
    window_length : int
        The number of points.
    periodic : bool, default True
        One period of a periodic window, as for Fourier transforms; otherwise a symmetric window.
    dtype : dtype, optional
        A floating-point dtype; by default `torch.get_default_dtype()`.
    layout : layout, optional
    device : device, optional
    pin_memory : bool, default False
    requires_grad : bool, default False

    Returns
    -------
    Tensor
        The shape ``(window_length,)``.

    Raises
    ------
    RuntimeError
        If the length is negative or the dtype is not a floating-point one.

    References
    ----------
    F. Harris, On the use of windows for harmonic analysis with the discrete Fourier transform, 1978.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.hann_window(4)
    tensor([0.0000, 0.5000, 1.0000, 0.5000])
    """

    def values(k, n):
        return (k * (2 * math.pi / (n - 1))).cos() * -0.5 + 0.5

    return _window(
        "hann_window", window_length, periodic, dtype, layout, device, requires_grad, values
    )


def hamming_window(window_length, periodic=True, alpha=0.54, beta=0.46, *, dtype=None, layout=None,
                   device=None, pin_memory=False, requires_grad=False):  # fmt: skip
    """Return Hamming's window, ``alpha - beta * cos(2 * pi * n / (N - 1))``.

    Parameters
    ----------
    window_length : int
        The number of points.
    periodic : bool, default True
        One period of a periodic window, as for Fourier transforms; otherwise a symmetric window.
    alpha : float, default 0.54
    beta : float, default 0.46
    dtype : dtype, optional
        A floating-point dtype; by default `torch.get_default_dtype()`.
    layout : layout, optional
    device : device, optional
    pin_memory : bool, default False
    requires_grad : bool, default False

    Returns
    -------
    Tensor
        The shape ``(window_length,)``.

    Raises
    ------
    RuntimeError
        If the length is negative or the dtype is not a floating-point one.

    References
    ----------
    F. Harris, On the use of windows for harmonic analysis with the discrete Fourier transform, 1978.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.hamming_window(4)
    tensor([0.0800, 0.5400, 1.0000, 0.5400])
    """

    def values(k, n):
        return (k * (2 * math.pi / (n - 1))).cos() * -beta + alpha

    return _window(
        "hamming_window", window_length, periodic, dtype, layout, device, requires_grad, values
    )


def blackman_window(window_length, periodic=True, *, dtype=None, layout=None, device=None,
                    pin_memory=False, requires_grad=False):  # fmt: skip
    """Return Blackman's window, the sum of two cosines and a constant.

    Parameters
    ----------
    window_length : int
        The number of points.
    periodic : bool, default True
        One period of a periodic window, as for Fourier transforms; otherwise a symmetric window.
    dtype : dtype, optional
        A floating-point dtype; by default `torch.get_default_dtype()`.
    layout : layout, optional
    device : device, optional
    pin_memory : bool, default False
    requires_grad : bool, default False

    Returns
    -------
    Tensor
        The shape ``(window_length,)``.

    Raises
    ------
    RuntimeError
        If the length is negative or the dtype is not a floating-point one.

    References
    ----------
    F. Harris, On the use of windows for harmonic analysis with the discrete Fourier transform, 1978.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.blackman_window(4)
    tensor([-2.9802e-08,  3.4000e-01,  1.0000e+00,  3.4000e-01])
    """

    def values(k, n):
        k = k * (math.pi / (n - 1))
        return (k * 4).cos() * 0.08 - (k * 2).cos() * 0.5 + 0.42

    return _window(
        "blackman_window", window_length, periodic, dtype, layout, device, requires_grad, values
    )


def bartlett_window(window_length, periodic=True, *, dtype=None, layout=None, device=None,
                    pin_memory=False, requires_grad=False):  # fmt: skip
    """Return a triangle that is 0 at its ends.

    Parameters
    ----------
    window_length : int
        The number of points.
    periodic : bool, default True
        One period of a periodic window, as for Fourier transforms; otherwise a symmetric window.
    dtype : dtype, optional
        A floating-point dtype; by default `torch.get_default_dtype()`.
    layout : layout, optional
    device : device, optional
    pin_memory : bool, default False
    requires_grad : bool, default False

    Returns
    -------
    Tensor
        The shape ``(window_length,)``.

    Raises
    ------
    RuntimeError
        If the length is negative or the dtype is not a floating-point one.

    References
    ----------
    F. Harris, On the use of windows for harmonic analysis with the discrete Fourier transform, 1978.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.bartlett_window(4)
    tensor([0.0000, 0.5000, 1.0000, 0.5000])
    """

    def values(k, n):
        k = k * (2 / (n - 1))
        half = (n - 1) // 2 + 1
        return _rows.cat([k[:half], k[half:] * -1 + 2])

    return _window(
        "bartlett_window", window_length, periodic, dtype, layout, device, requires_grad, values
    )


def kaiser_window(window_length, periodic=True, beta=12.0, *, dtype=None, layout=None, device=None,
                  pin_memory=False, requires_grad=False):  # fmt: skip
    """Return Kaiser's window, ``i0(beta * sqrt(1 - x**2)) / i0(beta)`` for x from -1 to 1.

    Parameters
    ----------
    window_length : int
        The number of points.
    periodic : bool, default True
        One period of a periodic window, as for Fourier transforms; otherwise a symmetric window.
    beta : float, default 12.0
        The larger, the narrower.
    dtype : dtype, optional
        A floating-point dtype; by default `torch.get_default_dtype()`.
    layout : layout, optional
    device : device, optional
    pin_memory : bool, default False
    requires_grad : bool, default False

    Returns
    -------
    Tensor
        The shape ``(window_length,)``.

    Raises
    ------
    RuntimeError
        If the length is negative or the dtype is not a floating-point one.

    References
    ----------
    F. Harris, On the use of windows for harmonic analysis with the discrete Fourier transform, 1978.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.kaiser_window(4)
    tensor([5.2773e-05, 2.1567e-01, 1.0000e+00, 2.1567e-01])
    """

    def values(k, n):
        kind, k = k.dtype, k.float() if k.dtype.itemsize < 4 else k
        half = (n - 1) / 2
        top = _rows.i0(tensor(beta, dtype=k.dtype))
        return (_rows.i0((1 - ((k - half) / half) ** 2).sqrt() * beta) / top).to(kind)

    return _window(
        "kaiser_window", window_length, periodic, dtype, layout, device, requires_grad, values
    )
