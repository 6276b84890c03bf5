# Recording an operator: the steps of a wrapper before and after the value is computed.
#
# The wrappers of functions/generated/ take them for ordinary tensors, and `bind` for all others.

from minitorch.autograd.node cimport Node, start_node
from minitorch.autograd.operators cimport Operator
from minitorch.autograd.python_dispatch cimport to_save
from minitorch.autograd.saved_tensor cimport pack_saved
from minitorch.autograd.saved_variable cimport version_to_save
from minitorch.autograd.variable cimport (
    TensorBase, gradient_edge, make_tensor, make_view, unrecorded_meta)
from minitorch.autograd.view_errors cimport DEFAULT
from minitorch.autograd.grad_mode cimport grad_enabled
from minitorch.core.tensor_impl cimport TensorImpl, bump_version

# ---- before: the node, its edges, and what it saves of the arguments

cdef inline Node new_node(type cls):
    cdef Node node = <Node>cls.__new__(cls)
    start_node(node)
    return node

cdef inline int link1(Node node, TensorBase a) except -1:
    """Make the edge of a new node to the function of its operand."""
    if a is not None:
        node.edge0 = gradient_edge(a, &node.nr0)
    node.num_edges = 1
    return 0

cdef inline int link2(Node node, TensorBase a, TensorBase b) except -1:
    link1(node, a)
    if b is not None:
        node.edge1 = gradient_edge(b, &node.nr1)
    node.num_edges = 2
    return 0

cdef inline int link3(Node node, TensorBase a, TensorBase b, TensorBase c) except -1:
    link2(node, a, b)
    if c is not None:
        node.edge2 = gradient_edge(c, &node.nr2)
    node.num_edges = 3
    return 0

cdef inline int save0(Node node, TensorBase t) except -1:
    """Save a tensor in slot 0, with its version."""
    node.saved0 = to_save(t)
    node.version0 = version_to_save(node.saved0)
    return 0

cdef inline int save1(Node node, TensorBase t) except -1:
    node.saved1 = to_save(t)
    node.version1 = version_to_save(node.saved1)
    return 0

cdef inline int save2(Node node, TensorBase t) except -1:
    node.saved2 = to_save(t)
    node.version2 = version_to_save(node.saved2)
    return 0

cdef int save(Node node, int slot, TensorBase t) except -1       # in any slot
cdef int save_copy(Node node, int slot, TensorBase t) except -1

cdef inline int save_receiver(Node node, int slot, TensorBase t, Operator operator) except -1:
    """Save the argument that the form in place writes to, which saves a copy."""
    if operator.writes:
        return save_copy(node, slot, t)
    if slot == 0:
        return save0(node, t)
    if slot == 1:
        return save1(node, t)
    return save(node, slot, t)

cdef inline int hooked(Node node) except -1:
    """Call the pack hooks of this thread, if it has any, with the tensors that the node has saved."""
    if node.packed is not None:
        pack_saved(node)
    return 0

cdef Node unknown_node(Operator operator, tuple tensors)         # of an operator without a derivative

# ---- after: the result, and its history

cdef inline TensorBase finish(Operator operator, Node node, TensorBase first, TensorImpl value):
    """Return the result, or the first argument if an operator has returned that."""
    cdef TensorBase result
    if first is not None and value is first.impl:
        return first
    result = make_tensor(value)
    if node is not None:
        record_result(operator, node, result)
    return result

cdef inline TensorBase finish_view(Operator operator, Node node, TensorBase base, TensorImpl value):
    cdef TensorBase result
    if value is base.impl:
        return base
    result = make_tensor(value)
    make_view(result, base, DEFAULT if grad_enabled() else unrecorded_meta())
    if node is not None:
        record_result(operator, node, result)
    return result

cdef int record_result(Operator operator, Node node, TensorBase result) except -1
cdef list handles(object values)                         # a Tensor for each TensorImpl
cdef int make_views(list results, TensorBase base) except -1
# `like` has the form of the gradient for a result that is None
cdef int record_results(Operator operator, Node node, object results, TensorBase like) except -1
cdef tuple finish_several(Operator operator, Node node, object values, TensorBase like)
cdef list finish_list(Operator operator, Node node, object values, TensorBase base)

# ---- in place, and with `out=`

# Whether the write is recorded; raises if it may not be
cdef bint begin_write(TensorBase t, bint wanted) except -1
cdef int begin_out(Operator operator, TensorBase out, bint wanted) except -1
cdef Node begin_unknown_out(Operator operator, TensorBase out, tuple tensors)

cdef inline TensorBase written(Operator operator, Node node, TensorBase t):
    bump_version(t.impl)
    if node is not None:
        record_write(operator, node, t)
    return t

cdef int record_write(Operator operator, Node node, TensorBase t) except -1
