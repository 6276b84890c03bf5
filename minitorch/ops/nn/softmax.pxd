# softmax and log_softmax along one dimension, and their derivatives. half_to_float raises, since it is meant for
# other devices. Results are row-major.

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl _softmax(TensorImpl self, Py_ssize_t dim, bint half_to_float=*, TensorImpl out=*)
cdef TensorImpl _log_softmax(TensorImpl self, Py_ssize_t dim, bint half_to_float=*,
                             TensorImpl out=*)
# computed from the gradient of the result and the result
cdef TensorImpl _softmax_backward_data(TensorImpl grad_output, TensorImpl output, Py_ssize_t dim,
                                       int input_dtype, TensorImpl out=*)
cdef TensorImpl _log_softmax_backward_data(TensorImpl grad_output, TensorImpl output,
                                           Py_ssize_t dim, int input_dtype, TensorImpl out=*)
