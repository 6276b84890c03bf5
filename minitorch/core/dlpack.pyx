"""DLPack capsules.

Lifetimes
---------
out: the capsule owns the managed tensor until a consumer renames it to "used_..."; then the consumer
     owns it and calls `deleter`. The managed tensor holds a reference to the storage.
in:  storage -> `owner` (`_Managed`) -> the managed tensor, whose deleter it calls.

References
----------
dmlc.github.io/dlpack, version 1.0 of the C interface.
"""

from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc
from cpython.pycapsule cimport PyCapsule_New, PyCapsule_SetName
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t, uint8_t

from minitorch.core.dtype cimport (
    BFloat16, Bool, Complex32, Complex64, Complex128, Float8E4m3fn, Float8E4m3fnuz, Float8E5m2, Float8E5m2fnuz,
    Float8E8m0fnu, Float16, Float32, Float64, Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64, is_complex,
    is_float8, is_floating, is_wide_unsigned, itemsizes)
from minitorch.core.storage cimport StorageImpl, release_storage, retain_storage
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, TensorImpl, data, external, ndim, sizes, strides)

cdef enum:
    CPU = 1
    READ_ONLY = 1                       # flags of a versioned tensor
    IS_COPIED = 2

cdef enum TypeCode:
    INT = 0
    UINT = 1
    FLOAT = 2
    BFLOAT = 4
    COMPLEX = 5
    BOOL = 6
    FLOAT8_E4M3FN = 10
    FLOAT8_E4M3FNUZ = 11
    FLOAT8_E5M2 = 12
    FLOAT8_E5M2FNUZ = 13
    FLOAT8_E8M0FNU = 14

cdef extern from "Python.h":
    # of a capsule that was found to be valid, so it raises nothing
    void* pointer_of "PyCapsule_GetPointer"(object capsule, const char* name) noexcept
    bint is_capsule "PyCapsule_IsValid"(object capsule, const char* name) noexcept

cdef struct DLDevice:
    int32_t device_type
    int32_t device_id

cdef struct DLDataType:
    uint8_t code
    uint8_t bits
    uint16_t lanes

cdef struct DLTensor:
    void* data
    DLDevice device
    int32_t ndim
    DLDataType dtype
    int64_t* shape
    int64_t* strides                    # in elements; NULL: row-major
    uint64_t byte_offset

cdef struct DLManagedTensor:
    DLTensor dl_tensor
    void* manager_ctx
    void (*deleter)(DLManagedTensor*) noexcept

cdef struct DLPackVersion:
    uint32_t major
    uint32_t minor

cdef struct DLManagedTensorVersioned:
    DLPackVersion version
    void* manager_ctx
    void (*deleter)(DLManagedTensorVersioned*) noexcept
    uint64_t flags
    DLTensor dl_tensor


# ---- out

cdef int _float8_code(int code) noexcept:
    return (FLOAT8_E4M3FN if code == Float8E4m3fn else FLOAT8_E4M3FNUZ if code == Float8E4m3fnuz
            else FLOAT8_E5M2 if code == Float8E5m2 else FLOAT8_E5M2FNUZ if code == Float8E5m2fnuz
            else FLOAT8_E8M0FNU)


cdef int _fill(DLTensor* out, TensorImpl self, int64_t* shape) noexcept:
    """`shape` has room for the sizes and the strides."""
    cdef int d, n = ndim(self), code = self.dtype
    out.data = data(self)
    out.device.device_type = CPU
    out.device.device_id = 0
    out.ndim = n
    out.dtype.code = (BOOL if code == Bool else UINT if code == UInt8 or is_wide_unsigned(code)
                      else BFLOAT if code == BFloat16 else _float8_code(code) if is_float8(code)
                      else FLOAT if is_floating(code)
                      else COMPLEX if is_complex(code) else INT)
    out.dtype.bits = <uint8_t>(8 * itemsizes[code])
    out.dtype.lanes = 1
    for d in range(n):
        shape[d] = sizes(self)[d]
        shape[n + d] = strides(self)[d]
    out.shape = shape
    out.strides = shape + n
    out.byte_offset = 0
    return 0


