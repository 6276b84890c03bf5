"""Sphinx extension: the pages of the reference, written from docstrings and signatures before the build.

The topics are in ``topics.py``. Each becomes ``docs/reference/SLUG.rst``, which git ignores. An entry has the
signatures, the docstring's sections, and where the source is. Text of docstrings is not markup written for Sphinx,
so it is converted: names in single backticks become links if the reference has an entry of that name, and whatever
else markup would take for its own is escaped.
"""

import inspect
import re
import types
from functools import cache
from pathlib import Path

from sphinx import addnodes

from docs._ext import topics
from docs._ext.names import every_name, forms_of, resolve

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "docs" / "reference"
# sections whose entries have names, with their title in the reference
LISTS = ("Parameters", "Other Parameters", "Attributes", "Returns", "Yields", "Raises", "Warns")
# classes that are read for their methods; of others only what they define themselves is shown
INHERITED = ("forward", "extra_repr", "reset_parameters")


# ---- text of docstrings as reStructuredText

_TOKENS = re.compile(r"(``.+?``|:[a-z:]+:`[^`]+`|`[^`\n]*(?:\n[^`\n]+)?`)", re.DOTALL)
_BULLET = re.compile(r"(\s*)([-*] |\d+[.)] )(.*)$")


def escape(text: str) -> str:
    """Return plain text in which nothing is markup."""
    text = re.sub(r"([\\*|`])", r"\\\1", text)
    return re.sub(r"_(?=\W|$)", r"\\_", text)


def inline(text: str, own: frozenset[str] = frozenset()) -> str:
    """Return a paragraph as reStructuredText; names in `own` are not links."""
    found, text = (
        "",
        re.sub(r"^(\|[^|`]+\|)", r"`\1`", text),
    )  # an absolute value, and no row of a table
    for k, part in enumerate(_TOKENS.split(text)):
        if k % 2 == 0:
            found += escape(part)
            continue
        if part.startswith(":math:"):
            token = part
        else:
            code = re.sub(r"\s+", " ", re.sub(r"^:[a-z:]+:", "", part).strip("`"))
            token = _code(code, own)
        if found and (found[-1].isalnum() or found[-1] in "\\_`"):
            found += "\\ "
        found += token + "\0"
    # a token must be followed by a space or by punctuation
    return re.sub(r"\0(?=[\w\\:])", r"\\ ", found).replace("\0", "")


def _code(code: str, own: frozenset[str]) -> str:
    code = code.strip()
    if not code:
        return ""
    target = (
        None if code in own else known().get(code.removesuffix("()").removeprefix("minitorch."))
    )
    if target is not None:
        return f":py:obj:`{code} <{target}>`"
    if code.startswith("`") or code.endswith("\\"):
        return escape(code)
    return f"``{code}``"


@cache
def known() -> dict[str, str]:
    """Return the names of the reference as docstrings write them, with the targets of links."""
    found: dict[str, str] = {}
    for name in sorted(topics.entries(), key=lambda name: name.count(".")):
        target = target_of(name)
        for text in (name, f"torch.{name}", name.rpartition(".")[2]):
            if "_" in text or "." in text or len(text) > 3:
                found.setdefault(text, target)
    return found


def target_of(name: str) -> str:
    """Return the name of an entry in Python's domain."""
    return name if name.startswith("Tensor.") else f"torch.{name}"


