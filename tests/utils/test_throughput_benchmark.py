"""`ThroughputBenchmark` calls from several threads, counts and measures."""

import re
import threading
import time

import pytest

import minitorch
from tests.both import compare


def test_results_inputs_and_texts_are_like_pytorchs():
    def program(torch):
        benchmark = torch.utils.ThroughputBenchmark(torch.nn.Identity())
        benchmark.add_input(torch.ones(4, 3))
        stats = benchmark.benchmark(num_calling_threads=2, num_warmup_iters=1, num_iters=20)
        config = stats.benchmark_config
        return (
            *(benchmark.run_once(torch.zeros(2)), stats.num_iters),
            re.sub(r"[\d.]+(us|ms|s)?", "#", str(stats)),
            *(config.num_calling_threads, config.num_warmup_iters, config.num_iters),
        )

    compare(program)


def test_inputs_are_required():
    compare(lambda torch: torch.utils.ThroughputBenchmark(torch.nn.Identity()).benchmark())


def test_every_call_is_counted_and_measured():
    calls, lock = [], threading.Lock()

    def function(number, *, seconds):
        time.sleep(seconds)
        with lock:
            calls.append((threading.get_ident(), number))

    benchmark = minitorch.utils.ThroughputBenchmark(function)
    for number in range(2):
        benchmark.add_input(number, seconds=0.002)
    stats = benchmark.benchmark(num_calling_threads=3, num_warmup_iters=2, num_iters=31)
    assert len(calls) == 3 * 2 + 31
    assert len({thread for thread, _ in calls}) == 3
    assert {number for _, number in calls} == {0, 1}
    assert stats.latency_avg_ms >= 2
    assert stats.total_time_seconds >= 0.002 * 31 / 3
    assert stats.iters_per_second == pytest.approx(31 / stats.total_time_seconds)


def test_an_error_in_a_thread_is_raised():
    benchmark = minitorch.utils.ThroughputBenchmark(lambda x: 1 / x)
    benchmark.add_input(0)
    for warm_up in (0, 3):
        with pytest.raises(ZeroDivisionError):
            benchmark.benchmark(num_calling_threads=2, num_warmup_iters=warm_up)
    with pytest.raises(ValueError, match="must be positive"):
        benchmark.benchmark(num_calling_threads=0)


def test_a_trace_of_the_calls_can_be_written(tmp_path):
    benchmark = minitorch.utils.ThroughputBenchmark(minitorch.nn.Identity())
    benchmark.add_input(minitorch.ones(1))
    path = tmp_path / "trace.json"
    benchmark.benchmark(num_iters=5, profiler_output_path=str(path))
    assert path.read_text().startswith(("{", "["))
