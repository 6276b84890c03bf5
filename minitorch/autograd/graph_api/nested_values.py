"""Walks through tensors in nested lists, tuples and dictionaries, for `NestedIOFunction`."""

from minitorch.autograd.variable import TensorBase


def _is_tensor(value):
    return isinstance(value, TensorBase)


def _unknown(value, accepted):
    kind = type(value)
    module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    advice = f". Accepted types: {accepted}, or lists/tuples of them" if accepted else ""
    return ValueError(
        "Auto nesting doesn't know how to process an input object of type "
        f"{module}{kind.__qualname__}{advice}"
    )


def _nested_map(condition, fn, condition_msg=None):
    """Return a function that maps nested values: `fn` where `condition` holds, None unchanged.

    Any other value raises ValueError.
    """

    def mapped(value):
        if condition(value):
            return fn(value)
        if value is None:
            return None
        if isinstance(value, dict):
            return {key: mapped(item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            items = map(mapped, value)
            return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
        raise _unknown(value, condition_msg)

    return mapped


def _iter_filter(condition, allow_unknown=False, condition_msg=None, conversion=None):
    """Return a generator function that yields the nested values for which `condition` holds.

    None is skipped. Any other value is yielded if `allow_unknown` is set and raises ValueError
    otherwise.
    """

    def walk(value):
        if conversion is not None:
            value = conversion(value)
        if condition(value):
            yield value
        elif isinstance(value, (list, tuple, dict)):
            for item in value.values() if isinstance(value, dict) else value:
                yield from walk(item)
        elif value is not None:
            if not allow_unknown:
                raise _unknown(value, condition_msg)
            yield value

    return walk


def _unflatten(input, proto):
    """Arrange the items of `input` in the nested structure of `proto`, keeping its None entries."""
    rest = iter(input)

    def refilled(part):
        if part is None:
            return None
        if isinstance(part, (list, tuple)):
            return type(part)(map(refilled, part))
        return next(rest)

    return refilled(proto) if isinstance(proto, (list, tuple)) else input[0]


_iter_tensors = _iter_filter(_is_tensor, condition_msg="Tensors")
_iter_tensors_permissive = _iter_filter(
    _is_tensor, allow_unknown=True, condition_msg="Tensors (permissive)"
)
_iter_None_tensors = _iter_filter(
    lambda value: value is None or _is_tensor(value), condition_msg="Tensors or None"
)
_map_tensor_data = _nested_map(_is_tensor, lambda tensor: tensor.data, condition_msg="Tensors")
