# cython: wraparound=True
"""Levels: one for each transform that is entered, and the tensors that belong to them.

The impl of a wrapped tensor has the sizes and strides that its level sees, over the memory of the value that it wraps
(for a batch, of the first sample). So reading this memory by mistake is not an invalid access.

A level that was left is dead. Its tensors are replaced by what they wrap.

Note [Entering and leaving]
A level is entered only by a ``with`` statement. Python checks for Ctrl-C after each call of a function, but not
between a compiled ``__enter__`` and the block, and neither ``__enter__`` nor ``__exit__`` of a `Level` allocates. So
a level that was entered is always left, whatever is raised. Each level refers to the next one outwards, and a thread
that is in no level owns no memory for them. Everything that switches a state of the thread follows the same rule: see
`minitorch.core.context`.

While a `grad` or `jvp` level is the innermost, all results are lifted to it, including new tensors that are made from
no tensor. So a tensor that does not belong to the level was made before it was entered: it is captured, and a write to
it raises. A view of a captured tensor, and its `detach`, are captured too, so that a write to them raises. While the
level computes with tensors further out, it is hidden: it does not count as the innermost (`minitorch_hidden`).
"""

cimport cython
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF, Py_XDECREF

from minitorch.autograd.grad_mode cimport grad_enabled, inference_enabled
from minitorch.autograd.special cimport count_interposers, is_tensor
from minitorch.autograd.variable cimport make_tensor, set_impl
from minitorch.core.special cimport (
    DETACHED, ITEM, LIST, ON_META, POINTER, STORAGE, TRUTH, device_kind_of, raise_no_data)
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, SizesAndStrides, alias, empty_geometry, ndim, new_geometry, same_sizes, sizes, strides,
    strides_tuple, view_of)

from minitorch.core.error_pages import explained

cdef extern from *:
    """
    static _Thread_local PyObject* minitorch_innermost = NULL;       /* owned: the level entered last */
    static _Thread_local unsigned long long minitorch_hidden = 0;    /* hidden levels: one bit for each */
    """
    unsigned long long minitorch_hidden
    PyObject* minitorch_innermost


cdef inline Level _innermost():
    """Return the level that was entered last, also if it is hidden."""
    return None if minitorch_innermost == NULL else <Level>minitorch_innermost


cdef void _set_innermost(Level level) noexcept:
    global minitorch_innermost
    cdef PyObject* before = minitorch_innermost
    if level is None:
        minitorch_innermost = NULL
    else:
        Py_INCREF(level)
        minitorch_innermost = <PyObject*>level
    Py_XDECREF(before)


@cython.binding(False)
cdef class Level:
    """Context manager, for one use: in the block, this thread is inside a transform.

    Parameters
    ----------
    kind : str
        ``"vmap"``, ``"grad"``, ``"jvp"`` or ``"functionalize"``.
    batch_size, randomness
        The size of the batch and the `randomness` of a `vmap`.
    fwd_grad_mode : bool
        For a `jvp`: whether tangents are computed outside of it.
    linearizes : bool
        For a `jvp`: record the tangents outside of it in any grad mode.
    """

    def __cinit__(self, str kind not None, Py_ssize_t batch_size=-1, str randomness not None="error",
                  bint fwd_grad_mode=True, bint linearizes=False):
        self.kind = kind
        self.batch_size = batch_size
        self.randomness = randomness
        self.fwd_grad_mode = fwd_grad_mode
        self.linearizes = linearizes

    def __enter__(self):
        global minitorch_hidden
        if self.number:
            raise RuntimeError("a level is entered once")
        self.outer = _innermost()
        self.number = 1 if self.outer is None else self.outer.number + 1
        self.alive = True
        self.grad_mode = self.kind != "grad" or grad_enabled()
        minitorch_hidden &= ~_bit(self.number)
        _set_innermost(self)
        count_interposers(1)
        return self

    def __exit__(self, kind, value, traceback):
        if _innermost() is not self:
            raise RuntimeError("levels are left in the reverse of the order in which they were entered")
        self.alive = False
        _set_innermost(self.outer)
        self.outer = None
        count_interposers(-1)

    # A `functionalize` level is an instance of the subclass in _functorch/_functionalize.py, which has these methods

    def compute(self, operator, arguments):
        """Compute an operator on tensors of this level; they are never written to."""
        raise NotImplementedError

    def bring_up_to_date(self, t):
        """Bring a tensor of this level up to date with the writes to its memory."""
        raise NotImplementedError

    def take_over(self, out, result):
        """Let `out` be `result` from now on, and return True; False: it must be copied to `out`."""
        return False

    def __repr__(self):
        return f"<{self.kind} level {self.number}{'' if self.alive else ', left'}>"


