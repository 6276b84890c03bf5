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

While a `grad` level is the innermost, all that is computed is lifted to it, and what is made of nothing too.
So a tensor that is not of the level was there before: it is captured, and a write to it is refused. A view of
a captured tensor is not lifted, for it is written to in its stead. While the level computes by what is further
out, it is hidden: `minitorch_hidden` says which levels are not the innermost then.

A node saves impls, and a tensor of a class with `__torch_dispatch__` is more than its impl. So what is
saved of it is an impl of its own that keeps the tensor (an input: it is older than the node), or what
`detach` makes of it (an output, which would keep its own node).
"""

import weakref

from cpython.bytearray cimport PyByteArray_AS_STRING
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF

from minitorch.autograd.grad_mode cimport grad_enabled, set_grad_enabled
from minitorch.autograd.node cimport Node
from minitorch.autograd.variable cimport TensorBase, make_tensor, recorded_operators, set_history
from minitorch.core.allocator cimport deallocate
from minitorch.core.dtype cimport NoType, itemsizes
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, SizesAndStrides, TensorImpl, VersionCounter, alias, bump_version, empty_geometry, external, ndim,
    new_geometry, own_version_counter,
    read_sizes, same_sizes, sizes, strides, view_of, wrap_number)
from minitorch.ops.copy cimport clone
from minitorch.ops.scalar cimport item as item_of

from minitorch.autograd.variable import _make_tensor_like, _register_refusal

cdef extern from *:
    """
    static _Thread_local PyObject* minitorch_levels = NULL;      /* a list, of the levels entered */
    static _Thread_local int minitorch_modes = 0;                /* __torch_dispatch__ modes entered */
    static _Thread_local PyObject* minitorch_told = NULL;        /* borrowed: the operator whose start was told */
    static _Thread_local int minitorch_dispatch_off = 0;         /* how often it was switched off */
    static _Thread_local int minitorch_asked_grad_mode = 0;      /* grad mode where Python was asked from */
    static _Thread_local unsigned long long minitorch_hidden = 0;    /* levels that are computing: a bit each */
    """
    unsigned long long minitorch_hidden
    PyObject* minitorch_levels
    int minitorch_modes
    PyObject* minitorch_told
    int minitorch_dispatch_off
    int minitorch_asked_grad_mode

interposers = 0
operators = {}                           # (row, form) -> Operator
cdef object _batching_rule = None
cdef object _random_rule = None
cdef object _dispatch = None
cdef object _sparse_rule = None
cdef int _sparse_alive = 0               # sparse tensors, and nodes that will make some in a backward
cdef int _dispatched_alive = 0           # tensors of classes with __torch_dispatch__: a gradient may be one
cdef object _started = None
cdef object _ended = None
cdef object _name_of = None
cdef object _overload_of = None
cdef dict _factories = {}                # name -> function that makes a tensor
cdef object _decompose = None
cdef object _create = None


def _register_batching(rule, random_rule):
    """`rule(operator, arguments, level)` computes for a batch; `random_rule` inside one for no tensor of it."""
    global _batching_rule, _random_rule
    _batching_rule, _random_rule = rule, random_rule


def _register_dispatch(dispatch, decompose, create):
    """Who asks modes and classes with ``__torch_dispatch__``.

    ``dispatch(operator, arguments)`` gives the result; ``decompose`` that of an operator which PyTorch
    composes of others, by calling those, or None; ``create(name, args, kwargs)`` that of a function which
    makes a tensor of no tensor.
    """
    global _dispatch, _decompose, _create
    _dispatch, _decompose, _create = dispatch, decompose, create


def _register_names(function, overload_of):
    """`function(operator)` gives the name that PyTorch's operator has, without its overload.

    ``overload_of(operator, arguments)`` gives that of a call, with its overload.
    """
    global _name_of, _overload_of
    _name_of, _overload_of = function, overload_of


def _register_factories(functions):
    """The functions by name that tell `create` of what they make."""
    _factories.update(functions)


def name_of(Operator operator not None):
    """PyTorch's name of an operator, such as ``aten::mul_``; the row's own where PyTorch has no such operator."""
    return _name_of(operator)


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
            elif kind.startswith("ScalarType") and not 0 <= value <= NoType:
                raise ValueError(f"{self}: {name} is to be the code of a dtype, not {value}")
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
        ``"vmap"``, ``"grad"`` or ``"jvp"``, of which the last wraps nothing.
    batch_size, randomness
        Those of a `vmap`.
    """
    global interposers, minitorch_hidden
    cdef list levels = _levels()
    cdef Level level = Level.__new__(Level)
    level.number = len(levels) + 1
    minitorch_hidden &= ~_bit(level.number)
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


