"""Operator schemas as programs see them, with default values, and binding calls to them."""

import functools
import re

from minitorch._dispatch.schema_compatibility import backward, forward, key_of
from minitorch.core import types as _types
from minitorch.parsing import grammar

_FLOAT = re.compile(r"(?<=[=\[ ])-?\d+(?:\.\d*)?(?:e[-+]?\d+)?(?=[,)\]])")
_NAMESPACE = re.compile(r"^(\w+)::")
_SINGLE_QUOTES = re.compile(r"='([^']*)'")
_TYPE_NAMES = {
    "Scalar": "number",
    "SymInt": "int",
    "ScalarType": "int",
    "MemoryFormat": "int",
    "Layout": "int",
}
_NAMED_DEFAULTS = {
    "None": None,
    "True": True,
    "False": False,
    "Mean": 1,
    "long": 4,
    "contiguous_format": _types.contiguous_format,
}


class Argument:
    """Argument or result of an operator.

    Parameters
    ----------
    parsed : minitorch.parsing.grammar.Argument
    """

    def __init__(self, parsed):
        self.kind = parsed.type
        self.name = parsed.name
        self.kwarg_only = parsed.keyword_only
        self.is_list = parsed.is_list
        self.is_optional = parsed.is_optional
        self.items_optional = parsed.items_optional
        self.length = parsed.length
        self.N = parsed.length or None
        self.is_tensor = parsed.is_tensor
        self._parsed = parsed
        self.alias_info = AliasInfo(parsed.alias) if parsed.alias else None
        # is_write: the operator writes to it; is_out: it is also keyword-only
        self.is_write = self.alias_info is not None and self.alias_info.is_write
        self.is_out = parsed.keyword_only and self.is_write
        self._required = parsed.default is None
        self.default_value = None if self._required else _default(parsed.default)
        if self.length and not self.is_optional and not self._required:
            if not isinstance(self.default_value, list):
                self.default_value = [self.default_value] * self.length

    def has_default_value(self):
        """Return whether the argument has a default, so that a call may omit it."""
        return not self._required

    @property
    def short_type(self):
        """The type as it is written in schemas, such as ``int[2]?``."""
        return self._parsed.sized_kind

    @functools.cached_property
    def type(self):
        """The type in TorchScript's notation."""
        text = _TYPE_NAMES.get(self.kind, self.kind)
        if self.items_optional:
            text = f"Optional[{text}]"
        if self.is_list:
            text = f"List[{text}]"
        return f"Optional[{text}]" if self.is_optional else text

    @property
    def real_type(self):
        """The type in TorchScript's notation."""
        return self.type

    def __repr__(self):
        return f"<Argument {self.name}: {self.type}>"


class AliasInfo:
    """Alias sets of an argument or result, and whether the operator writes to it."""

    def __init__(self, text):
        before, _, after = text.partition(" -> ")
        self.is_write = "!" in before
        self.before_set = {name.strip("! ") for name in before.split("|")}
        self.after_set = {name.strip("! ") for name in (after or before).split("|")}

    def __repr__(self):
        return f"<AliasInfo {sorted(self.before_set)}{' written' if self.is_write else ''}>"


def _default(text):
    if text in _NAMED_DEFAULTS:
        return _NAMED_DEFAULTS[text]
    if text.startswith("["):
        return [_default(item.strip()) for item in text[1:-1].split(",") if item.strip()]
    if text.startswith('"') or text.startswith("'"):
        return text[1:-1]
    try:
        return int(text)
    except ValueError:
        return float(text)


def _as_printed(found):
    """Format a floating-point default with the digits that C++ prints."""
    number = found[0]
    if "." not in number and "e" not in number:
        return number
    value = float(number)
    if value.is_integer() and abs(value) < 1 << 63:
        return f"{value:.0f}."
    return f"{value:.17g}"


