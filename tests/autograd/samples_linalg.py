"""Inputs for the rows of linear algebra and of distances."""

import numpy as np

from tests.autograd.samples import (
    SAMPLES,
    SECOND_DERIVATIVE_RAISES,
    cplx,
    positive,
    real,
    rough,
    s,
)


def definite(*shape, kind=real):
    """Hermitian matrices whose eigenvalues are positive and apart."""
    a = kind(*shape)
    n = shape[-1]
    return a @ a.swapaxes(-1, -2).conj() + np.diag(np.arange(1.0, n + 1))


def regular(*shape, kind=real):
    """Matrices that are far from singular, and whose pivots are."""
    return kind(*shape) + np.eye(shape[-2], shape[-1]) * 4


def lower(*shape, kind=real):
    return np.tril(regular(*shape, kind=kind))


def factors(*shape, kind=real):
    """An LU factorization and its pivots."""
    a = regular(*shape, kind=kind)
    k = min(shape[-2:])
    return a, np.broadcast_to(np.arange(1, k + 1, dtype=np.int32), (*shape[:-2], k)).copy()


def reflectors(*shape, kind=real):
    """Vectors below the diagonal, and the tau that makes each a reflection."""
    v = np.tril(kind(*shape), -1) / 2
    norms = 1 + (np.abs(v) ** 2).sum(-2)
    return v, (2 / norms).astype(v.dtype)


