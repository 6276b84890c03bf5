# Matrix products without BLAS: for integers, which BLAS does not support, and for matrices so small that a call
# of BLAS costs more than the product.

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from minitorch.kernels.linalg.matrix cimport Matrix, Vector

# The element types of a matrix. Signed integers are computed as unsigned ones: the bits of a product modulo 2**w
# are the same, and overflow is defined. float16 is excluded, since it is stored as uint16_t.
ctypedef fused Number:
    uint8_t
    uint16_t
    uint32_t
    uint64_t
    float
    double
    float complex
    double complex

# c = alpha * a @ b + beta * c by plain loops over any strides; with beta = 0, c is not read. `tag` only selects
# the type.
cdef void small_gemm(Number* tag, Number alpha, const Matrix* a, const Matrix* b,
                     Number beta, const Matrix* c) noexcept nogil

# The same for integers of any size: packed, in blocks, over threads. Returns a BlasStatus.
cdef int integer_gemm(int itemsize, long long alpha, const Matrix* a, const Matrix* b,
                      long long beta, const Matrix* c) noexcept nogil

# c = beta * c, or 0 if beta is 0, whatever c contains
cdef void scale(Number* tag, Number beta, const Matrix* c) noexcept nogil

# The sum of x[i] * y[i]
cdef void small_dot(Number* tag, const Vector* x, const Vector* y, Number* out) noexcept nogil

# a = alpha * outer(x, y) + beta * a, over threads
cdef void outer(Number* tag, Number alpha, const Vector* x, const Vector* y,
                Number beta, const Matrix* a) noexcept nogil
