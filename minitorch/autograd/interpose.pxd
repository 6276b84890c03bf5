# Tensors that somebody else computes for: those of vmap and func.grad, and classes with __torch_dispatch__.
#
# Such a tensor's impl has a `special`; that is the only test an ordinary tensor pays for. See
# Note [Interposition] in interpose.pyx.

from minitorch.autograd.operators cimport Operator
from minitorch.autograd.variable cimport TensorBase

# In a recording wrapper. None: nobody takes the call over, go on; what is computed is for `compute`
cdef object interpose(Operator operator, tuple arguments)
# Result of the operator at this level, without a history there. None: the kernel is to compute it
cdef object compute(Operator operator, tuple arguments)

# In a composed operator, for a profiler: its result if somebody was told of the call, None: go on
cdef object heard(Operator operator, tuple arguments)

cdef enum DataUse:                       # what somebody wants with the elements of a tensor
    ITEM
    TRUTH
    LIST
    POINTER
    STORAGE

cdef inline int check_data(TensorBase t, DataUse use) except -1:
    """PyTorch's error where the tensor has no elements of its own: it is every sample of a batch."""
    if t.impl.special is not None:
        refuse_data(t, use)
    return 0

cdef int refuse_data(TensorBase t, DataUse use) except -1
