"""Forward mode: derivatives that are computed along with the values.

Note [Forward mode]
In forward mode a tensor can have a tangent; it is then called dual. When an operator gets a dual tensor, `bind` hides
the tangents of that level, calls the operator again for the value, computes the tangent by the forward formula of its
row in derivatives/, and attaches it to the result: see operator_tangents.pyx.

A tensor has at most one tangent. `func.jvp` can be nested: it lifts its tensors to a level of its own (Note
[Interposition]), and the tensors that they wrap may have tangents further out. So a tangent belongs to the level of
the tensor that has it; this is 0 for a tensor that belongs to no transform. Hiding a level hides its tangents and
those further in, so that a computation further out still sees its own.

A wrapped tensor of a transform that was entered later has no tangent itself, but the tensor it wraps may have one. So
if such a tensor meets a dual one from further out, the transform handles the call first (`top_level_of`). This is also
so if the innermost transform is `func.grad` or `func.jvp`, which lifts the dual tensor.

Each entering of forward mode has a number, its `visit`. Tangents of an earlier visit are ignored.

A view that was made before a write to its base has no tangent of its own. `follows` gives it the tangent of the base
when it is needed. `bases_are_dual` is false while no write has given a tangent to a tensor, so views need not look.

Nodes save TensorImpls, which have no tangents. So `node.tangents` keeps the tangents of the saved tensors, and they
are restored when the tensors are unpacked as Tensors, as is always done in forward mode.
"""

from minitorch.autograd.grad_mode cimport grad_enabled
from minitorch.autograd.math_bits cimport MathBits, bits_in
from minitorch.autograd.levels cimport Level, Wrapped, lifting_level, wrap, wrapped, wrapped_in
from minitorch.autograd.python_dispatch cimport dispatched_of
from minitorch.autograd.special cimport any_level, interposers
from minitorch.autograd.node cimport Node, track_graph
from minitorch.autograd.upward_calls cimport autograd_calls
from minitorch.autograd.variable cimport Tangent, TensorBase, engine_operators, make_tensor
from minitorch.core.dtype cimport Bool, UInt8, is_differentiable, itemsizes
from minitorch.core.overlap cimport maybe_overlaps
from minitorch.core.tensor_impl cimport (
    TensorImpl, ndim, numel, same_sizes, sizes, sizes_tuple, strides, strides_tuple, wrap_number)
from minitorch.ops.creation.factory cimport zeros
from minitorch.ops.shape.views cimport as_strided

from minitorch.autograd.zero_tensor import as_zeros
from minitorch.autograd.variable import _release_tangents

cdef extern from *:
    """
    static _Thread_local int minitorch_seen_levels = 1 << 30;    /* this thread sees the tangents of lower levels */
    """
    int minitorch_seen_levels

cdef unsigned long NEVER = <unsigned long>-1
cdef unsigned long _visit = 0                # the present visit of forward mode; 0: it is not entered
cdef unsigned long _last_visit = 0
bases_are_dual = False


def _enter_dual_level():
    """Enter forward mode, and return the number of the level, which is 0."""
    global _visit, _last_visit, any_level
    if any_level:
        raise RuntimeError("Nested forward mode AD is not supported at the moment")
    _last_visit += 1
    _visit = _last_visit
    any_level = True
    return 0


def _exit_dual_level(int level):
    """Leave forward mode; after that no tensor has a tangent."""
    global _visit, any_level, bases_are_dual
    if level != 0 or not any_level:
        raise RuntimeError("Exiting a forward AD level that is not the last that was created is not support. "
                           "Ensure they are released in the reverse order they were created.")
    _visit = 0
    any_level = bases_are_dual = False
    _release_tangents()


def _is_fwd_grad_enabled():
    """Return whether this thread computes tangents."""
    return minitorch_seen_levels > 0


def _set_fwd_grad_enabled(enabled):
    """Set whether this thread computes tangents."""
    if not isinstance(enabled, bool):
        raise TypeError(f"enabled must be a bool (got {type(enabled).__name__})")
    show_levels(ALL_LEVELS if enabled else 0)


