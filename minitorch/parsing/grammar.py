"""The grammar of operator schemas and of Python signatures.

Purpose
-------
PyTorch declares operators in two notations:

- a schema, ``add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)``,
  with the overload's name, aliases, results and, after two spaces and ``#``, tags;
- a signature of its Python parser, ``add(Tensor input, Tensor other, *, Scalar alpha=1, Tensor
  out=None)``, with types of C++, and with ``|deprecated`` at the end if it is never shown.

Their arguments have the same grammar. This module is the only one that parses either notation.

Interface
---------
:func:`parse_schema` and :func:`parse_signature` return a :class:`Declaration` of
:class:`Argument` objects. Types and defaults remain text: their meaning differs between the
generator (``tools/schema.py``), the argument parser (``parsing/signature.py``) and the dispatcher
(``_dispatch/schema.py``).

Invariants
----------
This module imports nothing from the package, because the generator loads it by its path before
anything has been compiled (``tools/grammar.py``).
"""

import re
from typing import NamedTuple

# patterns, which `re` compiles when a first text is parsed: an ordinary program parses none
_SCHEMA = (
    r"^(?P<name>\w+)(?:\.(?P<overload>\w+))?\((?P<arguments>.*)\) -> (?P<returns>.*?)"
    r"(?:  # (?P<tags>.*))?$"
)
_SIGNATURE = (
    r"^(?:(?P<owner>[\w.]+)\.)?(?P<name>\w+)\((?P<arguments>.*)\)(?P<deprecated>\|deprecated)?$"
)
_MARKS = r"[][(){},]"
_ARGUMENT = (
    r"^(?P<type>(?:(?:c10|std)::)?[\w.]+(?:<[\w:<>]+>|\*)?)"
    r"(?P<first>\?)?(?:\((?P<alias>[^)]*)\))?(?P<inner>\?)?(?P<list>\[\d*\])?(?P<optional>\?)?"
    r"(?: (?P<name>\w+))?(?:=(?P<default>.*))?$"
)


class Argument(NamedTuple):
    """An argument or a result."""

    type: str  # without brackets and question marks: "int", "IntArrayRef"
    name: str = ""  # a result may have none
    is_list: bool = False  # written with brackets
    length: int = 0  # of int[2]: a single number is repeated
    is_optional: bool = False  # accepts None
    items_optional: bool = False  # Tensor?[]: a list that may contain None
    alias: str = ""  # the text in the parentheses of Tensor(a!)
    default: str | None = None  # its text; None if the argument is required
    keyword_only: bool = False

    @property
    def kind(self) -> str:
        """The type with brackets and question marks, but without a length: ``int[]?``."""
        return self._type()

    @property
    def sized_kind(self) -> str:
        """The type with brackets, question marks and length: ``int[2]?``."""
        return self._type(length=self.length)

    def _type(self, alias: str = "", length: int = 0) -> str:
        alias = f"({alias})" if alias else ""
        inner, outer = "?" if self.items_optional else "", "?" if self.is_optional else ""
        brackets = f"[{length or ''}]" if self.is_list else ""
        return f"{self.type}{alias}{inner}{brackets}{outer}"

    @property
    def is_tensor(self) -> bool:
        """True for ``Tensor`` and ``Tensor?``."""
        return self.type == "Tensor" and not self.is_list

    @property
    def is_tensor_list(self) -> bool:
        """True for ``Tensor[]`` and ``Tensor?[]``."""
        return self.type == "Tensor" and self.is_list

    def __str__(self):
        text = self._type(self.alias, self.length) + (f" {self.name}" if self.name else "")
        return text if self.default is None else f"{text}={self.default}"


class Declaration(NamedTuple):
    """A schema or a signature."""

    name: str
    arguments: tuple[Argument, ...]
    returns: tuple[Argument, ...] = ()  # of a signature: none
    overload: str = ""  # of a schema: "Tensor" in add.Tensor
    owner: str = ""  # of a signature: "Tensor" for a method
    tags: tuple[str, ...] = ()
    is_vararg: bool = False  # the arguments end with "..."
    is_varret: bool = False  # the results are "..."
    deprecated: bool = False


def parse_schema(text: str) -> Declaration:
    """Parse ``"add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"``.

    Raises
    ------
    ValueError
        The text is not a schema.
    """
    found = re.match(_SCHEMA, text)
    if found is None:
        raise ValueError(f"not the schema of an operator: {text}")
    arguments, is_vararg = _parse_arguments(found["arguments"])
    returns = found["returns"]
    is_varret = returns == "..."
    while returns.startswith("(") and returns.endswith(")"):
        returns = returns[1:-1]
    return Declaration(
        found["name"],
        arguments,
        () if is_varret else tuple(map(parse_argument, split(returns))),
        overload=found["overload"] or "",
        tags=tuple((found["tags"] or "").split()),
        is_vararg=is_vararg,
        is_varret=is_varret,
    )


def parse_signature(text: str) -> Declaration:
    """Parse ``"add(Tensor input, Tensor other, *, Scalar alpha=1, Tensor out=None)"``.

    Raises
    ------
    ValueError
        The text is not a signature.
    """
    found = re.match(_SIGNATURE, text)
    if found is None:
        raise ValueError(f"not a signature: {text}")
    arguments, _ = _parse_arguments(found["arguments"])
    deprecated = found["deprecated"] is not None
    return Declaration(found["name"], arguments, owner=found["owner"] or "", deprecated=deprecated)


def parse_argument(text: str, keyword_only: bool = False) -> Argument:
    """Parse ``"int[2] stride=1"``, or ``"Tensor(a!)"``, a result without a name.

    Raises
    ------
    ValueError
        The text is not an argument.
    """
    found = re.match(_ARGUMENT, text)
    if found is None:
        raise ValueError(f"not an argument of an operator: {text}")
    kind, first, alias, inner, brackets, last, name, default = found.groups()
    is_list = brackets is not None
    question = bool(first or inner)
    return Argument(
        kind,
        name or "",
        is_list,
        int(brackets[1:-1] or 0) if is_list else 0,
        bool(last) or (question and not is_list),
        question and is_list,
        alias or "",
        default,
        keyword_only,
    )


def _parse_arguments(text: str) -> tuple[tuple[Argument, ...], bool]:
    """Return the arguments, and whether ``...`` follows them."""
    arguments, keyword_only, is_vararg = [], False, False
    for part in split(text):
        if part == "*":
            keyword_only = True
        elif part == "...":
            is_vararg = True
        else:
            arguments.append(parse_argument(part, keyword_only))
    return tuple(arguments), is_vararg


def split(text: str) -> list[str]:
    """Split a text at the commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for mark in re.finditer(_MARKS, text):
        character = mark[0]
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif depth == 0:
            parts.append(text[start : mark.start()].strip())
            start = mark.end()
    last = text[start:].strip()
    return [*parts, last] if last else parts
