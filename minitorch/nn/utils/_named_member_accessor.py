"""Access to a module's tensors by name, and their replacement."""

from minitorch._tensor import Tensor
from minitorch.nn.modules.module import Module

__all__ = ["NamedMemberAccessor", "set_tensor", "swap_submodule", "swap_tensor"]

# means "no tensor": as a new value it deletes the name
_MISSING = object()


def _check_module(module):
    if not isinstance(module, Module):
        raise TypeError(f"{module} is not an instance of torch.nn.Module")


def _check(module, name, tensor):
    _check_module(module)
    if tensor is not _MISSING and tensor is not None and not isinstance(tensor, Tensor):
        raise TypeError(f"{tensor} is not an instance of torch.Tensor")
    if "." in name:
        raise KeyError('tensor name can\'t contain "."')
    if not name:
        raise KeyError('tensor name can\'t be empty string ""')


def swap_tensor(module, name, tensor, allow_missing=False):
    """Replace a parameter, buffer or tensor attribute and return the previous value.

    Parameters
    ----------
    module : Module
    name : str
    tensor : Tensor or None
    allow_missing : bool, default False
        Allow the name to be absent.

    Raises
    ------
    TypeError
        If an argument or the previous value has the wrong type.
    KeyError, AttributeError
        If the name is invalid or absent.

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


def set_tensor(module, name, tensor):
    """Replace a parameter, buffer or tensor attribute; raises like `swap_tensor`."""
    _check(module, name, tensor)
    for table in (module._parameters, module._buffers):
        if name in table:
            table[name] = tensor
            return
    setattr(module, name, tensor)


def swap_submodule(module, name, submodule):
    """Replace a child module and return the previous one.

    Raises
    ------
    TypeError
        If an argument or the previous value is not a module.
    KeyError
        If the name is invalid or there is no such child.
    """
    _check_module(module)
    _check_module(submodule)
    if "." in name:
        raise KeyError('submodule name can\'t contain "."')
    if not name:
        raise KeyError('submodule name can\'t be empty string ""')
    if name not in module._modules:
        raise KeyError(f"submodule {name} does not exist")
    before = module._modules[name]
    if not isinstance(before, Module):
        raise TypeError(f"{name} attribute is not an instance of torch.nn.Module")
    module._modules[name] = submodule
    return before


class NamedMemberAccessor:
    """Access to the tensors of a module and its descendants by dotted names.

    Parameters
    ----------
    module : Module

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.nn.utils._named_member_accessor import NamedMemberAccessor
    >>> accessor = NamedMemberAccessor(torch.nn.Sequential(torch.nn.Linear(1, 1)))
    >>> accessor.set_tensor("0.weight", torch.ones(1, 1))
    >>> accessor.get_tensor("0.weight")
    tensor([[1.]])
    >>> accessor.check_keys(["0.weight", "1.weight"])
    (['0.bias'], ['1.weight'])
    """

    def __init__(self, module):
        self.module = module
        self.memo = {}

    def get_submodule(self, name):
        """Return the module with a name; the root module for an empty name."""
        if not name:
            return self.module
        if name not in self.memo:
            self.memo[name] = self._find(name)
        return self.memo[name]

    def _find(self, name):
        prefix, _, attribute = name.rpartition(".")
        outer = self.get_submodule(prefix)
        try:
            found = getattr(outer, attribute)
        except AttributeError as error:
            raise AttributeError(f"{outer._get_name()} has no attribute `{attribute}`") from error
        if not isinstance(found, Module):
            raise TypeError(f"submodule `{name}`: {found} is not an instance of torch.nn.Module")
        return found

    def _place(self, name):
        prefix, _, attribute = name.rpartition(".")
        return self.get_submodule(prefix), attribute

    def swap_submodule(self, path, value):
        """Replace a module and return the previous one."""
        outer, attribute = self._place(path)
        before = swap_submodule(outer, attribute, value)
        # forget the descendants of the replaced module
        self.memo = {k: m for k, m in self.memo.items() if not f"{k}.".startswith(f"{path}.")}
        return before

    def get_tensor(self, name):
        """Return the tensor with a name, or None if the name is registered without a tensor."""
        outer, attribute = self._place(name)
        try:
            found = getattr(outer, attribute)
        except AttributeError as error:
            raise AttributeError(f"{outer._get_name()} has no attribute `{name}`") from error
        if found is not None and not isinstance(found, Tensor):
            raise TypeError(f"{found} is not an instance of torch.Tensor")
        return found

    def set_tensor(self, name, value):
        """Replace the tensor with a name."""
        set_tensor(*self._place(name), value)

    def del_tensor(self, name):
        """Delete the tensor with a name."""
        outer, attribute = self._place(name)
        try:
            delattr(outer, attribute)
        except AttributeError as error:
            raise AttributeError(f"{outer._get_name()} has no attribute `{name}`") from error

    def swap_tensor(self, name, value, allow_missing=False):
        """Replace the tensor with a name and return the previous value."""
        return swap_tensor(*self._place(name), value, allow_missing)

    def get_tensors(self, names):
        """Return the tensors with several names."""
        return [self.get_tensor(name) for name in names]

    def set_tensors(self, names, values):
        """Replace the tensors with several names."""
        for name, value in self._pairs(names, values):
            self.set_tensor(name, value)

    def set_tensors_dict(self, named_tensors):
        """Replace the tensors that a dictionary names."""
        for name, value in named_tensors.items():
            self.set_tensor(name, value)

    def del_tensors(self, names):
        """Delete the tensors with several names."""
        for name in names:
            self.del_tensor(name)

    @staticmethod
    def _pairs(names, values):
        names, values = list(names), list(values)
        if len(names) != len(values):
            raise AssertionError(
                "names and values must have the same length, "
                f"got {len(names)} names and {len(values)} values"
            )
        return zip(names, values, strict=True)

    def swap_tensors(self, names, values, allow_missing=False):
        """Replace the tensors with several names and return the previous values."""
        pairs = self._pairs(names, values)
        return [self.swap_tensor(name, value, allow_missing) for name, value in pairs]

    def swap_tensors_dict(self, named_tensors, allow_missing=False):
        """Replace the tensors that a dictionary names; return the old ones and the missing names.

        Restores the previous tensors on an error.
        """
        before, missing = {}, []
        try:
            for name, tensor in named_tensors.items():
                before[name] = self.swap_tensor(name, tensor, allow_missing=True)
                if before[name] is _MISSING:
                    missing.append(name)
            if missing and not allow_missing:
                raise RuntimeError(f"Missing key(s): {', '.join(map(repr, missing))}.")
        except Exception:
            for name, tensor in before.items():
                self.swap_tensor(name, tensor, allow_missing=True)
            raise
        return before, missing

    def check_keys(self, keys):
        """Return the tensor names that are not among `keys`, and the `keys` that are not names."""
        keys = set(keys)
        own = {name for name, _ in self.named_tensors(remove_duplicate=False)}
        return sorted(own - keys), sorted(keys - own)

    def named_parameters(self, remove_duplicate=True):
        """Iterate over pairs of a name and a parameter."""
        yield from self.module.named_parameters(remove_duplicate=remove_duplicate)

    def named_buffers(self, remove_duplicate=True):
        """Iterate over pairs of a name and a buffer."""
        yield from self.module.named_buffers(remove_duplicate=remove_duplicate)

    def named_tensors(self, remove_duplicate=True):
        """Iterate over pairs of a name and a tensor, parameters first."""
        yield from self.named_parameters(remove_duplicate)
        yield from self.named_buffers(remove_duplicate)

    def named_modules(self, remove_duplicate=True):
        """Iterate over pairs of a name and a module."""
        yield from self.module.named_modules(remove_duplicate=remove_duplicate)
