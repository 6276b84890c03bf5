"""Nodes for tests and decorators: one raises an error in the backward pass, one stops the gradient."""

cimport cython

from minitorch.autograd.grad_mode cimport grad_enabled
from minitorch.autograd.node cimport Gradients, Node, start_node
from minitorch.autograd.variable cimport (
    TensorBase, gradient_edge, make_tensor, requires_grad, set_history)
from minitorch.core.tensor_impl cimport alias
from minitorch.autograd.python_dispatch cimport copy_to_save

from minitorch.core.error_pages import explained

cdef str _ONCE = "@once_differentiable"        # the decorator makes most of these nodes


@cython.final
@cython.binding(False)
cdef class Error(Node):
    """A node that raises its message when a gradient arrives."""
    cdef str message

    def name(self):
        """Return the name that PyTorch's messages use."""
        return "torch::autograd::Error"

    cdef int apply(self, Gradients g) except -1:
        error = RuntimeError(self.message)
        raise explained(error, "once-differentiable") if self.message.endswith(_ONCE) else error


@cython.final
cdef class UndefinedGradBackward(Node):
    """A node that returns no gradients."""

    cdef int apply(self, Gradients g) except -1:
        return 0


cdef object _recorded(Node node, tuple tensors, bint copies):
    """Return aliases (or copies) of `tensors` with the history `node`."""
    cdef TensorBase t, result
    cdef unsigned int k = 0, nr
    cdef bint records = False
    cdef list results = []
    for t in tensors:
        if t is not None and requires_grad(t):
            records = grad_enabled()
    start_node(node)
    for t in tensors:
        if t is None:
            results.append(None)
            node.set_edge(k, None, 0)
        else:
            nr = 0
            node.set_edge(k, gradient_edge(t, &nr), nr)
            result = make_tensor(copy_to_save(t) if copies else alias(t.impl))
            if records:
                node.add_output(result.impl)
                set_history(result, node, node.num_outputs - 1)
            results.append(result)
        k += 1
    return results[0] if len(results) == 1 else tuple(results)


cdef class DelayedError:
    """A function that returns aliases of its tensors whose backward raises: ``DelayedError(message, n)(*tensors)``.

    Parameters
    ----------
    message : str or bytes
    num_inputs : int
        The number of tensors.

    Raises
    ------
    RuntimeError
        In the backward pass, or if an argument has another type.
    """
    cdef str message
    cdef Py_ssize_t num_inputs

    def __init__(self, message, num_inputs):
        if not isinstance(message, (str, bytes)):
            raise RuntimeError("argument 'msg' must be a string")
        if not isinstance(num_inputs, int):
            raise RuntimeError("argument 'num_inputs' must be an int")
        self.message = message.decode() if isinstance(message, bytes) else message
        self.num_inputs = num_inputs

    def __call__(self, *tensors):
        cdef Error node = Error.__new__(Error)
        node.message = self.message
        return _recorded(node, tensors, False)


cdef class UndefinedGrad:
    """A function that returns copies of its tensors through which no gradient flows: ``UndefinedGrad()(*tensors)``."""

    def __call__(self, *tensors):
        cdef UndefinedGradBackward node = UndefinedGradBackward.__new__(UndefinedGradBackward)
        return _recorded(node, tensors, True)
