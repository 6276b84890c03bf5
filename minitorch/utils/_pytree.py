"""Trees: tensors in nested tuples, lists, dictionaries, taken apart and put together again.

`tree_flatten` gives the leaves and a `TreeSpec`, which knows the containers; `tree_unflatten` puts
other leaves in their places. A class of one's own is a container after `register_pytree_node`.
"""

import functools
from collections import OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

__all__ = [
    "PyTree",
    "TreeSpec",
    "register_pytree_node",
    "tree_all",
    "tree_all_only",
    "tree_any",
    "tree_any_only",
    "tree_flatten",
    "tree_flatten_with_path",
    "tree_iter",
    "tree_leaves",
    "tree_map",
    "tree_map_",
    "tree_map_only",
    "tree_map_only_",
    "tree_structure",
    "tree_unflatten",
]

PyTree = Any
Context = Any


@dataclass(frozen=True)
class SequenceKey:
    """A place in a sequence."""

    idx: int

    def __str__(self):
        return f"[{self.idx!r}]"

    def get(self, sequence):
        """What stands there."""
        return sequence[self.idx]


@dataclass(frozen=True)
class MappingKey:
    """A key of a dictionary."""

    key: Any

    def __str__(self):
        return f"[{self.key!r}]"

    def get(self, mapping):
        """What it leads to."""
        return mapping[self.key]


@dataclass(frozen=True)
class GetAttrKey:
    """A name of an attribute, as in a named tuple."""

    name: str

    def __str__(self):
        return f".{self.name}"

    def get(self, obj):
        """The attribute."""
        return getattr(obj, self.name)


class NodeDef(NamedTuple):
    """How a container is taken apart, ``(children, context)``, and put together of these."""

    type: type
    flatten_fn: Any
    unflatten_fn: Any
    # ``([(key, child), ...], context)``
    flatten_with_keys_fn: Any = None


SUPPORTED_NODES: dict[type, NodeDef] = {}


def register_pytree_node(
    cls,
    flatten_fn,
    unflatten_fn,
    *,
    serialized_type_name=None,
    to_dumpable_context=None,
    from_dumpable_context=None,
    flatten_with_keys_fn=None,
):
    """Make a class a container.

    Parameters
    ----------
    cls : type
    flatten_fn : callable
        From an instance to ``(children, context)``.
    unflatten_fn : callable
        From ``children, context`` to an instance.
    serialized_type_name, to_dumpable_context, from_dumpable_context : optional
        For files of structures, which minitorch does not write.
    flatten_with_keys_fn : callable, optional
        From an instance to ``([(key, child), ...], context)``, for the ways to leaves.

    Raises
    ------
    ValueError
        If it is one already.

    Examples
    --------
    >>> from minitorch.utils._pytree import register_pytree_node, tree_map
    >>> class Pair:
    ...     def __init__(self, first, second):
    ...         self.first, self.second = first, second
    >>> register_pytree_node(
    ...     Pair, lambda pair: ([pair.first, pair.second], None), lambda both, _: Pair(*both)
    ... )
    >>> tree_map(abs, Pair(-1, [-2])).second
    [2]
    """
    if cls in SUPPORTED_NODES:
        raise ValueError(f"{cls} is already registered as pytree node.")
    SUPPORTED_NODES[cls] = NodeDef(cls, flatten_fn, unflatten_fn, flatten_with_keys_fn)


_register_pytree_node = register_pytree_node


