"""Check an answer in typed Cython: what it names, and the types of its expressions.

Note [What an answer in Cython may name]
C code can reach any memory of its process, so one forgotten name in a list of forbidden names would
be enough to forge a result. Therefore everything that an answer may name is listed here, and the
rest is rejected: Cython's types of numbers and its decorators, builtin functions, Python's modules,
attributes, and types in annotations. Of the library, an answer gets the nodes: it may read three of
their fields, and call the given functions. An attribute is one of a list, a method of Python's own
types, or one that a class of the file defines. As for attributes with an underscore, modules lead
to other modules by them, so classes do not define any.

Note [Which types an expression may have]
A text does not show all types: Cython infers some, and then ``h = f`` is a pointer to a function.
`check_types` looks at the tree with all types. The expressions of an answer are objects of Python
and numbers. A function of C is called, and is no value. A method is called on an object, since
Cython does not test what ``Box.method(None)`` gets. And an object of the library keeps its fields
to itself, whatever the names of an answer's own fields are.

Types, indices and None are tested by the code that Cython makes, with what careful_pyx.py adds. There
are two exceptions: the fields of a `slice`, which is on no list, and variables that are set by
``except ... as`` and by a class.
"""

import ast
import bisect
import builtins
import collections
import functools
import heapq
import itertools
import math
import operator
import re

from exercises.careful_pyx import parts_of
from exercises.grader.allowed import BY_NAME, ESCAPES, FORBIDDEN, SPECIAL, Forbidden
from exercises.grader.names import (
    check_replaced,
    check_that_they_are_whole,
    is_plain,
    plain_formats,
)
from exercises.grader.offered import REPLACED, UNSAFE
from exercises.grader.tree import DEFINITIONS, bound, identifiers, walk
from exercises.source import FILE, answer_numbers

# ---- what an answer may name

NODE = {"num_edges", "num_outputs", "sequence_nr"}  # fields of a node, which may be read
GIVEN = {"evaluate"}  # methods of the given objects
HIDDEN = {"plain_loop"}  # what the given code imports for itself
RESERVED = {"NULL", "Node", "cython", "isinstance", "type"} | HIDDEN

NUMBERS = set(
    """
    bint char short int long longlong uchar schar ushort uint ulong ulonglong size_t ssize_t
    Py_ssize_t float double longdouble
    """.split()
)
DECORATORS = {"cclass", "cfunc", "ccall", "inline", "final", "exceptval"}
DECLARING = {"declare", "locals", "returns"}
CYTHON = NUMBERS | DECORATORS | DECLARING | {"void", "compiled"}

CONTAINERS = {"dict", "frozenset", "list", "set", "tuple", "type"}
TYPES = CONTAINERS | set("bool bytearray bytes complex float int object str".split())
FUNCTIONS = TYPES | set(
    """
    abs all any ascii bin callable chr classmethod divmod enumerate filter format hash hex id
    isinstance issubclass iter len map max min next oct ord pow print property range repr reversed
    round sorted staticmethod sum super zip Ellipsis NotImplemented
    """.split()
)
FUNCTIONS |= {
    name
    for name, thing in vars(builtins).items()
    if isinstance(thing, type) and issubclass(thing, Exception)
}

MODULES = {
    module.__name__: {n for n in getattr(module, "__all__", dir(module)) if n[0] != "_"}
    - (ESCAPES | UNSAFE | REPLACED.keys())
    for module in (bisect, collections, functools, heapq, itertools, math, operator)
}
CIMPORTS = {"minitorch.autograd.node": {"Node"}}

OBJECTS = (bool, bytearray, bytes, complex, dict, float, frozenset, int, list, range, set, slice)
OBJECTS += (str, tuple, property, BaseException, collections.ChainMap)
OBJECTS += (collections.Counter, collections.defaultdict, collections.deque)
METHODS = {name for kind in OBJECTS for name in dir(kind) if name[0] != "_"} - ESCAPES
METHODS_OF_CLASSES = SPECIAL - {"__del__"}  # see careful_pyx.py
ATTRIBUTES = NODE | GIVEN | METHODS | set().union(*MODULES.values())

_ODD = re.compile(r"[\x00-\x1f]")
_DIRECTIVE = re.compile(r"#\s*(cython|distutils)\s*:")


class BuildError(Exception):
    """An answer cannot be built.

    Attributes
    ----------
    line : int or None
        The line of the text that was built.
    """

    def __init__(self, message, line=None):
        super().__init__(message)
        self.line = line


