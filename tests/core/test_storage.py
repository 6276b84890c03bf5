"""Memory behind tensors: who keeps it, when it moves, and that every byte is given back."""

import gc
import weakref

import numpy as np
import pytest

import minitorch
from minitorch.core import allocator, untyped_storage
from tests.both import compare, like_pytorch
from tests.core.test_allocator import HEADER, INLINE, block_bytes, content, storage_bytes

pytestmark = pytest.mark.core

torch = minitorch


def allocated():
    return allocator.memory_stats()["allocated_bytes"]


@pytest.fixture(autouse=True, scope="module")
def no_garbage():
    gc.collect()


SIZES = [0, 1, 60, 64, 65, 4000, INLINE - 1, INLINE, INLINE + 1, 20_000, 100_000]


@pytest.mark.parametrize("larger", SIZES)
@pytest.mark.parametrize("nbytes", SIZES)
def test_resizing_keeps_the_content_and_gives_back_what_it_took(nbytes, larger):
    before = allocated()
    s = torch.UntypedStorage(nbytes)
    places = {0, nbytes // 2, nbytes - 1} - {-1, nbytes}
    for k in places:
        s[k] = k % 251
    checked = [k for k in places if k < larger]
    s.resize_(larger)
    assert s.nbytes() == larger == len(s) == s.size()
    assert [s[k] for k in checked] == [k % 251 for k in checked]
    own = block_bytes(HEADER + (nbytes if nbytes <= INLINE else 0))
    if larger > nbytes:
        assert allocated() - before == own + block_bytes(larger)
    else:
        assert allocated() - before == storage_bytes(nbytes)
    s.resize_(nbytes)
    s.resize_(larger)
    del s
    assert allocated() == before


@pytest.mark.parametrize("nbytes", [100, 20_000])
def test_memory_moves_only_when_it_must_grow(nbytes):
    s = torch.UntypedStorage(nbytes)
    place = s.data_ptr()
    for size in (nbytes, 10, 0, nbytes - 1, nbytes):
        s.resize_(size)
        assert s.data_ptr() == place
    s.resize_(nbytes + 1)
    moved = s.data_ptr()
    assert moved != place
    for size in (50, nbytes + 1):
        s.resize_(size)
        assert s.data_ptr() == moved


def test_growing_keeps_every_byte():
    s = torch.UntypedStorage(1000)
    for k in range(1000):
        s[k] = k % 256
    s.resize_(50_000)
    assert s.tolist()[:1000] == [k % 256 for k in range(1000)]


def test_freed_memory_goes_back_to_its_own_class():
    """Grown, shrunk and freed storages are followed by others that must not overlap."""
    for sizes in [
        (100, 5000),
        (100, 50_000, 10),
        (20_000, 100_000, 10),
        (20_000, 10),
        (INLINE, 10),
    ]:
        s = torch.UntypedStorage(sizes[0])
        for size in sizes[1:]:
            s.resize_(size)
        del s
        held = [
            torch.UntypedStorage(n).fill_(k)
            for k, n in enumerate([5000, 100, 50_000, 20_000, 100_000, 10] * 2)
        ]
        assert all(content(h) == bytes([k]) * h.nbytes() for k, h in enumerate(held))


def test_no_resizing_while_a_buffer_is_exported():
    s = torch.UntypedStorage(100).fill_(7)
    first = s._bytes()
    second = s._bytes()
    for view in (first, second):
        assert not s.resizable()
        for size in (10, 100, 1000):
            with pytest.raises(RuntimeError, match="not resizable"):
                s.resize_(size)
        assert s.nbytes() == 100 and view[99] == 7
        view.release()
    assert s.resizable()
    s.resize_(1000)
    assert s.nbytes() == 1000 and s[99] == 7


def test_no_resizing_of_a_tensor_whose_buffer_is_exported():
    t = torch.ones(4)
    view = t.untyped_storage()._bytes()
    with pytest.raises(RuntimeError, match="not resizable"):
        t.resize_(1000)
    assert t.shape == (4,) and len(view) == 16
    view.release()
    t.resize_(1000)
    assert t.shape == (1000,) and t[:4].tolist() == [1, 1, 1, 1]


def test_memory_of_others_is_not_resized_and_is_released_once():
    class Owner(np.ndarray):
        pass

    array = np.arange(8, dtype=np.float32).view(Owner)
    gone = weakref.ref(array)
    before = allocated()
    t = torch.from_numpy(array)
    view = t[2:]
    s = t.untyped_storage()
    assert not s.resizable() and s.data_ptr() == array.ctypes.data
    for size in (1, 32, 1000):
        with pytest.raises(RuntimeError, match="not resizable"):
            s.resize_(size)
    del array, t, s
    gc.collect()
    assert view.tolist() == [2, 3, 4, 5, 6, 7] and gone() is not None
    del view
    gc.collect()
    assert gone() is None
    assert allocated() == before


def test_new_memory_has_no_past():
    """Blocks are used again: nothing of the tensor before may be found."""
    array = np.zeros(16, np.float32)
    for _ in range(3):
        x = torch.ones(16, requires_grad=True)
        y = x * 2
        y.add_(1)
        with torch.inference_mode():
            i = torch.zeros(16)
        foreign = torch.from_numpy(array)
        held = torch.zeros(16).untyped_storage()._bytes()
        sliced = torch.zeros(16).untyped_storage()[3:]
        del x, y, i, foreign, held, sliced
        fresh = [torch.empty(16) for _ in range(40)]
        assert all(t._version == 0 and not t.is_inference() for t in fresh)
        assert all(t.untyped_storage().resizable() for t in fresh)
        assert all(t.untyped_storage()._owner is None for t in fresh)
        del fresh


@pytest.mark.parametrize("recorded", [True, False])
def test_a_message_names_no_writer_of_the_memory_before(recorded):
    x = torch.ones(5, requires_grad=True)
    written = [(x * 1).exp_() for _ in range(40)]
    del written
    w = x.sin() if recorded else torch.ones(5)
    z = (x * w).sum()
    with torch.no_grad():
        w.add_(1)
    with pytest.raises(RuntimeError) as caught:
        z.backward()
    assert ("which is output 0 of Sin" in str(caught.value)) == recorded
    assert "Exp" not in str(caught.value)


def test_handles_of_storages_cost_nothing():
    t = torch.zeros(10)
    t.untyped_storage()
    before = allocated()
    for _ in range(100):
        t.untyped_storage()
    assert allocated() == before
    held = [t.untyped_storage() for _ in range(100)]
    assert allocated() == before and held[0] == held[99] and held[0]._cdata == held[1]._cdata


def test_equal_storages_are_the_same_memory():
    a, b = torch.UntypedStorage(8), torch.UntypedStorage(8)
    t = torch.zeros(2)
    assert a == a and a != b and a != 8
    assert t.untyped_storage() == t[1:].untyped_storage()
    assert hash(t.untyped_storage()) == hash(t[1:].untyped_storage())


def test_a_life_ends_with_its_storage():
    t = torch.zeros(10)
    life = untyped_storage.life_of(t.untyped_storage())
    assert life is untyped_storage.life_of(t.untyped_storage()) and not life.ended
    other = untyped_storage.life_of(torch.zeros(10).untyped_storage())
    assert other.ended and not life.ended
    view = t[2:]
    del t
    assert not life.ended
    del view
    assert life.ended


def test_memory_lives_as_long_as_a_view():
    before = allocated()
    t = torch.zeros(100_000)
    views = [t[1:], t.view(100, 1000).t(), t.detach(), t.data]
    del t
    while views:
        assert allocated() - before >= 400_000
        views.pop()
    assert allocated() == before


@like_pytorch
def test_content_by_index(torch):
    s = torch.UntypedStorage(4)
    for k in range(4):
        s[k] = 10 * k
    s[2] = 300
    return [s[k] for k in range(-4, 4)], list(s), s.tolist(), len(s)


@pytest.mark.parametrize("index", [4, -5, 100, 1.0, "a"])
def test_indices_that_are_refused(index):
    def read(torch):
        return torch.UntypedStorage(4).fill_(1)[index]

    compare(read)


@pytest.mark.parametrize("index", [4, 100, -1, -5])
def test_places_that_are_not_written_to(index):
    s = torch.UntypedStorage(4).fill_(1)
    with pytest.raises(RuntimeError, match="out of bounds"):
        s[index] = 3
    assert s.tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize(
    "part", [slice(1, 3), slice(None), slice(-2, None), slice(3, 1), slice(0, 0), slice(2, 99)]
)
def test_a_slice_is_the_same_memory(part):
    def program(torch):
        s = torch.UntypedStorage(6)
        for k in range(6):
            s[k] = k
        piece = s[part]
        before = piece.tolist()
        piece.fill_(9)
        return before, len(piece), s.tolist()

    compare(program)


def test_memory_stays_where_a_slice_looks_at_it():
    s = torch.UntypedStorage(6).fill_(1)
    piece = s[2:4]
    with pytest.raises(RuntimeError, match="not resizable"):
        s.resize_(1000)
    with pytest.raises(RuntimeError, match="not resizable"):
        piece.resize_(1)
    del s
    assert piece.tolist() == [1, 1]


@pytest.mark.parametrize("step", [2, -1, 3])
def test_slices_with_a_step_are_refused(step):
    compare(lambda torch: torch.UntypedStorage(6)[::step].tolist())


@pytest.mark.parametrize("size", [-1, -100, 2**63])
def test_sizes_that_are_refused(size):
    with pytest.raises((RuntimeError, ValueError)):
        torch.UntypedStorage(size)
    s = torch.UntypedStorage(4)
    with pytest.raises((RuntimeError, ValueError)):
        s.resize_(size)
    assert s.nbytes() == 4


def test_a_clone_has_the_content_and_memory_of_its_own():
    for nbytes in (0, 5, 20_000):
        s = torch.UntypedStorage(nbytes).fill_(3)
        other = s.clone()
        assert content(other) == b"\3" * nbytes and other != s
        s.fill_(4)
        assert content(other) == b"\3" * nbytes


def test_moving_to_other_memory():
    for nbytes in (8, 20_000):
        before = allocated()
        s = torch.UntypedStorage(nbytes).fill_(3)
        target = bytearray(b"\1" * nbytes)
        with pytest.raises(ValueError, match="do not fit"):
            s._move_to(memoryview(bytearray(nbytes - 1)), None)
        assert s._move_to(memoryview(target), target) is None
        assert target == b"\3" * nbytes == content(s) and not s.resizable()
        s[0] = 5
        assert target[0] == 5 and s._owner is target
        other = torch.UntypedStorage(nbytes).fill_(7)
        other._move_to(memoryview(target), target, copy=False)
        assert other[0] == 5 and other[1] == 3
        del s, other
        assert allocated() == before


def test_memory_that_a_buffer_looks_at_outlives_a_move():
    for nbytes in (8, 20_000):
        before = allocated()
        s = torch.UntypedStorage(nbytes).fill_(3)
        view = s._bytes()
        target = bytearray(nbytes)
        old = s._move_to(memoryview(target), target)
        assert view.tobytes() == b"\3" * nbytes
        view.release()
        del s, old, view
        assert allocated() == before
