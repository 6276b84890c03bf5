"""Tensors from Python's data: nested lists, numbers, NumPy arrays, buffers, other tensors."""

import warnings

cimport numpy as cnp
from cpython.sequence cimport PySequence_Check

from minitorch.autograd.functions.arguments cimport dtype_code_or_none
from minitorch.autograd.functions.creation cimport as_found
from minitorch.autograd.functions.generated.recorded cimport r__to_copy, r_alias, r_clone
from minitorch.autograd.functions.options cimport Options, check_device, plain_ints, wants_meta
from minitorch.autograd.levels cimport hide_from, in_levels, unhide
from minitorch.autograd.meta cimport default_is_meta, is_meta, meta_like
from minitorch.autograd.grad_mode cimport inference_enabled
from minitorch.autograd.python_dispatch cimport asks_python, create_in_python
from minitorch.autograd.sparse_tensor cimport is_sparse
from minitorch.autograd.special cimport impl_of, interposers, is_special
from minitorch.autograd.variable cimport TensorBase, make_tensor, requires_grad as requires_grad_of
from minitorch.core cimport interop
from minitorch.core.dtype cimport (
    Int64, NoType, c_name, class_name, dtype, dtype_of, get_default_dtype, is_differentiable)
from minitorch.core.untyped_storage cimport UntypedStorage
from minitorch.core.tensor_impl cimport TensorImpl, empty_tuple
from minitorch.ops.common.copy cimport PRESERVE_FORMAT, cast, clone
from minitorch.ops.creation.sequence cimport infer_scalar_type, tensor_from_data

from minitorch.autograd.functions.interchange import _from_storage as over_storage, detach_, from_dlpack
from minitorch.autograd.interpose import fresh
from minitorch.autograd.levels import current_levels
from minitorch.core import types
from minitorch.parsing.parser import bind
from minitorch.core.class_names import type_name
from minitorch.core.error_pages import explained
from minitorch.core.once import warn_once

cnp.import_array()

cdef type _Size = types.Size
cdef type _device = types.device

cdef list _TENSOR = ["tensor(PyObject* data, *, ScalarType dtype=None, Device? device=None, "
                     "bool pin_memory=False, bool requires_grad=False)"]
cdef list _NEW_TENSOR = ["new_tensor(PyObject* data, *, ScalarType dtype=None, Device? device=None, "
                         "bool requires_grad=False)"]
cdef list _AS_TENSOR = ["as_tensor(PyObject* data, *, ScalarType dtype=None, Device? device=None)"]
cdef list _ASARRAY = ["asarray(PyObject* obj, *, ScalarType? dtype=None, Device? device=None, "
                      "bool? copy=None, bool? requires_grad=None)"]
cdef list _FROMBUFFER = ["frombuffer(PyObject* buffer, *, ScalarType dtype, int64_t count=-1, "
                         "int64_t offset=0, bool requires_grad=False)"]


cdef TensorBase _on(TensorBase t, object device):
    """Return `t` on the given device, or on the default device if it is None."""
    cdef bint from_meta = is_special(t) and is_meta(t)
    if (device is None and not default_is_meta()) or from_meta == wants_meta(device):
        return t
    if from_meta:
        raise NotImplementedError("Cannot copy out of meta tensor; no data!")
    return make_tensor(meta_like(t.impl))


cdef TensorBase _leaf(TensorImpl impl, bint requires_grad, bint meta=False):
    cdef TensorBase result
    if meta:
        impl = meta_like(impl)
    if requires_grad and not is_differentiable(impl.dtype):
        raise explained(RuntimeError(
            "Only Tensors of floating point and complex dtype can require gradients"), "integer-requires-grad")
    result = make_tensor(impl)
    if interposers and not is_special(result):
        result = fresh(result)
        if inference_enabled():
            create_in_python("detach_", (result,), {})
    if is_special(result):
        detach_(result)                  # which a sample of a batch refuses
    result._requires_grad = requires_grad
    return result


cdef bint _is_plain(tuple args, dict kwargs):
    """Return whether the call needs no parser: one positional argument and at most a plain dtype and device."""
    if len(args) != 1 or default_is_meta():
        return False
    for key, value in kwargs.items():
        if value is None and key != "dtype" and key != "device":
            return False
        if value is not None and not (key == "dtype" and isinstance(value, dtype)):
            if key != "device" or not (type(value) is _device or (type(value) is str and value == "cpu")):
                return False
    return True


