# cython: wraparound=True
"""Operators on special tensors, for which a kernel alone cannot compute.

Note [Interposition]
A recording wrapper does two things: it computes a value, and it records the call. For an ordinary tensor a kernel
computes the value. For a tensor whose impl has a `special`, something else does:

- Inside `vmap` the tensor is one sample of a batch. The call is not recorded for it. Instead, the batching rule of
  the operator is applied to the whole batch, by operators on the tensors of the level further out.
- Inside `func.grad`, `func.vjp` and `func.jvp` the tensor belongs to that level. The call is recorded, or its tangent
  computed, at that level. The value is computed by the same operator on the tensors of the level further out, which
  may record it too.
- Inside `functionalize` the tensor has the value that was computed last. A write replaces this value by a new one.
- A tensor of a class with `__torch_dispatch__` is recorded like any other, and that method computes the value.
- A sparse tensor is recorded like any other, and the rules in minitorch/_sparse/ compute the value.
- A tensor that is known to be zeros is recorded like any other; its rules are in minitorch/tensors/zero_rules.py.
- A lazy conjugate is recorded like any other view; its rules are in minitorch/tensors/math_bits_rules.py.
- A tensor on the device ``meta`` is recorded like any other; minitorch/tensors/meta_rules.py computes its shape.

`bind` calls `interpose` first, which handles calls that are not recorded at this level. It calls `compute` where a
wrapper calls the kernel. So a level never sees tangents, histories or batch dimensions of another level, and
wrapped tensors are recognised in one place.

Note [Special tensors] in core/special.pyx lists the kinds of special tensors and where each is. levels.pyx has the
levels and their tensors, python_dispatch.pyx the classes and modes with `__torch_dispatch__`, and operators.pyx the
operators as values.
"""

from cpython.object cimport PyObject

from minitorch.autograd.calls cimport begin_operator, end_call, watching_calls
from minitorch.autograd.forward_grad cimport ALL_LEVELS, hide_level, show_levels
from minitorch.autograd.grad_mode cimport grad_enabled, set_grad_enabled
from minitorch.autograd.levels cimport (
    Level, Wrapped, hide_from, in_levels, innermost_level, lifted, lifting_level, refresh_wrapped, rewrapped,
    unhide, values_of, without_dead, wrap, wrapped)
from minitorch.autograd.operators cimport overload_of, written_by
from minitorch.autograd.python_dispatch cimport (
    asks_python, call_kernel, call_python, create_in_python, decompose)
from minitorch.autograd.special cimport compute_by_kinds, interposers, is_tensor
from minitorch.autograd.upward_calls cimport dispatch_calls, transform_calls
from minitorch.autograd.variable cimport requires_grad
from minitorch.autograd.view_replay cimport keep_replay, keeps_replay

from minitorch.autograd.levels import captured, in_transform


cdef extern from *:
    """
    static _Thread_local PyObject* minitorch_entered = NULL;     /* borrowed: the operator that `_around` calls */
    """
    PyObject* minitorch_entered

cdef str _ITEM = "_local_scalar_dense"


cdef object compose(Operator operator, tuple arguments):
    if operator.composition is None or innermost_level() is None or not in_transform():
        return None
    return operator.composition(*arguments)


# ---- which transform handles the call

# docs: transform, interpose
cdef object interpose(Operator operator, tuple arguments):
    global minitorch_entered
    cdef Level top = None
    cdef Level innermost
    cdef bint dead = False
    if minitorch_entered == <PyObject*>operator:
        minitorch_entered = NULL
    elif watching_calls or (operator.view and keeps_replay(arguments)):
        return _around(operator, arguments)
    for argument in arguments:
        if is_tensor(argument):
            top = _deeper(operator, arguments, <TensorBase>argument, top, &dead)
        elif type(argument) is list:
            for item in argument:
                if is_tensor(item):
                    top = _deeper(operator, arguments, <TensorBase>item, top, &dead)
    if dead:
        return operator.function(without_dead(arguments))
    innermost = innermost_level()
    if innermost is not None and innermost is not top and innermost.kind == "vmap":
        outcome = transform_calls.draw_without_batch(operator, arguments)
        if outcome is not None:
            return outcome
    innermost = lifting_level(0 if top is None else top.number)
    if innermost is not None and innermost.kind == "functionalize":
        # results from outside tensors do not become tensors of its level
        if innermost is top:
            return _functionalized(operator, arguments, top)
        return _called_below(innermost, operator, arguments)
    if innermost is not None:
        if operator.form == "_":
            _check_captured(operator, arguments, innermost)
        if innermost is not top:
            raised = lifted(arguments, innermost)
            if raised is None:                # no tensor among the arguments
                return rewrapped(_called_below(innermost, operator, arguments), innermost)
            outcome = operator.function(raised)
            return arguments[0] if outcome is raised[0] and _keeps_captured(operator) else outcome
    if top is None:
        return decompose(operator, arguments) if asks_python(arguments) else None
    if top.kind == "vmap":
        return transform_calls.batched(operator, arguments, top)
    if top.kind == "functionalize":
        return _functionalized(operator, arguments, top)
    raised = lifted(arguments, top)
    return call_kernel(operator, arguments) if raised is None else operator.function(raised)
