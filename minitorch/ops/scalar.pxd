# Python numbers into elements and back.

from minitorch.core.tensor_impl cimport TensorImpl

# Write `value` as one element of `dtype` at `out` (16 bytes are always enough). RuntimeError
# "value cannot be converted to type int8_t without overflow"; TypeError when it is no number.
cdef int write_scalar(object value, int dtype, void* out) except -1
# The element at `p` as bool, int, float or complex
cdef object read_scalar(const char* p, int dtype)
# The value that a Scalar has for a loop of this dtype, where a complex number may stand for a real one; RuntimeError
# "value cannot be converted to type float without overflow" when it has an imaginary part
cdef object number_for(object value, int dtype)
# The same as a double. A dtype without floating-point loops gets 0: the loop's own error is to be raised
cdef double parameter_for(object value, int dtype) except? -1.0
# A 0-dim tensor of this dtype
cdef TensorImpl scalar_tensor(object value, int dtype)
# The only element of `self` as a Python number; RuntimeError when it has not just one
cdef object item(TensorImpl self)
cdef object tolist(TensorImpl self)
