# Distinct values: (values, inverse, counts), where what is not asked for is empty. `inverse` has
# for every element the number of its value.

from minitorch.core.tensor_impl cimport TensorImpl

# of all elements, ascending whether `sorted` or not
cdef tuple _unique2(TensorImpl self, bint sorted=*, bint return_inverse=*, bint return_counts=*)
# of slices along a dimension, in lexical order
cdef tuple unique_dim(TensorImpl self, Py_ssize_t dim, bint sorted=*, bint return_inverse=*,
                      bint return_counts=*)
# runs of equal elements, or with a dim of equal slices, in their order
cdef tuple unique_consecutive(TensorImpl self, bint return_inverse=*, bint return_counts=*,
                              object dim=*)
