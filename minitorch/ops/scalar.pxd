# Python numbers into elements and back.

from minitorch.core.tensor_impl cimport TensorImpl

# Write `value` as one element of `dtype` at `out` (16 bytes are always enough). RuntimeError
# "value cannot be converted to type int8_t without overflow"; TypeError when it is no number.
cdef int write_scalar(object value, int dtype, void* out) except -1
# The element at `p` as bool, int, float or complex
cdef object read_scalar(const char* p, int dtype)
# A 0-dim tensor of this dtype
cdef TensorImpl scalar_tensor(object value, int dtype)
# The only element of `self` as a Python number; RuntimeError when it has not just one
cdef object item(TensorImpl self)
cdef object tolist(TensorImpl self)
