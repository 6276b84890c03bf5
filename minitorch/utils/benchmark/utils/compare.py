"""`Compare`: a table of measurements for each label; rows are tasks, columns descriptions."""

import enum
import math

from minitorch.utils.benchmark.utils import common

__all__ = ["Colorize", "Compare"]

_BOLD, _END = "\033[1m", "\033[0m"
_BEST, _GOOD, _BAD, _VERY_BAD = "\033[92m", "\033[34m", "\033[2m\033[91m", "\033[31m"

# the width of " (! 12%)", which follows the times in a column with a warning
_WARNING_WIDTH = 7


class Colorize(enum.Enum):
    """The times that a time is coloured by: none, those of its column, or those of its row."""

    NONE = "none"
    COLUMNWISE = "columnwise"
    ROWWISE = "rowwise"


class _Column:
    """The number format of a column, with the same number of digits before and after the point for all times."""

    def __init__(self, results, scale, trims, warns):
        self._scale = scale
        self._trims = trims
        self._warns = warns and any(m.has_warnings for m in results)
        leading = [math.ceil(math.log10(m.median / scale)) for m in results]
        decimals = 1
        if trims:
            decimals = min(
                max(m.significant_figures - digits, 0)
                for m, digits in zip(results, leading, strict=True)
            )
        length = max(leading) + decimals + (1 if decimals else 0)
        self._template = f"{{:>{length}.{decimals}f}}{{:>{_WARNING_WIDTH if self._warns else 0}}}"

    def cell(self, m):
        """Return the cell of a measurement, or blanks of the same width without one."""
        if m is None:
            return " " * len(self._template.format(1, ""))
        value = m.median / self._scale
        if self._trims:
            value = common.trim_sigfig(value, m.significant_figures)
        spread = f" (! {m.iqr / m.median * 100:.0f}%)" if self._warns and m.has_warnings else ""
        return self._template.format(value, spread)


class _Table:
    """One label's measurements, by row (threads, environment, name) and column (description)."""

    def __init__(self, results, colorize, trims, warns):
        self._results = results
        self._colorize = colorize
        self._warns = warns
        self._unit, self._scale = common.select_unit(min(m.median for m in results))
        self._cells = {(_row_key(m), m.description): m for m in results}
        self._row_keys = sorted(
            common.ordered_unique(map(_row_key, results)), key=lambda key: key[:2]
        )
        self._descriptions = common.ordered_unique(m.description for m in results)
        self._columns = [
            _Column([m for m in results if m.description == text], self._scale, trims, warns)
            for text in self._descriptions
        ]

    def _row(self, key):
        return [self._cells.get((key, text)) for text in self._descriptions]

    def _row_heads(self):
        """Return the first cells of the rows: names, preceded by the environment if it changes."""
        envs = {m.env or "" for m in self._results}
        width = max(map(len, envs)) if len(envs) > 1 else 0
        heads, before = [], None
        for threads, env, name in self._row_keys:
            shown = f"({env})" if len(envs) > 1 and (threads, env) != before else ""
            before = (threads, env)
            heads.append(f"  {shown.ljust(width + 4)}{name}")
        return heads

    def _best(self, key, text):
        """Return the best median, to which the colour of a cell refers."""
        if self._colorize == Colorize.ROWWISE:
            rivals = self._row(key)
        else:
            rivals = [self._cells.get((k, text)) for k in self._row_keys if k[0] == key[0]]
        return min(m.median for m in rivals if m is not None)

    def _colored(self, cell, key, text):
        m = self._cells.get((key, text))
        if self._colorize == Colorize.NONE or m is None:
            return cell
        return _color(cell, m.median, self._best(key, text))

    def render(self):
        titles = ["", *(text or "" for text in self._descriptions)]
        heads = self._row_heads()
        lines = [
            [head, *(c.cell(m) for c, m in zip(self._columns, self._row(key), strict=True))]
            for head, key in zip(heads, self._row_keys, strict=True)
        ]
        widths = [max(map(len, column)) for column in zip(titles, *lines, strict=True)]
        rendered = ["  |  ".join(t.center(w) for t, w in zip(titles, widths, strict=True))]
        total = len(rendered[0])
        threads = None
        for key, (head, *cells) in zip(self._row_keys, lines, strict=True):
            if key[0] != threads:
                threads = key[0]
                rendered.append(f"{threads} threads: ".ljust(total, "-"))
            row = [head.ljust(widths[0])]
            for cell, width, text in zip(cells, widths[1:], self._descriptions, strict=True):
                row.append(self._colored(cell.center(width), key, text))
            rendered.append("  |  ".join(row))
        label = self._results[0].label or ""
        rendered.insert(0, f"[{f' {label} '.center(total - 2, '-')}]")
        rendered += ["", f"Times are in {common.unit_to_english(self._unit)}s ({self._unit}).", ""]
        if self._warns and any(m.has_warnings for m in self._results):
            note = "(! XX%) Measurement has high variance, where XX is the IQR / median * 100."
            rendered[-1:] = [note, ""]
        return "\n".join(rendered)


def _row_key(m):
    return m.num_threads, m.env or "", m.as_row_name


def _color(text, value, best):
    """Color a cell by the ratio of its time to the best one."""
    if value <= best * 1.01 or value <= best + 100e-9:
        return _BEST + _BOLD + text + _END * 2
    if value <= best * 1.1:
        return _GOOD + _BOLD + text + _END * 2
    if value >= best * 5:
        return _VERY_BAD + _BOLD + text + _END * 2
    if value >= best * 2:
        return _BAD + text + _END * 2
    return text


class Compare:
    """A table of measurements for each label.

    A row is a sub-label (or else a statement) under its number of threads, a column is a
    description. Measurements of the same task are merged.

    Examples
    --------
    >>> from minitorch.utils.benchmark import Compare, Measurement, TaskSpec
    >>> results = [
    ...     Measurement(1, [t * 1e-6], TaskSpec("x + 1", "pass", label="add", sub_label="float", description=n))
    ...     for n, t in (("n=1", 2.0), ("n=4", 3.5))
    ... ]
    >>> for line in str(Compare(results)).splitlines()[:4]:
    ...     print(line)
    [---------- add ----------]
                 |  n=1  |  n=4
    1 threads: ----------------
          float  |  2.0  |  3.5
    """

    def __init__(self, results):
        self._results = []
        self.extend_results(results)
        self._trims = False
        self._warns = False
        self._colors = Colorize.NONE

    def __str__(self):
        groups = {}
        for m in common.Measurement.merge(self._results):
            groups.setdefault(m.label, []).append(m)
        tables = (
            _Table(group, self._colors, self._trims, self._warns) for group in groups.values()
        )
        return "\n".join(table.render() for table in tables)

    def extend_results(self, results):
        """Add measurements; raise ValueError for other objects."""
        for m in results:
            if not isinstance(m, common.Measurement):
                raise ValueError(f"Expected an instance of `Measurement`, got {type(m)} instead.")
        self._results.extend(results)

    def trim_significant_figures(self):
        """Print times with their significant digits only."""
        self._trims = True

    def colorize(self, rowwise=False):
        """Colour times by their ratio to the best of their column, or row."""
        self._colors = Colorize.ROWWISE if rowwise else Colorize.COLUMNWISE

    def highlight_warnings(self):
        """Mark times with a high variance."""
        self._warns = True

    def print(self):
        """Print the tables."""
        print(str(self))
