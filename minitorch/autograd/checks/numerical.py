"""Jacobians by central differences, for `gradcheck`.

An entry of an input is changed in memory, bypassing the version counter, and then restored. The
slope with respect to a complex input is the conjugate Wirtinger derivative: the slope with respect
to the real part plus 1j times the slope with respect to the imaginary part.

References
----------
Complex derivatives: L. Laurent, R. Sorber and M. Van Barel, "Unconstrained optimization of real functions
in complex variables", 2012; M. Giles, "An extended collection of matrix derivative results", 2008.
"""

import itertools

from minitorch.autograd.checks.arguments import (
    _as_tuple,
    _check_deprecated,
    _entries_of,
    _is_float_or_complex,
    _iter_tensors,
)


def _check_same_kind(low, high, eps, index):
    """Check that both sides of a difference have the same shape and dtype."""
    where = "" if index is None else f"on index {index} "
    for what in ("shape", "dtype"):
        a, b = getattr(low, what), getattr(high, what)
        if a != b:
            raise AssertionError(
                f"Expected `func` to return outputs with the same {what} when inputs are perturbed "
                f"{where}by {eps}, but got: {what}s {a} and {b}."
            )


def _central_differences(fn, entries, step, eps, index):
    """Return the central difference quotient of each result of `fn()`, flattened.

    That is the change from ``entries - step`` to ``entries + step``, divided by 2 eps.
    """

    def values():
        # copies: a result may share the memory that is about to change
        return [result.detach().clone() for result in _as_tuple(fn())]

    original = entries.clone()
    try:
        entries.copy_(original - step)
        low = values()
        entries.copy_(original + step)
        high = values()
    finally:
        entries.copy_(original)
    slopes = []
    for a, b in zip(low, high, strict=False):
        _check_same_kind(a, b, eps, index)
        slopes.append(((b - a) / (2 * eps)).reshape(-1))
    return slopes


def _slopes(fn, entries, steps, eps, index=None, is_forward_ad=False):
    """Return the slopes of the results of `fn()` along a real and perhaps an imaginary step."""
    along = [_central_differences(fn, entries, step, eps, index) for step in steps]
    if len(along) == 1:
        if not is_forward_ad and any(slope.is_complex() for slope in along[0]):
            raise AssertionError("Expected ds_dx to be real-valued, not complex.")
        return along[0]
    if any(slope.is_complex() for slope in along[0]):
        raise AssertionError("Expected ds_dx to be real-valued, not complex")
    return [a + b * 1j for a, b in zip(*along, strict=True)]


def get_numerical_jacobian_wrt_specific_input(
    fn, input_idx, inputs, outputs, eps, input=None, is_forward_ad=False
):
    """Return the Jacobians of a function with respect to one of its inputs, by central differences.

    Parameters
    ----------
    fn : callable
        Takes `inputs` and returns a tensor or a tuple of tensors.
    input_idx : int
        The position of the input.
    inputs, outputs : sequence
        The arguments of `fn` and its results.
    eps : float
        The step by which an entry is changed.
    input : Tensor, optional
        The tensor whose entries are changed, instead of ``inputs[input_idx]``.
    is_forward_ad : bool
        Whether complex outputs are allowed for a real input.

    Returns
    -------
    tuple of Tensor
        A matrix for each floating point or complex output, with a row for each entry of the input and a
        column for each entry of the output.

    Raises
    ------
    AssertionError
        When the input does not require grad, when an output is complex but must not be, or when
        the shapes or dtypes of the outputs depend on the entries.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.autograd.gradcheck import get_numerical_jacobian_wrt_specific_input
    >>> x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    >>> (matrix,) = get_numerical_jacobian_wrt_specific_input(torch.sum, 0, (x,), (x.sum(),), 1e-3)
    >>> matrix.shape
    torch.Size([2, 1])
    """
    inputs = _as_tuple(inputs)
    input = inputs[input_idx] if input is None else input
    if not input.requires_grad:
        raise AssertionError("Expected input to have requires_grad=True")
    is_complex = input.is_complex()
    dtype = {"dtype": input.dtype} if is_complex else {}
    kept = [k for k, o in enumerate(outputs) if _is_float_or_complex(o)]
    jacobians = tuple(
        outputs[k].new_zeros((input.numel(), outputs[k].numel()), **dtype) for k in kept
    )
    entries, rows = _entries_of(input)
    steps = (eps, eps * 1j) if is_complex else (eps,)
    for row, index in zip(rows, itertools.product(*map(range, entries.shape)), strict=True):
        slopes = _slopes(lambda: fn(*inputs), entries[index], steps, eps, index, is_forward_ad)
        for jacobian, k in zip(jacobians, kept, strict=True):
            jacobian[row] = slopes[k]
    return jacobians


def _get_numerical_jacobian(fn, inputs, outputs=None, target=None, eps=1e-3, is_forward_ad=False):
    """Return the Jacobians of each tensor of `target` (default: `inputs`) that requires grad."""
    if outputs is None:
        outputs = _as_tuple(fn(*_as_tuple(inputs)))
    if not is_forward_ad and any(o.is_complex() for o in outputs):
        raise ValueError(
            "Expected output to be non-complex. get_numerical_jacobian no longer supports functions "
            "that return complex outputs."
        )
    return [
        get_numerical_jacobian_wrt_specific_input(fn, i, inputs, outputs, eps, x, is_forward_ad)
        for i, x in enumerate(_iter_tensors(inputs if target is None else target, True))
    ]


def get_numerical_jacobian(fn, inputs, target=None, eps=1e-3, grad_out=1.0):
    """Return the Jacobians of a function's first output, by central differences; deprecated.

    Parameters
    ----------
    fn : callable
        Takes the tuple of `inputs` and returns a tensor or a tuple of tensors.
    inputs : Tensor or sequence
    target : Tensor or sequence, optional
        The tensors whose entries are changed; default: `inputs`.
    eps : float
        The step by which an entry is changed.
    grad_out : float
        Must be 1.

    Returns
    -------
    tuple of Tensor
        A matrix for each tensor that requires grad, with a row per entry of the tensor and a
        column per entry of the output.

    Raises
    ------
    ValueError
        When `grad_out` is not 1, or when an output is complex.

    Examples
    --------
    >>> import warnings
    >>> import minitorch as torch
    >>> from minitorch.autograd.gradcheck import get_numerical_jacobian
    >>> x = torch.ones(2, dtype=torch.float64, requires_grad=True)
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     get_numerical_jacobian(lambda x: 2 * x[0], (x,))[0].round(decimals=3)
    tensor([[2., 0.],
            [0., 2.]], dtype=torch.float64)
    """
    _check_deprecated("get_numerical_jacobian", grad_out)
    jacobians = _get_numerical_jacobian(lambda *args: fn(args), inputs, None, target, eps)
    return tuple(of_outputs[0] for of_outputs in jacobians)


def _get_numerical_jvp_wrt_specific_input(fn, input_idx, inputs, u, eps, is_forward_ad=False):
    """Return the slopes of the outputs as one input moves along `u`, a pair for a complex input."""
    entries, _ = _entries_of(inputs[input_idx])
    if isinstance(u, tuple):
        real, imaginary = (part.reshape(entries.shape) * eps for part in u)
        steps = (real, imaginary * 1j)
    else:
        steps = (u.reshape(entries.shape) * eps,)
    return _slopes(lambda: fn(*inputs), entries, steps, eps, None, is_forward_ad)
