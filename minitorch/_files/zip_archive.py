"""Archives of saved tensors: uncompressed zip files with each record at a multiple of 64 bytes.

`ArchiveWriter` writes sequentially and produces the same bytes as PyTorch. `ArchiveReader` reads
its archives and those of any zip program.

Note [Lying sizes]: sizes and offsets in a file are compared with the length of the file before they
are used. This prevents allocations of memory, and reads, beyond what the file contains.

References
----------
APPNOTE.TXT, PKWARE's description of the format. PyTorch: ``caffe2/serialize/inline_container.cc``.
"""

import struct
import sys
import zlib

ALIGNMENT = 64

_LOCAL = struct.Struct("<4s5H3L2H")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_END = struct.Struct("<4s4H2LH")
_END64 = struct.Struct("<4sQ2H2L4Q")
_LOCATOR64 = struct.Struct("<4sLQL")
_FLAGS = 0x0808  # sizes follow the data; names are UTF-8
_BIG = 0xFFFFFFFF
_HIGHEST_VERSION = 10
# one byte of deflated data expands to at most this many
_DEFLATE_RATIO = 1032
# limits for the total size of all records: this many bytes, or this multiple of the file's length
_ALWAYS_ALLOWED = 1 << 30
_LARGEST_RATIO = 100
_CORRUPT = (
    " This is an internal miniz error. If you are seeing this error, there is a high likelihood that your "
    "checkpoint file is corrupted. This can happen if the checkpoint was not saved properly, was "
    "transferred incorrectly, or the file was modified after saving."
)


def _failed(doing, what):
    return RuntimeError(f"PytorchStreamReader failed {doing}: {what}.{_CORRUPT}")


class ArchiveWriter:
    """Sequential writer of records.

    Parameters
    ----------
    file : file-like
        Only its ``write`` is called.
    name : str
        Folder in the archive that contains the records.
    alignment : int
        The data of each record start at a multiple of this many bytes.
    checksums : bool
        Whether to write checksums of the records.
    """

    def __init__(self, file, name="archive", alignment=ALIGNMENT, checksums=True):
        self._file = file
        self._name = name
        self._alignment = alignment
        self._checksums = checksums
        self._position = 0
        self._records = []  # (name, checksum, size, offset of its header)

    def _write(self, data):
        self._file.write(data)
        self._position += len(data)

    def write_record(self, name, data):
        """Append a record; `data` is bytes or a contiguous buffer of bytes."""
        size, start = len(data), self._position
        name = f"{self._name}/{name}".encode()
        long = struct.pack("<2HQQ", 1, 16, size, size) if size >= _BIG else b""
        # the padding is an extra field, which readers skip
        unpadded = start + _LOCAL.size + len(name) + len(long) + 4
        padding = -unpadded % self._alignment
        extra = long + b"FB" + struct.pack("<H", padding) + b"Z" * padding
        sizes = _BIG if long else 0
        self._write(
            _LOCAL.pack(b"PK\3\4", 0, _FLAGS, 0, 0, 0, 0, sizes, sizes, len(name), len(extra))
        )
        self._write(name + extra)
        self._write(data)
        checksum = zlib.crc32(data) if self._checksums else 0
        if size:
            layout = "<4sLQQ" if long or start >= _BIG else "<4sLLL"
            self._write(struct.pack(layout, b"PK\7\x08", checksum, size, size))
        self._records.append((name, checksum, size, start))

    def write_end_of_file(self):
        """Complete the archive.

        Append the version, the byte order if it is missing, an identifier computed from the
        content, and the directory.
        """
        self.write_record("version", b"3\n")
        byteorder = f"{self._name}/byteorder".encode()
        if all(record[0] != byteorder for record in self._records):
            self.write_record("byteorder", sys.byteorder.encode())
        names = zlib.crc32(b"".join(record[0] for record in self._records))
        content = 0
        for _, checksum, size, _ in self._records:
            content = zlib.crc32(struct.pack("<LQ", checksum, size), content)
        self.write_record(".data/serialization_id", b"%020d%020d" % (names, content))
        start = self._position
        for name, checksum, size, offset in self._records:
            long = [n for n in (size, size, offset) if n >= _BIG]
            extra = struct.pack(f"<2H{len(long)}Q", 1, 8 * len(long), *long) if long else b""
            shown, place = min(size, _BIG), min(offset, _BIG)
            self._write(
                _CENTRAL.pack(b"PK\1\2", 0, 0, _FLAGS, 0, 0, 0, checksum, shown, shown,
                              len(name), len(extra), 0, 0, 0, 0, place) + name + extra
            )  # fmt: skip
        length, count, end = self._position - start, len(self._records), self._position
        self._write(_END64.pack(b"PK\6\6", 44, 0x031E, 45, 0, 0, count, count, length, start))
        self._write(_LOCATOR64.pack(b"PK\6\7", 0, end, 1))
        shown = min(count, 0xFFFF)
        self._write(
            _END.pack(b"PK\5\6", 0, 0, shown, shown, min(length, _BIG), min(start, _BIG), 0)
        )


