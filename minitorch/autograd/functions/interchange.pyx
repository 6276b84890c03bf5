"""Tensors and the rest of the world: NumPy, buffers, DLPack, raw memory.

The functions take the tensor as their first argument and become methods of `Tensor` in
``_tensor.py``.
"""

from libc.string cimport memcpy

from minitorch.autograd.by_sample cimport tell_of
from minitorch.autograd.functions.creation cimport as_found
from minitorch.autograd.forward_grad cimport top_level_of
from minitorch.autograd.functions.not_implemented cimport NotImplemented
from minitorch.autograd.functions.options cimport check_device
from minitorch.autograd.recording_errors cimport no_forward_mode
from minitorch.autograd.grad_mode cimport any_inference_mode, grad_enabled, inference_enabled
from minitorch.autograd.inplace cimport check_inplace, check_not_inference, rebase_history
from minitorch.autograd.interpose cimport check_data
from minitorch.autograd.levels cimport Level, Wrapped, wrapped
from minitorch.autograd.math_bits cimport MathBits, bits_in
from minitorch.autograd.meta cimport become_meta, is_meta, is_meta_impl, recognised, without_elements
from minitorch.autograd.node cimport add_first_output, start_node
from minitorch.autograd.python_dispatch cimport create_in_python
from minitorch.autograd.saved_variable cimport leave_to_nodes
from minitorch.autograd.sparse_tensor cimport is_sparse
from minitorch.autograd.special cimport any_level, interposers, is_special
from minitorch.autograd.variable cimport (
    TensorBase, gradient_edge, make_tensor,
    requires_grad)
from minitorch.core cimport dlpack, interop
from minitorch.core.dtype cimport dtype, itemsizes
from minitorch.core.dtype_code cimport code_of
from minitorch.core.special cimport POINTER, STORAGE, Special, resolved_impl
from minitorch.core.storage cimport StorageImpl, release_storage, resize_storage, retain_storage
from minitorch.core.untyped_storage cimport UntypedStorage
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, TensorImpl, as_strided_impl, become, bump_version, empty, numel, own_version_counter,
    read_sizes, release_geometry, resize, retain_geometry, same_sizes, sizes_tuple, strides,
    strides_tuple)
from minitorch.ops.common.copy cimport PRESERVE_FORMAT, clone, empty_in_format


from minitorch.autograd.levels import captured, refresh
from minitorch.autograd.math_bits import become as become_like
from minitorch.autograd.math_bits import bits_of, marked, plain
from minitorch.autograd.python_dispatch import has_own_dispatch
from minitorch.core.error_pages import explained
from minitorch.parsing.parser import bind


cdef extern from "Python.h":
    Py_ssize_t PY_SSIZE_T_MAX


# ---- NumPy

cdef list _NUMPY = ["numpy(*, bool force=False)"]


def numpy(self, *args, **kwargs):
    """Return the elements as a NumPy array that shares the tensor's memory.

    Raises
    ------
    RuntimeError
        When the tensor requires grad, unless `force` is true.
    """
    cdef bint force = False
    if args or kwargs:
        _, (force,) = bind(_NUMPY, args, kwargs, name="numpy")
    return interop.to_numpy(_for_numpy(<TensorBase?>self, force).impl)


def elements_to_read(self):
    """Return the array of ``numpy(force=True)``. The tensor can be resized again once the array is gone."""
    return interop.to_numpy(_for_numpy(<TensorBase?>self, True).impl, False)


cdef TensorBase _for_numpy(TensorBase t, bint force):
    if grad_enabled() and requires_grad(t) and not force:
        raise explained(RuntimeError(
            "Can't call numpy() on Tensor that requires grad. Use "
            "tensor.detach().numpy() instead."), "numpy-requires-grad")
    if is_sparse(t.impl):
        raise TypeError("can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first.")
    if is_special(t) and is_meta(t):
        if force:
            raise NotImplementedError("Cannot copy out of meta tensor; no data!")
        raise TypeError("can't convert meta device type tensor to numpy. Use Tensor.cpu() to copy the tensor to "
                        "host memory first.")
    if bits_in(t.impl) is not None:
        t = _resolved_for_numpy(t, force)
    check_data(t, POINTER)
    if has_own_dispatch(t):
        raise RuntimeError(".numpy() is not supported for tensor subclasses.")
    return t.detach() if interposers else t


cdef TensorBase _resolved_for_numpy(TensorBase t, bint force):
    cdef MathBits bits = <MathBits>t.impl.special
    if not force:
        name, method = ("conjugate", "resolve_conj") if bits.conj else ("negative", "resolve_neg")
        raise RuntimeError(f"Can't call numpy() on Tensor that has {name} bit set. Use tensor.{method}().numpy() "
                           "instead.")
    return make_tensor(resolved_impl(t.impl))


