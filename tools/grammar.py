"""The library's parser of schemas and signatures, for the generator.

The generator runs before anything is compiled, when the package cannot be imported. So this module
loads ``minitorch/parsing/grammar.py``, which imports nothing from the package, by its path.
"""

import importlib.util
import sys
from pathlib import Path

_PATH = Path(__file__).resolve().parent.parent / "minitorch" / "parsing" / "grammar.py"
_spec = importlib.util.spec_from_file_location("tools._grammar", _PATH)
assert _spec is not None and _spec.loader is not None
_grammar = importlib.util.module_from_spec(_spec)
sys.modules[_spec.name] = _grammar  # the classes name it as their module
_spec.loader.exec_module(_grammar)

Argument = _grammar.Argument
Declaration = _grammar.Declaration
parse_argument = _grammar.parse_argument
parse_schema = _grammar.parse_schema
parse_signature = _grammar.parse_signature
