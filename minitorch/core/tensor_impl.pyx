"""`TensorImpl`: storage, offset, sizes, strides, dtype, version counter.

The class is final and without a dictionary, and the garbage collector does not track its instances.
Creating one from the free lists takes about 20 ns.
"""

cimport cython
from cpython.long cimport PyLong_AsUnsignedLongLong
from cpython.tuple cimport PyTuple_New, PyTuple_SET_ITEM
from cpython.ref cimport Py_INCREF
from libc.string cimport memcmp

from minitorch.core.allocator cimport allocate, deallocate
from minitorch.core.dtype cimport Bool, Complex32, Complex128, Float64, Int64, UInt64, itemsizes
from minitorch.core.storage cimport (
    StorageImpl, external_storage, new_storage, release_counter, release_storage, resize_storage, retain_counter,
    retain_storage)

from minitorch.core.once import warn_once


# ---- SizesAndStrides

cdef inline size_t _geometry_bytes(int ndim) noexcept:
    return sizeof(SizesAndStrides) + 2 * ndim * sizeof(Py_ssize_t)


cdef void channels_last_strides(int ndim, const Py_ssize_t* sizes, Py_ssize_t* strides) noexcept nogil:
    # channels vary fastest, then width, height, (depth,) and the batch
    cdef int d
    cdef Py_ssize_t step = 1
    strides[1] = step
    step *= sizes[1]
    for d in range(ndim - 1, 1, -1):
        strides[d] = step
        step *= sizes[d]
    strides[0] = step


cdef bint _matches_channels_last(SizesAndStrides* g) noexcept nogil:
    """Apply PyTorch's test: strides grow in the order C, W, H, (D,) N, and are not ambiguous."""
    cdef Py_ssize_t* n = sizes_of(g)
    cdef Py_ssize_t* s = strides_of(g)
    cdef Py_ssize_t expected = 1
    cdef int k, d
    for k in range(g.ndim):
        d = 1 if k == 0 else 0 if k == g.ndim - 1 else g.ndim - k
        if n[d] != 1:
            if s[d] != expected:
                return False
            expected *= n[d]
    return True


cdef bint _is_dense(SizesAndStrides* g) noexcept nogil:
    """Return whether some order of the dimensions is contiguous; dimensions of size 1 are ignored."""
    cdef Py_ssize_t* n = sizes_of(g)
    cdef Py_ssize_t* s = strides_of(g)
    cdef Py_ssize_t expected = 1
    cdef int left = 0, d
    cdef bint found
    for d in range(g.ndim):
        if n[d] > 1:
            left += 1
    while left:
        found = False
        for d in range(g.ndim):
            if n[d] > 1 and s[d] == expected:
                expected *= n[d]
                found = True
                left -= 1
                break
        if not found:
            return False
    return True


cdef SizesAndStrides* new_geometry(int ndim, const Py_ssize_t* sizes,
                                   const Py_ssize_t* strides) except NULL:
    cdef SizesAndStrides* g
    cdef Py_ssize_t* n
    cdef Py_ssize_t* s
    cdef Py_ssize_t expected = 1
    cdef int d
    cdef bint contiguous = True
    if ndim > MAX_DIMS:
        raise RuntimeError(f"tensors with more than {MAX_DIMS} dimensions are not supported, got {ndim}")
    g = <SizesAndStrides*>allocate(_geometry_bytes(ndim))
    g.refcount = 1
    g.ndim = ndim
    n = sizes_of(g)
    s = strides_of(g)
    g.numel = 1
    for d in range(ndim):
        n[d] = sizes[d]
        if n[d] < 0:
            shape = [sizes[k] for k in range(ndim)]
            free_geometry(g)
            raise RuntimeError(
                f"Trying to create tensor with negative dimension {shape[d]}: {shape}")
        if g.numel and n[d] > (<Py_ssize_t>1 << 62) // g.numel:
            free_geometry(g)
            raise RuntimeError("Storage size calculation overflowed with sizes="
                               f"{[sizes[k] for k in range(ndim)]}")
        g.numel *= n[d]
    for d in range(ndim - 1, -1, -1):
        if strides == NULL:
            s[d] = expected
        else:
            s[d] = strides[d]
            if n[d] != 1 and s[d] != expected:
                contiguous = False
        expected *= max(n[d], 1)
    if contiguous or g.numel == 0:
        g.flags = CONTIGUOUS | DENSE
    else:
        g.flags = DENSE if _is_dense(g) else 0
    if ndim == 4 and _matches_channels_last(g):
        g.flags |= CHANNELS_LAST
    elif ndim == 5 and _matches_channels_last(g):
        g.flags |= CHANNELS_LAST_3D
    return g