def __array__(self, dtype=None, copy=None):
    """Return the array for ``numpy.asarray(tensor)``."""
    array = numpy(self)
    if dtype is not None:
        array = array.astype(dtype, copy=bool(copy))
    elif copy:
        array = array.copy()
    return array


def __array_wrap__(self, array, context=None, return_scalar=False):
    """Return the result of a NumPy function of tensors as a tensor."""
    if array.dtype == bool:
        array = array.astype("uint8")
    return make_tensor(interop.from_numpy(array))


# ---- DLPack

def __dlpack__(self, *, stream=-1, max_version=None, dl_device=None, copy=None):
    """Return a DLPack capsule with this tensor's memory."""
    cdef TensorBase t = <TensorBase?>self
    cdef TensorImpl impl = t.impl
    if requires_grad(t):
        raise BufferError("Can't export tensors that require gradient, use tensor.detach()")
    if stream is not None and type(stream) is not int:
        raise TypeError("stream must be ``int`` or ``none``")
    if stream is not None and stream != -1:
        raise AssertionError("stream should be None on cpu.")
    if dl_device is not None and tuple(dl_device) != (1, 0):
        raise BufferError(f"cannot export a tensor on the CPU to the device {dl_device}")
    if is_sparse(impl):
        raise BufferError("Can't export tensors with layout other than torch.strided")
    if is_special(t) and is_meta(t):
        raise BufferError("Cannot pack tensors on meta")
    check_data(t, POINTER)
    if bits_in(impl) is not None and (<MathBits>impl.special).conj:
        raise BufferError("Can't export tensors with the conjugate bit set")
    if copy:
        impl = clone(resolved_impl(impl))
    return dlpack.to_dlpack(impl, max_version, bool(copy))


def __dlpack_device__(self):
    """Return DLPack's pair of a device type and an index, which is the CPU's."""
    cdef TensorBase t = <TensorBase?>self
    if is_special(t) and is_meta(t):
        raise ValueError("Unknown device type meta for Dlpack")
    return (1, 0)


def from_dlpack(ext_tensor, *, device=None, copy=None):
    """Return a tensor that shares the memory of another library's array.

    Parameters
    ----------
    ext_tensor : object with ``__dlpack__``, or a capsule
    device : device or str, optional
    copy : bool, optional
        True: always copy; False: never.

    Returns
    -------
    Tensor
        The shape and dtype of the array.

    Raises
    ------
    BufferError
        If the array's dtype has no counterpart in DLPack, or the device is ``meta``.
    RuntimeError
        If the argument is neither an array nor a capsule, or the capsule was consumed before.

    Examples
    --------
    >>> import numpy as np
    >>> import minitorch as torch
    >>> numbers = np.arange(3)
    >>> x = torch.from_dlpack(numbers)
    >>> numbers[0] = 7
    >>> x
    tensor([7, 1, 2])
    """
    if device is not None and check_device(device):
        raise BufferError("Cannot pack tensors on meta")
    impl, must_copy = dlpack.from_dlpack(ext_tensor, copy)
    return make_tensor(clone(impl) if must_copy else impl)


# ---- raw memory

def is_set_to(self, tensor):
    """Return whether both tensors are the same view of the same memory."""
    cdef TensorImpl a = (<TensorBase?>self).impl, b = (<TensorBase?>tensor).impl
    return (a.storage == b.storage and a.storage_offset == b.storage_offset
            and sizes_tuple(a) == sizes_tuple(b) and strides_tuple(a) == strides_tuple(b))


def is_same_size(self, other):
    """Return whether both tensors have the same shape."""
    return bool(same_sizes((<TensorBase?>self).impl.geometry, (<TensorBase?>other).impl.geometry))


def resize_(self, *args, **kwargs):
    """Give the tensor another shape, row-major; the memory grows when it has to.

    Raises
    ------
    RuntimeError
        When the tensor requires grad, or its memory is not its own.
    """
    cdef TensorBase t = <TensorBase?>self
    cdef Py_ssize_t[MAX_DIMS] n
    cdef int dims, d
    cdef Py_ssize_t before, count, step
    cdef TensorImpl view
    _, (size, memory_format) = bind(_RESIZE, args, kwargs, name="resize_")
    if requires_grad(t):
        raise RuntimeError("cannot resize variables that require grad")
    if any_level and top_level_of((t,)) >= 0:
        raise RuntimeError("cannot resize variables that has a forward grad")
    if is_sparse(t.impl):
        check_data(t, STORAGE)
    if interposers or is_special(t):
        options = {} if memory_format is None else {"memory_format": memory_format}
        if create_in_python("resize_", (t, list(size)), options) is not None:
            return self
    if is_special(t):
        return _resize_special(t, size, memory_format)
    check_not_inference(t)
    if memory_format is not None and memory_format._code == PRESERVE_FORMAT:
        raise RuntimeError("Unsupported memory formatPreserve")
    dims = read_sizes(size, n)
    for d in range(dims):
        if n[d] < 0:
            raise RuntimeError("numel: integer multiplication overflow")
    changed = sizes_tuple(t.impl) != size
    if changed:
        before = numel(t.impl)
        resize(t.impl, dims, n)
        if numel(t.impl) > before:
            count, step = numel(t.impl) - before, 1
            as_found(as_strided_impl(t.impl, 1, &count, &step, t.impl.storage_offset + before))
    if memory_format is not None and memory_format._code > 1:
        view = empty_in_format(t.impl, t.impl.dtype, memory_format._code)
        release_geometry(t.impl.geometry)
        t.impl.geometry = retain_geometry(view.geometry)
    if changed:
        bump_version(t.impl)
    return self


