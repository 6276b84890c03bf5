"""Power-average pooling, fractional max pooling and max unpooling."""

import math

from minitorch.autograd.by_sample import without_batching_rule
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.creation import arange
from minitorch.autograd.functions.gathered import one_node
from minitorch.autograd.functions.random import rand
from minitorch.autograd.graph_api.composite_node import as_one_composed, as_one_operator
from minitorch.autograd.python_dispatch import asked
from minitorch.core.determinism import alert_not_deterministic
from minitorch.core.dtype import _dtypes
from minitorch.core.types import channels_last
from minitorch.nn._folding import laid_out_like
from minitorch.nn._pooling import max_pool1d, max_pool2d, max_pool3d
from minitorch.nn._precision import raise_not_implemented
from minitorch.tensors.gradient_checks import reject_gradients
from minitorch.tensors.vmap_values import all_samples

_AVERAGES = {1: _ops.avg_pool1d, 2: _ops.avg_pool2d, 3: _ops.avg_pool3d}
_MAXIMA = {1: max_pool1d, 2: max_pool2d, 3: max_pool3d}


def _tuple(value, n):
    if not isinstance(value, (tuple, list)):
        return (value,) * n
    return tuple(value) * n if len(value) == 1 else tuple(value)


def _lp_pool(n, input, norm_type, kernel_size, stride, ceil_mode):
    if norm_type == math.inf:
        return _MAXIMA[n](input.abs(), kernel_size, stride, 0, 1, ceil_mode)
    if norm_type == -math.inf:
        return -_MAXIMA[n](-input.abs(), kernel_size, stride, 0, 1, ceil_mode)
    steps = () if stride is None else stride
    mean = _AVERAGES[n](input.pow(norm_type), kernel_size, steps, 0, ceil_mode)
    count = math.prod(_tuple(kernel_size, n))
    return (mean.sign() * mean.abs().relu()).mul(count).pow(1.0 / norm_type)


def lp_pool1d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """Return the p-norm of each window.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, L)`` or ``(C, L)``.
    norm_type : int or float
        The p of the norm: ``sum(x**p)**(1/p)``.
    kernel_size : int
        The size of a window.
    stride : int, optional
        The distance of the windows; by default `kernel_size`.
    ceil_mode : bool, default False
        Keep a last window that reaches over the edge.

    Returns
    -------
    Tensor
        The pooled input, of the same number of dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.lp_pool1d(torch.tensor([[3.0, 4.0]]), 2, 2)
    tensor([[5.]])
    """
    return _lp_pool(1, input, norm_type, kernel_size, stride, ceil_mode)


def lp_pool2d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """Return the p-norm of each window.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, H, W)`` or ``(C, H, W)``.
    norm_type : int or float
        The p of the norm: ``sum(x**p)**(1/p)``.
    kernel_size : int or pair of int
        The size of a window.
    stride : int or pair of int, optional
        The distance of the windows; by default `kernel_size`.
    ceil_mode : bool, default False
        Keep a last window that reaches over the edge.

    Returns
    -------
    Tensor
        The pooled input, of the same number of dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.lp_pool2d(torch.ones(1, 2, 2), 2, 2)
    tensor([[[2.]]])
    """
    return _lp_pool(2, input, norm_type, kernel_size, stride, ceil_mode)


def lp_pool3d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """Return the p-norm of each window.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, D, H, W)`` or ``(C, D, H, W)``.
    norm_type : int or float
        The p of the norm: ``sum(x**p)**(1/p)``.
    kernel_size : int or triple of int
        The size of a window.
    stride : int or triple of int, optional
        The distance of the windows; by default `kernel_size`.
    ceil_mode : bool, default False
        Keep a last window that reaches over the edge.

    Returns
    -------
    Tensor
        The pooled input, of the same number of dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.lp_pool3d(torch.ones(1, 2, 2, 1), 2, (2, 2, 1))
    tensor([[[[2.]]]])
    """
    return _lp_pool(3, input, norm_type, kernel_size, stride, ceil_mode)