cdef void _release(void* managed, void* storage) noexcept with gil:
    release_storage(<StorageImpl*>storage)
    PyMem_RawFree(managed)


# A consumer may call these from any thread, with or without the GIL
cdef void _delete(DLManagedTensor* self) noexcept nogil:
    _release(self, self.manager_ctx)


cdef void _delete_versioned(DLManagedTensorVersioned* self) noexcept nogil:
    _release(self, self.manager_ctx)


cdef void _destroy(object capsule) noexcept:
    cdef DLManagedTensor* managed
    if is_capsule(capsule, "dltensor"):
        managed = <DLManagedTensor*>pointer_of(capsule, "dltensor")
        managed.deleter(managed)


cdef void _destroy_versioned(object capsule) noexcept:
    cdef DLManagedTensorVersioned* managed
    if is_capsule(capsule, "dltensor_versioned"):
        managed = <DLManagedTensorVersioned*>pointer_of(capsule, "dltensor_versioned")
        managed.deleter(managed)


cdef object to_dlpack(TensorImpl self, object max_version=None, bint is_copied=False):
    cdef bint versioned = max_version is not None and max_version[0] >= 1
    cdef size_t head = (sizeof(DLManagedTensorVersioned) if versioned else sizeof(DLManagedTensor))
    cdef void* block = PyMem_RawMalloc(head + 2 * ndim(self) * sizeof(int64_t))
    cdef int64_t* shape = <int64_t*>(<char*>block + head)
    cdef DLManagedTensor* plain = <DLManagedTensor*>block
    cdef DLManagedTensorVersioned* managed = <DLManagedTensorVersioned*>block
    if block == NULL:
        raise MemoryError()
    retain_storage(self.storage)
    self.storage.fixed_size = True
    try:
        if not versioned:
            _fill(&plain.dl_tensor, self, shape)
            plain.manager_ctx = self.storage
            plain.deleter = _delete
            return PyCapsule_New(plain, "dltensor", _destroy)
        _fill(&managed.dl_tensor, self, shape)
        managed.version.major = 1
        managed.version.minor = 0
        managed.manager_ctx = self.storage
        managed.deleter = _delete_versioned
        managed.flags = IS_COPIED if is_copied else 0
        return PyCapsule_New(managed, "dltensor_versioned", _destroy_versioned)
    except BaseException:
        _release(block, self.storage)
        raise


# ---- in

cdef class _Managed:
    """Calls the deleter of a tensor that was taken over, when the last storage lets go of it."""
    cdef DLManagedTensor* plain
    cdef DLManagedTensorVersioned* versioned

    def __dealloc__(self):
        if self.plain != NULL and self.plain.deleter != NULL:
            self.plain.deleter(self.plain)
        if self.versioned != NULL and self.versioned.deleter != NULL:
            self.versioned.deleter(self.versioned)


