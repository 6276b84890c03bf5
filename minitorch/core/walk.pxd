# The walk over a bound TensorIterator: calls an inner loop, row by row or in larger pieces.

from minitorch.core.iterator cimport Loop, TensorIterator

cdef void for_each(TensorIterator* self, Loop loop, void* data, int nthreads) noexcept nogil