def _unpooled_size(input, kernel, stride, padding, wanted):
    n = len(kernel)
    size = input.size()[-n:]
    default = [(size[d] - 1) * stride[d] + kernel[d] - 2 * padding[d] for d in range(n)]
    if wanted is None:
        return default
    if len(wanted) == n + 2:
        wanted = wanted[2:]
    if len(wanted) != n:
        raise ValueError(
            f"output_size should be a sequence containing {n} or {n + 2} elements, but it has a length "
            f"of '{len(wanted)}'"
        )
    for d in range(n):
        low, high = default[d] - stride[d], default[d] + stride[d]
        if not low < wanted[d] < high:
            raise ValueError(
                f'invalid output_size "{wanted}" (dim {d} must be between {low} and {high})'
            )
    return wanted


def _check_unpooled(n, input, indices, stride):
    """Check the shapes; a 1D input counts as an image of width 1, as in PyTorch's messages."""
    dims, column = max(n, 2), [1] * (n == 1)
    size, places = [*input.size(), *column], [*indices.size(), *column]
    if len(size) not in (dims + 1, dims + 2):
        raise RuntimeError(
            f"Input to max_unpooling{dims}d should be a {dims + 1}d or {dims + 2}d Tensor, but got a tensor "
            f"with {len(size)} dimensions."
        )
    if size != places:
        raise RuntimeError(
            f"Expected shape of indices to be same as that of the input tensor ({size}) but got indices "
            f"tensor with shape: {places}"
        )
    for d in range(1, len(size)):
        if size[d] == 0:
            raise RuntimeError(
                f"max_unpooling{dims}d_forward_out_cpu(): Expected input to have non-zero size for "
                f"non-batch dimensions, but got {size} with dimension {d} being empty."
            )
    if n == 3 and min(stride) <= 0:
        raise RuntimeError(f"strides should be greater than zero, but got stride: {list(stride)}")


def _max_unpool(n, input, indices, kernel_size, stride, padding, output_size):
    kernel, padding = _tuple(kernel_size, n), _tuple(padding, n)
    stride = kernel if stride is None else _tuple(stride, n)
    size = _unpooled_size(input, kernel, stride, padding, output_size)
    alert_not_deterministic(f"max_unpooling{max(n, 2)}d_forward_out")
    if indices.dtype != _dtypes()["int64"]:
        raise RuntimeError(
            f"elements in indices should be type int64 but got: {indices.dtype._class_name}"
        )
    _check_unpooled(n, input, indices, stride)
    if not input.is_floating_point():
        last = n < 3 and input.dim() == 4 and input.is_contiguous(memory_format=channels_last)
        raise_not_implemented(input, f"max_unpool{max(n, 2)}d" + ("_channels_last" if last else ""))
    count = math.prod(size)
    every, _ = all_samples(indices)
    if every.numel() and not asked(every):
        low, high = int(every.min()), int(every.max())
        if low < 0 or high >= count:
            sizes = "x".join(map(str, size if n > 1 else [*size, 1]))
            raise RuntimeError(
                f"Found an invalid max index: {high if high >= count else low} (output volumes are of "
                f"size {sizes})"
            )
    if n == 1:
        column = _put_back(2, input.unsqueeze(-1), indices.unsqueeze(-1), (*size, 1))
        return column.squeeze(-1)
    return _put_back(n, input, indices, size)


def _put_back(n, input, indices, size):
    rest = ([1] * n, [0] * n) if n == 3 else ()
    return as_one_operator(
        f"max_unpool{n}d",
        (input, indices, list(size), *rest),
        lambda: one_node(
            f"MaxUnpool{n}DBackward0", _scattered, (input,), (n, indices, size), indices=indices
        ),
        lambda grad, input, indices, *rest: _gathered(n, grad, input, indices),
    )


def _gathered(n, grad, input, indices):
    lead = tuple(input.size()[:-n])
    places = indices.view(*lead, -1)
    flat = grad.contiguous().view(*lead, -1)
    return flat.gather(-1, places).view(indices.size())


@without_batching_rule(lambda args, kwargs: f"aten::max_unpool{args[1]}d", composed=False)
def _scattered(input, n, indices, size):
    lead, count = tuple(input.size()[:-n]), math.prod(size)
    blank = input.new_zeros((*lead, count))
    each = math.prod(input.size()[-n:])
    filled = blank.scatter(-1, indices.reshape(*lead, each), input.reshape(*lead, each))
    filled = filled.view(*lead, *size)
    return laid_out_like(filled, input) if n == 2 and input.dim() == 4 else filled


