# New tensors filled by a rule. dtype is a ScalarType; NoType means PyTorch's default for the call.

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl zeros(tuple size, int dtype=*)
cdef TensorImpl ones(tuple size, int dtype=*)
cdef TensorImpl full(tuple size, object fill_value, int dtype=*)
cdef TensorImpl new_empty(tuple size, int dtype=*)
# memory_format: a MemoryFormat of ops/common/copy; default PRESERVE_FORMAT
cdef TensorImpl zeros_like(TensorImpl self, int dtype=*, int memory_format=*)
cdef TensorImpl ones_like(TensorImpl self, int dtype=*, int memory_format=*)
cdef TensorImpl full_like(TensorImpl self, object fill_value, int dtype=*, int memory_format=*)
cdef TensorImpl empty_like(TensorImpl self, int dtype=*, int memory_format=*)
cdef TensorImpl arange(object start, object end, object step, int dtype=*)
cdef TensorImpl linspace(object start, object end, Py_ssize_t steps, int dtype=*)
cdef TensorImpl logspace(object start, object end, Py_ssize_t steps, double base=*, int dtype=*)
cdef TensorImpl eye(Py_ssize_t n, Py_ssize_t m, int dtype=*)
cdef TensorImpl tril_indices(Py_ssize_t row, Py_ssize_t col, Py_ssize_t offset=*, int dtype=*)
cdef TensorImpl triu_indices(Py_ssize_t row, Py_ssize_t col, Py_ssize_t offset=*, int dtype=*)
# The dtype that a Python number has as a tensor: the default dtype for floats
cdef int dtype_of_number(object value) except -1
