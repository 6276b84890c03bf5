# Whether operators record: one flag for each thread.

cdef bint grad_enabled() noexcept
cdef void set_grad_enabled(bint enabled) noexcept
