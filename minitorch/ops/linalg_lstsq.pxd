# Least squares.

from minitorch.core.tensor_impl cimport TensorImpl

# (solution, residuals, rank, singular_values); what the driver does not know is empty
cdef tuple linalg_lstsq(TensorImpl self, TensorImpl b, object rcond=*, object driver=*)
