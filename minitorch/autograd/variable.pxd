# `TensorBase`: the tensor that users hold. It has the data (`impl`) and the fields of autograd.

from cpython.object cimport PyObject

from minitorch.autograd.node cimport Node
from minitorch.core.dtype cimport is_differentiable
from minitorch.core.tensor_impl cimport TensorImpl

cdef class ViewInfo:
    cdef TensorBase base                 # never a view itself
    cdef int creation_meta               # a CreationMeta of view_errors.pxd
    cdef unsigned int attr_version       # the version of the base for which `grad_fn` was made
    cdef tuple replay                    # the operators that made the view, or None: see view_replay.pyx


cdef class Tangent:
    cdef unsigned long visit             # the entering of forward mode that it belongs to; after that it is void
    cdef TensorBase tensor


cdef class TensorBase:
    cdef TensorImpl impl
    cdef Node _grad_fn                    # the node that made it; None for a leaf
    cdef unsigned int _output_nr          # which output of _grad_fn it is
    cdef bint _requires_grad              # also true if it has a _grad_fn
    cdef bint _retains_grad
    cdef TensorBase _grad                 # the gradient that backward() accumulated
    cdef PyObject* grad_accumulator       # weak reference: the AccumulateGrad clears it in its destructor
    cdef ViewInfo _view                   # None if it is not a view
    cdef Tangent _tangent                 # for forward mode, nearly always None; see forward_grad.pyx
    cdef object _hooks                    # OrderedDict of tensor hooks, or None
    cdef object _post_accumulate_hooks    # OrderedDict, or None
    cdef str _name


cdef type tensor_class                                   # `Tensor`, once _tensor.py has registered it
cdef TensorBase make_tensor(TensorImpl impl)             # of this class
cdef TensorBase make_handle(TensorImpl impl)             # of class TensorBase: for tensors that users never see
cdef TensorBase make_of_class(TensorImpl impl, object cls)       # a leaf of a subclass
cdef TensorBase make_recorded(TensorImpl impl, Node grad_fn, unsigned int output_nr)

cdef int set_impl(TensorBase t, TensorImpl impl) except -1       # the only way to replace a tensor's impl
cdef int become_view(TensorBase t, TensorImpl view) except -1

cdef inline TensorBase handle_of(TensorImpl impl):
    """Return the first tensor of an impl if it is alive, else None; see Note [Handles]."""
    if impl.handle == NULL or impl.handle.ob_refcnt <= 0:
        return None
    return <TensorBase>impl.handle

cdef inline void set_history(TensorBase t, Node grad_fn, unsigned int output_nr) noexcept:
    """Make `t` output `output_nr` of `grad_fn`."""
    t._grad_fn = grad_fn
    t._output_nr = output_nr
    t._requires_grad = True

cdef inline bint requires_grad(TensorBase t) noexcept:
    # a view's own flag is out of date after a write to its base; operators on inference tensors are never recorded
    return (t._requires_grad and not t.impl.inference) or (
        t._view is not None and t._view.base._requires_grad and is_differentiable(t.impl.dtype))

# The node that the gradient of `t` goes to, or None if `t` wants none. Makes the AccumulateGrad of a leaf
cdef Node gradient_edge(TensorBase t, unsigned int* output_nr)
cdef Node grad_fn_of(TensorBase t)                        # for a view whose base was written to, a new node

cdef int unrecorded_meta() noexcept                       # the CreationMeta of a view made without recording
cdef int make_view(TensorBase view, TensorBase base, int creation_meta) except -1
cdef tuple strided_step(TensorBase view)                  # as_strided as a step of a replay
# Whether a real view looks at a complex base (`real`, `imag`): its strides count elements of half the size
cdef bint looks_at_reals(TensorBase base, TensorBase view) noexcept
cdef tuple real_steps(TensorBase view)                    # the replay of such a view
# Leave the tensor hooks of `t` with its old node, and move its `retain_grad` to the new one
cdef int leave_hooks(TensorBase t, Node old, Node new) except -1
cdef int set_grad(TensorBase t, TensorBase grad) except -1      # assigns .grad without the checks of the setter

# Implemented by a module above this one, which this one cannot cimport
cdef class EngineOperators:
    """Operators that the engine and the history of views call."""
    # On data, without recording
    cdef TensorImpl add_data(self, TensorImpl a, TensorImpl b, TensorImpl out)    # `out` may be None, or `a`
    cdef TensorImpl sum_data_to(self, TensorImpl grad, tuple sizes)
    cdef TensorImpl cast_data(self, TensorImpl grad, int dtype)                   # the real part, if `dtype` is real
    cdef int copy_data(self, TensorImpl t, TensorImpl source) except -1           # in place
    # Recorded, for a backward with create_graph
    cdef TensorBase add(self, TensorBase a, TensorBase b)
    cdef TensorBase sum_to(self, TensorBase grad, tuple sizes)
    cdef TensorBase cast(self, TensorBase grad, int dtype)
    cdef TensorBase clone(self, TensorBase t)
    cdef TensorBase clone_contiguous(self, TensorBase t)
    cdef TensorBase copy_in_layout(self, TensorBase t, TensorImpl layout)    # a new tensor
    cdef TensorBase zeros_like(self, TensorBase t)
    cdef TensorBase expand(self, TensorBase t, tuple sizes)
    cdef TensorBase alias(self, TensorBase t)
    cdef TensorBase copy(self, TensorBase t, TensorBase source)              # in place
    cdef TensorBase view_like(self, TensorBase t, TensorBase base, TensorBase view)   # view t as `view` views `base`
    cdef TensorBase copy_like(self, TensorBase t, TensorBase like)           # with the strides of `like`
    cdef Node new_accumulate_grad(self, TensorBase leaf)
    cdef Node new_copy_slices(self, TensorBase base, TensorBase view, Node function)
    cdef Node new_as_strided(self, TensorBase base, TensorBase view)
    # The replay of a view of `before`, whose base is `base`, if a tensor is special, or one of the dtypes is complex
    # and the other is real. None: the strides are enough to make the view again; False: leave the replay as it is
    cdef object view_steps(self, TensorBase view, TensorBase before, TensorBase base)

cdef EngineOperators engine_operators              # the only instance, of a subclass
