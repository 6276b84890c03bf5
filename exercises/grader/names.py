"""Check which names an answer in Python uses, before any of it runs.

Note [What a Python answer may name]
A scenario and a submission run in the same process. The jail keeps that process away from files and
other processes, but inside of it Python hides nothing: through frames, the garbage collector or the
module `sys` an answer could change what observes it, bring back what `retire` has taken away, or
write a result itself. None of that is needed to solve an assignment. So `check` allows

- imports of what Note [What an import gives an answer] offers;
- names with an underscore at their beginning only if they are on a list, or if the answer makes
  them itself: Note [Private names of an answer];
- the functions that find attributes by their names only with a name that is written down;
- class patterns by position only for ``int(n)`` and for classes whose fields are read off the
  text, since a class may say which attribute a position means.

It rejects names that lead to frames, to modules with more rights, and into the library's inside.
What is left is ordinary Python. Note [Classes of an answer] says what is checked while it runs.

The check reads the text. It is no proof: a function of the library that finds attributes by names
which it is given gets past it, and then the jail holds.
"""

import ast
import re

from exercises.grader.allowed import (
    BUILTINS,
    BY_NAME,
    FORBIDDEN,
    IMPORTS,
    NAMING,
    STARRED,
    Forbidden,
    allows_attribute,
    allows_variable,
)
from exercises.grader.offered import offers
from exercises.grader.renaming import PRIVATE, given_names, translate
from exercises.grader.tree import (
    attribute_set,
    bound,
    is_text,
    made_by,
    named_in,
    variables_of,
    walk,
)
from exercises.source import answer_numbers, indent_of, regions


def check(text):
    """Return the syntax tree to run, or raise `Forbidden` for a name that an answer may not use.

    Parameters
    ----------
    text : str
        The submission in the teacher's file.

    Returns
    -------
    ast.Module
        See `translated`.

    Raises
    ------
    SyntaxError
        If the text is no Python.
    """
    tree = ast.parse(text)
    check_that_they_are_whole(text)
    nodes = list(walk(tree, answer_numbers(text)))
    check_replaced(nodes)
    translate(nodes)
    plain = {id(f) for node in ast.walk(tree) for f in _wraps(node)}
    plain |= _plain_patterns(nodes) | plain_formats(nodes)
    for node, outer, line, _ in nodes:
        if line and id(node) not in plain and (fault := fault_of(node, outer)):
            raise Forbidden(f"an answer may not use {fault}{_reason(fault, nodes)}", line)
    _check_offers(nodes)
    return tree


def _check_offers(nodes):
    """Raise `Forbidden` for names of modules that an answer does not get.

    See Note [What an import gives an answer]. A name that stands for something else, too, is left
    to the object that the import gives.
    """
    modules = {}
    for node, *_ in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.name if alias.asname else alias.name.partition(".")[0]
                modules[alias.asname or name] = name
    imports = ast.Import | ast.ImportFrom | ast.alias
    others = (node for node, *_ in nodes if not isinstance(node, imports))
    for name in {name for node in others for name in made_by(node)}:
        modules.pop(name, None)
    for node, _, line, _ in nodes:
        match node:
            case ast.Attribute(attr=name, value=value) if line:
                module = _module_of(value, modules)
                if module and not offers(module, name):
                    raise Forbidden(f"an answer may not use {module}.{name}", line)
            case ast.ImportFrom(module=module, names=names) if line:
                for alias in names:
                    if alias.name != "*" and not offers(module, alias.name):
                        raise Forbidden(
                            f"an answer may not import {alias.name} from {module}", line
                        )


def _module_of(node, modules):
    """Return the name of the module that an expression such as ``torch.nn`` stands for, or None."""
    match node:
        case ast.Name(id=name):
            return modules.get(name)
        case ast.Attribute(value=value, attr=attribute):
            name = f"{_module_of(value, modules)}.{attribute}"
            return name if name in IMPORTS else None
    return None


