"""Convert the arguments of `run_backward` into the edges at which a backward pass starts and ends.

Note [Who needs Tensors]
In an ordinary backward, the gradients between nodes are TensorImpls. They are Tensors in three cases:

- The backward is recorded (`create_graph`).
- A mode or a transform intercepts operators.
- A gradient may be more than its memory: sparse, lazily conjugated, or of a class with __torch_dispatch__.

`Node.special` marks the nodes of the third case: an operand was such a tensor, or Python code computes the
gradients. The graph is searched for such nodes only while a `SpecialGradient` exists somewhere.
"""

from cpython.number cimport PyNumber_Index

from minitorch.autograd.accumulate_grad cimport AccumulateGrad
from minitorch.autograd.fit cimport fit
from minitorch.autograd.node cimport Node, output_metadata
from minitorch.autograd.special cimport is_special, needs_tensors, special_gradients
from minitorch.autograd.variable cimport TensorBase, gradient_edge, engine_operators, requires_grad
from minitorch.core.special cimport Special

from minitorch.autograd.gradient_edge import GradientEdge
from minitorch.core.error_pages import explained

cdef extern from "Python.h":
    Py_ssize_t Py_REFCNT(object op)

cdef bint _is_edge_like(object tensor) except -1:
    return isinstance(tensor, (TensorBase, GradientEdge))


cdef Node _edge_of(object tensor, unsigned int* nr):
    nr[0] = 0
    if isinstance(tensor, TensorBase):
        return gradient_edge(<TensorBase>tensor, nr)
    if not isinstance(tensor, GradientEdge):
        return None
    nr[0] = PyNumber_Index(tensor[1])
    if not isinstance(tensor[0], Node):
        raise RuntimeError("GradientEdge's first object must be an autograd.graph.Node but got "
                           f"{type(tensor[0]).__name__}")
    return <Node>tensor[0]


cdef int _check_edge(TensorBase t, str what, Py_ssize_t number) except -1:
    """Let the kind of a special tensor raise its own error, since `t` has no edge."""
    return 0 if t.impl.special is None else (<Special>t.impl.special).check_edge(what, number)


# docs: step 4, roots
cdef tuple unpack_arguments(tensors, grad_tensors, inputs, bint accumulate_grad):
    cdef list roots = []                 # of (node, output number, gradient)
    cdef list ends = []                  # of (node, output number, tensor)
    cdef Node function
    cdef unsigned int nr
    if not isinstance(tensors, tuple):
        raise RuntimeError(
            f"tensors argument is expected to be a tuple, but got {type(tensors).__name__}")
    if not isinstance(grad_tensors, tuple):
        raise RuntimeError(
            f"grad_tensors argument is expected to be a tuple, but got {type(grad_tensors).__name__}")
    if len(tensors) != len(grad_tensors):
        raise RuntimeError(f"got {len(tensors)} tensors and {len(grad_tensors)} gradients")
    for k, tensor in enumerate(tensors):
        function = _edge_of(tensor, &nr)
        if function is None:
            if not _is_edge_like(tensor):
                raise RuntimeError(
                    f"element {k} of tensors tuple is neither a Tensor nor a GradientEdge")
            _check_edge(<TensorBase>tensor, "output", k)
            raise explained(RuntimeError(
                f"element {k} of tensors does not require grad and does not have a grad_fn"), "backward-without-grad")
        gradient = grad_tensors[k]
        if isinstance(gradient, TensorBase):
            pass
        elif gradient is not None:
            raise RuntimeError(f"element {k} of gradients tuple is not a Tensor or None")
        elif isinstance(tensor, TensorBase):
            raise RuntimeError(f"element {k} of gradients tuple is None, but the corresponding Tensor "
                               "requires grad")
        else:
            raise RuntimeError(f"element {k} of gradients tuple is None, but the corresponding output is a "
                               "GradientEdge.This is not supported.")
        roots.append((function, nr, gradient))
    if not isinstance(inputs, tuple):
        raise RuntimeError("inputs to run_backward must be a tuple")
    for k, tensor in enumerate(inputs):
        function = _edge_of(tensor, &nr)
        if not _is_edge_like(tensor):
            raise RuntimeError(
                f"all inputs have to be Tensors or GradientEdges, but got {type(tensor).__name__}")
        if function is None:
            # A view that was made without recording may require grad although no edge of the graph leads to it.
            if not requires_grad(<TensorBase>tensor):
                _check_edge(<TensorBase>tensor, "input", k)
                raise explained(RuntimeError(
                    "can't retain_grad on Tensor that has requires_grad=False" if accumulate_grad
                    else "One of the differentiated Tensors does not require grad"), "input-without-grad")
            function = engine_operators.new_accumulate_grad(<TensorBase>tensor)
        ends.append((function, nr, tensor))
    if not accumulate_grad and not inputs:
        raise RuntimeError("grad requires non-empty inputs.")
    return roots, ends
# docs: end


cdef object root_gradient(Node function, unsigned int nr, object gradient, bint recording,
                          Py_ssize_t k):
    gradient = gradient if recording else (<TensorBase>gradient).impl
    return fit(output_metadata(function, nr), gradient, recording, None, k)


cdef bint leads_to_special(list roots) except -1:
    """Return whether some node of the graph may receive or return a gradient that is not an ordinary tensor."""
    cdef set seen = set()
    cdef list stack = [function for function, _, _ in roots]
    cdef Node node
    cdef unsigned int k, nr
    while stack:
        node = stack.pop()
        if node is None:
            continue
        if Py_REFCNT(node) > 2:         # besides one edge and `node`, something holds it: it may come up again
            if node in seen:
                continue
            seen.add(node)
        if node.special or node.hooks is not None or node.packed is not None or _is_special_leaf(node):
            return True
        for k in range(node.num_edges):
            stack.append(node.next_function(k, &nr))
    return False


def _runs_on_tensors(*tensors):
    """Return whether a backward from `tensors` without `create_graph` would run on Tensors; for tests."""
    roots = unpack_arguments(tensors, tensors, (), True)[0]
    return bool(needs_tensors(tensors) or special_gradients and leads_to_special(roots))


cdef bint _is_special_leaf(Node node) except -1:
    cdef TensorBase leaf
    if not isinstance(node, AccumulateGrad):
        return False
    leaf = (<AccumulateGrad>node).variable
    return is_special(leaf) or leaf is not None and is_special(leaf._grad)
