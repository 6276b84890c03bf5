"""Sending of tensors to other processes, and weak references to storages."""

import pickle
from multiprocessing.reduction import ForkingPickler

from minitorch._tensor import Tensor
from minitorch.core.untyped_storage import life_of
from minitorch.nn.parameter import Parameter
from minitorch.tensors.typed_storage import share_what_is_sent

__all__ = ["StorageWeakRef", "init_reductions", "reduce_tensor"]


class StorageWeakRef:
    """Weak reference to a storage; two references to the same storage are equal.

    Parameters
    ----------
    storage : UntypedStorage or TypedStorage

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.multiprocessing.reductions import StorageWeakRef
    >>> x = torch.ones(2)
    >>> StorageWeakRef(x.untyped_storage()) == StorageWeakRef(x[:1].untyped_storage())
    True
    """

    def __init__(self, storage):
        self.cdata = storage._cdata
        self._life = life_of(storage.untyped())

    def __hash__(self):
        return self.cdata

    def __eq__(self, other):
        return isinstance(other, StorageWeakRef) and self._life is other._life

    def expired(self):
        """Return whether the storage has been freed."""
        return self._life.ended


def reduce_tensor(tensor):
    """Return the pickle reduction of a tensor that is sent to another process.

    Raises
    ------
    RuntimeError
        If the tensor requires a gradient and is not a leaf, because its graph cannot be sent.
    """
    if tensor.requires_grad and not tensor.is_leaf:
        raise RuntimeError(
            "Cowardly refusing to serialize non-leaf tensor which requires_grad, since autograd "
            "does not support crossing process boundaries.  If you just want to transfer the data, "
            "call detach() on the tensor before serializing (e.g., putting it on the queue)."
        )
    return tensor.__reduce_ex__(pickle.HIGHEST_PROTOCOL)


def init_reductions():
    """Register shared-memory pickling of tensors with `multiprocessing`."""
    share_what_is_sent(True)
    for kind in (Tensor, Parameter):
        ForkingPickler.register(kind, reduce_tensor)
