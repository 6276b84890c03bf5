# Products with vectors by register tiles, for float32 and float64.

from minitorch.kernels.common.types cimport Real
from minitorch.kernels.linalg.matrix cimport Matrix, Vector

# y = alpha * a @ x + beta * y for an a without gaps in its rows or in its columns, and any strides of x and y; no
# operand is empty. Runs over threads. Returns a BlasStatus.
cdef int tile_gemv(Real alpha, const Matrix* a, const Vector* x, Real beta,
                   const Vector* y) noexcept nogil

# The sum of x[i] * y[i] for vectors without gaps, over threads
cdef Real tile_dot(Py_ssize_t n, const Real* x, const Real* y) noexcept nogil

# out[i] = sum over j < n of x[j] * a[i * row + j] for `count` rows, 1 or 8; |8 * row| < 2**31
cdef void dots_of_rows(int count, Py_ssize_t n, const Real* x, const Real* a, Py_ssize_t row,
                       Real* out) noexcept nogil

# y[i] = alpha * sums[i] + beta * y[i], `step` apart; with beta = 0, y is not read
cdef void finish(Real alpha, const Real* sums, Py_ssize_t n, Real beta, Real* y,
                 Py_ssize_t step) noexcept nogil
