# Whether operators record: one flag for each thread.

cdef bint grad_enabled() noexcept            # always False in inference mode
cdef bint inference_enabled() noexcept
cdef bint any_inference_mode                 # a quick test: some thread has used inference mode
cdef void set_grad_enabled(bint enabled) noexcept
cdef bint view_replay_forced() noexcept      # views keep the operators that made them
