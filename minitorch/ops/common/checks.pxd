# Checks whose error messages several operators share.

from minitorch.core.tensor_impl cimport TensorImpl

# sizes(t)[d]; raises IndexError if t has no such dimension
cdef Py_ssize_t size_at(TensorImpl t, int d) except -1
# Return the NotImplementedError of a kernel `name` that does not support the dtype
cdef object not_implemented(str name, int dtype)

# The dtypes that are computed in another dtype (kernels/elementwise/carried.pyx)
cdef enum CarriedTypes:
    WIDE_UNSIGNED = 1
    COMPLEX32 = 2
    FLOAT8 = 4
    CARRIED = 7

# Raise the NotImplementedError of a kernel `name` that would support these dtypes but does not in PyTorch
cdef int reject_dtypes(int dtype, int types, str name) except -1

# Raise a RuntimeError if the dtype of an operand is not `wanted`
cdef int check_scalar_type(TensorImpl t, int wanted) except -1
# Return the sizes that two tuples of sizes broadcast to, or raise a RuntimeError
cpdef tuple broadcast_sizes(tuple a, tuple b)
# Raise the same RuntimeError for two tensors; a is "tensor a" in its message
cdef int check_broadcast(TensorImpl a, TensorImpl b) except -1
# For example "torch.FloatTensor"; dtypes without such a name give a name like "CPUBoolType"
cdef str tensor_type(int dtype)
