# The data of a tensor: its memory, its shape and its element type. It knows nothing about gradients.
#
# Invariants
# - `geometry` is immutable. Any number of tensors may share it, and nodes too, as the shape that a gradient must have.
#   Two tensors with the same pointer have the same sizes and strides.
# - An element is at data(t) + sum(index[d] * strides[d]) * itemsize, inside the storage.
# - Views and detached aliases share the version counter of a tensor, `.data` does not. A tensor keeps its counter when
#   other data is assigned to it.

from cpython.object cimport PyObject

from minitorch.core.dtype cimport itemsizes
from minitorch.core.storage cimport StorageImpl

cdef enum:
    MAX_DIMS = 64

cdef enum GeometryFlags:
    CONTIGUOUS = 1                     # row-major, no gaps
    CHANNELS_LAST = 2                  # 4-D, as NHWC in memory
    CHANNELS_LAST_3D = 4               # 5-D, as NDHWC
    DENSE = 8                          # non-overlapping and dense: some permutation is contiguous

cdef struct SizesAndStrides:
    Py_ssize_t refcount
    Py_ssize_t numel
    int ndim
    unsigned int flags                 # GeometryFlags
    # ndim sizes and ndim strides (in elements) follow

cdef struct VersionCounter:
    Py_ssize_t refcount
    StorageImpl* storage               # count in this storage, which is retained; NULL: count in `version`
    unsigned int version

cdef inline Py_ssize_t* sizes_of(SizesAndStrides* g) noexcept nogil:
    return <Py_ssize_t*>(g + 1)

cdef inline Py_ssize_t* strides_of(SizesAndStrides* g) noexcept nogil:
    return <Py_ssize_t*>(g + 1) + g.ndim

# strides NULL: row-major. Refcount 1 (the caller owns it). RuntimeError for more than MAX_DIMS or negative sizes
cdef SizesAndStrides* new_geometry(int ndim, const Py_ssize_t* sizes,
                                   const Py_ssize_t* strides) except NULL
cdef void free_geometry(SizesAndStrides* g) noexcept
cdef bint same_sizes(SizesAndStrides* a, SizesAndStrides* b) noexcept nogil
cdef void channels_last_strides(int ndim, const Py_ssize_t* sizes, Py_ssize_t* strides) noexcept nogil

cdef inline SizesAndStrides* retain_geometry(SizesAndStrides* g) noexcept:
    g.refcount += 1
    return g

cdef inline void release_geometry(SizesAndStrides* g) noexcept:
    g.refcount -= 1
    if g.refcount == 0:
        free_geometry(g)


cdef class TensorImpl:
    cdef SizesAndStrides* geometry         # owned reference
    cdef StorageImpl* storage              # owned reference
    cdef Py_ssize_t storage_offset         # in elements
    cdef unsigned int* version_counter     # the address of the count: see counter_of
    cdef VersionCounter* own_counter       # owned reference; NULL: the storage's counter
    cdef signed char dtype                 # a ScalarType
    cdef signed char inference             # made in inference mode: operators on it are never recorded
    cdef signed char uncounted             # it has no version, and cannot be written to outside of inference mode
    cdef bint is_wrapped_number            # stands for a Python number, which promotes weakly
    cdef object special                    # nearly always None: see Note [Interposition] in autograd/interpose.pyx
    cdef PyObject* handle                  # weak: its first tensor, see Note [Handles] in autograd/variable.pyx

cdef inline char* data(TensorImpl t) noexcept:
    return t.storage.data + t.storage_offset * itemsizes[t.dtype]

cdef inline int ndim(TensorImpl t) noexcept:
    return t.geometry.ndim

cdef inline Py_ssize_t numel(TensorImpl t) noexcept:
    return t.geometry.numel

cdef inline Py_ssize_t* sizes(TensorImpl t) noexcept:
    return sizes_of(t.geometry)

cdef inline Py_ssize_t* strides(TensorImpl t) noexcept:
    return strides_of(t.geometry)

cdef inline bint is_contiguous(TensorImpl t) noexcept:
    return t.geometry.flags & CONTIGUOUS

cdef inline bint is_dense(TensorImpl t) noexcept:
    return t.geometry.flags & DENSE

cdef inline unsigned int version(TensorImpl t) noexcept:
    return t.version_counter[0]

cdef inline unsigned int* counter_of(TensorImpl t) noexcept:
    if t.own_counter == NULL:
        return &t.storage.version
    return &t.own_counter.version if t.own_counter.storage == NULL else &t.own_counter.storage.version

cdef inline void bump_version(TensorImpl t) noexcept:
    t.version_counter[0] += 1

# New tensors. Their memory is not initialised.
cdef TensorImpl empty(int ndim, const Py_ssize_t* sizes, int dtype)                  # row-major
cdef TensorImpl empty_geometry(SizesAndStrides* g, int dtype)       # shares g (takes a reference of its own)
cdef TensorImpl empty_like(TensorImpl t, int dtype)                 # PyTorch's preserve_format strides
cdef TensorImpl empty_tuple(object sizes, int dtype)                # sizes: a tuple of ints
# Views: they have the storage and the version counter of `base`. The reference to the geometry is stolen.
cdef TensorImpl view_of(TensorImpl base, SizesAndStrides* g, Py_ssize_t storage_offset)
cdef TensorImpl as_strided_impl(TensorImpl base, int ndim, const Py_ssize_t* sizes,
                                const Py_ssize_t* strides, Py_ssize_t storage_offset)
cdef TensorImpl alias(TensorImpl base)                              # all fields the same: detach()
cdef TensorImpl unshared_alias(TensorImpl base)                     # same data, own version counter: .data
cdef TensorImpl external(char* data, Py_ssize_t nbytes, object owner, int ndim, const Py_ssize_t* sizes,
                         const Py_ssize_t* strides, int dtype)
cdef TensorImpl wrap_number(object number)        # 0-dim float64, int64, bool or complex128, promotes weakly
cdef int own_version_counter(TensorImpl t) except -1      # give t a version counter of its own (data, set_)
cdef void share_version_counter(TensorImpl self, TensorImpl base) noexcept       # make self use the counter of base
# Give `self` the data of `source`, but keep its version counter, which its views share (set_data, out= resizing)
cdef int become(TensorImpl self, TensorImpl source) except -1
cdef int resize(TensorImpl self, int ndim, const Py_ssize_t* sizes) except -1   # resize_: row-major

cdef tuple sizes_tuple(TensorImpl t)
cdef tuple strides_tuple(TensorImpl t)
# Write the Python ints of a tuple or list to a buffer of MAX_DIMS, and return their number
cdef int read_sizes(object sequence, Py_ssize_t* out) except -1
# PyTorch's IndexError if out of range ("Dimension out of range (expected to be in range of [-2, 1], but got 2)")
cdef int wrap_dim(object dim, int ndim) except -1
