"""`TensorProperties`: what a tensor says about itself.

Methods without arguments are without Python's binding: they cost less so, and their errors are those of
PyTorch's, which are made in the same way.
"""

import weakref

cimport cython

from minitorch.autograd.functions.subscript cimport TensorSubscript
from minitorch.autograd.grad_mode cimport grad_enabled
from minitorch.autograd.interpose cimport check_data
from minitorch.autograd.levels cimport Wrapped, in_levels, wrapped
from minitorch.autograd.math_bits cimport bits_in
from minitorch.autograd.meta cimport has_no_data, is_meta, is_meta_impl
from minitorch.autograd.node cimport Node
from minitorch.autograd.python_dispatch cimport Dispatched, dispatched_of
from minitorch.autograd.sparse_tensor cimport is_sparse
from minitorch.autograd.special cimport interposers
from minitorch.autograd.torch_function cimport (
    PYTHON, UNPARSED, is_alone_plain, no_override, override_method)
from minitorch.autograd.variable cimport TensorBase, engine_operators, grad_fn_of, make_tensor, requires_grad
from minitorch.core.dtype cimport (
    NoType, c_name, class_name, dtype, dtype_of, is_complex, is_differentiable, is_floating, itemsizes)
from minitorch.core.dtype_code cimport code_of
from minitorch.core.special cimport (
    ALIAS, DETACHED_WITH_COUNTER, ITEM, LIST, POINTER, STORAGE, TRUTH, DataUse, Special, resolved_impl,
    special_of_thread)
from minitorch.core.untyped_storage cimport wrap_storage
from minitorch.core.tensor_impl cimport (
    TensorImpl, become, data, is_contiguous, ndim, numel, own_version_counter, same_sizes, sizes, sizes_tuple,
    strides, strides_tuple, unshared_alias, wrap_dim)
from minitorch.ops.common.copy cimport is_in_format
from minitorch.ops.common.scalar cimport item, tolist

from minitorch.autograd.interpose import create
from minitorch.autograd.levels import reject_in_transform
from minitorch.autograd.python_dispatch import has_own_dispatch, said
from minitorch.autograd.math_bits import bits_of
from minitorch.autograd.variable import _grad_dtype_of, _grad_dtypes
from minitorch.core import types
from minitorch.core.error_pages import explained
from minitorch.parsing.parser import bind
from minitorch.core.once import warn_once

cdef object _Size = types.Size
cdef object _cpu = types.cpu
cdef object _meta = types.meta
cdef object _strided = types.strided
cdef object _sparse_coo = types.sparse_coo


cdef object _said_device(TensorBase t):
    """The device that a tensor of a class with ``__torch_dispatch__`` was said to be on; None: on none."""
    return (<Dispatched>t.impl.special).device if dispatched_of(t.impl) is not None else None


cdef object size_of_tuple(tuple sizes):
    return tuple.__new__(_Size, sizes)


cdef tuple _sizes_of(TensorBase t):
    """Return the sizes of `t`, which its class may report."""
    sizes = None if t.impl.special is None else said(t, "sizes")
    return sizes_tuple(t.impl) if sizes is None else sizes


cdef tuple _strides_of(TensorBase t):
    strides = None if t.impl.special is None else said(t, "strides")
    return strides_tuple(t.impl) if strides is None else strides


cdef int _dim_of(TensorBase t) except -1:
    n = None if t.impl.special is None else said(t, "dim")
    return ndim(t.impl) if n is None else n


cdef object _numel_of(TensorBase t):
    count = None if t.impl.special is None else said(t, "numel")
    return numel(t.impl) if count is None else count


cdef int _check_not_batched(TensorBase t) except -1:
    """Raise PyTorch's error if `t` is batched: its order of dimensions in memory is not defined."""
    cdef Wrapped special = wrapped(t)
    while special is not None and (special.dim < 0 or not special.level.alive):
        special = wrapped(special.value)
    if special is not None:
        raise RuntimeError("NYI: querying is_contiguous inside of vmap for memory_format other than "
                           "torch.contiguous_format")
    return 0


cdef bint _is_sparse(TensorBase t):
    """Return whether a tensor is sparse, or wraps one that is at the level of a transform."""
    while wrapped(t) is not None:
        t = (<Wrapped>t.impl.special).value
    return is_sparse(t.impl)


