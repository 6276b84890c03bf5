"""`Timer`: run a statement often enough to say how long it takes."""

import enum
import sys
import timeit
from statistics import median_low
from textwrap import dedent

from minitorch.utils.benchmark.utils import common

__all__ = ["Language", "Timer", "timer"]

timer = timeit.default_timer

# lower bound of a measured time, to avoid division by zero if the clock did not advance
_SHORTEST = 1e-9


class Language(enum.Enum):
    """The language of a statement; minitorch times only Python."""

    PYTHON = 0
    CPP = 1


class Timer:
    """A timer that runs a statement repeatedly after a warm-up, by default in one thread.

    Parameters
    ----------
    stmt, setup : str
        The statement, and code that runs once before each measurement.
    global_setup : str
        For C++ only.
    timer : callable
        The clock, in seconds.
    globals : dict, optional
        Names that the statement uses, in addition to ``torch``.
    label, sub_label, description, env : str, optional
        The task's names in reports; `description` is its column in a `Compare`.
    num_threads : int
        The number of threads that operators use.
    language : Language or str

    Raises
    ------
    ValueError
        If the statement is not a string, or the language is unknown.
    NotImplementedError
        For statements in C++.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.utils.benchmark import Timer
    >>> timer = Timer("x + 1", globals={"x": torch.ones(8)}, label="add")
    >>> m = timer.timeit(10)
    >>> m.number_per_run, len(m.times), m.label
    (10, 1, 'add')
    """

    _timer_cls = timeit.Timer

    def __init__(
        self,
        stmt="pass",
        setup="pass",
        global_setup="",
        timer=timer,
        globals=None,
        label=None,
        sub_label=None,
        description=None,
        env=None,
        num_threads=1,
        language=Language.PYTHON,
    ):
        if not isinstance(stmt, str):
            raise ValueError("Currently only a `str` stmt is supported.")
        if language in (Language.CPP, "cpp", "c++"):
            raise NotImplementedError("benchmark.Timer(language='cpp'): compiling C++")
        if language not in (Language.PYTHON, "py", "python"):
            raise ValueError(f"Invalid language `{language}`.")
        if global_setup:
            raise ValueError(
                f"global_setup is C++ only, got `{global_setup}`. Most "
                "likely this code can simply be moved to `setup`."
            )
        # a copy: the statement may write to its names
        self._globals = {"torch": sys.modules["minitorch"], **(globals or {})}
        stmt, setup = _from_margin(stmt), _from_margin(setup)
        self._timer = self._timer_cls(stmt=stmt, setup=setup, timer=timer, globals=self._globals)
        self._task_spec = common.TaskSpec(
            stmt, setup, global_setup, label, sub_label, description, env, num_threads
        )

    def _timeit(self, number):
        return max(self._timer.timeit(number), _SHORTEST)

    def _measurement(self, number, times):
        return common.Measurement(number, times, self._task_spec)

    def timeit(self, number=1000000):
        """Measure `number` runs once, after a warm-up of a hundredth of them, but at least two."""
        with common.set_torch_threads(self._task_spec.num_threads):
            self._timeit(max(int(number // 100), 2))
            return self._measurement(number, [self._timeit(number)])

    def repeat(self, repeat=-1, number=-1):
        """Raise NotImplementedError; use `blocked_autorange`."""
        raise NotImplementedError("See `Timer.blocked_autorange.`")

    def autorange(self, callback=None):
        """Raise NotImplementedError; use `blocked_autorange`."""
        raise NotImplementedError("See `Timer.blocked_autorange.`")

    def _estimate_block_size(self, min_run_time):
        """Return a power of ten of runs that makes timer overhead negligible; also warms up."""
        with common.set_torch_threads(self._task_spec.num_threads):
            overhead = median_low([self._timeit(0) for _ in range(5)])
            number = 1
            while number * 10 < 2**31:
                taken = self._timeit(number)
                is_long = taken >= min_run_time / 1000 and overhead / taken <= 1e-4
                if is_long or taken > min_run_time:
                    break
                number *= 10
        return number

    def _measure(self, number, is_enough, min_run_time, max_run_time, callback):
        times, total = [], 0.0
        with common.set_torch_threads(self._task_spec.num_threads):
            while total < min_run_time or not is_enough(times):
                times.append(self._timeit(number))
                total += times[-1]
                if callback:
                    callback(number, times[-1])
                if max_run_time and total > max_run_time:
                    break
        return self._measurement(number, times)

    def blocked_autorange(self, callback=None, min_run_time=0.2):
        """Measure blocks of runs until they have taken `min_run_time` seconds.

        A block is long enough to make the overhead of the clock negligible. `callback` is called with
        the number of runs and the seconds of each block.

        Examples
        --------
        >>> from minitorch.utils.benchmark import Timer
        >>> m = Timer("torch.ones(4)").blocked_autorange(min_run_time=0.01)
        >>> sum(m.raw_times) >= 0.01
        True
        """
        number = self._estimate_block_size(min_run_time)
        return self._measure(number, lambda times: True, min_run_time, None, callback)

    def adaptive_autorange(
        self, threshold=0.1, *, min_run_time=0.01, max_run_time=10.0, callback=None
    ):
        """Run `blocked_autorange` until the spread of the times is small.

        There are at least four measurements and `min_run_time` seconds of them; it ends when
        ``iqr / median`` is below `threshold`, or after `max_run_time` seconds.
        """
        number = self._estimate_block_size(min_run_time=0.05)

        def is_enough(times):
            return len(times) > 3 and self._measurement(number, times).meets_confidence(threshold)

        return self._measure(number, is_enough, min_run_time, max_run_time, callback)

    def collect_callgrind(
        self, number=100, *, repeats=None, collect_baseline=True, retain_out_file=False
    ):
        """Raise NotImplementedError, since instruction counts are not collected."""
        if repeats is not None and repeats < 1:
            raise ValueError("If specified, `repeats` must be >= 1")
        raise NotImplementedError("benchmark.Timer.collect_callgrind: running under Valgrind")


def _from_margin(code):
    """Return the code of a block string without its indentation and its first line break."""
    return dedent(code).removeprefix("\n").rstrip()
