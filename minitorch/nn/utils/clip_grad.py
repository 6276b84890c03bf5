"""Gradient clipping."""

import types
import warnings

from minitorch._tensor import Tensor
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.from_data import tensor
from minitorch.autograd.grad_mode import no_grad
from minitorch.composed import foreach as _foreach
from minitorch.utils._foreach_utils import _group_tensors_by_device_and_dtype

__all__ = [
    "clip_grad_norm",
    "clip_grad_norm_",
    "clip_grad_value_",
]


def _as_list(tensors):
    return [tensors] if isinstance(tensors, Tensor) else list(tensors)


def _groups(tensors, foreach):
    """Group tensors by dtype and device for operators over lists, or return None."""
    groups = _group_tensors_by_device_and_dtype([tensors])
    if foreach is False or not all(type(t) is Tensor for t in tensors):
        return None
    return [lists[0] for lists, _ in groups.values()]


def _grads(parameters):
    return [p.grad for p in parameters if p.grad is not None]


@no_grad()
def get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """Return the norm of the concatenated elements of several tensors.

    Parameters
    ----------
    tensors : Tensor or iterable of Tensor
    norm_type : float, default 2.0
        The order of the norm; ``inf`` for the largest absolute value.
    error_if_nonfinite : bool, default False
        Raise an error when the norm is infinite or nan.
    foreach : bool, optional
        Use operators over lists; by default if all tensors are plain tensors.

    Returns
    -------
    Tensor
        A scalar.

    Raises
    ------
    RuntimeError
        With `error_if_nonfinite`, for a norm that is infinite or nan.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.utils.get_total_norm([torch.tensor([3.0]), torch.tensor([4.0])])
    tensor(5.)
    """
    tensors, norm_type = _as_list(tensors), float(norm_type)
    if not tensors:
        return tensor(0.0)
    groups = _groups(tensors, foreach)
    if groups is None:
        norms = [_ops.linalg_vector_norm(t, norm_type) for t in tensors]
    else:
        norms = [n for group in groups for n in _foreach.TABLE["_foreach_norm"](group, norm_type)]
    total = _ops.linalg_vector_norm(_ops.stack(norms), norm_type)
    if error_if_nonfinite and not total.isfinite():
        raise RuntimeError(
            f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, so it "
            "cannot be clipped. To disable this error and scale the gradients by the non-finite norm "
            "anyway, set `error_if_nonfinite=False`"
        )
    return total


@no_grad()
def clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None):
    """Scale the gradients by max_norm / total_norm in place, if that is less than 1.

    Parameters
    ----------
    parameters : Tensor or iterable of Tensor
    max_norm : float
    total_norm : Tensor
        The result of `get_total_norm`.
    foreach : bool, optional
        Use operators over lists; by default if all tensors are plain tensors.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.ones(2, requires_grad=True)
    >>> x.grad = torch.tensor([3.0, 4.0])
    >>> norm = torch.nn.utils.get_total_norm([x.grad])
    >>> torch.nn.utils.clip_grads_with_norm_(x, 1.0, norm)
    >>> x.grad
    tensor([0.6000, 0.8000])
    """
    grads, max_norm = _grads(_as_list(parameters)), float(max_norm)
    if not grads:
        return
    factor = (max_norm / (total_norm + 1e-6)).clamp(max=1.0)
    groups = _groups(grads, foreach)
    if groups is None:
        for grad in grads:
            grad.mul_(factor)
    else:
        for group in groups:
            _foreach.TABLE["_foreach_mul_"](group, factor)


@no_grad()
def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """Scale the gradients in place so that their total norm is at most `max_norm`.

    Parameters
    ----------
    parameters : Tensor or iterable of Tensor
    max_norm : float
    norm_type : float, default 2.0
    error_if_nonfinite : bool, default False
        Raise an error when the norm is infinite or nan.
    foreach : bool, optional
        Use operators over lists; by default if all tensors are plain tensors.

    Returns
    -------
    Tensor
        The total norm before scaling.

    Raises
    ------
    RuntimeError
        With `error_if_nonfinite`, for a norm that is infinite or nan.

    Examples
    --------
    >>> import minitorch as torch
    >>> w = torch.tensor([3.0, 4.0], requires_grad=True)
    >>> (w * w).sum().backward()
    >>> torch.nn.utils.clip_grad_norm_(w, 5.0), w.grad
    (tensor(10.), tensor([3.0000, 4.0000]))
    """
    is_generator = isinstance(parameters, types.GeneratorType)
    parameters = _as_list(parameters)
    if is_generator and not parameters:
        warnings.warn(
            "`parameters` is an empty generator, no gradient clipping will occur.", stacklevel=3
        )
    grads = _grads(parameters)
    total = get_total_norm(grads, norm_type, error_if_nonfinite, foreach)
    clip_grads_with_norm_(parameters, max_norm, total, foreach)
    return total


def clip_grad_norm(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """Call `clip_grad_norm_`; this is its deprecated name.

    Parameters
    ----------
    parameters : Tensor or iterable of Tensor
        Tensors with gradients of any shape.
    max_norm : float
        The largest allowed norm of all gradients together.
    norm_type : float, default 2.0
        The order of the norm.
    error_if_nonfinite : bool, default False
        Raise RuntimeError if the norm is not finite.
    foreach : bool, optional
        Use operators over lists.

    Returns
    -------
    Tensor
        The norm before clipping, a scalar.

    Examples
    --------
    >>> import minitorch as torch
    >>> import warnings
    >>> x = torch.ones(1, requires_grad=True)
    >>> x.grad = torch.tensor([4.0])
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     norm = torch.nn.utils.clip_grad_norm(x, 1.0)
    >>> norm
    tensor(4.)
    >>> x.grad
    tensor([1.0000])
    """
    warnings.warn(
        "`torch.nn.utils.clip_grad_norm` is now deprecated in favor of "
        "`torch.nn.utils.clip_grad_norm_`.",
        FutureWarning,
        stacklevel=2,
    )
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


@no_grad()
def clip_grad_value_(parameters, clip_value, foreach=None):
    """Clamp each element of the gradients to [-clip_value, clip_value] in place.

    Parameters
    ----------
    parameters : Tensor or iterable of Tensor
    clip_value : float
    foreach : bool, optional
        Use operators over lists; by default if all tensors are plain tensors.

    Examples
    --------
    >>> import minitorch as torch
    >>> w = torch.tensor([3.0, 4.0], requires_grad=True)
    >>> (w * w).sum().backward()
    >>> torch.nn.utils.clip_grad_value_([w], 7)
    >>> w.grad
    tensor([6., 7.])
    """
    clip_value = float(clip_value)
    grads = _grads(_as_list(parameters))
    groups = _groups(grads, foreach)
    if groups is None:
        for grad in grads:
            grad.clamp_(-clip_value, clip_value)
    else:
        for group in groups:
            _foreach.TABLE["_foreach_clamp_min_"](group, -clip_value)
            _foreach.TABLE["_foreach_clamp_max_"](group, clip_value)