class fwd_grad_set_to:
    """Context manager that sets whether this thread computes tangents."""

    def __init__(self, mode):
        self.mode = bool(mode)

    def __enter__(self):
        self.previous = _is_fwd_grad_enabled()
        _set_fwd_grad_enabled(self.mode)

    def __exit__(self, exc_type, exc_value, traceback):
        _set_fwd_grad_enabled(self.previous)


cdef int _enter(dict names) except -1:
    """Enter a level; `names` has ``_current_level``, which is 0 in forward mode and else -1."""
    _enter_dual_level()
    if names["_current_level"] != -1:           # as in PyTorch, the level is entered nevertheless
        raise RuntimeError("Entering a new forward AD level but the current level is not valid. Make sure you did "
                           "not modify it directly.")
    names["_current_level"] = 0
    return 0


cdef int _leave(dict names, level) except -1:
    current = names["_current_level"]
    level = current if level is None else level
    if level != current:
        raise RuntimeError("Trying to exit a forward AD level that was not the last one that was created. "
                           "This is not supported.")
    if level < 0:
        raise RuntimeError("Dual level must be a positive number.")
    names["_current_level"] = -1
    _exit_dual_level(level)
    return 0


class EnteredDualLevel:
    """``__enter__`` and ``__exit__`` of a level of forward mode: see Note [Atomic entering].

    A subclass has the attribute `names`, a namespace with ``_current_level``.
    """

    def __enter__(self):
        _enter(self.names)
        return 0

    def __exit__(self, exc_type, exc_value, traceback):
        _leave(self.names, None)

    def leave(self, level):
        """Leave the level with this number, or the present one if it is None."""
        _leave(self.names, level)


# ---- levels

cdef int hide_level(int level) noexcept:
    global minitorch_seen_levels
    cdef int before = minitorch_seen_levels
    minitorch_seen_levels = min(level, before)
    return before


cdef void show_levels(int before) noexcept:
    global minitorch_seen_levels
    minitorch_seen_levels = before


cdef bint _is_dual(TensorBase t) noexcept:
    return t._tangent is not None and any_level and t._tangent.visit == _visit


cdef int _level_of(TensorBase t):
    """Return the number of the level that `t` belongs to; 0 if it belongs to no transform."""
    return (<Wrapped>t.impl.special).level.number if wrapped(t) is not None else 0


cdef int top_level_of(object tensors) except -2:
    cdef int top = -1
    cdef int number
    cdef Level innermost
    for t in tensors:
        if t is None:
            continue
        if bases_are_dual:
            follows(<TensorBase>t)
        if _is_dual(<TensorBase>t):
            number = _level_of(<TensorBase>t)
            if top < number < minitorch_seen_levels:
                top = number
    if top < 0:
        return -1
    for t in tensors:
        if t is not None and _is_further_in(<TensorBase>t, top):
            return -1
    innermost = lifting_level(top) if interposers else None
    return -1 if innermost is not None and innermost.number > top else top


cdef bint _is_further_in(TensorBase t, int level) except -1:
    """Return whether `t` belongs to a transform entered inside of `level`, or left: what it wraps may be dual."""
    cdef Wrapped special = wrapped(t)
    return special is not None and (not special.level.alive or special.level.number > level)


# ---- tangents

cdef bint _is_settled(TensorBase t) noexcept:
    """Return whether `t` has a tangent, or is marked to get none from its base."""
    return _is_dual(t) or t._tangent is not None and t._tangent.visit == NEVER


cdef bint follows(TensorBase t) except -1:
    cdef TensorBase base, tangent
    cdef int before
    if t._view is None or not _is_dual(t._view.base) or _is_settled(t):
        return False
    base = t._view.base
    if base.impl.storage != t.impl.storage:
        return False
    before = hide_level(_level_of(base))
    try:
        tangent = base._tangent.tensor
        if not _looks_at_all_of(t, base):
            tangent = engine_operators.view_like(tangent, base, t)
    finally:
        show_levels(before)
    put_tangent(t, tangent)
    return True


