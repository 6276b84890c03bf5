# Levels, one for each transform (such as `vmap`, `func.grad`, `func.jvp`) that is entered, and their tensors.

from minitorch.autograd.variable cimport TensorBase
from minitorch.core.special cimport Special
from minitorch.core.tensor_impl cimport TensorImpl


cdef class Level:
    """One entering of a transform, as a context manager."""
    cdef readonly Level outer            # the level that it was entered inside of, or None
    cdef readonly int number             # its depth: the innermost level has the largest number
    cdef readonly str kind               # "vmap", "grad", "jvp" or "functionalize"
    cdef readonly bint alive             # entered, and not left yet
    cdef readonly bint grad_mode         # grad: the grad mode of the levels further out
    cdef readonly bint fwd_grad_mode     # jvp: whether tangents are computed further out
    cdef readonly bint linearizes        # jvp: tangents are recorded further out even in `no_grad`
    cdef readonly Py_ssize_t batch_size  # vmap
    cdef readonly str randomness         # vmap: "error", "same" or "different"


cdef class Wrapped(Special):
    """The `special` of a tensor of a level; `value` is the tensor that it wraps, of a level further out."""
    cdef readonly Level level
    cdef readonly TensorBase value
    cdef readonly int dim                # vmap: the batch dimension of `value`; else -1
    cdef bint captured                   # `value`, or what it is a view of, is from outside of the level


cdef inline Wrapped wrapped_in(TensorImpl t):
    """Return the `special` of a tensor of a level, else None."""
    return <Wrapped>t.special if t.special is not None and isinstance(t.special, Wrapped) else None

cdef inline Wrapped wrapped(TensorBase t):
    return wrapped_in(t.impl)

cdef bint in_levels() noexcept                           # whether this thread is in a level
cdef Level innermost_level()                             # the innermost level that is not hidden, or None
# The innermost level that is not hidden, skipping vmaps further in than `number`; None if that is a vmap
cdef Level lifting_level(Py_ssize_t number)
cdef TensorBase wrap(TensorBase value, Level level, int dim)
cdef int refresh_wrapped(TensorBase t) except -1         # update a tensor after a write to its value
cdef tuple without_dead(tuple arguments)                 # unwrap tensors of levels that were left
cdef tuple lifted(tuple arguments, Level level)          # wrap all tensors for `level`; None if they are already
cdef tuple values_of(tuple arguments)                    # replace wrapped tensors by what they wrap
cdef object rewrapped(object result, Level level)
# Hide `level` and the levels further in from this thread, until `unhide` is called with the result
cdef unsigned long long hide_from(Level level) noexcept
cdef void unhide(unsigned long long before) noexcept