def check(text):
    """Raise `BuildError` if an answer names what it may not.

    Only the places of the student are checked. The rest of the file is the teacher's. See
    Note [What an answer in Cython may name].
    """
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        raise BuildError(f"SyntaxError: {error.msg}", error.lineno) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise BuildError(f"{type(error).__name__}: {error}") from None
    inside, lines = answer_numbers(text), text.split("\n")
    for number in sorted(inside):
        line = lines[number - 1]
        if match := _DIRECTIVE.search(line):
            raise BuildError(f"a comment may not give directives ({match[1]}:)", number)
        # Cython does not count these as Python does to find out how far a line is indented
        if _ODD.search(line) or line.lstrip().startswith("\\"):
            raise BuildError(
                "an answer in Cython may have no tabs, and no line that is only \\", number
            )
    nodes = list(walk(tree, inside))
    for node, outer, _, _ in nodes:
        node.parent = outer
    names = _Names(nodes)
    try:
        check_that_they_are_whole(text)
        for node, _, line, _ in nodes:
            if line and (fault := names.fault_of(node)):
                raise BuildError(fault, line)
        check_replaced(nodes)
    except Forbidden as error:
        raise BuildError(str(error), error.lineno) from None


class _Names:
    """The names that a file makes, and what is wrong with the nodes of its answers.

    Attributes
    ----------
    bound : set of str
        Variables, parameters, functions, classes and modules.
    types : set of str
        Classes of the file, and what its answers import, which is as good as `object` in a type.
    own : set of str
        Attributes: what the classes define, and what is set in them as ``self.name``.
    """

    def __init__(self, nodes):
        self.bound, self.types, self.own = set(), {"Node"}, set()
        self.formats = plain_formats(nodes)
        for node, outer, line, _ in nodes:
            made = _made_by(node)
            self.bound.update(made)
            if isinstance(node, ast.ClassDef) or (line and isinstance(node, ast.alias)):
                self.types.update(made)
            match node:
                case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                    self._define(name, line)
                case _ if made and not isinstance(node, ast.arg) and _is_in_a_class(node, outer):
                    for name in made:
                        self._define(name, line)

    def _define(self, name, line):
        if not line or (name not in FORBIDDEN and name[0] != "_"):
            self.own.add(name)

    def allows(self, name):
        """Return whether an attribute of anything may have this name."""
        return name in ATTRIBUTES or name in self.own or name in METHODS_OF_CLASSES

    def fault_of(self, node):
        """Return what is wrong with one node of an answer, or None."""
        for name in identifiers(node):
            if isinstance(name, str) and name.startswith("__") and name not in METHODS_OF_CLASSES:
                if not (isinstance(node, ast.Attribute) and name == "__class__"):
                    return _may_not_use(name)
        if replaced := RESERVED.intersection(_made_by(node)):
            if not isinstance(node, ast.alias) or node.asname:
                return f"an answer may not replace {min(replaced)}"
        match node:
            case ast.Import(names=aliases):
                for alias in aliases:
                    if alias.name not in MODULES and (alias.name != "cython" or alias.asname):
                        return f"an answer in Cython may not import {alias.name}"
            case ast.ImportFrom():
                return _fault_of_import(node)
            case ast.Nonlocal() | ast.NamedExpr() | ast.Match():  # see careful_pyx.py
                return "an answer in Cython may not use nonlocal, := and match"
            case ast.Global(names=names):
                return next((_may_not_use(n) for n in names if _is_a_builtin(n)), None)
            case ast.Name(id=name):
                return self._fault_of_name(node, name)
            case ast.Attribute(attr=name):
                return self._fault_of_attribute(node, name)
            case ast.AsyncFunctionDef():
                return "an answer in Cython may not use async"
            case ast.YieldFrom():
                return "an answer in Cython may not use yield from"
            case ast.Yield() if _is_in_a_try(node):
                return "an answer in Cython may not use yield inside of try or with"
            case ast.ClassDef(keywords=[_, *_]):
                return "an answer in Cython may not give arguments to a class"
            case ast.Call(func=ast.Attribute(value=ast.Name(id="cython"), attr=name)):
                if name in DECLARING:
                    if name == "declare" and node.keywords:
                        return "cython.declare may have no arguments with names"
                    types = [*node.args[:1], *(keyword.value for keyword in node.keywords)]
                    return next(filter(None, map(self._fault_of_type, types)), None)
        for kind in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if kind is not None and (fault := self._fault_of_type(kind)):
                return fault
        return None

    def _fault_of_name(self, node, name):
        outer = node.parent
        if name == "cython":
            return _fault_of_cython(outer)
        if name == "Node" and not _is_in_a_type(node):
            return "an answer may use Node only as the type of a variable, and in isinstance"
        if name == "type" and not _is_in_a_type(node):
            if not (isinstance(outer, ast.Call) and outer.func is node and _is_compared(outer)):
                return f"{_may_not_use(name)} but to compare a type, or show its name"
        if name in HIDDEN:
            return f"an answer may not use {name}"
        if name in BY_NAME:
            called = isinstance(outer, ast.Call) and outer.func is node
            if called and is_plain(outer, self.allows):
                if not any(isinstance(argument, ast.Starred) for argument in outer.args):
                    return None
            return f"{name} needs a name that is written down, and that an answer may use"
        if _is_a_builtin(name):
            return None if _is_local(node, name) else _may_not_use(name)
        return None if name in FUNCTIONS or name in self.bound else _may_not_use(name)

    def _fault_of_attribute(self, node, name):
        if name in NODE and not isinstance(node.ctx, ast.Load):
            return f"an answer may not set {name}"
        if isinstance(node.value, ast.Name) and node.value.id in {"Node", "cython"} | HIDDEN:
            return None  # see `_fault_of_name`
        if id(node) in self.formats or self.allows(name):
            return None
        if name == "__class__":
            return None if _is_compared(node) else f"{_may_not_use(name)} but to compare it"
        if name.startswith("_"):
            return f"{_may_not_use(name)}; give it a name without an underscore"
        if name in FORBIDDEN:
            return f"{_may_not_use(name)}; give it another name"
        return f"{_may_not_use(name)}, which none of its classes defines"

    def _fault_of_type(self, node):
        """Return what is wrong with a type of a variable or function, or None."""
        match node:
            case ast.Constant(value=None):
                return None
            case ast.Constant(value=str(name)):
                return None if name in self.types else "write a type without quotation marks"
            case ast.Name(id=name) if name in TYPES or name in self.types:
                return None
            case ast.Attribute(value=ast.Name(id="cython"), attr=name):
                if name not in DECORATORS | DECLARING:
                    return None  # see `_fault_of_cython`
            case ast.BinOp(op=ast.BitOr(), left=left, right=right):
                return self._fault_of_type(left) or self._fault_of_type(right)
            case ast.Subscript(value=ast.Name(id=name), slice=part) if name in CONTAINERS:
                parts = part.elts if isinstance(part, ast.Tuple) else [part]
                parts = [p for p in parts if not (isinstance(p, ast.Constant) and p.value is ...)]
                return next(filter(None, map(self._fault_of_type, parts)), None)
            case ast.Subscript(value=ast.Attribute()):
                return "an answer may not use C arrays; use a list"
        return f"an answer may not use {ast.unparse(node):.60} as a type"


