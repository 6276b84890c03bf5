# Views that change the shape and keep the order of the elements: view, reshape, flatten, expand, squeeze. The
# result shares storage and version counter with `self`.

from minitorch.core.tensor_impl cimport TensorImpl

# Store the sizes of `sequence`, with one -1 filled in so that they hold `numel` elements, and return their
# number. Raises a RuntimeError such as "shape '[2, 3]' is invalid for input of size 7"
cdef int infer_size(object sequence, Py_ssize_t numel, Py_ssize_t* out) except -1
# Store the strides with which `size` views the elements of self in order; returns False if there are none
cdef bint compute_stride(TensorImpl self, int n, const Py_ssize_t* size, Py_ssize_t* out) noexcept
# Whether reshape(self, shape) is a view. Raises the errors of reshape
cdef bint reshape_is_view(TensorImpl self, tuple shape) except -1

cdef TensorImpl alias(TensorImpl self)
cdef TensorImpl detach(TensorImpl self)
# An alias that can be differentiated only once, and its gradient
cdef TensorImpl alias_once(TensorImpl self, str message)
cdef TensorImpl grad_once(TensorImpl grad, TensorImpl self, str message, bint missing)
cdef TensorImpl view(TensorImpl self, tuple size)
# view with a version counter of its own, for an input that nothing else refers to
cdef TensorImpl unsafe_view(TensorImpl self, tuple size)
cdef TensorImpl view_dtype(TensorImpl self, int dtype)      # reads the same bytes as another dtype
cdef TensorImpl view_as(TensorImpl self, TensorImpl other)
cdef TensorImpl reshape(TensorImpl self, tuple shape)       # a copy if no view is possible
# may be self
cdef TensorImpl flatten(TensorImpl self, Py_ssize_t start_dim=*, Py_ssize_t end_dim=*)
cdef TensorImpl unflatten(TensorImpl self, Py_ssize_t dim, tuple sizes)
cdef TensorImpl expand(TensorImpl self, tuple size, bint implicit=*)
cdef TensorImpl expand_as(TensorImpl self, TensorImpl other)
cdef TensorImpl broadcast_to(TensorImpl self, tuple size)
cdef list broadcast_tensors(list tensors)
cdef TensorImpl as_strided(TensorImpl self, tuple size, tuple stride, object storage_offset=*)
cdef TensorImpl squeeze(TensorImpl self)
cdef TensorImpl squeeze_dim(TensorImpl self, Py_ssize_t dim)
cdef TensorImpl squeeze_dims(TensorImpl self, tuple dim)
cdef TensorImpl unsqueeze(TensorImpl self, Py_ssize_t dim)
