"""Checks of the classes that an answer makes while it runs.

Note [Classes of an answer]
What a class has decides what Python and the library do with its objects, and what the tests see of
them. A class statement shows its names in the text. Other ways to make a class take them from
objects: ``type("X", (), names)``, a named tuple, a data class with slots, or a function of Python or
the library that is given `type` to call. So it does not matter how a class is made. Each new one is
judged: its bases are on a list or are the answer's own, and its names are such that an answer may
use, or that Python gives to every class of its kind. Only the classes of the tests and of the
library may have more. They come from class statements in other texts.
"""

import abc
import builtins
import collections
import contextlib
import dataclasses
import enum
import functools
import importlib
import numbers
import re
import sys
import types
import typing

from exercises.grader.allowed import Forbidden, allows_attribute
from exercises.grader.offered import bring
from exercises.source import FILE

_RULES = "<rules>"  # what the code of the tests is called


def guard():
    """Check the classes that are made from now on, in this process; see the Note."""
    _guard_fields()
    _guard_classes()


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

    gradient = type(plugs.torch.autograd.Function).__init__.__code__  # makes a class for its class
    functools.update_wrapper.__defaults__ = (functools.WRAPPER_ASSIGNMENTS, ())
    functools.wraps.__defaults__ = functools.update_wrapper.__defaults__  # not a class's `__dict__`

    def check(cls, frame):
        if frame.f_code is not gradient and not _is_of_others(cls, frame):
            check_class(cls)
        elif frame.f_code is not _BUILD_CLASS:
            return
        _own.append(cls)

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


def _is_of_others(cls, frame):
    """Return whether a class comes from a statement of the tests, the library or Python."""
    code = frame.f_code
    if code is _BUILD_CLASS:
        return not frame.f_locals["of_an_answer"]
    if code is _IMPORT:  # of a compiled module
        return True
    if code.co_filename == FILE:
        return False
    slot = types.MemberDescriptorType
    names = {name for name, value in vars(cls).items() if type(value) is not slot} - _OF_PYTHON
    bodies = (part for part in code.co_consts if isinstance(part, types.CodeType))
    return any(b.co_qualname == cls.__qualname__ and names <= {*b.co_names} for b in bodies)


def check_class(cls):
    """Raise `Forbidden` if an answer may not have a class with these bases and names."""
    check_bases(cls.__bases__)
    for name in vars(cls):
        if type(name) is not str:
            raise Forbidden("the names in a class have to be texts", None)
        of_enum = issubclass(cls, enum.Enum) and re.fullmatch("_[^_].*_", name)
        if allows_attribute(name) or name in _OF_PYTHON or of_enum:
            continue
        if not _is_of_data_classes(name, vars(cls)[name]):
            raise Forbidden(f"a class of an answer may not have the name {name:.100}", None)


def _is_of_data_classes(name, value):
    """Return whether it is an entry of a class that a data class with slots is made from, or new."""
    if any(name in vars(own) and vars(own)[name] is value for own in _own):
        return True
    return value is dataclasses._dataclass_getstate or value is dataclasses._dataclass_setstate


def builtins_for_rules(lines=()):
    """Return the builtins of the tests, whose class statements have to be known as such."""
    build = builtins.__build_class__

    def build_class(body, name, *bases, **keywords):
        of_an_answer = sys._getframe(1).f_lineno in lines  # for `_is_of_others`
        others = {key for key, value in keywords.items() if value is not abc.ABCMeta}
        if of_an_answer and (others or keywords.keys() - {"metaclass"}):
            raise Forbidden("a class of an answer may have no keywords but metaclass=ABCMeta", None)
        return build(body, name, *bases, **keywords)

    return vars(builtins) | {"__build_class__": build_class}


def builtins_for_answer(lines):
    """Return the builtins of a module in which an answer has these lines."""
    return builtins_for_rules(lines) | {"__import__": bring}


def check_bases(bases):
    """Raise `Forbidden` if a class of an answer may not have these bases."""
    for base in bases:
        if not any(base is one for one in (*_BASES, *_own)) and not _is_of_a_kind(base):
            raise Forbidden(f"an answer may not make a kind of {base.__name__:.100}", None)


def _is_of_a_kind(base):
    torch = sys.modules["minitorch"]
    optim = sys.modules.get("minitorch.optim.optimizer")
    if base is torch.autograd.Function or optim and base is optim.Optimizer:
        return True
    return issubclass(base, (BaseException, torch.nn.Module))


_own = []  # the classes of the answer, and what is given or of the tests
_BASES = [
    *(object, dict, list, tuple, set, frozenset, int, float, complex, str, bytes),
    *(abc.ABC, typing.Generic, typing.Protocol),
    *(enum.Enum, enum.Flag, enum.IntEnum, enum.IntFlag, enum.StrEnum),
    *(contextlib.AbstractContextManager, contextlib.ContextDecorator, contextlib.ExitStack),
    *(getattr(collections, name) for name in ("ChainMap", "Counter", "OrderedDict", "UserDict")),
    *(getattr(collections, name) for name in ("UserList", "defaultdict", "deque")),
    *(getattr(collections.abc, name) for name in collections.abc.__all__),
    *(getattr(numbers, name) for name in numbers.__all__),
]
_BUILD_CLASS = next(
    c for c in builtins_for_rules.__code__.co_consts if isinstance(c, types.CodeType)
)
_IMPORT = importlib._bootstrap._call_with_frames_removed.__code__
_METACLASSES = {
    kind.__new__.__code__
    for kind in (abc.ABCMeta, enum.EnumType, typing.NamedTupleMeta, type(typing.Protocol))
    if isinstance(kind.__new__, types.FunctionType)
}

# names that Python and its modules give to classes
_OF_PYTHON = set(
    """
    __abstractmethods__ __annotate_func__ __annotations__ __annotations_cache__ __closed__
    __conditional_annotations__ __dict__ __doc__ __firstlineno__ __getnewargs__ __init__ __module__
    __new__ __non_callable_proto_members__ __orig_bases__ __parameters__ __protocol_attrs__
    __static_attributes__ __type_params__ __weakref__ _abc_impl _field_defaults _fields _is_protocol
    _is_runtime_protocol _make
    """.split()
)