def _reason(fault, nodes):
    """Return what is to be added to a fault that is a private name."""
    if not PRIVATE.fullmatch(fault):
        return ""
    if fault in given_names(nodes):
        return ": the given code uses this name"
    return ", which it does not set itself"


def _wraps(node):
    """Return `wraps` or `functools.wraps` in ``@wraps(f)`` right above a function.

    With more arguments or for another object, it would read or set attributes by their names.
    """
    last = node.decorator_list[-1:] if isinstance(node, ast.FunctionDef) else ()
    return [
        call.func
        for call in last
        if isinstance(call, ast.Call) and len(call.args) == 1 and not call.keywords
        if "wraps" in (getattr(call.func, "attr", None), getattr(call.func, "id", None))
        if not isinstance(call.args[0], ast.Starred)
    ]


def check_replaced(nodes):
    """Raise `Forbidden` if an answer replaces a class or a function that the file gives.

    Parameters
    ----------
    nodes : list
        What `walk` yields.
    """
    given, own = set(), []
    for node, _, line, inside in nodes:
        if inside and not isinstance(node, ast.Global):
            continue
        names = node.names if isinstance(node, ast.Global) else bound(node)
        if line:
            own += [(line, name) for name in names]
        elif not isinstance(node, ast.alias | ast.Global):
            given.update(names)
    own = [(line, name) for line, name in own if name in given]
    methods = _given_methods(nodes)
    for node, _, line, _ in nodes:
        if line and (method := methods.get(attribute_set(node))):
            own.append((line, method))
    if own:
        line, name = min(own)
        raise Forbidden(f"an answer may not replace {name}, which is given", line)


def _given_methods(nodes):
    """Return the methods without any answer in given classes, as ``Class.method`` by their names.

    No attribute may be set by such a name. So it does not matter by which name an answer calls the
    class or an object of it. The engine that is installed is given, too.
    """
    lines = {line for _, _, line, _ in nodes if line}
    return {"_execution_engine": "Variable._execution_engine"} | {
        part.name: f"{node.name}.{part.name}"
        for node, _, line, _ in nodes
        if isinstance(node, ast.ClassDef) and not line
        for part in node.body
        if isinstance(part, ast.FunctionDef)
        if lines.isdisjoint(range(part.lineno, part.end_lineno + 1))
    }


_CAPTURING = set("bool bytearray bytes dict float frozenset int list set str tuple".split())


def _plain_patterns(nodes):
    """Return the identities of the patterns such as ``int(n)``, which match the object itself."""
    made = {name for node, *_ in nodes for name in made_by(node)}
    return {
        id(node)
        for node, *_ in nodes
        if isinstance(node, ast.MatchClass)
        if isinstance(node.cls, ast.Name) and node.cls.id in _CAPTURING - made
        if len(node.patterns) == 1 and not node.kwd_attrs
    }


def plain_formats(nodes):
    """Return the identities of ``"...".format`` in calls, for texts that read no attribute.

    The text is written down, or given under a name that no answer makes.
    """
    given = {
        node.targets[0].id: node.value.value
        for node, outer, line, _ in nodes
        if isinstance(node, ast.Assign) and not line and isinstance(outer, ast.Module)
        if isinstance(node.targets[0], ast.Name) and is_text(node.value)
    }
    for name in {name for node, _, line, _ in nodes if line for name in made_by(node)}:
        given.pop(name, None)
    found = set()
    for node, _, _, _ in nodes:
        match node:
            case ast.Call(func=ast.Attribute(attr="format", value=value) as function):
                text = given.get(getattr(value, "id", None), getattr(value, "value", None))
                if isinstance(text, str) and _PLAIN_FORMAT.fullmatch(text):
                    found.add(id(function))
    return found


# A field of a format may be a number or a name: ``"{0.real}"`` would read any attribute.
_PLAIN_FORMAT = re.compile(r"([^{}]|\{\{|\}\}|\{\w*(![rsa])?(:[^{}]*)?\})*")


