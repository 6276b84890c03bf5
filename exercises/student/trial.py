"""Run the public scenarios on a student's own file, on the student's own machine.

The judge is the teacher's (`exercises.grader`). But the file is its owner's, so it runs in forks of
this process without a jail: that is quick, and works where no jail does.
"""

import json
import os
import time
from dataclasses import replace
from types import SimpleNamespace

from exercises.bundle import PUBLIC
from exercises.forks import observe, outcome, seed_of
from exercises.grader.allowed import Forbidden
from exercises.grader.grading import limit
from exercises.grader.judge import TOO_LONG, Right, first_difference, is_slow
from exercises.grader.names import check
from exercises.grader.submission import error_at, open_report
from exercises.scenario import Scenario, scenarios_of


def in_jail(bundle, path):
    """Return the report on a student's file, which runs in the teacher's jail.

    Raises
    ------
    exercises.grader.GraderError
        If no jail works here.
    """
    from exercises.grader import grade as grade_in_jail

    return grade_in_jail(bundle, path, secret=PUBLIC, hidden=False)


def grade(bundle, path):
    """Return the report on a student's file."""
    begin = time.monotonic()
    namespace, expected = bundle.namespace(), bundle.expected_here()
    scenarios = scenarios_of(namespace)  # of this run of the section, whose state they share
    report, submission, spliced = open_report(bundle, path, scenarios)
    if submission is None:
        return report
    report.message = _error_in_loading(bundle, namespace, path, submission, spliced)
    if report.message is not None:
        return report
    seen = _in_fork(lambda: _observe_all(bundle, namespace, scenarios, expected, spliced.text))
    passed, digest = outcome(seen, expected, namespace)
    for result in report.results:
        name = result.scenario
        _fill(result, seen[name], expected[name], passed[name], scenarios[name], spliced)
    report.score = float(sum(result.earned for result in report.results))
    report.diagnosis = bundle.diagnoses.get(digest)
    report.complete = True
    report.seconds = time.monotonic() - begin
    return report


def _in_fork(function):
    """Return what a function returns in a fork of this process; it has to be plain data."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            with os.fdopen(writer, "w", encoding="utf-8") as file:
                file.write(json.dumps(function()))
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as file:
        text = file.read()
    os.waitpid(pid, 0)
    return json.loads(text)


def _observe_all(bundle, namespace, scenarios, expected, text):
    """Return what each scenario shows; after two without an end, the others are not run."""
    from exercises import plugs  # which imports the library

    once = not any(scenario.baseline for scenario in scenarios.values())  # which needs what retires
    if once:
        plugs.retire(namespace)  # and not in the fork of each scenario
    seen, endless = {}, 0
    for name, scenario in scenarios.items():
        if endless == 2:
            seen[name] = {
                "values": None,
                "error": "not run: too much time is used up",
                "seconds": 0,
            }
            continue
        right = Right(json.loads(expected[name]["values"]), expected[name]["seconds"])
        seconds = limit(scenario, right)
        timed = replace(scenario, seconds=seconds)
        seed = seed_of(PUBLIC, bundle.name, name)
        seen[name] = observe(bundle, namespace, timed, text, seed, retire=not once)
        seen[name]["limit"] = seconds
        endless += seen[name]["error"] == TOO_LONG
    return seen


def _error_in_loading(bundle, namespace, path, submission, spliced):
    """Load the file in a fork, and return the message if that fails."""
    loading = Scenario(lambda torch, piece, draw: iter(()), 0, "", seconds=4)
    # first as it is, so that the line of a mistake between two answers is right, too
    try:
        compile(submission.text, path.name, "exec", dont_inherit=True)
    except SyntaxError as error:
        return error_at(path, error.lineno, error.msg, submission)
    except (ValueError, RecursionError, MemoryError) as error:
        return error_at(path, None, error, submission)
    try:
        if bundle.about.language == "python":
            check(spliced.text)
    except Forbidden as error:
        return error_at(path, spliced.line(error.lineno), error, submission)
    except SyntaxError:
        pass  # loading it says so
    seen = observe(bundle, namespace, loading, spliced.text, 0)
    if seen["values"] is not None:
        return None
    error, number = split_line(seen["error"])
    if error == TOO_LONG:
        error = "loading it takes more than 4 s; is there a loop without an end?"
    return error_at(path, spliced.line(number), error, submission)


def split_line(error):
    """Return an error of `observe` without its ``(line N)``, and N."""
    text, _, rest = error.rpartition(" (line ")
    return (text, int(rest[:-1])) if text and rest[:-1].isdigit() else (error, None)


def _fill(result, seen, right, passed, scenario, spliced):
    if passed:
        result.status, result.earned = "passed", float(result.points)
    elif seen["values"] is None:
        error, number = split_line(seen["error"])
        result.status = "error"
        if error == TOO_LONG:
            error = f"it takes more than {seen['limit']:.1f} s: it is too slow, or never ends"
        result.error = error
        result.line, result.given = spliced.place(number)
    else:
        shown = SimpleNamespace(values=json.loads(seen["values"]))
        wanted = Right(json.loads(right["values"]), seen.get("baseline", right["seconds"]))
        slow = is_slow(scenario, shown, seen["seconds"], wanted)
        result.status = "timeout" if slow else "failed"
        result.expected, result.got = first_difference(shown, seen["seconds"], wanted, scenario)
