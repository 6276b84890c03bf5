"""The Python part of `Tensor`."""

import functools
import warnings
from collections import OrderedDict
from numbers import Number

from minitorch import _tensor_str
from minitorch._sparse import legacy as _sparse_legacy
from minitorch._sparse.gradients import sparse_gather
from minitorch._sparse.methods import SparseMethods
from minitorch.autograd import backward as _backward
from minitorch.autograd.functions import conversions as _conversions
from minitorch.autograd.functions import creation as _creation
from minitorch.autograd.functions import from_data as _from_data
from minitorch.autograd.functions import interchange as _interchange
from minitorch.autograd.functions import tensor_methods as _tensor_methods
from minitorch.autograd.functions.python_signatures import parsed_method as _parsed_method
from minitorch.autograd.functions.subclass import _of_preexisting
from minitorch.autograd.functions.subclass import as_subclass as _as_subclass
from minitorch.autograd.functions.subclass import check_arguments as _check_make_subclass
from minitorch.autograd.functions.tensor_methods import TensorMethods
from minitorch.autograd.graph_api.gc_tracking import _track_held
from minitorch.autograd.hooks import _retain_grad, _start_tensor_hooks
from minitorch.autograd.levels import reject_in_transform
from minitorch.autograd.python_dispatch import dispatched as _dispatched
from minitorch.autograd.python_dispatch import has_own_dispatch as _has_own_dispatch
from minitorch.autograd.python_dispatch import is_without_data as _is_without_data
from minitorch.autograd.python_dispatch import switch_dispatch as _switch_dispatch
from minitorch.autograd.python_dispatch import told as _told
from minitorch.autograd.torch_function import (
    DisableTorchFunctionSubclass,
    _disabled_torch_function_impl,
    _has_torch_function,
    handle_torch_function,
    register_plain_class,
)
from minitorch.autograd.variable import TensorBase, _make_tensor_like, _register_tensor_class
from minitorch.composed import removed_functions as _removed
from minitorch.core.handles import RemovableHandle
from minitorch.core.once import warn_once
from minitorch.parsing.parser import bind
from minitorch.parsing.values import register_type
from minitorch.tensors import rebuilding as _rebuild
from minitorch.tensors import typed_storage as _storage
from minitorch.tensors.layout_methods import LayoutMethods
from minitorch.tensors.rebuilding import (
    _rebuild_from_type_v2 as _rebuild_from_type_v2,
)  # pickles refer to it by this module
from minitorch.tensors.typed_storage import UntypedStorage


def _subclass(cls):
    """Return `cls`; raise TypeError unless it is a subclass of `TensorMethods`."""
    if not isinstance(cls, type):
        raise TypeError(f"cls must be a type (got {type(cls).__name__})")
    if not issubclass(cls, TensorMethods):
        raise TypeError(
            "Creating a Tensor subclass from a class that does not inherit from Tensor is not "
            "possible. Make sure your class inherits from Tensor."
        )
    return cls


def _with_own_dispatch(t):
    """Return `t`, dispatched to the ``__torch_dispatch__`` of its class if overridden."""
    method = type(t).__torch_dispatch__
    method = getattr(method, "__func__", method)
    return t if method is Tensor.__torch_dispatch__.__func__ else _dispatched(t)


def _has_history(t):
    """Return whether a tensor requires a gradient, without triggering overrides."""
    return TensorBase.requires_grad.__get__(t) or TensorBase.grad_fn.__get__(t) is not None


def _told_set(t, values):
    """Return whether a mode or class with ``__torch_dispatch__`` has handled `set_`."""
    values = [list(value) if isinstance(value, tuple) else value for value in values]
    return _told("set_", (t, *values), {}) is not None