def enter_level(str kind, Py_ssize_t batch_size=-1, str randomness="error"):
    """Enter a level until `exit_level` is called, for functions of PyTorch that come in such pairs."""
    return Level(kind, batch_size, randomness).__enter__()


def exit_level(Level level):
    """Leave the innermost level."""
    level.__exit__(None, None, None)


cdef inline unsigned long long _bit(Py_ssize_t number) noexcept:
    return <unsigned long long>1 << min(number, 63)


cdef bint in_levels() noexcept:
    return minitorch_innermost != NULL


cdef Level lifting_level(Py_ssize_t number):
    """Return the innermost level that is not hidden, skipping vmaps further in than `number`.

    Returns None if that level is a vmap.
    """
    cdef Level level = _innermost()
    while level is not None:
        if not minitorch_hidden & _bit(level.number):
            if level.kind != "vmap":
                return level
            if level.number <= number:
                return None
        level = level.outer
    return None


def is_lifted(TensorBase t):
    """Return whether a transform of derivatives lifts `t` to its level before an operator."""
    cdef Wrapped special = wrapped(t)
    cdef Level level = lifting_level(0 if special is None else special.level.number)
    return level is not None and level.kind != "functionalize" and (special is None or special.level is not level)


cdef Level innermost_level():
    """Return the innermost level that is not hidden, or None."""
    cdef Level level = _innermost()
    while level is not None and minitorch_hidden & _bit(level.number):
        level = level.outer
    return level


def is_hidden(Level level):
    """Return whether a level is hidden, since it is computing with tensors further out."""
    return (minitorch_hidden & _bit(level.number)) != 0


def is_older(Level level):
    """Return whether a level belongs to the older vmap, which computes vectorised Jacobians."""
    return level.randomness == "refuse"


def innermost_kind():
    """Return the kind of the innermost level that is not hidden, or None."""
    cdef Level level = innermost_level()
    return None if level is None else level.kind


def current_levels():
    """Return the levels that this thread is in, the innermost last."""
    cdef Level level = _innermost()
    cdef list levels = []
    while level is not None:
        levels.append(level)
        level = level.outer
    levels.reverse()
    return levels


@cython.binding(False)
cdef class outside_of_levels:
    """Context manager in which this thread is in no level."""
    cdef Level inside

    def __enter__(self):
        self.inside = _innermost()
        _set_innermost(None)

    def __exit__(self, kind, value, traceback):
        _set_innermost(self.inside)
        self.inside = None


@cython.binding(False)
cdef class further_out_than(outside_of_levels):
    """Context manager in which this thread is only in the levels further out than `level`.

    Parameters
    ----------
    level : Level or None
        None stands for the innermost level, if there is one.
    """
    cdef Level level

    def __cinit__(self, Level level=None):
        self.level = level

    def __enter__(self):
        self.inside = _innermost()
        if self.level is None:
            self.level = self.inside
        _set_innermost(None if self.level is None else self.level.outer)


def reject_in_transform(str call, str advice):
    """Raise PyTorch's error for a method that cannot be called inside a transform."""
    if in_transform():
        raise RuntimeError(
            f"You are attempting to call Tensor.{call} inside of a function being transformed by a functorch "
            "transform. This is unsupported, please attempt to use the functorch transforms (e.g. grad, vjp, "
            f"jacrev, jacfwd, hessian) or call {advice} outside of a function being transformed instead.")


def reject_backward():
    """Raise PyTorch's error for a backward() inside a transform."""
    if in_levels() and in_transform():
        raise explained(RuntimeError(
            "backward() called inside a functorch transform. This is not supported, please use "
            "functorch.grad or functorch.vjp instead or call backward() outside of functorch "
            "transforms."), "backward-in-transform")


def reject_backward_in_vmap():
    """Raise PyTorch's error for a backward() inside the older vmap."""
    if in_levels() and not in_transform():
        raise RuntimeError("backward() called inside torch.vmap. This is not supported, please call backward() "
                           "outside torch.vmap or instead use torch.autograd.grad inside torch.vmap")


def captured(name):
    """Return the error of an operator that would write to a tensor from outside of the innermost level."""
    return RuntimeError(
        f"During a grad (vjp, jvp, grad, etc) transform, the function provided attempted to call in-place operation "
        f"({name}) that would mutate a captured Tensor. This is not supported; please rewrite the function being "
        "transformed to explicitly accept the mutated Tensor(s) as inputs.")


def in_transform():
    """Return whether this thread is in a transform of `func`; the older vmap does not count as one."""
    return not all([is_older(level) for level in current_levels()])


cdef unsigned long long hide_from(Level level) noexcept:
    global minitorch_hidden
    cdef unsigned long long before = minitorch_hidden
    cdef Py_ssize_t number
    cdef Py_ssize_t count = 0 if minitorch_innermost == NULL else (<Level>minitorch_innermost).number
    for number in range(level.number, count + 1):
        minitorch_hidden |= _bit(number)
    return before


