"""Check which names an answer in Python uses, before any of it runs.

Note [What a Python answer may name]
A scenario and a submission run in the same process. The jail keeps that process away from files and
other processes, but inside of it Python hides nothing: through frames, the garbage collector or the
module `sys` an answer could change what observes it, bring back what `retire` has taken away, or
write a result itself. None of that is needed to solve an assignment. So `check` allows

- imports from a list of modules;
- names with an underscore at their beginning only if they are on a list, or if the answer makes
  them itself: Note [Private names of an answer];
- the functions that find attributes by their names only with a name that is written down;
- class patterns by position only for ``int(n)`` and for classes whose fields are read off the
  text, since a class may say which attribute a position means.

It rejects names that lead to frames, to modules with more rights, and into the library's inside.
What is left is ordinary Python. Two of Python's modules use names and functions that an object of
an answer gives them at run time. `guard_dataclasses` and `guard_copies` check these. A class can be
made by a call, with names that the text does not show; `guard_classes` checks those. The check reads
the text. It is no proof: an answer that makes names while the program runs, or finds a function of
the library that does, gets past it, and then the jail holds.
"""

import ast
import collections
import copy
import dataclasses
import enum
import re
import types

from exercises.source import answer_numbers, indent_of, regions

IMPORTS = set(
    """
    abc array bisect cmath collections collections.abc contextlib copy dataclasses enum fractions
    functools heapq itertools math minitorch minitorch.autograd minitorch.autograd.graph
    minitorch.nn minitorch.nn.functional numbers operator random statistics time typing warnings
    weakref
    """.split()
)
# modules of which all public names may be imported at once
STARRED = set("bisect cmath collections fractions heapq itertools math random statistics".split())
# names with an underscore that an answer may use
UNDERSCORED = set(
    "_ _asdict _execution_engine _input_metadata _replace _sequence_nr _version".split()
)
SPECIAL = {
    f"__{name}__"
    for name in """
    abs add and bool call complex contains debug del delitem divmod doc enter eq exit float floordiv
    format ge getitem gt hash iadd iand ifloordiv imatmul imod imul index init int invert ior ipow
    isub iter itruediv ixor le len length_hint lshift lt match_args matmul missing mod mul name ne
    neg next or pos post_init pow qualname radd rand rdivmod repr reversed rfloordiv rlshift rmatmul
    rmod rmul ror round rpow rrshift rshift rsub rtruediv rxor setitem slots str sub truediv trunc
    xor
    """.split()
}
# builtins that lead out of the text
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

    FileIO ForwardRef Formatter WRAPPER_ASSIGNMENTS WRAPPER_UPDATES attrgetter dispatch_table format
    format_map get_buffer get_parameter get_submodule get_type_hints global_enum make_dataclass methodcaller
    new_class open open_code partialmethod redirect_stderr redirect_stdout singledispatch
    singledispatchmethod update_wrapper wraps

    accumulate_by_operators answers as_torch bind by_sample compat composed core current_task
    disabled engine_steps events exec_info forward_grad function_tangents functions
    get_device_module get_kernel graph_api graph_task impl input_buffer install_as_torch interpose
    jacobians kernels layer lazy_attributes levels library load_library lr_scheduler math_bits meta
    modules namespace observe operator_tangents operators ops other_modes overrides parametrizations
    parametrize parsing plug_sum_to plugs profiler profiler_util prune python_dispatch
    python_function recording recording_errors saved_errors saved_tensor saved_tensor_hooks
    saved_variable serialization sparse_tensor swap_tensors switched tensor_methods tensors
    torch_function uninstall_as_torch upward_calls view_errors view_replay vmap_steps wide_node
    zero_tensor
    """.split()
)


class Forbidden(Exception):
    """An answer uses a name that it may not use.

    Attributes
    ----------
    lineno : int or None
        The line of the text that was checked.
    """

    def __init__(self, message, lineno):
        super().__init__(message)
        self.lineno = lineno


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
    tree, lines = ast.parse(text), set()
    for first, answer in regions(text).values():
        _check_that_it_is_whole(text.split("\n")[first - 2], answer, first)
        lines.update(range(first, first + len(answer)))
    nodes = list(walk(tree, lines))
    check_replaced(nodes)
    _translate(nodes)
    allowed = {id(f) for node in ast.walk(tree) for f in _wraps(node)}
    allowed |= _plain_patterns(nodes) | _plain_formats(nodes)
    for node, outer, line, _ in nodes:
        if line and id(node) not in allowed and (fault := _fault(node, outer)):
            raise Forbidden(f"an answer may not use {fault}{_reason(fault, nodes)}", line)
    return tree


def _reason(fault, nodes):
    """Return what is to be added to a fault that is a private name."""
    if not _PRIVATE.fullmatch(fault):
        return ""
    if fault in _given(nodes):
        return ": the given code uses this name"
    return ", which it does not set itself"


def translated(text):
    """Return the syntax tree of a submission as it is run: Note [Private names of an answer]."""
    tree = ast.parse(text)
    _translate(list(walk(tree, answer_numbers(text))))
    return tree


def guard_dataclasses():
    """Let `dataclasses` run only what an answer itself may say.

    A method of a data class is made from a text with the names of the fields in it. Such a name can
    be any text: ``field.name`` can be set, and the keys of a `TypedDict` are annotations.
    """

    def checked(text, *namespaces):
        tree = ast.parse(text)
        for node, outer, _, _ in walk(tree, range(1, text.count("\n") + 2)):
            fault = (_fault(node, outer) or "").partition(";")[0]
            if isinstance(node, ast.Lambda) or (fault and not _is_generated(node, outer, fault)):
                raise Forbidden(f"the name of a field may not use {fault or 'lambda'}", None)
        exec(compile(tree, "<string>", "exec"), *namespaces)

    vars(dataclasses)["exec"] = checked


def guard_copies():
    """Let `copy` change only what it has made.

    An object may say from what its copy is made, and which attributes are set: of a module, too.
    """
    reconstruct = copy._reconstruct

    def checked(thing, memo, function, *rest, **keywords):
        def made(*arguments):
            new = function(*arguments)
            if type(new) is not type(thing):
                raise Forbidden(f"a copy of a {type(thing).__name__} has another type", None)
            return new

        return reconstruct(thing, memo, made, *rest, **keywords)

    vars(copy)["_reconstruct"] = checked  # the module may be frozen


def guard_classes():
    """Let no class have special methods that a class statement may not define.

    A class can be made from a dictionary with any names: ``abc.ABCMeta("X", (), {...})``, or
    ``type(int)`` in its place. Every new class is checked, that of a test or of the library, too.
    """
    from exercises import plugs  # here, since it imports this module

    def checked(cls, /, **keywords):
        if keywords:
            raise TypeError(f"{cls.__name__}.__init_subclass__() takes no keyword arguments")
        for name, value in vars(cls).items():
            check_special(name, value)
            if name == "mro" and issubclass(cls, type):  # it would get a class before its check
                raise Forbidden("an answer may not define mro", None)

    class Members(enum._EnumDict):  # `__init__` gets a member before its class is checked
        def __setitem__(self, name, value):
            check_special(name, value)
            super().__setitem__(name, value)

    vars(enum)["_EnumDict"] = Members
    plugs.set_attribute(object, "__init_subclass__", classmethod(checked))


def check_special(name, value):
    """Raise `Forbidden` if an answer may not define this in a class."""
    if type(name) is not str:
        raise Forbidden("the names in a class have to be texts", None)
    if name[:2] != "__" or name[-2:] != "__" or name in SPECIAL or name in _OF_CLASSES:
        return
    if not _is_of_others(getattr(value, "__func__", value)):
        raise Forbidden(f"an answer may not define {name}", None)


def _is_of_others(function):
    """Return whether no answer wrote a function, and none is called in it as a decorator would."""
    if type(function) is not types.FunctionType:
        return False
    code = function.__code__
    if code.co_filename in ("<rules>", "<string>"):  # the tests, and data classes
        return True
    return code.co_filename != "<piece>" and code.co_freevars in ((), ("__class__",))


# what classes have that Python and its modules make
_OF_CLASSES = {
    f"__{name}__"
    for name in """
    abstractmethods annotate_func annotations annotations_cache closed conditional_annotations
    dataclass_fields dataclass_params dict extra_items final firstlineno getnewargs module mutable_keys new
    non_callable_proto_members optional_keys orig_bases parameters protocol_attrs readonly_keys
    required_keys static_attributes total type_params weakref
    """.split()
}


def _is_generated(node, outer, name):
    """Return whether data classes use a special name in this way."""
    setters = ("__setattr__", "__delattr__")
    if isinstance(node, ast.Attribute) and name in setters:
        return getattr(outer, "func", None) is node and (
            _is_plain(outer) or ast.unparse(outer) in _SUPER
        )
    return name.startswith("__dataclass") or name in ("__create_fn__", *setters)


_SUPER = ("super(cls, self).__setattr__(name, value)", "super(cls, self).__delattr__(name)")


def walk(tree, lines):
    """Yield the nodes of a syntax tree in their order.

    Parameters
    ----------
    tree : ast.Module
        The submission in the teacher's file.
    lines : set of int
        The lines of the answers.

    Yields
    ------
    node, outer : ast.AST
        The node, and the node that contains it.
    line : int or None
        The line of a node of an answer, None for a node that is given.
    inside : bool
        Whether the node is in the body of a function or class.
    """
    stack = [(tree, None, None, 0, False)]
    while stack:
        node, outer, line, last, inside = stack.pop()
        last = getattr(node, "lineno", last)
        # what an expression of the student contains is the student's: the lines of nodes in an
        # f-string are not always right
        line = max(last, 1) if last in lines or (line and isinstance(outer, ast.expr)) else None
        yield node, outer, line, inside
        body = isinstance(node, _DEFINITIONS)
        stack += [
            (child, node, line, last, inside or (body and isinstance(child, ast.stmt)))
            for child in reversed(list(ast.iter_child_nodes(node)))
        ]


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
        names = node.names if isinstance(node, ast.Global) else _bound(node)
        if line:
            own += [(line, name) for name in names]
        elif not isinstance(node, ast.alias | ast.Global):
            given.update(names)
    own = [(line, name) for line, name in own if name in given]
    methods = _given_methods(nodes)
    for node, _, line, _ in nodes:
        if line and (method := methods.get(_attribute_set(node))):
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
        case ast.alias(asname=name) | ast.ExceptHandler(name=str(name)):
            return [name]
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            return [name]
        case ast.MatchMapping(rest=str(name)):
            return [name]
    return []


def _attribute_set(node):
    """Return the name of the attribute that one node sets, or None."""
    match node:
        case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()):
            return name
        case ast.Call(func=ast.Name(id="setattr"), args=[_, ast.Constant(value=name), *_]):
            return name
    return None


# ---- what is translated


def _translate(nodes):
    """Rename the private names of an answer, and give class patterns the names of attributes.

    Note [Private names of an answer]
    An answer may set ``self._cache``, and use an attribute of this name anywhere. In the tree that
    is run, it is called ``_cache_yours`` in all places of the answers. No object of the library has
    an attribute that ends like this, so such a name leads nowhere else. What the teacher's part of
    the file uses keeps its name, and so do variables of this name. An attribute that an answer sets
    is renamed, too, if it is called like something that is forbidden, such as ``self.types``. So are
    a variable such as ``input``, and what a class of the answer defines.
    """
    mine = [node for node, _, line, _ in nodes if line]
    made = {name for node in mine for name in _made(node) if _PRIVATE.fullmatch(name)}
    made |= FORBIDDEN & {name for node in mine for name in _made_attributes(node)}
    made |= (FORBIDDEN | BUILTINS) & {name for node in mine for name in _defined(node)}
    made -= UNDERSCORED
    variables = BUILTINS & {name for node in mine for name in _variables(node)}
    keywords = {node.arg for node in mine if isinstance(node, ast.keyword)}
    if made or variables:
        given = _given(nodes)
        renamed = {name: name + OWN for name in made - given}
        _rename(renamed, renamed | {name: name + OWN for name in variables - given}, mine)
        _keep_parameters((variables & keywords) - made - given, mine)
    if patterns := [node for node in mine if isinstance(node, ast.MatchClass)]:
        _give_names(patterns, _fields(nodes))


def _given(nodes):
    """Return the names in the teacher's part of a file."""
    return {name for node, _, line, _ in nodes if not line for name in _identifiers(node)}


