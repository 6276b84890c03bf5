# Whether operators record: one flag for each thread.

cdef bint grad_enabled() noexcept            # always False in inference mode
cdef bint inference_enabled() noexcept
cdef bint any_inference_mode                 # a quick test: some thread has used inference mode
cdef void set_grad_enabled(bint enabled) noexcept

# for the other modes, in other_modes.pyx
cdef void switch_grad_mode(bint enabled) noexcept    # the mode that the program sees
cdef void set_inference(bint mode) noexcept
cdef int check_bool(str function, object enabled) except -1      # TypeError
