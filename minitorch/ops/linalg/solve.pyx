# cython: wraparound=True
"""Linear systems, inverses and determinants, computed with LU.

Inverses and determinants factor a row-major real matrix as its column-major transpose, which is the cheaper copy,
and solve systems with the transposed factors.
"""

from libc.string cimport memcmp

from minitorch.core.dtype cimport class_name, is_complex, to_real
from minitorch.core.tensor_impl cimport (
    TensorImpl, data, is_contiguous, ndim, sizes, sizes_tuple)
from minitorch.kernels.linalg cimport lapack_lu
from minitorch.ops.common.checks cimport broadcast_sizes
from minitorch.ops.common.copy cimport copy_
from minitorch.ops.creation.factory cimport eye, new_empty
from minitorch.ops.linalg.checks cimport (
    check_floating_or_complex, check_infos, check_lapack_dtype, check_solver, check_square,
    check_status)
from minitorch.ops.linalg.column_major cimport (
    batch_count, batch_shape, clone_columns, cols_of, empty_columns,
    rows_of)
from minitorch.ops.linalg.lu cimport factor_in_place, solve_factored
from minitorch.ops.shape.transposes cimport transpose
from minitorch.ops.shape.views cimport expand, squeeze_dim, unsqueeze


cdef bint _use_transposed(TensorImpl A) noexcept:
    return is_contiguous(A) and not is_complex(A.dtype)


cdef TensorImpl _to_factor(TensorImpl A):
    return clone_columns(transpose(A, -2, -1) if _use_transposed(A) else A)


cdef bint is_vector_rhs(TensorImpl A, TensorImpl B) noexcept:
    if ndim(B) == 1:
        return True
    return (ndim(A) - 1 == ndim(B)
            and memcmp(sizes(A), sizes(B), ndim(B) * sizeof(Py_ssize_t)) == 0)


cdef tuple _linalg_solve_ex(TensorImpl A, TensorImpl B, bint left=True, bint check_errors=False):
    cdef bint vectors
    cdef TensorImpl LU, pivots, infos, right, result
    cdef tuple batch
    check_floating_or_complex(A, "linalg.solve")
    if A.dtype != B.dtype:
        raise RuntimeError("linalg.solve: Expected A and B to have the same dtype, but found A of "
                           f"type {class_name(A.dtype)} and B of type {class_name(B.dtype)} "
                           "instead")
    vectors = is_vector_rhs(A, B)
    right = unsqueeze(B, -1) if vectors else B
    check_solver(A, right, left, "linalg.solve")
    if not left and vectors:
        raise RuntimeError("linalg.solve: Vector broadcasting of the left hand side is not "
                           "supported for left=False. In this case linalg.solve is equivalent to "
                           "B / A.squeeze(-1)")
    batch = broadcast_sizes(batch_shape(right), batch_shape(A))
    check_lapack_dtype(A.dtype, "lu_cpu")
    LU = clone_columns(A)
    pivots, infos = factor_in_place(LU)
    if check_errors:
        check_infos(infos, "torch.linalg.solve_ex", ndim(A) == 2)
    result = solve_factored(LU, pivots, right, batch, left, False)
    if vectors:
        result = squeeze_dim(result, -1)
        # PyTorch gives a result of vectors these strides
        result = copy_(empty_columns(sizes_tuple(result), A.dtype), result)
    return result, LU, pivots, infos


cdef tuple linalg_inv_ex(TensorImpl A, bint check_errors=False):
    cdef TensorImpl LU, pivots, infos, result
    check_square(A, "linalg.inv")
    check_floating_or_complex(A, "linalg.inv", True)
    LU = _to_factor(A)
    pivots, infos = factor_in_place(LU)
    result = eye(rows_of(A), cols_of(A), A.dtype)
    result = solve_factored(LU, pivots, expand(result, sizes_tuple(A)), batch_shape(A), True,
                            _use_transposed(A))
    if check_errors:
        check_infos(infos, "linalg.inv_ex", ndim(A) == 2)
    return result, infos


cdef tuple _linalg_det(TensorImpl A):
    cdef TensorImpl LU, pivots, result
    cdef int status, dtype = A.dtype
    check_square(A, "linalg.det")
    check_floating_or_complex(A, "linalg.det")
    check_lapack_dtype(dtype, "lu_cpu")
    LU = _to_factor(A)
    pivots, _ = factor_in_place(LU)
    result = new_empty(batch_shape(A), dtype)
    status = lapack_lu.lu_determinant(dtype, batch_count(A), rows_of(A), data(LU),
                                      <const int*>data(pivots), data(result))
    check_status(status, dtype, "lu_cpu")
    return result, LU, pivots


cdef tuple _linalg_slogdet(TensorImpl A):
    cdef TensorImpl LU, pivots, sign, logabsdet
    cdef int status, dtype = A.dtype
    check_square(A, "linalg.slogdet")
    check_floating_or_complex(A, "linalg.slogdet", True)
    LU = _to_factor(A)
    pivots, _ = factor_in_place(LU)
    sign = new_empty(batch_shape(A), dtype)
    logabsdet = new_empty(batch_shape(A), to_real(dtype))
    status = lapack_lu.lu_log_determinant(dtype, batch_count(A), rows_of(A), data(LU),
                                          <const int*>data(pivots), data(sign), data(logabsdet))
    check_status(status, dtype, "lu_cpu")
    return sign, logabsdet, LU, pivots