cdef void unhide(unsigned long long before) noexcept:
    global minitorch_hidden
    minitorch_hidden = before


# ---- tensors of levels

cdef class Wrapped(Special):
    def __repr__(self):
        return f"<{'sample of a batch' if self.dim >= 0 else 'value'} of {self.level}>"

    cdef int check_data(self, object t, int use) except -1:
        cdef Wrapped special = self
        cdef Level level = None
        cdef bint batched = False
        if self.device_kind == ON_META:
            return raise_no_data(use)
        _bring_up_to_date(t)
        while not special.level.alive and wrapped(special.value) is not None:
            special = wrapped(special.value)
        if use == STORAGE:
            batched = special.dim >= 0 and special.level.alive
            raise NotImplementedError(
                f"Cannot access storage of {'BatchedTensorImpl' if batched else 'TensorWrapper'}")
        batched = use == POINTER and special.level.alive
        while special is not None and not batched:
            level = special.level
            batched = special.dim >= 0 and level.alive
            special = wrapped(special.value)
        if not batched:
            return 0
        if (use == ITEM or use == TRUTH) and is_older(level):
            raise RuntimeError(f"Batching rule not implemented for aten::{'item' if use == ITEM else 'is_nonzero'}. "
                               "We could not generate a fallback.")
        if (use == ITEM or use == TRUTH) and innermost_kind() in ("grad", "jvp") and not inference_enabled():
            raise RuntimeError(_NO_ELEMENT)  # PyTorch's error inside a further `grad` or `jvp`
        error = RuntimeError(_REFUSALS[use])
        raise explained(error, _PAGES[use]) if use in _PAGES else error

    cdef int data_kind(self) except -1:
        if self.dim >= 0:
            raise RuntimeError("accessing `data` under vmap transform is not allowed")
        return DETACHED

    cdef int check_set_data(self) except -1:
        raise RuntimeError(
            f"mutating directly with `.data` {'under vmap' if self.dim >= 0 else 'inside functorch'} transform "
            "is not allowed.")

    cdef int check_edge(self, str what, object number) except -1:
        if is_older(self.level):
            raise RuntimeError(
                "torch.autograd.grad(outputs, inputs, grad_outputs) called inside torch.vmap. We do not support the "
                f"case where any {what}s are vmapped tensors ({what} {number} is being vmapped over). Please call "
                "autograd.grad() outside torch.vmap or file a bug report with your use case.")
        return 0


cdef int _bring_up_to_date(TensorBase t) except -1:
    """Bring a wrapped tensor up to date with its value, which `functionalize` may have to compute first."""
    cdef Wrapped special = wrapped(t)
    if special is None:
        return 0
    _bring_up_to_date(special.value)
    if special.level.alive and special.level.kind == "functionalize":
        special.level.bring_up_to_date(t)
    refresh_wrapped(t)
    return 0


cdef str _NO_STORAGE = "Cannot access data pointer of Tensor that doesn't have storage"
cdef dict _REFUSALS = {
    ITEM: "vmap: It looks like you're calling .item() on a Tensor. We don't support vmap over calling .item() on a "
          "Tensor, please try to rewrite what you're doing with other operations. If error is occurring somewhere "
          "inside PyTorch internals, please file a bug report.",
    TRUTH: "vmap: It looks like you're attempting to use a Tensor in some data-dependent control flow. We don't "
           "support that yet, please file an issue at https://github.com/pytorch/pytorch/issues .",
    LIST: _NO_STORAGE,
    POINTER: _NO_STORAGE}
cdef dict _PAGES = {ITEM: "vmap-item", TRUTH: "vmap-control-flow"}       # of errors: see core/error_pages.py
cdef str _NO_ELEMENT = (
    "vmap: It looks like you're either (1) calling .item() on a Tensor or (2) attempting to use a Tensor in some "
    "data-dependent control flow or (3) encountering this error in PyTorch internals. For (1): we don't support vmap "
    "over calling .item() on a Tensor, please try to rewrite what you're doing with other operations. For (2): we "
    "don't support data-dependent control flow in vmap yet, please file an issue at "
    "https://github.com/pytorch/pytorch/issues . For (3): please file an issue.")


# docs: transform, wrap
cdef TensorBase wrap(TensorBase value, Level level, int dim):
    cdef Wrapped special = Wrapped.__new__(Wrapped)
    cdef TensorImpl impl = _look_at_sample(value.impl, dim) if dim >= 0 else alias(value.impl)
    special.level = level
    special.value = value
    special.dim = dim
    special.device_kind = device_kind_of(value.impl)
    impl.special = special
    impl.inference = impl.uncounted = False     # a level records in inference mode too
    return make_tensor(impl)