def _rename(attributes, variables, nodes):
    """Replace names of attributes and of variables in nodes of a syntax tree."""
    for node in nodes:
        renamed = variables if isinstance(node, (*_VARIABLES, ast.Nonlocal)) else attributes
        if isinstance(node, ast.alias):  # the library's name stays
            node.asname = renamed.get(node.asname or node.name, node.asname)
            continue
        for field in _IDENTIFIERS:
            value = getattr(node, field, None)
            if isinstance(value, list):
                value[:] = [renamed.get(v, v) if isinstance(v, str) else v for v in value]
            elif value in renamed:
                setattr(node, field, renamed[value])
        for constant in _named(node):
            constant.value = renamed.get(constant.value, constant.value)


def _keep_parameters(names, nodes):
    """Give parameters that are passed by their names these names again.

    The function begins with ``input_yours = input``. What is called by a keyword may be the library's.
    """
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for arg in node.args.args + node.args.kwonlyargs:
                name = arg.arg.removesuffix(OWN)
                if name in names:
                    renamed = ast.Name(arg.arg, ast.Store())
                    begin = ast.Assign([renamed], ast.Name(name, ast.Load()))
                    arg.arg, place = name, int(ast.get_docstring(node, clean=False) is not None)
                    node.body.insert(place, ast.copy_location(begin, arg))
                    ast.fix_missing_locations(begin)


