"""Inference of schemas from annotations."""

import inspect
import typing

from minitorch._dispatch.infer_schema import infer_schema

__all__ = ["infer_schema", "supported_param", "tuple_to_list"]


def supported_param(param):
    """Return whether a schema can contain a parameter of this kind, which excludes ``*args``."""
    return param.kind in (param.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def tuple_to_list(tuple_type):
    """Return the list type with the item types of a tuple type.

    Examples
    --------
    >>> from minitorch._library.infer_schema import tuple_to_list
    >>> tuple_to_list(tuple[int, ...])
    list[int]
    """
    items = [item for item in typing.get_args(tuple_type) if item is not Ellipsis]
    if not items:
        return list
    return list[items[0] if len(items) == 1 else typing.Union[tuple(items)]]  # noqa: UP007
