"""Recording an operator: what its wrapper does before and after the value is computed.

A node saves its arguments before the operator runs, since an operator in place overwrites one of them, and its
results afterwards. Errors and the numbers of nodes come in this order too, as in PyTorch.
"""

from minitorch.autograd.inplace cimport check_inplace, check_out, move_view, rebase_history
from minitorch.autograd.node cimport Node, add_first_output
from minitorch.autograd.operators cimport LIST, NO_GRADIENT, NO_LEAF
from minitorch.autograd.python_dispatch cimport copy_to_save, let_go_of, result_to_save, to_save
from minitorch.autograd.recording_errors cimport check_unknown_out, no_out_with_grad
from minitorch.autograd.saved_variable cimport version_to_save
from minitorch.autograd.variable cimport (
    TensorBase, gradient_edge, make_tensor, make_view, requires_grad, set_history, unrecorded_meta)
from minitorch.autograd.view_errors cimport MULTI_OUTPUT_NODE
from minitorch.core.dtype cimport class_name, is_complex, is_differentiable


# ---- before

cdef int save(Node node, int slot, TensorBase t) except -1:
    cdef TensorImpl impl = to_save(t)
    return node.put_saved(slot, impl, version_to_save(impl))


cdef int save_copy(Node node, int slot, TensorBase t) except -1:
    cdef TensorImpl impl = copy_to_save(t)
    return node.put_saved(slot, impl, version_to_save(impl))


cdef Node unknown_node(Operator operator, tuple tensors):
    """Make the node of an operator without a derivative, with an edge to each tensor that requires grad."""
    cdef Node node = new_node(operator.node)
    cdef unsigned int nr = 0
    node.arg0 = operator.public_name + ("_" if operator.writes else "")
    for t in tensors:
        if t is not None and requires_grad(<TensorBase>t):
            node.set_edge(node.num_edges, gradient_edge(<TensorBase>t, &nr), nr)
    return node


# ---- after

cdef int record_result(Operator operator, Node node, TensorBase result) except -1:
    """Make a result the only output of its node."""
    if not is_differentiable(result.impl.dtype):
        if operator.casts or operator.unknown:
            return 0
        raise RuntimeError(f"Autograd not support dtype: {class_name(result.impl.dtype)}")
    if not operator.plain:
        _check_real(operator, result)
        _save_result(operator, node, result)
    add_first_output(node, result.impl)
    set_history(result, node, 0)
    return 0 if operator.plain else hooked(node)


cdef int record_results(Operator operator, Node node, object results, TensorBase like) except -1:
    """Make several results the outputs of their node; None keeps its number, and gets no gradient."""
    cdef TensorBase result
    cdef unsigned int nr = 0
    if operator.results == LIST:
        for result in results:
            node.add_output(result.impl)
            set_history(result, node, nr)
            nr += 1
        return 0
    if operator.unknown and not is_differentiable((<TensorBase>results[0]).impl.dtype):
        return 0
    _check_real(operator, <TensorBase>results[0])
    _save_results(operator, node, results)
    for k in operator.differentiable:
        result = results[k]
        if result is None:
            node.add_output(like.impl)
        else:
            node.add_output(result.impl)
            set_history(result, node, nr)
        nr += 1
    if operator.saved_results:
        hooked(node)
    return 0


cdef int _check_real(Operator operator, TensorBase result) except -1:
    if operator.real_autograd is not None and is_complex(result.impl.dtype):
        raise RuntimeError(f"{operator.real_autograd} does not support automatic differentiation for outputs with "
                           "complex dtype.")
    return 0


cdef int _save_result(Operator operator, Node node, TensorBase result) except -1:
    """Save the only result of an operator, if its derivative reads it."""
    cdef TensorImpl impl
    cdef int slot
    if not operator.saved_results:
        return 0
    impl = result_to_save(result)
    slot = (<tuple>operator.saved_results[0])[0]
    if slot == 0:
        node.saved0 = impl
        node.version0 = version_to_save(impl)
        return 0
    return node.put_saved(slot, impl, version_to_save(impl))


cdef int _save_results(Operator operator, Node node, object results) except -1:
    cdef TensorBase t
    cdef TensorImpl impl
    for slot, k in operator.saved_results:
        t = results[k]
        # a result without a gradient is not an output of the node, so it is saved as an input is
        impl = result_to_save(t) if k in operator.differentiable else to_save(t)
        node.put_saved(slot, impl, version_to_save(impl))
    return 0


cdef list handles(object values):
    return [None if value is None else make_tensor(<TensorImpl>value) for value in values]


cdef int make_views(list results, TensorBase base) except -1:
    for view in results:
        make_view(<TensorBase>view, base, MULTI_OUTPUT_NODE if grad_enabled() else unrecorded_meta())
    return 0


cdef tuple finish_several(Operator operator, Node node, object values, TensorBase like):
    cdef list results = handles(values)
    if node is not None:
        record_results(operator, node, results, like)
    return tuple(results)


cdef list finish_list(Operator operator, Node node, object values, TensorBase base):
    cdef list results = handles(values)
    if operator.view:
        make_views(results, base)
    if node is not None:
        record_results(operator, node, results, base)
    return results


# ---- in place, and with `out=`

cdef bint begin_write(TensorBase t, bint wanted) except -1:
    wanted = wanted and grad_enabled()
    check_inplace(t, wanted)
    return wanted


cdef int begin_out(Operator operator, TensorBase out, bint wanted) except -1:
    if operator.out_rule == NO_GRADIENT and grad_enabled() and (wanted or requires_grad(out)):
        raise no_out_with_grad(operator.out_name)
    if operator.out_rule == NO_LEAF:
        check_unknown_out(operator.public_name, out)
    return check_out(out)


cdef Node begin_unknown_out(Operator operator, TensorBase out, tuple tensors):
    cdef bint records = False
    for t in tensors:
        records = records or t is not None and requires_grad(<TensorBase>t)
    records = records and grad_enabled()
    check_unknown_out(operator.public_name, out)
    check_inplace(out, records)
    return unknown_node(operator, tensors) if records else None


cdef int record_write(Operator operator, Node node, TensorBase t) except -1:
    """Give a tensor that was written to its new history."""
    _save_result(operator, node, t)
    add_first_output(node, t.impl)
    if operator.view:
        move_view(t, node)
    else:
        rebase_history(t, node)
    if operator.lets_go and node.special:
        let_go_of(node, t)
    if operator.saved_results:
        hooked(node)
    return 0
