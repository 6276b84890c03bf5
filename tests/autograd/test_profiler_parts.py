"""The profiler's other names: blocks with values, the former class, walks over events."""

import importlib
from types import SimpleNamespace

import pytest

from tests.both import compare


def _utils(torch):
    return importlib.import_module(f"{torch.__name__}.profiler._utils")


@pytest.mark.parametrize("shapes", [True, False])
def test_a_block_with_values(shapes):
    def program(torch):
        block = torch._C._profiler._RecordFunctionFast
        x = torch.ones(2, 3)
        again = block("again", [x, 1], {"stream": 0})
        with torch.profiler.profile(record_shapes=shapes) as profile:
            with block("alone"):
                x.add(x)
            for _ in range(2):
                try:
                    with again:
                        raise ValueError
                except ValueError:
                    x.neg()
        with again:
            x.add(x)
        events = sorted(profile.events(), key=lambda e: e.time_range.start)
        return [
            (e.name, e.input_shapes, e.kwinputs, e.scope, e.is_user_annotation)
            for e in events
            if e.name in ("alone", "again")
        ]

    compare(program)


def test_a_block_without_a_name():
    import minitorch

    with pytest.raises(TypeError, match="The name passed to RecordFunctionFast must be a string"):
        minitorch._C._profiler._RecordFunctionFast(3)


def test_the_former_class():
    def program(torch):
        legacy = importlib.import_module(f"{torch.__name__}.autograd.profiler_legacy")
        with legacy.profile(record_shapes=True) as profile:
            torch.ones(2, 3).add(1)
        return [e.input_shapes for e in profile.function_events if e.name == "aten::add"]

    compare(program)


def test_walks_over_events():
    def event(name, *children):
        return SimpleNamespace(name=name, children=list(children), parent=None)

    tree = [event("a", event("b", event("c")), event("d")), event("e")]

    def program(torch):
        utils = _utils(torch)
        line = SimpleNamespace(name="x.py(3): f", parent=None)
        inner = SimpleNamespace(name="aten::add", parent=line)
        return (
            [e.name for e in utils.traverse_dfs(tree)],
            [e.name for e in utils.traverse_bfs(tree)],
            [utils.argmax([]), utils.argmax([1, 5, 3], start=1), utils.argmax([1, 2], end=1)],
            [utils.argmax([1, -5], key=abs)],
            [utils.index_of_first_match([1, 2, 3], lambda x, k=k: x > k) for k in (1, 3)],
            utils.index_of_first_match([1, 2, 3], bool, start=1, end=9),
            utils.source_code_location(inner),
            utils.source_code_location(SimpleNamespace(name="aten::add", parent=None)),
            utils.EventMetrics(4, 3, 1).fraction_idle_time,
            utils.EventMetrics().fraction_idle_time,
        )

    compare(program)


@pytest.mark.parametrize("intervals", [[], [(0, 9)], [(0, 9), (1, 2)], [(0, 6), (8, 20)]])
def test_how_long_events_last_together(intervals):
    def program(torch):
        utils = _utils(torch)
        event = SimpleNamespace(name="x", id=1, start_time_ns=5, end_time_ns=10)
        key = utils.EventKey(event)
        given = [utils.Interval(*each) for each in intervals]
        return key.intervals_overlap(given), repr(key), key == utils.EventKey(event), {key: 1}[key]

    compare(program)


@pytest.mark.parametrize("name", ["_utils.BasicEvaluation", "_pattern_matcher.NamePattern"])
def test_what_is_not_here_says_so(name):
    module, _, cls = name.partition(".")
    found = getattr(importlib.import_module(f"minitorch.profiler.{module}"), cls)
    with pytest.raises(NotImplementedError, match="is not part of minitorch"):
        found(None)
