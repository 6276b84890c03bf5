"""A hand-written node, `CopySlices`, and the recorded operators that modules of the engine need.

Note [CopySlices]
``view.mul_(w)`` changes the values of the base, so the base gets a new history: the node `CopySlices`. It takes the
gradient of the whole base, passes the part that the view covers to the in-place operator's own node, and replaces this
part by the gradient that the node returns. The view itself gets a new history, as a view of that base.
"""

cimport cython

from minitorch.autograd.accumulate_grad cimport new_accumulate_grad
from minitorch.autograd.functions.generated.recorded cimport (
    r__to_copy, r_add, r_alias, r_as_strided, r_clone, r_copy_, r_expand, r_real, r_strided_copy, r_sum,
    r_sum_to_size, r_view, r_view_as_real)
from minitorch.autograd.grad_mode cimport grad_enabled, set_grad_enabled
from minitorch.autograd.math_bits cimport view_steps as steps_of_view
from minitorch.autograd.node cimport (
    Gradients, Node, add_first_output, name_plainly, should_compute, start_node)
from minitorch.autograd.special cimport interposers
from minitorch.autograd.variable cimport (
    EngineOperators, TensorBase, gradient_edge, looks_at_reals, make_recorded, make_tensor, requires_grad, strided_step)
from minitorch.autograd.view_replay cimport replay_of, replayed
from minitorch.core.dtype cimport Float32, NoType, is_complex, is_differentiable, itemsizes
from minitorch.core.tensor_impl cimport (
    SizesAndStrides, TensorImpl, alias, as_strided_impl, empty_geometry, is_dense, sizes, sizes_of, sizes_tuple,
    strides_of, strides_tuple)
from minitorch.ops.common.copy cimport CONTIGUOUS_FORMAT, PRESERVE_FORMAT, clone, zero_
from minitorch.ops.common.copy cimport cast as ops_cast, copy_ as ops_copy_
from minitorch.ops.common.strided cimport strided_copy
from minitorch.ops.creation.factory cimport zeros
from minitorch.ops.elementwise.binary cimport add as ops_add
from minitorch.ops.reduction.reduction cimport sum_to_size
from minitorch.ops.shape.complex_parts cimport real, view_as_complex, view_as_real
from minitorch.ops.shape.views cimport as_strided

from minitorch.autograd.python_dispatch import switch_dispatch
from minitorch.autograd.saved_errors import _second_backward
from minitorch.autograd.saved_variable import _running_in_place
from minitorch.autograd.variable import _register_engine_operators


