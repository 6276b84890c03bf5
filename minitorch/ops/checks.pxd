# Checks whose messages several operators share.

from minitorch.core.tensor_impl cimport TensorImpl

# sizes(t)[d]; IndexError for a dimension that t does not have
cdef Py_ssize_t size_at(TensorImpl t, int d) except -1
# the NotImplementedError of a kernel `name` that does not know the dtype
cdef object not_implemented(str name, int dtype)

# The types that are carried by others (kernels/carried.pyx)
cdef enum CarriedTypes:
    WIDE_UNSIGNED = 1
    COMPLEX32 = 2
    FLOAT8 = 4
    CARRIED = 7

# the NotImplementedError of a kernel `name` that could, but in PyTorch does not, take these types
cdef int refuse(int dtype, int types, str name) except -1

# the RuntimeError of an operand that has not the dtype wanted
cdef int check_scalar_type(TensorImpl t, int wanted) except -1
# what two sizes broadcast to; RuntimeError when they do not
cpdef tuple broadcast_sizes(tuple a, tuple b)
# the same RuntimeError for two tensors, "tensor a" being a
cdef int check_broadcast(TensorImpl a, TensorImpl b) except -1
# "torch.FloatTensor"; what had no such name is "CPUBoolType"
cdef str tensor_type(int dtype)