def register_dataclass(cls, *, field_names=None, drop_field_names=None, serialized_type_name=None):
    """Make a dataclass a container of what its fields hold.

    Parameters
    ----------
    cls : type
    field_names : list of str, optional
        The fields that are kept; by default those that the constructor takes.
    drop_field_names : list of str, optional
        The fields that are not.
    serialized_type_name : str, optional
        For files of structures, which minitorch does not write.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> from minitorch.utils._pytree import register_dataclass, tree_map
    >>> @dataclass
    ... class Point:
    ...     x: int
    ...     y: int
    >>> register_dataclass(Point)
    >>> tree_map(abs, Point(-1, 2)).x
    1
    """
    names = [f.name for f in fields(cls) if f.init] if field_names is None else list(field_names)
    names = [name for name in names if name not in (drop_field_names or ())]

    def flatten_with_keys(obj):
        given = [name for name in names if getattr(obj, name) is not None]
        empty = [name for name in names if getattr(obj, name) is None]
        return [(GetAttrKey(name), getattr(obj, name)) for name in given], [given, empty]

    def flatten(obj):
        pairs, context = flatten_with_keys(obj)
        return [value for _, value in pairs], context

    def unflatten(values, context):
        given, empty = context
        return cls(**dict(zip(given, values, strict=True)), **dict.fromkeys(empty))

    register_pytree_node(
        cls,
        flatten,
        unflatten,
        serialized_type_name=serialized_type_name,
        flatten_with_keys_fn=flatten_with_keys,
    )


def _deregister_pytree_node(cls):
    """Make a class no container any more."""
    del SUPPORTED_NODES[cls]


def _tuple_flatten(d):
    return list(d), None


def _tuple_flatten_with_keys(d):
    return [(SequenceKey(i), child) for i, child in enumerate(d)], None


def _tuple_unflatten(values, context):
    return tuple(values)


def _list_flatten(d):
    return d, None


_list_flatten_with_keys = _tuple_flatten_with_keys


def _list_unflatten(values, context):
    return list(values)


def _dict_flatten(d):
    return list(d.values()), list(d.keys())


def _dict_flatten_with_keys(d):
    return [(MappingKey(key), child) for key, child in d.items()], list(d.keys())


def _dict_unflatten(values, context):
    return dict(zip(context, values, strict=True))


_ordereddict_flatten = _odict_flatten = _dict_flatten
_ordereddict_flatten_with_keys = _dict_flatten_with_keys


def _ordereddict_unflatten(values, context):
    return OrderedDict(zip(context, values, strict=True))


_odict_unflatten = _ordereddict_unflatten


def _defaultdict_flatten(d):
    return list(d.values()), [d.default_factory, list(d.keys())]


def _defaultdict_flatten_with_keys(d):
    return _dict_flatten_with_keys(d)[0], [d.default_factory, list(d.keys())]


def _defaultdict_unflatten(values, context):
    factory, keys = context
    return defaultdict(factory, zip(keys, values, strict=True))


def _deque_flatten(d):
    return list(d), d.maxlen


def _deque_flatten_with_keys(d):
    return _tuple_flatten_with_keys(d)[0], d.maxlen


def _deque_unflatten(values, context):
    return deque(values, maxlen=context)


def _namedtuple_flatten(d):
    return list(d), type(d)


def _namedtuple_flatten_with_keys(d):
    return [(GetAttrKey(name), getattr(d, name)) for name in d._fields], type(d)


def _namedtuple_unflatten(values, context):
    return context(*values)


for _container in (
    NodeDef(tuple, _tuple_flatten, _tuple_unflatten, _tuple_flatten_with_keys),
    NodeDef(list, _list_flatten, _list_unflatten, _list_flatten_with_keys),
    NodeDef(dict, _dict_flatten, _dict_unflatten, _dict_flatten_with_keys),
    NodeDef(
        OrderedDict, _ordereddict_flatten, _ordereddict_unflatten, _ordereddict_flatten_with_keys
    ),
    NodeDef(
        defaultdict, _defaultdict_flatten, _defaultdict_unflatten, _defaultdict_flatten_with_keys
    ),
    NodeDef(deque, _deque_flatten, _deque_unflatten, _deque_flatten_with_keys),
):
    SUPPORTED_NODES[_container.type] = _container
_NAMED = NodeDef(
    NamedTuple, _namedtuple_flatten, _namedtuple_unflatten, _namedtuple_flatten_with_keys
)


