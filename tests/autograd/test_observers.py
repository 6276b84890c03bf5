"""`Observer` and `CallObserver`: which events they get, and when they stop getting any."""

import copy
import logging
import pickle

import pytest

import minitorch as torch
from minitorch.autograd.calls import CallObserver, are_calls_watched, begin_block, end_block
from minitorch.autograd.events import Observer, inputs_as_tensors, unwatch, watch


class Functions(Observer):
    def __init__(self):
        self.names, self.failures = [], 0

    def entered(self, function, node):
        self.names.append(function)

    def backward_failed(self):
        self.failures += 1


class Calls(CallObserver):
    def __init__(self):
        self.begun, self.ended = [], []

    def operator_begins(self, operator, arguments):
        self.begun.append(operator if isinstance(operator, str) else operator.name)
        return self.begun[-1]

    def block_begins(self, name, scope, arguments, operator, keywords, numbered):
        self.begun.append(name)
        return name

    def call_ends(self, token, result):
        self.ended.append((token, result is not None))


def run_backward():
    x = torch.tensor(3.0, requires_grad=True)
    (x * x).backward()


def test_all_observers_get_the_same_events_and_none_after_they_have_left():
    with Functions() as outer:
        with Functions() as inner:
            run_backward()
        assert inner.names == outer.names != []
        before = len(inner.names)
        run_backward()
    assert len(inner.names) == before
    assert outer.names == 2 * inner.names
    run_backward()
    assert outer.names == 2 * inner.names


def test_an_observer_that_watches_already_is_told_once():
    once, twice = Functions(), Functions()
    watch(once)
    watch(twice)
    watch(twice)
    run_backward()
    unwatch(twice)
    unwatch(twice)
    unwatch(once)
    assert once.names == twice.names
    assert not once.is_watching and not twice.is_watching


def test_an_observer_can_leave_while_an_event_is_reported():
    class Once(Functions):
        def entered(self, function, node):
            super().entered(function, node)
            unwatch(self)

    with Once() as first, Functions() as second:
        run_backward()
    assert first.names == ["execute"]
    assert second.names[:2] == ["execute", "compute_dependencies"]


def test_inputs_can_be_read_where_a_node_is_applied():
    class Inputs(Observer):
        seen = ()

        def applied(self, node, gradients):
            self.seen += ((node.name(), [t.tolist() for t in inputs_as_tensors(node, gradients)]),)

    with Inputs() as observer:
        run_backward()
    assert [name for name, _ in observer.seen] == [
        "MulBackward0",
        "torch::autograd::AccumulateGrad",
    ]
    assert [gradients for _, gradients in observer.seen] == [[1.0], [6.0]]


def test_a_failed_backward_is_reported():
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    y.register_hook(lambda gradient: 1 / 0)
    with Functions() as observer, pytest.raises(ZeroDivisionError):
        y.backward()
    assert observer.failures == 1


def test_observers_of_the_engine_leave_operators_their_fast_path():
    with Functions():
        assert not are_calls_watched()


def test_operators_and_blocks_are_reported_with_their_end():
    x = torch.ones(2)
    with Calls() as observer:
        assert are_calls_watched()
        x + x
        begun = begin_block("mine")
        with pytest.raises(RuntimeError):
            x @ torch.ones(3)
        end_block(begun, x)
    assert not are_calls_watched()
    x + x
    assert observer.begun[0] == "add" and "mine" in observer.begun
    assert observer.ended[0] == ("add", True) and observer.ended[-1] == ("mine", True)
    assert sorted(name for name, _ in observer.ended) == sorted(observer.begun)
    assert any(not has_result for _, has_result in observer.ended)


def test_a_call_that_an_observer_stops_ends_for_the_others():
    class Stop(Calls):
        def operator_begins(self, operator, arguments):
            raise KeyboardInterrupt

    x = torch.ones(2)
    with Calls() as first, Stop(), pytest.raises(KeyboardInterrupt):
        x + x
    assert first.begun == ["add"] and first.ended == [("add", False)]
    assert (x + x).tolist() == [2.0, 2.0]


def test_an_interrupted_listener_leaves_nothing_open():
    x = torch.ones(2)
    with torch.autograd.profiler.profile() as profile:
        recorder = profile._recorder
        begins = recorder.begins
        recorder.begins = lambda record: 1 / 0
        with pytest.raises(ZeroDivisionError):
            x + x
        recorder.begins = begins
        x * x
    assert [(e.name, e.cpu_parent) for e in profile.function_events] == [("aten::mul", None)]


def test_a_block_left_open_in_one_profile_encloses_nothing_in_the_next():
    x = torch.ones(2)
    with torch.autograd.profiler.profile():
        left_open = begin_block("left open")
    with torch.profiler.profile() as profile:
        x * x
    end_block(left_open)
    assert [(e.name, e.cpu_parent) for e in profile.events()] == [("aten::mul", None)]


def test_a_profile_and_a_trace_can_be_copied_and_pickled():
    with torch.autograd.profiler.profile() as profile, torch.autograd.trace() as trace:
        run_backward()
    for made in (copy.deepcopy(profile), pickle.loads(pickle.dumps(profile))):
        assert [e.name for e in made.function_events] == [e.name for e in profile.function_events]
        assert not made._recorded.is_listening
    for made in (copy.deepcopy(trace), pickle.loads(pickle.dumps(trace))):
        assert made.to_json() == trace.to_json()


def test_a_trace_can_be_opened_again_but_not_twice():
    trace = torch.autograd.trace()
    for _ in range(2):
        with trace, pytest.raises(RuntimeError, match="open already"):
            run_backward()
            trace.__enter__()
    events = len(trace)
    run_backward()
    assert len(trace) == events > 0


def test_the_log_has_only_the_nodes_of_its_own_backward(caplog):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x
    y.register_hook(lambda gradient: torch.enable_grad()(run_backward)())
    with caplog.at_level(logging.DEBUG, "torch.autograd.graph"):
        y.backward()
    logged = [message.split()[1].lstrip("<") for message in caplog.messages]
    assert [name for name in logged if name == "MulBackward0"] == ["MulBackward0"] * 2
