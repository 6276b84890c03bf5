"""Events of the engine: which functions it enters, and what it does to each node.

Python's `sys.setprofile` sees the first three steps of a backward, but no compiled functions. So the engine
reports the other steps itself, to two callbacks. The callback of `_trace` gets the function that is entered:
    execute, compute_dependencies, thread_main, evaluate_function, call_function, apply,
    validate_outputs, add_gradient, accumulate_in_buffer, accumulate, forget
The callback of `_listen` gets what happens to nodes and gradients; `minitorch.autograd.trace` uses it.

Events have only the shape and dtype of a gradient. A reference to the gradient would keep the engine from adding to
it in place. Only the viewer of `_show_inputs` gets the gradients that a node is applied to, and must not keep them.
"""

from minitorch.autograd.node cimport Gradients, Node
from minitorch.autograd.variable cimport TensorBase, make_tensor
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


cdef int report_inputs(Node node, Gradients g) except -1:
    viewer = _viewer
    if viewer is not None:
        viewer(node, inputs_as_tensors(node, g))
    return 0


cdef list inputs_as_tensors(Node node, Gradients g):
    cdef list given = [g.in0] if node.num_outputs == 1 else g.ins or []
    return [make_tensor(<TensorImpl>gradient) if isinstance(gradient, TensorImpl) else gradient for gradient in given]


cdef int report_gradient(str kind, Node node, Node source, int output_nr, object gradient, Py_ssize_t count,
                         str detail) except -1:
    return happened(kind, node, source, -1, output_nr, (described(gradient),), count, detail)


cdef int report_validated(Node node, Node source, int edge, int output_nr, object gradient, Gradients g) except -1:
    return happened("validate", node, source, edge, output_nr, (described(gradient), described(g.get(edge))), -1, None)


cdef int report_entered(str function, Node node) except -1:
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


cdef int report_applied(Node node, Gradients g) except -1:
    report_entered("apply", node)
    if node.num_outputs == 1:
        gradients = (described(g.in0),)
    else:
        gradients = tuple([described(gradient) for gradient in g.ins]) if g.ins is not None else ()
    return happened("apply", node, None, -1, -1, gradients, -1, None)


cdef int report_hook(Node node, int output_nr, object what, str place, object hook) except -1:
    if hook is not None:
        place = f"{place} {getattr(hook, '__qualname__', type(hook).__qualname__)}"
    gradients = what if isinstance(what, tuple) else (what,)
    return happened("hook", node, None, -1, output_nr,
                    tuple([described(gradient) for gradient in gradients]), -1, place)


cdef int report_accumulated(TensorBase variable, object gradient, TensorBase old) except -1:
    cdef Node sink = None if variable.grad_accumulator == NULL else <Node>variable.grad_accumulator
    cdef TensorBase new = variable._grad
    if old is not None:
        detail = "added in place" if new is old else "added"
    else:
        taken = (<TensorBase>gradient).impl if isinstance(gradient, TensorBase) else gradient
        detail = "taken" if new.impl is taken else "copied"
    return happened("accumulate", sink, None, -1, 0, (described(gradient),), -1, detail)


cdef object described(object gradient):
    cdef TensorImpl impl
    if gradient is None:
        return None
    impl = (<TensorBase>gradient).impl if isinstance(gradient, TensorBase) else <TensorImpl>gradient
    return sizes_tuple(impl), dtype_of(impl.dtype)
