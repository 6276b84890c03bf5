# The number of threads a kernel may use. One number applies to all of minitorch's own loops; BLAS has its own
# threads, and the two are never nested.

cdef int num_threads() noexcept nogil             # the number that is set, at least 1
cdef void set_num_threads(int n) noexcept nogil   # values below 1 count as 1

# The number of threads to split `work` over, where work is the estimated time on one thread in nanoseconds: 1
# below the size from which splitting is faster, inside a parallel region and in a forked child.
cdef int threads_for(Py_ssize_t work) noexcept nogil