cdef inline unsigned long long _bit(Py_ssize_t number) noexcept:
    return <unsigned long long>1 << min(number, 63)


cdef Level _grad_level():
    """The innermost level that does not compute just now, if it is of `grad`."""
    cdef list levels
    cdef Py_ssize_t count
    if minitorch_levels == NULL:
        return None
    levels = <list>minitorch_levels
    count = len(levels)
    while count > 0 and minitorch_hidden & _bit(count):
        count -= 1
    if count == 0 or (<Level>levels[count - 1]).kind != "grad":
        return None
    return <Level>levels[count - 1]


def grad_level_number():
    """The number of the level that all is lifted to; 0 for none."""
    cdef Level level = _grad_level()
    return 0 if level is None else level.number


def current_levels():
    """The levels this thread is in, the innermost last."""
    return list(_levels())


def set_levels(levels):
    """Let this thread be in these levels alone, until what it was in is set again."""
    _levels()[:] = levels


def refuse_in_transform(str call, str advice):
    """PyTorch's error of a method that is not to be called inside of a transform."""
    if in_transform():
        raise RuntimeError(
            f"You are attempting to call Tensor.{call} inside of a function being transformed by a functorch "
            "transform. This is unsupported, please attempt to use the functorch transforms (e.g. grad, vjp, "
            f"jacrev, jacfwd, hessian) or call {advice} outside of a function being transformed instead.")


_register_refusal(refuse_in_transform)


def check_accumulation():
    """PyTorch's error of a backward() inside of a transform."""
    if _levels():
        raise RuntimeError("backward() called inside a functorch transform. This is not supported, please use "
                           "functorch.grad or functorch.vjp instead or call backward() outside of functorch "
                           "transforms.")


def in_transform():
    """Whether this thread is in a transform of `func`: the older vmap, of vectorised Jacobians, is none."""
    return any([(<Level>level).randomness != "refuse" for level in _levels()])


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


def switch_dispatch(bint off):
    """Whether this thread is to pass modes and ``__torch_dispatch__`` by, until it is switched back."""
    global minitorch_dispatch_off
    minitorch_dispatch_off += 1 if off else -1


def dispatch_is_off():
    """Whether this thread passes modes and ``__torch_dispatch__`` by."""
    return minitorch_dispatch_off > 0


# ---- wrapped tensors

cdef class Special:
    pass


cdef class Wrapped(Special):
    def __repr__(self):
        return f"<{'sample of a batch' if self.dim >= 0 else 'value'} of {self.level}>"


cdef class Dispatched(Special):
    def __cinit__(self):
        global _dispatched_alive
        _dispatched_alive += 1

    def __dealloc__(self):
        global _dispatched_alive
        _dispatched_alive -= 1


cdef class DispatchedGradient:
    """Held by a `Function` whose backward may give a tensor of a class with ``__torch_dispatch__``."""

    def __cinit__(self):
        global _dispatched_alive
        _dispatched_alive += 1

    def __dealloc__(self):
        global _dispatched_alive
        _dispatched_alive -= 1


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


cdef bint _any_of_kind(tuple arguments, type kind) except -1:
    """Whether an argument, or a tensor in a list of them, has a special of this class."""
    for argument in arguments:
        if isinstance(argument, TensorBase):
            if isinstance((<TensorBase>argument).impl.special, kind):
                return True
        elif type(argument) is list:
            for item in argument:
                if isinstance(item, TensorBase) and isinstance((<TensorBase>item).impl.special, kind):
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
    if interposers or _sparse_alive or _dispatched_alive:
        return True
    for t in tensors:
        if isinstance(t, TensorBase) and (<TensorBase>t).impl.special is not None:
            return True
    return False


# ---- what nodes save

cdef TensorImpl copy_to_save(TensorBase t):
    cdef bint mode
    if t.impl.special is None and not interposers:
        return clone(t.impl)
    if isinstance(t.impl.special, Wrapped):
        # what it wraps keeps its history; that of the copy itself is dropped here
        return recorded_operators().clone(t).impl
    mode = grad_enabled()
    set_grad_enabled(False)
    try:
        return to_save(recorded_operators().clone(t))
    finally:
        set_grad_enabled(mode)


