# The derivatives of the view operators: a gradient of the view becomes one of the tensor it was
# taken from. Sizes are those of that tensor. Named as PyTorch's.

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl select_backward(TensorImpl grad_output, tuple input_sizes, Py_ssize_t dim,
                                Py_ssize_t index)
cdef TensorImpl slice_backward(TensorImpl grad_output, tuple input_sizes, Py_ssize_t dim,
                               object start, object end, Py_ssize_t step)
cdef TensorImpl diagonal_backward(TensorImpl grad_output, tuple input_sizes, Py_ssize_t offset,
                                  Py_ssize_t dim1, Py_ssize_t dim2)
cdef TensorImpl unfold_backward(TensorImpl grad_in, tuple input_sizes, Py_ssize_t dim,
                                Py_ssize_t size, Py_ssize_t step)
# The input's geometry and the arguments as_strided had; both may overlap in themselves
cdef TensorImpl as_strided_backward(TensorImpl grad, tuple input_sizes, tuple input_strides,
                                    Py_ssize_t input_offset, tuple sizes, tuple strides,
                                    object storage_offset)
# The derivative of that function, which is linear in the gradient
cdef TensorImpl as_strided_gather(TensorImpl grad, tuple input_sizes, tuple input_strides,
                                  Py_ssize_t input_offset, tuple sizes, tuple strides,
                                  object storage_offset)
# of squeeze(), squeeze(dim) and squeeze(dims)
cdef TensorImpl unsqueeze_to(TensorImpl grad, tuple sizes)
cdef TensorImpl unsqueeze_to_dim(TensorImpl grad, Py_ssize_t dim, tuple sizes)
cdef TensorImpl unsqueeze_to_dims(TensorImpl grad, tuple dim, tuple sizes)
# grads: a list of TensorImpl, None where nothing arrived
cdef TensorImpl split_with_sizes_backward(list grads, tuple split_sizes, Py_ssize_t dim,
                                          tuple sizes, int dtype)
cdef TensorImpl split_backward(list grads, Py_ssize_t split_size, Py_ssize_t dim, tuple sizes,
                               int dtype)
cdef TensorImpl unbind_backward(list grads, Py_ssize_t dim)     # at least one gradient is there
