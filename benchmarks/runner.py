"""The parent of a comparison: starts two children, gives out the turns, compares the results."""

from __future__ import annotations

import json
import math
import queue
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent


class ChildDied(Exception):
    """The child ended or stopped answering; the text says how."""


class Child:
    """A process with one library, started on first use and restarted after a crash."""

    def __init__(
        self,
        library: str,
        suite: str,
        threads: int,
        checkout: Path | None = None,
        patience: float = 300.0,
    ):
        self.command = [sys.executable, "-m", "benchmarks.child", library, suite, str(threads)]
        if checkout is not None:
            self.command.append(str(checkout.resolve()))
        self.library = library
        self.patience = patience
        self.process: subprocess.Popen[str] | None = None
        self.answers: queue.SimpleQueue[str] = queue.SimpleQueue()

    def start(self) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            self.command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.answers = queue.SimpleQueue()
        threading.Thread(target=self.listen, args=(process, self.answers), daemon=True).start()
        return process

    @staticmethod
    def listen(process: subprocess.Popen[str], answers: queue.SimpleQueue[str]) -> None:
        for line in process.stdout or ():
            answers.put(line)
        answers.put("")

    def ask(self, **request: Any) -> Any:
        """Send one request and wait for its answer; raise `ChildDied` if there is none."""
        if self.process is None:
            self.process = self.start()
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
            line = self.answers.get(timeout=self.patience)
        except BrokenPipeError:
            line = ""
        except queue.Empty:
            self.close()
            raise ChildDied(f"no answer in {self.patience:.0f} s") from None
        if not line:
            code = self.process.wait()
            self.process = None
            raise ChildDied(f"died of signal {-code}" if code < 0 else f"exited with {code}")
        return json.loads(line)

    def close(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


@dataclass
class Row:
    """The result of one case. Times are in seconds per unit, the best over all turns."""

    name: str
    ours: float | None = None
    theirs: float | None = None
    ratio: float | None = None
    ratios: list[float] = field(default_factory=list)
    problem: str = ""
    agrees: bool = True


def same(ours: list[float], theirs: list[float]) -> bool:
    return len(ours) == len(theirs) and all(
        math.isclose(a, b, rel_tol=2e-3, abs_tol=1e-4) or (math.isnan(a) and math.isnan(b))
        for a, b in zip(ours, theirs, strict=True)
    )


def problem_of(child: Child, answer: dict[str, Any]) -> str:
    if "missing" in answer:
        return f"{child.library} lacks {answer['missing']}"
    if "failed" in answer:
        return f"{child.library}: {answer['failed']}"
    return ""


def compare(name: str, ours: Child, theirs: Child, turns: int, budget: float, pause: float) -> Row:
    """Run one case in both children by turns."""
    row = Row(name)
    found = []
    for child in (ours, theirs):
        try:
            answer = child.ask(do="build", case=name)
        except ChildDied as death:
            answer = {"failed": str(death)}
        row.problem = row.problem or problem_of(child, answer)
        found.append(answer.get("values", []))
    if row.problem:
        return row
    row.agrees = same(*found)

    best = {ours: math.inf, theirs: math.inf}
    for turn in range(turns):
        seconds = {}
        # alternate the order, so that neither library always runs on the warmer machine
        for child in (ours, theirs) if turn % 2 == 0 else (theirs, ours):
            time.sleep(pause)
            try:
                seconds[child] = child.ask(do="measure", case=name, budget=budget)["seconds"]
            except ChildDied as death:
                row.problem = f"{child.library}: {death}"
                return row
            best[child] = min(best[child], seconds[child])
        row.ratios.append(seconds[ours] / seconds[theirs])
    row.ours, row.theirs = best[ours], best[theirs]
    row.ratio = statistics.median(row.ratios)
    return row


def run(
    suite: str,
    libraries: tuple[str, str],
    threads: int,
    wanted: Callable[[str], object],
    turns: int,
    budget: float,
    show: Callable[[Row], None],
    checkout: Path | None = None,
) -> list[Row]:
    """Compare two libraries over the cases of a suite.

    Parameters
    ----------
    suite : str
        The module with the cases: ``"engine"``, ``"kernels"``, ``"operators"``, ``"transforms"``,
        ``"training"`` or ``"distributed"``.
    libraries : tuple of str
        The modules to import, ours first.
    threads : int
        The argument of ``set_num_threads`` for both libraries.
    wanted : callable
        Takes a case's name; a false value leaves the case out.
    turns : int
        How often each child measures each case.
    budget : float
        Seconds that one turn may take.
    show : callable
        Called with each `Row` as soon as it is there.
    checkout : Path, optional
        Where the second library is imported from, if not from where Python finds it.

    Raises
    ------
    ChildDied
        If a child cannot import its library and list the cases.
    """
    ours, theirs = (
        Child(libraries[0], suite, threads),
        Child(libraries[1], suite, threads, checkout),
    )
    # idle worker threads of a library spin for a moment before they sleep: let them
    pause = 0.02 if threads > 1 else 0.0
    rows = []
    try:
        for child in (ours, theirs):  # a library that cannot even start ends the comparison here
            names: Iterable[str] = child.ask(do="list")
        for name in names:
            if wanted(name):
                rows.append(compare(name, ours, theirs, turns, budget, pause))
                show(rows[-1])
    finally:
        ours.close()
        theirs.close()
    return rows
