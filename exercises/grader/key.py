"""The right values of an assignment, from a run of its solution in a worker of its own."""

import ast
import hashlib
import json
import math
import time
from dataclasses import dataclass, field

from exercises.forks import section, seed_of
from exercises.grader import GraderError
from exercises.grader.judge import TRIES, Right, digest, is_measured, verdict
from exercises.grader.worker import Worker
from exercises.scenario import differs, scenarios_of

NOT_FOR_THE_JAIL = ("ABOUT", "MISTAKES", "EQUIVALENT")


@dataclass
class Key:
    """What a submission is compared with.

    Attributes
    ----------
    tests, hidden : str
        The code of the scenarios, for the worker.
    language : str
        The language of the submissions.
    seeds : dict of str to int
        The seed of each scenario.
    right : dict of str to Right
    mistakes : dict of str to tuple of (str, str)
        Wrong answers by name, each as its text and its diagnosis; empty for a bundle.
    diagnoses : dict of str to str
        Diagnoses by digest, for a bundle.
    tokens : dict of (str, str) to str
        What a wrong answer showed in a scenario, so that it runs once.
    """

    tests: str
    hidden: str
    language: str
    seeds: dict
    right: dict
    mistakes: dict = field(default_factory=dict)
    diagnoses: dict = field(default_factory=dict)
    tokens: dict = field(default_factory=dict)

    def scenarios(self):
        """Return the scenarios by name, the public ones first."""
        code = self.tests + "\n" + self.hidden
        name = hashlib.sha256(code.encode()).hexdigest()[:16]
        return scenarios_of(section(code, f"rules_{name}"))


_keys = {}


def make_key(assignment, secret, sandbox, hidden=True):
    """Return the key of an assignment; it is made once in a process.

    Raises
    ------
    GraderError
        If there are no scenarios, or the solution fails one.
    """
    code = assignment.tests + "\0" + (assignment.hidden if hidden else "")
    if hasattr(assignment, "expected"):
        code += json.dumps([assignment.expected, assignment.diagnoses])
    else:
        code += "\0" + assignment.solution()
    name = (assignment.name, hashlib.sha256(code.encode()).hexdigest(), str(secret), sandbox)
    if name not in _keys:
        _keys[name] = _make(assignment, secret, sandbox, hidden)
    return _keys[name]


def _make(assignment, secret, sandbox, hidden):
    key = Key(_stripped(assignment.tests), "", assignment.about.language, {}, {})
    if hidden and assignment.hidden:
        key.hidden = _stripped(assignment.hidden)
    scenarios = key.scenarios()
    if not scenarios:
        raise GraderError(f"{assignment.name} has no scenarios")
    key.seeds = {name: seed_of(secret, assignment.name, name) for name in scenarios}
    if hasattr(assignment, "expected"):
        here = assignment.expected_here()
        key.right = {n: Right(json.loads(r["values"]), r["seconds"]) for n, r in here.items()}
        key.diagnoses = assignment.diagnoses
        return key
    with Worker(sandbox, key.tests + "\n" + key.hidden, key.language) as worker:
        for name, scenario in scenarios.items():
            _, shown, cpu = worker.run(
                name,
                assignment.solution(),
                key.seeds[name],
                seconds=2 * scenario.seconds + 5,
                retire=False,
            )
            if shown.values is None:
                raise GraderError(f"{assignment.name}: the solution fails {name}: {shown.error}")
            key.right[name] = Right(shown.values, cpu)
    key.mistakes = {
        name: (assignment.wrong_answer(name), assignment.mistakes[name])
        for name in assignment.wrong_names()
    }
    return key


def _stripped(code):
    """Return the code of a section without its comments and without what the jail must not have."""
    tree = ast.parse(code)
    tree.body = [
        s
        for s in tree.body
        if not (isinstance(s, ast.Assign) and getattr(s.targets[0], "id", "") in NOT_FOR_THE_JAIL)
    ]
    return ast.unparse(tree) + "\n"


def run_scenario(key, worker, scenario, text, seconds):
    """Run a scenario on a submission, and on its baseline if that decides.

    Parameters
    ----------
    key : Key
    worker : Worker
    scenario : Scenario
    text : str
    seconds : float
        The wall time that the submission may take each time.

    Returns
    -------
    status, shown, cpu
        See `Worker.run`.
    right : Right
        The right values, with the processor time of the baseline if it has run.
    waited : float
        The wall time that the baseline took.

    Raises
    ------
    GraderError
        If the baseline fails.
    """
    name, right = scenario.name, key.right[scenario.name]
    seed, cpu, base, spent, waited = key.seeds[name], math.inf, math.inf, 0.0, 0.0
    for tries in range(1, TRIES + 1):
        begin = time.monotonic()
        status, shown, used = worker.run(name, text, seed, seconds=seconds)
        cpu = min(cpu, used)
        spent += time.monotonic() - begin
        if not scenario.baseline or shown.values is None:
            break
        if differs(shown.values, right.values, scenario.tolerance):
            break
        patience, begin = 2 * scenario.seconds + 5, time.monotonic()
        _, shown_by_it, used = worker.run(name, None, seed, seconds=patience, retire=False)
        if shown_by_it.values is None:
            raise GraderError(f"the baseline fails {name}: {shown_by_it.error}")
        waited += time.monotonic() - begin
        base = min(base, used)
        right = Right(right.values, base)
        if is_measured(scenario, cpu, right, tries) or spent > seconds:
            break
    return status, shown, cpu, right, waited


def diagnose(key, tokens, worker, limit, deadline=math.inf):
    """Return the diagnosis of a submission, or None.

    The wrong answers run in the worker of the submission, which does not run in it any more.

    Parameters
    ----------
    key : Key
    tokens : dict of str to str
        What the submission showed in each scenario (`judge.token`).
    worker : Worker
    limit : callable
        ``limit(scenario, right)`` is the wall time that a wrong answer gets.
    deadline : float
        When to give up, on the monotonic clock: wrong answers in Cython are compiled first.
    """
    if all(t == "right" for t in tokens.values()):
        return None
    if key.diagnoses:
        return key.diagnoses.get(digest(tokens.values()))
    if not key.mistakes:
        return None
    scenarios = key.scenarios()
    same = set()
    for mistake, (text, words) in key.mistakes.items():
        if time.monotonic() > deadline:
            return None
        if all(
            tokens[name] == _token(key, worker, mistake, text, scenario, limit)
            for name, scenario in scenarios.items()
        ):
            same.add(words)
    return same.pop() if len(same) == 1 else None


def run_mistakes(key, sandbox, limit):
    """Run every wrong answer in every scenario, so that no process forked later has to."""
    if key.mistakes:
        with Worker(sandbox, key.tests + "\n" + key.hidden, key.language) as worker:
            for mistake, (text, _) in key.mistakes.items():
                for scenario in key.scenarios().values():
                    _token(key, worker, mistake, text, scenario, limit)


def _token(key, worker, mistake, text, scenario, limit):
    """Return what a wrong answer shows in a scenario."""
    name = scenario.name
    if (mistake, name) not in key.tokens:
        seconds = limit(scenario, key.right[name])
        _, shown, cpu, right, _ = run_scenario(key, worker, scenario, text, seconds)
        key.tokens[mistake, name] = verdict(scenario, shown, cpu, right).token
    return key.tokens[mistake, name]