# docs: end


cdef inline Level _deeper(Operator operator, tuple arguments, TensorBase t, Level top, bint* dead):
    """Return the inner one of `top` and the level of `t`; set `dead` if the transform of `t` has returned."""
    cdef Wrapped special = wrapped(t)
    if special is None:
        return top
    if not special.level.alive:
        check_not_escaped(operator, arguments, special)
        dead[0] = True
        return top
    return special.level if top is None or special.level.number > top.number else top


cdef object _functionalized(Operator operator, tuple arguments, Level level):
    cdef unsigned long long before = hide_from(level)
    try:
        return level.compute(operator, arguments)
    finally:
        unhide(before)


cdef object heard(Operator operator, tuple arguments):
    global minitorch_entered
    if minitorch_entered == <PyObject*>operator:
        minitorch_entered = NULL
        return None
    return _around(operator, arguments) if watching_calls else None


cdef object _around(Operator operator, tuple arguments):
    """Call the operator, report its begin and its end, and keep the replay of a view."""
    global minitorch_entered
    cdef list begun = begin_operator(operator, arguments) if watching_calls else None
    minitorch_entered = <PyObject*>operator
    result = None
    try:
        result = operator.function(arguments)
    finally:
        minitorch_entered = NULL
        end_call(begun, result)
    if operator.view:
        keep_replay(operator, result, arguments)
    return result


cdef frozenset _REDUCTIONS = frozenset((
    "sum", "sum_dim", "mean", "mean_dim", "max", "max_dim", "min", "min_dim", "prod", "prod_dim", "amax", "amin",
    "argmax", "argmin", "all", "any", "cumsum", "cumprod", "var", "std", "logsumexp", "sort", "topk"))


cdef int check_not_escaped(Operator operator, tuple arguments, Wrapped special) except -1:
    """Raise PyTorch's error for a sample of a batch whose `vmap` has returned."""
    if special.dim < 0:
        return 0
    where = "gen_vmap_plumbing"
    if operator.name in _REDUCTIONS:
        where = "boxed_reduction_batch_rule"
    elif operator.form == "_":
        where = "gen_vmap_inplace_plumbing" if len(arguments) > 1 else "boxed_tensor_inputs_batch_rule"
    raise RuntimeError(
        "Either your tensor may have escaped from inside a function being vmapped and this is a user error (see "
        "https://pytorch.org/functorch/stable/ux_limitations.html), or there is an internal functorch error in "
        f"`{where}` Please file an issue if it looks like the latter")


cdef bint _keeps_captured(Operator operator):
    """Return whether the result for a captured tensor is captured too: for `detach` and views, except `alias`.

    As in PyTorch, the result of `alias` may be written to.
    """
    return operator.name == "detach" or (operator.view and operator.name != "alias")


cdef int _check_captured(Operator operator, tuple arguments, Level level) except -1:
    """Raise PyTorch's error if the operator writes to a tensor that does not belong to the innermost level."""
    cdef Wrapped special = wrapped(written_by(operator, arguments))
    if special is not None and special.level is level and not special.captured:
        return 0
    raise captured(overload_of(operator, arguments))


cdef object _called_below(Level level, Operator operator, tuple arguments):
    """Call an operator while `level` is hidden."""
    cdef unsigned long long before = hide_from(level)
    try:
        return operator.function(arguments)
    finally:
        unhide(before)


cdef bint _any_requires_grad(tuple arguments) except -1:
    for argument in arguments:
        for t in (argument if type(argument) is list else (argument,)):
            if is_tensor(t) and requires_grad(<TensorBase>t):
                return True
    return False


cdef object _called_outside(Level level, Operator operator, tuple arguments):
    """Call an operator while `level` is hidden, with the grad modes in which it was entered.

    If recording or tangents were off then, they stay off here. A level of `linearize` records tangents always.
    """
    cdef bint mode = grad_enabled()
    cdef bint recorded = mode or (level.linearizes and _any_requires_grad(arguments))
    cdef int seen = hide_level(ALL_LEVELS if level.fwd_grad_mode else 0)
    set_grad_enabled(recorded and level.grad_mode)
    try:
        return _called_below(level, operator, arguments)
    finally:
        set_grad_enabled(mode)
        show_levels(seen)


