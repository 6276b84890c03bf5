"""PyTorch's overloads: their rows, schemas and dispatch keys, as tools/emit_tables.py has written them."""

import json
from pathlib import Path

_TABLE = json.loads(Path(__file__).with_name("overloads.json").read_text(encoding="utf-8"))
# pairs of a row, None if the operator is composed in Python, and a schema
OVERLOADS: list[tuple[str | None, str]] = [(row, schema) for row, schema in _TABLE["overloads"]]
# overload -> the dispatch keys for which PyTorch has a kernel
KERNELS: dict[str, str] = _TABLE["kernels"]
