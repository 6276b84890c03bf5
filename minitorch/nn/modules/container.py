"""Containers of modules, in order or by name."""

from collections import OrderedDict
from collections.abc import Iterable
from itertools import groupby
from operator import index
from warnings import warn

from minitorch.nn.modules.module import Module, _addindent  # noqa: F401 (programs import it from here)


def _wrapped(position, length, name="index"):
    position = index(position)
    if not -length <= position < length:
        raise IndexError(f"{name} {position} is out of range")
    return position + length if position < 0 else position


class Container(Module):
    """Children by name; deprecated, because every `Module` can have children.

    Warns
    -----
    FutureWarning

    Parameters
    ----------
    **kwargs
        The children, each a Module, by name, a str.

    Examples
    --------
    >>> import minitorch as torch
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     torch.nn.Container(first=torch.nn.Linear(2, 1))
    Container(
      (first): Linear(in_features=2, out_features=1, bias=True)
    )
    """

    def __init__(self, **kwargs):
        warn(
            "`nn.Container` is deprecated. All of its functionality is now implemented in `nn.Module`. "
            "Subclass that instead.",
            FutureWarning,
            stacklevel=2,
        )
        super().__init__()
        for name, module in kwargs.items():
            self.add_module(name, module)


class _Numbered(Module):
    """Children under the names "0", "1", ..."""

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def __getitem__(self, position):
        return list(self._modules.values())[_wrapped(position, len(self))]

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
            self._modules[str(k)] = module

    def append(self, module):
        """Append a module."""
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules):
        """Append all modules of an iterable."""
        for module in modules:
            self.append(module)
        return self

    def insert(self, index, module):
        """Insert a module before `index`."""
        values = list(self._modules.values())
        values.insert(index, module)
        self._refill(values)

    def pop(self, key):
        """Remove a module and return it."""
        module = self[key]
        del self[key]
        return module


def _sequential(other):
    """Return the operand of ``+``, which must be a `Sequential`."""
    if not isinstance(other, Sequential):
        raise ValueError(
            f"add operator supports only objects of Sequential class, but {type(other)} is given."
        )
    return other


class Sequential(_Numbered):
    """Call modules one after the other, each with the result of the previous one.

    Input and output have the shapes that the first and the last module take and return. Modules can be
    indexed, sliced, appended, inserted and deleted as in a list.

    Parameters
    ----------
    *args : Module, or one OrderedDict of str to Module
        The modules in their order.

    Raises
    ------
    TypeError
        If an argument is no Module.

    Examples
    --------
    >>> import minitorch as torch
    >>> net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 1))
    >>> net(torch.zeros(2, 3)).shape
    torch.Size([2, 1])
    >>> net[0]
    Linear(in_features=3, out_features=4, bias=True)
    """

    def __init__(self, *args):
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            for name, module in args[0].items():
                self.add_module(name, module)
        else:
            for k, module in enumerate(args):
                self.add_module(str(k), module)

    def __getitem__(self, position):
        if isinstance(position, slice):
            return type(self)(OrderedDict(list(self._modules.items())[position]))
        return super().__getitem__(position)

    def __add__(self, other):
        return Sequential(*self, *_sequential(other))

    def __iadd__(self, other):
        return self.extend(list(_sequential(other)))

    def __mul__(self, times):
        return Sequential(*list(self) * self._times(times))

    __rmul__ = __mul__

    def __imul__(self, times):
        return self.extend(list(self) * (self._times(times) - 1))

    def _times(self, times):
        if not isinstance(times, int):
            raise TypeError(f"unsupported operand type(s) for *: {type(self)} and {type(times)}")
        if times <= 0:
            raise ValueError(f"Non-positive multiplication factor {times} for {type(self)}")
        return times

    def insert(self, index, module):
        """Insert a module before `index`."""
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        if not -len(self) <= index <= len(self):
            raise IndexError(f"Index out of range: {index}")
        # children must have the names "0", "1", ...; other names raise a KeyError below
        index += len(self) if index < 0 else 0
        for k in range(len(self), index, -1):
            self._modules[str(k)] = self._modules[str(k - 1)]
        self._modules[str(index)] = module
        return self

    def extend(self, sequential):
        """Append all modules of an iterable."""
        return super().extend(sequential)

    def forward(self, input):
        for module in self._modules.values():
            input = module(input)
        return input


class ModuleList(_Numbered):
    """Hold modules in a list, so that their parameters are found.

    It behaves like a Python list and has no `forward`: the owner calls the modules. Their shapes are
    free.

    Parameters
    ----------
    modules : iterable of Module, optional

    Raises
    ------
    TypeError
        If an element is no Module.

    Examples
    --------
    >>> import minitorch as torch
    >>> layers = torch.nn.ModuleList([torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)])
    >>> len(layers), len(list(layers.parameters()))
    (2, 4)
    """

    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def __getitem__(self, position):
        if isinstance(position, slice):
            return type(self)(list(self)[position])
        return super().__getitem__(position)

    def __iadd__(self, modules):
        return self.extend(modules)

    def __add__(self, other):
        return ModuleList([*self, *other])

    def extend(self, modules):
        """Append all modules of an iterable.

        Raises
        ------
        TypeError
            When `modules` is not iterable.
        """
        if not isinstance(modules, Iterable):
            raise TypeError(
                f"ModuleList.extend should be called with an iterable, but got {type(modules).__name__}"
            )
        return super().extend(modules)

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
    """Hold modules in a dictionary, so that their parameters are found.

    It behaves like an ordered dictionary and has no `forward`. The shapes of the modules are free.

    Parameters
    ----------
    modules : mapping of str to Module, or iterable of pairs, optional

    Raises
    ------
    TypeError
        If a value is no Module, or a key no str.
    KeyError
        If a key is empty, contains a dot or is the name of an attribute.

    Examples
    --------
    >>> import minitorch as torch
    >>> net = torch.nn.ModuleDict({"relu": torch.nn.ReLU()})
    >>> net["relu"](torch.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """

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
        """Return the names."""
        return self._modules.keys()

    def values(self):
        """Return the modules."""
        return self._modules.values()

    def items(self):
        """Return pairs of a name and a module."""
        return self._modules.items()

    def pop(self, key):
        """Remove a module and return it."""
        return self._modules.pop(key)

    def clear(self):
        """Remove all modules."""
        self._modules.clear()

    def update(self, modules):
        """Add the items of a mapping or of an iterable of pairs.

        Raises
        ------
        TypeError, ValueError
            For anything else.
        """
        if not isinstance(modules, Iterable):
            raise TypeError(
                "ModuleDict.update should be called with an iterable of key/value pairs, but got "
                + type(modules).__name__
            )
        for k, pair in enumerate(modules.items() if hasattr(modules, "items") else modules):
            if not isinstance(pair, Iterable):
                raise TypeError(
                    f"ModuleDict update sequence element #{k} should be Iterable; is"
                    + type(pair).__name__
                )
            if len(pair) != 2:
                raise ValueError(
                    f"ModuleDict update sequence element #{k} has length {len(pair)}; 2 is required"
                )
            self[pair[0]] = pair[1]
