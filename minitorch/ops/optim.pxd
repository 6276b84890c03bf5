# One step of an optimizer on one parameter: all tensors of its sizes and dtype (Float32, Float64)
# and row-major, which `suits` asks about. Nobody's version is counted here.

from minitorch.core.tensor_impl cimport TensorImpl
from minitorch.kernels.optim cimport AdamStep, SgdStep

cdef bint takes_steps(TensorImpl p) noexcept                    # a parameter these loops can change
cdef bint suits(TensorImpl t, TensorImpl p) noexcept            # its gradient or a part of its state
# velocity: None when momentum is 0
cdef int sgd_(TensorImpl p, TensorImpl grad, TensorImpl velocity, SgdStep* options) except -1
# largest: None without amsgrad
cdef int adam_(TensorImpl p, TensorImpl grad, TensorImpl mean, TensorImpl square,
               TensorImpl largest, AdamStep* options) except -1
