"""The profiler: what it records of a step, and how it shows it."""

import importlib
import json

import pytest

import minitorch as torch
from minitorch.autograd import profiler, profiler_util
from tests.both import compare, like_pytorch


def _step(torch):
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))
    with torch.autograd.profiler.record_function("forward pass"):
        loss = model(torch.randn(2, 4)).sum()
    loss.backward()


def _trace_names(prof):
    return [event.trace_name for event in prof.function_events]


def _names(prof):
    return [event.name for event in prof.function_events]


@pytest.fixture(scope="module")
def both():
    reference = pytest.importorskip("torch")
    profiles = []
    for library in (torch, reference):
        with library.autograd.profiler.profile(record_shapes=True, with_flops=True) as prof:
            _step(library)
        profiles.append(prof)
    return profiles


def test_nodes_of_the_backward_come_in_pytorchs_order(both):
    def nodes(prof):
        return [n for n in _names(prof) if n.endswith("Backward0") or n.endswith("AccumulateGrad")]

    ours, theirs = map(nodes, both)
    assert ours == theirs


@pytest.mark.parametrize(
    "name", ["aten::addmm", "aten::mm", "aten::relu", "aten::t", "aten::threshold_backward"]
)
def test_an_operator_is_counted_as_often_as_in_pytorch(both, name):
    ours, theirs = (_names(prof).count(name) for prof in both)
    assert ours == theirs


def test_shapes_and_flops_of_products_are_pytorchs(both):
    def products(prof):
        return [
            (e.input_shapes[:3], e.flops) for e in prof.function_events if e.name == "aten::addmm"
        ]

    ours, theirs = map(products, both)
    assert ours == theirs


def test_a_named_block_holds_the_forward_pass_and_no_node(both):
    ours, _ = both
    (block,) = [e for e in ours.function_events if e.name == "forward pass"]
    inside = {e.name for e in ours.function_events if e.cpu_parent is block}
    assert "aten::addmm" in inside or "aten::linear" in inside
    assert not any("Backward" in name for name in inside)


def test_a_node_runs_inside_of_its_evaluation(both):
    for prof in both:
        (node,) = [e for e in prof.function_events if e.name == "ReluBackward0"]
        assert node.cpu_parent.name == "autograd::engine::evaluate_function: ReluBackward0"
        assert [child.name for child in node.cpu_children] == ["aten::threshold_backward"]


def test_times_add_up(both):
    ours, _ = both
    for event in ours.function_events:
        assert event.cpu_time_total >= event.self_cpu_time_total >= 0
    roots = [e for e in ours.function_events if e.cpu_parent is None]
    assert sum(e.cpu_time_total for e in roots) == pytest.approx(ours.self_cpu_time_total)
    averages = ours.key_averages()
    assert sum(a.count for a in averages) == len(ours.function_events)
    assert averages.total_average().count == len(ours.function_events)


def _shape_of(table):
    """The lines of a table without its numbers and without the width of the first column."""
    lines = table.splitlines()
    return lines[1].split(), len(lines), lines[-1].split(":")[0]


@pytest.mark.parametrize(
    "options", [{}, {"sort_by": "cpu_time_total", "row_limit": 5}, {"top_level_events_only": True}]
)
def test_the_table_has_pytorchs_columns(both, options):
    ours, theirs = (prof.key_averages().table(**{"row_limit": 3, **options}) for prof in both)
    assert _shape_of(ours) == _shape_of(theirs)


def test_the_table_shows_shapes_when_events_are_grouped_by_them(both):
    ours, theirs = (p.key_averages(group_by_input_shape=True).table(row_limit=2) for p in both)
    assert ours.splitlines()[1].split() == theirs.splitlines()[1].split()


@pytest.mark.parametrize("function", ["_format_time", "_format_memory"])
@pytest.mark.parametrize("value", [0, 12.3, 1234.5, 1.2e7, 3000, 5 << 20, -(5 << 30)])
def test_numbers_are_written_as_pytorch_writes_them(function, value):
    reference = pytest.importorskip("torch.autograd.profiler_util")
    assert getattr(profiler_util, function)(value) == getattr(reference, function)(value)


def test_a_trace_is_json_that_viewers_read(both, tmp_path):
    path = tmp_path / "trace.json"
    both[0].export_chrome_trace(str(path))
    document = json.loads(path.read_text())
    complete = [e for e in document["traceEvents"] if e["ph"] == "X" and e["cat"] != "Trace"]
    assert {"name", "cat", "ts", "dur", "pid", "tid", "args"} <= set(complete[0])
    assert [e["name"] for e in complete] == _names(both[0])


@like_pytorch
def test_profiles_end_those_around_them_and_are_not_entered_twice(torch):
    with torch.autograd.profiler.profile() as outer:
        torch.ones(2) + 1
        with torch.autograd.profiler.profile() as inner:
            torch.ones(2) * 2
        torch.ones(2) + 1
    names = [e.name for e in inner.function_events if e.name in ("aten::mul", "aten::add")]
    return names, len(outer.function_events), outer.__enter__()


