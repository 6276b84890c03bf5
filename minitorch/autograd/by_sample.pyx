"""Functions that PyTorch's `vmap` calls separately for each sample.

Note [Functions without a batching rule]
An operator that PyTorch composes of others reaches its `vmap` as one, before it is composed. Where that has no
rule for it, it is called for each sample, and a warning says so; or it is refused, if it takes lists of tensors
or gives a view. A function in Python that stands for such an operator does the same by `without_batching_rule`,
a second name of an operator by its entry in `TransformCalls.without_rule`.

A transform of derivatives further in than the `vmap` composes it, so that `vmap` sees its parts. An operator that
is composed here alone is no such one: it is seen through a `grad`, and then only the warning is given.
"""

from minitorch.autograd.levels cimport Level, Wrapped, wrapped
from minitorch.autograd.special cimport interposers
from minitorch.autograd.upward_calls cimport transform_calls
from minitorch.autograd.variable cimport TensorBase

from functools import update_wrapper

from minitorch.autograd.levels import current_levels, is_hidden, is_older

# errors of what is not called for each sample
VIEW = "Batching rule not implemented for {name}; the fallback path doesn't work on out= or view ops."
LISTS = "Batching rule not implemented for {name}. We could not generate a fallback."
DYNAMIC = (
    "vmap: We do not support batching operators that can output dynamic shape. Attempted to vmap over {name}. "
    "Please file an issue at https://github.com/pytorch/pytorch/issues if you need this feature.")

cdef int check_out(str name, tuple args, dict kwargs) except -1:
    cdef Level level
    if kwargs.get("out") is None:
        return 0
    for level in reversed(current_levels()):
        if not is_hidden(level):
            if level.kind == "vmap":
                transform_calls.check_out(name, args, kwargs, level)
            return 0
    return 0


cdef class WithoutRule:
    def __init__(self, name, str refused="", bint composed=True):
        self.name, self.refused, self.composed = name, refused, composed


def name_for(WithoutRule rule, tuple args, dict kwargs):
    """Return PyTorch's name of the operator for these arguments; None if that has a batching rule."""
    return rule.name(args, kwargs) if callable(rule.name) else rule.name


cdef TensorBase _seen_from(TensorBase t, Level level):
    """Unwrap `t` from the levels further in than `level`."""
    cdef Wrapped special = wrapped(t)
    while special is not None and special.level.number > level.number:
        t = special.value
        special = wrapped(t)
    return t


cdef bint _has_batch(object values, Level level) except -1:
    cdef Wrapped special
    for value in values:
        if isinstance(value, TensorBase):
            special = wrapped(_seen_from(<TensorBase>value, level))
            if special is not None and special.level is level:
                return True
        elif isinstance(value, (tuple, list)) and _has_batch(value, level):
            return True
    return False


# what PyTorch composes of others where a transform derives it
cdef frozenset _COMPOSED = frozenset(("aten::cummaxmin_backward", "aten::_add_batch_dim", "aten::_remove_batch_dim"))


cdef int tell_of(TensorBase t, str name) except -1:
    cdef Level level
    if not interposers:
        return 0
    for level in reversed(current_levels()):
        if is_hidden(level):
            continue
        if level.kind != "vmap":
            if name in _COMPOSED:
                return 0
            continue
        if is_older(level):
            return 0                     # there it is composed
        if _has_batch((t,), level):
            transform_calls.warn_without_rule(name, level)
            return 0
    return 0


def tell_of_operator(TensorBase t, str name):
    """Warn that the operator `name` has no batching rule, if `t` belongs to a batch."""
    tell_of(t, name)


cdef object by_sample(WithoutRule rule, object function, tuple args, dict kwargs):
    cdef Level level
    cdef bint seen_through = False
    for level in reversed(current_levels()):
        if is_hidden(level):
            continue
        if level.kind != "vmap":
            if rule.composed:
                return None
            seen_through = True
        elif rule.composed and is_older(level):
            return None
        elif _has_batch(args, level) or _has_batch(kwargs.values(), level):
            if not seen_through or rule.refused:
                return transform_calls.call_without_rule(rule, function, args, kwargs, level)
            name = name_for(rule, args, kwargs)
            if name is not None:
                transform_calls.warn_without_rule(name, level)
            return None
    return None


def without_batching_rule(name, refused="", composed=True):
    """Decorate a function that replaces an operator without a batching rule in PyTorch.

    Parameters
    ----------
    name : str or callable
        The name of the operator, such as ``aten::isclose``. For an operator with overloads, ``name(args, kwargs)``
        returns it, or None if the overload has a rule.
    refused : str
        The error that PyTorch raises instead of calling it for each sample: `VIEW`, `LISTS` or `DYNAMIC`.
    composed : bool
        Whether PyTorch, too, composes it of others.
    """
    cdef WithoutRule rule = WithoutRule(name, refused, composed)

    def decorate(function):
        def called(*args, **kwargs):
            if interposers:
                outcome = by_sample(rule, called, args, kwargs)
                if outcome is not None:
                    return outcome
            return function(*args, **kwargs)

        return update_wrapper(called, function)

    return decorate


def looks_for_rule(function):
    """Decorate a function in Python for which `TransformCalls.without_rule` may have an entry, by its name."""
    def called(*args, **kwargs):
        if interposers and function.__name__ in transform_calls.without_rule:
            outcome = by_sample(transform_calls.without_rule[function.__name__], called, args, kwargs)
            if outcome is not None:
                return outcome
        return function(*args, **kwargs)

    return update_wrapper(called, function)
