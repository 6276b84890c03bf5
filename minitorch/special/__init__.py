"""``torch.special``: special functions.

Functions with a row in derivatives/ are called ``special_name`` there. The others are aliases
of functions in the main namespace.
"""

from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.autograd.functions.composed import parsed as _parsed
from minitorch.autograd.functions.overridable import override_namespace as _override
from minitorch.special import _second_names

__all__ = [
    "airy_ai", "bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "chebyshev_polynomial_t",
    "chebyshev_polynomial_u", "chebyshev_polynomial_v", "chebyshev_polynomial_w", "digamma", "entr",
    "erf", "erfc", "erfcx", "erfinv", "exp2", "expit", "expm1", "gammainc", "gammaincc", "gammaln",
    "hermite_polynomial_h", "hermite_polynomial_he", "i0", "i0e", "i1", "i1e", "laguerre_polynomial_l",
    "legendre_polynomial_p", "log1p", "log_ndtr", "log_softmax", "logit", "logsumexp",
    "modified_bessel_i0", "modified_bessel_i1", "modified_bessel_k0", "modified_bessel_k1",
    "multigammaln", "ndtr", "ndtri", "polygamma", "psi", "round", "scaled_modified_bessel_k0",
    "scaled_modified_bessel_k1", "shifted_chebyshev_polynomial_t", "shifted_chebyshev_polynomial_u",
    "shifted_chebyshev_polynomial_v", "shifted_chebyshev_polynomial_w", "sinc", "softmax",
    "spherical_bessel_j0", "xlog1py", "xlogy", "zeta",
]  # fmt: skip

for _name in __all__:
    if hasattr(_second_names, _name):
        globals()[_name] = _parsed(
            getattr(_second_names, _name), _rows.composed_functions[f"special_{_name}"]
        )
    else:
        globals()[_name] = getattr(_rows, f"special_{_name}")
del _name
_override(globals(), __all__, "special", torch_modules=("torch.special", ""))
