"""Processes that are started and waited for together."""

import os
import resource
import signal
import sys
import time

import pytest

import minitorch
from tests.both import compare, like_pytorch


def succeed(number, queue):
    queue.put(number)


def fail(number, how):
    if number == 0:
        os.kill(os.getpid(), how["signal"]) if "signal" in how else sys.exit(how["code"])


def raise_error(number):
    raise ValueError(f"in number {number}")


def test_all_are_run():
    queue = minitorch.multiprocessing.get_context("fork").SimpleQueue()
    assert (
        minitorch.multiprocessing.start_processes(succeed, (queue,), 2, start_method="fork") is None
    )
    assert {queue.get(), queue.get()} == {0, 1}


def test_without_waiting():
    queue = minitorch.multiprocessing.get_context("fork").SimpleQueue()
    started = minitorch.multiprocessing.start_processes(
        succeed, (queue,), 1, join=False, start_method="fork"
    )
    assert len(started.pids()) == 1
    assert started.join()
    assert started.join(timeout=0)


@pytest.mark.parametrize("how", [{"code": 3}, {"signal": 9}])
def test_the_exit_of_a_process_is_reported(how):
    compare(
        lambda torch: torch.multiprocessing.start_processes(fail, (how,), 2, start_method="fork")
    )


def test_an_exception_is_reported_with_its_traceback():
    spawn = minitorch.multiprocessing.spawn.__module__
    with pytest.raises(minitorch.multiprocessing.ProcessRaisedException) as caught:
        minitorch.multiprocessing.start_processes(raise_error, start_method="fork")
    assert spawn == "minitorch.multiprocessing.spawn"
    assert caught.value.error_index == 0
    assert str(caught.value).startswith("\n\n-- Process 0 terminated with the following error:\n")
    assert str(caught.value).endswith("ValueError: in number 0\n")


def fill(queue, done):
    queue.get()[0].fill_(4)
    done.put("filled")


def put_and_end(queue):
    queue.put(minitorch.arange(3))


def test_what_is_sent_is_seen_by_both():
    context = minitorch.multiprocessing.get_context("fork")
    queue, done = context.Queue(), context.SimpleQueue()
    x = minitorch.zeros(2, 2)
    queue.put([x, x[:, 1]])
    process = context.Process(target=fill, args=(queue, done))
    process.start()
    assert done.get() == "filled"
    process.join()
    assert x.is_shared() and x.sum().item() == 16


@like_pytorch
def test_views_of_one_memory_stay_so(torch):
    here, there = torch.multiprocessing.Pipe()
    x = torch.zeros(3)
    there.send({"x": [x, x[1:]], "empty": torch.ones(0, 2)})
    received = here.recv()
    received["x"][0].fill_(5)
    return x, received, received["x"][1].is_shared()


@like_pytorch
def test_parameters_are_sent_with_their_class(torch):
    here, there = torch.multiprocessing.Pipe()
    parameter = torch.nn.Parameter(torch.ones(2), requires_grad=False)
    parameter.grad = torch.ones(2)
    there.send(parameter)
    received = here.recv()
    return type(received).__name__, received.requires_grad, received.grad


@like_pytorch
def test_what_has_a_history_is_not_sent(torch):
    torch.multiprocessing.Pipe()[0].send(torch.ones(1, requires_grad=True) * 2)


def test_the_sender_may_have_ended():
    queue = minitorch.multiprocessing.get_context("fork").SimpleQueue()
    process = minitorch.multiprocessing.get_context("fork").Process(
        target=put_and_end, args=(queue,)
    )
    process.start()
    process.join()
    assert queue.get().tolist() == [0, 1, 2]


def test_descriptors_are_not_used_up():
    here, there = minitorch.multiprocessing.Pipe()
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, limits[1]))
    try:
        received = []
        for number in range(300):
            there.send(minitorch.tensor([number]))
            received.append(here.recv())
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert [x.item() for x in received] == list(range(300))
    assert received[0].is_shared() and not received[-1].is_shared()


def wait_long(number, pids):
    pids.put(os.getpid())
    time.sleep(60)


def start_another(number, pids):
    minitorch.multiprocessing.start_processes(wait_long, (pids,), start_method="fork")


def is_running(pid):
    try:
        os.kill(pid, 0)
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


@pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux tells a process of its parent's end"
)
def test_processes_end_with_the_one_that_started_them():
    pids = minitorch.multiprocessing.get_context("fork").SimpleQueue()
    outer = minitorch.multiprocessing.start_processes(
        start_another, (pids,), join=False, daemon=False, start_method="fork"
    )
    inner = pids.get()
    os.kill(outer.pids()[0], signal.SIGKILL)
    with pytest.raises(minitorch.multiprocessing.ProcessExitedException):
        outer.join()
    end = time.monotonic() + 10
    while is_running(inner) and time.monotonic() < end:
        time.sleep(0.05)
    assert not is_running(inner)
