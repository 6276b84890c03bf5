"""Aliasing between an operator's arguments and results, in the form PyTorch's tools expect."""

import functools
from dataclasses import dataclass


@dataclass
class AliasInfo:
    """Alias sets of one argument or result, and whether the operator writes to it."""

    alias_set: set[str]
    is_write: bool
    name: str | None


@dataclass
class SchemaInfo:
    """Aliasing between the arguments and results of one operator."""

    args: list[AliasInfo]
    outs: list[AliasInfo]
    is_inplace_view_op: bool
    outs_write_aliases: list[str] | None
    read_only_alias_match_indexes: list[tuple[int, int]]


@functools.cache
def get_alias_info(func):
    """Return which arguments and results of an operator share memory.

    Parameters
    ----------
    func : OpOverload

    Returns
    -------
    SchemaInfo

    Raises
    ------
    RuntimeError
        Some results are marked as written in the schema and others are not.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.utils._python_dispatch import get_alias_info
    >>> info = get_alias_info(torch.ops.aten.split.Tensor)
    >>> info.outs[0].alias_set, info.read_only_alias_match_indexes
    ({'a'}, [(0, 0)])
    """
    schema = func._schema
    given = [result.is_write for result in schema.returns]
    if any(given) and not all(given):
        raise RuntimeError(f"Unsupported schema: {schema}")
    args = [_of(argument, argument.name) for argument in schema.arguments]
    outs = [_of(result, result.name or None) for result in schema.returns]
    written = [next(iter(out.alias_set)) for out in outs if out.is_write]
    shared = [
        (k, m)
        for k, argument in enumerate(args)
        for m, out in enumerate(outs)
        if argument.alias_set & out.alias_set and not argument.is_write
    ]
    return SchemaInfo(args, outs, "inplace_view" in schema.tags, written or None, shared)


def _of(argument, name):
    alias = argument.alias_info
    if alias is None:
        return AliasInfo(set(), False, name)
    return AliasInfo(alias.before_set - {"*", ""}, alias.is_write, name)
