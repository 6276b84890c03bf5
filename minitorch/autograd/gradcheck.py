"""Compare the gradients that autograd computes with central differences: `gradcheck`, `gradgradcheck`.

For each output with a gradient and each input two matrices are made, one row for each entry of the input
and one column for each entry of the output: the numerical one moves the input's memory, the analytical
one walks the graph once for each entry of the output, or in forward mode calls the function once for
each entry of the input. A function of complex numbers is checked as two functions of or with real
values, its real and its imaginary part. The fast mode compares one random combination of the entries.

    _gradcheck_arguments.py   the error, the options, what is refused at the door
    _gradcheck_numerical.py   Jacobians by differences
    _gradcheck_analytical.py  Jacobians by backward and by forward mode
    _gradcheck_slow.py        the comparison of all entries
    _gradcheck_fast.py        the comparison of a combination
    _gradcheck_parts.py       the parts of a complex function
    _gradcheck_rules.py       gradients of zeros and gradients that are left out
    _gradcheck_batched.py     several gradients at once
"""

from minitorch.autograd import grad as _grad
from minitorch.autograd._gradcheck_analytical import (
    _check_analytical_jacobian_attributes as _check_analytical_jacobian_attributes,
)
from minitorch.autograd._gradcheck_analytical import (
    _get_analytical_jacobian_forward_ad as _get_analytical_jacobian_forward_ad,
)
from minitorch.autograd._gradcheck_analytical import get_analytical_jacobian
from minitorch.autograd._gradcheck_arguments import (
    GradcheckError,
    Options,
    _as_tuple,
    _check_inputs,
    _check_outputs,
    _differentiable_outputs,
    _wants_grad,
)
from minitorch.autograd._gradcheck_arguments import _iter_tensors as _iter_tensors
from minitorch.autograd._gradcheck_batched import (
    _test_batched_grad,
    _test_batched_grad_forward_ad,
)
from minitorch.autograd._gradcheck_fast import _adjusted_atol as _adjusted_atol
from minitorch.autograd._gradcheck_fast import _fast_gradcheck
from minitorch.autograd._gradcheck_numerical import (
    _get_numerical_jacobian as _get_numerical_jacobian,
)
from minitorch.autograd._gradcheck_numerical import (
    get_numerical_jacobian,
    get_numerical_jacobian_wrt_specific_input,
)
from minitorch.autograd._gradcheck_parts import _check_backward, _check_forward
from minitorch.autograd._gradcheck_rules import (
    _test_backward_mul_by_grad_output,
    _test_undefined_backward_mode,
)
from minitorch.autograd._gradcheck_slow import _slow_gradcheck
from minitorch.autograd.functions import tensor_methods as _operators
from minitorch.autograd.functions.creation import empty_

__all__ = [
    "GradcheckError",
    "get_analytical_jacobian",
    "get_numerical_jacobian",
    "get_numerical_jacobian_wrt_specific_input",
    "gradcheck",
    "gradgradcheck",
]


def gradcheck(
    func,
    inputs,
    *,
    eps=1e-6,
    atol=1e-5,
    rtol=1e-3,
    raise_exception=True,
    nondet_tol=0.0,
    check_undefined_grad=True,
    check_grad_dtypes=False,
    check_batched_grad=False,
    check_batched_forward_grad=False,
    check_forward_ad=False,
    check_backward_ad=True,
    fast_mode=False,
    masked=None,
):
    """Check the gradients of a function against central differences.

    Parameters
    ----------
    func : callable
        Takes the tensors of `inputs`, returns a tensor or a tuple of tensors.
    inputs : Tensor or sequence
        Those that require grad are checked; they should be float64 or complex128.
    eps : float
        By how much an entry is moved.
    atol, rtol : float
        How far the two may be apart: ``atol + rtol * abs(numerical)``.
    raise_exception : bool
        Whether a difference is an exception; else False is returned.
    nondet_tol : float
        How far two backward passes may be apart.
    check_undefined_grad : bool
        Whether outputs without a gradient are tried too.
    check_grad_dtypes : bool
        Whether a gradient's dtype must be its input's.
    check_batched_grad, check_batched_forward_grad : bool
        Whether `vmap` over several gradients, or tangents, must give what one after the other does.
    check_forward_ad, check_backward_ad : bool
        Which modes are checked, at least one.
    fast_mode : bool
        Whether a random combination of the entries is compared in place of all of them.
    masked : bool, optional
        Whether gradients of zeros need to give zeros only nearly.

    Returns
    -------
    bool
        True when all gradients agree.

    Raises
    ------
    GradcheckError
        When they do not, and `raise_exception` is true.
    AssertionError
        For options that exclude each other, and when shapes or dtypes of the outputs depend on the entries.
    ValueError
        When no input requires grad.
    RuntimeError
        When entries of an input share memory.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.ones(3, dtype=torch.float64, requires_grad=True)
    >>> torch.autograd.gradcheck(torch.exp, (x,))
    True

    Notes
    -----
    The counterpart is ``torch.autograd.gradcheck``. A complex gradient is that of the conjugate
    Wirtinger derivative: the slope to the real part plus 1j times the slope to the imaginary part.
    """
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
    """Numbers with parts between -1 and 1; with `strided`, in memory with gaps."""
    shape = tuple(output.shape)
    gaps = strided and output.numel() > 1
    result = empty_((*shape[:-1], 2 * shape[-1]) if gaps else shape, dtype=output.dtype)
    (_operators.view_as_real(result) if result.is_complex() else result).uniform_(-1, 1)
    if gaps:
        result = result[..., 1::2]
    return result.requires_grad_()


def gradgradcheck(
    func,
    inputs,
    grad_outputs=None,
    *,
    eps=1e-6,
    atol=1e-5,
    rtol=1e-3,
    gen_non_contig_grad_outputs=False,
    raise_exception=True,
    nondet_tol=0.0,
    check_undefined_grad=True,
    check_grad_dtypes=False,
    check_batched_grad=False,
    check_fwd_over_rev=False,
    check_rev_over_rev=True,
    fast_mode=False,
    masked=False,
):
    """Check the gradients of a function's gradients against central differences.

    The function that is checked takes `inputs` and the gradients of the outputs, and returns the
    gradients of the inputs.

    Parameters
    ----------
    func, inputs
        As of `gradcheck`.
    grad_outputs : Tensor or sequence of Tensor, optional
        The gradients of the outputs. Default: random numbers between -1 and 1.
    gen_non_contig_grad_outputs : bool
        Whether those random numbers lie in memory with gaps.
    check_fwd_over_rev, check_rev_over_rev : bool
        Which modes the gradients are differentiated in, at least one.
    eps, atol, rtol, raise_exception, nondet_tol, check_undefined_grad, check_grad_dtypes
        As of `gradcheck`.
    check_batched_grad, fast_mode, masked
        As of `gradcheck`.

    Returns
    -------
    bool
        True when all gradients agree.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.ones(3, dtype=torch.float64, requires_grad=True)
    >>> torch.autograd.gradgradcheck(torch.exp, (x,))
    True

    Notes
    -----
    The counterpart is ``torch.autograd.gradgradcheck``.
    """
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
        # forward mode hands over tensors without a history; without an output nothing is handed over
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

    return gradcheck(
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
        check_forward_ad=check_fwd_over_rev,
        check_backward_ad=check_rev_over_rev,
        fast_mode=fast_mode,
        masked=masked,
    )
