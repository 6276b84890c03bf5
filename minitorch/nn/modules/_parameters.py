"""`ParameterList` and `ParameterDict`: containers of parameters."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping

from minitorch._tensor import Tensor
from minitorch.nn.modules.container import _wrapped
from minitorch.nn.modules.module import Module
from minitorch.nn.parameter import Parameter


def _as_parameter(value):
    is_plain = isinstance(value, Tensor) and not isinstance(value, Parameter)
    return Parameter(value) if is_plain else value


def _line(key, value, kind):
    if not isinstance(value, Tensor):
        return f"  ({key}): Object of type: {type(value).__name__}"
    size = "x".join(map(str, value.size()))
    name = "Parameter" if isinstance(value, Parameter) else "Tensor"
    return f"  ({key}): {name} containing: [{kind(value)} of size {size}]"


class ParameterList(Module):
    """A list of parameters. Plain tensors are converted to parameters, other values are kept.

    Parameters
    ----------
    values : iterable of Tensor or object, optional
        The elements of the list.

    Raises
    ------
    TypeError
        If `values` is not iterable.

    Examples
    --------
    >>> import minitorch as torch
    >>> weights = torch.nn.ParameterList([torch.ones(2), torch.zeros(3)])
    >>> len(weights), weights[1]
    (2, Parameter containing:
    tensor([0., 0., 0.], requires_grad=True))
    """

    def __init__(self, values=None):
        super().__init__()
        self._size = 0
        if values is not None:
            self.extend(values)

    def __len__(self):
        return self._size

    def __iter__(self):
        return iter(self[k] for k in range(len(self)))

    def __getitem__(self, position):
        if isinstance(position, slice):
            return type(self)([self[k] for k in range(*position.indices(len(self)))])
        return getattr(self, str(_wrapped(position, len(self))))

    def __setitem__(self, position, value):
        setattr(self, str(_wrapped(position, len(self))), _as_parameter(value))

    def __iadd__(self, values):
        return self.extend(values)

    def __dir__(self):
        return [key for key in super().__dir__() if not key.isdigit()]

    def append(self, value):
        """Append a value."""
        self._size += 1
        self[self._size - 1] = value
        return self

    def extend(self, values):
        """Append all values of an iterable.

        Raises
        ------
        TypeError
            When `values` is a tensor or not iterable.
        """
        if not isinstance(values, Iterable) or isinstance(values, Tensor):
            raise TypeError(
                "ParameterList.extend should be called with an iterable, but got "
                + type(values).__name__
            )
        for value in values:
            self.append(value)
        return self

    def __call__(self, *args, **kwargs):
        raise RuntimeError("ParameterList should not be called.")

    def extra_repr(self):
        return "\n".join(_line(k, value, lambda v: v.dtype) for k, value in enumerate(self))


class ParameterDict(Module):
    """A dictionary of parameters in insertion order.

    Plain tensors are converted to parameters, other values are kept.

    Parameters
    ----------
    parameters : mapping or iterable of pairs, optional

    Raises
    ------
    TypeError
        For a key that is not a string.

    Examples
    --------
    >>> import minitorch as torch
    >>> weights = torch.nn.ParameterDict({"left": torch.ones(2)})
    >>> weights["right"] = torch.zeros(2)
    >>> list(weights), [name for name, _ in weights.named_parameters()]
    (['left', 'right'], ['left', 'right'])
    """

    def __init__(self, parameters=None):
        super().__init__()
        self._keys = {}
        if parameters is not None:
            self.update(parameters)

    def _named(self, key):
        if not isinstance(key, str):
            raise TypeError(
                "Index given to ParameterDict cannot be used as a key as it is not a string (type is "
                f"'{type(key).__name__}'). Open an issue on github if you need non-string keys."
            )
        return key

    def __getitem__(self, key):
        return getattr(self, self._named(key))

    def __setitem__(self, key, value):
        name = self._named(key)
        self._keys[key] = None
        setattr(self, name, _as_parameter(value))

    def __delitem__(self, key):
        del self._keys[key]
        delattr(self, self._named(key))

    def __len__(self):
        return len(self._keys)

    def __iter__(self):
        return iter(self._keys)

    def __reversed__(self):
        return reversed(self._keys)

    def __contains__(self, key):
        return key in self._keys

    def __or__(self, other):
        result = self.copy()
        result.update(other)
        return result

    def __ror__(self, other):
        # the left operand determines the type of the result, usually a plain dictionary
        result = other.copy()
        result.update(self)
        return result

    def __ior__(self, other):
        self.update(other)
        return self

    def copy(self):
        """Return a new dictionary with the same parameters."""
        return type(self)(OrderedDict(self.items()))

    def setdefault(self, key, default=None):
        """Return the value of a key, which is set to `default` if it is missing."""
        if key not in self:
            self[key] = default
        return self[key]

    def clear(self):
        """Remove all items."""
        for key in list(self._keys):
            del self[key]

    def pop(self, key):
        """Remove a key and return its value."""
        value = self[key]
        del self[key]
        return value

    def popitem(self):
        """Remove the last item and return it with its key."""
        key = next(reversed(self._keys))
        return key, self.pop(key)

    def get(self, key, default=None):
        """Return the value of a key, or `default` if it is missing."""
        return self[key] if key in self else default

    def fromkeys(self, keys, default=None):
        """Return a new dictionary that maps each of the keys to one value."""
        return type(self)((key, default) for key in keys)

    def keys(self):
        """Return the keys."""
        return self._keys.keys()

    def values(self):
        """Iterate over the values."""
        return (self[key] for key in self._keys)

    def items(self):
        """Iterate over pairs of a key and its value."""
        return ((key, self[key]) for key in self._keys)

    def update(self, parameters):
        """Add the items of a mapping or of an iterable of pairs.

        A plain mapping's keys are added in sorted order.

        Raises
        ------
        TypeError, ValueError
            For anything else.
        """
        if not isinstance(parameters, (Iterable, ParameterDict)):
            raise TypeError(
                "ParametersDict.update should be called with an iterable of key/value pairs, but got "
                + type(parameters).__name__
            )
        if isinstance(parameters, (OrderedDict, ParameterDict)):
            pairs = parameters.items()
        elif isinstance(parameters, Mapping):
            pairs = sorted(parameters.items())
        else:
            pairs = parameters
        for k, pair in enumerate(pairs):
            if not isinstance(pair, Iterable):
                raise TypeError(
                    f"ParameterDict update sequence element #{k} should be Iterable; is"
                    + type(pair).__name__
                )
            if len(pair) != 2:
                raise ValueError(
                    f"ParameterDict update sequence element #{k} has length {len(pair)}; 2 is required"
                )
            self[pair[0]] = pair[1]

    def __call__(self, input):
        raise RuntimeError("ParameterDict should not be called.")

    def extra_repr(self):
        return "\n".join(_line(key, value, lambda v: v.type()) for key, value in self.items())
