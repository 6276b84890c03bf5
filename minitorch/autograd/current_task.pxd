# The backward pass that this thread is in.

from minitorch.autograd.graph_task cimport GraphTask


cdef GraphTask current_task()                           # None outside of one
cdef void set_current_task(GraphTask task) noexcept     # whoever sets it keeps it alive
