"""A grader that runs nothing, for tests of what is around the grader.

It knows the solution, and takes every other file that it can compile for half right.
"""

import hashlib
import sys
import time
import types
from dataclasses import dataclass, field


@dataclass
class Report:
    assignment: str
    path: str
    sha256: str
    sandbox: str = "none"
    complete: bool = True
    score: float = 0.0
    total: float = 100.0
    results: list = field(default_factory=list)
    diagnosis: str = None
    message: str = None
    seconds: float = 0.0


def grade(source, path, *, secret, sandbox="auto", budget=60.0, hidden=True):
    data = path.read_bytes()
    report = Report(source.name, str(path), hashlib.sha256(data).hexdigest())
    time.sleep(0.05)
    try:
        text = data.decode()
        compile(text, "piece.py", "exec")
    except (UnicodeDecodeError, SyntaxError) as error:
        report.message = f"not Python: {error}"
        return report
    if not text.partition("# student")[0]:
        report.message = "empty"
        return report
    right = text.startswith(source.solution())
    for name, earned in (("public", 50.0), ("hidden", 50.0 * right)):
        report.results.append(
            {"scenario": name, "points": 50.0, "earned": earned, "hidden": name == "hidden",
             "status": "passed" if earned else "failed", "expected": "1", "got": "2",
             "error": None, "line": None, "idea": "Think.", "page": source.about.reading[0]}
        )  # fmt: skip
        report.score += earned
    return report


def modules():
    """Return the modules that replace the grader."""
    jail = types.SimpleNamespace(choose=lambda name: "none")
    key = types.SimpleNamespace(make_key=lambda *_: None, run_mistakes=lambda *_: None)
    package = types.SimpleNamespace(grade=grade, jail=jail, GraderError=RuntimeError)
    grading = types.SimpleNamespace(limit=None)
    return {
        "exercises.grader": package,
        "exercises.grader.grading": grading,
        "exercises.grader.jail": jail,
        "exercises.grader.key": key,
    }


def install():
    """Be ``exercises.grader``."""
    sys.modules.update(modules())
