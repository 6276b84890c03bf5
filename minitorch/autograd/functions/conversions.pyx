"""`to`, `float`, `type` and the other conversions to another element type or device.

The functions take the tensor as their first argument and become methods of `Tensor`.
"""

from minitorch.autograd.functions.arguments cimport dtype_code_or_none, memory_format_code, operand
from minitorch.autograd.functions.generated.recorded cimport r__to_copy, r_view, r_view_dtype
from minitorch.autograd.functions.options cimport check_device, plain_size
from minitorch.autograd.grad_mode cimport grad_enabled
from minitorch.autograd.meta cimport become_meta, is_meta, meta_like
from minitorch.autograd.node cimport output_metadata
from minitorch.autograd.python_dispatch cimport create_in_python, is_dispatched
from minitorch.autograd.sparse_tensor cimport is_sparse
from minitorch.autograd.special cimport any_level, interposers, is_special
from minitorch.autograd.variable cimport TensorBase, gradient_edge, make_recorded, make_tensor, requires_grad
from minitorch.core.dtype cimport (
    BFloat16, Bool, Complex32, Complex64, Complex128, Float16, Float32, Float64, Int8, Int16, Int32, Int64,
    UInt8, class_name, dtype)
from minitorch.core.dtype_code cimport code_of
from minitorch.core.special cimport ON_META
from minitorch.core.tensor_impl cimport TensorImpl, alias
from minitorch.ops.common.copy cimport PRESERVE_FORMAT
from minitorch.ops.common.memory_format cimport suggest_memory_format

from minitorch.core import types
from minitorch.parsing.parser import bind
from minitorch.autograd.python_dispatch import said
from minitorch.core.dtype import _dtypes

cdef object _device = types.device
cdef list _TO = [
    "to(Device device=None, ScalarType dtype=None, bool non_blocking=False, bool copy=False, *, "
    "MemoryFormat? memory_format=None)",
    "to(ScalarType dtype, bool non_blocking=False, bool copy=False, *, "
    "MemoryFormat? memory_format=None)",
    "to(Tensor tensor, bool non_blocking=False, bool copy=False, *, "
    "MemoryFormat? memory_format=None)"]
cdef list _TYPE = ["type(PyObject* dtype=None, bool non_blocking=False, *, "
                   "MemoryFormat? memory_format=None)"]
cdef list _TYPE_AS = ["type_as(Tensor other)"]


cdef TensorBase convert(TensorBase t, int code, bint copy, object memory_format):
    """Convert `t`; return `t` itself if it already has the dtype and the format and `copy` is false."""
    cdef int wanted = memory_format_code(memory_format, PRESERVE_FORMAT)
    if code == t.impl.dtype and not copy and (
            wanted == PRESERVE_FORMAT or wanted == suggest_memory_format(t.impl)):
        return t
    return r__to_copy(t, code, wanted)


cdef bint _is_cpu(object device):
    if type(device) is _device:
        return device.type == "cpu"
    return type(device) is str and device == "cpu"


cdef int _wanted(TensorBase t, tuple args, dict kwargs):
    """Return the dtype code that a simple call of `to` names, or -2 if the call needs the parser or another device."""
    cdef int code = t.impl.dtype
    cdef Py_ssize_t position = 0
    for value in args:
        if position == 0 and _is_cpu(value):
            pass
        elif isinstance(value, dtype) and position == len(args) - 1:
            code = code_of(<dtype>value)
        elif len(args) == 1 and isinstance(value, TensorBase) and not is_special(value):
            code = (<TensorBase>value).impl.dtype
        else:
            return -2
        position += 1
        if position > 2:
            return -2
    for key, value in kwargs.items():
        if key == "dtype" and isinstance(value, dtype) and (
                not args or len(args) == 1 and _is_cpu(args[0])):
            code = code_of(<dtype>value)
        elif not (key == "non_blocking" and isinstance(value, bool)
                  or key == "device" and not args and _is_cpu(value)):
            return -2
    return code


