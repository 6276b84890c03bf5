"""Check which names an answer in Python uses, before any of it runs.

Note [What a Python answer may name]
A scenario and a submission run in the same process. The jail keeps that process away from files and
other processes, but inside of it Python hides nothing: through frames, the garbage collector or the
module `sys` an answer could change what observes it, bring back what `retire` has taken away, or
write a result itself. None of that is needed to solve an assignment. So `check` allows

- imports from a list of modules;
- names with an underscore at their beginning only if they are on a list;
- the functions that find attributes by their names only with a name that is written down;
- class patterns only with the names of attributes, since a class may say which a position means.

It rejects names that lead to frames, to modules with more rights, and into the library's inside.
What is left is ordinary Python. The check reads the text. It is no proof: whoever makes names while
the program runs, or finds a function of the library that does, gets past it, and then the jail holds.
"""

import ast

from exercises.source import indent_of, regions

IMPORTS = set(
    """
    abc array bisect cmath collections collections.abc contextlib copy dataclasses enum fractions
    functools heapq itertools math minitorch minitorch.autograd minitorch.autograd.graph
    minitorch.nn minitorch.nn.functional numbers operator random statistics time typing weakref
    """.split()
)
# modules of which all public names may be imported at once
STARRED = set("bisect cmath collections fractions heapq itertools math random statistics".split())
# names with an underscore that an answer may use
UNDERSCORED = {"_", "_execution_engine", "_input_metadata", "_sequence_nr", "_version"}
SPECIAL = {
    f"__{name}__"
    for name in """
    abs add and bool call complex contains debug del delitem divmod doc enter eq exit float floordiv
    format ge getitem gt hash iadd iand ifloordiv imatmul imod imul index init int invert ior ipow
    isub iter itruediv ixor le len length_hint lshift lt matmul missing mod mul name ne neg next or
    pos post_init pow qualname radd rand rdivmod repr reversed rfloordiv rlshift rmatmul rmod rmul
    ror round rpow rrshift rshift rsub rtruediv rxor setitem slots str sub truediv trunc xor
    """.split()
}
# builtins that lead out of the text; `type` is for one argument
BUILTINS = set(
    """
    breakpoint compile delattr dir eval exec exit globals help input locals memoryview open os quit
    vars
    """.split()
)
BY_NAME = {"getattr", "hasattr", "setattr"}  # with a name that is written down
# attributes: modules, frames, functions that find attributes by a name, the library's inside
FORBIDDEN = set(
    """
    ast bltns builtins codecs copyreg ctypes gc importlib inspect io logging marshal mmap
    multiprocessing os pickle platform posix resource socket subprocess sys threading traceback
    tracemalloc types np numpy scipy

    ag_code ag_frame cr_code cr_frame f_back f_builtins f_code f_globals f_locals f_trace gi_code
    gi_frame gi_yieldfrom tb_frame tb_next

    FileIO ForwardRef Formatter WRAPPER_ASSIGNMENTS WRAPPER_UPDATES attrgetter dispatch_table
    get_buffer get_parameter get_submodule get_type_hints make_dataclass methodcaller new_class open
    open_code partialmethod redirect_stderr redirect_stdout singledispatch singledispatchmethod
    update_wrapper wraps

    as_torch compat composed core current_task disabled engine_steps functions get_kernel graph_api graph_task
    impl input_buffer kernels library load_library namespace parsing plug_sum_to plugs
    python_dispatch python_function saved_tensor_hooks saved_variable serialization upward_calls
    """.split()
)


class Forbidden(Exception):
    """An answer uses a name that it may not use.

    Attributes
    ----------
    lineno : int
        The line of the text that was checked.
    """

    def __init__(self, message, lineno):
        super().__init__(message)
        self.lineno = lineno


def check(text):
    """Raise `Forbidden` if an answer uses a name that it may not use, or hides given lines.

    Parameters
    ----------
    text : str
        The submission in the teacher's file.

    Raises
    ------
    SyntaxError
        If the text is no Python.
    """
    tree, lines = ast.parse(text), set()
    for first, answer in regions(text).values():
        _check_that_it_is_whole(text.split("\n")[first - 2], answer, first)
        lines.update(range(first, first + len(answer)))
    check_replaced(tree, lines)
    decorators = {id(f) for node in ast.walk(tree) for f in _wraps(node)}
    stack = [(tree, None, False, None)]
    while stack:
        node, outer, inside, last = stack.pop()
        # what an expression of the student contains is the student's: the lines of nodes in an
        # f-string are not always right
        inside = getattr(node, "lineno", last) in lines or (inside and isinstance(outer, ast.expr))
        last = getattr(node, "lineno", last)
        if inside and id(node) not in decorators and (fault := _fault(node, outer)):
            raise Forbidden(f"an answer may not use {fault}", last)
        children = [(child, node, inside, last) for child in ast.iter_child_nodes(node)]
        stack += reversed(children)  # so that the first fault is found first


def _wraps(node):
    """Return the attribute `wraps` of ``@functools.wraps(f)`` right above a function.

    With more arguments or for another object, it would read or set attributes by their names.
    """
    last = node.decorator_list[-1:] if isinstance(node, ast.FunctionDef) else ()
    return [
        call.func
        for call in last
        if isinstance(call, ast.Call) and len(call.args) == 1 and not call.keywords
        if isinstance(call.func, ast.Attribute) and call.func.attr == "wraps"
        if not isinstance(call.args[0], ast.Starred)
    ]