cdef object _resize_special(TensorBase t, tuple size, memory_format):
    """Resize a special tensor: without elements, with math bits, or all samples of a batch."""
    if is_meta_impl(t.impl):
        return _resize_meta(t, size, memory_format)
    if bits_in(t.impl) is not None:
        look = plain(t)
        resize_(look, size, memory_format=memory_format)
        become_like(t, marked(look, *bits_of(t)))
        return t
    if wrapped(t) is None:
        raise NotImplementedError(f"resize_() of {type(t.impl.special).__name__}")
    cdef Wrapped special = <Wrapped>t.impl.special
    if special.dim >= 0 and memory_format is not None and memory_format._code != 0:
        raise RuntimeError("resize_: batching rule only supports None or Contiguous MemoryFormat")
    if special.dim > 0:
        raise RuntimeError("vmap: resize_ is only supported where the batch is the first dimension")
    whole = (special.level.batch_size, *size) if special.dim == 0 else size
    resize_(special.value, whole, memory_format=memory_format)
    refresh(t)
    return t


cdef object _resize_meta(TensorBase t, tuple size, memory_format):
    """Resize a tensor on the device ``meta``; it keeps its storage if that is large enough."""
    cdef Py_ssize_t[MAX_DIMS] n
    cdef TensorImpl wanted = without_elements(read_sizes(size, n), n, NULL, 0, t.impl.dtype)
    if memory_format is not None and memory_format._code > 1:
        wanted = empty_in_format(wanted, t.impl.dtype, memory_format._code)
    changed = sizes_tuple(t.impl) != size
    if wanted.storage.nbytes > t.impl.storage.nbytes:
        become_meta(t, wanted)
    elif changed or memory_format is not None:
        release_geometry(t.impl.geometry)
        t.impl.geometry = retain_geometry(wanted.geometry)
    if changed:
        bump_version(t.impl)
    return t


cdef list _RESIZE = ["resize_(SymIntArrayRef size, *, MemoryFormat? memory_format=None)"]


def detach_(self):
    """Cut a tensor off from the graph that made it."""
    cdef TensorBase t = <TensorBase?>self
    if any_inference_mode and inference_enabled():
        return self                     # there nothing is recorded, which includes this
    if _is_view(t):
        raise RuntimeError(
            "Can't detach views in-place. Use detach() instead. If you are using "
            "DistributedDataParallel (DDP) for training, and gradient_as_bucket_view is set as True, "
            "gradients are views of DDP buckets, and hence detach_() cannot be called on these "
            "gradients. To fix this error, please refer to the Optimizer.zero_grad() function in "
            "torch/optim/optimizer.py as the solution.")
    if t._grad_fn is not None:
        leave_to_nodes(t)
    t._grad_fn = None
    t._output_nr = 0
    t._requires_grad = False
    t._tangent = None
    return self


cdef bint _is_view(TensorBase t) except -1:
    """Return whether PyTorch has a view here: its `vmap` calls detach_() on each sample, a view of the batch."""
    cdef Wrapped special = wrapped(t)
    if special is None or special.dim < 0 or not special.level.alive:
        return t._view is not None
    tell_of(t, "aten::detach_")
    return True


cdef Level _differentiated_at(object t):
    cdef Wrapped special = wrapped(<TensorBase>t) if isinstance(t, TensorBase) else None
    return special.level if special is not None and special.dim < 0 and special.level.alive else None


def reject_set(TensorBase t, source):
    """Raise PyTorch's error for set_() if `t` or `source` is differentiated at a level of a transform."""
    cdef Level own = _differentiated_at(t), other = _differentiated_at(source)
    if other is not None and other is not own:
        raise captured("aten::set_.source_Tensor")
    if own is not None and own.kind == "jvp":
        raise no_forward_mode("set_", "inplace")
    if own is not None and grad_enabled():
        check_inplace(t, True)
        raise RuntimeError("derivative for set_ is not implemented")


