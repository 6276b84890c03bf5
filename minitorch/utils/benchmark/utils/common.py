"""The measured task (`TaskSpec`), its result (`Measurement`), and formatting of times."""

import math
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import chain
from textwrap import indent
from typing import Any, NamedTuple

from minitorch.autograd.functions.namespace import get_num_threads, set_num_threads

__all__ = [
    "Measurement",
    "TaskSpec",
    "ordered_unique",
    "select_unit",
    "set_torch_threads",
    "trim_sigfig",
    "unit_to_english",
]

# name, seconds, name in full
_UNITS = {
    "ns": (1e-9, "nanosecond"),
    "us": (1e-6, "microsecond"),
    "ms": (1e-3, "millisecond"),
    "s": (1, "second"),
}

# interquartile ranges, relative to the median, above which a measurement warns
_SUSPECT_SPREAD = 0.1
_GROSS_SPREAD = 0.25

# the assumed resolution of the clock, and the maximum number of digits of a time
_LEAST_INTERVAL = 25e-9
_MOST_DIGITS = 4


@dataclass(repr=False, frozen=True)
class TaskSpec:
    """The statement and labels of a `Timer`; measurements of equal tasks are merged.

    Examples
    --------
    >>> from minitorch.utils.benchmark import TaskSpec
    >>> TaskSpec("x + 1", "pass", label="add", sub_label="float").title
    'add: float'
    """

    stmt: str
    setup: str
    global_setup: str = ""
    label: str | None = None
    sub_label: str | None = None
    description: str | None = None
    env: str | None = None
    num_threads: int = 1

    @property
    def title(self):
        """The label, or the statement if there is none, followed by the sub-label."""
        if self.label is None and "\n" in self.stmt:
            which = f" ({self.sub_label})" if self.sub_label else ""
            return f"stmt:{which}\n{indent(self.stmt, '  ')}"
        name = self.stmt if self.label is None else self.label
        return f"{name}: {self.sub_label}" if self.sub_label else name

    def setup_str(self):
        """Return the setup as shown in a report; empty if there is none."""
        if self.setup in ("", "pass"):
            return ""
        if "\n" in self.setup:
            return f"setup:\n{indent(self.setup, '  ')}"
        return f"setup: {self.setup}"

    def summarize(self):
        """Return title, description and setup as text; an empty line ends a block of several lines."""
        parts = (self.title, self.description, self.setup_str())
        return "\n".join(f"{part}\n" if "\n" in part else part for part in parts if part)


_TASK_FIELDS = frozenset(f.name for f in fields(TaskSpec))


class _Statistics(NamedTuple):
    median: float
    mean: float
    p25: float
    p75: float


