# What several operators write their result with, beside `copy`: zeros, and sums into strided
# memory.

from minitorch.core.tensor_impl cimport TensorImpl

cdef enum:
    RELEASE_GIL = 50000                 # elements of work from which a kernel runs without the GIL

cdef TensorImpl zeros(int ndim, const Py_ssize_t* sizes, int dtype)         # row-major
cdef TensorImpl zeros_tuple(object sizes, int dtype)
# target += source, for equal sizes and dtypes, element after element: `target` may overlap itself
# as long as no two positions of one dimension with a stride other than 0 do
cdef int add_into(TensorImpl target, TensorImpl source) except -1
cdef str shape_text(int n, const Py_ssize_t* values)                        # "[2, 3]"
