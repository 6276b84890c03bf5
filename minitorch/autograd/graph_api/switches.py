"""Functions of `minitorch.autograd.graph` that few programs call: counting writes, and settings of compilers and streams."""

from collections.abc import Iterable

from minitorch.autograd.inplace import _increment_version
from minitorch.autograd.variable import TensorBase


def increment_version(tensor):
    """Increment the version of a tensor, after a write in place that autograd did not see.

    Parameters
    ----------
    tensor : Tensor or iterable of Tensor

    Raises
    ------
    RuntimeError
        If it is neither a tensor nor an iterable of tensors.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.ones(2)
    >>> torch.autograd.graph.increment_version(x)
    >>> x._version
    1
    """
    tensors = (tensor,) if isinstance(tensor, TensorBase) else tensor
    if not isinstance(tensors, Iterable):
        raise RuntimeError("increment_version expect a Iterable[Tensor] as input")
    for one in tensors:
        if not isinstance(one, TensorBase):
            raise RuntimeError(
                "increment_version expects each element of the iterable to be a tensor"
            )
        _increment_version(one)


def region_activation_memory_budget(budget):
    """Raise RuntimeError: this is for compiled programs, and minitorch has no compiler.

    Parameters
    ----------
    budget : float
        From 0 to 1.

    Raises
    ------
    RuntimeError
        Always, after the checks of `budget`.

    Examples
    --------
    >>> import minitorch as torch
    >>> try:
    ...     torch.autograd.graph.region_activation_memory_budget(0.5)
    ... except RuntimeError as error:
    ...     print(type(error).__name__)
    RuntimeError
    """
    name = "torch.autograd.graph.region_activation_memory_budget"
    if isinstance(budget, bool) or not isinstance(budget, (int, float)):
        raise TypeError(f"{name}: expects a float, got {type(budget).__name__}")
    if not 0.0 <= budget <= 1.0:
        raise ValueError(f"{name}: must be in [0, 1], got {budget}")
    raise RuntimeError(
        f"{name} can only be used inside a torch.compile region; it has no effect in eager mode."
    )


def _check_bool(enabled):
    if not isinstance(enabled, bool):
        raise RuntimeError(f"enabled must be a bool, but got {type(enabled).__name__}")


def set_override_stale_capture_stream(enabled):
    """Has no effect: there are no streams here.

    Parameters
    ----------
    enabled : bool

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.autograd.graph.set_override_stale_capture_stream(True)
    """
    _check_bool(enabled)


def set_warn_on_accumulate_grad_stream_mismatch(enabled):
    """Has no effect: there are no streams here.

    Parameters
    ----------
    enabled : bool

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.autograd.graph.set_warn_on_accumulate_grad_stream_mismatch(False)
    """
    _check_bool(enabled)


# programs find them in this module
for _function in (
    increment_version,
    region_activation_memory_budget,
    set_override_stale_capture_stream,
    set_warn_on_accumulate_grad_stream_mismatch,
):
    _function.__module__ = "minitorch.autograd.graph"