def max_unpool1d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Put maxima back where `max_pool1d` found them, with zeros elsewhere.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, L)`` or ``(C, L)``.
    indices : Tensor
        The places that `max_pool1d` returned with `return_indices`.
    kernel_size : int
    stride : int, optional
    padding : int, default 0
        As they were given to `max_pool1d`.
    output_size : list of int, optional
        The shape of the result, if several are possible.

    Returns
    -------
    Tensor
        The shape before the pooling.

    Raises
    ------
    ValueError
        If `output_size` is not possible.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> values, places = F.max_pool1d(torch.tensor([[1.0, 3.0, 2.0, 0.0]]), 2, return_indices=True)
    >>> F.max_unpool1d(values, places, 2)
    tensor([[0., 3., 2., 0.]])
    """
    return _max_unpool(1, input, indices, kernel_size, stride, padding, output_size)


def max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Put maxima back where `max_pool2d` found them, with zeros elsewhere.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, H, W)`` or ``(C, H, W)``.
    indices : Tensor
        The places that `max_pool2d` returned with `return_indices`.
    kernel_size : int or pair of int
    stride : int or pair of int, optional
    padding : int or pair of int, default 0
        As they were given to `max_pool2d`.
    output_size : list of int, optional
        The shape of the result, if several are possible.

    Returns
    -------
    Tensor
        The shape before the pooling.

    Raises
    ------
    ValueError
        If `output_size` is not possible.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> values, places = F.max_pool2d(torch.arange(16.0).view(1, 4, 4), 2, return_indices=True)
    >>> F.max_unpool2d(values, places, 2)
    tensor([[[ 0.,  0.,  0.,  0.],
             [ 0.,  5.,  0.,  7.],
             [ 0.,  0.,  0.,  0.],
             [ 0., 13.,  0., 15.]]])
    """
    return _max_unpool(2, input, indices, kernel_size, stride, padding, output_size)