cdef TensorBase tangent_of(TensorBase t, int level):
    if bases_are_dual:
        follows(t)
    return t._tangent.tensor if _is_dual(t) and _level_of(t) == level else None


cdef TensorBase seen_tangent(TensorBase t, int level):
    return None if t is None else tangent_of(t, level)


cdef list tangents_of(object tensors, int level):
    cdef list found = [None if t is None else tangent_of(<TensorBase>t, level) for t in tensors]
    if all([t is None for t in found]):
        return None
    return [None if t is None else tangent if tangent is not None else _zeros_like(<TensorBase>t)
            for t, tangent in zip(tensors, found)]


cdef TensorBase tangent_or_zeros(TensorBase t, int level):
    if t is None:
        return None
    found = tangent_of(t, level)
    if found is not None:
        return found
    return make_tensor(wrap_number(0)) if t.impl.is_wrapped_number else _zero_tangent_of(t)


cdef TensorBase _zeros_like(TensorBase t):
    return engine_operators.zeros_like(t)


cdef TensorBase _zero_tangent_of(TensorBase t):
    """Return a tangent of zeros; for bools it is of integers, which can be negated and subtracted."""
    cdef TensorBase zeros_ = _zeros_like(t)
    return engine_operators.cast(zeros_, UInt8) if t.impl.dtype == Bool else zeros_


cdef TensorBase zeros_if_recorded(TensorBase t, object tensors):
    cdef TensorBase each
    if not grad_enabled():
        return None
    for each in tensors:
        while each is not None:
            if each._requires_grad:
                return _zeros_for_factor(t)
            each = (<Wrapped>each.impl.special).value if wrapped(each) is not None else None
    return None


cdef TensorBase _zeros_for_factor(TensorBase t):
    return _as_zeros(make_tensor(zeros((), t.impl.dtype)) if t.impl.is_wrapped_number else _zero_tangent_of(t))


cdef TensorBase _as_zeros(TensorBase zeros):
    cdef Wrapped special = wrapped(zeros)
    if special is None:
        return as_zeros(zeros)
    return wrap(_as_zeros(special.value), special.level, special.dim)


cdef TensorBase sum_of_tangents(TensorBase a, TensorBase b):
    return b if a is None else engine_operators.add(a, b)


cdef TensorBase with_tangent(TensorBase result, TensorBase tangent, int level, tuple sources):
    cdef int before
    cdef TensorBase given = result
    if tangent is None or not is_differentiable(result.impl.dtype):
        return result
    if tangent is result:
        raise RuntimeError("a tensor cannot be its own tangent")
    before = hide_level(level)
    try:
        if not same_sizes(tangent.impl.geometry, result.impl.geometry):
            tangent = engine_operators.expand(tangent, sizes_tuple(result.impl))
        if tangent.impl.dtype != result.impl.dtype:
            tangent = engine_operators.cast(tangent, result.impl.dtype)
        tangent = _laid_out_as(tangent, result)
        for source in sources:
            if source is not None and (<TensorBase>source).impl.storage == tangent.impl.storage:
                tangent = engine_operators.clone(tangent)
                break
        while interposers and _is_further_in(result, level):
            tangent = _value_for(<Wrapped>result.impl.special, tangent)
            result = (<Wrapped>result.impl.special).value
    finally:
        show_levels(before)
    put_tangent(result, tangent)
    return given


cdef TensorBase _laid_out_as(TensorBase tangent, TensorBase primal):
    """Return `tangent`, or a copy with the strides of `primal`, so that the same views of both are possible."""
    if not _has_strides_of(tangent.impl, primal.impl):
        return engine_operators.copy_like(tangent, primal)
    return engine_operators.clone(tangent) if _bits(tangent) != _bits(primal) else tangent


