"""Pickling and deep copying of tensors, based on their storages.

A tensor is saved as its storage and the offset, size and strides in it: two views of one storage
remain views of one storage. The functions that a pickle calls have the names that PyTorch's files
use, in ``torch._utils`` and ``torch._tensor``.

Note [A file is not trusted]: the numbers in a pickle can have any value. Before a tensor is made of
them, they are checked in Python's unbounded integers; no tensor extends past the end of its
storage.
"""

import contextlib
import copy
import copyreg
import threading
from collections import OrderedDict
from collections.abc import Callable

from minitorch._sparse.constructor import sparse_coo_tensor, without_its_memory
from minitorch.autograd import no_grad
from minitorch.autograd.functions.creation import empty_strided
from minitorch.autograd.functions.interchange import _from_storage
from minitorch.autograd.functions.tensor_methods import _neg_view
from minitorch.autograd.math_bits import bits_of
from minitorch.autograd.python_dispatch import is_without_data
from minitorch.autograd.variable import TensorBase, _make_tensor_like
from minitorch.core.error_pages import explained
from minitorch.core.handles import warn_if_has_hooks
from minitorch.core.types import sparse_coo
from minitorch.tensors.typed_storage import legacy_names, storage_for_pickle

_MAX_DIMS = 64
_INT64 = 1 << 63


def _integers(name, values):
    if not isinstance(values, (tuple, list)):
        raise TypeError(f"{name} must be a tuple of ints, but got {type(values).__name__}")
    for value in values:
        if type(value) is not int:
            raise TypeError(f"{name} must be a tuple of ints, but got {type(value).__name__} in it")
    return tuple(values)


def check_view(nbytes, itemsize, offset, size, stride):
    """Check that a view lies inside a storage of `nbytes` bytes; return size and stride as tuples.

    Raises
    ------
    RuntimeError
        If it does not, with the messages of PyTorch's ``set_``.
    """
    if type(offset) is not int:
        raise TypeError(f"storage_offset must be an int, but got {type(offset).__name__}")
    if offset < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {offset}")
    size, stride = _integers("size", size), _integers("stride", stride)
    if len(size) != len(stride):
        raise RuntimeError(f"unequal size length ({len(size)}) and stride length ({len(stride)})")
    if len(size) > _MAX_DIMS:
        raise RuntimeError(f"a tensor has at most {_MAX_DIMS} dimensions, but got {len(size)}")
    numel = 1
    for n in size:
        numel *= n
        if n < 0 or numel >= _INT64:
            raise RuntimeError("numel: integer multiplication overflow")
    if any(s < 0 or s >= _INT64 for s in stride) or offset >= _INT64:
        raise RuntimeError(
            f"Storage size calculation overflowed with sizes={list(size)} and strides={list(stride)}"
        )
    if numel == 0:
        return size, stride
    end = offset + 1 + sum((n - 1) * s for n, s in zip(size, stride, strict=True))
    if end * itemsize > nbytes:
        raise RuntimeError(
            f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {offset}, and "
            f"itemsize {itemsize} requiring a storage size of {end * itemsize} are out of bounds for "
            f"storage of size {nbytes}"
        )
    return size, stride


def _over(storage, dtype, offset, size, stride):
    untyped = storage.untyped()
    size, stride = check_view(untyped.nbytes(), dtype.itemsize, offset, size, stride)
    return FakeModes.faked(_from_storage(untyped, dtype, offset, size, stride))


class FakeModes:
    """Hooks of fake tensor modes into unpickling.

    The package ``_subclasses`` sets them when it is imported.
    """

    # returns the innermost active fake mode, or None
    entered: Callable = staticmethod(lambda: None)
    # converts a tensor on the device ``meta`` to a fake tensor of the active mode
    faked: Callable = staticmethod(lambda tensor: tensor)


def _rebuild_tensor(storage, storage_offset, size, stride):
    """Rebuild a tensor from a typed storage."""
    return _over(storage, storage.dtype, storage_offset, size, stride)