class ArchiveReader:
    """Reader of the records of an archive.

    Parameters
    ----------
    file : file-like
        Must be seekable. The archive extends from its current position to its end.

    Raises
    ------
    RuntimeError
        The file is not an archive or is corrupt; with PyTorch's messages.
    """

    def __init__(self, file):
        self._file = file
        self._start = file.tell()
        self._length = file.seek(0, 2) - self._start
        self._records = {}  # name -> (method, packed size, size, offset of its header)
        self._read_directory()
        if not self.has_record("version"):
            raise RuntimeError(
                'Expected hasRecord("version") to be true, but got false.  (Could this error message be '
                "improved?  If so, please report an enhancement request to PyTorch.)"
            )
        version = self.get_record("version")
        if not version.strip().isdigit():
            raise RuntimeError(f"the version of the archive is no number: {version[:40]!r}")
        if int(version[:20]) > _HIGHEST_VERSION:
            raise RuntimeError(
                f"Attempted to read a PyTorch file with version {int(version[:20])}, but the maximum "
                f"supported version for reading is {_HIGHEST_VERSION}. The version of your PyTorch "
                "installation may be too old, please upgrade PyTorch to latest version to mitigate this "
                "issue."
            )

    def _read(self, offset, size):
        if offset < 0 or offset + size > self._length:
            raise _failed("reading zip archive", "file read failed")
        self._file.seek(self._start + offset)
        data = self._file.read(size)
        if len(data) != size:
            raise _failed("reading zip archive", "file read failed")
        return data

    def _directory_place(self):
        """Return (offset, length, number of entries) of the directory."""
        tail = min(self._length, _END.size + 0xFFFF)
        data = self._read(self._length - tail, tail)
        if self._length < _END.size:
            raise _failed("reading zip archive", "not a ZIP archive")
        index = data.rfind(b"PK\5\6")
        if index < 0 or index + _END.size > tail:
            raise _failed("reading zip archive", "failed finding central directory")
        _, _, _, _, count, length, offset, _ = _END.unpack_from(data, index)
        end = self._length - tail + index
        if end >= _LOCATOR64.size:
            signature, _, place, _ = _LOCATOR64.unpack(
                self._read(end - _LOCATOR64.size, _LOCATOR64.size)
            )
            if signature == b"PK\6\7":
                fields = _END64.unpack(self._read(place, _END64.size))
                if fields[0] == b"PK\6\6":
                    count, length, offset = fields[7:]
        if offset + length > end or count * _CENTRAL.size > length:
            raise _failed("reading zip archive", "invalid header or archive is corrupted")
        return offset, length, count

    def _read_directory(self):
        offset, length, count = self._directory_place()
        data, at, packed_sizes, sizes = self._read(offset, length), 0, 0, 0
        for _ in range(count):
            if at + _CENTRAL.size > length:
                raise _failed("reading zip archive", "invalid header or archive is corrupted")
            fields = _CENTRAL.unpack_from(data, at)
            method, (packed, size, name_length, extra_length, comment_length) = (
                fields[4],
                fields[8:13],
            )
            header = fields[16]
            name_at = at + _CENTRAL.size
            at = name_at + name_length + extra_length + comment_length
            if fields[0] != b"PK\1\2" or at > length:
                raise _failed("reading zip archive", "invalid header or archive is corrupted")
            name = data[name_at : name_at + name_length].decode("utf-8", "replace")
            extra = data[name_at + name_length : name_at + name_length + extra_length]
            packed, size, header = _long_sizes(extra, packed, size, header)
            packed_sizes += packed
            sizes += size
            # "archive/data/0" is the record "data/0", whatever the archive's name
            self._records.setdefault(name.partition("/")[2], (method, packed, size, header))
        if packed_sizes > self._length:
            raise _failed("reading zip archive", "records overlap")
        if sizes > max(_ALWAYS_ALLOWED, _LARGEST_RATIO * self._length):
            raise _failed("reading zip archive", "unexpected sizes")

    def has_record(self, name):
        """Return whether there is a record of this name."""
        return name in self._records

    def get_all_records(self):
        """Return the names of the records."""
        return list(self._records)

    def record_size(self, name):
        """Return the uncompressed size of a record in bytes."""
        return self._record(name)[2]

    def header_offset(self, name):
        """Return the offset of a record's header in the file."""
        return self._start + self._record(name)[3]

    def _record(self, name):
        if name not in self._records:
            raise _failed(f"locating file {name}", "file not found")
        return self._records[name]

    def get_record_offset(self, name):
        """Return the offset of a record's data in the file."""
        method, packed, size, header = self._record(name)
        fields = _LOCAL.unpack(self._read(header, _LOCAL.size))
        offset = header + _LOCAL.size + fields[9] + fields[10]
        if fields[0] != b"PK\3\4" or offset + packed > self._length:
            raise _failed(f"reading file {name}", "invalid header or archive is corrupted")
        if method == 0 and packed != size:
            raise _failed(f"reading file {name}", "unexpected sizes")
        return self._start + offset

    def get_record(self, name):
        """Return the bytes of a record."""
        data = bytearray(self._checked_size(name))
        self.read_into(name, memoryview(data))
        return bytes(data)

    def _checked_size(self, name):
        method, packed, size, _ = self._record(name)
        if size > (packed if method == 0 else packed * _DEFLATE_RATIO):
            raise _failed(f"reading file {name}", "unexpected sizes")
        return size

    def read_into(self, name, target):
        """Read a record into a buffer of its size."""
        method, packed, size, _ = self._record(name)
        self._checked_size(name)
        offset = self.get_record_offset(name)
        self._file.seek(offset)
        if method == 0:
            read = _fill(self._file, target)
        elif method == 8:
            read = _inflate(self._file, packed, target)
        else:
            raise _failed(f"reading file {name}", "unsupported method")
        if read != size:
            raise _failed(f"reading file {name}", "file read failed")


