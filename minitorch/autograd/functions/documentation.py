"""Docstrings and Python signatures of the public functions, made when a program reads them.

Purpose
-------
An operator's record has one docstring, written for the function. The docstrings of the method, the
in-place form and other names of the operator are derived from it here. Signatures in PyTorch's notation
are translated to Python's, so that ``inspect.signature(torch.mul)`` works.

Interface
---------
The properties ``__doc__`` and ``__signature__`` of the classes in ``overridable.pyx`` call
:func:`docstring`, :func:`signature` and :func:`attribute_docstring`. The module is first imported there.

Invariants
----------
A function that is written in Python keeps its docstring if that has sections. Other functions have the
record's docstring, below a line for each of their signatures.
"""

import ast
import inspect
import re
import types
from functools import cache
from keyword import iskeyword

from minitorch.autograd.functions import tensor_methods
from minitorch.autograd.functions.documentation_table import ALIASES, CALLS, DOCS, VARARGS
from minitorch.autograd.functions.signature_table import SIGNATURES
from minitorch.parsing.grammar import Argument, parse_signature

_METHODS = "torch._tensor"  # the `_torch_module` of methods of Tensor
_EITHER, _BY_NAME = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
_NAMESPACES = ("linalg_", "special_", "fft_")

# ---- signatures


class _Constant:
    """The default of a parameter that Python would print in another way, such as ``torch.strided``."""

    def __init__(self, text: str):
        self.text = text

    def __repr__(self) -> str:
        return self.text


def signature(function) -> inspect.Signature:
    """Return the signature of an overridable function that is not written in Python.

    Raises
    ------
    AttributeError
        If it has several signatures, or none that is known.
    """
    found = signatures(function)
    if len(found) != 1:
        raise AttributeError(f"{function.__name__} has no single signature")
    return found[0]


def signatures(function) -> list[inspect.Signature]:
    """Return the signatures of an overridable function, in the order in which its parser tries them.

    Parameters
    ----------
    function : OverridableFunction

    Returns
    -------
    list of inspect.Signature
        Methods have a parameter `self`. If one signature covers all others, it is the only one. The
        list is empty if no signature is known.
    """
    written = inspect.unwrap(function)
    method, name = _is_method(function), function.__name__
    if isinstance(written, types.FunctionType):
        form = inspect.signature(written)
        if not _takes_anything(form):
            return [_as_method(form) if method else form]
    for key in _keys(name, method):
        if key in CALLS:
            found = [_of_call(text) for text in CALLS[key]]
            own = method and not key.startswith("Tensor.")
            return [_as_method(form) for form in found] if own else found
    found = []
    for text in _texts(function, name, method):
        declared = _of_text(text, method, VARARGS.get(name))
        if declared is not None and declared not in found:
            found.append(declared)
    if not found and isinstance(written, types.FunctionType):
        found.append(inspect.signature(written))
    single = next((form for form in found if all(_covers(form, other) for other in found)), None)
    return found if single is None else [single]


def _takes_anything(form: inspect.Signature) -> bool:
    """Return whether a function hides its parameters behind ``*args`` or ``**kwargs``."""
    return "args" in form.parameters or "kwargs" in form.parameters


def _of_text(text: str, method: bool, varargs: str | None) -> inspect.Signature | None:
    """Return the signature that a text stands for, None if it is deprecated or is no signature."""
    try:
        declared = parse_signature(text)
    except ValueError:
        declared = None
    if declared is None or not all(argument.name for argument in declared.arguments):
        # Cython writes the signatures of functions in .pyx, in Python's notation
        try:
            return _of_call(text[text.index("(") :])
        except SyntaxError:
            return None
    if declared.deprecated:
        return None
    parameters = python_parameters(declared.arguments)
    if method:
        parameters = _with_varargs(parameters, varargs)
        parameters.insert(0, inspect.Parameter("self", _EITHER))
    return inspect.Signature(parameters)


def _texts(function, name: str, method: bool) -> tuple[str, ...]:
    """Return the signatures of a function in PyTorch's notation."""
    composed = tensor_methods.composed_methods if method else tensor_methods.composed_functions
    if composed.get(name):
        return composed[name]
    if not method and name in SIGNATURES:
        return SIGNATURES[name]
    # a function in C has them in its docstring
    lines = (getattr(function.function, "__doc__", None) or "").split("\n")
    starts = f"{function.function.__name__}("
    return tuple(line for line in lines if line.startswith(starts))


