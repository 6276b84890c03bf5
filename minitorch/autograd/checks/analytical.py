"""Jacobians by backward mode and by forward mode, for `gradcheck`."""

import itertools

from minitorch.autograd import forward_ad as fwAD
from minitorch.autograd import grad as _grad
from minitorch.autograd.checks.arguments import (
    GradcheckError,
    _as_tuple,
    _check_deprecated,
    _dense,
    _entries_of,
    _inputs_with_grad,
    _is_float_or_complex,
    _wants_grad,
)
from minitorch.autograd.functions.tensor_methods import view_as_real, zeros_like

FAILED_NONDET_MSG = """\n
NOTE: If your op relies on non-deterministic operations i.e., it is listed here:
https://pytorch.org/docs/stable/generated/torch.use_deterministic_algorithms.html
this failure might be expected.

If you are adding a new operator, please file an issue and then use one of the
workarounds. The workaround depends on how your test invokes gradcheck/gradgradcheck.
If the test
- manually invokes gradcheck/gradgradcheck, then call gradcheck/gradgradcheck
  with `nondet_tol=<tol>` as a keyword argument.
- is OpInfo-based (e.g., in test_ops_gradients.py), then modify the OpInfo for the test
  to have `gradcheck_nondet_tol=<tol>`.
- is a Module test (e.g., in common_nn.py), then modify the corresponding
  module_test entry to have `gradcheck_nondet_tol=<tol>`
"""


# ---- backward mode


def _gradients_of_entries(vjp, output):
    """Return the input gradients of each entry of `output` in turn."""
    seed = output.new_zeros(output.shape)
    flat = seed.view(-1)
    rows = []
    for k in range(flat.numel()):
        flat.zero_()
        flat[k] = 1.0
        # a copy: the next backward may write into the same memory
        rows.append([None if g is None else g.clone() for g in vjp(seed)])
    return rows


def _matrices(rows, inputs):
    """Return a matrix per input, with the rows' gradients as columns, and whether these fit.

    The two flags are: all sizes match, all dtypes match.
    """
    sizes_ok = types_ok = True
    matrices = tuple(_entries_of(x)[0].new_zeros((x.numel(), len(rows))) for x in inputs)
    for k, row in enumerate(rows):
        for matrix, gradient, x in zip(matrices, row, inputs, strict=True):
            if gradient is None:
                continue
            sizes_ok = sizes_ok and gradient.shape == x.shape
            types_ok = types_ok and gradient.dtype == x.dtype
            entries = _dense(gradient).reshape(-1)
            if len(entries) != len(matrix):
                raise AssertionError(
                    f"Expected out_jacobian column to have {len(entries)} elements, but got {len(matrix)}"
                )
            matrix[:, k] = entries
    return matrices, sizes_ok, types_ok


def _close(first, second, tolerance):
    return not any(
        a.numel() != 0 and (a - b).abs().max() > tolerance
        for a, b in zip(first, second, strict=True)
    )


def _jacobian_and_its_faults(inputs, output, nondet_tol, v=None):
    """Return one output's matrices and three flags: is reentrant, sizes match, dtypes match.

    With `v`, each matrix has one column: the gradient of ``(v * output).sum()``.
    """
    _, wanted = _inputs_with_grad(inputs)

    def vjp(seed):
        return _grad(output, wanted, seed, retain_graph=True, allow_unused=True)

    def rows():
        if v is None:
            return _gradients_of_entries(vjp, output)
        return [[None if g is None else g.clone() for g in vjp(v.reshape(output.shape))]]

    # the two flags are swapped, as they are in PyTorch
    matrices, types_ok, sizes_ok = _matrices(rows(), wanted)
    again, _, _ = _matrices(rows(), wanted)
    return matrices, _close(matrices, again, nondet_tol), sizes_ok, types_ok


def get_analytical_jacobian(inputs, output, nondet_tol=0.0, grad_out=1.0):
    """Return the Jacobians of an output, computed in backward mode; deprecated.

    Parameters
    ----------
    inputs : Tensor or sequence
    output : Tensor
    nondet_tol : float
        How much two backward passes may differ.
    grad_out : float
        Must be 1.

    Returns
    -------
    jacobians : tuple of Tensor
        A matrix for each input that requires grad, with a row per entry of the input and a
        column per entry of the output.
    reentrant : bool
        Whether a second pass gives the same result.
    sizes_ok, types_ok : bool
        Whether the gradients have the sizes and dtypes of the inputs.

    Raises
    ------
    ValueError
        When `grad_out` is not 1, or when the output is complex.

    Examples
    --------
    >>> import warnings
    >>> import minitorch as torch
    >>> from minitorch.autograd.gradcheck import get_analytical_jacobian
    >>> x = torch.ones(2, dtype=torch.float64, requires_grad=True)
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     get_analytical_jacobian((x,), 2 * x)[0][0]
    tensor([[2., 0.],
            [0., 2.]], dtype=torch.float64)
    """
    _check_deprecated("get_analytical_jacobian", grad_out)
    if output.is_complex():
        raise ValueError(
            "Expected output to be non-complex. get_analytical_jacobian no longer supports functions "
            "that return complex outputs."
        )
    return _jacobian_and_its_faults(_as_tuple(inputs), output, nondet_tol)