# docs: transform, compute
cdef object compute(Operator operator, tuple arguments):
    cdef Level level = None
    cdef Wrapped special
    for argument in arguments:
        if is_tensor(argument):
            special = wrapped(<TensorBase>argument)
            if special is not None:
                level = special.level
                break
        elif type(argument) is list:
            for item in argument:
                if is_tensor(item):
                    special = wrapped(<TensorBase>item)
                    if special is not None:
                        level = special.level
                        break
    if level is None:
        result = call_python(operator, arguments) if asks_python(arguments) else None
        return compute_by_kinds(operator, arguments) if result is None else result
    values = values_of(arguments)
    result = _called_outside(level, operator, values)
    if result is values[0] and not operator.form:
        return None                      # the operator returns its argument, as `conj` of a real tensor does
    if operator.form:
        written = written_by(operator, arguments)
        refresh_wrapped(written)
        return written
    result = rewrapped(result, level)
    if _keeps_captured(operator):
        _capture_views(wrapped(arguments[0]), result)
    return result
# docs: end


cdef int _capture_views(Wrapped special, object result) except -1:
    """Mark the views of a captured tensor as captured."""
    if special is not None and special.captured:
        for view in (result if type(result) is list else (result,)):
            wrapped(view).captured = True
    return 0


# ---- functions that make tensors

def create(str name, tuple args, dict kwargs):
    """Call ``torch.NAME`` through a mode, a transform or the class of an argument; return None if none applies."""
    global minitorch_entered
    cdef Level level
    if minitorch_entered == <PyObject*>name:
        minitorch_entered = NULL
    elif name == "item" and minitorch_entered == <PyObject*>_ITEM:
        return None                      # `item` calls this part of it
    elif watching_calls and name in dispatch_calls.factories:
        return _create_around(name, args, kwargs)
    if name == "item":
        return None                      # modes see the parts of `item`
    level = lifting_level(ALL_LEVELS if _is_random(name) else _top_number(args))
    if level is not None and name in dispatch_calls.factories and name != _ITEM and kwargs.get("out") is None:
        return _created(level, dispatch_calls.factories[name], args, kwargs)
    return create_in_python(name, args, kwargs)


cdef object _create_around(str name, tuple args, dict kwargs):
    """Make a tensor and report it, by PyTorch's steps unless a transform or a mode makes it."""
    global minitorch_entered
    cdef list begun = begin_operator(name, (args, kwargs))
    result = None
    try:
        if not in_levels() and not asks_python(args):
            result = dispatch_calls.create_by_steps(name, args, kwargs)
        if result is None:
            minitorch_entered = <PyObject*>name
            result = dispatch_calls.factories[name](*args, **kwargs)
    finally:
        minitorch_entered = NULL
        end_call(begun, result)
    return result


cdef Py_ssize_t _top_number(tuple args) except -1:
    """Return the number of the innermost living level of the arguments; 0 if they belong to none."""
    cdef Py_ssize_t top = 0
    cdef Wrapped special
    for argument in args:
        special = wrapped(<TensorBase>argument) if is_tensor(argument) else None
        if special is not None and special.level.alive:
            top = max(top, special.level.number)
    return top


cdef bint _is_random(str name):
    return name.startswith("rand")


cdef object _below(object argument, Level level):
    cdef Wrapped special = wrapped(<TensorBase>argument) if is_tensor(argument) else None
    return special.value if special is not None and special.level is level else argument


cdef object _created(Level level, object function, tuple args, dict kwargs):
    """Call a function that makes a tensor, and lift the result to `level`."""
    cdef unsigned long long before = hide_from(level)
    cdef dict options = dict(kwargs)
    requires_grad = options.pop("requires_grad", False)
    try:
        # an argument of the level, as in `zeros_like`, is replaced by its value further out
        made = function(*[_below(argument, level) for argument in args], **options)
    finally:
        unhide(before)
    made = wrap(made, level, -1)
    if requires_grad:
        made._change_requires_grad(True, "Only Tensors of floating point and complex dtype can require gradients")
    return made


def fresh(TensorBase t):
    """Return a tensor just made from data, after the innermost level or a mode has handled it."""
    cdef Level level = lifting_level(0)
    if level is not None:
        return wrap(fresh_below(t, level), level, -1)
    outcome = create("lift_fresh", (t,), {}) if interposers else None
    return t if outcome is None else outcome


cdef TensorBase fresh_below(TensorBase t, Level level):
    """Call `fresh` while `level` is hidden."""
    cdef unsigned long long before = hide_from(level)
    try:
        return fresh(t)
    finally:
        unhide(before)