def _fill(file, target):
    if hasattr(file, "readinto"):
        done = 0
        while done < len(target):
            count = file.readinto(target[done:])
            if not count:
                break
            done += count
        return done
    data = file.read(len(target))
    target[: len(data)] = data
    return len(data)


def _inflate(file, packed, target):
    inflater, done = zlib.decompressobj(-15), 0
    try:
        while packed and not inflater.eof:
            chunk = file.read(min(packed, 1 << 16))
            if not chunk:
                break
            packed -= len(chunk)
            while chunk and not inflater.eof:
                # allow one byte more than fits, to detect an excess
                data = inflater.decompress(chunk, len(target) - done + 1)
                if done + len(data) > len(target):
                    return -1
                target[done : done + len(data)] = data
                done += len(data)
                chunk = inflater.unconsumed_tail
    except zlib.error:
        return -1
    return done


def _long_sizes(extra, packed, size, header):
    """Return the sizes and the offset, read from `extra` if they do not fit in 32 bits."""
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<2H", extra, at)
        if kind == 1:
            field, at = extra[at + 4 : at + 4 + length], 0
            values = []
            for value in (size, packed, header):
                if value == _BIG and at + 8 <= len(field):
                    value = struct.unpack_from("<Q", field, at)[0]
                    at += 8
                values.append(value)
            size, packed, header = values
            break
        at += 4 + length
    return packed, size, header
