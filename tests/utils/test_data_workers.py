"""`DataLoader` with worker processes: the same batches as PyTorch, errors, deaths and the end."""

import gc
import multiprocessing
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy
import pytest

import minitorch
from minitorch.utils.data import DataLoader, IterableDataset, TensorDataset, get_worker_info

pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

from tests.utils.test_data import assert_same  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]


class Random:
    """Samples that show all three generators of a worker, and its seed."""

    def __init__(self, lib):
        self.lib = lib

    def __len__(self):
        return 12

    def __getitem__(self, index):
        info = self.lib.utils.data.get_worker_info()
        return index, info.id, info.seed, self.lib.rand(2), random.random(), numpy.random.rand()


@pytest.mark.parametrize(
    "arguments",
    [
        {"num_workers": 2},
        {"num_workers": 2, "shuffle": True, "batch_size": 5},
        {"num_workers": 2, "shuffle": True, "batch_size": 5, "drop_last": True},
        {"num_workers": 2, "persistent_workers": True, "shuffle": True},
        {"num_workers": 1, "prefetch_factor": 1, "batch_size": 4},
        {"num_workers": 1, "batch_size": None},
        {"num_workers": 1, "prefetch_factor": 0},
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # PyTorch's
def test_two_passes_give_pytorchs_batches(arguments):
    def passes(lib, data):
        loader = data.DataLoader(Random(lib), **arguments)
        return [list(loader), list(loader)]

    assert_same(passes)


def count(data, total, length=None):
    class Count(data.IterableDataset):
        def __iter__(self):
            info = data.get_worker_info()
            return iter(range(info.id, total, info.num_workers))

        def __repr__(self):
            return "Count()"

        if length is not None:

            def __len__(self):
                return length

    return Count()


@pytest.mark.parametrize("persistent", [False, True])
@pytest.mark.parametrize("length", [None, 3])
def test_iterable_datasets_are_shared_out(persistent, length):
    def passes(lib, data):
        loader = data.DataLoader(
            count(data, 7, length), batch_size=2, num_workers=2, persistent_workers=persistent
        )
        return [None if length is None else len(loader), list(loader), list(loader)]

    assert_same(passes)


def test_a_pass_broken_off_does_not_disturb_the_next():
    loader = DataLoader(range(20), batch_size=2, num_workers=2, persistent_workers=True)
    first = iter(loader)
    next(first), next(first)
    assert [batch.tolist() for batch in loader] == [[k, k + 1] for k in range(0, 20, 2)]


def test_without_order_nothing_is_lost():
    loader = DataLoader(range(11), num_workers=2, in_order=False)
    assert sorted(batch.item() for batch in loader) == list(range(11))


@pytest.mark.slow
@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_other_ways_to_start_workers(method):
    data = TensorDataset(minitorch.arange(6))
    loader = DataLoader(data, batch_size=4, num_workers=1, multiprocessing_context=method)
    assert [x.tolist() for (x,) in loader] == [[0, 1, 2, 3], [4, 5]]


class Failing:
    """The third sample does something else."""

    def __init__(self, act):
        self.act = act

    def __len__(self):
        return 4

    def __getitem__(self, index):
        if index == 2:
            self.act()
        return index


class TwoArguments(Exception):
    def __init__(self, first, second):
        super().__init__(first, second)


@pytest.mark.parametrize(
    "error, raised",
    [(ValueError("x"), ValueError), (KeyError("k"), KeyError), (TwoArguments(1, 2), RuntimeError)],
)
def test_an_exception_is_raised_again_with_the_workers_traceback(error, raised):
    def act():
        raise error

    batches = iter(DataLoader(Failing(act), num_workers=2))
    assert [next(batches).item() for _ in range(2)] == [0, 1]
    with pytest.raises(raised) as caught:
        next(batches)
    shape = (
        rf"Caught {type(error).__name__} in DataLoader worker process 0\.\n"
        r"Original Traceback \(most recent call last\):\n  File .*in _worker_loop\n"
    )
    assert re.match(shape, str(caught.value), re.DOTALL)
    assert next(batches).item() == 3  # the others go on


def test_an_exception_of_worker_init_fn_is_raised():
    def init(worker_id):
        raise RuntimeError(f"init {worker_id}")

    with pytest.raises(RuntimeError, match=r"(?s)Caught RuntimeError in .* process 0.*init 0"):
        list(DataLoader(range(4), num_workers=2, worker_init_fn=init))


def test_a_batch_that_cannot_be_pickled_is_an_error():
    loader = DataLoader(range(2), num_workers=1, collate_fn=lambda batch: lambda: batch)
    with pytest.raises(
        AttributeError, match="Caught AttributeError in DataLoader worker process 0"
    ):
        list(loader)


@pytest.mark.parametrize(
    "act, cause",
    [
        (lambda: os.kill(os.getpid(), signal.SIGKILL), "is killed by signal: Killed"),
        (lambda: os._exit(3), "exited unexpectedly with exit code 3"),
    ],
)
def test_a_dying_worker_is_an_error_and_no_hang(act, cause):
    start = time.monotonic()
    with pytest.raises(
        RuntimeError, match=r"worker \(pid\(s\) \d+\) exited unexpectedly"
    ) as caught:
        list(DataLoader(Failing(act), num_workers=2))
    assert cause in str(caught.value.__cause__)
    assert time.monotonic() - start < 4


def test_a_worker_killed_in_the_middle_of_a_batch_is_an_error():
    loader = DataLoader([minitorch.ones(1_000_000)] * 6, num_workers=1)
    batches = iter(loader)
    next(batches)
    time.sleep(0.2)  # the next one fills the pipe
    os.kill(batches._workers[0].pid, signal.SIGKILL)
    with pytest.raises(RuntimeError, match="exited unexpectedly"):
        list(batches)


def test_timeout():
    with pytest.raises(RuntimeError, match="DataLoader timed out after 0.3 seconds"):
        list(DataLoader(Failing(lambda: time.sleep(3)), num_workers=1, timeout=0.3))


def test_a_worker_computes_after_the_parent_used_threads():
    threads = minitorch.get_num_threads()
    minitorch.set_num_threads(2)
    try:
        x = minitorch.randn(300, 300)
        (x @ x).exp().softmax(1).sum()

        class Heavy(Failing):
            def __getitem__(self, index):
                y = (x @ x) + minitorch.ones(500_000).exp().sum()
                return y.softmax(1).sum(), minitorch.get_num_threads()

        for _, workers_threads in DataLoader(Heavy(None), num_workers=2, timeout=60):
            assert workers_threads.item() == 1
        assert minitorch.get_num_threads() == 2
    finally:
        minitorch.set_num_threads(threads)


def own_children():
    return [process for process in multiprocessing.active_children() if "Fork" in process.name]


def test_a_deleted_iterator_leaves_no_process():
    gc.collect()  # what earlier tests left in cycles
    before = len(own_children())
    batches = iter(DataLoader(range(100), num_workers=2))
    workers = batches._workers
    next(batches)
    del batches
    gc.collect()
    assert not any(worker.is_alive() for worker in workers)
    assert len(own_children()) == before


# a shell that starts the tests in the background lets them ignore interrupts
_PROGRAM = """
import os, signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)
from minitorch.utils.data import DataLoader
batches = iter(DataLoader(range(1000), num_workers=2))
next(batches)
print(*[worker.pid for worker in batches._workers], flush=True)
{}
"""


def run_until_it_says_its_workers(end):
    process = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM.format(end)], cwd=ROOT, stdout=subprocess.PIPE, text=True,
        stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    return process, [int(pid) for pid in process.stdout.readline().split()]


def are_gone(pids, within):
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        if not any(os.path.exists(f"/proc/{pid}") for pid in pids):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.skipif(not os.path.exists("/proc/self"), reason="needs /proc")
@pytest.mark.parametrize(
    "end, action, within",
    [
        ("sys.exit()", None, 5),
        ("for _ in batches: time.sleep(1)", "interrupt", 5),
        pytest.param("time.sleep(60)", "kill", 15, marks=pytest.mark.slow),
    ],
)
def test_no_worker_outlives_its_program(end, action, within):
    process, pids = run_until_it_says_its_workers(end)
    try:
        if action == "interrupt":
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        elif action == "kill":
            process.kill()
        _, errors = process.communicate(timeout=30)
    finally:
        process.kill()
    if action == "interrupt":
        assert errors.rstrip().endswith("KeyboardInterrupt")
        # the workers say nothing of it, wherever in the program it came
        assert errors.count("Traceback") == 1
    elif action is None:
        assert errors == ""
    assert len(pids) == 2 and are_gone(pids, within)


def test_the_main_process_is_no_worker():
    assert get_worker_info() is None
    with pytest.raises(TypeError):
        IterableDataset()
