"""Parallel calls of modules on different devices."""

from minitorch._tensor import Tensor

__all__ = ["get_a_var", "parallel_apply"]


def get_a_var(obj):
    """Return the first tensor in nested lists, tuples and dictionaries, or None.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.nn.parallel.parallel_apply import get_a_var
    >>> get_a_var([1, {"x": (torch.ones(2), 3)}])
    tensor([1., 1.])
    """
    if isinstance(obj, Tensor):
        return obj
    parts = obj.items() if isinstance(obj, dict) else obj
    found = map(get_a_var, parts) if isinstance(obj, (list, tuple, dict)) else ()
    return next((tensor for tensor in found if tensor is not None), None)


def parallel_apply(modules, inputs, kwargs_tup=None, devices=None):
    """Raise RuntimeError, since there are no devices to run modules on.

    Raises
    ------
    AssertionError
        If the number of inputs, keyword arguments or devices differs from the number of modules.
    """
    named = (("inputs", inputs), ("kwargs_tup", kwargs_tup), ("devices", devices))
    for name, given in named:
        if given is not None and len(given) != len(modules):
            raise AssertionError(
                f"The number of modules {len(modules)} is not equal to the number of {name} "
                f"{len(given)}"
            )
    raise RuntimeError("Cannot access accelerator device when none is available.")
