# `Special`, the base class of `TensorImpl.special`: what is different about a tensor that is more than its memory.
# See Note [Special tensors] in special.pyx.

from minitorch.core.tensor_impl cimport TensorImpl

cdef enum:
    ON_CPU = 0
    ON_META = 1
    REPORTED_BY_CLASS = 2                # a class in Python decides which device it reports

cdef enum DataUse:                       # how the elements of a tensor are about to be used
    ITEM
    TRUTH
    LIST
    POINTER
    STORAGE

cdef enum DataKind:                      # how the attribute `data` of a tensor is made
    ALIAS                                # over the same memory, with a version counter of its own
    DETACHED                             # by `detach`
    DETACHED_WITH_COUNTER                # by `detach`, and with a version counter of its own


cdef class Special:
    # The tensors that methods take are TensorBases, which this module is built below. A method whose default
    # returns None leaves the work to the code for ordinary tensors.
    cdef signed char device_kind
    cdef signed char rank                # among the kinds in one call, the lowest rank computes first: `compute`

    # -- operators
    cdef object compute(self, object operator, tuple arguments)  # the value of a call; None: a kernel can compute it
    # -- elements and memory
    cdef int check_data(self, object t, int use) except -1       # raise if `t` has no elements for this DataUse
    cdef TensorImpl resolved(self, TensorImpl impl)              # with its elements as they are to be read, in memory
    cdef int data_kind(self) except -1                           # a DataKind; raises if there is no `data`
    cdef int check_set_data(self) except -1                      # raise if `data` may not be assigned
    cdef bint stays_with_tensor(self) noexcept                   # whether an assignment to `data` leaves it in place
    # -- gradients
    cdef object copy_gradient(self, object leaf, object gradient)    # a recorded copy to become `.grad`, or None
    cdef object add(self, object old, object new)                    # the recorded sum of two gradients, or None
    # Add a gradient to the `.grad` of a leaf without recording. `recording`: the backward runs on Tensors; `alone`:
    # nothing else holds the gradient. False: it is left to the code for ordinary tensors
    cdef bint accumulate(self, object leaf, object gradient, bint recording, bint alone) except -1
    # -- what nodes save
    cdef TensorImpl to_save(self, object t, TensorImpl impl)     # an impl that leads back to `t`, whose own is `impl`
    cdef object saved_tensor(self, TensorImpl saved)             # the tensor that a saved impl leads back to, or None
    cdef object saved_output(self, TensorImpl saved)             # a new tensor of a node's saved output, or None
    # -- the arguments of a backward
    cdef int check_edge(self, str what, object number) except -1     # raise if no gradient of it can be computed


cdef int raise_no_data(int use) except -1        # raise the error for a DataUse of a tensor without elements

cdef inline signed char device_kind_of(TensorImpl t) noexcept:
    return ON_CPU if t.special is None else (<Special>t.special).device_kind

cdef inline TensorImpl resolved_impl(TensorImpl t):
    """Return an impl with the elements of `t` in memory as they are to be read; nearly always `t` itself."""
    return t if t.special is None else (<Special>t.special).resolved(t)

# The `Special` of the modes of this thread, which also see operators on ordinary tensors; None outside of modes
cdef Special special_of_thread()
cdef void set_special_of_thread(Special special) noexcept        # which the caller keeps alive
