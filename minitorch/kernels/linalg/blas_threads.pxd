# BLAS has threads of its own. A kernel that calls BLAS from several of our threads limits BLAS to one thread
# meanwhile, so that the two are never nested. The regions are counted, and the last one to end restores the
# number.

cdef int blas_threads() noexcept nogil                # the number that is set; 0 if unknown
cdef void set_blas_threads(int n) noexcept nogil      # takes effect when no region is open

# Returns True if BLAS may be called from several of our threads until `leave_region`; False (and no region is
# open) if the number of threads of this BLAS cannot be limited.
cdef bint enter_region() noexcept nogil
cdef void leave_region() noexcept nogil
