"""The signatures of each public name, and the rows that implement them.

A row has one schema, but PyTorch's parser has several signatures per name, which it tries in order
and prints in its errors. Signatures that differ from the schemas of the rows are listed in the
records of the operators, in PyTorch's notation. A method has the signatures of its function without
``input`` and ``out``, and its in-place form has those of the method, unless ``Tensor.name(...)``
specifies others. ``name_(...)`` is the signature of an in-place function.
"""

import itertools

from tools.grammar import Argument, parse_argument, parse_signature
from tools.grammar import Declaration as Overload
from tools.rows import Row
from tools.schema import Parameter

# kind of a parameter in a row -> its type in PyTorch's signatures
NAMES = {
    "Tensor": "Tensor", "Tensor?": "Tensor?", "Tensor[]": "TensorList",
    "Tensor?[]": "c10::List<::std::optional<Tensor>>", "int": "int64_t", "int?": "int64_t?",
    "int[]": "IntArrayRef", "int[]?": "IntArrayRef?", "Scalar": "Scalar", "Scalar?": "Scalar?",
    "float": "double", "float?": "double?", "bool": "bool", "bool?": "bool?", "str": "c10::string_view",
    "str?": "c10::string_view?", "ScalarType": "ScalarType", "ScalarType?": "ScalarType?",
    "MemoryFormat": "MemoryFormat", "Generator?": "Generator?",
}  # fmt: skip
# type in a signature, without ? and size -> the kinds that accept its values; the first is the
# exact one
KINDS = {
    "Tensor": ("Tensor",), "TensorList": ("Tensor[]", "Tensor?[]"),
    "c10::List<::std::optional<Tensor>>": ("Tensor?[]",), "int64_t": ("int", "int[]", "Scalar"),
    "SymInt": ("int", "int[]", "Scalar"), "IntArrayRef": ("int[]",), "SymIntArrayRef": ("int[]",),
    "Scalar": ("Scalar",), "double": ("float", "Scalar"), "bool": ("bool",),
    "c10::string_view": ("str",), "ScalarType": ("ScalarType",), "MemoryFormat": ("MemoryFormat",),
    "Generator": ("Generator",),
}  # fmt: skip
# operators for which PyTorch's parser accepts a number for any tensor
NUMBERS_AS_TENSORS = {"add", "sub", "subtract_scalar", "mul", "div", "floor_divide", "copy"}


def text_of(overload: Overload) -> str:
    """Return a signature in PyTorch's notation."""
    parts = []
    for argument in overload.arguments:
        if argument.keyword_only and "*" not in parts:
            parts.append("*")
        parts.append(str(argument))
    return f"{overload.name}({', '.join(parts)}){'|deprecated' * overload.deprecated}"


def as_method(overload: Overload) -> Overload:
    """Return the signature of the method: that of the function without `input` and `out`."""
    kept = [a for a in overload.arguments if a.name != "input" and not _is_out(a)]
    return overload._replace(arguments=tuple(kept))


def has_out(overload: Overload) -> bool:
    return any(map(_is_out, overload.arguments))


def _is_out(argument: Argument) -> bool:
    return argument.name == "out" and argument.keyword_only


def by_name(texts: list[str]) -> dict[str, list[Overload]]:
    """Return the signatures of the records by name, with methods under ``Tensor.name``."""
    found: dict[str, list[Overload]] = {}
    for overload in map(parse_signature, texts):
        key = ".".join(filter(None, (overload.owner, overload.name)))
        found.setdefault(key, []).append(overload)
    return found


def schema_overload(row: Row) -> Overload:
    """Return the signature that corresponds to the schema of a row."""
    arguments = []
    for p in row.schema.parameters:
        kind = NAMES[p.kind]
        if p.length:
            kind = kind.replace("IntArrayRef", f"IntArrayRef[{p.length}]")
        name = "input" if p.name == "self" else p.name
        default = "" if p.default is None else "=" + p.default.replace(" ", "")
        if p.kind == "MemoryFormat":
            kind, default = "MemoryFormat?", "=None"
        arguments.append(parse_argument(f"{kind} {name}{default}", p.keyword_only))
    if "out" in row.variants:
        arguments.append(parse_argument("Tensor out=None", True))
    return Overload(row.public_name, tuple(arguments))


def overloads(
    facts: dict[str, list[Overload]], name: str, rows: list[Row], variant: str
) -> list[Overload]:
    """Return the signatures of a function or method, in the order of the parser."""
    if variant == "function":
        own = [schema_overload(row) for row in rows]
        # an alias has a line only if it differs from the first name
        other = facts.get(rows[0].public_name, own) if rows else own
        return facts.get(name) or [overload._replace(name=name) for overload in other]
    if variant == "inplace":
        method = facts.get(f"Tensor.{name}_") or overloads(facts, name, rows, "method")
        return [overload._replace(name=name + "_") for overload in method]
    if f"Tensor.{name}" in facts:
        return facts[f"Tensor.{name}"]
    functions = overloads(facts, name, rows, "function")
    return [as_method(o) for o in functions if any(a.name == "input" for a in o.arguments)]


# ---- rows that implement a signature


def parameter_of(row: Row, argument: Argument) -> Parameter | None:
    """Return the parameter of the row that corresponds to an argument."""
    # PyTorch prints `self` as `input`, and `from` cannot be a parameter name in the row of random_
    names = (argument.name, *(["self"] if argument.name == "input" else []), argument.name + "_")
    return next(filter(None, map(row.schema.parameter, names)), None)


def _takes(row: Row, p: Parameter, argument: Argument) -> bool:
    if argument.is_optional and not p.kind.endswith("?") and p.default is None:
        return False
    kind = p.kind.removesuffix("?")
    if kind in KINDS.get(argument.type, ()):
        return True
    return argument.type == "Scalar" and p.name in row.numbers


def serving_rows(overload: Overload, rows: list[Row], method: bool) -> list[int]:
    """Return the indices of the rows that implement a signature, the closest first.

    A row may lack arguments with defaults. At run time it is skipped if they are given.
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
                if argument.default is None:
                    break
                continue
            if not _takes(row, p, argument):
                break
            inexact += p.kind.removesuffix("?") != KINDS[argument.type][0]
            inexact += p.kind.endswith("?") != argument.is_optional
            del unused[p.name]
        else:
            if all(p.default is not None or p.kind.endswith("?") for p in unused.values()):
                found.append(((lacking, len(unused), inexact), index))
    # a row that lacks only out= is closer than one with additional parameters
    return [index for _, index in sorted(found)]


def refused_numbers(
    row: Row, accepted: list[Overload], method: bool, out: bool
) -> list[tuple[list[str], bool]]:
    """Return combinations of numbers that no signature accepts: (parameters, has out=)."""
    if row.public_name in NUMBERS_AS_TENSORS:
        return []
    names = [p.name for p in row.own(method) if p.name in row.numbers]
    refused: list[tuple[list[str], bool]] = []
    for count in range(1, len(names) + 1):
        for chosen in map(list, itertools.combinations(names, count)):
            fitting = [o for o in accepted if _has_numbers(o, row, set(chosen), set(names))]
            if not fitting:
                refused.append((chosen, False))
            elif out and not any(has_out(o) for o in fitting):
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
    """Return lists for which single integers are accepted if all are given so (movedim)."""
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
