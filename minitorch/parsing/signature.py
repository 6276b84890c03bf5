"""Signatures of Python functions, with the properties that the argument parser needs.

Purpose
-------
The tables of operators hold signatures in PyTorch's notation, such as ``"add(Tensor input, Tensor
other, *, Scalar alpha=1, Tensor out=None)|deprecated"``: types of C++, ``?`` if None is accepted,
``[2]`` if a single integer is accepted for two. Error messages print the same signature with
Python's types: ``(Tensor input, Tensor other, *, Number alpha = 1)``.

Interface
---------
:func:`parse_signature` makes a :class:`Signature` of :class:`Parameter` objects; ``str`` of it is
the printed form.
"""

import ast
from dataclasses import dataclass
from functools import cache, cached_property

from minitorch.parsing import grammar
from minitorch.parsing.values import INT_LISTS, PLAIN_TYPES, PRINTED_NAMES


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
    parsed = grammar.parse_signature(text)
    parameters = tuple(map(_parameter, parsed.arguments))
    return Signature(parsed.name, parameters, parsed.deprecated)


def _parameter(argument):
    return Parameter(
        argument.name,
        argument.type,
        argument.length,
        argument.is_optional or argument.default == "None",
        argument.keyword_only,
        argument.default,
    )
