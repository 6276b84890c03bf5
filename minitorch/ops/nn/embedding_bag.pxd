# Sums (mode 0), means (1) and maxima (2) of the rows of a table, bag by bag.

from minitorch.core.tensor_impl cimport TensorImpl

# Returns (result, the bag of each index, the number of indices counted in each bag, and for mode 2 the index that
# each element of the result comes from). `offsets` has the position where each bag begins.
cdef tuple _embedding_bag(TensorImpl weight, TensorImpl indices, TensorImpl offsets,
                          bint scale_grad_by_freq=*, Py_ssize_t mode=*, bint sparse=*,
                          TensorImpl per_sample_weights=*, bint include_last_offset=*,
                          Py_ssize_t padding_idx=*)
