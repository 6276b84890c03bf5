"""Operators of programs, defined and registered by name; `torch.library` is the present interface.

An operator is defined by `custom_op`, computed by what `impl` registers, and differentiated by two functions:
`impl_save_for_backward` says what is kept, `impl_backward` makes gradients of it.
"""

from minitorch import library
from minitorch._custom_op.impl import (
    _custom_op_with_schema,
    _find_custom_op,
    check_function,
    infer_schema,
    parse_qualname,
    validate_namespace,
)
from minitorch.library import get_ctx

__all__ = [
    "custom_op",
    "get_ctx",
    "impl",
    "impl_abstract",
    "impl_backward",
    "impl_save_for_backward",
]


def custom_op(qualname, func_or_schema=None):
    """Define an operator, by a schema or by a function with its name and annotations.

    Parameters
    ----------
    qualname : str
        ``"namespace::name"``.
    func_or_schema : callable or str, optional
        Without it, this is a decorator of the function.

    Raises
    ------
    ValueError
        For another form of name, a reserved namespace, or an operator that writes to an argument.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch import _custom_ops as ops
    >>> ops.custom_op("guide::cube", "(Tensor x) -> Tensor")
    >>> _ = ops.impl("guide::cube")(lambda x: x**3)
    >>> _ = ops.impl_save_for_backward("guide::cube")(lambda inputs, output: inputs.x)
    >>> _ = ops.impl_backward("guide::cube")(lambda ctx, x, grad: {"x": grad * 3 * x**2})
    >>> x = torch.tensor([2.0], requires_grad=True)
    >>> torch.ops.guide.cube(x).backward()
    >>> x.grad
    tensor([12.])
    """
    namespace, name = parse_qualname(qualname)
    validate_namespace(namespace)

    def inner(func):
        check_function(qualname, name, func)
        _custom_op_with_schema(qualname, infer_schema(func, mutates_args=()))
        return func

    if func_or_schema is None:
        return inner
    if isinstance(func_or_schema, str):
        _custom_op_with_schema(qualname, func_or_schema)
        return None
    return inner(func_or_schema)


def impl(qualname, *, device_types=("cpu", "cuda"), func=None):
    """Register what computes an operator on some devices; a decorator without `func`."""

    def inner(func):
        _find_custom_op(qualname, also_check_torch_library=True).impl(device_types, _stacklevel=3)(
            func
        )
        return func

    return inner if func is None else inner(func)


def impl_abstract(qualname, *, func=None):
    """Register what results without data look like; a decorator without `func`."""
    return library.register_fake(qualname, func, _stacklevel=2)


def impl_save_for_backward(qualname, *, func=None):
    """Register what is kept for the derivative, ``func(inputs, output)``; a decorator without `func`."""

    def inner(func):
        found = _find_custom_op(qualname, also_check_torch_library=True)
        found.impl_save_for_backward(_stacklevel=3)(func)
        return func

    return inner if func is None else inner(func)


def impl_backward(qualname, output_differentiability=None, *, func=None):
    """Register the derivative, ``func(ctx, saved, *grads)``; a decorator without `func`.

    It gives a dictionary with a gradient or None for each argument that is a tensor or a list of them.
    """

    def inner(func):
        found = _find_custom_op(qualname, also_check_torch_library=True)
        found.impl_backward(output_differentiability, _stacklevel=3)(func)
        return func

    return inner if func is None else inner(func)


def _destroy(qualname):
    """Take an operator away."""
    _find_custom_op(qualname)._destroy()