def max_unpool3d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Put maxima back where `max_pool3d` found them, with zeros elsewhere.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, D, H, W)`` or ``(C, D, H, W)``.
    indices : Tensor
        The places that `max_pool3d` returned with `return_indices`.
    kernel_size : int or triple of int
    stride : int or triple of int, optional
    padding : int or triple of int, default 0
        As they were given to `max_pool3d`.
    output_size : list of int, optional
        The shape of the result, if several are possible.

    Returns
    -------
    Tensor
        The shape before the pooling.

    Raises
    ------
    ValueError
        If `output_size` is not possible.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> values, places = F.max_pool3d(torch.arange(8.0).view(1, 2, 2, 2), 2, return_indices=True)
    >>> F.max_unpool3d(values, places, 2).sum()
    tensor(7.)
    """
    return _max_unpool(3, input, indices, kernel_size, stride, padding, output_size)


def _starts(samples, size, windows, kernel):
    """Return the starts of the random windows along one dimension, for each (N, C)."""
    if windows == 1:
        return (samples * 0 + (size - kernel)).long().unsqueeze(-1)
    alpha = (size - kernel) / (windows - 1)
    u = samples.unsqueeze(-1)
    steps = ((arange(0, windows - 1, device=u.device) + u) * alpha).long() - (u * alpha).long()
    return _ops.cat([steps, (u * 0 + (size - kernel)).long()], -1)


def _numbers(value, n):
    """Return a tuple unchanged, and a number repeated `n` times."""
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * n


def _check_fractional(n, input, kernel, wanted, samples):
    name, count = f"fractional_max_pool{n}d", "three " * (n == 3)
    for what, given in (("kernel_size", kernel), ("output_size", wanted)):
        if len(given) != n:
            raise RuntimeError(
                f"{name}: {what} must either be a single Int or tuple of {count}Ints"
            )
    name += "_out" * (n == 3)
    if input.dim() not in (n + 1, n + 2):
        raise RuntimeError(
            f"{name}(): Expected {n + 1}D or {n + 2}D tensor, but got: {list(input.size())}"
        )
    for d in range(1, input.dim()):
        if input.size(d) == 0:
            raise RuntimeError(
                f"{name}(): Expected input to have non-zero size for non-batch dimensions, but got"
                f"{list(input.size())} with dimension {d} being empty."
            )
    if samples.dtype != input.dtype:
        raise RuntimeError("Expect _random_samples to have the same dtype as input")
    if samples.dim() != 3:
        raise RuntimeError(f"Expect _random_samples to have 3 dimensions, got {samples.dim()}")
    if samples.size(0) < (input.size(0) if input.dim() == n + 2 else 1):
        raise RuntimeError("Expect _random_samples.size(0) no less then input batch size.")
    if samples.size(1) != input.size(-n - 1):
        raise RuntimeError("Expect _random_samples.size(1) equals to input channel size.")
    if samples.size(2) != n:
        raise RuntimeError(f"Expect _random_samples.size(2) equals to {n}; got {samples.size(2)}.")


def _fractional(n, input, kernel_size, output_size, output_ratio, samples):
    name = f"fractional_max_pool{n}d"
    if output_size is None and output_ratio is None:
        raise ValueError(f"{name} requires specifying either an output_size or an output_ratio")
    size = input.size()[-n:]
    if output_size is None:
        if n == 2 and len(output_ratio) > 2:
            raise ValueError(
                "fractional_max_pool2d requires output_ratio to either be a single Int or tuple of Ints."
            )
        ratio = _tuple(output_ratio, n)
        output_size = [int(input.size(k - n) * r) for k, r in enumerate(ratio)]
    kernel, wanted = _numbers(kernel_size, n), _numbers(output_size, n)
    if samples is None:
        batch = 1 if input.dim() == n + 1 else input.size(0)
        samples = rand(
            (batch, input.size(-n - 1), n),
            dtype=input.dtype,
            device=input.device,
        )
    reject_gradients(name, random_samples=samples)
    _check_fractional(n, input, kernel, wanted, samples)
    if n == 3:
        name += "_out"
    for k, s, w, dim in zip(kernel, size, wanted, "THW"[3 - n :], strict=True):
        if w + k - 1 > s - (n == 3):  # in 3D, PyTorch's bound is one less
            side = {"T": "time", "H": "height", "W": "width"}[dim]
            raise RuntimeError(f"{name}(): pool {side} {k} too large relative to input {side} {s}")

    def pooled(input):
        return one_node(
            f"FractionalMaxPool{n}DBackward0",
            _largest,
            (input,),
            (n, kernel, wanted, samples),
            kernel_size=tuple(kernel),
            output_size=tuple(wanted),
            self=input,
        )

    arguments = (input, list(kernel), list(wanted), samples)
    return as_one_composed(f"fractional_max_pool{n}d", arguments, pooled)


@without_batching_rule(lambda args, kwargs: f"aten::fractional_max_pool{args[1]}d", composed=False)
def _largest(input, n, kernel, wanted, samples):
    """Return the maxima of the windows that the samples choose, and their indices."""
    size = input.size()[-n:]
    batched = input.dim() == n + 2
    batch = input if batched else input.unsqueeze(0)
    samples = samples[: batch.size(0)]
    at = None
    for d in range(n):
        # in 2D, the first sample is for the width
        u = samples[..., n - 1 - d if n == 2 else d]
        along = _starts(u, size[d], wanted[d], kernel[d])
        along = along.unsqueeze(-1) + arange(0, kernel[d], device=along.device)
        shape = [1] * (2 * n)
        shape[d], shape[n + d] = wanted[d], kernel[d]
        along = along.view(*along.size()[:2], *shape)
        at = along if at is None else at * size[d] + along
    lead = tuple(batch.size()[:2])
    at = at.reshape(*lead, math.prod(wanted) * math.prod(kernel))
    shape = (*lead, math.prod(wanted), math.prod(kernel))
    values, best = batch.reshape(*lead, math.prod(size)).gather(2, at).view(shape).max(-1)
    indices = at.view(shape).gather(-1, best.unsqueeze(-1)).squeeze(-1)
    values, indices = values.view(*lead, *wanted), indices.view(*lead, *wanted)
    return (values, indices) if batched else (values.squeeze(0), indices.squeeze(0))


def fractional_max_pool2d_with_indices(
    input,
    kernel_size,
    output_size=None,
    output_ratio=None,
    return_indices=False,
    _random_samples=None,
):
    """Return the largest element of windows that are placed at random, and its place.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, H, W)`` or ``(C, H, W)``.
    kernel_size : int or pair of int
        The size of a window.
    output_size : int or pair of int, optional
    output_ratio : tuple of float, optional
        The size of the output, or its ratio to that of the input; exactly one of them.
    return_indices : bool, default False
        Has no effect; the places are always returned.

    Returns
    -------
    tuple of Tensor
        The maxima, and their places as int64 indices.

    Raises
    ------
    ValueError
        If `output_size` and `output_ratio` are both absent.

    References
    ----------
    B. Graham, Fractional Max-Pooling, 2014.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> values, places = F.fractional_max_pool2d_with_indices(torch.zeros(1, 8, 8), 2, output_ratio=(0.5, 0.5))
    >>> values.shape, places.dtype
    (torch.Size([1, 4, 4]), torch.int64)
    """
    return _fractional(2, input, kernel_size, output_size, output_ratio, _random_samples)


def fractional_max_pool3d_with_indices(
    input,
    kernel_size,
    output_size=None,
    output_ratio=None,
    return_indices=False,
    _random_samples=None,
):
    """Return the largest element of windows that are placed at random, and its place.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, D, H, W)`` or ``(C, D, H, W)``.
    kernel_size : int or triple of int
        The size of a window.
    output_size : int or triple of int, optional
    output_ratio : tuple of float, optional
        The size of the output, or its ratio to that of the input; exactly one of them.
    return_indices : bool, default False
        Has no effect; the places are always returned.

    Returns
    -------
    tuple of Tensor
        The maxima, and their places as int64 indices.

    Raises
    ------
    ValueError
        If `output_size` and `output_ratio` are both absent.

    References
    ----------
    B. Graham, Fractional Max-Pooling, 2014.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> values, places = F.fractional_max_pool3d_with_indices(torch.zeros(1, 8, 8, 8), 2, output_ratio=(0.5, 0.5, 0.5))
    >>> values.shape, places.dtype
    (torch.Size([1, 4, 4, 4]), torch.int64)
    """
    return _fractional(3, input, kernel_size, output_size, output_ratio, _random_samples)


def fractional_max_pool2d(
    input,
    kernel_size,
    output_size=None,
    output_ratio=None,
    return_indices=False,
    _random_samples=None,
):
    """Return the largest element of windows that are placed at random.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, H, W)`` or ``(C, H, W)``.
    kernel_size : int or pair of int
        The size of a window.
    output_size : int or pair of int, optional
    output_ratio : tuple of float, optional
        The size of the output, or its ratio to that of the input; exactly one of them.
    return_indices : bool, default False
        Return the places of the maxima as well.

    Returns
    -------
    Tensor
        The pooled input. With `return_indices`, a tuple of it and the places of the maxima.

    Raises
    ------
    ValueError
        If `output_size` and `output_ratio` are both absent.

    References
    ----------
    B. Graham, Fractional Max-Pooling, 2014.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.fractional_max_pool2d(torch.zeros(1, 8, 8), 2, output_ratio=(0.5, 0.5)).shape
    torch.Size([1, 4, 4])
    """
    both = _fractional(2, input, kernel_size, output_size, output_ratio, _random_samples)
    return both if return_indices else both[0]


def fractional_max_pool3d(
    input,
    kernel_size,
    output_size=None,
    output_ratio=None,
    return_indices=False,
    _random_samples=None,
):
    """Return the largest element of windows that are placed at random.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, D, H, W)`` or ``(C, D, H, W)``.
    kernel_size : int or triple of int
        The size of a window.
    output_size : int or triple of int, optional
    output_ratio : tuple of float, optional
        The size of the output, or its ratio to that of the input; exactly one of them.
    return_indices : bool, default False
        Return the places of the maxima as well.

    Returns
    -------
    Tensor
        The pooled input. With `return_indices`, a tuple of it and the places of the maxima.

    Raises
    ------
    ValueError
        If `output_size` and `output_ratio` are both absent.

    References
    ----------
    B. Graham, Fractional Max-Pooling, 2014.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.fractional_max_pool3d(torch.zeros(1, 8, 8, 8), 2, output_ratio=(0.5, 0.5, 0.5)).shape
    torch.Size([1, 4, 4, 4])
    """
    both = _fractional(3, input, kernel_size, output_size, output_ratio, _random_samples)
    return both if return_indices else both[0]
