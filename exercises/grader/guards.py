"""Checks of what an answer makes while it runs, where its text does not show the names."""

import ast
import copy
import dataclasses
import enum
import sys
import types

from exercises.grader.allowed import SPECIAL, Forbidden, allows_attribute
from exercises.grader.names import fault_of, is_plain
from exercises.grader.tree import walk
from exercises.source import FILE


def guard_dataclasses():
    """Let `dataclasses` run only what an answer itself may say.

    A method of a data class is made from a text with the names of the fields in it. Such a name can
    be any text: ``field.name`` can be set, and the keys of a `TypedDict` are annotations.
    """
    from exercises import plugs  # here, since it imports the library

    def run(text, *namespaces):
        tree = ast.parse(text)
        for node, outer, _, _ in walk(tree, range(1, text.count("\n") + 2)):
            fault = (fault_of(node, outer) or "").partition(";")[0]
            if isinstance(node, ast.Lambda) or (fault and not _is_generated(node, outer, fault)):
                raise Forbidden(f"the name of a field may not use {fault or 'lambda'}", None)
        exec(compile(tree, "<string>", "exec"), *namespaces)

    vars(dataclasses)["exec"] = run
    plugs.set_attribute(dataclasses.Field, "name", _FieldName(dataclasses.Field.name))


class _FieldName:
    """The attribute `name` of the fields of data classes, by which functions find attributes."""

    def __init__(self, slot):
        self.slot = slot

    def __get__(self, field, owner=None):
        return self if field is None else self.slot.__get__(field, owner)

    def __set__(self, field, name):
        plain = type(name) is str and name.isidentifier() and allows_attribute(name)
        if name is not None and not plain:
            raise Forbidden(f"a field may not have the name {name!r:.100}", None)
        self.slot.__set__(field, name)


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


def guard_classes(lines):
    """Let no class have names that a class statement of an answer may not define.

    A class can be made from a dictionary with any names: ``abc.ABCMeta("X", (), {...})``, or
    ``type(int)`` in its place. Every new class is checked, that of a test or of the library, too;
    but only an answer's may have no private names of others, and be no kind of tensor, since
    a tensor's attributes are what the tests look at.

    Parameters
    ----------
    lines : set of int
        The lines of the answers.
    """
    from exercises import plugs  # here, since it imports the library

    def checked(cls, /, **keywords):
        if keywords:
            raise TypeError(f"{cls.__name__}.__init_subclass__() takes no keyword arguments")
        for name, value in vars(cls).items():
            check_special(name, value)
        if issubclass(cls, type) and cls.mro is not type.mro:  # it gets a class before its check
            raise Forbidden("an answer may not define mro", None)
        frame = sys._getframe(1)
        if _is_of_an_answer(frame, lines):
            check_own(cls, plugs.torch.Tensor, frame.f_globals is vars(dataclasses))

    class Members(enum._EnumDict):  # `__init__` gets a member before its class is checked
        def __setitem__(self, name, value):
            check_special(name, value)
            super().__setitem__(name, value)

    vars(enum)["_EnumDict"] = Members
    plugs.set_attribute(object, "__init_subclass__", classmethod(checked))


def _is_of_an_answer(frame, lines):
    """Return whether an answer makes a class, itself or by a function of Python's modules."""
    while frame is not None:
        place = frame.f_code.co_filename
        if place == FILE:
            return frame.f_lineno in lines
        of_library = str(frame.f_globals.get("__name__")).startswith("minitorch.")
        if place == "<rules>" or of_library and frame.f_code.co_name != "__init_subclass__":
            return False
        frame = frame.f_back
    return False


def check_own(cls, tensor, again):
    """Raise `Forbidden` if an answer may not make this class.

    With `again`, data classes make a class that they have made once more, with slots.
    """
    if issubclass(cls, (tensor, dataclasses.Field)):
        raise Forbidden("an answer may not make a kind of tensor, or of field", None)
    if "__dataclass_fields__" in vars(cls) and not again:
        raise Forbidden("an answer may not define __dataclass_fields__", None)
    for name in vars(cls):
        private = name[0] == "_" != name[1:2] and not allows_attribute(name)
        of_python = name in _OF_PYTHON or (issubclass(cls, enum.Enum) and name[-1] == "_")
        if private and not of_python:
            raise Forbidden(f"a class of an answer may not have the name {name}", None)


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
    return code.co_filename != FILE and code.co_freevars in ((), ("__class__",))


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


# private names that Python's modules give to the classes which they make
_OF_PYTHON = set(
    "_abc_impl _field_defaults _fields _is_protocol _is_runtime_protocol _make".split()
)


def _is_generated(node, outer, name):
    """Return whether data classes use a special name in this way."""
    setters = ("__setattr__", "__delattr__")
    if isinstance(node, ast.Attribute) and name in setters:
        return getattr(outer, "func", None) is node and (
            is_plain(outer) or ast.unparse(outer) in _SUPER
        )
    return name.startswith("__dataclass") or name in ("__create_fn__", *setters)


_SUPER = ("super(cls, self).__setattr__(name, value)", "super(cls, self).__delattr__(name)")
