"""Temporary replacement of a module's tensors."""

from contextlib import contextmanager

from minitorch._tensor import Tensor
from minitorch.nn.modules.module import Module

_ABSENT = object()


class Swapper:
    """Replaces tensors of a module and its descendants by dotted names.

    Parameters
    ----------
    module : Module
    """

    def __init__(self, module):
        self.module = module
        self._owners = {"": module}

    def _owner(self, path):
        if path not in self._owners:
            above, _, name = path.rpartition(".")
            parent = self._owner(above)
            owner = getattr(parent, name, _ABSENT)
            if owner is _ABSENT:
                raise AttributeError(f"{parent._get_name()} has no attribute `{name}`")
            if not isinstance(owner, Module):
                raise TypeError(
                    f"submodule `{path}`: {owner} is not an instance of torch.nn.Module"
                )
            self._owners[path] = owner
        return self._owners[path]

    def exchange(self, path, value):
        """Set a tensor or None at a path, or delete it for `_ABSENT`; return the previous value."""
        above, _, name = path.rpartition(".")
        owner = self._owner(above)
        if value is not _ABSENT and value is not None and not isinstance(value, Tensor):
            raise TypeError(f"{value} is not an instance of torch.Tensor")
        if name == "":
            raise KeyError('tensor name can\'t be empty string ""')
        for table in (owner._parameters, owner._buffers):
            if name in table:
                old = table[name]
                if value is _ABSENT:
                    del table[name]
                else:
                    table[name] = value
                return old
        old = getattr(owner, name, _ABSENT)
        if old is not _ABSENT and not isinstance(old, Tensor):
            raise TypeError(f"attribute `{name}`: {old} is not an instance of torch.Tensor")
        if value is not _ABSENT:
            setattr(owner, name, value)
        elif hasattr(owner, name):
            delattr(owner, name)
        return old


def _with_tied(module, tensors):
    """Extend the tensors by the other names of tied parameters and buffers."""
    given_names = tensors.keys()
    names = {}
    for named in (module.named_parameters, module.named_buffers):
        for name, tensor in named(remove_duplicate=False):
            names.setdefault(id(tensor), []).append(name)
    result = dict(tensors.items())
    for tied in names.values():
        given = [name for name in given_names if name in tied]
        if len(tied) == 1 or not given:
            continue
        if len(given) > 1 and len({id(tensors.get(name)) for name in tied}) > 1:
            raise ValueError(
                f"functional_call got multiple values for keys {sorted(tied)}, which are tied. "
                "Consider using tie_weights=False"
            )
        result.update(dict.fromkeys(tied, tensors[given[0]]))
    return result


def _check_names(module, tensors):
    """Raise RuntimeError unless the names are exactly those of the parameters and buffers."""
    own = {name for name, _ in module.named_parameters(remove_duplicate=False)}
    own |= {name for name, _ in module.named_buffers(remove_duplicate=False)}
    unexpected, missing = sorted(set(tensors) - own), sorted(own - set(tensors))
    texts = [
        f"{what} key(s): {', '.join(map(repr, keys))}."
        for what, keys in (("Unexpected", unexpected), ("Missing", missing))
        if keys
    ]
    if texts:
        raise RuntimeError(
            "Error(s) in reparametrizing for {}:\n\t{}".format(
                module._get_name(), "\n\t".join(texts)
            )
        )


@contextmanager
def _reparametrize_module(module, tensors, tie_weights=False, strict=False):
    """Replace the tensors of a module inside a context.

    Afterwards, `tensors` contains the tensors that were assigned to the module inside.
    """
    inside = _with_tied(module, tensors) if tie_weights else tensors
    if strict:
        _check_names(module, inside)
    swapper, before = Swapper(module), {}
    try:
        for name, tensor in inside.items():
            before[name] = swapper.exchange(name, tensor)
        yield
    finally:
        # restore in reverse order, because a tensor with two names was replaced twice
        last = {name: swapper.exchange(name, tensor) for name, tensor in reversed(before.items())}
        tensors.update((n, t) for n, t in last.items() if n in tensors and t is not _ABSENT)
