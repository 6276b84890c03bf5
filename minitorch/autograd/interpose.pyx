# cython: wraparound=True
"""Tensors that somebody else computes for.

Note [Interposition]
A recording wrapper does two things: it computes, and it records. For an ordinary tensor a kernel
computes. A tensor whose impl has a `special` stands for something else:

- inside `vmap` it is one sample of a batch. Nothing is recorded for it: the batching rule of the
  operator is applied to the whole batch, by operators on the tensors of the level further out.
- inside `func.grad` and `func.vjp` it is a tensor of that level, which records there; what it *is* gets
  computed by the same operator on the tensors of the level further out, which may record it too.
- a tensor of a class with `__torch_dispatch__` is recorded as any other, and computed by that method.
- a sparse tensor is recorded as any other, and computed by the rules of minitorch/_sparse/.

`interpose` is asked first and takes over what is not to be recorded at this level; `compute` stands
where the kernel is called. So a level never sees the tangents, histories and batch dimensions of
another, and there is one place where a wrapped tensor is recognised.

The impl of a wrapped tensor has the sizes and strides that its level sees and looks at memory of the
value (of its first sample, in a batch): whoever reads it by mistake reads numbers that exist.

A level that was left is dead: its tensors are taken for what they wrap.
"""

from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF

from minitorch.autograd.grad_mode cimport grad_enabled, set_grad_enabled
from minitorch.autograd.variable cimport TensorBase, make_tensor, recorded_operators
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, SizesAndStrides, TensorImpl, alias, empty_geometry, ndim, new_geometry, same_sizes, sizes, strides,
    view_of)
from minitorch.ops.copy cimport clone

cdef extern from *:
    """
    static _Thread_local PyObject* minitorch_levels = NULL;      /* a list, of the levels entered */
    static _Thread_local int minitorch_modes = 0;                /* __torch_dispatch__ modes entered */
    static _Thread_local PyObject* minitorch_told = NULL;        /* borrowed: the operator whose start was told */
    """
    PyObject* minitorch_levels
    int minitorch_modes
    PyObject* minitorch_told

interposers = 0
operators = {}                           # (row, form) -> Operator
cdef object _batching_rule = None
cdef object _random_rule = None
cdef object _dispatch = None
cdef object _sparse_rule = None
cdef int _sparse_alive = 0               # sparse tensors, and nodes that will make some in a backward
cdef object _started = None
cdef object _ended = None


def _register_batching(rule, random_rule):
    """`rule(operator, arguments, level)` computes for a batch; `random_rule` inside one for no tensor of it."""
    global _batching_rule, _random_rule
    _batching_rule, _random_rule = rule, random_rule


def _register_dispatch(function):
    """`function(operator, arguments)` asks modes and classes with ``__torch_dispatch__``."""
    global _dispatch
    _dispatch = function


def _register_sparse(rule):
    """`rule(operator, arguments)` computes where a tensor is sparse."""
    global _sparse_rule
    _sparse_rule = rule


def _listen(started, ended):
    """Tell ``started(operator, arguments)`` of each operator, and ``ended(what it gave)`` at its end; None: stop.

    While somebody listens no operator goes the short way, so nothing is to listen but a profiler.
    """
    global _started, _ended, interposers
    interposers += (started is not None) - (_started is not None)
    _started, _ended = started, ended


cdef object _told(Operator operator, tuple arguments):
    """Call the operator between its start and its end."""
    global minitorch_told
    ended, token = _ended, _started(operator, arguments)
    minitorch_told = <PyObject*>operator
    try:
        return operator.function(arguments)
    finally:
        minitorch_told = NULL
        ended(token)


# ---- operators

cdef class Operator:
    def __call__(self, *arguments):
        return self.function(self._checked(arguments))

    def _checked(self, tuple arguments):
        cdef list checked = []
        if len(arguments) != len(self.parameters):
            raise TypeError(f"{self} takes {len(self.parameters)} arguments, not {len(arguments)}")
        for (name, kind, _), value in zip(self.parameters, arguments):
            if kind == "Tensor" or kind == "Tensor?" and value is not None:
                if not isinstance(value, TensorBase):
                    raise TypeError(f"{self}: {name} is to be a Tensor, not {type(value).__name__}")
            elif kind.endswith("[]"):
                value = list(value) if kind.startswith("Tensor") else tuple(value)
            checked.append(value)
        return tuple(checked)

    def __repr__(self):
        return f"<operator {self.name}{self.form}>"

    def __reduce__(self):
        return _operator, (self.name, self.form)


def _operator(name, form=""):
    """The operator of a row in one of its forms."""
    return operators[name, form]


