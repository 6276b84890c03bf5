"""A module's tensors by name, read and exchanged."""

from minitorch._tensor import Tensor
from minitorch.nn.modules.module import Module

__all__ = ["NamedMemberAccessor", "set_tensor", "swap_submodule", "swap_tensor"]

# what stands for no tensor: in place of a new one it takes the name away
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


def set_tensor(module, name, tensor):
    """Put a tensor in a parameter's, buffer's or attribute's place; see `swap_tensor` for what is raised."""
    _check(module, name, tensor)
    for table in (module._parameters, module._buffers):
        if name in table:
            table[name] = tensor
            return
    setattr(module, name, tensor)


def swap_submodule(module, name, submodule):
    """Put a module in a child's place, and return what was there.

    Raises
    ------
    TypeError
        If an argument, or what was there, is no module.
    KeyError
        If the name is none, or there is no such child.
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
    """The tensors of a module and of those in it, by dotted names.

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
        """The module of a name; of no name the module itself."""
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
        """Put a module in another one's place, and return that."""
        outer, attribute = self._place(path)
        before = swap_submodule(outer, attribute, value)
        # those below it are others now
        self.memo = {k: m for k, m in self.memo.items() if not f"{k}.".startswith(f"{path}.")}
        return before

    def get_tensor(self, name):
        """The tensor of a name, or None where there is room for one."""
        outer, attribute = self._place(name)
        try:
            found = getattr(outer, attribute)
        except AttributeError as error:
            raise AttributeError(f"{outer._get_name()} has no attribute `{name}`") from error
        if found is not None and not isinstance(found, Tensor):
            raise TypeError(f"{found} is not an instance of torch.Tensor")
        return found

    def set_tensor(self, name, value):
        """Put a tensor in the place of a name."""
        set_tensor(*self._place(name), value)

    def del_tensor(self, name):
        """Take the name away."""
        outer, attribute = self._place(name)
        try:
            delattr(outer, attribute)
        except AttributeError as error:
            raise AttributeError(f"{outer._get_name()} has no attribute `{name}`") from error

    def swap_tensor(self, name, value, allow_missing=False):
        """Put a tensor in the place of a name, and return what was there."""
        return swap_tensor(*self._place(name), value, allow_missing)

    def get_tensors(self, names):
        """The tensors of several names."""
        return [self.get_tensor(name) for name in names]

    def set_tensors(self, names, values):
        """Put tensors in the places of names."""
        for name, value in self._pairs(names, values):
            self.set_tensor(name, value)

    def set_tensors_dict(self, named_tensors):
        """Put tensors in the places of their names."""
        for name, value in named_tensors.items():
            self.set_tensor(name, value)

    def del_tensors(self, names):
        """Take several names away."""
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
        """Put tensors in the places of names, and return what was there."""
        pairs = self._pairs(names, values)
        return [self.swap_tensor(name, value, allow_missing) for name, value in pairs]

    def swap_tensors_dict(self, named_tensors, allow_missing=False):
        """Put tensors in the places of their names: what was there, and the names that had nothing.

        Where this fails, everything is as it was.
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
        """The names of the module's that are not among `keys`, and those of `keys` that it does not have."""
        keys = set(keys)
        own = {name for name, _ in self.named_tensors(remove_duplicate=False)}
        return sorted(own - keys), sorted(keys - own)

    def named_parameters(self, remove_duplicate=True):
        """Parameters with their names."""
        yield from self.module.named_parameters(remove_duplicate=remove_duplicate)

    def named_buffers(self, remove_duplicate=True):
        """Buffers with their names."""
        yield from self.module.named_buffers(remove_duplicate=remove_duplicate)

    def named_tensors(self, remove_duplicate=True):
        """Parameters, then buffers."""
        yield from self.named_parameters(remove_duplicate)
        yield from self.named_buffers(remove_duplicate)

    def named_modules(self, remove_duplicate=True):
        """The modules with their names."""
        yield from self.module.named_modules(remove_duplicate=remove_duplicate)
