# Levels: the transforms `vmap`, `func.grad` and `func.jvp` that are entered, and the tensors that belong to them.

from minitorch.autograd.variable cimport TensorBase
from minitorch.core.special cimport Special


cdef class Level:
    """One entering of a transform, as a context manager."""
    cdef readonly Level outer            # the one it was entered inside of; None outside of all
    cdef readonly int number             # its depth: the innermost has the largest
    cdef readonly str kind               # "vmap", "grad" or "jvp"
    cdef readonly bint alive             # it has not been left
    cdef readonly bint grad_mode         # grad: that of the levels further out
    cdef readonly bint fwd_grad_mode     # jvp: whether tangents are computed further out
    cdef readonly Py_ssize_t batch_size  # vmap
    cdef readonly str randomness         # vmap: "error", "same" or "different"


cdef class Wrapped(Special):
    """A tensor of a level: `value` is what it is to the levels further out."""
    cdef readonly Level level
    cdef readonly TensorBase value
    cdef readonly int dim                # vmap: which dimension of `value` is the batch's; else -1


cdef inline Wrapped wrapped(TensorBase t):
    return <Wrapped>t.impl.special if isinstance(t.impl.special, Wrapped) else None

cdef bint in_levels() noexcept                           # whether this thread is in any
cdef Level innermost_level()                             # that does not compute just now
# The same beyond the vmaps further in than `number`, which have nothing to do; None where that is a vmap too
cdef Level lifting_level(Py_ssize_t number)
cdef TensorBase wrap(TensorBase value, Level level, int dim)
cdef int refresh_wrapped(TensorBase t) except -1         # its value was written to, and may have another shape
cdef tuple without_dead(tuple arguments)                 # wrappers of levels that were left
cdef tuple lifted(tuple arguments, Level level)          # all tensors as those of `level`; None: they are
cdef tuple values_of(tuple arguments)                    # what they are to the levels further out
cdef object rewrapped(object result, Level level)
# Between the two, the levels of this thread from `level` on are not the innermost
cdef unsigned long long hide_from(Level level) noexcept  # what is to be given to `unhide`
cdef void unhide(unsigned long long before) noexcept
