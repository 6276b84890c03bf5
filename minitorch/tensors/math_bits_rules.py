"""Operator rules for lazy conjugates and negatives.

See Note [Math bits] in ``autograd/math_bits.pyx``.

The counterpart is ``aten/src/ATen/native/MathBitsFallback.h``.
"""

from minitorch.autograd.grad_mode import no_grad
from minitorch.autograd.math_bits import become, bits_of, marked, plain, resolved
from minitorch.autograd.variable import TensorBase

_NO_REALS = (
    "view_as_real doesn't work on unresolved conjugated tensors.  To resolve the conjugate tensor so you can "
    "view it as real, use self.resolve_conj(); however, be warned that the resulting tensor will NOT alias the "
    "original."
)


def _resolved(argument):
    if isinstance(argument, TensorBase):
        return resolved(argument)
    if type(argument) is list:
        return [_resolved(item) for item in argument]
    return argument


def _view(operator, t, rest):
    """Compute a view of a lazy tensor, which is lazy too."""
    conj, neg = bits_of(t)
    if operator.name == "conj":
        return marked(t, not conj, neg)
    if operator.name == "_neg_view":
        return marked(t, conj, not neg)
    if operator.name == "view_as_real" and conj:
        raise RuntimeError(_NO_REALS)
    if operator.name == "view_dtype":
        what = "conjugate view tensors" if conj else "tensors with negative bit set"
        raise RuntimeError(
            f"torch.Tensor.view is not supported for {what} when converting to a different dtype."
        )
    if operator.name in ("real", "imag"):
        conj, neg = False, neg != (conj and operator.name == "imag")
    result = operator(plain(t), *rest)
    if isinstance(result, TensorBase):
        return marked(result, conj, neg)
    return [marked(item, conj, neg) for item in result]


def _receiver(arguments):
    """Return the position of the first tensor; `polygamma_` has a number before it."""
    return next(i for i, a in enumerate(arguments) if isinstance(a, TensorBase))


def _write(operator, arguments):
    """Write to a tensor whose bits stay set, so that reading its memory lazily gives the result."""
    position = len(arguments) - 1 if operator.form == "_out" else _receiver(arguments)
    written = arguments[position]
    conj, neg = bits_of(written)
    if operator.view:
        look = plain(written)
        operator(look, *arguments[1:])
        become(written, marked(look, conj, neg))
        return written
    given = [_resolved(argument) for argument in arguments]
    if not (conj or neg):
        given[position] = plain(written)
        operator(*given)
        return written
    operator(*given)
    new = marked(given[position], conj, neg)
    target = plain(written)
    if target.shape != new.shape:
        target.resize_(new.shape)
        become(written, marked(target, conj, neg))
    target.copy_(new)
    return written


def compute(operator, arguments):
    with no_grad():
        if operator.form:
            return _write(operator, arguments)
        if operator.view or operator.name in ("detach", "real", "imag"):
            return _view(operator, arguments[0], arguments[1:])
        result = operator(*map(_resolved, arguments))
        return list(result) if isinstance(result, tuple) else result
