# Gated linear units.

from minitorch.core.tensor_impl cimport TensorImpl

# the first half of `dim` times the sigmoid of the second half
cdef TensorImpl glu(TensorImpl self, Py_ssize_t dim=*)
# the gradient with respect to the value and to the gate before the sigmoid
cdef TensorImpl glu_backward(TensorImpl grad_output, TensorImpl self, Py_ssize_t dim)
