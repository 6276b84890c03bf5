"""Write documentation_table.py: the docstrings of the operators' records.

The table is a Python module, so that Python stores it compiled and reads it at once when a program
first looks at a docstring. ``minitorch/autograd/functions/documentation.py`` derives from it the
docstrings of methods, in-place forms and aliases.

    python -m tools.emit_documentation

writes the table anew after a docstring in a record has been edited; nothing has to be compiled.
"""

import inspect
from pathlib import Path

from tools.emit_tables import HEAD
from tools.records import load_documentation


def public_name(record: str, entry: dict) -> str:
    """Return the name under which programs call the operator of a record."""
    name = entry.get("function_name", record)
    return f"{name}_" if entry.get("inplace_only") and not name.endswith("_") else name


def emit_documentation_table(entries: dict[str, dict]) -> str:
    """Return the text of documentation_table.py."""
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
    lines = [HEAD.format("The docstrings of the operators' records.")]
    lines.append("# public name -> docstring, without a signature")
    lines += ["DOCS: dict[str, str] = {", *(f"    {k!r}: {v!r}," for k, v in docs.items()), "}"]
    lines.append("# another name of an operator -> its first name")
    lines += [f"ALIASES: dict[str, str] = {aliases!r}"]
    lines.append("# public name -> parameters in Python's notation, where no parser has them")
    lines += [f"CALLS: dict[str, list[str]] = {calls!r}"]
    lines.append("# method -> the parameter whose integers it takes one by one too")
    lines += [f"VARARGS: dict[str, str] = {varargs!r}"]
    return "\n".join(lines) + "\n"


def main(root: Path) -> None:
    """Write the table of the source tree at `root`, if it changes."""
    autograd = root / "minitorch" / "autograd"
    path = autograd / "functions" / "documentation_table.py"
    text = emit_documentation_table(load_documentation(autograd))
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(__file__).resolve().parent.parent)
