"""`PyTorchFileReader`: the records of a file of tensors, one at a time, for programs that load lazily."""

import weakref

from minitorch._files.zip_archive import ArchiveReader
from minitorch.autograd.functions.interchange import _from_storage
from minitorch.tensors.typed_storage import UntypedStorage, view_bytes

__all__ = ["PyTorchFileReader"]


class PyTorchFileReader(ArchiveReader):
    """Reads what `save` wrote, record by record.

    Parameters
    ----------
    file : str or file-like
        A path, or what can ``tell``, ``seek`` and ``read``, at the beginning of the archive.

    Raises
    ------
    RuntimeError
        When the file cannot be opened, is no archive, or is damaged.

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
        """The number that `save` gave the contents; empty if it gave none."""
        name = ".data/serialization_id"
        return self.get_record(name).decode() if self.has_record(name) else ""

    def get_record_size(self, name):
        """The number of bytes of a record."""
        return self.record_size(name)

    def get_record_header_offset(self, name):
        """Where a record begins in the file, its header first."""
        return self.header_offset(name)

    def get_storage_from_record(self, name, numel, dtype):
        """An empty tensor whose storage holds a record.

        Parameters
        ----------
        name : str
        numel : int
            How many elements the record has.
        dtype : dtype
            Their type.

        Raises
        ------
        RuntimeError
            If the record has another size, or there is none.
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
