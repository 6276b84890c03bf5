"""The docstrings of the operators' records, as tools/emit_documentation.py has written them."""

import json
from pathlib import Path

_TABLE = json.loads(Path(__file__).with_name("documentation.json").read_text(encoding="utf-8"))
# public name -> docstring, without a signature
DOCS: dict[str, str] = _TABLE["docs"]
# another name of an operator -> its first name
ALIASES: dict[str, str] = _TABLE["aliases"]
# public name -> parameters in Python's notation, where no parser has them
CALLS: dict[str, list[str]] = _TABLE["calls"]
# method -> the parameter whose integers it takes one by one too
VARARGS: dict[str, str] = _TABLE["varargs"]
