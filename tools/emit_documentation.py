"""Write documentation.json: the docstrings of the operators' records.

It is read when a program first looks at a docstring. ``minitorch/autograd/functions/documentation.py``
derives from it the docstrings of methods, in-place forms and aliases.

    python -m tools.emit_documentation

writes the table anew after a docstring in a record has been edited; nothing has to be compiled.
"""

import inspect
from pathlib import Path

from tools.emit_tables import lines_of_json
from tools.records import load_documentation


def public_name(record: str, entry: dict) -> str:
    """Return the name under which programs call the operator of a record."""
    name = entry.get("function_name", record)
    return f"{name}_" if entry.get("inplace_only") and not name.endswith("_") else name


def emit_documentation(entries: dict[str, dict]) -> str:
    """Return the text of documentation.json."""
    docs: dict[str, str] = {}
    aliases: dict[str, str] = {}
    calls: dict[str, list[str]] = {}
    varargs: dict[str, str] = {}
    # of several records with the same public name, one with that name itself counts first
    for record, entry in sorted(entries.items(), key=lambda pair: "function_name" in pair[1]):
        name = public_name(record, entry)
        if "doc" in entry:
            docs.setdefault(name, inspect.cleandoc(entry["doc"]))
        if "call" in entry:
            found = entry["call"]
            calls.setdefault(name, [found] if isinstance(found, str) else found)
        if "varargs" in entry:
            varargs[name] = entry["varargs"]
        if "same_as" in entry:
            aliases[name.removeprefix("torch.")] = entry["same_as"]
        for alias in entry.get("aliases", "").split():
            aliases[alias] = name
    return lines_of_json({"docs": docs, "aliases": aliases, "calls": calls, "varargs": varargs})


def main(root: Path) -> None:
    """Write the table of the source tree at `root`, if it changes."""
    autograd = root / "minitorch" / "autograd"
    path = autograd / "functions" / "documentation.json"
    text = emit_documentation(load_documentation(autograd))
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(__file__).resolve().parent.parent)
