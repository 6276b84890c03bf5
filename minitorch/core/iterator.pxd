# How an elementwise operator loops over its operands: broadcasting, the strides of the result, and
# the order of the loops.
#
# The steps of an operator (the names are those of PyTorch's TensorIterator):
#     infer_shape          the broadcast shape of the inputs
#     output_geometry      sizes and strides of a new result
#     bind                 pointers and byte strides; dimensions sorted, fastest first, and merged
#     for_each (walk.pxd)  calls the inner loop for every row, on one or more threads
# Operands are in the order of a kernel's arguments: the inputs, then the output.

from minitorch.core.tensor_impl cimport (
    CHANNELS_LAST, CONTIGUOUS, DENSE, MAX_DIMS, SizesAndStrides, sizes_of, strides_of)

cdef enum:
    MAX_OPERANDS = 6

# An inner loop over n[0] elements, by NumPy's convention: steps are in bytes, and the loop may
# change args.
ctypedef void (*Loop)(char** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                      void* data) noexcept nogil

cdef struct TensorIterator:
    int ninputs
    int shape_ndim                            # the broadcast shape, outermost dimension first
    Py_ssize_t numel
    bint all_same_shape                       # no input is broadcast
    Py_ssize_t[MAX_DIMS] shape
    SizesAndStrides* geometry[MAX_OPERANDS]  # borrowed
    # after `bind`
    int ndim                                  # at least 1
    Py_ssize_t[MAX_DIMS] sizes                # fastest dimension first
    char* data[MAX_OPERANDS]
    Py_ssize_t[MAX_OPERANDS][MAX_DIMS] strides
    Py_ssize_t[MAX_OPERANDS] itemsize         # not set by bind_flat: one dimension does not need it

# RuntimeError if the sizes do not broadcast
cdef int infer_shape(TensorIterator* self, int ninputs, SizesAndStrides** inputs) except -1
# A new geometry, or a new reference to that of an input if it is equal
cdef SizesAndStrides* output_geometry(TensorIterator* self) except NULL
# `output` may have stride 0 in a dimension only if the caller reduces into it.
# itemsizes has one entry for each operand, in bytes.
cdef void bind(TensorIterator* self, SizesAndStrides* output, char** data,
               const Py_ssize_t* itemsizes) noexcept nogil
# One dimension of n elements
cdef void bind_flat(TensorIterator* self, int noperands, Py_ssize_t n, char** data,
                    const Py_ssize_t* steps) noexcept nogil

# Whether the strides are exactly those that a new row-major tensor has (`CONTIGUOUS` alone leaves
# the stride of a dimension with one element open).
cdef inline bint is_row_major(const SizesAndStrides* g) noexcept nogil:
    cdef const Py_ssize_t* n = <const Py_ssize_t*>(g + 1)
    cdef const Py_ssize_t* s = n + g.ndim
    cdef Py_ssize_t expected = 1
    cdef int d
    for d in range(g.ndim - 1, -1, -1):
        if s[d] != expected:
            return False
        if n[d] > 1:
            expected *= n[d]
    return True

# Whether a new result of inputs that all have this geometry has it as well (see `output_geometry`)
cdef inline bint is_kept(const SizesAndStrides* g) noexcept nogil:
    if g.flags & (DENSE | CONTIGUOUS | CHANNELS_LAST) == DENSE:
        return True
    return (g.flags & CONTIGUOUS) != 0 and is_row_major(g)
