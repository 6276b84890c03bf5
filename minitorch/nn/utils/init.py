"""Construction of modules without initialization."""

import inspect

from minitorch.nn.modules.module import Module


def skip_init(module_cls, *args, **kwargs):
    """Create a module with uninitialized parameters, without drawing random numbers.

    Parameters
    ----------
    module_cls : type
        A module class whose constructor has the parameter `device`.
    *args, **kwargs
        The arguments of the constructor.

    Returns
    -------
    Module

    Raises
    ------
    RuntimeError
        For any other class.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.utils.skip_init(torch.nn.Linear, 5, 1)
    Linear(in_features=5, out_features=1, bias=True)
    """
    if not issubclass(module_cls, Module):
        raise RuntimeError(f"Expected a Module; got {module_cls}")
    if "device" not in inspect.signature(module_cls).parameters:
        raise RuntimeError("Module must support a 'device' arg to skip initialization")
    device = kwargs.pop("device", "cpu")
    return module_cls(*args, device="meta", **kwargs).to_empty(device=device)