def block(text: str, own: frozenset[str] = frozenset()) -> list[str]:
    """Return the lines of several paragraphs as reStructuredText."""
    text = re.sub(
        r"(?m)^( *)\.\. (\[\w+\])", r"\1\2", text
    )  # footnotes of a docstring would meet on a page
    lines, found, k = text.split("\n"), [], 0
    while k < len(lines):
        line = lines[k]
        indent = len(line) - len(line.lstrip())
        if not line.strip():
            k += 1
        elif line.lstrip().startswith(">>> "):
            found += ["", " " * indent + ".. code-block:: pycon", ""]
            while k < len(lines) and lines[k].strip():
                found.append("   " + lines[k])
                k += 1
            # output that has an empty line, or another example
            while (
                k + 1 < len(lines)
                and not lines[k].strip()
                and lines[k + 1].lstrip().startswith(">>> ")
            ):
                k += 1
                found.append("")
                while k < len(lines) and lines[k].strip():
                    found.append("   " + lines[k])
                    k += 1
        elif line.lstrip().startswith(".. "):
            found += ["", line]
            k += 1
            while k < len(lines) and (
                not lines[k].strip() or lines[k].startswith(" " * (indent + 1))
            ):
                found.append(lines[k])
                k += 1
        else:
            bullet = _BULLET.match(line)
            inner = len(bullet[1]) + len(bullet[2]) if bullet else indent
            paragraph = [line if bullet is None else bullet[3]]
            k += 1
            while k < len(lines) and lines[k].strip() and not _BULLET.match(lines[k]):
                if len(lines[k]) - len(lines[k].lstrip()) != inner or lines[k].lstrip().startswith(
                    ">>> "
                ):
                    break
                paragraph.append(lines[k])
                k += 1
            words = "\n".join(part.strip() for part in paragraph)
            literal = words.endswith("::")
            converted = inline(words.removesuffix("::"), own) + ("::" if literal else "")
            mark = "" if bullet is None else f"{bullet[2].strip():<{len(bullet[2]) - 1}} "
            first = " " * (inner - len(mark)) + mark
            found.append("")
            for number, part in enumerate(converted.split("\n")):
                found.append((first if number == 0 else " " * inner) + part)
            if literal:
                found.append("")
                while k < len(lines) and (
                    not lines[k].strip() or lines[k].startswith(" " * (inner + 1))
                ):
                    found.append(lines[k])
                    k += 1
    return [*found, ""]


def split(doc: str) -> tuple[str, list[tuple[str, str]]]:
    """Return what precedes the first section of a docstring, and ``(title, text)`` of each section."""
    parts = re.split(r"(?m)^(\w[\w ]*)\n-{3,}\n", inspect.cleandoc(doc))
    return parts[0].strip("\n"), list(zip(parts[1::2], parts[2::2], strict=True))


def listed(title: str, body: str, own: frozenset[str]) -> list[str]:
    """Return a section with entries as a field with a definition list."""
    found = ["", f":{title}:"]
    entries: list[list[str]] = []
    for line in body.rstrip().split("\n"):
        if line and not line[0].isspace():
            entries.append([line])
        elif entries:
            entries[-1].append(line)
    for first, *rest in entries:
        name, _, kind = (part.strip() for part in first.partition(" : "))
        if title in ("Raises", "Warns"):
            term = _code(name, own) if re.fullmatch(r"[\w.]+", name) else inline(name, own)
        elif title in ("Returns", "Yields") and not kind:
            term = inline(name, own)
        else:
            term = ", ".join(f"``{part.strip()}``" for part in name.split(","))
        found += ["", f"    {term}" + (f" : {inline(kind, own)}" if kind else "")]
        text = block(inspect.cleandoc("\n".join(rest)), own) if rest else ["", ".."]
        found += ["        " + line if line else "" for line in text[1:]]
    return [*found, ""]


def related(body: str, own: frozenset[str]) -> list[str]:
    """Return the section *See Also* as a list."""
    found = [""]
    for line in inspect.cleandoc(body).split("\n"):
        name, colon, text = line.partition(" : ")
        if line and not line[0].isspace():
            names = ", ".join(
                _code(part.strip().strip("`"), frozenset()) for part in name.split(",")
            )
            found.append(f"- {names}" + (f": {inline(text, own)}" if colon else ""))
        elif line.strip():
            found.append(f"  {inline(line.strip(), own)}")
    return [*found, ""]


def content(doc: str, own: frozenset[str]) -> list[str]:
    """Return the lines of a docstring as reStructuredText."""
    head, sections = split(doc)
    found = block(head, own)
    for title, body in sections:
        body = body.strip("\n")
        if title in LISTS:
            found += listed(title, body, own)
        elif title == "See Also":
            found += ["", ".. rubric:: See also", *related(body, own)]
        else:
            found += ["", f".. rubric:: {title}", *block(body, own)]
    return found