def _give_names(patterns, fields):
    """Give class patterns by position the names of the attributes, if the fields are known."""
    for node in patterns:
        names = fields.get(getattr(node.cls, "id", None), ())
        if len(node.patterns) <= len(names):
            node.kwd_attrs[:0] = names[: len(node.patterns)]
            node.kwd_patterns[:0] = node.patterns
            node.patterns = []


OWN = "_yours"  # the end of a private name of an answer
_PRIVATE = re.compile("__?[^_](.*[^_])?")
_IDENTIFIERS = ("arg", "asname", "attr", "id", "kwd_attrs", "name", "names", "rest")


def _identifiers(node):
    """Return the names that are written in one node of the syntax tree."""
    values = [getattr(node, field, None) for field in _IDENTIFIERS]
    return [v for value in values for v in (value if isinstance(value, list) else [value])]


def _made(node):
    """Return the names of variables and attributes that one node makes."""
    if isinstance(node, ast.arg):
        return [node.arg]
    return _made_attributes(node) + _bound(node)


def _variables(node):
    """Return the name of the variable that a node sets or that is a parameter, in a list."""
    return _made(node) if isinstance(node, _VARIABLES) else []


_VARIABLES = (
    *(ast.Name, ast.arg, ast.ExceptHandler),
    *(ast.MatchAs, ast.MatchStar, ast.MatchMapping),
)


