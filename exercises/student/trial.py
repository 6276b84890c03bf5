"""Run the public scenarios on a student's file, on the student's own machine."""

import hashlib
import json
import time
from dataclasses import dataclass, field

from exercises.author import observe, outcome, seed_of
from exercises.bundle import PUBLIC
from exercises.scenario import differs


@dataclass
class Result:
    """What one scenario showed."""

    scenario: str
    points: float
    earned: float
    status: str
    idea: str
    page: str
    expected: str = None
    got: str = None
    error: str = None
    line: int = None
    hidden: bool = False


@dataclass
class Report:
    """What a file earned."""

    assignment: str
    path: str
    sha256: str = ""
    score: float = 0.0
    total: float = 0.0
    results: list = field(default_factory=list)
    diagnosis: str = None
    message: str = None
    seconds: float = 0.0


def grade(bundle, path):
    """Return the report on a student's file."""
    begin = time.monotonic()
    report = Report(bundle.name, str(path))
    scenarios = bundle.scenarios()
    report.total = sum(s.points for s in scenarios.values())
    try:
        data = path.read_bytes()
        report.sha256 = hashlib.sha256(data).hexdigest()
        text = data.decode("utf-8")
        compile(text, path.name, "exec")
    except OSError as error:
        report.message = f"{path.name} cannot be read: {error.strerror}"
    except UnicodeDecodeError as error:
        number = data[: error.start].count(b"\n") + 1
        report.message = f"{path.name}, line {number}: this is not UTF-8"
    except SyntaxError as error:
        line = (error.text or "").strip()
        report.message = f"{path.name}, line {error.lineno}: {error.msg}\n    {line}"
    except ValueError as error:
        report.message = f"{path.name}: {error}"
    if report.message:
        return report
    namespace, expected = bundle.namespace(), bundle.expected_here()
    results = {
        name: observe(bundle, namespace, scenario, text, seed_of(PUBLIC, bundle.name, name))
        for name, scenario in scenarios.items()
    }
    passed, digest = outcome(results, expected, namespace)
    for name, scenario in scenarios.items():
        result = Result(
            name,
            scenario.points,
            scenario.points if passed[name] else 0.0,
            "passed" if passed[name] else "error" if results[name]["error"] else "failed",
            scenario.idea,
            scenario.page or bundle.about.reading[0],
            error=results[name]["error"],
        )
        if result.status == "failed":
            result.expected, result.got = first_difference(
                results[name], expected[name], scenario.tolerance
            )
        report.results.append(result)
    report.score = sum(result.earned for result in report.results)
    report.diagnosis = bundle.diagnoses.get(digest)
    report.seconds = time.monotonic() - begin
    return report


def first_difference(seen, right, tolerance):
    """Return the first expected value that was not seen and what was seen instead, as texts."""
    got, expected = json.loads(seen["values"]), json.loads(right["values"])
    for index, (label, value) in enumerate(expected):
        if index >= len(got):
            return f"{label} = {short(value)}", "nothing"
        if got[index][0] != label or differs(got[index][1], value, tolerance):
            return f"{label} = {short(value)}", f"{got[index][0]} = {short(got[index][1])}"
    if len(got) > len(expected):
        return "nothing more", f"{got[len(expected)][0]} = {short(got[len(expected)][1])}"
    times = f"{right['seconds']:.2g} s", f"{seen['seconds']:.2g} s"
    return f"about {times[0]} of processor time", times[1]


def short(value):
    """Return a decoded value as a short text."""
    if isinstance(value, dict) and "tensor" in value:
        return f"{value['tensor']} {value['shape']} {value['data']}"
    return str(value)