def python_parameters(arguments: tuple[Argument, ...]) -> list[inspect.Parameter]:
    """Return the parameters of a signature in PyTorch's notation."""
    found: list[inspect.Parameter] = []
    for argument in arguments:
        if not argument.keyword_only and argument.default is None:
            # PyTorch's parser lets a parameter with a default precede one without
            found = [q.replace(default=inspect.Parameter.empty) for q in found]
        name = argument.name + ("_" if iskeyword(argument.name) else "")
        kind = _BY_NAME if argument.keyword_only else _EITHER
        found.append(inspect.Parameter(name, kind, default=_default(argument)))
    return found


def _default(argument: Argument):
    text = argument.default
    if text is None:
        return inspect.Parameter.empty
    try:
        value = ast.literal_eval(text.replace("{", "(").replace("}", ")"))
    except (SyntaxError, ValueError):
        return _Constant(text if "." in text else f"torch.{text}")
    if argument.type == "double" and isinstance(value, int):
        return float(value)
    return value


def _of_call(text: str) -> inspect.Signature:
    """Return the signature of parameters in Python's notation, ``"(*size, dtype=None)"``."""
    tree = ast.parse(f"def f{text}: pass").body[0]
    assert isinstance(tree, ast.FunctionDef)
    given, found = tree.args, []
    in_order = [*given.posonlyargs, *given.args]
    required = len(in_order) - len(given.defaults)
    defaults: list[ast.expr | None] = [*[None] * required, *given.defaults]
    for k, (argument, default) in enumerate(zip(in_order, defaults, strict=True)):
        kind = inspect.Parameter.POSITIONAL_ONLY if k < len(given.posonlyargs) else _EITHER
        found.append(inspect.Parameter(argument.arg, kind, default=_value(default)))
    if given.vararg is not None:
        found.append(inspect.Parameter(given.vararg.arg, inspect.Parameter.VAR_POSITIONAL))
    for argument, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        found.append(inspect.Parameter(argument.arg, _BY_NAME, default=_value(default)))
    if given.kwarg is not None:
        found.append(inspect.Parameter(given.kwarg.arg, inspect.Parameter.VAR_KEYWORD))
    return inspect.Signature(found)


def _value(default: ast.expr | None):
    if default is None:
        return inspect.Parameter.empty
    try:
        return ast.literal_eval(default)
    except ValueError:
        return _Constant(ast.unparse(default))


def _as_method(form: inspect.Signature) -> inspect.Signature:
    """Return the signature of the method: `self` in the place of the first parameter, and no `out`."""
    names = list(form.parameters)
    first = "input" if "input" in names or not names else names[0]
    parameters = [p for name, p in form.parameters.items() if name not in (first, "out")]
    own = inspect.Parameter("self", _EITHER)
    return inspect.Signature([own, *parameters])


def _with_varargs(parameters: list[inspect.Parameter], name: str | None):
    """Return the parameters with ``*name`` in the place of a first parameter of that name."""
    if name is None or not parameters or parameters[0].name != name:
        return parameters
    first = inspect.Parameter(name, inspect.Parameter.VAR_POSITIONAL)
    return [first, *(p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in parameters[1:])]