def _defined(node):
    """Return the names in the body of a class, which are names of attributes, or none."""
    if not isinstance(node, ast.ClassDef):
        return []
    targets = [getattr(part, "targets", [getattr(part, "target", part)]) for part in node.body]
    return [name for parts in targets for part in parts for name in _bound(part)]


def _made_attributes(node):
    """Return the names of attributes that one node makes."""
    match node:
        case ast.Attribute(attr=name, ctx=ast.Store()):
            return [name]
        case (
            ast.Assign(targets=[ast.Name(id="__slots__")])
            | ast.AnnAssign(target=ast.Name(id="__slots__"))
            | ast.Call(func=ast.Name(id="setattr"))
        ):
            return [constant.value for constant in _named(node)]
    return []


def _named(node):
    """Return the constants in one node that are names of attributes."""
    match node:
        case ast.Assign(targets=[ast.Name(id="__match_args__")], value=value):
            return [c for c in getattr(value, "elts", [value]) if _is_text(c)]
        case (
            ast.Assign(targets=[ast.Name(id="__slots__")], value=ast.AST() as value)
            | ast.AnnAssign(target=ast.Name(id="__slots__"), value=ast.AST() as value)
        ):
            return [c for c in ast.walk(value) if _is_text(c)]
        case ast.Call(func=ast.Name(id=name), args=[_, constant, *_]) if name in BY_NAME:
            return [constant] if _is_text(constant) else []
    return []


def _is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _fields(nodes):
    """Return the fields that a class pattern may give by position, by the name of the class."""
    fields, count = {}, collections.Counter()
    for node, _, _, _ in nodes:
        count.update(_made(node))
        match node:
            case ast.ClassDef(name=name, body=body) if _is_record(node):
                parts = [part.target for part in body if isinstance(part, ast.AnnAssign)]
                fields[name] = [part.id for part in parts if isinstance(part, ast.Name)]
            case ast.ClassDef(name=name, body=body):
                for part in body:
                    match part:
                        case ast.Assign(targets=[ast.Name(id="__match_args__")]):
                            fields[name] = [constant.value for constant in _named(part)]
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(func=function, args=[_, names], keywords=[]),
            ) if _last_name(function) == "namedtuple":
                if _is_text(names):
                    fields[name] = names.value.replace(",", " ").split()
                elif all(map(_is_text, getattr(names, "elts", [None]))):
                    fields[name] = [constant.value for constant in names.elts]
    return {name: names for name, names in fields.items() if count[name] == 1}


def _is_record(node):
    """Return whether a class is a data class or a named tuple whose annotations are its fields."""
    words = {name for part in ast.walk(node) for name in _identifiers(part)}
    kind = [_last_name(d) for d in node.decorator_list], [_last_name(b) for b in node.bases]
    return kind in ((["dataclass"], []), ([], ["NamedTuple"])) and not words & _UNUSUAL


