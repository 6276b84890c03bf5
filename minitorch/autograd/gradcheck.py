"""Checks of autograd's gradients against central differences: `gradcheck`, `gradgradcheck`.

For each differentiable output and each input, two Jacobians are computed. They have one row for
each entry of the input and one column for each entry of the output. The numerical Jacobian comes
from changing entries in the input's memory. The analytical one takes one backward pass for each
entry of the output or, in forward mode, one call for each entry of the input. A complex function is
checked as two functions, its real and its imaginary part. The fast mode compares one random
combination of entries.

    checks/run.py             the two functions
    checks/arguments.py       the error, the options, the checks of the arguments
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
    "GradcheckError",  # noqa: F822  (read on first access, below)
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
        A function that takes the tensors of `inputs` and returns a tensor or a tuple of tensors.
    inputs : Tensor or sequence
        The arguments. Gradients are checked for the tensors that require grad; these should be
        float64 or complex128.
    eps : float
        The step by which an entry is changed.
    atol, rtol : float
        The tolerated difference is ``atol + rtol * abs(numerical)``.
    raise_exception : bool
        Raise an exception if gradients differ, instead of returning False.
    nondet_tol : float
        The tolerated difference between two backward passes.
    check_undefined_grad : bool
        Also check that the backward works when outputs have no gradient.
    check_grad_dtypes : bool
        Require that a gradient has the dtype of its input.
    check_batched_grad, check_batched_forward_grad : bool
        Check that `vmap` over several gradients, or tangents, gives the same as one after the
        other.
    check_forward_ad, check_backward_ad : bool
        The modes to check, at least one.
    fast_mode : bool
        Compare a random combination of the entries instead of all entries.
    masked : bool, optional
        Whether gradients of zeros need to give zeros only nearly.

    Returns
    -------
    bool
        True if all gradients agree.

    Raises
    ------
    GradcheckError
        If gradients differ and `raise_exception` is true.
    AssertionError
        If options exclude each other, or shapes or dtypes of the outputs depend on the entries.
    ValueError
        If no input requires grad.
    RuntimeError
        If entries of an input share memory.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.ones(3, dtype=torch.float64, requires_grad=True)
    >>> torch.autograd.gradcheck(torch.exp, (x,))
    True

    Notes ----- PyTorch's counterpart is ``torch.autograd.gradcheck``. A complex gradient is the
    conjugate Wirtinger derivative: the derivative with respect to the real part, plus 1j times the
    derivative with respect to the imaginary part.
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
        As for `gradcheck`.
    grad_outputs : Tensor or sequence of Tensor, optional
        The gradients of the outputs. Default: random numbers between -1 and 1.
    gen_non_contig_grad_outputs : bool
        Make those random tensors non-contiguous.
    check_fwd_over_rev, check_rev_over_rev : bool
        The modes in which the gradients are differentiated, at least one.
    eps, atol, rtol, raise_exception, nondet_tol, check_undefined_grad, check_grad_dtypes
        As for `gradcheck`.
    check_batched_grad, fast_mode, masked
        As for `gradcheck`.

    Returns
    -------
    bool
        True if all gradients agree.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.ones(3, dtype=torch.float64, requires_grad=True)
    >>> torch.autograd.gradgradcheck(torch.exp, (x,))
    True

    Notes
    -----
    PyTorch's counterpart is ``torch.autograd.gradgradcheck``.
    """
    return _body("check_gradients_of_gradients")(**locals())