def is_namedtuple_class(cls):
    """Whether a class is a named tuple's."""
    return isinstance(cls, type) and issubclass(cls, tuple) and hasattr(cls, "_make")


def is_namedtuple(obj):
    """Whether an object, or a class, is a named tuple's."""
    return is_namedtuple_class(obj if isinstance(obj, type) else type(obj))


_is_namedtuple_instance = is_namedtuple_instance = is_namedtuple


def is_structseq_class(cls):
    """Whether a class is of the results of an operator, or of a tuple with names in C."""
    return (
        isinstance(cls, type)
        and issubclass(cls, tuple)
        and all(isinstance(getattr(cls, name, None), int) for name in _COUNTS)
    )


_COUNTS = ("n_fields", "n_sequence_fields", "n_unnamed_fields")


def is_structseq(obj):
    """Whether an object, or a class, is such a tuple."""
    return is_structseq_class(obj if isinstance(obj, type) else type(obj))


def is_structseq_instance(obj):
    """Whether an object is such a tuple."""
    return is_structseq_class(type(obj))


def _node_of(tree, is_leaf=None):
    """How a container is taken apart; None for a leaf."""
    if is_leaf is not None and is_leaf(tree):
        return None
    node = SUPPORTED_NODES.get(type(tree))
    if node is None and isinstance(tree, tuple):
        if is_namedtuple(tree):
            return _NAMED
        if type(tree).__module__ == "torch.return_types":
            return _node_of_results(type(tree))
    return node


def _node_of_results(cls):
    """That of an operator's several results; the class is made when the operator is first called."""
    register_pytree_node(
        cls,
        _tuple_flatten,
        lambda values, _: cls(values),
        flatten_with_keys_fn=_tuple_flatten_with_keys,
    )
    return SUPPORTED_NODES[cls]


def _get_node_type(tree):
    """The class by which a container is known."""
    node = SUPPORTED_NODES.get(type(tree))
    return namedtuple if node is None and is_namedtuple(tree) else type(tree)


def tree_is_leaf(tree, is_leaf=None):
    """Whether an object is no container."""
    return _node_of(tree, is_leaf) is None


_is_leaf = tree_is_leaf


@dataclass(frozen=True)
class TreeSpec:
    """The containers of a tree, without the leaves.

    Attributes
    ----------
    type : type or None
        The class of the outermost one; None for a leaf alone.
    context : object
        What it needs beside its children, such as the keys.
    children_specs : list of TreeSpec
    """

    type: Any
    context: Any = None
    children_specs: list["TreeSpec"] = field(default_factory=list)
    num_leaves: int = field(init=False)
    num_children: int = field(init=False)

    def __post_init__(self):
        leaves = 1 if self.type is None else sum(c.num_leaves for c in self.children_specs)
        object.__setattr__(self, "num_leaves", leaves)
        object.__setattr__(self, "num_children", len(self.children_specs))

    def children(self):
        """The specs of the children."""
        return list(self.children_specs)

    def is_leaf(self):
        """Whether this is a leaf alone."""
        return self.type is None

    def unflatten(self, leaves):
        """The tree with these leaves."""
        return tree_unflatten(leaves, self)

    def flatten_up_to(self, tree):
        """The parts of a tree where this one has leaves.

        Raises
        ------
        ValueError
            If a container differs.
        """
        if self.is_leaf():
            return [tree]
        node = _node_of(tree)
        if node is None:
            raise ValueError(f"Type mismatch; expected {self.type!r}, but got {type(tree)!r}.")
        children, context = node.flatten_fn(tree)
        if len(children) != self.num_children or context != self.context:
            raise ValueError(f"Node arity mismatch; expected {self.num_children} children.")
        return [
            part
            for spec, child in zip(self.children_specs, children, strict=True)
            for part in spec.flatten_up_to(child)
        ]

    def __repr__(self, indent=0):
        if self.is_leaf():
            return "*"
        indent += 2
        inside = (",\n" + " " * indent).join(
            child.__repr__(indent) for child in self.children_specs
        )
        return f"TreeSpec({self.type.__name__}, {self.context}, [{inside}])"

    def __hash__(self):
        return hash((self.type, tuple(self.children_specs)))


