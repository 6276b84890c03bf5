# The backward pass that is running on this thread.

from minitorch.autograd.graph_task cimport GraphTask


cdef GraphTask current_task()                           # None outside of a backward pass
cdef void set_current_task(GraphTask task) noexcept     # the caller keeps the task alive
