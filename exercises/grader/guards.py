"""Checks of the classes that an answer makes while it runs.

Note [Classes of an answer]
What a class has decides what Python and the library do with its objects, and what the tests see of
them. A class statement shows its names in the text. Other ways to make a class take them from
objects: ``type("X", (), names)``, a named tuple, a data class with slots, or a function of Python or
the library that is given `type` to call. So it does not matter how a class is made. Each new one is
judged: its bases are on a list or have been judged before, and its names are such that an answer
may use, or that Python gives to every class of its kind. The tests and the library have class
statements, too, in other texts; what these make may have more.

An answer's objects may be equal to anything. So the checks here compare by identity and by exact
types, and no class of an answer derives from `str`: the library compares texts with names.
"""

import abc
import builtins
import collections
import contextlib
import copy
import dataclasses
import enum
import functools
import gc
import importlib
import numbers
import re
import sys
import types
import typing

from exercises.grader.allowed import NAMING, Forbidden, allows_attribute
from exercises.grader.offered import bring
from exercises.source import FILE


def guard():
    """Check the classes that are made from now on, in this process; see the Note."""
    _guard_fields()
    _guard_classes()
    copy._copy_dispatch[types.MethodType] = copy._copy_immutable  # and not by the function's name


def _guard_fields():
    """Let the fields of data classes have no names that an answer may not use.

    The methods of a data class are made from a text with the names of its fields, and an answer can
    set ``field.name``.
    """
    from exercises import plugs  # here, since it imports the library

    plugs.set_attribute(dataclasses.Field, "name", _FieldName(dataclasses.Field.name))


class _FieldName:
    """The attribute `name` of the fields of data classes."""

    def __init__(self, slot):
        self.slot = slot

    def __get__(self, field, owner=None):
        return self if field is None else self.slot.__get__(field, owner)

    def __set__(self, field, name):
        plain = type(name) is str and name.isidentifier() and allows_attribute(name)
        if name is not None and not plain:
            raise Forbidden(f"a field may not have the name {name!r:.100}", None)
        self.slot.__set__(field, name)


def _guard_classes():
    """Judge all classes that are made from now on: Note [Classes of an answer]."""
    from exercises import plugs  # here, since it imports the library

    function = plugs.torch.autograd.function
    gradient = function.FunctionMeta.__init__.__code__  # makes a class of nodes
    functools.update_wrapper.__defaults__ = (functools.WRAPPER_ASSIGNMENTS, ())
    functools.wraps.__defaults__ = functools.update_wrapper.__defaults__  # not a class's `__dict__`
    builtins.__build_class__ = builtins_for_rules()["__build_class__"]

    def check(cls, frame):
        code, names = frame.f_code, vars(cls).keys() - _OF_PYTHON.keys()
        if code is gradient and cls.__base__ is function.BackwardCFunction and names == _OF_NODES:
            plugs.make_immutable(cls)
            return
        of_others = code is _BUILD_CLASS and not frame.f_locals["of_an_answer"]
        if not of_others and not _is_imported(frame):
            try:
                check_class(cls)
            except Forbidden:
                plugs.empty(cls)  # it is still among the classes below its bases
                raise
        _made.append(cls)

    def guarded(own):
        def __init_subclass__(cls, /, **keywords):
            check(cls, _maker(sys._getframe(1)))
            own.__get__(None, cls)(**keywords)

        return classmethod(__init_subclass__)

    stack, seen = [object], set()
    while stack:  # a method of this name may keep those of its bases from being called
        cls = stack.pop()
        if "__init_subclass__" in vars(cls):
            plugs.set_attribute(cls, "__init_subclass__", guarded(vars(cls)["__init_subclass__"]))
        below = set(type.__subclasses__(cls)) - seen
        seen |= below
        stack += below


def _maker(frame):
    """Return the frame that makes a class, behind its metaclasses' methods and those of its bases."""
    while True:
        code = frame.f_code
        of_a_base = code.co_name == "__init_subclass__" and code.co_filename != FILE
        if not of_a_base and code not in _METACLASSES:
            return frame
        frame = frame.f_back


def _is_imported(frame):
    """Return whether a class is made while a module of the library or of Python is loaded."""
    while frame.f_code.co_name in ("<dictcomp>", "<genexpr>", "<listcomp>", "<setcomp>"):
        frame = frame.f_back
    code = frame.f_code
    return (
        code is _IMPORT or code.co_name == "<module>" and code.co_filename not in (FILE, "<string>")
    )


def check_class(cls):
    """Raise `Forbidden` if an answer may not have a class with these bases and names."""
    check_bases(cls.__bases__)
    for name, value in vars(cls).items():
        if type(name) is not str:
            raise Forbidden("the names in a class have to be texts", None)
        of_enum = issubclass(cls, enum.Enum) and re.fullmatch("_[^_].*_", name)
        allowed = allows_attribute(name) and name not in NAMING
        if allowed or _is_of_python(name, value) or of_enum:
            continue
        if not _is_of_data_classes(name, value):
            raise Forbidden(f"a class of an answer may not have the name {name:.100}", None)
    if (slots := vars(cls).get("__slots__")) is not None:  # which copies look up later
        slots = (slots,) if type(slots) is str else tuple(slots)
        if not all(type(name) is str for name in slots):
            raise Forbidden("the names of slots have to be texts", None)
        cls.__slots__ = slots


