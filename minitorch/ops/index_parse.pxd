# What stands between the brackets of x[...]: the part that views can do, and index tensors.

from minitorch.core.tensor_impl cimport TensorImpl

cdef class ParsedIndex:
    # Views to take one after the other, as (name of the operator, its arguments after self):
    #     ("select", dim, index)   ("slice", dim, start, end, step)   ("unsqueeze", dim)
    cdef list steps
    cdef TensorImpl view               # what they make of the tensor; itself when there are none
    # For `index` and `index_put_` on that view: TensorImpl, or None for a whole dimension. None
    # instead of a list when the views are all there is
    cdef list indices

# Python's and PyTorch's rules; IndexError, TypeError and ValueError with PyTorch's texts
cdef ParsedIndex parse_index(TensorImpl self, object index)
# The checks of x[i] for an integer; i, which may be negative. real_dim is its position between the
# brackets, which the message names
cdef Py_ssize_t check_select(TensorImpl self, int dim, Py_ssize_t index, int real_dim) except? -1
# A view without the leading dimensions of size 1, as x[...] = value takes values
cdef TensorImpl strip_leading_ones(TensorImpl value)