class FunctionSchema:
    """Arguments and results of an operator.

    Parameters
    ----------
    text : str
        The schema in PyTorch's notation.
    namespace : str, default "aten"

    Examples
    --------
    >>> from minitorch._dispatch.schema import FunctionSchema
    >>> schema = FunctionSchema("add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor")
    >>> schema.overload_name, [a.name for a in schema.arguments]
    ('Tensor', ['self', 'other', 'alpha'])
    """

    def __init__(self, text, namespace="aten"):
        parsed = grammar.parse_schema(text)
        self._text = text.partition("  # ")[0]
        self.namespace = namespace
        self.name = f"{namespace}::{parsed.name}" if namespace else parsed.name
        self.overload_name = parsed.overload
        self.tags = parsed.tags
        self.arguments = [Argument(a) for a in parsed.arguments]
        self.is_vararg = parsed.is_vararg
        if self.is_vararg and any(a.has_default_value() for a in self.arguments):
            raise RuntimeError(f"schemas with vararg (...) can't have default value args:\n{text}")
        self._positional = [a for a in self.arguments if not a.kwarg_only]
        self._names = [a.name for a in self._positional]
        self.is_varret = parsed.is_varret
        self.returns = [Argument(r) for r in parsed.returns]

    @functools.cached_property
    def form(self):
        """The form of the row: "" for functional, "_" for in place, "_out"."""
        if any(a.is_out for a in self.arguments):
            return "_out"
        writes = bool(self.arguments) and self.arguments[0].is_write
        return "_" if writes and self.name.endswith("_") else ""

    @property
    def is_mutable(self):
        """True if the operator writes to an argument."""
        return any(a.is_write for a in self.arguments)

    def is_backward_compatible_with(self, old):
        """Return whether every call of the older schema is valid for this one."""
        return backward(self, old)

    def check_forward_compatible_with(self, old):
        """Return whether calls of this schema without its new arguments are valid for an older one.

        The result is a pair of a bool and the reason for False.
        """
        return forward(self, old)

    def _key(self):
        parts = (tuple(map(key_of, part)) for part in (self.arguments, self.returns))
        return self.name, self.overload_name, self.is_vararg, self.is_varret, *parts

    def __eq__(self, other):
        return self is other or isinstance(other, FunctionSchema) and self._key() == other._key()

    def __hash__(self):
        return hash((self.name, self.overload_name))

    def __str__(self):
        text = _SINGLE_QUOTES.sub(r'="\1"', _FLOAT.sub(_as_printed, self._text))
        return f"{self.namespace}::{text}" if self.namespace else text

    __repr__ = __str__

    def bind(self, args, kwargs):
        """Return the arguments of a call by name, with defaults for omitted ones.

        Raises
        ------
        RuntimeError
            An argument is missing, unknown or given twice, or there are too many.
        """
        given = len(args) + len(kwargs)
        if given > len(self.arguments):
            raise RuntimeError(
                f"{self.name}() expected at most {len(self.arguments)} argument(s) but received {given} argument(s). "
                f"Declaration: {self}"
            )
        if len(args) > len(self._positional):
            raise RuntimeError(
                f"{self.name}() takes {len(self._positional)} positional argument(s) but {len(args)} was/were given.  "
                f"Declaration: {self}"
            )
        values = dict(zip(self._names, args, strict=False))
        for a in self.arguments[len(args) :]:
            if a.name in kwargs:
                values[a.name] = kwargs[a.name]
            elif not a._required:
                values[a.name] = a.default_value
            else:
                raise RuntimeError(
                    f"{self.name}() is missing value for argument '{a.name}'. Declaration: {self}"
                )
        for name in kwargs:
            if name not in values:
                raise RuntimeError(
                    f"Unknown keyword argument '{name}' for operator '{self.name}'. Schema: {self}"
                )
            if name in self._names[: len(args)]:
                raise RuntimeError(
                    f"Argument '{name}' specified both as positional and keyword argument. Schema: {self}"
                )
        return values

    def call(self, values):
        """Return ``(args, kwargs)`` for these values; trailing defaults are omitted."""
        args = [values[name] for name in self._names]
        kwargs = {}
        for a in self.arguments[len(args) :]:
            if a._required or not _is_default(a, values[a.name]):
                kwargs[a.name] = values[a.name]
        for a in reversed(self._positional):
            if a._required or not _is_default(a, args[-1]):
                break
            args.pop()
        return tuple(args), kwargs


def _is_default(argument, value):
    """Return whether a value equals the default of an argument that has one."""
    default = argument.default_value
    if isinstance(value, (list, tuple)):
        return all(v == default for v in value) if type(default) is int else list(value) == default
    if default is None or value is None:
        return default is value
    if argument.kind == "Scalar" and type(value) is not type(default):
        return False  # 1.0 and 1 differ as scalars
    return isinstance(value, (bool, int, float, str)) and value == default


def parse_schema(schema):
    """Parse a schema; its name has a namespace if the text has one.

    Raises
    ------
    RuntimeError
        The text is not a schema.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch._C.parse_schema("add.Tensor(Tensor self, Tensor other) -> Tensor").overload_name
    'Tensor'
    """
    if "->" not in schema:
        raise RuntimeError(f"expected arrow but found 'eof' here:\n{schema}\n")
    namespace = _NAMESPACE.match(schema)
    name = namespace[1] if namespace else ""
    try:
        return FunctionSchema(schema.removeprefix(f"{name}::"), name)
    except ValueError as error:
        raise RuntimeError(str(error)) from None