cdef bint _has_strides_of(TensorImpl a, TensorImpl b) noexcept:
    """Return whether two impls of the same sizes have the same strides, except in dimensions of size 1."""
    cdef int d
    for d in range(ndim(a)):
        if sizes(a)[d] != 1 and strides(a)[d] != strides(b)[d]:
            return numel(a) == 0
    return True


cdef int _bits(TensorBase t):
    """Return a number for the math bits of `t`: 1 for conjugated plus 2 for negated. See Note [Math bits]."""
    while wrapped(t) is not None:
        t = (<Wrapped>t.impl.special).value
    if bits_in(t.impl) is None:
        return 0
    return (<MathBits>t.impl.special).conj + 2 * (<MathBits>t.impl.special).neg


cdef TensorBase _value_for(Wrapped of, TensorBase tangent):
    """Return the part of `tangent` that belongs to the value which the wrapped tensor `of` wraps."""
    cdef Wrapped special = None
    if wrapped(tangent) is not None:
        special = <Wrapped>tangent.impl.special
        if special.level is not of.level:
            special = None
    if of.dim < 0:
        return tangent if special is None else special.value
    if special is not None:
        return special.value.movedim(special.dim, of.dim)
    return tangent.unsqueeze(of.dim).expand(sizes_tuple(of.value.impl))


cdef int put_tangent(TensorBase t, TensorBase tensor) except -1:
    """Make `tensor` the tangent of `t`, in a new Tangent, since others may hold the old one."""
    cdef Tangent new = Tangent.__new__(Tangent)
    new.visit = _visit
    new.tensor = tensor
    if tensor._grad_fn is not None:
        track_graph(tensor._grad_fn)     # it may lead back to t
    t._tangent = new
    return 0


# ---- in-place

cdef TensorBase _zeros_for(TensorBase t, TensorBase tangent):
    """Return zeros in the shape of `t` that `tangent` can be written to, also if only `tangent` is a batch."""
    if wrapped(tangent) is not None or dispatched_of(tangent.impl) is not None:
        return _laid_out_as((<object>tangent).new_zeros(sizes_tuple(t.impl), dtype=(<object>t).dtype), t)
    return _laid_out_as(_zeros_like(t), t)


cdef bint _looks_at_all_of(TensorBase view, TensorBase base):
    """Return whether a view has the shape, strides, offset and dtype of its base; then they share the tangent."""
    return (view.impl.dtype == base.impl.dtype and view.impl.storage_offset == base.impl.storage_offset
            and view.impl.special is None and base.impl.special is None
            and same_sizes(view.impl.geometry, base.impl.geometry)
            and strides_tuple(view.impl) == strides_tuple(base.impl))


cdef int write_tangent(TensorBase t, TensorBase tangent, int level) except -1:
    """Write the tangent of `t` after a write to `t`; in place, so that the tangents of views change too."""
    global bases_are_dual
    cdef TensorBase own, base
    cdef int before
    if not is_differentiable(t.impl.dtype):
        return 0
    own = tangent_of(t, level)
    if own is tangent:
        return 0                         # written in place already
    before = hide_level(level)
    try:
        if own is None:
            bases_are_dual = True
            if t._view is not None and t._view.base.impl.storage == t.impl.storage:
                base = t._view.base
                own = tangent_of(base, level)
                if own is None:
                    own = _zeros_for(base, tangent)
                    put_tangent(base, own)
                if not _looks_at_all_of(t, base):
                    own = engine_operators.view_like(own, base, t)
            else:
                own = _zeros_for(t, tangent)
            put_tangent(t, own)
        engine_operators.copy(own, tangent)
    finally:
        show_levels(before)
    return 0


cdef int write_tangent_like(TensorBase t, TensorBase other, int level) except -1:
    """Write the tangent of `other` to that of `t`; zeros if only `t` has one."""
    cdef TensorBase tangent = tangent_of(other, level)
    if tangent is None and tangent_of(t, level) is not None:
        tangent = _zeros_like(tangent_of(t, level))
    return 0 if tangent is None else write_tangent(t, tangent, level)


# ---- what nodes save

