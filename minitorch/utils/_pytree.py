"""Pytrees: flatten nested tuples, lists and dicts of tensors, and rebuild them.

`tree_flatten` returns the leaves and a `TreeSpec`, which describes the containers. `tree_unflatten`
rebuilds the tree from other leaves. `register_pytree_node` adds a container class.
"""

import dataclasses
import functools
import warnings
from collections import OrderedDict, defaultdict, deque, namedtuple
from typing import Any

from minitorch.utils import _treespec_json
from minitorch.utils._enum_json import EnumEncoder, enum_object_hook  # noqa: F401
from minitorch.utils._pytree_nodes import (  # noqa: F401
    BUILTIN_TYPES,
    CONSTANT_NODES,
    NO_SERIALIZED_TYPE_NAME_FOUND,
    SERIALIZED_TYPE_TO_PYTHON_TYPE,
    STANDARD_DICT_TYPES,
    SUPPORTED_NODES,
    SUPPORTED_SERIALIZED_TYPES,
    ConstantNode,
    DumpableContext,
    FlattenFn,
    FlattenWithKeysFn,
    FromDumpableContextFn,
    GetAttrKey,
    KeyEntry,
    KeyPath,
    MappingKey,
    NodeDef,
    SequenceKey,
    ToDumpableContextFn,
    UnflattenFn,
    _defaultdict_flatten,
    _defaultdict_unflatten,
    _deque_flatten,
    _deque_unflatten,
    _deregister_pytree_node,
    _dict_flatten,
    _dict_flatten_with_keys,
    _dict_unflatten,
    _list_flatten,
    _list_flatten_with_keys,
    _list_unflatten,
    _namedtuple_flatten,
    _namedtuple_unflatten,
    _ordereddict_unflatten,
    _private_register_pytree_node,
    _register_namedtuple,
    _register_pytree_node,
    _tuple_flatten,
    _tuple_flatten_with_keys,
    _tuple_unflatten,
    is_constant_class,
    is_namedtuple,
    is_namedtuple_class,
    is_namedtuple_instance,
    is_structseq,
    is_structseq_class,
    is_structseq_instance,
    register_constant,
    register_dataclass,
    register_pytree_node,
    register_results,
    structseq,
)
from minitorch.utils._treespec_json import (
    DEFAULT_TREESPEC_SERIALIZATION_PROTOCOL,  # noqa: F401 - PyTorch has it here
)

__all__ = [
    "PyTree",
    "TreeSpec",
    "keystr",
    "register_constant",
    "register_dataclass",
    "register_pytree_node",
    "tree_all",
    "tree_all_only",
    "tree_any",
    "tree_any_only",
    "tree_flatten",
    "tree_flatten_with_path",
    "tree_is_leaf",
    "tree_iter",
    "tree_leaves",
    "tree_leaves_with_path",
    "tree_map",
    "tree_map_",
    "tree_map_only",
    "tree_map_only_",
    "tree_map_with_path",
    "tree_structure",
    "tree_unflatten",
    "treespec_dict",
    "treespec_dumps",
    "treespec_leaf",
    "treespec_loads",
    "treespec_pprint",
    "treespec_tuple",
]

PyTree = Any
Context = Any
_NO_SPEC = "Expected `treespec` to be an instance of PyTreeSpec but got item of type {}."


def _is_namedtuple_instance(tree):
    """Return `is_namedtuple_instance(tree)`; deprecated."""
    warnings.warn(
        "torch.utils._pytree._is_namedtuple_instance is private and will be removed in a future "
        "release. Please use torch.utils._pytree.is_namedtuple_instance instead.",
        FutureWarning,
        stacklevel=2,
    )
    return is_namedtuple_instance(tree)


def _get_node_type(tree):
    """Return the class under which a container is registered."""
    return namedtuple if is_namedtuple_class(type(tree)) else type(tree)


def _node_of(tree, is_leaf=None):
    """Return the registered node definition of a container, or None for a leaf."""
    if is_leaf is not None and is_leaf(tree):
        return None
    if isinstance(tree, tuple) and type(tree) is not tuple:
        if is_namedtuple_class(type(tree)):
            return SUPPORTED_NODES[namedtuple]
        if type(tree).__module__ == "torch.return_types" and type(tree) not in SUPPORTED_NODES:
            return register_results(type(tree))
    return SUPPORTED_NODES.get(type(tree))


