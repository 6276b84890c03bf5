# Operators on special tensors, which are not simply recorded and computed by a kernel: tensors of vmap and func.grad,
# of classes with __torch_dispatch__, and others.
#
# The impl of such a tensor has a `special`. See Note [Interposition] in interpose.pyx.

from minitorch.autograd.operators cimport Operator
from minitorch.autograd.variable cimport TensorBase
from minitorch.core.special cimport DataUse, Special

# Called by `bind` inside of levels. Returns the result if other operators compute it. None: go on
cdef object compose(Operator operator, tuple arguments)
# Called by `bind`. Returns the result if a transform handles the call. None: record it here, and call `compute` for
# the value
cdef object interpose(Operator operator, tuple arguments)
# The value of the operator at this level, without history there. None: call the kernel
cdef object compute(Operator operator, tuple arguments)

# Called first by a composed operator: reports the call if calls are watched, and returns the result. None: go on
cdef object heard(Operator operator, tuple arguments)

cdef inline int check_data(TensorBase t, DataUse use) except -1:
    """Raise PyTorch's error if the tensor has no elements of its own, such as a sample of a batch."""
    if t.impl.special is not None:
        (<Special>t.impl.special).check_data(t, use)
    return 0
