# Tensors that somebody else computes for: those of vmap and func.grad, and classes with __torch_dispatch__.
#
# Such a tensor's impl has a `special`; that is the only test an ordinary tensor pays for. See
# Note [Interposition] in interpose.pyx.

from minitorch.autograd.node cimport Node
from minitorch.autograd.variable cimport TensorBase
from minitorch.core.tensor_impl cimport TensorImpl

cdef int interposers                     # transforms and modes that are entered, in all threads


cdef class Operator:
    """A recorded operator as a value: one form of a row of derivatives.toml."""
    cdef readonly str name               # the row
    cdef readonly str form               # "", "_" (in place) or "_out"
    cdef readonly tuple parameters       # (name, kind, default), in order; with "out" at the end
    cdef readonly bint view
    cdef object (*function)(tuple)


cdef class Level:
    """One entering of a transform."""
    cdef readonly int number             # its depth: the innermost has the largest
    cdef readonly str kind               # "vmap" or "grad"
    cdef readonly bint alive             # it has not been left
    cdef readonly bint grad_mode         # grad: that of the levels further out
    cdef readonly Py_ssize_t batch_size  # vmap
    cdef readonly str randomness         # vmap: "error", "same" or "different"


cdef class Special:
    """What `TensorImpl.special` is, when it is not None."""


cdef class Wrapped(Special):
    """A tensor of a level: `value` is what it is to the levels further out."""
    cdef readonly Level level
    cdef readonly TensorBase value
    cdef readonly int dim                # vmap: which dimension of `value` is the batch's; grad: -1


cdef class Dispatched(Special):
    """A tensor of a class with __torch_dispatch__."""
    cdef readonly type cls
    cdef readonly object reference       # weak, to the tensor
    cdef readonly TensorBase kept        # the tensor, of an impl that a node has saved


cdef inline bint is_special(TensorBase t) noexcept:
    return t is not None and t.impl.special is not None

cdef bint any_special(object tensors) except -1          # of a list, with None in it
cdef bint needs_tensors(object tensors) except -1        # whether a backward from these must run on Tensors

cdef Operator make_operator(str name, str form, tuple parameters, bint view, object (*function)(tuple))
# In a recording wrapper. None: nobody takes the call over, go on; what is computed is for `compute`
cdef object interpose(Operator operator, tuple arguments)
# Result of the operator at this level, without a history there. None: the kernel is to compute it
cdef object compute(Operator operator, tuple arguments)
cdef TensorBase wrap(TensorBase value, Level level, int dim)
cdef TensorImpl copy_to_save(TensorBase t)               # before it is written to
cdef TensorImpl special_to_save(TensorBase t)            # an impl that leads back to the tensor
cdef TensorImpl output_to_save(TensorBase t)
cdef TensorBase tensor_of(TensorImpl saved)              # the tensor it leads back to, else a new one
cdef TensorBase output_of(TensorImpl saved, Node node, unsigned int output_nr)
cdef bint is_dispatched(TensorBase t)                    # by a mode of this thread, or by its class

cdef inline TensorImpl to_save(TensorBase t):
    return t.impl if t.impl.special is None else special_to_save(t)

cdef inline TensorImpl result_to_save(TensorBase t):
    return t.impl if t.impl.special is None and not interposers else output_to_save(t)

cdef enum DataUse:                       # what somebody wants with the elements of a tensor
    ITEM
    TRUTH
    POINTER
    STORAGE

cdef inline int check_data(TensorBase t, DataUse use) except -1:
    """PyTorch's error where the tensor has no elements of its own: it is every sample of a batch."""
    if t.impl.special is not None:
        refuse_data(t, use)
    return 0

cdef int refuse_data(TensorBase t, DataUse use) except -1
