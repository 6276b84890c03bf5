# Classes and modes with __torch_dispatch__, whose Python code computes in place of a kernel.

from minitorch.autograd.node cimport Node
from minitorch.autograd.operators cimport Operator
from minitorch.autograd.special cimport SpecialGradient, interposers
from minitorch.autograd.variable cimport TensorBase
from minitorch.core.special cimport Special
from minitorch.core.tensor_impl cimport TensorImpl


cdef class Dispatched(Special):
    """A tensor of a class with __torch_dispatch__."""
    cdef readonly type cls
    cdef readonly object reference       # weak, to the tensor
    cdef readonly TensorBase kept        # the tensor, of an impl that a node has saved
    cdef public object device            # None: the CPU
    cdef public object layout            # None: strided
    cdef SpecialGradient _counted        # a gradient may be of such a class


cdef class Modes(Special):
    """The special of a thread that has modes with __torch_dispatch__."""


cdef inline Dispatched dispatched_of(TensorImpl t):
    """Return the `special` of a tensor of such a class, else None."""
    return <Dispatched>t.special if isinstance(t.special, Dispatched) else None


cdef bint asks_python(tuple arguments) except -1         # whether a mode or the class of an argument handles a call
cdef object call_python(Operator operator, tuple arguments)
cdef object decompose(Operator operator, tuple arguments)    # what PyTorch has no operator for; None: it has
cdef bint has_kernels() noexcept                         # whether a program has put some in the place of others
cdef object call_kernel(Operator operator, tuple arguments)  # of a program's, before recording; None: there is none
cdef object create_in_python(str name, tuple args, dict kwargs)
cdef bint is_dispatched(TensorBase t)                    # by a mode of this thread, or by its class

# What formulas need that PyTorch makes as a tensor: for where(), and for the gradient of a whole
cdef TensorBase zero_of(TensorBase t, object zero=*)
cdef TensorBase new_zeros(TensorBase t, tuple size, bint with_options)   # None: no mode or class handles it

# What nodes save. See Note [Saving what Python computes]
cdef TensorImpl copy_to_save(TensorBase t)               # before it is written to
cdef TensorImpl output_to_save(TensorBase t)
cdef int let_go_of(Node node, TensorBase t) except -1    # `t` was written to, and has this node now

cdef inline TensorImpl to_save(TensorBase t):
    """Return an impl to save for `t`, which leads back to the tensor if its impl alone does not."""
    return t.impl if t.impl.special is None else (<Special>t.impl.special).to_save(t, t.impl)

cdef inline TensorImpl result_to_save(TensorBase t):
    return t.impl if t.impl.special is None and not interposers else output_to_save(t)
