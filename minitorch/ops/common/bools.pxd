from minitorch.core.tensor_impl cimport TensorImpl

# Returns a Bool tensor whose bytes are all 0 or 1: `self` if that holds already or its dtype is not Bool, else a
# copy.
cdef TensorImpl plain_bools(TensorImpl self)
