# What the engine reports to observers. There is one inline function for each event. It tests `watching`, so that an
# event costs nothing else while there is no observer. See Note [Watching] in events.pyx.

from minitorch.autograd.node cimport Gradients, Node
from minitorch.autograd.variable cimport TensorBase

cdef bint watching                           # whether there is an observer


cdef class Observer:
    cdef readonly bint is_watching

    cdef int switched(self, bint on) except -1       # `watch` and `unwatch` call it
    cpdef entered(self, str function, Node node)
    cpdef happened(self, str kind, Node node, Node source, int edge, int output_nr, tuple gradients,
                   Py_ssize_t count, str detail)
    cpdef applied(self, Node node, Gradients gradients)
    cpdef backward_failed(self)


# (shape, dtype) of a TensorImpl or a Tensor; None for None. Keeps no reference
cdef object described(object gradient)

# The inputs of `node`, whose gradients are in `g`, as Tensors
cpdef list inputs_as_tensors(Node node, Gradients g)

# What the functions below do if there is an observer. An argument that does not apply is -1 or None
cdef int report(str kind, Node node, Node source, int edge, int output_nr, tuple gradients,
                Py_ssize_t count, str detail) except -1
cdef int report_gradient(str kind, Node node, Node source, int output_nr, object gradient, Py_ssize_t count,
                         str detail) except -1
cdef int report_validated(Node node, Node source, int edge, int output_nr, object gradient, Gradients g) except -1
cdef int report_entered(str function, Node node) except -1
cdef int report_applied(Node node, Gradients g) except -1
cdef int report_hook(Node node, int output_nr, object what, str place, object hook) except -1
cdef int report_accumulated(TensorBase variable, object gradient, TensorBase old) except -1


cdef inline int entered(str function, Node node) except -1:
    """Report that a function of the engine is entered; `node` is None if the function is not about one node."""
    return report_entered(function, node) if watching else 0

cdef inline int rooted(Node node, int output_nr, object gradient) except -1:
    """Report a root of the backward, and the gradient that it starts with."""
    return report_gradient("root", node, None, output_nr, gradient, -1, None) if watching else 0

cdef inline int dependency_counted(Node node, Node source, int edge, int output_nr, int count) except -1:
    """Report an edge into `node`: the `count`-th; `source` is None for a root."""
    return report("dependency", node, source, edge, output_nr, None, count, None) if watching else 0

cdef inline int buffered(Node node, Node source, int output_nr, object gradient, bint first) except -1:
    """Report a gradient that arrives at `node`, into an empty buffer if `first`."""
    return report_gradient("buffer", node, source, output_nr, gradient, -1,
                           "first" if first else "added") if watching else 0

cdef inline int pushed(Node node, Py_ssize_t size) except -1:
    """Report that `node` is ready; the queue has `size` nodes now."""
    return report("push", node, None, -1, -1, None, size, None) if watching else 0

cdef inline int popped(Node node, Py_ssize_t size) except -1:
    """Report that `node` is taken from the queue, which has `size` nodes left."""
    return report("pop", node, None, -1, -1, None, size, None) if watching else 0

cdef inline int captured(Node node, int output_nr, object gradient, Py_ssize_t index) except -1:
    """Report the gradient of `inputs[index]`."""
    return report_gradient("capture", node, None, output_nr, gradient, index, None) if watching else 0

cdef inline int skipped(Node node) except -1:
    """Report that `node` is not applied, since it leads to none of `inputs=`."""
    return report("skip", node, None, -1, -1, None, -1, None) if watching else 0

cdef inline int hook_called(Node node, int output_nr, object what, str place, object hook) except -1:
    """Report a hook that is about to be called with a gradient, or with a tuple of them."""
    return report_hook(node, output_nr, what, place, hook) if watching else 0

cdef inline int applied(Node node, Gradients g) except -1:
    """Report that `node` is about to be applied."""
    return report_applied(node, g) if watching else 0

cdef inline int validated(Node node, Node source, int edge, int output_nr, object gradient, Gradients g) except -1:
    """Report the gradient of an edge before and after it was fitted to the input it belongs to."""
    return report_validated(node, source, edge, output_nr, gradient, g) if watching else 0

cdef inline int freed(Node node) except -1:
    """Report that the saved tensors of `node` are freed."""
    return report("free", node, None, -1, -1, None, -1, None) if watching else 0

cdef inline int accumulated(TensorBase variable, object gradient, TensorBase old) except -1:
    """Report that a gradient was added to `.grad` of a leaf, which was `old` before."""
    return report_accumulated(variable, gradient, old) if watching else 0
