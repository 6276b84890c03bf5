"""`utils._pytree`: nested containers taken apart and put together as PyTorch does."""

from collections import OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass
from importlib import import_module

import pytest

from tests.both import compare

Point = namedtuple("Point", "x y")

TREES = {
    "leaf": 3,
    "none": None,
    "nested": {"b": [1, (2, None)], "a": 3},
    "named": Point(1, [Point(2, 3)]),
    "ordered": OrderedDict(z=1, a=(2,)),
    "default": defaultdict(list, k=[1, 2]),
    "deque": deque([1, 2], maxlen=3),
    "empty": [(), [], {}],
}


def pytree(torch):
    return import_module(f"{torch.__name__}.utils._pytree")


@pytest.mark.parametrize("name", TREES)
def test_a_tree_comes_apart_and_together(name):
    def program(torch):
        tree = pytree(torch)
        leaves, spec = tree.tree_flatten(TREES[name])
        again = tree.tree_unflatten([str(leaf) for leaf in leaves], spec)
        return (leaves, spec.num_leaves, spec.num_children, repr(again), repr(spec.is_leaf()),
                tree.tree_structure(again) == spec)  # fmt: skip

    compare(program)


@pytest.mark.parametrize("name", TREES)
def test_the_way_to_each_leaf_is_pytorchs(name):
    def program(torch):
        tree = pytree(torch)
        pairs, _ = tree.tree_flatten_with_path(TREES[name])
        return [(tree.keystr(path), repr(leaf)) for path, leaf in pairs]

    compare(program)


def test_functions_over_leaves():
    def program(torch):
        tree = pytree(torch)
        nested = TREES["nested"]
        return (
            repr(tree.tree_map(lambda a, b: (a, b), [1, (2, 3)], [4, (5, [6])])),
            repr(tree.tree_map_only(int, lambda a: a + 1, nested)),
            repr(tree.tree_map(str, nested, is_leaf=lambda t: isinstance(t, tuple))),
            tree.tree_all_only(int, lambda a: a > 0, nested),
            tree.tree_any(lambda a: a is None, nested),
            repr(tree.tree_map_with_path(lambda path, a: tree.keystr(path), nested)),
            tree.arg_tree_leaves(1, [2], three=3),
        )

    compare(program)


def test_wrong_trees_are_refused():
    def program(torch):
        tree = pytree(torch)
        kinds = []
        for call in (
            lambda: tree.tree_unflatten([1], tree.tree_structure([1, 2])),
            lambda: tree.tree_unflatten([1], 3),
            lambda: tree.tree_map(lambda a, b: a, [1, 2], [1, 2, 3]),
            lambda: tree.tree_map(lambda a, b: a, [1, 2], 3),
        ):
            try:
                call()
            except (ValueError, TypeError) as error:
                kinds.append(type(error).__name__)
        return kinds

    compare(program)


def test_a_class_of_ones_own_is_a_container():
    def program(torch):
        tree = pytree(torch)

        class Pair:
            def __init__(self, a, b):
                self.a, self.b = a, b

        tree.register_pytree_node(Pair, lambda p: ([p.a, p.b], None), lambda c, _: Pair(*c))
        doubled = tree.tree_map(lambda a: 2 * a, [Pair(1, (2, 3))])[0]
        return doubled.a, doubled.b

    compare(program)


def test_structures_are_written_as_text():
    def program(torch):
        tree = pytree(torch)
        specs = [tree.tree_structure(t) for name, t in TREES.items() if name != "named"]
        texts = [tree.treespec_dumps(spec) for spec in specs]
        assert [tree.treespec_loads(text) for text in texts] == specs
        errors = []
        for call in (
            lambda: tree.treespec_dumps(tree.tree_structure(TREES["named"])),
            lambda: tree.treespec_dumps(specs[0], -1),
            lambda: tree.treespec_dumps(3),
        ):
            try:
                call()
            except (NotImplementedError, TypeError, ValueError) as error:
                errors.append((type(error).__name__, str(error)))
        return texts, [repr(spec) for spec in specs], [hash(s) == hash(s) for s in specs], errors

    compare(program)


@pytest.mark.parametrize(
    "pair",
    [
        ([1], (1,)),
        ([1, 2], [1]),
        ({"a": 1}, {"b": 1}),
        (OrderedDict(a=1, b=2), {"b": 1, "a": 2}),
        (defaultdict(int, a=1), {"a": 2}),
        (deque([1], 3), deque([2], 5)),
    ],
)
def test_a_tree_is_taken_apart_up_to_a_structure(pair):
    def program(torch):
        return pytree(torch).tree_structure(pair[0]).flatten_up_to(pair[1])

    compare(program)


def test_dataclasses_and_constants_are_containers():
    def program(torch):
        tree = pytree(torch)

        @dataclass(frozen=True)
        class Span:
            start: int
            end: object = None

        @dataclass(frozen=True)
        class Unit:
            name: str

        tree.register_dataclass(Span)
        tree.register_constant(Unit)
        nested = [Span(1), Span(2, [3]), Unit("m")]
        leaves, spec = tree.tree_flatten(nested)
        with pytest.raises(TypeError, match="non-default `__eq__`"):
            tree.register_constant(type("Plain", (), {}))
        return (
            leaves,
            repr(tree.tree_unflatten(leaves, spec) == nested),
            [tree.keystr(path) for path, _ in tree.tree_leaves_with_path(nested)],
            [tree.key_get(nested, path) for path, _ in tree.tree_leaves_with_path(nested)],
            spec == tree.tree_structure([*nested[:2], Unit("s")]),
        )

    compare(program)


def test_lists_of_a_graph_do_not_change():
    def program(torch):
        kinds = import_module(f"{torch.__name__}.fx.immutable_collections")
        items = kinds.immutable_list([1, 2])
        with pytest.raises(TypeError, match="does not support mutation"):
            items.append(3)
        mapped = pytree(torch).tree_map(str, kinds.immutable_dict(a=items))
        return repr(mapped), type(mapped).__name__, type(mapped["a"]).__name__, hash(items)

    compare(program)


def test_a_container_says_the_way_to_its_parts():
    def program(torch):
        tree = pytree(torch)

        class Pair:
            def __init__(self, first, second):
                self.parts = first, second

        def with_keys(pair):
            return [(tree.GetAttrKey(n), p) for n, p in zip("ab", pair.parts, strict=True)], None

        tree.register_pytree_node(
            Pair,
            lambda pair: (list(pair.parts), None),
            lambda parts, _: Pair(*parts),
            flatten_with_keys_fn=with_keys,
        )
        value = {"x": [Pair(1, (2,))]}
        ways = [tree.keystr(way) for way, _ in tree.tree_flatten_with_path(value)[0]]
        return ways, tree.key_get([{"k": 5}], (tree.SequenceKey(0), tree.MappingKey("k")))

    compare(program)


def test_a_container_without_keys_has_no_ways():
    def program(torch):
        tree = pytree(torch)
        box = type("Box", (), {"value": 1})
        tree.register_pytree_node(box, lambda b: ([b.value], None), lambda v, _: box())
        try:
            tree.tree_flatten_with_path(box())
        except ValueError as error:
            return str(error).replace(str(box), "Box")

    compare(program)


@pytest.mark.parametrize("wanted", [3, None, [int]])
def test_tree_map_only_with_invalid_types(wanted):
    compare(lambda torch: torch.utils._pytree.tree_map_only(wanted, abs, [1]))