cdef Operator make_operator(str name, str form, tuple parameters, bint view, object (*function)(tuple)):
    cdef Operator self = Operator.__new__(Operator)
    self.name = name
    self.form = form
    self.parameters = parameters
    self.view = view
    self.function = function
    operators[name, form] = self
    return self


# ---- levels

cdef list _levels():
    global minitorch_levels
    cdef list levels
    if minitorch_levels == NULL:
        levels = []
        Py_INCREF(levels)                # for the rest of the thread's life
        minitorch_levels = <PyObject*>levels
    return <list>minitorch_levels


cdef class Level:
    def __repr__(self):
        return f"<{self.kind} level {self.number}{'' if self.alive else ', left'}>"


def enter_level(str kind, Py_ssize_t batch_size=-1, str randomness="error"):
    """Enter a transform; the level, which is to be given to `exit_level`.

    Parameters
    ----------
    kind : str
        ``"vmap"`` or ``"grad"``.
    batch_size, randomness
        Those of a `vmap`.
    """
    global interposers
    cdef list levels = _levels()
    cdef Level level = Level.__new__(Level)
    level.number = len(levels) + 1
    level.kind = kind
    level.alive = True
    level.grad_mode = grad_enabled()
    level.batch_size = batch_size
    level.randomness = randomness
    levels.append(level)
    interposers += 1
    return level


def exit_level(Level level):
    """Leave the innermost level."""
    global interposers
    cdef list levels = _levels()
    if not levels or levels[-1] is not level:
        raise RuntimeError("levels are left in the reverse of the order in which they were entered")
    levels.pop()
    level.alive = False
    interposers -= 1


def current_levels():
    """The levels this thread is in, the innermost last."""
    return list(_levels())


def enter_mode():
    """This thread has one ``__torch_dispatch__`` mode more."""
    global interposers, minitorch_modes
    minitorch_modes += 1
    interposers += 1


def exit_mode():
    """This thread has one ``__torch_dispatch__`` mode fewer."""
    global interposers, minitorch_modes
    minitorch_modes -= 1
    interposers -= 1


# ---- wrapped tensors

cdef class Special:
    pass


cdef class Wrapped(Special):
    def __repr__(self):
        return f"<{'sample of a batch' if self.dim >= 0 else 'value'} of {self.level}>"


cdef class Dispatched(Special):
    pass


cdef class SparseGradient:
    """Held by whatever a sparse gradient can come from: while one lives, backward runs on Tensors."""

    def __cinit__(self):
        global _sparse_alive
        _sparse_alive += 1

    def __dealloc__(self):
        global _sparse_alive
        _sparse_alive -= 1


def _sparse_count():
    """How many of them there are."""
    return _sparse_alive


cdef class Sparse(Special):
    """What a tensor of layout ``sparse_coo`` is; it is never changed, only exchanged for another.

    Parameters
    ----------
    indices : Tensor
        (sparse_dim, nnz), int64.
    values : Tensor
        (nnz, *dense sizes), without a history.
    coalesced : bool
        The columns of `indices` are different and in lexicographic order.
    """
    cdef readonly TensorBase indices
    cdef readonly TensorBase values
    cdef readonly bint coalesced
    cdef SparseGradient _counted

    def __init__(self, TensorBase indices not None, TensorBase values not None, bint coalesced):
        self.indices = indices
        self.values = values
        self.coalesced = coalesced
        self._counted = SparseGradient()


def make_sparse(TensorBase like not None, Sparse special not None):
    """A sparse tensor; `like` is dense, and has its shape and dtype."""
    cdef TensorImpl impl = alias(like.impl)
    impl.special = special
    return make_tensor(impl)


def exchange_sparse(TensorBase t not None, Sparse special not None, TensorBase like=None):
    """After an operator in place: what the sparse tensor `t` is now; `like` where it has another shape."""
    cdef TensorImpl impl
    if not isinstance(t.impl.special, Sparse):
        raise TypeError("a dense tensor")
    if like is not None:
        impl = alias(like.impl)
        impl.special = special
        t.impl = impl
    else:
        t.impl.special = special


cdef bint _any_sparse(tuple arguments) except -1:
    for argument in arguments:
        if isinstance(argument, TensorBase):
            if isinstance((<TensorBase>argument).impl.special, Sparse):
                return True
        elif type(argument) is list:
            for item in argument:
                if isinstance(item, TensorBase) and isinstance((<TensorBase>item).impl.special, Sparse):
                    return True
    return False


