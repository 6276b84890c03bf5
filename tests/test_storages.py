"""Storages as Python sees them: their constructors, elements and what tensors are made of them."""

import importlib
import warnings

import pytest

from tests.both import compare, like_pytorch
from tests.expressions import check, lines

pytestmark = pytest.mark.core

LINES = lines(
    r"""
torch.tensor(x.storage()), torch.tensor(x.untyped_storage(), dtype=torch.float32)
torch.tensor(torch.zeros(2, dtype=torch.float64).storage())
torch.tensor(x.untyped_storage()).dtype
torch.as_tensor(torch.ones(2, dtype=torch.int64).storage())
torch.FloatTensor(torch.ones(2, dtype=torch.float64).storage())
torch.zeros(2).set_(torch.ones(2, dtype=torch.float64).storage())
x.set_(x.storage(), 0, (2,), (-1,))
x.set_(x.untyped_storage(), 1, (2, 2), (1, -1))
x.set_(x.untyped_storage(), 0, (-1,), (1,))
x.set_(x.untyped_storage(), 0, (0, 3), (1, -1)).stride()
x.set_(torch.ones(1, device='meta'))
torch.ones(1, device='meta').set_(x.untyped_storage())
torch.ones(1, device='meta').set_().device
x.set_(x.storage(), 0, 'a')
__import__('sys').getsizeof(torch.FloatStorage(25)) - __import__('sys').getsizeof(torch.FloatStorage(0))
torch.zeros(2).set_(torch.ones(2, dtype=torch.float64).storage(), 0, (2,))
x.untyped_storage()[-13]
x.untyped_storage()[12]
x.untyped_storage()[True]
x.untyped_storage()[torch.tensor(1)]
x.untyped_storage()[2**70]
s = x.untyped_storage();; s[-1] = 1;; s
s = x.untyped_storage();; s[12] = 1;; s
s = x.untyped_storage();; s['a'] = 1;; s
s = x.untyped_storage();; s[True] = 1;; s
s = x.untyped_storage();; s[0] = 'a';; s
s = x.untyped_storage();; s[0:2] = 1.5;; s
s = x.untyped_storage();; s[0] = True;; s[0]
x.untyped_storage().fill_(1.5)
x.untyped_storage().resize_(True)
x.untyped_storage().resize_(2**70)
torch.UntypedStorage(True)
torch.UntypedStorage(2**70)
torch.TypedStorage([1, 2], [3])
torch.TypedStorage(3, wrap_storage=torch.UntypedStorage(4), dtype=torch.float)
torch.TypedStorage(wrap_storage=3, dtype=torch.float)
torch.TypedStorage(wrap_storage=torch.UntypedStorage(4))
torch.TypedStorage(dtype=3)
torch.TypedStorage({1, 2})
torch.FloatStorage(3, dtype=torch.int)
torch.FloatStorage(device='cpu')
torch.FloatStorage(3, 4)
torch.FloatStorage(wrap_storage=x.storage())
torch.FloatStorage([1, 2, 3]).tolist(), torch.FloatStorage().tolist()
torch.FloatStorage([1, 2])[2]
torch.FloatStorage([1, 2])['a']
torch.FloatStorage([1, 2])[0:1]
torch.FloatStorage([1, 2])[-1], torch.FloatStorage([1, 2]).filename
torch.FloatStorage([1, 2]).__setitem__('a', 3)
torch.FloatStorage([1, 2]).__setitem__(0, torch.FloatStorage(1))
torch.FloatStorage([1, 2]).copy_(torch.FloatStorage([3]))
torch.FloatStorage([1, 2]).copy_(torch.IntStorage([1065353216, 0])).tolist()
torch.FloatStorage.from_buffer(bytes(8), 'native').tolist()
torch.FloatStorage.from_buffer(bytes(7), 'native')
torch.FloatStorage.from_buffer(bytes(8))
torch.FloatStorage.from_buffer(bytes(9), 'native', 1, 4).tolist()
torch.FloatStorage.from_buffer(bytes(9), 'native', 3, 9)
torch.FloatStorage.from_buffer(bytes(9), 'native', 1, 7)
torch.FloatStorage.from_buffer(bytes(9), 'native', 3, -1)
torch.FloatStorage.from_buffer(bytes(9), 'native', -1, 9).tolist()
torch.FloatStorage.from_buffer(bytes(9), 'native', 0, 10)
torch.FloatStorage.from_buffer(bytes(9), 'native', 2**63, 0)
torch.FloatStorage.from_buffer(bytes(9), 'native', 0, 2**63)
torch.FloatStorage.from_buffer(bytes(8), 'native', 2.5)
torch.FloatStorage.from_buffer(bytes(8), 'x')
torch.UntypedStorage(3, device='cuda')
torch.UntypedStorage(3, device='meta')[0]
torch.UntypedStorage(3, device='meta').tolist()
torch.UntypedStorage(3, device='meta').cpu()
torch.UntypedStorage(3, device='meta').clone(), torch.UntypedStorage([1, 2], device='meta').fill_(1)
torch.UntypedStorage(3, device='meta').share_memory_()
torch.UntypedStorage(3, device='meta')._share_filename_cpu_()
torch.UntypedStorage(3).copy_(torch.UntypedStorage(3, device='meta'))
torch.UntypedStorage(3, device='meta').copy_(torch.UntypedStorage(3))
torch.TypedStorage([1, 2], device='meta', dtype=torch.int16)
torch.TypedStorage(3, device='meta')[0]
torch.TypedStorage(3, device='meta').tolist()
torch.TypedStorage(3, device='meta').cpu()
torch.FloatStorage([1, 2]).get_device(), x.untyped_storage().get_device()
    """
)


