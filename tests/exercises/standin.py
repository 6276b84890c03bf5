"""A grader without a sandbox, for tests of what is around the grader."""

import hashlib
import sys
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
    from exercises import author

    data = path.read_bytes()
    report = Report(source.name, str(path), hashlib.sha256(data).hexdigest())
    try:
        text = data.decode()
        compile(text, "piece.py", "exec")
    except (UnicodeDecodeError, SyntaxError) as error:
        report.message = f"not Python: {error}"
        return report
    expected = author.run(source, source.solution(), secret, retire=False)
    namespace = author.rules(source)
    seen = author.run(source, text, secret)
    passed, _ = author.outcome(seen, expected, namespace)
    for name, ok in passed.items():
        one = author.scenarios_of(namespace)[name]
        report.results.append(
            {"scenario": name, "points": one.points, "earned": one.points * ok,
             "hidden": one.hidden, "status": "passed" if ok else "failed", "expected": "1",
             "got": seen[name]["values"], "error": seen[name]["error"], "line": None,
             "idea": one.idea, "page": source.about.reading[0]}
        )  # fmt: skip
        report.score += report.results[-1]["earned"]
    return report


def modules():
    """Return the modules that replace the grader."""
    return {
        "exercises.grader.jail": types.SimpleNamespace(choose=lambda name: "none"),
        "exercises.grader.key": types.SimpleNamespace(make_key=lambda *arguments: None),
        "exercises.grader": types.SimpleNamespace(
            grade=grade, jail=types.SimpleNamespace(choose=lambda name: "none"),
            GraderError=RuntimeError,
        ),
    }  # fmt: skip


def install():
    """Be ``exercises.grader``."""
    import minitorch  # noqa: F401 (once, and not in every process)

    sys.modules.update(modules())
