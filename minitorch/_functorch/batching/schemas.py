"""The overload that PyTorch would call, found from the arguments of a public function."""

import functools

from minitorch._dispatch.argument_types import takes
from minitorch._dispatch.operators import ops
from minitorch._tensor import Tensor

# these take a number as a tensor if they can
_TENSORS_FIRST = frozenset("subtract_ multiply_ divide_ true_divide_".split())
# sizes may be separate arguments from this position on
_SIZES = dict.fromkeys("empty ones rand randn zeros".split(), 0) | {"resize_": 1}


@functools.cache
def _overloads(name, written):
    """Return the schemas with or without outputs, those that Python reaches first."""
    packet = getattr(ops.aten, name, None)
    schemas = [getattr(packet, each)._schema for each in packet.overloads()] if packet else []
    if name in _TENSORS_FIRST:
        schemas.sort(key=lambda s: s.overload_name.startswith("Scalar"))
    found = [s for s in schemas if any(a.is_out for a in s.arguments) == written]
    return sorted(
        (s for s in found if not written or "generated" not in s.tags or name.endswith("_copy")),
        key=lambda s: s.overload_name != "out",
    )


def schema_for(name, args, kwargs):
    """Return the schema that takes these arguments; None if there is none.

    Parameters
    ----------
    name : str
        Without ``aten::``.
    args : tuple
    kwargs : dict
        ``out`` contains the outputs.
    """
    first = _SIZES.get(name, len(args))
    if args[first:] and all(isinstance(a, int) for a in args[first:]):
        args = (*args[:first], args[first:])
    out = kwargs.get("out")
    written_to = () if out is None else out if isinstance(out, (tuple, list)) else (out,)
    if not all(isinstance(t, Tensor) for t in written_to):
        return None
    count = len(written_to)
    given = {"self" if key == "input" else key: v for key, v in kwargs.items() if key != "out"}
    for numbers_too in (True,) if name in _TENSORS_FIRST else (False, True):
        for schema in _overloads(name, out is not None):
            written = [a for a in schema.arguments if a.is_out]
            lists = len(written) == 1 and written[0].is_list
            if (lists or len(written) == count) and _takes(schema, args, given, numbers_too):
                return schema
    return None


def misfits(name, args, kwargs):
    """Return whether no overload of that name takes these arguments."""
    return bool(_overloads(name, kwargs.get("out") is not None)) and not schema_for(
        name, args, kwargs
    )


def full_name(name, args, kwargs):
    """Return the name with ``aten::`` and the overload, which is left out if none fits."""
    return overload_of(name, args, kwargs) or f"aten::{name}"


def overload_of(name, args, kwargs):
    """Return the name with ``aten::`` and the overload that fits; None if there is none."""
    schema = schema_for(name, args, kwargs)
    if schema is None:
        return None
    return f"aten::{name}.{schema.overload_name}" if schema.overload_name else f"aten::{name}"


def _takes(schema, args, kwargs, numbers_too):
    """Return whether arguments fit a schema; with `numbers_too`, numbers fit tensors."""
    free = [a for a in schema.arguments if not a.is_out]
    by_place = [a for a in free if not a.kwarg_only]
    if len(args) > len(by_place):
        return False
    placed = {a.name: value for a, value in zip(by_place, args, strict=False)}
    values = placed | kwargs
    return (
        not placed.keys() & kwargs.keys()
        and values.keys() <= {a.name for a in free}
        and all(
            takes(a, values[a.name], numbers_too) if a.name in values else a.has_default_value()
            for a in free
        )
    )
