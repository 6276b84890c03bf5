"""Layers that only hold the arguments of a function, defined in one line each.

`layer` creates the class: the parameters become attributes, `forward` passes them to the function,
and `repr` shows them. A layer looks up its function in `nn.functional` at every call, because
programs that count operations replace functions there.
"""

from inspect import Parameter, Signature

from minitorch.nn import functional as F
from minitorch.nn.modules.module import Module

_REQUIRED = object()


class functional:
    """A class attribute that looks up a function of `nn.functional` by name at every access."""

    def __init__(self, name):
        self.name = name

    def __get__(self, instance, owner=None):
        return getattr(F, self.name)


def _signature(defaults):
    """Return the signature of a layer's ``__init__``."""
    kind = Parameter.POSITIONAL_OR_KEYWORD
    own = [
        Parameter(key, kind, default=Parameter.empty if value is _REQUIRED else value)
        for key, value in defaults.items()
    ]
    return Signature([Parameter("self", kind), *own])


def layer(name, function, doc, shown="", keywords=False, **defaults):
    """Create a Module subclass.

    Parameters
    ----------
    function : str or callable
        The name of a function in `nn.functional`, or an operator. It is called with the input and
        the attributes, in their order.
    shown : str
        Names of the attributes that `repr` shows; "inplace?" is shown only when true.
    defaults
        The parameters of ``__init__`` with their defaults, `_REQUIRED` for those without one.
    """
    names = tuple(defaults)

    def __init__(self, *args, **kwargs):
        Module.__init__(self)
        if len(args) > len(names):
            needed = 1 + sum(value is _REQUIRED for value in defaults.values())
            most = f"from {needed} to {len(names) + 1} positional arguments"
            raise TypeError(
                f"{name}.__init__() takes {most if names else '1 positional argument'} but "
                f"{len(args) + 1} were given"
            )
        values = dict(zip(names, args, strict=False))
        for key, value in kwargs.items():
            if key not in defaults:
                raise TypeError(f"{name}.__init__() got an unexpected keyword argument '{key}'")
            if key in values:
                raise TypeError(f"{name}.__init__() got multiple values for argument '{key}'")
            values[key] = value
        missing = [k for k in names if defaults[k] is _REQUIRED and k not in values]
        if missing:
            listed = " and ".join(f"'{k}'" for k in missing)
            plural = "s" if len(missing) > 1 else ""
            raise TypeError(
                f"{name}.__init__() missing {len(missing)} required positional argument{plural}: "
                f"{listed}"
            )
        for key in names:
            setattr(self, key, values.get(key, defaults[key]))
        self._prepare()

    if defaults:
        __init__.__signature__ = _signature(defaults)  # type: ignore[attr-defined]

    def forward(self, input):
        call = getattr(F, function) if isinstance(function, str) else function
        if keywords:
            return call(input, **{key: getattr(self, key) for key in names})
        return call(input, *[getattr(self, key) for key in names])

    forward.__qualname__ = f"{name}.forward"

    def extra_repr(self):
        parts = []
        for item in shown.split():
            key = item.rstrip("?")
            if not item.endswith("?") or getattr(self, key):
                parts.append(f"{key}={getattr(self, key)!r}")
        return ", ".join(parts)

    body = {"__doc__": doc, "__init__": __init__, "forward": forward, "extra_repr": extra_repr,
            "_prepare": lambda self: None, "__module__": "minitorch.nn"}  # fmt: skip
    return type(name, (Module,), body)
