"""Checks of the schemas of custom operators with the tags ``inplace`` or ``out``.

An ``inplace`` operator writes to its first argument, a tensor, and returns it. An ``out`` operator
writes to keyword-only tensors and returns all of them in order.
"""

from minitorch._dispatch.custom import parse_schema
from minitorch._dispatch.operators import Tag


def check_tags(text, tags):
    """Raise ValueError if a schema does not satisfy the requirements of its tags.

    Raises
    ------
    ValueError
    """
    if Tag.out in tags:
        _check_out(parse_schema(text))
    if Tag.inplace in tags:
        _check_inplace(parse_schema(text))


def _names(arguments):
    return [a.name for a in arguments]


def _check_out(schema):
    def fail(what):
        raise ValueError(f"{what}. Got: {schema}")

    title = "Schema tagged with torch.Tag.out"
    written = [a for a in schema.arguments if a.is_write]
    if not written:
        fail(f"{title} must have at least one mutable argument")
    by_place = [a for a in written if not a.kwarg_only]
    if by_place:
        fail(
            f"{title} requires all mutable arguments to be keyword-only (after the *). Found mutable positional "
            f"args: {_names(by_place)}"
        )
    no_tensors = [a for a in written if a.type != "Tensor"]
    if no_tensors:
        fail(
            f"{title} only supports Tensor mutable arguments. Found unsupported mutable args: {_names(no_tensors)}"
        )
    if len(schema.returns) != len(written):
        fail(
            f"{title} must return all mutable arguments (got {len(written)} mutable args but {len(schema.returns)} "
            "returns)"
        )
    for k, (given, argument) in enumerate(zip(schema.returns, written, strict=True)):
        returned = f"Return {k} of schema tagged with torch.Tag.out must"
        if given.alias_info is None:
            fail(f"{returned} alias mutable arg '{argument.name}'")
        if not given.is_write:
            fail(
                f"{returned} be a mutable alias (e.g., Tensor(a!), not Tensor(a)) of arg '{argument.name}'"
            )
        memory, wanted = given.alias_info.before_set, argument.alias_info.before_set
        if memory != wanted:
            fail(
                f"{returned} alias mutable arg '{argument.name}' (return aliases {memory} but arg aliases {wanted})"
            )


def _check_inplace(schema):
    def fail(what):
        raise ValueError(f"Schema tagged with torch.Tag.inplace {what}. Got: {schema}")

    if not schema.arguments or schema.arguments[0].kwarg_only:
        fail("must have at least one positional argument")
    first, *others = schema.arguments
    if not first.is_write:
        fail("requires the first positional argument to be mutable (e.g., Tensor(a!))")
    if first.type != "Tensor":
        fail(
            f"requires the first positional argument to be a Tensor. Got type '{first.type}' for arg '{first.name}'"
        )
    if len(schema.returns) != 1:
        fail(
            f"must return exactly one value (the first argument). Got {len(schema.returns)} returns"
        )
    (given,) = schema.returns
    of_first = "must return the first mutable argument"
    if given.type != "Tensor":
        fail(f"{of_first} (return must be a Tensor, got type '{given.type}')")
    if given.alias_info is None:
        fail(f"{of_first} (return must alias the first argument)")
    if not given.is_write:
        fail(f"{of_first} (return must be a mutable alias, e.g., Tensor(a!))")
    memory, wanted = given.alias_info.before_set, first.alias_info.before_set
    if memory != wanted:
        fail(f"{of_first} (return aliases {memory} but first arg aliases {wanted})")
    also_written = [a for a in others if a.is_write]
    if also_written:
        fail(
            "must only mutate the first positional argument. Found additional mutable args: "
            f"{_names(also_written)}"
        )


__all__ = ["check_tags"]
