# cython: wraparound=True
"""Classes and modes with `__torch_dispatch__`.

Operators on such tensors are recorded like any other, and that method computes the values. minitorch/_dispatch/ knows
PyTorch's names of operators and calls the method. This module defines these tensors, and checks whether a call has a
mode or such a tensor.

Note [Saving what Python computes]
A node saves impls, but a tensor of a class with `__torch_dispatch__` is more than its impl. So for an input the node
saves a separate impl that holds the tensor, which is older than the node. An output would keep its own node alive, so
for an output the node saves the result of `detach`.
"""

import contextlib
import functools
import weakref

from minitorch.autograd.accumulate_by_operators cimport accumulate_by_operators, copy_by_operators
from minitorch.autograd.grad_mode cimport grad_enabled, set_grad_enabled
from minitorch.autograd.levels cimport wrapped
from minitorch.autograd.meta cimport has_no_data, without_elements
from minitorch.autograd.operators cimport receiver, written_by
from minitorch.autograd.saved_tensor_hooks cimport default_hooks
from minitorch.autograd.special cimport any_of_kind, count_interposers, is_tensor
from minitorch.autograd.upward_calls cimport dispatch_calls
from minitorch.autograd.variable cimport engine_operators, make_tensor, set_impl
from minitorch.core.special cimport REPORTED_BY_CLASS, set_special_of_thread, special_of_thread
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, alias, bump_version, own_version_counter, read_sizes, share_version_counter, sizes_tuple,
    strides_tuple, wrap_number)
from minitorch.ops.common.copy cimport cast, clone
from minitorch.ops.shape.views cimport as_strided

from minitorch.autograd.grad_mode import _show_grad_mode, is_grad_enabled
from minitorch.autograd.operators import operators
from minitorch.autograd.variable import _make_tensor_like

cdef extern from *:
    """
    static _Thread_local int minitorch_modes = 0;                /* __torch_dispatch__ modes entered */
    static _Thread_local int minitorch_dispatch_off = 0;         /* how often it was switched off */
    static _Thread_local int minitorch_written_in_cpp = 0;
    """
    int minitorch_modes
    int minitorch_dispatch_off
    int minitorch_written_in_cpp

cdef int _replaced = 0                   # how many kernels a program has put in the place of others


class UndefinedResult(RuntimeError):
    """A mode or a class has returned None for a tensor; a call from Python then returns None too."""


# ---- modes

def enter_mode():
    """Count one more ``__torch_dispatch__`` mode on this thread."""
    global minitorch_modes
    minitorch_modes += 1
    _modes_changed()
    count_interposers(1)


def exit_mode():
    """Count one ``__torch_dispatch__`` mode fewer on this thread."""
    global minitorch_modes
    minitorch_modes -= 1
    _modes_changed()
    count_interposers(-1)


def switch_dispatch(bint off):
    """Switch modes and ``__torch_dispatch__`` off on this thread, or on again."""
    global minitorch_dispatch_off
    minitorch_dispatch_off += 1 if off else -1
    _modes_changed()


def dispatch_is_off():
    """Return whether modes and ``__torch_dispatch__`` are switched off on this thread."""
    return minitorch_dispatch_off > 0


cdef Modes _modes = Modes()              # all threads with modes are alike


cdef int _modes_changed() except -1:
    set_special_of_thread(_modes if minitorch_modes > 0 and minitorch_dispatch_off == 0 else None)
    return 0


def asks_modes():
    """Return whether this thread has modes that are not switched off."""
    return special_of_thread() is not None


def replace_kernels(int more):
    """Count `more` additional kernels that the program has registered."""
    global _replaced
    _replaced += more
    count_interposers(more)


cdef bint asks_python(tuple arguments) except -1:
    if minitorch_dispatch_off:
        return False
    return minitorch_modes > 0 or _replaced > 0 or any_of_kind(arguments, Dispatched)


cdef bint is_dispatched(TensorBase t):
    if minitorch_dispatch_off or wrapped(t) is not None:
        return False
    return minitorch_modes > 0 or dispatched_of(t.impl) is not None


# ---- asking

cdef object decompose(Operator operator, tuple arguments):
    return dispatch_calls.decompose(operator, arguments)


cdef bint has_kernels() noexcept:
    return _replaced > 0 and minitorch_dispatch_off == 0


cdef object call_kernel(Operator operator, tuple arguments):
    return dispatch_calls.kernel(operator, arguments) if has_kernels() else None


