"""What the docstrings of the public names lack.

    python -m tests.docs.coverage                      # the numbers of each namespace
    python -m tests.docs.coverage linalg nn.functional # what each name in these namespaces lacks
    python -m tests.docs.coverage Tensor.add nn.Linear # the docstrings of these names, and what they lack
    python -m tests.docs.coverage --write              # store the numbers that the test may not fall below

A name is complete if it has

- a summary: a first sentence that is not a signature;
- `Parameters`: a section that names every parameter, if there are any; ``*args`` and ``**kwargs`` need a text, and
  a class whose constructor has no signature needs the section, unless it is an exception or cannot be called;
- a result: a section `Returns` or `Yields`, unless the result is None; the attributes of Tensor need a type or
  shape in words;
- an example, which tests/docs/test_docstrings.py runs;
- details: shapes or dtypes in words, or a section `Raises`;
- a signature that `inspect.signature` finds, unless there are several;
- an entry in the reference.

The table of docstrings is written anew before anything is looked at, so after editing a record there is nothing to
build.
"""

import argparse
import inspect
import json
import re
import sys
import types
from dataclasses import dataclass, field
from pathlib import Path

from docs._ext.names import NAMESPACES, forms_of, public_names

ROOT = Path(__file__).resolve().parent.parent.parent
NUMBERS = Path(__file__).with_name("coverage.json")
KINDS = ("summary", "parameters", "result", "example", "details", "signature", "entry")
# a word that says something about shapes, dtypes or values
DETAILS = re.compile(
    r"\bshapes?\b|\bdtypes?\b|\bsizes?\b|\bdimensions?\b|\belements?\b|\bfloat(ing|\d\d)?\b|\bcomplex\b|\bint(eger|\d\d)?s?\b"
    r"|\bbool(ean)?s?\b|``\([\w*, .]+\)``|\bscalar\b|\bnumbers?\b|\bmatri(x|ces)\b|\bvectors?\b|\bstr\b|\bbatch(es)?\b|\btype\b"
    r"|\btrue\b|\bfalse\b|\bNone\b",
    re.IGNORECASE,
)
# metaclasses of the old types of tensors and storages, which have no docstring in PyTorch either
OLD_TYPES = ("tensortype", "_LegacyStorageMeta")
ABSENT = "Raise NotImplementedError, since"


@dataclass
class Name:
    """A public name and what its docstring has."""

    namespace: str
    name: str
    value: object
    doc: str = ""
    lacks: list[str] = field(default_factory=list)

    @property
    def full(self) -> str:
        return self.name if self.namespace == "torch" else f"{self.namespace}.{self.name}"


def sections(doc: str) -> dict[str, str]:
    """Return the sections of a docstring in NumPy's convention, by title."""
    parts = re.split(r"(?m)^(\w[\w ]*)\n-{3,}\n", inspect.cleandoc(doc))
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def summary(doc: str, name: str) -> str:
    """Return the first sentence below the signatures."""
    head = re.split(r"(?m)^\w[\w ]*\n-{3,}\n", inspect.cleandoc(doc))[0]
    lines = head.split("\n")
    while lines and (
        not lines[0].strip() or re.match(rf"(\w+\.)*{re.escape(name)}\(.*\)$", lines[0])
    ):
        del lines[0]
    return "\n".join(lines).split("\n\n")[0].strip()


def parameters_of(value) -> list[str] | None:
    """Return the names of the parameters, without `self`; None if there is no single signature."""
    forms = forms_of(value)
    if not forms:
        return None
    names: dict[str, None] = {}
    for form in forms:
        for k, name in enumerate(form.parameters):
            if not (k == 0 and name in ("self", "cls", "_cls")) and not name.startswith("_"):
                names[name] = None
    return list(names)