def _finish(tensor, requires_grad, backward_hooks, metadata):
    if metadata:
        tensor = set_tensor_metadata(tensor, metadata)
    tensor.requires_grad = bool(requires_grad)
    # recent files always have empty hooks; older ones may have some
    if isinstance(backward_hooks, dict) and backward_hooks:
        tensor._backward_hooks = backward_hooks
    return tensor


def _rebuild_tensor_v2(
    storage, storage_offset, size, stride, requires_grad, backward_hooks, metadata=None
):
    """Rebuild a tensor of a dtype that PyTorch had before 2.2."""
    tensor = _rebuild_tensor(storage, storage_offset, size, stride)
    return _finish(tensor, requires_grad, backward_hooks, metadata)


def _rebuild_tensor_v3(
    storage, storage_offset, size, stride, requires_grad, backward_hooks, dtype, metadata=None
):
    """Rebuild a tensor of a newer dtype, which has no typed storage."""
    tensor = _over(storage, dtype, storage_offset, size, stride)
    return _finish(tensor, requires_grad, backward_hooks, metadata)


def get_tensor_metadata(tensor):
    """Return the metadata for a file: whether the elements are conjugated or negated."""
    return {name: True for name, bit in zip(("conj", "neg"), bits_of(tensor), strict=True) if bit}


def set_tensor_metadata(tensor, metadata):
    """Return the conjugated or negated view described by the metadata."""
    if not isinstance(metadata, dict):
        raise AssertionError(f"expected dict, got {type(metadata).__name__}")
    result = _meant(tensor, metadata)
    if _waiting.tasks is not None:
        _waiting.tasks.append(lambda: result.copy_(_meant(tensor, metadata)))
    return result


def _meant(tensor, metadata):
    if metadata.get("conj"):
        tensor = tensor.conj()
    return _neg_view(tensor) if metadata.get("neg") else tensor


class _Waiting(threading.local):
    tasks = None  # functions to call when the memory has been read


_waiting = _Waiting()


@contextlib.contextmanager
def memory_comes_later():
    """Delay work on memory to the block's end, for files whose storages follow the tensors."""
    before, _waiting.tasks = _waiting.tasks, []
    try:
        yield
        with no_grad():
            for task in _waiting.tasks:
                task()
    finally:
        _waiting.tasks = before


class ClassReference:
    """A reference to a class in a pickle, for classes that pickle would not find by their name."""

    __slots__ = ("cls",)
    plain: dict = {}  # the classes that need it: class -> function that returns it

    def __init__(self, cls):
        self.cls = cls

    @classmethod
    def to(cls, target):
        """Return a reference to `target` if it needs one, otherwise `target`."""
        return cls(target) if target in cls.plain else target

    def __reduce__(self):
        return self.plain[self.cls], ()


def _rebuild_sparse_tensor(layout, data):
    """Rebuild a sparse tensor and check its indices as usual."""
    if layout is not sparse_coo or len(data) not in (3, 4):
        raise NotImplementedError(f"rebuilding sparse tensor for layout {layout}")
    indices, values, size = data[:3]
    is_coalesced = data[3] if len(data) == 4 else None
    if _waiting.tasks is None:
        return sparse_coo_tensor(
            indices, values, size, is_coalesced=is_coalesced, check_invariants=False
        )
    result, check = without_its_memory(indices, values, size, is_coalesced)
    _waiting.tasks.append(check)
    return result


def _rebuild_from_type_v2(func, new_type, args, state):
    """Rebuild a tensor of a subclass, or one with attributes."""
    if type(new_type) is ClassReference:
        new_type = new_type.cls  # copy.copy() passes the reference itself
    result = func(*args)
    if type(result) is not new_type:
        if not (isinstance(new_type, type) and issubclass(new_type, TensorBase)):
            raise TypeError(f"expected a class of tensors, but got {new_type!r}")
        result = _make_tensor_like(result, new_type)
    if _sets_own_state(new_type):
        result.__setstate__(state)
        return result
    return _set_obj_state(result, state)


