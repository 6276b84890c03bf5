# cython: wraparound=True
"""LU and LDL factorizations."""

from libc.string cimport memcpy

from minitorch.core.dtype cimport Int32, Int64, class_name, is_complex, itemsizes
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, TensorImpl, as_strided_impl, data, ndim, numel, sizes, sizes_tuple,
    strides)
from minitorch.kernels.linalg cimport lapack_lu
from minitorch.kernels.linalg.lapack cimport enter_alone, leave_alone
from minitorch.ops.common.checks cimport broadcast_sizes, size_at
from minitorch.ops.common.copy cimport CONTIGUOUS_FORMAT, clone, contiguous, copy_, fill_, zero_
from minitorch.ops.creation.factory cimport new_empty, zeros
from minitorch.ops.elementwise.unary cimport conj
from minitorch.ops.linalg.checks cimport (
    check_floating_or_complex, check_infos, check_lapack_dtype, check_linear_solve,
    check_solver, check_square, check_status)
from minitorch.ops.linalg.column_major cimport (
    batch_count, batch_shape, clone_columns, cols_of, empty_matrices,
    expanded_columns, rows_of)
from minitorch.ops.shape.rearrange cimport tril, triu
from minitorch.ops.shape.slices cimport slice_dim
from minitorch.ops.shape.transposes cimport transpose
from minitorch.ops.shape.views cimport expand


# ---- factors

cdef tuple factor_in_place(TensorImpl LU):
    cdef Py_ssize_t m = rows_of(LU), n = cols_of(LU), count = batch_count(LU)
    cdef TensorImpl pivots = new_empty(batch_shape(LU) + (min(m, n),), Int32)
    cdef TensorImpl infos = new_empty(batch_shape(LU), Int32)
    cdef bint alone
    cdef int status, dtype = LU.dtype
    cdef char* a = data(LU)
    cdef int* p = <int*>data(pivots)
    cdef int* info = <int*>data(infos)
    check_lapack_dtype(dtype, "lu_cpu")
    if m == 0 or n == 0:
        zero_(infos)
        return pivots, infos
    with nogil:
        alone = enter_alone(count, max(m, n))
        status = lapack_lu.lu_factor(dtype, count, m, n, a, p, info)
        leave_alone(alone)
    check_status(status, dtype, "lu_cpu")
    return pivots, infos


cdef int _check_pivot(TensorImpl A, bint pivot) except -1:
    if not pivot and numel(A):
        raise RuntimeError("linalg.lu_factor: LU without pivoting is not implemented on the CPU")
    return 0


cdef tuple linalg_lu_factor_ex(TensorImpl A, bint pivot=True, bint check_errors=False):
    cdef TensorImpl LU
    if ndim(A) < 2:
        raise RuntimeError("torch.lu_factor: Expected tensor with 2 or more dimensions. Got size: "
                           f"{list(sizes_tuple(A))} instead")
    check_lapack_dtype(A.dtype, "lu_cpu")
    _check_pivot(A, pivot)
    LU = clone_columns(A)
    pivots, infos = factor_in_place(LU)
    if check_errors:
        check_infos(infos, "torch.linalg.lu_factor_ex", ndim(A) == 2)
    return LU, pivots, infos


cdef TensorImpl _diagonal_view(TensorImpl self):
    """Return a view of the main diagonals."""
    cdef Py_ssize_t[MAX_DIMS] n, s
    cdef int d, dims = ndim(self)
    for d in range(dims - 2):
        n[d], s[d] = sizes(self)[d], strides(self)[d]
    n[dims - 2] = min(rows_of(self), cols_of(self))
    s[dims - 2] = strides(self)[dims - 2] + strides(self)[dims - 1]
    return as_strided_impl(self, dims - 1, n, s, self.storage_offset)


cdef TensorImpl _permutation(TensorImpl pivots, Py_ssize_t m, int dtype):
    """Return the matrices P of A = P L U."""
    cdef tuple batch = sizes_tuple(pivots)[:-1]
    cdef Py_ssize_t count = 1, k = sizes(pivots)[ndim(pivots) - 1], b, i
    cdef TensorImpl result = zeros(batch + (m, m), dtype)
    cdef TensorImpl rows = new_empty(batch + (m,), Int64), one = fill_(new_empty((), dtype), 1)
    cdef long long* perm = <long long*>data(rows)
    cdef Py_ssize_t item = itemsizes[dtype]
    for size in batch:
        count *= size
    if count == 0 or m == 0:
        return result
    lapack_lu.pivots_to_permutation(count, k, m, <const int*>data(pivots), perm)
    for b in range(count):
        for i in range(m):
            memcpy(data(result) + ((b * m + perm[b * m + i]) * m + i) * item, data(one), item)
    return result


cdef tuple _parts(TensorImpl LU):
    """Return L and U, row-major."""
    cdef Py_ssize_t k = min(rows_of(LU), cols_of(LU))
    cdef TensorImpl L = clone(tril(slice_dim(LU, ndim(LU) - 1, 0, k, 1), -1), CONTIGUOUS_FORMAT)
    cdef TensorImpl U = clone(triu(slice_dim(LU, ndim(LU) - 2, 0, k, 1), 0), CONTIGUOUS_FORMAT)
    fill_(_diagonal_view(L), 1)
    return L, U