def _last_name(node):
    """Return ``f`` for the expressions ``f``, ``a.f``, ``f()`` and ``a.f()``, None for others."""
    node = node.func if isinstance(node, ast.Call) else node
    return getattr(node, "id", None) or getattr(node, "attr", None)


_UNUSUAL = {"ClassVar", "InitVar", "KW_ONLY", "init", "kw_only", "match_args", "metaclass"}
_CAPTURING = set("bool bytearray bytes dict float frozenset int list set str tuple".split())


def _plain_patterns(nodes):
    """Return the identities of the patterns such as ``int(n)``, which match the object itself."""
    made = {name for node, *_ in nodes for name in _made(node)}
    return {
        id(node)
        for node, *_ in nodes
        if isinstance(node, ast.MatchClass)
        if isinstance(node.cls, ast.Name) and node.cls.id in _CAPTURING - made
        if len(node.patterns) == 1 and not node.kwd_attrs
    }


def _plain_formats(nodes):
    """Return the identities of ``"...".format`` in calls, for texts that read no attribute.

    The text is written down, or given under a name that no answer makes.
    """
    given = {
        node.targets[0].id: node.value.value
        for node, outer, line, _ in nodes
        if isinstance(node, ast.Assign) and not line and isinstance(outer, ast.Module)
        if isinstance(node.targets[0], ast.Name) and _is_text(node.value)
    }
    for name in {name for node, _, line, _ in nodes if line for name in _made(node)}:
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


# ---- what is forbidden


def _check_that_it_is_whole(mark, answer, first):
    """Raise `Forbidden` if the lines of an answer are no statements without the lines around them.

    A text in three quotation marks that ends in another answer would hide given lines. A function
    at the left margin would take the methods below it out of their class.
    """
    indent = indent_of(mark)
    try:
        tree = ast.parse("\n".join(["if True:" if indent else "", *answer, f"{indent}pass"]))
    except SyntaxError as error:
        line = min(max(first, first + (error.lineno or 2) - 2), first + max(0, len(answer) - 1))
        raise Forbidden("an answer has to be whole between its marks", line) from None
    if indent and (after := tree.body[1:] or tree.body[0].orelse):
        line = first + after[0].lineno - 2
        raise Forbidden("an answer has to be indented like its marks", line)


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
            if module == "functools":
                names = [n for n in names if (n.name, n.asname) != ("wraps", None)]
            return next((n.name for n in names if n.name == "*" or not _allowed(n.name)), None)
        case ast.Attribute(attr="__class__", ctx=ast.Load()):
            return None
        case ast.Attribute(attr="format" | "format_map"):
            return "format in this way; write an f-string"
        case ast.alias(asname=str(name)) if not _allowed_name(name):
            return name
        case ast.keyword(arg=str(name)) if name in FORBIDDEN:
            return None  # it names a parameter, and no attribute
        case ast.Attribute(attr=name) | ast.keyword(arg=str(name)) if not _allowed(name):
            return name
        case ast.Name(id="wraps"):
            return "wraps in another way than @wraps(function)"
        case ast.Name(id=name) if name in BY_NAME:
            if not (isinstance(outer, ast.Call) and outer.func is node and _is_plain(outer)):
                for written in _named(outer):
                    if not _allowed(written.value):
                        return written.value
                return f"{name} without an attribute's name in quotation marks"
        case ast.arg(arg=name) if name in BUILTINS:
            return None
        case ast.Name(id=name) | ast.arg(arg=name) if not _allowed_name(name):
            return f"{name}; give the variable another name" if _variables(node) else name
        case (
            ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name)
        ) if not _allowed_name(name):
            return name
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            return next((name for name in names if not _allowed_name(name)), None)
        case ast.MatchClass(patterns=[_, *_]):
            return "this class pattern without names; write Point(x=x)"
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
    """Return whether an attribute of anything may have this name, after `_translate`."""
    if name.startswith("_"):
        return name in UNDERSCORED or name in SPECIAL or name.endswith(OWN)
    return name not in FORBIDDEN


def _allowed_name(name):
    """Return whether a variable may have this name; one underscore makes it no one else's."""
    if name.startswith("__"):
        return name in SPECIAL or name.endswith(OWN)
    return name not in BUILTINS


def _is_plain(call):
    """Return whether a call such as ``getattr(x, "grad")`` gives a name that is allowed."""
    match call.args:
        case [first, ast.Constant(value=str(name)), *_] if not isinstance(first, ast.Starred):
            return _allowed(name)
    return False
