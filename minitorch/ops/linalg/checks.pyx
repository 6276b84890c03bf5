"""Checks of the operands of linear algebra, and the errors for LAPACK's status codes."""

from minitorch.core.dtype cimport (
    Complex64, Complex128, Float16, Float32, Float64, BFloat16, class_name,
    is_differentiable)
from minitorch.core.tensor_impl cimport TensorImpl, data, ndim, numel
from minitorch.kernels.linalg.lapack cimport LAPACK_NO_MEMORY, LAPACK_OK, LAPACK_TOO_LARGE
from minitorch.ops.common.checks cimport not_implemented
from minitorch.ops.linalg.column_major cimport cols_of, rows_of

from minitorch.core.linalg_error import linalg_error


cdef int check_is_matrix(TensorImpl self, str name, str argument="A") except -1:
    if ndim(self) < 2:
        raise RuntimeError(f"{name}: The input tensor {argument} must have at least 2 dimensions.")
    return 0


cdef int check_square(TensorImpl self, str name, str argument="A") except -1:
    check_is_matrix(self, name, argument)
    if rows_of(self) != cols_of(self):
        raise RuntimeError(f"{name}: {argument} must be batches of square matrices, but they are "
                           f"{rows_of(self)} by {cols_of(self)} matrices")
    return 0


cdef int check_floating_or_complex(TensorImpl self, str name, bint wide=False) except -1:
    if not is_differentiable(self.dtype):
        raise RuntimeError(f"{name}: Expected a floating point or complex tensor as input. Got "
                           f"{class_name(self.dtype)}")
    if wide and (self.dtype == Float16 or self.dtype == BFloat16):
        raise RuntimeError(f"{name}: Low precision dtypes not supported. Got "
                           f"{class_name(self.dtype)}")
    return 0


cdef int check_solver(TensorImpl A, TensorImpl B, bint left, str name) except -1:
    check_square(A, name)
    check_is_matrix(B, name, "B")
    if rows_of(A) != (rows_of(B) if left else cols_of(B)):
        raise RuntimeError(f"{name}: Incompatible shapes of A and B for the equation "
                           f"{'AX = B' if left else 'XA = B'} ({rows_of(A)}x{cols_of(A)} and "
                           f"{rows_of(B)}x{cols_of(B)})")
    return 0


cdef int check_linear_solve(TensorImpl b, TensorImpl A, str name) except -1:
    if b.dtype != A.dtype:
        raise RuntimeError(f"Expected b and A to have the same dtype, but found b of type "
                           f"{class_name(b.dtype)} and A of type {class_name(A.dtype)} instead.")
    if rows_of(A) != cols_of(A):
        raise RuntimeError("A must be batches of square matrices, but they are "
                           f"{rows_of(A)} by {cols_of(A)} matrices")
    if cols_of(A) != rows_of(b):
        raise RuntimeError(f"Incompatible matrix sizes for {name}: each A matrix is {cols_of(A)} "
                           f"by {cols_of(A)} but each b matrix is {rows_of(b)} by {cols_of(b)}")
    return 0


cdef int check_lapack_dtype(int dtype, str kernel) except -1:
    if dtype == Float32 or dtype == Float64 or dtype == Complex64 or dtype == Complex128:
        return 0
    raise not_implemented(kernel, dtype)


cdef int check_status(int status, int dtype, str kernel) except -1:
    if status == LAPACK_OK:
        return 0
    if status == LAPACK_TOO_LARGE:
        raise RuntimeError(f"{kernel}: a matrix of this size is not supported")
    if status == LAPACK_NO_MEMORY:
        raise MemoryError(f"no scratch memory for {kernel}")
    raise not_implemented(kernel, dtype)


cdef int check_infos(TensorImpl infos, str name, bint is_matrix) except -1:
    cdef int* info = <int*>data(infos)
    cdef Py_ssize_t k
    for k in range(numel(infos)):
        if info[k] != 0:
            raise linalg_error(info[k], name, None if is_matrix else k)
    return 0