def to(self, *args, **kwargs):
    """to(dtype), to(device), to(device, dtype), to(other): this tensor with another dtype.

    Parameters
    ----------
    device : device or str, optional
        The CPU, or ``meta``, where tensors have a shape and no elements.
    dtype : dtype, optional
    other : Tensor, optional
        Its dtype is taken.
    non_blocking : bool
    copy : bool
        True: a copy even when nothing has to be converted.
    memory_format : memory_format, optional

    Returns
    -------
    Tensor
        This tensor itself when it is as wanted already.
    """
    cdef TensorBase t = <TensorBase?>self
    cdef int code = -2
    if len(args) == 1 and not kwargs and isinstance(args[0], dtype):
        code = code_of(<dtype>args[0])
    elif not args and len(kwargs) == 1 and isinstance(kwargs.get("dtype"), dtype):
        code = code_of(<dtype>kwargs["dtype"])
    elif (args or kwargs) and not is_special(t):
        code = _wanted(t, args, kwargs)
    if code != -2:
        return convert(t, code, False, None)
    cdef bint to_meta = is_special(t) and is_meta(t)
    index, values = bind(_TO, args, kwargs, name="to")
    if index == 0:
        device, d, _, copy, memory_format = values
        if device is not None:
            to_meta = check_device(device)
        code = t.impl.dtype if d is None else dtype_code_or_none(d)
    elif index == 1:
        d, _, copy, memory_format = values
        code = dtype_code_or_none(d)
    else:
        other, _, copy, memory_format = values
        other = operand(other)      # it may be a number
        code = (<TensorBase>other).impl.dtype
        to_meta = is_special(other) and is_meta(other)
    return moved(t, code, copy, memory_format, to_meta)


def type_as(TensorBase self, *args, **kwargs):
    """Return this tensor in the dtype of `other`."""
    if len(args) == 1 and not kwargs and isinstance(args[0], TensorBase):
        other = args[0]
    else:
        _, (other,) = bind(_TYPE_AS, args, kwargs, name="type_as")
    if said(other, "device") is not None:
        return self.to(other.device, other.dtype)
    if is_special(other) or is_special(self):
        return self.to(other)
    return convert(self, (<TensorBase?>other).impl.dtype, False, None)


cdef bint _is_plain(TensorBase t):
    """Return whether `t` is an ordinary tensor outside every mode and transform, without a tangent."""
    return not (is_special(t) or interposers or any_level or t._tangent is not None)


cdef TensorBase _without_its_elements(TensorBase t):
    """Return a tensor on the device ``meta`` with the same gradient edge as `t`."""
    cdef unsigned int output_nr = 0
    cdef TensorImpl impl = meta_like(t.impl)
    if not (requires_grad(t) and grad_enabled()):
        return make_tensor(impl)
    return make_recorded(impl, gradient_edge(t, &output_nr), output_nr)


cdef TensorBase _told_to_copy(TensorBase t, int code, bint to_meta):
    """Dispatch the move to another device to a mode or to the tensor's class; return its result or None."""
    wanted = next(d for d in _dtypes().values() if d._code == code)
    options = {"dtype": wanted, "layout": t.layout, "device": types.device("meta" if to_meta else "cpu")}
    return create_in_python("_to_copy", (t,), options)


cdef TensorBase moved(TensorBase t, int code, bint copy, object memory_format, bint to_meta):
    """Convert `t` as `convert` does, and move it to the device ``meta`` or to the CPU."""
    cdef bint from_meta = is_special(t) and is_meta(t)
    if from_meta != to_meta and is_dispatched(t):
        made = _told_to_copy(t, code, to_meta)
        if made is not None:
            return made
    if from_meta and not to_meta:
        raise NotImplementedError("Cannot copy out of meta tensor; no data!")
    if to_meta and not from_meta and _is_plain(t):
        return convert(_without_its_elements(t), code, True, memory_format)  # no element is read
    cdef TensorBase result = convert(t, code, copy or from_meta != to_meta, memory_format)
    if from_meta != to_meta:
        become_meta(result, result.impl)
        if result._grad_fn is not None:
            output_metadata(result._grad_fn, result._output_nr).device_kind = ON_META
    return result


# ---- one method for each type

cdef TensorBase _plain(object self, int code, str name, tuple args, dict kwargs):
    memory_format = None
    if args or kwargs:
        _, (memory_format,) = bind([f"{name}(*, MemoryFormat? memory_format=None)"], args, kwargs,
                                   name=name)
    return convert(<TensorBase?>self, code, False, memory_format)


def float_(self, *args, **kwargs):
    """Return this tensor as float32."""
    return _plain(self, Float32, "float", args, kwargs)


def double(self, *args, **kwargs):
    """Return this tensor as float64."""
    return _plain(self, Float64, "double", args, kwargs)


def half(self, *args, **kwargs):
    """Return this tensor as float16."""
    return _plain(self, Float16, "half", args, kwargs)


