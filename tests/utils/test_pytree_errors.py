"""Errors and warnings of `utils._pytree`, compared with PyTorch."""

import re
from collections import OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass
from importlib import import_module

import pytest

from tests.both import compare, outcome, real

Point = namedtuple("Point", "x y")
Other = namedtuple("Other", "x y")


@dataclass
class Pair:
    x: int
    y: int = 3


class Plain:
    pass


class Equal:
    def __eq__(self, other):
        return True


class Bag:
    """A container; each test registers a class of its own."""

    def __init__(self, *items, context=None):
        self.items, self.context = items, context


def registered(tree, **options):
    """A class that `tree` knows."""
    cls = type("Bag", (Bag,), {})
    tree.register_pytree_node(
        cls,
        lambda bag: (list(bag.items), bag.context),
        lambda items, context: cls(*items, context=context),
        **options,
    )
    return cls


def up_to(tree, first, second):
    return tree.tree_structure(first).flatten_up_to(second)


def changed(tree, before, after, given=None):
    """What is read from text of a structure with something else in it."""
    text = tree.treespec_dumps(tree.tree_structure({"a": 1} if given is None else given))
    assert before in text
    return tree.treespec_loads(text.replace(before, after))


def of_a_default_dict(context):
    kind = '"type": "collections.defaultdict"'
    return lambda tree: tree.treespec_loads(
        f'[1, {{{kind}, "context": {context}, "children_spec": []}}]'
    )


def of_other_keys(tree):
    """What is said of them, the sets in it in an order that hashes of strings do not choose."""
    try:
        return of_a_default_dict('{"a": 1}')(tree)
    except AssertionError as error:
        raise AssertionError(" ".join(sorted(re.findall(r"[\w.]+", str(error))))) from None


def with_a_context(tree):
    cls = registered(tree, serialized_type_name=f"{tree.__name__}.with_a_context")
    return tree.treespec_dumps(tree.tree_structure(cls(1, context=object())))


def read_without_a_context(tree):
    cls = registered(tree, serialized_type_name="tests.read_without_a_context")
    return changed(tree, '"null"', "null", cls(1))


def nothing_registered(tree):
    cls = registered(tree)
    spec = tree.tree_structure(cls(1))
    tree._deregister_pytree_node(cls)
    return tree.treespec_dumps(spec)


def a_nameless_namedtuple(tree):
    cls = namedtuple("Nameless", "a b")
    tree.register_pytree_node(cls, lambda t: (list(t), None), lambda items, context: cls(*items))
    return tree.treespec_dumps(tree.tree_structure(cls(1, 2)))


def bags(tree, *contexts):
    cls = registered(tree)
    return [cls(1, context=context) for context in contexts]