class LeafSpec(TreeSpec):
    """A leaf alone."""

    def __new__(cls):
        return _LEAF


_LEAF = TreeSpec(None)


def _flatten(tree, leaves, is_leaf):
    node = _node_of(tree, is_leaf)
    if node is None:
        leaves.append(tree)
        return _LEAF
    children, context = node.flatten_fn(tree)
    kind = type(tree) if node is not _NAMED else _NAMED.type
    return TreeSpec(kind, context, [_flatten(child, leaves, is_leaf) for child in children])


def tree_flatten(tree, is_leaf=None):
    """The leaves of a tree, and its `TreeSpec`.

    Examples
    --------
    >>> from minitorch.utils._pytree import tree_flatten, tree_unflatten
    >>> leaves, spec = tree_flatten({"a": [1, (2, None)], "b": 3})
    >>> leaves
    [1, 2, None, 3]
    >>> tree_unflatten("wxyz", spec)
    {'a': ['w', ('x', 'y')], 'b': 'z'}
    """
    leaves = []
    spec = _flatten(tree, leaves, is_leaf)
    return leaves, spec


def tree_unflatten(leaves, treespec):
    """The tree with these leaves in the places of its own.

    Raises
    ------
    TypeError
        If `treespec` is none.
    ValueError
        If their number differs.
    """
    if not isinstance(treespec, TreeSpec):
        raise TypeError(
            "tree_unflatten(leaves, treespec): Expected `treespec` to be instance of PyTreeSpec "
            f"but got item of type {type(treespec)}."
        )
    leaves = list(leaves)
    if len(leaves) != treespec.num_leaves:
        raise ValueError(
            f"treespec.unflatten(leaves): `leaves` has length {len(leaves)} but the spec refers to "
            f"a pytree that holds {treespec.num_leaves} items ({treespec})."
        )
    return _unflatten(iter(leaves), treespec)


def _broadcast_to_and_flatten(tree, treespec, is_leaf=None):
    """The leaves of `tree`, each as often as the part of `treespec` in its place has leaves; or None.

    A leaf stands for all the leaves below its place. None is given where the containers differ.
    """
    node = _node_of(tree, is_leaf)
    if node is None:
        return [tree] * treespec.num_leaves
    kind = type(tree) if node is not _NAMED else _NAMED.type
    children, context = node.flatten_fn(tree)
    if (
        treespec.type is not kind
        or len(children) != treespec.num_children
        or context != treespec.context
    ):
        return None
    leaves = []
    for child, spec in zip(children, treespec.children_specs, strict=True):
        below = _broadcast_to_and_flatten(child, spec, is_leaf)
        if below is None:
            return None
        leaves += below
    return leaves


def _unflatten(leaves, spec):
    if spec.is_leaf():
        return next(leaves)
    node = _NAMED if spec.type is _NAMED.type else SUPPORTED_NODES[spec.type]
    return node.unflatten_fn([_unflatten(leaves, s) for s in spec.children_specs], spec.context)


class _Star:
    def __repr__(self):
        return "*"


def treespec_pprint(treespec):
    """A structure as text: what it was made of, with ``*`` for each leaf."""
    return repr(tree_unflatten([_Star()] * treespec.num_leaves, treespec))


def tree_iter(tree, is_leaf=None):
    """The leaves, one by one."""
    yield from tree_flatten(tree, is_leaf)[0]


def tree_leaves(tree, is_leaf=None):
    """The leaves."""
    return tree_flatten(tree, is_leaf)[0]


def tree_structure(tree, is_leaf=None):
    """The `TreeSpec`."""
    return tree_flatten(tree, is_leaf)[1]


def tree_map(func, tree, *rests, is_leaf=None):
    """The tree of the results for each leaf, and for what other trees have in its place."""
    leaves, spec = tree_flatten(tree, is_leaf)
    others = [spec.flatten_up_to(rest) for rest in rests]
    return tree_unflatten(map(func, leaves, *others), spec)


