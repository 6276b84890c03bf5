# Every element of a dimension, repeated in place: repeat_interleave.

from minitorch.core.tensor_impl cimport TensorImpl

# The positions 0, 1, ..., each repeated the given number of times, in the dtype of `repeats` (int32 or int64)
cdef TensorImpl repeat_interleave(TensorImpl repeats, object output_size=*)
cdef TensorImpl repeat_interleave_self_tensor(TensorImpl self, TensorImpl repeats, object dim=*,
                                              object output_size=*)
cdef TensorImpl repeat_interleave_self_int(TensorImpl self, Py_ssize_t repeats, object dim=*,
                                           object output_size=*)
