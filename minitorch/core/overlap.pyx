"""Checks that the memory of a result overlaps neither itself nor that of an operand.

References
----------
PyTorch's counterpart is ``ATen/MemoryOverlap.cpp``.
"""

from libc.string cimport memcmp

from minitorch.core.dtype cimport itemsizes
from minitorch.core.tensor_impl cimport DENSE, data, ndim, sizes, strides

from minitorch.core.error_pages import explained


cdef bint has_internal_overlap(TensorImpl t) noexcept:
    cdef int d
    if t.geometry.flags & DENSE:
        return False
    for d in range(ndim(t)):
        if strides(t)[d] == 0 and sizes(t)[d] > 1:
            return True
    return False


cdef bint maybe_overlaps(int count, const Py_ssize_t* sizes, const Py_ssize_t* strides) noexcept:
    cdef Py_ssize_t reach = 0, least
    cdef int d, found
    cdef unsigned long long done = 0
    while True:
        found = -1
        for d in range(count):
            if sizes[d] > 1 and not (done >> d) & 1 and (found < 0 or strides[d] < least):
                found = d
                least = strides[d]
        if found < 0:
            return False
        if least <= reach:
            return True
        reach += least * (sizes[found] - 1)
        done |= <unsigned long long>1 << found


cdef int assert_no_internal_overlap(TensorImpl output) except -1:
    if has_internal_overlap(output):
        raise explained(RuntimeError(
            "unsupported operation: more than one element of the written-to tensor refers to a "
            "single memory location. Please clone() the tensor before performing the operation."), "expanded-in-place")
    return 0


cdef enum:
    NO_OVERLAP = 0
    FULL_OVERLAP = 1
    PARTIAL_OVERLAP = 2
    UNKNOWN_OVERLAP = 3


cdef int _overlap(TensorImpl a, TensorImpl b) noexcept:
    cdef char* a_end
    cdef char* b_end
    if a is b:
        return FULL_OVERLAP
    if a.geometry.numel == 0 or b.geometry.numel == 0 or a.storage != b.storage:
        return NO_OVERLAP
    if not (a.geometry.flags & DENSE and b.geometry.flags & DENSE):
        return UNKNOWN_OVERLAP
    a_end = data(a) + a.geometry.numel * itemsizes[a.dtype]
    b_end = data(b) + b.geometry.numel * itemsizes[b.dtype]
    if data(a) == data(b) and a_end == b_end:
        if (a.geometry == b.geometry or (ndim(a) == ndim(b) and memcmp(
                strides(a), strides(b), ndim(a) * sizeof(Py_ssize_t)) == 0)):
            return FULL_OVERLAP
        return PARTIAL_OVERLAP
    if data(a) < b_end and data(b) < a_end:
        return PARTIAL_OVERLAP
    return NO_OVERLAP


cdef int _raise_overlap() except -1:
    raise RuntimeError(
        "unsupported operation: some elements of the input tensor and the written-to tensor refer "
        "to a single memory location. Please clone() the tensor before performing the operation.")


cdef int assert_no_partial_overlap(TensorImpl output, TensorImpl input) except -1:
    if output.storage == input.storage and _overlap(output, input) == PARTIAL_OVERLAP:
        _raise_overlap()
    return 0


cdef int assert_no_overlap(TensorImpl output, TensorImpl input) except -1:
    cdef int status
    if output.storage == input.storage:
        status = _overlap(output, input)
        if status == PARTIAL_OVERLAP or status == FULL_OVERLAP:
            _raise_overlap()
    return 0