def _sets_own_state(cls):
    """Return whether a class overrides `Tensor.__setstate__`, which reads old pickles."""
    definers = [c for c in cls.__mro__ if "__setstate__" in vars(c)]
    tensor_class = [c for c in definers if issubclass(c, TensorBase)][-1]
    return definers[0] is not tensor_class


def set_old_state(tensor, state):
    """Set a tensor's state as pickled by the first versions of PyTorch, for a tensor or a variable.

    Raises
    ------
    RuntimeError
        If the tensor is not a leaf.
    """
    if not tensor.is_leaf:
        raise RuntimeError("__setstate__ can be only called on leaf Tensors")
    if len(state) == 4:
        tensor.set_(*state)
        return
    if len(state) == 5:
        tensor.data = state[0]
        state = (state[3], state[4], state[2])
    tensor.requires_grad, _, tensor._backward_hooks = state


def _get_obj_state(obj):
    """Return the state of an object, as `__getstate__` does; by default, its attributes."""
    return obj.__getstate__()


def _set_obj_state(obj, state):
    """Set the state that `_get_obj_state` returned."""
    if not isinstance(state, tuple):
        state = (state, None)
    if len(state) != 2:
        raise RuntimeError(f"Invalid serialized state: {state}")
    for part in state:
        for name, value in (part or {}).items():
            setattr(obj, name, value)
    return obj


def _wrapper_arguments(tensor):
    return (
        type(tensor),
        tensor.dtype,
        tuple(tensor.size()),
        tensor.stride(),
        tensor.storage_offset(),
        tensor.layout,
        tensor.device,
        tensor.requires_grad,
    )


def _rebuild_wrapper_subclass(
    cls, dtype, size, stride, storage_offset, layout, device, requires_grad
):
    """Rebuild a tensor of a wrapper subclass, without its attributes."""
    return cls._make_wrapper_subclass(
        cls,
        size,
        strides=stride,
        dtype=dtype,
        storage_offset=storage_offset,
        layout=layout,
        device=device,
        requires_grad=requires_grad,
    )


def reduce_tensor(tensor, plain):
    """Return the result of ``Tensor.__reduce_ex__``; the class `plain` is not stored."""
    warn_if_has_hooks(tensor)
    if tensor.is_sparse:
        return _rebuild_sparse_tensor, (
            sparse_coo,
            (tensor._indices(), tensor._values(), tensor.size(), tensor.is_coalesced()),
        )
    if tensor.is_meta:
        return _reduce_meta(tensor, plain)
    if is_without_data(tensor):
        return _rebuild_from_type_v2, (
            _rebuild_wrapper_subclass,
            type(tensor),
            _wrapper_arguments(tensor),
            _get_obj_state(tensor),
        )
    rebuild, args = reduce_over_storage(tensor, tensor.requires_grad)
    state = _get_obj_state(tensor)
    if type(tensor) is plain and not state:
        return rebuild, args
    return _rebuild_from_type_v2, (
        rebuild,
        ClassReference.to(type(tensor)),
        args,
        state,
    )


def reduce_over_storage(tensor, requires_grad):
    """Return how to pickle a tensor without attributes: its storage, and its position in it."""
    # newer dtypes have no named typed storage
    typed = tensor.dtype in legacy_names
    rebuild = _rebuild_tensor_v2 if typed else _rebuild_tensor_v3
    args = (
        storage_for_pickle(tensor, typed),
        tensor.storage_offset(),
        tuple(tensor.size()),
        tensor.stride(),
        requires_grad,
        OrderedDict(),
        *(() if typed else (tensor.dtype,)),
    )
    metadata = get_tensor_metadata(tensor)
    if metadata:
        args = (*args, metadata)
    return rebuild, args


def _reduce_meta(tensor, plain):
    args = (tensor.dtype, tuple(tensor.size()), tensor.stride(), tensor.requires_grad)
    state = _get_obj_state(tensor)
    if type(tensor) is plain and not state:
        return _rebuild_meta_tensor_no_storage, args
    cls = ClassReference.to(type(tensor))
    return _rebuild_from_type_v2, (_rebuild_meta_tensor_no_storage, cls, args, state)