def lacks(name: Name, entries: set[str] | None) -> list[str]:
    """Return the kinds of text that a name lacks."""
    doc, value = name.doc, name.value
    found = []
    if doc == "" and type(value).__name__ in OLD_TYPES:
        return []
    if not summary(doc, name.name):
        unlisted = entries is not None and name.full not in entries
        return [kind for kind in KINDS if kind != "entry" or unlisted]
    if ABSENT in doc:
        return []
    parts = sections(doc)
    is_class = isinstance(value, type)
    is_attribute = not callable(value) or isinstance(value, property)
    if not is_attribute:
        wanted = parameters_of(value)
        given = parts.get("Parameters", "") + parts.get("Other Parameters", "")
        named = set()
        for line, text in re.findall(r"(?m)^(\S.*)\n?((?:[ ]+\S.*\n?)*)", given):
            # of ``*args``, a type says nothing
            if text or "*" not in line:
                named |= set(re.findall(r"\w+", line.partition(" : ")[0]))
        if "args" in named and str(signature_of(value)) == "(*args)":
            wanted = ["args"]  # PyTorch's einsum, whose schema has other names
        if is_class and wanted is None and (given or not_constructed(value)):
            wanted = []
        if is_class and named - {"args", "kwargs"}:
            # a constructor that passes its arguments on, as those of PyTorch's recurrent layers do
            wanted = [p for p in wanted or [] if p not in ("args", "kwargs")]
        missing = [p for p in wanted or [] if p not in named and p.rstrip("_") not in named]
        if wanted is None or (missing and not (wanted == ["input"] and "self" in named)):
            found.append("parameters" + (f" ({', '.join(missing)})" if missing else ""))
        if (
            not is_class
            and not parts.keys() & {"Returns", "Yields"}
            and not returns_none(value, doc)
        ):
            found.append("result")
        if not is_class:
            forms = forms_of(value)
            if not forms or (len(forms) == 1 and not has_signature(value, doc)):
                found.append("signature")
    if ">>>" not in doc:
        found.append("example")
    if not DETAILS.search(doc.partition(">>>")[0]) and "Raises" not in parts:
        found.append("details")
    if entries is not None and name.full not in entries:
        found.append("entry")
    return found


def signature_of(value) -> inspect.Signature | None:
    """Return what `inspect` says of a function, or None."""
    try:
        return inspect.signature(value)
    except (TypeError, ValueError):
        return None


def not_constructed(cls: type) -> bool:
    """Return whether programs do not call a class, or call it with a message only."""
    return issubclass(cls, BaseException) or cls.__name__ in ("dtype", "BackwardCFunction")


def returns_none(value, doc: str) -> bool:
    """Return whether a function is written in Python and has no ``return`` with a value."""
    written = inspect.unwrap(value) if callable(value) else value
    if not isinstance(written, types.FunctionType):
        return False
    import dis

    last = None
    for step in dis.get_instructions(written):
        if step.opname in ("RETURN_VALUE", "YIELD_VALUE") and not (
            last is not None and last.opname == "LOAD_CONST" and last.argval is None
        ):
            return False
        last = step
    return True


def has_signature(value, doc: str) -> bool:
    """Return whether `inspect.signature` finds the parameters: named ones, or ``*args`` that the docstring explains."""
    form = signature_of(value)
    return form is not None and not any(
        p.name in ("args", "kwargs")
        and p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
        and not re.search(rf"(?m)^ *\*.*\b{p.name}\b", doc)
        for p in form.parameters.values()
    )


def collect(namespaces=NAMESPACES) -> list[Name]:
    """Return every public name of the namespaces with what it lacks."""
    listed = reference_entries()
    found = []
    for path in namespaces:
        for name, value in public_names(path).items():
            item = Name(path, name, value, getattr(value, "__doc__", None) or "")
            item.lacks = lacks(item, listed)
            found.append(item)
    return found


def reference_entries() -> set[str] | None:
    """Return the names with an entry in the reference, None if the site's sources are not here."""
    try:
        from docs._ext import topics
    except ImportError:
        return None
    return topics.entries()


