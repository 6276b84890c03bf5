"""`PyTorchFileReader`: what it says of a file's records, on files of both libraries."""

import io

import pytest

import minitorch
from tests.both import compare, real

CALLS = {
    "names": lambda reader, torch: reader.get_all_records(),
    "has": lambda reader, torch: (reader.has_record("data/0"), reader.has_record("data/9")),
    "record": lambda reader, torch: reader.get_record("data/1"),
    "no record": lambda reader, torch: reader.get_record("data/9"),
    "size": lambda reader, torch: reader.get_record_size("data/0"),
    "no size": lambda reader, torch: reader.get_record_size("data/9"),
    "offsets": lambda reader, torch: (
        reader.get_record_offset("data/0"),
        reader.get_record_header_offset("data/0"),
    ),
    "no offset": lambda reader, torch: reader.get_record_offset("data/9"),
    "id": lambda reader, torch: reader.serialization_id(),
    "empty tensor": lambda reader, torch: reader.get_storage_from_record(
        "data/0", 4, torch.float32
    ),
    "contents": lambda reader, torch: torch.empty(0, dtype=torch.int64).set_(
        reader.get_storage_from_record("data/1", 3, torch.int64).untyped_storage(), 0, (3,)
    ),
    "too long": lambda reader, torch: reader.get_storage_from_record("data/0", 9, torch.float32),
    "too short": lambda reader, torch: reader.get_storage_from_record("data/0", 3, torch.float64),
}


def saved(library):
    file = io.BytesIO()
    library.save([library.arange(4.0), {"b": library.tensor([5, 6, 7])}], file)
    return file.getvalue()


@pytest.mark.parametrize("writer", [real, minitorch], ids=["PyTorch", "minitorch"])
@pytest.mark.parametrize("call", CALLS)
def test_records(tmp_path, writer, call):
    path = tmp_path / "x.pt"
    path.write_bytes(saved(writer))
    compare(lambda torch: CALLS[call](torch.PyTorchFileReader(str(path)), torch))
    compare(lambda torch: CALLS[call](torch.PyTorchFileReader(io.BytesIO(saved(writer))), torch))


@pytest.mark.parametrize("contents", [b"", b"abc", saved(minitorch)[:-30]])
def test_no_archive(contents):
    compare(lambda torch: torch.PyTorchFileReader(io.BytesIO(contents)))


def test_no_file(tmp_path):
    compare(lambda torch: torch.PyTorchFileReader(str(tmp_path / "missing.pt")))


def _refusal(function, *args):
    try:
        return function(*args)
    except (AttributeError, RuntimeError, TypeError) as error:
        return type(error).__name__, str(error)[:30]


def test_what_a_writer_has_written_is_read(tmp_path):
    def program(torch):
        file = io.BytesIO()
        writer = torch._C.PyTorchFileWriter(file)
        writer.write_record("bytes", b"12345", 3)
        writer.write_record("text", "abc", 3)
        writer.write_record("storage", torch.ones(3).untyped_storage(), 12)
        written = sorted(writer.get_all_written_records()), writer.archive_name()
        writer.write_end_of_file()
        file.seek(0)
        reader = torch._C.PyTorchFileReader(file)
        names = sorted(name for name in reader.get_all_records() if not name.startswith("."))
        return written, names, [reader.get_record(name) for name in names]

    compare(program)


def test_blocks_that_open_files(tmp_path):
    def program(torch):
        serialization = torch.serialization
        path = str(tmp_path / "records.pt")
        with serialization._open_zipfile_writer(path) as writer:
            writer.write_record("a", b"bc", 2)
        with serialization._open_zipfile_reader(path) as reader:
            record = reader.get_record("a")
        with serialization._open_file_like(path, "rb") as file:
            zipped = serialization._is_zipfile(file)
        return (
            record, zipped, serialization._get_storage_alignment(),
            _refusal(serialization._open_file_like, io.BytesIO(), "z"),
            _refusal(lambda: serialization._open_zipfile_writer(5).__enter__()),
        )  # fmt: skip

    compare(program)


def test_records_are_not_written_twice_or_after_the_end():
    writer = minitorch.PyTorchFileWriter(io.BytesIO())
    writer.write_record("a", b"1", 1)
    with pytest.raises(RuntimeError, match="Tried to serialize file twice: a"):
        writer.write_record("a", b"1", 1)
    with pytest.raises(RuntimeError, match="has 1 bytes, not 2"):
        writer.write_record("b", b"1", 2)
    writer.write_end_of_file()
    with pytest.raises(RuntimeError, match="is complete"):
        writer.write_record("b", b"1", 1)


def test_schemes_of_quantization_are_loaded_with_weights_only():
    def program(torch):
        file = io.BytesIO()
        torch.save([torch.per_tensor_affine], file)
        file.seek(0)
        return str(torch.load(file, weights_only=True))

    compare(program)
