# cython: wraparound=True
"""Cholesky factors and triangular systems."""

from minitorch.core.dtype cimport Int32, class_name
from minitorch.core.result_type cimport can_cast
from minitorch.core.tensor_impl cimport TensorImpl, data, ndim, numel, sizes, sizes_tuple, strides
from minitorch.kernels.linalg cimport lapack_cholesky as kernels
from minitorch.kernels.linalg.lapack cimport enter_alone, leave_alone
from minitorch.ops.common.checks cimport broadcast_sizes
from minitorch.ops.common.copy cimport CONTIGUOUS_FORMAT, clone, copy_
from minitorch.ops.common.output cimport resize_output
from minitorch.ops.common.type_names cimport check_out_dtype
from minitorch.ops.creation.factory cimport new_empty, zeros
from minitorch.ops.linalg.checks cimport (
    check_floating_or_complex, check_infos, check_lapack_dtype, check_linear_solve, check_solver,
    check_square, check_status)
from minitorch.ops.linalg.column_major cimport (
    batch_count, batch_shape, clone_columns, cols_of, empty_matrices,
    expanded_columns, is_column_major, rows_of)
from minitorch.ops.shape.transposes cimport mT
from minitorch.ops.shape.views cimport expand

from minitorch.core.once import warn_once


cdef TensorImpl deliver(TensorImpl result, TensorImpl out):
    if out is None:
        return result
    check_out_dtype(out, result.dtype)
    resize_output(out, ndim(result), sizes(result), strides(result))
    return copy_(out, result)


cdef TensorImpl _deliver_cast(TensorImpl result, TensorImpl out, str name, bint columns=False):
    """Write a result to `out` like `deliver`, but cast it to the dtype of `out`, as older functions do.

    With `columns`, a resized `out` gets the strides of the result.
    """
    if out is None:
        return result
    if not can_cast(result.dtype, out.dtype):
        raise RuntimeError(f"{name}: Expected result to be safely castable from "
                           f"{class_name(result.dtype)} dtype, but got result with dtype "
                           f"{class_name(out.dtype)}")
    resize_output(out, ndim(result), sizes(result), strides(result) if columns else NULL)
    return copy_(out, result)


# ---- factors

cdef tuple _factor(TensorImpl self, bint upper):
    cdef TensorImpl L = clone_columns(self), infos = new_empty(batch_shape(self), Int32)
    cdef Py_ssize_t n = cols_of(self), count = batch_count(self)
    cdef bint alone
    cdef int status, dtype = self.dtype
    cdef char* a = data(L)
    cdef int* info = <int*>data(infos)
    with nogil:
        alone = enter_alone(count, n)
        status = kernels.cholesky(dtype, count, n, upper, a, info)
        leave_alone(alone)
    check_status(status, dtype, "cholesky_cpu")
    return L, infos


cdef tuple linalg_cholesky_ex(TensorImpl self, bint upper=False, bint check_errors=False):
    check_square(self, "linalg.cholesky")
    check_floating_or_complex(self, "linalg.cholesky")
    check_lapack_dtype(self.dtype, "cholesky_cpu")
    L, infos = _factor(self, upper)
    if check_errors:
        check_infos(infos, "linalg.cholesky_ex", ndim(self) == 2)
    return L, infos


_DEPRECATED = """torch.cholesky is deprecated in favor of torch.linalg.cholesky and will be \
removed in a future PyTorch release.
L = torch.cholesky(A)
should be replaced with
L = torch.linalg.cholesky(A)
and
U = torch.cholesky(A, upper=True)
should be replaced with
U = torch.linalg.cholesky(A).mH
This transform will produce equivalent results for all valid (symmetric positive definite) \
inputs."""


cdef TensorImpl cholesky(TensorImpl self, bint upper=False, TensorImpl out=None):
    warn_once(_DEPRECATED)
    if numel(self) == 0:
        return _deliver_cast(clone(self, CONTIGUOUS_FORMAT), out, "cholesky")
    check_square(self, "cholesky")
    check_lapack_dtype(self.dtype, "cholesky_cpu")
    L, infos = _factor(self, upper)
    check_infos(infos, "cholesky", ndim(self) == 2)
    return _deliver_cast(L, out, "cholesky")


