"""Storages as Python sees them, and the pickles and deep copies of tensors, which go by storage.

Two views of one storage stay views of one storage in a pickle and in a deep copy: what is written is
the storage, once, and for each tensor the way it looks at it.
"""

import copy
import warnings
import weakref
from collections import OrderedDict

from minitorch.autograd.functions.interchange import _from_storage
from minitorch.autograd.variable import _make_tensor_like
from minitorch.core.storage import UntypedStorage
from minitorch.core.types import device

_DEPRECATED = (
    "TypedStorage is deprecated. It will be removed in the future and UntypedStorage will be the "
    "only storage class. This should only matter to you if you are using storages directly.  To "
    "access UntypedStorage directly, use tensor.untyped_storage() instead of tensor.storage()"
)
_warned = False


def warn_deprecated():
    """Once in a process."""
    global _warned
    if not _warned:
        _warned = True
        warnings.warn(_DEPRECATED, UserWarning, stacklevel=3)


class TypedStorage:
    """The memory behind a tensor as a list of elements; deprecated in favour of `UntypedStorage`.

    Parameters
    ----------
    wrap_storage : UntypedStorage
    dtype : dtype
    """

    is_cuda = False
    is_sparse = False

    def __init__(self, *, wrap_storage, dtype, _internal=False):
        if not _internal:
            warn_deprecated()
        self._untyped_storage = wrap_storage
        self.dtype = dtype

    def _as_tensor(self):
        size = self._untyped_storage.nbytes() // self.dtype.itemsize
        return _from_storage(self._untyped_storage, self.dtype, 0, (size,), None)

    def __len__(self):
        return self._untyped_storage.nbytes() // self.dtype.itemsize

    def size(self):
        """How many elements there are."""
        return len(self)

    def nbytes(self):
        """How many bytes there are."""
        return self._untyped_storage.nbytes()

    def element_size(self):
        """Bytes of one element."""
        return self.dtype.itemsize

    def data_ptr(self):
        """The address of the first byte."""
        return self._untyped_storage.data_ptr()

    def untyped(self):
        """The same memory without a type."""
        return self._untyped_storage

    def tolist(self):
        """The elements."""
        return self._as_tensor().tolist()

    def clone(self):
        """A copy with memory of its own."""
        return TypedStorage(
            wrap_storage=self._untyped_storage.clone(), dtype=self.dtype, _internal=True
        )

    def fill_(self, value):
        """Set every element."""
        self._as_tensor().fill_(value)
        return self

    def resize_(self, size):
        """Change the number of elements."""
        self._untyped_storage.resize_(size * self.dtype.itemsize)

    def is_shared(self):
        """Whether other processes see this memory: no."""
        return False

    @property
    def device(self):
        """Where the memory is."""
        return device("cpu")

    def __getitem__(self, index):
        if isinstance(index, slice):
            raise RuntimeError("slices are only supported in UntypedStorage.__getitem__")
        return self._as_tensor()[index].item()

    def __setitem__(self, index, value):
        self._as_tensor()[index] = value

    def __iter__(self):
        return iter(self.tolist())

    def __eq__(self, other):
        return isinstance(other, TypedStorage) and self._untyped_storage == other._untyped_storage

    def __hash__(self):
        return hash(self._untyped_storage)

    def __repr__(self):
        elements = " " + "\n ".join(map(str, self.tolist()))
        return (
            f"{elements}\n[torch.storage.TypedStorage(dtype={self.dtype}, device=cpu) "
            f"of size {len(self)}]"
        )


def is_storage(obj):
    """Whether an object is a storage."""
    return isinstance(obj, (TypedStorage, UntypedStorage))


# --------------------------------------------------------------------------------------------------
# Pickles
# --------------------------------------------------------------------------------------------------


class _Memory:
    """A storage as pickles see it: the same object for the same memory, while anybody holds it."""

    __slots__ = ("__weakref__", "storage")
    _known: weakref.WeakValueDictionary = weakref.WeakValueDictionary()

    def __init__(self, storage):
        self.storage = storage

    @classmethod
    def of(cls, storage):
        memory = cls._known.get(storage._cdata)
        if memory is None:
            memory = cls._known[storage._cdata] = cls(storage)
        return memory

    def __reduce__(self):
        return _rebuild_memory, (bytes(self.storage.tolist()),)


def _rebuild_memory(data):
    storage = UntypedStorage(len(data))
    if data:
        _copy_bytes(storage, data)
    return _Memory(storage)


def _copy_bytes(storage, data):
    from minitorch.autograd.functions.from_data import frombuffer
    from minitorch.core.dtype import _dtypes

    uint8 = _dtypes()["uint8"]
    target = _from_storage(storage, uint8, 0, (len(data),), None)
    target.copy_(frombuffer(bytearray(data), dtype=uint8))


def _rebuild_tensor(cls, memory, dtype, offset, size, stride, requires_grad, backward_hooks, state):
    tensor = _from_storage(memory.storage, dtype, offset, size, stride)
    if cls is not None:
        tensor = _make_tensor_like(tensor, cls)
    if requires_grad:
        tensor.requires_grad_()
    if backward_hooks:
        tensor._backward_hooks = OrderedDict(backward_hooks)
    if state:
        tensor.__dict__.update(state)
    return tensor


def reduce_tensor(tensor, plain):
    """What ``Tensor.__reduce_ex__`` returns; `plain` is the class that needs no mention."""
    cls = type(tensor)
    return (
        _rebuild_tensor,
        (
            None if cls is plain else cls,
            _Memory.of(tensor.untyped_storage()),
            tensor.dtype,
            tensor.storage_offset(),
            tuple(tensor.size()),
            tensor.stride(),
            tensor.requires_grad,
            tensor._backward_hooks or {},
            dict(tensor.__dict__),
        ),
    )


# --------------------------------------------------------------------------------------------------
# Deep copies
# --------------------------------------------------------------------------------------------------


def deepcopy_tensor(tensor, memo, plain):
    """The work of ``Tensor.__deepcopy__``."""
    if not tensor.is_leaf:
        raise RuntimeError(
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol "
            "at the moment.  If you were attempting to deepcopy a module, this may be because of a "
            "torch.nn.utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001"
        )
    if id(tensor) in memo:
        return memo[id(tensor)]
    storage = tensor.untyped_storage()
    copies = memo.setdefault("torch", {})
    if storage._cdata not in copies:
        copies[storage._cdata] = storage.clone()
    result = _from_storage(
        copies[storage._cdata],
        tensor.dtype,
        tensor.storage_offset(),
        tuple(tensor.size()),
        tensor.stride(),
    )
    if type(tensor) is not plain:
        result = _make_tensor_like(result, type(tensor))
    if tensor.requires_grad:
        result.requires_grad_()
    if tensor.grad is not None:
        result.grad = copy.deepcopy(tensor.grad, memo)
    if tensor.__dict__:
        result.__dict__.update(copy.deepcopy(tensor.__dict__, memo))
    memo[id(tensor)] = result
    return result
