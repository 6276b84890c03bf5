"""What the argument parser accepts under each public name, and which rows compute it.

A row has one schema; PyTorch's parser has, for a name, several signatures that it tries in order and
prints in its errors. Where they are not what the schemas of the name's rows say, they stand in
``minitorch/autograd/signatures.txt``, in PyTorch's own notation, one to a line. A method's signatures
are its function's without ``input`` and ``out``, and those in place are the method's, unless lines of
their own, ``Tensor.name(...)``, say otherwise. A line ``name_(...)`` is of a function that works in place.
"""

import itertools
import re
from dataclasses import dataclass, replace
from pathlib import Path

from tools.rows import Row
from tools.schema import Parameter

# kind of a row's parameter -> its type in PyTorch's signatures
NAMES = {
    "Tensor": "Tensor", "Tensor?": "Tensor?", "Tensor[]": "TensorList",
    "Tensor?[]": "c10::List<::std::optional<Tensor>>", "int": "int64_t", "int?": "int64_t?",
    "int[]": "IntArrayRef", "int[]?": "IntArrayRef?", "Scalar": "Scalar", "Scalar?": "Scalar?",
    "float": "double", "float?": "double?", "bool": "bool", "bool?": "bool?", "str": "c10::string_view",
    "str?": "c10::string_view?", "ScalarType": "ScalarType", "ScalarType?": "ScalarType?",
    "MemoryFormat": "MemoryFormat", "Generator?": "Generator?",
}  # fmt: skip
# type in a signature, without ? and size -> the kinds that can take its values; the first is its own
KINDS = {
    "Tensor": ("Tensor",), "TensorList": ("Tensor[]", "Tensor?[]"),
    "c10::List<::std::optional<Tensor>>": ("Tensor?[]",), "int64_t": ("int", "int[]", "Scalar"),
    "SymInt": ("int", "int[]", "Scalar"), "IntArrayRef": ("int[]",), "SymIntArrayRef": ("int[]",),
    "Scalar": ("Scalar",), "double": ("float", "Scalar"), "bool": ("bool",),
    "c10::string_view": ("str",), "ScalarType": ("ScalarType",), "MemoryFormat": ("MemoryFormat",),
    "Generator": ("Generator",),
}  # fmt: skip
# PyTorch's parser lets a number stand for any tensor of these
NUMBERS_AS_TENSORS = {"add", "sub", "mul", "div", "floor_divide", "copy"}


@dataclass(frozen=True)
class Argument:
    """One argument of a signature: its text, and what can be read off it."""

    text: str
    keyword_only: bool

    @property
    def type(self) -> str:
        return re.sub(r"(\[\d*\])?\??$", "", self.text.split(" ")[0])

    @property
    def optional(self) -> bool:
        return self.text.split(" ")[0].endswith("?")

    @property
    def name(self) -> str:
        return self.text.split(" ")[1].partition("=")[0]

    @property
    def has_default(self) -> bool:
        return "=" in self.text


@dataclass(frozen=True)
class Overload:
    """One signature."""

    name: str
    arguments: tuple[Argument, ...]
    flag: str = ""  # "|deprecated": accepted, and never shown

    def __str__(self) -> str:
        parts = []
        for argument in self.arguments:
            if argument.keyword_only and "*" not in parts:
                parts.append("*")
            parts.append(argument.text)
        return f"{self.name}({', '.join(parts)}){self.flag}"

    def as_method(self) -> "Overload":
        kept = [a for a in self.arguments if a.name != "input"]
        return replace(self, arguments=tuple(a for a in kept if not _is_out(a)))

    @property
    def has_out(self) -> bool:
        return any(map(_is_out, self.arguments))


def _is_out(argument: Argument) -> bool:
    return argument.name == "out" and argument.keyword_only


def read_overload(text: str) -> Overload:
    """Read ``"add(Tensor input, Tensor other, *, Scalar alpha=1, Tensor out=None)"``."""
    name, _, rest = text.partition("(")
    body, _, flag = rest.rpartition(")")
    arguments, keyword_only = [], False
    for part in filter(None, body.split(", ")):
        if part == "*":
            keyword_only = True
        else:
            arguments.append(Argument(part, keyword_only))
    return Overload(name, tuple(arguments), flag)


def load_signatures(path: Path) -> dict[str, list[Overload]]:
    """The file's signatures by name, a method's under ``Tensor.name``."""
    found: dict[str, list[Overload]] = {}
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            overload = read_overload(line)
            key = overload.name
            overload = replace(overload, name=key.removeprefix("Tensor."))
            found.setdefault(key, []).append(overload)
    return found


