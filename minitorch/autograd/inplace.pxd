# Writes to tensors in place: the checks before them, with PyTorch's errors, and the new history afterwards.

from minitorch.autograd.grad_mode cimport inference_enabled
from minitorch.autograd.node cimport Node
from minitorch.autograd.variable cimport TensorBase

cdef inline int check_not_inference(TensorBase t) except -1:
    if t.impl.uncounted and not inference_enabled():
        refuse_inference_write()
    return 0

cdef int refuse_inference_write() except -1
cdef int check_inplace(TensorBase t, bint records) except -1
cdef int check_out(TensorBase out) except -1              # the check for `out=`, which is never recorded
cdef int rebase_history(TensorBase t, Node grad_fn) except -1
cdef int move_view(TensorBase t, Node grad_fn) except -1  # for t_() and others that change the shape, not the data
