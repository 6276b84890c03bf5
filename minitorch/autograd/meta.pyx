"""Tensors on the device ``meta``: they have a shape, strides and a dtype, and no elements.

Note [Meta tensors]
The `special` of such a tensor is a `Meta` (Note [Interposition]). It is recorded like any other tensor. For the
result of an operator, minitorch/tensors/meta_rules.py calls the operator on stand-ins that are all zeros, and keeps
only the shape of what it returns. The memory behind a large meta tensor is mapped and never written to, so that it
takes no physical memory. A kernel that reads it by mistake reads zeros.
"""

from libc.stdlib cimport calloc, free

from minitorch.autograd.accumulate_by_operators cimport accumulate_by_operators, copy_by_operators
from minitorch.autograd.levels cimport wrapped
from minitorch.autograd.variable cimport make_tensor, set_impl
from minitorch.core.dtype cimport UInt8, itemsizes
from minitorch.core.special cimport ON_META, STORAGE, raise_no_data
from minitorch.core.untyped_storage cimport wrap_storage
from minitorch.core.tensor_impl cimport (
    TensorImpl, alias, external, ndim, sizes, strides)

from minitorch.core import types

cdef extern from "Python.h":
    Py_ssize_t PY_SSIZE_T_MAX

cdef extern from "sys/mman.h" nogil:
    int PROT_READ
    int PROT_WRITE
    int MAP_PRIVATE
    int MAP_ANONYMOUS
    int MAP_NORESERVE
    void* mmap(void* where, size_t length, int protection, int flags, int fd, long offset)
    int munmap(void* where, size_t length)

cdef extern from *:
    """
    static _Thread_local int minitorch_default_meta = 0;
    """
    int minitorch_default_meta

cdef enum:
    MAPPED = 1 << 20                     # from this many bytes on, memory is mapped without being reserved

cdef Meta _meta = Meta()                 # all are alike


cdef class Meta(Special):
    def __cinit__(self):
        self.device_kind = ON_META
        self.rank = 3

    cdef int check_data(self, object t, int use) except -1:
        return 0 if use == STORAGE else raise_no_data(use)

    cdef object copy_gradient(self, object leaf, object gradient):
        return copy_by_operators(leaf, gradient)

    cdef bint accumulate(self, object leaf, object gradient, bint recording, bint alone) except -1:
        if recording:
            accumulate_by_operators(leaf, gradient, alone)
        return recording


cdef class NoData:
    def __cinit__(self, Py_ssize_t nbytes):
        cdef void* memory
        self.nbytes = nbytes
        if nbytes < MAPPED:
            memory = calloc(max(nbytes, 1), 1)
            if memory == NULL:
                raise MemoryError()
        else:
            memory = mmap(NULL, nbytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
            if memory == <void*>-1:
                raise MemoryError(f"no addresses for {nbytes} bytes")
            self.mapped = True
        self.memory = <char*>memory

    def __dealloc__(self):
        if self.mapped:
            munmap(self.memory, self.nbytes)
        else:
            free(self.memory)


class Notable(NoData):
    """A NoData that can have attributes, for what a file says about the storage."""


cdef TensorImpl without_elements(int dims, const Py_ssize_t* n, const Py_ssize_t* s, Py_ssize_t storage_offset,
                                 int dtype, Py_ssize_t storage_size=-1):
    cdef NoData memory
    cdef TensorImpl impl
    cdef object size, extent = 1         # Python integers, which cannot overflow
    cdef int d
    for d in range(dims):
        size = n[d]
        if s == NULL:
            extent *= size
        else:
            extent = 0 if size == 0 or extent == 0 else extent + (size - 1) * s[d]
    extent = (extent + storage_offset) * itemsizes[dtype]
    if extent > PY_SSIZE_T_MAX:
        raise RuntimeError(f"Storage size calculation overflowed with sizes={[n[d] for d in range(dims)]}")
    memory = Notable(max(extent, storage_size))
    impl = external(memory.memory, extent if storage_size < 0 else storage_size, memory, dims, n, s, dtype)
    impl.storage_offset = storage_offset
    return impl


cdef TensorImpl meta_like(TensorImpl like):
    cdef TensorImpl impl = without_elements(ndim(like), sizes(like), strides(like), 0, like.dtype)
    impl.special = _meta
    return impl


cdef TensorImpl recognised(TensorImpl view):
    if view.storage.owner != NULL and isinstance(<object>view.storage.owner, NoData):
        view.special = _meta
    return view


cdef int become_meta(TensorBase t, TensorImpl like) except -1:
    return set_impl(t, meta_like(like))


cdef bint is_meta(TensorBase t):
    special = wrapped(t)
    while special is not None:
        t = special.value
        special = wrapped(t)
    return is_meta_impl(t.impl)


cdef bint has_no_data(TensorBase t) noexcept:
    return t.impl.storage.owner != NULL and isinstance(<object>t.impl.storage.owner, NoData)


# ---- for the rules

def meta_of(TensorBase t):
    """Return a meta tensor with the shape, the strides and the dtype of `t`."""
    return make_tensor(meta_like(t.impl))


def as_meta(TensorBase view):
    """Return the meta tensor that corresponds to a view of a stand-in."""
    cdef TensorImpl impl = alias(view.impl)
    impl.special = _meta
    return make_tensor(impl)


def stand_in(TensorBase t):
    """Return an ordinary tensor over the memory of a meta tensor; it must not be written to."""
    cdef TensorImpl impl = alias(t.impl)
    impl.special = None
    return make_tensor(impl)


def become(TensorBase t, TensorBase like):
    """Give the meta tensor `t` the shape of `like`, over new memory unless the two share a storage."""
    cdef TensorImpl impl
    if like.impl.storage == t.impl.storage:
        impl = alias(like.impl)
        impl.special = _meta
    else:
        impl = meta_like(like.impl)
    set_impl(t, impl)


def dims_of(TensorBase t):
    """Return the number of dimensions of a tensor, or of a number that is an argument of an operator."""
    return ndim(t.impl)


def is_number(TensorBase t):
    """Return whether `t` stands for a Python number that is an argument of an operator."""
    return bool(t.impl.is_wrapped_number)


def _is_meta(TensorBase t):
    """Return whether a tensor is on the device ``meta``, or wraps one that is."""
    return is_meta(t)


def meta_storage(Py_ssize_t nbytes):
    """Return a storage without data, of `nbytes` bytes."""
    return wrap_storage(without_elements(1, &nbytes, NULL, 0, UInt8).storage)


def is_no_data(object owner):
    """Return whether the owner of a storage's memory is a `NoData`."""
    return isinstance(owner, NoData)


# ---- where new tensors are made

cdef bint default_is_meta() noexcept:
    return minitorch_default_meta


def _set_default_meta(bint mode):
    """Set whether functions that make tensors make them on the device ``meta``, for this thread."""
    global minitorch_default_meta
    minitorch_default_meta = mode


types._when_set.append(_set_default_meta)