# ---- entries


def shown(form: inspect.Signature, method: bool) -> str:
    """Return a signature without annotations, and without `self` if it is that of a method."""
    parameters = []
    for k, parameter in enumerate(form.parameters.values()):
        if method and k == 0 and parameter.name in ("self", "cls"):
            continue
        default = parameter.default
        if default is not parameter.empty and (
            repr(default).startswith("<") or "object at" in repr(default)
        ):
            default = _Name(getattr(default, "__name__", "..."))
        parameters.append(parameter.replace(annotation=parameter.empty, default=default))
    return str(form.replace(parameters=parameters, return_annotation=form.empty))


class _Name:
    def __init__(self, text: str):
        self.text = text

    def __repr__(self) -> str:
        return self.text


def without_signatures(doc: str, name: str) -> str:
    """Return a docstring without the signatures at its head."""
    lines = inspect.cleandoc(doc).split("\n")
    while lines and (
        not lines[0].strip() or re.match(rf"(\w+\.)*{re.escape(name)}\(.*\)( -> .*)?$", lines[0])
    ):
        del lines[0]
    return "\n".join(lines)


def entry(name: str, value: object, first_of: dict[int, str]) -> list[str]:
    """Return the entry of a public name."""
    short = name.rpartition(".")[2]
    method = name.startswith("Tensor.")
    doc = getattr(value, "__doc__", None) or ""
    doc = doc if isinstance(doc, str) else ""
    is_class = isinstance(value, type)
    is_attribute = method and not callable(value)
    target = target_of(name)
    kind = (
        "class" if is_class else "attribute" if is_attribute else "method" if method else "function"
    )
    heads = [] if is_attribute else [shown(form, method) for form in forms_of(value)]
    if not heads and not is_attribute:
        heads = ["()"] if is_class else ["(...)"]
    found = ["", f".. py:{kind}:: {target}{heads[0] if heads else ''}"]
    found += [f"              {' ' * len(kind)}{target}{form}" for form in heads[1:]]
    found.append("")
    names = frozenset(re.findall(r"\w+", " ".join(heads)))
    other = first_of.get(id(value))
    if other is not None and other != name:
        found[-1:] = ["   :no-contents-entry:", ""]
        body = [f"The same object as :py:obj:`{target_of(other)}`.", ""]
    else:
        body = content(without_signatures(doc, short), names)
        record = differentiated().get(name)
        if record is not None:
            body += ["", f":ref:`The derivative <{record}>`.", ""]
        if is_class and name != "Tensor":  # whose methods have entries on the pages of their topics
            body += methods(value)
    return found + ["   " + line if line else "" for line in body]


def forms(base: str, names: list[str]) -> list[str]:
    """Return the entries of the methods and in-place forms of a function, which refer to it."""
    found: list[str] = []
    link = f":py:obj:`{target_of(base)}`"
    for kind, own in (
        ("function", [name for name in names if not name.startswith("Tensor.")]),
        ("method", [name for name in names if name.startswith("Tensor.")]),
    ):
        heads = [
            f"{target_of(name)}{form}"
            for name in own
            for form in [shown(form, kind == "method") for form in forms_of(resolve(name))]
            or ["(...)"]
        ]
        if not heads:
            continue
        found += [
            "",
            f".. py:{kind}:: {heads[0]}",
            *(f"   {' ' * len(kind)}        {head}" for head in heads[1:]),
            "   :no-contents-entry:",
            "",
        ]
        if kind == "method":
            found += [
                f"   {link} with this tensor as ``input``. Its parameters and errors are described there.",
                "",
            ]
        writing = [name.rpartition(".")[2] for name in own if name.endswith("_")]
        if writing:
            place = "this tensor" if kind == "method" else "``input``"
            words = " and ".join(f"``{name}``" for name in writing)
            found += [
                f"   In place, {words} writes the result to {place} and returns it. It raises RuntimeError if the tensor is",
                "   a leaf that requires grad, or a view of one, while gradients are recorded, or if the result has another",
                "   shape, or a dtype that cannot be cast to the tensor's.",
                "",
            ]
    return found