def numbers(names: list[Name]) -> dict[str, dict[str, int]]:
    """Return, for each namespace, how many names there are and how many of them have each kind of text."""
    table: dict[str, dict[str, int]] = {}
    for item in names:
        row = table.setdefault(item.namespace, dict.fromkeys(("names", *KINDS, "complete"), 0))
        short = {text.partition(" ")[0] for text in item.lacks}
        row["names"] += 1
        row["complete"] += not item.lacks
        for kind in KINDS:
            row[kind] += kind not in short
    return table


def place(item: Name) -> str:
    """Return where the docstring of a name is to be written."""
    from minitorch.autograd.functions.overridable import OverridableFunction
    from tools.emit_documentation import public_name
    from tools.records import load_entries

    value = item.value
    written = inspect.unwrap(value) if callable(value) and not isinstance(value, type) else value
    if isinstance(written, type | types.FunctionType):
        try:
            path = Path(inspect.getsourcefile(written) or "?")
            line = inspect.getsourcelines(written)[1]
            return f"{path.relative_to(ROOT)}:{line}"
        except (TypeError, OSError, ValueError):
            pass
    if not isinstance(value, OverridableFunction):
        return (
            f'["Tensor.{item.name}"] in handwritten.toml'
            if item.namespace == "Tensor"
            else "in .pyx"
        )
    name = value.__name__
    if not PLACES:
        autograd = ROOT / "minitorch" / "autograd"
        lines = {}
        for path in (
            *autograd.glob("derivatives/*.toml"),
            autograd / "composed.toml",
            autograd / "handwritten.toml",
        ):
            for number, line in enumerate(path.read_text().split("\n"), 1):
                if line.startswith("["):
                    lines[line.strip('[]"')] = f"{path.relative_to(ROOT)}:{number}"
        for record, entry in load_entries(autograd).items():
            for public in (record, public_name(record, entry), *entry.get("aliases", "").split()):
                PLACES.setdefault(public, lines.get(record, "composed.toml"))
    for key in (f"Tensor.{name}", name, name.rstrip("_"), name.partition("_")[2]):
        if key in PLACES:
            return PLACES[key]
    return f'["{"Tensor" if item.namespace == "Tensor" else "torch"}.{name}"] in handwritten.toml'


PLACES: dict[str, str] = {}


def show_table(table: dict[str, dict[str, int]]) -> None:
    columns = ("names", *KINDS, "complete")
    print(" " * 26, *(f"{column:>10}" for column in columns))
    total = dict.fromkeys(columns, 0)
    for namespace, row in table.items():
        print(f"{namespace:26}", *(f"{row[column]:>10}" for column in columns))
        for column in columns:
            total[column] += row[column]
    print(f"{'all':26}", *(f"{total[column]:>10}" for column in columns))


def main() -> None:
    sys.path.insert(0, str(ROOT))
    from tools.emit_documentation import main as write_table

    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="namespaces, or names in them")
    parser.add_argument("--write", action="store_true", help="store the numbers")
    options = parser.parse_args()
    write_table(ROOT)
    spaces = [name for name in options.names if name in NAMESPACES]
    single = {name.removeprefix("torch.") for name in options.names if name not in NAMESPACES}
    for item in collect(NAMESPACES if single else spaces or NAMESPACES):
        if item.full in single:
            print(f"== {item.full}  [{place(item)}]\n{inspect.cleandoc(item.doc)}\n")
            print("lacks:", ", ".join(item.lacks) or "nothing", "\n")
        elif item.namespace in spaces and item.lacks:
            print(f"{item.full:44} {', '.join(item.lacks):60} {place(item)}")
    if not single:
        table = numbers(collect(spaces or NAMESPACES))
        show_table(table)
        if options.write:
            NUMBERS.write_text(json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    main()