cdef void free_geometry(SizesAndStrides* g) noexcept:
    deallocate(g, _geometry_bytes(g.ndim))


cdef bint same_sizes(SizesAndStrides* a, SizesAndStrides* b) noexcept nogil:
    return a == b or (a.ndim == b.ndim
                      and memcmp(sizes_of(a), sizes_of(b), a.ndim * sizeof(Py_ssize_t)) == 0)


# ---- TensorImpl

@cython.final
@cython.no_gc
@cython.freelist(512)
cdef class TensorImpl:
    def __dealloc__(self):
        if self.geometry != NULL:
            release_geometry(self.geometry)
        if self.storage != NULL:
            release_storage(self.storage)
        if self.own_counter != NULL:
            _release_counter(self.own_counter)


cdef void _release_counter(VersionCounter* counter) noexcept:
    counter.refcount -= 1
    if counter.refcount == 0:
        if counter.storage != NULL:
            release_counter(counter.storage)
        deallocate(counter, sizeof(VersionCounter))


cdef inline TensorImpl _make(SizesAndStrides* g, StorageImpl* storage, Py_ssize_t offset, int dtype):
    """Make an impl; steal both references."""
    cdef TensorImpl self = TensorImpl.__new__(TensorImpl)
    self.geometry = g
    self.storage = storage
    self.storage_offset = offset
    self.version_counter = &storage.version
    self.own_counter = NULL
    self.dtype = dtype
    self.inference = False
    self.uncounted = False
    self.is_wrapped_number = False
    return self


cdef inline int _check_size(const SizesAndStrides* g, Py_ssize_t offset, int dtype) except -1:
    if g.numel > (<Py_ssize_t>1 << 62) // itemsizes[dtype] - offset:
        shape = [sizes_of(<SizesAndStrides*>g)[d] for d in range(g.ndim)]
        raise RuntimeError(f"Storage size calculation overflowed with sizes={shape}")
    return 0


cdef inline TensorImpl _allocate(SizesAndStrides* g, int dtype):
    """Make an impl with new memory; steal the reference to g, also if that fails."""
    cdef StorageImpl* storage
    cdef Py_ssize_t itemsize = itemsizes[dtype]
    if dtype == Complex32:
        try:
            warn_once("ComplexHalf support is experimental and many operators don't support it yet.")
        except BaseException:
            release_geometry(g)
            raise
    try:
        _check_size(g, 0, dtype)
        storage = new_storage(g.numel * itemsize)
    except BaseException:
        release_geometry(g)
        raise
    return _make(g, storage, 0, dtype)


cdef TensorImpl empty(int ndim, const Py_ssize_t* sizes, int dtype):
    return _allocate(new_geometry(ndim, sizes, NULL), dtype)


cdef TensorImpl empty_geometry(SizesAndStrides* g, int dtype):
    return _allocate(retain_geometry(g), dtype)


