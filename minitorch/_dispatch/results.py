"""Type checks of the results of kernels and ``__torch_dispatch__`` against the schema."""

from collections.abc import Sequence

from minitorch._dispatch.argument_values import WRONG, converted, not_convertible
from minitorch._tensor import Tensor
from minitorch.autograd.python_dispatch import UndefinedResult


def returned(overload, result, by="PythonKernelHolder"):
    """Return the results of a kernel, checked and converted to the types in the schema.

    Parameters
    ----------
    overload : OpOverload
    result : object
        The value that the program's function returned.
    by : str
        Name of that function in errors.

    Raises
    ------
    RuntimeError, TypeError
        The number or type of the results does not match the schema.
    """
    returns = overload._schema.returns
    if not returns:
        if result is not None:
            raise RuntimeError(
                f"Expected {by} for {overload.name()} to return None but it returned something else instead."
            )
        return None
    if len(returns) == 1:
        return _as(returns[0], result)
    if not isinstance(result, Sequence):
        raise TypeError(
            f"Object of type '{type(result).__name__}' is not an instance of 'sequence'"
        )
    results = tuple([_as(expected, item) for expected, item in zip(returns, result, strict=False)])
    if len(result) < len(returns):
        raise RuntimeError("Expected Tensor but got None")
    if len(result) > len(returns):
        raise RuntimeError(f"{overload} returned {len(result)} results instead of {len(returns)}")
    return results


def _as(expected, result):
    if expected.kind == "Tensor" and not expected.is_list:
        if result is None or isinstance(result, Tensor):
            return result
        raise RuntimeError(f"Unable to cast {result} to Tensor")
    if expected.kind == "bool" and result is None:
        return False
    value = converted(expected, result)
    undefined = expected.is_list and value is not WRONG and any(item is None for item in value)
    if value is not WRONG and (expected.items_optional or not undefined):
        return value
    if expected.kind == "Scalar" and not expected.is_list:
        raise RuntimeError(f"Cannot cast {result!s} to number")
    raise RuntimeError(not_convertible(result))


def answered(overload, result):
    """Return the results of ``__torch_dispatch__``, checked and converted by the schema.

    Raises
    ------
    RuntimeError
        The number or type of the results does not match the schema.
    """
    try:
        return returned(overload, result, "__torch_dispatch__")
    except TypeError as error:
        raise RuntimeError(str(error)) from None


def outcome(overload, result):
    """Return the results of ``__torch_dispatch__`` in a form that is never None.

    Callers use None for "not dispatched". Several results are a list. If the handler returned None,
    the result is True for an operator that returns nothing or the argument it writes to.

    Raises
    ------
    UndefinedResult
        The handler returned None in place of a tensor.
    RuntimeError
        The number or type of the results does not match the schema.
    """
    made = answered(overload, result)
    if made is not None:
        return list(made) if type(made) is tuple else made
    returns = overload._schema.returns
    if not returns or returns[0].is_write:
        return True
    raise UndefinedResult("Unable to cast None to Tensor")
