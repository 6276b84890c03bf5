"""Operator rules for tensors known to be zero; see `ZeroTensor` in ``autograd/zero_tensor.pyx``.

Such a tensor is the tangent of an operand without a tangent, in a formula for several operands. A
product with one is zero whatever the other factor is, even infinity. A sum with one equals the
other term.

The counterpart is ``aten/src/ATen/ZeroTensorFallback.h``.
"""

from math import inf, nan

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.creation import zeros
from minitorch.autograd.grad_mode import no_grad
from minitorch.autograd.variable import TensorBase
from minitorch.autograd.zero_tensor import as_zeros, is_zeros, without_mark

_IMMUTABLE = (
    "ZeroTensors are immutable. Please use the materialized zero tensor obtained using .clone() if you want a "
    "mutable tensor."
)


def _efficientzerotensor(*size, dtype=None, layout=None, device=None, pin_memory=False):
    """Return a tensor known to be zero: its product with any tensor is zero.

    Parameters
    ----------
    *size : int or sequence of int
    dtype, layout, device, pin_memory
        See `zeros`.

    Returns
    -------
    Tensor

    Examples
    --------
    >>> import minitorch as torch
    >>> torch._efficientzerotensor(2) * torch.tensor([float("inf"), 1.0])
    tensor([0., 0.])
    """
    return as_zeros(zeros(*size, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory))


def _plain(argument):
    if isinstance(argument, TensorBase):
        return without_mark(argument)
    return [_plain(item) for item in argument] if type(argument) is list else argument


def _sum(operator, arguments):
    """Add or subtract where at least one term is known to be zero."""
    a, b, alpha = arguments
    result = operator(_plain(a), _plain(b), 1 if is_zeros(b) else alpha)
    return as_zeros(result) if is_zeros(a) and is_zeros(b) else result


def _product(operator, arguments):
    return as_zeros(_ops.zeros_like(operator(*map(_plain, arguments))))


def _quotient(operator, arguments):
    """Divide by, or into, a tensor known to be zero: infinity, whatever the numerator is, and nan for two of them."""
    a, b, rounding_mode = arguments
    result = operator(*map(_plain, arguments))
    if rounding_mode is not None:
        return result
    if not is_zeros(b):
        return as_zeros(_ops.zeros_like(result))
    return _ops.full_like(result, nan if is_zeros(a) else inf)


_RULES = {
    "add": _sum,
    "sub": _sum,
    "div": _quotient,
    **dict.fromkeys(
        "mul _mul_scalar _div_scalar dot vdot linalg_cross conj_physical".split(), _product
    ),
}


def compute(operator, arguments):
    with no_grad():
        if operator.form:
            written = arguments[-1] if operator.form == "_out" else arguments[0]
            if is_zeros(written):
                raise RuntimeError(_IMMUTABLE)
            operator(*map(_plain, arguments))
            return written
        if operator.name in _RULES:
            return _RULES[operator.name](operator, arguments)
        result = operator(*map(_plain, arguments))
        if operator.view or operator.name == "detach":
            return as_zeros(result) if isinstance(result, TensorBase) else [*map(as_zeros, result)]
        return list(result) if isinstance(result, tuple) else result