cdef object create_in_python(str name, tuple args, dict kwargs):
    if not (asks_python(args) or kwargs and asks_python(tuple(kwargs.values()))):
        return None
    args = tuple([_of_no_gradient(a) if is_tensor(a) else a for a in args])
    return dispatch_calls.create(name, args, kwargs)


cdef TensorBase _of_no_gradient(TensorBase t):
    """Return the tensor that a tensor of `grad` levels wraps."""
    special = wrapped(t)
    while special is not None and special.dim < 0:
        t = special.value
        special = wrapped(t)
    return t


cdef dict _options_of(TensorBase t):
    """What PyTorch says of a new tensor that it makes in C++."""
    return {"dtype": t.dtype, "layout": t.layout, "device": t.device}


cdef TensorBase zero_of(TensorBase t, object zero=0):
    cdef TensorImpl number
    if not is_dispatched(t):
        return make_tensor(wrap_number(zero))
    made = create_in_python("scalar_tensor", (zero,), _options_of(t))
    if made is None:
        number = cast(wrap_number(zero), t.impl.dtype)
        number.is_wrapped_number = False      # classes are given tensors
        return make_tensor(number)
    return made


cdef TensorBase new_zeros(TensorBase t, tuple size, bint with_options):
    if not is_dispatched(t):
        return None
    return create_in_python("new_zeros", (t, list(size)), _options_of(t) if with_options else {})


cdef object call_python(Operator operator, tuple arguments):
    cdef bint mode = grad_enabled()
    cdef int shown = _show_grad_mode(is_grad_enabled())     # Note [The mode that is shown]
    cdef TensorBase written
    set_grad_enabled(False)
    try:
        result = dispatch_calls.dispatch(operator, arguments)
    finally:
        set_grad_enabled(mode)
        _show_grad_mode(shown)
    if result is None:
        return None
    if operator.form:
        written = written_by(operator, arguments)
        if dispatched_of(written.impl) is not None:
            bump_version(written.impl)
        return written
    if is_tensor(result):
        return _from_python(operator, <TensorBase>result, arguments)
    if type(result) is list or type(result) is tuple:
        return [_from_python(operator, <TensorBase>item, arguments) if is_tensor(item) else item
                for item in result]
    return result


cdef TensorBase _from_python(Operator operator, TensorBase result, tuple arguments):
    """A result of ``__torch_dispatch__`` as that of the operator: a view counts writes with its base."""
    cdef TensorBase base
    result = _not_an_argument(result, arguments)
    if operator.view or operator.name == "detach":
        base = <TensorBase>arguments[receiver(operator)]
        if dispatched_of(base.impl) is not None and dispatched_of(result.impl) is not None:
            _count_with(result.impl, base.impl)
    return result


cdef int _count_with(TensorImpl view, TensorImpl base) except -1:
    """Give `view` the version counter of `base`, instead of its storage's."""
    if base.own_counter == NULL or view.own_counter == NULL or view.own_counter == base.own_counter:
        return 0
    share_version_counter(view, base)
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


cdef TensorBase _again(TensorBase t):
    """Return another tensor of the class, with the attributes and data of `t`, without history."""
    cdef TensorBase other
    cdef Dispatched special = dispatched_of(t.impl)
    if special is None:
        return make_tensor(alias(t.impl))
    other = dispatched(_make_tensor_like(t, type(t)))
    set_device(other, special.device)
    (<object>other).__dict__.update((<object>t).__dict__)
    for cls in type(t).__mro__:
        names = cls.__dict__.get("__slots__", ())
        for name in (names,) if isinstance(names, str) else names:
            if hasattr(t, name):
                setattr(other, name, getattr(t, name))
    return other


# ---- their tensors

cdef class Dispatched(Special):
    def __cinit__(self):
        self.device_kind = REPORTED_BY_CLASS
        self._counted = SpecialGradient()

    cdef bint stays_with_tensor(self) noexcept:
        return True

    cdef object copy_gradient(self, object leaf, object gradient):
        return copy_by_operators(leaf, gradient) if is_dispatched(gradient) else None

    cdef bint accumulate(self, object leaf, object gradient, bint recording, bint alone) except -1:
        return _accumulate(leaf, gradient, recording, alone)

    cdef TensorImpl to_save(self, object t, TensorImpl impl):
        cdef Dispatched special = Dispatched.__new__(Dispatched)
        special.cls = <type>type(t)
        special.kept = t
        impl = alias(impl)
        impl.special = special
        return impl

    cdef object saved_tensor(self, TensorImpl saved):
        t = self.kept if self.reference is None else self.reference()
        return dispatched(_make_tensor_like(make_tensor(saved), self.cls)) if t is None else t

    cdef object saved_output(self, TensorImpl saved):
        cdef TensorBase kept = self.saved_tensor(saved)
        cdef TensorBase t = _detached(kept) if is_dispatched(kept) else kept
        return _again(t) if t is kept and dispatched_of(t.impl) is not None else t