def schema_overload(row: Row) -> Overload:
    """The signature that a row's schema says."""
    arguments = []
    for p in row.schema.parameters:
        kind = NAMES[p.kind]
        if p.length:
            kind = kind.replace("IntArrayRef", f"IntArrayRef[{p.length}]")
        name = "input" if p.name == "self" else p.name
        default = "" if p.default is None else "=" + p.default.replace(" ", "")
        if p.kind == "MemoryFormat":
            kind, default = "MemoryFormat?", "=None"
        arguments.append(Argument(f"{kind} {name}{default}", p.keyword_only))
    if "out" in row.variants:
        arguments.append(Argument("Tensor out=None", True))
    return Overload(row.public_name, tuple(arguments))


def overloads(
    facts: dict[str, list[Overload]], name: str, rows: list[Row], variant: str
) -> list[Overload]:
    """The signatures of a function, a method, or a method in place, in the parser's order."""
    if variant == "function":
        own = [schema_overload(row) for row in rows]
        # a second name has its own line only where it differs from the first
        other = facts.get(rows[0].public_name, own) if rows else own
        return facts.get(name) or [replace(overload, name=name) for overload in other]
    if variant == "inplace":
        method = facts.get(f"Tensor.{name}_") or overloads(facts, name, rows, "method")
        return [replace(overload, name=name + "_") for overload in method]
    if f"Tensor.{name}" in facts:
        return facts[f"Tensor.{name}"]
    functions = overloads(facts, name, rows, "function")
    return [o.as_method() for o in functions if any(a.name == "input" for a in o.arguments)]


# ---- which row computes a signature


def parameter_of(row: Row, argument: Argument) -> Parameter | None:
    """The row's parameter that an argument is for."""
    # PyTorch prints self as input, and the row of random_ cannot call an argument `from`
    names = (argument.name, *(["self"] if argument.name == "input" else []), argument.name + "_")
    return next(filter(None, map(row.schema.parameter, names)), None)


def _takes(row: Row, p: Parameter, argument: Argument) -> bool:
    if argument.optional and not p.kind.endswith("?") and p.default is None:
        return False
    kind = p.kind.removesuffix("?")
    if kind in KINDS.get(argument.type, ()):
        return True
    return argument.type == "Scalar" and p.name in row.numbers


def serving_rows(overload: Overload, rows: list[Row], method: bool) -> list[int]:
    """Which of the rows compute what a signature asks for, the closest first.

    A row may lack arguments that have defaults: at run time it is passed over when they are given.
    """
    found = []
    for index, row in enumerate(rows):
        own = row.own(method)
        unused = {p.name: p for p in own}
        lacking = inexact = 0
        for argument in overload.arguments:
            p = parameter_of(row, argument)
            if p is None or p.name not in unused:
                lacking += not (argument.name == "out" and "out" in row.variants)
                if not argument.has_default:
                    break
                continue
            if not _takes(row, p, argument):
                break
            inexact += p.kind.removesuffix("?") != KINDS[argument.type][0]
            inexact += p.kind.endswith("?") != argument.optional
            del unused[p.name]
        else:
            if all(p.default is not None or p.kind.endswith("?") for p in unused.values()):
                found.append(((lacking, len(unused), inexact), index))
    # what lacks nothing but out= is closer than what has too much
    return [index for _, index in sorted(found)]


def refused_numbers(
    row: Row, accepted: list[Overload], method: bool, out: bool
) -> list[tuple[list[str], bool]]:
    """Combinations of numbers for tensors that no signature has: (parameters, whether with out=)."""
    if row.public_name in NUMBERS_AS_TENSORS:
        return []
    names = [p.name for p in row.own(method) if p.name in row.numbers]
    refused: list[tuple[list[str], bool]] = []
    for count in range(1, len(names) + 1):
        for chosen in map(list, itertools.combinations(names, count)):
            fitting = [o for o in accepted if _has_numbers(o, row, set(chosen), set(names))]
            if not fitting:
                refused.append((chosen, False))
            elif out and not any(o.has_out for o in fitting):
                refused.append((chosen, True))
    return refused


def _has_numbers(overload: Overload, row: Row, numbers: set[str], names: set[str]) -> bool:
    given = {
        p.name: a.type
        for a in overload.arguments
        if (p := parameter_of(row, a)) and p.name in names
    }
    return given.keys() == names and {n for n in names if given[n] == "Scalar"} == numbers


def integers_or_lists(row: Row, accepted: list[Overload]) -> list[str]:
    """Lists for which one integer will do, when all of them are given so (movedim)."""
    names = [
        p.name
        for p in row.schema.parameters
        if p.kind == "int[]"
        and p.length
        and any(
            a.name == p.name and a.type in ("int64_t", "SymInt")
            for o in accepted
            for a in o.arguments
        )
    ]
    return names if len(names) > 1 else []
