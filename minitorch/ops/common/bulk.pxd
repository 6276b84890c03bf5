# Helpers with which several operators write their results, besides `copy`: zeros, and sums into strided memory.

from minitorch.core.tensor_impl cimport TensorImpl

cdef enum:
    RELEASE_GIL = 50000                 # elements of work from which a kernel runs without the GIL

cdef TensorImpl zeros(int ndim, const Py_ssize_t* sizes, int dtype)         # row-major
cdef TensorImpl zeros_tuple(object sizes, int dtype)
# target += source, element by element, for equal sizes and dtypes. `target` may overlap itself, but within one
# dimension only through a stride of 0.
cdef int add_into(TensorImpl target, TensorImpl source) except -1
cdef str shape_text(int n, const Py_ssize_t* values)                        # "[2, 3]"