def check_that_they_are_whole(text):
    """Raise `Forbidden` if the lines of an answer are no statements without the lines around them.

    A text in three quotation marks that ends in another answer would hide given lines. A function
    at the left margin would take the methods below it out of their class.
    """
    lines = text.split("\n")
    for first, answer in regions(text).values():
        _check_that_it_is_whole(lines[first - 2], answer, first)


def _check_that_it_is_whole(mark, answer, first):
    indent = indent_of(mark)
    try:
        tree = ast.parse("\n".join(["if True:" if indent else "", *answer, f"{indent}pass"]))
    except SyntaxError as error:
        line = min(max(first, first + (error.lineno or 2) - 2), first + max(0, len(answer) - 1))
        raise Forbidden("an answer has to be whole between its marks", line) from None
    if indent and (after := tree.body[1:] or tree.body[0].orelse):
        line = first + after[0].lineno - 2
        raise Forbidden("an answer has to be indented like its marks", line)


def fault_of(node, outer):
    """Return what is wrong with one node of the syntax tree, or None."""
    match node:
        case ast.Import(names=names):
            return next((f"import {n.name}" for n in names if n.name not in IMPORTS), None)
        case ast.ImportFrom(module=module, names=names):
            if node.level or module not in IMPORTS:
                return f"import {module or '.'}"
            if names[0].name == "*" and module in STARRED:
                return None
            if module == "functools":
                names = [n for n in names if (n.name, n.asname) != ("wraps", None)]
            return next(
                (n.name for n in names if n.name == "*" or not allows_attribute(n.name)), None
            )
        case ast.Attribute(attr="__class__", ctx=ast.Load()):
            return None
        case _ if attribute_set(node) in NAMING | {"__slots__"} or NAMING.intersection(bound(node)):
            return "__slots__ or __name__ in this way"
        case ast.Attribute(attr="__init__", value=ast.Call(func=ast.Name(id="super"))):
            return None
        case ast.Attribute(attr="__init__"):
            return "__init__ in this way; write super().__init__"
        case _ if "super" in (getattr(node, "arg", None), *bound(node)):
            return "super in this way"
        case ast.Attribute(attr="format" | "format_map"):
            return "format in this way; write an f-string"
        case ast.alias(asname=str(name)) if not allows_variable(name):
            return name
        case ast.keyword(arg=str(name)) if name in FORBIDDEN:
            return None  # it names a parameter, and no attribute
        case ast.Attribute(attr=name) | ast.keyword(arg=str(name)) if not allows_attribute(name):
            return name
        case ast.Name(id="wraps"):
            return "wraps in another way than @wraps(function)"
        case ast.Name(id=name) if name in BY_NAME:
            if not (isinstance(outer, ast.Call) and outer.func is node and is_plain(outer)):
                for written in named_in(outer):
                    if not allows_attribute(written.value):
                        return written.value
                return f"{name} without an attribute's name in quotation marks"
        case ast.arg(arg=name) if name in BUILTINS:
            return None
        case ast.Name(id=name) | ast.arg(arg=name) if not allows_variable(name):
            return f"{name}; give the variable another name" if variables_of(node) else name
        case (
            ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name)
        ) if not allows_variable(name):
            return name
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            return next((name for name in names if not allows_variable(name)), None)
        case ast.MatchClass(patterns=[_, *_]):
            return "this class pattern without names; write Point(x=x)"
        case ast.MatchClass(kwd_attrs=names):
            return next((name for name in names if not allows_attribute(name)), None)
        case (
            ast.ExceptHandler(name=str(name))
            | ast.MatchAs(name=str(name))
            | ast.MatchStar(name=str(name))
            | ast.MatchMapping(rest=str(name))
        ) if not allows_variable(name):
            return name
    return None


def is_plain(call, allows=allows_attribute):
    """Return whether a call such as ``getattr(x, "grad")`` gives a name that is allowed."""
    match call.args:
        case [first, ast.Constant(value=str(name)), *_] if not isinstance(first, ast.Starred):
            return allows(name)
    return False