cdef TensorImpl _read(object x, int code):
    """Read numbers and sequences; transforms do not see the reads of elements that are tensors."""
    cdef unsigned long long before
    if not in_levels():
        return tensor_from_data(x, impl_of, code)
    before = hide_from(current_levels()[0])
    try:
        return tensor_from_data(x, impl_of, code)
    finally:
        unhide(before)


cdef TensorImpl _from_data(object x, int code):
    """Return the data of an object that is not a tensor; a storage shares its memory."""
    if type(x) is list or type(x) is float or type(x) is int:
        return _read(x, code)
    if not (isinstance(x, UntypedStorage) or hasattr(x, "_untyped_storage")):
        return _read(x, code)
    if code == NoType:
        code = Int64 if isinstance(x, UntypedStorage) else get_default_dtype()
    check_storage(x, dtype_of(code)._class_name, "")
    return (<TensorBase>_from_storage(x, dtype_of(code))).impl


def check_storage(storage, wanted, argument):
    """Raise RuntimeError if a typed storage has another element type than `wanted`."""
    cdef object given = getattr(storage, "dtype", None)
    if given is None or wanted in (given._class_name, given._c_name):
        return
    text = f"type {given._class_name} for argument 1 'storage'" if argument else given._class_name
    raise RuntimeError(f"Expected a Storage of type {wanted} or an UntypedStorage, but got {text}")


cdef TensorBase _new(object x, int code, str name, bint requires_grad, bint meta):
    """Copy any data into a new leaf, for torch.tensor() and new_tensor()."""
    cdef TensorBase result
    if not isinstance(x, TensorBase):
        return _leaf(_from_data(x, code), requires_grad, meta)
    if not asks_python((x,)):
        return _leaf(_copied(<TensorBase>x, code, name), requires_grad, meta)
    _advise_to_clone(name)
    result = r__to_copy(x.detach(), (<TensorBase>x).impl.dtype if code == NoType else code, PRESERVE_FORMAT)
    return result.requires_grad_() if requires_grad else result


cdef int _advise_to_clone(str name) except -1:
    warnings.warn(
        "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
        f"sourceTensor.detach().clone().requires_grad_(True), rather than {name}(sourceTensor).",
        UserWarning, stacklevel=1)
    return 0


cdef TensorImpl _copied(TensorBase x, int code, str name):
    """Return a copy of a tensor's data, for torch.tensor() and new_tensor()."""
    cdef TensorImpl impl = x.impl
    _advise_to_clone(name)
    if is_special(x):
        x = x.detach()
        code = x.impl.dtype if code == NoType else code
        return r__to_copy(x, code, PRESERVE_FORMAT).impl
    if is_sparse(impl):
        x = x.detach()
        return (<TensorBase>(x.clone() if code == NoType else x.to(dtype_of(code), copy=True))).impl
    if code != NoType and code != impl.dtype:
        return cast(impl, code)
    return clone(impl, PRESERVE_FORMAT)


def tensor(*args, **kwargs):
    """tensor(data, dtype=None, device=None, requires_grad=False): a tensor with a copy of the data.

    Parameters
    ----------
    data : number, nested sequence of numbers, ndarray or Tensor
    dtype : dtype, optional
        Default: what the data are; Python's floats get the default dtype.
    device : device or str, optional
    requires_grad : bool

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.tensor([[1, 2], [3, 4]])
    tensor([[1, 2],
            [3, 4]])
    """
    cdef Options o
    if len(args) == 1:
        if not kwargs:
            return _new(args[0], NoType, "torch.tensor", False, default_is_meta())
        o = Options()
        if "out" not in kwargs and "generator" not in kwargs and o.read(kwargs):
            return _new(args[0], o.dtype, "torch.tensor", o.requires_grad, o.meta)
    _, (x, d, device, pin_memory, requires_grad) = bind(_TENSOR, args, kwargs, name="tensor")
    meta = wants_meta(device)
    if pin_memory:
        raise RuntimeError("pin_memory=True requires a CUDA or other accelerator backend; no pinned "
                           "memory allocator is available on this system.")
    return _new(x, dtype_code_or_none(d), "torch.tensor", requires_grad, meta)


