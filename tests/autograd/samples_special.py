"""Inputs for the rows of special functions and of Fourier transforms."""

import numpy as np

from tests.autograd.samples import (
    SAMPLES,
    between,
    cplx,
    integers,
    of_one,
    positive,
    real,
    rough,
    s,
    unit,
)

of_one("i0 special_i0e special_i1 special_i1e special_ndtr special_log_ndtr special_erfcx", real)
of_one("special_entr special_ndtri", unit)
of_one("sinc", real, cplx)
SAMPLES["logit"] = [s(unit(2, 3)), s(between(-0.5, 1.5, 6), 0.2), s(unit(), eps=1e-6)]
for _name in ["bessel_j0", "bessel_j1", "modified_bessel_i0", "modified_bessel_i1"]:
    SAMPLES[f"special_{_name}"] = [s(2 * real(2, 3)), s(real())]
for _name in [
    "bessel_y0", "bessel_y1", "modified_bessel_k0", "modified_bessel_k1", "scaled_modified_bessel_k0",
    "scaled_modified_bessel_k1", "spherical_bessel_j0", "airy_ai",
]:  # fmt: skip
    SAMPLES[f"special_{_name}"] = [s(1.8 * positive(2, 3)), s(positive()), s(np.array([0.0, -1.5]))]

SAMPLES["polygamma"] = [s(2, positive(2, 3)), s(0, positive(2)), s(1, positive(3)), s(3, real())]
SAMPLES["mvlgamma"] = [s(positive(2, 3) + 2, 3), s(positive(2), 1), s(positive() + 1, 2)]
SAMPLES["igamma"] = SAMPLES["igammac"] = [s(positive(2, 3), positive(3)), s(positive(), unit(2))]
SAMPLES["special_zeta"] = [
    s(positive(2, 3) + 1, positive(3)),
    s(unit(2) + 2, 1.5),
]
SAMPLES["special_xlog1py"] = [s(real(2, 3), positive(3)), s(2.5, unit(2)), s(real(2), 0.5)]
SAMPLES["logcumsumexp"] = [s(real(2, 3), 1), s(real(3, 2), 0), s(real(), 0), s(cplx(3), -1)]
SAMPLES["ldexp"] = [
    s(real(2, 3), real(3)),
    s(real(3), integers(3, low=0)),
    s(cplx(2), integers(2, low=0)),
    rough(real(3), integers(3)),
]
SAMPLES["frexp"] = [rough(real(2, 3)), rough(real())]

for _name in [
    *(f"chebyshev_polynomial_{kind}" for kind in "tuvw"),
    *(f"shifted_chebyshev_polynomial_{kind}" for kind in "tuvw"),
    "hermite_polynomial_h", "hermite_polynomial_he", "laguerre_polynomial_l", "legendre_polynomial_p",
]:  # fmt: skip
    SAMPLES[f"special_{_name}"] = [
        s(real(2, 3), np.array([0.0, 1.0, 5.0])),
        s(unit(4), np.array([7.0, 12.0, -1.0, 3.0])),
        s(0.3, np.array([2.0, 3.0])),
        s(np.array([1.0, -1.0, 0.5]), 4),
    ]

# ---- Fourier transforms
SAMPLES["_fft_c2c"] = [
    s(cplx(2, 4), [1], 0, True),
    s(cplx(3, 4), [0, 1], 1, False),
    s(cplx(2, 3, 2), [2, 0], 2, True),
    s(cplx(5), [0], 2, False),
]
SAMPLES["_fft_r2c"] = [
    s(real(2, 5), [1], 0, True),
    s(real(4, 3), [1, 0], 1, True),
    s(real(4), [0], 2, False),
    s(real(2, 3, 4), [0, 2], 0, False),
]
SAMPLES["_fft_c2r"] = [
    s(cplx(2, 3), [1], 0, 4),
    s(cplx(3, 2), [0, 1], 2, 3),
    s(cplx(2, 3, 3), [2, 1], 1, 5),
]
