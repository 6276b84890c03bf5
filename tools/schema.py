"""Parsing of operator signatures: schemas in derivatives.toml, declarations in ops/*.pxd."""

import re
from dataclasses import dataclass, field
from pathlib import Path

# kind -> (C type on TensorImpls, C type on recorded Tensors)
C_TYPES = {
    "Tensor": ("TensorImpl", "TensorBase"),
    "Tensor?": ("TensorImpl", "TensorBase"),
    "Tensor[]": ("list", "list"),
    "Tensor?[]": ("list", "list"),
    "int": ("Py_ssize_t", "Py_ssize_t"),
    "int?": ("object", "object"),
    "int[]": ("tuple", "tuple"),
    "int[]?": ("object", "object"),
    "Scalar": ("object", "object"),
    "Scalar?": ("object", "object"),
    "float": ("double", "double"),
    "float?": ("object", "object"),
    "bool": ("bint", "bint"),
    "bool?": ("object", "object"),
    "str": ("str", "str"),
    "str?": ("object", "object"),
    "ScalarType": ("int", "int"),
    "ScalarType?": ("int", "int"),
    "MemoryFormat": ("int", "int"),
    "Generator?": ("object", "object"),
    "any": ("object", "object"),  # between formulas only
}
SCALARS = {"Scalar", "Scalar?", "int", "int?", "float", "float?", "bool", "bool?"}


@dataclass
class Parameter:
    """One parameter: its kind (a key of C_TYPES), name and default (source text or None)."""

    kind: str
    name: str
    default: str | None = None
    keyword_only: bool = False
    length: int = 0  # of int[2]: a single number is repeated

    @property
    def is_tensor(self) -> bool:
        return self.kind in ("Tensor", "Tensor?")

    @property
    def is_tensor_list(self) -> bool:
        return self.kind in ("Tensor[]", "Tensor?[]")


@dataclass
class Schema:
    """``name(parameters) -> returns``, where `returns` are (kind, name) pairs."""

    name: str
    parameters: list[Parameter]
    returns: list[tuple[str, str]] = field(default_factory=list)

    @property
    def returns_list(self) -> bool:
        return bool(self.returns) and self.returns[0][0] == "Tensor[]"

    def parameter(self, name: str) -> Parameter | None:
        return next((p for p in self.parameters if p.name == name), None)


_PARAMETER = re.compile(r"^([A-Za-z]+(?:\?)?(?:\[\d*\])?\??)\s+(\w+)(?:\s*=\s*(.+))?$")


def split_arguments(text: str) -> list[str]:
    """Split at commas outside brackets."""
    parts, depth, start = [], 0, 0
    for k, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            parts.append(text[start:k])
            start = k + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def parse_schema(text: str) -> Schema:
    """Parse ``"add(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"``."""
    match = re.match(r"^(\w+)\((.*)\)\s*->\s*(.+)$", text.strip())
    if match is None:
        raise ValueError(f"not a schema: {text!r}")
    name, arguments, returns = match.groups()
    parameters, keyword_only = [], False
    for argument in split_arguments(arguments):
        if argument == "*":
            keyword_only = True
            continue
        parsed = _PARAMETER.match(argument)
        if parsed is None:
            raise ValueError(f"not a parameter: {argument!r} in {text!r}")
        kind, parameter_name, default = parsed.groups()
        length = re.search(r"\[(\d+)\]", kind)
        kind = re.sub(r"\[\d+\]", "[]", kind)
        if kind not in C_TYPES:
            raise ValueError(f"unknown type {kind!r} in {text!r}")
        parameters.append(
            Parameter(kind, parameter_name, default, keyword_only, int(length[1]) if length else 0)
        )
    returns = returns.strip()
    if returns.startswith("("):
        items = split_arguments(returns[1:-1])
    else:
        items = [returns]
    pairs = []
    for k, item in enumerate(items):
        kind, _, result_name = item.partition(" ")
        pairs.append((kind, result_name or ("result" if len(items) == 1 else f"result{k}")))
    return Schema(name, parameters, pairs)


_DECLARATION = re.compile(r"^cdef\s+\w+\s+(\w+)\(", re.M)


def find_operators(ops: Path) -> dict[str, list[str]]:
    """Return the modules of ops/ that declare each name, according to the .pxd files."""
    found: dict[str, list[str]] = {}
    for path in sorted(ops.glob("*.pxd")):
        for name in _DECLARATION.findall(path.read_text()):
            found.setdefault(name, []).append(path.stem)
    return found
