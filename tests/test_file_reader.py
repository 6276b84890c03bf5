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
