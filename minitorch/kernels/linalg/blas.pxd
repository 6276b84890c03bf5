# Matrix products of any element type and any strides. float32 and float64 use our own register tiles
# (gemm_tiles.pxd) if the processor has AVX2 or AVX-512. complex64, complex128 and all other cases use the BLAS of
# SciPy. float16 is converted to float32 and rounded once at the end. Integers (which wrap around, as in PyTorch)
# and small matrices use plain loops (gemm_loops.pxd).
#
# Common to all functions here
#   dtype        a ScalarType other than Bool, the same for all operands
#   alpha, beta  point to a long long (integers), a double (floating) or a double complex; NULL
#                means alpha = 1 and beta = 0. With beta = 0 the output is not read, so
#                nan in it is ignored.
#   strides      in elements; any value for inputs, including 0. The elements of an output do
#                not overlap each other or an input.
#   conj         the operand is conjugated as it is read; ignored for real types
#   returns      a BlasStatus. Only the output is written, and on failure not even
#                the output (except by bmm, which may have finished some matrices).
# The functions may use several threads.

from minitorch.kernels.linalg.matrix cimport Matrix, Vector

# c = alpha * a @ b + beta * c, where a is (m, k), b is (k, n) and c is (m, n)
cdef int gemm(int dtype, const void* alpha, const Matrix* a, const Matrix* b,
              const void* beta, const Matrix* c) noexcept nogil

# The same for a batch: matrix i begins i * batch stride elements further. Batches are split over threads if that
# is faster than the threads of BLAS; the two are never nested.
cdef int bmm(int dtype, Py_ssize_t batch, const void* alpha,
             const Matrix* a, Py_ssize_t a_batch_stride,
             const Matrix* b, Py_ssize_t b_batch_stride,
             const void* beta, const Matrix* c, Py_ssize_t c_batch_stride) noexcept nogil

# y = alpha * a @ x + beta * y
cdef int gemv(int dtype, const void* alpha, const Matrix* a, const Vector* x,
              const void* beta, const Vector* y) noexcept nogil

# out = sum of x[i] * y[i]; `out` points to one element of the dtype
cdef int dot(int dtype, const Vector* x, const Vector* y, char* out) noexcept nogil

# a = alpha * outer(x, y) + beta * a
cdef int ger(int dtype, const void* alpha, const Vector* x, const Vector* y,
             const void* beta, const Matrix* a) noexcept nogil