cdef TensorImpl empty_like(TensorImpl t, int dtype):
    # Decision table (preserve_format): dense -> the same strides; else the order of the strides is
    # kept and the gaps are closed
    cdef Py_ssize_t[MAX_DIMS] s
    cdef int[MAX_DIMS] perm
    cdef int n = ndim(t), i, j, place, order
    cdef Py_ssize_t step = 1
    if is_dense(t):
        return _allocate(retain_geometry(t.geometry), dtype)
    # perm[0] is the fastest dimension. This insertion sort skips dimensions that it cannot
    # compare, which determines the order of broadcast dimensions
    for i in range(n):
        perm[i] = n - 1 - i
    for i in range(1, n):
        place = i
        for j in range(i - 1, -1, -1):
            order = _memory_order(t, perm[j], perm[place])
            if order > 0:
                perm[j], perm[place] = perm[place], perm[j]
                place = j
            elif order < 0:
                break
    for i in range(n):
        s[perm[i]] = step
        step *= max(sizes(t)[perm[i]], 1)
    return _allocate(new_geometry(n, sizes(t), s), dtype)


cdef inline int _memory_order(TensorImpl t, int a, int b) noexcept:
    """Compare two dimensions: negative if a is faster, positive if b is; 0 if one is broadcast, or no difference."""
    cdef Py_ssize_t sa = strides(t)[a], sb = strides(t)[b]
    if sa == 0 or sb == 0:
        return 0
    if sa != sb:
        return -1 if sa < sb else 1
    return 1 if sizes(t)[a] > sizes(t)[b] else 0


cdef TensorImpl empty_tuple(object sizes, int dtype):
    cdef Py_ssize_t[MAX_DIMS] n
    return empty(read_sizes(sizes, n), n, dtype)


cdef inline void _share_version(TensorImpl self, TensorImpl base) noexcept:
    self.version_counter = base.version_counter
    self.own_counter = base.own_counter
    if self.own_counter != NULL:
        self.own_counter.refcount += 1


cdef TensorImpl view_of(TensorImpl base, SizesAndStrides* g, Py_ssize_t storage_offset):
    cdef TensorImpl self
    retain_storage(base.storage)
    self = _make(g, base.storage, storage_offset, base.dtype)
    self.inference = base.inference
    self.uncounted = base.uncounted
    _share_version(self, base)
    return self


cdef TensorImpl as_strided_impl(TensorImpl base, int ndim, const Py_ssize_t* sizes,
                                const Py_ssize_t* strides, Py_ssize_t storage_offset):
    return view_of(base, new_geometry(ndim, sizes, strides), storage_offset)


cdef TensorImpl alias(TensorImpl base):
    cdef TensorImpl self = view_of(base, retain_geometry(base.geometry), base.storage_offset)
    self.special = base.special
    return self


cdef TensorImpl unshared_alias(TensorImpl base):
    cdef TensorImpl self = alias(base)
    own_version_counter(self)
    return self


cdef VersionCounter* _new_counter() except NULL:
    cdef VersionCounter* counter = <VersionCounter*>allocate(sizeof(VersionCounter))
    counter.refcount = 1
    counter.storage = NULL
    counter.version = 0
    return counter


cdef int own_version_counter(TensorImpl t) except -1:
    cdef VersionCounter* counter = _new_counter()
    if t.own_counter != NULL:
        _release_counter(t.own_counter)
    t.own_counter = counter
    t.version_counter = &counter.version
    return 0


cdef void share_version_counter(TensorImpl self, TensorImpl base) noexcept:
    cdef VersionCounter* before = self.own_counter
    _share_version(self, base)
    if before != NULL:
        _release_counter(before)


cdef TensorImpl external(char* data, Py_ssize_t nbytes, object owner, int ndim, const Py_ssize_t* sizes,
                         const Py_ssize_t* strides, int dtype):
    cdef SizesAndStrides* g = new_geometry(ndim, sizes, strides)
    return _make(g, external_storage(data, nbytes, owner), 0, dtype)


