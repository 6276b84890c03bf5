"""Single steps of the engine, for an engine that is written in Python.

`Variable._execution_engine` may be any object with a `run_backward`. Such an engine decides itself in which
order nodes run: steps 4, 5, 6 and 9. The parts that are the same for every engine are here: the checks of the
arguments, and what happens in one node. The compiled engine uses the same functions.

These functions take and return gradients as Tensors. They record if grad mode is on, so an engine first sets
it: ``with torch.set_grad_enabled(create_graph)``.
"""

from minitorch.autograd.engine cimport call_function as _call_function
from minitorch.autograd.fit cimport fit
from minitorch.autograd.grad_mode cimport grad_enabled
from minitorch.autograd.graph_task cimport GraphTask
from minitorch.autograd.hooks cimport call_tensor_pre_hooks as _call_tensor_pre_hooks
from minitorch.autograd.node cimport Gradients, Node, output_metadata
from minitorch.autograd.roots cimport root_gradient
from minitorch.autograd.roots cimport unpack_arguments as _unpack_arguments
from minitorch.autograd.torch_function cimport is_alone_plain
from minitorch.autograd.variable cimport TensorBase, make_tensor
from minitorch.core.dtype cimport is_complex
from minitorch.core.tensor_impl cimport TensorImpl, same_sizes


def unpack_arguments(tensors, grad_tensors, inputs, accumulate_grad):
    """Check the arguments of `run_backward`, and look up where in the graph they point.

    Returns
    -------
    roots : list of (Node, int, Tensor or None)
        Where gradients enter the graph: a node, the number of its output, and the gradient, which has
        been fitted to the output's shape and dtype.
    ends : list of (Node, int, Tensor or GradientEdge)
        For each of `inputs`: the node and the output number that its gradient arrives at, and the input.

    Raises
    ------
    RuntimeError
        If an argument is invalid.
    """
    cdef bint recording = grad_enabled()
    cdef Node node
    cdef unsigned int nr
    roots, ends = _unpack_arguments(tensors, grad_tensors, inputs, bool(accumulate_grad))
    fitted = []
    for k, (node, nr, gradient) in enumerate(roots):
        fitted.append((node, nr, _wrap(root_gradient(node, nr, gradient, recording, k), recording)))
    return fitted, ends


def call_tensor_pre_hooks(Node node, gradients):
    """Call the tensor hooks of the node's outputs with `gradients`, one for each output.

    Returns the list of gradients, where a hook has replaced some of them. Afterwards, the gradients of
    outputs with `retain_grad` are stored in ``.grad``.
    """
    if node.hooks is None:
        return list(gradients)
    cdef GraphTask task = _task_for(node, gradients)
    cdef Gradients g = task.gradients
    _call_tensor_pre_hooks(node, g)
    if node.num_outputs == 1:
        return [_wrap(g.in0, g.recording)]
    return [_wrap(gradient, g.recording) for gradient in g.ins]


def call_function(Node node, gradients, keep_graph):
    """Call the node's pre-hooks, its formula and its post-hooks, as in step 7.

    Each gradient is checked and summed to the shape of its input. The node's saved tensors are freed
    unless `keep_graph` is set.

    Returns
    -------
    list of Tensor or None
        One gradient for each of ``node.next_functions``.
    """
    cdef GraphTask task = _task_for(node, gradients)
    _call_function(task, node)
    if not keep_graph:
        node.release_variables()
    return _results(task, node)


def apply_node(Node node, gradients):
    """Apply the node to `gradients` as `call_function` does, without its hooks and without freeing anything."""
    cdef GraphTask task = _task_for(node, gradients)
    cdef Gradients g = task.gradients
    cdef unsigned int k, nr
    cdef Node function
    node.apply(g)
    for k in range(node.num_edges):
        gradient = g.get(k)
        function = node.next_function(k, &nr)
        if gradient is not None and function is not None:
            g.set(k, fit(output_metadata(function, nr), gradient, g.recording, node, k))
    return _results(task, node)


def pre_hooks(Node node):
    """Return the list of the functions that `Node.register_prehook` has registered, in order."""
    return [] if node.hooks is None or node.hooks.pre_hooks is None else list(node.hooks.pre_hooks.values())


def post_hooks(Node node):
    """Return the list of the functions that `Node.register_hook` has registered, in order."""
    return [] if node.hooks is None or node.hooks.post_hooks is None else list(node.hooks.post_hooks.values())


def release_variables(Node node):
    """Free the tensors that the node has saved."""
    node.release_variables()


def _apply(Node node, tuple gradients):
    """Compute ``node(*gradients)``, without hooks."""
    if len(gradients) != node.num_outputs:
        raise TypeError(f"expected {node.num_outputs} arguments, got {len(gradients)} instead")
    for k, gradient in enumerate(gradients):
        if gradient is not None and not isinstance(gradient, TensorBase):
            raise TypeError(f"argument {k} is not a Variable")
    cdef GraphTask task = _task_for(node, gradients)
    node.apply(task.gradients)
    results = _results(task, node)
    return results[0] if len(results) == 1 else tuple(results)


cdef GraphTask _task_for(Node node, gradients):
    """Return a task that holds only the gradients of one node."""
    cdef GraphTask task = GraphTask.__new__(GraphTask)
    cdef Gradients g = task.gradients
    g.recording = task.recording = grad_enabled()
    cdef list ins = [_unwrap(gradient, g.recording) for gradient in gradients]
    if len(ins) != node.num_outputs:
        raise ValueError(f"{node.name()} takes {node.num_outputs} gradients, not {len(ins)}")
    if node.num_outputs == 1:
        g.in0 = ins[0]
    elif ins:
        g.ins = ins
        g.in0 = ins[0]
    return task


cdef list _results(GraphTask task, Node node):
    cdef Gradients g = task.gradients
    return [_wrap(g.get(k), g.recording) for k in range(node.num_edges)]


cdef object _wrap(object gradient, bint recording):
    return gradient if recording or gradient is None else make_tensor(<TensorImpl>gradient)


cdef object _unwrap(object gradient, bint recording):
    if gradient is None:
        return None
    # a checked cast, since the gradient comes from Python code
    return <TensorBase?>gradient if recording else (<TensorBase?>gradient).impl


def fits_plainly(grad, out):
    """Return whether `grad` fits `out` without a conversion, as it nearly always does.

    It does if both are plain tensors of one shape without overrides, and both are complex or both are real.
    """
    cdef TensorImpl a, b
    if not (isinstance(grad, TensorBase) and isinstance(out, TensorBase)
            and is_alone_plain(grad) and is_alone_plain(out)):
        return False
    a, b = (<TensorBase>grad).impl, (<TensorBase>out).impl
    return (a.special is None and b.special is None and same_sizes(a.geometry, b.geometry)
            and is_complex(a.dtype) == is_complex(b.dtype))
