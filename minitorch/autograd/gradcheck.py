"""Compare the gradients that autograd computes with central differences: `gradcheck`, `gradgradcheck`.

For each output with a gradient and each input two matrices are made, one row for each entry of the input
and one column for each entry of the output: the numerical one moves the input's memory, the analytical
one walks the graph once for each entry of the output, or in forward mode calls the function once for
each entry of the input. A function of complex numbers is checked as two functions of or with real
values, its real and its imaginary part. The fast mode compares one random combination of the entries.

    checks/run.py             the two functions
    checks/arguments.py       the error, the options, what is refused at the door
    checks/numerical.py       Jacobians by differences
    checks/analytical.py      Jacobians by backward and by forward mode
    checks/slow.py            the comparison of all entries
    checks/fast.py            the comparison of a combination
    checks/complex_parts.py   the parts of a complex function
    checks/rules.py           gradients of zeros and gradients that are left out
    checks/batched.py         several gradients at once
"""

from importlib import import_module

__all__ = [
    "GradcheckError",  # noqa: F822  (these are read when somebody asks, below)
    "get_analytical_jacobian",  # noqa: F822
    "get_numerical_jacobian",  # noqa: F822
    "get_numerical_jacobian_wrt_specific_input",  # noqa: F822
    "gradcheck",
    "gradgradcheck",
]


def __getattr__(name):
    try:
        if not name.startswith("__"):
            return _body(name)
    except AttributeError:
        pass
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _body(name):
    return getattr(import_module("minitorch.autograd.checks.run"), name)


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
    return _body("check_gradients")(**locals())


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
    return _body("check_gradients_of_gradients")(**locals())