cdef int become(TensorImpl self, TensorImpl source) except -1:
    # `self` and its views keep counting in its old storage. That storage may now be needed only for its counter: its
    # memory is freed with the last tensor that uses it
    cdef VersionCounter* counter
    if self.own_counter == NULL and self.storage != source.storage:
        counter = _new_counter()
        if self.storage.refcount == 1:
            counter.version = version(self)
        else:
            retain_counter(self.storage)
            counter.storage = self.storage
        self.own_counter = counter
        self.version_counter = counter_of(self)
    retain_geometry(source.geometry)
    retain_storage(source.storage)
    release_geometry(self.geometry)
    release_storage(self.storage)
    self.geometry = source.geometry
    self.storage = source.storage
    self.storage_offset = source.storage_offset
    self.dtype = source.dtype
    self.special = source.special
    return 0


cdef int resize(TensorImpl self, int ndim, const Py_ssize_t* sizes) except -1:
    cdef SizesAndStrides* g = new_geometry(ndim, sizes, NULL)
    cdef Py_ssize_t needed
    try:
        _check_size(g, self.storage_offset, self.dtype)
        needed = (self.storage_offset + g.numel) * itemsizes[self.dtype]
        if g.numel and needed > self.storage.nbytes:
            resize_storage(self.storage, needed)
    except BaseException:
        release_geometry(g)
        raise
    release_geometry(self.geometry)
    self.geometry = g
    return 0


# One geometry serves all 0-dim tensors
cdef SizesAndStrides* _scalar_geometry = new_geometry(0, NULL, NULL)


cdef TensorImpl wrap_number(object number):
    cdef TensorImpl self
    cdef long long whole
    if type(number) is float:
        self = empty_geometry(_scalar_geometry, Float64)
        (<double*>data(self))[0] = number
    elif type(number) is bool:
        self = empty_geometry(_scalar_geometry, Bool)
        (<unsigned char*>data(self))[0] = number
    elif isinstance(number, int):
        try:
            whole = number
            self = empty_geometry(_scalar_geometry, Int64)
        except OverflowError:
            whole = <long long>PyLong_AsUnsignedLongLong(number)
            self = empty_geometry(_scalar_geometry, UInt64)
        (<long long*>data(self))[0] = whole
    elif isinstance(number, complex):
        self = empty_geometry(_scalar_geometry, Complex128)
        (<double*>data(self))[0] = number.real
        (<double*>data(self))[1] = number.imag
    else:
        self = empty_geometry(_scalar_geometry, Float64)
        (<double*>data(self))[0] = float(number)
    self.is_wrapped_number = True
    return self


# ---- Python's sizes

cdef tuple _tuple(int n, const Py_ssize_t* values):
    cdef tuple result = PyTuple_New(n)
    cdef object item
    for d in range(n):
        item = values[d]
        Py_INCREF(item)
        PyTuple_SET_ITEM(result, d, item)
    return result


cdef tuple sizes_tuple(TensorImpl t):
    return _tuple(ndim(t), sizes(t))


cdef tuple strides_tuple(TensorImpl t):
    return _tuple(ndim(t), strides(t))


cdef int read_sizes(object sequence, Py_ssize_t* out) except -1:
    cdef int count = 0
    for item in sequence:
        if count == MAX_DIMS:
            raise RuntimeError(f"tensors with more than {MAX_DIMS} dimensions are not supported, "
                               f"got {len(sequence)}")
        out[count] = item
        count += 1
    return count


cdef int wrap_dim(object dim, int ndim) except -1:
    cdef Py_ssize_t d = dim
    cdef int limit = max(ndim, 1)
    if d < -limit or d >= limit:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-limit}, {limit - 1}], "
                         f"but got {d})")
    return d + limit if d < 0 else d


def maybe_wrap_dim(dim, int ndim, bint wrap_scalar=True):
    """Return `dim` as a non-negative number; raise IndexError if it is out of range for `ndim` dimensions.

    A scalar counts as having one dimension, unless `wrap_scalar` is False.
    """
    if ndim == 0 and not wrap_scalar:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return wrap_dim(dim, ndim)