cdef TensorImpl cholesky_solve(TensorImpl self, TensorImpl input2, bint upper=False,
                               TensorImpl out=None):
    cdef TensorImpl result
    cdef tuple batch
    cdef Py_ssize_t n, nrhs, step = 0, count = 1
    cdef bint alone
    cdef int status, dtype = self.dtype
    cdef char* a
    cdef char* b
    if ndim(self) < 2:
        raise RuntimeError("b should have at least 2 dimensions, but has "
                           f"{ndim(self)} dimensions instead")
    if ndim(input2) < 2:
        raise RuntimeError("u should have at least 2 dimensions, but has "
                           f"{ndim(input2)} dimensions instead")
    batch = broadcast_sizes(batch_shape(self), batch_shape(input2))
    check_linear_solve(self, input2, "cholesky_solve")
    check_lapack_dtype(dtype, "cholesky_solve_cpu")
    n, nrhs = rows_of(self), cols_of(self)
    result = copy_(empty_matrices(batch, n, nrhs, dtype), self)
    if numel(result):
        for size in batch:
            count *= size
        input2 = expanded_columns(input2, batch, &step)
        a, b = data(input2), data(result)
        with nogil:
            alone = enter_alone(count, n)
            status = kernels.cholesky_solve(dtype, count, n, nrhs, upper, a, step, b)
            leave_alone(alone)
        check_status(status, dtype, "cholesky_solve_cpu")
    return _deliver_cast(result, out, "cholesky_solve")


cdef TensorImpl cholesky_inverse(TensorImpl self, bint upper=False, TensorImpl out=None):
    cdef TensorImpl result, infos
    cdef Py_ssize_t n, count
    cdef bint alone
    cdef int status, dtype = self.dtype
    cdef char* a
    cdef int* info
    check_square(self, "cholesky_inverse")
    check_lapack_dtype(dtype, "cholesky_inverse_out_cpu")
    n, count = cols_of(self), batch_count(self)
    result = clone_columns(self)
    if numel(result):
        infos = zeros(batch_shape(self), Int32)
        a, info = data(result), <int*>data(infos)
        with nogil:
            alone = enter_alone(count, n)
            status = kernels.cholesky_inverse(dtype, count, n, upper, a, info)
            leave_alone(alone)
        check_status(status, dtype, "cholesky_inverse_out_cpu")
        check_infos(infos, "cholesky_inverse", ndim(self) == 2)
    return _deliver_cast(result, out, "cholesky_inverse", True)


# ---- triangular systems

cdef TensorImpl _solve(TensorImpl A, TensorImpl B, tuple batch, bint left, bint upper,
                       bint turned, bint unit):
    """Solve the triangular systems; with `turned`, A.mT takes the place of A."""
    cdef TensorImpl result = copy_(empty_matrices(batch, rows_of(B), cols_of(B), A.dtype), B)
    cdef Py_ssize_t m = rows_of(B), n = cols_of(B), step = 0, count = 1
    cdef bint alone
    cdef int status, dtype = A.dtype
    cdef char trans
    cdef char* a
    cdef char* b
    if numel(result) == 0:
        return result
    if is_column_major(mT(A)) and not is_column_major(A):
        # a row-major matrix is the transpose of a column-major one
        A, upper, turned = mT(A), not upper, not turned
    for size in batch:
        count *= size
    A = expanded_columns(A, batch, &step)
    trans = c"T" if turned else c"N"
    a, b = data(A), data(result)
    with nogil:
        alone = enter_alone(count, max(m, n))
        status = kernels.solve_triangular(dtype, count, m, n, left, upper, trans, unit, a, step, b)
        leave_alone(alone)
    check_status(status, dtype, "triangular_solve_cpu")
    return result


cdef TensorImpl linalg_solve_triangular(TensorImpl self, TensorImpl B, bint upper, bint left=True,
                                        bint unitriangular=False, TensorImpl out=None):
    cdef tuple batch
    check_solver(self, B, left, "linalg.solve_triangular")
    batch = broadcast_sizes(batch_shape(B), batch_shape(self))
    check_lapack_dtype(self.dtype, "triangular_solve_cpu")
    return deliver(_solve(self, B, batch, left, upper, False, unitriangular), out)


_DEPRECATED_TRIANGULAR = """torch.triangular_solve is deprecated in favor of \
torch.linalg.solve_triangularand will be removed in a future PyTorch release.
torch.linalg.solve_triangular has its arguments reversed and does not return a copy of one of the \
inputs.
X = torch.triangular_solve(B, A).solution
should be replaced with
X = torch.linalg.solve_triangular(A, B)."""


cdef tuple triangular_solve(TensorImpl self, TensorImpl A, bint upper=True, bint transpose=False,
                            bint unitriangular=False):
    cdef tuple batch
    for name, t in (("b", self), ("A", A)):
        if ndim(t) < 2:
            raise RuntimeError(f"torch.triangular_solve: Expected {name} to have at least 2 "
                               f"dimensions, but it has {ndim(t)} dimensions instead")
    check_linear_solve(self, A, "triangular_solve")
    batch = broadcast_sizes(batch_shape(self), batch_shape(A))
    warn_once(_DEPRECATED_TRIANGULAR)
    check_lapack_dtype(A.dtype, "triangular_solve_cpu")
    return (_solve(A, self, batch, True, upper, transpose, unitriangular),
            clone_columns(expand(A, batch + sizes_tuple(A)[-2:])))
