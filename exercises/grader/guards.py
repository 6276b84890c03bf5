"""Checks of what an answer makes while it runs, where its text does not show the names."""

import ast
import copy
import dataclasses
import enum
import types

from exercises.grader.allowed import SPECIAL, Forbidden
from exercises.grader.names import fault_of, is_plain
from exercises.grader.tree import walk
from exercises.source import FILE


def guard_dataclasses():
    """Let `dataclasses` run only what an answer itself may say.

    A method of a data class is made from a text with the names of the fields in it. Such a name can
    be any text: ``field.name`` can be set, and the keys of a `TypedDict` are annotations.
    """

    def checked(text, *namespaces):
        tree = ast.parse(text)
        for node, outer, _, _ in walk(tree, range(1, text.count("\n") + 2)):
            fault = (fault_of(node, outer) or "").partition(";")[0]
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
    from exercises import plugs  # here, since it imports the library

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


def _is_generated(node, outer, name):
    """Return whether data classes use a special name in this way."""
    setters = ("__setattr__", "__delattr__")
    if isinstance(node, ast.Attribute) and name in setters:
        return getattr(outer, "func", None) is node and (
            is_plain(outer) or ast.unparse(outer) in _SUPER
        )
    return name.startswith("__dataclass") or name in ("__create_fn__", *setters)


_SUPER = ("super(cls, self).__setattr__(name, value)", "super(cls, self).__delattr__(name)")
