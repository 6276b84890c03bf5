"""The fast comparison of `gradcheck`: one random combination of each Jacobian's entries.

For random vectors u and v of length 1, the numbers v J u are compared. Central differences give J
u, by moving an input along u; one backward pass gives v J. Forward mode gives J u directly and
needs no v.
"""

from minitorch.autograd.checks.analytical import (
    _check_analytical_jacobian_attributes,
    _get_analytical_jacobian_forward_ad,
    _get_analytical_vJu_backward_mode,
)
from minitorch.autograd.checks.arguments import (
    GradcheckError,
    _as_tuple,
    _densified,
    _entries_of,
    _inputs_with_grad,
    _is_float_or_complex,
)
from minitorch.autograd.checks.numerical import (
    _get_numerical_jacobian,
    _get_numerical_jvp_wrt_specific_input,
)
from minitorch.autograd.checks.slow import (
    _allclose_with_type_promotion,
    _get_notallclose_msg,
    _of_differentiable,
)
from minitorch.autograd.functions.random import rand
from minitorch.core.generator import Generator

FAST_FAIL_SLOW_OK_MSG = """
Fast gradcheck failed but element-wise differences are small. This means that the
test might've passed in slow_mode!

If you are adding a new operator, please file an issue and then use one of the
workarounds. The workaround depends on how your test invokes gradcheck/gradgradcheck:

If the test
- manually invokes gradcheck/gradgradcheck, then call gradcheck/gradgradcheck
  with `fast_mode=False` as a keyword argument.
- is OpInfo-based (e.g., in test_ops_gradients.py), then modify the OpInfo for the test
  to have `gradcheck_fast_mode=False`
- is a Module test (e.g., in common_nn.py), then modify the corresponding
  module_test entry to have `gradcheck_fast_mode=False`
""".strip()


# ---- the directions


def _unit_vector(x, generator, real):
    """Return a vector of length 1 with a random non-negative number for each entry of `x`."""
    x, _ = _entries_of(x)
    vector = rand(x.numel(), generator=generator)
    vector = vector.to((x.real if real and x.is_complex() else x).dtype)
    return vector / vector.norm()


def _make_vectors(inputs, outputs, *, use_forward_ad):
    """Return v for each output and u for each input.

    In forward mode v is None. For a complex input u is a pair.
    """
    # a generator of its own: the vectors are the same in every call, and the global state is
    # unchanged
    generator = Generator()
    all_u = []
    for x in inputs:
        real = _unit_vector(x, generator, True)
        all_u.append((real, _unit_vector(x, generator, True)) if x.is_complex() else real)
    all_v = None if use_forward_ad else [_unit_vector(o, generator, False) for o in outputs]
    return all_v, all_u


def _adjusted_atol(atol, u, v):
    """Return the tolerance for v J u when each entry of J may be off by `atol`.

    That is ``atol * sum(u) * sum(v)``.
    """
    sum_v = 1.0 if v is None else v.sum()
    sum_u = sum(float(part.sum()) for part in (u if isinstance(u, tuple) else (u,)))
    return atol * sum_u * float(sum_v)


# ---- the comparison


def _get_numerical_vJu(func, inputs, indices, func_out, all_u, all_v, options, is_forward_ad):
    """Return v J u for each input and each output; the vector J u if there is no v."""
    reduced = []
    for index, u in zip(indices, all_u, strict=True):
        slopes = _get_numerical_jvp_wrt_specific_input(
            func, index, inputs, u, options.eps, is_forward_ad
        )
        if len(slopes) != len(func_out):
            raise AssertionError(
                "Expected all_Ju and func_out to have the same length, "
                f"but got {len(slopes)} and {len(func_out)}"
            )
        slopes = [s for s, o in zip(slopes, func_out, strict=True) if _is_float_or_complex(o)]
        if all_v is not None:
            slopes = _of_differentiable(func_out, slopes)
            slopes = [(v * s).sum() for v, s in zip(all_v, slopes, strict=True)]
        reduced.append(slopes)
    return reduced


def _check_no_differentiable_outputs_fast(func, inputs, indices, all_u, options):
    for index, u in zip(indices, all_u, strict=True):
        for slope in _get_numerical_jvp_wrt_specific_input(func, index, inputs, u, options.eps):
            if slope.numel() and slope.abs().max() > options.nondet_tol:
                raise GradcheckError("Numerical gradient for function expected to be zero")


def _run_slow_mode_and_get_error(func, func_out, inputs, outputs, i, j, options, part):
    """Return a text with both matrices of input `i` and output `j`, computed in slow mode."""
    numerical = _get_numerical_jacobian(
        func, inputs, func_out, eps=options.eps, is_forward_ad=part.forward
    )[i]
    if part.forward:
        numerical = numerical[j]
        position = _inputs_with_grad(inputs)[0][i]

        def func_of_one(x):
            return func(*inputs[:position], x, *inputs[position + 1 :])

        (analytical,) = _get_analytical_jacobian_forward_ad(
            func_of_one, (inputs[position],), func_out
        )
        analytical = analytical[j]
    else:
        numerical = _of_differentiable(func_out, numerical)[j]
        analytical = _check_analytical_jacobian_attributes(
            inputs, outputs[j], nondet_tol=float("inf"), check_grad_dtypes=False
        )[i]
    text = (
        "\nThe above quantities relating the numerical and analytical jacobians are computed \n"
        "in fast mode. See: https://github.com/pytorch/pytorch/issues/53876 for more background \n"
        "about fast mode. Below, we recompute numerical and analytical jacobians in slow mode:\n\n"
        f"Numerical:\n {numerical}\n"
        f"Analytical:\n{analytical}\n\n"
        f"The max per-element difference (slow mode) is: {(numerical - analytical).abs().max()}.\n"
    )
    if analytical.allclose(numerical, options.rtol, options.atol):
        text += FAST_FAIL_SLOW_OK_MSG
    return text


def _fast_gradcheck(func, func_out, inputs, outputs, options, part):
    """Compare v J u (J u in forward mode) for each pair of an input and an output."""
    func_out = _as_tuple(func_out)
    moved = inputs if options.masked else tuple(map(_densified, inputs))
    indices, wanted = _inputs_with_grad(moved)
    all_v, all_u = _make_vectors(wanted, outputs, use_forward_ad=part.forward)
    numerical = _get_numerical_vJu(
        func, moved, indices, func_out, all_u, all_v, options, part.forward
    )
    if part.forward:
        by_input = _get_analytical_jacobian_forward_ad(
            func, inputs, func_out, check_grad_dtypes=options.check_grad_dtypes, all_u=all_u
        )
    else:
        if not outputs:
            _check_no_differentiable_outputs_fast(func, inputs, indices, all_u, options)
        by_output = _get_analytical_vJu_backward_mode(inputs, outputs, options, all_v, all_u)
        by_input = [[row[i] for row in by_output] for i in range(len(wanted))]
    for i, (ours, theirs) in enumerate(zip(by_input, numerical, strict=True)):
        for j, (a, n) in enumerate(zip(ours, theirs, strict=True)):
            atol = _adjusted_atol(options.atol, all_u[i], all_v[j] if all_v else None)
            if not _allclose_with_type_promotion(a, n, options.rtol, atol):
                raise GradcheckError(
                    _get_notallclose_msg(a, n, j, i, part)
                    + _run_slow_mode_and_get_error(
                        func, func_out, inputs, outputs, i, j, options, part
                    )
                )
