"""Report to observers which functions the engine enters, and what it does to each node.

Note [Watching]
There is one mechanism for watching: an `Observer` has a method for each kind of event, which does nothing unless a
subclass overrides it. `watch` adds an observer for all threads. Code that reports an event calls an inline function,
which tests one flag, and does not know who watches. These watch:
    observe/tracing.py              `trace` keeps what happens to nodes and gradients
    observe/record_functions.pyx    what begins and ends inside of what, for profiles and execution traces
    observe/engine_log.py           writes the nodes of a backward to the log
`CallObserver` in calls.pyx adds the calls of operators and the named blocks.

Python's `sys.setprofile` sees the first three steps of a backward, but no compiled functions. So the engine reports:
    execute, compute_dependencies, thread_main, evaluate_function, call_function, apply,
    validate_outputs, add_gradient, accumulate_in_buffer, accumulate, forget
Events have only the shape and dtype of a gradient. A reference to the gradient would keep the engine from adding to
it in place. Only `applied` can read the gradients that a node is applied to, and must not keep them.
"""

cimport cython

from minitorch.autograd.node cimport Gradients, Node
from minitorch.autograd.variable cimport TensorBase, make_tensor
from minitorch.core.dtype cimport dtype_of
from minitorch.core.tensor_impl cimport TensorImpl, sizes_tuple

watching = False
cdef list _observers = []


@cython.binding(False)
cdef class Observer:
    """Base class of observers of the engine; as a context manager it watches in its block, in every thread.

    An exception in one of its methods ends the backward.

    Examples
    --------
    >>> import minitorch as torch
    >>> class Functions(Observer):
    ...     names = []
    ...     def entered(self, function, node):
    ...         self.names.append(function)
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> y = x * x
    >>> with Functions() as functions:
    ...     y.backward()
    >>> functions.names[:4]
    ['execute', 'compute_dependencies', 'add_gradient', 'thread_main']
    """

    def __enter__(self):
        watch(self)
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        unwatch(self)

    cdef int switched(self, bint on) except -1:
        return 0

    cpdef entered(self, str function, Node node):
        """Observe that the engine enters a function; `node` is the node that it is about, or None."""

    cpdef happened(self, str kind, Node node, Node source, int edge, int output_nr, tuple gradients,
                   Py_ssize_t count, str detail):
        """Observe what happens to a node.

        A gradient comes along edge number `edge` of the node `source`, for output number `output_nr` of `node`.
        `gradients` is a tuple of pairs ``(shape, dtype)``. The meaning of `count` depends on the kind of event. Where
        they do not apply, numbers are -1 and objects None.
        """

    cpdef applied(self, Node node, Gradients gradients):
        """Observe that a node is about to be applied; `inputs_as_tensors` reads the gradients."""

    cpdef backward_failed(self):
        """Observe that the backward on this thread has raised an exception."""


def watch(Observer observer):
    """Report the events of all threads to an observer, until `unwatch`."""
    if not observer.is_watching:
        _observers.append(observer)
        _switch(observer, True)


def unwatch(Observer observer):
    """Report no more events to an observer. Allocates nothing: see Note [Atomic entering]."""
    for k in range(len(_observers)):
        if _observers[k] is observer:
            del _observers[k]
            return _switch(observer, False)


cdef int _switch(Observer observer, bint on) except -1:
    global watching
    observer.is_watching = on
    watching = len(_observers) > 0
    return observer.switched(on)


def note(str detail, tensor=None):
    """Report what Python code does during a backward, such as the start of a reduction between processes."""
    if watching:
        report("note", None, None, -1, -1, () if tensor is None else (described(tensor),), -1, detail)


def report_failure():
    """Report that the backward on this thread has raised an exception."""
    for observer in tuple(_observers):
        (<Observer>observer).backward_failed()


cpdef list inputs_as_tensors(Node node, Gradients g):
    cdef list given = [g.in0] if node.num_outputs == 1 else g.ins or []
    return [make_tensor(<TensorImpl>gradient) if isinstance(gradient, TensorImpl) else gradient for gradient in given]


cdef int report_gradient(str kind, Node node, Node source, int output_nr, object gradient, Py_ssize_t count,
                         str detail) except -1:
    return report(kind, node, source, -1, output_nr, (described(gradient),), count, detail)


cdef int report_validated(Node node, Node source, int edge, int output_nr, object gradient, Gradients g) except -1:
    return report("validate", node, source, edge, output_nr, (described(gradient), described(g.get(edge))), -1, None)


cdef int report_entered(str function, Node node) except -1:
    for observer in tuple(_observers):
        (<Observer>observer).entered(function, node)
    return 0


cdef int report(str kind, Node node, Node source, int edge, int output_nr, tuple gradients,
                Py_ssize_t count, str detail) except -1:
    for observer in tuple(_observers):
        (<Observer>observer).happened(kind, node, source, edge, output_nr, gradients, count, detail)
    return 0


cdef int report_applied(Node node, Gradients g) except -1:
    report_entered("apply", node)
    for observer in tuple(_observers):
        (<Observer>observer).applied(node, g)
    if node.num_outputs == 1:
        gradients = (described(g.in0),)
    else:
        gradients = tuple([described(gradient) for gradient in g.ins]) if g.ins is not None else ()
    return report("apply", node, None, -1, -1, gradients, -1, None)


cdef int report_hook(Node node, int output_nr, object what, str place, object hook) except -1:
    if hook is not None:
        place = f"{place} {getattr(hook, '__qualname__', type(hook).__qualname__)}"
    gradients = what if isinstance(what, tuple) else (what,)
    return report("hook", node, None, -1, output_nr,
                  tuple([described(gradient) for gradient in gradients]), -1, place)


cdef int report_accumulated(TensorBase variable, object gradient, TensorBase old) except -1:
    cdef Node sink = None if variable.grad_accumulator == NULL else <Node>variable.grad_accumulator
    cdef TensorBase new = variable._grad
    if old is not None:
        detail = "added in place" if new is old else "added"
    else:
        taken = (<TensorBase>gradient).impl if isinstance(gradient, TensorBase) else gradient
        detail = "taken" if new.impl is taken else "copied"
    return report("accumulate", sink, None, -1, 0, (described(gradient),), -1, detail)


cdef object described(object gradient):
    cdef TensorImpl impl
    if gradient is None:
        return None
    impl = (<TensorBase>gradient).impl if isinstance(gradient, TensorBase) else <TensorImpl>gradient
    return sizes_tuple(impl), dtype_of(impl.dtype)