cdef class Modes(Special):
    cdef object copy_gradient(self, object leaf, object gradient):
        return copy_by_operators(leaf, gradient) if is_dispatched(gradient) else None

    cdef bint accumulate(self, object leaf, object gradient, bint recording, bint alone) except -1:
        return _accumulate(leaf, gradient, recording, alone)

    cdef object saved_output(self, TensorImpl saved):
        cdef TensorBase t = make_tensor(saved)
        return _detached(t) if is_dispatched(t) else t


cdef bint _accumulate(TensorBase leaf, TensorBase gradient, bint recording, bint alone) except -1:
    """Accumulate by operators if a mode or a class handles them; return whether one does."""
    if not recording or not (is_dispatched(gradient) or leaf._grad is not None and is_dispatched(leaf._grad)):
        return False
    accumulate_by_operators(leaf, gradient, alone)
    return True


def dispatched(TensorBase t):
    """Make ``__torch_dispatch__`` of the class of `t` handle operators on it, and return `t`."""
    cdef Dispatched special = Dispatched.__new__(Dispatched)
    special.cls = <type>type(t)
    special.reference = weakref.ref(t)
    if dispatched_of(t.impl) is not None:
        special.device = dispatched_of(t.impl).device
    set_impl(t, alias(t.impl))
    t.impl.special = special
    return t


def set_device(TensorBase t, device):
    """Have a tensor of a class with ``__torch_dispatch__`` say that it is on a device."""
    (<Dispatched?>t.impl.special).device = device


def set_layout(TensorBase t, layout):
    """Have a tensor of a class with ``__torch_dispatch__`` say that it has a layout."""
    (<Dispatched?>t.impl.special).layout = layout


cdef class Asked(Dispatched):
    """A tensor whose class says what its shape, its device or its layout is."""
    cdef readonly object about           # what it is asked for


def let_class_say(TensorBase t, about):
    """Ask the class of a tensor for these of its properties."""
    cdef Asked special = Asked.__new__(Asked)
    cdef Dispatched before = <Dispatched?>t.impl.special
    special.cls, special.reference, special.device = before.cls, before.reference, before.device
    special.about = about
    t.impl.special = special


def said(TensorBase t, str what, *rest):
    """What the class of a tensor says of a property of it; None: nothing."""
    if type(t.impl.special) is not Asked or what not in (<Asked>t.impl.special).about:
        return None
    return dispatch_calls.property_of(t, what, *rest)


def share_memory(TensorBase view, TensorBase base):
    """Let two tensors without elements be over the same memory."""
    cdef TensorImpl impl = alias(base.impl)
    if not has_no_data(view) or not has_no_data(base) or view.impl.storage == base.impl.storage:
        return
    impl.special = None
    impl.dtype = view.impl.dtype        # as `view_as_complex` has another one
    impl = as_strided(impl, sizes_tuple(view.impl), strides_tuple(view.impl), view.impl.storage_offset)
    impl.special = view.impl.special
    own_version_counter(impl)
    _count_with(impl, view.impl)
    set_impl(view, impl)


def without_data(cls, tuple size, strides, Py_ssize_t storage_offset, int dtype, Py_ssize_t storage_size=-1):
    """A tensor of a class with ``__torch_dispatch__`` that has a shape and no elements of its own.

    Its storage has as many bytes as the shape takes, unless `storage_size` is given. Nothing is written to the memory
    behind it, so that reading it by mistake gives zeros.
    """
    cdef Py_ssize_t[MAX_DIMS] n
    cdef Py_ssize_t[MAX_DIMS] s
    cdef int dims = read_sizes(size, n), d
    cdef TensorImpl impl
    for d in range(dims):
        if n[d] < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {n[d]}: {list(size)}")
    if strides is not None and len(strides) != dims:
        raise RuntimeError(f"dimensionality of sizes ({dims}) must match dimensionality of strides ({len(strides)})")
    if strides is not None:
        read_sizes(strides, s)
    for d in range(dims if strides is not None else 0):
        if s[d] < 0:
            raise RuntimeError(f"as_strided: Negative strides are not supported at the moment, got strides: "
                               f"{list(strides)}")
    if storage_offset < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {storage_offset}")
    impl = without_elements(dims, n, NULL if strides is None else s, storage_offset, dtype, storage_size)
    own_version_counter(impl)
    return dispatched(_make_tensor_like(make_tensor(impl), cls))