cdef int _dtype(DLDataType type) except -1:
    cdef int code
    if type.lanes != 1:
        raise BufferError("ATen does not support lanes != 1")
    if type.code == UINT:
        if type.bits == 8:
            return UInt8
        if type.bits == 16:
            return UInt16
        if type.bits == 32:
            return UInt32
        if type.bits == 64:
            return UInt64
        raise BufferError(f"Unsupported kUInt bits {type.bits}")
    if type.code == INT:
        if type.bits == 8:
            return Int8
        if type.bits == 16:
            return Int16
        if type.bits == 32:
            return Int32
        if type.bits == 64:
            return Int64
        raise BufferError(f"Unsupported kInt bits {type.bits}")
    if type.code == FLOAT:
        if type.bits == 16:
            return Float16
        if type.bits == 32:
            return Float32
        if type.bits == 64:
            return Float64
        raise BufferError(f"Unsupported kFloat bits {type.bits}")
    if type.code == BFLOAT:
        if type.bits == 16:
            return BFloat16
        raise BufferError(f"Unsupported kFloat bits {type.bits}")
    if FLOAT8_E4M3FN <= type.code <= FLOAT8_E8M0FNU:
        if type.bits == 8:
            for code in range(Float8E8m0fnu, Float8E4m3fnuz + 1):
                if _float8_code(code) == type.code:
                    return code
        raise BufferError(f"Unsupported code {type.code} of {type.bits} bits")
    if type.code == COMPLEX:
        if type.bits == 32:
            return Complex32
        if type.bits == 64:
            return Complex64
        if type.bits == 128:
            return Complex128
        raise BufferError(f"Unsupported kComplex bits {type.bits}")
    if type.code == BOOL:
        if type.bits == 8:
            return Bool
        raise BufferError(f"Unsupported kBool bits {type.bits}")
    raise BufferError(f"Unsupported code {type.code}")


cdef TensorImpl _wrap(const DLTensor* t, object owner):
    cdef Py_ssize_t[MAX_DIMS] n
    cdef Py_ssize_t[MAX_DIMS] s
    cdef Py_ssize_t extent = 1
    cdef int d, code = _dtype(t.dtype)
    if t.device.device_type != CPU:
        raise BufferError(f"Unsupported device_type: {t.device.device_type}")
    if t.ndim < 0 or t.ndim > MAX_DIMS:
        raise BufferError(f"tensors with {t.ndim} dimensions are not supported")
    for d in range(t.ndim):
        n[d] = t.shape[d]
        if t.strides != NULL:
            s[d] = t.strides[d]
            # the start of the memory is not known then, and PyTorch has no such tensors
            if s[d] < 0 and n[d] > 1:
                raise BufferError("tensors with negative strides are not currently supported")
            extent = 0 if n[d] == 0 or extent == 0 else extent + (n[d] - 1) * s[d]
        else:
            extent *= n[d]
    return external(<char*>t.data + t.byte_offset, extent * itemsizes[code], owner, t.ndim, n,
                    NULL if t.strides == NULL else s, code)


cdef TensorImpl from_capsule(object capsule):
    cdef _Managed owner = _Managed.__new__(_Managed)
    cdef DLManagedTensor* plain
    cdef DLManagedTensorVersioned* versioned
    cdef TensorImpl result
    if is_capsule(capsule, "dltensor_versioned"):
        versioned = <DLManagedTensorVersioned*>pointer_of(capsule, "dltensor_versioned")
        if versioned.version.major > 1:
            raise BufferError("Unsupported DLPack version: "
                              f"{versioned.version.major}.{versioned.version.minor}")
        result = _wrap(&versioned.dl_tensor, owner)
        PyCapsule_SetName(capsule, "used_dltensor_versioned")
        owner.versioned = versioned
    elif is_capsule(capsule, "dltensor"):
        plain = <DLManagedTensor*>pointer_of(capsule, "dltensor")
        result = _wrap(&plain.dl_tensor, owner)
        PyCapsule_SetName(capsule, "used_dltensor")
        owner.plain = plain
    else:
        raise RuntimeError(
            "from_dlpack received an invalid capsule. Note that DLTensor capsules can be consumed "
            "only once, so you might have already constructed a tensor from it once.")
    return result


cdef tuple from_dlpack(object ext_tensor, object copy):
    if not hasattr(ext_tensor, "__dlpack__"):
        return from_capsule(ext_tensor), False
    # An object that does not know an argument says so with a TypeError; the last attempt shows its
    # own
    for arguments in (("max_version", "copy"), ("copy",)):
        given = {"max_version": (1, 0), "copy": copy}
        given = {k: given[k] for k in arguments if given[k] is not None}
        try:
            capsule = ext_tensor.__dlpack__(**given)
        except TypeError:
            continue
        return from_capsule(capsule), False
    return from_capsule(ext_tensor.__dlpack__()), copy is True
