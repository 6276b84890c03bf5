"""Eigenvalues and singular values."""

from libc.math cimport isfinite

from minitorch.core.dtype cimport (
    Complex64, Float32, Int32, class_name, is_complex, is_differentiable, to_complex, to_real)
from minitorch.core.tensor_impl cimport TensorImpl, data, ndim, numel
from minitorch.kernels.linalg cimport lapack_eigen as kernels
from minitorch.kernels.linalg.lapack cimport enter_alone, leave_alone
from minitorch.ops.common.copy cimport copy_
from minitorch.ops.creation.factory cimport eye, new_empty, zeros
from minitorch.ops.linalg.checks cimport (
    check_floating_or_complex, check_infos, check_is_matrix, check_lapack_dtype, check_square,
    check_status)
from minitorch.ops.linalg.column_major cimport (
    batch_count, batch_shape, clone_columns, cols_of, empty_matrices, rows_of)
from minitorch.ops.shape.views cimport expand


cdef tuple _linalg_eigh(TensorImpl A, str UPLO="L", bint compute_v=True):
    cdef TensorImpl values, vectors, infos
    cdef Py_ssize_t n, count
    cdef bint alone
    cdef int status, dtype = A.dtype
    cdef bint upper
    cdef char* a
    cdef char* w
    cdef int* info
    check_square(A, "linalg.eigh")
    if UPLO.upper() not in ("L", "U"):
        raise RuntimeError(f"Expected UPLO argument to be 'L' or 'U', but got {UPLO}")
    upper = UPLO.upper() == "U"
    check_lapack_dtype(dtype, "linalg_eigh_cpu")
    n, count = cols_of(A), batch_count(A)
    vectors = clone_columns(A)
    values = new_empty(batch_shape(A) + (n,), to_real(dtype))
    infos = zeros(batch_shape(A), Int32)
    a, w, info = data(vectors), data(values), <int*>data(infos)
    with nogil:
        alone = enter_alone(count, n)
        status = kernels.eigh(dtype, count, n, upper, compute_v, a, w, info)
        leave_alone(alone)
    check_status(status, dtype, "linalg_eigh_cpu")
    check_infos(infos, "linalg.eigh", ndim(A) == 2)
    return values, vectors if compute_v else new_empty((0,), dtype)


cdef bint _all_finite(TensorImpl self) noexcept:
    """Return whether all elements of a tensor without gaps are finite."""
    cdef Py_ssize_t k, n = numel(self) * (2 if is_complex(self.dtype) else 1)
    cdef const float* narrow = <const float*>data(self)
    cdef const double* wide = <const double*>data(self)
    if self.dtype == Float32 or self.dtype == Complex64:
        for k in range(n):
            if not isfinite(narrow[k]):
                return False
    else:
        for k in range(n):
            if not isfinite(wide[k]):
                return False
    return True


cdef tuple _eig(TensorImpl self, bint wanted, str name):
    cdef TensorImpl values, vectors = None, scratch, infos
    cdef Py_ssize_t n, count
    cdef bint alone
    cdef int status, dtype = self.dtype
    cdef char* a
    cdef char* w
    cdef char* v = NULL
    cdef int* info
    check_square(self, name)
    if not is_differentiable(dtype):
        raise RuntimeError(f"Unknown Complex ScalarType for {class_name(dtype)}")
    check_lapack_dtype(dtype, "linalg_eig_out_cpu")
    n, count = cols_of(self), batch_count(self)
    scratch = clone_columns(self)
    if not _all_finite(scratch):
        raise RuntimeError("torch.linalg.eig: input tensor should not contain infs or NaNs.")
    values = new_empty(batch_shape(self) + (n,), to_complex(dtype))
    if wanted:
        vectors = empty_matrices(batch_shape(self), n, n, to_complex(dtype))
        v = data(vectors)
    infos = zeros(batch_shape(self), Int32)
    a, w, info = data(scratch), data(values), <int*>data(infos)
    with nogil:
        alone = enter_alone(count, n)
        status = kernels.eig(dtype, count, n, a, w, v, info)
        leave_alone(alone)
    check_status(status, dtype, "linalg_eig_out_cpu")
    check_infos(infos, name, ndim(self) == 2)
    return values, vectors


cdef tuple linalg_eig(TensorImpl self):
    return _eig(self, True, "linalg.eig")


cdef TensorImpl _linalg_eigvals(TensorImpl self):
    return _eig(self, False, "linalg.eigvals")[0]


cdef TensorImpl _identity(tuple batch, Py_ssize_t rows, Py_ssize_t cols, int dtype):
    return copy_(empty_matrices(batch, rows, cols, dtype),
                 expand(eye(rows, cols, dtype), batch + (rows, cols)))


cdef tuple _linalg_svd(TensorImpl A, bint full_matrices=False, bint compute_uv=True,
                       object driver=None):
    cdef TensorImpl S, scratch, infos, U = None, Vh = None
    cdef Py_ssize_t m, n, k, count
    cdef bint alone
    cdef int status, dtype = A.dtype
    cdef tuple batch
    cdef char* a
    cdef char* s
    cdef char* u = NULL
    cdef char* v = NULL
    cdef int* info
    check_is_matrix(A, "linalg.svd")
    check_floating_or_complex(A, "linalg.svd")
    if driver is not None:
        raise RuntimeError("torch.linalg.svd: keyword argument `driver=` is only supported on CUDA "
                           "inputs with cuSOLVER backend.")
    check_lapack_dtype(dtype, "linalg_svd_cpu")
    m, n, count, batch = rows_of(A), cols_of(A), batch_count(A), batch_shape(A)
    k = min(m, n)
    S = new_empty(batch + (k,), to_real(dtype))
    if numel(A) == 0:
        if not compute_uv:
            return new_empty((0,), dtype), S, new_empty((0,), dtype)
        return (_identity(batch, m, m if full_matrices else k, dtype), S,
                _identity(batch, n if full_matrices else k, n, dtype))
    if compute_uv:
        U = empty_matrices(batch, m, m if full_matrices else k, dtype)
        Vh = empty_matrices(batch, n if full_matrices else k, n, dtype)
        u, v = data(U), data(Vh)
    scratch = clone_columns(A)
    infos = zeros(batch, Int32)
    a, s, info = data(scratch), data(S), <int*>data(infos)
    with nogil:
        alone = enter_alone(count, max(m, n))
        status = kernels.svd(dtype, count, m, n, full_matrices, a, s, u, v, info)
        leave_alone(alone)
    check_status(status, dtype, "linalg_svd_cpu")
    check_infos(infos, "linalg.svd", ndim(A) == 2)
    if not compute_uv:
        return new_empty((0,), dtype), S, new_empty((0,), dtype)
    return U, S, Vh
