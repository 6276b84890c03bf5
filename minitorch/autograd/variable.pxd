# `TensorBase`: the handle that users hold. Data (`impl`) plus what autograd knows about it.

from cpython.object cimport PyObject

from minitorch.autograd.grad_mode cimport inference_enabled
from minitorch.autograd.node cimport Node
from minitorch.core.dtype cimport is_differentiable
from minitorch.core.tensor_impl cimport TensorImpl

cdef enum CreationMeta:                  # how a view came to be: decides what in-place on it may do
    DEFAULT = 0
    IN_CUSTOM_FUNCTION = 1
    MULTI_OUTPUT_NODE = 2
    NO_GRAD_MODE = 3
    INFERENCE_MODE = 4


cdef class ViewInfo:
    cdef TensorBase base                 # never a view itself
    cdef int creation_meta
    cdef unsigned int attr_version       # version of the base when `grad_fn` was last made
    cdef tuple replay                    # the operators that made it, or None: see view_replay.pyx


cdef class Tangent:
    cdef unsigned long visit             # which entering of forward mode: once it is left there is no tangent
    cdef TensorBase tensor


cdef class TensorBase:
    cdef TensorImpl impl
    cdef Node _grad_fn                    # who made it; None for a leaf
    cdef unsigned int _output_nr          # which output of grad_fn
    cdef bint _requires_grad              # also true of everything that has a grad_fn
    cdef bint _retains_grad
    cdef TensorBase _grad                 # what backward() accumulated
    cdef PyObject* grad_accumulator      # weak: the AccumulateGrad clears it when it goes
    cdef ViewInfo _view                   # None unless it is a view
    cdef Tangent _tangent                 # of forward mode, None nearly always; see forward_grad.pyx
    cdef object _hooks           # OrderedDict of tensor hooks, or None
    cdef object _post_accumulate_hooks   # OrderedDict, or None
    cdef str _name


# The class that operators make instances of: `Tensor`, once _tensor.py has registered it
cdef TensorBase make_tensor(TensorImpl impl)
cdef TensorBase make_handle(TensorImpl impl)             # of the bare class: for tensors that nobody sees
cdef TensorBase make_of_class(TensorImpl impl, object cls)       # a leaf of a subclass
cdef TensorBase make_recorded(TensorImpl impl, Node grad_fn, unsigned int output_nr)

cdef int set_impl(TensorBase t, TensorImpl impl) except -1       # the only way for a tensor to other data
cdef int become_view(TensorBase t, TensorImpl view) except -1

cdef inline TensorBase handle_of(TensorImpl impl):
    """The tensor that the impl was made for, if it lives; see Note [Handles]."""
    if impl.handle == NULL or impl.handle.ob_refcnt <= 0:
        return None
    return <TensorBase>impl.handle

cdef inline void set_history(TensorBase t, Node grad_fn, unsigned int output_nr):
    t._grad_fn = grad_fn
    t._output_nr = output_nr
    t._requires_grad = True

cdef inline bint requires_grad(TensorBase t) noexcept:
    # a view's own flag is old news when its base was written to; an inference tensor never records
    return (t._requires_grad and not t.impl.inference) or (
        t._view is not None and t._view.base._requires_grad and is_differentiable(t.impl.dtype))

# The function a gradient of `t` goes to, None when it wants none; makes the AccumulateGrad of a leaf
cdef Node gradient_edge(TensorBase t, unsigned int* output_nr)
cdef Node grad_fn_of(TensorBase t)                        # after a base was changed in place: made anew

# In-place: PyTorch's errors before anything is written; and the new history after
cdef inline int check_not_inference(TensorBase t) except -1:
    if t.impl.uncounted and not inference_enabled():
        refuse_inference_write()
    return 0

cdef int refuse_inference_write() except -1
cdef int unrecorded_meta() noexcept                       # of a view made while nothing is recorded
cdef int check_inplace(TensorBase t, bint records) except -1
cdef int check_out(TensorBase out) except -1              # the same for `out=`, when nothing is recorded
cdef int rebase_history(TensorBase t, Node grad_fn) except -1
cdef int move_view(TensorBase t, Node grad_fn) except -1  # t_(): another look, nothing is written
cdef int make_view(TensorBase view, TensorBase base, int creation_meta) except -1
cdef tuple strided_step(TensorBase view)                  # of a replay: as_strided
# `real` and `imag`: the view counts its strides in numbers that are half as large
cdef bint looks_at_reals(TensorBase base, TensorBase view) noexcept
cdef tuple real_steps(TensorBase view)                    # the replay of such a view
cdef int set_grad(TensorBase t, TensorBase grad) except -1      # assigns .grad without the user's checks

# Filled in by modules above, which a lower layer cannot cimport
cdef class Recorded:
    """Recorded operators that the engine and the views' machinery need under create_graph."""
    cdef TensorBase add(self, TensorBase a, TensorBase b)
    cdef TensorBase sum_to(self, TensorBase grad, tuple sizes)
    cdef TensorBase cast(self, TensorBase grad, int dtype)
    cdef TensorBase clone(self, TensorBase t)
    cdef TensorBase copy_in_layout(self, TensorBase t, TensorImpl layout)    # a new one
    cdef TensorBase zeros_like(self, TensorBase t)
    cdef TensorBase expand(self, TensorBase t, tuple sizes)
    cdef TensorBase alias(self, TensorBase t)
    cdef TensorBase copy(self, TensorBase t, TensorBase source)              # in place
    cdef TensorBase view_like(self, TensorBase t, TensorBase base, TensorBase view)   # of t, as view is of base
    cdef TensorBase copy_like(self, TensorBase t, TensorBase like)           # with the strides of `like`
    cdef Node new_accumulate_grad(self, TensorBase leaf)
    cdef Node new_copy_slices(self, TensorBase base, TensorBase view, Node function)
    cdef Node new_as_strided(self, TensorBase base, TensorBase view)

cdef Recorded recorded_operators()
