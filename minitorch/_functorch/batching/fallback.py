"""Operators that PyTorch calls for each sample: warnings, and errors if that is disabled.

The lists make warnings and errors appear for the same operators as in PyTorch.
"""

import re
import threading
import warnings

from minitorch.autograd.levels import is_older
from minitorch.autograd.operators import full_name_of

# name and form of an operator
_ROWS = frozenset(
    """
    _embedding_bag _pdist_backward _pdist_forward _repeat_positions _scaled_dot_product_flash_attention_for_cpu
    _scaled_dot_product_flash_attention_for_cpu_backward _standard_gamma_grad _upsample_nearest_exact1d
    _upsample_nearest_exact1d_backward _upsample_nearest_exact2d _upsample_nearest_exact2d_backward _upsample_nearest_exact3d
    _upsample_nearest_exact3d_backward addbmm_ addcdiv_ addcmul_ addmm_ addmv_ addr_
    affine_grid_generator baddbmm_ bincount clamp_ clamp_tensor_ conj_physical_ cumprod_ cumsum_
    detach_copy eq_ fill_copy fill_copy_tensor floor_divide_ fmod_ ge_ gt_ heaviside_ histc hypot_
    igamma_ igammac_ index_copy_ index_reduce index_reduce_ ldexp_ le_ lerp_ lerp_scalar_
    linalg_ldl_solve linalg_lu lt_ masked_fill masked_fill_ masked_scatter masked_scatter_
    masked_scatter_backward mish_backward ne_ nextafter_ ormqr permute_copy polygamma_ pow_ put put_ remainder_
    renorm renorm_ scatter_src_ scatter_src_reduce_ scatter_value_ scatter_value_reduce_
    searchsorted select_copy slice_copy soft_margin_loss soft_margin_loss_backward special_airy_ai
    special_chebyshev_polynomial_t special_chebyshev_polynomial_u special_chebyshev_polynomial_v
    special_chebyshev_polynomial_w special_hermite_polynomial_h special_hermite_polynomial_he
    special_laguerre_polynomial_l special_legendre_polynomial_p special_log_ndtr
    special_shifted_chebyshev_polynomial_t special_shifted_chebyshev_polynomial_u
    special_shifted_chebyshev_polynomial_v special_shifted_chebyshev_polynomial_w squeeze_copy
    squeeze_copy_dim squeeze_copy_dims t_copy take transpose_copy tril_ triu_ unfold_backward
    unsqueeze_copy view_as_complex_copy view_as_real_copy view_copy_dtype xlogy_
    """.split()
)
# overloads of these operators that have a rule in PyTorch
_WITH_RULE = frozenset(
    f"aten::{name}"
    for name in "masked_fill.Scalar masked_fill_.Scalar searchsorted.Tensor pow_.Scalar".split()
)


# operators for which the older `vmap` has rules
_OLDER = frozenset(
    f"aten::{name}"
    for name in """
    _conj _has_same_storage_numel _reshape_alias abs acos add as_strided asin atan bmm cat ceil chunk clamp
    clamp_max clamp_min clone conj conj_physical contiguous cos cosh diagonal diagonal_backward digamma div dot
    eq exp expand expand_as expm1 fill_ floor frac ge gt imag le lgamma log log10 log1p log2 lt mm movedim mul mv
    narrow ne neg new_empty new_empty_strided new_zeros permute pow real reciprocal relu reshape reshape_as round
    rsqrt rsub select select_backward sigmoid sigmoid_backward sign sin sinh slice slice_backward split
    split_with_sizes sqrt squeeze stack sub t tan tanh tensor_split threshold_backward to trace trace_backward
    transpose trunc unbind unfold unsqueeze view view_as view_as_complex view_as_real zero_ _to_copy detach alias
    """.split()
)

# Python functions that are called for each sample
COMPOSED = frozenset(("_test_functorch_fallback", "nonzero_static"))


class _Switches(threading.local):
    enabled = warns = True
    older_warns = False


switches = _Switches()


def _debug_only_display_vmap_fallback_warnings(enabled):
    """Set whether the older `vmap` warns of operators that PyTorch calls for each sample."""
    switches.older_warns = bool(enabled)


def _debug_only_are_vmap_fallback_warnings_enabled():
    """Return the current setting."""
    return switches.older_warns


def note(operator, arguments, level):
    """Warn if PyTorch calls the operator for each sample; return whether it does."""
    if is_older(level) and switches.older_warns:
        _tell_of_older(full_name_of(operator, arguments))
    name = operator.name + operator.form
    if name == "conj_physical" and arguments[0].is_complex():
        warn_of_fallback("aten::_conj_physical", level)
        return True
    if name not in _ROWS:
        return False
    name = full_name_of(operator, arguments)
    if name in _WITH_RULE:
        return False
    warn_of_fallback(name, level)
    return True


def _tell_of_older(name):
    if name.partition(".")[0] in _OLDER or name == "aten::sum.dim_IntList":
        return
    warnings.warn(
        f"There is a performance drop because we have not yet implemented the batching rule for {name}. You are "
        "using the legacy vmap prototype (torch._vmap_internals.vmap). If you are using "
        "torch.autograd.functional.{jacobian, hessian} or torch._vmap_internals.vmap: please switch to using "
        "torch.func.{jacrev, jacfwd, hessian} and/or torch.vmap instead for better operator coverage and "
        "performance improvements .",
        UserWarning,
        stacklevel=4,
    )


_BACKWARD = re.compile(
    "aten::(?:multi_margin_loss|multilabel_margin_loss|_segment_reduce|_ctc_loss|fractional_max_pool[23]d|"
    "_embedding_bag|rrelu_with_noise|cummaxmin)_backward"
)


def warn_of_backward(message, level):
    """Warn of the backward operator that is named in the error for its second derivative."""
    found = _BACKWARD.search(message)
    if found is not None:
        warn_of_fallback(found[0], level)


def warn_of_fallback(name, level):
    """Warn that the operator `name`, such as ``aten::take``, has no rule.

    The older `vmap` does not warn.

    Raises
    ------
    RuntimeError
        When the fallback is switched off.
    """
    if is_older(level):
        return
    if not switches.enabled:
        raise RuntimeError(f"{name} hit the vmap fallback which is currently disabled")
    if switches.warns:
        warnings.warn(
            "There is a performance drop because we have not yet implemented the batching rule for "
            f"{name}. Please file us an issue on GitHub so that we can prioritize its implementation.",
            UserWarning,
            stacklevel=4,
        )
