"""What the engine tells about itself: the functions it enters, and what it does to each node.

Python's own `sys.setprofile` sees the first three steps of a backward; compiled functions are
invisible to it, so the rest of the way reports itself here, in two ways. `_trace` is told which
function is entered:
    execute, compute_dependencies, thread_main, evaluate_function, call_function, apply,
    validate_outputs, add_gradient, accumulate_in_buffer, accumulate, forget
`_listen` is told what happens to nodes and gradients, for `minitorch.autograd.trace`.

A gradient is described and not handed out: whoever held it would keep the engine from adding to it
in place. Only `_show_inputs` is shown what a node is applied to, and is not to keep it.
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
        Gets the name of the function and the node it is entered for, or None. What it raises ends
        the backward. None: stop.

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
        None: stop. `source` and `edge` are the node and the number of its edge along which a gradient
        came, or -1; `output_nr` is the output of `node` that it is for, or -1; `gradients` are pairs
        ``(shape, dtype)`` or None; `count` is a number that the kind of event explains, or -1.
    """
    global tracing, _listener
    _listener = listener
    tracing = _callback is not None or _listener is not None


def _show_inputs(viewer):
    """Call ``viewer(node, gradients)`` before each node is applied, which is not to keep them; None: stop."""
    global showing_inputs, _viewer
    _viewer = viewer
    showing_inputs = _viewer is not None


cdef int show_inputs(Node node, list gradients) except -1:
    viewer = _viewer
    if viewer is not None:
        viewer(node, gradients)
    return 0


cdef int trace(str function, Node node) except -1:
    # another thread may have taken it away since `tracing` was tested
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
