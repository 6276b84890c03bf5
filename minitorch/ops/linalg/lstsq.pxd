# Least squares.

from minitorch.core.tensor_impl cimport TensorImpl

# (solution, residuals, rank, singular_values); values that the driver does not compute are empty
cdef tuple linalg_lstsq(TensorImpl self, TensorImpl b, object rcond=*, object driver=*)