cdef tuple linalg_lu(TensorImpl A, bint pivot=True):
    cdef TensorImpl LU
    if ndim(A) < 2:
        raise RuntimeError("linalg.lu: Expected tensor with 2 or more dimensions. Got size: "
                           f"{list(sizes_tuple(A))} instead")
    check_lapack_dtype(A.dtype, "lu_cpu")
    _check_pivot(A, pivot)
    LU = clone_columns(A)
    pivots, _ = factor_in_place(LU)
    if not pivot:                       # only for a matrix without elements
        return (new_empty((0,), A.dtype), *_parts(LU))
    return (_permutation(pivots, rows_of(A), A.dtype), *_parts(LU))


cdef tuple lu_unpack(TensorImpl LU_data, TensorImpl LU_pivots, bint unpack_data=True,
                     bint unpack_pivots=True):
    cdef TensorImpl L, U
    cdef Py_ssize_t m, k
    if ndim(LU_data) < 2:
        raise RuntimeError("torch.lu_unpack: Expected tensor with 2 or more dimensions. Got size: "
                           f"{list(sizes_tuple(LU_data))} instead")
    if unpack_pivots and LU_pivots.dtype != Int32:
        raise RuntimeError("torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of "
                           "torch.int32 dtype.\nNote: this function is intended to be used with "
                           "the output produced by torch.linalg.lu_factor")
    if unpack_data:
        L, U = _parts(LU_data)
    else:
        L, U = new_empty((0,), LU_data.dtype), new_empty((0,), LU_data.dtype)
    if not unpack_pivots:
        return new_empty((0,), LU_data.dtype), L, U
    m = rows_of(LU_data)
    k = min(m, cols_of(LU_data))
    if sizes_tuple(LU_pivots) != batch_shape(LU_data) + (k,):
        raise RuntimeError(_BAD_PIVOTS)
    LU_pivots = contiguous(LU_pivots)
    if not lapack_lu.are_pivots(batch_count(LU_data), k, m, <const int*>data(LU_pivots)):
        raise RuntimeError(_BAD_PIVOTS)
    return _permutation(LU_pivots, m, LU_data.dtype), L, U


_BAD_PIVOTS = ("pivots passed to lu_unpack must be between 1 and LU.size(-2) inclusive."
               "Did you properly pass the result of lu_factor?")


# ---- solving

cdef TensorImpl _expanded_vectors(TensorImpl self, tuple batch, Py_ssize_t* step):
    """Return the pivots of every element of the batch."""
    cdef Py_ssize_t n = sizes(self)[ndim(self) - 1]
    step[0] = n
    if sizes_tuple(self)[:-1] != batch:
        if numel(self) == n:
            step[0] = 0
        else:
            self = expand(self, batch + (n,))
    return contiguous(self)


cdef TensorImpl solve_factored(TensorImpl LU, TensorImpl pivots, TensorImpl B, tuple batch,
                               bint left, bint adjoint):
    # X A = B is A.T X.T = B.T, and X A.H = B is conj(A) X.T = B.T
    cdef TensorImpl right = B if left else transpose(B, -2, -1), result
    cdef Py_ssize_t n = rows_of(right), nrhs = cols_of(right), lu_step = 0, pivots_step = 0
    cdef Py_ssize_t count = 1
    cdef char trans = c"N"
    cdef bint alone
    cdef int status, dtype = LU.dtype
    cdef char* a
    cdef char* b
    cdef int* p
    cdef bint conjugate = not left and adjoint and is_complex(dtype)
    for size in batch:
        count *= size
    if left and adjoint:
        trans = c"C"
    elif not left and not adjoint:
        trans = c"T"
    result = empty_matrices(batch, n, nrhs, dtype)
    copy_(result, conj(right) if conjugate else right)
    if numel(result):
        LU = expanded_columns(LU, batch, &lu_step)
        pivots = _expanded_vectors(pivots, batch, &pivots_step)
        a, b, p = data(LU), data(result), <int*>data(pivots)
        if not lapack_lu.are_pivots(count if pivots_step else 1, n, n, p):
            raise RuntimeError("Pivots given to lu_solve must all be greater or equal to 1. Did "
                               "you properly pass the result of lu_factor?")
        with nogil:
            alone = enter_alone(count, n)
            status = lapack_lu.lu_solve(dtype, count, n, nrhs, trans, a, lu_step, p, pivots_step,
                                        b)
            leave_alone(alone)
        check_status(status, dtype, "linalg.lu_solve_cpu")
    if conjugate:
        result = copy_(empty_matrices(batch, n, nrhs, dtype), conj(result))
    return result if left else transpose(result, -2, -1)


