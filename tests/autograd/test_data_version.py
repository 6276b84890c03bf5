"""Assigning to ``.data``: the tensor keeps its version counter, which its views share."""

import gc

import pytest

import minitorch
from tests.both import compare

SIZES = {"small": 4, "large": 10_000}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("shares", ["view", "detached", "view of a view", "data", "nothing"])
@pytest.mark.parametrize("times", [1, 2])
def test_views_share_the_counter_after_data_is_assigned(shares, times, size):
    def program(torch):
        n = SIZES[size]
        x = torch.arange(float(n))
        other = {
            "view": lambda: x[1:],
            "detached": lambda: x.detach(),
            "view of a view": lambda: x.view(2, -1)[0],
            "data": lambda: x.data,
            "nothing": lambda: torch.ones(n),
        }[shares]()
        x.add_(1)
        for _ in range(times):
            x.data = torch.zeros(n)
        found = [x._version, other._version]
        x.add_(1)
        found += [x._version, other._version]
        other.add_(1)
        found += [x._version, other._version, other[:3], x[:3]]
        later = x[:2]
        later.add_(1)
        return found + [x._version, other._version, later._version]

    compare(program)


@pytest.mark.parametrize("which", ["base", "view"])
def test_the_counter_outlives_the_tensor_that_it_was_made_for(which):
    def program(torch):
        base = torch.zeros(4)
        view = base[1:]
        kept, assigned = (base, view) if which == "view" else (view, base)
        assigned.data = torch.ones(4)
        del base, view
        gc.collect()
        kept.add_(1)
        first = assigned._version, kept._version
        del kept
        gc.collect()
        fresh = [torch.zeros(4) for _ in range(50)]
        assigned.add_(1)
        return first, assigned._version, [t.sum().item() for t in fresh]

    compare(program)


def test_a_backward_after_data_was_assigned_to_a_view_notices_writes_to_the_base():
    def program(torch):
        x = torch.ones(3, requires_grad=True)
        base = torch.ones(3)
        view = base[:]
        loss = (x * view).sum()
        base.data = torch.zeros(3)
        base.add_(1)
        loss.backward()

    compare(program)


def test_memory_is_freed_although_a_counter_is_kept():
    n = 1 << 20
    x = minitorch.zeros(n)
    view = x[:]
    x.data = minitorch.zeros(1)
    storage = minitorch.multiprocessing.reductions.StorageWeakRef(view.untyped_storage())
    assert not storage.expired()
    del view
    assert storage.expired()
    x.add_(1)
    assert x._version == 1


@pytest.mark.parametrize("source", ["same storage", "part", "other dtype"])
def test_data_of_the_same_storage(source):
    def program(torch):
        x = torch.zeros(6)
        view = x[2:]
        x.data = {
            "same storage": lambda: x.view(2, 3),
            "part": lambda: x[:2],
            "other dtype": lambda: torch.zeros(2, dtype=torch.float64),
        }[source]()
        x.add_(1)
        return x._version, view._version, x, view

    compare(program)
