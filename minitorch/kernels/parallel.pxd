# How many threads a kernel may use. One number governs all of minitorch's own loops; BLAS keeps
# its own threads, and the two never nest.

cdef int num_threads() noexcept nogil             # the number set, at least 1
cdef void set_num_threads(int n) noexcept nogil   # values below 1 count as 1

# Threads to split `work` over, where work is the estimated time on one thread in nanoseconds:
# 1 below the size at which splitting pays, inside a parallel region and in a forked child.
cdef int threads_for(Py_ssize_t work) noexcept nogil