def _rebuild_meta_tensor_no_storage(dtype, size, stride, requires_grad):
    """Rebuild a tensor on the device ``meta``."""
    return empty_strided(size, stride, dtype=dtype, device="meta", requires_grad=requires_grad)


def _cloned_meta(tensor):
    result = tensor.detach().clone()
    return result if type(result) is type(tensor) else _make_tensor_like(result, type(tensor))


def deepcopy_tensor(tensor, memo, plain):
    """Implement ``Tensor.__deepcopy__``."""
    if not tensor.is_leaf:
        raise explained(
            RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol "
                "at the moment.  If you were attempting to deepcopy a module, this may be because of a "
                "torch.nn.utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001"
            ),
            "deepcopy-of-non-leaf",
        )
    if id(tensor) in memo:
        return memo[id(tensor)]
    if tensor.is_sparse:
        with no_grad():
            result = memo[id(tensor)] = tensor.clone()
        if tensor.requires_grad:
            result.requires_grad_()
        if tensor.grad is not None:
            result.grad = copy.deepcopy(tensor.grad, memo)
        return result
    if is_without_data(tensor):
        clone = _cloned_meta if tensor.is_meta else _cloned_wrapper
        return _finish_copy(clone(tensor), tensor, memo)
    with no_grad():
        source = tensor.resolve_conj().resolve_neg()
    storage = copy.deepcopy(source.untyped_storage(), memo)
    geometry = source.storage_offset(), tuple(source.size()), source.stride()
    if type(tensor) is plain:
        result = _from_storage(storage, source.dtype, *geometry)
    else:
        # the class creates the tensor, so that it can set attributes that its other methods need
        result = _made_by_class(tensor)
        with no_grad():
            result.set_(storage, *geometry)
    return _finish_copy(result, tensor, memo)


def _made_by_class(tensor):
    with no_grad():
        made = tensor.new_empty([])
    if type(made) is not type(tensor):
        raise RuntimeError(
            "The default implementation of __deepcopy__() for non-wrapper subclasses only works for subclass "
            "types that implement new_empty() and for which that function returns another instance of the same "
            "subclass. You should either properly implement new_empty() for your subclass or override "
            "__deepcopy__() if it is intended behavior for new_empty() to return an instance of a different type."
        )
    return made


def _cloned_wrapper(tensor):
    """Clone a tensor of a wrapper subclass, which has no storage."""
    with no_grad():
        result = tensor.clone()
    if type(result) is not type(tensor):
        raise RuntimeError(
            "The default implementation of __deepcopy__() for wrapper subclasses only works for subclass types "
            "that implement clone() and for which cloning returns another instance of the same subclass. You "
            "should either properly implement clone() for your subclass or override __deepcopy__() if it is "
            "intended behavior for clone() to return an instance of a different type."
        )
    return result


def _finish_copy(result, tensor, memo):
    """Copy everything besides the elements from `tensor` to `result`."""
    if tensor.requires_grad:
        result.requires_grad_()
    if tensor.grad is not None:
        result.grad = copy.deepcopy(tensor.grad, memo)
    for name in copyreg._slotnames(type(tensor)):
        if hasattr(tensor, name):
            setattr(result, name, copy.deepcopy(getattr(tensor, name), memo))
    if tensor.__dict__:
        result.__dict__.update(copy.deepcopy(tensor.__dict__, memo))
    memo[id(tensor)] = result
    return result


_rebuild_from_type_v2.__module__ = "minitorch._tensor"

for _function in (
    _rebuild_tensor,
    _rebuild_tensor_v2,
    _rebuild_tensor_v3,
    _rebuild_meta_tensor_no_storage,
    _rebuild_sparse_tensor,
    _get_obj_state,
    _set_obj_state,
    _rebuild_wrapper_subclass,
    get_tensor_metadata,
    set_tensor_metadata,
):
    _function.__module__ = "minitorch._utils"
