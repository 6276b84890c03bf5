"""Entry points of `gradcheck` and `gradgradcheck`; imported when one of them is first called."""

# ruff: noqa: F401 (some are the names that gradcheck.py gives on)

from minitorch.autograd import grad as _grad
from minitorch.autograd.checks.analytical import (
    _check_analytical_jacobian_attributes,
    _get_analytical_jacobian_forward_ad,
    get_analytical_jacobian,
)
from minitorch.autograd.checks.arguments import (
    GradcheckError,
    Options,
    _as_tuple,
    _check_inputs,
    _check_outputs,
    _differentiable_outputs,
    _iter_tensors,
    _wants_grad,
)
from minitorch.autograd.checks.batched import (
    _test_batched_grad,
    _test_batched_grad_forward_ad,
)
from minitorch.autograd.checks.complex_parts import _check_backward, _check_forward
from minitorch.autograd.checks.fast import _adjusted_atol, _fast_gradcheck
from minitorch.autograd.checks.numerical import (
    _get_numerical_jacobian,
    get_numerical_jacobian,
    get_numerical_jacobian_wrt_specific_input,
)
from minitorch.autograd.checks.rules import (
    _test_backward_mul_by_grad_output,
    _test_undefined_backward_mode,
)
from minitorch.autograd.checks.slow import _slow_gradcheck
from minitorch.autograd.functions import tensor_methods as _operators
from minitorch.autograd.functions.creation import empty_


def check_gradients(
    func,
    inputs,
    *,
    eps,
    atol,
    rtol,
    raise_exception,
    nondet_tol,
    check_undefined_grad,
    check_grad_dtypes,
    check_batched_grad,
    check_batched_forward_grad,
    check_forward_ad,
    check_backward_ad,
    fast_mode,
    masked,
):
    """Run `gradcheck`; see there for the parameters."""
    if not (check_forward_ad or check_backward_ad):
        raise AssertionError(
            "Expected at least one of check_forward_ad or check_backward_ad to be True"
        )
    if check_batched_grad and not check_backward_ad:
        raise AssertionError(
            "Setting check_batched_grad=True requires check_backward_ad to be True"
        )
    if check_batched_forward_grad and not check_forward_ad:
        raise AssertionError(
            "Setting check_batched_forward_grad=True requires check_forward_ad to be True"
        )
    options = Options(eps, atol, rtol, nondet_tol, check_grad_dtypes, masked)
    try:
        _gradcheck_helper(
            func,
            inputs,
            options,
            check_undefined_grad,
            check_batched_grad,
            check_batched_forward_grad,
            check_forward_ad,
            check_backward_ad,
            fast_mode,
            masked,
        )
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def _gradcheck_helper(
    func,
    inputs,
    options,
    check_undefined_grad,
    check_batched_grad,
    check_batched_forward_grad,
    check_forward_ad,
    check_backward_ad,
    fast_mode,
    masked,
):
    inputs = _as_tuple(inputs)
    _check_inputs(inputs)
    func_out = func(*inputs)
    outputs = _differentiable_outputs(func_out)
    _check_outputs(outputs)
    check = _fast_gradcheck if fast_mode else _slow_gradcheck

    if check_backward_ad:
        _check_backward(check, func, func_out, inputs, outputs, options)
    if check_forward_ad:
        _check_forward(check, func, func_out, inputs, outputs, options, check_undefined_grad)
    if check_batched_forward_grad:
        _test_batched_grad_forward_ad(func, inputs)
    if not check_backward_ad:
        return
    if check_batched_grad:
        for index, output in enumerate(outputs):
            _test_batched_grad(inputs, output, index)
    _test_backward_mul_by_grad_output(outputs, inputs, masked)
    if check_undefined_grad:
        _test_undefined_backward_mode(func, outputs, inputs)


# ---- second derivatives


def _random_gradient(output, strided):
    """Return random values in [-1, 1] of the shape of `output`; with `strided`, not contiguous."""
    shape = tuple(output.shape)
    gaps = strided and output.numel() > 1
    result = empty_((*shape[:-1], 2 * shape[-1]) if gaps else shape, dtype=output.dtype)
    (_operators.view_as_real(result) if result.is_complex() else result).uniform_(-1, 1)
    if gaps:
        result = result[..., 1::2]
    return result.requires_grad_()


def check_gradients_of_gradients(
    func,
    inputs,
    grad_outputs,
    *,
    eps,
    atol,
    rtol,
    gen_non_contig_grad_outputs,
    raise_exception,
    nondet_tol,
    check_undefined_grad,
    check_grad_dtypes,
    check_batched_grad,
    check_fwd_over_rev,
    check_rev_over_rev,
    fast_mode,
    masked,
):
    """Run `gradgradcheck`; see there for the parameters."""
    if not (check_fwd_over_rev or check_rev_over_rev):
        raise AssertionError(
            "Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True"
        )
    for name, value in (
        ("check_undefined_grad", check_undefined_grad),
        ("check_batched_grad", check_batched_grad),
    ):
        if value and not check_rev_over_rev:
            raise AssertionError(f"Setting {name}=True requires check_rev_over_rev to be True")
    inputs = _as_tuple(inputs)
    if grad_outputs is None:
        outputs = _differentiable_outputs(func(*inputs))
        grad_outputs = tuple(_random_gradient(o, gen_non_contig_grad_outputs) for o in outputs)
    else:
        grad_outputs = _as_tuple(grad_outputs)
    wanted = {k for k, x in enumerate(inputs) if _wants_grad(x)}
    wanted_gradients = {k for k, x in enumerate(grad_outputs) if x.requires_grad}
    count = len(grad_outputs)

    def gradients(*args):
        # forward mode passes tensors without a history, so they are made to require grad again
        inputs = [x.requires_grad_() if k in wanted else x for k, x in enumerate(args[:-count])]
        outputs = _differentiable_outputs(func(*inputs))
        grad_outputs = [
            x.requires_grad_() if k in wanted_gradients else x for k, x in enumerate(args[-count:])
        ]
        grads = _grad(
            outputs,
            [x for k, x in enumerate(inputs) if k in wanted],
            grad_outputs,
            create_graph=True,
            allow_unused=True,
        )
        return tuple(g for g in grads if g is not None)

    return check_gradients(
        gradients,
        inputs + grad_outputs,
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
        nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad,
        check_grad_dtypes=check_grad_dtypes,
        check_batched_grad=check_batched_grad,
        check_batched_forward_grad=False,
        check_forward_ad=check_fwd_over_rev,
        check_backward_ad=check_rev_over_rev,
        fast_mode=fast_mode,
        masked=masked,
    )
