"""`_trace`: which function of the engine is entered, in which order.

Python's own `sys.setprofile` sees the first three steps of a backward; compiled functions are
invisible to it, so the rest of the way reports itself here. The events are
    execute, compute_dependencies, thread_main, evaluate_function, call_function, apply,
    validate_outputs, add_gradient, accumulate_in_buffer, accumulate
each the name of the function that is being entered, with the node it is about.
"""

from minitorch.autograd.node cimport Node

tracing = False
cdef object _callback = None


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
    tracing = callback is not None
    return previous


cdef int trace(str function, Node node) except -1:
    # another thread may have taken it away since `tracing` was tested
    callback = _callback
    if callback is not None:
        callback(function, node)
    return 0
