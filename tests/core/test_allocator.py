"""Which block a request gets, and what `memory_stats()` says of it."""

import subprocess
import sys

import numpy as np
import pytest

import minitorch as torch
from minitorch.core import allocator

pytestmark = pytest.mark.core

HEADER = 64  # bytes of a storage before its data: minitorch/core/storage.pxd
INLINE = 16384  # storages up to this size are one block with their header


def stats():
    return allocator.memory_stats()


def content(storage):
    """The bytes of a storage, without a list of numbers."""
    with storage._bytes() as view:
        return view.tobytes()


def block_bytes(nbytes):
    """Multiples of 64 up to 4096; then the least of 5, 6, 7 or 8 quarters of a power of two that fits."""
    if nbytes <= 4096:
        return max(64, -(-nbytes // 64) * 64)
    power = 4096
    while True:
        for quarters in (5, 6, 7, 8):
            if power * quarters // 4 >= nbytes:
                return power * quarters // 4
        power *= 2


def storage_bytes(nbytes):
    """What one storage of this many bytes takes."""
    if nbytes <= INLINE:
        return block_bytes(HEADER + nbytes)
    return block_bytes(HEADER) + block_bytes(nbytes)


@pytest.fixture(autouse=True)
def usual_limit():
    limit = stats()["cache_limit_bytes"]
    allocator.empty_cache()
    yield
    allocator.set_cache_limit(limit)
    allocator.empty_cache()


SIZES = sorted(
    {0, 1, 2, 63, 64, 65, 1000, 4032, 4033, 4095, 4096, 4097, 5000, 5120, 5121, 16383, 16384, 16385}
    | {
        n + d
        for n in (1 << 15, 5 << 13, 6 << 13, 7 << 13, 1 << 16, 1 << 20, 3 << 19)
        for d in (-1, 0, 1)
    }
    | {n - HEADER + d for n in (4096, 5120, 6144, 7168, 8192, 10240) for d in (-1, 0, 1)}
)


@pytest.mark.parametrize("nbytes", SIZES)
def test_a_storage_takes_the_blocks_of_its_classes(nbytes):
    before = stats()
    held = torch.UntypedStorage(nbytes)
    during = stats()
    assert during["allocated_bytes"] - before["allocated_bytes"] == storage_bytes(nbytes)
    del held
    after = stats()
    assert after["allocated_bytes"] == before["allocated_bytes"]
    assert after["cached_bytes"] >= before["cached_bytes"] + storage_bytes(nbytes) - 256


@pytest.mark.parametrize("nbytes", SIZES)
def test_two_living_storages_never_share_memory_and_keep_what_was_written(nbytes):
    held = [torch.UntypedStorage(nbytes).fill_(k) for k in range(6)]
    places = sorted(s.data_ptr() for s in held)
    assert all(b - a >= nbytes for a, b in zip(places, places[1:], strict=False))
    assert all(s.data_ptr() % 64 == 0 for s in held)
    for k, s in enumerate(held):
        assert content(s) == bytes([k]) * nbytes


def test_mixed_sizes_keep_what_was_written():
    rng = np.random.RandomState(0)
    held = {}
    for step in range(3000):
        key = int(rng.randint(40))
        if key in held and rng.rand() < 0.6:
            storage, value = held.pop(key)
            assert content(storage) == bytes([value]) * storage.nbytes()
        else:
            nbytes = int(
                rng.choice([1, 64, 100, 4000, 4100, 5000, 6000, 7000, 17000, 20500, 33000])
            )
            held[key] = torch.UntypedStorage(nbytes).fill_(step % 251), step % 251
    for storage, value in held.values():
        assert content(storage) == bytes([value]) * storage.nbytes()


def test_a_freed_block_is_used_again_for_a_request_of_its_class():
    first = torch.UntypedStorage(100_000)
    place, requests = first.data_ptr(), stats()["num_system_allocations"]
    del first
    again = torch.UntypedStorage(100_001)
    assert again.data_ptr() == place
    assert stats()["num_system_allocations"] == requests
    other = torch.UntypedStorage(200_000)
    assert other.data_ptr() != place
    assert stats()["num_system_allocations"] > requests


def test_a_freed_block_is_not_given_to_two_requests():
    first = torch.UntypedStorage(100_000)
    place = first.data_ptr()
    del first
    a, b = torch.UntypedStorage(100_000), torch.UntypedStorage(100_000)
    assert a.data_ptr() == place != b.data_ptr()


def test_the_last_block_freed_is_the_first_one_used():
    held = [torch.UntypedStorage(100_000) for _ in range(3)]
    places = [s.data_ptr() for s in held]
    for _ in range(3):
        held.pop(0)
    again = [torch.UntypedStorage(100_000).data_ptr() for _ in range(1)]
    assert again == places[2:]
    kept = [torch.UntypedStorage(100_000) for _ in range(3)]
    assert [s.data_ptr() for s in kept] == places[::-1]


def test_what_is_freed_is_counted_as_cached_and_no_longer_when_it_is_used():
    held = torch.UntypedStorage(1 << 20)
    before = stats()["cached_bytes"]
    del held
    cached = stats()["cached_bytes"]
    assert (1 << 20) <= cached - before <= (1 << 20) + 512
    held = torch.UntypedStorage(1 << 20)
    assert cached - stats()["cached_bytes"] == (1 << 20) + 64
    assert held.nbytes() == 1 << 20


def test_the_peak_is_the_most_that_was_in_use_since_it_was_reset():
    allocator.reset_peak_memory_stats()
    start = stats()
    assert start["peak_bytes"] == start["allocated_bytes"] > 0
    held = torch.UntypedStorage(1 << 20)
    top = stats()["peak_bytes"]
    assert top - start["peak_bytes"] >= 1 << 20
    del held
    assert stats()["peak_bytes"] == top
    small = torch.UntypedStorage(10)
    assert stats()["peak_bytes"] == top
    assert stats()["allocated_bytes"] < top and small.nbytes() == 10
    allocator.reset_peak_memory_stats()
    assert stats()["peak_bytes"] < top


def test_emptying_gives_every_block_back():
    held = [torch.UntypedStorage(n) for n in (50_000, 50_000, 50_000, 300_000, 10, 10, 10)]
    held.clear()
    assert stats()["cached_bytes"] > 400_000
    allocator.empty_cache()
    assert stats()["cached_bytes"] == 0
    requests = stats()["num_system_allocations"]
    held = [torch.UntypedStorage(50_000) for _ in range(3)]
    # three blocks of data, three headers
    assert stats()["num_system_allocations"] - requests >= 3


def test_blocks_beyond_the_limit_go_back_to_the_system():
    allocator.set_cache_limit(300_000)
    assert stats()["cache_limit_bytes"] == 300_000
    held = [torch.UntypedStorage(200_000) for _ in range(3)]
    held.clear()
    assert 200_000 < stats()["cached_bytes"] <= 300_000
    allocator.set_cache_limit(0)
    assert stats()["cached_bytes"] == 0
    held = [torch.UntypedStorage(200_000)]
    held.clear()
    assert stats()["cached_bytes"] == 0


def test_a_limit_is_reached_exactly():
    size = 100_000
    block = block_bytes(size)
    held = [torch.UntypedStorage(size) for _ in range(2)]
    allocator.empty_cache()
    allocator.set_cache_limit(block)
    held[0].resize_(size * 4)  # frees the first block, and nothing else
    assert stats()["cached_bytes"] == block
    held[1].resize_(size * 4)
    assert stats()["cached_bytes"] == block


def test_a_limit_above_what_is_cached_frees_nothing():
    held = torch.UntypedStorage(1 << 20)
    del held
    cached = stats()["cached_bytes"]
    allocator.set_cache_limit(cached)
    assert stats()["cached_bytes"] == cached
    allocator.set_cache_limit(cached - 1)
    assert stats()["cached_bytes"] == 0


@pytest.mark.parametrize("elements", [1 << 45, (1 << 44) + 1, 1 << 50])
def test_a_request_beyond_all_memory_is_an_error_and_changes_nothing(elements):
    before = stats()["allocated_bytes"]
    with pytest.raises(RuntimeError, match=f"you tried to allocate {elements * 4} bytes"):
        torch.empty(elements)
    assert stats()["allocated_bytes"] == before


def test_cached_blocks_are_given_back_before_memory_is_said_to_be_out():
    """In a process that may have 800 MB more than it has: blocks of 400 and 530 MB fit one after the other."""
    program = """
import resource
from minitorch.core import allocator
import minitorch as torch
allocator.set_cache_limit(1 << 40)
in_use = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (in_use + 800_000_000,) * 2)
torch.empty(400_000_000, dtype=torch.uint8)
print(allocator.memory_stats()["cached_bytes"] >= 400_000_000)
torch.empty(500_000_000, dtype=torch.uint8)
print(allocator.memory_stats()["cached_bytes"] >= 500_000_000)
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.stdout.split() == ["True", "True"], run.stderr
