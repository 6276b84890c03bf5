"""Methods of `Tensor` that are written in Python and have no part in autograd."""

import warnings
from numbers import Number

from minitorch._sparse import legacy as _sparse_legacy
from minitorch._sparse.gradients import sparse_gather
from minitorch.autograd.functions import conversions as _conversions
from minitorch.autograd.functions import creation as _creation
from minitorch.autograd.functions import from_data as _from_data
from minitorch.autograd.functions import interchange as _interchange
from minitorch.autograd.functions import tensor_methods as _tensor_methods
from minitorch.autograd.functions.python_signatures import parsed_method as _parsed_method
from minitorch.autograd.python_dispatch import is_without_data as _is_without_data
from minitorch.autograd.python_dispatch import told as _told
from minitorch.autograd.variable import TensorBase
from minitorch.composed import removed_functions as _removed
from minitorch.core.error_pages import explained
from minitorch.core.once import warn_once
from minitorch.parsing.parser import bind
from minitorch.parsing.values import register_type
from minitorch.tensors import typed_storage as _storage
from minitorch.tensors.typed_storage import UntypedStorage


class DataMethods:
    """Base class of `Tensor` with these methods."""

    def split(self, split_size, dim=0):
        """Return views of `split_size` elements along a dimension; the last may be smaller.

        `split_size` may also be a list of sizes that add up to the size of `dim`.
        """
        if isinstance(split_size, TensorBase) and split_size.numel() == 1:
            split_size = int(split_size)
        if isinstance(split_size, int):
            return _tensor_methods.split(self, split_size, dim)
        return _tensor_methods.split_with_sizes(self, split_size, dim)

    def gather(self, *args, sparse_grad=False, **kwargs):
        """Pick elements along a dimension, one for each element of an index tensor.

        In two dimensions and with ``dim=1``, element (i, j) of the result is ``self[i, index[i, j]]``.

        Parameters
        ----------
        dim : int
            The dimension that `index` refers to.
        index : Tensor
            int64 or int32, with as many dimensions as this tensor. In other dimensions than `dim`, it may
            be smaller.
        sparse_grad : bool, default False
            Make the gradient sparse.

        Returns
        -------
        Tensor
            The shape of `index`.

        Raises
        ------
        RuntimeError
            For an index out of bounds, or an index tensor of another dtype or number of dimensions.

        Examples
        --------
        >>> import minitorch as torch
        >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> x.gather(1, torch.tensor([[0], [1]]))
        tensor([[1.],
                [4.]])
        """
        if sparse_grad is True:
            return sparse_gather(self, *args, **kwargs)
        return super().gather(*args, sparse_grad=sparse_grad, **kwargs)

    def unflatten(self, dim, sizes):
        """Return a view whose dimension `dim` is split into `sizes`, one of which may be -1."""
        if not sizes:
            raise RuntimeError("unflatten: sizes must be non-empty")
        return super().unflatten(dim, sizes)

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

    def new(self, *args, **kwargs):
        """Return a tensor of this one's dtype and layout, from a size or from data.

        `new_tensor` and `new_empty` are clearer.

        Parameters
        ----------
        *args
            Sizes as integers, which leave the elements uninitialized; or a sequence of numbers; or a
            tensor of the same dtype, whose memory is shared; or nothing, for an empty tensor.
        **kwargs
            ``size``, ``data`` or ``other`` by name, and ``device``, which must be the CPU.

        Returns
        -------
        Tensor

        Raises
        ------
        TypeError
            For data that are not numbers, or for a tensor of another dtype.

        Examples
        --------
        >>> import minitorch as torch
        >>> x = torch.zeros(1, dtype=torch.int16)
        >>> x.new([1, 2])
        tensor([1, 2], dtype=torch.int16)
        >>> x.new(2, 3).shape
        torch.Size([2, 3])
        """
        if self.is_sparse:
            return _sparse_legacy.new_like(args, kwargs, self.dtype)
        return _from_data.legacy_new(args, kwargs, self.dtype, self.is_meta)

    @_parsed_method(
        "cuda(Device? device=None, bool non_blocking=False, *, MemoryFormat? memory_format=None)"
    )
    def cuda(self, device=None, non_blocking=False, memory_format=None):
        """Raise AssertionError: CUDA is not supported.

        Parameters
        ----------
        device : device, int or str, optional
            The device.
        non_blocking : bool, default False
            Has no effect.
        memory_format : memory_format, optional
            The order of the dimensions in memory.

        Examples
        --------
        >>> import minitorch as torch
        >>> try:
        ...     torch.ones(1).cuda()
        ... except AssertionError as error:
        ...     print(error)
        Torch not compiled with CUDA enabled
        """
        raise explained(AssertionError("Torch not compiled with CUDA enabled"), "cuda")

    @_parsed_method(
        "xpu(Device? device=None, bool non_blocking=False, *, MemoryFormat? memory_format=None)"
    )
    def xpu(self, device=None, non_blocking=False, memory_format=None):
        """Raise AssertionError: XPU is not supported.

        Parameters
        ----------
        device, non_blocking, memory_format
            Not used.

        Raises
        ------
        AssertionError
            Always, unless an argument is invalid.

        Examples
        --------
        >>> import minitorch as torch
        >>> torch.ones(1).xpu()
        Traceback (most recent call last):
        ...
        AssertionError: Torch not compiled with XPU enabled
        """
        raise AssertionError("Torch not compiled with XPU enabled")

    def is_distributed(self):
        """Return False: tensors are never distributed over processes.

        Returns
        -------
        bool

        Examples
        --------
        >>> import minitorch as torch
        >>> torch.ones(1).is_distributed()
        False
        """
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
        if isinstance(element, (TensorBase, Number)):
            return (element == self).any().item()
        raise RuntimeError(
            "Tensor.__contains__ only supports Tensor or scalar, but you passed in a "
            f"{type(element)}."
        )

    def __reversed__(self):
        return self if self.dim() == 0 else self.flip(0)

    # ---- memory

    def set_(self, *args, **kwargs):
        """Make this tensor use the memory of another tensor or storage.

        Parameters
        ----------
        source : Tensor or storage, optional
            Of the same dtype. Without it, the tensor becomes empty.
        storage_offset : int, default 0
            Where the tensor begins in the storage.
        size, stride : tuple of int, optional
            The new shape and strides; by default those of a source tensor, or one dimension for a
            storage. A storage that is too small grows.

        Returns
        -------
        Tensor
            The tensor itself.

        Raises
        ------
        RuntimeError
            For another dtype, a negative offset, or `size` and `stride` of unequal length, or if this
            tensor is a leaf that requires grad.

        Examples
        --------
        >>> import minitorch as torch
        >>> torch.empty(0).set_(torch.arange(6.0), 1, (2, 2), (2, 1))
        tensor([[1., 2.],
                [3., 4.]])
        """
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
        """Resize in place to the shape of another tensor.

        Parameters
        ----------
        the_template : Tensor
            The tensor with the new shape.
        memory_format : memory_format, optional
            The order of the elements in memory.

        Returns
        -------
        Tensor
            The tensor itself. The elements keep their order in the storage; further ones are not set.

        Raises
        ------
        RuntimeError
            If this tensor requires grad.

        Examples
        --------
        >>> import minitorch as torch
        >>> torch.arange(6).resize_as_(torch.zeros(2, 2))
        tensor([[0, 1],
                [2, 3]])
        """
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
        """Return the memory as a `TypedStorage`; deprecated.

        Returns
        -------
        TypedStorage
            The elements of the memory, of the dtype of the tensor.

        Examples
        --------
        >>> import minitorch as torch
        >>> import warnings
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")
        ...     torch.tensor([1, 2]).storage().tolist()
        [1, 2]
        """
        _storage.warn_deprecated()
        return self._typed_storage()

    def _typed_storage(self):
        return _storage.TypedStorage(
            wrap_storage=self.untyped_storage(), dtype=self.dtype, _internal=True
        )

    def is_shared(self):
        """Return whether the elements are in shared memory.

        Returns
        -------
        bool

        Examples
        --------
        >>> import minitorch as torch
        >>> torch.ones(1).share_memory_().is_shared()
        True
        """
        return self.untyped_storage().is_shared()

    def share_memory_(self):
        """Move the elements to shared memory.

        Processes forked afterwards and processes that receive the tensor through `multiprocessing`
        share it.

        Returns
        -------
        Tensor
            The tensor itself.

        Examples
        --------
        >>> import minitorch as torch
        >>> torch.ones(2).share_memory_().is_shared()
        True
        """
        self.untyped_storage().share_memory_()
        return self

    def is_pinned(self, device=None):
        """Return False: memory is never pinned.

        Parameters
        ----------
        device : device, optional
            Has no effect.

        Returns
        -------
        bool

        Examples
        --------
        >>> import minitorch as torch
        >>> torch.ones(1).is_pinned()
        False
        """
        return False

    def pin_memory(self, device=None):
        """Raise RuntimeError: there is no accelerator to pin memory for.

        Parameters
        ----------
        device : device, optional
            The accelerator.

        Raises
        ------
        RuntimeError
            Always.

        Examples
        --------
        >>> import minitorch as torch
        >>> try:
        ...     torch.ones(1).pin_memory()
        ... except RuntimeError as error:
        ...     print(error)
        Cannot access accelerator device when none is available.
        """
        raise RuntimeError("Cannot access accelerator device when none is available.")

    def detach_(self):
        """Detach this tensor from its graph in place."""
        return _interchange.detach_(self)

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
        """Set the main diagonal; `wrap` restarts it after each square of a tall matrix.

        Parameters
        ----------
        fill_value : number
            The value.
        wrap : bool, default False
            Whether to begin a new diagonal below the end of the first one, in matrices with more
            rows than columns.

        Returns
        -------
        Tensor
            The tensor itself.

        Examples
        --------
        >>> import minitorch as torch
        >>> torch.zeros(2, 2).fill_diagonal_(5)
        tensor([[5., 0.],
                [0., 5.]])
        """
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
        """Replace each element by ``callable(element)``.

        Parameters
        ----------
        callable : callable
            A function of a number of Python that returns a number.

        Returns
        -------
        Tensor
            The tensor itself.

        Examples
        --------
        >>> import minitorch as torch
        >>> torch.tensor([1, 2]).apply_(lambda x: x * 10)
        tensor([10, 20])
        """
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
        """Replace each element by ``callable(element, element of tensor)``.

        Parameters
        ----------
        tensor : Tensor
            A tensor of the same dtype, whose shape broadcasts.
        callable : callable
            A function of two numbers of Python that returns a number.

        Returns
        -------
        Tensor
            The tensor itself.

        Examples
        --------
        >>> import minitorch as torch
        >>> torch.tensor([1, 2]).map_(torch.tensor([3, 4]), lambda x, y: x * y)
        tensor([3, 8])
        """
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
        """Replace each element by ``callable(element, element of x, element of y)``.

        Parameters
        ----------
        x, y : Tensor
            Tensors whose shapes broadcast.
        callable : callable
            A function of three numbers of Python that returns a number.

        Returns
        -------
        Tensor
            The tensor itself.

        Examples
        --------
        >>> import minitorch as torch
        >>> x = torch.tensor([1, 2])
        >>> x.map2_(x, x, lambda a, b, c: a + b * c)
        tensor([2, 6])
        """
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


def _told_set(t, values):
    """Return whether a mode or class with ``__torch_dispatch__`` has handled `set_`."""
    values = [list(value) if isinstance(value, tuple) else value for value in values]
    return _told("set_", (t, *values), {}) is not None