def new_tensor(self, *args, **kwargs):
    """Return a tensor with a copy of the data, of this tensor's dtype unless `dtype` is given."""
    cdef TensorBase base = <TensorBase?>self
    if len(args) == 1 and not kwargs and not is_special(base):
        return _new(args[0], base.impl.dtype, "tensor.new_tensor", False, False)
    _, (x, d, device, requires_grad) = bind(_NEW_TENSOR, args, kwargs, name="new_tensor")
    meta = is_special(base) and is_meta(base) if device is None else check_device(device)
    return _new(x, base.impl.dtype if d is None else dtype_code_or_none(d), "tensor.new_tensor", requires_grad,
                meta)


cdef TensorImpl _shared(object array, int code):
    """Share a NumPy array's memory, or copy it if its dtype is not the wanted one."""
    cdef TensorImpl impl = interop.from_numpy(array)
    return impl if code == NoType or code == impl.dtype else cast(impl, code)


def as_tensor(*args, **kwargs):
    """as_tensor(data, dtype=None, device=None): a tensor that shares the data's memory if it can."""
    cdef int code
    if _is_plain(args, kwargs):
        x, d, device = args[0], kwargs.get("dtype"), kwargs.get("device")
    else:
        _, (x, d, device) = bind(_AS_TENSOR, args, kwargs, name="as_tensor")
    code = dtype_code_or_none(d)
    if isinstance(x, TensorBase):
        if code == NoType or code == (<TensorBase>x).impl.dtype:
            return _on(x, device)
        return _on(r__to_copy(<TensorBase>x, code, PRESERVE_FORMAT), device)
    if cnp.PyArray_Check(x):
        return _on(make_tensor(_shared(x, code)), device)
    return _on(fresh(make_tensor(_from_data(x, code))), device)


def asarray(*args, **kwargs):
    """asarray(obj, dtype=None, device=None, copy=None, requires_grad=False): a tensor of any data.

    Parameters
    ----------
    obj : Tensor, ndarray, NumPy scalar, buffer, or nested sequence of numbers
    dtype : dtype, optional
    copy : bool, optional
        True: the result has memory of its own; False: it shares memory with `obj`, or there is an
        error; None: it shares memory if it can.
    requires_grad : bool
    """
    cdef int code
    cdef TensorBase t = None
    copy = wants_grad = None
    if _is_plain(args, kwargs):
        x, d, device = args[0], kwargs.get("dtype"), kwargs.get("device")
    else:
        _, (x, d, device, copy, wants_grad) = bind(_ASARRAY, args, kwargs, name="asarray")
    code = dtype_code_or_none(d)
    if isinstance(x, TensorBase):
        t = <TensorBase>x
    elif cnp.PyArray_Check(x):
        t = make_tensor(interop.from_numpy(x, copy is not True))
    elif cnp.PyArray_CheckScalar(x):
        if copy is False:
            raise ValueError("can't alias NumPy scalars. Either remove copy=False or transform it in "
                             "a ndarray. ")
        t = make_tensor(tensor_from_data(x, impl_of, infer_scalar_type(x, impl_of)))
    elif hasattr(x, "__dlpack__"):
        t = from_dlpack(x)
    elif _is_buffer(x):
        t = make_tensor(interop.frombuffer(x, get_default_dtype() if code == NoType else code))
    if t is None:
        if copy is False:
            raise ValueError("can't alias arbitrary sequence into a tensor.")
        return _leaf(_from_data(x, code), wants_grad is True, wants_meta(device))
    if code != NoType and code != t.impl.dtype:
        if copy is False:
            raise ValueError(f"can't alias tensor with dtype '{class_name(t.impl.dtype)}' into dtype "
                             f"'{class_name(code)}'.")
        t = r__to_copy(t, code, PRESERVE_FORMAT)
    elif copy:
        t = r_clone(t, PRESERVE_FORMAT)
    t = _on(t, device)
    if wants_grad is None:
        if not (isinstance(x, TensorBase) and requires_grad_of(<TensorBase>x)):
            return t
        warn_once("torch.asarray: unspecified requires_grad now defaults to obj.requires_grad instead of "
                  "False. Pass requires_grad=False explicitly to get the old behavior and silence this "
                  "warning.")
        wants_grad = True
    if wants_grad and not is_differentiable(t.impl.dtype):
        raise explained(RuntimeError(
            "Only Tensors of floating point and complex dtype can require gradients"), "integer-requires-grad")
    if t.grad_fn is not None:
        return t if wants_grad else t.detach()
    t.requires_grad = wants_grad        # of `obj` itself, where that is the result
    return t


cdef bint _is_buffer(object x):
    try:
        memoryview(x)
    except TypeError:
        return False
    return True