def check_replaced(tree, lines):
    """Raise `Forbidden` if an answer replaces a class or a function that the file gives.

    Parameters
    ----------
    tree : ast.Module
        The submission in the teacher's file.
    lines : set of int
        The lines of the answers.
    """
    given, methods, own = set(), set(), []
    stack = list(tree.body)
    while stack:
        node = stack.pop()
        for name in _bound(node):
            if node.lineno in lines:
                own.append((node.lineno, name))
            elif not isinstance(node, ast.alias):
                given.add(name)
                if isinstance(node, ast.ClassDef):
                    methods |= {(name, getattr(part, "name", "")) for part in node.body}
        if not isinstance(node, _DEFINITIONS):
            stack += ast.iter_child_nodes(node)
    own = [(line, name) for line, name in own if name in given]
    for node in ast.walk(tree):
        if getattr(node, "lineno", None) in lines:
            if isinstance(node, ast.Global):
                own += [(node.lineno, name) for name in node.names if name in given]
            own += [(node.lineno, ".".join(pair)) for pair in _set(node) if pair in methods]
    if own:
        line, name = min(own)
        raise Forbidden(f"an answer may not replace {name}, which is given", line)


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _bound(node):
    """Return the names that one node of the syntax tree binds."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return [name]
        case ast.alias(name=name, asname=None):
            return [name.partition(".")[0]]
        case ast.alias(asname=name) | ast.MatchAs(name=str(name)):
            return [name]
    return []


def _set(node):
    """Return pairs of a variable and its attribute that one node sets."""
    match node:
        case ast.Attribute(value=ast.Name(id=name), attr=attr, ctx=ast.Store() | ast.Del()):
            return [(name, attr)]
        case ast.Call(
            func=ast.Name(id="setattr"), args=[ast.Name(id=name), ast.Constant(value=str(attr)), _]
        ):
            return [(name, attr)]
    return []


def _check_that_it_is_whole(mark, answer, first):
    """Raise `Forbidden` if the lines of an answer are no statements without the lines around them.

    A text in three quotation marks that ends in another answer would hide given lines.
    """
    indent = indent_of(mark)
    try:
        ast.parse("\n".join(["if True:" if indent else "", *answer, f"{indent}pass"]))
    except SyntaxError as error:
        line = min(max(first, first + (error.lineno or 2) - 2), first + max(0, len(answer) - 1))
        raise Forbidden("an answer has to be whole between its marks", line) from None


def _fault(node, outer):
    """Return what is wrong with one node of the syntax tree, or None."""
    match node:
        case ast.Import(names=names):
            return next((f"import {n.name}" for n in names if n.name not in IMPORTS), None)
        case ast.ImportFrom(module=module, names=names):
            if node.level or module not in IMPORTS:
                return f"import {module or '.'}"
            if names[0].name == "*" and module in STARRED:
                return None
            return next((n.name for n in names if n.name == "*" or not _allowed(n.name)), None)
        case ast.Attribute(attr="__class__", ctx=ast.Load()):
            return None
        case ast.alias(asname=str(name)) if not _allowed_name(name):
            return name
        case ast.Attribute(attr=name) | ast.keyword(arg=str(name)) if not _allowed(name):
            return name
        case ast.Name(id="type"):
            if not (isinstance(outer, ast.Call) and _is_question(outer, node)):
                return "type in another way than type(object)"
        case ast.Name(id=name) if name in BY_NAME:
            if not (isinstance(outer, ast.Call) and outer.func is node and _is_plain(outer)):
                return f"{name} without an attribute's name in quotation marks"
        case ast.Name(id=name) | ast.arg(arg=name) if not _allowed_name(name):
            return name
        case (
            ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name)
        ) if not _allowed_name(name):
            return name
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            return next((name for name in names if not _allowed_name(name)), None)
        case ast.MatchClass(patterns=[_, *_]):
            return "a class pattern without names; write Point(x=x) or int() as n"
        case ast.MatchClass(kwd_attrs=names):
            return next((name for name in names if not _allowed(name)), None)
        case (
            ast.ExceptHandler(name=str(name))
            | ast.MatchAs(name=str(name))
            | ast.MatchStar(name=str(name))
            | ast.MatchMapping(rest=str(name))
        ) if not _allowed_name(name):
            return name
    return None


def _allowed(name):
    """Return whether an attribute of anything may have this name."""
    if name.startswith("_"):
        return name in UNDERSCORED or name in SPECIAL
    return name not in FORBIDDEN


def _allowed_name(name):
    """Return whether a variable may have this name; one underscore makes it no one else's."""
    return name in SPECIAL or not name.startswith("__") and name not in BUILTINS


def _is_question(call, name):
    """Return whether a call with the name `type` in it asks for a type, and makes none."""
    if call.func is name:
        return len(call.args) == 1 and not isinstance(call.args[0], ast.Starred)
    return getattr(call.func, "id", "") in ("isinstance", "issubclass")


def _is_plain(call):
    """Return whether a call such as ``getattr(x, "grad")`` gives a name that is allowed."""
    match call.args:
        case [_, ast.Constant(value=str(name)), *_]:
            return _allowed(name)
    return False
