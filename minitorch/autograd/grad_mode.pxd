# Whether operators record: one flag for each thread.

cdef bint grad_enabled() noexcept            # and not in inference mode
cdef bint inference_enabled() noexcept
cdef bint any_inference_mode                 # on some thread: a quick test before the other one
cdef void set_grad_enabled(bint enabled) noexcept
cdef bint view_replay_forced() noexcept      # views are to keep the operators that made them