def tree_is_leaf(tree, is_leaf=None):
    """Return True if an object is not a container."""
    return _node_of(tree, is_leaf) is None


def _is_leaf(tree, is_leaf=None):
    """Return `tree_is_leaf(tree)`; deprecated."""
    warnings.warn(
        "torch.utils._pytree._is_leaf is private and will be removed in a future release. "
        "Please use torch.utils._pytree.tree_is_leaf instead.",
        FutureWarning,
        stacklevel=2,
    )
    return tree_is_leaf(tree, is_leaf)


# -- the structure of a tree ------------------------------------------------------------------------


@dataclasses.dataclass(init=False, frozen=True, eq=False, repr=False, slots=True)
class TreeSpec:
    """The structure of a tree: its containers without the leaves.

    Attributes
    ----------
    type : type or None
        The class of the root; None for a single leaf.
    context : object
        Data that the root needs besides its children, such as the keys of a dict.
    num_nodes, num_leaves, num_children : int
    """

    type: Any
    _context: Any
    _children: list

    num_nodes: int = dataclasses.field(init=False)
    num_leaves: int = dataclasses.field(init=False)
    num_children: int = dataclasses.field(init=False)

    def __init__(self, type, context, children_specs):
        if type is None and context is not None:
            raise AssertionError("leaf node should not have a context")
        if type is None and len(children_specs) != 0:
            raise AssertionError("leaf node should not have children")
        nodes, leaves = 1, 1 if type is None else 0
        for child in children_specs:
            nodes += child.num_nodes
            leaves += child.num_leaves
        _set = object.__setattr__
        _set(self, "type", type)
        _set(self, "_context", context)
        _set(self, "_children", children_specs)
        _set(self, "num_nodes", nodes)
        _set(self, "num_leaves", leaves)
        _set(self, "num_children", len(children_specs))

    @property
    def context(self):
        """Data that the root needs besides its children, such as the keys of a dict."""
        return self._context

    @property
    def children_specs(self):
        """The specs of the children; deprecated."""
        warnings.warn(
            "`treespec.children_specs` is deprecated. "
            "Use `treespec.child(index)` to access a single child, "
            "or `treespec.children()` to get all children.",
            FutureWarning,
            stacklevel=2,
        )
        return self._children

    def children(self):
        """Return the specs of the children."""
        return self._children.copy()

    def child(self, index):
        """Return the spec of one child."""
        return self._children[index]

    def is_leaf(self):
        """Return True if the tree is a single leaf."""
        return self.num_nodes == 1 and self.num_leaves == 1

    def unflatten(self, leaves):
        """Build the tree with the given leaves.

        Raises
        ------
        ValueError
            If the number of leaves differs.
        """
        leaves = leaves if isinstance(leaves, list | tuple) else list(leaves)
        if len(leaves) != self.num_leaves:
            raise ValueError(
                f"treespec.unflatten(leaves): `leaves` has length {len(leaves)} but the spec refers to "
                f"a pytree that holds {self.num_leaves} items ({self})."
            )
        return _unflatten(iter(leaves), self)

    def flatten_up_to(self, tree):
        """Return the subtrees of a tree at the positions of the leaves of this spec.

        Raises
        ------
        ValueError
            If a container differs. Of dicts, only the keys are compared.
        """
        if self.is_leaf():
            return [tree]
        return [
            part
            for spec, child in zip(self._children, _children_like(self, tree), strict=True)
            for part in spec.flatten_up_to(child)
        ]

    def __repr__(self, indent=0):
        indent += 2
        inside = (",\n" + " " * indent).join(child.__repr__(indent) for child in self._children)
        return f"TreeSpec({self.type.__name__}, {self._context}, [{inside}])"

    def __eq__(self, other):
        if self is other:
            return True
        if other.__class__ is not self.__class__:
            return NotImplemented
        return (
            str(self.type) == str(other.type)
            and self._context == other._context
            and self._children == other._children
        )

    def __hash__(self):
        context = self._context
        if self.type is defaultdict:
            context = context[0], tuple(context[1])
        elif self.type in (dict, OrderedDict):
            context = tuple(context)
        elif isinstance(context, ConstantNode):
            context = context.value
        elif self.type is not None and self.type not in BUILTIN_TYPES:
            context = None  # the context need not be hashable
        return hash((self.type, context, tuple(self._children)))