def from_numpy(array):
    """Return a tensor that shares the memory of a NumPy array."""
    return fresh(make_tensor(interop.from_numpy(array)))


def frombuffer(*args, **kwargs):
    """frombuffer(buffer, dtype, count=-1, offset=0, requires_grad=False): shares a buffer's memory."""
    if len(kwargs) == 1 and kwargs.get("dtype") is not None and _is_plain(args, kwargs):
        return _leaf(interop.frombuffer(args[0], dtype_code_or_none(kwargs["dtype"]), -1, 0), False)
    _, (buffer, d, count, offset, requires_grad) = bind(_FROMBUFFER, args, kwargs, name="frombuffer")
    return _leaf(interop.frombuffer(buffer, dtype_code_or_none(d), count, offset), requires_grad)


# ---- the constructors named after types: torch.Tensor, torch.LongTensor

cdef list _LEGACY = [
    "new(*, Device? device=None)", "new(Storage storage)", "new(Tensor other)",
    "new(SymIntArrayRef size, *, Device? device=None)", "new(PyObject* data, *, Device? device=None)"]


cdef bint _legacy_device(object given, bint meta) except -1:
    """Return `meta`, after raising if the given device is not the one of the type."""
    if given is None:
        return meta
    kind = (given if isinstance(given, _device) else _device(given)).type
    expected = "meta" if meta else "cpu"
    if kind != expected:
        raise RuntimeError(f"legacy constructor expects device type: {expected} but device type: {kind} was passed")
    return meta


cdef str _options_text(int code, bint meta):
    """Return a dtype and a device as PyTorch's errors show them."""
    return (f"TensorOptions(dtype={c_name(code)}, device={'meta' if meta else 'cpu'}, layout=Strided, "
            "requires_grad=false (default), pinned_memory=false (default), memory_format=(nullopt))")


def legacy_new(tuple args, dict kwargs, d, bint meta=False):
    """Construct ``torch.LongTensor(...)`` and its like from a size, from data or from nothing.

    The dtype is `d`, or the default for None. `meta` is true for ``new`` of a tensor on the device ``meta``.
    """
    cdef int code = get_default_dtype() if d is None else dtype_code_or_none(d)
    cdef TensorBase other
    cdef bint from_meta
    if len(args) == 1 and not (kwargs or meta) and isinstance(args[0], (list, tuple)) and type(args[0]) is not _Size:
        return _leaf(tensor_from_data(args[0], impl_of, code), False)    # [2, 3.5] is no size
    if args and not (kwargs or meta) and not default_is_meta() and plain_ints(args) is not None:
        return _legacy_empty(args, code, False)
    index, values = bind(_LEGACY, args, kwargs, name="new")
    if index in (0, 3, 4):
        _legacy_device(values[len(values) - 1], meta)
    if index == 0:
        return _legacy_empty((0,), code, meta)
    if index == 1:
        check_storage(values[0], dtype_of(code)._class_name, "storage")
        return _from_storage(values[0], dtype_of(code))
    if index == 2:
        other = values[0]
        from_meta = is_special(other) and is_meta(other)
        if d is not None and (other.impl.dtype != code or from_meta != meta):
            raise TypeError(f"expected {_options_text(code, meta)} "
                            f"(got {_options_text(other.impl.dtype, from_meta)})")
        return r_alias(other)
    if index == 3 and not (args and isinstance(args[0], (list, tuple)) and type(args[0]) is not _Size):
        return _legacy_empty(tuple(values[0]), code, meta)
    data = args[0] if args else values[0]
    if not PySequence_Check(data):
        raise TypeError(f"new(): data must be a sequence (got {type_name(data)})")
    return _leaf(tensor_from_data(data, impl_of, code), False, meta)


cdef TensorBase _legacy_empty(tuple size, int code, bint meta):
    """Return a new tensor of a size; modes see the call as ``empty``."""
    if interposers:
        options = {"dtype": dtype_of(code), "layout": types.strided,
                   "device": types.device("meta" if meta else "cpu")}
        made = create_in_python("empty", (list(size),), options)
        if made is not None:
            return made
    return _leaf(as_found(empty_tuple(size, code)), False, meta)


cdef TensorBase _from_storage(storage, d):
    untyped = storage if isinstance(storage, UntypedStorage) else storage.untyped()
    return over_storage(untyped, d, 0, (untyped.nbytes() // d.itemsize,), None)
