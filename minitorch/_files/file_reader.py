"""`PyTorchFileReader`: access to single records of a saved file, for lazy loading."""

import weakref

from minitorch._files.zip_archive import ArchiveReader
from minitorch.autograd.functions.interchange import _from_storage
from minitorch.tensors.typed_storage import UntypedStorage, view_bytes

__all__ = ["PyTorchFileReader"]


class PyTorchFileReader(ArchiveReader):
    """Reader of the records of a file that `save` wrote.

    Parameters
    ----------
    file : str or file-like
        A path, or an object with ``tell``, ``seek`` and ``read``, positioned at the archive.

    Raises
    ------
    RuntimeError
        The file cannot be opened, is not an archive, or is corrupt.

    Examples
    --------
    >>> import io
    >>> import minitorch as torch
    >>> file = io.BytesIO()
    >>> torch.save([1, 2], file)
    >>> _ = file.seek(0)
    >>> torch.PyTorchFileReader(file).has_record("data.pkl")
    True
    """

    def __init__(self, file):
        if isinstance(file, str):
            path = file
            try:
                file = open(path, "rb")  # noqa: SIM115 (open as long as the reader is there)
            except OSError as error:
                raise RuntimeError(
                    f"open file failed because of errno {error.errno} on fopen: {error.strerror}, "
                    f"file path: {path}"
                ) from None
            weakref.finalize(self, file.close)
        super().__init__(file)

    def serialization_id(self):
        """Return the identifier that `save` computed from the contents, or an empty string."""
        name = ".data/serialization_id"
        return self.get_record(name).decode() if self.has_record(name) else ""

    def get_record_size(self, name):
        """Return the size of a record in bytes."""
        return self.record_size(name)

    def get_record_header_offset(self, name):
        """Return the offset of a record's header in the file."""
        return self.header_offset(name)

    def get_storage_from_record(self, name, numel, dtype):
        """Return an empty tensor whose storage contains a record.

        Parameters
        ----------
        name : str
        numel : int
            Number of elements in the record.
        dtype : dtype
            Dtype of the elements.

        Raises
        ------
        RuntimeError
            The record does not exist or has another size.
        """
        size, item = self.record_size(name), dtype.itemsize
        if size != numel * item:
            raise RuntimeError(
                f"record size ({size} bytes) does not match expected size ({numel * item} bytes = "
                f"{numel} elements * {item} bytes/element) for dtype {dtype._class_name}"
            )
        storage = UntypedStorage(self._checked_size(name))
        self.read_into(name, view_bytes(storage))
        return _from_storage(storage, dtype, 0, (0,), None)