def _covers(form: inspect.Signature, other: inspect.Signature) -> bool:
    """Return whether every call that fits `other` fits `form` too, by number and names of arguments."""
    if form is other:
        return True
    ours, theirs = form.parameters, other.parameters
    positional = [p.name for p in ours.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
    in_order = [p.name for p in theirs.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
    plain = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    if any(p.kind not in plain for p in (*ours.values(), *theirs.values())):
        return False
    if positional[: len(in_order)] != in_order or not theirs.keys() <= ours.keys():
        return False
    empty = inspect.Parameter.empty
    return all(
        p.default is not empty or (name in theirs and theirs[name].default is empty)
        for name, p in ours.items()
    )


# ---- names


def _is_method(function) -> bool:
    return vars(function).get("_torch_module") == _METHODS


def _keys(name: str, method: bool) -> list[str]:
    """Return the names under which a record may have the docstring of a function or method."""
    found = [f"Tensor.{name}" if method else f"torch.{name}", name]
    for prefix in _NAMESPACES:
        if name.startswith(prefix):
            found.append(name.removeprefix(prefix))
    return found


def _shown_name(function, method: bool) -> str:
    name = vars(function).get("__qualname__") or function.__name__
    return f"Tensor.{name.rpartition('.')[2]}" if method else name


# ---- docstrings

# what parameters mean that many functions have, for docstrings that do not name them
_COMMON = {
    "out": "out : Tensor, optional\n    Where the result is written, instead of a new tensor. A tuple for several results.",
    "generator": "generator : Generator, optional\n    The source of random numbers. Default: the global one.",
    "layout": "layout : layout, optional\n    `torch.strided` or a sparse layout.",
    "device": 'device : device or str, optional\n    ``"cpu"`` or ``"meta"``.',
    "pin_memory": "pin_memory : bool\n    Without effect on a CPU.",
    "requires_grad": "requires_grad : bool\n    Whether operators on the result are recorded.",
    "memory_format": "memory_format : memory_format, optional\n    The order of the result's strides.",
}


def docstring(function) -> str | None:
    """Return the docstring of an overridable function.

    Examples
    --------
    >>> import minitorch as torch
    >>> print(torch.relu.__doc__.split("\\n")[0])
    relu(input)
    """
    return _docstring(function, _is_method(function))


@cache
def _docstring(function, method: bool) -> str | None:
    written = inspect.unwrap(function)
    in_python = isinstance(written, types.FunctionType)
    own = _own(function, written, in_python)
    name, body = function.__name__, own
    if not in_python or own is None or not _split(inspect.cleandoc(own))[1]:
        body = _from_record(name, method) or own
    elif method and "input" in inspect.signature(written).parameters:
        body = _for_method(_Text(inspect.cleandoc(own)), name)
    forms = signatures(function)
    if body is not None:
        if not method and any("input" in form.parameters for form in forms):
            body = re.sub(r"(?m)^self : ", "input : ", body)
        body = _with_common(body, forms)
    if (in_python or method) and len(forms) == 1 or all(map(_takes_anything, forms)):
        forms = []  # `help` shows the single signature of a method, or of a function in Python
    lines = [_shown(form, _shown_name(function, method), method) for form in forms]
    if lines and body is not None:
        body = inspect.cleandoc(body)
    return "\n\n".join(filter(None, ["\n".join(lines), body])) or None


def attribute_docstring(name: str, own: str | None) -> str | None:
    """Return the docstring of an attribute of Tensor: its record's, or else `own`."""
    return DOCS.get(f"Tensor.{name}", own)


def _with_common(body: str, forms: list[inspect.Signature]) -> str:
    """Return the docstring with the parameters that it does not name, where they are well known."""
    text = _Text(inspect.cleandoc(body))
    section = text.section("Parameters")
    if not text.sections:
        return body
    named = {name.strip(" *") for given, _ in _entries(section or "") for name in given.split(",")}
    missing = dict.fromkeys(
        name for form in forms for name in form.parameters if name in _COMMON and name not in named
    )
    if not missing:
        return body
    found = "\n".join(filter(None, [section, *(_COMMON[name] for name in missing)]))
    text.set("Parameters", found, before=tuple(title for title, _ in text.sections))
    return str(text)


def _own(function, written, in_python: bool) -> str | None:
    """Return the docstring in the source of a function, without the line that Cython adds."""
    text = getattr(written if in_python else function.function, "__doc__", None)
    if text is None or in_python:
        return text
    lines = text.split("\n")
    while lines and re.match(
        rf"{re.escape(function.function.__name__)}\(.*\)(\|deprecated)?( -> .*)?$", lines[0]
    ):
        del lines[0]
    return inspect.cleandoc("\n".join(lines)) or None


def _shown(form: inspect.Signature, name: str, method: bool) -> str:
    if method:
        parameters = list(form.parameters.values())
        form = form.replace(parameters=parameters[1:])
    return f"{name}{form.replace(return_annotation=inspect.Signature.empty)}"


def _from_record(name: str, method: bool) -> str | None:
    """Return the record's docstring as it reads for a function or method."""
    for key in _keys(name, method):
        if key in DOCS:
            text = DOCS[key]
            return _for_method(_Text(text), name) if method and "." not in key else text
        if key in ALIASES and ALIASES[key] in DOCS:
            first = ALIASES[key]
            text = DOCS[first]
            qualified = f"Tensor.{first}" if method else f"torch.{first}"
            body = _Text(_for_method(_Text(text), first) if method else text)
            return body.with_remark(f"It is another name of `{qualified}`.")
    if name.endswith("_") and not name.endswith("__"):
        base = name[:-1]
        base = ALIASES.get(base, base)
        for key in _keys(base, method):
            if key in DOCS:
                text = _for_method(_Text(DOCS[key]), base) if method else DOCS[key]
                return _in_place(_Text(text), base, name, method)
    return None


def _split(text: str) -> tuple[str, list[tuple[str, str]]]:
    """Return what precedes the first section of a docstring, and ``(title, text)`` of each section."""
    parts = re.split(r"(?m)^(\w[\w ]*)\n-{3,}\n", text)
    return parts[0].rstrip(), [
        (title, body.rstrip()) for title, body in zip(parts[1::2], parts[2::2], strict=True)
    ]


class _Text:
    """A docstring in NumPy's convention, in parts."""

    def __init__(self, text: str):
        self.head, self.sections = _split(text)

    def __str__(self) -> str:
        parts = [self.head]
        for title, body in self.sections:
            parts.append(f"{title}\n{'-' * len(title)}\n{body}")
        return "\n\n".join(parts)

    def section(self, title: str) -> str | None:
        return dict(self.sections).get(title)

    def set(self, title: str, body: str | None, before: tuple[str, ...] = ()) -> None:
        """Replace a section, remove it if `body` is None, or insert it in front of those in `before`."""
        titles = [name for name, _ in self.sections]
        if title in titles:
            place = titles.index(title)
            self.sections[place : place + 1] = [] if body is None else [(title, body)]
        elif body is not None:
            place = next((k for k, name in enumerate(titles) if name in before), len(titles))
            self.sections.insert(place, (title, body))

    def with_remark(self, sentence: str) -> str:
        """Return the text with a sentence below its first paragraph."""
        first, *rest = self.head.split("\n\n")
        self.head = "\n\n".join([first, sentence, *rest])
        return str(self)


def _entries(body: str) -> list[tuple[str, str]]:
    """Return ``(name, lines)`` of each entry of a section of parameters."""
    found: list[tuple[str, str]] = []
    for line in body.split("\n"):
        if line and not line[0].isspace():
            found.append((line.partition(" :")[0].strip(), line))
        elif found:
            found[-1] = (found[-1][0], f"{found[-1][1]}\n{line}")
    return found


def _for_method(text: _Text, name: str) -> str:
    """Return the docstring of a function as one of the method: `input` is the tensor itself."""
    kept = []
    for parameter, lines in _entries(text.section("Parameters") or ""):
        if parameter == "input":
            kept.append(re.sub(r"^input\b", "self", lines))
        elif parameter != "out":
            kept.append(lines)
    if text.section("Parameters") is not None:
        text.set("Parameters", "\n".join(kept).rstrip() or None)
    text.head = _about_self(text.head)
    text.sections = [
        (title, _as_calls_of(body, name, name) if title == "Examples" else _about_self(body))
        for title, body in text.sections
    ]
    return str(text)


def _about_self(text: str) -> str:
    """Return a text about `input` as one about this tensor."""
    text = re.sub(r"(^|[.:] |\n\n)`input`", r"\1This tensor", text)
    return re.sub(r"`input`", "this tensor", text)


def _as_calls_of(body: str, name: str, method: str) -> str:
    """Return examples with calls of a method, ``x.name(...)``, for ``torch.name(x, ...)``."""
    lines = body.split("\n")
    for k, line in enumerate(lines):
        mark, source = line[:4], line[4:]
        if mark != ">>> " or f"torch.{name}(" not in source:
            continue
        try:
            tree = ast.parse(source)
        except SyntaxError:  # the statement goes on in the next line
            continue
        changed = _Calls(name, method)
        new = changed.visit(tree)
        if changed.done:
            lines[k] = mark + ast.unparse(new).replace("'", '"' if '"' in source else "'")
    return "\n".join(lines)


class _Calls(ast.NodeTransformer):
    def __init__(self, name: str, method: str):
        self.name, self.method, self.done = name, method, False

    def visit_Call(self, node: ast.Call):
        self.generic_visit(node)
        first = node.args[0] if node.args else None
        if ast.unparse(node.func) != f"torch.{self.name}":
            return node
        if not isinstance(first, ast.Name | ast.Call | ast.Subscript | ast.Attribute):
            return node
        self.done = True
        called = ast.Attribute(first, self.method, ast.Load())
        return ast.copy_location(ast.Call(called, node.args[1:], node.keywords), node)


_WRITES = """\
RuntimeError
    If the tensor is a leaf that requires grad, or a view of one, while gradients are recorded.
RuntimeError
    If the result has another shape than the tensor, or a dtype that cannot be cast to the tensor's."""


def _in_place(text: _Text, base: str, name: str, method: bool) -> str:
    """Return the docstring of a function or method, in the form for the one that writes to the tensor."""
    first, *rest = text.head.split("\n\n")
    first = first[:1].lower() + first[1:]
    text.head = "\n\n".join([f"In-place version of `{name[:-1]}`: {first}", *rest])
    section = text.section("Parameters")
    if section is not None:
        kept = [lines for parameter, lines in _entries(section) if parameter != "out"]
        text.set("Parameters", "\n".join(kept).rstrip() or None)
    text.set("Returns", "Tensor\n    The tensor itself.", before=("Raises", "Examples"))
    raised = "\n".join(filter(None, [text.section("Raises"), _WRITES]))
    after = ("Warns", "See Also", "Notes", "References", "Examples")
    text.set("Raises", raised, before=after)
    examples = text.section("Examples")
    if examples is not None:
        before = r"" if method else r"(?<=torch)((?:\.\w+)*)"
        found = re.sub(
            rf"{before}\.{re.escape(base)}\(",
            rf"{'' if method else chr(92) + '1'}.{name}(",
            examples,
        )
        text.set("Examples", found)
    return str(text)
