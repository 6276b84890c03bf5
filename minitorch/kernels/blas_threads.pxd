# BLAS has threads of its own. A kernel that calls BLAS from several of ours limits it to one for
# that time, so that the two never nest; the calls count, and the last one out restores the number.

cdef int blas_threads() noexcept nogil                # the number set; 0 when it cannot be known
cdef void set_blas_threads(int n) noexcept nogil      # takes effect when no region is open

# True when BLAS may be called from several of our threads until `leave_region`; false (and no
# region is open) when this BLAS offers no way to limit its threads.
cdef bint enter_region() noexcept nogil
cdef void leave_region() noexcept nogil