class Tensor(LayoutMethods, SparseMethods, TensorMethods):
    """A multi-dimensional array of one dtype, which autograd can record operations on.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    >>> (x * x).sum().backward()
    >>> x.grad
    tensor([[2., 4.],
            [6., 8.]])
    """

    def __new__(cls, *args, **kwargs):
        """Create a tensor by PyTorch's legacy constructor: ``Tensor(2, 3)``, ``Tensor([1, 2])``."""
        if len(args) == 1 and not kwargs and isinstance(args[0], Tensor):
            if _has_own_dispatch(args[0]):
                return cls._make_subclass(cls, args[0])
            return _with_own_dispatch(_as_subclass(args[0], cls))
        return cls._make_subclass(cls, _from_data.legacy_new(args, kwargs, None))

    @staticmethod
    def _make_subclass(cls, data, require_grad=False):
        """Return a leaf of class `cls` that shares the memory of `data`."""
        _check_make_subclass(data, require_grad)
        if _has_own_dispatch(data):
            made = data.detach()
            if _has_own_dispatch(made):
                return _of_preexisting(cls, made)
        if cls is not Tensor or _has_history(data):
            data = _make_tensor_like(data, _subclass(cls))
        data = _with_own_dispatch(data)
        if require_grad:
            data._change_requires_grad(
                True, "Only Tensors of floating point and complex dtype can require gradients"
            )
        return data

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        # a class with `__torch_dispatch__` computes operators itself, so its results are not
        # converted to `cls`
        method = cls.__torch_dispatch__
        if (
            getattr(method, "__func__", method) is not Tensor.__torch_dispatch__.__func__
            and getattr(cls.__torch_function__, "__func__", None)
            is Tensor.__torch_function__.__func__
        ):
            cls.__torch_function__ = _disabled_torch_function_impl

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        """Compute an operator as for plain tensors; subclasses can override this."""
        _switch_dispatch(True)
        try:
            return func(*args, **(kwargs or {}))
        finally:
            _switch_dispatch(False)

    def module_load(self, other, assign=False):
        """Return the tensor to swap with this parameter or buffer when a module loads `other`.

        Parameters
        ----------
        other : Tensor
            The value in the state dictionary.
        assign : bool, default False
            Whether to use `other` itself instead of copying it into this tensor.

        Returns
        -------
        Tensor
        """
        if _has_torch_function((self, other)):
            return handle_torch_function(
                Tensor.module_load, (self, other), self, other, assign=assign
            )
        return other.detach() if assign else self.copy_(other).detach()

    # docs: step 1
    def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
        """Add the gradient of this tensor with respect to the graph's leaves to their ``.grad``.

        Parameters
        ----------
        gradient : Tensor, optional
            The gradient with respect to this tensor, of its shape; not needed for a tensor of one
            element.
        retain_graph : bool, optional
            Whether to keep the graph's saved tensors. Default: `create_graph`.
        create_graph : bool
            Record the backward pass.
        inputs : Tensor or sequence of Tensor, optional
            Accumulate into these only.

        Raises
        ------
        RuntimeError
            See `minitorch.autograd.backward`.
        """
        _backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    # docs: end

    def split(self, split_size, dim=0):
        """Return views of `split_size` elements along a dimension; the last may be smaller.

        `split_size` may also be a list of sizes that add up to the size of `dim`.
        """
        if isinstance(split_size, Tensor) and split_size.numel() == 1:
            split_size = int(split_size)
        if isinstance(split_size, int):
            return _tensor_methods.split(self, split_size, dim)
        return _tensor_methods.split_with_sizes(self, split_size, dim)

    def gather(self, *args, sparse_grad=False, **kwargs):
        """Return the elements at `index` along `dim`; `sparse_grad` makes the gradient sparse."""
        if sparse_grad is True:
            return sparse_gather(self, *args, **kwargs)
        return super().gather(*args, sparse_grad=sparse_grad, **kwargs)

    def unflatten(self, dim, sizes):
        """Return a view whose dimension `dim` is split into `sizes`, one of which may be -1."""
        if not sizes:
            raise RuntimeError("unflatten: sizes must be non-empty")
        return super().unflatten(dim, sizes)

    def register_hook(self, hook):
        """Call ``hook(grad)`` whenever a gradient of this tensor is computed.

        If the hook returns a value other than None, it replaces the gradient. Returns a handle with
        a method ``remove()``.
        """
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if self._backward_hooks is None:
            _start_tensor_hooks(self, OrderedDict())
        handle = RemovableHandle(self._backward_hooks)
        self._backward_hooks[handle.id] = hook
        _track_held(hook)
        return handle

    def register_post_accumulate_grad_hook(self, hook):
        """Call ``hook(self)`` after a gradient is accumulated into this leaf's ``.grad``."""
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if self.grad_fn is not None:
            raise RuntimeError(
                "post accumulate grad hooks cannot be registered on non-leaf tensors"
            )
        if self._post_accumulate_grad_hooks is None:
            self._post_accumulate_grad_hooks = OrderedDict()
        handle = RemovableHandle(self._post_accumulate_grad_hooks)
        self._post_accumulate_grad_hooks[handle.id] = hook
        _track_held(hook)
        return handle

    @property
    def _grad(self):
        """`grad`, without the warning for non-leaf tensors."""
        return self.grad if self.is_leaf or self.retains_grad else None

    @_grad.setter
    def _grad(self, value):
        self.grad = value

    @_grad.deleter
    def _grad(self):
        del self.grad

    @property
    def _grad_fn(self):
        """`grad_fn`, which can be set to None through this name."""
        return self.grad_fn

    @_grad_fn.setter
    def _grad_fn(self, value):
        self._set_grad_fn(value)

    @_grad_fn.deleter
    def _grad_fn(self):
        raise RuntimeError("Deletion of _grad_fn not allowed. Detach tensor instead!")

    def retain_grad(self):
        """Make backward() fill ``.grad`` of this non-leaf tensor."""
        if self.requires_grad:
            reject_in_transform("retain_grad()", "retain_grad()")
        _retain_grad(self)

    new_tensor = _from_data.new_tensor
    new_zeros = _creation.new_zeros
    new_ones = _creation.new_ones
    new_empty = _creation.new_empty
    new_full = _creation.new_full
    new_empty_strided = _creation.new_empty_strided

    numpy = _interchange.numpy
    __array__ = _interchange.__array__
    __array_wrap__ = _interchange.__array_wrap__
    __array_priority__ = 1000  # makes NumPy defer ``array + tensor`` to the tensor
    __dlpack__ = _interchange.__dlpack__
    __dlpack_device__ = _interchange.__dlpack_device__
    is_set_to = _interchange.is_set_to
    is_same_size = _interchange.is_same_size

    resize_ = _interchange.resize_

    # ---- dtype conversions

    to = _conversions.to
    type = _conversions.type_
    type_as = _conversions.type_as
    float = _conversions.float_
    double = _conversions.double
    half = _conversions.half
    bfloat16 = _conversions.bfloat16
    int = _conversions.int_
    long = _conversions.long_
    short = _conversions.short
    char = _conversions.char
    byte = _conversions.byte
    bool = _conversions.bool_
    chalf = _conversions.chalf
    cfloat = _conversions.cfloat
    cdouble = _conversions.cdouble
    cpu = _conversions.cpu
    view = _conversions.view

    def new(self, *args, **kwargs):
        """Return a tensor of this one's dtype and layout, from a size or from data."""
        if self.is_sparse:
            return _sparse_legacy.new_like(args, kwargs, self.dtype)
        return _from_data.legacy_new(args, kwargs, self.dtype, self.is_meta)

    @_parsed_method(
        "cuda(Device? device=None, bool non_blocking=False, *, MemoryFormat? memory_format=None)"
    )
    def cuda(self, device=None, non_blocking=False, memory_format=None):
        """Raise AssertionError: CUDA is not supported."""
        raise AssertionError("Torch not compiled with CUDA enabled")

    @_parsed_method(
        "xpu(Device? device=None, bool non_blocking=False, *, MemoryFormat? memory_format=None)"
    )
    def xpu(self, device=None, non_blocking=False, memory_format=None):
        """Raise AssertionError: XPU is not supported."""
        raise AssertionError("Torch not compiled with XPU enabled")

    def is_distributed(self):
        """Return False: tensors are never distributed over processes."""
        return False

    @property
    def volatile(self):
        """False; a deprecated attribute of PyTorch before 0.4."""
        warnings.warn(
            "volatile was removed (Variable.volatile is always False)", UserWarning, stacklevel=2
        )
        return False

    def _ignored(self, *value):
        warnings.warn(
            "volatile was removed and now has no effect. Use `with torch.no_grad():` instead.",
            UserWarning,
            stacklevel=2,
        )

    volatile = volatile.setter(_ignored).deleter(_ignored)
    del _ignored

    # ---- parts and transposes

    def _reversed_dims(self):
        """Return a view with all dimensions reversed, for the attribute T of non-matrices."""
        n = self.dim()
        if n == 0:
            warn_once(
                "Tensor.T is deprecated on 0-D tensors. This function is the identity in these cases.",
                stacklevel=2,
            )
        else:
            warn_once(
                "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is "
                "deprecated and it will throw an error in a future release. Consider `x.mT` to "
                "transpose batches of matrices or `x.permute(*torch.arange(x.ndim - 1, -1, -1))` to "
                "reverse the dimensions of a tensor.",
                stacklevel=2,
            )
        return self.permute(tuple(range(n - 1, -1, -1)))

    @property
    def mT(self):
        """A view with the last two dimensions swapped."""
        if self.dim() == 0:
            warn_once(
                "Tensor.mT is deprecated on 0-D tensors. This function is the identity in these cases.",
                stacklevel=2,
            )
            return self
        if self.dim() == 1:
            raise RuntimeError(
                "tensor.mT is only supported on matrices or batches of matrices. Got 1-D tensor."
            )
        return self.transpose(-2, -1)

    def _conjugate_transpose(self, name, deprecated):
        n = self.dim()
        if n == 0:
            warn_once(f"{deprecated} is deprecated on 0-D tensors. Consider using x.conj().", 3)
            return self.conj()
        if name == "H" and n != 2:
            hint = " For batches of matrices, consider using tensor.mH" if n > 2 else ""
            raise RuntimeError(
                f"tensor.H is only supported on matrices (2-D tensors). Got {n}-D tensor.{hint}"
            )
        if n == 1:
            raise RuntimeError(
                f"tensor.{name} is only supported on matrices or batches of matrices. Got 1-D tensor."
            )
        transposed = self.transpose(-2, -1)
        return transposed.conj() if self.is_complex() else transposed

    @property
    def H(self):
        """The conjugate transpose of a matrix, as a view."""
        return self._conjugate_transpose("H", "Tensor.H")

    @property
    def mH(self):
        """The conjugate transpose of each matrix of a batch, as a view."""
        return self._conjugate_transpose("mH", "Tensor.mH")

    def adjoint(self):
        """Return the conjugate transpose of each matrix of a batch, as a view."""
        return self._conjugate_transpose("adjoint()", "adjoint()")

    @property
    def real(self):
        """A view of the real parts; the tensor itself if it is real."""
        return _tensor_methods.real(self) if self.is_complex() else self

    @real.setter
    def real(self, value):
        self.real[...] = value

    @property
    def imag(self):
        """A view of the imaginary parts."""
        return _tensor_methods.imag(self)

    @imag.setter
    def imag(self, value):
        self.imag[...] = value

    def __contains__(self, element):
        if isinstance(element, (Tensor, Number)):
            return (element == self).any().item()
        raise RuntimeError(
            "Tensor.__contains__ only supports Tensor or scalar, but you passed in a "
            f"{type(element)}."
        )

    def __reversed__(self):
        return self if self.dim() == 0 else self.flip(0)

    # ---- memory

    def set_(self, *args, **kwargs):
        """Make this tensor use the memory of another tensor or storage."""
        index, values = bind(_SET_SIGNATURES, args, kwargs, name="set_")
        _interchange.reject_set(self, values[0] if values else None)
        if index in (0, 3, 4) and _told_set(self, values):
            return self
        if index == 0:
            storage, offset, size, stride = UntypedStorage(0, device=self.device), 0, (0,), None
        elif index in (1, 3):
            source = values[0]
            _check_storage(source, self)
            storage, offset, size, stride = _untyped(source), 0, None, None
            if index == 3:
                offset, size, stride = (
                    source.storage_offset(),
                    tuple(source.size()),
                    source.stride(),
                )
            else:
                size = (storage.nbytes() // self.element_size(),)
        else:
            source, offset, size, stride = values
            _check_storage(source, self)
            storage = _untyped(source)
        if index > 2 and source.dtype != self.dtype:
            raise RuntimeError(
                f"Could not set tensor of type {source.dtype._c_name} to a tensor of type "
                f"{self.dtype._c_name}"
            )
        seen = self.is_meta or not _is_without_data(self)  # other wrappers only claim a device
        if seen and storage.device.type != self.device.type:
            raise RuntimeError(
                f'Attempted to set the storage of a tensor on device "{self.device.type}" to a storage on '
                f'different device "{storage.device.type}".  This is no longer allowed; the devices must match.'
            )
        source = source if index == 3 else None
        _interchange._set_storage(self, storage, offset, tuple(size), stride or None, source)
        return self

    def resize_as_(self, *args, **kwargs):
        """Resize in place to the shape of another tensor."""
        _, (template, memory_format) = bind(_RESIZE_AS_SIGNATURES, args, kwargs, name="resize_as_")
        if self.is_sparse and template.is_sparse:
            return self.sparse_resize_(
                tuple(template.shape), template.sparse_dim(), template.dense_dim()
            )
        options = {} if memory_format is None else {"memory_format": memory_format}
        if not self.requires_grad and _told("resize_as_", (self, template), options) is not None:
            return self
        return self.resize_(tuple(template.size()), memory_format=memory_format)

    def storage(self):
        """Return the memory as a `TypedStorage`; deprecated."""
        _storage.warn_deprecated()
        return self._typed_storage()

    def _typed_storage(self):
        return _storage.TypedStorage(
            wrap_storage=self.untyped_storage(), dtype=self.dtype, _internal=True
        )

    def is_shared(self):
        """Return whether the elements are in shared memory."""
        return self.untyped_storage().is_shared()

    def share_memory_(self):
        """Move the elements to shared memory.

        Processes forked afterwards and processes that receive the tensor through `multiprocessing`
        share it.

        Examples
        --------
        >>> import minitorch as torch
        >>> torch.ones(2).share_memory_().is_shared()
        True
        """
        self.untyped_storage().share_memory_()
        return self

    def is_pinned(self, device=None):
        """Return False: memory is never pinned."""
        return False

    def pin_memory(self, device=None):
        """Raise RuntimeError: there is no accelerator to pin memory for."""
        raise RuntimeError("Cannot access accelerator device when none is available.")

    def detach_(self):
        """Detach this tensor from its graph in place."""
        return _interchange.detach_(self)

    def as_subclass(self, cls):
        """Return this tensor as an instance of a subclass that shares its memory."""
        return _with_own_dispatch(_as_subclass(self, _subclass(cls)))

    def resolve_conj(self):
        """Return this tensor, or a copy with the conjugation applied if it is a lazy conjugate."""
        return self.clone() if self.is_conj() else self

    def _neg_view(self):
        """Return a view of the same memory whose elements are read negated."""
        return _tensor_methods._neg_view(self)

    def resolve_neg(self):
        """Return this tensor, or a copy with the negation applied if it is a lazy negative."""
        return self.clone() if self.is_neg() else self

    def fill_diagonal_(self, fill_value, wrap=False):
        """Set the main diagonal; `wrap` restarts it after each square of a tall matrix."""
        if self.dim() < 2:
            raise RuntimeError("dimensions must larger than 1")
        if self.dim() > 2 and len(set(self.shape)) != 1:
            raise RuntimeError("all dimensions of input must be of equal length")
        stride, size = sum(self.stride()), min(self.shape)
        self.as_strided((size,), (stride,), self.storage_offset()).fill_(fill_value)
        rows, columns = self.shape[0], self.shape[1]
        if wrap and self.dim() == 2 and rows > columns + 1:
            step = self.stride(0) * (columns + 1)
            offset = self.storage_offset() + step
            for start in range(columns + 1, rows, columns + 1):
                count = min(columns, rows - start)
                self.as_strided((count,), (stride,), offset).fill_(fill_value)
                offset += step
        return self

    def apply_(self, callable):
        """Replace each element by ``callable(element)``."""
        if self.requires_grad:
            raise RuntimeError(
                "Can't call apply_() on Variable that requires grad. Use var.detach().apply_() instead."
            )
        self.data_ptr()  # raises if the tensor has no memory
        if self.is_meta:
            return self
        values = [callable(value) for value in self.flatten().tolist()]
        if any(isinstance(value, str) for value in values):
            raise TypeError(
                "must be real number, not str"
                if self.is_floating_point()
                else "'str' object cannot be interpreted as an integer"
            )
        self.copy_(_from_data.tensor(values, dtype=self.dtype).reshape(self.shape))
        return self

    def map_(self, tensor, callable):
        """Replace each element by ``callable(element, element of tensor)``."""
        if self.requires_grad:
            raise RuntimeError(
                "Can't call map_() on Variable that requires grad. Use var.detach().map_() instead."
            )
        if tensor.type() != self.type():
            raise TypeError(f"map_: expected {self.type()} for 'other' (got {tensor.type()})")
        self.data_ptr()
        if self.is_meta:
            return self
        return _fill_by(self, callable, tensor)

    @_parsed_method("map2_(Tensor x, Tensor y, PyObject* callable)")
    def map2_(self, x, y, callable):
        """Replace each element by ``callable(element, element of x, element of y)``."""
        if any(t.requires_grad for t in (self, x, y)):
            raise RuntimeError(
                "Can't call map2_() on Variable that requires grad. Use var.detach().map2_() instead."
            )
        for name, t in (("x", x), ("y", y)):
            if t.dtype != self.dtype:
                raise TypeError(
                    f"map2_: expected {self.type()} for argument '{name}' (got {t.type()})"
                )
        return _fill_by(self, callable, x, y)

    solve, lstsq = _removed.solve, _removed.lstsq
    eig, symeig = _removed.eig, _removed.symeig

    def __deepcopy__(self, memo):
        return _rebuild.deepcopy_tensor(self, memo, Tensor)

    def __reduce_ex__(self, protocol):
        return _rebuild.reduce_tensor(self, Tensor)

    def __setstate__(self, state):
        _rebuild.set_old_state(self, state)

    def __dir__(self):
        return sorted({*dir(type(self)), *self.__dict__})

    def __repr__(self, *, tensor_contents=None):
        _switch_dispatch(True)
        try:
            return _tensor_str._str(self, tensor_contents=tensor_contents)
        finally:
            _switch_dispatch(False)

    def __format__(self, spec):
        if self.dim() == 0 and type(self) is Tensor:
            return self.item().__format__(spec)
        return object.__format__(self, spec)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        """Call a function on subclasses and convert the tensors in its result to `cls`.

        Subclasses that override this method call it to compute the function.

        Parameters
        ----------
        func : callable
            The called function: ``torch.add``, ``torch.Tensor.add``,
            ``torch.Tensor.shape.__get__``.
        types : sequence of type
            The types of the arguments that define overrides. Unless `cls` is a subclass of all of
            them, the result is ``NotImplemented``.
        args, kwargs : tuple, dict
            The arguments.

        Examples
        --------
        >>> import minitorch as torch
        >>> class Length(torch.Tensor):
        ...     pass
        >>> type(torch.ones(2).as_subclass(Length) + 1).__name__
        'Length'
        """
        if not all(issubclass(cls, other) for other in types):
            return NotImplemented
        with DisableTorchFunctionSubclass():
            result = func(*args, **(kwargs or {}))
        return result if func in _nowrap_functions() else _convert(result, cls)


_SET_SIGNATURES = [
    "set_()",
    "set_(Storage source)",
    "set_(Storage source, SymInt storage_offset, SymIntArrayRef size, SymIntArrayRef stride=None)",
    "set_(Tensor source)",
    "set_(Tensor source, SymInt storage_offset, SymIntArrayRef size, SymIntArrayRef stride=None)",
]
_RESIZE_AS_SIGNATURES = ["resize_as_(Tensor the_template, *, MemoryFormat? memory_format=None)"]
register_type("Storage", _storage.is_storage)


def _fill_by(tensor, function, *others):
    # reversed, so that the shape of the last operand is checked first
    columns = [t.expand(tensor.shape).flatten().tolist() for t in reversed(others)]
    values = list(map(function, tensor.flatten().tolist(), *reversed(columns)))
    return tensor.copy_(_from_data.tensor(values, dtype=tensor.dtype).reshape(tensor.shape))


def _check_storage(source, tensor):
    if _storage.is_storage(source):
        _from_data.check_storage(source, tensor.dtype._c_name, "storage")


def _untyped(source):
    if isinstance(source, _storage.TypedStorage):
        return source.untyped()
    return source if isinstance(source, UntypedStorage) else source.untyped_storage()


def _convert(result, cls):
    """Convert the tensors in a function's result to instances of `cls`."""
    if cls is Tensor:
        return result
    if isinstance(result, Tensor):
        return result if isinstance(result, cls) else _as_subclass(result, cls)
    if isinstance(result, (tuple, list)):
        return type(result)(_convert(item, cls) for item in result)
    return result


@functools.cache
def _nowrap_functions():
    """Return the getters whose results keep their class, which the user has chosen."""
    return {Tensor._base.__get__, Tensor.grad.__get__}


def _tensor_class():
    return Tensor


Tensor.__module__ = "torch"
_rebuild.ClassReference.plain[Tensor] = _tensor_class
_register_tensor_class(Tensor)
register_plain_class(Tensor, True)
_tensor_str.plain_types.add(Tensor)
