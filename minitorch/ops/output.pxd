# The out= argument of the operators that are not elementwise (those have it in pointwise).

from minitorch.core.tensor_impl cimport SizesAndStrides, TensorImpl

# Give `out` this shape (strides NULL: row-major). True when it had another one; the UserWarning
# about outputs that have elements is given then.
cdef bint resize_output(TensorImpl out, int ndim, const Py_ssize_t* sizes,
                        const Py_ssize_t* strides=*) except -1
# RuntimeError "result type Float can't be cast to the desired output type Long"
cdef int check_can_cast(int from_dtype, int to_dtype) except -1
# The three together with the overlap checks: can a result of this dtype and shape go to `out`?
cdef int prepare_output(TensorImpl out, int dtype, int ndim, const Py_ssize_t* sizes) except -1