def methods(cls: type) -> list[str]:
    """Return the entries of the public methods that a class defines."""
    found: list[str] = []
    for name, value in vars(cls).items():
        written = getattr(value, "__func__", value)
        doc = getattr(written, "__doc__", None)
        if name.startswith("_") or not isinstance(doc, str) or name in INHERITED:
            continue
        if isinstance(value, type) or not split(without_signatures(doc, name))[0]:
            continue
        if isinstance(value, property | types.GetSetDescriptorType | types.MemberDescriptorType):
            found += ["", f".. py:attribute:: {name}", "   :no-contents-entry:", ""]
            names = frozenset()
        elif callable(written):
            heads = [shown(form, not isinstance(value, staticmethod)) for form in forms_of(written)]
            head = f"{name}{heads[0] if heads else '(...)'}"
            found += ["", f".. py:method:: {head}", "   :no-contents-entry:", ""]
            names = frozenset(re.findall(r"\w+", " ".join(heads)))
        else:
            continue
        found += [
            "   " + line if line else "" for line in content(without_signatures(doc, name), names)
        ]
    return found


@cache
def differentiated() -> dict[str, str]:
    """Return the label of the derivative of each function that has one."""
    import derivatives

    found: dict[str, str] = {}
    for rows in derivatives.records().values():
        for record, row in rows.items():
            name = row.get("function_name", record)
            for public in (name, *row.get("aliases", "").split()):
                found.setdefault(
                    re.sub(r"^(linalg|special|fft)_", r"\1.", public), derivatives.anchor(record)
                )
    return found


# ---- sources


@cache
def record_lines() -> dict[str, tuple[str, int]]:
    """Return the file and line of each operator's record, by its public names."""
    from tools.emit_documentation import public_name
    from tools.records import load_entries

    autograd = ROOT / "minitorch" / "autograd"
    lines: dict[str, tuple[str, int]] = {}
    for path in (*sorted(autograd.glob("derivatives/*.toml")), autograd / "composed.toml"):
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            if line.startswith("["):
                lines[line.strip('[]"')] = (str(path.relative_to(ROOT)), number)
    found: dict[str, tuple[str, int]] = {}
    for record, given in load_entries(autograd).items():
        for name in (record, public_name(record, given), *given.get("aliases", "").split()):
            found.setdefault(name, lines[record])
    return found


@cache
def cython_definitions() -> dict[str, tuple[str, int]]:
    """Return the file and line of each function and class in a .pyx file, by name and by module and name."""
    expression = re.compile(r"\s*(?:cpdef|cdef|def|class|cdef class)\b.*?(\w+)\s*(?:\(|:|$)")
    found: dict[str, tuple[str, int]] = {}
    for path in sorted(ROOT.glob("minitorch/**/*.pyx")):
        relative = path.relative_to(ROOT)
        if "generated" in relative.parts or path.name == "tensor_methods.pyx":
            continue
        module = ".".join(relative.with_suffix("").parts)
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            match = expression.match(line)
            if match is not None:
                found.setdefault(f"{module}.{match[1]}", (str(relative), number))
                found.setdefault(match[1], (str(relative), number))
    return found


@cache
def python_definitions() -> dict[str, list[tuple[str, int]]]:
    """Return the files and lines where the modules of Python define a name at their top level."""
    expression = re.compile(r"(?:class |def |)(\w+)(?=[(:]| = )|    (?:\(?\"|def )(\w+)[\"(]")
    found: dict[str, list[tuple[str, int]]] = {}
    for path in sorted(ROOT.glob("minitorch/**/*.py")):
        relative = str(path.relative_to(ROOT))
        if relative.endswith("_table.py"):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            match = expression.match(line)
            if match is not None:
                found.setdefault(match[1] or match[2], []).append((relative, number))
    return found