@cython.final
@cython.binding(False)
cdef class CopySlices(Node):
    """The history of a base after one of its views was written to in place."""

    def name(self):
        """Return the name that PyTorch's messages use."""
        return "torch::autograd::CopySlices"

    @property
    def _function(self):
        return self.function

    @property
    def _real_part(self):
        return getattr(self.function, "_real_part", True)

    cdef int apply(self, Gradients g) except -1:
        cdef Gradients inner
        cdef unsigned int k
        if g.in0 is None:
            return 0
        if self.function is None:
            raise _second_backward(self)
        inner = Gradients()
        inner.recording = g.recording
        if g.recording:
            return self.apply_recorded(g, inner)
        cdef TensorImpl grad = <TensorImpl>g.in0
        cdef TensorImpl result = strided_copy(grad, self.base_strides)
        cdef TensorImpl part = as_strided_impl(
            view_as_real(result) if self.real_view else result, len(self.view_sizes),
            _read(self.view_sizes, self.sizes_buffer),
            _read(self.view_strides, self.strides_buffer), self.offset)
        inner.in0 = clone(part)
        self.function.apply(inner)
        if inner.out0 is None:
            zero_(part)
        else:
            ops_copy_(part, <TensorImpl>inner.out0)
        if should_compute(self.edge0, g):               # not of a base without a history
            g.out0 = result
        for k in range(1, self.function.num_edges):
            g.set(k, inner.get(k))
        return 0

    cdef int apply_recorded(self, Gradients g, Gradients inner) except -1:
        cdef unsigned int k
        cdef TensorBase result = r_strided_copy(<TensorBase>g.in0, self.base_strides)
        cdef TensorBase part
        if self.replay is not None:
            part = replayed(self.replay, result)
        else:
            part = r_as_strided(
                r_view_as_real(result) if self.real_view else result, self.view_sizes,
                self.view_strides, self.offset)
        inner.in0 = r_clone(part, 0)
        self.run_inside(inner)
        if inner.out0 is None:
            (<object>part).zero_()
        else:
            r_copy_(part, <TensorBase>inner.out0, False)
        if should_compute(self.edge0, g):               # not of a base without a history
            g.out0 = result
        for k in range(1, self.function.num_edges):
            g.set(k, inner.get(k))
        return 0

    cdef int run_inside(self, Gradients inner) except -1:
        if self.replay is not None and self.replayed_base is None:
            return self.function.apply(inner)
        entry = self.function, self._output
        _running_in_place.append(entry)
        try:
            return self.function.apply(inner)
        finally:
            _running_in_place.remove(entry)

    def _output(self, TensorImpl saved):
        """Return a saved output of the operator as a view with the base's new history."""
        cdef TensorImpl base
        if self.replay is not None:
            return replayed(self.replay, make_recorded(self.replayed_base, self, 0))
        if self.real_view:
            return self._real_output(saved)
        base = as_strided_impl(
            saved, self.metadata0.geometry.ndim, sizes_of(self.metadata0.geometry),
            strides_of(self.metadata0.geometry), saved.storage_offset - self.offset)
        return r_as_strided(
            make_recorded(base, self, 0), sizes_tuple(saved), strides_tuple(saved), saved.storage_offset)

    def _real_output(self, TensorImpl saved):
        """Return a saved output as `_output` does, for a real view of a complex base."""
        cdef SizesAndStrides* geometry = self.metadata0.geometry
        cdef tuple pair_sizes = (*[sizes_of(geometry)[d] for d in range(geometry.ndim)], 2)
        cdef tuple pair_strides = (*[2 * strides_of(geometry)[d] for d in range(geometry.ndim)], 1)
        cdef TensorImpl pairs = as_strided(saved, pair_sizes, pair_strides, saved.storage_offset - self.offset)
        cdef TensorBase base = r_view_as_real(make_recorded(view_as_complex(pairs), self, 0))
        return r_as_strided(base, sizes_tuple(saved), strides_tuple(saved), saved.storage_offset)

    cdef int release_variables(self) except -1:
        # the operator's node has saved tensors of its own
        if self.function is not None:
            self.function.release_variables()
        self.function = self.replayed_base = None
        return 0


cdef const Py_ssize_t* _read(tuple values, Py_ssize_t* out) except NULL:
    for d in range(len(values)):
        out[d] = values[d]
    return out


cdef bint _has_places(TensorImpl t) except -1:
    """Return whether each element has its own memory; there may be gaps."""
    cdef Py_ssize_t extent = 1
    if is_dense(t):
        return True
    for stride, n in sorted(zip(strides_tuple(t), sizes_tuple(t))):
        if n > 1 and stride < extent:
            return False
        extent += (n - 1) * stride
    return True


