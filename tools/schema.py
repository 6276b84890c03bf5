"""The generator's view of schemas: C types of their arguments, and the operators of ops/*.pxd."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from tools import grammar
from tools.grammar import Argument as Parameter

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


def parse_schema(text: str) -> Schema:
    """Parse ``"add(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"``."""
    parsed = grammar.parse_schema(text)
    for p in parsed.arguments:
        if p.kind not in C_TYPES:
            raise ValueError(f"unknown type {p.kind!r} in {text!r}")
    name_of_one = "result" if len(parsed.returns) == 1 else "result{}"
    returns = [(r.kind, r.name or name_of_one.format(k)) for k, r in enumerate(parsed.returns)]
    return Schema(parsed.name, list(parsed.arguments), returns)


_DECLARATION = re.compile(r"^cdef\s+\w+\s+(\w+)\(", re.M)


def find_operators(ops: Path) -> dict[str, list[str]]:
    """Return the modules of ops/, such as "elementwise.binary", that declare each name, according to the .pxd files."""
    found: dict[str, list[str]] = {}
    for path in sorted(ops.rglob("*.pxd")):
        for name in _DECLARATION.findall(path.read_text()):
            module = ".".join(path.relative_to(ops).with_suffix("").parts)
            found.setdefault(name, []).append(module)
    return found