def _in_python(full: str, name: str) -> tuple[str, int] | None:
    """Return where Python defines a name, in the folder that is closest to its namespace."""
    parts = set(full.split("."))
    places = python_definitions().get(name, ())
    return max(places, key=lambda place: len(parts & set(place[0][:-3].split("/"))), default=None)


# names that a loop or a function makes: a pattern, and the file and text where
_MADE = (
    (r"nn\.\w+Pad\dd", "minitorch/nn/modules/padding.py", "    return type("),
    (r"\w+Storage", "minitorch/tensors/storages_by_dtype.py", "class _LegacyStorage("),
    (r"Tensor\.is_\w+", "minitorch/autograd/functions/properties.pyx", "    is_maia ="),
)


def _made(name: str) -> tuple[str, int] | None:
    for pattern, path, text in _MADE:
        if re.fullmatch(pattern, name):
            lines = (ROOT / path).read_text(encoding="utf-8").split("\n")
            return path, next(k for k, line in enumerate(lines, 1) if line.startswith(text))
    return None


def location(name: str, value: object) -> tuple[str, int] | None:
    """Return the file and line where a public name is defined."""
    written = inspect.unwrap(value) if callable(value) and not isinstance(value, type) else value
    written = getattr(written, "attribute", written)
    written = getattr(written, "fget", written)
    if isinstance(written, type | types.FunctionType):
        try:
            path = Path(inspect.getsourcefile(written) or "").resolve().relative_to(ROOT)
            return str(path), inspect.getsourcelines(written)[1]
        except (OSError, TypeError, ValueError):
            pass
    short = name.rpartition(".")[2]
    own = getattr(written, "__name__", short)
    home = getattr(written, "__objclass__", written)
    module = getattr(home, "__module__", None)
    compiled, records = cython_definitions(), record_lines()
    if not callable(value):
        for home in ("functions.properties", "variable", "functions.subscript"):
            if f"minitorch.autograd.{home}.{short}" in compiled:
                return compiled[f"minitorch.autograd.{home}.{short}"]
    for place in (compiled.get(f"{module}.{own}"), records.get(getattr(value, "__name__", short)),
                  records.get(short), records.get(short.rstrip("_")), name.startswith("Tensor.") and compiled.get(short),
                  _in_python(name, short), compiled.get(own),
                  compiled.get(short)):  # fmt: skip
        if place:
            return place
    return _made(name)


def link_sources(app, doctree) -> None:
    """Give each entry a link to the line that defines it, on the page of the file."""
    from source_pages import SourceLink, used

    docname = app.env.docname
    if not docname.startswith("reference/"):
        return
    for description in doctree.findall(addnodes.desc):
        linked: set[str] = set()
        for signature in description.findall(addnodes.desc_signature):
            if signature.parent is not description or signature.get("module"):
                continue
            full = signature.get("fullname", "").removeprefix("torch.")
            place = None if full in linked else _place(full)
            if place is not None:
                used(app.env, docname).add(place[0])
                signature += SourceLink(file=place[0], line=place[1], name=full)
                linked.add(full)


def _place(full: str) -> tuple[str, int] | None:
    """Return the file and line of an entry, or of a method in it."""
    try:
        return location(full, resolve(full))
    except (AttributeError, ImportError):
        pass
    owner, _, name = full.rpartition(".")
    try:
        cls = resolve(owner)
        value = vars(cls).get(name)
    except (AttributeError, ImportError, TypeError):
        return None
    place = location(full, getattr(value, "__func__", value))
    compiled = cython_definitions().get(f"{getattr(cls, '__module__', '')}.{name}")
    return compiled if place is None or compiled is not None else place


# ---- pages