cdef Node node_of(object results):
    for t in results:
        if t is not None and (<TensorBase>t)._grad_fn is not None:
            return (<TensorBase>t)._grad_fn
    return None


cdef int keep_tangents(Node node, object tensors) except -1:
    for t in tensors:
        if t is not None and (<TensorBase>t)._tangent is not None:
            track_graph(node)            # a tangent may be newer than the node
            if node.tangents is None:
                node.tangents = []
            node.tangents.append(((<TensorBase>t).impl, (<TensorBase>t)._tangent))
    return 0


cdef tuple by_two_backwards(object call, tuple arguments, dict tangents, tuple outputs):
    return autograd_calls.two_backwards(call, arguments, tangents, outputs, grad_enabled())


# ---- functions for Python

def _any_dual(tensors):
    """Return whether one of the tensors has a tangent that this thread sees."""
    for t in tensors:
        if bases_are_dual:
            follows(<TensorBase?>t)
        if _is_dual(<TensorBase?>t) and _level_of(<TensorBase>t) < minitorch_seen_levels:
            return True
    return False


def _make_dual(TensorBase tensor, TensorBase tangent, int level):
    """Return a view of `tensor` with the tangent `tangent`."""
    cdef TensorBase result
    cdef bint alike
    if level == 0 and not any_level:
        raise RuntimeError("Trying to access a forward AD level with an invalid index. This index was either not "
                           "created or is already deleted.")
    if level != 0:
        raise RuntimeError("Invalid level given to _make_dual")
    check_sizes_of_tangent(tensor, tangent)
    if _has_tangent(tensor):
        raise RuntimeError("Making a dual Tensor based on a Tensor that already has a forward gradient at the same "
                           f"level {level} is not supported.")
    if _has_tangent(tangent):
        raise RuntimeError("Setting a forward grad that itself has a forward gradient at the same "
                           f"level{level} is not supported.")
    cdef int before = hide_level(_level_of(tensor))
    try:
        result = engine_operators.alias(tensor)
        alike = _has_strides_of(tangent.impl, tensor.impl)
        if not alike and _lacks_batch_of(tangent.impl, tensor.impl):
            tangent = _zeros_for_each(tensor.impl, tangent).copy_(tangent)
        elif (_is_part(tensor.impl, tangent.impl) or _lacks_batch_of(tensor.impl, tangent.impl)
                or (not alike and _shares_memory(tensor.impl))):
            tangent = engine_operators.copy(
                _zeros_beneath(tensor, tangent.impl.dtype, [False] * ndim(tensor.impl)), tangent)
        else:
            tangent = _laid_out_as(tangent, tensor)
    finally:
        show_levels(before)
    put_tangent(result, tangent)
    return result


cdef bint _has_tangent(TensorBase t) except -1:
    return tangent_of(t, _level_of(t)) is not None


cdef bint _is_part(TensorImpl primal, TensorImpl tangent):
    """Return whether primal and tangent have storages of different sizes, so that a view could leave the tangent's."""
    primal, tangent = _lifted_impl(primal), _lifted_impl(tangent)
    if primal.special is not None or tangent.special is not None:
        return False
    return _storage_length(primal) != _storage_length(tangent)


cdef object _zeros_for_each(TensorImpl primal, object tangent):
    """Return zeros, with the strides of `primal`, for each sample of `tangent`."""
    cdef TensorImpl value = _lifted_impl(primal)
    if value.special is None:
        count, offset = _storage_length(value), value.storage_offset
    else:
        count, offset = _span(sizes_tuple(primal), strides_tuple(primal)), 0
    return tangent.new_zeros(count).as_strided(sizes_tuple(primal), strides_tuple(primal), offset)


cdef Py_ssize_t _span(sizes, strides):
    """Return how many elements of memory a tensor of these sizes and strides covers."""
    return 0 if 0 in sizes else 1 + sum([(n - 1) * s for n, s in zip(sizes, strides)])