# docs: end


cdef TensorImpl _look_at_sample(TensorImpl batch, int dim):
    """Return the first sample of a batch, or new memory of its shape if the batch is empty."""
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


def wrapped_of(t):
    """Return the `Wrapped` of a tensor of a level, which has its level and its value; None for any other object."""
    return wrapped(<TensorBase>t) if is_tensor(t) else None


def wrap_tensor(TensorBase value, Level level, int dim=-1):
    """Wrap `value` as a tensor of `level`; in a vmap, `dim` is its batch dimension."""
    if dim >= ndim(value.impl):
        raise IndexError(f"dimension {dim} of a tensor of {ndim(value.impl)}")
    return wrap(value, level, dim)


cdef TensorBase _without_dead(TensorBase t):
    """Return `t`, or what it wraps if its level was left.

    A batch that is wrapped in a tensor of a left `grad` is not unwrapped, so that its escape is noticed.
    """
    cdef Wrapped special = wrapped(t)
    cdef bint of_gradient = False
    while special is not None and not special.level.alive and not (of_gradient and special.dim >= 0):
        of_gradient = special.dim < 0
        t = special.value
        special = wrapped(t)
    return t


def unwrap_dead(TensorBase t):
    """Return `t`, or what it wraps if its level was left."""
    return _without_dead(t)


cdef int refresh_wrapped(TensorBase t) except -1:
    """Update the impl of a wrapped tensor after an operator in place, which may change the shape of its value."""
    cdef Wrapped special = wrapped(t)
    cdef TensorImpl impl
    if special is None:
        return 0
    impl = _look_at_sample(special.value.impl, special.dim) if special.dim >= 0 else alias(special.value.impl)
    if (impl.storage != t.impl.storage or impl.storage_offset != t.impl.storage_offset
            or not same_sizes(impl.geometry, t.impl.geometry) or impl.dtype != t.impl.dtype
            or strides_tuple(impl) != strides_tuple(t.impl)):
        impl.special = special
        set_impl(t, impl)
    return 0


def refresh(TensorBase t):
    """Update the shape of a wrapped tensor after a write to its value."""
    refresh_wrapped(t)


def set_batch_dim(TensorBase t, int dim):
    """Set the batch dimension of the value that a sample wraps, after its dimensions have changed."""
    (<Wrapped?>t.impl.special).dim = dim
    refresh_wrapped(t)


def set_value(TensorBase t, TensorBase value):
    """Replace the value of a wrapped tensor; the new one may have any shape."""
    (<Wrapped?>t.impl.special).value = value
    refresh_wrapped(t)


# ---- arguments and results

cdef tuple without_dead(tuple arguments):
    return _mapped(arguments, None)


cdef tuple lifted(tuple arguments, Level level):
    return _mapped(arguments, level)


cdef tuple _mapped(tuple arguments, Level level):
    """Lift the tensors in `arguments` to `level`, or unwrap tensors of dead levels if it is None.

    Returns None if nothing changes.
    """
    cdef list mapped = []
    cdef bint changed = False
    for argument in arguments:
        if is_tensor(argument):
            new = _without_dead(<TensorBase>argument) if level is None else _lifted(<TensorBase>argument, level)
            changed = changed or new is not argument
            argument = new
        elif type(argument) is list:
            items = []
            for item in argument:
                if is_tensor(item):
                    new = _without_dead(<TensorBase>item) if level is None else _lifted(<TensorBase>item, level)
                    changed = changed or new is not item
                    item = new
                items.append(item)
            argument = items
        mapped.append(argument)
    return tuple(mapped) if changed else None


cdef TensorBase _lifted(TensorBase t, Level level):
    """Wrap `t` for `level`, where it is a constant, unless it belongs to the level already or is a number."""
    cdef Wrapped special = wrapped(t)
    if t.impl.is_wrapped_number or (special is not None and special.level is level):
        return t
    t = wrap(t, level, -1)
    wrapped(t).captured = True
    return t


cdef tuple values_of(tuple arguments):
    cdef list values = []
    for argument in arguments:
        if is_tensor(argument):
            argument = _value(<TensorBase>argument)
        elif type(argument) is list:
            argument = [_value(<TensorBase>item) if is_tensor(item) else item
                        for item in argument]
        values.append(argument)
    return tuple(values)


cdef TensorBase _value(TensorBase t):
    cdef Wrapped special = wrapped(t)
    return t if special is None else special.value


cdef object rewrapped(object result, Level level):
    if is_tensor(result):
        return wrap(<TensorBase>result, level, -1)
    if type(result) is list or type(result) is tuple:
        return [wrap(<TensorBase>item, level, -1) if is_tensor(item) else item
                for item in result]
    return result
