"""Immutable lists and dictionaries for the arguments of nodes."""

from minitorch.utils._pytree import (
    _dict_flatten,
    _dict_flatten_with_keys,
    _dict_unflatten,
    _list_flatten,
    _list_flatten_with_keys,
    _list_unflatten,
    register_pytree_node,
)

__all__ = ["immutable_dict", "immutable_list"]

_ADVICE = """
If you are attempting to modify the kwargs or args of a torch.fx.Node object,
instead create a new copy of it and assign the copy to the node:

    new_args = ...  # copy and mutate args
    node.args = new_args
""".strip()


def _raise_immutable(self, *args, **kwargs):
    raise TypeError(f"{type(self).__name__!r} object does not support mutation. {_ADVICE}")


class immutable_list(list):
    """A list that raises `TypeError` on mutation.

    Examples
    --------
    >>> from minitorch.fx.immutable_collections import immutable_list
    >>> hash(immutable_list([1, 2])) == hash((1, 2))
    True
    """

    __delitem__ = __iadd__ = __imul__ = __setitem__ = _raise_immutable
    append = clear = extend = insert = pop = remove = reverse = sort = _raise_immutable

    def __hash__(self):
        return hash(tuple(self))

    def __reduce__(self):
        return type(self), (tuple(self),)


class immutable_dict(dict):
    """A dictionary that raises `TypeError` on mutation."""

    __delitem__ = __ior__ = __setitem__ = _raise_immutable
    clear = pop = popitem = setdefault = update = _raise_immutable

    def __hash__(self):
        return hash(frozenset(self.items()))

    def __reduce__(self):
        return type(self), (tuple(self.items()),)


register_pytree_node(
    immutable_list,
    _list_flatten,
    lambda values, context: immutable_list(_list_unflatten(values, context)),
    serialized_type_name="torch.fx.immutable_collections.immutable_list",
    flatten_with_keys_fn=_list_flatten_with_keys,
)
register_pytree_node(
    immutable_dict,
    _dict_flatten,
    lambda values, context: immutable_dict(_dict_unflatten(values, context)),
    serialized_type_name="torch.fx.immutable_collections.immutable_dict",
    flatten_with_keys_fn=_dict_flatten_with_keys,
)
