"""Compatibility between an older and a newer schema of an operator."""

__all__ = ["backward", "forward"]


def _alias(argument):
    info = argument.alias_info
    return info and (info.is_write, frozenset(info.before_set), frozenset(info.after_set))


def key_of(argument):
    """Return the key by which arguments are compared."""
    default = argument.default_value
    default = tuple(default) if isinstance(default, list) else default
    given = argument.has_default_value()
    return (
        argument.name,
        argument.type,
        argument.N,
        given,
        default,
        argument.kwarg_only,
        _alias(argument),
    )


def _fits(narrow, wide):
    """Return whether every value of type `narrow` has type `wide`."""
    if narrow == wide:
        return True
    inner = (
        wide.removeprefix("Optional[").removesuffix("]") if wide.startswith("Optional[") else None
    )
    if inner is not None:
        narrow = (
            narrow.removeprefix("Optional[").removesuffix("]") if "Optional[" in narrow else narrow
        )
        return _fits(narrow, inner)
    return wide == "number" and narrow in ("int", "float", "complex")


def _same_place(new, old):
    return new.name == old.name and new.N == old.N and _alias(new) == _alias(old)


def _backward_argument(new, old):
    return (
        _same_place(new, old)
        and not (new.kwarg_only and not old.kwarg_only)
        and _fits(old.type, new.type)
        and (not old.has_default_value() or _same_default(new, old))
    )


def _same_default(new, old):
    given = new.has_default_value() == old.has_default_value()
    return given and new.default_value == old.default_value


def _forward_argument(new, old):
    return (
        _same_place(new, old)
        and not (new.kwarg_only and not old.kwarg_only)
        and _fits(new.type, old.type)
        and _same_default(new, old)
    )


def _same_head(new, old):
    heads = [
        (s.name, s.overload_name, s.is_vararg, s.is_varret, len(s.returns)) for s in (new, old)
    ]
    return heads[0] == heads[1]


def _first_out(schema):
    arguments = schema.arguments
    return next((k for k, a in enumerate(arguments) if a.is_out), len(arguments))


def backward(new, old):
    """Return whether every call of the old schema is valid for the new one.

    Parameters
    ----------
    new, old : FunctionSchema
    """
    if not _same_head(new, old) or len(new.arguments) < len(old.arguments):
        return False
    # results may become more specific
    pairs = zip(new.returns, old.returns, strict=True)
    if not all(_backward_argument(o, n) for n, o in pairs):
        return False
    here, there = _first_out(new), _first_out(old)
    if not all(map(_backward_argument, new.arguments[:there], old.arguments[:there])):
        return False
    if not all(a.has_default_value() for a in new.arguments[there:here]):
        return False
    return all(map(_backward_argument, new.arguments[here:], old.arguments[there:]))


def forward(new, old):
    """Return whether calls of the new schema, without its new arguments, are valid for the old one.

    Returns
    -------
    bool, str
        The second item is the reason for False.
    """
    if not _same_head(new, old):
        return False, ""
    here, there = _first_out(new), _first_out(old)
    if len(new.arguments) - here != len(old.arguments) - there:
        return False, "Function schema should have the same number of out arguments"
    for a, b in zip(new.arguments[:here], old.arguments[:there], strict=False):
        if not _forward_argument(a, b):
            why = "is not forward compatible with the older version of the schema"
            return False, f"'{a.name}' {why}"
    for argument in new.arguments[there:here]:
        head = (
            f"Function schema is not forward compatible since the new argument '{argument.name}' "
            f"of type {argument.short_type}"
        )
        if not argument.has_default_value():
            return False, f"{head} did not provide a default value."
        if isinstance(argument.default_value, list):
            return False, f"{head} has a container type as its default value."
    for k, (a, b) in enumerate(zip(new.arguments[here:], old.arguments[there:], strict=False)):
        if not _forward_argument(a, b):
            # PyTorch names the argument of the new schema at the old argument's position
            name = new.arguments[there + k].name
            return False, f"Out argument ''{name} is not FC with the older version of the schema"
    return True, ""
