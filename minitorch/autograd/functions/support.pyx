"""Helper functions of the generated nodes and wrappers: lists of tensors, edges beyond the third, grad mode."""

from minitorch.autograd.grad_mode cimport grad_enabled, set_grad_enabled
from minitorch.autograd.node cimport Gradients, Node, should_compute, track_graph
from minitorch.autograd.python_dispatch cimport to_save
from minitorch.autograd.saved_errors cimport raise_unusable
from minitorch.autograd.saved_tensor cimport pack
from minitorch.autograd.saved_tensor_hooks cimport default_hooks
from minitorch.autograd.saved_variable cimport (
    NO_EDGE, PackedTensor, restore_tangents, tensor_of, unpack, version_to_save)
from minitorch.autograd.variable cimport TensorBase, gradient_edge, requires_grad
from minitorch.core.tensor_impl cimport TensorImpl


cdef list impls(object tensors):
    return [None if t is None else (<TensorBase?>t).impl for t in tensors]


cdef list save_list(Node node, object tensors):
    cdef TensorBase t
    cdef list saved = []
    hooks = None if node.packed is None else default_hooks()
    for t in tensors:
        if t is None:
            saved.append(None)
        elif hooks is None:
            saved.append((to_save(t), version_to_save(t.impl)))
        else:
            track_graph(node)
            saved.append(pack(t, hooks))
    return saved


cdef list all_beside(list tensors, TensorImpl out):
    return [beside(t, out) for t in tensors]


cdef list saved_impls(Node node, object saved):
    if node.released:
        raise_unusable(node, None, 0, NO_EDGE)
    return [_unpack_item(node, item) for item in saved]


cdef TensorImpl _unpack_item(Node node, object item):
    cdef TensorImpl impl
    if item is None:
        return None
    if isinstance(item, PackedTensor):
        return (<PackedTensor>item).unpack()
    impl, number = item
    return unpack(node, impl, number, NO_EDGE)


cdef object saved_list(Node node, object saved):
    cdef list result = [None if t is None else tensor_of(<TensorImpl>t) for t in saved_impls(node, saved)]
    if node.tangents is not None:
        for t in result:
            if t is not None:
                restore_tangents(node, <TensorBase>t, (<TensorBase>t).impl)
    return result


cdef int set_list_edges(Node node, object tensors) except -1:
    cdef unsigned int k = 0, nr
    for t in tensors:
        function = gradient_edge(<TensorBase>t, &nr)
        node.set_edge(k, function, nr)
        k += 1
    return 0


cdef int set_more_edge(Node node, unsigned int k, TensorBase t) except -1:
    cdef unsigned int nr = 0
    return node.set_edge(k, None if t is None else gradient_edge(t, &nr), nr)


cdef bint has_edge(Node node, unsigned int k) except -1:
    cdef unsigned int nr
    return node.next_function(k, &nr) is not None


cdef bint should_compute_more(Node node, unsigned int k, Gradients g) except -1:
    cdef unsigned int nr
    return should_compute(node.next_function(k, &nr), g)


cdef bint no_gradient_arrived(Gradients g) except -1:
    if g.in0 is not None:
        return False
    if g.ins is not None:
        for gradient in g.ins:
            if gradient is not None:
                return False
    return True


cdef bint any_requires_grad(object tensors) except -1:
    for t in tensors:
        if t is not None and requires_grad(<TensorBase>t):
            return True
    return False


cdef bint stop_recording() noexcept:
    cdef bint before = grad_enabled()
    set_grad_enabled(False)
    return before


cdef void resume_recording(bint before) noexcept:
    set_grad_enabled(before)
