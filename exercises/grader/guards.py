"""Checks of the classes that an answer makes while it runs.

Note [Classes of an answer]
What a class has decides what Python and the library do with its objects, and what the tests see of
them. A class statement shows all names in the text, so `names.check` has seen them. Other ways to
make a class take the names from objects: ``type("X", (), names)``, `abc.ABCMeta`, or the library, if
it is given `type` as a function. So new classes may only come

- from a class statement, whose bases are on a list or are the answer's own;
- from `namedtuple`, from data classes with slots, and from ``Enum("Kind", "A B")``;
- from the code of the library and of Python that makes classes for its own purposes.
"""

import abc
import builtins
import collections
import contextlib
import dataclasses
import enum
import importlib
import numbers
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
    """Let new classes come only from the places in Note [Classes of an answer]."""
    from exercises import plugs  # here, since it imports the library

    makers = _MAKERS | {type(plugs.torch.autograd.Function).__init__.__code__}

    def checked(cls, /, **keywords):
        if keywords:
            raise TypeError(f"{cls.__name__}.__init_subclass__() takes no keyword arguments")
        code = _maker(sys._getframe(1))
        if code in makers:
            _own.append(cls)
        elif code.co_filename in (FILE, _RULES) or not _has_statement(code, cls):
            raise Forbidden("an answer may make a class only by a class statement", None)

    class Members(enum._EnumDict):  # ``Enum("Kind", names)`` takes the names from an object
        def __setitem__(self, name, value):
            if name[:1] == "_" and name not in _GIVEN and sys._getframe(1).f_code is _ENUM_CALL:
                raise Forbidden(f"a member of an Enum may not have the name {name}", None)
            super().__setitem__(name, value)

    vars(enum)["_EnumDict"] = Members
    plugs.set_attribute(object, "__init_subclass__", classmethod(checked))


def _has_statement(code, cls):
    """Return whether code of the library, or of Python, has the statement of a class in it."""
    bodies = (part for part in code.co_consts if isinstance(part, types.CodeType))
    return any(body.co_qualname == cls.__qualname__ for body in bodies)


def _maker(frame):
    """Return the code that makes a class, behind its metaclasses' methods and those of its bases."""
    while True:
        code = frame.f_code
        of_a_base = code.co_name == "__init_subclass__" and code.co_filename not in (FILE, _RULES)
        if not of_a_base and code not in _METACLASSES:
            return code
        frame = frame.f_back


def builtins_for_rules(lines=()):
    """Return the builtins of the tests, whose class statements have to be known as such."""
    build = builtins.__build_class__

    def build_class(body, name, *bases, **keywords):
        if sys._getframe(1).f_lineno in lines:
            check_bases(bases, keywords)
        return build(body, name, *bases, **keywords)

    return vars(builtins) | {"__build_class__": build_class}


def builtins_for_answer(lines):
    """Return the builtins of a module in which an answer has these lines."""
    return builtins_for_rules(lines) | {"__import__": bring}


def check_bases(bases, keywords):
    """Raise `Forbidden` if a class of an answer may not have these bases, or these keywords."""
    if keywords and keywords != {"metaclass": abc.ABCMeta}:
        raise Forbidden("a class of an answer may have no keywords but metaclass=ABCMeta", None)
    for base in bases:
        base = getattr(base, "__origin__", base) if type(base) in _ALIASES else base
        if not any(base is one for one in (*_BASES, *_own)) and not _is_of_a_kind(base):
            name = getattr(base, "__name__", type(base).__name__)
            raise Forbidden(f"an answer may not make a kind of {name:.100}", None)


def _is_of_a_kind(base):
    if not isinstance(base, type):
        return base is typing.NamedTuple
    torch = sys.modules["minitorch"]
    optim = sys.modules.get("minitorch.optim.optimizer")
    if base is torch.autograd.Function or optim and base is optim.Optimizer:
        return True
    return issubclass(base, (BaseException, torch.nn.Module))


_own = []  # the classes of the answer, and of the tests
_ALIASES = (types.GenericAlias, type(typing.Generic[typing.TypeVar("T")]))
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
_GIVEN = ("__module__", "__qualname__")  # by that call itself
_ENUM_CALL = enum.EnumType._create_.__code__
_MAKERS = {
    next(c for c in builtins_for_rules.__code__.co_consts if isinstance(c, types.CodeType)),
    *(collections.namedtuple.__code__, dataclasses._add_slots.__code__, _ENUM_CALL),
    importlib._bootstrap._call_with_frames_removed.__code__,  # a compiled module is imported
}
_METACLASSES = {
    kind.__new__.__code__
    for kind in (abc.ABCMeta, enum.EnumType, typing.NamedTupleMeta, type(typing.Protocol))
    if isinstance(kind.__new__, types.FunctionType)
}
