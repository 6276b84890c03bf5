"""Tensors on the device ``meta``: they have a shape, strides and a dtype, and no elements.

Note [Meta tensors]
The impl of such a tensor has a `Meta` for its `special` (Note [Interposition]), so it is recorded as any
other, and what an operator would compute is worked out by minitorch/tensors/meta_rules.py: it calls the operator on
stand-ins that are all zeros, and keeps the shape of what comes out. The memory behind a meta tensor is
mapped and never written to, so that it takes no room, and a kernel that reads it by mistake finds zeros.
"""

from libc.stdlib cimport calloc, free

from minitorch.autograd.levels cimport Wrapped
from minitorch.autograd.variable cimport make_tensor, set_impl
from minitorch.core.dtype cimport UInt8, itemsizes
from minitorch.core.special cimport ON_META
from minitorch.core.storage cimport wrap_storage
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
    MAPPED = 1 << 20                     # from this many bytes on, memory is mapped: without a promise of room

cdef Meta _meta = Meta()                 # all are alike


cdef class Meta(Special):
    def __cinit__(self):
        self.device_kind = ON_META


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
    """It has attributes: what a file said of the storage."""


cdef TensorImpl without_elements(int dims, const Py_ssize_t* n, const Py_ssize_t* s, Py_ssize_t storage_offset,
                                 int dtype, Py_ssize_t storage_size=-1):
    cdef NoData memory
    cdef TensorImpl impl
    cdef object size, extent = 1         # Python's: they may be too large for the machine's
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
    while isinstance(t.impl.special, Wrapped):
        t = (<Wrapped>t.impl.special).value
    return isinstance(t.impl.special, Meta)


cdef bint has_no_data(TensorBase t) noexcept:
    return t.impl.storage.owner != NULL and isinstance(<object>t.impl.storage.owner, NoData)


# ---- for the rules

def meta_of(TensorBase t):
    """A meta tensor with the shape, the strides and the dtype of `t`."""
    return make_tensor(meta_like(t.impl))


def as_meta(TensorBase view):
    """The tensor on the device ``meta`` that a view of a stand-in is."""
    cdef TensorImpl impl = alias(view.impl)
    impl.special = _meta
    return make_tensor(impl)


def stand_in(TensorBase t):
    """An ordinary tensor over the memory of a meta tensor, to be looked at only."""
    cdef TensorImpl impl = alias(t.impl)
    impl.special = None
    return make_tensor(impl)


def become(TensorBase t, TensorBase like):
    """Let the meta tensor `t` have the shape of `like` over the same memory, or over more if it is larger."""
    cdef TensorImpl impl
    if like.impl.storage == t.impl.storage:
        impl = alias(like.impl)
        impl.special = _meta
    else:
        impl = meta_like(like.impl)
    set_impl(t, impl)


def dims_of(TensorBase t):
    """How many dimensions a tensor has, or a number that an operator was handed."""
    return ndim(t.impl)


def is_number(TensorBase t):
    """Whether it is a Python number, as operators are handed them."""
    return bool(t.impl.is_wrapped_number)


def _is_meta(TensorBase t):
    """Whether a tensor is on the device ``meta``, or stands for one that is."""
    return is_meta(t)


def meta_storage(Py_ssize_t nbytes):
    """The storage of tensors without elements."""
    return wrap_storage(without_elements(1, &nbytes, NULL, 0, UInt8).storage)


def is_no_data(object owner):
    """Whether the owner of a storage's memory is that of tensors without elements."""
    return isinstance(owner, NoData)


# ---- where new tensors are made

cdef bint default_is_meta() noexcept:
    return minitorch_default_meta


def _set_default_meta(bint mode):
    """Have functions that make tensors make them on the device ``meta`` in this thread, or no longer."""
    global minitorch_default_meta
    minitorch_default_meta = mode


types._when_set.append(_set_default_meta)