@cython.final
cdef class _EngineOperators(EngineOperators):
    cdef TensorImpl add_data(self, TensorImpl a, TensorImpl b, TensorImpl out):
        return ops_add(a, b, 1, out)

    cdef TensorImpl sum_data_to(self, TensorImpl grad, tuple sizes):
        return sum_to_size(grad, sizes)

    cdef TensorImpl cast_data(self, TensorImpl grad, int dtype):
        return ops_cast(real(grad) if is_complex(grad.dtype) and not is_complex(dtype) else grad, dtype)

    cdef int copy_data(self, TensorImpl t, TensorImpl source) except -1:
        ops_copy_(t, source)
        return 0

    cdef TensorBase add(self, TensorBase a, TensorBase b):
        return r_add(a, b, 1)

    cdef TensorBase sum_to(self, TensorBase grad, tuple sizes):
        return r_sum_to_size(grad, sizes) if sizes else r_sum(grad, NoType)

    cdef TensorBase cast(self, TensorBase grad, int dtype):
        if is_complex(grad.impl.dtype) and not is_complex(dtype):
            grad = r_real(grad)
            if grad.impl.dtype == dtype:
                return grad
        return r__to_copy(grad, dtype, PRESERVE_FORMAT)

    cdef TensorBase clone(self, TensorBase t):
        return r_clone(t, PRESERVE_FORMAT)

    cdef TensorBase clone_contiguous(self, TensorBase t):
        return r_clone(t, CONTIGUOUS_FORMAT)

    cdef TensorBase copy_in_layout(self, TensorBase t, TensorImpl layout):
        return r_copy_(make_tensor(empty_geometry(layout.geometry, t.impl.dtype)), t, False)

    cdef TensorBase zeros_like(self, TensorBase t):
        return (<object>t).new_zeros(sizes_tuple(t.impl))

    cdef TensorBase expand(self, TensorBase t, tuple sizes):
        return r_expand(t, sizes, False)

    cdef TensorBase alias(self, TensorBase t):
        # classes see an alias; the recorded node is that of a view, as in PyTorch
        return r_alias(t) if interposers or t.impl.special is not None else r_view(t, sizes_tuple(t.impl))

    cdef TensorBase copy(self, TensorBase t, TensorBase source):
        return r_copy_(t, source, False)

    cdef TensorBase view_like(self, TensorBase t, TensorBase base, TensorBase view):
        replay = replay_of(view)
        if replay is not None:
            return replayed(replay, t)
        offset = t.impl.storage_offset - base.impl.storage_offset
        if looks_at_reals(base, view):
            t = r_view_as_real(t)
            offset *= 2
        return r_as_strided(t, sizes_tuple(view.impl), strides_tuple(view.impl), offset + view.impl.storage_offset)

    cdef TensorBase copy_like(self, TensorBase t, TensorBase like):
        return r_strided_copy(t, strides_tuple(like.impl)) if _has_places(like.impl) else t

    cdef Node new_accumulate_grad(self, TensorBase leaf):
        return new_accumulate_grad(leaf)

    cdef Node new_copy_slices(self, TensorBase base, TensorBase view, Node function):
        cdef CopySlices node = CopySlices.__new__(CopySlices)
        cdef unsigned int k, nr
        cdef Node edge
        start_node(node)
        node.function = function
        node.special = function.special
        node.base_strides = strides_tuple(base.impl)
        node.view_sizes = sizes_tuple(view.impl)
        node.view_strides = strides_tuple(view.impl)
        node.replay = replay_of(view)
        if node.replay is not None:
            node.special = True
            node.counted = SpecialGradient()        # operators make the view again, on Tensors
            if base.impl.special is None:
                node.replayed_base = alias(base.impl)
        node.real_view = looks_at_reals(base, view)
        node.offset = view.impl.storage_offset - base.impl.storage_offset * (
            2 if node.real_view else 1)
        edge = gradient_edge(base, &nr)
        node.set_edge(0, edge, nr)
        for k in range(1, function.num_edges):
            nr = 0
            edge = function.next_function(k, &nr)
            node.set_edge(k, edge, nr)
        add_first_output(node, base.impl)
        return node

    cdef Node new_as_strided(self, TensorBase base, TensorBase view):
        return _recorded_look(base, view) if requires_grad(base) else _look_at_nothing(view)

    cdef object view_steps(self, TensorBase view, TensorBase before, TensorBase base):
        return steps_of_view(view, before, base)


cdef Node _look_at_nothing(TensorBase view):
    """Return a node without an edge, for a view whose base no longer requires a gradient."""
    cdef TensorBase leaf = make_tensor(view.impl)
    cdef Node node
    leaf._requires_grad = True
    node = _recorded_look(leaf, view)
    node.set_edge(0, None, 0)
    return node


cdef TensorBase _in_numbers(TensorBase base):
    """Return a float tensor with the geometry and history of an integer base, so that its views are recorded."""
    cdef Py_ssize_t count = base.impl.storage.nbytes // itemsizes[base.impl.dtype]
    cdef TensorBase t = make_tensor(as_strided(
        zeros((count,), Float32), sizes_tuple(base.impl), strides_tuple(base.impl), base.impl.storage_offset))
    t._requires_grad = True
    t._grad_fn = base._grad_fn
    t._output_nr = base._output_nr
    return t


cdef Node _recorded_look(TensorBase base, TensorBase view):
    cdef bint mode = grad_enabled()
    cdef TensorBase again
    replay = None if base.impl is view.impl else replay_of(view)
    if not is_differentiable(base.impl.dtype):
        base = _in_numbers(base)
    set_grad_enabled(True)
    try:
        if replay is not None:
            return (<TensorBase>replayed(replay, base))._grad_fn
        if looks_at_reals(base, view):
            base = r_view_as_real(base)
            if strided_step(base) == strided_step(view):
                return base._grad_fn
        # PyTorch makes this node itself, so modes do not see an operator
        switch_dispatch(True)
        try:
            again = r_as_strided(base, sizes_tuple(view.impl), strides_tuple(view.impl),
                                 view.impl.storage_offset)
        finally:
            switch_dispatch(False)
    finally:
        set_grad_enabled(mode)
    return again._grad_fn


_register_engine_operators(_EngineOperators())
name_plainly(CopySlices)