cdef TensorImpl linalg_lu_solve(TensorImpl LU, TensorImpl pivots, TensorImpl B, bint left=True,
                                bint adjoint=False):
    check_floating_or_complex(LU, "torch.linalg.lu_solve")
    if LU.dtype != B.dtype:
        raise RuntimeError("linalg.lu_solve: Expected LU and B to have the same dtype, but found "
                           f"LU of type {class_name(LU.dtype)} and B of type "
                           f"{class_name(B.dtype)} instead")
    if pivots.dtype != Int32:
        raise RuntimeError("linalg.lu_solve: pivots should be a Tensor of scalar type torch.int32")
    check_square(LU, "torch.linalg.lu_solve")
    check_solver(LU, B, left, "linalg.lu_solve")
    if cols_of(LU) != size_at(pivots, -1):
        raise RuntimeError("linalg.lu_solve: Number of pivots per batch should be same as the "
                           "dimension of the matrix")
    if sizes_tuple(LU)[:-1] != sizes_tuple(pivots):
        raise RuntimeError("linalg.lu_solve: Expected LU.shape[:-1] and pivots.shape to be the "
                           f"same, but got pivots with shape {list(sizes_tuple(pivots))} instead")
    check_lapack_dtype(LU.dtype, "linalg.lu_solve_cpu")
    return solve_factored(LU, pivots, B, broadcast_sizes(batch_shape(B), batch_shape(LU)), left,
                          adjoint)


# ---- LDL

cdef tuple linalg_ldl_factor_ex(TensorImpl self, bint hermitian=False, bint check_errors=False):
    cdef TensorImpl LD, pivots, infos
    cdef Py_ssize_t n, count
    cdef bint alone
    cdef int status, dtype = self.dtype
    cdef char* a
    cdef int* p
    cdef int* info
    check_square(self, "torch.linalg.ldl_factor_ex")
    check_floating_or_complex(self, "torch.linalg.ldl_factor_ex")
    check_lapack_dtype(dtype, "ldl_factor_kernel_cpu")
    n, count = cols_of(self), batch_count(self)
    # the other triangle is not part of the result
    LD = clone_columns(tril(self, 0))
    pivots = new_empty(sizes_tuple(self)[:-1], Int32)
    infos = zeros(batch_shape(self), Int32)
    if numel(self):
        a, p, info = data(LD), <int*>data(pivots), <int*>data(infos)
        with nogil:
            alone = enter_alone(count, n)
            status = lapack_lu.ldl_factor(dtype, count, n, hermitian, a, p, info)
            leave_alone(alone)
        check_status(status, dtype, "ldl_factor_kernel_cpu")
    if check_errors:
        check_infos(infos, "torch.linalg.ldl_factor_ex", ndim(self) == 2)
    return LD, pivots, infos


cdef TensorImpl linalg_ldl_solve(TensorImpl LD, TensorImpl pivots, TensorImpl B,
                                 bint hermitian=False):
    cdef TensorImpl result
    cdef tuple batch
    cdef Py_ssize_t n, nrhs, ld_step = 0, pivots_step = 0, count = 1
    cdef bint alone
    cdef int status, dtype = LD.dtype
    cdef char* a
    cdef char* b
    cdef int* p
    check_square(LD, "torch.linalg.ldl_solve")
    check_floating_or_complex(LD, "torch.linalg.ldl_solve")
    if ndim(B) < 2:
        size_at(B, -2)                    # raises PyTorch's IndexError for the missing size
        raise RuntimeError("torch.linalg.ldl_solve: Expected B to have at least 2 dimensions, but "
                           f"it has {ndim(B)} dimensions instead")
    check_linear_solve(B, LD, "torch.linalg.ldl_solve")
    if sizes_tuple(pivots) != sizes_tuple(LD)[:-1]:
        raise RuntimeError("torch.linalg.ldl_solve: Expected LD.shape[:-1] and pivots.shape to be "
                           f"the same, but got pivots with shape {list(sizes_tuple(pivots))} "
                           "instead")
    if not (pivots.dtype == Int32 or pivots.dtype == Int64):
        raise RuntimeError("torch.linalg.ldl_solve: Expected pivots to be integers. Got "
                           f"{class_name(pivots.dtype)}")
    check_lapack_dtype(dtype, "ldl_solve_kernel_cpu")
    batch = broadcast_sizes(batch_shape(B), batch_shape(LD))
    for size in batch:
        count *= size
    n, nrhs = rows_of(B), cols_of(B)
    result = copy_(empty_matrices(batch, n, nrhs, dtype), B)
    if numel(result):
        LD = expanded_columns(LD, batch, &ld_step)
        pivots = copy_(new_empty(sizes_tuple(pivots), Int32), pivots)
        pivots = _expanded_vectors(pivots, batch, &pivots_step)
        a, b, p = data(LD), data(result), <int*>data(pivots)
        if not lapack_lu.are_ldl_pivots(count if pivots_step else 1, n, p):
            raise RuntimeError("torch.linalg.ldl_solve: these are no pivots of ldl_factor")
        with nogil:
            alone = enter_alone(count, n)
            status = lapack_lu.ldl_solve(dtype, count, n, nrhs, hermitian, a, ld_step, p,
                                         pivots_step, b)
            leave_alone(alone)
        check_status(status, dtype, "ldl_solve_kernel_cpu")
    return result
