"""Let Cython's compiler test what it would otherwise trust, while it translates an answer.

Cython leaves out tests where it is sure of a type or of an object, and is wrong in rare cases. A program
that is written to hit one of them would get at any memory of its process. So `careful` changes the
compiler as long as it is entered. Cython 3.3 is what it was tried with.

Note [Who owns what a field held]
In ``b.items[f()]``, Cython tests whether ``b.items`` is None, calls `f`, and reads the field again.
If `f` sets it to None, the code takes the None for a list. And a list is freed while a method of
it runs if that calls code which replaces the list in its field. So `_hold_references` makes the
compiled code read a field once, and own a reference to what it has read while it uses it.

A local variable is used as it is. So nothing may set it while an expression that reads it is
computed: there is neither ``:=`` nor ``nonlocal``. And ``match`` tests how long a list is, compares
its items with values, which may call code that shortens the list, and then reads more of its items.
So there is no ``match`` either.

An assignment to a field drops the old object before it writes the new one. So nothing of an answer
may run when an object is freed: there is no ``__del__``, also in no class that is made by a call of a
metaclass, and no generator that has something left to do: it has no ``yield`` inside of ``try``, and no
``yield from``, which closes another object.
"""

import contextlib
import re
from unittest import mock


@contextlib.contextmanager
def careful(check):
    """Let Cython test more, inside a ``with`` block.

    Parameters
    ----------
    check : callable
        Called with the tree of a module when the types are known and there is no error.
    """
    from Cython.Compiler import Errors, ParseTreeTransforms, Pipeline, Symtab
    from Cython.Compiler.ExprNodes import BinopNode, BoolNode, FloatNode
    from Cython.Compiler.Optimize import OptimizeBuiltinCalls

    pipeline, safe = Pipeline.create_py_pipeline, Symtab.c_safe_identifier

    def with_tests(tree):
        if not Errors.get_errors_count():
            check(tree)
            _test_objects(tree)
            _hold_references(tree)
        return tree

    def longer_pipeline(*arguments):
        typed = ParseTreeTransforms.ExpandInplaceOperators
        return Pipeline.insert_into_pipeline(pipeline(*arguments), with_tests, after=typed)

    def no_macro(name):  # of a field or a method, in C
        if name.startswith("__") or re.fullmatch(r"(arg|f)\d+", name):  # of defaults and tuples
            return safe(name)
        return safe(f"of_{name}")

    def as_it_is(optimizer, node, *_):  # a C method that is called later does not test for None
        return node

    with (
        mock.patch.object(Pipeline, "create_py_pipeline", longer_pipeline),
        mock.patch.object(Symtab, "c_safe_identifier", no_macro),
        mock.patch.object(OptimizeBuiltinCalls, "_optimise_generic_builtin_method_call", as_it_is),
        mock.patch.object(BinopNode, "result_type", _sure(BinopNode.result_type)),
        mock.patch.object(BoolNode, "coerce_to", _tested(BoolNode)),
        mock.patch.object(FloatNode, "coerce_to", _tested(FloatNode)),
    ):
        yield


def parts_of(node):
    """Return the parts of a node, each with its role and its place in a list, or None."""
    found = []
    for name in node.child_attrs or ():
        child = getattr(node, name)
        places = enumerate(child) if isinstance(child, list) else [(None, child)]
        found += [(name, place, part) for place, part in places if part is not None]
    return found


def _test_objects(tree):
    """Let methods of compiled classes test what they are called on, as other parameters are tested.

    Otherwise a method that was read from its class takes any object for one of the class.

    Parameters
    ----------
    tree
        The tree of Cython's compiler, after it has found the types.
    """
    from Cython.Compiler.Nodes import DefNode

    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, DefNode) and node.args and node.args[0].is_self_arg:
            node.args[0].needs_type_test, node.args[0].accept_none = 1, False
        stack += [part for _, _, part in parts_of(node)]


def _tested(kind):
    """Return `coerce_to` of a kind of constants, which tests the type when the result is an object.

    Parameters
    ----------
    kind : type
        A class of Cython's nodes. Its own method takes ``3.5`` for an object of every class.
    """
    from Cython.Compiler.ExprNodes import ExprNode

    coerce = kind.coerce_to

    def coerce_to(self, dst_type, env):
        node = coerce(self, dst_type, env)
        if type(node) is kind and node.type.is_pyobject and dst_type.is_pyobject:
            return ExprNode.coerce_to(node, dst_type, env)
        return node

    return coerce_to


def _sure(result_type):
    """Return `result_type` of Cython's operations, which gives a type only if the result is sure to have it.

    Cython's own takes ``[0] * x`` for a list, whatever `x` is. But `x` may define ``__rmul__``.
    """
    from Cython.Compiler.PyrexTypes import py_object_type

    def of_operands(self, type1, type2, env):
        result = result_type(self, type1, type2, env)
        kinds = {kind for kind in (type1, type2) if kind.is_pyobject and not kind.is_pyint_type}
        exact = all(kind.is_builtin_type and not kind.is_exception_type for kind in kinds)
        if result.is_builtin_type and result.is_pyobject and not (exact and len(kinds) < 2):
            return py_object_type
        return result

    return of_operands


def _hold_references(tree):
    """Let compiled code own what it reads from fields and from the variables of inner functions.

    See Note [Who owns what a field held].

    Parameters
    ----------
    tree
        The tree of Cython's compiler, after it has found the types.
    """
    from Cython.Compiler.ExprNodes import CoerceToTempNode, CoercionNode, NoneCheckNode

    held, nodes, stack = {}, [], [(tree, False)]
    while stack:
        node, is_target = stack.pop()
        nodes.append(node)
        for name, place, part in parts_of(node):
            target = name in _TARGETS or (is_target and node.is_sequence_constructor)
            stack.append((part, target))
            read = part.arg if isinstance(part, NoneCheckNode) else part
            owned = target or name == "temp_expression" or isinstance(node, NoneCheckNode)
            if owned or not _is_borrowed(read):
                continue
            held[id(part)] = temporary = CoerceToTempNode(part, None)
            if place is None:
                setattr(node, name, temporary)
            else:
                getattr(node, name)[place] = temporary
            if isinstance(node, CoercionNode) and not node.is_temp:
                node.result_ctype = temporary.result_ctype
    for node in nodes:
        temporary = held.get(id(getattr(node, "arg", None)))
        if temporary is not None and "arg" not in node.child_attrs:  # it uses a result once more
            node.arg, node.result_ctype = temporary, temporary.result_ctype


_TARGETS = {"lhs", "lhs_list", "target"}


def _is_borrowed(node):
    """Return whether a node reads an object, of which other code might drop the last reference."""
    if not getattr(node, "is_name", False) and not getattr(node, "is_attribute", False):
        return False
    kind = node.type  # None in a pattern that captures nothing
    return (
        kind is not None
        and kind.is_pyobject
        and not node.result_in_temp()
        and not node.nonlocally_immutable()
    )