cdef TensorBase wrap(TensorBase value, Level level, int dim):
    cdef Wrapped special = Wrapped.__new__(Wrapped)
    cdef TensorImpl impl = _look_at_sample(value.impl, dim) if dim >= 0 else alias(value.impl)
    special.level = level
    special.value = value
    special.dim = dim
    impl.special = special
    return make_tensor(impl)


cdef TensorImpl _look_at_sample(TensorImpl batch, int dim):
    """The first sample of a batch, or memory of its shape where the batch is empty."""
    cdef Py_ssize_t[MAX_DIMS] n
    cdef Py_ssize_t[MAX_DIMS] s
    cdef int d, k = 0
    cdef SizesAndStrides* g
    for d in range(ndim(batch)):
        if d != dim:
            n[k] = sizes(batch)[d]
            s[k] = strides(batch)[d]
            k += 1
    g = new_geometry(k, n, s)
    if sizes(batch)[dim] == 0:
        return empty_geometry(g, batch.dtype)
    return view_of(batch, g, batch.storage_offset)


def wrap_tensor(TensorBase value not None, Level level not None, int dim=-1):
    """`value` as a tensor of `level`; in a vmap its dimension `dim` is the batch's."""
    if dim >= ndim(value.impl):
        raise IndexError(f"dimension {dim} of a tensor of {ndim(value.impl)}")
    return wrap(value, level, dim)


def special_of(TensorBase t not None):
    """What computes for `t`: a `Wrapped`, a `Dispatched`, or None."""
    return t.impl.special


cdef Wrapped _wrapped(TensorBase t):
    return <Wrapped>t.impl.special if isinstance(t.impl.special, Wrapped) else None


cdef TensorBase _without_dead(TensorBase t):
    """`t`, or what it wraps where its level was left."""
    cdef Wrapped special = _wrapped(t)
    while special is not None and not special.level.alive:
        t = special.value
        special = _wrapped(t)
    return t


def unwrap_dead(TensorBase t not None):
    """`t`, or what it wraps where its level was left."""
    return _without_dead(t)


cdef int _refresh(TensorBase t) except -1:
    """After an operator in place: the value may have another shape now."""
    cdef Wrapped special = _wrapped(t)
    cdef TensorImpl impl
    if special is None:
        return 0
    impl = _look_at_sample(special.value.impl, special.dim) if special.dim >= 0 else alias(special.value.impl)
    if (impl.storage != t.impl.storage or impl.storage_offset != t.impl.storage_offset
            or not same_sizes(impl.geometry, t.impl.geometry) or impl.dtype != t.impl.dtype):
        impl.special = special
        t.impl = impl
    return 0


def refresh(TensorBase t not None):
    """Bring the shape of a wrapped tensor up to date with its value, which was written to."""
    _refresh(t)


cdef bint any_special(object tensors) except -1:
    for t in tensors:
        if t is not None and (<TensorBase>t).impl.special is not None:
            return True
    return False


cdef bint needs_tensors(object tensors) except -1:
    if interposers or _sparse_alive:
        return True
    for t in tensors:
        if isinstance(t, TensorBase) and (<TensorBase>t).impl.special is not None:
            return True
    return False


cdef TensorImpl copy_to_save(TensorBase t):
    cdef bint mode
    if t.impl.special is None:
        return clone(t.impl)
    mode = grad_enabled()
    set_grad_enabled(False)
    try:
        return recorded_operators().clone(t).impl
    finally:
        set_grad_enabled(mode)


# ---- who takes the call

cdef object interpose(Operator operator, tuple arguments):
    global minitorch_told
    cdef Level top = None
    cdef bint dead = False
    cdef Wrapped special
    if _started is not None:
        if minitorch_told != <PyObject*>operator:
            return _told(operator, arguments)
        minitorch_told = NULL
    for argument in arguments:
        if isinstance(argument, TensorBase):
            special = _wrapped(<TensorBase>argument)
            if special is not None:
                if not special.level.alive:
                    dead = True
                elif top is None or special.level.number > top.number:
                    top = special.level
        elif type(argument) is list:
            for item in argument:
                if isinstance(item, TensorBase):
                    special = _wrapped(<TensorBase>item)
                    if special is not None:
                        if not special.level.alive:
                            dead = True
                        elif top is None or special.level.number > top.number:
                            top = special.level
    if dead:
        return operator.function(_mapped(arguments, None, True))
    if top is None:
        return _random_rule(operator, arguments) if minitorch_levels != NULL and <list>minitorch_levels else None
    if top.kind == "vmap":
        return _batching_rule(operator, arguments, top)
    lifted = _mapped(arguments, top, False)
    return None if lifted is None else operator.function(lifted)