def reshape_without_data(TensorBase t, tuple size, tuple strides, Py_ssize_t storage_offset):
    """Let such a tensor have another shape, after an operator in place that gives what it wraps one."""
    cdef Py_ssize_t[MAX_DIMS] n
    cdef Py_ssize_t[MAX_DIMS] s
    cdef int dims = read_sizes(size, n)
    cdef TensorImpl impl
    read_sizes(strides, s)
    impl = without_elements(dims, n, s, storage_offset, t.impl.dtype)
    own_version_counter(impl)
    impl.special = t.impl.special
    _count_with(impl, t.impl)
    set_impl(t, impl)


def identity(TensorBase t):
    """The same number for all handles of one tensor's data, as long as one of them lives."""
    return id(t.impl)


def asked(*args):
    """Return whether a mode or the class of an argument handles the call."""
    return asks_python(args)


def asked_classes(arguments):
    """Return the tensors whose classes handle the call: one of each class, subclasses before bases."""
    cdef list found = []
    _find_asked(arguments, found)
    return found


cdef int _find_asked(object arguments, list found) except -1:
    cdef Py_ssize_t place
    for t in arguments:
        if isinstance(t, (list, tuple)):
            _find_asked(t, found)
        if not is_tensor(t) or dispatched_of((<TensorBase>t).impl) is None:
            continue
        place = len(found)
        for index, other in enumerate(found):
            if type(t) is type(other):
                break
            if place == len(found) and issubclass(type(t), type(other)):
                place = index
        else:
            found.insert(place, t)
    return 0


def told(str name, tuple args, dict kwargs):
    """Call PyTorch's operator `name`, which is none here, through a mode or a class; None if there is none."""
    return create_in_python(name, args, kwargs)


def one_operator(function):
    """Decorate a composed function so that modes see its calls as one operator of PyTorch, with the same name.

    A call that a mode handles is not recorded, so it has no derivative.
    """
    name = function.__name__

    @functools.wraps(function)
    def called(*args, **kwargs):
        outcome = create_in_python(name, args, kwargs)
        return function(*args, **kwargs) if outcome is None else outcome

    return called


@contextlib.contextmanager
def written_in_cpp():
    """Inside, calls are told as where PyTorch makes them in C++: numbers are no tensors, options are left out."""
    global minitorch_written_in_cpp
    cdef int before = minitorch_written_in_cpp
    minitorch_written_in_cpp = 1
    try:
        yield
    finally:
        minitorch_written_in_cpp = before


def is_written_in_cpp():
    """Return whether this thread is inside of `written_in_cpp`."""
    return minitorch_written_in_cpp > 0


def is_without_data(TensorBase t):
    """Return whether a tensor has only a shape, and no elements."""
    return has_no_data(t)


def has_own_dispatch(TensorBase t):
    """Return whether the class of a tensor has ``__torch_dispatch__``."""
    return dispatched_of(t.impl) is not None


# ---- what nodes save

cdef TensorImpl copy_to_save(TensorBase t):
    cdef bint mode
    if t.impl.special is None and not interposers:
        return clone(t.impl)
    if wrapped(t) is not None:
        # what it wraps keeps its history; that of the copy itself is dropped here
        return engine_operators.clone(t).impl
    mode = grad_enabled()
    set_grad_enabled(False)
    try:
        return to_save(engine_operators.clone(t))
    finally:
        set_grad_enabled(mode)


cdef int let_go_of(Node node, TensorBase t) except -1:
    """Hold saved tensors that share the memory of `t` weakly, since they would keep the node alive.

    The memory was written to, so they must not be read any more.
    """
    cdef TensorImpl saved
    cdef Dispatched special
    cdef unsigned int version
    for slot in range(3):
        saved = node.get_saved(slot, &version)
        special = None if saved is None else dispatched_of(saved)
        if (special is not None and special.kept is not None
                and special.kept.impl.version_counter == t.impl.version_counter):
            special.reference = weakref.ref(special.kept)
            special.kept = None
    return 0


cdef TensorBase _detached(TensorBase t):
    cdef bint mode = grad_enabled()
    set_grad_enabled(False)
    try:
        return <TensorBase?>(<Operator>operators["detach", ""]).function((t,))
    finally:
        set_grad_enabled(mode)


cdef TensorImpl output_to_save(TensorBase t):
    # what goes to a pack hook is detached when it is unpacked
    if not is_dispatched(t) or (t.impl.special is None and default_hooks() is not None):
        return t.impl
    return to_save(_detached(t))
