# One step of an optimizer on one parameter. All tensors have the sizes and dtype (Float32 or Float64) of the
# parameter and are row-major; `suits` checks that. Version counters are not changed here.

from minitorch.core.tensor_impl cimport TensorImpl
from minitorch.kernels.nn.optim cimport AdamStep, SgdStep

cdef bint takes_steps(TensorImpl p) noexcept                    # a parameter these loops support
cdef bint suits(TensorImpl t, TensorImpl p) noexcept            # whether t can be its gradient or state
# velocity: None when momentum is 0
cdef int sgd_(TensorImpl p, TensorImpl grad, TensorImpl velocity, SgdStep* options) except -1
# largest: None without amsgrad
cdef int adam_(TensorImpl p, TensorImpl grad, TensorImpl mean, TensorImpl square,
               TensorImpl largest, AdamStep* options) except -1
