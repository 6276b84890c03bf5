"""Modules and parameters in order or by name."""

from collections import OrderedDict
from itertools import groupby
from operator import index

from minitorch.nn.modules.module import Module


def _wrapped(position, length, name="index"):
    position = index(position)
    if not -length <= position < length:
        raise IndexError(f"{name} {position} is out of range")
    return position + length if position < 0 else position


class _Numbered(Module):
    """Children under the names "0", "1", ..."""

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def __getitem__(self, position):
        values = list(self._modules.values())
        if isinstance(position, slice):
            return self._of(values[position])
        return values[_wrapped(position, len(values))]

    def __setitem__(self, position, module):
        key = list(self._modules)[_wrapped(position, len(self))]
        setattr(self, key, module)

    def __delitem__(self, position):
        values = list(self._modules.values())
        if isinstance(position, slice):
            del values[position]
        else:
            del values[_wrapped(position, len(values))]
        self._refill(values)

    def _refill(self, values):
        self._modules.clear()
        for k, module in enumerate(values):
            self.add_module(str(k), module)

    def append(self, module):
        """One more at the end."""
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules):
        """More at the end."""
        for module in modules:
            self.append(module)
        return self

    def insert(self, position, module):
        """One more before `position`."""
        values = list(self._modules.values())
        values.insert(position, module)
        self._refill(values)

    def pop(self, key):
        """Take one out."""
        module = self[key]
        del self[key]
        return module


class Sequential(_Numbered):
    """Modules that are called one after the other."""

    def __init__(self, *args):
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            for name, module in args[0].items():
                self.add_module(name, module)
        else:
            for k, module in enumerate(args):
                self.add_module(str(k), module)

    def _of(self, values):
        keys = [k for k, m in self._modules.items() if any(m is v for v in values)]
        return type(self)(OrderedDict(zip(keys, values, strict=True)))

    def forward(self, input):
        for module in self._modules.values():
            input = module(input)
        return input


class ModuleList(_Numbered):
    """A list of modules; what they do is the owner's affair."""

    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def _of(self, values):
        return type(self)(values)

    def __iadd__(self, modules):
        return self.extend(modules)

    def __repr__(self):
        if not len(self):
            return f"{self._get_name()}()"
        lines, k = [], 0
        for text, group in groupby(map(repr, self)):
            n = len(list(group))
            label = f"({k}): " if n == 1 else f"({k}-{k + n - 1}): {n} x "
            lines.append(label + text.replace("\n", "\n  "))
            k += n
        return f"{self._get_name()}(\n  " + "\n  ".join(lines) + "\n)"


class ModuleDict(Module):
    """Modules by name."""

    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key):
        return self._modules[key]

    def __setitem__(self, key, module):
        self.add_module(key, module)

    def __delitem__(self, key):
        del self._modules[key]

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules)

    def __contains__(self, key):
        return key in self._modules

    def keys(self):
        """The names."""
        return self._modules.keys()

    def values(self):
        """The modules."""
        return self._modules.values()

    def items(self):
        """Names and modules."""
        return self._modules.items()

    def pop(self, key):
        """Take one out."""
        return self._modules.pop(key)

    def clear(self):
        """Take all out."""
        self._modules.clear()

    def update(self, modules):
        """Add from a mapping or from pairs."""
        pairs = modules.items() if hasattr(modules, "items") else modules
        for name, module in pairs:
            self[name] = module
