"""`functional_call` under its deprecated name; see `func.functional_call`."""

import warnings

from minitorch.nn.parallel import DataParallel
from minitorch.nn.utils._swap import _reparametrize_module

__all__ = ["functional_call"]


def functional_call(
    module, parameters_and_buffers, args=None, kwargs=None, *, tie_weights=True, strict=False
):
    """Call a module with other parameters and buffers; see `func.functional_call`.

    Parameters
    ----------
    module : Module
    parameters_and_buffers : dict of str to Tensor
    args : tuple or object, optional
    kwargs : dict, optional
    tie_weights : bool, default True
    strict : bool, default False

    Returns
    -------
    object
        The result of the module.

    Warns
    -----
    FutureWarning
        Always; use `func.functional_call` instead.
    """
    warnings.warn(
        "`torch.nn.utils.stateless.functional_call` is deprecated as of PyTorch 2.0 and will be removed "
        "in a future version of PyTorch. Please use `torch.func.functional_call` instead which is a "
        "drop-in replacement.",
        FutureWarning,
        stacklevel=2,
    )
    return _functional_call(
        module, parameters_and_buffers, args, kwargs, tie_weights=tie_weights, strict=strict
    )


def _functional_call(
    module, parameters_and_buffers, args=None, kwargs=None, *, tie_weights=True, strict=False
):
    if isinstance(module, DataParallel):
        raise RuntimeError("The stateless API can't be used with nn.DataParallel module")
    args = () if args is None else args if isinstance(args, tuple) else (args,)
    with _reparametrize_module(module, parameters_and_buffers, tie_weights, strict):
        return module(*args, **(kwargs or {}))
