"""Hooks, in the order in which PyTorch calls them.

For one node the order is: the hooks of its output tensors as they were registered, then `retain_grad`, the node's
pre-hooks, its formula, and its post-hooks. Hooks take and return Tensors, but in an ordinary backward the gradients
between nodes are TensorImpls. This file wraps and unwraps them.
"""

import weakref

from minitorch.autograd.events cimport hook_called
from minitorch.autograd.node cimport Gradients, Node, NodeHooks
from minitorch.autograd.variable cimport (
    TensorBase, gradient_edge, make_tensor, requires_grad, set_grad)
from minitorch.core.dtype cimport class_name
from minitorch.core.special cimport resolved_impl
from minitorch.core.tensor_impl cimport TensorImpl, same_sizes

from minitorch.core.error_pages import explained
from minitorch.core.types import contiguous_format


cdef object _wrap(object gradient, Gradients g):
    return gradient if g.recording or gradient is None else make_tensor(<TensorImpl>gradient)


cdef object _unwrap(object gradient, Gradients g):
    return gradient if g.recording or gradient is None else resolved_impl((<TensorBase>gradient).impl)


cdef object _input(Node node, Gradients g, unsigned int nr):
    return g.in0 if node.num_outputs == 1 else g.ins[nr]


cdef int _set_input(Node node, Gradients g, unsigned int nr, object gradient) except -1:
    if node.num_outputs != 1:
        g.ins[nr] = gradient
    if nr == 0:
        g.in0 = gradient
    return 0


cdef int call_tensor_pre_hooks(Node node, Gradients g) except -1:
    cdef NodeHooks hooks = node.hooks
    cdef unsigned int nr
    cdef TensorBase t
    if hooks.tensor_pre_hooks is not None:
        for nr, hook_dict in hooks.tensor_pre_hooks:
            if not hook_dict:
                continue
            gradient = _wrap(_input(node, g, nr), g)
            for hook in list(hook_dict.values()):
                hook_called(node, nr, gradient, "tensor_pre_hook", hook)
                result = hook(gradient)
                if result is not None:
                    _check_replacement(result, gradient, hook)
                    gradient = result
            _set_input(node, g, nr, _unwrap(gradient, g))
    if hooks.retains_grad_hooks is not None:
        for nr, reference in hooks.retains_grad_hooks.items():
            t = reference()
            gradient = _input(node, g, nr)
            if t is not None and gradient is not None:
                hook_called(node, nr, gradient, "retain_grad", None)
                _retain(t, _wrap(gradient, g))
    return 0


cdef int _retain(TensorBase t, TensorBase gradient) except -1:
    if t._grad is None:
        set_grad(t, gradient.clone(memory_format=contiguous_format))
    else:
        set_grad(t, t._grad + gradient)
    return 0


# the dtypes that have a legacy class in PyTorch, such as torch.FloatTensor
cdef frozenset _NAMED = frozenset("Bool Byte Char Double Float Half Int Long Short".split())


cdef tuple _kind_of(TensorBase t):
    if t.impl.special is None:
        return class_name(t.impl.dtype), False, False
    return class_name(t.impl.dtype), (<object>t).is_sparse, (<object>t).is_meta


def _type_name(str dtype, bint is_sparse, bint is_meta):
    if is_meta:
        return f"Meta{dtype}Type"
    if dtype in _NAMED:
        return f"torch.{'sparse.' if is_sparse else ''}{dtype}Tensor"
    return f"{'Sparse' if is_sparse else ''}CPU{dtype}Type"


cdef int _check_replacement(object result, TensorBase original, object hook) except -1:
    name = getattr(hook, "__name__", None) or type(hook).__name__
    if original is None:
        raise RuntimeError("can't replace a None gradient with a non-None value")
    if not isinstance(result, TensorBase):
        raise TypeError(f"expected Variable, but hook returned '{type(result).__name__}'")
    was, got = _kind_of(original), _kind_of(<TensorBase>result)
    if was != got:
        raise RuntimeError(
            f"hook '{name}' has changed the type of value (was {_type_name(*was)} got {_type_name(*got)})")
    if not same_sizes((<TensorBase>result).impl.geometry, original.impl.geometry):
        raise explained(RuntimeError(f"hook '{name}' has changed the size of value"), "hook-changes-shape")
    return 0