REFUSED = {
    "a list once more": lambda tree: tree.register_pytree_node(list, len, len),
    "no dataclass": lambda tree: tree.register_dataclass(Plain),
    "a field left out": lambda tree: tree.register_dataclass(Pair, field_names=["x"]),
    "a field too many": lambda tree: tree.register_dataclass(Pair, field_names=["x", "y", "z"]),
    "a field that is dropped": lambda tree: tree.register_dataclass(
        Pair, field_names=["x", "y"], drop_field_names=["y"]
    ),
    "a constant without equality": lambda tree: tree.register_constant(Plain),
    "a constant without hash": lambda tree: tree.register_constant(Equal),
    "no constant": lambda tree: tree._retrieve_constant(tree.tree_structure([1])),
    "half of a text": lambda tree: registered(tree, to_dumpable_context=len),
    "the other half": lambda tree: registered(tree, from_dumpable_context=len),
    "a class of structseq": lambda tree: type("S", (tree.structseq,), {}),
    "a structseq": lambda tree: tree.structseq((1,)),
    "a namedtuple as text": lambda tree: tree.treespec_dumps(tree.tree_structure(Point(1, 2))),
    "a namedtuple without a name": a_nameless_namedtuple,
    "a namedtuple of a text": lambda tree: tree.treespec_loads(
        '[1, {"type": "collections.namedtuple", "context": "foo", "children_spec": []}]'
    ),
    "no dictionary": of_a_default_dict('"foo"'),
    "other keys": of_other_keys,
    "a number as module": of_a_default_dict(
        '{"default_factory_module": 1, "default_factory_name": "list", "dict_context": []}'
    ),
    "a number as name": of_a_default_dict(
        '{"default_factory_module": "builtins", "default_factory_name": 1, "dict_context": []}'
    ),
    "a leaf with a context": lambda tree: tree.TreeSpec(None, 1, []),
    "a leaf with children": lambda tree: tree.TreeSpec(None, None, [tree.treespec_leaf()]),
    "another class": lambda tree: up_to(tree, registered(tree)(1), [1]),
    "another number of a class": lambda tree: up_to(
        tree, *(lambda cls: (cls(1), cls(1, 2)))(registered(tree))
    ),
    "another context": lambda tree: up_to(tree, *bags(tree, 1, 2)),
    "another type": lambda tree: up_to(tree, [1], (1,)),
    "a leaf for a list": lambda tree: up_to(tree, [1], 1),
    "another length": lambda tree: up_to(tree, [1], [1, 2]),
    "another length of a dictionary": lambda tree: up_to(tree, {"a": 1}, {"a": 1, "b": 2}),
    "another key": lambda tree: up_to(tree, {"a": 1}, {"b": 2}),
    "another key in order": lambda tree: up_to(tree, OrderedDict(a=1), {"b": 2}),
    "another key with a default": lambda tree: up_to(tree, defaultdict(list, a=1), {"b": 2}),
    "another namedtuple": lambda tree: up_to(tree, Point(1, 2), Other(1, 2)),
    "another deque": lambda tree: up_to(tree, deque([1]), [1]),
    "too few leaves": lambda tree: tree.tree_structure([1, {"a": 2}]).unflatten([1]),
    "two leaves for one": lambda tree: tree.treespec_leaf().unflatten([1, 2]),
    "too many in turn": lambda tree: tree.tree_structure([1]).unflatten(i for i in range(3)),
    "a tuple of numbers": lambda tree: tree.treespec_tuple([1]),
    "a dictionary of numbers": lambda tree: tree.treespec_dict({"a": 1}),
    "no structure as text": lambda tree: tree.treespec_dumps(1),
    "no structure": lambda tree: tree.tree_unflatten([1], 2),
    "no type": lambda tree: tree.map_only(3),
    "no type to map": lambda tree: tree.tree_map_only(3, len, [1]),
    "no type to ask": lambda tree: tree.tree_any_only(3, len, [1]),
    "another tree": lambda tree: tree.tree_map(max, [1], (1,)),
    "a class that is not known": nothing_registered,
    "a class without a name": lambda tree: tree.treespec_dumps(
        tree.tree_structure(registered(tree)(1))
    ),
    "a context that is no text": with_a_context,
    "no context in the text": read_without_a_context,
    "an unknown name": lambda tree: changed(tree, "builtins.dict", "foo.bar"),
    "an unknown protocol in the text": lambda tree: changed(tree, "[1,", "[7,"),
    "an unknown protocol": lambda tree: tree.treespec_dumps(tree.tree_structure([1]), 7),
    "a class without ways": lambda tree: tree.tree_flatten_with_path(registered(tree)(1)),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case):
    def program(torch):
        return REFUSED[case](import_module(f"{torch.__name__}.utils._pytree"))

    compare(program)
    assert outcome(program, real)[0] == "raised"


def twice(tree):
    cls = type("A", (), {})
    for _ in range(2):
        tree._private_register_pytree_node(cls, len, len)


WARNED = {
    "the older name": lambda tree: tree._register_pytree_node(type("A", (), {}), len, len),
    "strings": lambda tree: tree._register_pytree_node(type("A", (), {}), len, len, str),
    "a class twice": twice,
    "the older children": lambda tree: len(tree.tree_structure([1]).children_specs),
    "a leaf of its own": lambda tree: repr(tree.LeafSpec()),
    "a structure first": lambda tree: tree.tree_unflatten(tree.tree_structure([1]), [2]),
}


@pytest.mark.parametrize("case", WARNED)
def test_what_is_warned_of(case):
    compare(lambda torch: WARNED[case](import_module(f"{torch.__name__}.utils._pytree")))
