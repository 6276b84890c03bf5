"""Operator schemas: parsing PyTorch's notation of arguments and results, and binding calls."""

import functools
import re

from minitorch._dispatch.schema_compatibility import backward, forward, key_of
from minitorch.core import types as _types

_PARTS = re.compile(
    r"^(?P<name>\w+)(?:\.(?P<overload>\w+))?\((?P<arguments>.*)\) -> (?P<returns>.*?)(?:  # (?P<tags>.*))?$"
)
_ARGUMENT = re.compile(
    r"^(?P<type>[\w.]+)(?P<first>\?)?(?:\((?P<alias>[^)]*)\))?(?P<inner>\?)?(?P<list>\[\d*\])?(?P<optional>\?)?"
    r"(?: (?P<name>\w+))?(?:=(?P<default>.*))?$"
)
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
    text : str
        As in ``Tensor(a!) self`` or ``int[2] stride=[]``.
    kwarg_only : bool
    """

    def __init__(self, text, kwarg_only=False):
        found = _ARGUMENT.match(text)
        if found is None:
            raise ValueError(f"not an argument of an operator: {text}")
        self.kind = found["type"]
        self.name = found["name"] or ""
        self.kwarg_only = kwarg_only
        self.is_list = found["list"] is not None
        question = bool(found["first"] or found["inner"])
        self.is_optional = bool(found["optional"]) or (question and not self.is_list)
        self.items_optional = question and self.is_list
        self.length = int(found["list"][1:-1] or 0) if self.is_list else 0
        self.N = self.length or None
        written = f"{self.kind}{'?' if self.items_optional else ''}{found['list'] or ''}"
        self.short_type = written + ("?" if self.is_optional else "")
        self.alias_info = AliasInfo(found["alias"]) if found["alias"] else None
        # is_write: the operator writes to it; is_out: it is also keyword-only
        self.is_write = self.alias_info is not None and self.alias_info.is_write
        self.is_out = kwarg_only and self.is_write
        self._required = found["default"] is None
        self.default_value = None if self._required else _default(found["default"], self)
        if self.length and not self.is_optional and not self._required:
            if not isinstance(self.default_value, list):
                self.default_value = [self.default_value] * self.length
        self._type = None
        self.is_tensor = self.kind == "Tensor" and not self.is_list

    def has_default_value(self):
        """Return whether the argument has a default, so that a call may omit it."""
        return not self._required

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


def _default(text, argument):
    if text in _NAMED_DEFAULTS:
        return _NAMED_DEFAULTS[text]
    if text.startswith("["):
        items = [_default(item.strip(), argument) for item in text[1:-1].split(",") if item.strip()]
        return items
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


def _split(text):
    """Split a text at the commas that are outside of brackets."""
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        if character in "([":
            depth += 1
        elif character in ")]":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(text[start:position].strip())
            start = position + 1
    last = text[start:].strip()
    return [*parts, last] if last else parts


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
        found = _PARTS.match(text)
        if found is None:
            raise ValueError(f"not the schema of an operator: {text}")
        self._text = text.partition("  # ")[0]
        self.namespace = namespace
        self.name = f"{namespace}::{found['name']}" if namespace else found["name"]
        self.overload_name = found["overload"] or ""
        self.tags = tuple((found["tags"] or "").split())
        self.arguments = []
        self.is_vararg = False
        keyword_only = False
        for part in _split(found["arguments"]):
            if part == "*":
                keyword_only = True
            elif part == "...":
                self.is_vararg = True
            else:
                self.arguments.append(Argument(part, keyword_only))
        if self.is_vararg and any(a.has_default_value() for a in self.arguments):
            raise RuntimeError(f"schemas with vararg (...) can't have default value args:\n{text}")
        self._positional = [a for a in self.arguments if not a.kwarg_only]
        self._names = [a.name for a in self._positional]
        returns = found["returns"]
        self.is_varret = returns == "..."
        if self.is_varret:
            self.returns = []
            return
        while returns.startswith("(") and returns.endswith(")"):
            returns = returns[1:-1]
        self.returns = [Argument(part) for part in _split(returns)]

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
