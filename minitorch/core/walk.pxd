# The walk over a bound TensorIterator: calls an inner loop, row by row or in larger pieces.

from minitorch.core.iterator cimport Loop, TensorIterator

cdef void for_each(TensorIterator* self, Loop loop, void* data, int nthreads) noexcept nogil
# The same over one dimension of n elements
cdef void for_each_flat(int noperands, Py_ssize_t n, char** args, const Py_ssize_t* steps,
                        Loop loop, void* data, int nthreads) noexcept nogil
