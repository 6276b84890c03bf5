"""Processes that are started and waited for together."""

import os
import sys

import pytest

import minitorch
from tests.both import compare


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
def test_how_one_ended_is_told(how):
    compare(
        lambda torch: torch.multiprocessing.start_processes(fail, (how,), 2, start_method="fork")
    )


def test_an_exception_is_told_with_its_traceback():
    spawn = minitorch.multiprocessing.spawn.__module__
    with pytest.raises(minitorch.multiprocessing.ProcessRaisedException) as caught:
        minitorch.multiprocessing.start_processes(raise_error, start_method="fork")
    assert spawn == "minitorch.multiprocessing.spawn"
    assert caught.value.error_index == 0
    assert str(caught.value).startswith("\n\n-- Process 0 terminated with the following error:\n")
    assert str(caught.value).endswith("ValueError: in number 0\n")
