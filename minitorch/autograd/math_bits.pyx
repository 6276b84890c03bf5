"""Lazy conjugates and negatives.

Note [Math bits]
`conj()` of a complex tensor is a view: its impl has the same memory, and its `special` is a `MathBits` (Note
[Interposition]), which says how the elements are to be read. It is recorded like any other view. The rules for
operators on it are in minitorch/tensors/math_bits_rules.py: views stay lazy, writes go to the shared memory, and all
other operators get the elements as they are to be read. Strides and an offset are not enough to make such a view
again, so it keeps the operators that made it (view_replay.pyx).
"""

from minitorch.autograd.accumulate_by_operators cimport accumulate_by_operators, copy_by_operators
from minitorch.autograd.special cimport any_of_kind
from minitorch.autograd.variable cimport looks_at_reals, make_tensor, real_steps, set_impl, strided_step
from minitorch.core.dtype cimport is_complex
from minitorch.core.special cimport ALIAS, DETACHED_WITH_COUNTER, special_of_thread
from minitorch.core.tensor_impl cimport alias
from minitorch.ops.elementwise.unary cimport conj_physical, neg as negated

from minitorch.autograd.operators import operators


cdef class MathBits(Special):
    def __cinit__(self, bint conj, bint neg):
        self.conj = conj
        self.neg = neg
        self.rank = 4
        self._counted = SpecialGradient()

    cdef TensorImpl resolved(self, TensorImpl impl):
        impl = alias(impl)
        impl.special = None
        if self.conj:
            impl = conj_physical(impl)
        return negated(impl) if self.neg else impl

    cdef int data_kind(self) except -1:
        return ALIAS if special_of_thread() is None else DETACHED_WITH_COUNTER

    cdef object copy_gradient(self, object leaf, object gradient):
        return copy_by_operators(leaf, gradient)

    cdef bint accumulate(self, object leaf, object gradient, bint recording, bint alone) except -1:
        if recording:
            accumulate_by_operators(leaf, gradient, alone)
        return recording


# ---- operators

cdef TensorImpl conj_view(TensorImpl self):
    if not is_complex(self.dtype):
        return self
    self = alias(self)
    self.special = MathBits(True, False)
    return self


cdef TensorImpl neg_view(TensorImpl self):
    self = alias(self)
    self.special = MathBits(False, True)
    return self


# ---- for the rules

def bits_of(TensorBase t):
    """Return two bools: whether a tensor is to be read as conjugated, and as negated."""
    bits = bits_in(t.impl)
    return (False, False) if bits is None else (bits.conj, bits.neg)


def any_bits(tuple arguments):
    """Return whether an argument, or a tensor in a list argument, is to be read as conjugated or negated."""
    return any_of_kind(arguments, MathBits)


def plain(TensorBase t):
    """Return an alias of `t` with the elements as they are in memory."""
    cdef TensorImpl impl = alias(t.impl)
    impl.special = None
    return make_tensor(impl)


def resolved(TensorBase t):
    """Return a tensor with the elements as they are to be read; `t` itself if it has no bits."""
    bits = bits_in(t.impl)
    return t if bits is None else make_tensor(bits.resolved(t.impl))


def marked(TensorBase t, bint conj, bint neg):
    """Return an alias of `t` with the given bits."""
    cdef TensorImpl impl = alias(t.impl)
    impl.special = MathBits(conj, neg) if conj or neg else None
    return make_tensor(impl)


def become(TensorBase t, TensorBase like):
    """Give a tensor the impl of another, and so its memory and bits."""
    set_impl(t, like.impl)


# ---- replays

cdef tuple _steps(TensorBase view, TensorBase base):
    """Return the operators that make a view of `base` again; None if its strides are enough."""
    cdef bint conj, neg
    conj, neg = bits_of(view)
    if not (conj or neg):
        return None
    cdef list steps = []
    cdef bint reals = is_complex(base.impl.dtype) and not is_complex(view.impl.dtype)
    for name, wanted in (("view_as_real", reals), ("conj", conj), ("_neg_view", neg)):
        if wanted:
            steps.append((operators[name, ""], (), ()))
    if reals or strided_step(view) != strided_step(base):
        steps.append(strided_step(view))
    return tuple(steps)


cdef object view_steps(TensorBase view, TensorBase before, TensorBase base):
    cdef bint bits = bits_in(view.impl) is not None or bits_in(before.impl) is not None
    cdef bint reals = is_complex(before.impl.dtype) and not is_complex(view.impl.dtype)
    cdef bint pairs = is_complex(view.impl.dtype) and not is_complex(before.impl.dtype)
    if is_complex(base.impl.dtype) and (
            bits or not pairs and (before._view is None or before._view.replay is None)):
        return _steps(view, base) if bits else False
    if pairs:
        return (*steps_to(before), ("view_as_complex", (), ()))
    return _steps_after(view, before, reals) if reals or bits else False


cdef tuple _steps_after(TensorBase view, TensorBase before, bint reals):
    """Return the replay of a view of `before`: the steps that made `before`, and those of the view."""
    cdef bint conj, neg, was_conj, was_neg
    conj, neg = bits_of(view)
    was_conj, was_neg = bits_of(before)
    cdef list steps = [*steps_to(before)]
    for name, wanted in (("conj", conj != was_conj), ("view_as_real", reals), ("_neg_view", neg != was_neg)):
        if wanted:
            steps.append((name, (), ()))
    return (*steps, strided_step(view))


def steps_to(TensorBase view not None):
    """Return the replay that makes a view from its base, if necessary from its strides."""
    if view._view is None:
        return ()
    if view._view.replay is not None:
        return view._view.replay
    if looks_at_reals(view._view.base, view):
        return real_steps(view)
    return (strided_step(view),)