@dataclass(repr=False)
class Measurement:
    """The times that a statement took.

    Parameters
    ----------
    number_per_run : int
        The number of runs of the statement in each measurement.
    raw_times : list of float
        The seconds that each measurement took.
    task_spec : TaskSpec
        The measured task; its fields are attributes of the measurement, too.
    metadata : dict, optional
        Any data of the caller.

    Examples
    --------
    >>> from minitorch.utils.benchmark import Measurement, TaskSpec
    >>> m = Measurement(100, [2e-4, 3e-4, 4e-4], TaskSpec("x + 1", "pass"))
    >>> round(m.median * 1e6, 3), m.stmt
    (3.0, 'x + 1')
    """

    number_per_run: int
    raw_times: list[float]
    task_spec: TaskSpec
    metadata: dict[Any, Any] | None = field(default=None)

    def __getattr__(self, name):
        if name in _TASK_FIELDS:
            return getattr(self.task_spec, name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    @property
    def times(self):
        """Seconds per statement, one for each measurement."""
        return [t / self.number_per_run for t in self.raw_times]

    @cached_property
    def _sorted_times(self):
        return tuple(sorted(self.times))

    @cached_property
    def _statistics(self):
        times = self._sorted_times
        if not times:
            return _Statistics(-1.0, -1.0, -1.0, -1.0)
        mean = math.fsum(times) / len(times)
        return _Statistics(
            _quantile(times, 0.5), mean, _quantile(times, 0.25), _quantile(times, 0.75)
        )

    @property
    def median(self):
        """The median of `times`."""
        return self._statistics.median

    @property
    def mean(self):
        """The mean of `times`."""
        return self._statistics.mean

    @property
    def iqr(self):
        """The distance between the quartiles of `times`."""
        return self._statistics.p75 - self._statistics.p25

    @property
    def significant_figures(self):
        """The number of significant digits of the median, from 1 to 4.

        Notes
        -----
        The digit at which the median becomes uncertain is determined by the half width of the 90 %
        confidence interval (1.645 standard errors) of the mean of the middle half of the times.
        """
        total = len(self._sorted_times)
        middle = self._sorted_times[total // 4 : math.ceil(3 * total / 4)]
        mean = math.fsum(middle) / len(middle)
        deviation = math.sqrt(math.fsum((t - mean) ** 2 for t in middle) / len(middle))
        interval = max(1.645 * deviation / math.sqrt(len(middle)), _LEAST_INTERVAL)
        digits = math.floor(math.log10(self.median / interval))
        return min(max(digits, 1), _MOST_DIGITS)

    def meets_confidence(self, threshold=_SUSPECT_SPREAD):
        """Return True if the interquartile range is below this fraction of the median."""
        return self.iqr / self.median < threshold

    @property
    def _warning(self):
        if not self._sorted_times or self.meets_confidence(_SUSPECT_SPREAD):
            return ""
        gross = not self.meets_confidence(_GROSS_SPREAD)
        cause = (
            "suggests significant environmental influence"
            if gross
            else "could indicate system fluctuation"
        )
        return (
            f"  WARNING: Interquartile range is {self.iqr / self.median * 100:.1f}% of the median measurement.\n"
            f"           This {cause}."
        )

    @property
    def has_warnings(self):
        """True if the spread of the times is large enough for a warning."""
        return bool(self._warning)

    @property
    def title(self):
        """The title of the task."""
        return self.task_spec.title

    @property
    def as_row_name(self):
        """The name of the row in a table."""
        return self.sub_label or self.stmt or "[Unknown]"

    def __repr__(self):
        n = len(self._sorted_times)
        unit, scale = select_unit(self.median)
        several = n > 1
        lines = [
            object.__repr__(self),
            self.task_spec.summarize(),
            f"  {'Median: ' if several else ''}{self.median / scale:.2f} {unit}",
        ]
        if n >= 4:
            low, high = self._statistics.p25 / scale, self._statistics.p75 / scale
            lines.append(f"  IQR:    {self.iqr / scale:.2f} {unit} ({low:.2f} to {high:.2f})")
        threads = f"{self.num_threads} thread{'s' if self.num_threads > 1 else ''}"
        runs = f"{self.number_per_run} runs {'per measurement,' if several else ','} {threads}"
        lines.append(f"  {n} measurement{'s' if several else ''}, {runs}")
        lines.append(self._warning)
        return "\n".join(lines).strip()

    @staticmethod
    def merge(measurements):
        """Merge the measurements of each task into one measurement.

        Its times are those of a single run of the statement; metadata is dropped.

        Examples
        --------
        >>> from minitorch.utils.benchmark import Measurement, TaskSpec
        >>> task = TaskSpec("x + 1", "pass")
        >>> both = Measurement.merge([Measurement(1, [2.0], task), Measurement(2, [6.0], task)])
        >>> [m.times for m in both]
        [[2.0, 3.0]]
        """
        groups: dict[TaskSpec, list[Measurement]] = {}
        for m in measurements:
            groups.setdefault(m.task_spec, []).append(m)
        return [
            Measurement(1, list(chain.from_iterable(m.times for m in group)), task)
            for task, group in groups.items()
        ]


def _quantile(times, q):
    """Return a quantile of sorted times, with linear interpolation."""
    place = q * (len(times) - 1)
    below, above = times[math.floor(place)], times[math.ceil(place)]
    weight = place - math.floor(place)
    return (
        below + weight * (above - below) if weight < 0.5 else above - (1 - weight) * (above - below)
    )


def select_unit(t):
    """Return the unit in which a time has one to three integer digits, and its length in seconds.

    Examples
    --------
    >>> from minitorch.utils.benchmark import select_unit
    >>> select_unit(3e-5)
    ('us', 1e-06)
    """
    unit = {-3: "ns", -2: "us", -1: "ms"}.get(int(math.log10(t) // 3), "s")
    return unit, _UNITS[unit][0]


def unit_to_english(u):
    """Return the full name of a unit.

    Examples
    --------
    >>> from minitorch.utils.benchmark import unit_to_english
    >>> unit_to_english("us")
    'microsecond'
    """
    return _UNITS[u][1]


def trim_sigfig(x, n):
    """Round `x` to `n` significant digits.

    Examples
    --------
    >>> from minitorch.utils.benchmark import trim_sigfig
    >>> trim_sigfig(31415.9, 2)
    31000.0
    """
    if n != int(n):
        raise AssertionError("Number of significant figures must be an integer")
    scale = 10 ** (math.ceil(math.log10(abs(x))) - n)
    return float(round(x / scale) * scale)


def ordered_unique(elements):
    """Return the distinct elements, in order of their first appearance.

    Examples
    --------
    >>> from minitorch.utils.benchmark import ordered_unique
    >>> ordered_unique("banana")
    ['b', 'a', 'n']
    """
    return list(dict.fromkeys(elements))


@contextmanager
def set_torch_threads(n):
    """Return a context manager in which operators use `n` threads.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.utils.benchmark import set_torch_threads
    >>> with set_torch_threads(1):
    ...     torch.get_num_threads()
    1
    """
    before = get_num_threads()
    try:
        set_num_threads(n)
        yield
    finally:
        set_num_threads(before)
