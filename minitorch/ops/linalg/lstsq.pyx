# cython: wraparound=True
"""Least squares.

LAPACK overwrites the right-hand side, a tensor of max(m, n) rows, with the solution. The result is a view of its
first n rows; the rows below hold the residuals, for drivers that compute them.
"""

from minitorch.core.dtype cimport (
    Complex64, Complex128, Float32, Float64, Int32, Int64, class_name, to_real)
from minitorch.core.tensor_impl cimport TensorImpl, data, ndim, numel, sizes_tuple
from minitorch.kernels.linalg cimport lapack_qr as kernels
from minitorch.kernels.linalg.lapack cimport enter_alone, leave_alone
from minitorch.kernels.linalg.lapack_qr cimport GELS, GELSD, GELSS, GELSY
from minitorch.ops.common.checks cimport broadcast_sizes
from minitorch.ops.common.copy cimport CONTIGUOUS_FORMAT, clone, copy_, zero_
from minitorch.ops.creation.factory cimport new_empty, zeros
from minitorch.ops.elementwise.unary cimport abs, square
from minitorch.ops.linalg.checks cimport check_infos, check_status
from minitorch.ops.linalg.column_major cimport (
    batch_count, batch_shape, clone_columns, cols_of, rows_of)
from minitorch.ops.linalg.solve cimport is_vector_rhs
from minitorch.ops.reduction.reduction cimport sum
from minitorch.ops.shape.slices cimport slice_dim
from minitorch.ops.shape.transposes cimport transpose
from minitorch.ops.shape.views cimport expand, squeeze_dim, unsqueeze

_DRIVERS = {"gels": GELS, "gelsy": GELSY, "gelsd": GELSD, "gelss": GELSS}


cdef int _check(TensorImpl self, TensorImpl b) except -1:
    cdef str name = "torch.linalg.lstsq"
    cdef int more = ndim(self) - ndim(b)
    if ndim(self) < 2:
        raise RuntimeError(f"{name}: input must have at least 2 dimensions.")
    if ndim(b) < 1:
        raise RuntimeError(f"{name}: other must have at least 1 dimension.")
    if self.dtype != b.dtype:
        raise RuntimeError(f"{name}: Expected input and other to have the same dtype, but got "
                           f"input's dtype {class_name(self.dtype)} and other's dtype "
                           f"{class_name(b.dtype)}")
    if not 0 <= more <= 1:
        raise RuntimeError(f"{name}: input.dim() must be greater or equal to other.dim() and "
                           "(input.dim() - other.dim()) <= 1")
    return 0


cdef double _default_rcond(int dtype, Py_ssize_t m, Py_ssize_t n) except? -1:
    if dtype == Float32 or dtype == Complex64:
        return 1.1920928955078125e-07 * max(m, n)
    if dtype == Float64 or dtype == Complex128:
        return 2.220446049250313e-16 * max(m, n)
    raise RuntimeError("This function doesn't handle types other than float and double")


cdef TensorImpl _of_each(TensorImpl found, tuple batch):
    """Return the values found for each matrix, without the repetitions for several right-hand sides."""
    cdef int d
    if sizes_tuple(found)[:len(batch)] == batch:
        return found
    for d in range(len(batch)):
        found = slice_dim(found, d, 0, batch[d], 1)
    return clone(found, CONTIGUOUS_FORMAT)


cdef tuple linalg_lstsq(TensorImpl self, TensorImpl b, object rcond=None, object driver=None):
    cdef TensorImpl solution, scratch, ranks, values, infos, residuals, rest
    cdef bint vectors
    cdef tuple batch
    cdef Py_ssize_t m, n, nrhs, count, k
    cdef bint alone
    cdef int kind, status, dtype = self.dtype
    cdef double limit
    cdef char* a
    cdef char* x
    cdef char* s
    cdef long long* r
    cdef int* info
    cdef bint known = True
    _check(self, b)
    vectors = ndim(self) - ndim(b) == 1
    if vectors and is_vector_rhs(self, b):
        b = unsqueeze(b, -1)
        batch = batch_shape(self)
    else:
        if vectors:
            broadcast_sizes(batch_shape(self), sizes_tuple(b)[:-1])
        vectors = False
        batch = broadcast_sizes(batch_shape(self), batch_shape(b))
    m, n, nrhs = rows_of(self), cols_of(self), cols_of(b)
    if m != rows_of(b):
        raise RuntimeError(f"torch.linalg.lstsq: input.size(-2) should match other.size({-1 if vectors else -2})")
    if driver is not None and driver not in _DRIVERS:
        raise RuntimeError("torch.linalg.lstsq: parameter `driver` should be one of "
                           "(gels, gelsy, gelsd, gelss)")
    limit = _default_rcond(dtype, m, n)
    if rcond is not None:
        limit = rcond
    kind = _DRIVERS[driver or "gelsy"]
    k = min(m, n)
    solution = zeros(batch + (nrhs, max(m, n)), dtype)
    solution = transpose(solution, -2, -1)
    copy_(slice_dim(solution, ndim(solution) - 2, 0, m, 1), b)
    count = batch_count(solution)
    ranks = zeros(batch, Int64)
    values = zeros(batch + (k,), to_real(dtype))
    if numel(self) == 0 or nrhs == 0 or count == 0:
        zero_(solution)
        known = False
    else:
        scratch = clone_columns(expand(self, batch + (m, n)))
        infos = zeros(batch, Int32)
        a, x, s, r, info = (data(scratch), data(solution), data(values), <long long*>data(ranks),
                            <int*>data(infos))
        with nogil:
            alone = enter_alone(count, max(m, n))
            status = kernels.least_squares(dtype, kind, count, m, n, nrhs, a, x, limit, r, s, info)
            leave_alone(alone)
        check_status(status, dtype, "linalg_lstsq_cpu")
        check_infos(infos, "torch.linalg.lstsq", numel(infos) <= 1)
        if kind == GELSD or kind == GELSS:
            for k in range(count):
                if r[k] != n:
                    known = False
    residuals = new_empty((0,), to_real(dtype))
    if known and m > n and kind != GELSY:
        rest = slice_dim(solution, ndim(solution) - 2, n, m, 1)
        residuals = sum(square(abs(rest)), (ndim(rest) - 2,), False)
    solution = slice_dim(solution, ndim(solution) - 2, 0, n, 1)
    if vectors:
        solution = squeeze_dim(solution, -1)
    ranks, values = _of_each(ranks, batch_shape(self)), _of_each(values, batch_shape(self))
    if kind == GELS:
        ranks = new_empty((0,), Int64)
    if kind != GELSD and kind != GELSS:
        values = new_empty((0,), to_real(dtype))
    return solution, residuals, ranks, values