def _set_grad_dtype(TensorBase t, int code):
    key = id(t)
    if code == t.impl.dtype:
        _grad_dtypes.pop(key, None)
    else:
        _grad_dtypes[key] = weakref.ref(t, lambda gone: _grad_dtypes.pop(key, None)), code
    if t.grad_accumulator != NULL:
        (<Node>t.grad_accumulator).metadata0.dtype = code


cdef str _NEW_BASE = "_view_func(): argument 'new_base' (position 1) must be Tensor, not "


@cython.binding(False)
cdef class TensorProperties(TensorSubscript):
    """Shape, dtype, layout, and the values of single elements."""

    @property
    def shape(self):
        """The sizes of the dimensions."""
        return size_of_tuple(_sizes_of(self))

    def size(self, dim=None, *rest):
        """All sizes, or that of one dimension."""
        if rest:
            raise too_many("size", len(rest) + 1)
        if dim is None:
            return size_of_tuple(_sizes_of(self))
        if type(dim) is not int:
            _, (dim,) = bind(["size(int64_t dim)"], (dim,), {}, name="size")
        if self.impl.special is not None:
            dim = wrap_dim_no_scalar(dim, _dim_of(self))
            return _sizes_of(self)[dim]
        return sizes(self.impl)[wrap_dim_no_scalar(dim, ndim(self.impl))]

    def stride(self, dim=None, *rest):
        """All strides in elements, or that of one dimension."""
        if rest:
            raise too_many("stride", len(rest) + 1)
        if dim is None:
            return _strides_of(self)
        if type(dim) is not int:
            _, (dim,) = bind(["stride(int64_t dim)"], (dim,), {}, name="stride")
        if self.impl.special is not None:
            return _strides_of(self)[wrap_dim_no_scalar(dim, ndim(self.impl))]
        return strides(self.impl)[wrap_dim_no_scalar(dim, ndim(self.impl))]

    @cython.always_allow_keywords(False)
    def storage_offset(self):
        """Where in the storage the first element is, in elements."""
        offset = None if self.impl.special is None else said(self, "offset")
        return self.impl.storage_offset if offset is None else offset

    @cython.always_allow_keywords(False)
    def dim(self):
        """The number of dimensions."""
        return _dim_of(self)

    @cython.always_allow_keywords(False)
    def ndimension(self):
        """The number of dimensions."""
        return _dim_of(self)

    @property
    def ndim(self):
        """The number of dimensions."""
        return _dim_of(self)

    @cython.always_allow_keywords(False)
    def numel(self):
        """The number of elements."""
        return _numel_of(self)

    @cython.always_allow_keywords(False)
    def nelement(self):
        """The number of elements."""
        return _numel_of(self)

    @cython.always_allow_keywords(False)
    def element_size(self):
        """Bytes of one element."""
        return itemsizes[self.impl.dtype]

    @property
    def itemsize(self):
        """Bytes of one element."""
        return itemsizes[self.impl.dtype]

    @property
    def nbytes(self):
        """Bytes of all elements."""
        if is_sparse(self.impl):
            raise RuntimeError(
                "nbytes is not defined for sparse tensors.  If you want the size of the constituent tensors, "
                "add the nbytes of the indices and values.  If you want the size of the  equivalent dense "
                "tensor, multiply numel() by element_size()")
        return numel(self.impl) * itemsizes[self.impl.dtype]

    @property
    def dtype(self):
        """The element type."""
        return dtype_of(self.impl.dtype)

    @property
    def device(self):
        """Where the tensor lives."""
        if self.impl.special is None:
            return _cpu
        return said(self, "device") or _said_device(self) or (_meta if is_meta(self) else _cpu)

    @property
    def layout(self):
        """How its elements are stored."""
        if self.impl.special is None:
            return _strided
        if dispatched_of(self.impl) is not None and (<Dispatched>self.impl.special).layout is not None:
            return said(self, "layout") or (<Dispatched>self.impl.special).layout
        return said(self, "layout") or (_sparse_coo if _is_sparse(self) else _strided)

    @cython.always_allow_keywords(False)
    def get_device(self):
        """The index of the device; -1 for the CPU."""
        return -1

    @property
    def is_sparse(self):
        """True if the layout is ``sparse_coo``."""
        return self.impl.special is not None and _is_sparse(self)

    @property
    def is_cpu(self):
        """True if the tensor is on the CPU: it has elements."""
        return self.impl.special is None or self.device.type == "cpu"

    @property
    def is_meta(self):
        """True if the tensor is on the device ``meta``: it has a shape, and no elements."""
        return self.impl.special is not None and self.device.type == "meta"

    @property
    def is_cuda(self):
        """True if the tensor is on a GPU: only one of a class that says so."""
        return self.impl.special is not None and self.device.type == "cuda"

    is_quantized = property(lambda self: False)
    is_nested = property(lambda self: False)
    is_mkldnn = property(lambda self: False)
    is_sparse_csr = property(lambda self: False)
    is_ipu = property(lambda self: False)
    is_maia = property(lambda self: False)
    is_mps = property(lambda self: False)
    is_mtia = property(lambda self: False)
    is_vulkan = property(lambda self: False)
    is_xla = property(lambda self: False)
    is_xpu = property(lambda self: False)

    @cython.always_allow_keywords(False)
    def is_floating_point(self):
        """True if the dtype is a real floating-point type."""
        return bool(is_floating(self.impl.dtype))

    @cython.always_allow_keywords(False)
    def is_complex(self):
        """True if the dtype is complex."""
        return bool(is_complex(self.impl.dtype))

    @cython.always_allow_keywords(False)
    def is_signed(self):
        """True if the dtype has negative values."""
        return dtype_of(self.impl.dtype).is_signed

    @cython.always_allow_keywords(False)
    def is_conj(self):
        """True if the tensor is a lazy conjugate: its elements are to be conjugated when they are read."""
        return bits_of(self)[0]

    @cython.always_allow_keywords(False)
    def is_neg(self):
        """True if the tensor is a lazy negative: its elements are to be negated when they are read."""
        return bits_of(self)[1]

    @cython.always_allow_keywords(False)
    def is_inference(self):
        """True if the tensor was made in inference mode."""
        return bool(self.impl.inference)

    def is_contiguous(self, memory_format=None):
        """True if the elements stand row by row (or in `memory_format`) without gaps."""
        if self.impl.special is not None:
            answer = said(self, "contiguous", memory_format)
            if answer is not None:
                return answer
        if memory_format is None:
            return bool(is_contiguous(self.impl))
        if not isinstance(memory_format, types.memory_format):
            bind(["is_contiguous(*, MemoryFormat memory_format)"], (), {"memory_format": memory_format},
                 name="is_contiguous")
        if memory_format is not types.contiguous_format:
            _check_not_batched(self)
        return bool(is_in_format(self.impl, memory_format._code))

    def requires_grad_(self, requires_grad=True):
        """Start or stop recording operators on this leaf, and return the tensor itself.

        Raises
        ------
        RuntimeError
            If the tensor is not a leaf, or its dtype is neither floating point nor complex.
        """
        if not isinstance(requires_grad, bool):
            raise TypeError("requires_grad_(): argument 'requires_grad' (position 1) must be bool, not "
                            + type(requires_grad).__name__)
        if in_levels():
            reject_in_transform("requires_grad_() (or perhaps using torch.autograd.functional.* APIs)",
                                "requires_grad_()")
        if requires_grad and (self._requires_grad or self._grad_fn is not None):
            return self                # also if it is a view whose history was lost
        self._change_requires_grad(
            requires_grad, "only Tensors of floating point dtype can require gradients")
        return self

    @cython.always_allow_keywords(False)
    def data_ptr(self):
        """The address of the first element."""
        if not is_meta_impl(self.impl):
            check_data(self, POINTER)
        return <size_t>data(self.impl) if numel(self.impl) and not has_no_data(self) else 0

    @cython.always_allow_keywords(False)
    def untyped_storage(self):
        """The memory behind the tensor."""
        check_data(self, STORAGE)
        return wrap_storage(self.impl.storage)

    @cython.always_allow_keywords(False)
    def item(self):
        """The only element, as a Python number.

        Raises
        ------
        RuntimeError
            When the tensor has more or fewer elements.
        """
        return _item_of(self, ITEM)

    @cython.always_allow_keywords(False)
    def tolist(self):
        """The elements as nested lists; a number for a 0-dim tensor."""
        check_data(self, LIST)
        if has_own_dispatch(self):
            raise RuntimeError(f".tolist() is not supported for tensor subclasses, got {type(self).__name__}")
        return tolist(resolved_impl(self.impl))

    def __len__(self):
        if not is_alone_plain(self):
            result = override_method("__len__", PYTHON, (self,))
            if result is not no_override:
                return result
        if _dim_of(self) == 0:
            raise TypeError("len() of a 0-d tensor")
        return _sizes_of(self)[0]

    def __bool__(self):
        if not is_alone_plain(self):
            result = override_method("__bool__", UNPARSED, (self,))
            if result is not no_override:
                return result
        if numel(self.impl) != 1:
            if wrapped(self) is not None:
                check_data(self, TRUTH)
            raise explained(RuntimeError("Boolean value of Tensor with " + (
                "more than one value is ambiguous" if numel(self.impl) else "no values is ambiguous")),
                "bool-of-tensor")
        return bool(_item_of(self, TRUTH))

    def __float__(self):
        if not is_alone_plain(self):
            result = override_method("__float__", UNPARSED, (self,))
            if result is not no_override:
                return result
        return float(_real(_number(self, True), "double"))

    def __int__(self):
        if not is_alone_plain(self):
            result = override_method("__int__", UNPARSED, (self,))
            if result is not no_override:
                return result
        return int(_real(_number(self, False), "int64_t"))

    def __complex__(self):
        if not is_alone_plain(self):
            result = override_method("__complex__", UNPARSED, (self,))
            if result is not no_override:
                return result
        return complex(_number(self, True))

    def __index__(self):
        if not is_alone_plain(self):
            result = override_method("__index__", UNPARSED, (self,))
            if result is not no_override:
                return result
        if numel(self.impl) != 1 or is_floating(self.impl.dtype) or is_complex(self.impl.dtype):
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(_item_of(self, ITEM))

    # -- the parts of autograd that few programs touch

    @property
    def data(self):
        """A tensor over the same memory, without history and with a version counter of its own."""
        cdef TensorImpl impl
        cdef Special special = special_of_thread() if self.impl.special is None else self.impl.special
        cdef int kind = ALIAS if special is None else special.data_kind()
        if kind == ALIAS:
            impl = unshared_alias(self.impl)
            impl.uncounted = False
            return make_tensor(impl)
        result = self.detach()              # a mode, or the rules of the special tensor, make the result
        if not isinstance(result, TensorBase):
            raise RuntimeError(f"detach returned invalid type {type(result).__name__}, expected Tensor")
        if kind == DETACHED_WITH_COUNTER:
            own_version_counter((<TensorBase>result).impl)
        return result

    @data.setter
    def data(self, value):
        cdef TensorBase other
        cdef Special special
        if not isinstance(value, TensorBase):
            raise TypeError("Variable data has to be a tensor, but got " + type(value).__name__)
        other = value
        special = other.impl.special if self.impl.special is None else self.impl.special
        if special is not None:
            special.check_set_data()
        if self._requires_grad and not is_differentiable(other.impl.dtype):
            raise RuntimeError(
                "data set to a tensor that requires gradients must be floating point or complex dtype")
        if self.is_sparse != other.is_sparse or self.is_meta != other.is_meta:
            raise RuntimeError(
                "Attempted to call `variable.set_data(tensor)`, but `variable` and `tensor` have incompatible tensor "
                "type.")
        if other.impl.dtype != self.impl.dtype:
            self.grad_accumulator = NULL        # the present sink expects gradients of the old dtype
        # the impl stays the same object: as in PyTorch, a graph that has saved it sees the new values
        special = self.impl.special
        become(self.impl, other.impl)
        self.impl.inference = other.impl.inference
        if special is not None and special.stays_with_tensor():
            self.impl.special = special

    @data.deleter
    def data(self):
        raise RuntimeError("Deleting tensor data is not allowed. Delete tensor instead!")

    @property
    def grad_dtype(self):
        """The dtype that gradients are cast to before they are added to ``.grad``; None for any.

        By default it is the tensor's own dtype. Only a leaf has it. It cannot be set while ``.grad`` has another
        dtype, and copies and pickles of the tensor lose it.
        """
        if grad_fn_of(self) is not None:
            raise RuntimeError("grad_dtype can only be accessed on leaf tensors.")
        code = _grad_dtype_of(self)
        return None if code == NoType else dtype_of(code)

    @grad_dtype.setter
    def grad_dtype(self, value):
        cdef int code
        if value is not None and not isinstance(value, dtype):
            raise RuntimeError(f"grad_dtype must be a torch.dtype or None, but got {type(value).__name__}")
        if grad_fn_of(self) is not None:
            raise RuntimeError("grad_dtype can only be set on leaf tensors.")
        code = NoType if value is None else code_of(<dtype>value)
        if code != NoType and self._grad is not None and self._grad.impl.dtype != code:
            raise RuntimeError(
                f"Cannot set grad_dtype to '{class_name(code)}' because there is already a gradient with dtype "
                f"'{c_name(self._grad.impl.dtype)}'. Please clear the gradient (.grad = None) before changing "
                "grad_dtype, or ensure the new grad_dtype matches the existing gradient's dtype.")
        _set_grad_dtype(self, code)

    def _view_func(self, new_base, symint_visitor_fn=None, tensor_visitor_fn=None):
        """Return this view, but of `new_base`; None if its sizes and strides are not those of the present base."""
        cdef TensorBase base, other
        if not isinstance(new_base, TensorBase):
            raise TypeError(_NEW_BASE + type(new_base).__name__)
        if self._view is None:
            return None
        base, other = self._view.base, new_base
        if not (same_sizes(base.impl.geometry, other.impl.geometry)
                and strides_tuple(base.impl) == strides_tuple(other.impl)):
            return None
        return engine_operators.view_like(other, base, self)

    def _view_func_unsafe(self, new_base, symint_visitor_fn=None, tensor_visitor_fn=None):
        """Return this view, but of `new_base`, which may have any sizes and strides."""
        if not isinstance(new_base, TensorBase):
            raise TypeError(_NEW_BASE + type(new_base).__name__)
        return None if self._view is None else engine_operators.view_like(new_base, self._view.base, self)

    def _rev_view_func_unsafe(self, new_view):
        """Raise RuntimeError: minitorch's views do not keep what is needed to compute a base from a view."""
        if not isinstance(new_view, TensorBase):
            raise RuntimeError("_rev_view_func expect a single argument that is a Tensor")
        raise RuntimeError("No _rev_view_func() found")


