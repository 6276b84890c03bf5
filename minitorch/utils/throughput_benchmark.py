"""`ThroughputBenchmark`: call a module from several threads at once, and measure how long that takes."""

import random
import threading
import time
from dataclasses import dataclass, field

from minitorch.autograd import profiler

__all__ = ["ExecutionStats", "ThroughputBenchmark"]


@dataclass
class _Config:
    num_calling_threads: int = 1
    num_worker_threads: int = 1
    num_warmup_iters: int = 10
    num_iters: int = 100
    profiler_output_path: str = ""


def format_time(seconds):
    """Return a text of a time in the largest of seconds, milliseconds and microseconds that makes it at least 1."""
    if seconds >= 1:
        return f"{seconds:.3f}s"
    if seconds >= 1e-3:
        return f"{seconds * 1e3:.3f}ms"
    return f"{seconds * 1e6:.3f}us"


@dataclass(repr=False)
class ExecutionStats:
    """The results of a `ThroughputBenchmark`.

    Attributes
    ----------
    latency_avg_ms : float
        The mean time of one call, in milliseconds.
    num_iters : int
        Calls in all threads.
    total_time_seconds : float
    """

    latency_avg_ms: float
    num_iters: int
    benchmark_config: _Config
    total_time_seconds: float = field(kw_only=True)

    @property
    def iters_per_second(self):
        """Calls per second in all threads."""
        return self.num_iters / self.total_time_seconds

    def __str__(self):
        return "\n".join(
            [
                f"Average latency per example: {format_time(self.latency_avg_ms / 1e3)}",
                f"Total number of iterations: {self.num_iters}",
                "Total number of iterations per second (across all threads): "
                f"{self.iters_per_second:.2f}",
                f"Total time: {format_time(self.total_time_seconds)}",
            ]
        )


class ThroughputBenchmark:
    """Measures a module that is called from several threads at once.

    Parameters
    ----------
    module : callable

    Examples
    --------
    >>> import minitorch as torch
    >>> benchmark = torch.utils.ThroughputBenchmark(torch.nn.Linear(3, 2))
    >>> benchmark.add_input(torch.ones(4, 3))
    >>> benchmark.benchmark(num_calling_threads=2, num_iters=20).num_iters
    20
    """

    def __init__(self, module):
        self._module = module
        self._inputs = []

    def run_once(self, *args, **kwargs):
        """Return the result of one call."""
        return self._module(*args, **kwargs)

    def add_input(self, *args, **kwargs):
        """Add the arguments of one call; each measured call draws one of those added."""
        self._inputs.append((args, kwargs))

    def benchmark(
        self, num_calling_threads=1, num_warmup_iters=10, num_iters=100, profiler_output_path=""
    ):
        """Call the module from several threads, and measure it.

        Parameters
        ----------
        num_calling_threads : int
        num_warmup_iters : int
            Calls of each thread that are not measured.
        num_iters : int
            Measured calls of all threads together.
        profiler_output_path : str
            Where to write a trace of the measured calls of this process, if not empty.

        Returns
        -------
        ExecutionStats

        Raises
        ------
        RuntimeError
            When there is no input.
        ValueError
            When there would be no thread or no call.
        """
        if not self._inputs:
            raise RuntimeError(
                "Please provide benchmark inputs.Did you forget to call add_input()? "
            )
        if num_calling_threads < 1 or num_iters < 1:
            raise ValueError("num_calling_threads and num_iters must be positive")
        seconds = self._measured(
            num_calling_threads, num_warmup_iters, num_iters, profiler_output_path
        )
        config = _Config(
            num_calling_threads=num_calling_threads,
            num_warmup_iters=num_warmup_iters,
            num_iters=num_iters,
            profiler_output_path=profiler_output_path,
        )
        latency = 1e3 * seconds * num_calling_threads / num_iters
        return ExecutionStats(latency, num_iters, config, total_time_seconds=seconds)

    def _measured(self, threads, warm_up, count, path):
        remaining = iter(range(count))  # one for all threads
        ready, errors = threading.Barrier(threads + 1), []

        def work():
            inputs = random.choices(self._inputs, k=max(warm_up, count))
            try:
                for args, kwargs in inputs[:warm_up]:
                    self._module(*args, **kwargs)
                ready.wait()
                for number in remaining:
                    args, kwargs = inputs[number]
                    self._module(*args, **kwargs)
            except Exception as error:  # noqa: BLE001 -- raised again in the caller's thread
                errors.append(error)
                ready.abort()

        workers = [threading.Thread(target=work) for _ in range(threads)]
        with profiler.profile(enabled=bool(path)) as trace:
            for worker in workers:
                worker.start()
            try:
                ready.wait()
                start = time.perf_counter()
            except threading.BrokenBarrierError:
                start = None  # a thread has failed, and its error is raised below
            for worker in workers:
                worker.join()
            end = time.perf_counter()
        if errors:
            raise next(e for e in errors if not isinstance(e, threading.BrokenBarrierError))
        if path:
            trace.export_chrome_trace(path)
        return end - start