cdef TensorImpl _lifted_impl(TensorImpl impl):
    """Return the impl that transforms of derivatives have lifted; that of a sample stays as it is."""
    while wrapped_in(impl) is not None and (<Wrapped>impl.special).dim < 0:
        impl = (<Wrapped>impl.special).value.impl
    return impl


cdef TensorBase _zeros_beneath(TensorBase like, int dtype, list batched):
    """Return zeros that are wrapped as the batch `like` is, with the strides of its samples.

    ``batched[d]`` tells whether dimension ``d`` is one that `vmap` hides.
    """
    cdef Wrapped special = wrapped(like)
    if special is not None:
        if special.dim >= 0:
            batched.insert(special.dim, True)
        return wrap(_zeros_beneath(special.value, dtype, batched), special.level, special.dim)
    if like.impl.special is not None:
        return _zeros_like(like)
    return _zeros_apart(like.impl, dtype, batched) if _shares_memory(like.impl) else _zeros_behind(like.impl, dtype)


cdef bint _shares_memory(TensorImpl impl) noexcept:
    """Return whether elements may be at the same place: those of an expanded batch are."""
    return numel(impl) > 0 and maybe_overlaps(ndim(impl), sizes(impl), strides(impl))


cdef Py_ssize_t _storage_length(TensorImpl impl) noexcept:
    """Return how many elements of its dtype the storage of `impl` holds."""
    return impl.storage.nbytes // itemsizes[impl.dtype]


cdef TensorBase _zeros_apart(TensorImpl like, int dtype, list batched):
    """Return zeros with the strides of `like` in each sample, and a place of its own for each sample."""
    cdef list strides = list(strides_tuple(like))
    cdef tuple sizes = sizes_tuple(like)
    cdef Py_ssize_t count = _span([n for n, hidden in zip(sizes, batched) if not hidden],
                                  [s for s, hidden in zip(strides, batched) if not hidden])
    for d in range(len(sizes)):
        if batched[d]:
            strides[d] = count
            count *= sizes[d]
    return make_tensor(as_strided(zeros((count,), dtype), sizes, tuple(strides)))


cdef bint _lacks_batch_of(TensorImpl batch, TensorImpl other):
    """Return whether `batch` is a batch of a level for which `other` is the same in all samples."""
    cdef Wrapped special
    while wrapped_in(batch) is not None:
        special = <Wrapped>batch.special
        if special.dim >= 0 and not _is_batch_of(other, special.level):
            return True
        batch = special.value.impl
    return False


cdef bint _is_batch_of(TensorImpl t, Level level):
    cdef Wrapped special
    while wrapped_in(t) is not None:
        special = <Wrapped>t.special
        if special.level is level:
            return special.dim >= 0
        t = special.value.impl
    return False


cdef TensorBase _zeros_behind(TensorImpl like, int dtype):
    """Return zeros with the strides and offset of `like`, in a storage of the same size."""
    cdef TensorImpl all_of_it = zeros((_storage_length(like),), dtype)
    return make_tensor(as_strided(all_of_it, sizes_tuple(like), strides_tuple(like), like.storage_offset))


cdef int check_sizes_of_tangent(TensorBase tensor, TensorBase tangent) except -1:
    if not same_sizes(tensor.impl.geometry, tangent.impl.geometry):
        raise RuntimeError(
            "Trying to set a forward gradient that has a different size than that of the original Tensor, this is "
            f"not supported. Tensor is of size {list(sizes_tuple(tensor.impl))} while the given forward gradient "
            f"is of size {list(sizes_tuple(tangent.impl))}.")
    return 0


def _unpack_dual(TensorBase tensor, int level):
    """Return a view of `tensor` without a tangent, and the tangent or None."""
    cdef TensorBase primal
    cdef int of = _level_of(tensor)
    cdef int before = hide_level(of)
    try:
        primal = engine_operators.alias(tensor)
    finally:
        show_levels(before)
    if primal._tangent is None:
        primal._tangent = Tangent.__new__(Tangent)
        primal._tangent.visit = NEVER                       # it takes no tangent from its base
    return primal, tangent_of(tensor, of) if before > of and any_level else None