cdef tuple _inputs(Node node, Gradients g):
    cdef unsigned int nr
    return tuple([_wrap(_input(node, g, nr), g) for nr in range(node.num_outputs)])


cdef int _check_tuple(object result, tuple original, object hook) except -1:
    name = getattr(hook, "__name__", None) or type(hook).__name__
    if not isinstance(result, tuple):
        raise TypeError(f"expected tuple, but hook returned '{type(result).__name__}'")
    if len(result) != len(original):
        raise RuntimeError(f"hook '{name}' has returned an incorrect number of values (got "
                           f"{len(result)}, but expected {len(original)})")
    for new, old in zip(result, original):
        if new is not None:
            _check_replacement(new, old, hook)
    return 0


cdef int call_pre_hooks(Node node, Gradients g) except -1:
    cdef unsigned int nr
    if not node.hooks.pre_hooks:
        return 0
    gradients = _inputs(node, g)
    for hook in list(node.hooks.pre_hooks.values()):
        hook_called(node, -1, gradients, "pre_hook", hook)
        result = hook(gradients)
        if result is not None:
            _check_tuple(result, gradients, hook)
            gradients = result
    for nr in range(node.num_outputs):
        _set_input(node, g, nr, _unwrap(gradients[nr], g))
    return 0


cdef tuple grad_outputs_for_post_hooks(Node node, Gradients g):
    return _inputs(node, g) if node.hooks.post_hooks else ()


cdef int call_post_hooks(Node node, Gradients g, tuple grad_outputs) except -1:
    cdef unsigned int k
    if not node.hooks.post_hooks:
        return 0
    grad_inputs = tuple([_wrap(g.get(k), g) for k in range(node.num_edges)])
    for hook in list(node.hooks.post_hooks.values()):
        hook_called(node, -1, grad_inputs, "post_hook", hook)
        result = hook(grad_inputs, grad_outputs)
        if result is not None:
            _check_tuple(result, grad_inputs, hook)
            grad_inputs = result
    for k in range(node.num_edges):
        g.set(k, _unwrap(grad_inputs[k], g))
    return 0


cdef int start_tensor_hooks(TensorBase t, hooks) except -1:
    cdef unsigned int nr
    cdef Node node = gradient_edge(t, &nr)      # first: this may give a view a new node and drop its old hooks
    t._backward_hooks = hooks
    if node is None:
        return 0                # a view that was made without recording: no gradient arrives at it
    return _attach(node, nr, t)


cdef int _attach(Node node, unsigned int nr, TensorBase t) except -1:
    cdef NodeHooks hooks = node.require_hooks()
    if hooks.tensor_pre_hooks is None:
        hooks.tensor_pre_hooks = []
    for _, hook_dict in hooks.tensor_pre_hooks:
        if hook_dict is t._hooks:
            return 0
    hooks.tensor_pre_hooks.append((nr, t._hooks))
    return 0


def _start_tensor_hooks(TensorBase t, hooks):
    """Make the dict `hooks` the hooks of `t`, and register it with its node, which keeps it if `t` gets another."""
    start_tensor_hooks(t, hooks)


def _add_hooks_of(t, Node node):
    """Make `node` call the hooks of `t`, one of its outputs."""
    if not isinstance(t, TensorBase):
        raise TypeError("_register_hook_dict expected a variable")
    if (<TensorBase>t)._hooks is not None:
        _attach(node, (<TensorBase>t)._output_nr, t)


cdef int retain_grad(TensorBase t) except -1:
    cdef unsigned int nr
    cdef Node node
    cdef NodeHooks hooks
    if not requires_grad(t):
        raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
    node = gradient_edge(t, &nr)
    if node is None or t._grad_fn is None or t._retains_grad:
        return 0
    hooks = node.require_hooks()
    if hooks.retains_grad_hooks is None:
        hooks.retains_grad_hooks = {}
    hooks.retains_grad_hooks[nr] = weakref.ref(t)
    t._retains_grad = True
    return 0


def _retain_grad(TensorBase t):
    """Make backward() fill ``t.grad`` although `t` is not a leaf."""
    retain_grad(t)
