# cython: wraparound=True
"""Tensors that somebody else computes for.

Note [Interposition]
A recording wrapper does two things: it computes, and it records. For an ordinary tensor a kernel
computes. A tensor whose impl has a `special` stands for something else:

- inside `vmap` it is one sample of a batch. Nothing is recorded for it: the batching rule of the
  operator is applied to the whole batch, by operators on the tensors of the level further out.
- inside `func.grad`, `func.vjp` and `func.jvp` it is a tensor of that level, which records there, or has its
  tangent there; what it *is* gets computed by the same operator on the tensors of the level further out, which may
  record it too.
- inside `functionalize` it is what was computed so far; it is written to by computing another value for it.
- a tensor of a class with `__torch_dispatch__` is recorded as any other, and computed by that method.
- a sparse tensor is recorded as any other, and computed by the rules of minitorch/_sparse/.
- a tensor that is known to be zeros is recorded as any other; minitorch/tensors/zero_rules.py says what becomes of it.
- a lazy conjugate is recorded as any other view; minitorch/tensors/math_bits_rules.py says what becomes of it.
- a tensor on the device ``meta`` is recorded as any other, and minitorch/tensors/meta_rules.py tells its shape.

`interpose` is asked first and takes over what is not to be recorded at this level; `compute` stands
where the kernel is called. So a level never sees the tangents, histories and batch dimensions of
another, and there is one place where a wrapped tensor is recognised.

special.pyx has the base of all these and the sparse tensors, levels.pyx the levels and their tensors,
python_dispatch.pyx the classes and modes with `__torch_dispatch__`, operators.pyx what they are handed.
"""

from cpython.object cimport PyObject

from minitorch.autograd.forward_grad cimport ALL_LEVELS, hide_level, show_levels
from minitorch.autograd.grad_mode cimport grad_enabled, set_grad_enabled
from minitorch.autograd.levels cimport (
    Level, Wrapped, hide_from, in_levels, innermost_level, lifted, lifting_level, refresh_wrapped, rewrapped,
    unhide, values_of, without_dead, wrap, wrapped)
from minitorch.autograd.math_bits cimport MathBits
from minitorch.autograd.meta cimport Meta, is_meta
from minitorch.autograd.operators cimport overload_of, written_by
from minitorch.autograd.python_dispatch cimport (
    Dispatched, asks_python, call_kernel, call_python, create_in_python, decompose)
from minitorch.autograd.special cimport Sparse, ZeroTensor, any_of_kind, count_interposers, interposers
from minitorch.autograd.view_replay cimport keep_replay, keeps_replay

from minitorch.autograd.levels import captured, innermost_kind, is_older


cdef extern from *:
    """
    static _Thread_local PyObject* minitorch_entered = NULL;     /* borrowed: the operator that `_around` calls */
    """
    PyObject* minitorch_entered

cdef object _batching_rule = None
cdef object _random_rule = None
cdef object _functional_rule = None
cdef object _up_to_date = None
cdef object _sparse_rule = None
cdef object _meta_rule = None
cdef object _math_bits_rule = None
cdef object _zero_rule = None
cdef object _started = None
cdef object _ended = None
cdef object _steps_of = None
cdef str _ITEM = "_local_scalar_dense"
cdef dict _factories = {}                # name -> function that makes a tensor


def _register_batching(rule, random_rule):
    """`rule(operator, arguments, level)` computes for a batch; `random_rule` inside one for no tensor of it."""
    global _batching_rule, _random_rule
    _batching_rule, _random_rule = rule, random_rule


def _register_functional(rule, up_to_date):
    """`rule(operator, arguments, level)` computes inside of `functionalize`.

    ``up_to_date(t)``: a tensor of it has the value that is due to writes to what it shares memory with.
    """
    global _functional_rule, _up_to_date
    _functional_rule, _up_to_date = rule, up_to_date


def _register_zeros(rule):
    """`rule(operator, arguments)` computes where a tensor is known to be zeros."""
    global _zero_rule
    _zero_rule = rule


def _register_sparse(rule):
    """`rule(operator, arguments)` computes where a tensor is sparse."""
    global _sparse_rule
    _sparse_rule = rule


def _register_meta(rule):
    """`rule(operator, arguments)` gives what a tensor without elements would become."""
    global _meta_rule
    _meta_rule = rule


def _register_math_bits(rule):
    """`rule(operator, arguments)` computes where a tensor is a lazy conjugate or negative."""
    global _math_bits_rule
    _math_bits_rule = rule


def _register_factories(functions):
    """The functions by name that tell `create` of what they make."""
    _factories.update(functions)