cdef TensorImpl special_to_save(TensorBase t):
    cdef Dispatched special
    cdef TensorImpl impl
    if not isinstance(t.impl.special, Dispatched):
        return t.impl
    special = Dispatched.__new__(Dispatched)
    special.cls = <type>type(t)
    special.kept = t
    impl = alias(t.impl)
    impl.special = special
    return impl


cdef TensorBase _detached(TensorBase t):
    cdef bint mode = grad_enabled()
    set_grad_enabled(False)
    try:
        return <TensorBase?>(<Operator>operators["detach", ""]).function((t,))
    finally:
        set_grad_enabled(mode)


cdef TensorImpl output_to_save(TensorBase t):
    return to_save(_detached(t)) if is_dispatched(t) else t.impl


cdef TensorBase tensor_of(TensorImpl saved):
    cdef Dispatched special
    if not isinstance(saved.special, Dispatched):
        return make_tensor(saved)
    special = <Dispatched>saved.special
    t = special.kept if special.reference is None else special.reference()
    if t is None:
        t = dispatched(_make_tensor_like(make_tensor(saved), special.cls))
    return t


cdef TensorBase output_of(TensorImpl saved, Node node, unsigned int output_nr):
    cdef TensorBase kept = tensor_of(saved)
    cdef TensorBase t = _detached(kept) if is_dispatched(kept) else kept
    if t is kept and isinstance(t.impl.special, Dispatched):
        t = _again(t)
    set_history(t, node, output_nr)
    return t


# ---- classes with __torch_dispatch__

def dispatched(TensorBase t not None):
    """Have operators on `t`, which is of a class with ``__torch_dispatch__``, computed by that; returns `t`."""
    cdef Dispatched special = Dispatched.__new__(Dispatched)
    special.cls = <type>type(t)
    special.reference = _Reference(t)
    t.impl = alias(t.impl)
    t.impl.special = special
    return t


def without_data(cls, tuple size, strides, Py_ssize_t storage_offset, int dtype):
    """A tensor of a class with ``__torch_dispatch__`` that has a shape and no elements of its own.

    Behind it is memory that nothing is written to: whoever reads it by mistake finds zeros.
    """
    cdef Py_ssize_t[MAX_DIMS] n
    cdef Py_ssize_t[MAX_DIMS] s
    cdef Py_ssize_t extent = 1
    cdef int dims = read_sizes(size, n), d
    cdef TensorImpl impl
    cdef object memory
    for d in range(dims):
        if n[d] < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {n[d]}: {list(size)}")
    if strides is None:
        for d in range(dims - 1, -1, -1):
            s[d] = extent
            extent *= max(n[d], 1)
        extent = 1
    else:
        if len(strides) != dims:
            raise RuntimeError(f"dimensionality of sizes ({dims}) must match dimensionality of strides "
                               f"({len(strides)})")
        read_sizes(strides, s)
    for d in range(dims):
        if s[d] < 0:
            raise RuntimeError(f"as_strided: Negative strides are not supported at the moment, got strides: "
                               f"{list(strides)}")
        extent = 0 if n[d] == 0 or extent == 0 else extent + (n[d] - 1) * s[d]
    if storage_offset < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {storage_offset}")
    memory = _NoData((extent + storage_offset) * itemsizes[dtype] + 1)
    impl = external(PyByteArray_AS_STRING(memory), (extent + storage_offset) * itemsizes[dtype], memory,
                    dims, n, s, dtype)
    impl.storage_offset = storage_offset
    own_version_counter(impl)
    return dispatched(_make_tensor_like(make_tensor(impl), cls))


cdef TensorBase _again(TensorBase t):
    """Another handle of the class, with the attributes and the data of `t`, without history."""
    cdef TensorBase other
    if not isinstance(t.impl.special, Dispatched):
        return make_tensor(alias(t.impl))
    other = dispatched(_make_tensor_like(t, type(t)))
    (<object>other).__dict__.update((<object>t).__dict__)
    for cls in type(t).__mro__:
        names = cls.__dict__.get("__slots__", ())
        for name in (names,) if isinstance(names, str) else names:
            if hasattr(t, name):
                setattr(other, name, getattr(t, name))
    return other


cdef bint is_dispatched(TensorBase t):
    if minitorch_dispatch_off or isinstance(t.impl.special, Wrapped):
        return False
    return minitorch_modes > 0 or isinstance(t.impl.special, Dispatched)


cdef bint _asks_python(tuple arguments) except -1:
    """Whether a mode of this thread, or the class of an argument, is to be asked."""
    if minitorch_dispatch_off or _dispatch is None:
        return False
    return minitorch_modes > 0 or _any_of_kind(arguments, Dispatched)


