# The derivatives of the view operators, with PyTorch's names. They turn the gradient of a view into the gradient
# of its base; sizes are those of the base.

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl select_backward(TensorImpl grad_output, tuple input_sizes, Py_ssize_t dim,
                                Py_ssize_t index)
cdef TensorImpl slice_backward(TensorImpl grad_output, tuple input_sizes, Py_ssize_t dim,
                               object start, object end, Py_ssize_t step)
cdef TensorImpl diagonal_backward(TensorImpl grad_output, tuple input_sizes, Py_ssize_t offset,
                                  Py_ssize_t dim1, Py_ssize_t dim2)
cdef TensorImpl unfold_backward(TensorImpl grad_in, tuple input_sizes, Py_ssize_t dim,
                                Py_ssize_t size, Py_ssize_t step)
# Takes the geometry of the input and the arguments of as_strided; both geometries may overlap themselves
cdef TensorImpl as_strided_backward(TensorImpl grad, tuple input_sizes, tuple input_strides,
                                    Py_ssize_t input_offset, tuple sizes, tuple strides,
                                    object storage_offset)
# The derivative of that function, which is linear in the gradient
cdef TensorImpl as_strided_gather(TensorImpl grad, tuple input_sizes, tuple input_strides,
                                  Py_ssize_t input_offset, tuple sizes, tuple strides,
                                  object storage_offset)
# For squeeze(), squeeze(dim) and squeeze(dims)
cdef TensorImpl unsqueeze_to(TensorImpl grad, tuple sizes)
cdef TensorImpl unsqueeze_to_dim(TensorImpl grad, Py_ssize_t dim, tuple sizes)
cdef TensorImpl unsqueeze_to_dims(TensorImpl grad, tuple dim, tuple sizes)
# grads: a list of TensorImpl, with None for missing gradients
cdef TensorImpl split_with_sizes_backward(list grads, tuple split_sizes, Py_ssize_t dim,
                                          tuple sizes, int dtype)
cdef TensorImpl split_backward(list grads, Py_ssize_t split_size, Py_ssize_t dim, tuple sizes,
                               int dtype)
cdef TensorImpl unbind_backward(list grads, Py_ssize_t dim)     # requires at least one gradient
