"""What generated code does to nested arguments: it flattens them by a given structure."""

from collections import namedtuple

from minitorch.core import return_types
from minitorch.utils._pytree import tree_flatten

__all__ = ["register_pytree_flatten_spec", "tree_flatten_spec"]

SUPPORTED_NODES: dict = {}
SUPPORTED_NODES_EXACT_MATCH: dict = {}


def register_pytree_flatten_spec(cls, flatten_fn_spec, flatten_fn_exact_match_spec=None):
    """Say how objects of a class are taken apart.

    Parameters
    ----------
    cls : type
    flatten_fn_spec : callable
        From the object and its structure to the list of its children.
    flatten_fn_exact_match_spec : callable, optional
        Whether the object has as many children as the structure.
    """
    SUPPORTED_NODES[cls] = flatten_fn_spec
    SUPPORTED_NODES_EXACT_MATCH[cls] = flatten_fn_exact_match_spec


def tree_flatten_spec(pytree, spec):
    """The leaves of nested containers whose structure is known.

    Raises
    ------
    RuntimeError
        If a container has another structure.

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