cdef object _dispatch_call(Operator operator, tuple arguments):
    global minitorch_asked_grad_mode
    cdef bint mode = grad_enabled()
    cdef int before = minitorch_asked_grad_mode
    cdef TensorBase written
    minitorch_asked_grad_mode = mode
    set_grad_enabled(False)
    try:
        result = _dispatch(operator, arguments)
    finally:
        set_grad_enabled(mode)
        minitorch_asked_grad_mode = before
    if result is None:
        return None
    if operator.form:
        written = <TensorBase>(arguments[-1] if operator.form == "_out" else arguments[_receiver(operator)])
        if isinstance(written.impl.special, Dispatched):
            bump_version(written.impl)
        return written
    if isinstance(result, TensorBase):
        return _from_python(operator, <TensorBase>result, arguments)
    if type(result) is list or type(result) is tuple:
        return [_from_python(operator, <TensorBase>item, arguments) if isinstance(item, TensorBase) else item
                for item in result]
    return result


def asked_grad_mode():
    """The grad mode of whoever called the operator that ``__torch_dispatch__`` is asked about."""
    return bool(minitorch_asked_grad_mode)


cdef TensorBase _from_python(Operator operator, TensorBase result, tuple arguments):
    """A result of ``__torch_dispatch__`` as that of the operator: a view counts writes with its base."""
    cdef TensorBase base
    result = _not_an_argument(result, arguments)
    if operator.view or operator.name == "detach":
        base = <TensorBase>arguments[_receiver(operator)]
        if isinstance(base.impl.special, Dispatched) and isinstance(result.impl.special, Dispatched):
            _count_with(result.impl, base.impl)
            if operator.view and has_no_data(result):
                _remember(operator, result, base, arguments)
    return result


cdef int _remember(Operator operator, TensorBase view, TensorBase base, tuple arguments) except -1:
    """Keep how a view came about: its class alone knows where in the base it is."""
    cdef Py_ssize_t k = _receiver(operator)
    before = replay_of(base) if base._view is not None else None
    step = (operator, arguments[:k], arguments[k + 1:])
    (<Dispatched>view.impl.special).reference.replay = (*(before or ()), step)
    return 0


def replay_of(TensorBase view not None):
    """The operators that made a view of a wrapper class, with their other arguments; None: it is no such view."""
    if not isinstance(view.impl.special, Dispatched) or (<Dispatched>view.impl.special).reference is None:
        return None
    return (<Dispatched>view.impl.special).reference.replay


def replayed(tuple replay not None, TensorBase t not None):
    """The view of `t` that they make."""
    for operator, before, after in replay:
        t = (<Operator>operator).function((*before, t, *after))
    return t


class _Reference(weakref.ref):
    """To a tensor of a class with ``__torch_dispatch__``."""

    __slots__ = ("replay",)

    def __init__(self, t):
        super().__init__(t)
        self.replay = None


cdef int _count_with(TensorImpl view, TensorImpl base) except -1:
    """Let `view` have the version counter of `base`, which is not its storage's."""
    if base.own_counter == NULL or view.own_counter == NULL or view.own_counter == base.own_counter:
        return 0
    view.own_counter.refcount -= 1
    if view.own_counter.refcount == 0:
        deallocate(view.own_counter, sizeof(VersionCounter))
    base.own_counter.refcount += 1
    view.own_counter = base.own_counter
    view.version_counter = base.version_counter
    return 0


cdef TensorBase _not_an_argument(TensorBase result, tuple arguments):
    """An argument that is a result too needs a handle of its own: it gets another history."""
    for argument in arguments:
        if argument is result:
            return _again(result)
        if type(argument) is list:
            for item in argument:
                if item is result:
                    return _again(result)
    return _again(result) if result._grad_fn is not None or result._requires_grad else result


def create(str name, tuple args, dict kwargs):
    """What a mode, a level of `grad` or the class of an argument makes of a call of ``torch.NAME``; None: none."""
    cdef Level level = _grad_level()
    if level is not None and name in _factories and kwargs.get("out") is None:
        return _created(level, _factories[name], args, kwargs)
    return _create(name, args, kwargs) if _create is not None and _asks_python(args) else None


cdef object _created(Level level, object function, tuple args, dict kwargs):
    """What a function makes, lifted to `level`."""
    cdef unsigned long long before = minitorch_hidden
    cdef dict options = dict(kwargs)
    requires_grad = options.pop("requires_grad", False)
    _hide(level)
    try:
        made = function(*args, **options)
    finally:
        _unhide(before)
    made = wrap(made, level, -1)
    if requires_grad:
        made._change_requires_grad(True, "Only Tensors of floating point and complex dtype can require gradients")
    return made


