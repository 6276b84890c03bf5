"""The record of each operator: everything that a table says about it, read from TOML once.

``minitorch/autograd/derivatives/`` has the operators that a row computes, with their formulas;
``composed.toml`` beside it has those that are composed in Python. A record of either may have

    signatures = ["add(Tensor input, Scalar alpha, Tensor other)|deprecated"]
                               what PyTorch's parser accepts under a public name, in the order in which
                               it tries them, unless the schemas of the rows say it already. A method,
                               ``Tensor.name(...)``, has signatures of its own only if they are not
                               those of the function without `input` and `out`
    parsed_as = ["..."]        the signatures of a function in Python with the decorator `parsed_as`
    overloads = ["add.Tensor(Tensor self, Tensor other) -> Tensor  # core  @ CPU Autograd"]
                               PyTorch's overloads that this row computes. Behind ``#`` are their tags,
                               behind ``@`` the dispatch keys for which PyTorch has a kernel of its own;
                               one for CompositeImplicitAutograd is a function of other operators. Among
                               several overloads of one form, the first that the arguments fit is meant:
                               a number for Scalar, a parameter of the row that the schema lacks at its
                               default
    composed = ["..."]         the overloads that are computed by a function in Python
    overloads_after = "row"    an operator's overloads are listed by their rows' names; these come after
                               those of the given row
    doc = '''...'''            the docstring, in NumPy's convention and without a signature. The docstrings of the
                               method, the in-place form and the aliases are derived from it; see
                               minitorch/autograd/functions/documentation.py
    call = "(*size, out=None)" the parameters in Python's notation, or a list of such, for a function that
                               takes ``*args`` and has no signatures
    remark = "..."             a remark for readers of the record

A record with no key but the last three documents a function that is written by hand. ``handwritten.toml``
has more of them, under ``"torch.NAME"`` or ``"Tensor.NAME"``, where only the function or only the method or
attribute is meant.
"""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

# the files of derivatives/, in the order in which their operators are generated
FILES = (
    "arithmetic", "functions", "comparison", "activation", "shape", "creation", "reduction", "indexing", "copied_views",
    "linalg", "nn", "random", "sorting", "special", "fourier",
)  # fmt: skip
KEYS = {
    "signatures", "parsed_as", "overloads", "composed", "overloads_after", "doc", "call", "remark",
}  # fmt: skip


@dataclass
class Records:
    """The records of all operators."""

    rows: dict[str, dict] = field(default_factory=dict)  # row -> its keys in derivatives/
    signatures: list[str] = field(default_factory=list)
    parsed_as: list[str] = field(default_factory=list)
    # pairs of the row that computes an overload, None if it is composed, and the overload's schema
    overloads: list[tuple[str | None, str]] = field(default_factory=list)
    kernels: dict[str, str] = field(default_factory=dict)  # overload -> its dispatch keys

    def add(self, row: str | None, overloads: list[str]) -> None:
        """Add overloads of a record."""
        for text in overloads:
            schema, _, keys = text.partition("  @ ")
            self.overloads.append((row, schema))
            if keys:
                self.kernels[schema.partition("(")[0]] = keys


def load_derivatives(autograd: Path) -> dict[str, dict]:
    """Read the records from ``derivatives/`` in a folder."""
    found: dict[str, dict] = {}
    files = {path.stem: path for path in (autograd / "derivatives").glob("*.toml")}
    if unknown := files.keys() ^ set(FILES):
        raise ValueError(f"derivatives/: FILES in tools/records.py differs in {sorted(unknown)}")
    for name in FILES:
        table = tomllib.loads(files[name].read_text(encoding="utf-8"))
        if twice := found.keys() & table.keys():
            raise ValueError(f"{name}.toml: {sorted(twice)} have a record in another file too")
        found.update(table)
    return found


def load_entries(autograd: Path) -> dict[str, dict]:
    """Read ``derivatives/`` and ``composed.toml`` in a folder, as they are written."""
    entries = load_derivatives(autograd)
    table = tomllib.loads((autograd / "composed.toml").read_text(encoding="utf-8"))
    if twice := entries.keys() & table.keys():
        raise ValueError(f"composed.toml: {sorted(twice)} have a record in derivatives/ too")
    entries.update(table)
    return entries


def load_documentation(autograd: Path) -> dict[str, dict]:
    """Read the records of operators and those of ``handwritten.toml``, for their docstrings."""
    entries = load_entries(autograd)
    table = tomllib.loads((autograd / "handwritten.toml").read_text(encoding="utf-8"))
    for name, entry in table.items():
        if not name.startswith(("torch.", "Tensor.")) or entry.keys() - {"doc", "call", "same_as"}:
            raise ValueError(
                f"handwritten.toml: {name}: a torch.NAME or Tensor.NAME with doc or call"
            )
        entries[name] = {**entries.get(name, {}), **entry}
    return entries


def load_records(autograd: Path) -> Records:
    """Read the records from ``derivatives/`` and ``composed.toml`` in a folder."""
    found = Records()
    entries = load_entries(autograd)
    for name, entry in entries.items():
        row = {key: value for key, value in entry.items() if key not in KEYS}
        if "schema" in row:
            found.rows[name] = row
        elif row or "overloads" in entry:
            raise ValueError(f"record [{name}]: no schema, but {sorted(entry)}")
        found.signatures += entry.get("signatures", ())
        found.parsed_as += entry.get("parsed_as", ())

    def place(name: str) -> tuple[str, bool]:
        before = entries[name].get("overloads_after")
        return before or name, before is not None

    for name in sorted(entries, key=place):
        found.add(name, entries[name].get("overloads", ()))
    for name in sorted(entries):
        found.add(None, entries[name].get("composed", ()))
    return found