def _register_steps(function):
    """``function(name, args, kwargs)`` makes a tensor by the operators that PyTorch composes it of; None: it cannot."""
    global _steps_of
    _steps_of = function


def _listen(started, ended):
    """Tell ``started(operator, arguments)`` of each operator, and ``ended(what that gave, result)`` at its end.

    Functions that make a tensor are told of as ``started(name, (args, kwargs))``. The result of what raises is
    None. While somebody listens no operator goes the short way, so nobody is to listen but
    autograd/observe/record_functions.py; None: nobody does.
    """
    global _started, _ended
    count_interposers((started is not None) - (_started is not None))
    _started, _ended = started, ended


# ---- who takes the call

# docs: transform, interpose
cdef object interpose(Operator operator, tuple arguments):
    global minitorch_entered
    cdef Level top = None
    cdef Level innermost
    cdef bint dead = False
    cdef Wrapped special
    if minitorch_entered == <PyObject*>operator:
        minitorch_entered = NULL
    elif _started is not None or (operator.view and keeps_replay(arguments)):
        return _around(operator, arguments)
    for argument in arguments:
        if isinstance(argument, TensorBase):
            special = wrapped(<TensorBase>argument)
            if special is not None:
                if not special.level.alive:
                    check_not_escaped(operator, arguments, special)
                    dead = True
                elif top is None or special.level.number > top.number:
                    top = special.level
        elif type(argument) is list:
            for item in argument:
                if isinstance(item, TensorBase):
                    special = wrapped(<TensorBase>item)
                    if special is not None:
                        if not special.level.alive:
                            check_not_escaped(operator, arguments, special)
                            dead = True
                        elif top is None or special.level.number > top.number:
                            top = special.level
    if dead:
        return operator.function(without_dead(arguments))
    innermost = innermost_level()
    if innermost is not None and innermost is not top and innermost.kind == "vmap":
        outcome = _random_rule(operator, arguments)
        if outcome is not None:
            return outcome
    innermost = lifting_level(0 if top is None else top.number)
    if innermost is not None and innermost.kind == "functionalize":
        # of tensors from outside it makes none of its own
        if innermost is top:
            return _functionalized(operator, arguments, top)
        return _called_below(innermost, operator.function, arguments)
    if innermost is not None:
        if operator.form == "_":
            _check_captured(operator, arguments, innermost)
        if innermost is not top:
            if _looks_at_captured(operator):
                return _called_below(innermost, operator.function, arguments)
            raised = lifted(arguments, innermost)
            if raised is None:                # made of nothing
                return rewrapped(_called_below(innermost, operator.function, arguments), innermost)
            return operator.function(raised)
    if top is None:
        return decompose(operator, arguments) if asks_python(arguments) else None
    if top.kind == "vmap":
        return _batching_rule(operator, arguments, top)
    if top.kind == "functionalize":
        return _functionalized(operator, arguments, top)
    raised = lifted(arguments, top)
    return call_kernel(operator, arguments) if raised is None else operator.function(raised)
# docs: end


cdef object _functionalized(Operator operator, tuple arguments, Level level):
    cdef unsigned long long before = hide_from(level)
    try:
        return _functional_rule(operator, arguments, level)
    finally:
        unhide(before)


cdef object heard(Operator operator, tuple arguments):
    global minitorch_entered
    if minitorch_entered == <PyObject*>operator:
        minitorch_entered = NULL
        return None
    return None if _started is None else _around(operator, arguments)


cdef object _around(Operator operator, tuple arguments):
    """Call the operator between its start and its end, and keep how a view came about."""
    global minitorch_entered
    ended = _ended
    token = None if _started is None else _started(operator, arguments)
    minitorch_entered = <PyObject*>operator
    result = None
    try:
        result = operator.function(arguments)
    finally:
        minitorch_entered = NULL
        if ended is not None:
            ended(token, result)
    if operator.view:
        keep_replay(operator, result, arguments)
    return result


cdef frozenset _REDUCTIONS = frozenset((
    "sum", "sum_dim", "mean", "mean_dim", "max", "max_dim", "min", "min_dim", "prod", "prod_dim", "amax", "amin",
    "argmax", "argmin", "all", "any", "cumsum", "cumprod", "var", "std", "logsumexp", "sort", "topk"))


cdef int check_not_escaped(Operator operator, tuple arguments, Wrapped special) except -1:
    """PyTorch's error of a sample of a batch whose `vmap` has returned."""
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


cdef bint _looks_at_captured(Operator operator):
    """Whether what it gives of a captured tensor is captured, too; of the views, PyTorch has an alias of the level."""
    return operator.name == "detach" or (operator.view and operator.name != "alias")