def _check_analytical_jacobian_attributes(
    inputs, output, nondet_tol, check_grad_dtypes, fast_mode=False, v=None
):
    """Check and return one output's matrices; in fast mode, the product of `v` with each."""
    matrices, reentrant, sizes_ok, types_ok = _jacobian_and_its_faults(
        inputs, output, nondet_tol, v if fast_mode else None
    )
    if check_grad_dtypes and not types_ok:
        raise GradcheckError("Gradient has dtype mismatch")
    if not sizes_ok:
        raise GradcheckError("Analytical gradient has incorrect size")
    if not reentrant:
        raise GradcheckError(
            "Backward is not reentrant, i.e., running backward with same input and grad_output multiple "
            "times gives different values, although analytical gradient matches numerical gradient."
            f"The tolerance for nondeterminism was {nondet_tol}." + FAILED_NONDET_MSG
        )
    return matrices


def _get_analytical_vJu_backward_mode(inputs, outputs, options, all_v, all_u):
    """Return the number v J u for each output and each input."""
    _, wanted = _inputs_with_grad(inputs)
    reduced = []
    for output, v in zip(outputs, all_v, strict=True):
        products = _check_analytical_jacobian_attributes(
            inputs, output, options.nondet_tol, options.check_grad_dtypes, fast_mode=True, v=v
        )
        row = []
        for product, u, x in zip(products, all_u, wanted, strict=True):
            product = product.squeeze(1)
            if x.is_sparse and options.masked:
                product = product[_entries_of(x)[1]]
            if product.is_complex():
                parts = view_as_real(product.resolve_conj())
                real, imaginary = parts.select(-1, 0), parts.select(-1, 1)
                row.append(real.dot(u[0]) + 1j * imaginary.dot(u[1]))
            else:
                row.append(product.dot(u))
        reduced.append(row)
    return reduced


# ---- forward mode


def _zero_duals(inputs):
    """Return the inputs, as duals with zero tangents if they require grad, and these tangents.

    The caller writes to the tangents.
    """
    duals, tangents = [], []
    for x in inputs:
        if _wants_grad(x):
            x = fwAD.make_dual(x.detach(), zeros_like(x))
            # not the zeros passed to make_dual: it may have copied them
            tangents.append(fwAD.unpack_dual(x).tangent)
        duals.append(x)
    return duals, tangents


def _float_outputs(outputs):
    return [o for o in _as_tuple(outputs) if _is_float_or_complex(o)]


def _write_tangents(matrices, row, outputs, check_grad_dtypes):
    """Write each output's tangent into row `row` of its matrix."""
    for k, output in enumerate(_float_outputs(outputs)):
        matrix = matrices[k]
        primal, tangent = fwAD.unpack_dual(output)
        if tangent is None:
            matrix[row].zero_()
            continue
        if check_grad_dtypes and primal.is_complex() != tangent.is_complex():
            raise GradcheckError("Forward AD gradient has dtype mismatch.")
        matrix[row].copy_(tangent.reshape(-1))


def _get_analytical_jacobian_forward_ad(
    fn, inputs, outputs, *, check_grad_dtypes=False, all_u=None
):
    """Return a matrix for each input that requires grad and each floating point or complex output.

    With `all_u`, one direction per input, return the flat products of the matrices with the
    directions.
    """
    _, wanted = _inputs_with_grad(inputs)
    if any(x.is_complex() for x in wanted):
        raise ValueError(
            "Expected inputs to be non-complex for _get_analytical_jacobian_forward_ad."
        )
    outputs = _float_outputs(outputs)
    jacobians = tuple(
        tuple(o.new_zeros((1 if all_u else x.numel(), o.numel())) for o in outputs) for x in wanted
    )
    with fwAD.dual_level():
        duals, tangents = _zero_duals(inputs)
        for i, (matrices, tangent) in enumerate(zip(jacobians, tangents, strict=True)):
            if all_u:
                tangent.copy_(all_u[i].view_as(tangent))
                _write_tangents(matrices, 0, fn(*duals), check_grad_dtypes)
                tangent.zero_()
                continue
            for row, index in enumerate(itertools.product(*map(range, tangent.shape))):
                tangent[index] = 1.0
                _write_tangents(matrices, row, fn(*duals), check_grad_dtypes)
                tangent[index] = 0.0
    if all_u:
        return tuple(tuple(matrix.squeeze(0) for matrix in row) for row in jacobians)
    return jacobians
