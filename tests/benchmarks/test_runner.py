"""The comparison itself: turns, results, and what goes wrong in a case."""

import math
import re

import pytest

from benchmarks import __main__ as command
from benchmarks import case, child, report, runner


class Scripted:
    """A child that answers from a list instead of a process."""

    def __init__(self, library, built, times):
        self.library = library
        self.built = built
        self.times = iter(times)
        self.asked = []

    def ask(self, **request):
        self.asked.append(request["do"])
        if request["do"] == "build":
            return self.built
        time = next(self.times)
        if isinstance(time, Exception):
            raise time
        return {"seconds": time}


def compare(ours, theirs, turns=3):
    return runner.compare("a case", ours, theirs, turns, budget=0.0, pause=0.0)


def test_the_ratio_is_the_median_over_the_turns():
    ours = Scripted("minitorch", {"values": [1.0]}, [2.0, 9.0, 3.0])
    theirs = Scripted("torch", {"values": [1.0]}, [4.0, 3.0, 3.0])
    row = compare(ours, theirs)
    assert row.ratios == [0.5, 3.0, 1.0]
    assert row.ratio == 1.0
    assert (row.ours, row.theirs) == (2.0, 3.0)
    assert row.agrees


def test_results_that_differ_are_reported():
    ours = Scripted("minitorch", {"values": [1.0, 2.0]}, [1.0] * 3)
    theirs = Scripted("torch", {"values": [1.0, 2.1]}, [1.0] * 3)
    assert not compare(ours, theirs).agrees


@pytest.mark.parametrize(
    "built, problem",
    [
        ({"missing": "gelu"}, "minitorch lacks gelu"),
        ({"failed": "RuntimeError: no"}, "minitorch: RuntimeError: no"),
    ],
)
def test_a_case_that_cannot_run_is_named_and_not_measured(built, problem):
    ours = Scripted("minitorch", built, [])
    theirs = Scripted("torch", {"values": [1.0]}, [])
    row = compare(ours, theirs)
    assert row.problem == problem
    assert row.ratio is None
    assert theirs.asked == ["build"]


def test_a_child_that_dies_costs_only_its_case():
    ours = Scripted("minitorch", {"values": [1.0]}, [runner.ChildDied("died of signal 11")])
    theirs = Scripted("torch", {"values": [1.0]}, [1.0])
    assert compare(ours, theirs).problem == "minitorch: died of signal 11"


def test_a_missing_operator_is_known_by_its_name():
    with pytest.raises(AttributeError) as caught:
        math.gelu  # noqa: B018
    assert child.describe(caught.value) == {"missing": "gelu"}


def test_the_geometric_mean_of_a_number_and_its_inverse_is_one():
    assert report.geometric_mean([4.0, 0.25]) == pytest.approx(1.0)
    assert math.isnan(report.geometric_mean([]))


def test_a_fresh_case_is_prepared_outside_the_clock(monkeypatch):
    now = 0.0

    def advance(seconds):
        nonlocal now
        now += seconds

    monkeypatch.setattr(case, "clock", lambda: now)
    work = case.Fresh(lambda: advance(5.0), lambda _: advance(2.0), units=4)
    assert work.measure(budget=10.0) == pytest.approx(0.5)


def test_a_repeated_case_is_called_until_the_clock_can_tell(monkeypatch):
    now = 0.0

    def advance():
        nonlocal now
        now += 1e-5

    monkeypatch.setattr(case, "clock", lambda: now)
    work = case.Repeated(advance)
    assert work.measure(budget=0.01) == pytest.approx(1e-5)
    assert work.number >= 64


@pytest.mark.parametrize("suite", ["engine", "kernels", "training"])
def test_the_names_of_a_suite_are_unique(suite):
    torch = pytest.importorskip(
        "torch", reason="needs the compat extra: pip install -e '.[compat]'"
    )
    workloads = pytest.importorskip(f"benchmarks.{suite}")
    names = [one.name for one in workloads.cases(torch)]
    assert len(names) == len(set(names))


def test_another_checkout_is_compared_with(capsys):
    checkout = str(runner.ROOT)
    assert (
        command.main(["engine", "--against", checkout, "--quick", "--only", "^backward.*1 node"])
        == 0
    )
    printed = capsys.readouterr().out
    assert "(mark 1.05: " in printed
    assert "differ" not in printed


def test_what_is_no_checkout_is_refused(capsys, tmp_path):
    with pytest.raises(SystemExit):
        command.main(["engine", "--against", str(tmp_path)])
    assert "is no checkout of minitorch" in capsys.readouterr().err


def test_torch_against_itself_runs_through_and_agrees(capsys, tmp_path):
    pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")
    output = tmp_path / "numbers.json"
    arguments = ["kernels", "--self", "torch", "--quick", "--only", "^(exp|softmax) .*1(e2|0x10)$"]
    assert command.main([*arguments, "--json", str(output)]) == 0
    printed = capsys.readouterr().out
    assert re.search(r"^exp 1e2 ", printed, re.MULTILINE)
    assert "geometric mean of 2 cases" in printed
    assert "differ" not in printed
    assert output.exists()
