# The expression between the brackets of x[...]: the part that views can do, and index tensors.

from minitorch.core.tensor_impl cimport TensorImpl
from minitorch.ops.creation.sequence cimport ImplOf

cdef class ParsedIndex:
    # Views to take one after the other, as (name of the operator, its arguments after self):
    #     ("select", dim, index)   ("slice", dim, start, end, step)   ("unsqueeze", dim)
    cdef list steps
    cdef TensorImpl view               # the result of these views; the tensor itself if there are none
    # The index tensors of `index` and `index_put_` on that view: TensorImpl, or None for a whole dimension. The
    # list is None if views are sufficient
    cdef list indices

# Follows the rules of Python and PyTorch; raises IndexError, TypeError and ValueError with PyTorch's messages
cdef ParsedIndex parse_index(TensorImpl self, object index, ImplOf impl_of)
# Check x[i] for an integer i and return i, which may be negative. real_dim is its position between the brackets,
# for the error message
cdef Py_ssize_t check_select(TensorImpl self, int dim, Py_ssize_t index, int real_dim) except? -1
# A view without the leading dimensions of size 1, as x[...] = value uses it
cdef TensorImpl strip_leading_ones(TensorImpl value)
