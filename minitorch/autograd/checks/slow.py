"""The slow comparison of `gradcheck`: all entries of both Jacobians."""

from minitorch.autograd.checks.analytical import (
    _check_analytical_jacobian_attributes,
    _get_analytical_jacobian_forward_ad,
)
from minitorch.autograd.checks.arguments import (
    GradcheckError,
    _as_tuple,
    _densified,
    _is_float_or_complex,
)
from minitorch.autograd.checks.numerical import _get_numerical_jacobian
from minitorch.autograd.functions.namespace import promote_types
from minitorch.core.error_pages import explained


def _get_notallclose_msg(analytical, numerical, output_idx, input_idx, part):
    """Return the message for a mismatch."""
    index, element = (input_idx, "inputs") if part.forward else (output_idx, "outputs")
    prefix = ""
    if index in part.complex_indices:
        name = "imaginary" if part.imaginary else "real"
        prefix = f"While considering the {name} part of complex {element} only, "
    mode = "computed with forward mode " if part.forward else ""
    return (
        f"{prefix}Jacobian {mode}mismatch for output {output_idx} with respect to input {input_idx},\n"
        f"numerical:{numerical}\nanalytical:{analytical}\n"
    )


def _allclose_with_type_promotion(a, b, rtol, atol):
    dtype = promote_types(a.dtype, b.dtype)
    return a.to(dtype).allclose(b.to(dtype), rtol, atol)


def _of_differentiable(func_out, items):
    """Return the items that belong to differentiable outputs.

    `items` has one for each floating point or complex output.
    """
    outputs = [o for o in func_out if _is_float_or_complex(o)]
    return [item for o, item in zip(outputs, items, strict=True) if o.requires_grad]


def _check_no_differentiable_outputs(numerical):
    if any((matrix != 0).any() for matrices in numerical for matrix in matrices):
        raise GradcheckError("Numerical gradient for function expected to be zero")


def _slow_gradcheck(func, func_out, inputs, outputs, options, part):
    """Compare all entries of the numerical and the analytical Jacobians.

    If no output is differentiable, check that the numerical ones are zero.
    """
    func_out = _as_tuple(func_out)
    moved = inputs if options.masked else tuple(map(_densified, inputs))
    numerical = _get_numerical_jacobian(
        func, moved, func_out, eps=options.eps, is_forward_ad=part.forward
    )
    if not outputs:
        _check_no_differentiable_outputs(numerical)
        return
    numerical = [_of_differentiable(func_out, matrices) for matrices in numerical]
    forward = None
    if part.forward:
        forward = _get_analytical_jacobian_forward_ad(
            func, inputs, func_out, check_grad_dtypes=options.check_grad_dtypes
        )
        forward = [_of_differentiable(func_out, matrices) for matrices in forward]
    for i, output in enumerate(outputs):
        analytical = (
            [matrices[i] for matrices in forward]
            if forward is not None
            else _check_analytical_jacobian_attributes(
                inputs, output, options.nondet_tol, options.check_grad_dtypes
            )
        )
        for j, (a, matrices) in enumerate(zip(analytical, numerical, strict=True)):
            n = matrices[i]
            if not _allclose_with_type_promotion(a, n, options.rtol, options.atol):
                error = GradcheckError(_get_notallclose_msg(a, n, i, j, part))
                single = str(a.dtype) in ("torch.float32", "torch.complex64")
                raise explained(error, "gradcheck-float32") if single else error