cdef int _check_captured(Operator operator, tuple arguments, Level level) except -1:
    """PyTorch's error of a write to a tensor that is not of the innermost level."""
    cdef Wrapped special = wrapped(written_by(operator, arguments))
    if special is not None and special.level is level:
        return 0
    raise captured(overload_of(operator, arguments))


cdef object _called_below(Level level, object (*function)(tuple), tuple arguments):
    """Call a function where `level` is hidden."""
    cdef unsigned long long before = hide_from(level)
    try:
        return function(arguments)
    finally:
        unhide(before)


cdef object _called_outside(Level level, object (*function)(tuple), tuple arguments):
    """The same, as `level` was entered: what is not recorded there, or has no tangents, has none inside."""
    cdef bint mode = grad_enabled()
    cdef int seen = hide_level(ALL_LEVELS if level.fwd_grad_mode else 0)
    set_grad_enabled(mode and level.grad_mode)
    try:
        return _called_below(level, function, arguments)
    finally:
        set_grad_enabled(mode)
        show_levels(seen)


# docs: transform, compute
cdef object compute(Operator operator, tuple arguments):
    cdef Level level = None
    cdef Wrapped special
    for argument in arguments:
        if isinstance(argument, TensorBase):
            special = wrapped(<TensorBase>argument)
            if special is not None:
                level = special.level
                break
        elif type(argument) is list:
            for item in argument:
                if isinstance(item, TensorBase):
                    special = wrapped(<TensorBase>item)
                    if special is not None:
                        level = special.level
                        break
    if level is None:
        result = call_python(operator, arguments) if asks_python(arguments) else None
        if result is None and any_of_kind(arguments, ZeroTensor):
            result = _zero_rule(operator, arguments)
        if result is None and any_of_kind(arguments, Sparse):
            result = _sparse_rule(operator, arguments)
        if result is None and any_of_kind(arguments, Meta):
            result = _meta_rule(operator, arguments)
        if result is None and any_of_kind(arguments, MathBits):
            result = _math_bits_rule(operator, arguments)
        return result
    values = values_of(arguments)
    result = _called_outside(level, operator.function, values)
    if result is values[0] and not operator.form:
        return None                      # such as the conjugate of a real tensor: the operator gives its argument
    if operator.form:
        written = written_by(operator, arguments)
        refresh_wrapped(written)
        return written
    return rewrapped(result, level)
# docs: end


# ---- what is made of nothing

def create(str name, tuple args, dict kwargs):
    """What a mode, a level of `grad` or the class of an argument makes of a call of ``torch.NAME``; None: none."""
    global minitorch_entered
    cdef Level level
    if minitorch_entered == <PyObject*>name:
        minitorch_entered = NULL
    elif name == "item" and minitorch_entered == <PyObject*>_ITEM:
        return None                      # its part is entered, by way of it
    elif _started is not None and name in _factories:
        return _create_around(name, args, kwargs)
    if name == "item":
        return None                      # modes are told of what it consists of
    level = lifting_level(ALL_LEVELS if _is_random(name) else _top_number(args))
    if level is not None and name in _factories and name != _ITEM and kwargs.get("out") is None:
        return _created(level, _factories[name], args, kwargs)
    return create_in_python(name, args, kwargs)


cdef object _create_around(str name, tuple args, dict kwargs):
    """Make a tensor between its start and its end, by PyTorch's own steps where nobody else makes it."""
    global minitorch_entered
    ended = _ended
    token = _started(name, (args, kwargs))
    result = None
    try:
        if _steps_of is not None and not in_levels() and not asks_python(args):
            result = _steps_of(name, args, kwargs)
        if result is None:
            minitorch_entered = <PyObject*>name
            result = _factories[name](*args, **kwargs)
    finally:
        minitorch_entered = NULL
        if ended is not None:
            ended(token, result)
    return result


cdef Py_ssize_t _top_number(tuple args) except -1:
    """The number of the level that is the furthest in among those of the arguments; 0: of none."""
    cdef Py_ssize_t top = 0
    cdef Wrapped special
    for argument in args:
        special = wrapped(<TensorBase>argument) if isinstance(argument, TensorBase) else None
        if special is not None and special.level.alive:
            top = max(top, special.level.number)
    return top


cdef bint _is_random(str name):
    return name.startswith("rand")


cdef object _below(object argument, Level level):
    cdef Wrapped special = wrapped(<TensorBase>argument) if isinstance(argument, TensorBase) else None
    return special.value if special is not None and special.level is level else argument


