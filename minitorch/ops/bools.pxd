from minitorch.core.tensor_impl cimport TensorImpl

# A Bool tensor whose bytes are 0 and 1: `self` if they are, or it is of another dtype; else a copy.
cdef TensorImpl plain_bools(TensorImpl self)
