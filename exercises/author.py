"""Tools for those who write assignments: ``python -m exercises.author check [NAME ...]``."""

import json
import sys
import time

from exercises.forks import BASELINE, observe, outcome, section, seed_of
from exercises.scenario import scenarios_of


def rules(source):
    """Return the namespace of an assignment's public and hidden sections."""
    return section(source.tests + "\n" + source.hidden, f"rules_{source.name}")


def run(source, text, secret=0, retire=True):
    """Run every scenario on an answer and return what `observe` saw, by scenario."""
    namespace = rules(source)
    return {
        name: observe(source, namespace, scenario, text, seed_of(secret, source.name, name), retire)
        for name, scenario in scenarios_of(namespace).items()
    }


def score(passed, namespace):
    """Return the points of the scenarios that passed."""
    return sum(s.points for name, s in scenarios_of(namespace).items() if passed[name])


def check(source, mistakes=True):
    """Return the faults of an assignment as a list of sentences; without its mistakes, sooner."""
    problems = []
    namespace = rules(source)
    scenarios = scenarios_of(namespace)
    total = sum(s.points for s in scenarios.values())
    if total != 100:
        problems.append(f"the points add up to {total}, not 100")
    for name in ("install", "retire"):
        if not callable(namespace.get(name)):
            return [f"{name} is missing"]
    expected = run(source, source.solution(), retire=False)
    other = run(source, source.solution(), secret=1, retire=False)
    for name, right in expected.items():
        if right["values"] is None:
            return [*problems, f"the solution fails {name}: {right['error']}"]
        if right["values"] == other[name]["values"]:
            problems.append(f"{name} shows nothing that depends on what was drawn")
        if any(type(value) is bool for _, value in json.loads(right["values"])):
            problems.append(f"{name} shows a bare boolean")
    if "reference" in namespace:  # the library's own piece, as an object like the module
        with_reference = run(source, None, retire=False)
        for name in _failed(with_reference, expected, namespace):
            problems.append(f"{name}: the library differs: {with_reference[name]}")
    for name, scenario in scenarios.items():
        if scenario.baseline:
            seed = seed_of(0, source.name, name)
            seen = observe(source, namespace, scenario, BASELINE, seed, retire=False)
            if seen["values"] != expected[name]["values"]:
                problems.append(f"{name}: the baseline differs: {seen}")
    retired = run(source, source.solution())
    for name in _failed(retired, expected, namespace):
        problems.append(f"without the reference the solution fails {name}: {retired[name]}")
    for kind, text in (("stub", source.stub()), ("empty file", "")):
        passed, _ = outcome(run(source, text), expected, namespace)
        if score(passed, namespace):
            names = ", ".join(name for name, ok in passed.items() if ok)
            problems.append(f"the {kind} gets points for {names}")
    if set(source.wrong_names()) != set(source.mistakes):
        problems.append("planted wrong answers and MISTAKES are not the same")
    digests = {}
    for mistake in source.wrong_names() if mistakes else ():
        results = run(source, source.wrong_answer(mistake))
        if all(seen["values"] is None for seen in results.values()):
            first, *_ = results.values()
            problems.append(f"the wrong answer {mistake} shows nothing: {first['error']}")
        passed, mark = outcome(results, expected, namespace)
        points = score(passed, namespace)
        failed = [name for name, ok in passed.items() if not ok]
        print(f"  {mistake}: {points:g} points; fails {', '.join(failed)}")
        if points > 90:
            problems.append(f"the wrong answer {mistake} keeps {points:g} points")
        if mark in digests:
            problems.append(f"{mistake} cannot be told from {digests[mark]}")
        digests[mark] = mistake
    return problems


def _failed(results, expected, namespace):
    return [name for name, ok in outcome(results, expected, namespace)[0].items() if not ok]


def main(arguments):
    from exercises.source import all_sources, find

    command, *names = arguments
    if command != "check":
        print(__doc__)
        return 2
    status = 0
    for source in [find(name) for name in names] or all_sources().values():
        begin = time.monotonic()
        print(f"{source.name}: {source.about.title}")
        problems = check(source)
        for problem in problems:
            print(f"  FAULT {problem}")
        print(f"  {len(problems)} faults, {time.monotonic() - begin:.1f} s")
        status |= bool(problems)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