def test_nothing_is_recorded_after_the_end():
    with profiler.profile() as prof:
        torch.ones(2) + 1
    count = len(prof.function_events)
    torch.ones(2) + 1
    assert count == len(prof.function_events) > 0


def test_an_exception_ends_the_events_it_leaves():
    with profiler.profile() as prof, pytest.raises(RuntimeError):
        with profiler.record_function("block"):
            torch.ones(2, 3) @ torch.ones(2, 3)
    with profiler.profile() as after:
        torch.ones(1) * 2
    assert prof.function_events[0].name == "block"
    assert all(e.time_range.end >= e.time_range.start for e in prof.function_events)
    assert all(e.cpu_parent is None for e in after.function_events if e.name == "aten::mul")


def test_a_function_is_named_by_the_decorator():
    @profiler.record_function("named")
    def double(x):
        return x * 2

    with profiler.profile() as prof:
        double(torch.ones(2))
    assert double.__name__ == "double"
    assert "named" in _names(prof)


def test_nothing_is_measured_when_it_is_not_enabled():
    with profiler.profile(enabled=False) as prof:
        torch.ones(1) + 1
    assert prof is None


def test_stacks_lead_to_the_program(tmp_path):
    with profiler.profile(with_stack=True) as prof:
        torch.ones(100) * 2
    event = next(e for e in prof.function_events if e.name == "aten::mul")
    assert any(
        __name__.rsplit(".", 1)[-1] in line or "test_profiler" in line for line in event.stack
    )
    prof.export_stacks(str(tmp_path / "stacks"))
    with profiler.profile() as without, pytest.raises(AssertionError, match="with_stack=True"):
        without.export_stacks(str(tmp_path / "none"))


def test_a_schedule_is_pytorchs():
    reference = pytest.importorskip("torch.profiler")
    for options in (
        {"wait": 1, "warmup": 1, "active": 2, "repeat": 1},
        {"wait": 0, "warmup": 1, "active": 1},
        {"wait": 2, "warmup": 1, "active": 2, "repeat": 2, "skip_first": 3},
        {"wait": 2, "warmup": 1, "active": 2, "skip_first": 1, "skip_first_wait": 1},
    ):
        ours, theirs = torch.profiler.schedule(**options), reference.schedule(**options)
        assert [ours(k).name for k in range(20)] == [theirs(k).name for k in range(20)]


def test_steps_are_measured_by_the_schedule():
    ready = []
    plan = torch.profiler.schedule(wait=1, warmup=1, active=2, repeat=2)
    with torch.profiler.profile(
        schedule=plan, on_trace_ready=lambda p: ready.append(_trace_names(p.profiler))
    ) as prof:
        for _ in range(9):
            torch.ones(1) * 2
            prof.step()
    assert [[n for n in names if n.startswith("ProfilerStep")] for names in ready] == [
        ["ProfilerStep#2", "ProfilerStep#3"],
        ["ProfilerStep#6", "ProfilerStep#7"],
    ]
    assert all(names.count("aten::mul") == 2 for names in ready)


def events_of(torch, times):
    """Events of a thread each, from ``{thread: [(start, end), ...]}``."""
    util = importlib.import_module(f"{torch.__name__}.autograd.profiler_util")
    events = util.EventList()
    for thread, ranges in times.items():
        for start, end in ranges:
            events.append(util.FunctionEvent(len(events), "x", thread, start, end, node_id=0))
    return events


TIMES = {
    "side by side": {1: [(0, 1), (1, 2)]},
    "inside": {1: [(0, 10), (1, 5), (2, 3), (6, 9)]},
    "overlapping": {0: [(0, 2), (1, 2), (1, 3)]},
    "of two threads": {0: [(0, 10), (1, 2)], 1: [(1, 9), (3, 4), (4, 5)]},
    "equal": {0: [(0, 5), (0, 5)]},
    "in another order": {0: [(6, 9), (2, 3), (0, 10), (1, 5)]},
}


@pytest.mark.parametrize("case", TIMES)
def test_what_ran_inside_of_what_follows_from_the_times(case):
    def program(torch):
        events = events_of(torch, TIMES[case])
        events._populate_cpu_children()
        return [[c.id for c in e.cpu_children] for e in events], [
            e.self_cpu_time_total for e in events
        ]

    compare(program)


def test_events_have_one_parent():
    def program(torch):
        events = events_of(torch, TIMES["inside"])
        events._populate_cpu_children()
        events._populate_cpu_children()

    compare(program)


@like_pytorch
def test_an_operator_has_the_number_of_the_node_it_records(torch):
    x, y = torch.ones(2, 2, requires_grad=True), torch.ones(2, 2, requires_grad=True)
    with torch.autograd.profiler.profile() as prof:
        running = torch.autograd._profiler_enabled()
        (x + y).sum(dim=None).backward()
    found = {}
    for name in ("Add", "Sum"):
        events = [
            e
            for e in prof.function_events
            if e.name == f"aten::{name.lower()}" or (name in e.name and "Backward" in e.name)
        ]
        first = events[0]
        found[name] = (
            [e.name for e in events],
            [e.sequence_nr == first.sequence_nr >= 0 for e in events],
            [e.fwd_thread == first.thread for e in events[1:]],
            first.fwd_thread,
        )
    return found, running, torch.autograd._profiler_enabled()


