"""Dimensions, shapes and memory of reductions."""

from minitorch.core.dtype cimport itemsizes
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, TensorImpl, empty, ndim, sizes, strides, wrap_dim)
from minitorch.kernels.reduction.reduction cimport Reduction, plan_reduction
from minitorch.ops.common.copy cimport copy_
from minitorch.ops.common.output cimport prepare_output


cdef int read_dims(object dim, int n, uint64_t* mask) except -1:
    cdef int d
    mask[0] = ~(<uint64_t>0)
    if dim is None:
        return 0
    if isinstance(dim, int):
        mask[0] = <uint64_t>1 << wrap_dim(dim, n)
        return 0
    if len(dim) == 0:
        return 0
    mask[0] = 0
    for item in dim:
        d = wrap_dim(item, n)
        if mask[0] >> d & 1:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
        mask[0] |= <uint64_t>1 << d
    return 0


cdef int reduced_sizes(TensorImpl self, uint64_t mask, bint keepdim, Py_ssize_t* out) noexcept:
    cdef int d, n = 0
    for d in range(ndim(self)):
        if not mask >> d & 1:
            out[n] = sizes(self)[d]
            n += 1
        elif keepdim:
            out[n] = 1
            n += 1
    return n


cdef Py_ssize_t elements_per_result(TensorImpl self, uint64_t mask) noexcept:
    cdef Py_ssize_t count = 1
    cdef int d
    for d in range(ndim(self)):
        if mask >> d & 1:
            count *= sizes(self)[d]
    return count


cdef TensorImpl result_for(TensorImpl self, uint64_t mask, bint keepdim, int dtype, TensorImpl out):
    cdef Py_ssize_t[MAX_DIMS] shape
    cdef int n = reduced_sizes(self, mask, keepdim, shape)
    if out is not None:
        prepare_output(out, dtype, n, shape)
        if out.dtype == dtype and out.storage != self.storage:
            return out
    return empty(n, shape, dtype)


cdef TensorImpl deliver(TensorImpl result, TensorImpl out):
    if out is None or out is result:
        return result
    return copy_(out, result)


cdef void plan(Reduction* r, TensorImpl self, uint64_t mask, bint keepdim, TensorImpl result,
               TensorImpl second, bint ordered) noexcept:
    cdef Py_ssize_t[MAX_DIMS] of
    cdef Py_ssize_t[MAX_DIMS] to
    cdef Py_ssize_t[MAX_DIMS] to2
    cdef Py_ssize_t item = itemsizes[self.dtype]
    cdef Py_ssize_t item_to = itemsizes[result.dtype]
    cdef Py_ssize_t item_to2 = itemsizes[second.dtype] if second is not None else 0
    cdef int d, k = ndim(result) - ndim(self) if keepdim else 0
    for d in range(ndim(self)):
        of[d] = strides(self)[d] * item
        to[d] = to2[d] = 0
        if not mask >> d & 1:
            to[d] = strides(result)[k] * item_to
            if second is not None:
                to2[d] = strides(second)[k] * item_to2
            k += 1
        elif keepdim:
            k += 1
    plan_reduction(r, ndim(self), sizes(self), of, to, to2 if second is not None else NULL, mask,
                   ordered)
