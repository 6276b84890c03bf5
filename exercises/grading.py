"""Run an answer under the library's behaviour tests, and say how many points it gets."""

import importlib.util
import signal
import threading
import types
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import minitorch
from exercises.assignment import ROOT

SECONDS_PER_BEHAVIOUR = 10


class TooSlow(Exception):
    """A behaviour took longer than it may: an endless loop, most often."""


@dataclass
class Report:
    """The result of grading one answer."""

    title: str
    points: dict  # behaviour -> what it is worth
    errors: dict = field(default_factory=dict)  # behaviour -> what was raised
    advice: list = field(default_factory=list)
    recognized: list = field(default_factory=list)  # mistakes that would fail in just this way

    @property
    def total(self):
        return sum(self.points.values())

    @property
    def score(self):
        return sum(worth for name, worth in self.points.items() if name not in self.errors)

    def __str__(self):
        lines = [self.title, ""]
        for name, worth in self.points.items():
            mark = "-" if name in self.errors else "+"
            lines.append(f"  {mark} {worth:3} {name.replace('_', ' ')}")
            if name in self.errors:
                error = self.errors[name]
                text = str(error).partition("\n")[0] or "a value is not what it should be"
                lines.append(f"        {type(error).__name__}: {text}")
        lines += ["", f"{self.score} of {self.total} points"]
        if self.advice:
            lines += ["", "Think about this next:"]
            lines += [f"  * {hint}" for hint in self.advice]
        return "\n".join(lines)


def load(path):
    """Import an answer from its file."""
    path = Path(path)
    return load_text(path.read_text(encoding="utf-8"), path)


def load_text(text, path="answer.py"):
    """Run the text of an answer as a module."""
    module = types.ModuleType(Path(path).stem)
    module.__file__ = str(path)
    exec(compile(text, str(path), "exec"), module.__dict__)
    return module


def behaviours(assignment):
    """Return the behaviour tests of the library by which an assignment is graded."""
    path = ROOT / assignment.grading["BEHAVIOURS"]
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.BEHAVIOURS


def run_one(assignment, answer, name):
    """Run one behaviour on an answer; returns what was raised, or None."""
    try:
        with assignment.grading["install"](answer), time_limit(SECONDS_PER_BEHAVIOUR):
            behaviours(assignment)[name](minitorch)
    except Exception as error:  # noqa: BLE001 (whatever goes wrong in an answer is a result)
        return error
    return None


def grade(assignment, answer):
    """Run every graded behaviour on an answer.

    Parameters
    ----------
    assignment : Assignment
    answer : module

    Returns
    -------
    Report
    """
    report = Report(assignment.title, assignment.points)
    for name in assignment.points:
        error = run_one(assignment, answer, name)
        if error is not None:
            report.errors[name] = error
    report.recognized = recognize(assignment, set(report.errors))
    if report.recognized:
        report.advice = [assignment.misconceptions[name]["hint"] for name in report.recognized]
    else:
        # the first failures are the ones to start with
        advice = dict.fromkeys(assignment.advice[name] for name in report.errors)
        report.advice = list(advice)[:2]
    return report


def recognize(assignment, failed):
    """Return the known mistakes that fail exactly the tests that this answer fails."""
    return [
        name
        for name, mistake in assignment.misconceptions.items()
        if mistake["fails"] <= failed and not mistake["passes"] & failed
    ]


@contextmanager
def time_limit(seconds):
    """Raise `TooSlow` in the code inside; only where there are timers, and in the main thread."""
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return

    def ring(number, frame):
        raise TooSlow(f"took more than {seconds} seconds")

    previous = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def check(assignment):
    """Return the defects of an assignment itself as a list of sentences."""
    problems = []
    total = sum(assignment.points.values())
    available = set(behaviours(assignment))
    named = set(assignment.points) | set(assignment.grading["NOT_GRADED"])
    problems += [f"no such behaviour: {name}" for name in sorted(named - available)]
    problems += [f"neither graded nor said why not: {name}" for name in sorted(available - named)]
    if problems:
        return problems
    if total != 100:
        problems.append(f"the points add up to {total}, not 100")
    stub = grade(assignment, load_text(assignment.stub()))
    if stub.score:
        passed = [name for name in stub.points if name not in stub.errors]
        problems.append(f"the stub gets points for {', '.join(passed)}")
    solution = grade(assignment, load_text(assignment.solution()))
    problems += [f"the solution fails {name}: {e!r}" for name, e in solution.errors.items()]
    if set(assignment.mistakes()) != set(assignment.misconceptions):
        problems.append("planted wrong answers and known misconceptions are not the same")
        return problems
    for mistake in assignment.mistakes():
        report = grade(assignment, load_text(assignment.wrong_answer(mistake)))
        if report.recognized != [mistake]:
            problems.append(
                f"the wrong answer {mistake} is taken for {report.recognized or 'none'}; it fails "
                + ", ".join(report.errors)
            )
    return problems
