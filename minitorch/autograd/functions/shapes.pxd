# Sizes and dimensions for the composed rows of derivatives/: what flatten, chunk and narrow ask
# of reshape, split and slice.

cdef bint is_flat(Py_ssize_t ndim, Py_ssize_t start_dim, Py_ssize_t end_dim) except -1
cdef tuple flattened_sizes(tuple sizes, Py_ssize_t start_dim, Py_ssize_t end_dim)
cdef tuple unflattened_sizes(tuple sizes, Py_ssize_t dim, tuple parts)
cdef Py_ssize_t narrow_start(tuple sizes, Py_ssize_t dim, Py_ssize_t start, Py_ssize_t length) except -1
cdef Py_ssize_t chunk_size(tuple sizes, Py_ssize_t chunks, Py_ssize_t dim) except -1
cdef tuple chunk_zeros(Py_ssize_t chunks)
cdef tuple moved_dims(Py_ssize_t ndim, tuple source, tuple destination)
cdef Py_ssize_t size_in(tuple sizes, int d) except -1      # size(d); a 0-dim tensor has none
