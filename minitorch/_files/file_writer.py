"""`PyTorchFileWriter`: a file of records, written one at a time."""

import os

from minitorch._files.file_writing import replacing
from minitorch._files.zip_archive import ALIGNMENT, ArchiveWriter
from minitorch.tensors.typed_storage import UntypedStorage, view_bytes

__all__ = ["PyTorchFileWriter"]


class PyTorchFileWriter:
    """Writes an archive that `PyTorchFileReader` reads, record by record.

    Parameters
    ----------
    file : str or file-like
        A path, or what can ``write``.
    compute_crc32 : bool
        Whether the records have checksums.
    storage_alignment : int
        The data of each record begin at a multiple of it.

    Raises
    ------
    RuntimeError
        When the file cannot be opened, a record is written a second time or shorter than said, or the
        archive is complete already.

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
        """The folder inside the archive in which the records stand."""
        return self._name

    def get_all_written_records(self):
        """The names of the records so far."""
        return set(self._written)

    def write_record(self, name, data, size):
        """Append a record: the first `size` bytes of bytes, text or a storage."""
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
        """Append the version, the byte order if there is none, an identity of the content, and the directory."""
        self._complete = True
        self._archive.write_end_of_file()
        if self._replacing is not None:
            self._replacing.__exit__(None, None, None)
