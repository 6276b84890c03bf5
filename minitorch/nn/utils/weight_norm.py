"""Weight norm by a forward pre-hook; `parametrizations.weight_norm` is its newer form."""

import warnings

from minitorch.nn.parameter import Parameter, UninitializedParameter
from minitorch.nn.utils._norms import norm_except_dim, scale_to_norm

__all__ = ["WeightNorm", "remove_weight_norm", "weight_norm"]


class WeightNorm:
    """The hook, which computes the weight.

    The parameters ``<name>_g`` and ``<name>_v`` are norms and directions.

    Parameters
    ----------
    name : str
    dim : int or None
    """

    def __init__(self, name, dim):
        self.name = name
        self.dim = -1 if dim is None else dim

    def compute_weight(self, module):
        """Return the weight."""
        g, v = (getattr(module, f"{self.name}_{part}") for part in "gv")
        return scale_to_norm(v, g, self.dim)

    @staticmethod
    def apply(module, name, dim):
        """Add a hook to a module."""
        warnings.warn(
            "`torch.nn.utils.weight_norm` is deprecated in favor of "
            "`torch.nn.utils.parametrizations.weight_norm`.",
            FutureWarning,
            stacklevel=3,
        )
        if find_hook(module, WeightNorm, name) is not None:
            raise RuntimeError(
                f"Cannot register two weight_norm hooks on the same parameter {name}"
            )
        hook = WeightNorm(name, dim)
        weight = getattr(module, name)
        if isinstance(weight, UninitializedParameter):
            raise ValueError(
                "The module passed to `WeightNorm` can't have uninitialized parameters. Make sure to run "
                "the dummy forward before applying weight normalization"
            )
        del module._parameters[name]
        norms = norm_except_dim(weight, 2, hook.dim)
        module.register_parameter(f"{name}_g", Parameter(norms.data))
        module.register_parameter(f"{name}_v", Parameter(weight.data))
        hook(module, None)
        module.register_forward_pre_hook(hook)
        return hook

    def remove(self, module):
        """Make the weight an ordinary parameter again."""
        weight = self.compute_weight(module)
        delattr(module, self.name)
        for part in "gv":
            del module._parameters[f"{self.name}_{part}"]
        setattr(module, self.name, Parameter(weight.data))

    def __call__(self, module, inputs):
        setattr(module, self.name, self.compute_weight(module))


def find_hook(module, kind, name):
    """Return the key of a module's hook of a class and a tensor name, or None."""
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, kind) and hook.name == name:
            return key
    return None


def weight_norm(module, name="weight", dim=0):
    """Reparametrize a weight as norms and directions, which are trained separately.

    Parameters
    ----------
    module : Module
    name : str, default "weight"
    dim : int or None, default 0

    Returns
    -------
    Module

    Warns
    -----
    FutureWarning
        Always; use `parametrizations.weight_norm` instead.

    Examples
    --------
    >>> import minitorch as torch
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     layer = torch.nn.utils.weight_norm(torch.nn.Linear(2, 3))
    >>> layer.weight_g.shape, layer.weight_v.shape
    (torch.Size([3, 1]), torch.Size([3, 2]))
    """
    WeightNorm.apply(module, name, dim)
    return module


def remove_weight_norm(module, name="weight"):
    """Remove the hook of `weight_norm` and keep the current weight.

    Parameters
    ----------
    module : Module
    name : str, default "weight"

    Returns
    -------
    Module
        `module` itself.

    Raises
    ------
    ValueError
        When the module has no such hook.

    Examples
    --------
    >>> import minitorch as torch
    >>> layer = torch.nn.utils.weight_norm(torch.nn.Linear(2, 3))
    >>> [name for name, _ in layer.named_parameters()]
    ['bias', 'weight_g', 'weight_v']
    >>> [name for name, _ in torch.nn.utils.remove_weight_norm(layer).named_parameters()]
    ['bias', 'weight']
    """
    key = find_hook(module, WeightNorm, name)
    if key is None:
        raise ValueError(f"weight_norm of '{name}' not found in {module}")
    module._forward_pre_hooks.pop(key).remove(module)
    return module
