"""Signatures of operators, in the notation of PyTorch's tables and of its messages.

Purpose
-------
The tables of operators hold signatures in PyTorch's own notation, such as
``"add(Tensor input, Tensor other, *, Scalar alpha=1, Tensor out=None)|deprecated"``: types of C++,
``?`` where None will do, ``[2]`` where one integer will do for two. Error messages print the same
signature with Python's types: ``(Tensor input, Tensor other, *, Number alpha = 1)``.

Interface
---------
:func:`parse_signature` makes a :class:`Signature` of :class:`Parameter` objects; ``str`` of it is
the printed form.
"""

import ast
from dataclasses import dataclass
from functools import cache, cached_property

from minitorch.core.arg_types import INT_LISTS, PLAIN_TYPES, PRINTED_NAMES


@dataclass(frozen=True)
class Parameter:
    """One parameter of a signature."""

    name: str
    type: str  # C++'s, as the signature writes it
    size: int = 0  # of IntArrayRef[2]: a single integer will do, and is repeated
    allow_none: bool = False
    keyword_only: bool = False
    default: str | None = None  # its text; None where the argument is required

    @property
    def printed_type(self):
        return PRINTED_NAMES[self.type]

    @cached_property
    def plain_types(self):
        """The classes of Python whose objects always fit."""
        return PLAIN_TYPES.get(self.type, ())

    @cached_property
    def default_value(self):
        """The default as a Python value, which must not be changed.

        The name of a C++ constant, such as ``torch.strided``, stays text.
        """
        try:
            value = ast.literal_eval(self.default.replace("{", "(").replace("}", ")"))
        except (SyntaxError, ValueError):
            return self.default
        if self.type in INT_LISTS and isinstance(value, int):
            return (value,) * max(self.size, 1)
        return float(value) if self.type == "double" and value is not None else value


@dataclass(frozen=True)
class Signature:
    """One overload of an operator."""

    name: str
    parameters: tuple[Parameter, ...]
    deprecated: bool = False  # accepted, but never shown

    @cached_property
    def min_args(self):
        return sum(parameter.default is None for parameter in self.parameters)

    @cached_property
    def max_positional(self):
        return sum(not parameter.keyword_only for parameter in self.parameters)

    @cached_property
    def names(self):
        """The names of the parameters."""
        return tuple(parameter.name for parameter in self.parameters)

    @cached_property
    def required(self):
        """The number of parameters up to the last one without a default."""
        needed = [i for i, parameter in enumerate(self.parameters) if parameter.default is None]
        return needed[-1] + 1 if needed else 0

    @cached_property
    def default_values(self):
        """The default of each parameter, None if it has none."""
        return tuple(
            None if parameter.default is None else parameter.default_value
            for parameter in self.parameters
        )

    @cached_property
    def takes_varargs(self):
        """True if ``view(2, 3)`` may be written for ``view((2, 3))``."""
        if self.max_positional != 1:
            return False
        first = self.parameters[0]
        return first.type in INT_LISTS and first.default is None

    def __str__(self):
        parts = []
        for parameter in self.parameters:
            if parameter.keyword_only and "*" not in parts:
                parts.append("*")
            default = "" if parameter.default is None else f" = {parameter.default}"
            parts.append(f"{parameter.printed_type} {parameter.name}{default}")
        return f"({', '.join(parts)})"


@cache
def parse_signature(text):
    """Read a signature.

    Parameters
    ----------
    text : str
        The signature, such as ``"add(Tensor input, Tensor other, *, Scalar alpha=1, Tensor
        out=None)"``. A signature that ends with ``|deprecated`` is never shown.

    Returns
    -------
    Signature
    """
    name, _, rest = text.partition("(")
    body, _, flag = rest.rpartition(")")
    parameters, keyword_only = [], False
    for part in filter(None, body.split(", ")):
        if part == "*":
            keyword_only = True
        else:
            parameters.append(_parse_parameter(part, keyword_only))
    return Signature(name, tuple(parameters), flag == "|deprecated")


def _parse_parameter(text, keyword_only):
    kind, _, name = text.partition(" ")
    name, equals, default = name.partition("=")
    kind, question, _ = kind.partition("?")
    kind, _, size = kind.partition("[")
    return Parameter(
        name,
        kind,
        int(size.rstrip("]") or 0),
        allow_none=bool(question) or default == "None",
        keyword_only=keyword_only,
        default=default if equals else None,
    )
