# cython: wraparound=True
"""Householder factorizations: QR, its reflectors, and products with them."""

from minitorch.core.dtype cimport class_name
from minitorch.core.tensor_impl cimport TensorImpl, data, ndim, numel, sizes, sizes_tuple
from minitorch.kernels.linalg cimport lapack_qr as kernels
from minitorch.kernels.linalg.lapack cimport enter_alone, leave_alone
from minitorch.ops.common.checks cimport size_at
from minitorch.ops.common.copy cimport contiguous, copy_
from minitorch.ops.creation.factory cimport eye, new_empty
from minitorch.ops.linalg.checks cimport (
    check_floating_or_complex, check_is_matrix, check_lapack_dtype, check_status)
from minitorch.ops.linalg.column_major cimport (
    batch_count, batch_shape, clone_columns, cols_of, columns, empty_matrices, rows_of)
from minitorch.ops.shape.rearrange cimport triu
from minitorch.ops.shape.slices cimport slice_dim
from minitorch.ops.shape.views cimport expand


cdef TensorImpl _factor(TensorImpl QR):
    """Factor new column-major matrices in place and return tau."""
    cdef Py_ssize_t m = rows_of(QR), n = cols_of(QR), count = batch_count(QR)
    cdef TensorImpl tau = new_empty(batch_shape(QR) + (min(m, n),), QR.dtype)
    cdef bint alone
    cdef int status, dtype = QR.dtype
    cdef char* a = data(QR)
    cdef char* t = data(tau)
    check_lapack_dtype(dtype, "geqrf_cpu")
    with nogil:
        alone = enter_alone(count, max(m, n))
        status = kernels.qr_factor(dtype, count, m, n, a, t)
        leave_alone(alone)
    check_status(status, dtype, "geqrf_cpu")
    return tau


cdef TensorImpl _to_q(TensorImpl Q, TensorImpl tau):
    """Replace new column-major reflectors by the columns of Q, in place."""
    cdef Py_ssize_t m = rows_of(Q), n = cols_of(Q), count = batch_count(Q)
    cdef Py_ssize_t k = sizes(tau)[ndim(tau) - 1]
    cdef bint alone
    cdef int status, dtype = Q.dtype
    cdef char* a = data(Q)
    cdef char* t = data(tau)
    with nogil:
        alone = enter_alone(count, max(m, n))
        status = kernels.reflectors_to_q(dtype, count, m, n, k, a, t)
        leave_alone(alone)
    check_status(status, dtype, "orgqr_cpu")
    return Q


cdef tuple linalg_qr(TensorImpl A, str mode="reduced"):
    cdef TensorImpl QR, Q, R, tau
    cdef Py_ssize_t m, n, k
    cdef tuple batch
    check_is_matrix(A, "linalg.qr")
    check_floating_or_complex(A, "linalg.qr")
    if mode not in ("reduced", "complete", "r"):
        raise RuntimeError(f"qr received unrecognized mode '{mode}' but expected one of 'reduced' "
                           "(default), 'r', or 'complete'")
    m, n, batch = rows_of(A), cols_of(A), batch_shape(A)
    k = m if mode == "complete" else min(m, n)
    QR = clone_columns(A)
    tau = _factor(QR)
    R = copy_(empty_matrices(batch, k, n, A.dtype),
              triu(slice_dim(QR, ndim(QR) - 2, 0, k, 1), 0))
    if mode == "r":
        return new_empty((0,), A.dtype), R
    if m == 0 or n == 0:
        Q = copy_(empty_matrices(batch, m, k, A.dtype), expand(eye(m, k, A.dtype), batch + (m, k)))
        return Q, R
    if k == n:
        return _to_q(QR, tau), R
    Q = empty_matrices(batch, m, k, A.dtype)
    n = min(n, k)
    copy_(slice_dim(Q, ndim(Q) - 1, 0, n, 1), slice_dim(QR, ndim(QR) - 1, 0, n, 1))
    return _to_q(Q, tau), R


cdef tuple geqrf(TensorImpl self):
    cdef TensorImpl QR
    if ndim(self) < 2:
        raise RuntimeError("torch.geqrf: input must have at least 2 dimensions.")
    check_lapack_dtype(self.dtype, "geqrf_cpu")
    QR = clone_columns(self)
    return QR, _factor(QR)