cdef object _created(Level level, object function, tuple args, dict kwargs):
    """What a function makes, lifted to `level`."""
    cdef unsigned long long before = hide_from(level)
    cdef dict options = dict(kwargs)
    requires_grad = options.pop("requires_grad", False)
    try:
        # a tensor of the level, whose like is made, is here what it is further out
        made = function(*[_below(argument, level) for argument in args], **options)
    finally:
        unhide(before)
    made = wrap(made, level, -1)
    if requires_grad:
        made._change_requires_grad(True, "Only Tensors of floating point and complex dtype can require gradients")
    return made


def fresh(TensorBase t):
    """A tensor just made of data; a mode may make another of it."""
    cdef Level level = lifting_level(0)
    if level is not None:
        return wrap(fresh_below(t, level), level, -1)
    outcome = create("lift_fresh", (t,), {}) if interposers else None
    return t if outcome is None else outcome


cdef TensorBase fresh_below(TensorBase t, Level level):
    """The same, where `level` is hidden."""
    cdef unsigned long long before = hide_from(level)
    try:
        return fresh(t)
    finally:
        unhide(before)


# ---- elements

cdef str _NO_STORAGE = "Cannot access data pointer of Tensor that doesn't have storage"
cdef dict _REFUSALS = {
    ITEM: "vmap: It looks like you're calling .item() on a Tensor. We don't support vmap over calling .item() on a "
          "Tensor, please try to rewrite what you're doing with other operations. If error is occurring somewhere "
          "inside PyTorch internals, please file a bug report.",
    TRUTH: "vmap: It looks like you're attempting to use a Tensor in some data-dependent control flow. We don't "
           "support that yet, please file an issue at https://github.com/pytorch/pytorch/issues .",
    LIST: _NO_STORAGE,
    POINTER: _NO_STORAGE}
cdef str _NO_ELEMENT = (
    "vmap: It looks like you're either (1) calling .item() on a Tensor or (2) attempting to use a Tensor in some "
    "data-dependent control flow or (3) encountering this error in PyTorch internals. For (1): we don't support vmap "
    "over calling .item() on a Tensor, please try to rewrite what you're doing with other operations. For (2): we "
    "don't support data-dependent control flow in vmap yet, please file an issue at "
    "https://github.com/pytorch/pytorch/issues . For (3): please file an issue.")


cdef int refuse_data(TensorBase t, DataUse use) except -1:
    cdef Wrapped special = wrapped(t)
    cdef Level level = None
    cdef bint batched = False
    if isinstance(t.impl.special, Dispatched):
        return 0
    if isinstance(t.impl.special, (MathBits, ZeroTensor)) or use == STORAGE and isinstance(t.impl.special, Meta):
        return 0
    if is_meta(t):
        return _refuse_meta(use)
    if isinstance(t.impl.special, Sparse):
        if use == STORAGE:
            raise NotImplementedError("Cannot access storage of SparseTensorImpl")
        raise RuntimeError(_REFUSALS[POINTER])
    if special is not None:
        _bring_up_to_date(t)
    while special is not None and not special.level.alive and wrapped(special.value) is not None:
        special = wrapped(special.value)
    if use == STORAGE:
        batched = special is not None and special.dim >= 0 and special.level.alive
        raise NotImplementedError(
            f"Cannot access storage of {'BatchedTensorImpl' if batched else 'TensorWrapper'}")
    batched = use == POINTER and special is not None and special.level.alive
    while special is not None and not batched:
        level = special.level
        batched = special.dim >= 0 and level.alive
        special = wrapped(special.value)
    if not batched:
        return 0
    if (use == ITEM or use == TRUTH) and is_older(level):
        raise RuntimeError(f"Batching rule not implemented for aten::{'item' if use == ITEM else 'is_nonzero'}. "
                           "We could not generate a fallback.")
    if (use == ITEM or use == TRUTH) and innermost_kind() in ("grad", "jvp"):
        raise RuntimeError(_NO_ELEMENT)  # a level further in asks for it as an operator that takes neither side
    raise RuntimeError(_REFUSALS[use])


cdef int _bring_up_to_date(TensorBase t) except -1:
    """The memory that a wrapped tensor looks at is that of its value; `functionalize` may owe it another one."""
    cdef Wrapped special = wrapped(t)
    if special is None:
        return 0
    _bring_up_to_date(special.value)
    if special.level.alive and special.level.kind == "functionalize":
        _up_to_date(t)
    refresh_wrapped(t)
    return 0


cdef int _refuse_meta(DataUse use) except -1:
    if use == ITEM or use == TRUTH:
        raise RuntimeError("Tensor.item() cannot be called on meta tensors")
    raise NotImplementedError("Cannot copy out of meta tensor; no data!")