def tree_map_(func, tree, *rests, is_leaf=None):
    """Call a function for each leaf; the tree itself."""
    leaves, spec = tree_flatten(tree, is_leaf)
    deque(map(func, leaves, *(spec.flatten_up_to(rest) for rest in rests)), maxlen=0)
    return tree


def _asks(types):
    """A question of a leaf: whether it is of some types, or what a function says."""
    if isinstance(types, type) or isinstance(types, tuple) or hasattr(types, "__args__"):
        return lambda leaf: isinstance(leaf, types)
    return types


def map_only(type_or_types_or_pred):
    """Make a function leave alone what is not of some types."""
    asked = _asks(type_or_types_or_pred)

    def decorate(func):
        @functools.wraps(func)
        def wrapper(leaf):
            return func(leaf) if asked(leaf) else leaf

        return wrapper

    return decorate


def tree_map_only(type_or_types_or_pred, func, tree, is_leaf=None):
    """`tree_map` over the leaves of some types; the others stay."""
    return tree_map(map_only(type_or_types_or_pred)(func), tree, is_leaf=is_leaf)


def tree_map_only_(type_or_types_or_pred, func, tree, is_leaf=None):
    """`tree_map_` over the leaves of some types."""
    return tree_map_(map_only(type_or_types_or_pred)(func), tree, is_leaf=is_leaf)


def tree_all(pred, tree, is_leaf=None):
    """Whether a question is answered yes for all leaves."""
    return all(map(pred, tree_iter(tree, is_leaf)))


def tree_any(pred, tree, is_leaf=None):
    """Whether a question is answered yes for a leaf."""
    return any(map(pred, tree_iter(tree, is_leaf)))


def tree_all_only(type_or_types, pred, tree, is_leaf=None):
    """`tree_all` over the leaves of some types."""
    asked = _asks(type_or_types)
    return all(pred(leaf) for leaf in tree_iter(tree, is_leaf) if asked(leaf))


def tree_any_only(type_or_types, pred, tree, is_leaf=None):
    """`tree_any` over the leaves of some types."""
    asked = _asks(type_or_types)
    return any(pred(leaf) for leaf in tree_iter(tree, is_leaf) if asked(leaf))


def arg_tree_leaves(*args, **kwargs):
    """The leaves of a call's arguments."""
    return tree_leaves([args, kwargs])


def keystr(kp):
    """The way to a leaf as one would write it."""
    return "".join(map(str, kp))


def key_get(obj, kp):
    """What the way leads to in a tree."""
    for key in kp:
        obj = key.get(obj)
    return obj


def tree_leaves_with_path(tree, is_leaf=None):
    """The leaves, each with the way to it."""
    return tree_flatten_with_path(tree, is_leaf)[0]


def tree_flatten_with_path(tree, is_leaf=None):
    """The leaves, each with the way to it, and the `TreeSpec`."""
    return list(_with_path((), tree, is_leaf)), tree_structure(tree, is_leaf)


def tree_map_with_path(func, tree, *rests, is_leaf=None):
    """`tree_map` with a function that takes the way to a leaf first."""
    pairs, spec = tree_flatten_with_path(tree, is_leaf)
    paths = [path for path, _ in pairs]
    others = [spec.flatten_up_to(rest) for rest in rests]
    return tree_unflatten(map(func, paths, [leaf for _, leaf in pairs], *others), spec)


def _with_path(path, tree, is_leaf):
    node = _node_of(tree, is_leaf)
    if node is None:
        yield path, tree
        return
    if node.flatten_with_keys_fn is None:
        raise ValueError(
            f"Did not find a flatten_with_keys_fn for type: {node.type}. Please pass a "
            "flatten_with_keys_fn argument to register_pytree_node."
        )
    for key, child in node.flatten_with_keys_fn(tree)[0]:
        yield from _with_path((*path, key), child, is_leaf)