cdef object too_many(str name, Py_ssize_t given):
    return TypeError(f"{name}() takes from 0 to 1 positional arguments but {given} were given")


cdef int wrap_dim_no_scalar(object dim, int ndim) except -1:
    if ndim == 0:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return wrap_dim(dim, ndim)


cdef str _LOST_HISTORY = (
    "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\n"
    "Consider using tensor.detach() first.")


cdef object _real(object number, str kind):
    """A number without its imaginary part, which must be zero."""
    if not isinstance(number, complex):
        return number
    if number.imag:
        raise RuntimeError(f"value cannot be converted to type {kind} without overflow")
    return number.real


cdef object _number(TensorBase t, bint differentiable):
    if differentiable and grad_enabled() and requires_grad(t):
        warn_once(_LOST_HISTORY)
    if numel(t.impl) != 1:
        raise ValueError("only one element tensors can be converted to Python scalars")
    return _item_of(t, ITEM)


cdef object _item_of(TensorBase t, DataUse use):
    """The only element."""
    if interposers or t.impl.special is not None:
        if is_sparse(t.impl):
            return item((<TensorBase>(<object>t).detach().to_dense()).impl)
        if bits_in(t.impl) is not None:
            t = make_tensor(resolved_impl(t.impl))
        if numel(t.impl) != 1:
            if not is_meta(t):
                check_data(t, use)
            raise explained(RuntimeError(
                f"a Tensor with {numel(t.impl)} elements cannot be converted to Scalar"), "item-of-several")
        check_data(t, use)
        for name in ("item", "_local_scalar_dense"):
            outcome = create(name, (t,), {})
            if outcome is not None:
                return outcome
    return item(t.impl)


def is_inference(input):
    """Return whether a tensor was made in inference mode.

    Parameters
    ----------
    input : Tensor

    Examples
    --------
    >>> import minitorch as torch
    >>> with torch.inference_mode():
    ...     x = torch.ones(1)
    >>> torch.is_inference(x)
    True
    """
    if not isinstance(input, TensorBase):
        raise TypeError(f"is_inference(): argument 'input' (position 1) must be Tensor, not {type(input).__name__}")
    return bool((<TensorBase>input).impl.inference)
