# Conversion of Python numbers to elements and back.

from minitorch.core.tensor_impl cimport TensorImpl

# Write `value` as one element of `dtype` at `out` (16 bytes are always enough). Raises the RuntimeError "value
# cannot be converted to type int8_t without overflow", or a TypeError if it is not a number.
cdef int write_scalar(object value, int dtype, void* out) except -1
# The element at `p` as bool, int, float or complex
cdef object read_scalar(const char* p, int dtype)
# The value of a Scalar for a kernel of this dtype. A complex number without an imaginary part is accepted for a
# real dtype; otherwise raises the RuntimeError "value cannot be converted to type float without overflow"
cdef object number_for(object value, int dtype)
# The same as a double; 0 for a dtype without floating-point kernels, so that the kernel lookup raises the error
cdef double parameter_for(object value, int dtype) except? -1.0
# A 0-dim tensor of this dtype
cdef TensorImpl scalar_tensor(object value, int dtype)
# The only element of `self` as a Python number; RuntimeError unless it has exactly one
cdef object item(TensorImpl self)
cdef object tolist(TensorImpl self)
