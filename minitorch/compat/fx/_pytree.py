"""Flattening of nested arguments by a known spec, for generated code."""

from collections import namedtuple

from minitorch.core import return_types
from minitorch.utils._pytree import tree_flatten

__all__ = ["register_pytree_flatten_spec", "tree_flatten_spec"]

SUPPORTED_NODES: dict = {}
SUPPORTED_NODES_EXACT_MATCH: dict = {}


def register_pytree_flatten_spec(cls, flatten_fn_spec, flatten_fn_exact_match_spec=None):
    """Register how to flatten objects of a class.

    Parameters
    ----------
    cls : type
    flatten_fn_spec : callable
        Called with the object and its spec; returns the list of its children.
    flatten_fn_exact_match_spec : callable, optional
        Called with the object and its spec; returns whether the numbers of children match.
    """
    SUPPORTED_NODES[cls] = flatten_fn_spec
    SUPPORTED_NODES_EXACT_MATCH[cls] = flatten_fn_exact_match_spec


def tree_flatten_spec(pytree, spec):
    """Return the leaves of nested containers with a known spec.

    Raises
    ------
    RuntimeError
        If the structure of `pytree` differs from `spec`.

    Examples
    --------
    >>> from minitorch.fx._pytree import tree_flatten_spec
    >>> from minitorch.utils._pytree import tree_flatten
    >>> tree_flatten_spec([1, {"a": 2}], tree_flatten([0, {"a": 0}])[1])
    [1, 2]
    """
    if spec.is_leaf():
        return [pytree]
    if spec.type in SUPPORTED_NODES:
        parts = SUPPORTED_NODES[spec.type](pytree, spec)
        pairs = zip(parts, spec.children(), strict=False)
        return [leaf for part, inner in pairs for leaf in tree_flatten_spec(part, inner)]
    leaves, found = tree_flatten(pytree)
    if found != spec:
        raise RuntimeError(
            f"Real spec {found} of object {pytree} is different from expected spec {spec}. Please "
            "file an issue at https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml"
        )
    return leaves


def _dict_flatten_spec(container, spec):
    return [container[key] for key in spec.context]


def _list_flatten_spec(container, spec):
    return [container[k] for k in range(spec.num_children)]


def _same_length(container, spec):
    return len(container) == spec.num_children


_tuple_flatten_spec = _namedtuple_flatten_spec = _list_flatten_spec
_RESULTS = [kind for kind in vars(return_types).values() if isinstance(kind, type)]

register_pytree_flatten_spec(dict, _dict_flatten_spec, _same_length)
for _class in (list, tuple, namedtuple, *_RESULTS):  # noqa: PYI024 (the function is the key)
    register_pytree_flatten_spec(_class, _list_flatten_spec, _same_length)
