"""The table of a comparison, its geometric mean, and the marks it is held against."""

from __future__ import annotations

import math
import platform
from collections import Counter
from typing import Any

from benchmarks.runner import Row

# suite -> unit of the times, seconds in it, mark for the geometric mean, mark for every single case
SUITES: dict[str, tuple[str, float, float, float | None]] = {
    "engine": ("ns/node", 1e-9, 0.12, 0.5),
    "kernels": ("us/call", 1e-6, 1.0, None),
    "operators": ("us/call", 1e-6, 1.0, 2.0),
    "recurrent": ("us/call", 1e-6, 1.0, 1.0),
    "transforms": ("us/call", 1e-6, 0.7, 1.0),
    "training": ("ms/step", 1e-3, 0.8, None),
    "distributed": ("us/call", 1e-6, 1.0, 1.0),
}
# the mark for the geometric mean where another minitorch is what ours is compared with
NOT_SLOWER = 1.05


def geometric_mean(numbers: list[float]) -> float:
    """Return the geometric mean of some numbers; NaN if there are none."""
    if not numbers:
        return math.nan
    return math.exp(math.fsum(math.log(number) for number in numbers) / len(numbers))


class Table:
    """Prints the lines of a suite as they come, and the summary at the end."""

    def __init__(self, suite: str, libraries: tuple[str, str]):
        self.unit, self.scale, self.mark, self.worst_mark = SUITES[suite]
        ours, theirs = libraries
        if theirs != "torch":
            self.mark, self.worst_mark = NOT_SLOWER, None
        print(f"{suite}: {self.unit}, best turn; ratio = median over the turns of ours / theirs")
        print(f"{'case':<48}{ours:>12}{theirs:>12}{'ratio':>9}")

    def show(self, row: Row) -> None:
        if row.ours is None or row.theirs is None or row.ratio is None:
            print(f"{row.name:<48}  {row.problem}", flush=True)
            return
        doubt = "" if row.agrees else "   the results differ"
        ours, theirs = row.ours / self.scale, row.theirs / self.scale
        print(f"{row.name:<48}{ours:>12.4g}{theirs:>12.4g}{row.ratio:>9.3f}{doubt}", flush=True)

    def summarize(self, rows: list[Row]) -> bool:
        """Print the mean and the worst case; return whether every mark is met by every case."""
        measured = [row for row in rows if row.ratio is not None]
        mean = geometric_mean([row.ratio for row in measured if row.ratio is not None])
        print()
        met = mean <= self.mark
        print(
            f"geometric mean of {len(measured)} cases: {mean:.3f}  {self.verdict(met, self.mark)}"
        )
        if measured:
            worst = max(measured, key=lambda row: row.ratio or 0.0)
            line = f"worst case: {worst.name}: {worst.ratio:.3f}"
            if self.worst_mark is not None:
                met_by_all = (worst.ratio or 0.0) <= self.worst_mark
                line += "  " + self.verdict(met_by_all, self.worst_mark)
                met = met and met_by_all
            print(line)
            self.show_missed(measured)
        unmeasured = [row.problem for row in rows if row.ratio is None]
        if unmeasured:
            print(f"not measured: {len(unmeasured)}")
            for problem, count in Counter(unmeasured).most_common():
                print(f"  {count} x {problem}")
        differing = [row.name for row in measured if not row.agrees]
        if differing:
            print(f"results differ: {', '.join(differing)}")
        return met and not unmeasured and not differing

    def show_missed(self, rows: list[Row]) -> None:
        """Print the cases above the mark for single cases, the slowest first."""
        missed = [row for row in rows if self.worst_mark and (row.ratio or 0.0) > self.worst_mark]
        if missed:
            print(f"above {self.worst_mark}: {len(missed)}")
        for row in sorted(missed, key=lambda row: -(row.ratio or 0.0)):
            print(f"  {row.name:<46}{row.ratio:>9.3f}")

    @staticmethod
    def verdict(met: bool, mark: float) -> str:
        return f"(mark {mark}: {'met' if met else 'missed'})"


def as_json(
    suite: str, libraries: tuple[str, str], versions: dict[str, str], threads: int, rows: list[Row]
) -> dict[str, Any]:
    """Return the output of ``--json``: times in seconds per unit, by the table's column names."""
    return {
        "suite": suite,
        "unit": SUITES[suite][0].split("/")[1],
        "libraries": list(libraries),
        "versions": versions,
        "threads": threads,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "geometric_mean": geometric_mean([row.ratio for row in rows if row.ratio is not None]),
        "cases": [vars(row) for row in rows],
    }
