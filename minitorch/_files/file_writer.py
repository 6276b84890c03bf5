"""`PyTorchFileWriter`: writing an archive record by record."""

import os

from minitorch._files.file_writing import replacing
from minitorch._files.zip_archive import ALIGNMENT, ArchiveWriter
from minitorch.tensors.typed_storage import UntypedStorage, view_bytes

__all__ = ["PyTorchFileWriter"]


class PyTorchFileWriter:
    """Writer of an archive for `PyTorchFileReader`, record by record.

    Parameters
    ----------
    file : str or file-like
        A path, or an object with ``write``.
    compute_crc32 : bool
        Whether to write checksums of the records.
    storage_alignment : int
        The data of each record start at a multiple of this many bytes.

    Raises
    ------
    RuntimeError
        The file cannot be opened, a record is written twice or has less data than its size, or the
        archive is already complete.

    Examples
    --------
    >>> import io
    >>> import minitorch as torch
    >>> file = io.BytesIO()
    >>> writer = torch._C.PyTorchFileWriter(file)
    >>> writer.write_record("greeting", b"hello", 5)
    >>> writer.write_end_of_file()
    >>> _ = file.seek(0)
    >>> torch.PyTorchFileReader(file).get_record("greeting")
    b'hello'
    """

    def __init__(self, file, compute_crc32=True, storage_alignment=ALIGNMENT):
        self._replacing, self._name = None, "archive"
        if isinstance(file, str):
            self._name = os.path.splitext(os.path.basename(file))[0]
            self._replacing = replacing(file)
            file = self._replacing.__enter__()
        self._archive = ArchiveWriter(file, self._name, storage_alignment, compute_crc32)
        self._written, self._complete = set(), False

    def archive_name(self):
        """Return the name of the folder in the archive that contains the records."""
        return self._name

    def get_all_written_records(self):
        """Return the names of the records written so far."""
        return set(self._written)

    def write_record(self, name, data, size):
        """Append a record with the first `size` bytes of `data`: bytes, a string or a storage."""
        if self._complete:
            raise RuntimeError("the archive is complete: no record can follow")
        if name in self._written:
            raise RuntimeError(f"Tried to serialize file twice: {name}")
        if isinstance(data, UntypedStorage):
            data = view_bytes(data)
        elif isinstance(data, str):
            data = data.encode()
        if len(data) < size:
            raise RuntimeError(f"record {name} has {len(data)} bytes, not {size}")
        self._archive.write_record(name, bytes(data[:size]))
        self._written.add(name)

    def write_end_of_file(self):
        """Complete the archive: append the version, byte order, identifier and directory."""
        self._complete = True
        self._archive.write_end_of_file()
        if self._replacing is not None:
            self._replacing.__exit__(None, None, None)
