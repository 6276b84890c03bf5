"""Grade one file; see `exercises.grader.grade`."""

import time
from pathlib import Path

from exercises.grader import jail
from exercises.grader.judge import TOO_LONG, first_difference, verdict
from exercises.grader.key import diagnose, make_key, run_scenario
from exercises.grader.submission import error_at, open_report
from exercises.grader.worker import Worker

NOT_RUN = "not run: the time was used up"
CHECKED = True  # whether to check names first; the tests of the jail switch it off
LOADING = 3  # seconds that loading a submission may take
TOGETHER = 7  # seconds that all scenarios may take, besides six times what the solution takes
# How long a scenario may take, after 0, 2 and 5 scenarios that did not end: at least so many
# seconds, and so many times what the solution took. So a loop without an end in some scenarios does
# not use up the time for the others.
PATIENCE = ((5, 0.4, 10), (2, 1.0, 20), (0, 2.5, 40))


def grade_file(assignment, path, secret, sandbox, budget, hidden, key):
    """Grade one file; the arguments are those of `exercises.grader.grade`."""
    sandbox = jail.choose(sandbox)
    key = key or make_key(assignment, secret, sandbox, hidden)
    with Worker(sandbox, key.tests, key.language) as worker:
        return grade_in(worker, assignment, path, key, budget)


def grade_in(worker, assignment, path, key, budget=60.0):
    """Grade one file in a worker that only this file should use."""
    begin = time.monotonic()
    scenarios = key.scenarios()
    report, submission, spliced = open_report(assignment, path, scenarios)
    if submission is not None:
        report.sandbox = worker.sandbox
        tokens = _run(worker, report, key, scenarios, submission, spliced, begin + budget)
        seen = {result.status for result in report.results}
        if seen & {"passed", "failed"}:
            # a wrong answer in Cython is compiled first; what is slow has had its time
            share = 4 if key.language == "cython" or "timeout" in seen else 2
            report.diagnosis = diagnose(key, tokens, worker, limit, begin + budget / share)
    report.score = float(sum(result.earned for result in report.results))
    report.complete = True
    report.seconds = round(time.monotonic() - begin, 3)
    return report


def _run(worker, report, key, scenarios, submission, spliced, deadline):
    """Run the scenarios, fill in their results, and return what each has shown, by name."""
    tokens, timeouts = {}, 0
    status, shown, _ = worker.run(
        None, spliced.text, seconds=LOADING, original=submission.text, check=CHECKED
    )
    if shown.values is None:
        report.message = _message(report, submission, spliced, status, shown)
        for result in report.results:
            result.status = status if status in ("timeout", "killed") else "error"
        return tokens
    together = TOGETHER + 6 * sum(right.seconds for right in key.right.values())
    deadline = min(deadline, time.monotonic() + together)
    for result in report.results:
        name, scenario = result.scenario, scenarios[result.scenario]
        if scenario.hidden:
            worker.add(key.hidden)  # not before: a public scenario shows its values
        left = deadline - time.monotonic()
        if left <= 0:
            result.status, result.error = "timeout", NOT_RUN
            tokens[name] = "not run"
            continue
        seconds = min(left, limit(scenario, key.right[name], timeouts))
        status, shown, cpu, right, waited = run_scenario(
            key, worker, scenario, spliced.text, seconds
        )
        deadline += waited
        timeouts += status == "timeout"
        judged = verdict(scenario, shown, cpu, right)
        tokens[name] = judged.token
        _fill(result, scenario, status, shown, cpu, right, judged, spliced)
    return tokens


def limit(scenario, right, timeouts=0):
    """Return the wall time in seconds that a submission gets for a scenario."""
    floor, factor = next((f, k) for count, f, k in PATIENCE if timeouts >= count)
    if scenario.baseline:  # what takes longer than this is too slow, even if it ends
        factor /= 2
    return min(2 * scenario.seconds, max(floor, factor * right.seconds))


def _fill(result, scenario, status, shown, cpu, right, judged, spliced):
    """Write into a result what was seen."""
    if judged.passed:
        result.status, result.earned = "passed", float(result.points)
        return
    if judged.slow:
        # whether it was stopped depends on what else the machine does, so that is not told
        result.status = "timeout"
        result.error = None if scenario.hidden else TOO_LONG
        return
    if shown.values is not None:
        result.status = "failed"
        if not scenario.hidden:
            result.expected, result.got = first_difference(shown, cpu, right, scenario)
        return
    result.status = status if status in ("timeout", "killed") else "error"
    if not scenario.hidden:
        result.error = shown.error
        result.line, result.given = spliced.place(shown.line)


def _message(report, submission, spliced, status, shown):
    """Return why a submission cannot be loaded, with its own line."""
    if status == "timeout":
        name = Path(report.path).name
        return f"{name}: loading it takes more than {LOADING} s; is there a loop without an end?"
    line = shown.line if shown.original else spliced.line(shown.line)
    return error_at(report.path, line, shown.error, submission)
