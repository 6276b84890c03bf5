"""`StorageWeakRef`: which memory a tensor has, without keeping it."""

__all__ = ["StorageWeakRef"]


class StorageWeakRef:
    """Says which storage it was made of: two of the same storage are equal.

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

    def __hash__(self):
        return self.cdata

    def __eq__(self, other):
        return isinstance(other, StorageWeakRef) and self.cdata == other.cdata

    def expired(self):
        """Not supported: whether the storage is gone.

        Raises
        ------
        NotImplementedError
        """
        raise NotImplementedError("StorageWeakRef.expired")