def _may_not_use(name):
    return f"an answer in Cython may not use {name}"


def _made_by(node):
    """Return the names of the variables, parameters, functions and classes that a node makes."""
    return [node.arg] if isinstance(node, ast.arg) else bound(node)


def _is_a_builtin(name):
    """Return whether a name is that of a builtin function which an answer may not call."""
    return name not in FUNCTIONS and hasattr(builtins, name)


def _fault_of_import(node):
    given = (node.module or "").removeprefix("cython.cimports.")
    names = [alias.name for alias in node.names]
    if given != node.module:
        for name in names:
            if name not in CIMPORTS.get(given, ()):
                return f"an answer may not cimport {name} from {given}"
        if any(alias.asname for alias in node.names):
            return "an answer may not give another name to what it cimports"
    elif given not in MODULES or node.level:
        return f"an answer in Cython may not import from {given or '.'}"
    else:
        for name in names:
            if name not in MODULES[given]:
                return f"an answer in Cython may not import {name}"
    return None


def _fault_of_cython(outer):
    if not isinstance(outer, ast.Attribute):
        return "cython may only be used as in cython.int"
    if outer.attr not in CYTHON:
        return f"an answer may not use cython.{outer.attr}"
    if isinstance(outer.parent, ast.Subscript) and outer.parent.value is outer:
        return "an answer may not use C arrays; use a list"
    called = isinstance(outer.parent, ast.Call) and outer.parent.func is outer
    if outer.attr in DECLARING and not called:
        return f"cython.{outer.attr} may only be called"
    return None


def _is_compared(node):
    """Return whether a type is compared, or shown as its name, so that no code of an answer gets it."""
    match node.parent:
        case ast.Attribute(attr="__name__" | "__qualname__"):
            return True
        case ast.Compare(ops=operators):
            return all(isinstance(operator, ast.Is | ast.IsNot) for operator in operators)
    return False


def _is_in_a_try(node):
    while node is not None and not isinstance(node, ast.FunctionDef | ast.Lambda):
        if isinstance(node, ast.Try | ast.TryStar | ast.With):
            return True
        node = node.parent
    return False


def _is_in_a_class(node, outer):
    """Return whether what a node binds is an attribute of a class."""
    while isinstance(outer, ast.Tuple | ast.Assign | ast.AnnAssign | ast.If):
        outer = outer.parent
    return isinstance(outer, ast.ClassDef) and node not in outer.bases + outer.decorator_list