PyTreeSpec = TreeSpec


@dataclasses.dataclass(init=False, frozen=True, eq=False, repr=False, slots=True)
class LeafSpec(TreeSpec):
    """The structure of a single leaf; see `treespec_leaf`."""

    def __init__(self):
        warnings.warn(
            "`isinstance(treespec, LeafSpec)` is deprecated, use `isinstance(treespec, TreeSpec) and "
            "treespec.is_leaf()` instead.",
            FutureWarning,
            stacklevel=2,
        )
        TreeSpec.__init__(self, None, None, [])

    def __repr__(self, indent=0):
        return "*"


with warnings.catch_warnings(action="ignore"):
    _LEAF_SPEC = LeafSpec()


def treespec_leaf():
    """Return the structure of a single leaf."""
    return _LEAF_SPEC


def treespec_tuple(iterable=(), /):
    """Return the structure of a tuple with the given children."""
    children = list(iterable)
    if any(not isinstance(child, TreeSpec) for child in children):
        raise ValueError(f"Expected a tuple of TreeSpec values, got: {children!r}.")
    return TreeSpec(tuple, None, children)


def treespec_dict(mapping=(), /, **kwargs):
    """Return the structure of a dict with the given children."""
    children = dict(mapping, **kwargs)
    if any(not isinstance(child, TreeSpec) for child in children.values()):
        raise ValueError(f"Expected a dictionary of TreeSpec values, got: {children!r}.")
    return TreeSpec(dict, list(children), list(children.values()))


def _children_like(spec, tree):
    """Return the children of a container that matches `spec`, in the order of `spec`."""
    kind, known = _get_node_type(tree), spec.type in BUILTIN_TYPES
    dictionaries = spec.type in STANDARD_DICT_TYPES and kind in STANDARD_DICT_TYPES
    if kind != spec.type and not dictionaries:
        raise ValueError(
            f"{'Node type' if known else 'Type'} mismatch; expected {spec.type!r}, but got {kind!r}."
        )
    children, context = SUPPORTED_NODES[kind].flatten_fn(tree)
    if len(children) != spec.num_children:
        raise ValueError(
            f"Node arity mismatch; expected {spec.num_children}, but got {len(children)}."
        )
    if dictionaries:
        return _values_of(tree, spec._context[1] if spec.type is defaultdict else spec._context)
    if context != spec._context and kind is not deque:
        if not known:
            raise ValueError(f"Node context mismatch for custom node type {spec.type!r}.")
        raise ValueError(
            f"Node context mismatch for node type {spec.type!r}; expected {spec._context!r}, "
            f"but got {context!r}."
        )
    return children


def _values_of(mapping, keys):
    wanted, found = set(keys), set(mapping)
    if wanted != found:
        text = f"; missing key(s): {wanted - found}" if wanted - found else ""
        text += f"; extra key(s): {found - wanted}" if found - wanted else ""
        raise ValueError(f"Node keys mismatch{text}.")
    return [mapping[key] for key in keys]


def _flatten(tree, leaves, is_leaf):
    node = _node_of(tree, is_leaf)
    if node is None:
        leaves.append(tree)
        return _LEAF_SPEC
    children, context = node.flatten_fn(tree)
    return TreeSpec(node.type, context, [_flatten(child, leaves, is_leaf) for child in children])


