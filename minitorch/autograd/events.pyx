"""Events of the engine: which functions it enters, and what it does to each node.

Python's `sys.setprofile` sees the first three steps of a backward, but no compiled functions. So the engine
reports the other steps itself, to two callbacks. The callback of `_trace` gets the function that is entered:
    execute, compute_dependencies, thread_main, evaluate_function, call_function, apply,
    validate_outputs, add_gradient, accumulate_in_buffer, accumulate, forget
The callback of `_listen` gets what happens to nodes and gradients; `minitorch.autograd.trace` uses it.

Events have only the shape and dtype of a gradient. A reference to the gradient would keep the engine from adding to
it in place. Only the viewer of `_show_inputs` gets the gradients that a node is applied to, and must not keep them.
"""

from minitorch.autograd.node cimport Node
from minitorch.autograd.variable cimport TensorBase
from minitorch.core.dtype cimport dtype_of
from minitorch.core.tensor_impl cimport TensorImpl, sizes_tuple

tracing = False
cdef object _callback = None
cdef object _listener = None
showing_inputs = False
cdef object _viewer = None


def _trace(callback):
    """Call ``callback(function, node)`` at each step of every backward from now on.

    Parameters
    ----------
    callback : callable or None
        Takes the name of the function, and the node that it is about or None. An exception in it ends
        the backward. None removes the callback.

    Returns
    -------
    callable or None
        The callback that was installed before.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> y = x * x
    >>> events = []
    >>> previous = _trace(lambda function, node: events.append(function))
    >>> y.backward()
    >>> _trace(previous) is not None
    True
    >>> events[:4]
    ['execute', 'compute_dependencies', 'add_gradient', 'thread_main']
    """
    global tracing, _callback
    previous = _callback
    _callback = callback
    tracing = _callback is not None or _listener is not None
    return previous


def _listen(listener):
    """Call ``listener(kind, node, source, edge, output_nr, gradients, count, detail)`` when something happens.

    Parameters
    ----------
    listener : callable or None
        None removes the listener. A gradient comes along edge number `edge` of the node `source`, for output
        number `output_nr` of `node`. `gradients` is a tuple of pairs ``(shape, dtype)``. The meaning of `count`
        depends on the kind of event. Where they do not apply, numbers are -1 and objects None.
    """
    global tracing, _listener
    _listener = listener
    tracing = _callback is not None or _listener is not None


def _show_inputs(viewer):
    """Call ``viewer(node, gradients)`` before each node is applied; it must not keep the gradients. None: stop."""
    global showing_inputs, _viewer
    _viewer = viewer
    showing_inputs = _viewer is not None


cdef int show_inputs(Node node, list gradients) except -1:
    viewer = _viewer
    if viewer is not None:
        viewer(node, gradients)
    return 0


cdef int trace(str function, Node node) except -1:
    # another thread may have removed it since `tracing` was tested
    callback = _callback
    if callback is not None:
        callback(function, node)
    return 0


cdef int happened(str kind, Node node, Node source, int edge, int output_nr, tuple gradients,
                  Py_ssize_t count, str detail) except -1:
    listener = _listener
    if listener is not None:
        listener(kind, node, source, edge, output_nr, gradients, count, detail)
    return 0


cdef object described(object gradient):
    cdef TensorImpl impl
    if gradient is None:
        return None
    impl = (<TensorBase>gradient).impl if isinstance(gradient, TensorBase) else <TensorImpl>gradient
    return sizes_tuple(impl), dtype_of(impl.dtype)
