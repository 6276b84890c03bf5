"""Checks of complex functions, as two real functions: the real and the imaginary part.

Backward mode takes the parts of the outputs, forward mode those of the inputs.
"""

from minitorch.autograd.checks.arguments import Part, _as_tuple, _differentiable_outputs
from minitorch.autograd.checks.rules import _test_undefined_forward_mode
from minitorch.autograd.functions import tensor_methods as _operators
from minitorch.autograd.variable import TensorBase


def _part_of_outputs(func, part):
    """Return `func` with its complex outputs replaced by their real or imaginary parts."""

    def wrapped(*inputs):
        return tuple(part(o) if o.is_complex() else o for o in _as_tuple(func(*inputs)))

    return wrapped


def _check_backward(check, func, func_out, inputs, outputs, options):
    if not any(o.is_complex() for o in _as_tuple(func_out)):
        check(func, func_out, inputs, outputs, options, Part())
        return
    indices = tuple(k for k, o in enumerate(outputs) if o.is_complex())
    for imaginary, take in ((True, _operators.imag), (False, _operators.real)):
        part_of = _part_of_outputs(func, take)
        part_out = part_of(*inputs)
        part = Part(imaginary=imaginary, complex_indices=indices)
        check(part_of, part_out, inputs, _differentiable_outputs(part_out), options, part)


def _function_of_part(func, indices, inputs, imaginary):
    """Return `func` as a function of the real or imaginary parts of its complex inputs.

    The other parts keep their values in `inputs`.
    """

    def whole(part, original):
        return original.real + part * 1j if imaginary else part + original.imag * 1j

    def wrapped(*parts):
        parts = list(parts)
        for k in indices:
            parts[k] = whole(parts[k], inputs[k])
        return _as_tuple(func(*parts))

    return wrapped


def _check_forward(check, func, func_out, inputs, outputs, options, check_undefined_grad):
    indices = tuple(k for k, x in enumerate(inputs) if _is_complex(x))
    cases = []
    if not indices:
        check(func, func_out, inputs, outputs, options, Part(forward=True))
        cases.append((func, outputs, inputs))
    for imaginary in (True, False) if indices else ():
        part_of = _function_of_part(func, indices, inputs, imaginary)
        parts = [(x.imag if imaginary else x.real) if _is_complex(x) else x for x in inputs]
        part_out = part_of(*parts)
        part = Part(forward=True, imaginary=imaginary, complex_indices=indices)
        check(part_of, part_out, parts, _differentiable_outputs(part_out), options, part)
        cases.append((part_of, part_out, parts))
    if check_undefined_grad:
        for case in cases:
            _test_undefined_forward_mode(*case)


def _is_complex(x):
    return isinstance(x, TensorBase) and x.is_complex()
