"""A module's tensors by name, read and exchanged."""

from minitorch._tensor import Tensor
from minitorch.nn.modules.module import Module

__all__ = ["swap_tensor"]

# what stands for no tensor: in place of a new one it takes the name away
_MISSING = object()


def _check(module, name, tensor):
    if not isinstance(module, Module):
        raise TypeError(f"{module} is not an instance of torch.nn.Module")
    if tensor is not _MISSING and tensor is not None and not isinstance(tensor, Tensor):
        raise TypeError(f"{tensor} is not an instance of torch.Tensor")
    if "." in name:
        raise KeyError('tensor name can\'t contain "."')
    if not name:
        raise KeyError('tensor name can\'t be empty string ""')


def swap_tensor(module, name, tensor, allow_missing=False):
    """Put a tensor in a parameter's, buffer's or attribute's place, and return what was there.

    Parameters
    ----------
    module : Module
    name : str
    tensor : Tensor or None
    allow_missing : bool, default False
        That nothing was there.

    Raises
    ------
    TypeError
        If an argument, or what was there, is of another type.
    KeyError, AttributeError
        If the name is none, or nothing was there.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.nn.utils._named_member_accessor import swap_tensor
    >>> layer = torch.nn.Linear(1, 1)
    >>> weight = swap_tensor(layer, "weight", torch.ones(1, 1))
    >>> layer.weight, weight.requires_grad
    (tensor([[1.]]), True)
    """
    _check(module, name, tensor)
    for table in (module._parameters, module._buffers):
        if name in table:
            before = table[name]
            if tensor is _MISSING:
                del table[name]
            else:
                table[name] = tensor
            return before
    before = getattr(module, name, _MISSING)
    if before is _MISSING and not allow_missing:
        raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
    if before is not _MISSING and before is not None and not isinstance(before, Tensor):
        raise TypeError(f"attribute `{name}`: {before} is not an instance of torch.Tensor")
    if tensor is not _MISSING:
        setattr(module, name, tensor)
    elif hasattr(module, name):
        delattr(module, name)
    return before