def page(topic: topics.Topic, names: list[str], first_of: dict[int, str]) -> str:
    """Return the text of a page."""
    lines = [
        f".. _reference-{topic.slug}:",
        "",
        topic.title,
        "=" * len(topic.title),
        "",
        topic.text,
        "",
    ]
    links = [
        f":py:obj:`{name} <{target_of(name)}>`" for name in names if base_of(name, names) is None
    ]
    if len(links) > 1:
        lines += [".. container:: names", "", "   " + " · ".join(links), ""]
    derived: dict[str, list[str]] = {}
    for name in names:
        base = base_of(name, names)
        if base is not None:
            derived.setdefault(base, []).append(name)
    for name in _ordered(names):
        if base_of(name, names) is None:
            lines += entry(name, resolve(name), first_of)
            lines += forms(name, _ordered(derived.get(name, [])))
    return "\n".join(lines) + "\n"


def base_of(name: str, names: list[str]) -> str | None:
    """Return the function on the same page of which a name is the method or the in-place form."""
    short = name.removeprefix("Tensor.")
    base = short.rstrip("_") if short.rstrip("_") in names else short
    if base == name or base not in names:
        return None
    written = inspect.unwrap(resolve(name))
    if isinstance(written, types.FunctionType) and name.startswith("Tensor."):
        # a method of its own, unless the function is the same
        same = inspect.unwrap(resolve(base))
        if getattr(same, "__code__", None) is not written.__code__:
            return None
    return base


def _ordered(names: list[str]) -> list[str]:
    """Return the names with each method behind its function, and each in-place form behind the other."""

    def key(name: str):
        short = name.removeprefix("Tensor.")
        path, _, last = short.rpartition(".")
        return path, last.rstrip("_"), name.startswith("Tensor."), last

    return sorted(names, key=key)


def write(path: Path, text: str) -> None:
    """Write a page only if it changes, so that Sphinx reads only changed pages again."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def first_names(found: dict[str, list[str]]) -> dict[int, str]:
    """Return the name under which each object is described, by the object's id."""
    first_of: dict[int, str] = {}
    for name in sorted((n for names in found.values() for n in names), key=_preference):
        first_of.setdefault(id(resolve(name)), name)
    return first_of


def write_pages(app=None) -> None:
    """Write all pages of the reference."""
    found = topics.pages(every_name())
    first_of = first_names(found)
    others = [folder for folder in _BESIDES if list((FOLDER / folder).glob("index.*"))]
    index = ["Reference", "=========", "", _INTRODUCTION, ""]
    index += [f"- {_BESIDES[folder]}" for folder in others] + [""]
    written = {"index.rst"}
    for group, own in topics.GROUPS.items():
        index += [group, "-" * len(group), ""]
        for topic in own:
            if found.get(topic.slug):
                write(FOLDER / f"{topic.slug}.rst", page(topic, found[topic.slug], first_of))
                written.add(f"{topic.slug}.rst")
                index.append(f"- :doc:`{topic.title} <{topic.slug}>`: {topic.text}")
        index += ["", ".. toctree::", "   :hidden:", f"   :caption: {group}", ""]
        index += [f"   {topic.slug}" for topic in own if found.get(topic.slug)]
        index.append("")
    index += [".. toctree::", "   :hidden:", "   :caption: Derivatives and errors", ""]
    index += [f"   {folder}/index" for folder in others] + [""]
    write(FOLDER / "index.rst", "\n".join(index))
    for path in FOLDER.glob("*.rst"):
        if path.name not in written:
            path.unlink()


def _preference(name: str):
    """Return a key by which the shortest way to reach an object comes first."""
    return name.count("."), name.startswith("Tensor."), name


_INTRODUCTION = """\
Every public function, class and attribute of tensors, by topic. Names, arguments and error messages are those of
PyTorch 2.13. The examples need ``import minitorch as torch``. A method of a tensor is on the page of the function with
the same name."""


# the folders of the reference that are not written here, with a line for each
_BESIDES = {
    "derivatives": ":doc:`Derivatives <derivatives/index>`: Every derivative as a formula, with its node, and a plot for functions of one variable.",
    "errors": ":doc:`Errors <errors/index>`: What an exception means, why it is raised, and how to fix the program.",
}


def setup(app):
    app.connect("builder-inited", write_pages)
    app.connect("doctree-read", link_sources)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
