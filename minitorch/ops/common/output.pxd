# The out= argument of operators that are not elementwise (pointwise handles it for those that are).

from minitorch.core.tensor_impl cimport SizesAndStrides, TensorImpl

# Resize `out` to this shape (strides NULL: row-major). Returns True if it had another shape, after the
# UserWarning about outputs that have elements.
cdef bint resize_output(TensorImpl out, int ndim, const Py_ssize_t* sizes,
                        const Py_ssize_t* strides=*) except -1
# RuntimeError "result type Float can't be cast to the desired output type Long"
cdef int check_can_cast(int from_dtype, int to_dtype) except -1
# The checks above and the overlap check: can a result of this dtype and shape be written to `out`?
cdef int prepare_output(TensorImpl out, int dtype, int ndim, const Py_ssize_t* sizes) except -1