def tree_flatten(tree, is_leaf=None):
    """Return the leaves of a tree and its `TreeSpec`.

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
    """Build the tree with the given leaves.

    Raises
    ------
    TypeError
        If `treespec` is not a `TreeSpec`.
    ValueError
        If the number of leaves differs.
    """
    if not isinstance(treespec, TreeSpec):
        if not isinstance(leaves, TreeSpec):
            raise TypeError(_NO_SPEC.format(type(treespec)))
        leaves, treespec = treespec, leaves  # the argument order of the C++ pytree library
    return treespec.unflatten(leaves)


def _broadcast_to_and_flatten(tree, treespec, is_leaf=None):
    """Return the leaves of `tree`, broadcast to the structure `treespec`, or None.

    A leaf of `tree` is repeated for every leaf of the corresponding part of `treespec`. Return None
    if the containers differ.
    """
    node = _node_of(tree, is_leaf)
    if node is None:
        return [tree] * treespec.num_leaves
    children, context = node.flatten_fn(tree)
    if (
        treespec.type is not node.type
        or len(children) != treespec.num_children
        or context != treespec._context
    ):
        return None
    leaves = []
    for child, spec in zip(children, treespec._children, strict=True):
        below = _broadcast_to_and_flatten(child, spec, is_leaf)
        if below is None:
            return None
        leaves += below
    return leaves


def _unflatten(leaves, spec):
    if spec.type is None:
        return next(leaves)
    node = SUPPORTED_NODES[spec.type]
    return node.unflatten_fn([_unflatten(leaves, s) for s in spec._children], spec._context)


def _is_constant_holder(spec):
    """Return True if the structure is that of a registered constant."""
    return isinstance(spec._context, ConstantNode)


def _retrieve_constant(spec):
    """Return the constant whose structure this is."""
    if not _is_constant_holder(spec):
        raise AssertionError("spec does not correspond to a registered constant pytree")
    return tree_unflatten([], spec)


# -- structures as text -----------------------------------------------------------------------------


def treespec_dumps(treespec, protocol=None):
    """Serialize a structure to JSON.

    Raises
    ------
    TypeError
        If it is not a `TreeSpec`, or a context is not JSON-serializable.
    NotImplementedError
        If a container class was registered without a serialized name.
    ValueError
        If the protocol is not 1.

    Examples
    --------
    >>> from minitorch.utils._pytree import tree_structure, treespec_dumps, treespec_loads
    >>> spec = tree_structure({"a": [1, 2]})
    >>> treespec_loads(treespec_dumps(spec)) == spec
    True
    """
    if not isinstance(treespec, TreeSpec):
        raise TypeError(_NO_SPEC.format(type(treespec)))
    return _treespec_json.dumps(treespec, protocol)


def treespec_loads(serialized):
    """Return the structure serialized by `treespec_dumps`."""
    return _treespec_json.loads(serialized, _LEAF_SPEC, TreeSpec)


def pytree_to_str(treespec):
    """Return `treespec_dumps(treespec)`; deprecated."""
    warnings.warn(
        "`pytree_to_str` is deprecated. Please use `treespec_dumps` instead.",
        FutureWarning,
        stacklevel=2,
    )
    return treespec_dumps(treespec)


def str_to_pytree(json):
    """Return `treespec_loads(json)`; deprecated."""
    warnings.warn(
        "`str_to_pytree` is deprecated. Please use `treespec_loads` instead.",
        FutureWarning,
        stacklevel=2,
    )
    return treespec_loads(json)


class _Star:
    def __repr__(self):
        return "*"


def treespec_pprint(treespec):
    """Return the structure as text, with ``*`` for each leaf."""
    return repr(tree_unflatten([_Star()] * treespec.num_leaves, treespec))


def tree_iter(tree, is_leaf=None):
    """Iterate over the leaves."""
    yield from tree_flatten(tree, is_leaf)[0]


def tree_leaves(tree, is_leaf=None):
    """Return the leaves."""
    return tree_flatten(tree, is_leaf)[0]


def tree_structure(tree, is_leaf=None):
    """Return the `TreeSpec`."""
    return tree_flatten(tree, is_leaf)[1]


def tree_map(func, tree, *rests, is_leaf=None):
    """Apply a function to the leaves of one or more trees and return the tree of the results.

    Of the trees in `rests`, the function gets the subtrees at the positions of the leaves.
    """
    if not rests:
        return _map(func, tree, is_leaf)
    leaves, spec = tree_flatten(tree, is_leaf)
    others = [spec.flatten_up_to(rest) for rest in rests]
    return tree_unflatten(map(func, leaves, *others), spec)


def _map(func, tree, is_leaf):
    """Apply `tree_map` to a single tree, without building its structure."""
    node = _node_of(tree, is_leaf)
    if node is None:
        return func(tree)
    children, context = node.flatten_fn(tree)
    return node.unflatten_fn([_map(func, child, is_leaf) for child in children], context)


def tree_map_(func, tree, *rests, is_leaf=None):
    """Call a function for each leaf and return the tree itself."""
    leaves, spec = tree_flatten(tree, is_leaf)
    deque(map(func, leaves, *(spec.flatten_up_to(rest) for rest in rests)), maxlen=0)
    return tree


def _asks(types):
    """Return a predicate of leaves from a type, several types or a predicate."""
    if isinstance(types, type) or isinstance(types, tuple) or hasattr(types, "__args__"):
        return lambda leaf: isinstance(leaf, types)
    return types


def map_only(type_or_types_or_pred, /):
    """Return a decorator that applies a function only to leaves of some types."""
    asked = _asks(type_or_types_or_pred)
    if not callable(asked):
        raise TypeError("Argument must be a type, a tuple of types, or a callable.")

    def decorate(func):
        @functools.wraps(func)
        def wrapper(leaf):
            return func(leaf) if asked(leaf) else leaf

        return wrapper

    return decorate


def tree_map_only(type_or_types_or_pred, /, func, tree, is_leaf=None):
    """Apply `tree_map` to the leaves of some types; other leaves are unchanged."""
    return tree_map(map_only(type_or_types_or_pred)(func), tree, is_leaf=is_leaf)


def tree_map_only_(type_or_types_or_pred, /, func, tree, is_leaf=None):
    """Apply `tree_map_` to the leaves of some types."""
    return tree_map_(map_only(type_or_types_or_pred)(func), tree, is_leaf=is_leaf)


def tree_all(pred, tree, is_leaf=None):
    """Return True if the predicate holds for all leaves."""
    return all(map(pred, tree_iter(tree, is_leaf)))


def tree_any(pred, tree, is_leaf=None):
    """Return True if the predicate holds for any leaf."""
    return any(map(pred, tree_iter(tree, is_leaf)))


def tree_all_only(type_or_types, /, pred, tree, is_leaf=None):
    """Return True if the predicate holds for all leaves of some types."""
    leaves = tree_iter(tree, is_leaf)
    return all(pred(leaf) for leaf in leaves if isinstance(leaf, type_or_types))


def tree_any_only(type_or_types, /, pred, tree, is_leaf=None):
    """Return True if the predicate holds for any leaf of some types."""
    leaves = tree_iter(tree, is_leaf)
    return any(pred(leaf) for leaf in leaves if isinstance(leaf, type_or_types))


def arg_tree_leaves(*args, **kwargs):
    """Return the leaves of the arguments of a call."""
    return tree_leaves([args, kwargs])


def keystr(kp):
    """Return a key path as Python code."""
    return "".join(map(str, kp))


def tree_leaves_with_path(tree, is_leaf=None):
    """Return the leaves with their key paths."""
    return tree_flatten_with_path(tree, is_leaf)[0]


def tree_flatten_with_path(tree, is_leaf=None):
    """Return the leaves with their key paths, and the `TreeSpec`."""
    return list(_with_path((), tree, is_leaf)), tree_structure(tree, is_leaf)


def tree_map_with_path(func, tree, *rests, is_leaf=None):
    """Apply `tree_map` with a function whose first argument is the key path of the leaf."""
    pairs, spec = tree_flatten_with_path(tree, is_leaf)
    paths = [path for path, _ in pairs]
    others = [spec.flatten_up_to(rest) for rest in rests]
    return tree_unflatten(map(func, paths, [leaf for _, leaf in pairs], *others), spec)


def key_get(obj, kp):
    """Return the subtree at a key path."""
    for key in kp:
        obj = key.get(obj)
    return obj


def _with_path(path, tree, is_leaf):
    node = _node_of(tree, is_leaf)
    if node is None:
        yield path, tree
        return
    if node.flatten_with_keys_fn is None:
        raise ValueError(
            f"Did not find a flatten_with_keys_fn for type: {node.type}. "
            "Please pass a flatten_with_keys_fn argument to register_pytree_node."
        )
    for key, child in node.flatten_with_keys_fn(tree)[0]:
        yield from _with_path((*path, key), child, is_leaf)
