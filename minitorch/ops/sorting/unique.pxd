# Distinct values: (values, inverse, counts); results that are not requested are empty. For each element,
# `inverse` has the index of its value.

from minitorch.core.tensor_impl cimport TensorImpl

# of all elements, always in ascending order
cdef tuple _unique2(TensorImpl self, bint sorted=*, bint return_inverse=*, bint return_counts=*)
# of slices along a dimension, in lexical order
cdef tuple unique_dim(TensorImpl self, Py_ssize_t dim, bint sorted=*, bint return_inverse=*,
                      bint return_counts=*)
# of runs of equal elements (with a dim, equal slices), in their order
cdef tuple unique_consecutive(TensorImpl self, bint return_inverse=*, bint return_counts=*,
                              object dim=*)
