# Complex tensors and their parts. All functions except `complex` return views.

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl real(TensorImpl self)                 # self when it is real
cdef TensorImpl imag(TensorImpl self)                 # RuntimeError for real tensors
cdef TensorImpl view_as_real(TensorImpl self)         # a last dimension of 2
cdef TensorImpl view_as_complex(TensorImpl self)
cdef TensorImpl complex(TensorImpl real, TensorImpl imag)   # a new tensor