def _is_of_python(name, value):
    """Return whether Python and its modules give such a name with such a value to classes."""
    kind = _OF_PYTHON.get(name)
    if kind is types.FunctionType:  # of a named tuple, for example
        value = value.__func__ if type(value) in (classmethod, staticmethod) else value
        return type(value) is kind and value.__code__.co_filename in _MAKERS
    return kind is object or type(value) is kind


def _is_of_data_classes(name, value):
    """Return whether it is an entry of a class that a data class with slots is made from, or new."""
    if any(name in vars(own) and vars(own)[name] is value for own in _made):
        return True
    return value is dataclasses._dataclass_getstate or value is dataclasses._dataclass_setstate


def builtins_for_rules(lines=()):
    """Return the builtins of the tests, whose class statements have to be known as such."""

    def build_class(body, name, *bases, **keywords):
        of_an_answer = True  # which `check` looks up
        ours = sys._getframe(1).f_lineno not in lines
        others = {key for key, value in keywords.items() if value is not abc.ABCMeta}
        if not ours and (others or keywords.keys() - {"metaclass"}):
            raise Forbidden("a class of an answer may have no keywords but metaclass=ABCMeta", None)
        enabled = gc.isenabled()
        gc.disable()  # so that no callback of an answer makes a class meanwhile
        of_an_answer = not ours
        try:
            return _build_class(body, name, *bases, **keywords)
        finally:
            of_an_answer = True  # noqa: F841 (`check` reads it in this frame)
            if enabled:
                gc.enable()

    return vars(builtins) | {"__build_class__": build_class}


def builtins_for_answer(lines):
    """Return the builtins of a module in which an answer has these lines."""
    return builtins_for_rules(lines) | {"__import__": bring}


def check_bases(bases):
    """Raise `Forbidden` if a class of an answer may not have these bases."""
    for base in bases:
        if not any(base is one for one in (*_BASES, *_made)) and not _is_of_a_kind(base):
            raise Forbidden(f"an answer may not make a kind of {base.__name__:.100}", None)


def _is_of_a_kind(base):
    torch = sys.modules["minitorch"]
    optim = sys.modules.get("minitorch.optim.optimizer")
    if base is torch.autograd.Function or optim and base is optim.Optimizer:
        return True
    return issubclass(base, (BaseException, torch.nn.Module))


_build_class = builtins.__build_class__
_made = []  # the classes that were made under guard, which may be bases
_BASES = [
    *(object, dict, list, tuple, set, frozenset, int, float, complex),
    *(abc.ABC, typing.Generic, typing.Protocol),
    *(enum.Enum, enum.Flag, enum.IntEnum, enum.IntFlag),
    *(contextlib.AbstractContextManager, contextlib.ContextDecorator, contextlib.ExitStack),
    *(getattr(collections, name) for name in ("ChainMap", "Counter", "UserDict")),
    *(getattr(collections, name) for name in ("UserList", "defaultdict", "deque")),
    *(getattr(collections.abc, name) for name in collections.abc.__all__),
    *(getattr(numbers, name) for name in numbers.__all__),
]
_BUILD_CLASS = next(
    c for c in builtins_for_rules.__code__.co_consts if isinstance(c, types.CodeType)
)
_IMPORT = importlib._bootstrap._call_with_frames_removed.__code__  # of compiled modules
# where the methods of named tuples and enumerations are; the former are made from texts
_MAKERS = {"<string>", *(module.__file__ for module in (collections, enum, typing))}
_METACLASSES = {
    kind.__new__.__code__
    for kind in (abc.ABCMeta, enum.EnumType, typing.NamedTupleMeta, type(typing.Protocol))
    if isinstance(kind.__new__, types.FunctionType)
}

_OF_NODES = {"_forward_cls", "_autograd_function_id"}

# names that Python and its modules give to classes, by what they stand for
_KINDS = {
    object: "__init__ __doc__ __annotate_func__ __annotations_cache__",
    bool: "_is_protocol _is_runtime_protocol __closed__",
    dict: "__annotations__ _field_defaults",
    frozenset: "__abstractmethods__",
    int: "__firstlineno__",
    set: "__non_callable_proto_members__ __protocol_attrs__ __conditional_annotations__",
    str: "__module__",
    tuple: "__orig_bases__ __parameters__ __static_attributes__ __type_params__ _fields",
    types.FunctionType: "__getnewargs__ __new__ _make",
    types.GetSetDescriptorType: "__dict__ __weakref__",
    type(vars(abc.ABC)["_abc_impl"]): "_abc_impl",
}
_OF_PYTHON = {name: kind for kind, names in _KINDS.items() for name in names.split()}