@like_pytorch
def test_events_and_records_made_by_hand(torch):
    util = torch.autograd.profiler_util
    event = util.FunctionEvent(1, "mine", 2, 0.0, 5.0, use_device="cuda", flops=3)
    event.append_kernel("kernel", 0, 3)
    average = util.FunctionEventAvg().add(event)

    class Record:
        def __init__(self, moment):
            self.start_ns = lambda: moment

    records = util.MemRecordsAcc([(Record(moment), moment) for moment in (5, 1, 9)])
    names = util.StringTable()
    return (
        repr(event), event.kernels, event.device_resource_id, event.trace_name, repr(average),
        [moment for _, moment in records.in_interval(1, 5)], names["a name"], len(names),
    )  # fmt: skip


@like_pytorch
def test_a_key_seen_twice(torch):
    unique = torch.autograd.profiler.EnforceUnique()
    unique.see("a")
    unique.see("a", 1)
    unique.see("a")


@like_pytorch
def test_steps_are_counted_by_who_is_furthest(torch):
    tracker = torch.autograd.profiler.KinetoStepTracker
    tracker.init_step_count("one")
    start = tracker.current_step()
    steps = [tracker.increment_step(who) - start for who in ("one", "one", "two", "two")]
    return steps, tracker.erase_step_count("one"), tracker.erase_step_count("one")


def test_a_profile_can_be_paused():
    with torch.profiler.profile() as prof:
        torch.ones(1).exp()
        prof.toggle_collection_dynamic(False, [torch.profiler.ProfilerActivity.CPU])
        torch.ones(1).cos()
        prof.toggle_collection_dynamic(True, [torch.profiler.ProfilerActivity.CPU])
        torch.ones(1).sin()
    names = {event.name for event in prof.events()}
    assert {"aten::exp", "aten::sin"} <= names
    assert "aten::cos" not in names
    assert len(prof.get_trace_id()) == 32


def test_composed_operators_are_events_around_their_parts():
    def program(torch):
        with torch.autograd.profiler.profile(record_shapes=True) as prof:
            torch.nn.functional.linear(torch.ones(5, 2), torch.ones(3, 2), torch.ones(3))
        shown = [e for e in prof.function_events if e.name in ("aten::linear", "aten::addmm")]
        inside = [e.cpu_parent.name if e.cpu_parent else None for e in shown]
        return [(e.name, e.input_shapes) for e in shown], inside

    compare(program)


def test_all_rows_of_a_table():
    def program(torch):
        with torch.autograd.profiler.profile() as prof:
            torch.ones(2) + 1
        averages = prof.key_averages()
        return "aten::add" in averages.table(row_limit=-1), "aten::add" in averages.table(
            row_limit=0
        )

    compare(program)


@like_pytorch
def test_steps_of_optimizers_and_loaders_have_names(torch):
    layer = torch.nn.Linear(1, 1)
    optimizer = torch.optim.SGD(layer.parameters(), 0.1)
    loader = torch.utils.data.DataLoader(torch.arange(2.0))
    layer(torch.ones(1)).sum().backward()
    with torch.profiler.profile() as prof:
        optimizer.step()
        optimizer.zero_grad()
        batches = list(loader)
    names = [event.name for event in prof.events() if "#" in event.name]
    return names, len(batches)


@like_pytorch
def test_the_steps_of_a_schedule_are_one_row(torch):
    rows = []

    def note(prof):
        rows.append([(e.key, e.count) for e in prof.key_averages() if "Step" in e.key])

    plan = torch.profiler.schedule(wait=1, warmup=1, active=2, repeat=1)
    with torch.profiler.profile(schedule=plan, on_trace_ready=note) as prof:
        for _ in range(8):
            torch.ones(1) + 1
            prof.step()
    return rows


@pytest.mark.parametrize("plan", [{"wait": -1, "active": 1}, {"wait": 1, "active": 0}])
def test_schedules_without_sense(plan):
    compare(lambda torch: torch.profiler.schedule(warmup=1, **plan))


@like_pytorch
def test_profiles_by_hand(torch):
    prof = torch.profiler._KinetoProfile(activities=[torch.profiler.ProfilerActivity.CPU])
    prof.start()
    torch.ones(1) * 2
    prof.stop()
    unfinished = torch.autograd.profiler.profile()
    config = torch._C._profiler._ExperimentalConfig(verbose=True)
    with torch.profiler.profile(with_stack=True, experimental_config=config):
        pass
    keys = [event.key for event in prof.key_averages()]
    return "aten::mul" in keys, repr(unfinished), str(unfinished)


@pytest.mark.parametrize("ask", ["events", "key_averages", "of nothing"])
def test_profiles_that_have_nothing_to_say(ask):
    def run(torch):
        if ask == "of nothing":
            return torch.profiler.profile(activities=[])
        return getattr(torch.profiler.profile(), ask)()

    compare(run)