cdef tuple _mapped(tuple arguments, Level level, bint dead):
    """`arguments` without wrappers of dead levels, or with all tensors lifted to `level`; None: they are."""
    cdef list mapped = []
    cdef bint changed = False
    for argument in arguments:
        if isinstance(argument, TensorBase):
            new = _without_dead(<TensorBase>argument) if dead else _lifted(<TensorBase>argument, level)
            changed = changed or new is not argument
            argument = new
        elif type(argument) is list:
            items = []
            for item in argument:
                if isinstance(item, TensorBase):
                    new = _without_dead(<TensorBase>item) if dead else _lifted(<TensorBase>item, level)
                    changed = changed or new is not item
                    item = new
                items.append(item)
            argument = items
        mapped.append(argument)
    return tuple(mapped) if changed else None


cdef TensorBase _lifted(TensorBase t, Level level):
    """A tensor of a level further out is a constant to `level`."""
    cdef Wrapped special = _wrapped(t)
    if t.impl.is_wrapped_number or (special is not None and special.level is level):
        return t
    return wrap(t, level, -1)


cdef object compute(Operator operator, tuple arguments):
    cdef Level level = None
    cdef Wrapped special
    cdef bint mode
    for argument in arguments:
        if isinstance(argument, TensorBase):
            special = _wrapped(<TensorBase>argument)
            if special is not None:
                level = special.level
                break
        elif type(argument) is list:
            for item in argument:
                if isinstance(item, TensorBase):
                    special = _wrapped(<TensorBase>item)
                    if special is not None:
                        level = special.level
                        break
    if level is None:
        result = None if _dispatch is None else _dispatch(operator, arguments)
        if result is None and _any_sparse(arguments):
            result = _sparse_rule(operator, arguments)
        return result
    mode = grad_enabled()
    set_grad_enabled(level.grad_mode)
    try:
        result = operator.function(_values(arguments))
    finally:
        set_grad_enabled(mode)
    if operator.form:
        written = arguments[-1] if operator.form == "_out" else arguments[_receiver(operator)]
        _refresh(<TensorBase>written)
        return written
    return _rewrapped(result, level)


cdef Py_ssize_t _receiver(Operator operator) except -1:
    """Which argument an operator in place writes to."""
    cdef Py_ssize_t k = 0
    for _, kind, _ in operator.parameters:
        if kind.startswith("Tensor"):
            return k
        k += 1
    raise TypeError(f"{operator} has no tensor to write to")


cdef object _rewrapped(object result, Level level):
    if isinstance(result, TensorBase):
        return wrap(<TensorBase>result, level, -1)
    if type(result) is list or type(result) is tuple:
        return [wrap(<TensorBase>item, level, -1) if isinstance(item, TensorBase) else item
                for item in result]
    return result


cdef tuple _values(tuple arguments):
    cdef list values = []
    for argument in arguments:
        if isinstance(argument, TensorBase):
            argument = _value(<TensorBase>argument)
        elif type(argument) is list:
            argument = [_value(<TensorBase>item) if isinstance(item, TensorBase) else item
                        for item in argument]
        values.append(argument)
    return tuple(values)


cdef TensorBase _value(TensorBase t):
    cdef Wrapped special = _wrapped(t)
    return t if special is None else special.value


# ---- elements

cdef dict _REFUSALS = {
    ITEM: "vmap: It looks like you're calling .item() on a Tensor. We don't support vmap over calling .item() on a "
          "Tensor, please try to rewrite what you're doing with other operations. If error is occurring somewhere "
          "inside PyTorch internals, please file a bug report.",
    TRUTH: "vmap: It looks like you're attempting to use a Tensor in some data-dependent control flow. We don't "
           "support that yet, please file an issue at https://github.com/pytorch/pytorch/issues .",
    POINTER: "Cannot access data pointer of Tensor that doesn't have storage"}


cdef int refuse_data(TensorBase t, DataUse use) except -1:
    cdef Wrapped special = _wrapped(t)
    cdef bint batched = False
    if isinstance(t.impl.special, Sparse):
        if use == STORAGE:
            raise NotImplementedError("Cannot access storage of SparseTensorImpl")
        raise RuntimeError(_REFUSALS[POINTER])
    while special is not None and not batched:
        batched = special.dim >= 0 and special.level.alive
        special = _wrapped(special.value)
    if use == STORAGE:
        raise NotImplementedError(
            f"Cannot access storage of {'BatchedTensorImpl' if batched else 'TensorWrapper'}")
    if batched:
        raise RuntimeError(_REFUSALS[use])
    return 0