# these read one triangle, and give the gradient of both: gradients are checked in tests/linalg
SAMPLES["linalg_cholesky_ex"] = [
    rough(definite(3, 3)),
    rough(definite(2, 2, 2), upper=True),
    rough(definite(2, 2, kind=cplx)),
    rough(real(0, 0)),
]
SAMPLES["cholesky"] = [
    rough(definite(3, 3)),
    rough(definite(2, 2, 2), True),
    rough(definite(2, 2, kind=cplx)),
]
SAMPLES["cholesky_solve"] = [
    rough(real(3, 2), lower(3, 3)),
    rough(real(2, 2, 1), lower(2, 2).T.copy(), True),
    rough(cplx(2, 2), lower(2, 2, kind=cplx)),
]
SAMPLES["cholesky_inverse"] = [
    rough(lower(3, 3)),
    rough(lower(2, 2, 2).swapaxes(1, 2).copy(), True),
    rough(lower(2, 2, kind=cplx)),
]
SAMPLES["linalg_solve_triangular"] = [
    s(lower(3, 3), real(3, 2), upper=False),
    s(lower(2, 2).T.copy(), real(2, 3, 2), upper=True, left=False),
    s(lower(2, 2), real(2, 1), upper=False, unitriangular=True),
    s(lower(2, 2, kind=cplx), cplx(2, 2), upper=False),
]
SAMPLES["triangular_solve"] = [
    s(real(3, 2), lower(3, 3).T.copy()),
    s(real(2, 2), lower(2, 2), False, True),
    s(cplx(2, 2), lower(2, 2, kind=cplx), False),
]
SAMPLES["_linalg_solve_ex"] = [
    s(regular(3, 3), real(3, 2)),
    s(regular(2, 2, 2), real(2, 2)),
    s(regular(2, 2), real(3, 1, 2), left=False),
    s(regular(2, 2, kind=cplx), cplx(2, 1)),
    s(regular(3, 3), real(3)),
]
SAMPLES["linalg_inv_ex"] = [
    s(regular(3, 3)),
    s(regular(2, 2, 2)),
    s(regular(2, 2, kind=cplx)),
    s(real(0, 0)),
]
SAMPLES["_linalg_det"] = [
    s(regular(3, 3)),
    s(regular(2, 2, 2)),
    s(regular(2, 2, kind=cplx)),
    s(real(1, 1)),
]
SAMPLES["_linalg_slogdet"] = [
    s(regular(3, 3)),
    s(regular(2, 2, 2)),
    s(regular(2, 2, kind=cplx)),
]
SAMPLES["linalg_lu_factor_ex"] = [
    s(regular(3, 3)),
    s(regular(2, 2, 3)),
    s(regular(3, 2)),
    s(regular(2, 2, kind=cplx)),
]
SAMPLES["linalg_lu"] = SAMPLES["linalg_lu_factor_ex"]
SAMPLES["lu_unpack"] = [
    s(*factors(3, 3)),
    s(*factors(2, 2, 3)),
    s(*factors(3, 2)),
    s(*factors(2, 2, kind=cplx)),
]
SAMPLES["linalg_lu_solve"] = [
    s(*factors(3, 3), real(3, 2)),
    s(*factors(2, 2, 2), real(2, 1), adjoint=True),
    s(*factors(2, 2), real(3, 2), left=False),
    s(*factors(2, 2, kind=cplx), cplx(2, 2), left=False, adjoint=True),
]
SAMPLES["linalg_ldl_factor_ex"] = [rough(definite(3, 3))]
SAMPLES["linalg_ldl_solve"] = [s(*factors(3, 3), real(3, 2))]
SAMPLES["linalg_qr"] = [
    s(regular(3, 2)),
    s(regular(2, 3)),
    s(regular(2, 2, 2), "complete"),
    s(regular(3, 2, kind=cplx)),
]
SAMPLES["geqrf"] = [rough(regular(3, 2))]
SAMPLES["linalg_householder_product"] = [
    s(*reflectors(3, 2)),
    s(*reflectors(2, 3, 3)),
    s(*reflectors(3, 2, kind=cplx)),
]
SAMPLES["ormqr"] = [
    s(*reflectors(3, 2), real(3, 2)),
    s(*reflectors(3, 2), real(2, 3), False, True),
    s(*reflectors(3, 2, kind=cplx), cplx(3, 1), True, True),
    s(*reflectors(3, 2, kind=cplx), cplx(1, 3), False),
]
SAMPLES["_linalg_eigh"] = [
    rough(definite(3, 3)),
    rough(definite(2, 2, 2), "U"),
    rough(definite(2, 2, kind=cplx)),
]
SAMPLES["linalg_eig"] = [rough(definite(3, 3)), rough(regular(2, 2, kind=cplx))]
SAMPLES["_linalg_eigvals"] = [s(definite(3, 3)), s(regular(2, 2, kind=cplx))]
SAMPLES["_linalg_svd"] = [
    s(regular(3, 2)),
    s(np.diag([1.0, 2.0]) @ regular(2, 3)),
    rough(regular(2, 2, kind=cplx)),
]
SAMPLES["linalg_lstsq"] = [
    s(regular(4, 2), real(4, 2)),
    s(regular(2, 3, 2), real(2, 3, 1), driver="gels"),
    s(regular(2, 3, kind=cplx), cplx(2, 1), driver="gelsd"),
    s(regular(3, 2), real(3)),
]
SAMPLES["linalg_pinv"] = [
    s(regular(3, 2)),
    s(regular(2, 2, 3)),
    s(regular(3, 2, kind=cplx)),
]
SAMPLES["linalg_matrix_exp"] = [
    s(real(3, 3)),
    s(real(2, 2, 2) * 4),
    s(cplx(2, 2)),
    s(real(1, 1)),
]
SAMPLES["linalg_cross"] = [
    s(real(2, 3), real(2, 3)),
    s(real(3, 2), real(3, 1), dim=0),
    s(cplx(3), cplx(3)),
]
SAMPLES["addbmm"] = [
    s(real(2, 4), real(3, 2, 3), real(3, 3, 4)),
    s(real(1), real(2, 2, 1), real(2, 1, 2), beta=2, alpha=3),
    s(cplx(1, 2), cplx(2, 1, 1), cplx(2, 1, 2), beta=1j),
]
SAMPLES["_cdist_forward"] = [
    s(real(3, 2), real(2, 2), 2.0),
    s(real(2, 2, 3), real(2, 3), 1.0),
    s(real(2, 2), real(2, 2), 3.0),
    s(real(2, 3), real(2, 3), float("inf")),
    s(real(2, 2), real(2, 2), 1.5),
    s(real(2, 2), real(2, 2), 0.0),
]
SAMPLES["_cdist_backward"] = [rough(real(3, 2), real(3, 2), real(2, 2), 2.0, positive(3, 2))]
SAMPLES["_euclidean_dist"] = [s(real(3, 2), real(2, 2)), s(real(2, 2, 3), real(2, 3))]
SAMPLES["_pdist_forward"] = [s(real(3, 2)), s(real(4, 2), 1.0), s(real(3, 3), 3.0)]
SAMPLES["_pdist_backward"] = [rough(real(3), real(3, 2), 2.0, positive(3))]
SAMPLES["dist"] = [s(real(2, 3), real(2, 3)), s(real(2, 3), real(3), 3), s(cplx(2), cplx(2), 1)]

SECOND_DERIVATIVE_RAISES |= {"_cdist_forward", "_pdist_forward"}
