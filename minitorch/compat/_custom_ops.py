"""Custom operators registered by name; deprecated in favour of `torch.library`.

`custom_op` defines an operator and `impl` registers its kernels. Its derivative consists of two
functions, registered with `impl_save_for_backward` and `impl_backward`.
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
    """Define an operator from a schema or from an annotated function.

    Parameters
    ----------
    qualname : str
        ``"namespace::name"``.
    func_or_schema : callable or str, optional
        If None, a decorator is returned.

    Raises
    ------
    ValueError
        If the name is invalid, the namespace is reserved, or the operator mutates an argument.

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
    """Register a kernel for the given devices; without `func`, return a decorator."""

    def inner(func):
        _find_custom_op(qualname, also_check_torch_library=True).impl(device_types, _stacklevel=3)(
            func
        )
        return func

    return inner if func is None else inner(func)


def impl_abstract(qualname, *, func=None):
    """Register a kernel for tensors without data; without `func`, return a decorator."""
    return library.register_fake(qualname, func, _stacklevel=2)


def impl_save_for_backward(qualname, *, func=None):
    """Register ``func(inputs, output)``, which returns what to save for backward.

    Without `func`, a decorator is returned.
    """

    def inner(func):
        found = _find_custom_op(qualname, also_check_torch_library=True)
        found.impl_save_for_backward(_stacklevel=3)(func)
        return func

    return inner if func is None else inner(func)


def impl_backward(qualname, output_differentiability=None, *, func=None):
    """Register the derivative ``func(ctx, saved, *grads)``; without `func`, return a decorator.

    It returns a dictionary with a gradient or None for each argument that is a tensor or a list of
    tensors.
    """

    def inner(func):
        found = _find_custom_op(qualname, also_check_torch_library=True)
        found.impl_backward(output_differentiability, _stacklevel=3)(func)
        return func

    return inner if func is None else inner(func)


def _destroy(qualname):
    """Remove an operator."""
    _find_custom_op(qualname)._destroy()
