"""Rules that every derivative must follow; `gradcheck` checks them in addition to the Jacobians.

A gradient that is zero or undefined must give zeros. An undefined tangent must count as zeros.
"""

import warnings

from minitorch.autograd import forward_ad as fwAD
from minitorch.autograd import grad as _grad
from minitorch.autograd.checks.analytical import _float_outputs, _zero_duals
from minitorch.autograd.checks.arguments import (
    GradcheckError,
    _dense,
    _differentiable_outputs,
    _inputs_with_grad,
    _wants_grad,
)
from minitorch.autograd.checks.fast import _make_vectors
from minitorch.autograd.functions.basic_ops import UndefinedGrad
from minitorch.autograd.functions.tensor_methods import zeros_like
from minitorch.core.types import strided


def _gradients_of_zeros(outputs, inputs):
    zeros = [output.new_zeros(output.shape) for output in outputs]
    return _grad(outputs, inputs, zeros, allow_unused=True)


def _inputs_to_differentiate(inputs):
    _, wanted = _inputs_with_grad(inputs)
    if not wanted:
        raise GradcheckError("no Tensors requiring grad found in input")
    return wanted


def _test_backward_mul_by_grad_output(outputs, inputs, masked):
    """Check that a gradient of zeros gives zeros with the inputs' dtype and shape."""
    wanted = _inputs_to_differentiate(inputs)
    for gradient, x in zip(_gradients_of_zeros(outputs, wanted), wanted, strict=True):
        if gradient is None:
            continue
        if gradient.layout != strided:
            _check_layout(gradient, x)
        dense = _dense(gradient)
        is_zero = dense.allclose(zeros_like(dense)) if masked else dense.eq(0).all()
        if not is_zero:
            raise GradcheckError("backward not multiplied by grad_output")
        if gradient.dtype != x.dtype:
            raise GradcheckError("grad is incorrect type")
        if gradient.shape != x.shape:
            raise GradcheckError("grad is incorrect size")


def _check_layout(gradient, x):
    if gradient.layout != x.layout:
        raise GradcheckError(f"grad is incorrect layout ({gradient.layout} is not {x.layout})")
    for name in ("sparse_dim", "dense_dim"):
        given, wanted = getattr(gradient, name)(), getattr(x, name)()
        if given != wanted:
            raise GradcheckError(
                f"grad is sparse tensor, but has incorrect {name} {given}, expected {wanted}"
            )


def _warn_of_the_check():
    warnings.warn(
        "Backwards compatibility: New undefined gradient support checking feature is enabled by "
        "default, but it may break existing callers of this function. If this is true for you, you "
        'can call this function with "check_undefined_grad=False" to disable the feature',
        stacklevel=2,
    )


_NOTES = (
    'Please look at "Notes about undefined output gradients" in "tools/autograd/derivatives.yaml"'
)


def _check_undefined_gradients(outputs, inputs):
    """Check that zero or undefined output gradients give zero or undefined input gradients."""
    try:
        gradients = _gradients_of_zeros(outputs, inputs)
    except RuntimeError as error:
        _warn_of_the_check()
        raise GradcheckError(
            f"Expected backward function to handle undefined output grads. {_NOTES}"
        ) from error
    for gradient in gradients:
        if gradient is not None and not _dense(gradient).eq(0).all():
            _warn_of_the_check()
            raise GradcheckError(
                "Expected all input grads to be undefined or zero when all output grads are undefined "
                f"or zero. {_NOTES}"
            )


def _test_undefined_backward_mode(func, outputs, inputs):
    """Check the backward with all gradients undefined, then with one undefined at a time."""
    wanted = _inputs_to_differentiate(inputs)

    def fresh(undefined):
        return [
            UndefinedGrad()(o) if undefined in (None, k) else o
            for k, o in enumerate(_differentiable_outputs(func(*inputs)))
        ]

    cases = [fresh(None)]
    if len(cases[0]) > 1:
        cases += [fresh(k) for k in range(len(outputs))]
    for case in cases:
        _check_undefined_gradients(case, wanted)
    return True


def _tangents_of(outputs):
    return [fwAD.unpack_dual(output).tangent for output in _float_outputs(outputs)]


def _test_undefined_forward_mode(func, outputs, inputs):
    """Check that an input without a tangent gives the same as an input with a tangent of zeros."""
    _, wanted = _inputs_with_grad(inputs)
    _, all_u = _make_vectors(wanted, outputs, use_forward_ad=True)
    with fwAD.dual_level():
        duals, tangents = _zero_duals(inputs)
        for tangent, u in zip(tangents, all_u, strict=True):
            tangent.copy_(u.view_as(tangent))
        for k, x in enumerate(inputs):
            if not _wants_grad(x):
                continue
            kept = duals[k]
            duals[k] = fwAD.make_dual(x.detach(), zeros_like(x))
            with_zeros = _tangents_of(func(*duals))
            duals[k] = x.detach()
            without = _tangents_of(func(*duals))
            duals[k] = kept
            for index, (a, b) in enumerate(zip(with_zeros, without, strict=False)):
                if a is not None and b is not None and not a.allclose(b):
                    raise GradcheckError(
                        "Mismatch in tangent values for output with index: ",
                        index,
                        " when input: ",
                        x,
                        " has an undefined tangent value. ",
                        " Got: ",
                        a,
                        " but expected: ",
                        b,
                    )
    return True
