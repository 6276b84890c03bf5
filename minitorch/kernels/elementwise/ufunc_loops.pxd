# Inner loops of ufuncs, NumPy's or SciPy's.

# Find the first loop of `ufunc` whose signature is (source, ..., target), with as many sources as it has inputs,
# and write it to k. False if there is none.
from minitorch.kernels.common.table cimport Kernel

cdef bint borrow(Kernel* k, object ufunc, int source, int target, int cost) except -1

# Write NumPy's loops to the tables.
cdef void register() except *