def _is_in_a_type(node):
    """Return whether a name is in a type, or is what `isinstance` compares with."""
    inner = node
    while isinstance(outer := node.parent, ast.BinOp | ast.Subscript | ast.Tuple):
        node = outer
    if isinstance(outer, ast.keyword):
        node, outer = outer, outer.parent
    match outer:
        case ast.Call(func=ast.Name(id="isinstance"), args=[_, kinds], keywords=[]):
            return kinds is inner or (isinstance(kinds, ast.Tuple) and inner in kinds.elts)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="cython"), attr=name)):
            return name in DECLARING and node in (*outer.args[:1], *outer.keywords)
    return node in (getattr(outer, "annotation", None), getattr(outer, "returns", None))


def _is_local(node, name):
    """Return whether a name is a variable or parameter of the function right around a node.

    Elsewhere it would be the builtin function.
    """
    function = _function_of(node, DEFINITIONS)
    return function is not None and any(
        name in _made_by(other) and _function_of(other, DEFINITIONS + _WITH_VARIABLES) is function
        for other in ast.walk(function)
        if isinstance(other, ast.Name | ast.arg)
    )


def _function_of(node, ends):
    """Return the function of which a node is a parameter, or in whose body it is.

    It is None if nodes of the types in `ends` are in between, which have variables of their own.
    """
    first = node
    while (outer := node.parent) is not None:
        if isinstance(outer, ast.FunctionDef) and node in outer.body:
            return outer
        if isinstance(outer, ast.arguments):
            if isinstance(first, ast.arg):
                return outer.parent if isinstance(outer.parent, ast.FunctionDef) else None
            outer = outer.parent  # a default or an annotation is not in the function
        elif isinstance(outer, ends):
            return None
        node = outer
    return None


_WITH_VARIABLES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


# ---- what types its expressions may have


def check_types(tree, inside):
    """Raise `BuildError` for an expression of an answer that is no object of Python and no number.

    See Note [Which types an expression may have].

    Parameters
    ----------
    tree
        The tree of Cython's compiler, after it has found the types.
    inside : set of int
        The lines of the answers.
    """
    stack = [(tree, None, None)]
    while stack:
        node, line, role = stack.pop()
        source, number = (node.pos or (None, None))[:2]
        if number in inside and source.get_filenametable_entry() == FILE:
            line = number
        elif not hasattr(node, "subexprs"):
            line = None  # what an expression of the student contains is the student's
        if line and (fault := _fault_of_typed(node, role)):
            raise BuildError(fault, line)
        stack += [(part, line, name) for name, _, part in parts_of(node)]


def _fault_of_typed(node, role):
    kind, entry = getattr(node, "type", None), getattr(node, "entry", None)
    if not _fits(type(node).__name__, getattr(node, "target", None)):
        return "a variable with a type may be no exception and no class; give it another name"
    if kind is None or not hasattr(node, "subexprs"):
        return None
    if node.is_name and entry is not None:
        if entry.is_cmethod or entry.is_unbound_cmethod:
            return f"call the method {entry.name} on an object"
        # Cython has builtins of its own, and takes no notice of assignments that are never reached
        builtin = entry.is_builtin or entry.scope and entry.scope.is_builtin_scope
        if builtin and node.name not in FUNCTIONS | BY_NAME:
            return _may_not_use(node.name)
    if node.is_attribute and _is_of_the_library(node.obj.type) and node.attribute not in NODE:
        return f"an answer may not read {node.attribute} of a node; only {', '.join(sorted(NODE))}"
    if kind.is_cfunction or (kind.is_ptr and kind.base_type.is_cfunction):
        if role == "function" and not kind.is_ptr:
            return None
        return "a function with @cython.cfunc may only be called; it is no object"
    return None if _is_plain_type(kind) else f"an answer may not use the type {kind}"


def _fits(statement, target):
    """Return whether a statement sets a variable of a fitting type; Cython does not test all."""
    if target is None or statement not in ("ExceptClauseNode", "PyClassDefNode"):
        return True
    kind = target.type
    if statement == "PyClassDefNode" and kind.is_builtin_type and kind.name == "type":
        return True
    return kind.is_pyobject and (
        kind.name == "object" or (kind.is_builtin_type and kind.name not in TYPES)
    )


def _is_of_the_library(kind):
    return kind.is_extension_type and not kind.is_builtin_type and kind.module_name != "piece"


def _is_plain_type(kind):
    if kind.is_ctuple:
        return all(map(_is_plain_type, kind.components))
    return kind.is_pyobject or kind.is_int or kind.is_float or kind.is_void or kind.is_complex