cdef object _called_below(Level level, object (*function)(tuple), tuple arguments):
    """Call a function where `level` is hidden."""
    cdef unsigned long long before = minitorch_hidden
    _hide(level)
    try:
        return function(arguments)
    finally:
        _unhide(before)


cdef void _hide(Level level) noexcept:
    """Until `_unhide`, the levels of this thread from `level` on are not the innermost."""
    global minitorch_hidden
    cdef Py_ssize_t number
    cdef Py_ssize_t count = len(<list>minitorch_levels) if minitorch_levels != NULL else 0
    for number in range(level.number, count + 1):
        minitorch_hidden |= _bit(number)


cdef void _unhide(unsigned long long before) noexcept:
    global minitorch_hidden
    minitorch_hidden = before


def fresh(TensorBase t not None):
    """A tensor just made of data; a mode may make another of it."""
    cdef Level level = _grad_level()
    if level is not None:
        return wrap(fresh_below(t, level), level, -1)
    outcome = create("lift_fresh", (t,), {}) if interposers else None
    return t if outcome is None else outcome


cdef TensorBase fresh_below(TensorBase t, Level level):
    """The same, where `level` is hidden."""
    cdef unsigned long long before = minitorch_hidden
    _hide(level)
    try:
        return fresh(t)
    finally:
        _unhide(before)


class _NoData(bytearray):
    """The memory behind a tensor without elements of its own."""


def has_no_data(TensorBase t not None):
    """Whether a tensor has a shape only."""
    return t.impl.storage.owner != NULL and isinstance(<object>t.impl.storage.owner, _NoData)


def has_own_dispatch(TensorBase t not None):
    """Whether a tensor is of a class with ``__torch_dispatch__``."""
    return isinstance(t.impl.special, Dispatched)


# ---- who takes the call

cdef object interpose(Operator operator, tuple arguments):
    global minitorch_told
    cdef Level top = None
    cdef Level innermost
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
    innermost = _grad_level()
    if innermost is not None:
        if operator.form == "_":
            _check_captured(operator, arguments, innermost)
        if innermost is not top:
            if operator.view:
                return _called_below(innermost, operator.function, arguments)
            lifted = _mapped(arguments, innermost, False)
            if lifted is not None:
                return operator.function(lifted)
    if top is None:
        outcome = None
        if minitorch_levels != NULL and <list>minitorch_levels:
            outcome = _random_rule(operator, arguments)
        if outcome is None and _asks_python(arguments):
            outcome = _decompose(operator, arguments)
        return outcome
    if top.kind == "vmap":
        return _batching_rule(operator, arguments, top)
    lifted = _mapped(arguments, top, False)
    return None if lifted is None else operator.function(lifted)


cdef int _check_captured(Operator operator, tuple arguments, Level level) except -1:
    """PyTorch's error of a write to a tensor that is not of the innermost level."""
    cdef TensorBase receiver = <TensorBase>arguments[_receiver(operator)]
    cdef Wrapped special = _wrapped(receiver)
    if special is not None and special.level is level:
        return 0
    raise RuntimeError(
        "During a grad (vjp, jvp, grad, etc) transform, the function provided attempted to call in-place operation "
        f"({_overload_of(operator, arguments)}) that would mutate a captured Tensor. This is not supported; please "
        "rewrite the function being transformed to explicitly accept the mutated Tensor(s) as inputs.")


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
        result = _dispatch_call(operator, arguments) if _asks_python(arguments) else None
        if result is None and _any_of_kind(arguments, Sparse):
            result = _sparse_rule(operator, arguments)
        return result
    mode = grad_enabled()
    set_grad_enabled(mode and level.grad_mode)
    try:
        result = _called_below(level, operator.function, _values(arguments))
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


# ---- numbers

def as_number(TensorBase t not None):
    """The number that a program gave for a tensor; `t` itself where it gave a tensor."""
    return item_of(t.impl) if t.impl.is_wrapped_number else t


def number_tensor(number):
    """A number as the tensor that operators take for it."""
    return make_tensor(wrap_number(number))


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
    if isinstance(t.impl.special, Dispatched):
        if use == STORAGE and has_no_data(t):
            raise NotImplementedError(f"the storage of {type(t).__name__}, which has no elements of its own")
        return 0
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