cdef TensorImpl linalg_householder_product(TensorImpl input, TensorImpl tau):
    cdef str name = "torch.linalg.householder_product"
    cdef TensorImpl Q
    cdef Py_ssize_t m, n
    if ndim(input) < 2:
        raise RuntimeError(f"{name}: input must have at least 2 dimensions.")
    m, n = rows_of(input), cols_of(input)
    if m < n:
        raise RuntimeError(f"{name}: input.shape[-2] must be greater than or equal to "
                           "input.shape[-1]")
    if n < size_at(tau, -1):
        raise RuntimeError(f"{name}: input.shape[-1] must be greater than or equal to "
                           "tau.shape[-1]")
    if ndim(input) - ndim(tau) != 1:
        raise RuntimeError(f"{name}: Expected tau to have one dimension less than input, but got "
                           f"tau.ndim equal to {ndim(tau)} and input.ndim is equal to "
                           f"{ndim(input)}")
    if ndim(input) > 2 and sizes_tuple(tau)[:-1] != batch_shape(input):
        raise RuntimeError(f"{name}: Expected batch dimensions of tau to be equal to "
                           f"input.shape[:-2], but got {list(sizes_tuple(tau)[:-1])}")
    if tau.dtype != input.dtype:
        raise RuntimeError(f"{name}: tau dtype {class_name(tau.dtype)} does not match input dtype "
                           f"{class_name(input.dtype)}")
    check_lapack_dtype(input.dtype, "orgqr_cpu")
    Q = clone_columns(input)
    if numel(Q) == 0:
        return Q
    return _to_q(Q, contiguous(tau))


cdef int _check_ormqr(TensorImpl self, TensorImpl tau, TensorImpl other, bint left) except -1:
    cdef int way = -2 if left else -1
    cdef Py_ssize_t k
    if ndim(self) < 2:
        raise RuntimeError("torch.ormqr: input must have at least 2 dimensions.")
    if ndim(other) < 2:
        raise RuntimeError("torch.ormqr: other must have at least 2 dimensions.")
    if sizes(other)[ndim(other) + way] != rows_of(self):
        raise RuntimeError(f"torch.ormqr: other.shape[{way}] must be equal to input.shape[-2]")
    k = size_at(tau, -1)
    if k != min(sizes(other)[ndim(other) + way], cols_of(self)):
        raise RuntimeError(f"torch.ormqr: tau.shape[-1] must be equal to min(other.shape[{way}], "
                           "input.shape[-1])")
    if ndim(self) - ndim(tau) != 1:
        raise RuntimeError("torch.ormqr: Expected tau to have one dimension less than input, but "
                           f"got tau.ndim equal to {ndim(tau)} and input.ndim is equal to "
                           f"{ndim(self)}")
    if ndim(self) != ndim(other):
        raise RuntimeError("torch.ormqr: Expected other to have the same number of dimensions as "
                           f"input, but got other.ndim equal to {ndim(other)} and input.ndim is "
                           f"equal to {ndim(self)}")
    if sizes_tuple(tau)[:-1] != batch_shape(self):
        raise RuntimeError("torch.ormqr: Expected batch dimensions of tau to be equal to "
                           f"input.shape[:-2], but got {list(sizes_tuple(tau)[:-1])}")
    if batch_shape(other) != batch_shape(self):
        raise RuntimeError("torch.ormqr: Expected batch dimensions of other to be equal to "
                           f"input.shape[:-2], but got {list(batch_shape(other))}")
    for name, t in (("tau", tau), ("other", other)):
        if (<TensorImpl>t).dtype != self.dtype:
            raise RuntimeError(f"torch.ormqr: Expected input and {name} to have the same dtype, "
                               f"but input has dtype{class_name(self.dtype)} and {name} has dtype "
                               f"{class_name((<TensorImpl>t).dtype)}")
    return 0


cdef TensorImpl ormqr(TensorImpl self, TensorImpl input2, TensorImpl input3, bint left=True,
                      bint transpose=False):
    cdef TensorImpl result, reflectors, tau = input2
    cdef Py_ssize_t m, n, k, count, a_step
    cdef bint alone
    cdef int status, dtype = self.dtype
    cdef char* a
    cdef char* t
    cdef char* c
    _check_ormqr(self, tau, input3, left)
    check_lapack_dtype(dtype, "ormqr_cpu")
    result = clone_columns(input3)
    if numel(result) == 0 or numel(tau) == 0:
        return result
    reflectors, tau = columns(self), contiguous(tau)
    m, n, k, count = rows_of(result), cols_of(result), sizes(tau)[ndim(tau) - 1], batch_count(self)
    a_step = rows_of(self) * cols_of(self)
    a, t, c = data(reflectors), data(tau), data(result)
    with nogil:
        alone = enter_alone(count, max(m, n))
        status = kernels.multiply_by_q(dtype, count, m, n, k, left, transpose, a, a_step, t, k, c)
        leave_alone(alone)
    check_status(status, dtype, "ormqr_cpu")
    return result