@pytest.mark.parametrize("line", LINES)
def test_storage_is_pytorchs(line):
    check(line)


def test_a_tensor_of_a_storage_shares_its_memory():
    def program(torch):
        x = torch.zeros(3)
        torch.tensor(x.storage())[0] = 5
        return x

    compare(program)


def test_slices_of_storages_are_set():
    def program(torch):
        typed, untyped = torch.FloatStorage([1, 2, 3]), torch.UntypedStorage([1, 2, 3])
        typed[1:] = 7
        untyped[:2] = 9
        return typed.tolist(), untyped.tolist()

    compare(program)


def test_no_storage_pretends_to_be_elsewhere():
    import minitorch

    for storage in (minitorch.UntypedStorage, minitorch.TypedStorage):
        with pytest.raises(NotImplementedError, match="not on 'xla'"):
            storage(3, device="xla")


@pytest.mark.parametrize(
    "text",
    [
        "torch.empty_strided((5,), (2**62,))",
        "torch.ones(2).new_empty_strided((5,), (2**62,))",
        "torch.empty(1).set_(torch.empty(1).untyped_storage(), 0, (5,), (2**62,))",
        "torch.empty(1).set_(torch.empty(1).untyped_storage(), 2**62, (5,), (1,))",
    ],
)
def test_strides_that_lead_beyond_all_addresses_are_refused(text):
    compare(lambda torch: eval(text, {"torch": torch}))


@pytest.mark.parametrize(
    "text",
    [
        "torch.from_file(f'{d}/small', size=2, device='cpu', layout=torch.strided).shape",
        "torch.from_file(f'{d}/new', shared=True, size=2, dtype=torch.int32, device='cpu')",
        "torch.from_file(f'{d}/small', size=None)",
        "torch.from_file(f'{d}/small', size=3)",
        "torch.from_file(f'{d}/small', size=1, pin_memory=True)",
        "torch.from_file(f'{d}/none', size=3)",
        "torch.UntypedStorage.from_file(f'{d}/none/none', True, 3)",
    ],
)
def test_tensors_over_files_are_made_or_refused(text, tmp_path):
    (tmp_path / "small").write_bytes(b"12345678")

    def program(torch):
        try:
            return eval(text, {"torch": torch, "d": tmp_path})
        except RuntimeError as error:
            return str(error)

    compare(program)


def test_bytes_are_an_instance_of_the_base_of_storages_and_elements_are_not():
    def program(torch):
        x = torch.ones(2)
        return (
            isinstance(x.untyped_storage(), torch.StorageBase),
            isinstance(x.untyped_storage(), torch.storage._StorageBase),
            issubclass(torch.TypedStorage, torch.StorageBase),
            isinstance(x, torch._C.StorageBase),
        )

    compare(program)


def test_memory_shared_with_a_file_has_its_name(tmp_path):
    def program(torch):
        path = str(tmp_path / "elements")
        shared = torch.from_file(path, shared=True, size=2)
        alone = torch.from_file(path, shared=False, size=2)
        named = shared[1:].untyped_storage().filename == path
        return named, alone.untyped_storage().filename, torch.ones(1).untyped_storage().filename

    compare(program)


def test_new_storages_that_are_shared():
    def program(torch):
        elements = torch.ones(2, 3, dtype=torch.float64)
        shared = elements._typed_storage()._new_shared(12, device=elements.device)
        batch = elements.new(shared).resize_(2, 2, 3)
        torch.stack([elements, elements], out=batch)
        floats, nothing = torch.FloatStorage._new_shared(3), torch.UntypedStorage._new_shared(0)
        return batch, batch.is_shared(), floats.size(), floats.is_shared(), nothing.nbytes()

    compare(program)


def test_typed_storages_can_warn_every_time():
    def program(torch):
        found = []
        for always in (True, False):
            before = torch.storage._get_always_warn_typed_storage_removal()
            torch.storage._set_always_warn_typed_storage_removal(always)
            try:
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always")
                    torch.FloatStorage(2)
                    torch.ones(1).storage()
                    torch.ones(1).untyped_storage()
                found.append([str(w.message) for w in caught])
            finally:
                torch.storage._set_always_warn_typed_storage_removal(before)
        return found, before

    compare(program)


@like_pytorch
def test_whether_a_storage_is_gone(torch):
    reductions = importlib.import_module(f"{torch.__name__}.multiprocessing.reductions")
    found = []
    for size in (2, 100_000):
        x = torch.ones(size)
        whole = reductions.StorageWeakRef(x.untyped_storage())
        part = reductions.StorageWeakRef(x[1:].untyped_storage())
        found += [whole == part, hash(whole) == hash(part), whole.expired()]
        kept = x[:1]
        del x
        found.append(whole.expired())
        kept.untyped_storage().resize_(0)
        found.append(whole.expired())
        del kept
        found += [whole.expired(), part.expired()]
        other = torch.ones(size)
        found.append(whole == reductions.StorageWeakRef(other.untyped_storage()))
    return found