def bfloat16(self, *args, **kwargs):
    """Return this tensor as bfloat16."""
    return _plain(self, BFloat16, "bfloat16", args, kwargs)


def int_(self, *args, **kwargs):
    """Return this tensor as int32."""
    return _plain(self, Int32, "int", args, kwargs)


def long_(self, *args, **kwargs):
    """Return this tensor as int64."""
    return _plain(self, Int64, "long", args, kwargs)


def short(self, *args, **kwargs):
    """Return this tensor as int16."""
    return _plain(self, Int16, "short", args, kwargs)


def char(self, *args, **kwargs):
    """Return this tensor as int8."""
    return _plain(self, Int8, "char", args, kwargs)


def byte(self, *args, **kwargs):
    """Return this tensor as uint8."""
    return _plain(self, UInt8, "byte", args, kwargs)


def bool_(self, *args, **kwargs):
    """Return this tensor as bool."""
    return _plain(self, Bool, "bool", args, kwargs)


def chalf(self, *args, **kwargs):
    """Return this tensor as complex32."""
    return _plain(self, Complex32, "chalf", args, kwargs)


def cfloat(self, *args, **kwargs):
    """Return this tensor as complex64."""
    return _plain(self, Complex64, "cfloat", args, kwargs)


def cdouble(self, *args, **kwargs):
    """Return this tensor as complex128."""
    return _plain(self, Complex128, "cdouble", args, kwargs)


def cpu(TensorBase self, *args, **kwargs):
    """Return this tensor, which is on the CPU.

    Raises
    ------
    NotImplementedError
        If it is on the device ``meta`` and therefore has no elements.
    """
    if is_special(self) and is_meta(self):
        raise NotImplementedError("Cannot copy out of meta tensor; no data!")
    return _plain(self, self.impl.dtype, "cpu", args, kwargs)


# ---- the names of types, such as torch.FloatTensor

cdef dict _by_type_name = {
    f"torch.{(<dtype>d)._class_name}Tensor": (<dtype>d)._code for d in _dtypes().values()}


def type_(self, *args, **kwargs):
    """Return the name of the tensor's type, or the tensor converted to another type.

    Parameters
    ----------
    dtype : dtype, str or type, optional
        Such as ``torch.int64``, ``"torch.LongTensor"`` or ``torch.LongTensor``.
    """
    cdef TensorBase t = <TensorBase?>self
    wanted = memory_format = None
    if len(args) == 1 and not kwargs:
        wanted = args[0]
    elif args or kwargs:
        _, (wanted, _, memory_format) = bind(_TYPE, args, kwargs, name="type")
    if wanted is None:
        kind = "sparse." if is_sparse(t.impl) else "meta." if is_special(t) and is_meta(t) else ""
        return f"torch.{kind}{class_name(t.impl.dtype)}Tensor"
    if isinstance(wanted, dtype):
        return convert(t, code_of(<dtype>wanted), False, memory_format)
    if isinstance(wanted, type):
        name = wanted.__name__
        if wanted.__module__ != "builtins":
            name = f"{wanted.__module__}.{name}"
        if name == "torch.Tensor":
            return t
    elif isinstance(wanted, str):
        name = wanted
    else:
        raise TypeError("dtype must be a type, str, or dtype object")
    code = _by_type_name.get(name.replace("torch.sparse.", "torch.", 1))
    if code is None:
        raise ValueError(f"invalid type: '{name}'")
    return convert(t, code, False, memory_format)


cdef list _VIEW = ["view(ScalarType dtype)", "view(SymIntArrayRef size)"]


def view(self, *args, **kwargs):
    """Return a view of the tensor's memory in another shape, or of its bytes as another dtype.

    Parameters
    ----------
    *size : int
        One of them may be -1; or
    dtype : dtype

    Raises
    ------
    RuntimeError
        When no view has this shape.
    """
    cdef tuple size = plain_size(args)
    if size is not None and not kwargs:
        return r_view(<TensorBase?>self, size)
    index, (value,) = bind(_VIEW, args, kwargs, name="view")
    if index == 0:
        return _read_as(<TensorBase?>self, dtype_code_or_none(value))
    return r_view(<TensorBase?>self, value)


cdef TensorBase _read_as(TensorBase t, int code):
    """Return the bytes of `t` as another dtype; as in PyTorch, autograd records no view, even for the same dtype."""
    cdef TensorBase result = r_view_dtype(t, code)
    if t.impl.special is not None or interposers:
        return result
    if result is t:
        return make_tensor(alias(t.impl))
    result._view = None
    return result