def _set_storage(self, UntypedStorage storage, Py_ssize_t offset, tuple size, object stride,
                 TensorBase source=None):
    """Make `self` a view of other memory, for set_(); `source` is the tensor whose memory it is, if any."""
    cdef TensorBase t = <TensorBase?>self
    cdef bint kept = size == sizes_tuple(t.impl) and (stride is None or tuple(stride) == strides_tuple(t.impl))
    cdef TensorImpl view = _over(storage, t.impl.dtype, offset, size, stride, t.impl if kept else None)
    cdef bint records = grad_enabled() and (
        requires_grad(t) or (source is not None and requires_grad(source)))
    check_data(t, STORAGE)
    if any_level and top_level_of((t, source)) >= 0:
        raise no_forward_mode("set_", "inplace")
    check_inplace(t, records)
    cdef NotImplemented node = _no_derivative(t, source) if records else None
    cdef object special = t.impl.special
    become(t.impl, view)
    if special is not None and (<Special>special).stays_with_tensor():
        t.impl.special = special            # its class computes for it, whatever memory is behind it
    t.grad_accumulator = NULL               # the sink of a leaf knows its sizes
    own_version_counter(t.impl)
    bump_version(t.impl)
    if node is not None:
        t._view = None                      # what it was a view of stays as it is
        add_first_output(node, t.impl)
        rebase_history(t, node)


cdef NotImplemented _no_derivative(TensorBase t, TensorBase source):
    """Return the node of a tensor after set_(); its backward raises."""
    cdef NotImplemented node = NotImplemented.__new__(NotImplemented)
    node.arg0 = "set_"
    start_node(node)
    node.edge0 = gradient_edge(t, &node.nr0)
    node.num_edges = 1
    if source is not None:
        node.edge1 = gradient_edge(source, &node.nr1)
        node.num_edges = 2
    return node


def _from_storage(UntypedStorage storage, dtype d, Py_ssize_t offset, tuple size,
                  object stride):
    """Return a new tensor over a storage; it is row-major if `stride` is None."""
    return make_tensor(_over(storage, code_of(d), offset, size, stride))


cdef TensorImpl _over(UntypedStorage storage, int code, Py_ssize_t offset, tuple size, object stride,
                      TensorImpl kept=None):
    """Return data over a storage, which grows if needed; with `kept`, whose geometry stays, it raises instead."""
    cdef Py_ssize_t none = 0, item = itemsizes[code]
    cdef object extent = 1, count        # Python's: they may be too large for the machine's
    cdef Py_ssize_t[MAX_DIMS] n
    cdef Py_ssize_t[MAX_DIMS] s
    cdef TensorImpl base
    cdef int dims = read_sizes(size, n), d
    cdef bint backwards = False, nothing = False
    if offset < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {offset}")
    if kept is not None:
        memcpy(s, strides(kept), dims * sizeof(Py_ssize_t))
    elif stride is None:
        for d in range(dims - 1, -1, -1):
            s[d] = extent
            extent = min(extent * max(n[d], 1), PY_SSIZE_T_MAX)
    else:
        if len(stride) != dims:
            raise RuntimeError(f"unequal size length ({dims}) and stride length ({len(stride)})")
        read_sizes(stride, s)
    extent = 1
    for d in range(dims):
        count = n[d]
        if count < 0:
            raise RuntimeError("numel: integer multiplication overflow")
        nothing = nothing or count == 0
        extent = 0 if nothing else extent + (count - 1) * s[d]
        backwards = backwards or (count > 1 and s[d] < 0)
    if (offset + extent) * item > PY_SSIZE_T_MAX or (backwards and not nothing):
        told = "" if stride is None else f" and strides={list(stride)}"
        raise RuntimeError(f"Storage size calculation overflowed with sizes={list(size)}{told}")
    if not nothing and (offset + extent) * item > storage.impl.nbytes:
        if kept is not None:
            raise RuntimeError(
                f"setStorage: sizes {list(size)}, strides {list(stride or ())}, storage offset {offset}, and "
                f"itemsize {item} requiring a storage size of {(offset + extent) * item} are out of bounds for "
                f"storage of size {storage.impl.nbytes}")
        _grow(storage.impl, (offset + extent) * item)
    for d in range(dims - 1, -1, -1):
        if s[d] < 0:                        # at most one element: the stride is never used
            s[d] = 1 if d == dims - 1 else max(n[d + 1], 1) * s[d + 1]
    base = empty(1, &none, code)
    retain_storage(storage.impl)
    release_storage(base.storage)
    base.storage = storage.impl
    base.version_counter = &storage.impl.version
    return recognised(as_strided_impl(base, dims, n, s, offset))


cdef int _grow(StorageImpl* storage, Py_ssize_t nbytes) except -1:
    if storage.fixed_size:
        raise RuntimeError("Trying to resize storage that is not resizable")
    return resize_storage(storage, nbytes)
